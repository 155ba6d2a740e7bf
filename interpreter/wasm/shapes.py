"""How values of the rules are kept: in variables, and in memory.

scalar   one number of 32 bits: numbers, members of enums, things, players, zones, pictures, yes/no; none as in the
         reference interpreter (0, of numbers -2^31)
set      words of 64 bits, the member k being bit k; in memory words of 32 bits
ref      the address of a list (its length, then its members), a tally (a count for each unit) or a record (1, or 0 for
         none, then its fields)

What lies in memory has the form that frames and stored variables have in the state image, word by word.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from regelwerk.dsl.model.types import (
    EffectType,
    IntType,
    ListType,
    OptionTupleType,
    PictureType,
    RecordType,
    SetType,
    TallyType,
    TextType,
    Type,
    ZoneType,
    strip,
)
from regelwerk.interpreter.wasm.binary import I32, I64
from regelwerk.interpreter.wasm.code import Value

if TYPE_CHECKING:
    from regelwerk.interpreter.program import Program

WIDEST = 20
"""The most words of a set."""


class Unsupported(Exception):
    """Something that is not compiled: the game runs on the reference interpreter."""


@dataclass(frozen=True, slots=True)
class Words:
    """A set, by its words of 64 bits."""

    parts: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Ref:
    """A list, tally or record, by its address."""

    address: Value
    kind: Type


Operand = Value | Words | Ref


class Shapes:
    """What values of each type look like."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def highest(self, kind: Type) -> int:
        """The greatest value of a scalar type."""
        plain = strip(kind)
        if isinstance(plain, PictureType):
            return len(self.program.game.pictures)
        if isinstance(plain, ZoneType):
            return len(self.program.zones.symbol_of) - 1
        return self.program.domains.highest(plain)

    def lowest(self, kind: Type) -> int:
        """The least value of a scalar type that is not none."""
        plain = strip(kind)
        return plain.lowest if isinstance(plain, IntType) else 0

    def form(self, kind: Type) -> str:
        """`scalar`, `set` or `ref`."""
        plain = strip(kind)
        if isinstance(plain, SetType):
            return "set"
        if isinstance(plain, ListType | TallyType | RecordType):
            return "ref"
        if isinstance(plain, TextType | EffectType | OptionTupleType):
            raise Unsupported(str(plain))
        return "scalar"

    def set_words(self, kind: Type) -> int:
        """How many words of 64 bits a set takes."""
        plain = strip(kind)
        assert isinstance(plain, SetType)
        count = self.highest(plain.member) // 64 + 1
        if count > WIDEST:
            raise Unsupported(f"a set of up to {64 * count} members")
        return count

    def half_words(self, kind: Type) -> int:
        """How many words of 32 bits a set takes in memory."""
        plain = strip(kind)
        assert isinstance(plain, SetType)
        return self.highest(plain.member) // 32 + 1

    def room(self, kind: Type) -> int:
        """How many words of 32 bits a value takes in memory."""
        plain = strip(kind)
        if isinstance(plain, SetType):
            return self.half_words(plain)
        if isinstance(plain, TallyType):
            return self.program.unit_count(plain)
        if isinstance(plain, ListType):
            return 1 + self.bound(plain) * self.room(plain.member)
        if isinstance(plain, RecordType):
            return 1 + sum(self.room(each) for _, each in plain.symbol.fields)
        return 1

    def bound(self, kind: ListType) -> int:
        """The most members of a list."""
        return self.program.domains.bound(kind.bound)

    def kinds(self, kind: Type) -> tuple[int, ...]:
        """The kinds of the variables that a value takes (a ref: its address)."""
        form = self.form(kind)
        return (I64,) * self.set_words(kind) if form == "set" else (I32,)
