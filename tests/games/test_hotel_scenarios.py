"""All scenarios of the checklist of Grand Austria Hotel come out as stated, and some for single cards."""

from __future__ import annotations

import re
from functools import cache

import pytest

from regelwerk.dsl.diagnostics import render
from regelwerk.interpreter.loading import Checked, check_path, shipped_games
from regelwerk.interpreter.scenario_differences import differences
from regelwerk.interpreter.scenarios import run_scenario

FOLDER = shipped_games()["grand_austria_hotel"].parent
STEMS = ("grand_austria_hotel_scenarios", "grand_austria_hotel_2022_scenarios")

CHANGED_IN_2022 = {
    "GS_25": "A1: C can pay three krones and so must",
    "GS_26": "A1: likewise",
    "GS_26_other": "A1: likewise",
    "GS_27": "A3: without two cards the points are lost, and nothing is asked",
    "GS_28": "A4: a room is removed, and nothing is asked before",
    "GS_28_none": "B4: without two rooms the points are lost, and nothing is asked",
    "GS_29_penalty": "B4: two rooms are removed, and nothing is asked before",
    "GS_40_order": "A1: who can pay must",
    "GS_41": "B2: who can pay must",
    "GS_41_three": "B3: who has three cards returns them",
    "GS_94": "C2: the second room may lie in any column",
    "GS_96": "C4: who has a card to give up must",
    "GS_46": "the Operator has no limit",
    "S_26_42": "the Conference Manager costs a krone for each penalty",
}
"""The scenarios that come out differently in the printing of 2022, and why."""
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


def test_what_the_printing_of_2022_changes() -> None:
    found = [each for each in differences(checked("grand_austria_hotel_2022")) if not each.same]
    assert sorted(each.name for each in found) == sorted(CHANGED_IN_2022)
    assert all(each.compiles for each in found)
