"""States that look alike to one player: all that he may not know is exchanged for something else.

A twin of a state is made by renaming things of one type and owner that he does not know and that lie where he does not
see them (everywhere: in zones, noted states, running bodies, sealed answers), by other hidden goods with the same sums,
other hidden states and other sealed answers of the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import (
    BoolType,
    EnumType,
    IntType,
    ListType,
    OptionalType,
    SetType,
    ThingType,
    Type,
    strip,
)
from regelwerk.interpreter import ir, machine
from regelwerk.interpreter import layout as la
from regelwerk.interpreter.api import NotAnOption, State
from regelwerk.interpreter.decisions import Raw
from regelwerk.interpreter.describing import parameters_of
from regelwerk.interpreter.evaluation.base import members, reader, writer
from regelwerk.interpreter.faults import Fault
from regelwerk.interpreter.frames import codec, save_frames, write_value
from regelwerk.interpreter.knowledge import sees
from regelwerk.interpreter.seal_records import write_record

AMOUNT = re.compile(r" (gains|loses|pays|gives) \d+ ")

Renaming = dict[tuple[g.EntitySymbol, int], int]


@dataclass
class Twin:
    """A state and one that looks the same to `seat` (0: an onlooker). `renamed`: which thing became which."""

    first: State
    second: State
    seat: int
    renamed: Renaming = field(default_factory=dict)
    sealed: bool = False

    @property
    def differ(self) -> bool:
        return self.first != self.second

    def new(self, value: Any, kind: Type) -> Any:
        """A run-time value of the first state as it is in the second."""
        kind = kind.base if isinstance(kind, OptionalType) else kind
        if isinstance(kind, ThingType):
            return self.renamed.get((kind.symbol, value), value)
        if isinstance(kind, SetType):
            return sum(1 << self.new(each, kind.member) for each in members(value))
        if isinstance(kind, ListType):
            return tuple(self.new(each, kind.member) for each in value)
        return value

    # ---------------------------------------------------------------------------------------------------- comparing
    def differences(self) -> Iterator[str]:
        """What the player reads in one state and not in the other."""
        name = self.first.seats[self.seat - 1] if self.seat else None
        one, other = self.first.view(name), self.second.view(name)
        for part in ("active", "counts", "zones", "states", "titles"):
            here, there = getattr(one, part), getattr(other, part)
            if here != there:
                pairs = zip(here, there, strict=True) if isinstance(here, tuple) else [(here, there)]
                yield from (f"view: {a} / {b}" for a, b in pairs if a != b)
        if self.first.status != self.second.status or self.first.actors != self.second.actors:
            yield f"who decides: {self.first.actors} / {self.second.actors}"
        elif name in self.first.actors:
            assert name is not None
            if self.first.decision_of(name) != self.second.decision_of(name):
                yield f"decision: {self.first.decision_of(name)} / {self.second.decision_of(name)}"
            if self.first.refusals(name) != self.second.refusals(name):
                yield f"refusals: {self.first.refusals(name)} / {self.second.refusals(name)}"

    def learned(self) -> bool:
        """Whether the player has learnt something of what was exchanged."""
        for (entity, thing), new in self.renamed.items():
            for state, each in ((self.first, thing), (self.second, new)):
                if state.program.knowledge.of(state.image, entity, each) >> self.seat & 1 and self.seat:
                    return True
                if not self.seat and state.program.knowledge.of(state.image, entity, each) == (
                    state.program.knowledge.everybody
                ):
                    return True
        return False

    def go_on(self, random: Random) -> tuple[list[str], list[str]] | None:
        """The same happens in both states; what the player reads of it. None if it cannot, or if he learns something
        that was exchanged: he sees it, or an effect (which may read everything) pays somebody by it."""
        name = self.first.seats[self.seat - 1] if self.seat else None
        if self.first.status not in ("decision", "chance"):
            return None
        try:
            if self.first.status == "chance":
                answers = self._chance(random)
                if answers is None:
                    return None
                events = self.first.answer_chance(answers[0]), self.second.answer_chance(answers[1])
            else:
                actor = random.choice(self.first.actors)
                number = self.first.seats.index(actor) + 1
                raws, others = self.first.raw_options_of(number), self.second.raw_options_of(number)
                index = random.randrange(len(raws))
                wanted = self._option(raws[index], number)
                if wanted not in others:
                    return None
                events = self.first.step(index, actor), self.second.step(others.index(wanted), actor)
        except (NotAnOption, Fault):
            return None
        if self.learned() or self.first.status != self.second.status or self.first.actors != self.second.actors:
            return None
        if self.sealed and (events[0] or events[1]):
            return None  # the seals are opened
        told = [[each.text_for(name) for each in found if each.text_for(name)] for found in events]
        amounts = [[text for text in texts if AMOUNT.search(text)] for texts in told]
        return (told[0], told[1]) if amounts[0] == amounts[1] else None

    def _option(self, raw: Raw, seat: int) -> Raw:
        site, _ = machine.pending(self.first.program, self.first.image, seat)
        kinds = [kind for _, kind in parameters_of(site, raw)]
        if len(kinds) != len(raw[1]):
            return raw
        return raw[0], tuple(self.new(value, kind) for value, kind in zip(raw[1], kinds, strict=True))

    def _chance(self, random: Random) -> tuple[list[str], list[str]] | None:
        event, request, _ = machine.pending_chance(self.first.program, self.first.image)
        outcome = [random.choice(candidates) for candidates in request]
        if event.without_replacement:
            outcome = random.sample(request[0], len(request[0]))
        texts = self.first.program.texts
        return (
            [texts.id(value, event.kind) for value in outcome],
            [texts.id(self.new(value, event.kind), event.kind) for value in outcome],
        )


def hides_anything(game: g.CheckedGame) -> bool:
    """Whether there is something in a game that not all players see."""
    together = any(isinstance(d, g.TogetherDriver) for p in _phases(game.phases) for d in p.drivers)
    declared = [each.seen_by for each in game.zones]
    declared += [each.seen_by for each in game.states] + [each.seen_by for each in game.resources]
    return together or any(each != "all" for each in declared)


def _phases(phases: list[g.PhaseSymbol]) -> list[g.PhaseSymbol]:
    return [each for phase in phases for each in (phase, *_phases(phase.phases))]


def twin_of(state: State, seat: int, random: Random) -> Twin:
    """A twin of a state for a player; the same state if nothing can be exchanged."""
    twin = Twin(state.clone(), state.clone(), seat)
    if all(not _unnamed_things(activation) for activation in machine.load_frames(state.program, state.image)):
        _rename(twin, random)
    _goods(twin, random)
    _states(twin, random)
    _seals(twin, random)
    for each in (twin.first, twin.second):
        each._options = None
        each._decision = None
    return twin


def _unnamed_things(activation: machine.Activation) -> bool:
    """Whether a body that runs keeps things in lists that do not say what they hold."""
    types = activation.proc.proc.frame.types
    return any(
        isinstance(kind, ListType) and isinstance(strip(kind.member), IntType) and activation.locals[k]
        for k, kind in enumerate(types)
    )


# ------------------------------------------------------------------------------------------------------------- things
def _rename(twin: Twin, random: Random) -> None:
    state, m = twin.second, twin.second.image
    program = state.program
    zones, knowledge = program.zones, program.knowledge
    for entity in knowledge.entities:
        pools: dict[int, list[int]] = {}
        for thing in range(1, program.things[entity].count + 1):
            place = zones.locate[entity](m, thing)
            known = (
                knowledge.of(m, entity, thing) >> twin.seat & 1
                if twin.seat
                else (knowledge.of(m, entity, thing) == knowledge.everybody)
            )
            if place and not known:
                pools.setdefault(program.things[entity].owner_of[thing], []).append(thing)
        for pool in pools.values():
            shuffled = random.sample(pool, len(pool))
            twin.renamed.update({(entity, a): b for a, b in zip(pool, shuffled, strict=True) if a != b})
        _rename_zones(twin, entity)
    _rename_states(twin)
    stack = machine.load_frames(program, m)
    for activation in stack:
        for k, kind in enumerate(activation.proc.proc.frame.types):
            activation.locals[k] = twin.new(activation.locals[k], kind)
    save_frames(program, m, stack)


def _rename_zones(twin: Twin, entity: g.EntitySymbol) -> None:
    """Every copy takes the place of the one it stands for: zone, knowledge, face."""
    program, m, before = twin.second.program, twin.second.image, twin.first.image
    zones, knowledge = program.zones, program.knowledge
    for number in range(1, len(zones.symbol_of)):
        symbol = zones.symbol_of[number]
        assert symbol is not None
        if symbol.entity is not entity:
            continue
        if zones.ordered[number]:
            parts = [[twin.renamed.get((entity, t), t) for t in part] for part in zones._parts(before, number)]
            zones._store(m, number, *parts)
        else:
            zones._write_set(
                m, number, sum(1 << twin.renamed.get((entity, t), t) for t in zones.sequence(before, number))
            )
    faces = program.face_cells.get(entity)
    for thing in range(1, program.things[entity].count + 1):
        new = twin.renamed.get((entity, thing), thing)
        zones.set_location[entity](m, new, zones.locate[entity](before, thing))
        knowledge._write[entity](m, new, knowledge.of(before, entity, thing))
        if faces is not None:
            m.b[faces.offset + new] = before.b[faces.offset + thing]


def _rename_states(twin: Twin) -> None:
    from regelwerk.interpreter.evaluation.scalars import stored
    from regelwerk.interpreter.evaluation.storing import state_writer

    program, m, before = twin.second.program, twin.second.image, twin.first.image
    for symbol in program.game.states:
        read, write = stored(program.compiler, symbol), state_writer(program.compiler, symbol, symbol.span)
        low = program.key_base(symbol.key)
        for index in range(program.key_count(symbol.key)):
            key = twin.new(index + low, symbol.key) - low if symbol.key is not None else index
            write(m, key, twin.new(read(before, index), symbol.type))


# ------------------------------------------------------------------------------------------------- goods, states, seals
def _goods(twin: Twin, random: Random) -> None:
    """Two holders whose kinds the player does not see exchange one thing for another: all sums stay.

    Who has said part of an answer keeps his goods, since that part may be of them."""
    program, m = twin.second.program, twin.second.image
    answering = _answering(twin.second)
    for symbol, region in program.resource_cells.items():
        if symbol.kinds is None:
            continue
        hidden = [
            q for q in range(1, program.players + 1) if q not in answering and not sees(symbol.seen_by, q, twin.seat)
        ]
        count, read, write = len(symbol.kinds.members), reader(region), writer(region)
        for _ in range(8 if len(hidden) > 1 else 0):
            p, q = random.sample(hidden, 2)
            a, b = random.randrange(count), random.randrange(count)
            cells = [p * count + a, q * count + b, p * count + b, q * count + a]
            if a != b and read(m, cells[0]) > 0 and read(m, cells[1]) > 0:
                for cell, change in zip(cells, (-1, -1, 1, 1), strict=True):
                    write(m, cell, read(m, cell) + change)


def _answering(state: State) -> set[int]:
    """The seats that have answered some stages of a decision, and not yet the last."""
    if state.status != "decision":
        return set()
    found = set()
    for seat in machine.asked(state.program, state.image):
        site, env = machine.pending(state.program, state.image, seat)
        if site.said is not None and site.said(env):
            found.add(seat)
    return found


def _states(twin: Twin, random: Random) -> None:
    from regelwerk.interpreter.evaluation.storing import state_writer

    program, m = twin.second.program, twin.second.image
    for symbol in program.game.states:
        kind = symbol.type
        write = state_writer(program.compiler, symbol, symbol.span)
        for index in range(program.key_count(symbol.key)):
            holder = index + 1 if str(symbol.key) == "player" else 0
            if sees(symbol.seen_by, holder, twin.seat):
                continue
            if isinstance(kind, IntType):
                write(m, index, random.randint(kind.lowest, min(kind.highest, kind.lowest + 50)))
            elif isinstance(kind, BoolType):
                write(m, index, random.randrange(2))
            elif isinstance(strip(kind), EnumType):
                write(m, index, random.randint(strip(kind).symbol.lowest, strip(kind).symbol.highest))  # type: ignore[attr-defined]  # an enum


def _seals(twin: Twin, random: Random) -> None:
    program, m = twin.second.program, twin.second.image
    if m.w[la.STATUS] != la.DECISION:
        return
    stack = machine.load_frames(program, m)
    site = stack[-1].block.test
    if not isinstance(site.end, ir.SealEnd):
        return
    env, seals = stack[-1].locals, site.end.seals
    for index, player in enumerate(env[seals.players_slot]):
        if player == twin.seat or env[seals.seals_slot][index * seals.size] <= 0:
            continue
        own = list(env)
        own[0] = player
        options = site.whole(m, own)
        if not options:
            continue
        way, values = random.choice(options)
        record = [way + 2]
        if way >= 0:
            for (_, kind, _), value in zip(site.end.offer.actions[way].parameters, values, strict=True):
                form, size = codec(program.compiler, kind)
                write_value(record, form, size, value)
        write_record(seals, env, player, record)
        twin.sealed = True
    save_frames(program, m, stack)
