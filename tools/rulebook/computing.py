"""Words for numbers, amounts, sets and choices between values."""

from __future__ import annotations

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model.types import BoolType, IntType, PlayerType, SetType, TallyType, in_words, strip
from regelwerk.tools.rulebook import english as en
from regelwerk.tools.rulebook import naming, picking
from regelwerk.tools.rulebook.english import Phrase, possessive
from regelwerk.tools.rulebook.markup import plain
from regelwerk.tools.rulebook.reading import NOWHERE, bare, contents_text, many_of, zone_of
from regelwerk.tools.rulebook.wording import Words, clause_for, noun_for

SIGNS = {"+": "plus", "-": "minus"}


def constant(node: x.Expr | None) -> int | None:
    """The number that an expression certainly is; one in halves doubled."""
    if isinstance(node, x.InHalves):
        inner = constant(node.operand)
        return None if inner is None else 2 * inner
    if isinstance(node, x.ConstantRead) and node.symbol.value is not None and not node.symbol.roles:
        return constant(node.symbol.value)
    if isinstance(node, x.Const) and isinstance(node.value, int) and isinstance(strip(node.type), IntType):
        return node.value
    return None


def _part(w: Words, node: x.Expr) -> str:
    """An operand; one that is a calculation itself in brackets."""
    text = w.text(node)
    compound = isinstance(node, x.Arithmetic | x.Select | x.Switch) or (
        isinstance(node, x.Quantified) and node.quantifier == "sum"
    )
    return f"({text})" if compound else text


@noun_for(x.Arithmetic)
def _arithmetic(w: Words, node: x.Arithmetic) -> Phrase:
    left, right = constant(node.left), constant(node.right)
    if node.operator == "+" and right == 0 and isinstance(strip(node.left.type), PlayerType):
        return possessive(w.noun(node.left), "seat")
    if node.operator in ("min", "max"):
        return _bounded(w, node)
    if node.operator == "*":
        if left is None and right is not None:
            return Phrase(f"{_times(w, node.right)} {_part(w, node.left)}")
        return Phrase(f"{_times(w, node.left)} {_part(w, node.right)}")
    if node.operator == "div":
        if right == 2:
            return Phrase(f"half of {_part(w, node.left)}, rounded down")
        return Phrase(f"{_part(w, node.left)} divided by {_part(w, node.right)}, rounded down")
    if node.operator == "mod":
        return Phrase(f"the remainder of {_part(w, node.left)} divided by {_part(w, node.right)}")
    first = (
        w.text(node.left)
        if isinstance(node.left, x.Arithmetic) and node.left.operator in SIGNS
        else _part(w, node.left)
    )
    return Phrase(f"{first} {SIGNS[node.operator]} {_part(w, node.right)}")


def _times(w: Words, node: x.Expr) -> str:
    value = constant(node)
    if value == 2 and not (isinstance(node.type, IntType) and node.type.halves):
        return "twice"
    return f"{w.text(node)} times"


def _bounded(w: Words, node: x.Arithmetic) -> Phrase:
    least = node.operator == "max"
    for bound, other in ((node.left, node.right), (node.right, node.left)):
        if constant(bound) is not None and constant(other) is None:
            return Phrase(f"{w.text(other)}, but at {'least' if least else 'most'} {w.text(bound)}")
    parts = [w.text(each) for each in _flattened(node, node.operator)]
    if len(parts) == 2:
        return Phrase(f"the {'greater' if least else 'smaller'} of {parts[0]} and {parts[1]}")
    return Phrase(f"the {'greatest' if least else 'smallest'} of {en.listed(parts)}")


def _flattened(node: x.Expr, operator: str) -> list[x.Expr]:
    if isinstance(node, x.Arithmetic) and node.operator == operator:
        return [*_flattened(node.left, operator), *_flattened(node.right, operator)]
    return [node]


@noun_for(x.Negative)
def _negative(w: Words, node: x.Negative) -> Phrase:
    return Phrase(f"minus {_part(w, node.operand)}")


@noun_for(x.Absolute)
def _absolute(w: Words, node: x.Absolute) -> Phrase:
    if isinstance(node.operand, x.Arithmetic) and node.operand.operator == "-":
        return Phrase(f"the difference between {w.text(node.operand.left)} and {w.text(node.operand.right)}")
    return Phrase(f"the size of {w.text(node.operand)}")


@noun_for(x.InHalves)
def _halves(w: Words, node: x.InHalves) -> Phrase:
    return w.noun(node.operand)


