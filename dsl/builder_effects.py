"""Nodes of statements and of rules about named things.

Each function makes the node of one production of the grammar, when the parsing machine reduces it (see `builder`).
"""

from __future__ import annotations

from typing import Any

from regelwerk.dsl.builder import Builder, Group, Names, Part, Parts, builds
from regelwerk.dsl.lexing import Token
from regelwerk.dsl.source import Span
from regelwerk.dsl.syntax import effects as syntax
from regelwerk.dsl.syntax import rules
from regelwerk.dsl.syntax.base import Expression, Path, Statement, Text
from regelwerk.dsl.syntax.effects import Block
from regelwerk.dsl.syntax.expressions import Binder, Head


# ------------------------------------------------------------------------------------------------------------ amounts
@builds("gain")
def _gain(b: Builder, parts: Parts, span: Span) -> Statement:
    return syntax.Gain(span=span, amount=parts.take(Expression), reason=b.text_of(parts))


@builds("lose")
def _lose(b: Builder, parts: Parts, span: Span) -> Statement:
    return syntax.Lose(span=span, amount=parts.take(Expression), reason=b.text_of(parts))


@builds("pay")
def _pay(b: Builder, parts: Parts, span: Span) -> Statement:
    return syntax.Pay(span=span, amount=parts.take(Expression), purchase=parts.maybe(Statement))


@builds("give")
def _give(b: Builder, parts: Parts, span: Span) -> Statement:
    return syntax.Give(
        span=span, amount=parts.take(Expression), receiver=parts.take(Expression), giver=parts.maybe(Expression)
    )


@builds("take")
def _take(b: Builder, parts: Parts, span: Span) -> Statement:
    return syntax.Take(span=span, amount=parts.take(Expression), giver=parts.take(Expression))


# ------------------------------------------------------------------------------------------------------------- things
@builds("at_bottom")
def _at_bottom(b: Builder, parts: Parts, span: Span) -> Part:
    return Part("at_bottom", None, span)


@builds("move")
def _move(b: Builder, parts: Parts, span: Span) -> Statement:
    things, zone = parts.take(Expression), parts.take(Expression)
    return syntax.Move(span=span, things=things, zone=zone, at_bottom=parts.part("at_bottom") is not None)


@builds("draw")
def _draw(b: Builder, parts: Parts, span: Span) -> Statement:
    return syntax.Draw(
        span=span, amount=parts.take(Expression), source=parts.take(Expression), zone=parts.take(Expression)
    )


@builds("shuffle")
def _shuffle(b: Builder, parts: Parts, span: Span) -> Statement:
    return syntax.Shuffle(span=span, things=parts.take(Expression), into=parts.maybe(Expression))


@builds("roll")
def _roll(b: Builder, parts: Parts, span: Span) -> Statement:
    return syntax.Roll(span=span, dice=parts.take(Expression))


@builds("reveal")
def _reveal(b: Builder, parts: Parts, span: Span) -> Statement:
    return syntax.Reveal(span=span, things=parts.take(Expression), viewer=parts.take(Expression))


@builds("set")
def _set(b: Builder, parts: Parts, span: Span) -> Statement:
    return syntax.Set(span=span, target=parts.take(Expression), value=parts.take(Expression))


@builds("let")
def _let(b: Builder, parts: Parts, span: Span) -> Statement:
    return syntax.Let(span=span, name=b.declared(parts), value=parts.take(Expression))


@builds("pin")
def _pin(b: Builder, parts: Parts, span: Span) -> Statement:
    return syntax.Pin(span=span, target=parts.take(Expression), value=parts.take(Expression))


# ------------------------------------------------------------------------------------------------------------ choices
@builds("do")
def _do(b: Builder, parts: Parts, span: Span) -> Statement:
    return syntax.Do(span=span, call=parts.take(Expression))


@builds("may")
def _may(b: Builder, parts: Parts, span: Span) -> Statement:
    return syntax.May(span=span, body=parts.take(Statement))


