"""The same module in other hosts: under Node, and in other versions of wasmtime.

REGELWERK_WASMTIME_PYTHONS names the Python interpreters of environments with other versions (with `:` between them,
`;` on Windows); each needs wasmtime and what regelwerk itself needs.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
from tests.interpreter.wasm.lockstep import ROOT, game_files, program_of

from regelwerk.interpreter.api import load
from regelwerk.interpreter.wasm.machine import NativeMachine
from regelwerk.tools.bots import stream_seed

HERE = Path(__file__).resolve().parent
NODE = shutil.which("node")
PYTHONS = [each for each in os.environ.get("REGELWERK_WASMTIME_PYTHONS", "").split(os.pathsep) if each]
LONGEST = 400
FILES = [*game_files(), ROOT / "tests" / "tools" / "games" / "faulty.rules"]


@pytest.mark.skipif(NODE is None, reason="there is no node on this machine")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_same_games_under_node(path: Path, tmp_path: Path) -> None:
    """The very bytes that wasmtime runs, in V8: the same states, invariants and faults."""
    assert NODE is not None
    game = load(path)
    program = program_of(game, game.players[-1])
    native = NativeMachine(program)
    compiled = native.compiled
    games = []
    for seed in (1, 2**64 - 1):
        streams = [0, *(stream_seed(seed, seat) for seat in range(1, program.players + 1))]
        games.append({"seed": str(seed), "streams": [str(each) for each in streams]})
    request = {
        "state": native.state,
        "size": program.layout.size,
        "streams": compiled.streams,
        "violated": compiled.violated,
        "invariants": len(program.invariants),
        "longest": LONGEST,
        "batch": 3,
        "games": games,
    }
    file = tmp_path / "module.wasm"
    file.write_bytes(compiled.binary)
    words = [NODE, str(HERE / "in_node.mjs"), str(file), json.dumps(request)]
    found = subprocess.run(words, capture_output=True, text=True, check=False, timeout=120)
    assert found.returncode == 0, found.stderr
    answer = json.loads(found.stdout)
    for entry, made in zip(games, answer["games"], strict=True):
        image = program.start_image(0)
        seed, streams = int(str(entry["seed"])), [int(each) for each in entry["streams"][1:]]
        played = native.play(image, seed, streams, LONGEST, True)
        assert (played.fault is not None) == bool(made["stopped"])
        if played.fault is not None:
            site = compiled.faults[made["stopped"]]
            assert (site.code, site.span) == (played.fault.code, played.fault.span)
            continue
        assert made["image"] == bytes(image.b).hex()
        noted = memoryview(bytes.fromhex(made["violated"])).cast("i")
        assert {k: each for k, each in enumerate(noted) if each >= 0} == played.violated
    if answer["batch"]:
        both = native.call("play_batch")(native.state, 5, 3, LONGEST)
        assert answer["batch"] == [both & 0xFFFFFFFF, both >> 32]


SCRIPT = """
import hashlib, json
from importlib import metadata
from pathlib import Path
import regelwerk
from regelwerk.interpreter.wasm.machine import NativeMachine
from regelwerk.interpreter.faults import Fault
from regelwerk.tools.bots import stream_seed

found = {}
for name in ("tic_tac_toe", "crazy_eights", "vienna"):
    game = regelwerk.load(name)
    program = game.program(game.players[-1], None, {})
    native = NativeMachine(program)
    again = NativeMachine(program, native.compiled)
    digest = hashlib.sha256(native.compiled.binary)
    for machine in (native, again):
        for seed in (1, 2):
            image = program.start_image(seed)
            streams = [stream_seed(seed, seat) for seat in range(1, program.players + 1)]
            machine.play(image, seed, streams, 20000, True)
            digest.update(image.b)
    state = game.new(game.players[-1], 3, backend="wasm")
    while state.status == "decision":
        state.step(len(state.raw_options) // 2)
    digest.update(state.image.b)
    found[name] = digest.hexdigest()
fast = native.call("begin").__qualname__.startswith("_direct.")
faulty = regelwerk.load(Path("tests/tools/games/faulty.rules"), "wasm").new(2, 1)
try:
    while True:
        faulty.step_raw(faulty.raw_options[0])
except Fault as fault:
    found["fault"] = [fault.code, fault.message, fault.decisions]
try:
    native.instance.grow(native.limit + 1)
except MemoryError:
    found["limited"] = True
print(json.dumps({"version": metadata.version("wasmtime"), "fast": fast, "found": found}))
"""


def report(python: str, cache: Path) -> dict[str, object]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / ".pkg"), "XDG_CACHE_HOME": str(cache)}
    done = subprocess.run(
        [python, "-c", SCRIPT], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


@pytest.mark.skipif(not PYTHONS, reason="REGELWERK_WASMTIME_PYTHONS names no other environments")
@pytest.mark.parametrize("python", PYTHONS)
def test_other_versions_of_wasmtime(python: str, tmp_path: Path) -> None:
    """The same bytes, faults and limits; the fast way of calling is there in each; they share a cache folder."""
    here = report(sys.executable, tmp_path)
    there = report(python, tmp_path)
    assert there["found"] == here["found"]
    assert there["fast"]
    print(f"wasmtime {there['version']} as {here['version']}")
