"""Decisions for people: texts and ids of options, and why something is refused."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import EnumType, SetType, TallyType, Type
from regelwerk.interpreter import ir, machine
from regelwerk.interpreter import layout as la
from regelwerk.interpreter.decisions import DONE, PASS, STAGE, ActionOptions, Failure, Raw, Site
from regelwerk.interpreter.evaluation.base import Locals
from regelwerk.interpreter.evaluation.heads import compile_candidates, compile_picks
from regelwerk.interpreter.ordering import OrderSite
from regelwerk.interpreter.staging import ENOUGH, StagedHead

if TYPE_CHECKING:
    from regelwerk.interpreter.api import Decision, Option, Refusal, State

LOOKED_AT = 4096
"""How many combinations of parameters are looked at to say why nothing fits."""


def parameters_of(site: Site, raw: Raw) -> list[tuple[str, Type]]:
    """The names and types of an option's values."""
    way, values = raw
    if way < 0 or not values:
        return []
    if isinstance(site.end, ir.OfferEnd | ir.SealEnd):
        return [(name, kind) for name, kind, _ in site.end.offer.actions[way].parameters]
    if isinstance(site.end, ir.ChooseEnd):
        return [(binder.name, binder.type) for binder in site.end.choice.head.visible]
    return []


def option_id(state: State, raw: Raw, seat: int = 0) -> str:
    """The stable id of an option (of a seat that decides with others)."""
    site, env = machine.pending(state.program, state.image, seat)
    return _id(state, site, env, raw)


def _id(state: State, site: Site, env: Locals, raw: Raw) -> str:
    way, values = raw
    if way == DONE:
        return "done"
    if way == PASS:
        return "pass" if isinstance(site.end, ir.OfferEnd | ir.SealEnd) else "no"
    if isinstance(site, OrderSite):
        return site.role_name(way)[0]
    stage = site.stage(state.image, env, raw)
    if stage is not None and way == STAGE:
        return "enough" if values[0] == ENOUGH else _element(state, stage, values[0])[0]
    parts = [
        state.program.texts.id(value, kind) for value, (_, kind) in zip(values, parameters_of(site, raw), strict=True)
    ]
    if isinstance(site.end, ir.OfferEnd | ir.SealEnd):
        return " ".join([site.end.offer.actions[way].name, *parts])
    if isinstance(site.end, ir.AlternativesEnd):
        return "yes" if len(site.end.ways) == 1 else f"way {way + 1}"
    return " ".join(parts)


Stage = tuple[StagedHead, Locals, tuple[int, ...]]


def _element(state: State, stage: Stage, answer: int) -> tuple[str, str]:
    """The id and the text of an answer of a decision in stages."""
    binder, _ = _asked(state, stage)
    kind = picked_type(binder)
    texts = state.program.texts
    return texts.id(answer, kind), texts.value(answer, kind, state.image)


def _asked(state: State, stage: Stage) -> tuple[x.Binder, list[str]]:
    """The binder that a decision in stages asks for, and what was answered so far, in words."""
    head, env, answers = stage
    program, m = state.program, state.image
    index, picks = head.read(m, env, answers[1:])
    binders = head.head.binders
    asked = [b for b in binders[:index] if not b.fields]
    said = [program.texts.value(env[b.slot], b.type, m) for b in asked]
    if picks:
        space = head.loops[index].space
        assert space is not None
        said.append(program.texts.value(space.picked(m, env, picks), binders[index].type, m))
    named = len(binders) > 1
    shown = [
        f"{b.name.replace('_', ' ')} {text}" if named else text
        for b, text in zip([*asked, binders[index]], said, strict=False)
    ]
    return binders[index], shown


def asked_type(state: State, site: Site, env: Locals, raw: Raw) -> Type | None:
    """The type of an answer of a decision in stages; None for an option that is whole."""
    stage = site.stage(state.image, env, raw)
    if stage is None:
        return None
    binder, _ = _asked(state, stage)
    return picked_type(binder)


