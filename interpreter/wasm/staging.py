"""Large choices as sequences of small ones, as in `interpreter.staging`: the answers so far lie in a list that begins
with the number of the way; the next answers that can be completed are options of the way `STAGE`."""

from __future__ import annotations

from collections.abc import Callable

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model.limits import AMOUNT, PICKS
from regelwerk.dsl.model.types import TallyType, Type, member_of, strip
from regelwerk.interpreter.evaluation.base import slots_read
from regelwerk.interpreter.staging import ENOUGH, FLAT, _most_members, _subsets
from regelwerk.interpreter.wasm.binary import I64
from regelwerk.interpreter.wasm.candidates import candidates, count_of
from regelwerk.interpreter.wasm.code import Label, Value, choose, const, load
from regelwerk.interpreter.wasm.collections import bit, each_bit, popcount
from regelwerk.interpreter.wasm.emitter import Emitter
from regelwerk.interpreter.wasm.heads import Nest
from regelwerk.interpreter.wasm.picks import PickSpace, Pool
from regelwerk.interpreter.wasm.searches import Search
from regelwerk.interpreter.wasm.shapes import Ref, Words

MOST = 1 << 30
"""So many values of a binder are counted; more are as many."""

Final = Callable[[Callable[[], None]], None]
"""Writes the conditions that are asked when all binders are bound, around what is inside."""


