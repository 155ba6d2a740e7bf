"""`cap 60 round`: which phase is counted, and how many passes of it there may be."""

from __future__ import annotations

from regelwerk.dsl.checker.computed import reached
from regelwerk.dsl.checker.context import Context, Scope
from regelwerk.dsl.checker.expressions import check_number
from regelwerk.dsl.diagnostics import Label
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import IntType, strip
from regelwerk.dsl.model.walking import state_read
from regelwerk.dsl.syntax import files


def check_cap(c: Context, header: files.GameHeader) -> tuple[x.Expr, g.PhaseSymbol | str] | None:
    """The number of passes and the phase (or `turn`), if there is a cap and both are right."""
    node = header.cap
    if node is None:
        return None
    phase = next(iter(c.phases.get(node.phase.text, [])), None)
    if phase is None and node.phase.text != "turn":
        c.error(
            "E0501",
            f"there is no phase `{node.phase.text}`",
            node.phase.span,
            c.suggest(node.phase.text, list(c.phases)),
        )
    limit = check_number(c, node.count, Scope(g.Frame(), address="cap"), "the cap")
    _fixed(c, limit)
    return limit, phase or "turn"


def _fixed(c: Context, limit: x.Expr) -> None:
    """The number must be known before the game begins, and there is a game if at least one pass is allowed."""
    modified = (n for n in reached(limit) if isinstance(n, x.ConstantRead) and n.symbol.roles)
    found = state_read(limit) or next(modified, None)
    chance = next((n for n in reached(limit) if isinstance(n, x.OptionRead) and n.symbol.default is None), None)
    kind = strip(limit.type)
    if found is not None:
        c.error(
            "E0353",
            "the cap must be known before the game begins",
            found.span,
            "name a constant, or an option with a default",
        )
    elif chance is not None:
        c.error(
            "E0513",
            f"the cap depends on the option `{chance.symbol.name}`, which chance may decide",
            limit.span,
            "give the option a default",
            (Label(chance.symbol.span, "`random` by default"),),
        )
    elif isinstance(kind, IntType) and kind.lowest < 1:
        c.error("E0514", "the cap may be 0: then nothing would be played", limit.span, "let it be 1 at least")
