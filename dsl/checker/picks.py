"""`chosen`: the picks so far, of one binder that takes several elements or of a choice that is made again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model.types import (
    UNKNOWN,
    Bound,
    IntType,
    ListType,
    OptionalType,
    PlayerType,
    SetType,
    TallyType,
    Type,
)
from regelwerk.dsl.source import Span

if TYPE_CHECKING:
    from regelwerk.dsl.checker.context import Context, Scope

LOOKED_BACK = 64
"""So many numbers are looked back at, if nothing says how often a choice is made again."""


@dataclass
class Picks:
    """What `chosen` is inside the condition of a binder that takes several elements."""

    slot: int
    type: Type
    read: bool = False


@dataclass
class EarlierPicks:
    """What `chosen` is in `choose ... again`: a list for each binder that is asked for."""

    names: list[str]
    at_most: int | None
    found: dict[str, tuple[int, ListType]] = field(default_factory=dict)

    def of(self, c: Context, name: str, scope: Scope, span: Span) -> x.Expr:
        """The picks so far of one binder."""
        if name not in self.found:
            local = scope.names.get(name)
            if local is None:
                c.error(
                    "E0329",
                    f"`{name}` is bound later than its earlier picks are asked for here",
                    span,
                    "ask in the condition of that binder, or of one behind it",
                )
                return c.unavailable(span)
            kind = local[1]
            if isinstance(kind, SetType | ListType | TallyType):
                c.error(
                    "E0329",
                    "several elements at a time cannot be looked back at",
                    span,
                    "take one element at a time, or keep them in a state",
                )
                return c.unavailable(span)
            bounded = ListType(kind, self._bound(kind))
            self.found[name] = (scope.frame.new(f"chosen {name}", bounded), bounded)
        slot, bounded = self.found[name]
        return x.Local(bounded, span, slot)

    def _bound(self, kind: Type) -> Bound:
        """How many picks are kept; an element may be picked more than once."""
        if self.at_most is not None:
            return ((max(1, self.at_most),),)
        plain = kind.base if isinstance(kind, OptionalType) else kind
        again: Bound = ((LOOKED_BACK,),)
        return again if isinstance(plain, IntType | PlayerType) else (*again, (plain,))


def chosen(c: Context, scope: Scope, span: Span) -> x.Expr:
    """`chosen` at one place."""
    picks = scope.chosen
    if picks is None:
        c.error(
            "E0214",
            "`chosen` are the picks so far, and nothing is picked here",
            span,
            "it stands in the `where` of `2 of S where ...` and of `choose ... again`",
        )
        return x.Unavailable(UNKNOWN, span)
    if isinstance(picks, Picks):
        picks.read = True
        return x.Local(picks.type, span, picks.slot)
    if len(picks.names) > 1:
        c.error(
            "E0329",
            "`chosen` are the picks of several binders here: say of which",
            span,
            f"for example `chosen.{picks.names[0]}`",
        )
        return x.Unavailable(UNKNOWN, span)
    return picks.of(c, picks.names[0], scope, span)


def chosen_of(c: Context, name: str, scope: Scope, span: Span) -> x.Expr | None:
    """`chosen.t`, if the choice that is made again has a binder of that name."""
    picks = scope.chosen
    if isinstance(picks, EarlierPicks) and name in picks.names:
        return picks.of(c, name, scope, span)
    return None
