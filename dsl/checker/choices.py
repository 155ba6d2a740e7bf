"""Choices: of things, of ways, by nature, and what is offered."""

from __future__ import annotations

from collections.abc import Callable

from regelwerk.dsl.checker import coercion as co
from regelwerk.dsl.checker import heads
from regelwerk.dsl.checker.can import can
from regelwerk.dsl.checker.context import Context, Scope
from regelwerk.dsl.checker.effects import OPEN, check_block, check_statement, handles, me_of
from regelwerk.dsl.checker.expressions import (
    check,
    check_condition,
    check_number,
    template,
)
from regelwerk.dsl.checker.picks import EarlierPicks
from regelwerk.dsl.checker.types import static_number
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import (
    BOOL,
    EnumType,
    IntType,
    SetType,
    TallyType,
)
from regelwerk.dsl.syntax import effects as s
from regelwerk.dsl.syntax import expressions as e
from regelwerk.dsl.syntax.base import Expression, Statement


def _choose(c: Context, node: s.Choose, inner: Scope, rest: Callable[[], t.Stmt] | None = None) -> t.Stmt:
    me = me_of(c, inner, node.span, "choose")
    again = node.again
    at_most = check_number(c, again.at_most, inner) if again is not None and again.at_most is not None else None
    earlier: EarlierPicks | None = None
    if again is not None:
        most = static_number(c, at_most) if at_most is not None else None
        earlier = EarlierPicks([each.name.text for each in node.head.binders], most)
        inner.chosen = earlier
    head = heads.check_head(c, node.head, inner)
    prompt = template(c, node.prompt, inner) if node.prompt is not None and not _mentions(node) else None
    if node.prompt is not None and prompt is None:
        c.error(
            "E0405",
            "the text of a choice cannot speak of what is only chosen by it",
            node.prompt.span,
            "speak of what is known before the choice",
        )
    done_when = None
    done: x.Template | None = None
    count_slot = 0
    if again is not None:
        count_slot = inner.frame.new("picks", IntType(0, 4096))
        done = template(c, again.done, inner) if again.done is not None else None
        done_when = check_condition(c, again.done_when, inner) if again.done_when is not None else None
    body = _body(c, node, inner, rest)
    address = inner.address or "choice"
    kept = []
    if earlier is not None:
        kept = [(b, earlier.found[b.name][0]) for b in head.binders if b.name in earlier.found]
    return t.Choose(
        node.span,
        me,
        head,
        prompt,
        node.optional,
        body,
        address,
        again is not None,
        at_most,
        count_slot,
        done,
        done_when,
        kept,
    )


def _mentions(node: s.Choose) -> bool:
    names = {binder.name.text for binder in node.head.binders}
    if node.prompt is None:
        return False

    def inside(value: object) -> bool:
        if isinstance(value, e.Name):
            return value.name.text in names or any(inside(a.value) for a in value.arguments or ())
        if isinstance(value, Expression):
            return any(inside(part) for part in value.__dict__.values())
        if isinstance(value, tuple):
            return any(inside(part) for part in value)
        return False

    return any(inside(hole.value) for hole in node.prompt.holes)


@handles(s.Choose)
def _choose_statement(c: Context, node: s.Choose, scope: Scope) -> t.Stmt:
    return _choose(c, node, scope.inner())


def _body(c: Context, node: s.Choose | s.Random, inner: Scope, rest: Callable[[], t.Stmt] | None) -> t.Stmt:
    """What happens with what was chosen: the statements that follow in the block, or a block of its own."""
    if rest is not None:
        return rest()
    return check_block(c, node.body, inner) if node.body is not None else t.Sequence(node.span, [])


def _random(c: Context, node: s.Random, inner: Scope, rest: Callable[[], t.Stmt] | None = None) -> t.Stmt:
    head = x.Head(heads.check_binders(c, node.binder, inner, single_only=True, weighted=True))
    body = _body(c, node, inner, rest)
    return t.RandomPick(node.span, head, body, inner.address)


@handles(s.Random)
def _random_statement(c: Context, node: s.Random, scope: Scope) -> t.Stmt:
    return _random(c, node, scope.inner())


def _labelled(c: Context, node: s.Labelled, scope: Scope) -> t.Alternative:
    test = check_condition(c, node.condition, scope) if node.condition is not None else None
    body = check_block(c, node.body, scope)
    begins = can(body)
    both = begins if test is None else x.Both(BOOL, node.span, test, begins)
    return t.Alternative(template(c, node.label, scope), both, body)


@handles(s.ChooseOptions)
def _choose_options(c: Context, node: s.ChooseOptions, scope: Scope, may: bool = False) -> t.Stmt:
    me = me_of(c, scope, node.span, "choose")
    ways = [_labelled(c, each, scope) for each in node.options]
    lowest, highest = (len(ways), len(ways)) if node.in_any_order else (node.lowest, node.highest)
    done_slot = scope.frame.new("taken", SetType(IntType(0, 30)))
    if len(ways) > 30:
        c.error("E0406", "a choice has at most 30 labelled options", node.span)
    return t.Alternatives(node.span, me, ways, lowest, highest, may, done_slot, scope.address)


