"""Which effects can suspend, what statements write, and what the laws read.

A statement suspends if it contains a decision or chance, or if a rule may react to it. A law (an award or an end `at
once`) is settled after every statement that writes something the law reads, and after no other.
"""

from __future__ import annotations

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.concern import concerned
from regelwerk.dsl.model.types import IntType, TallyType, ZoneType
from regelwerk.interpreter.evaluation.base import walk
from regelwerk.interpreter.ir import Laws

SUSPENDING = (t.Choose, t.Alternatives, t.Offer, t.Roll, t.Draw, t.RandomPick, t.ShuffleState, t.SubPhase)

ANYTHING = "anything"
"""What a law reads that asks something whose writing is not followed: it is settled wherever any law is."""
UNFOLLOWED = (x.HistoryRead, x.CanPay, x.CanDo, x.CanCell, x.CanOffer, x.HasRoom)


class Colours:
    """The colours of one game."""

    def __init__(self, game: g.CheckedGame) -> None:
        self.game = game
        self._effects: dict[g.EffectSymbol, bool] = {}
        self._columns: dict[g.ColumnSymbol, bool] = {}
        self._tracks: dict[g.TrackSymbol, bool] = {}
        self._spill = any(track.overflow_body is not None for track in game.tracks)
        self.hidden = {zone.entity for zone in game.zones if zone.seen_by != "all"}
        """The types of things that can lie where somebody does not see them."""
        self._showing = {
            entity: [z for z in game.zones if z.entity is entity and z.top_visible and z.order == "pile"]
            for entity in game.entities
        }
        self._awards = [_Reads.of(award.measure, award.at_least) for award in game.awards]
        for number, reads in enumerate(self._awards):
            if reads & set(game.awards[number:]):
                reads.add(ANYTHING)  # what comes after it is given anew too late for it
        self._ends = [_Reads.of(end.condition) if end.at_once else set() for end in game.ends]
        self.all_laws = Laws(
            tuple(range(len(game.awards))), tuple(number for number, end in enumerate(game.ends) if end.at_once)
        )
        self._settled: dict[frozenset[object], Laws] = {}

    # ------------------------------------------------------------------------------------------------------- colours
    def verb(self, node: t.Stmt) -> g.VerbSymbol | None:
        """The built-in event that a statement is, if rules react to it."""
        name = {t.Gain: "gain", t.Lose: "lose", t.Move: "move", t.Draw: "draw", t.Roll: "roll"}.get(type(node))
        found = self.game.verbs[name] if name is not None else None
        return found if found is not None and concerned(found.roles, node, self.game.units) else None

    def suspends(self, node: t.Stmt) -> bool:
        """Whether a statement can suspend (or must be lowered because rules react to it)."""
        for each in walk(node):
            if isinstance(each, SUSPENDING):
                return True
            if isinstance(each, t.Stmt) and self.verb(each) is not None:
                return True
            if isinstance(each, t.Move | t.Reveal) and self.tops(each.things):
                return True
            if isinstance(each, t.Move | t.Shuffle) and self.shown_piles(each):
                return True
            if isinstance(each, t.Do) and self.effect(each.symbol):
                return True
            if isinstance(each, t.DoCell) and self.column(each.column):
                return True
            if isinstance(each, t.Step) and each.symbol.roles:
                return True
            if isinstance(each, t.Gain | t.Transfer) and self.spilling(each.amount):
                return True
        return False

    def tops(self, things: x.Expr) -> list[tuple[x.Expr, x.Expr]]:
        """The piles from whose top things are taken, with how many."""
        found: list[tuple[x.Expr, x.Expr]] = []
        inner = things.value if isinstance(things, x.Present) else things
        inner = inner.collection if isinstance(inner, x.ToSet) else inner
        if isinstance(inner, x.ZoneTop):
            found.append((inner.zone, inner.count))
        elif isinstance(inner, x.ZoneEnd) and inner.end == "last":
            one = x.Const(IntType(1, 1), inner.span, 1)
            found.append((inner.zone, one))
        return [each for each in found if isinstance(each[0].type, ZoneType) and each[0].type.ordered]

    def shown_piles(self, node: t.Stmt) -> list[g.ZoneSymbol]:
        """The piles that show their top and may have another one after a statement."""
        if isinstance(node, t.Move | t.Draw | t.Shuffle):
            kind = node.zone.type
            return self._showing.get(kind.symbol, []) if isinstance(kind, ZoneType) else []
        return []

    def spilling(self, amount: t.Amount) -> list[g.TrackSymbol]:
        """The tracks of an amount that ask somebody, or leave something to chance, when they overflow."""
        if not self._spill:
            return []
        found = [u.symbol for u, _ in amount.parts if isinstance(u, g.Unit) and isinstance(u.symbol, g.TrackSymbol)]
        if any(isinstance(each.type, TallyType) and each.type.symbol is None for each in amount.tallies):
            found += self.game.tracks
        return [track for track in dict.fromkeys(found) if self.track(track)]

    def track(self, symbol: g.TrackSymbol) -> bool:
        """Whether what happens when a track overflows can suspend."""
        known = self._tracks.get(symbol)
        if known is None:
            self._tracks[symbol] = False
            known = symbol.overflow_body is not None and self.suspends(symbol.overflow_body)
            self._tracks[symbol] = known
        return known

    def effect(self, symbol: g.EffectSymbol) -> bool:
        """Whether a named effect is a proc."""
        known = self._effects.get(symbol)
        if known is None:
            self._effects[symbol] = False
            assert symbol.body is not None
            known = bool([r for r in symbol.roles if r.kind in ("before", "after", "instead")]) or self.suspends(
                symbol.body
            )
            self._effects[symbol] = known
        return known

    def column(self, symbol: g.ColumnSymbol) -> bool:
        """Whether a cell of a column of effects is a proc."""
        known = self._columns.get(symbol)
        if known is None:
            self._columns[symbol] = False
            known = any(isinstance(cell, g.CellBody) and self.suspends(cell.body) for cell in symbol.cells)
            self._columns[symbol] = known
        return known

    # ---------------------------------------------------------------------------------------------------------- laws
    def touched(self, writes: set[object]) -> Laws:
        """The laws that read something of what is written."""
        key = frozenset(writes)
        known = self._settled.get(key)
        if known is None:
            known = self._settled[key] = self._touched(key)
        return known

    def _touched(self, writes: frozenset[object]) -> Laws:
        if any(reads & writes for reads in (*self._awards, *self._ends)):
            writes |= {ANYTHING}
        awards: set[int] = set()
        while found := {k for k, reads in enumerate(self._awards) if k not in awards and reads & writes}:
            awards |= found
            writes |= {self.game.awards[k] for k in found}
        return Laws(tuple(sorted(awards)), tuple(k for k, reads in enumerate(self._ends) if reads & writes))

    def inside(self, body: t.Stmt) -> Laws:
        """The laws that read something of what is written anywhere in a statement."""
        found: set[object] = set()
        for each in walk(body):
            if isinstance(each, t.Do | t.DoCell | t.Offer | t.SubPhase):
                return self.all_laws
            if isinstance(each, t.Stmt):
                if self.verb(each) is not None:
                    return self.all_laws
                found |= self.writes(each)
        return self.touched(found)

    def writes(self, node: t.Stmt) -> set[object]:
        """What a simple statement writes."""
        if isinstance(node, t.Gain | t.Lose | t.Pay | t.Transfer):
            return self.amount_writes(node.amount)
        if isinstance(node, t.Move | t.Draw | t.SetZone):
            zone = node.zone.type
            return {("zone", getattr(zone, "symbol", None)), "zones"}
        if isinstance(node, t.Shuffle):
            return {("zone", getattr(node.zone.type, "symbol", None)), "zones"} if node.into is not None else set()
        if isinstance(node, t.SetState | t.SetTrack | t.SetResource | t.ShuffleState):
            return {node.symbol}
        if isinstance(node, t.SetFace | t.Roll):
            return {"faces"}
        return set()

    def amount_writes(self, amount: t.Amount) -> set[object]:
        """The resources and tracks an amount speaks of."""
        found: set[object] = {unit.symbol if isinstance(unit, g.Unit) else unit[0] for unit, _ in amount.parts}
        if amount.tallies:
            found |= {unit.symbol for unit in self.game.units}
        return found

    def cost_writes(self, action: g.ActionSymbol) -> set[object]:
        """What paying for an action writes."""
        found: set[object] = set()
        for clause in action.clauses:
            if isinstance(clause, g.CostSymbol):
                found |= self.amount_writes(clause.amount)
                for role in clause.roles:
                    if role.amount is not None:
                        found |= self.amount_writes(role.amount)
        return found


