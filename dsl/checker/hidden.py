"""What players may not know must not show in their options (language, section 11).

The options of a decision and the requirements of an action are seen by the one who decides, so they may not read what
lies in a zone that is hidden from him. The number of things in a zone is never hidden; `random` and `draw` may take
from anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator

from regelwerk.dsl.checker.context import Context
from regelwerk.dsl.diagnostics import Label
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.walking import walk


def check_options(c: Context, symbols: list[g.Symbol]) -> None:
    """Report every choice and requirement that reads a zone hidden from the one who decides."""
    for symbol in symbols:
        if isinstance(symbol, g.ActionSymbol):
            parts: list[object] = [symbol.head, symbol.prompt]
            for clause in symbol.clauses:
                parts += [clause[1]] if isinstance(clause, tuple) else [clause.condition]
            _check(c, parts, 0)
        for body in _bodies(symbol):
            for each in walk(body):
                if isinstance(each, t.Choose):
                    _check(c, [each.head, each.prompt], each.me.slot if isinstance(each.me, x.Local) else 0)


def _bodies(symbol: g.Symbol) -> Iterator[object]:
    if isinstance(symbol, g.ActionSymbol | g.EffectSymbol | g.EndSymbol):
        yield symbol.body
    for role in getattr(symbol, "roles", []):
        yield role.body
    if isinstance(symbol, g.EntitySymbol):
        for column in symbol.columns.values():
            for cell in column.cells:
                yield getattr(cell, "body", None)
    if isinstance(symbol, g.PhaseSymbol):
        yield from symbol.items
        for inner in symbol.phases:
            yield from _bodies(inner)


def _check(c: Context, parts: list[object], me: int) -> None:
    for part in parts:
        found = hidden_read(part, me, set())
        if found is not None:
            zone, where = found
            c.error(
                "E0360",
                f"the options here depend on what lies in `{zone.name}`, and the one who decides does not see it",
                where.span,
                "let nature choose with `random` or `draw`, ask for the number (`.count`), or let the zone be seen",
                (Label(zone.span, f"seen by {zone.seen_by}"),),
            )
            return


def hidden_read(part: object, me: int, seen: set[object]) -> tuple[g.ZoneSymbol, x.Expr] | None:
    """The first zone whose contents an expression reads though the player in slot `me` does not see them."""
    for each in walk(part):
        if isinstance(each, x.Contents | x.ZoneEnd) and isinstance(each.zone, x.ZoneRef):
            zone, key = each.zone.symbol, each.zone.key
            if isinstance(each, x.ZoneEnd) and each.end == "last" and zone.top_visible:
                continue
            own = isinstance(key, x.Local) and key.slot == me
            if zone.seen_by in ("nobody", "count") or (zone.seen_by == "owner" and not own and me >= 0):
                return zone, each
        elif isinstance(each, x.Call) and each.symbol not in seen and each.symbol.body is not None:
            seen.add(each.symbol)
            # what a value reads of its own parameters is not known here: only what nobody sees counts
            inner = hidden_read(each.symbol.body, -1, seen)
            if inner is not None:
                return inner[0], each
    return None
