"""Constants, local names, reading of states, tracks, resources, columns and records, calls."""

from __future__ import annotations

from collections.abc import Callable

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import (
    IntType,
    ListType,
    OptionalType,
    RecordType,
    RowType,
    SetType,
    TallyType,
    Type,
    strip,
)
from regelwerk.interpreter import layout as la
from regelwerk.interpreter.coverage import passed
from regelwerk.interpreter.evaluation.base import (
    NONE_NUMBER,
    Closure,
    Compiler,
    Locals,
    Value,
    compiles,
    mask_of,
    may_be_nobody,
    reader,
)
from regelwerk.interpreter.faults import Fault
from regelwerk.interpreter.frames import codec, composite, read_value
from regelwerk.interpreter.layout import Image


def optional_number(kind: Type) -> bool:
    """Whether values of a type are numbers or none."""
    return isinstance(kind, OptionalType) and isinstance(kind.base, IntType)


def nothing(kind: Type) -> Value:
    """What `none` or nothing is in a type."""
    kind = strip(kind)
    if isinstance(kind, IntType):
        return NONE_NUMBER
    if isinstance(kind, ListType):
        return ()
    return 0


def is_none(value: Value, kind: Type) -> bool:
    """Whether a value of a type that may be none is none. The number 0 is a number."""
    return bool(value == NONE_NUMBER) if isinstance(strip(kind), IntType) else not value


@compiles(x.Const)
def _const(c: Compiler, node: x.Const) -> Closure:
    value = node.value
    return lambda m, env: value


@compiles(x.Local)
def _local(c: Compiler, node: x.Local) -> Closure:
    slot = node.slot
    return lambda m, env: env[slot]


@compiles(x.Active)
def _active(c: Compiler, node: x.Active) -> Closure:
    cell = la.ACTIVE
    return lambda m, env: m.w[cell]


@compiles(x.AllPlayers)
def _players(c: Compiler, node: x.AllPlayers) -> Closure:
    value = (1 << (c.program.players + 1)) - 2
    return lambda m, env: value


@compiles(x.AllThings)
def _things(c: Compiler, node: x.AllThings) -> Closure:
    value = c.program.things[node.symbol].everything
    return lambda m, env: value


@compiles(x.RowConst)
def _row(c: Compiler, node: x.RowConst) -> Closure:
    value = node.row
    if node.symbol.rows[node.row - 1].single:
        value = c.program.things[node.symbol].first_of_row[node.row]
    return lambda m, env: value


@compiles(x.OptionRead)
def _option(c: Compiler, node: x.OptionRead) -> Closure:
    if node.symbol in c.program.fixed_options:
        value = c.program.fixed_options[node.symbol]
        return lambda m, env: value
    read = reader(c.program.option_cells[node.symbol])
    return lambda m, env: read(m, 0)


@compiles(x.ConstantRead)
def _constant(c: Compiler, node: x.ConstantRead) -> Closure:
    from regelwerk.interpreter.evaluation.roles import modified

    symbol = node.symbol
    assert symbol.value is not None
    if not symbol.roles:
        if c.is_static_constant(symbol):
            if symbol not in c.constants:
                c.constants[symbol] = c.static(symbol.value)
            value = c.constants[symbol]
            return lambda m, env: value
        inner = c.expr(symbol.value)
        return lambda m, env: inner(m, [0] * 64)
    plain = c.expr(symbol.value)
    me = c.expr(node.me)
    woven = modified(c, symbol.roles, symbol.type, None)
    return lambda m, env: woven(m, plain(m, [0] * 64), me(m, env), [])


def stored(c: Compiler, symbol: g.StateSymbol) -> Callable[[Image, int], Value]:
    """A function that reads a stored variable for the key number `index` (0 without a key)."""
    region, kind = c.program.state_cells[symbol], strip(symbol.type)
    base = region.offset
    if composite(kind):
        form, room = codec(c, kind)
        return lambda m, index: read_value(m.w, base + index * room, form, room)[0]
    if isinstance(kind, SetType):
        words = c.program.domains.words(kind)
        if words == 1:
            return lambda m, index: m.u[base + index]

        def read_set(m: Image, index: int) -> int:
            start = base + index * words
            return int.from_bytes(m.b[4 * start : 4 * (start + words)], "little")

        return read_set
    if isinstance(kind, TallyType):
        units = c.program.unit_count(kind)
        read = reader(region)
        return lambda m, index: tuple(read(m, index * units + k) for k in range(units))
    if isinstance(kind, ListType):
        size = c.program.domains.bound(kind.bound) + 1
        read = reader(region)

        def read_list(m: Image, index: int) -> tuple[int, ...]:
            start = index * size
            return tuple(read(m, start + 1 + k) for k in range(read(m, start)))

        return read_list
    return reader(region)


