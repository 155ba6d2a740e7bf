"""What stands after a dot, and calls: `a.f(b)` is `f(a, b)`."""

from __future__ import annotations

from regelwerk.dsl.checker import coercion as co
from regelwerk.dsl.checker import interfaces, pictures, records
from regelwerk.dsl.checker.context import Context, Scope
from regelwerk.dsl.diagnostics import nearest
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import (
    BOOL,
    HIGHEST,
    NUMBER,
    PLAYER,
    BankType,
    BoolType,
    EnumType,
    IntType,
    ListType,
    OptionalType,
    OptionTupleType,
    PictureType,
    PlayerType,
    RecordType,
    RowType,
    SetType,
    TallyType,
    ThingType,
    Type,
    UnknownType,
    ZoneType,
    bound_of,
    doubled,
    fits,
    member_of,
    numeric,
    strip,
    unknown,
)
from regelwerk.dsl.source import Span
from regelwerk.dsl.syntax import expressions as s
from regelwerk.dsl.syntax.base import Identifier

Arguments = tuple[s.Argument, ...] | None


def attribute(c: Context, base: x.Expr, name: Identifier, arguments: Arguments, scope: Scope, span: Span) -> x.Expr:
    """`base.name(arguments)`."""
    found = _attribute(c, base, name.text, arguments, scope, span)
    if found is not None:
        return found
    kind = strip(member_of(base.type) or base.type)
    if isinstance(kind, ThingType) and kind.symbol in c.in_progress:
        from regelwerk.dsl.checker.computed import circle_error

        circle_error(c, [kind.symbol])
        return c.unavailable(span)
    known = attribute_names(c, kind) + (["count", "first", "last", "at"] if member_of(base.type) else [])
    close = nearest(name.text, known)
    c.error(
        "E0204",
        f"{co.kind_words(kind)} has no `{name.text}`",
        name.span,
        f"did you mean `{close}`?" if close else (f"it has {', '.join(sorted(set(known))[:12])}" if known else None),
    )
    return c.unavailable(span)


def _columns(c: Context, entity: g.EntitySymbol) -> dict[str, g.ColumnSymbol]:
    """The columns of a type; those of computed rows are found now, if that has not been done."""
    c.ensure(entity)
    return entity.columns


def attribute_names(c: Context, kind: Type) -> list[str]:
    """All that can stand after a dot behind a value of this type."""
    names = [each for each, symbols in c.attributes.items() if any(_takes(symbol, kind) for symbol in symbols)]
    if isinstance(kind, ThingType | RowType):
        names += [*_columns(c, kind.symbol), "pos", "name", "owner", "holder", "place"] + (
            ["face"] if kind.symbol.faces else []
        )
    if isinstance(kind, RecordType):
        names += [each for each, _ in kind.symbol.fields]
    if isinstance(kind, PlayerType):
        names += ["seat"] + [each for each, symbol in c.globals.items() if isinstance(symbol, g.ScoreSymbol)]
    if numeric(kind) is not None:
        names.append("abs")
    if isinstance(kind, TallyType):
        names.append("total")
    if isinstance(kind, PictureType):
        names += pictures.ATTRIBUTES
    return names


def score_type(c: Context, symbol: g.ScoreSymbol) -> IntType:
    """The type of a score and its lines: in halves if one of its lines is."""
    c.ensure(symbol)
    return doubled(NUMBER) if symbol.halves else NUMBER


def has_adjective(c: Context, kind: Type, name: str) -> bool:
    """Whether `name` is a yes/no attribute of a value of this type."""
    kind = strip(kind)
    if isinstance(kind, ThingType | RowType):
        column = _columns(c, kind.symbol).get(name)
        if column is not None:
            return column.kind == "test" or isinstance(column.type, BoolType)
    for symbol in c.attributes.get(name, []):
        if _takes(symbol, kind):
            if isinstance(symbol, g.ValueSymbol):
                c.ensure(symbol)
                return isinstance(symbol.type, BoolType)
            return isinstance(symbol, g.StateSymbol) and isinstance(symbol.type, BoolType)
    return False


