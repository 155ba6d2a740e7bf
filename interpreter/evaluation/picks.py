"""Picking several elements: what a binder can take, whole or one pick after the other.

A pick is an element of the pool; alike copies are one element that can be picked as often as there are copies. The
condition of the binder decides how the picks hang together (language, section 7):

- independent: it does not read the picks so far. Whatever is left can be picked, so reaching a size is counting.
- capped: `cap(it) > chosen(it)`. The same, with a bound for each element.
- connected: `if chosen is empty then begin(it) else some(n in beside(it) where n in chosen)`. Whole components can be
  picked, so the size reached is that of the largest component that holds a beginning.
- other: anything else is searched in depth, each set of picks once.

The first two are asked in ascending order, since no order of picks reaches more than that one; the others in any order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.limits import AMOUNT, PICKS
from regelwerk.dsl.model.types import TallyType, strip
from regelwerk.interpreter.evaluation.base import (
    Closure,
    Compiler,
    Locals,
    Value,
    bits,
    conjuncts,
    reads_state,
    slots_read,
)
from regelwerk.interpreter.evaluation.collections import iterates
from regelwerk.interpreter.evaluation.inlining import UNSET, Hoisting, free_slots, inline
from regelwerk.interpreter.faults import Fault
from regelwerk.interpreter.layout import Image

Accept = Callable[[Value], bool]
"""Whether a whole pick meets what else is asked of it."""


@dataclass(slots=True)
class Pool:
    """What can be picked now.

    items   the elements, in order; `copies` of each (of tallies: the element itself)
    caps    how often each can be picked
    sizes   how many picks there may be: least, most
    whole   for the connected form: the items as a set
    beside  for the connected form: the items next to each item, found when they are needed
    """

    items: list[int]
    copies: list[list[int]]
    caps: list[int]
    least: int
    most: int
    whole: int = 0
    beside: dict[int, int] | None = None


class PickSpace:
    """All picks of one binder."""

    def __init__(
        self,
        c: Compiler,
        binder: x.Binder,
        base: Closure,
        alike: Callable[[Image, int], Any] | None,
        frame: g.Frame | None = None,
    ) -> None:
        """`frame`: for more local variables, into which is hoisted what is the same for all elements."""
        assert binder.lowest is not None
        assert binder.highest is not None
        kind = strip(binder.type)
        self.units = c.program.unit_count(kind) if isinstance(kind, TallyType) else 0
        self.form, self.most, self.span = binder.form, binder.most, binder.span
        self.base, self.alike = base, alike
        self.low, self.high = c.expr(binder.lowest), c.expr(binder.highest)
        self.it, self.chosen = binder.it_slot, -1 if binder.chosen_slot is None else binder.chosen_slot
        parts = conjuncts(binder.condition) if binder.condition is not None else []
        looking = [part for part in parts if self.chosen in slots_read(part)]
        self.frame = frame
        self.hoisting = Hoisting(c, frame, [self.it]) if frame is not None else None
        self.hoisted = self.hoisting.slots[0] if self.hoisting is not None else []
        self.tests = [self._test(c, part) for part in parts if part not in looking]
        self.caps: list[Closure] = []
        self.begin: Closure | None = None
        self.beside: Closure | None = None
        caps = [cap_on(part, self.chosen, self.it) for part in looking]
        if all(cap is not None for cap in caps):
            self.caps = [c.expr(cap) for cap in caps if cap is not None]
            looking = []
        elif len(looking) == 1 and self._connected(c, looking[0]):
            looking = []
        self.looking = [c.expr(part) for part in looking]
        self.ascending = not self.looking and self.beside is None

    def _test(self, c: Compiler, part: x.Expr) -> Closure:
        if self.hoisting is None or self.frame is None:
            return c.expr(part)
        return c.expr(self.hoisting.part(inline(c, part, self.frame), 0))

    # -------------------------------------------------------------------------------------------------- the forms
    def _connected(self, c: Compiler, part: x.Expr) -> bool:
        """Recognise the connected form: where to begin, and what is beside an element."""
        if self.units or not isinstance(part, x.Select) or not self._is_empty(part.condition):
            return False
        near = part.alternative
        if not isinstance(near, x.Quantified) or near.quantifier != "some" or len(near.head.binders) != 1:
            return False
        binder = near.head.binders[0]
        inside = binder.condition
        reads = slots_read(part.consequence) | slots_read(binder.source)
        if self.chosen in reads or not isinstance(inside, x.Contains):
            return False
        if not (isinstance(inside.item, x.Local) and inside.item.slot == binder.slot):
            return False
        if not (isinstance(inside.collection, x.Local) and inside.collection.slot == self.chosen):
            return False
        near_to, visit = c.expr(binder.source), iterates(binder.source.type)
        self.begin = self._test(c, part.consequence)
        known: dict[int, int] = {}
        constant = free_slots(binder.source) <= {self.it} and not reads_state(c, binder.source)

        def beside(m: Image, env: Locals) -> int:
            found = known.get(env[self.it])
            if found is None:
                found = 0
                for each in visit(near_to(m, env)):
                    found |= 1 << each
                if constant:
                    known[env[self.it]] = found
            return found

        self.beside = beside
        return True

    def _is_empty(self, test: x.Expr) -> bool:
        return (
            isinstance(test, x.Equal)
            and isinstance(test.left, x.Count)
            and isinstance(test.left.collection, x.Local)
            and test.left.collection.slot == self.chosen
            and isinstance(test.right, x.Const)
            and test.right.value == 0
        )

    # ------------------------------------------------------------------------------------------------------- the pool
    def open(self, m: Image, env: Locals) -> Pool:
        """What can be picked, as things stand."""
        items: list[int] = []
        copies: list[list[int]] = []
        caps: list[int] = []
        least, most = max(0, self.low(m, env)), self.high(m, env)
        for each in self.hoisted:
            env[each] = UNSET
        if self.form == "part":
            counts = self.base(m, env)
            items = [k for k, count in enumerate(counts, 1) if count > 0]
            caps = [counts[k - 1] for k in items]
        elif self.form == "times":
            items = list(self.base(m, env))
            caps = [max(0, most)] * len(items)
        else:
            groups: dict[Any, int] = {}
            for value in self.base(m, env):
                key = self.alike(m, value) if self.alike is not None else value
                if key in groups:
                    copies[groups[key]].append(value)
                else:
                    groups[key] = len(items)
                    items.append(value)
                    copies.append([value])
            caps = [len(each) for each in copies]
        keep = []
        tests, it = self.tests, self.it
        for k, item in enumerate(items):
            env[it] = item
            for test in tests:
                if not test(m, env):
                    break
            else:
                keep.append(k)
                for cap in self.caps:
                    caps[k] = min(caps[k], max(0, cap(m, env)))
        items = [items[k] for k in keep]
        caps = [caps[k] for k in keep]
        copies = [copies[k] for k in keep] if copies else [[item] for item in items]
        most = min(most, sum(caps))
        limit = AMOUNT if self.units else PICKS
        if most > limit:
            raise Fault("budget", f"{most} elements could be picked here, and at most {limit} can be", self.span)
        pool = Pool(items, copies, caps, least, most)
        if self.beside is not None:
            pool.beside = {}
            for item in items:
                pool.whole |= 1 << item
        if self.most:
            pool.most = pool.least = self._reached(pool, m, env)
        return pool

    def _near(self, pool: Pool, item: int, m: Image, env: Locals) -> int:
        """The items beside one, as a set."""
        assert self.beside is not None
        assert pool.beside is not None
        found = pool.beside.get(item)
        if found is None:
            env[self.it] = item
            found = pool.beside[item] = self.beside(m, env) & pool.whole
        return found

    def _component(self, pool: Pool, found: int, enough: int, m: Image, env: Locals) -> int:
        """How many items hang together with those found, counted as far as `enough`."""
        rim = found
        while rim and found.bit_count() < enough:
            wider = found
            for item in bits(rim):
                wider |= self._near(pool, item, m, env)
            rim, found = wider & ~found, wider
        return min(found.bit_count(), enough)

    def _begins(self, item: int, m: Image, env: Locals) -> bool:
        """Whether an item can be picked first."""
        assert self.begin is not None
        env[self.it] = item
        return bool(self.begin(m, env))

    def _reached(self, pool: Pool, m: Image, env: Locals) -> int:
        """The largest number of picks that any sequence reaches, at most `most`."""
        if self.ascending:
            return max(0, pool.most)
        if pool.beside is not None:
            best = 0
            for item in pool.items:
                if best < pool.most and self._begins(item, m, env):
                    best = max(best, self._component(pool, 1 << item, pool.most, m, env))
            return best
        best, seen, stack = 0, set(), [(0,) * len(pool.items)]
        while stack:
            counts = stack.pop()
            best = max(best, sum(counts))
            if best >= pool.most:
                return best
            for k in self._next(pool, counts, m, env):
                more = (*counts[:k], counts[k] + 1, *counts[k + 1 :])
                if more not in seen:
                    seen.add(more)
                    stack.append(more)
        return best

    # ---------------------------------------------------------------------------------------------------------- picks
    def value(self, pool: Pool, counts: tuple[int, ...]) -> Value:
        """The picks as a set or a tally."""
        if self.units:
            found = [0] * self.units
            for item, count in zip(pool.items, counts, strict=True):
                found[item - 1] = count
            return tuple(found)
        mask = 0
        for each, count in zip(pool.copies, counts, strict=True):
            for copy in each[:count]:
                mask |= 1 << copy
        return mask

    def counts(self, pool: Pool, picks: list[int]) -> tuple[int, ...]:
        """How often each item was picked."""
        place = {copy: k for k, each in enumerate(pool.copies) for copy in each}
        found = [0] * len(pool.items)
        for pick in picks:
            found[place[pick]] += 1
        return tuple(found)

    def _next(self, pool: Pool, counts: tuple[int, ...], m: Image, env: Locals) -> list[int]:
        """The items that can be picked next, whatever comes of it."""
        m.work -= 1 + len(pool.items)
        if m.work < 0:
            raise Fault("budget", "there are too many ways to pick here", self.span)
        if self.ascending:
            last = max((k for k, count in enumerate(counts) if count), default=0)
            return [k for k in range(last, len(counts)) if counts[k] < pool.caps[k]]
        if pool.beside is not None:
            chosen = [item for item, count in zip(pool.items, counts, strict=True) if count]
            if not chosen:
                return [k for k, item in enumerate(pool.items) if pool.caps[k] and self._begins(item, m, env)]
            near = 0
            for item in chosen:
                near |= self._near(pool, item, m, env)
            return [k for k, item in enumerate(pool.items) if near >> item & 1 and counts[k] < pool.caps[k]]
        env[self.chosen] = self.value(pool, counts)
        found = []
        for k, item in enumerate(pool.items):
            if counts[k] < pool.caps[k]:
                env[self.it] = item
                if all(test(m, env) for test in self.looking):
                    found.append(k)
        return found

    def _leads(
        self,
        pool: Pool,
        counts: tuple[int, ...],
        m: Image,
        env: Locals,
        accept: Accept | None,
        dead: set[tuple[int, ...]],
    ) -> bool:
        """Whether picks can be gone on with to an allowed size that is accepted."""
        size = sum(counts)
        if size > pool.most or counts in dead:
            return False
        if accept is None:
            if size >= pool.least:
                return True
            if self.ascending:
                last = max((k for k, count in enumerate(counts) if count), default=0)
                left = sum(pool.caps[k] - counts[k] for k in range(last, len(counts)))
                return size + left >= pool.least
            if pool.beside is not None and size:
                chosen = sum(1 << item for item, count in zip(pool.items, counts, strict=True) if count)
                return self._component(pool, chosen, pool.least, m, env) >= pool.least
        elif size >= pool.least and accept(self.value(pool, counts)):
            return True
        if size < pool.most:
            for k in self._next(pool, counts, m, env):
                if self._leads(pool, (*counts[:k], counts[k] + 1, *counts[k + 1 :]), m, env, accept, dead):
                    return True
        dead.add(counts)
        return False

    def stage(self, m: Image, env: Locals, picks: list[int], accept: Accept | None) -> tuple[list[int], bool]:
        """What can be picked next, and whether it may be enough. Only picks that lead to an accepted whole count."""
        pool = self.open(m, env)
        counts = self.counts(pool, picks)
        dead: set[tuple[int, ...]] = set()
        found = []
        if pool.beside is not None and accept is None:
            if len(picks) < pool.most:
                chosen = sum(1 << item for item, count in zip(pool.items, counts, strict=True) if count)
                for k in self._next(pool, counts, m, env):
                    if self._component(pool, chosen | 1 << pool.items[k], pool.least, m, env) >= pool.least:
                        found.append(pool.copies[k][counts[k]])
        elif len(picks) < pool.most:
            for k in self._next(pool, counts, m, env):
                if self._leads(pool, (*counts[:k], counts[k] + 1, *counts[k + 1 :]), m, env, accept, dead):
                    found.append(pool.copies[k][counts[k]] if not self.units else pool.items[k])
        enough = pool.least <= len(picks) <= pool.most
        return found, enough and (accept is None or accept(self.value(pool, counts)))

    def picked(self, m: Image, env: Locals, picks: list[int]) -> Value:
        """The value of some picks."""
        pool = self.open(m, env)
        return self.value(pool, self.counts(pool, picks))

    def values(self, m: Image, env: Locals) -> Iterator[Value]:
        """All whole picks: smaller ones first, then in the order of their elements."""
        pool = self.open(m, env)
        level: list[tuple[int, ...]] = [(0,) * len(pool.items)]
        for size in range(pool.most + 1):
            if size >= pool.least:
                for counts in level:
                    yield self.value(pool, counts)
            if size < pool.most:
                wider: dict[tuple[int, ...], None] = {}
                for counts in level:
                    for k in self._next(pool, counts, m, env):
                        wider[(*counts[:k], counts[k] + 1, *counts[k + 1 :])] = None
                level = sorted(wider, reverse=True)


def cap_on(part: x.Expr, chosen: int | None, it: int) -> x.Expr | None:
    """The bound in `cap > chosen(it)` or `chosen(it) < cap`, from the slots of the picks and of the candidate."""
    if not isinstance(part, x.Ordered) or part.operator not in ("<", ">"):
        return None
    cap, count = (part.left, part.right) if part.operator == ">" else (part.right, part.left)
    counted = (
        isinstance(count, x.TallyCount)
        and isinstance(count.tally, x.Local)
        and count.tally.slot == chosen
        and isinstance(count.unit, x.Local)
        and count.unit.slot == it
    )
    return cap if counted and chosen not in slots_read(cap) else None
