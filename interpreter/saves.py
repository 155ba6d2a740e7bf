"""Saved games: a JSON header that names rules, configuration and layout, then the bytes of the image.

A save may come from a stranger. Its digest tells accidents apart from intent; beyond that every cell is held against
the range the layout gives it, every stored value and frame against the types of the rules, and the places of things
against each other, so that what is restored is a state the machine can go on from.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from regelwerk.dsl.model.types import (
    BoolType,
    IntType,
    ListType,
    PlayerType,
    RecordType,
    RowType,
    SetType,
    TallyType,
    ThingType,
    Type,
    UnknownType,
    ZoneType,
    strip,
)
from regelwerk.interpreter import layout as la
from regelwerk.interpreter import machine
from regelwerk.interpreter.evaluation.base import reader
from regelwerk.interpreter.evaluation.scalars import stored
from regelwerk.interpreter.faults import Fault
from regelwerk.interpreter.frames import CHANCE, DECIDE
from regelwerk.interpreter.layout import Image

if TYPE_CHECKING:
    from regelwerk.interpreter.api import Game, State
    from regelwerk.interpreter.backends import Backend
    from regelwerk.interpreter.program import Program

MAGIC = b"regelwerk save 1\n"


def pack(state: State) -> bytes:
    """A state as bytes."""
    head = {
        "game": state.game.name,
        "rules": state.game.hash,
        "layout": state.program.layout.hash(),
        "seats": list(state.seats),
        "options": state.chosen_options,
        "seed": state.seed,
        "recording": state.recording,
    }
    rest = json.dumps(head, sort_keys=True).encode() + b"\n" + bytes(state.image.b)
    return MAGIC + hashlib.sha256(rest).hexdigest().encode() + b"\n" + rest


def unpack(game: Game, data: bytes, backend: Backend | None = None) -> State:
    """A state from its bytes. Raises `UsageError` if they are damaged or of other rules."""
    from regelwerk.interpreter.api import State, UsageError

    if not data.startswith(MAGIC):
        raise UsageError("this is no saved game")
    digest, _, rest = data[len(MAGIC) :].partition(b"\n")
    if hashlib.sha256(rest).hexdigest().encode() != digest:
        raise UsageError("this saved game is damaged")
    line, separator, body = rest.partition(b"\n")
    try:
        head = json.loads(line)
        seats, options, seed = (
            [str(s) for s in head["seats"]],
            {str(k): str(v) for k, v in head["options"].items()},
            int(head["seed"]),
        )
        recording = [tuple(str(word) for word in entry) for entry in head["recording"]]
        rules, layout = str(head["rules"]), str(head["layout"])
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UsageError("the head of this saved game is damaged") from None
    if rules != game.hash:
        raise UsageError("this saved game is of other rules (or of another version of them)")
    fresh = game.new(len(seats), seed, options, seats, backend=backend)
    program = fresh.program
    if not separator or layout != program.layout.hash() or len(body) != program.layout.size:
        raise UsageError("this saved game is damaged")
    image = Image(bytearray(body))
    state = State(game, program, image, seed, options, backend)
    state.recording = recording
    state.restored = True
    try:
        validate(program, image)
        if image.w[la.STATUS] == la.DECISION and not state.raw_options:
            raise Damaged
        if image.w[la.STATUS] == la.CHANCE:
            machine.pending_chance(program, image)
    except (Damaged, Fault, ArithmeticError, LookupError, TypeError, ValueError, AttributeError):
        raise UsageError("this saved game is damaged") from None
    return state


class Damaged(Exception):
    """Bytes that no game of these rules can have."""


def validate(program: Program, m: Image) -> None:
    """Raise `Damaged` unless header, cells, frames and places are such as a running game has."""
    _header(program, m)
    for region in program.layout.regions:
        read = reader(region)
        unsigned = region.highest == 2**32 - 1
        for index in range(region.count):
            value = read(m, index) & 0xFFFFFFFF if unsigned else read(m, index)
            if not region.lowest <= value <= region.highest:
                raise Damaged
    _states(program, m)
    _faces(program, m)
    _places(program, m)
    _frames(program, m)


def _header(program: Program, m: Image) -> None:
    w = m.w
    if w[la.STATUS] not in (la.DECISION, la.CHANCE, la.OVER) or not 0 <= w[la.ACTIVE] <= program.players:
        raise Damaged
    if w[la.STATUS] == la.DECISION and not 1 <= w[la.ACTOR] <= program.players:
        raise Damaged
    if not 0 <= w[la.END] < 3 + len(program.game.ends) or w[la.WINNERS] & ~((2 << program.players) - 2):
        raise Damaged
    if not 0 <= w[la.FRAME_WORDS] <= program.layout.frame_words or not 0 <= w[la.FRAMES] <= w[la.FRAME_WORDS]:
        raise Damaged
    if w[la.AS_ONE] < 0 or w[la.EXPLICIT] not in (0, 1) or w[la.PASSES] < 0:
        raise Damaged


def _states(program: Program, m: Image) -> None:
    """The members of stored sets and lists are such as there are; the cells' range alone does not say so."""
    for symbol in program.game.states:
        read, kind = stored(program.compiler, symbol), strip(symbol.type)
        if isinstance(kind, SetType | ListType | RecordType):
            for index in range(program.key_count(symbol.key)):
                _local(program, read(m, index), kind)


