"""Heads: enumerating the tuples of a choice, and quantifiers.

A head is a nest of loops. Each conjunct of its conditions is tested at the innermost binder it mentions; those that
mention only that binder (and what is known before the loops) filter its domain once, before any loop runs. Copies that
differ in nothing are one candidate where a choice is made. Sets of picks come smaller first, then in lexicographic
order.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import SetType, TallyType, ThingType, strip
from regelwerk.dsl.source import Span
from regelwerk.interpreter.evaluation.base import (
    NONE_NUMBER,
    Closure,
    Compiler,
    Locals,
    Value,
    compiles,
    conjuncts,
    slots_read,
)
from regelwerk.interpreter.evaluation.collections import iterates
from regelwerk.interpreter.evaluation.inlining import UNSET, Hoisting, Mask, by_column, inline
from regelwerk.interpreter.evaluation.picks import PickSpace
from regelwerk.interpreter.evaluation.scalars import nothing
from regelwerk.interpreter.faults import Fault
from regelwerk.interpreter.layout import Image

Step = Callable[[Image, Locals], bool]

TOO_MUCH = "there are too many combinations to look at"

PICK_LIMIT = 1_000_000
"""How many sets of picks may be looked at for one decision (language, section 7)."""


@dataclass
class Factory:
    """Makes a test from a function that compiles its expressions."""

    make: Callable[[Callable[[x.Expr], Closure]], Closure]


@dataclass
class Conjunct:
    """A condition of a head: an expression, a closure or what makes one, and the slots it reads."""

    test: Closure | x.Expr | Factory
    reads: set[int]


@dataclass
class Loop:
    """One binder, compiled: its candidates, and what is tested when it is bound (`masks`: for all at once).

    space   for a binder that takes several elements: all its picks
    unread  nothing else in the head reads them, so that for the others one pick is as good as another
    """

    slot: int
    candidates: Closure
    masks: list[Mask]
    tests: list[Closure]
    fixed: bool
    hoisted: list[int]
    span: Span
    space: PickSpace | None = None
    unread: bool = False


def compile_head(
    c: Compiler,
    head: x.Head,
    extra: list[Conjunct],
    merge_alike: bool,
    frame: g.Frame | None = None,
    late: frozenset[int] = frozenset(),
    filtered: bool = True,
) -> tuple[list[Closure], list[Loop]]:
    """The tests before all loops, and the loops.

    frame     for more local variables: conditions are inlined and hoisted
    late      the slots that are read once all binders are bound
    filtered  whether a domain that depends on no other binder is filtered before all loops
    """
    slots = [binder.slot for binder in head.binders]
    found: list[list[Conjunct]] = [[] for _ in slots]
    before: list[Closure] = []
    for binder in head.binders:
        if binder.condition is not None and binder.form == "one":
            extra = [*extra, *(Conjunct(part, slots_read(part)) for part in conjuncts(binder.condition))]
    for part in extra:
        last = max((i for i, slot in enumerate(slots) if slot in part.reads), default=-1)
        if last < 0:
            before.append(_closure(c, part))
        else:
            found[last].append(part)
    read = set(late).union(*(part.reads for part in extra))
    for binder in head.binders:
        for each in (binder.source, binder.lowest, binder.highest, binder.condition, binder.key):
            read |= slots_read(each) if each is not None else set()
    loops = []
    hoisting = Hoisting(c, frame, slots) if frame is not None else None
    for index, binder in enumerate(head.binders):
        earlier = set(slots[:index])
        source_reads = slots_read(binder.source)
        for bound in (binder.lowest, binder.highest, binder.key, binder.condition if binder.form != "one" else None):
            if bound is not None:
                source_reads |= slots_read(bound)
        fixed = filtered and index > 0 and not source_reads & earlier
        own = [p for p in found[index] if not p.reads & earlier]
        rest = [p for p in found[index] if p.reads & earlier]
        masks: list[Mask] = []
        space = compile_picks(c, binder, merge_alike, frame) if binder.form != "one" else None
        candidates = compile_candidates(c, binder, merge_alike)
        if own and fixed:
            alone: list[int] = []
            sieves: list[Mask] = []
            tests = _tests(c, own, binder, index, hoisting, sieves, alone)
            candidates = _filtered(candidates, binder.slot, sieves, tests, alone)
        else:
            rest = own + rest
        tests = _tests(c, rest, binder, index, hoisting, masks)
        unread = space is not None and binder.slot not in read
        hoisted = hoisting.slots[index] if hoisting is not None else []
        loops.append(Loop(binder.slot, candidates, masks, tests, fixed, hoisted, binder.span, space, unread))
    return before, loops


def _tests(
    c: Compiler,
    parts: list[Conjunct],
    binder: x.Binder,
    index: int,
    hoisting: Hoisting | None,
    masks: list[Mask],
    alone: list[int] | None = None,
) -> list[Closure]:
    """The tests of one loop; what can be answered for all candidates at once is added to `masks` instead."""
    if hoisting is None:
        return [_closure(c, part) for part in parts]
    more, tests = hoisting, []

    def ready(node: x.Expr) -> x.Expr:
        found: x.Expr = more.part(inline(c, node, more.frame), index, alone)
        return found

    for part in parts:
        if isinstance(part.test, x.Expr):
            test = ready(part.test)
            mask = by_column(c, test, binder.slot, more.frame)
            if mask is not None:
                masks.append(mask)
            else:
                tests.append(c.expr(test))
        elif isinstance(part.test, Factory):
            tests.append(part.test.make(lambda node: c.expr(ready(node))))
        else:
            tests.append(part.test)
    return tests


def _closure(c: Compiler, part: Conjunct) -> Closure:
    if isinstance(part.test, x.Expr):
        return c.expr(part.test)
    return part.test.make(c.expr) if isinstance(part.test, Factory) else part.test


def _filtered(candidates: Closure, slot: int, masks: list[Mask], tests: list[Closure], hoisted: list[int]) -> Closure:
    def filtered(m: Image, env: Locals) -> list[Value]:
        for each in hoisted:
            env[each] = UNSET
        values = candidates(m, env)
        for mask in masks:
            if not values:
                return []
            allowed = mask(m, env, values)
            values = [value for value in values if allowed >> value & 1]
        kept = []
        for value in values:
            env[slot] = value
            for test in tests:
                if not test(m, env):
                    break
            else:
                kept.append(value)
        return kept

    return filtered


def compile_candidates(c: Compiler, binder: x.Binder, merge_alike: bool) -> Closure:
    """The values a binder can take, in order (its `where` is tested here only for sets of picks)."""
    if binder.form != "one":
        if binder.form != "some" or binder.most or binder.chosen_slot is not None:
            space = compile_picks(c, binder, merge_alike)
            return lambda m, env: list(space.values(m, env))
        return _picks(c, binder, _members(c, binder.source), _alike(c, binder, merge_alike))
    base = _numbers(c, binder.source) if isinstance(binder.source, x.Interval) else _members(c, binder.source)
    alike = _alike(c, binder, merge_alike)
    if alike is not None:
        key = alike
        inner = base

        def distinct(m: Image, env: Locals) -> list[Value]:
            seen: dict[Any, Value] = {}
            for value in inner(m, env):
                seen.setdefault(key(m, value), value)
            return list(seen.values())

        base = distinct
    return _sorted(c, binder, base)


def compile_picks(c: Compiler, binder: x.Binder, merge_alike: bool, frame: g.Frame | None = None) -> PickSpace:
    """All picks of a binder that takes several elements."""
    base = c.expr(binder.source) if binder.form == "part" else _members(c, binder.source)
    return PickSpace(c, binder, base, _alike(c, binder, merge_alike), frame)


def _alike(c: Compiler, binder: x.Binder, merge: bool) -> Callable[[Image, int], Any] | None:
    """What tells the copies of a binder's things apart, or None if they are told apart anyway."""
    kind = strip(binder.type)
    member = strip(kind.member) if isinstance(kind, SetType) and binder.form == "some" else kind
    return c.program.alike(member.symbol) if merge and isinstance(member, ThingType) else None


