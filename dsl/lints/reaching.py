"""What can come about when a game is played: from the phases over what they offer and run, to the rules on all that.

Each owner of rules (a phase, an action, an effect, a cell, a rule, a value ...) is entered once. What a phase can never
come to, because something before it goes on until the game ends, is not entered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, TypeVar

from regelwerk.dsl.checker.context import Context
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.parse_errors import words

VERBS: dict[type, str] = {t.Gain: "gain", t.Lose: "lose", t.Move: "move", t.Draw: "draw", t.Roll: "roll"}

N = TypeVar("N")

EVENTS = ("before", "after", "instead")


def nodes_of(parts: Iterable[object]) -> list[object]:
    """Everything inside some typed parts.

    The same as `walk`, but the fields that never hold a node are not even looked at: lints walk over all of a game.
    """
    found: list[object] = []
    stack = [part for part in parts if part is not None]
    while stack:
        node = stack.pop()
        found.append(node)
        kind = node.__class__
        for name in _FIELDS.get(kind) or _fields_of(kind):
            value = getattr(node, name)
            if value.__class__ is list or value.__class__ is tuple:
                _add(stack, value)
            elif _holds(value.__class__):
                stack.append(value)
        if kind is x.Binder:
            for required in node.requirements:  # type: ignore[attr-defined]  # a binder
                stack.extend(part for part in (required.condition, required.otherwise) if part is not None)
    return found


def _add(stack: list[object], values: Iterable[Any]) -> None:
    for each in values:
        if each.__class__ is tuple or each.__class__ is list:
            _add(stack, each)
        elif _holds(each.__class__):
            stack.append(each)


_FIELDS: dict[type, tuple[str, ...]] = {}
_NEVER = words(
    "type span symbol slot it_slot chosen_slot count_slot done_slot operator attribute quantifier function name form "
    "address question index what requirements inner most highest_first"
)
"""Fields that hold no nodes, whatever they belong to."""


def _fields_of(kind: type) -> tuple[str, ...]:
    names = [each.name for each in fields(kind) if each.name not in _NEVER] if is_dataclass(kind) else []
    _FIELDS[kind] = found = tuple(names)
    return found


@cache
def _holds(kind: type) -> bool:
    """Whether a value of this kind is a node."""
    if issubclass(kind, x.Expr | x.Head | x.Binder | x.Template):
        return True
    return is_dataclass(kind) and kind.__module__ == t.__name__


def ends_never(phase: g.PhaseSymbol) -> bool:
    """Whether a phase goes on until the game ends, so that nothing behind it is reached."""
    for driver in phase.drivers:
        if isinstance(driver, g.WhenDriver):
            return False
        if isinstance(driver, g.LoopDriver):
            return driver.until is None
        if isinstance(driver, g.TurnsDriver):
            return driver.first is not None and driver.condition is None
        return False
    return any(isinstance(item, t.SubPhase) and ends_never(item.symbol) for item in phase.items)


def parts_of(owner: object) -> list[object]:
    """The typed parts of a declaration, without the rules on it and what only follows from them."""
    if isinstance(owner, g.ActionSymbol):
        found: list[object] = [owner.prompt, owner.head, owner.limit.at_most if owner.limit else None, owner.body]
        for clause in owner.clauses:
            if isinstance(clause, tuple):
                found.append(clause[1])
            elif isinstance(clause, g.RequireSymbol):
                found += [clause.condition, clause.otherwise]
            else:
                found += [clause.amount, clause.condition, clause.printed]
        return found
    if isinstance(owner, g.EffectSymbol):
        required = [part for each in owner.requirements for part in (each.condition, each.otherwise)]
        return [*owner.defaults, *required, owner.body]
    if isinstance(owner, g.ValueSymbol):
        return [*owner.defaults, owner.body]
    if isinstance(owner, g.Role):
        return [*owner.guards, owner.value, owner.amount, owner.body, owner.reason]
    if isinstance(owner, g.CellBody):
        return [owner.body]
    if isinstance(owner, g.PhaseSymbol):
        drivers = [part for driver in owner.drivers for part in vars(driver).values() if isinstance(part, x.Expr)]
        return [*drivers, *reached_items(owner)]
    return _parts_of_things(owner)


def _parts_of_things(owner: object) -> list[object]:
    if isinstance(owner, g.ColumnSymbol):
        cells = [*owner.cells, owner.shared]
        return [each[1] if isinstance(each, tuple) else each for each in cells if not isinstance(each, g.CellBody)]
    if isinstance(owner, g.EntitySymbol):
        found: list[object] = [row.copies for row in owner.rows]
        if owner.computed is not None:
            made = owner.computed
            found += [made.head, made.order, made.copies, *(value for _, value in made.fields)]
        return found
    if isinstance(owner, g.ScoreSymbol):
        return [line.value for line in owner.lines]
    if isinstance(owner, g.RankSymbol):
        return [key for key, _, _ in owner.keys]
    if isinstance(owner, g.EndSymbol):
        return [owner.condition, owner.won_by, owner.body]
    names = (
        "start",
        "supply",
        "capacity",
        "contents",
        "overflow_body",
        "measure",
        "at_least",
        "value",
        "default",
        "condition",
    )
    return [getattr(owner, name, None) for name in names]


def reached_items(phase: g.PhaseSymbol) -> list[t.Stmt]:
    """The items of a phase up to the first that goes on until the game ends."""
    found = []
    for item in phase.items:
        found.append(item)
        if isinstance(item, t.SubPhase) and ends_never(item.symbol):
            break
    return found


class Reach:
    """What is reached when the game is played, and the nodes in it by their types."""

    def __init__(self, game: g.CheckedGame, c: Context, told: frozenset[str]) -> None:
        """`told`: the names that scenarios speak of; what they run counts as reached."""
        self.c = c
        self.nodes: dict[object, list[object]] = {}
        """The nodes of each owner that is entered."""
        self.mentioned: dict[object, None] = {}
        """All that is spoken of in what is entered, itself entered."""
        self.offered: dict[g.ActionSymbol, None] = {}
        self._by_type: dict[type, list[tuple[object, object]]] = {}
        self._waiting: list[object] = []
        known = [each for each in (*game.effects, *game.actions) if each.name in told]
        for root in [*game.phases, *game.ends, *game.ranks, *game.scores, *game.invariants, *game.awards, *known]:
            self._enter(root)
        if game.cap is not None:
            self._take(self, nodes_of([game.cap[0]]))
        while self._waiting:
            owner = self._waiting.pop()
            found = nodes_of(parts_of(owner))
            self.nodes[owner] = found
            self._take(owner, found)

    def __contains__(self, owner: object) -> bool:
        return owner in self.mentioned

    def of(self, kind: type[N]) -> Iterator[tuple[object, N]]:
        """All nodes of a kind in what is reached, each with its owner."""
        yield from self._by_type.get(kind, ())  # type: ignore[misc]  # sorted in by their types

    def of_any(self, *kinds: type) -> Iterator[Any]:
        """All nodes of some kinds in what is reached."""
        for kind in kinds:
            yield from (node for _, node in self._by_type.get(kind, ()))

    def _enter(self, owner: object) -> None:
        if owner in self.mentioned:
            return
        self.mentioned[owner] = None
        self._waiting.append(owner)
        if isinstance(owner, g.ZoneSymbol):
            self._enter(owner.entity)
        clauses = [each for each in getattr(owner, "clauses", ()) if not isinstance(each, tuple)]
        for each in [owner, *clauses, *getattr(owner, "requirements", ())]:
            for role in getattr(each, "roles", ()):
                self._enter(role)

    def _take(self, owner: object, nodes: list[object]) -> None:
        by_type, spoken = self._by_type, _SPOKEN
        for node in nodes:
            kind = node.__class__
            by_type.setdefault(kind, []).append((owner, node))
            names = spoken.get(kind)
            if names is not None:
                self._enter(getattr(node, names))
            if kind in _FURTHER:
                self._further(node)

    def _further(self, node: object) -> None:
        verb = VERBS.get(type(node))
        if verb is not None:
            self._enter(self.c.verbs[verb])
        if isinstance(node, t.Amount):
            for unit, _ in node.parts:
                self._enter(unit.symbol if isinstance(unit, g.Unit) else unit[0])
        elif isinstance(node, t.Offer):
            for action in node.actions:
                self.offered[action] = None
                self._enter(action)
        elif isinstance(node, t.DoCell):
            for row in node.rows:
                cell = node.column.cells[row - 1]
                if isinstance(cell, g.CellBody):
                    self._enter(cell)


_SPOKEN: dict[type, str] = {
    x.Call: "symbol",
    x.CanDo: "symbol",
    x.ColumnRead: "column",
    x.CellTest: "column",
    x.CanCell: "column",
    x.ConstantRead: "symbol",
    x.OptionRead: "symbol",
    x.StateRead: "symbol",
    x.TrackRead: "symbol",
    x.ResourceRead: "symbol",
    x.ZoneRef: "symbol",
    x.AllThings: "symbol",
    x.RowConst: "symbol",
    x.ScoreRead: "symbol",
    x.AwardHolder: "symbol",
    x.RecordOf: "symbol",
    t.Do: "symbol",
    t.DoCell: "column",
    t.SetState: "symbol",
    t.SetTrack: "symbol",
    t.ShuffleState: "symbol",
    t.Step: "symbol",
    t.SubPhase: "symbol",
}
"""Nodes that speak of one declaration, and where they name it."""

_FURTHER = frozenset({*VERBS, t.Amount, t.Offer, t.DoCell})

__all__ = ["EVENTS", "VERBS", "Reach", "ends_never", "nodes_of", "parts_of", "reached_items"]
