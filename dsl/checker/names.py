"""Names, calls and attributes: what they resolve to."""

from __future__ import annotations

from regelwerk.dsl.checker import attributes as at
from regelwerk.dsl.checker import claims, libraries, picks, records
from regelwerk.dsl.checker import coercion as co
from regelwerk.dsl.checker.context import Context, Scope
from regelwerk.dsl.checker.expressions import check, checks
from regelwerk.dsl.foreign_words import word_for_value
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import (
    BANK,
    PLAYER,
    EnumType,
    IntType,
    ListType,
    OptionalType,
    RowType,
    SetType,
    TallyType,
    ThingType,
    Type,
    UnknownType,
    ZoneType,
    member_of,
    strip,
    unknown,
)
from regelwerk.dsl.source import Span
from regelwerk.dsl.syntax import expressions as s


@checks(s.Name)
def _name(c: Context, node: s.Name, scope: Scope, expected: Type | None) -> x.Expr:
    name, span = node.name.text, node.span
    if scope.in_scenario:
        claimed = claims.claim_name(c, node, scope)
        if claimed is not None:
            return claimed
    if node.arguments is not None:
        return _call(c, node, scope, expected)
    local = scope.names.get(name)
    if local is not None:
        return x.Local(local[1], span, local[0])
    built_in = _built_in(c, name, scope, span)
    if built_in is not None:
        return built_in
    if name in scope.seats:
        return x.Const(PLAYER, span, scope.seats[name])
    symbol = c.globals.get(name)
    if symbol is not None:
        found = _global(c, symbol, name, scope, span, expected)
        if found is not None:
            return found
    member = _named_member(c, name, expected, span)
    if member is not None:
        return member
    values = [each for each in c.attributes.get(name, []) if isinstance(each, g.ValueSymbol)]
    if len(values) == 1 and values[0].takes_me and not values[0].parameters:
        return at.call_value(c, values[0], [], None, scope, span)
    if any(_spoilt(c, each) for each in c.attributes.get(name, [])):
        return c.unavailable(span)  # its declaration is reported
    if c.attributes.get(name):
        c.error("E0205", f"`{name}` belongs to something: say whose", span, f"for example `me.{name}`")
        return c.unavailable(span)
    candidates = [*scope.names, *c.globals, *c.members, "me", "active", "players", "bank", *scope.seats]
    if name in c.seats:
        help: str | None = "anybody may sit on this seat: say `me`, `active` or `players.first`"
    else:
        help = word_for_value(name) or c.suggest(name, candidates)
    c.error("E0203", f"`{name}` is not the name of anything here", span, help)
    return c.unavailable(span)


def _spoilt(c: Context, symbol: g.Symbol) -> bool:
    """Whether the declaration of an attribute has an error itself."""
    if isinstance(symbol, g.ValueSymbol) and isinstance(symbol.type, UnknownType):
        return True
    return isinstance(symbol, g.UnknownSymbol) or isinstance(c.attribute_key(symbol), UnknownType)


def _built_in(c: Context, name: str, scope: Scope, span: Span) -> x.Expr | None:
    if name == "me":
        if scope.me is None:
            c.error(
                "E0206",
                "nobody acts here, so there is no `me`",
                span,
                "values ask for it as a parameter: `value f(me, ...)`",
            )
            return c.unavailable(span)
        return scope.me
    if name == "active":
        return x.Active(OptionalType(PLAYER), span)
    if name == "players":
        return x.AllPlayers(SetType(PLAYER), span)
    if name == "bank":
        return x.Bank(BANK, span)
    if name == "it":
        if scope.it is None:
            c.error("E0207", "`it` is the element under test, and nothing is tested here", span)
            return c.unavailable(span)
        return x.Local(scope.it[1], span, scope.it[0])
    if name == "self":
        if scope.own is None:
            c.error(
                "E0208",
                "`self` is the row or instance a cell or a zone's `from` belongs to, and there is none here",
                span,
            )
            return c.unavailable(span)
        return x.Local(scope.own[1], span, scope.own[0])
    if name == "chosen":
        return picks.chosen(c, scope, span)
    return None


