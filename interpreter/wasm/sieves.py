"""Conditions on the members of a set that are answered for all of them at once, by operations on whole sets.

A condition is one of these if it asks whether the member is in another set, is one certain thing, passes a test on a
constant column (`masks`), or stands in a relation to a few values that depends on no state; or if it is made of such
ones by `and`, `or` and `not`. All else is asked for each member in a loop.
"""

from __future__ import annotations

from collections.abc import Callable

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model.types import EnumType, IntType, OptionalType, PlayerType, SetType, ThingType, Type, strip
from regelwerk.interpreter.evaluation.base import slots_read
from regelwerk.interpreter.evaluation.inlining import column_test, inputs_of
from regelwerk.interpreter.wasm import masks
from regelwerk.interpreter.wasm.binary import I64
from regelwerk.interpreter.wasm.code import Function, Value, choose, const, load, load64
from regelwerk.interpreter.wasm.collections import add_bit
from regelwerk.interpreter.wasm.emitter import Emitter
from regelwerk.interpreter.wasm.shapes import Words

Sieve = Callable[[Emitter, int], list[Value]]
"""Writes which members pass, as so many words of a set."""

RELATED = 1 << 15
"""The most bytes of a table of what stands in a relation."""


def sieve(e: Emitter, test: x.Expr, slot: int, kind: Type) -> Sieve | None:
    """What answers a test for all values of the variable in `slot` at once; None if that cannot be done here."""
    member = strip(kind)
    if not isinstance(member, ThingType | EnumType | PlayerType | IntType) or e.shapes.lowest(member) < 0:
        return None
    return (
        _compound(e, test, slot, kind)
        or _simple(e, test, slot)
        or _column(e, test, slot, kind)
        or _relation(e, test, slot, member)
    )


def _compound(e: Emitter, test: x.Expr, slot: int, kind: Type) -> Sieve | None:
    if isinstance(test, x.Negation):
        inner = _part(e, test.operand, slot, kind)
        return None if inner is None else lambda e, count: [part ^ const(-1, I64) for part in inner(e, count)]
    if isinstance(test, x.Both | x.AnyOf):
        one, other = _part(e, test.left, slot, kind), _part(e, test.right, slot, kind)
        if one is None or other is None:
            return None
        left, right = one, other
        if isinstance(test, x.Both):
            return lambda e, n: [a & b for a, b in zip(left(e, n), right(e, n), strict=True)]
        return lambda e, n: [a | b for a, b in zip(left(e, n), right(e, n), strict=True)]
    return None


def _part(e: Emitter, test: x.Expr, slot: int, kind: Type) -> Sieve | None:
    if slot in slots_read(test):
        return sieve(e, test, slot, kind)
    if not masks.faultless(e.c, test):
        return None
    return lambda e, count: [e.f.keep(choose(e.value(test), const(-1, I64), const(0, I64)))] * count


def _simple(e: Emitter, test: x.Expr, slot: int) -> Sieve | None:
    """Whether it is in another set, or is one certain thing."""

    def is_it(node: x.Expr) -> bool:
        return isinstance(node, x.Local) and node.slot == slot

    if isinstance(test, x.Contains) and is_it(test.item):
        return _membership(e, test.collection, slot)
    if isinstance(test, x.Equal) and is_it(test.left) != is_it(test.right):
        other = test.right if is_it(test.left) else test.left
        optional = isinstance(other.type, OptionalType) and not isinstance(strip(other.type), ThingType | PlayerType)
        if optional or not isinstance(strip(other.type), ThingType | PlayerType | EnumType):
            return None
        if slot in slots_read(other) or not masks.faultless(e.c, other):
            return None
        return lambda e, count: _single(e, e.known(other), count)
    return None


def _membership(e: Emitter, collection: x.Expr, slot: int) -> Sieve | None:
    if isinstance(collection, x.Interval) or not isinstance(strip(collection.type), SetType):
        return None
    if slot in slots_read(collection) or not masks.faultless(e.c, collection):
        return None
    return lambda e, count: [e.f.keep(part) for part in e.fitted(e.words(collection), count)]


