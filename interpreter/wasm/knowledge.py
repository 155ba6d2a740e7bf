"""Who knows which things: the masks of seats follow what can be seen, as in `interpreter.knowledge`."""

from __future__ import annotations

from regelwerk.dsl.model import game as g
from regelwerk.dsl.source import Span
from regelwerk.interpreter.wasm import zones
from regelwerk.interpreter.wasm.binary import I32
from regelwerk.interpreter.wasm.code import Function, Value, choose, const, load
from regelwerk.interpreter.wasm.unit import Unit


def tracked(unit: Unit, entity: g.EntitySymbol) -> bool:
    """Whether things of a type have masks."""
    return unit.program.knowledge.tracks(entity)


def mask(unit: Unit, state: Value, entity: g.EntitySymbol, thing: Value) -> Value:
    """Who knows a thing."""
    return unit.read(state, unit.program.knowledge.regions[entity], thing)


def set_mask(unit: Unit, f: Function, state: Value, entity: g.EntitySymbol, thing: Value, value: Value) -> None:
    """Note who knows a thing."""
    unit.write(f, state, unit.program.knowledge.regions[entity], thing, value)


def _seers(unit: Unit, zone: Value) -> Value:
    return unit.look_up(unit.program.knowledge.seers, zone)


def _top_visible(unit: Unit, zone: Value) -> Value:
    return unit.look_up([int(each) for each in unit.program.knowledge._top_visible], zone)


def of_all_function(unit: Unit, entity: g.EntitySymbol) -> Function:
    """Who knows all things of a list."""

    def write(f: Function) -> None:
        state, things = f.parameter(0), f.parameter(1)
        found = f.copied(const(unit.program.knowledge.everybody))
        with f.counting(0, load(things)) as k:
            f.set(found, found & mask(unit, state, entity, load(things + k * 4, 4)))
        f.give(found)

    return unit.function(("knows all", entity), f"who knows all {entity.name}", (I32, I32), (I32,), write)


def _same_look(unit: Unit, entity: g.EntitySymbol, one: Value, other: Value) -> Value:
    looks = unit.program.things[entity].look_of
    return unit.look_up(looks, one).eq(unit.look_up(looks, other))


def _show_top(unit: Unit, f: Function, state: Value, entity: g.EntitySymbol, zone: Value) -> None:
    """Everybody sees the top thing of a pile that shows it, if it is settled which one it is."""
    if any(unit.program.knowledge._top_visible) and zones._is_ordered(unit, entity) is not False:
        f.call(_show_top_function(unit, entity), state, zone)


def _show_top_function(unit: Unit, entity: g.EntitySymbol) -> Function:
    def write(f: Function) -> None:
        state, zone = f.parameter(0), f.parameter(1)
        with f.when(_top_visible(unit, zone)):
            slots = zones.Slots(unit, f, state, entity, zone)
            total = f.keep(slots.total())
            unknown = choose(slots.count(2), const(0), slots.count(1))
            with f.when((total > 0) & (unknown < 2)):
                set_mask(unit, f, state, entity, slots.at(total - 1), const(unit.program.knowledge.everybody))

    return unit.function(("show top", entity), f"the top {entity.name} is seen", (I32, I32), (), write)


def _member_of(f: Function, things: Value, thing: Value) -> Value:
    """Whether a thing is in a list."""
    found = f.copied(const(0))
    with f.counting(0, load(things)) as k, f.when(load(things + k * 4, 4).eq(thing)):
        f.set(found, 1)
    return found


def _watching(f: Function, unseeing: Value, count: Value, seen_by: Value) -> Value:
    """Who sees all of those that leave, of those who see nothing of the place."""
    found = f.copied(unseeing)
    with f.counting(0, count) as k:
        f.set(found, found & load(seen_by + k * 4, 4))
    return found


def matters_function(unit: Unit, entity: g.EntitySymbol) -> Function:
    """Whether somebody who sees nothing of the place may know less when things of a list leave it: if not, nothing else
    has to be looked at. Parameters: the state, who sees nothing of it, the list, and that of who sees each of them."""

    def write(f: Function) -> None:
        state, unseeing, moved, seen_by = (f.parameter(k) for k in range(4))
        things = unit.program.things[entity]
        count = f.keep(load(moved))
        watching = _watching(f, unseeing, count, seen_by)
        with f.when(watching.ne(unseeing)):
            f.give(const(1))
        with f.counting(0, count) as k:
            thing = f.keep(load(moved + k * 4, 4))
            seats = f.keep(watching & (mask(unit, state, entity, thing) ^ -1))
            row = f.keep(unit.look_up(things.row_of, thing))
            first = f.keep(unit.look_up(things.first_of_row, row))
            end = first + unit.look_up(things.row_count, row)
            known = f.copied(const(0))
            with f.when(seats), f.counting(first, end) as twin:
                f.set(known, known | mask(unit, state, entity, twin))
            with f.when(known & seats):
                f.give(const(1))
        f.give(const(0))

    return unit.function(("matters", entity), f"{entity.name} leave and it matters", (I32,) * 4, (I32,), write)


