"""`regelwerk export`: a checked game as JSON, for other programs and for regelwerk itself."""

from __future__ import annotations

import argparse
import sys

from regelwerk.tools.arguments import OK, CommandFailure, FindingsFailure, UsageFailure, rules_path
from regelwerk.tools.findings import print_findings
from regelwerk.tools.output_files import output_file

DESCRIPTION = """\
Write a game as JSON: its syntax tree as the checker saw it (put together with its variants and libraries), the texts it
came from, and what other programs ask for: types, units, phases, decisions. The same game gives the same bytes.
Wherever a command takes a rules file it takes such a document too.
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser("export", help="write a checked game as JSON", description=DESCRIPTION)
    parser.add_argument(
        "file",
        metavar="FILE",
        nargs="?",
        help="a rules file, or the name of a game that comes with regelwerk (a document is read and written again)",
    )
    parser.add_argument(
        "-o", "--output", metavar="PATH", help="where to write; - is the standard output (default: there)"
    )
    parser.add_argument("--compact", action="store_true", help="all on one line, without blanks")
    parser.add_argument(
        "--schema", action="store_true", help="write the JSON Schema of such documents instead (FILE is not read)"
    )


def run(args: argparse.Namespace) -> int:
    """Export one game; 1 if it has errors."""
    if args.schema:
        return _write_schema(args.output)
    if args.file is None:
        raise UsageFailure("say which game: regelwerk export FILE")
    path = rules_path(args.file)
    from regelwerk.dsl.interchange.writing import TooLarge, text_of
    from regelwerk.interpreter.documents import export
    from regelwerk.interpreter.loading import check_path

    with output_file("-o", args.output) as write:
        checked = check_path(path)
        if checked.game is None:
            message = f"{path.name} has errors and cannot be exported"
            raise FindingsFailure(checked.diagnostics, checked.sources, message)
        print_findings(checked.diagnostics, checked.sources, stream=sys.stderr)
        try:
            write(text_of(export(checked), args.compact))
        except TooLarge as error:
            raise CommandFailure(f"{path.name} is too large: its document would have more than 16 MiB") from error
    return _done(args.output)


def _write_schema(output: str | None) -> int:
    from regelwerk.dsl.interchange import SCHEMA

    with output_file("-o", output) as write:
        write(SCHEMA.read_text(encoding="utf-8"))
    return _done(output)


def _done(output: str | None) -> int:
    if output not in (None, "-"):
        print(f"wrote {output}")
    return OK


__all__ = ["add_parser", "run"]
