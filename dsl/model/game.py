"""The checked game: every declaration resolved, with the roles of rules attached to what they aim at."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from regelwerk.dsl.model.expressions import Expr, Head, Template
from regelwerk.dsl.model.statements import Amount, Stmt
from regelwerk.dsl.model.types import HIGHEST, PLAYER, IntType, Type, doubled
from regelwerk.dsl.source import Source, Span

Visibility = Literal["all", "owner", "nobody", "count"]


@dataclass(eq=False, repr=False)
class Symbol:
    """A named declaration. `address` is its full name: `place.free`, `game.round`."""

    name: str
    span: Span
    citations: tuple[str, ...] = field(default=(), kw_only=True)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"

    @property
    def address(self) -> str:
        """The name others use."""
        return self.name


@dataclass(eq=False, repr=False)
class UnknownSymbol(Symbol):
    """A declaration that was refused: its name is known, so that its uses are not reported as well."""


@dataclass(eq=False, repr=False)
class Frame:
    """The local variables of a body; slot 0 is `me`."""

    types: list[Type] = field(default_factory=lambda: [PLAYER])
    names: list[str] = field(default_factory=lambda: ["me"])

    def new(self, name: str, kind: Type) -> int:
        """A new slot."""
        self.types.append(kind)
        self.names.append(name)
        return len(self.types) - 1


@dataclass(frozen=True)
class Words:
    """How one and several are printed."""

    one: str
    many: str


@dataclass(eq=False, repr=False)
class EnumSymbol(Symbol):
    """An enum. `numbers`: the range of numbers among its members; they stand for themselves, the names follow after
    them."""

    words: Words
    plural: str | None
    members: list[tuple[str, str | None, Words, Span]] = field(default_factory=list)
    numbers: tuple[int, int] | None = None

    def index(self, name: str) -> int | None:
        """The run-time value of a member, by either number of its name."""
        for position, (one, many, _, _) in enumerate(self.members):
            if name in (one, many):
                return position + 1 + (self.numbers[1] if self.numbers else 0)
        return None

    @property
    def highest(self) -> int:
        """The greatest run-time value of a member."""
        return len(self.members) + (self.numbers[1] if self.numbers else 0)

    @property
    def lowest(self) -> int:
        """The least run-time value of a member."""
        return self.numbers[0] if self.numbers else 1


@dataclass(eq=False, repr=False)
class CellBody:
    """The effect in a cell, with its frame; the column's parameters follow `me`."""

    frame: Frame
    body: Stmt
    can: Expr | None
    span: Span


@dataclass(eq=False, repr=False)
class ColumnSymbol(Symbol):
    """A column. `cells` holds, for each row, an `Expr` (constants), a `(Frame, Expr)` pair (tests), a `CellBody` or
    None. Computed rows have no cells of their own: all use `shared`."""

    entity: EntitySymbol = field(kw_only=True)
    type: Type = field(kw_only=True)
    kind: Literal["value", "test", "effect", "text"] = "value"
    parameters: list[tuple[str, Type]] = field(default_factory=list)
    cells: list[Expr | tuple[Frame, Expr] | CellBody | None] = field(default_factory=list)
    shared: tuple[Frame, Expr] | None = None
    roles: list[Role] = field(default_factory=list)

    @property
    def address(self) -> str:
        """`Type.column`."""
        return f"{self.entity.name}.{self.name}"


@dataclass(eq=False, repr=False)
class RowSymbol(Symbol):
    """A row. `copies` and `per_player` multiply it; `several` is known before the copies are counted."""

    entity: EntitySymbol = field(kw_only=True)
    printed: str = ""
    index: int = 0
    copies: Expr | None = None
    per_player: bool = False
    several: bool = False
    grid: tuple[int, int, int] | None = None

    @property
    def single(self) -> bool:
        """Whether there is exactly one copy in every game."""
        return not self.several and not self.per_player

    @property
    def address(self) -> str:
        """`Type.row`."""
        return f"{self.entity.name}.{self.name}"


ROWS = 1024
"""The most rows of a table (language, section 16)."""


