"""Typed expressions: names are resolved, every node knows its type.

`slot` numbers a local variable of the enclosing frame (an effect, an action, a value, a phase ...). Slot 0 of every
frame is
`me`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from regelwerk.dsl.model.types import Type
from regelwerk.dsl.source import Span

if TYPE_CHECKING:
    from regelwerk.dsl.model import game, statements


@dataclass(eq=False, slots=True)
class Expr:
    """Base of typed expressions."""

    type: Type
    span: Span


@dataclass(eq=False, slots=True)
class Const(Expr):
    """A constant in its run-time form."""

    value: int | tuple[int, ...]


@dataclass(eq=False, slots=True)
class Local(Expr):
    """A local variable."""

    slot: int


@dataclass(eq=False, slots=True)
class Active(Expr):
    """The player on turn."""


@dataclass(eq=False, slots=True)
class Bank(Expr):
    """The supply side of every resource."""


@dataclass(eq=False, slots=True)
class AllPlayers(Expr):
    """All players, as a set (in seat order)."""


@dataclass(eq=False, slots=True)
class AllThings(Expr):
    """All members of a type of things."""

    symbol: game.EntitySymbol


@dataclass(eq=False, slots=True)
class RowConst(Expr):
    """A row by name: its only copy, or with several copies the row itself."""

    symbol: game.EntitySymbol
    row: int


@dataclass(eq=False, slots=True)
class OptionRead(Expr):
    """The value of an option of the game."""

    symbol: game.OptionSymbol


@dataclass(eq=False, slots=True)
class ConstantRead(Expr):
    """A constant; `me` asks where rules modify it."""

    symbol: game.ConstantSymbol
    me: Expr


@dataclass(eq=False, slots=True)
class StateRead(Expr):
    """A stored variable, of `key` if it is per something."""

    symbol: game.StateSymbol
    key: Expr | None


@dataclass(eq=False, slots=True)
class TrackRead(Expr):
    """A player's place on a track."""

    symbol: game.TrackSymbol
    player: Expr


@dataclass(eq=False, slots=True)
class ResourceRead(Expr):
    """How much of a resource `holder` has (a player, a thing or `Bank`); `unit` picks one kind, None gives a tally if
    there are kinds."""

    symbol: game.ResourceSymbol
    holder: Expr
    unit: Expr | None


@dataclass(eq=False, slots=True)
class FaceRead(Expr):
    """What a die shows."""

    die: Expr


@dataclass(eq=False, slots=True)
class ColumnRead(Expr):
    """A cell of a table of constants."""

    column: game.ColumnSymbol
    thing: Expr
    me: Expr


@dataclass(eq=False, slots=True)
class CellTest(Expr):
    """A cell of a column of tests, asked for `me`."""

    column: game.ColumnSymbol
    thing: Expr
    me: Expr


@dataclass(eq=False, slots=True)
class ThingAttribute(Expr):
    """A built-in attribute of a thing: its rank, owner, holder, place in an ordered zone, row, name, row or column
    on the board."""

    attribute: Literal["pos", "owner", "holder", "place", "row_of", "name", "grid_row", "grid_column", "half"]
    thing: Expr


@dataclass(eq=False, slots=True)
class ZoneRef(Expr):
    """A zone, of `key` if it is per something."""

    symbol: game.ZoneSymbol
    key: Expr | None


@dataclass(eq=False, slots=True)
class Contents(Expr):
    """What lies in a zone: a set, or with a list type in the order of the zone."""

    zone: Expr


@dataclass(eq=False, slots=True)
class ZoneCount(Expr):
    """How many things lie in a zone."""

    zone: Expr


@dataclass(eq=False, slots=True)
class ZoneEnd(Expr):
    """The first, last, top or bottom thing of a zone, or the one at place `place`; none if there is none."""

    zone: Expr
    end: Literal["first", "last", "at"]
    place: Expr | None = None


