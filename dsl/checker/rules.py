"""Rules about named things: each role is resolved and attached to what it aims at."""

from __future__ import annotations

from regelwerk.dsl.checker import coercion as co
from regelwerk.dsl.checker.amounts import amount
from regelwerk.dsl.checker.context import Context, Scope, me_local
from regelwerk.dsl.checker.effects import check_body
from regelwerk.dsl.checker.expressions import check, check_as, check_condition, check_number, template
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import (
    PLAYER,
    UNKNOWN,
    IntType,
    SetType,
    TallyType,
    ThingType,
    Type,
    UnknownType,
    numeric,
)
from regelwerk.dsl.syntax import rules as r
from regelwerk.dsl.syntax.base import Path

Target = (
    g.ValueSymbol
    | g.CostSymbol
    | g.RequireSymbol
    | g.ConstantSymbol
    | g.ColumnSymbol
    | g.ActionSymbol
    | g.EffectSymbol
    | g.PhaseSymbol
    | g.StepSymbol
    | g.VerbSymbol
)

KINDS = {
    "before": (g.ActionSymbol, g.EffectSymbol, g.PhaseSymbol, g.StepSymbol, g.VerbSymbol),
    "after": (g.ActionSymbol, g.EffectSymbol, g.PhaseSymbol, g.StepSymbol, g.VerbSymbol),
    "instead": (g.ActionSymbol, g.EffectSymbol),
    "modify": (g.ValueSymbol, g.CostSymbol, g.ConstantSymbol, g.ColumnSymbol),
    "forbid": (g.ActionSymbol,),
    "waive": (g.RequireSymbol, g.CostSymbol),
}

WORDS = {
    "before": "an action, effect, phase, step or event",
    "after": "an action, effect, phase, step or event",
    "instead": "an action or effect",
    "modify": "a value, cost, constant or column",
    "forbid": "an action",
    "waive": "a requirement or cost of an action",
}


def addresses(c: Context) -> dict[str, Target]:
    """Everything that rules can aim at, by address."""
    found: dict[str, Target] = {}
    for known in c.globals.values():
        if isinstance(known, g.ValueSymbol | g.ConstantSymbol):
            found[known.name] = known
        if isinstance(known, g.EntitySymbol):
            for column in known.columns.values():
                found[column.address] = column
    for symbols in c.attributes.values():
        for known in symbols:
            if isinstance(known, g.ValueSymbol):
                found.setdefault(known.name, known)
    found.update(c.verbs)
    found.update(c.effects)
    for action in c.actions.values():
        found[action.name] = action
        for clause in action.clauses:
            if isinstance(clause, g.RequireSymbol | g.CostSymbol):
                found[clause.address] = clause
    for effect in c.effects.values():
        for clause in effect.requirements:
            found[clause.address] = clause
    for phases in c.phases.values():
        for phase in phases:
            found[phase.path] = phase
    found.update(c.steps)
    return found


def find(c: Context, path: Path, kind: str) -> Target | None:
    """The target of a role."""
    if c.targets is None:
        c.targets = addresses(c)  # all that can be aimed at is declared by now
    known: dict[str, Target] = c.targets
    found = known.get(path.text)
    if found is None and path.text in c.globals and kind == "modify":
        c.error("E0602", f"`{path.text}` is not {WORDS[kind]}", path.span)
        return None
    if found is None:
        wanted = [name for name, symbol in known.items() if isinstance(symbol, KINDS[kind])]
        c.error(
            "E0601",
            f"there is no {path.text!r} for a rule to aim at".replace("'", "`"),
            path.span,
            c.suggest(path.text, wanted, f"`{kind}` aims at {WORDS[kind]}"),
        )
        return None
    if not isinstance(found, KINDS[kind]):
        word = "instead of" if kind == "instead" else kind
        remedy = None
        if kind == "instead" and isinstance(found, g.VerbSymbol):
            remedy = "put the statement into a named effect, and replace that"
        c.error("E0602", f"`{word}` aims at {WORDS[kind]}, and `{path.text}` is none", path.span, remedy)
        return None
    return found


