"""Zones in the image: where every copy lies, and in which order.

An unordered zone is a set of copies. A zone with an order holds its copies in slots from the bottom to the top, after
three counts: how many at the bottom have a known order, how many of the middle part have none (they are kept in
ascending order), how many on top have a known one. Every copy also has a cell that says where it lies (0: out of the
game). Drawing from the part without order is a decision of nature over that part.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regelwerk.dsl.model import game as g
from regelwerk.interpreter.evaluation.base import members, reader, writer
from regelwerk.interpreter.faults import Fault
from regelwerk.interpreter.layout import Image, Layout, Region

if TYPE_CHECKING:
    from regelwerk.dsl.source import Span
    from regelwerk.interpreter.tables import Things


class Zones:
    """All zone instances of one configuration, numbered from 1."""

    def __init__(self, symbols: list[g.ZoneSymbol], things: dict[g.EntitySymbol, Things]) -> None:
        self.things = things
        self.symbols = symbols
        self.base: dict[g.ZoneSymbol, int] = {}
        self.instances: dict[g.ZoneSymbol, int] = {}
        self.symbol_of: list[g.ZoneSymbol | None] = [None]
        self.key_of: list[int] = [0]
        self.ordered: list[bool] = [False]
        self.offset: list[int] = [0]
        self.words: list[int] = [0]
        self.slots: list[int] = [0]
        self.slot_width: list[int] = [0]
        self.capacity: list[int] = [0]
        self._regions: dict[g.ZoneSymbol, tuple[Region, Region | None]] = {}

    def add(self, symbol: g.ZoneSymbol, instances: int) -> None:
        """Number the instances of a zone."""
        self.base[symbol] = len(self.symbol_of)
        self.instances[symbol] = instances
        for key in range(1, instances + 1):
            self.symbol_of.append(symbol)
            self.key_of.append(key if symbol.key is not None else 0)
            self.ordered.append(symbol.order is not None)
            self.offset.append(0)
            self.slots.append(0)
            self.words.append(self.things[symbol.entity].count // 32 + 1)
            self.slot_width.append(8 if self.things[symbol.entity].count <= 255 else 16)
            self.capacity.append(0)

    def reserve(self, layout: Layout) -> None:
        """Ask for room in the image."""
        for symbol in self.symbols:
            count = self.things[symbol.entity].count
            instances = self.instances[symbol]
            if symbol.order is None:
                region = layout.words(f"zone {symbol.name}", instances * (count // 32 + 1))
                self._regions[symbol] = (region, None)
            else:
                counts = layout.cells(f"zone {symbol.name} counts", instances * 3, 0, 300)
                slots = layout.cells(f"zone {symbol.name}", instances * max(1, count), 0, max(1, count))
                self._regions[symbol] = (slots, counts)
        self.location = {
            entity: layout.cells(f"place of {entity.name}", table.count + 1, 0, max(1, len(self.symbol_of) - 1))
            for entity, table in self.things.items()
            if entity.movable
        }

    def placed(self) -> None:
        """Note the offsets after the layout is fixed."""
        for symbol in self.symbols:
            region, counts = self._regions[symbol]
            size = max(1, self.things[symbol.entity].count)
            for k in range(self.instances[symbol]):
                number = self.base[symbol] + k
                if counts is None:
                    self.offset[number] = region.offset + k * self.words[number]
                else:
                    self.offset[number] = counts.offset + 3 * k
                    self.slots[number] = region.offset + k * size
        self.locate = {entity: reader(region) for entity, region in self.location.items()}
        self.set_location = {entity: writer(region) for entity, region in self.location.items()}

    def single_word(self, symbol: g.ZoneSymbol) -> bool:
        """Whether the zone is a set that fits one word, and there is one at all: one per thing may be one of none."""
        return symbol.order is None and self.things[symbol.entity].count < 32 and self.instances[symbol] > 0

    # ------------------------------------------------------------------------------------------------------ reading
    def sequence(self, m: Image, zone: int) -> tuple[int, ...]:
        """What lies in a zone, in its order (bottom first) or that of declaration."""
        if zone == 0:
            return ()
        if not self.ordered[zone]:
            return tuple(members(self.as_set(m, zone)))
        offset, start = self.offset[zone], self.slots[zone]
        size = m.h[offset] + m.h[offset + 1] + m.h[offset + 2]
        if self.slot_width[zone] == 8:
            return tuple(m.b[start : start + size])
        return tuple(m.h[start : start + size])

    def as_set(self, m: Image, zone: int) -> int:
        """What lies in a zone, as a set."""
        if zone == 0:
            return 0
        if self.ordered[zone]:
            mask = 0
            for thing in self.sequence(m, zone):
                mask |= 1 << thing
            return mask
        start, words = self.offset[zone], self.words[zone]
        if words == 1:
            return m.u[start]
        return int.from_bytes(m.b[4 * start : 4 * (start + words)], "little")

    def count(self, m: Image, zone: int) -> int:
        """How many things lie in a zone."""
        if zone and self.ordered[zone]:
            offset = self.offset[zone]
            return m.h[offset] + m.h[offset + 1] + m.h[offset + 2]
        return self.as_set(m, zone).bit_count()

    def has_room(self, m: Image, zone: int) -> bool:
        """Whether one more thing may lie there."""
        return not self.capacity[zone] or self.count(m, zone) < self.capacity[zone]

    def unknown(self, m: Image, zone: int) -> tuple[int, ...]:
        """The things on top of which nothing is known: what the next draw chooses among; empty if the top is known."""
        if not self.ordered[zone]:
            return ()
        offset = self.offset[zone]
        if m.h[offset + 2] or not m.h[offset + 1]:
            return ()
        found = self.sequence(m, zone)
        return found[m.h[offset] : m.h[offset] + m.h[offset + 1]]

    def middle(self, m: Image, zone: int) -> tuple[int, ...]:
        """The things of a zone whose order is not known."""
        if not self.ordered[zone]:
            return ()
        first = m.h[self.offset[zone]]
        return self.sequence(m, zone)[first : first + m.h[self.offset[zone] + 1]]

    def known_on_top(self, m: Image, zone: int) -> int:
        """How many things on top of the part without order have a known one."""
        return m.h[self.offset[zone] + 2]

    def settled(self, m: Image, zone: int, count: int) -> bool:
        """Whether it is settled which the top things of a zone are, and in which order."""
        offset = self.offset[zone]
        return not self.ordered[zone] or m.h[offset + 1] < 2 or m.h[offset + 2] >= count

    def settled_bottom(self, m: Image, zone: int) -> bool:
        """Whether it is settled which thing lies at the bottom of a zone."""
        offset = self.offset[zone]
        return not self.ordered[zone] or m.h[offset] > 0 or m.h[offset + 1] < 2

    # ------------------------------------------------------------------------------------------------------ writing
    def _store(self, m: Image, zone: int, bottom: list[int], middle: list[int], top: list[int]) -> None:
        offset, start = self.offset[zone], self.slots[zone]
        if not middle:
            bottom, top = bottom + top, []
        m.h[offset], m.h[offset + 1], m.h[offset + 2] = len(bottom), len(middle), len(top)
        everything = bottom + sorted(middle) + top
        size = max(1, self.things[self._entity(zone)].count)
        cells = m.b if self.slot_width[zone] == 8 else m.h
        for index in range(size):
            cells[start + index] = everything[index] if index < len(everything) else 0

    def _parts(self, m: Image, zone: int) -> tuple[list[int], list[int], list[int]]:
        offset = self.offset[zone]
        found = list(self.sequence(m, zone))
        first, second = m.h[offset], m.h[offset] + m.h[offset + 1]
        return found[:first], found[first:second], found[second:]

    def _entity(self, zone: int) -> g.EntitySymbol:
        symbol = self.symbol_of[zone]
        assert symbol is not None
        return symbol.entity

    def _write_set(self, m: Image, zone: int, mask: int) -> None:
        start, words = self.offset[zone], self.words[zone]
        if words == 1:
            m.u[start] = mask
        else:
            m.b[4 * start : 4 * (start + words)] = mask.to_bytes(4 * words, "little")

    def take_out(self, m: Image, entity: g.EntitySymbol, thing: int) -> None:
        """Take a thing from where it lies."""
        zone = self.locate[entity](m, thing)
        if zone == 0:
            return
        if self.ordered[zone]:
            parts = self._parts(m, zone)
            for part in parts:
                if thing in part:
                    part.remove(thing)
            self._store(m, zone, *parts)
        else:
            start, words = self.offset[zone], self.words[zone]
            if words == 1:
                m.u[start] &= ~(1 << thing)
            else:
                m.u[start + (thing >> 5)] &= ~(1 << (thing & 31))
        self.set_location[entity](m, thing, 0)

    def put(self, m: Image, entity: g.EntitySymbol, thing: int, zone: int, at_bottom: bool, span: Span | None) -> None:
        """Put a thing that lies nowhere on top (or at the end) of a zone, or under it."""
        capacity = self.capacity[zone]
        if capacity and self.count(m, zone) >= capacity:
            symbol = self.symbol_of[zone]
            raise Fault("full", f"{symbol.words if symbol else 'the zone'} has room for {capacity}", span)
        if self.ordered[zone]:
            bottom, middle, top = self._parts(m, zone)
            if at_bottom:
                bottom.insert(0, thing)
            elif middle:
                top.append(thing)
            else:
                bottom.append(thing)
            self._store(m, zone, bottom, middle, top)
        else:
            start, words = self.offset[zone], self.words[zone]
            if words == 1:
                m.u[start] |= 1 << thing
            else:
                m.u[start + (thing >> 5)] |= 1 << (thing & 31)
        self.set_location[entity](m, thing, zone)

    def move(
        self, m: Image, entity: g.EntitySymbol, thing: int, zone: int, at_bottom: bool = False, span: Span | None = None
    ) -> None:
        """Move a thing to a zone (0: out of the game)."""
        if not self.ordered[zone] and self.locate[entity](m, thing) == zone:
            return
        self.take_out(m, entity, thing)
        if zone:
            self.put(m, entity, thing, zone, at_bottom, span)

    def forget_order(self, m: Image, zone: int) -> None:
        """Shuffle: nothing is known of the order any more."""
        if self.ordered[zone]:
            self._store(m, zone, [], sorted(self.sequence(m, zone)), [])

    def settle(self, m: Image, zone: int, thing: int) -> None:
        """A thing of the part without order is the uppermost of it; it belongs to those above from now on."""
        bottom, middle, top = self._parts(m, zone)
        middle.remove(thing)
        self._store(m, zone, bottom, middle, [thing, *top])

    def fill(self, m: Image, zone: int, things: list[int]) -> None:
        """Make a zone hold exactly these things, the last on top; what lay there goes out of the game."""
        entity = self._entity(zone)
        for thing in self.sequence(m, zone):
            self.take_out(m, entity, thing)
        for thing in things:
            self.move(m, entity, thing, zone)
