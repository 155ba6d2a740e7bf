"""Vienna's components against tables of their own, typed from the checklist of the printed rules (its section 3).

The tables become scenarios of a variant that only adds them, so whatever runs scenarios can be held against them.
"""

from __future__ import annotations

from functools import cache

import pytest

from regelwerk.dsl.diagnostics import render
from regelwerk.dsl.source import Source
from regelwerk.interpreter.api import Game, State, load
from regelwerk.interpreter.loading import check_source
from regelwerk.interpreter.scenarios import ScenarioResult, run_scenarios

# Position, name in the rules, printed name, value, action (as the checklist words it).
FIELDS = [
    (1, "krieau", "Krieau", "1", "lightning: Gendarme on a free street field, then 1 coin or 1 VP"),
    (2, "prater", "Prater", "1", "lightning: 1 coin, then may turn one unplaced own die"),
    (3, "secession", "Secession", "2", "special card dice_joker"),
    (4, "oper", "Oper", "2", "1 VP"),
    (5, "naschmarkt", "Naschmarkt", "3", "2 coins"),
    (6, "cafe_central", "Café Central", "3", "special card start_player"),
    (7, "heldenplatz", "Heldenplatz", "4", "character, pay 1 coin"),
    (8, "parlament", "Parlament", "4", "1 coin + 1 VP"),
    (9, "burgtheater", "Burgtheater", "5", "character, pay 1 coin"),
    (10, "rathaus", "Rathaus", "5", "pay 3 coins, then 4 VP"),
    (11, "universitaet", "Universität", "5", "special card additional_die"),
    (12, "landtmann", "Café Landtmann", "6", "special card double_move"),
    (13, "hofreitschule", "Hofreitschule", "6", "2 VP"),
    (14, "postsparkasse", "Postsparkasse", "6", "character, pay 1 coin"),
    (15, "karlskirche", "Karlskirche", "7", "character, pay 1 coin"),
    (16, "albertina", "Albertina", "7", "3 coins"),
    (17, "hofburg", "Hofburg", "7", "special card more_influence"),
    (18, "pestsaeule", "Pestsäule", "8", "compare citizens: majority 2 VP + 1 coin, tie 1 VP"),
    (19, "stephansdom", "Stephansdom", "9", "compare crosses: majority 2 VP + 1 coin, tie 1 VP"),
    (20, "belvedere", "Belvedere", "10", "compare crowns: majority 2 VP + 1 coin, tie 1 VP"),
    (21, "schoenbrunn", "Schönbrunn", "11", "character, free"),
    (22, "gloriette", "Gloriette", "12", "pay 1 coin, compare a symbol not yet counted: majority 2 VP, tie 1 VP"),
    (23, "tiergarten", "Tiergarten", "double", "take 0-3 coins from one player or 1 coin each from two"),
    (24, "heuriger", "Heuriger", "double", "1 VP for each special card held"),
    (25, "geheimbund", "Geheimbund", "any die", "lightning, off the street: 1 coin per die placed"),
]
START_CARDS = {  # coins, (citizens, crosses, crowns)
    "S1": (3, (1, 0, 0)),
    "S2": (3, (0, 1, 0)),
    "S3": (3, (0, 0, 1)),
    "S4": (2, (1, 1, 0)),
    "S5": (2, (0, 1, 1)),
    "S6": (2, (1, 0, 1)),
}
CHARACTERS = {
    "C01": ("Flower Seller", (1, 0, 0)),
    "C02": ("Novice", (0, 1, 0)),
    "C03": ("Page", (0, 0, 1)),
    "C04": ("Innkeeper", (2, 0, 0)),
    "C05": ("Parish Priest", (0, 2, 0)),
    "C06": ("Lady-in-Waiting", (0, 0, 2)),
    "C07": ("Mayor", (3, 0, 0)),
    "C08": ("Cardinal", (0, 3, 0)),
    "C09": ("Archduke", (0, 0, 3)),
    "C10": ("Nursing Sister", (1, 1, 0)),
    "C11": ("Court Chaplain", (0, 1, 1)),
    "C12": ("Court Purveyor", (1, 0, 1)),
    "C13": ("Guild Master", (2, 1, 0)),
    "C14": ("Banker", (2, 0, 1)),
    "C15": ("Abbot", (1, 2, 0)),
    "C16": ("Bishop", (0, 2, 1)),
    "C17": ("Minister", (1, 0, 2)),
    "C18": ("Countess", (0, 1, 2)),
    "C19": ("Professor", (2, 2, 0)),
    "C20": ("Court Preacher", (0, 2, 2)),
    "C21": ("Industrialist", (2, 0, 2)),
    "C22": ("Composer", (1, 1, 1)),
}
SPECIALS = {
    "start_player": (0, 0, 0),
    "double_move": (0, 0, 0),
    "dice_joker": (0, 0, 0),
    "more_influence": (1, 1, 1),
    "additional_die": (0, 0, 0),
}
START_POINTS = {3: 0, 4: 2, 5: 4}
DICE_EACH = {3: 5, 4: 4, 5: 4}
OPEN_CARDS = {3: 2, 4: 3, 5: 4}
COINS = 25
DICE_IN_THE_BOX = 26
TARGET = 25
COPIES_OF_A_CHARACTER = 2