def leave_function(unit: Unit, entity: g.EntitySymbol) -> Function:
    """Some of the things of a list leave. Parameters: the state, who sees nothing of the list, the list of those that
    leave, the list of all that are there, the list of who sees each of those that leave."""

    def write(f: Function) -> None:
        state, unseeing, moved, there, seen_by = (f.parameter(k) for k in range(5))
        count, present = f.keep(load(moved)), f.keep(load(there))
        with f.when(unseeing.eqz() | (present <= count)):
            f.give()
        watching = _watching(f, unseeing, count, seen_by)
        blind = f.keep(unseeing & (watching ^ -1))
        with f.when(blind), f.counting(0, present) as k:
            thing = f.keep(load(there + k * 4, 4))
            set_mask(unit, f, state, entity, thing, mask(unit, state, entity, thing) & (blind ^ -1))
        with f.counting(0, count) as k:
            thing = f.keep(load(moved + k * 4, 4))
            seats = f.copied(watching & (mask(unit, state, entity, thing) ^ -1))
            # each of these seats knows one thing less that looks the same, the first one
            place, end = f.copied(there), f.keep(there + present * 4)
            with f.while_(lambda: seats.ne(0) & place.ne(end)) as (following, _):
                f.increase(place, 4)
                twin = f.keep(load(place))
                known = f.keep(mask(unit, state, entity, twin) & seats)
                f.leave_if(following, known.eqz())
                f.leave_if(following, _same_look(unit, entity, twin, thing).eqz())
                f.leave_if(following, _member_of(f, moved, twin))
                set_mask(unit, f, state, entity, twin, mask(unit, state, entity, twin) & (known ^ -1))
                f.set(seats, seats & (known ^ -1))

    return unit.function(("leave", entity), f"{entity.name} leave", (I32,) * 5, (), write)


def _matters(
    unit: Unit, f: Function, entity: g.EntitySymbol, state: Value, unseeing: Value, moved: Value, seen_by: Value
) -> Value:
    return f.call(matters_function(unit, entity), state, unseeing, moved, seen_by)[0]


def _middle(f: Function, slots: zones.Slots, target: Value) -> None:
    """Write the list of the part of a pile whose order nobody knows."""
    first, size = f.keep(slots.count(0)), f.keep(slots.count(1))
    f.store(target, size)
    with f.counting(0, size) as k:
        f.store(target + k * 4, slots.at(first + k), 4)


def move_function(unit: Unit, entity: g.EntitySymbol, span: Span | None) -> Function:
    """Move the things of a list to a zone. Parameters: the state, the list, the zone, whether under all, whether
    everybody knows the place where they come from, the seat that takes them (0: nobody)."""

    def write(f: Function) -> None:
        state, things, zone, bottom, sure, mover = (f.parameter(k) for k in range(6))
        room = 4 * (1 + max(1, unit.program.things[entity].count))
        origins, seen_by, moved, sights = (f.room(room) for _ in range(4))
        everybody = unit.program.knowledge.everybody
        count = f.keep(load(things))
        with f.counting(0, count) as k:
            thing = f.keep(load(things + k * 4, 4))
            f.store(origins + k * 4, zones.location(unit, state, entity, thing), 4)
            f.store(seen_by + k * 4, _seers(unit, zone), 4)
        with f.when(_top_visible(unit, zone) & bottom.eqz()):
            f.store(seen_by + count * 4, everybody)
        with f.when(mover):
            known = f.call(of_all_function(unit, entity), state, things)[0]
            with f.when(known.two("shr_u", mover) & 1), f.counting(0, count) as k:
                f.store(seen_by + k * 4, load(seen_by + k * 4, 4) | (const(1) << mover), 4)
        with f.counting(0, count) as k:
            origin = f.keep(load(origins + k * 4, 4))
            fresh = f.copied(origin.ne(0) & _seers(unit, origin).ne(everybody))
            with f.counting(0, k) as j, f.when(load(origins + j * 4, 4).eq(origin)):
                f.set(fresh, 0)
            with f.when(fresh):
                size = f.copied(const(0))
                with f.counting(k, count) as j, f.when(load(origins + j * 4, 4).eq(origin)):
                    f.store(moved + size * 4, load(things + j * 4, 4), 4)
                    f.store(sights + size * 4, load(seen_by + j * 4, 4), 4)
                    f.increase(size)
                f.store(moved, size)
                with f.when(sure.eqz()):
                    _leave(unit, f, state, entity, origin, moved, sights)
        with f.counting(0, count) as k:
            thing = f.keep(load(things + k * 4, 4))
            f.call(zones.move_function(unit, entity, span), state, thing, zone, bottom)
            set_mask(unit, f, state, entity, thing, mask(unit, state, entity, thing) | load(seen_by + k * 4, 4))
        _show_top(unit, f, state, entity, zone)
        with f.counting(0, count) as k:
            _show_top(unit, f, state, entity, f.keep(load(origins + k * 4, 4)))

    return unit.function(
        ("know move", entity, zones.told_of(unit, span)), f"move {entity.name} seen", (I32,) * 6, (), write
    )


