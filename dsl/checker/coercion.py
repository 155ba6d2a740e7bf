"""Making a typed expression fit where it stands, and the messages when it does not."""

from __future__ import annotations

from regelwerk.dsl.checker.context import Context
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model.types import (
    BOOL,
    UNKNOWN,
    BoolType,
    EnumType,
    IntType,
    ListType,
    NoneType,
    OptionalType,
    PictureType,
    RecordType,
    RowType,
    SetType,
    TallyType,
    ThingType,
    Type,
    UnknownType,
    ZoneType,
    bound_of,
    doubled,
    fits,
    in_words,
    member_of,
    numeric,
    strip,
)
from regelwerk.dsl.source import Span

NONE_NUMBER = -(2**31)
"""How `none` is represented where a number is expected."""


def kind_words(kind: Type) -> str:
    """A type in words, for messages."""
    if isinstance(kind, BoolType):
        return "yes or no"
    if isinstance(kind, IntType):
        return "a number in halves" if kind.halves else "a number"
    if isinstance(kind, OptionalType):
        return f"{kind_words(kind.base)} or none"
    if isinstance(kind, EnumType | ThingType):
        return f"one of {kind.symbol.plural or kind.symbol.name}"
    if isinstance(kind, RowType):
        return f"a kind of {kind.symbol.name}"
    if isinstance(kind, RecordType):
        return f"one of {kind.symbol.plural or kind.symbol.name}"
    if isinstance(kind, SetType | ListType):
        return f"a {'set' if isinstance(kind, SetType) else 'list'} of {plural_words(kind.member)}"
    if isinstance(kind, TallyType):
        return "an amount" if kind.symbol is None else f"a tally of {kind.symbol.name}"
    if isinstance(kind, PictureType):
        return f"a picture of {kind.symbol.plural or kind.symbol.name}"
    if isinstance(kind, ZoneType):
        return f"a zone of {kind.symbol.plural or kind.symbol.name}"
    return f"{kind}" if not isinstance(kind, NoneType) else "none"


def plural_words(kind: Type) -> str:
    """A type in the plural."""
    if isinstance(kind, IntType):
        return "numbers in halves" if kind.halves else "numbers"
    if isinstance(kind, EnumType | ThingType | RowType | RecordType):
        return kind.symbol.plural or kind.symbol.name
    if isinstance(kind, OptionalType):
        return plural_words(kind.base)
    if isinstance(kind, PictureType):
        return "pictures"
    return f"{kind}s"


def none_of(kind: Type) -> int | tuple[int, ...]:
    """The run-time form of `none` (or of nothing) in a type."""
    kind = strip(kind)
    if isinstance(kind, IntType):
        return NONE_NUMBER
    if isinstance(kind, ListType):
        return ()
    return 0


def as_set(expr: x.Expr) -> x.Expr:
    """A collection as a set."""
    kind = expr.type
    if isinstance(kind, ZoneType):
        return x.Contents(SetType(ThingType(kind.symbol)), expr.span, expr)
    if isinstance(kind, ListType):
        return x.ToSet(SetType(kind.member), expr.span, expr)
    return expr


def as_list(expr: x.Expr) -> x.Expr:
    """A collection as a list."""
    kind = expr.type
    if isinstance(kind, ZoneType):
        member = ThingType(kind.symbol)
        return x.Contents(ListType(member, ((member,),)), expr.span, expr)
    if isinstance(kind, SetType):
        return x.ToList(ListType(kind.member, bound_of(kind)), expr.span, expr)
    return expr


def as_collection(expr: x.Expr) -> x.Expr:
    """A zone as its contents in their order, other collections as they are."""
    if isinstance(expr.type, ZoneType):
        return as_list(expr) if expr.type.ordered else as_set(expr)
    return expr


def coerce(c: Context, expr: x.Expr, wanted: Type, what: str = "this") -> x.Expr:
    """`expr` where a value of type `wanted` is needed; an error if it cannot be one."""
    kind = expr.type
    if isinstance(kind, UnknownType) or isinstance(wanted, UnknownType) or kind == wanted:
        return expr
    if isinstance(kind, NoneType) and isinstance(wanted, OptionalType):
        return x.Const(wanted, expr.span, none_of(wanted))
    if isinstance(strip(wanted), TallyType):
        goal = strip(wanted)
        assert isinstance(goal, TallyType)
        return to_tally(c, expr, goal, what)
    if isinstance(wanted, SetType) and not isinstance(kind, SetType) and member_of(kind) is not None:
        member = member_of(kind)
        if member is not None and fits(member, wanted.member):
            return as_set(expr)
    if isinstance(wanted, ListType) and not isinstance(kind, ListType) and member_of(kind) is not None:
        member = member_of(kind)
        if member is not None and fits(member, wanted.member):
            return as_list(expr)
    if isinstance(wanted, EnumType) and isinstance(kind, IntType) and wanted.symbol.numbers is not None:
        lowest, highest = wanted.symbol.numbers
        if isinstance(expr, x.Const) and isinstance(expr.value, int) and not lowest <= expr.value <= highest:
            c.error(
                "E0305", f"{expr.value} is not among the numbers {lowest}..{highest} of {wanted.symbol.name}", expr.span
            )
        return expr
    if isinstance(wanted, IntType) and (found := numeric(kind)) is not None and found.halves != wanted.halves:
        return coerce(c, in_halves(expr), wanted, what) if wanted.halves else whole(c, expr, what)
    if fits(kind, wanted):
        value = expr.value if isinstance(expr, x.Const) and isinstance(expr.value, int) else NONE_NUMBER
        if isinstance(wanted, IntType) and value != NONE_NUMBER and not wanted.lowest <= value <= wanted.highest:
            c.error("E0304", f"{in_words(value, wanted)} is outside {wanted}", expr.span, f"{what} takes {wanted}")
        return expr
    if isinstance(kind, RowType) and isinstance(strip(wanted), ThingType) and strip(wanted) == ThingType(kind.symbol):
        c.error(
            "E0306",
            f"there are several copies of this {kind.symbol.name}, and one of them is needed here",
            expr.span,
            "say which: for example `first(x in ... where x is NAME)`",
        )
        return c.unavailable(expr.span)
    c.error("E0301", f"{what} must be {kind_words(wanted)}, but this is {kind_words(kind)}", expr.span)
    return c.unavailable(expr.span)


