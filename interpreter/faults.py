"""Faults: what can go wrong while a game runs. The game is then stopped, never silently continued."""

from __future__ import annotations

from typing import Literal

from regelwerk.dsl.source import Span

FaultCode = Literal["range", "unpaid", "full", "none", "clash", "dead_end", "depth", "budget", "answer"]


class Fault(Exception):
    """A run-time fault (language, section 16): its code, what happened, and where in the rules."""

    def __init__(self, code: FaultCode, message: str, span: Span | None = None) -> None:
        super().__init__(message)
        self.code: FaultCode = code
        self.message = message
        self.span = span


class GameEnd(Exception):
    """Raised by a law that ends the game at once; `end` is the index of the end."""

    def __init__(self, end: int) -> None:
        super().__init__(end)
        self.end = end
