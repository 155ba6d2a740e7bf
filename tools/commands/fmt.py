"""`regelwerk fmt`: rules files in the one style."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from regelwerk.tools.arguments import FINDINGS, OK, CommandFailure, UsageFailure
from regelwerk.tools.findings import print_findings, shown_path
from regelwerk.tools.output_files import output_file

STDIN = "<stdin>"
DESCRIPTION = """\
Write rules files in the one style: indentation, blanks, columns of tables, comments under each other. What a file says
stays the same, which is tested before anything is written; line breaks, groups of lines and comments stay as well.
"""
EPILOG = """\
exit codes: 0 all is in the style now (or was), 1 errors in a file, or --check found one that is not, 2 wrong usage

examples:
  regelwerk fmt mygame.rules mygame_scenarios.rules
  regelwerk fmt --diff *.rules     only show what would change
  regelwerk fmt --check *.rules    for a build: fails if something would change
  regelwerk fmt - < mygame.rules   for an editor: from the standard input to the standard output
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "fmt",
        help="write rules files in the one style",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        help="a rules file, or - for the standard input",
    )
    parser.add_argument("--check", action="store_true", help="write nothing; name the files that are not in the style")
    parser.add_argument("--diff", action="store_true", help="write nothing; show what would change")


def run(args: argparse.Namespace) -> int:
    """Format the files; 1 if any has errors, or is not in the style and was to be checked only."""
    if args.files.count("-") > 1:
        raise UsageFailure("the standard input (-) can be read once")
    files = list(_files(args.files))
    counts = {"changed": 0, "same": 0, "wrong": 0}
    for path in files:
        counts[_format(path, args)] += 1
    if "-" not in args.files and not args.diff:
        print(_closing_line(counts, args.check))
    return FINDINGS if counts["wrong"] or (args.check and counts["changed"]) else OK


def _files(names: list[str]) -> Iterator[Path | None]:
    """The files that are meant, each once; None is the standard input. All are looked at before any is written."""
    seen: set[Path] = set()
    for name in names:
        if name == "-":
            yield None
            continue
        path = Path(name)
        if path.is_dir():
            raise UsageFailure(f"`{name}` is a folder; name the files in it: {path / '*.rules'}")
        if not path.is_file():
            raise UsageFailure(f"there is no file `{name}`")
        if path.resolve() not in seen:
            seen.add(path.resolve())
            yield path


def _format(path: Path | None, args: argparse.Namespace) -> str:
    """Format one file; what became of it."""
    from regelwerk.dsl.diagnostics import RulesError
    from regelwerk.dsl.formatting import FormattingError, format_source

    name = str(path) if path is not None else STDIN
    try:
        text = _read(path, name)
        found = format_source(text, name)
    except RulesError as error:
        sys.stdout.flush()
        print_findings(error.diagnostics, error.sources, stream=sys.stderr)
        return "wrong"
    except FormattingError as error:
        error.add_note(f"in {name}, which is left as it is")
        raise
    changed = found != text
    if args.diff:
        _print_diff(text, found, shown_path(name))
    elif path is None and not args.check:
        _print_exactly(found)
    elif changed and args.check:
        print(f"not in the style: {shown_path(name)}")
    elif changed and path is not None:
        _write(path, found)
        print(f"formatted {shown_path(name)}")
    return "changed" if changed else "same"


def _read(path: Path | None, name: str) -> str:
    """The text of a file as it is, with its line ends and the mark that some editors write at its beginning."""
    from regelwerk.dsl.diagnostics import Diagnostics, RulesError
    from regelwerk.dsl.lexing import MAX_FILE
    from regelwerk.dsl.parser import decode_source

    try:
        if path is None:
            content = sys.stdin.buffer.read(MAX_FILE + 4)
        else:
            with path.open("rb") as file:
                content = file.read(MAX_FILE + 4)
    except OSError as error:
        raise CommandFailure(f"`{name}` cannot be read: {error.strerror or error}") from error
    diagnostics = Diagnostics()
    source = decode_source(content, name, diagnostics)
    if source is None:
        raise RulesError(diagnostics.in_order(), {})
    if source.text.lstrip().startswith("{"):
        raise UsageFailure(f"`{name}` is a game as JSON; only rules files have a style")
    return "\ufeff" + source.text if content.startswith(b"\xef\xbb\xbf") else source.text


def _write(path: Path, text: str) -> None:
    target = path.resolve()  # behind a link; the link stays
    if not os.access(target, os.W_OK):
        raise CommandFailure(f"`{path}` cannot be written: it is read-only")
    with output_file("fmt", str(target)) as write:
        write(text)


def _print_exactly(text: str) -> None:
    """Print a text with its own line ends, in UTF-8 whatever the terminal has."""
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        print(text, end="")
    else:
        sys.stdout.flush()
        buffer.write(text.encode("utf-8"))
        buffer.flush()


def _print_diff(before: str, after: str, name: str) -> None:
    import difflib

    old, new = (text.replace("\r\n", "\n").split("\n") for text in (before, after))
    for line in difflib.unified_diff(old, new, name, f"{name} (formatted)", lineterm=""):
        print(line)


def _closing_line(counts: dict[str, int], check: bool) -> str:
    def files(number: int) -> str:
        return f"{number} file" if number == 1 else f"{number} files"

    parts = []
    if counts["changed"]:
        parts.append(f"{files(counts['changed'])} {'would change' if check else 'formatted'}")
    if counts["same"]:
        parts.append(f"{files(counts['same'])} in the style already")
    if counts["wrong"]:
        parts.append(f"{files(counts['wrong'])} with errors")
    return ", ".join(parts)


__all__ = ["add_parser", "run"]