def holds(kind: Type, unit: g.Unit | g.ResourceSymbol) -> bool:
    """Whether things of a type can hold a unit."""
    symbol = unit.symbol if isinstance(unit, g.Unit) else unit
    return isinstance(kind, ThingType) and isinstance(symbol, g.ResourceSymbol) and kind.symbol in symbol.held_by


def _takes(symbol: g.Symbol, kind: Type) -> bool:
    wanted = Context.attribute_key(symbol)
    if wanted is None:
        return False
    if isinstance(wanted, UnknownType):
        return True
    if isinstance(kind, RowType):
        return False
    if isinstance(kind, BankType):
        return isinstance(symbol, g.ResourceSymbol)
    if isinstance(symbol, g.ResourceSymbol) and isinstance(kind, ThingType):
        return kind.symbol in symbol.held_by
    if isinstance(wanted, IntType):
        return isinstance(kind, IntType | EnumType) and numeric(kind) is not None
    if isinstance(wanted, SetType | ListType):
        member = member_of(kind)
        return member is not None and fits(member, wanted.member)
    return strip(kind) == strip(wanted)


def _attribute(c: Context, base: x.Expr, name: str, arguments: Arguments, scope: Scope, span: Span) -> x.Expr | None:
    kind = base.type
    if unknown(kind) or unknown(member_of(kind) or kind):
        return c.unavailable(span)
    if member_of(kind) is not None:
        taken = _of_collection(c, base, name, arguments, scope, span)
        if taken is not None:
            return taken
        for symbol in c.attributes.get(name, []):
            if isinstance(symbol, g.ValueSymbol) and _takes(symbol, kind):
                return call_value(c, symbol, [base], arguments, scope, span)
        return _mapped(c, base, name, arguments, scope, span)
    if isinstance(kind, OptionalType):
        inner = _single(c, base, kind.base, name, arguments, scope, span)
        if inner is None:
            return None
        if isinstance(inner.type, UnknownType | OptionalType | BoolType | SetType | TallyType | ListType):
            return inner
        inner.type = OptionalType(inner.type) if not isinstance(inner.type, ZoneType) else inner.type
        return inner
    return _single(c, base, kind, name, arguments, scope, span)


def _of_collection(
    c: Context, base: x.Expr, name: str, arguments: Arguments, scope: Scope, span: Span
) -> x.Expr | None:
    kind = base.type
    member = member_of(kind)
    assert member is not None
    if (
        isinstance(member, OptionTupleType)
        and member.symbol is not None
        and name in {each[0] for each in member.symbol.parameters}
    ):
        return None  # a parameter of the options may be called as an attribute of lists is
    if name in ("top", "bottom") and arguments is None and not isinstance(kind, ZoneType):
        return _ends_of_zones(c, base, member, name, span)
    if name == "count" and arguments is None:
        if isinstance(kind, ZoneType):
            return x.ZoneCount(IntType(0, 4096), span, base)
        if isinstance(base, x.AllPlayers):
            return x.Count(IntType(*c.players), span, base)
        return x.Count(IntType(0, 4096), span, base)
    if name in ("first", "last", "top", "bottom", "at"):
        if name == "at" or (name == "top" and arguments):
            if arguments is None or len(arguments) != 1:
                c.error("E0310", f"`{name}` takes the place as a number", span, "for example `players.at(1)`")
                return c.unavailable(span)
            from regelwerk.dsl.checker.expressions import check

            place = co.number(c, check(c, arguments[0].value, scope), "a place")
            if name == "top":
                if not isinstance(kind, ZoneType):
                    return None
                if not kind.ordered:
                    c.error("E0311", "only an ordered zone has a top", span, "declare the zone with `order pile`")
                return x.ZoneTop(ListType(member, ((member,),)), span, base, place)
            if isinstance(kind, ZoneType):
                return x.ZoneEnd(member, span, base, "at", place)
            return x.Pick(member, span, base, "at", place)
        if arguments is not None:
            return None
        if isinstance(kind, ZoneType):
            if name in ("top", "bottom") and not kind.ordered:
                c.error(
                    "E0311", "only an ordered zone has a top and a bottom", span, "declare the zone with `order pile`"
                )
            end = {"top": "last", "bottom": "first"}.get(name, name)
            return x.ZoneEnd(OptionalType(member), span, base, "first" if end == "first" else "last")
        if name in ("first", "last"):
            return x.Pick(
                OptionalType(member) if not isinstance(member, OptionalType) else member,
                span,
                base,
                "first" if name == "first" else "last",
            )
        return None
    return None


