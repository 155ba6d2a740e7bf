"""Constants, local names, reading of the image, arithmetic, comparisons and choices between values."""

from __future__ import annotations

import functools

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import (
    HIGHEST,
    IntType,
    ListType,
    OptionalType,
    RowType,
    SetType,
    TallyType,
    Type,
    ZoneType,
    numeric,
    strip,
)
from regelwerk.interpreter import layout as la
from regelwerk.interpreter.evaluation.arithmetic import LARGEST, TOO_LARGE, may_exceed
from regelwerk.interpreter.evaluation.base import NONE_NUMBER
from regelwerk.interpreter.evaluation.scalars import optional_number
from regelwerk.interpreter.frames import composite
from regelwerk.interpreter.wasm.binary import I32, I64
from regelwerk.interpreter.wasm.code import Function, Value, choose, const, load
from regelwerk.interpreter.wasm.emitter import Emitter, writes
from regelwerk.interpreter.wasm.shapes import Operand, Ref, Unsupported


@writes(x.Const)
def _const(e: Emitter, node: x.Const) -> Operand:
    return e.constant(node.value, node.type)


@writes(x.Local)
def _local(e: Emitter, node: x.Local) -> Operand:
    return e.slot(node.slot)


@writes(x.Active)
def _active(e: Emitter, node: x.Active) -> Operand:
    return load(e.state, 4 * la.ACTIVE)


@writes(x.AllPlayers)
def _players(e: Emitter, node: x.AllPlayers) -> Operand:
    return e.constant((1 << (e.program.players + 1)) - 2, node.type)


@writes(x.OptionRead)
def _option(e: Emitter, node: x.OptionRead) -> Operand:
    return e.unit.read(e.state, e.program.option_cells[node.symbol], 0)


@writes(x.ConstantRead)
def _constant_read(e: Emitter, node: x.ConstantRead) -> Operand:
    from regelwerk.interpreter.wasm.roles import modified

    symbol = node.symbol
    assert symbol.value is not None
    plain = e.any(symbol.value)
    if not symbol.roles:
        return plain
    return modified(e, symbol.roles, symbol.type, plain, e.known(node.me), [])


def stored(e: Emitter, symbol: g.StateSymbol, index: Value | int) -> Operand:
    """A stored variable, for the key number `index`."""
    region, kind = e.program.state_cells[symbol], strip(symbol.type)
    if composite(kind) or isinstance(kind, SetType):
        room = 4 * e.shapes.room(kind)
        start = 4 * region.offset
        return e.fetch(e.state + (index * room if isinstance(index, Value) else const(index * room)) + start, kind)
    if isinstance(kind, TallyType):
        units = e.program.unit_count(kind)
        target = e.f.room(4 * units)
        first = e.f.keep(index * units) if isinstance(index, Value) else const(index * units)
        for k in range(units):
            e.f.store(target, e.unit.read(e.state, region, first + k), 4 * k)
        return Ref(target, kind)
    if isinstance(kind, ListType):
        size = e.shapes.bound(kind) + 1
        target = e.f.room(4 * size)
        first = e.f.keep(index * size) if isinstance(index, Value) else const(index * size)
        count = e.f.keep(e.unit.read(e.state, region, first))
        e.f.store(target, count)
        with e.f.counting(0, count) as j:
            e.f.store(target + j * 4, e.unit.read(e.state, region, first + 1 + j), 4)
        return Ref(target, kind)
    return e.unit.read(e.state, region, index)


@writes(x.StateRead)
def _state(e: Emitter, node: x.StateRead) -> Operand:
    symbol = node.symbol
    if node.key is None:
        return stored(e, symbol, 0)
    key, low = e.known(node.key), e.program.key_base(symbol.key)
    if low == 0 or not isinstance(node.key.type, OptionalType):
        return stored(e, symbol, key - low)
    return e.either(key, lambda: stored(e, symbol, key - low), lambda: e.empty(symbol.type), symbol.type)