def target_parameters(target: Target, c: Context, about: Type | None = None) -> list[tuple[str, Type]]:
    """What a role can bind by name. A value's `me` is left out. Of built-in events: what they are about."""
    if isinstance(target, g.VerbSymbol):
        return [(name, SetType(about) if target.name == "roll" else about) for name in target.parameters if about]
    if isinstance(target, g.ValueSymbol):
        return target.parameters
    if isinstance(target, g.EffectSymbol):
        return target.parameters
    if isinstance(target, g.ActionSymbol):
        return [(name, kind) for name, kind, _ in target.parameters]
    if isinstance(target, g.CostSymbol | g.RequireSymbol):
        owner = c.actions.get(target.owner)
        if owner is not None:
            return [(name, kind) for name, kind, _ in owner.parameters]
        effect = c.effects.get(target.owner)
        return effect.parameters if effect is not None else []
    if isinstance(target, g.ColumnSymbol):
        return [("it", ThingType(target.entity))]
    return []


def top_lets(target: Target) -> list[tuple[str, Type, int]]:
    """The `let`s of an effect or action that a rule after it can see: name, type, slot."""
    if not isinstance(target, g.EffectSymbol | g.ActionSymbol) or not isinstance(target.body, t.Sequence):
        return []
    slots = [clause[0] for clause in getattr(target, "clauses", []) if isinstance(clause, tuple)]
    slots += [each.slot for each in target.body.statements if isinstance(each, t.Let)]
    return [(target.frame.names[slot], target.frame.types[slot], slot) for slot in slots]


def attach(c: Context, name: str, role: r.Role, citations: tuple[str, ...], row: g.RowSymbol | None = None) -> None:
    """Resolve a role and attach it to each of its targets."""
    for aim in role.targets:
        word = (
            role.when
            if isinstance(role, r.Reaction)
            else {"Modify": "modify", "Forbid": "forbid", "Waive": "waive"}[type(role).__name__]
        )
        target = find(c, aim.path, word)
        if target is None:
            continue
        if isinstance(target, g.ValueSymbol | g.ConstantSymbol):
            c.ensure(target)
        for about in subjects(c, target, role, aim):
            made = _attached(c, name, role, citations, row, aim, target, about)
            if made is not None:
                c.roles.append(made)
                target.roles.append(made)


def subjects(c: Context, target: Target, role: r.Role, aim: r.Aim) -> list[Type | None]:
    """What a rule on a built-in event looks at: nothing, an amount, or things of a type.

    Which type `x` of `move(x)` is of follows from what the rule asks of it: all types of things that have it. A rule
    that fits none is reported for the type it fits best.
    """
    if not isinstance(target, g.VerbSymbol) or not aim.parameters:
        return [None]
    if target.name in ("gain", "lose"):
        return [TallyType(None)]
    if target.name == "draw" and isinstance(role, r.Reaction) and role.when == "before":
        c.error(
            "E0621",
            "what is drawn is not known before it is drawn",
            aim.span,
            "react after it: `after draw(x)`, or leave out the brackets",
        )
        return []
    entities = [each for each in dict.fromkeys(c.globals.values()) if isinstance(each, g.EntitySymbol) and each.movable]
    kinds: list[Type | None] = [ThingType(each) for each in entities if target.name != "roll" or each.faces is not None]
    return kinds if len(kinds) < 2 else _fitting(c, kinds, role, aim, target)


def _fitting(c: Context, kinds: list[Type | None], role: r.Role, aim: r.Aim, target: g.VerbSymbol) -> list[Type | None]:
    """The types of things for which a rule has no errors; if there is none, the one with the fewest."""
    said, asked = len(c.diagnostics.items), len(c.questions)
    errors: list[int] = []
    for kind in kinds:
        _attached(c, "", role, (), None, aim, target, kind)
        errors.append(sum(1 for each in c.diagnostics.items[said:] if each.severity == "error"))
        c.diagnostics.forget_after(said)
    del asked
    least = min(errors)
    fitting = [kind for kind, count in zip(kinds, errors, strict=True) if count == least]
    return fitting if least == 0 else fitting[:1]


