"""What of the rules ran in games: how often each effect, cell, rule, action, step and phase did.

    game = regelwerk.load("my_game.rules")
    game.coverage = Coverage()
    ... play ...
    game.coverage.by_address(game.address)

Counted are activations of phases; steps, actions and effects that run themselves (and are not replaced or refused);
cells that are run, and tests in cells that come out as yes; rules before, after and instead of something; modifiers,
and rules that forbid or waive, each time one is applied. Where nothing is to be counted nothing is compiled in.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from regelwerk.dsl.model import game as g
from regelwerk.dsl.source import Span
from regelwerk.interpreter import ir
from regelwerk.interpreter.layout import Image

if TYPE_CHECKING:
    from regelwerk.interpreter.evaluation.base import Closure, Locals
    from regelwerk.interpreter.lowering import Body


@dataclass(eq=False)
class Coverage:
    """How often what stands at a place of the rules ran. One may be shared by several games."""

    counts: dict[Span, int] = field(default_factory=dict)

    def count(self, span: Span) -> None:
        """It ran once more."""
        self.counts[span] = self.counts.get(span, 0) + 1

    def counting(self, span: Span) -> Closure:
        """An operation that counts."""

        def run(m: Image, env: Locals) -> None:
            self.count(span)

        return run

    def by_address(self, address: Callable[[Span], str]) -> dict[str, int]:
        """The counts by the addresses of clauses; of several rules in one cell the one that ran most."""
        found: dict[str, int] = {}
        for span, count in self.counts.items():
            name = address(span)
            if name:
                found[name] = max(found.get(name, 0), count)
        return found


def watched(coverage: Coverage | None, span: Span, closure: Closure) -> Closure:
    """A closure that counts, if something is counted."""
    if coverage is None:
        return closure

    def run(m: Image, env: Locals) -> object:
        coverage.count(span)
        return closure(m, env)

    return run


def passed(coverage: Coverage | None, span: Span, test: Closure) -> Closure:
    """A test that counts where it comes out as yes, if something is counted."""
    if coverage is None:
        return test

    def run(m: Image, env: Locals) -> object:
        result = test(m, env)
        if result:
            coverage.count(span)
        return result

    return run


def ran(body: Body, span: Span) -> None:
    """Lower the counting of an effect, an action or a step, if something is counted."""
    if body.lowering.sizes.coverage is not None and span.source:
        body.add(ir.Ran(span))


def places(procs: dict[object, ir.Proc]) -> dict[ir.Proc, Span]:
    """Where the rules say what is counted by entering its proc: rules, cells, ends and overflows."""
    found: dict[ir.Proc, Span] = {}
    for key, proc in procs.items():
        symbol = key[1] if isinstance(key, tuple) and key[0] == "overflow" else key
        if isinstance(symbol, g.Role | g.CellBody | g.EndSymbol | g.TrackSymbol):
            found[proc] = symbol.span
    return found


__all__ = ["Coverage", "passed", "places", "ran", "watched"]
