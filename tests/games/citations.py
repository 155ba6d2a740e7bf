"""What clauses of a printed rulebook the files of a shipped game cite, read from their syntax trees."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from regelwerk.dsl.diagnostics import Diagnostics
from regelwerk.dsl.parser import parse_file, read_source
from regelwerk.dsl.syntax import files
from regelwerk.dsl.syntax.base import Citation, Node
from regelwerk.dsl.syntax.declarations import Rulebook
from regelwerk.interpreter.loading import shipped_games


def nodes(value: object) -> Iterator[Node]:
    """All nodes of a tree, the outer before the inner."""
    if isinstance(value, Rulebook):
        return  # which clauses there are is no citation of them
    if isinstance(value, Node):
        yield value
        for name in type(value).model_fields:
            yield from nodes(getattr(value, name))
    elif isinstance(value, tuple | list):
        for each in value:
            yield from nodes(each)


@cache
def tree(game: str, stem: str) -> files.RulesFile:
    """The tree of `stem`.rules beside a game."""
    diagnostics = Diagnostics()
    source = read_source(shipped_games()[game].with_name(f"{stem}.rules"), diagnostics)
    assert source is not None
    file = parse_file(source, diagnostics)
    assert file is not None
    assert not diagnostics.failed
    return file


@cache
def cited(game: str, stem: str) -> frozenset[str]:
    """All clauses that a file cites, ranges spelled out."""
    found = set()
    for node in nodes(tree(game, stem)):
        if isinstance(node, Citation):
            letters, _, digits = node.text.partition("-")
            first = int(digits)
            found |= {f"{letters}-{k:0{len(digits)}}" for k in range(first, (node.last or first) + 1)}
    return frozenset(found)
