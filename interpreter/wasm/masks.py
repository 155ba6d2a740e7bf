"""Tests that read a thing through one constant column, answered for all things at once.

What else such a test reads is a few values that the loop does not change, so its answer is a set of things that depends
on these values alone: it is remembered.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import HIGHEST, IntType, OptionalType, member_of, numeric, strip
from regelwerk.dsl.model.walking import children, walk
from regelwerk.interpreter.evaluation.base import NONE_NUMBER, Compiler
from regelwerk.interpreter.evaluation.inlining import LOOPS, ColumnTest, is_small, rename
from regelwerk.interpreter.evaluation.scalars import optional_number
from regelwerk.interpreter.wasm.binary import I64
from regelwerk.interpreter.wasm.code import Function, Value, const, load64
from regelwerk.interpreter.wasm.emitter import Emitter
from regelwerk.interpreter.wasm.remembering import Domain, Numbered, remembered
from regelwerk.interpreter.wasm.shapes import Operand, Ref, Words

FIXED = 40
"""The most nodes of a test that is made while the rules are compiled."""

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


MANY = 1 << 30


def steps(e: Emitter, node: object) -> int:
    """About how many steps an expression that reads no state takes at most."""
    from regelwerk.interpreter.wasm.candidates import count_of, least_of, most_of

    def members(source: x.Expr) -> int:
        if isinstance(source, x.Interval):
            return max(1, most_of(e, source.highest) - least_of(e, source.lowest) + 1)
        return count_of(e, source.type)

    if isinstance(node, x.Binder) and (node.form != "one" or node.chosen_slot is not None):
        return MANY
    found = 1 + sum(steps(e, each) for each in children(node))
    if isinstance(node, x.Quantified):
        for binder in node.head.binders:
            found *= members(binder.source)
    elif isinstance(node, x.Filter | x.Map | x.Sorted):
        found *= members(node.collection)
    elif isinstance(node, x.Call):
        found = found + steps(e, node.symbol.body) if is_small(e.c, node.symbol) else MANY
    return min(found, MANY)


def usable(e: Emitter, test: ColumnTest) -> bool:
    """Whether a test can be answered for all things at once here."""
    return (
        all(e.shapes.form(each.type) != "ref" for each in test.inputs)
        and faultless(e.c, test.test)
        and all(faultless(e.c, each) for each in test.inputs)
    )


def passing(e: Emitter, test: ColumnTest, count: int) -> Words:
    """The things that pass a test, as a set of `count` words."""
    fixed = _known_before(e, test)
    if fixed is not None:
        return Words(tuple(const(fixed >> 64 * k, I64) for k in range(count)))
    values = [part for each in test.inputs for part in parts_of(e.keep(e.any(each)))]
    title, highest = "which things pass", len(test.table) - 1
    numbered = table_of(e, test.inputs, highest)
    if numbered:

        def find(f: Function) -> list[Value]:
            return _asked(given(e, f, test.inputs, 1), test, highest // 64 + 1)

        found = numbered.look_up(e.unit, e.f, test, title, values, find)
        return Words(e.fitted(Words(tuple(found)), count))
    kinds = [each.kind for each in values]
    function = e.unit.function(test, title, kinds, (I64,) * count, lambda f: _write(e, f, test, count))
    return Words(tuple(e.f.call(function, *values)))


def _known_before(e: Emitter, test: ColumnTest) -> int | None:
    """The things that pass a test which asks for nothing but the column, found while the rules are compiled; None if it
    asks for more, or is too dear for that."""
    nodes = list(walk(test.test))
    if test.inputs or len(nodes) > FIXED or any(isinstance(node, (*LOOPS, x.Call)) for node in nodes):
        return None
    known: dict[object, int] = {}
    found = 0
    for thing, value in enumerate(test.table):
        if thing:
            if value not in known:
                key = x.Const(e.frame.types[test.key_slot], test.test.span, value)
                known[value] = int(e.c.static(rename(test.test, {test.key_slot: key})))
            found |= known[value] << thing
    return found


def table_of(e: Emitter, inputs: Sequence[x.Expr], highest: int) -> Numbered | None:
    """The table of sets of members up to `highest` that depend on some values, if it is not too large."""
    domains: list[Domain] = []
    for each in inputs:
        kind = each.type
        if e.shapes.form(kind) == "ref" or len(e.shapes.kinds(kind)) > 1:
            return None
        none = NONE_NUMBER if isinstance(kind, OptionalType) and isinstance(strip(kind), IntType) else None
        member = member_of(kind) if e.shapes.form(kind) == "set" else kind
        assert member is not None
        low, high = e.shapes.lowest(member), e.shapes.highest(member)
        domains.append(Domain(e.shapes.kinds(kind)[0], low, high, none, keeps_its_type(each)))
    return Numbered(domains, highest) or None


def keeps_its_type(node: x.Expr) -> bool:
    """Whether a value surely lies in its type. Of numbers only stored ones do, and those of the material."""
    while isinstance(node, x.Hoisted):
        node = node.value
    kind = strip(node.type)
    if not isinstance(member_of(kind) or kind, IntType):
        return True
    if isinstance(node, x.StateRead):
        return node.type == node.symbol.type
    if isinstance(node, x.TrackRead):
        return node.type == node.symbol.type
    if isinstance(node, x.ColumnRead):
        return not node.column.roles and node.type == node.column.type
    return isinstance(node, x.FaceRead | x.ThingAttribute | x.Count)


def parts_of(operand: Operand) -> list[Value]:
    """The words of a set, or the one of a scalar."""
    assert not isinstance(operand, Ref)
    return list(operand.parts) if isinstance(operand, Words) else [operand]


def given(outer: Emitter, f: Function, inputs: Sequence[x.Expr], place: int) -> Emitter:
    """An emitter of a function whose parameters, from one on, are the inputs of a test: local variables and hoisted
    parts."""
    unit = outer.unit
    e = Emitter(unit, f, const(0), outer.frame)
    for each in inputs:
        kinds = unit.shapes.kinds(each.type)
        values = [f.parameter(place + k) for k in range(len(kinds))]
        place += len(kinds)
        slot = each.slot  # type: ignore[attr-defined]  # a local variable or a hoisted part
        e.slots[slot] = Words(tuple(values)) if unit.shapes.form(each.type) == "set" else values[0]
        if isinstance(each, x.Hoisted):
            e.hoisted[slot] = const(1)
    return e


def _write(outer: Emitter, f: Function, test: ColumnTest, count: int) -> None:
    e = given(outer, f, test.inputs, 0)
    remembered(e.unit, f, [f.parameter(k) for k in range(len(f.parameters))], lambda: _asked(e, test, count))


def _asked(e: Emitter, test: ColumnTest, count: int) -> list[Value]:
    """The things that pass, each value of the column being asked for."""
    found = [e.f.variable(I64) for _ in range(count)]
    values: dict[object, int] = {}
    for thing, value in enumerate(test.table):
        if thing:
            values[value] = values.get(value, 0) | 1 << thing
    kind = e.frame.types[test.key_slot]
    if e.shapes.form(kind) == "scalar":
        _by_table(e, test, values, found)
    else:
        for value, things in values.items():
            e.slots[test.key_slot] = e.constant(value, kind)
            _add(e, test, [const(things >> 64 * k, I64) for k in range(count)], found)
    return found


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
