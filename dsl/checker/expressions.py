"""Names and types of expressions: syntax in, typed expressions out.

`check` never fails: what is wrong is reported and becomes `Unavailable`, about which nothing more is said. `expected` helps
where a name could be a member of several types.
"""

from __future__ import annotations

from collections.abc import Callable

from regelwerk.dsl.checker import attributes as at
from regelwerk.dsl.checker import claims, heads, history
from regelwerk.dsl.checker import coercion as co
from regelwerk.dsl.checker.context import Context, Scope
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import (
    BANK,
    BOOL,
    HIGHEST,
    NONE,
    NUMBER,
    PLAYER,
    TEXT,
    UNKNOWN,
    BoolType,
    EnumType,
    IntType,
    ListType,
    NoneType,
    OptionalType,
    RowType,
    SetType,
    TallyType,
    ThingType,
    Type,
    UnknownType,
    ZoneType,
    bound_of,
    join,
    member_of,
    numeric,
    strip,
)
from regelwerk.dsl.source import Span
from regelwerk.dsl.syntax import expressions as s
from regelwerk.dsl.syntax.base import Expression, Text


def check(c: Context, node: Expression, scope: Scope, expected: Type | None = None) -> x.Expr:
    """The typed form of an expression."""
    return _CHECKS[type(node)](c, node, scope, expected)


def check_as(c: Context, node: Expression, scope: Scope, wanted: Type, what: str = "this") -> x.Expr:
    """An expression where a value of one type is needed."""
    return co.coerce(c, check(c, node, scope, wanted), wanted, what)


def check_condition(c: Context, node: Expression, scope: Scope, what: str = "a condition") -> x.Expr:
    """An expression where yes or no is needed."""
    return co.condition(c, check(c, node, scope, BOOL), what)


def check_number(c: Context, node: Expression, scope: Scope, what: str = "this") -> x.Expr:
    """An expression where a number is needed."""
    return co.number(c, check(c, node, scope, NUMBER), what)


def check_player(c: Context, node: Expression, scope: Scope, what: str = "this") -> x.Expr:
    """An expression where a player is needed."""
    return check_as(c, node, scope, PLAYER, what)


def template(c: Context, text: Text, scope: Scope) -> x.Template:
    """A text with its holes."""
    found = x.Template()
    for hole in text.holes:
        if hole.plain:
            found.parts.append(hole.plain)
        found.parts.append(check(c, hole.value, scope))
    if text.tail or not found.parts:
        found.parts.append(text.tail)
    return found


# ---------------------------------------------------------------------------------------------------------------- names
def _name(c: Context, node: s.Name, scope: Scope, expected: Type | None) -> x.Expr:
    name, span = node.name.text, node.span
    if scope.in_scenario:
        claimed = claims.claim_name(c, node, scope)
        if claimed is not None:
            return claimed
    if node.arguments is not None:
        return _call(c, node, scope, expected)
    local = scope.names.get(name)
    if local is not None:
        return x.Local(local[1], span, local[0])
    built_in = _built_in(c, name, scope, span)
    if built_in is not None:
        return built_in
    if name in scope.seats:
        return x.Const(PLAYER, span, scope.seats[name])
    symbol = c.globals.get(name)
    if symbol is not None:
        found = _global(c, symbol, name, scope, span, expected)
        if found is not None:
            return found
    member = _named_member(c, name, expected, span)
    if member is not None:
        return member
    values = [each for each in c.attributes.get(name, []) if isinstance(each, g.ValueSymbol)]
    if len(values) == 1 and values[0].takes_me and not values[0].parameters:
        return at.call_value(c, values[0], [], None, scope, span)
    if c.attributes.get(name):
        c.error("E0205", f"`{name}` belongs to something: say whose", span, f"for example `me.{name}`")
        return c.unavailable(span)
    candidates = [*scope.names, *c.globals, *c.members, "me", "active", "players", "bank", *scope.seats]
    c.error("E0203", f"`{name}` is not the name of anything here", span, c.suggest(name, candidates))
    return c.unavailable(span)


def _built_in(c: Context, name: str, scope: Scope, span: Span) -> x.Expr | None:
    if name == "me":
        if scope.me is None:
            c.error(
                "E0206",
                "nobody acts here, so there is no `me`",
                span,
                "values ask for it as a parameter: `value f(me, ...)`",
            )
            return c.unavailable(span)
        return scope.me
    if name == "active":
        return x.Active(OptionalType(PLAYER), span)
    if name == "players":
        return x.AllPlayers(SetType(PLAYER), span)
    if name == "bank":
        return x.Bank(BANK, span)
    if name == "it":
        if scope.it is None:
            c.error("E0207", "`it` is the element under test, and nothing is tested here", span)
            return c.unavailable(span)
        return x.Local(scope.it[1], span, scope.it[0])
    if name == "self":
        if scope.own is None:
            c.error(
                "E0208",
                "`self` is the row or instance a cell or a zone's `from` belongs to, and there is none here",
                span,
            )
            return c.unavailable(span)
        return x.Local(scope.own[1], span, scope.own[0])
    if name == "chosen":
        c.not_yet("a condition that reads the picks so far (`chosen`)", span)
        return c.unavailable(span)
    return None


