"""Branches and conditions: which ones ran is known exactly, and nothing of the counting changes a game."""

from __future__ import annotations

from pathlib import Path

import pytest

from regelwerk.interpreter.api import Game, State, load
from regelwerk.interpreter.coverage import NO, YES
from regelwerk.interpreter.loading import check_path
from regelwerk.interpreter.probing import probed
from regelwerk.interpreter.scenarios import run_scenarios

PATH = Path(__file__).resolve().parent / "games" / "branches.rules"
ROOT = Path(__file__).resolve().parents[2]


def first_options(game: Game) -> State:
    state = game.new(2, 1)
    while state.status == "decision":
        state.step(0)
    return state


@pytest.fixture
def counted() -> Game:
    game = load(PATH, "reference")
    game.coverage = probed(game.checked, game.sources)
    first_options(game)
    return game


def text_of(game: Game, start: int, end: int) -> str:
    return next(iter(game.sources.values())).text[start:end]


def test_branches_are_counted_each_time(counted: Game) -> None:
    coverage = counted.coverage
    assert coverage is not None
    found = [
        (counted.address(place.span), place.what, coverage.passed[number])
        for number, place in enumerate(coverage.places)
        if place.kind == "branch" and place.what not in ("case", "else case")
    ]
    assert sorted(found) == sorted(
        [
            ("game.begin", "then", 1),  # early: in the first of three rounds
            ("game.begin", "else", 2),
            ("game.begin", "then", 1),  # r is 2
            ("game.begin", "else", 2),  # ... which has no `else` of its own
            ("game.begin", "for each", 0),  # over nothing
            ("game.begin", "repeat", 4),  # twice in each of the first two rounds
            ("game.turns", "pass", 2),  # in the first round nothing else is offered
            ("gain_all", "everyone", 2),
            ("take", "choose", 4),
            ("take", "may", 4),
            ("take", "no", 0),
            ("take", "option", 4),
            ("take", "option", 0),
        ]
    )


def test_conditions_are_known_by_their_answers(counted: Game) -> None:
    coverage = counted.coverage
    assert coverage is not None
    found = {
        text_of(counted, place.span.start, place.span.end): coverage.noted[number]
        for number, place in enumerate(coverage.places)
        if place.kind == "condition"
    }
    assert found == {
        "round_number < 2": YES | NO,
        "early": YES | NO,
        "r is 2": YES | NO,
        "r < 3": YES | NO,
        "colour is not none": YES | NO,
        "worth(colour) > 5": NO,  # the whole is `or`: its parts are conditions, not itself
        "worth(colour) < 3": YES,
        "me.points > 90": NO,
        "some(p in players where p.coins > 80)": NO,
        "p.coins > 80": NO,
    }


def test_cases_and_values_are_known_when_they_are_asked(counted: Game) -> None:
    coverage = counted.coverage
    assert coverage is not None
    found = {
        (place.what, text_of(counted, place.span.start, place.span.end)): bool(coverage.noted[number])
        for number, place in enumerate(coverage.places)
        if place.kind == "value" or place.what in ("case", "else case")
    }
    assert found == {
        ("", "early"): True,
        ("", "worth"): True,
        ("", "unasked"): False,
        ("case", "1"): False,
        ("case", "2"): True,
        ("else case", "3"): False,
    }


SHIPPED = sorted(path for path in (ROOT / "games").glob("*/*.rules") if "scenarios" not in path.stem)


@pytest.mark.parametrize("path", SHIPPED, ids=[path.stem for path in SHIPPED])
def test_probes_change_no_game(path: Path) -> None:
    plain, watched = load(path, "reference"), load(path, "reference")
    watched.coverage = probed(watched.checked, watched.sources)
    one, other = plain.new(plain.players[-1], 3), watched.new(plain.players[-1], 3)
    for number in range(200):
        if one.status != "decision":
            break
        place = (7 * number + 3) % len(one.raw_options)
        assert one.raw_options == other.raw_options
        one.step_raw(one.raw_options[place])
        other.step_raw(other.raw_options[place])
    assert one.save() == other.save()


CORPUS = sorted((ROOT / "tests" / "conformance").glob("*.rules"))


@pytest.mark.parametrize("path", CORPUS, ids=[path.stem for path in CORPUS])
def test_every_construct_means_the_same_with_probes(path: Path) -> None:
    checked = check_path(path)
    assert checked.game is not None
    assert checked.checker is not None
    coverage = probed(checked.game, checked.sources)
    titles = {each.name: each.title for each in checked.checker.checked_scenarios}
    for result in run_scenarios(checked, coverage=coverage):
        if titles[result.name].startswith("fault "):
            assert result.fault is not None
            assert result.fault.code == titles[result.name].removeprefix("fault ").partition(":")[0]
        else:
            assert result.passed, f"{result.name}: {result.message}"
