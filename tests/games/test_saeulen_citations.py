"""Every rule of Die Säulen von Venedig is cited by the rules, and by a scenario, or stands in a table with its reason.

The list of rules is P-001 to P-078.
"""

from __future__ import annotations

import pytest
from tests.games import citations

GAME = "saeulen_von_venedig"
RULES = [f"P-{number:03}" for number in range(1, 79)]

NOT_IN_THE_SCENARIOS: dict[str, str] = {
    "P-003": "who is oldest is an option of the game: test_saeulen_data.py looks at it",
    "P-076": "derived: nothing forces the game to grow; test_saeulen_data.py looks at the option `round_cap`",
    "P-077": "faces are data: test_saeulen_data.py compares them",
    "P-078": "numbers of the cards are data: test_saeulen_data.py compares them",
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