@writes(x.TrackRead)
def _track(e: Emitter, node: x.TrackRead) -> Operand:
    region, player = e.program.track_cells[node.symbol], e.known(node.player)
    if not e.may_be_nobody(node.player):
        return e.unit.read(e.state, region, player - 1)
    return e.either(player, lambda: e.unit.read(e.state, region, player - 1), lambda: const(NONE_NUMBER), IntType(0, 0))


def holder(e: Emitter, node: x.Expr) -> Value:
    """The number of a holder of goods: 0 for the bank, and -1 for nobody."""
    if isinstance(node, x.Bank):
        return const(0)
    found = e.value(node)
    symbol = getattr(strip(node.type), "symbol", None)
    base = e.program.holders.base.get(symbol, 0) if symbol is not None else 0
    if base or e.may_be_nobody(node):
        kept = e.f.keep(found)
        return choose(kept, kept + base, const(-1))
    return found


@writes(x.ResourceRead)
def _resource(e: Emitter, node: x.ResourceRead) -> Operand:
    region, kinds = e.program.resource_cells[node.symbol], node.symbol.kinds
    count = len(kinds.members) if kinds is not None else 1
    who = e.f.keep(holder(e, node.holder))
    number = IntType(0, HIGHEST)
    if kinds is None:
        if isinstance(node.holder, x.Bank):
            return e.unit.read(e.state, region, 0)
        if not e.may_be_nobody(node.holder):
            return e.unit.read(e.state, region, who)
        return e.either(who > 0, lambda: e.unit.read(e.state, region, who), lambda: const(NONE_NUMBER), number)
    if node.unit is None:
        target = e.f.room(4 * count)
        with e.f.when(who >= 0):
            for k in range(count):
                e.f.store(target, e.unit.read(e.state, region, who * count + k), 4 * k)
            e.f.otherwise()
            e.f.fill(target, 4 * count)
        return Ref(target, strip(node.type))
    unit = e.known(node.unit)
    if e.may_be_nobody(node.holder):
        return e.either(
            who >= 0,
            lambda: e.unit.read(e.state, region, who * count + unit - 1),
            lambda: const(NONE_NUMBER),
            number,
        )
    return e.unit.read(e.state, region, who * count + unit - 1)


@writes(x.FaceRead)
def _face(e: Emitter, node: x.FaceRead) -> Operand:
    symbol: g.EntitySymbol = strip(node.die.type).symbol  # type: ignore[attr-defined]  # dice are things
    region, die = e.program.face_cells[symbol], e.known(node.die)
    if not isinstance(node.die.type, OptionalType):
        return e.unit.read(e.state, region, die)
    return e.either(die, lambda: e.unit.read(e.state, region, die), lambda: const(NONE_NUMBER), IntType(0, 0))


def column_cell(e: Emitter, column: g.ColumnSymbol, thing: Value, by_row: bool) -> Operand:
    """A cell of a column of constants."""
    table = e.program.column_by_row(column) if by_row else e.program.column_table(column)
    if table is None:
        raise Unsupported(f"the column {column.address} reads the state")
    form, kind = e.shapes.form(column.type), strip(column.type)
    if form == "scalar":
        return e.unit.look_up([int(each) for each in table], thing)
    if form == "set":
        entries = [int(each) for each in table]
        room = e.shapes.half_words(kind)
        data = b"".join((each & ((1 << (32 * room)) - 1)).to_bytes(4 * room, "little") for each in entries)
        return e.fetch(thing * (4 * room) + e.unit.bytes_at(data), kind)
    room = e.shapes.room(kind)
    words = [word & 0xFFFFFFFF for each in table for word in e.words_of(each, kind, True)]
    place = e.unit.bytes_at(b"".join(word.to_bytes(4, "little") for word in words))
    return Ref(e.f.keep(thing * (4 * room) + place), kind)


@writes(x.ColumnRead)
def _column(e: Emitter, node: x.ColumnRead) -> Operand:
    from regelwerk.interpreter.wasm.roles import modified

    thing = e.known(node.thing)
    found = column_cell(e, node.column, thing, isinstance(strip(node.thing.type), RowType))
    if not node.column.roles:
        return found
    return modified(e, node.column.roles, node.column.type, found, e.known(node.me), [thing])


