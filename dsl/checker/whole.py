"""What holds of a game as a whole: something happens, nothing calls itself, phases have an exit."""

from __future__ import annotations

from dataclasses import dataclass

from regelwerk.dsl.checker import (
    acting,
    cells,
    computed,
    contradictions,
    footprints,
    hidden,
    interfaces,
    recursion,
    sealed,
    trigger_order,
)
from regelwerk.dsl.checker.caps import check_caps
from regelwerk.dsl.checker.context import Context
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.concern import reacting, spoken_of
from regelwerk.dsl.model.types import TallyType, Type, member_of, strip
from regelwerk.dsl.model.walking import walk
from regelwerk.dsl.syntax import files


def check_whole(c: Context, symbols: list[g.Symbol], file: files.RulesFile) -> None:
    """Checks that need all declarations."""
    header = file.header
    assert isinstance(header, files.GameHeader)
    phases = [each for each in symbols if isinstance(each, g.PhaseSymbol)]
    if not phases:
        c.error("E0509", "the game has no phases: nothing happens in it", header.name.span, "add `phase game { ... }`")
    ends = [each for each in symbols if isinstance(each, g.EndSymbol)]
    for found in c.phases.values():
        for phase in found:
            endless = any(isinstance(each, g.LoopDriver) and each.until is None for each in phase.drivers)
            endless = endless or any(
                isinstance(each, g.TurnsDriver) and each.first is not None and each.condition is None
                for each in phase.drivers
            )
            tested = [each for each in ends if each.at_once or (each.after is not None and inside(each.after, phase))]
            unplaced = any(not each.at_once and each.after is None for each in ends)  # which is reported
            if endless and not tested and not unplaced:
                c.error(
                    "E0510",
                    f"the phase `{phase.path}` never ends",
                    phase.span,
                    "say until when: `loop until c`, `turns from p while c`; or add an `end` that is tested in it",
                )
            if not phase.items:
                c.diagnostics.warning("W0501", f"the phase `{phase.path}` is empty", phase.span)
    check_caps(c, symbols)
    _no_cycles(c, symbols)
    hidden.check_hidden(c, symbols)
    zones = [each for each in symbols if isinstance(each, g.ZoneSymbol)]
    found_by = footprints.Footprints(c, zones)
    sealed.check_together(c, phases, found_by)
    if header.triggers == "owner_chooses":
        targets = [*symbols, *c.verbs.values(), *c.steps.values(), *(p for found in c.phases.values() for p in found)]
        trigger_order.note_unordered(list(dict.fromkeys(targets)), trigger_order.laws_of(symbols), found_by)
    known = [*symbols, *c.verbs.values(), *c.steps.values()]
    acting.check_acting(c, (part for symbol in known for part in bodies(symbol)))
    computed.check_all(c, symbols)
    recursion.check_calls(c, symbols)
    interfaces.check_interfaces(c)
    _nothing_unjudged(c, symbols)
    contradictions.check_contradictions(c, symbols)
    if len([each for each in symbols if isinstance(each, g.RankSymbol)]) == 0 and not any(
        each.won_by is not None for each in ends
    ):
        c.diagnostics.warning(
            "W0502", "nobody wins: the game has no `rank` and no `won by`", header.name.span, "add `rank winner by ...`"
        )


def inside(phase: g.PhaseSymbol, outer: g.PhaseSymbol) -> bool:
    """Whether a phase is passed again and again while `outer` goes round: it lies in it."""
    here: g.PhaseSymbol | None = phase
    while here is not None:
        if here is outer:
            return here is not phase
        here = here.parent
    return False


