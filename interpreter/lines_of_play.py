"""Lines of play: all ways in which what a scenario plays can go on to its end, as its players decide.

A line is a state at its end. Decisions are taken whole, however they are asked, so a choice that is asked in stages is
one step of a line, and picks in another order are no other line.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from regelwerk.dsl.model import scenarios as s
from regelwerk.dsl.source import Span
from regelwerk.interpreter import layout as la
from regelwerk.interpreter import machine
from regelwerk.interpreter.decisions import STAGE, Raw, Site
from regelwerk.interpreter.evaluation.base import Closure, Compiler, Locals, compiles
from regelwerk.interpreter.layout import Image

if TYPE_CHECKING:
    from regelwerk.interpreter.program import Program

LINE_LIMIT = 4096
"""The most lines of one claim."""
STEP_LIMIT = 40_000
"""The most decisions on all lines of one claim, so that play without an end is found out."""


class Unbounded(Exception):
    """The lines cannot be listed; `args` says why."""


def whole_options(site: Site, m: Image, env: Locals) -> list[Raw]:
    """All options of a decision with all their parameters; where some are answered already, those that agree."""
    if site.said is None or not site.said(env):
        return site.whole(m, env)
    found: dict[Raw, None] = {}
    waiting = [list(env)]
    while waiting:
        inner = waiting.pop()
        for raw in site.options(m, inner):
            further = list(inner)
            answered = site.answer(m, further, raw) if raw[0] == STAGE else raw
            if answered is None:
                waiting.append(further)
            else:
                found[answered] = None
    return list(found)


def lines_of_play(program: Program, m: Image) -> tuple[Image, ...]:
    """The states at the ends of all lines from a state on, in the order of the options."""
    found: list[Image] = []
    waiting, steps = [m.copy()], 0
    while waiting:
        here = waiting.pop()
        if here.w[la.STATUS] == la.CHANCE:
            raise Unbounded("nature decides something on these lines, so they cannot be counted")
        if here.w[la.STATUS] != la.DECISION:
            found.append(here)
            if len(found) > LINE_LIMIT:
                raise Unbounded(f"there are more than {LINE_LIMIT} lines from here")
            continue
        seat = machine.asked(program, here)[0]
        site, env = machine.pending(program, here, seat)
        after: list[Image] = []
        for raw in whole_options(site, here, env):
            steps += 1
            if steps > STEP_LIMIT:
                raise Unbounded(f"there are more than {STEP_LIMIT} decisions on the lines from here")
            following = here.copy()
            machine.resume(program, following, raw, seat)
            after.append(following)
        waiting += reversed(after)
    return tuple(found)


Known = dict[bytes, tuple[Image, ...]]


def _lines(c: Compiler, span: Span) -> Callable[[Image], tuple[Image, ...]]:
    """The lines from the present state on; they are listed once for each state."""
    program = c.program
    known: Known = program.run.lines

    def lines(m: Image) -> tuple[Image, ...]:
        state = bytes(m.b)
        if state not in known:
            known.clear()
            try:
                known[state] = lines_of_play(program, m)
            except Unbounded as problem:
                raise program.run.failure(str(problem), span) from None
        return known[state]

    return lines


@compiles(s.Lines)
def _all_lines(c: Compiler, node: s.Lines) -> Closure:
    lines = _lines(c, node.span)
    return lambda m, env: lines(m)


@compiles(s.LinesWhere)
def _lines_where(c: Compiler, node: s.LinesWhere) -> Closure:
    source, test = c.expr(node.lines), c.expr(node.condition)
    return lambda m, env: tuple(end for end in source(m, env) if test(end, env))


__all__ = ["Unbounded", "lines_of_play", "whole_options"]
