"""What happened, in words: the log of a step as events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from regelwerk.dsl.model import game as g
from regelwerk.interpreter.holders import holder_name, keeper
from regelwerk.interpreter.knowledge import sees
from regelwerk.interpreter.layout import Image
from regelwerk.interpreter.texts import join

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
    found: list[Event] = []
    entries = list(log or ())
    place = 0
    while place < len(entries):
        entry = entries[place]
        place += 1
        if entry[0] in ("gain", "lose", "pay", "transfer"):
            parts = [entry]
            while place < len(entries) and _one_amount(program, entry, entries[place]):
                parts.append(entries[place])
                place += 1
            found.append(_amount(program, m, parts))
        elif entry[0] in ("move", "draw"):
            found.append(_moved(program, m, entry))
        elif entry[0] == "reveal":
            found.append(_revealed(program, m, entry))
        elif entry[0] == "shown":
            _, things, thing, zone, span = entry
            text = f"{program.texts.thing(things.symbol, thing, m)} lies on top of {program.texts.zone(zone)}"
            found.append(Event(text, text, None, True, (), span))
        elif entry[0] == "shuffle":
            text = f"{program.texts.zone(entry[1])} is shuffled"
            found.append(Event(text, text, None, True, (), entry[2]))
        elif entry[0] == "chance":
            found.append(_chance(program, m, entry))
    return tuple(found)


def chances(program: Program, log: list[tuple[Any, ...]] | None) -> list[tuple[str, ...]]:
    """The outcomes of chance in a log, as stable ids."""
    return [
        tuple(program.texts.id(value, entry[1].kind) for value in entry[2])
        for entry in log or ()
        if entry[0] == "chance"
    ]


def _seats(program: Program, mask: int) -> tuple[str, ...] | None:
    """The seats of a mask; None for everybody."""
    if mask == program.knowledge.everybody:
        return None
    return tuple(name for k, name in enumerate(program.seats, 1) if mask >> k & 1)


def _parties(entry: tuple[Any, ...]) -> tuple[Any, ...]:
    return entry[:3] if entry[0] == "transfer" else entry[:2]


def _unit(program: Program, entry: tuple[Any, ...]) -> g.Unit:
    number: int = entry[3] if entry[0] == "transfer" else entry[2]
    return program.game.units[number]


def _kinds_hidden(unit: g.Unit) -> bool:
    """Whether others see only how much it is in all. Of a resource without kinds the number is all there is."""
    return isinstance(unit.symbol, g.ResourceSymbol) and unit.member is not None and unit.symbol.seen_by != "all"


def _one_amount(program: Program, first: tuple[Any, ...], following: tuple[Any, ...]) -> bool:
    """Whether two entries are told as one: how an amount is made up of kinds must not show in their number."""
    if following[0] != first[0] or _parties(first) != _parties(following) or first[-1] != following[-1]:
        return False
    here, there = _unit(program, first), _unit(program, following)
    return here.symbol is there.symbol and _kinds_hidden(here)


def _amount(program: Program, m: Image, parts: list[tuple[Any, ...]]) -> Event:
    kind, texts, names = parts[0][0], program.texts, ("the bank", *program.seats)
    unit, span = _unit(program, parts[0]), parts[0][-1]
    counts = [(each[3], each[4]) if kind == "transfer" else (each[2], each[3]) for each in parts]
    total, amount, reason = sum(count for _, count in counts), texts.amount(counts), ""
    words = unit.symbol.words
    in_all = f"{total} {words.one if total == 1 else words.many}"
    if kind == "transfer":
        _, source, target = parts[0][:3]
        holders = [keeper(program, m, source), keeper(program, m, target)]
        giver, receiver = holder_name(program, source), holder_name(program, target)
        text, public = (f"{giver} gives {what} to {receiver}" for what in (amount, in_all))
    else:
        player, reason = parts[0][1], str(parts[0][4])
        verb = {"gain": "gains", "lose": "loses", "pay": "pays"}[kind]
        holders = [player]
        text, public = (f"{names[player]} {verb} {what}" for what in (amount, in_all))
    if not _kinds_hidden(unit):
        text += f" ({reason})" if reason else ""
        return Event(text, text, None, False, (), span)
    assert isinstance(unit.symbol, g.ResourceSymbol)
    seen_by, seats = unit.symbol.seen_by, range(1, program.players + 1)
    mask = sum([1 << p for p in seats if any(sees(seen_by, holder, p) for holder in holders)])
    return Event(text + (f" ({reason})" if reason else ""), public, _seats(program, mask), False, (), span)


def _chance(program: Program, m: Image, entry: tuple[Any, ...]) -> Event:
    """What nature decided. Where it drew or chose, a move tells of it, to those who may know."""
    texts = program.texts
    _, event, outcome, actor = entry[:4]
    ids = tuple(texts.id(value, event.kind) for value in outcome)
    who = program.seats[actor - 1] if actor else None
    if event.what.startswith(("draw", "random")):
        return Event("", "", None, True, ids, event.span)
    text = f"{event.what}: {', '.join(texts.value(v, event.kind) for v in outcome)}"
    return Event(text, event.what, _seats(program, entry[4]), True, ids, event.span, who)


def _moved(program: Program, m: Image, entry: tuple[Any, ...]) -> Event:
    """A move is told whole to those who know afterwards what was moved."""
    _, things, found, place, span, mask, revealed = entry
    words = things.symbol.words
    label = words.one if len(found) == 1 else words.many
    where = program.texts.zone(place)
    names = join([program.texts.thing(things.symbol, thing, m) for thing in found])
    full = f"{label} {names} to {where}" if things.symbol.faces is not None else f"{names} to {where}"
    seats = _seats(program, mask)
    return Event(full, full if seats is None else f"{len(found)} {label} to {where}", seats, revealed, (), span)


def _revealed(program: Program, m: Image, entry: tuple[Any, ...]) -> Event:
    """Things that are shown to somebody; the others see that he looks at them."""
    _, things, found, mask, span, revealed = entry
    words = things.symbol.words
    viewers = join([program.seats[p - 1] for p in range(1, program.players + 1) if mask >> p & 1])
    verb = "looks at" if mask.bit_count() == 1 else "look at"
    names = join([program.texts.thing(things.symbol, thing, m) for thing in found])
    number = f"{len(found)} {words.one if len(found) == 1 else words.many}"
    knowing = program.knowledge.of_all(m, things.symbol, found)
    return Event(
        f"{viewers} {verb} {names}", f"{viewers} {verb} {number}", _seats(program, mask | knowing), revealed, (), span
    )


__all__ = ["Event", "describe"]
