"""Entering events into the history, as far as somebody asks for them."""

from __future__ import annotations

from collections.abc import Callable

from regelwerk.dsl.model import game as g
from regelwerk.interpreter import layout as la
from regelwerk.interpreter.evaluation.base import Closure, Compiler, reader, writer
from regelwerk.interpreter.layout import Image


def recorder(c: Compiler, questions: list[g.HistoryQuestion]) -> Callable[[Image, int, list[int]], None]:
    """A function that enters an event: who acts, and all its parameters."""
    writes = []
    for question in questions:
        region = c.program.history_cells[question]
        keys = [k for k, _ in question.keys]
        writes.append(
            (question, c.program.history.place(question), keys, reader(region), writer(region), region.highest)
        )

    def record(m: Image, actor: int, arguments: list[int]) -> None:
        m.w[la.ORDINAL] += 1
        for question, place_of, keys, read, write, highest in writes:
            place = place_of(actor, [arguments[k] for k in keys])
            if question.scope is None:
                write(m, place, m.w[la.ORDINAL])
            elif question.counted:
                write(m, place, min(highest, read(m, place) + 1))
            else:
                write(m, place, 1)

    return record


def record_function(c: Compiler, questions: list[g.HistoryQuestion], slots: list[int]) -> Closure | None:
    """Enter the event of a body whose `me` is in slot 0 and whose parameters are in `slots`; None if nobody asks."""
    if not questions:
        return None
    record = recorder(c, questions)
    return lambda m, env: record(m, env[0], [env[slot] for slot in slots])
