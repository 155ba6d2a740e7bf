"""The operations of the lowered form: drivers, loops, the history, built-in events, costs, rules."""

from __future__ import annotations

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import RowType, strip
from regelwerk.interpreter import ir
from regelwerk.interpreter import layout as la
from regelwerk.interpreter.evaluation.heads import spoken
from regelwerk.interpreter.wasm.amounts import Costs, Part, Purse, check_count, each_part, parts_of
from regelwerk.interpreter.wasm.code import Value, choose, const, load
from regelwerk.interpreter.wasm.emitter import Emitter, does
from regelwerk.interpreter.wasm.expressions import history_cell, holder
from regelwerk.interpreter.wasm.heads import Nest
from regelwerk.interpreter.wasm.moving import entity_of, things_to_list
from regelwerk.interpreter.wasm.roles import collect_live
from regelwerk.interpreter.wasm.shapes import Operand, Ref
from regelwerk.interpreter.wasm.statements import TOO_MANY, end_game, nested, one, players_to
from regelwerk.interpreter.wasm.storing import start_state


def _number(e: Emitter, slot: int) -> Value:
    found = e.slot(slot)
    assert isinstance(found, Value)
    return found


def _list(e: Emitter, slot: int) -> Ref:
    found = e.slot(slot)
    assert isinstance(found, Ref)
    return found


@does(ir.Increment)
def _increment(e: Emitter, node: ir.Increment) -> None:
    e.f.increase(_number(e, node.slot))


@does(ir.NextInList)
def _next_in_list(e: Emitter, node: ir.NextInList) -> None:
    source, index = _list(e, node.list_slot), _number(e, node.index_slot)
    kind = strip(source.kind)
    stride = e.shapes.room(kind.member)  # type: ignore[attr-defined]  # a list
    e.bind(node.slot, e.fetch(source.address + index * (4 * stride) + 4, kind.member))  # type: ignore[attr-defined]  # a list
    e.f.increase(index)


@does(ir.Append)
def _append(e: Emitter, node: ir.Append) -> None:
    source, f = _list(e, node.list_slot), e.f
    kind = strip(source.kind)
    stride = e.shapes.room(kind.member)  # type: ignore[attr-defined]  # a list
    bound = e.shapes.bound(kind)  # type: ignore[arg-type]  # a list
    count = f.keep(load(source.address))
    with f.when(count >= bound):
        e.unit.fault(f, "range", f"more than {bound} picks are looked back at", node.span)
    e.store(f.keep(source.address + count * (4 * stride) + 4), e.slot(node.slot), kind.member)  # type: ignore[attr-defined]  # a list
    f.store(source.address, count + 1)


@does(ir.NextSeat)
def _next_seat(e: Emitter, node: ir.NextSeat) -> None:
    seat, upcoming = _number(e, node.me_slot), _number(e, node.next_slot)
    e.f.set(seat, upcoming)
    e.f.set(upcoming, choose(seat >= e.program.players, const(1), seat + 1))


@does(ir.SetActive)
def _set_active(e: Emitter, node: ir.SetActive) -> None:
    e.f.store(e.state, _number(e, node.slot), 4 * la.ACTIVE)
    e.f.store(e.state, load(e.state, 4 * la.TURN) + 1, 4 * la.TURN)


@does(ir.Enter)
def _enter(e: Emitter, node: ir.Enter) -> None:
    f = e.f
    name = node.scope if isinstance(node.scope, str) else node.scope.name
    for question, region in e.program.history_cells.items():
        if question.scope is node.scope or (isinstance(node.scope, str) and question.scope == node.scope):
            size = region.width // 8
            f.fill(e.state + region.offset * size, region.count * size)
    for symbol in e.program.game.states:
        if symbol.resets == name:
            start_state(e, symbol)


@does(ir.Begin)
def _begin(e: Emitter, node: ir.Begin) -> None:
    from regelwerk.interpreter.wasm.starts import set_starts

    if e.program.option_cells:
        set_starts(e)


@does(ir.CountPass)
def _count_pass(e: Emitter, node: ir.CountPass) -> None:
    f = e.f
    with f.when(load(e.state, 4 * la.PASSES) >= int(e.c.static(node.limit))):
        end_game(e, const(0))
    f.store(e.state, load(e.state, 4 * la.PASSES) + 1, 4 * la.PASSES)


