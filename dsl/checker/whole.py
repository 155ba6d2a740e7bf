"""What holds of a game as a whole: something happens, nothing calls itself, phases have an exit."""

from __future__ import annotations

from regelwerk.dsl.checker.context import Context
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.walking import walk
from regelwerk.dsl.syntax import files


def check_whole(c: Context, symbols: list[g.Symbol], file: files.RulesFile) -> None:
    """Checks that need all declarations."""
    header = file.header
    assert isinstance(header, files.GameHeader)
    phases = [each for each in symbols if isinstance(each, g.PhaseSymbol)]
    if not phases:
        c.error("E0509", "the game has no phases: nothing happens in it", header.name.span, "add `phase game { ... }`")
    if header.cap is not None and header.cap.phase.text not in (*c.phases, "turn"):
        c.error(
            "E0501",
            f"there is no phase `{header.cap.phase.text}`",
            header.cap.phase.span,
            c.suggest(header.cap.phase.text, list(c.phases)),
        )
    ends = [each for each in symbols if isinstance(each, g.EndSymbol)]
    for found in c.phases.values():
        for phase in found:
            endless = any(isinstance(each, g.LoopDriver) and each.until is None for each in phase.drivers)
            endless = endless or any(
                isinstance(each, g.TurnsDriver) and each.first is not None and each.condition is None
                for each in phase.drivers
            )
            tested = [each for each in ends if each.at_once or (each.after is not None and inside(each.after, phase))]
            if endless and not tested:
                c.error(
                    "E0510",
                    f"the phase `{phase.path}` never ends",
                    phase.span,
                    "say until when: `loop until c`, `turns from p while c`; or add an `end` that is tested in it",
                )
            if not phase.items:
                c.diagnostics.warning("W0501", f"the phase `{phase.path}` is empty", phase.span)
    _no_cycles(c, symbols)
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

    def visit(node: object) -> bool:
        if node in finished:
            return False
        if node in path:
            ring = [each for each in path[path.index(node) :] if isinstance(each, g.Symbol)]
            names = " -> ".join(f"`{each.name}`" for each in [*ring, *ring[:1]])
            first = ring[0] if ring else None
            if any(isinstance(each, g.ColumnSymbol) for each in ring) and first is not None:
                c.not_yet("a cell of a table that runs cells of the same column", first.span)
            elif first is not None:
                c.error(
                    "E0412",
                    f"`{first.name}` comes back to itself: {names}",
                    first.span,
                    "break the circle: one of them must not use the next",
                )
            return True
        path.append(node)
        found = any(visit(each) for each in uses(node))
        path.pop()
        finished.add(node)
        return found

    for symbol in symbols:
        if (
            isinstance(symbol, g.EffectSymbol | g.ValueSymbol | g.ActionSymbol)
            and getattr(symbol, "library", None) is None
            and visit(symbol)
        ):
            return


def uses(node: object) -> list[object]:
    """The values, effects, cells and rules that run when this one does."""
    parts: list[object] = []
    if isinstance(node, g.ValueSymbol):
        if node.library is not None:
            return []
        parts = [node.body]
    elif isinstance(node, g.EffectSymbol):
        parts = [node.body, *(each.condition for each in node.requirements)]
    elif isinstance(node, g.ActionSymbol):
        parts = [node.body]
    elif isinstance(node, g.Role):
        parts = [node.body, node.value, *node.guards]
    elif isinstance(node, g.ColumnSymbol):
        parts = [cell.body for cell in node.cells if isinstance(cell, g.CellBody)]
    found: list[object] = [role for role in getattr(node, "roles", []) if role.kind != "forbid"]
    for part in parts:
        for each in walk(part):
            if isinstance(each, x.Call | t.Do | x.CanDo):
                if not (isinstance(node, g.Role) and node in getattr(each.symbol, "roles", [])):
                    found.append(each.symbol)  # a rule does not fire on events of its own body
            elif isinstance(each, t.DoCell):
                found.append(each.column)
            elif isinstance(each, t.Offer):
                found += each.actions
    return list(dict.fromkeys(found))