def _global(c: Context, symbol: g.Symbol, name: str, scope: Scope, span: Span, expected: Type | None) -> x.Expr | None:
    if isinstance(symbol, g.ConstantSymbol):
        c.ensure(symbol)
        return x.ConstantRead(symbol.type, span, symbol, scope.me or x.Const(PLAYER, span, 0))
    if isinstance(symbol, g.OptionSymbol):
        return x.OptionRead(symbol.type, span, symbol)
    if isinstance(symbol, g.StateSymbol):
        if symbol.key is None:
            return x.StateRead(symbol.type, span, symbol, None)
    elif isinstance(symbol, g.ZoneSymbol):
        if symbol.key is None:
            return x.ZoneRef(ZoneType(symbol.entity, symbol.order is not None), span, symbol, None)
    elif isinstance(symbol, g.EntitySymbol):
        if symbol.words.one == name and _named_member(c, name, expected, span) is not None:
            return None
        return x.AllThings(SetType(ThingType(symbol)), span, symbol)
    elif isinstance(symbol, g.EnumSymbol):
        return x.Interval(
            SetType(EnumType(symbol)), span, co.constant(symbol.lowest, span), co.constant(symbol.highest, span)
        )
    elif isinstance(symbol, g.ValueSymbol):
        return at.call_value(c, symbol, [], None, scope, span)
    elif isinstance(symbol, g.AwardSymbol) and symbol.key is None:
        return x.AwardHolder(OptionalType(PLAYER), span, symbol, None)
    return None


def _named_member(c: Context, name: str, expected: Type | None, span: Span) -> x.Expr | None:
    found = c.members.get(name)
    if not found:
        return None
    if len(found) > 1:
        wanted: Type | None = expected
        while wanted is not None and isinstance(wanted, OptionalType | SetType | ListType | ZoneType):
            wanted = member_of(wanted) if not isinstance(wanted, OptionalType) else wanted.base
        symbols = {getattr(wanted, "symbol", None)} - {None}
        if isinstance(wanted, TallyType) and wanted.symbol is None:
            symbols = {
                unit.symbol.kinds
                for unit in c.unit_list
                if isinstance(unit.symbol, g.ResourceSymbol) and unit.symbol.kinds
            }
        narrowed = [each for each in found if each[0] in symbols]
        if len(narrowed) == 1:
            found = narrowed
        else:
            c.error(
                "E0209",
                f"`{name}` could be one of {' or '.join(each[0].name for each in found)}",
                span,
                f"say which: `{found[0][0].name}.{name}`",
            )
            return c.unavailable(span)
    symbol, index = found[0]
    return member(symbol, index, span)


def member(symbol: g.EnumSymbol | g.EntitySymbol, index: int, span: Span) -> x.Expr:
    """A member of an enum or a row, as a value."""
    if isinstance(symbol, g.EnumSymbol):
        return x.Const(EnumType(symbol), span, index)
    kind: Type = ThingType(symbol) if symbol.rows[index - 1].single else RowType(symbol)
    return x.RowConst(kind, span, symbol, index)


def _call(c: Context, node: s.Name, scope: Scope, expected: Type | None) -> x.Expr:
    name, span, arguments = node.name.text, node.span, node.arguments
    assert arguments is not None
    local = scope.names.get(name)
    if local is not None:
        return at.call_tally(c, x.Local(local[1], span, local[0]), arguments, scope, span)
    symbol = c.globals.get(name)
    if isinstance(symbol, g.ValueSymbol):
        return at.call_value(c, symbol, [], arguments, scope, span)
    candidates = [each for each in c.attributes.get(name, []) if isinstance(each, g.ValueSymbol)]
    if len(candidates) == 1:
        return at.call_value(c, candidates[0], [], arguments, scope, span)
    if candidates:
        positional = [each for each in arguments if each.name is None]
        if positional:
            first = check(c, positional[0].value, scope)
            return at.attribute(c, first, node.name, tuple(e for e in arguments if e is not positional[0]), scope, span)
    if len(arguments) == 1 and arguments[0].name is None and c.attributes.get(name):
        return at.attribute(c, check(c, arguments[0].value, scope), node.name, None, scope, span)
    if isinstance(symbol, g.ConstantSymbol | g.StateSymbol):
        base = _name(c, s.Name(span=span, name=node.name), scope, expected)
        if isinstance(strip(base.type), TallyType):
            return at.call_tally(c, base, arguments, scope, span)
    if name in c.effects or name in c.actions:
        c.error("E0322", f"`{name}` is an effect and has no value", span, f"write `do {name}(...)` where effects stand")
        return c.unavailable(span)
    names = [each for each, known in c.globals.items() if isinstance(known, g.ValueSymbol)]
    names += [each for each, known in c.attributes.items() if any(isinstance(k, g.ValueSymbol) for k in known)]
    c.error("E0203", f"there is no value `{name}`", node.name.span, c.suggest(name, names))
    return c.unavailable(span)


