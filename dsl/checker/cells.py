"""Which cells of a column of effects a `do x.column` can reach.

A cell may run cells of its own column if no circle comes of it. Which rows are left is read off what is known at load:
rows by name, and conditions over constant columns (`where it.once and it is not s29`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import RowType, ThingType, member_of, strip
from regelwerk.dsl.model.walking import children

Rows = frozenset[int]
Known = dict[int, Rows]
"""The rows that local variables can be of, as far as they are not all."""

UNKNOWN: object = object()


def find_rows(symbols: Iterable[g.Symbol]) -> None:
    """Fill in `rows` of every `do x.column`."""
    for symbol in symbols:
        if isinstance(symbol, g.EntitySymbol):
            for column in symbol.columns.values():
                for number, cell in enumerate(column.cells, 1):
                    if isinstance(cell, g.CellBody):
                        _visit(cell.body, {1: frozenset({number})})
        elif isinstance(symbol, g.ActionSymbol):
            known: Known = {}
            if symbol.head is not None:
                _head(symbol.head, known)
            for clause in symbol.clauses:
                if isinstance(clause, g.RequireSymbol) and not clause.roles:
                    _learn(clause.condition, known, True)
                elif isinstance(clause, tuple):
                    _let(clause[0], clause[1], known)
            _visit(symbol.body, known)
        elif isinstance(symbol, g.EffectSymbol):
            known = {}
            for requirement in symbol.requirements:
                if not requirement.roles:
                    _learn(requirement.condition, known, True)
            _visit(symbol.body, known)
        else:
            for part in (getattr(symbol, name, None) for name in ("body", "overflow_body", "items", "phases")):
                _visit_all(part)
        for role in getattr(symbol, "roles", []):
            if role.body is not None:
                _visit(role.body, {1: frozenset({role.row.index})} if role.row is not None else {})


def _visit_all(part: object) -> None:
    if isinstance(part, list):
        for each in part:
            _visit_all(each)
    elif isinstance(part, g.PhaseSymbol):
        find_rows([part])
    elif part is not None:
        _visit(part, {})


def _visit(node: object, known: Known) -> None:
    if isinstance(node, t.DoCell):
        every = frozenset(range(1, len(node.column.entity.rows) + 1))
        found = _rows(node.thing, known)
        node.rows[:] = sorted(every if found is None else found & every)
    elif isinstance(node, t.Sequence):
        inner = dict(known)
        for each in node.statements:
            _visit(each, inner)
            if isinstance(each, t.Let):
                _let(each.slot, each.value, inner)
        return
    elif isinstance(node, t.If):
        for part, holds in ((node.consequence, True), (node.alternative, False)):
            if part is not None:
                inner = dict(known)
                _learn(node.condition, inner, holds)
                _visit(part, inner)
        return
    elif isinstance(node, t.Choose | t.ForEach | t.RandomPick):
        inner = dict(known)
        _head(node.head, inner)
        _visit(node.body, inner)
        return
    for below in children(node):
        _visit(below, known)


def _let(slot: int, value: x.Expr, known: Known) -> None:
    found = _rows(value, known)
    if found is not None:
        known[slot] = found


def _head(head: x.Head, known: Known) -> None:
    for binder in head.binders:
        _binder(binder, known)


def _binder(binder: x.Binder, known: Known) -> None:
    """What a binder can be: of several picks each is one of them."""
    kind = strip(member_of(binder.source.type) or binder.type)
    if not isinstance(kind, ThingType):
        return
    rows = _rows(binder.source, known)
    inner = dict(known)
    inner[binder.it_slot] = _all(kind) if rows is None else rows
    if binder.condition is not None:
        _learn(binder.condition, inner, True)
    known[binder.slot] = inner[binder.it_slot]


def _all(kind: ThingType | RowType) -> Rows:
    return frozenset(range(1, len(kind.symbol.rows) + 1))


def _rows(node: x.Expr, known: Known) -> Rows | None:
    """The rows that a thing, or the members of a collection of things, can be of; None: all."""
    if isinstance(node, x.RowConst):
        return frozenset({node.row})
    if isinstance(node, x.Local):
        return known.get(node.slot)
    if isinstance(node, x.Filter):
        kind = strip(member_of(node.collection.type) or node.type)
        if not isinstance(kind, ThingType):
            return None
        inner = dict(known)
        rows = _rows(node.collection, known)
        inner[node.slot] = _all(kind) if rows is None else rows
        _learn(node.condition, inner, True)
        return inner[node.slot]
    if isinstance(node, x.Pick | x.ToSet | x.ToList | x.Sorted):
        return _rows(node.collection, known)
    if isinstance(node, x.Present):
        return _rows(node.value, known)
    if isinstance(node, x.Difference):
        return _rows(node.left, known)
    if isinstance(node, x.Quantified) and node.quantifier == "first":
        inner = dict(known)
        _head(node.head, inner)
        return inner.get(node.head.binders[-1].slot)
    if isinstance(node, x.Call) and node.symbol.body is not None and not node.symbol.roles:
        return _rows(node.symbol.body, {})
    parts: list[x.Expr] = []
    if isinstance(node, x.SetOf | x.ListOf):
        parts = node.items
    elif isinstance(node, x.Union):
        parts = [node.left, node.right]
    elif isinstance(node, x.Select):
        parts = [node.consequence, node.alternative]
    found = [_rows(part, known) for part in parts]
    if not found or any(each is None for each in found):
        return None
    return frozenset().union(*(each for each in found if each is not None))


def _learn(condition: x.Expr, known: Known, holds: bool) -> None:
    """Narrow what is known by a condition that holds (or does not): rows for which it certainly is otherwise go."""
    if isinstance(condition, x.Both) and holds:
        _learn(condition.left, known, True)
        _learn(condition.right, known, True)
        return
    if isinstance(condition, x.AnyOf) and not holds:
        _learn(condition.left, known, False)
        _learn(condition.right, known, False)
        return
    if isinstance(condition, x.Negation):
        _learn(condition.operand, known, not holds)
        return
    locals_read: dict[int, x.Local] = {}
    stack: list[object] = [condition]
    while stack:
        each = stack.pop()
        if isinstance(each, x.Local) and isinstance(strip(each.type), ThingType):
            locals_read[each.slot] = each
        stack.extend(children(each))
    fixed = {slot: next(iter(rows)) for slot, rows in known.items() if len(rows) == 1}
    for slot, local in locals_read.items():
        kind = strip(local.type)
        assert isinstance(kind, ThingType)
        rows = known.get(slot, _all(kind))
        known[slot] = frozenset(r for r in rows if _value(condition, {**fixed, slot: r}) in (UNKNOWN, int(holds)))


def _value(node: x.Expr, at: dict[int, int]) -> object:
    """What an expression is if the things in some slots are of these rows: a number, a row `("row", n)`, or unknown."""
    if isinstance(node, x.Const):
        return node.value
    if isinstance(node, x.RowConst):
        return ("row", node.row)
    if isinstance(node, x.Local):
        return ("row", at[node.slot]) if node.slot in at else UNKNOWN
    if isinstance(node, x.ThingAttribute):
        found = _value(node.thing, at)
        if not isinstance(found, tuple) or node.attribute not in ("pos", "row_of"):
            return UNKNOWN
        return found[1] if node.attribute == "pos" else found
    if isinstance(node, x.ColumnRead | x.CellTest):
        return _cell(node, at)
    if isinstance(node, x.Negation):
        found = _value(node.operand, at)
        return UNKNOWN if found is UNKNOWN else int(not found)
    if isinstance(node, x.Both | x.AnyOf):
        sides = [_value(node.left, at), _value(node.right, at)]
        decided = 0 if isinstance(node, x.Both) else 1
        if decided in sides:
            return decided
        return UNKNOWN if UNKNOWN in sides else 1 - decided
    if isinstance(node, x.Equal):
        return _equal(_value(node.left, at), _value(node.right, at), node)
    if isinstance(node, x.Ordered):
        a, b = _value(node.left, at), _value(node.right, at)
        return int(_ORDER[node.operator](a, b)) if isinstance(a, int) and isinstance(b, int) else UNKNOWN
    if isinstance(node, x.Contains) and isinstance(node.collection, x.SetOf):
        item = _value(node.item, at)
        tests = [_equal(item, _value(each, at), node) for each in node.collection.items]
        return 1 if 1 in tests else UNKNOWN if UNKNOWN in tests else 0
    return UNKNOWN


_ORDER: dict[str, Callable[[int, int], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def _equal(a: object, b: object, node: x.Expr) -> object:
    if a is UNKNOWN or b is UNKNOWN:
        return UNKNOWN
    if isinstance(a, tuple) and isinstance(b, tuple) and a == b and isinstance(node, x.Equal):
        one_thing = isinstance(strip(node.left.type), RowType) or isinstance(strip(node.right.type), RowType)
        return 1 if one_thing or _single(node) else UNKNOWN  # two copies of a row are two things
    return int(a == b)


def _single(node: x.Equal) -> bool:
    """Whether a side of an equation names a row that has one copy only."""
    return any(
        isinstance(each, x.RowConst) and each.symbol.rows[each.row - 1].single for each in (node.left, node.right)
    )


def _cell(node: x.ColumnRead | x.CellTest, at: dict[int, int]) -> object:
    """A constant cell of the row."""
    thing = _value(node.thing, at)
    if not isinstance(thing, tuple) or node.column.roles or not node.column.cells:
        return UNKNOWN
    cell = node.column.cells[int(thing[1]) - 1]
    if not isinstance(cell, tuple):
        return UNKNOWN
    body = cell[1]
    if isinstance(body, x.Const | x.RowConst):
        return _value(body, {})
    return UNKNOWN