def _members(c: Compiler, node: x.Expr) -> Closure:
    source, visit = c.expr(node), iterates(node.type)
    return lambda m, env: visit(source(m, env))


def _numbers(c: Compiler, source: x.Interval) -> Closure:
    low, high = c.expr(source.lowest), c.expr(source.highest)

    def numbers(m: Image, env: Locals) -> range:
        a, b = low(m, env), high(m, env)
        return range(a, b + 1) if NONE_NUMBER not in (a, b) else range(0)

    return numbers


def _sorted(c: Compiler, binder: x.Binder, base: Closure) -> Closure:
    if binder.key is None:
        return base
    key, slot, reverse = c.expr(binder.key), binder.it_slot, binder.highest_first
    sign = -1 if reverse else 1

    def by_key(m: Image, env: Locals) -> list[Value]:
        keyed = []
        for position, value in enumerate(base(m, env)):
            env[slot] = value
            keyed.append((sign * key(m, env), position, value))
        keyed.sort()
        return [value for _, _, value in keyed]

    return by_key


def _picks(c: Compiler, binder: x.Binder, base: Closure, alike: Callable[[Image, int], Any] | None) -> Closure:
    assert binder.lowest is not None
    assert binder.highest is not None
    low, high = c.expr(binder.lowest), c.expr(binder.highest)
    test = c.expr(binder.condition) if binder.condition is not None else None
    slot, span = binder.it_slot, binder.span

    def picks(m: Image, env: Locals) -> list[int]:
        return list(lazily(m, env))

    def lazily(m: Image, env: Locals) -> Iterator[int]:
        pool = []
        for value in base(m, env):
            env[slot] = value
            if test is None or test(m, env):
                pool.append(value)
        groups = None
        if alike is not None:
            keys = [alike(m, value) for value in pool]
            if len(set(keys)) < len(keys):
                numbers: dict[Any, int] = {}
                groups = [numbers.setdefault(each, len(numbers)) for each in keys]
        least, most = max(0, low(m, env)), min(len(pool), high(m, env))
        if sum(comb(len(pool), size) for size in range(least, most + 1)) > PICK_LIMIT:
            raise Fault("budget", f"there are too many ways to pick {most} of {len(pool)}", span)
        for size in range(least, most + 1):
            if groups is None:
                for chosen in combinations(pool, size):
                    mask = 0
                    for value in chosen:
                        mask |= 1 << value
                    yield mask
            else:
                yield from _distinct_picks(pool, groups, size)

    return picks


