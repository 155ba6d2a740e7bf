"""Statements and operations that cannot suspend, as closures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import IntType, ListType, RowType, SetType, TallyType, member_of, strip
from regelwerk.interpreter import ir
from regelwerk.interpreter import layout as la
from regelwerk.interpreter.evaluation import amounts as am
from regelwerk.interpreter.evaluation.base import (
    NONE_NUMBER,
    Closure,
    Compiler,
    Locals,
    members,
    reader,
    writer,
)
from regelwerk.interpreter.evaluation.collections import iterates
from regelwerk.interpreter.evaluation.heads import tuples
from regelwerk.interpreter.evaluation.roles import guards, holders, live, locals_for
from regelwerk.interpreter.faults import Fault, GameEnd
from regelwerk.interpreter.layout import Image

BUDGET = 1_000_000
"""How many statements may run between two decisions (language, section 16)."""


def compile_operations(c: Compiler, nodes: list[t.Stmt | ir.Operation]) -> list[Closure]:
    """The closures of statements in sequence; laws are settled after those that write what a law reads."""
    done: list[Closure] = []
    for node in nodes:
        if isinstance(node, t.Sequence):
            done += compile_operations(c, list(node.statements))
            continue
        done.append(compile_statement(c, node))
        if isinstance(node, t.Stmt) and c.program.colours.laws & c.program.colours.writes(node):
            done.append(_settle(c))
    return done


def compile_statement(c: Compiler, node: t.Stmt | ir.Operation) -> Closure:
    """The closure of one statement or operation."""
    return _STATEMENTS[type(node)](c, node)


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


# ------------------------------------------------------------------------------------------------------------- storing
def _set_state(c: Compiler, node: t.SetState) -> Closure:
    return store_state(c, node.symbol, node.key, node.value, node)


def store_state(
    c: Compiler, symbol: g.StateSymbol, key_node: x.Expr | None, value_node: x.Expr, node: t.Stmt
) -> Closure:
    """Store a value in a variable."""
    write = state_writer(c, symbol, node.span)
    value = c.expr(value_node)
    low = c.program.key_base(symbol.key)
    if key_node is None:
        return lambda m, env: write(m, 0, value(m, env))
    key, span = c.expr(key_node), node.span

    def run(m: Image, env: Locals) -> None:
        k = key(m, env)
        if not k:
            raise Fault("none", f"`{symbol.name}` of nothing cannot be set", span)
        write(m, k - low, value(m, env))

    return run


def state_writer(c: Compiler, symbol: g.StateSymbol, span: Any) -> Callable[[Image, int, Any], None]:
    """A function that writes a variable for key number `index`, testing its range."""
    region, kind = c.program.state_cells[symbol], strip(symbol.type)
    write = writer(region)
    if isinstance(kind, SetType):
        words = c.program.domains.words(kind)
        limit = (1 << (c.program.domains.highest(kind.member) + 1)) - 1

        def write_set(m: Image, index: int, value: int) -> None:
            if value & ~limit:
                raise Fault("range", f"a member of `{symbol.name}` is out of range", span)
            start = 4 * (region.offset + index * words)
            m.b[start : start + 4 * words] = value.to_bytes(4 * words, "little")

        return write_set
    if isinstance(kind, TallyType):
        units = c.program.unit_count(kind)

        def write_tally(m: Image, index: int, value: tuple[int, ...]) -> None:
            for k in range(units):
                if not 0 <= value[k] <= region.highest:
                    raise Fault("range", f"`{symbol.name}` cannot hold {value[k]}", span)
                write(m, index * units + k, value[k])

        return write_tally
    if isinstance(kind, ListType):
        bound = c.program.domains.bound(kind.bound)

        def write_list(m: Image, index: int, value: tuple[int, ...]) -> None:
            if len(value) > bound:
                raise Fault("range", f"`{symbol.name}` holds at most {bound}", span)
            start = index * (bound + 1)
            write(m, start, len(value))
            for k in range(bound):
                write(m, start + 1 + k, value[k] if k < len(value) else 0)

        return write_list
    lowest, highest = (kind.lowest, kind.highest) if isinstance(kind, IntType) else (0, c.program.domains.highest(kind))

    def write_scalar(m: Image, index: int, value: int) -> None:
        if not lowest <= value <= highest:
            if value == NONE_NUMBER:
                raise Fault("none", f"`{symbol.name}` cannot be none", span)
            raise Fault("range", f"`{symbol.name}` goes from {lowest} to {highest}, and this is {value}", span)
        write(m, index, value)

    return write_scalar


def _set_track(c: Compiler, node: t.SetTrack) -> Closure:
    region, symbol, span = c.program.track_cells[node.symbol], node.symbol, node.span
    write, player, value = writer(region), c.expr(node.player), c.expr(node.value)

    def run(m: Image, env: Locals) -> None:
        new = value(m, env)
        if not symbol.lowest <= new <= symbol.highest:
            raise Fault(
                "range", f"`{symbol.name}` goes from {symbol.lowest} to {symbol.highest}, and this is {new}", span
            )
        write(m, player(m, env) - 1, new)

    return run


def _set_resource(c: Compiler, node: t.SetResource) -> Closure:
    region, symbol, span = c.program.resource_cells[node.symbol], node.symbol, node.span
    read, write, player, value = reader(region), writer(region), c.expr(node.player), c.expr(node.value)
    count = len(symbol.kinds.members) if symbol.kinds is not None else 1
    unit = c.expr(node.unit) if node.unit is not None else None

    def run(m: Image, env: Locals) -> None:
        place = unit(m, env) - 1 if unit is not None else 0
        here, bank = player(m, env) * count + place, place
        new = value(m, env)
        left = read(m, bank) + read(m, here) - new
        if new < 0 or left < 0:
            raise Fault("range", f"there are not so many {symbol.words.many}", span)
        write(m, bank, left)
        write(m, here, new)

    return run


def _set_face(c: Compiler, node: t.SetFace) -> Closure:
    symbol = strip(node.die.type).symbol  # type: ignore[attr-defined]  # dice are things
    base, (low, high) = c.program.face_cells[symbol].offset, symbol.faces
    die, value, span = c.expr(node.die), c.expr(node.value), node.span

    def run(m: Image, env: Locals) -> None:
        d, face = die(m, env), value(m, env)
        if not d:
            raise Fault("none", "there is no die to turn", span)
        if not low <= face <= high:
            raise Fault("range", f"a die shows {low} to {high}, not {face}", span)
        m.b[base + d] = face

    return run


def _set_zone(c: Compiler, node: t.SetZone) -> Closure:
    zone, zones = c.expr(node.zone), c.program.zones
    assert isinstance(node.zone, x.ZoneRef)
    entity = node.zone.symbol.entity
    things = c.program.things[entity]
    locate = zones.locate[entity]
    items = [(c.expr(each), isinstance(strip(each.type), RowType)) for each in node.items]
    taken, span = c.program.taken_copies, node.span

    def run(m: Image, env: Locals) -> None:
        place = zone(m, env)
        found = []
        for item, by_row in items:
            value = item(m, env)
            if by_row:
                first = things.first_of_row[value]
                copies = range(first, first + things.row_count[value])
                free = [k for k in copies if (entity, k) not in taken and k not in found]
                if not free:
                    raise Fault("none", f"all copies of {entity.rows[value - 1].name} are used already", span)
                value = free[0]
            found.append(value)
        for old in zones.sequence(m, place):
            taken.discard((entity, old))
        zones.fill(m, place, found)
        taken.update((entity, k) for k in found)

    del locate
    return run


def _set_pin(c: Compiler, node: t.SetPin) -> Closure:
    pins, arguments, symbol = c.program.pins, [c.expr(a) for a in node.arguments], node.symbol
    if node.value is not None:
        value = c.expr(node.value)

        def pin_one(m: Image, env: Locals) -> None:
            pins[(symbol, *(a(m, env) for a in arguments))] = value(m, env)

        return pin_one
    assert node.items is not None
    items = [c.expr(each) for each in node.items]
    last = symbol.parameters[-1][1]

    def pin_all(m: Image, env: Locals) -> None:
        first = tuple(a(m, env) for a in arguments)
        lowest = last.lowest if isinstance(last, IntType) else 1
        for index, item in enumerate(items):
            pins[(symbol, *first, lowest + index)] = item(m, env)

    return pin_all


# --------------------------------------------------------------------------------------------------------------- things
def thing_list(c: Compiler, node: x.Expr) -> Callable[[Image, Locals], list[int]]:
    """The things that a statement speaks of, as a list; none is left out."""
    value = c.expr(node)
    if member_of(node.type) is None:
        return lambda m, env: [k] if (k := value(m, env)) else []
    visit = iterates(node.type)
    return lambda m, env: [k for k in visit(value(m, env)) if k]


def _move(c: Compiler, node: t.Move) -> Closure:
    things, zone, zones, span, bottom = (
        thing_list(c, node.things),
        c.expr(node.zone),
        c.program.zones,
        node.span,
        node.at_bottom,
    )
    kind = strip(member_of(node.things.type) or node.things.type)
    entity = kind.symbol  # type: ignore[attr-defined]  # things by construction
    names = c.program.things[entity]

    def run(m: Image, env: Locals) -> None:
        found = things(m, env)
        if not found:
            return
        place = zone(m, env)
        if not place:
            raise Fault("none", "there is no zone to move to", span)
        for thing in found:
            zones.move(m, entity, thing, place, bottom, span)
        if m.log is not None:
            m.log.append(("move", names, tuple(found), place, span))

    return run


def _shuffle(c: Compiler, node: t.Shuffle) -> Closure:
    zone, zones, span = c.expr(node.zone), c.program.zones, node.span
    into = c.expr(node.into) if node.into is not None else None
    entity = node.zone.type.symbol  # type: ignore[attr-defined]  # a zone

    def run(m: Image, env: Locals) -> None:
        place = zone(m, env)
        if into is not None:
            target = into(m, env)
            for thing in zones.sequence(m, place):
                zones.move(m, entity, thing, target, False, span)
            place = target
        zones.forget_order(m, place)
        if m.log is not None:
            m.log.append(("shuffle", place, span))

    return run


# ----------------------------------------------------------------------------------------------------------- structure
def _let(c: Compiler, node: t.Let | ir.SetLocal) -> Closure:
    slot, value = node.slot, c.expr(node.value)

    def run(m: Image, env: Locals) -> None:
        env[slot] = value(m, env)

    return run


def _sequence(c: Compiler, node: t.Sequence) -> Closure:
    return _body(c, node)


def _if(c: Compiler, node: t.If) -> Closure:
    test, yes = c.expr(node.condition), _body(c, node.consequence)
    no = _body(c, node.alternative) if node.alternative is not None else None

    def run(m: Image, env: Locals) -> None:
        if test(m, env):
            yes(m, env)
        elif no is not None:
            no(m, env)

    return run


def _for(c: Compiler, node: t.ForEach) -> Closure:
    all_tuples, body = tuples(c, node.head, False), _body(c, node.body)
    slots, tick = [binder.slot for binder in node.head.binders], spend(c, node.span)

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


def _everyone(c: Compiler, node: t.Everyone) -> Closure:
    order, body, slot, tick = player_order(c, node.players), _body(c, node.body), node.slot, spend(c, node.span)

    def run(m: Image, env: Locals) -> None:
        for player in order(m, env):
            tick()
            env[slot] = player
            body(m, env)

    return run


def _acting(c: Compiler, node: t.Acting) -> Closure:
    player, body, slot = c.expr(node.player), _body(c, node.body), node.slot

    def run(m: Image, env: Locals) -> None:
        env[slot] = player(m, env)
        body(m, env)

    return run


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


def _step(c: Compiler, node: t.Step) -> Closure:
    body = _body(c, node.body)
    if node.condition is None:
        return body
    test = c.expr(node.condition)

    def run(m: Image, env: Locals) -> None:
        if test(m, env):
            body(m, env)

    return run


def _as_one(c: Compiler, node: t.AsOne) -> Closure:
    body, settle = _body(c, node.body), _settle(c)

    def run(m: Image, env: Locals) -> None:
        m.w[la.AS_ONE] += 1
        body(m, env)
        m.w[la.AS_ONE] -= 1
        settle(m, env)

    return run


def effect_function(c: Compiler, symbol: g.EffectSymbol) -> Callable[[Image, int, list[Any]], None]:
    """A named effect that cannot suspend, as a function of `me` and its arguments."""
    known = c.program.effect_functions.get(symbol)
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
    cell.append(_body(c, symbol.body))
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


def _do(c: Compiler, node: t.Do) -> Closure:
    function, me, arguments = effect_function(c, node.symbol), c.expr(node.me), [c.expr(a) for a in node.arguments]
    tick = spend(c, node.span)

    def run(m: Image, env: Locals) -> None:
        tick()
        function(m, me(m, env), [a(m, env) for a in arguments])

    return run


def _do_cell(c: Compiler, node: t.DoCell) -> Closure:
    me, thing, arguments = c.expr(node.me), c.expr(node.thing), [c.expr(a) for a in node.arguments]
    rows = c.program.things[node.column.entity].row_of
    bodies: list[tuple[int, Closure] | None] = [None]
    for cell in node.column.cells:
        bodies.append((2 * len(cell.frame.types), _body(c, cell.body)) if isinstance(cell, g.CellBody) else None)

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


# --------------------------------------------------------------------------------------------------------- operations
def _increment(c: Compiler, node: ir.Increment) -> Closure:
    slot = node.slot

    def run(m: Image, env: Locals) -> None:
        env[slot] += 1

    return run


def _next_in_list(c: Compiler, node: ir.NextInList) -> Closure:
    slot, source, index = node.slot, node.list_slot, node.index_slot

    def run(m: Image, env: Locals) -> None:
        env[slot] = env[source][env[index]]
        env[index] += 1

    return run


def _next_seat(c: Compiler, node: ir.NextSeat) -> Closure:
    slot, upcoming, count = node.me_slot, node.next_slot, c.program.players

    def run(m: Image, env: Locals) -> None:
        env[slot] = env[upcoming]
        env[upcoming] = env[slot] % count + 1

    return run


def _set_active(c: Compiler, node: ir.SetActive) -> Closure:
    slot = node.slot

    def run(m: Image, env: Locals) -> None:
        m.w[la.ACTIVE] = env[slot]
        m.w[la.TURN] += 1

    return run


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

    return run


def start_state(c: Compiler, symbol: g.StateSymbol) -> Closure:
    """Set a variable to its start value, for every key."""
    assert symbol.start is not None
    value = c.expr(symbol.start)
    write = state_writer(c, symbol, symbol.span)
    size = 2 * len(symbol.frame.types)
    keys = range(c.program.key_count(symbol.key))
    low = c.program.key_base(symbol.key)

    def run(m: Image, env: Locals) -> None:
        for key in keys:
            inner: Locals = [0] * size
            if len(inner) > 2:
                inner[1] = key + low
            write(m, key, value(m, inner))

    return run


def _count_pass(c: Compiler, node: ir.CountPass) -> Closure:
    limit = node.limit

    def run(m: Image, env: Locals) -> None:
        m.w[la.PASSES] += 1
        if m.w[la.PASSES] > limit:
            raise GameEnd(-1)

    return run


def record_function(c: Compiler, questions: list[g.HistoryQuestion], slots: list[int]) -> Closure | None:
    """Enter an event into the history as far as it is asked for."""
    if not questions:
        return None
    writes = []
    for question in questions:
        index = c.program.history.place(question)
        region = c.program.history_cells[question]
        writes.append(
            (question, index, [slots[k] for k, _ in question.keys], reader(region), writer(region), region.highest)
        )

    def run(m: Image, env: Locals) -> None:
        m.w[la.ORDINAL] += 1
        for question, index, keys, read, write, highest in writes:
            place = index(env[0], [env[k] for k in keys])
            if question.scope is None:
                write(m, place, m.w[la.ORDINAL])
            elif question.counted:
                write(m, place, min(highest, read(m, place) + 1))
            else:
                write(m, place, 1)

    return run


def _record(c: Compiler, node: ir.Record) -> Closure:
    run = record_function(c, node.questions, node.slots)
    assert run is not None
    return run


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


def _collect_tuples(c: Compiler, node: ir.CollectTuples) -> Closure:
    assert isinstance(node.head, x.Head)
    all_tuples, slot = tuples(c, node.head, False), node.list_slot

    def run(m: Image, env: Locals) -> None:
        env[slot] = tuple(value for values in all_tuples(m, env) for value in values)

    return run


def _unpack(c: Compiler, node: ir.UnpackTuple) -> Closure:
    slots, source, index = node.slots, node.list_slot, node.index_slot
    tick = spend(c, node.span)

    def run(m: Image, env: Locals) -> None:
        tick()
        for slot in slots:
            env[slot] = env[source][env[index]]
            env[index] += 1

    return run


def _collect_players(c: Compiler, node: ir.CollectPlayers) -> Closure:
    order, slot = player_order(c, node.players), node.list_slot

    def run(m: Image, env: Locals) -> None:
        env[slot] = tuple(order(m, env))

    return run


def _collect_roles(c: Compiler, node: ir.CollectRoles) -> Closure:
    count, slot, everybody = c.program.players, node.list_slot, node.everybody
    found = []
    for index, role in enumerate(node.roles):
        anyone = g.Role(**{**role.__dict__, "by_anyone": True})
        found.append((index, role.row is None, holders(c, role), holders(c, anyone)))

    def run(m: Image, env: Locals) -> None:
        if c.program.rules_sleep:
            env[slot] = ()
            return
        me, start = env[0], m.w[la.ACTIVE] or 1
        live_ones = []
        for index, ownerless, own, anyone in found:
            for holder, copies in (anyone if everybody and not me else own)(m, me):
                key = (0, index) if ownerless else (1 + (holder - start) % count, index)
                live_ones += [(key, index * 16 + holder)] * (1 if ownerless else copies)
        live_ones.sort()
        env[slot] = tuple(code for _, code in live_ones)[:16]

    return run


def role_arguments(role: g.Role, holder: int, env: Locals, slots: list[int]) -> list[Any]:
    """The locals that a role's body starts with."""
    return locals_for(role, holder, [env[slot] for slot in slots])


