"""Whole picks as options: combinations of elements, and what `picks` lists."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model.types import member_of
from regelwerk.interpreter.wasm.binary import I64
from regelwerk.interpreter.wasm.candidates import candidates, count_of
from regelwerk.interpreter.wasm.code import Label, Value, const, load
from regelwerk.interpreter.wasm.collections import add_bit
from regelwerk.interpreter.wasm.copies import Copies, copies
from regelwerk.interpreter.wasm.emitter import Emitter
from regelwerk.interpreter.wasm.picks import PickSpace, Pool
from regelwerk.interpreter.wasm.shapes import Operand, Words
from regelwerk.interpreter.wasm.subsets import is_plain, limits, of_one_word, subsets


@contextmanager
def each_pick(e: Emitter, binder: x.Binder, merge: bool) -> Iterator[tuple[Operand, Label, Label]]:
    """All picks of a binder that takes several elements."""
    if is_plain(binder):
        with subsets(e, binder, merge) if of_one_word(e, binder) else _combinations(e, binder, merge) as found:
            yield found
        return
    space = PickSpace(e, binder, merge)
    pool = Pool(space)
    with pool.whole_picks() as (following, leave):
        yield pool.value(), following, leave


@contextmanager
def _combinations(e: Emitter, binder: x.Binder, merge: bool) -> Iterator[tuple[Operand, Label, Label]]:
    """Sets of elements; of those that are alike the first ones are taken."""
    f = e.f
    kin = copies(e, binder) if merge else None
    member = member_of(binder.source.type)
    size = count_of(e, binder.source.type)
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
    chosen, most = limits(e, binder, count)
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
