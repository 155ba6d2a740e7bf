"""What parts of the rules read and write, and whose.

Two questions are answered with it: whether what one of several players who decide together does can change what another
one may do, and whether the order of two rules on one event matters. An access is of a stored thing (a state, a track, a
resource, a zone ...); `own` says that it is certainly that of the player in whose place the rules run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal

from regelwerk.dsl.checker.context import Context
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.concern import concerned
from regelwerk.dsl.model.types import TallyType, ThingType, ZoneType, member_of, strip
from regelwerk.dsl.model.walking import children
from regelwerk.dsl.source import Span

Key = object
"""What is read or written: a symbol, or a pair of a word and a symbol."""

Way = Literal["set", "add", "take"]
"""How something is written; what is only added to, or only taken from, may be written in any order."""

VERBS: dict[type, str] = {t.Gain: "gain", t.Lose: "lose", t.Move: "move", t.Draw: "draw", t.Roll: "roll"}


@dataclass
class Footprint:
    """What is read and written; for each key the first place of an access of others' and of one's own."""

    reads: dict[tuple[Key, bool], Span] = field(default_factory=dict)
    writes: dict[tuple[Key, bool, Way], Span] = field(default_factory=dict)

    def disturbs(self, other: Footprint) -> tuple[Key, Span, Span] | None:
        """What this writes and another player in the same situation reads: the key, where it is read, where written."""
        for (key, own, _), written in self.writes.items():
            for each in (False, True):
                if (key, each) in other.reads and not (own and each):
                    return key, other.reads[key, each], written
        return None

    def commutes(self, other: Footprint) -> bool:
        """Whether it makes no difference which of the two happens first, for one player."""
        return not (self._meets(other) or other._meets(self))

    def _meets(self, other: Footprint) -> bool:
        read = {key for key, _ in other.reads}
        ways: dict[Key, set[Way]] = {}
        for key, _, way in other.writes:
            ways.setdefault(key, set()).add(way)
        return any(key in read or (key in ways and (way == "set" or ways[key] != {way})) for key, _, way in self.writes)


class Footprints:
    """Finds the footprints of one game's rules; each body once for each set of slots that are the player himself."""

    def __init__(self, c: Context, zones: Iterable[g.ZoneSymbol]) -> None:
        self.c = c
        self.zones: dict[g.EntitySymbol, list[g.ZoneSymbol]] = {}
        for zone in zones:
            self.zones.setdefault(zone.entity, []).append(zone)
        self._known: dict[tuple[object, frozenset[int]], Footprint] = {}
        self._open: set[tuple[object, frozenset[int]]] = set()

    def choice(self, action: g.ActionSymbol) -> Footprint:
        """What decides about the options of an action: head, limit, requirements, costs, the rules on them."""
        walk = _Walk(self, Footprint(), {0})
        walk.read(action.head)
        walk.read(action.prompt)
        if action.limit is not None:
            walk.read(action.limit.at_most)
            walk.reads(("past", action), True, action.span)
        for clause in action.clauses:
            if isinstance(clause, tuple):
                walk.read(clause[1])
                continue
            walk.read(clause.condition)
            if isinstance(clause, g.CostSymbol):
                walk.amount(clause.amount, lambda key, span: walk.reads(key, True, span), clause.span)
            for role in clause.roles:
                walk.role(role, True)
        for role in action.roles:
            if role.kind == "forbid":
                walk.role(role, True)
        return walk.found

    def deed(self, action: g.ActionSymbol) -> Footprint:
        """What an action reads and writes when it happens."""
        walk = _Walk(self, Footprint(), {0})
        walk.action(action, True)
        return walk.found

    def rule(self, role: g.Role) -> Footprint:
        """What a reaction reads and writes; `me` is its holder."""
        return self.body(("rule", role), frozenset({0}), lambda walk: walk.role(role, True))

    def reading(self, parts: list[object]) -> Footprint:
        """What some expressions read, for nobody in particular."""
        walk = _Walk(self, Footprint(), set())
        for part in parts:
            walk.read(part)
        return walk.found

    def body(self, symbol: object, own: frozenset[int], work: Callable[[_Walk], None]) -> Footprint:
        """The footprint of a body, found once."""
        key = (symbol, own)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = Footprint()
            if key not in self._open:
                self._open.add(key)
                work(_Walk(self, known, set(own)))
                self._open.discard(key)
        return known


