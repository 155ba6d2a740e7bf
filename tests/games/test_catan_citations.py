"""All rules of the checklists of Catan and its variants are cited by the rules, and by a scenario or with a reason."""

from __future__ import annotations

import pytest
from tests.games import citations

GAMES = {"catan": ("C", 93), "catan_austria": ("A", 46), "vienna_meets_catan": ("W", 52)}
NAMES = list(GAMES)

NOT_IN_THE_SCENARIOS: dict[str, dict[str, str]] = {
    "catan": {
        "C-048": "that hands are not shown by an offer: test_catan_play.py looks at what the others see",
        "C-093": "that a variant can change it: Catan Austria, Vienna meets Catan and docs/variants.md do",
    },
    "catan_austria": {},
    "vienna_meets_catan": {},
}
"""Rules that no scenario cites, and why that is right."""


def rules(game: str) -> list[str]:
    letter, last = GAMES[game]
    return [f"{letter}-{number:03}" for number in range(1, last + 1)]


@pytest.mark.parametrize("game", NAMES)
def test_every_rule_is_cited_by_the_rules(game: str) -> None:
    assert [rule for rule in rules(game) if rule not in citations.cited(game, game)] == []


@pytest.mark.parametrize("game", NAMES)
def test_every_rule_is_cited_by_a_scenario(game: str) -> None:
    cited = citations.cited(game, f"{game}_scenarios")
    assert [rule for rule in rules(game) if rule not in cited and rule not in NOT_IN_THE_SCENARIOS[game]] == []


@pytest.mark.parametrize("game", NAMES)
def test_nothing_else_is_cited(game: str) -> None:
    known = {rule for each in GAMES for rule in rules(each)}
    for stem in (game, f"{game}_scenarios"):
        assert sorted(citations.cited(game, stem) - known) == []


@pytest.mark.parametrize("game", NAMES)
def test_exceptions_are_needed_and_have_reasons(game: str) -> None:
    cited, known = citations.cited(game, f"{game}_scenarios"), rules(game)
    assert [rule for rule in NOT_IN_THE_SCENARIOS[game] if rule in cited or rule not in known] == []
    assert [rule for rule, reason in NOT_IN_THE_SCENARIOS[game].items() if len(reason) < 10] == []
