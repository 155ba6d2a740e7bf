"""Words for statements about what happens when: conditions, loops, choices, offers, procedures."""

from __future__ import annotations

import re
from collections.abc import Sequence

from regelwerk.dsl.checker.can import can
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import BoolType, IntType, Type, strip
from regelwerk.tools.rulebook import english as en
from regelwerk.tools.rulebook import naming, picking
from regelwerk.tools.rulebook.amounts import amount, countable, each_counted
from regelwerk.tools.rulebook.asking import prompt_of
from regelwerk.tools.rulebook.computing import constant
from regelwerk.tools.rulebook.doing import INLINE, body_lines, does, small, steps, under
from regelwerk.tools.rulebook.english import YOU, Phrase
from regelwerk.tools.rulebook.markup import plain
from regelwerk.tools.rulebook.wording import Line, Words, lines_for, replaced


def with_arguments(
    w: Words,
    parameters: Sequence[tuple[str, Type]],
    arguments: Sequence[x.Expr],
    defaults: Sequence[x.Expr | None] = (),
) -> str:
    """What a named effect is done with; what is as it is by default is not said."""
    found = []
    usual = [*([None] * (len(arguments) - len(defaults))), *defaults]
    for (name, _), each, default in zip(parameters, arguments, usual, strict=False):
        if isinstance(default, x.Const) and isinstance(each, x.Const) and default.value == each.value:
            continue
        text = w.text(each)
        kind = strip(each.type)
        if isinstance(kind, IntType | BoolType) and len(name) > 1 and plain(text) != en.lowered(name):
            text = f"{en.lowered(name)}: {text}"
        found.append(text)
    return f" ({'; '.join(found)})" if found else ""


@lines_for(t.Do)
def _do(w: Words, node: t.Do) -> list[Line]:
    symbol = node.symbol
    short = inlined(symbol)
    if short is not None and len(node.arguments) == len(symbol.slots):
        known = {slot: w.noun(each) for slot, each in zip(symbol.slots, node.arguments, strict=True)}
        me = w.noun(node.me) if not (isinstance(node.me, x.Const) and node.me.value == 0) else YOU
        with w.within(symbol.frame, {**known, 0: me}):
            return w.lines(short)
    name = naming.called(symbol, en.capital(en.lowered(symbol.name)))
    given = with_arguments(w, symbol.parameters, node.arguments, symbol.defaults)
    who = w.noun(node.me) if not (isinstance(node.me, x.Const) and node.me.value == 0) else YOU
    lead = "" if who.you else f"{who}: "
    return [Line(en.sentence(f"{lead}{name}{given}"))]


def inlined(symbol: g.EffectSymbol) -> t.Stmt | None:
    """The body of an effect that says its only, simple instruction itself; rules must not hang on it."""
    if symbol.roles or symbol.requirements or symbol.questions:
        return None
    body = symbol.body
    while isinstance(body, t.Sequence | t.AsOne):
        if isinstance(body, t.AsOne):
            body = body.body
            continue
        if len(body.statements) != 1:
            return None
        body = body.statements[0]
    simple = t.Gain | t.Lose | t.Pay | t.Move | t.Draw | t.Roll | t.SetState | t.Shuffle | t.SetFace
    return body if isinstance(body, simple) else None


@lines_for(t.DoCell)
def _do_cell(w: Words, node: t.DoCell) -> list[Line]:
    column = node.column
    given = with_arguments(w, column.parameters, node.arguments)
    effects = [each for each in column.entity.columns.values() if each.kind == "effect"]
    name = naming.called(column, "the effect" if len(effects) == 1 else f"“{en.lowered(column.name)}”")
    return w.sentence_lines(f"carry out {name} of {w.text(node.thing)}{given}")


@lines_for(t.If)
def _if(w: Words, node: t.If) -> list[Line]:
    if node.must_hold:
        return _pay_to(w, node)
    with w.inner():
        found = body_lines(w, f"if {w.clause(node.condition)}", node.consequence, ", ")
    if node.alternative is not None:
        with w.inner():
            inner = w.lines(node.alternative)
        if isinstance(_only(node.alternative), t.If) and inner and plain(inner[0].text).startswith("If "):
            first = inner[0].text
            found += [Line(f"Otherwise, if {first[3:]}", inner[0].below), *inner[1:]]
        elif inner:
            found += under("otherwise", inner)
    return found


def _only(node: t.Stmt) -> t.Stmt:
    while isinstance(node, t.Sequence) and len(node.statements) == 1:
        node = node.statements[0]
    return node


