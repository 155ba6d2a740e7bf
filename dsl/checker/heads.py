"""Heads: binders with domains and conditions."""

from __future__ import annotations

from regelwerk.dsl.checker import coercion as co
from regelwerk.dsl.checker.context import Context, Scope
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model.types import (
    UNKNOWN,
    Bound,
    SetType,
    TallyType,
    Type,
    UnknownType,
    ZoneType,
    bound_of,
    member_of,
    strip,
)
from regelwerk.dsl.syntax import expressions as s

STANDARD = "<standard library>"
"""The source of the standard library; names inside it are its own."""


def check_head(c: Context, node: s.Head, scope: Scope, single_only: bool = False) -> x.Head:
    """The typed head; its names are bound in `scope`."""
    if len(node.binders) > 4:
        c.error("E0326", "a head has at most 4 binders", node.span, "take the choices one after the other")
    return x.Head([check_binder(c, each, scope, single_only) for each in node.binders])


def check_binder(c: Context, node: s.Binder, scope: Scope, single_only: bool = False) -> x.Binder:
    """One binder; its name is bound in `scope`."""
    from regelwerk.dsl.checker.expressions import check, check_condition, check_number

    domain = node.domain
    shadow_check(c, node.name.text, scope, node.name.span)
    source = co.as_collection(check(c, domain.source, scope))
    member: Type | None = member_of(source.type)
    if isinstance(source.type, TallyType):
        c.not_yet("taking a part of an amount", domain.span)
        source, member = x.Unavailable(SetType(UNKNOWN), domain.source.span), UNKNOWN
    if member is None:
        if not isinstance(source.type, UnknownType):
            help_text = "name what lies there, for example `{x}`"
            c.error(
                "E0327",
                f"`{node.name.text}` needs a set to be taken from, but this is {co.kind_words(source.type)}",
                domain.source.span,
                help_text,
            )
        source, member = x.Unavailable(SetType(UNKNOWN), domain.source.span), UNKNOWN
    member = strip(member)
    lowest = highest = None
    form = domain.form
    if domain.repeated or form == "most":
        c.not_yet(
            "picking an element several times (`times`)" if domain.repeated else "`as many as possible`", domain.span
        )
        member = UNKNOWN
    if form != "one":
        if single_only:
            c.error("E0328", "only single elements can be taken here", domain.span, f"write `{node.name.text} in ...`")
        lowest = check_number(c, domain.lowest, scope) if domain.lowest is not None else co.constant(0, domain.span)
        highest = check_number(c, domain.highest, scope) if domain.highest is not None else lowest
    if form == "one":
        slot = scope.bind(node.name.text, member)
        it = (slot, member)
        kind: Type = member
        inner = (
            scope if scope.it is not None else scope.inner(it=it)
        )  # an outer `it` stays: the binder has its own name
    else:
        kind = SetType(member)
        it_slot = scope.frame.new("it", member)
        it = (it_slot, member)
        inner = scope.inner(it=it)
        slot = scope.bind(node.name.text, kind)
    if scope.parameters is not None:
        scope.parameters.append((node.name.text, kind, slot))
    condition = (
        check_condition(c, node.condition, inner, "the condition of `where`") if node.condition is not None else None
    )
    key = check_number(c, node.sort.key, inner, "what is sorted by") if node.sort is not None else None
    return x.Binder(
        node.name.text,
        "one" if form == "one" else "some",
        kind,
        slot,
        it[0],
        source,
        lowest,
        highest,
        condition,
        key,
        node.sort.highest_first if node.sort is not None else False,
        node.span,
    )


def shadow_check(c: Context, name: str, scope: Scope, span: object) -> None:
    """A local name may not reuse one that could stand there as a value."""
    from regelwerk.dsl.checker.context import BUILT_IN_NAMES
    from regelwerk.dsl.diagnostics import Label
    from regelwerk.dsl.model import game as g
    from regelwerk.dsl.source import Span

    assert isinstance(span, Span)
    if name in BUILT_IN_NAMES:
        c.error("E0201", f"`{name}` always has its own meaning and cannot be a local name", span, "choose another name")
        return
    if span.source == STANDARD:
        return
    if name in scope.names:
        c.error(
            "E0210", f"`{name}` is already a local name here", span, "choose another name: names are never shadowed"
        )
        return
    symbol = c.globals.get(name)
    visible = isinstance(symbol, g.EnumSymbol | g.EntitySymbol | g.ConstantSymbol | g.OptionSymbol | g.ValueSymbol)
    visible = visible or (isinstance(symbol, g.ZoneSymbol | g.StateSymbol) and symbol.key is None)
    if symbol is not None and visible:
        c.error(
            "E0210",
            f"`{name}` is declared in this game and cannot be a local name too",
            span,
            "choose another name: names are never shadowed",
            (Label(symbol.span, "declared here"),),
        )
    elif c.members.get(name):
        owner = c.members[name][0][0]
        c.error(
            "E0210",
            f"`{name}` is one of {owner.name} and cannot be a local name too",
            span,
            "choose another name: names are never shadowed",
        )


def bound(head: x.Head) -> Bound:
    """How many tuples the head can have."""
    product: tuple[int | Type, ...] = ()
    for each in head.binders:
        kind = each.source.type
        if isinstance(kind, ZoneType):
            kind = SetType(member_of(kind) or UNKNOWN)
        terms = bound_of(kind)
        product = (*product, *(terms[0] if terms else (1,)))
    return (product,)
