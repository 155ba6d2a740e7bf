"""What of the rules ran in games: how often each effect, cell, rule, action, step and phase did, and each branch.

    game = regelwerk.load("my_game.rules")
    game.coverage = Coverage()
    ... play ...
    game.coverage.by_address(game.address)

Counted are activations of phases; steps, actions and effects that run themselves (and are not replaced or refused);
cells that are run, and tests in cells that come out as yes; rules before, after and instead of something; modifiers,
rules that forbid or waive, each time one is applied; awards when somebody gets one. With the probes and marks that
`regelwerk.interpreter.probing` puts into a checked game, also: how often each branch was taken, and which conditions
came out as yes and as no. Where nothing is to be counted nothing is compiled in.

Conditions have no counts: how often one is asked depends on what the interpreter remembers. Whether it ever came out
as yes does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from regelwerk.dsl.model import game as g
from regelwerk.dsl.source import Span
from regelwerk.interpreter import ir
from regelwerk.interpreter.layout import Image

if TYPE_CHECKING:
    from regelwerk.interpreter.decisions import Raw
    from regelwerk.interpreter.evaluation.base import Closure, Locals
    from regelwerk.interpreter.lowering import Body


PlaceKind = Literal["branch", "condition", "value"]

NO, YES = 1, 2
"""What is noted of a condition; of a value that was asked: `NO`."""


@dataclass(frozen=True)
class Place:
    """A branch, a condition or a value, by its number. `what` says which branch it is: `then`, `for each` ..."""

    kind: PlaceKind
    span: Span
    what: str


@dataclass(eq=False)
class Coverage:
    """How often what stands at a place of the rules ran. One may be shared by several games.

    counts     by the place of what ran
    places     the branches, conditions and values that are watched, by number
    passed     how often each of these was passed, of branches of effects
    noted      what is known of each condition and value (`NO`, `YES`)
    refusals   the branch of saying pass, no or done, by the statement that asks
    """

    counts: dict[Span, int] = field(default_factory=dict)
    places: list[Place] = field(default_factory=list)
    passed: list[int] = field(default_factory=list)
    noted: bytearray = field(default_factory=bytearray)
    refusals: dict[Any, int] = field(default_factory=dict)
    _numbers: dict[Place, int] = field(default_factory=dict)

    def place(self, kind: PlaceKind, span: Span, what: str = "") -> int:
        """The number of a place; what stands there several times in the model is one place."""
        place = Place(kind, span, what)
        number = self._numbers.get(place)
        if number is None:
            number = self._numbers[place] = len(self.places)
            self.places.append(place)
            self.passed.append(0)
            self.noted.append(0)
        return number

    def passing(self, number: int) -> Closure:
        """An operation that counts a branch."""
        passed = self.passed

        def run(m: Image, env: Locals) -> None:
            passed[number] += 1

        return run

    def asking(self, number: int, value: Closure) -> Closure:
        """A value that is noted when it is asked."""
        noted = self.noted

        def run(m: Image, env: Locals) -> object:
            noted[number] = NO
            return value(m, env)

        return run

    def answering(self, number: int, test: Closure) -> Closure:
        """A condition whose answers are noted."""
        noted = self.noted

        def run(m: Image, env: Locals) -> object:
            result = test(m, env)
            noted[number] |= YES if result else NO
            return result

        return run

    def refusing(
        self, asking: object, take: Callable[[Image, Locals, Raw], Any]
    ) -> Callable[[Image, Locals, Raw], Any]:
        """What takes an answer, counting those that are no, pass or done."""
        number = self.refusals.get(asking)
        if number is None:
            return take
        passed = self.passed

        def taking(m: Image, env: Locals, option: Raw) -> Any:
            if -3 < option[0] < 0:  # pass, no or done; -3 is an answer of several
                passed[number] += 1
            return take(m, env, option)

        return taking

    def add(self, other: Coverage) -> None:
        """Add what was counted elsewhere; places that are not of this game are left out."""
        for span, count in other.counts.items():
            self.counts[span] = self.counts.get(span, 0) + count
        for place, passed, noted in zip(other.places, other.passed, other.noted, strict=True):
            number = self._numbers.get(place)
            if number is not None:
                self.passed[number] += passed
                self.noted[number] |= noted

    def plain(self) -> Coverage:
        """The same without what it is tied to in this process."""
        return Coverage(dict(self.counts), self.places, list(self.passed), bytearray(self.noted))

    @contextmanager
    def resting(self) -> Iterator[None]:
        """What runs meanwhile is not counted: a player who tries something out on a copy."""
        counts, passed, noted = dict(self.counts), list(self.passed), bytes(self.noted)
        try:
            yield
        finally:
            self.counts.clear()
            self.counts.update(counts)
            self.passed[:], self.noted[:] = passed, noted

    def clear(self) -> None:
        """Forget the counts. What is noted of conditions stays: part of it is found out when a game is set up."""
        self.counts.clear()
        self.passed[:] = [0] * len(self.passed)

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


__all__ = ["NO", "YES", "Coverage", "Place", "PlaceKind", "passed", "places", "ran", "watched"]
