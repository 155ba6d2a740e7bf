"""Who knows which things: a mask of seats for each copy of a type that can lie in a zone hidden from somebody.

A seat knows a copy if it knows that this copy lies where it lies (and, of a die, what it shows). The masks follow what
can be seen (language, section 11): who sees a zone learns what enters it, and keeps that knowledge when it moves on.
If one of several things leaves a zone unseen, a seat that sees neither end no longer knows any of those that could
have been the one. Things of one row and owner look the same: whoever sees one of them leave a zone in which he knows
another one cannot tell which of them is left, and so he knows one less.

All zones of other types are open, and their things have no masks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from regelwerk.dsl.model import game as g
from regelwerk.interpreter.evaluation.base import members, reader, writer
from regelwerk.interpreter.layout import Image, Layout, Region

if TYPE_CHECKING:
    from regelwerk.dsl.source import Span
    from regelwerk.interpreter.program import Program


def sees(seen_by: g.Visibility, holder: int, viewer: int) -> bool:
    """Whether a seat sees what belongs to `holder` (0: to nobody)."""
    return seen_by == "all" or (seen_by == "owner" and holder == viewer and viewer != 0)


class Knowledge:
    """The masks of one program. Players are members of a mask as of every set: seat 1 is bit 1."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.everybody = (2 << program.players) - 2
        hidden = {zone.entity for zone in program.game.zones if zone.seen_by != "all"}
        self.regions: dict[g.EntitySymbol, Region] = {}
        self.entities = [entity for entity in program.game.entities if entity in hidden and entity.movable]
        self._read: dict[g.EntitySymbol, Callable[[Image, int], int]] = {}
        self._write: dict[g.EntitySymbol, Callable[[Image, int, int], None]] = {}
        self.seers: list[int] = [0]

    def reserve(self, layout: Layout) -> None:
        """Ask for room in the image."""
        for entity in self.entities:
            count = self.program.things[entity].count
            self.regions[entity] = layout.cells(f"who knows {entity.name}", count + 1, 0, self.everybody)

    def placed(self) -> None:
        """Note where the masks are, and who sees which zone."""
        for entity, region in self.regions.items():
            self._read[entity], self._write[entity] = reader(region), writer(region)
        zones, seats = self.program.zones, range(1, self.program.players + 1)
        for number in range(1, len(zones.symbol_of)):
            symbol, holder = zones.symbol_of[number], self.program.zone_holder[number]
            assert symbol is not None
            self.seers.append(sum(1 << p for p in seats if sees(symbol.seen_by, holder, p)))
        self._top_visible = [False] + [
            symbol is not None and symbol.top_visible and symbol.order is not None for symbol in zones.symbol_of[1:]
        ]

    def tracks(self, entity: g.EntitySymbol) -> bool:
        """Whether things of a type have masks."""
        return entity in self.regions

    def of(self, m: Image, entity: g.EntitySymbol, thing: int) -> int:
        """Who knows a thing."""
        return self._read[entity](m, thing) if entity in self._read else self.everybody

    def of_all(self, m: Image, entity: g.EntitySymbol, things: Iterable[int]) -> int:
        """Who knows all of some things."""
        mask = self.everybody
        if entity in self._read:
            read = self._read[entity]
            for thing in things:
                mask &= read(m, thing)
        return mask

    def known_in(self, m: Image, zone: int, viewer: int) -> list[int]:
        """The things that a seat knows to lie in a zone, in the order of the zone."""
        symbol = self.program.zones.symbol_of[zone]
        assert symbol is not None
        read = self._read[symbol.entity]
        return [thing for thing in self.program.zones.sequence(m, zone) if read(m, thing) >> viewer & 1]

    # ------------------------------------------------------------------------------------------------------- changing
    def start(self, m: Image) -> None:
        """At the start everybody knows what lies in the zones he sees."""
        for zone in range(1, len(self.seers)):
            self.placed_openly(m, zone)

    def placed_openly(self, m: Image, zone: int) -> None:
        """What lies in a zone was put there before the game: it is known to those who see it."""
        symbol = self.program.zones.symbol_of[zone]
        assert symbol is not None
        if symbol.entity in self._write:
            write = self._write[symbol.entity]
            for thing in self.program.zones.sequence(m, zone):
                write(m, thing, self.seers[zone])
            self._show_top(m, zone)

    def move(
        self,
        m: Image,
        entity: g.EntitySymbol,
        things: list[int],
        zone: int,
        bottom: bool,
        sure: bool,
        span: Span | None,
        mover: int = 0,
    ) -> None:
        """Move things one by one. `sure`: everybody knows their place where they come from (the top of a pile).
        `mover`: the seat that takes them, and sees which of those it knows it takes."""
        zones, write, read = self.program.zones, self._write[entity], self._read[entity]
        locate = zones.locate[entity]
        groups: dict[int, list[int]] = {}
        for thing in things:
            groups.setdefault(locate(m, thing), []).append(thing)
        seen_by = dict.fromkeys(things, self.seers[zone])
        if self._top_visible[zone] and not bottom:
            seen_by[things[-1]] = self.everybody
        if mover and self.of_all(m, entity, things) >> mover & 1:
            seen_by = {thing: mask | 1 << mover for thing, mask in seen_by.items()}
        for origin, moved in groups.items():
            if origin and self.seers[origin] != self.everybody:
                there = zones.sequence(m, origin)
                known = sure or (self._top_visible[origin] and moved == [there[-1]])
                self._leave(m, entity, self.everybody & ~self.seers[origin], moved, [] if known else there, seen_by)
        for thing in things:
            zones.move(m, entity, thing, zone, bottom, span)
            write(m, thing, read(m, thing) | seen_by[thing])
        for place in {zone, *groups}:
            self._show_top(m, place)

    def draw_unknown(self, m: Image, entity: g.EntitySymbol, thing: int, zone: int, span: Span | None) -> None:
        """Move a thing that nature took from the part of a pile whose order nobody knows."""
        zones = self.program.zones
        origin = zones.locate[entity](m, thing)
        watching = self.everybody if self._top_visible[zone] else self.seers[zone]
        self._leave(
            m, entity, self.everybody & ~self.seers[origin], [thing], zones.unknown(m, origin), {thing: watching}
        )
        self.move(m, entity, [thing], zone, False, True, span)

    def settle_top(self, m: Image, entity: g.EntitySymbol, thing: int) -> None:
        """Nature says which thing is the next one below those on top of a pile whose order is known."""
        zones = self.program.zones
        zone = zones.locate[entity](m, thing)
        if entity in self._write:
            shown = self._top_visible[zone] and not zones.known_on_top(m, zone)
            watching = self.everybody if shown else 0
            middle = zones.middle(m, zone)
            self._leave(m, entity, self.everybody & ~self.seers[zone], [thing], middle, {thing: watching})
        zones.settle(m, zone, thing)
        self._show_top(m, zone)

    def learn(self, m: Image, entity: g.EntitySymbol, things: list[int], seats: int) -> None:
        """Some seats are shown things. In a zone without order they cannot tell things that look the same apart: what
        they know already may be what they are shown."""
        read, write, zones = self._read[entity], self._write[entity], self.program.zones
        locate, looks = zones.locate[entity], self.program.things[entity].look_of
        for seat in members(seats & self.everybody):
            bit = 1 << seat
            groups: dict[tuple[int, int], list[int]] = {}
            for thing in things:
                zone = locate(m, thing)
                if zones.ordered[zone]:
                    write(m, thing, read(m, thing) | bit)
                else:
                    groups.setdefault((zone, looks[thing]), []).append(thing)
            for (zone, look), shown in groups.items():
                known = [each for each in zones.sequence(m, zone) if read(m, each) & bit and looks[each] == look]
                new = [each for each in shown if each not in known]
                for each in new[: max(0, len(shown) - len(known))]:
                    write(m, each, read(m, each) | bit)

    def change(self, m: Image, entity: g.EntitySymbol, things: Iterable[int]) -> None:
        """Things are changed where they lie (dice are rolled): only those who see the zone know them now."""
        if entity in self._write:
            write, locate = self._write[entity], self.program.zones.locate[entity]
            for thing in things:
                zone = locate(m, thing)
                if zone:
                    write(m, thing, self.seers[zone])

    def forget(self, m: Image, zone: int) -> None:
        """A zone is shuffled."""
        symbol = self.program.zones.symbol_of[zone]
        if symbol is not None:
            self.change(m, symbol.entity, self.program.zones.sequence(m, zone))
            self._show_top(m, zone)

    def _leave(
        self,
        m: Image,
        entity: g.EntitySymbol,
        unseeing: int,
        moved: list[int],
        there: Iterable[int],
        seen_by: dict[int, int],
    ) -> None:
        """Some of the things `there` leave; `unseeing` see nothing of `there`, and of a thing that leaves only those in
        `seen_by`."""
        rest = [thing for thing in there if thing not in moved]
        if not rest or not unseeing:
            return
        read, write = self._read[entity], self._write[entity]
        watching = unseeing
        for thing in moved:
            watching &= seen_by[thing]
        blind = unseeing & ~watching
        if blind:
            for thing in (*rest, *moved):
                write(m, thing, read(m, thing) & ~blind)
        looks = self.program.things[entity].look_of
        for thing in moved:
            look = looks[thing]
            for seat in members(watching & ~read(m, thing)):
                twin = next((t for t in rest if read(m, t) >> seat & 1 and looks[t] == look), 0)
                if twin:
                    write(m, twin, read(m, twin) & ~(1 << seat))

    def _show_top(self, m: Image, zone: int) -> None:
        """Everybody sees the top card of a pile that shows it, as soon as it is settled which one it is."""
        if not self._top_visible[zone]:
            return
        zones = self.program.zones
        found = zones.sequence(m, zone)
        symbol = zones.symbol_of[zone]
        if found and symbol is not None and symbol.entity in self._write and len(zones.unknown(m, zone)) < 2:
            self._write[symbol.entity](m, found[-1], self.everybody)


__all__ = ["Knowledge", "sees"]
