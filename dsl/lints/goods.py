"""Goods that nobody can get, that are good for nothing, and prices that nobody can pay; what is stored and never
changes, or is never looked at."""

from __future__ import annotations

from collections.abc import Iterator

from regelwerk.dsl.diagnostics import Label
from regelwerk.dsl.lints.ranges import WIDEST
from regelwerk.dsl.lints.subject import Subject
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import TallyType, in_words, strip
from regelwerk.dsl.source import Span

Key = tuple[g.Symbol, int | None]
"""A unit: a track, a resource, or one kind of a resource."""

Node = t.Stmt | g.CostSymbol
"""Where an amount stands."""


def find(s: Subject) -> None:
    """All about goods and stored numbers."""
    flows = Flows(s)
    for unit in s.game.units:
        _unit(s, unit, flows)
    _costs(s)
    _states(s)


class Flows:
    """Which units come to somebody, are spent, and are looked at, and where first."""

    def __init__(self, s: Subject) -> None:
        self.s = s
        self.gained: dict[Key, Node] = {}
        self.spent: dict[Key, Node] = {}
        self.read: set[Key] = set()
        self.set: set[Key] = set()
        for _, gain in s.reach.of(t.Gain):
            self._note(self.gained, gain.amount, gain)
        for loss in s.reach.of_any(t.Lose, t.Pay):
            self._note(self.spent, loss.amount, loss)
        for _, moved in s.reach.of(t.Transfer):
            self._note(self.gained, moved.amount, moved)
            self._note(self.spent, moved.amount, moved)
        for action in s.game.actions:
            for clause in action.clauses:
                if isinstance(clause, g.CostSymbol):
                    self._note(self.spent, clause.amount, clause)
        for _, can in s.reach.of(x.CanPay):
            self.read.update(self.units(can.amount))
        for _, track in s.reach.of(x.TrackRead):
            self.read.add((track.symbol, None))
        for _, node in s.reach.of(t.SetTrack):
            self.set.add((node.symbol, None))
        for _, held in s.reach.of(x.ResourceRead):
            self.read.update(_members(held.symbol))

    def _note(self, where: dict[Key, Node], amount: t.Amount, node: Node) -> None:
        for unit in self.units(amount):
            where.setdefault(unit, node)

    def units(self, amount: t.Amount) -> Iterator[Key]:
        """All units that an amount may speak of."""
        for unit, _ in amount.parts:
            if isinstance(unit, g.Unit):
                yield (unit.symbol, unit.member)
            else:
                yield from _members(unit[0])
        for tally in amount.tallies:
            yield from self._of_tally(tally, 0)

    def _of_tally(self, tally: x.Expr, depth: int) -> Iterator[Key]:
        """The units that a tally may hold: all of its type, if it does not say more."""
        parts = _parts_of(tally) if depth < DEEPEST else None
        if parts is not None:
            for part in parts:
                yield from self._of_tally(part, depth + 1)
            return
        kind = strip(tally.type)
        counted = kind.symbol if isinstance(kind, TallyType) else None
        units = self.s.game.units
        if isinstance(tally, x.TallyOf) and counted is None and all(isinstance(unit, int) for unit, _ in tally.parts):
            for unit, _ in tally.parts:
                if isinstance(unit, int):
                    yield (units[unit - 1].symbol, units[unit - 1].member)
            return
        for each in units:
            if counted is None or getattr(each.symbol, "kinds", None) is counted:
                yield (each.symbol, each.member)


DEEPEST = 8  # of values that ask values


def _parts_of(tally: x.Expr) -> list[x.Expr] | None:
    """What a tally is put together from; None if it is not known."""
    if isinstance(tally, x.ConstantRead) and not tally.symbol.roles and tally.symbol.value is not None:
        return [tally.symbol.value]
    if isinstance(tally, x.Call) and not tally.symbol.roles and tally.symbol.body is not None:
        return None if tally.symbol.recursive else [tally.symbol.body]
    if isinstance(tally, x.TallyArithmetic):
        return [tally.left, tally.right]
    if isinstance(tally, x.TallyScaled | x.TallyWiden):
        return [tally.tally]
    if isinstance(tally, x.Select):
        return [tally.consequence, tally.alternative]
    return None


def _members(symbol: g.ResourceSymbol) -> list[Key]:
    if symbol.kinds is None:
        return [(symbol, None)]
    return [(symbol, place) for place in range(1, len(symbol.kinds.members) + 1)]


