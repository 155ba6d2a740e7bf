"""Heads: binders with domains and conditions."""

from __future__ import annotations

from typing import Literal

from regelwerk.dsl.checker import coercion as co
from regelwerk.dsl.checker import records
from regelwerk.dsl.checker.context import BUILT_IN_NAMES, Context, Scope
from regelwerk.dsl.checker.expressions import check, check_condition, check_number, template
from regelwerk.dsl.checker.picks import Picks
from regelwerk.dsl.diagnostics import Label
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.limits import AMOUNT, PICKS
from regelwerk.dsl.model.types import (
    HIGHEST,
    UNKNOWN,
    Bound,
    EnumType,
    IntType,
    ListType,
    SetType,
    TallyType,
    Type,
    UnknownType,
    ZoneType,
    bound_of,
    member_of,
    strip,
)
from regelwerk.dsl.source import Span
from regelwerk.dsl.syntax import expressions as s

Form = Literal["one", "some", "times", "part"]


def check_head(c: Context, node: s.Head, scope: Scope, single_only: bool = False) -> x.Head:
    """The typed head; its names are bound in `scope`."""
    if len(node.binders) > 4:
        c.error("E0326", "a head has at most 4 binders", node.span, "take the choices one after the other")
    binders: list[x.Binder] = []
    for each in node.binders:
        binders += check_binders(c, each, scope, single_only)
    return x.Head(binders)


def check_binders(
    c: Context, node: s.Binder, scope: Scope, single_only: bool = False, weighted: bool = False
) -> list[x.Binder]:
    """What one written binder stands for: of a record those of its fields, then its own. `weighted`: a tally's kinds
    count as often as it holds them."""
    record = records.record_named(c, node.domain)
    if record is not None:
        return records.record_binders(c, node, record, scope)
    return [check_binder(c, node, scope, single_only, weighted)]


def check_binder(
    c: Context, node: s.Binder, scope: Scope, single_only: bool = False, weighted: bool = False
) -> x.Binder:
    """One binder of things, members or numbers; its name is bound in `scope`."""
    domain = node.domain
    shadow_check(c, node.name.text, scope, node.name.span)
    source, member, form = _source(c, node, scope, weighted)
    lowest = highest = None
    picks: Picks | None = None
    if form != "one":
        if single_only:
            c.error("E0328", "only single elements can be taken here", domain.span, f"write `{node.name.text} in ...`")
        lowest = check_number(c, domain.lowest, scope) if domain.lowest is not None else co.constant(0, domain.span)
        highest = check_number(c, domain.highest, scope) if domain.highest is not None else lowest
        _within_limit(c, lowest, form, domain)
    if form == "one":
        slot = scope.bind(node.name.text, member)
        it = (slot, member)
        kind: Type = member
        inner = (
            scope if scope.it is not None else scope.inner(it=it)
        )  # an outer `it` stays: the binder has its own name
    else:
        kind = SetType(member) if form == "some" else TallyType(member.symbol if isinstance(member, EnumType) else None)
        if member is UNKNOWN:
            kind = UNKNOWN
        it_slot = scope.frame.new("it", member)
        it = (it_slot, member)
        picks = Picks(scope.frame.new("chosen", kind), kind)
        inner = scope.inner(it=it, chosen=picks)
        slot = scope.bind(node.name.text, kind)
    if scope.parameters is not None:
        scope.parameters.append((node.name.text, kind, slot))
    condition = (
        check_condition(c, node.condition, inner, "the condition of `where`") if node.condition is not None else None
    )
    key = check_number(c, node.sort.key, inner, "what is sorted by", True) if node.sort is not None else None
    return x.Binder(
        node.name.text,
        form,
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
        domain.form == "most",
        picks.slot if picks is not None and picks.read else None,
        template(c, node.otherwise, inner) if node.otherwise is not None else None,
    )


def _source(c: Context, node: s.Binder, scope: Scope, weighted: bool) -> tuple[x.Expr, Type, Form]:
    """Where a binder takes its elements from, their type, and how it takes them."""
    domain = node.domain
    form: Form = "one" if domain.form == "one" else "times" if domain.repeated else "some"
    nothing: tuple[x.Expr, Type, Form] = (x.Unavailable(SetType(UNKNOWN), domain.source.span), UNKNOWN, form)
    if records.record_named(c, domain) is not None:
        c.error(
            "E0763",
            "a phase does not go through the choices of a record",
            domain.span,
            "loop in an effect: `for d in ... { }`",
        )
        return nothing
    source = co.as_collection(check(c, domain.source, scope))
    if isinstance(source.type, TallyType):
        symbol, span = source.type.symbol, domain.source.span
        if symbol is None:
            c.error(
                "E0381",
                "this counts units of several resources, and they are no one type",
                span,
                "take from the goods of one resource, for example `me.goods`",
            )
            return nothing
        unit = EnumType(symbol)
        kinds = x.TallyKinds(SetType(unit), span, source)
        if form == "one":
            return (x.TallyKinds(ListType(unit, ((HIGHEST,),)), span, source) if weighted else kinds), unit, form
        return (kinds, unit, form) if form == "times" else (source, unit, "part")
    found = member_of(source.type)
    if found is None:
        if not isinstance(source.type, UnknownType):
            c.error(
                "E0327",
                f"`{node.name.text}` needs a set to be taken from, but this is {co.kind_words(source.type)}",
                domain.source.span,
                "name what lies there, for example `{x}`",
            )
        return nothing
    member = strip(found)
    named = isinstance(member, EnumType) and member.symbol.numbers is None
    if form == "times" and not named:
        if not isinstance(member, UnknownType):
            c.error(
                "E0382",
                f"only members of an enum of names can be taken several times, and these are {co.plural_words(member)}",
                domain.span,
                f"write `{node.name.text} in ... of ...` for different elements",
            )
        return nothing
    return source, member, form


def _within_limit(c: Context, lowest: x.Expr, form: Form, domain: s.Domain) -> None:
    most = PICKS if form == "some" else AMOUNT
    if isinstance(lowest.type, IntType) and lowest.type.lowest > most:
        c.error("E0383", f"at most {most} elements can be picked at a time", domain.span, "take them in several steps")


def shadow_check(c: Context, name: str, scope: Scope, span: Span) -> None:
    """A local name may not reuse one that could stand there as a value."""
    if name in BUILT_IN_NAMES:
        c.error("E0201", f"`{name}` always has its own meaning and cannot be a local name", span, "choose another name")
        return
    if c.library_at(span) is not None:
        return  # names inside a library are its own
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
