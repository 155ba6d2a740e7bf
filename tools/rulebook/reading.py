"""Words for what a game stores and has: players, things, places, goods, tracks, states, history."""

from __future__ import annotations

import re

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import (
    BoolType,
    EnumType,
    IntType,
    ListType,
    PictureType,
    PlayerType,
    SetType,
    TallyType,
    ThingType,
    in_words,
    strip,
)
from regelwerk.dsl.source import Span
from regelwerk.tools.rulebook import english as en
from regelwerk.tools.rulebook import naming
from regelwerk.tools.rulebook.english import Phrase, possessive
from regelwerk.tools.rulebook.markup import emphasis, own, plain
from regelwerk.tools.rulebook.wording import Words, clause_for, noun_for

NOWHERE = Span("", 0, 0)
"""The place of what is made here."""


@noun_for(x.Local)
def _local(w: Words, node: x.Local) -> Phrase:
    if node.slot not in w.known:
        w.introduce(node.slot, node.type)
    return w.known[node.slot]


@clause_for(x.Local)
def _local_holds(w: Words, node: x.Local, holds: bool) -> str:
    return f"{w.noun(node)} is {'yes' if holds else 'no'}"


@noun_for(x.Hoisted, x.Probe, x.Present)
def _inside(w: Words, node: x.Hoisted | x.Probe | x.Present) -> Phrase:
    return w.noun(node.value)


@clause_for(x.Hoisted, x.Probe)
def _inside_holds(w: Words, node: x.Hoisted | x.Probe, holds: bool) -> str:
    return w.clause(node.value, holds)


@noun_for(x.Unavailable)
def _unavailable(w: Words, node: x.Unavailable) -> Phrase:
    return Phrase("something unknown")


@noun_for(x.Active)
def _active(w: Words, node: x.Active) -> Phrase:
    return Phrase("the player on turn")


@noun_for(x.Bank)
def _bank(w: Words, node: x.Bank) -> Phrase:
    return Phrase("the supply")


@noun_for(x.AllPlayers)
def _players(w: Words, node: x.AllPlayers) -> Phrase:
    return Phrase("all players", True)


@noun_for(x.AllThings)
def _things(w: Words, node: x.AllThings) -> Phrase:
    return Phrase(f"all {naming.words_of(node.symbol).many}", True)


def row_text(symbol: g.EntitySymbol, row: g.RowSymbol) -> str:
    """A row by its printed name; one that is no proper name with its article."""
    printed = own(row.printed)
    if symbol.kind in ("dice", "pieces") and printed[:1].islower():
        return f"the {printed}" if row.single else printed
    return printed if printed not in (row.name, row.name.replace("_", " ")) else en.spaced(row.name)


@noun_for(x.RowConst)
def _row(w: Words, node: x.RowConst) -> Phrase:
    return Phrase(row_phrase(node.symbol, node.symbol.rows[node.row - 1]))


def row_phrase(symbol: g.EntitySymbol, row: g.RowSymbol) -> str:
    """A row inside a sentence; the name of a card stands out."""
    text = row_text(symbol, row)
    return emphasis(text) if symbol.kind in ("cards", "tiles") else text


@noun_for(x.Const)
def _const(w: Words, node: x.Const) -> Phrase:
    kind, value = strip(node.type), node.value
    if isinstance(value, tuple):
        return _several(w, kind, value)
    if isinstance(kind, BoolType):
        return Phrase("yes" if value else "no")
    if isinstance(kind, IntType):
        return Phrase(in_words(value, kind), abs(value) != 1)
    if isinstance(kind, SetType):
        members = [each for each in range(value.bit_length()) if value >> each & 1]
        return _several(w, kind, tuple(members))
    if value == 0:
        return Phrase("nothing")
    if isinstance(kind, EnumType):
        return Phrase(naming.member_words(kind.symbol, value).one)
    if isinstance(kind, ThingType) and value <= len(kind.symbol.rows):
        return Phrase(row_phrase(kind.symbol, kind.symbol.rows[value - 1]))
    if isinstance(kind, PictureType) and 0 < value <= len(w.game.pictures):
        return Phrase(f"the picture {picture_text(w.game.pictures[value - 1])}")
    return Phrase(str(value))