class _Reads:
    """Collects what a law reads: symbols, types of things that lie in zones, and a word for all else."""

    def __init__(self) -> None:
        self.found: set[object] = set()
        self._seen: set[object] = set()

    @classmethod
    def of(cls, *nodes: x.Expr | None) -> set[object]:
        """What some expressions read."""
        reads = cls()
        for node in nodes:
            reads.read(node)
        return reads.found

    def read(self, node: x.Expr | None) -> None:
        """Note what one expression reads."""
        if node is None:
            return
        for each in walk(node):
            if isinstance(each, (x.StateRead, x.TrackRead | x.ResourceRead)):
                self.found.add(each.symbol)
            elif isinstance(each, x.ZoneRef):
                self.found.add(("zone", each.symbol.entity))
            elif isinstance(each, x.ThingAttribute) and each.attribute in ("holder", "place"):
                self.found |= {("zone", each.type), "zones"}
            elif isinstance(each, x.FaceRead):
                self.found.add("faces")
            elif isinstance(each, x.Active):
                self.found.add("active")
            elif isinstance(each, x.AwardHolder):
                self.found.add(each.symbol)
            elif isinstance(each, UNFOLLOWED):
                self.found.add(ANYTHING)
            elif isinstance(each, x.Call | x.ScoreRead | x.CellTest):
                self._called(each)

    def _called(self, node: x.Call | x.ScoreRead | x.CellTest) -> None:
        symbol = node.column if isinstance(node, x.CellTest) else node.symbol
        if symbol in self._seen:
            return
        self._seen.add(symbol)
        if isinstance(symbol, g.ColumnSymbol):
            for cell in symbol.cells:
                if isinstance(cell, tuple):
                    self.read(cell[1])
        elif isinstance(symbol, g.ScoreSymbol):
            for line in symbol.lines:
                self.read(line.value)
        else:
            self.read(symbol.body)
            for role in symbol.roles:
                self._role(role)

    def _role(self, role: g.Role) -> None:
        for guard in role.guards:
            self.read(guard)
        self.read(role.value)
        if role.row is not None:
            self.found.add(("zone", role.row.entity))
