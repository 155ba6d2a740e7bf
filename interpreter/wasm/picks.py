"""Picking several elements, whole or one pick after the other: what can be picked, in the order of
`interpreter.evaluation.picks`.

A pool is a few arrays in memory: the items (of copies that are alike the first), how often each can be picked, and the
copies of each. Picks are counts, one for each item.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model.limits import AMOUNT, PICKS
from regelwerk.dsl.model.types import SetType, TallyType, strip
from regelwerk.interpreter.evaluation.base import conjuncts, reads_state, slots_read
from regelwerk.interpreter.evaluation.inlining import Hoisting, free_slots, inline
from regelwerk.interpreter.evaluation.picks import cap_on
from regelwerk.interpreter.wasm.binary import I64
from regelwerk.interpreter.wasm.candidates import candidates, charge, count_of
from regelwerk.interpreter.wasm.code import Label, Value, choose, const, load
from regelwerk.interpreter.wasm.collections import add_bit, bit, each_bit, each_member
from regelwerk.interpreter.wasm.connected import Connected
from regelwerk.interpreter.wasm.copies import Copies, copies
from regelwerk.interpreter.wasm.emitter import Emitter
from regelwerk.interpreter.wasm.searches import Search
from regelwerk.interpreter.wasm.shapes import Operand, Ref, Words
from regelwerk.interpreter.wasm.sieves import filtered


class PickSpace:
    """All picks of one binder."""

    def __init__(self, e: Emitter, binder: x.Binder, merge: bool) -> None:
        self.e, self.binder, self.merge = e, binder, merge
        kind = strip(binder.type)
        self.units = e.program.unit_count(kind) if isinstance(kind, TallyType) else 0
        self.form, self.most_possible = binder.form, binder.most
        self.it = binder.it_slot
        self.chosen = -1 if binder.chosen_slot is None else binder.chosen_slot
        parts = conjuncts(binder.condition) if binder.condition is not None else []
        looking = [part for part in parts if self.chosen in slots_read(part)]
        self.hoisting = Hoisting(e.c, e.frame, [self.it])
        self.tests = [self._ready(part) for part in parts if part not in looking]
        self.looking: list[x.Expr] = []
        self.caps: list[x.Expr] = []
        self.begin: x.Expr | None = None
        self.beside: x.Expr | None = None
        caps = [cap_on(part, self.chosen, self.it) for part in looking]
        if all(cap is not None for cap in caps):
            self.caps = [cap for cap in caps if cap is not None]
        elif len(looking) == 1 and self._connected(looking[0]):
            pass
        else:
            self.looking = looking
        self.searched = bool(self.looking) or self.beside is not None
        self.kin = copies(e, binder) if merge and binder.form == "some" else None
        self.size = self._bound()

    def _ready(self, part: x.Expr) -> x.Expr:
        found: x.Expr = self.hoisting.part(inline(self.e.c, part, self.e.frame), 0)
        return found

    def _bound(self) -> int:
        """How many items there can be."""
        if self.form == "part":
            return self.units
        return count_of(self.e, self.binder.source.type)

    def _connected(self, part: x.Expr) -> bool:
        """Recognise the connected form: where to begin, and what is beside an element."""
        if self.units or not isinstance(part, x.Select):
            return False
        test = part.condition
        empty = (
            isinstance(test, x.Equal)
            and isinstance(test.left, x.Count)
            and isinstance(test.left.collection, x.Local)
            and test.left.collection.slot == self.chosen
            and isinstance(test.right, x.Const)
            and test.right.value == 0
        )
        near = part.alternative
        if not empty or not isinstance(near, x.Quantified) or near.quantifier != "some":
            return False
        if len(near.head.binders) != 1:
            return False
        binder = near.head.binders[0]
        inside = binder.condition
        if self.chosen in slots_read(part.consequence) | slots_read(binder.source) or not isinstance(
            inside, x.Contains
        ):
            return False
        if not (isinstance(inside.item, x.Local) and inside.item.slot == binder.slot):
            return False
        if not (isinstance(inside.collection, x.Local) and inside.collection.slot == self.chosen):
            return False
        self.begin, self.beside = self._ready(part.consequence), binder.source
        self.constant = free_slots(binder.source) <= {self.it} and not reads_state(self.e.c, binder.source)
        return True


class Pool:
    """What can be picked now."""

    def __init__(self, space: PickSpace) -> None:
        self.space = space
        e = self.e = space.e
        f = self.f = e.f
        room = 4 * (space.size + 1)
        self.items, self.caps, self.counts = f.room(room), f.room(room), f.room(room)
        self.elements = f.room(room) if space.kin is not None else None
        self.groups = f.room(room) if space.kin is not None else None
        self.count, self.element_count = f.variable(), f.variable()
        self.least, self.most = f.variable(), f.variable()
        self.connected: Connected | None = None
        self.passing: Words | None = None
        self._open()

    def item(self, k: Value) -> Value:
        """An item by its number."""
        return load(self.items + k * 4)

    def cap(self, k: Value) -> Value:
        """How often an item can be picked."""
        return load(self.caps + k * 4)

    def taken(self, k: Value) -> Value:
        """How often an item is picked."""
        return load(self.counts + k * 4)

    def take(self, k: Value, by: int) -> None:
        """Pick an item once more, or once less."""
        self.f.store(self.counts + k * 4, self.taken(k) + by)

    def clear(self) -> None:
        """Nothing is picked."""
        self.f.fill(self.counts, self.count * 4)

    # ------------------------------------------------------------------------------------------------------- opening
    def _open(self) -> None:
        e, f, space = self.e, self.f, self.space
        binder = space.binder
        assert binder.lowest is not None
        assert binder.highest is not None
        low = f.copied(e.value(binder.lowest))
        f.set(self.least, choose(low > 0, low, const(0)))
        f.set(self.most, e.value(binder.highest))
        f.set(self.count, 0)
        f.set(self.element_count, 0)
        for slot in space.hoisting.slots[0]:
            if slot not in e.hoisted:
                e.hoisted[slot] = f.variable()
            f.set(e.hoisted[slot], 0)
        if space.form == "part":
            self._open_part()
        elif space.kin is None:
            self.passing = self._passing()
            often = f.keep(choose(self.most > 0, self.most, const(0))) if space.form == "times" else const(1)
            with self._each_passing() as value:
                e.bind(space.it, value)
                self._add(value, self._capped(f.copied(often)))
        else:
            self._open_groups(space.kin)
        total = f.copied(const(0))
        with f.counting(0, self.count) as k:
            f.increase(total, self.cap(k))
        with f.when(total < self.most):
            f.set(self.most, total)
        limit = AMOUNT if space.units else PICKS
        with f.when(self.most > limit):
            e.unit.fault(
                f,
                "budget",
                lambda n: f"{n[0]} elements could be picked here, and at most {limit} can be",
                binder.span,
                self.most,
            )
        if space.beside is not None:
            self.connected = Connected(e, space, self._whole())
        if space.most_possible:
            self._reach()
        self.clear()

    @contextmanager
    def _members(self) -> Iterator[tuple[Value, Label]]:
        """The elements of the domain."""
        e, binder = self.e, self.space.binder
        if isinstance(binder.source, x.Interval):
            plain = binder.plain(slot=binder.it_slot)
            with candidates(e, plain, False) as (value, following, _):
                assert isinstance(value, Value)
                yield value, following
            return
        source = e.keep(e.any(binder.source))
        with each_member(e, source, binder.source.type) as (member, following, _):
            assert isinstance(member, Value)
            e.unit.spend(e.f, 1, binder.span)
            yield member, following

    def _passing(self) -> Words | None:
        """The elements of the domain that meet the conditions, if it is a set and they can be asked of all of it."""
        e, binder = self.e, self.space.binder
        if isinstance(binder.source, x.Interval) or not isinstance(binder.source.type, SetType):
            return None
        source = e.keep(e.any(binder.source))
        assert isinstance(source, Words)
        charge(e, source, binder)
        return filtered(e, source, self.space.tests, self.space.it, binder.source.type.member)

    @contextmanager
    def _each_passing(self) -> Iterator[Value]:
        if self.passing is not None:
            with each_bit(self.e, self.passing) as (value, _, _):
                yield value
            return
        with self._members() as (value, following):
            self.f.leave_if(following, self._refused(value))
            yield value

    def _whole(self) -> Words:
        """The items as a set, in variables."""
        kind = strip(self.space.binder.type)
        words = self.e.place(kind)
        assert isinstance(words, Words)
        if self.passing is not None:
            self.e.assign(words, self.passing)
            return words
        for part in words.parts:
            self.f.set(part, const(0, I64))
        with self.f.counting(0, self.count) as k:
            add_bit(self.e, words, self.f.keep(self.item(k)))
        return words

    def _refused(self, value: Value) -> Value:
        """Whether an element does not meet the conditions."""
        e = self.e
        e.bind(self.space.it, value)
        found: Value | None = None
        for test in reversed(self.space.tests):
            here = e.apart(lambda test=test: e.value(test))  # type: ignore[misc]  # of this pass
            found = here if found is None else Value(0x7F, here.code + b"\x04\x7f" + found.code + b"\x05\x41\x00\x0b")
        return found.eqz() if found is not None else const(0)

    def _capped(self, cap: Value) -> Value:
        """How often the element that is bound can be picked: `cap` is a variable of its own."""
        e, f = self.e, self.f
        for each in self.space.caps:
            most = f.keep(e.value(each))
            f.set(cap, choose(cap < most, cap, choose(most > 0, most, const(0))))
        return cap

    def _add(self, item: Value, cap: Value) -> None:
        f = self.f
        f.store(self.items + self.count * 4, item)
        f.store(self.caps + self.count * 4, cap)
        f.increase(self.count)

    def _open_part(self) -> None:
        f = self.f
        source = self.e.ref(self.space.binder.source)
        with f.counting(0, self.space.units) as k:
            held = f.copied(load(source.address + k * 4))
            with f.when(held > 0), f.when(self._refused(k + 1).eqz()):
                self._add(k + 1, self._capped(held))

    def _open_groups(self, kin: Copies) -> None:
        """Copies that are alike are one item; all of them meet the conditions if the first does."""
        f = self.f
        assert self.elements is not None
        assert self.groups is not None
        with self._members() as (value, _):
            group = f.copied(const(-1))
            refused = f.copied(const(0))
            with f.counting(0, self.element_count) as k, f.when(group.eq(-1)):
                same = kin.same(self.e, load(self.elements + k * 4), value)
                with f.when(same):
                    f.set(group, load(self.groups + k * 4))
            # a group that the conditions refuse has the number -2
            f.set(refused, group.eq(-2))
            with f.when(group.eq(-1)):
                f.set(refused, self._refused(value))
                with f.when(refused):
                    f.set(group, -2)
                    f.otherwise()
                    f.set(group, self.count)
                    self._add(value, const(0))
            f.store(self.elements + self.element_count * 4, value)
            f.store(self.groups + self.element_count * 4, group)
            f.increase(self.element_count)
            with f.when(group >= 0):
                f.store(self.caps + group * 4, self.cap(group) + 1)
        if self.space.caps:
            with f.counting(0, self.count) as k:
                self.e.bind(self.space.it, self.item(k))
                f.store(self.caps + k * 4, self._capped(f.copied(self.cap(k))))

    def _reach(self) -> None:
        """As many as any sequence of picks reaches."""
        f = self.f
        if self.space.looking:
            self.clear()
            reached = f.copied(const(0))
            with Search(self).sets(const(0)) as (size, _, leave):
                f.set(reached, size)
                f.leave_if(leave, size >= self.most)
            f.set(self.most, reached)
            f.set(self.least, reached)
            return
        if self.space.beside is None:
            with f.when(self.most < 0):
                f.set(self.most, 0)
            f.set(self.least, self.most)
            return
        assert self.connected is not None
        best = self.connected.reach(self.most)
        f.set(self.most, best)
        f.set(self.least, best)

    # ---------------------------------------------------------------------------------------------------------- values
    def value(self) -> Operand:
        """The picks as a set or a tally."""
        e, f, space = self.e, self.f, self.space
        if space.units:
            kind = strip(space.binder.type)
            target = f.room(4 * space.units)
            f.fill(target, 4 * space.units)
            with f.counting(0, self.count) as k:
                f.store(target + (self.item(k) - 1) * 4, self.taken(k))
            return Ref(target, kind)
        words = e.place(space.binder.type)
        assert isinstance(words, Words)
        for part in words.parts:
            f.set(part, const(0, I64))
        if space.kin is None:
            with f.counting(0, self.count) as k, f.when(self.taken(k)):
                add_bit(e, words, f.keep(self.item(k)))
            return words
        assert self.elements is not None
        assert self.groups is not None
        left = f.room(4 * (space.size + 1))
        f.copy(left, self.counts, self.count * 4)
        with f.counting(0, self.element_count) as k:
            group = f.keep(load(self.groups + k * 4))
            with f.when(group >= 0):
                rest = f.keep(load(left + group * 4))
                with f.when(rest):
                    f.store(left + group * 4, rest - 1)
                    add_bit(e, words, f.keep(load(self.elements + k * 4)))
        return words

    def copy_of(self, k: Value) -> Value:
        """The copy of an item that is picked next (of tallies: the item)."""
        f, space = self.f, self.space
        if space.kin is None:
            return self.item(k)
        assert self.elements is not None
        assert self.groups is not None
        found, skip = f.copied(const(0)), f.copied(self.taken(k))
        with f.counting(0, self.element_count) as j, f.when(load(self.groups + j * 4).eq(k) & found.eqz()):
            with f.when(skip.eqz()):
                f.set(found, load(self.elements + j * 4))
            f.increase(skip, -1)
        return found

    def note(self, pick: Value) -> None:
        """An element was picked."""
        f, space = self.f, self.space
        if space.kin is None:
            with f.counting(0, self.count) as k, f.when(self.item(k).eq(pick)):
                self.take(k, 1)
            return
        assert self.elements is not None
        assert self.groups is not None
        with f.counting(0, self.element_count) as j, f.when(load(self.elements + j * 4).eq(pick)):
            group = f.keep(load(self.groups + j * 4))
            with f.when(group >= 0):
                self.take(group, 1)

    @contextmanager
    def whole_picks(self) -> Iterator[tuple[Label, Label]]:
        """All whole picks, in `counts`: smaller ones first, then in the order of their elements."""
        f = self.f
        if self.space.searched:
            self.clear()
            with Search(self).sets(const(0)) as (found, following, leave):
                f.leave_if(following, found < self.least)
                yield following, leave
            return
        size = f.copied(self.least)
        rest = f.variable()
        with f.block() as leave, f.loop() as sizes:
            f.leave_if(leave, size > self.most)
            with f.block() as done:
                self.clear()
                f.set(rest, size)
                f.leave_if(done, self._fill(const(0), rest).eqz())
                with f.loop() as again:
                    with f.block() as following:
                        yield following, leave
                    f.leave_if(again, self._advance())
            f.increase(size)
            f.leave(sizes)

    @contextmanager
    def followers(self, size: Value) -> Iterator[Value]:
        """The items that can be picked next; `size`: how many are picked."""
        e, f, space = self.e, self.f, self.space
        connected = self.connected
        near: Words | None = None
        if connected is not None:
            near = connected.around(self.chosen())
        elif space.looking:
            e.bind(space.chosen, self.value())
        with f.counting(0, self.count) as k, f.when(self.taken(k) < self.cap(k)):
            e.unit.spend(f, 1, space.binder.span)
            item = f.keep(self.item(k))
            fits = f.copied(const(1))
            if near is not None and connected is not None:
                with f.when(size.eqz()):
                    f.set(fits, connected.begins(item))
                    f.otherwise()
                    f.set(fits, bit(e, near, item, 64 * len(near.parts) - 1))
            else:
                e.bind(space.it, item)
                for test in space.looking:
                    with f.when(fits):
                        f.set(fits, e.value(test))
            with f.when(fits):
                yield k

    def chosen(self) -> Words:
        """The items that are picked, of those that hang together."""
        assert self.connected is not None
        found = self.connected.nothing()
        with self.f.counting(0, self.count) as k, self.f.when(self.taken(k)):
            add_bit(self.e, found, self.f.keep(self.item(k)))
        return found

    def _fill(self, start: Value, rest: Value) -> Value:
        """Pick as many as possible of the first items from one on, until `rest` is used up; whether it is."""
        f = self.f
        with f.counting(start, self.count) as k:
            cap = f.keep(self.cap(k))
            taken = f.keep(choose(cap < rest, cap, rest))
            f.store(self.counts + k * 4, taken)
            f.increase(rest, const(0) - taken)
        return rest.eqz()

    def _advance(self) -> Value:
        """The next picks of the same size; whether there are any."""
        f = self.f
        place, room, behind = f.copied(self.count - 1), f.copied(const(0)), f.copied(const(0))
        found = f.copied(const(0))
        with f.while_(lambda: place >= 0) as (_, leave):
            taken = f.keep(self.taken(place))
            with f.when(taken.ne(0) & (room > behind)):
                self.take(place, -1)
                f.increase(behind)
                f.set(found, self._fill(f.keep(place + 1), behind))
                f.leave(leave)
            f.increase(room, self.cap(place))
            f.increase(behind, taken)
            f.increase(place, -1)
        return found
