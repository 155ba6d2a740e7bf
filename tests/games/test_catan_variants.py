"""The variants of Catan: random games, replays and saves, and what they change of the base."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from regelwerk.dsl.diagnostics import render
from regelwerk.interpreter.api import Game, Replay, State
from regelwerk.interpreter.layers import shipped_games
from regelwerk.interpreter.loading import Checked, check_path
from regelwerk.interpreter.scenario_differences import differences

VARIANTS = ["catan_austria", "vienna_meets_catan"]
CAUSES = {"catan_austria": {"reached", "full_board"}, "vienna_meets_catan": {"game_end_card", "out_of_pieces", "cap"}}
LEFT_ALONE = {
    "catan_austria": [
        *("CS_08_many", "CS_09_nobody", "CS_10", "CS_10_accepted", "CS_10_dropped", "CS_10_too_dear"),
        *("CS_11", "CS_16_roads", "CS_17", "CS_17_kinds", "CS_18", "CS_18_none"),
        *("CS_19", "CS_19_last", "CS_20", "CS_20_nothing", "CS_21", "CS_21_first"),
        *("CS_28", "CS_28_order", "CS_30_knight_first", "CS_31_nine", "CS_33", "turn_limit"),
    ],
    "vienna_meets_catan": [
        *("CS_08_many", "CS_10", "CS_10_accepted", "CS_10_dropped", "CS_10_too_dear", "CS_11"),
        *("CS_17_kinds", "CS_19", "CS_19_last", "CS_20", "CS_20_nothing", "CS_28"),
        *("CS_28_order", "CS_31_nine", "CS_33"),
    ],
}
"""Scenarios of the base that must come out as they are: they speak of nothing that the variant changes."""


@cache
def checked(name: str) -> Checked:
    return check_path(shipped_games()[name])


@cache
def game(name: str) -> Game:
    found = checked(name)
    assert found.game is not None, "\n".join(render(each, found.sources) for each in found.diagnostics)
    return Game(found.game, found.diagnostics, found.sources)


def played(name: str, players: int, seed: int, decisions: int = 100000) -> State:
    random, state = Random(seed), game(name).new(players=players, seed=seed)
    while (decision := state.decision) is not None and state.decisions < decisions:
        state.step(random.choice(decision.options))
    return state


@pytest.mark.parametrize("name", VARIANTS)
def test_it_stands_in_a_folder_of_its_own(name: str) -> None:
    """Its base is found among the shipped games."""
    assert shipped_games()[name].parent.name == name
    assert checked(name).diagnostics == ()
    assert any(path.endswith("catan.rules") for path in checked(name).sources)


@pytest.mark.parametrize("name", VARIANTS)
def test_what_speaks_of_nothing_that_is_changed_comes_out_the_same(name: str) -> None:
    found = list(differences(checked(name)))
    assert len(found) > 70
    assert sorted(each.name for each in found if each.same) == sorted(LEFT_ALONE[name])
    assert all(each.same or each.message for each in found)


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("players", [3, 4])
def test_random_games_keep_the_invariants_and_end(name: str, players: int) -> None:
    random, state = Random(players), game(name).new(players, players, {"offers_per_turn": "0"})
    while state.status == "decision":
        if state.decisions % 7 == 0:
            assert state.violated_invariants() == ()
        state.step_raw(random.choice(state.raw_options))
    assert state.violated_invariants() == ()
    assert state.outcome is not None
    assert state.outcome.cause in CAUSES[name]


@pytest.mark.parametrize("name", VARIANTS)
def test_replays_and_saves(name: str) -> None:
    state = played(name, 3, 2, 600)
    again = Replay.parse(state.replay().text()).run(game(name))
    assert (again.decision, again.view()) == (state.decision, state.view())
    assert game(name).restore(state.save()) == state
