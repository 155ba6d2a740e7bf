"""Boards of hexes in the terminal: where corners, edges and hexes stand on the map, and what is written there."""

from __future__ import annotations

import re
from functools import cache
from random import Random

import pytest
from rich.console import Console

import regelwerk
from regelwerk.dsl.source import Source
from regelwerk.interpreter.api import Game, State
from regelwerk.tools.game_facts import Facts
from regelwerk.tools.terminal.board import Board
from regelwerk.tools.terminal.hexes import hex_parts, two_letters


@cache
def game(name: str) -> Game:
    return regelwerk.load(name)


def board(state: State, width: int, viewer: str | None = None) -> Board:
    return Board(Facts(state), state, viewer, width)


def lines(state: State, width: int = 100) -> list[str]:
    console = Console(width=width, color_system=None, force_terminal=False)
    with console.capture() as shown:
        console.print(board(state, width).draw_fields())
    return shown.get().splitlines()


def started(name: str, steps: int = 0, players: int = 3) -> State:
    random, state = Random(4), game(name).new(players, 4)
    for _ in range(steps):
        assert state.decision is not None
        state.step(random.choice(state.decision.options))
    return state


def test_a_fresh_board_shows_every_corner_once() -> None:
    text = "\n".join(lines(started("catan"))[:34])
    numbers = re.findall(r"(?<![\w.])\d+(?!\w)", re.sub(r"(wood|wool|brick|grain|ore) \d+", "", text))
    assert sorted(map(int, numbers)) == list(range(1, 55))
    strokes = [text.count(stroke) for stroke in "/\\"]
    assert sum(strokes) == 48
    assert sum(line.count("|") for line in text.splitlines()) == 24 * 3


def test_rows_of_corners_stand_as_on_the_board() -> None:
    rows = [re.findall(r"\d+", line) for line in lines(started("catan"))[1:33:2]]
    assert next(row for row in rows if row) == ["2", "4", "6"]
    joined = [[int(n) for n in row] for row in rows if row]
    assert [17, 19, 21, 23, 25, 27] in joined
    assert [40, 42, 44, 46] in joined


def test_hexes_say_what_they_are_and_where_the_robber_is() -> None:
    text = "\n".join(lines(started("catan")))
    for word in ("ore 10", "grain 12", "wool 11", "A1", "E3", "C5"):
        assert word in text
    assert text.count("robber") == 1
    assert "Harbours: edge 2-3 rate 3, edge 5-6 rate 2 grain," in text


def test_settlements_and_roads_stand_where_they_are() -> None:
    state = game("catan").new(3, 1, {"start": "A"})
    state.step("Corner.31")
    state.step("Edge.45")  # 31-41
    shown = lines(state)
    corner = next(line for line in shown if "As" in line)
    assert re.findall(r"\w+", corner) == ["29", "As", "33", "35", "37"]
    at = corner.index("As")
    below = shown[shown.index(corner) + 2]
    assert below[at] == "A", "the upright edge under corner 31"
    assert "31" not in re.findall(r"\w+", "\n".join(shown[:34]))
    assert "s settlement" in "\n".join(shown)


def test_edges_are_called_by_their_corners() -> None:
    state = game("catan").new(3, 1, {"start": "A"})
    state.step("Corner.31")
    assert state.decision is not None
    assert [option.text for option in state.decision.options] == ["edge 30-31", "edge 31-32", "edge 31-41"]
    assert [option.id for option in state.decision.options] == ["Edge.43", "Edge.44", "Edge.45"]


@pytest.mark.parametrize(("width", "drawn"), [(120, True), (100, True), (72, True), (50, False)])
def test_the_map_fits_the_screen_or_gives_way(width: int, drawn: bool) -> None:
    state = started("catan_austria", 30)
    shown = lines(state, width)
    assert max(map(len, shown)) <= width
    assert any(re.search(r"/ +\\ +/ +\\", line) for line in shown) == drawn


def test_little_room_makes_short_words_that_are_explained() -> None:
    text = "\n".join(lines(started("catan_austria"), 74))
    assert "wo wood" in text
    assert "wl wool" in text
    assert "wl 9" in text
    assert two_letters(["wood", "wool", "brick", "grain", "ore", "oo"]) == {
        **{"wood": "wo", "wool": "wl", "brick": "br", "grain": "gr", "ore": "or", "oo": "oo"}
    }


def test_other_boards_are_drawn_as_before() -> None:
    assert hex_parts(board(started("vienna_meets_catan"), 100)) is None
    assert hex_parts(board(started("vienna"), 100)) is None
    plain = regelwerk.load(
        Source(
            "plain.rules",
            '''edition 1
game plain "Plain" { players 2 }
use hexes(Hex)
fields Hex/Hexes hexes {
  column worth: 0..9
  drawing worth """
     3 5
    2 0 4
  """
}
state taken per Hex: yes/no = no
phase game for p in players acting p { offer take }
action take(h in Hexes where not it.taken and sum(it.corners.x) >= 0) { effect { set h.taken = yes } }
rank winner by me.seat
''',
        )
    )
    assert hex_parts(board(plain.new(2), 100)) is None
