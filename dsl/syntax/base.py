"""What every node of the syntax tree shares."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from regelwerk.dsl.source import Span


class Node(BaseModel):
    """A validated, immutable piece of a rules file; `span` says where it stands."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    span: Span


class Identifier(Node):
    """A name as written, in Unicode normal form C."""

    text: str


class Path(Node):
    """A dotted address: `game.round.placement`, `Field.rathaus.needs`."""

    parts: tuple[Identifier, ...]

    @property
    def text(self) -> str:
        """The address with its dots."""
        return ".".join(part.text for part in self.parts)


class Citation(Node):
    """One clause of the rulebook: `V-034`, or a range `V-040..042` (then `last` is the last number, 42)."""

    text: str
    last: int | None = None


class Noun(Node):
    """A name in two numbers with its printed forms: `coin/coins "silver coin/silver coins"`."""

    name: Identifier
    plural: Identifier | None = None
    printed: str | None = None
    printed_plural: str | None = None

    @property
    def one(self) -> str:
        """How one of it is printed."""
        return self.printed if self.printed is not None else self.name.text.replace("_", " ")

    @property
    def many(self) -> str:
        """How several of it are printed."""
        if self.printed_plural is not None:
            return self.printed_plural
        if self.plural is not None and self.printed is None:
            return self.plural.text.replace("_", " ")
        return self.one


class Expression(Node):
    """Base of everything that has a value."""


class TypeSyntax(Node):
    """Base of everything written after a colon as a type."""


class Statement(Node):
    """Base of everything that happens."""


class Declaration(Node):
    """Base of the named clauses of a file."""


class Hole(Node):
    """`{expression}` in a text; `plain` text stands before it."""

    plain: str
    value: Expression


class Text(Node):
    """A text in quotes: literal parts and holes. `tail` follows the last hole. `raw` is as written between the
    quotes."""

    raw: str
    holes: tuple[Hole, ...] = ()
    tail: str = ""
