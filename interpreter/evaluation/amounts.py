"""Gaining, losing, paying, giving: amounts of resources and tracks.

Everything a player gains comes from the bank, and goes back to it; the bank's supply is cell 0 of a resource. Each
unit of an amount is cut by itself (language, section 15, point 5).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import TallyType, ThingType, in_words, strip
from regelwerk.dsl.source import Span
from regelwerk.interpreter.evaluation.base import NONE_NUMBER, Closure, Compiler, Locals, compiles, reader, writer
from regelwerk.interpreter.evaluation.statements import runs
from regelwerk.interpreter.faults import Fault
from regelwerk.interpreter.layout import Image

Amounts = Callable[[Image, Locals], list[tuple[int, int]]]
"""A function that gives (unit number from 0, count) pairs."""


def amounts(c: Compiler, amount: t.Amount) -> Amounts:
    """The units and counts of an amount."""
    units = c.program.game.units
    parts: list[tuple[int | Closure, Closure]] = []
    for unit, count in amount.parts:
        if isinstance(unit, g.Unit):
            parts.append((units.index(unit), c.expr(count)))
        else:
            resource, which = unit
            first = units.index(g.Unit(resource, 1))
            kind = c.expr(which)
            parts.append((_offset(kind, first), c.expr(count)))
    tallies: list[tuple[list[int], Closure]] = []
    for tally in amount.tallies:
        kind_of = strip(tally.type)
        assert isinstance(kind_of, TallyType)
        places = [c.program.unit_index(kind_of, k + 1) for k in range(c.program.unit_count(kind_of))]
        tallies.append((places, c.expr(tally)))
    unit_number, only = parts[0] if len(parts) == 1 else (None, None)
    if not tallies and isinstance(unit_number, int) and only is not None:
        count_of = only
        return lambda m, env: [(unit_number, count_of(m, env))]

    def found(m: Image, env: Locals) -> list[tuple[int, int]]:
        result = [(unit if isinstance(unit, int) else unit(m, env), count(m, env)) for unit, count in parts]
        for places, tally in tallies:
            result += [(place, count) for place, count in zip(places, tally(m, env), strict=True) if count]
        return result

    return found


def _offset(kind: Closure, first: int) -> Closure:
    return lambda m, env: first + kind(m, env) - 1


class Purse:
    """One unit: reads and changes what players have of it."""

    def __init__(self, c: Compiler, unit: g.Unit) -> None:
        self.unit = unit
        symbol = unit.symbol
        self.is_track = isinstance(symbol, g.TrackSymbol)
        if isinstance(symbol, g.TrackSymbol):
            region = c.program.track_cells[symbol]
            self.lowest, self.highest = symbol.lowest, symbol.highest
            self.overflow = symbol.overflow
            self.overflow_run: Closure | None = None
        else:
            region = c.program.resource_cells[symbol]
            self.overflow = None
        self.read, self.write = reader(region), writer(region)
        self.stride = (
            len(symbol.kinds.members) if isinstance(symbol, g.ResourceSymbol) and symbol.kinds is not None else 1
        )
        self.place = (unit.member or 1) - 1

    def cell(self, player: int) -> int:
        """The number of a player's cell (0 is the bank's, for resources)."""
        return player - 1 if self.is_track else player * self.stride + self.place

    def of(self, m: Image, player: int) -> int:
        """How much a player (or the bank, 0) has."""
        return self.read(m, self.cell(player))

    def add(self, m: Image, player: int, count: int, span: Span) -> int:
        """A player gains up to `count`; how much it really was."""
        if self.is_track:
            old = self.of(m, player)
            new = old + count
            if new > self.highest:
                if self.overflow == "forbidden" or self.overflow is None:
                    most, found = in_words(self.highest, self.unit.type), in_words(new, self.unit.type)
                    raise Fault("range", f"{self.unit.words.many} go up to {most}, and this would be {found}", span)
                excess, new = new - self.highest, self.highest
                self.write(m, self.cell(player), new)
                if self.overflow_run is not None:
                    self.overflow_run(m, [player, excess] + [0] * 62)
                return new - old
            self.write(m, self.cell(player), new)
            return count
        bank = self.of(m, 0)
        count = min(count, bank)
        if count:
            self.write(m, self.cell(0), bank - count)
            self.write(m, self.cell(player), self.of(m, player) + count)
        return count

    def remove(self, m: Image, player: int, count: int) -> int:
        """A player loses up to `count`; how much it really was."""
        old = self.of(m, player)
        count = min(count, old - self.lowest if self.is_track else old)
        if count:
            self.write(m, self.cell(player), old - count)
            if not self.is_track:
                self.write(m, self.cell(0), self.of(m, 0) + count)
        return count


def check_count(count: int, span: Span) -> None:
    """Amounts are never negative, and never none."""
    if count == NONE_NUMBER:
        raise Fault("none", "an amount was needed, and there is none", span)
    if count < 0:
        raise Fault("range", f"an amount cannot be negative, and this is {count}", span)


@runs(t.Gain)
def gain(c: Compiler, node: t.Gain) -> Closure:
    """`gain A`."""
    me, found, purses, span = c.expr(node.me), amounts(c, node.amount), c.program.purses, node.span
    reason = c.program.texts.template(c, node.reason) if node.reason is not None else None

    def run(m: Image, env: Locals) -> None:
        player = me(m, env)
        if not player:
            raise Fault("none", "nobody acts here, so nobody gains", span)
        for unit, count in found(m, env):
            check_count(count, span)
            real = purses[unit].add(m, player, count, span)
            if m.log is not None and real:
                m.log.append(("gain", player, unit, real, reason(m, env) if reason is not None else "", span))

    return run


@runs(t.Lose)
def lose(c: Compiler, node: t.Lose) -> Closure:
    """`lose A`."""
    me, found, purses, span = c.expr(node.me), amounts(c, node.amount), c.program.purses, node.span
    reason = c.program.texts.template(c, node.reason) if node.reason is not None else None

    def run(m: Image, env: Locals) -> None:
        player = me(m, env)
        for unit, count in found(m, env):
            check_count(count, span)
            real = purses[unit].remove(m, player, count)
            if m.log is not None and real:
                m.log.append(("lose", player, unit, real, reason(m, env) if reason is not None else "", span))

    return run


def can_pay(purses: list[Purse], m: Image, player: int, price: list[tuple[int, int]]) -> bool:
    """Whether a player has all of an amount."""
    if len(price) == 1:
        unit, count = price[0]
        return count <= 0 or purses[unit].of(m, player) >= count + (purses[unit].lowest if purses[unit].is_track else 0)
    total: dict[int, int] = {}
    for unit, count in price:
        total[unit] = total.get(unit, 0) + max(0, count)
    return all(purses[u].of(m, player) - (purses[u].lowest if purses[u].is_track else 0) >= n for u, n in total.items())


@runs(t.Pay)
def pay(c: Compiler, node: t.Pay) -> Closure:
    """`pay A`: all or fault `unpaid`."""
    me, found, purses, span = c.expr(node.me), amounts(c, node.amount), c.program.purses, node.span

    def run(m: Image, env: Locals) -> None:
        player, price = me(m, env), found(m, env)
        for _, count in price:
            check_count(count, span)
        if not can_pay(purses, m, player, price):
            raise Fault("unpaid", "this cannot be paid", span)
        for unit, count in price:
            purses[unit].remove(m, player, count)
            if m.log is not None and count:
                m.log.append(("pay", player, unit, count, "", span))

    return run


@runs(t.Transfer)
def transfer(c: Compiler, node: t.Transfer) -> Closure:
    """`give` and `take`: as much as there is."""
    giver, receiver = c.holder(node.giver), c.holder(node.receiver)
    found, purses, span = amounts(c, node.amount), c.program.purses, node.span
    held = _held_by(c, node)

    def run(m: Image, env: Locals) -> None:
        source, target = giver(m, env), receiver(m, env)
        if source < 0 or target < 0:
            raise Fault("none", "goods go from somebody to somebody, and here one is none", span)
        for unit, count in found(m, env):
            check_count(count, span)
            purse = purses[unit]
            if unit not in held and count:
                raise Fault("range", f"things of this kind cannot hold {purse.unit.words.many}", span)
            if source == 0 or target == 0:
                real = purse.add(m, target, count, span) if source == 0 else purse.remove(m, source, count)
            else:
                real = min(count, purse.of(m, source) - (purse.lowest if purse.is_track else 0))
                if purse.is_track:
                    real = purse.remove(m, source, real)
                    purse.add(m, target, real, span)
                elif real:
                    purse.write(m, purse.cell(source), purse.of(m, source) - real)
                    purse.write(m, purse.cell(target), purse.of(m, target) + real)
            if m.log is not None and real:
                m.log.append(("transfer", source, target, unit, real, span))

    return run


def _held_by(c: Compiler, node: t.Transfer) -> set[int]:
    """The units that giver and receiver can hold."""
    found = set()
    for number, unit in enumerate(c.program.game.units):
        kinds = [strip(each.type) for each in (node.giver, node.receiver)]
        holders = unit.symbol.held_by if isinstance(unit.symbol, g.ResourceSymbol) else []
        if all(kind.symbol in holders for kind in kinds if isinstance(kind, ThingType)):
            found.add(number)
    return found


@compiles(x.CanPay)
def _can_pay(c: Compiler, node: x.CanPay) -> Closure:
    me, found, purses = c.expr(node.me), amounts(c, node.amount), c.program.purses
    if node.some:
        return lambda m, env: any(
            purses[unit].is_track or (count > 0 and purses[unit].of(m, me(m, env)) > 0) for unit, count in found(m, env)
        )

    def test(m: Image, env: Locals) -> bool:
        price = found(m, env)
        return all(count >= 0 for _, count in price) and can_pay(purses, m, me(m, env), price)

    return test


def affordable(c: Compiler, action: g.ActionSymbol, compiled: Callable[[x.Expr], Closure]) -> Closure:
    """Whether the costs of an action can be paid; `compiled` compiles the conditions of the costs."""
    purses = c.program.purses
    clauses = [clause for clause in action.clauses if isinstance(clause, g.CostSymbol)]
    only = clauses[0]
    if len(clauses) == 1 and not only.roles:
        price = amounts(c, only.amount)
        if only.condition is None:
            return lambda m, env: can_pay(purses, m, env[0], price(m, env))
        when = compiled(only.condition)
        return lambda m, env: not when(m, env) or can_pay(purses, m, env[0], price(m, env))
    found = cost_function(c, action)
    assert found is not None
    costs = found[0]

    def test(m: Image, env: Locals) -> bool:
        price = [part for _, parts in costs(m, env) for part in parts]
        return not price or can_pay(purses, m, env[0], price)

    return test


def cost_function(
    c: Compiler, action: g.ActionSymbol
) -> tuple[Callable[[Image, Locals], list[tuple[g.CostSymbol, list[tuple[int, int]]]]], set[int]] | None:
    """The costs of an action, clause by clause (only those above 0), and the slots they read. None if there are
    none."""
    from regelwerk.interpreter.evaluation.base import slots_read
    from regelwerk.interpreter.evaluation.roles import guards, holders, live, locals_for

    clauses = [clause for clause in action.clauses if isinstance(clause, g.CostSymbol)]
    if not clauses:
        return None
    reads: set[int] = set()
    parts: list[Any] = []
    slots = [slot for _, _, slot in action.parameters]
    for clause in clauses:
        when = c.expr(clause.condition) if clause.condition is not None else None
        base = amounts(c, clause.amount)
        reads |= slots_read(clause.amount) | (slots_read(clause.condition) if clause.condition is not None else set())
        waived = [live(c, role) for role in clause.roles if role.kind == "waive"]
        order = {"becomes": 0, "plus": 1, "minus": 1, "at_least": 2, "at_most": 3}
        changes = [
            (role, holders(c, role), guards(c, role), amounts(c, role.amount))
            for role in sorted((r for r in clause.roles if r.kind in order), key=lambda r: order[r.kind])
            if role.amount is not None
        ]
        for role in clause.roles:
            reads |= {slots[index] for _, index in role.bindings}
        parts.append((clause, when, base, waived, changes))

    def costs(m: Image, env: Locals) -> list[tuple[g.CostSymbol, list[tuple[int, int]]]]:
        result = []
        for clause, when, base, waived, changes in parts:
            if when is not None and not when(m, env):
                continue
            arguments = [env[slot] for slot in slots] if waived or changes else []
            if any(test(m, env[0], arguments) for test in waived):
                continue
            price = base(m, env)
            if changes:
                price = _changed(m, env[0], arguments, price, changes, locals_for)
            price = [(unit, count) for unit, count in price if count > 0]
            if price:
                result.append((clause, price))
        return result

    return costs, reads


def _changed(
    m: Image, me: int, arguments: list[Any], price: list[tuple[int, int]], changes: list[Any], locals_for: Any
) -> list[tuple[int, int]]:
    total: dict[int, int] = {}
    for unit, count in price:
        total[unit] = total.get(unit, 0) + count
    replaced: dict[int, int] | None = None
    for role, who, tests, change in changes:
        for holder, copy in who(m, me):
            env = locals_for(role, holder, arguments, copy)
            if not all(test(m, env) for test in tests):
                continue
            if role.kind == "becomes":
                new = dict(change(m, env))
                if replaced is not None and replaced != new:
                    raise Fault("clash", f"two rules give different costs: {role.name}", role.span)
                replaced = new
                total = dict(new)
                continue
            for unit, count in change(m, env):
                old = total.get(unit, 0)
                if role.kind == "plus":
                    total[unit] = old + count
                elif role.kind == "minus":
                    total[unit] = max(0, old - count)
                else:
                    total[unit] = max(old, count) if role.kind == "at_least" else min(old, count)
    return sorted(total.items())
