"""Tables of things: enums, entities with their columns and rows, zones."""

from __future__ import annotations

from regelwerk.dsl.checker import coercion as co
from regelwerk.dsl.checker import computed, drawings
from regelwerk.dsl.checker.context import BUILT_IN_NAMES, Context, Scope, citations, me_local
from regelwerk.dsl.checker.types import resolve
from regelwerk.dsl.diagnostics import Label
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.limits import PARAMETERS
from regelwerk.dsl.model.types import (
    BOOL,
    PLAYER,
    TEXT,
    UNKNOWN,
    EffectType,
    IntType,
    SetType,
    ThingType,
    Type,
    doubled,
)
from regelwerk.dsl.syntax import declarations as d
from regelwerk.dsl.syntax import expressions as s
from regelwerk.dsl.syntax import rules as r
from regelwerk.dsl.syntax.base import Identifier

RESERVED_COLUMNS = ("copies", "per_player", "rule")


def words(noun: object) -> g.Words:
    """The printed forms of a noun."""
    return g.Words(noun.one, noun.many)  # type: ignore[attr-defined]  # a Noun


def declare_enum(c: Context, node: d.EnumDeclaration) -> g.EnumSymbol:
    """An enum with its members."""
    plural = node.noun.plural.text if node.noun.plural else None
    symbol = g.EnumSymbol(
        node.noun.name.text, node.noun.span, words(node.noun), plural, citations=citations(node.citations)
    )
    c.declare(symbol.name, symbol, node.noun.name.span)
    if plural is not None and plural != symbol.name:
        c.declare(plural, symbol, node.noun.span)
    for member in node.members:
        if isinstance(member, d.EnumNumbers):
            if symbol.numbers is not None or symbol.members:
                c.error("E0701", "the numbers of an enum are one range and stand first", member.span)
            elif member.lowest < 1 or member.highest < member.lowest or member.highest > 1000:
                c.error("E0702", "the numbers of an enum are a range from 1 up to 1000", member.span)
            else:
                symbol.numbers = (member.lowest, member.highest)
            continue
        many = member.plural.text if member.plural else None
        if member.name.text in BUILT_IN_NAMES:
            c.error(
                "E0201",
                f"`{member.name.text}` always has its own meaning and cannot be declared",
                member.span,
                "choose another name",
            )
            continue
        if any(member.name.text == other[0] for other in symbol.members):
            c.error("E0202", f"`{member.name.text}` is declared twice in {symbol.name}", member.span)
            continue
        symbol.members.append((member.name.text, many, words(member), member.span))
    offset = symbol.numbers[1] if symbol.numbers else 0
    for index, (one, many, _, _) in enumerate(symbol.members):
        c.members.setdefault(one, []).append((symbol, index + 1 + offset))
        for name in {one, many} - {None}:
            assert name is not None
            c.enum_units.setdefault(name, []).append((symbol, index + 1 + offset))
    return symbol


