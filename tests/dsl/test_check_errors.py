"""The checker on wrong files: the right finding at the right line, several in one run, one for each mistake.

The files in `errors/checker` hold snippets, parted by `---`; each is put behind `prelude.rules` unless it begins with
`edition`.
`//! E0301` at the end of a line says which findings are expected on it (none elsewhere).
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from tests.dsl.chunks import chunks

from regelwerk.dsl import catalogue
from regelwerk.dsl.diagnostics import Diagnostic, as_json, render
from regelwerk.dsl.source import Source
from regelwerk.interpreter.loading import check_source

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(__file__).parent / "errors" / "checker"
PRELUDE = (FOLDER / "prelude.rules").read_text(encoding="utf-8")
NOTE = re.compile(r"//!(.*)$")
CODE = re.compile(r'"([EW]\d{4})"')
UNREACHABLE = {"E0399"}
"""Codes that no file should ever bring about."""
INTERNAL = re.compile(
    r"Unavailable|NotImplemented|Traceback|object at 0x|\b[A-Z]\w+(Symbol|Type|Expr)\b|\?{1} (has|is|can)\b"
)


def expectation(chunk: str) -> tuple[str, Counter[tuple[int, str]]]:
    """The text of the whole file, and (line, code) of what is expected."""
    text = chunk if chunk.startswith("edition") else PRELUDE + chunk
    expected: Counter[tuple[int, str]] = Counter()
    lines = []
    for number, line in enumerate(text.split("\n"), start=1):
        note = NOTE.search(line)
        if note is not None:
            expected.update((number, code) for code in note.group(1).split())
            line = line[: note.start()].rstrip()
        lines.append(line)
    return "\n".join(lines), expected


def said(finding: Diagnostic) -> bool:
    """Whether the page of the code has the form of the message (a code without a page is found by test_catalogue)."""
    page = catalogue.page(str(finding.code))
    return page is None or page.says(re.sub(r" \(and at \d+ further places\)$", "", finding.message))


def test_the_prelude_is_right() -> None:
    assert check_source(Source("prelude.rules", PRELUDE)).diagnostics == ()


@pytest.mark.parametrize("chunk", [chunk for _, chunk in chunks(FOLDER)], ids=[name for name, _ in chunks(FOLDER)])
def test_chunk(chunk: str) -> None:
    text, expected = expectation(chunk)
    source = Source("test.rules", text)
    checked = check_source(source)
    rendered = [render(each, checked.sources) for each in checked.diagnostics]
    got: Counter[tuple[int, str]] = Counter()
    for each in checked.diagnostics:
        assert each.span is not None, each
        assert as_json(each, checked.sources)["place"]
        assert not INTERNAL.search(f"{each.message} {each.help or ''}"), rendered
        assert said(each), f"add the form of this message to dsl/catalogue/{each.code}.md: {each.message}"
        got[source.position(each.span.start)[0] if each.span.source == source.name else 0, each.code] += 1
    assert got == expected, "\n\n".join(rendered)
    assert (checked.game is None) == any(code.startswith("E") for _, code in expected)


def test_every_code_has_a_case() -> None:
    files = [*(ROOT / "dsl" / "checker").glob("*.py"), ROOT / "interpreter" / "loading.py"]
    known = {code for path in files for code in CODE.findall(path.read_text(encoding="utf-8"))}
    shown = {code for _, chunk in chunks(FOLDER) for _, code in expectation(chunk)[1]}
    assert known - shown - UNREACHABLE == set()