def picture_text(picture: g.Picture) -> str:
    """A picture by the first letters of its squares, its rows parted by `/`."""
    letters = ["." if not each else naming.member_words(picture.symbol, each).one[:1].upper() for each in picture.cells]
    return "/".join("".join(letters[k * picture.width : (k + 1) * picture.width]) for k in range(picture.height))


def _several(w: Words, kind: object, values: tuple[int, ...]) -> Phrase:
    member = kind.member if isinstance(kind, SetType | ListType) else None
    if isinstance(kind, TallyType):
        from regelwerk.tools.rulebook.amounts import counted_unit, unit_of

        parts = [counted_unit(unit_of(w, kind, k + 1), str(n), n == 1) for k, n in enumerate(values) if n]
        return Phrase(en.listed(parts) or "nothing", len(parts) != 1)
    if member is None or not values:
        return Phrase("nothing" if not values else ", ".join(map(str, values)), True)
    return Phrase(en.listed(w.text(x.Const(member, NOWHERE, each)) for each in values), True)


# ------------------------------------------------------------------------------------------------ options, constants
@noun_for(x.OptionRead)
def _option(w: Words, node: x.OptionRead) -> Phrase:
    name = en.lowered(node.symbol.name)
    if isinstance(strip(node.type), PlayerType):
        name = naming.player_noun(name)
    return Phrase(f"the {naming.called(node.symbol, name)}")


@clause_for(x.OptionRead)
def _option_holds(w: Words, node: x.OptionRead, holds: bool) -> str:
    return f"you play {'with' if holds else 'without'} the option {naming.called(node.symbol)}"


@noun_for(x.ConstantRead)
def _constant(w: Words, node: x.ConstantRead) -> Phrase:
    value = node.symbol.value
    if value is not None and not node.symbol.roles and short(value):
        return w.noun(value)
    if isinstance(strip(node.type), IntType | BoolType):
        return Phrase(naming.called(node.symbol))
    return Phrase(f"the {naming.called(node.symbol)}", naming.is_several(node.type))


def short(node: x.Expr) -> bool:
    """Whether a value is as short as a name for it."""
    if isinstance(node, x.TallyOf):
        return len(node.parts) < 3 and all(short(count) for _, count in node.parts)
    if isinstance(node, x.InHalves | x.TallyWiden):
        return short(node.operand if isinstance(node, x.InHalves) else node.tally)
    return isinstance(node, x.Const | x.RowConst)


# ------------------------------------------------------------------------------------------------------------- state
@noun_for(x.StateRead)
def _state(w: Words, node: x.StateRead) -> Phrase:
    name, many = en.lowered(node.symbol.name), naming.is_several(node.type)
    if node.key is None:
        if isinstance(strip(node.type), PlayerType):
            return Phrase(f"the {naming.player_noun(name)}", attribute=name)
        return Phrase(f"the {name}", many, attribute=name)
    return possessive(w.noun(node.key), name, many)


@clause_for(x.StateRead)
def _state_holds(w: Words, node: x.StateRead, holds: bool) -> str:
    name = en.lowered(node.symbol.name)
    if node.key is None:
        return f"“{name}” is noted" if holds else f"“{name}” is not noted"
    return adjective(w.noun(node.key), name, holds)


def adjective(subject: Phrase, name: str, holds: bool) -> str:
    """`the player is waiting`, `the player has a permit`; names may begin with a verb themselves."""
    first, _, rest = name.partition(" ")
    if first in ("has", "have") and rest:
        return (
            en.said(subject, "have" if holds else "do not have", rest)
            if holds or subject.plural
            else f"{subject} does not have {rest}"
        )
    if first in ("can", "may", "must") and rest:
        return f"{subject} {first}{'' if holds else ' not' if first != 'can' else 'not'} {rest}"
    if first == "is" and rest:
        name = rest
    return en.said(subject, "be", name if holds else f"not {name}")


@noun_for(x.TrackRead)
def _track(w: Words, node: x.TrackRead) -> Phrase:
    return possessive(w.noun(node.player), naming.words_of(node.symbol).many, True)


@noun_for(x.ResourceRead)
def _resource(w: Words, node: x.ResourceRead) -> Phrase:
    what = naming.words_of(node.symbol).many
    if node.unit is not None:
        what = many_of(w, node.unit)
        if what.startswith("of "):
            holder = w.noun(node.holder)
            who = Phrase("the supply") if isinstance(node.holder, x.Bank) else holder
            return Phrase(f"what {who} {en.verb(who, 'have')} {what}", True)
    if isinstance(node.holder, x.Bank):
        return Phrase(f"the {what} in the supply", True)
    return possessive(w.noun(node.holder), what, True)


