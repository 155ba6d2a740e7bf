"""Catan's components against tables of their own, typed from published component lists; not read from the rules.

The tables become scenarios of a variant that only adds them.
"""

from __future__ import annotations

from functools import cache

import pytest

import regelwerk
from regelwerk.dsl.diagnostics import render
from regelwerk.dsl.source import Source
from regelwerk.interpreter.loading import check_source
from regelwerk.interpreter.scenarios import ScenarioResult, run_scenarios

HEXES = [  # resource (None: desert), number, corners clockwise from the upper left
    ("ore", 10, (1, 2, 3, 11, 10, 9)),
    ("wool", 2, (3, 4, 5, 13, 12, 11)),
    ("wood", 9, (5, 6, 7, 15, 14, 13)),
    ("grain", 12, (8, 9, 10, 20, 19, 18)),
    ("brick", 6, (10, 11, 12, 22, 21, 20)),
    ("wool", 4, (12, 13, 14, 24, 23, 22)),
    ("brick", 10, (14, 15, 16, 26, 25, 24)),
    ("grain", 9, (17, 18, 19, 30, 29, 28)),
    ("wood", 11, (19, 20, 21, 32, 31, 30)),
    (None, 0, (21, 22, 23, 34, 33, 32)),
    ("wood", 3, (23, 24, 25, 36, 35, 34)),
    ("ore", 8, (25, 26, 27, 38, 37, 36)),
    ("wood", 8, (29, 30, 31, 41, 40, 39)),
    ("ore", 3, (31, 32, 33, 43, 42, 41)),
    ("grain", 4, (33, 34, 35, 45, 44, 43)),
    ("wool", 5, (35, 36, 37, 47, 46, 45)),
    ("brick", 5, (40, 41, 42, 50, 49, 48)),
    ("grain", 6, (42, 43, 44, 52, 51, 50)),
    ("wool", 11, (44, 45, 46, 54, 53, 52)),
]
CORNER_ROWS = [(1, 7), (8, 16), (17, 27), (28, 38), (39, 47), (48, 54)]
UPRIGHT_EDGES = [
    *((1, 9), (3, 11), (5, 13), (7, 15), (8, 18), (10, 20), (12, 22), (14, 24), (16, 26), (17, 28), (19, 30), (21, 32)),
    *((23, 34), (25, 36), (27, 38), (29, 39), (31, 41), (33, 43), (35, 45), (37, 47), (40, 48), (42, 50), (44, 52)),
    (46, 54),
]
COAST_EDGES = [
    *((1, 2), (1, 9), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7), (7, 15), (8, 9), (8, 18), (15, 16), (16, 26), (17, 18)),
    *((17, 28), (26, 27), (27, 38), (28, 29), (29, 39), (37, 38), (37, 47), (39, 40), (40, 48), (46, 47), (46, 54)),
    *((48, 49), (49, 50), (50, 51), (51, 52), (52, 53), (53, 54)),
]
HARBOURS = {  # rate, resource (None: any)
    (2, 3): (3, None),
    (5, 6): (2, "grain"),
    (15, 16): (2, "ore"),
    (37, 38): (3, None),
    (46, 54): (2, "wool"),
    (51, 52): (3, None),
    (40, 48): (3, None),
    (28, 29): (2, "brick"),
    (8, 18): (2, "wood"),
}
RESOURCES = {"wood": 4, "brick": 3, "wool": 4, "grain": 4, "ore": 3}  # hexes of each
BANK_CARDS = 19
TOKENS = {2: 1, 3: 2, 4: 2, 5: 2, 6: 2, 8: 2, 9: 2, 10: 2, 11: 2, 12: 1}
COSTS = {
    "road": {"wood": 1, "brick": 1},
    "settlement": {"wood": 1, "brick": 1, "wool": 1, "grain": 1},
    "city": {"grain": 2, "ore": 3},
    "development": {"wool": 1, "grain": 1, "ore": 1},
}
ROADS, SETTLEMENTS, CITIES = 15, 5, 4
DEVELOPMENT_CARDS = {"knight": 14, "road_building": 2, "year_of_plenty": 2, "monopoly": 2, "victory_point": 5}
HAND_LIMIT, GOAL = 7, 10
LONGEST_ROAD, LARGEST_ARMY = (5, 2), (3, 2)  # least, points


def edges() -> list[tuple[int, int]]:
    along = [(n, n + 1) for first, last in CORNER_ROWS for n in range(first, last)]
    return sorted(along + UPRIGHT_EDGES)


def amount(cards: dict[str, int]) -> str:
    return " + ".join(f"{n} {k}" for k, n in cards.items())


def scenario(name: str, claims: list[str], given: str = "") -> str:
    lines = "\n".join(f"  then {claim}" for claim in claims)
    return f'scenario {name} "{name}" {{\n  players A, B, C\n{given}{lines}\n}}\n'