@dataclass(eq=False, slots=True)
class ZoneTop(Expr):
    """The top `count` things of an ordered zone, from the top down; fewer if there are not so many."""

    zone: Expr
    count: Expr


@dataclass(eq=False, slots=True)
class Arithmetic(Expr):
    """Whole-number arithmetic; `div` and `mod` round towards minus infinity. `min` and `max` leave out none."""

    operator: Literal["+", "-", "*", "div", "mod", "min", "max"]
    left: Expr
    right: Expr


@dataclass(eq=False, slots=True)
class Negative(Expr):
    """The negative of a number."""

    operand: Expr


@dataclass(eq=False, slots=True)
class Absolute(Expr):
    """The absolute value of a number."""

    operand: Expr


@dataclass(eq=False, slots=True)
class InHalves(Expr):
    """A whole number as one in halves: doubled. None stays none."""

    operand: Expr


@dataclass(eq=False, slots=True)
class Ordered(Expr):
    """A comparison of numbers."""

    operator: Literal["<", "<=", ">", ">="]
    left: Expr
    right: Expr


@dataclass(eq=False, slots=True)
class Equal(Expr):
    """Equality of values of one representation."""

    left: Expr
    right: Expr


@dataclass(eq=False, slots=True)
class Both(Expr):
    """`and`: the right side is asked only if the left holds."""

    left: Expr
    right: Expr


@dataclass(eq=False, slots=True)
class AnyOf(Expr):
    """`or`: the right side is asked only if the left does not hold."""

    left: Expr
    right: Expr


@dataclass(eq=False, slots=True)
class Negation(Expr):
    """`not`."""

    operand: Expr


@dataclass(eq=False, slots=True)
class Select(Expr):
    """`if condition then consequence else alternative`."""

    condition: Expr
    consequence: Expr
    alternative: Expr


@dataclass(eq=False, slots=True)
class Switch(Expr):
    """`by subject { ... }`: the first case one of whose keys (or ranges of keys) is met."""

    subject: Expr
    cases: list[tuple[Expr | tuple[Expr, Expr], Expr]]
    default: Expr | None


@dataclass(eq=False, slots=True)
class Contains(Expr):
    """Membership in a set."""

    item: Expr
    collection: Expr


@dataclass(eq=False, slots=True)
class Between(Expr):
    """Membership in a range of numbers."""

    item: Expr
    lowest: Expr
    highest: Expr


@dataclass(eq=False, slots=True)
class Interval(Expr):
    """The set of the numbers `lowest..highest`."""

    lowest: Expr
    highest: Expr


@dataclass(eq=False, slots=True)
class SetOf(Expr):
    """A set by its members; none is left out."""

    items: list[Expr]


@dataclass(eq=False, slots=True)
class ListOf(Expr):
    """A list by its items."""

    items: list[Expr]


@dataclass(eq=False, slots=True)
class Union(Expr):
    """The union of two sets, or the concatenation of two lists."""

    left: Expr
    right: Expr


@dataclass(eq=False, slots=True)
class Difference(Expr):
    """The members of `left` that are not in `right`."""

    left: Expr
    right: Expr


@dataclass(eq=False, slots=True)
class Filter(Expr):
    """The members for which `condition` holds, each in turn in `slot`."""

    collection: Expr
    slot: int
    condition: Expr


@dataclass(eq=False, slots=True)
class Map(Expr):
    """`value` for each member, each in turn in `slot`; a list. `optional`: none is left out. `flat`: members of sets
    are strung together."""

    collection: Expr
    slot: int
    value: Expr
    optional: bool
    flat: bool = False


@dataclass(eq=False, slots=True)
class ToSet(Expr):
    """A list as a set."""

    collection: Expr


@dataclass(eq=False, slots=True)
class ToList(Expr):
    """A set as a list, in the order of declaration."""

    collection: Expr


