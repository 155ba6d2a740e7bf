"""The operations of the lowered form: drivers, loops, the history, costs, rules, laws."""

from __future__ import annotations

from collections.abc import Callable

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import statements as t
from regelwerk.interpreter import ir
from regelwerk.interpreter import layout as la
from regelwerk.interpreter.coverage import watched
from regelwerk.interpreter.evaluation import amounts as am
from regelwerk.interpreter.evaluation.base import (
    Closure,
    Compiler,
    Locals,
    compiles,
)
from regelwerk.interpreter.evaluation.heads import spoken, tuples
from regelwerk.interpreter.evaluation.recording import record_function
from regelwerk.interpreter.evaluation.roles import live_in_order
from regelwerk.interpreter.evaluation.statements import player_order, runs, spend
from regelwerk.interpreter.evaluation.storing import start_state
from regelwerk.interpreter.faults import Fault, GameEnd
from regelwerk.interpreter.frames import codec, read_value, write_value
from regelwerk.interpreter.ir import Laws
from regelwerk.interpreter.layout import Image


@runs(ir.Increment)
def _increment(c: Compiler, node: ir.Increment) -> Closure:
    slot = node.slot

    def run(m: Image, env: Locals) -> None:
        env[slot] += 1

    return run


@runs(ir.NextInList)
def _next_in_list(c: Compiler, node: ir.NextInList) -> Closure:
    slot, source, index = node.slot, node.list_slot, node.index_slot

    def run(m: Image, env: Locals) -> None:
        env[slot] = env[source][env[index]]
        env[index] += 1

    return run


@runs(ir.Append)
def _append(c: Compiler, node: ir.Append) -> Closure:
    source, slot, span = node.list_slot, node.slot, node.span
    bound = c.program.domains.bound(node.kind.bound)

    def run(m: Image, env: Locals) -> None:
        if len(env[source]) >= bound:
            raise Fault("range", f"more than {bound} picks are looked back at", span)
        env[source] = (*env[source], env[slot])

    return run


@runs(ir.NextSeat)
def _next_seat(c: Compiler, node: ir.NextSeat) -> Closure:
    slot, upcoming, count = node.me_slot, node.next_slot, c.program.players

    def run(m: Image, env: Locals) -> None:
        env[slot] = env[upcoming]
        env[upcoming] = env[slot] % count + 1

    return run


@runs(ir.SetActive)
def _set_active(c: Compiler, node: ir.SetActive) -> Closure:
    slot = node.slot

    def run(m: Image, env: Locals) -> None:
        m.w[la.ACTIVE] = env[slot]
        m.w[la.TURN] += 1

    return run


