"""Words for heads: what is chosen, gone through, counted or asked about.

A variable first stands as a mark in its clause. If the clause begins with it, the noun takes its place (`at least one
player has no coins`); else what is said follows the noun (`a corner on which there is no building`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import (
    BoolType,
    EnumType,
    IntType,
    PlayerType,
    RecordType,
    SetType,
    Type,
    ZoneType,
    strip,
)
from regelwerk.tools.rulebook import english as en
from regelwerk.tools.rulebook import naming
from regelwerk.tools.rulebook.english import Phrase
from regelwerk.tools.rulebook.markup import emphasis, own, plain
from regelwerk.tools.rulebook.reading import bare, row_text, there, zone_of
from regelwerk.tools.rulebook.wording import SUBJECT, Words, replaced

PREPOSITIONS = "on|in|at|to|for|with|from|of|beside|around"


# ------------------------------------------------------------------------------------------------------------- nouns
def element(w: Words, source: x.Expr, many: bool) -> tuple[str, str]:
    """What one or several elements of a collection are called, and what is said behind the noun."""
    words = naming.noun(source.type)
    word = words.many if many else words.one
    if isinstance(source, x.ToSet | x.ToList | x.Sorted):
        return element(w, source.collection, many)
    if isinstance(source, x.Hoisted | x.Present):
        return element(w, source.value, many)
    if isinstance(source, x.AllPlayers | x.AllThings):
        return word, ""
    if isinstance(source, x.Interval):
        kind = strip(source.type)
        if isinstance(kind, SetType) and not isinstance(strip(kind.member), IntType):
            text = w.text(source)
            return word, "" if text.startswith("all ") else f" from {text}"
        return word, f" from {w.text(source.lowest)} to {w.text(source.highest)}"
    if isinstance(source, x.Filter):
        return noun_and_relative(w, source.collection, source.slot, [source.condition], many)
    if isinstance(source, x.Call) and source.symbol.library == "turns" and "clockwise" in source.symbol.name:
        return word, f" ({w.text(source).removeprefix('all players ')})"
    zone = zone_of(source)
    if isinstance(zone, x.ZoneRef) and naming.place_name(zone.symbol).endswith(f" {words.many}"):
        word = f"{naming.place_name(zone.symbol).removesuffix(words.many)}{word}"
        if zone.key is None:
            return word, ""
        owner = w.noun(zone.key)
        return word, " of yours" if owner.you else f" of {owner}"
    if isinstance(zone, x.ZoneRef) or isinstance(source.type, ZoneType):
        return word, _behind(w, zone)
    if isinstance(source, x.Quantified) and source.quantifier == "list":
        return w.text(source).removeprefix("all ") if many else word, ""
    if isinstance(source, x.SetOf | x.ListOf):
        return word, f" among {w.text(source)}" if len(source.items) > 1 else f" ({w.text(source)})"
    phrase = w.noun(source)
    if many and phrase.owner is not None and naming.sounds_many(plain(phrase.attribute)):
        return phrase.attribute, " of yours" if phrase.owner.you else f" of {phrase.owner}"
    if many and not (isinstance(source, x.Local) and plain(bare(phrase.text)) not in (words.one, words.many)):
        return bare(phrase.text), ""
    if isinstance(source, x.Local):
        return word, f" among {phrase}" if plain(bare(phrase.text)) not in (words.one, words.many) else ""
    one = _one_of(phrase.text, words)
    if one is not None:
        return one, ""
    name = plain(phrase.attribute)
    if phrase.owner is not None and name.endswith("s"):
        single = naming.singular(name)
        return phrase.attribute.replace(name, single), " of yours" if phrase.owner.you else f" of {phrase.owner}"
    return word, f" {'in' if phrase.owner is not None else 'among'} {phrase}"


def _one_of(text: str, words: g.Words) -> str | None:
    """One of several that are called by their noun: `the corners at the hex` gives `corner at the hex`."""
    found = re.match(rf"(?:the |all )?((?:other )?){re.escape(words.many)}\b", text)
    return f"{found[1]}{words.one}{text[found.end() :]}" if found is not None else None


def _behind(w: Words, zone: x.Expr) -> str:
    if isinstance(zone, x.ZoneRef) and naming.tells_things(zone.symbol):
        if zone.key is None:
            return ""
        if isinstance(strip(zone.key.type), PlayerType):
            owner = w.noun(zone.key)
            return " of yours" if owner.you else f" of {owner}"
    return f" {there(w, zone)}"


def noun_and_relative(
    w: Words, source: x.Expr, slot: int, conditions: Sequence[x.Expr | None], many: bool
) -> tuple[str, str]:
    """The noun for elements of a collection under conditions, and what is said behind it: ` that are free`."""
    parts = [each for one in conditions if one is not None for each in _conjuncts(one)]
    noun, behind = element(w, source, many)
    named = next((each for each in parts if _is_row(each, slot)), None)
    if named is not None:
        parts.remove(named)
        name = _row_name(named, slot)
        noun = (en.plural(name) if many else name) if name[:1].islower() else name
    with w.inner():
        text = relative(w, slot, parts, many, source.type)
    return noun, behind + text


def _conjuncts(node: x.Expr) -> list[x.Expr]:
    return [*_conjuncts(node.left), *_conjuncts(node.right)] if isinstance(node, x.Both) else [node]


def _is_row(node: x.Expr, slot: int) -> bool:
    if not isinstance(node, x.Equal):
        return False
    sides = (node.left, node.right)
    rows = [each for each in sides if isinstance(each, x.RowConst)]
    locals_ = [each for each in map(_itself, sides) if isinstance(each, x.Local) and each.slot == slot]
    return len(rows) == 1 and len(locals_) == 1 and rows[0].symbol.rows[rows[0].row - 1].several


def _itself(node: x.Expr) -> x.Expr:
    """A thing, if its row is asked for."""
    return node.thing if isinstance(node, x.ThingAttribute) and node.attribute == "row_of" else node


def _row_name(node: x.Expr, slot: int) -> str:
    assert isinstance(node, x.Equal)
    row = node.right if isinstance(node.right, x.RowConst) else node.left
    assert isinstance(row, x.RowConst)
    return row_text(row.symbol, row.symbol.rows[row.row - 1])


def relative(w: Words, slot: int, parts: Sequence[x.Expr], many: bool, kind: Type) -> str:
    """What is said behind a noun: ` that are free and on which there is no building`."""
    if not parts:
        return ""
    mark = w.marked(slot, many)
    said = [_relative(w.clause(each), mark, many, _person(kind)) for each in parts]
    commas = any(" or " in each or "," in each for each in said)
    return (
        f" {(', and ' if commas else ' and ').join(said)}"
        if len(said) < 3
        else f" {', '.join(said[:-1])} and {said[-1]}"
    )


def _person(kind: Type) -> bool:
    bare_kind = strip(kind)
    member = getattr(bare_kind, "member", bare_kind)
    return isinstance(strip(member), PlayerType)


def _relative(clause: str, mark: str, many: bool, person: bool) -> str:
    who, whom = ("who", "whom") if person else ("that", "which")
    again = "they" if many or person else "it"
    then = "them" if many or person else "it"
    if clause.startswith(f"{mark} "):
        rest = re.sub(rf"(\b(?:and|or) |, (?:or |and )?){mark} ", rf"\1{who} ", clause[1:])
        return f"{who}{replaced(rest, mark, then, then)}"
    if clause.startswith(f"{mark}’s "):
        return f"whose {replaced(clause[3:], mark, then, then).lstrip()}"
    if clause.count(mark) == 1:
        ending = re.fullmatch(rf"(.*\S) ({PREPOSITIONS}) {mark}", clause)
        if ending is not None and " or " not in clause and " and " not in clause:
            return f"{ending[2]} {whom} {ending[1]}"
    return (
        f"for {whom} {replaced(clause, mark, again if SUBJECT.match(clause[clause.find(mark) + 1 :]) else then, then)}"
    )


def those(w: Words, collection: x.Expr, slot: int, condition: x.Expr | None) -> str:
    """`the fields that are free`."""
    noun, behind = noun_and_relative(w, collection, slot, [condition], True)
    if behind.startswith(" of yours"):
        return f"your {noun}{behind.removeprefix(' of yours')}"
    return f"the {noun}{behind}" if not noun.startswith(("the ", "your ")) else f"{noun}{behind}"


# ------------------------------------------------------------------------------------------------------- quantifiers
def quantified(w: Words, node: x.Quantified, holds: bool) -> str:
    """`some` and `every` as a clause."""
    with w.inner():
        binders = node.head.visible
        if node.quantifier == "every":
            return _every(w, binders, node.value, holds)
        return _some(w, binders, node.value, holds)


def _some(w: Words, binders: list[x.Binder], value: x.Expr | None, holds: bool) -> str:
    binder, rest = binders[0], binders[1:]
    parts = [] if binder.condition is None else _conjuncts(binder.condition)
    if value is not None and not rest:
        parts += _conjuncts(value)
    word = "at least one" if holds else "no"
    said, plain_parts = [], []
    if not holds and len(parts) > 1 and not rest:
        plain_parts, parts = parts[:-1], parts[-1:]
    noun, behind = noun_and_relative(w, binder.source, binder.slot, plain_parts, False)
    mark = w.marked(binder.slot)
    said = [w.clause(each) for each in parts]
    if rest:
        said.append(_some(w, rest, value, True))
    if not said:
        return f"there is {word} {noun}{behind}"
    person = _person(binder.type)
    long = len(plain(noun + behind).split()) > 2
    if said[0].startswith((f"{mark} ", f"{mark}’s ")):
        clause = " and ".join(said) if len(said) < 3 else f"{', '.join(said[:-1])} and {said[-1]}"
        again = "that player" if person else "it"
        clause = re.sub(rf"\band {mark} (?!’s)", "and ", clause)
        if long and said[0].startswith(f"{mark}’s "):
            texts = [_relative(each, mark, False, person) for each in said]
            return f"there is {word} {noun}{behind} {' and '.join(texts)}"
        return replaced(clause, mark, f"{word} {noun}{behind}", again)
    texts = [_relative(each, mark, False, person) for each in said]
    return f"there is {word} {noun}{behind} {' and '.join(texts)}"


def _lettered(w: Words, binders: list[x.Binder], word: str) -> str:
    """Several elements of one kind, told apart by their letters."""
    said = []
    for binder in binders:
        noun, behind = noun_and_relative(w, binder.source, binder.slot, [binder.condition], False)
        letter = emphasis(own(binder.name.replace("_", " ")))
        w.known[binder.slot] = Phrase(letter)
        said.append(f"{word} {noun} {letter}{behind}")
    return en.listed(said)


def _alike(binders: list[x.Binder]) -> bool:
    return len(binders) > 1 and all(strip(each.type) == strip(binders[0].type) for each in binders)


def _every(w: Words, binders: list[x.Binder], value: x.Expr | None, holds: bool) -> str:
    if _alike(binders) and value is not None:
        each = _lettered(w, binders, "every")
        return f"{'' if holds else 'not '}for {each}: {w.clause(value)}"
    binder, rest = binders[0], binders[1:]
    if holds and not rest and isinstance(value, x.Negation):
        with w.inner():
            w.marked(binder.slot)
            denied = re.search(r"\b(not|no|cannot)\b", w.clause(value)) is not None
        if denied:
            return _some(w, binders, value.operand, False)
    noun, behind = noun_and_relative(w, binder.source, binder.slot, [binder.condition], False)
    mark = w.marked(binder.slot)
    clause = _every(w, rest, value, True) if rest else w.clause(value) if value is not None else "it is there"
    again = "that player" if _person(binder.type) else "it"
    no = "" if holds else "not "
    long = len(plain(noun + behind).split()) > 2
    if clause.startswith((f"{mark} ", f"{mark}’s ")) and not (long and clause.startswith(f"{mark}’s ")):
        if " for " not in clause:
            clause = re.sub(rf"\b(and|or) {mark} ", r"\1 ", clause)
        return replaced(clause, mark, f"{no}every {noun}{behind}", again)
    return f"{no}for every {noun}{behind}: {replaced(clause, mark, again, again)}"


def counted(w: Words, head: x.Head, many: bool) -> tuple[str, str]:
    """What is counted: a noun and what is said behind it."""
    with w.inner():
        binders = head.visible
        if len(binders) == 1:
            binder = binders[0]
            return noun_and_relative(w, binder.source, binder.slot, [binder.condition], many)
        texts = [_each(w, each) for each in binders]
        return ("combinations" if many else "combination"), f" of {en.listed(texts)}"


def _each(w: Words, binder: x.Binder, word: str = "a") -> str:
    noun, behind = noun_and_relative(w, binder.source, binder.slot, [binder.condition], False)
    shown = w.introduce(binder.slot, binder.type, binder.name)
    marker = shown[len(noun) :] if shown.startswith(noun) and shown != noun else ""
    if isinstance(strip(binder.type), IntType):
        noun = f"{noun} {shown}"
    phrase = f"{noun}{marker}{behind}"
    return en.article(phrase) if word == "a" else f"{word} {phrase}"


def each_of(w: Words, head: x.Head) -> str:
    """`each field that is free`, for loops; the variables are known behind it."""
    texts = [f"{_each(w, binder, 'each')}{ordered_by(w, binder)}" for binder in head.visible]
    return en.listed(texts)


def ordered_by(w: Words, binder: x.Binder) -> str:
    """In which order elements come, if it is said."""
    if binder.key is None:
        return ""
    with w.inner():
        mark = w.marked(binder.slot)
        key = replaced(w.text(binder.key), mark, "their", "their").replace("their’s", "their")
    key = re.sub(r"^their ", "", key)
    return f", {'highest' if binder.highest_first else 'lowest'} {key} first"


def quantity(w: Words, node: x.Quantified) -> Phrase:
    """Quantifiers that give a number or things."""
    with w.inner():
        kind = node.quantifier
        binders = node.head.visible
        if kind == "count":
            noun, behind = counted(w, node.head, True)
            return Phrase(f"the number of {noun}{behind}")
        if kind in ("some", "every"):
            return Phrase(f"whether {quantified(w, node, True)}")
        if kind == "first":
            return _first(w, binders)
        if (kind == "list" and node.value is None) or (kind == "list" and _is_itself(node)):
            binder = binders[-1]
            noun, behind = noun_and_relative(w, binder.source, binder.slot, [binder.condition], True)
            return Phrase(f"all {noun}{behind}{ordered_by(w, binder)}", True)
        return _gathered(w, node, binders)


def _is_itself(node: x.Quantified) -> bool:
    return (
        isinstance(node.value, x.Local) and len(node.head.visible) == 1 and node.value.slot == node.head.visible[0].slot
    )


def _first(w: Words, binders: list[x.Binder]) -> Phrase:
    binder = binders[-1]
    noun, behind = noun_and_relative(w, binder.source, binder.slot, [binder.condition], False)
    if binder.key is not None:
        with w.inner():
            mark = w.marked(binder.slot)
            key = w.text(binder.key)
        key = re.sub(rf"^{mark}’s ", "", key)
        key = replaced(key, mark, "it", "it")
        return Phrase(
            f"the {noun}{behind} with the {'highest' if binder.highest_first else 'lowest'} {bare(key)}", long=True
        )
    zone = zone_of(binder.source)
    if isinstance(zone, x.ZoneRef) and zone.symbol.order is None:
        return Phrase(en.article(f"{noun}{behind}"), long=True)
    if binder.condition is not None and not isinstance(zone, x.ZoneRef):
        return Phrase(f"the {noun}{behind}", long=bool(behind))
    return Phrase(f"the first {noun}{behind}", long=True)


WORDS = {"sum": "the sum of", "min": "the lowest of", "max": "the highest of", "list": ""}


def _gathered(w: Words, node: x.Quantified, binders: list[x.Binder]) -> Phrase:
    assert node.value is not None
    outer = [_each(w, each, "each") for each in binders[:-1]]
    binder = binders[-1]
    noun, behind = noun_and_relative(w, binder.source, binder.slot, [binder.condition], False)
    word = "any" if node.quantifier in ("min", "max") else "each"
    spoken = f"{word} {noun}{behind}"
    if isinstance(node.value, x.Switch | x.Select | x.Quantified):
        w.introduce(binder.slot, binder.type, binder.name)
        added = "added up" if node.quantifier == "sum" else WORDS[node.quantifier].removesuffix(" of")
        return Phrase(f"for {en.listed([*outer, spoken])}: {w.text(node.value)}, {added}")
    mark = w.marked(binder.slot, long=bool(behind) or len(noun.split()) > 2)
    value = w.text(node.value)
    if mark not in value and node.quantifier == "sum":
        return Phrase(f"{value} for {en.listed([*outer, spoken])}")
    more = f", for {en.listed(outer)}" if outer else ""
    again = "that player" if _person(binder.type) else "it"
    text = replaced(value, mark, spoken, again)
    if node.quantifier == "list":
        return Phrase(f"{text}{more}", True)
    return Phrase(f"{WORDS[node.quantifier]} {text}{more}")


# ----------------------------------------------------------------------------------------------------------- choices
def range_words(w: Words, binder: x.Binder) -> str:
    """How many are picked: `one or two`, `up to 3`, `as many as possible, but at most 4`."""
    low, high = binder.lowest, binder.highest
    at_most = w.text(high) if high is not None else ""
    if binder.most:
        return f"as many as possible (at most {at_most})" if at_most else "as many as possible"
    least = w.text(low) if low is not None else "0"
    if not at_most:
        return f"at least {least}"
    if least == at_most:
        return least
    if least == "0":
        return f"up to {at_most}"
    if least == "1" and at_most == "2":
        return "one or two"
    return f"{least} to {at_most}"


def choice(w: Words, binder: x.Binder) -> str:
    """What a player picks; the variable is known behind it."""
    kind = strip(binder.type)
    if binder.form == "one":
        if isinstance(kind, BoolType):
            return f"yes or no for {w.introduce(binder.slot, binder.type, binder.name)}"
        if isinstance(kind, IntType) or _numbers(binder.source):
            return _number(w, binder)
        if isinstance(binder.source, x.ListOf) and len(binder.source.items) == 1:
            return _record(w, binder)
        return f"{_each(w, binder)}{ordered_by(w, binder)}"
    text = _several(w, binder)
    shown = w.introduce(binder.slot, binder.type, binder.name)
    if binder.form in ("times", "part"):
        noun = len(binder.name) > 2 and binder.name.lower() not in naming.NO_NOUNS
        w.known[binder.slot] = Phrase(f"the chosen {plain(shown)}" if noun else "what you have chosen", True)
    return text


def _numbers(source: x.Expr) -> bool:
    kind = strip(source.type)
    member = getattr(kind, "member", None)
    return isinstance(member, IntType) and not isinstance(member, EnumType)


def _number(w: Words, binder: x.Binder) -> str:
    source = binder.source
    if isinstance(source, x.Interval):
        domain = f"from {w.text(source.lowest)} to {w.text(source.highest)}"
    elif isinstance(source, x.SetOf | x.ListOf):
        domain = f"({en.listed((w.text(each) for each in source.items), 'or')})"
    else:
        domain = f"from {w.text(source)}"
    shown = w.introduce(binder.slot, binder.type, binder.name)
    noun = "a number" if len(binder.name) < 3 else "the number"
    rest = ""
    if binder.condition is not None:
        rest = f", so that {en.listed(w.clause(each) for each in _conjuncts(binder.condition))}"
    return f"{noun} {shown} {domain}{rest}"


def _record(w: Words, binder: x.Binder) -> str:
    words = naming.noun(binder.type)
    kind = strip(binder.type)
    name = naming.called(kind.symbol, words.one) if isinstance(kind, RecordType) else words.one
    w.introduce(binder.slot, binder.type, binder.name, words)
    own_condition = f", so that {w.clause(binder.own)}" if binder.own is not None else ""
    return f"{en.article(name)}{own_condition}"


def _several(w: Words, binder: x.Binder) -> str:
    many = range_words(w, binder)
    if not binder.most and binder.lowest is not None and many == w.text(binder.lowest) and len(plain(many).split()) > 1:
        return f"this many of {w.text(binder.source)}: {many}"
    with w.inner():
        if binder.chosen_slot is not None:
            w.known[binder.chosen_slot] = Phrase("what you have picked so far", False)
        if binder.form == "part":
            return f"{many} of {w.text(binder.source)}{_so_that(w, binder)}"
        noun, behind = element(w, binder.source, True)
        if binder.form == "times":
            return f"{many} {noun}{behind}, each as often as you like{_so_that(w, binder)}"
        if binder.condition is not None and binder.chosen_slot is None:
            noun, behind = noun_and_relative(w, binder.source, binder.it_slot, [binder.condition], True)
            return f"{many} of the {noun}{behind}"
        own_text = w.text(binder.source)
        return f"{many} of {own_text}{_so_that(w, binder)}"


def _so_that(w: Words, binder: x.Binder) -> str:
    if binder.condition is None:
        return ""
    if _capped(binder):
        return ", as far as the supply has them"
    w.known[binder.it_slot] = Phrase("the one you pick next")
    parts = [w.clause(each) for each in _conjuncts(binder.condition)]
    return f", one after the other, so that each time {en.listed(parts)}"


def _capped(binder: x.Binder) -> bool:
    """Whether goods are picked that the supply must have."""
    test, it, chosen = binder.condition, binder.it_slot, binder.chosen_slot
    if not isinstance(test, x.Ordered) or test.operator != ">":
        return False
    has, taken = test.left, test.right
    return (
        isinstance(has, x.ResourceRead)
        and isinstance(has.holder, x.Bank)
        and isinstance(has.unit, x.Local)
        and has.unit.slot == it
        and isinstance(taken, x.TallyCount)
        and isinstance(taken.tally, x.Local)
        and taken.tally.slot == chosen
    )


def choices(w: Words, head: x.Head) -> list[str]:
    """What a player picks, one after the other."""
    return [choice(w, binder) for binder in head.visible]


__all__ = [
    "choice",
    "choices",
    "counted",
    "each_of",
    "element",
    "noun_and_relative",
    "ordered_by",
    "quantified",
    "quantity",
    "range_words",
    "relative",
    "those",
]
