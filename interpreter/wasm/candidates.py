"""What one binder can take: the values of its domain, in order, without copies that are alike."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import reduce

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model.types import ListType, ZoneType, member_of, strip
from regelwerk.interpreter.evaluation.base import NONE_NUMBER
from regelwerk.interpreter.wasm import zones
from regelwerk.interpreter.wasm.code import Label, Value, const, load
from regelwerk.interpreter.wasm.collections import each_bit, each_member, has_order, insert_by_key, popcount, sure_zone
from regelwerk.interpreter.wasm.copies import Copies, copies, kinds_of, seen_before
from regelwerk.interpreter.wasm.emitter import Emitter
from regelwerk.interpreter.wasm.shapes import Operand, Ref, Unsupported, Words


def most_of(e: Emitter, node: x.Expr) -> int:
    """The greatest value that a number can have."""
    if isinstance(node, x.Const):
        return int(node.value)  # type: ignore[arg-type]  # a number
    return e.shapes.highest(node.type)


def least_of(e: Emitter, node: x.Expr) -> int:
    """The least value that a number can have."""
    if isinstance(node, x.Const):
        return int(node.value)  # type: ignore[arg-type]  # a number
    return e.shapes.lowest(node.type)


def count_of(e: Emitter, kind: object) -> int:
    """How many members a collection of a type can have."""
    plain = kind
    if isinstance(plain, ListType):
        return e.shapes.bound(plain)
    member = member_of(plain)  # type: ignore[arg-type]  # a collection
    return e.shapes.highest(member) + 1 if member is not None else 1024


@contextmanager
def candidates(
    e: Emitter, binder: x.Binder, merge: bool, early: Sequence[x.Expr] = ()
) -> Iterator[tuple[Operand, Label, Label]]:
    """The values that a single binder can take, in order. `early`: see `Loop`."""
    f = e.f
    if binder.key is not None:
        with _by_key(e, binder, merge, early) as found:
            yield found
        return
    if isinstance(binder.source, x.Interval):
        low, high = e.known(binder.source.lowest), e.known(binder.source.highest)
        number, last = f.copied(low), f.keep(high)
        none = low.eq(NONE_NUMBER) | high.eq(NONE_NUMBER)
        with f.block() as leave, f.loop() as again:
            f.leave_if(leave, (number > last) | none)
            value = f.copied(number)
            with f.block() as following:
                yield value, following, leave
            f.increase(number)
            f.leave(again)
        return
    kin = copies(e, binder) if merge else None
    if isinstance(binder.source, x.Contents) and sure_zone(binder.source.zone) and has_order(e, binder.source.zone):
        with _in_place(e, binder.source, kin) as found:
            yield found
        return
    source = e.keep(e.any(binder.source))
    assert isinstance(source, Words | Ref)
    charge(e, source, binder)
    if kin is None:
        with each_member(e, source, binder.source.type) as found:
            yield found
        return
    if isinstance(source, Words) and len(source.parts) == 1:
        with _first_alike(e, kin, source) as found:
            yield found
        return
    position = f.copied(const(-1))
    before = source if isinstance(source, Words) else lambda k: load(source.address + k * 4, 4)
    with each_member(e, source, binder.source.type) as (thing, following, leave):
        assert isinstance(thing, Value)
        f.increase(position)
        f.leave_if(following, seen_before(e, kin, before, thing, position))
        yield thing, following, leave


@contextmanager
def _in_place(e: Emitter, source: x.Contents, kin: Copies | None) -> Iterator[tuple[Operand, Label, Label]]:
    """The things of a zone that has an order, read where they lie: nothing moves while candidates are looked at."""
    f, kind = e.f, source.zone.type
    assert isinstance(kind, ZoneType)
    slots = zones.Slots(e.unit, f, e.state, kind.symbol, e.known(source.zone))
    total, place = f.keep(slots.total()), f.copied(const(0))
    e.unit.spend(f, total, source.span)
    with f.while_(lambda: place < total) as (following, leave):
        thing = f.copied(slots.at(place))
        f.increase(place)
        if kin is not None:
            f.leave_if(following, seen_before(e, kin, slots.at, thing, f.keep(place - 1)))
        yield thing, following, leave


@contextmanager
def _first_alike(e: Emitter, kin: Copies, source: Words) -> Iterator[tuple[Operand, Label, Label]]:
    """The members of a set of one word of which no earlier one is alike."""
    f = e.f
    if e.listing:
        with each_bit(e, Words((kinds_of(e, kin, source.parts[0]).first,))) as found:
            yield found
        return
    left = f.copied(source.parts[0])
    with f.block() as leave, f.loop() as again:
        f.leave_if(leave, left.eqz())
        thing = f.copied(left.one("ctz").narrow())
        f.set(left, (left & (left - 1)) & (kin.among(e, left, thing) ^ -1))
        with f.block() as following:
            yield thing, following, leave
        f.leave(again)


def is_empty(domain: Words | Ref) -> Value:
    """Whether a domain has no member."""
    if isinstance(domain, Ref):
        return load(domain.address).eqz()
    parts = list(domain.parts)
    return reduce(operator.or_, parts[1:], parts[0]).eqz()


def charge(e: Emitter, domain: Words | Ref, binder: x.Binder) -> None:
    """Charge the work of looking at each member of a domain."""
    e.unit.spend(e.f, popcount(domain) if isinstance(domain, Words) else load(domain.address), binder.span)


@contextmanager
def _by_key(
    e: Emitter, binder: x.Binder, merge: bool, early: Sequence[x.Expr] = ()
) -> Iterator[tuple[Operand, Label, Label]]:
    """The values that pass tests, sorted by a key; equal ones stay in order."""
    f = e.f
    member = strip(binder.type)
    if e.shapes.form(member) != "scalar":
        raise Unsupported("sorting records")
    plain = binder.plain()
    if isinstance(binder.source, x.Interval):
        bound = max(1, most_of(e, binder.source.highest) - least_of(e, binder.source.lowest) + 1)
    else:
        bound = count_of(e, binder.source.type)
    bound = min(bound, 1024)
    values, keys = f.room(4 * (bound + 1)), f.room(4 * (bound + 1))
    count = f.copied(const(0))
    assert binder.key is not None
    with candidates(e, plain, merge) as (value, following, _):
        assert isinstance(value, Value)
        if early:
            e.bind(binder.slot, value)
            for test in early:
                f.leave_if(following, e.value(test).eqz())
        e.bind(binder.it_slot, value)
        key = f.copied(e.value(binder.key))
        if binder.highest_first:
            f.set(key, const(0) - key)
        insert_by_key(f, keys, key, values, value, count)
    f.store(values, count)
    with each_member(e, Ref(values, ListType(member, ((bound,),))), ListType(member, ((bound,),))) as found:
        yield found
