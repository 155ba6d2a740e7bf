"""Values of libraries that call themselves, each time with less for one parameter (`shrinking x`).

While one is asked for, its answers are kept: the same question is not answered twice within it. How much work that
takes depends on the question alone, so the bound on work is met in every run alike.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import SetType
from regelwerk.interpreter.evaluation.base import Value
from regelwerk.interpreter.faults import Fault
from regelwerk.interpreter.layout import Image

Function = Callable[[Image, list[Any]], Value]

DEPTH = 1100
"""How deep a value may call itself: sets have at most 1,024 members."""

CALL = 25
"""What one call is charged of the work that a decision may take."""

PYTHON_DEPTH = 60_000
"""Calls of Python that this depth takes at most (one call of a value is a nest of closures)."""

ANSWERS = 1 << 16
"""How many answers are kept from one question to the next."""


def recursive_function(symbol: g.ValueSymbol, function: Function) -> Function:
    """The function of a value that calls itself: tests that every call shrinks, and answers each question once."""
    assert symbol.shrinking is not None
    name, kind = symbol.parameters[symbol.shrinking]
    index = symbol.shrinking + (1 if symbol.takes_me else 0)
    is_set = isinstance(kind, SetType)
    lowest = getattr(kind, "lowest", 0)
    measures: list[Any] = []
    answers: dict[tuple[Any, ...], Value] = {}

    def smaller(now: Any, above: Any) -> bool:
        return now != above and not now & ~above if is_set else lowest <= now < above

    def recursive(m: Image, arguments: list[Any]) -> Value:
        measure = arguments[index]
        if not measures:
            return outermost(m, arguments, measure)
        if not smaller(measure, measures[-1]):
            raise Fault("depth", f"`{symbol.name}` calls itself without less `{name}`", symbol.span)
        key = tuple(arguments)
        found = answers.get(key)
        if found is None:
            if len(measures) >= DEPTH:
                raise Fault("depth", f"`{symbol.name}` calls itself more than {DEPTH:,} times deep", symbol.span)
            m.work -= CALL
            if m.work < 0:
                raise Fault("budget", f"`{symbol.name}` has too much to look at", symbol.span)
            measures.append(measure)
            found = answers[key] = function(m, arguments)
            measures.pop()
        return found

    def outermost(m: Image, arguments: list[Any], measure: Any) -> Value:
        limit = sys.getrecursionlimit()
        measures.append(measure)
        try:
            sys.setrecursionlimit(max(limit, PYTHON_DEPTH))
            return function(m, arguments)
        except RecursionError:
            raise Fault("depth", f"`{symbol.name}` calls itself too deeply", symbol.span) from None
        finally:
            measures.clear()
            answers.clear()
            sys.setrecursionlimit(limit)

    return recursive


def charged_cache(function: Function) -> Function:
    """A function that keeps its answers, and charges the work they took each time."""
    table: dict[tuple[Any, ...], tuple[Value, int]] = {}

    def cached(m: Image, arguments: list[Any]) -> Value:
        key = tuple(arguments)
        found = table.get(key)
        if found is None:
            work = m.work
            value = function(m, arguments)
            if len(table) >= ANSWERS:
                table.clear()
            table[key] = value, work - m.work
            return value
        m.work -= found[1]
        if m.work < 0:
            raise Fault("budget", "there is too much to look at")
        return found[0]

    return cached
