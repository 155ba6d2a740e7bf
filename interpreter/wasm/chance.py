"""Chance: what nature decides is drawn from the streams in the image, or left to the host (`explicit_chance`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import IntType, strip
from regelwerk.interpreter import ir
from regelwerk.interpreter import layout as la
from regelwerk.interpreter.wasm import knowledge, zones
from regelwerk.interpreter.wasm.binary import I32, I64
from regelwerk.interpreter.wasm.code import Function, Value, const, load, load64
from regelwerk.interpreter.wasm.collections import destination, each_bit
from regelwerk.interpreter.wasm.expressions import stored
from regelwerk.interpreter.wasm.heads import Nest
from regelwerk.interpreter.wasm.moving import entity_of, things_to_list
from regelwerk.interpreter.wasm.shapes import Unsupported
from regelwerk.interpreter.wasm.storing import write_state
from regelwerk.interpreter.wasm.unit import COUNT, Unit

if TYPE_CHECKING:
    from regelwerk.interpreter.wasm.procs import ProcWriter

GOLDEN, _FIRST, _SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


def mixed(f: Function, state: Value) -> Value:
    """The output function of SplitMix64 (`interpreter.generator`)."""
    one = f.keep((state ^ (state >> 30)) * const(_FIRST, I64))
    two = f.keep((one ^ (one >> 27)) * const(_SECOND, I64))
    return two ^ (two >> 31)


def surely_below(drawn: Value, count: Value) -> Value:
    """Whether 32 bits that were drawn need not be drawn again: that happens to the uppermost ones, as many as are left
    of 2^32 when it is divided by the count, which are fewer than the count."""
    return drawn.two("le_u", count ^ -1)


def below(f: Function, address: Value, count: Value) -> Value:
    """A number from 0 to below another one, from the stream at an address."""
    found = f.variable()
    with f.loop() as again:
        state = f.keep(load64(address) + const(GOLDEN, I64))
        f.store64(address, state)
        high = f.keep((mixed(f, state) >> 32).narrow())
        with f.when(surely_below(high, count).eqz()):
            left = (const(0) - count).two("rem_u", count)
            f.leave_if(again, high.two("gt_u", left ^ -1))
        f.set(found, high.two("rem_u", count))
    return found


def below_function(unit: Unit) -> Function:
    """The same as a function of the address and the number."""

    def write(f: Function) -> None:
        f.give(below(f, f.parameter(0), f.parameter(1)))

    return unit.function("below", "a random number", (I32, I32), (I32,), write)


def stream_address(w: ProcWriter, name: str) -> Value:
    """Where a stream lies."""
    layout = w.program.layout
    return w.state + (layout.stream_offset + 8 * layout.streams.index(name))


def draw_below(w: ProcWriter, stream: str, count: Value) -> Value:
    """A random number from 0 to below `count`."""
    address = w.f.keep(stream_address(w, stream))
    if count.const:
        return below(w.f, address, count)  # by a known number it is divided without a division
    return w.f.call(below_function(w.unit), address, count)[0]


def write_chance(w: ProcWriter, block: ir.Block, end: ir.End) -> None:
    """The end of a block at which nature decides."""
    if isinstance(end, ir.RollEnd):
        _roll(w, block, end)
    elif isinstance(end, ir.DrawEnd):
        _draw(w, block, end)
    elif isinstance(end, ir.SettleTopEnd):
        _settle_top(w, block, end)
    elif isinstance(end, ir.ShowTopEnd):
        _show_top(w, block, end)
    elif isinstance(end, ir.RandomEnd):
        _random(w, block, end)
    elif isinstance(end, ir.ShuffleStateEnd):
        _shuffle_state(w, block, end)
    else:
        assert isinstance(end, ir.OptionEnd)
        _option(w, block, end)


def _explicit(w: ProcWriter, block: ir.Block) -> None:
    """If the host answers for nature, the proc suspends here."""
    from regelwerk.interpreter.wasm.procs import SUSPENDED

    f = w.f
    with f.when(load(w.state, 4 * la.EXPLICIT)):
        f.store(w.state, la.CHANCE, 4 * la.STATUS)
        f.store(w.state, 0, 4 * la.ACTOR)
        f.set_global(COUNT, 0)
        w._spill(w.liveness.waiting[block.index], block.index)
        w.sites.note_frames(w)
        f.give(const(SUSPENDED))


def _on(w: ProcWriter, end: ir.End, then: ir.Block) -> None:
    w._tick(end)
    w._go(then)


def _roll(w: ProcWriter, block: ir.Block, end: ir.RollEnd) -> None:
    e, f = w.e, w.f
    symbol = entity_of(end.roll.dice.type)
    assert symbol.faces is not None
    low, high = symbol.faces
    dice = things_to_list(e, end.roll.dice)
    count = f.keep(load(dice.address))
    with f.when(count.eqz()):
        w._go(end.then)
    _explicit(w, block)
    region = w.program.face_cells[symbol]
    with f.counting(0, count) as k:
        face = draw_below(w, f"dice {symbol.name}", const(high - low + 1)) + low
        w.unit.write(f, w.state, region, load(dice.address + k * 4, 4), face)
    if knowledge.tracked(w.unit, symbol):
        f.call(knowledge.change_function(w.unit, symbol), w.state, dice.address)
    _on(w, end, end.then)


def _stream_of(w: ProcWriter, zone: x.Expr) -> str:
    return f"zone {zone.symbol.name}" if isinstance(zone, x.ZoneRef) else w.program.layout.streams[0]


def _draw(w: ProcWriter, block: ir.Block, end: ir.DrawEnd) -> None:
    e, f, node, unit = w.e, w.f, end.draw, w.unit
    symbol: g.EntitySymbol = node.source.type.symbol  # type: ignore[attr-defined]  # a zone
    place = f.copied(e.value(node.source))
    thing, known = f.copied(const(0)), f.copied(const(1))
    if zones._is_ordered(unit, symbol) is False or (
        isinstance(node.source, x.ZoneRef) and node.source.symbol.order is None
    ):
        there = zones.sequence(e, symbol, place)
        f.set(thing, load(there.address + load(there.address) * 4))
    else:
        slots = zones.Slots(unit, f, w.state, symbol, place)
        size = f.keep(slots.count(1))
        open_ = f.keep(slots.count(2).eqz() & (size > 1))
        with f.when(open_):
            _explicit(w, block)
            f.set(thing, slots.at(slots.count(0) + draw_below(w, _stream_of(w, node.source), size)))
            f.set(known, 0)
            f.otherwise()
            f.set(thing, slots.at(slots.total() - 1))
    if end.drawn_slot is not None:
        e.bind(end.drawn_slot, thing)
    target = f.copied(destination(e, node.zone))
    with f.when(target.eqz()):
        unit.fault(f, "none", "there is no zone to draw to", node.span)
    if not knowledge.tracked(unit, symbol):
        f.call(zones.move_function(unit, symbol, node.span), w.state, thing, target, const(0))
    else:
        with f.when(known):
            move = knowledge.move_one_function(unit, symbol, node.span)
            f.call(move, w.state, thing, target, const(0), const(1), const(0))
            f.otherwise()
            f.call(knowledge.draw_unknown_function(unit, symbol, node.span), w.state, thing, target)
    _on(w, end, end.then)


def _settle_one(w: ProcWriter, block: ir.Block, entity: g.EntitySymbol, place: Value, stream: str) -> None:
    """Nature settles which of the things without order is the uppermost."""
    f, unit = w.f, w.unit
    _explicit(w, block)
    slots = zones.Slots(unit, f, w.state, entity, place)
    chosen = f.keep(slots.at(slots.count(0) + draw_below(w, stream, f.keep(slots.count(1)))))
    f.call(knowledge.settle_top_function(unit, entity), w.state, chosen)


def _settle_top(w: ProcWriter, block: ir.Block, end: ir.SettleTopEnd) -> None:
    e, f, unit = w.e, w.f, w.unit
    entity: g.EntitySymbol = end.zone.type.symbol  # type: ignore[attr-defined]  # a zone
    place = f.copied(e.value(end.zone))
    wanted = f.copied(e.value(end.count))
    settled = f.copied(place.eqz())
    if zones._is_ordered(unit, entity) is False:
        f.set(settled, 1)
    with f.when(settled.eqz()):
        slots = zones.Slots(unit, f, w.state, entity, place)
        f.set(settled, (slots.count(1) < 2) | (slots.count(2) >= wanted))
    with f.when(settled):
        w._go(end.done)
    _settle_one(w, block, entity, place, _stream_of(w, end.zone))
    _on(w, end, end.then)


def _show_top(w: ProcWriter, block: ir.Block, end: ir.ShowTopEnd) -> None:
    f, unit, entity = w.f, w.unit, end.symbols[0].entity
    every = w.program.zones
    numbers = [every.base[symbol] + k for symbol in end.symbols for k in range(every.instances[symbol])]
    place = f.copied(const(0))
    for number in numbers:
        with f.when(place.eqz()):
            slots = zones.Slots(unit, f, w.state, entity, const(number))
            with f.when((slots.count(1) >= 2) & slots.count(2).eqz()):
                f.set(place, number)
    with f.when(place.eqz()):
        w._go(end.done)
    _settle_one(w, block, entity, place, f"zone {end.symbols[0].name}")
    _on(w, end, end.then)


def _random(w: ProcWriter, block: ir.Block, end: ir.RandomEnd) -> None:
    e, f = w.e, w.f
    binder = end.pick.binder
    room = w.unit.shapes.room(binder.type)
    found = f.room(4 * room * 1024)
    count = f.copied(const(0))

    def collect(done: object) -> None:
        with f.when(count >= 1024):
            w.unit.fault(f, "budget", "there are too many combinations to look at", end.span)
        e.store(f.keep(found + count * (4 * room)), e.slot(binder.slot), binder.type)
        f.increase(count)

    Nest(e, end.pick.head).run(collect)
    with f.when(count.eqz()):
        w._go(end.otherwise)
    _explicit(w, block)
    index = draw_below(w, f"random {w.proc.name} {block.index}", count)
    e.bind(binder.slot, e.fetch(f.keep(found + index * (4 * room)), binder.type))
    _on(w, end, end.body)


def _shuffle_state(w: ProcWriter, block: ir.Block, end: ir.ShuffleStateEnd) -> None:
    e, f = w.e, w.f
    symbol = end.shuffle.symbol
    if w.unit.shapes.form(symbol.type) != "scalar":
        raise Unsupported("shuffling sets or lists")
    low = w.program.key_base(symbol.key)
    keys = e.words(end.shuffle.keys)
    kept = e.keep(keys)
    values = f.room(4 * 1024)
    count = f.copied(const(0))
    with each_bit(e, kept) as (key, _, _):  # type: ignore[arg-type]  # a set
        value = stored(e, symbol, key - low)
        assert isinstance(value, Value)
        f.store(values + count * 4, value)
        f.increase(count)
    with f.when(count < 2):
        w._go(end.then)
    _explicit(w, block)
    # as drawn from a pool that each draw makes smaller
    left = f.copied(count)
    with each_bit(e, kept) as (key, _, _):  # type: ignore[arg-type]  # a set
        index = f.keep(draw_below(w, f"shuffle {symbol.name}", left))
        value = f.keep(load(values + index * 4))
        f.copy(values + index * 4, values + index * 4 + 4, (left - index - 1) * 4)
        f.increase(left, -1)
        write_state(e, symbol, f.keep(key - low), value, end.span)
    _on(w, end, end.then)


def _option(w: ProcWriter, block: ir.Block, end: ir.OptionEnd) -> None:
    symbol = end.option
    region = w.program.option_cells.get(symbol)
    if region is None:
        w._go(end.then)
        return
    highest, kind = w.program.domains.highest(symbol.type), strip(symbol.type)
    low = kind.lowest if isinstance(kind, IntType) else 0 if str(kind) == "yes/no" else 1
    _explicit(w, block)
    value = draw_below(w, f"option {symbol.name}", const(highest - low + 1)) + low
    w.unit.write(w.f, w.state, region, 0, value)
    _on(w, end, end.then)