def declare_entity(c: Context, node: d.Entity) -> g.EntitySymbol:
    """A type of things with the names of its rows and columns."""
    name, plural = node.noun.name.text, node.noun.plural.text if node.noun.plural else None
    symbol = g.EntitySymbol(
        name, node.noun.span, node.kind, words(node.noun), plural, citations=citations(node.citations)
    )
    c.declare(name, symbol, node.noun.name.span)
    c.syntax[symbol] = node
    if plural is not None and plural != name:
        c.declare(plural, symbol, node.noun.span)
    if node.drawings:
        drawings.declare_cells(c, node, symbol)
        if node.rows:
            c.error(
                "E0729",
                "a board is drawn or listed, not both",
                node.drawings[0].span,
                "remove the rows or the drawings",
            )
    per_player = node.per is not None  # or per something else: see `check_columns`
    if node.distinct is not None:
        computed.declare_computed(c, node, symbol, per_player)
        return symbol
    if node.kind == "fields" and node.copies is not None and node.per is None and not node.rows and not node.drawings:
        computed.declare_spaces(c, node, symbol)
        return symbol
    for row in node.rows:
        if any(row.name.text == other.name for other in symbol.rows):
            first = next(other for other in symbol.rows if other.name == row.name.text)
            c.error(
                "E0703",
                f"the row `{row.name.text}` stands twice",
                row.name.span,
                "rename one of them",
                (Label(first.span, "first here"),),
            )
            continue
        made = g.RowSymbol(
            row.name.text, row.name.span, entity=symbol, index=len(symbol.rows) + 1, citations=citations(row.citations)
        )
        made.printed = row.printed or row.name.text.replace("_", " ")
        made.per_player = per_player
        made.several = node.copies is not None or _several(row)
        symbol.rows.append(made)
        c.members.setdefault(made.name, []).append((symbol, made.index))
    for made in symbol.rows:
        made.per_player = per_player
    listed = node.kind in ("table", "fields") and node.columns  # a table may be empty: a variant takes all rows away
    if not node.rows and not node.drawings and not (listed and node.copies is None):
        made = g.RowSymbol(name, node.noun.span, entity=symbol, index=1)
        made.printed, made.per_player, made.several = symbol.words.one, per_player, node.copies is not None
        symbol.rows.append(made)
        if node.copies is None:
            c.error(
                "E0705",
                f"there are no {plural or name}: the table has no rows",
                node.noun.span,
                "add rows, or say how many there are: `copies n`",
            )
    return symbol


def _several(row: d.Row) -> bool:
    """Whether the cells of a row ask for more than one copy."""
    cells = dict(zip((each.text for each in row.columns), row.cells, strict=False))
    copies, per_player = cells.get("copies"), cells.get("per_player")
    many = isinstance(copies, d.CellExpression) and not (
        isinstance(copies.value, s.IntLiteral) and copies.value.value == 1
    )
    everybody = isinstance(per_player, d.CellExpression) and not (
        isinstance(per_player.value, s.BoolLiteral) and not per_player.value.value
    )
    return many or everybody


def _owner_type(c: Context, per: Identifier, symbol: g.EntitySymbol) -> Type:
    """What the things of a type belong to, one set of them each."""
    kind = c.type_named(per.text)
    if kind is None:
        names = [n for n, each in c.globals.items() if isinstance(each, g.EntitySymbol | g.EnumSymbol)]
        c.error("E0720", f"`{per.text}` is no type", per.span, c.suggest(per.text, [*names, "player"]))
        return PLAYER
    here: Type = kind
    passed = [symbol]
    while isinstance(here, ThingType):
        if here.symbol in passed:
            c.error(
                "E0745",
                f"how many {symbol.plural or symbol.name} there are depends on themselves",
                per.span,
                "things are per players, members of an enum, or other things",
            )
            return PLAYER
        passed.append(here.symbol)
        node = c.syntax.get(here.symbol)
        outer = c.type_named(node.per.text) if isinstance(node, d.Entity) and node.per is not None else None
        here = outer if outer is not None else PLAYER
    return kind