def _attribute(c: Context, node: s.Attribute, scope: Scope, expected: Type | None) -> x.Expr:
    if isinstance(node.base, s.Name) and node.base.arguments is None and node.base.name.text not in scope.names:
        symbol = c.globals.get(node.base.name.text)
        if isinstance(symbol, g.EnumSymbol) and node.arguments is None:
            index = symbol.index(node.name.text)
            if index is not None:
                return x.Const(EnumType(symbol), node.span, index)
        if isinstance(symbol, g.EntitySymbol) and node.arguments is None:
            for row in symbol.rows:
                if row.name == node.name.text:
                    return member(symbol, row.index, node.span)
        if isinstance(symbol, g.AwardSymbol) and node.name.text == "holder" and symbol.key is None:
            return x.AwardHolder(OptionalType(PLAYER), node.span, symbol, None)
        if isinstance(symbol, g.EntitySymbol) and symbol.live_in is None and node.name.text == "count":
            return x.Count(IntType(0, 4096), node.span, x.AllThings(SetType(ThingType(symbol)), node.base.span, symbol))
    if isinstance(node.base, s.Attribute) and node.name.text == "holder":
        base = check(c, node.base, scope)
        if isinstance(base, x.AwardHolder):
            return base
        return at.attribute(c, base, node.name, node.arguments, scope, node.span)
    base = check(c, node.base, scope)
    return at.attribute(c, base, node.name, node.arguments, scope, node.span)


def _it_attribute(c: Context, node: s.ItAttribute, scope: Scope, expected: Type | None) -> x.Expr:
    if scope.it is None:
        c.error("E0207", f"`.{node.name.text}` asks the element under test, and nothing is tested here", node.span)
        return c.unavailable(node.span)
    return at.attribute(c, x.Local(scope.it[1], node.span, scope.it[0]), node.name, node.arguments, scope, node.span)


# ------------------------------------------------------------------------------------------------------------- literals
def _int(c: Context, node: s.IntLiteral, scope: Scope, expected: Type | None) -> x.Expr:
    if node.value > HIGHEST:
        c.error("E0303", f"{node.value} is too large: numbers go up to {HIGHEST}", node.span)
        return c.unavailable(node.span)
    return co.constant(node.value, node.span)


def _decimal(c: Context, node: s.DecimalLiteral, scope: Scope, expected: Type | None) -> x.Expr:
    c.not_yet("a number with halves", node.span)
    return c.unavailable(node.span)


def _text(c: Context, node: s.TextLiteral, scope: Scope, expected: Type | None) -> x.Expr:
    c.error(
        "E0323", "a text is not a value that rules can use", node.span, "texts stand in prompts, reasons and refusals"
    )
    return x.Unavailable(TEXT, node.span)


def _none(c: Context, node: s.NoneLiteral, scope: Scope, expected: Type | None) -> x.Expr:
    return x.Const(NONE, node.span, 0)


def _bool(c: Context, node: s.BoolLiteral, scope: Scope, expected: Type | None) -> x.Expr:
    return x.Const(BOOL, node.span, int(node.value))


def _list(c: Context, node: s.ListLiteral, scope: Scope, expected: Type | None) -> x.Expr:
    items, kind = _items(c, node.items, scope, expected)
    return x.ListOf(ListType(kind, ((max(1, len(items)),),)), node.span, items)


def _set(c: Context, node: s.SetLiteral, scope: Scope, expected: Type | None) -> x.Expr:
    if not node.items and isinstance(strip(expected) if expected else None, TallyType):
        return x.TallyOf(strip(expected), node.span, [])  # type: ignore[arg-type]  # just tested
    items, kind = _items(c, node.items, scope, expected)
    if not node.items and expected is not None and member_of(expected) is not None:
        kind = member_of(expected) or kind
    if member_of(kind) is not None or isinstance(kind, TallyType | BoolType):
        c.error("E0307", f"a set cannot have {co.plural_words(kind)} as members", node.span)
    return x.SetOf(SetType(strip(kind)), node.span, items)


def _items(c: Context, nodes: tuple[Expression, ...], scope: Scope, expected: Type | None) -> tuple[list[x.Expr], Type]:
    wanted = member_of(expected) if expected is not None else None
    items = [check(c, each, scope, wanted) for each in nodes]
    kind: Type = UNKNOWN if items or wanted is None else wanted
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


def _quantity(c: Context, node: s.Quantity, scope: Scope, expected: Type | None) -> x.Expr:
    amount = check_number(c, node.amount, scope, "an amount")
    name = node.unit.text
    if name in scope.names:
        slot, kind = scope.names[name]
        if isinstance(strip(kind), EnumType):
            symbol = strip(kind).symbol  # type: ignore[attr-defined]  # just tested
            return x.TallyOf(TallyType(symbol), node.span, [(x.Local(kind, node.unit.span, slot), amount)])
    unit = c.units.get(name)
    members = c.enum_units.get(name, [])
    wanted = strip(expected) if expected is not None else None
    if isinstance(wanted, TallyType) and wanted.symbol is not None:
        members = [each for each in members if each[0] is wanted.symbol] or members
    elif isinstance(unit, g.Unit):
        members = []
    if members and not (isinstance(unit, g.Unit) and not (isinstance(wanted, TallyType) and wanted.symbol)):
        symbol, index = members[0]
        return x.TallyOf(TallyType(symbol), node.span, [(index, amount)])
    if isinstance(unit, g.Unit):
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
    names = sorted({unit.words.many for unit in c.unit_list})
    return f"the units are {', '.join(names)}" if names else "declare it as a `resource` or a `track`"


