"""Why an entry of a replay does not fit: what the rules ask at this place instead, and which clauses refuse it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from regelwerk.interpreter import ir, machine
from regelwerk.interpreter.describing import combinations

if TYPE_CHECKING:
    from regelwerk.dsl.model import game as g
    from regelwerk.dsl.source import Span
    from regelwerk.interpreter.api import Refusal, State

SHOWN = 6
"""How many names are listed."""


@dataclass(frozen=True)
class Misfit:
    """Why an entry does not fit.

    message   in words
    rule      the address of the clause that refuses it, or of the place where something else is asked; maybe empty
    span      where that stands
    reasons   the clauses that refuse an action that is offered
    """

    message: str
    rule: str = ""
    span: Span | None = None
    reasons: tuple[Refusal, ...] = ()


def misfit_of_answer(state: State, seat: str, answer: str) -> Misfit:
    """Why a player cannot give an answer here."""
    if state.status != "decision":
        return _nobody_decides(state, seat)
    if seat not in state.actors:
        place, rule, span = _asked(state)
        return Misfit(f"{_players(state)} here{place}, not {seat}", rule, span)
    number = state.seats.index(seat) + 1
    site, _ = machine.pending(state.program, state.image, number)
    decision = state.decision_of(seat)
    assert decision is not None
    ids = [each.id for each in decision.options]
    if isinstance(site.end, ir.OfferEnd | ir.SealEnd):
        offered = [each.name for each in site.end.offer.actions]
        begun = not {each.partition(" ")[0] for each in ids} & {*offered, "pass", "done"}
        if not begun:  # else an action is asked in stages, and has been begun
            return _misfit_of_offer(state, seat, answer, offered)
    place, rule, span = _asked(state)
    return Misfit(f"`{answer}` is not among the options here{place}; there are {_joined(ids, 'and')}", rule, span)


def misfit_of_chance(state: State, refused: str) -> Misfit:
    """Why an outcome of chance does not fit; `refused` says what is wrong with it where nature decides."""
    if state.status == "chance":
        event, _, _ = machine.pending_chance(state.program, state.image)
        rule = state.game.address(event.span)
        return Misfit(f"{refused}{_at(rule)}", rule, event.span)
    if state.status == "decision":
        place, rule, span = _asked(state)
        return Misfit(f"{_players(state)} here{place}, not nature", rule, span)
    return _nobody_decides(state, "nature")


def _nobody_decides(state: State, who: str) -> Misfit:
    if state.status == "chance":
        event, _, _ = machine.pending_chance(state.program, state.image)
        rule = state.game.address(event.span)
        return Misfit(f"nature decides here ({event.what}{f', {rule}' if rule else ''}), not {who}", rule, event.span)
    outcome = state.outcome
    if outcome is not None:
        end = next((each for each in state.game.checked.ends if each.name == outcome.cause), None)
        why = outcome.cause.replace("_", " ")
        return Misfit(
            f"the game is over here ({why}), and {who} has nothing to decide",
            end.name if end is not None else "",
            end.span if end is not None else None,
        )
    return Misfit("nobody has anything to decide here")


def _asked(state: State) -> tuple[str, str, Span | None]:
    """Where the rules ask: in words, the address, the place."""
    site, _ = machine.pending(state.program, state.image)
    span: Span | None = getattr(site.node, "span", None)
    rule = state.game.address(span) or site.address
    return _at(rule), rule, span


def _at(rule: str) -> str:
    return f" ({rule})" if rule else ""


def _players(state: State) -> str:
    """`Ann decides`, `Ann and Bob decide`."""
    names = state.actors
    return f"{names[0]} decides" if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]} decide"


def _joined(names: Sequence[str], last: str) -> str:
    """Some of the names, with commas."""
    if len(names) > SHOWN:
        return f"{', '.join(f'`{each}`' for each in names[:SHOWN])} {last} {len(names) - SHOWN} more"
    quoted = [f"`{each}`" for each in names] or ["none"]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} {last} {quoted[-1]}"


# ------------------------------------------------------------------------------------------------------------- offers
def _misfit_of_offer(state: State, seat: str, answer: str, offered: list[str]) -> Misfit:
    from regelwerk.interpreter.api import UsageError, split_id

    place, rule, span = _asked(state)
    name, *values = split_id(answer)
    if name in ("pass", "done") and not values:
        verb = "pass" if name == "pass" else "say that it is enough"
        return Misfit(f"nobody may {verb} here any more{place}", rule, span)
    action = next((each for each in state.game.checked.actions if each.name == name), None)
    if action is None:
        return Misfit(f"the game has no action `{name}`; here{place} {_joined(offered, 'or')} is offered", rule, span)
    if name not in offered:
        return Misfit(
            f"the action `{name}` is no longer offered here{place}; offered is {_joined(offered, 'or')}", rule, span
        )
    try:
        reasons = state.why_not(name, *values, seat=seat)
    except UsageError:
        return _misfit_of_values(state, seat, action, values)
    if not reasons:
        return Misfit(f"`{answer}` is not an option here{place}", rule, span)
    words = " and ".join(f"{each.address} ({each.text})" if each.text else each.address for each in reasons)
    return Misfit(f"`{answer}` is refused by {words}", reasons[0].address, reasons[0].span, reasons)


def _misfit_of_values(state: State, seat: str, action: g.ActionSymbol, values: list[str]) -> Misfit:
    """An action that is offered, with values that are not to be had."""
    if len(values) != len(action.parameters):
        return Misfit(
            f"the action `{action.name}` has {len(action.parameters)} parameters now, and this gives {len(values)}",
            action.name,
            action.span,
        )
    texts = state.program.texts
    possible = combinations(state, state.program.action_options(action), state.seats.index(seat) + 1)
    for place, (value, (name, kind, _)) in enumerate(zip(values, action.parameters, strict=True)):
        if not any(texts.id(each[place], kind) == value for each in possible):
            binder = action.head.binders[place] if action.head is not None else None
            return Misfit(
                f"`{value}` is not among what can be chosen for `{name}` ({action.name})",
                action.name,
                binder.span if binder is not None else action.span,
            )
    return Misfit(f"`{' '.join(values)}` cannot be chosen together for `{action.name}`", action.name, action.span)


__all__ = ["Misfit", "misfit_of_answer", "misfit_of_chance"]
