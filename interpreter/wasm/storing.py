"""Storing: variables, tracks, faces, and start values."""

from __future__ import annotations

from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import (
    EnumType,
    IntType,
    ListType,
    OptionalType,
    PlayerType,
    RecordType,
    SetType,
    TallyType,
    ThingType,
    Type,
    in_words,
    strip,
)
from regelwerk.dsl.source import Span
from regelwerk.interpreter.evaluation.base import NONE_NUMBER
from regelwerk.interpreter.frames import composite
from regelwerk.interpreter.wasm import knowledge
from regelwerk.interpreter.wasm.binary import I64
from regelwerk.interpreter.wasm.code import Value, const, load
from regelwerk.interpreter.wasm.collections import each_member
from regelwerk.interpreter.wasm.emitter import Emitter, any_bit, does
from regelwerk.interpreter.wasm.shapes import Operand, Ref, Words


def _low_high(e: Emitter, kind: Type) -> tuple[int, int]:
    plain = strip(kind)
    return (plain.lowest, plain.highest) if isinstance(plain, IntType) else (0, e.program.domains.highest(plain))


def is_beyond(value: Value, lowest: int, highest: int) -> Value:
    """Whether a number does not lie in a range."""
    if highest < lowest:
        return const(1)
    return (value - lowest).two("gt_u", highest - lowest)


