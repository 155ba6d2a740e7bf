"""Statements that cannot suspend, as structured code."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import (
    ListType,
    Type,
)
from regelwerk.interpreter import ir
from regelwerk.interpreter import layout as la
from regelwerk.interpreter.evaluation.base import NONE_NUMBER
from regelwerk.interpreter.evaluation.heads import spoken
from regelwerk.interpreter.evaluation.statements import BUDGET, asked_of
from regelwerk.interpreter.ir import Laws
from regelwerk.interpreter.wasm.binary import I32
from regelwerk.interpreter.wasm.code import Function, Value, choose, const, load
from regelwerk.interpreter.wasm.control import Case, by_case
from regelwerk.interpreter.wasm.emitter import STATEMENTS, Emitter, does
from regelwerk.interpreter.wasm.heads import Nest
from regelwerk.interpreter.wasm.roles import live
from regelwerk.interpreter.wasm.shapes import Operand, Ref, Unsupported, Words
from regelwerk.interpreter.wasm.unit import STACK, STACK_MARGIN, Unit

TOO_MANY = f"more than {BUDGET} statements without a decision"


def statements(e: Emitter, nodes: Sequence[t.Stmt | ir.Operation]) -> None:
    """Statements in sequence; laws are settled after those that write what a law reads."""
    for node in nodes:
        if isinstance(node, t.Sequence):
            statements(e, list(node.statements))
            continue
        questions = asked_of(e.c, node)
        if questions:
            from regelwerk.interpreter.wasm.operations import recorded

            recorded(e, node, questions)  # type: ignore[arg-type]  # it is a statement
        one(e, node)
        if isinstance(node, t.Stmt):
            settle(e, e.program.colours.touched(e.program.colours.writes(node)))


def one(e: Emitter, node: t.Stmt | ir.Operation) -> None:
    """One statement or operation."""
    handler = STATEMENTS.get(type(node))
    if handler is None:
        raise Unsupported(type(node).__name__)
    handler(e, node)


def body(e: Emitter, node: t.Stmt | None) -> None:
    """A statement inside another one."""
    if node is not None:
        statements(e, [node])


@does(t.Let)
@does(ir.SetLocal)
def _let(e: Emitter, node: t.Let | ir.SetLocal) -> None:
    e.assign(e.slot(node.slot), e.widened(node.value, e.frame.types[node.slot]))


@does(t.If)
def _if(e: Emitter, node: t.If) -> None:
    with e.f.when(e.value(node.condition)):
        body(e, node.consequence)
        if node.alternative is not None:
            e.f.otherwise()
            body(e, node.alternative)


@does(t.ForEach)
def _for(e: Emitter, node: t.ForEach) -> None:
    """The tuples are collected first: what the body changes does not change them."""
    f = e.f
    binders = spoken(node.head)
    strides = [e.shapes.room(binder.type) for binder in binders]
    stride = 4 * sum(strides)
    f.room(8)  # so that what lies on the stack is given back when the function is left
    first = f.keep(f.global_(STACK))

    def collect(done: object) -> None:
        address = f.keep(f.global_(STACK))
        with f.when(address > e.unit.stack_end - stride - STACK_MARGIN):
            e.unit.fault(f, "budget", "there are too many combinations to look at", node.head.binders[-1].span)
        f.set_global(STACK, address + stride)
        place = 0
        for binder, size in zip(binders, strides, strict=True):
            e.store(address + 4 * place, e.slot(binder.slot), binder.type)
            place += size

    Nest(e, node.head).run(collect)
    index, end = f.copied(first), f.keep(f.global_(STACK))
    with f.while_(lambda: index < end):
        e.unit.tick(f, node.span, TOO_MANY)
        address, place = f.keep(index), 0
        for binder, size in zip(binders, strides, strict=True):
            e.bind(binder.slot, e.fetch(address + 4 * place, binder.type))
            place += size
        f.increase(index, stride)
        body(e, node.body)
    f.set_global(STACK, first)


def players_to(e: Emitter, players: x.Expr | None, target: Value) -> None:
    """Write the list of the players of `everyone`: lists in their order, sets from the active player on clockwise."""
    f, count = e.f, e.program.players
    if players is not None and isinstance(players.type, ListType):
        source = e.ref(players)
        f.copy(target, source.address, load(source.address) * 4 + 4)
        return
    chosen = e.words(players).parts[0] if players is not None else None
    mask = f.keep(chosen.narrow()) if chosen is not None else const(-1)
    start = f.keep(load(e.state, 4 * la.ACTIVE))
    seat = f.copied(choose(start, start, const(1)))
    size = f.copied(const(0))
    with f.counting(0, count):
        with f.when((mask >> seat) & 1):
            f.store(target + size * 4, seat, 4)
            f.increase(size)
        f.set(seat, choose(seat >= count, const(1), seat + 1))
    f.store(target, size)


@does(t.Everyone)
def _everyone(e: Emitter, node: t.Everyone) -> None:
    f = e.f
    order = f.room(4 * 32)
    players_to(e, node.players, order)
    with f.counting(0, load(order)) as k:
        e.unit.tick(f, node.span, TOO_MANY)
        e.bind(node.slot, load(order + k * 4, 4))
        body(e, node.body)


@does(t.Acting)
def _acting(e: Emitter, node: t.Acting) -> None:
    e.bind(node.slot, e.value(node.player))
    body(e, node.body)


@does(t.Repeat)
def _repeat(e: Emitter, node: t.Repeat) -> None:
    f = e.f
    limit, count = f.copied(e.value(node.at_most)), f.copied(const(0))
    with f.while_(lambda: count < limit) as (_, leave):
        if node.condition is not None:
            f.leave_if(leave, e.value(node.condition).eqz())
        e.unit.tick(f, node.span, TOO_MANY)
        f.increase(count)
        body(e, node.body)


@does(t.Step)
def _step(e: Emitter, node: t.Step) -> None:
    if node.condition is None:
        body(e, node.body)
        return
    with e.f.when(e.value(node.condition)):
        body(e, node.body)


@does(t.AsOne)
def _as_one(e: Emitter, node: t.AsOne) -> None:
    nested(e, 1)
    body(e, node.body)
    nested(e, -1)
    settle(e, e.program.colours.inside(node.body))


def nested(e: Emitter, step: int) -> None:
    """Laws sleep (1), or wake up again (-1)."""
    e.f.store(e.state, load(e.state, 4 * la.AS_ONE) + step, 4 * la.AS_ONE)


# ---------------------------------------------------------------------------------------------------------------- laws
def settle(e: Emitter, laws: Laws) -> None:
    """Some awards are given anew, then some ends `at once` are tested, unless laws sleep."""
    if laws:
        _settle_now(e, laws)


@does(ir.Settle)
def _settle(e: Emitter, node: ir.Settle) -> None:
    _settle_now(e, node.laws)


def _settle_now(e: Emitter, laws: Laws) -> None:
    ended = e.f.call(settle_function(e.unit, laws), e.state)[0]
    if e.program.colours.all_laws.ends:
        with e.f.when(ended):
            end_game(e, ended)


def end_game(e: Emitter, number: Value) -> None:
    """The game ends here. `number`: 1 more than the number of the end (0: the cap)."""
    from regelwerk.interpreter.wasm.unit import ENDED

    e.f.set_global(ENDED, number)
    assert e.on_end is not None
    e.on_end()


def settle_function(unit: Unit, laws: Laws) -> Function:
    """Some awards anew in the order of declaration, then some ends `at once`, unless laws sleep; gives 1 more than the
    number of the end that holds, or 0."""
    program = unit.program

    def write(f: Function) -> None:
        state = f.parameter(0)
        asleep = f.keep(load(state, 4 * la.AS_ONE))
        with f.when(asleep):
            with f.when(asleep.eq(la.UNSETTLED)):
                f.store(state, 0, 4 * la.AS_ONE)
                f.give(f.call(settle_function(unit, program.colours.all_laws), state)[0])
            f.give(const(0))
        for award in (program.game.awards[k] for k in laws.awards):
            assert award.measure is not None
            e = Emitter(unit, f, state, award.frame)
            least = e.known(award.at_least) if award.at_least is not None else None
            first, region = program.key_base(award.key), program.award_cells[award]
            measures = f.room(4 * (program.players + 1))
            with f.counting(0, program.key_count(award.key)) as k:
                best = f.copied(const(NONE_NUMBER))
                with f.counting(1, program.players + 1) as player:
                    e.bind(0, player)
                    if len(award.frame.types) > 1:
                        e.bind(1, player)
                    if len(award.frame.types) > 2:
                        e.bind(2, k + first)
                    value = e.known(award.measure)
                    f.store(measures + player * 4, value)
                    with f.when(value > best):
                        f.set(best, value)
                holder = f.keep(unit.read(state, region, k))
                leader, count, still = f.copied(const(0)), f.copied(const(0)), f.copied(const(0))
                enough = const(1) if least is None else best >= least
                with f.when(enough), f.counting(1, program.players + 1) as player:
                    leads = f.keep(load(measures + player * 4).eq(best))
                    with f.when(leads):
                        f.set(leader, player)
                        f.increase(count)
                        with f.when(holder.eq(player)):
                            f.set(still, 1)
                with f.when(still.eqz()):
                    unit.write(f, state, region, k, choose(count.eq(1), leader, const(0)))
        for number in laws.ends:
            end = program.game.ends[number]
            if end.condition is not None:
                inner = Emitter(unit, f, state, end.frame)
                with f.when(inner.value(end.condition)):
                    f.give(const(number + 1))
        f.give(const(0))

    return unit.function(("settle", laws), "laws", (I32,), (I32,), write)


# ------------------------------------------------------------------------------------------------------------- effects
def effect_function(unit: Unit, symbol: g.EffectSymbol) -> Function:
    """A named effect that cannot suspend: the state, `me` and its arguments; gives whether the game ended in it."""
    parameters = [I32, I32]
    for slot in symbol.slots:
        parameters += unit.shapes.kinds(symbol.frame.types[slot])

    def write(f: Function) -> None:
        from regelwerk.interpreter.wasm.operations import record
        from regelwerk.interpreter.wasm.values import _bound

        e = _bound(unit, f, symbol.frame, [0, *symbol.slots])
        e.on_end = lambda: f.give(const(1))
        for each in symbol.requirements:
            with f.when(requirement(e, each, symbol.slots).eqz()):
                f.give(const(0))
        if symbol.questions:
            record(e, symbol.questions, symbol.slots)
        assert symbol.body is not None
        statements(e, [symbol.body])
        f.give(const(0))

    return unit.function(("effect", symbol), symbol.name, parameters, (I32,), write)


def requirement(e: Emitter, node: g.RequireSymbol, slots: list[int]) -> Value:
    """Whether a requirement holds or is waived."""
    waivers = [role for role in node.roles if role.kind == "waive"]
    if not waivers:
        return e.value(node.condition)
    f = e.f
    found = f.copied(e.value(node.condition))
    me = e.slots[0]
    assert isinstance(me, Value)
    for role in waivers:
        with f.when(found.eqz()):
            f.set(found, live(e, role, me, [e.slot(slot) for slot in slots]))
    return found


def given(e: Emitter, nodes: list[x.Expr], kinds: list[Type]) -> list[Value]:
    """Arguments, as the parameters of a function take them."""
    found: list[Value] = []
    for node, kind in zip(nodes, kinds, strict=True):
        operand = e.keep(e.widened(node, kind))
        if isinstance(operand, Words):
            found += operand.parts
        else:
            found.append(operand.address if isinstance(operand, Ref) else operand)
    return found


@does(t.Do)
def _do(e: Emitter, node: t.Do) -> None:
    f = e.f
    e.unit.tick(f, node.span, TOO_MANY)
    function = effect_function(e.unit, node.symbol)
    kinds = [node.symbol.frame.types[slot] for slot in node.symbol.slots]
    me = e.known(node.me)
    ended = f.call(function, e.state, me, *given(e, node.arguments, kinds))[0]
    with f.when(ended):
        assert e.on_end is not None
        e.on_end()


def call_cell(
    e: Emitter,
    cell: g.CellBody,
    kind: str,
    name: str,
    write: Callable[[Function], None],
    me: Value,
    thing: Value,
    arguments: Sequence[Operand],
) -> Value:
    """Call the function of a kind that stands for the rules in a cell, written when it is first asked for."""
    parameters = [I32]
    for slot in range(2 + len(arguments)):
        parameters += e.unit.shapes.kinds(cell.frame.types[slot])
    function = e.unit.function((kind, cell), name, parameters, (I32,), write)
    handed: list[Value] = []
    for slot, operand in enumerate(arguments, 2):
        if isinstance(operand, Words):
            handed += e.exactly(operand, e.shapes.set_words(cell.frame.types[slot]))
        else:
            handed.append(operand.address if isinstance(operand, Ref) else operand)
    return e.f.call(function, e.state, me, thing, *handed)[0]


@does(t.DoCell)
def _do_cell(e: Emitter, node: t.DoCell) -> None:
    f = e.f
    thing, me = e.known(node.thing), e.known(node.me)
    arguments = [e.keep(e.any(each)) for each in node.arguments]
    rows = e.program.things[node.column.entity].row_of
    ended = f.copied(const(0))

    def write(cell: g.CellBody) -> Callable[[Function], None]:
        def fill(f: Function) -> None:
            from regelwerk.interpreter.wasm.values import _bound

            inner = _bound(e.unit, f, cell.frame, list(range(2 + len(arguments))))
            inner.on_end = lambda: f.give(const(1))
            statements(inner, [cell.body])
            f.give(const(0))

        return fill

    def run(row: int, cell: g.CellBody) -> Callable[[], None]:
        def do() -> None:
            name = f"{node.column.address} {row}"
            f.set(ended, call_cell(e, cell, "cell", name, write(cell), me, thing, arguments))

        return do

    cases: list[Case] = []
    for row, cell in enumerate(node.column.cells, 1):
        if isinstance(cell, g.CellBody) and row in node.rows:
            cases.append((row, run(row, cell)))
    by_case(e, e.unit.look_up(rows, thing), cases)
    with f.when(ended):
        assert e.on_end is not None
        e.on_end()
