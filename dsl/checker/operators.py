"""Arithmetic, connectives, set operations, and choices between values."""

from __future__ import annotations

from collections.abc import Callable

from regelwerk.dsl.checker import coercion as co
from regelwerk.dsl.checker.comparisons import equal
from regelwerk.dsl.checker.context import Context, Scope
from regelwerk.dsl.checker.expressions import (
    check,
    check_condition,
    check_number,
    check_pair,
    checks,
    is_empty_literal,
)
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model.types import (
    BOOL,
    UNKNOWN,
    BoolType,
    EnumType,
    IntType,
    ListType,
    RowType,
    SetType,
    TallyType,
    ThingType,
    Type,
    UnknownType,
    bound_of,
    in_words,
    join,
    member_of,
    numeric,
    strip,
)
from regelwerk.dsl.source import Span
from regelwerk.dsl.syntax import expressions as s


@checks(s.Binary)
def _binary(c: Context, node: s.Binary, scope: Scope, expected: Type | None) -> x.Expr:
    operator, span = node.operator, node.span
    if operator in ("and", "or"):
        left, right = check(c, node.left, scope, BOOL), check(c, node.right, scope, BOOL)
        if isinstance(strip(left.type), EnumType | ThingType | RowType) and strip(left.type) == strip(right.type):
            message = f"`{operator}` joins conditions, but these are {co.plural_words(left.type)}"
            help = "write `a + b` for a tally, `{a, b}` for a set" if operator == "and" else "write `x in {a, b}`"
            c.error("E0302", message, span, help)
            return c.unavailable(span)
        left = co.condition(c, left, f"the left side of `{operator}`")
        right = co.condition(c, right, f"the right side of `{operator}`")
        return x.Both(BOOL, span, left, right) if operator == "and" else x.AnyOf(BOOL, span, left, right)
    if operator in ("div", "mod", "*") and isinstance(node.right, s.Quantity):
        lifted = s.Binary(span=span, operator=operator, left=node.left, right=node.right.amount)
        return check(c, s.Quantity(span=span, amount=lifted, unit=node.right.unit), scope, expected)
    if is_empty_literal(node.left) or is_empty_literal(node.right):
        left, right = check_pair(c, node.left, node.right, scope, expected)
    else:
        left = check(c, node.left, scope, expected)
        right = check(c, node.right, scope, left.type if operator in ("union", "except") else expected)
    if isinstance(left.type, UnknownType) or isinstance(right.type, UnknownType):
        return c.unavailable(span)
    if operator in ("union", "except"):
        return _set_operation(c, operator, left, right, span)
    tally = isinstance(left.type, TallyType | EnumType) and numeric(left.type) is None
    tally = tally or (isinstance(right.type, TallyType | EnumType) and numeric(right.type) is None)
    if operator == "+" and tally:
        kind = co.common_tally(c, left, right)
        return x.TallyArithmetic(kind, span, "+", co.to_tally(c, left, kind), co.to_tally(c, right, kind))
    if operator == "*" and isinstance(right.type, TallyType):
        return x.TallyScaled(right.type, span, co.number(c, left), right)
    if operator == "*" and isinstance(left.type, TallyType):
        return x.TallyScaled(left.type, span, co.number(c, right), left)
    if operator == "+" and isinstance(left.type, ListType) and member_of(right.type) is not None:
        return _set_operation(c, "+", left, co.as_list(right), span)
    left, right = (
        co.number(c, left, f"the left side of `{operator}`", True),
        co.number(c, right, f"the right side of `{operator}`", True),
    )
    a, b = numeric(left.type), numeric(right.type)
    if operator == "*" and a is not None and b is not None and a.halves and b.halves:
        c.error(
            "E0372",
            "two numbers in halves are not multiplied: that would give quarters",
            span,
            "round one of them: `... div 1`",
        )
        return c.unavailable(span)
    if operator != "*":
        left, right = co.same_scale(left, right)
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
        return co.constant(value, span, arithmetic_range(operator, a, b).halves)
    return x.Arithmetic(arithmetic_range(operator, a, b), span, operator, left, right)  # type: ignore[arg-type]  # the others are done


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
    return IntType(max(low, -limit), min(high, limit), operator != "div" and (a.halves or b.halves))


