"""Answers of pure functions that are kept in a table of the module, from game to game.

What a function gives depends on its arguments alone, so an answer never becomes wrong; or it is of a generation, and
becomes wrong with the next one. The table is small and is looked
up by a hash of the arguments; an entry that is in the way is replaced.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from regelwerk.interpreter.wasm.binary import I32, I64
from regelwerk.interpreter.wasm.code import Function, Value, const, load, load64
from regelwerk.interpreter.wasm.unit import Unit

ENTRIES = 1024
"""How many answers of one function are kept."""

_MIX = 0x9E3779B97F4A7C15


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