@builds("either")
def _either(b: Builder, parts: Parts, span: Span) -> Statement:
    return syntax.Either(span=span, alternatives=tuple(parts.all(Statement)))


@builds("labelled")
def _labelled(b: Builder, parts: Parts, span: Span) -> syntax.Labelled:
    label = b.make_text(parts.take(Token))
    return syntax.Labelled(span=span, label=label, condition=parts.maybe(Expression), body=parts.take(Block))


@builds("one_of")
def _one_of(b: Builder, parts: Parts, span: Span) -> Statement:
    return syntax.ChooseOptions(span=span, options=tuple(parts.all(syntax.Labelled)))


@builds("any_order")
def _any_order(b: Builder, parts: Parts, span: Span) -> Statement:
    options = tuple(parts.all(syntax.Labelled))
    return syntax.ChooseOptions(
        span=span, options=options, lowest=len(options), highest=len(options), in_any_order=True
    )


@builds("up_to_int")
def _up_to(b: Builder, parts: Parts, span: Span) -> Part:
    return Part("up_to_int", int(parts.take(Token).text), span)


@builds("choose_of")
def _choose_of(b: Builder, parts: Parts, span: Span) -> Statement:
    limit = parts.part("up_to_int")
    highest = limit.value if limit is not None else int(parts.take(Token).text)
    lowest = 0 if limit is not None else highest
    return syntax.ChooseOptions(span=span, options=tuple(parts.all(syntax.Labelled)), lowest=lowest, highest=highest)


@builds("again_done")
def _again_done(b: Builder, parts: Parts, span: Span) -> Part:
    text = b.text_of(parts) or Text(span=span, raw="done", tail="done")
    return Part("again_done", (text, parts.maybe(Expression)), span)


@builds("again")
def _again(b: Builder, parts: Parts, span: Span) -> syntax.Again:
    at_most = parts.maybe(Expression)
    done = parts.part("again_done")
    text, condition = done.value if done is not None else (None, None)
    return syntax.Again(span=span, at_most=at_most, done=text, done_when=condition)


@builds("choose")
def _choose(b: Builder, parts: Parts, span: Span) -> syntax.Choose:
    return syntax.Choose(
        span=span,
        head=parts.take(Head),
        prompt=b.text_of(parts),
        again=parts.maybe(syntax.Again),
        body=parts.maybe(Block),
    )


@builds("may_choose")
def _may_choose(b: Builder, parts: Parts, span: Span) -> Statement:
    chosen = parts.take(syntax.Choose)
    return syntax.Choose(
        span=span, head=chosen.head, prompt=chosen.prompt, again=chosen.again, body=chosen.body, optional=True
    )


@builds("random")
def _random(b: Builder, parts: Parts, span: Span) -> Statement:
    return syntax.Random(span=span, binder=parts.take(Binder), body=parts.maybe(Block))


# ------------------------------------------------------------------------------------------------------------- control
@builds("if_stmt")
def _if(b: Builder, parts: Parts, span: Span) -> Statement:
    return syntax.If(
        span=span, condition=parts.take(Expression), consequence=parts.take(Block), otherwise=parts.maybe(Statement)
    )


@builds("for_stmt")
def _for(b: Builder, parts: Parts, span: Span) -> Statement:
    return syntax.For(span=span, head=parts.take(Head), body=parts.take(Block))


@builds("everyone")
def _everyone(b: Builder, parts: Parts, span: Span) -> Statement:
    return syntax.Everyone(span=span, players=parts.maybe(Expression), body=parts.take(Block))


@builds("acting")
def _acting(b: Builder, parts: Parts, span: Span) -> Statement:
    return syntax.Acting(span=span, player=parts.take(Expression), body=parts.take(Block))


@builds("repeat")
def _repeat(b: Builder, parts: Parts, span: Span) -> Statement:
    return syntax.Repeat(
        span=span, at_most=parts.take(Expression), condition=parts.maybe(Expression), body=parts.take(Block)
    )


@builds("part")
def _step(b: Builder, parts: Parts, span: Span) -> Statement:
    return syntax.Step(span=span, name=b.declared(parts), body=parts.take(Block))


