"""Grand Austria Hotel's components against `hotel_facts.py`, and what a fresh game holds and hides.

A card's cell is compared with what its fact says in the words of the rules (`cell_of` and its neighbours); what those
words do is shown by the scenarios beside the game. Numbers become scenarios of a variant that only adds them.
"""

from __future__ import annotations

from collections.abc import Sized
from functools import cache

import pytest
from tests.games import hotel_facts as facts
from tests.games.hotel_facts import Fact

import regelwerk
from regelwerk.dsl.diagnostics import render
from regelwerk.dsl.source import Source
from regelwerk.interpreter.api import Game, State
from regelwerk.interpreter.loading import check_source, shipped_games
from regelwerk.interpreter.scenarios import ScenarioResult, run_scenarios

PATH = shipped_games()["grand_austria_hotel"]
LETTERS = {"S": "strudel", "C": "cake", "W": "wine", "K": "coffee"}
TIMINGS = {"once_per_round": "per_round", "immediate": "hire", "permanent": "permanent", "game_end": "game_end"}
LETTER_ROWS = {"A": "letter_a", "B": "letter_b", "C": "letter_c"}


@cache
def rows(first_column: str) -> dict[str, dict[str, str]]:
    """The rows of the table whose first column has this name: cells by column, as they are written."""
    lines = PATH.read_text(encoding="utf-8").splitlines()
    start = next(k for k, line in enumerate(lines) if line.strip().startswith(f"| {first_column} "))
    found = []
    for line in lines[start:]:
        if not line.strip().startswith("|"):
            break
        found.append([cell.strip() for cell in line.strip().strip("|").split("|")])
    header = found[0]
    return {row[0].split()[0]: dict(zip(header, row, strict=True)) for row in found[1:]}


# ------------------------------------------------------------------------------------------------ facts as cells
UNITS = {"krones": "krone/krones", "emperor_steps": "emperor/emperor", "vp": "point/points", "cake": "cake/cakes"}


def amount(gain: dict[str, int]) -> str:
    """Strudel first, krones and steps behind them."""
    order = ["strudel", "cake", "wine", "coffee", "krones", "emperor_steps", "vp"]
    assert set(gain) <= set(order)
    parts = []
    for unit in order:
        n = gain.get(unit, 0)
        one, many = UNITS.get(unit, f"{unit}/{unit}").split("/")
        if n:
            parts.append(one if n == 1 and unit in LETTERS.values() else f"{n} {one if n == 1 else many}")
    return " + ".join(parts)


def cell_of(fact: Fact, may: str = "may ") -> str:
    """A reward in the words of the rules."""
    ((kind, value),) = fact.items()
    if kind == "gain":
        fixed = {unit: n for unit, n in value.items() if unit != "any_item"}
        parts = [f"gain {amount(fixed)}"] if fixed else []
        if "any_item" in value:
            parts.append(f"{may}do any_goods({value['any_item']})")
        return " then ".join(parts)
    if kind == "prepare_rooms":
        extra = ", free: yes" if value.get("free") else ""
        extra += f", top: {value['max_row']}" if "max_row" in value else ""
        extra += f", off: {value['discount_each']}" if "discount_each" in value else ""
        return f"do prepare({value['up_to']}{extra})"
    if kind == "play_staff":
        return f"do play_staff({value['up_to']}, {9 if value.get('free') else value['discount']})"
    if kind == "draw_and_play_staff":
        assert value["play"] == 1
        return f"do audition({value['draw']}, off: {9 if value.get('free') else value['discount']})"
    if kind == "take_guests":
        return f"do take_guest_free({value['up_to']})"
    if kind == "occupy_rooms":
        return f"do turn_rooms({value['up_to']})"
    if kind == "prepare_and_occupy_room":
        return f"do place_occupied({value.get('max_row', 4)})"
    if kind == "gain_per_staff_played":
        return f"gain {value['vp']} * me.office.count points"
    return {"draw_staff": f"do draw_staff({value})", "extra_action": "do extra_action"}[kind]


def test_the_highest_price_of_a_card_is_waived_by_9() -> None:
    assert max(cost for _, cost, _, _ in facts.STAFF.values()) <= 9


@pytest.mark.parametrize("number", facts.GUESTS)
def test_guest(number: int) -> None:
    name, colour, order, points, reward = facts.GUESTS[number]
    counts = {LETTERS[each]: order.count(each) for each in LETTERS if each in order}
    row = rows("guest")[f"g{number}"]
    assert row["guest"] == f'g{number} "{name}"'
    assert row["colour"] == colour
    assert row["order"] == amount(counts)
    assert row["vp"] == str(points)
    assert row["reward"] == " then ".join(cell_of(each) for each in reward)


