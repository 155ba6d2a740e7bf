"""Rules that may contradict each other: two say `becomes`, and nothing keeps both from holding at once.

It cannot be decided in general whether guards exclude each other, so rules with a guard are trusted.
"""

from __future__ import annotations

from regelwerk.dsl.checker.context import Context
from regelwerk.dsl.diagnostics import Label
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g


def check_contradictions(c: Context, symbols: list[g.Symbol]) -> None:
    """Warn of two rules that make one thing different (language, section 9: fault `clash`)."""
    for symbol in symbols:
        if isinstance(symbol, g.EntitySymbol):
            for column in symbol.columns.values():
                _clash(c, column.roles, column.name)
        elif isinstance(symbol, g.ValueSymbol | g.ConstantSymbol):
            _clash(c, symbol.roles, symbol.name)


def _clash(c: Context, roles: list[g.Role], name: str) -> None:
    """Two rules say `becomes` with different values, and neither has a guard."""
    becomes = [role for role in roles if role.kind == "becomes"]
    for index, role in enumerate(becomes):
        for other in becomes[:index]:
            if role.guards or other.guards or _same(role.value, other.value) or _one_copy(role, other):
                continue
            c.diagnostics.warning(
                "W0607",
                f"two rules make `{name}` different things, and both can hold",
                role.span,
                "give one of them a guard (`while ...`); if both hold the game stops",
                (Label(other.span, "the other rule"),),
            )
            return


def _same(a: x.Expr | None, b: x.Expr | None) -> bool:
    return isinstance(a, x.Const) and isinstance(b, x.Const) and a.value == b.value


def _one_copy(a: g.Role, b: g.Role) -> bool:
    """Whether both rules stand in cells of types whose places never hold both at once."""
    if a.row is None or b.row is None or a.row.entity is not b.row.entity:
        return False
    zone = a.row.entity.live_in
    return zone is not None and isinstance(zone.capacity, x.Const) and zone.capacity.value == 1


__all__ = ["check_contradictions"]
