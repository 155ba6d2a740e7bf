"""Storing: variables, tracks, faces, and what only scenarios set."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import (
    HIGHEST,
    EnumType,
    IntType,
    ListType,
    OptionalType,
    PlayerType,
    RecordType,
    RowType,
    SetType,
    TallyType,
    ThingType,
    Type,
    in_words,
    strip,
)
from regelwerk.interpreter.evaluation.base import (
    NONE_NUMBER,
    Closure,
    Compiler,
    Locals,
    reader,
    writer,
)
from regelwerk.interpreter.evaluation.statements import runs
from regelwerk.interpreter.faults import Fault
from regelwerk.interpreter.frames import codec, composite, write_value
from regelwerk.interpreter.layout import Image


def store_state(
    c: Compiler, symbol: g.StateSymbol, key_node: x.Expr | None, value_node: x.Expr, node: t.Stmt
) -> Closure:
    """Store a value in a variable."""
    write = state_writer(c, symbol, node.span)
    value = c.expr(value_node)
    low = c.program.key_base(symbol.key)
    if key_node is None:
        return lambda m, env: write(m, 0, value(m, env))
    key, span = c.expr(key_node), node.span

    def run(m: Image, env: Locals) -> None:
        k = key(m, env)
        if not k:
            raise Fault("none", f"`{symbol.name}` of nothing cannot be set", span)
        write(m, k - low, value(m, env))

    return run


def state_writer(c: Compiler, symbol: g.StateSymbol, span: Any) -> Callable[[Image, int, Any], None]:
    """A function that writes a variable for key number `index`, testing its range."""
    region, kind = c.program.state_cells[symbol], strip(symbol.type)
    write = writer(region)
    if composite(kind):
        return _composite_writer(c, symbol, span)
    if isinstance(kind, SetType):
        words = c.program.domains.words(kind)
        lowest = kind.member.lowest if isinstance(kind.member, IntType) else 1
        limit = (1 << (c.program.domains.highest(kind.member) + 1)) - (1 << lowest)

        def write_set(m: Image, index: int, value: int) -> None:
            if value & ~limit:
                raise Fault("range", f"a member of `{symbol.name}` is out of range", span)
            start = 4 * (region.offset + index * words)
            m.b[start : start + 4 * words] = value.to_bytes(4 * words, "little")

        return write_set
    if isinstance(kind, TallyType):
        units = c.program.unit_count(kind)

        def write_tally(m: Image, index: int, value: tuple[int, ...]) -> None:
            for k in range(units):
                if not 0 <= value[k] <= region.highest:
                    raise Fault("range", f"`{symbol.name}` cannot hold {value[k]}", span)
                write(m, index * units + k, value[k])

        return write_tally
    if isinstance(kind, ListType):
        bound = c.program.domains.bound(kind.bound)
        inner = strip(kind.member)
        least = inner.lowest if isinstance(inner, IntType) else 0
        most = c.program.domains.highest(inner)

        def write_list(m: Image, index: int, value: tuple[int, ...]) -> None:
            if len(value) > bound:
                raise Fault("range", f"`{symbol.name}` holds at most {bound}", span)
            for each in value:
                if not least <= each <= most:
                    raise Fault("range", f"a member of `{symbol.name}` is out of range: {each}", span)
            start = index * (bound + 1)
            write(m, start, len(value))
            for k in range(bound):
                write(m, start + 1 + k, value[k] if k < len(value) else 0)

        return write_list
    lowest, highest = (kind.lowest, kind.highest) if isinstance(kind, IntType) else (0, c.program.domains.highest(kind))

    def write_scalar(m: Image, index: int, value: int) -> None:
        if not lowest <= value <= highest:
            if value == NONE_NUMBER:
                raise Fault("none", f"`{symbol.name}` cannot be none", span)
            form = kind if isinstance(kind, IntType) else IntType(lowest, highest)
            low, high, wrong = (in_words(each, form) for each in (lowest, highest, value))
            raise Fault("range", f"`{symbol.name}` goes from {low} to {high}, and this is {wrong}", span)
        write(m, index, value)

    return write_scalar


def _composite_writer(c: Compiler, symbol: g.StateSymbol, span: Any) -> Callable[[Image, int, Any], None]:
    """A function that writes a record, or a list of records."""
    form, room = codec(c, symbol.type)
    base, fits, kind = c.program.state_cells[symbol].offset, storable(c, symbol.type), symbol.type
    optional = isinstance(kind, OptionalType)

    def write_composite(m: Image, index: int, value: Any) -> None:
        if value == 0 and not optional:
            raise Fault("none", f"`{symbol.name}` cannot be none", span)
        if not fits(value):
            raise Fault("range", f"a part of `{symbol.name}` is out of range", span)
        words: list[int] = []
        write_value(words, form, room, value)
        start = 4 * (base + index * room)
        m.b[start : start + 4 * room] = b"".join([word.to_bytes(4, "little") for word in words])

    return write_composite


def storable(c: Compiler, kind: Type) -> Callable[[Any], bool]:
    """Whether a value lies in the range of a type, in all its parts."""
    plain, domains = strip(kind), c.program.domains
    if isinstance(plain, RecordType):
        tests = [storable(c, each) for _, each in plain.symbol.fields]
        none = isinstance(kind, OptionalType)
        return lambda v: all(test(part) for test, part in zip(tests, v, strict=True)) if v else none
    if isinstance(plain, ListType):
        bound, test = domains.bound(plain.bound), storable(c, plain.member)
        return lambda v: len(v) <= bound and all(test(each) for each in v)
    if isinstance(plain, TallyType):
        return lambda v: all(0 <= each <= HIGHEST for each in v)
    if isinstance(plain, SetType):
        lowest = plain.member.lowest if isinstance(plain.member, IntType) else 1
        limit = (1 << (domains.highest(plain.member) + 1)) - (1 << lowest)
        return lambda v: not v & ~limit
    low, high = (plain.lowest, plain.highest) if isinstance(plain, IntType) else (0, domains.highest(plain))
    least = 1 if low == 0 and isinstance(kind, PlayerType | ThingType | EnumType) else low
    return lambda v: least <= v <= high


@runs(t.SetState)
def _set_state(c: Compiler, node: t.SetState) -> Closure:
    return store_state(c, node.symbol, node.key, node.value, node)


@runs(t.SetTrack)
def _set_track(c: Compiler, node: t.SetTrack) -> Closure:
    region, symbol, span = c.program.track_cells[node.symbol], node.symbol, node.span
    write, player, value = writer(region), c.expr(node.player), c.expr(node.value)

    def run(m: Image, env: Locals) -> None:
        new = value(m, env)
        if not symbol.lowest <= new <= symbol.highest:
            low, high, wrong = (in_words(each, symbol.type) for each in (symbol.lowest, symbol.highest, new))
            raise Fault("range", f"`{symbol.name}` goes from {low} to {high}, and this is {wrong}", span)
        write(m, player(m, env) - 1, new)

    return run


@runs(t.SetResource)
def _set_resource(c: Compiler, node: t.SetResource) -> Closure:
    region, symbol, span = c.program.resource_cells[node.symbol], node.symbol, node.span
    read, write, holder, value = reader(region), writer(region), c.holder(node.holder), c.expr(node.value)
    count = len(symbol.kinds.members) if symbol.kinds is not None else 1
    unit = c.expr(node.unit) if node.unit is not None else None
    whole = unit is None and symbol.kinds is not None

    def run(m: Image, env: Locals) -> None:
        first, found = holder(m, env) * count, value(m, env)
        if first < 0:
            raise Fault("none", "nobody holds goods here", span)
        for place, new in enumerate(found) if whole else [(unit(m, env) - 1 if unit is not None else 0, found)]:
            left = read(m, place) + read(m, first + place) - new
            if new < 0 or left < 0:
                raise Fault("range", f"there are not so many {symbol.words.many}", span)
            write(m, place, left)
            write(m, first + place, new)

    return run


@runs(t.SetFace)
def _set_face(c: Compiler, node: t.SetFace) -> Closure:
    symbol = strip(node.die.type).symbol  # type: ignore[attr-defined]  # dice are things
    base, (low, high) = c.program.face_cells[symbol].offset, symbol.faces
    die, value, span = c.expr(node.die), c.expr(node.value), node.span
    knowledge = c.program.knowledge
    tracked = knowledge.tracks(symbol)

    def run(m: Image, env: Locals) -> None:
        d, face = die(m, env), value(m, env)
        if not d:
            raise Fault("none", "there is no die to turn", span)
        if not low <= face <= high:
            raise Fault("range", f"a die shows {low} to {high}, not {face}", span)
        m.b[base + d] = face
        if tracked:
            knowledge.change(m, symbol, (d,))

    return run


@runs(t.SetZone)
def _set_zone(c: Compiler, node: t.SetZone) -> Closure:
    zone, zones = c.expr(node.zone), c.program.zones
    assert isinstance(node.zone, x.ZoneRef)
    entity = node.zone.symbol.entity
    things = c.program.things[entity]
    locate = zones.locate[entity]
    items = [(c.expr(each), isinstance(strip(each.type), RowType)) for each in node.items]
    taken, span, knowledge = c.program.taken_copies, node.span, c.program.knowledge

    def run(m: Image, env: Locals) -> None:
        place = zone(m, env)
        found = []
        for item, by_row in items:
            value = item(m, env)
            if by_row:
                first = things.first_of_row[value]
                copies = range(first, first + things.row_count[value])
                free = [k for k in copies if (entity, k) not in taken and k not in found]
                if not free:
                    raise Fault("none", f"all copies of {entity.rows[value - 1].name} are used already", span)
                value = free[0]
            found.append(value)
        for old in zones.sequence(m, place):
            taken.discard((entity, old))
        zones.fill(m, place, found)
        knowledge.placed_openly(m, place)
        taken.update((entity, k) for k in found)

    del locate
    return run


@runs(t.SetAward)
def _set_award(c: Compiler, node: t.SetAward) -> Closure:
    cell, player = c.program.award_cells[node.symbol].offset, c.expr(node.player)
    first = cell - c.program.key_base(node.symbol.key)
    key = c.expr(node.key) if node.key is not None else None

    def run(m: Image, env: Locals) -> None:
        m.b[first + (key(m, env) if key is not None else 0)] = player(m, env)

    return run


@runs(t.SetPin)
def _set_pin(c: Compiler, node: t.SetPin) -> Closure:
    pins, arguments, symbol = c.program.pins, [c.expr(a) for a in node.arguments], node.symbol
    if node.value is not None:
        value = c.expr(node.value)

        def pin_one(m: Image, env: Locals) -> None:
            pins[(symbol, *(a(m, env) for a in arguments))] = value(m, env)

        return pin_one
    assert node.items is not None
    items = [c.expr(each) for each in node.items]
    last = symbol.parameters[-1][1]

    def pin_all(m: Image, env: Locals) -> None:
        first = tuple(a(m, env) for a in arguments)
        lowest = last.lowest if isinstance(last, IntType) else 1
        for index, item in enumerate(items):
            pins[(symbol, *first, lowest + index)] = item(m, env)

    return pin_all


def start_state(c: Compiler, symbol: g.StateSymbol) -> Closure:
    """Set a variable to its start value, for every key."""
    assert symbol.start is not None
    value = c.expr(symbol.start)
    write = state_writer(c, symbol, symbol.span)
    size = 2 * len(symbol.frame.types)
    keys = range(c.program.key_count(symbol.key))
    low = c.program.key_base(symbol.key)

    def run(m: Image, env: Locals) -> None:
        for key in keys:
            inner: Locals = [0] * size
            if len(inner) > 2:
                inner[1] = key + low
            write(m, key, value(m, inner))

    return run