def staff_cell(number: int, effect: Fact) -> str:
    """What a Staff card does in the words of the rules."""
    special = {
        15: "instead of split(n) while happened take_die(court) this action { gain n krones + n emperor }",
        26: "instead of penalty { nothing }",
        29: 'choose c in me.others.office where c.kind is game_end and c is not s29 "Copy which card?" { do c.does }',
        33: "after checked_in(g) while g.order.total >= 4 { gain 4 points }",
        38: "choose g in me.cafe where g is unserved and bank.goods >= g.missing { give g.missing to g from bank }",
    }
    if number in special:
        return special[number]
    if "faces" in effect:
        faces = effect["faces"]
        test = f"is {faces[0]}" if len(faces) == 1 else f"in {{{', '.join(map(str, faces))}}}"
        strength = f"modify strength(s) while s.face {test} plus {effect.get('strength_plus')}"
        if effect.get("no_fee"):
            return f"modify joker_fee becomes 0  {strength}"
        if "strength_plus" in effect:
            return strength
        does = cell_of({"gain": effect["gain"]}) if "gain" in effect else cell_of(effect["also"])
        return f"after take_die(space) while space.face {test} {{ {does.replace(', 0)', ')')} }}"
    if "on_check_in" in effect:
        return (
            f"after checked_in(g) while g.colour is {effect['on_check_in']} {{ {cell_of({'gain': effect['gain']})} }}"
        )
    if "vp_per" in effect:
        ((what, n),) = effect["vp_per"].items()
        counted = {
            "occupied_red_room": "me.rooms_in(red)",
            "occupied_blue_room": "me.rooms_in(blue)",
            "occupied_yellow_room": "me.rooms_in(yellow)",
            "occupied_room": "count(r in me.rooms where r is occupied)",
            "staff_card_played_incl_this": "me.office.count",
            "room_tile_prepared_or_occupied": "count(r in me.rooms where r is not bare)",
            "fully_occupied_group": "me.full_groups",
            "own_disk_on_politics_card": "me.claimed.count",
            "final_emperor_space": "me.emperor",
            "fully_occupied_row": "me.full_rows",
            "fully_occupied_column": "me.full_columns",
            "set_of_occupied_red_blue_yellow": "min(me.rooms_in(red), me.rooms_in(blue), me.rooms_in(yellow))",
        }[what]
        worth = counted if n == 1 else f"{n} * {counted}"
        if "edition_2015" in effect:
            worth = f"min({effect['edition_2015']['max_vp']}, {worth})"
        return f"gain {worth} points"
    ((kind, value),) = effect.items()
    if kind == "prepare_cost_zero":
        return f"modify room_price(r) while r.colour is {value} becomes 0"
    if kind == "on_any_room_occupied":
        return f"after turn_room {{ {cell_of(value)} }}"
    if kind == "on_emperor_bonus_received":
        return f"before bonus {{ {cell_of(value)} }}"
    if kind in ("serve_from_kitchen_free", "guest_queue_free"):
        return f"modify {'kitchen_fee' if kind.startswith('serve') else 'guest_price'} becomes 0"
    return cell_of(effect)


@pytest.mark.parametrize("number", facts.STAFF)
def test_staff_card(number: int) -> None:
    name, cost, timing, effect = facts.STAFF[number]
    row = rows("staff")[f"s{number}"]
    assert row["staff"] == f's{number} "{name}"'
    assert row["price"] == str(cost)
    assert row["kind"] == TIMINGS[timing]
    assert row["does"].split() == staff_cell(number, effect).split()


def test_kinds_of_staff() -> None:
    kinds = [row["kind"] for row in rows("staff").values()]
    assert [kinds.count(each) for each in ("hire", "permanent", "per_round", "game_end")] == [8, 23, 4, 13]


@pytest.mark.parametrize("number", facts.POLITICS)
def test_politics_card(number: int) -> None:
    group, requires = facts.POLITICS[number]
    row = rows("politics")[f"p{number}"]
    ((kind, value),) = requires.items()
    expected = {
        "krones": f"me.krones is {value}",
        "room_tiles_prepared_or_occupied": f"count(r in me.rooms where r is not bare) >= {value}",
        "staff_cards_played": f"me.office.count >= {value}",
        "emperor_space_at_least": f"me.emperor >= {value}",
        "fully_occupied_rows": f"me.full_rows >= {value}",
        "fully_occupied_groups": f"me.full_groups >= {value}",
        "fully_occupied_columns": f"me.full_columns >= {value}",
        "all_rooms_of_one_color_occupied": (
            "some(k in {red, blue, yellow} where every(r in me.rooms where r.colour is k: r is occupied))"
        ),
        "occupied": " and ".join(f"me.rooms_in({c}) >= {n}" for c, n in value.items()) if kind == "occupied" else "",
    }[kind]
    assert (row["letter"], row["met"]) == (LETTER_ROWS[group], expected)


