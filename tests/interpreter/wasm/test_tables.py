"""Tables that keep answers, and single operations that are hard to see in whole games, each in a module of its own."""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import product
from math import prod
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
from tests.interpreter.wasm.lockstep import ROOT, program_of

from regelwerk.interpreter.api import load
from regelwerk.interpreter.evaluation.base import NONE_NUMBER
from regelwerk.interpreter.wasm.binary import I32, I64
from regelwerk.interpreter.wasm.code import Function, Value, choose, const
from regelwerk.interpreter.wasm.code import load as load_word
from regelwerk.interpreter.wasm.module import compile_program
from regelwerk.interpreter.wasm.options import nth_bit
from regelwerk.interpreter.wasm.remembering import Domain, Numbered
from regelwerk.interpreter.wasm.unit import STACK, WORK, Unit

PROGRAM = program_of(load(ROOT / "games" / "tic_tac_toe" / "tic_tac_toe.rules"), 2)


def running(unit: Unit, functions: list[Function]) -> list[Callable[..., int]]:
    """Functions of a unit, ready to be called."""
    wasmtime = pytest.importorskip("wasmtime")
    unit.drain()
    unit.module.globals[STACK] = (I32, unit.stack)
    unit.module.globals[WORK] = (I32, 10_000_000)
    unit.module.pages = unit.pages(unit.cursor) + 1
    unit.module.exports = [(f"f{k}", 0, each.index) for k, each in enumerate(functions)]
    store = wasmtime.Store()
    exports = wasmtime.Instance(store, wasmtime.Module(store.engine, unit.module.encode()), []).exports(store)

    def calling(name: str) -> Callable[..., int]:
        return lambda *given: exports[name](store, *given)

    return [calling(f"f{k}") for k in range(len(functions))]


@pytest.fixture(scope="module")
def nth() -> Callable[..., int]:
    unit = Unit(PROGRAM)

    def write(f: Function) -> None:
        f.give(nth_bit(unit, f, f.parameter(0), f.parameter(1)))

    return running(unit, [unit.function("nth", "nth", (I64, I32), (I32,), write)])[0]


@given(word=st.integers(1, 2**64 - 1), number=st.integers(0, 63))
def test_the_member_of_a_number(nth: Callable[..., int], word: int, number: int) -> None:
    members = [k for k in range(64) if word >> k & 1]
    number %= len(members)
    assert nth(word - 2**64 if word >> 63 else word, number) == members[number]


DOMAINS = [
    [Domain(I32, 0, 6), Domain(I32, -2, 1)],
    [Domain(I32, 3, 12, sure=False), Domain(I64, 1, 3)],
    [Domain(I32, 0, 4, NONE_NUMBER), Domain(I64, 0, 2, sure=False), Domain(I32, 1, 2)],
]
ASKED = {
    I32: [-3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 11, 12, 13, 500, NONE_NUMBER],
    I64: [0, 1, 2, 4, 5, 6, 8, 14, 16, 2**40],
}


def asked_of(domain: Domain) -> list[int]:
    """Values of a domain, and if it is not sure that they are, others too."""
    if domain.kind == I64:
        every = (1 << domain.high + 1) - (1 << domain.low)
        return [each for each in ASKED[I64] if not domain.sure or not each & ~every]
    inside = [each for each in ASKED[I32] if domain.low <= each <= domain.high or each == domain.none]
    return inside if domain.sure else [each for each in ASKED[I32] if each != NONE_NUMBER]


@pytest.mark.parametrize("filled", [False, True], ids=["asked", "filled"])
@pytest.mark.parametrize("highest", [5, 63, 64, 130])
@pytest.mark.parametrize("domains", DOMAINS, ids=["numbers", "unsure number", "none and unsure set"])
def test_a_table_gives_what_is_found(domains: list[Domain], highest: int, filled: bool) -> None:
    """Members are found by a sum of the values: in the module each is counted, here there is a formula."""
    unit = Unit(PROGRAM)
    table = Numbered(domains, highest)
    table = table.filled() if filled else table
    searches = unit.reserve(8)

    def narrowed(value: Value) -> Value:
        return value if value.kind == I32 else value.narrow()

    def find(f: Function) -> list[Value]:
        f.store(const(searches), load_word(const(searches)) + 1)
        total: Value = const(0)
        for k in range(len(domains)):
            total = total * 3 + narrowed(f.parameter(1 + k))
        start = f.keep((total & 0x7FFFFFFF).two("rem_u", highest + 1))
        one = f.keep(const(1, I64) << (start & 63).widen())
        return [choose((start >> 6).eq(k), one, const(0, I64)) for k in range(highest // 64 + 1)]

    def ask(f: Function) -> None:
        values = [f.parameter(k) for k in range(len(domains))]
        found = table.look_up(unit, f, "key", "which are found", values, find)
        part = f.parameter(len(domains))
        answer = f.copied(const(0, I64))
        for k, each in enumerate(found):
            with f.when(part.eq(k)):
                f.set(answer, each)
        f.give(answer)

    def count(f: Function) -> None:
        f.give(load_word(const(searches)))

    kinds = [*(each.kind for each in domains), I32]
    functions = [unit.function("ask", "ask", kinds, (I64,), ask), unit.function("count", "count", (), (I32,), count)]
    if filled:
        table.fill(unit, "key", "which are found", find)
        functions += unit.fills
    asking, counting, *fills = running(unit, functions)
    for each in fills:
        each()
    before = counting()
    assert before == (table.entries if filled else 0)
    unknown = 0
    for _ in range(2):
        for values in product(*map(asked_of, domains)):
            total = 0
            for value in values:
                total = total * 3 + value
            start = (total & 0x7FFFFFFF) % (highest + 1)
            for part in range(highest // 64 + 1):
                found = asking(*values, part) & (2**64 - 1)
                assert found == (1 << start >> 64 * part) & (2**64 - 1), values
            inside = all(each.sure or value in asked_of_sure(each) for each, value in zip(domains, values, strict=True))
            unknown += not inside
    searched = counting() - before
    parts = highest // 64 + 1
    known = prod(len(asked_of_sure(each)) for each in domains)
    assert searched == unknown * parts + (0 if filled else known)


def asked_of_sure(domain: Domain) -> list[int]:
    """The values that are asked for and have an entry."""
    return asked_of(Domain(domain.kind, domain.low, domain.high, domain.none))


def test_conditions_on_picks_are_looked_up_by_situation() -> None:
    """The conformance file says what comes out; this, that it is found in tables and not by computing."""
    game = load(ROOT / "tests" / "conformance" / "situations.rules")
    binary = compile_program(program_of(game, 2)).binary
    titles = binary.count(b"all which are related")
    assert titles == 4, "`match` and `lift`, each for random players and for hosts"
