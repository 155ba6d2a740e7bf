"""`regelwerk rulebook`: a rulebook for players, or a player aid on one page, made from a checked game."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from regelwerk.tools.arguments import OK, FindingsFailure, UsageFailure, add_file, rules_path

if TYPE_CHECKING:
    from regelwerk.interpreter.loading import Checked

ENDINGS = {".html": "html", ".htm": "html", ".md": "markdown", ".markdown": "markdown"}

DESCRIPTION = """\
Write the rules of a game in words: what is in the box, the set-up, the course of the game with its diagram, actions,
cards, scoring, the end, an index, and which clause of the printed rules is where. The words are made from the checked
game, so they say what a program plays. HTML is one page that needs nothing else and prints on A4.
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser("rulebook", help="write the rules in words", description=DESCRIPTION)
    add_file(parser)
    parser.add_argument(
        "-o", "--output", metavar="PATH",
        help="where to write; its ending says the form, .html or .md (default: the standard output, Markdown)",
    )  # fmt: skip
    parser.add_argument(
        "--player-aid", action="store_true", help="one page: the course of the game, actions with costs, scoring, end"
    )


def run(args: argparse.Namespace) -> int:
    """Write one rulebook."""
    from regelwerk.tools.output_files import output_file

    form = _form(args.output)
    checked = _checked(args.file)
    with output_file("-o", args.output) as write:
        write(_text(checked, form, args.player_aid))
    if args.output not in (None, "-"):
        print(f"wrote {args.output}")
    return OK


def _form(output: str | None) -> str:
    if output in (None, "-"):
        return "markdown"
    ending = Path(str(output)).suffix.lower()
    if ending not in ENDINGS:
        raise UsageFailure(f"`-o {output}`: the ending says the form, and it is none of {', '.join(ENDINGS)}")
    return ENDINGS[ending]


def _checked(name: str) -> Checked:
    from regelwerk.interpreter.loading import check_path

    path = rules_path(name)
    checked = check_path(path, with_scenarios=False)
    if checked.game is None:
        errors = [each for each in checked.diagnostics if each.severity == "error"]
        if not errors:
            raise UsageFailure(f"`{name}` is a library, no game")
        raise FindingsFailure(errors, checked.sources, f"{path.name} has errors, so there is no rulebook")
    return checked


def _text(checked: Checked, form: str, aid: bool) -> str:
    from regelwerk.tools.rulebook.aid import player_aid
    from regelwerk.tools.rulebook.chapters import rulebook
    from regelwerk.tools.rulebook.html import html
    from regelwerk.tools.rulebook.markdown import markdown
    from regelwerk.tools.rulebook.pictures import board_drawings, phase_flow

    if aid:
        book = player_aid(checked)
    else:
        assert checked.game is not None
        book = rulebook(checked, board_drawings(checked.game), phase_flow(checked, drawn=form == "html"))
    return html(book, aid=aid) if form == "html" else markdown(book)


__all__ = ["add_parser", "run"]
