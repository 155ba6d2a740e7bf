"""Both backends make the same bytes of every shipped game, with every number of players and several ways of playing.

REGELWERK_LOCKSTEP_GAMES says how many random games each is played (default: 1).
"""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path
from random import Random

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
from tests.interpreter.wasm.lockstep import POLICIES, ROOT, Twins, game_files, play, program_of, same_random_game

from regelwerk.interpreter import layout as la
from regelwerk.interpreter.api import Game, load
from regelwerk.interpreter.backends import ReferenceMachine, compiled

GAMES = int(os.environ.get("REGELWERK_LOCKSTEP_GAMES", "1"))
LONGEST = int(os.environ.get("REGELWERK_LOCKSTEP_DECISIONS", "250"))
FILES = game_files()


@cache
def game(path: Path) -> Game:
    return load(path)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_game_in_lockstep(path: Path) -> None:
    """All numbers of players; the first and the last option always, and random ones."""
    found = game(path)
    for players in found.players:
        program = program_of(found, players)
        for policy in POLICIES:
            for seed in range(GAMES if policy == "random" else 1):
                twins = play(program, seed, policy, LONGEST if policy == "random" else LONGEST // 4)
                assert twins.fault is None, f"{players} players, {policy}: {twins.fault}"
                assert twins.decisions > 0


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_random_players_inside_the_module_play_the_same_games(path: Path) -> None:
    """They choose from a shorter list, in which an entry can stand for many options."""
    found = game(path)
    for players in found.players:
        program = program_of(found, players)
        for seed in range(2 * GAMES):
            assert same_random_game(program, seed, LONGEST).w[la.DECISIONS] > 0


def test_the_shipped_games_are_found() -> None:
    assert {"vienna", "tic_tac_toe", "crazy_eights"} <= {path.stem for path in FILES}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_one_backend_saves_the_other_plays_on(path: Path) -> None:
    """From a save on, both backends play to the same bytes; so do copies of states."""
    found = game(path)
    players = found.players[-1]
    for first, second in (("reference", "wasm"), ("wasm", "reference")):
        state = found.new(players, 5, backend=first)  # type: ignore[arg-type]  # both are backends
        random = Random(5)
        for _ in range(30):
            if state.status != "decision":
                break
            state.step_raw(state.raw_options[random.randrange(len(state.raw_options))])
        other = found.restore(state.save(), backend=second)  # type: ignore[arg-type]  # both are backends
        copy = state.clone()
        assert other.backend == second
        assert copy.backend == first
        assert bytes(other.image.b) == bytes(state.image.b)
        for one in (state, other, copy):
            random = Random(9)
            for _ in range(60):
                if one.status != "decision":
                    break
                one.step_raw(one.raw_options[random.randrange(len(one.raw_options))])
        assert bytes(state.image.b) == bytes(other.image.b) == bytes(copy.image.b)
        assert state.decisions > 0


def test_a_copy_goes_its_own_way() -> None:
    state = load("vienna", "wasm").new(3, 2)
    copy = state.clone()
    before = bytes(copy.image.b)
    state.step_raw(state.raw_options[0])
    assert bytes(copy.image.b) == before
    assert bytes(state.image.b) != before


def test_those_who_decide_together_answer_in_any_order() -> None:
    """Answers of several seats, last seat first."""
    found = load(ROOT / "tests" / "conformance" / "together.rules")
    together = 0
    for players in found.players:
        program = program_of(found, players)
        for seed in range(4):
            twins, random = Twins(program, seed), Random(seed)
            while twins.options:
                from regelwerk.interpreter import machine

                asked = machine.asked(program, twins.one)
                seat = asked[-1]
                together += len(asked) > 1
                site, env = machine.pending(program, twins.one, seat)
                options = site.options(twins.one, env)
                option = options[random.randrange(len(options))]
                twins.decisions += 1
                twins.options = twins._both(lambda runs, m, o=option, s=seat: runs.resume(m, o, s))  # type: ignore[misc]  # bound
            assert twins.fault is None
            assert twins.one.w[la.STATUS] == la.OVER
    assert together > 0


def test_the_listed_options_are_asked_again_alike() -> None:
    program = program_of(load("crazy_eights"), 3)
    image = program.start_image(1)
    native, reference = compiled(program), ReferenceMachine(program)
    options = native.begin(image)
    assert options
    before = bytes(image.b)
    assert native.options(image) == options == reference.options(image)
    assert bytes(image.b) == before
