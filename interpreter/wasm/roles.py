"""Standing rules: for whom they are live, whether they hold, and values after all that modify them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import PlayerType, TallyType, Type, strip
from regelwerk.dsl.source import Span
from regelwerk.interpreter import layout as la
from regelwerk.interpreter.evaluation.roles import modifiers
from regelwerk.interpreter.wasm import zones
from regelwerk.interpreter.wasm.code import Value, choose, const, load
from regelwerk.interpreter.wasm.collections import insert_by_key
from regelwerk.interpreter.wasm.emitter import Emitter
from regelwerk.interpreter.wasm.shapes import Operand, Ref, Words


@contextmanager
def each_holder(e: Emitter, role: g.Role, me: Value, by_anyone: bool | None = None) -> Iterator[tuple[Value, Value]]:
    """Who is `me` in a rule, and the copy it belongs to, for each live copy; `me` can be used again."""
    f = e.f
    anyone = role.by_anyone if by_anyone is None else by_anyone
    if role.row is None or role.row.entity.live_in is None:
        yield me, const(0)
        return
    zone, row = role.row.entity.live_in, role.row
    things = e.program.things[row.entity]
    first, count = things.first_of_row[row.index], things.row_count[row.index]
    base, instances = e.program.zones.base[zone], e.program.zones.instances[zone]
    copy = f.variable()

    @contextmanager
    def copies(place: Value) -> Iterator[None]:
        if count == 1:
            f.set(copy, first)
            with f.when(zones.location(e.unit, e.state, row.entity, const(first)).eq(place)):
                yield
        else:
            with (
                f.counting(first, first + count) as k,
                f.when(zones.location(e.unit, e.state, row.entity, k).eq(place)),
            ):
                f.set(copy, k)
                yield

    if not isinstance(zone.key, PlayerType):
        if instances == 1:
            with copies(const(base)):
                yield me, copy
        else:
            with f.counting(base, base + instances) as place, copies(place):
                yield me, copy
    elif anyone:
        with f.counting(1, e.program.players + 1) as player, copies(player + (base - 1)):
            yield player, copy
    elif row in e.held and me.local == _local(e.slots.get(0)):
        f.set(copy, first)
        with f.when(e.held[row]):
            yield me, copy
    elif e.listing and me.local == _local(e.slots.get(0)):
        with copies(f.keep(me + (base - 1))):
            yield me, copy
    else:
        with f.when(me), copies(f.keep(me + (base - 1))):
            yield me, copy


def _local(operand: Operand | None) -> int | None:
    """The variable of an operand; -1 if it is none."""
    return operand.local if isinstance(operand, Value) and operand.local is not None else -1


def hold(e: Emitter, roles: list[g.Role]) -> None:
    """Find out beforehand who has the things to which rules belong, where options are listed for `me`."""
    for role in roles:
        row = role.row
        if row is None or row.entity.live_in is None or row in e.held or not e.listing or role.by_anyone:
            continue
        things, me = e.program.things[row.entity], e.slots.get(0)
        if (
            things.row_count[row.index] == 1
            and isinstance(row.entity.live_in.key, PlayerType)
            and isinstance(me, Value)
        ):
            thing, base = const(things.first_of_row[row.index]), e.program.zones.base[row.entity.live_in]
            e.held[row] = e.f.copied(zones.location(e.unit, e.state, row.entity, thing).eq(me + (base - 1)))


def inside(e: Emitter, role: g.Role, me: Value, arguments: list[Operand], copy: Value) -> Emitter:
    """An emitter for the guards, value or amount of a rule."""
    inner = e.within(role.frame)
    inner.bind(0, me)
    if role.row is not None:
        inner.bind(1, copy)
    for slot, index in role.bindings:
        inner.slots[slot] = arguments[index]
    return inner


def guarded(inner: Emitter, role: g.Role) -> Value:
    """Whether the conditions of `while` hold."""
    if not role.guards:
        return const(1)
    found = inner.apart(lambda: inner.value(role.guards[-1]))
    for guard in reversed(role.guards[:-1]):
        rest, test = found, inner.apart(lambda guard=guard: inner.value(guard))  # type: ignore[misc]  # of this pass
        found = Value(0x7F, test.code + b"\x04\x7f" + rest.code + b"\x05\x41\x00\x0b")
    return found


def live(e: Emitter, role: g.Role, me: Value, arguments: list[Operand]) -> Value:
    """Whether a rule holds for `me` and the target's arguments."""
    f = e.f
    found = f.copied(const(0))
    with each_holder(e, role, me) as (holder, copy), f.when(guarded(inside(e, role, holder, arguments, copy), role)):
        f.set(found, 1)
    return found


