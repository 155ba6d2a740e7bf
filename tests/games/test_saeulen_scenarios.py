"""All scenarios of the checklist of Die Säulen von Venedig come out as stated."""

from __future__ import annotations

import re
from functools import cache

import pytest

from regelwerk.dsl.diagnostics import render
from regelwerk.interpreter.loading import Checked, check_path, shipped_games
from regelwerk.interpreter.scenarios import run_scenario

PATH = shipped_games()["saeulen_von_venedig"].with_name("saeulen_von_venedig_scenarios.rules")
NAMES = [line.split()[1] for line in PATH.read_text(encoding="utf-8").splitlines() if line.startswith("scenario ")]


@cache
def checked() -> Checked:
    return check_path(PATH)


def test_the_file_is_correct() -> None:
    found = checked()
    assert found.game is not None
    assert [render(each, found.sources) for each in found.diagnostics] == []


@pytest.mark.parametrize("number", range(1, 41))
def test_each_scenario_of_the_checklist_has_its_own(number: int) -> None:
    assert any(re.match(rf"PS_{number:02}[a-z]?(_|$)", name) for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_scenario(name: str) -> None:
    found = checked()
    assert found.checker is not None
    scenario = next(each for each in found.checker.checked_scenarios if each.name == name)
    assert scenario.citations, "a scenario cites its rules"
    result = run_scenario(found, scenario)
    assert result.passed, (result.message, *result.detail)