def check_columns(c: Context, node: d.Entity, symbol: g.EntitySymbol) -> None:
    """The columns of a table, with their types (before anything is evaluated)."""
    if node.per is not None:
        symbol.owner_type = _owner_type(c, node.per, symbol)
    for column in node.columns:
        name = column.name.text
        if (
            name in RESERVED_COLUMNS
            or name in ("pos", "name", "owner", "holder", "place")
            or (name == "face" and node.faces is not None)
        ):
            c.error("E0706", f"`{name}` has its own meaning in every table", column.name.span, "choose another name")
            continue
        if name in symbol.columns:
            c.error("E0202", f"the column `{name}` is declared twice", column.name.span)
            continue
        kind = resolve(c, column.type, column=True)
        if column.name.span in c.halved and isinstance(kind, IntType):
            kind = doubled(kind)
        made = g.ColumnSymbol(name, column.name.span, entity=symbol, type=kind, citations=citations(column.citations))
        if isinstance(kind, EffectType):
            made.kind = "test" if kind.kind == "test" else "effect"
            made.type = BOOL if kind.kind == "test" else kind
        elif kind == TEXT:
            made.kind = "text"
        if len(column.parameters or ()) > PARAMETERS:
            assert column.parameters is not None
            c.error("E0347", f"at most {PARAMETERS} parameters", column.parameters[PARAMETERS].span)
        for parameter in column.parameters or ():
            if made.kind != "effect":
                c.error("E0707", "only columns of effects have parameters", parameter.span)
            elif parameter.type is None:
                c.error("E0349", f"the parameter `{parameter.name.text}` needs a type", parameter.span)
            else:
                made.parameters.append((parameter.name.text, resolve(c, parameter.type)))
        symbol.columns[name] = made
    if node.faces is not None:
        if isinstance(node.faces, s.RangeExpression):
            from regelwerk.dsl.checker.types import number_at_load

            low, high = (
                number_at_load(c, node.faces.lowest, "the least face"),
                number_at_load(c, node.faces.highest, "the greatest face"),
            )
            if not 0 <= low <= high <= 255:
                c.error("E0708", "the faces of a die are a range of numbers from 0 to 255", node.faces.span)
            symbol.faces = (low, max(low, high))
        else:
            c.error("E0708", "the faces of a die are a range", node.faces.span, "for example `faces 1..6`")
    if node.kind == "dice" and node.faces is None:
        c.error("E0709", "dice need their faces", node.noun.span, "for example `dice Die/Dice faces 1..6`")
    if node.kind != "dice" and node.faces is not None:
        c.error("E0710", f"{node.kind} have no faces", node.faces.span, "declare them as `dice`")


def check_rows(c: Context, node: d.Entity, symbol: g.EntitySymbol) -> None:
    """All cells; rules in cells are attached later by `rules.check_cell_rules`."""
    from regelwerk.dsl.checker.expressions import check_condition, check_number

    if node.live_in is not None:
        zone = c.globals.get(node.live_in.text)
        zones = (
            [zone]
            if isinstance(zone, g.ZoneSymbol)
            else [z for z in c.attributes.get(node.live_in.text, []) if isinstance(z, g.ZoneSymbol)]
        )
        fitting = [z for z in zones if z.entity is symbol]
        if fitting:
            symbol.live_in = fitting[0]
        else:
            symbol.live_refused = True
            everywhere = [*c.globals.values(), *(each for some in c.attributes.values() for each in some)]
            known = [each.name for each in everywhere if isinstance(each, g.ZoneSymbol) and each.entity is symbol]
            c.error(
                "E0711",
                f"there is no zone `{node.live_in.text}` of {symbol.name}",
                node.live_in.span,
                c.suggest(node.live_in.text, known),
            )
    if symbol.computed is not None:
        _shared_cells(c, node, symbol)
        return
    if node.copies is not None:
        made = check_number(c, node.copies, Scope(g.Frame()), "the number of copies")
        for row in symbol.rows:
            row.copies = made
    if not node.rows and not node.drawings and node.copies is None:
        return  # no rows, which was reported
    drawn = drawings.drawn_cells(c, node, symbol) if node.drawings else {}
    syntax_rows = {row.name.text: row for row in reversed(node.rows)}
    for name in symbol.columns:
        symbol.columns[name].cells = [None] * len(symbol.rows)
    skipped: set[str] = set()  # columns whose header is misspelt: their empty cells are not reported again
    for row in symbol.rows:
        syntax = syntax_rows.get(row.name)
        cells = (
            dict(zip((each.text for each in syntax.columns), syntax.cells, strict=False)) if syntax is not None else {}
        )
        if syntax is not None:
            for header in syntax.columns:
                if header.text not in symbol.columns and header.text not in RESERVED_COLUMNS:
                    missing = set(symbol.columns) - {each.text for each in syntax.columns}
                    skipped.update(missing)
                    c.error(
                        "E0712",
                        f"the table has no column `{header.text}`",
                        header.span,
                        c.suggest(
                            header.text,
                            [*symbol.columns, *RESERVED_COLUMNS],
                            f"declare it: `column {header.text}: TYPE`",
                        ),
                    )
        for reserved in ("copies", "per_player"):
            cell = cells.get(reserved)
            if cell is None:
                continue
            if not isinstance(cell, d.CellExpression):
                c.error(
                    "E0713",
                    f"the column `{reserved}` holds {'numbers' if reserved == 'copies' else 'yes or no'}",
                    cell.span,
                )
            elif reserved == "copies":
                made = check_number(c, cell.value, Scope(g.Frame()), "the number of copies")
                if not (isinstance(made, x.Const) and made.value == 1):
                    row.copies = made
            else:
                flag = check_condition(c, cell.value, Scope(g.Frame()), "`per_player`")
                row.per_player = isinstance(flag, x.Const) and flag.value == 1
        for name, column in symbol.columns.items():
            cell = cells.get(name)
            if name in drawn:
                value = drawn[name][row.index - 1]
                if value is None:
                    continue
                cell = d.CellExpression(span=value.span, value=value)
            if cell is None and name in skipped:
                continue
            _cell(c, node, symbol, row, column, cell)


