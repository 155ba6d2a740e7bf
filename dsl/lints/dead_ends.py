"""Offers that may have no option: nobody may pass, each of the actions can be refused, and nothing asks before.

Whether there is always an option cannot be decided in general. An offer is left alone if one of its actions can be
taken in every state; or if something on the way to it (a `while`, `skip`, `when`, `if` or `require`), an invariant, or
an `end` looks at what decides about its options: then the author has thought of it.
"""

from __future__ import annotations

from collections.abc import Iterable

from regelwerk.dsl.diagnostics import Label
from regelwerk.dsl.lints.ranges import range_of_type
from regelwerk.dsl.lints.reaching import nodes_of, parts_of
from regelwerk.dsl.lints.subject import Subject
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t


def find(s: Subject) -> None:
    """Every such offer."""
    together = {
        id(item)
        for phase in s.phases
        if any(isinstance(each, g.TogetherDriver) for each in phase.drivers)  # who has no option there is passed over
        for item in phase.items
    }
    offers = [
        (owner, offer)
        for owner, offer in s.reach.of(t.Offer)
        if offer.passing is None and offer.until_done is None and id(offer) not in together and s.is_own(offer.span)
    ]
    if not offers:
        return
    reads = _Reads()
    lately = [*(end.condition for end in s.game.ends), *(each.condition for each in s.game.invariants)]
    watched = reads.of(lately)
    for owner, offer in offers:
        if any(_always(s, action) for action in offer.actions):
            continue
        needs = reads.of([part for action in offer.actions for part in _deciding(action)])
        if needs & (watched | reads.of(_guards(s, owner))):
            continue
        first = offer.actions[0]
        s.report(
            "W0950",
            f"nobody may pass here, and {_refused(offer)} may be refused",
            offer.span,
            "add `or pass`, or ask before (`when`, `while`, `skip`) whether there is an option",
            (Label(first.span, "this may have no option"),) if s.is_own(first.span) else (),
        )


def _refused(offer: t.Offer) -> str:
    if len(offer.actions) == 1:
        return f"`{offer.actions[0].name}`"
    return f"all {len(offer.actions)} actions"


def _deciding(action: g.ActionSymbol) -> list[object]:
    """What decides about the options of an action."""
    found: list[object] = [action.head]
    for clause in action.clauses:
        if not isinstance(clause, tuple):
            found.append(clause.condition)
            found.append(clause.amount if isinstance(clause, g.CostSymbol) else None)
    return found + [guard for role in action.roles if role.kind == "forbid" for guard in role.guards]


def _always(s: Subject, action: g.ActionSymbol) -> bool:
    """Whether an action has an option in every state."""
    if action.limit is not None or any(role.kind == "forbid" for role in action.roles):
        return False
    for clause in action.clauses:
        if isinstance(clause, g.RequireSymbol) and s.judge.truth(clause.condition) is not True:
            return False
        if isinstance(clause, g.CostSymbol) and s.judge.truth(clause.condition) is not False:
            return False
    return all(_never_empty(s, binder) for binder in (action.head.binders if action.head is not None else ()))


def _never_empty(s: Subject, binder: x.Binder) -> bool:
    if binder.condition is not None and s.judge.truth(binder.condition) is not True:
        return False
    source = binder.source
    if binder.lowest is not None and s.judge.range_of(binder.lowest)[1] > 1:
        return False
    if isinstance(source, x.AllThings):
        return bool(source.symbol.rows) or source.symbol.computed is not None
    if isinstance(source, x.Interval):
        low, high = s.judge.range_of(source.lowest), s.judge.range_of(source.highest)
        return low[1] <= high[0]
    if isinstance(source, x.Const):
        return range_of_type(source.type) is None and source.value not in (0, ())
    return isinstance(source, x.AllPlayers)


def _guards(s: Subject, owner: object) -> list[object]:
    """The conditions on the way to what happens in an owner."""
    found: list[object] = []
    phase = owner if isinstance(owner, g.PhaseSymbol) else None
    while phase is not None:
        for driver in phase.drivers:
            found += [getattr(driver, name, None) for name in ("condition", "until", "skip", "source", "following")]
        phase = phase.parent
    if isinstance(owner, g.ActionSymbol):
        found += _deciding(owner)
    if isinstance(owner, g.EffectSymbol):
        found += [each.condition for each in owner.requirements]
    for node in s.reach.nodes[owner]:
        if isinstance(node, t.If | t.Step | t.Repeat | t.Alternative):
            found.append(node.condition)
    return found


class _Reads:
    """Which stored things conditions look at, in the values they ask as well."""

    def __init__(self) -> None:
        self._of_value: dict[g.ValueSymbol, frozenset[object]] = {}

    def of(self, parts: Iterable[object]) -> frozenset[object]:
        """The states, zones, tracks and resources that are read."""
        found: set[object] = set()
        for node in nodes_of(parts):
            if isinstance(node, x.StateRead | x.ZoneRef | x.TrackRead | x.ResourceRead):
                found.add(node.symbol)
            elif isinstance(node, x.HistoryRead):
                found.add(node.question.event)
            elif isinstance(node, x.Call):
                found |= self._value(node.symbol)
            elif isinstance(node, t.Amount):
                found.update(unit.symbol if isinstance(unit, g.Unit) else unit[0] for unit, _ in node.parts)
            elif isinstance(node, x.CanOffer):
                found |= self.of([part for action in node.actions for part in _deciding(action)])
        return frozenset(found)

    def _value(self, symbol: g.ValueSymbol) -> frozenset[object]:
        known = self._of_value.get(symbol)
        if known is None:
            self._of_value[symbol] = frozenset()
            known = self._of_value[symbol] = self.of(parts_of(symbol))
        return known


__all__ = ["find"]