@writes(x.CellTest)
def _cell_test(e: Emitter, node: x.CellTest) -> Operand:
    thing, me = e.known(node.thing), e.known(node.me)
    cells = e.program.cells_of(node.column)

    def write(row: int) -> None:
        cell = cells[row - 1]
        assert isinstance(cell, tuple)
        frame, body = cell

        def fill(f: Function) -> None:
            inner = Emitter(e.unit, f, f.parameter(0), frame)
            inner.slots[0], inner.slots[1] = f.parameter(1), f.parameter(2)
            f.give(inner.value(body))

        title = f"{node.column.address} {row}"
        function = e.unit.function(("test", node.column, row), title, (I32, I32, I32), (I32,), fill)
        e.f.set(found, e.f.call(function, e.state, me, thing)[0])

    from regelwerk.interpreter.wasm.control import by_case

    rows = e.program.things[node.column.entity].row_of
    row = e.f.keep(e.unit.look_up(rows, thing))
    found = e.f.variable(I32, 0)
    used = sorted({each for each in rows if each and isinstance(cells[each - 1], tuple)})
    by_case(e, row, [(each, functools.partial(write, each)) for each in used])
    return found


@writes(x.ThingAttribute)
def _thing_attribute(e: Emitter, node: x.ThingAttribute) -> Operand:
    from regelwerk.interpreter.wasm.zones import place_in_zone

    kind = strip(node.thing.type)
    symbol: g.EntitySymbol = kind.symbol  # type: ignore[attr-defined]  # a thing or a row
    things = e.program.things[symbol]
    by_row = isinstance(kind, RowType)
    thing = e.known(node.thing)
    if node.attribute in ("pos", "row_of"):
        table = list(range(len(things.rows) + 1)) if by_row else list(things.row_of)
        if node.attribute == "pos" and isinstance(node.thing.type, OptionalType):
            table = [NONE_NUMBER, *table[1:]]
        return e.unit.look_up(table, thing)
    if node.attribute == "name":
        first: dict[str, int] = {}
        rows = [0] + [first.setdefault(row.printed, row.index) for row in things.rows]
        return e.unit.look_up(rows if by_row else [rows[r] for r in things.row_of], thing)
    if node.attribute == "owner":
        return e.unit.look_up(things.owner_of, thing)
    if node.attribute in ("grid_row", "grid_column", "half"):
        at = {"grid_row": 0, "grid_column": 1, "half": 2}[node.attribute]
        cells = [NONE_NUMBER] + [row.grid[at] if row.grid is not None else 0 for row in things.rows]
        table = cells if by_row else [cells[r] for r in things.row_of]
        if not isinstance(node.thing.type, OptionalType):
            table = [0, *table[1:]]
        return e.unit.look_up(table, thing)
    where = e.unit.read(e.state, e.program.location_cells[symbol], thing)
    if node.attribute == "holder":
        return e.unit.look_up(e.program.zone_holder, where)
    return e.f.call(place_in_zone(e.unit, symbol), e.state, thing)[0]


# ------------------------------------------------------------------------------------------------------------- numbers
def bounds(node: x.Expr) -> tuple[int, int]:
    """What an expression can be as a number, by its type."""
    found = numeric(node.type)
    return (found.lowest, found.highest) if found is not None else (-(2**31), 2**31 - 1)