def _distinct_picks(pool: list[int], groups: list[int], size: int) -> Iterator[int]:
    """Sets of `size` members; of members that are alike (of one group) the first ones are taken."""
    seen: set[tuple[int, ...]] = set()
    for chosen in combinations(range(len(pool)), size):
        look = tuple(sorted([groups[i] for i in chosen]))
        if look not in seen:
            seen.add(look)
            mask = 0
            for i in chosen:
                mask |= 1 << pool[i]
            yield mask


def enumerator(before: list[Closure], loops: list[Loop], last: Step, existence: bool = False) -> Step:
    """Runs `last` for every tuple (bound in the locals); stops and gives True as soon as `last` does.

    `existence`: it is only asked whether there is one, so that picks are made one by one, and of picks that nothing
    reads only the first.
    """
    chain: Step = last
    for loop in reversed(loops):
        chain = _one_by_one(loop, chain) if existence and loop.space is not None else _loop(loop, chain)
    prefixed = [loop for loop in loops if loop.fixed and not (existence and loop.space is not None)]
    if not before and not prefixed:
        return chain

    def run(m: Image, env: Locals) -> bool:
        for test in before:
            if not test(m, env):
                return False
        if prefixed:
            for loop in prefixed:
                found = list(loop.candidates(m, env))
                if not found:
                    return False
                env[-1 - loop.slot] = found
        return chain(m, env)

    return run


def _one_by_one(loop: Loop, inner: Step) -> Step:
    """A loop over picks that are made only as far as they are needed."""
    assert loop.space is not None
    slot, values, tests, masks, hoisted = loop.slot, loop.space.values, loop.tests, loop.masks, loop.hoisted
    unread = loop.unread

    def lazy(m: Image, env: Locals) -> bool:
        for each in hoisted:
            env[each] = UNSET
        for value in values(m, env):
            env[slot] = value
            if all(test(m, env) for test in tests) and inner(m, env):
                return True
            if unread:
                return False
        return False

    assert not masks
    return lazy


def _loop(loop: Loop, inner: Step) -> Step:
    slot, candidates, tests, hoisted, span = loop.slot, loop.candidates, loop.tests, loop.hoisted, loop.span
    if loop.fixed:
        place = -1 - slot
        fixed: Closure = lambda m, env: env[place]  # noqa: E731 - a closure like the others
        candidates = fixed
    if loop.masks or len(tests) > 1:
        return _sifting(loop, candidates, inner)
    if not tests:

        def plain(m: Image, env: Locals) -> bool:
            for each in hoisted:
                env[each] = UNSET
            values = candidates(m, env)
            m.work -= len(values)
            if m.work < 0:
                raise Fault("budget", TOO_MUCH, span)
            for value in values:
                env[slot] = value
                if inner(m, env):
                    return True
            return False

        return plain
    only = tests[0]

    def single(m: Image, env: Locals) -> bool:
        for each in hoisted:
            env[each] = UNSET
        values = candidates(m, env)
        m.work -= len(values)
        if m.work < 0:
            raise Fault("budget", TOO_MUCH, span)
        for value in values:
            env[slot] = value
            if only(m, env) and inner(m, env):
                return True
        return False

    return single


