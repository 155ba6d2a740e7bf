"""Setting what is stored, and what only scenarios set."""

from __future__ import annotations

from regelwerk.dsl.checker import attributes as at
from regelwerk.dsl.checker import coercion as co
from regelwerk.dsl.checker import heads
from regelwerk.dsl.checker.context import Context, Scope
from regelwerk.dsl.checker.effects import handles, present
from regelwerk.dsl.checker.expressions import (
    check,
    check_as,
    check_number,
)
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import (
    PLAYER,
    BankType,
    RowType,
    ThingType,
    UnknownType,
    ZoneType,
    strip,
)
from regelwerk.dsl.source import Span
from regelwerk.dsl.syntax import effects as s
from regelwerk.dsl.syntax import expressions as e
from regelwerk.dsl.syntax.base import Expression


@handles(s.Let)
def _let(c: Context, node: s.Let, scope: Scope) -> t.Stmt:
    value = check(c, node.value, scope)
    heads.shadow_check(c, node.name.text, scope, node.name.span)
    if isinstance(value.type, ZoneType):
        value = co.as_collection(value)
    return t.Let(node.span, scope.bind(node.name.text, value.type), value)


@handles(s.Set)
def _set(c: Context, node: s.Set, scope: Scope) -> t.Stmt | None:
    target = check(c, node.target, scope)
    span = node.span
    if isinstance(target, x.StateRead):
        return t.SetState(
            span,
            target.symbol,
            target.key,
            present(
                check_as(c, node.value, scope, target.symbol.type, f"`{target.symbol.name}`"),
                target.symbol.type,
                f"`{target.symbol.name}`",
            ),
        )
    if isinstance(target, x.FaceRead):
        return t.SetFace(span, target.die, check_number(c, node.value, scope, "a face"))
    if isinstance(target, x.TrackRead):
        return t.SetTrack(
            span,
            target.symbol,
            target.player,
            check_as(c, node.value, scope, target.symbol.type, f"`{target.symbol.name}`"),
        )
    if isinstance(target, x.ZoneRef) and scope.in_given:
        return _set_zone(c, target, node.value, scope, span)
    if isinstance(target, x.ResourceRead) and scope.in_given and not isinstance(target.holder.type, BankType):
        if target.symbol.kinds is not None and target.unit is None:
            value = check_as(c, node.value, scope, target.type, f"`{target.symbol.name}`")
        else:
            value = check_number(c, node.value, scope)
        return t.SetResource(span, target.symbol, target.holder, target.unit, value)
    if isinstance(target, x.AwardHolder) and scope.in_given:
        return t.SetAward(span, target.symbol, target.key, check_as(c, node.value, scope, target.type, "who holds it"))
    if isinstance(target.type, UnknownType):
        return None
    help_text = None
    if isinstance(target, x.ZoneRef):
        help_text = "things are moved: `move x to ZONE` (only a scenario's `given` sets a zone)"
    elif isinstance(target, x.ResourceRead):
        help_text = "goods are gained, lost, paid, given and taken"
    elif isinstance(target, x.Call | x.ConstantRead | x.ColumnRead | x.Local):
        help_text = "only states, tracks and dice faces can be set; what can be computed is never stored"
    c.error("E0407", "this cannot be set", node.target.span, help_text)
    return None


def _set_zone(c: Context, target: x.ZoneRef, value: Expression, scope: Scope, span: Span) -> t.Stmt | None:
    if not isinstance(value, e.ListLiteral | e.SetLiteral):
        c.error("E1003", "a zone is filled with a list: `set ZONE = [a, b]`", value.span)
        return None
    kind = ThingType(target.symbol.entity)
    items = []
    for each in value.items:
        item = check(c, each, scope, kind)
        if strip(item.type) not in (kind, RowType(kind.symbol)) and not isinstance(item.type, UnknownType):
            c.error("E0338", f"this zone is for {kind.symbol.plural or kind.symbol.name}", each.span)
            continue
        items.append(item)
    return t.SetZone(span, target, items)


@handles(s.Pin)
def _pin(c: Context, node: s.Pin, scope: Scope) -> t.Stmt | None:
    target = (
        check(c, node.target, scope) if not isinstance(node.target, e.Attribute) else _pin_target(c, node.target, scope)
    )
    if isinstance(target, (t.SetPin, x.Call)):
        symbol, arguments = target.symbol, target.arguments
    else:
        if not isinstance(target.type, UnknownType):
            c.error("E1001", "only a value can be pinned", node.target.span)
        return None
    wanted = len(symbol.parameters) + int(symbol.takes_me)
    assert symbol.type is not None
    if len(arguments) == wanted:
        return t.SetPin(node.span, symbol, arguments, check_as(c, node.value, scope, symbol.type), None)
    if not isinstance(node.value, e.ListLiteral) or len(arguments) != wanted - 1:
        c.error(
            "E1002",
            f"`pin` fixes `{symbol.name}` for its arguments, or with a list for each member of its last parameter",
            node.span,
        )
        return None
    return t.SetPin(
        node.span, symbol, arguments, None, [check_as(c, each, scope, symbol.type) for each in node.value.items]
    )


def _pin_target(c: Context, node: e.Attribute, scope: Scope) -> x.Expr | t.SetPin:
    base = check(c, node.base, scope)
    for symbol in c.attributes.get(node.name.text, []):
        if isinstance(symbol, g.ValueSymbol) and at._takes(symbol, strip(base.type)):
            c.ensure(symbol)
            first = [scope.me or x.Const(PLAYER, node.span, 0)] if symbol.takes_me else []
            given = [
                check_as(c, a.value, scope, symbol.parameters[i + 1][1])
                for i, a in enumerate(node.arguments or ())
                if i + 1 < len(symbol.parameters)
            ]
            return t.SetPin(node.span, symbol, [*first, base, *given], None, None)
    return check(c, node, scope)