def _pay_to(w: Words, node: t.If) -> list[Line]:
    body = node.consequence
    inner = list(body.statements) if isinstance(body, t.Sequence) else [body]
    if inner and isinstance(inner[0], t.Pay):
        price = does(w, inner[0].me, "pay", amount(w, inner[0].amount))
        rest = steps(w, inner[1:])
        return under(f"{price} to do this, or nothing happens", rest)
    return body_lines(w, "if it can be done", body)


@lines_for(t.ForEach)
def _for_each(w: Words, node: t.ForEach) -> list[Line]:
    with w.inner():
        heading = f"for {picking.each_of(w, node.head)}"
        return body_lines(w, heading, node.body)


@lines_for(t.Everyone)
def _everyone(w: Words, node: t.Everyone) -> list[Line]:
    with w.inner():
        if node.players is None:
            noun, behind, order = "player", "", ""
        elif isinstance(node.players, x.Call) and node.players.symbol.name in ("clockwise", "counterclockwise"):
            noun, behind, order = "player", "", f", {w.text(node.players).removeprefix('all players ')}"
        else:
            noun, behind = picking.element(w, node.players, False)
            order = ""
        body = _only(node.body)
        simple = isinstance(body, t.Gain | t.Lose | t.Pay | t.Draw | t.Move)
        if simple and not order:
            mark = w.marked(node.slot, long=bool(behind))
            said = w.lines(body)
            if len(said) == 1 and not said[0].below and said[0].text.startswith(mark):
                return [Line(replaced(said[0].text, mark, f"Each {noun}{behind}", "that player"))]
        w.known[node.slot] = YOU
        return body_lines(w, f"each {noun}{behind}{order}", node.body)


@lines_for(t.Acting)
def _acting(w: Words, node: t.Acting) -> list[Line]:
    with w.inner():
        who = w.noun(node.player)
        body = _only(node.body)
        if isinstance(body, t.Gain | t.Lose | t.Pay) or who.you:
            w.known[node.slot] = who
            return w.lines(node.body)
        w.known[node.slot] = YOU
        return body_lines(w, f"{who} (“you” in what follows)", node.body)


@lines_for(t.Repeat)
def _repeat(w: Words, node: t.Repeat) -> list[Line]:
    heading = f"repeat at most {times(w, node.at_most)}"
    if node.condition is not None:
        heading = f"as long as {w.clause(node.condition)} (at most {times(w, node.at_most)})"
    return body_lines(w, heading, node.body)


def times(w: Words, node: x.Expr) -> str:
    """How often something is done: `once`, `3 times`, `once for each card in the deck`."""
    if countable(node):
        return f"once for each {each_counted(w, node)}"
    return {1: "once", 2: "twice"}.get(constant(node) or 0, f"{w.text(node)} times")


@lines_for(t.Choose)
def _choose(w: Words, node: t.Choose) -> list[Line]:
    with w.inner():
        for binder, slot in node.kept:
            noun = naming.noun(binder.type)
            w.known[slot] = Phrase(f"the {noun.many} chosen so far", True, long=True)
        picks = picking.choices(w, node.head)
        who = w.noun(node.me)
        verb = "may choose" if node.optional else "choose"
        if node.again and node.done is not None and node.done_when is None:
            verb = "may choose"
        lead = (
            f"you {verb}"
            if who.you and verb == "may choose"
            else verb
            if who.you
            else f"{who} {'may choose' if verb == 'may choose' else 'chooses'}"
        )
        text = f"{lead} {_picks(picks)}"
        if node.prompt is not None:
            text += f" ({w.quoted(node.prompt)})"
        found = body_lines(w, text, node.body) if _has_body(node.body) else w.sentence_lines(text)
        if node.again:
            found[-1 if len(found) == 1 else 0].below += _again(w, node)
        return found


def _picks(picks: list[str]) -> str:
    return en.listed(picks) if len(picks) < 2 or not any("," in each for each in picks) else "; and ".join(picks)


def _has_body(body: t.Stmt) -> bool:
    return not (isinstance(body, t.Sequence) and not body.statements)


def _again(w: Words, node: t.Choose) -> list[Line]:
    limit = f", at most {times(w, node.at_most)} in all" if node.at_most is not None else ""
    if node.done is None:
        return w.sentence_lines(f"go on in the same way as long as you can{limit}")
    when = f", once {w.clause(node.done_when)}" if node.done_when is not None else ""
    return w.sentence_lines(f"you may do this again and again{limit}; you may stop at any time{when}")


