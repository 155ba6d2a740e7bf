"""All scenarios of the checklists of Catan and its variants come out as stated."""

from __future__ import annotations

import re
from functools import cache

import pytest

from regelwerk.dsl.diagnostics import render
from regelwerk.interpreter.loading import Checked, check_path, shipped_games
from regelwerk.interpreter.scenarios import run_scenario

GAMES = {"catan": ("CS", 33), "catan_austria": ("AS", 25), "vienna_meets_catan": ("WS", 29)}
PATHS = {name: shipped_games()[name].with_name(f"{name}_scenarios.rules") for name in GAMES}
CASES = [
    (name, line.split()[1])
    for name, path in PATHS.items()
    for line in path.read_text(encoding="utf-8").splitlines()
    if line.startswith("scenario ")
]


@cache
def checked(name: str) -> Checked:
    return check_path(PATHS[name])


@pytest.mark.parametrize("name", list(GAMES))
def test_the_files_are_correct(name: str) -> None:
    for found in (checked(name), check_path(shipped_games()[name])):
        assert found.game is not None
        assert [render(each, found.sources) for each in found.diagnostics] == []


@pytest.mark.parametrize(
    ("name", "letters", "number"),
    [(name, letters, number) for name, (letters, last) in GAMES.items() for number in range(1, last + 1)],
)
def test_each_scenario_of_the_checklist_has_its_own(name: str, letters: str, number: int) -> None:
    assert any(game == name and re.match(rf"{letters}_{number:02}(_|$)", each) for game, each in CASES)


@pytest.mark.parametrize(("name", "scenario"), CASES, ids=[f"{name}-{scenario}" for name, scenario in CASES])
def test_scenario(name: str, scenario: str) -> None:
    found = checked(name)
    assert found.checker is not None
    made = next(each for each in found.checker.checked_scenarios if each.name == scenario)
    assert made.citations, "a scenario of the checklist cites its rules"
    result = run_scenario(found, made)
    assert result.passed, (result.message, *result.detail)
