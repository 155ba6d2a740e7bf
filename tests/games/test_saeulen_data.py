"""The components of Die Säulen von Venedig against tables of their own: board, shapes, faces, cards, constants.

The tables are typed from the data of the game (cells as [x, y] from the upper left, faces in the order of the cells).
"""

from __future__ import annotations

from functools import cache

import pytest

import regelwerk
from regelwerk.dsl.model import game as g
from regelwerk.interpreter.api import Game, State

WIDTH, HEIGHT = 17, 8
CANAL = [
    (1, 6), (2, 6), (3, 6), (4, 6), (4, 5), (4, 4), (4, 3), (5, 3), (6, 3), (7, 3), (8, 3), (8, 4), (8, 5), (8, 6),
    (9, 6), (10, 6), (11, 6), (12, 6), (12, 5), (12, 4), (12, 3), (13, 3), (14, 3), (15, 3), (16, 3), (17, 3),
]  # fmt: skip
SHAPES = {  # cells, stones, arms, tiles
    "domino": ([(0, 0), (1, 0)], 2, 2, 10),
    "i3": ([(0, 0), (1, 0), (2, 0)], 3, 4, 10),
    "l3": ([(0, 0), (1, 0), (0, 1)], 3, 4, 10),
    "square": ([(0, 0), (1, 0), (0, 1), (1, 1)], 4, 7, 10),
    "bridge": ([(0, 0), (1, 0), (2, 0)], 2, 3, 8),
}
FACES = {
    "domino": ["BB", "BB", "BB", "FF", "FF", "BF", "BF", "BF", "BF", "BF"],
    "i3": ["BBB", "BBF", "BBF", "BBF", "BFB", "BFB", "FBF", "FBF", "FFB", "FFF"],
    "l3": ["BBB", "BBF", "BBF", "BFB", "BFF", "BFF", "FBB", "FBB", "FBF", "FFF"],
    "square": ["BBFF", "BBFF", "BBFF", "BBFF", "BFFB", "BFFB", "BBBF", "BBBF", "BFFF", "BFFF"],
    "bridge": ["BXB", "BXB", "FXF", "FXF", "BXF", "BXF", "BXF", "BXF"],
}
CARDS = {  # character, lowest number of players, stones, pillars, markers
    "K01": ("councillor", 2, 4, 0, 0), "K02": ("councillor", 2, 6, 0, 0), "K03": ("pitch_dipper", 2, 0, 4, 2),
    "K04": ("pitch_dipper", 2, 0, 5, 1), "K05": ("pitch_dipper", 2, 0, 3, 2), "K06": ("master_builder", 2, 4, 0, 0),
    "K07": ("master_builder", 2, 5, 0, 0), "K08": ("master_builder", 2, 6, 0, 0), "K09": ("gondolier", 2, 0, 0, 0),
    "K10": ("beggar", 2, 0, 0, 0), "K11": ("councillor", 3, 5, 0, 0), "K12": ("pitch_dipper", 3, 0, 4, 1),
    "K13": ("master_builder", 3, 5, 0, 0), "K14": ("speculator", 3, 0, 0, 0), "K15": ("lawyer", 3, 2, 0, 0),
    "K16": ("councillor", 4, 4, 0, 0), "K17": ("pitch_dipper", 4, 0, 5, 2), "K18": ("master_builder", 4, 6, 0, 0),
    "K19": ("inventor", 4, 0, 0, 0), "K20": ("dealer", 4, 0, 0, 0), "K21": ("councillor", 5, 5, 0, 0),
    "K22": ("pitch_dipper", 5, 0, 4, 2), "K23": ("master_builder", 5, 4, 0, 0), "K24": ("spy", 5, 0, 0, 0),
    "K25": ("arsonist", 5, 0, 0, 2), "K26": ("councillor", 6, 3, 0, 0), "K27": ("pitch_dipper", 6, 0, 6, 1),
    "K28": ("master_builder", 6, 7, 0, 0), "K29": ("spy", 6, 0, 0, 0), "K30": ("beggar", 6, 0, 0, 0),
}  # fmt: skip
START_SYMBOL = {"councillor", "master_builder"}
CHARACTERS = {
    "councillor", "pitch_dipper", "master_builder", "gondolier", "inventor", "speculator", "dealer", "lawyer",
    "arsonist", "spy", "beggar",
}  # fmt: skip


@cache
def game() -> Game:
    return regelwerk.load("saeulen_von_venedig")


@cache
def begun(players: int = 6) -> State:
    return game().new(players, 1)


def entity(name: str) -> g.EntitySymbol:
    return next(each for each in game().checked.entities if each.name == name)


def column(of: str, name: str) -> dict[str, str]:
    """A column in words, by the names of the rows."""
    program, found = begun().program, entity(of)
    symbol = found.columns[name]
    values = program.column_by_row(symbol)
    return {row.name: program.texts.id(values[row.index], symbol.type) for row in found.rows}