def _leave(
    unit: Unit, f: Function, state: Value, entity: g.EntitySymbol, origin: Value, moved: Value, sights: Value
) -> None:
    """Things of a list leave a zone: who sees nothing of it may know less."""
    there = f.room(4 * (1 + max(1, unit.program.things[entity].count)))
    unseeing = f.keep(const(unit.program.knowledge.everybody) & (_seers(unit, origin) ^ -1))
    with f.when(_matters(unit, f, entity, state, unseeing, moved, sights)):
        f.call(zones.sequence_function(unit, entity), state, origin, there)
        on_top = load(moved).eq(1) & load(moved, 4).eq(load(there + load(there) * 4))
        with f.when((_top_visible(unit, origin) & on_top).eqz()):
            f.call(leave_function(unit, entity), state, unseeing, moved, there, sights)


def move_one_function(unit: Unit, entity: g.EntitySymbol, span: Span | None) -> Function:
    """Move one thing to a zone, with the same parameters but that of the list, which is a thing."""

    def write(f: Function) -> None:
        state, thing, zone, bottom, sure, mover = (f.parameter(k) for k in range(6))
        everybody = const(unit.program.knowledge.everybody)
        origin = f.keep(zones.location(unit, state, entity, thing))
        seen = f.copied(choose(_top_visible(unit, zone) & bottom.eqz(), everybody, _seers(unit, zone)))
        with f.when(mover):
            seat = f.keep(const(1) << mover)
            f.set(seen, seen | (mask(unit, state, entity, thing) & everybody & seat))
        with f.when(sure.eqz()), f.when(origin.ne(0) & _seers(unit, origin).ne(everybody)):
            one, sight = f.room(8), f.room(8)
            f.store(one, 1)
            f.store(one, thing, 4)
            f.store(sight, 1)
            f.store(sight, seen, 4)
            _leave(unit, f, state, entity, origin, one, sight)
        f.call(zones.move_function(unit, entity, span), state, thing, zone, bottom)
        set_mask(unit, f, state, entity, thing, mask(unit, state, entity, thing) | seen)
        _show_top(unit, f, state, entity, zone)
        _show_top(unit, f, state, entity, origin)

    key = ("know move one", entity, zones.told_of(unit, span))
    return unit.function(key, f"move one {entity.name} seen", (I32,) * 6, (), write)


def draw_unknown_function(unit: Unit, entity: g.EntitySymbol, span: Span | None) -> Function:
    """Move a thing that nature took from the part of a pile whose order nobody knows."""

    def write(f: Function) -> None:
        state, thing, zone = f.parameter(0), f.parameter(1), f.parameter(2)
        everybody = unit.program.knowledge.everybody
        room = 4 * (1 + max(1, unit.program.things[entity].count))
        one, sight, unknown = f.room(8), f.room(8), f.room(room)
        origin = f.keep(zones.location(unit, state, entity, thing))
        f.store(one, 1)
        f.store(one, thing, 4)
        f.store(sight, 1)
        f.store(sight, choose(_top_visible(unit, zone), const(everybody), _seers(unit, zone)), 4)
        slots = zones.Slots(unit, f, state, entity, origin)
        unseeing = f.keep(const(everybody) & (_seers(unit, origin) ^ -1))
        with f.when(slots.count(2).eqz()), f.when(_matters(unit, f, entity, state, unseeing, one, sight)):
            _middle(f, slots, unknown)
            f.call(leave_function(unit, entity), state, unseeing, one, unknown, sight)
        f.call(move_one_function(unit, entity, span), state, thing, zone, const(0), const(1), const(0))

    return unit.function(
        ("draw unknown", entity, zones.told_of(unit, span)), f"draw {entity.name} unseen", (I32,) * 3, (), write
    )


