"""Interfaces: what the rules may ask of some types, so that a variant can put others in their place.

Outside cells, computed rows and scenarios, the clauses of the file that declares an interface use of its types only the
values it lists, what that file (or a variant) attaches to them itself, and what every type has. Each entry that is used
must be answered by a column, a value or a library, with its type or a narrower one.
"""

from __future__ import annotations

from regelwerk.dsl.checker import coercion as co
from regelwerk.dsl.checker.context import Context, Scope
from regelwerk.dsl.checker.types import resolve
from regelwerk.dsl.diagnostics import Label
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import (
    IntType,
    ListType,
    OptionalType,
    SetType,
    ThingType,
    Type,
    UnknownType,
    fits,
    member_of,
    numeric,
    strip,
)
from regelwerk.dsl.source import Span
from regelwerk.dsl.syntax import declarations as d


def enter_interface(c: Context, node: d.Interface, symbol: g.InterfaceSymbol) -> None:
    """Resolve the types and signatures of an interface."""
    for each in node.types:
        entity = c.globals.get(each.text)
        if isinstance(entity, g.EntitySymbol):
            symbol.entities.append(entity)
        else:
            tables = [name for name, known in c.globals.items() if isinstance(known, g.EntitySymbol)]
            c.error("E0719", f"`{each.text}` is no type of things", each.span, c.suggest(each.text, tables))
    for signature in node.signatures:
        name = signature.name.text
        if not signature.parameters or signature.parameters[0].type is None:
            c.error(*_about_nothing(symbol, name), signature.span, _example(symbol, name))
            continue
        parameters: list[tuple[str, Type]] = []
        for parameter in signature.parameters:
            if parameter.type is None:
                c.error("E0349", f"the parameter `{parameter.name.text}` needs a type", parameter.span)
            else:
                parameters.append((parameter.name.text, resolve(c, parameter.type)))
        kind = resolve(c, signature.type)
        own = parameters[0][1]
        if isinstance(own, UnknownType):
            continue
        if not isinstance(own, ThingType) or own.symbol not in symbol.entities:
            c.error(*_about_nothing(symbol, name), signature.parameters[0].span, _example(symbol, name))
            continue
        if symbol.entry(own.symbol, name) is not None:
            c.error("E0202", f"`{name}` is declared twice", signature.span, "remove one of them")
            continue
        symbol.entries.append(g.InterfaceEntry(name, signature.span, own.symbol, parameters[1:], kind))
    c.interfaces.append(symbol)


def _about_nothing(symbol: g.InterfaceSymbol, name: str) -> tuple[str, str]:
    return "E0750", f"`{name}` asks nothing of the types of the interface `{symbol.name}`"


def _example(symbol: g.InterfaceSymbol, name: str) -> str:
    one = symbol.entities[0].name if symbol.entities else "T"
    return f"its first parameter is one of them: `value {name}(x: {one}): ...`"


def answers(c: Context, symbol: g.ValueSymbol) -> bool:
    """Whether a value is the answer to an entry: it belongs to the table, and may use all of it."""
    own = symbol.parameters[0][1] if symbol.parameters else None
    return isinstance(own, ThingType) and any(each.entry(own.symbol, symbol.name) for each in c.interfaces)


def guarding(c: Context, entity: g.EntitySymbol, scope: Scope, span: Span) -> g.InterfaceSymbol | None:
    """The interface that a clause at `span` has to keep to when it asks something of `entity`."""
    if scope.in_cell or scope.in_scenario:
        return None
    for interface in c.interfaces:
        if entity in interface.entities and interface.span.source == span.source and c.library_at(span) is None:
            return interface
    return None


def judged(c: Context, kind: ThingType, name: str, found: x.Expr | None, scope: Scope, span: Span) -> x.Expr | None:
    """`found`, the attribute `name` of a thing, as an interface lets it be seen; None if there is no such attribute."""
    interface = guarding(c, kind.symbol, scope, span)
    if interface is None:
        return found
    entry = interface.entry(kind.symbol, name)
    if entry is None:
        if found is not None and _of_the_table(found):
            refuse(c, interface, kind.symbol, name, span)
        return found
    entry.users[scope.address.partition(".")[0] or "the rules"] = None
    if found is None:
        return x.Unavailable(entry.type, span)
    return found if isinstance(found.type, UnknownType) else _seen_as(c, found, entry.type)


