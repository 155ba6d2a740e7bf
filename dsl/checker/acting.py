"""Who acts where: what needs a `me` is not run where nobody acts."""

from __future__ import annotations

from collections.abc import Iterator

from regelwerk.dsl.checker.context import Context
from regelwerk.dsl.diagnostics import Label
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import PLAYER
from regelwerk.dsl.model.walking import children

HELP = "say for whom: `everyone { ... }` or `acting p { ... }`"

ONLY_TOLD = {
    t.Move: "me",
    t.Draw: "me",
    t.Roll: "me",
    t.Do: "me",
    t.DoCell: "me",
    x.CanDo: "me",
    x.CanCell: "me",
    x.ColumnRead: "me",
    x.ConstantRead: "me",
    x.CellTest: "me",
}
"""Where `me` is passed on to whoever may ask for it, and nobody will do."""


class Actors:
    """Which bodies need somebody who acts."""

    def __init__(self) -> None:
        self._effects: dict[g.EffectSymbol, bool] = {}
        self._columns: dict[g.ColumnSymbol, bool] = {}

    def effect(self, symbol: g.EffectSymbol) -> bool:
        """Whether a named effect needs somebody who acts."""
        if symbol not in self._effects:
            self._effects[symbol] = False
            parts = [symbol.body, *(each.condition for each in symbol.requirements)]
            parts += [role.body for role in symbol.roles if not role.guards and not owned(role)]
            self._effects[symbol] = any(self.body(part) for part in parts)
        return self._effects[symbol]

    def column(self, symbol: g.ColumnSymbol) -> bool:
        """Whether all cells of a column of effects need somebody who acts."""
        if symbol not in self._columns:
            self._columns[symbol] = False
            cells = [cell for cell in symbol.cells if isinstance(cell, g.CellBody)]
            self._columns[symbol] = bool(cells) and all(self.body(cell.body) for cell in cells)
        return self._columns[symbol]

    def body(self, node: object) -> bool:
        """Whether a statement or expression needs the `me` of its frame."""
        if isinstance(node, x.Local) and node.slot == 0:
            return True
        if isinstance(node, t.Do) and acts_as_outside(node) and self.effect(node.symbol):
            return True
        if isinstance(node, t.DoCell) and acts_as_outside(node) and self.column(node.column):
            return True
        left_out = getattr(node, ONLY_TOLD[type(node)]) if type(node) in ONLY_TOLD else None
        return any(self.body(each) for each in children(node) if each is not left_out)


def acts_as_outside(node: t.Do | t.DoCell) -> bool:
    """Whether who acts in what is run is the `me` of the frame."""
    return isinstance(node.me, x.Local) and node.me.slot == 0


def nobody(expr: x.Expr) -> bool:
    """Whether an expression for `me` says that nobody acts."""
    return isinstance(expr, x.Const) and expr.type == PLAYER and expr.value == 0


def owned(role: g.Role) -> bool:
    """Whether a rule has a holder, who is its `me`."""
    return role.row is not None and role.row.entity.live_in is not None and role.row.entity.live_in.key == PLAYER


def check_acting(c: Context, parts: Iterator[object]) -> None:
    """Effects that need somebody where nobody acts, and rules on events that happen where nobody acts."""
    actors = Actors()
    reported: set[object] = set()
    lonely: list[t.Stmt] = []
    for part in parts:
        stack = [part]
        while stack:
            node = stack.pop()
            stack.extend(children(node))
            if isinstance(node, t.Do) and nobody(node.me) and actors.effect(node.symbol) and id(node) not in reported:
                reported.add(id(node))
                c.error(
                    "E0421",
                    f"nobody acts here, and `{node.symbol.name}` needs somebody who does",
                    node.span,
                    HELP,
                    (Label(node.symbol.span, "this effect"),),
                )
            elif (
                isinstance(node, t.DoCell)
                and nobody(node.me)
                and actors.column(node.column)
                and id(node) not in reported
            ):
                reported.add(id(node))
                c.error(
                    "E0421",
                    f"nobody acts here, and the effects in `{node.column.name}` need somebody who does",
                    node.span,
                    HELP,
                )
            elif isinstance(node, t.Move | t.Draw | t.Roll) and nobody(node.me):
                lonely.append(node)
    _rules_on_lonely_events(c, actors, lonely)


def _rules_on_lonely_events(c: Context, actors: Actors, lonely: list[t.Stmt]) -> None:
    """A rule that gains for whoever moved something fails where things move by themselves."""
    for kind, name in ((t.Move, "move"), (t.Draw, "draw"), (t.Roll, "roll")):
        place = next((each for each in lonely if isinstance(each, kind)), None)
        if place is None:
            continue
        for role in c.verbs[name].roles:
            if role.guards or owned(role) or role.body is None or not actors.body(role.body):
                continue
            c.diagnostics.warning(
                "W0521",
                f"this rule needs somebody who acts, and `{name}` also happens where nobody does",
                role.span,
                "say for whom: `everyone { ... }` or `acting p { ... }`, or exclude it with `while`",
                (Label(place.span, "for example here"),),
            )
