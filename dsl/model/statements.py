"""Typed statements: what happens, resolved. `me` is an expression wherever somebody acts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from regelwerk.dsl.model.expressions import Binder, Expr, Head, Template
from regelwerk.dsl.source import Span

if TYPE_CHECKING:
    from regelwerk.dsl.model import game


@dataclass(eq=False, slots=True)
class Stmt:
    """Base of typed statements."""

    span: Span


@dataclass(eq=False, slots=True)
class Amount:
    """An amount of goods: parts of a unit each (a unit, or a resource with an expression for the kind), and a tally
    of more."""

    parts: list[tuple[game.Unit | tuple[game.ResourceSymbol, Expr], Expr]] = field(default_factory=list)
    tallies: list[Expr] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class Gain(Stmt):
    """`me` gains as much as the bank has."""

    me: Expr
    amount: Amount
    reason: Template | None


@dataclass(eq=False, slots=True)
class Lose(Stmt):
    """`me` loses as much as there is."""

    me: Expr
    amount: Amount
    reason: Template | None


@dataclass(eq=False, slots=True)
class Pay(Stmt):
    """`me` pays all of it, else fault `unpaid`."""

    me: Expr
    amount: Amount


@dataclass(eq=False, slots=True)
class Transfer(Stmt):
    """As much as there is goes from `giver` to `receiver` (players, or the bank)."""

    giver: Expr
    receiver: Expr
    amount: Amount


@dataclass(eq=False, slots=True)
class Move(Stmt):
    """A thing, or the things of a set or list, go to a zone; of none: nothing."""

    me: Expr
    things: Expr
    zone: Expr
    at_bottom: bool


@dataclass(eq=False, slots=True)
class Draw(Stmt):
    """Things from the top of a pile go to a zone, one by one, as far as there are any."""

    me: Expr
    amount: Expr
    source: Expr
    zone: Expr


@dataclass(eq=False, slots=True)
class Shuffle(Stmt):
    """The order of a pile is forgotten; with `into`, the things of `zone` first go there."""

    zone: Expr
    into: Expr | None


@dataclass(eq=False, slots=True)
class Reveal(Stmt):
    """The players of the set `viewers` are shown things."""

    things: Expr
    viewers: Expr


@dataclass(eq=False, slots=True)
class ShuffleState(Stmt):
    """The values of a state over a set of its keys are permuted."""

    symbol: game.StateSymbol
    keys: Expr


@dataclass(eq=False, slots=True)
class Roll(Stmt):
    """Dice get new faces."""

    me: Expr
    dice: Expr


@dataclass(eq=False, slots=True)
class SetState(Stmt):
    """A variable gets a value."""

    symbol: game.StateSymbol
    key: Expr | None
    value: Expr


@dataclass(eq=False, slots=True)
class SetTrack(Stmt):
    """A track gets a value."""

    symbol: game.TrackSymbol
    player: Expr
    value: Expr


@dataclass(eq=False, slots=True)
class SetResource(Stmt):
    """Scenarios only: what a player or thing holds is set, the rest is the bank's. Of several kinds without `unit`:
    all of them, by a tally."""

    symbol: game.ResourceSymbol
    holder: Expr
    unit: Expr | None
    value: Expr


@dataclass(eq=False, slots=True)
class SetFace(Stmt):
    """A die is turned."""

    die: Expr
    value: Expr


@dataclass(eq=False, slots=True)
class SetZone(Stmt):
    """Scenarios only: a zone is filled; what lay there goes out of the game."""

    zone: Expr
    items: list[Expr]


@dataclass(eq=False, slots=True)
class SetAward(Stmt):
    """Scenarios only: somebody (or nobody) holds an award."""

    symbol: game.AwardSymbol
    key: Expr | None
    player: Expr


@dataclass(eq=False, slots=True)
class SetPin(Stmt):
    """Scenarios only: a value is fixed for its arguments. `items`: one value for each member of the last parameter's
    type."""

    symbol: game.ValueSymbol
    arguments: list[Expr]
    value: Expr | None
    items: list[Expr] | None


@dataclass(eq=False, slots=True)
class Let(Stmt):
    """A local name gets its value."""

    slot: int
    value: Expr


@dataclass(eq=False, slots=True)
class Do(Stmt):
    """A named effect runs."""

    me: Expr
    symbol: game.EffectSymbol
    arguments: list[Expr]


@dataclass(eq=False, slots=True)
class DoCell(Stmt):
    """The effect in the cell of a thing's row runs. `rows`: those that the thing can be of."""

    me: Expr
    column: game.ColumnSymbol
    thing: Expr
    arguments: list[Expr]
    rows: list[int] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class Sequence(Stmt):
    """Statements one after the other."""

    statements: list[Stmt]