class StagedHead:
    """A head asked binder by binder, for an emitter in which its body's locals are bound.

    answers  the address of the list of the answers so far (its first word counts them, the second is the way)
    """

    def __init__(self, e: Emitter, nest: Nest, final: Final) -> None:
        self.e, self.nest, self.final = e, nest, final
        self.head = nest.head
        self.always = any(isinstance(strip(b.type), TallyType) or b.inner for b in self.head.binders)
        self.spaces = [PickSpace(e, b, True) if b.form != "one" else None for b in self.head.binders]

    # ------------------------------------------------------------------------------------------------------- how many
    def staged(self) -> Value:
        """Whether the head is asked in stages, as things stand."""
        if self.always:
            return const(1)
        f = self.e.f
        product = f.copied(const(1, I64))
        f.set(product, const(1, I64))
        for index, binder in enumerate(self.head.binders):
            count = f.copied(self._size(index, binder))
            with f.when(count > const(0, I64)), f.when(product <= const(FLAT, I64)):
                f.set(product, product * choose(count > const(MOST, I64), const(MOST, I64), count))
        return product > const(FLAT, I64)

    def _size(self, index: int, binder: x.Binder) -> Value:
        """How many values a binder has before any condition."""
        e, f = self.e, self.e.f
        earlier = {each.slot for each in self.head.binders[:index]}
        several = binder.form != "one" and binder.lowest is not None and binder.highest is not None
        reads = slots_read(binder.source)
        for bound in (binder.lowest, binder.highest):
            reads |= slots_read(bound) if bound is not None else set()
        if reads & earlier or member_of(binder.source.type) is None:
            members = _most_members(binder.source, e.program.domains.count)
            return const(min(_subsets(members, 0, members) if several else members, 1 << 40), I64)
        count = f.copied(const(0))
        if isinstance(binder.source, x.Interval):
            plain = binder.plain()
            with candidates(e, plain, False) as (_, _, _):
                f.increase(count)
        else:
            source = e.keep(e.any(binder.source))
            if isinstance(source, Words):
                f.set(count, popcount(source))
            else:
                assert isinstance(source, Ref)
                f.set(count, load(source.address))
        if not several:
            return count.widen()
        assert binder.lowest is not None
        assert binder.highest is not None
        if isinstance(binder.lowest, x.Const) and isinstance(binder.highest, x.Const):
            numbers = _numbers_of_subsets(e, binder.source.type, binder.lowest, binder.highest)
            return e.unit.look_up(numbers, count).widen()
        low, high = f.copied(e.value(binder.lowest)), f.copied(e.value(binder.highest))
        total, ways = f.copied(const(0, I64)), f.copied(const(1, I64))
        f.set(total, const(0, I64))
        f.set(ways, const(1, I64))
        most = f.keep(choose(high < count, high, count))
        with f.counting(0, choose(most < PICKS, most, const(PICKS)) + 1) as size:
            with f.when(size >= choose(low > 0, low, const(0))), f.when(total < const(1 << 40, I64)):
                f.increase(total, ways)
            with f.when(ways < const(1 << 40, I64)):
                f.set(ways, (ways * (count - size).widen_signed()).two("div_u", (size + 1).widen()))
        return total

    # -------------------------------------------------------------------------------------------------------- reading
    def _walk(self, answers: Value, at: Callable[[int, Value | None, Value | None], None]) -> None:
        """Bind what the answers say. Where they end `at` is written for the binder that is asked next, with the
        address and the number of its picks so far; `at` has to leave. What is written behind is done when all are
        bound."""
        e, f = self.e, self.e.f
        self.nest.forget()
        place = f.copied(const(1))
        count = f.keep(load(answers))
        for index, binder in enumerate(self.head.binders):
            if binder.fields:
                with candidates(e, binder, True) as (value, _, leave):
                    e.bind(binder.slot, value)
                    f.leave(leave)
                continue
            space = self.spaces[index]
            if space is None:
                with f.when(place >= count):
                    at(index, None, None)
                e.bind(binder.slot, load(answers + place * 4, 4))
                f.increase(place)
                continue
            first = f.copied(answers + place * 4 + 4)
            picks = f.copied(const(0))
            with f.block() as ended, f.loop() as again:
                with f.when(place >= count):
                    at(index, first, picks)
                answer = f.keep(load(answers + place * 4, 4))
                f.increase(place)
                f.leave_if(ended, answer.eq(ENOUGH))
                f.increase(picks)
                f.leave(again)
            pool = self._pool(space, first, picks)
            e.bind(binder.slot, pool.value())

    def _pool(self, space: PickSpace, first: Value, picks: Value) -> Pool:
        """What can be picked, with the picks so far."""
        f = self.e.f
        pool = Pool(space)
        with f.counting(0, picks) as k:
            pool.note(f.keep(load(first + k * 4)))
        return pool

    def _complete(self, index: int) -> Value:
        """Whether the binders from `index` on can be bound."""
        f = self.e.f
        found = f.copied(const(0))

        def hit(done: Label) -> None:
            def inside() -> None:
                f.set(found, 1)
                f.leave(done)

            self.final(inside)

        self.nest.run(hit, start=index, existence=True, before=False)
        return found

    # --------------------------------------------------------------------------------------------------------- stages
    def list_next(self, answers: Value, add: Callable[[Value], None]) -> None:
        """Write the next answers that can be completed; `ENOUGH` comes last."""
        f = self.e.f
        with f.block() as done:

            def at(index: int, first: Value | None, picks: Value | None) -> None:
                if first is None or picks is None:
                    self._list_single(index, add)
                else:
                    self._list_picks(index, first, picks, add)
                f.leave(done)

            self._walk(answers, at)

    def _list_single(self, index: int, add: Callable[[Value], None]) -> None:
        e, f, nest = self.e, self.e.f, self.nest
        loop = nest.loops[index]
        with f.block() as done:
            if index == 0:
                for part in nest.before:
                    f.leave_if(done, nest._test(part).eqz())
            nest._unset(loop.hoisted)
            with nest.source(loop) as (value, following, _):
                e.unit.spend(f, 1, loop.binder.span)
                e.bind(loop.binder.slot, value)
                for part in loop.tests:
                    f.leave_if(following, nest._test(part).eqz())
                with f.when(self._complete(index + 1)):
                    assert isinstance(value, Value)
                    add(value)

    def _accepted(self, index: int, pool: Pool) -> Value:
        """Whether the picks meet what else is asked of them."""
        e, f, nest = self.e, self.e.f, self.nest
        loop = nest.loops[index]
        e.bind(loop.binder.slot, pool.value())
        found = f.copied(const(0))
        with f.block() as no:
            for part in loop.tests:
                f.leave_if(no, nest._test(part).eqz())
            f.set(found, self._complete(index + 1))
        return found

    def _list_picks(
        self, index: int, first: Value, picks: Value, add: Callable[[Value], None]
    ) -> tuple[Value, Value] | None:
        f = self.e.f
        space, loop = self.spaces[index], self.nest.loops[index]
        assert space is not None
        pool = self._pool(space, first, picks)
        with f.when(picks < pool.most):
            self._each_next(index, pool, picks, add)
        with f.when((pool.least <= picks) & (picks <= pool.most)):
            if loop.unread:
                add(const(ENOUGH))
            else:
                with f.when(self._accepted(index, pool)):
                    add(const(ENOUGH))
        return None

    def _each_next(self, index: int, pool: Pool, picks: Value, do: Callable[[Value], None]) -> None:
        """Each element that can be picked next so that the picks can be completed."""
        f = self.e.f
        space, loop = self.spaces[index], self.nest.loops[index]
        assert space is not None
        if pool.connected is not None and loop.unread:
            self._each_connected(pool, picks, do)
            return
        if space.searched:
            self._each_searched(index, pool, picks, do)
            return
        last = f.copied(const(0))
        left = f.copied(const(0))
        with f.counting(0, pool.count) as k, f.when(pool.taken(k)):
            f.set(last, k)
        with f.counting(last, pool.count) as k:
            f.increase(left, pool.cap(k) - pool.taken(k))
        behind = f.copied(left)
        with f.counting(last, pool.count) as k:
            room = f.keep(pool.cap(k) - pool.taken(k))
            with f.when(room > 0):
                if loop.unread:
                    # what is left from this item on can still be picked
                    with f.when(picks + behind >= pool.least):
                        do(pool.copy_of(k))
                else:
                    pool.take(k, 1)
                    leads = f.keep(self._leads(index, pool, picks + 1))
                    pool.take(k, -1)
                    with f.when(leads):
                        do(pool.copy_of(k))
            f.increase(behind, const(0) - room)

    def _leads(self, index: int, pool: Pool, picks: Value) -> Value:
        """Whether picks in ascending order can be gone on with to an allowed size that is accepted: all of them are
        tried in depth."""
        e, f = self.e, self.e.f
        found, base = f.copied(const(0)), f.copied(picks)
        size, item, fresh = f.copied(picks), f.copied(const(0)), f.copied(const(1))
        path = f.room(4 * (max(AMOUNT, PICKS) + 2))
        with f.counting(0, pool.count) as k, f.when(pool.taken(k)):
            f.set(item, k)
        with f.block() as done, f.loop() as again:
            with f.when(fresh):
                f.set(fresh, 0)
                with f.when(size >= pool.least):
                    e.unit.spend(f, 1, self.head.binders[index].span)
                    with f.when(self._accepted(index, pool)):
                        f.set(found, 1)
                        f.leave(done)
            with f.when(size < pool.most):
                with f.while_(lambda: item < pool.count) as (_, leave):
                    f.leave_if(leave, pool.taken(item) < pool.cap(item))
                    f.increase(item)
                with f.when(item < pool.count):
                    pool.take(item, 1)
                    f.store(path + size * 4, item)
                    f.increase(size)
                    f.set(fresh, 1)
                    f.leave(again)
            # nothing deeper: the last pick is taken back, and the item behind it is tried
            f.leave_if(done, size <= base)
            f.increase(size, -1)
            f.set(item, load(path + size * 4))
            pool.take(item, -1)
            f.increase(item)
            f.leave(again)
        with f.while_(lambda: size > base):
            f.increase(size, -1)
            pool.take(f.keep(load(path + size * 4)), -1)
        return found

    def _each_searched(self, index: int, pool: Pool, picks: Value, do: Callable[[Value], None]) -> None:
        f, loop = self.e.f, self.nest.loops[index]
        with pool.followers(picks) as k:
            leads = f.copied(const(0))
            pool.take(k, 1)
            with Search(pool).sets(f.keep(picks + 1)) as (size, following, leave):
                f.leave_if(following, size < pool.least)
                if loop.unread:
                    f.set(leads, 1)
                else:
                    f.set(leads, self._accepted(index, pool))
                f.leave_if(leave, leads)
            pool.take(k, -1)
            with f.when(leads):
                do(pool.copy_of(k))
            # what was tried has changed what the picks so far are bound to
            if pool.space.looking:
                self.e.bind(pool.space.chosen, pool.value())

    def _each_connected(self, pool: Pool, picks: Value, do: Callable[[Value], None]) -> None:
        """The same for picks that hang together: what lies beside them is reached from them, so it is the same whole
        that can be picked with each of it."""
        e, f, connected = self.e, self.e.f, pool.connected
        assert connected is not None
        chosen = pool.chosen()
        with f.when(picks.eqz()):
            with each_bit(e, connected.whole) as (item, following, _):
                f.leave_if(following, connected.begins(item).eqz())
                with f.when(connected.component(connected.single(item), pool.least) >= pool.least):
                    do(item)
            f.otherwise()
            near = connected.around(chosen)
            last = 64 * len(near.parts) - 1
            enough = f.keep(connected.component(chosen, pool.least) >= pool.least)
            with f.when(enough), f.counting(0, pool.count) as k:
                item = f.keep(pool.item(k))
                with f.when((pool.taken(k) < pool.cap(k)) & bit(e, near, item, last)):
                    do(pool.copy_of(k))

    def settle(self, answers: Value, bound: int | Value) -> Value:
        """End the picks of binders that have nothing left to pick; whether all binders are bound then."""
        f = self.e.f
        whole = f.copied(const(0))
        with f.block() as done, f.loop() as again:

            def at(index: int, first: Value | None, picks: Value | None) -> None:
                if first is None or picks is None:
                    f.leave(done)
                    return
                space = self.spaces[index]
                assert space is not None
                pool = self._pool(space, first, picks)
                with f.when(picks < pool.most):
                    self._each_next(index, pool, picks, lambda _: f.leave(done))
                push(self.e, answers, const(ENOUGH), bound)
                f.leave(again)

            self._walk(answers, at)
            f.set(whole, 1)
        return whole


def push(e: Emitter, answers: Value, answer: Value, bound: int | Value) -> None:
    """Put an answer behind the others."""
    f = e.f
    count = f.keep(load(answers))
    with f.when(count >= bound):
        e.unit.fault(f, "range", "there are more answers than there is room for", None)
    f.store(answers + count * 4, answer, 4)
    f.store(answers, count + 1)


def _numbers_of_subsets(e: Emitter, kind: Type, least: x.Const, most: x.Const) -> list[int]:
    """How many ways there are to pick elements of a collection, by its size."""
    low, high = least.value, most.value
    assert isinstance(low, int)
    assert isinstance(high, int)
    return [min(_subsets(size, low, high), MOST) for size in range(count_of(e, kind) + 1)]
