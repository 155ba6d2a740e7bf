"""The host side of the compiled backend: calls, the cache of machine code, what happens without wasmtime, the API."""

from __future__ import annotations

import builtins
import os
import stat
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
from tests.interpreter.wasm.lockstep import ROOT, program_of

from regelwerk.dsl.source import Source
from regelwerk.interpreter import backends
from regelwerk.interpreter import layout as la
from regelwerk.interpreter.answers import NotAnOption, UsageError
from regelwerk.interpreter.api import Game, State, load
from regelwerk.interpreter.backends import AutoMachine, BackendWarning, ReferenceMachine, compiled, machine_for
from regelwerk.interpreter.coverage import Coverage
from regelwerk.interpreter.program import Program
from regelwerk.interpreter.wasm import artefacts, runtime
from regelwerk.interpreter.wasm.machine import NativeMachine

GAME = """edition 1
game plain "Plain" { players 2..3 }
track point/points per player: 0..90
action take(k in 1..3) "Take" { effect { gain k points } }
phase main for round in 1..5 { phase turn for p in players acting p { offer take } }
rank winner by me.points then shared
"""
UNSUPPORTED = """edition 1
game wide "Wide" { players 2 }
state n: 0..2000 = 0
action take "Take" { effect { set n = {n * 30, n + 30}.count } }
phase main for p in players acting p { offer take }
rank winner by me.seat
"""
"""It makes sets of numbers up to 60,000."""
BEYOND = """edition 1
game beyond "Beyond" { players 2 }
state on: yes/no = yes
state n: 0..99 = 0
value shades(me): set of 1..9 = {2, 4}
rule dark: modify shades while on also {70}
action take "Take" { require dark: 70 in shades   effect { set n = shades.count } }
phase main for p in players acting p { offer take }
rank winner by me.seat
"""
"""A rule puts a number into a set that has no room for it."""


def plain(backend: backends.Backend = "auto") -> Game:
    return load(Source("plain.rules", GAME), backend)


def play_on(state: State) -> bytes:
    while state.status == "decision":
        state.step_raw(state.raw_options[state.decisions * 7 % len(state.raw_options)])
    return bytes(state.image.b)


# ------------------------------------------------------------------------------------------------------- the interface
def test_one_interface_for_both() -> None:
    ends = {play_on(plain().new(3, 1, backend=each)) for each in backends.BACKENDS}
    assert len(ends) == 1
    for each in backends.BACKENDS:
        state = plain(each).new(2, 1)
        assert state.backend == each
        assert state.clone().backend == each
        assert plain().restore(state.save(), backend=each).backend == each
        assert plain().replay(state.replay().text(), backend=each).backend == each
    assert plain("wasm").new(2, backend="reference").backend == "reference"


def test_described_steps_are_alike() -> None:
    states = [plain(each).new(2, 1) for each in backends.BACKENDS]
    while states[0].decision is not None:
        assert states[0].decision == states[1].decision == states[2].decision
        events = [state.step(len(state.raw_options) - 1) for state in states]
        assert events[0] == events[1] == events[2] != ()
    assert len({state.replay().text() for state in states}) == 1
    assert len({str(state.outcome) for state in states}) == 1


def test_auto_compiles_when_it_pays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backends, "WARM", 12)
    game = plain()
    machine = machine_for(program_of(game, 2), "auto")
    assert isinstance(machine, AutoMachine)
    state = game.new(2, 1)
    play_on(state)
    assert isinstance(machine.inner, ReferenceMachine)
    play_on(game.new(2, 2))
    assert machine.warm
    assert isinstance(machine.inner, NativeMachine)
    assert play_on(game.new(2, 3)) == play_on(game.new(2, 3, backend="reference"))


def test_an_unknown_backend_is_refused() -> None:
    with pytest.raises(UsageError, match="there is no backend `llvm`"):
        plain("llvm").new(2)  # type: ignore[arg-type]  # that is the point


def test_nothing_is_stepped_but_a_decision() -> None:
    state = plain("wasm").new(2, 1)
    option = state.raw_options[0]
    play_on(state)
    for machine in (compiled(state.program), ReferenceMachine(state.program)):
        with pytest.raises(NotAnOption):
            machine.resume(state.image, option)
        assert machine.options(state.image) is None