@handles(s.Either)
def _either(c: Context, node: s.Either, scope: Scope, may: bool = False) -> t.Stmt:
    me = me_of(c, scope, node.span, "choose")
    ways = []
    for each in node.alternatives:
        body = check_statement(c, each, scope.inner()) or t.Sequence(each.span, [])
        ways.append(t.Alternative(describe(c, each, scope), can(body), body))
    return t.Alternatives(
        node.span, me, ways, 1, 1, may, scope.frame.new("taken", SetType(IntType(0, 30))), scope.address
    )


@handles(s.May)
def _may(c: Context, node: s.May, scope: Scope) -> t.Stmt:
    body_node = node.body
    while isinstance(body_node, s.Block) and len(body_node.statements) == 1 and not body_node.braces:
        body_node = body_node.statements[0]
    if isinstance(body_node, s.ChooseOptions):
        return _choose_options(c, body_node, scope, may=True)
    if isinstance(body_node, s.Either):
        return _either(c, body_node, scope, may=True)
    me = me_of(c, scope, node.span, "decide")
    body = check_statement(c, node.body, scope.inner()) or t.Sequence(node.span, [])
    way = t.Alternative(describe(c, node.body, scope), can(body), body)
    return t.Alternatives(
        node.span, me, [way], 1, 1, True, scope.frame.new("taken", SetType(IntType(0, 30))), scope.address
    )


def describe(c: Context, node: Statement, scope: Scope) -> x.Template:
    """A way without a label, in words made from what it does."""
    parts: list[str | x.Expr] = []
    _describe(c, node, scope, parts)
    merged: list[str | x.Expr] = []
    for part in parts:
        if isinstance(part, str) and merged and isinstance(merged[-1], str):
            merged[-1] += part
        else:
            merged.append(part)
    return x.Template(merged or ["do it"])


def _describe(c: Context, node: Statement, scope: Scope, parts: list[str | x.Expr]) -> None:
    if isinstance(node, s.Block):
        for index, each in enumerate(node.statements):
            if index:
                parts.append(", then ")
            _describe(c, each, scope, parts)
    elif isinstance(node, s.Gain | s.Lose | s.Pay | s.Take | s.Give):
        verb = {s.Gain: "", s.Lose: "lose ", s.Pay: "pay ", s.Take: "take ", s.Give: "give "}[type(node)]
        parts.append(verb)
        quiet = Context(type(c.diagnostics)(), c.sources)
        quiet.__dict__.update({k: v for k, v in c.__dict__.items() if k != "diagnostics"})
        typed = check(quiet, node.amount, scope, TallyType(None))
        parts.append(
            co.to_tally(quiet, typed, TallyType(None)) if isinstance(typed.type, TallyType | EnumType) else "something"
        )
        if isinstance(node, s.Pay) and node.purchase is not None:
            parts.append(" to ")
            _describe(c, node.purchase, scope, parts)
    elif (isinstance(node, s.Do) and isinstance(node.call, e.Name)) or (
        isinstance(node, s.Do) and isinstance(node.call, e.Attribute)
    ):
        parts.append(node.call.name.text.replace("_", " "))
    elif isinstance(node, s.Choose) and node.prompt is not None:
        parts.append(node.prompt.raw)
    else:
        parts.append(
            c.sources[node.span.source].text[node.span.start : node.span.end]
            if node.span.source in c.sources
            else "do it"
        )


@handles(s.Offer)
def check_offer(c: Context, node: s.Offer, scope: Scope) -> t.Offer:
    """`offer a, b` of a phase or an effect."""
    me = me_of(c, scope, node.span, "be offered anything")
    names = [*node.actions, *node.until_actions]
    found = {}
    for each in names:
        symbol = c.actions.get(each.text)
        if symbol is None:
            help_text = c.suggest(each.text, list(c.actions))
            if each.text in c.effects:
                help_text = "it is an effect; players are offered actions"
            c.error("E0409", f"there is no action `{each.text}`", each.span, help_text)
        else:
            found[each.text] = symbol
    for each in node.until_actions:
        wrong = any(a.text not in found for a in node.actions)
        if each.text not in {a.text for a in node.actions} and each.text in found and not wrong:
            c.error(
                "E0410",
                f"`{each.text}` is not among the actions offered here",
                each.span,
                "`until` names one of the actions that are offered",
            )
    passing = (
        template(c, node.passing_text, scope)
        if node.passing_text is not None
        else x.Template(["pass"])
        if node.passing
        else None
    )
    done = (
        template(c, node.done_text, scope)
        if node.done_text is not None
        else x.Template(["done"])
        if node.until_done
        else None
    )
    return t.Offer(
        node.span,
        me,
        [found[each.text] for each in node.actions if each.text in found],
        passing,
        [found[each.text] for each in node.until_actions if each.text in found],
        done,
        scope.address,
    )


OPEN[s.Choose] = _choose
OPEN[s.Random] = _random
