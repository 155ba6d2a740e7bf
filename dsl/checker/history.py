"""Questions about what was: `happened`, `times`, `latest`."""

from __future__ import annotations

from typing import Literal

from regelwerk.dsl.checker import coercion as co
from regelwerk.dsl.checker.caps import too_many_keys
from regelwerk.dsl.checker.context import Context, Scope
from regelwerk.dsl.checker.expressions import check, check_as, checks
from regelwerk.dsl.diagnostics import Label
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.limits import KEYS
from regelwerk.dsl.model.types import (
    BOOL,
    PLAYER,
    UNKNOWN,
    EnumType,
    IntType,
    PlayerType,
    RowType,
    ThingType,
    Type,
    UnknownType,
    strip,
)
from regelwerk.dsl.source import Span
from regelwerk.dsl.syntax import expressions as s
from regelwerk.dsl.syntax import flow as f
from regelwerk.dsl.syntax.base import Expression, Identifier, Path

Event = g.ActionSymbol | g.EffectSymbol | g.VerbSymbol


def find_event(c: Context, path: Path) -> Event | Literal["action"] | None:
    """The action, named effect or built-in verb that `path` names; "action" is any action."""
    name = path.text
    if name == "action":
        return "action"
    found: Event | None = c.actions.get(name) or c.effects.get(name) or c.verbs.get(name)
    if found is None:
        c.error(
            "E0801",
            f"`{name}` is no action, effect or event",
            path.span,
            c.suggest(name, [*c.actions, *c.effects, *c.verbs, "action"]),
        )
    return found


def event_parameters(event: Event | Literal["action"]) -> list[tuple[str, Type]]:
    """What an event can be asked by."""
    if isinstance(event, g.ActionSymbol):
        return [(name, kind) for name, kind, _ in event.parameters]
    if isinstance(event, g.EffectSymbol):
        return event.parameters
    if isinstance(event, g.VerbSymbol):
        return [(name, UNKNOWN) for name in event.parameters]
    return []


def find_scope(c: Context, name: Identifier) -> g.PhaseSymbol | Literal["turn", "action"] | None:
    """The phase that `this NAME`, `per NAME` or `resets each NAME` speaks of."""
    if name.text == "turn" and ("turn" not in c.phases or takes_turns(c)):
        return "turn"
    if name.text == "action" and "action" not in c.phases:
        return "action"
    found = c.phases.get(name.text, [])
    if len(found) == 1:
        _beware_of_passes(c, found[0], name)
        return found[0]
    if len(found) > 1:
        c.error("E0502", f"several phases are called `{name.text}`", name.span, "give them different names")
        return None
    c.error("E0501", f"there is no phase `{name.text}`", name.span, c.suggest(name.text, [*c.phases, "turn", "action"]))
    return None


def _beware_of_passes(c: Context, phase: g.PhaseSymbol, name: Identifier) -> None:
    """`this round` of an inner phase that itself goes round is all its passes, which is hardly what it says."""
    drivers = getattr(c.syntax.get(phase), "drivers", ())
    repeats = [
        each
        for each in drivers
        if isinstance(each, f.Loop)
        or (isinstance(each, f.ForEach) and isinstance(each.binder.domain.source, s.RangeExpression))
    ]
    if phase.parent is None or not repeats:
        return
    c.diagnostics.warning(
        "W0503",
        f"`{name.text}` goes round by itself, and this speaks of all its passes together",
        name.span,
        f"for each pass write an inner phase: `phase {phase.parent.name}s ... {{ phase {name.text} {{ ... }} }}`",
        (Label(repeats[0].span, "here"),),
    )


def takes_turns(c: Context) -> bool:
    """Whether some phase gives turns to players, so that `turn` is one of its passes."""
    drivers = [d for found in c.phases.values() for phase in found for d in getattr(c.syntax.get(phase), "drivers", ())]
    return any(
        isinstance(each, f.Turns) or (isinstance(each, f.ForEach) and each.acting is not None) for each in drivers
    )


def question(
    c: Context,
    event: Event | Literal["action"],
    keys: list[tuple[int, Type]],
    scope: g.PhaseSymbol | Literal["turn", "action"] | None,
    counted: bool,
    any_actor: bool,
) -> g.HistoryQuestion:
    """The question, made once for all who ask it."""
    wanted: g.Symbol | str = event
    for known in c.questions:
        same = known.event is wanted if not isinstance(wanted, str) else known.event == wanted
        if (
            same
            and known.keys == keys
            and known.scope == scope
            and known.counted == counted
            and known.any_actor == any_actor
        ):
            return known
    made = g.HistoryQuestion(wanted, keys, scope, counted, any_actor, len(c.questions))
    c.questions.append(made)
    if not isinstance(event, str):
        event.questions.append(made)
    return made