def penalty_cell(fact: Fact) -> str:
    """A penalty in the words of the rules; the loss of points stands last."""
    if "choose_one" in fact:
        parts = [
            penalty_cell(each).replace("lose 3 k", "pay 3 k").replace("lose 5 k", "pay 5 k")
            for each in fact["choose_one"]
        ]
        return " or ".join(sorted(parts, key=lambda part: part.endswith("points")))
    kind, value = next(iter(fact.items()))
    if kind == "lose":
        return f"lose {amount(value)}"
    if kind == "return_all_items_from":
        guests = " then for g in me.cafe { give g.goods to bank from g }" if "guests" in value else ""
        return f"lose me.goods{guests}"
    return {
        "hand_staff_to_deck_bottom": f"do give_back({value})",
        "remove_unoccupied_rooms": f"do remove_prepared({value})",
        "remove_occupied_rooms": "do remove_occupied",
        "lose_per_staff_played": "lose 2 * me.office.count points",
        "discard_played_staff_with_timing": "do dismiss",
    }[kind]


@pytest.mark.parametrize("tile", facts.EMPEROR_TILES)
def test_emperor_tile(tile: str) -> None:
    bonus, penalty = facts.EMPEROR_TILES[tile]
    row = rows("tile")[tile]
    assert row["letter"] == LETTER_ROWS[tile[0]]
    assert row["bonus"] == " then ".join(cell_of(each, "") for each in bonus)
    assert row["penalty"] == penalty_cell(penalty)


def test_there_are_no_other_cards() -> None:
    tables: dict[str, Sized] = {
        "guest": facts.GUESTS,
        "staff": facts.STAFF,
        "politics": facts.POLITICS,
        "tile": facts.EMPEROR_TILES,
    }
    assert {name: len(rows(name)) for name in tables} == {name: len(table) for name, table in tables.items()}
    assert {name: len(table) for name, table in tables.items()} == {
        "guest": 56,
        "staff": 48,
        "politics": 12,
        "tile": 12,
    }


# --------------------------------------------------------------------------------------------- numbers as scenarios
def scenario(name: str, *body: str, seats: str = "A, B") -> str:
    inner = "\n".join(f"  {line}" for line in body)
    return f'scenario {name} "{name}" {{\n  players {seats}\n{inner}\n}}\n'