@compiles(x.StateRead)
def _state(c: Compiler, node: x.StateRead) -> Closure:
    read = stored(c, node.symbol)
    region = c.program.state_cells[node.symbol]
    if node.key is None:
        if region.width == 8 and not isinstance(strip(node.symbol.type), ListType | SetType | TallyType | RecordType):
            offset = region.offset
            return lambda m, env: m.b[offset]
        return lambda m, env: read(m, 0)
    key = c.expr(node.key)
    low = c.program.key_base(node.symbol.key)
    empty = (
        nothing(node.symbol.type)
        if not isinstance(strip(node.symbol.type), TallyType)
        else (0,) * c.program.unit_count(strip(node.symbol.type))
    )
    if (
        region.width == 8
        and not isinstance(strip(node.symbol.type), ListType | SetType | TallyType | RecordType)
        and not optional_number(node.type)
    ):
        offset = region.offset - low
        if isinstance(node.key, x.Local) and not isinstance(node.key.type, OptionalType):
            slot = node.key.slot
            return lambda m, env: m.b[offset + env[slot]] if env[slot] else 0
        return lambda m, env: m.b[offset + k] if (k := key(m, env)) else 0

    def read_key(m: Image, env: Locals) -> Value:
        k = key(m, env)
        return read(m, k - low) if k else empty

    return read_key


@compiles(x.TrackRead)
def _track(c: Compiler, node: x.TrackRead) -> Closure:
    read, player = reader(c.program.track_cells[node.symbol]), c.expr(node.player)

    def track(m: Image, env: Locals) -> int:
        p = player(m, env)
        return read(m, p - 1) if p else NONE_NUMBER

    return track


@compiles(x.ResourceRead)
def _resource(c: Compiler, node: x.ResourceRead) -> Closure:
    region, kinds = c.program.resource_cells[node.symbol], node.symbol.kinds
    read = reader(region)
    count = len(kinds.members) if kinds is not None else 1
    holder = c.holder(node.holder)
    nobody = may_be_nobody(node.holder)
    if kinds is None:
        if isinstance(node.holder, x.Bank):
            return lambda m, env: read(m, 0)

        def resource(m: Image, env: Locals) -> int:
            p = holder(m, env)
            return read(m, p) if p > 0 else NONE_NUMBER

        return resource
    if node.unit is None:
        empty = (0,) * count

        def tally(m: Image, env: Locals) -> tuple[int, ...]:
            first = holder(m, env) * count
            return tuple(read(m, first + k) for k in range(count)) if first >= 0 else empty

        return tally
    unit = c.expr(node.unit)
    if nobody:
        return lambda m, env: read(m, p * count + unit(m, env) - 1) if (p := holder(m, env)) >= 0 else NONE_NUMBER
    return lambda m, env: read(m, holder(m, env) * count + unit(m, env) - 1)


@compiles(x.FaceRead)
def _face(c: Compiler, node: x.FaceRead) -> Closure:
    symbol = strip(node.die.type).symbol  # type: ignore[attr-defined]  # dice are things
    base = c.program.face_cells[symbol].offset
    die = c.expr(node.die)
    if isinstance(node.die, x.Local):
        slot = node.die.slot
        return lambda m, env: m.b[base + env[slot]]
    return lambda m, env: m.b[base + d] if (d := die(m, env)) else NONE_NUMBER


@compiles(x.ColumnRead)
def _column(c: Compiler, node: x.ColumnRead) -> Closure:
    from regelwerk.interpreter.evaluation.roles import modified

    table = c.program.column_table(node.column)
    kind = strip(node.thing.type)
    thing = c.expr(node.thing)
    if table is None:
        raise Fault("none", f"the column {node.column.address} reads the state", node.span)
    if isinstance(kind, RowType):
        table = c.program.column_by_row(node.column)
    if not node.column.roles:
        if isinstance(node.thing, x.Local):
            slot = node.thing.slot
            return lambda m, env: table[env[slot]]
        return lambda m, env: table[thing(m, env)]
    me = c.expr(node.me)
    woven = modified(c, node.column.roles, node.column.type, None)

    def column(m: Image, env: Locals) -> Value:
        t = thing(m, env)
        return woven(m, table[t], me(m, env), [t])

    return column


@compiles(x.CellTest)
def _cell_test(c: Compiler, node: x.CellTest) -> Closure:
    program = c.program
    rows = program.things[node.column.entity].row_of
    thing, me = c.expr(node.thing), c.expr(node.me)
    tests: list[tuple[int, Closure] | None] = [None]
    for cell in c.program.cells_of(node.column):
        assert isinstance(cell, tuple)
        frame, body = cell
        tests.append((2 * len(frame.types), passed(c.program.coverage, body.span, c.expr(body))))

    def test(m: Image, env: Locals) -> int:
        t = thing(m, env)
        found = tests[rows[t]]
        if found is None:
            return 0
        inner = [0] * found[0]
        inner[0], inner[1] = me(m, env), t
        return 1 if found[1](m, inner) else 0

    return test


