"""Who can hold goods: the bank, the players, and the things that resources are declared to be held by.

Holders are numbered through: 0 is the bank, then the players, then the copies of each type of things. A resource has
one cell for each holder and kind.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from regelwerk.dsl.model import game as g
from regelwerk.interpreter.evaluation.base import reader
from regelwerk.interpreter.layout import Image, Region
from regelwerk.interpreter.tables import Things

if TYPE_CHECKING:
    from regelwerk.interpreter.program import Program


class Holders:
    """The numbers of all holders of one configuration."""

    def __init__(self, game: g.CheckedGame, players: int, things: dict[g.EntitySymbol, Things]) -> None:
        self.players = players
        self.things = things
        self.base: dict[g.EntitySymbol, int] = {}
        """What is added to the number of a thing."""
        count = players
        for resource in game.resources:
            for entity in resource.held_by:
                if entity not in self.base:
                    self.base[entity] = count
                    count += things[entity].count
        self.last = count

    def count(self, resource: g.ResourceSymbol) -> int:
        """For how many holders a resource has cells."""
        return 1 + (self.last if resource.held_by else self.players)

    def thing(self, holder: int) -> tuple[g.EntitySymbol, int] | None:
        """The thing that a holder is, or None."""
        for entity, base in self.base.items():
            if base < holder <= base + self.things[entity].count:
                return entity, holder - base
        return None

    def can_hold(self, resource: g.ResourceSymbol) -> list[tuple[g.EntitySymbol, int]]:
        """All things that can hold a resource, with their numbers as holders."""
        found = []
        for entity in resource.held_by:
            found += [(entity, self.base[entity] + k) for k in range(1, self.things[entity].count + 1)]
        return found

    def goods(
        self, resource: g.ResourceSymbol, entity: g.EntitySymbol, region: Region
    ) -> Callable[[Image, int], tuple[int, ...]]:
        """A function that tells what a thing (from 0) holds."""
        kinds = len(resource.kinds.members) if resource.kinds is not None else 1
        read, first = reader(region), self.base[entity] + 1
        return lambda m, k: tuple(read(m, (first + k) * kinds + kind) for kind in range(kinds))


def keeper(program: Program, m: Image, holder: int) -> int:
    """The player whose goods they are: himself, or in whose zone the thing lies, or whose thing it is; else 0."""
    found = program.holders.thing(holder)
    if found is None:
        return holder
    entity, thing = found
    locate = program.zones.locate.get(entity)
    there = program.zone_holder[locate(m, thing)] if locate is not None else 0
    return there or program.things[entity].owner_of[thing]


def holder_name(program: Program, holder: int) -> str:
    """A holder in words."""
    found = program.holders.thing(holder)
    if found is not None:
        return program.texts.thing(found[0], found[1], None)
    return program.seats[holder - 1] if holder else "the bank"
