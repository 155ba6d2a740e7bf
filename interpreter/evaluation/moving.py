"""Moving and shuffling things."""

from __future__ import annotations

from collections.abc import Callable

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import member_of, strip
from regelwerk.interpreter import ir
from regelwerk.interpreter.evaluation.base import (
    Closure,
    Compiler,
    Locals,
)
from regelwerk.interpreter.evaluation.collections import iterates
from regelwerk.interpreter.evaluation.statements import runs
from regelwerk.interpreter.faults import Fault
from regelwerk.interpreter.layout import Image


def thing_list(c: Compiler, node: x.Expr) -> Callable[[Image, Locals], list[int]]:
    """The things that a statement speaks of, as a list; none is left out."""
    value = c.expr(node)
    if member_of(node.type) is None:
        return lambda m, env: [k] if (k := value(m, env)) else []
    visit = iterates(node.type)
    return lambda m, env: [k for k in visit(value(m, env)) if k]


def by_place(node: x.Expr) -> bool:
    """Whether things are named by their place in a zone, so that everybody knows which place they leave."""
    if isinstance(node, x.Present):
        return by_place(node.value)
    return isinstance(node, x.ZoneTop) or (isinstance(node, x.ZoneEnd) and node.end != "at")


@runs(t.Move)
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
    names, knowledge, sure = c.program.things[entity], c.program.knowledge, by_place(node.things)
    tracked, mover = knowledge.tracks(entity), c.expr(node.me)
    blindly = node in c.program.lowering.blind_moves

    def run(m: Image, env: Locals) -> None:
        found = things(m, env)
        if not found:
            return
        place = zone(m, env)
        if not place:
            raise Fault("none", "there is no zone to move to", span)
        if tracked:
            before = knowledge.of_all(m, entity, found)
            knowledge.move(m, entity, found, place, bottom, sure, span, 0 if blindly else mover(m, env))
            if m.log is not None:
                after = knowledge.of_all(m, entity, found)
                m.log.append(("move", names, tuple(found), place, span, after, bool(after & ~before)))
            return
        for thing in found:
            zones.move(m, entity, thing, place, bottom, span)
        if m.log is not None:
            m.log.append(("move", names, tuple(found), place, span, knowledge.everybody, False))

    return run


@runs(t.Shuffle)
def _shuffle(c: Compiler, node: t.Shuffle) -> Closure:
    zone, zones, span, knowledge = c.expr(node.zone), c.program.zones, node.span, c.program.knowledge
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
        knowledge.forget(m, place)
        if m.log is not None:
            m.log.append(("shuffle", place, span))

    return run


@runs(t.Reveal)
def _reveal(c: Compiler, node: t.Reveal) -> Closure:
    things, viewers, knowledge = thing_list(c, node.things), c.expr(node.viewers), c.program.knowledge
    kind = strip(member_of(node.things.type) or node.things.type)
    entity, span = kind.symbol, node.span  # type: ignore[attr-defined]  # things by construction
    names, tracked = c.program.things[entity], knowledge.tracks(entity)

    def run(m: Image, env: Locals) -> None:
        found, seats = things(m, env), viewers(m, env)
        if not found or not seats:
            return
        new = seats & ~knowledge.of_all(m, entity, found)
        if tracked:
            knowledge.learn(m, entity, found, seats)
        if m.log is not None:
            m.log.append(("reveal", names, tuple(found), seats, span, bool(new)))

    return run


@runs(ir.Learn)
def _learn(c: Compiler, node: ir.Learn) -> Closure:
    slot, me, entity, knowledge = node.slot, c.expr(node.me), node.entity, c.program.knowledge
    visit = iterates(node.type) if member_of(node.type) is not None else lambda value: (value,)
    everybody = knowledge.everybody

    def run(m: Image, env: Locals) -> None:
        seat = 1 << me(m, env)
        found = [k for k in visit(env[slot]) if k and not knowledge.of(m, entity, k) & seat]
        if found and seat & everybody:
            knowledge.learn(m, entity, found, seat)

    return run
