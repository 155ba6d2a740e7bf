"""A position of a recorded game: the state before one of its decisions."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from regelwerk.tools.arguments import CommandFailure, UsageFailure

if TYPE_CHECKING:
    from regelwerk.interpreter.api import Game, State
    from regelwerk.interpreter.replays import Replay


LAST = "the end of the record; of a game that is over, its last decision"


def add_position(parser: argparse.ArgumentParser, default: str = LAST) -> None:
    """The arguments FILE, REPLAY and --at."""
    parser.add_argument(
        "file", metavar="FILE", help="the rules: a file, or the name of a game that comes with regelwerk"
    )
    parser.add_argument("replay", metavar="REPLAY", help="a record that `play --record` wrote")
    add_at(parser, default)


def add_at(parser: argparse.ArgumentParser, default: str = LAST) -> None:
    """The argument --at."""
    parser.add_argument(
        "--at",
        metavar="N",
        type=int,
        help=f"the position before decision N, counted from 1 (default: {default})",
    )


def position(game: Game, replay: Replay, at: int | None, to_the_end: bool = False) -> State:
    """The state before decision `at` (None: where the record ends; if the game is over there, before its last
    decision, unless it is wanted `to_the_end`)."""
    from regelwerk.interpreter.replays import ReplayError

    total = sum(entry[0] != "~" for entry in replay.entries)
    if at is not None and not 1 <= at <= total + 1:
        raise UsageFailure(f"`--at {at}`: the record has {total} decisions, so N goes from 1 to {total + 1}")
    wanted = total if at is None else at - 1
    made, before = 0, None
    state: State | None = None
    try:
        for words, state, _ in replay.walk(game, "reference"):
            made += bool(words)
            if state.status == "chance":
                continue
            if at is not None and made == wanted:
                return _going_on(state)
            if at is None and not to_the_end and made == total - 1:
                before = state.clone()
    except ReplayError as error:
        raise CommandFailure(str(error)) from error
    assert state is not None  # a record begins with a state
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
