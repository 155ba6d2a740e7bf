"""Sets (bit masks), lists and tallies (tuples), and the contents of zones."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from typing import Any

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model.types import (
    IntType,
    ListType,
    OptionalType,
    SetType,
    TallyType,
    Type,
    ZoneType,
    member_of,
    strip,
)
from regelwerk.interpreter.evaluation.base import (
    NONE_NUMBER,
    Closure,
    Compiler,
    Locals,
    Value,
    bits,
    compiles,
    members,
)
from regelwerk.interpreter.evaluation.scalars import nothing
from regelwerk.interpreter.faults import Fault
from regelwerk.interpreter.layout import Image


def iterates(kind: Type) -> Callable[[Any], Iterable[Any]]:
    """How the members of a run-time collection are visited."""
    return members if isinstance(kind, SetType) else lambda value: value


# --------------------------------------------------------------------------------------------------------------- zones
@compiles(x.ZoneRef)
def _zone(c: Compiler, node: x.ZoneRef) -> Closure:
    base = c.program.zones.base[node.symbol]
    if node.key is None:
        return lambda m, env: base
    key = c.expr(node.key)
    shift = base - 1
    return lambda m, env: shift + k if (k := key(m, env)) else 0


@compiles(x.Contents)
def _contents(c: Compiler, node: x.Contents) -> Closure:
    zones, zone = c.program.zones, c.expr(node.zone)
    if isinstance(node.type, ListType):
        sequence = zones.sequence
        return lambda m, env: sequence(m, zone(m, env))
    if isinstance(node.zone, x.ZoneRef) and zones.single_word(node.zone.symbol):
        symbol = node.zone.symbol
        offset = zones.offset[zones.base[symbol]]
        if node.zone.key is None:
            return lambda m, env: m.u[offset]
        key = c.expr(node.zone.key)
        shift = offset - 1
        if isinstance(node.zone.key, x.Local) and not isinstance(node.zone.key.type, OptionalType):
            slot = node.zone.key.slot
            return lambda m, env: m.u[shift + env[slot]]
        return lambda m, env: m.u[shift + k] if (k := key(m, env)) else 0
    as_set = zones.as_set
    return lambda m, env: as_set(m, zone(m, env))


@compiles(x.ZoneCount)
def _zone_count(c: Compiler, node: x.ZoneCount) -> Closure:
    zones, zone = c.program.zones, c.expr(node.zone)
    if isinstance(node.zone, x.ZoneRef) and zones.single_word(node.zone.symbol):
        inner = _contents(c, x.Contents(SetType(node.type), node.span, node.zone))
        return lambda m, env: inner(m, env).bit_count()
    count = zones.count
    return lambda m, env: count(m, zone(m, env))


@compiles(x.HasRoom)
def _room(c: Compiler, node: x.HasRoom) -> Closure:
    zones, zone = c.program.zones, c.expr(node.zone)
    return lambda m, env: zones.has_room(m, zone(m, env))


@compiles(x.ZoneEnd)
def _zone_end(c: Compiler, node: x.ZoneEnd) -> Closure:
    zones, zone = c.program.zones, c.expr(node.zone)
    if node.end == "at":
        assert node.place is not None
        place, span = c.expr(node.place), node.span

        def at(m: Image, env: Locals) -> int:
            found, k = zones.sequence(m, zone(m, env)), place(m, env)
            if not 1 <= k <= len(found):
                raise Fault("range", f"there is no number {k} among {len(found)}", span)
            return int(found[k - 1])

        return at
    last, span = node.end == "last", node.span

    def end(m: Image, env: Locals) -> int:
        place = zone(m, env)
        found = zones.sequence(m, place)
        if not found:
            return 0
        if not (zones.settled(m, place, 1) if last else zones.settled_bottom(m, place)):
            raise Fault("none", UNSETTLED, span)
        return found[-1 if last else 0]

    return end


UNSETTLED = (
    "it is not settled what lies there: the pile was shuffled, and only `draw`, `move` and `reveal` take its top"
)


@compiles(x.ZoneTop)
def _zone_top(c: Compiler, node: x.ZoneTop) -> Closure:
    zones, zone, count, span = c.program.zones, c.expr(node.zone), c.expr(node.count), node.span

    def top(m: Image, env: Locals) -> tuple[int, ...]:
        place, n = zone(m, env), count(m, env)
        found = zones.sequence(m, place)
        if n < 0:
            raise Fault("range", f"`top` takes a number from 0 on, and this is {n}", span)
        if place and not zones.settled(m, place, min(n, len(found))):
            raise Fault("none", UNSETTLED, span)
        return found[::-1][:n]

    return top


# ------------------------------------------------------------------------------------------------------ sets and lists
@compiles(x.Interval)
def _interval(c: Compiler, node: x.Interval) -> Closure:
    low, high, span = c.expr(node.lowest), c.expr(node.highest), node.span

    def interval(m: Image, env: Locals) -> int:
        a, b = low(m, env), high(m, env)
        if NONE_NUMBER in (a, b):
            return 0
        if b < a:
            return 0
        if a < 0 or b > 32767:
            raise Fault("range", f"the numbers of a set go from 0 on, and this one begins at {a}", span)
        return int((1 << (b + 1)) - (1 << a))

    return interval


@compiles(x.SetOf)
def _set_of(c: Compiler, node: x.SetOf) -> Closure:
    items = [c.expr(each) for each in node.items]
    numbers = isinstance(strip(member_of(node.type) or node.type), IntType)
    span = node.span

    def set_of(m: Image, env: Locals) -> int:
        mask = 0
        for item in items:
            value = item(m, env)
            if value < 0:
                continue
            mask |= 1 << value
        return mask if numbers else mask & ~1

    del span
    return set_of


@compiles(x.ListOf)
def _list_of(c: Compiler, node: x.ListOf) -> Closure:
    items = [c.expr(each) for each in node.items]
    return lambda m, env: tuple(item(m, env) for item in items)


@compiles(x.Union)
def _union(c: Compiler, node: x.Union) -> Closure:
    left, right = c.expr(node.left), c.expr(node.right)
    if isinstance(node.type, ListType):
        return lambda m, env: left(m, env) + right(m, env)
    return lambda m, env: left(m, env) | right(m, env)


@compiles(x.Difference)
def _difference(c: Compiler, node: x.Difference) -> Closure:
    left, right = c.expr(node.left), c.expr(node.right)
    return lambda m, env: left(m, env) & ~right(m, env)


@compiles(x.ToSet)
def _to_set(c: Compiler, node: x.ToSet) -> Closure:
    inner = c.expr(node.collection)
    numbers = isinstance(strip(member_of(node.type) or node.type), IntType)

    def to_set(m: Image, env: Locals) -> int:
        mask = 0
        for value in inner(m, env):
            if value >= 0:
                mask |= 1 << value
        return mask if numbers else mask & ~1

    return to_set


@compiles(x.ToList)
def _to_list(c: Compiler, node: x.ToList) -> Closure:
    inner = c.expr(node.collection)
    return lambda m, env: tuple(members(inner(m, env)))


@compiles(x.Sorted)
def _sorted(c: Compiler, node: x.Sorted) -> Closure:
    inner = c.expr(node.collection)
    return lambda m, env: tuple(sorted(inner(m, env)))


@compiles(x.Filter)
def _filter(c: Compiler, node: x.Filter) -> Closure:
    source, slot, test = c.expr(node.collection), node.slot, c.expr(node.condition)
    if isinstance(node.collection.type, SetType):

        def filter_set(m: Image, env: Locals) -> int:
            mask, kept = source(m, env), 0
            while mask:
                low = mask & -mask
                env[slot] = low.bit_length() - 1
                if test(m, env):
                    kept |= low
                mask ^= low
            return kept

        return filter_set

    def filter_list(m: Image, env: Locals) -> tuple[Any, ...]:
        kept = []
        for value in source(m, env):
            env[slot] = value
            if test(m, env):
                kept.append(value)
        return tuple(kept)

    return filter_list


@compiles(x.Map)
def _map(c: Compiler, node: x.Map) -> Closure:
    source = c.expr(node.collection)
    visit = iterates(node.collection.type)
    if node.slot < 0:
        member = strip(member_of(node.collection.type) or node.type)
        rows = c.program.things[member.symbol].row_of  # type: ignore[attr-defined]  # things by construction
        return lambda m, env: tuple(rows[value] for value in visit(source(m, env)))
    slot, body = node.slot, c.expr(node.value)
    empty = nothing(node.value.type)
    if node.flat:
        inner = iterates(node.value.type)

        def map_flat(m: Image, env: Locals) -> tuple[Any, ...]:
            found: list[Any] = []
            for value in visit(source(m, env)):
                env[slot] = value
                found.extend(inner(body(m, env)))
            return tuple(found)

        return map_flat

    def map_each(m: Image, env: Locals) -> tuple[Any, ...]:
        found = []
        for value in visit(source(m, env)):
            env[slot] = value
            found.append(body(m, env))
        return tuple(found)

    def map_some(m: Image, env: Locals) -> tuple[Any, ...]:
        return tuple(value for value in map_each(m, env) if value != empty)

    return map_some if node.optional else map_each


@compiles(x.Contains)
def _contains(c: Compiler, node: x.Contains) -> Closure:
    item, collection = c.expr(node.item), c.expr(node.collection)
    if isinstance(node.collection.type, ListType):
        return lambda m, env: item(m, env) in collection(m, env)
    numbers = isinstance(strip(node.item.type), IntType)
    if not numbers and not isinstance(node.item.type, OptionalType):
        if isinstance(node.item, x.Local):
            slot = node.item.slot
            return lambda m, env: collection(m, env) >> env[slot] & 1
        return lambda m, env: collection(m, env) >> item(m, env) & 1

    def contains(m: Image, env: Locals) -> int:
        value = item(m, env)
        return collection(m, env) >> value & 1 if value >= 0 else 0

    return contains


@compiles(x.Between)
def _between(c: Compiler, node: x.Between) -> Closure:
    item, low, high = c.expr(node.item), c.expr(node.lowest), c.expr(node.highest)
    return lambda m, env: low(m, env) <= item(m, env) <= high(m, env)


@compiles(x.Count)
def _count(c: Compiler, node: x.Count) -> Closure:
    inner = c.expr(node.collection)
    if isinstance(node.collection.type, SetType):
        if isinstance(node.collection, x.Local):
            slot = node.collection.slot
            return lambda m, env: env[slot].bit_count()
        return lambda m, env: inner(m, env).bit_count()
    if isinstance(node.collection.type, ZoneType):
        return _zone_count(c, x.ZoneCount(node.type, node.span, node.collection))
    return lambda m, env: len(inner(m, env))


@compiles(x.Pick)
def _pick(c: Compiler, node: x.Pick) -> Closure:
    inner = c.expr(node.collection)
    empty = nothing(node.type)
    if node.end == "at":
        assert node.place is not None
        place, visit, span = c.expr(node.place), iterates(node.collection.type), node.span

        def at(m: Image, env: Locals) -> Value:
            found, k = list(visit(inner(m, env))), place(m, env)
            if not 1 <= k <= len(found):
                raise Fault("range", f"there is no number {k} among {len(found)}", span)
            return found[k - 1]

        return at
    if isinstance(node.collection.type, SetType):
        zero = 0 if empty == 0 else empty
        if node.end == "first":

            def first(m: Image, env: Locals) -> Value:
                mask = inner(m, env)
                return (mask & -mask).bit_length() - 1 if mask else zero

            return first

        def last(m: Image, env: Locals) -> Value:
            mask = inner(m, env)
            return mask.bit_length() - 1 if mask else zero

        return last
    index = 0 if node.end == "first" else -1

    def of_list(m: Image, env: Locals) -> Value:
        found = inner(m, env)
        return found[index] if found else empty

    return of_list


@compiles(x.Total)
def _total(c: Compiler, node: x.Total) -> Closure:
    inner, visit = c.expr(node.collection), iterates(node.collection.type)
    if isinstance(node.type, TallyType):
        zero = (0,) * c.program.unit_count(node.type)

        def add(m: Image, env: Locals) -> tuple[int, ...]:
            total = zero
            for value in visit(inner(m, env)):
                total = tuple(map(operator.add, total, value))
            return total

        return add
    if node.function == "sum":
        return lambda m, env: sum(value for value in visit(inner(m, env)) if value != NONE_NUMBER)
    function: Callable[..., int] = min if node.function == "min" else max

    def extreme(m: Image, env: Locals) -> int:
        return function((value for value in visit(inner(m, env)) if value != NONE_NUMBER), default=NONE_NUMBER)

    return extreme


# -------------------------------------------------------------------------------------------------------------- tallies
@compiles(x.TallyOf)
def _tally_of(c: Compiler, node: x.TallyOf) -> Closure:
    kind = strip(node.type)
    assert isinstance(kind, TallyType)
    size = c.program.unit_count(kind)
    parts = [(c.expr(unit) if isinstance(unit, x.Expr) else unit, c.expr(count)) for unit, count in node.parts]

    def tally_of(m: Image, env: Locals) -> tuple[int, ...]:
        found = [0] * size
        for unit, count in parts:
            k = unit if isinstance(unit, int) else unit(m, env)
            found[k - 1] += count(m, env)
        return tuple(found)

    return tally_of


@compiles(x.TallyArithmetic)
def _tally_arithmetic(c: Compiler, node: x.TallyArithmetic) -> Closure:
    left, right = c.expr(node.left), c.expr(node.right)
    if node.operator == "+":
        return lambda m, env: tuple(map(operator.add, left(m, env), right(m, env)))
    return lambda m, env: tuple(max(0, a - b) for a, b in zip(left(m, env), right(m, env), strict=True))


@compiles(x.TallyScaled)
def _tally_scaled(c: Compiler, node: x.TallyScaled) -> Closure:
    factor, tally = c.expr(node.factor), c.expr(node.tally)

    def scaled(m: Image, env: Locals) -> tuple[int, ...]:
        k = factor(m, env)
        return tuple(k * each for each in tally(m, env))

    return scaled


@compiles(x.TallyCount)
def _tally_count(c: Compiler, node: x.TallyCount) -> Closure:
    tally, unit = c.expr(node.tally), c.expr(node.unit)
    if isinstance(node.tally, x.ColumnRead) and isinstance(node.unit, x.Local):
        slot = node.unit.slot
        return lambda m, env: tally(m, env)[env[slot] - 1]
    return lambda m, env: tally(m, env)[unit(m, env) - 1]


@compiles(x.TallyTotal)
def _tally_total(c: Compiler, node: x.TallyTotal) -> Closure:
    tally, kind = c.expr(node.tally), node.type
    if isinstance(kind, IntType) and kind.halves:  # some units are counted in halves, the others count double
        weights = [1 if unit.type.halves else 2 for unit in c.program.game.units]
        return lambda m, env: sum(w * count for w, count in zip(weights, tally(m, env), strict=True))
    return lambda m, env: sum(tally(m, env))


@compiles(x.TallyCompare)
def _tally_compare(c: Compiler, node: x.TallyCompare) -> Closure:
    left, right = c.expr(node.left), c.expr(node.right)
    compare = operator.ge if node.operator == ">=" else operator.le
    return lambda m, env: all(map(compare, left(m, env), right(m, env)))


@compiles(x.TallyKinds)
def _tally_kinds(c: Compiler, node: x.TallyKinds) -> Closure:
    tally = c.expr(node.tally)
    if isinstance(node.type, ListType):
        return lambda m, env: tuple(k for k, count in enumerate(tally(m, env), 1) for _ in range(count))
    return lambda m, env: sum([1 << k for k, count in enumerate(tally(m, env), 1) if count > 0])


@compiles(x.TallyWiden)
def _tally_widen(c: Compiler, node: x.TallyWiden) -> Closure:
    inner = c.expr(node.tally)
    kind = strip(node.tally.type)
    assert isinstance(kind, TallyType)
    size = c.program.unit_count(TallyType(None))
    places = [c.program.unit_index(kind, k + 1) for k in range(c.program.unit_count(kind))]

    def widen(m: Image, env: Locals) -> tuple[int, ...]:
        found = [0] * size
        for place, count in zip(places, inner(m, env), strict=True):
            found[place] = count
        return tuple(found)

    return widen


__all__ = ["bits", "iterates"]