def modified(
    e: Emitter, roles: list[g.Role], kind: Type, plain: Operand, me: Value, arguments: list[Operand]
) -> Operand:
    """A value after all live modifiers."""
    f = e.f
    target = e.place(kind)
    e.assign(target, plain)
    replaced = f.copied(const(0))
    given: Operand | None = None
    for role in modifiers(roles):
        assert role.value is not None
        with each_holder(e, role, me) as (holder, copy):
            inner = inside(e, role, holder, arguments, copy)
            with f.when(guarded(inner, role)):
                amount = e.keep(inner.widened(role.value, kind))
                if role.kind == "becomes":
                    if given is None:
                        given = e.place(kind)
                    with f.when(replaced), f.when(e.same(given, amount, kind).eqz()):
                        e.unit.fault(f, "clash", f"two rules give different values: {role.name}", role.span)
                    f.set(replaced, 1)
                    e.assign(given, amount)
                    e.assign(target, amount)
                else:
                    _apply(e, role.kind, target, amount, kind)
    return target


def _apply(e: Emitter, word: str, target: Operand, amount: Operand, kind: Type) -> None:
    f = e.f
    if isinstance(target, Words):
        assert isinstance(amount, Words)
        for part, more in zip(target.parts, e.exactly(amount, len(target.parts)), strict=True):
            f.set(part, part | more)
    elif isinstance(target, Ref):
        assert isinstance(amount, Ref)
        assert isinstance(strip(kind), TallyType), "lists are only replaced"
        for k in range(e.program.unit_count(strip(kind))):
            old, change = f.keep(load(target.address, 4 * k)), f.keep(load(amount.address, 4 * k))
            f.store(target.address, _changed(word, old, change, True, f.keep), 4 * k)
    else:
        assert isinstance(amount, Value)
        f.set(target, _changed(word, target, amount, False, f.keep))


def _changed(word: str, old: Value, change: Value, tally: bool, keep: Callable[[Value], Value]) -> Value:
    if word == "plus":
        return old + change
    if word == "minus":
        if not tally:
            return old - change
        rest = keep(old - change)
        return choose(rest > 0, rest, const(0))
    if word == "at_least":
        return choose(old > change, old, change)
    return choose(old < change, old, change)


def collect_live(
    e: Emitter, roles: list[g.Role], everybody: bool, me: Value, target: Value, limit: int, span: Span | None = None
) -> None:
    """Write the list of the rules that are live, coded, in order: ownerless ones first, then owners from the active
    player on; within, as declared (`evaluation.roles.live_in_order`)."""
    f = e.f
    start = f.keep(load(e.state, 4 * la.ACTIVE))
    first = f.keep(choose(start, start, const(1)))
    keys = f.room(4 * (limit + 1))
    count = f.copied(const(0))

    def add(index: int, role: g.Role, holder: Value, copy: Value) -> None:
        code = f.keep((holder << 13) | copy | (index << 17))
        turn = holder - first
        seat = const(0) if role.row is None else choose(turn < 0, turn + e.program.players, turn) + 1
        key = f.keep((seat << 25) | (index << 13) | copy)
        with f.when(count >= limit):
            e.unit.fault(f, "depth", "more than 32 rules answer to one event", span)
        insert_by_key(f, keys, key, target, code, count)

    for index, role in enumerate(roles):
        owned = role.row is not None and role.row.entity.live_in is not None
        if everybody and owned and not role.by_anyone:
            alone = f.keep(me.eqz())
            with f.when(alone), each_holder(e, role, me, True) as (holder, copy):
                add(index, role, holder, copy)
            with f.when(alone.eqz()), each_holder(e, role, me, False) as (holder, copy):
                add(index, role, holder, copy)
        else:
            with each_holder(e, role, me) as (holder, copy):
                add(index, role, holder, copy)
    f.store(target, count)
