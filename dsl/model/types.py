"""Types of values, with ranges.

Every type is finite, so that every stored thing has a fixed size. At run time values are plain integers and tuples:

- yes/no is 0 or 1; a number is itself
- members of an enum, things, rows and players are 1, 2, 3 ... in the order of declaration; 0 is `none`
- a number in halves is stored doubled
- a set is a bit mask, bit k standing for the value k (numbers below 0 cannot be in sets)
- a list is a tuple of values; a tally is a tuple of counts, one for each unit; a record is the tuple of its fields
- a zone is the number of the zone instance, a picture that of the picture and its turn
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from regelwerk.dsl.model.game import ActionSymbol, EntitySymbol, EnumSymbol, RecordSymbol

HIGHEST = 32767
"""The upper bound of `lo..` and of `number`."""


class Type:
    """Base of all types."""

    def __str__(self) -> str:
        return type(self).__name__


@dataclass(frozen=True)
class BoolType(Type):
    """`yes/no`."""

    def __str__(self) -> str:
        return "yes/no"


@dataclass(frozen=True)
class IntType(Type):
    """Whole numbers `lowest..highest`, or with `halves` numbers in halves: all of them are stored doubled."""

    lowest: int
    highest: int
    halves: bool = False

    def __str__(self) -> str:
        low, high = in_words(self.lowest, self), in_words(self.highest, self)
        text = f"{low}.." if self.highest >= HIGHEST * (2 if self.halves else 1) else f"{low}..{high}"
        return f"{text} in halves" if self.halves else text


def in_words(value: int, kind: IntType) -> str:
    """A number of this type as it is printed: `7`, `7.5`."""
    if not kind.halves:
        return str(value)
    sign, whole, half = "-" if value < 0 else "", abs(value) // 2, abs(value) % 2
    return f"{sign}{whole}.5" if half else f"{sign}{whole}"


def counted(value: int, kind: IntType) -> int | float:
    """A number of this type as hosts get it: whole, or with a half."""
    if not kind.halves:
        return value
    return value / 2 if value % 2 else value // 2


def doubled(kind: IntType) -> IntType:
    """The same numbers in halves."""
    return kind if kind.halves else IntType(2 * kind.lowest, 2 * kind.highest, True)


@dataclass(frozen=True)
class PlayerType(Type):
    """A player, by seat."""

    def __str__(self) -> str:
        return "player"


@dataclass(frozen=True)
class BankType(Type):
    """`bank`, the supply side of every resource."""

    def __str__(self) -> str:
        return "bank"


@dataclass(frozen=True)
class EnumType(Type):
    """A member of an enum."""

    symbol: EnumSymbol

    def __str__(self) -> str:
        return self.symbol.name


@dataclass(frozen=True)
class ThingType(Type):
    """One card, die, piece, tile, or one row of fields or a table."""

    symbol: EntitySymbol

    def __str__(self) -> str:
        return self.symbol.name


@dataclass(frozen=True)
class RowType(Type):
    """A row that has several copies, named as such: only `is`, `in`, `by` and scenarios can use it."""

    symbol: EntitySymbol

    def __str__(self) -> str:
        return f"row of {self.symbol.name}"


@dataclass(frozen=True)
class RecordType(Type):
    """A record: the tuple of its fields. `none` is 0."""

    symbol: RecordSymbol

    def __str__(self) -> str:
        return self.symbol.name


@dataclass(frozen=True)
class NoneType(Type):
    """The type of `none` alone."""

    def __str__(self) -> str:
        return "none"


@dataclass(frozen=True)
class OptionalType(Type):
    """`T?`."""

    base: Type

    def __str__(self) -> str:
        return f"{self.base}?"


@dataclass(frozen=True)
class SetType(Type):
    """`set of T`."""

    member: Type

    def __str__(self) -> str:
        return f"set of {self.member}"


Bound = tuple[tuple["int | Type", ...], ...]
"""How long a list can get: a sum of products of numbers and of types (standing for the number of their members)."""


@dataclass(frozen=True)
class ListType(Type):
    """`list of T up to bound`."""

    member: Type
    bound: Bound

    def __str__(self) -> str:
        return f"list of {self.member}"


@dataclass(frozen=True)
class TallyType(Type):
    """A multiset over an enum, or (symbol None) over all units of the game."""

    symbol: EnumSymbol | None

    def __str__(self) -> str:
        return f"tally of {self.symbol.name}" if self.symbol else "tally"


@dataclass(frozen=True)
class ZoneType(Type):
    """A place. `ordered`: its contents have an order."""

    symbol: EntitySymbol
    ordered: bool = False

    def __str__(self) -> str:
        return f"zone of {self.symbol.name}"


@dataclass(frozen=True)
class PictureType(Type):
    """A constant drawing of the members of an enum."""

    symbol: EnumSymbol

    def __str__(self) -> str:
        return f"picture of {self.symbol.name}"


@dataclass(frozen=True)
class TextType(Type):
    """A text; never read by rules."""

    def __str__(self) -> str:
        return "text"


@dataclass(frozen=True)
class EffectType(Type):
    """A column of effects, rules or either (`effect`, `rules`, `ability`)."""

    kind: str

    def __str__(self) -> str:
        return self.kind


@dataclass(frozen=True)
class UnknownType(Type):
    """The type of what was already reported as wrong; nothing more is said about it."""

    def __str__(self) -> str:
        return "?"


BOOL = BoolType()
PLAYER = PlayerType()
BANK = BankType()
NONE = NoneType()
TEXT = TextType()
UNKNOWN = UnknownType()
NUMBER = IntType(-HIGHEST, HIGHEST)


def strip(kind: Type) -> Type:
    """The type without `?`."""
    return kind.base if isinstance(kind, OptionalType) else kind


def unknown(kind: Type) -> bool:
    """Whether a type is that of something already reported, alone or as T?."""
    return isinstance(strip(kind), UnknownType)


def member_of(kind: Type) -> Type | None:
    """The element type of a set, list or zone, else None."""
    if isinstance(kind, SetType | ListType):
        return kind.member
    if isinstance(kind, ZoneType):
        return ThingType(kind.symbol)
    return None


def bound_of(kind: Type) -> Bound:
    """How many members a value of this collection type can have."""
    if isinstance(kind, ListType):
        return kind.bound
    member = member_of(kind)
    return ((member,),) if member is not None else ((1,),)


def numeric(kind: Type) -> IntType | None:
    """The range of numbers that a value of this type is read as, or None if it is no number."""
    if isinstance(kind, IntType):
        return kind
    if isinstance(kind, OptionalType):
        return numeric(kind.base)
    if isinstance(kind, EnumType) and kind.symbol.numbers is not None:
        return IntType(*kind.symbol.numbers)
    return None


def join(a: Type, b: Type) -> Type | None:
    """The narrowest type that holds both, or None."""
    if a == b or isinstance(b, UnknownType):
        return a
    if isinstance(a, UnknownType):
        return b
    if isinstance(a, NoneType):
        return b if isinstance(b, OptionalType) else OptionalType(b)
    if isinstance(b, NoneType):
        return a if isinstance(a, OptionalType) else OptionalType(a)
    if isinstance(a, OptionalType) or isinstance(b, OptionalType):
        base = join(strip(a), strip(b))
        return OptionalType(base) if base is not None else None
    if isinstance(a, IntType) and isinstance(b, IntType):
        if a.halves != b.halves:
            return None
        return IntType(min(a.lowest, b.lowest), max(a.highest, b.highest), a.halves)
    if isinstance(a, ZoneType):
        return a if isinstance(b, ZoneType) and a.symbol is b.symbol else join(SetType(ThingType(a.symbol)), b)
    if isinstance(b, ZoneType):
        return join(a, SetType(ThingType(b.symbol)))
    if isinstance(a, SetType | ListType) and isinstance(b, SetType | ListType):
        member = join(a.member, b.member)
        if member is None:
            return None
        if isinstance(a, ListType) and isinstance(b, ListType):
            return ListType(member, a.bound if a.bound == b.bound else a.bound + b.bound)
        return SetType(member)
    if {type(a), type(b)} == {EnumType, IntType}:
        enum, number = (a, b) if isinstance(a, EnumType) else (b, a)
        assert isinstance(number, IntType)
        return enum if numeric(enum) is not None and not number.halves else None
    return None


def fits(kind: Type, wanted: Type) -> bool:
    """Whether a value of `kind` may stand where `wanted` is asked for; number ranges are tested at run time where
    they differ."""
    if isinstance(kind, UnknownType) or isinstance(wanted, UnknownType) or kind == wanted:
        return True
    if isinstance(wanted, OptionalType):
        return isinstance(kind, NoneType) or fits(strip(kind), wanted.base)
    if isinstance(kind, OptionalType):
        return fits(kind.base, wanted)
    if isinstance(wanted, IntType):
        found = numeric(kind)
        return found is not None and found.halves == wanted.halves
    if isinstance(wanted, EnumType):
        return isinstance(kind, IntType) and not kind.halves and wanted.symbol.numbers is not None
    if isinstance(wanted, SetType):
        member = member_of(kind)
        return member is not None and fits(member, wanted.member)
    if isinstance(wanted, ListType):
        member = member_of(kind)
        return member is not None and fits(member, wanted.member)
    if isinstance(wanted, TallyType):
        if isinstance(kind, TallyType):
            return wanted.symbol is None or kind.symbol is wanted.symbol
        return isinstance(kind, EnumType)
    if isinstance(wanted, ZoneType):
        return isinstance(kind, ZoneType) and kind.symbol is wanted.symbol
    return False


@dataclass(frozen=True)
class OptionTupleType(Type):
    """In scenarios: an option of an action (None: of whatever decision is open)."""

    symbol: ActionSymbol | None

    def __str__(self) -> str:
        return "option"


@dataclass(frozen=True)
class LineType(Type):
    """In scenarios: a line of play, with the state at its end."""

    def __str__(self) -> str:
        return "line of play"