def refuse(c: Context, interface: g.InterfaceSymbol, entity: g.EntitySymbol, name: str, span: Span) -> None:
    """A clause asks more of a type than the interface has."""
    c.error(
        "E0751",
        f"the interface `{interface.name}` does not say that {entity.plural or entity.name} have `{name}`",
        span,
        f"add `value {name}(x: {entity.name}): ...` to the interface",
        (Label(interface.span, "what the rules may ask"),),
    )


def _of_the_table(found: x.Expr) -> bool:
    """Whether an attribute belongs to a table or a library, and not to the rules."""
    if isinstance(found, x.ColumnRead | x.CellTest):
        return True
    if isinstance(found, x.ThingAttribute):
        return found.attribute in ("grid_row", "grid_column", "half")
    if isinstance(found, x.TallyCount):
        return _of_the_table(found.tally)
    return isinstance(found, x.Call) and found.symbol.library is not None


def _seen_as(c: Context, found: x.Expr, kind: Type) -> x.Expr:
    """An answer with the type that the interface says; what does not fit is reported with the interface."""
    if not narrower(found.type, kind):
        return x.Unavailable(kind, found.span)
    found = co.coerce(c, found, kind)
    if not isinstance(kind, SetType | ListType):
        found.type = kind
    return found


def narrower(kind: Type, wanted: Type) -> bool:
    """Whether every value of `kind` is one of `wanted`."""
    if isinstance(wanted, OptionalType):
        return narrower(strip(kind), wanted.base)
    if isinstance(kind, OptionalType):
        return False
    if isinstance(wanted, IntType):
        numbers = numeric(kind)
        return numbers is not None and wanted.lowest <= numbers.lowest and numbers.highest <= wanted.highest
    if isinstance(wanted, SetType | ListType):
        member = member_of(kind)
        return member is not None and narrower(member, wanted.member) and fits(kind, wanted)
    return fits(kind, wanted)


def check_interfaces(c: Context) -> None:
    """Every entry in use is answered."""
    for interface in c.interfaces:
        for entry in interface.entries:
            if entry.users:
                _check_entry(c, interface, entry)


def _check_entry(c: Context, interface: g.InterfaceSymbol, entry: g.InterfaceEntry) -> None:
    entity, label = entry.entity, (Label(entry.span, "asked here"),)
    new = "the new " if entity.span.source != interface.span.source else ""
    answer: g.Symbol | None = entity.columns.get(entry.name)
    if answer is None:
        values = [each for each in c.attributes.get(entry.name, []) if isinstance(each, g.ValueSymbol)]
        own = ThingType(entity)
        answer = next((each for each in values if each.parameters and each.parameters[0][1] == own), None)
    if answer is None:
        users = list(entry.users)
        asking = users[0] if len(users) == 1 else f"{', '.join(users[:-1])} and {users[-1]}"
        c.error(
            "E0752",
            f"{new}{entity.name} lacks `{entry.name}`, asked by {asking}",
            entity.span,
            f"add a column, or a value `{entry.name}(x: {entity.name})`",
            label,
        )
        return
    parameters = answer.parameters if isinstance(answer, g.ValueSymbol) else []
    kind = answer.type if isinstance(answer, g.ValueSymbol | g.ColumnSymbol) else None
    if isinstance(answer, g.ValueSymbol):
        c.ensure(answer)
        kind = answer.type
        parameters = parameters[1:]
    if kind is None or isinstance(kind, UnknownType):
        return
    if len(parameters) != len(entry.parameters) or any(
        not narrower(asked, taken) for (_, asked), (_, taken) in zip(entry.parameters, parameters, strict=True)
    ):
        c.error(
            "E0753",
            f"`{entry.name}` of {new or 'the '}{entity.name} takes other parameters than the interface says",
            answer.span,
            f"it is asked with {', '.join(str(k) for _, k in entry.parameters) or 'nothing else'}",
            label,
        )
    elif not narrower(kind, entry.type):
        c.error(
            "E0754",
            f"`{entry.name}` of {new or 'the '}{entity.name} is {kind}, and the interface `{interface.name}` says "
            f"{entry.type}",
            answer.span,
            "an answer has this type, or a narrower one",
            label,
        )