# ------------------------------------------------------------------------------------------------------------ operators
def _binary(c: Context, node: s.Binary, scope: Scope, expected: Type | None) -> x.Expr:
    operator, span = node.operator, node.span
    if operator in ("and", "or"):
        left, right = (
            check_condition(c, node.left, scope, f"the left side of `{operator}`"),
            check_condition(c, node.right, scope, f"the right side of `{operator}`"),
        )
        return x.Both(BOOL, span, left, right) if operator == "and" else x.AnyOf(BOOL, span, left, right)
    if operator in ("div", "mod", "*") and isinstance(node.right, s.Quantity):
        lifted = s.Binary(span=span, operator=operator, left=node.left, right=node.right.amount)
        return check(c, s.Quantity(span=span, amount=lifted, unit=node.right.unit), scope, expected)
    left = check(c, node.left, scope, expected)
    right = check(c, node.right, scope, left.type if operator in ("union", "except") else expected)
    if isinstance(left.type, UnknownType) or isinstance(right.type, UnknownType):
        return c.unavailable(span)
    if operator in ("union", "except"):
        return _set_operation(c, operator, left, right, span)
    tally = isinstance(left.type, TallyType | EnumType) and numeric(left.type) is None
    tally = tally or (isinstance(right.type, TallyType | EnumType) and numeric(right.type) is None)
    if operator == "+" and tally:
        kind = _common_tally(c, left, right)
        return x.TallyArithmetic(kind, span, "+", co.to_tally(c, left, kind), co.to_tally(c, right, kind))
    if operator == "*" and isinstance(right.type, TallyType):
        return x.TallyScaled(right.type, span, co.number(c, left), right)
    if operator == "*" and isinstance(left.type, TallyType):
        return x.TallyScaled(left.type, span, co.number(c, right), left)
    if operator == "+" and isinstance(left.type, ListType) and member_of(right.type) is not None:
        return _set_operation(c, "+", left, co.as_list(right), span)
    left, right = (
        co.number(c, left, f"the left side of `{operator}`"),
        co.number(c, right, f"the right side of `{operator}`"),
    )
    a, b = numeric(left.type), numeric(right.type)
    if a is None or b is None:
        return c.unavailable(span)
    if operator in ("div", "mod") and isinstance(right, x.Const) and right.value == 0:
        c.error("E0309", f"`{operator}` by 0", span)
        return c.unavailable(span)
    if (
        isinstance(left, x.Const)
        and isinstance(right, x.Const)
        and isinstance(left.value, int)
        and isinstance(right.value, int)
    ):
        value = {
            "+": lambda p, q: p + q,
            "-": lambda p, q: p - q,
            "*": lambda p, q: p * q,
            "div": lambda p, q: p // q,
            "mod": lambda p, q: p % q,
        }[operator](left.value, right.value)
        return co.constant(value, span)
    return x.Arithmetic(arithmetic_range(operator, a, b), span, operator, left, right)