@writes(x.Arithmetic)
def _arithmetic(e: Emitter, node: x.Arithmetic) -> Operand:
    f, sign = e.f, node.operator
    left, right = e.known(node.left), e.known(node.right)
    maybe = optional_number(node.left.type) or optional_number(node.right.type)
    if sign in ("min", "max"):
        best = choose(left < right if sign == "min" else left > right, left, right)
        if maybe:
            best = choose(left.eq(NONE_NUMBER), right, choose(right.eq(NONE_NUMBER), left, best))
        return best
    if sign in ("div", "mod") and (right.const is None or right.const == 0):
        with f.when(right.eq(0)):
            e.unit.fault(f, "range", f"`{sign}` by 0", node.span)
    if maybe:
        with f.when(left.eq(NONE_NUMBER) | right.eq(NONE_NUMBER)):
            e.unit.fault(f, "none", "a number was needed, and there is none", node.span)
    if may_exceed(node):
        wide = f.keep(_plain(sign, left.widen_signed(), right.widen_signed()))
        with f.when((wide > const(LARGEST, I64)) | (wide < const(-LARGEST, I64))):
            e.unit.fault(f, "range", TOO_LARGE, node.span)
        return wide.narrow()
    if sign in ("+", "-", "*"):
        return _plain(sign, left, right)
    if bounds(node.left)[0] >= 0 and bounds(node.right)[0] >= 0 and not maybe:
        return left.two("div_u" if sign == "div" else "rem_u", right)
    rest = f.keep(left.two("rem_s", right))
    off = rest.ne(0) & ((rest ^ right) < 0)
    if sign == "mod":
        return rest + choose(off, right, const(0))
    return left.two("div_s", right) - off


def _plain(sign: str, left: Value, right: Value) -> Value:
    return left + right if sign == "+" else left - right if sign == "-" else left * right


@writes(x.Negative)
def _negative(e: Emitter, node: x.Negative) -> Operand:
    value = e.known(node.operand)
    if optional_number(node.operand.type):
        with e.f.when(value.eq(NONE_NUMBER)):
            e.unit.fault(e.f, "none", "a number was needed, and there is none", node.span)
    return const(0) - value


@writes(x.Absolute)
def _absolute(e: Emitter, node: x.Absolute) -> Operand:
    value = e.known(node.operand)
    return choose(value < 0, const(0) - value, value)


@writes(x.InHalves)
def _in_halves(e: Emitter, node: x.InHalves) -> Operand:
    value = e.known(node.operand)
    if optional_number(node.type):
        return choose(value.eq(NONE_NUMBER), value, value * 2)
    return value * 2


_ORDER = {"<": "lt_s", "<=": "le_s", ">": "gt_s", ">=": "ge_s"}


@writes(x.Ordered)
def _ordered(e: Emitter, node: x.Ordered) -> Operand:
    if optional_number(node.left.type) or optional_number(node.right.type):
        left, right = e.known(node.left), e.known(node.right)
        found = left.two(_ORDER[node.operator], right)
        if optional_number(node.left.type):
            found = found & left.ne(NONE_NUMBER)
        return found & right.ne(NONE_NUMBER) if optional_number(node.right.type) else found
    return e.value(node.left).two(_ORDER[node.operator], e.value(node.right))


@writes(x.Equal)
def _equal(e: Emitter, node: x.Equal) -> Operand:
    if isinstance(node.left, x.ZoneEnd) and isinstance(node.right, x.Const) and node.right.value == 0:
        count = x.ZoneCount(IntType(0, 4096), node.span, node.left.zone)
        return e.value(x.Equal(node.type, node.span, count, node.right))
    if isinstance(node.left.type, ZoneType) and not isinstance(node.right.type, ZoneType):
        raise Unsupported("a zone compared with something else")
    left = e.any(node.left)
    if isinstance(left, Ref) and isinstance(node.right, x.Const) and node.right.value in (0, ()):
        return load(left.address).eqz()
    return e.same(left, e.any(node.right), node.left.type)


# ------------------------------------------------------------------------------------------------------------ pictures
@writes(x.PictureSize)
def _picture_size(e: Emitter, node: x.PictureSize) -> Operand:
    found = [NONE_NUMBER]
    for each in e.program.game.pictures:
        squares = sum(1 for cell in each.cells if cell)
        found.append({"width": each.width, "height": each.height, "count": squares}[node.attribute])
    return e.unit.look_up(found, e.value(node.picture))


