"""Walking over typed expressions and statements."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g

DYNAMIC = (
    x.Active,
    x.StateRead,
    x.TrackRead,
    x.ResourceRead,
    x.FaceRead,
    x.CellTest,
    x.Contents,
    x.ZoneCount,
    x.ZoneEnd,
    x.ZoneTop,
    x.ScoreRead,
    x.AwardHolder,
    x.HistoryRead,
    x.CanPay,
    x.CanDo,
    x.CanCell,
    x.CanOffer,
    x.HasRoom,
)
"""The expressions that read the state."""


def dynamic(node: object) -> bool:
    """Whether a node itself reads the state."""
    return (
        isinstance(node, DYNAMIC)
        or (isinstance(node, x.ThingAttribute) and node.attribute in ("holder", "place"))
        or (isinstance(node, x.Expr) and type(node).__module__ == CLAIMS)
    )


CLAIMS = "regelwerk.dsl.model.scenarios"
"""Where the expressions live that ask about a running scenario."""


def state_read(node: object, seen: set[object] | None = None) -> x.Expr | None:
    """The first part of an expression that reads the state, in the values it calls as well; None if there is none."""
    seen = set() if seen is None else seen
    for each in walk(node):
        if isinstance(each, x.CellTest):
            if any(isinstance(cell, tuple) and state_read(cell[1], seen) is not None for cell in each.column.cells):
                return each
        elif dynamic(each) and isinstance(each, x.Expr):
            return each
        if isinstance(each, x.Call) and each.symbol not in seen:
            seen.add(each.symbol)
            if each.symbol.roles or state_read(each.symbol.body, seen) is not None:
                return each
    return None


def children(node: Any) -> Iterator[object]:
    """The typed expressions, statements, heads and amounts directly inside a node (symbols are not entered)."""
    for name in fields_of(node.__class__):
        value = getattr(node, name)
        if isinstance(value, list | tuple):
            yield from _listed(value)
        elif _is_node(value.__class__):
            yield value


def _listed(values: Iterable[Any]) -> Iterator[object]:
    for value in values:
        if isinstance(value, list | tuple):
            yield from _listed(value)
        elif _is_node(value.__class__):
            yield value


@functools.cache
def fields_of(kind: type) -> tuple[str, ...]:
    """The names of the fields of a kind of node that may hold nodes; none of what is no node."""
    return tuple(each.name for each in fields(kind) if each.name != "span") if is_dataclass(kind) else ()


@functools.cache
def _is_node(kind: type) -> bool:
    if issubclass(kind, x.Expr | x.Head | x.Binder | x.Template):
        return True
    plain = is_dataclass(kind) and not issubclass(kind, g.Symbol | g.Unit | type)
    return plain and kind.__module__.endswith("statements")


def walk(node: object) -> Iterator[object]:
    """The node and everything inside it."""
    stack = [node]
    while stack:
        here = stack.pop()
        yield here
        stack.extend(children(here))


def same_structure(one: Any, other: Any) -> bool:
    """Whether two nodes say the same, wherever they stand in the source."""
    kind: type[Any] = one.__class__
    if kind is not other.__class__:
        return False
    if isinstance(one, list | tuple):
        assert isinstance(other, list | tuple)
        return len(one) == len(other) and all(same_structure(a, b) for a, b in zip(one, other, strict=True))
    if _is_node(kind):
        return all(same_structure(getattr(one, name), getattr(other, name)) for name in fields_of(kind))
    return one is other or bool(one == other)
