"""All scenarios of Vienna's checklist come out as stated."""

from __future__ import annotations

from functools import cache

import pytest

from regelwerk.dsl.diagnostics import render
from regelwerk.interpreter.loading import Checked, check_path, shipped_games
from regelwerk.interpreter.scenarios import run_scenario

PATH = shipped_games()["vienna"].with_name("vienna_scenarios.rules")
NAMES = [
    line.split()[1] for line in PATH.read_text(encoding="utf-8").splitlines() if line.startswith("scenario ")
]  # read as text, so that a file with an error gives one failing test and not none at all


@cache
def checked() -> Checked:
    return check_path(PATH)


def test_the_file_is_correct() -> None:
    found = checked()
    assert found.game is not None, "\n".join(render(d, found.sources) for d in found.diagnostics)


def test_there_are_many() -> None:
    assert len(NAMES) >= 100
    assert len(set(NAMES)) == len(NAMES)
    found = checked().checker
    assert found is not None
    assert [each.name for each in found.checked_scenarios] == NAMES


@pytest.mark.parametrize("number", range(1, 45))
def test_each_scenario_of_the_checklist_has_its_own(number: int) -> None:
    assert any(name.split("_")[1] == f"{number:02}" for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_scenario(name: str) -> None:
    found = checked()
    assert found.checker is not None
    scenario = next(each for each in found.checker.checked_scenarios if each.name == name)
    assert scenario.citations, "a scenario of the checklist cites its rules"
    result = run_scenario(found, scenario)
    assert result.passed, (result.message, *result.detail)
