"""Where points come from: what was gained and lost while a game went on, and what scores are made of.

Stores (tracks and resources) are followed through the log of every step; whatever the log does not tell is an entry of
its own, so that the entries always add up. What is counted from the position (lines of scores, sums, differences) is
taken apart as far as its parts add up to it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import NUMBER, IntType, Type, counted, doubled, numeric, strip
from regelwerk.dsl.model.walking import walk
from regelwerk.dsl.source import Span
from regelwerk.interpreter import layout as la
from regelwerk.interpreter.evaluation.base import NONE_NUMBER
from regelwerk.interpreter.explaining import connectives
from regelwerk.interpreter.explaining.reading import Here, NoValue, Reading
from regelwerk.interpreter.explaining.reasons import Account, Entry, Points
from regelwerk.interpreter.explaining.sight import Sight, surroundings
from regelwerk.interpreter.layout import Image
from regelwerk.interpreter.outcomes import rank_of
from regelwerk.interpreter.replays import Replay, ReplayError

if TYPE_CHECKING:
    from regelwerk.interpreter.api import State

Cell = tuple[int, int]
"""A store: the number of a unit, and a player."""


@dataclass
class Ledger:
    """What happened to all stores of the players, in order."""

    state: State
    entries: dict[Cell, list[Entry]]
    scored: Image | None = None
    counts: dict[Cell, int] | None = None
    """How many entries each store had when the scores were counted at the end."""

    @staticmethod
    def of(state: State) -> Ledger:
        """The ledger of a game so far, found by playing its record again. What no record tells is unknown."""
        ledger = Ledger(state, {})
        before: dict[Cell, int] = {}
        made = 0
        try:
            replay = Replay.of(state)
            asked = [entry for entry in replay.entries if entry[0] != "~"]
            where = ""
            for words, again, _ in replay.walk(state.game, "reference"):
                made += bool(words)
                by = ": ".join(asked[made - 1]) if made else ""
                before = ledger._step(again, before, made, by, where)
                where = moment(again) or where
        except ReplayError:
            before = {}
        ledger._settle(before)
        return ledger

    def _step(self, again: State, before: dict[Cell, int], decision: int, by: str, where: str) -> dict[Cell, int]:
        """Take over what one step of the record did."""
        units, address = again.game.checked.units, again.game.address
        running = dict(before)
        first = not before
        if first:
            running = dict.fromkeys(cells(again), 0)

        def add(what: str, unit: int, player: int, amount: int, span: Span | None, note: str = "") -> None:
            if not 1 <= player <= len(again.seats) or not amount:
                return
            cell = (unit, player)
            running[cell] = running.get(cell, 0) + amount
            kind = units[unit].type
            self.entries.setdefault(cell, []).append(
                Entry(what, counted(amount, kind), address(span), span, "", decision, by, where, note)
            )

        after = stores(again, again.image)
        if first:  # what is there at first is no gain
            start = stores(again, again.program.start_image(again.seed))
            for (unit, player), value in start.items():
                add("start", unit, player, value, units[unit].symbol.span)
        for entry in again.happened:
            if entry[0] in ("gain", "lose", "pay"):
                _, player, unit, count, note, span = entry
                add(entry[0], unit, player, count if entry[0] == "gain" else -count, span, str(note))
            elif entry[0] == "transfer":
                _, source, target, unit, count, span = entry
                add("give", unit, source, -count, span)
                add("take", unit, target, count, span)
            elif entry[0] == "scored":
                self.scored = entry[1]
                self.counts = {cell: len(found) for cell, found in self.entries.items()}
        for (unit, player), value in after.items():
            add("set", unit, player, value - running.get((unit, player), 0), units[unit].symbol.span)
        return after

    def _settle(self, before: dict[Cell, int]) -> None:
        """What the record did not bring about is unknown."""
        units = self.state.game.checked.units
        for (unit, player), value in stores(self.state, self.state.image).items():
            missing = value - before.get((unit, player), 0)
            if missing:
                kind, span = units[unit].type, units[unit].symbol.span
                entry = Entry("unknown", counted(missing, kind), units[unit].symbol.name, span, "")
                self.entries.setdefault((unit, player), []).insert(0, entry)

    def history(self, unit: int, player: int, at_the_end: bool) -> list[Entry]:
        """What happened to a store; `at_the_end`: until the scores were counted."""
        found = self.entries.get((unit, player), [])
        if at_the_end and self.counts is not None:
            return found[: self.counts.get((unit, player), 0)]
        return found


def moment(state: State) -> str:
    """Where a game is: the phase that runs, and the number of the round if its rounds are counted."""
    if state.status not in ("decision", "chance"):
        return ""
    cap = state.game.checked.cap
    passes = state.image.w[la.PASSES]
    if cap is None or not isinstance(cap[1], g.PhaseSymbol) or not passes:
        return state.phase
    return f"{state.phase}, {cap[1].name} {passes}"


def cells(state: State) -> list[Cell]:
    """All stores of all players."""
    return [(unit, p) for unit in range(len(state.program.purses)) for p in range(1, len(state.seats) + 1)]


def stores(state: State, m: Image) -> dict[Cell, int]:
    """What lies in all stores of all players."""
    return {(unit, p): state.program.purses[unit].of(m, p) for unit, p in cells(state)}


# ------------------------------------------------------------------------------------------------------------ accounts
def explain_score(state: State, seats: Sequence[str], everything: bool = False) -> tuple[Points, ...]:
    """The points of some seats."""
    state.image.work = la.WORK
    ledger = Ledger.of(state)
    return tuple(_Counter(state, ledger, state.seats.index(seat) + 1, everything).points() for seat in seats)


class _Counter:
    """Takes the points of one player apart, as he himself may read them."""

    def __init__(self, state: State, ledger: Ledger, player: int, everything: bool) -> None:
        self.state, self.ledger, self.player = state, ledger, player
        self.program = state.program
        over = state.status == "over"
        self.game = None if everything or over else surroundings(state.game.checked)
        self.over = over
        self.reading = Reading(state)
        self.kept = False
        self.gains = _amounts(state)

    def points(self) -> Points:
        """All accounts."""
        checked = self.state.game.checked
        accounts: list[Account] = []
        number = self.state.image.w[la.END] if self.over else 0
        end = checked.ends[number - 3] if number >= 3 else None
        rank = rank_of(self.program, end)
        shown: g.ScoreSymbol | None = None
        if rank is not None and rank.keys:
            key, _, printed = rank.keys[0]
            account = self._ranked(rank, key, printed)
            accounts.append(account)
            if isinstance(key, x.ScoreRead) and key.line is None:
                shown = key.symbol
        for score in checked.scores:
            account = self._score(score)
            if accounts and _told(accounts[0], account):
                continue
            if score is not shown or account.total != accounts[0].total:
                accounts.append(account)
        return Points(self.state.seats[self.player - 1], self.over, tuple(accounts))

    def _ranked(self, rank: g.RankSymbol, key: x.Expr, printed: str) -> Account:
        here = self._here(rank.frame, rank.name)
        kind = numeric(key.type) or NUMBER
        found = list(self._parts(key, here, 1, kind, ""))
        name = printed or self.reading.source(key.span)
        total: int | float = sum(each.amount for each in found)
        if not here.sight.hides(key):
            with contextlib.suppress(NoValue):
                total = counted(self.reading.value(key, here), kind)
        return Account("rank", rank.name, name, total, tuple(found))

    def _score(self, score: g.ScoreSymbol) -> Account:
        """The lines of a score; of a game that is over as they were when its end was declared."""
        kind = doubled(NUMBER) if score.halves else NUMBER
        if self.over and self.ledger.scored is not None:
            self.kept, self.reading = True, self._of_image(self.ledger.scored)
        found: list[Entry] = []
        for line in score.lines:
            found += self._line(score, line, 1, kind)
        self.kept, self.reading = False, Reading(self.state)
        return Account("score", score.name, score.printed, sum(each.amount for each in found), tuple(found))

    def _of_image(self, image: Image) -> Reading:
        then = self.state.clone()
        then._image = image
        image.work = la.WORK
        return Reading(then)

    def _line(self, score: g.ScoreSymbol, line: g.ScoreLine, scale: int, kind: Type) -> list[Entry]:
        assert line.value is not None
        address = f"{score.name}.{line.name}"
        here = self._here(line.frame, address)
        found = list(self._parts(line.value, here, scale, kind, line.printed))
        if len(found) == 1 and found[0].decision is None and found[0].span == line.value.span:
            what = "hidden" if found[0].what == "hidden" else "line"
            return [replace(found[0], what=what, note=found[0].note or line.printed)]
        whole = sum(each.amount for each in found)
        entry = Entry(
            "line",
            whole,
            address,
            line.value.span,
            self.reading.source(line.value.span),
            note=line.printed,
            parts=tuple(found),
        )
        return [entry]

    def _here(self, frame: g.Frame, address: str) -> Here:
        env = [0] * (2 * len(frame.types) + 2)
        env[0] = self.player
        return Here(env, frame, Sight.of(self.game, {0}), address)

    # ----------------------------------------------------------------------------------------------------------- parts
    def _parts(self, node: x.Expr, here: Here, scale: int, kind: Type, note: str) -> Iterator[Entry]:
        """Entries that add up to an expression."""
        if here.sight.hides(node) or here.depth > 12:
            yield self._counted(node, here, scale, kind, note)
        elif isinstance(node, x.Arithmetic) and node.operator in ("+", "-"):
            yield from self._parts(node.left, here, scale, kind, note)
            yield from self._parts(node.right, here, scale if node.operator == "+" else -scale, kind, note)
        elif isinstance(node, x.InHalves):
            yield from self._parts(node.operand, here, 2 * scale, kind, note)
        elif isinstance(node, x.Present):
            yield from self._parts(node.value, here, scale, kind, note)
        elif isinstance(node, x.TrackRead | x.ResourceRead):
            yield from self._store(node, here, scale, kind, note)
        elif isinstance(node, x.ScoreRead):
            yield from self._lines(node, here, scale, kind, note)
        elif isinstance(node, x.Call) and self._opens(node):
            yield from self._call(node, here, scale, kind, note)
        elif isinstance(node, x.Quantified) and node.quantifier == "sum" and isinstance(strip(node.type), IntType):
            yield from self._sum(node, here, scale, kind, note)
        else:
            yield self._counted(node, here, scale, kind, note)

    def _counted(self, node: x.Expr, here: Here, scale: int, kind: Type, note: str, what: str = "part") -> Entry:
        """What is counted now, as one entry with its reasons."""
        try:
            value = self.reading.value(node, here)
        except NoValue:
            value = 0
        value = 0 if value == NONE_NUMBER else value
        source = self.reading.source(node.span)
        number = numeric(kind) or NUMBER
        if here.sight.hides(node):
            what, value = "hidden", 0
        reason = self.reading.unfold(node, here)
        return Entry(what, counted(scale * value, number), here.address, node.span, source, note=note, reason=reason)

    def _store(self, node: Any, here: Here, scale: int, kind: Type, note: str) -> Iterator[Entry]:
        """The history of a store of this player."""
        holder = node.player if isinstance(node, x.TrackRead) else node.holder
        member = None
        try:
            who = self.reading.value(holder, here)
            if isinstance(node, x.ResourceRead) and node.unit is not None:
                member = self.reading.value(node.unit, here)
        except NoValue:
            who = 0
        units = self.program.game.units
        unit = next((k for k, u in enumerate(units) if u.symbol is node.symbol and u.member in (None, member)), None)
        if who != self.player or unit is None or not isinstance(strip(node.type), IntType):
            yield self._counted(node, here, scale, kind, note)
            return
        ratio = self._ratio(unit, kind, scale)
        for entry in self.ledger.history(unit, self.player, self.kept):
            yield self._with_source(replace(entry, amount=entry.amount * ratio), unit)

    def _ratio(self, unit: int, kind: Type, scale: int) -> int | float:
        """How many points of the account one unit of the store is."""
        of_account, of_store = numeric(kind) or NUMBER, self.program.game.units[unit].type
        raw = scale * (2 if of_store.halves else 1)
        ratio = raw / (2 if of_account.halves else 1)
        return int(ratio) if ratio == int(ratio) else ratio

    def _with_source(self, entry: Entry, unit: int) -> Entry:
        """An entry of a store with the words of the statement; a score that was gained with its lines."""
        source = self.reading.source(entry.span) if entry.what not in ("start", "set", "unknown") else ""
        found = replace(entry, source=source)
        amount = self.gains.get(entry.span) if entry.span is not None and entry.what == "gain" else None
        if amount is None or self.ledger.scored is None or self.kept:
            return found
        wanted = self.program.game.units[unit]
        for each, count in amount.parts:
            if each == wanted and isinstance(count, x.ScoreRead) and count.line is None:
                account = self._score(count.symbol)
                if account.total == entry.amount:
                    return replace(found, parts=account.entries)
        return found

    def _lines(self, node: x.ScoreRead, here: Here, scale: int, kind: Type, note: str) -> Iterator[Entry]:
        try:
            who = self.reading.value(node.player, here)
        except NoValue:
            who = 0
        if who != self.player:
            yield self._counted(node, here, scale, kind, note)
            return
        lines = node.symbol.lines if node.line is None else [node.symbol.lines[node.line]]
        for line in lines:
            yield from self._line(node.symbol, line, scale, kind)

    def _opens(self, node: x.Call) -> bool:
        symbol = node.symbol
        plain = not symbol.roles and not symbol.recursive and symbol not in self.program.compiler.pinned
        return plain and symbol.body is not None and isinstance(strip(node.type), IntType)

    def _call(self, node: x.Call, here: Here, scale: int, kind: Type, note: str) -> Iterator[Entry]:
        symbol = node.symbol
        assert symbol.body is not None
        try:
            values = [self.reading.value(each, here) for each in node.arguments]
            whole = self.reading.value(node, here)
        except NoValue:
            yield self._counted(node, here, scale, kind, note)
            return
        env = [0] * (2 * len(symbol.frame.types))
        for slot, value in zip(symbol.slots, values, strict=True):
            env[slot] = value
        sight = here.sight.inside(symbol, dict(zip(symbol.slots, node.arguments, strict=False)))
        inner = here.inside(env, symbol.frame, sight, symbol.address)
        found = list(self._parts(symbol.body, inner, scale, kind, note))
        if self._adds_up(found, scale * whole, kind):
            yield from found
        else:  # an argument is none, or the parts say less than the whole
            yield self._counted(node, here, scale, kind, note)

    def _sum(self, node: x.Quantified, here: Here, scale: int, kind: Type, note: str) -> Iterator[Entry]:
        """The tuples of a sum, one by one."""
        binders = node.head.binders
        simple = all(each.form == "one" and not each.inner and not each.fields for each in binders)
        try:
            whole = self.reading.value(node, here)
        except NoValue:
            simple, whole = False, 0
        if not simple or node.value is None or any(here.sight.hides(each.source) for each in binders):
            yield self._counted(node, here, scale, kind, note)
            return
        conditions = [each.condition for each in binders if each.condition is not None]
        found: list[Entry] = []
        for place in connectives.tuples(self.reading, node.head, here):
            if len(found) > connectives.TUPLES:
                break
            try:
                if not all(self.reading.value(each, place) for each in conditions):
                    continue
                if not self.reading.value(node.value, place):
                    continue
            except NoValue:
                continue
            named = [f"{b.name} = {self.reading.printed(place.env[b.slot], b.type)}" for b in binders]
            found.append(self._counted(node.value, place, scale, kind, ", ".join(named)))
        if self._adds_up(found, scale * whole, kind) and len(found) <= connectives.LISTED * 4:
            yield from found or [self._counted(node, here, scale, kind, note)]
        else:
            yield self._counted(node, here, scale, kind, note)

    def _adds_up(self, found: list[Entry], raw: int, kind: Type) -> bool:
        return bool(sum(each.amount for each in found) == counted(raw, numeric(kind) or NUMBER))


def _told(whole: Account, part: Account) -> bool:
    """Whether an account stands in another already."""
    if any(each.parts and each.parts == part.entries for each in whole.entries):
        return True
    return bool(part.entries) and all(each in whole.entries for each in part.entries)


def _amounts(state: State) -> dict[Span, t.Amount]:
    """The amounts of all statements that gain something, by their places."""
    known = state.program.readings.get("gains")
    if known is None:
        known = {}
        for body in bodies(state.game.checked):
            for each in walk(body):
                if isinstance(each, t.Gain):
                    known[each.span] = each.amount
        state.program.readings["gains"] = known
    found: dict[Span, t.Amount] = known
    return found


def bodies(checked: g.CheckedGame) -> Iterator[t.Stmt]:
    """All statements of the rules."""
    symbols: list[g.EffectSymbol | g.ActionSymbol | g.EndSymbol] = [*checked.effects, *checked.actions, *checked.ends]
    for symbol in symbols:
        if symbol.body is not None:
            yield symbol.body
    phases = list(checked.phases)
    while phases:
        phase = phases.pop()
        yield from phase.items
        phases += phase.phases
    for entity in checked.entities:
        for column in entity.columns.values():
            yield from (cell.body for cell in column.cells if isinstance(cell, g.CellBody))
    yield from (role.body for role in checked.roles if role.body is not None)


__all__ = ["Ledger", "explain_score"]
