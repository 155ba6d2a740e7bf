"""Built-in events: what rules see of them, and what follows when a track overflows.

A statement that no rule looks at, and whose overflow asks nobody, stays one operation. Else it is lowered here: the
event enters the history, rules before it run, it happens, tracks that overflowed have their say, rules after it run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.concern import concerned
from regelwerk.dsl.model.types import (
    BOOL,
    PLAYER,
    IntType,
    ListType,
    PlayerType,
    SetType,
    TallyType,
    ThingType,
    Type,
    member_of,
    strip,
)
from regelwerk.dsl.source import Span
from regelwerk.interpreter import ir
from regelwerk.interpreter.evaluation.moving import by_place

if TYPE_CHECKING:
    from regelwerk.interpreter.lowering import Body

WHAT = TallyType(None)
Spills = list[tuple[int, g.TrackSymbol, int]]
"""Tracks that may overflow with a decision or chance: number of the unit, track, slot of what went over."""


def lower(body: Body, node: t.Stmt) -> None:
    """A simple statement that rules react to, or whose overflow asks somebody."""
    if isinstance(node, t.Gain | t.Lose):
        _amount(body, node)
    elif isinstance(node, t.Transfer):
        _transfer(body, node)
    else:
        assert isinstance(node, t.Move)
        _move(body, node)


def looked_at(symbol: g.VerbSymbol) -> bool:
    """Whether a rule or a question about the past asks what a built-in event was about."""
    return any(role.bindings for role in symbol.roles) or any(question.keys for question in symbol.questions)


def of_kind(roles: list[g.Role], when: str, kind: Type | None) -> list[g.Role]:
    """The rules before or after an event: those that look at things of this type, or (None) at none."""
    return [role for role in roles if role.kind == when and role.about == kind]


# ------------------------------------------------------------------------------------------------------------ amounts
def _amount(body: Body, node: t.Gain | t.Lose) -> None:
    span, amount, me = node.span, node.amount, node.me
    verb = body.lowering.game.verbs["gain" if isinstance(node, t.Gain) else "lose"]
    spills = _spills(body, amount) if isinstance(node, t.Gain) else []
    if spills:
        me = _fixed(body, "gainer", me, span)
    roles = concerned(verb.roles, node, body.lowering.game.units)
    what: int | None = None
    if any(role.bindings for role in roles) or any(question.keys for question in verb.questions):
        asked, what = body.slot("asked", WHAT), body.slot("what", WHAT)
        body.add(ir.AskedFor(span, type(node)(span, me, amount, None), asked, what))
        amount = t.Amount([], [x.Local(WHAT, span, asked)])
    slots = [what] if what is not None else []
    if verb.questions:
        body.add(ir.RecordVerb(span, me, verb.questions, what, None))
    body.roles([role for role in roles if role.kind == "before"], slots, span, False, me)
    happening = type(node)(span, me, amount, node.reason)
    body.add(ir.Perform(span, happening, what, [(unit, slot) for unit, _, slot in spills]))
    writes = body.colours.writes(happening) if what is None else body.colours.amount_writes(node.amount)
    body.settle(body.colours.touched(writes), span)
    _overflow(body, spills, me, span)
    body.roles([role for role in roles if role.kind == "after"], slots, span, False, me)


def _transfer(body: Body, node: t.Transfer) -> None:
    """Points that are given may overflow."""
    span = node.span
    spills: Spills = []
    receiver = node.receiver
    if isinstance(strip(receiver.type), PlayerType):  # the bank and things have no points
        spills, receiver = _spills(body, node.amount), _fixed(body, "receiver", receiver, span)
    given = t.Transfer(span, node.giver, receiver, node.amount)
    body.add(ir.Perform(span, given, None, [(unit, slot) for unit, _, slot in spills]))
    body.settle(body.colours.touched(body.colours.writes(given)), span)
    _overflow(body, spills, receiver, span)


def _fixed(body: Body, name: str, player: x.Expr, span: Span) -> x.Expr:
    """A player, found once."""
    slot = body.slot(name, PLAYER)
    body.add(ir.SetLocal(span, slot, player))
    return x.Local(PLAYER, span, slot)


def _spills(body: Body, amount: t.Amount) -> Spills:
    tracks = body.colours.spilling(amount)
    units = body.lowering.game.units
    return [(units.index(g.Unit(track)), track, body.slot("excess", g.Unit(track).type)) for track in tracks]


def _overflow(body: Body, spills: Spills, player: x.Expr, span: Span) -> None:
    for _, track, slot in spills:
        kind = g.Unit(track).type
        over, then = body.proc.block(), body.proc.block()
        excess = x.Local(kind, span, slot)
        body.finish(ir.Branch(span, x.Ordered(BOOL, span, ">", excess, x.Const(IntType(0, 0), span, 0)), over, then))
        body.block = over
        body.call(body.lowering.overflow(track), [player, excess], span)
        body.finish(ir.Jump(span, then))
        body.block = then


# ------------------------------------------------------------------------------------------------------------- things
def _kind(things: x.Expr) -> ThingType:
    kind = strip(member_of(things.type) or things.type)
    assert isinstance(kind, ThingType)
    return kind


def _collected(body: Body, things: x.Expr, span: Span) -> x.Local:
    """The things of an event, found once."""
    kind = ListType(_kind(things), ((_kind(things),),))
    slot = body.slot("things", kind)
    body.add(ir.CollectThings(span, things, slot))
    return x.Local(kind, span, slot)


def _for_each(body: Body, roles: list[g.Role], things: x.Local, me: x.Expr, span: Span) -> None:
    """Rules that look at a thing run for each of them."""
    if not roles:
        return
    index, one = body.counter(span), body.slot("thing", _kind(things))
    head, then = body.loop(span, ir.MoreInList(things.slot, index))
    body.add(ir.NextInList(span, one, things.slot, index))
    body.roles(roles, [one], span, False, me)
    body.finish(ir.Jump(span, head))
    body.block = then


def _move(body: Body, node: t.Move) -> None:
    span, verb = node.span, body.lowering.game.verbs["move"]
    looking = looked_at(verb)
    if looking:
        body.settle_tops(node)
    things: x.Expr = _collected(body, node.things, span) if looking else node.things
    if verb.questions:
        body.add(ir.RecordVerb(span, node.me, verb.questions, None, things if looking else None))
    for when in ("before", "after"):
        body.roles(of_kind(verb.roles, when, None), [], span, False, node.me)
        if isinstance(things, x.Local) and looking:
            _for_each(body, of_kind(verb.roles, when, _kind(things)), things, node.me, span)
        if when == "before":
            if not looking:
                body.settle_tops(node)
            moving = node
            if looking and not by_place(node.things):
                moving = t.Move(span, node.me, things, node.zone, node.at_bottom)
                if node in body.lowering.blind_moves:
                    body.lowering.blind_moves.add(moving)
            body.add(ir.Perform(span, moving, None, []))
            body.show_tops(node)
            body.settle(body.colours.touched(body.colours.writes(moving)), span)


def roll(body: Body, node: t.Roll) -> None:
    """Rolling dice: rules see the set of them."""
    span, verb = node.span, body.lowering.game.verbs["roll"]
    slots: list[int] = []
    dice = node.dice
    looking = looked_at(verb)
    if looking:
        dice = _collected(body, dice, span)
        together = SetType(_kind(dice))
        slots = [body.slot("dice", together)]
        body.add(ir.SetLocal(span, slots[0], x.ToSet(together, span, dice)))
    if verb.questions:
        body.add(ir.RecordVerb(span, node.me, verb.questions, None, dice if looking else None))
    seen = [role for role in verb.roles if role.about in (None, _kind(dice))]
    body.roles([role for role in seen if role.kind == "before"], slots, span, False, node.me)
    then = body.proc.block()
    body.finish(ir.RollEnd(span, t.Roll(span, node.me, dice), then))
    body.block = then
    body.settle(body.colours.touched(body.colours.writes(node)), span)
    body.roles([role for role in seen if role.kind == "after"], slots, span, False, node.me)


def draw(body: Body, node: t.Draw) -> None:
    """Drawing, one by one: rules that look at what is drawn run after each."""
    span, verb = node.span, body.lowering.game.verbs["draw"]
    count_type, none = IntType(0, 32767), x.Const(IntType(0, 0), node.span, 0)
    count = body.slot("to_draw", count_type)
    body.add(ir.SetLocal(span, count, node.amount))
    left = x.Local(count_type, span, count)
    some = x.Ordered(BOOL, span, ">", x.ZoneCount(IntType(0, 4096), span, node.source), none)
    more = x.Both(BOOL, span, x.Ordered(BOOL, span, ">", left, none), some)
    plain = [question for question in verb.questions if not question.keys]
    keyed = [question for question in verb.questions if question.keys]
    if plain:
        body.add(ir.RecordVerb(span, node.me, plain, None, None))
    body.roles(of_kind(verb.roles, "before", None), [], span, False, node.me)
    head, then = body.loop(span, more)
    body.add(ir.SetLocal(span, count, x.Arithmetic(count_type, span, "-", left, x.Const(IntType(1, 1), span, 1))))
    kind = member_of(node.source.type)
    assert isinstance(kind, ThingType)
    watching = of_kind(verb.roles, "after", kind)
    drawn = body.slot("drawn", kind) if watching or keyed else None
    after = body.proc.block()
    body.finish(ir.DrawEnd(span, node, after, drawn))
    body.block = after
    if keyed and drawn is not None:
        body.add(ir.RecordVerb(span, node.me, keyed, None, x.Local(kind, span, drawn)))
    body.show_tops(node)
    body.settle(body.colours.touched(body.colours.writes(node)), span)
    if drawn is not None:
        body.roles(watching, [drawn], span, False, node.me)
    body.finish(ir.Jump(span, head))
    body.block = then
    body.roles(of_kind(verb.roles, "after", None), [], span, False, node.me)
