"""Syntax trees as values: compared and hashed without their places, and rewritten."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from typing import Any

from regelwerk.dsl.syntax.base import Expression, Identifier, Node, Text, TypeSyntax

_SKIPPED = frozenset({"span", "comments", "trailing_comments"})


def meaning(value: object) -> list[str]:
    """What a tree says, as words: without places and comments."""
    found: list[str] = []
    _collect(value, found)
    return found


def _collect(value: object, found: list[str]) -> None:
    if isinstance(value, Node):
        found.append(f"<{type(value).__name__}")
        for name in type(value).model_fields:
            if name not in _SKIPPED:
                _collect(getattr(value, name), found)
        found.append(">")
    elif isinstance(value, tuple):
        found.append("(")
        for each in value:
            _collect(each, found)
        found.append(")")
    else:
        found.append(f"{type(value).__name__}:{value!r}")


def same(left: object, right: object) -> bool:
    """Whether two trees say the same."""
    return meaning(left) == meaning(right)


def digest(trees: Iterable[object]) -> str:
    """A hash of what trees say, in order."""
    found = hashlib.sha256()
    for each in trees:
        found.update("\0".join(meaning(each)).encode())
        found.update(b"\0\0")
    return found.hexdigest()[:16]


def rewritten(node: Any, change: Callable[[Any], Any]) -> Any:
    """The tree with every statement and clause replaced by what `change` makes of it, inner ones first; None leaves
    it out. Expressions, types and texts are not entered. What does not change is the same node as before."""
    changes: dict[str, Any] = {}
    for name in type(node).model_fields:
        old = getattr(node, name)
        new = _rewritten_field(old, change) if name != "span" else old
        if new is not old:
            changes[name] = new
    return change(node.model_copy(update=changes) if changes else node)


def _rewritten_field(value: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(value, Node):
        return value if isinstance(value, (Expression, TypeSyntax, Identifier, Text)) else rewritten(value, change)
    if isinstance(value, tuple):
        new = [_rewritten_field(each, change) for each in value]
        if all(a is b for a, b in zip(new, value, strict=True)):
            return value
        return tuple(each for each, old in zip(new, value, strict=True) if each is not None or old is None)
    return value