def corners(numbers: tuple[int, ...]) -> str:
    return "{" + ", ".join(f"corner({n})" for n in numbers) + "}"


def hex_claims() -> list[str]:
    found = [f"Hexes.count is {len(HEXES)}"]
    for number, (good, token, around) in enumerate(HEXES, 1):
        place = f"Hexes.at({number})"
        found.append(f"{place}.good is {good or 'none'} and {place}.number is {token}")
        found.append(f"{place}.corners is {corners(around)}")
    return found


def count_claims() -> list[str]:
    found = [f"count(h in Hexes where h.good is {k}) is {n}" for k, n in RESOURCES.items()]
    found += ["count(h in Hexes where h.good is none) is 1"]
    found += [f"count(h in Hexes where h.number is {n}) is {TOKENS.get(n, 0)}" for n in range(2, 13)]
    return found


def edge_claims() -> list[str]:
    found = [f"Edges.count is {len(edges())}", f"Corners.count is {CORNER_ROWS[-1][1]}"]
    for place, (a, b) in enumerate(edges(), 1):
        coast = "" if (a, b) in COAST_EDGES else "not "
        found.append(f"edge({a}, {b}).pos is {place} and edge({a}, {b}) is {coast}coastal")
    return found


def harbour_claims() -> list[str]:
    found = [f"Harbours.count is {len(HARBOURS)}"]
    for (a, b), (rate, good) in HARBOURS.items():
        row = f"first(h in Harbours where h.at is edge({a}, {b}))"
        found.append(f"{row}.rate is {rate} and {row}.good is {good or 'none'}")
    return found


def box_claims() -> list[str]:
    found = [f"bank.goods({k}) is {BANK_CARDS}" for k in RESOURCES]
    found += [f"count(t in Tariffs where t.build is {build}) is 1" for build in COSTS]
    found += [f"first(t in Tariffs where t.build is {build}).price is {amount(cost)}" for build, cost in COSTS.items()]
    found += [f"count(d in DevCards where d is {card}) is {n}" for card, n in DEVELOPMENT_CARDS.items()]
    found += [f"DevCards.count is {sum(DEVELOPMENT_CARDS.values())} and deck.count is DevCards.count"]
    for seat in "ABC":
        found += [
            f"{seat}.roads.count is {ROADS} and {seat}.buildings.count is {SETTLEMENTS + CITIES}",
            f"count(b in {seat}.buildings where b is settlement) is {SETTLEMENTS}",
            f"count(b in {seat}.buildings where b is city) is {CITIES} and {seat}.hand_limit is {HAND_LIMIT}",
        ]
    found += [f"goal is {GOAL} and Dice.count is 2 and robber is Hexes.at(10)"]
    return found


def title_scenarios() -> str:
    """The titles at their least, and one below it."""
    helpers = (
        "effect roads(n: number) { for k in 1..n { move me.roads.first to edge(k, k + 1).road } }\n"
        "effect knights(n: number) { repeat at most n { move first(d in DevCards where d in deck and d is knight)"
        " to me.knights } }\n"
    )
    found = helpers
    for title, helper, (least, points) in (
        ("longest_road", "roads", LONGEST_ROAD),
        ("largest_army", "knights", LARGEST_ARMY),
    ):
        for n, holder, worth in ((least - 1, "none", 0), (least, "A", points)):
            found += (
                f"scenario {title}_{n} {{\n  players A, B, C\n  play {helper}({n}) as A {{ }}\n"
                f"  then {title}.holder is {holder} and A.points is {worth}\n}}\n"
            )
    return found


TEXT = (
    scenario("hexes", hex_claims())
    + scenario("numbers", count_claims())
    + scenario("edges", edge_claims())
    + scenario("harbours", harbour_claims())
    + scenario("box", box_claims())
    + title_scenarios()
)
NAMES = [line.split()[1] for line in TEXT.splitlines() if line.startswith("scenario ")]


@cache
def results() -> dict[str, ScenarioResult]:
    checked = check_source(Source("catan_data.rules", f'edition 1\nvariant catan_data "Data" of catan\n{TEXT}'))
    assert checked.game is not None, "\n".join(render(d, checked.sources) for d in checked.diagnostics)
    return {result.name: result for result in run_scenarios(checked)}


@pytest.mark.parametrize("name", NAMES)
def test_data(name: str) -> None:
    result = results()[name]
    assert result.passed, (result.message, *result.detail)


def test_the_tables_agree_with_each_other() -> None:
    assert sum(TOKENS.values()) == 18 == sum(RESOURCES.values())
    assert len(edges()) == 72
    assert len(COAST_EDGES) == 30
    sides = [tuple(sorted((c[k], c[(k + 1) % 6]))) for _, _, c in HEXES for k in range(6)]
    assert set(sides) == set(edges())
    assert sorted(side for side in set(sides) if sides.count(side) == 1) == sorted(COAST_EDGES)


def test_numbers_of_players() -> None:
    assert list(regelwerk.load("catan").players) == [3, 4]
