"""The lints: each finds what is odd at its line, and leaves alone what only looks like it.

`tests/dsl/errors/lints` holds snippets as the other error tests do (`//! W0901` at the end of a line), put behind
`prelude.rules`, which has no findings. `bad.rules` is one game without errors in which all lints have something to say;
`near.rules` is one that comes close in every line and has no finding.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from regelwerk.dsl import catalogue
from regelwerk.dsl.diagnostics import Diagnostic, render
from regelwerk.dsl.lints import lint
from regelwerk.dsl.source import Source
from regelwerk.interpreter.loading import check_source

ROOT = Path(__file__).resolve().parents[3]
HERE = Path(__file__).parent
FOLDER = HERE.parent / "errors" / "lints"
PRELUDE = (FOLDER / "prelude.rules").read_text(encoding="utf-8")
NOTE = re.compile(r"[ \t]*//!(.*)$")
CODE = re.compile(r"W\d{4}")
OF_PACKAGE = sorted(
    {
        code
        for path in (ROOT / "dsl" / "lints").glob("*.py")
        for code in re.findall(r'"(W09\d\d)"', path.read_text(encoding="utf-8"))
    }
)
"""The codes of all lints."""


def chunks() -> list[tuple[str, str]]:
    cases = []
    for path in sorted(FOLDER.glob("*.rules")):
        if path.stem != "prelude":
            for number, chunk in enumerate(path.read_text(encoding="utf-8").split("---\n"), start=1):
                cases.append((f"{path.stem}-{number}", chunk))
    return cases


def expectation(chunk: str) -> tuple[str, Counter[tuple[int, str]]]:
    """The text of the whole file, and (line, code) of what is expected."""
    text = chunk if chunk.startswith("edition") else PRELUDE + chunk
    expected: Counter[tuple[int, str]] = Counter()
    lines = []
    for number, line in enumerate(text.split("\n"), start=1):
        note = NOTE.search(line)
        if note is not None:
            expected.update((number, code) for code in CODE.findall(note.group(1)))
            line = line[: note.start()]
        lines.append(line)
    return "\n".join(lines), expected


def found_in(text: str) -> tuple[list[Diagnostic], Source, list[str]]:
    """The lints of a text; with everything that is said, drawn."""
    source = Source(str(ROOT / "test.rules"), text)
    checked = check_source(source)
    drawn = [render(each, checked.sources) for each in checked.diagnostics]
    assert checked.game is not None, "\n\n".join(drawn)
    assert checked.checker is not None
    found = lint(checked.game, checked.checker, source.name, checked.composed, said=checked.diagnostics)
    return list(found), source, [render(each, checked.sources) for each in found]


def test_the_prelude_has_no_findings() -> None:
    assert found_in(PRELUDE)[2] == []


@pytest.mark.parametrize("chunk", [chunk for _, chunk in chunks()], ids=[name for name, _ in chunks()])
def test_chunk(chunk: str) -> None:
    text, expected = expectation(chunk)
    found, source, drawn = found_in(text)
    got: Counter[tuple[int, str]] = Counter()
    for each in found:
        assert each.span is not None
        page = catalogue.page(each.code)
        assert page is not None
        assert page.says(each.message), f"add the form of this message to dsl/catalogue/{each.code}.md: {each.message}"
        assert each.severity == "warning"
        assert each.help
        got[source.position(each.span.start)[0], each.code] += 1
    assert got == expected, "\n\n".join(drawn)


def test_every_lint_has_a_chunk() -> None:
    shown = {code for _, chunk in chunks() for _, code in expectation(chunk)[1]}
    assert [code for code in OF_PACKAGE if code not in shown] == []


def test_a_bad_game() -> None:
    """One game without errors in which every lint that one file can show has something to say."""
    text, expected = expectation((HERE / "bad.rules").read_text(encoding="utf-8"))
    found, source, drawn = found_in(text)
    got = Counter((source.position(each.span.start)[0], each.code) for each in found if each.span is not None)
    assert got == expected, "\n\n".join(drawn)
    assert {code for _, code in got} == {*OF_PACKAGE} - {"W0942"}  # two variants are three files


def test_near_misses() -> None:
    assert found_in((HERE / "near.rules").read_text(encoding="utf-8"))[2] == []


def test_shipped_files_have_no_warnings() -> None:
    """Every shipped file is free of warnings, or says at the place why one is meant to stand."""
    paths = [*(ROOT / "games").rglob("*.rules"), *(ROOT / "docs" / "examples").glob("*.rules")]
    assert len(paths) > 30
    left = []
    for path in sorted(paths):
        checked = check_source(Source(str(path), path.read_text(encoding="utf-8")))
        if checked.game is None or checked.checker is None:
            continue  # a library alone, or a file that shows an error
        found = lint(checked.game, checked.checker, str(path), checked.composed, said=checked.diagnostics)
        left += [render(each, checked.sources) for each in found]
    assert left == []
