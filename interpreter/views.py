"""What a player sees: exactly what the declared visibility of zones, resources and states shows, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import HIGHEST, PLAYER, ThingType, counted
from regelwerk.interpreter import layout as la
from regelwerk.interpreter.evaluation.base import reader
from regelwerk.interpreter.evaluation.scalars import stored
from regelwerk.interpreter.holders import keeper
from regelwerk.interpreter.knowledge import sees
from regelwerk.interpreter.layout import Image

if TYPE_CHECKING:
    from regelwerk.interpreter.program import Program


@dataclass(frozen=True)
class ThingView:
    """A thing that is seen or known: its stable id, how it is printed, what a die shows, whose it is. `place` (from the
    bottom, from 1) is said of a thing that is known to lie in a zone with an order that is not seen."""

    id: str
    name: str
    face: int | None = None
    owner: str | None = None
    place: int | None = None


@dataclass(frozen=True)
class ZoneView:
    """A zone. `things` is None where only their number is seen; then `known` are those the viewer knows to lie there.
    `top` is the top card of a pile that shows it."""

    name: str
    printed: str
    key: str | None
    holder: str | None
    count: int
    things: tuple[ThingView, ...] | None
    ordered: bool
    top: ThingView | None = None
    known: tuple[ThingView, ...] = ()


@dataclass(frozen=True)
class CountView:
    """A resource or track of a holder: `bank`, a player, or a thing that holds some, by its stable id.

    `kinds` counts by kind; None where only the sum is seen.
    """

    name: str
    printed: str
    holder: str
    count: int | float
    kinds: dict[str, int] | None = None
    track: bool = False
    highest: int | float | None = None


@dataclass(frozen=True)
class StateView:
    """A stored variable: what it is per (or None), and its value as printed; None where it is hidden."""

    name: str
    key: str | None
    value: str | None


@dataclass(frozen=True)
class TitleView:
    """A title (`award`): what it is per (or None), and the seat that holds it, or None. Everybody sees who does."""

    name: str
    printed: str
    key: str | None
    holder: str | None


@dataclass(frozen=True)
class View:
    """Everything one player (or, with None, an onlooker) sees."""

    viewer: str | None
    active: str | None
    counts: tuple[CountView, ...]
    zones: tuple[ZoneView, ...]
    states: tuple[StateView, ...]
    titles: tuple[TitleView, ...]


def make_view(program: Program, m: Image, viewer: int) -> View:
    """The view of a seat (0: an onlooker)."""
    seats = program.seats
    active = m.w[la.ACTIVE]
    return View(
        seats[viewer - 1] if viewer else None,
        seats[active - 1] if active else None,
        tuple(_counts(program, m, viewer)),
        tuple(_zone(program, m, number, viewer) for number in range(1, len(program.zones.symbol_of))),
        tuple(each for symbol in program.game.states for each in _states(program, m, symbol, viewer)),
        tuple(each for symbol in program.award_cells for each in _titles(program, m, symbol)),
    )


def _counts(program: Program, m: Image, viewer: int) -> list[CountView]:
    found = []
    for symbol, region in program.resource_cells.items():
        read = reader(region)
        kinds = symbol.kinds
        count = len(kinds.members) if kinds is not None else 1
        base = program.holders.base
        held = program.holders.can_hold(symbol)
        things = {number: program.things[entity].name(number - base[entity]) for entity, number in held}
        for holder in [*range(program.players + 1), *things]:
            values = [read(m, holder * count + k) for k in range(count)]
            if holder in things and not any(values):
                continue
            seen = holder == 0 or sees(symbol.seen_by, keeper(program, m, holder), viewer)
            by_kind = (
                {member[2].one: value for member, value in zip(kinds.members, values, strict=True)}
                if kinds is not None and seen
                else None
            )
            name = things.get(holder) or ("bank" if holder == 0 else program.seats[holder - 1])
            found.append(CountView(symbol.name, symbol.words.many, name, sum(values), by_kind))
    for track, region in program.track_cells.items():
        read, kind = reader(region), track.type
        most = counted(track.highest, kind)
        highest = most if most < HIGHEST else None
        for player in range(program.players):
            place = counted(read(m, player), kind)
            found.append(CountView(track.name, track.words.many, program.seats[player], place, None, True, highest))
    return found


def _zone(program: Program, m: Image, number: int, viewer: int) -> ZoneView:
    zones = program.zones
    symbol = zones.symbol_of[number]
    assert symbol is not None
    key, holder = zones.key_of[number], program.zone_holder[number]
    found = zones.sequence(m, number)
    seen = sees(symbol.seen_by, holder, viewer)
    things = tuple(thing_view(program, m, symbol.entity, thing) for thing in found) if seen else None
    if seen and zones.unknown(m, number) and symbol.order == "pile":
        things = tuple(sorted(things or (), key=lambda t: t.id))
    top = None
    if symbol.top_visible and found and len(zones.unknown(m, number)) < 2:
        top = thing_view(program, m, symbol.entity, found[-1])
    printed, name_of_key = program.texts.names_of_zone(number)
    if isinstance(symbol.key, ThingType) and symbol.key.symbol.faces is not None:
        name_of_key = program.texts.value(key, symbol.key, m)  # it shows something else now and then
    return ZoneView(
        symbol.name,
        printed,
        name_of_key,
        program.seats[holder - 1] if holder else None,
        len(found),
        things,
        symbol.order is not None,
        top,
        () if seen or not viewer else _known(program, m, number, viewer),
    )


def _known(program: Program, m: Image, number: int, viewer: int) -> tuple[ThingView, ...]:
    """What a seat knows to lie in a zone that it does not see; things without a known order come by their ids."""
    zones = program.zones
    symbol = zones.symbol_of[number]
    assert symbol is not None
    found = [
        (thing, thing_view(program, m, symbol.entity, thing)) for thing in program.knowledge.known_in(m, number, viewer)
    ]
    if symbol.order is None:
        return tuple(view for _, view in found)
    places = {thing: place for place, thing in enumerate(zones.sequence(m, number), 1)}
    middle = zones.middle(m, number)
    loose = sorted((view for thing, view in found if thing in middle), key=lambda view: view.id)
    placed = [replace(view, place=places[thing]) for thing, view in found if thing not in middle]
    return (*placed, *loose)


def thing_view(program: Program, m: Image, entity: g.EntitySymbol, thing: int) -> ThingView:
    """A thing that is seen."""
    if entity.faces is None:
        known = program.texts.seen_things.get((entity, thing))
        if known is None:
            known = program.texts.seen_things[entity, thing] = _thing_view(program, m, entity, thing)
        return known
    return _thing_view(program, m, entity, thing)


def _thing_view(program: Program, m: Image, entity: g.EntitySymbol, thing: int) -> ThingView:
    things = program.things[entity]
    face = m.b[program.face_cells[entity].offset + thing] if entity.faces is not None else None
    owner = things.owner_of[thing] if entity.owner_type == PLAYER else 0
    row = things.rows[things.row_of[thing] - 1]
    return ThingView(things.name(thing), row.printed, face, program.seats[owner - 1] if owner else None)


def _states(program: Program, m: Image, symbol: g.StateSymbol, viewer: int) -> list[StateView]:
    read, kind = stored(program.compiler, symbol), symbol.type
    found = []
    for index in range(program.key_count(symbol.key)):
        key = index + program.key_base(symbol.key)
        holder = key if symbol.key is not None and str(symbol.key) == "player" else 0
        seen = sees(symbol.seen_by, holder, viewer) and _key_known(program, m, symbol, key, viewer)
        value = program.texts.value(read(m, index), kind, m) if seen else None
        found.append(
            StateView(symbol.name, program.texts.value(key, symbol.key, m) if symbol.key is not None else None, value)
        )
    return found


def _titles(program: Program, m: Image, symbol: g.AwardSymbol) -> list[TitleView]:
    read = reader(program.award_cells[symbol])
    found = []
    for index in range(program.key_count(symbol.key)):
        holder = read(m, index)
        key = (
            program.texts.value(index + program.key_base(symbol.key), symbol.key, m) if symbol.key is not None else None
        )
        printed = symbol.printed or symbol.name.replace("_", " ")
        found.append(TitleView(symbol.name, printed, key, program.seats[holder - 1] if holder else None))
    return found


def _key_known(program: Program, m: Image, symbol: g.StateSymbol, key: int, viewer: int) -> bool:
    """What is noted on a thing is seen by those who know the thing: else it would tell where the thing lies."""
    entity = getattr(symbol.key, "symbol", None)
    if not isinstance(entity, g.EntitySymbol) or not program.knowledge.tracks(entity):
        return True
    return (
        bool(program.knowledge.of(m, entity, key) >> viewer & 1)
        if viewer
        else (program.knowledge.of(m, entity, key) == program.knowledge.everybody)
    )


__all__ = [
    "CountView",
    "StateView",
    "ThingView",
    "TitleView",
    "View",
    "ZoneView",
    "make_view",
]
