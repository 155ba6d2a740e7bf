"""Records: `record Deal/Deals (give in ..., get in ...) { require ... }`, a named space of choices, and a type.

`d in Deals` in a head stands for the binders of the record, then its requirements: it is chosen as they are, field by
field, and `d` is what comes of it. `Deal(x, y)` makes one without asking whether it could be chosen.
"""

from __future__ import annotations

from regelwerk.dsl.checker import coercion as co
from regelwerk.dsl.checker.context import Context, Scope, citations, me_local
from regelwerk.dsl.checker.expressions import check, check_condition, template
from regelwerk.dsl.diagnostics import Diagnostics
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import BOOL, UNKNOWN, ListType, RecordType, SetType, Type
from regelwerk.dsl.source import Span
from regelwerk.dsl.syntax import declarations as d
from regelwerk.dsl.syntax import expressions as s


def declare_record(c: Context, node: d.Record) -> g.RecordSymbol:
    """A record by name; its fields are found when they are first asked for."""
    name, plural = node.noun.name.text, node.noun.plural.text if node.noun.plural else None
    words = g.Words(node.noun.one, node.noun.many)
    symbol = g.RecordSymbol(name, node.noun.span, words, plural, citations=citations(node.citations))
    c.declare(name, symbol, node.noun.name.span)
    if plural is not None and plural != name:
        c.declare(plural, symbol, node.noun.span)
    c.syntax[symbol] = node
    c.lazy[symbol] = lambda: check_record(c, symbol)
    return symbol


def check_record(c: Context, symbol: g.RecordSymbol) -> None:
    """The fields and requirements of a record."""
    node = c.syntax[symbol]
    assert isinstance(node, d.Record)
    c.in_progress.add(symbol)
    scope = Scope(g.Frame(), me=me_local(node.span), address=symbol.name)
    _fill(c, symbol, node, scope)
    c.in_progress.discard(symbol)


def _fill(c: Context, symbol: g.RecordSymbol, node: d.Record, scope: Scope) -> tuple[x.Head, list[g.RequireSymbol]]:
    """The binders of a record and its requirements, in a scope of its own names; the fields become known with them."""
    from regelwerk.dsl.checker.heads import check_head

    first = not symbol.fields
    head = check_head(c, node.head, scope)
    if first:
        symbol.fields = [(each.name, each.type) for each in head.binders if not each.inner]
    requirements = []
    for each in node.requirements:
        test = check_condition(c, each.condition, scope)
        text = template(c, each.otherwise, scope) if each.otherwise is not None else None
        requirements.append(g.RequireSymbol(each.name.text, each.span, symbol.name, test, text))
    return head, requirements


def record_named(c: Context, node: s.Domain) -> g.RecordSymbol | None:
    """The record that a domain names, if it does."""
    if node.form != "one" or not isinstance(node.source, s.Name) or node.source.arguments is not None:
        return None
    symbol = c.globals.get(node.source.name.text)
    return symbol if isinstance(symbol, g.RecordSymbol) else None


