"""`regelwerk check`: everything that is wrong with rules files, and what is odd in them."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from regelwerk.tools.arguments import FINDINGS, OK, UsageFailure, rules_path
from regelwerk.tools.colour import coloured
from regelwerk.tools.findings import concise_line, print_findings, shown_path

if TYPE_CHECKING:
    from regelwerk.tools.checking import Judging, Report

STDIN = "<stdin>"
"""What a file that is read from the standard input is called."""

SCHEMA = Path(__file__).parent / "check.schema.json"
"""The JSON Schema of `--format json`."""

EPILOG = """\
exit codes: 0 no errors (warnings do not count without --strict), 1 errors, 2 wrong usage or no such file

In a file, `// lint: allow W0904 why it is meant` on a line, or on a line of its own above it, allows a warning.
`regelwerk explain CODE` says what a finding means. docs/command-line.md describes the JSON.
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "check",
        help="say what is wrong with rules files, and where",
        description="Read rules files and say everything that is wrong with them, and what is odd, with the place and "
        "a remedy.",
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
    parser.add_argument("--strict", action="store_true", help="warnings count: exit code 1 if there are any")
    parser.add_argument("--no-lints", action="store_true", help="say only what is wrong, not what is odd (W09xx)")
    parser.add_argument(
        "--allow", metavar="CODE", action="append", default=[], help="leave out warnings of this code; may be repeated"
    )
    parser.add_argument(
        "--fix",
        action="store_true",
        help="change the files: apply the remedies that cannot change how a game is played",
    )
    parser.add_argument("--diff", action="store_true", help="show what --fix would change, and change nothing")
    parser.add_argument("--watch", action="store_true", help="check again when a file changes, until interrupted")


def run(args: argparse.Namespace) -> int:
    """Check the files; 1 if any has errors."""
    _refuse_what_does_not_go_together(args)
    paths = [None if name == "-" else rules_path(name) for name in args.files]
    if args.fix or args.diff:
        return _fix(args, [_to_be_changed(name, path) for name, path in zip(args.files, paths, strict=True)])
    if args.watch:
        return watch(args, [path for path in paths if path is not None])
    return _once(args, paths)[0]


def _refuse_what_does_not_go_together(args: argparse.Namespace) -> None:
    if args.files.count("-") > 1:
        raise UsageFailure("the standard input (-) can be read once")
    for option in ("fix", "diff", "watch"):
        if getattr(args, option) and "-" in args.files:
            raise UsageFailure(f"`--{option}` needs files, and the standard input (-) is none")
    for option in ("fix", "diff"):
        if getattr(args, option) and args.format == "json":
            raise UsageFailure(f"`--{option}` has no JSON; each finding in `--format json` holds its own fix")
        if getattr(args, option) and args.watch:
            raise UsageFailure(f"`--watch` and `--{option}` do not go together")
    if args.watch and args.format == "json":
        raise UsageFailure("`--watch` has no JSON; `--format concise` is for programs that watch")
    for code in args.allow:
        if not re.fullmatch(r"W\d{4}", code):
            raise UsageFailure(f"`--allow {code}`: only warnings can be allowed, for example W0904")


def _judging(args: argparse.Namespace) -> Judging:
    from regelwerk.tools.checking import Judging

    return Judging(not args.no_lints, frozenset(args.allow))


def _once(args: argparse.Namespace, paths: Sequence[Path | None]) -> tuple[int, list[Report]]:
    """Check all files and print what is found."""
    from regelwerk.tools.checking import report_of_file

    judging = _judging(args)
    reports: list[Report] = []
    for path in paths:
        report = report_of_file(path, judging) if path is not None else _of_stdin(judging)
        if args.format != "json":
            _print(args, report)
        reports.append(report)
    if args.format == "json":
        _print_json(reports)
    elif args.format == "text":
        _say_what_explains(reports)
        print(closing_line(reports))
    return _exit_code(args, reports), reports


def _exit_code(args: argparse.Namespace, reports: Iterable[Report]) -> int:
    severities = ("error", "warning") if args.strict else ("error",)
    return FINDINGS if any(each.count(severity) for each in reports for severity in severities) else OK


def _of_stdin(judging: Judging) -> Report:
    from regelwerk.dsl.diagnostics import Diagnostics
    from regelwerk.dsl.lexing import MAX_FILE
    from regelwerk.dsl.parser import decode_source
    from regelwerk.interpreter.loading import Checked
    from regelwerk.tools.checking import Report, report_of_text

    diagnostics = Diagnostics()
    source = decode_source(sys.stdin.buffer.read(MAX_FILE + 1), STDIN, diagnostics)
    if source is not None:
        return report_of_text(STDIN, source, judging)
    found = diagnostics.in_order()
    return Report(STDIN, Checked(None, None, found, {}), found)


# ------------------------------------------------------------------------------------------------------------- printing
def _print(args: argparse.Namespace, report: Report) -> None:
    if args.format == "text":
        print_findings(report.diagnostics, report.sources)
    else:
        for each in report.diagnostics:
            print(concise_line(each, report.sources, report.name))


def number_of(count: int, noun: str) -> str:
    """`1 error`, `2 errors`."""
    if count == 1:
        return f"{count} {noun}"
    return f"{count} {noun}es" if noun.endswith("x") else f"{count} {noun}s"


