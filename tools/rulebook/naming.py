"""How declarations are called in a text: their nouns, their links, the units they are counted in."""

from __future__ import annotations

import re

from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import (
    BoolType,
    EnumType,
    IntType,
    ListType,
    OptionalType,
    PictureType,
    PlayerType,
    RecordType,
    RowType,
    SetType,
    TallyType,
    TextType,
    ThingType,
    Type,
    ZoneType,
    strip,
)
from regelwerk.tools.rulebook import english as en
from regelwerk.tools.rulebook.markup import link, own

KINDS: tuple[tuple[type[g.Symbol], str], ...] = (
    (g.ActionSymbol, "action"),
    (g.EffectSymbol, "effect"),
    (g.ValueSymbol, "value"),
    (g.OptionSymbol, "option"),
    (g.ConstantSymbol, "const"),
    (g.PhaseSymbol, "phase"),
    (g.StepSymbol, "step"),
    (g.AwardSymbol, "award"),
    (g.EndSymbol, "end"),
    (g.RankSymbol, "rank"),
    (g.ScoreSymbol, "score"),
    (g.RecordSymbol, "record"),
    (g.ColumnSymbol, "column"),
    (g.EntitySymbol, "things"),
    (g.EnumSymbol, "enum"),
    (g.ResourceSymbol, "goods"),
    (g.TrackSymbol, "track"),
    (g.ZoneSymbol, "place"),
    (g.StateSymbol, "note"),
)
NO_NOUNS = frozenset({
    "below", "above", "before", "after", "between", "at", "to", "from", "into", "for", "with", "what", "which",
    "who", "whom", "how", "when", "where", "here", "there", "this", "that", "its", "his", "her", "the", "and",
    "not", "all", "any", "one", "two", "use", "way", "it", "me", "my", "now", "then",
})  # fmt: skip
"""Names of parameters that make no noun."""
PARTICIPLES = frozenset({
    "open", "spent", "fresh", "gone", "lost", "won", "laid", "drawn", "hidden", "free", "out", "neutral", "built",
    "kept", "sold", "left",
})  # fmt: skip
"""Names of places that tell the state of what lies there."""


def anchor(symbol: g.Symbol) -> str:
    """The id of the entry of a declaration."""
    if isinstance(symbol, g.ColumnSymbol):
        return f"table-{anchor(symbol.entity)}"
    kind = next((word for cls, word in KINDS if isinstance(symbol, cls)), "clause")
    key = ""
    if isinstance(symbol, g.ZoneSymbol | g.StateSymbol) and symbol.key is not None:
        key = f"-{en.lowered(str(symbol.key)).replace(' ', '-')}"
    if isinstance(symbol, g.ValueSymbol) and symbol.parameters:
        key = f"-{en.lowered(str(symbol.parameters[0][1])).replace(' ', '-')}"
    return slug(f"{kind}-{symbol.address}{key}")


def slug(text: str) -> str:
    """A text as an id: letters, digits and hyphens."""
    return re.sub(r"[^\w]+", "-", text.replace("_", "-")).strip("-").lower()


def words_of(symbol: g.EntitySymbol | g.EnumSymbol | g.RecordSymbol | g.ResourceSymbol | g.TrackSymbol) -> g.Words:
    """The nouns of a declaration as they stand inside a sentence: printed ones as they are, identifiers in words."""
    one, many = own(symbol.words.one), own(symbol.words.many)
    name = symbol.name
    printed_one = one if one not in (name, name.replace("_", " ")) else en.lowered(name)
    named = symbol.plural or name
    printed_many = many if many not in (named, named.replace("_", " "), name) else en.lowered(named)
    return g.Words(printed_one, printed_many if printed_many != printed_one else _plural(symbol, printed_one))


def _plural(symbol: g.Symbol, one: str) -> str:
    return one if isinstance(symbol, g.ResourceSymbol | g.TrackSymbol) else en.plural(one)


def unit_words(unit: g.Unit) -> g.Words:
    """How one and several of a unit are called."""
    if unit.member is not None and isinstance(unit.symbol, g.ResourceSymbol) and unit.symbol.kinds is not None:
        return member_words(unit.symbol.kinds, unit.member)
    return words_of(unit.symbol)


