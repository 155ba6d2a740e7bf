"""A whole rules file."""

from __future__ import annotations

from typing import Literal

from regelwerk.dsl.syntax.base import Declaration, Identifier, Node
from regelwerk.dsl.syntax.declarations import Citations
from regelwerk.dsl.syntax.expressions import IntLiteral, Name
from regelwerk.dsl.syntax.overlays import Players


class Use(Node):
    """`use NAME(arguments)`."""

    name: Identifier
    arguments: tuple[Identifier, ...] = ()


class Cap(Node):
    """`cap 60 round`, or with the name of a constant or option: `cap longest round`."""

    count: IntLiteral | Name
    phase: Identifier


class GameHeader(Node):
    """`game NAME "Title" { players, seats, triggers, cap }`."""

    name: Identifier
    title: str
    players: Players | None = None
    seats: tuple[Identifier, ...] = ()
    triggers: Literal["active_first", "owner_chooses"] = "active_first"
    cap: Cap | None = None
    citations: Citations = ()


class VariantHeader(Node):
    """`variant NAME "Title" of BASE with A, B`."""

    name: Identifier
    title: str
    base: Identifier
    companions: tuple[Identifier, ...] = ()
    citations: Citations = ()


class Library(Node):
    """`library NAME(parameters) { ... }`."""

    name: Identifier
    parameters: tuple[Identifier, ...] = ()
    declarations: tuple[Declaration, ...]


class RulesFile(Node):
    """One parsed file: a game, a variant, or libraries. `comments` maps the offset of a token to the comments before
    it,
    `trailing_comments` to a comment after it on its line; a token may occur several times.
    """

    edition: int
    header: GameHeader | VariantHeader | None
    uses: tuple[Use, ...] = ()
    declarations: tuple[Declaration, ...] = ()
    libraries: tuple[Library, ...] = ()
    comments: tuple[tuple[int, str], ...] = ()
    trailing_comments: tuple[tuple[int, str], ...] = ()