def _global(c: Context, symbol: g.Symbol, name: str, scope: Scope, span: Span, expected: Type | None) -> x.Expr | None:
    if isinstance(symbol, g.UnknownSymbol):
        return c.unavailable(span)
    if isinstance(symbol, g.ConstantSymbol):
        if symbol in c.in_progress:
            c.error("E0320", f"the constant `{name}` needs itself to be found", span, "break the circle")
            return c.unavailable(span)
        c.ensure(symbol)
        return x.ConstantRead(symbol.type, span, symbol, scope.me or x.Const(PLAYER, span, 0))
    if isinstance(symbol, g.OptionSymbol):
        return x.OptionRead(symbol.type, span, symbol)
    if isinstance(symbol, g.StateSymbol):
        if symbol.key is None:
            return x.StateRead(symbol.type, span, symbol, None)
    elif isinstance(symbol, g.ZoneSymbol):
        if symbol.key is None:
            return x.ZoneRef(ZoneType(symbol.entity, symbol.order is not None), span, symbol, None)
    elif isinstance(symbol, g.EntitySymbol):
        if symbol.words.one == name and _named_member(c, name, expected, span) is not None:
            return None
        return x.AllThings(SetType(ThingType(symbol)), span, symbol)
    elif isinstance(symbol, g.EnumSymbol):
        return x.Interval(
            SetType(EnumType(symbol)), span, co.constant(symbol.lowest, span), co.constant(symbol.highest, span)
        )
    elif isinstance(symbol, g.RecordSymbol):
        c.error(
            "E0762",
            f"`{name}` are choices that somebody has, and no set",
            span,
            f"let somebody choose: `x in {symbol.plural or symbol.name}` in an action or `choose`",
        )
        return c.unavailable(span)
    elif isinstance(symbol, g.ValueSymbol):
        return at.call_value(c, symbol, [], None, scope, span)
    elif isinstance(symbol, g.AwardSymbol) and symbol.key is None:
        return x.AwardHolder(OptionalType(PLAYER), span, symbol, None)
    return None


def _named_member(c: Context, name: str, expected: Type | None, span: Span) -> x.Expr | None:
    found = c.members.get(name)
    if not found:
        return None
    if len(found) > 1:
        wanted: Type | None = expected
        while wanted is not None and isinstance(wanted, OptionalType | SetType | ListType | ZoneType):
            wanted = member_of(wanted) if not isinstance(wanted, OptionalType) else wanted.base
        symbols = {getattr(wanted, "symbol", None)} - {None}
        if isinstance(wanted, TallyType) and wanted.symbol is None:
            symbols = {
                unit.symbol.kinds
                for unit in c.unit_list
                if isinstance(unit.symbol, g.ResourceSymbol) and unit.symbol.kinds
            }
        narrowed = [each for each in found if each[0] in symbols]
        if len(narrowed) == 1:
            found = narrowed
        else:
            c.error(
                "E0209",
                f"`{name}` could be one of {' or '.join(each[0].name for each in found)}",
                span,
                f"say which: `{found[0][0].name}.{name}`",
            )
            return c.unavailable(span)
    symbol, index = found[0]
    return member(symbol, index, span)


def member(symbol: g.EnumSymbol | g.EntitySymbol, index: int, span: Span) -> x.Expr:
    """A member of an enum or a row, as a value."""
    if isinstance(symbol, g.EnumSymbol):
        return x.Const(EnumType(symbol), span, index)
    kind: Type = ThingType(symbol) if symbol.rows[index - 1].single else RowType(symbol)
    return x.RowConst(kind, span, symbol, index)


def _in_interface(c: Context, kind: Type) -> bool:
    return isinstance(kind, ThingType) and any(kind.symbol in interface.entities for interface in c.interfaces)


