"""Literals, sets, lists, ranges and amounts with their units."""

from __future__ import annotations

from regelwerk.dsl.checker import coercion as co
from regelwerk.dsl.checker import pictures
from regelwerk.dsl.checker.context import Context, Scope
from regelwerk.dsl.checker.expressions import check, check_number, checks
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import (
    BOOL,
    HIGHEST,
    NONE,
    UNKNOWN,
    BoolType,
    EnumType,
    IntType,
    ListType,
    PictureType,
    SetType,
    TallyType,
    Type,
    join,
    member_of,
    numeric,
    strip,
    unknown,
)
from regelwerk.dsl.source import Span
from regelwerk.dsl.syntax import expressions as s
from regelwerk.dsl.syntax.base import Expression


@checks(s.IntLiteral)
def _int(c: Context, node: s.IntLiteral, scope: Scope, expected: Type | None) -> x.Expr:
    if node.value > HIGHEST:
        c.error("E0303", f"{node.value} is too large: numbers go up to {HIGHEST}", node.span)
        return c.unavailable(node.span)
    return co.constant(node.value, node.span)


@checks(s.DecimalLiteral)
def _decimal(c: Context, node: s.DecimalLiteral, scope: Scope, expected: Type | None) -> x.Expr:
    whole, _, part = node.text.partition(".")
    if part.rstrip("0") not in ("", "5"):
        c.error("E0374", f"{node.text} is neither whole nor a half", node.span, "there are no other fractions than .5")
        return c.unavailable(node.span)
    if len(whole) > 5 or int(whole) > HIGHEST:
        c.error("E0303", f"{node.text} is too large: numbers go up to {HIGHEST}", node.span)
        return c.unavailable(node.span)
    return co.constant(2 * int(whole) + (1 if part.startswith("5") else 0), node.span, True)


@checks(s.TextLiteral)
def _text(c: Context, node: s.TextLiteral, scope: Scope, expected: Type | None) -> x.Expr:
    if expected is not None and unknown(expected):
        return c.unavailable(node.span)
    if isinstance(wanted := strip(expected) if expected is not None else None, PictureType):
        return pictures.literal(c, node, wanted)
    word = node.text.raw
    known = word in c.members or word in scope.names
    remedy = f"write the name without quotes: `{word}`" if known else "texts stand in prompts, reasons and refusals"
    c.error("E0323", "a text is not a value that rules can use", node.span, remedy)
    return c.unavailable(node.span)


@checks(s.NoneLiteral)
def _none(c: Context, node: s.NoneLiteral, scope: Scope, expected: Type | None) -> x.Expr:
    return x.Const(NONE, node.span, 0)


@checks(s.BoolLiteral)
def _bool(c: Context, node: s.BoolLiteral, scope: Scope, expected: Type | None) -> x.Expr:
    return x.Const(BOOL, node.span, int(node.value))


@checks(s.ListLiteral)
def _list(c: Context, node: s.ListLiteral, scope: Scope, expected: Type | None) -> x.Expr:
    items, kind = _items(c, node.items, scope, expected)
    if kind == NONE and not items:
        return _of_what(c, node.span)
    return x.ListOf(ListType(kind, ((max(1, len(items)),),)), node.span, items)


@checks(s.SetLiteral)
def _set(c: Context, node: s.SetLiteral, scope: Scope, expected: Type | None) -> x.Expr:
    if not node.items and isinstance(strip(expected) if expected else None, TallyType):
        return x.TallyOf(strip(expected), node.span, [])  # type: ignore[arg-type]  # just tested
    items, kind = _items(c, node.items, scope, expected)
    if kind == NONE and not items:
        return _of_what(c, node.span)
    scale = numeric(kind)
    if member_of(kind) is not None or isinstance(kind, TallyType | BoolType) or (scale is not None and scale.halves):
        c.error("E0307", f"a set cannot have {co.plural_words(kind)} as members", node.span)
    return x.SetOf(SetType(strip(kind)), node.span, items)


def _of_what(c: Context, span: Span) -> x.Expr:
    c.error(
        "E0350",
        "this is empty, and nothing here says of what",
        span,
        "leave it out, or use it where a set or list is expected",
    )
    return c.unavailable(span)


