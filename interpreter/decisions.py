"""Decisions: which options there are, and why an action is not one of them.

An option is a pair (way, values): the number of the action or alternative with the values of its parameters, or one of
the ways `PASS` (pass, no) and `DONE` (done). Where parameters are asked in stages (`staging`), an action is first
chosen without its values, then each option is (`STAGE`, (answer,)). Options are never stored; they follow from the
image.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.interpreter import ir
from regelwerk.interpreter.evaluation.amounts import affordable, can_pay, cost_function
from regelwerk.interpreter.evaluation.base import Closure, Compiler, Locals, compiles, slots_read
from regelwerk.interpreter.evaluation.heads import Conjunct, Factory, compile_head, conjuncts, enumerator
from regelwerk.interpreter.evaluation.roles import live
from regelwerk.interpreter.evaluation.statements import effect_function, requirement_test
from regelwerk.interpreter.layout import Image
from regelwerk.interpreter.seal_records import answers_so_far, keep_answers
from regelwerk.interpreter.staging import StagedHead, may_be_staged

if TYPE_CHECKING:
    from regelwerk.interpreter.program import Program

PASS, DONE, STAGE = -1, -2, -3

Raw = tuple[int, tuple[Any, ...]]
"""An option as the machine sees it."""

OPTION_LIMIT = 4096
"""The longest list of options (language, section 16)."""
NOBODY_DECIDES = "somebody has to decide here, and nobody acts"


@dataclass(frozen=True)
class Failure:
    """Why an action is refused: the address of the clause, its text, the clauses it cites, and where it stands."""

    address: str
    text: str
    citations: tuple[str, ...]
    symbol: object


class ActionOptions:
    """The options of one action."""

    def __init__(self, c: Compiler, action: g.ActionSymbol) -> None:
        self.action = action
        self.program = c.program
        self.frame = g.Frame(list(action.frame.types), list(action.frame.names))
        self.slots = [slot for _, _, slot in action.parameters]
        head = action.head or x.Head([])
        lets = [
            (clause[0], c.expr(clause[1]), slots_read(clause[1]))
            for clause in action.clauses
            if isinstance(clause, tuple)
        ]
        let_slots = {slot for slot, _, _ in lets}
        self.lets = lets
        self.tests: list[tuple[g.RequireSymbol | g.Role | g.Limit, Closure]] = []
        extra: list[Conjunct] = []
        late: list[Closure] = []
        for clause in action.clauses:
            if isinstance(clause, g.RequireSymbol):
                test = requirement_test(c, clause, self.slots)
                bound = {self.slots[i] for role in clause.roles for _, i in role.bindings}
                self.tests.append((clause, test))
                parts = conjuncts(clause.condition) if not clause.roles else [clause.condition]
                for part in parts:
                    reads = slots_read(part) | bound
                    if reads & let_slots:
                        late.append(c.expr(part) if len(parts) > 1 else test)
                    else:
                        extra.append(Conjunct(test if clause.roles else part, reads))
        for role in action.roles:
            if role.kind == "forbid":
                forbids = live(c, role)
                test = self._forbidden(forbids)
                self.tests.append((role, test))
                extra.append(Conjunct(test, {self.slots[i] for _, i in role.bindings}))
        if action.limit is not None:
            test = self._limit(c, action.limit)
            self.tests.append((action.limit, test))
            extra.insert(0, Conjunct(test, set()))
        self.costs = cost_function(c, action)
        if self.costs is not None and not self.costs[1] & let_slots:
            extra.append(Conjunct(Factory(lambda compiled: affordable(c, action, compiled)), self.costs[1]))
        elif self.costs is not None:
            late.append(affordable(c, action, c.expr))
        late_reads = frozenset().union(*(reads for _, _, reads in lets), self.costs[1] if self.costs else ())
        if late:
            late_reads |= set(self.slots)
        before, loops = compile_head(c, head, extra, True, self.frame, late_reads)
        self.late = late
        self.simple = not late and not lets
        self.found: list[tuple[Any, ...]] = []
        self.run = enumerator(before, loops, self._collect)
        self.staged: StagedHead | None = None
        if may_be_staged(head, c.program.member_count):
            self.staged = StagedHead(c, head, extra, self.frame, late_reads, self._completes)
        self.size = 2 * len(self.frame.types)
        self.head_tests = self._head_tests(c, head)
        self.record_tests = [(r, c.expr(r.condition)) for b in head.binders for r in b.requirements]
        self.records = [(b.slot, b.fields) for b in reversed(head.binders) if b.fields]

    def _forbidden(self, forbids: Callable[[Image, int, list[Any]], bool]) -> Closure:
        return lambda m, env: not forbids(m, env[0], [env[slot] for slot in self.slots])

    def _limit(self, c: Compiler, limit: g.Limit) -> Closure:
        at_most = c.expr(limit.at_most)
        count = c.expr(
            x.HistoryRead(
                limit.at_most.type,
                self.action.span,
                limit.question,
                x.Local(limit.at_most.type, self.action.span, 0),
                [],
            )
        )
        return lambda m, env: count(m, env) < at_most(m, env)

    def _collect(self, m: Image, env: Locals) -> bool:
        if self.simple:
            self.found.append(tuple([env[slot] for slot in self.slots]))
            return self._first_only
        for slot, value, _ in self.lets:
            env[slot] = value(m, env)
        for test in self.late:
            if not test(m, env):
                return False
        self.found.append(tuple([env[slot] for slot in self.slots]))
        return self._first_only

    def _completes(self, m: Image, env: Locals) -> bool:
        for slot, value, _ in self.lets:
            env[slot] = value(m, env)
        return all(test(m, env) for test in self.late)

    _first_only = False

    def _head_tests(self, c: Compiler, head: x.Head) -> list[tuple[x.Binder, Closure]]:
        """For single binders with a `where`: the test, to say why a value is not among the options."""
        own = [(b, b.own if b.fields else b.condition) for b in head.visible if b.form == "one"]
        return [(b, c.expr(test)) for b, test in own if test is not None]

    def options(self, m: Image, me: int) -> list[tuple[Any, ...]]:
        """All options for a player, in order."""
        outer, self.found = self.found, []
        env = self.locals(me)
        try:
            self.run(m, env)
            return self.found
        finally:
            self.found = outer

    def locals(self, me: int) -> Locals:
        """Locals in which nothing but `me` is bound."""
        env: Locals = [0] * self.size
        env[0] = me
        return env

    def possible(self, m: Image, me: int) -> bool:
        """Whether there is an option."""
        if self.staged is not None:
            return self.staged.possible(m, self.locals(me))
        self._first_only = True
        try:
            return bool(self.options(m, me))
        finally:
            self._first_only = False

    def bound(self, me: int, values: tuple[Any, ...], m: Image) -> Locals:
        """Locals with the parameters (and `let`s) set."""
        env = self.locals(me)
        for slot, value in zip(self.slots, values, strict=True):
            env[slot] = value
        for slot, fields in self.records:
            for each, value in zip(fields, env[slot], strict=True):
                env[each] = value
        for slot, let, _ in self.lets:
            env[slot] = let(m, env)
        return env

    def price(self, m: Image, me: int, values: tuple[Any, ...]) -> list[tuple[g.CostSymbol, list[tuple[int, int]]]]:
        """What an option costs, clause by clause."""
        return self.costs[0](m, self.bound(me, values, m)) if self.costs is not None else []

    def failures(self, m: Image, me: int, values: tuple[Any, ...]) -> list[Failure]:
        """Every clause that refuses these parameters."""
        texts = self.program.texts
        env = self.bound(me, values, m)
        found: list[Failure] = []
        for binder, test in self.head_tests:
            if not test(m, env):
                text = (
                    texts.render(binder.otherwise, m, env)
                    if binder.otherwise is not None
                    else f"{binder.name} is not among the choices"
                )
                found.append(Failure(f"{self.action.name}.{binder.name}", text, (), binder))
        for source, test in [*self.record_tests, *self.tests]:
            if test(m, env):
                continue
            if isinstance(source, g.RequireSymbol):
                text = (
                    texts.render(source.otherwise, m, env)
                    if source.otherwise is not None
                    else f"{source.name} does not hold"
                )
                found.append(Failure(source.address, text, source.citations, source))
            elif isinstance(source, g.Role):
                text = (
                    texts.render(source.reason, m, env)
                    if source.reason is not None and not source.bindings
                    else texts.plain(source.reason)
                )
                found.append(Failure(source.name, text, source.citations, source))
            else:
                found.append(Failure(f"{self.action.name}.limit", "it has been done as often as it may", (), source))
        found += self._unpaid(m, me, env)
        return found

    def _unpaid(self, m: Image, me: int, env: Locals) -> list[Failure]:
        if self.costs is None:
            return []
        total: list[tuple[int, int]] = []
        for clause, parts in self.costs[0](m, env):
            total += parts
            if not can_pay(self.program.purses, m, me, total):
                amount = self.program.texts.amount(parts)
                why = f" to {self.program.texts.render(clause.printed, m, env)}" if clause.printed is not None else ""
                return [Failure(clause.address, f"you need {amount}{why}", clause.citations, clause)]
        return []


Said = Callable[[Locals], tuple[int, ...]]
Say = Callable[[Locals, tuple[int, ...]], None]


def _answers(end: ir.ChooseEnd | ir.OfferEnd | ir.SealEnd | ir.AlternativesEnd) -> tuple[Said | None, Say]:
    """How the answers of a decision in stages are read and kept; None for one that is never asked so."""
    if isinstance(end, ir.SealEnd) and end.staged:
        seals = end.seals
        return lambda env: answers_so_far(seals, env, env[0]), lambda env, new: keep_answers(seals, env, env[0], new)
    slot = end.answers_slot if isinstance(end, ir.ChooseEnd | ir.OfferEnd) else None
    if slot is None:
        return None, lambda env, new: None
    return operator.itemgetter(slot), lambda env, new: operator.setitem(env, slot, new)


class Site:
    """One place where somebody decides: its options for the locals of the body that waits there.

    options  what is asked now: whole options, or the next answers of a decision in stages
    whole    all options with the values of their parameters, however they are asked
    said     the answers so far, with the number of the way first; None if it is never asked in stages
    """

    def __init__(
        self,
        c: Compiler,
        end: ir.ChooseEnd | ir.OfferEnd | ir.SealEnd | ir.AlternativesEnd,
        scratch: g.Frame | None = None,
    ) -> None:
        """`scratch`: the local variables of the body, where room for more may be taken."""
        self.end: ir.Deciding = end
        self.number = end.number
        node: Any = (
            end.choice
            if isinstance(end, ir.ChooseEnd)
            else end.offer
            if isinstance(end, ir.OfferEnd | ir.SealEnd)
            else end.alternatives
        )
        self.node = node
        self.address: str = node.address
        self.actor = c.expr(node.me)
        self.said, self.say = _answers(end)
        self.actions: list[ActionOptions] = []
        self.choice: StagedHead | None = None
        if isinstance(end, ir.ChooseEnd):
            if self.said is not None:
                self.choice = StagedHead(c, end.choice.head, [], scratch, frozenset(), lambda m, env: True)
            self.whole = self._choose(c, end.choice, scratch)
            self.options = self._staged_choice(c, end.choice) if self.choice is not None else self.whole
        elif isinstance(end, ir.OfferEnd | ir.SealEnd):
            self.actions = [c.program.action_options(action) for action in end.offer.actions]
            self.whole = self._offer(end.offer)
            self.options = self._staged_offer(end.offer) if self.said is not None else self.whole
        else:
            self.whole = self.options = self._alternatives(c, end.alternatives)

    options: Callable[[Image, Locals], list[Raw]]
    whole: Callable[[Image, Locals], list[Raw]]

    def _choose(self, c: Compiler, node: t.Choose, scratch: g.Frame | None) -> Callable[[Image, Locals], list[Raw]]:
        slots = [binder.slot for binder in node.head.visible]
        found: list[Raw] = []

        def collect(m: Image, env: Locals) -> bool:
            found.append((0, tuple([env[slot] for slot in slots])))
            return False

        before, loops = compile_head(c, node.head, [], True, scratch)
        run = enumerator(before, loops, collect)
        others = self._no_or_done(c, node)

        def options(m: Image, env: Locals) -> list[Raw]:
            nonlocal found
            found = []
            run(m, env)
            return found + others(m, env) if found else found

        return options

    def _no_or_done(self, c: Compiler, node: t.Choose) -> Callable[[Image, Locals], list[Raw]]:
        """The options of a choice beside its tuples."""
        done = c.expr(node.done_when) if node.done_when is not None else None

        def options(m: Image, env: Locals) -> list[Raw]:
            result: list[Raw] = [(PASS, ())] if node.optional else []
            if node.done is not None and (done is None or done(m, env)):
                result.append((DONE, ()))
            return result

        return options

    def _offer(self, node: t.Offer) -> Callable[[Image, Locals], list[Raw]]:
        actions, me, others = self.actions, self.actor, self._pass_or_done(node)

        def options(m: Image, env: Locals) -> list[Raw]:
            player = me(m, env)
            result: list[Raw] = [
                (k, values) for k, action in enumerate(actions) for values in action.options(m, player)
            ]
            return result + others

        return options

    def _pass_or_done(self, node: t.Offer) -> list[Raw]:
        """The options of an offer beside its actions."""
        passing: list[Raw] = [(PASS, ())] if node.passing is not None else []
        return [*passing, (DONE, ())] if node.until_done is not None else passing

    # -------------------------------------------------------------------------------------------------------- stages
    def _staged_choice(self, c: Compiler, node: t.Choose) -> Callable[[Image, Locals], list[Raw]]:
        head, said, whole, others = self.choice, self.said, self.whole, self._no_or_done(c, node)
        assert head is not None
        assert said is not None

        def options(m: Image, env: Locals) -> list[Raw]:
            answers = said(env)
            if answers:
                return [(STAGE, (answer,)) for answer in head.options(m, env, answers[1:])]
            if not head.staged(m, env):
                return whole(m, env)
            result: list[Raw] = [(STAGE, (answer,)) for answer in head.options(m, env, ())]
            return result + others(m, env) if result else result

        return options

    def _staged_offer(self, node: t.Offer) -> Callable[[Image, Locals], list[Raw]]:
        actions, me, others, said = self.actions, self.actor, self._pass_or_done(node), self.said
        alone = len(actions) == 1 and not others
        assert said is not None

        def options(m: Image, env: Locals) -> list[Raw]:
            player, answers = me(m, env), said(env)
            if answers:
                action = actions[answers[0]]
                assert action.staged is not None
                found = action.staged.options(m, action.locals(player), answers[1:])
                return [(STAGE, (answer,)) for answer in found]
            result: list[Raw] = []
            for k, action in enumerate(actions):
                if action.staged is None or not action.staged.staged(m, action.locals(player)):
                    result += [(k, values) for values in action.options(m, player)]
                elif alone:
                    result += [(STAGE, (answer,)) for answer in action.staged.options(m, action.locals(player), ())]
                elif action.possible(m, player):
                    result.append((k, ()))
            return result + others

        return options

    def stage(self, m: Image, env: Locals, raw: Raw) -> tuple[StagedHead, Locals, tuple[int, ...]] | None:
        """What a decision in stages stands at: the head, the locals its answers are bound in, the answers so far with
        the number of the way before them; None for an option that is whole."""
        if self.said is None:
            return None
        way, values = raw
        answers = self.said(env)
        if way == STAGE:
            answers = answers or (0,)
        elif way >= 0 and not values and self.actions and self.actions[way].slots:
            answers = (way,)
        else:
            return None
        if self.choice is not None:
            return self.choice, env, answers
        action = self.actions[answers[0]]
        assert action.staged is not None
        return action.staged, action.locals(self.actor(m, env)), answers

    def answer(self, m: Image, env: Locals, raw: Raw) -> Raw | None:
        """The whole option that an answer completes, or None if there is more to ask."""
        found = self.stage(m, env, raw)
        if found is None:
            self.say(env, ())
            return raw
        head, inner, answers = found
        if raw[0] == STAGE:
            answers = (*answers, raw[1][0])
        settled, complete = head.settle(m, inner, answers[1:])
        self.say(env, () if complete else (answers[0], *settled))
        return (answers[0], head.values(inner)) if complete else None

    def _alternatives(self, c: Compiler, node: t.Alternatives) -> Callable[[Image, Locals], list[Raw]]:
        tests = [c.expr(way.condition) if way.condition is not None else None for way in node.ways]
        slot = node.done_slot

        def options(m: Image, env: Locals) -> list[Raw]:
            taken = env[slot]
            if node.highest > 1 and taken.bit_count() >= node.highest:
                return []
            result: list[Raw] = [
                (k, ()) for k, test in enumerate(tests) if not taken >> k & 1 and (test is None or test(m, env))
            ]
            if result and node.may:
                result.append((PASS, ()))
            if result and node.highest > 1 and taken.bit_count() >= node.lowest:
                result.append((DONE, ()))
            return result

        return options


# -------------------------------------------------------------------------------------------- what can begin, as values
@compiles(x.CanDo)
def _can_do(c: Compiler, node: x.CanDo) -> Closure:
    symbol, me, arguments = node.symbol, c.expr(node.me), [c.expr(a) for a in node.arguments]
    function = can_function(c.program, c, symbol)
    return lambda m, env: function(m, me(m, env), [a(m, env) for a in arguments])


def can_function(program: Program, c: Compiler, symbol: g.EffectSymbol) -> Callable[[Image, int, list[Any]], bool]:
    """Whether a named effect can begin; a replacement that is live answers for it."""
    known: Callable[[Image, int, list[Any]], bool] | None = program.can_functions.get(symbol)
    if known is not None:
        return known
    cell: list[Any] = []
    size, slots = 2 * len(symbol.frame.types), symbol.slots

    def function(m: Image, me: int, arguments: list[Any]) -> bool:
        tests, body, replacements = cell
        env: Locals = [0] * size
        env[0] = me
        for slot, argument in zip(slots, arguments, strict=True):
            env[slot] = argument
        if not all(test(m, env) for test in tests):
            return False
        if any(holds(m, me, arguments) for holds in replacements):
            return True
        return bool(body(m, env))

    program.can_functions[symbol] = function
    assert symbol.can is not None
    tests = [requirement_test(c, each, symbol.slots) for each in symbol.requirements]
    cell.extend([tests, c.expr(symbol.can), [live(c, role) for role in symbol.roles if role.kind == "instead"]])
    return function


@compiles(x.CanCell)
def _can_cell(c: Compiler, node: x.CanCell) -> Closure:
    me, thing, arguments = c.expr(node.me), c.expr(node.thing), [c.expr(a) for a in node.arguments]
    rows = c.program.things[node.column.entity].row_of
    tests: list[tuple[int, Closure] | None] = [None]
    for row, cell in enumerate(node.column.cells, 1):
        tests.append(
            (2 * len(cell.frame.types), c.expr(cell.can))
            if isinstance(cell, g.CellBody) and cell.can is not None and row in node.rows
            else None
        )

    def test(m: Image, env: Locals) -> bool:
        k = thing(m, env)
        found = tests[rows[k]]
        if found is None:
            return bool(k)
        inner: Locals = [0] * found[0]
        inner[0], inner[1] = me(m, env), k
        for index, argument in enumerate(arguments):
            inner[2 + index] = argument(m, env)
        return bool(found[1](m, inner))

    return test


@compiles(x.CanOffer)
def _can_offer(c: Compiler, node: x.CanOffer) -> Closure:
    me, actions = c.expr(node.me), [c.program.action_options(action) for action in node.actions]
    return lambda m, env: any(action.possible(m, me(m, env)) for action in actions)


__all__ = ["DONE", "PASS", "STAGE", "ActionOptions", "Failure", "Raw", "Site", "effect_function"]
