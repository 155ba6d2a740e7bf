"""How fast the reference interpreter is: checking from the command line, playing at random, copying.

    .venv/bin/python benchmarks/reference.py [FILE] [--players N] [--games N]

FILE is a path or the name of a game that comes with Regelwerk. Each figure stands beside a baseline taken in the same
run on the same machine; the ratio of the two is what may be compared between machines:

- `check`, wall time of a whole process, against a Python that starts and ends;
- decisions of random play in one process, against a loop of look-ups, calls and additions in plain Python;
- `State.clone`, against `copy.copy` of a list as long as the state's image.

Each is the best of several rounds. Nothing here passes or fails.
"""

from __future__ import annotations

import argparse
import copy
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / ".pkg"))

import regelwerk  # noqa: E402 - the checkout's own, which the line above finds

ROUNDS = 5
CLONES = 100_000
STEPS = 1_000_000


def best(work: Callable[[], float], rounds: int = ROUNDS) -> float:
    """The highest of the rates that `work` gives."""
    return max(work() for _ in range(rounds))


def process(*command: str) -> float:
    """Processes a second, each run to its end."""
    start = time.perf_counter()
    subprocess.run([sys.executable, *command], check=True, stdout=subprocess.DEVNULL)
    return 1 / (time.perf_counter() - start)


def plain_python() -> float:
    """Turns a second of a loop with a look-up, a call and an addition."""
    table, add, total = list(range(64)), int.__add__, 0
    start = time.perf_counter()
    for turn in range(STEPS):
        total = add(total, table[turn & 63])
    return STEPS / (time.perf_counter() - start)


def decisions(game: regelwerk.Game, players: int, games: int) -> float:
    """Decisions a second of games played by drawing one of the options, as the simulation does."""
    taken = 0
    start = time.perf_counter()
    for seed in range(games):
        generator = random.Random(seed)
        state = game.new(players=players, seed=seed)
        while options := state.raw_options:
            state.step_raw(options[generator.randrange(len(options))])
            taken += 1
    return taken / (time.perf_counter() - start)


def clones(state: regelwerk.State) -> float:
    """Copies of one state a second."""
    start = time.perf_counter()
    for _ in range(CLONES):
        state.clone()
    return CLONES / (time.perf_counter() - start)


def copies(length: int) -> float:
    """Copies of a list of numbers a second."""
    image = list(range(length))
    start = time.perf_counter()
    for _ in range(CLONES):
        copy.copy(image)
    return CLONES / (time.perf_counter() - start)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", default="vienna", metavar="FILE")
    parser.add_argument("--players", type=int, metavar="N")
    parser.add_argument("--games", type=int, default=20, metavar="N", help="games for each round (20)")
    arguments = parser.parse_args()
    try:
        game = regelwerk.load(arguments.file)
        state = game.new(players=arguments.players)
    except (OSError, ValueError) as problem:
        print(problem, file=sys.stderr)
        return 2
    except regelwerk.RulesError as problem:
        print(problem, file=sys.stderr)
        return 1
    players = len(state.seats)
    print(f"{game.title}, {players} players, Python {sys.version.split()[0]}")
    check = (
        "-c",
        f"import sys; sys.path.insert(0, {str(ROOT / '.pkg')!r}); sys.argv = ['', 'check', {arguments.file!r}]\n"
        "from regelwerk.tools.command_line import main; sys.exit(main())",
    )
    process(*check)
    started, empty = 1 / best(lambda: process(*check)), 1 / best(lambda: process("-c", ""))
    print(
        f"check, wall time        {started:10.3f} s      {started / empty:6.1f} times an empty Python ({empty:.3f} s)"
    )
    rate, plain = best(lambda: decisions(game, players, arguments.games)), best(plain_python)
    print(f"random play, decisions  {rate:10,.0f} a second   one for {plain / rate:,.0f} turns of plain Python")
    cloned, copied = best(lambda: clones(state)), best(lambda: copies(len(state.image.w)))
    print(f"State.clone             {cloned:10,.0f} a second   {copied / cloned:6.1f} times the time of a list copy")
    return 0


if __name__ == "__main__":
    sys.exit(main())