def write_state(e: Emitter, symbol: g.StateSymbol, index: Value | int, source: Operand, span: Span) -> None:
    """Store a variable for a key number, testing its range."""
    f, unit = e.f, e.unit
    region, kind = e.program.state_cells[symbol], strip(symbol.type)
    name = symbol.name
    if composite(kind):
        ref = _as_ref(e, source, kind)
        if not isinstance(symbol.type, OptionalType) and isinstance(kind, RecordType):
            with f.when(load(ref.address).eqz()):
                unit.fault(f, "none", f"`{name}` cannot be none", span)
        with f.when(storable(e, ref, symbol.type).eqz()):
            unit.fault(f, "range", f"a part of `{name}` is out of range", span)
        room = 4 * e.shapes.room(kind)
        offset = index * room if isinstance(index, Value) else const(index * room)
        target = f.keep(e.state + offset + 4 * region.offset)
        packed = f.room(room)
        f.fill(packed, room)
        e.store(packed, ref, kind)
        f.copy(target, packed, room)
        return
    if isinstance(kind, SetType):
        assert isinstance(source, Words)
        parts = [f.keep(each) for each in source.parts]
        lowest = kind.member.lowest if isinstance(kind.member, IntType) else 1
        limit = (1 << (e.program.domains.highest(kind.member) + 1)) - (1 << lowest)
        wrong: Value | None = None
        for k, part in enumerate(parts):
            outside = part & const(~(limit >> 64 * k), I64)
            wrong = outside if wrong is None else wrong | outside
        assert wrong is not None
        with f.when(wrong.ne(0)):
            unit.fault(f, "range", f"a member of `{name}` is out of range", span)
        room = 4 * e.shapes.half_words(kind)
        offset = index * room if isinstance(index, Value) else const(index * room)
        e.store(
            f.keep(e.state + offset + 4 * region.offset), Words(e.fitted(Words(tuple(parts)), (room + 7) // 8)), kind
        )
        return
    if isinstance(kind, TallyType):
        units = e.program.unit_count(kind)
        assert isinstance(source, Ref)
        first = f.keep(index * units) if isinstance(index, Value) else const(index * units)
        for k in range(units):
            value = f.keep(load(source.address, 4 * k))
            with f.when(is_beyond(value, 0, region.highest)):
                unit.fault(f, "range", lambda n: f"`{name}` cannot hold {n[0]}", span, value)
            unit.write(f, e.state, region, first + k, value)
        return
    if isinstance(kind, ListType):
        ref = _as_ref(e, source, kind)
        bound, inner = e.shapes.bound(kind), strip(kind.member)
        least = inner.lowest if isinstance(inner, IntType) else 0
        most = e.program.domains.highest(inner)
        count = f.keep(load(ref.address))
        with f.when(count > bound):
            unit.fault(f, "range", f"`{name}` holds at most {bound}", span)
        with f.counting(0, count) as j:
            value = f.keep(load(ref.address + j * 4, 4))
            with f.when(is_beyond(value, least, most)):
                unit.fault(f, "range", lambda n: f"a member of `{name}` is out of range: {n[0]}", span, value)
        size = bound + 1
        first = f.keep(index * size) if isinstance(index, Value) else const(index * size)
        unit.write(f, e.state, region, first, count)
        with f.counting(0, bound) as j:
            value = f.copied(const(0))
            with f.when(j < count):
                f.set(value, load(ref.address + j * 4, 4))
            unit.write(f, e.state, region, f.keep(first + 1 + j), value)
        return
    assert isinstance(source, Value)
    value = f.keep(source)
    lowest, highest = _low_high(e, kind)
    if value.const is None or not lowest <= value.const <= highest:
        form = kind if isinstance(kind, IntType) else IntType(lowest, highest)
        low, high = in_words(lowest, form), in_words(highest, form)
        with f.when(is_beyond(value, lowest, highest)):
            with f.when(value.eq(NONE_NUMBER)):
                unit.fault(f, "none", f"`{name}` cannot be none", span)
            unit.fault(
                f,
                "range",
                lambda n: f"`{name}` goes from {low} to {high}, and this is {in_words(n[0], form)}",
                span,
                value,
            )
    unit.write(f, e.state, region, index, value)


def _as_ref(e: Emitter, source: Operand, kind: Type) -> Ref:
    """A list or record; of none the empty one."""
    if isinstance(source, Ref):
        return Ref(e.f.keep(source.address), source.kind)
    found = e.empty(kind)
    assert isinstance(found, Ref)
    return found


def storable(e: Emitter, source: Operand, kind: Type) -> Value:
    """Whether a value lies in the range of a type, in all its parts (`evaluation.storing.storable`)."""
    f, plain = e.f, strip(kind)
    holds = f.copied(const(1))

    def need(test: Value) -> None:
        f.set(holds, holds & test)

    if isinstance(plain, RecordType):
        assert isinstance(source, Ref)
        present = load(source.address).ne(0)
        if not isinstance(kind, OptionalType):
            need(present)
        with f.when(present):
            place = 4
            for _, each in plain.symbol.fields:
                need(storable(e, e.keep(e.fetch(source.address + place, each)), each))
                place += 4 * e.shapes.room(each)
        return holds
    if isinstance(plain, ListType):
        assert isinstance(source, Ref)
        need(load(source.address) <= e.shapes.bound(plain))
        with each_member(e, source, plain) as (member, _, _):
            need(storable(e, member, plain.member))
        return holds
    if isinstance(plain, TallyType):
        assert isinstance(source, Ref)
        for k in range(e.program.unit_count(plain)):
            need((load(source.address, 4 * k) >= 0) & (load(source.address, 4 * k) <= 32767))
        return holds
    if isinstance(plain, SetType):
        assert isinstance(source, Words)
        lowest = plain.member.lowest if isinstance(plain.member, IntType) else 1
        limit = (1 << (e.program.domains.highest(plain.member) + 1)) - (1 << lowest)
        wrong = Words(tuple(part & const(~(limit >> 64 * k), I64) for k, part in enumerate(source.parts)))
        need(any_bit(wrong).eqz())
        return holds
    assert isinstance(source, Value)
    low, high = _low_high(e, plain)
    least = 1 if low == 0 and isinstance(kind, PlayerType | ThingType | EnumType) else low
    need(is_beyond(source, least, high).eqz())
    return holds


@does(t.SetState)
def _set_state(e: Emitter, node: t.SetState) -> None:
    f, symbol = e.f, node.symbol
    if node.key is None:
        write_state(e, symbol, 0, e.widened(node.value, symbol.type, tested=True), node.span)
        return
    key = f.copied(e.value(node.key))
    with f.when(key.eqz()):
        e.unit.fault(f, "none", f"`{symbol.name}` of nothing cannot be set", node.span)
    value = e.keep(e.widened(node.value, symbol.type, tested=True))
    write_state(e, symbol, f.keep(key - e.program.key_base(symbol.key)), value, node.span)


@does(t.SetTrack)
def _set_track(e: Emitter, node: t.SetTrack) -> None:
    f, symbol = e.f, node.symbol
    value = f.copied(e.value(node.value))
    low, high = in_words(symbol.lowest, symbol.type), in_words(symbol.highest, symbol.type)
    with f.when(is_beyond(value, symbol.lowest, symbol.highest)):
        e.unit.fault(
            f,
            "range",
            lambda n: f"`{symbol.name}` goes from {low} to {high}, and this is {in_words(n[0], symbol.type)}",
            node.span,
            value,
        )
    e.unit.write(f, e.state, e.program.track_cells[symbol], f.keep(e.value(node.player) - 1), value)


@does(t.SetFace)
def _set_face(e: Emitter, node: t.SetFace) -> None:
    f = e.f
    symbol: g.EntitySymbol = strip(node.die.type).symbol  # type: ignore[attr-defined]  # dice are things
    assert symbol.faces is not None
    low, high = symbol.faces
    die, face = f.copied(e.value(node.die)), f.copied(e.value(node.value))
    with f.when(die.eqz()):
        e.unit.fault(f, "none", "there is no die to turn", node.span)
    with f.when(is_beyond(face, low, high)):
        e.unit.fault(f, "range", lambda n: f"a die shows {low} to {high}, not {n[0]}", node.span, face)
    e.unit.write(f, e.state, e.program.face_cells[symbol], die, face)
    if knowledge.tracked(e.unit, symbol):
        one_die = f.room(8)
        f.store(one_die, 1)
        f.store(one_die, die, 4)
        f.call(knowledge.change_function(e.unit, symbol), e.state, one_die)


def start_state(e: Emitter, symbol: g.StateSymbol) -> None:
    """Set a variable to its start value, for every key."""
    f = e.f
    assert symbol.start is not None
    low = e.program.key_base(symbol.key)
    inner = Emitter(e.unit, f, e.state, symbol.frame)
    if symbol.key is None:
        write_state(inner, symbol, 0, inner.widened(symbol.start, symbol.type, tested=True), symbol.span)
        return
    with f.counting(0, e.program.key_count(symbol.key)) as k:
        if len(symbol.frame.types) > 1:
            inner.bind(1, k + low)
        write_state(inner, symbol, k, inner.keep(inner.widened(symbol.start, symbol.type, tested=True)), symbol.span)