def many_of(w: Words, unit: x.Expr) -> str:
    """Several of a kind of goods behind a number: `crosses`, or of a kind that is not known here `of the good`."""
    kind = strip(unit.type)
    if isinstance(unit, x.Const) and isinstance(unit.value, int) and isinstance(kind, EnumType) and unit.value:
        return naming.member_words(kind.symbol, unit.value).many
    return f"of {w.text(unit)}"


@noun_for(x.FaceRead)
def _face(w: Words, node: x.FaceRead) -> Phrase:
    die = w.noun(node.die)
    return possessive(die, "faces" if each_many(die) else "face", each_many(die))


@noun_for(x.ColumnRead, x.CellTest)
def _column(w: Words, node: x.ColumnRead | x.CellTest) -> Phrase:
    what = en.lowered(node.column.name)
    thing = w.noun(node.thing)
    kind = strip(node.type)
    many = naming.is_several(kind) or each_many(thing) or naming.sounds_many(what)
    return possessive(thing, what, many)


@clause_for(x.ColumnRead)
def _column_holds(w: Words, node: x.ColumnRead, holds: bool) -> str:
    return adjective(w.noun(node.thing), en.lowered(node.column.name), holds)


@clause_for(x.CellTest)
def _test_holds(w: Words, node: x.CellTest, holds: bool) -> str:
    name = naming.called(node.column, en.lowered(node.column.name))
    return en.said(w.noun(node.thing), "be", name if holds else f"not {name}")


def each_many(thing: Phrase) -> bool:
    """Whether what several things have is several; a mark stands for one of them at a time."""
    return thing.many and not en.is_mark(thing.text)


ATTRIBUTES = {
    "pos": "position",
    "owner": "owner",
    "holder": "holder",
    "place": "place",
    "name": "name",
    "grid_row": "row",
    "grid_column": "column",
    "half": "half-column",
}


@noun_for(x.ThingAttribute)
def _attribute(w: Words, node: x.ThingAttribute) -> Phrase:
    if node.attribute == "row_of":
        return w.noun(node.thing)
    thing = w.noun(node.thing)
    if node.attribute in ("owner", "holder") and not thing.you and not en.is_mark(thing.text):
        return Phrase(
            f"the {node.attribute}{'s' if thing.many else ''} of {thing}",
            thing.many,
            owner=thing,
            attribute=node.attribute,
        )
    if isinstance(strip(node.thing.type), ThingType):
        return possessive(thing, ATTRIBUTES[node.attribute], each_many(thing))
    return possessive(thing, "seat" if node.attribute == "pos" else ATTRIBUTES[node.attribute], each_many(thing))


# ------------------------------------------------------------------------------------------------------------ places
@noun_for(x.ZoneRef)
def _zone(w: Words, node: x.ZoneRef) -> Phrase:
    name = naming.place_name(node.symbol)
    many = name.endswith(naming.words_of(node.symbol.entity).many) and not name.startswith("supply of ")
    if node.key is None:
        return Phrase(f"the {name}", many)
    return possessive(w.noun(node.key), name, many)


def zone_of(node: x.Expr) -> x.Expr:
    """The place whose contents are meant."""
    while isinstance(node, x.Contents | x.ToSet | x.ToList | x.Present | x.Hoisted):
        node = (
            node.zone
            if isinstance(node, x.Contents)
            else node.value
            if isinstance(node, x.Present | x.Hoisted)
            else node.collection
        )
    return node


def there(w: Words, zone: x.Expr, way: str = "in") -> str:
    """Where something lies or goes: `in your hand`, `on the corner`, `to the field`."""
    zone = zone_of(zone)
    to = way in ("to", "from")
    if isinstance(zone, x.Select):
        other = there(w, zone.alternative, way)
        return f"{there(w, zone.consequence, way)} if {w.clause(zone.condition)}, otherwise {other}"
    if isinstance(zone, x.ZoneRef) and naming.tells_things(zone.symbol) and zone.key is not None:
        if isinstance(strip(zone.key.type), ThingType):
            return f"{way if to else 'on'} {w.text(zone.key)}"
        if not to:
            return f"among {w.text(zone)}"
    if isinstance(zone, x.ZoneRef) and not to and zone.symbol.order == "pile" and way == "on":
        return f"on {w.text(zone)}"
    return f"{way} {w.text(zone)}"