@writes(x.PictureAt)
def _picture_at(e: Emitter, node: x.PictureAt) -> Operand:
    pictures = e.program.game.pictures
    picture, column, row = e.known(node.picture), e.known(node.column), e.known(node.row)
    starts, cells = [0], list[int]()
    for each in pictures:
        starts.append(len(cells))
        cells += list(each.cells)
    width = e.f.keep(e.unit.look_up([0] + [each.width for each in pictures], picture))
    height = e.unit.look_up([0] + [each.height for each in pictures], picture)
    inside = column.two("lt_u", width) & row.two("lt_u", height)
    start = e.unit.look_up(starts, picture)
    return e.either(
        inside, lambda: e.unit.look_up(cells or [0], start + row * width + column), lambda: const(0), node.type
    )


@writes(x.PictureTurned)
def _picture_turned(e: Emitter, node: x.PictureTurned) -> Operand:
    numbers = {each: number for number, each in enumerate(e.program.game.pictures, 1)}
    after = [0, 0, 0, 0]
    for each in e.program.game.pictures:
        turned = each
        for _ in range(4):
            after.append(numbers[turned])
            turned = turned.turned()
    picture = e.value(node.picture)
    return e.unit.look_up(after, picture * 4 + (e.value(node.turns) & 3))


# ------------------------------------------------------------------------------------------------------------- records
@writes(x.RecordOf)
def _record(e: Emitter, node: x.RecordOf) -> Operand:
    kind = strip(node.type)
    target = e.f.room(4 * e.shapes.room(kind))
    e.f.store(target, 1)
    place = 4
    for (_, wanted), field in zip(node.symbol.fields, node.fields, strict=True):
        e.store(target + place, e.widened(field, wanted), wanted)
        place += 4 * e.shapes.room(wanted)
    return Ref(target, kind)


@writes(x.RecordField)
def _field(e: Emitter, node: x.RecordField) -> Operand:
    record = e.ref(node.record)
    fields = strip(record.kind).symbol.fields  # type: ignore[attr-defined]  # a record
    place = 4 + sum(4 * e.shapes.room(each) for _, each in fields[: node.index])
    kind: Type = fields[node.index][1]
    return e.either(
        load(record.address), lambda: e.fetch(record.address + place, kind), lambda: e.empty(node.type), node.type
    )


# --------------------------------------------------------------------------------------------------------------- calls
@writes(x.Call)
def _call(e: Emitter, node: x.Call) -> Operand:
    from regelwerk.interpreter.wasm.values import call_value

    return call_value(e, node)


@writes(x.ScoreRead)
def _score(e: Emitter, node: x.ScoreRead) -> Operand:
    from regelwerk.interpreter.wasm.values import score_line

    lines = node.symbol.lines if node.line is None else [node.symbol.lines[node.line]]
    player = e.known(node.player)

    def total() -> Value:
        found = const(0)
        for line in lines:
            found = found + e.f.call(score_line(e.unit, line), e.state, player)[0]
        return found

    if not e.may_be_nobody(node.player):
        return total()
    return e.either(player.eqz(), lambda: const(NONE_NUMBER), total, node.type)


@writes(x.AwardHolder)
def _award(e: Emitter, node: x.AwardHolder) -> Operand:
    region = e.program.award_cells[node.symbol]
    if node.key is None:
        return e.unit.read(e.state, region, 0)
    key, low = e.known(node.key), e.program.key_base(node.symbol.key)
    return e.either(key, lambda: e.unit.read(e.state, region, key - low), lambda: const(0), node.type)


def history_cell(e: Emitter, question: g.HistoryQuestion, actor: Value, keys: list[Value]) -> Value:
    """The number of the cell of a question."""
    sizes = [e.program.history._size(kind) for _, kind in question.keys]
    lows = [kind.lowest if isinstance(kind, IntType) else 0 for _, kind in question.keys]
    index = const(0) if question.any_actor else actor
    for size, low, key in zip(sizes, lows, keys, strict=True):
        index = index * size + (key - low)
    return index


@writes(x.HistoryRead)
def _history(e: Emitter, node: x.HistoryRead) -> Operand:
    actor = e.value(node.actor) if not node.question.any_actor else const(0)
    index = history_cell(e, node.question, actor, [e.value(each) for each in node.arguments])
    return e.unit.read(e.state, e.program.history_cells[node.question], index)
