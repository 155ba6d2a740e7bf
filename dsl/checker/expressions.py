"""Names and types of expressions: syntax in, typed expressions out.

`check` never fails: what is wrong is reported and becomes `Unavailable`, about which nothing more is said. `expected`
helps where a name could be a member of several types. The forms are checked by the modules of this package that
register themselves with `checks`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from regelwerk.dsl.checker import coercion as co
from regelwerk.dsl.checker.context import Context, Scope
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model.types import (
    BOOL,
    NUMBER,
    PLAYER,
    Type,
)
from regelwerk.dsl.syntax.base import Expression, Text
from regelwerk.dsl.syntax.expressions import ListLiteral, SetLiteral

CHECKS: dict[type, Callable[..., x.Expr]] = {}
Check = TypeVar("Check", bound=Callable[..., x.Expr])


def checks(kind: type) -> Callable[[Check], Check]:
    """Registers the function that checks one form of expression."""

    def register(function: Check) -> Check:
        CHECKS[kind] = function
        return function

    return register


def check(c: Context, node: Expression, scope: Scope, expected: Type | None = None) -> x.Expr:
    """The typed form of an expression."""
    return CHECKS[type(node)](c, node, scope, expected)


def is_empty_literal(node: Expression) -> bool:
    """Whether a node is `{}` or `[]`, which is of whatever kind is wanted."""
    return isinstance(node, SetLiteral | ListLiteral) and not node.items


def check_pair(
    c: Context, left: Expression, right: Expression, scope: Scope, expected: Type | None
) -> tuple[x.Expr, x.Expr]:
    """Two expressions of one kind: an empty set or list takes the kind of the other."""
    if is_empty_literal(left) and not is_empty_literal(right):
        second = check(c, right, scope, expected)
        return check(c, left, scope, second.type), second
    first = check(c, left, scope, expected)
    return first, check(c, right, scope, first.type if is_empty_literal(right) else expected)


def check_as(c: Context, node: Expression, scope: Scope, wanted: Type, what: str = "this") -> x.Expr:
    """An expression where a value of one type is needed."""
    return co.coerce(c, check(c, node, scope, wanted), wanted, what)


def check_condition(c: Context, node: Expression, scope: Scope, what: str = "a condition") -> x.Expr:
    """An expression where yes or no is needed."""
    return co.condition(c, check(c, node, scope, BOOL), what)


def check_number(c: Context, node: Expression, scope: Scope, what: str = "this", halves: bool = False) -> x.Expr:
    """An expression where a number is needed: a whole one, or with `halves` any."""
    return co.number(c, check(c, node, scope, NUMBER), what, halves)


def check_player(c: Context, node: Expression, scope: Scope, what: str = "this") -> x.Expr:
    """An expression where a player is needed."""
    return check_as(c, node, scope, PLAYER, what)


def template(c: Context, text: Text, scope: Scope) -> x.Template:
    """A text with its holes."""
    found = x.Template()
    for hole in text.holes:
        if hole.plain:
            found.parts.append(hole.plain)
        found.parts.append(check(c, hole.value, scope))
    if text.tail or not found.parts:
        found.parts.append(text.tail)
    return found
