"""Answers of pure functions that are kept in a table of the module, from game to game.

What a function gives depends on its arguments alone, so an answer never becomes wrong; or it is of a generation, and
becomes wrong with the next one. The table is small and is looked up by a hash of the arguments; an entry that is in the
way is replaced. Where the arguments have few values, the answer is a set, and it is asked for often, the table has an
entry for each and is looked into without a call (`Numbered`). It fills itself, or it is filled before anything is run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod

from regelwerk.interpreter.wasm.binary import I32, I64
from regelwerk.interpreter.wasm.code import Function, Value, choose, const, load, load64
from regelwerk.interpreter.wasm.unit import WORK, Unit

ENTRIES = 1024
"""How many answers of one function are kept."""

NUMBERED = 1 << 17
"""The most bytes of a table that has an entry for each value of the arguments."""

_MIX = 0x9E3779B97F4A7C15
_KNOWN = -1 << 63


def _fetch(address: Value, offset: int, kind: int) -> Value:
    return load(address, offset) if kind == I32 else load64(address, offset)


def _put(f: Function, address: Value, value: Value, offset: int) -> None:
    if value.kind == I32:
        f.store(address, value, offset)
    else:
        f.store64(address, value, offset)


def remembered(
    unit: Unit,
    f: Function,
    keys: Sequence[Value],
    compute: Callable[[], Sequence[Value]],
    entries: int = ENTRIES,
    generation: Value | int = 1,
) -> None:
    """Write the body of a function: it gives the answer to its arguments from the table, or computes it and keeps it.
    `entries` is a power of two. Only answers of the same `generation`, which is not 0, count."""
    count, results = len(keys), f.results
    size = 8 * (count + 1 + len(results))
    table = unit.reserve(size * entries, 16)
    mixed: Value = const(_MIX, I64)
    for key in keys:
        mixed = (mixed ^ (key.widen() if key.kind == I32 else key)) * const(_MIX, I64)
    entry = f.keep((mixed >> 40).narrow() & (entries - 1))
    address = f.keep(entry * size + table)
    known = load(address, 8 * count).eq(generation)
    for k, key in enumerate(keys):
        known = known & _fetch(address, 8 * k, key.kind).eq(key)
    with f.when(known):
        f.give(*(_fetch(address, 8 * (count + 1 + k), kind) for k, kind in enumerate(results)))
    found = [f.keep(each) for each in compute()]
    for k, key in enumerate(keys):
        _put(f, address, key, 8 * k)
    f.store(address, generation, 8 * count)
    for k, value in enumerate(found):
        _put(f, address, value, 8 * (count + 1 + k))
    f.give(*found)


@dataclass(frozen=True)
class Domain:
    """Values that have numbers: scalars (`kind`: 32 bits), or sets of one word (64 bits), of what lies from `low` to
    `high`. `none`: the value of a scalar that is none, if it can be. `sure`: no other values are asked for; a number
    that is computed, or that rules change, may leave its type."""

    kind: int
    low: int
    high: int
    none: int | None = None
    sure: bool = True

    @property
    def size(self) -> int:
        """How many values there are."""
        span = self.high - self.low + 1
        return span + (self.none is not None) if self.kind == I32 else 1 << min(span, 64)

    @property
    def room(self) -> int:
        """As many, or a few more, so that numbers are put together with less effort."""
        return 1 << (self.size - 1).bit_length() if self.size <= 8 else self.size

    def holds(self, value: Value) -> Value:
        """Whether a value, which can be used again, is one of these."""
        if self.kind == I64:
            every = (1 << min(self.high + 1, 64)) - (1 << self.low)
            return (value & const(~every, I64)).eqz()
        inside = (value - self.low).two("le_u", self.high - self.low)
        return inside if self.none is None else inside | value.eq(self.none)

    def number(self, value: Value) -> tuple[Value, int]:
        """The number of a value, which can be used again: it is so much less than what is given."""
        if self.kind == I64:
            return (value >> self.low).narrow(), 0
        if self.none is None:
            return value, self.low
        return choose(value.eq(self.none), const(self.size - 1), value - self.low), 0

    def value(self, number: Value) -> Value:
        """The value of a number, which can be used again."""
        if self.kind == I64:
            return number.widen() << self.low
        if self.none is None:
            return number + self.low
        return choose(number.eq(self.size - 1), const(self.none), number + self.low)


class Numbered:
    """A table of sets of members up to `highest`, each of which depends on a few values alone. The uppermost bit of an
    entry says that it is known; in a table that is filled as a whole (`whole`) there is no such bit."""

    def __init__(self, domains: Sequence[Domain], highest: int, whole: bool = False) -> None:
        self.domains, self.highest, self.whole = list(domains), highest, whole
        self.count = highest // 64 + 1
        self.stored = self.count + (highest % 64 == 63 and not whole)
        self.entries = prod(each.size for each in domains)
        self.size = 8 * self.stored * prod(each.room for each in domains)

    def __bool__(self) -> bool:
        return self.size <= NUMBERED

    def filled(self) -> Numbered:
        """The same, filled as a whole."""
        return Numbered(self.domains, self.highest, True)

    def look_up(
        self,
        unit: Unit,
        f: Function,
        key: object,
        title: str,
        values: Sequence[Value],
        find: Callable[[Function], Sequence[Value]],
    ) -> list[Value]:
        """The words of the answer to some values. `find` writes what finds it, in a function whose parameters from 1 on
        are the values. The table is the one of the `key`. One that is filled as a whole must be filled (`fill`)."""
        stored = self.stored
        function = self._finding(unit, key, title, find)
        address = f.keep(self._address(unit, key, values))
        inside = self._inside(values)
        if inside is not None:
            # what is asked for has no entry: it is found, and not kept
            aside = unit.reserve(8 * stored)
            address = f.copied(address)
            with f.when(inside.eqz()):
                f.set(address, aside)
                f.call(function, address, *values)
        if self.whole:
            return [f.keep(load64(address, 8 * k)) for k in range(stored)]
        last = f.copied(load64(address, 8 * (stored - 1)))
        with f.when(last.two("ge_s", 0)):
            f.call(function, address, *values)
            f.set(last, load64(address, 8 * (stored - 1)))
        parts = [f.keep(load64(address, 8 * k)) for k in range(stored - 1)]
        return [*parts, f.keep(last & const(~_KNOWN, I64))][: self.count]

    def fill(self, unit: Unit, key: object, title: str, find: Callable[[Function], Sequence[Value]]) -> None:
        """Let the table of a key be filled before anything is run. What that costs is not charged: it is done once, for
        all games."""
        if ("fill", key) in unit.functions:
            return
        finding = self._finding(unit, key, title, find)

        def write(f: Function) -> None:
            work = f.keep(f.global_(WORK))
            with f.counting(0, self.entries) as entry:
                rest = f.copied(entry)
                values: list[Value] = []
                for domain in reversed(self.domains):
                    values.insert(0, f.keep(domain.value(f.keep(rest.two("rem_u", domain.size)))))
                    f.set(rest, rest.two("div_u", domain.size))
                f.call(finding, self._address(unit, key, values), *values)
                f.set_global(WORK, work)
            f.give()

        unit.fills.append(unit.function(("fill", key), f"all {title}", (), (), write))

    def _inside(self, values: Sequence[Value]) -> Value | None:
        """Whether there is an entry for some values; None if there surely is."""
        found: Value | None = None
        for domain, value in zip(self.domains, values, strict=True):
            if not domain.sure:
                found = domain.holds(value) if found is None else found & domain.holds(value)
        return found

    def _address(self, unit: Unit, key: object, values: Sequence[Value]) -> Value:
        """Where the answer to some values lies."""
        index: Value = const(0)
        less = 0
        for domain, value in zip(self.domains, values, strict=True):
            number, low = domain.number(value)
            index, less = index * domain.room + number, less * domain.room + low
        return index * (8 * self.stored) + (self._place(unit, key) - less * 8 * self.stored)

    def _place(self, unit: Unit, key: object) -> int:
        if key not in unit.places:
            unit.places[key] = unit.reserve(self.size, 16)
        return unit.places[key]

    def _finding(self, unit: Unit, key: object, title: str, find: Callable[[Function], Sequence[Value]]) -> Function:
        """Finds the answer for an entry. Parameters: its address, the values."""

        def write(f: Function) -> None:
            found = [*(f.keep(each) for each in find(f)), *[const(0, I64)] * (self.stored - self.count)]
            if not self.whole:
                found[-1] = f.keep(found[-1] | const(_KNOWN, I64))
            for k, part in enumerate(found):
                f.store64(f.parameter(0), part, 8 * k)
            f.give()

        return unit.function(("find", key), title, [I32, *(each.kind for each in self.domains)], (), write)
