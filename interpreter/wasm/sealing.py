"""Sealed answers: records of players who answer without knowing what the others answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from regelwerk.interpreter import ir
from regelwerk.interpreter.wasm.code import Value, const, load
from regelwerk.interpreter.wasm.control import by_case
from regelwerk.interpreter.wasm.emitter import Emitter
from regelwerk.interpreter.wasm.shapes import Operand, Ref

if TYPE_CHECKING:
    from regelwerk.interpreter.wasm.procs import ProcWriter


def _records(w: ProcWriter, seals: ir.Seals) -> tuple[Ref, Ref]:
    players, records = w.e.slots[seals.players_slot], w.e.slots[seals.seals_slot]
    assert isinstance(players, Ref)
    assert isinstance(records, Ref)
    return players, records


def unsealed(w: ProcWriter, seals: ir.Seals) -> Value:
    """Whether somebody has not answered yet."""
    f = w.f
    players, records = _records(w, seals)
    found = f.copied(const(0))
    with f.counting(0, load(players.address)) as k:
        record = f.keep(load(records.address + k * (4 * seals.size), 4))
        with f.when(record <= 0):
            f.set(found, 1)
    return found


def place_of(e: Emitter, seals: ir.Seals, player: Value) -> Value:
    """Where the record of a player lies."""
    f = e.f
    players, records = e.slots[seals.players_slot], e.slots[seals.seals_slot]
    assert isinstance(players, Ref)
    assert isinstance(records, Ref)
    place = f.copied(const(0))
    with f.while_(lambda: place < load(players.address)) as (_, leave):
        f.leave_if(leave, load(players.address + place * 4, 4).eq(player))
        f.increase(place)
    return f.keep(records.address + place * (4 * seals.size) + 4)


def seal(w: ProcWriter, end: ir.SealEnd, way: Value) -> None:
    """Keep the chosen record of the player who answers: an action, or (a way less than 0) none."""
    e, f = w.e, w.f
    me = e.slots[0]
    assert isinstance(me, Value)
    place = place_of(e, end.seals, me)
    f.fill(place, 4 * end.seals.size)
    f.store(place, way + 2)

    def copy(k: int) -> Callable[[], None]:
        def do() -> None:
            action = end.offer.actions[k]
            size = 4 * sum(w.unit.shapes.room(kind) for _, kind, _ in action.parameters)
            if size:
                f.copy(place + 4, const(w.sites.chosen + 4), size)

        return do

    with f.when(way >= 0):
        by_case(e, way, [(k, copy(k)) for k in range(len(end.procs))])


def call_sealed(w: ProcWriter, end: ir.CallSealed) -> None:
    """The sealed action of the player at the cursor happens, if he took one."""
    e, f = w.e, w.f
    players, records = _records(w, end.seals)
    cursor = e.slots[end.cursor_slot]
    assert isinstance(cursor, Value)
    place = f.keep(records.address + cursor * (4 * end.seals.size) + 4)
    player = f.keep(load(players.address + cursor * 4, 4))
    way = f.keep(load(place) - 2)
    f.increase(cursor)

    def run(k: int) -> Callable[[], None]:
        def do() -> None:
            action, proc, here = end.offer.actions[k], end.procs[k], place + 4
            arguments: list[Operand] = [player]
            for _, kind, _ in action.parameters:
                arguments.append(e.keep(e.fetch(here, kind)))
                here = here + 4 * w.unit.shapes.room(kind)
            w._call(proc, arguments, end.then)

        return do

    with f.when(way >= 0):
        by_case(e, way, [(k, run(k)) for k in range(len(end.procs))])
