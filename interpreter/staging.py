"""Large choices as sequences of small ones.

A head whose tuples are too many for one list, or that picks a part of an amount, is asked binder by binder, and several
elements pick by pick. Between these questions nothing happens: the answers so far are a list of numbers in the frame of
the body that waits (`ENOUGH` ends the picks of one binder). Only answers are offered that can be completed, so that no
sequence runs into a dead end (language, section 7).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import comb
from typing import Any

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.limits import AMOUNT, PICKS
from regelwerk.dsl.model.types import IntType, TallyType, Type, bound_of, member_of, strip
from regelwerk.interpreter.evaluation.base import Closure, Compiler, Locals, Value, slots_read
from regelwerk.interpreter.evaluation.heads import (
    Conjunct,
    Loop,
    Step,
    compile_candidates,
    compile_head,
    enumerator,
)
from regelwerk.interpreter.evaluation.inlining import UNSET
from regelwerk.interpreter.layout import Image

ENOUGH = -1
"""The answer that ends the picks of a binder."""

FLAT = 1024
"""So many tuples, whatever the conditions say, are still one list (language, section 7)."""


def longest_answers(heads: list[x.Head]) -> int:
    """How many numbers the answers to one of these heads take, with the number of the way before them."""
    return 1 + max((sum(_longest(binder) for binder in head.binders) for head in heads), default=0)


def _longest(binder: x.Binder) -> int:
    """How many numbers the answers to one binder take, with the end of its picks."""
    if binder.form == "one":
        return 1
    most = AMOUNT if isinstance(strip(binder.type), TallyType) else PICKS
    if binder.highest is not None and isinstance(binder.highest.type, IntType):
        most = min(most, max(0, binder.highest.type.highest))
    return most + 1


def may_be_staged(head: x.Head, size_of: Callable[[Type], int]) -> bool:
    """Whether a head can have so many tuples (or such) that it is asked in stages."""
    product = 1
    for binder in head.binders:
        if isinstance(strip(binder.type), TallyType) or binder.inner:
            return True
        count = _most_members(binder.source, size_of)
        product *= count if binder.form == "one" else _subsets(count, 0, count)
        if product > FLAT:
            return True
    return False


def _most_members(source: x.Expr, size_of: Callable[[Type], int]) -> int:
    """How many members a collection can have, by its type."""
    kind = source.type
    if isinstance(source, x.Interval) and isinstance(source.lowest, x.Const) and isinstance(source.highest, x.Const):
        return max(0, int(source.highest.value) - int(source.lowest.value) + 1)  # type: ignore[arg-type]  # numbers
    total = 0
    for product in bound_of(kind):
        value = 1
        for term in product:
            value *= term if isinstance(term, int) else size_of(term)
        total += value
    return total


def _subsets(count: int, least: int, most: int) -> int:
    return sum(comb(count, size) for size in range(max(0, least), min(count, most, PICKS) + 1))


@dataclass(slots=True)
class _Size:
    """How many values one binder has before any condition: from its domain now, or (no domain) at most `bound`."""

    domain: Closure | None
    bound: int
    low: Closure | None
    high: Closure | None


class StagedHead:
    """A head asked binder by binder."""

    def __init__(
        self,
        c: Compiler,
        head: x.Head,
        extra: list[Conjunct],
        frame: g.Frame | None,
        late: frozenset[int],
        final: Step,
    ) -> None:
        """`final`: what is tested when all binders are bound; `late`: the slots it reads."""
        self.head = head
        self.slots = [binder.slot for binder in head.visible]
        self.composed = [bool(binder.fields) for binder in head.binders]
        self.always = any(isinstance(strip(binder.type), TallyType) or binder.inner for binder in head.binders)
        self.before, self.loops = compile_head(c, head, extra, True, frame, late, filtered=False)
        self.rest = [
            enumerator(self.before if i == 0 else [], self.loops[i:], final, existence=True)
            for i in range(len(self.loops) + 1)
        ]
        self.stages = [self._single(i) if loop.space is None else None for i, loop in enumerate(self.loops)]
        self.found: list[int] = []
        self.hoisted = [slot for loop in self.loops for slot in loop.hoisted]
        size_of = c.program.domains.count
        self.sizes = [self._size(c, head, i, size_of) for i in range(len(head.binders))]

    def _size(self, c: Compiler, head: x.Head, index: int, size_of: Callable[[Type], int]) -> _Size:
        binder = head.binders[index]
        earlier = {each.slot for each in head.binders[:index]}
        several = binder.form != "one" and binder.lowest is not None and binder.highest is not None
        reads = slots_read(binder.source)
        for bound in (binder.lowest, binder.highest):
            reads |= slots_read(bound) if bound is not None else set()
        if reads & earlier or member_of(binder.source.type) is None:
            count = _most_members(binder.source, size_of)
            return _Size(None, count if not several else _subsets(count, 0, count), None, None)
        plain = binder.plain(member_of(binder.source.type))
        domain = compile_candidates(c, plain, False)
        if not several:
            return _Size(domain, 0, None, None)
        assert binder.lowest is not None
        assert binder.highest is not None
        return _Size(domain, 0, c.expr(binder.lowest), c.expr(binder.highest))

    def staged(self, m: Image, env: Locals) -> bool:
        """Whether the head is asked in stages, as things stand."""
        if self.always:
            return True
        product = 1
        for size in self.sizes:
            if size.domain is None:
                count = size.bound
            else:
                count = len(list(size.domain(m, env)))
                if size.low is not None and size.high is not None:
                    count = _subsets(count, size.low(m, env), size.high(m, env))
            product *= max(1, count)
            if product > FLAT:
                return True
        return False

    # -------------------------------------------------------------------------------------------------------- stages
    def _single(self, index: int) -> Step:
        """Collects the values of a single binder that can be completed."""
        slot, complete = self.loops[index].slot, self.rest[index + 1]

        def collect(m: Image, env: Locals) -> bool:
            value = env[slot]
            if complete(m, env):
                self.found.append(value)
            return False

        return enumerator(self.before if index == 0 else [], [self.loops[index]], collect)

    def possible(self, m: Image, env: Locals) -> bool:
        """Whether there is a tuple at all."""
        self._unset(env)
        return bool(self.rest[0](m, env))

    def _unset(self, env: Locals) -> None:
        """What was hoisted for other answers, or in another state, is not known any more."""
        for slot in self.hoisted:
            env[slot] = UNSET

    def _picks(self, index: int, m: Image, env: Locals, picks: list[int]) -> tuple[list[int], bool]:
        """The next picks of a binder, and whether those made may be enough."""
        loop, complete = self.loops[index], self.rest[index + 1]
        assert loop.space is not None
        if loop.unread:
            return loop.space.stage(m, env, picks, None)
        slot, tests = loop.slot, loop.tests

        def accept(value: Value) -> bool:
            env[slot] = value
            return all(test(m, env) for test in tests) and bool(complete(m, env))

        return loop.space.stage(m, env, picks, accept)

    def read(self, m: Image, env: Locals, answers: tuple[int, ...]) -> tuple[int, list[int]]:
        """Bind what the answers say: the binder that is asked next (behind the last one: all are bound), and its picks
        so far."""
        place = 0
        for index, loop in enumerate(self.loops):
            if self.composed[index]:
                env[loop.slot] = loop.candidates(m, env)[0]
                continue
            if loop.space is None:
                if place >= len(answers):
                    return index, []
                env[loop.slot] = answers[place]
                place += 1
                continue
            picks: list[int] = []
            while True:
                if place >= len(answers):
                    return index, picks
                place += 1
                if answers[place - 1] == ENOUGH:
                    break
                picks.append(answers[place - 1])
            env[loop.slot] = loop.space.picked(m, env, picks)
        return len(self.loops), []

    def options(self, m: Image, env: Locals, answers: tuple[int, ...]) -> list[int]:
        """The next answers that can be completed; `ENOUGH` comes last."""
        self._unset(env)
        index, picks = self.read(m, env, answers)
        stage = self.stages[index]
        if stage is None:
            found, enough = self._picks(index, m, env, picks)
            return [*found, ENOUGH] if enough else found
        outer, self.found = self.found, []
        try:
            stage(m, env)
            return self.found
        finally:
            self.found = outer

    def settle(self, m: Image, env: Locals, answers: tuple[int, ...]) -> tuple[tuple[int, ...], bool]:
        """End the picks of binders that have nothing left to pick; whether all binders are bound then."""
        while True:
            self._unset(env)
            index, picks = self.read(m, env, answers)
            if index == len(self.loops):
                return answers, True
            if self.loops[index].space is None:
                return answers, False
            found, _ = self._picks(index, m, env, picks)
            if found:
                return answers, False
            answers = (*answers, ENOUGH)

    def find(
        self,
        m: Image,
        env: Locals,
        wanted: Callable[[int, list[int], list[int]], list[int]],
        answers: tuple[int, ...] = (),
    ) -> tuple[Any, ...] | None:
        """The first tuple that is reached when of the next answers only those are gone on with that `wanted` keeps
        (given the binder's number, its picks so far and the answers), None if there is none."""
        answers, complete = self.settle(m, env, answers)
        if complete:
            return self.values(env)
        index, picks = self.read(m, env, answers)
        for answer in wanted(index, picks, self.options(m, env, answers)):
            found = self.find(m, env, wanted, (*answers, answer))
            if found is not None:
                return found
        return None

    def values(self, env: Locals) -> tuple[Any, ...]:
        """The tuple, when all binders are bound."""
        return tuple(env[slot] for slot in self.slots)


__all__ = ["ENOUGH", "FLAT", "Loop", "StagedHead", "longest_answers", "may_be_staged"]
