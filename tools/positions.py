"""A position of a recorded game: the state before one of its decisions."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from regelwerk.tools.arguments import CommandFailure, UsageFailure

if TYPE_CHECKING:
    from regelwerk.interpreter.api import Game, State
    from regelwerk.interpreter.replays import Replay


def add_position(parser: argparse.ArgumentParser) -> None:
    """The arguments FILE, REPLAY and --at."""
    parser.add_argument(
        "file", metavar="FILE", help="the rules: a file, or the name of a game that comes with regelwerk"
    )
    parser.add_argument("replay", metavar="REPLAY", help="a record that `play --record` wrote")
    add_at(parser)


def add_at(parser: argparse.ArgumentParser) -> None:
    """The argument --at."""
    parser.add_argument(
        "--at",
        metavar="N",
        type=int,
        help="the position before decision N, counted from 1 (default: the end of the record; of a game that is over, "
        "its last decision)",
    )


def position(game: Game, replay: Replay, at: int | None, seen: Callable[[State], None] = lambda state: None) -> State:
    """The state before decision `at` (None: where the record ends; if the game is over there, before its last
    decision). `seen` is called with the state at the start and after each entry of the record up to there."""
    from regelwerk.interpreter.replays import ReplayError

    total = sum(entry[0] != "~" for entry in replay.entries)
    if at is not None and not 1 <= at <= total + 1:
        raise UsageFailure(f"`--at {at}`: the record has {total} decisions, so N goes from 1 to {total + 1}")
    wanted = total if at is None else at - 1
    made, before = 0, None
    try:
        for words, state, _ in replay.walk(game, "reference"):
            made += bool(words)
            seen(state)
            if state.status == "chance":
                continue
            if at is not None and made == wanted:
                return _going_on(state)
            if at is None and made == total - 1:
                before = state.clone()
    except ReplayError as error:
        raise CommandFailure(str(error)) from error
    if at is None and state.status == "over" and before is not None:
        return _going_on(before)
    return _going_on(state)


def _going_on(state: State) -> State:
    """The generator answers for nature from here on."""
    from regelwerk.interpreter import layout as la

    state.image.w[la.EXPLICIT] = 0
    return state


def seat_number(state: State, name: str | None) -> str | None:
    """A seat by its name or number; `UsageFailure` if there is none."""
    if name is None:
        return None
    for number, seat in enumerate(state.seats, 1):
        if name.casefold() == seat.casefold() or name == str(number):
            return seat
    raise UsageFailure(f"`--seat {name}`: there is no such seat (seats: {', '.join(state.seats)})")


__all__ = ["add_at", "add_position", "position", "seat_number"]