@dataclass(eq=False, repr=False)
class ComputedRows:
    """`distinct (x: e, ...) for H order k`: every different tuple of `fields` is a row, sorted by `order`.

    The rows follow from the configuration of a game, so they are found when a game is laid out. `slots`: where `order`
    reads the fields. `most`: how many rows there are at most, as far as that is known before.
    """

    span: Span
    frame: Frame = field(default_factory=Frame)
    head: Head | None = None
    fields: list[tuple[ColumnSymbol, Expr]] = field(default_factory=list)
    slots: list[int] = field(default_factory=list)
    order: Expr | None = None
    copies: Expr | None = None
    per_player: bool = False
    most: int = ROWS


@dataclass(eq=False, repr=False)
class EntitySymbol(Symbol):
    """A table of things. `owner_type`: what rows are multiplied by that are `per player`, or per something else.
    `marks`: of each drawn column the mark of every row in the drawing."""

    kind: Literal["cards", "tiles", "pieces", "dice", "fields", "table"]
    words: Words
    plural: str | None
    columns: dict[str, ColumnSymbol] = field(default_factory=dict)
    rows: list[RowSymbol] = field(default_factory=list)
    faces: tuple[int, int] | None = None
    live_in: ZoneSymbol | None = None
    live_refused: bool = False
    computed: ComputedRows | None = None
    marks: dict[str, list[str]] = field(default_factory=dict)
    owner_type: Type = PLAYER
    library: str | None = None

    @property
    def per_player(self) -> bool:
        """Whether any of its things belong to players."""
        return any(row.per_player for row in self.rows) or (self.computed is not None and self.computed.per_player)

    @property
    def most_rows(self) -> int:
        """How many rows there are at most."""
        return self.computed.most if self.computed is not None else len(self.rows)

    @property
    def movable(self) -> bool:
        """Whether its things can lie in zones."""
        return self.kind not in ("fields", "table")


@dataclass(eq=False, repr=False)
class RecordSymbol(Symbol):
    """A named space of choices, and the type of what is chosen."""

    words: Words
    plural: str | None
    fields: list[tuple[str, Type]] = field(default_factory=list)


@dataclass(eq=False, repr=False)
class InterfaceEntry:
    """One value that an interface asks of `entity`; `parameters` are those behind the thing. `users`: the declarations
    that ask it."""

    name: str
    span: Span
    entity: EntitySymbol
    parameters: list[tuple[str, Type]]
    type: Type
    users: dict[str, None] = field(default_factory=dict)


@dataclass(eq=False, repr=False)
class InterfaceSymbol(Symbol):
    """What the rules may ask of some types."""

    entities: list[EntitySymbol] = field(default_factory=list)
    entries: list[InterfaceEntry] = field(default_factory=list)

    def entry(self, entity: EntitySymbol, name: str) -> InterfaceEntry | None:
        """The entry of a type by name."""
        return next((each for each in self.entries if each.entity is entity and each.name == name), None)


@dataclass(eq=False, repr=False)
class ConstantSymbol(Symbol):
    """A constant; `value` may read options and the number of players."""

    type: Type
    value: Expr | None = None
    roles: list[Role] = field(default_factory=list)


@dataclass(eq=False, repr=False)
class OptionSymbol(Symbol):
    """A parameter of the game; `default` None: nature chooses if nobody does."""

    type: Type
    default: Expr | None
    question: str | None


@dataclass(eq=False, repr=False)
class ResourceSymbol(Symbol):
    """Counted goods; with `kinds` one counter for each member of that enum."""

    words: Words
    plural: str | None
    kinds: EnumSymbol | None
    supply: Expr | None
    start: Expr | None
    held_by: list[EntitySymbol]
    seen_by: Visibility


@dataclass(eq=False, repr=False)
class TrackSymbol(Symbol):
    """A bounded number of every player. In `halves` its bounds are doubled."""

    words: Words
    plural: str | None
    lowest: int
    highest: int
    start: Expr | None
    overflow: Literal["lost", "forbidden", "block"] | None
    overflow_body: Stmt | None = None
    overflow_frame: Frame = field(default_factory=Frame)
    halves: bool = False

    @property
    def type(self) -> IntType:
        """What a place on it is."""
        return IntType(self.lowest, self.highest, self.halves)


