"""Amounts: what is gained, lost, paid, given and taken."""

from __future__ import annotations

from regelwerk.dsl.checker import attributes as at
from regelwerk.dsl.checker import coercion as co
from regelwerk.dsl.checker.can import can
from regelwerk.dsl.checker.context import Context, Scope
from regelwerk.dsl.checker.effects import check_statement, handles, me_of
from regelwerk.dsl.checker.expressions import (
    check,
    template,
)
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import (
    BOOL,
    PLAYER,
    BankType,
    EnumType,
    IntType,
    OptionalType,
    TallyType,
    ThingType,
    UnknownType,
    member_of,
    strip,
    unknown,
)
from regelwerk.dsl.source import Span
from regelwerk.dsl.syntax import effects as s
from regelwerk.dsl.syntax import expressions as e
from regelwerk.dsl.syntax.base import Expression, Text


def amount(c: Context, node: Expression, scope: Scope) -> t.Amount:
    """An amount of goods, taken apart into units as far as it is written as a sum."""
    found = t.Amount()
    _amount_parts(c, node, scope, found)
    return found


def _amount_parts(c: Context, node: Expression, scope: Scope, into: t.Amount) -> None:
    if isinstance(node, e.Binary) and node.operator == "+":
        _amount_parts(c, node.left, scope, into)
        _amount_parts(c, node.right, scope, into)
        return
    typed = co_amount(c, check(c, node, scope, TallyType(None)), node.span)
    if isinstance(typed, x.TallyOf):
        kinds = typed.type.symbol if isinstance(typed.type, TallyType) else None
        for unit, count in typed.parts:
            into.parts.append((_unit(c, unit, kinds), count))
    elif not isinstance(typed.type, UnknownType):
        into.tallies.append(typed)


def _unit(c: Context, unit: int | x.Expr, kinds: g.EnumSymbol | None) -> g.Unit | tuple[g.ResourceSymbol, x.Expr]:
    if kinds is None:
        assert isinstance(unit, int)
        return c.unit_list[unit - 1]
    resource = next(
        each.symbol for each in c.unit_list if isinstance(each.symbol, g.ResourceSymbol) and each.symbol.kinds is kinds
    )
    if isinstance(unit, int):
        return g.Unit(resource, unit)
    if isinstance(unit, x.Const) and isinstance(unit.value, int):
        return g.Unit(resource, unit.value)
    return resource, unit


def unit_names(c: Context) -> list[str]:
    """The units as they are written, in the plural."""
    return sorted({name for name, unit in c.units.items() if name == getattr(unit, "plural", name)})[:8]


def co_amount(c: Context, expr: x.Expr, span: Span) -> x.Expr:
    """An expression as an amount; tallies must count units of the game."""
    kind = expr.type
    if isinstance(kind, OptionalType) and isinstance(kind.base, EnumType):
        expr = x.Present(kind.base, expr.span, expr, "what is counted")
        kind = expr.type
    if isinstance(kind, UnknownType):
        return expr
    if isinstance(kind, IntType):
        names = unit_names(c)
        c.error(
            "E0332",
            "an amount needs its unit",
            span,
            f"for example `1 {names[0]}`" if names else "declare a `resource` or a `track`",
        )
        return c.unavailable(span)
    symbol = kind.symbol if isinstance(kind, EnumType | TallyType) else None
    counted = {u.symbol.kinds for u in c.unit_list if isinstance(u.symbol, g.ResourceSymbol)}
    if isinstance(kind, EnumType | TallyType) and symbol is not None and symbol not in counted:
        c.error(
            "E0333",
            f"{symbol.name} is not counted by any resource of the game",
            span,
            f"declare `resource ... per {symbol.name}`",
        )
        return c.unavailable(span)
    if isinstance(kind, EnumType):
        return co.to_tally(c, expr, TallyType(kind.symbol))
    if isinstance(kind, TallyType):
        return expr
    if unknown(member_of(kind) or kind):
        return c.unavailable(span)
    if isinstance(strip(kind), ThingType) or member_of(kind) is not None:
        c.error("E0334", "things are moved, not gained, lost or paid", span, "write `move x to ZONE`")
        return c.unavailable(span)
    c.error("E0301", f"an amount is needed here, but this is {co.kind_words(kind)}", span)
    return c.unavailable(span)


