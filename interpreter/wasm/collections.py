"""Sets, lists and tallies: what is asked of them, what is made of them, and how their members are visited."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import (
    HIGHEST,
    IntType,
    ListType,
    OptionalType,
    TallyType,
    ThingType,
    Type,
    ZoneType,
    member_of,
    strip,
)
from regelwerk.interpreter.evaluation.base import NONE_NUMBER, conjuncts
from regelwerk.interpreter.evaluation.scalars import nothing
from regelwerk.interpreter.wasm import zones
from regelwerk.interpreter.wasm.binary import I64
from regelwerk.interpreter.wasm.code import Function, Label, Value, choose, const, load, load64
from regelwerk.interpreter.wasm.emitter import Emitter, writes
from regelwerk.interpreter.wasm.shapes import Operand, Ref, Words


# ---------------------------------------------------------------------------------------------------------------- bits
def popcount(words: Words) -> Value:
    """How many members a set has."""
    found = words.parts[0].one("popcnt").narrow()
    for each in words.parts[1:]:
        found = found + each.one("popcnt").narrow()
    return found


def bit(e: Emitter, words: Words, member: Value, highest: int) -> Value:
    """Whether a number from 0 on is a member. `highest`: what the number can be at most."""
    f, count = e.f, len(words.parts)
    if count == 1:
        found = (words.parts[0] >> member.widen()).narrow() & 1
        return found if highest < 64 else choose(member.two("lt_u", 64), found, const(0))
    place = f.keep(member)
    word = words.parts[-1]
    for k in range(count - 2, -1, -1):
        word = choose(place < 64 * (k + 1), words.parts[k], word)
    found = (word >> (place & 63).widen()).narrow() & 1
    return found if highest < 64 * count else choose(place.two("lt_u", 64 * count), found, const(0))


def add_bit(e: Emitter, target: Words, member: Value) -> None:
    """Add a number from 0 on to a set in variables."""
    f = e.f
    place = f.keep(member)
    one = f.keep(const(1, I64) << (place & 63).widen())
    if len(target.parts) == 1:
        f.set(target.parts[0], target.parts[0] | one)
        return
    index = f.keep(place >> 6)
    for k, part in enumerate(target.parts):
        f.set(part, part | choose(index.eq(k), one, const(0, I64)))


@contextmanager
def each_bit(e: Emitter, words: Words) -> Iterator[tuple[Value, Label, Label]]:
    """The members of a set in ascending order: the member, and the labels of going on and of leaving."""
    f = e.f
    member = f.variable()
    if len(words.parts) == 1:
        left = f.copied(words.parts[0])
        with f.block() as leave, f.loop() as again:
            f.leave_if(leave, left.eqz())
            f.set(member, left.one("ctz").narrow())
            f.set(left, left & (left - 1))
            with f.block() as following:
                yield member, following, leave
            f.leave(again)
        return
    place, count = f.room(8 * len(words.parts)), len(words.parts)
    for k, part in enumerate(words.parts):
        f.store64(place, part, 8 * k)
    left, index = f.variable(I64), f.copied(const(0))
    f.set(left, load64(place))
    with f.block() as leave, f.loop() as again:
        with f.block() as found:
            f.leave_if(found, left.ne(0))
            f.increase(index)
            f.leave_if(leave, index >= count)
            f.set(left, load64(place + index * 8))
            f.leave(again)
        f.set(member, (left.one("ctz").narrow()) + index * 64)
        f.set(left, left & (left - 1))
        with f.block() as following:
            yield member, following, leave
        f.leave(again)


@contextmanager
def each_member(e: Emitter, source: Operand, kind: Type) -> Iterator[tuple[Operand, Label, Label]]:
    """The members of a set or list in order: the member, and the labels of going on and of leaving."""
    if isinstance(source, Words):
        with each_bit(e, source) as found:
            yield found
        return
    assert isinstance(source, Ref)
    f, member = e.f, member_of(source.kind) or member_of(kind)
    assert member is not None
    address = f.keep(source.address)
    stride = 4 * e.shapes.room(member)
    end = f.keep(address + load(address) * stride + 4)
    place = f.copied(address + 4)
    with f.while_(lambda: place.two("lt_u", end)) as (following, leave):
        value = e.fetch(place, member)
        here = e.keep(value) if not isinstance(value, Ref) else Ref(f.copied(place), value.kind)
        # the place moves on first, so that going on with the next member needs no more
        f.increase(place, stride)
        yield here, following, leave


def first_bit(e: Emitter, words: Words, empty: int) -> Value:
    """The least member of a set."""
    f = e.f
    if len(words.parts) == 1:
        part = f.keep(words.parts[0])
        return choose(part.eqz(), const(empty), part.one("ctz").narrow())
    found = f.copied(const(empty))
    for k in range(len(words.parts) - 1, -1, -1):
        part = f.keep(words.parts[k])
        with f.when(part.ne(0)):
            f.set(found, part.one("ctz").narrow() + 64 * k)
    return found


def last_bit(e: Emitter, words: Words, empty: int) -> Value:
    """The greatest member of a set."""
    f = e.f
    found = f.copied(const(empty))
    for k, each in enumerate(words.parts):
        part = f.keep(each)
        with f.when(part.ne(0)):
            f.set(found, const(63 + 64 * k) - part.one("clz").narrow())
    return found


# --------------------------------------------------------------------------------------------------------------- lists
class Gathering:
    """A list that grows in memory."""

    def __init__(self, e: Emitter, kind: ListType) -> None:
        self.e, self.kind = e, kind
        self.stride = e.shapes.room(kind.member)
        self.bound = e.shapes.bound(kind)
        self.address = e.f.room(4 * (1 + self.stride * self.bound))
        self.count = e.f.copied(const(0))

    def add(self, operand: Operand) -> None:
        """Put a value behind the others."""
        e, f = self.e, self.e.f
        with f.when(self.count >= self.bound):
            e.unit.fault(f, "range", f"a list is longer than the {self.bound} places it has", None)
        e.store(self.address + self.count * (4 * self.stride) + 4, operand, self.kind.member)
        f.increase(self.count)

    def done(self) -> Ref:
        """The list."""
        self.e.f.store(self.address, self.count)
        return Ref(self.address, self.kind)


def insert_by_key(f: Function, keys: Value, key: Value, values: Value, value: Value, count: Value) -> None:
    """Put a value into a list that is sorted by keys, behind those with the same. `keys`, `values`: the addresses of
    two lists, `count`: a variable that says how many they have."""
    place = f.copied(count)
    with f.while_(lambda: place > 0) as (_, leave):
        f.leave_if(leave, load(keys + place * 4) <= key)
        f.store(keys + place * 4, load(keys + place * 4), 4)
        f.store(values + place * 4, load(values + place * 4), 4)
        f.increase(place, -1)
    f.store(keys + place * 4, key, 4)
    f.store(values + place * 4, value, 4)
    f.increase(count)


def list_type(kind: Type) -> ListType:
    """The type as that of a list."""
    plain = strip(kind)
    assert isinstance(plain, ListType)
    return plain


# --------------------------------------------------------------------------------------------------------------- zones
@writes(x.ZoneRef)
def _zone(e: Emitter, node: x.ZoneRef) -> Operand:
    base = e.program.zones.base[node.symbol]
    if node.key is None:
        return const(base)
    key = e.known(node.key)
    if not isinstance(node.key.type, OptionalType):
        return key + (base - 1)
    return choose(key, key + (base - 1), const(0))


def destination(e: Emitter, node: x.Expr) -> Value:
    """Where things are put: none where nobody acts, of places that each player has."""
    if isinstance(node, x.ZoneRef) and isinstance(node.key, x.Local) and node.key.slot == 0:
        key = e.known(node.key)
        return choose(key, key + (e.program.zones.base[node.symbol] - 1), const(0))
    return e.value(node)


@writes(x.Contents)
def _contents(e: Emitter, node: x.Contents) -> Operand:
    zone = e.known(node.zone)
    entity = node.zone.type.symbol  # type: ignore[attr-defined]  # a zone
    if isinstance(node.type, ListType):
        return zones.sequence(e, entity, zone)
    return zones.as_set(e, entity, zone, has_order(e, node.zone), sure_zone(node.zone))


def sure_zone(node: x.Expr) -> g.ZoneSymbol | None:
    """The symbol of a zone that is never none."""
    if isinstance(node, x.ZoneRef) and (node.key is None or not isinstance(node.key.type, OptionalType)):
        return node.symbol
    return None


def has_order(e: Emitter, node: x.Expr) -> bool | None:
    """Whether a zone has an order; None if that is not known before."""
    return node.symbol.order is not None if isinstance(node, x.ZoneRef) else None


@writes(x.ZoneCount)
def _zone_count(e: Emitter, node: x.ZoneCount) -> Operand:
    entity = node.zone.type.symbol  # type: ignore[attr-defined]  # a zone
    return zones.count(e, entity, e.known(node.zone), has_order(e, node.zone), sure_zone(node.zone))


@writes(x.HasRoom)
def _room(e: Emitter, node: x.HasRoom) -> Operand:
    entity = node.zone.type.symbol  # type: ignore[attr-defined]  # a zone
    zone = e.known(node.zone)
    capacities = e.program.zones.capacity
    if isinstance(node.zone, x.ZoneRef):
        base = e.program.zones.base[node.zone.symbol]
        if not any(capacities[base : base + e.program.zones.instances[node.zone.symbol]]):
            return const(1)
    most = e.f.keep(e.unit.look_up(capacities, zone))
    return most.eqz() | (zones.count(e, entity, zone, has_order(e, node.zone), sure_zone(node.zone)) < most)


@writes(x.ZoneEnd)
def _zone_end(e: Emitter, node: x.ZoneEnd) -> Operand:
    entity = node.zone.type.symbol  # type: ignore[attr-defined]  # a zone
    zone = e.known(node.zone)
    if node.end == "at":
        assert node.place is not None
        return zones.at(e, entity, zone, e.known(node.place), node.span)
    return zones.end(e, entity, zone, node.end == "last", node.span, has_order(e, node.zone), sure_zone(node.zone))


@writes(x.ZoneTop)
def _zone_top(e: Emitter, node: x.ZoneTop) -> Operand:
    entity = node.zone.type.symbol  # type: ignore[attr-defined]  # a zone
    return zones.top(e, entity, e.known(node.zone), e.known(node.count), node.span)


# ---------------------------------------------------------------------------------------------------------------- sets
@writes(x.AllThings)
def _all_things(e: Emitter, node: x.AllThings) -> Operand:
    return e.constant(e.program.things[node.symbol].everything, node.type)


@writes(x.RowConst)
def _row(e: Emitter, node: x.RowConst) -> Operand:
    things = e.program.things[node.symbol]
    single = node.symbol.rows[node.row - 1].single
    return const(things.first_of_row[node.row] if single else node.row)


@writes(x.Interval)
def _interval(e: Emitter, node: x.Interval) -> Operand:
    f = e.f
    low, high = e.known(node.lowest), e.known(node.highest)
    count = e.shapes.set_words(node.type)
    nothing_ = f.keep(low.eq(NONE_NUMBER) | high.eq(NONE_NUMBER) | (high < low))
    with f.when(nothing_.eqz() & ((low < 0) | (high > HIGHEST))):
        e.unit.fault(
            f,
            "range",
            lambda n: f"the numbers of a set go from 0 on, and this one begins at {n[0]}",
            node.span,
            low,
        )
    target = Words(tuple(f.variable(I64) for _ in range(count)))
    for part in target.parts:
        f.set(part, const(0, I64))
    with f.when(nothing_.eqz()), f.counting(low, high + 1) as k, f.when(k < 64 * count):
        add_bit(e, target, k)
    return target


@writes(x.SetOf)
def _set_of(e: Emitter, node: x.SetOf) -> Operand:
    numbers = isinstance(strip(member_of(node.type) or node.type), IntType)
    target = e.place(node.type)
    assert isinstance(target, Words)
    for part in target.parts:
        e.f.set(part, const(0, I64))
    for item in node.items:
        if numbers and e.shapes.lowest(item.type) >= 0 and not isinstance(item.type, OptionalType):
            add_bit(e, target, e.value(item))
        else:
            _add_member(e, target, e.value(item), numbers)
    return target


def _add_member(e: Emitter, target: Words, member: Value, numbers: bool) -> None:
    """Add a value to a set, unless it is none."""
    value = e.f.keep(member)
    with e.f.when(value >= 0 if numbers else value > 0):
        add_bit(e, target, value)


@writes(x.ListOf)
def _list_of(e: Emitter, node: x.ListOf) -> Operand:
    kind = list_type(node.type)
    if not node.items:
        return e.empty(kind)
    stride = e.shapes.room(kind.member)
    target = e.f.room(4 * (1 + stride * len(node.items)))
    e.f.store(target, len(node.items))
    for k, item in enumerate(node.items):
        e.store(target + 4 * (1 + k * stride), e.widened(item, kind.member), kind.member)
    return Ref(target, ListType(kind.member, ((len(node.items),),)))


@writes(x.Union)
def _union(e: Emitter, node: x.Union) -> Operand:
    if isinstance(node.type, ListType):
        left, right = e.ref(node.left), e.ref(node.right)
        stride = 4 * e.shapes.room(node.type.member)
        one, two = e.shapes.bound(list_type(left.kind)), e.shapes.bound(list_type(right.kind))
        target = e.f.room(4 + stride * (one + two))
        first = e.f.keep(load(left.address))
        second = e.f.keep(load(right.address))
        e.f.store(target, first + second)
        e.f.copy(target + 4, left.address + 4, first * stride)
        e.f.copy(target + 4 + first * stride, right.address + 4, second * stride)
        return Ref(target, ListType(node.type.member, ((one + two,),)))
    count = e.shapes.set_words(node.type)
    a, b = e.fitted(e.words(node.left), count), e.fitted(e.words(node.right), count)
    return Words(tuple(one | two for one, two in zip(a, b, strict=True)))


@writes(x.Difference)
def _difference(e: Emitter, node: x.Difference) -> Operand:
    left = e.words(node.left)
    right = e.fitted(e.words(node.right), len(left.parts))
    return Words(tuple(one & (two ^ -1) for one, two in zip(left.parts, right, strict=True)))


@writes(x.ToSet)
def _to_set(e: Emitter, node: x.ToSet) -> Operand:
    numbers = isinstance(strip(member_of(node.type) or node.type), IntType)
    target = e.place(node.type)
    assert isinstance(target, Words)
    source = e.ref(node.collection)
    for part in target.parts:
        e.f.set(part, const(0, I64))
    with each_member(e, source, node.collection.type) as (member, _, _):
        assert isinstance(member, Value)
        _add_member(e, target, member, numbers)
    return target


@writes(x.ToList)
def _to_list(e: Emitter, node: x.ToList) -> Operand:
    found = e.any(node.collection)
    if isinstance(found, Ref):
        return found
    gathered = Gathering(e, list_type(node.type))
    with each_member(e, found, node.collection.type) as (member, _, _):
        gathered.add(member)
    return gathered.done()


@writes(x.Sorted)
def _sorted(e: Emitter, node: x.Sorted) -> Operand:
    source, kind = e.ref(node.collection), list_type(node.type)
    target = e.f.room(4 * (1 + e.shapes.bound(list_type(source.kind))))
    f = e.f
    count = f.keep(load(source.address))
    f.copy(target, source.address, count * 4 + 4)
    with f.counting(1, count) as k:
        value, j = f.keep(load(target + k * 4, 4)), f.copied(k)
        with f.while_(lambda: j > 0) as (_, leave):
            f.leave_if(leave, load(target + j * 4) <= value)
            f.store(target + j * 4, load(target + j * 4), 4)
            f.increase(j, -1)
        f.store(target + j * 4, value, 4)
    return Ref(target, kind)


@writes(x.Filter)
def _filter(e: Emitter, node: x.Filter) -> Operand:
    f = e.f
    source = e.keep(e.any(node.collection))
    if isinstance(source, Words):
        return _filtered_set(e, node, source)
    gathered = Gathering(e, list_type(node.type))
    with each_member(e, source, node.collection.type) as (found, _, _):
        e.bind(node.slot, found)
        with f.when(e.value(node.condition)):
            gathered.add(found)
    return gathered.done()


def _filtered_set(e: Emitter, node: x.Filter, source: Words) -> Words:
    from regelwerk.interpreter.wasm.sieves import filtered

    return filtered(e, source, conjuncts(node.condition), node.slot, e.frame.types[node.slot])


@writes(x.Map)
def _map(e: Emitter, node: x.Map) -> Operand:
    source = e.keep(e.any(node.collection))
    gathered = Gathering(e, list_type(node.type))
    if node.slot < 0:
        member = strip(member_of(node.collection.type) or node.type)
        assert isinstance(member, ThingType)
        rows = e.program.things[member.symbol].row_of
        with each_member(e, source, node.collection.type) as (thing, _, _):
            assert isinstance(thing, Value)
            gathered.add(e.unit.look_up(rows, thing))
        return gathered.done()
    with each_member(e, source, node.collection.type) as (found, following, _):
        e.bind(node.slot, found)
        value = e.keep(e.any(node.value))
        if node.flat:
            with each_member(e, value, node.value.type) as (each, _, _):
                gathered.add(each)
        else:
            if node.optional:
                none = value.eq(nothing(node.value.type)) if isinstance(value, Value) else None
                if none is None:
                    assert isinstance(value, Ref)
                    none = load(value.address).eqz()
                e.f.leave_if(following, none)
            gathered.add(value)
    return gathered.done()


@writes(x.Contains)
def _contains(e: Emitter, node: x.Contains) -> Operand:
    kind = node.collection.type
    if isinstance(kind, ListType):
        source, item = e.ref(node.collection), e.keep(e.any(node.item))
        found = e.f.copied(const(0))
        with each_member(e, source, kind) as (member, _, leave), e.f.when(e.same(member, item, kind.member)):
            e.f.set(found, 1)
            e.f.leave(leave)
        return found
    item = e.known(node.item)
    assert isinstance(item, Value)
    collection = node.collection
    if (
        isinstance(collection, x.Contents)
        and isinstance(collection.zone, x.ZoneRef)
        and not isinstance(node.item.type, OptionalType)
        and isinstance(node.item.type, ThingType)
    ):
        where = e.unit.read(e.state, e.program.location_cells[node.item.type.symbol], item)
        return where.eq(e.value(collection.zone))
    if isinstance(collection, x.Interval):
        low, high = e.known(collection.lowest), e.known(collection.highest)
        inside = (low <= item) & (item <= high) & (item >= 0)
        return inside & low.ne(NONE_NUMBER) if isinstance(collection.lowest.type, OptionalType) else inside
    words = e.words(collection)
    found = bit(e, words, item, e.shapes.highest(node.item.type))
    sure = e.shapes.lowest(node.item.type) >= 0 and not (
        isinstance(node.item.type, OptionalType) and isinstance(strip(node.item.type), IntType)
    )
    return found if sure else choose(item < 0, const(0), found)


@writes(x.Between)
def _between(e: Emitter, node: x.Between) -> Operand:
    item = e.known(node.item)
    return (e.value(node.lowest) <= item) & (item <= e.value(node.highest))


@writes(x.Count)
def _count(e: Emitter, node: x.Count) -> Operand:
    if isinstance(node.collection.type, ZoneType):
        return e.value(x.ZoneCount(node.type, node.span, node.collection))
    found = e.any(node.collection)
    if isinstance(found, Words):
        return popcount(found)
    assert isinstance(found, Ref)
    return load(found.address)


def is_sure(e: Emitter, node: x.Expr) -> bool:
    """Whether a value that may be none by its type is none in no case: one end of a set that has a member."""
    of_local = isinstance(node, x.Pick) and node.end != "at" and isinstance(node.collection, x.Local)
    return of_local and node.collection.slot in e.nonempty  # type: ignore[attr-defined]  # asked in the line above


@writes(x.Pick)
def _pick(e: Emitter, node: x.Pick) -> Operand:
    f = e.f
    source = e.keep(e.any(node.collection))
    empty = nothing(node.type)
    if is_sure(e, node) and isinstance(source, Words) and len(source.parts) == 1:
        word = source.parts[0]
        return word.one("ctz").narrow() if node.end == "first" else const(63) - word.one("clz").narrow()
    if node.end == "at":
        assert node.place is not None
        place = e.known(node.place)
        if isinstance(source, Words):
            count = f.keep(popcount(source))
        else:
            assert isinstance(source, Ref)
            count = f.keep(load(source.address))
        with f.when((place < 1) | (place > count)):
            e.unit.fault(f, "range", lambda n: f"there is no number {n[0]} among {n[1]}", node.span, place, count)
        if isinstance(source, Words):
            found, left = f.variable(), f.copied(place)
            with each_bit(e, source) as (member, _, leave):
                f.set(found, member)
                f.increase(left, -1)
                f.leave_if(leave, left.eqz())
            return found
        assert isinstance(source, Ref)
        member_kind = list_type(source.kind).member
        return e.fetch(source.address + (place - 1) * (4 * e.shapes.room(member_kind)) + 4, member_kind)
    if isinstance(source, Words):
        return first_bit(e, source, empty) if node.end == "first" else last_bit(e, source, empty)
    assert isinstance(source, Ref)
    member_kind = list_type(source.kind).member
    count = f.keep(load(source.address))
    index = const(0) if node.end == "first" else count - 1
    address = f.keep(source.address + index * (4 * e.shapes.room(member_kind)) + 4)
    return e.either(count, lambda: e.fetch(address, member_kind), lambda: e.empty(node.type), node.type)


@writes(x.Total)
def _total(e: Emitter, node: x.Total) -> Operand:
    f = e.f
    source = e.keep(e.any(node.collection))
    if isinstance(node.type, TallyType):
        size = e.program.unit_count(node.type)
        target = f.room(4 * size)
        f.fill(target, 4 * size)
        with each_member(e, source, node.collection.type) as (member, _, _):
            assert isinstance(member, Ref)
            for k in range(size):
                f.store(target, load(target, 4 * k) + load(member.address, 4 * k), 4 * k)
        return Ref(target, node.type)
    total = f.copied(const(0 if node.function == "sum" else NONE_NUMBER))
    with each_member(e, source, node.collection.type) as (member, following, _):
        assert isinstance(member, Value)
        f.leave_if(following, member.eq(NONE_NUMBER))
        fold(e, node.function, total, member)
    return total


def fold(e: Emitter, function: str, total: Value, value: Value) -> None:
    """Take one more number into a sum, a least or a greatest one."""
    f = e.f
    if function == "sum":
        f.increase(total, value)
        return
    better = value < total if function == "min" else value > total
    with f.when(total.eq(NONE_NUMBER) | better):
        f.set(total, value)
