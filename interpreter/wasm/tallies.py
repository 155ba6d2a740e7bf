"""Tallies: counts of each unit, in memory."""

from __future__ import annotations

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model.types import (
    IntType,
    ListType,
    SetType,
    TallyType,
    strip,
)
from regelwerk.interpreter.wasm.binary import I64
from regelwerk.interpreter.wasm.code import Value, choose, const, load
from regelwerk.interpreter.wasm.collections import Gathering, add_bit
from regelwerk.interpreter.wasm.emitter import Emitter, writes
from regelwerk.interpreter.wasm.shapes import Operand, Ref, Words


@writes(x.TallyOf)
def _tally_of(e: Emitter, node: x.TallyOf) -> Operand:
    kind = strip(node.type)
    size = e.program.unit_count(kind)
    f = e.f
    target = f.room(4 * size)
    f.fill(target, 4 * size)
    for unit, count in node.parts:
        place = const(unit - 1) if isinstance(unit, int) else e.value(unit) - 1
        address = f.keep(target + place * 4)
        f.store(address, load(address) + e.value(count))
    return Ref(target, kind)


@writes(x.TallyArithmetic)
def _tally_arithmetic(e: Emitter, node: x.TallyArithmetic) -> Operand:
    left, right = e.ref(node.left), e.ref(node.right)
    kind = strip(node.type)
    target = e.f.room(4 * e.program.unit_count(kind))
    for k in range(e.program.unit_count(kind)):
        a, b = load(left.address, 4 * k), load(right.address, 4 * k)
        if node.operator == "+":
            e.f.store(target, a + b, 4 * k)
        else:
            rest = e.f.keep(a - b)
            e.f.store(target, choose(rest > 0, rest, const(0)), 4 * k)
    return Ref(target, kind)


@writes(x.TallyScaled)
def _tally_scaled(e: Emitter, node: x.TallyScaled) -> Operand:
    factor, tally = e.known(node.factor), e.ref(node.tally)
    kind = strip(node.type)
    target = e.f.room(4 * e.program.unit_count(kind))
    for k in range(e.program.unit_count(kind)):
        e.f.store(target, load(tally.address, 4 * k) * factor, 4 * k)
    return Ref(target, kind)


@writes(x.TallyCount)
def _tally_count(e: Emitter, node: x.TallyCount) -> Operand:
    tally = e.ref(node.tally)
    if isinstance(node.unit, x.Const):
        return load(tally.address, 4 * (int(node.unit.value) - 1))  # type: ignore[arg-type]  # a number
    return load(tally.address + (e.value(node.unit) - 1) * 4)


@writes(x.TallyTotal)
def _tally_total(e: Emitter, node: x.TallyTotal) -> Operand:
    tally, total = e.ref(node.tally), const(0)
    count = e.program.unit_count(strip(node.tally.type))
    halves = isinstance(node.type, IntType) and node.type.halves
    for k in range(count):
        weight = 2 if halves and not e.program.game.units[k].type.halves else 1
        total = total + load(tally.address, 4 * k) * weight
    return total


@writes(x.TallyCompare)
def _tally_compare(e: Emitter, node: x.TallyCompare) -> Operand:
    left, right = e.ref(node.left), e.ref(node.right)
    found: Value = const(1)
    for k in range(e.program.unit_count(strip(node.left.type))):
        a, b = load(left.address, 4 * k), load(right.address, 4 * k)
        test = a >= b if node.operator == ">=" else a <= b
        found = test if found.const == 1 else found & test
    return found


@writes(x.TallyKinds)
def _tally_kinds(e: Emitter, node: x.TallyKinds) -> Operand:
    f, tally = e.f, e.ref(node.tally)
    count = e.program.unit_count(strip(node.tally.type))
    if isinstance(node.type, ListType):
        gathered = Gathering(e, node.type)
        for k in range(count):
            with f.counting(0, f.keep(load(tally.address, 4 * k))):
                gathered.add(const(k + 1))
        return gathered.done()
    assert isinstance(node.type, SetType)
    target = e.place(node.type)
    assert isinstance(target, Words)
    for part in target.parts:
        f.set(part, const(0, I64))
    for k in range(count):
        with f.when(load(tally.address, 4 * k) > 0):
            add_bit(e, target, const(k + 1))
    return target


@writes(x.TallyWiden)
def _tally_widen(e: Emitter, node: x.TallyWiden) -> Operand:
    tally, kind = e.ref(node.tally), strip(node.tally.type)
    assert isinstance(kind, TallyType)
    size = e.program.unit_count(TallyType(None))
    target = e.f.room(4 * size)
    e.f.fill(target, 4 * size)
    for k in range(e.program.unit_count(kind)):
        e.f.store(target, load(tally.address, 4 * k), 4 * e.program.unit_index(kind, k + 1))
    return Ref(target, TallyType(None))
