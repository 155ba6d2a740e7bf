"""Picks that hang together: what can begin, what lies beside an element, how much is reached. All of it in sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regelwerk.dsl.model.types import SetType, strip
from regelwerk.interpreter.wasm.binary import I64
from regelwerk.interpreter.wasm.code import Value, choose, const, load, load64
from regelwerk.interpreter.wasm.collections import add_bit, each_bit, each_member, popcount
from regelwerk.interpreter.wasm.emitter import Emitter, any_bit
from regelwerk.interpreter.wasm.shapes import Words

if TYPE_CHECKING:
    from regelwerk.interpreter.wasm.picks import PickSpace


class Connected:
    """The elements that can be picked, with which picks can begin and what lies beside each.

    whole   the elements, in variables
    """

    def __init__(self, e: Emitter, space: PickSpace, whole: Words) -> None:
        self.e, self.f, self.space, self.whole = e, e.f, space, whole
        self.kind = strip(space.binder.type)
        assert isinstance(self.kind, SetType)

    def nothing(self) -> Words:
        """An empty set of elements, in variables."""
        found = Words(tuple(self.f.variable(I64) for _ in self.whole.parts))
        for part in found.parts:
            self.f.set(part, const(0, I64))
        return found

    def single(self, item: Value) -> Words:
        """The set of one element, in variables."""
        found = self.nothing()
        add_bit(self.e, found, item)
        return found

    def begins(self, item: Value) -> Value:
        """Whether picks can begin with an element."""
        assert self.space.begin is not None
        self.e.bind(self.space.it, item)
        return self.e.value(self.space.begin)

    def beside(self, item: Value) -> Words:
        """The elements beside one, which is in a variable."""
        f, space, count = self.f, self.space, len(self.whole.parts)
        target = self.nothing()
        if space.constant:
            # what lies beside an element is kept from game to game
            known, table = self._table()
            address = f.keep(item * (8 * count) + table)
            with f.when(load(item, known, 8).eqz()):
                self._find_beside(item, target)
                for k, part in enumerate(target.parts):
                    f.store64(address, part, 8 * k)
                f.store(item, 1, known, 8)
            for k, part in enumerate(target.parts):
                f.set(part, load64(address, 8 * k) & self.whole.parts[k])
            return target
        self._find_beside(item, target)
        for part, all_of_it in zip(target.parts, self.whole.parts, strict=True):
            f.set(part, part & all_of_it)
        return target

    def _table(self) -> tuple[int, int]:
        unit, key = self.e.unit, ("beside", id(self.space.binder))
        size = self.e.shapes.highest(self.kind.member) + 1  # type: ignore[attr-defined]  # a set
        if key not in unit.places:
            unit.places[key] = unit.reserve((1 + 8 * len(self.whole.parts)) * size)
        return unit.places[key] + 8 * len(self.whole.parts) * size, unit.places[key]

    def _find_beside(self, item: Value, target: Words) -> None:
        e, f, near = self.e, self.f, self.space.beside
        assert near is not None
        e.bind(self.space.it, item)
        source = e.keep(e.any(near))
        if isinstance(source, Words):
            for part, value in zip(target.parts, e.fitted(source, len(target.parts)), strict=True):
                f.set(part, value)
            return
        for part in target.parts:
            f.set(part, const(0, I64))
        with each_member(e, source, near.type) as (member, _, _):
            assert isinstance(member, Value)
            add_bit(e, target, member)

    def around(self, chosen: Words) -> Words:
        """What lies beside the elements of a set."""
        found = self.nothing()
        with each_bit(self.e, chosen) as (item, _, _):
            for part, more in zip(found.parts, self.beside(item).parts, strict=True):
                self.f.set(part, part | more)
        return found

    def component(self, found: Words, enough: Value) -> Value:
        """How many elements hang together with those found (variables, which grow), counted as far as `enough`."""
        f = self.f
        rim = Words(tuple(f.copied(part) for part in found.parts))
        size = f.copied(popcount(found))
        with f.block() as leave, f.loop() as again:
            f.leave_if(leave, any_bit(rim).eqz() | (size >= enough))
            wider = self.around(rim)
            for old, part, edge in zip(found.parts, wider.parts, rim.parts, strict=True):
                f.set(edge, part & (old ^ -1))
                f.set(old, old | part)
            f.set(size, popcount(found))
            f.leave(again)
        return choose(size < enough, size, enough)

    def reach(self, most: Value) -> Value:
        """How many elements can be picked at most, up to a number."""
        f = self.f
        best, seen = f.copied(const(0)), self.nothing()
        with each_bit(self.e, self.whole) as (item, following, leave):
            f.leave_if(leave, best >= most)
            found = self.single(item)
            # what was reached from another element reaches no more than that one did
            already = [part & one for part, one in zip(seen.parts, found.parts, strict=True)]
            f.leave_if(following, any_bit(Words(tuple(already))).ne(0))
            f.leave_if(following, self.begins(item).eqz())
            size = f.keep(self.component(found, most))
            for part, more in zip(seen.parts, found.parts, strict=True):
                f.set(part, part | more)
            with f.when(size > best):
                f.set(best, size)
        return best
