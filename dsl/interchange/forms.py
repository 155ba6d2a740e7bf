"""What the nodes of the syntax tree look like as JSON, read off their classes: one `Form` for each.

A node is an object with its class as `node`, its place as `span`, and its fields under their own names; a field that
has its default is left out. So a new class of nodes is part of the documents without a line here. What the grammar
guarantees beyond the types of fields (a choice has at least one binder) stands in `FEWEST` and `TEXTS`.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, Union, get_args, get_origin

from pydantic_core import PydanticUndefined

from regelwerk.dsl.lexing import MAX_DIGITS, MAX_LINE, MAX_NAME, MAX_TEXT
from regelwerk.dsl.syntax import flow, overlays, scenarios
from regelwerk.dsl.syntax.base import Declaration, Node
from regelwerk.dsl.syntax.files import GameHeader, VariantHeader

MODULES = (flow, overlays, scenarios)
"""Classes of nodes are found as subclasses, so all modules that have any must be loaded."""
LARGEST = 10**MAX_DIGITS - 1
ROOTS: tuple[type[Node], ...] = (GameHeader, VariantHeader, Declaration)
COMPOSED = frozenset(each for each in Declaration.__subclasses__() if each.__module__ == overlays.__name__)
"""What a variant says about its base: gone once they are composed."""


# --------------------------------------------------------------------------------------------------- what a field holds
@dataclass(frozen=True)
class Number:
    """A whole number from 0 to `LARGEST`."""


@dataclass(frozen=True)
class Flag:
    """True or false."""


@dataclass(frozen=True)
class Words:
    """One of some fixed words."""

    words: tuple[str, ...]


@dataclass(frozen=True)
class Text:
    """A text. `pattern` is meant for all of it, and reads the same for Python and for JSON Schema."""

    what: str = "a text"
    longest: int = MAX_TEXT
    pattern: str | None = None


@dataclass(frozen=True)
class Nodes:
    """A node of one of these classes."""

    bases: tuple[type[Node], ...]


@dataclass(frozen=True)
class Many:
    """A list, with at least `fewest` members."""

    member: Shape
    fewest: int = 0


@dataclass(frozen=True)
class Maybe:
    """That, or null."""

    base: Shape


Shape = Number | Flag | Words | Text | Nodes | Many | Maybe


@dataclass(frozen=True)
class Field:
    """A field of a node; `default` is `PydanticUndefined` if it must be there."""

    name: str
    shape: Shape
    default: Any

    @property
    def required(self) -> bool:
        """Whether it must be there."""
        return self.default is PydanticUndefined


@dataclass(frozen=True)
class Form:
    """A class of nodes."""

    cls: type[Node]
    fields: tuple[Field, ...]

    @property
    def name(self) -> str:
        """Its name in documents."""
        return self.cls.__name__


# ---------------------------------------------------------------------------------- what the grammar guarantees besides
NAME = Text("a name", MAX_NAME, r"[^\s\x00-/:-@\[-^`{-\x7f0-9][^\s\x00-/:-@\[-^`{-\x7f]*")
TEXTS = {
    ("Identifier", "text"): NAME,
    ("Citation", "text"): Text("the number of a clause, like `A-012`", MAX_NAME, r"[A-Z]+-[A-Z]?[0-9]+[a-z]?"),
    ("DecimalLiteral", "text"): Text("a number with a point, like `7.5`", MAX_DIGITS, r"[0-9]+\.[0-9]+"),
    ("Drawing", "lines"): Text("a line of a drawing", MAX_LINE),
}
FEWEST = {
    ("Path", "parts"): 1,
    ("Head", "binders"): 1,
    ("EnumDeclaration", "members"): 1,
    ("Interface", "types"): 1,
    ("Distinct", "fields"): 1,
    ("Rank", "keys"): 1,
    ("CellRules", "roles"): 1,
    ("Reaction", "targets"): 1,
    ("Modify", "targets"): 1,
    ("Forbid", "targets"): 1,
    ("Waive", "targets"): 1,
    ("Offer", "actions"): 1,
    ("Either", "alternatives"): 2,
    ("ChooseOptions", "options"): 1,
    ("Cases", "cases"): 1,
    ("Aggregate", "arguments"): 1,
    ("WithPlayers", "names"): 1,
    ("Drawing", "lines"): 1,
}


# ----------------------------------------------------------------------------------------------------- from the classes
def concrete(base: type[Node]) -> Iterator[type[Node]]:
    """The classes of nodes that `base` stands for, in the order they are declared."""
    below = [each for each in base.__subclasses__() if each not in COMPOSED]
    if not below:
        yield base
    for each in below:
        yield from concrete(each)


@functools.cache
def forms() -> dict[str, Form]:
    """All forms that a document can hold, by name, in alphabetical order."""
    found: dict[str, Form] = {}
    waiting = [each for root in ROOTS for each in concrete(root)]
    while waiting:
        cls = waiting.pop()
        known = found.get(cls.__name__)
        if known is not None:
            if known.cls is not cls:
                raise TypeError(f"two classes of nodes are called {cls.__name__}")
            continue
        form = found[cls.__name__] = Form(cls, tuple(_fields(cls)))
        for field in form.fields:
            waiting += [each for base in bases(field.shape) for each in concrete(base)]
    return dict(sorted(found.items()))


def bases(shape: Shape) -> tuple[type[Node], ...]:
    """The classes of nodes that a field of this shape names."""
    if isinstance(shape, Maybe):
        return bases(shape.base)
    if isinstance(shape, Many):
        return bases(shape.member)
    return shape.bases if isinstance(shape, Nodes) else ()


def _fields(cls: type[Node]) -> Iterator[Field]:
    for name, info in cls.model_fields.items():
        if name != "span":
            yield Field(name, _shape(info.annotation, (cls.__name__, name)), info.default)


def _shape(kind: Any, place: tuple[str, str]) -> Shape:
    origin, inside = get_origin(kind), get_args(kind)
    if origin is Union or origin is types.UnionType:
        rest = tuple(each for each in inside if each is not types.NoneType)
        base = _shape(rest[0], place) if len(rest) == 1 else Nodes(rest)
        return Maybe(base) if len(rest) < len(inside) else base
    if origin is tuple and inside[1:] == (...,):
        return Many(_shape(inside[0], place), FEWEST.get(place, 0))
    if origin is Literal:
        return Words(inside)
    if kind is int:
        return Number()
    if kind is bool:
        return Flag()
    if kind is str:
        return TEXTS.get(place, Text())
    if isinstance(kind, type) and issubclass(kind, Node):
        return Nodes((kind,))
    raise TypeError(f"{place[0]}.{place[1]}: there is no form in JSON for {kind}")


__all__ = [
    "Field", "Flag", "Form", "Many", "Maybe", "Nodes", "Number", "Shape", "Text", "Words",
    "bases", "concrete", "forms",
]  # fmt: skip
