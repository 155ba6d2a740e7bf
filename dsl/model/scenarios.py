"""Checked scenarios, and the expressions that only their claims can use."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.expressions import Expr
from regelwerk.dsl.model.statements import Stmt
from regelwerk.dsl.source import Span
from regelwerk.dsl.syntax.base import Expression


@dataclass(eq=False, slots=True)
class RunRead(Expr):
    """`actor`, `winners` or `over`."""

    what: Literal["actor", "winners", "over"]


@dataclass(eq=False, slots=True)
class OptionList(Expr):
    """`options` of the open decision, as they are asked; `whole`: `outcomes`, with all their parameters, and
    `options(action)`."""

    action: g.ActionSymbol | None
    whole: bool


@dataclass(eq=False, slots=True)
class Lines(Expr):
    """`lines`: all ways in which what is played can go on to its end."""


@dataclass(eq=False, slots=True)
class LinesWhere(Expr):
    """`lines where c`: those at whose end the condition holds."""

    lines: Expr
    condition: Expr


@dataclass(eq=False, slots=True)
class OptionField(Expr):
    """A parameter of an option."""

    option: Expr
    index: int


@dataclass(eq=False, slots=True)
class OptionsAre(Expr):
    """`options is {a, b}` (`whole`: `outcomes`): exactly these looks, in any order."""

    looks: tuple[Expression, ...]
    whole: bool


@dataclass(eq=False, slots=True)
class OptionsContain(Expr):
    """`a in options`."""

    look: Expression
    whole: bool


@dataclass(eq=False, slots=True)
class OptionCost(Expr):
    """`cost(place(...))`: what the option costs the actor."""

    action: g.ActionSymbol
    arguments: tuple[Expression, ...]


@dataclass(eq=False, slots=True)
class Knows(Expr):
    """`knows(p, x)`: whether a player knows a thing, or with `row` some copy of a row."""

    player: Expr
    thing: Expr
    entity: g.EntitySymbol
    row: bool


@dataclass(eq=False)
class Step:
    """Base of what a scenario does, in order."""

    span: Span


@dataclass(eq=False)
class GivenStep(Step):
    """Statements that set the state up."""

    frame: g.Frame
    body: Stmt


@dataclass(eq=False)
class ClaimStep(Step):
    """`then e`."""

    frame: g.Frame
    condition: Expr


@dataclass(eq=False)
class CanStep(Step):
    """`then S can place(...)` or `cannot ... because CLAUSE`."""

    player: int
    answer: Expression
    negated: bool
    because: str | None


@dataclass(eq=False)
class AnswerStep(Step):
    """`when S: answer`."""

    player: int
    answer: Expression


@dataclass(eq=False)
class ChanceStep(Step):
    """`chance e`."""

    values: tuple[Expression, ...]


@dataclass(eq=False)
class PlayStep(Step):
    """`play ADDRESS as p { ... }`."""

    target: g.PhaseSymbol | g.StepSymbol | g.EffectSymbol
    arguments: list[Expr]
    frame: g.Frame
    player: int
    steps: list[Step]


@dataclass(eq=False)
class CheckedScenario:
    """A scenario: seats, options (value expressions), and its steps in order."""

    name: str
    title: str
    span: Span
    citations: tuple[str, ...]
    seats: tuple[str, ...]
    options: dict[str, Expr]
    steps: list[Step] = field(default_factory=list)
    pinned: set[g.ValueSymbol] = field(default_factory=set)
