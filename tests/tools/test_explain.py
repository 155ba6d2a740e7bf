"""`explain`: pages in the terminal."""

from __future__ import annotations

from typing import Any

import pytest

from regelwerk.dsl import catalogue


@pytest.mark.parametrize("word", ["E0203", "e0203", "unknown-name", "UNKNOWN_NAME"])
def test_a_page(run: Any, word: str) -> None:
    answer = run("explain", word)
    page = catalogue.page("E0203")
    assert page is not None
    assert page.wrong is not None
    assert page.instead is not None
    assert (answer.code, answer.err) == (0, "")
    lines = answer.out.splitlines()
    assert lines[0] == "error[E0203]: unknown-name"
    assert f"  {page.messages[0]}" in lines
    assert page.meaning in " ".join(lines)
    for title, example in (("Wrong", page.wrong), ("Instead", page.instead)):
        place = lines.index(title)
        for line in example.text.splitlines():
            place += 1
            assert lines[place] == f"  | {line}"
    assert "\x1b" not in answer.out


def test_every_page_can_be_shown(run: Any) -> None:
    answer = run("explain", *catalogue.codes())
    assert answer.code == 0
    for page in catalogue.pages():
        assert f"{page.severity}[{page.code}]: {page.name}\n" in answer.out
    assert max(map(len, answer.out.splitlines())) <= 124


def test_the_list(run: Any) -> None:
    answer = run("explain")
    assert answer.code == 0
    for title in catalogue.AREAS.values():
        assert f"{title}\n" in answer.out
    for page in catalogue.pages():
        assert any(line.split()[:2] == [page.code, page.name] for line in answer.out.splitlines())
    assert max(map(len, answer.out.splitlines())) <= 100


def test_the_frame(run: Any) -> None:
    assert run("explain", "frame").out == catalogue.frame()
    assert "explain frame" in run("explain", "E0203").out
    assert "explain frame" not in run("explain", "E0509").out


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("E0230", "`E0203`"),
        ("unkown-name", "did you mean `unknown-name`"),
        ("dead_ends", "did you mean `dead_end`"),
        ("xyzzy-qqq", "there is no finding or fault `xyzzy-qqq`\n"),
        ("../frame", "there is no finding or fault `../frame`"),
    ],
)
def test_unknown_codes(run: Any, word: str, hint: str) -> None:
    answer = run("explain", word)
    assert (answer.code, answer.out) == (2, "")
    assert hint in answer.err
    assert "regelwerk explain" in answer.err


def test_with_colour_on_a_terminal(monkeypatch: pytest.MonkeyPatch, run: Any) -> None:
    monkeypatch.setattr("regelwerk.tools.commands.explain.coloured", lambda stream: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    answer = run("explain", "E0203")
    assert answer.code == 0
    assert "[E0203]: unknown-name" in answer.out