def _unit(s: Subject, unit: g.Unit, flows: Flows) -> None:
    symbol, key = unit.symbol, (unit.symbol, unit.member)
    if _told(s, unit):
        return
    comes, goes, read = key in flows.gained or key in flows.set, key in flows.spent, key in flows.read
    span = symbol.span
    if unit.member is not None and isinstance(symbol, g.ResourceSymbol) and symbol.kinds is not None:
        span = symbol.kinds.members[unit.member - 1][3]
        if symbol.start is not None:
            comes = True
    name = unit.words.many
    if isinstance(symbol, g.TrackSymbol):
        if not comes and not goes and read:
            s.report(
                "W0922",
                f"`{symbol.name}` never changes: nobody gains or loses any",
                span,
                "gain or lose some, or write a constant",
            )
        elif not comes and goes and s.judge.range_of(symbol.start)[1] <= symbol.lowest and _starts(symbol):
            _no_source(s, name, span, flows.spent[key])
    elif not comes and not _starts(symbol) and (goes or read) and symbol in s.reach:
        _no_source(s, name, span, flows.spent.get(key))
    if comes and not goes and not read:
        s.report(
            "W0921",
            f"{name} are gained, and good for nothing: nothing asks for them, and nothing costs any",
            span,
            "count them in a `rank`, `score` or condition, let something cost some, or remove them",
        )


def _told(s: Subject, unit: g.Unit) -> bool:
    """Whether scenarios speak of a unit: they set it, or look at it."""
    symbol = unit.symbol
    names = {symbol.name, symbol.plural}
    if unit.member is not None and isinstance(symbol, g.ResourceSymbol) and symbol.kinds is not None:
        one, many, _, _ = symbol.kinds.members[unit.member - 1]
        names |= {one, many}
    return not names.isdisjoint(s.told_by_scenarios)


def _starts(symbol: g.ResourceSymbol | g.TrackSymbol) -> bool:
    """Whether anybody may have some at first."""
    return symbol.start is not None and not (isinstance(symbol.start, x.Const) and symbol.start.value == 0)


def _no_source(s: Subject, name: str, span: Span, spent: Node | None) -> None:
    labels = (Label(spent.span, "needed here"),) if spent is not None else ()
    s.report(
        "W0920", f"nobody ever gets any {name}", span, "gain some somewhere, or let everybody start with some", labels
    )


# -------------------------------------------------------------------------------------------------------------- prices
def _costs(s: Subject) -> None:
    for action in s.game.actions:
        for clause in action.clauses:
            if isinstance(clause, g.CostSymbol) and not clause.roles:
                _price(s, clause.amount, clause)
    for _, node in s.reach.of(t.Pay):
        _price(s, node.amount, node)


def _price(s: Subject, amount: t.Amount, where: g.CostSymbol | t.Pay) -> None:
    for unit, count in amount.parts:
        symbol = unit.symbol if isinstance(unit, g.Unit) else unit[0]
        most = symbol.highest if isinstance(symbol, g.TrackSymbol) else s.judge.range_of(symbol.supply)[1]
        if symbol.supply is None if isinstance(symbol, g.ResourceSymbol) else most >= 32767:
            continue
        least = s.judge.range_of(count)[0]
        if most < least < WIDEST[1] and least > 0:
            words = unit.words if isinstance(unit, g.Unit) else symbol.words
            scale = unit.type if isinstance(unit, g.Unit) else None
            told = in_words(least, scale) if scale is not None else str(least)
            bound = in_words(most, scale) if scale is not None else str(most)
            s.report(
                "W0923",
                f"nobody can ever pay {told} {words.many}: there are {bound} at most",
                where.span,
                "lower the price, or raise the supply",
                (Label(symbol.span, "declared here"),),
            )


# -------------------------------------------------------------------------------------------------------------- states
def _states(s: Subject) -> None:
    written = {node.symbol for node in s.reach.of_any(t.SetState, t.ShuffleState)}
    read = {node.symbol for _, node in s.reach.of(x.StateRead)}
    for symbol in s.game.states:
        if symbol.name in s.told_by_scenarios:
            continue
        if symbol in read and symbol not in written:
            s.report(
                "W0922",
                f"`{symbol.name}` never changes: nothing sets it",
                symbol.span,
                "set it where it was meant to change, or write a `const` or a `value`",
            )
        elif symbol in written and symbol not in read:
            s.report(
                "W0924",
                f"`{symbol.name}` is set, and nothing ever asks for it",
                symbol.span,
                "ask for it where it was meant to matter, or remove it",
            )


__all__ = ["find"]
