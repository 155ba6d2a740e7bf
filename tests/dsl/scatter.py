"""Rules files with another layout that say the same: blanks, line breaks and comments are strewn over them.

PYTHONPATH=.pkg python tests/dsl/scatter.py --count 500 --seed 1      formats many, and says what goes wrong
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from random import Random

from regelwerk.dsl.diagnostics import RulesError
from regelwerk.dsl.formatting import format_source
from regelwerk.dsl.formatting.pieces import COMMENT, ROW, Piece, read
from regelwerk.dsl.formatting.verifying import difference, parse

ROOT = Path(__file__).resolve().parents[2]
GLUE = frozenset({"INT", "DECIMAL", "NAME", "RPAR"})  # a word on the same line after one of these may be a unit
CLOSE = frozenset("(){}[],")
LINE = 300  # what a strewn line may have


def scatter(generator: Random, text: str) -> str:
    """The same with another layout; `often` it changes at a place is drawn, too."""
    often = generator.choice((0.02, 0.2, 0.6))
    out: list[str] = []
    before: Piece | None = None
    column = 0
    for piece in read(text):
        if before is not None:
            between = _between(generator, often, before, piece)
            if column > LINE and "\n" not in between and _may_break(before, piece):
                between = "\n"
            out.append(between)
            column = len(between) - between.rindex("\n") - 1 if "\n" in between else column + len(between)
        elif generator.random() < often:
            out.append("\n\n  ")
        out.append(piece.text)
        column = len(piece.text) - piece.text.rindex("\n") if "\n" in piece.text else column + len(piece.text)
        before = piece
    return "".join(out) + generator.choice(("", "\n", "\n\n\n", "  "))


def _between(generator: Random, often: float, before: Piece, piece: Piece) -> str:
    """What stands between two tokens or comments."""
    usual = "\n" * piece.breaks + " " * piece.gap
    if generator.random() > often:
        return usual
    if before.kind == COMMENT:
        return "\n" * generator.randint(1, 4) + _blanks(generator)
    if before.kind == ROW and piece.kind != COMMENT and piece.text != "}":
        return "\n" * generator.randint(1, 4) + _blanks(generator)
    if not _may_break(before, piece):
        return _blanks(generator) or " " if usual else " " * generator.choice((0, 1, 3))
    kind = generator.random()
    if kind < 0.2:
        return f" {_blanks(generator)}// {generator.choice('abcdef')} {generator.randint(0, 99)}\n{_blanks(generator)}"
    if kind < 0.3:
        return f"\n{_blanks(generator)}//{generator.choice(('', ' x', '/ y', '=== z'))}\n\n{_blanks(generator)}"
    if kind < 0.6:
        return "\n" * generator.randint(1, 4) + _blanks(generator)
    if usual and not (before.text in CLOSE or piece.text in CLOSE):
        return " " * generator.randint(1, 5)
    return _blanks(generator)


def _blanks(generator: Random) -> str:
    return " " * generator.choice((0, 0, 1, 2, 3, 7, 30)) or generator.choice(("", "", "", "\t"))


def _may_break(before: Piece, piece: Piece) -> bool:
    """Whether a break may be put between, or taken out, without making or losing a unit or a row."""
    word = piece.kind == "UNIT" or piece.text[0].isalpha() or piece.text[0] == "_"
    return not (before.kind in GLUE and word) and piece.kind != ROW


def wrong(text: str, scattered: str) -> str | None:
    """What is wrong with the formatting of a text that was strewn; None if nothing is."""
    tree = parse(text, "x")
    try:
        different = difference(tree, parse(scattered, "x"))
    except RulesError as error:
        return f"(the test) strewn, it has errors: {error}"
    if different is not None:
        return f"(the test) strewn, it means something else: {different}"
    found = format_source(scattered)
    if (different := difference(tree, parse(found, "x"))) is not None:
        return f"it means something else: {different}"
    comments = [[each.text for each in read(which) if each.kind == COMMENT] for which in (scattered, found)]
    if comments[0] != comments[1]:
        return "a comment is lost"
    if format_source(found) != found:
        return "formatted again, it changes"
    return None


def files() -> list[Path]:
    """The files that can be strewn: those without errors."""
    folders = ("games", "docs/examples", "dsl/std", "tests/conformance", "tests/interpreter", "tests/tools")
    return [
        path for folder in folders for path in sorted((ROOT / folder).rglob("*.rules")) if path.name != "broken.rules"
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args(arguments)
    bad = 0
    paths = files()
    for number in range(asked.seed, asked.seed + asked.count):
        generator = Random(number)
        path = generator.choice(paths)
        text = path.read_text(encoding="utf-8")
        scattered = scatter(generator, text)
        try:
            said = wrong(text, scattered)
        except Exception as error:
            said = f"{type(error).__name__}: {error}"
        if said is not None:
            bad += 1
            print(f"{number} {path.name}: {said[:400]}")
    print(f"{bad} of {asked.count} are wrong")
    return int(bad > 0)


if __name__ == "__main__":
    raise SystemExit(main())