@checks(s.Happened)
def check_happened(c: Context, node: s.Happened, scope: Scope, expected: Type | None = None) -> x.Expr:
    """`happened A(arguments) by p this P` and `times A ... this P`."""
    kind: Type = IntType(0, 32767) if node.counted else BOOL
    event = find_event(c, node.event)
    within = find_scope(c, node.scope)
    if event is None or within is None:
        return x.Unavailable(UNKNOWN, node.span)
    parameters = event_parameters(event)
    keys: list[tuple[int, Type]] = []
    arguments: list[x.Expr] = []
    position = 0
    for argument in node.arguments or ():
        if argument.name is not None:
            index = next((i for i, (name, _) in enumerate(parameters) if name == argument.name.text), -1)
        else:
            index, position = position, position + 1
        if not 0 <= index < len(parameters):
            c.error(
                "E0802",
                f"`{node.event.text}` cannot be asked by this argument",
                argument.span,
                f"it can be asked by {', '.join(n for n, _ in parameters) or 'nothing'}",
            )
            continue
        wanted = parameters[index][1]
        if isinstance(event, g.VerbSymbol):
            subject = _subject(c, event, argument.value, scope)
            if subject is not None:
                keys.append((index, subject[0]))
                arguments.append(subject[1])
            continue
        if isinstance(wanted, UnknownType):
            continue
        if not isinstance(wanted, PlayerType | EnumType | ThingType | IntType) and wanted != BOOL:
            c.error(
                "E0803",
                f"the past is only kept for single things, and `{parameters[index][0]}` is {co.kind_words(wanted)}",
                argument.span,
            )
            continue
        if isinstance(wanted, IntType) and wanted.highest - wanted.lowest > 4095:
            c.error(
                "E0803",
                f"`{parameters[index][0]}` has too many values to be kept",
                argument.span,
                "give the parameter a narrower range",
            )
            continue
        keys.append((index, wanted))
        arguments.append(check_as(c, argument.value, scope, wanted))
    combinations = too_many_keys(c, [kind for _, kind in keys])
    if combinations:
        c.error(
            "E0806",
            f"these arguments have {combinations:,} combinations, and at most {KEYS:,} are kept",
            node.span,
            "ask by fewer arguments, or give the parameters narrower types",
        )
        return x.Unavailable(UNKNOWN, node.span)
    actor, any_actor = _actor(c, node.by, scope, node.span)
    if actor is None:
        return x.Unavailable(UNKNOWN, node.span)
    asked = question(c, event, keys, within, node.counted, any_actor)
    return x.HistoryRead(kind, node.span, asked, actor, arguments)


def _subject(c: Context, event: g.VerbSymbol, node: Expression, scope: Scope) -> tuple[Type, x.Expr] | None:
    """What a built-in event is asked by: the number of a unit, a thing, or a row of things."""
    span = node.span
    units = IntType(1, max(1, len(c.unit_list)))
    amounts = event.name in ("gain", "lose")
    if amounts and isinstance(node, s.Name) and node.arguments is None and node.name.text not in scope.names:
        unit = c.units.get(node.name.text)
        if isinstance(unit, g.Unit):
            return units, x.Const(units, span, c.unit_list.index(unit) + 1)
    expr = check(c, node, scope)
    kind = strip(expr.type)
    if isinstance(kind, UnknownType):
        return None
    if amounts:
        first = next((i for i, u in enumerate(c.unit_list) if _counts(u, kind) and u.member == 1), None)
        if first is not None:
            return units, x.Arithmetic(units, span, "+", expr, co.constant(first, span))
        c.error(
            "E0805",
            f"`{event.name}` is asked by a unit, and this is {co.kind_words(kind)}",
            span,
            f"for example `happened {event.name}({next(iter(c.units), 'coin')}) this turn`",
        )
        return None
    if isinstance(kind, ThingType | RowType) and kind.symbol.movable:
        return kind, expr
    c.error("E0805", f"`{event.name}` is asked by a thing, and this is {co.kind_words(kind)}", span)
    return None


def _counts(unit: g.Unit, kind: Type) -> bool:
    """Whether a unit is one of the kinds of a resource, and `kind` the type of these kinds."""
    return isinstance(unit.symbol, g.ResourceSymbol) and isinstance(kind, EnumType) and unit.symbol.kinds is kind.symbol


def _actor(c: Context, by: Identifier | None, scope: Scope, span: Span) -> tuple[x.Expr | None, bool]:
    if by is not None and by.text == "anyone":
        return x.Const(PLAYER, span, 0), True
    if by is not None:
        return check_as(c, s.Name(span=by.span, name=by), scope, PLAYER), False
    if scope.me is None:
        c.error("E0804", "what happened is asked of somebody, and nobody acts here", span, "say `by p` or `by anyone`")
        return None, False
    return scope.me, False


@checks(s.Latest)
def check_latest(c: Context, node: s.Latest, scope: Scope, expected: Type | None = None) -> x.Expr:
    """`latest A`: an ordinal, 0 for never."""
    event = find_event(c, node.event)
    if event is None:
        return x.Unavailable(UNKNOWN, node.span)
    actor, _ = _actor(c, None, scope, node.span)
    if actor is None:
        return x.Unavailable(UNKNOWN, node.span)
    return x.HistoryRead(IntType(0, 2**31 - 1), node.span, question(c, event, [], None, True, False), actor, [])