def closing_line(reports: Sequence[Report]) -> str:
    """The last line of the report."""
    errors = sum(each.count("error") for each in reports)
    warnings = sum(each.count("warning") for each in reports)
    if not errors and len(reports) == 1:
        return f"{Path(reports[0].name).name}: no errors" + (f", {number_of(warnings, 'warning')}" if warnings else "")
    return f"{number_of(errors, 'error')}, {number_of(warnings, 'warning')} in {number_of(len(reports), 'file')}"


def _say_what_explains(reports: Sequence[Report]) -> None:
    """For people at a terminal: how to learn more."""
    codes = sorted({each.code for report in reports for each in report.diagnostics})
    if not coloured(sys.stdout):
        return
    if codes:
        print(f"`regelwerk explain {' '.join(codes[:4])}` says more")
    count = sum(each.fix is not None for report in reports for each in report.diagnostics)
    if count:
        print(f"`regelwerk check --fix` can apply {number_of(count, 'fix')}; `--diff` shows them")


def _print_json(reports: Sequence[Report]) -> None:
    import json

    from regelwerk.dsl.catalogue import name_of
    from regelwerk.dsl.diagnostics import as_json

    files = [
        {
            "file": each.name,
            "ok": not each.count("error"),
            "diagnostics": [
                {**as_json(found, each.sources), "name": name_of(found.code)} for found in each.diagnostics
            ],
        }
        for each in reports
    ]
    print(json.dumps({"version": 1, "files": files}, indent=2, ensure_ascii=False))


# --------------------------------------------------------------------------------------------------------------- fixing
def _to_be_changed(name: str, path: Path | None) -> Path:
    """A file that may be changed: one that is named by its path, not a game that comes with regelwerk."""
    from regelwerk.interpreter.loading import is_document

    if path is None or not Path(name).is_file():
        raise UsageFailure(
            f"`{name}` comes with regelwerk; `--fix` and `--diff` change files that are named by their paths"
        )
    if is_document(path):
        raise UsageFailure(f"`{name}` is a game as JSON; `--fix` and `--diff` change rules files")
    return path


def _fix(args: argparse.Namespace, paths: Sequence[Path]) -> int:
    """Apply fixes, or show what they would change; then say what is left (with --diff: what there is)."""
    from regelwerk.tools.checking import report_of_file
    from regelwerk.tools.fixing import beside, difference, fix
    from regelwerk.tools.output_files import output_file

    judging = _judging(args)
    reports: list[Report] = []
    count = 0
    for path in paths:
        report = report_of_file(path, judging)
        source = report.sources.get(str(path))
        done = fix(source, report, judging, beside(path.resolve())) if source is not None else None
        if source is None or done is None or not done.applied:
            reports.append(report)
            _print(args, report)
            continue
        count += len(done.applied)
        if args.diff:
            print(difference(source.text, done.text, shown_path(str(path))), end="")
            reports.append(report)
            continue
        with output_file("--fix", str(path.resolve())) as write:
            write(done.text)
        for finding, line in done.applied:
            assert finding.fix is not None
            print(f"fixed: {shown_path(str(path))}:{line}: {finding.code} {finding.fix.title}")
        reports.append(done.report)
        _print(args, done.report)
    verb = "can be applied" if args.diff else "applied"
    print(f"{number_of(count, 'fix') if count else 'no fix'} {verb}; {closing_line(reports)}")
    return _exit_code(args, reports)


# ------------------------------------------------------------------------------------------------------------- watching
_NAMED = re.compile(
    r"^[ \t]*(?:use[ \t]+(\w+)|variant\b[^\n]*?\bof[ \t]+(\w+)(?:[ \t]+with[ \t]+([\w, \t]+))?)", re.MULTILINE
)


def watch(args: argparse.Namespace, paths: Sequence[Path], stop: Callable[[], bool] = lambda: False) -> int:
    """Check, and check again whenever a file changes that is named or that one of these builds on."""
    from regelwerk.tools.watching import Watch

    followed = Watch([])
    while True:
        followed.follow(paths)  # before they are read, so that no change is lost
        code, reports = _once(args, paths)
        followed.follow(_read_by(paths, reports))
        print(
            f"watching {number_of(len(paths), 'file')} and what {'it builds' if len(paths) == 1 else 'they build'} on; "
            "Ctrl-C ends",
            file=sys.stderr,
            flush=True,
        )
        sys.stdout.flush()
        changed = followed.wait(stop)
        if not changed:
            return code
        _separate(changed)


def _read_by(paths: Iterable[Path], reports: Iterable[Report]) -> list[Path]:
    """The files whose change may change a report: those that were read, and those that are named and missing."""
    found: dict[Path, None] = dict.fromkeys(paths)
    for report in reports:
        for name, source in report.sources.items():
            if name.startswith("<"):
                continue
            path = Path(name)
            found[path] = None
            for match in _NAMED.finditer(source.text):
                for word in re.findall(r"\w+", " ".join(group for group in match.groups() if group)):
                    found[path.with_name(f"{word}.rules")] = None
    return list(found)


def _separate(changed: Sequence[Path]) -> None:
    """Begin a new run: on an empty screen at a terminal, behind a line elsewhere."""
    names = ", ".join(shown_path(str(each)) for each in changed)
    if sys.stdout.isatty():
        print("\x1b[2J\x1b[3J\x1b[H", end="")
    print(f"---- {names} changed", flush=True)


__all__ = ["SCHEMA", "add_parser", "closing_line", "run", "watch"]
