"""`regelwerk check`: everything that is wrong with rules files."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from regelwerk.tools.arguments import FINDINGS, OK, UsageFailure, rules_path
from regelwerk.tools.colour import coloured
from regelwerk.tools.findings import concise_line, print_findings

if TYPE_CHECKING:
    from regelwerk.interpreter.loading import Checked

STDIN = "<stdin>"
"""What a file that is read from the standard input is called."""

SCHEMA = Path(__file__).parent / "check.schema.json"
"""The JSON Schema of `--format json`."""

EPILOG = """\
exit codes: 0 no errors (warnings do not count), 1 errors, 2 wrong usage or no such file

`regelwerk explain CODE` says what a finding means. docs/command-line.md describes the JSON.
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "check",
        help="say what is wrong with rules files, and where",
        description="Read rules files and say everything that is wrong with them, with the place and a remedy.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        help="a rules file, a game that `export` wrote, the name of one that comes with regelwerk, or - for stdin",
    )
    parser.add_argument(
        "--format",
        choices=("text", "concise", "json"),
        default="text",
        help="with the source line, `file:line:column: code message`, or for programs (default: text)",
    )


def run(args: argparse.Namespace) -> int:
    """Check the files; 1 if any has errors."""
    if args.files.count("-") > 1:
        raise UsageFailure("the standard input (-) can be read once")
    paths = [None if name == "-" else rules_path(name) for name in args.files]
    results: list[tuple[str, Checked]] = []
    for path in paths:
        name, checked = (str(path), _check(path)) if path is not None else (STDIN, _check_stdin())
        if args.format == "text":
            print_findings(checked.diagnostics, checked.sources)
        elif args.format == "concise":
            for each in checked.diagnostics:
                print(concise_line(each, checked.sources, name))
        results.append((name, checked))
    if args.format == "json":
        _print_json(results)
    elif args.format == "text":
        _say_what_explains(results)
        print(closing_line(results))
    return FINDINGS if any(_count(each, "error") for _, each in results) else OK


def _check(path: Path) -> Checked:
    from regelwerk.interpreter.loading import check_path

    return check_path(path)


def _check_stdin() -> Checked:
    from regelwerk.dsl.diagnostics import Diagnostics
    from regelwerk.dsl.lexing import MAX_FILE
    from regelwerk.dsl.parser import decode_source
    from regelwerk.interpreter.loading import Checked, check_source

    diagnostics = Diagnostics()
    source = decode_source(sys.stdin.buffer.read(MAX_FILE + 1), STDIN, diagnostics)
    return check_source(source) if source is not None else Checked(None, None, diagnostics.in_order(), {})


def _count(checked: Checked, severity: str) -> int:
    return sum(each.severity == severity for each in checked.diagnostics)


def number_of(count: int, noun: str) -> str:
    """`1 error`, `2 errors`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def closing_line(results: list[tuple[str, Checked]]) -> str:
    """The last line of the report."""
    errors = sum(_count(each, "error") for _, each in results)
    warnings = sum(_count(each, "warning") for _, each in results)
    if not errors and len(results) == 1:
        return f"{Path(results[0][0]).name}: no errors" + (f", {number_of(warnings, 'warning')}" if warnings else "")
    return f"{number_of(errors, 'error')}, {number_of(warnings, 'warning')} in {number_of(len(results), 'file')}"


def _say_what_explains(results: list[tuple[str, Checked]]) -> None:
    """For people at a terminal: how to learn more."""
    codes = sorted({each.code for _, checked in results for each in checked.diagnostics})
    if codes and coloured(sys.stdout):
        print(f"`regelwerk explain {' '.join(codes[:4])}` says more")


def _print_json(results: list[tuple[str, Checked]]) -> None:
    import json

    from regelwerk.dsl.catalogue import name_of
    from regelwerk.dsl.diagnostics import as_json

    files = [
        {
            "file": name,
            "ok": not _count(checked, "error"),
            "diagnostics": [
                {**as_json(each, checked.sources), "name": name_of(each.code)} for each in checked.diagnostics
            ],
        }
        for name, checked in results
    ]
    print(json.dumps({"version": 1, "files": files}, indent=2, ensure_ascii=False))


__all__ = ["SCHEMA", "add_parser", "closing_line", "run"]