def _shared_cells(c: Context, node: d.Entity, symbol: g.EntitySymbol) -> None:
    """Declared columns of a computed table: one value for all rows, which may speak of the row."""
    from regelwerk.dsl.checker.expressions import check_as, check_condition

    for syntax in node.columns:
        column = symbol.columns.get(syntax.name.text)
        if column is None or column.type == UNKNOWN:
            continue
        if column.kind not in ("value", "test"):
            c.error(
                "E0743",
                f"the rows of {symbol.name} are computed, so `{column.name}` would be empty in all of them",
                syntax.name.span,
                "list the rows, or write an effect with the row as its parameter",
            )
            continue
        if syntax.default is None and column.kind == "value":
            c.error(
                "E0715",
                f"the computed rows of {symbol.name} have no `{column.name}`",
                syntax.name.span,
                "say what it is: `column ... = e`",
            )
            continue
        frame, own = g.Frame(), ThingType(symbol)
        slot = frame.new("self", own)
        scope = Scope(frame, it=(slot, own), own=(slot, own), in_cell=True)
        if syntax.default is None:
            column.shared = (frame, x.Const(BOOL, column.span, 1))
        elif column.kind == "test":
            scope.me = me_local(syntax.default.span)
            column.shared = (frame, check_condition(c, syntax.default, scope, f"`{column.name}`"))
        else:
            column.shared = (frame, check_as(c, syntax.default, scope, column.type, f"`{column.name}`"))


def _cell(
    c: Context, node: d.Entity, symbol: g.EntitySymbol, row: g.RowSymbol, column: g.ColumnSymbol, cell: d.Cell | None
) -> None:
    from regelwerk.dsl.checker.can import can
    from regelwerk.dsl.checker.effects import check_body
    from regelwerk.dsl.checker.expressions import check_as, check_condition

    index = row.index - 1
    syntax = next(each for each in node.columns if each.name.text == column.name)
    own = ThingType(symbol)
    if column.kind in ("value", "test"):
        value = cell.value if isinstance(cell, d.CellExpression) else None
        if cell is not None and value is None:
            c.error("E0714", f"the column `{column.name}` holds {co.kind_words(column.type)}", cell.span)
            return
        if value is None:
            value = syntax.default
        if column.type == UNKNOWN:
            return
        if value is None and column.kind == "test":
            column.cells[index] = (g.Frame(), x.Const(BOOL, row.span, 1))
            return
        if value is None:
            c.error(
                "E0715",
                f"the row `{row.name}` has no `{column.name}`",
                row.span,
                "fill the cell, or give the column a default: `column ... = e`",
            )
            return
        frame = g.Frame()
        slot = frame.new("self", own)
        scope = Scope(frame, it=(slot, own), own=(slot, own), in_cell=True)
        if column.kind == "test":
            scope.me = me_local(row.span)
            column.cells[index] = (frame, check_condition(c, value, scope, f"`{column.name}`"))
        else:
            checked = check_as(c, value, scope, column.type, f"`{column.name}`")
            column.cells[index] = (frame, checked)
        return
    if column.kind == "text" or cell is None:
        return
    kind = column.type.kind if isinstance(column.type, EffectType) else ""
    if isinstance(cell, d.CellRules):
        if kind == "effect":
            c.error(
                "E0716",
                f"the column `{column.name}` holds effects, and this is a rule",
                cell.span,
                "declare the column as `rules` or `ability`",
            )
        return
    if kind == "rules":
        c.error(
            "E0717",
            f"the column `{column.name}` holds rules",
            cell.span,
            "for example `modify X plus 1` or `after X { }`",
        )
        return
    if isinstance(cell, d.CellExpression):
        c.error(
            "E0718",
            f"the column `{column.name}` holds effects, and this is a value",
            cell.span,
            "an effect begins with a word such as `gain`, `move` or `do`",
        )
        return
    frame = g.Frame()
    scope = Scope(frame, me=me_local(cell.span), address=row.address + "." + column.name, in_cell=True)
    slot = frame.new("self", own)
    scope.own = (slot, own)
    for name, kind_of in column.parameters:
        scope.bind(name, kind_of)
    body = check_body(c, cell.body, scope)
    column.cells[index] = g.CellBody(frame, body, can(body), cell.span)