def _attached(
    c: Context,
    name: str,
    role: r.Role,
    citations: tuple[str, ...],
    row: g.RowSymbol | None,
    aim: r.Aim,
    target: Target,
    about: Type | None,
) -> g.Role | None:
    """A role with one of its targets; None (reported) if it cannot hold."""
    frame = g.Frame()
    owned = row is not None and row.entity.live_in is not None and row.entity.live_in.key == PLAYER
    somebody = owned or target not in c.unattended
    scope = Scope(frame, me=me_local(role.span) if somebody else None, address=name)
    if row is not None:
        scope.in_cell = True
        slot = frame.new("self", ThingType(row.entity))
        scope.own = (slot, ThingType(row.entity))
    known = target_parameters(target, c, about)
    if isinstance(role, r.Reaction) and role.when == "after":
        known = known + [(name, kind) for name, kind, _ in top_lets(target)]
    bindings: list[tuple[int, int]] = []
    for parameter in aim.parameters or ():
        index = next((i for i, (each, _) in enumerate(known) if each == parameter.text), -1)
        if index < 0:
            if parameter.text == "me":
                continue
            c.error(
                "E0603",
                f"`{aim.path.text}` has no parameter `{parameter.text}`",
                parameter.span,
                c.suggest(parameter.text, [n for n, _ in known], f"it has {', '.join(n for n, _ in known) or 'none'}"),
            )
            scope.bind(parameter.text, UNKNOWN)
            continue
        bindings.append((scope.bind(parameter.text, known[index][1]), index))
    made = g.Role("before", name, role.span, frame, bindings, [], role.by_anyone, row, citations=citations)
    made.about = about
    made.guards = [check_condition(c, each, scope, "the condition of `while`") for each in role.guards]
    if row is not None and row.entity.live_refused:
        return None
    if row is not None and row.entity.live_in is None:
        c.error(
            "E0604",
            f"rules in the cells of {row.entity.name} need to know where they hold",
            role.span,
            f"declare the table with `live in ZONE`: `{row.entity.kind} {row.entity.name} live in ...`",
        )
        return None
    _fill(c, role, made, target, scope)
    return made


def _fill(c: Context, role: r.Role, made: g.Role, target: Target, scope: Scope) -> None:
    if isinstance(role, r.Reaction):
        made.kind = role.when
        made.body = check_body(c, role.body, scope)
    elif isinstance(role, r.Forbid):
        made.kind = "forbid"
        made.reason = template(c, role.reason, scope)
    elif isinstance(role, r.Waive):
        made.kind = "waive"
    elif isinstance(role, r.Modify):
        made.kind = role.change
        if isinstance(target, g.CostSymbol):
            made.amount = amount(c, role.value, scope)
            if role.change == "also":
                c.error("E0605", "`also` adds to a set, and a cost is an amount", role.span, "write `plus`")
            return
        if isinstance(target, g.ValueSymbol | g.ConstantSymbol | g.ColumnSymbol):
            _value(c, role, made, target, scope)


def _value(
    c: Context, role: r.Modify, made: g.Role, target: g.ValueSymbol | g.ConstantSymbol | g.ColumnSymbol, scope: Scope
) -> None:
    kind = target.type or UNKNOWN
    if role.change == "also":
        if not isinstance(kind, SetType):
            c.error("E0605", f"`also` adds to a set, and this is {co.kind_words(kind)}", role.span)
            return
        made.value = co.coerce(c, co.as_collection(check(c, role.value, scope, kind)), kind, "what is added")
    elif role.change == "becomes" and numeric(kind) is not None and isinstance(kind, IntType):
        made.value = _change(c, role, target, kind, scope, "the new value")
    elif role.change == "becomes":
        made.value = check_as(c, role.value, scope, kind, "the new value")
    elif isinstance(kind, TallyType):
        made.value = check_as(c, role.value, scope, kind, "the change")
    elif numeric(kind) is None and not isinstance(kind, UnknownType):
        c.error(
            "E0606",
            f"`{role.change.replace('_', ' ')}` changes a number, and this is {co.kind_words(kind)}",
            role.span,
            "write `becomes`",
        )
    else:
        made.value = _change(c, role, target, kind, scope, "the change")


def _change(
    c: Context,
    role: r.Modify,
    target: g.ValueSymbol | g.ConstantSymbol | g.ColumnSymbol,
    kind: Type,
    scope: Scope,
    what: str,
) -> x.Expr:
    """The number a rule changes a quantity by. If it is in halves, so is the quantity."""
    change = check_number(c, role.value, scope, what, halves=True)
    scale, wanted = numeric(change.type), numeric(kind)
    if wanted is None or scale is None or scale.halves == wanted.halves:
        return change
    if wanted.halves:
        return co.in_halves(change)
    if isinstance(kind, IntType):
        c.to_halve.add(target.span)
        return change
    return co.whole(c, change, what)


__all__ = ["PLAYER", "addresses", "attach", "find"]