def test_the_board() -> None:
    program, cells = begun().program, entity("Cell")
    ground = column("Cell", "ground")
    places = {row.name: (row.grid[1], row.grid[0]) for row in cells.rows if row.grid is not None}
    assert len(places) == len(cells.rows) == WIDTH * HEIGHT
    left, top = min(x for x, _ in places.values()), min(y for _, y in places.values())
    found = {(x - left + 1, y - top + 1): ground[name] for name, (x, y) in places.items()}
    assert set(found) == {(x, y) for x in range(1, WIDTH + 1) for y in range(1, HEIGHT + 1)}
    assert {cell for cell, kind in found.items() if kind == "canal"} == set(CANAL)
    assert sum(kind == "land" for kind in found.values()) == 110
    assert program.players == 6


def test_shapes() -> None:
    stones, arms = column("Shape", "stones"), column("Shape", "arms")
    assert {name: (int(stones[name]), int(arms[name])) for name in stones} == {
        name: (stones, arms) for name, (_, stones, arms, _) in SHAPES.items()
    }
    of = list(column("CityTile", "shape").values())
    assert {name: of.count(name) for name in SHAPES} == {name: tiles for name, (*_, tiles) in SHAPES.items()}


def test_faces_of_the_tiles() -> None:
    pictures, shapes = column("CityTile", "picture"), column("CityTile", "shape")
    assert len(pictures) == 48
    for shape, tiles in FACES.items():
        assert len(tiles) == SHAPES[shape][3]
        for number, faces in enumerate(tiles, 1):
            name = f"{shape}_{number:02}"
            assert shapes[name] == shape
            lines = pictures[name].split("/")
            drawn = {(x, y): face for y, line in enumerate(lines) for x, face in enumerate(line) if face != "."}
            assert drawn == dict(zip(SHAPES[shape][0], faces, strict=True)), name


def test_stones_are_the_pillars_that_a_tile_needs() -> None:
    for shape, (cells, stones, _, _) in SHAPES.items():
        assert stones == len(cells) - (shape == "bridge")


def test_cards() -> None:
    columns = [column("ActionCard", each) for each in ("role", "from_players", "stones", "pillars", "markers")]
    found = {name: tuple(each[name] for each in columns) for name in columns[0]}
    assert found == {name: (card[0], *map(str, card[1:])) for name, card in CARDS.items()}
    numbers = [card[1] for card in CARDS.values()]
    assert [numbers.count(n) for n in range(2, 7)] == [10, 5, 5, 5, 5]


def test_characters() -> None:
    star = column("Role", "star")
    assert set(star) == CHARACTERS
    assert {name for name, value in star.items() if value == "yes"} == START_SYMBOL
    printed = {row.name: row.printed for row in entity("ActionCard").rows}
    assert printed["K03"] == "Pitch Dipper 4/2"
    for name, (character, _, stones, pillars, markers) in CARDS.items():
        number = f" {pillars}/{markers}" if pillars else f" {stones}" if character in START_SYMBOL else ""
        assert printed[name] == character.replace("_", " ").title() + number


def test_options() -> None:
    options = {each.name: each for each in game().options}
    assert set(options) == {"oldest", "round_cap"}
    assert options["oldest"].default is None
    assert list(game().players) == [2, 3, 4, 5, 6]
    assert game().seats == ("Blue", "Red", "Green", "Yellow", "Black", "White")


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_the_oldest_begins(players: int) -> None:
    """The Start Player card, and with it the choice to steal, is with whom the option says."""
    for seat in game().seats[:players]:
        state = game().new(players, 3, {"oldest": seat})
        assert state.actor == seat
        assert state.phase == "game.round.swap"


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_numbers_after_the_setup(players: int) -> None:
    view = begun(players).view()
    zones = {(zone.name, zone.key): zone.count for zone in view.zones}
    seats = game().seats[:players]
    assert zones["quarry", None] == 60
    assert zones["pool", None] == zones["built", None] == zones["gondola", None] == 0
    for seat in seats:
        assert (zones["hand", seat], zones["tiles", seat], zones["markers", seat]) == (5, 2, 8)
    printed = {row.name: row.printed for row in entity("Shape").rows}
    left = {shape: zones["pile", printed[shape]] for shape in SHAPES}
    assert left == {"domino": 10 - players, "i3": 10, "l3": 10, "square": 10 - players, "bridge": 8}
    assert {each.holder: (each.count, each.highest) for each in view.counts} == dict.fromkeys(seats, (0, 80))


@pytest.mark.parametrize("rounds", [1, 3])
def test_a_game_is_given_up_after_the_rounds_of_the_option(rounds: int) -> None:
    state = game().new(2, 1, {"round_cap": str(rounds)})
    while state.status == "decision":
        state.step_raw(state.raw_options[-1])
    outcome = state.outcome
    assert outcome is not None
    assert (outcome.cause, outcome.finished, outcome.winners) == ("cap", False, ())
