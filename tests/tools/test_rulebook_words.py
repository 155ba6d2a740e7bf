"""The words of the rulebook: every form has some; what small rules sound like, by sentences written by hand."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

import pytest

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import BoolType
from regelwerk.dsl.source import Source
from regelwerk.interpreter.loading import check_source
from regelwerk.tools import aims
from regelwerk.tools.rulebook import (
    gathering,  # noqa: F401 - its import brings all forms
    running,
)
from regelwerk.tools.rulebook.english import YOU, Phrase, article, listed, plural, possessive, sentence, verb
from regelwerk.tools.rulebook.markup import plain
from regelwerk.tools.rulebook.wording import CLAUSES, LINES, NOUNS, Words

if TYPE_CHECKING:
    from regelwerk.tools.rulebook.wording import Line

CLAUSES_ONLY = {
    x.Ordered, x.Equal, x.Both, x.AnyOf, x.Negation, x.Contains, x.Between, x.TallyCompare, x.CanPay, x.CanDo,
    x.CanCell, x.CanOffer, x.HasRoom,
}  # fmt: skip
"""Conditions: as phrases they are all `whether` and their clause."""


def kinds(base: type[object]) -> set[type[object]]:
    """All forms below a base."""
    found: set[type[object]] = set()
    for below in base.__subclasses__():
        found |= {below, *kinds(below)}
    return {each for each in found if getattr(sys.modules[each.__module__], each.__name__, None) is each}


def test_every_expression_has_words() -> None:
    expressions = {each for each in kinds(x.Expr) if each.__module__ == x.__name__}
    assert len(expressions) > 70
    assert expressions == set(NOUNS) | CLAUSES_ONLY
    assert set(CLAUSES) >= CLAUSES_ONLY


def test_every_statement_has_words() -> None:
    assert set(LINES) == {each for each in kinds(t.Stmt) if each.__module__ == t.__name__}


def test_every_kind_of_role_has_words() -> None:
    written = str(g.Role.__annotations__["kind"])
    asked = {each for each in re.findall(r"\w+", written) if each != "Literal"}
    assert asked == {"before", "after", "instead", "forbid", "waive", *running.MODIFIERS}


# ------------------------------------------------------------------------------------------------------- small games
GAME = """edition 1
game small "A Small Game" {{ players 2..4 }}
use turns
resource coin/coins supply 20 start 2
track point/points "victory point/victory points" per player: 0..50 overflow lost
enum Colour/Colours {{ red, blue, green }}
resource cube/cubes per Colour supply 9
enum Size/Sizes {{ small, large }}
dice Die/Dice copies 3 faces 1..6
cards Guest/Guests "guest/guests" {{
  column size: Size
  column worth: 0..9
  column order: tally of Colour
  column vip: yes/no = no
  | guest       | size  | worth | order           | vip |
  | ann "Ann"   | small | 3     | 2 red + blue    | yes |
  | bob "Bob"   | large | 5     | green           |     |
  | cleo "Cleo" | large | 0     | 3 blue          |     |
}}
fields Room/Rooms "room/rooms" {{
  column price: 0..9
  | room        | price |
  | hall "Hall" | 2     |
  | loft "Loft" | 0     |
}}
zone dice per player of Die
zone cafe per player of Guest
zone deck of Guest order pile from Guests seen by nobody
zone guest per Room of Guest capacity 1
state owner per Room: player? = none
state tired per player: yes/no = no
option friendly: yes/no = yes "Friendly?"
const rent = 3
value free(r: Room) = r.owner is none
value worth_of(p: player) = sum(c in p.cafe: c.worth)
value rooms_in(p: player, s: Size) = count(r in Rooms where r.owner is p and s is small)
value room_price(r: Room) = r.price
{more}
action wait "Wait" {{ effect {{ nothing }} }}
phase game turns from players.first {{ offer wait }}
end over at once when some(p in players where p.points >= 30)
rank winner by me.points "points" then shared
"""


def game_with(more: str) -> g.CheckedGame:
    checked = check_source(Source("small.rules", GAME.format(more=more)), with_scenarios=False)
    assert checked.game is not None, [each.message for each in checked.diagnostics]
    return checked.game


def said(expression: str) -> str:
    """What a value of a player says."""
    game = game_with(f"value asked(me, other: player, room: Room, guest: Guest) = {expression}")
    value = next(each for each in game.values if each.name == "asked")
    words = Words(game)
    with words.within(value.frame):
        words.parameters(value.parameters, value.slots)
        assert value.body is not None
        assert value.type is not None
        return plain(words.clause(value.body) if isinstance(value.type, BoolType) else words.text(value.body))


def done(body: str, parameters: str = "") -> list[str]:
    """The lines of an effect, those below indented."""
    game = game_with(f"effect asked{parameters} {{ {body} }}")
    effect = next(each for each in game.effects if each.name == "asked")
    words = Words(game)
    with words.within(effect.frame):
        words.parameters(effect.parameters, effect.slots)
        return flat(words.lines(effect.body))


def flat(lines: list[Line], indent: str = "") -> list[str]:
    found = []
    for line in lines:
        found.append(indent + plain(line.text))
        found += flat(line.below, indent + "  ")
    return found


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("me.coins >= 2", "you have at least two coins"),
        ("me.coins >= 1", "you have at least one coin"),
        ("me.coins is 0", "you have no coins"),
        ("not me.coins > 0", "you have no coins"),
        ("me.coins < 5", "you have fewer than 5 coins"),
        ("me.coins is 1", "you have exactly one coin"),
        ("me.coins is not 3", "you have not exactly three coins"),
        ("2 <= me.coins", "you have at least two coins"),
        ("me.coins > other.coins", "you have more coins than the other"),
        ("me.cubes(red) >= 2", "you have at least two red"),
        ("me.cubes.total is 0", "you have no cubes"),
        ("me.points >= 30", "you have at least 30 victory points"),
        ("me.dice is empty", "you have no dice"),
        ("me.dice is not empty", "you have at least one die"),
        ("me.dice.count >= 2", "you have at least two dice"),
        ("me.cafe is empty", "your cafe is empty"),
        ("me.cafe.count < 3", "there are fewer than three guests in your cafe"),
        ("deck is not empty", "the deck is not empty"),
        ("room.guest is empty", "there is no guest on the room"),
        ("room.owner is none", "the room has no owner"),
        ("room.owner is not none", "the room has an owner"),
        ("room.owner is me", "the room belongs to you"),
        ("room.owner is not other", "the room does not belong to the other"),
        ("room is free", "the room is free"),
        ("room is not free", "the room is not free"),
        ("me is tired", "you are tired"),
        ("other is not tired", "the other is not tired"),
        ("guest is vip", "the guest is vip"),
        ("guest.size is large", "the guest’s size is large"),
        ("guest is bob", "the guest is Bob"),
        ("guest in me.cafe", "the guest is in your cafe"),
        ("ann in me.cafe", "you have Ann"),
        ("guest.worth in {3, 5}", "the guest’s worth is 3 or 5"),
        ("guest.worth in 1..4", "the guest’s worth is between 1 and 4"),
        ("guest.order(red) > 0", "the guest has at least one red"),
        ("me.cubes >= guest.order", "you have the guest’s order"),
        ("friendly", "you play with the option friendly"),
        ("not friendly", "you play without the option friendly"),
        ("players.count is 2", "there are exactly two players"),
        ("room is free and me.coins >= rent", "the room is free and you have at least three coins"),
        ("not (room is free and me is tired)", "the room is not free or you are not tired"),
        ("not (room is free or me is tired)", "the room is not free and you are not tired"),
        ("some(p in players where p.coins is 0)", "at least one player has no coins"),
        ("not some(p in players where p.coins is 0)", "no player has no coins"),
        ("every(p in players: p.points >= 5)", "every player has at least 5 victory points"),
        ("every(r in Rooms: r is not free)", "no room is free"),
        ("some(r in Rooms where r.guest is empty)", "there is at least one room on which there is no guest"),
        ("count(r in Rooms where r is free) >= 2", "there are at least two rooms that are free"),
        ("count(p in players where p is tired) is 0", "there are no players who are tired"),
        ("max(p in players: p.points) >= 30", "at least one player has at least 30 victory points"),
        ("me.worth_of > other.worth_of", "your worth is more than that of the other"),
        ("happened wait this turn", "you have already done “Wait” this turn"),
        ("not happened wait by anyone this game", "nobody has done “Wait” in this game"),
    ],
)
def test_conditions(expression: str, words: str) -> None:
    assert said(expression) == words


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("me.coins + 1", "your coins plus 1"),
        ("2 * me.coins", "twice your coins"),
        ("me.coins div 3", "your coins divided by 3, rounded down"),
        ("max(0, me.coins - 2)", "your coins minus 2, but at least 0"),
        ("min(3, me.coins)", "your coins, but at most 3"),
        ("min(me.coins, other.coins)", "the smaller of your coins and the other’s coins"),
        ("if me is tired then 1 else 2", "1 if you are tired, otherwise 2"),
        ("by players.count { 2: 5, else: 4 }", "5 with 2 players, otherwise 4"),
        ("count(r in Rooms where r is free)", "the number of rooms that are free"),
        ("sum(c in me.cafe: c.worth)", "the sum of the worth of each guest in your cafe"),
        ("me.cafe.count", "the number of guests in your cafe"),
        ("me.others", "the other players"),
        ("me.left", "the player to your left"),
        ("other.left", "the other’s left-hand neighbour"),
        ("Rooms where .owner is me", "the rooms that belong to you"),
        ("first(r in Rooms where r is free)", "the room that is free"),
        ("me.dice.face", "the faces of your dice"),
        ("rent", "3"),
        ("me.worth_of", "your worth"),
        ("me.rooms_in(small)", "your rooms in small"),
        ("room.room_price", "the room’s price"),
    ],
)
def test_values(expression: str, words: str) -> None:
    assert said(expression) == words


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("gain 2 coins", ["Gain 2 coins."]),
        ("gain 1 coin", ["Gain 1 coin."]),
        ("gain 2 coins + 1 point", ["Gain 2 coins and 1 victory point."]),
        ('gain 2 points "for style"', ["Gain 2 victory points (for style)."]),
        ("lose 5 * me.cafe.count points", ["Lose 5 victory points for each guest in your cafe."]),
        ("gain me.cafe.count coins", ["Gain 1 coin for each guest in your cafe."]),
        ("pay 1 coin", ["Pay 1 coin."]),
        ("gain red", ["Gain 1 red."]),
        ("draw 1 from deck to me.cafe", ["Draw a guest from the deck to your cafe."]),
        ("draw 2 from deck to me.cafe", ["Draw 2 guests from the deck to your cafe."]),
        ("shuffle deck", ["Shuffle the deck."]),
        ("roll me.dice", ["Roll your dice."]),
        ("everyone { gain 3 coins }", ["Each player gains 3 coins."]),
        ("everyone { gain 3 coins  lose 1 point }", ["Each player:", "  Gain 3 coins.", "  Lose 1 victory point."]),
        ("for p in me.others { take 1 coins from p }", ["For each other player: take 1 coin from the player."]),
        ("if me is tired { gain 1 coin }", ["If you are tired, gain 1 coin."]),
        (
            "if me is tired { gain 1 coin } else { lose 1 coin }",
            ["If you are tired, gain 1 coin.", "Otherwise: lose 1 coin."],
        ),
        ("pay 3 coins to gain 4 points", ["Pay 3 coins to do this, or nothing happens: gain 4 victory points."]),
        ("gain 1 coin or gain 1 point", ["Gain 1 coin, or gain 1 victory point."]),
        ("may draw 1 from deck to me.cafe", ["You may draw a guest from the deck to your cafe."]),
        (
            'choose r in Rooms where r is free "Which room?" { set r.owner = me }',
            ["Choose a room that is free (“Which room?”): you are now the room’s owner."],
        ),
        (
            'may choose r in Rooms "Which room?" { pay r.price coins }',
            ["You may choose a room (“Which room?”): pay as many coins as the room’s price."],
        ),
        (
            'one of { option "rest": set me.tired = no  option "work": gain 2 coins }',
            ["“Rest”: from now on you are not tired, or “Work”: gain 2 coins."],
        ),
        ("repeat at most 2 { gain 1 coin }", ["Repeat at most twice: gain 1 coin."]),
        (
            "random c in me.cafe  move c to deck",
            ["A guest in your cafe is drawn at random: put the guest on the deck."],
        ),
        ("set me.tired = yes", ["From now on you are tired."]),
        ("nothing", []),
    ],
)
def test_statements(body: str, lines: list[str]) -> None:
    assert done(body) == lines


@pytest.mark.parametrize(
    ("rule", "lines"),
    [
        ("trigger t: after wait { gain 1 coin }", ["After “Wait”, gain 1 coin."]),
        (
            "trigger t: after gain(what) while what(points) > 0 { gain 1 coin }",
            ["After you gain anything if what is gained include at least one victory point, gain 1 coin."],
        ),
        ("rule t: modify worth_of plus 2", ["The worth is increased by 2."]),
        ("rule t: modify worth_of at most 9", ["The worth is at most 9."]),
        (
            'rule t: forbid wait while me is tired because "you sleep"',
            ["“Wait” is not allowed if you are tired: you sleep."],
        ),
    ],
)
def test_rules(rule: str, lines: list[str]) -> None:
    game = game_with(rule)
    targets = aims.targets(game)
    words = Words(game)
    assert flat([line for role in game.roles for line in running.rule(words, role, targets[role])]) == lines


# ---------------------------------------------------------------------------------------------------------- English
def test_agreement() -> None:
    player, dice = Phrase("the player"), Phrase("the dice", many=True)
    assert (verb(YOU, "have"), verb(player, "have"), verb(dice, "be"), verb(YOU, "be")) == ("have", "has", "are", "are")
    assert (verb(player, "gain"), verb(player, "pass"), verb(player, "carry out")) == ("gains", "passes", "carries out")


def test_possessives() -> None:
    assert possessive(YOU, "dice").text == "your dice"
    assert possessive(Phrase("the player"), "hand").text == "the player’s hand"
    assert possessive(Phrase("the players", many=True), "hands").text == "the players’ hands"
    assert possessive(Phrase("the player’s coach"), "position").text == "the position of the player’s coach"


def test_lists_articles_and_plurals() -> None:
    assert [listed(list("abc")[:n]) for n in range(4)] == ["", "a", "a and b", "a, b and c"]
    assert listed(["a", "b", "c"], "or") == "a, b or c"
    assert [article(each) for each in ("coin", "edge", "option", "unit", "other player")] == [
        "a coin", "an edge", "an option", "a unit", "another player",
    ]  # fmt: skip
    assert [plural(each) for each in ("card", "city", "box", "day", "free pass")] == [
        "cards", "cities", "boxes", "days", "free passes",
    ]  # fmt: skip
    assert [sentence(each) for each in ("gain 1 coin", "why?", "so:", "")] == ["Gain 1 coin.", "Why?", "So:", ""]
