"""The corpus executes the whole language: every form of the syntax, and every word that a form can choose among, stands
in a file whose scenarios run."""

from __future__ import annotations

import inspect
import typing
from pathlib import Path

from regelwerk.dsl.diagnostics import Diagnostics
from regelwerk.dsl.parser import parse_file
from regelwerk.dsl.source import Source
from regelwerk.dsl.syntax import (
    base,
    declarations,
    effects,
    expressions,
    files,
    flow,
    overlays,
    rules,
    scenarios,
)

HERE = Path(__file__).resolve().parent
MODULES = (base, declarations, effects, expressions, files, flow, overlays, rules, scenarios)

Seen = dict[tuple[str, str], set[object]]


def forms() -> list[type[base.Node]]:
    """The forms of the syntax that are written (not what several have in common)."""
    found = [
        kind
        for module in MODULES
        for kind in vars(module).values()
        if inspect.isclass(kind) and issubclass(kind, base.Node) and kind.__module__ == module.__name__
    ]
    return [kind for kind in found if not any(other is not kind and issubclass(other, kind) for other in found)]


def note(node: object, kinds: set[type], values: Seen) -> None:
    if isinstance(node, base.Node):
        kinds.add(type(node))
        for name in type(node).model_fields:
            value = getattr(node, name)
            values.setdefault((type(node).__name__, name), set()).add(
                value if isinstance(value, str | bool) or value is None else "something"
            )
            note(value, kinds, values)
    elif isinstance(node, tuple):
        for each in node:
            note(each, kinds, values)


def corpus() -> tuple[set[type], Seen]:
    kinds: set[type] = set()
    values: Seen = {}
    for path in sorted(HERE.glob("*.rules")):
        note(parse_file(Source(path.name, path.read_text(encoding="utf-8")), Diagnostics()), kinds, values)
    return kinds, values


def test_every_form_is_executed() -> None:
    kinds, _ = corpus()
    assert sorted(kind.__name__ for kind in forms() if kind not in kinds) == []


def test_every_word_of_a_form_is_executed() -> None:
    _, values = corpus()
    missing = []
    for kind in forms():
        for name, field in kind.model_fields.items():
            seen = values.get((kind.__name__, name), set())
            if typing.get_origin(field.annotation) is typing.Literal:
                missing += [f"{kind.__name__}.{name} = {w}" for w in typing.get_args(field.annotation) if w not in seen]
            elif field.annotation is bool:
                missing += [f"{kind.__name__}.{name} = {w}" for w in (False, True) if w not in seen]
            elif type(None) in typing.get_args(field.annotation) and not seen - {None}:
                missing.append(f"{kind.__name__}.{name} is never given")
    assert missing == []
