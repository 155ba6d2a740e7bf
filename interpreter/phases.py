"""Phases: drivers as loops around the items, and what surrounds an activation."""

from __future__ import annotations

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import BOOL, NUMBER, PLAYER, IntType, ListType, Type
from regelwerk.dsl.source import Span
from regelwerk.interpreter import ir
from regelwerk.interpreter.colours import ANYTHING
from regelwerk.interpreter.lowering import Body, Lowering
from regelwerk.interpreter.staging import longest_answers, may_be_staged


class PhaseBody(Body):
    """A phase: drivers as loops around its items."""

    def __init__(
        self, lowering: Lowering, proc: ir.Proc, symbol: g.PhaseSymbol, declared: g.PhaseSymbol | None = None
    ) -> None:
        super().__init__(lowering, proc)
        self.symbol = symbol
        self.declared = declared or symbol

    def lower(self) -> None:
        """Write all blocks."""
        span, drivers = self.symbol.span, list(self.symbol.drivers)
        while drivers and isinstance(driver := drivers[0], g.WhenDriver):
            begin, leave = self.proc.block(), self.proc.block()
            self.finish(ir.Branch(span, driver.condition, begin, leave))
            leave.end = ir.Return(span)
            self.block = begin
            drivers.pop(0)
        self._activation(drivers)
        self.finish(ir.Return(span))

    def _activation(self, drivers: list[g.Driver]) -> None:
        """What surrounds one activation: resets, rules before and after, ends after the phase."""
        symbol, span = self.symbol, self.symbol.span
        game = self.lowering.game
        self.counted = next((each for each in drivers if isinstance(each, g.LoopDriver)), None)
        if self.counted is None:
            self._count_pass()
        self.add(ir.Enter(span, self.declared))
        if self.colours.all_laws:
            self.add(ir.Settle(span, self.colours.touched({ANYTHING})))
        self.roles([r for r in symbol.roles if r.kind == "before"], [], span, True)
        self._driven(drivers)
        self.roles([r for r in symbol.roles if r.kind == "after"], [], span, True)
        for end in game.ends:
            if end.after is self.declared:
                self.add(ir.TestEnd(span, end))

    def _driven(self, drivers: list[g.Driver]) -> None:
        """The items, as often and for whom the drivers say; the first of them is the outermost."""
        if not drivers:
            for item in self.symbol.items:
                self.statement(item)
            return
        driver, inner = drivers[0], drivers[1:]
        if isinstance(driver, g.TurnsDriver):
            self._turns(driver, inner)
        elif isinstance(driver, g.ForDriver):
            self._each(driver, inner)
        elif isinstance(driver, g.TogetherDriver):
            self._together(driver)
        elif isinstance(driver, g.LoopDriver):
            self._loops(driver, inner)
        else:
            self._only_when(driver, inner)

    def _only_when(self, driver: g.WhenDriver, inner: list[g.Driver]) -> None:
        begin, then = self.proc.block(), self.proc.block()
        self.finish(ir.Branch(self.symbol.span, driver.condition, begin, then))
        self.block = begin
        self._driven(inner)
        self.finish(ir.Jump(self.symbol.span, then))
        self.block = then

    def _restore_me(self, slot: int) -> None:
        """Who acts after a driver is who acted before it."""
        self.add(ir.SetLocal(self.symbol.span, 0, x.Local(PLAYER, self.symbol.span, slot)))

    def _count_pass(self) -> None:
        cap = self.lowering.game.cap
        if cap is not None and cap[1] is self.declared:
            self.add(ir.CountPass(self.symbol.span, cap[0]))

    def _loops(self, driver: g.LoopDriver, inner: list[g.Driver]) -> None:
        span = self.symbol.span
        head, body, then = self.proc.block(), self.proc.block(), self.proc.block()
        self.finish(ir.Jump(span, head))
        head.end = ir.Branch(span, driver.until, then, body) if driver.until is not None else ir.Jump(span, body)
        self.block = body
        if driver is self.counted:
            self._count_pass()
        self._driven(inner)
        self.finish(ir.Jump(span, head))
        self.block = then

    def _take_turn(self, span: Span) -> None:
        self.add(ir.SetActive(span, 0))
        self.add(ir.Enter(span, "turn"))
        if self.lowering.game.cap is not None and self.lowering.game.cap[1] == "turn":
            self.add(ir.CountPass(span, self.lowering.game.cap[0]))
        self.settle(self.colours.touched({"active"}), span)

    def _turns(self, driver: g.TurnsDriver, inner: list[g.Driver]) -> None:
        span, proc = self.symbol.span, self.proc
        head, then = proc.block(), proc.block()
        self.add(ir.SetLocal(span, driver.outside_slot, x.Local(PLAYER, span, 0)))
        if driver.first is not None:
            self.add(ir.SetLocal(span, driver.start_slot, driver.first))
            self.add(ir.SetLocal(span, driver.count_slot, x.Const(IntType(0, 0), span, 0)))
            someone = x.Negation(
                BOOL, span, x.Equal(BOOL, span, x.Local(PLAYER, span, driver.start_slot), x.Const(PLAYER, span, 0))
            )
            self.finish(ir.Branch(span, someone, head, then))
        else:
            self.finish(ir.Jump(span, head))
        self.block = head
        if driver.condition is not None:
            going = proc.block()
            self.finish(ir.Branch(span, driver.condition, going, then))
            self.block = going
        if driver.first is not None:
            self.add(ir.NextSeat(span, 0, driver.start_slot))
        elif driver.following is not None:
            self.add(ir.SetLocal(span, 0, driver.following))
            some = proc.block()
            nobody = x.Equal(BOOL, span, x.Local(PLAYER, span, 0), x.Const(PLAYER, span, 0))
            self.finish(ir.Branch(span, nobody, then, some))
            self.block = some
        if driver.skip is not None:
            skip, play = proc.block(), proc.block()
            self.finish(ir.Branch(span, driver.skip, skip, play))
            skip.operations.append(ir.Increment(span, driver.count_slot))
            skip.end = ir.Branch(span, ir.SkippedAll(driver.count_slot), then, head)
            self.block = play
            self.add(ir.SetLocal(span, driver.count_slot, x.Const(IntType(0, 0), span, 0)))
        self._take_turn(span)
        self._driven(inner)
        self.finish(ir.Jump(span, head))
        self.block = then
        self._restore_me(driver.outside_slot)

    def _each(self, driver: g.ForDriver, inner: list[g.Driver]) -> None:
        span = self.symbol.span
        if driver.acting is not None:
            self.add(ir.SetLocal(span, driver.outside_slot, x.Local(PLAYER, span, 0)))
        self.add(ir.SetLocal(span, driver.list_slot, driver.source))
        self.add(ir.SetLocal(span, driver.index_slot, x.Const(IntType(0, 0), span, 0)))
        head, then = self.loop(span, ir.MoreInList(driver.list_slot, driver.index_slot))
        self.add(ir.NextInList(span, driver.slot, driver.list_slot, driver.index_slot))
        if driver.acting is not None:
            self.add(ir.SetLocal(span, 0, driver.acting))
            if driver.takes_turn:
                self._take_turn(span)
        self._driven(inner)
        self.finish(ir.Jump(span, head))
        self.block = then
        if driver.acting is not None:
            self._restore_me(driver.outside_slot)

    def _together(self, driver: g.TogetherDriver) -> None:
        """Everybody is asked and answers under seal, in whatever order; then the actions happen in seat order."""
        span, proc = self.symbol.span, self.proc
        offer = self.symbol.items[0]
        assert isinstance(offer, t.Offer)
        procs = [self.lowering.action(action) for action in offer.actions]
        proc.calls.update(procs)
        sizes, heads = self.lowering.sizes, [action.head for action in offer.actions if action.head is not None]
        staged = any(may_be_staged(head, sizes.member_count) for head in heads)
        size = 1 + max(
            (sum(sizes.frame_word_count(kind) for _, kind, _ in a.parameters) for a in offer.actions), default=0
        )
        if staged:
            size = max(size, 2 + longest_answers(heads))
        words: tuple[int | Type, ...] = (PLAYER, size)
        seals = ir.Seals(
            self.slot("players", ListType(PLAYER, ((20,),))), self.slot("seals", ListType(NUMBER, (words,))), size
        )
        outside = self.slot("me outside", PLAYER)
        self.add(ir.SetLocal(span, outside, x.Local(PLAYER, span, 0)))
        self.add(ir.CollectPlayers(span, driver.players, seals.players_slot))
        self.add(ir.OpenSeals(span, seals))
        head, ask, nothing, after = proc.block(), proc.block(), proc.block(), proc.block()
        self.finish(ir.Jump(span, head))
        head.end = ir.Branch(span, ir.Unsealed(seals), ask, after)
        self.block = ask
        self.add(ir.NextUnsealed(span, 0, seals))
        self._site(ir.SealEnd(offer.span, 0, offer, procs, seals, head, nothing, staged))
        self.block = nothing
        self.add(ir.SealNothing(span, 0, seals))
        self.finish(ir.Jump(span, head))
        self.block = after
        cursor = self.counter(span)
        again, done = self.loop(span, ir.MoreInList(seals.players_slot, cursor))
        self.finish(ir.CallSealed(span, offer, procs, seals, cursor, again))
        self.block = done
        self._restore_me(outside)