NEEDS = {"double": "doubles", "any die": "anything"}  # the checklist's words in the rules
SYMBOLS = ("citizen", "cross", "crown")


def symbol_claims(card: str, symbols: tuple[int, int, int]) -> str:
    each = " and ".join(f"{card}.symbols({symbol}) is {n}" for symbol, n in zip(SYMBOLS, symbols, strict=True))
    return f"{each} and {card}.symbols.total is {sum(symbols)}"


def scenario(name: str, body: str, seats: str = "S, M, N") -> str:
    return f'scenario {name} "{name}" {{\n  players {seats}\n{body}\n}}\n'


def data_scenarios() -> str:
    found = []
    claims = "\n".join(
        f"  then {row}.coins is {coins} and {symbol_claims(row, s)}" for row, (coins, s) in START_CARDS.items()
    )
    found.append(scenario("start_cards", f"  then StartCard.count is {len(START_CARDS)}\n{claims}"))
    claims = "\n".join(
        f"  then {symbol_claims(row, s)}\n  then count(c in Characters where c is {row}) is {COPIES_OF_A_CHARACTER}"
        for row, (_, s) in CHARACTERS.items()
    )
    total = COPIES_OF_A_CHARACTER * len(CHARACTERS)
    found.append(scenario("characters", f"  then Characters.count is {total} and deck.count is {total}\n{claims}"))
    claims = "\n".join(f"  then {symbol_claims(row, symbols)}" for row, symbols in SPECIALS.items())
    found.append(
        scenario("specials", f"  then Specials.count is {len(SPECIALS)} and beside.count is {len(SPECIALS)}\n{claims}")
    )
    claims = "\n".join(
        f"  then {row}.pos is {pos} and {row}.needs is {NEEDS.get(value, value)}"
        f"\n  then {row} is {'not ' if row == 'geheimbund' else ''}on_street"
        for pos, row, _, value, _ in FIELDS
    )
    found.append(scenario("fields", f"  then Fields.count is {len(FIELDS)}\n{claims}"))
    for players, points in START_POINTS.items():
        seats = ", ".join("SMNTU"[:players])
        claims = (
            f"  then every(p in players: p.points is {points} and p.dice.count is {DICE_EACH[players]})\n"
            f"  then open_cards is {OPEN_CARDS[players]} and bank.coins is {COINS} and target is {TARGET}\n"
            f"  then Dice.count is {players * DICE_EACH[players] + 1} and white_rest.count is 1"
        )
        found.append(scenario(f"with_{players}_players", claims, seats))
    return "".join(found)


