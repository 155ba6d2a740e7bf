"""Recorded games of Catan and its variants end as they did, and their points are what lies on the table."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import regelwerk
from regelwerk.interpreter.api import Game, State

RECORDS = Path(__file__).parent / "records"
ENDS = {
    "catan_3": (708, "reached", ("A",), (10, 2, 2)),
    "catan_4": (812, "reached", ("D",), (5, 3, 4, 10)),
    "catan_4_random": (1048, "reached", ("C",), (2, 5, 11, 2)),
    "catan_austria_3": (854, "full_board", ("B",), (7, 11, 2)),
    "catan_austria_4": (840, "full_board", ("C",), (2, 6, 14, 2)),
    "vienna_meets_catan_3": (706, "game_end_card", ("A",), (9, 8, 8.5)),
    "vienna_meets_catan_4": (987, "out_of_pieces", ("B",), (6, 18.5, 3, 5)),
}
"""Of each recorded game: decisions, how it ended, who won, the points in seat order."""

STATES = {  # points of the cards of Catan Austria
    **dict.fromkeys(["Niederösterreich", "Oberösterreich", "Steiermark", "Tirol"], 2),
    **dict.fromkeys(["Wien", "Burgenland", "Kärnten", "Salzburg", "Vorarlberg"], 1),
}


@cache
def game(name: str) -> Game:
    return regelwerk.load(name)


def of(record: str) -> str:
    return next(name for name in ("catan_austria", "vienna_meets_catan", "catan") if record.startswith(name))


def on_the_table(state: State, seat: str) -> float:
    """What a seat has, counted from the things that lie there."""
    view = state.view(seat)
    stands = [thing for zone in view.zones if zone.name == "building" for thing in zone.things or ()]
    points: float = sum({"settlement": 1, "city": 2}[each.name] for each in stands if each.owner == seat)
    held = [thing.name for zone in view.zones if zone.holder == seat for thing in zone.things or ()]
    points += held.count("Victory Point")
    points += sum(0.5 for name in held if name.endswith(", half a point")) + sum(
        1 for name in held if name.endswith(", 1 point")
    )
    for title in view.titles:
        if title.holder == seat:
            points += 2 if title.key is None else STATES[title.key]
    return points


@pytest.mark.parametrize("record", list(ENDS))
def test_a_recorded_game_ends_as_it_did(record: str) -> None:
    text = (RECORDS / f"{record}.replay").read_text(encoding="utf-8")
    state = game(of(record)).replay(text)
    outcome = state.outcome
    assert outcome is not None
    points = {seat: sum(line.values[seat] for line in outcome.lines) for seat in state.seats}
    found = (state.decisions, outcome.cause, outcome.winners, tuple(points[seat] for seat in state.seats))
    assert found == ENDS[record]
    assert points == {seat: on_the_table(state, seat) for seat in state.seats}
    assert state.violated_invariants() == ()
    assert state.replay().text() == text.replace(text.splitlines()[1], f"game {of(record)} {game(of(record)).hash}")


def test_there_is_a_record_for_all_numbers_of_players() -> None:
    for name in ("catan", "catan_austria", "vienna_meets_catan"):
        assert {f"{name}_{players}" for players in game(name).players} <= set(ENDS)
