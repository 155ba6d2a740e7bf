"""`and`, `or`, `not`, `if`, quantifiers, and what stands for another expression, unfolded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import BoolType, OptionalType, strip
from regelwerk.interpreter.evaluation.heads import compile_candidates
from regelwerk.interpreter.evaluation.scalars import is_none
from regelwerk.interpreter.explaining.reading import UNKNOWN, Here, NoValue, Reading, unfolds
from regelwerk.interpreter.explaining.reasons import Change, Reason

TUPLES = 4096
"""So many elements of a quantifier are asked one by one."""

UNFOLDED = 24
"""So many of them are unfolded."""

LISTED = 12
"""So many parts of a sum are listed."""


# --------------------------------------------------------------------------------------------------------- connectives
@unfolds(x.Both)
def _both(r: Reading, node: x.Both, here: Here) -> Reason:
    return r.joined("all", node, here, [r.unfold(each, here) for each in _flat(node, x.Both)])


@unfolds(x.AnyOf)
def _any(r: Reading, node: x.AnyOf, here: Here) -> Reason:
    return r.joined("any", node, here, [r.unfold(each, here) for each in _flat(node, x.AnyOf)])


def _flat(node: Any, kind: type) -> Iterator[x.Expr]:
    for side in (node.left, node.right):
        if isinstance(side, kind):
            yield from _flat(side, kind)
        else:
            yield side


@unfolds(x.Negation)
def _not(r: Reading, node: x.Negation, here: Here) -> Reason:
    part = r.unfold(node.operand, here)
    if node.operand.span != node.span or part.kind != "leaf" or part.holds is None:
        return r.joined("not", node, here, [part])
    change = part.change  # `a is not b` is one comparison
    if change is None or change.text.startswith(f"`{part.source}` must"):
        verb = "hold" if part.holds else "not hold"
        change = Change(f"`{part.source}` must {verb}", here.address, node.span)
    return replace(part, holds=not part.holds, change=change)


@unfolds(x.Select)
def _if(r: Reading, node: x.Select, here: Here) -> Reason:
    condition = r.unfold(node.condition, here)
    if isinstance(strip(node.type), BoolType):
        ways = [r.unfold(node.consequence, here), r.unfold(node.alternative, here)]
        return r.joined("if", node, here, [condition, *ways])
    chosen: list[Reason] = []
    if condition.holds is not None:
        way = node.consequence if condition.holds else node.alternative
        chosen = [] if isinstance(way, x.Const) else [r.unfold(way, here)]
    return r.leaf(node, here, (condition, *chosen))


@unfolds(x.Switch)
def _switch(r: Reading, node: x.Switch, here: Here) -> Reason:
    subject = r.unfold(node.subject, here)
    try:
        chosen = _case(r, node, here, r.value(node.subject, here))
    except NoValue as error:
        return r.without_value(node, error)
    parts = [subject] if chosen is None or isinstance(chosen, x.Const) else [subject, r.unfold(chosen, here)]
    if isinstance(strip(node.type), BoolType) and len(parts) == 2 and subject.kind == "value":
        return r.joined("same", node, here, parts)
    return r.leaf(node, here, tuple(parts))


def _case(r: Reading, node: x.Switch, here: Here, subject: Any) -> x.Expr | None:
    """The expression that a subject chooses."""
    for key, result in node.cases:
        if isinstance(key, tuple):
            if r.value(key[0], here) <= subject <= r.value(key[1], here):
                return result
        elif r.value(key, here) == subject:
            return result
    return node.default


@unfolds(x.LetIn)
def _let(r: Reading, node: x.LetIn, here: Here) -> Reason:
    try:
        value = r.value(node.value, here)
    except NoValue as error:
        return r.without_value(node, error)
    inner = here.with_local(node.slot, value, here.sight.bound(node.slot, node.value))
    return _same(r, node, here, r.unfold(node.body, inner))


@unfolds(x.Present)
def _present(r: Reading, node: x.Present, here: Here) -> Reason:
    return _same(r, node, here, r.unfold(node.value, here))


def _same(r: Reading, node: x.Expr, here: Here, part: Reason, note: str = "") -> Reason:
    """An expression that stands for another."""
    if isinstance(strip(node.type), BoolType):
        return r.joined("same", node, here, [part], note)
    return r.leaf(node, here, (part,), note)


# --------------------------------------------------------------------------------------------------------- arithmetic
@unfolds(x.Arithmetic, x.TallyArithmetic, x.Union, x.Difference)
def _arithmetic(r: Reading, node: Any, here: Here) -> Reason:
    return r.leaf(node, here, _operands(r, here, node.left, node.right))


@unfolds(x.TallyScaled)
def _scaled(r: Reading, node: x.TallyScaled, here: Here) -> Reason:
    return r.leaf(node, here, _operands(r, here, node.factor, node.tally))


@unfolds(x.Negative, x.Absolute, x.InHalves)
def _unary(r: Reading, node: Any, here: Here) -> Reason:
    return r.leaf(node, here, _operands(r, here, node.operand))


@unfolds(x.Count, x.ToSet, x.ToList, x.Sorted, x.Pick, x.Total)
def _of_collection(r: Reading, node: Any, here: Here) -> Reason:
    return r.leaf(node, here, r.sides(here, node.collection))


@unfolds(x.TallyTotal, x.TallyWiden, x.TallyKinds, x.TallyCount)
def _of_tally(r: Reading, node: Any, here: Here) -> Reason:
    return r.leaf(node, here, r.sides(here, node.tally))


def _operands(r: Reading, here: Here, *nodes: x.Expr) -> tuple[Reason, ...]:
    """The operands that are no bare numbers."""
    return tuple(r.unfold(each, here) for each in nodes if not isinstance(each, x.Const | x.InHalves) and r.pieces > 0)


# --------------------------------------------------------------------------------------------------------------- calls
@unfolds(x.Call)
def _call(r: Reading, node: x.Call, here: Here) -> Reason:
    symbol = node.symbol
    body = symbol.body
    if body is None or symbol.recursive or symbol in r.program.compiler.pinned or _static(r, node):
        return r.leaf(node, here)
    arguments = []
    for index, each in enumerate(node.arguments):
        try:
            value = r.value(each, here)
        except NoValue as error:
            return r.without_value(node, error)
        parameter = index - (1 if symbol.takes_me else 0)
        wanted = symbol.parameters[parameter][1] if parameter >= 0 else None
        optional = isinstance(each.type, OptionalType) and wanted is not None
        if optional and is_none(value, each.type) and not isinstance(wanted, OptionalType):
            return r.leaf(node, here, note=f"`{r.source(each.span)}` is none")
        arguments.append(value)
    env = [0] * (2 * len(symbol.frame.types))
    for slot, value in zip(symbol.slots, arguments, strict=True):
        env[slot] = value
    sight = here.sight.inside(symbol, dict(zip(symbol.slots, node.arguments, strict=False)))
    inner = here.inside(env, symbol.frame, sight, symbol.address)
    part = r.unfold(body, inner)
    if not symbol.roles:
        return _same(r, node, here, part)
    from regelwerk.interpreter.explaining.rules import modifiers

    shift = 1 if symbol.takes_me else 0
    me = node.arguments[0] if node.arguments else None
    changed = modifiers(r, here, symbol.roles, me, arguments[0] if arguments else 0, arguments[shift:])
    if not changed:
        return _same(r, node, here, part)
    return r.leaf(node, here, (_as_value(part), *changed))


def _as_value(part: Reason) -> Reason:
    """What a condition was before rules changed it: shown, but not what decides."""
    if part.kind == "value":
        return part
    told = part.value or ("" if part.holds is None else "yes" if part.holds else "no")
    return Reason("value", part.source, part.span, None, told, parts=part.parts, note="before rules change it")


def _static(r: Reading, node: x.Call) -> bool:
    return not node.symbol.parameters and not node.symbol.takes_me and r.program.compiler.is_static_value(node.symbol)


@unfolds(x.ConstantRead)
def _constant(r: Reading, node: x.ConstantRead, here: Here) -> Reason:
    if not node.symbol.roles:
        return r.leaf(node, here)
    return r.leaf(node, here, _changed(r, here, node.symbol.roles, node.me, []))


@unfolds(x.ColumnRead)
def _column(r: Reading, node: x.ColumnRead, here: Here) -> Reason:
    if not node.column.roles:
        return r.leaf(node, here, r.sides(here, node.thing))
    try:
        thing = r.value(node.thing, here)
    except NoValue as error:
        return r.without_value(node, error)
    return r.leaf(node, here, _changed(r, here, node.column.roles, node.me, [thing]))


def _changed(r: Reading, here: Here, roles: list[g.Role], me: x.Expr, arguments: list[Any]) -> tuple[Reason, ...]:
    from regelwerk.interpreter.explaining.rules import modifiers

    try:
        who = r.value(me, here)
    except NoValue:
        return ()
    return modifiers(r, here, roles, me, who, arguments)


@unfolds(x.CellTest)
def _cell(r: Reading, node: x.CellTest, here: Here) -> Reason:
    try:
        thing, me = r.value(node.thing, here), r.value(node.me, here)
    except NoValue as error:
        return r.without_value(node, error)
    row = r.program.things[node.column.entity].row_of[thing]
    cells = r.program.cells_of(node.column)
    cell = cells[row - 1] if 0 < row <= len(cells) else None
    if not isinstance(cell, tuple):
        return r.leaf(node, here)
    frame, body = cell
    env = [0] * (2 * len(frame.types))
    env[0], env[1] = me, thing
    sight = here.sight.inside(node.column, {0: node.me, 1: node.thing})
    inner = here.inside(env, frame, sight, node.column.address)
    return _same(r, node, here, r.unfold(body, inner))


@unfolds(x.ScoreRead)
def _score(r: Reading, node: x.ScoreRead, here: Here) -> Reason:
    try:
        player = r.value(node.player, here)
    except NoValue as error:
        return r.without_value(node, error)
    lines = node.symbol.lines if node.line is None else [node.symbol.lines[node.line]]
    parts = []
    for line in lines:
        if line.value is None or not player:
            continue
        env = [0] * (2 * len(line.frame.types))
        env[0] = player
        sight = here.sight.inside(node.symbol, {0: node.player})
        inner = here.inside(env, line.frame, sight, f"{node.symbol.name}.{line.name}")
        parts.append(r.unfold(line.value, inner))
    return r.leaf(node, here, tuple(parts))


# --------------------------------------------------------------------------------------------------------- quantifiers
@unfolds(x.Quantified)
def _quantified(r: Reading, node: x.Quantified, here: Here) -> Reason:
    binders = node.head.binders
    simple = all(each.form == "one" and not each.inner and not each.fields for each in binders)
    if not simple or any(here.sight.hides(each.source) for each in binders):
        return r.leaf(node, here)
    if node.quantifier == "some":
        return _some(r, node, here)
    if node.quantifier == "every":
        return _every(r, node, here)
    if node.quantifier in ("sum", "count", "min", "max"):
        return _fold(r, node, here)
    return r.leaf(node, here)


def tuples(r: Reading, head: x.Head, here: Here) -> Iterator[Here]:
    """The places where the binders are bound to their elements, conditions not asked."""
    sight = here.sight.behind(head)

    def bound(index: int, place: Here) -> Iterator[Here]:
        if index == len(head.binders):
            yield place
            return
        binder = head.binders[index]
        key = ("elements", binder)
        elements = r.program.readings.get(key)
        if elements is None:
            elements = r.program.readings[key] = compile_candidates(r.program.compiler, binder.plain(), False)
        try:
            found = list(elements(r.m, place.env[:]))
        except UNKNOWN:
            return
        for value in found:
            yield from bound(index + 1, place.with_local(binder.slot, value, sight))

    return bound(0, here)


def _conditions(head: x.Head) -> list[x.Expr]:
    return [each.condition for each in head.binders if each.condition is not None]


def _truth(r: Reading, nodes: list[x.Expr], place: Here) -> bool | None:
    try:
        return all(r.value(each, place) for each in nodes)
    except NoValue:
        return None


def _label(r: Reading, head: x.Head, place: Here) -> str:
    """`for f = Rathaus, d = 5`."""
    named = [f"{b.name} = {r.printed(place.env[b.slot], b.type)}" for b in head.binders]
    return f"for {', '.join(named)}"


def _some(r: Reading, node: x.Quantified, here: Here) -> Reason:
    nodes = _conditions(node.head) + ([node.value] if node.value is not None else [])
    places, more = _first(tuples(r, node.head, here), TUPLES)
    met = [place for place in places if _truth(r, nodes, place)]
    shown = met or places
    parts = [
        Reason(
            "all",
            "",
            node.span,
            bool(met),
            what="for",
            note=_label(r, node.head, place),
            parts=tuple(r.unfold(each, place) for each in nodes),
        )
        for place in shown[: 3 if met else UNFOLDED]
        if r.pieces > 0
    ]
    domain = " or ".join(f"`{r.source(each.source.span)}`" for each in node.head.binders)
    if met:
        note = f"{len(met)}{'+' if more else ''} of {len(places)}"
        found = r.joined("any", node, here, parts, note)
        if len(met) > 3:  # those that are not unfolded would have to fail as well
            return _as_leaf(found, Change(f"`{found.source}` must not hold", here.address, node.span))
        return found
    if places:
        return r.joined("any", node, here, parts, f"none of {len(places)}{'+' if more else ''}")
    change = Change(f"something in {domain}", here.address, node.span)
    return _as_leaf(r.joined("any", node, here, [], f"there is nothing in {domain}"), change)


def _as_leaf(reason: Reason, change: Change) -> Reason:
    """A reason whose shown parts are not all that make it up."""
    return Reason(
        "leaf",
        reason.source,
        reason.span,
        reason.holds,
        reason.value,
        note=reason.note,
        parts=reason.parts,
        change=change,
    )


def _every(r: Reading, node: x.Quantified, here: Here) -> Reason:
    assert node.value is not None
    nodes, claim = _conditions(node.head), node.value
    places, more = _first(tuples(r, node.head, here), TUPLES)
    asked = [place for place in places if _truth(r, nodes, place)]
    against = [place for place in asked if _truth(r, [claim], place) is not True]
    parts = [
        Reason(
            "same",
            "",
            node.span,
            False,
            what="for",
            note=_label(r, node.head, place),
            parts=(r.unfold(claim, place),),
        )
        for place in against[:UNFOLDED]
        if r.pieces > 0
    ]
    if not against:
        note = f"for all {len(asked)}" if asked else "there is nothing to ask it of"
        found = r.joined("all", node, here, [], note)
        change = Change(f"`{found.source}` must not hold", here.address, node.span)
        return _as_leaf(found, change)
    note = f"not for {len(against)}{'+' if more else ''} of {len(asked)}"
    if len(against) > len(parts):
        found = r.joined("all", node, here, parts, note)
        return _as_leaf(found, Change(f"`{found.source}` must hold ({note})", here.address, node.span, len(against)))
    return r.joined("all", node, here, parts, note)


def _fold(r: Reading, node: x.Quantified, here: Here) -> Reason:
    """What is counted, or adds up."""
    nodes = _conditions(node.head)
    places, _ = _first(tuples(r, node.head, here), TUPLES)
    met = [place for place in places if _truth(r, nodes, place)]
    parts = []
    for place in met[:LISTED]:
        label = _label(r, node.head, place)
        if node.value is None:
            parts.append(Reason("value", "", node.span, None, what="for", note=label))
        else:
            told = r.shown(node.value, place)
            parts.append(Reason("value", "", node.span, None, told, what="for", note=label))
    note = f"{len(met)} of {len(places)}" if nodes else f"{len(met)} in all"
    return r.leaf(node, here, tuple(parts), note if not met or len(met) > LISTED else "")


def _first(found: Iterator[Here], most: int) -> tuple[list[Here], bool]:
    """The first so many, and whether there are more."""
    places: list[Here] = []
    for place in found:
        if len(places) >= most:
            return places, True
        places.append(place)
    return places, False


@unfolds(x.Filter)
def _filter(r: Reading, node: x.Filter, here: Here) -> Reason:
    return r.leaf(node, here, r.sides(here, node.collection))


__all__ = ["tuples"]
