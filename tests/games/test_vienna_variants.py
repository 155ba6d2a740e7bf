"""The three variants of Vienna: their scenarios, random games, replays and saves, and what they change of the base."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import pytest

from regelwerk.dsl.diagnostics import render
from regelwerk.interpreter.api import Game, Replay, State
from regelwerk.interpreter.layers import shipped_games
from regelwerk.interpreter.loading import Checked, check_path
from regelwerk.interpreter.scenario_differences import differences
from regelwerk.interpreter.scenarios import run_scenario

FOLDER = shipped_games()["vienna"].parent
VARIANTS = ["vienna_both", "vienna_danube", "vienna_house"]
SCENARIOS = [
    (name, line.split()[1])
    for name in VARIANTS
    for line in (FOLDER / f"{name}_scenarios.rules").read_text(encoding="utf-8").splitlines()
    if line.startswith("scenario ")
]

CHANGED_BY_THE_HOUSE = {
    "VS_11": "the way back over six houses costs two coins",
    "VS_25a": "the town hall gives five points",
    "VS_25c": "the town hall gives five points",
    "VP_05": "the way back over six houses costs two coins",
    "VP_07": "the way back over six houses costs two coins",
}
"""The scenarios of the base that come out differently with an honest coachman, and why."""


@cache
def checked(name: str) -> Checked:
    return check_path(FOLDER / f"{name}.rules")


@cache
def game(name: str) -> Game:
    found = checked(name)
    assert found.game is not None, "\n".join(render(each, found.sources) for each in found.diagnostics)
    return Game(found.game, found.diagnostics, found.sources)


def played(name: str, players: int, seed: int) -> State:
    random, state = Random(seed), game(name).new(players=players, seed=seed)
    while (decision := state.decision) is not None:
        state.step(random.choice(decision.options))
    return state


def test_they_are_shipped() -> None:
    names = [name for name, path in shipped_games().items() if path.parent == FOLDER]
    assert names == ["vienna", *VARIANTS]


@pytest.mark.parametrize("name", VARIANTS)
def test_nothing_is_found(name: str) -> None:
    assert checked(name).diagnostics == ()
    assert checked(f"{name}_scenarios").diagnostics == ()


@pytest.mark.parametrize(("name", "scenario"), SCENARIOS, ids=[f"{name}-{scenario}" for name, scenario in SCENARIOS])
def test_scenario(name: str, scenario: str) -> None:
    found = checked(f"{name}_scenarios")
    assert found.checker is not None
    made = next(each for each in found.checker.checked_scenarios if each.name == scenario)
    result = run_scenario(found, made)
    assert result.passed, (result.message, *result.detail)


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("players", [3, 4, 5])
def test_random_games_end(name: str, players: int) -> None:
    state = played(name, players, 7)
    assert state.status == "over"
    assert state.violated_invariants() == ()


@pytest.mark.parametrize("name", VARIANTS)
def test_replays_and_saves(name: str) -> None:
    state = played(name, 3, 2)
    replay = Replay.parse(state.replay().text())
    assert (replay.game, replay.hash) == (name, game(name).hash)
    again = replay.run(game(name))
    assert (again.status, again.outcome, again.view()) == (state.status, state.outcome, state.view())
    assert game(name).restore(state.save()).outcome == state.outcome


def test_each_is_a_game_of_its_own() -> None:
    hashes = {name: game(name).hash for name in ["vienna", *VARIANTS]}
    assert len(set(hashes.values())) == 4


def test_the_order_behind_with_changes_nothing(tmp_path: Path) -> None:
    text = (FOLDER / "vienna_both.rules").read_text(encoding="utf-8")
    changed = text.replace("with vienna_house, vienna_danube", "with vienna_danube, vienna_house")
    assert changed != text
    other = tmp_path / "vienna_both.rules"
    other.write_text(changed, encoding="utf-8")
    found = check_path(other)
    assert found.game is not None
    assert found.game.source_hash == game("vienna_both").hash


def test_what_the_house_changes() -> None:
    found = [each for each in differences(checked("vienna_house")) if not each.same]
    assert sorted(each.name for each in found) == sorted(CHANGED_BY_THE_HOUSE)
    assert all(each.compiles for each in found)