@does(ir.AsOneBegin)
def _as_one_begin(e: Emitter, node: ir.AsOneBegin) -> None:
    nested(e, 1)


@does(ir.AsOneEnd)
def _as_one_end(e: Emitter, node: ir.AsOneEnd) -> None:
    nested(e, -1)


@does(ir.TestEnd)
def _test_end(e: Emitter, node: ir.TestEnd) -> None:
    assert node.end.condition is not None
    inner = Emitter(e.unit, e.f, e.state, node.end.frame)
    with e.f.when(inner.value(node.end.condition)):
        end_game(e, const(e.program.game.ends.index(node.end) + 1))


# ------------------------------------------------------------------------------------------------------------- history
def note(e: Emitter, questions: list[g.HistoryQuestion], actor: Value, arguments: list[Value]) -> None:
    """Enter an event: who acts, and its parameters."""
    f, state = e.f, e.state
    f.store(state, load(state, 4 * la.ORDINAL) + 1, 4 * la.ORDINAL)
    for question in questions:
        region = e.program.history_cells[question]
        index = f.keep(history_cell(e, question, actor, [arguments[k] for k, _ in question.keys]))
        if question.scope is None:
            e.unit.write(f, state, region, index, load(state, 4 * la.ORDINAL))
        elif question.counted:
            old = f.keep(e.unit.read(state, region, index))
            e.unit.write(f, state, region, index, choose(old < region.highest, old + 1, const(region.highest)))
        else:
            e.unit.write(f, state, region, index, 1)


def record(e: Emitter, questions: list[g.HistoryQuestion], slots: list[int]) -> None:
    """Enter the event of a body whose `me` is in slot 0 and whose parameters are in `slots`."""
    arguments: list[Value] = []
    for slot in slots:
        found = e.slot(slot)
        arguments.append(found if isinstance(found, Value) else const(0))
    note(e, questions, _number(e, 0), arguments)


@does(ir.Record)
def _record(e: Emitter, node: ir.Record) -> None:
    record(e, node.questions, node.slots)


@does(ir.RecordVerb)
def _record_verb(e: Emitter, node: ir.RecordVerb) -> None:
    what = _list(e, node.what_slot) if node.what_slot is not None else None
    _recording(e, node.me, node.questions, what, node.things)


def recorded(e: Emitter, node: t.Stmt, questions: list[g.HistoryQuestion]) -> None:
    """Enter a built-in event that no rule reacts to."""
    if isinstance(node, t.Gain | t.Lose):
        what = asked_for(e, node)[1] if any(question.keys for question in questions) else None
        _recording(e, node.me, questions, what, None)
        return
    assert isinstance(node, t.Move)
    _recording(e, node.me, questions, None, node.things)


def _recording(
    e: Emitter, me: x.Expr, questions: list[g.HistoryQuestion], what: Ref | None, things: x.Expr | None
) -> None:
    """Enter an event: once, and for each unit or thing that somebody asks about."""
    f = e.f
    player = f.copied(e.value(me))
    keyed = [each for each in questions if each.keys]
    note(e, [each for each in questions if not each.keys], player, [])
    if not keyed:
        return
    if what is not None:
        for unit in range(len(e.program.game.units)):
            with f.when(load(what.address, 4 * unit)):
                for question in keyed:
                    _note_keyed(e, question, player, const(unit + 1))
        return
    if things is None:
        return
    symbol = entity_of(things.type)
    rows = e.program.things[symbol].row_of
    found = things_to_list(e, things)
    with f.counting(0, load(found.address)) as k:
        thing = f.keep(load(found.address + k * 4, 4))
        for question in keyed:
            wanted = question.keys[0][1]
            if getattr(wanted, "symbol", None) is symbol:
                key = e.unit.look_up(rows, thing) if isinstance(wanted, RowType) else thing
                _note_keyed(e, question, player, f.keep(key))


def _note_keyed(e: Emitter, question: g.HistoryQuestion, player: Value, key: Value) -> None:
    """Enter an event of one parameter, which a question tells apart."""
    place = question.keys[0][0]
    note(e, [question], player, [key] * (place + 1))


