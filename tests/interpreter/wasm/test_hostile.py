"""Hostile rules end as clear faults, the same on both backends: code, message, source line, decisions."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
from tests.interpreter.wasm.lockstep import Twins, play, program_of

from regelwerk.dsl import catalogue
from regelwerk.dsl.diagnostics import RulesError
from regelwerk.dsl.source import Source
from regelwerk.interpreter import layout as la
from regelwerk.interpreter.answers import NotAnOption, UsageError
from regelwerk.interpreter.api import Fault, Game, State, load
from regelwerk.interpreter.backends import compiled

FRAME = """edition 1
game hostile "Hostile" { players 2..2 }
use own
library own {
  value down(n: 0..9000): 0..9000 shrinking n = if n is 0 then 0 else 1 + down(n - 1)
  value forks(n: 0..60): 0..9 shrinking n = if n <= 1 then 1 else (forks(n - 1) + forks(n - 2) + seed) mod 7
}
fields Place/Places {
  | place |
  | a     |
  | b     |
}
cards Card/Cards copies 3
resource coin/coins supply 10 start 1
track point/points per player: 0..5 overflow forbidden
zone pool of Card from Cards
zone slot of Card capacity 1
state n: 0..9000 = 0
state seed: 0..1 = 0
state at: Place? = none
state trail: list of 1..4 up to 2 = []
state open: yes/no = yes
phase main for p in players acting p { offer good, bad }
action good { require open: open   effect { set seed = 0 } }
action bad { require open: open   effect { BODY } }
MORE
rank winner by me.points then shared
"""

CASES = {
    "a number beyond its range": ("range", "set n = n - 1", ""),
    "a number far beyond its range": ("range", "set n = (n + 9000) * 9000", ""),
    "a list beyond its bound": ("range", "set trail = trail + [1, 2, 3]", ""),
    "division by zero": ("range", "set n = 5 div n", ""),
    "an index beyond the table": ("none", "set n = Places.at(at.pos + 40).pos", ""),
    "nothing has no column": ("none", "set n = at.pos", ""),
    "not payable": ("unpaid", "pay 2 coins", ""),
    "over capacity": ("full", "move pool to slot", ""),
    "nobody can go on": ("dead_end", "set open = no   offer good", ""),
    "nested loops": ("budget", "repeat at most 30000 { repeat at most 30000 { set seed = 1 - seed } }", ""),
    "a long loop": ("budget", "for i in 1..1000, j in 1..1000, k in 1..1000 { set seed = 1 - seed }", ""),
    "deep recursion": ("depth", "set n = down(n + 8000)", ""),
    "endless conditions": (
        "budget",
        "set n = count(i in 1..1000 where some(j in 1..1000 where some(k in 1..1000 where i + j + k + n is 9999)))",
        "",
    ),
}


def hostile(name: str) -> Game:
    _, body, more = CASES[name]
    text = FRAME.replace("BODY", body).replace("MORE", more)
    return load(Source("hostile.rules", text), "wasm")


@pytest.mark.parametrize("name", CASES)
def test_the_same_fault_on_both(name: str) -> None:
    game = hostile(name)
    twins = Twins(program_of(game, 2), 1)
    assert twins.options is not None
    assert len(twins.options) == 2
    twins.step(1)
    assert twins.fault is not None
    assert twins.fault.code == CASES[name][0]
    (text,) = (source.text for source in game.sources.values() if source.name == "hostile.rules")
    lines = [text.count("\n", 0, each.span.start) for each in twins.faults if each.span is not None]
    assert len(lines) == 2
    assert lines[0] == lines[1]


@pytest.mark.parametrize("name", ["a number beyond its range", "nested loops", "deep recursion"])
def test_a_torn_state_is_not_stepped(name: str) -> None:
    game = hostile(name)
    for backend in ("reference", "wasm"):
        state = game.new(2, 1, backend=backend)
        bad = state.raw_options[1]
        with pytest.raises(Fault):
            state.step_raw(bad)
        assert state.status == "fault"
        for torn in (state, state.clone()):
            before = bytes(torn.image.b)
            with pytest.raises(Fault):
                torn.step_raw(bad)
            with pytest.raises((Fault, NotAnOption)):
                torn.step("good")
            assert bytes(torn.image.b) == before
        with pytest.raises(NotAnOption):
            state._machine.resume(state.image, bad)
        with pytest.raises(UsageError):
            game.restore(state.save())


def test_the_machine_works_on_after_a_fault() -> None:
    """Nothing of a call that was stopped is left in the module."""
    for name in CASES:
        game = hostile(name)
        other = Twins(program_of(game, 2), 3)
        native = other.native
        torn = other.program.start_image(1)
        options = native.begin(torn)
        assert options is not None
        with pytest.raises(Fault):
            native.resume(torn, options[1])
        other.step(0)
        assert other.fault is None
        with pytest.raises(Fault) as again:
            native.resume(other.two, options[1])
        assert again.value.code == CASES[name][0]


def stamped(state: State, index: int) -> tuple[object, ...]:
    with pytest.raises(Fault) as stopped:
        state.step_raw(state.raw_options[index])
    found = stopped.value
    return found.code, found.message, found.span, found.rule, found.seed, found.seats, found.decisions


def test_a_fault_says_the_same_of_the_game() -> None:
    game = hostile("not payable")
    one, two = game.new(2, 4, backend="reference"), game.new(2, 4, backend="wasm")
    assert stamped(one, 1) == stamped(two, 1)
    assert one.fault is not None
    assert one.fault.rule == "bad"


@pytest.mark.parametrize(
    "page", [each for each in catalogue.pages() if each.severity == "fault" and each.wrong], ids=lambda page: page.code
)
def test_the_examples_of_faults(page: catalogue.Page) -> None:
    """Random games of the example of each kind of fault, until they stop."""
    assert page.wrong is not None
    game = load(Source("tiny.rules", page.wrong.text))
    faults = set()
    for players in game.players:
        for seed in range(3):
            twins = play(program_of(game, players), seed, "random", 200)
            if twins.fault is not None:
                faults.add(twins.fault.code)
    assert faults == {page.code}


def test_memory_does_not_grow_beyond_its_limit() -> None:
    native = compiled(program_of(hostile("not payable"), 2))
    before = len(native.instance.memory)
    assert before <= native.limit
    with pytest.raises(MemoryError):
        native.instance.grow(native.limit + 1)
    assert len(native.instance.memory) == before
    memory = native.instance.exports["memory"]
    import wasmtime

    with pytest.raises(wasmtime.WasmtimeError):
        memory.grow(native.instance.store, 1 << 14)


def test_the_module_can_reach_nothing() -> None:
    """It imports nothing: no files, no clock, no functions of the host."""
    import wasmtime

    native = compiled(program_of(hostile("not payable"), 2))
    module = wasmtime.Module(wasmtime.Engine(), native.compiled.binary)
    assert module.imports == []


def test_an_image_from_elsewhere_cannot_hurt() -> None:
    """Whatever the bytes are, a step ends as a fault, an error or a state; the process goes on."""
    from random import Random

    from regelwerk.interpreter.wasm.machine import BackendError

    game = load("vienna", "wasm")
    program = program_of(game, 3)
    native = compiled(program)
    random = Random(1)
    state = game.new(3, 1)
    for _ in range(60):
        state.step_raw(state.raw_options[random.randrange(len(state.raw_options))])
    for _ in range(300):
        image = state.image.copy()
        for _ in range(random.randrange(1, 40)):
            image.b[random.randrange(la.CELLS, len(image.b))] = random.randrange(256)
        try:
            options = native.options(image)
            if options:
                native.resume(image, options[random.randrange(len(options))])
        except (Fault, BackendError, LookupError, ValueError, OverflowError):
            pass
    assert native.begin(program.start_image(1))


def test_tables_that_are_too_large_are_refused_at_load() -> None:
    rows = "\n".join(f"  | f{k} |" for k in range(40_000))
    text = f'edition 1\ngame big "Big" {{ players 2 }}\nfields Spot/Spots {{\n  | name |\n{rows}\n}}\n' + (
        "state seen: list of Spot up to 40000 = []\n"
        "phase main for p in players acting p { offer go }\naction go { effect { nothing } }\nrank winner by me.seat\n"
    )
    try:
        game = load(Source("big.rules", text))
        game.new(2, 1, backend="wasm")
    except (RulesError, UsageError):
        return
    raise AssertionError("an image of that size is too large")


LARGE = """edition 1
game large "Large" { players 2 }
use own
library own {
  value forks(n: 0..90, s: 0..1): 0..9 shrinking n = if n <= 1 then 1 else (forks(n - 1, s) + forks(n - 2, s) + s) mod 7
}
state n: 0..9999 = 0
state flip: 0..1 = 0
value odd(k: 0..90) = forks(k, flip)
action add "Add" { effect { for i in 1..40, j in 1..50 { set n = n + ((i * j) mod 3) } } }
action fork "Fork" { effect { set n = odd(60)   set flip = 1 - flip   set n = n + odd(90) } }
phase main for k in 1..2 { phase round for p in players acting p { offer add, fork } }
rank winner by me.seat
"""


def test_large_is_not_hostile() -> None:
    """Loops over more tuples than a list may hold, and values that call themselves twice and read the state."""
    program = program_of(load(Source("large.rules", LARGE)), 2)
    for policy in ("first", "last", "random"):
        assert play(program, 1, policy, 100).fault is None
