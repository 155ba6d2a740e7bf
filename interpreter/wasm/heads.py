"""Heads as nested loops, and the quantifiers over them.

The passes are those of the reference interpreter: every condition is tested at the innermost binder it mentions, values
are inlined, and what a loop does not change is computed once for each pass of the loop that changes it. A domain that
depends on no other binder is filtered before the loops by the conditions that speak of it alone.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model.types import (
    ListType,
    SetType,
    TallyType,
    strip,
)
from regelwerk.dsl.model.walking import walk
from regelwerk.interpreter.evaluation.base import NONE_NUMBER, conjuncts, slots_read
from regelwerk.interpreter.evaluation.inlining import LOOPS, Hoisting, inline, is_small
from regelwerk.interpreter.wasm.candidates import candidates, charge, count_of, is_empty, least_of, most_of
from regelwerk.interpreter.wasm.code import Label, Value, const, load
from regelwerk.interpreter.wasm.collections import (
    Gathering,
    each_member,
    fold,
)
from regelwerk.interpreter.wasm.copies import copies
from regelwerk.interpreter.wasm.emitter import Emitter, writes
from regelwerk.interpreter.wasm.masks import faultless
from regelwerk.interpreter.wasm.roles import hold
from regelwerk.interpreter.wasm.shapes import Operand, Ref, Words
from regelwerk.interpreter.wasm.sieves import Sieve, Unless, filtered, relation, sieve, sifted
from regelwerk.interpreter.wasm.situations import by_situation
from regelwerk.interpreter.wasm.subsets import at_most_pairs, is_plain, number_picked, of_one_word
from regelwerk.interpreter.wasm.values import written_in_place


@dataclass
class Test:
    """A condition of a head: an expression or what writes it, and the slots it reads; of an expression also what it is
    with values put in place of their calls."""

    test: x.Expr | Callable[[Emitter], Value]
    reads: set[int]
    inlined: x.Expr | None = None


@dataclass
class Loop:
    """One binder with what is tested for it.

    alone  tests that filter its domain before all loops
    sieves tests that are answered for the whole domain at once, when the loop begins
    early  tests that a domain which is sorted is filtered by before that
    """

    binder: x.Binder
    tests: list[x.Expr | Callable[[Emitter], Value]] = field(default_factory=list)
    alone: list[x.Expr | Callable[[Emitter], Value]] = field(default_factory=list)
    alone_slots: list[int] = field(default_factory=list)
    hoisted: list[int] = field(default_factory=list)
    unread: bool = False
    sieves: list[Sieve] = field(default_factory=list)
    early: list[x.Expr] = field(default_factory=list)
    gathered: Ref | Words | None = None


class Nest:
    """The loops of a head."""

    def __init__(
        self,
        e: Emitter,
        head: x.Head,
        extra: list[Test] | None = None,
        merge_alike: bool = False,
        late: frozenset[int] = frozenset(),
        filtered: bool = True,
    ) -> None:
        self.e, self.head, self.merge, self.filtered = e, head, merge_alike, filtered
        slots = [binder.slot for binder in head.binders]
        self.before: list[x.Expr | Callable[[Emitter], Value]] = []
        found: list[list[Test]] = [[] for _ in slots]
        tests = list(extra or [])
        for binder in head.binders:
            if binder.condition is not None and binder.form == "one":
                tests += [Test(part, slots_read(part)) for part in conjuncts(binder.condition)]
        read = set(late).union(*(test.reads for test in tests))
        tests = [part for test in tests for part in self._split(test)]
        for test in tests:
            last = max((i for i, slot in enumerate(slots) if slot in test.reads), default=-1)
            if last < 0:
                self.before.append(test.test)
            else:
                found[last].append(test)
        for binder in head.binders:
            for each in (binder.source, binder.lowest, binder.highest, binder.condition, binder.key):
                read |= slots_read(each) if each is not None else set()
        hoisting = Hoisting(e.c, e.frame, slots)
        self.loops: list[Loop] = []
        for index, binder in enumerate(head.binders):
            loop = Loop(binder, unread=binder.form != "one" and binder.slot not in read)
            earlier = set(slots[:index])
            source_reads = slots_read(binder.source)
            for bound in (binder.lowest, binder.highest, binder.key):
                source_reads |= slots_read(bound) if bound is not None else set()
            if binder.form != "one" and binder.condition is not None:
                source_reads |= slots_read(binder.condition)
            fixed = filtered and index > 0 and not source_reads & earlier and binder.form == "one"
            if filtered and index > 0 and self._as_set(loop):
                together = [test for test in found[index] if not (fixed and not test.reads & earlier)]
                found[index] = self._by_situation(loop, found[index], together, hoisting)
            for test in found[index]:
                alone = fixed and not test.reads & earlier
                part = test.test
                slots_alone = loop.alone_slots if alone else None
                if test.inlined is not None:
                    part = hoisting.part(test.inlined, index, slots_alone)
                elif isinstance(part, Unless):
                    exempt = hoisting.part(inline(e.c, part.exempt, e.frame), index, slots_alone)
                    part = replace(part, exempt=exempt)
                (loop.alone if alone else loop.tests).append(part)
            if self._as_set(loop):
                self._sieve(loop)
            if binder.key is not None and binder.form == "one" and not loop.alone:
                self._sort_less(loop)
            self.loops.append(loop)
        hoisting.share()
        # a part comes behind those it contains
        made = sorted((part for _, part in hoisting.made), key=lambda part: sum(1 for _ in walk(part)))
        self.parts = [part for part in made if filtered and _is_cheap(e, part.value)]
        for index, loop in enumerate(self.loops):
            loop.hoisted = hoisting.slots[index]

    def _split(self, test: Test) -> list[Test]:
        """A test as the parts of what it calls that are joined by `and`, each with what it reads, if nothing can be at
        fault: what comes first does not guard what comes behind it."""
        if not isinstance(test.test, x.Expr):
            return [test]
        inlined = inline(self.e.c, test.test, self.e.frame)
        parts = conjuncts(inlined)
        if len(parts) == 1 or not all(faultless(self.e.c, part) for part in parts):
            return [replace(test, inlined=inlined)]
        return [Test(part, slots_read(part), part) for part in parts]

    def _by_situation(self, loop: Loop, tests: list[Test], together: list[Test], hoisting: Hoisting) -> list[Test]:
        """Put one table in place of some tests if that is possible, and give those that are left."""
        index = len(self.loops)
        plain = [test.inlined for test in together if test.inlined is not None]
        counts = {each.slot: count for each in self.head.binders[:index] if (count := number_picked(each)) is not None}
        one, left = by_situation(self.e, plain, loop.binder, counts, hoisting, index)
        answer = relation(self.e, one, loop.binder.slot, strip(loop.binder.type)) if one is not None else None
        if answer is None:
            return tests
        loop.sieves.append(answer)
        gone = [part for part in plain if not any(part is each for each in left)]
        return [test for test in tests if not any(test.inlined is part for part in gone)]

    def _as_set(self, loop: Loop) -> bool:
        """Whether the domain of a binder is a set of things that are all told apart, in their own order."""
        binder = loop.binder
        return (
            binder.form == "one"
            and binder.key is None
            and not isinstance(binder.source, x.Interval)
            and isinstance(binder.source.type, SetType)
            and (not self.merge or copies(self.e, binder) is None)
        )

    def _sieve(self, loop: Loop) -> None:
        """Take the tests that are answered at once from the others."""
        rest: list[x.Expr | Callable[[Emitter], Value]] = []
        for part in loop.tests:
            found = sieve(self.e, part, loop.binder.slot, loop.binder.type) if isinstance(part, x.Expr) else None
            if found is not None:
                loop.sieves.append(found)
            else:
                rest.append(part)
        loop.tests = rest

    def _sort_less(self, loop: Loop) -> None:
        """Take the tests that cannot fail, and so may be made of all members in any order, from the others."""
        loop.early = [part for part in loop.tests if isinstance(part, x.Expr) and faultless(self.e.c, part)]
        loop.tests = [part for part in loop.tests if not any(part is each for each in loop.early)]

    def _test(self, part: x.Expr | Callable[[Emitter], Value]) -> Value:
        return self.e.value(part) if isinstance(part, x.Expr) else part(self.e)

    def _unset(self, slots: list[int]) -> None:
        e = self.e
        for slot in slots:
            if slot not in e.hoisted or e.hoisted[slot].const is not None:
                e.hoisted[slot] = e.f.variable()
            e.f.set(e.hoisted[slot], 0)

    def _begin(self, slots: list[int]) -> None:
        """A loop begins: parts that are cheap are computed, the others when they are needed."""
        e = self.e
        self._unset([slot for slot in slots if not any(part.slot == slot for part in self.parts)])
        for part in self.parts:
            if part.slot in slots:
                e.bind(part.slot, e.any(part.value))
                e.hoisted[part.slot] = const(1)

    def forget(self) -> None:
        """What was hoisted is not known any more."""
        for loop in self.loops:
            self._unset(loop.hoisted)

    def run(
        self,
        inner: Callable[[Label], None],
        start: int = 0,
        existence: bool = False,
        before: bool = True,
        at_once: Callable[[Value, Label], None] | None = None,
    ) -> None:
        """Write the loops from binder `start` on; `inner` writes what is done for each tuple, given the label that
        leaves them all. `at_once`: what is done instead with the last binder's values as a set of one word, which
        is not empty, and that label, if they are known as such."""
        f = self.e.f
        self.at_once = at_once
        held, self.e.held = self.e.held, dict(self.e.held)
        if self.filtered:
            self._hold()
        with f.block() as done:
            if before:
                self.test_before(done)
            for loop in self.loops[start:]:
                if loop.alone:
                    self._filter(loop)
                    assert loop.gathered is not None
                    f.leave_if(done, is_empty(loop.gathered))
            self._nest(start, inner, done, existence)
        self.e.held = held

    def _hold(self) -> None:
        """What is asked of rules in all loops is found out before them."""
        parts = [part for loop in self.loops for part in (*loop.tests, *loop.alone, *loop.early)]
        for node in (each for part in [*parts, *self.parts] if isinstance(part, x.Expr) for each in walk(part)):
            if isinstance(node, x.Call) and node.symbol.roles:
                hold(self.e, node.symbol.roles)

    def _counted(self, binder: x.Binder) -> bool:
        """Whether all picks of a binder are charged when they begin."""
        return is_plain(binder) and of_one_word(self.e, binder) and at_most_pairs(binder)

    def test_before(self, no: Label) -> None:
        """Leave if what depends on no binder does not hold."""
        for part in self.before:
            self.e.f.leave_if(no, self._test(part).eqz())

    def _filter(self, loop: Loop) -> None:
        """Filter a domain before all loops."""
        e, f = self.e, self.e.f
        self._unset(loop.alone_slots)
        if self._as_set(loop):
            domain = e.keep(e.any(loop.binder.source))
            assert isinstance(domain, Words)
            charge(e, domain, loop.binder)
            loop.gathered = filtered(e, domain, loop.alone, loop.binder.slot, loop.binder.type)
            return
        member = strip(loop.binder.type)
        if isinstance(loop.binder.source, x.Interval):
            low, high = loop.binder.source.lowest, loop.binder.source.highest
            count = max(1, most_of(e, high) - least_of(e, low) + 1)
        else:
            kind = loop.binder.source.type
            count = count_of(e, kind)
        gathering = Gathering(e, ListType(member, ((min(count, 1024),),)))
        with candidates(e, loop.binder, self.merge) as (value, following, _):
            e.bind(loop.binder.slot, value)
            e.somebody.add(loop.binder.slot)
            for part in loop.alone:
                f.leave_if(following, self._test(part).eqz())
            gathering.add(value)
        loop.gathered = gathering.done()

    def _nest(self, index: int, inner: Callable[[Label], None], done: Label, existence: bool) -> None:
        e, f = self.e, self.e.f
        if index == len(self.loops):
            inner(done)
            return
        loop = self.loops[index]
        self._begin(loop.hoisted)
        binder = loop.binder
        if self.at_once is not None and index == len(self.loops) - 1 and self._is_word(loop):
            domain = self._known_domain(loop)
            with f.when(domain.parts[0].ne(0)):
                self.at_once(domain.parts[0], done)
            return
        with self.source(loop) as (value, following, leave):
            if (binder.form != "one" and not self._counted(binder)) or isinstance(binder.source, x.Interval):
                e.unit.spend(f, 1, binder.span)
            e.bind(binder.slot, value)
            e.somebody.add(binder.slot)
            several = binder.form == "some" and isinstance(binder.lowest, x.Const) and bool(binder.lowest.value)
            if several and self.filtered:
                e.nonempty.add(binder.slot)
            if existence and loop.unread:
                self._nest(index + 1, inner, done, existence)
                f.leave(leave)
            else:
                for part in loop.tests:
                    f.leave_if(following, self._test(part).eqz())
                self._nest(index + 1, inner, done, existence)
        e.nonempty.discard(binder.slot)

    def source(self, loop: Loop) -> AbstractContextManager[tuple[Operand, Label, Label]]:
        """What a binder can take, as far as that is known before it is bound."""
        e, binder = self.e, loop.binder
        if binder.form != "one":
            from regelwerk.interpreter.wasm.combinations import each_pick

            return each_pick(e, binder, self.merge)
        if loop.sieves:
            return self._charged(self._known_domain(loop), binder)
        if loop.gathered is not None:
            return self._charged(loop.gathered, binder)
        return candidates(e, binder, self.merge, loop.early)

    def picks_only(self) -> x.Binder | None:
        """The only binder, if it takes several elements and nothing is tested for each pick."""
        loop = self.loops[0] if len(self.loops) == 1 else None
        return loop.binder if loop is not None and loop.binder.form != "one" and not loop.tests else None

    def _is_word(self, loop: Loop) -> bool:
        """Whether the values of a binder are a set of one word, and nothing is tested for each of them."""
        kind = loop.binder.source.type
        plain = self._as_set(loop) and not loop.tests
        return plain and isinstance(kind, SetType) and self.e.shapes.set_words(kind) == 1

    def _known_domain(self, loop: Loop) -> Words:
        """The values of a binder that are a set, as far as the sieves let them through."""
        domain = loop.gathered if loop.gathered is not None else self.e.keep(self.e.any(loop.binder.source))
        assert isinstance(domain, Words)
        return sifted(self.e, domain, loop.sieves)

    def _charged(self, domain: Words | Ref, binder: x.Binder) -> AbstractContextManager[tuple[Operand, Label, Label]]:
        """The members of a domain; the work is charged for all of them at once."""
        charge(self.e, domain, binder)
        return each_member(self.e, domain, binder.source.type)


CHEAP = 24
"""The most nodes of a part that is computed before it is known to be needed."""


def _is_cheap(e: Emitter, node: x.Expr) -> bool:
    """Whether a part of a condition may be computed at once, and costs less than asking whether it was."""
    nodes = list(walk(node))
    return (
        len(nodes) <= CHEAP
        and not any(isinstance(each, LOOPS) for each in nodes)
        and all(
            is_small(e.c, each.symbol) or written_in_place(e.unit, each.symbol)
            for each in nodes
            if isinstance(each, x.Call)
        )
        and faultless(e.c, node)
    )


# ---------------------------------------------------------------------------------------------------------- quantifiers
@writes(x.Quantified)
def _quantified(e: Emitter, node: x.Quantified) -> Operand:
    f, word, claim = e.f, node.quantifier, node.value
    if word == "some":
        found = f.copied(const(0))
        simple = claim is None and any(binder.form != "one" for binder in node.head.binders)
        nest = Nest(e, node.head, filtered=not simple)

        def hit(done: Label) -> None:
            if claim is None:
                f.set(found, 1)
                f.leave(done)
            else:
                with f.when(e.value(claim)):
                    f.set(found, 1)
                    f.leave(done)

        at_once = (lambda _, done: hit(done)) if claim is None else None
        nest.run(hit, existence=claim is None, at_once=at_once)
        return found
    if word == "every":
        assert claim is not None
        test = claim
        holds = f.copied(const(1))

        def miss(done: Label) -> None:
            with f.when(e.value(test).eqz()):
                f.set(holds, 0)
                f.leave(done)

        Nest(e, node.head).run(miss)
        return holds
    if word == "first":
        last = node.head.binders[-1]
        target = e.place(node.type)
        e.assign(target, e.empty(node.type))

        def take(done: Label) -> None:
            e.assign(target, e.slot(last.slot))
            f.leave(done)

        Nest(e, node.head).run(take)
        return target
    if word == "count":
        total = f.copied(const(0))
        Nest(e, node.head).run(
            lambda done: f.increase(total),
            at_once=lambda members, _: f.increase(total, members.one("popcnt").narrow()),
        )
        return total
    assert claim is not None
    value = claim
    if word == "list":
        kind = strip(node.type)
        assert isinstance(kind, ListType)
        gathering = Gathering(e, kind)
        Nest(e, node.head).run(lambda done: gathering.add(e.widened(value, kind.member)))
        return gathering.done()
    if word == "sum" and isinstance(strip(node.type), TallyType):
        size = e.program.unit_count(strip(node.type))
        room = f.room(4 * size)
        f.fill(room, 4 * size)

        def add(done: Label) -> None:
            each = e.ref(value)
            for k in range(size):
                f.store(room, load(room, 4 * k) + load(each.address, 4 * k), 4 * k)

        Nest(e, node.head).run(add)
        return Ref(room, strip(node.type))
    result = f.copied(const(0 if word == "sum" else NONE_NUMBER))

    def gather(done: Label) -> None:
        number = e.known(value)
        with f.when(number.ne(NONE_NUMBER)):
            fold(e, word, result, number)

    Nest(e, node.head).run(gather)
    return result