def arithmetic_range(operator: str, a: IntType, b: IntType) -> IntType:
    """The range of `a operator b`."""
    if operator == "+":
        low, high = a.lowest + b.lowest, a.highest + b.highest
    elif operator == "-":
        low, high = a.lowest - b.highest, a.highest - b.lowest
    elif operator == "*":
        corners = [p * q for p in (a.lowest, a.highest) for q in (b.lowest, b.highest)]
        low, high = min(corners), max(corners)
    elif operator == "div":
        divisors = [q for q in (b.lowest, b.highest, -1, 1) if q and b.lowest <= q <= b.highest] or [1]
        corners = [p // q for p in (a.lowest, a.highest) for q in divisors]
        low, high = min(corners), max(corners)
    elif operator == "mod":
        low, high = min(0, b.lowest + 1), max(0, b.highest - 1)
    elif operator == "min":
        low, high = min(a.lowest, b.lowest), min(a.highest, b.highest)
    else:
        low, high = max(a.lowest, b.lowest), max(a.highest, b.highest)
    limit = 2**31 - 1
    return IntType(max(low, -limit), min(high, limit))


def _common_tally(c: Context, left: x.Expr, right: x.Expr) -> TallyType:
    symbols = {getattr(each.type, "symbol", None) for each in (left, right)}
    if len(symbols) == 1:
        return TallyType(next(iter(symbols)))
    return TallyType(None)


def _set_operation(c: Context, operator: str, left: x.Expr, right: x.Expr, span: Span) -> x.Expr:
    if isinstance(left.type, TallyType | EnumType) and operator == "except":
        kind = _common_tally(c, left, right)
        return x.TallyArithmetic(kind, span, "except", co.to_tally(c, left, kind), co.to_tally(c, right, kind))
    a, b = member_of(left.type), member_of(right.type)
    if a is None or b is None:
        wrong = left if a is None else right
        c.error(
            "E0301",
            f"`{operator}` joins sets, but this is {co.kind_words(wrong.type)}",
            wrong.span,
            "put braces around a single element: `{x}`",
        )
        return c.unavailable(span)
    kind = join(a, b)
    if kind is None:
        c.error("E0308", f"these are of different kinds: {co.plural_words(a)} and {co.plural_words(b)}", span)
        return c.unavailable(span)
    if operator == "+":
        return x.Union(
            ListType(kind, bound_of(left.type) + bound_of(right.type)), span, co.as_list(left), co.as_list(right)
        )
    left, right = co.as_set(left), co.as_set(right)
    result = SetType(kind)
    return x.Union(result, span, left, right) if operator == "union" else x.Difference(result, span, left, right)


def _negate(c: Context, node: s.Negate, scope: Scope, expected: Type | None) -> x.Expr:
    operand = check_number(c, node.operand, scope)
    kind = numeric(operand.type)
    if kind is None:
        return operand
    if isinstance(operand, x.Const) and isinstance(operand.value, int):
        return co.constant(-operand.value, node.span)
    return x.Negative(IntType(-kind.highest, -kind.lowest), node.span, operand)


def _not(c: Context, node: s.Not, scope: Scope, expected: Type | None) -> x.Expr:
    return x.Negation(BOOL, node.span, check_condition(c, node.operand, scope, "what follows `not`"))


def _compare(c: Context, node: s.Compare, scope: Scope, expected: Type | None) -> x.Expr:
    left = check(c, node.left, scope)
    right = check(c, node.right, scope, left.type)
    if isinstance(left.type, UnknownType) or isinstance(right.type, UnknownType):
        return x.Unavailable(UNKNOWN, node.span)
    if isinstance(left.type, TallyType) or isinstance(right.type, TallyType):
        if node.operator in ("<", ">"):
            c.error("E0314", f"amounts are compared with `>=` and `<=`, not `{node.operator}`", node.span)
        kind = _common_tally(c, left, right)
        operator = node.operator if node.operator in (">=", "<=") else ">="
        return x.TallyCompare(BOOL, node.span, operator, co.to_tally(c, left, kind), co.to_tally(c, right, kind))  # type: ignore[arg-type]  # one of both
    left, right = (
        co.number(c, left, f"the left side of `{node.operator}`"),
        co.number(c, right, f"the right side of `{node.operator}`"),
    )
    return x.Ordered(BOOL, node.span, node.operator, left, right)


def _is(c: Context, node: s.Is, scope: Scope, expected: Type | None) -> x.Expr:
    found = _is_positive(c, node, scope)
    return x.Negation(BOOL, node.span, found) if node.negated else found


def _is_positive(c: Context, node: s.Is, scope: Scope) -> x.Expr:
    span, right_node = node.span, node.right
    if scope.in_scenario:
        claimed = claims.claim_equality(c, node.left, node.right, span)
        if claimed is not None:
            return claimed
    left_is_member = isinstance(node.left, s.Name) and len(c.members.get(node.left.name.text, [])) > 1
    if left_is_member and not (
        isinstance(right_node, s.Name) and right_node.arguments is None and right_node.name.text in c.attributes
    ):
        right = check(c, right_node, scope)
        return equal(c, check(c, node.left, scope, right.type), right, span)
    left = check(c, node.left, scope)
    if isinstance(right_node, s.Name) and right_node.arguments is None:
        word = right_node.name.text
        if word == "empty" and (member_of(left.type) is not None or isinstance(left.type, TallyType)):
            return _empty(left, span)
        if at.has_adjective(c, left.type, word):
            return at.attribute(c, left, right_node.name, None, scope, span)
        if word not in scope.names and word not in c.globals and word not in c.members and word not in scope.seats:
            if at.has_adjective(c, member_of(left.type) or left.type, word):
                c.error("E0317", f"`{word}` is said of one thing, but this is {co.kind_words(left.type)}", span)
                return x.Unavailable(UNKNOWN, span)
    elif isinstance(right_node, s.Name) and at.has_adjective(c, left.type, right_node.name.text):
        return at.attribute(c, left, right_node.name, right_node.arguments, scope, span)
    return equal(c, left, check(c, right_node, scope, left.type), span)


def _empty(collection: x.Expr, span: Span) -> x.Expr:
    if isinstance(collection.type, TallyType):
        count: x.Expr = x.TallyTotal(IntType(0, HIGHEST), span, collection)
    elif isinstance(collection.type, ZoneType):
        count = x.ZoneCount(IntType(0, 4096), span, collection)
    else:
        count = x.Count(IntType(0, 4096), span, collection)
    return x.Equal(BOOL, span, count, co.constant(0, span))


def equal(c: Context, left: x.Expr, right: x.Expr, span: Span) -> x.Expr:
    """`left is right`: one representation on both sides."""
    a, b = left.type, right.type
    if isinstance(a, UnknownType) or isinstance(b, UnknownType):
        return x.Unavailable(UNKNOWN, span)
    if isinstance(b, NoneType) or isinstance(a, NoneType):
        kind = b if isinstance(a, NoneType) else a
        other = right if isinstance(a, NoneType) else left
        return x.Equal(BOOL, span, other, x.Const(kind, span, co.none_of(kind)))
    a, b = strip(a), strip(b)
    if isinstance(a, TallyType) or isinstance(b, TallyType):
        kind = _common_tally(c, left, right)
        return x.Equal(BOOL, span, co.to_tally(c, left, kind), co.to_tally(c, right, kind))
    if member_of(a) is not None and member_of(b) is not None:
        p, q = member_of(a), member_of(b)
        assert p is not None and q is not None
        if isinstance(p, RowType) != isinstance(q, RowType):
            left, right = (rows_of(left, span), right) if isinstance(q, RowType) else (left, rows_of(right, span))
        elif join(p, q) is None:
            c.error("E0318", f"{co.kind_words(a)} can never be {co.kind_words(b)}", span)
            return x.Unavailable(UNKNOWN, span)
        if isinstance(left.type, ListType) and isinstance(right.type, ListType):
            if _orderless(left) or _orderless(right):
                left, right = x.Sorted(left.type, left.span, left), x.Sorted(right.type, right.span, right)
            return x.Equal(BOOL, span, left, right)
        return x.Equal(BOOL, span, co.as_set(left), co.as_set(right))
    if isinstance(a, RowType) and isinstance(b, ThingType) and a.symbol is b.symbol:
        return x.Equal(BOOL, span, left, x.ThingAttribute(a, span, "row_of", right))
    if isinstance(b, RowType) and isinstance(a, ThingType) and a.symbol is b.symbol:
        return x.Equal(BOOL, span, x.ThingAttribute(b, span, "row_of", left), right)
    if join(a, b) is None or (member_of(a) is None) != (member_of(b) is None):
        c.error(
            "E0318",
            f"{co.kind_words(a)} can never be {co.kind_words(b)}",
            span,
            "both sides of `is` must be of one kind",
        )
        return x.Unavailable(UNKNOWN, span)
    return x.Equal(BOOL, span, left, right)


def _orderless(expr: x.Expr) -> bool:
    """Whether a list was mapped from a set, so that its order says nothing."""
    return isinstance(expr, x.Map) and isinstance(expr.collection.type, SetType)


def rows_of(collection: x.Expr, span: Span) -> x.Expr:
    """The rows of a collection of things, as a list."""
    collection = co.as_collection(collection)
    member_kind = member_of(collection.type)
    assert isinstance(member_kind, ThingType)
    # slot -1 is filled by the evaluator's own loop: rows are read off the thing itself
    return x.Map(
        ListType(RowType(member_kind.symbol), bound_of(collection.type)),
        span,
        collection,
        -1,
        x.ThingAttribute(RowType(member_kind.symbol), span, "row_of", x.Local(member_kind, span, -1)),
        False,
    )


def _in(c: Context, node: s.In, scope: Scope, expected: Type | None) -> x.Expr:
    found = _in_positive(c, node, scope)
    return x.Negation(BOOL, node.span, found) if node.negated else found


def _in_positive(c: Context, node: s.In, scope: Scope) -> x.Expr:
    span = node.span
    if scope.in_scenario:
        claimed = claims.claim_membership(node.left, node.right, span)
        if claimed is not None:
            return claimed
    if isinstance(node.right, s.RangeExpression):
        item = check_number(c, node.left, scope, "the left side of `in`")
        return x.Between(
            BOOL, span, item, check_number(c, node.right.lowest, scope), check_number(c, node.right.highest, scope)
        )
    late = isinstance(node.left, s.Name) and len(c.members.get(node.left.name.text, [])) > 1
    if late:
        right = check(c, node.right, scope)
        left = check(c, node.left, scope, member_of(right.type))
    else:
        left = check(c, node.left, scope)
        right = check(c, node.right, scope, SetType(strip(left.type)))
    if isinstance(left.type, UnknownType) or isinstance(right.type, UnknownType):
        return x.Unavailable(UNKNOWN, span)
    kind = member_of(right.type)
    if kind is None:
        c.error("E0301", f"`in` needs a set on its right side, but this is {co.kind_words(right.type)}", right.span)
        return x.Unavailable(UNKNOWN, span)
    a = strip(left.type)
    if isinstance(a, RowType) and isinstance(kind, ThingType) and a.symbol is kind.symbol:
        return x.Contains(BOOL, span, left, x.ToSet(SetType(a), span, rows_of(right, span)))
    if isinstance(kind, RowType) and isinstance(a, ThingType) and a.symbol is kind.symbol:
        left = x.ThingAttribute(kind, span, "row_of", left)
    elif join(a, strip(kind)) is None:
        c.error("E0318", f"{co.kind_words(a)} is never in {co.kind_words(right.type)}", span)
        return x.Unavailable(UNKNOWN, span)
    return x.Contains(BOOL, span, left, co.as_set(right))


def _range(c: Context, node: s.RangeExpression, scope: Scope, expected: Type | None) -> x.Expr:
    lowest, highest = check_number(c, node.lowest, scope), check_number(c, node.highest, scope)
    a, b = numeric(lowest.type), numeric(highest.type)
    if a is None or b is None:
        return c.unavailable(node.span)
    return x.Interval(SetType(IntType(a.lowest, max(a.lowest, b.highest))), node.span, lowest, highest)


def _conditional(c: Context, node: s.Conditional, scope: Scope, expected: Type | None) -> x.Expr:
    test = check_condition(c, node.condition, scope)
    return _branches(
        c,
        [check(c, node.consequence, scope, expected), check(c, node.alternative, scope, expected)],
        node.span,
        lambda kind, parts: x.Select(kind, node.span, test, parts[0], parts[1]),
    )


def _branches(c: Context, parts: list[x.Expr], span: Span, build: Callable[[Type, list[x.Expr]], x.Expr]) -> x.Expr:
    kind: Type = UNKNOWN
    if any(isinstance(part.type, TallyType) for part in parts):
        symbols = {getattr(part.type, "symbol", None) for part in parts if isinstance(part.type, TallyType | EnumType)}
        kind = TallyType(next(iter(symbols)) if len(symbols) == 1 else None)
        return build(kind, [co.to_tally(c, part, kind) for part in parts])
    for part in parts:
        merged = join(kind, part.type)
        if merged is None:
            c.error(
                "E0308",
                f"the cases are of different kinds: {co.kind_words(kind)} and {co.kind_words(part.type)}",
                part.span,
            )
            return c.unavailable(span)
        kind = merged
    return build(kind, [part if isinstance(kind, UnknownType) else co.coerce(c, part, kind) for part in parts])


def _cases(c: Context, node: s.Cases, scope: Scope, expected: Type | None) -> x.Expr:
    subject = check(c, node.subject, scope)
    keys: list[x.Expr | tuple[x.Expr, x.Expr]] = []
    values: list[x.Expr] = []
    default: x.Expr | None = None
    covered: set[int] = set()
    for case in node.cases:
        value = check(c, case.value, scope, expected)
        if case.key is None:
            default = value
            continue
        if isinstance(case.key, s.RangeExpression):
            low, high = check_number(c, case.key.lowest, scope), check_number(c, case.key.highest, scope)
            keys.append((low, high))
            if (
                isinstance(low, x.Const)
                and isinstance(high, x.Const)
                and isinstance(low.value, int)
                and isinstance(high.value, int)
            ):
                covered.update(range(low.value, min(high.value, low.value + 5000) + 1))
        else:
            key = check(c, case.key, scope, subject.type)
            test = equal(c, subject, key, key.span)
            if isinstance(key, x.Const) and isinstance(key.value, int):
                covered.add(key.value)
            if isinstance(key, x.RowConst):
                covered.add(key.row)
            keys.append(test.right if isinstance(test, x.Equal) else key)
            if isinstance(test, x.Equal) and isinstance(test.left, x.ThingAttribute):
                subject = test.left
        values.append(value)
    if default is None and not isinstance(subject.type, UnknownType):
        _total(c, subject, covered, node.span)
    parts = values + ([default] if default is not None else [])
    if not parts:
        c.error("E0319", "`by` needs at least one case", node.span)
        return c.unavailable(node.span)

    def build(kind: Type, done: list[x.Expr]) -> x.Expr:
        rest = done[-1] if default is not None else None
        return x.Switch(kind, node.span, subject, list(zip(keys, done, strict=False)), rest)

    return _branches(c, parts, node.span, build)


def _total(c: Context, subject: x.Expr, covered: set[int], span: Span) -> None:
    kind = strip(subject.type)
    if isinstance(kind, BoolType):
        every = range(0, 2)
    elif isinstance(kind, EnumType):
        every = range(kind.symbol.lowest, kind.symbol.highest + 1)
    elif isinstance(kind, IntType):
        every = range(kind.lowest, min(kind.highest, kind.lowest + 5000) + 1)
    elif isinstance(kind, RowType | ThingType):
        every = range(1, len(kind.symbol.rows) + 1)
    else:
        c.error("E0319", "these cases do not cover everything", span, "add `else: ...`")
        return
    missing = [value for value in every if value not in covered]
    if missing:
        names = [describe(kind, value) for value in missing[:3]]
        more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
        c.error(
            "E0319", f"these cases do not cover {', '.join(names)}{more}", span, "add the missing case, or `else: ...`"
        )


def describe(kind: Type, value: int) -> str:
    """A constant value in words."""
    if isinstance(kind, BoolType):
        return "yes" if value else "no"
    if isinstance(kind, EnumType) and not (kind.symbol.numbers and value <= kind.symbol.numbers[1]):
        return kind.symbol.members[value - 1 - (kind.symbol.numbers[1] if kind.symbol.numbers else 0)][0]
    if isinstance(kind, ThingType | RowType):
        return kind.symbol.rows[value - 1].name
    return str(value)


def _where(c: Context, node: s.Where, scope: Scope, expected: Type | None) -> x.Expr:
    base = co.as_collection(check(c, node.base, scope, expected))
    kind = member_of(base.type)
    if kind is None:
        if not isinstance(base.type, UnknownType):
            c.error("E0301", f"`where` picks from a set, but this is {co.kind_words(base.type)}", node.base.span)
        return c.unavailable(node.span)
    slot = scope.frame.new("it", kind)
    test = check_condition(c, node.condition, scope.inner(it=(slot, kind)), "the condition of `where`")
    return x.Filter(base.type, node.span, base, slot, test)


def _quantified(c: Context, node: s.Quantified, scope: Scope, expected: Type | None) -> x.Expr:
    inner = scope.inner()
    head = heads.check_head(c, node.head, inner, single_only=True)
    span, quantifier = node.span, node.quantifier
    if quantifier in ("some", "count"):
        if node.value is not None:
            c.error(
                "E0324",
                f"`{quantifier}` takes a head alone",
                span,
                "put the condition behind `where`" if quantifier == "some" else None,
            )
        kind: Type = BOOL if quantifier == "some" else IntType(0, HIGHEST)
        return x.Quantified(kind, span, quantifier, head, None)
    if quantifier == "first":
        last = head.binders[-1]
        if len(head.binders) > 1:
            c.error("E0324", "`first` takes one binder", span)
        return x.Quantified(
            last.type if isinstance(last.type, OptionalType) else OptionalType(last.type),
            span,
            "first",
            head,
            x.Local(last.type, span, last.slot),
        )
    if quantifier == "every":
        if node.value is None:
            c.error("E0324", "`every` needs what is claimed: `every(x in S: condition)`", span)
            return x.Unavailable(UNKNOWN, span)
        return x.Quantified(BOOL, span, "every", head, check_condition(c, node.value, inner, "what `every` claims"))
    if node.value is None:
        if quantifier == "list":
            last = head.binders[-1]
            return x.Quantified(
                ListType(last.type, heads.bound(head)), span, "list", head, x.Local(last.type, span, last.slot)
            )
        c.error("E0324", f"`{quantifier}` needs a value: `{quantifier}(x in S: value)`", span)
        return c.unavailable(span)
    value = check(c, node.value, inner, expected)
    if quantifier == "list":
        return x.Quantified(ListType(strip(value.type), heads.bound(head)), span, "list", head, value)
    return _folded(c, quantifier, head, value, span)


def _folded(c: Context, quantifier: str, head: x.Head, value: x.Expr, span: Span) -> x.Expr:
    if isinstance(value.type, UnknownType):
        return value
    if quantifier == "sum" and (
        isinstance(value.type, TallyType) or (isinstance(value.type, EnumType) and numeric(value.type) is None)
    ):
        kind: Type = value.type if isinstance(value.type, TallyType) else TallyType(value.type.symbol)
        return x.Quantified(kind, span, "sum", head, co.coerce(c, value, kind))
    value = co.number(
        c, value, f"what `{quantifier}` adds up" if quantifier == "sum" else f"what `{quantifier}` compares"
    )
    whole = numeric(value.type)
    if whole is None:
        return c.unavailable(span)
    if quantifier == "sum":
        return x.Quantified(
            IntType(min(0, whole.lowest) * 64 if whole.lowest < 0 else 0, HIGHEST), span, "sum", head, value
        )
    return x.Quantified(OptionalType(whole), span, quantifier, head, value)  # type: ignore[arg-type]  # one of the literals


def _aggregate(c: Context, node: s.Aggregate, scope: Scope, expected: Type | None) -> x.Expr:
    function, span = node.function, node.span
    parts = [check(c, each, scope, expected) for each in node.arguments]
    if any(isinstance(each.type, UnknownType) for each in parts):
        return c.unavailable(span)
    if len(parts) == 1 and member_of(parts[0].type) is not None:
        collection = co.as_collection(parts[0])
        kind = member_of(collection.type)
        assert kind is not None
        if function == "sum" and isinstance(kind, TallyType):
            return x.Total(kind, span, "sum", collection)
        if numeric(kind) is None:
            c.error("E0301", f"`{function}` is taken of numbers, but these are {co.plural_words(kind)}", span)
            return c.unavailable(span)
        whole = numeric(kind)
        assert whole is not None
        if function == "sum":
            return x.Total(IntType(min(0, whole.lowest * 64), HIGHEST), span, "sum", collection)
        return x.Total(OptionalType(whole), span, function, collection)
    if function == "sum" or len(parts) < 2:
        c.error(
            "E0325",
            f"`{function}` takes a set or list of numbers" + ("" if function == "sum" else ", or several numbers"),
            span,
        )
        return c.unavailable(span)
    result = co.number(c, parts[0])
    for part in parts[1:]:
        other = co.number(c, part)
        a, b = numeric(result.type), numeric(other.type)
        if a is None or b is None:
            return c.unavailable(span)
        both_optional = isinstance(result.type, OptionalType) and isinstance(other.type, OptionalType)
        kind = arithmetic_range(function, a, b)
        if isinstance(result.type, OptionalType) or isinstance(other.type, OptionalType):
            kind = IntType(min(a.lowest, b.lowest), max(a.highest, b.highest))
        result = x.Arithmetic(OptionalType(kind) if both_optional else kind, span, function, result, other)
    return result


def _happened(c: Context, node: s.Happened, scope: Scope, expected: Type | None) -> x.Expr:
    return history.check_happened(c, node, scope)


def _latest(c: Context, node: s.Latest, scope: Scope, expected: Type | None) -> x.Expr:
    return history.check_latest(c, node, scope)


_CHECKS: dict[type, Callable[..., x.Expr]] = {
    s.Name: _name,
    s.Attribute: _attribute,
    s.ItAttribute: _it_attribute,
    s.IntLiteral: _int,
    s.DecimalLiteral: _decimal,
    s.TextLiteral: _text,
    s.NoneLiteral: _none,
    s.BoolLiteral: _bool,
    s.ListLiteral: _list,
    s.SetLiteral: _set,
    s.Quantity: _quantity,
    s.Binary: _binary,
    s.Negate: _negate,
    s.Not: _not,
    s.Compare: _compare,
    s.Is: _is,
    s.In: _in,
    s.RangeExpression: _range,
    s.Conditional: _conditional,
    s.Cases: _cases,
    s.Where: _where,
    s.Quantified: _quantified,
    s.Aggregate: _aggregate,
    s.Happened: _happened,
    s.Latest: _latest,
}