def record_binders(c: Context, node: s.Binder, symbol: g.RecordSymbol, scope: Scope) -> list[x.Binder]:
    """The binders that `d in Deals` stands for: those of the record, which only it sees, and `d`."""
    from regelwerk.dsl.checker.heads import shadow_check

    shadow_check(c, node.name.text, scope, node.name.span)
    c.ensure(symbol)
    span = node.domain.span
    if symbol in c.in_progress:
        c.error("E0760", f"`{symbol.name}` is chosen from itself", span, "a record is made of simpler things")
        return [_composed(c, node, scope, UNKNOWN, x.Unavailable(SetType(UNKNOWN), span), [], [])]
    syntax = c.syntax[symbol]
    assert isinstance(syntax, d.Record)
    loud, c.diagnostics = c.diagnostics, Diagnostics()
    inner = Scope(scope.frame, me=scope.me, address=symbol.name, phase=scope.phase)
    try:
        head, requirements = _fill(c, symbol, syntax, inner)
        failed = c.diagnostics.failed
    finally:
        c.diagnostics = loud
    if failed:  # what is wrong with the record itself was said where it is declared
        if scope.me is None:
            c.error(
                "E0206",
                f"the choices of `{symbol.name}` ask for `me`, and nobody acts here",
                span,
                "ask where somebody decides: in an action, or in `acting p { }`",
            )
        return [_composed(c, node, scope, UNKNOWN, x.Unavailable(SetType(UNKNOWN), span), [], [])]
    for each in head.binders:
        each.inner = True
    visible = {slot for slot, _ in inner.names.values()}
    fields = [each for each in head.binders if each.slot in visible]
    kind = RecordType(symbol)
    made = x.RecordOf(kind, span, symbol, [x.Local(each.type, each.span, each.slot) for each in fields])
    source = x.ListOf(ListType(kind, ((1,),)), span, [made])
    slots = [each.slot for each in fields]
    return [*head.binders, _composed(c, node, scope, kind, source, slots, requirements)]


def _composed(
    c: Context,
    node: s.Binder,
    scope: Scope,
    kind: Type,
    source: x.Expr,
    fields: list[int],
    requirements: list[g.RequireSymbol],
) -> x.Binder:
    slot = scope.bind(node.name.text, kind)
    if scope.parameters is not None:
        scope.parameters.append((node.name.text, kind, slot))
    inner = scope if scope.it is not None else scope.inner(it=(slot, kind))
    own = check_condition(c, node.condition, inner, "the condition of `where`") if node.condition is not None else None
    text = template(c, node.otherwise, inner) if node.otherwise is not None else None
    if node.sort is not None:
        c.error("E0761", "the choices of a record have no other order than their own", node.sort.span, "remove `by`")
    condition = own
    for each in requirements:
        condition = each.condition if condition is None else x.Both(BOOL, each.span, each.condition, condition)
    return x.Binder(
        node.name.text, "one", kind, slot, slot, source, None, None, condition, None, False, node.span,
        otherwise=text, fields=fields, requirements=requirements, own=own,
    )  # fmt: skip


def make_record(
    c: Context, symbol: g.RecordSymbol, arguments: tuple[s.Argument, ...], scope: Scope, span: Span
) -> x.Expr:
    """`Deal(x, y)`: one value for each field, in order or by name."""
    from regelwerk.dsl.checker.attributes import wrong_number

    c.ensure(symbol)
    names = [name for name, _ in symbol.fields]
    values: list[x.Expr | None] = [None] * len(names)
    position = 0
    for argument in arguments:
        if argument.name is not None:
            if argument.name.text not in names:
                c.error(
                    "E0315",
                    f"`{symbol.name}` has no field `{argument.name.text}`",
                    argument.name.span,
                    c.suggest(argument.name.text, names),
                )
                return c.unavailable(span)
            index = names.index(argument.name.text)
        else:
            index, position = position, position + 1
        if index >= len(names) or values[index] is not None:
            c.error("E0316", wrong_number(symbol.name, symbol.fields), argument.span)
            return c.unavailable(span)
        kind = symbol.fields[index][1]
        values[index] = co.coerce(c, check(c, argument.value, scope, kind), kind, f"`{names[index]}`")
    given = [each for each in values if each is not None]
    if len(given) != len(names):
        c.error("E0316", wrong_number(symbol.name, symbol.fields), span)
        return c.unavailable(span)
    return x.RecordOf(RecordType(symbol), span, symbol, given)


def field_of(c: Context, base: x.Expr, kind: RecordType, name: str, span: Span) -> x.Expr | None:
    """`d.give`: a field of a record."""
    c.ensure(kind.symbol)
    for index, (field, of) in enumerate(kind.symbol.fields):
        if field == name:
            return x.RecordField(of, span, base, index)
    return None
