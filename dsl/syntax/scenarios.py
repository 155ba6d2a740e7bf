"""Scenarios: given, when, then."""

from __future__ import annotations

from regelwerk.dsl.syntax.base import Declaration, Expression, Identifier, Node, Path
from regelwerk.dsl.syntax.declarations import Citations
from regelwerk.dsl.syntax.effects import Block


class Scene(Node):
    """Base of the parts of a scenario."""


class WithPlayers(Scene):
    """`players S, M, N`."""

    names: tuple[Identifier, ...]


class WithOption(Scene):
    """`option x = e`."""

    name: Identifier
    value: Expression


class SameAs(Scene):
    """`same as OTHER`."""

    other: Identifier


class Given(Scene):
    """`given { statements }`."""

    body: Block


class WhenAnswer(Scene):
    """`when S: answer`."""

    player: Identifier
    answer: Expression


class Chance(Scene):
    """`chance e`."""

    outcome: Expression


class Claim(Scene):
    """`then e`."""

    condition: Expression


class CanClaim(Scene):
    """`then S can place(...)`, or `cannot ... because CLAUSE`."""

    player: Identifier
    answer: Expression
    negated: bool = False
    because: Path | None = None


class Play(Scene):
    """`play ADDRESS as p { ... }`; `target` is the address, with arguments for an effect."""

    target: Expression
    player: Identifier | None = None
    steps: tuple[Scene, ...]


class Scenario(Declaration):
    """`scenario NAME "title" { ... }`."""

    name: Identifier
    title: str | None = None
    scenes: tuple[Scene, ...]
    citations: Citations = ()
