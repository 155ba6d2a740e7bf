"""Comparing: `is`, `in`, `<` and its kin."""

from __future__ import annotations

from typing import Literal

from regelwerk.dsl.checker import attributes as at
from regelwerk.dsl.checker import claims
from regelwerk.dsl.checker import coercion as co
from regelwerk.dsl.checker.context import Context, Scope
from regelwerk.dsl.checker.expressions import check, check_number, check_pair, checks, is_empty_literal
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model.types import (
    BOOL,
    HIGHEST,
    UNKNOWN,
    EnumType,
    IntType,
    ListType,
    NoneType,
    RecordType,
    RowType,
    SetType,
    TallyType,
    ThingType,
    Type,
    UnknownType,
    ZoneType,
    bound_of,
    join,
    member_of,
    strip,
    unknown,
)
from regelwerk.dsl.source import Span
from regelwerk.dsl.syntax import expressions as s


@checks(s.Compare)
def _compare(c: Context, node: s.Compare, scope: Scope, expected: Type | None) -> x.Expr:
    left = check(c, node.left, scope)
    right = check(c, node.right, scope, left.type)
    if isinstance(left.type, UnknownType) or isinstance(right.type, UnknownType):
        return x.Unavailable(UNKNOWN, node.span)
    if isinstance(left.type, TallyType) or isinstance(right.type, TallyType):
        if node.operator in ("<", ">"):
            c.error("E0314", f"amounts are compared with `>=` and `<=`, not `{node.operator}`", node.span)
        kind = co.common_tally(c, left, right)
        operator: Literal[">=", "<="] = "<=" if node.operator in ("<", "<=") else ">="
        return x.TallyCompare(BOOL, node.span, operator, co.to_tally(c, left, kind), co.to_tally(c, right, kind))
    left, right = (
        co.number(c, left, f"the left side of `{node.operator}`", True),
        co.number(c, right, f"the right side of `{node.operator}`", True),
    )
    left, right = co.same_scale(left, right)
    return x.Ordered(BOOL, node.span, node.operator, left, right)


@checks(s.Is)
def _is(c: Context, node: s.Is, scope: Scope, expected: Type | None) -> x.Expr:
    found = _is_positive(c, node, scope)
    return x.Negation(BOOL, node.span, found) if node.negated else found


def _is_positive(c: Context, node: s.Is, scope: Scope) -> x.Expr:
    span, right_node = node.span, node.right
    if scope.in_scenario:
        claimed = claims.claim_equality(c, node.left, node.right, span)
        if claimed is not None:
            return claimed
    left_is_member = isinstance(node.left, s.Name) and len(c.members.get(node.left.name.text, [])) > 1
    if left_is_member and not (
        isinstance(right_node, s.Name) and right_node.arguments is None and right_node.name.text in c.attributes
    ):
        right = check(c, right_node, scope)
        return equal(c, check(c, node.left, scope, right.type), right, span)
    if is_empty_literal(node.left):
        left, right = check_pair(c, node.left, right_node, scope, None)
        return equal(c, left, right, span)
    left = check(c, node.left, scope)
    if unknown(left.type):
        return x.Unavailable(UNKNOWN, span)
    if isinstance(right_node, s.Name) and right_node.arguments is None:
        word = right_node.name.text
        if word == "empty" and (member_of(left.type) is not None or isinstance(left.type, TallyType)):
            return _empty(left, span)
        if at.has_adjective(c, left.type, word):
            return at.attribute(c, left, right_node.name, None, scope, span)
        known = word in scope.names or word in c.globals or word in c.members or word in scope.seats
        if not known and at.has_adjective(c, member_of(left.type) or left.type, word):
            c.error("E0317", f"`{word}` is said of one thing, but this is {co.kind_words(left.type)}", span)
            return x.Unavailable(UNKNOWN, span)
    elif isinstance(right_node, s.Name) and at.has_adjective(c, left.type, right_node.name.text):
        return at.attribute(c, left, right_node.name, right_node.arguments, scope, span)
    return equal(c, left, check(c, right_node, scope, left.type), span)


def _empty(collection: x.Expr, span: Span) -> x.Expr:
    if isinstance(collection.type, TallyType):
        count: x.Expr = x.TallyTotal(IntType(0, HIGHEST), span, collection)
    elif isinstance(collection.type, ZoneType):
        count = x.ZoneCount(IntType(0, 4096), span, collection)
    else:
        count = x.Count(IntType(0, 4096), span, collection)
    return x.Equal(BOOL, span, count, co.constant(0, span))