def _single(e: Emitter, member: Value, count: int) -> list[Value]:
    one = e.f.keep(const(1, I64) << (member & 63).widen())
    if count == 1:
        return [choose(member.two("lt_u", 64), one, const(0, I64))]
    return [choose((member >> 6).eq(k), one, const(0, I64)) for k in range(count)]


def _column(e: Emitter, test: x.Expr, slot: int, kind: Type) -> Sieve | None:
    if not isinstance(strip(kind), ThingType):
        return None
    found = column_test(e.c, test, slot, e.frame)
    if found is None or not masks.usable(e, found):
        return None
    return lambda e, count: list(masks.passing(e, found, count).parts)


def _relation(e: Emitter, test: x.Expr, slot: int, member: Type) -> Sieve | None:
    """Whether it stands in a relation, which depends on no state, to a few values of which each is one of a few."""
    inputs = inputs_of(e.c, test, slot)
    if inputs is None or not inputs or not masks.faultless(e.c, test):
        return None
    ranges, total = [], 1
    for each in inputs:
        optional = isinstance(each.type, OptionalType) and isinstance(strip(each.type), IntType)
        if optional or e.shapes.form(each.type) != "scalar" or not masks.faultless(e.c, each):
            return None
        low, high = e.shapes.lowest(each.type), e.shapes.highest(each.type)
        ranges.append((low, high))
        total *= high - low + 1
    words = e.shapes.highest(member) // 64 + 1
    if total * (8 * words + 1) > RELATED:
        return None

    def related(e: Emitter, count: int) -> list[Value]:
        given = [e.known(each) for each in inputs]
        function = e.unit.function(
            ("related", test),
            "which are related",
            [each.kind for each in given],
            (I64,) * words,
            lambda f: _write_relation(e, f, test, slot, member, list(zip(inputs, ranges, strict=True))),
        )
        return list(e.fitted(Words(tuple(e.f.call(function, *given))), count))

    return related


def _write_relation(
    outer: Emitter, f: Function, test: x.Expr, slot: int, member: Type, inputs: list[tuple[x.Expr, tuple[int, int]]]
) -> None:
    """Look the answer up, in a table that fills itself."""
    unit = outer.unit
    e = Emitter(unit, f, const(0), outer.frame)
    index: Value = const(0)
    total = 1
    for place, (each, (low, high)) in enumerate(inputs):
        value = f.parameter(place)
        index = index * (high - low + 1) + (value - low)
        total *= high - low + 1
        number = each.slot  # type: ignore[attr-defined]  # a local variable or a hoisted part
        e.slots[number] = value
        if isinstance(each, x.Hoisted):
            e.hoisted[number] = const(1)
    words = len(f.results)
    known, answers = unit.reserve(total), unit.reserve(total * 8 * words)
    here = f.keep(index)
    address = f.keep(here * (8 * words) + answers)
    with f.when(load(here, known, 8)):
        f.give(*(load64(address, 8 * k) for k in range(words)))
    found = Words(tuple(f.variable(I64) for _ in range(words)))
    for part in found.parts:
        f.set(part, const(0, I64))
    with f.counting(unit.shapes.lowest(member), unit.shapes.highest(member) + 1) as thing:
        e.slots[slot] = thing
        with f.when(e.value(test)):
            add_bit(e, found, thing)
    f.store(here, 1, known, 8)
    for k, part in enumerate(found.parts):
        f.store64(address, part, 8 * k)
    f.give(*found.parts)


def sifted(e: Emitter, domain: Words, sieves: list[Sieve]) -> Words:
    """The members of a domain that pass all sieves."""
    parts = list(domain.parts)
    for each in sieves:
        parts = [e.f.keep(a & b) for a, b in zip(parts, each(e, len(parts)), strict=True)]
    return Words(tuple(parts))
