"""Names that only the claims of scenarios have: `options`, `outcomes`, `lines`, `actor`, `winners`, `over`,
`cost(...)`, `knows(...)`."""

from __future__ import annotations

from regelwerk.dsl.checker import coercion as co
from regelwerk.dsl.checker.context import Context, Scope
from regelwerk.dsl.checker.expressions import check, check_player
from regelwerk.dsl.model import scenarios as m
from regelwerk.dsl.model.expressions import Expr
from regelwerk.dsl.model.types import (
    BOOL,
    PLAYER,
    LineType,
    ListType,
    OptionalType,
    OptionTupleType,
    RowType,
    SetType,
    TallyType,
    ThingType,
    UnknownType,
    strip,
)
from regelwerk.dsl.source import Span
from regelwerk.dsl.syntax import expressions as s
from regelwerk.dsl.syntax.base import Expression


def claim_name(c: Context, node: s.Name, scope: Scope) -> Expr | None:
    """`options`, `outcomes`, `lines`, `actor`, `winners`, `over`, `cost(...)`, `knows(...)`: None if the name is
    something else."""
    name, span = node.name.text, node.span
    if name in c.globals or name in scope.names:
        return None
    if name == "actor" and node.arguments is None:
        return m.RunRead(OptionalType(PLAYER), span, "actor")
    if name == "winners" and node.arguments is None:
        return m.RunRead(SetType(PLAYER), span, "winners")
    if name == "over" and node.arguments is None:
        return m.RunRead(BOOL, span, "over")
    if name == "lines" and node.arguments is None:
        return m.Lines(ListType(LineType(), ((4096,),)), span)
    if name in ("options", "outcomes"):
        action = None
        if node.arguments:
            argument = node.arguments[0].value
            action = c.actions.get(argument.name.text) if isinstance(argument, s.Name) else None
            if action is None:
                c.error(
                    "E0409",
                    "`options` is asked of an action",
                    argument.span,
                    c.suggest(getattr(getattr(argument, "name", None), "text", ""), list(c.actions)),
                )
                return c.unavailable(span)
        whole = name == "outcomes" or action is not None
        return m.OptionList(ListType(OptionTupleType(action), ((1024,),)), span, action, whole)
    if name == "cost" and node.arguments is not None and len(node.arguments) == 1:
        call = node.arguments[0].value
        if isinstance(call, s.Name) and call.name.text in c.actions:
            return m.OptionCost(
                TallyType(None), span, c.actions[call.name.text], tuple(a.value for a in call.arguments or ())
            )
        c.error("E0409", "`cost` is asked of an action with its parameters", call.span)
        return c.unavailable(span)
    if name == "knows" and node.arguments is not None:
        return _knows(c, node.arguments, scope, span)
    return None


def _knows(c: Context, arguments: tuple[s.Argument, ...], scope: Scope, span: Span) -> Expr:
    """`knows(p, x)`: a thing, or a row (some copy of it)."""
    if len(arguments) != 2:
        c.error("E0316", "`knows` takes a player and a thing", span, "for example `knows(Ann, x)`")
        return c.unavailable(span)
    player = check_player(c, arguments[0].value, scope)
    thing = check(c, arguments[1].value, scope)
    kind = strip(thing.type)
    if isinstance(kind, UnknownType):
        return thing
    if not isinstance(kind, ThingType | RowType) or not kind.symbol.movable:
        c.error(
            "E0336",
            f"what somebody knows must be a thing that lies in a zone, but this is {co.kind_words(thing.type)}",
            thing.span,
        )
        return c.unavailable(span)
    return m.Knows(BOOL, span, player, thing, kind.symbol, isinstance(kind, RowType))


def claim_equality(c: Context, left: Expression, right: Expression, span: Span) -> Expr | None:
    """`options is {a, b}` where the open decision, not a type, says what a and b are."""
    if (
        isinstance(left, s.Name)
        and left.arguments is None
        and left.name.text in ("options", "outcomes")
        and isinstance(right, s.SetLiteral | s.ListLiteral)
    ):
        return m.OptionsAre(BOOL, span, right.items, left.name.text == "outcomes")
    return None


def claim_membership(item: Expression, collection: Expression, span: Span) -> Expr | None:
    """`a in options`."""
    if (
        isinstance(collection, s.Name)
        and collection.arguments is None
        and collection.name.text in ("options", "outcomes")
    ):
        return m.OptionsContain(BOOL, span, item, collection.name.text == "outcomes")
    return None


def option_field(base: Expr, kind: OptionTupleType, name: str, span: Span) -> Expr | None:
    """A parameter of an option, by its name."""
    if kind.symbol is None:
        return None
    for index, (parameter, parameter_kind, _) in enumerate(kind.symbol.parameters):
        if parameter == name:
            return m.OptionField(parameter_kind, span, base, index)
    return None
