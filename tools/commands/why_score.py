"""`regelwerk why-score`: where the points of a player come from, at a position of a recorded game."""

from __future__ import annotations

import argparse
import json

from regelwerk.tools.arguments import OK, load
from regelwerk.tools.findings import shown_path
from regelwerk.tools.positions import add_position, position, seat_number

DESCRIPTION = """\
Say where points come from: every gain and loss of what players are ranked by, with its decision, its clause and its
place, and the lines of the scores with the values they are made of. What is listed adds up to the points exactly.
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "why-score",
        help="say where the points of a record come from",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_position(parser, "the end of the record")
    parser.add_argument("--seat", metavar="S", help="whose points: a name or number (default: those of all)")
    parser.add_argument("--all", action="store_true", help="show also what this seat may not know")
    parser.add_argument("--brief", action="store_true", help="do not unfold how the numbers came about")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="text (default) or JSON")


def run(args: argparse.Namespace) -> int:
    """Explain the points."""
    from regelwerk.tools.commands.replay import read
    from regelwerk.tools.commands.why import has_marks, print_lines
    from regelwerk.tools.explanations import Writer, place_data

    game = load(args.file)
    state = position(game, read(args.replay), args.at, to_the_end=True)
    found = state.explain_score(seat_number(state, args.seat), args.all)
    if args.format == "json":
        from regelwerk.interpreter.explaining.reasons import points_data

        place = place_data(game, shown_path)
        seats = [points_data(each, place) for each in found]
        print(json.dumps({"format": 1, "decisions": state.decisions, "seats": seats}, ensure_ascii=False, indent=2))
        return OK
    writer = Writer(game, has_marks())
    for number, each in enumerate(found):
        if number:
            print()
        print_lines(writer.points(each, not args.brief))
    return OK


__all__ = ["add_parser", "run"]
