"""Findings as text: the caret stands under what is meant, whatever the line holds."""

from __future__ import annotations

import re
import unicodedata

import pytest

from regelwerk.dsl.diagnostics import WIDEST, Diagnostic, Label, render
from regelwerk.dsl.source import Source, Span


def columns(text: str) -> int:
    """How many columns a terminal gives to a text (UAX 11)."""
    wide = sum(unicodedata.east_asian_width(each) in "WF" for each in text)
    return len(text) + wide - sum(unicodedata.combining(each) > 0 for each in text)


def drawn(text: str, start: int, end: int) -> tuple[str, str, str]:
    """The place, the source line and the line of the caret, without what stands before the bar."""
    source = Source("a.rules", text)
    shown = render(Diagnostic("E0203", "error", "it", Span("a.rules", start, end)), {"a.rules": source})
    head, place, _, line, caret = shown.split("\n")
    assert head == "error[E0203]: it"
    return place, line.partition(" | ")[2], caret.partition(" | ")[2]


@pytest.mark.parametrize(
    ("before", "word"),
    [
        ("value x = ", "lvel"),
        ("", "lvel"),
        ("\tvalue\tx = ", "lvel"),
        ('gain 1 coin "日本語" ', "lvel"),
        ("value x = ", "都市"),
        ("value naïve = ", "lvel"),
        ("value nai\u0308ve = ", "lvel"),
        ('"\u202eabc" ', "lvel"),
        ('"\x1b[31m" ', "lvel"),
        ('"🎲🎲" ', "lvel"),
        ('"ｆｕｌｌ" ', "ｌｖｅｌ"),
    ],
)
@pytest.mark.parametrize("ending", ["\n", "\r\n", ""])
def test_the_caret_stands_under_the_word(before: str, word: str, ending: str) -> None:
    text = f"edition 1{ending or chr(10)}{before}{word} + 1{ending}"
    start = text.index(word)
    place, line, caret = drawn(text, start, start + len(word))
    assert place == f" --> a.rules:2:{len(before) + 1}"
    left = caret.index("^")
    assert left == columns(line[: line.index(word)])
    assert caret.count("^") == columns(word)
    assert line.endswith(" + 1")
    assert all(each.isprintable() for each in line), "a terminal must not obey what stands in a file"


def test_the_end_of_a_line_and_of_the_file() -> None:
    for ending in ("\n", "\r\n", ""):
        text = f"value x ={ending}"
        place, line, caret = drawn(text, 9, 9)
        assert (place, line, caret) == (" --> a.rules:1:10", "value x =", " " * 9 + "^")


def test_what_goes_on_over_lines() -> None:
    _, line, caret = drawn("a {\n b\n}", 2, 8)
    assert (line, caret) == ("a {", "  ^")


@pytest.mark.parametrize("before", [0, 10, 59, 60, 61, 100, 155, 160, 500, 100_000])
@pytest.mark.parametrize("after", [0, 3, 50, 200, 100_000])
@pytest.mark.parametrize("fill", ["x", "都"])
def test_long_lines_are_cut_around_the_caret(before: int, after: int, fill: str) -> None:
    text = fill * before + "WORD" + fill * after
    place, line, caret = drawn(text, before, before + 4)
    assert place == f" --> a.rules:1:{before + 1}"
    assert columns(line) <= WIDEST
    assert caret.index("^") == columns(line[: line.index("WORD")])
    assert caret.count("^") == 4
    whole = columns(text) <= WIDEST
    assert (line == text) is whole
    if not whole:
        assert re.fullmatch(rf"(\.\.\.)?{fill}*WORD{fill}*(\.\.\.)?", line)
        assert line.startswith("...") is (columns(fill * before) > 60)


def test_a_long_word_is_cut() -> None:
    text = "value x = " + "y" * 500 + " + 1"
    _, line, caret = drawn(text, 10, 510)
    assert len(line) <= WIDEST
    assert line.endswith("y...")
    assert len(caret) <= WIDEST


def test_labels_and_help() -> None:
    source = Source("a.rules", "one\n" * 9 + "two {\n  three\n")
    span, opened = Span("a.rules", 44, 49), Span("a.rules", 40, 41)
    finding = Diagnostic("E0110", "error", "never closed", span, (Label(opened, "opened here"),), "add `}`")
    assert render(finding, {"a.rules": source}, lambda name: f"sub/{name}") == (
        "error[E0110]: never closed\n"
        "  --> sub/a.rules:11:3\n"
        "   |\n"
        "11 |   three\n"
        "   |   ^^^^^\n"
        "  --> sub/a.rules:10:5\n"
        "   |\n"
        "10 | two {\n"
        "   |     ^ opened here\n"
        "   = help: add `}`"
    )
