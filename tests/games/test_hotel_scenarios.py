"""All scenarios of the checklist of Grand Austria Hotel come out as stated, and some for single cards."""

from __future__ import annotations

import re
from functools import cache

import pytest

from regelwerk.dsl.diagnostics import render
from regelwerk.interpreter.loading import Checked, check_path, shipped_games
from regelwerk.interpreter.scenarios import run_scenario

FOLDER = shipped_games()["grand_austria_hotel"].parent
STEMS = ("grand_austria_hotel_scenarios",)
NAMES = {
    stem: [
        line.split()[1]
        for line in (FOLDER / f"{stem}.rules").read_text(encoding="utf-8").splitlines()
        if line.startswith("scenario ")
    ]
    for stem in STEMS
}


@cache
def checked(stem: str) -> Checked:
    return check_path(FOLDER / f"{stem}.rules")


@pytest.mark.parametrize("stem", STEMS)
def test_the_file_is_correct(stem: str) -> None:
    found = checked(stem)
    assert found.game is not None
    assert [render(each, found.sources) for each in found.diagnostics] == []


@pytest.mark.parametrize("number", range(1, 47))
def test_each_scenario_of_the_checklist_has_its_own(number: int) -> None:
    assert any(re.match(rf"GS_{number:02}(_|$)", name) for name in NAMES["grand_austria_hotel_scenarios"])


@pytest.mark.parametrize(("stem", "name"), [(stem, name) for stem in STEMS for name in NAMES[stem]])
def test_scenario(stem: str, name: str) -> None:
    found = checked(stem)
    assert found.checker is not None
    scenario = next(each for each in found.checker.checked_scenarios if each.name == name)
    assert scenario.citations, "a scenario cites its rules"
    result = run_scenario(found, scenario)
    assert result.passed, (result.message, *result.detail)
