"""Searching sets of picks: from those of one size follow those of the next, each set once.

What can be picked next depends on the picks so far. The sets of one size are a list in memory, in the order of
`interpreter.evaluation.picks`: a set is a byte for each item (how often it is picked), eight to a word, the first item
being the highest byte, and a greater number comes earlier.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from regelwerk.interpreter.wasm.code import Label, Value, const, load, load64

if TYPE_CHECKING:
    from regelwerk.interpreter.wasm.picks import Pool

ROOM = 1 << 18
"""How many bytes the sets of one size take at most."""


class Search:
    """The sets that follow from the picks of a pool."""

    def __init__(self, pool: Pool) -> None:
        self.pool, self.f = pool, pool.f
        self.wide = pool.space.size // 8 + 1
        self.entry = 8 * self.wide
        self.most = max(256, min(4096, ROOM // self.entry))

    @contextmanager
    def sets(self, start: Value) -> Iterator[tuple[Value, Label, Label]]:
        """The picks that are made now (`start` of them), and all that follow, in the counts of the pool: their number,
        and the labels of going on and of leaving. At the end the picks are again those that were made."""
        f, pool, entry = self.f, self.pool, self.entry
        here, there, first = f.room(entry * self.most), f.room(entry * self.most), f.room(entry)
        count, size = f.copied(const(1)), f.copied(start)
        self._pack(first)
        f.copy(here, first, entry)
        with f.block() as leave, f.loop() as again:
            f.leave_if(leave, count.eqz() | (size > pool.most))
            with f.counting(0, count) as index:
                self._unpack(f.keep(here + index * entry))
                with f.block() as following:
                    yield size, following, leave
            found = f.copied(const(0))
            with f.when(size < pool.most), f.counting(0, count) as index:
                address = f.keep(here + index * entry)
                self._unpack(address)
                with pool.followers(size) as k:
                    self._insert(there, found, address, k)
            f.copy(here, there, found * entry)
            f.set(count, found)
            f.increase(size)
            f.leave(again)
        self._unpack(first)

    def _byte(self, k: Value) -> Value:
        """Where the byte of an item lies in a set."""
        return k ^ 7

    def _pack(self, address: Value) -> None:
        f = self.f
        f.fill(address, self.entry)
        with f.counting(0, self.pool.count) as k:
            f.store(address + self._byte(k), self.pool.taken(k), 0, 8)

    def _unpack(self, address: Value) -> None:
        f = self.f
        with f.counting(0, self.pool.count) as k:
            f.store(self.pool.counts + k * 4, load(address + self._byte(k), 0, 8))

    def _insert(self, target: Value, count: Value, source: Value, k: Value) -> None:
        """Put the set at `source` with item `k` once more into a list in descending order, if it is not there yet."""
        f, entry = self.f, self.entry
        new = f.room(entry)
        f.copy(new, source, entry)
        place = f.keep(new + self._byte(k))
        f.store(place, load(place, 0, 8) + 1, 0, 8)
        index = f.copied(const(0))
        with f.block() as done:
            with f.while_(lambda: index < count) as (_, stop):
                less, equal = f.copied(const(0)), f.copied(const(1))
                with f.counting(0, self.wide) as word, f.when(equal):
                    one = f.keep(load64(new + word * 8))
                    other = f.keep(load64(target + index * entry + word * 8))
                    f.set(less, other.two("lt_u", one))
                    f.set(equal, other.eq(one))
                f.leave_if(done, equal)
                f.leave_if(stop, less)
                f.increase(index)
            with f.when(count >= self.most):
                span = self.pool.space.binder.span
                self.pool.e.unit.fault(f, "budget", "there are too many ways to pick here", span)
            at = f.keep(target + index * entry)
            f.copy(at + entry, at, (count - index) * entry)
            f.copy(at, new, entry)
            f.increase(count)
