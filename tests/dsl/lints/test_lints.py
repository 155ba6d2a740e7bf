"""The lints: each finds what is odd at its line, and leaves alone what only looks like it.

`tests/dsl/errors/lints` holds snippets as the other error tests do (`//! W0901` at the end of a line), put behind
`prelude.rules`, which has no findings. `bad.rules` is one game without errors in which all lints have something to say;
`near.rules` is one that comes close in every line and has no finding.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from tests.dsl.chunks import chunks

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


@pytest.mark.parametrize("chunk", [chunk for _, chunk in chunks(FOLDER)], ids=[name for name, _ in chunks(FOLDER)])
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
    shown = {code for _, chunk in chunks(FOLDER) for _, code in expectation(chunk)[1]}
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


WHOLE = re.compile(r"```rules(?! error)[^\n]*\n(edition 1\n.*?)```", re.DOTALL)


@pytest.mark.parametrize("page", ["cookbook.md", "tutorial.md"])
def test_games_of_the_documentation_have_no_warnings(page: str) -> None:
    """Whole games that people are shown to learn from."""
    blocks = WHOLE.findall((ROOT / "docs" / page).read_text(encoding="utf-8"))
    assert blocks
    left = []
    for text in blocks:
        source = Source(str(ROOT / "docs" / "examples" / "shown.rules"), text)
        checked = check_source(source)
        if checked.game is not None and checked.checker is not None:
            found = lint(checked.game, checked.checker, source.name, checked.composed, said=checked.diagnostics)
            left += [render(each, checked.sources) for each in found]
    assert left == []


# ------------------------------------------------------------------------------------------------------------- cost
def calls_of(work: Callable[[], object]) -> int:
    """How many functions of Python a piece of work calls: a measure that no other process disturbs."""
    count = 0

    def note(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def test_lints_cost_little_and_grow_with_the_file() -> None:
    """Of a game of about 600 lines, and of one twice as long, against checking it."""
    costs = []
    for count in (1, 2):
        text = PRELUDE + "".join(CHAPTER.replace("7", str(number)) for number in range(100, 100 + 40 * count))
        source = Source("long.rules", text)
        checked = check_source(source)
        assert checked.game is not None
        assert checked.checker is not None
        linting = partial(lint, checked.game, checked.checker, source.name)
        linting()  # what is remembered of classes is not counted
        checking = calls_of(partial(check_source, source))
        costs.append(calls_of(linting))
        assert costs[-1] < 0.3 * checking
    assert costs[1] < 2.4 * costs[0]


CHAPTER = """
state level_7 per player: 0..9 = 0 resets each round
value strong_7(p: player) = p.level_7 > 3 and p.coins < 9 or some(s in Stalls where s.needs > p.level_7)
effect rise_7(n: 0..3) {
  if me.level_7 < 4 { set me.level_7 = min(9, me.level_7 + n)   gain 1 coin } else { lose 1 coin }
}
trigger up_7: after visit(at) while at.needs > 1 { do rise_7(2) }
rule tired_7: forbid rest while strong_7(me) because "too strong"
scenario rising_7 { players Ann, Ben
  given { set level_7(Ann) = 3 }
  play rise_7(1) as Ann { then Ann.level_7 is 4 } }
"""