def _sifting(loop: Loop, candidates: Closure, inner: Step) -> Step:
    """A loop whose candidates pass its sets before any of them is bound, then each its tests."""
    slot, masks, tests, hoisted, span = loop.slot, loop.masks, loop.tests, loop.hoisted, loop.span

    def sifting(m: Image, env: Locals) -> bool:
        for each in hoisted:
            env[each] = UNSET
        values = candidates(m, env)
        m.work -= len(values)
        if m.work < 0:
            raise Fault("budget", TOO_MUCH, span)
        for mask in masks:
            if not values:
                return False
            allowed = mask(m, env, values)
            values = [value for value in values if allowed >> value & 1]
        for value in values:
            env[slot] = value
            for test in tests:
                if not test(m, env):
                    break
            else:
                if inner(m, env):
                    return True
        return False

    return sifting


def spoken(head: x.Head) -> list[x.Binder]:
    """The binders whose names are known behind the head: not the fields that a record is made of."""
    return [binder for binder in head.binders if not binder.inner]


def tuples(c: Compiler, head: x.Head, merge_alike: bool) -> Callable[[Image, Locals], list[tuple[Value, ...]]]:
    """A function that lists all tuples of a head, of what its body can speak of (`spoken`)."""
    before, loops = compile_head(c, head, [], merge_alike)
    slots = [binder.slot for binder in spoken(head)]
    found: list[tuple[Value, ...]] = []

    def collect(m: Image, env: Locals) -> bool:
        found.append(tuple([env[slot] for slot in slots]))
        return False

    run = enumerator(before, loops, collect)

    def all_tuples(m: Image, env: Locals) -> list[tuple[Value, ...]]:
        nonlocal found
        outer, found = found, []
        run(m, env)
        result, found = found, outer
        return result

    return all_tuples


# ---------------------------------------------------------------------------------------------------------- quantifiers
@compiles(x.Quantified)
def _quantified(c: Compiler, node: x.Quantified) -> Closure:
    before, loops = compile_head(c, node.head, [], False)
    slots = [binder.slot for binder in node.head.binders]
    quantifier = node.quantifier
    value = c.expr(node.value) if node.value is not None else None
    if quantifier == "some":
        if value is None:
            if any(loop.space is not None for loop in loops):
                before, loops = compile_head(c, node.head, [], False, filtered=False)
            run = enumerator(before, loops, lambda m, env: True, existence=True)
        else:
            claim = value
            run = enumerator(before, loops, lambda m, env: bool(claim(m, env)))
        return run
    if quantifier == "every":
        assert value is not None
        counter = value
        run = enumerator(before, loops, lambda m, env: not counter(m, env))
        return lambda m, env: not run(m, env)
    if quantifier == "first":
        last = slots[-1]
        empty = nothing(node.type)
        run = enumerator(before, loops, lambda m, env: True)
        return lambda m, env: env[last] if run(m, env) else empty
    return _folding(c, node, before, loops, value)


def _folding(
    c: Compiler, node: x.Quantified, before: list[Closure], loops: list[Loop], value: Closure | None
) -> Closure:
    stack: list[list[Any]] = []
    if value is None:

        def tick(m: Image, env: Locals) -> bool:
            stack[-1][0] += 1
            return False

        run = enumerator(before, loops, tick)

        def count(m: Image, env: Locals) -> int:
            stack.append([0])
            try:
                run(m, env)
            finally:
                result = stack.pop()
            return int(result[0])

        return count
    body = value

    def gather(m: Image, env: Locals) -> bool:
        stack[-1].append(body(m, env))
        return False

    run = enumerator(before, loops, gather)

    def gathered(m: Image, env: Locals) -> list[Any]:
        stack.append([])
        try:
            run(m, env)
        finally:
            result = stack.pop()
        return result

    if node.quantifier == "list":
        return lambda m, env: tuple(gathered(m, env))
    if node.quantifier == "sum":
        kind = strip(node.type)
        if isinstance(kind, TallyType):
            zero = (0,) * c.program.unit_count(kind)

            def add(m: Image, env: Locals) -> tuple[int, ...]:
                total = zero
                for each in gathered(m, env):
                    total = tuple(map(operator.add, total, each))
                return total

            return add
        return lambda m, env: sum(each for each in gathered(m, env) if each != NONE_NUMBER)
    function: Callable[..., int] = min if node.quantifier == "min" else max
    return lambda m, env: function((each for each in gathered(m, env) if each != NONE_NUMBER), default=NONE_NUMBER)


__all__ = ["Conjunct", "Loop", "compile_head", "compile_picks", "conjuncts", "enumerator", "tuples"]