# ------------------------------------------------------------------------------------------------------ alternatives
@noun_for(x.Select)
def _select(w: Words, node: x.Select) -> Phrase:
    many = naming.is_several(node.type)
    other = w.text(node.alternative)
    return Phrase(f"{w.text(node.consequence)} if {w.clause(node.condition)}, otherwise {other}", many)


@clause_for(x.Select)
def _select_holds(w: Words, node: x.Select, holds: bool) -> str:
    condition = w.clause(node.condition)
    then, other = node.consequence, node.alternative
    for yes, test, rest in ((then, condition, other), (other, w.clause(node.condition, False), then)):
        if isinstance(yes, x.Const) and isinstance(strip(yes.type), BoolType):
            if bool(yes.value) is holds:
                return f"{test}, or {w.clause(rest, holds)}"
            rest_test = w.clause(node.condition, False) if yes is then else condition
            return f"{rest_test} and {w.clause(rest, holds)}"
    return f"if {condition}: {w.clause(then, holds)}; otherwise: {w.clause(other, holds)}"


def _keys(w: Words, keys: x.Expr | tuple[x.Expr, x.Expr]) -> str:
    if isinstance(keys, tuple):
        return f"{w.text(keys[0])} to {w.text(keys[1])}"
    return w.text(keys)


def players_counted(node: x.Expr) -> bool:
    """Whether a number is how many play."""
    return isinstance(node, x.Count) and isinstance(node.collection, x.AllPlayers)


@noun_for(x.Switch)
def _switch(w: Words, node: x.Switch) -> Phrase:
    subject = "" if players_counted(node.subject) else w.text(node.subject)
    found = []
    for keys, value in node.cases:
        when = f"with {_keys(w, keys)} players" if not subject else f"if {subject} is {_keys(w, keys)}"
        found.append(f"{w.text(value)} {when}")
        subject = subject and "it"
    if node.default is not None:
        found.append(f"otherwise {w.text(node.default)}")
    return Phrase(", ".join(found), naming.is_several(node.type))


@clause_for(x.Switch)
def _switch_holds(w: Words, node: x.Switch, holds: bool) -> str:
    counted = players_counted(node.subject)
    subject = w.text(node.subject)
    found = []
    for keys, value in node.cases:
        when = f"with {_keys(w, keys)} players" if counted else f"if {subject} is {_keys(w, keys)}"
        found.append(f"{when}: {_answer(w, value, holds)}")
    if node.default is not None:
        found.append(f"otherwise: {_answer(w, node.default, holds)}")
    return "; ".join(found)


def _answer(w: Words, node: x.Expr, holds: bool) -> str:
    if isinstance(node, x.Const):
        return "always" if bool(node.value) is holds else "never"
    return w.clause(node, holds)


@noun_for(x.LetIn)
def _let(w: Words, node: x.LetIn) -> Phrase:
    with w.inner():
        w.known[node.slot] = w.noun(node.value)
        return w.noun(node.body)


@clause_for(x.LetIn)
def _let_holds(w: Words, node: x.LetIn, holds: bool) -> str:
    with w.inner():
        w.known[node.slot] = w.noun(node.value)
        return w.clause(node.body, holds)


# -------------------------------------------------------------------------------------------------------------- sets
@noun_for(x.Interval)
def _interval(w: Words, node: x.Interval) -> Phrase:
    kind = strip(node.type)
    member = strip(kind.member) if isinstance(kind, SetType) else kind
    if not isinstance(member, IntType):
        low, high = constant_any(node.lowest), constant_any(node.highest)
        symbol = getattr(member, "symbol", None)
        if low == 1 and symbol is not None and high is not None and high == getattr(symbol, "highest", -1):
            return Phrase(f"all {naming.noun(member).many}", True)
        return Phrase(f"{_member(w, member, node.lowest)} to {_member(w, member, node.highest)}", True)
    return Phrase(f"{w.text(node.lowest)} to {w.text(node.highest)}", True)


def constant_any(node: x.Expr) -> int | None:
    """The run-time value of a constant."""
    return node.value if isinstance(node, x.Const) and isinstance(node.value, int) else None


def _member(w: Words, kind: object, node: x.Expr) -> str:
    if isinstance(node, x.Const):
        return w.text(x.Const(kind, NOWHERE, node.value))  # type: ignore[arg-type]  # a type, found by strip
    return w.text(node)


