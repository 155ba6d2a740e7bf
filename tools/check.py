"""`regelwerk check`: everything that is wrong with rules files."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from regelwerk.tools.arguments import FINDINGS, OK, add_file, print_diagnostics, rules_path

if TYPE_CHECKING:
    from pathlib import Path

    from regelwerk.interpreter.loading import Checked


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "check",
        help="say what is wrong with rules files, and where",
        description="Read rules files and say everything that is wrong with them, with the place and a remedy.",
    )
    add_file(parser, several=True)
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="for people, or for programs (default: text)"
    )


def run(args: argparse.Namespace) -> int:
    """Check the files; 1 if any has errors."""
    from regelwerk.interpreter.loading import check_path

    paths = [rules_path(name) for name in args.files]
    if args.format == "json":
        return _as_json([(path, check_path(path)) for path in paths])
    results = []
    for path in paths:
        checked = check_path(path)
        print_diagnostics(checked.diagnostics, checked.sources)
        results.append(checked)
    print(closing_line([path.name for path in paths], results))
    return FINDINGS if any(_count(each, "error") for each in results) else OK


def _count(checked: Checked, severity: str) -> int:
    return sum(each.severity == severity for each in checked.diagnostics)


def number_of(count: int, noun: str) -> str:
    """`1 error`, `2 errors`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def closing_line(names: list[str], results: list[Checked]) -> str:
    """The last line of the report."""
    errors = sum(_count(each, "error") for each in results)
    warnings = sum(_count(each, "warning") for each in results)
    if not errors and len(names) == 1:
        return f"{names[0]}: no errors" + (f", {number_of(warnings, 'warning')}" if warnings else "")
    return f"{number_of(errors, 'error')}, {number_of(warnings, 'warning')} in {number_of(len(names), 'file')}"


def _as_json(results: list[tuple[Path, Checked]]) -> int:
    import json

    from regelwerk.dsl.diagnostics import as_json

    files = [
        {
            "file": str(path),
            "ok": not _count(checked, "error"),
            "diagnostics": [as_json(each, checked.sources) for each in checked.diagnostics],
        }
        for path, checked in results
    ]
    print(json.dumps({"version": 1, "files": files}, indent=2, ensure_ascii=False))
    return OK if all(each["ok"] for each in files) else FINDINGS


__all__ = ["add_parser", "run"]