def _items(c: Context, nodes: tuple[Expression, ...], scope: Scope, expected: Type | None) -> tuple[list[x.Expr], Type]:
    wanted = member_of(expected) if expected is not None else None
    items = co.same_scale(*(check(c, each, scope, wanted) for each in nodes))
    if isinstance(wanted, IntType) and wanted.halves:
        items = [co.in_halves(each) for each in items]
    kind: Type = UNKNOWN if items or wanted is None else wanted
    if not items and wanted is None and (expected is None or not unknown(expected)):
        return [], NONE
    for each in items:
        merged = join(kind, each.type)
        if merged is None:
            c.error(
                "E0308",
                f"these are of different kinds: {co.kind_words(kind)} and {co.kind_words(each.type)}",
                each.span,
            )
            return items, UNKNOWN
        kind = merged
    return items, kind


@checks(s.Quantity)
def _quantity(c: Context, node: s.Quantity, scope: Scope, expected: Type | None) -> x.Expr:
    name = node.unit.text
    if not (name in scope.names or name in c.units or name in c.enum_units):
        check(c, node.amount, scope)
        known = [*c.units, *c.enum_units]
        c.error("E0330", f"`{name}` is not a unit of this game", node.unit.span, c.suggest(name, known, _units_help(c)))
        return c.unavailable(node.span)
    amount = check_number(c, node.amount, scope, "an amount", halves=True)
    if name in scope.names:
        slot, kind = scope.names[name]
        if isinstance(strip(kind), EnumType):
            symbol = strip(kind).symbol  # type: ignore[attr-defined]  # just tested
            count = co.number(c, amount, "an amount")
            return x.TallyOf(TallyType(symbol), node.span, [(x.Local(kind, node.unit.span, slot), count)])
    unit = c.units.get(name)
    members = c.enum_units.get(name, [])
    wanted = strip(expected) if expected is not None else None
    if isinstance(wanted, TallyType) and wanted.symbol is not None:
        members = [each for each in members if each[0] is wanted.symbol] or members
    elif isinstance(unit, g.Unit):
        members = []
    if members and members[0][0].numbers is not None:
        c.error(
            "E0334",
            f"{members[0][0].name} has numbers among its members, so it counts nothing",
            node.unit.span,
            "declare an enum of names for what is counted",
        )
        return c.unavailable(node.span)
    if members and not (isinstance(unit, g.Unit) and not (isinstance(wanted, TallyType) and wanted.symbol)):
        symbol, index = members[0]
        return x.TallyOf(TallyType(symbol), node.span, [(index, co.number(c, amount, "an amount"))])
    if isinstance(unit, g.Unit):
        amount = co.in_halves(amount) if unit.type.halves else co.number(c, amount, f"an amount of {unit.words.many}")
        return x.TallyOf(TallyType(None), node.span, [(c.unit_list.index(unit) + 1, amount)])
    if isinstance(unit, g.ResourceSymbol):
        c.error(
            "E0331",
            f"there are several kinds of {unit.words.many}: say which",
            node.unit.span,
            f"for example `1 {unit.kinds.members[0][0]}`" if unit.kinds and unit.kinds.members else None,
        )
        return c.unavailable(node.span)
    known = [*c.units, *c.enum_units]
    c.error("E0330", f"`{name}` is not a unit of this game", node.unit.span, c.suggest(name, known, _units_help(c)))
    return c.unavailable(node.span)


def _units_help(c: Context) -> str:
    names = list(dict.fromkeys(_written(unit) for unit in c.unit_list))
    names = [*names[:10], "..."] if len(names) > 10 else names
    return f"the units are {', '.join(names)}" if names else "declare it as a `resource` or a `track`"


@checks(s.RangeExpression)
def _range(c: Context, node: s.RangeExpression, scope: Scope, expected: Type | None) -> x.Expr:
    lowest, highest = check_number(c, node.lowest, scope), check_number(c, node.highest, scope)
    a, b = numeric(lowest.type), numeric(highest.type)
    if a is None or b is None:
        return c.unavailable(node.span)
    return x.Interval(SetType(IntType(a.lowest, max(a.lowest, b.highest))), node.span, lowest, highest)


def _written(unit: g.Unit) -> str:
    """A unit as it is written in rules, in the plural if it has one."""
    symbol = unit.symbol
    if unit.member is not None and isinstance(symbol, g.ResourceSymbol) and symbol.kinds is not None:
        one, many, _, _ = symbol.kinds.members[unit.member - 1]
        return many or one
    return symbol.plural or symbol.name