def _test_end(c: Compiler, node: ir.TestEnd) -> Closure:
    assert node.end.condition is not None
    test, size = c.expr(node.end.condition), 2 * len(node.end.frame.types)
    number = c.program.game.ends.index(node.end)

    def run(m: Image, env: Locals) -> None:
        if not c.program.laws_sleep and test(m, [0] * size):
            raise GameEnd(number)

    return run


def _settle(c: Compiler, node: object = None) -> Closure:
    program = c.program

    def run(m: Image, env: Locals) -> None:
        if not m.w[la.AS_ONE] and not program.laws_sleep:
            program.settle(m)

    return run


def settle_function(c: Compiler) -> Callable[[Image], None]:
    """Awards anew in the order of declaration, then the ends `at once`."""
    awards = []
    for award in c.program.game.awards:
        assert award.measure is not None
        least = c.expr(award.at_least) if award.at_least is not None else None
        awards.append((c.expr(award.measure), least, c.program.award_cells[award].offset, 2 * len(award.frame.types)))
    ends = []
    for number, end in enumerate(c.program.game.ends):
        if end.at_once and end.condition is not None:
            ends.append((number, c.expr(end.condition), 2 * len(end.frame.types)))
    players = range(1, c.program.players + 1)

    def settle(m: Image) -> None:
        for measure, least, cell, size in awards:
            values = {p: measure(m, [p, p] + [0] * size) for p in players}
            floor = least(m, [0] * 8) if least is not None else None
            best = max(values.values())
            leaders = [p for p in players if values[p] == best] if floor is None or best >= floor else []
            if m.b[cell] not in leaders:
                m.b[cell] = leaders[0] if len(leaders) == 1 else 0
        for number, test, size in ends:
            if test(m, [0] * size):
                raise GameEnd(number)

    return settle