# ----------------------------------------------------------------------------------------------------- built-in events
def _expected(e: Emitter, purse: Purse, player: Value, count: Value, gained: bool) -> Value:
    """How much of an amount will really be gained or lost."""
    f = e.f
    if not gained:
        most = f.keep(purse.of(player) - purse.lowest)
    elif purse.track is None:
        most = f.keep(purse.of(const(0)))
    elif purse.track.overflow in ("lost", "block"):
        most = f.keep(const(purse.track.highest) - purse.of(player))
    else:
        return count
    return choose(count < most, count, most)


def asked_for(e: Emitter, node: t.Gain | t.Lose) -> tuple[Ref, Ref]:
    """Unit by unit, how much is to be gained or lost, and how much of it really will be."""
    from regelwerk.dsl.model.types import TallyType

    f, count = e.f, len(e.program.game.units)
    gained = isinstance(node, t.Gain)
    player = f.copied(e.value(node.me))
    with f.when(player.eqz()):
        verb = "gains" if gained else "loses"
        e.unit.fault(f, "none", f"nobody acts here, so nobody {verb}", node.span)
    asked, what = f.room(4 * count), f.room(4 * count)
    f.fill(asked, 4 * count)
    f.fill(what, 4 * count)

    def add(part: Part) -> None:
        check_count(e, part.count, node.span)
        address = f.keep(asked + (part.kind * 4 if part.kind is not None else const(0)))
        f.store(address, load(address, 4 * part.unit) + part.count, 4 * part.unit)

    each_part(e, parts_of(e, node.amount), add)
    for unit in range(count):
        wanted = f.keep(load(asked, 4 * unit))
        with f.when(wanted):
            purse = Purse(e, Part(unit, None, const(0)))
            f.store(what, _expected(e, purse, player, wanted, gained), 4 * unit)
    whole = TallyType(None)
    return Ref(asked, whole), Ref(what, whole)


@does(ir.AskedFor)
def _asked_for(e: Emitter, node: ir.AskedFor) -> None:
    asked, what = asked_for(e, node.statement)
    e.bind(node.asked_slot, asked)
    e.bind(node.what_slot, what)


@does(ir.Perform)
def _perform(e: Emitter, node: ir.Perform) -> None:
    f, statement = e.f, node.statement
    if isinstance(statement, t.Transfer):
        _give(e, node, statement)
        return
    if not isinstance(statement, t.Gain | t.Lose) or (node.what_slot is None and not node.spills):
        one(e, statement)
        return
    gained = isinstance(statement, t.Gain)
    player = f.copied(e.value(statement.me))
    with f.when(player.eqz()):
        verb = "gains" if gained else "loses"
        e.unit.fault(f, "none", f"nobody acts here, so nobody {verb}", node.span)
    count, spills = len(e.program.game.units), dict(node.spills)
    what = f.room(4 * count)
    f.fill(what, 4 * count)
    for slot in spills.values():
        f.set(_number(e, slot), 0)

    def add(part: Part) -> None:
        check_count(e, part.count, node.span)
        purse = Purse(e, part)
        if part.kind is None and part.unit in spills:
            assert purse.track is not None
            over = f.keep(purse.of(player) + part.count - purse.track.highest)
            slot = _number(e, spills[part.unit])
            f.set(slot, slot + choose(over > 0, over, const(0)))
        real = purse.add(player, part.count, node.span) if gained else purse.remove(player, part.count)
        address = f.keep(what + (part.kind * 4 if part.kind is not None else const(0)))
        f.store(address, load(address, 4 * part.unit) + real, 4 * part.unit)

    each_part(e, parts_of(e, statement.amount), add)
    if node.what_slot is not None:
        from regelwerk.dsl.model.types import TallyType

        e.bind(node.what_slot, Ref(what, TallyType(None)))