@compiles(x.ThingAttribute)
def _thing_attribute(c: Compiler, node: x.ThingAttribute) -> Closure:
    kind = strip(node.thing.type)
    symbol: g.EntitySymbol = kind.symbol  # type: ignore[attr-defined]  # a thing or a row
    things = c.program.things[symbol]
    thing = c.expr(node.thing)
    by_row = isinstance(kind, RowType)
    if node.attribute in ("pos", "row_of"):
        table = list(range(len(things.rows) + 1)) if by_row else things.row_of
        if node.attribute == "pos":
            table = [NONE_NUMBER, *table[1:]]
        return lambda m, env: table[thing(m, env)]
    if node.attribute == "name":
        first: dict[str, int] = {}
        rows = [0] + [first.setdefault(row.printed, row.index) for row in things.rows]
        names = rows if by_row else [rows[r] for r in things.row_of]
        return lambda m, env: names[thing(m, env)]
    if node.attribute == "owner":
        owners = things.owner_of
        return lambda m, env: owners[thing(m, env)]
    if node.attribute in ("grid_row", "grid_column", "half"):
        place_of = {"grid_row": 0, "grid_column": 1, "half": 2}[node.attribute]
        by_row_table = [NONE_NUMBER] + [row.grid[place_of] if row.grid is not None else 0 for row in things.rows]
        cells = by_row_table if by_row else [by_row_table[r] for r in things.row_of]
        return lambda m, env: cells[thing(m, env)]
    locate = reader(c.program.location_cells[symbol])
    if node.attribute == "holder":
        holders = c.program.zone_holder
        return lambda m, env: holders[locate(m, t)] if (t := thing(m, env)) else 0
    zones = c.program.zones

    def place(m: Image, env: Locals) -> int:
        t = thing(m, env)
        where = locate(m, t) if t else 0
        found = zones.sequence(m, where)
        return found.index(t) + 1 if where and zones.ordered[where] else 0

    return place


# ----------------------------------------------------------------------------------------------------------- operators


@compiles(x.RecordOf)
def _record(c: Compiler, node: x.RecordOf) -> Closure:
    fields = [c.expr(each) for each in node.fields]
    return lambda m, env: tuple([field(m, env) for field in fields])


@compiles(x.RecordField)
def _field(c: Compiler, node: x.RecordField) -> Closure:
    record, index, kind = c.expr(node.record), node.index, strip(node.type)
    empty = (0,) * c.program.unit_count(kind) if isinstance(kind, TallyType) else nothing(node.type)

    def field(m: Image, env: Locals) -> Value:
        found = record(m, env)
        return found[index] if found else empty

    return field


@compiles(x.Call)
def _call(c: Compiler, node: x.Call) -> Closure:
    from regelwerk.interpreter.evaluation.roles import value_function

    function = value_function(c, node.symbol)
    arguments = [c.expr(each) for each in node.arguments]
    maybe = [
        i
        for i, each in enumerate(node.arguments)
        if isinstance(each.type, OptionalType) and not (node.symbol.takes_me and i == 0)
    ]
    wanted = [p for _, p in node.symbol.parameters]
    shift = 1 if node.symbol.takes_me else 0
    maybe = [i for i in maybe if not isinstance(wanted[i - shift], OptionalType)]
    numbers = [isinstance(strip(each.type), IntType) for each in node.arguments]
    empty = nothing(node.type)
    if isinstance(strip(node.type), TallyType):
        empty = (0,) * c.program.unit_count(strip(node.type))
    if maybe:

        def call_maybe(m: Image, env: Locals) -> Value:
            values = [each(m, env) for each in arguments]
            for i in maybe:
                if values[i] == NONE_NUMBER if numbers[i] else not values[i]:
                    return empty
            return function(m, values)

        return call_maybe
    if len(arguments) == 1:
        only = arguments[0]
        return lambda m, env: function(m, [only(m, env)])
    if len(arguments) == 2:
        first, second = arguments
        return lambda m, env: function(m, [first(m, env), second(m, env)])
    return lambda m, env: function(m, [each(m, env) for each in arguments])


@compiles(x.ScoreRead)
def _score(c: Compiler, node: x.ScoreRead) -> Closure:
    lines = node.symbol.lines if node.line is None else [node.symbol.lines[node.line]]
    player, maybe = c.expr(node.player), may_be_nobody(node.player)

    def score(m: Image, env: Locals) -> int:
        p = player(m, env)
        if maybe and not p:
            return NONE_NUMBER
        return sum(c.program.score_line(line)(m, p) for line in lines)

    return score


@compiles(x.AwardHolder)
def _award(c: Compiler, node: x.AwardHolder) -> Closure:
    cell = c.program.award_cells[node.symbol].offset
    if node.key is None:
        return lambda m, env: m.b[cell]
    key, first = c.expr(node.key), cell - c.program.key_base(node.symbol.key)
    return lambda m, env: m.b[first + k] if (k := key(m, env)) else 0


@compiles(x.HistoryRead)
def _history(c: Compiler, node: x.HistoryRead) -> Closure:
    index = c.program.history.index(c, node.question, c.expr(node.actor), [c.expr(a) for a in node.arguments])
    read = reader(c.program.history_cells[node.question])
    return lambda m, env: read(m, index(m, env))


__all__ = ["mask_of", "nothing", "optional_number", "stored"]
