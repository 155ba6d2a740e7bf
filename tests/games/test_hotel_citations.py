"""Every rule of Grand Austria Hotel is cited by the rules, and by a scenario, or stands in a table with its reason.

The list of rules is G-001 to G-120.
"""

from __future__ import annotations

import pytest
from tests.games import citations

GAME = "grand_austria_hotel"
RULES = [f"G-{number:03}" for number in range(1, 121)]

NOT_IN_THE_SCENARIOS: dict[str, str] = {
    "G-108": "the printed text does not list the recommended cards; a remark says so",
    "G-109": "a garbled line of advice without a rule; a remark says so",
}
"""Rules that no scenario cites, and why that is right."""


def test_every_rule_is_cited_by_the_rules() -> None:
    assert [rule for rule in RULES if rule not in citations.cited(GAME, GAME)] == []


def test_every_rule_is_cited_by_a_scenario() -> None:
    cited = citations.cited(GAME, f"{GAME}_scenarios")
    assert [rule for rule in RULES if rule not in cited and rule not in NOT_IN_THE_SCENARIOS] == []


@pytest.mark.parametrize("stem", [GAME, f"{GAME}_scenarios"])
def test_nothing_else_is_cited(stem: str) -> None:
    assert sorted(citations.cited(GAME, stem) - set(RULES)) == []


def test_exceptions_are_needed_and_have_reasons() -> None:
    cited = citations.cited(GAME, f"{GAME}_scenarios")
    assert [rule for rule in NOT_IN_THE_SCENARIOS if rule in cited] == []
    assert [rule for rule, reason in NOT_IN_THE_SCENARIOS.items() if rule not in RULES or len(reason) < 10] == []
