"""Numbers, comparisons, connectives, and choices between values."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model.types import (
    IntType,
    RowType,
    numeric,
)
from regelwerk.interpreter.evaluation.base import (
    NONE_NUMBER,
    Closure,
    Compiler,
    Locals,
    Value,
    compiles,
)
from regelwerk.interpreter.evaluation.scalars import nothing, optional_number
from regelwerk.interpreter.faults import Fault
from regelwerk.interpreter.layout import Image

_ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "div": operator.floordiv,
    "mod": operator.mod,
}


LARGEST = 2**31 - 1
"""The largest number that can be calculated with."""
TOO_LARGE = f"numbers go from -{LARGEST} to {LARGEST}, and this would be beyond them"


def may_exceed(node: x.Arithmetic) -> bool:
    """Whether a sum, difference or product may be no number of 32 bits, by the types of its sides."""
    a, b = numeric(node.left.type), numeric(node.right.type)
    if a is None or b is None or node.operator not in ("+", "-", "*"):
        return False
    apply = _ARITHMETIC[node.operator]
    corners = [apply(p, q) for p in (a.lowest, a.highest) for q in (b.lowest, b.highest)]
    return min(corners) < -LARGEST or max(corners) > LARGEST


@compiles(x.Arithmetic)
def _arithmetic(c: Compiler, node: x.Arithmetic) -> Closure:
    left, right, span, sign = c.expr(node.left), c.expr(node.right), node.span, node.operator
    maybe = optional_number(node.left.type) or optional_number(node.right.type)
    if sign in ("min", "max"):
        function = min if sign == "min" else max
        if not maybe:
            return lambda m, env: function(left(m, env), right(m, env))

        def either(m: Image, env: Locals) -> int:
            a, b = left(m, env), right(m, env)
            return int(b if a == NONE_NUMBER else a if b == NONE_NUMBER else function(a, b))

        return either
    if sign in ("div", "mod"):

        def divide(m: Image, env: Locals) -> int:
            a, b = left(m, env), right(m, env)
            if b == 0:
                raise Fault("range", f"`{sign}` by 0", span)
            if NONE_NUMBER in (a, b):
                raise Fault("none", "a number was needed, and there is none", span)
            return int(a // b if sign == "div" else a % b)

        return divide
    exceeds = may_exceed(node)
    if maybe or exceeds:
        apply = _ARITHMETIC[sign]

        def guarded(m: Image, env: Locals) -> int:
            a, b = left(m, env), right(m, env)
            if maybe and NONE_NUMBER in (a, b):
                raise Fault("none", "a number was needed, and there is none", span)
            found = apply(a, b)
            if exceeds and not -LARGEST <= found <= LARGEST:
                raise Fault("range", TOO_LARGE, span)
            return found

        return guarded
    if sign == "+":
        if isinstance(node.right, x.Const):
            k = node.right.value
            return left if k == 0 else lambda m, env: left(m, env) + k
        return lambda m, env: left(m, env) + right(m, env)
    if sign == "-":
        return lambda m, env: left(m, env) - right(m, env)
    return lambda m, env: left(m, env) * right(m, env)


@compiles(x.Negative)
def _negative(c: Compiler, node: x.Negative) -> Closure:
    operand, span = c.expr(node.operand), node.span
    if optional_number(node.operand.type):

        def guarded(m: Image, env: Locals) -> int:
            a: int = operand(m, env)
            if a == NONE_NUMBER:
                raise Fault("none", "a number was needed, and there is none", span)
            return -a

        return guarded
    return lambda m, env: -operand(m, env)


@compiles(x.Absolute)
def _absolute(c: Compiler, node: x.Absolute) -> Closure:
    operand = c.expr(node.operand)
    if optional_number(node.type):
        return lambda m, env: abs(a) if (a := operand(m, env)) != NONE_NUMBER else a
    return lambda m, env: abs(operand(m, env))


@compiles(x.InHalves)
def _in_halves(c: Compiler, node: x.InHalves) -> Closure:
    operand = c.expr(node.operand)
    if optional_number(node.type):
        return lambda m, env: 2 * a if (a := operand(m, env)) != NONE_NUMBER else a
    return lambda m, env: 2 * operand(m, env)


@compiles(x.Ordered)
def _ordered(c: Compiler, node: x.Ordered) -> Closure:
    left, right = c.expr(node.left), c.expr(node.right)
    compare = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}[node.operator]
    if optional_number(node.left.type) or optional_number(node.right.type):

        def guarded(m: Image, env: Locals) -> bool:
            a, b = left(m, env), right(m, env)
            return bool(a != NONE_NUMBER and b != NONE_NUMBER and compare(a, b))

        return guarded
    if isinstance(node.right, x.Const):
        k = node.right.value
        if node.operator == ">":
            return lambda m, env: left(m, env) > k
    if node.operator == "<":
        return lambda m, env: left(m, env) < right(m, env)
    return lambda m, env: compare(left(m, env), right(m, env))


@compiles(x.Equal)
def _equal(c: Compiler, node: x.Equal) -> Closure:
    if isinstance(node.left, x.ZoneEnd) and isinstance(node.right, x.Const) and node.right.value == 0:
        # whether something lies there does not depend on what, which may not be settled
        return c.expr(
            x.Equal(node.type, node.span, x.ZoneCount(IntType(0, 4096), node.span, node.left.zone), node.right)
        )
    left, right = c.expr(node.left), c.expr(node.right)
    if isinstance(node.right, x.Const):
        k = node.right.value
        if isinstance(node.left, x.Local):
            slot = node.left.slot
            return lambda m, env: env[slot] == k
        return lambda m, env: left(m, env) == k
    return lambda m, env: left(m, env) == right(m, env)


@compiles(x.Both)
def _both(c: Compiler, node: x.Both) -> Closure:
    left, right = c.expr(node.left), c.expr(node.right)
    return lambda m, env: left(m, env) and right(m, env)


@compiles(x.AnyOf)
def _any(c: Compiler, node: x.AnyOf) -> Closure:
    left, right = c.expr(node.left), c.expr(node.right)
    return lambda m, env: left(m, env) or right(m, env)


@compiles(x.Negation)
def _negation(c: Compiler, node: x.Negation) -> Closure:
    if isinstance(node.operand, x.Equal) and not isinstance(node.operand.left, x.ZoneEnd):
        inner = node.operand
        left, right = c.expr(inner.left), c.expr(inner.right)
        if isinstance(inner.right, x.Const):
            k = inner.right.value
            return lambda m, env: left(m, env) != k
        return lambda m, env: left(m, env) != right(m, env)
    operand = c.expr(node.operand)
    return lambda m, env: not operand(m, env)


@compiles(x.Present)
def _present(c: Compiler, node: x.Present) -> Closure:
    value, what, span = c.expr(node.value), node.what, node.span
    empty = nothing(node.type)

    def present(m: Image, env: Locals) -> Value:
        found = value(m, env)
        if found == empty:
            raise Fault("none", f"{what} cannot be none", span)
        return found

    return present


@compiles(x.Select)
def _select(c: Compiler, node: x.Select) -> Closure:
    test, yes, no = c.expr(node.condition), c.expr(node.consequence), c.expr(node.alternative)
    return lambda m, env: yes(m, env) if test(m, env) else no(m, env)


@compiles(x.Switch)
def _switch(c: Compiler, node: x.Switch) -> Closure:
    subject = c.expr(node.subject)
    default = c.expr(node.default) if node.default is not None else None
    table: dict[Any, Closure] = {}
    for key, value in node.cases:
        body = c.expr(value)
        if isinstance(key, tuple):
            low, high = key
            if not (c.is_static(low) and c.is_static(high)):
                return _slow_switch(c, node)
            for each in range(c.static(low), c.static(high) + 1):
                table.setdefault(each, body)
        elif c.is_static(key):
            table.setdefault(c.static(key), body)
        else:
            return _slow_switch(c, node)
    span = node.span
    column = node.subject
    if (
        isinstance(column, x.ColumnRead)
        and isinstance(column.thing, x.Local)
        and not column.column.roles
        and not isinstance(column.thing.type, RowType)
    ):
        values = c.program.column_table(column.column)
        if values is not None and default is not None:
            slot, bodies = column.thing.slot, [table.get(value, default) for value in values]
            return lambda m, env: bodies[env[slot]](m, env)

    def switch(m: Image, env: Locals) -> Value:
        found = table.get(subject(m, env), default)
        if found is None:
            raise Fault("none", "no case fits", span)
        return found(m, env)

    return switch


def _slow_switch(c: Compiler, node: x.Switch) -> Closure:
    subject, span = c.expr(node.subject), node.span
    cases: list[tuple[Closure, Closure | None, Closure]] = []
    for key, value in node.cases:
        if isinstance(key, tuple):
            cases.append((c.expr(key[0]), c.expr(key[1]), c.expr(value)))
        else:
            cases.append((c.expr(key), None, c.expr(value)))
    default = c.expr(node.default) if node.default is not None else None

    def switch(m: Image, env: Locals) -> Value:
        value = subject(m, env)
        for low, high, body in cases:
            first = low(m, env)
            if first == value if high is None else first <= value <= high(m, env):
                return body(m, env)
        if default is None:
            raise Fault("none", "no case fits", span)
        return default(m, env)

    return switch


@compiles(x.LetIn)
def _let_in(c: Compiler, node: x.LetIn) -> Closure:
    slot, value, body = node.slot, c.expr(node.value), c.expr(node.body)

    def let_in(m: Image, env: Locals) -> Value:
        env[slot] = value(m, env)
        return body(m, env)

    return let_in
