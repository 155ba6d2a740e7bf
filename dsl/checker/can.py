"""`can(S)`: whether an effect can begin, derived for every effect (language, section 8). None is neutral."""

from __future__ import annotations

from regelwerk.dsl.checker import coercion as co
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import BOOL, IntType, OptionalType, ThingType, member_of
from regelwerk.dsl.source import Span


def yes(span: Span) -> x.Expr:
    """Always."""
    return x.Const(BOOL, span, 1)


def can(statement: t.Stmt) -> x.Expr:
    """Whether the statement can begin; yes if all its parts are neutral."""
    return begin(statement) or yes(statement.span)


def begin(statement: t.Stmt) -> x.Expr | None:
    """The condition, or None if the statement is neutral."""
    span = statement.span
    if isinstance(statement, t.Sequence):
        return _sequence(statement.statements)
    if isinstance(statement, t.Choose):
        return x.Quantified(BOOL, span, "some", statement.head, None)
    if isinstance(statement, t.RandomPick):
        return x.Quantified(BOOL, span, "some", statement.head, None)
    if isinstance(statement, t.Move):
        return _move(statement)
    if isinstance(statement, t.Gain | t.Roll | t.Transfer | t.Everyone | t.Acting):
        return yes(span)
    if isinstance(statement, t.Lose):
        return x.CanPay(BOOL, span, statement.me, statement.amount, True)
    if isinstance(statement, t.Pay):
        return x.CanPay(BOOL, span, statement.me, statement.amount)
    if isinstance(statement, t.Draw):
        count = x.ZoneCount(IntType(0, 4096), span, statement.source)
        return x.Ordered(BOOL, span, ">", count, co.constant(0, span))
    if isinstance(statement, t.If) and statement.must_hold:
        return statement.condition
    if isinstance(statement, t.If):
        then, other = can(statement.consequence), can(statement.alternative) if statement.alternative else yes(span)
        return x.Select(BOOL, span, statement.condition, then, other)
    if isinstance(statement, t.Alternatives):
        return _alternatives(statement)
    if isinstance(statement, t.Do):
        symbol = statement.symbol
        if symbol.neutral and not symbol.requirements:
            return None
        return x.CanDo(BOOL, span, statement.me, statement.symbol, statement.arguments)
    if isinstance(statement, t.DoCell):
        return x.CanCell(
            BOOL, span, statement.me, statement.column, statement.thing, statement.arguments, statement.rows
        )
    if isinstance(statement, t.ForEach):
        return x.Quantified(BOOL, span, "some", statement.head, can(statement.body))
    if isinstance(statement, t.Offer):
        if statement.passing is not None or statement.until_done is not None:
            return yes(span)
        return x.CanOffer(BOOL, span, statement.me, statement.actions)
    if isinstance(statement, t.Repeat | t.AsOne):
        return begin(statement.body)
    return None


def _sequence(statements: list[t.Stmt]) -> x.Expr | None:
    for index, each in enumerate(statements):
        if isinstance(each, t.Let):
            rest = _sequence(statements[index + 1 :])
            return None if rest is None else x.LetIn(BOOL, each.span, each.slot, each.value, rest)
        found = begin(each)
        if found is not None:
            return found
    return None


def _move(statement: t.Move) -> x.Expr:
    span, things = statement.span, statement.things
    place = things.value if isinstance(things, x.Present) else things
    if isinstance(place, x.ZoneEnd) and place.end != "at":
        # asked of the number alone: which thing lies on top may not be settled
        some: x.Expr = x.Ordered(BOOL, span, ">", x.ZoneCount(IntType(0, 4096), span, place.zone), co.constant(0, span))
        return x.Both(BOOL, span, some, x.HasRoom(BOOL, span, statement.zone))
    if member_of(things.type) is None:
        some = yes(span)
        if isinstance(things.type, OptionalType) and isinstance(things.type.base, ThingType):
            some = x.Negation(BOOL, span, x.Equal(BOOL, span, things, x.Const(things.type, span, 0)))
    else:
        some = x.Ordered(
            BOOL, span, ">", x.Count(IntType(0, 4096), span, co.as_collection(things)), co.constant(0, span)
        )
    return x.Both(BOOL, span, some, x.HasRoom(BOOL, span, statement.zone))


def _alternatives(statement: t.Alternatives) -> x.Expr:
    result: x.Expr | None = None
    for way in statement.ways:
        test = way.condition or yes(statement.span)
        result = test if result is None else x.AnyOf(BOOL, statement.span, result, test)
    return result or yes(statement.span)
