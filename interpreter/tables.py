"""The constant tables of one configuration of a game: how many copies of what, zone instances, units."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.limits import COPIES
from regelwerk.dsl.model.types import (
    BoolType,
    Bound,
    EnumType,
    IntType,
    ListType,
    OptionalType,
    PictureType,
    PlayerType,
    RowType,
    SetType,
    ThingType,
    Type,
)
from regelwerk.interpreter.faults import Fault


@dataclass(slots=True)
class Things:
    """The copies of one type. Lists are indexed by the copy (0 is none); `look_of`: copies of one row and owner look
    the same, and have one number; `computed`: columns of computed rows, by row."""

    symbol: g.EntitySymbol
    rows: list[g.RowSymbol] = field(default_factory=list)
    row_of: list[int] = field(default_factory=lambda: [0])
    owner_of: list[int] = field(default_factory=lambda: [0])
    look_of: list[int] = field(default_factory=lambda: [0])
    copy_number: list[int] = field(default_factory=lambda: [0])
    first_of_row: list[int] = field(default_factory=lambda: [0])
    row_count: list[int] = field(default_factory=lambda: [0])
    computed: dict[g.ColumnSymbol, list[Any]] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """How many copies there are."""
        return len(self.row_of) - 1

    @property
    def everything(self) -> int:
        """The set of all copies."""
        return (1 << (self.count + 1)) - 2

    def name(self, thing: int) -> str:
        """The stable id of a copy: its row, with a number if there are several."""
        if thing == 0:
            return "none"
        row = self.row_of[thing]
        text = self.rows[row - 1].name
        return f"{text}.{self.copy_number[thing]}" if self.row_count[row] > 1 else text


def build_things(symbol: g.EntitySymbol, rows: list[g.RowSymbol], holders: range, copies: list[int]) -> Things:
    """Lay out the copies of a type row by row, for `per player` rows seat by seat (`holders`: of what else they are
    per)."""
    things, looks = Things(symbol, rows), 0
    for row, count in zip(rows, copies, strict=True):
        things.first_of_row.append(things.count + 1)
        owners = holders if row.per_player else (0,)
        number = 0
        for owner in owners:
            looks += 1
            for _ in range(count):
                number += 1
                things.row_of.append(row.index)
                things.owner_of.append(owner)
                things.look_of.append(looks)
                things.copy_number.append(number)
        things.row_count.append(number)
    if things.count > COPIES:
        raise Fault("budget", f"there are {things.count} copies of {symbol.name}, and at most {COPIES}", symbol.span)
    return things


class AllThings(dict[g.EntitySymbol, Things]):
    """The copies of all types, each laid out when it is first asked for: computed rows depend on other types."""

    def __init__(self, build: Callable[[g.EntitySymbol], Things]) -> None:
        super().__init__()
        self.build = build
        self.building: list[g.EntitySymbol] = []

    def __missing__(self, symbol: g.EntitySymbol) -> Things:
        if symbol in self.building:
            raise Fault("none", f"the rows of {symbol.name} depend on themselves", symbol.span)
        self.building.append(symbol)
        try:
            self[symbol] = self.build(symbol)
        finally:
            self.building.pop()
        return self[symbol]


class Domains:
    """How many values types have in one configuration."""

    def __init__(self, players: int, things: dict[g.EntitySymbol, Things], pictures: int) -> None:
        self.players = players
        self.things = things
        self.pictures = pictures

    def highest(self, kind: Type) -> int:
        """The greatest run-time value of a scalar type."""
        if isinstance(kind, OptionalType):
            return self.highest(kind.base)
        if isinstance(kind, PlayerType):
            return self.players
        if isinstance(kind, EnumType):
            return kind.symbol.highest
        if isinstance(kind, ThingType):
            return self.things[kind.symbol].count
        if isinstance(kind, RowType):
            return len(self.things[kind.symbol].rows)
        if isinstance(kind, BoolType):
            return 1
        if isinstance(kind, IntType):
            return kind.highest
        if isinstance(kind, PictureType):
            return self.pictures
        return 0

    def count(self, kind: Type) -> int:
        """How many values a scalar type has."""
        if isinstance(kind, IntType):
            return kind.highest - kind.lowest + 1
        if isinstance(kind, BoolType):
            return 2
        return self.highest(kind)

    def bound(self, bound: Bound) -> int:
        """The bound of a list as a number, at most 1024."""
        total = 0
        for product in bound:
            value = 1
            for term in product:
                value *= term if isinstance(term, int) else max(1, self.count(term))
            total += value
        return min(total, 1024)

    def words(self, kind: Type) -> int:
        """How many 32-bit words a value of this type takes in a frame."""
        if isinstance(kind, OptionalType):
            return self.words(kind.base)
        if isinstance(kind, SetType):
            return self.highest(kind.member) // 32 + 1
        if isinstance(kind, ListType):
            return 1 + self.bound(kind.bound) * self.words(kind.member)
        return 1


__all__ = ["AllThings", "Domains", "Things", "build_things"]
