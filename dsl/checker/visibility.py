"""Whether an expression reads what one player may not see (language, section 11).

Hidden are: what lies in a zone that he does not see; of a resource per kind, how much there is of which kind; a state
that he does not see; where a thing is (and what a die shows) if he was not given it by a place that he sees. How many
things lie in a zone, and whether there are any, is never hidden.

A `Reader` stands for one player at one place of the rules: the locals that are he (`own`), the locals that may be any
thing of a type (`anything`), the locals that hold something hidden, and what was revealed to him before. Values, tests
and scores are followed into their bodies with the reader's place in them.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import PLAYER, ThingType, member_of, strip
from regelwerk.dsl.model.walking import children

ME = 0
"""The slot of `me` in every frame."""


@dataclass(frozen=True)
class Hidden:
    """Something hidden that is read: what (its declaration), where, in words."""

    symbol: g.ZoneSymbol | g.ResourceSymbol | g.StateSymbol
    where: x.Expr
    words: str


@dataclass(frozen=True)
class Surroundings:
    """What the checker knows of the whole game: in which zone a type of things can be hidden, and the binders of
    `random`."""

    hiding: dict[g.EntitySymbol, g.ZoneSymbol]
    random: frozenset[int]


Shown = tuple[g.ZoneSymbol, int | None, bool]
"""A zone that was shown: its symbol, the slot of its key, and whether only its top was."""


@dataclass
class Reader:
    """One player at one place of the rules."""

    game: Surroundings
    own: frozenset[int]
    anything: set[int] = field(default_factory=set)
    tainted: dict[int, Hidden] = field(default_factory=dict)
    shown: set[Shown] = field(default_factory=set)
    calls: frozenset[object] = frozenset()

    # ------------------------------------------------------------------------------------------------------- reading
    def read(self, node: object) -> Hidden | None:
        """The first hidden thing that an expression, head, text or amount reads."""
        if node is None:
            return None
        special = getattr(self, f"_{type(node).__name__}", None)
        if special is not None:
            found: Hidden | None = special(node)
            return found
        return self._first(children(node))

    def _first(self, nodes: object) -> Hidden | None:
        for each in nodes:  # type: ignore[attr-defined]  # any iterable
            found = self.read(each)
            if found is not None:
                return found
        return None

    # --------------------------------------------------------------------------------------------------------- zones
    def hides(self, zone: x.Expr, top: bool = False) -> g.ZoneSymbol | None:
        """The zone that an expression stands for, if the reader does not see what lies in it (or on its top)."""
        if isinstance(zone, x.ZoneRef):
            symbol, key = zone.symbol, zone.key
            if symbol.seen_by == "all" or (top and symbol.top_visible):
                return None
            if symbol.seen_by == "owner" and isinstance(key, x.Local) and key.slot in self.own:
                return None
            place = key.slot if isinstance(key, x.Local) else None
            shown = (symbol, place, False) in self.shown or (top and (symbol, place, True) in self.shown)
            return None if shown and (key is None or place is not None) else symbol
        if isinstance(zone, x.Select):
            return self.hides(zone.consequence, top) or self.hides(zone.alternative, top)
        if isinstance(zone, x.Call) and zone.symbol.body is not None and zone.symbol not in self.calls:
            return self._inside(zone).hides(zone.symbol.body, top)
        return None

    def _contents(self, zone: x.Expr, where: x.Expr, top: bool = False) -> Hidden | None:
        symbol = self.hides(zone, top)
        if symbol is not None:
            return Hidden(symbol, where, f"what lies in `{symbol.name}`")
        return self._first(children(zone))

    def _Contents(self, node: x.Contents) -> Hidden | None:
        return self._contents(node.zone, node)

    def _ZoneEnd(self, node: x.ZoneEnd) -> Hidden | None:
        return self._contents(node.zone, node, node.end == "last") or self.read(node.place)

    def _ZoneTop(self, node: x.ZoneTop) -> Hidden | None:
        symbol = self.hides(node.zone, True)
        if symbol is None and isinstance(node.zone, x.ZoneRef) and node.zone.symbol.top_visible:
            shown = any(each[0] is node.zone.symbol for each in self.shown)
            if not shown and not (isinstance(node.count, x.Const) and node.count.value == 1):
                symbol = self.hides(node.zone)
        if symbol is not None:
            return Hidden(symbol, node, f"what lies in `{symbol.name}`")
        return self._first(children(node.zone)) or self.read(node.count)

    def _ZoneCount(self, node: x.ZoneCount) -> Hidden | None:
        return self._first(children(node.zone))

    def _HasRoom(self, node: x.HasRoom) -> Hidden | None:
        return self._first(children(node.zone))

    def _Count(self, node: x.Count) -> Hidden | None:
        if isinstance(node.collection, x.Contents):
            return self._first(children(node.collection.zone))
        return self.read(node.collection)

    def _Equal(self, node: x.Equal) -> Hidden | None:
        if isinstance(node.left, x.ZoneEnd) and isinstance(node.right, x.Const) and node.right.value == 0:
            return self._first(children(node.left.zone))  # whether there is any
        return self.read(node.left) or self.read(node.right)

    # ------------------------------------------------------------------------------------------------ goods and states
    def _StateRead(self, node: x.StateRead) -> Hidden | None:
        symbol = node.symbol
        own = symbol.key == PLAYER and isinstance(node.key, x.Local) and node.key.slot in self.own
        if symbol.seen_by in ("nobody", "count") or (symbol.seen_by == "owner" and not own):
            return Hidden(symbol, node, f"`{symbol.name}`")
        return self.read(node.key)

    def _goods(self, symbol: g.ResourceSymbol, holder: x.Expr, where: x.Expr) -> Hidden | None:
        if symbol.kinds is None or symbol.seen_by == "all" or isinstance(holder, x.Bank):
            return None
        if symbol.seen_by == "owner" and isinstance(holder, x.Local) and holder.slot in self.own:
            return None
        return Hidden(symbol, where, f"of which kinds somebody's `{symbol.plural or symbol.name}` are")

    def _ResourceRead(self, node: x.ResourceRead) -> Hidden | None:
        return self._goods(node.symbol, node.holder, node) or self.read(node.holder) or self.read(node.unit)

    def _TallyTotal(self, node: x.TallyTotal) -> Hidden | None:
        if isinstance(node.tally, x.ResourceRead):
            return self.read(node.tally.holder)
        return self.read(node.tally)

    def _CanPay(self, node: x.CanPay) -> Hidden | None:
        return self.affords(node.amount, node.me, node) or self._first(children(node))

    def affords(self, amount: t.Amount, payer: x.Expr, where: x.Expr) -> Hidden | None:
        """Whether somebody can pay an amount reads what he has of its kinds."""
        for unit, _ in amount.parts:
            symbol = unit.symbol if isinstance(unit, g.Unit) else unit[0]
            found = self._goods(symbol, payer, where) if isinstance(symbol, g.ResourceSymbol) else None
            if found is not None:
                return found
        return None

    # --------------------------------------------------------------------------------------------------------- things
    def _FaceRead(self, node: x.FaceRead) -> Hidden | None:
        return self._place_of(node.die, node, "what a die shows") or self.read(node.die)

    def _ThingAttribute(self, node: x.ThingAttribute) -> Hidden | None:
        if node.attribute in ("holder", "place"):
            found = self._place_of(node.thing, node, "where a thing lies")
            if found is not None:
                return found
        return self.read(node.thing)

    def _place_of(self, thing: x.Expr, where: x.Expr, words: str) -> Hidden | None:
        kind = strip(member_of(thing.type) or thing.type)
        zone = self.game.hiding.get(kind.symbol) if isinstance(kind, ThingType) else None
        if zone is None or not self.may_be_any(thing):
            return None
        return Hidden(zone, where, f"{words}, and it may lie in `{zone.name}`")

    def may_be_any(self, node: x.Expr | None) -> bool:
        """Whether an expression may stand for any thing of its type, wherever it lies."""
        if isinstance(node, x.AllThings | x.RowConst):
            return True
        if isinstance(node, x.Local):
            return node.slot in self.anything
        if isinstance(node, x.Pick | x.Filter | x.ToSet | x.ToList | x.Sorted):
            return self.may_be_any(node.collection)
        if isinstance(node, x.Present):
            return self.may_be_any(node.value)
        if isinstance(node, x.Quantified):
            return self.may_be_any(node.head.binders[0].source)
        if isinstance(node, x.Select):
            return self.may_be_any(node.consequence) or self.may_be_any(node.alternative)
        if isinstance(node, x.Union):
            return self.may_be_any(node.left) or self.may_be_any(node.right)
        if isinstance(node, x.Difference):
            return self.may_be_any(node.left)
        if isinstance(node, x.SetOf | x.ListOf):
            return any(self.may_be_any(each) for each in node.items)
        if isinstance(node, x.Call) and node.symbol.body is not None and node.symbol not in self.calls:
            return self._inside(node).may_be_any(node.symbol.body)
        return False

    # --------------------------------------------------------------------------------------------- heads and locals
    def _Local(self, node: x.Local) -> Hidden | None:
        found = self.tainted.get(node.slot)
        return replace(found, where=node) if found is not None else None

    def _Filter(self, node: x.Filter) -> Hidden | None:
        found = self.read(node.collection)
        if self.may_be_any(node.collection):
            self.anything.add(node.slot)
        return found or self.read(node.condition)

    def _Map(self, node: x.Map) -> Hidden | None:
        found = self.read(node.collection)
        if self.may_be_any(node.collection):
            self.anything.add(node.slot)
        return found or self.read(node.value)

    def _LetIn(self, node: x.LetIn) -> Hidden | None:
        found = self.read(node.value)
        if self.may_be_any(node.value):
            self.anything.add(node.slot)
        return found or self.read(node.body)

    def _Quantified(self, node: x.Quantified) -> Hidden | None:
        alone = node.quantifier in ("some", "count") and node.value is None
        return self._head(node.head, alone) or self.read(node.value)

    def _Head(self, node: x.Head) -> Hidden | None:
        return self._head(node, False)

    def _head(self, node: x.Head, alone: bool) -> Hidden | None:
        """`alone`: only whether, or how often, the head can be met is asked."""
        for index, binder in enumerate(node.binders):
            if id(binder) in self.game.random:
                continue  # nature looks, and nobody else
            skipped = None
            unread = alone and isinstance(binder.source, x.Contents) and binder.condition is None and binder.key is None
            if unread and isinstance(binder.source, x.Contents):
                rest = x.Head(node.binders[index + 1 :])
                unread = not any(isinstance(each, x.Local) and each.slot == binder.slot for each in _all(rest))
                skipped = self._first(children(binder.source.zone)) if unread else None
            found = skipped if unread else self.read(binder.source)
            if found is not None:
                return found
            if self.may_be_any(binder.source):
                self.anything |= {binder.slot, binder.it_slot}
            for part in (binder.lowest, binder.highest, binder.condition, binder.key):
                found = self.read(part)
                if found is not None:
                    return found
        return None

    # ------------------------------------------------------------------------------------------------ what is called
    def _callee(self, symbol: object, places: dict[int, x.Expr]) -> Reader:
        """The reader inside a body: `places` says which expression each of its slots stands for."""
        own = frozenset(s for s, e in places.items() if isinstance(e, x.Local) and e.slot in self.own)
        anything = {slot for slot, e in places.items() if self.may_be_any(e)}
        return Reader(self.game, own, anything, {}, set(), self.calls | {symbol})

    def _inside(self, node: x.Call) -> Reader:
        return self._callee(node.symbol, dict(zip(node.symbol.slots, node.arguments, strict=False)))

    def _Call(self, node: x.Call) -> Hidden | None:
        found = self._first(node.arguments)
        symbol = node.symbol
        if found is None and symbol.body is not None and symbol not in self.calls:
            inner = self._inside(node)
            subject = node.arguments[0] if node.arguments else None
            found = inner.read(symbol.body) or self._roles(symbol.roles, subject, inner.calls)
        return replace(found, where=node) if found is not None else None

    def _roles(self, roles: list[g.Role], me: x.Expr | None, calls: frozenset[object]) -> Hidden | None:
        """What the rules on a quantity read that is asked for `me`."""
        for role in roles:
            found = self.rule(role, me, calls)
            if found is not None:
                return found
        return None

    def rule(self, role: g.Role, me: x.Expr | None, calls: frozenset[object] | None = None) -> Hidden | None:
        """What a rule that changes or forbids something for `me` reads."""
        calls = self.calls if calls is None else calls
        own = isinstance(me, x.Local) and me.slot in self.own
        inner = Reader(self.game, frozenset({ME}) if own else frozenset(), calls=calls | {role})
        if role in calls:
            return None
        zone = role.row.entity.live_in if role.row is not None else None
        if zone is not None and zone.seen_by != "all" and not (zone.seen_by == "owner" and own and not role.by_anyone):
            where = next((each for each in (*role.guards, role.value) if each is not None), None)
            if where is None:
                where = x.Const(PLAYER, role.span, 0)
            return Hidden(zone, where, f"what lies in `{zone.name}`")
        return inner._first(role.guards) or inner.read(role.value) or inner.read(role.amount)

    def _CellTest(self, node: x.CellTest) -> Hidden | None:
        found = self.read(node.thing)
        if found is None and node.column not in self.calls:
            inner = self._callee(node.column, {ME: node.me, 1: node.thing})
            found = inner._first([cell[1] for cell in node.column.cells if isinstance(cell, tuple)])
        return replace(found, where=node) if found is not None else None

    def _ColumnRead(self, node: x.ColumnRead) -> Hidden | None:
        found = self._roles(node.column.roles, node.me, self.calls) if node.column.roles else None
        return replace(found, where=node) if found is not None else self.read(node.thing)

    def _ConstantRead(self, node: x.ConstantRead) -> Hidden | None:
        found = self._roles(node.symbol.roles, node.me, self.calls) if node.symbol.roles else None
        return replace(found, where=node) if found is not None else None

    def _ScoreRead(self, node: x.ScoreRead) -> Hidden | None:
        found = None
        if node.symbol not in self.calls:
            lines = node.symbol.lines if node.line is None else [node.symbol.lines[node.line]]
            inner = self._callee(node.symbol, {ME: node.player})
            found = inner._first([line.value for line in lines])
        return replace(found, where=node) if found is not None else self.read(node.player)

    def _CanDo(self, node: x.CanDo) -> Hidden | None:
        found = self._first(node.arguments)
        symbol = node.symbol
        if found is None and symbol not in self.calls:
            places = {ME: node.me, **dict(zip(symbol.slots, node.arguments, strict=False))}
            inner = self._callee(symbol, places)
            found = inner._first([each.condition for each in symbol.requirements]) or inner.read(symbol.can)
        return replace(found, where=node) if found is not None else None

    def _CanCell(self, node: x.CanCell) -> Hidden | None:
        found = self._first([node.thing, *node.arguments])
        if found is None and node.column not in self.calls:
            places = {ME: node.me, 1: node.thing, **{2 + k: e for k, e in enumerate(node.arguments)}}
            inner = self._callee(node.column, places)
            found = inner._first([cell.can for cell in node.column.cells if isinstance(cell, g.CellBody)])
        return replace(found, where=node) if found is not None else None

    def _CanOffer(self, node: x.CanOffer) -> Hidden | None:
        return None  # the actions are judged by themselves


def _all(node: object) -> list[object]:
    found, stack = [], [node]
    while stack:
        here = stack.pop()
        found.append(here)
        stack.extend(children(here))
    return found