@noun_for(x.Contents)
def _contents(w: Words, node: x.Contents) -> Phrase:
    zone = zone_of(node)
    words = naming.noun(node.type)
    if isinstance(zone, x.ZoneRef):
        if naming.tells_things(zone.symbol):
            name = words.many
            if zone.key is None:
                return Phrase(f"the {name}", True)
            if isinstance(strip(zone.key.type), ThingType):
                return Phrase(f"the {name} on {w.text(zone.key)}", True)
            return possessive(w.noun(zone.key), naming.place_name(zone.symbol), True)
        if naming.place_name(zone.symbol).endswith(words.many):
            name = naming.place_name(zone.symbol)
            return Phrase(f"the {name}", True) if zone.key is None else possessive(w.noun(zone.key), name, True)
    return Phrase(f"the {words.many} {there(w, zone)}", True)


@noun_for(x.ZoneCount)
def _zone_count(w: Words, node: x.ZoneCount) -> Phrase:
    return Phrase(f"the number of {bare(contents_text(w, node.zone))}")


def contents_text(w: Words, zone: x.Expr) -> str:
    """What lies in a place."""
    kind = zone.type
    return w.text(x.Contents(kind, zone.span, zone))


def bare(text: str) -> str:
    """A phrase without `the` or `all` before it, which must not belong to an owner."""
    if re.match(r"the (?:\S+ ){0,2}\S+’s? ", plain(text)):
        return text
    for word in ("the ", "all "):
        if text.startswith(word):
            return text[len(word) :]
    return text


@noun_for(x.ZoneEnd)
def _zone_end(w: Words, node: x.ZoneEnd) -> Phrase:
    zone = zone_of(node.zone)
    one = naming.noun(zone.type).one
    if isinstance(zone, x.ZoneRef):
        symbol = zone.symbol
        single = isinstance(symbol.capacity, x.Const) and symbol.capacity.value == 1
        if node.end != "at" and (single or symbol.order is None):
            return _only(w, zone, one)
        if symbol.order == "pile" and node.end == "last":
            return Phrase(f"the top {one} of {w.text(zone)}")
        if symbol.order == "pile" and node.end == "first":
            return Phrase(f"the bottom {one} of {w.text(zone)}")
    if node.end == "at" and node.place is not None:
        return Phrase(f"the {one} at place {w.text(node.place)} {there(w, zone)}")
    return Phrase(
        f"the {node.end} {one} {there(w, zone, 'of') if not isinstance(zone, x.ZoneRef) else 'of ' + w.text(zone)}"
    )


def _only(w: Words, zone: x.ZoneRef, one: str) -> Phrase:
    symbol = zone.symbol
    name, many = naming.place_name(symbol), naming.words_of(symbol.entity).many
    if zone.key is not None and name.endswith(f" {many}"):
        return possessive(w.noun(zone.key), f"{name.removesuffix(many)}{one}")
    if zone.key is not None and naming.tells_things(symbol):
        if isinstance(strip(zone.key.type), ThingType):
            key = w.noun(zone.key)
            if en.is_mark(key.text):
                return possessive(key, naming.words_of(symbol.entity).one)
            words = naming.words_of(symbol.entity)
            return Phrase(f"the {words.many if key.many else words.one} on {key}", key.many)
        return Phrase(f"one of {w.text(x.Contents(zone.type, zone.span, zone))}")
    if zone.key is not None and en.lowered(symbol.name) in one.split():
        return possessive(w.noun(zone.key), one)
    return Phrase(f"the {one} {there(w, zone)}")


@noun_for(x.ZoneTop)
def _zone_top(w: Words, node: x.ZoneTop) -> Phrase:
    return Phrase(
        f"the top {w.text(node.count)} {naming.noun(node.zone.type).many} of {w.text(zone_of(node.zone))}", True
    )


__all__ = [
    "NOWHERE",
    "adjective",
    "bare",
    "contents_text",
    "each_many",
    "many_of",
    "picture_text",
    "row_phrase",
    "row_text",
    "short",
    "there",
    "zone_of",
]
