"""Quantifiers, `where`, sums and extremes."""

from __future__ import annotations

from regelwerk.dsl.checker import coercion as co
from regelwerk.dsl.checker import heads
from regelwerk.dsl.checker.context import Context, Scope
from regelwerk.dsl.checker.expressions import check, check_condition, checks
from regelwerk.dsl.checker.operators import arithmetic_range
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model.scenarios import LinesWhere
from regelwerk.dsl.model.types import (
    BOOL,
    HIGHEST,
    UNKNOWN,
    EnumType,
    IntType,
    LineType,
    ListType,
    OptionalType,
    TallyType,
    Type,
    UnknownType,
    member_of,
    numeric,
    strip,
)
from regelwerk.dsl.source import Span
from regelwerk.dsl.syntax import expressions as s


@checks(s.Where)
def _where(c: Context, node: s.Where, scope: Scope, expected: Type | None) -> x.Expr:
    base = co.as_collection(check(c, node.base, scope, expected))
    kind = member_of(base.type)
    if kind is None:
        if not isinstance(base.type, UnknownType):
            c.error("E0301", f"`where` picks from a set, but this is {co.kind_words(base.type)}", node.base.span)
        return c.unavailable(node.span)
    if isinstance(kind, LineType):  # `it` stays what it was: the condition is asked at the end of each line
        test = check_condition(c, node.condition, scope, "the condition of `where`")
        return LinesWhere(base.type, node.span, base, test)
    slot = scope.frame.new("it", kind)
    test = check_condition(c, node.condition, scope.inner(it=(slot, kind)), "the condition of `where`")
    return x.Filter(base.type, node.span, base, slot, test)


@checks(s.Quantified)
def _quantified(c: Context, node: s.Quantified, scope: Scope, expected: Type | None) -> x.Expr:
    inner = scope.inner(parameters=None)
    head = heads.check_head(c, node.head, inner, single_only=True)
    span, quantifier = node.span, node.quantifier
    if quantifier in ("some", "count"):
        if node.value is not None:
            c.error(
                "E0324",
                f"`{quantifier}` takes a head alone",
                span,
                "put the condition behind `where`" if quantifier == "some" else None,
            )
        kind: Type = BOOL if quantifier == "some" else IntType(0, HIGHEST)
        return x.Quantified(kind, span, quantifier, head, None)
    if quantifier == "first":
        last = head.binders[-1]
        if len(head.visible) > 1:
            c.error("E0324", "`first` takes one binder", span)
        return x.Quantified(
            last.type if isinstance(last.type, OptionalType) else OptionalType(last.type),
            span,
            "first",
            head,
            x.Local(last.type, span, last.slot),
        )
    if quantifier == "every":
        if node.value is None:
            c.error("E0324", "`every` needs what is claimed: `every(x in S: condition)`", span)
            return x.Unavailable(UNKNOWN, span)
        return x.Quantified(BOOL, span, "every", head, check_condition(c, node.value, inner, "what `every` claims"))
    if node.value is None:
        if quantifier == "list":
            last = head.binders[-1]
            return x.Quantified(
                ListType(last.type, heads.bound(head)), span, "list", head, x.Local(last.type, span, last.slot)
            )
        c.error("E0324", f"`{quantifier}` needs a value: `{quantifier}(x in S: value)`", span)
        return c.unavailable(span)
    value = check(c, node.value, inner, expected)
    if quantifier == "list":
        return x.Quantified(ListType(strip(value.type), heads.bound(head)), span, "list", head, value)
    return _folded(c, quantifier, head, value, span)


def _folded(c: Context, quantifier: str, head: x.Head, value: x.Expr, span: Span) -> x.Expr:
    if isinstance(value.type, UnknownType):
        return value
    if quantifier == "sum" and (
        isinstance(value.type, TallyType) or (isinstance(value.type, EnumType) and numeric(value.type) is None)
    ):
        kind: Type = value.type if isinstance(value.type, TallyType) else TallyType(value.type.symbol)
        return x.Quantified(kind, span, "sum", head, co.coerce(c, value, kind))
    value = co.number(
        c, value, f"what `{quantifier}` adds up" if quantifier == "sum" else f"what `{quantifier}` compares", True
    )
    whole = numeric(value.type)
    if whole is None:
        return c.unavailable(span)
    if quantifier == "sum":
        return x.Quantified(_sum_type(whole), span, "sum", head, value)
    return x.Quantified(OptionalType(whole), span, quantifier, head, value)  # type: ignore[arg-type]  # one of the literals


def _sum_type(kind: IntType) -> IntType:
    """What numbers of a type add up to."""
    return IntType(min(0, kind.lowest) * 64, HIGHEST * (2 if kind.halves else 1), kind.halves)


@checks(s.Aggregate)
def _aggregate(c: Context, node: s.Aggregate, scope: Scope, expected: Type | None) -> x.Expr:
    function, span = node.function, node.span
    parts = [check(c, each, scope, expected) for each in node.arguments]
    if any(isinstance(each.type, UnknownType) for each in parts):
        return c.unavailable(span)
    if len(parts) == 1 and member_of(parts[0].type) is not None:
        collection = co.as_collection(parts[0])
        kind = member_of(collection.type)
        assert kind is not None
        if function == "sum" and isinstance(kind, TallyType):
            return x.Total(kind, span, "sum", collection)
        if numeric(kind) is None:
            c.error("E0301", f"`{function}` is taken of numbers, but these are {co.plural_words(kind)}", span)
            return c.unavailable(span)
        whole = numeric(kind)
        assert whole is not None
        if function == "sum":
            return x.Total(_sum_type(whole), span, "sum", collection)
        return x.Total(OptionalType(whole), span, function, collection)
    if function == "sum" or len(parts) < 2:
        c.error(
            "E0325",
            f"`{function}` takes a set or list of numbers" + ("" if function == "sum" else ", or several numbers"),
            span,
        )
        return c.unavailable(span)
    result, *others = co.same_scale(*(co.number(c, part, halves=True) for part in parts))
    for other in others:
        a, b = numeric(result.type), numeric(other.type)
        if a is None or b is None:
            return c.unavailable(span)
        both_optional = isinstance(result.type, OptionalType) and isinstance(other.type, OptionalType)
        kind = arithmetic_range(function, a, b)
        if isinstance(result.type, OptionalType) or isinstance(other.type, OptionalType):
            kind = IntType(min(a.lowest, b.lowest), max(a.highest, b.highest), a.halves)
        result = x.Arithmetic(OptionalType(kind) if both_optional else kind, span, function, result, other)
    return result
