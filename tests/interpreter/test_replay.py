"""Replays: written, read and played again; what does not fit is named by its step."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regelwerk.dsl.source import Source
from regelwerk.interpreter.api import Replay, State, load
from regelwerk.interpreter.replays import ReplayError

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.interpreter.games_for_tests import HERE, NAMES, game, random_game


def last_of(name: str, seed: int) -> State:
    *_, last = random_game(name, seed)
    return last


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(3))
def test_round_trip(name: str, seed: int) -> None:
    state = last_of(name, seed)
    text = state.replay().text()
    replay = Replay.parse(text)
    assert replay == state.replay()
    assert replay.text() == text
    again = game(name).replay(text)
    assert (again.status, again.outcome) == (state.status, state.outcome)
    for seat in (None, *state.seats):
        assert again.view(seat) == state.view(seat)
    assert again.replay().text() == text


@pytest.mark.parametrize("name", NAMES)
def test_a_game_in_the_middle(name: str) -> None:
    for number, state in enumerate(random_game(name, 5)):
        if number % 9 == 4:
            again = game(name).replay(state.replay().text())
            assert again.decision == state.decision
            assert again.view(state.seats[0]) == state.view(state.seats[0])


def test_the_states_of_a_replay() -> None:
    texts, last = [], None
    for last in random_game("dice", 2, 2):
        texts.append(repr(last.view()))
    assert last is not None
    states = last.replay().states(game("dice"))
    assert [repr(each.view()) for each in states] == texts


def test_options_and_seats_are_kept() -> None:
    vienna = game("vienna")
    state = vienna.new(seed=3, options={"side": "night", "first_player": "Max"}, seats=["Eva", "Max", "Ida"])
    state.step(0)
    again = vienna.replay(state.replay().text())
    assert again.seats == ("Eva", "Max", "Ida")
    assert again.chosen_options == state.chosen_options
    assert again.decision == state.decision


def test_unicode_line_ends_and_blank_lines() -> None:
    text = last_of("dice", 1).replay().text()
    assert Replay.parse(text.replace("\n", "\r\n")) == Replay.parse(text)
    assert Replay.parse(text.replace("\n", "\n\n")) == Replay.parse(text)


def changed_dice(old: str, new: str) -> str:
    text = (HERE / "dice.rules").read_text(encoding="utf-8")
    assert old in text
    return text.replace(old, new)


def test_changed_rules_that_still_fit_are_played() -> None:
    changed = load(Source("dice.rules", changed_dice('"Dice"', '"Other dice"')))
    state = last_of("dice", 1)
    again = changed.replay(state.replay().text())
    assert again.outcome == state.outcome


def test_changed_rules_name_the_step() -> None:
    state = game("dice").new(2, 1)
    state.step(0)
    state.step("done")
    replay = state.replay()
    changed = load(Source("dice.rules", changed_dice("until done", "until count_done")
                          .replace("action keep(", 'action count_done "No more" { effect { nothing } }\naction keep(')
                          .replace('until count_done "Enough"', ", count_done until count_done")
                          .replace("throw_again ,", "throw_again,")))  # fmt: skip
    with pytest.raises(ReplayError) as refused:
        replay.run(changed)
    step = refused.value.step
    assert replay.entries[step - 1] == ("Ann", "done")
    assert f"step {step}" in str(refused.value)
    assert "the rules have changed" in str(refused.value)


def test_another_game_is_refused() -> None:
    with pytest.raises(ReplayError):
        game("secrets").replay(game("dice").new(2, 1).replay().text())


@pytest.mark.parametrize("place", [0, 1, 2, -1])
def test_a_wrong_step_is_named(place: int) -> None:
    lines = last_of("dice", 1).replay().text().splitlines()
    head = next(k for k, line in enumerate(lines) if line.startswith("seed ")) + 1
    entries = len(lines) - head
    number = place % entries
    actor = lines[head + number].partition(":")[0]
    lines[head + number] = "~ 9 9 9" if actor.startswith("~") else f"{actor}: fly away"
    with pytest.raises(ReplayError) as refused:
        game("dice").replay("\n".join(lines))
    assert refused.value.step == number + 1


def test_an_entry_too_many() -> None:
    text = last_of("dice", 1).replay().text()
    for more in ("Ann: done", "~ 1"):
        with pytest.raises(ReplayError):
            game("dice").replay(text + more + "\n")


GARBAGE = [
    "",
    "\n",
    "regelwerk replay 2\n",
    "regelwerk replay 1",
    "regelwerk replay 1\ngame dice",
    "regelwerk replay 1\ngame dice 0\nseats\nseed 1",
    "regelwerk replay 1\ngame dice 0\nseats Ann Bob",
    "regelwerk replay 1\ngame dice 0\nseats Ann Bob\nseed",
    "regelwerk replay 1\ngame dice 0\nseats Ann Bob\nseed x",
    "regelwerk replay 1\ngame dice 0\nseats Ann Bob\nseed 1 2",
    "regelwerk replay 1\ngame dice 0\nseats Ann Ann\nseed 1",
    "regelwerk replay 1\ngame dice 0\nseats A B C D E F G\nseed 1",
    "regelwerk replay 1\ngame dice 0\nseats Ann Bob\noption colour red\nseed 1",
    "regelwerk replay 1\ngame dice 0\nseats Ann Bob\nseed 1\nthis is nothing",
    "regelwerk replay 1\ngame dice 0\nseats Ann Bob\nseed 1\n~",
    "regelwerk replay 1\ngame dice 0\nseats Ann Bob\nseed 1\n~ x y z",
    "regelwerk replay 1\ngame dice 0\nseats Ann Bob\nseed 1\nEve: done",
    "\ud800",
    "\0" * 100,
]


@pytest.mark.parametrize("text", GARBAGE, ids=range(len(GARBAGE)))
def test_garbage_is_refused(text: str) -> None:
    with pytest.raises(ReplayError) as refused:
        game("dice").replay(text)
    assert str(refused.value)


def test_long_replays_are_refused() -> None:
    with pytest.raises(ReplayError):
        game("dice").replay("regelwerk replay 1\n" + "x" * 5_000_000)


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_damaged_replays_never_give_a_traceback(data: st.DataObject) -> None:
    text = last_of("dice", 4).replay().text()
    place = data.draw(st.integers(0, len(text) - 1))
    length = data.draw(st.integers(0, 20))
    damaged = text[:place] + data.draw(st.text(max_size=10)) + text[place + length :]
    try:
        state = game("dice").replay(damaged)
    except ReplayError:
        return
    assert state.status in ("decision", "chance", "over")


@settings(max_examples=100, deadline=None)
@given(st.text())
def test_any_text(text: str) -> None:
    with pytest.raises(ReplayError):
        game("dice").replay(text)
