"""Vienna meets Catan: districts, dots, road and cards against tables of their own, typed from the project's list."""

from __future__ import annotations

from functools import cache

import pytest

import regelwerk
from regelwerk.dsl.diagnostics import render
from regelwerk.dsl.source import Source
from regelwerk.interpreter.loading import check_source
from regelwerk.interpreter.scenarios import ScenarioResult, run_scenarios

DISTRICTS = {  # number: resource, roll
    **{1: ("ore", 5), 2: ("wood", 6), 3: ("brick", 2), 4: ("grain", 9), 5: ("brick", 3), 6: ("wool", 6)},
    **{7: ("ore", 4), 8: ("grain", 6), 9: ("ore", 12), 10: ("brick", 8), 11: ("grain", 9), 12: ("brick", 5)},
    **{13: ("wood", 8), 14: ("wood", 3), 15: ("brick", 11), 16: ("wool", 10), 17: ("wood", 4), 18: ("wool", 5)},
    **{19: ("grain", 11), 20: ("ore", 9), 21: ("grain", 4), 22: ("wood", 10), 23: ("wool", 10)},
}
DOTS = """
    P01 1 2 3 ~ 02 03 08; P02 1 2 9 ~ 01 07 09; P03 1 3 4 ~ 01 04 13; P04 1 4 6 ~ 03 05 15; P05 1 6 7 ~ 04 06 19
    P06 1 7 8 ~ 05 07 21; P07 1 8 9 ~ 02 06 23; P08 2 3 11 ~ 01 10 14; P09 2 9 20 ~ 02 11 27; P10 2 11 22 ~ 08 12 31
    P11 2 20 21 ~ 09 12 42; P12 2 21 22 ~ 10 11 44; P13 3 4 10 ~ 03 14 16; P14 3 10 11 ~ 08 13 28
    P15 4 5 6 ~ 04 16 17; P16 4 5 10 ~ 13 15 18; P17 5 6 12 ~ 15 18 20; P18 5 10 12 ~ 16 17 29
    P19 6 7 15 ~ 05 20 22; P20 6 12 15 ~ 17 19 32; P21 7 8 16 ~ 06 22 24; P22 7 15 16 ~ 19 21 37
    P23 8 9 17 ~ 07 24 25; P24 8 16 17 ~ 21 23 38; P25 9 17 18 ~ 23 26 40; P26 9 18 19 ~ 25 27 40
    P27 9 19 20 ~ 09 26 42; P28 10 11 ~ 14 30 31; P29 10 12 23 ~ 18 30 33; P30 10 23 ~ 28 29 36
    P31 11 22 ~ 10 28 44; P32 12 13 15 ~ 20 33 34; P33 12 13 23 ~ 29 32 36; P34 13 14 15 ~ 32 35 37
    P35 13 14 ~ 34 36 39; P36 13 23 ~ 30 33 35; P37 14 15 16 ~ 22 34 38; P38 14 16 17 ~ 24 37 39
    P39 14 17 ~ 35 38 41; P40 17 18 19 ~ 25 26 41; P41 17 19 ~ 39 40 43; P42 19 20 21 ~ 11 27 43
    P43 19 21 ~ 41 42 44; P44 21 22 ~ 12 31 43
"""
CARDS = """
    orange plain: D01 3 harbour wood; D02 10 harbour brick; D03 11 harbour any; D04 23 limit 8; D05 4 limit 9
    orange plain: D06 5 bonus wood 5; D07 3 bonus brick 10; D08 11 settlement 2 brick + grain
    orange plain: D09 5 city 2 ore + 2 grain
    orange vp: D10 10 points 0.5; D11 23 points 0.5; D12 4 points 1
    yellow plain: D13 12 harbour wool; D14 13 harbour grain; D15 14 harbour any; D16 15 limit 10; D17 6 bonus brick 4
    yellow plain: D18 7 bonus wool 8; D19 12 bonus ore 9; D20 14 settlement 2 wood + wool; D21 6 city 3 ore + wool
    yellow vp: D22 13 points 0.5; D23 15 points 0.5; D24 7 points 1
    green plain: D25 8 harbour ore; D26 9 harbour wood; D27 16 harbour brick; D28 17 limit 8; D29 18 limit 9
    green plain: D30 19 bonus grain 6; D31 8 bonus wood 9; D32 16 settlement wood + 2 grain
    green plain: D33 18 city 2 ore + grain + brick
    green vp: D34 9 points 0.5; D35 17 points 1; D36 19 points 1
    blue plain: D37 1 harbour wool; D38 2 harbour grain; D39 20 harbour ore; D40 21 limit 10; D41 22 bonus ore 5
    blue plain: D42 1 bonus grain 11; D43 20 bonus wool 3; D44 21 settlement brick + 2 wool; D45 none end
    blue vp: D46 2 points 0.5; D47 22 points 1; D48 1 points 1
"""
SECTORS = ("orange", "yellow", "green", "blue")
SPACES, SCENIC_EVERY = 48, 4
RESOURCES = ("wood", "brick", "wool", "grain", "ore")


def dots() -> dict[str, tuple[list[int], list[str]]]:
    """Of each dot its districts and the dots beside it."""
    found = {}
    for part in DOTS.replace("\n", ";").split(";"):
        if part.strip():
            name, *words = part.split()
            middle = words.index("~")
            found[name] = ([int(word) for word in words[:middle]], [f"P{word}" for word in words[middle + 1 :]])
    return found


