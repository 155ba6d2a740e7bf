"""Subsets of sets of one word as options: in registers, and counted without being listed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import comb

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model.types import IntType, SetType, member_of
from regelwerk.interpreter.evaluation.heads import PICK_LIMIT
from regelwerk.interpreter.wasm.binary import I64
from regelwerk.interpreter.wasm.candidates import charge, count_of
from regelwerk.interpreter.wasm.code import Label, Value, choose, const, load64
from regelwerk.interpreter.wasm.collections import popcount
from regelwerk.interpreter.wasm.copies import Kinds, copies, kinds_of
from regelwerk.interpreter.wasm.emitter import Emitter
from regelwerk.interpreter.wasm.shapes import Operand, Words
from regelwerk.interpreter.wasm.sieves import filtered


def is_plain(binder: x.Binder) -> bool:
    """Whether a binder takes sets of elements, not as many as possible, and none depends on the others."""
    return binder.form == "some" and not binder.most and binder.chosen_slot is None


def limits(e: Emitter, binder: x.Binder, count: Value) -> tuple[Value, Value]:
    """How many elements are picked at least (a variable of its own) and at most, of `count`."""
    f = e.f
    assert binder.lowest is not None
    assert binder.highest is not None
    low, high = e.value(binder.lowest), f.copied(e.value(binder.highest))
    least = f.copied(low if low.const is not None and low.const >= 0 else choose(f.keep(low) > 0, low, const(0)))
    most = f.keep(choose(high < count, high, count))
    size = count_of(e, binder.source.type)
    largest = binder.highest.value if isinstance(binder.highest, x.Const) else size
    assert isinstance(largest, int)
    if sum(comb(size, k) for k in range(min(largest, size) + 1)) > PICK_LIMIT:
        _refuse_too_many(e, binder, least, most, count)
    return least, most


def of_one_word(e: Emitter, binder: x.Binder) -> bool:
    """Whether a binder takes subsets of a set of one word."""
    return isinstance(binder.source.type, SetType) and binder.key is None and count_of(e, binder.source.type) <= 64


def number_of_subsets(e: Emitter, binder: x.Binder) -> tuple[Value, Value] | None:
    """How many picks of a binder there are (copies that are alike taken as one), and whether this is known without
    listing them; None if it never is."""
    lowest = binder.lowest.value if isinstance(binder.lowest, x.Const) else 2
    if not is_plain(binder) or lowest not in (0, 1) or not of_one_word(e, binder):
        return None
    f = e.f
    rest = f.copied(_pool(e, binder))
    assert binder.highest is not None
    size = f.keep(rest.one("popcnt").narrow())
    known = f.keep((size <= e.value(binder.highest)) & (size < PICK_LIMIT.bit_length()))
    kin = copies(e, binder)
    ways = const(1) << size if kin is None else kinds_of(e, kin, rest).ways
    return ways - lowest, known


def _pool(e: Emitter, binder: x.Binder) -> Value:
    """The elements of a set of one word that can be picked."""
    source = e.keep(e.any(binder.source))
    assert isinstance(source, Words)
    charge(e, source, binder)
    tests = [] if binder.condition is None else [binder.condition]
    member = member_of(binder.source.type)
    assert member is not None
    return filtered(e, source, tests, binder.it_slot, member).parts[0]


@contextmanager
def subsets(e: Emitter, binder: x.Binder, merge: bool) -> Iterator[tuple[Operand, Label, Label]]:
    """Subsets of a set of one word, smaller ones first, then in the order of their members; of members that are alike
    the first ones are taken.

    They are found by going down: `left` holds what can be picked next, `base` what is picked already. An element can be
    picked if it is the first of its kind, or if the one of its kind before it is picked.
    """
    if at_most_pairs(binder):
        with _pairs(e, binder, merge) as found:
            yield found
        return
    f = e.f
    pool = f.copied(_pool(e, binder))
    size, most = limits(e, binder, f.keep(popcount(Words((pool,)))))
    kin = copies(e, binder) if merge else None
    kinds = kinds_of(e, kin, pool) if kin is not None else Kinds(pool, const(0), const(0))
    first, after = kinds.first, kinds.after
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
                e.picking += 1
                with f.block() as following:
                    yield Words((picked,)), following, leave
                e.picking -= 1
                if nothing:
                    f.leave_if(done, size.eqz())
                f.leave(again)
        f.increase(size)
        f.leave(sizes)


def at_most_pairs(binder: x.Binder) -> bool:
    """Whether one or two elements are picked."""
    low, high = binder.lowest, binder.highest
    return isinstance(low, x.Const) and isinstance(high, x.Const) and 1 <= _number(low) <= _number(high) <= 2


def number_picked(binder: x.Binder) -> IntType | None:
    """How many elements a binder takes, as far as that is written in the rules."""
    low, high = binder.lowest, binder.highest
    if binder.form != "some" or binder.most or not isinstance(low, x.Const) or not isinstance(high, x.Const):
        return None
    return IntType(max(0, _number(low)), _number(high))


def _number(node: x.Const) -> int:
    assert isinstance(node.value, int)
    return node.value


@contextmanager
def _pairs(e: Emitter, binder: x.Binder, merge: bool) -> Iterator[tuple[Operand, Label, Label]]:
    """The same for one or two elements: `left` holds what can be picked with `base`, which is nothing or one of them,
    and `bases` those that come after it."""
    f = e.f
    assert isinstance(binder.lowest, x.Const)
    assert isinstance(binder.highest, x.Const)
    pool, nothing = f.copied(_pool(e, binder)), const(0, I64)
    count = f.keep(pool.one("popcnt").narrow())
    e.unit.spend(f, (count * (count + 1)) >> 1, binder.span)
    kin = copies(e, binder) if merge else None
    kinds = kinds_of(e, kin, pool) if kin is not None else Kinds(pool, const(0), const(0))
    left = f.copied(kinds.first if _number(binder.lowest) == 1 else nothing)
    bases = f.copied(kinds.first if _number(binder.highest) == 2 else nothing)
    base, picked = f.copied(nothing), f.variable(I64)
    with f.block() as leave, f.loop() as again:
        with f.when(left.eqz()):
            f.leave_if(leave, bases.eqz())
            f.set(base, bases & (nothing - bases))
            f.set(bases, bases & (bases - 1))
            behind = pool & (nothing - (base << 1))
            if kin is not None:
                behind = behind & (kinds.first | load64(kinds.after + base.one("ctz").narrow() * 8))
            f.set(left, behind)
            f.leave(again)
        f.set(picked, base | (left & (nothing - left)))
        f.set(left, left & (left - 1))
        e.picking += 1
        with f.block() as following:
            yield Words((picked,)), following, leave
        e.picking -= 1
        f.leave(again)


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
