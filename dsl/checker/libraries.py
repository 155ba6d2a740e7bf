"""`use`: the declarations of a library, with its names replaced by the game's own."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from regelwerk import dsl
from regelwerk.dsl.checker.context import Context
from regelwerk.dsl.checker.heads import STANDARD
from regelwerk.dsl.diagnostics import Diagnostics
from regelwerk.dsl.model import game as g
from regelwerk.dsl.parser import parse_file
from regelwerk.dsl.source import Source
from regelwerk.dsl.syntax import files
from regelwerk.dsl.syntax.base import Declaration, Identifier, Node

N = TypeVar("N", bound=Node)


@lru_cache(maxsize=1)
def standard_library() -> tuple[Source, files.RulesFile]:
    """The standard library, read once."""
    path = Path(next(iter(dsl.__path__))) / "std" / "standard.rules"
    source = Source(STANDARD, path.read_text(encoding="utf-8"))
    found = parse_file(source, diagnostics := Diagnostics())
    if found is None or diagnostics.failed:
        raise RuntimeError("the standard library does not parse")
    return source, found


def expand(c: Context, file: files.RulesFile) -> list[tuple[Declaration, str]]:
    """The declarations of all libraries that `file` uses, each with the library's name."""
    if not file.uses:
        return []
    source, standard = standard_library()
    known = {library.name.text: library for library in (*standard.libraries, *file.libraries)}
    found: list[tuple[Declaration, str]] = []
    done: set[tuple[str, tuple[str, ...]]] = set()
    for use in file.uses:
        library = known.get(use.name.text)
        if library is None:
            c.error(
                "E0211", f"there is no library `{use.name.text}`", use.name.span, c.suggest(use.name.text, list(known))
            )
            continue
        if len(use.arguments) != len(library.parameters):
            wanted = ", ".join(each.text for each in library.parameters)
            c.error(
                "E0212",
                f"the library `{library.name.text}` takes {len(library.parameters)} names",
                use.span,
                f"write `use {library.name.text}({wanted})`" if wanted else f"write `use {library.name.text}`",
            )
            continue
        key = (library.name.text, tuple(each.text for each in use.arguments))
        if key in done:
            c.error("E0213", f"the library `{library.name.text}` is used twice", use.span, "remove one of the lines")
            continue
        done.add(key)
        c.sources[source.name] = source
        mapping = {
            parameter.text: argument for parameter, argument in zip(library.parameters, use.arguments, strict=True)
        }
        found += [(substitute(each, mapping), library.name.text) for each in library.declarations]
    return found


def substitute(node: N, mapping: dict[str, Identifier]) -> N:
    """The tree with the names of a library replaced."""
    if not mapping:
        return node
    if isinstance(node, Identifier):
        replacement = mapping.get(node.text)
        return node if replacement is None else node.model_copy(update={"text": replacement.text})
    changes: dict[str, object] = {}
    for name in type(node).model_fields:
        old = getattr(node, name)
        new = _substituted(old, mapping)
        if new is not old:
            changes[name] = new
    return node.model_copy(update=changes) if changes else node


def _substituted(value: object, mapping: dict[str, Identifier]) -> object:
    if isinstance(value, Node):
        return substitute(value, mapping)
    if isinstance(value, tuple):
        new = tuple(_substituted(each, mapping) for each in value)
        return new if any(a is not b for a, b in zip(new, value, strict=True)) else value
    return value


def used_only(c: Context, symbol: g.ValueSymbol) -> bool:
    """Whether a library's value has been asked for (unused ones are dropped)."""
    return symbol.library is None or symbol not in c.lazy