@noun_for(x.SetOf, x.ListOf)
def _items(w: Words, node: x.SetOf | x.ListOf) -> Phrase:
    if not node.items:
        return Phrase("nothing", True)
    return Phrase(en.listed(w.text(each) for each in node.items), len(node.items) > 1)


@noun_for(x.RecordOf)
def _record(w: Words, node: x.RecordOf) -> Phrase:
    words = naming.words_of(node.symbol)
    parts = [
        f"{w.text(each)} as {en.lowered(name)}" for (name, _), each in zip(node.symbol.fields, node.fields, strict=True)
    ]
    return Phrase(f"the {words.one} with {en.listed(parts)}")


@noun_for(x.RecordField)
def _field(w: Words, node: x.RecordField) -> Phrase:
    record = w.noun(node.record)
    symbol = getattr(strip(node.record.type), "symbol", None)
    name = symbol.fields[node.index][0] if symbol is not None else "part"
    spoken = f"“{en.lowered(name)}”"
    return possessive(record, spoken, True)


@noun_for(x.Union)
def _union(w: Words, node: x.Union) -> Phrase:
    return Phrase(f"{w.text(node.left)} together with {w.text(node.right)}", True)


@noun_for(x.Difference)
def _difference(w: Words, node: x.Difference) -> Phrase:
    return Phrase(f"{w.text(node.left)} except {w.text(node.right)}", True)


@noun_for(x.Filter)
def _filter(w: Words, node: x.Filter) -> Phrase:
    return Phrase(picking.those(w, node.collection, node.slot, node.condition), True)


@noun_for(x.Map)
def _map(w: Words, node: x.Map) -> Phrase:
    with w.inner():
        collection = w.noun(node.collection)
        w.known[node.slot] = Phrase(collection.text, True, owner=collection.owner)
        found = w.noun(node.value)
    return Phrase(found.text, True, owner=found.owner, attribute=found.attribute)


@noun_for(x.ToSet, x.ToList)
def _same(w: Words, node: x.ToSet | x.ToList) -> Phrase:
    return w.noun(node.collection)


@noun_for(x.Sorted)
def _sorted(w: Words, node: x.Sorted) -> Phrase:
    return w.noun(node.collection)


@noun_for(x.Count)
def _count(w: Words, node: x.Count) -> Phrase:
    if isinstance(node.collection, x.AllPlayers):
        return Phrase("the number of players")
    phrase = w.noun(node.collection)
    if phrase.attribute and not naming.sounds_many(plain(phrase.attribute)):
        return Phrase(f"the number of {naming.noun(node.collection.type).many} in {phrase}")
    return Phrase(f"the number of {bare(phrase.text)}")


@noun_for(x.Pick)
def _pick(w: Words, node: x.Pick) -> Phrase:
    collection = w.text(node.collection)
    usual = naming.noun(node.collection.type)
    if node.end != "at" and plain(bare(collection)) == usual.many:
        return Phrase(f"the {node.end} {usual.one}")
    if isinstance(node.collection, x.AllThings | x.AllPlayers):
        one = naming.noun(node.type).one
        if node.end == "at" and node.place is not None:
            return Phrase(f"{one} number {bare(w.text(node.place))}")
        return Phrase(f"the {node.end} {one}")
    if node.end == "at" and node.place is not None:
        if isinstance(strip(node.type), IntType):
            return Phrase(f"the entry of {collection} at place {_part(w, node.place)}")
        return Phrase(f"number {bare(w.text(node.place))} of {collection}")
    return Phrase(f"the {node.end} of {collection}")


@noun_for(x.Total)
def _total(w: Words, node: x.Total) -> Phrase:
    word = {"sum": "the total of", "min": "the lowest of", "max": "the highest of"}[node.function]
    return Phrase(f"{word} {w.text(node.collection)}")


@noun_for(x.Quantified)
def _quantified(w: Words, node: x.Quantified) -> Phrase:
    return picking.quantity(w, node)


@clause_for(x.Quantified)
def _quantified_holds(w: Words, node: x.Quantified, holds: bool) -> str:
    return picking.quantified(w, node, holds)


# ----------------------------------------------------------------------------------------------------------- amounts
@noun_for(x.TallyOf)
def _tally(w: Words, node: x.TallyOf) -> Phrase:
    from regelwerk.tools.rulebook.amounts import tally_parts

    parts = tally_parts(w, node)
    return Phrase(en.listed(parts) or "nothing", True)