def _ends_of_zones(c: Context, base: x.Expr, member: Type, name: str, span: Span) -> x.Expr | None:
    """The top (or bottom) of each of several piles: `Shapes.pile.top`."""
    if not (isinstance(base, x.Map) and base.flat and isinstance(base.value, x.Contents)):
        return None
    zone = base.value.zone
    if isinstance(zone.type, ZoneType) and not zone.type.ordered:
        c.error("E0311", f"only an ordered zone has a {name}", span, "declare the zone with `order pile`")
    end = x.ZoneEnd(OptionalType(member), span, zone, "last" if name == "top" else "first")
    return x.Map(ListType(member, bound_of(base.collection.type)), span, base.collection, base.slot, end, True)


def _mapped(c: Context, base: x.Expr, name: str, arguments: Arguments, scope: Scope, span: Span) -> x.Expr | None:
    collection = co.as_collection(base)
    member = member_of(collection.type)
    assert member is not None
    slot = scope.frame.new("it", member)
    value = _attribute(c, x.Local(member, span, slot), name, arguments, scope, span)
    if value is None:
        return None
    if isinstance(value.type, UnknownType):
        return value
    optional = isinstance(value.type, OptionalType)
    if isinstance(value.type, ZoneType):
        value = co.as_collection(value)
    inner = member_of(value.type)
    if inner is not None:
        bound = tuple((*a, *b) for a in bound_of(collection.type) for b in bound_of(value.type))
        return x.Map(ListType(inner, bound), span, collection, slot, value, False, True)
    return x.Map(ListType(strip(value.type), bound_of(collection.type)), span, collection, slot, value, optional)


def _single(
    c: Context, base: x.Expr, kind: Type, name: str, arguments: Arguments, scope: Scope, span: Span
) -> x.Expr | None:
    found = _attribute_of(c, base, kind, name, arguments, scope, span)
    if c.interfaces and isinstance(kind, ThingType):
        return interfaces.judged(c, kind, name, found, scope, span)
    return found