def _faces(program: Program, m: Image) -> None:
    """Dice show faces that they have."""
    for entity, region in program.face_cells.items():
        assert entity.faces is not None
        low, high = entity.faces
        if any(not low <= m.b[region.offset + die] <= high for die in range(1, region.count)):
            raise Damaged


def _places(program: Program, m: Image) -> None:
    """Every thing lies exactly where its cell says, and nowhere else."""
    zones = program.zones
    found: dict[object, dict[int, int]] = {entity: {} for entity in zones.location}
    for number in range(1, len(zones.symbol_of)):
        symbol = zones.symbol_of[number]
        assert symbol is not None
        count = zones.things[symbol.entity].count
        if zones.ordered[number]:
            offset = zones.offset[number]
            if sum(m.h[offset : offset + 3]) > count:
                raise Damaged
        things = zones.sequence(m, number)
        if zones.capacity[number] and len(things) > zones.capacity[number]:
            raise Damaged
        for thing in things:
            if not 1 <= thing <= count or thing in found[symbol.entity]:
                raise Damaged
            found[symbol.entity][thing] = number
            if program.knowledge.seers[number] & ~program.knowledge.of(m, symbol.entity, thing):
                raise Damaged  # who sees a zone knows what lies in it
    for entity, locate in zones.locate.items():
        for thing in range(1, zones.things[entity].count + 1):
            if locate(m, thing) != found[entity].get(thing, 0):
                raise Damaged


def _frames(program: Program, m: Image) -> None:
    place, end = program.layout.frame_offset, program.layout.frame_offset + m.w[la.FRAME_WORDS]
    for _ in range(m.w[la.FRAMES]):
        if not 0 <= m.w[place] < len(program.procs):
            raise Damaged
        proc = program.procs[m.w[place]]
        if not 0 <= m.w[place + 1] < len(proc.blocks):
            raise Damaged
        place += 2 + sum(1 + size if form == "list" else size for form, size in proc.codecs)
        if place > end:
            raise Damaged
    stack = machine.load_frames(program, m)
    if bool(stack) != (m.w[la.STATUS] in (la.DECISION, la.CHANCE)):
        raise Damaged
    for activation in stack:
        for value, kind in zip(activation.locals, activation.proc.proc.frame.types, strict=False):
            _local(program, value, strip(kind))
    wanted = DECIDE if m.w[la.STATUS] == la.DECISION else CHANCE
    if stack and stack[-1].block.kind != wanted:
        raise Damaged


def _local(program: Program, value: object, kind: Type) -> None:
    if isinstance(kind, IntType | BoolType | UnknownType | TallyType):
        return
    if isinstance(kind, SetType):
        if isinstance(value, int) and value.bit_length() > program.domains.highest(kind.member) + 1:
            raise Damaged
        if isinstance(value, int) and value & 1 and isinstance(strip(kind.member), PlayerType | RowType | ThingType):
            raise Damaged  # these are numbered from 1
    elif isinstance(kind, ListType):
        if isinstance(value, tuple) and len(value) > program.domains.bound(kind.bound):
            raise Damaged
        if not isinstance(strip(kind.member), SetType | TallyType):
            for each in value if isinstance(value, tuple) else ():
                _local(program, each, strip(kind.member))
    elif isinstance(kind, RecordType):
        if isinstance(value, tuple):
            for part, (_, of) in zip(value, kind.symbol.fields, strict=True):
                _local(program, part, strip(of))
        elif value != 0:
            raise Damaged
    elif isinstance(kind, ZoneType):
        if not (isinstance(value, int) and 0 <= value < len(program.zones.symbol_of)):
            raise Damaged
    elif not (isinstance(value, int) and 0 <= value <= program.domains.highest(kind)):
        raise Damaged