def _no_cycles(c: Context, symbols: list[g.Symbol]) -> None:
    """Nothing runs or asks for itself, rules included (library values may, they shrink)."""
    finished: set[object] = set()
    path: list[object] = []
    cells.find_rows([*symbols, *c.verbs.values(), *c.steps.values()])
    named = {
        cell: f"{entity.name}.{row.name}.{column.name}"
        for entity in symbols
        if isinstance(entity, g.EntitySymbol)
        for column in entity.columns.values()
        for row, cell in zip(entity.rows, column.cells, strict=False)
        if isinstance(cell, g.CellBody)
    }

    def visit(node: object) -> bool:
        if node in finished:
            return False
        if node in path:
            ring = [each for each in path[path.index(node) :] if isinstance(each, g.Symbol | g.CellBody | g.Role)]
            called = [named[each] if isinstance(each, g.CellBody) else each.name for each in ring]
            names = " -> ".join(f"`{each}`" for each in [*called, *called[:1]])
            first = ring[0] if ring else None
            if isinstance(first, g.CellBody) or any(isinstance(each, g.CellBody) for each in ring):
                at = next(k for k, each in enumerate(ring) if isinstance(each, g.CellBody))
                c.error(
                    "E0413",
                    f"the cell `{called[at]}` comes back to itself: {names}",
                    ring[at].span,
                    "say which rows it can be, by columns that never change: `where it.simple`, "
                    f"`if x is not {called[at].split('.')[1]} {{ }}`",
                )
            elif first is not None:
                c.error(
                    "E0412",
                    f"`{first.name}` comes back to itself: {names}",
                    first.span,
                    "break the circle: one of them must not use the next",
                )
            return True
        path.append(node)
        found = any(visit(each) for each in uses(node, c))
        path.pop()
        finished.add(node)
        return found

    kinds = g.EffectSymbol | g.ValueSymbol | g.ActionSymbol | g.TrackSymbol | g.ScoreSymbol | g.ConstantSymbol
    for symbol in [*symbols, *c.verbs.values()]:
        if isinstance(symbol, kinds | g.VerbSymbol) and visit(symbol):
            return
    columns = [column for each in symbols if isinstance(each, g.EntitySymbol) for column in each.columns.values()]
    any(visit(each) for each in [*named, *columns])


def overflowing(amount: t.Amount, c: Context) -> list[g.TrackSymbol]:
    """The tracks of an amount that do something when they overflow."""
    found = [unit.symbol for unit, _ in amount.parts if isinstance(unit, g.Unit)]
    if any(isinstance(each.type, TallyType) and each.type.symbol is None for each in amount.tallies):
        found += [unit.symbol for unit in c.unit_list]
    return [each for each in found if isinstance(each, g.TrackSymbol) and each.overflow_body is not None]


def _nothing_unjudged(c: Context, symbols: list[g.Symbol]) -> None:
    """The last guard: what could not be judged, and was not reported, is reported now."""
    if c.diagnostics.failed:
        return
    for symbol in symbols:
        for part in bodies(symbol):
            for each in walk(part):
                if isinstance(each, x.Unavailable):
                    c.error(
                        "E0399",
                        "this cannot be judged",
                        each.span,
                        "say what it is, for example with a `let` or a `value` that has a type",
                    )
                    return


def bodies(symbol: g.Symbol) -> list[object]:
    """All typed expressions and statements of a declaration."""
    found: list[object] = []
    for name in (
        "body",
        "value",
        "condition",
        "start",
        "supply",
        "contents",
        "capacity",
        "measure",
        "won_by",
        "head",
        "overflow_body",
        "default",
    ):
        found.append(getattr(symbol, name, None))
    for name in ("requirements", "lines"):
        for each in getattr(symbol, name, []):
            found += [getattr(each, "condition", None), getattr(each, "value", None)]
    for clause in getattr(symbol, "clauses", []):
        found += [clause[1]] if isinstance(clause, tuple) else [clause.condition, getattr(clause, "amount", None)]
    for role in getattr(symbol, "roles", []):
        found += [role.body, role.value, role.amount, *role.guards]
    if isinstance(symbol, g.EntitySymbol):
        for column in symbol.columns.values():
            found += [cell[1] if isinstance(cell, tuple) else getattr(cell, "body", None) for cell in column.cells]
    if isinstance(symbol, g.PhaseSymbol):
        found += [*symbol.items, *(part for driver in symbol.drivers for part in vars(driver).values())]
        found += [part for inner in symbol.phases for part in bodies(inner)]
    if isinstance(symbol, g.RankSymbol):
        found += [key for key, _, _ in symbol.keys]
    return [each for each in found if each is not None]