def _attribute_of(
    c: Context, base: x.Expr, kind: Type, name: str, arguments: Arguments, scope: Scope, span: Span
) -> x.Expr | None:
    if isinstance(kind, ThingType | RowType):
        found = _of_thing(c, base, kind, name, arguments, scope, span)
        if found is not None:
            return found
    if isinstance(kind, RecordType):
        found = records.field_of(c, base, kind, name, span)
        if found is not None:
            return found if arguments is None else call_tally(c, found, arguments, scope, span)
    if isinstance(kind, OptionTupleType) and arguments is None:
        from regelwerk.dsl.checker.claims import option_field

        return option_field(base, kind, name, span)
    if isinstance(kind, PlayerType):
        if name == "seat":
            seat = IntType(1, c.players[1])
            number = x.Arithmetic(seat, span, "+", base, co.constant(0, span))
            if not isinstance(base.type, OptionalType):
                return number
            nobody = x.Equal(BOOL, span, base, x.Const(base.type, span, 0))
            return x.Select(OptionalType(seat), span, nobody, x.Const(seat, span, co.NONE_NUMBER), number)
        if name == "owner":
            return base
        score = c.globals.get(name)
        if isinstance(score, g.ScoreSymbol):
            return x.ScoreRead(score_type(c, score), span, score, None, base)
    if isinstance(base, x.ScoreRead) and base.line is None:
        for index, line in enumerate(base.symbol.lines):
            if line.name == name:
                return x.ScoreRead(base.type, span, base.symbol, index, base.player)
    if name == "abs" and numeric(kind) is not None:
        whole = numeric(kind)
        assert whole is not None
        size = IntType(0, max(abs(whole.lowest), abs(whole.highest)), whole.halves)
        return x.Absolute(OptionalType(size) if isinstance(base.type, OptionalType) else size, span, base)
    if isinstance(kind, PictureType):
        found = pictures.attribute(c, base, kind, name, arguments, scope, span)
        if found is not None:
            return found
    if isinstance(kind, TallyType):
        if name == "total":
            return x.TallyTotal(total_type(c, kind), span, base)
        if name in c.units or name in c.enum_units:
            return _tally_unit(c, base, kind, name, span)
    if isinstance(kind, BankType) and name in c.units:
        unit = c.units[name]
        goods = unit.symbol if isinstance(unit, g.Unit) else unit
        if isinstance(goods, g.ResourceSymbol):
            if isinstance(unit, g.Unit) and unit.member is not None:
                return x.ResourceRead(NUMBER, span, goods, base, _member(goods, unit.member, span))
            return _resource(c, goods, base, arguments, scope, span)
    if isinstance(kind, EnumType) and name == "name":
        return base
    for symbol in c.attributes.get(name, []):
        if not _takes(symbol, kind):
            continue
        if isinstance(c.attribute_key(symbol), UnknownType):
            return c.unavailable(span)
        if isinstance(symbol, g.ValueSymbol):
            c.ensure(symbol)
            surplus = (
                arguments is not None
                and len(arguments) == len(symbol.parameters)
                and isinstance(symbol.type, TallyType)
            )
            if surplus and arguments is not None:
                return call_tally(c, call_value(c, symbol, [base], None, scope, span), arguments, scope, span)
            return call_value(c, symbol, [base], arguments, scope, span)
        if isinstance(symbol, g.ResourceSymbol):
            return _resource(c, symbol, base, arguments, scope, span)
        if arguments is not None:
            state = symbol
            if isinstance(state, g.StateSymbol) and isinstance(state.type, TallyType):
                return call_tally(c, x.StateRead(state.type, span, state, base), arguments, scope, span)
            c.error("E0312", f"`{name}` takes no arguments", span)
            return c.unavailable(span)
        return read_attribute(symbol, base, span)
    if name in c.units and (isinstance(kind, PlayerType) or holds(kind, c.units[name])):
        unit = c.units[name]
        if isinstance(unit, g.Unit):
            if isinstance(unit.symbol, g.TrackSymbol):
                return x.TrackRead(unit.symbol.type, span, unit.symbol, base)
            which = None if unit.member is None else _member(unit.symbol, unit.member, span)
            return x.ResourceRead(IntType(0, 32767), span, unit.symbol, base, which)
        return _resource(c, unit, base, arguments, scope, span)
    return None


def _member(symbol: g.ResourceSymbol, member: int, span: Span) -> x.Expr:
    assert symbol.kinds is not None
    return x.Const(EnumType(symbol.kinds), span, member)


def read_attribute(symbol: g.Symbol, base: x.Expr, span: Span) -> x.Expr | None:
    """A stored attribute of `base`."""
    if isinstance(symbol, g.StateSymbol):
        return x.StateRead(symbol.type, span, symbol, base)
    if isinstance(symbol, g.ZoneSymbol):
        return x.ZoneRef(ZoneType(symbol.entity, symbol.order is not None), span, symbol, base)
    if isinstance(symbol, g.TrackSymbol):
        return x.TrackRead(symbol.type, span, symbol, base)
    if isinstance(symbol, g.AwardSymbol):
        return x.AwardHolder(OptionalType(PLAYER), span, symbol, base)
    return None


def _resource(
    c: Context, symbol: g.ResourceSymbol, holder: x.Expr, arguments: Arguments, scope: Scope, span: Span
) -> x.Expr:
    if symbol.kinds is None:
        if arguments is not None:
            c.error("E0312", f"`{symbol.name}` takes no arguments", span)
        return x.ResourceRead(IntType(0, 32767), span, symbol, holder, None)
    if arguments is None:
        return x.ResourceRead(TallyType(symbol.kinds), span, symbol, holder, None)
    from regelwerk.dsl.checker.expressions import check

    if len(arguments) != 1:
        c.error("E0310", f"`{symbol.name}` takes one of {symbol.kinds.name}", span)
        return c.unavailable(span)
    unit = co.coerce(c, check(c, arguments[0].value, scope, EnumType(symbol.kinds)), EnumType(symbol.kinds))
    return x.ResourceRead(IntType(0, 32767), span, symbol, holder, unit)