def _reason(c: Context, text: Text | None, scope: Scope) -> x.Template | None:
    return template(c, text, scope) if text is not None else None


@handles(s.Gain)
def _gain(c: Context, node: s.Gain, scope: Scope) -> t.Stmt:
    return t.Gain(
        node.span, me_of(c, scope, node.span, "gain"), amount(c, node.amount, scope), _reason(c, node.reason, scope)
    )


@handles(s.Lose)
def _lose(c: Context, node: s.Lose, scope: Scope) -> t.Stmt:
    return t.Lose(
        node.span, me_of(c, scope, node.span, "lose"), amount(c, node.amount, scope), _reason(c, node.reason, scope)
    )


@handles(s.Pay)
def _pay(c: Context, node: s.Pay, scope: Scope) -> t.Stmt:
    me = me_of(c, scope, node.span, "pay")
    price = amount(c, node.amount, scope)
    payment = t.Pay(node.span, me, price)
    if node.purchase is None:
        return payment
    bought = check_statement(c, node.purchase, scope) or t.Sequence(node.span, [])
    test = x.Both(BOOL, node.span, x.CanPay(BOOL, node.span, me, price), can(bought))
    return t.If(node.span, test, t.Sequence(node.span, [payment, bought]), None, True)


def _party(c: Context, node: Expression, scope: Scope, what: str) -> x.Expr:
    found = check(c, node, scope)
    if isinstance(found.type, BankType):
        return found
    kind = strip(found.type)
    if isinstance(kind, ThingType) and any(
        isinstance(u.symbol, g.ResourceSymbol) and kind.symbol in u.symbol.held_by for u in c.unit_list
    ):
        return found
    return co.coerce(c, found, PLAYER, what)


def _held(c: Context, party: x.Expr, found: t.Amount, span: Span) -> None:
    """Things hold only what they are declared to hold."""
    kind = strip(party.type)
    if not isinstance(kind, ThingType):
        return
    counted: list[g.Unit | g.ResourceSymbol] = [
        each if isinstance(each, g.Unit) else each[0] for each, _ in found.parts
    ]
    for tally in found.tallies:
        enum = tally.type.symbol if isinstance(tally.type, TallyType) else None
        counted += [u for u in c.unit_list if enum is not None and getattr(u.symbol, "kinds", None) is enum]
    for unit in counted:
        if not at.holds(kind, unit):
            remedy = "places on tracks belong to players"
            if not isinstance(unit, g.Unit) or isinstance(unit.symbol, g.ResourceSymbol):
                remedy = f"declare the resource with `held by player, {kind.symbol.name}`"
            things = kind.symbol.plural or kind.symbol.name
            c.error("E0791", f"{things} cannot hold {unit.words.many}", span, remedy)
            return


def _parties(c: Context, parties: list[x.Expr], found: t.Amount, span: Span) -> None:
    """Who gives and who receives must be able to hold it; the bank has goods, but no place on tracks."""
    for each in parties:
        _held(c, each, found, span)
    if any(isinstance(each, x.Bank) for each in parties):
        for unit, _ in found.parts:
            if isinstance(unit, g.Unit) and isinstance(unit.symbol, g.TrackSymbol):
                c.error("E0354", f"the bank has no {unit.words.many}", span, "write `gain` or `lose`")


@handles(s.Give)
def _give(c: Context, node: s.Give, scope: Scope) -> t.Stmt:
    giver = _party(c, node.giver, scope, "who gives") if node.giver is not None else me_of(c, scope, node.span, "give")
    receiver, given = _party(c, node.receiver, scope, "who receives"), amount(c, node.amount, scope)
    _parties(c, [giver, receiver], given, node.span)
    return t.Transfer(node.span, giver, receiver, given)


@handles(s.Take)
def _take(c: Context, node: s.Take, scope: Scope) -> t.Stmt:
    giver, taken = _party(c, node.giver, scope, "who gives"), amount(c, node.amount, scope)
    _parties(c, [giver], taken, node.span)
    return t.Transfer(node.span, giver, me_of(c, scope, node.span, "take"), taken)
