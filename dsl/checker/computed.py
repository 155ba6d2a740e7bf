"""Computed rows: `table Corner/Corners distinct (x: e, y: e) for H order k`.

Their fields are columns; the types of these follow from the expressions, so a computed table is checked when one of
its columns is first asked for. What the rows are is found when a game is laid out, for its number of players and its
options.
"""

from __future__ import annotations

from collections.abc import Iterator

from regelwerk.dsl.checker import coercion as co
from regelwerk.dsl.checker import heads
from regelwerk.dsl.checker.context import Context, Scope
from regelwerk.dsl.diagnostics import Label
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import EnumType, IntType, ListType, SetType, ThingType, member_of
from regelwerk.dsl.model.walking import state_read, walk
from regelwerk.dsl.syntax import declarations as d

RESERVED = ("copies", "per_player", "rule", "pos", "name", "owner", "holder", "place", "row", "col", "half", "face")


def declare_computed(c: Context, node: d.Entity, symbol: g.EntitySymbol, per_player: bool) -> None:
    """A table whose rows are computed; its columns are checked when they are asked for."""
    assert node.distinct is not None
    if node.rows or node.drawings:
        c.error(
            "E0740",
            "the rows of a table are computed or listed, not both",
            (node.rows[0] if node.rows else node.drawings[0]).span,
            "remove the rows, or `distinct (...) for ...`",
        )
    symbol.computed = g.ComputedRows(node.distinct.span, per_player=per_player)
    c.lazy[symbol] = lambda: check_computed(c, node, symbol)


def check_computed(c: Context, node: d.Entity, symbol: g.EntitySymbol) -> None:
    """Head, fields and order of computed rows."""
    from regelwerk.dsl.checker.expressions import check, check_number

    computed, distinct = symbol.computed, node.distinct
    assert computed is not None
    assert distinct is not None
    c.in_progress.add(symbol)
    scope = Scope(computed.frame, address=symbol.name, in_cell=True)
    computed.head = heads.check_head(c, distinct.head, scope)
    computed.most = most_tuples(c, computed.head)
    fields: list[tuple[str, x.Expr]] = []
    for field in distinct.fields:
        name = field.name.text
        if name in RESERVED:
            c.error("E0706", f"`{name}` has its own meaning in every table", field.name.span, "choose another name")
            continue
        if name in symbol.columns:
            c.error("E0202", f"the column `{name}` is declared twice", field.name.span, "rename one of them")
            continue
        value = co.as_collection(check(c, field.value, scope))
        column = g.ColumnSymbol(name, field.name.span, entity=symbol, type=value.type)
        symbol.columns[name] = column
        computed.fields.append((column, value))
        fields.append((name, value))
    inner = scope.inner()
    computed.slots = [inner.bind(name, value.type) for name, value in fields]
    if distinct.order is not None:
        computed.order = check_number(c, distinct.order, inner, "what rows are sorted by")
    if node.copies is not None:
        computed.copies = check_number(c, node.copies, Scope(g.Frame()), "the number of copies")
    c.in_progress.discard(symbol)


def declare_spaces(c: Context, node: d.Entity, symbol: g.EntitySymbol) -> None:
    """`fields Step copies n`: spaces of a board that have no names. Each is a place of its own, so it is a row."""
    symbol.computed = g.ComputedRows(node.noun.span)
    c.lazy[symbol] = lambda: _number_spaces(c, node, symbol)


def _number_spaces(c: Context, node: d.Entity, symbol: g.EntitySymbol) -> None:
    from regelwerk.dsl.checker.expressions import check_number

    computed, span = symbol.computed, node.noun.span
    assert computed is not None
    assert node.copies is not None
    c.in_progress.add(symbol)
    copies = check_number(c, node.copies, Scope(g.Frame()), "the number of copies")
    most = copies.type.highest if isinstance(copies.type, IntType) else g.ROWS
    number = IntType(1, max(1, min(most, g.ROWS)))
    slot = computed.frame.new("number", number)
    source = x.Interval(SetType(number), span, co.constant(1, span), copies)
    binder = x.Binder("number", "one", number, slot, slot, source, None, None, None, None, False, span)
    computed.head = x.Head([binder])
    computed.most = number.highest
    hidden = g.ColumnSymbol("number", span, entity=symbol, type=number)  # no column of the table: `pos` says the same
    computed.fields.append((hidden, x.Local(number, span, slot)))
    computed.slots = [computed.frame.new("number", number)]
    c.in_progress.discard(symbol)