def describe_decision(state: State, seat: int = 0) -> Decision:
    """The pending decision with all its options; of several who decide together, that of a seat."""
    from regelwerk.interpreter.api import Decision

    seat = seat or state.image.w[la.ACTOR]
    site, env = machine.pending(state.program, state.image, seat)
    program, m = state.program, state.image
    options = tuple(_option(state, site, env, seat, index, raw) for index, raw in enumerate(state.raw_options_of(seat)))
    node: Any = site.node
    text = ""
    if isinstance(node, t.Choose) and node.prompt is not None:
        text = program.texts.render(node.prompt, m, env)
    elif isinstance(node, t.Alternatives):
        text = "Which one?" if len(node.ways) > 1 else "Do it?"
    elif isinstance(site, OrderSite):
        text = "Which rule first?"
    elif isinstance(node, t.Offer):
        text = "What do you do?"
        if len(node.actions) == 1 and node.actions[0].prompt is not None:
            text = program.texts.render(node.actions[0].prompt, m, [seat] + [0] * 64)
    address = site.address
    raws = state.raw_options_of(seat)
    stage = site.stage(m, env, raws[0]) if raws and raws[0][0] == STAGE else None
    if stage is not None:
        binder, said = _asked(state, stage)
        if isinstance(node, t.Offer):
            action = node.actions[stage[2][0]]
            address = action.name
            if action.prompt is not None:
                text = program.texts.render(action.prompt, m, [seat] + [0] * 64)
            else:
                text = action.name.replace("_", " ")
        address = f"{address}.{binder.name}"
        if len(stage[0].head.binders) > 1:
            text = f"{text or 'Choose'}: {binder.name.replace('_', ' ')}?"
        if said:
            text = f"{text or 'Choose'} (so far {', '.join(said)})"
    sealed = isinstance(site.end, ir.SealEnd)
    return Decision(address, program.seats[seat - 1], text or "Choose", options, sealed)


def whole_option(state: State, words: list[str], seat: int = 0) -> Raw | None:
    """The option that a whole id names where the decision is asked in stages; None if there is none."""
    site, env = machine.pending(state.program, state.image, seat)
    m = state.image
    if site.said is None or site.said(env):
        return None
    way, head, inner = 0, site.choice, env
    if site.actions:
        way = next((k for k, each in enumerate(site.actions) if each.action.name == words[0]), -1)
        if way < 0:
            return None
        action = site.actions[way]
        head, inner, words = action.staged, action.locals(site.actor(m, env)), words[1:]
    if head is None or len(words) != len(head.slots):
        return None
    binders, texts = head.head.binders, state.program.texts
    spread = _spread(head.head, words)
    if spread is None:
        return None
    wanted: list[list[str]] = [_member_ids(state, b.type, word) for b, word in zip(binders, spread, strict=True)]

    def keep(index: int, picks: list[int], options: list[int]) -> list[int]:
        kind = picked_type(binders[index])
        left = list(wanted[index])
        for pick in picks:
            if texts.id(pick, kind) in left:
                left.remove(texts.id(pick, kind))
        return [a for a in options if (texts.id(a, kind) in left if a != ENOUGH else not left)]

    values = head.find(m, inner, keep)
    if values is None or [texts.id(v, b.type) for v, b in zip(values, head.head.visible, strict=True)] != words:
        return None
    return way, values


def _spread(head: x.Head, words: list[str]) -> list[str] | None:
    """The ids for all binders from those of the visible ones: of a record also those of its fields."""
    from regelwerk.interpreter.api import split_id

    found = {binder.slot: word for binder, word in zip(head.visible, words, strict=True)}
    for binder in reversed(head.binders):
        if binder.fields:
            parts = split_id(found[binder.slot][1:-1])
            if len(parts) != len(binder.fields):
                return None
            found.update(zip(binder.fields, parts, strict=True))
    return [found[binder.slot] for binder in head.binders]


def picked_type(binder: x.Binder) -> Type:
    """The type of one answer of a binder."""
    return binder.type if binder.form == "one" else _element_type(binder.type)


def _element_type(kind: Type) -> Type:
    if isinstance(kind, SetType):
        return kind.member
    return EnumType(kind.symbol) if isinstance(kind, TallyType) and kind.symbol is not None else kind