GAINS = {  # coins and points of an evaluation, with 9 coins in hand
    "oper": (0, 1),
    "naschmarkt": (2, 0),
    "parlament": (1, 1),
    "rathaus": (-3, 4),
    "hofreitschule": (0, 2),
    "albertina": (3, 0),
    "pestsaeule": (2, 4),  # more than both neighbours
    "stephansdom": (2, 4),
    "belvedere": (2, 4),
}
TIES = {"pestsaeule": (0, 2), "stephansdom": (0, 2), "belvedere": (0, 2)}  # as many as both neighbours
TAKES_A_CHARACTER = {"heldenplatz": 1, "burgtheater": 1, "postsparkasse": 1, "karlskirche": 1, "schoenbrunn": 0}
TAKES_A_SPECIAL = {
    "secession": "dice_joker",
    "cafe_central": "start_player",
    "universitaet": "additional_die",
    "landtmann": "double_move",
    "hofburg": "more_influence",
}
COMPARES = {"pestsaeule": 1, "stephansdom": 2, "belvedere": 3}


def action_scenarios() -> str:
    """Every field once, played alone."""
    rich = "acting S { gain 9 coins }"
    start = "set S.points = 0"
    found = ["effect evaluate(f: Field) { do f.evaluation }\neffect lightning(f: Field) { do f.at_once(me.dice) }\n"]

    def influence(seat: str, row: str, n: int) -> str:
        return f"pin {seat}.influence = [{', '.join(str(n if k == COMPARES[row] else 0) for k in (1, 2, 3))}]"

    for row, (coins, points) in GAINS.items():
        pins = f"{influence('S', row, 2)} {influence('M', row, 1)} {influence('N', row, 1)}" if row in COMPARES else ""
        found.append(
            scenario(
                f"gains_{row}",
                f"  given {{ {rich} {start} {pins} }}\n  play evaluate({row}) as S {{}}\n"
                f"  then S.coins is {9 + coins} and S.points is {points}",
            )
        )
    for row, (coins, points) in TIES.items():
        pins = f"{influence('S', row, 1)} {influence('M', row, 1)} {influence('N', row, 1)}"
        found.append(
            scenario(
                f"ties_{row}",
                f"  given {{ {rich} {start} {pins} }}\n  play evaluate({row}) as S {{}}\n"
                f"  then S.coins is {9 + coins} and S.points is {points}",
            )
        )
    for row, fee in TAKES_A_CHARACTER.items():
        found.append(
            scenario(
                f"character_{row}",
                f"  given {{ {rich} set open = [C07, C08] }}\n"
                f"  play evaluate({row}) as S {{ then options is {{C07, C08}}   when S: C08 }}\n"
                f"  then S.row.count is 1 and S.row.first is C08 and S.coins is {9 - fee}",
            )
        )
    for row, card in TAKES_A_SPECIAL.items():
        found.append(
            scenario(
                f"special_{row}",
                f"  play evaluate({row}) as S {{}}\n  then {card}.holder is S and S.specials.count is 1",
            )
        )
    found.append(
        scenario(
            "gloriette",
            f"  given {{ {rich} {start} pin S.influence = [2, 2, 2]\n"
            "    pin M.influence = [1, 1, 1]   pin N.influence = [1, 1, 1] }\n"
            "  play evaluate(gloriette) as S { then options is {citizen, cross, crown}   when S: cross }\n"
            "  then S.coins is 8 and S.points is 4",
        )
    )
    found.append(
        scenario(
            "heuriger",
            f"  given {{ {start} move dice_joker to S.specials move double_move to S.specials }}\n"
            "  play evaluate(heuriger) as S {}\n  then S.points is 2",
        )
    )
    found.append(
        scenario(  # 1, 2 or 3 from M (who has 3), 1 from N (who has 1), 1 from each, or nothing
            "tiergarten",
            "  given { acting M { gain 3 coins } acting N { gain 1 coin } }\n"
            "  play evaluate(tiergarten) as S { then options.count is 6   when S: [[M, N], 1] }\n"
            "  then S.coins is 2 and M.coins is 2 and N.coins is 0",
        )
    )
    found.append(
        scenario(
            "krieau",
            f"  given {{ {start} }}\n  play lightning(krieau) as S {{\n"
            "    then options.count is 24\n    when S: oper\n    then options.count is 2\n  }\n  then gendarme is oper",
        )
    )
    found.append(
        scenario(
            "prater",
            "  given { for d in S.dice { set d.face = 1 } }\n  play lightning(prater) as S {\n"
            "    then S.coins is 1 and options.count is 6\n    when S: no\n  }\n  then every(d in S.dice: d.face is 1)",
        )
    )
    found.append(scenario("geheimbund", "  play lightning(geheimbund) as S {}\n  then S.coins is 5"))
    return "".join(found)


