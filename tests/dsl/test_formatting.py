"""The formatter: its style, case by case; that it changes nothing but the layout; that all shipped files are in it.

`formatting/style.txt` holds the cases: a text, and behind `---->` the same in the style. REGELWERK_SCATTERED says how
many files and random programs are given another layout (default: 25 of each); `scatter.py` makes more of
them.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.dsl.scatter import files, scatter, wrong
from tests.interpreter.wasm.pieces import text_of
from tests.interpreter.wasm.programs import program

from regelwerk.dsl.diagnostics import RulesError
from regelwerk.dsl.formatting import FormattingError, format_source
from regelwerk.dsl.formatting.writing import LaidOut, lay_out
from regelwerk.dsl.lexing import MAX_FILE, MAX_LINE

ROOT = Path(__file__).resolve().parents[2]
HEAD = 'edition 1\ngame g "G" { players 2..2 }\n'
STYLE = (Path(__file__).parent / "formatting" / "style.txt").read_text(encoding="utf-8")
SCATTERED = int(os.environ.get("REGELWERK_SCATTERED", "25"))


def cases() -> dict[str, tuple[str, str]]:
    found = {}
    for part in STYLE.split("==== ")[1:]:
        name, _, texts = part.partition("\n")
        before, _, after = texts.partition("---->\n")
        found[name] = before, after.rstrip("\n") + "\n"
    return found


CASES = cases()


@pytest.mark.parametrize("name", CASES)
def test_style(name: str) -> None:
    before, after = CASES[name]
    assert format_source(HEAD + before).removeprefix(HEAD) == after
    assert format_source(HEAD + after) == HEAD + after


@pytest.mark.parametrize("path", files(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_files(path: Path) -> None:
    """Every file can be formatted, and then is: what changes, `format_source` tests itself."""
    found = format_source(path.read_text(encoding="utf-8"), path.name)
    assert format_source(found) == found


@settings(max_examples=SCATTERED, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(files()), st.integers(0, 1 << 32))
def test_another_layout_of_a_file(path: Path, seed: int) -> None:
    text = path.read_text(encoding="utf-8")
    assert wrong(text, scatter(Random(seed), text)) is None


@settings(max_examples=SCATTERED, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 1 << 32))
def test_random_programs(seed: int) -> None:
    generator = Random(seed)
    text = text_of(program(generator.randrange))[0]
    try:
        format_source(text)
    except RulesError:
        assume(False)  # some have syntax errors
    assert wrong(text, scatter(generator, text)) is None


def test_line_ends_and_the_mark_at_the_beginning_are_kept() -> None:
    for end in ("\n", "\r\n"):
        for mark in ("", "\ufeff"):
            text = f"{mark}{HEAD}const  a = 1\nconst b = 2\n".replace("\n", end)
            assert format_source(text) == text.replace("  ", " ", 1)
    drawing = HEAD + 'fields Cell/Cells grid {\n  drawing a """\n  x y\n  """\n}\n'
    assert format_source(drawing.replace("\n", "\r\n")) == drawing.replace("\n", "\r\n")


def test_line_ends_of_both_kinds_become_those_of_most() -> None:
    text = "edition 1\r\n" + 'game g "G" { players 2..2 }\n' + "const a = 1\r\nconst b = 2\r\n"
    assert format_source(text) == text.replace("\r\n", "\n").replace("\n", "\r\n")


def test_errors_are_told() -> None:
    with pytest.raises(RulesError) as caught:
        format_source(HEAD + "effect a { giv 1 coin }\n", "x.rules")
    assert [each.code for each in caught.value.diagnostics] == ["E0102"]


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (HEAD + "const a = 2 // c\n", "a word would be lost"),
        (HEAD + "const a = 1\n", "a comment would be lost"),
        (HEAD + "const a = // c\n", "syntax errors"),
        (HEAD + "const a = 1 + 1 // c\n", "a word would be lost"),
    ],
)
def test_a_fault_of_the_formatter_is_seen(result: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = HEAD + "const a =   1 // c\n"
    real = lay_out

    def broken(given: str) -> LaidOut:
        made = real(given)
        return LaidOut(result, made.words, made.comments) if given in (text, result) else made

    monkeypatch.setattr("regelwerk.dsl.formatting.lay_out", broken)
    with pytest.raises(FormattingError, match=words):
        format_source(text)


def test_a_unit_is_not_parted_from_its_amount() -> None:
    amounts = " + ".join(f"{n} splendid_coins" for n in range(1, 19))
    found = format_source(HEAD + f"resource splendid_coin/splendid_coins supply 9\neffect a {{ gain {amounts} }}\n")
    assert max(map(len, found.splitlines())) <= 140
    assert not any(line.strip().startswith("splendid") for line in found.splitlines())


HOSTILE = {
    "a long cell": HEAD + "cards A/As {\n|a|\n" + f'|x "{"x" * (MAX_LINE - 6)}"|\n' + "|b|\n" * 900 + "}\n",
    "many tables of one long row": HEAD
    + "".join(f"cards A{n}/B{n} {{\n|a|b|\n|r|[{'1,' * 180}1]|\n" + "|b||\n" * 300 + "}\n" for n in range(15)),
    "much to align": HEAD + "".join(f"const a{'b' * (n % 50)}  = {n} // {n}\n" for n in range(4_000)),
    "deeply nested": HEAD + "value a = " + "(" * 31 + "1" + ")" * 31 + "\n",
    "one line": HEAD + "const a=" + "+".join("1" for _ in range(100)) + "\n",
    "braces": HEAD + "effect a " + "{ as one " * 30 + "{ gain 1 coin\n gain 2 coins }" + "}" * 30 + "\n",
    "a long comment": HEAD + "effect a {\n" + "//" + "c" * (MAX_LINE - 2) + "\ngain 1 coin //" + "d" * 380 + "\n}\n",
    "a long text": HEAD + 'phase a {\nphase b {\nstep d {\nchoose e in F "' + "g" * 370 + '"\n}\n}}\n',
    "comments alone": HEAD + "// a\n" * 50_000,
}


def test_columns_that_would_be_too_much_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("regelwerk.dsl.parser.MAX_FILE", 10_000)
    monkeypatch.setattr("regelwerk.dsl.formatting.writing.MAX_FILE", 10_000)
    text = HEAD + "const a  = 1  // a\nconst bcd = 2     // b\ncards A/As {\n|a|b|\n|a|[" + "1, " * 90 + "1]|\n"
    found = format_source(text + "|b||\n" * 100 + "}\n")
    assert found.startswith(HEAD + "const a = 1  // a\nconst bcd = 2  // b\ncards A/As {\n  | a | b |\n")
    assert found.endswith("\n  | b |  |\n}\n")
    assert format_source(found) == found


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts(name: str) -> None:
    """They are formatted, and in a time that grows with their length."""
    text = HOSTILE[name]
    assert len(text) < MAX_FILE
    start = time.process_time()
    found = format_source(text)
    assert format_source(found) == found
    assert time.process_time() - start < 2 + len(text) / 10_000


def test_what_does_not_fit_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line may be as long as it can be at its margin, and a file as large as it can be without blanks."""
    long_line = HEAD + 'phase a {\nphase b {\nstep d {\nchoose e in F\n"' + "g" * (MAX_LINE - 2) + '"\n}\n}}\n'
    assert '\n"ggg' in format_source(long_line)
    monkeypatch.setattr("regelwerk.dsl.parser.MAX_FILE", 10_000)
    monkeypatch.setattr("regelwerk.dsl.formatting.writing.MAX_FILE", 10_000)
    rows = "cards A/As {\n|a|b|\n" + "|b||\n" * 1000 + "}\n"
    with pytest.raises(RulesError, match="in the style, a rules file has at most 1 MiB"):
        format_source(HEAD + rows)
