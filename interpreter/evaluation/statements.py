"""Statements that cannot suspend, as closures; other modules of this package register theirs with `runs`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import ListType
from regelwerk.interpreter import ir
from regelwerk.interpreter import layout as la
from regelwerk.interpreter.coverage import watched
from regelwerk.interpreter.evaluation.base import (
    Closure,
    Compiler,
    Locals,
)
from regelwerk.interpreter.evaluation.heads import spoken, tuples
from regelwerk.interpreter.evaluation.recording import record_function
from regelwerk.interpreter.evaluation.roles import live
from regelwerk.interpreter.faults import Fault
from regelwerk.interpreter.ir import Laws
from regelwerk.interpreter.layout import Image

STATEMENTS: dict[type, Callable[[Compiler, Any], Closure]] = {}
Handler = TypeVar("Handler", bound=Callable[[Compiler, Any], Closure])


def runs(kind: type) -> Callable[[Handler], Handler]:
    """Registers the function that compiles a kind of statement or operation."""

    def register(function: Handler) -> Handler:
        STATEMENTS[kind] = function
        return function

    return register


BUDGET = 1_000_000
"""How many statements may run between two decisions (language, section 16)."""


def compile_operations(c: Compiler, nodes: list[t.Stmt | ir.Operation]) -> list[Closure]:
    """The closures of statements in sequence; laws are settled after those that write what a law reads."""
    done: list[Closure] = []
    for node in nodes:
        if isinstance(node, t.Sequence):
            done += compile_operations(c, list(node.statements))
            continue
        questions = asked_of(c, node)
        if questions:
            from regelwerk.interpreter.evaluation.verbs import recorded  # it is built upon this module

            done.append(recorded(c, node, questions))  # type: ignore[arg-type]  # it is a statement
        done.append(compile_statement(c, node))
        if isinstance(node, t.Stmt) and (laws := c.program.colours.touched(c.program.colours.writes(node))):
            done.append(settling(c, laws))
    return done


VERBS: dict[type, str] = {t.Gain: "gain", t.Lose: "lose", t.Move: "move", t.Draw: "draw", t.Roll: "roll"}
"""The statements that are built-in events."""


def asked_of(c: Compiler, node: object) -> list[g.HistoryQuestion]:
    """The questions about the past that a built-in event answers."""
    name = VERBS.get(type(node))
    return c.program.game.verbs[name].questions if name is not None else []


def compile_statement(c: Compiler, node: t.Stmt | ir.Operation) -> Closure:
    """The closure of one statement or operation."""
    return STATEMENTS[type(node)](c, node)


def _body(c: Compiler, node: t.Stmt | None) -> Closure:
    operations = compile_operations(c, [node]) if node is not None else []
    if len(operations) == 1:
        return operations[0]

    def run(m: Image, env: Locals) -> None:
        for operation in operations:
            operation(m, env)

    return run


def spend(c: Compiler, span: Any) -> Callable[[], None]:
    """Counts passes of loops against the budget."""
    program = c.program

    def tick() -> None:
        program.budget -= 1
        if program.budget < 0:
            raise Fault("budget", f"more than {BUDGET} statements without a decision", span)

    return tick


@runs(t.Let)
@runs(ir.SetLocal)
def _let(c: Compiler, node: t.Let | ir.SetLocal) -> Closure:
    slot, value = node.slot, c.expr(node.value)

    def run(m: Image, env: Locals) -> None:
        env[slot] = value(m, env)

    return run


@runs(t.Sequence)
def _sequence(c: Compiler, node: t.Sequence) -> Closure:
    return _body(c, node)


@runs(t.If)
def _if(c: Compiler, node: t.If) -> Closure:
    test, yes = c.expr(node.condition), _body(c, node.consequence)
    no = _body(c, node.alternative) if node.alternative is not None else None

    def run(m: Image, env: Locals) -> None:
        if test(m, env):
            yes(m, env)
        elif no is not None:
            no(m, env)

    return run


@runs(t.ForEach)
def _for(c: Compiler, node: t.ForEach) -> Closure:
    all_tuples, body = tuples(c, node.head, False), _body(c, node.body)
    slots, tick = [binder.slot for binder in spoken(node.head)], spend(c, node.span)

    def run(m: Image, env: Locals) -> None:
        for values in all_tuples(m, env):
            tick()
            for slot, value in zip(slots, values, strict=True):
                env[slot] = value
            body(m, env)

    return run


def player_order(c: Compiler, players: x.Expr | None) -> Callable[[Image, Locals], list[int]]:
    """The players of `everyone`: lists in their order, sets from the active player on clockwise."""
    count = c.program.players
    if players is not None and isinstance(players.type, ListType):
        listed = c.expr(players)
        return lambda m, env: list(listed(m, env))
    chosen = c.expr(players) if players is not None else None

    def ordered(m: Image, env: Locals) -> list[int]:
        start = m.w[la.ACTIVE] or 1
        mask = chosen(m, env) if chosen is not None else -1
        seats = [(start - 1 + k) % count + 1 for k in range(count)]
        return [p for p in seats if mask >> p & 1]

    return ordered


@runs(t.Everyone)
def _everyone(c: Compiler, node: t.Everyone) -> Closure:
    order, body, slot, tick = player_order(c, node.players), _body(c, node.body), node.slot, spend(c, node.span)

    def run(m: Image, env: Locals) -> None:
        for player in order(m, env):
            tick()
            env[slot] = player
            body(m, env)

    return run


@runs(t.Acting)
def _acting(c: Compiler, node: t.Acting) -> Closure:
    player, body, slot = c.expr(node.player), _body(c, node.body), node.slot

    def run(m: Image, env: Locals) -> None:
        env[slot] = player(m, env)
        body(m, env)

    return run


@runs(t.Repeat)
def _repeat(c: Compiler, node: t.Repeat) -> Closure:
    limit, body, tick = c.expr(node.at_most), _body(c, node.body), spend(c, node.span)
    test = c.expr(node.condition) if node.condition is not None else None

    def run(m: Image, env: Locals) -> None:
        for _ in range(limit(m, env)):
            if test is not None and not test(m, env):
                break
            tick()
            body(m, env)

    return run


@runs(t.Step)
def _step(c: Compiler, node: t.Step) -> Closure:
    body = watched(c.program.coverage, node.symbol.span, _body(c, node.body))
    if node.condition is None:
        return body
    test = c.expr(node.condition)

    def run(m: Image, env: Locals) -> None:
        if test(m, env):
            body(m, env)

    return run


@runs(t.AsOne)
def _as_one(c: Compiler, node: t.AsOne) -> Closure:
    body, settle = _body(c, node.body), settling(c, c.program.colours.inside(node.body))

    def run(m: Image, env: Locals) -> None:
        m.w[la.AS_ONE] += 1
        body(m, env)
        m.w[la.AS_ONE] -= 1
        settle(m, env)

    return run


def effect_function(c: Compiler, symbol: g.EffectSymbol) -> Callable[[Image, int, list[Any]], None]:
    """A named effect that cannot suspend, as a function of `me` and its arguments."""
    known: Callable[[Image, int, list[Any]], None] | None = c.program.effect_functions.get(symbol)
    if known is not None:
        return known
    size, slots = 2 * len(symbol.frame.types), symbol.slots
    cell: list[Closure] = []
    tests: list[Closure] = []
    record = record_function(c, symbol.questions, slots)

    def function(m: Image, me: int, arguments: list[Any]) -> None:
        env: Locals = [0] * size
        env[0] = me
        for slot, argument in zip(slots, arguments, strict=True):
            env[slot] = argument
        for test in tests:
            if not test(m, env):
                return
        if record is not None:
            record(m, env)
        cell[0](m, env)

    c.program.effect_functions[symbol] = function
    cell.append(watched(c.program.coverage, symbol.span, _body(c, symbol.body)))
    tests += [requirement_test(c, each, symbol.slots) for each in symbol.requirements]
    return function


def requirement_test(c: Compiler, requirement: g.RequireSymbol, slots: list[int]) -> Closure:
    """Whether a requirement holds or is waived."""
    condition = c.expr(requirement.condition)
    waived = [live(c, role) for role in requirement.roles if role.kind == "waive"]
    if not waived:
        return condition

    def test(m: Image, env: Locals) -> bool:
        return bool(condition(m, env)) or any(w(m, env[0], [env[s] for s in slots]) for w in waived)

    return test


@runs(t.Do)
def _do(c: Compiler, node: t.Do) -> Closure:
    function, me, arguments = effect_function(c, node.symbol), c.expr(node.me), [c.expr(a) for a in node.arguments]
    tick = spend(c, node.span)

    def run(m: Image, env: Locals) -> None:
        tick()
        function(m, me(m, env), [a(m, env) for a in arguments])

    return run


@runs(t.DoCell)
def _do_cell(c: Compiler, node: t.DoCell) -> Closure:
    me, thing, arguments = c.expr(node.me), c.expr(node.thing), [c.expr(a) for a in node.arguments]
    rows = c.program.things[node.column.entity].row_of
    bodies: list[tuple[int, Closure] | None] = [None]
    for row, cell in enumerate(node.column.cells, 1):
        reached = cell if isinstance(cell, g.CellBody) and row in node.rows else None
        if reached is None:
            bodies.append(None)
            continue
        body = watched(c.program.coverage, reached.span, _body(c, reached.body))
        bodies.append((2 * len(reached.frame.types), body))

    def run(m: Image, env: Locals) -> None:
        k = thing(m, env)
        found = bodies[rows[k]]
        if found is not None:
            inner: Locals = [0] * found[0]
            inner[0], inner[1] = me(m, env), k
            for index, argument in enumerate(arguments):
                inner[2 + index] = argument(m, env)
            found[1](m, inner)

    return run


@runs(ir.Settle)
def _settle(c: Compiler, node: ir.Settle) -> Closure:
    return settling(c, node.laws)


def settling(c: Compiler, laws: Laws) -> Closure:
    """An operation that settles some laws."""
    program, settle = c.program, c.program.settling(laws)
    settle_all = c.program.settling(c.program.colours.all_laws)

    def run(m: Image, env: Locals) -> None:
        if program.laws_sleep:
            return
        if not m.w[la.AS_ONE]:
            settle(m)
        elif m.w[la.AS_ONE] == la.UNSETTLED:
            m.w[la.AS_ONE] = 0
            settle_all(m)

    return run
