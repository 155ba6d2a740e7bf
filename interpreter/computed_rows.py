"""Computed rows: `table Corner/Corners distinct (x: e, y: e) for H order k`, found when a game is laid out."""

from __future__ import annotations

from typing import Any

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import ThingType, strip
from regelwerk.interpreter.evaluation.base import EMPTY, Compiler, Locals, reads_state
from regelwerk.interpreter.evaluation.heads import compile_head, enumerator
from regelwerk.interpreter.faults import Fault
from regelwerk.interpreter.layout import WORK, Image

Cells = dict[g.ColumnSymbol, list[Any]]


def computed_rows(c: Compiler, entity: g.EntitySymbol, computed: g.ComputedRows) -> tuple[list[g.RowSymbol], Cells]:
    """The rows of a type in their order, and their columns. Every different tuple of fields is one row.

    The first row is called `Corner.1`, and printed `corner 1`. Rows made of nothing but rows of computed tables are
    printed by their numbers: `edge 31-41`.
    """
    assert computed.head is not None
    values = [value for _, value in computed.fields]
    parts: list[x.Expr | x.Head] = [computed.head, *values, *([computed.order] if computed.order is not None else [])]
    if any(reads_state(c, part) for part in parts):
        raise Fault("none", f"the rows of {entity.name} depend on what chance decides", computed.span)
    before, loops = compile_head(c, computed.head, [], False)
    fields = [c.expr(value) for value in values]
    order = c.expr(computed.order) if computed.order is not None else None
    found: dict[tuple[Any, ...], int] = {}

    def collect(m: Image, env: Locals) -> bool:
        row = tuple([field(m, env) for field in fields])
        if row not in found:
            if len(found) >= g.ROWS:
                raise Fault("budget", f"{entity.name} has more than {g.ROWS:,} rows", computed.span)
            for slot, value in zip(computed.slots, row, strict=True):
                env[slot] = value
            found[row] = order(m, env) if order is not None else 0
        return False

    work, EMPTY.work = EMPTY.work, WORK
    try:
        enumerator(before, loops, collect)(EMPTY, [0] * (2 * len(computed.frame.types) + 64))
    finally:
        EMPTY.work = work
    tuples = sorted(found, key=lambda row: found[row])
    kinds = [strip(value.type) for value in values]
    pairs = len(kinds) > 1 and all(isinstance(each, ThingType) and each.symbol.computed is not None for each in kinds)
    rows = []
    for number in range(1, len(tuples) + 1):
        row = g.RowSymbol(f"{entity.name}.{number}", computed.span, entity=entity, index=number)
        numbers = "-".join(str(each) for each in tuples[number - 1]) if pairs else str(number)
        row.printed = f"{entity.words.one} {numbers}"
        row.copies, row.per_player = computed.copies, computed.per_player
        rows.append(row)
    return rows, {column: [row[k] for row in tuples] for k, (column, _) in enumerate(computed.fields)}
