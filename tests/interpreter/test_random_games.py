"""Random games of Vienna under all invariants. REGELWERK_RANDOM_GAMES says how many for each number of players."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.interpreter.games_for_tests import game, random_game

GAMES = int(os.environ.get("REGELWERK_RANDOM_GAMES", "4"))


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("seed", range(GAMES))
def test_vienna(players: int, seed: int) -> None:
    """No fault, no broken invariant; at each moment somebody can act, until it is over and somebody has won."""
    last, decisions = None, 0
    for last in random_game("vienna", seed, players, 20_000):
        assert last.violated_invariants() == ()
        assert last.status in ("decision", "over")
        if last.decision is not None:
            decisions += 1
            assert last.actor in last.seats
            assert last.decision.actor == last.actor
            assert len(last.decision.options) >= 1
            assert last.decisions == decisions - 1
    assert last is not None
    assert last.status == "over"
    outcome = last.outcome
    assert outcome is not None
    assert sorted(seat for group in outcome.ranking for seat in group) == sorted(last.seats)
    if outcome.finished:
        assert outcome.cause == "target_reached"
        assert outcome.winners == outcome.ranking[0]
    else:
        assert outcome.cause == "cap"
        assert outcome.winners == ()


@pytest.mark.parametrize("name", ["secrets", "dice"])
@pytest.mark.parametrize("seed", range(10))
def test_tiny_games(name: str, seed: int) -> None:
    for players in game(name).players:
        last = None
        for last in random_game(name, seed, players):
            assert last.violated_invariants() == ()
        assert last is not None
        assert last.status == "over"
        assert last.outcome is not None
        assert last.outcome.winners