@dataclass(eq=False, slots=True)
class Sorted(Expr):
    """A list in ascending order, where its own order means nothing."""

    collection: Expr


@dataclass(eq=False, slots=True)
class Count(Expr):
    """The number of members."""

    collection: Expr


@dataclass(eq=False, slots=True)
class Pick(Expr):
    """The first or last member, or the one at `place` (1-based); none if there is none."""

    collection: Expr
    end: Literal["first", "last", "at"]
    place: Expr | None = None


@dataclass(eq=False, slots=True)
class Total(Expr):
    """The sum of a list of numbers or tallies, or its least or greatest member (none of nothing)."""

    function: Literal["sum", "min", "max"]
    collection: Expr


@dataclass(eq=False, slots=True)
class TallyOf(Expr):
    """A tally from parts: (unit index or an expression for it, count)."""

    parts: list[tuple[int | Expr, Expr]]


@dataclass(eq=False, slots=True)
class TallyArithmetic(Expr):
    """`+` or `except` (not below 0) of tallies."""

    operator: Literal["+", "except"]
    left: Expr
    right: Expr


@dataclass(eq=False, slots=True)
class TallyScaled(Expr):
    """`n * tally`."""

    factor: Expr
    tally: Expr


@dataclass(eq=False, slots=True)
class TallyCount(Expr):
    """How many of one unit a tally holds."""

    tally: Expr
    unit: Expr


@dataclass(eq=False, slots=True)
class TallyTotal(Expr):
    """How many of everything."""

    tally: Expr


@dataclass(eq=False, slots=True)
class TallyCompare(Expr):
    """`>=` or `<=`: every counter."""

    operator: Literal[">=", "<="]
    left: Expr
    right: Expr


@dataclass(eq=False, slots=True)
class TallyKinds(Expr):
    """The kinds of which a tally holds any: a set, or with a list type each as often as it is held."""

    tally: Expr


@dataclass(eq=False, slots=True)
class TallyWiden(Expr):
    """A tally of one enum as a tally over all units of the game."""

    tally: Expr


@dataclass(eq=False, slots=True)
class RecordOf(Expr):
    """A record by its fields."""

    symbol: game.RecordSymbol
    fields: list[Expr]


@dataclass(eq=False, slots=True)
class RecordField(Expr):
    """A field of a record; of none it is none, or nothing."""

    record: Expr
    index: int


@dataclass(eq=False, slots=True)
class PictureSize(Expr):
    """How wide or high a picture is, or how many squares it has."""

    attribute: Literal["width", "height", "count"]
    picture: Expr


@dataclass(eq=False, slots=True)
class PictureAt(Expr):
    """The square of a picture in a column and row, both from 0; none outside and where there is none."""

    picture: Expr
    column: Expr
    row: Expr


@dataclass(eq=False, slots=True)
class PictureTurned(Expr):
    """A picture after so many quarter turns clockwise."""

    picture: Expr
    turns: Expr


@dataclass(eq=False, slots=True)
class Call(Expr):
    """A value with its arguments (`me` first if it has that parameter)."""

    symbol: game.ValueSymbol
    arguments: list[Expr]


@dataclass(eq=False, slots=True)
class ScoreRead(Expr):
    """A player's score, or one line of it."""

    symbol: game.ScoreSymbol
    line: int | None
    player: Expr


@dataclass(eq=False, slots=True)
class AwardHolder(Expr):
    """Who holds an award, or none."""

    symbol: game.AwardSymbol
    key: Expr | None


@dataclass(eq=False, slots=True)
class HistoryRead(Expr):
    """Whether, how often or (scope None) when last something happened."""

    question: game.HistoryQuestion
    actor: Expr
    arguments: list[Expr]


@dataclass(eq=False, slots=True)
class Present(Expr):
    """A value that must not be none: fault `none` if it is."""

    value: Expr
    what: str


@dataclass(eq=False, slots=True)
class Unavailable(Expr):
    """Stands where something wrong was already reported."""


