"""Chance: decisions of nature. What is asked, how the generator answers, what an answer does.

An outcome is a list of numbers: the faces of the dice in order, the thing drawn, the element chosen, the new order of a
state's values. Each purpose has its own stream of the generator.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import IntType, PlayerType, ThingType, Type, member_of, strip
from regelwerk.dsl.source import Span
from regelwerk.interpreter import generator, ir
from regelwerk.interpreter.evaluation import scalars
from regelwerk.interpreter.evaluation.base import Compiler, Locals, members, writer
from regelwerk.interpreter.evaluation.heads import compile_head, enumerator
from regelwerk.interpreter.evaluation.moving import thing_list
from regelwerk.interpreter.evaluation.storing import state_writer
from regelwerk.interpreter.faults import Fault
from regelwerk.interpreter.knowledge import sees
from regelwerk.interpreter.layout import Image

CERTAIN = object()
"""What `prepare` gives when nothing was left to chance and it is done already."""


@dataclass(eq=False)
class Event:
    """One place where nature decides.

    prepare  what is asked now (a list of candidate lists, one for each number of the outcome), None if nothing happens
    apply    what an outcome does
    kind     the type of the outcome's numbers, for printing
    watchers who sees the outcome, as a set of players
    """

    what: str
    kind: Type
    prepare: Callable[[Image, Locals], Any]
    apply: Callable[[Image, Locals, list[int]], None]
    stream: int
    offset: Callable[[], int]
    without_replacement: bool
    span: Span
    watchers: Callable[[Image, Locals], int]
    actor: Callable[[Image, Locals], int] | None = None

    def sample(self, m: Image, request: list[list[int]]) -> list[int]:
        """Answer from the generator."""
        place = self.offset() + 8 * self.stream
        state = int.from_bytes(m.b[place : place + 8], "little")
        outcome = []
        left = list(request[0]) if self.without_replacement and request else []
        for candidates in request:
            pool = left if self.without_replacement else candidates
            state, index = generator.below(state, len(pool))
            outcome.append(pool.pop(index) if self.without_replacement else pool[index])
        m.b[place : place + 8] = state.to_bytes(8, "little")
        return outcome

    def accepts(self, request: list[list[int]], outcome: list[int]) -> bool:
        """Whether an outcome is possible."""
        if len(request) != len(outcome):
            return False
        if self.without_replacement and sorted(outcome) != sorted(request[0]):
            return False
        return all(value in candidates for value, candidates in zip(outcome, request, strict=True))


def compile_chance(c: Compiler, proc: ir.Proc, end: ir.End, index: int) -> Event:
    """The event at the end of a block."""
    if isinstance(end, ir.RollEnd):
        return _roll(c, end)
    if isinstance(end, ir.DrawEnd):
        return _draw(c, end)
    if isinstance(end, ir.SettleTopEnd):
        return _settle_top(c, end)
    if isinstance(end, ir.ShowTopEnd):
        return _show_top(c, end)
    if isinstance(end, ir.RandomEnd):
        return _random(c, end, f"random {proc.name} {index}")
    if isinstance(end, ir.ShuffleStateEnd):
        return _shuffle_state(c, end)
    assert isinstance(end, ir.OptionEnd)
    return _option(c, end)


def _event(
    c: Compiler,
    what: str,
    kind: Type,
    prepare: Any,
    apply: Any,
    stream: str,
    span: Span,
    without_replacement: bool = False,
) -> Event:
    everybody = c.program.knowledge.everybody
    return Event(
        what,
        kind,
        prepare,
        apply,
        c.program.layout.streams.index(stream),
        lambda: c.program.layout.stream_offset,
        without_replacement,
        span,
        lambda m, env: everybody,
    )


def _roll(c: Compiler, end: ir.RollEnd) -> Event:
    dice = thing_list(c, end.roll.dice)
    kind = strip(member_of(end.roll.dice.type) or end.roll.dice.type)
    symbol: g.EntitySymbol = kind.symbol  # type: ignore[attr-defined]  # dice are things
    assert symbol.faces is not None
    low, high = symbol.faces
    faces, base = list(range(low, high + 1)), c.program.face_cells[symbol].offset
    knowledge = c.program.knowledge
    tracked = knowledge.tracks(symbol)

    def prepare(m: Image, env: Locals) -> Any:
        count = len(dice(m, env))
        return [faces] * count if count else None

    def apply(m: Image, env: Locals, outcome: list[int]) -> None:
        for die, face in zip(dice(m, env), outcome, strict=True):
            m.b[base + die] = face
        if tracked:
            knowledge.change(m, symbol, dice(m, env))

    event = _event(
        c, f"roll of {symbol.words.many}", IntType(low, high), prepare, apply, f"dice {symbol.name}", end.span
    )
    event.actor = c.expr(end.roll.me)
    if tracked:
        locate, seers = c.program.zones.locate[symbol], knowledge.seers

        def watchers(m: Image, env: Locals) -> int:
            mask = knowledge.everybody
            for die in dice(m, env):
                mask &= seers[locate(m, die)]
            return mask

        event.watchers = watchers
    return event


def _draw(c: Compiler, end: ir.DrawEnd) -> Event:
    node, zones = end.draw, c.program.zones
    source, target = c.expr(node.source), c.expr(node.zone)
    symbol: g.EntitySymbol = node.source.type.symbol  # type: ignore[attr-defined]  # a zone
    stream = f"zone {node.source.symbol.name}" if isinstance(node.source, x.ZoneRef) else c.program.layout.streams[0]
    things = c.program.things[symbol]
    keep = end.drawn_slot

    knowledge = c.program.knowledge
    tracked = knowledge.tracks(symbol)

    def move(m: Image, env: Locals, thing: int, known: bool) -> None:
        if keep is not None:
            env[keep] = thing
        place = target(m, env)
        if not place:
            raise Fault("none", "there is no zone to draw to", node.span)
        if not tracked:
            zones.move(m, symbol, thing, place, False, node.span)
        elif known:
            knowledge.move(m, symbol, [thing], place, False, True, node.span)
        else:
            knowledge.draw_unknown(m, symbol, thing, place, node.span)
        if m.log is not None:
            m.log.append(("draw", things, (thing,), place, node.span, knowledge.of(m, symbol, thing), True))

    def prepare(m: Image, env: Locals) -> Any:
        place = source(m, env)
        unknown = zones.unknown(m, place)
        if len(unknown) > 1:
            return [list(unknown)]
        move(m, env, zones.sequence(m, place)[-1] if not unknown else unknown[0], True)
        return CERTAIN

    def apply(m: Image, env: Locals, outcome: list[int]) -> None:
        move(m, env, outcome[0], False)

    return _event(c, f"draw of a {symbol.words.one}", ThingType(symbol), prepare, apply, stream, end.span)


def _settle_top(c: Compiler, end: ir.SettleTopEnd) -> Event:
    zone, count, zones, knowledge = c.expr(end.zone), c.expr(end.count), c.program.zones, c.program.knowledge
    entity: g.EntitySymbol = end.zone.type.symbol  # type: ignore[attr-defined]  # a zone
    stream = f"zone {end.zone.symbol.name}" if isinstance(end.zone, x.ZoneRef) else c.program.layout.streams[0]

    def prepare(m: Image, env: Locals) -> Any:
        place = zone(m, env)
        return None if not place or zones.settled(m, place, count(m, env)) else [list(zones.middle(m, place))]

    def apply(m: Image, env: Locals, outcome: list[int]) -> None:
        knowledge.settle_top(m, entity, outcome[0])

    return _event(c, f"draw of a {entity.words.one}", ThingType(entity), prepare, apply, stream, end.span)


def _show_top(c: Compiler, end: ir.ShowTopEnd) -> Event:
    zones, knowledge, entity = c.program.zones, c.program.knowledge, end.symbols[0].entity
    numbers = [zones.base[symbol] + k for symbol in end.symbols for k in range(zones.instances[symbol])]

    def prepare(m: Image, env: Locals) -> Any:
        place = next((each for each in numbers if not zones.settled(m, each, 1)), 0)
        return [list(zones.middle(m, place))] if place else None

    def apply(m: Image, env: Locals, outcome: list[int]) -> None:
        knowledge.settle_top(m, entity, outcome[0])
        if m.log is not None:
            place = zones.locate[entity](m, outcome[0])
            m.log.append(("shown", c.program.things[entity], outcome[0], place, end.span))

    stream = f"zone {end.symbols[0].name}"
    return _event(c, f"draw of a {entity.words.one}", ThingType(entity), prepare, apply, stream, end.span)


def _random(c: Compiler, end: ir.RandomEnd, stream: str) -> Event:
    binder = end.pick.binder
    before, loops = compile_head(c, end.pick.head, [], False)
    slot = binder.slot
    found: list[int] = []

    def collect(m: Image, env: Locals) -> bool:
        found.append(env[slot])
        return False

    run = enumerator(before, loops, collect)

    def prepare(m: Image, env: Locals) -> Any:
        found.clear()
        run(m, env)
        return [list(found)] if found else None

    def apply(m: Image, env: Locals, outcome: list[int]) -> None:
        env[slot] = outcome[0]

    return _event(c, f"random {binder.name}", binder.type, prepare, apply, stream, end.span)


def _shuffle_state(c: Compiler, end: ir.ShuffleStateEnd) -> Event:
    symbol = end.shuffle.symbol
    keys, read = c.expr(end.shuffle.keys), scalars.stored(c, symbol)
    write, low = state_writer(c, symbol, end.span), c.program.key_base(symbol.key)

    def prepare(m: Image, env: Locals) -> Any:
        values = [read(m, key - low) for key in members(keys(m, env))]
        return [values] * len(values) if len(values) > 1 else None

    def apply(m: Image, env: Locals, outcome: list[int]) -> None:
        for key, value in zip(members(keys(m, env)), outcome, strict=True):
            write(m, key - low, value)

    what, stream = f"shuffle of {symbol.name}", f"shuffle {symbol.name}"
    event = _event(c, what, symbol.type, prepare, apply, stream, end.span, True)
    per_player = isinstance(symbol.key, PlayerType)
    seats = range(1, c.program.players + 1)

    def watchers(m: Image, env: Locals) -> int:
        holders = members(keys(m, env)) if per_player else [0]
        return sum(1 << p for p in seats if all(sees(symbol.seen_by, holder, p) for holder in holders))

    event.watchers = watchers
    return event


def _option(c: Compiler, end: ir.OptionEnd) -> Event:
    symbol = end.option
    highest, kind = c.program.domains.highest(symbol.type), strip(symbol.type)
    low = kind.lowest if isinstance(kind, IntType) else 0 if str(kind) == "yes/no" else 1
    candidates = list(range(low, highest + 1))
    region = c.program.option_cells.get(symbol)
    write = writer(region) if region is not None else None

    def prepare(m: Image, env: Locals) -> Any:
        return [candidates] if write is not None else None

    def apply(m: Image, env: Locals, outcome: list[int]) -> None:
        assert write is not None
        write(m, 0, outcome[0])

    return _event(c, f"option {symbol.name}", symbol.type, prepare, apply, f"option {symbol.name}", end.span)
