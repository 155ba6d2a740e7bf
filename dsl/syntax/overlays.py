"""What a variant says about its base."""

from __future__ import annotations

from typing import Literal

from regelwerk.dsl.syntax.base import Declaration, Expression, Identifier, Node, Noun, Path, Text
from regelwerk.dsl.syntax.declarations import Citations, Clause, Column, Line, ParameterBinder, Row, Signature
from regelwerk.dsl.syntax.effects import Block
from regelwerk.dsl.syntax.expressions import RangeExpression
from regelwerk.dsl.syntax.flow import Phase, PhaseOffer, PhaseStep
from regelwerk.dsl.syntax.rules import Role


class Replace(Declaration):
    """`replace KIND ...`: the whole clause of that name."""

    declaration: Declaration


class ReplaceStep(Declaration):
    """`replace step PATH { }`."""

    path: Path
    condition: Expression | None = None
    body: Block
    citations: Citations = ()


class ReplaceRequire(Declaration):
    """`replace require PATH: c`."""

    path: Path
    condition: Expression
    otherwise: Text | None = None
    citations: Citations = ()


class ReplaceCost(Declaration):
    """`replace cost PATH: amount when c "text"`."""

    path: Path
    amount: Expression
    condition: Expression | None = None
    printed: Text | None = None
    citations: Citations = ()


class ReplaceLine(Declaration):
    """`replace line PATH = e`."""

    path: Path
    value: Expression
    citations: Citations = ()


class Remove(Declaration):
    """`remove KIND PATH`."""

    kind: str
    path: Path
    citations: Citations = ()


class Change(Declaration):
    """`change PATH = e`: one constant, default, start or cell; a value, an effect or rules."""

    path: Path
    value: Expression | None = None
    effect: Block | None = None
    rules: tuple[Role, ...] = ()
    citations: Citations = ()


class Resolve(Declaration):
    """`resolve PATH by V "why"`."""

    path: Path
    by: Identifier
    reason: str | None = None
    citations: Citations = ()


class Players(Node):
    """`players 3..5`."""

    range: RangeExpression | Expression


class Placed(Node):
    """`first | last | before X | after X` and what stands there."""

    position: Literal["first", "last", "before", "after"]
    anchor: Identifier | None = None
    item: Phase | PhaseStep | PhaseOffer | Row


class Member(Node):
    """`member noun` added to an enum."""

    noun: Noun


class Extend(Declaration):
    """`extend KIND PATH { ... }`."""

    kind: str
    path: Path
    items: tuple[
        Row | Placed | Column | Clause | Line | PhaseOffer | Players | Member | ParameterBinder | Signature, ...
    ]
    citations: Citations = ()