def member_words(symbol: g.EnumSymbol, value: int) -> g.Words:
    """How one and several of a member of an enum are called; numbers among the members stand for themselves."""
    first = symbol.numbers[1] if symbol.numbers is not None else 0
    if value <= first:
        return g.Words(str(value), str(value))
    name, many, printed, _ = symbol.members[value - first - 1]
    one, several = own(printed.one), own(printed.many)
    one = en.lowered(name) if one in (name, name.replace("_", " ")) and "_" in name else one.replace("_", " ")
    if several in (name, name.replace("_", " ")):
        several = one
    return g.Words(one, several.replace("_", " ") if many is None or several != many else en.lowered(many))


def noun(kind: Type) -> g.Words:
    """What one and several values of a type are called."""
    bare = strip(kind)
    if isinstance(bare, PlayerType):
        return g.Words("player", "players")
    if isinstance(bare, EnumType | ThingType | RowType | RecordType):
        return words_of(bare.symbol)
    if isinstance(bare, PictureType):
        return g.Words("picture", "pictures")
    if isinstance(bare, TallyType):
        return g.Words("amount", "amounts")
    if isinstance(bare, SetType | ListType):
        return noun(bare.member)
    if isinstance(bare, ZoneType):
        return words_of(bare.symbol)
    if isinstance(bare, BoolType):
        return g.Words("answer", "answers")
    if isinstance(bare, TextType):
        return g.Words("text", "texts")
    return g.Words("number", "numbers")


def named(name: str, kind: Type) -> g.Words:
    """What a local variable is called: by its name where that is a noun, else by its type."""
    bare = strip(kind)
    several = isinstance(bare, SetType | ListType)
    usual = noun(bare)
    if isinstance(bare, IntType) or (len(name) >= 3 and name.lower() not in NO_NOUNS):
        word = en.lowered(name) if len(name) > 2 else name
        return g.Words(word, word)
    return g.Words(usual.many, usual.many) if several else usual


def singular(name: str) -> str:
    """One of what a regular plural names."""
    if name.endswith("ies"):
        return f"{name[:-3]}y"
    return name[:-2] if name.endswith(("ches", "shes", "sses", "xes")) else name[:-1]


def sounds_many(name: str) -> bool:
    """Whether a name has the form of a plural."""
    return name.endswith("s") and not name.endswith(("ss", "us", "is"))


def player_noun(name: str) -> str:
    """A name of one of the players, as a noun for a person: `start` is the start player, `dealer` is one."""
    person = "player" in name or re.search(r"(er|or|ant|ent|ist|man|ee)$", name) is not None
    return name if person else f"{name} player"


def is_several(kind: Type) -> bool:
    """Whether values of this type are several things."""
    return isinstance(strip(kind), SetType | ListType)


def tells_things(zone: g.ZoneSymbol) -> bool:
    """Whether the name of a place of somebody or something is that of what is in it: `roads` of roads."""
    return zone.key is not None and _called_alike(zone)


def _called_alike(zone: g.ZoneSymbol) -> bool:
    names = {zone.name.lower().replace("_", " ")}
    if zone.printed is not None:
        names = {own(zone.printed).lower()}
    entity = zone.entity
    words = words_of(entity)
    of_things = {entity.name.lower(), (entity.plural or "").lower(), words.one.lower(), words.many.lower()}
    of_things |= {each.rpartition(" ")[2] for each in (words.one.lower(), words.many.lower())}
    return bool(names & of_things)


def place_name(zone: g.ZoneSymbol) -> str:
    """A place as words, without its owner."""
    name = own(zone.printed) if zone.printed is not None else en.lowered(zone.name)
    if zone.key is None and _called_alike(zone):
        words = words_of(zone.entity)
        return f"{words.one} {zone.order}" if zone.order is not None else f"supply of {words.many}"
    if zone.printed is None and (name in PARTICIPLES or re.search(r"[^e]ed$", name)):
        many = words_of(zone.entity).many
        return many if many.startswith(name) else f"{name} {many}"
    return name


def called(symbol: g.Symbol, text: str | None = None) -> str:
    """The name of a declaration, leading to its entry."""
    return link(anchor(symbol), en.lowered(symbol.name) if text is None else text)


def optional(kind: Type) -> bool:
    """Whether none is among the values."""
    return isinstance(kind, OptionalType)


__all__ = [
    "anchor",
    "called",
    "is_several",
    "member_words",
    "named",
    "noun",
    "optional",
    "place_name",
    "player_noun",
    "singular",
    "slug",
    "sounds_many",
    "tells_things",
    "unit_words",
    "words_of",
]
