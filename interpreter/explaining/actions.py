"""Why an action is possible or not: every clause that has a say, for one combination of its parameters, and what the
nearest change would be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from regelwerk.dsl.diagnostics import nearest as nearest_word
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import PLAYER, TallyType, strip
from regelwerk.interpreter import ir, machine
from regelwerk.interpreter import layout as la
from regelwerk.interpreter.answers import UsageError
from regelwerk.interpreter.decisions import ActionOptions
from regelwerk.interpreter.describing import picked_type
from regelwerk.interpreter.evaluation.amounts import can_pay
from regelwerk.interpreter.evaluation.base import conjuncts
from regelwerk.interpreter.explaining import connectives  # noqa: F401 - it registers the forms it unfolds
from regelwerk.interpreter.explaining.combinations import Combinations, Values, _elements
from regelwerk.interpreter.explaining.comparisons import purse_reading, shortage
from regelwerk.interpreter.explaining.nearest import changes, size
from regelwerk.interpreter.explaining.reading import UNKNOWN, Here, Reading
from regelwerk.interpreter.explaining.reasons import Change, Explanation, Reason
from regelwerk.interpreter.explaining.rules import live, modifiers
from regelwerk.interpreter.explaining.sight import Sight, surroundings

if TYPE_CHECKING:
    from regelwerk.interpreter.api import State

UNFOLDED = 24
"""So many combinations are unfolded to find the nearest."""

NAMED = 6
"""So many options are named."""


class ActionReader:
    """Looks at one action for one player (`me`), who is also the one who asks, unless `everything` is told."""

    def __init__(self, state: State, symbol: g.ActionSymbol, me: int, everything: bool = False) -> None:
        self.state, self.symbol, self.me = state, symbol, me
        self.program, self.m = state.program, state.image
        self.action: ActionOptions = state.program.action_options(symbol)
        self.choices = Combinations(state, self.action, me)
        self.game = None if everything else surroundings(state.game.checked)
        self.reading = Reading(state)
        self.offer = self._offer()

    # -------------------------------------------------------------------------------------------------------- one tree
    def tree(self, values: Values) -> Reason:
        """The legality tree of one combination."""
        self.reading = Reading(self.state)
        here = self._here(values)
        clauses: list[Reason] = [self.offer]
        clauses += self._parameters(here)
        for clause in self.symbol.clauses:
            if isinstance(clause, tuple):
                continue
            if isinstance(clause, g.RequireSymbol):
                clauses.append(self._require(clause, here))
        for record in (r for b in (self.action.action.head or x.Head([])).binders for r in b.requirements):
            clauses.append(self._require(record, here))
        clauses += [self._forbid(role, here) for role in self.symbol.roles if role.kind == "forbid"]
        if self.symbol.limit is not None:
            clauses.append(self._limit(self.symbol.limit, here))
        clauses += self._costs(here, values)
        known = [each.holds for each in clauses if each.kind != "value"]
        holds = None if None in known and False not in known else all(known)
        return Reason("all", self.symbol.name, self.symbol.span, holds, address=self.symbol.name, parts=tuple(clauses))

    def _here(self, values: Values) -> Here:
        env = self.action.bound(self.me, values, self.m)
        size_of = max(len(env), 2 * len(self.symbol.frame.types))
        env += [0] * (size_of - len(env))
        sight = Sight.of(self.game, {0})
        if self.symbol.head is not None:
            sight = sight.behind(self.symbol.head)
        for slot, value in ((each[0], each[1]) for each in self.symbol.clauses if isinstance(each, tuple)):
            sight = sight.bound(slot, value)
        return Here(env, self.symbol.frame, sight, self.symbol.name)

    # -------------------------------------------------------------------------------------------------------- the offer
    def _offer(self) -> Reason:
        """Whether the action is offered to this player now."""
        state, name, seat = self.state, self.symbol.name, self.program.seats[self.me - 1]
        places = list(
            dict.fromkeys(
                end.offer.address
                for end in self.program.lowering.sites
                if isinstance(end, ir.OfferEnd | ir.SealEnd) and self.symbol in end.offer.actions
            )
        )
        where = " or ".join(f"`{each}`" for each in places) or "nowhere"

        def told(holds: bool, value: str, address: str, span: Any) -> Reason:
            change = Change(f"`{name}` must be offered to {seat} (it is at {where})", name, self.symbol.span)
            return Reason("leaf", f"offer {name}", span, holds, value, what="offer", address=address, change=change)

        if state.status == "over":
            return told(False, "the game is over", "", None)
        if state.status != "decision":
            return told(False, "nature decides now", "", None)
        if self.me not in machine.asked(self.program, self.m):
            actors = " and ".join(state.actors)
            return told(False, f"it is {actors} who must decide now", "", None)
        site, env = machine.pending(self.program, self.m, self.me)
        span = getattr(site.node, "span", None)
        if site.said is not None and site.said(env):
            return told(False, "another answer has been begun, and has to be completed", site.address, span)
        if not any(each.action is self.symbol for each in site.actions):
            return told(False, f"something else is asked at `{site.address}`", site.address, span)
        return told(True, f"at `{site.address}`", site.address, span)

    # ---------------------------------------------------------------------------------------------------- parameters
    def _parameters(self, here: Here) -> list[Reason]:
        found = []
        head = self.symbol.head
        for index, binder in enumerate(head.binders if head is not None else []):
            if binder.inner:
                continue
            source = self.reading.source(binder.span)
            value = self.reading.printed(here.env[binder.slot], binder.type)
            address = f"{self.symbol.name}.{binder.name}"
            parts = self._conditions(index, binder, here, address)
            note = ""
            if binder.otherwise is not None and any(each.holds is False for each in parts):
                note = self.program.texts.render(binder.otherwise, self.m, here.env[:])
            known = [each.holds for each in parts]
            holds = None if None in known and False not in known else all(known)
            found.append(
                Reason(
                    "all",
                    source,
                    binder.span,
                    holds,
                    f"{binder.name} = {value}",
                    what="parameter",
                    address=address,
                    note=note,
                    parts=tuple(parts),
                )
            )
        return found

    def _conditions(self, index: int, binder: x.Binder, here: Here, address: str) -> list[Reason]:
        place = Here(here.env, here.frame, here.sight, address)
        if binder.form == "one":
            condition = binder.own if binder.fields else binder.condition
            return [self.reading.unfold(part, place) for part in conjuncts(condition)] if condition is not None else []
        found: list[Reason] = []
        value = here.env[binder.slot]
        picked = _elements(value, binder)
        env = here.env[:]
        real = self.choices.real_picks(index, env[:])
        if binder.most:
            most = self.choices.most_picks(index, env[:])
            change = Change(f"{most} to be taken for `{binder.name}`", address, binder.span, abs(most - len(picked)))
            told = f"{len(picked)} of {most}"
            found.append(Reason("leaf", "as many as possible", binder.span, len(picked) == most, told, change=change))
        if binder.condition is None:
            return found
        kind = picked_type(binder)
        so_far: list[int] = []
        each_of: list[Reason] = []
        for element in picked:
            inner = Here(here.env[:], here.frame, here.sight, address)
            inner.env[binder.it_slot] = element
            if binder.chosen_slot is not None:
                inner.env[binder.chosen_slot] = self._picks(so_far, binder)
            parts = tuple(self.reading.unfold(part, inner) for part in conjuncts(binder.condition))
            met = all(each.holds for each in parts)
            label = f"for {self.reading.printed(element, kind)}"
            each_of.append(Reason("all", "", binder.span, met, what="for", note=label, parts=parts))
            so_far.append(element)
        if all(each.holds for each in each_of) == (value in real):
            return found + each_of
        source = self.reading.source(binder.condition.span)
        change = Change(f"elements for `{binder.name}` that can be picked one after the other", address, binder.span)
        note = "in no order of picking" if value not in real else "in another order of picking"
        found.append(Reason("leaf", source, binder.condition.span, value in real, note=note, change=change))
        return found

    def _picks(self, so_far: list[int], binder: x.Binder) -> Any:
        kind = strip(binder.type)
        if isinstance(kind, TallyType):
            counts = [0] * self.program.unit_count(kind)
            for each in so_far:
                counts[each - 1] += 1
            return tuple(counts)
        return sum(1 << each for each in so_far)

    # --------------------------------------------------------------------------------------------------------- clauses
    def _require(self, clause: g.RequireSymbol, here: Here) -> Reason:
        address = clause.address
        place = Here(here.env, here.frame, here.sight, address)
        tree = self.reading.unfold(clause.condition, place)
        arguments = [here.env[slot] for slot in self.action.slots]
        waives = [self._role("waive", role, here, arguments) for role in clause.roles if role.kind == "waive"]
        test = tree.holds
        holds = True if any(each.holds for each in waives) else test
        note = ""
        if holds is False and clause.otherwise is not None:
            note = self.program.texts.render(clause.otherwise, self.m, here.env[:])
        return Reason(
            "any",
            self.reading.source(clause.condition.span),
            clause.span,
            holds,
            what="require",
            address=address,
            note=note,
            citations=clause.citations,
            parts=(tree, *waives),
        )

    def _role(self, what: str, role: g.Role, here: Here, arguments: list[Any]) -> Reason:
        found = live(self.reading, role, here, self.me, arguments, role.name)
        return Reason(
            "same",
            f"{what} {role.name}",
            role.span,
            found.holds,
            found.value,
            what=what,
            address=role.name,
            note=found.note,
            citations=role.citations,
            parts=(found,),
            hidden=found.hidden,
        )

    def _forbid(self, role: g.Role, here: Here) -> Reason:
        arguments = [here.env[slot] for slot in self.action.slots]
        found = live(self.reading, role, here, self.me, arguments, role.name)
        holds = None if found.holds is None else not found.holds
        note = ""
        if holds is False and role.reason is not None:
            texts = self.program.texts
            note = texts.plain(role.reason) if role.bindings else texts.render(role.reason, self.m, here.env[:])
        return Reason(
            "not",
            f"forbid {self.symbol.name}",
            role.span,
            holds,
            what="forbid",
            address=role.name,
            note=note or found.note,
            citations=role.citations,
            parts=(found,),
        )

    def _limit(self, limit: g.Limit, here: Here) -> Reason:
        span = self.symbol.span
        asked = self.program.readings.get(("limit", limit))
        if asked is None:
            me = x.Local(PLAYER, span, 0)
            asked = x.HistoryRead(limit.at_most.type, span, limit.question, me, [])
            self.program.readings["limit", limit] = asked
        times, most = self.reading.value(asked, here), self.reading.value(limit.at_most, here)
        scope = limit.question.scope
        per = scope if isinstance(scope, str) else scope.name if scope is not None else "game"
        address = f"{self.symbol.name}.limit"
        change = Change(f"the next {per}: at most {most} per {per}", address, limit.at_most.span)
        return Reason(
            "leaf",
            f"at most {most} per {per}",
            limit.at_most.span,
            times < most,
            f"{times} of {most} this {per}",
            what="limit",
            address=address,
            note="" if times < most else "it has been done as often as it may",
            change=change,
        )

    def _costs(self, here: Here, values: Values) -> list[Reason]:
        clauses = [each for each in self.symbol.clauses if isinstance(each, g.CostSymbol)]
        if not clauses:
            return []
        arguments = [here.env[slot] for slot in self.action.slots]
        priced = self.action.price(self.m, self.me, values)
        by_clause = dict(priced)
        total: list[tuple[int, int]] = []
        found: list[Reason] = []
        for clause in clauses:
            price = by_clause.get(clause, [])
            before = purse_reading(self.reading, self.me, total)[1]
            total = total + price
            value, missing = purse_reading(self.reading, self.me, total)
            there = dict(before)
            more = [(u, n - there.get(u, 0)) for u, n in missing if n > there.get(u, 0)]
            change = shortage(self.reading, clause.address, clause.span, self.me, missing)
            place = Here(here.env, here.frame, here.sight, clause.address)
            parts: list[Reason] = []
            if clause.condition is not None:
                parts.append(self.reading.unfold(clause.condition, place))
            parts += [self._role("waive", r, here, arguments) for r in clause.roles if r.kind == "waive"]
            parts += modifiers(self.reading, here, clause.roles, None, self.me, arguments)
            reason = self.program.texts.render(clause.printed, self.m, here.env[:]) if clause.printed else ""
            told = value if price else "nothing is to be paid"
            found.append(
                Reason(
                    "leaf",
                    self.reading.source(clause.span),
                    clause.span,
                    not more,
                    told,
                    what="cost",
                    address=clause.address,
                    note=reason if price else "",
                    citations=clause.citations,
                    parts=tuple(parts),
                    change=change if more else None,
                )
            )
        return found

    # ------------------------------------------------------------------------------------------------------ the nearest
    def explain(self, wanted: Sequence[str], keep: Callable[[Values], bool] | None = None) -> Explanation:
        """The explanation for the nearest of the combinations that have the wanted values (and that `keep` takes)."""
        head = self.symbol.head
        count = len(self.symbol.parameters)
        if len(wanted) > count:
            names = ", ".join(name for name, _, _ in self.symbol.parameters) or "nothing"
            raise UsageError(f"`{self.symbol.name}` takes {names}, and here are {len(wanted)} values")
        found = list(self.choices.matching(wanted or None)) if head is not None else [()]
        if keep is not None and self.symbol.parameters:
            found = [values for values in found if keep(values)]
        complete, looked_at = self.choices.complete, len(found)
        if not found:
            return self._nothing(wanted)
        options = self._options(found)
        self.m.work = la.WORK // 5  # for all that is unfolded
        best, tree, near = self._nearest(found, options)
        if best is None:
            assert tree is None
            return self._nothing(wanted)
        assert tree is not None
        legal = bool(options) and self.offer.holds is True
        printed = {
            name: self.reading.printed(value, kind)
            for value, (name, kind, _) in zip(best, self.symbol.parameters, strict=True)
        }
        possible = options if self.offer.holds else []
        total: dict[int, int] = {}
        for _, parts in self.action.price(self.m, self.me, best):
            for unit, number in parts:
                total[unit] = total.get(unit, 0) + number
        cost = self.program.texts.amount(list(total.items())) if total else None
        return self._explanation(self.choices.id(best), printed, legal, tree, near, possible, cost, looked_at, complete)

    def _options(self, found: list[Values]) -> list[Values]:
        """Those of the combinations that are options; of what is asked in stages the first few."""
        if not self.action.possible(self.m, self.me):
            return []
        most = len(found) if not self.choices.staged() else NAMED
        wanted = (values for values in found if not self._failing(values) and self.choices.is_option(values))
        return list(islice(wanted, most))

    def _nearest(
        self, found: list[Values], options: list[Values]
    ) -> tuple[Values | None, Reason | None, tuple[Change, ...]]:
        """The combination that is nearest to being possible, its tree, and what it lacks."""
        if options:
            tree = self.tree(options[0])
            return options[0], tree, changes(tree, True) or ()
        ranked = sorted(range(len(found)), key=lambda k: (self._failing(found[k]), k))
        best: tuple[tuple[int, int], int, Values, Reason, tuple[Change, ...]] | None = None
        for number, k in enumerate(ranked):
            least = self._failing(found[k])
            if best is not None and (number >= UNFOLDED or least > best[0][0]):
                break
            tree = self.tree(found[k])
            near = changes(tree, True)
            if near is None:
                near = (Change("nothing that is known would make it possible", self.symbol.name, self.symbol.span),)
            if best is None or size(near) < best[0]:
                best = (size(near), k, found[k], tree, near)
        if best is None:
            return None, None, ()
        return best[2], best[3], best[4]

    def _failing(self, values: Values) -> int:
        """How many clauses refuse a combination: no set of changes is smaller."""
        action, m = self.action, self.m
        try:
            env = action.bound(self.me, values, m)
            tests = (*action.head_tests, *action.record_tests, *action.tests)
            price = [part for _, parts in action.price(m, self.me, values) for part in parts]
            unpaid = bool(price) and not can_pay(self.program.purses, m, self.me, price)
            return sum([not test(m, env) for _, test in tests]) + unpaid
        except UNKNOWN:
            return 1

    def _nothing(self, wanted: Sequence[str]) -> Explanation:
        """No combination has the wanted values: which parameter cannot be had, and what it could be."""
        head = self.symbol.head
        assert head is not None
        texts = self.program.texts
        for count in range(len(wanted) + 1):
            some = list(self.choices.matching(list(wanted[:count])))
            if some:
                continue
            visible = [each for each in head.binders if not each.inner]
            index = max(0, count - 1)
            binder = visible[index]
            before = list(self.choices.matching(list(wanted[:index]))) if count else []
            ids = list(dict.fromkeys(texts.value(values[index], binder.type, self.m) for values in before))
            more = f" and {len(ids) - NAMED} more" if len(ids) > NAMED else ""
            known = f"one of: {', '.join(ids[:NAMED])}{more}" if ids else "there is nothing to choose from"
            source, address = self.reading.source(binder.span), f"{self.symbol.name}.{binder.name}"
            said = f"{binder.name} = {wanted[index]}" if count else ""
            change = Change(f"`{binder.name}` {known}" if ids else known, address, binder.span)
            leaf = Reason(
                "leaf",
                source,
                binder.span,
                False,
                said,
                what="parameter",
                address=address,
                note="not among the choices" if ids else "there is nothing to choose from",
                change=change,
            )
            tree = Reason(
                "all",
                self.symbol.name,
                self.symbol.span,
                False,
                address=self.symbol.name,
                parts=(self.offer, leaf),
            )
            near = changes(tree, True) or ()
            id = " ".join([self.symbol.name, *wanted])
            possible = self._some_options()
            return self._explanation(id, {}, False, tree, near, possible, None, len(before), self.choices.complete)
        raise UsageError(f"`{self.symbol.name} {' '.join(wanted)}` is no combination of parameters here")

    def _some_options(self) -> list[Values]:
        if not self.offer.holds:
            return []
        return self._options(list(self.choices.matching()))

    def _explanation(
        self,
        id: str,
        printed: dict[str, str],
        legal: bool,
        tree: Reason,
        near: tuple[Change, ...],
        possible: list[Values],
        cost: str | None,
        looked_at: int,
        complete: bool,
    ) -> Explanation:
        symbol, texts = self.symbol, self.program.texts
        title = symbol.name.replace("_", " ")
        if symbol.prompt is not None:
            title = texts.render(symbol.prompt, self.m, [self.me] + [0] * 64)
        around = tuple((role.kind, role.name) for role in symbol.roles if role.kind in ("before", "after", "instead"))
        body = symbol.body.span if symbol.body is not None else None
        return Explanation(
            symbol.name,
            self.program.seats[self.me - 1],
            id,
            printed,
            title,
            legal,
            tree,
            () if legal else near,
            tuple(self.choices.id(each) for each in possible[:NAMED]),
            len(possible),
            cost,
            self.reading.source(body),
            body,
            around,
            looked_at,
            complete,
            symbol.span,
            symbol.citations,
        )


def explain(state: State, name: str, wanted: Sequence[str], seat: int = 0, everything: bool = False) -> Explanation:
    """Why an action is possible or not for a seat (0: who decides, else who is on turn)."""
    actions = state.game.checked.actions
    symbol = next((each for each in actions if each.name == name), None)
    if symbol is None:
        near = nearest_word(name, [each.name for each in actions])
        hint = f"; did you mean `{near}`?" if near else ""
        raise UsageError(f"the game has no action `{name}`{hint}")
    me = seat or state.image.w[la.ACTOR] or state.image.w[la.ACTIVE]
    if not me:
        raise UsageError("nobody acts now: say for whom (a seat)")
    state.image.work = la.WORK
    return ActionReader(state, symbol, me, everything).explain(wanted)


__all__ = ["ActionReader", "explain"]