@dataclass(eq=False, slots=True)
class If(Stmt):
    """One of two ways. `must_hold`: it can only begin if the condition holds (`pay A to S`)."""

    condition: Expr
    consequence: Stmt
    alternative: Stmt | None
    must_hold: bool = False


@dataclass(eq=False, slots=True)
class ForEach(Stmt):
    """The tuples of the head are collected first, then the body runs for each."""

    head: Head
    body: Stmt


@dataclass(eq=False, slots=True)
class Everyone(Stmt):
    """Each of `players` (None: all) as `me` in `slot`; sets from the active player on clockwise, lists in their
    order."""

    players: Expr | None
    slot: int
    body: Stmt


@dataclass(eq=False, slots=True)
class Acting(Stmt):
    """`player` is `me` (in `slot`) inside."""

    player: Expr
    slot: int
    body: Stmt


@dataclass(eq=False, slots=True)
class Repeat(Stmt):
    """At most so often, while the condition holds."""

    at_most: Expr
    condition: Expr | None
    slot: int
    body: Stmt


@dataclass(eq=False, slots=True)
class Choose(Stmt):
    """`me` chooses a tuple of the head; without any the statement is skipped. `optional` adds "no".

    With `again` the choice is offered again after the body; `done` is the text of stopping (None: must go on).
    `kept`: binders whose picks so far are looked back at, each with the slot of their list.
    """

    me: Expr
    head: Head
    prompt: Template | None
    optional: bool
    body: Stmt
    address: str
    again: bool = False
    at_most: Expr | None = None
    count_slot: int = 0
    done: Template | None = None
    done_when: Expr | None = None
    kept: list[tuple[Binder, int]] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class RandomPick(Stmt):
    """Nature chooses one element of the last binder of the head (those before it are the fields of a record)."""

    head: Head
    body: Stmt
    address: str

    @property
    def binder(self) -> Binder:
        """What is chosen."""
        return self.head.binders[-1]


@dataclass(eq=False, slots=True)
class Alternative:
    """One labelled way; `condition` says whether it can be taken (None: always)."""

    label: Template
    condition: Expr | None
    body: Stmt


@dataclass(eq=False, slots=True)
class Alternatives(Stmt):
    """`me` takes `lowest..highest` of the ways, each once; `may` adds "no".

    As with `or`: one left is forced, none left is nothing.
    """

    me: Expr
    ways: list[Alternative]
    lowest: int
    highest: int
    may: bool
    done_slot: int
    address: str


@dataclass(eq=False, slots=True)
class Offer(Stmt):
    """`me` takes one of the actions. `until`: again until one of these was taken, or until done."""

    me: Expr
    actions: list[game.ActionSymbol]
    passing: Template | None
    until: list[game.ActionSymbol]
    until_done: Template | None
    address: str


@dataclass(eq=False, slots=True)
class Step(Stmt):
    """A part with an address; inactive unless its condition holds. Rules may surround it."""

    symbol: game.StepSymbol
    condition: Expr | None
    body: Stmt


@dataclass(eq=False, slots=True)
class AsOne(Stmt):
    """Laws are tested at its end only."""

    body: Stmt


@dataclass(eq=False, slots=True)
class SubPhase(Stmt):
    """A phase inside a phase."""

    symbol: game.PhaseSymbol
    arguments: list[Expr]


@dataclass(eq=False, slots=True)
class Mark(Stmt):
    """It is counted that this place was passed. There are none but where what runs is counted."""

    number: int
