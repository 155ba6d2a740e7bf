"""Realistic mistakes in realistic files: one finding for each, on its line, that says what to write.

The cases stand in `errors/mistakes/*.txt`; the form is explained in `words.txt`. As a script this prints what is said:

    PYTHONPATH=.pkg python tests/dsl/test_mistakes.py errors/mistakes/words.txt
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from regelwerk.dsl.diagnostics import Diagnostic, render
from regelwerk.dsl.source import Source
from regelwerk.interpreter.loading import check_source

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(__file__).parent / "errors" / "mistakes"
HOSTS = {
    path.stem: path
    for folder in ("games", "docs/examples", "tests/conformance")
    for path in (ROOT / folder).rglob("*.rules")
    if path.parent.name != "broken"
}


@dataclass(frozen=True)
class Mistake:
    """old: what stands in the file; new: what is there instead; below: how many lines further down it is found."""

    old: str
    new: str
    below: int
    says: tuple[str, ...]


@dataclass(frozen=True)
class Case:
    """The mistakes in one file."""

    name: str
    host: str
    mistakes: tuple[Mistake, ...]


def _mistake(line: str) -> Mistake:
    change, _, said = line.rpartition(" !!")
    old, _, new = change.partition(" ==> ")
    below, _, says = said.partition(" ")
    return Mistake(old.replace("\\n", "\n"), new.replace("\\n", "\n"), int(below or 0), tuple(says.split(" & ")))


def cases(paths: list[Path]) -> list[Case]:
    """The cases of files."""
    found: list[Case] = []
    for path in paths:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if line.startswith("+ "):
                before = found.pop()
                found.append(Case(before.name, before.host, (*before.mistakes, _mistake(line[2:]))))
            elif line.strip() and not line.startswith("//"):
                host, _, rest = line.partition(" | ")
                found.append(Case(f"{path.stem}-{number}", host, (_mistake(rest),)))
    return found


def made(case: Case) -> tuple[Source, list[tuple[int, Mistake]], tuple[Diagnostic, ...]]:
    """The file with its mistakes, the lines on which they are expected, and what is found."""
    path = HOSTS[case.host]
    text = path.read_text(encoding="utf-8")
    marks: list[tuple[int, Mistake]] = []
    for each in case.mistakes:
        found = re.search(_as_laid_out(each.old), text)
        assert found is not None, f"not in {case.host}: {each.old}"
        assert each.old != each.new
        place = found.start()
        text = text[:place] + each.new + text[found.end() :]
        shift = len(each.new) - len(found.group())
        marks = [(at + shift if at > place else at, mistake) for at, mistake in marks]
        same = 0  # the finding may stand behind a line end that is the same in both
        while each.new[same : same + 1] == "\n" and each.old[same : same + 1] == "\n":
            same += 1
        marks.append((place + same, each))
    source = Source(str(path), text)
    lines = [(source.position(place)[0] + each.below, each) for place, each in marks]
    return source, lines, check_source(source).diagnostics


def _as_laid_out(old: str) -> str:
    """What finds a piece of a file in whatever way its blanks and the columns of its tables are laid out."""
    blanks = r"\\s+" if "\n" not in old else r"[ \\t]+"
    return re.sub(r"(?:\\ )+", blanks, re.escape(old))


ALL = cases(sorted(FOLDER.glob("*.txt")))


def test_there_are_many() -> None:
    assert len(ALL) > 250


@pytest.mark.parametrize("case", ALL, ids=[case.name for case in ALL])
def test_mistake(case: Case) -> None:
    source, lines, found = made(case)
    shown = "\n\n".join(render(each, {source.name: source}) for each in found)
    left = [each for each in found if each.severity == "error"]
    for line, mistake in lines:
        here = [each for each in left if each.span is not None and source.position(each.span.start)[0] == line]
        assert here, f"nothing on line {line}, where `{mistake.new}` stands\n\n{shown}"
        said = [each for each in here if all(word in f"{each.message}\n{each.help}" for word in mistake.says)]
        assert said, f"not said: {mistake.says}\n\n{shown}"
        left.remove(said[0])
    assert not left, f"more is said than is wrong\n\n{shown}"


if __name__ == "__main__":
    for case in cases([Path(__file__).parent / name for name in sys.argv[1:]] or sorted(FOLDER.glob("*.txt"))):
        source, _, found = made(case)
        print(f"==== {case.name}", *(mistake.new for mistake in case.mistakes), sep="\n     ")
        print("\n".join(render(each, {source.name: source}) for each in found), end="\n\n")