@dataclass(frozen=True)
class Picture:
    """A drawing of members of an enum, row by row; 0 is a square that is not there."""

    symbol: EnumSymbol
    width: int
    height: int
    cells: tuple[int, ...]

    def turned(self) -> Picture:
        """The picture after a quarter turn clockwise."""
        squares = tuple(
            self.cells[(self.height - 1 - column) * self.width + row]
            for row in range(self.width)
            for column in range(self.height)
        )
        return Picture(self.symbol, self.height, self.width, squares)


@dataclass(frozen=True)
class Unit:
    """What amounts are counted in: one kind of a resource, or a track."""

    symbol: ResourceSymbol | TrackSymbol
    member: int | None = None

    @property
    def type(self) -> IntType:
        """What a count of it is."""
        halves = isinstance(self.symbol, TrackSymbol) and self.symbol.halves
        return doubled(IntType(0, HIGHEST)) if halves else IntType(0, HIGHEST)

    @property
    def words(self) -> Words:
        """How one and several are printed."""
        if self.member is not None and isinstance(self.symbol, ResourceSymbol) and self.symbol.kinds is not None:
            return self.symbol.kinds.members[self.member - 1][2]
        return self.symbol.words


@dataclass(eq=False, repr=False)
class StateSymbol(Symbol):
    """A stored variable. `key` is the type it is per, or None; `start` may read the key in `frame`'s slot 1."""

    key: Type | None
    type: Type
    seen_by: Visibility
    resets: str | None
    frame: Frame = field(default_factory=Frame)
    start: Expr | None = None


@dataclass(eq=False, repr=False)
class ZoneSymbol(Symbol):
    """A place. `contents` may read the key in `frame`'s slot 0 (a player) or 1 (`self`)."""

    entity: EntitySymbol
    key: Type | None
    order: Literal["pile", "row"] | None
    seen_by: Visibility
    top_visible: bool
    printed: str | None
    capacity: Expr | None = None
    frame: Frame = field(default_factory=Frame)
    contents: Expr | None = None

    @property
    def words(self) -> str:
        """How it is printed."""
        return self.printed or self.name.replace("_", " ")


@dataclass(eq=False, repr=False)
class ValueSymbol(Symbol):
    """A derived value. Its frame holds `me` (slot 0, if it has that parameter) and the parameters in `slots`."""

    parameters: list[tuple[str, Type]] = field(default_factory=list)
    takes_me: bool = False
    slots: list[int] = field(default_factory=list)
    defaults: list[Expr | None] = field(default_factory=list)
    type: Type | None = None
    frame: Frame = field(default_factory=Frame)
    body: Expr | None = None
    roles: list[Role] = field(default_factory=list)
    library: str | None = None
    shrinking: int | None = None

    @property
    def recursive(self) -> bool:
        """Whether it may call itself: each time with less for the parameter number `shrinking`."""
        return self.shrinking is not None


@dataclass(eq=False, repr=False)
class RequireSymbol(Symbol):
    """A requirement of an action or an effect."""

    owner: str
    condition: Expr
    otherwise: Template | None
    roles: list[Role] = field(default_factory=list)

    @property
    def address(self) -> str:
        """`action.clause`."""
        return f"{self.owner}.{self.name}"


@dataclass(eq=False, repr=False)
class CostSymbol(Symbol):
    """A cost of an action."""

    owner: str
    amount: Amount
    condition: Expr | None
    printed: Template | None
    roles: list[Role] = field(default_factory=list)

    @property
    def address(self) -> str:
        """`action.clause`."""
        return f"{self.owner}.{self.name}"


@dataclass(eq=False, repr=False)
class HistoryQuestion:
    """Something asked about the past. `keys`: which parameters of the event are told apart, with their types.

    scope: a phase, "turn", "action", or None for `latest`. One cell for each actor and combination of keys.
    """

    event: Symbol | str
    keys: list[tuple[int, Type]]
    scope: PhaseSymbol | Literal["turn", "action"] | None
    counted: bool
    any_actor: bool
    number: int = 0


@dataclass(eq=False, repr=False)
class Limit:
    """`at most n per PHASE`: a requirement with a hidden counter."""

    at_most: Expr
    question: HistoryQuestion


