"""Boards with many columns are drawn as maps: letters for what lies there, and a legend of the letters."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import pytest
from rich.console import Console

import regelwerk
from regelwerk.interpreter.api import State
from regelwerk.tools.game_facts import Facts
from regelwerk.tools.terminal.board import Board
from regelwerk.tools.terminal.map import distinct_starts

GAMES = Path(__file__).with_name("games")


@pytest.mark.parametrize(
    ("names", "starts"),
    [
        (["Blue", "Black", "Red"], ["Blu", "Bla", "R"]),
        (["Bert", "Berta"], ["Bert", "Berta"]),
        (["rye"], ["r"]),
        (["Ann", "anna"], ["Ann", "anna"]),
        ([], []),
    ],
)
def test_beginnings_tell_names_apart(names: list[str], starts: list[str]) -> None:
    assert list(distinct_starts(names).values()) == starts


def test_beginnings_avoid_what_is_taken() -> None:
    assert distinct_starts(["Blue", "Red"], {"B", "r"}) == {"Blue": "Bl", "Red": "Re"}
    assert distinct_starts(["B"], {"b"}) == {"B": "B"}


def drawn(state: State, width: int) -> list[str]:
    console = Console(width=width, color_system=None, force_terminal=False, file=sys.stdout)
    with console.capture() as capture:
        console.print(Board(Facts(state), state, None, width).draw_fields())
    return [line.strip("│ ") for line in capture.get().splitlines()]


def settled() -> State:
    state = regelwerk.load(GAMES / "wide.rules").new(2, 1)
    state.step(0)
    return state


def test_an_empty_board_is_its_drawing() -> None:
    lines = drawn(regelwerk.load(GAMES / "wide.rules").new(2, 1), 80)
    assert lines[1].split() == list("ABCDEFGHIJKL")
    assert lines[2].split() == ["1", *"..........~~"]
    assert lines[3].split() == ["2", *"............"]
    assert lines[5] == ". land · ~ water"


def test_what_lies_there_has_letters() -> None:
    """A post alone; a flag over it; a hut with a crop; a house, dry, over a post."""
    lines = drawn(settled(), 100)
    assert lines[2].split() == ["1", "p", "p", "Bert", "hu12", "r", "ho7", "d", *"......~~"]
    legend = " ".join(lines[5:])
    for told in ("p Post", "Bert flag of Bert", "hu1… hut", "ho1… house", "r rye", "d dry", ". land", "~ water"):
        assert told in legend, told
    assert "Berta" not in legend


def test_where_there_is_little_room_names_go_before_what_has_none() -> None:
    line = drawn(settled(), 52)[2]
    assert "hu1" in line
    assert "ho7" in line
    assert max(map(len, drawn(settled(), 52))) <= 52


def test_where_there_is_no_room_the_board_is_a_list() -> None:
    lines = drawn(settled(), 24)
    assert not any(line.split() == list("ABCDEFGHIJKL") for line in lines)


def test_a_wide_board_of_a_shipped_game() -> None:
    state = regelwerk.load("saeulen_von_venedig").new(2, 1)
    lines = drawn(state, 100)
    assert lines[4].split() == ["3", *"...~~~~~...~~~~~~"]
    assert lines[7].split() == ["6", *"~~~~...~~~~~....."]


def test_letters_of_seats_and_of_members_differ() -> None:
    """Blue's marker is no building."""
    state, random = regelwerk.load("saeulen_von_venedig").new(3, 5), Random(5)
    while state.status == "decision" and not {"B building", "Bl marker of Blue"} <= told(state):
        state.step_raw(random.choice(state.raw_options))
    assert state.status == "decision"
    assert "B marker of Blue" not in told(state)


def told(state: State) -> set[str]:
    """The entries of the legend."""
    lines = drawn(state, 100)
    board = next(k for k, line in enumerate(lines) if not line)
    return {each.strip() for each in " ".join(lines[board:]).split("·")}