@builds("as_one")
def _as_one(b: Builder, parts: Parts, span: Span) -> Statement:
    return syntax.AsOne(span=span, body=parts.take(Block))


@builds("nothing")
def _nothing(b: Builder, parts: Parts, span: Span) -> Statement:
    return syntax.Nothing(span=span)


@builds("require")
def _require(b: Builder, parts: Parts, span: Span) -> Statement:
    return syntax.Require(
        span=span,
        name=b.declared(parts),
        condition=parts.take(Expression),
        otherwise=b.text_of(parts),
        citations=parts.cites(),
    )


@builds("until_done")
def _until_done(b: Builder, parts: Parts, span: Span) -> Part:
    return Part("until_done", b.text_of(parts), span)


@builds("until")
def _until(b: Builder, parts: Parts, span: Span) -> Part:
    return parts.part("until_done") or Part("until", parts.take(Names), span)


@builds("or_pass")
def _or_pass(b: Builder, parts: Parts, span: Span) -> Part:
    return Part("or_pass", b.text_of(parts), span)


@builds("offer")
def _offer(b: Builder, parts: Parts, span: Span) -> Statement:
    actions = tuple(parts.take(Names))
    more = parts.maybe(Part)
    kind: str = more.kind if more is not None else ""
    value: Any = more.value if more is not None else None
    return syntax.Offer(
        span=span,
        actions=actions,
        passing=kind == "or_pass",
        passing_text=value if kind == "or_pass" else None,
        until_actions=tuple(value) if kind == "until" else (),
        until_done=kind == "until_done",
        done_text=value if kind == "until_done" else None,
    )


# --------------------------------------------------------------------------------------------- rules about named things
@builds("aim")
def _aim(b: Builder, parts: Parts, span: Span) -> rules.Aim:
    path = parts.take(Path)
    names = parts.maybe(Names)
    return rules.Aim(span=span, path=path, parameters=tuple(names) if names is not None else None)


@builds("target")
def _target(b: Builder, parts: Parts, span: Span) -> Group:
    return Group(parts.all(rules.Aim))


@builds("guard_while")
def _guard(b: Builder, parts: Parts, span: Span) -> Part:
    return Part("guard", parts.take(Expression), span)


@builds("by_anyone")
def _by_anyone(b: Builder, parts: Parts, span: Span) -> Part:
    return Part("by_anyone", None, span)


def _aimed(parts: Parts) -> dict[str, Any]:
    targets = tuple(parts.take(Group))
    guards: list[Expression] = []
    by_anyone = False
    while (part := parts.part("guard", "by_anyone")) is not None:
        if part.kind == "guard":
            guards.append(part.value)
        else:
            by_anyone = True
    return {"targets": targets, "guards": tuple(guards), "by_anyone": by_anyone}


def _reaction(production: str, when: Any) -> None:
    @builds(production)
    def make(b: Builder, parts: Parts, span: Span) -> rules.Role:
        return rules.Reaction(span=span, when=when, **_aimed(parts), body=parts.take(Block))


for _when in ("before", "after", "instead"):
    _reaction(_when, _when)


@builds("modify")
def _modify(b: Builder, parts: Parts, span: Span) -> rules.Role:
    aimed = _aimed(parts)
    change = parts.take(Part)
    kind: Any = change.kind
    return rules.Modify(span=span, **aimed, change=kind, value=change.value)


def _change_of(production: str) -> None:
    @builds(production)
    def make(b: Builder, parts: Parts, span: Span) -> Part:
        return Part(production, parts.take(Expression), span)


for _production in ("becomes", "plus", "minus", "at_least", "at_most", "also"):
    _change_of(_production)


@builds("forbid")
def _forbid(b: Builder, parts: Parts, span: Span) -> rules.Role:
    return rules.Forbid(span=span, **_aimed(parts), reason=b.make_text(parts.take(Token)))


@builds("waive")
def _waive(b: Builder, parts: Parts, span: Span) -> rules.Role:
    return rules.Waive(span=span, **_aimed(parts))