class _Walk:
    """A walk through one body. `own`: the slots that hold the player himself; `origin`: the zones that the things in a
    slot come from."""

    def __init__(self, all_: Footprints, found: Footprint, own: set[int]) -> None:
        self.all = all_
        self.found = found
        self.own = own
        self.origin: dict[int, list[tuple[Key, bool]]] = {}

    def reads(self, key: Key, own: bool, span: Span) -> None:
        self.found.reads.setdefault((key, own), span)

    def writes(self, key: Key, own: bool, span: Span, way: Way = "set") -> None:
        self.found.writes.setdefault((key, own, way), span)

    def _include(self, inner: Footprint) -> None:
        for (key, own), span in inner.reads.items():
            self.reads(key, own, span)
        for (key, own, way), span in inner.writes.items():
            self.writes(key, own, span, way)

    def _is_own(self, node: x.Expr | None) -> bool:
        return isinstance(node, x.Local) and node.slot in self.own

    def _inside(self, symbol: object, places: dict[int, x.Expr], *parts: object) -> None:
        """Include the bodies of something that is called; `places`: what its slots stand for."""
        own = frozenset(slot for slot, e in places.items() if self._is_own(e))

        def work(walk: _Walk) -> None:
            for part in parts:
                walk.part(part)

        self._include(self.all.body(symbol, own, work))

    def part(self, node: object) -> None:
        """A statement, or what is only read."""
        if isinstance(node, t.Stmt):
            self.statement(node)
        elif isinstance(node, list):
            for each in node:
                self.part(each)
        elif isinstance(node, g.Role):
            self.role(node, 0 in self.own)
        else:
            self.read(node)

    # ------------------------------------------------------------------------------------------------------- reading
    def read(self, node: object) -> None:
        """All that an expression, head, text or amount reads."""
        if node is None:
            return
        if isinstance(node, x.StateRead):
            self.reads(node.symbol, self._is_own(node.key), node.span)
        elif isinstance(node, x.TrackRead):
            self.reads(node.symbol, self._is_own(node.player), node.span)
        elif isinstance(node, x.ResourceRead):
            bank = isinstance(node.holder, x.Bank)
            self.reads(("bank", node.symbol) if bank else node.symbol, self._is_own(node.holder), node.span)
        elif isinstance(node, x.CanPay):
            own = self._is_own(node.me)
            self.amount(node.amount, lambda key, span: self.reads(key, own, span), node.span)
        elif isinstance(node, x.ZoneRef):
            self.reads(node.symbol, self._is_own(node.key), node.span)
        elif isinstance(node, x.ThingAttribute) and node.attribute in ("holder", "place"):
            kind = strip(member_of(node.thing.type) or node.thing.type)
            for zone in self.all.zones.get(kind.symbol, []) if isinstance(kind, ThingType) else []:
                self.reads(zone, False, node.span)
        elif isinstance(node, x.FaceRead):
            self.reads("faces", False, node.span)
        elif isinstance(node, x.Active):
            self.reads("active", False, node.span)
        elif isinstance(node, x.HistoryRead):
            own = self._is_own(node.actor) and not node.question.any_actor
            self.reads(("past", node.question.event), own, node.span)
        elif isinstance(node, x.AwardHolder):
            self._inside(node.symbol, {}, node.symbol.measure)
        elif isinstance(node, x.Call | x.CanDo | x.CellTest | x.CanCell | x.ScoreRead | x.CanOffer):
            self._called(node)
        elif isinstance(node, x.ConstantRead):
            self.part(list(node.symbol.roles))
        elif isinstance(node, x.ColumnRead):
            self.part(list(node.column.roles))
        elif isinstance(node, x.Binder):
            self._bound(node.slot, node.source)
        for each in children(node):
            self.read(each)

    def _called(self, node: x.Expr) -> None:
        if isinstance(node, x.Call):
            places = dict(zip(node.symbol.slots, node.arguments, strict=False))
            self._inside(node.symbol, places, node.symbol.body, list(node.symbol.roles))
        elif isinstance(node, x.CanDo):
            places = {0: node.me, **dict(zip(node.symbol.slots, node.arguments, strict=False))}
            requirements = [each.condition for each in node.symbol.requirements]
            self._inside(("can", node.symbol), places, requirements, node.symbol.can)
        elif isinstance(node, x.CellTest):
            tests = [cell[1] for cell in node.column.cells if isinstance(cell, tuple)]
            self._inside(node.column, {0: node.me, 1: node.thing}, tests)
        elif isinstance(node, x.CanCell):
            cells = [cell.can for cell in node.column.cells if isinstance(cell, g.CellBody)]
            self._inside(("can", node.column), {0: node.me, 1: node.thing}, cells)
        elif isinstance(node, x.ScoreRead):
            self._inside(node.symbol, {0: node.player}, [line.value for line in node.symbol.lines])
        elif isinstance(node, x.CanOffer):
            for action in node.actions:
                self._include(self.all.choice(action))

    def amount(self, amount: t.Amount, note: Callable[[Key, Span], None], span: Span) -> None:
        """The resources and tracks an amount speaks of, each noted; and what its counts read."""
        for unit, count in amount.parts:
            note(unit.symbol if isinstance(unit, g.Unit) else unit[0], span)
            self.read(count)
            if not isinstance(unit, g.Unit):
                self.read(unit[1])
        for tally in amount.tallies:
            kind = strip(tally.type)
            counted = kind.symbol if isinstance(kind, TallyType) else None
            for unit in self.all.c.unit_list:
                if counted is None or getattr(unit.symbol, "kinds", None) is counted:
                    note(unit.symbol, span)
            self.read(tally)

    def _bound(self, slot: int, source: x.Expr | None) -> None:
        """Remember where the things in a slot come from."""
        found = self._zones_of(source)
        if found is not None:
            self.origin[slot] = found

    def _zones_of(self, node: x.Expr | None) -> list[tuple[Key, bool]] | None:
        """The zones in which things lie, or None if they may lie anywhere."""
        if isinstance(node, x.Contents | x.ZoneEnd | x.ZoneTop) and isinstance(node.zone, x.ZoneRef):
            return [(node.zone.symbol, self._is_own(node.zone.key))]
        if isinstance(node, x.Filter | x.Pick | x.ToSet | x.ToList | x.Sorted):
            return self._zones_of(node.collection)
        if isinstance(node, x.Present):
            return self._zones_of(node.value)
        if isinstance(node, x.Quantified) and len(node.head.binders) == 1:
            return self._zones_of(node.head.binders[0].source)
        if isinstance(node, x.Local):
            return self.origin.get(node.slot)
        return None

    # ------------------------------------------------------------------------------------------------------- writing
    def statement(self, node: t.Stmt) -> None:
        """A statement and everything that follows from it."""
        span = node.span
        if isinstance(node, t.Gain | t.Lose | t.Pay):
            own = self._is_own(node.me)
            way: Way = "add" if isinstance(node, t.Gain) else "take" if isinstance(node, t.Lose) else "set"
            back: Way = "take" if isinstance(node, t.Gain) else "add" if isinstance(node, t.Lose) else "set"
            self._paid(node.amount, own, way, back, span)
            if isinstance(node, t.Gain):
                self._overflows(node)
        elif isinstance(node, t.Transfer):
            for party in (node.giver, node.receiver):
                own, bank = self._is_own(party), isinstance(party, x.Bank)
                self.amount(
                    node.amount,
                    lambda key, at, own=own, bank=bank: self.writes(("bank", key) if bank else key, own, at),  # type: ignore[misc]  # bound now
                    span,
                )
        elif isinstance(node, t.Move | t.Draw):
            self._moved(node)
        elif isinstance(node, t.Shuffle):
            self.read(node.zone)
            for zone in (node.zone, node.into):
                if isinstance(zone, x.ZoneRef):
                    self.writes(zone.symbol, self._is_own(zone.key), span)
        elif isinstance(node, t.SetState):
            self.writes(node.symbol, self._is_own(node.key), span)
        elif isinstance(node, t.SetTrack):
            self.writes(node.symbol, self._is_own(node.player), span)
        elif isinstance(node, t.ShuffleState):
            self.writes(node.symbol, False, span)
        elif isinstance(node, t.Roll | t.SetFace):
            self.writes("faces", False, span)
        elif isinstance(node, t.Do):
            self._do(node)
        elif isinstance(node, t.DoCell):
            cells = [cell.body for cell in node.column.cells if isinstance(cell, g.CellBody)]
            places = {0: node.me, 1: node.thing, **{2 + k: e for k, e in enumerate(node.arguments)}}
            self._inside(("do", node.column), places, cells)
        elif isinstance(node, t.Offer):
            for action in node.actions:
                self._include(self.all.choice(action))
                self.action(action, self._is_own(node.me))
        elif isinstance(node, t.Acting):
            if self._is_own(node.player):
                self.own.add(node.slot)
        elif isinstance(node, t.Let):
            self._bound(node.slot, node.value)
        self._verb(node)
        for each in children(node):
            self.part(each) if isinstance(each, t.Stmt) else self._child(each)

    def _child(self, node: object) -> None:
        if isinstance(node, t.Alternative):
            self.read(node.condition)
            self.read(node.label)
            self.statement(node.body)
        elif not isinstance(node, t.Amount):
            self.read(node)

    def _paid(self, amount: t.Amount, own: bool, way: Way, back: Way, span: Span) -> None:
        def note(key: Key, at: Span) -> None:
            self.writes(key, own, at, way)
            if isinstance(key, g.ResourceSymbol):
                self.writes(("bank", key), False, at, back)

        self.amount(amount, note, span)

    def _overflows(self, node: t.Gain) -> None:
        for unit, _ in node.amount.parts:
            symbol = unit.symbol if isinstance(unit, g.Unit) else None
            if isinstance(symbol, g.TrackSymbol) and symbol.overflow_body is not None:
                self.writes(symbol, self._is_own(node.me), node.span)
                self._inside(symbol, {0: node.me}, symbol.overflow_body)

    def _moved(self, node: t.Move | t.Draw) -> None:
        zone = node.zone
        if isinstance(zone, x.ZoneRef):
            self.writes(zone.symbol, self._is_own(zone.key), node.span)
            entity = zone.symbol.entity
        else:
            kind = strip(zone.type)
            if not isinstance(kind, ZoneType):  # what is wrong with it was reported
                return
            entity = kind.symbol
            for each in self.all.zones.get(entity, []):
                self.writes(each, False, node.span)
        if isinstance(node, t.Draw):
            source = node.source
            found = [(source.symbol, self._is_own(source.key))] if isinstance(source, x.ZoneRef) else None
        else:
            found = self._zones_of(node.things)  # type: ignore[assignment]  # keys are symbols here
        for key, own in found if found is not None else [(each, False) for each in self.all.zones.get(entity, [])]:
            self.writes(key, own, node.span)

    def _do(self, node: t.Do) -> None:
        symbol = node.symbol
        own = self._is_own(node.me)
        if symbol.questions:
            self.writes(("past", symbol), own, node.span)
        places = {0: node.me, **dict(zip(symbol.slots, node.arguments, strict=False))}
        requirements = [each.condition for each in symbol.requirements]
        self._inside(symbol, places, requirements, symbol.body, list(symbol.roles))

    def action(self, symbol: g.ActionSymbol, own: bool) -> None:
        """An action happens: its costs, its effect, the rules around it."""
        slots = frozenset({0}) if own else frozenset()

        def work(walk: _Walk) -> None:
            walk.read(symbol.head)
            walk.writes(("past", symbol), own, symbol.span)
            walk.writes(("past", "action"), own, symbol.span)
            for clause in symbol.clauses:
                if isinstance(clause, g.CostSymbol):
                    walk._paid(clause.amount, own, "set", "set", clause.span)
            if symbol.body is not None:
                walk.statement(symbol.body)
            for role in symbol.roles:
                if role.kind != "forbid":
                    walk.role(role, own)

        self._include(self.all.body(("deed", symbol), slots, work))

    def _verb(self, node: t.Stmt) -> None:
        name = VERBS.get(type(node))
        if name is None:
            return
        verb, me = self.all.c.verbs[name], getattr(node, "me", None)
        if verb.questions:
            self.writes(("past", verb), self._is_own(me), node.span)
        roles = concerned(verb.roles, node, self.all.c.unit_list)
        if roles:
            self._inside((verb, *roles), {0: me} if isinstance(me, x.Expr) else {}, roles)

    def role(self, role: g.Role, own: bool) -> None:
        """A rule: where it holds, its guards, what it changes or does."""
        mine = own and not role.by_anyone
        if role.row is not None and role.row.entity.live_in is not None:
            self.reads(role.row.entity.live_in, mine, role.span)
        slots = frozenset({0}) if mine else frozenset()

        def work(walk: _Walk) -> None:
            for guard in role.guards:
                walk.read(guard)
            walk.read(role.value)
            walk.read(role.amount)
            if role.body is not None:
                walk.statement(role.body)

        self._include(self.all.body(role, slots, work))