def _member_ids(state: State, kind: Type, word: str) -> list[str]:
    """The ids of the elements that the id of a set or tally speaks of, each as often as it is in it."""
    inside = word[1:-1].split() if word.startswith("[") and word.endswith("]") else [word]
    if not isinstance(kind, TallyType):
        return inside
    texts, member = state.program.texts, _element_type(kind)
    counts = [int(each) if each.isdecimal() and len(each) < 4 else 0 for each in inside]
    counts = counts[: state.program.unit_count(kind)]
    return [texts.id(k, member) for k, count in enumerate(counts, 1) for _ in range(count)]


def describe_option(state: State, raw: Raw, seat: int = 0) -> Option:
    """One option of the pending decision, however it is asked."""
    seat = seat or state.image.w[la.ACTOR]
    site, env = machine.pending(state.program, state.image, seat)
    return _option(state, site, env, seat, -1, raw)


def _option(state: State, site: Site, env: Locals, actor: int, index: int, raw: Raw) -> Option:
    from regelwerk.interpreter.api import Option

    program, m = state.program, state.image
    way, values = raw
    names = parameters_of(site, raw)
    printed = {
        name: program.texts.value(value, kind, m) for value, (name, kind) in zip(values, names, strict=bool(names))
    }
    action, cost, text = None, None, ""
    node: Any = site.node
    stage = site.stage(m, env, raw)
    if stage is not None and way == STAGE:
        if isinstance(node, t.Offer):
            action = node.actions[stage[2][0]].name
        text = "enough" if values[0] == ENOUGH else _element(state, stage, values[0])[1]
        if values[0] != ENOUGH:
            printed = {_asked(state, stage)[0].name: text}
    elif isinstance(site, OrderSite):
        text = site.role_name(way)[1]
    elif way == PASS:
        text = program.texts.render(node.passing, m, env) if isinstance(node, t.Offer) else "no"
    elif way == DONE:
        done = node.until_done if isinstance(node, t.Offer) else getattr(node, "done", None)
        text = program.texts.render(done, m, env) if done is not None else "done"
    elif isinstance(node, t.Offer):
        symbol = node.actions[way]
        action = symbol.name
        price = site.actions[way].price(m, actor, values) if stage is None else []
        totals: dict[int, int] = {}
        for unit, count in (part for _, each in price for part in each):
            totals[unit] = totals.get(unit, 0) + count
        if totals:
            reasons = [
                program.texts.render(clause.printed, m, site.actions[way].bound(actor, values, m))
                for clause, _ in price
                if clause.printed is not None
            ]
            cost = program.texts.amount(list(totals.items())) + (f" to {', '.join(reasons)}" if reasons else "")
        title = (
            program.texts.render(symbol.prompt, m, [actor] + [0] * 64)
            if symbol.prompt is not None
            else action.replace("_", " ")
        )
        if len(node.actions) == 1 and printed:
            title = ""
        text = f"{title}: {_joined(printed)}" if title and printed else title or _joined(printed)
    elif isinstance(node, t.Alternatives):
        text = program.texts.render(node.ways[way].label, m, env)
    else:
        text = _joined(printed)
    return Option(_id(state, site, env, raw), text, action, printed, cost, index)


def _joined(printed: Mapping[str, str]) -> str:
    return (
        ", ".join(printed.values())
        if len(printed) < 2
        else ", ".join(f"{name} {value}" for name, value in printed.items())
    )


# -------------------------------------------------------------------------------------------------------------- refusa
def _refusal(state: State, action: ActionOptions, values: tuple[Any, ...], failure: Failure) -> Refusal:
    from regelwerk.interpreter.api import Refusal

    names = [(name, kind) for name, kind, _ in action.action.parameters]
    printed = {
        name: state.program.texts.value(value, kind, state.image)
        for value, (name, kind) in zip(values, names, strict=False)
    }
    return Refusal(
        action.action.name,
        printed,
        failure.address,
        failure.text,
        failure.citations,
        getattr(failure.symbol, "span", None) or action.action.span,
    )


