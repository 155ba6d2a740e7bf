"""Players who decide together: any order of answers gives the same bytes, at every point, and so does a replay."""

from __future__ import annotations

import sys
from itertools import permutations
from pathlib import Path
from random import Random

import pytest

from regelwerk.interpreter.api import Game, NotAnOption, State, UsageError, load

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def game() -> Game:
    return load(ROOT / "tests" / "conformance" / "together.rules")


def answer(state: State, seat: str, number: int) -> None:
    decision = state.decision_of(seat)
    assert decision is not None
    assert decision.actor == seat
    state.step(decision.options[number % len(decision.options)], seat)


def test_the_order_of_answers_does_not_show(game: Game) -> None:
    start = game.new(3, 5)
    seats = start.actors
    assert seats == ("Ann", "Ben", "Cem")
    numbers = {"Ann": 3, "Ben": 0, "Cem": 5}
    ends, halves = [], []
    for order in permutations(seats):
        state = start.clone()
        for count, seat in enumerate(order):
            assert state.actors == tuple(each for each in seats if each not in order[:count])
            assert state.actor == state.actors[0]
            answer(state, seat, numbers[seat])
            if count == 1:
                halves.append((frozenset(order[:2]), bytes(state.image.b)))
        ends.append(state)
    assert all(each == ends[0] for each in ends)
    assert len({each for each, _ in halves}) == 3
    assert len(set(halves)) == 3  # the same two answers in either order


@pytest.mark.parametrize("seed", range(4))
def test_a_replay_keeps_the_order_in_which_they_answered(game: Game, seed: int) -> None:
    random = Random(seed)
    state = game.new(4, seed)
    while state.status == "decision":
        answer(state, random.choice(state.actors), random.randrange(100))
    again = game.replay(state.replay().text())
    assert bytes(again.image.b) == bytes(state.image.b)
    assert again.recording == state.recording


def test_a_save_in_the_middle(game: Game) -> None:
    state = game.new(3, 1)
    answer(state, "Cem", 2)
    again = game.restore(state.save())
    assert again == state
    assert again.actors == ("Ann", "Ben")
    for each in (state, again):
        answer(each, "Ben", 1)
        answer(each, "Ann", 4)
    assert again == state


def test_only_those_who_are_asked_may_answer(game: Game) -> None:
    state = game.new(3, 1)
    answer(state, "Ben", 2)
    before = state.save()
    assert state.decision_of("Ben") is None
    with pytest.raises(NotAnOption):
        state.step(0, "Ben")
    with pytest.raises(UsageError):
        state.step(0, "Nobody")
    with pytest.raises(NotAnOption):
        state.step("bid 99", "Cem")
    assert state.save() == before


def test_sealed_answers_show_in_no_view(game: Game) -> None:
    start = game.new(3, 1)
    seen = []
    for number in (0, 4):
        state = start.clone()
        answer(state, "Ann", number)
        assert state.log == ()
        seen.append([state.view(seat) for seat in (None, *state.seats)])
        seen[-1].append(state.view("Ben"))
        assert state.decision_of("Ben") == start.decision_of("Ben")
    assert seen[0] == seen[1]


def test_refusals_are_those_of_the_seat(game: Game) -> None:
    state = game.new(2, 1)
    assert state.why_not("bid", "0", seat="Ben") == ()
    assert state.refusals("Ben") == state.refusals("Ann")


def test_one_actor_outside_of_such_phases() -> None:
    state = load("vienna").new(3, 1)
    assert state.actors == (state.actor,)
