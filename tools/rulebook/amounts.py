"""Words for amounts: numbers with their nouns, and what is gained for each of something."""

from __future__ import annotations

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import EnumType, TallyType, strip
from regelwerk.tools.rulebook import english as en
from regelwerk.tools.rulebook import naming, picking
from regelwerk.tools.rulebook.computing import constant
from regelwerk.tools.rulebook.markup import plain
from regelwerk.tools.rulebook.reading import many_of
from regelwerk.tools.rulebook.wording import Words


def unit_of(w: Words, kind: TallyType, number: int) -> g.Unit:
    """The unit with this number in a tally."""
    if kind.symbol is None:
        return w.game.units[number - 1]
    resource = next((each for each in w.game.resources if each.kinds is kind.symbol), None)
    if resource is not None:
        return g.Unit(resource, number)
    made = g.ResourceSymbol(
        kind.symbol.name, kind.symbol.span, kind.symbol.words, None, kind.symbol, None, None, [], "all"
    )
    return g.Unit(made, number)


def counted_unit(unit: g.Unit, count: str, one: bool) -> str:
    """A number with its noun."""
    words = naming.unit_words(unit)
    return f"{count} {words.one if one else words.many}"


def tally_parts(w: Words, node: x.TallyOf) -> list[str]:
    """The parts of an amount: `2 coins`."""
    kind = strip(node.type)
    assert isinstance(kind, TallyType)
    found = []
    for unit, count in node.parts:
        if isinstance(unit, int):
            found.append(part(w, naming.unit_words(unit_of(w, kind, unit)), count))
        else:
            found.append(part(w, _of_kind(w, unit), count))
    return found


def _of_kind(w: Words, unit: x.Expr) -> g.Words:
    if isinstance(unit, x.Arithmetic) and unit.operator == "+" and constant(unit.right) is not None:
        unit = unit.left
    kind = strip(unit.type)
    if isinstance(unit, x.Const) and isinstance(unit.value, int) and unit.value and isinstance(kind, EnumType):
        return naming.member_words(kind.symbol, unit.value)
    text = many_of(w, unit)
    return g.Words(text, text)


def part(w: Words, words: g.Words, count: x.Expr) -> str:
    """So many of something: a number before the noun, a calculation in a way that can be read."""
    value = constant(count)
    if value is not None:
        number = w.text(count)
        return f"{number} {words.one if number == '1' else words.many}"
    if isinstance(count, x.Select):
        rest = count.alternative
        if constant(rest) == 0:
            return f"{part(w, words, count.consequence)} if {w.clause(count.condition)}"
        return f"{part(w, words, count.consequence)} if {w.clause(count.condition)}, otherwise {part(w, words, rest)}"
    if isinstance(count, x.Switch):
        text = w.text(count)
        return f"{words.many}: {text}"
    if isinstance(count, x.Arithmetic) and count.operator == "*" and _counts(count.left, count.right) is not None:
        factor, many = _counts(count.left, count.right)  # type: ignore[misc]  # tested in the line above
        number = w.text(factor)
        noun = words.one if number == "1" else words.many
        return f"{number} {noun} for each {each_counted(w, many)}"
    if countable(count):
        return f"1 {words.one} for each {each_counted(w, count)}"
    text = w.text(count)
    if text.startswith("what ") and words.many.startswith("of "):
        return f"everything {text[5:]}"
    if plain(text).startswith(("the number of ",)):
        return f"as many {words.many} as {text}"
    if len(plain(text).split()) == 1:
        return f"{text} {words.many}"
    return f"as many {words.many} as {text}"


def _counts(left: x.Expr, right: x.Expr) -> tuple[x.Expr, x.Expr] | None:
    if constant(left) is not None and countable(right):
        return left, right
    if constant(right) is not None and countable(left):
        return right, left
    return None


def countable(node: x.Expr) -> bool:
    """Whether a number counts things that have a noun."""
    return (
        (isinstance(node, x.Quantified) and node.quantifier == "count")
        or isinstance(node, x.ZoneCount)
        or (isinstance(node, x.Count) and not isinstance(node.collection, x.AllPlayers))
    )


def each_counted(w: Words, node: x.Expr) -> str:
    """What is counted, one of it: `guest in your café`."""
    if isinstance(node, x.Quantified):
        noun, behind = picking.counted(w, node.head, False)
    elif isinstance(node, x.ZoneCount):
        noun, behind = picking.element(w, node.zone, False)
    elif isinstance(node, x.Count):
        noun, behind = picking.element(w, node.collection, False)
    else:
        return w.text(node)
    return f"{noun}{behind}"


def amount(w: Words, what: t.Amount) -> str:
    """An amount: `2 coins and 1 point`."""
    found = []
    for unit, count in what.parts:
        words = naming.unit_words(unit) if isinstance(unit, g.Unit) else _of_kind(w, unit[1])
        found.append(part(w, words, count))
    for each in what.tallies:
        text = w.text(each)
        found.append(text)
    return en.listed(found) or "nothing"


__all__ = ["amount", "countable", "counted_unit", "each_counted", "part", "tally_parts", "unit_of"]