@dataclass(eq=False, slots=True)
class Binder:
    """One binder of a head.

    form           `one` element; `some`: a set of `lowest..highest` elements; `times`: as many of them, each as often
                   as wanted, as a tally; `part`: a part of a tally
    slot, it_slot  where the pick, and while elements are tested the candidate, is kept (equal for one element)
    most           as many as any sequence of picks reaches, up to `highest`
    chosen_slot    where the condition finds the picks so far, if it reads them
    inner          it belongs to a record that a later binder chooses, and nothing else sees it
    fields         for a binder that chooses a record: the slots of its fields; `requirements` of the record, and the
                   binder's `own` condition (`condition` is all of them)
    """

    name: str
    form: Literal["one", "some", "times", "part"]
    type: Type
    slot: int
    it_slot: int
    source: Expr
    lowest: Expr | None
    highest: Expr | None
    condition: Expr | None
    key: Expr | None
    highest_first: bool
    span: Span
    most: bool = False
    chosen_slot: int | None = None
    otherwise: Template | None = None
    inner: bool = False
    fields: list[int] = field(default_factory=list)
    requirements: list[game.RequireSymbol] = field(default_factory=list)
    own: Expr | None = None

    def plain(self, type: Type | None = None, slot: int | None = None) -> Binder:
        """Its source alone: one element at a time, under no condition and in no order."""
        of, pick, it = type or self.type, self.slot if slot is None else slot, self.it_slot if slot is None else slot
        return Binder(self.name, "one", of, pick, it, self.source, None, None, None, None, False, self.span)


@dataclass(eq=False, slots=True)
class Head:
    """The binders of a choice, a loop or a quantifier, outermost first."""

    binders: list[Binder]

    @property
    def visible(self) -> list[Binder]:
        """The binders that were written: a record is one of them, not its fields."""
        return [each for each in self.binders if not each.inner]


@dataclass(eq=False, slots=True)
class Quantified(Expr):
    """A quantifier over a head. `min`, `max` and `first` of nothing are none; none among the values is left out."""

    quantifier: Literal["some", "every", "count", "first", "list", "sum", "min", "max"]
    head: Head
    value: Expr | None


@dataclass(eq=False, slots=True)
class Template:
    """A text with holes: literal strings and expressions, printed by their types."""

    parts: list[str | Expr] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class LetIn(Expr):
    """`value` in `slot`, then `body`."""

    slot: int
    value: Expr
    body: Expr


@dataclass(eq=False, slots=True)
class CanPay(Expr):
    """Whether `me` has all of an amount; with `some`, whether there is any of it."""

    me: Expr
    amount: statements.Amount
    some: bool = False


@dataclass(eq=False, slots=True)
class CanDo(Expr):
    """Whether a named effect can begin."""

    me: Expr
    symbol: game.EffectSymbol
    arguments: list[Expr]


@dataclass(eq=False, slots=True)
class CanCell(Expr):
    """Whether the effect in a cell can begin. `rows`: those that the thing can be of."""

    me: Expr
    column: game.ColumnSymbol
    thing: Expr
    arguments: list[Expr]
    rows: list[int]


@dataclass(eq=False, slots=True)
class CanOffer(Expr):
    """Whether one of the actions has an option."""

    me: Expr
    actions: list[game.ActionSymbol]


@dataclass(eq=False, slots=True)
class HasRoom(Expr):
    """Whether a zone is below its capacity."""

    zone: Expr


@dataclass(eq=False, slots=True)
class Hoisted(Expr):
    """A part of a condition that does not change while a loop runs: computed at most once per loop, kept in `slot`."""

    slot: int
    value: Expr


@dataclass(eq=False, slots=True)
class Probe(Expr):
    """A part of which is noted that it was asked, with `answers` also whether it came out as yes or no. There are none
    but where what runs is counted."""

    value: Expr
    number: int
    answers: bool
