"""What there is to count in a game, and how much of it ran.

Every place of the rules that can run is counted once, however often it stands in the model: phases, steps, actions,
effects, cells of effects and tests, triggers, modifiers, rules that forbid and that waive, overflows of tracks, lines
of scores, awards, ends, values of options, values, branches. A condition is two places: that it came out as yes, and
that it came out as no. What the standard library holds is no part of the author's rules and is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.walking import walk
from regelwerk.dsl.source import Source, Span
from regelwerk.interpreter.coverage import NO, YES
from regelwerk.interpreter.probing import is_own, phases_of
from regelwerk.tools.coverage.playing import countable_values

if TYPE_CHECKING:
    from regelwerk.interpreter.api import Game
    from regelwerk.tools.coverage.playing import Tally

KINDS = (
    "phases",
    "steps",
    "actions",
    "effects",
    "cells",
    "triggers",
    "modifiers",
    "prohibitions",
    "waivers",
    "overflows",
    "score lines",
    "awards",
    "ends",
    "options",
    "values",
    "branches",
    "conditions",
)
"""In the order in which they are shown."""

_ROLES = {
    "before": "triggers",
    "after": "triggers",
    "instead": "triggers",
    "forbid": "prohibitions",
    "waive": "waivers",
}


@dataclass(frozen=True)
class Item:
    """One place that can run.

    what     which of several at the place: of a branch `then`, `else`; of an option its value
    count    how often; None where that is not counted (conditions, values, cases)
    yes, no  whether it ran; of a condition, whether it came out so. Of all others `no` is None.
    """

    kind: str
    address: str
    span: Span
    what: str
    count: int | None
    yes: bool
    no: bool | None = None

    @property
    def all(self) -> int:
        """How many places it is."""
        return 1 if self.no is None else 2

    @property
    def ran(self) -> int:
        """How many of them ran."""
        return int(self.yes) + int(bool(self.no))

    @property
    def state(self) -> str:
        """`ran`, `never`, or of a condition `only yes` or `only no`."""
        if self.ran == self.all:
            return "ran"
        return "never" if not self.ran else "only yes" if self.yes else "only no"


@dataclass(frozen=True)
class Figures:
    """How many places of a kind there are, and how many ran."""

    ran: int
    all: int

    @property
    def percent(self) -> float:
        """Of nothing, all ran."""
        return 100.0 * self.ran / self.all if self.all else 100.0

    def __add__(self, other: Figures) -> Figures:
        """Both together."""
        return Figures(self.ran + other.ran, self.all + other.all)


@dataclass(frozen=True)
class Reading:
    """All items of a game, by kind and then by place."""

    items: tuple[Item, ...]
    sources: Mapping[str, Source]

    def figures(self) -> dict[str, Figures]:
        """How much ran, by kind; only kinds that the game has."""
        found: dict[str, Figures] = {}
        for item in self.items:
            found[item.kind] = found.get(item.kind, Figures(0, 0)) + Figures(item.ran, item.all)
        return found

    @property
    def total(self) -> Figures:
        """How much of everything ran."""
        return Figures(sum(item.ran for item in self.items), sum(item.all for item in self.items))

    def place(self, span: Span) -> tuple[str, int]:
        """The file and the line of a place."""
        source = self.sources.get(span.source)
        return span.source, source.position(span.start)[0] if source is not None else 0

    def text(self, span: Span) -> str:
        """What stands at a place, on one line."""
        source = self.sources.get(span.source)
        return " ".join(source.text[span.start : span.end].split()) if source is not None else ""


def read(game: Game, tally: Tally) -> Reading:
    """What ran of a game."""
    own = {name: source for name, source in game.sources.items() if is_own(name)}
    found = [each for each in _items(game, tally) if each.span.source in own]
    order = {name: number for number, name in enumerate(own)}
    ranks = {kind: number for number, kind in enumerate(KINDS)}
    found.sort(key=lambda each: (ranks[each.kind], order[each.span.source], each.span.start, each.span.end))
    return Reading(tuple(found), own)


def _items(game: Game, tally: Tally) -> Iterator[Item]:
    checked, counts = game.checked, tally.coverage.counts
    for kind, spans in _declared(checked):
        for span in dict.fromkeys(spans):
            count = counts.get(span, 0)
            yield Item(kind, game.address(span), span, "", count, count > 0)
    for score in checked.scores:
        for line in score.lines:
            count = tally.lines[line.span]
            yield Item("score lines", game.address(line.span), line.span, "", count, count > 0)
    for option in checked.options:
        for value in countable_values(game, option):
            count = tally.options[option.name, value]
            yield Item("options", option.name, option.span, value, count, count > 0)
    yield from _watched(game, tally)


def _watched(game: Game, tally: Tally) -> Iterator[Item]:
    """The branches, conditions and values that have probes."""
    coverage = tally.coverage
    for number, place in enumerate(coverage.places):
        address, noted = game.address(place.span), coverage.noted[number]
        if place.kind == "condition":
            yield Item("conditions", address, place.span, place.what, None, bool(noted & YES), bool(noted & NO))
        elif place.kind == "value":
            yield Item("values", address, place.span, place.what, None, bool(noted))
        elif place.what in _ASKED:
            yield Item("branches", address, place.span, place.what, None, bool(noted))
        else:
            count = coverage.passed[number]
            yield Item("branches", address, place.span, place.what, count, count > 0)


_ASKED = frozenset({"case", "else case", "list", "sum", "min", "max"})
"""The branches of values."""


def _declared(game: g.CheckedGame) -> Iterator[tuple[str, Iterable[Span]]]:
    """The places whose runs are counted one by one, by kind."""
    phases = list(phases_of(game.phases))
    yield "phases", [each.span for each in phases]
    yield "steps", _steps(game, phases)
    yield "actions", [each.span for each in game.actions]
    yield "effects", [each.span for each in game.effects]
    yield "cells", _cells(game)
    roles: dict[str, list[Span]] = {}
    for role in game.roles:
        roles.setdefault(_ROLES.get(role.kind, "modifiers"), []).append(role.span)
    yield from roles.items()
    yield "overflows", [each.span for each in game.tracks if each.overflow_body is not None]
    yield "awards", [each.span for each in game.awards]
    yield "ends", [each.span for each in game.ends]


def _steps(game: g.CheckedGame, phases: Iterable[g.PhaseSymbol]) -> Iterator[Span]:
    bodies: list[object] = [item for phase in phases for item in phase.items]
    bodies += [each.body for each in game.effects]
    bodies += [each.body for each in game.actions]
    for body in bodies:
        for node in walk(body):
            if isinstance(node, t.Step):
                yield node.symbol.span


def _cells(game: g.CheckedGame) -> Iterator[Span]:
    for entity in game.entities:
        for column in entity.columns.values():
            for cell in column.cells:
                if isinstance(cell, g.CellBody):
                    yield cell.span
                elif isinstance(cell, tuple) and column.kind == "test" and not _never(cell[1]):
                    yield cell[1].span


def _never(test: x.Expr) -> bool:
    """Whether a test is written as `no`."""
    return isinstance(test, x.Const) and not test.value


__all__ = ["KINDS", "Figures", "Item", "Reading", "read"]
