"""Moving and shuffling things."""

from __future__ import annotations

from collections.abc import Callable

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import member_of, strip
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
    names = c.program.things[entity]

    def run(m: Image, env: Locals) -> None:
        found = things(m, env)
        if not found:
            return
        place = zone(m, env)
        if not place:
            raise Fault("none", "there is no zone to move to", span)
        origin = zones.locate[entity](m, found[0]) if m.log is not None else 0
        for thing in found:
            zones.move(m, entity, thing, place, bottom, span)
        if m.log is not None:
            m.log.append(("move", names, tuple(found), place, span, origin))

    return run


@runs(t.Shuffle)
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
