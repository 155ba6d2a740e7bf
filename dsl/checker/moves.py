"""Moving, drawing, shuffling and rolling things."""

from __future__ import annotations

from regelwerk.dsl.checker import coercion as co
from regelwerk.dsl.checker.context import Context, Scope
from regelwerk.dsl.checker.effects import handles
from regelwerk.dsl.checker.expressions import (
    check,
    check_number,
)
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import (
    PLAYER,
    OptionalType,
    RowType,
    SetType,
    ThingType,
    UnknownType,
    ZoneType,
    member_of,
    strip,
)
from regelwerk.dsl.source import Span
from regelwerk.dsl.syntax import effects as s
from regelwerk.dsl.syntax import expressions as e
from regelwerk.dsl.syntax.base import Expression


def _zone(c: Context, node: Expression, scope: Scope, what: str) -> x.Expr:
    found = check(c, node, scope)
    if isinstance(found.type, ZoneType | UnknownType):
        return found
    c.error("E0335", f"{what} must be a zone, but this is {co.kind_words(found.type)}", found.span)
    return c.unavailable(found.span)


def _things(c: Context, node: Expression, scope: Scope, what: str) -> x.Expr:
    found = co.as_collection(check(c, node, scope))
    kind = member_of(found.type) or strip(found.type)
    if isinstance(kind, UnknownType):
        return found
    if isinstance(kind, RowType):
        return co.coerce(c, found, ThingType(kind.symbol), what)
    if not isinstance(kind, ThingType):
        c.error("E0336", f"{what} must be a thing, but this is {co.kind_words(found.type)}", found.span)
        return c.unavailable(found.span)
    if not kind.symbol.movable:
        c.error(
            "E0337",
            f"{kind.symbol.plural or kind.symbol.name} cannot be moved: they are {kind.symbol.kind}",
            found.span,
            "only cards, tiles, pieces and dice lie in zones",
        )
        return c.unavailable(found.span)
    return found


def _same_kind(c: Context, things: x.Expr, zone: x.Expr, span: Span) -> None:
    kind = member_of(things.type) or strip(things.type)
    if isinstance(kind, ThingType) and isinstance(zone.type, ZoneType) and kind.symbol is not zone.type.symbol:
        takes, given = zone.type.symbol, kind.symbol
        c.error("E0338", f"this zone is for {takes.plural or takes.name}, not for {given.plural or given.name}", span)


@handles(s.Move)
def _move(c: Context, node: s.Move, scope: Scope) -> t.Stmt:
    things, zone = _things(c, node.things, scope, "what is moved"), _zone(c, node.zone, scope, "where it is moved")
    _same_kind(c, things, zone, node.zone.span)
    if node.at_bottom and isinstance(zone.type, ZoneType) and not zone.type.ordered:
        c.error("E0311", "only an ordered zone has a bottom", node.zone.span, "declare the zone with `order pile`")
    return t.Move(node.span, scope.me or x.Const(PLAYER, node.span, 0), things, zone, node.at_bottom)


@handles(s.Draw)
def _draw(c: Context, node: s.Draw, scope: Scope) -> t.Stmt:
    source, zone = _zone(c, node.source, scope, "where is drawn from"), _zone(c, node.zone, scope, "where it goes")
    if isinstance(source, x.ZoneRef) and source.symbol.order is None:
        c.error(
            "E0311",
            "one draws from the top, and this zone has no order",
            node.source.span,
            "declare the zone with `order pile`, or write `random x in ...`",
        )
    if (
        isinstance(source.type, ZoneType)
        and isinstance(zone.type, ZoneType)
        and source.type.symbol is not zone.type.symbol
    ):
        c.error("E0338", f"this zone is for {zone.type.symbol.name}, not for {source.type.symbol.name}", node.zone.span)
    return t.Draw(
        node.span,
        scope.me or x.Const(PLAYER, node.span, 0),
        check_number(c, node.amount, scope, "how many are drawn"),
        source,
        zone,
    )


@handles(s.Shuffle)
def _shuffle(c: Context, node: s.Shuffle, scope: Scope) -> t.Stmt | None:
    if node.into is None and isinstance(node.things, e.Attribute):
        state = next(
            (each for each in c.attributes.get(node.things.name.text, []) if isinstance(each, g.StateSymbol)), None
        )
        base = check(c, node.things.base, scope)
        if (
            state is not None
            and member_of(base.type) is not None
            and not any(isinstance(z, g.ZoneSymbol) for z in c.attributes[state.name])
        ):
            return t.ShuffleState(node.span, state, co.as_set(base))
    zone = _zone(c, node.things, scope, "what is shuffled")
    into = _zone(c, node.into, scope, "where it is shuffled into") if node.into is not None else None
    target = into or zone
    if isinstance(target.type, ZoneType) and not target.type.ordered:
        c.error(
            "E0311", "this zone has no order that could be shuffled", node.span, "declare the zone with `order pile`"
        )
    return t.Shuffle(node.span, zone, into)


@handles(s.Roll)
def _roll(c: Context, node: s.Roll, scope: Scope) -> t.Stmt:
    dice = _things(c, node.dice, scope, "what is rolled")
    kind = member_of(dice.type) or strip(dice.type)
    if isinstance(kind, ThingType) and kind.symbol.faces is None:
        c.error(
            "E0339",
            f"{kind.symbol.plural or kind.symbol.name} have no faces to roll",
            node.dice.span,
            "declare them as `dice ... faces 1..6`",
        )
    return t.Roll(node.span, scope.me or x.Const(PLAYER, node.span, 0), dice)


@handles(s.Reveal)
def _reveal(c: Context, node: s.Reveal, scope: Scope) -> t.Stmt:
    things = _things(c, node.things, scope, "what is revealed")
    viewers = check(c, node.viewer, scope, SetType(PLAYER))
    if member_of(viewers.type) is not None:
        viewers = co.coerce(c, co.as_set(viewers), SetType(PLAYER), "who is shown it")
    else:
        viewers = co.coerce(c, viewers, OptionalType(PLAYER), "who is shown it")
        viewers = x.SetOf(SetType(PLAYER), viewers.span, [viewers])
    return t.Reveal(node.span, things, viewers)
