"""`regelwerk diff`: what a variant or a new version of a game changes, clause by clause."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from regelwerk.tools.arguments import FINDINGS, OK, USAGE, FindingsFailure, UsageFailure, load, rules_path

if TYPE_CHECKING:
    from collections.abc import Sequence

    from regelwerk.dsl.comparing.comparing import Difference
    from regelwerk.dsl.comparing.outline import Version
    from regelwerk.interpreter.api import Game
    from regelwerk.interpreter.replay_differences import ReplayDifference


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "diff",
        help="say what a variant or a new version of a game changes",
        description="Say what a variant or a new version of a game changes, clause by clause. Comments, blanks, "
        "sections, citations, scenarios and an order that orders nothing are no differences. Exit codes: 0 no "
        "difference, 1 differences, 2 wrong usage or a file with errors.",
    )
    text = "a rules file, a game that `export` wrote, or the name of one that comes with regelwerk"
    parser.add_argument("old", metavar="A", help=f"{text}: as it was, or the base")
    parser.add_argument("new", metavar="B", help="the same: as it is now, or the variant")
    parser.add_argument(
        "--format", choices=("text", "json", "md"), default="text", help="form of the report (default: text)"
    )
    parser.add_argument(
        "--replays", metavar="DIR", help="say also which recorded games of A in this folder change when played by B"
    )


def run(args: argparse.Namespace) -> int:
    """Compare; 1 if the games differ, or a recorded game does."""
    records = _records(args.replays) if args.replays is not None else []
    from regelwerk.dsl.comparing.comparing import differences
    from regelwerk.tools.comparing import report

    old, new = _version(args.old), _version(args.new)
    found = differences(old, new)
    fates: list[tuple[str, ReplayDifference]] = []
    foreign = 0
    if args.replays is not None:
        fates, foreign = _fates(records, load(args.old), load(args.new), found, new)
    if args.format == "json":
        content = report.as_data(found, old, new)
        if args.replays is not None:
            content["replays"] = [_fate_data(name, each) for name, each in fates]
        print(json.dumps(content, ensure_ascii=False, indent=2))
    else:
        lines = report.as_text if args.format == "text" else report.as_markdown
        for line in lines(found, old, new):
            print(line)
        if args.replays is not None:
            from regelwerk.tools.comparing.replays import replay_lines

            print()
            for line in replay_lines(fates, foreign, old, new, args.format == "md"):
                print(line)
    different = any(each.fate in ("different", "misfit") for _, each in fates)
    return FINDINGS if found or different else OK


def _version(name: str) -> Version:
    """The game that A or B means; its errors end the command with the code for what cannot be compared."""
    from regelwerk.dsl.comparing.outline import version
    from regelwerk.interpreter.loading import check_path

    path = rules_path(name)
    checked = check_path(path, False)
    if checked.game is None or checked.checker is None:
        errors = [each for each in checked.diagnostics if each.severity == "error"]
        what = "has errors" if errors else "is a library, no game,"
        failure = FindingsFailure(errors, checked.sources, f"{path.name} {what} and cannot be compared")
        failure.code = USAGE
        raise failure
    checker = checked.checker
    from regelwerk.dsl.syntax.files import GameHeader

    assert isinstance(checker.file.header, GameHeader)
    return version(checker.file.header, checker.variant, checker.file.uses, checker.declarations, checked.sources)


def _records(folder: str) -> list[Path]:
    path = Path(folder)
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise UsageFailure(f"`--replays {folder}`: there is no such folder")
    found = sorted(path.glob("*.replay"))
    if not found:
        raise UsageFailure(f"`--replays {folder}`: there are no records (*.replay) in it")
    return found


def _fates(
    paths: Sequence[Path], old: Game, new: Game, found: Sequence[Difference], there: Version
) -> tuple[list[tuple[str, ReplayDifference]], int]:
    """What becomes of the records of the old game, and how many are of other games."""
    from regelwerk.dsl.comparing.outline import mentions
    from regelwerk.interpreter.replay_differences import compare_replay
    from regelwerk.tools.commands.replay import read

    renamed = {each.before: each.address.rpartition(".")[2] for each in found if each.change == "renamed"}
    changed = _Changed(found, mentions(there))
    fates, foreign = [], 0
    for path in paths:
        replay = read(str(path))
        if replay.game != old.name:
            foreign += 1
        else:
            fates.append((path.name, compare_replay(replay, old, new, renamed, changed)))
    return fates, foreign


class _Changed:
    """Which difference of the rules a clause lies in. If it is the same in both games: the difference of something it
    speaks of, else of what speaks of it, else of something that is spoken of behind that."""

    def __init__(self, found: Sequence[Difference], speaks_of: dict[str, tuple[str, ...]]) -> None:
        self.found = [each for each in found if each.address and each.change != "renamed"]
        self.addresses = list(dict.fromkeys(each.address for each in self.found))
        self.declarations = {each.partition(".")[0]: each for each in reversed(self.addresses)}
        tables = ("things", "enum", "interface")
        self.tables = {each.address.partition(".")[0] for each in self.found if each.group in tables}
        self.speaks_of = speaks_of

    def __call__(self, address: str) -> tuple[str, bool]:
        """The address of the difference, and whether the clause lies in it."""
        inside = [each for each in self.addresses if each == address or each.startswith(f"{address}.")]
        around = [each for each in self.addresses if address.startswith(f"{each}.")]
        if inside or around:
            return min([*inside, *around], key=len), True
        name = address.partition(".")[0]
        near = self._spoken_of([name], 1)
        others = near or self._speaking_of(name) or self._spoken_of([name], len(self.speaks_of))
        return others[0] if others else "", False

    def _spoken_of(self, names: list[str], depth: int) -> list[str]:
        reached, edge = dict.fromkeys(names), names
        for _ in range(depth):
            edge = [each for name in edge for each in self.speaks_of.get(name, ()) if each not in reached]
            reached.update(dict.fromkeys(edge))
            if not edge:
                break
        # A type is spoken of everywhere, and says little.
        return [self.declarations[each] for each in reached if each in self.declarations and each not in self.tables]

    def _speaking_of(self, name: str) -> list[str]:
        word = re.compile(rf"\b{re.escape(name)}\b")
        pieces = [
            (each.address, piece.text) for each in self.found for piece in (each.old, each.new) if piece is not None
        ]
        return [address for address, text in pieces if word.search(text)]


def _fate_data(name: str, fate: ReplayDifference) -> dict[str, Any]:
    return {
        "file": name,
        "fate": fate.fate,
        "step": fate.step,
        "entry": fate.entry or None,
        "message": fate.message or None,
        "rule": fate.rule or None,
        "blame": fate.blame if fate.rule else None,
        "later": None if fate.later is None else {"step": fate.later[0], "message": fate.later[1]},
    }


__all__ = ["add_parser", "run"]
