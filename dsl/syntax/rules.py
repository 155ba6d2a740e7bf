"""Rules about named things: triggers, modifiers, prohibitions."""

from __future__ import annotations

from typing import Literal

from regelwerk.dsl.syntax.base import Expression, Identifier, Node, Path, Text
from regelwerk.dsl.syntax.effects import Block


class Aim(Node):
    """One target: a path and the parameters it binds by name (None without brackets)."""

    path: Path
    parameters: tuple[Identifier, ...] | None = None


class Role(Node):
    """Base of what a rule may do. `guards`: every `while`; `by_anyone` lifts the restriction to the holder."""

    targets: tuple[Aim, ...]
    guards: tuple[Expression, ...] = ()
    by_anyone: bool = False


class Reaction(Role):
    """`before X { }`, `after X { }`, `instead of X { }`."""

    when: Literal["before", "after", "instead"]
    body: Block


class Modify(Role):
    """`modify X becomes e | plus n | minus n | at least n | at most n | also S`."""

    change: Literal["becomes", "plus", "minus", "at_least", "at_most", "also"]
    value: Expression


class Forbid(Role):
    """`forbid A because "text"`."""

    reason: Text


class Waive(Role):
    """`waive A.clause`."""
