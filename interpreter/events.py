"""What happened, in words: the log of a step as events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from regelwerk.interpreter.layout import Image
from regelwerk.interpreter.texts import join
from regelwerk.interpreter.views import sees

if TYPE_CHECKING:
    from regelwerk.dsl.source import Span
    from regelwerk.interpreter.program import Program


@dataclass(frozen=True)
class Event:
    """One thing that happened.

    text         for those who see it all; `public` for everybody else
    seen_by      the seats that see it all; None: everybody
    reveals      whether information was revealed that cannot be taken back (chance, a hidden card turned up)
    chance       the outcome as stable ids, if nature decided
    actor        for whom nature decided (who rolls), if somebody acts
    """

    text: str
    public: str
    seen_by: tuple[str, ...] | None
    reveals: bool
    chance: tuple[str, ...]
    span: Span | None
    actor: str | None = None

    def text_for(self, seat: str | None) -> str:
        """What a seat (None: an onlooker) reads; empty if it notices nothing."""
        if self.seen_by is None or (seat is not None and seat in self.seen_by):
            return self.text
        return self.public


def describe(program: Program, m: Image, log: list[tuple[Any, ...]] | None) -> tuple[Event, ...]:
    """The events of a step."""
    return tuple(_event(program, m, entry) for entry in log or ())


def chances(program: Program, log: list[tuple[Any, ...]] | None) -> list[tuple[str, ...]]:
    """The outcomes of chance in a log, as stable ids."""
    return [
        tuple(program.texts.id(value, entry[1].kind) for value in entry[2])
        for entry in log or ()
        if entry[0] == "chance"
    ]


def _event(program: Program, m: Image, entry: tuple[Any, ...]) -> Event:
    kind, texts, seats = entry[0], program.texts, program.seats
    if kind in ("gain", "lose", "pay"):
        _, player, unit, count, reason, span = entry
        verb = {"gain": "gains", "lose": "loses", "pay": "pays"}[kind]
        amount = texts.amount([(unit, count)])
        text = f"{seats[player - 1]} {verb} {amount}" + (f" ({reason})" if reason else "")
        symbol = program.game.units[unit].symbol
        hidden = getattr(symbol, "seen_by", "all") != "all"
        public = (
            f"{seats[player - 1]} {verb} {count} {symbol.words.many if count != 1 else symbol.words.one}"
            if hidden
            else text
        )
        return Event(text, public, (seats[player - 1],) if hidden else None, False, (), span)
    if kind == "transfer":
        _, source, target, unit, count, span = entry
        names = ("the bank", *seats)
        text = f"{names[source]} gives {texts.amount([(unit, count)])} to {names[target]}"
        symbol = program.game.units[unit].symbol
        hidden = getattr(symbol, "seen_by", "all") != "all"
        public = (
            f"{names[source]} gives {count} {symbol.words.many if count != 1 else symbol.words.one} to {names[target]}"
            if hidden
            else text
        )
        return Event(
            text, public, tuple(seats[p - 1] for p in (source, target) if p) if hidden else None, False, (), span
        )
    if kind in ("move", "draw"):
        return _moved(program, m, entry)
    if kind == "shuffle":
        return Event(
            f"{texts.zone(entry[1])} is shuffled", f"{texts.zone(entry[1])} is shuffled", None, True, (), entry[2]
        )
    _, event, outcome, actor = entry
    ids = tuple(texts.id(value, event.kind) for value in outcome)
    if event.what.startswith("draw"):
        return Event("", "", None, True, ids, event.span)
    text = f"{event.what}: {', '.join(texts.value(v, event.kind) for v in outcome)}"
    if event.what.startswith("random"):
        return Event("", "", None, True, ids, event.span)
    return Event(text, text, None, True, ids, event.span, seats[actor - 1] if actor else None)


def _moved(program: Program, m: Image, entry: tuple[Any, ...]) -> Event:
    """A move is seen whole by who sees where the things were, or where they are now."""
    kind, things, found, place, span, origin = entry
    words = things.symbol.words
    count = f"{len(found)} {words.one if len(found) == 1 else words.many}"
    where = program.texts.zone(place)
    names = join([program.texts.thing(things.symbol, thing, m) for thing in found])
    label = words.one if len(found) == 1 else words.many
    full = f"{label} {names} to {where}" if things.symbol.faces is not None else f"{names} to {where}"
    before, after = _watchers(program, origin), _watchers(program, place)
    revealed = kind == "draw" or bool(after - before)
    seats = frozenset(program.seats)
    if before | after == seats:
        return Event(full, full, None, revealed, (), span)
    return Event(
        full, f"{count} to {where}", tuple(s for s in program.seats if s in before | after), revealed, (), span
    )


def _watchers(program: Program, place: int) -> frozenset[str]:
    """The seats that see what lies in a zone; nobody sees what is out of the game."""
    symbol = program.zones.symbol_of[place]
    if symbol is None:
        return frozenset()
    holder = program.zone_holder[place]
    return frozenset(name for k, name in enumerate(program.seats) if sees(symbol.seen_by, holder, k + 1))
