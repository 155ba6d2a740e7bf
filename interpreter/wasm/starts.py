"""All start values, as `Program.start_image` sets them: what is done again when nature has chosen the options."""

from __future__ import annotations

from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import PLAYER
from regelwerk.interpreter import layout as la
from regelwerk.interpreter.wasm import knowledge, zones
from regelwerk.interpreter.wasm.code import const
from regelwerk.interpreter.wasm.collections import each_bit, popcount
from regelwerk.interpreter.wasm.emitter import Emitter
from regelwerk.interpreter.wasm.shapes import Words
from regelwerk.interpreter.wasm.storing import start_state


def set_starts(e: Emitter) -> None:
    """Set everything but the options, the header and the streams to its start."""
    f, program = e.f, e.program
    options = [(region, f.copied(e.unit.read(e.state, region, 0))) for region in program.option_cells.values()]
    f.fill(e.state + la.CELLS, program.layout.stream_offset - la.CELLS)
    for region, value in options:
        e.unit.write(f, e.state, region, 0, value)
    for resource in program.game.resources:
        _resource(e, resource)
    for track, region in program.track_cells.items():
        start = f.copied(e.value(track.start) if track.start is not None else const(max(0, track.lowest)))
        with f.when((start < track.lowest) | (start > track.highest)):
            e.unit.fault(f, "range", f"the start of {track.words.many} is outside the track", track.span)
        for player in range(program.players):
            e.unit.write(f, e.state, region, player, start)
    for entity, region in program.face_cells.items():
        assert entity.faces is not None
        for die in range(1, program.things[entity].count + 1):
            e.unit.write(f, e.state, region, die, entity.faces[0])
    for symbol in program.game.zones:
        if symbol.contents is not None:
            _fill(e, symbol)
    for symbol in program.game.zones:
        if knowledge.tracked(e.unit, symbol.entity):
            base, count = program.zones.base[symbol], program.zones.instances[symbol]
            with f.counting(base, base + count) as zone:
                f.call(knowledge.forget_function(e.unit, symbol.entity), e.state, zone)
    for state in program.game.states:
        start_state(e, state)


def _resource(e: Emitter, resource: g.ResourceSymbol) -> None:
    f, program = e.f, e.program
    region, supply = program.resource_cells[resource], program._supply(resource)
    kinds = len(resource.kinds.members) if resource.kinds is not None else 1
    start = f.copied(e.value(resource.start) if resource.start is not None else const(0))
    words = resource.words.many
    with f.when((start < 0) | (const(supply) < 0)):
        e.unit.fault(f, "range", f"supply and start of {words} cannot be negative", resource.span)
    with f.when(start * program.players > supply):
        e.unit.fault(f, "range", f"the start of {words} is more than the supply", resource.span)
    for kind in range(kinds):
        e.unit.write(f, e.state, region, kind, const(supply) - start * program.players)
        for player in range(1, program.players + 1):
            e.unit.write(f, e.state, region, player * kinds + kind, start)


def _fill(e: Emitter, symbol: g.ZoneSymbol) -> None:
    """What begins in a zone; the last thing lies on top."""
    f, unit, zones_of = e.f, e.unit, e.program.zones
    assert symbol.contents is not None
    inner = Emitter(unit, f, e.state, symbol.frame)
    entity, base = symbol.entity, zones_of.base[symbol]
    names = e.program.things[entity]
    with f.counting(1, zones_of.instances[symbol] + 1) as key:
        if symbol.key is not None:
            if symbol.key == PLAYER:
                inner.bind(0, key)
            if len(symbol.frame.types) > 1:
                inner.bind(1, key)
        contents = inner.keep(inner.words(symbol.contents))
        assert isinstance(contents, Words)
        zone = f.keep(key + (base - 1))
        most = f.keep(unit.look_up(zones_of.capacity, zone))
        with f.when(most):
            count = f.keep(popcount(contents))
            with f.when(count > most):
                unit.fault(
                    f,
                    "full",
                    lambda n: f"{symbol.words} has room for {n[0]}, but {n[1]} things begin there",
                    symbol.span,
                    most,
                    count,
                )
        with each_bit(e, contents) as (thing, _, _):
            with f.when(zones.location(unit, e.state, entity, thing)):
                unit.fault(f, "range", lambda n: f"{names.name(n[0])} begins in two zones", symbol.span, thing)
            f.call(zones.move_function(unit, entity, symbol.span), e.state, thing, zone, const(0))