@cache
def results() -> dict[str, ScenarioResult]:
    text = 'edition 1\nvariant vienna_data "Data" of vienna\n' + data_scenarios() + action_scenarios()
    checked = check_source(Source("vienna_data.rules", text))
    assert checked.game is not None, "\n".join(render(d, checked.sources) for d in checked.diagnostics)
    return {result.name: result for result in run_scenarios(checked)}


NAMES = [
    line.split()[1] for line in (data_scenarios() + action_scenarios()).splitlines() if line.startswith("scenario ")
]


@pytest.mark.parametrize("name", NAMES)
def test_data(name: str) -> None:
    result = results()[name]
    assert result.passed, (result.message, *result.detail)


def test_every_field_is_played() -> None:
    played = {*GAINS, *TAKES_A_CHARACTER, *TAKES_A_SPECIAL}
    played |= {"gloriette", "heuriger", "tiergarten", "krieau", "prater", "geheimbund"}
    assert played == {row for _, row, _, _, _ in FIELDS}


@cache
def vienna() -> Game:
    return load("vienna")


def test_printed_names() -> None:
    names = {row.name: row.printed for each in vienna().checked.entities for row in each.rows}
    assert {row: names[row] for row in CHARACTERS} == {row: name for row, (name, _) in CHARACTERS.items()}
    assert [names[row] for _, row, _, _, _ in FIELDS] == [printed for _, _, printed, _, _ in FIELDS]
    assert [row.name for row in next(e for e in vienna().checked.entities if e.name == "Field").rows] == [
        f[1] for f in FIELDS
    ]


def test_numbers_of_players() -> None:
    assert list(vienna().players) == [3, 4, 5]


def started(players: int) -> State:
    """A game after its setup, in the first round."""
    state = vienna().new(players, 1)
    while state.decision is not None and state.phase.startswith("setup"):
        state.step(0)
    return state


@pytest.mark.parametrize("players", [3, 4, 5])
def test_only_the_deck_is_hidden(players: int) -> None:
    state = started(players)
    for seat in (None, *state.seats):
        for zone in state.view(seat).zones:
            assert (zone.things is None) == (zone.name == "deck"), zone.name
        assert all(each.value is not None for each in state.view(seat).states)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_numbers_after_the_setup(players: int) -> None:
    view = started(players).view()
    counts = {(zone.name, zone.key): zone.count for zone in view.zones}
    characters = COPIES_OF_A_CHARACTER * len(CHARACTERS)
    assert counts["open", None] == OPEN_CARDS[players]
    assert counts["deck", None] == characters - OPEN_CARDS[players] - counts["discard", None]
    assert counts["box", None] == len(START_CARDS) - players
    assert counts["beside", None] == len(SPECIALS) - 1
    assert all(counts["start", seat] == 1 for seat in view_seats(players))
    coins = {each.holder: each.count for each in view.counts if each.name == "coin"}
    assert sum(coins.values()) == COINS


def view_seats(players: int) -> tuple[str, ...]:
    return vienna().seats[:players]


def test_the_box_holds_enough_dice() -> None:
    assert max(players * each for players, each in DICE_EACH.items()) + 1 <= DICE_IN_THE_BOX
