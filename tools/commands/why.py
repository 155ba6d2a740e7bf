"""`regelwerk why`: why an action is possible or not at a position of a recorded game."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from regelwerk.tools.arguments import OK, load
from regelwerk.tools.findings import shown_path
from regelwerk.tools.positions import add_position, position, seat_number

if TYPE_CHECKING:
    from regelwerk.tools.explanations import Line

DESCRIPTION = """\
Say why an action is possible or not at a position of a recorded game: every clause that has a say (requirements,
costs, limits, rules that forbid or waive), with its address and place, the values of its parts, and the nearest change
that would make it possible. Without VALUES the nearest of all combinations of parameters is shown.
"""

EPILOG = """\
examples:
  regelwerk why mygame.rules game.replay --at 12 visit own.1 town_hall
  regelwerk why mygame.rules game.replay visit               the nearest of all combinations
  regelwerk why mygame.rules game.replay --seat Ben buy_card --format json
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "why",
        help="say why an action is possible or not at a position of a recorded game",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_position(parser)
    parser.add_argument("action", metavar="ACTION", help="the action, by its name in the rules")
    parser.add_argument(
        "values",
        metavar="VALUES",
        nargs="*",
        help="its parameters, as in records or as they are printed; the first few",
    )
    parser.add_argument("--seat", metavar="S", help="for whom: a name or number (default: who decides)")
    parser.add_argument("--all", action="store_true", help="show also what this seat may not know")
    parser.add_argument("--brief", action="store_true", help="unfold only the clauses that refuse it")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="text (default) or JSON")


def run(args: argparse.Namespace) -> int:
    """Explain."""
    from regelwerk.tools.commands.replay import read

    game = load(args.file)
    state = position(game, read(args.replay), args.at)
    seat = seat_number(state, args.seat)
    found = state.explain(args.action, *args.values, seat=seat, everything=args.all)
    from regelwerk.tools.explanations import Writer, place_data

    if args.format == "json":
        from regelwerk.interpreter.explaining.reasons import explanation_data

        data = {"format": 1, "decisions": state.decisions, **explanation_data(found, place_data(game, shown_path))}
        print(json.dumps(data, ensure_ascii=False, indent=2))
        return OK
    writer = Writer(game, has_marks())
    print_lines(writer.explanation(found, not args.brief))
    return OK


def has_marks() -> bool:
    """Whether the output can show the marks."""
    try:
        "✓✗→“·".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def print_lines(lines: Iterator[Line]) -> None:
    """Print an explanation: as wide as the screen, coloured where that is wanted."""
    from regelwerk.tools.commands.play import make_console
    from regelwerk.tools.explanations import wrapped

    console = make_console(False)
    for text in wrapped(lines, console, min(console.width, 140)):
        console.print(text, soft_wrap=True)


__all__ = ["add_parser", "has_marks", "print_lines", "run"]
