"""Copies that are alike: one option stands for all of them.

Two copies are alike if they have the same row, owner, zone, face, states and goods. Of a set of one word all that are
alike to one are found at once: those of its row and owner are a constant set, and cells are compared 16 at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import SetType, ThingType, strip
from regelwerk.interpreter.layout import Region
from regelwerk.interpreter.wasm.binary import I64
from regelwerk.interpreter.wasm.code import LANES, Value, choose, const, lanes_equal, load, load64
from regelwerk.interpreter.wasm.collections import add_bit, bit, each_bit
from regelwerk.interpreter.wasm.emitter import Emitter
from regelwerk.interpreter.wasm.expressions import stored
from regelwerk.interpreter.wasm.shapes import Words
from regelwerk.interpreter.wasm.sieves import comparable, compared
from regelwerk.interpreter.wasm.unit import LISTED


@dataclass(frozen=True)
class Copies:
    """The things of a type of which some are alike. `one_place`: those that are compared lie in one zone."""

    symbol: g.EntitySymbol
    one_place: bool

    def same(self, e: Emitter, one: Value, other: Value) -> Value:
        """Whether two are alike."""
        looks = e.program.things[self.symbol].look_of
        found = e.unit.look_up(looks, one).eq(e.unit.look_up(looks, other))
        for region, first in self._cells(e):
            found = found & e.unit.read(e.state, region, one - first).eq(e.unit.read(e.state, region, other - first))
        return found & self._same_else(e, one, other)

    def _cells(self, e: Emitter) -> list[tuple[Region, int]]:
        """The cells that must hold the same, one for each thing, and the thing that has the first."""
        program, found = e.program, []
        if self.symbol in program.location_cells and not self.one_place:
            found.append((program.location_cells[self.symbol], 0))
        if self.symbol in program.face_cells:
            found.append((program.face_cells[self.symbol], 0))
        return found

    def _states(self, e: Emitter) -> list[g.StateSymbol]:
        return [each for each in e.program.game.states if getattr(each.key, "symbol", None) is self.symbol]

    def _same_else(self, e: Emitter, one: Value, other: Value) -> Value:
        """Whether the states and goods of two are the same."""
        found: Value = const(1)
        for each in self._states(e):
            found = e.same(stored(e, each, one - 1), stored(e, each, other - 1), each.type) & found
        for resource, region in e.program._goods_on(self.symbol):
            kinds = len(resource.kinds.members) if resource.kinds is not None else 1
            base = e.program.holders.base[self.symbol]
            for k in range(kinds):
                a = e.unit.read(e.state, region, (one + base) * kinds + k)
                b = e.unit.read(e.state, region, (other + base) * kinds + k)
                found = a.eq(b) & found
        return found

    def among(self, e: Emitter, domain: Value, one: Value) -> Value:
        """The members of a set of one word that are alike to one of them, which is among them."""
        f, relatives = e.f, self._relatives(e)
        assert len(relatives) <= 64
        place = e.unit.bytes_at(b"".join(members.to_bytes(8, "little") for members in relatives))
        found = domain & load64(one * 8, place)
        slow = bool(self._states(e) or e.program._goods_on(self.symbol))
        for region, first in self._cells(e):
            if comparable(e, region):
                found = found & self._same_cells(e, region, first, one, relatives)
            else:
                slow = True
        if not slow:
            return f.keep(found)
        alike = Words((f.variable(I64),))
        f.set(alike.parts[0], const(0, I64))
        with each_bit(e, Words((f.keep(found),))) as (other, following, _):
            f.leave_if(following, self.same(e, one, other).eqz())
            add_bit(e, alike, other)
        return alike.parts[0]

    def _relatives(self, e: Emitter) -> list[int]:
        """For each thing those of the same row and owner, as a set."""
        looks = e.program.things[self.symbol].look_of
        sets: dict[int, int] = {}
        for thing, look in enumerate(looks):
            sets[look] = sets.get(look, 0) | 1 << thing
        return [sets[look] for look in looks]

    def _same_cells(self, e: Emitter, region: Region, first: int, one: Value, relatives: list[int]) -> Value:
        """Of the relatives of a thing at least those whose cells hold the same, and perhaps others of the type: few
        relatives, which lie close together, are compared in one step."""
        f, size, lanes = e.f, region.width // 8, LANES[region.width]
        wanted = f.keep(e.unit.read(e.state, region, one - first))
        starts = [max(first, (members & -members).bit_length() - 1) for members in relatives]
        close = all(members.bit_length() - start <= lanes for members, start in zip(relatives, starts, strict=True))
        if not close or (region.offset + max(starts) - first + lanes) * size > e.program.layout.size:
            return compared(e, region, first, wanted, 1)[0]
        start = f.keep(e.unit.look_up(starts, one))
        found = lanes_equal(e.state + (start - first) * size, region.offset * size, region.width, wanted)
        return found.widen() << start.widen()


def copies(e: Emitter, binder: x.Binder) -> Copies | None:
    """The things that a binder takes, if some of them can be alike."""
    kind = strip(binder.type)
    member = strip(kind.member) if isinstance(kind, SetType) and binder.form == "some" else kind
    if not isinstance(member, ThingType) or all(count <= 1 for count in e.program.things[member.symbol].row_count):
        return None
    return Copies(member.symbol, isinstance(binder.source, x.Contents))


@dataclass(frozen=True)
class Kinds:
    """Which elements of a pool are alike.

    first   those of which no earlier one is alike, as a set of one word
    after   the address of a word for each element: the next one that is alike as a set, or nothing
    ways    how many picks there are, none included, if as many as one likes can be picked
    """

    first: Value
    after: Value
    ways: Value


def kinds_of(e: Emitter, kin: Copies, pool: Value) -> Kinds:
    """The kinds of a pool. While options are listed nothing changes, so what one action found holds for the next, as
    long as no other picks are gone through inside."""
    unit, f, key = e.unit, e.f, ("kinds", kin, e.picking)
    if not e.listing:
        place = f.keep(f.room(_KINDS))
    else:
        if key not in unit.places:
            unit.places[key] = unit.reserve(_KINDS)
        place = const(unit.places[key])
    known = load64(place).eq(f.global_(LISTED)) & load64(place, 8).eq(pool)
    with f.when(known.eqz() if e.listing else const(1)):
        _find_kinds(e, kin, pool, place)
    return Kinds(f.keep(load64(place, 16)), place + 32, load(place, 24))


_KINDS = 32 + 8 * 64


def _find_kinds(e: Emitter, kin: Copies, pool: Value, place: Value) -> None:
    """No pass of the loop waits for what another one finds."""
    f = e.f
    rest, first, ways = f.copied(pool), f.copied(const(0, I64)), f.copied(const(1))
    with f.while_(lambda: rest.ne(0)):
        thing = f.copied(rest.one("ctz").narrow())
        one = f.copied(rest & (const(0, I64) - rest))
        f.set(rest, rest & (rest - 1))
        alike = f.keep(kin.among(e, pool, thing))
        behind = f.keep(alike & (const(0, I64) - (one << 1)))
        f.store64(place + thing * 8, behind & (const(0, I64) - behind), 32)
        earlier = f.keep((alike & (one - 1)).ne(0))
        f.set(first, first | choose(earlier, const(0, I64), one))
        f.set(ways, ways * choose(earlier, const(1), alike.one("popcnt").narrow() + 1))
    f.store64(place, f.global_(LISTED))
    f.store64(place, pool, 8)
    f.store64(place, first, 16)
    f.store(place, ways, 24)


def seen_before(
    e: Emitter, kin: Copies, source: Words | Callable[[Value], Value], value: Value, position: Value
) -> Value:
    """Whether an earlier candidate is alike. `source`: a set, or what gives the candidate of a number from 0;
    `position`: how many candidates there are before."""
    f = e.f
    found = f.copied(const(0))
    if isinstance(source, Words):
        things = e.program.things[kin.symbol]
        first = f.keep(e.unit.look_up([things.first_of_row[row] for row in things.row_of], value))
        member = f.copied(value)
        with f.while_(lambda: member > first) as (_, leave):
            f.increase(member, -1)
            with (
                f.when(bit(e, source, member, 64 * len(source.parts) - 1)),
                f.when(kin.same(e, member, value)),
            ):
                f.set(found, 1)
                f.leave(leave)
        return found
    with f.counting(0, position) as k, f.when(kin.same(e, f.keep(source(k)), value)):
        f.set(found, 1)
    return found
