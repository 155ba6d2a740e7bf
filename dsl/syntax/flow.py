"""Flow: phases, their drivers and their items."""

from __future__ import annotations

from regelwerk.dsl.syntax.base import Declaration, Expression, Identifier, Node
from regelwerk.dsl.syntax.declarations import Citations
from regelwerk.dsl.syntax.effects import Block, Offer
from regelwerk.dsl.syntax.expressions import Binder


class Driver(Node):
    """Base: how often a phase runs and for whom."""


class Turns(Driver):
    """`turns from p while c skip c`, or `turns next e` (then `first` is None and `following` is set)."""

    first: Expression | None = None
    following: Expression | None = None
    condition: Expression | None = None
    skip: Expression | None = None


class Loop(Driver):
    """`loop until c`."""

    until: Expression | None = None


class ForEach(Driver):
    """`for x in S acting e`."""

    binder: Binder
    acting: Expression | None = None


class Together(Driver):
    """`together S`: simultaneous and sealed."""

    players: Expression


class When(Driver):
    """`when c`: once, if c."""

    condition: Expression


class PhaseStep(Node):
    """`step NAME when c { }` of a phase."""

    name: Identifier
    condition: Expression | None = None
    body: Block
    citations: Citations = ()


class PhaseOffer(Node):
    """An `offer` as an item of a phase."""

    offer: Offer


class Phase(Declaration):
    """A state of the statechart: its items run in order, as its driver says."""

    name: Identifier
    printed: str | None = None
    drivers: tuple[Driver, ...] = ()
    items: tuple[Phase | PhaseStep | PhaseOffer, ...]
    citations: Citations = ()
