"""`regelwerk test VARIANT`: its own scenarios count, those of what it builds on are compared."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

BASE = """edition 1
game base "Base" { players 2 }
const goal = 3
track point/points per player: 0..50
effect score { gain 2 points }
effect lose_one { lose 1 point }
phase p { step s { nothing } }
rank winner by me.points then shared
scenario unchanged "no point at first" { players A, B   then A.points is 0 }
scenario different "two points" { players A, B   play score as A {}   then A.points is 2 }
scenario gone "one less" { players A, B   given { set A.points = 3 }   play lose_one as A {}   then A.points is 2 }
scenario wrong "it fails in the base, too" { players A, B   then A.points is 5 }
"""
SCENARIOS = """edition 1
variant base_scenarios "Scenarios" of base
effect twice { do score   do score }
scenario helped "four points" { players A, B   play twice as A {}   then A.points is 4 }
"""
VARIANT = """edition 1
variant v "V" of base
replace effect score { gain 3 points }
remove effect lose_one
scenario own "three points" { players A, B   play score as A {}   then A.points is 3 }
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("base", BASE), ("base_scenarios", SCENARIOS), ("v", VARIANT)):
        (tmp_path / f"{name}.rules").write_text(text, encoding="utf-8")
    return tmp_path


def test_differences_are_listed_and_do_not_count(run: Any, folder: Path) -> None:
    answer = run("test", str(folder / "v.rules"), "--no-games")
    assert answer.code == 0
    assert answer.out.endswith("1 passed, 0 failed\n")
    assert "3 of 5 scenarios of what v builds on are different:" in answer.out
    assert 'different "two points", base.rules:10: this does not hold; A.points is 3' in answer.out
    assert 'gone "one less", base.rules:11: no longer compiles: there is no' in answer.out
    assert 'helped "four points", base_scenarios.rules:4: this does not hold; A.points is 6' in answer.out
    assert "unchanged" not in answer.out
    assert "wrong" not in answer.out


def test_a_variant_that_changes_nothing(run: Any, folder: Path) -> None:
    (folder / "v.rules").write_text('edition 1\nvariant v "V" of base\nconst more = 3\n', encoding="utf-8")
    answer = run("test", str(folder / "v.rules"), "--no-games")
    assert answer.code == 0
    assert "all 5 scenarios of what v builds on come out the same" in answer.out


def test_scenarios_that_no_longer_fit(run: Any, folder: Path) -> None:
    """The helpers of a scenario file need what the variant removes."""
    (folder / "v.rules").write_text('edition 1\nvariant v "V" of base\nremove effect score\n', encoding="utf-8")
    answer = run("test", str(folder / "v.rules"), "--no-games")
    assert answer.code == 0
    assert 'different "two points", base.rules:10: no longer compiles' in answer.out
    assert 'helped "four points", v.rules:3: no longer compiles: `score` is removed and still used' in answer.out


def test_one_scenario_alone_compares_nothing(run: Any, folder: Path) -> None:
    answer = run("test", str(folder / "v.rules"), "--only", "own")
    assert answer.out == "1 passed, 0 failed\n"


def test_the_base_has_no_differences(run: Any, folder: Path) -> None:
    answer = run("test", str(folder / "base.rules"), "--no-games")
    assert "builds on" not in answer.out
    assert "4 passed, 1 failed" in answer.out


def test_other_commands_take_a_variant(run: Any, folder: Path) -> None:
    path = str(folder / "v.rules")
    assert run("check", path).out == "v.rules: no errors\n"
    assert run("draw", path).code == 0
    assert run("simulate", path, "--games", "3").code == 0


def test_other_commands_take_a_shipped_variant(run: Any, folder: Path) -> None:
    assert "vienna_house" in run("check", "no_such_game").err
    assert run("check", "vienna_house").out == "vienna_house.rules: no errors\n"
    assert "place" in run("draw", "vienna_house").out


def test_helpers_that_do_not_fit_spoil_only_what_uses_them(run: Any, folder: Path) -> None:
    """The effect `lose_one` is gone: what calls it, through whatever helpers, no longer compiles; the rest is run."""
    helpers = """edition 1
variant base_scenarios "Scenarios" of base
effect down { do lose_one }
effect up_and_down { do score   do down }
effect twice { do score   do score }
scenario helped "four points" { players A, B   play twice as A {}   then A.points is 4 }
scenario back "one point" { players A, B   play up_and_down as A {}   then A.points is 1 }
scenario still "none" { players A, B   play still_nothing {}   then A.points is 0 }
effect still_nothing { nothing }
"""
    (folder / "base_scenarios.rules").write_text(helpers, encoding="utf-8")
    answer = run("test", str(folder / "v.rules"), "--no-games")
    assert answer.code == 0
    assert "4 of 7 scenarios of what v builds on are different:" in answer.out
    assert 'helped "four points", base_scenarios.rules:6: this does not hold; A.points is 6' in answer.out
    assert 'back "one point"' in answer.out
    assert "no longer compiles: `lose_one` is removed and still used, in `down`" in answer.out
    assert "still" not in answer.out.replace("still used", "")
