"""Texts: how values are printed, by their types, and the stable ids of values in replays."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import (
    BoolType,
    EnumType,
    IntType,
    ListType,
    OptionalType,
    PictureType,
    PlayerType,
    RecordType,
    RowType,
    SetType,
    TallyType,
    ThingType,
    Type,
    ZoneType,
    in_words,
    member_of,
)
from regelwerk.interpreter.evaluation.base import NONE_NUMBER, Closure, Compiler, Locals, members
from regelwerk.interpreter.evaluation.scalars import is_none
from regelwerk.interpreter.layout import Image

if TYPE_CHECKING:
    from regelwerk.interpreter.program import Program
    from regelwerk.interpreter.views import ThingView


class Texts:
    """Prints values of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.seen_things: dict[tuple[g.EntitySymbol, int], ThingView] = {}
        """How things without faces look to those who see them."""
        self._names_of_zones: dict[int, tuple[str, str | None]] = {}

    # ------------------------------------------------------------------------------------------------------ templates
    def template(self, c: Compiler, node: x.Template) -> Closure:
        """A closure that fills a text."""
        parts: list[str | tuple[Type, Closure, x.Expr]] = [
            part if isinstance(part, str) else (part.type, c.expr(part), part) for part in node.parts
        ]

        def fill(m: Image, env: Locals) -> str:
            return "".join(part if isinstance(part, str) else self.value(part[1](m, env), part[0], m) for part in parts)

        return fill

    def render(self, node: x.Template | None, m: Image, env: Locals) -> str:
        """A text filled now."""
        if node is None:
            return ""
        known = self.program.templates.get(node)
        if known is None:
            known = self.program.templates[node] = self.template(self.program.compiler, node)
        return str(known(m, env))

    def plain(self, node: x.Template | None) -> str:
        """A text without its holes."""
        return "".join(part if isinstance(part, str) else "..." for part in node.parts) if node is not None else ""

    # --------------------------------------------------------------------------------------------------------- values
    def value(self, value: Any, kind: Type, m: Image | None = None) -> str:
        """A value as it is printed for people."""
        if isinstance(kind, OptionalType):
            if (value == 0 and not isinstance(kind.base, IntType | BoolType)) or value == NONE_NUMBER:
                return "nobody" if isinstance(kind.base, PlayerType) else "nothing"
            return self.value(value, kind.base, m)
        if isinstance(kind, BoolType):
            return "yes" if value else "no"
        if isinstance(kind, IntType):
            return in_words(value, kind) if value != NONE_NUMBER else "nothing"
        if isinstance(kind, PlayerType):
            return self.program.seats[value - 1] if value else "nobody"
        if isinstance(kind, EnumType):
            return self.member(kind.symbol, value)
        if isinstance(kind, ThingType):
            return self.thing(kind.symbol, value, m)
        if isinstance(kind, RowType):
            return self.program.things[kind.symbol].rows[value - 1].printed if value else "nothing"
        if isinstance(kind, ZoneType):
            return self.zone(value)
        if isinstance(kind, PictureType):
            return self.picture(value)
        if isinstance(kind, SetType | ListType):
            inner = member_of(kind)
            assert inner is not None
            items = members(value) if isinstance(kind, SetType) else list(value)
            return join([self.value(each, inner, m) for each in items]) or "nothing"
        if isinstance(kind, TallyType):
            return self.tally(value, kind)
        if isinstance(kind, RecordType):
            fields = zip(kind.symbol.fields, value or (), strict=False)
            return (
                join([f"{name.replace('_', ' ')} {self.value(part, of, m)}" for (name, of), part in fields])
                or "nothing"
            )
        return str(value)

    def member(self, symbol: g.EnumSymbol, value: int) -> str:
        """A member of an enum."""
        if value == 0:
            return "nothing"
        if symbol.numbers is not None and value <= symbol.numbers[1]:
            return str(value)
        return symbol.members[value - 1 - (symbol.numbers[1] if symbol.numbers else 0)][2].one

    def thing(self, symbol: g.EntitySymbol, value: int, m: Image | None) -> str:
        """A thing; dice by what they show, rows of several kinds of dice with their name."""
        if value == 0:
            return "nothing"
        things = self.program.things[symbol]
        row = things.rows[things.row_of[value] - 1]
        if symbol.faces is not None and m is not None:
            face = m.b[self.program.face_cells[symbol].offset + value]
            return str(face) if row.index == 1 else f"{face} ({row.printed})"
        return row.printed

    def zone(self, number: int) -> str:
        """A zone instance."""
        symbol = self.program.zones.symbol_of[number]
        if symbol is None:
            return "out of the game"
        key = self.program.zones.key_of[number]
        if symbol.key is None:
            return symbol.words
        return f"{symbol.words} of {self.value(key, symbol.key)}"

    def names_of_zone(self, number: int) -> tuple[str, str | None]:
        """How a zone instance, which is not 0, and its key are printed."""
        known = self._names_of_zones.get(number)
        if known is None:
            symbol = self.program.zones.symbol_of[number]
            assert symbol is not None
            key = self.program.zones.key_of[number]
            name = self.value(key, symbol.key) if symbol.key is not None else None
            known = self._names_of_zones[number] = self.zone(number), name
        return known

    def picture(self, value: int) -> str:
        """A picture row by row, as it is written in rules."""
        if value == 0:
            return "nothing"
        found = self.program.game.pictures[value - 1]
        squares = [self.member(found.symbol, cell) if cell else "." for cell in found.cells]
        rows = [squares[k : k + found.width] for k in range(0, len(squares), found.width)]
        between = "" if all(len(square) == 1 for square in squares) else " "
        return "/".join(between.join(row) for row in rows)

    def tally(self, value: tuple[int, ...], kind: TallyType) -> str:
        """The parts of a tally that are not 0."""
        if kind.symbol is None:
            return self.amount([(k, count) for k, count in enumerate(value) if count])
        words = [member[2] for member in kind.symbol.members]
        parts = [f"{count} {words[k].one if count == 1 else words[k].many}" for k, count in enumerate(value) if count]
        return join(parts) or "nothing"

    def amount(self, parts: list[tuple[int, int]]) -> str:
        """An amount: (unit number, count) pairs."""
        units = self.program.game.units
        texts = []
        for u, count in parts:
            if count:
                number = in_words(count, units[u].type)
                texts.append(f"{number} {units[u].words.one if number == '1' else units[u].words.many}")
        return join(texts) or "nothing"

    # ------------------------------------------------------------------------------------------------------------ ids
    def id(self, value: Any, kind: Type) -> str:
        """The stable id of a value in replays."""
        if isinstance(kind, OptionalType):
            return "none" if is_none(value, kind) else self.id(value, kind.base)
        if isinstance(kind, SetType | ListType):
            inner = member_of(kind)
            assert inner is not None
            items = members(value) if isinstance(kind, SetType) else list(value)
            return "[" + " ".join(self.id(each, inner) for each in items) + "]"
        if isinstance(kind, PlayerType):
            return self.program.seats[value - 1] if value else "none"
        if isinstance(kind, EnumType):
            if kind.symbol.numbers is not None and value <= kind.symbol.numbers[1]:
                return str(value)
            return str(kind.symbol.members[value - 1 - (kind.symbol.numbers[1] if kind.symbol.numbers else 0)][0])
        if isinstance(kind, ThingType):
            return self.program.things[kind.symbol].name(value)
        if isinstance(kind, RowType):
            return str(self.program.things[kind.symbol].rows[value - 1].name)
        if isinstance(kind, BoolType):
            return "yes" if value else "no"
        if isinstance(kind, RecordType):
            fields = zip(kind.symbol.fields, value, strict=True)
            return "[" + " ".join(self.id(part, of) for (_, of), part in fields) + "]"
        if isinstance(kind, TallyType):
            return "[" + " ".join(map(str, value)) + "]"
        if isinstance(kind, IntType):
            return in_words(value, kind)
        if isinstance(kind, PictureType):
            return self.picture(value).replace(" ", "_")
        return str(value)


def join(parts: list[str]) -> str:
    """`A, B and C`."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


__all__ = ["Callable", "Texts", "join"]