def test_what_is_counted_runs_on_the_reference() -> None:
    game = plain()
    game.coverage = Coverage()
    state = game.new(2, 1)
    assert state.backend == "reference"
    play_on(state)
    assert game.coverage.by_address(game.address)["take"] == 10
    with pytest.raises(UsageError, match="counted on the backend `reference`"):
        game.new(2, 1, backend="wasm")


@pytest.mark.parametrize("text", [UNSUPPORTED, BEYOND], ids=["wide sets", "sets beyond their type"])
def test_what_is_not_compiled_says_why(text: str) -> None:
    game = load(Source("some.rules", text))
    with pytest.raises(UsageError, match="has what is not compiled"):
        game.new(2, backend="wasm")
    state = game.new(2)
    assert isinstance(state._machine, AutoMachine)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert state._machine.compile() is None
    assert "has what is not compiled" in str(backends.why_not_compiled(state.program))
    play_on(state)
    assert state.status == "over"


def test_explicit_chance_is_answered_by_the_reference() -> None:
    """The module stops where nature decides, the reference goes on from there."""
    ends = set()
    for backend in backends.BACKENDS:
        state = load(ROOT / "tests" / "interpreter" / "games" / "dice.rules", backend).new(2, 3, explicit_chance=True)
        for _ in range(60):
            if state.status == "chance":
                request = state.chance
                assert request is not None
                state.answer_chance(None)
            elif state.status == "decision":
                state.step(0)
        assert state.status == "over"
        ends.add(bytes(state.image.b))
    assert len(ends) == 1


def test_threads_take_turns() -> None:
    from concurrent.futures import ThreadPoolExecutor

    game = load("crazy_eights", "wasm")
    alone = [play_on(game.new(3, seed)) for seed in range(6)]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda seed: play_on(game.new(3, seed)), range(6)))
    assert together == alone


# --------------------------------------------------------------------------------------------------------------- calls
def test_both_ways_of_calling_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    program = program_of(load("crazy_eights"), 3)
    fast = NativeMachine(program)
    monkeypatch.setattr(runtime, "_direct", lambda *_: None)
    slow = NativeMachine(program, fast.compiled)
    for seed in (1, 2**63 + 5, 2**64 - 1):
        one, two = program.start_image(seed), program.start_image(seed)
        played = [m.play(image, seed, [seed] * 3, 9000, True) for m, image in ((fast, one), (slow, two))]
        assert played[0] == played[1]
        assert one.b == two.b
        assert one.w[la.STATUS] == la.OVER


def test_the_fast_call_is_used() -> None:
    native = NativeMachine(program_of(plain(), 2))
    assert native.call("begin").__qualname__.startswith("_direct.")


@pytest.mark.parametrize("what", ["_wasmtime_func_call_unchecked", "wasmtime_val_raw_t"])
def test_without_the_private_binding_calls_are_public(monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    from wasmtime import _bindings

    monkeypatch.delattr(_bindings, what)
    native = NativeMachine(program_of(plain(), 2))
    assert native.call("begin").__qualname__.startswith("_public.")
    image = native.program.start_image(1)
    assert native.begin(image)


def test_little_address_space_is_enough() -> None:
    """Under a limit of address space memories are made without reserving more than they need."""
    if sys.platform != "linux":
        pytest.skip("address space is limited in the way of Linux")
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))\n"
        "import regelwerk\n"
        "state = regelwerk.load('tic_tac_toe', 'wasm').new(2, 1)\n"
        "while state.status == 'decision': state.step_raw(state.raw_options[0])\n"
        "print(state.status)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT / ".pkg")}
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert found.stdout == "over\n", found.stderr


# --------------------------------------------------------------------------------------------------------------- cache
@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    if sys.platform == "win32":
        monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    else:
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "regelwerk"


def modules(folder: Path) -> list[Path]:
    return sorted(folder.glob("module-*.cwasm"))


def fresh() -> NativeMachine:
    return NativeMachine(program_of(plain(), 2))


def runs(machine: NativeMachine) -> bool:
    return bool(machine.begin(machine.program.start_image(1)))


def test_machine_code_is_kept_for_the_user_alone(cache: Path) -> None:
    assert runs(fresh())
    (path,) = modules(cache)
    if sys.platform != "win32":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(cache.stat().st_mode) == 0o700
    before = path.read_bytes()
    assert runs(fresh())
    assert path.read_bytes() == before
    assert list(cache.iterdir()) == [path]


