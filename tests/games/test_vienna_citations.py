"""Every rule of Vienna's checklist is cited by the rules, and by a scenario, or stands in a table with its reason.

The citations come from the syntax tree; the list of rules is V-001 to V-111.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.games import citations

from regelwerk.interpreter.loading import shipped_games

RULES = [f"V-{number:03}" for number in range(1, 112)]

NOT_IN_THE_RULES: dict[str, str] = {}
"""Rules that no declaration of vienna.rules cites, and why that is right."""

NOT_IN_THE_SCENARIOS: dict[str, str] = {
    "V-003": "numbers and prints of the cards are data: test_vienna_data.py compares them",
    "V-014": "that the order is unknown to all: the deck is `seen by nobody`, and a scenario has no view",
    "V-018": "what is open and what is hidden: test_vienna_data.py looks at the zones, a scenario has no view",
    "V-109": "derived: no rule forces points to grow, and a scenario cannot show what never happens",
    "V-110": "the aim of the game; VS-37 and its neighbours show the ranking by points",
}
"""Rules that no scenario cites, and why that is right."""


def cited(stem: str) -> frozenset[str]:
    return citations.cited("vienna", stem)


def test_citations_are_read_from_the_tree() -> None:
    """A header, a declaration, a row of a table, a range: each is found."""
    assert {"V-001", "V-034", "V-065", "V-041", "V-111"} <= cited("vienna")


@pytest.mark.parametrize("stem", ["vienna", "vienna_scenarios"])
def test_nothing_else_is_cited(stem: str) -> None:
    assert sorted(cited(stem) - set(RULES)) == []


def test_every_rule_is_cited_by_the_rules() -> None:
    missing = [rule for rule in RULES if rule not in cited("vienna") and rule not in NOT_IN_THE_RULES]
    assert missing == []


def test_every_rule_is_cited_by_a_scenario() -> None:
    missing = [rule for rule in RULES if rule not in cited("vienna_scenarios") and rule not in NOT_IN_THE_SCENARIOS]
    assert missing == []


def test_every_rule_is_cited_somewhere() -> None:
    everywhere = cited("vienna") | cited("vienna_scenarios")
    assert [rule for rule in RULES if rule not in everywhere and rule not in NOT_IN_THE_RULES] == []


@pytest.mark.parametrize(
    ("table", "stem"),
    [(NOT_IN_THE_RULES, "vienna"), (NOT_IN_THE_SCENARIOS, "vienna_scenarios")],
    ids=["rules", "scenarios"],
)
def test_exceptions_are_needed_and_have_reasons(table: dict[str, str], stem: str) -> None:
    assert [rule for rule in table if rule in cited(stem)] == []
    assert [rule for rule, reason in table.items() if rule not in RULES or len(reason) < 10] == []


def test_the_files_stand_where_they_are_looked_for() -> None:
    assert Path(shipped_games()["vienna"]).name == "vienna.rules"
