"""Entering events into the history, as far as somebody asks for them."""

from __future__ import annotations

from regelwerk.dsl.model import game as g
from regelwerk.interpreter import layout as la
from regelwerk.interpreter.evaluation.base import Closure, Compiler, Locals, reader, writer
from regelwerk.interpreter.layout import Image


def record_function(c: Compiler, questions: list[g.HistoryQuestion], slots: list[int]) -> Closure | None:
    """Enter an event into the history as far as it is asked for."""
    if not questions:
        return None
    writes = []
    for question in questions:
        index = c.program.history.place(question)
        region = c.program.history_cells[question]
        writes.append(
            (question, index, [slots[k] for k, _ in question.keys], reader(region), writer(region), region.highest)
        )

    def run(m: Image, env: Locals) -> None:
        m.w[la.ORDINAL] += 1
        for question, index, keys, read, write, highest in writes:
            place = index(env[0], [env[k] for k in keys])
            if question.scope is None:
                write(m, place, m.w[la.ORDINAL])
            elif question.counted:
                write(m, place, min(highest, read(m, place) + 1))
            else:
                write(m, place, 1)

    return run
