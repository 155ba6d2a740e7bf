"""Addresses: which clause of a rules file stands at a place.

`take_card.afford`, `game.round.refill`, `Field.mill.at_once`, `final.goods`: as rules, scenarios and refusals name
them.
"""

from __future__ import annotations

from collections.abc import Iterator

from regelwerk.dsl.syntax import declarations as d
from regelwerk.dsl.syntax import effects as e
from regelwerk.dsl.syntax import files, flow, overlays
from regelwerk.dsl.syntax.base import Declaration, Identifier, Node, Path


def address_at(file: files.RulesFile, offset: int) -> str:
    """The address of the innermost clause that holds a character of the file's text, or an empty text."""
    parts: list[str] = []
    node: Node | None = file
    while node is not None:
        below = next((each for each in _below(node) if each.span.start <= offset < each.span.end), None)
        if isinstance(node, d.Row) and below is not None:
            parts += _cell(node, below)
        if below is not None:
            parts += _own(below)
        node = below
    return ".".join(parts)


def _below(node: Node) -> Iterator[Node]:
    for name in type(node).model_fields:
        value = getattr(node, name)
        for each in value if isinstance(value, tuple) else (value,):
            if isinstance(each, Node):
                yield each


_NAMED = (d.Row, d.Column, d.Line, d.Cost, e.Require, e.Step, flow.PhaseStep)
"""What has a name inside of a declaration."""


def _own(node: Node) -> list[str]:
    """What a node adds to the address of what lies in it."""
    if isinstance(node, d.Section | files.Library | d.Remark | d.Rulebook | overlays.Replace | Identifier):
        return []
    if isinstance(node, (Declaration, *_NAMED)):
        path = getattr(node, "path", None)
        if isinstance(path, Path):
            return [path.text]
        noun = getattr(node, "noun", None)
        name = noun.name if noun is not None else getattr(node, "name", None)
        return [name.text] if isinstance(name, Identifier) else []
    if isinstance(node, d.Drawing):
        return [node.column.text]
    return []


def _cell(row: d.Row, below: Node) -> list[str]:
    place = next((place for place, each in enumerate(row.cells) if each is below), None)
    return [row.columns[place].text] if place is not None and place < len(row.columns) else []


__all__ = ["address_at"]