def cell_roles(node: d.Entity) -> list[tuple[str, str, r.Role]]:
    """All rules in cells: (row, column, role)."""
    found = []
    for row in node.rows:
        for header, cell in zip(row.columns, row.cells, strict=False):
            if isinstance(cell, d.CellRules):
                found += [(row.name.text, header.text, role) for role in cell.roles]
    return found


def _refused_zone(c: Context, node: d.Zone) -> None:
    """The name of a zone that was refused, so that its uses are not reported as well."""
    symbol = g.UnknownSymbol(node.name.text, node.name.span)
    c.declare(node.name.text, symbol, node.name.span, attribute=node.per is not None)


def declare_zone(c: Context, node: d.Zone) -> g.ZoneSymbol | None:
    """A zone; its contents are checked later."""
    entity = c.globals.get(node.kind.text)
    if not isinstance(entity, g.EntitySymbol):
        names = [n for n, symbol in c.globals.items() if isinstance(symbol, g.EntitySymbol) and symbol.movable]
        c.error("E0719", f"`{node.kind.text}` is no type of things", node.kind.span, c.suggest(node.kind.text, names))
        _refused_zone(c, node)
        return None
    if not entity.movable:
        c.error(
            "E0337",
            f"{entity.plural or entity.name} cannot lie in a zone: they are {entity.kind}",
            node.kind.span,
            "only cards, tiles, pieces and dice can",
        )
        _refused_zone(c, node)
        return None
    key: Type | None = None
    if node.per is not None:
        key = c.type_named(node.per.text)
        if key is None:
            c.error(
                "E0720",
                f"`{node.per.text}` is no type",
                node.per.span,
                c.suggest_type(node.per.text, "zones are per `player`, or per a type of things"),
            )
            _refused_zone(c, node)
            return None
    symbol = g.ZoneSymbol(
        node.name.text,
        node.name.span,
        entity,
        key,
        node.order,
        node.seen_by,
        node.top_visible,
        node.printed,
        citations=citations(node.citations),
    )
    c.declare(symbol.name, symbol, node.name.span, attribute=key is not None)
    return symbol


def check_zone(c: Context, node: d.Zone, symbol: g.ZoneSymbol) -> None:
    """Capacity and initial contents."""
    from regelwerk.dsl.checker.expressions import check, check_number

    if node.capacity is not None:
        symbol.capacity = check_number(c, node.capacity, Scope(g.Frame()), "the capacity")
    if node.contents is None:
        return
    scope = Scope(symbol.frame)
    if symbol.key == PLAYER:
        scope.me = me_local(node.span)
    if symbol.key is not None:
        slot = symbol.frame.new("self", symbol.key)
        scope.own = (slot, symbol.key)
    found = co.as_collection(check(c, node.contents, scope, SetType(ThingType(symbol.entity))))
    symbol.contents = co.coerce(c, found, SetType(ThingType(symbol.entity)), "what lies there at first")


__all__ = [
    "IntType",
    "cell_roles",
    "check_columns",
    "check_rows",
    "check_zone",
    "declare_entity",
    "declare_enum",
    "declare_zone",
]