def board_claims(seat: str, board: str) -> list[str]:
    colours, groups = facts.BOARDS[board]
    names = {"b": "blue", "r": "red", "y": "yellow"}
    spaces = [(k // 5 + 1, k % 5 + 1) for k in range(20)]
    found = [
        f"then {seat}.room_at({f}, {k}).colour is {names[letter]}"
        for (f, k), letter in zip(spaces, colours.replace(" ", ""), strict=True)
    ]
    for number in range(1, 11):
        members = [f"{seat}.room_at({f}, {k})" for (f, k), each in zip(spaces, groups, strict=True) if each == number]
        found.append(f"then {members[-1]}.group is {{{', '.join(members)}}}")
    return found


def number_scenarios() -> str:
    found = ["value room_at(p: player, f: 1..4, k: 1..5) = first(r in p.rooms where r.floor is f and r.col is k)\n"]
    found.append(scenario("night", *board_claims("A", "night"), *board_claims("B", "night")))
    four = [line for k, seat in enumerate("ABCD", 1) for line in board_claims(seat, f"day_{k}")]
    found.append(scenario("days", "option side = individual", *four, seats="A, B, C, D"))
    found.append(
        scenario(
            "rooms",
            *(
                f"then A.room_at({f}, {k}).printed is {facts.PRINTED_POINTS.get((f, k), 0)}"
                for f in range(1, 5)
                for k in range(1, 6)
            ),
            *(f"then room_price(A.room_at({f}, 1), me: A) is {cost}" for f, cost in facts.ROW_COST.items()),
            "then Rooms.count is 40 and tiles_each is 28 and every(k in {red, blue, yellow}: tiles_left(k) is 28)",
        )
    )
    for colour, (gives, by_size) in facts.OCCUPANCY.items():
        unit = {"vp": "points", "krones": "krones", "emperor_steps": "emperor"}[gives]
        place = {"blue": {1: (1, 5), 2: (3, 1)}, "red": {1: (4, 4), 2: (3, 2), 4: (1, 3)}, "yellow": {3: (1, 2)}}[
            colour
        ]
        for size, (f, k) in place.items():
            found.append(
                scenario(
                    f"bonus_{colour}_{size}",
                    "given { for p in players { set p.krones = 0 } }",
                    f"play group_bonus(A.room_at({f}, {k})) as A {{}}",
                    f"then A.room_at({f}, {k}).group.count is {size} and A.{unit} is {by_size[size]}",
                )
            )
    queue = ", ".join(f"g{number}" for number in range(49, 54))
    found.append(
        scenario(
            "queue",
            f"given {{ set queue = [{queue}] }}",
            *(f"then guest_price(g{49 + k}, me: A) is {cost}" for k, cost in enumerate(reversed(facts.QUEUE_COST))),
        )
    )
    for name, option, values in (
        ("track", "no", facts.EMPEROR_POINTS),
        ("contested_track", "yes", facts.EMPEROR_POINTS_CONTESTED),
    ):
        claims = [f"then emperor_vp.at({k + 1}) is {value}" for k, value in enumerate(values)]
        found.append(
            scenario(name, f"option space_8_gives_5 = {option}", f"then emperor_vp.count is {len(values)}", *claims)
        )
    steps = [f"then scorings.at({k + 1}) is {value}" for k, value in enumerate(facts.STEP_BACK)]
    spaces = [f"then politics_vp.at({k + 1}) is {value}" for k, value in enumerate(facts.POLITICS_POINTS)]
    found.append(scenario("scorings", *steps, *spaces, "then rounds is 7"))
    for players, dice in facts.DICE.items():
        tiles = facts.TURN_ORDER_TILES[players]
        claims = [f"then dice_used is {dice} and bin.count is {dice}"]
        for low, high in tiles:
            claims.append(f"then 2 * players.count + 1 - {low} is {high}")
        claims.append("then every(p in players: p.krones is 10 and p.points is 0 and p.emperor is 0)")
        claims.append("then every(p in players: p.goods is strudel + cake + wine + coffee)")
        found.append(scenario(f"with_{players}", *claims, seats=", ".join("ABCD"[:players])))
    for k, (letter, numbers) in enumerate(facts.INTRODUCTORY_SETS.items(), 1):
        claims = [f"then IntroSets.at({k}).staff.count is 6"]
        claims += [f"then s{number} in IntroSets.at({k}).staff" for number in numbers]
        found.append(scenario(f"set_{letter}", *claims))
    return "".join(found)


@cache
def results() -> dict[str, ScenarioResult]:
    text = 'edition 1\nvariant hotel_data "Data" of grand_austria_hotel\n' + number_scenarios()
    checked = check_source(Source("hotel_data.rules", text))
    assert checked.game is not None, "\n".join(render(d, checked.sources) for d in checked.diagnostics)
    return {result.name: result for result in run_scenarios(checked)}


@pytest.mark.parametrize(
    "name", [line.split()[1] for line in number_scenarios().splitlines() if line.startswith("scenario ")]
)
def test_numbers(name: str) -> None:
    result = results()[name]
    assert result.passed, (result.message, *result.detail)


# ------------------------------------------------------------------------------------------------- what a game shows
@cache
def hotel() -> Game:
    return regelwerk.load("grand_austria_hotel")


def started(players: int, **options: str) -> State:
    """A game after its setup, in the first round."""
    state = hotel().new(players, 1, options=options)
    while state.decision is not None and state.phase.startswith("setup"):
        state.step(0)
    return state


@pytest.mark.parametrize("players", [2, 3, 4])
def test_only_decks_and_hands_are_hidden(players: int) -> None:
    state = started(players)
    for seat in (None, *state.seats):
        for zone in state.view(seat).zones:
            hidden = zone.name in ("guests", "staff", "inbox") or (
                zone.name in ("hand", "packet") and zone.holder != seat
            )
            assert (zone.things is None) == hidden, (seat, zone.name, zone.holder)
        assert all(each.value is not None for each in state.view(seat).states)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("deal", ["random_deal", "introductory", "draft"])
def test_numbers_after_the_setup(players: int, deal: str) -> None:
    state = started(players, staff_deal=deal)
    counts = {(zone.name, zone.key): zone.count for zone in state.view().zones}
    assert all(counts["hand", seat] == 6 and counts["cafe", seat] == 1 for seat in state.seats)
    assert counts["staff", None] == 48 - 6 * players
    assert counts["queue", None] == 5
    assert counts["guests", None] == 56 - 5 - players
    assert counts["politics", None] == counts["emperors", None] == 3
    assert sum(n for (name, _), n in counts.items() if name == "dice") == facts.DICE[players]
