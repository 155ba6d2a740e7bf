"""What runs in games is counted by its address, once for each time; nothing of it changes a game."""

from __future__ import annotations

from pathlib import Path

import pytest

from regelwerk.interpreter.answers import UsageError
from regelwerk.interpreter.api import Game, State, load
from regelwerk.interpreter.coverage import Coverage

PATH = Path(__file__).resolve().parent / "games" / "counted.rules"

ONE_GAME = {
    "setup": 1,
    "setup.deal": 1,
    "setup.welcome": 1,
    "Card.plain.at_once": 1,  # an effect without a decision
    "Card.chooser.at_once": 1,  # and one with it
    "game": 1,  # a phase is activated once, however often it goes round
    "game.round": 2,
    "game.round.dawn": 2,
    "rain_on_all": 2,
    "rain": 2,  # Ben's alone: the Warden replaces Ann's
    "Card.warden.does": 2,  # two rules in one cell, each of them twice
    "game.round.moves": 2,
    "buy": 2,
    "Card.helper.does": 2,  # waives what Ann lacks
    "Card.dealer.does": 2,  # makes her price less; its other rule never runs
    "rob": 2,
    "buy_anyway": 2,
    "game.round.dusk": 2,
    "sell": 4,
    "Card.plain.fine": 2,  # tests that came out as yes; the Dealer's never does
    "Card.chooser.fine": 2,
    "Card.chooser.does": 2,  # after Ann's sales, not after Ben's
}


def played(game: Game, options: dict[str, str]) -> State:
    state = game.new(2, 1, options)
    while state.status == "decision":
        assert len(state.raw_options) == 1
        state.step(0)
    return state


def test_everything_that_ran_is_counted() -> None:
    game = load(PATH)
    game.coverage = Coverage()
    played(game, {})
    assert game.coverage.by_address(game.address) == ONE_GAME


def test_games_add_up_and_another_option_counts_too() -> None:
    game = load(PATH)
    game.coverage = Coverage()
    played(game, {})
    played(game, {"long": "yes"})
    twice = {address: 2 * count for address, count in ONE_GAME.items()}
    assert game.coverage.by_address(game.address) == {**twice, "night": 1, "night.sleep": 1}


def test_counting_changes_nothing() -> None:
    plain, counted = load(PATH), load(PATH)
    counted.coverage = Coverage()
    assert played(plain, {}).save() == played(counted, {}).save()


def test_what_is_not_asked_for_is_not_compiled_in() -> None:
    game = load(PATH)
    before = game.program(2, None, {})
    assert before.coverage is None
    game.coverage = Coverage()
    assert game.program(2, None, {}) is not before
    game.coverage = None
    assert game.program(2, None, {}) is before


def test_only_the_reference_counts() -> None:
    game = load(PATH)
    game.coverage = Coverage()
    with pytest.raises(UsageError, match="counted on the backend `reference`"):
        game.new(2, 1, backend="wasm")
    assert played(game, {}).status == "over"
    assert game.coverage.by_address(game.address) == ONE_GAME
