"""Tests that read a thing through one constant column, answered for all things at once.

What else such a test reads is a few values that the loop does not change, so its answer is a set of things that depends
on these values alone: it is remembered.
"""

from __future__ import annotations

from collections.abc import Iterable

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import HIGHEST, numeric
from regelwerk.dsl.model.walking import walk
from regelwerk.interpreter.evaluation.base import Compiler
from regelwerk.interpreter.evaluation.inlining import ColumnTest
from regelwerk.interpreter.evaluation.scalars import optional_number
from regelwerk.interpreter.wasm.binary import I64
from regelwerk.interpreter.wasm.code import Function, Value, const, load64
from regelwerk.interpreter.wasm.emitter import Emitter
from regelwerk.interpreter.wasm.remembering import remembered
from regelwerk.interpreter.wasm.shapes import Operand, Words

_MAY_FAIL = (x.Present, x.ZoneTop, x.CanDo, x.CanCell, x.CanOffer, x.CanPay)


def faultless(c: Compiler, node: object, seen: set[object] | None = None) -> bool:
    """Whether an expression cannot be at fault, so that it may be asked where it would not have been."""
    seen = set() if seen is None else seen
    return all(_safe(c, each, seen) for each in walk(node))


def _safe(c: Compiler, node: object, seen: set[object]) -> bool:
    if isinstance(node, _MAY_FAIL):
        return False
    if isinstance(node, x.Pick | x.ZoneEnd):
        return isinstance(node, x.Pick) and node.end != "at"
    if isinstance(node, x.Interval):
        return not optional_number(node.lowest.type) and _from_zero(node.lowest) and _from_zero(node.highest)
    if isinstance(node, x.Switch):
        return node.default is not None
    if isinstance(node, x.Arithmetic):
        if node.operator in ("min", "max"):
            return True
        maybe = optional_number(node.left.type) or optional_number(node.right.type)
        by_constant = isinstance(node.right, x.Const) and node.right.value != 0
        return not maybe and (node.operator not in ("div", "mod") or by_constant)
    if isinstance(node, x.Call):
        symbol = node.symbol
        return not symbol.recursive and _all_safe(c, symbol, [symbol.body], symbol.roles, seen)
    if isinstance(node, x.ConstantRead):
        return _all_safe(c, node.symbol, [node.symbol.value], node.symbol.roles, seen)
    if isinstance(node, x.ColumnRead):
        return _all_safe(c, node.column, [], node.column.roles, seen)
    if isinstance(node, x.CellTest):
        cells = [cell[1] for cell in c.program.cells_of(node.column) if isinstance(cell, tuple)]
        return _all_safe(c, node.column, cells, [], seen)
    return True


def _from_zero(node: x.Expr) -> bool:
    kind = numeric(node.type)
    return kind is not None and kind.lowest >= 0 and kind.highest <= HIGHEST


def _all_safe(c: Compiler, key: object, bodies: Iterable[object], roles: list[g.Role], seen: set[object]) -> bool:
    if key in seen:
        return True
    seen.add(key)
    if sum(1 for role in roles if role.kind == "becomes") > 1:
        return False  # they may give different values
    parts = [*bodies, *(part for role in roles for part in [*role.guards, role.value])]
    return all(faultless(c, part, seen) for part in parts if part is not None)


def usable(e: Emitter, test: ColumnTest) -> bool:
    """Whether a test can be answered for all things at once here."""
    return (
        all(e.shapes.form(each.type) != "ref" for each in test.inputs)
        and faultless(e.c, test.test)
        and all(faultless(e.c, each) for each in test.inputs)
    )


def passing(e: Emitter, test: ColumnTest, count: int) -> Words:
    """The things that pass a test, as a set of `count` words."""
    given: list[Value] = []
    for each in test.inputs:
        operand = e.keep(e.any(each))
        given += operand.parts if isinstance(operand, Words) else [_scalar(operand)]
    function = e.unit.function(
        test, "which things pass", [each.kind for each in given], (I64,) * count, lambda f: _write(e, f, test, count)
    )
    return Words(tuple(e.f.call(function, *given)))


def _scalar(operand: Operand) -> Value:
    assert isinstance(operand, Value)
    return operand


def _write(outer: Emitter, f: Function, test: ColumnTest, count: int) -> None:
    unit = outer.unit
    e = Emitter(unit, f, const(0), outer.frame)
    place = 0
    for each in test.inputs:
        kinds = unit.shapes.kinds(each.type)
        values = [f.parameter(place + k) for k in range(len(kinds))]
        place += len(kinds)
        slot = each.slot  # type: ignore[attr-defined]  # a local variable or a hoisted part
        e.slots[slot] = Words(tuple(values)) if unit.shapes.form(each.type) == "set" else values[0]
        if isinstance(each, x.Hoisted):
            e.hoisted[slot] = const(1)

    def ask() -> list[Value]:
        found = [f.variable(I64) for _ in range(count)]
        values: dict[object, int] = {}
        for thing, value in enumerate(test.table):
            if thing:
                values[value] = values.get(value, 0) | 1 << thing
        kind = e.frame.types[test.key_slot]
        if unit.shapes.form(kind) == "scalar":
            _by_table(e, test, values, found)
        else:
            for value, things in values.items():
                e.slots[test.key_slot] = e.constant(value, kind)
                _add(e, test, [const(things >> 64 * k, I64) for k in range(count)], found)
        return found

    remembered(unit, f, [f.parameter(k) for k in range(place)], ask)


def _by_table(e: Emitter, test: ColumnTest, values: dict[object, int], found: list[Value]) -> None:
    """Ask once for each value of the column."""
    f, unit, count = e.f, e.unit, len(found)
    numbers = [int(value) for value in values]  # type: ignore[call-overload]  # scalars
    words = b"".join(
        (things >> 64 * k & 0xFFFFFFFFFFFFFFFF).to_bytes(8, "little")
        for things in values.values()
        for k in range(count)
    )
    sets = unit.bytes_at(words)
    with f.counting(0, len(numbers)) as k:
        e.slots[test.key_slot] = f.copied(unit.look_up(numbers, k))
        here = f.keep(k * (8 * count))
        _add(e, test, [load64(here, sets + 8 * j) for j in range(count)], found)


def _add(e: Emitter, test: ColumnTest, things: list[Value], found: list[Value]) -> None:
    with e.f.when(e.value(test.test)):
        for part, more in zip(found, things, strict=True):
            e.f.set(part, part | more)