def _as_one_begin(c: Compiler, node: ir.AsOneBegin) -> Closure:
    def run(m: Image, env: Locals) -> None:
        m.w[la.AS_ONE] += 1

    return run


def _as_one_end(c: Compiler, node: ir.AsOneEnd) -> Closure:
    def run(m: Image, env: Locals) -> None:
        m.w[la.AS_ONE] -= 1

    return run


_STATEMENTS: dict[type, Callable[[Compiler, Any], Closure]] = {
    t.Gain: am.gain,
    t.Lose: am.lose,
    t.Pay: am.pay,
    t.Transfer: am.transfer,
    t.Move: _move,
    t.Shuffle: _shuffle,
    t.SetState: _set_state,
    t.SetTrack: _set_track,
    t.SetResource: _set_resource,
    t.SetFace: _set_face,
    t.SetZone: _set_zone,
    t.SetPin: _set_pin,
    t.Let: _let,
    t.Sequence: _sequence,
    t.If: _if,
    t.ForEach: _for,
    t.Everyone: _everyone,
    t.Acting: _acting,
    t.Repeat: _repeat,
    t.Step: _step,
    t.AsOne: _as_one,
    t.Do: _do,
    t.DoCell: _do_cell,
    ir.SetLocal: _let,
    ir.Increment: _increment,
    ir.NextInList: _next_in_list,
    ir.NextSeat: _next_seat,
    ir.SetActive: _set_active,
    ir.Enter: _enter,
    ir.CountPass: _count_pass,
    ir.Record: _record,
    ir.PayCosts: _pay_costs,
    ir.CollectTuples: _collect_tuples,
    ir.UnpackTuple: _unpack,
    ir.CollectPlayers: _collect_players,
    ir.CollectRoles: _collect_roles,
    ir.TestEnd: _test_end,
    ir.Settle: _settle,
    ir.AsOneBegin: _as_one_begin,
    ir.AsOneEnd: _as_one_end,
}

__all__ = [
    "BUDGET",
    "compile_operations",
    "effect_function",
    "guards",
    "members",
    "player_order",
    "requirement_test",
    "role_arguments",
    "settle_function",
    "spend",
    "start_state",
    "thing_list",
]
