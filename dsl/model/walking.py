"""Walking over typed expressions and statements."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g


def children(node: object) -> Iterator[object]:
    """The typed expressions, statements, heads and amounts directly inside a node (symbols are not entered)."""
    if is_dataclass(node):
        for each in fields(node):
            yield from _inner(getattr(node, each.name))


def _inner(value: object) -> Iterator[object]:
    if isinstance(value, x.Expr | x.Head | x.Binder | x.Template):
        yield value
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _inner(each)
    elif (
        is_dataclass(value)
        and not isinstance(value, g.Symbol | g.Unit | type)
        and type(value).__module__.endswith("statements")
    ):
        yield value


def walk(node: object) -> Iterator[object]:
    """The node and everything inside it."""
    stack = [node]
    while stack:
        here = stack.pop()
        yield here
        stack.extend(children(here))