def _tally_unit(c: Context, base: x.Expr, kind: TallyType, name: str, span: Span) -> x.Expr | None:
    if kind.symbol is not None:
        index = kind.symbol.index(name)
        return (
            None
            if index is None
            else x.TallyCount(IntType(0, 32767), span, base, x.Const(EnumType(kind.symbol), span, index))
        )
    unit = c.units.get(name)
    if isinstance(unit, g.Unit):
        return x.TallyCount(unit.type, span, base, co.constant(c.unit_list.index(unit) + 1, span))
    return None


def total_type(c: Context, kind: TallyType) -> IntType:
    """What all parts of a tally add up to."""
    halves = kind.symbol is None and any(unit.type.halves for unit in c.unit_list)
    return doubled(IntType(0, HIGHEST)) if halves else IntType(0, HIGHEST)


def _of_thing(
    c: Context, base: x.Expr, kind: ThingType | RowType, name: str, arguments: Arguments, scope: Scope, span: Span
) -> x.Expr | None:
    entity = kind.symbol
    column = _columns(c, entity).get(name)
    if column is not None:
        if isinstance(kind, RowType) and column.kind != "value":
            return None
        me = scope.me or x.Const(PLAYER, span, 0)
        if column.kind == "effect":
            c.error("E0313", f"`{name}` is an effect, and an effect has no value", span, f"write `do ...{name}`")
            return c.unavailable(span)
        if column.kind == "test":
            return x.CellTest(BOOL, span, column, base, me)
        read = x.ColumnRead(column.type, span, column, base, me)
        if arguments is not None:
            if isinstance(column.type, UnknownType):
                return c.unavailable(span)
            if isinstance(column.type, TallyType):
                return call_tally(c, read, arguments, scope, span)
            c.error("E0312", f"the column `{name}` takes no arguments", span)
        return read
    if arguments is not None:
        return None
    if name == "pos":
        return x.ThingAttribute(IntType(1, max(1, entity.most_rows)), span, "pos", base)
    if name == "name":
        return x.ThingAttribute(RowType(entity), span, "name", base)
    if isinstance(kind, RowType):
        return None
    if name == "owner":
        if not entity.per_player and any(_takes(each, kind) for each in c.attributes.get(name, [])):
            return None  # what belongs to nobody may say itself whose it is
        return x.ThingAttribute(OptionalType(entity.owner_type), span, "owner", base)
    if name == "holder" and entity.movable:
        return x.ThingAttribute(OptionalType(PLAYER), span, "holder", base)
    if name == "place" and entity.movable:
        return x.ThingAttribute(IntType(0, 4096), span, "place", base)
    if name == "face" and entity.faces is not None:
        return x.FaceRead(IntType(*entity.faces), span, base)
    if name in ("row", "col", "half") and entity.rows and entity.rows[0].grid is not None:
        which = {"row": "grid_row", "col": "grid_column", "half": "half"}[name]
        return x.ThingAttribute(IntType(0, 400), span, which, base)  # type: ignore[arg-type]  # one of the literals
    return None


def call_tally(c: Context, tally: x.Expr, arguments: tuple[s.Argument, ...], scope: Scope, span: Span) -> x.Expr:
    """`t(k)`: how many of one unit."""
    from regelwerk.dsl.checker.expressions import check

    kind = strip(tally.type)
    if not isinstance(kind, TallyType) or len(arguments) != 1:
        c.error("E0310", "a tally is asked for one unit: `t(k)`", span)
        return c.unavailable(span)
    if kind.symbol is None:
        name = arguments[0].value
        typed = check(c, name, scope) if not isinstance(name, s.Name) or name.name.text in scope.names else None
        enum = strip(typed.type) if typed is not None else None
        if typed is not None and isinstance(enum, EnumType):
            counted = [
                i
                for i, u in enumerate(c.unit_list)
                if u.member == 1 and getattr(u.symbol, "kinds", None) is enum.symbol
            ]
            if counted:
                place = x.Arithmetic(IntType(1, 4096), span, "+", typed, co.constant(counted[0], span))
                return x.TallyCount(IntType(0, 32767), span, tally, place)
        if isinstance(name, s.Name) and isinstance(c.units.get(name.name.text), g.Unit):
            found = _tally_unit(c, tally, kind, name.name.text, span)
            if found is not None:
                return found
        c.error("E0310", "this tally counts the units of the game: ask it for one of them by name", span)
        return c.unavailable(span)
    unit = co.coerce(c, check(c, arguments[0].value, scope, EnumType(kind.symbol)), EnumType(kind.symbol))
    return x.TallyCount(IntType(0, 32767), span, tally, unit)