def settle_top_function(unit: Unit, entity: g.EntitySymbol) -> Function:
    """Nature says which thing is the next one below those on top of a pile whose order is known."""

    def write(f: Function) -> None:
        state, thing = f.parameter(0), f.parameter(1)
        zone = f.keep(zones.location(unit, state, entity, thing))
        if tracked(unit, entity):
            everybody = unit.program.knowledge.everybody
            room = 4 * (1 + max(1, unit.program.things[entity].count))
            one, sight, middle = f.room(8), f.room(8), f.room(room)
            slots = zones.Slots(unit, f, state, entity, zone)
            f.store(one, 1)
            f.store(one, thing, 4)
            f.store(sight, 1)
            shown = _top_visible(unit, zone) & slots.count(2).eqz()
            f.store(sight, choose(shown, const(everybody), const(0)), 4)
            unseeing = f.keep(const(everybody) & (_seers(unit, zone) ^ -1))
            with f.when(_matters(unit, f, entity, state, unseeing, one, sight)):
                _middle(f, slots, middle)
                f.call(leave_function(unit, entity), state, unseeing, one, middle, sight)
        f.call(zones.settle_function(unit, entity), state, zone, thing)
        if tracked(unit, entity):
            _show_top(unit, f, state, entity, zone)

    return unit.function(("settle top", entity), f"settle the top {entity.name}", (I32, I32), (), write)


def change_function(unit: Unit, entity: g.EntitySymbol) -> Function:
    """Things of a list are changed where they lie: only those who see the zone know them now."""

    def write(f: Function) -> None:
        state, things = f.parameter(0), f.parameter(1)
        with f.counting(0, load(things)) as k:
            thing = f.keep(load(things + k * 4, 4))
            zone = f.keep(zones.location(unit, state, entity, thing))
            with f.when(zone):
                set_mask(unit, f, state, entity, thing, _seers(unit, zone))

    return unit.function(("change", entity), f"{entity.name} change", (I32, I32), (), write)


def forget_function(unit: Unit, entity: g.EntitySymbol) -> Function:
    """A zone is shuffled."""

    def write(f: Function) -> None:
        state, zone = f.parameter(0), f.parameter(1)
        there = f.room(4 * (1 + max(1, unit.program.things[entity].count)))
        f.call(zones.sequence_function(unit, entity), state, zone, there)
        f.call(change_function(unit, entity), state, there)
        _show_top(unit, f, state, entity, zone)

    return unit.function(("forget all", entity), f"{entity.name} are shuffled", (I32, I32), (), write)


def learn_function(unit: Unit, entity: g.EntitySymbol) -> Function:
    """Some seats are shown the things of a list. In a zone without order they cannot tell things that look the same
    apart: what they know already may be what they are shown."""

    def write(f: Function) -> None:
        state, things, seats = f.parameter(0), f.parameter(1), f.parameter(2)
        room = 4 * (1 + max(1, unit.program.things[entity].count))
        there = f.room(room)
        count = f.keep(load(things))
        left = f.copied(seats & unit.program.knowledge.everybody)
        with f.while_(lambda: left.ne(0)):
            seat = f.keep(left & (const(0) - left))
            f.set(left, left & (left - 1))
            with f.counting(0, count) as k:
                thing = f.keep(load(things + k * 4, 4))
                zone = f.keep(zones.location(unit, state, entity, thing))
                with f.when(zones._ordered(unit, entity, zone)):
                    set_mask(unit, f, state, entity, thing, mask(unit, state, entity, thing) | seat)
                    f.otherwise()
                    # the first of a group of things that look the same in one zone answers for all of them
                    first = f.copied(const(1))
                    shown = f.copied(const(0))
                    with f.counting(0, count) as j:
                        other = f.keep(load(things + j * 4, 4))
                        alike = zones.location(unit, state, entity, other).eq(zone) & _same_look(
                            unit, entity, other, thing
                        )
                        with f.when(alike):
                            f.increase(shown)
                            with f.when(j < k):
                                f.set(first, 0)
                    with f.when(first):
                        f.call(zones.sequence_function(unit, entity), state, zone, there)
                        known = f.copied(const(0))
                        with f.counting(0, load(there)) as j:
                            other = f.keep(load(there + j * 4, 4))
                            knows = (mask(unit, state, entity, other) & seat).ne(0)
                            f.increase(known, knows & _same_look(unit, entity, other, thing))
                        new = f.copied(shown - known)
                        with f.counting(k, count) as j, f.when(new > 0):
                            other = f.keep(load(things + j * 4, 4))
                            alike = zones.location(unit, state, entity, other).eq(zone) & _same_look(
                                unit, entity, other, thing
                            )
                            unknown = (mask(unit, state, entity, other) & seat).eqz()
                            with f.when(alike & unknown):
                                set_mask(unit, f, state, entity, other, mask(unit, state, entity, other) | seat)
                                f.increase(new, -1)

    return unit.function(("learn", entity), f"{entity.name} are shown", (I32,) * 3, (), write)
