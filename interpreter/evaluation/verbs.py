"""Built-in events that somebody looks at: how much is gained, which things are moved, what the history keeps of it."""

from __future__ import annotations

from collections.abc import Callable

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import RowType, member_of, strip
from regelwerk.interpreter import ir
from regelwerk.interpreter.evaluation.amounts import Purse, amounts, check_count
from regelwerk.interpreter.evaluation.base import Closure, Compiler, Locals
from regelwerk.interpreter.evaluation.moving import thing_list
from regelwerk.interpreter.evaluation.recording import recorder
from regelwerk.interpreter.evaluation.statements import compile_statement, runs
from regelwerk.interpreter.faults import Fault
from regelwerk.interpreter.layout import Image


def expected(purse: Purse, m: Image, player: int, count: int, gained: bool) -> int:
    """How much of an amount will really be gained or lost."""
    if not gained:
        return min(count, purse.of(m, player) - (purse.lowest if purse.is_track else 0))
    if not purse.is_track:
        return min(count, purse.of(m, 0))
    return min(count, purse.highest - purse.of(m, player)) if purse.overflow in ("lost", "block") else count


def asked_for(c: Compiler, node: t.Gain | t.Lose) -> Callable[[Image, Locals], tuple[list[int], list[int]]]:
    """A function that gives, unit by unit, how much is to be gained or lost, and how much of it really will be."""
    me, found, purses, span = c.expr(node.me), amounts(c, node.amount), c.program.purses, node.span
    gained = isinstance(node, t.Gain)

    def function(m: Image, env: Locals) -> tuple[list[int], list[int]]:
        player = me(m, env)
        if not player:
            raise Fault("none", f"nobody acts here, so nobody {'gains' if gained else 'loses'}", span)
        asked = [0] * len(purses)
        for unit, count in found(m, env):
            check_count(count, span)
            asked[unit] += count
        what = [0] * len(purses)
        for unit, count in enumerate(asked):
            if count:
                what[unit] = expected(purses[unit], m, player, count, gained)
        return asked, what

    return function


@runs(ir.AskedFor)
def _asked_for(c: Compiler, node: ir.AskedFor) -> Closure:
    function, asked_slot, what_slot = asked_for(c, node.statement), node.asked_slot, node.what_slot

    def run(m: Image, env: Locals) -> None:
        asked, what = function(m, env)
        env[asked_slot], env[what_slot] = tuple(asked), tuple(what)

    return run


@runs(ir.Perform)
def _perform(c: Compiler, node: ir.Perform) -> Closure:
    statement = node.statement
    if isinstance(statement, t.Transfer):
        return _give(c, node, statement)
    if not isinstance(statement, t.Gain | t.Lose) or (node.what_slot is None and not node.spills):
        return compile_statement(c, statement)
    me, found, purses, span = c.expr(statement.me), amounts(c, statement.amount), c.program.purses, node.span
    reason = c.program.texts.template(c, statement.reason) if statement.reason is not None else None
    gained, what_slot, spills = isinstance(statement, t.Gain), node.what_slot, dict(node.spills)
    word = "gain" if gained else "lose"

    def run(m: Image, env: Locals) -> None:
        player = me(m, env)
        if not player:
            raise Fault("none", f"nobody acts here, so nobody {word}s", span)
        what = [0] * len(purses)
        for slot in spills.values():
            env[slot] = 0
        for unit, count in found(m, env):
            check_count(count, span)
            purse = purses[unit]
            if unit in spills:
                env[spills[unit]] += max(0, purse.of(m, player) + count - purse.highest)
            real = purse.add(m, player, count, span) if gained else purse.remove(m, player, count)
            what[unit] += real
            if m.log is not None and real:
                m.log.append((word, player, unit, real, reason(m, env) if reason is not None else "", span))
        if what_slot is not None:
            env[what_slot] = tuple(what)

    return run


def _give(c: Compiler, node: ir.Perform, statement: t.Transfer) -> Closure:
    give, found, purses = compile_statement(c, statement), amounts(c, statement.amount), c.program.purses
    giver, receiver, spills = c.holder(statement.giver), c.holder(statement.receiver), node.spills

    def run(m: Image, env: Locals) -> None:
        given: dict[int, int] = {}
        for unit, count in found(m, env):
            given[unit] = given.get(unit, 0) + count
        for unit, slot in spills:
            purse = purses[unit]
            real = min(given.get(unit, 0), purse.of(m, giver(m, env)) - purse.lowest)
            env[slot] = max(0, purse.of(m, receiver(m, env)) + real - purse.highest)
        give(m, env)

    return run


@runs(ir.CollectThings)
def _collect_things(c: Compiler, node: ir.CollectThings) -> Closure:
    things, slot = thing_list(c, node.things), node.list_slot

    def run(m: Image, env: Locals) -> None:
        env[slot] = tuple(things(m, env))

    return run


@runs(ir.RecordVerb)
def _record_verb(c: Compiler, node: ir.RecordVerb) -> Closure:
    what: Closure | None = None
    if node.what_slot is not None:
        slot = node.what_slot
        what = lambda m, env: env[slot]  # noqa: E731 - a closure like the others
    return recording(c, node.me, node.questions, what, node.things)


def recorded(c: Compiler, node: t.Stmt, questions: list[g.HistoryQuestion]) -> Closure:
    """Enter a built-in event that no rule reacts to."""
    if isinstance(node, t.Gain | t.Lose):
        found = asked_for(c, node) if any(question.keys for question in questions) else None
        what: Closure | None = (lambda m, env: found(m, env)[1]) if found is not None else None
        return recording(c, node.me, questions, what, None)
    assert isinstance(node, t.Move)
    return recording(c, node.me, questions, None, node.things)


def recording(
    c: Compiler, me_node: x.Expr, questions: list[g.HistoryQuestion], what: Closure | None, things: x.Expr | None
) -> Closure:
    """Enter an event: once, and for each unit or thing that somebody asks about."""
    me = c.expr(me_node)
    plain = recorder(c, [each for each in questions if not each.keys])
    keyed = [(each.keys[0][1], recorder(c, [each])) for each in questions if each.keys]
    if not keyed:
        return lambda m, env: plain(m, me(m, env), [])
    if what is not None:
        units = what

        def run(m: Image, env: Locals) -> None:
            player = me(m, env)
            plain(m, player, [])
            for unit, count in enumerate(units(m, env)):
                if count:
                    for _, record in keyed:
                        record(m, player, [unit + 1])

        return run
    if things is None:
        return lambda m, env: plain(m, me(m, env), [])
    found, kind = thing_list(c, things), strip(member_of(things.type) or things.type)
    symbol: g.EntitySymbol = kind.symbol  # type: ignore[attr-defined]  # things by construction
    rows = c.program.things[symbol].row_of
    asked = [
        (isinstance(wanted, RowType), record) for wanted, record in keyed if getattr(wanted, "symbol", None) is symbol
    ]

    def run_things(m: Image, env: Locals) -> None:
        player = me(m, env)
        plain(m, player, [])
        for thing in found(m, env):
            for by_row, record in asked:
                record(m, player, [rows[thing] if by_row else thing])

    return run_things