def most_tuples(c: Context, head: x.Head) -> int:
    """How many tuples a head has at most, as far as the types say; at most the most rows of a table."""
    count = 1
    for binder in head.binders:
        member = member_of(binder.source.type)
        if binder.form != "one":
            return g.ROWS
        if isinstance(member, IntType):
            count *= member.highest - member.lowest + 1
        elif isinstance(binder.source.type, ListType) and not isinstance(member, ThingType | EnumType):
            return g.ROWS
        elif member is not None:
            count *= c.size(member)
    return max(1, min(count, g.ROWS))


def check_all(c: Context, symbols: list[g.Symbol]) -> None:
    """What holds of all computed rows: nothing they read changes, and no table needs itself."""
    tables = [each for each in symbols if isinstance(each, g.EntitySymbol) and each.computed is not None]
    for table in tables:
        for part in parts_of(table):
            found = state_read(part)
            if found is not None:
                c.error(
                    "E0353",
                    f"the rows of {table.name} must be known before the game begins",
                    found.span,
                    "use constants, options and columns only; what changes is a `value`",
                )
                break
            chance = next((n for n in reached(part) if isinstance(n, x.OptionRead) and n.symbol.default is None), None)
            if chance is not None:
                c.error(
                    "E0741",
                    f"the rows of {table.name} depend on the option `{chance.symbol.name}`, which chance may decide",
                    chance.span,
                    "give the option a default",
                    (Label(chance.symbol.span, "`random` by default"),),
                )
                break
    _no_circles(c, tables)


def parts_of(table: g.EntitySymbol) -> list[x.Expr | x.Head]:
    """What the rows of a table are computed from."""
    computed = table.computed
    assert computed is not None
    parts: list[x.Expr | x.Head] = [value for _, value in computed.fields]
    parts += [each for each in (computed.head, computed.order, computed.copies) if each is not None]
    return parts


def reached(node: object, seen: set[object] | None = None) -> Iterator[object]:
    """A typed expression and all it is made of: the values, constants and cells it uses as well."""
    seen = set() if seen is None else seen
    for each in walk(node):
        yield each
        inner: list[object] = []
        if isinstance(each, x.Call) and each.symbol not in seen:
            seen.add(each.symbol)
            inner = [each.symbol.body]
        elif isinstance(each, x.ConstantRead) and each.symbol not in seen:
            seen.add(each.symbol)
            inner = [each.symbol.value]
        elif isinstance(each, x.ColumnRead | x.CellTest) and each.column not in seen:
            seen.add(each.column)
            inner = [cell[1] for cell in each.column.cells if isinstance(cell, tuple)]
        for part in inner:
            if part is not None:
                yield from reached(part, seen)


def _no_circles(c: Context, tables: list[g.EntitySymbol]) -> None:
    needs: dict[g.EntitySymbol, list[g.EntitySymbol]] = {}
    for table in tables:
        found: dict[g.EntitySymbol, None] = {}
        for part in parts_of(table):
            for each in reached(part):
                if isinstance(each, x.AllThings):
                    found[each.symbol] = None
                elif isinstance(each, x.ColumnRead | x.CellTest):
                    found[each.column.entity] = None
        needs[table] = [each for each in found if each.computed is not None]
    finished: set[g.EntitySymbol] = set()
    path: list[g.EntitySymbol] = []

    def visit(table: g.EntitySymbol) -> bool:
        if table in finished:
            return False
        if table in path:
            circle_error(c, path[path.index(table) :])
            return True
        path.append(table)
        found = any(visit(each) for each in needs[table])
        path.pop()
        finished.add(table)
        return found

    any(visit(table) for table in tables)


def circle_error(c: Context, ring: list[g.EntitySymbol]) -> None:
    """The rows of a table need themselves."""
    names = " -> ".join(f"`{each.name}`" for each in [*ring, ring[0]])
    c.error(
        "E0742",
        f"the rows of `{ring[0].name}` are computed from themselves: {names}",
        ring[0].span,
        "compute them from other tables, enums and numbers",
    )
