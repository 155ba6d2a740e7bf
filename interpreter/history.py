"""The memory for questions about the past: one cell for each actor and combination of arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.limits import KEYS
from regelwerk.dsl.model.types import BoolType, IntType, Type
from regelwerk.interpreter.evaluation.base import Closure, Compiler, Locals
from regelwerk.interpreter.faults import Fault
from regelwerk.interpreter.layout import Image, Layout, Region

if TYPE_CHECKING:
    from regelwerk.interpreter.tables import Domains


class History:
    """Numbers the cells of each question: actor by actor (0 for anyone), then the keys in order."""

    def __init__(self, players: int, domains: Domains) -> None:
        self.players = players
        self.domains = domains

    def reserve(self, layout: Layout, questions: list[g.HistoryQuestion]) -> dict[g.HistoryQuestion, Region]:
        """Ask for room in the image."""
        found = {}
        for question in questions:
            count = 1 if question.any_actor else self.players + 1
            for _, kind in question.keys:
                count *= self._size(kind)
            if count > KEYS * (1 if question.any_actor else self.players + 1):
                name = question.event if isinstance(question.event, str) else question.event.name
                raise Fault("budget", f"what is asked about `{name}` has more than {KEYS} combinations")
            event = question.event if isinstance(question.event, str) else question.event.name
            highest = 2**31 - 1 if question.scope is None else 32767 if question.counted else 1
            found[question] = layout.cells(f"history {question.number} {event}", count, 0, highest)
        return found

    def _size(self, kind: Type) -> int:
        return self.domains.count(kind) + (0 if isinstance(kind, IntType | BoolType) else 1)

    def place(self, question: g.HistoryQuestion) -> Callable[[int, list[int]], int]:
        """A function from the actor and the keys to the number of the cell."""
        sizes = [self._size(kind) for _, kind in question.keys]
        lows = [kind.lowest if isinstance(kind, IntType) else 0 for _, kind in question.keys]
        anyone = question.any_actor

        def place(actor: int, keys: list[int]) -> int:
            index = 0 if anyone else actor
            for size, low, key in zip(sizes, lows, keys, strict=True):
                index = index * size + key - low
            return index

        return place

    def index(
        self, c: Compiler, question: g.HistoryQuestion, actor: Closure, arguments: list[Closure]
    ) -> Callable[[Image, Locals], int]:
        """The cell that an expression asks for."""
        place = self.place(question)
        return lambda m, env: place(actor(m, env), [a(m, env) for a in arguments])


__all__ = ["Any", "History"]
