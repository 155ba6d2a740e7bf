"""Catan Austria's map, states and hotels against tables of their own, typed from the project's component list."""

from __future__ import annotations

from functools import cache

import pytest

import regelwerk
from regelwerk.dsl.diagnostics import render
from regelwerk.dsl.source import Source
from regelwerk.interpreter.loading import check_source
from regelwerk.interpreter.scenarios import ScenarioResult, run_scenarios

STATES = {  # hexes, points, port (2:1)
    "niederoesterreich": (6, 2, "grain"),
    "wien": (1, 1, "brick"),
    "oberoesterreich": (4, 2, "brick"),
    "vorarlberg": (2, 1, "wool"),
    "tirol": (5, 2, "wool"),
    "salzburg": (3, 1, "ore"),
    "steiermark": (5, 2, "ore"),
    "kaernten": (3, 1, "wood"),
    "burgenland": (2, 1, "grain"),
}
HEXES = [  # name, row, column, state, resource (None: gold), number
    ("waldviertel", 0, 7, "niederoesterreich", "wood", 12),
    ("weinviertel", 0, 8, "niederoesterreich", "grain", 11),
    ("marchfeld", 0, 9, "niederoesterreich", "grain", 5),
    ("innviertel", 1, 4, "oberoesterreich", "grain", 2),
    ("muehlviertel", 1, 5, "oberoesterreich", "wool", 9),
    ("mostviertel", 1, 6, "niederoesterreich", "grain", 10),
    ("wachau", 1, 7, "niederoesterreich", "brick", 6),
    ("wien", 1, 8, "wien", None, 10),
    ("rheintal", 2, 0, "vorarlberg", "wool", 4),
    ("ausserfern", 2, 1, "tirol", "wood", 6),
    ("innsbruck", 2, 2, "tirol", "ore", 9),
    ("tiroler_unterland", 2, 3, "tirol", "wool", 10),
    ("flachgau", 2, 4, "salzburg", "brick", 9),
    ("salzkammergut", 2, 5, "oberoesterreich", "wood", 4),
    ("traunviertel", 2, 6, "oberoesterreich", "brick", 8),
    ("hochsteiermark", 2, 7, "steiermark", "ore", 5),
    ("industrieviertel", 2, 8, "niederoesterreich", "brick", 3),
    ("neusiedler_see", 2, 9, "burgenland", "grain", 8),
    ("montafon", 3, 0, "vorarlberg", "ore", 3),
    ("oetztal", 3, 1, "tirol", "wool", 11),
    ("pinzgau", 3, 3, "salzburg", "wool", 4),
    ("lungau", 3, 4, "salzburg", "ore", 11),
    ("murau", 3, 5, "steiermark", "wood", 12),
    ("leoben", 3, 6, "steiermark", "ore", 3),
    ("oststeiermark", 3, 7, "steiermark", "grain", 8),
    ("suedburgenland", 3, 8, "burgenland", "brick", 2),
    ("osttirol", 4, 3, "tirol", "ore", 6),
    ("oberkaernten", 4, 4, "kaernten", "wood", 5),
    ("mittelkaernten", 4, 5, "kaernten", "wool", 10),
    ("unterkaernten", 4, 6, "kaernten", "wood", 5),
    ("suedsteiermark", 4, 7, "steiermark", "brick", 9),
]
CORNERS, EDGES = 91, 121
HOTELS, GOAL = 15, 15
PRICES = {"bordered": 1, "not bordered": 2, "to displace": 3}
WIEN_CORNERS = [  # of the gold field, clockwise; each by the hexes it borders
    {"marchfeld", "weinviertel", "wien"},
    {"marchfeld", "wien"},
    {"neusiedler_see", "wien"},
    {"industrieviertel", "neusiedler_see", "wien"},
    {"industrieviertel", "wachau", "wien"},
    {"wachau", "weinviertel", "wien"},
]


