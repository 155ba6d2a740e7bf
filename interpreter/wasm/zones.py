"""Zones: where things lie and in which order. What these functions do to the image is what `interpreter.zones` does.

The things of a zone with an order stand in slots from the bottom to the top; three counts say how many at the bottom
have a known order, how many in the middle have none (they are kept in ascending order), how many on top have a known
one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import ListType, ThingType
from regelwerk.dsl.source import Span
from regelwerk.interpreter.evaluation.collections import UNSETTLED
from regelwerk.interpreter.wasm.binary import I32, I64
from regelwerk.interpreter.wasm.code import Function, Value, choose, const, load, load32u, load64
from regelwerk.interpreter.wasm.shapes import Ref, Words
from regelwerk.interpreter.wasm.unit import Unit

if TYPE_CHECKING:
    from regelwerk.interpreter.wasm.emitter import Emitter


class Slots:
    """The slots of a zone with an order, inside a function: the addresses of its counts and slots."""

    def __init__(self, unit: Unit, f: Function, state: Value, entity: g.EntitySymbol, zone: Value) -> None:
        zones = unit.program.zones
        self.f, self.size = f, 1 if unit.program.things[entity].count <= 255 else 2
        self.counts = f.keep(state + unit.look_up([2 * k for k in zones.offset], zone))
        self.slots = f.keep(state + unit.look_up([self.size * k for k in zones.slots], zone))

    def count(self, part: int) -> Value:
        """How many things have a known order at the bottom (0), no order (1), a known one on top (2)."""
        return load(self.counts, 2 * part, 16, True)

    def total(self) -> Value:
        """How many things lie there."""
        return self.count(0) + self.count(1) + self.count(2)

    def set_count(self, part: int, value: Value | int) -> None:
        """Note a count."""
        self.f.store(self.counts, value, 2 * part, 16)

    def at(self, place: Value) -> Value:
        """The thing at a place from 0, the bottom."""
        return load(self.slots + place * self.size, 0, 8 * self.size)

    def put(self, place: Value, thing: Value | int) -> None:
        """Write a slot."""
        self.f.store(self.slots + place * self.size, thing, 0, 8 * self.size)

    def shift(self, target: Value, source: Value, count: Value) -> None:
        """Move slots; they may overlap."""
        self.f.copy(self.slots + target * self.size, self.slots + source * self.size, count * self.size)

    def normal(self) -> None:
        """Without things that have no order, all the others are at the bottom."""
        with self.f.when(self.count(1).eqz()):
            self.set_count(0, self.count(0) + self.count(2))
            self.set_count(2, 0)

    def sort(self, start: Value, count: Value) -> None:
        """Put some slots into ascending order."""
        f = self.f
        with f.counting(start + 1, start + count) as k:
            value, j = f.keep(self.at(k)), f.copied(k)
            with f.while_(lambda: j > start) as (_, leave):
                f.leave_if(leave, self.at(j - 1) <= value)
                self.put(j, self.at(j - 1))
                f.increase(j, -1)
            self.put(j, value)


def _is_ordered(unit: Unit, entity: g.EntitySymbol) -> bool | None:
    """Whether all zones of a type have an order (True), or none (False); None if some have."""
    found = {symbol.order is not None for symbol in unit.program.zones.symbols if symbol.entity is entity}
    return found.pop() if len(found) == 1 else None


def _ordered(unit: Unit, entity: g.EntitySymbol, zone: Value) -> Value:
    known = _is_ordered(unit, entity)
    return const(int(known)) if known is not None else unit.look_up([int(k) for k in unit.program.zones.ordered], zone)


def _words(unit: Unit, entity: g.EntitySymbol) -> int:
    return unit.program.things[entity].count // 32 + 1


def set_address(unit: Unit, state: Value, zone: Value, symbol: g.ZoneSymbol | None = None) -> Value:
    """Where the set of a zone without order lies. `symbol`: the zone is one of its instances."""
    zones = unit.program.zones
    if symbol is None or zone.const is not None or not zones.instances[symbol]:
        return state + unit.look_up([4 * k for k in zones.offset], zone)
    base, words = zones.base[symbol], zones.words[zones.base[symbol]]
    return state + (zone * (4 * words) + 4 * (zones.offset[base] - base * words))


def location(unit: Unit, state: Value, entity: g.EntitySymbol, thing: Value) -> Value:
    """The zone in which a thing lies."""
    return unit.read(state, unit.program.location_cells[entity], thing)


# ------------------------------------------------------------------------------------------------------------- reading
def _stored_words(unit: Unit, f: Function, address: Value, entity: g.EntitySymbol) -> Words:
    count = _words(unit, entity)
    here = f.keep(address)
    parts = [load64(here, 8 * k) if 2 * k + 1 < count else load32u(here, 8 * k) for k in range((count + 1) // 2)]
    return Words(tuple(parts))


def as_set(
    e: Emitter,
    entity: g.EntitySymbol,
    zone: Value,
    ordered: bool | None = None,
    symbol: g.ZoneSymbol | None = None,
) -> Words:
    """What lies in a zone, as a set. `symbol`: the zone is one of its instances, and never none."""
    unit, f = e.unit, e.f
    ordered = _is_ordered(unit, entity) if ordered is None else ordered
    wanted = unit.program.things[entity].count // 64 + 1
    if ordered is False and symbol is not None:
        return _stored_words(unit, f, set_address(unit, e.state, zone, symbol), entity)
    if ordered is False:
        function = unit.function(
            ("set or nothing", entity),
            f"what lies in a zone of {entity.name}",
            (I32, I32),
            (I64,) * wanted,
            lambda f: _write_set_or_nothing(unit, f, entity, wanted),
        )
    else:
        function = unit.function(
            ("as set", entity),
            f"the set in a zone of {entity.name}",
            (I32, I32),
            (I64,) * wanted,
            lambda f: _write_as_set(unit, f, entity, wanted),
        )
    return Words(tuple(f.call(function, e.state, zone)))


def _write_set_or_nothing(unit: Unit, f: Function, entity: g.EntitySymbol, wanted: int) -> None:
    state, zone = f.parameter(0), f.parameter(1)
    with f.when(zone.eqz()):
        f.give(*[const(0, I64)] * wanted)
    f.give(*_stored_words(unit, f, set_address(unit, state, zone), entity).parts)


def _write_as_set(unit: Unit, f: Function, entity: g.EntitySymbol, wanted: int) -> None:
    state, zone = f.parameter(0), f.parameter(1)
    with f.when(zone.eqz()):
        f.give(*[const(0, I64)] * wanted)
    with f.when(_ordered(unit, entity, zone).eqz()):
        f.give(*_stored_words(unit, f, set_address(unit, state, zone), entity).parts)
    slots = Slots(unit, f, state, entity, zone)
    found = [f.variable(I64) for _ in range(wanted)]
    with f.counting(0, slots.total()) as k:
        thing = f.keep(slots.at(k))
        one = f.keep(const(1, I64) << (thing & 63).widen())
        for number, part in enumerate(found):
            f.set(part, part | (one if wanted == 1 else choose((thing >> 6).eq(number), one, const(0, I64))))
    f.give(*found)


def list_kind(unit: Unit, entity: g.EntitySymbol) -> ListType:
    """The type of a list of things that can hold all of them."""
    return ListType(ThingType(entity), ((max(1, unit.program.things[entity].count),),))


def sequence(e: Emitter, entity: g.EntitySymbol, zone: Value) -> Ref:
    """What lies in a zone, as a list in its order (bottom first) or that of declaration."""
    target = e.f.room(4 * (1 + max(1, e.program.things[entity].count)))
    e.f.call(sequence_function(e.unit, entity), e.state, zone, target)
    return Ref(target, list_kind(e.unit, entity))


def sequence_function(unit: Unit, entity: g.EntitySymbol) -> Function:
    """Writes the list of what lies in a zone to an address."""

    def write(f: Function) -> None:
        state, zone, target = f.parameter(0), f.parameter(1), f.parameter(2)
        f.store(target, 0)
        with f.when(zone.eqz()):
            f.give()
        with f.when(_ordered(unit, entity, zone)):
            if _is_ordered(unit, entity) is not False:
                slots = Slots(unit, f, state, entity, zone)
                total = f.keep(slots.total())
                f.store(target, total)
                with f.counting(0, total) as k:
                    f.store(target + k * 4, slots.at(k), 4)
            f.give()
        words = _stored_words(unit, f, set_address(unit, state, zone), entity)
        count = f.copied(const(0))
        for number, part in enumerate(words.parts):
            left = f.copied(part)
            with f.while_(lambda left=left: left.ne(0)):  # type: ignore[misc]  # the variable of this pass
                f.store(target + count * 4, left.one("ctz").narrow() + 64 * number, 4)
                f.increase(count)
                f.set(left, left & (left - 1))
        f.store(target, count)

    return unit.function(("sequence", entity), f"the list in a zone of {entity.name}", (I32, I32, I32), (), write)


def count_function(unit: Unit, entity: g.EntitySymbol) -> Function:
    """How many things lie in a zone."""

    def write(f: Function) -> None:
        state, zone = f.parameter(0), f.parameter(1)
        with f.when(zone.eqz()):
            f.give(const(0))
        with f.when(_ordered(unit, entity, zone)):
            f.give(Slots(unit, f, state, entity, zone).total() if _is_ordered(unit, entity) is not False else const(0))
        words = _stored_words(unit, f, set_address(unit, state, zone), entity)
        total = words.parts[0].one("popcnt").narrow()
        for part in words.parts[1:]:
            total = total + part.one("popcnt").narrow()
        f.give(total)

    return unit.function(("count", entity), f"how many {entity.name} lie in a zone", (I32, I32), (I32,), write)


def count(
    e: Emitter, entity: g.EntitySymbol, zone: Value, ordered: bool | None, symbol: g.ZoneSymbol | None = None
) -> Value:
    """How many things lie in a zone. `symbol`: the zone is one of its instances, and never none."""
    unit, f = e.unit, e.f
    ordered = _is_ordered(unit, entity) if ordered is None else ordered
    if zone.const or symbol is not None:
        if ordered is False:
            words = _stored_words(unit, f, set_address(unit, e.state, zone, symbol), entity)
            total = words.parts[0].one("popcnt").narrow()
            for part in words.parts[1:]:
                total = total + part.one("popcnt").narrow()
            return total
        if ordered:
            return Slots(unit, f, e.state, entity, zone).total()
    return f.call(count_function(unit, entity), e.state, zone)[0]


def at(e: Emitter, entity: g.EntitySymbol, zone: Value, place: Value, span: Span) -> Value:
    """The thing at a place from 1 on."""
    f = e.f
    found = sequence(e, entity, zone)
    with f.when((place < 1) | (place > load(found.address))):
        e.unit.fault(f, "range", lambda n: f"there is no number {n[0]} among {n[1]}", span, place, load(found.address))
    return load(found.address + place * 4)


def end(
    e: Emitter,
    entity: g.EntitySymbol,
    zone: Value,
    last: bool,
    span: Span,
    ordered: bool | None,
    symbol: g.ZoneSymbol | None = None,
) -> Value:
    """The first or last thing of a zone; none (0) if it is empty. `symbol`: the zone is one of its instances, and never
    none."""
    f, unit = e.f, e.unit
    ordered = _is_ordered(unit, entity) if ordered is None else ordered
    if ordered is None:
        raise NotImplementedError("a zone that may have an order or not")
    if not ordered:
        from regelwerk.interpreter.wasm.collections import first_bit, last_bit

        words = as_set(e, entity, zone, False, symbol)
        return last_bit(e, words, 0) if last else first_bit(e, words, 0)
    found = f.copied(const(0))
    with f.when(zone):
        slots = Slots(unit, f, e.state, entity, zone)
        total = f.keep(slots.total())
        with f.when(total):
            if last:
                unsettled = (slots.count(1) >= 2) & slots.count(2).eqz()
            else:
                unsettled = slots.count(0).eqz() & (slots.count(1) >= 2)
            with f.when(unsettled):
                unit.fault(f, "none", UNSETTLED, span)
            f.set(found, slots.at(total - 1 if last else const(0)))
    return found


def top(e: Emitter, entity: g.EntitySymbol, zone: Value, wanted: Value, span: Span) -> Ref:
    """The top things of a pile, from the top down."""
    f, unit = e.f, e.unit
    target = f.room(4 * (1 + max(1, e.program.things[entity].count)))
    with f.when(wanted < 0):
        unit.fault(f, "range", lambda n: f"`top` takes a number from 0 on, and this is {n[0]}", span, wanted)
    f.store(target, 0)
    with f.when(zone):
        slots = Slots(unit, f, e.state, entity, zone)
        total = f.keep(slots.total())
        taken = f.keep(choose(wanted < total, wanted, total))
        with f.when((slots.count(1) >= 2) & (slots.count(2) < taken)):
            unit.fault(f, "none", UNSETTLED, span)
        f.store(target, taken)
        with f.counting(0, taken) as k:
            f.store(target + k * 4, slots.at(total - 1 - k), 4)
    return Ref(target, list_kind(unit, entity))


def place_in_zone(unit: Unit, entity: g.EntitySymbol) -> Function:
    """The place of a thing in its zone, from 1; 0 in one without order."""

    def write(f: Function) -> None:
        state, thing = f.parameter(0), f.parameter(1)
        with f.when(thing.eqz()):
            f.give(const(0))
        zone = f.keep(location(unit, state, entity, thing))
        with f.when(zone.eqz() | _ordered(unit, entity, zone).eqz()):
            f.give(const(0))
        if _is_ordered(unit, entity) is not False:
            slots = Slots(unit, f, state, entity, zone)
            with f.counting(0, slots.total()) as k, f.when(slots.at(k).eq(thing)):
                f.give(k + 1)
        f.give(const(0))

    return unit.function(("place", entity), f"the place of {entity.name}", (I32, I32), (I32,), write)


# ------------------------------------------------------------------------------------------------------------- writing
def _flip(unit: Unit, f: Function, state: Value, zone: Value, thing: Value, put: bool) -> None:
    """Put a thing into the set of a zone, or take it out."""
    address = f.keep(set_address(unit, state, zone) + (thing >> 5) * 4)
    one = const(1) << (thing & 31)
    f.store(address, load(address) | one if put else load(address) & (one ^ -1))


def _take_out(unit: Unit, f: Function, state: Value, entity: g.EntitySymbol, thing: Value, zone: Value) -> None:
    """Take a thing from the zone in which it lies."""
    known = _is_ordered(unit, entity)
    if known is False:
        _flip(unit, f, state, zone, thing, False)
    elif known:
        _take_from_slots(unit, f, state, entity, thing, zone)
    else:
        with f.when(_ordered(unit, entity, zone)):
            _take_from_slots(unit, f, state, entity, thing, zone)
            f.otherwise()
            _flip(unit, f, state, zone, thing, False)


def _take_from_slots(unit: Unit, f: Function, state: Value, entity: g.EntitySymbol, thing: Value, zone: Value) -> None:
    slots = Slots(unit, f, state, entity, zone)
    bottom, middle = f.keep(slots.count(0)), f.keep(slots.count(1))
    last = f.keep(slots.total() - 1)
    place = f.copied(last)  # mostly it lies on top, or not far from there
    with f.while_(lambda: place > 0) as (_, leave):
        f.leave_if(leave, slots.at(place).eq(thing))
        f.increase(place, -1)
    with f.when(place < bottom):
        slots.set_count(0, bottom - 1)
        f.otherwise()
        with f.when(place < bottom + middle):
            slots.set_count(1, middle - 1)
            f.otherwise()
            slots.set_count(2, slots.count(2) - 1)
    with f.when(place < last):
        slots.shift(place, place + 1, last - place)
    slots.put(last, 0)
    slots.normal()


def _put(
    unit: Unit,
    f: Function,
    state: Value,
    entity: g.EntitySymbol,
    thing: Value,
    zone: Value,
    bottom: Value,
    span: Span | None,
) -> None:
    """Put a thing that lies nowhere into a zone: on top, or (`bottom`) under all."""
    zones = unit.program.zones
    if any(zones.capacity):
        most = f.keep(unit.look_up(zones.capacity, zone))
        with f.when(most):
            held = f.call(count_function(unit, entity), state, zone)[0]
            with f.when(held >= most):
                unit.fault(
                    f,
                    "full",
                    lambda n: f"{zones.symbol_of[n[0]].words} has room for {zones.capacity[n[0]]}",  # type: ignore[union-attr]  # a zone
                    span,
                    zone,
                )
    known = _is_ordered(unit, entity)
    if known is False:
        _flip(unit, f, state, zone, thing, True)
        return
    with f.when(_ordered(unit, entity, zone)):
        slots = Slots(unit, f, state, entity, zone)
        total = f.keep(slots.total())
        with f.when(bottom):
            slots.shift(const(1), const(0), total)
            slots.put(const(0), thing)
            slots.set_count(0, slots.count(0) + 1)
            f.otherwise()
            slots.put(total, thing)
            part = f.keep(choose(slots.count(1), const(2), const(0)))
            address = f.keep(slots.counts + part * 2)
            f.store(address, load(address, 0, 16, True) + 1, 0, 16)
        slots.normal()
        if known is None:
            f.otherwise()
            _flip(unit, f, state, zone, thing, True)


def is_plain(unit: Unit, entity: g.EntitySymbol) -> bool:
    """Whether the zones of a type are nothing but sets."""
    return _is_ordered(unit, entity) is False and not any(unit.program.zones.capacity)


def told_of(unit: Unit, span: Span | None) -> Span | None:
    """What of a place in the rules a function that moves things speaks of: only a zone that is full says where."""
    return span if any(unit.program.zones.capacity) else None


def move_plainly(unit: Unit, f: Function, state: Value, entity: g.EntitySymbol, thing: Value, zone: Value) -> None:
    """Write how a thing of a type with plain zones is moved to a zone (0: out of the game)."""
    origin = f.keep(location(unit, state, entity, thing))
    with f.when(origin.ne(zone)):
        with f.when(origin):
            _flip(unit, f, state, origin, thing, False)
        with f.when(zone):
            _flip(unit, f, state, zone, thing, True)
        unit.write(f, state, unit.program.location_cells[entity], thing, zone)


def move_function(unit: Unit, entity: g.EntitySymbol, span: Span | None) -> Function:
    """Move a thing to a zone (0: out of the game)."""

    def write(f: Function) -> None:
        state, thing, zone, bottom = (f.parameter(k) for k in range(4))
        if is_plain(unit, entity):
            move_plainly(unit, f, state, entity, thing, zone)
            return
        origin = f.keep(location(unit, state, entity, thing))
        with f.when(_ordered(unit, entity, zone).eqz() & origin.eq(zone)):
            f.give()
        with f.when(origin):
            _take_out(unit, f, state, entity, thing, origin)
        with f.when(zone):
            _put(unit, f, state, entity, thing, zone, bottom, span)
        unit.write(f, state, unit.program.location_cells[entity], thing, zone)

    return unit.function(("move", entity, told_of(unit, span)), f"move {entity.name}", (I32, I32, I32, I32), (), write)


def forget_function(unit: Unit, entity: g.EntitySymbol) -> Function:
    """Nothing is known of the order of a zone any more."""

    def write(f: Function) -> None:
        state, zone = f.parameter(0), f.parameter(1)
        with f.when(_ordered(unit, entity, zone).eqz()):
            f.give()
        if _is_ordered(unit, entity) is not False:
            slots = Slots(unit, f, state, entity, zone)
            total = f.keep(slots.total())
            slots.sort(const(0), total)
            slots.set_count(0, 0)
            slots.set_count(1, total)
            slots.set_count(2, 0)

    return unit.function(("forget", entity), f"shuffle {entity.name}", (I32, I32), (), write)


def settle_function(unit: Unit, entity: g.EntitySymbol) -> Function:
    """A thing of the part without order is the uppermost of it."""

    def write(f: Function) -> None:
        state, zone, thing = f.parameter(0), f.parameter(1), f.parameter(2)
        if _is_ordered(unit, entity) is False:
            return
        slots = Slots(unit, f, state, entity, zone)
        last = f.keep(slots.count(0) + slots.count(1) - 1)
        place = f.copied(slots.count(0))
        with f.while_(lambda: place < last) as (_, leave):
            f.leave_if(leave, slots.at(place).eq(thing))
            f.increase(place)
        slots.shift(place, place + 1, last - place)
        slots.put(last, thing)
        slots.set_count(1, slots.count(1) - 1)
        slots.set_count(2, slots.count(2) + 1)
        slots.normal()

    return unit.function(("settle", entity), f"settle {entity.name}", (I32, I32, I32), (), write)