@lines_for(t.RandomPick)
def _random(w: Words, node: t.RandomPick) -> list[Line]:
    with w.inner():
        text = picking.choice(w, node.binder)
        heading = f"{text} is drawn at random"
        return body_lines(w, heading, node.body) if _has_body(node.body) else w.sentence_lines(heading)


@lines_for(t.Alternatives)
def _alternatives(w: Words, node: t.Alternatives) -> list[Line]:
    ways = []
    for each in node.ways:
        with w.inner():
            inner = w.lines(each.body)
            when = _when(each)
            label = _label(w, each)
            condition = f", if {w.clause(when)}" if when is not None else ""
        if label or condition:
            ways += under(f"{label or 'this'}{condition}", inner)
        elif len(inner) == 1:
            ways += inner
        else:
            ways.append(Line("All of this:", inner))
    who = w.noun(node.me)
    total = len(node.ways)
    if total == 1 and node.may:
        inner = w.lines(node.ways[0].body)
        lead = "you may do this" if who.you else f"{who} may do this"
        if len(inner) == 1 and not inner[0].below:
            return (
                [Line(en.sentence(f"{'you' if who.you else who} may {small(inner[0].text)}"))]
                if small(inner[0].text) != inner[0].text
                else under(lead, inner)
            )
        return [Line(en.capital(f"{lead}:"), inner)]
    if node.lowest == node.highest == total:
        how = "do all of these, in any order"
    elif node.lowest == node.highest == 1:
        how = "choose one of these"
    elif node.lowest == node.highest:
        how = f"choose {en.number(node.lowest)} of these"
    else:
        how = f"choose up to {en.number(node.highest)} of these"
    if node.may:
        how = f"you may {how}"
    if all(not each.below for each in ways) and len(ways) == 2 and how.endswith("one of these"):
        first, second = (small(each.text).rstrip(".") for each in ways)
        if len(plain(first + second)) < INLINE:
            lead = "you may either" if node.may else "either"
            return (
                [Line(en.sentence(f"{lead} {first}, or {second}"))]
                if node.may
                else [Line(en.sentence(f"{first}, or {second}"))]
            )
    return [Line(en.capital(f"{how}:"), ways)]


_LABELLED = re.compile(r'option\s*"([^"{]*)[^"]*"[^"{}]*:\s*$')


def _label(w: Words, way: t.Alternative) -> str:
    """A label that the author wrote; a way between `or`s has none of its own."""
    source = w.game.sources.get(way.body.span.source)
    if source is not None:
        before = _LABELLED.search(source.text[: way.body.span.start])
        first = way.label.parts[0] if way.label.parts else ""
        if before is None or not (isinstance(first, str) and first.startswith(before[1])):
            return ""
    return f"“{w.template(way.label)}”"


def _when(way: t.Alternative) -> x.Expr | None:
    """The condition that the author wrote, without the question whether it can begin."""
    condition = way.condition
    if not isinstance(condition, x.Both):
        return None
    begins = can(way.body)
    same = type(condition.right) is type(begins) and condition.right.span == begins.span
    return condition.left if same else None


@lines_for(t.Offer)
def _offer(w: Words, node: t.Offer) -> list[Line]:
    names = [naming.called(each, f"“{prompt_of(w, each)}”") for each in node.actions]
    who = w.noun(node.me) if not (isinstance(node.me, x.Const) and node.me.value == 0) else YOU
    lead = "" if who.you else f"{who}: "
    until = [naming.called(each, f"“{prompt_of(w, each)}”") for each in node.until]
    if node.until_done is not None:
        text = f"{lead}do any of these, as often as you like and in any order, until you {_stop(w, node.until_done)}"
    elif until and len(until) < len(names):
        text = f"{lead}do one of these, again and again, until you have done {en.listed(until, 'or')}"
    elif until:
        text = f"{lead}do one of these"
    else:
        text = f"{lead}do one of these" if len(names) > 1 else f"{lead}do {names[0]}"
    if node.passing is not None:
        text = f"{lead}you may do {'one of these' if len(names) > 1 else names[0]}, or “{w.template(node.passing)}”"
    if len(names) == 1:
        return w.sentence_lines(
            text.replace("do one of these", f"do {names[0]}").replace("do any of these", f"do {names[0]}")
        )
    return [Line(en.capital(f"{text}:"), [Line(each) for each in names])]


def _stop(w: Words, template: x.Template) -> str:
    text = w.template(template)
    return "are done" if text in ("done", "Done") else f"choose “{text}”"


__all__ = ["times"]