def touching() -> set[frozenset[str]]:
    """Pairs of hexes side by side: rows shifted half a hex to the east on odd rows."""
    at = {(row, col): name for name, row, col, *_ in HEXES}
    found = set()
    for (row, col), name in at.items():
        east = [(row, col + 1), (row + 1, col - 1 + row % 2), (row + 1, col + row % 2)]
        found |= {frozenset({name, at[place]}) for place in east if place in at}
    return found


def state_row(name: str) -> str:
    return "wien_state" if name == "wien" else name


def claims() -> list[str]:
    found = [f"Hexes.count is {len(HEXES)} and Corners.count is {CORNERS} and Edges.count is {EDGES}"]
    for name, row, col, state, good, number in HEXES:
        found += [
            f"{name}.row is {row} and {name}.col is {col} and {name}.state is {state_row(state)}",
            f"{name}.good is {good or 'none'} and {name}.number is {number} and {name}.corners.count is 6",
        ]
    for state, (hexes, points, port) in STATES.items():
        card = state_row(state)
        found += [
            f"count(h in Hexes where h.state is {card}) is {hexes}",
            f"{card}.vp is {points} and {card}.port is {port}",
        ]
    found += [f"States.count is {len(STATES)} and Harbours.count is 0 and robber is wien and goal is {GOAL}"]
    found += [f"every(p in players: p.hotels.count is {HOTELS}) and every(h in Hexes: h.hotel is empty)"]
    found += ["every(p in players: p.roads.count is 15 and p.buildings.count is 9) and deck.count is 25"]
    for pair in sorted(tuple(sorted(each)) for each in touching()):
        a, b = pair
        found.append(f"count(c in {a}.corners where c in {b}.corners) is 2")
    around = ["{" + ", ".join(sorted(each)) + "}" for each in WIEN_CORNERS]
    found += [
        f"count(c in wien.corners where c.hexes.count is {each.count(',') + 1}"
        f" and every(h in {each}: h in c.hexes)) is 1"
        for each in around
    ]
    return found


@cache
def results() -> dict[str, ScenarioResult]:
    lines = "\n".join(f"  then {claim}" for claim in claims())
    prices = (
        "scenario prices {\n  players A, B, C\n  given {\n    acting A { gain 9 brick }\n"
        "    acting B { move me.hotels.first to traunviertel.hotel }\n"
        "    for h in {innviertel, muehlviertel, salzkammergut} { move B.hotels.first to h.hotel }\n"
        "    move first(b in C.buildings where b is settlement) to wachau.corners.first.building\n  }\n"
        "  play game.act as A {\n"
        f"    then cost(build_hotel(wachau, brick)) is {PRICES['bordered']} brick\n"
        f"    then cost(build_hotel(flachgau, brick)) is {PRICES['not bordered']} brick\n"
        f"    then cost(build_hotel(traunviertel, brick)) is {PRICES['to displace']} brick\n  }}\n}}\n"
    )
    text = f"scenario data {{\n  players A, B, C\n{lines}\n}}\n{prices}"
    source = Source("catan_austria_data.rules", f'edition 1\nvariant catan_austria_data "D" of catan_austria\n{text}')
    checked = check_source(source)
    assert checked.game is not None, "\n".join(render(d, checked.sources) for d in checked.diagnostics)
    return {result.name: result for result in run_scenarios(checked)}


@pytest.mark.parametrize("name", ["data", "prices"])
def test_data(name: str) -> None:
    result = results()[name]
    assert result.passed, (result.message, *result.detail)


def test_the_tables_agree_with_each_other() -> None:
    assert sum(hexes for hexes, _, _ in STATES.values()) == len(HEXES) == 31
    assert sum(points for _, points, _ in STATES.values()) == 13
    assert all(points == (2 if hexes >= 4 else 1) for hexes, points, _ in STATES.values())
    assert all(sum(1 for each in HEXES if each[4] == good) == 6 for good in ("wood", "brick", "wool", "grain", "ore"))
    assert 6 * len(HEXES) - len(touching()) == EDGES


def test_numbers_of_players() -> None:
    assert list(regelwerk.load("catan_austria").players) == [3, 4]
