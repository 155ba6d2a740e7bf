"""Whole picks as options: combinations of elements, and what `picks` lists."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import comb

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model.types import ListType, SetType, member_of
from regelwerk.interpreter.evaluation.heads import PICK_LIMIT
from regelwerk.interpreter.wasm.binary import I64
from regelwerk.interpreter.wasm.code import Label, Value, choose, const, load, load64
from regelwerk.interpreter.wasm.collections import add_bit, popcount
from regelwerk.interpreter.wasm.copies import Copies, copies
from regelwerk.interpreter.wasm.emitter import Emitter
from regelwerk.interpreter.wasm.heads import candidates, charge
from regelwerk.interpreter.wasm.picks import PickSpace, Pool
from regelwerk.interpreter.wasm.shapes import Operand, Words
from regelwerk.interpreter.wasm.sieves import filtered


@contextmanager
def each_pick(e: Emitter, binder: x.Binder, merge: bool) -> Iterator[tuple[Operand, Label, Label]]:
    """All picks of a binder that takes several elements."""
    if binder.form == "some" and not binder.most and binder.chosen_slot is None:
        with _subsets(e, binder, merge) if _of_one_word(e, binder) else _combinations(e, binder, merge) as found:
            yield found
        return
    space = PickSpace(e, binder, merge)
    pool = Pool(space)
    with pool.whole_picks() as (following, leave):
        yield pool.value(), following, leave


def _of_one_word(e: Emitter, binder: x.Binder) -> bool:
    """Whether a binder takes subsets of a set of one word."""
    return isinstance(binder.source.type, SetType) and binder.key is None and _size(e, binder) <= 64


def number_of_subsets(e: Emitter, binder: x.Binder) -> tuple[Value, Value] | None:
    """How many picks of a binder there are (copies that are alike taken as one), and whether this is known without
    listing them; None if it never is."""
    lowest = binder.lowest.value if isinstance(binder.lowest, x.Const) else 2
    plain = binder.form == "some" and not binder.most and binder.chosen_slot is None
    if not plain or lowest not in (0, 1) or not _of_one_word(e, binder):
        return None
    f = e.f
    rest = f.copied(_pool(e, binder))
    assert binder.highest is not None
    size = f.keep(rest.one("popcnt").narrow())
    known = f.keep((size <= e.value(binder.highest)) & (size < PICK_LIMIT.bit_length()))
    kin = copies(e, binder)
    if kin is None:
        return (const(1) << size) - lowest, known
    product = f.copied(const(1))
    with f.when(known), _each_kin(e, kin, rest) as (one, _, alike):
        first = (alike & (one - 1)).eqz()
        f.set(product, product * choose(first, alike.one("popcnt").narrow() + 1, const(1)))
    return product - lowest, known


def _pool(e: Emitter, binder: x.Binder) -> Value:
    """The elements of a set of one word that can be picked."""
    source = e.keep(e.any(binder.source))
    assert isinstance(source, Words)
    charge(e, source, binder)
    tests = [] if binder.condition is None else [binder.condition]
    member = member_of(binder.source.type)
    assert member is not None
    return filtered(e, source, tests, binder.it_slot, member).parts[0]


def _size(e: Emitter, binder: x.Binder) -> int:
    """How many elements there can be, or the highest of them and one more."""
    if isinstance(binder.source.type, ListType):
        return e.shapes.bound(binder.source.type)
    member = member_of(binder.source.type)
    return e.shapes.highest(member) + 1 if member is not None else 1024


def _limits(e: Emitter, binder: x.Binder, count: Value) -> tuple[Value, Value]:
    """How many elements are picked at least (a variable of its own) and at most, of `count`."""
    f = e.f
    assert binder.lowest is not None
    assert binder.highest is not None
    low, high = e.value(binder.lowest), f.copied(e.value(binder.highest))
    least = f.copied(low if low.const is not None and low.const >= 0 else choose(f.keep(low) > 0, low, const(0)))
    most = f.keep(choose(high < count, high, count))
    size = _size(e, binder)
    largest = binder.highest.value if isinstance(binder.highest, x.Const) else size
    assert isinstance(largest, int)
    if sum(comb(size, k) for k in range(min(largest, size) + 1)) > PICK_LIMIT:
        _refuse_too_many(e, binder, least, most, count)
    return least, most


@contextmanager
def _subsets(e: Emitter, binder: x.Binder, merge: bool) -> Iterator[tuple[Operand, Label, Label]]:
    """Subsets of a set of one word, smaller ones first, then in the order of their members; of members that are alike
    the first ones are taken.

    They are found by going down: `left` holds what can be picked next, `base` what is picked already. An element can be
    picked if it is the first of its kind, or if the one of its kind before it is picked.
    """
    f = e.f
    pool = f.copied(_pool(e, binder))
    size, most = _limits(e, binder, f.keep(popcount(Words((pool,)))))
    kin = copies(e, binder) if merge else None
    first, after = pool, const(0)
    if kin is not None:
        after = f.keep(f.room(8 * 64))
        first = _first_of_kinds(e, kin, pool, after)
    tops = f.keep(f.room(8 * 65))  # the elements that have so many others of the pool behind them
    rest = f.copied(pool)
    with f.counting(0, most) as k:
        f.store64(tops + k * 8, rest)
        f.set(rest, rest & (const(-1 << 63, I64).two("shr_u", rest.one("clz")) ^ -1))
    stack = f.keep(f.room(24 * 64))
    picked = f.variable(I64)
    base, left, allowed = f.variable(I64), f.variable(I64), f.variable(I64)
    need, top = f.variable(), f.variable()
    lowest = binder.lowest
    nothing = not isinstance(lowest, x.Const) or int(lowest.value) <= 0  # type: ignore[arg-type]  # a number
    with f.block() as leave, f.loop() as sizes:
        f.leave_if(leave, size > most)
        f.set(base, const(0, I64))
        f.set(allowed, first)
        f.set(need, size - 1)
        f.set(top, stack)
        with f.block() as done:
            with f.block() as begun:
                if nothing:
                    f.set(left, const(0, I64))
                    f.leave_if(begun, size.eqz())
                f.set(left, load64(tops + need * 8) & first)
            with f.loop() as again:
                with f.block() as found:
                    if nothing:
                        f.set(picked, const(0, I64))
                        f.leave_if(found, size.eqz())
                    with f.when(left.eqz()):
                        f.leave_if(done, top.eq(stack))
                        f.increase(top, -24)
                        f.increase(need)
                        f.set(base, load64(top))
                        f.set(left, load64(top, 8))
                        if kin is not None:
                            f.set(allowed, load64(top, 16))
                        f.leave(again)
                    one = f.copied(left & (const(0, I64) - left))
                    f.set(left, left ^ one)
                    f.set(picked, base | one)
                    f.leave_if(found, need.eqz())
                    f.store64(top, base)
                    f.store64(top, left, 8)
                    if kin is not None:
                        f.store64(top, allowed, 16)
                        f.set(allowed, allowed | load64(after + one.one("ctz").narrow() * 8))
                    f.increase(top, 24)
                    f.increase(need, -1)
                    f.set(base, picked)
                    behind = const(0, I64) - (one << 1)
                    f.set(left, load64(tops + need * 8) & (behind & allowed if kin is not None else behind))
                    f.leave(again)
                with f.block() as following:
                    yield Words((picked,)), following, leave
                if nothing:
                    f.leave_if(done, size.eqz())
                f.leave(again)
        f.increase(size)
        f.leave(sizes)


def _first_of_kinds(e: Emitter, kin: Copies, pool: Value, after: Value) -> Value:
    """The elements of which no earlier one is alike. For each element the next one that is alike, or nothing, is
    written to `after`, as a set."""
    f = e.f
    first = f.copied(const(0, I64))
    with _each_kin(e, kin, pool) as (one, thing, alike):
        behind = f.keep(alike & (const(0, I64) - (one << 1)))
        f.store64(after + thing * 8, behind & (const(0, I64) - behind))
        f.set(first, first | choose((alike & (one - 1)).eqz(), one, const(0, I64)))
    return first


@contextmanager
def _each_kin(e: Emitter, kin: Copies, pool: Value) -> Iterator[tuple[Value, Value, Value]]:
    """The elements of a set of one word, each as a set and as a number, with all those that are alike. No pass waits
    for what another one finds."""
    f = e.f
    rest = f.copied(pool)
    with f.while_(lambda: rest.ne(0)):
        thing = f.copied(rest.one("ctz").narrow())
        one = f.copied(rest & (const(0, I64) - rest))
        f.set(rest, rest & (rest - 1))
        yield one, thing, kin.among(e, pool, thing)


@contextmanager
def _combinations(e: Emitter, binder: x.Binder, merge: bool) -> Iterator[tuple[Operand, Label, Label]]:
    """Sets of elements; of those that are alike the first ones are taken."""
    f = e.f
    kin = copies(e, binder) if merge else None
    member = member_of(binder.source.type)
    size = _size(e, binder)
    pool, twins, places = f.room(4 * (size + 1)), f.room(4 * (size + 1)), f.room(4 * (size + 1))
    count = f.copied(const(0))
    single = binder.plain(member, slot=binder.it_slot)
    with candidates(e, single, False) as (value, following, _):
        assert isinstance(value, Value)
        e.unit.spend(f, 1, binder.span)
        e.bind(binder.it_slot, value)
        if binder.condition is not None:
            f.leave_if(following, e.value(binder.condition).eqz())
        f.store(pool + count * 4, value)
        f.store(twins + count * 4, _twin(e, kin, pool, count, value) if kin is not None else -1)
        f.increase(count)
    chosen, most = _limits(e, binder, count)
    words = e.place(binder.type)
    assert isinstance(words, Words)
    taken = f.variable(I64)
    with f.block() as leave, f.loop() as sizes:
        f.leave_if(leave, chosen > most)
        with f.counting(0, chosen) as k:
            f.store(places + k * 4, k)
        with f.block() as done, f.loop() as again:
            with f.block() as following:
                for part in words.parts:
                    f.set(part, const(0, I64))
                if kin is not None:
                    f.set(taken, const(0, I64))
                with f.counting(0, chosen) as k:
                    place = f.keep(load(places + k * 4))
                    if kin is not None and size <= 64:
                        # the element before that is alike must have been taken
                        twin = load(twins + place * 4)
                        f.leave_if(following, ((taken >> twin.widen()) & const(1, I64)).eqz() & (twin >= 0))
                        f.set(taken, taken | (const(1, I64) << place.widen()))
                    elif kin is not None:
                        twin = f.keep(load(twins + place * 4))
                        with f.when(twin >= 0):
                            there = f.copied(const(0))
                            with f.counting(0, k) as j, f.when(load(places + j * 4).eq(twin)):
                                f.set(there, 1)
                            f.leave_if(following, there.eqz())
                    add_bit(e, words, f.keep(load(pool + place * 4)))
                yield words, following, leave
            # the next combination: the last place that can move on does, those behind follow it closely
            place = f.copied(chosen - 1)
            with f.while_(lambda: place >= 0) as (_, stop):
                f.leave_if(stop, load(places + place * 4).ne(count - chosen + place))
                f.increase(place, -1)
            f.leave_if(done, place < 0)
            f.store(places + place * 4, load(places + place * 4) + 1)
            with f.counting(f.keep(place + 1), chosen) as k:
                f.store(places + k * 4, load(places + k * 4 - 4) + 1)
            f.leave(again)
        f.increase(chosen)
        f.leave(sizes)


def _twin(e: Emitter, kin: Copies, pool: Value, count: Value, value: Value) -> Value:
    """The place of the last element before that is alike, or -1."""
    f = e.f
    found = f.copied(const(-1))
    with f.counting(0, count) as k, f.when(kin.same(e, load(pool + k * 4), value)):
        f.set(found, k)
    return found


def _refuse_too_many(e: Emitter, binder: x.Binder, least: Value, most: Value, count: Value) -> None:
    """A fault if there are more sets than may be looked at."""
    f = e.f
    total, ways = f.copied(const(0, I64)), f.copied(const(1, I64))
    limit = const(PICK_LIMIT, I64)
    with f.counting(0, most + 1) as size:
        with f.when(size >= least):
            f.increase(total, ways)
        with f.when(ways <= const(PICK_LIMIT * 1024, I64)):
            f.set(ways, (ways * (count - size).widen_signed()).two("div_u", (size + 1).widen()))
    with f.when(total > limit):
        e.unit.fault(
            f, "budget", lambda n: f"there are too many ways to pick {n[0]} of {n[1]}", binder.span, most, count
        )