VERBS: dict[type, str] = {t.Gain: "gain", t.Lose: "lose", t.Move: "move", t.Draw: "draw", t.Roll: "roll"}


@dataclass(frozen=True)
class Happening:
    """A built-in event about things of a type, or about an amount of some units."""

    symbol: g.VerbSymbol
    kind: Type | None
    units: frozenset[int] | None

    def roles(self) -> list[g.Role]:
        """The rules that react to it."""
        if self.units is not None:
            return reacting(self.symbol.roles, self.units)
        return [role for role in self.symbol.roles if self.kind is None or role.about in (None, self.kind)]


def subject(node: object) -> Type | None:
    """The type of the things that a built-in event is about."""
    things = getattr(node, "things", None) or getattr(node, "dice", None) or getattr(node, "source", None)
    return strip(member_of(things.type) or things.type) if isinstance(things, x.Expr) else None


def uses(node: object, c: Context) -> list[object]:
    """The values, effects, cells and rules that run when this one does."""
    if isinstance(node, Happening):
        return [*node.roles()]
    parts: list[object] = []
    if isinstance(node, g.ValueSymbol):
        parts = [node.body]
    elif isinstance(node, g.EffectSymbol):
        parts = [node.body, *(each.condition for each in node.requirements)]
    elif isinstance(node, g.ActionSymbol):
        parts = [node.body]
    elif isinstance(node, g.Role):
        parts = [node.body, node.value, *node.guards]
    elif isinstance(node, g.TrackSymbol):
        parts = [node.overflow_body]
    elif isinstance(node, g.ConstantSymbol):
        parts = [node.value]
    elif isinstance(node, g.ScoreSymbol):
        parts = [line.value for line in node.lines]
    elif isinstance(node, g.CellBody):
        parts = [node.body]
    elif isinstance(node, g.ColumnSymbol):
        cells_of = [*node.cells, node.shared]
        parts = [cell[1] for cell in cells_of if isinstance(cell, tuple)]
    found: list[object] = [role for role in getattr(node, "roles", []) if role.kind != "forbid"]
    for part in parts:
        for each in walk(part):
            if isinstance(each, x.Call) and each.symbol is node and node in c.recursive:
                continue  # it shrinks
            if isinstance(each, x.Call | t.Do | x.CanDo):
                event = not isinstance(each, x.Call)  # a rule does not fire on events of its own body
                if not (event and isinstance(node, g.Role) and node in getattr(each.symbol, "roles", [])):
                    found.append(each.symbol)
            elif isinstance(each, x.ColumnRead | x.CellTest):
                found.append(each.column)
            elif isinstance(each, t.DoCell):
                reached = [each.column.cells[row - 1] for row in each.rows]
                found += [cell for cell in reached if isinstance(cell, g.CellBody)]
            elif isinstance(each, x.ConstantRead | x.ScoreRead):
                found.append(each.symbol)
            elif isinstance(each, t.Gain | t.Transfer):
                found += overflowing(each.amount, c)
            verb = VERBS.get(type(each))
            if verb is not None:
                spoken = spoken_of(each.amount, c.unit_list) if isinstance(each, t.Gain | t.Lose) else None
                happens = Happening(c.verbs[verb], subject(each), spoken)
                own = isinstance(node, g.Role) and node in happens.symbol.roles
                found += [role for role in happens.roles() if role is not node] if own else [happens]
            elif isinstance(each, t.Offer):
                found += each.actions
    return list(dict.fromkeys(found))
