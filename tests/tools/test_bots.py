"""Bots: deterministic, blind to the future, and the greedy one better than chance."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import regelwerk
from regelwerk.tools.bots import KINDS, SAMPLE, Bot, GreedyBot, Stream, make_bot


def _play(game: regelwerk.Game, seed: int, kinds: tuple[str, ...]) -> regelwerk.State:
    state = game.new(len(kinds), seed)
    bots = [make_bot(kind, seed, seat) for seat, kind in enumerate(kinds, 1)]
    while state.status == "decision":
        state.step(bots[state.seats.index(state.actor or "")].choose(state))
    return state


@pytest.fixture(scope="module")
def dice() -> regelwerk.Game:
    return regelwerk.load(Path(__file__).parent / "games" / "dice.rules")


@pytest.fixture(scope="module")
def race() -> regelwerk.Game:
    return regelwerk.load(Path(__file__).parent / "games" / "race.rules")


def _split_mix(state: int) -> Iterator[int]:
    """SplitMix64 as published, written out once more."""
    while True:
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) % 2**64
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) % 2**64
        yield z ^ (z >> 31)


def test_the_stream_is_the_documented_one() -> None:
    def mix(value: int) -> int:
        return next(_split_mix((value - 0x9E3779B97F4A7C15) % 2**64))

    seed, seat = 12345, 3
    expected = _split_mix(mix((mix(seed) + seat * 0x632BE59BD9B4E019) % 2**64))
    stream = Stream(seed, seat)
    assert [stream.bits() for _ in range(5)] == [next(expected) for _ in range(5)]
    assert stream.below(1) == 0  # takes nothing
    assert stream.bits() == next(expected)


def test_seats_and_games_have_streams_of_their_own() -> None:
    firsts = {Stream(seed, seat).bits() for seed in range(20) for seat in range(1, 6)}
    assert len(firsts) == 100
    assert Stream(-1, 1).bits() == Stream(2**64 - 1, 1).bits()


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_gives_the_same_game(dice: regelwerk.Game, kind: str) -> None:
    games = [_play(dice, 11, (kind, kind, kind)).replay().text() for _ in range(2)]
    assert games[0] == games[1]
    assert games[0].partition("\n~")[2] != _play(dice, 12, (kind, kind, kind)).replay().text().partition("\n~")[2]


def test_random_takes_every_option_about_as_often(race: regelwerk.Game) -> None:
    state = race.new(2)
    taken = [make_bot("random", seed, 1).choose(state) for seed in range(400)]
    assert 150 < taken.count(0) < 250  # 5 standard deviations of a fair coin
    assert set(taken) == {0, 1}


def test_greedy_always_walks_as_far_as_it_can(race: regelwerk.Game) -> None:
    state = _play(race, 5, ("greedy", "random"))
    assert state.outcome is not None
    assert "Ann" in state.outcome.winners
    assert state.outcome.keys["Ann"][0] == ("paces", 10)  # 5 rounds of 2
    assert state.decisions == 10


def test_greedy_beats_random(dice: regelwerk.Game) -> None:
    won = {"greedy": 0.0, "random": 0.0}
    for seed in range(60):
        kinds = ("greedy", "random") if seed % 2 else ("random", "greedy")
        outcome = _play(dice, seed, kinds).outcome
        assert outcome is not None
        for winner in outcome.winners:
            won[kinds["AB".index(winner)]] += 1 / len(outcome.winners)
    assert won["greedy"] > won["random"]


@pytest.mark.parametrize("kind", KINDS)
def test_choosing_changes_nothing(dice: regelwerk.Game, kind: str) -> None:
    state = dice.new(2, 3)
    before, bot = state.save(), make_bot(kind, 3, 1)
    bot.choose(state)
    assert state.save() == before


def test_greedy_does_not_see_the_future(dice: regelwerk.Game) -> None:
    """Whatever the generator would throw next, the bot decides the same: it must not have looked."""
    state = dice.new(2, 3)
    choices = set()
    for stream in range(30):
        copy = state.clone()
        offset = copy.program.layout.stream_offset
        copy.image.b[offset : offset + 8] = Stream(stream, 1).bits().to_bytes(8, "little")
        bot: Bot = GreedyBot(99, 1)
        choices.add(tuple(bot.choose(copy) for _ in range(10)))
    assert len(choices) == 1


def test_greedy_looks_at_a_sample_of_many_options(tmp_path: Path) -> None:
    path = tmp_path / "many.rules"
    path.write_text(
        'edition 1\ngame many "Many" { players 1..1 }\n'
        "track point/points per player: 0..500 overflow lost\n"
        "phase game for p in players acting p { offer take_some }\n"
        'action take_some(n in 1..200) "Take" { effect { gain n points } }\n'
        'rank winner by me.points "points" then shared\n',
        encoding="utf-8",
    )
    state = regelwerk.load(path).new(1)
    chosen = [GreedyBot(seed, 1).choose(state) for seed in range(50)]
    assert len(state.raw_options) == 200
    # The best of 40 drawn from 1 to 200 is 40/41 * 201 = 196 in the mean, with a deviation of 5; indices count from 0.
    assert SAMPLE == 40
    assert sum(chosen) / len(chosen) > 188
    assert min(chosen) < 199