def cards() -> dict[str, tuple[str, bool, str, list[str]]]:
    """Of each card its colour, whether it is plain, its district and its function."""
    found = {}
    for line in CARDS.strip().splitlines():
        stack, _, rest = line.partition(":")
        sector, kind = stack.split()
        for part in rest.split(";"):
            name, district, *function = part.split()
            found[name] = (sector, kind == "plain", district, function)
    return found


def map_claims() -> list[str]:
    found = [f"Hexes.count is {len(DISTRICTS)} and Corners.count is {len(dots())} and Edges.count is {SPACES}"]
    for number, (good, roll) in DISTRICTS.items():
        found.append(f"d{number}.good is {good} and d{number}.number is {roll} and d{number}.pos is {number}")
    for name, (districts, beside) in dots().items():
        found.append(f"{name}.hexes is {{{', '.join(f'd{k}' for k in districts)}}}")
        found.append(f"{name}.neighbours is {{{', '.join(beside)}}}")
    for space in range(1, SPACES + 1):
        sector = SECTORS[(space - 1) // (SPACES // len(SECTORS))]
        scenic = "" if space % SCENIC_EVERY == 0 else "not "
        found.append(f"Edges.at({space}).sector is {sector} and Edges.at({space}) is {scenic}scenic")
    return found


def card_claims() -> list[str]:
    found = [f"Districts.count is {len(cards())} and robber is none"]
    for name, (sector, plain, district, function) in cards().items():
        place = "none" if district == "none" else f"d{district}"
        points = function[1] if function[0] == "points" else "0"
        stack = "plain_stack" if plain else "scenic_stack"
        found.append(f"{name}.sector is {sector} and {name}.district is {place} and {name}.vp is {points}")
        found.append(f"{name} in {sector}.{stack} and {name}.plain is {'yes' if plain else 'no'}")
    return found


def function_scenarios() -> str:
    """What each card does for who holds it, and that it does nothing else."""
    found = []
    for name, (_, _, _, function) in cards().items():
        word, *rest = function
        goods = {rest[0]} if word == "harbour" and rest[0] != "any" else set()
        everything = word == "harbour" and rest[0] == "any"
        claims = [
            f"A.rates({good}) is {'{2, 4}' if good in goods else '{3, 4}' if everything else '{4}'}"
            for good in RESOURCES
        ]
        claims.append(f"A.hand_limit is {rest[0] if word == 'limit' else 7} and B.hand_limit is 7")
        for good in RESOURCES:
            gains = [roll for roll in range(2, 13) if word == "bonus" and (good, roll) == (rest[0], int(rest[1]))]
            claims.append(f"sum(n in 2..12: claim(A, {good}, n)) is {len(gains)}")
            claims += [f"claim(A, {good}, {roll}) is 1 and claim(B, {good}, {roll}) is 0" for roll in gains]
        for build in ("settlement", "city"):
            own = f" and by_{name}.price is {' '.join(rest)}" if word == build else ""
            claims.append(
                f"A.tariffs({build}).count is {2 if word == build else 1} and B.tariffs({build}).count is 1{own}"
            )
        claims.append(f"A.points is {rest[0] if word == 'points' else 0}")
        lines = "\n".join(f"  then {claim}" for claim in claims)
        found.append(f"scenario {name} {{\n  players A, B, C\n  given {{ set A.districts = [{name}] }}\n{lines}\n}}\n")
    return "".join(found)


def scenario(name: str, claims: list[str]) -> str:
    return f"scenario {name} {{\n  players A, B, C\n" + "\n".join(f"  then {claim}" for claim in claims) + "\n}\n"


TEXT = scenario("map", map_claims()) + scenario("cards", card_claims()) + function_scenarios()
NAMES = [line.split()[1] for line in TEXT.splitlines() if line.startswith("scenario ")]


@cache
def results() -> dict[str, ScenarioResult]:
    header = 'edition 1\nvariant vienna_meets_catan_data "Data" of vienna_meets_catan\n'
    checked = check_source(Source("vienna_meets_catan_data.rules", header + TEXT))
    assert checked.game is not None, "\n".join(render(d, checked.sources) for d in checked.diagnostics)
    return {result.name: result for result in run_scenarios(checked)}


@pytest.mark.parametrize("name", NAMES)
def test_data(name: str) -> None:
    result = results()[name]
    assert result.passed, (result.message, *result.detail)


def test_the_tables_agree_with_each_other() -> None:
    assert len(dots()) == 44
    assert len(cards()) == 48
    assert all(len(beside) == 3 for _, beside in dots().values())
    assert all(name in dots()[other][1] for name, (_, beside) in dots().items() for other in beside)
    assert {number for districts, _ in dots().values() for number in districts} == set(DISTRICTS)
    for sector in SECTORS:
        kinds = [plain for colour, plain, _, _ in cards().values() if colour == sector]
        assert (kinds.count(True), kinds.count(False)) == (9, 3)
    permits = [district for _, _, district, _ in cards().values() if district != "none"]
    assert all(permits.count(str(number)) == (3 if number == 1 else 2) for number in DISTRICTS)


def test_numbers_of_players() -> None:
    assert list(regelwerk.load("vienna_meets_catan").players) == [3, 4]