def _set_operation(c: Context, operator: str, left: x.Expr, right: x.Expr, span: Span) -> x.Expr:
    if isinstance(left.type, TallyType | EnumType) and operator == "except":
        kind = co.common_tally(c, left, right)
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
    joined = join(a, b)
    if joined is None:
        c.error("E0308", f"these are of different kinds: {co.plural_words(a)} and {co.plural_words(b)}", span)
        return c.unavailable(span)
    if operator == "+":
        return x.Union(
            ListType(joined, bound_of(left.type) + bound_of(right.type)), span, co.as_list(left), co.as_list(right)
        )
    left, right = co.as_set(left), co.as_set(right)
    result = SetType(joined)
    return x.Union(result, span, left, right) if operator == "union" else x.Difference(result, span, left, right)


@checks(s.Negate)
def _negate(c: Context, node: s.Negate, scope: Scope, expected: Type | None) -> x.Expr:
    operand = check_number(c, node.operand, scope, halves=True)
    kind = numeric(operand.type)
    if kind is None:
        return operand
    if isinstance(operand, x.Const) and isinstance(operand.value, int):
        return co.constant(-operand.value, node.span, kind.halves)
    return x.Negative(IntType(-kind.highest, -kind.lowest, kind.halves), node.span, operand)


@checks(s.Not)
def _not(c: Context, node: s.Not, scope: Scope, expected: Type | None) -> x.Expr:
    return x.Negation(BOOL, node.span, check_condition(c, node.operand, scope, "what follows `not`"))


@checks(s.Conditional)
def _conditional(c: Context, node: s.Conditional, scope: Scope, expected: Type | None) -> x.Expr:
    test = check_condition(c, node.condition, scope)
    return _branches(
        c,
        list(check_pair(c, node.consequence, node.alternative, scope, expected)),
        node.span,
        lambda kind, parts: x.Select(kind, node.span, test, parts[0], parts[1]),
    )


def _branches(c: Context, parts: list[x.Expr], span: Span, build: Callable[[Type, list[x.Expr]], x.Expr]) -> x.Expr:
    kind: Type = UNKNOWN
    if any(isinstance(part.type, TallyType) for part in parts):
        symbols = {getattr(part.type, "symbol", None) for part in parts if isinstance(part.type, TallyType | EnumType)}
        kind = TallyType(next(iter(symbols)) if len(symbols) == 1 else None)
        return build(kind, [co.to_tally(c, part, kind) for part in parts])
    if any(isinstance(part.type, IntType) for part in parts):
        parts = co.same_scale(*(_as_number(part) for part in parts))
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


def _as_number(part: x.Expr) -> x.Expr:
    """A member of an enum with numbers, where other branches are numbers."""
    whole = numeric(part.type) if isinstance(part.type, EnumType) else None
    return x.Arithmetic(whole, part.span, "+", part, co.constant(0, part.span)) if whole is not None else part


@checks(s.Cases)
def _cases(c: Context, node: s.Cases, scope: Scope, expected: Type | None) -> x.Expr:
    subject = check(c, node.subject, scope)
    scale = numeric(subject.type)
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
            low, high = (
                check_number(c, each, scope, halves=scale is not None and scale.halves)
                for each in (case.key.lowest, case.key.highest)
            )
            if scale is not None and scale.halves:
                low, high = co.in_halves(low), co.in_halves(high)
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
            if scale is not None and numeric(key.type) is not None:
                key = co.in_halves(key) if scale.halves else co.number(c, key, "this case")
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
    return in_words(value, kind) if isinstance(kind, IntType) else str(value)