def _call(c: Context, node: s.Name, scope: Scope, expected: Type | None) -> x.Expr:
    name, span, arguments = node.name.text, node.span, node.arguments
    assert arguments is not None
    if name == "chosen":
        base = picks.chosen(c, scope, span)
        return base if unknown(base.type) else at.call_tally(c, base, arguments, scope, span)
    local = scope.names.get(name)
    if local is not None:
        return at.call_tally(c, x.Local(local[1], span, local[0]), arguments, scope, span)
    symbol = c.globals.get(name)
    if isinstance(symbol, g.RecordSymbol):
        return records.make_record(c, symbol, arguments, scope, span)
    if isinstance(symbol, g.ValueSymbol):
        return at.call_value(c, symbol, [], arguments, scope, span)
    candidates = [each for each in c.attributes.get(name, []) if isinstance(each, g.ValueSymbol)]
    guarded = any(name == entry.name for interface in c.interfaces for entry in interface.entries) or any(
        each.library is not None and each.parameters and _in_interface(c, each.parameters[0][1]) for each in candidates
    )
    if len(candidates) == 1 and not guarded:
        return at.call_value(c, candidates[0], [], arguments, scope, span)
    if candidates or guarded:
        positional = [each for each in arguments if each.name is None]
        if positional:
            first = check(c, positional[0].value, scope)
            rest = tuple(e for e in arguments if e is not positional[0])
            return at.attribute(c, first, node.name, rest or None, scope, span)
    if len(arguments) == 1 and arguments[0].name is None and c.attributes.get(name):
        return at.attribute(c, check(c, arguments[0].value, scope), node.name, None, scope, span)
    if isinstance(symbol, g.ConstantSymbol | g.StateSymbol):
        base = _name(c, s.Name(span=span, name=node.name), scope, expected)
        if isinstance(strip(base.type), TallyType):
            return at.call_tally(c, base, arguments, scope, span)
    if name in c.effects or name in c.actions:
        c.error("E0322", f"`{name}` is an effect and has no value", span, f"write `do {name}(...)` where effects stand")
        return c.unavailable(span)
    names = [each for each, known in c.globals.items() if isinstance(known, g.ValueSymbol)]
    names += [each for each, known in c.attributes.items() if any(isinstance(k, g.ValueSymbol) for k in known)]
    if name in c.ambiguous:
        c.error(
            "E0217",
            f"`{name}` comes from a library that is used twice, and this could be either",
            node.name.span,
            "write what it does yourself, as a value with another name",
        )
        return c.unavailable(span)
    home = libraries.home_of(name)
    help_text = f"it is part of the standard library: write `use {home}`" if home is not None else None
    c.error(
        "E0203",
        f"there is no value `{name}`",
        node.name.span,
        word_for_value(name) or c.suggest(name, names, help_text),
    )
    return c.unavailable(span)


@checks(s.Attribute)
def _attribute(c: Context, node: s.Attribute, scope: Scope, expected: Type | None) -> x.Expr:
    if isinstance(node.base, s.Name) and node.base.arguments is None and node.base.name.text not in scope.names:
        symbol = c.globals.get(node.base.name.text)
        if isinstance(symbol, g.EnumSymbol) and node.arguments is None:
            index = symbol.index(node.name.text)
            if index is not None:
                return x.Const(EnumType(symbol), node.span, index)
        if isinstance(symbol, g.EntitySymbol) and node.arguments is None:
            for row in symbol.rows:
                if row.name == node.name.text:
                    return member(symbol, row.index, node.span)
        if isinstance(symbol, g.AwardSymbol) and node.name.text == "holder" and symbol.key is None:
            return x.AwardHolder(OptionalType(PLAYER), node.span, symbol, None)
        if isinstance(symbol, g.EntitySymbol) and symbol.live_in is None and node.name.text == "count":
            return x.Count(IntType(0, 4096), node.span, x.AllThings(SetType(ThingType(symbol)), node.base.span, symbol))
    if isinstance(node.base, s.Name) and node.base.name.text == "chosen" and node.base.arguments is None:
        earlier = picks.chosen_of(c, node.name.text, scope, node.span)
        if earlier is not None:
            return earlier
    if isinstance(node.base, s.Attribute) and node.name.text == "holder":
        base = check(c, node.base, scope)
        if isinstance(base, x.AwardHolder):
            return base
        return at.attribute(c, base, node.name, node.arguments, scope, node.span)
    base = check(c, node.base, scope)
    return at.attribute(c, base, node.name, node.arguments, scope, node.span)


@checks(s.ItAttribute)
def _it_attribute(c: Context, node: s.ItAttribute, scope: Scope, expected: Type | None) -> x.Expr:
    if scope.it is None:
        c.error("E0207", f"`.{node.name.text}` asks the element under test, and nothing is tested here", node.span)
        return c.unavailable(node.span)
    return at.attribute(c, x.Local(scope.it[1], node.span, scope.it[0]), node.name, node.arguments, scope, node.span)
