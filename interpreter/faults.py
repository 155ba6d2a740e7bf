"""Faults: what can go wrong while a game runs. The game is then stopped, never silently continued."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from regelwerk.dsl.addresses import address_at
from regelwerk.dsl.diagnostics import Diagnostics
from regelwerk.dsl.parser import parse_file
from regelwerk.dsl.source import Span
from regelwerk.dsl.syntax.files import RulesFile

if TYPE_CHECKING:
    from regelwerk.dsl.source import Source

FaultCode = Literal["range", "unpaid", "full", "none", "clash", "dead_end", "depth", "budget", "answer"]


class Fault(Exception):
    """A run-time fault (language, section 16).

    code, message, span   what happened, and where in the rules
    rule                  the address of the clause that it happened in, as `take_card.afford`; empty if it is not known
    seed, seats, options, decisions
                          the game it happened in, and how many decisions had been made
    """

    def __init__(self, code: FaultCode, message: str, span: Span | None = None) -> None:
        super().__init__(message)
        self.code: FaultCode = code
        self.message = message
        self.span = span
        self.rule = ""
        self.seed = 0
        self.seats: tuple[str, ...] = ()
        self.options: Mapping[str, str] = {}
        self.decisions = 0


class GameEnd(Exception):
    """Raised by a law that ends the game at once; `end` is the index of the end."""

    def __init__(self, end: int) -> None:
        super().__init__(end)
        self.end = end


class Addresses:
    """The addresses of the clauses of some sources. Files are read again only when one is asked for."""

    def __init__(self, sources: Mapping[str, Source]) -> None:
        self.sources = sources
        self._files: dict[str, RulesFile | None] = {}
        self._known: dict[Span, str] = {}

    def at(self, span: Span | None) -> str:
        """The address of the clause that a span lies in, or an empty text."""
        if span is None or span.source not in self.sources:
            return ""
        if span not in self._known:
            if span.source not in self._files:
                self._files[span.source] = parse_file(self.sources[span.source], Diagnostics())
            file = self._files[span.source]
            self._known[span] = address_at(file, span.start) if file is not None else ""
        return self._known[span]


__all__ = ["Addresses", "Fault", "FaultCode", "GameEnd"]
