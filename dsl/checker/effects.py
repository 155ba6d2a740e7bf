"""Effects: syntax in, typed statements out. The forms of statements register themselves with `handles`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from regelwerk.dsl.checker import attributes as at
from regelwerk.dsl.checker import coercion as co
from regelwerk.dsl.checker import heads, interfaces
from regelwerk.dsl.checker.context import Context, Scope
from regelwerk.dsl.checker.expressions import (
    check,
    check_as,
    check_condition,
    check_number,
    check_player,
)
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import (
    PLAYER,
    IntType,
    ListType,
    OptionalType,
    PlayerType,
    RowType,
    ThingType,
    Type,
    UnknownType,
    member_of,
    strip,
)
from regelwerk.dsl.source import Span
from regelwerk.dsl.syntax import effects as s
from regelwerk.dsl.syntax import expressions as e
from regelwerk.dsl.syntax.base import Statement

CHECKS: dict[type, Callable[..., t.Stmt | None]] = {}
Check = TypeVar("Check", bound=Callable[..., t.Stmt | None])


def handles(kind: type) -> Callable[[Check], Check]:
    """Registers the function that checks one form of statement."""

    def register(function: Check) -> Check:
        CHECKS[kind] = function
        return function

    return register


def check_block(c: Context, block: s.Block, scope: Scope) -> t.Sequence:
    """The statements of a block in a scope of its own."""
    return _statements(c, list(block.statements), scope.inner(), block.span)


def check_body(c: Context, block: s.Block, scope: Scope) -> t.Sequence:
    """The statements of a block, its names bound in `scope` itself."""
    return _statements(c, list(block.statements), scope, block.span)


OPEN: dict[type, Callable[..., t.Stmt]] = {}
"""How choices without a body of their own are checked; filled by `choices`."""


class _Rest:
    """The rest of a block, checked when the names before it are bound."""

    def __init__(self, c: Context, nodes: list[Statement], scope: Scope, span: Span) -> None:
        self.c, self.nodes, self.scope, self.span = c, nodes, scope, span

    def __call__(self) -> t.Sequence:
        return _statements(self.c, self.nodes, self.scope, self.span)


def _statements(c: Context, nodes: list[Statement], scope: Scope, span: Span) -> t.Sequence:
    done: list[t.Stmt] = []
    for index, node in enumerate(nodes):
        if isinstance(node, s.Choose | s.Random) and node.body is None:
            rest = nodes[index + 1 :]
            inner = scope.inner()
            done.append(OPEN[type(node)](c, node, inner, _Rest(c, rest, inner, span)))
            return t.Sequence(span, done)
        found = check_statement(c, node, scope)
        if found is not None:
            done.append(found)
    return t.Sequence(span, done)


def check_statement(c: Context, node: Statement, scope: Scope) -> t.Stmt | None:
    """One statement; None if it is wrong or means nothing."""
    return CHECKS[type(node)](c, node, scope)


def me_of(c: Context, scope: Scope, span: Span, what: str) -> x.Expr:
    """Who acts."""
    if scope.me is None:
        c.error(
            "E0401",
            f"nobody acts here, so there is nobody to {what}",
            span,
            "say for whom: `everyone { ... }` or `acting p { ... }`",
        )
        return x.Unavailable(PLAYER, span)
    return scope.me


@handles(s.Do)
def _do(c: Context, node: s.Do, scope: Scope) -> t.Stmt | None:
    call = node.call
    if isinstance(call, e.Name):
        return _do_effect(c, call, scope, node.span)
    if isinstance(call, e.Attribute):
        thing = check(c, call.base, scope)
        kind = strip(thing.type)
        if isinstance(kind, UnknownType):
            return None
        column = kind.symbol.columns.get(call.name.text) if isinstance(kind, ThingType | RowType) else None
        if column is None or column.kind != "effect":
            names = (
                [n for n, col in kind.symbol.columns.items() if col.kind == "effect"]
                if isinstance(kind, ThingType | RowType)
                else []
            )
            c.error(
                "E0402",
                f"{co.kind_words(kind)} has no column of effects `{call.name.text}`",
                call.name.span,
                c.suggest(call.name.text, names),
            )
            return None
        interface = interfaces.guarding(c, kind.symbol, scope, call.span) if isinstance(kind, ThingType) else None
        if interface is not None and isinstance(kind, ThingType):
            interfaces.refuse(c, interface, kind.symbol, column.name, call.name.span)
            return None
        arguments = check_arguments(c, column.name, column.parameters, [], call.arguments, scope, call.span)
        return (
            None
            if arguments is None
            else t.DoCell(node.span, scope.me or x.Const(PLAYER, node.span, 0), column, thing, arguments)
        )
    c.error("E0403", "`do` runs an effect by name", node.span, "write `do NAME(...)` or `do thing.column(...)`")
    return None


def _do_effect(c: Context, call: e.Name, scope: Scope, span: Span) -> t.Stmt | None:
    symbol = c.effects.get(call.name.text)
    if symbol is None:
        help_text = c.suggest(call.name.text, list(c.effects))
        if call.name.text in c.actions:
            help_text = f"`{call.name.text}` is an action: players are offered it with `offer {call.name.text}`"
        c.error("E0404", f"there is no effect `{call.name.text}`", call.name.span, help_text)
        return None
    c.ensure(symbol)  # whether it can begin is asked of its body
    arguments = check_arguments(c, symbol.name, symbol.parameters, symbol.defaults, call.arguments, scope, call.span)
    return None if arguments is None else t.Do(span, scope.me or x.Const(PLAYER, span, 0), symbol, arguments)


def check_arguments(
    c: Context,
    name: str,
    parameters: list[tuple[str, Type]],
    defaults: list[x.Expr | None],
    given: at.Arguments,
    scope: Scope,
    span: Span,
) -> list[x.Expr] | None:
    """The arguments of an effect in the order of its parameters; None (reported) if they do not fit."""
    slots: list[x.Expr | None] = [None] * len(parameters)
    position = 0
    for argument in given or ():
        if argument.name is not None:
            index = next((i for i, (each, _) in enumerate(parameters) if each == argument.name.text), -1)
            if index < 0:
                c.error(
                    "E0315",
                    f"`{name}` has no parameter `{argument.name.text}`",
                    argument.name.span,
                    c.suggest(argument.name.text, [p for p, _ in parameters]),
                )
                return None
        else:
            index, position = position, position + 1
        if index >= len(parameters):
            c.error("E0316", at.wrong_number(name, parameters), argument.span)
            return None
        found = check_as(c, argument.value, scope, parameters[index][1], f"`{parameters[index][0]}`")
        slots[index] = present(found, parameters[index][1], f"`{parameters[index][0]}` of `{name}`")
    for index, each in enumerate(slots):
        if each is None:
            slots[index] = defaults[index] if index < len(defaults) else None
    if any(each is None for each in slots):
        c.error("E0316", at.wrong_number(name, parameters), span)
        return None
    return [each for each in slots if each is not None]


def present(found: x.Expr, wanted: Type, what: str) -> x.Expr:
    """A value that may be none where one is needed: tested when it is used."""
    if isinstance(found.type, OptionalType) and not isinstance(wanted, OptionalType | UnknownType):
        return x.Present(found.type.base, found.span, found, what)
    return found


@handles(s.Block)
def _block(c: Context, node: s.Block, scope: Scope) -> t.Stmt:
    return check_block(c, node, scope)


@handles(s.If)
def _if(c: Context, node: s.If, scope: Scope) -> t.Stmt:
    test = check_condition(c, node.condition, scope, "the condition of `if`")
    other = check_statement(c, node.otherwise, scope) if node.otherwise is not None else None
    return t.If(node.span, test, check_block(c, node.consequence, scope), other)


@handles(s.For)
def _for(c: Context, node: s.For, scope: Scope) -> t.Stmt:
    inner = scope.inner()
    head = heads.check_head(c, node.head, inner, single_only=True)
    return t.ForEach(node.span, head, check_block(c, node.body, inner))


@handles(s.Everyone)
def _everyone(c: Context, node: s.Everyone, scope: Scope) -> t.Stmt:
    players = None
    if node.players is not None:
        players = check(c, node.players, scope)
        if (
            not isinstance(strip(member_of(players.type) or players.type), PlayerType)
            or member_of(players.type) is None
        ):
            if not isinstance(players.type, UnknownType):
                c.error(
                    "E0301", f"`everyone in` needs players, but this is {co.kind_words(players.type)}", players.span
                )
            players = None
        elif not isinstance(players.type, ListType):
            players = co.as_set(players)
    inner = scope.inner()
    slot = inner.frame.new("me", PLAYER)
    inner.me = x.Local(PLAYER, node.span, slot)
    return t.Everyone(node.span, players, slot, check_block(c, node.body, inner))


@handles(s.Acting)
def _acting(c: Context, node: s.Acting, scope: Scope) -> t.Stmt:
    player = check_player(c, node.player, scope, "who acts")
    inner = scope.inner()
    slot = inner.frame.new("me", PLAYER)
    inner.me = x.Local(PLAYER, node.span, slot)
    return t.Acting(node.span, player, slot, check_block(c, node.body, inner))


@handles(s.Repeat)
def _repeat(c: Context, node: s.Repeat, scope: Scope) -> t.Stmt:
    at_most = check_number(c, node.at_most, scope, "how often")
    test = check_condition(c, node.condition, scope) if node.condition is not None else None
    return t.Repeat(
        node.span, at_most, test, scope.frame.new("passes", IntType(0, 32767)), check_block(c, node.body, scope)
    )


@handles(s.Step)
def _step(c: Context, node: s.Step, scope: Scope) -> t.Stmt:
    inner = scope.inner(address=f"{scope.address}.{node.name.text}")
    symbol = g.StepSymbol(node.name.text, node.span, inner.address)
    body = check_block(c, node.body, inner)
    symbol.frame, symbol.body = scope.frame, body
    c.steps.setdefault(symbol.path, symbol)
    if scope.me is None:
        c.unattended.add(c.steps[symbol.path])
    return t.Step(node.span, c.steps[symbol.path], None, body)


@handles(s.AsOne)
def _as_one(c: Context, node: s.AsOne, scope: Scope) -> t.Stmt:
    return t.AsOne(node.span, check_block(c, node.body, scope))


@handles(s.Nothing)
def _nothing(c: Context, node: s.Nothing, scope: Scope) -> None:
    return None


@handles(s.Require)
def _require(c: Context, node: s.Require, scope: Scope) -> None:
    c.error("E0408", "`require` stands at the beginning of an effect", node.span, "elsewhere write `if c { }`")
