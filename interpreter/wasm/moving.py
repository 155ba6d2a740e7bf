"""Moving, shuffling and showing things."""

from __future__ import annotations

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import (
    RowType,
    ThingType,
    Type,
    member_of,
    strip,
)
from regelwerk.interpreter import ir
from regelwerk.interpreter.evaluation.moving import by_place
from regelwerk.interpreter.wasm import knowledge, zones
from regelwerk.interpreter.wasm.code import Value, const, load
from regelwerk.interpreter.wasm.collections import Gathering, destination, each_bit, each_member
from regelwerk.interpreter.wasm.emitter import Emitter, any_bit, does
from regelwerk.interpreter.wasm.shapes import Ref, Words


def entity_of(kind: Type) -> g.EntitySymbol:
    """The type of the things that an expression of a type gives."""
    plain = strip(member_of(kind) or kind)
    assert isinstance(plain, ThingType | RowType)
    return plain.symbol


def things_to_list(e: Emitter, node: x.Expr) -> Ref:
    """The things that a statement speaks of, as a list; none is left out."""
    entity = entity_of(node.type)
    kind = zones.list_kind(e.unit, entity)
    found = e.any(node)
    gathering = Gathering(e, kind)
    if isinstance(found, Value):
        thing = e.f.keep(found)
        with e.f.when(thing):
            gathering.add(thing)
    else:
        with each_member(e, e.keep(found), node.type) as (member, _, _):
            assert isinstance(member, Value)
            with e.f.when(member):
                gathering.add(member)
    return gathering.done()


@does(t.Move)
def _move(e: Emitter, node: t.Move) -> None:
    f, unit = e.f, e.unit
    entity = entity_of(node.things.type)
    plain, tracked = zones.is_plain(unit, entity), knowledge.tracked(unit, entity)
    form = e.shapes.form(node.things.type)

    def target() -> Value:
        zone = f.copied(destination(e, node.zone))
        with f.when(zone.eqz()):
            unit.fault(f, "none", "there is no zone to move to", node.span)
        return zone

    bottom, sure = const(int(node.at_bottom)), const(int(by_place(node.things)))
    blindly = node in e.program.lowering.blind_moves
    if form == "scalar":
        thing = f.copied(e.value(node.things))
        with f.when(thing):
            zone = target()
            if tracked:
                mover = const(0) if blindly else e.known(node.me)
                move = knowledge.move_one_function(unit, entity, node.span)
                f.call(move, e.state, thing, zone, bottom, sure, mover)
            elif plain:
                zones.move_plainly(unit, f, e.state, entity, thing, zone)
            else:
                f.call(zones.move_function(unit, entity, node.span), e.state, thing, zone, bottom)
        return
    if form == "set" and plain and not tracked:
        words = e.words(node.things)
        things = Words(tuple(f.copied(part) for part in words.parts))
        with f.when(any_bit(things).ne(0)):
            zone = target()
            with each_bit(e, things) as (thing, _, _):
                zones.move_plainly(unit, f, e.state, entity, thing, zone)
        return
    listed = things_to_list(e, node.things)
    with f.when(load(listed.address)):
        zone = target()
        if tracked:
            mover = const(0) if blindly else e.known(node.me)
            move = knowledge.move_function(unit, entity, node.span)
            f.call(move, e.state, listed.address, zone, bottom, sure, mover)
        else:
            with f.counting(0, load(listed.address)) as k:
                move = zones.move_function(unit, entity, node.span)
                f.call(move, e.state, load(listed.address + k * 4, 4), zone, bottom)


@does(t.Shuffle)
def _shuffle(e: Emitter, node: t.Shuffle) -> None:
    f, unit = e.f, e.unit
    entity: g.EntitySymbol = node.zone.type.symbol  # type: ignore[attr-defined]  # a zone
    place = f.copied(e.value(node.zone))
    if node.into is not None:
        target = f.copied(e.value(node.into))
        there = zones.sequence(e, entity, place)
        with f.counting(0, load(there.address)) as k:
            move = zones.move_function(unit, entity, node.span)
            f.call(move, e.state, load(there.address + k * 4, 4), target, const(0))
        f.set(place, target)
    f.call(zones.forget_function(unit, entity), e.state, place)
    if knowledge.tracked(unit, entity):
        f.call(knowledge.forget_function(unit, entity), e.state, place)


@does(t.Reveal)
def _reveal(e: Emitter, node: t.Reveal) -> None:
    f = e.f
    entity = entity_of(node.things.type)
    if not knowledge.tracked(e.unit, entity):
        return
    things, seats = things_to_list(e, node.things), e.words(node.viewers)
    mask = f.keep(seats.parts[0].narrow())
    with f.when(load(things.address).ne(0) & mask.ne(0)):
        f.call(knowledge.learn_function(e.unit, entity), e.state, things.address, mask)


@does(ir.Learn)
def _learn(e: Emitter, node: ir.Learn) -> None:
    f, entity = e.f, node.entity
    seat = f.keep(const(1) << e.value(node.me))
    picked = e.slot(node.slot)
    gathering = Gathering(e, zones.list_kind(e.unit, entity))

    def add(thing: Value) -> None:
        knows = knowledge.mask(e.unit, e.state, entity, thing) & seat if knowledge.tracked(e.unit, entity) else seat
        with f.when(thing.ne(0)), f.when(knows.eqz()):
            gathering.add(thing)

    if isinstance(picked, Value):
        add(picked)
    else:
        with each_member(e, picked, node.type) as (member, _, _):
            assert isinstance(member, Value)
            add(member)
    found = gathering.done()
    everybody = e.program.knowledge.everybody
    with f.when(load(found.address).ne(0) & (seat & everybody).ne(0)):
        if knowledge.tracked(e.unit, entity):
            f.call(knowledge.learn_function(e.unit, entity), e.state, found.address, seat)
