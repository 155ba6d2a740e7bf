"""Whole states as text: everything that is stored, hidden or not."""

from __future__ import annotations

from collections.abc import Iterator

from regelwerk.dsl.model.types import counted
from regelwerk.interpreter.api import State
from regelwerk.interpreter.evaluation.scalars import stored
from regelwerk.interpreter.texts import join
from regelwerk.interpreter.views import View


def whole_state(state: State) -> Iterator[str]:
    """Everything that is stored, a line each; what is nothing, or empty, is left out."""
    program, m, texts = state.program, state.image, state.program.texts
    yield headline(state)
    for number, seat in enumerate(state.seats, 1):
        parts = []
        for unit, purse in enumerate(program.purses):
            count = purse.of(m, number)
            if count or purse.is_track:
                kind = program.game.units[unit]
                words = kind.words
                shown = counted(count, kind.type)
                parts.append(f"{shown} {words.one if shown == 1 else words.many}")
        yield f"{seat}: {join(parts) or 'nothing'}"
    bank = [(unit, purse.of(m, 0)) for unit, purse in enumerate(program.purses) if not purse.is_track]
    if bank:
        yield f"bank: {texts.amount(bank)}"
    for number in range(1, len(program.zones.symbol_of)):
        zone = program.zones.symbol_of[number]
        things = program.zones.sequence(m, number)
        if zone is not None and things:
            unknown = len(program.zones.unknown(m, number))
            order = f", {unknown} of them in an order that nobody knows" if unknown > 1 and zone.order else ""
            names = ", ".join(texts.thing(zone.entity, each, m) for each in things)
            yield f"{texts.zone(number)} ({len(things)}{order}): {names}"
    for symbol in program.game.states:
        read, low = stored(program.compiler, symbol), program.key_base(symbol.key)
        for index in range(program.key_count(symbol.key)):
            value = texts.value(read(m, index), symbol.type, m)
            if symbol.key is None:
                yield f"{symbol.name}: {value}"
            elif value not in ("no", "0", "nothing", "nobody"):
                yield f"{symbol.name} of {texts.value(index + low, symbol.key, m)}: {value}"
    for title in state.view(None).titles:
        key = f" of {title.key}" if title.key is not None else ""
        yield f"{title.printed}{key}: {title.holder or 'nobody'}"


def headline(state: State) -> str:
    """Where the game is."""
    where = f" at {state.phase}" if state.phase else ""
    made = "1 decision" if state.decisions == 1 else f"{state.decisions} decisions"
    if state.status == "over":
        return f"over after {made}"
    if state.status == "fault":
        return f"stopped by a fault after {made}"
    return f"{made}{where}, {' and '.join(state.actors) or 'nature'} to decide"


def seen(view: View) -> Iterator[str]:
    """What a seat (or an onlooker) sees, a line each."""
    yield f"as {view.viewer or 'an onlooker'} sees it"
    holders: dict[str, list[str]] = {}
    for each in view.counts:
        kinds = each.kinds
        told = ", ".join(f"{count} {name}" for name, count in kinds.items() if count) if kinds else ""
        holders.setdefault(each.holder, []).append(f"{each.count} {each.printed}" + (f" ({told})" if told else ""))
    for holder, parts in holders.items():
        yield f"{holder}: {', '.join(parts)}"
    for zone in view.zones:
        if zone.things is not None and zone.things:
            yield f"{zone.printed} ({zone.count}): {', '.join(_thing(each.name, each.face) for each in zone.things)}"
        elif zone.count:
            known = ", ".join(each.name for each in zone.known)
            top = f", on top {zone.top.name}" if zone.top is not None else ""
            yield f"{zone.printed} ({zone.count}): hidden{top}" + (f", known to be there: {known}" if known else "")
    for state in view.states:
        if state.value not in ("no", "0", "nothing", "nobody"):
            key = f" of {state.key}" if state.key is not None else ""
            yield f"{state.name}{key}: {state.value if state.value is not None else 'hidden'}"
    for title in view.titles:
        yield f"{title.printed}{f' of {title.key}' if title.key else ''}: {title.holder or 'nobody'}"


def _thing(name: str, face: int | None) -> str:
    return name if face is None or name == str(face) else f"{name} showing {face}" if not name[:1].isdigit() else name


__all__ = ["headline", "seen", "whole_state"]