@dataclass(eq=False, repr=False)
class ActionSymbol(Symbol):
    """What a player may do. `clauses` holds requirements, costs and `let`s (slot, value) in order."""

    prompt: Template | None = None
    frame: Frame = field(default_factory=Frame)
    head: Head | None = None
    parameters: list[tuple[str, Type, int]] = field(default_factory=list)
    clauses: list[RequireSymbol | CostSymbol | tuple[int, Expr]] = field(default_factory=list)
    limit: Limit | None = None
    body: Stmt | None = None
    roles: list[Role] = field(default_factory=list)
    questions: list[HistoryQuestion] = field(default_factory=list)


@dataclass(eq=False, repr=False)
class EffectSymbol(Symbol):
    """A named effect. Requirements come first; if one fails nothing happens."""

    parameters: list[tuple[str, Type]] = field(default_factory=list)
    slots: list[int] = field(default_factory=list)
    defaults: list[Expr | None] = field(default_factory=list)
    frame: Frame = field(default_factory=Frame)
    requirements: list[RequireSymbol] = field(default_factory=list)
    body: Stmt | None = None
    can: Expr | None = None
    neutral: bool = False
    roles: list[Role] = field(default_factory=list)
    questions: list[HistoryQuestion] = field(default_factory=list)


@dataclass(eq=False, repr=False)
class StepSymbol(Symbol):
    """A step of a phase or effect, as a target of rules and of scenarios."""

    path: str
    roles: list[Role] = field(default_factory=list)
    frame: Frame = field(default_factory=Frame)
    body: Stmt | None = None

    @property
    def address(self) -> str:
        """The full path."""
        return self.path


@dataclass(eq=False, repr=False)
class TurnsDriver:
    """`turns`: `first` None means `following` says who is next, until none. `outside_slot` keeps who acts around it."""

    first: Expr | None
    following: Expr | None
    condition: Expr | None
    skip: Expr | None
    me_slot: int
    start_slot: int
    count_slot: int
    outside_slot: int


@dataclass(eq=False, repr=False)
class LoopDriver:
    """`loop until c`."""

    until: Expr | None


@dataclass(eq=False, repr=False)
class ForDriver:
    """`for x in S acting e`: the tuples are collected once into `list_slot`.

    `outside_slot` keeps who acts around it.
    """

    slot: int
    source: Expr
    acting: Expr | None
    takes_turn: bool
    me_slot: int
    list_slot: int
    index_slot: int
    outside_slot: int


@dataclass(eq=False, repr=False)
class TogetherDriver:
    """`together S`: everybody decides on the state at the start, unseen; then the actions happen in seat order."""

    players: Expr


@dataclass(eq=False, repr=False)
class WhenDriver:
    """`when c`."""

    condition: Expr


Driver = TurnsDriver | LoopDriver | ForDriver | WhenDriver | TogetherDriver


@dataclass(eq=False, repr=False)
class PhaseSymbol(Symbol):
    """A phase. `items` run in order under the drivers, outermost first. `inherited`: the enclosing binders it can read.

    Its frame holds `me` (slot 0), then the inherited binders, then its own variables.
    """

    path: str = ""
    printed: str | None = None
    parent: PhaseSymbol | None = None
    frame: Frame = field(default_factory=Frame)
    inherited: list[tuple[str, Type, int]] = field(default_factory=list)
    drivers: list[Driver] = field(default_factory=list)
    items: list[Stmt] = field(default_factory=list)
    phases: list[PhaseSymbol] = field(default_factory=list)
    roles: list[Role] = field(default_factory=list)
    questions: list[HistoryQuestion] = field(default_factory=list)

    @property
    def address(self) -> str:
        """The full path."""
        return self.path


@dataclass(eq=False, repr=False)
class VerbSymbol(Symbol):
    """A built-in verb that rules may react to: gain, lose, move, draw, roll."""

    parameters: list[str] = field(default_factory=list)
    roles: list[Role] = field(default_factory=list)
    questions: list[HistoryQuestion] = field(default_factory=list)