@noun_for(x.TallyArithmetic)
def _tally_arithmetic(w: Words, node: x.TallyArithmetic) -> Phrase:
    if node.operator == "+":
        return Phrase(en.listed(w.text(each) for each in _tallies(node)), True)
    word = "less"
    return Phrase(f"{w.text(node.left)} {word} {w.text(node.right)}", True)


def _tallies(node: x.Expr) -> list[x.Expr]:
    if isinstance(node, x.TallyArithmetic) and node.operator == "+":
        return [*_tallies(node.left), *_tallies(node.right)]
    return [node]


@noun_for(x.TallyScaled)
def _scaled(w: Words, node: x.TallyScaled) -> Phrase:
    return Phrase(f"{_times(w, node.factor)} {_part(w, node.tally)}", True)


def unit_of_expression(w: Words, node: x.Expr, tally: x.Expr, many: bool = True) -> str:
    """One or several of the unit that an expression means, in a tally."""
    from regelwerk.tools.rulebook.amounts import unit_of

    kind = strip(tally.type)
    value = constant_any(node)
    if isinstance(kind, TallyType):
        if value is not None:
            words = naming.unit_words(unit_of(w, kind, value))
            return words.many if many else words.one
        if kind.symbol is None and isinstance(node, x.Arithmetic) and node.operator == "+":
            return many_of(w, node.left)
    return many_of(w, node)


@noun_for(x.TallyCount)
def _tally_count(w: Words, node: x.TallyCount) -> Phrase:
    unit = unit_of_expression(w, node.unit, node.tally)
    if isinstance(node.tally, x.ResourceRead):
        return w.noun(x.ResourceRead(node.type, node.span, node.tally.symbol, node.tally.holder, node.unit))
    tally = w.noun(node.tally)
    unit = unit.removeprefix("of ")
    if isinstance(node.tally, x.ColumnRead):
        return Phrase(f"the number of {bare(unit)} on {w.text(node.tally.thing)}")
    return Phrase(f"the number of {bare(unit)} in {tally}")


@noun_for(x.TallyTotal)
def _tally_total(w: Words, node: x.TallyTotal) -> Phrase:
    return Phrase(f"the number of {bare(w.text(node.tally))}")


@noun_for(x.TallyKinds)
def _kinds(w: Words, node: x.TallyKinds) -> Phrase:
    return w.noun(node.tally)


@noun_for(x.TallyWiden)
def _widen(w: Words, node: x.TallyWiden) -> Phrase:
    return w.noun(node.tally)


# ---------------------------------------------------------------------------------------------------------- pictures
@noun_for(x.PictureSize)
def _size(w: Words, node: x.PictureSize) -> Phrase:
    what = "number of squares" if node.attribute == "count" else node.attribute
    return Phrase(f"the {what} of {w.text(node.picture)}")


@noun_for(x.PictureAt)
def _picture_at(w: Words, node: x.PictureAt) -> Phrase:
    return Phrase(
        f"the square of {w.text(node.picture)} that lies {w.text(node.column)} to the right and {w.text(node.row)} down"
    )


@noun_for(x.PictureTurned)
def _turned(w: Words, node: x.PictureTurned) -> Phrase:
    turns = constant(node.turns)
    how = {1: "a quarter turn", 2: "half a turn", 3: "three quarter turns"}.get(
        turns or 0, f"{w.text(node.turns)} quarter turns"
    )
    return Phrase(f"{w.text(node.picture)} after {how} clockwise")


def spoken_number(w: Words, node: x.Expr) -> str:
    """A number, small constants in words."""
    value = constant(node)
    if value is not None and 0 < value < 4 and isinstance(node.type, IntType) and not node.type.halves:
        return en.number(value)
    if isinstance(node, x.InHalves) and value is not None:
        return in_words(value, IntType(0, 0, True))
    return w.text(node)


def holder_of(node: x.Expr) -> x.Expr | None:
    """The player whose things a number counts."""
    if isinstance(node, x.TrackRead):
        return node.player
    if isinstance(node, x.ResourceRead) and isinstance(strip(node.holder.type), PlayerType):
        return node.holder
    if isinstance(node, x.TallyTotal):
        return holder_of(node.tally)
    if isinstance(node, x.TallyCount):
        return holder_of(node.tally)
    return None


__all__ = [
    "constant",
    "constant_any",
    "contents_text",
    "holder_of",
    "players_counted",
    "spoken_number",
    "unit_of_expression",
    "zone_of",
]