def test_kept_code_is_used(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fresh()
    compiled_again = []
    monkeypatch.setattr(artefacts, "store", lambda *_: compiled_again.append(1))
    assert runs(fresh())
    assert compiled_again == []


@pytest.mark.parametrize("damage", ["cut", "bit", "text", "empty", "other code"])
def test_damaged_files_are_made_anew(cache: Path, damage: str) -> None:
    fresh()
    (path,) = modules(cache)
    good = path.read_bytes()
    bad = {
        "cut": good[: len(good) // 2],
        "bit": good[:-100] + bytes([good[-100] ^ 1]) + good[-99:],
        "text": b"this is no machine code",
        "empty": b"",
        "other code": good[:65] + b"\x7fELF" + good[69:],
    }[damage]
    path.write_bytes(bad)
    assert runs(fresh())
    assert path.read_bytes() == good


def test_a_whole_file_that_is_no_artefact_is_made_anew(cache: Path) -> None:
    """Its checksum is right, but wasmtime does not know it."""
    fresh()
    (path,) = modules(cache)
    good = path.read_bytes()
    artefacts.store(path.stem.removeprefix("module-"), b"something else")
    assert path.read_bytes() != good
    assert runs(fresh())
    assert path.read_bytes() == good


@pytest.mark.skipif(sys.platform == "win32", reason="owners and modes are those of POSIX")
@pytest.mark.parametrize("kind", ["others may write", "a link", "a folder"])
def test_what_is_not_private_is_not_loaded(cache: Path, kind: str) -> None:
    fresh()
    (path,) = modules(cache)
    key = path.stem.removeprefix("module-")
    assert artefacts.load(key) is not None
    if kind == "others may write":
        path.chmod(0o666)
    elif kind == "a link":
        path.rename(cache / "elsewhere")
        path.symlink_to(cache / "elsewhere")
    else:
        path.unlink()
        path.mkdir()
    assert artefacts.load(key) is None
    assert runs(fresh())


def test_the_key_names_all_that_matters(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = ((b"a", "1", "x"), (b"b", "1", "x"), (b"a", "2", "x"), (b"a", "1", "y"))
    keys = {artefacts.key_of(*each) for each in parts}
    monkeypatch.setattr(artefacts, "processor", lambda: "another one")
    keys.add(artefacts.key_of(b"a", "1", "x"))
    keys.add(artefacts.key_of(b"a1", "", "x"))
    assert len(keys) == 6


def test_the_cache_does_not_grow_without_end(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(artefacts, "MOST", 3)
    cache.mkdir(mode=0o700)
    for number in range(6):
        artefacts.store(f"{number:064}", b"payload")
        os.utime(cache / f"module-{number:064}.cwasm", (number, number))
    artefacts.store("f" * 64, b"payload")
    assert [path.stem[-1] for path in modules(cache)] == ["4", "5", "f"]


def test_without_a_cache_folder_it_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(artefacts, "cache_directory", lambda: None)
    assert runs(fresh())


# ---------------------------------------------------------------------------------------------------- without wasmtime
@pytest.fixture
def no_wasmtime(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the package were not there."""
    real = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name == "wasmtime" or name.startswith("wasmtime."):
            raise ModuleNotFoundError("No module named 'wasmtime'")
        return real(name, *rest, **more)

    for name in [each for each in sys.modules if each.startswith(("wasmtime", "regelwerk.interpreter.wasm"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(builtins, "__import__", without)
    monkeypatch.setattr(backends, "WARM", 3)
    monkeypatch.setattr(backends, "_missing", None)
    monkeypatch.setattr(backends, "_said", False)


@pytest.mark.usefixtures("no_wasmtime")
def test_without_wasmtime_the_reference_runs_and_says_so_once() -> None:
    game = plain()
    with pytest.warns(BackendWarning) as said:
        ends = [play_on(game.new(players, 1)) for players in (2, 3)]
    assert len(said) == 1
    assert "wasmtime cannot be imported (No module named 'wasmtime')" in str(said[0].message)
    assert "reference interpreter" in str(said[0].message)
    assert all(ends)


@pytest.mark.usefixtures("no_wasmtime")
def test_without_wasmtime_it_cannot_be_asked_for() -> None:
    with pytest.raises(UsageError, match="wasmtime cannot be imported"):
        plain("wasm").new(2)


def test_the_program_keeps_its_machines() -> None:
    program: Program = program_of(plain(), 2)
    assert compiled(program) is compiled(program)
    assert machine_for(program, "wasm") is compiled(program)
    assert machine_for(program, "reference") is machine_for(program, "reference")