@runs(ir.Enter)
def _enter(c: Compiler, node: ir.Enter) -> Closure:
    name = node.scope if isinstance(node.scope, str) else node.scope.name
    clears: list[tuple[int, int]] = []
    for question, region in c.program.history_cells.items():
        if question.scope is node.scope or (isinstance(node.scope, str) and question.scope == node.scope):
            clears.append((region.offset * region.width // 8, region.count * region.width // 8))
    resets: list[Closure] = []
    for symbol in c.program.game.states:
        if symbol.resets == name:
            resets.append(start_state(c, symbol))

    def run(m: Image, env: Locals) -> None:
        for start, size in clears:
            m.b[start : start + size] = bytes(size)
        for reset in resets:
            reset(m, env)

    return run if isinstance(node.scope, str) else watched(c.program.coverage, node.scope.span, run)


@runs(ir.Ran)
def _ran(c: Compiler, node: ir.Ran) -> Closure:
    assert c.program.coverage is not None
    return c.program.coverage.counting(node.span)


@runs(t.Mark)
def _mark(c: Compiler, node: t.Mark) -> Closure:
    if c.program.coverage is None:
        return lambda m, env: None
    return c.program.coverage.passing(node.number)


@compiles(x.Probe)
def _probe(c: Compiler, node: x.Probe) -> Closure:
    value = c.expr(node.value)
    if c.program.coverage is None:
        return value
    return (
        c.program.coverage.asking(node.number, value)
        if not node.answers
        else (c.program.coverage.answering(node.number, value))
    )


@runs(ir.Begin)
def _begin(c: Compiler, node: ir.Begin) -> Closure:
    program = c.program

    def run(m: Image, env: Locals) -> None:
        program.begin_with_options(m)

    return run


@runs(ir.CountPass)
def _count_pass(c: Compiler, node: ir.CountPass) -> Closure:
    limit = c.static(node.limit)

    def run(m: Image, env: Locals) -> None:
        if m.w[la.PASSES] >= limit:
            raise GameEnd(-1)
        m.w[la.PASSES] += 1

    return run


@runs(ir.Record)
def _record(c: Compiler, node: ir.Record) -> Closure:
    run = record_function(c, node.questions, node.slots)
    assert run is not None
    return run


@runs(ir.PayCosts)
def _pay_costs(c: Compiler, node: ir.PayCosts) -> Closure:
    found = am.cost_function(c, node.action)
    assert found is not None
    costs, purses, span = found[0], c.program.purses, node.span

    def run(m: Image, env: Locals) -> None:
        price = [part for _, parts in costs(m, env) for part in parts]
        if not am.can_pay(purses, m, env[0], price):
            raise Fault("unpaid", "this cannot be paid", span)
        for unit, count in price:
            purses[unit].remove(m, env[0], count)
            if m.log is not None:
                m.log.append(("pay", env[0], unit, count, "", span))

    return run


@runs(ir.CollectTuples)
def _collect_tuples(c: Compiler, node: ir.CollectTuples) -> Closure:
    assert isinstance(node.head, x.Head)
    all_tuples, slot = tuples(c, node.head, False), node.list_slot
    codecs = [codec(c, binder.type) for binder in spoken(node.head)]
    if all(form == "word" for form, _ in codecs):

        def run(m: Image, env: Locals) -> None:
            env[slot] = tuple(value for values in all_tuples(m, env) for value in values)

        return run

    def run_composite(m: Image, env: Locals) -> None:
        words: list[int] = []
        for values in all_tuples(m, env):
            for (form, size), value in zip(codecs, values, strict=True):
                write_value(words, form, size, value)
        env[slot] = tuple([word - (1 << 32) if word >> 31 else word for word in words])

    return run_composite


@runs(ir.UnpackTuple)
def _unpack(c: Compiler, node: ir.UnpackTuple) -> Closure:
    slots, source, index = node.slots, node.list_slot, node.index_slot
    tick = spend(c, node.span)
    codecs = [codec(c, kind) for kind in node.types]
    if any(form != "word" for form, _ in codecs):

        def run_composite(m: Image, env: Locals) -> None:
            tick()
            for slot, (form, size) in zip(slots, codecs, strict=True):
                env[slot], env[index] = read_value(env[source], env[index], form, size)

        return run_composite

    def run(m: Image, env: Locals) -> None:
        tick()
        for slot in slots:
            env[slot] = env[source][env[index]]
            env[index] += 1

    return run


@runs(ir.CollectPlayers)
def _collect_players(c: Compiler, node: ir.CollectPlayers) -> Closure:
    order, slot = player_order(c, node.players), node.list_slot

    def run(m: Image, env: Locals) -> None:
        env[slot] = tuple(order(m, env))

    return run


@runs(ir.CollectRoles)
def _collect_roles(c: Compiler, node: ir.CollectRoles) -> Closure:
    order, slot, span = live_in_order(c, node.roles, node.everybody), node.list_slot, node.span
    me = c.expr(node.me)

    def run(m: Image, env: Locals) -> None:
        found = () if c.program.rules_sleep else tuple(order(m, me(m, env)))
        if len(found) > 32:
            raise Fault("depth", "more than 32 rules answer to one event", span)
        env[slot] = found

    return run


@runs(ir.TestEnd)
def _test_end(c: Compiler, node: ir.TestEnd) -> Closure:
    assert node.end.condition is not None
    test, size = c.expr(node.end.condition), 2 * len(node.end.frame.types)
    number = c.program.game.ends.index(node.end)

    def run(m: Image, env: Locals) -> None:
        if not c.program.laws_sleep and test(m, [0] * size):
            raise GameEnd(number)

    return run


def settle_function(c: Compiler, laws: Laws) -> Callable[[Image], None]:
    """Some awards anew in the order of declaration, then some ends `at once`."""
    awards = []
    for award in (c.program.game.awards[k] for k in laws.awards):
        assert award.measure is not None
        least = c.expr(award.at_least) if award.at_least is not None else None
        first, cell = c.program.key_base(award.key), c.program.award_cells[award].offset
        keys = [(first + k, cell + k) for k in range(c.program.key_count(award.key))]
        awards.append((c.expr(award.measure), least, keys, 2 * len(award.frame.types), award.span))
    ends = []
    for number in laws.ends:
        end = c.program.game.ends[number]
        if end.condition is not None:
            ends.append((number, c.expr(end.condition), 2 * len(end.frame.types)))
    players, coverage = range(1, c.program.players + 1), c.program.coverage

    def settle(m: Image) -> None:
        for measure, least, keys, size, span in awards:
            floor = least(m, [0] * 8) if least is not None else None
            for key, cell in keys:
                values = {p: measure(m, [p, p, key] + [0] * size) for p in players}
                best = max(values.values())
                leaders = [p for p in players if values[p] == best] if floor is None or best >= floor else []
                if m.b[cell] not in leaders:
                    m.b[cell] = leaders[0] if len(leaders) == 1 else 0
                    if coverage is not None and m.b[cell]:
                        coverage.count(span)
        for number, test, size in ends:
            if test(m, [0] * size):
                raise GameEnd(number)

    return settle


@runs(ir.AsOneBegin)
def _as_one_begin(c: Compiler, node: ir.AsOneBegin) -> Closure:
    def run(m: Image, env: Locals) -> None:
        m.w[la.AS_ONE] += 1

    return run


@runs(ir.AsOneEnd)
def _as_one_end(c: Compiler, node: ir.AsOneEnd) -> Closure:
    def run(m: Image, env: Locals) -> None:
        m.w[la.AS_ONE] -= 1

    return run