@dataclass(eq=False, repr=False)
class Role:
    """One rule aimed at one target.

    kind         before, after, instead; becomes, plus, minus, at_least, at_most, also; forbid, waive
    frame        `me` in slot 0, then the parameters it mentions
    bindings     (slot, index of the target's parameter)
    about        what a rule on a built-in event looks at: a type of things, or the tally of what is gained or lost
    column, row  for a rule in a cell: it holds while a copy of the row lies in the type's `live in` zone
    unordered    with `triggers owner_chooses`: the rules on the same event whose order with this one the owner chooses
    """

    kind: Literal[
        "before", "after", "instead", "becomes", "plus", "minus", "at_least", "at_most", "also", "forbid", "waive"
    ]
    name: str
    span: Span
    frame: Frame
    bindings: list[tuple[int, int]]
    guards: list[Expr]
    by_anyone: bool
    row: RowSymbol | None = None
    value: Expr | None = None
    amount: Amount | None = None
    body: Stmt | None = None
    reason: Template | None = None
    citations: tuple[str, ...] = ()
    unordered: set[Role] = field(default_factory=set)
    about: Type | None = None


@dataclass(eq=False, repr=False)
class ScoreLine(Symbol):
    """One line of a score, for `me`."""

    printed: str
    frame: Frame
    value: Expr | None = None


@dataclass(eq=False, repr=False)
class ScoreSymbol(Symbol):
    """Named lines that add up for each player. With `halves` all of them are in halves."""

    printed: str
    lines: list[ScoreLine] = field(default_factory=list)
    halves: bool = False


@dataclass(eq=False, repr=False)
class AwardSymbol(Symbol):
    """An award to the sole leader in `measure`, kept while among the leaders. `frame`: slot 1 the player, slot 2 the
    key."""

    printed: str
    key: Type | None
    frame: Frame = field(default_factory=Frame)
    measure: Expr | None = None
    at_least: Expr | None = None


@dataclass(eq=False, repr=False)
class EndSymbol(Symbol):
    """A way the game ends."""

    at_once: bool
    after: PhaseSymbol | None
    frame: Frame = field(default_factory=Frame)
    condition: Expr | None = None
    won_by: Expr | None = None
    ranked_by: RankSymbol | None = None
    body: Stmt | None = None


@dataclass(eq=False, repr=False)
class RankSymbol(Symbol):
    """How players are ordered: keys for `me`, (expression, lowest first, printed)."""

    frame: Frame = field(default_factory=Frame)
    keys: list[tuple[Expr, bool, str]] = field(default_factory=list)
    shared: bool = False


@dataclass(eq=False, repr=False)
class InvariantSymbol(Symbol):
    """What always holds."""

    frame: Frame = field(default_factory=Frame)
    condition: Expr | None = None


@dataclass(eq=False, repr=False)
class CheckedGame:
    """Everything the interpreter needs; complete and free of errors.

    units: all units of the game in order. `phases`: the top-level phases in order. `uses_chance_option`: options
    that nature may choose. `pictures`: all pictures and their turns, the first has number 1. `source_hash`: of the
    text of all files.
    """

    name: str
    title: str
    players: tuple[int, int]
    seats: tuple[str, ...]
    cap: tuple[Expr, PhaseSymbol | str] | None
    entities: list[EntitySymbol]
    constants: list[ConstantSymbol]
    options: list[OptionSymbol]
    resources: list[ResourceSymbol]
    tracks: list[TrackSymbol]
    states: list[StateSymbol]
    zones: list[ZoneSymbol]
    values: list[ValueSymbol]
    effects: list[EffectSymbol]
    actions: list[ActionSymbol]
    phases: list[PhaseSymbol]
    scores: list[ScoreSymbol]
    awards: list[AwardSymbol]
    ends: list[EndSymbol]
    ranks: list[RankSymbol]
    invariants: list[InvariantSymbol]
    roles: list[Role]
    verbs: dict[str, VerbSymbol]
    questions: list[HistoryQuestion]
    units: list[Unit]
    remarks: list[tuple[str, tuple[str, ...]]]
    rulebooks: list[tuple[str, tuple[str, ...]]]
    pictures: list[Picture]
    sources: dict[str, Source]
    source_hash: str
    symbols: dict[str, Symbol]