def _give(e: Emitter, node: ir.Perform, statement: t.Transfer) -> None:
    f, count = e.f, len(e.program.game.units)
    given = f.room(4 * count)
    f.fill(given, 4 * count)
    giver, receiver = f.copied(holder(e, statement.giver)), f.copied(holder(e, statement.receiver))
    for part in parts_of(e, statement.amount):
        address = f.keep(given + (part.kind * 4 if part.kind is not None else const(0)))
        f.store(address, load(address, 4 * part.unit) + part.count, 4 * part.unit)
    for unit, slot in node.spills:
        purse = Purse(e, Part(unit, None, const(0)))
        assert purse.track is not None
        there, wanted = f.keep(purse.of(giver) - purse.lowest), f.keep(load(given, 4 * unit))
        real = f.keep(choose(wanted < there, wanted, there))
        over = f.keep(purse.of(receiver) + real - purse.track.highest)
        f.set(_number(e, slot), choose(over > 0, over, const(0)))
    one(e, statement)


@does(ir.CollectThings)
def _collect_things(e: Emitter, node: ir.CollectThings) -> None:
    e.bind(node.list_slot, things_to_list(e, node.things))


@does(ir.PayCosts)
def _pay_costs(e: Emitter, node: ir.PayCosts) -> None:
    Costs(e, node.action).pay(node.span)


@does(ir.CollectTuples)
def _collect_tuples(e: Emitter, node: ir.CollectTuples) -> None:
    f = e.f
    assert isinstance(node.head, x.Head)
    binders = spoken(node.head)
    target = _list(e, node.list_slot)
    bound = e.shapes.bound(strip(target.kind))  # type: ignore[arg-type]  # a list
    stride = sum(e.shapes.room(binder.type) for binder in binders)
    count = f.copied(const(0))

    def collect(done: object) -> None:
        with f.when(count > bound - stride):
            e.unit.fault(f, "range", f"a list is longer than the {bound} places it has", None)
        address, place = f.keep(target.address + count * 4 + 4), 0
        for binder in binders:
            e.store(address + 4 * place, e.slot(binder.slot), binder.type)
            place += e.shapes.room(binder.type)
        f.increase(count, stride)

    Nest(e, node.head).run(collect)
    f.store(target.address, count)


@does(ir.UnpackTuple)
def _unpack(e: Emitter, node: ir.UnpackTuple) -> None:
    f = e.f
    e.unit.tick(f, node.span, TOO_MANY)
    source, index = _list(e, node.list_slot), _number(e, node.index_slot)
    address, place = f.keep(source.address + index * 4 + 4), 0
    for slot, kind in zip(node.slots, node.types, strict=True):
        operand: Operand = e.fetch(address + 4 * place, kind)
        e.bind(slot, operand)
        place += e.shapes.room(kind)
    f.increase(index, place)


@does(ir.CollectPlayers)
def _collect_players(e: Emitter, node: ir.CollectPlayers) -> None:
    players_to(e, node.players, _list(e, node.list_slot).address)


@does(ir.CollectRoles)
def _collect_roles(e: Emitter, node: ir.CollectRoles) -> None:
    collect_live(e, node.roles, node.everybody, e.known(node.me), _list(e, node.list_slot).address, 32, node.span)


# --------------------------------------------------------------------------------------------------------------- seals
@does(ir.OpenSeals)
def _open_seals(e: Emitter, node: ir.OpenSeals) -> None:
    players, records = _list(e, node.seals.players_slot), _list(e, node.seals.seals_slot)
    size = e.f.keep(load(players.address) * node.seals.size)
    e.f.store(records.address, size)
    e.f.fill(records.address + 4, size * 4)


@does(ir.NextUnsealed)
def _next_unsealed(e: Emitter, node: ir.NextUnsealed) -> None:
    f = e.f
    players, records = _list(e, node.seals.players_slot), _list(e, node.seals.seals_slot)
    found = f.copied(const(0))
    with f.counting(0, load(players.address)) as k:
        open_ = load(records.address + k * (4 * node.seals.size), 4) <= 0
        with f.when(found.eqz() & open_):
            f.set(found, load(players.address + k * 4, 4))
    e.bind(node.slot, found)


@does(ir.SealNothing)
def _seal_nothing(e: Emitter, node: ir.SealNothing) -> None:
    f = e.f
    players, records = _list(e, node.seals.players_slot), _list(e, node.seals.seals_slot)
    player = _number(e, node.slot)
    with f.counting(0, load(players.address)) as k, f.when(load(players.address + k * 4, 4).eq(player)):
        place = f.keep(records.address + k * (4 * node.seals.size) + 4)
        f.fill(place, 4 * node.seals.size)
        f.store(place, 1)