def call_value(
    c: Context, symbol: g.ValueSymbol, given: list[x.Expr], arguments: Arguments, scope: Scope, span: Span
) -> x.Expr:
    """A value with its arguments: those in `given` come first, `me` is the present one unless it is named."""
    from regelwerk.dsl.checker.expressions import check

    c.ensure(symbol)
    if symbol in c.in_progress and not symbol.recursive and symbol.library is None and symbol.type is not None:
        if symbol not in c.recursive:
            c.error(
                "E0320",
                f"the value `{symbol.name}` needs itself to be found",
                span,
                "values of a game cannot be recursive",
            )
        return c.unavailable(span)
    if symbol.type is None:
        if symbol in c.in_progress and symbol not in c.recursive:
            c.error(
                "E0320",
                f"the value `{symbol.name}` needs itself to be found",
                span,
                "values of a game cannot be recursive; give the type after the brackets if only the type is missing",
            )
        return c.unavailable(span)
    me: x.Expr | None = None
    slots: list[x.Expr | None] = [None] * len(symbol.parameters)
    for index, each in enumerate(given):
        if index < len(slots):
            slots[index] = each
    position = len(given)
    for argument in arguments or ():
        if argument.name is not None and argument.name.text == "me" and symbol.takes_me:
            me = co.coerce(c, check(c, argument.value, scope, PLAYER), PLAYER, "`me`")
            continue
        if argument.name is not None:
            index = next((i for i, (name, _) in enumerate(symbol.parameters) if name == argument.name.text), -1)
            if index < 0:
                c.error(
                    "E0315",
                    f"`{symbol.name}` has no parameter `{argument.name.text}`",
                    argument.name.span,
                    c.suggest(argument.name.text, [name for name, _ in symbol.parameters]),
                )
                continue
        else:
            index, position = position, position + 1
            if index >= len(slots):
                c.error("E0316", wrong_number(symbol.name, symbol.parameters), argument.span)
                return c.unavailable(span)
        name, kind = symbol.parameters[index]
        slots[index] = co.coerce(c, check(c, argument.value, scope, kind), kind, f"`{name}`")
    for index, filled in enumerate(list(slots)):
        if filled is None:
            default = symbol.defaults[index] if index < len(symbol.defaults) else None
            if default is None:
                c.error("E0316", wrong_number(symbol.name, symbol.parameters), span)
                return c.unavailable(span)
            slots[index] = default
        elif index < len(given):
            slots[index] = co.coerce(
                c, filled, OptionalType(symbol.parameters[index][1]), f"`{symbol.parameters[index][0]}`"
            )
    if symbol.takes_me and me is None:
        me = scope.me
        if me is None:
            c.error(
                "E0321",
                f"`{symbol.name}` asks for somebody (`me`), and nobody acts here",
                span,
                f"say for whom: `{symbol.name}(..., me: p)`",
            )
            return c.unavailable(span)
    values = [each for each in slots if each is not None]
    return x.Call(symbol.type, span, symbol, ([me] if symbol.takes_me and me is not None else []) + values)


def wrong_number(name: str, parameters: list[tuple[str, Type]]) -> str:
    """What to say when a call has too many or too few arguments."""
    if not parameters:
        return f"`{name}` takes no arguments"
    plural = "s" if len(parameters) != 1 else ""
    return f"`{name}` takes {len(parameters)} argument{plural}: {', '.join(p for p, _ in parameters)}"
