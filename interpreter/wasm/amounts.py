"""Amounts of resources and points on tracks: gaining, losing, paying, giving, and whether something can be paid."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import TallyType, in_words, strip
from regelwerk.dsl.source import Span
from regelwerk.interpreter.evaluation.amounts import _held_by
from regelwerk.interpreter.evaluation.base import NONE_NUMBER, slots_read
from regelwerk.interpreter.wasm.code import Value, choose, const, load
from regelwerk.interpreter.wasm.emitter import Emitter, does, writes
from regelwerk.interpreter.wasm.expressions import holder
from regelwerk.interpreter.wasm.roles import each_holder, guarded, inside, live
from regelwerk.interpreter.wasm.shapes import Operand


@dataclass(frozen=True)
class Part:
    """A part of an amount. `unit`: its number; of a resource whose kind is asked for, the first one, and the kind from
    0 in `kind`. `maybe`: it counts only if it is not 0."""

    unit: int
    kind: Value | None
    count: Value
    maybe: bool = False


def parts_of(e: Emitter, amount: t.Amount) -> list[Part]:
    """The parts of an amount, their counts kept in variables if they are not known."""
    units, found = e.program.game.units, []

    def kept(count: Value) -> Value:
        return count if count.const is not None else e.f.copied(count)

    for unit, count in amount.parts:
        if isinstance(unit, g.Unit):
            found.append(Part(units.index(unit), None, kept(e.value(count))))
        else:
            resource, which = unit
            kind = e.f.copied(e.value(which) - 1)
            found.append(Part(units.index(g.Unit(resource, 1)), kind, kept(e.value(count))))
    for tally in amount.tallies:
        kind_of = strip(tally.type)
        assert isinstance(kind_of, TallyType)
        if e.c.is_static(tally):
            for k, count in enumerate(e.c.static(tally)):
                if count:
                    found.append(Part(e.program.unit_index(kind_of, k + 1), None, const(count), True))
            continue
        ref = e.ref(tally)
        for k in range(e.program.unit_count(kind_of)):
            held = e.f.copied(load(ref.address, 4 * k))
            found.append(Part(e.program.unit_index(kind_of, k + 1), None, held, True))
    return found


class Purse:
    """One unit as an emitter reads and changes it."""

    def __init__(self, e: Emitter, part: Part) -> None:
        self.e, self.f = e, e.f
        self.unit = e.program.game.units[part.unit]
        symbol = self.unit.symbol
        self.track = symbol if isinstance(symbol, g.TrackSymbol) else None
        if self.track is not None:
            self.region = e.program.track_cells[self.track]
        else:
            assert isinstance(symbol, g.ResourceSymbol)
            self.region = e.program.resource_cells[symbol]
        kinds = symbol.kinds if isinstance(symbol, g.ResourceSymbol) else None
        self.stride = len(kinds.members) if kinds is not None else 1
        first = const((self.unit.member or 1) - 1)
        self.place = first + part.kind if part.kind is not None else first

    def _cell(self, player: Value) -> Value:
        return player - 1 if self.track is not None else player * self.stride + self.place

    def of(self, player: Value) -> Value:
        """How much somebody has (the bank is 0)."""
        return self.e.unit.read(self.e.state, self.region, self._cell(player))

    def set(self, player: Value, value: Value) -> None:
        """Note how much somebody has."""
        self.e.unit.write(self.f, self.e.state, self.region, self._cell(player), value)

    @property
    def lowest(self) -> int:
        """The least that somebody can have."""
        return self.track.lowest if self.track is not None else 0

    def add(self, player: Value, count: Value, span: Span) -> Value:
        """A player gains up to `count`; how much it really was."""
        e, f = self.e, self.f
        real = f.copied(count)
        if self.track is None:
            bank = f.keep(self.of(const(0)))
            f.set(real, choose(count < bank, count, bank))
            with f.when(real):
                self.set(const(0), bank - real)
                self.set(player, self.of(player) + real)
            return real
        track, old = self.track, f.keep(self.of(player))
        new = f.copied(old + count)
        with f.when(new > track.highest):
            if track.overflow in ("forbidden", None):
                kind, words = self.unit.type, self.unit.words.many
                most = in_words(track.highest, kind)
                e.unit.fault(
                    f,
                    "range",
                    lambda n: f"{words} go up to {most}, and this would be {in_words(n[0], kind)}",
                    span,
                    new,
                )
            else:
                excess = f.copied(new - track.highest)
                f.set(new, track.highest)
                self.set(player, new)
                f.set(real, new - old)
                if track.overflow_body is not None and not e.program.colours.track(track):
                    self._overflow(track, player, excess)
            f.otherwise()
            self.set(player, new)
        return real

    def _overflow(self, track: g.TrackSymbol, player: Value, excess: Value) -> None:
        from regelwerk.interpreter.wasm.statements import statements

        e = self.e
        assert track.overflow_body is not None
        inner = Emitter(e.unit, e.f, e.state, track.overflow_frame)
        inner.on_end = e.on_end
        inner.bind(0, player)
        inner.bind(1, excess)
        statements(inner, [track.overflow_body])

    def remove(self, player: Value, count: Value) -> Value:
        """A player loses up to `count`; how much it really was."""
        f = self.f
        old = f.keep(self.of(player))
        least = f.keep(old - self.lowest)
        real = f.copied(choose(count < least, count, least))
        with f.when(real):
            self.set(player, old - real)
            if self.track is None:
                self.set(const(0), self.of(const(0)) + real)
        return real


def check_count(e: Emitter, count: Value, span: Span) -> None:
    """Amounts are never negative, and never none."""
    if count.const is not None and count.const >= 0:
        return
    f = e.f
    with f.when(count < 0):
        with f.when(count.eq(NONE_NUMBER)):
            e.unit.fault(f, "none", "an amount was needed, and there is none", span)
        e.unit.fault(f, "range", lambda n: f"an amount cannot be negative, and this is {n[0]}", span, count)


def each_part(e: Emitter, parts: list[Part], do: Callable[[Part], None]) -> None:
    """Do something for each part that counts."""
    for part in parts:
        if part.maybe:
            with e.f.when(part.count):
                do(part)
        else:
            do(part)


@does(t.Gain)
def gain(e: Emitter, node: t.Gain) -> None:
    """`gain A`."""
    player = e.f.copied(e.value(node.me))
    with e.f.when(player.eqz()):
        e.unit.fault(e.f, "none", "nobody acts here, so nobody gains", node.span)

    def one(part: Part) -> None:
        check_count(e, part.count, node.span)
        Purse(e, part).add(player, part.count, node.span)

    each_part(e, parts_of(e, node.amount), one)


@does(t.Lose)
def lose(e: Emitter, node: t.Lose) -> None:
    """`lose A`."""
    player = e.f.copied(e.value(node.me))

    def one(part: Part) -> None:
        check_count(e, part.count, node.span)
        Purse(e, part).remove(player, part.count)

    each_part(e, parts_of(e, node.amount), one)


def can_pay(e: Emitter, player: Value, parts: list[Part]) -> Value:
    """Whether a player has all of an amount; he can be used again."""
    parts = [part for part in parts if part.count.const is None or part.count.const > 0]
    if not parts:
        return const(1)
    f = e.f
    if len(parts) == 1:
        part = parts[0]
        purse = Purse(e, part)
        enough = purse.of(player) >= part.count + purse.lowest
        return enough if part.count.const is not None else (part.count <= 0) | enough
    if len({part.unit for part in parts}) == len(parts) and all(part.kind is None for part in parts):
        found: Value | None = None
        for part in parts:
            purse = Purse(e, part)
            most = choose(part.count > 0, part.count, const(0))
            test = purse.of(player) - purse.lowest >= most
            found = test if found is None else found & test
        assert found is not None
        return found
    units = e.program.game.units
    totals = f.room(4 * len(units))
    f.fill(totals, 4 * len(units))
    asked: set[int] = set()
    for part in parts:
        symbol = units[part.unit].symbol
        count = choose(part.count > 0, part.count, const(0))
        if part.kind is None:
            asked.add(part.unit)
            f.store(totals, load(totals, 4 * part.unit) + count, 4 * part.unit)
        else:
            assert isinstance(symbol, g.ResourceSymbol)
            assert symbol.kinds is not None
            asked |= set(range(part.unit, part.unit + len(symbol.kinds.members)))
            address = f.keep(totals + part.kind * 4)
            f.store(address, load(address, 4 * part.unit) + count, 4 * part.unit)
    holds = f.copied(const(1))
    for unit in sorted(asked):
        purse = Purse(e, Part(unit, None, const(0)))
        wanted = load(totals, 4 * unit)
        with f.when(wanted.ne(0) & (purse.of(player) - purse.lowest < wanted)):
            f.set(holds, 0)
    return holds


@does(t.Pay)
def pay(e: Emitter, node: t.Pay) -> None:
    """`pay A`: all or fault `unpaid`."""
    player, parts = e.f.copied(e.value(node.me)), parts_of(e, node.amount)
    for part in parts:
        check_count(e, part.count, node.span)
    with e.f.when(can_pay(e, player, parts).eqz()):
        e.unit.fault(e.f, "unpaid", "this cannot be paid", node.span)

    def one(part: Part) -> None:
        Purse(e, part).remove(player, part.count)

    each_part(e, parts, one)


@does(t.Transfer)
def transfer(e: Emitter, node: t.Transfer) -> None:
    """`give` and `take`: as much as there is."""
    f = e.f
    source, target = f.copied(holder(e, node.giver)), f.copied(holder(e, node.receiver))
    with f.when((source < 0) | (target < 0)):
        e.unit.fault(f, "none", "goods go from somebody to somebody, and here one is none", node.span)
    held = _held_by(e.c, node)

    def one(part: Part) -> None:
        check_count(e, part.count, node.span)
        purse = Purse(e, part)
        if part.unit not in held:
            with f.when(part.count):
                words = purse.unit.words.many
                e.unit.fault(f, "range", f"things of this kind cannot hold {words}", node.span)
            return
        with f.when(source.eqz()):
            purse.add(target, part.count, node.span)
            f.otherwise()
            with f.when(target.eqz()):
                purse.remove(source, part.count)
                f.otherwise()
                there = f.keep(purse.of(source) - purse.lowest)
                real = f.copied(choose(part.count < there, part.count, there))
                if purse.track is not None:
                    real = purse.remove(source, real)
                    purse.add(target, real, node.span)
                else:
                    with f.when(real):
                        purse.set(source, purse.of(source) - real)
                        purse.set(target, purse.of(target) + real)

    each_part(e, parts_of(e, node.amount), one)


@writes(x.CanPay)
def _can_pay(e: Emitter, node: x.CanPay) -> Operand:
    f = e.f
    parts, player = parts_of(e, node.amount), f.copied(e.value(node.me))
    if node.some:
        found = f.copied(const(0))

        def one(part: Part) -> None:
            purse = Purse(e, part)
            if purse.track is not None:
                f.set(found, 1)
            else:
                with f.when((part.count > 0) & (purse.of(player) > 0)):
                    f.set(found, 1)

        each_part(e, parts, one)
        return found
    holds: Value | None = None
    for part in parts:
        test = part.count >= 0
        holds = test if holds is None else holds & test
    paid = can_pay(e, player, parts)
    return paid if holds is None else holds & paid


class Costs:
    """What an action costs now: how much of each unit, in memory, and whether there is any of it."""

    def __init__(self, e: Emitter, action: g.ActionSymbol) -> None:
        self.e = e
        units, f = e.program.game.units, e.f
        self.totals = f.room(4 * len(units))
        self.asked: set[int] = set()
        f.fill(self.totals, 4 * len(units))
        me = e.slots[0]
        assert isinstance(me, Value)
        slots = [slot for _, _, slot in action.parameters]
        for clause in action.clauses:
            if isinstance(clause, g.CostSymbol):
                self._clause(clause, me, slots)

    def _clause(self, clause: g.CostSymbol, me: Value, slots: list[int]) -> None:
        e, f = self.e, self.e.f
        with f.block() as skip:
            if clause.condition is not None:
                f.leave_if(skip, e.value(clause.condition).eqz())
            arguments = [e.slot(slot) for slot in slots]
            for role in clause.roles:
                if role.kind == "waive":
                    f.leave_if(skip, live(e, role, me, arguments))
            order = {"becomes": 0, "plus": 1, "minus": 1, "at_least": 2, "at_most": 3}
            changes = sorted((r for r in clause.roles if r.kind in order), key=lambda r: order[r.kind])
            if not changes:
                for part in parts_of(e, clause.amount):
                    self._add(self.totals, part)
                return
            self._changed(clause, me, arguments, changes)

    def _add(self, totals: Value, part: Part) -> None:
        f = self.e.f
        count = choose(part.count > 0, part.count, const(0))
        self._note(part)
        address = f.keep(totals + (part.kind * 4 if part.kind is not None else const(0)))
        f.store(address, load(address, 4 * part.unit) + count, 4 * part.unit)

    def _note(self, part: Part) -> None:
        symbol = self.e.program.game.units[part.unit].symbol
        if part.kind is None:
            self.asked.add(part.unit)
        else:
            assert isinstance(symbol, g.ResourceSymbol)
            assert symbol.kinds is not None
            self.asked |= set(range(part.unit, part.unit + len(symbol.kinds.members)))

    def _changed(self, clause: g.CostSymbol, me: Value, arguments: list[Operand], changes: list[g.Role]) -> None:
        """A clause that rules change: its units are added up by themselves first."""
        e, f = self.e, self.e.f
        units = e.program.game.units
        own, given = f.room(4 * len(units)), f.room(4 * len(units))
        f.fill(own, 4 * len(units))
        replaced = f.copied(const(0))

        def add_to(target: Value, part: Part) -> None:
            self._note(part)
            address = f.keep(target + (part.kind * 4 if part.kind is not None else const(0)))
            f.store(address, load(address, 4 * part.unit) + part.count, 4 * part.unit)

        for part in parts_of(e, clause.amount):
            add_to(own, part)
        for role in changes:
            if role.amount is None:
                continue
            with each_holder(e, role, me) as (who, copy):
                inner = inside(e, role, who, arguments, copy)
                with f.when(guarded(inner, role)):
                    parts = parts_of(inner, role.amount)
                    if role.kind == "becomes":
                        new = f.room(4 * len(units))
                        f.fill(new, 4 * len(units))
                        for part in parts:
                            add_to(new, part)
                        message = f"two rules give different costs: {role.name}"
                        with (
                            f.when(replaced),
                            f.counting(0, len(units)) as k,
                            f.when(load(new + k * 4).ne(load(given + k * 4))),
                        ):
                            e.unit.fault(f, "clash", message, role.span)
                        f.set(replaced, 1)
                        f.copy(given, new, 4 * len(units))
                        f.copy(own, new, 4 * len(units))
                        continue
                    for part in parts:
                        self._note(part)
                        address = f.keep(own + (part.kind * 4 if part.kind is not None else const(0)))
                        old = f.keep(load(address, 4 * part.unit))
                        f.store(address, _after(role.kind, old, part.count, f.keep), 4 * part.unit)
        for unit in sorted(self.asked):
            count = f.keep(load(own, 4 * unit))
            f.store(self.totals, load(self.totals, 4 * unit) + choose(count > 0, count, const(0)), 4 * unit)

    def affordable(self) -> Value:
        """Whether `me` can pay it."""
        e, f = self.e, self.e.f
        me = e.slots[0]
        assert isinstance(me, Value)
        holds: Value | None = None
        for unit in sorted(self.asked):
            purse = Purse(e, Part(unit, None, const(0)))
            wanted = load(self.totals, 4 * unit)
            test = wanted.eqz() | (purse.of(me) - purse.lowest >= wanted)
            holds = test if holds is None else holds & test
        return f.keep(holds) if holds is not None else const(1)

    def pay(self, span: Span) -> None:
        """`me` pays it."""
        e, f = self.e, self.e.f
        with f.when(self.affordable().eqz()):
            e.unit.fault(f, "unpaid", "this cannot be paid", span)
        me = e.slots[0]
        assert isinstance(me, Value)
        for unit in sorted(self.asked):
            Purse(e, Part(unit, None, const(0))).remove(me, f.keep(load(self.totals, 4 * unit)))


def _after(word: str, old: Value, count: Value, keep: Callable[[Value], Value]) -> Value:
    if word == "plus":
        return old + count
    if word == "minus":
        rest = keep(old - count)
        return choose(rest > 0, rest, const(0))
    return choose(old > count, old, count) if word == "at_least" else choose(old < count, old, count)


def cost_reads(action: g.ActionSymbol) -> set[int]:
    """The slots that the costs of an action read."""
    reads: set[int] = set()
    slots = [slot for _, _, slot in action.parameters]
    for clause in action.clauses:
        if isinstance(clause, g.CostSymbol):
            reads |= slots_read(clause.amount)
            reads |= slots_read(clause.condition) if clause.condition is not None else set()
            for role in clause.roles:
                reads |= {slots[index] for _, index in role.bindings}
    return reads