def equal(c: Context, left: x.Expr, right: x.Expr, span: Span) -> x.Expr:
    """`left is right`: one representation on both sides."""
    a, b = left.type, right.type
    if isinstance(a, UnknownType) or isinstance(b, UnknownType):
        return x.Unavailable(UNKNOWN, span)
    if isinstance(b, NoneType) or isinstance(a, NoneType):
        kind = b if isinstance(a, NoneType) else a
        other = right if isinstance(a, NoneType) else left
        return x.Equal(BOOL, span, other, x.Const(kind, span, co.none_of(kind)))
    left, right = co.same_scale(left, right)
    a, b = strip(left.type), strip(right.type)
    if isinstance(a, TallyType) or isinstance(b, TallyType):
        kind = co.common_tally(c, left, right)
        return x.Equal(BOOL, span, co.to_tally(c, left, kind), co.to_tally(c, right, kind))
    if member_of(a) is not None and member_of(b) is not None:
        p, q = member_of(a), member_of(b)
        assert p is not None
        assert q is not None
        if isinstance(p, RowType) != isinstance(q, RowType):
            left, right = (rows_of(left, span), right) if isinstance(q, RowType) else (left, rows_of(right, span))
        elif join(p, q) is None:
            c.error("E0318", f"{co.kind_words(a)} can never be {co.kind_words(b)}", span)
            return x.Unavailable(UNKNOWN, span)
        if isinstance(left.type, ListType) and isinstance(right.type, ListType):
            if _orderless(left) or _orderless(right):
                left, right = x.Sorted(left.type, left.span, left), x.Sorted(right.type, right.span, right)
            return x.Equal(BOOL, span, left, right)
        return x.Equal(BOOL, span, co.as_set(left), co.as_set(right))
    if isinstance(a, RowType) and isinstance(b, ThingType) and a.symbol is b.symbol:
        return x.Equal(BOOL, span, left, x.ThingAttribute(a, span, "row_of", right))
    if isinstance(b, RowType) and isinstance(a, ThingType) and a.symbol is b.symbol:
        return x.Equal(BOOL, span, x.ThingAttribute(b, span, "row_of", left), right)
    pairs: list[tuple[x.Expr, Type]] = [(left, b), (right, a)]
    for side, kind in pairs:
        if isinstance(side, x.Const) and isinstance(side.type, IntType) and isinstance(kind, EnumType):
            co.coerce(c, side, kind)
    if join(a, b) is None or (member_of(a) is None) != (member_of(b) is None):
        c.error(
            "E0318",
            f"{co.kind_words(a)} can never be {co.kind_words(b)}",
            span,
            "both sides of `is` must be of one kind",
        )
        return x.Unavailable(UNKNOWN, span)
    return x.Equal(BOOL, span, left, right)


def _orderless(expr: x.Expr) -> bool:
    """Whether a list was mapped from a set, so that its order says nothing."""
    return isinstance(expr, x.Map) and isinstance(expr.collection.type, SetType)


def rows_of(collection: x.Expr, span: Span) -> x.Expr:
    """The rows of a collection of things, as a list."""
    collection = co.as_collection(collection)
    member_kind = member_of(collection.type)
    assert isinstance(member_kind, ThingType)
    # slot -1 is filled by the evaluator's own loop: rows are read off the thing itself
    return x.Map(
        ListType(RowType(member_kind.symbol), bound_of(collection.type)),
        span,
        collection,
        -1,
        x.ThingAttribute(RowType(member_kind.symbol), span, "row_of", x.Local(member_kind, span, -1)),
        False,
    )


@checks(s.In)
def _in(c: Context, node: s.In, scope: Scope, expected: Type | None) -> x.Expr:
    found = _in_positive(c, node, scope)
    return x.Negation(BOOL, node.span, found) if node.negated else found


def _in_positive(c: Context, node: s.In, scope: Scope) -> x.Expr:
    span = node.span
    if scope.in_scenario:
        claimed = claims.claim_membership(node.left, node.right, span)
        if claimed is not None:
            return claimed
    if isinstance(node.right, s.RangeExpression):
        item, low, high = co.same_scale(
            check_number(c, node.left, scope, "the left side of `in`", True),
            check_number(c, node.right.lowest, scope, halves=True),
            check_number(c, node.right.highest, scope, halves=True),
        )
        return x.Between(BOOL, span, item, low, high)
    late = isinstance(node.left, s.Name) and len(c.members.get(node.left.name.text, [])) > 1
    if late:
        right = check(c, node.right, scope)
        left = check(c, node.left, scope, member_of(right.type))
    else:
        left = check(c, node.left, scope)
        right = check(c, node.right, scope, SetType(strip(left.type)))
    if isinstance(left.type, UnknownType) or isinstance(right.type, UnknownType):
        return x.Unavailable(UNKNOWN, span)
    kind = member_of(right.type)
    if kind is None:
        c.error("E0301", f"`in` needs a set on its right side, but this is {co.kind_words(right.type)}", right.span)
        return x.Unavailable(UNKNOWN, span)
    a = strip(left.type)
    if isinstance(a, RowType) and isinstance(kind, ThingType) and a.symbol is kind.symbol:
        return x.Contains(BOOL, span, left, x.ToSet(SetType(a), span, rows_of(right, span)))
    if isinstance(kind, RowType) and isinstance(a, ThingType) and a.symbol is kind.symbol:
        left = x.ThingAttribute(kind, span, "row_of", left)
    elif join(a, strip(kind)) is None:
        c.error("E0318", f"{co.kind_words(a)} is never in {co.kind_words(right.type)}", span)
        return x.Unavailable(UNKNOWN, span)
    if isinstance(a, RecordType):
        return x.Contains(BOOL, span, left, right)
    return x.Contains(BOOL, span, left, co.as_set(right))
