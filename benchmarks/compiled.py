"""How fast compiled games are: playing at random, against C, in batches, copying, and how long it takes to have them.

    .venv/bin/python benchmarks/compiled.py [PART ...] [--games NAME ...] [--rounds N] [--seconds S]

Parts (all of them if none is named):

- `play`    random games of every game that comes with Regelwerk: reference interpreter and compiled, in one run
- `limit`   Vienna against the program written by hand in C (`limit/`), which plays the same game
- `batch`   batches stepped with a policy in NumPy that takes each option with the same chance, auto-reset included
- `clone`   copies of states, in bulk inside a module and one by one
- `start`   from the file to the first decision in a new process: nothing kept before, and kept
- `growth`  compiling generated files of 1, 5 and 20 times the lines

What is compared is measured in turn, round by round, in processor time; a ratio is the median of those of the rounds, a
rate the median of the rounds. Nothing here passes or fails. `batch` needs NumPy, `limit` a C compiler.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / ".pkg"), str(ROOT / "benchmarks"), str(ROOT / "benchmarks" / "limit")]

import regelwerk  # noqa: E402 - the checkout's own, which the line above finds
from regelwerk.dsl.source import Source  # noqa: E402 - the checkout's own, which the line above finds
from regelwerk.interpreter.loading import shipped_games  # noqa: E402 - the checkout's own, which the line above finds
from regelwerk.interpreter.program import Program  # noqa: E402 - the checkout's own, which the line above finds
from regelwerk.interpreter.wasm.module import compile_program  # noqa: E402 - the checkout's own, see above
from regelwerk.interpreter.wasm.runtime import Instance, Trapped  # noqa: E402 - the checkout's own, see above
from regelwerk.interpreter.wasm.shapes import Unsupported  # noqa: E402 - the checkout's own, see above

MANY = 1 << 20
LONGEST = 100_000


def clock() -> float:
    """Processor time."""
    return time.process_time()


@dataclass
class Rate:
    """What was done, and in what time."""

    seconds: float = 0.0
    games: int = 0
    decisions: int = 0
    free: int = 0

    def a_second(self, name: str = "decisions") -> float:
        """A rate."""
        return float(getattr(self, name)) / self.seconds


class Module:
    """A compiled program with room for one state."""

    def __init__(self, program: Program) -> None:
        compiled = compile_program(program)
        end = compiled.arena + program.layout.size
        self.instance = Instance(compiled.binary, end + (1 << 16))
        self.instance.grow(end)
        self.state = compiled.arena
        self._play = self.instance.call("play_batch")

    def play(self, seed: int, games: int) -> Rate:
        """Random games."""
        start = clock()
        found = self._play(self.state, seed, games, LONGEST)
        return Rate(clock() - start, games, found & 0xFFFFFFFF, found >> 32)

    def play_for(self, seconds: float, seed: int) -> Rate:
        """Random games for about so long."""
        games, total = 1, Rate()
        while total.seconds < seconds:
            found = self.play(seed + total.games, games)
            total = Rate(
                total.seconds + found.seconds,
                total.games + games,
                total.decisions + found.decisions,
                total.free + found.free,
            )
            left = (seconds - total.seconds) * total.games / max(total.seconds, 1e-6)
            games = max(1, min(4 * games, int(left), MANY))
        return total


def reference(program: Program, seconds: float, seed: int) -> Rate:
    """Random games of the reference interpreter for about so long; the last one may be left off in the middle."""
    from regelwerk.interpreter import layout as la
    from regelwerk.interpreter import machine

    total = Rate()
    start = clock()
    while clock() - start < seconds:
        generator = random.Random(seed + total.games)
        image = program.start_image(seed + total.games)
        options = machine.run(program, image, [machine.enter(program, program.main.number, [0])])
        while options and image.w[la.STATUS] == la.DECISION and clock() - start < 2 * seconds:
            total.decisions += 1
            total.free += len(options) > 1
            options = machine.resume(program, image, options[generator.randrange(len(options))])
        total.games += 1
    total.seconds = clock() - start
    return total


def median(values: list[float]) -> float:
    """The middle one."""
    return statistics.median(values)


def ratio(value: float) -> str:
    """A ratio as it is printed."""
    return f"{value:,.0f}" if value >= 20 else f"{value:.2f}" if value < 2 else f"{value:.1f}"


def table(head: list[str], rows: list[list[str]]) -> None:
    """Print a table that reads well and can be put into Markdown; the first column is text."""
    widths = [max(len(row[k]) for row in [head, *rows]) for k in range(len(head))]

    def line(row: list[str]) -> str:
        return (
            "| "
            + " | ".join(t.ljust(w) if k == 0 else t.rjust(w) for k, (t, w) in enumerate(zip(row, widths, strict=True)))
            + " |"
        )

    print(line(head))
    print("|" + "|".join("-" * (w + 1) + ("-" if k == 0 else ":") for k, w in enumerate(widths)) + "|")
    for row in rows:
        print(line(row))
    print(flush=True)


def reason(problem: Exception) -> str:
    """Why a game is not measured."""
    return "a fault" if isinstance(problem, Trapped) else f"not compiled: {problem}".split("\n")[0]


def programs(names: list[str]) -> list[tuple[str, Program]]:
    """The games with the number of players that is nearest to four."""
    found = []
    for name in names:
        game = regelwerk.load(name)
        players = min(max(4, game.players[0]), game.players[-1])
        found.append((f"{game.title}, {players} players", game.program(players, game.seats[:players], {})))
    return found


# ----------------------------------------------------------------------------------------------------------- the parts
def play(arguments: argparse.Namespace) -> None:
    """Every game, reference and compiled."""
    print("Random play\n")
    rows = []
    for title, program in programs(arguments.games):
        try:
            module = Module(program)
            module.play_for(0.1, 1)
        except (Unsupported, Trapped) as problem:
            rows.append([title, reason(problem), *[""] * 6])
            continue
        slow, fast = [], []
        for number in range(arguments.rounds):
            slow.append(reference(program, arguments.seconds, 1000 * number))
            fast.append(module.play_for(arguments.seconds, 1_000_000 * number))
        times = median([f.a_second() / s.a_second() for s, f in zip(slow, fast, strict=True)])
        rows.append(
            [
                title,
                *(f"{median([each.a_second(what) for each in slow]):,.0f}" for what in ("decisions", "free")),
                *(f"{median([each.a_second(what) for each in fast]):,.0f}" for what in ("games", "decisions", "free")),
                f"{sum(f.decisions for f in fast) / sum(f.games for f in fast):,.0f}",
                ratio(times),
            ]
        )
    table(
        [
            "game",
            "reference: decisions/s",
            "not forced/s",
            "compiled: games/s",
            "decisions/s",
            "not forced/s",
            "decisions a game",
            "times",
        ],
        rows,
    )


def limit(arguments: argparse.Namespace) -> None:
    """Vienna against C."""
    import json

    from compare import build, compiler, output  # in `limit/`, where the path above looks

    print("Vienna against C written by hand (gcc -O2)\n")
    if compiler() is None:
        print("nothing is measured: there is no C compiler `cc` (or what the variable CC names)\n")
        return
    game = regelwerk.load("vienna")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        c_programs = {"counted": build(Path(folder)), "listed": build(Path(folder), "-DLISTS")}
        for players in (3, 4, 5):
            module = Module(game.program(players, game.seats[:players], {}))
            module.play_for(0.1, 1)
            ours: list[Rate] = []
            theirs: dict[str, list[float]] = {name: [] for name in c_programs}
            ratios: dict[str, list[float]] = {name: [] for name in c_programs}
            for number in range(arguments.rounds):
                ours.append(module.play_for(arguments.seconds, 1_000_000 * number))
                for name, program in c_programs.items():
                    wanted = max(1, int(30_000 * arguments.seconds))
                    run = json.loads(output(program, players, wanted, number + 1))
                    theirs[name].append(run["decisions"] / run["seconds"])
                    ratios[name].append(ours[-1].a_second() / theirs[name][-1])
            for name in c_programs:
                rows.append(
                    [
                        f"{players} players, C {name}",
                        f"{median([each.a_second('games') for each in ours]):,.0f}",
                        f"{median([each.a_second() for each in ours]):,.0f}",
                        f"{median(theirs[name]):,.0f}",
                        f"{median(ratios[name]):.3f}",
                    ]
                )
    table(["", "compiled: games/s", "decisions/s", "C: decisions/s", "ratio"], rows)
    print(
        "counted: C counts options and makes only the one that is taken; listed: it writes all of them first. For\n"
        "random players compiled games do something between: an entry of their list can stand for many options.\n"
    )


def batches(arguments: argparse.Namespace) -> None:
    """Stepping with a policy."""
    print("Batches, 4,096 games, policy in NumPy\n")
    try:
        import numpy as np

        from regelwerk import batch
    except ImportError as problem:
        print(f"nothing is measured: {problem}\n")
        return
    rows = []
    for title, program in programs(arguments.games):
        try:
            setup = batch.Setup(_game_of(program), program, compile_program(program), {})
            games = batch.Batch(setup, 4096, seed=1)
        except Unsupported as problem:
            rows.append([title, reason(problem), *[""] * 3])
            continue
        generator = np.random.default_rng(1)
        rates, shares = [], []
        for _ in range(arguments.rounds):
            steps, inside, start = 0, 0.0, clock()
            while clock() - start < arguments.seconds:
                actions = (generator.random(4096, dtype=np.float32) * games.counts).astype(np.int32)
                entered = clock()
                games.step(actions)
                inside += clock() - entered
                steps += 1
            spent = clock() - start
            rates.append(4096 * steps / spent)
            shares.append(inside / spent)
        stopped = f"{len(games.faults)}" if games.faults else "none"
        rows.append(
            [title, f"{median(rates):,.0f}", f"{100 * median(shares):.0f} %", f"{program.layout.size:,}", stopped]
        )
    table(["game", "steps/s", "of it in `step`", "bytes of a state", "faults"], rows)


def _game_of(program: Program) -> regelwerk.Game:
    return regelwerk.load(program.game.name)


def clones(arguments: argparse.Namespace) -> None:
    """Copies."""
    print("Copies of states\n")
    rows = []
    for title, program in programs(arguments.games):
        try:
            compiled = compile_program(program)
        except Unsupported as problem:
            rows.append([title, "", reason(problem), *[""] * 3])
            continue
        count = 1024
        stride = -(-program.layout.size // 64) * 64
        end = compiled.arena + stride * (count + 1)
        instance = Instance(compiled.binary, end + (1 << 16))
        instance.grow(end)
        clone = instance.call("clone")
        state = regelwerk.load(program.game.name).new(program.players)
        bulk, one, single = [], [], []
        for _ in range(arguments.rounds):
            start, made = clock(), 0
            while clock() - start < arguments.seconds / 3:
                for _ in range(16):
                    clone(compiled.arena + stride, compiled.arena, stride, count)
                made += 16 * count
            bulk.append(made / (clock() - start))
            start, made = clock(), 0
            while clock() - start < arguments.seconds / 3:
                for _ in range(1000):
                    clone(compiled.arena + stride, compiled.arena, stride, 1)
                made += 1000
            one.append(made / (clock() - start))
            start, made = clock(), 0
            while clock() - start < arguments.seconds / 3:
                for _ in range(1000):
                    state.clone()
                made += 1000
            single.append(made / (clock() - start))
        rows.append(
            [
                title,
                f"{program.layout.size:,}",
                f"{median(bulk):,.0f}",
                f"{1e9 / median(bulk):.0f} ns",
                f"{median(one):,.0f}",
                f"{median(single):,.0f}",
            ]
        )
    table(["game", "bytes", "in bulk/s", "each", "one a call/s", "State.clone/s"], rows)


_START = """
import sys, time
begun = time.process_time()
sys.path.insert(0, {package!r})
import regelwerk
from regelwerk.interpreter.wasm.module import compile_program
from regelwerk.interpreter.wasm.runtime import Instance
imported = time.process_time()
game = regelwerk.load({name!r})
loaded = time.process_time()
players = min(max(4, game.players[0]), game.players[-1])
program = game.program(players, game.seats[:players], {{}})
lowered = time.process_time()
compiled = compile_program(program)
emitted = time.process_time()
instance = Instance(compiled.binary, compiled.arena + (1 << 20))
ready = time.process_time()
print(imported - begun, loaded - imported, lowered - loaded, emitted - lowered, ready - emitted, len(compiled.binary))
"""


def start(arguments: argparse.Namespace) -> None:
    """From the file to the first decision."""
    print("Start, processor time in a new process (machine code: all threads together)\n")
    rows = []
    for name in arguments.games:
        for kept in (False, True):
            runs = []
            for _ in range(arguments.rounds):
                with tempfile.TemporaryDirectory() as folder:
                    environment = {**os.environ, "XDG_CACHE_HOME": folder, "LOCALAPPDATA": folder}
                    code = _START.format(package=str(ROOT / ".pkg"), name=name)

                    def run(code: str = code, environment: dict[str, str] = environment) -> list[float]:
                        done = subprocess.run(
                            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
                        )
                        return [float(word) for word in done.stdout.split()] if not done.returncode else []

                    # the tables of the parser and the bytes of Python are no matter of games
                    subprocess.run(
                        [sys.executable, "-c", _START.format(package=str(ROOT / ".pkg"), name="tic_tac_toe")],
                        env=environment,
                        capture_output=True,
                        check=False,
                    )
                    if kept:
                        run()
                    runs.append(run())
            if not all(runs):
                rows.append([name, "not compiled", *[""] * 6])
                break
            parts = [median([each[k] for each in runs]) for k in range(5)]
            rows.append(
                [
                    f"{name}{', again' if kept else ''}",
                    *(f"{part:.2f} s" for part in parts),
                    f"{parts[3] + parts[4]:.2f} s",
                    f"{runs[0][5] / 1024:.0f} KiB",
                ]
            )
    table(["game", "imports", "parse and check", "lower", "emit", "machine code", "compile", "module"], rows)


def growth(arguments: argparse.Namespace) -> None:
    """Compiling as files grow."""
    import check_size

    print("Compiling generated files\n")
    rows: list[list[str]] = []
    first = 0.0
    for times in (1, 5, 20):
        text = check_size.made(times * arguments.lines)
        game = regelwerk.load(Source("large.rules", text))
        program = game.program(3, game.seats[:3], {})
        emit, machine = [], []
        binary = b""
        for _ in range(arguments.rounds):
            begun = clock()
            binary = compile_program(program).binary
            emitted = clock()
            import wasmtime

            wasmtime.Module(wasmtime.Engine(), binary)
            emit.append(emitted - begun)
            machine.append(clock() - emitted)
        total = median(emit) + median(machine)
        first = first or total
        rows.append(
            [
                f"{text.count(chr(10)):,} lines",
                f"{len(binary) / 1024:,.0f} KiB",
                f"{median(emit):.2f} s",
                f"{median(machine):.2f} s",
                f"{total:.2f} s",
                f"{total / first:.1f} for {times}",
            ]
        )
    table(["", "module", "emit", "machine code", "both", "ratio"], rows)


PARTS: dict[str, Callable[[argparse.Namespace], None]] = {
    "play": play,
    "limit": limit,
    "batch": batches,
    "clone": clones,
    "start": start,
    "growth": growth,
}


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--games", nargs="*", default=list(shipped_games()), metavar="NAME", help="games (all shipped)")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="rounds (5)")
    parser.add_argument("--seconds", type=float, default=1.0, metavar="S", help="length of a measurement (1)")
    parser.add_argument(
        "--lines", type=int, default=500, metavar="N", help="lines of the smallest generated file (500)"
    )
    arguments: Any = parser.parse_args()
    unknown = [part for part in arguments.parts if part not in PARTS]
    if unknown:
        print(f"there is no part `{unknown[0]}` (there are: {', '.join(PARTS)})", file=sys.stderr)
        return 2
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    print(f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} processors{load}\n")
    for name in arguments.parts or PARTS:
        PARTS[name](arguments)
    return 0


if __name__ == "__main__":
    sys.exit(main())
