"""What two versions of a game differ in: every kind of part, named by its clause, and nothing where nothing differs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from regelwerk.dsl.comparing.comparing import Difference, differences, longest_ascending
from regelwerk.dsl.comparing.outline import Version, version
from regelwerk.dsl.composition.state import flattened
from regelwerk.dsl.diagnostics import Diagnostics
from regelwerk.dsl.formatting import format_source
from regelwerk.dsl.parser import parse_file
from regelwerk.dsl.source import Source
from regelwerk.dsl.syntax import declarations as d
from regelwerk.dsl.syntax import expressions as x
from regelwerk.dsl.syntax import files, flow
from regelwerk.dsl.syntax.base import Node, Text

GAMES = Path(__file__).resolve().parents[3] / "games"
SHIPPED = {
    name: GAMES / name / f"{name}.rules"
    for name in ("vienna", "saeulen_von_venedig", "grand_austria_hotel", "catan", "crazy_eights", "tic_tac_toe")
}


def parsed(text: str, name: str = "game.rules") -> files.RulesFile:
    found = Diagnostics()
    file = parse_file(Source(name, text), found)
    assert file is not None
    assert not found.failed
    return file


def version_of(text: str, name: str = "game.rules") -> Version:
    file = parsed(text, name)
    assert isinstance(file.header, files.GameHeader)
    declarations = [(each, None) for each in flattened(file.declarations)]
    return version(file.header, None, file.uses, declarations, {name: Source(name, text)})


@cache
def shipped(name: str) -> tuple[str, Version]:
    text = SHIPPED[name].read_text(encoding="utf-8")
    return text, version_of(text, "old.rules")


BASE = """edition 1
game market "Market" { players 2..4   seats A, B, C, D }
const ceiling = 7
option side: yes/no = no "Which side?"
option first_player: player = random "Who begins?"
enum Ware/Wares { wine, salt, cloth }
resource coin/coins "coin/coins" supply 60 start 3
track point/points per player: 0..50 start 0
cards Card/Cards {
  column price: 0..9
  column reward: effect
  | card   | price | reward                    |
  | fair   | 2     | gain 2 points             |
  | guild  | 4     | gain 3 points then gain 1 coin |
  | harbor | 5     | gain ceiling points       |
}
zone deck of Card order pile from Cards seen by nobody
zone hand per player of Card seen by owner
state bids per player: 0..9 = 0
value dear(c: Card): yes/no = c.price > 3
value rich(p: player): yes/no = p.coins >= ceiling
value wealth(p: player) = p.coins + p.points
phase setup { step deal { for p in players { draw 2 from deck to p.hand } } }
phase game {
  phase market turns from first_player while bank.coins > 1 { offer buy, sell or pass }
  phase night { step sleep { everyone { gain 1 coin } }   step wake { nothing } }
}
action buy(c in me.hand where c.dear) at most 2 per game "Buy" {
  require funds: me.coins >= c.price else "too much"
  cost price: c.price coins
  effect { do c.reward   move c to deck }
}
action sell(c in me.hand) "Sell" {
  effect {
    gain c.price coins
    if me.rich { lose 1 coin } else { gain 1 point }
  }
}
effect tax { everyone { lose 1 coin } }
trigger first_tax: after sell { do tax }
trigger second_tax: after sell { gain 1 point }
rule cheap: modify buy.price plus 1 coin
score final { line points "points" = me.points   line money "money" = me.coins div 3 }
award leader "Leader" to most wealth at least 1
end bank_broken after game.market when bank.coins is 0
end long after game.market when ceiling < 3
rank winner by me.final
"""


def compared(old: str, new: str) -> list[Difference]:
    found = differences(version_of(old, "old.rules"), version_of(new, "new.rules"))
    back = differences(version_of(new, "new.rules"), version_of(old, "old.rules"))
    turned = {"added": "removed", "removed": "added"}
    mirrored = sorted((turned.get(each.change, each.change), each.kind, each.clause) for each in back)
    assert mirrored == sorted((each.change, each.kind, each.clause) for each in found)
    return found


def told(each: Difference) -> tuple[Any, ...]:
    old, new = (None if piece is None else " ".join(piece.text.split()) for piece in (each.old, each.new))
    return each.change, each.kind, each.address, each.clause, old, new


def edited(*edits: tuple[str, str]) -> str:
    text = BASE
    for old, new in edits:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def test_a_game_does_not_differ_from_itself() -> None:
    assert compared(BASE, BASE) == []


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_games_do_not_differ_from_themselves(name: str) -> None:
    text, old = shipped(name)
    assert differences(old, version_of(text, "new.rules")) == []


def test_a_formatted_copy_is_no_difference() -> None:
    formatted = format_source(BASE)
    assert formatted != BASE
    assert compared(BASE, formatted) == []


NOTHING = {
    "comments": edited(("const ceiling = 7", "// how much\nconst ceiling = 7   // much")),
    "blanks": re.sub(r"(?<=[a-z]) (?=[a-z]+ \{)", "  ", BASE).replace("{ nothing }", "{\n  nothing\n}"),
    "sections": edited(("const ceiling = 7", 'section "Numbers" { const ceiling = 7 }')),
    "citations": edited(("const ceiling = 7", "const ceiling = 7 [A-001]")),
    "remarks": edited(("const ceiling = 7", 'const ceiling = 7\nremark "why" [A-002]')),
    "order of declarations that order nothing": edited(
        ("const ceiling = 7\n", ""), ("rank winner", "const ceiling = 7\nrank winner")
    ),
    "order of offered actions": edited(("offer buy, sell", "offer sell, buy")),
    "adjectives": edited(("where c.dear", "where c is dear"), ("if me.rich", "if me is rich")),
    "both numbers of a noun": edited(("lose 1 coin }  else".replace("  ", " "), "lose 1 coins } else")),
    "order of clauses": edited(
        ('  require funds: me.coins >= c.price else "too much"\n', ""),
        (
            "  cost price: c.price coins\n",
            '  cost price: c.price coins\n  require funds: me.coins >= c.price else "too much"\n',
        ),
    ),
    "order of score lines": edited(
        (
            'line points "points" = me.points   line money "money" = me.coins div 3',
            'line money "money" = me.coins div 3   line points "points" = me.points',
        )
    ),
}


@pytest.mark.parametrize("name", NOTHING)
def test_what_is_not_of_the_game_is_no_difference(name: str) -> None:
    assert NOTHING[name] != BASE
    assert compared(BASE, NOTHING[name]) == []


CHANGES = {
    ("const ceiling = 7", "const ceiling = 8"): ("changed", "number", "ceiling", "value", "7", "8"),
    ('= no "Which', '= yes "Which'): ("changed", "option", "side", "default", "no", "yes"),
    ("Which side", "What side"): ("changed", "text", "side", "question", "Which side?", "What side?"),
    ("players 2..4", "players 2..3"): ("changed", "number", "", "players", "4", "3"),
    ("wine, salt, cloth", "wine, salt"): ("removed", "member", "Ware.cloth", "", "cloth", None),
    ("supply 60 start", "supply 50 start"): ("changed", "number", "coin", "supply", "60", "50"),
    ("0..50 start 0", "0..50 start 0 overflow lost"): ("changed", "track", "point", "overflow", None, "lost"),
    ("| 2     |", "| 3     |"): ("changed", "number", "Card.fair.price", "", "2", "3"),
    ("gain 3 points then", "lose 3 points then"): (
        "changed",
        "cell",
        "Card.guild.reward",
        "",
        "gain 3 points",
        "lose 3 points",
    ),
    ("  | harbor | 5     | gain ceiling points       |\n", ""): (
        "removed",
        "row",
        "Card.harbor",
        "",
        "| harbor | 5 | gain ceiling points |",
        None,
    ),
    ("zone hand per player of Card seen by owner", "zone hand per player of Card"): (
        "changed",
        "zone",
        "hand",
        "seen by",
        "owner",
        "all",
    ),
    ("c.price > 3", "c.price >= 3"): ("changed", "value", "dear", "value", "c.price > 3", "c.price >= 3"),
    ("state bids per player: 0..9 = 0", "state bids per player: 0..9 = 1"): (
        "changed",
        "number",
        "bids",
        "start",
        "0",
        "1",
    ),
    ("draw 2 from", "draw 3 from"): ("changed", "number", "setup.deal", "effect", "2", "3"),
    ("bank.coins > 1 {", "bank.coins > 1 skip me.hand is empty {"): (
        "changed",
        "phase",
        "game.market",
        "driver",
        "turns from first_player while bank.coins > 1",
        "turns from first_player while bank.coins > 1 skip me.hand is empty",
    ),
    (" or pass", ""): ("changed", "offer", "game.market", "pass", "yes", None),
    ("offer buy, sell", "offer buy"): ("removed", "offer", "game.market", "actions", "sell", None),
    ("step wake { nothing }", ""): ("removed", "step", "game.night.wake", "", "step wake { nothing }", None),
    ("where c.dear", "where not c.dear"): ("changed", "parameter", "buy.c", "where", "c.dear", "not c.dear"),
    (' "Sell"', ' "Sell it"'): ("changed", "text", "sell", "prompt", '"Sell"', '"Sell it"'),
    ("at most 2 per", "at most 3 per"): ("changed", "number", "buy", "limit", "2", "3"),
    ("me.coins >= c.price else", "me.coins > c.price else"): (
        "changed",
        "require",
        "buy.funds",
        "condition",
        "me.coins >= c.price",
        "me.coins > c.price",
    ),
    ("cost price: c.price coins", "cost price: c.price coins when c.dear"): (
        "changed",
        "cost",
        "buy.price",
        "when",
        None,
        "c.dear",
    ),
    ("do c.reward   move", "move"): ("removed", "action", "buy", "effect", "do c.reward", None),
    ("{ lose 1 coin } else", "{ lose 1 coin   gain 2 points } else"): (
        "added",
        "action",
        "sell",
        "effect",
        None,
        "gain 2 points",
    ),
    ("trigger first_tax: after sell", "trigger first_tax: after buy"): (
        "changed",
        "trigger",
        "first_tax",
        "targets",
        "sell",
        "buy",
    ),
    ("modify buy.price plus", "modify buy.price minus"): ("changed", "rule", "cheap", "change", "plus", "minus"),
    ("coins div 3", "coins div 4"): ("changed", "number", "final.money", "value", "3", "4"),
    ("to most wealth at", "to most worth at"): ("changed", "award", "leader", "to most", "wealth", "worth"),
    ("bank.coins is 0", "bank.coins < 2"): (
        "changed",
        "end",
        "bank_broken",
        "when",
        "bank.coins is 0",
        "bank.coins < 2",
    ),
    ("rank winner by me.final", "rank winner by me.final then shared"): (
        "changed",
        "rank",
        "winner",
        "then shared",
        None,
        "yes",
    ),
    ("effect tax {", "effect tax(n: 1..3) {"): ("changed", "effect", "tax", "parameters", None, "n: 1..3"),
}


@pytest.mark.parametrize("edit", CHANGES, ids=[new or old for old, new in CHANGES])
def test_one_change_is_one_difference_in_the_clause(edit: tuple[str, str]) -> None:
    found = compared(BASE, edited(edit))
    assert [told(each) for each in found] == [CHANGES[edit]]
    for each in found:
        for piece in (each.old, each.new):
            assert piece is None or piece.text


RENAMES = {
    ("action", "buy"): "purchase",
    ("row", "guild"): "chapel",
    ("constant", "ceiling"): "limit_of_all",
    ("value", "dear"): "expensive",
    ("effect", "tax"): "levy",
    ("member", "salt"): "pepper",
    ("step", "sleep"): "rest",
    ("phase", "market"): "fair_day",
    ("zone", "hand"): "cards_of",
    ("require", "funds"): "enough",
    ("trigger", "first_tax"): "tax_of_sales",
    ("column", "reward"): "gives",
}


@pytest.mark.parametrize(("kind", "name"), RENAMES)
def test_another_name_is_a_renaming_and_nothing_else(kind: str, name: str) -> None:
    new = RENAMES[kind, name]
    text = re.sub(rf"\b{name}\b", new, BASE)
    found = compared(BASE, text)
    assert [(each.change, each.kind, each.before) for each in found] == [("renamed", kind, name)]
    assert found[0].address.endswith(new)


def test_two_renamings_that_need_each_other() -> None:
    text = re.sub(r"\bprice\b", "worth", re.sub(r"\bdear\b", "costly", BASE))
    found = compared(BASE, text)
    assert {(each.change, each.before) for each in found} == {("renamed", "dear"), ("renamed", "price")}


def test_what_is_renamed_and_changed_is_two_parts() -> None:
    text = BASE.replace("effect tax { everyone { lose 1 coin } }", "effect levy { lose 2 coins }").replace(
        "do tax", "do levy"
    )
    found = compared(BASE, text)
    assert {(each.change, each.address) for each in found} == {
        ("added", "levy"), ("removed", "tax"), ("changed", "first_tax"),
    }  # fmt: skip


def test_a_cell_of_a_renamed_column_can_change() -> None:
    text = re.sub(r"\breward\b", "gives", BASE).replace("gain 2 points             |", "gain 3 points             |")
    assert {told(each)[:3] for each in compared(BASE, text)} == {
        ("renamed", "column", "Card.gives"),
        ("changed", "number", "Card.fair.gives"),
    }


def test_a_column_less_does_not_tell_of_its_cells() -> None:
    text = edited(
        ("  column price: 0..9\n", ""),
        ("| card   | price | reward                    |", "| card   | reward                    |"),
        ("| fair   | 2     | gain", "| fair   | gain"),
        ("| guild  | 4     | gain", "| guild  | gain"),
        ("| harbor | 5     | gain", "| harbor | gain"),
    )
    assert [told(each)[:3] for each in compared(BASE, text)] == [("removed", "column", "Card.price")]


def test_cells_that_are_no_longer_filled_are_removed() -> None:
    text = edited(
        ("  column reward: effect\n", "  column reward: effect = nothing\n"),
        ("| card   | price | reward                    |", "| card   | price |"),
        ("| fair   | 2     | gain 2 points             |", "| fair   | 2     |"),
        ("| guild  | 4     | gain 3 points then gain 1 coin |", "| guild  | 4     |"),
        ("| harbor | 5     | gain ceiling points       |", "| harbor | 5     |"),
    )
    assert [told(each)[:3] for each in compared(BASE, text)] == [
        ("changed", "column", "Card.reward"),
        ("removed", "cell", "Card.fair.reward"),
        ("removed", "cell", "Card.guild.reward"),
        ("removed", "cell", "Card.harbor.reward"),
    ]


MOVES = {
    "phases": (
        "  phase market turns from first_player while bank.coins > 1 { offer buy, sell or pass }\n",
        "step wake { nothing } }\n",
        [("moved", "phase", "game.market")],
    ),
    "triggers on one event": (
        "trigger first_tax: after sell { do tax }\n",
        "trigger second_tax: after sell { gain 1 point }\n",
        [("moved", "trigger", "first_tax")],
    ),
    "rows": (
        "  | fair   | 2     | gain 2 points             |\n",
        "  | guild  | 4     | gain 3 points then gain 1 coin |\n",
        [("moved", "row", "Card.fair")],
    ),
    "ends": (
        "end bank_broken after game.market when bank.coins is 0\n",
        "end long after game.market when ceiling < 3\n",
        [("moved", "end", "bank_broken")],
    ),
    "statements": ("    gain c.price coins\n", "else { gain 1 point }\n", [("moved", "action", "sell")]),
}


@pytest.mark.parametrize("name", MOVES)
def test_what_stands_elsewhere_has_moved_where_order_matters(name: str) -> None:
    first, behind, expected = MOVES[name]
    assert BASE.count(first) == 1
    without = BASE.replace(first, "")
    assert without.count(behind) == 1
    text = without.replace(behind, behind + first)
    found = differences(version_of(BASE, "old.rules"), version_of(text, "new.rules"))
    assert len(found) == 1
    assert found[0].change == "moved"
    names = {each[2] for each in expected}
    if name != "statements":  # of two that change places either may be said to have moved
        assert found[0].address in names | {"game.night", "second_tax", "Card.guild", "long"}
        assert {found[0].before, found[0].behind} & {
            "",
            "market",
            "night",
            "first_tax",
            "second_tax",
            "fair",
            "guild",
            "bank_broken",
            "long",
        }
    else:
        assert found[0].address == "sell"
        assert found[0].clause == "effect"


def test_triggers_on_other_events_do_not_order_each_other() -> None:
    one = BASE.replace("trigger second_tax: after sell", "trigger second_tax: after buy")
    first = "trigger first_tax: after sell { do tax }\n"
    other = one.replace(first, "").replace("rule cheap", f"{first}rule cheap")
    assert compared(one, other) == []


# ---------------------------------------------------------------------------------------------------- random edits
def nodes(node: Node) -> Iterator[Node]:
    yield node
    for name in type(node).model_fields:
        value = getattr(node, name)
        for each in value if isinstance(value, tuple) else (value,):
            if isinstance(each, Node) and not isinstance(each, Text):
                yield from nodes(each)


@cache
def numbers(name: str) -> list[x.IntLiteral]:
    file = parsed(shipped(name)[0], "old.rules")
    found = [each for part in flattened(file.declarations) for each in nodes(part) if isinstance(each, x.IntLiteral)]
    return list({each.span: each for each in found}.values())


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(data=st.data(), name=st.sampled_from(sorted(SHIPPED)), value=st.integers(0, 99))
def test_one_edit_of_a_number_names_exactly_this_place(data: st.DataObject, name: str, value: int) -> None:
    text, old = shipped(name)
    node = data.draw(st.sampled_from(numbers(name)))
    assume(node.value != value)
    start, end = node.span.start, node.span.end
    changed = text[:start] + str(value) + text[end:]
    found_errors = Diagnostics()
    parse_file(Source("new.rules", changed), found_errors)
    assume(not found_errors.failed)
    found = differences(old, version_of(changed, "new.rules"))
    assert found
    for each in found:  # one place can be of several columns: `column a, b: 0..9`
        assert each.change == "changed"
        assert each.old is not None
        assert each.new is not None
        assert (each.old.span, each.old.text) == (node.span, text[start:end])
        assert (each.new.span.start, each.new.text) == (start, str(value))
        assert each.kind == "number"


@pytest.mark.parametrize("name", SHIPPED)
def test_a_row_less_is_one_difference(name: str) -> None:
    text, old = shipped(name)
    file = parsed(text, "old.rules")
    tables = [each for each in flattened(file.declarations) if isinstance(each, d.Entity) and each.rows]
    if not tables:
        pytest.skip("no table with rows")
    table = max(tables, key=lambda each: len(each.rows))
    row = table.rows[len(table.rows) // 2]
    start = text.rindex("\n", 0, row.span.start)
    end = text.index("\n", row.span.end)
    found = differences(old, version_of(text[:start] + text[end:], "new.rules"))
    assert [(each.change, each.kind, each.address) for each in found] == [
        ("removed", "row", f"{table.noun.name.text}.{row.name.text}")
    ]


@pytest.mark.parametrize("name", SHIPPED)
def test_two_phases_that_change_places_have_moved(name: str) -> None:
    text, old = shipped(name)
    file = parsed(text, "old.rules")
    phases = [each for part in flattened(file.declarations) for each in nodes(part) if isinstance(each, flow.Phase)]
    pairs = [
        (one, other)
        for phase in phases
        for one, other in zip(phase.items, phase.items[1:], strict=False)
        if isinstance(one, flow.Phase | flow.PhaseStep) and isinstance(other, flow.Phase | flow.PhaseStep)
    ]
    if not pairs:
        pytest.skip("no phase has two items")
    one, other = pairs[0]
    a, b = one.span, other.span
    changed = text[: a.start] + text[b.start : b.end] + text[a.end : b.start] + text[a.start : a.end] + text[b.end :]
    found = differences(old, version_of(changed, "new.rules"))
    assert [each.change for each in found] == ["moved"]
    assert found[0].address.rpartition(".")[2] in (one.name.text, other.name.text)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_renamed_action_is_one_difference(name: str) -> None:
    text, old = shipped(name)
    file = parsed(text, "old.rules")
    actions = [each for each in flattened(file.declarations) if isinstance(each, d.Action)]
    action = actions[len(actions) // 2].name.text
    changed = re.sub(rf"\b{action}\b(?![^\n]*\"[^\"\n]*\b{action}\b)", f"{action}_anew", text)
    found = differences(old, version_of(changed, "new.rules"))
    assert [(each.change, each.address, each.before) for each in found if each.kind == "action"] == [
        ("renamed", f"{action}_anew", action)
    ]


@given(ranks=st.permutations(range(7)))
def test_the_longest_ascending_part(ranks: list[int]) -> None:
    kept = longest_ascending(ranks)
    values = [ranks[place] for place in sorted(kept)]
    assert values == sorted(values)
    best = 0
    for mask in range(1 << len(ranks)):
        chosen = [rank for place, rank in enumerate(ranks) if mask >> place & 1]
        if chosen == sorted(chosen):
            best = max(best, len(chosen))
    assert len(kept) == best
