"""Decisions for people: texts and ids of options, and why something is refused."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import ThingType, Type, strip
from regelwerk.interpreter import ir, machine
from regelwerk.interpreter import layout as la
from regelwerk.interpreter.decisions import DONE, PASS, ActionOptions, Failure, Raw, Site
from regelwerk.interpreter.evaluation.base import Locals
from regelwerk.interpreter.evaluation.heads import compile_candidates

if TYPE_CHECKING:
    from regelwerk.interpreter.api import Decision, Option, Refusal, State

LOOKED_AT = 4096
"""How many combinations of parameters are looked at to say why nothing fits."""


def parameters_of(site: Site, raw: Raw) -> list[tuple[str, Type]]:
    """The names and types of an option's values."""
    way = raw[0]
    if way < 0:
        return []
    if isinstance(site.end, ir.OfferEnd | ir.SealEnd):
        return [(name, kind) for name, kind, _ in site.end.offer.actions[way].parameters]
    if isinstance(site.end, ir.ChooseEnd):
        return [(binder.name, binder.type) for binder in site.end.choice.head.binders]
    return []


def option_id(state: State, raw: Raw) -> str:
    """The stable id of an option."""
    return _id(state, machine.pending(state.program, state.image)[0], raw)


def _id(state: State, site: Site, raw: Raw) -> str:
    way, values = raw
    if way == DONE:
        return "done"
    if way == PASS:
        return "pass" if isinstance(site.end, ir.OfferEnd | ir.SealEnd) else "no"
    parts = [
        state.program.texts.id(value, kind) for value, (_, kind) in zip(values, parameters_of(site, raw), strict=True)
    ]
    if isinstance(site.end, ir.OfferEnd | ir.SealEnd):
        return " ".join([site.end.offer.actions[way].name, *parts])
    if isinstance(site.end, ir.AlternativesEnd):
        return "yes" if len(site.end.ways) == 1 else f"way {way + 1}"
    return " ".join(parts)


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
    elif isinstance(node, t.Offer):
        text = "What do you do?"
        if len(node.actions) == 1 and node.actions[0].prompt is not None:
            text = program.texts.render(node.actions[0].prompt, m, [seat] + [0] * 64)
    return Decision(site.address, program.seats[seat - 1], text or "Choose", options)


def _option(state: State, site: Site, env: Locals, actor: int, index: int, raw: Raw) -> Option:
    from regelwerk.interpreter.api import Option

    program, m = state.program, state.image
    way, values = raw
    names = parameters_of(site, raw)
    printed = {name: program.texts.value(value, kind, m) for value, (name, kind) in zip(values, names, strict=True)}
    action, cost, text = None, None, ""
    node: Any = site.node
    if way == PASS:
        text = program.texts.render(node.passing, m, env) if isinstance(node, t.Offer) else "no"
    elif way == DONE:
        done = node.until_done if isinstance(node, t.Offer) else getattr(node, "done", None)
        text = program.texts.render(done, m, env) if done is not None else "done"
    elif isinstance(node, t.Offer):
        symbol = node.actions[way]
        action = symbol.name
        price = site.actions[way].price(m, actor, values)
        parts = [part for _, each in price for part in each]
        if parts:
            reasons = [
                program.texts.render(clause.printed, m, site.actions[way].bound(actor, values, m))
                for clause, _ in price
                if clause.printed is not None
            ]
            cost = program.texts.amount(parts) + (f" to {', '.join(reasons)}" if reasons else "")
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
    return Option(_id(state, site, raw), text, action, printed, cost, index)


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
        getattr(failure.symbol, "span", None),
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
    domains = [(b.slot, compile_candidates(program.compiler, b, True)) for b in bare]
    found: list[tuple[Any, ...]] = []

    def extend(values: tuple[Any, ...]) -> None:
        if len(values) == len(domains):
            found.append(values)
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


__all__ = ["ThingType", "combinations", "describe_decision", "option_id", "refused_now", "strip", "why_not"]