def combinations(state: State, action: ActionOptions, me: int) -> list[tuple[Any, ...]]:
    """Combinations of parameters whether legal or not, as far as there are not too many."""
    program, m = state.program, state.image
    head = action.action.head
    if head is None:
        return [()]
    env: Locals = [0] * action.size
    env[0] = me
    bare = [
        x.Binder(b.name, b.form, b.type, b.slot, b.it_slot, b.source, b.lowest, b.highest, None, None, False, b.span)
        for b in head.binders
    ]
    domains = [
        (
            b.slot,
            compile_candidates(program.compiler, b, True)
            if b.form == "one"
            else compile_picks(program.compiler, b, True).values,
        )
        for b in bare
    ]
    visible = [k for k, b in enumerate(head.binders) if not b.inner]
    found: list[tuple[Any, ...]] = []

    def extend(values: tuple[Any, ...]) -> None:
        if len(values) == len(domains):
            found.append(tuple(values[k] for k in visible))
            return
        slot, candidates = domains[len(values)]
        for value in list(islice(candidates(m, env), LOOKED_AT)):
            env[slot] = value
            extend((*values, value))
            if len(found) >= LOOKED_AT:
                return

    extend(())
    return found


def refused_now(state: State, seat: int = 0) -> tuple[Refusal, ...]:
    """For each action of the present offer: why it is not available at all, or not with some value of its last
    parameter."""
    if state.status != "decision":
        return ()
    site, _ = machine.pending(state.program, state.image)
    if not isinstance(site.end, ir.OfferEnd | ir.SealEnd):
        return ()
    found: list[Refusal] = []
    me = seat or state.image.w[la.ACTOR]
    for action in site.actions:
        legal = action.options(state.image, me)
        found += _refused_action(state, action, me, legal)
    return tuple(found)


def _refused_action(state: State, action: ActionOptions, me: int, legal: list[tuple[Any, ...]]) -> list[Refusal]:
    found: list[Refusal] = []
    possible = combinations(state, action, me)
    if not possible:
        from regelwerk.interpreter.api import Refusal

        return [
            Refusal(
                action.action.name, {}, action.action.name, "there is nothing to choose from", (), action.action.span
            )
        ]
    if not action.action.parameters:
        return (
            [_refusal(state, action, (), failure) for failure in action.failures(state.image, me, ())[:1]]
            if not legal
            else []
        )
    if not legal:
        best = min((action.failures(state.image, me, values) for values in possible[:256]), key=len)
        if best:
            shared = [
                f
                for f in best
                if all(any(f.address == g.address for g in action.failures(state.image, me, v)) for v in possible[:64])
            ]
            if shared:
                return [_refusal(state, action, (), shared[0])]
    available = {values[-1] for values in legal}
    seen: dict[Any, tuple[tuple[Any, ...], list[Failure]]] = {}
    for values in possible:
        last = values[-1]
        if last in available:
            continue
        failures = action.failures(state.image, me, values)
        if failures and (last not in seen or len(failures) < len(seen[last][1])):
            seen[last] = (values, failures)
    for values, failures in seen.values():
        found.append(_refusal(state, action, values, failures[0]))
    return found


def why_not(state: State, name: str, ids: tuple[str, ...], seat: int = 0) -> tuple[Refusal, ...]:
    """Every reason against an action with given parameters."""
    from regelwerk.interpreter.api import UsageError

    symbol = next((each for each in state.game.checked.actions if each.name == name), None)
    if symbol is None:
        raise UsageError(f"the game has no action `{name}`")
    action = state.program.action_options(symbol)
    me = seat or state.image.w[la.ACTOR] or state.image.w[la.ACTIVE]
    if not me:
        raise UsageError("nobody acts now")
    for values in combinations(state, action, me):
        texts = [
            state.program.texts.id(value, kind) for value, (_, kind, _) in zip(values, symbol.parameters, strict=True)
        ]
        if tuple(texts) == ids:
            return tuple(
                _refusal(state, action, values, failure) for failure in action.failures(state.image, me, values)
            )
    raise UsageError(f"`{name} {' '.join(ids)}` is no combination of parameters here")


__all__ = [
    "asked_type",
    "combinations",
    "describe_decision",
    "describe_option",
    "option_id",
    "picked_type",
    "refused_now",
    "whole_option",
    "why_not",
]
