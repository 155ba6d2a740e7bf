"""Colour: on a terminal, and as NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE and --color say."""

from __future__ import annotations

import re
from typing import Any

import pytest

from regelwerk.tools import colour

ESCAPE = "\x1b["
TERMINAL = {"TERM": "xterm-256color"}


@pytest.mark.parametrize(
    ("when", "terminal", "environment", "wanted"),
    [
        ("auto", True, TERMINAL, True),
        ("auto", False, TERMINAL, False),
        ("auto", True, {"TERM": "dumb"}, False),
        ("auto", True, {}, True),
        ("auto", True, {"NO_COLOR": "1"}, False),
        ("auto", True, {"NO_COLOR": ""}, True),
        ("auto", True, {"NO_COLOR": "0"}, False),
        ("auto", False, {"FORCE_COLOR": "1"}, True),
        ("auto", False, {"FORCE_COLOR": ""}, False),
        ("auto", False, {"FORCE_COLOR": "0"}, False),
        ("auto", False, {"CLICOLOR_FORCE": "1"}, True),
        ("auto", False, {"CLICOLOR_FORCE": "0"}, False),
        ("auto", True, {"CLICOLOR": "0"}, False),
        ("auto", False, {"FORCE_COLOR": "1", "TERM": "dumb"}, True),
        ("auto", True, {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ("always", False, {"NO_COLOR": "1", "TERM": "dumb"}, True),
        ("never", True, {"FORCE_COLOR": "1"}, False),
    ],
)
def test_who_decides(when: str, terminal: bool, environment: dict[str, str], wanted: bool) -> None:
    assert colour.wanted(when, terminal, environment) is wanted


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "CLICOLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


COMMANDS = [
    ("check", "broken.rules"),
    ("explain", "E0203"),
    ("explain",),
    ("simulate", "race.rules", "--games", "2"),
    ("test", "scenes.rules", "--no-games"),
    ("draw", "broken.rules"),
    ("simulate", "broken.rules", "--games", "1"),
    ("play", "race.rules", "--seat", "all=random"),
]


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: "-".join(words[:2]))
def test_color_of_the_commands(run: Any, bare: pytest.MonkeyPatch, words: tuple[str, ...]) -> None:
    plain = run(*words)
    assert ESCAPE not in plain.out + plain.err
    forced = run(*words, "--color", "always")
    assert ESCAPE in forced.out + forced.err
    bare.setenv("FORCE_COLOR", "1")
    assert ESCAPE in (answer := run(*words)).out + answer.err
    assert ESCAPE not in (answer := run(*words, "--color=never")).out + answer.err
    bare.setenv("NO_COLOR", "1")
    assert ESCAPE not in (answer := run(*words)).out + answer.err
    assert ESCAPE in (answer := run(*words, "--colour", "always")).out + answer.err


def test_colour_changes_nothing_but_colour(run: Any, bare: pytest.MonkeyPatch) -> None:
    for words in (("check", "broken.rules"), ("explain", "E0203", "dead_end")):
        coloured = re.sub(r"\x1b\[[0-9;]*m", "", run(*words, "--color", "always").out)
        lines = [line for line in coloured.splitlines() if "` says more" not in line]
        assert lines == run(*words).out.splitlines()


def test_json_and_concise_have_no_colour(run: Any, bare: pytest.MonkeyPatch) -> None:
    for form in ("json", "concise"):
        assert ESCAPE not in run("check", "broken.rules", "--format", form, "--color", "always").out


def test_a_word_that_is_none(run: Any) -> None:
    assert run("check", "race.rules", "--color", "sometimes").code == 2