def to_tally(c: Context, expr: x.Expr, wanted: TallyType, what: str = "this") -> x.Expr:
    """An expression as a tally: a bare member counts one; a tally of an enum may stand for an amount of units."""
    kind = expr.type
    if isinstance(kind, UnknownType):
        return expr
    if isinstance(kind, EnumType):
        if wanted.symbol is kind.symbol:
            return x.TallyOf(wanted, expr.span, [(expr, x.Const(IntType(1, 1), expr.span, 1))])
        if wanted.symbol is None and any(
            u.member is not None and getattr(u.symbol, "kinds", None) is kind.symbol for u in c.unit_list
        ):
            own = TallyType(kind.symbol)
            one = x.TallyOf(own, expr.span, [(expr, x.Const(IntType(1, 1), expr.span, 1))])
            return x.TallyWiden(wanted, expr.span, one)
    if isinstance(kind, TallyType):
        if kind == wanted:
            return expr
        if wanted.symbol is None:
            return x.TallyWiden(wanted, expr.span, expr)
    if isinstance(expr, x.SetOf) and not expr.items:
        return x.TallyOf(wanted, expr.span, [])
    if isinstance(expr, x.Const) and expr.value == 0 and isinstance(kind, SetType):
        return x.TallyOf(wanted, expr.span, [])
    c.error("E0301", f"{what} must be {kind_words(wanted)}, but this is {kind_words(kind)}", expr.span)
    return c.unavailable(expr.span)


def common_tally(c: Context, left: x.Expr, right: x.Expr) -> TallyType:
    """The tally in which two amounts are added or compared: of their common enum, or of all units."""
    symbols = {getattr(each.type, "symbol", None) for each in (left, right)}
    if len(symbols) == 1:
        return TallyType(next(iter(symbols)))
    return TallyType(None)


def number(c: Context, expr: x.Expr, what: str = "this", halves: bool = False) -> x.Expr:
    """`expr` where a number is needed: a whole one, or with `halves` any."""
    found = numeric(expr.type)
    if isinstance(expr.type, UnknownType) or (found is not None and (halves or not found.halves)):
        return expr
    if found is not None:
        return whole(c, expr, what)
    help_text = None
    member = member_of(expr.type)
    if member is not None and numeric(member) is not None:
        help_text = "say which of them, for example `.first` or `max(...)`, or how many there are: `.count`"
    elif member is not None:
        help_text = "say how many there are: `.count`"
    elif isinstance(strip(expr.type), TallyType):
        help_text = "say how many there are in all: `.total`"
    c.error("E0301", f"{what} must be a number, but this is {kind_words(expr.type)}", expr.span, help_text)
    return c.unavailable(expr.span)


def whole(c: Context, expr: x.Expr, what: str = "this") -> x.Expr:
    """Refuses a number in halves where a whole one is needed."""
    c.error(
        "E0371",
        f"{what} must be a whole number, but this is in halves",
        expr.span,
        "round it: `... div 1` is the whole number below it",
    )
    return c.unavailable(expr.span)


def in_halves(expr: x.Expr) -> x.Expr:
    """A number as one in halves."""
    found = numeric(expr.type)
    if found is None or found.halves:
        return expr
    if isinstance(expr, x.Const) and isinstance(expr.value, int):
        return x.Const(doubled(found), expr.span, 2 * expr.value)
    kind: Type = OptionalType(doubled(found)) if isinstance(expr.type, OptionalType) else doubled(found)
    return x.InHalves(kind, expr.span, expr)


def same_scale(*parts: x.Expr) -> list[x.Expr]:
    """Numbers that are added or compared: if one of them is in halves, all are."""
    found = [numeric(each.type) for each in parts]
    if not any(each is not None and each.halves for each in found):
        return list(parts)
    return [in_halves(each) for each in parts]


def condition(c: Context, expr: x.Expr, what: str = "a condition") -> x.Expr:
    """`expr` where yes or no is needed."""
    if isinstance(expr.type, UnknownType | BoolType) or strip(expr.type) == BOOL:
        return expr
    if isinstance(expr.type, NoneType):
        return expr
    help_text = "write `is not none`" if isinstance(expr.type, OptionalType) else None
    if member_of(expr.type) is not None:
        help_text = "write `is not empty`"
    elif isinstance(expr.type, IntType):
        help_text = "compare it, for example `> 0`"
    c.error("E0302", f"{what} must be yes or no, but this is {kind_words(expr.type)}", expr.span, help_text)
    return x.Unavailable(UNKNOWN, expr.span)


def constant(value: int, span: Span, halves: bool = False) -> x.Const:
    """A constant number; with `halves` the value is doubled already."""
    return x.Const(IntType(value, value, halves), span, value)
