"""Catan, 4 random players: compiled rules against catanatron, a program that implements Catan by hand.

    .venv/bin/python benchmarks/catan_peer.py [--rounds N] [--games N]

Both play the same scope: no trade between players, trading and building mixed. The rounds of the two are taken in turn,
in processor time, and the medians are compared. It needs `pip install catanatron==3.2.1` (GPL-3; used here and in
`tests/oracle` only). At the end it counts the lines of both. Nothing here passes or fails.
"""

from __future__ import annotations

import argparse
import importlib
import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / ".pkg"))

import regelwerk  # noqa: E402 - the checkout's own, which the line above finds
from regelwerk.interpreter.wasm.machine import NativeMachine  # noqa: E402 - as above

SEATS = 4
SCOPE = {"start": "A", "mixed_trade_build": "yes", "offers_per_turn": "0"}
Counts = tuple[int, int]
"""How many decisions were made, and how many of them had an alternative."""


def compiled(games: int) -> Callable[[int], Counts]:
    """What plays so many games of the compiled rules, from a seed."""
    machine = NativeMachine(regelwerk.load("catan").new(SEATS, 1, SCOPE).program)
    play = machine.call("play_batch")

    def run(seed: int) -> Counts:
        both = play(machine.state, seed, games, 100_000) & (1 << 64) - 1
        return both & 0xFFFFFFFF, both >> 32

    return run


def peer(games: int) -> Callable[[int], Counts]:
    """What plays so many games of catanatron."""
    game_module: Any = importlib.import_module("catanatron.game")
    players: Any = importlib.import_module("catanatron.models.player")
    colors = list(players.Color)[:SEATS]

    class Counting(players.RandomPlayer):  # type: ignore[misc]  # it has no types
        """A random player that counts what it decides."""

        made = free = 0

        def decide(self, game: Any, playable_actions: Any) -> Any:
            Counting.made += 1
            Counting.free += len(playable_actions) > 1
            return random.choice(list(playable_actions))

    def run(seed: int) -> Counts:
        random.seed(seed)
        Counting.made = Counting.free = 0
        for number in range(games):
            game_module.Game([Counting(color) for color in colors], seed * 1000 + number).play()
        return Counting.made, Counting.free

    return run


def rates(play: Callable[[int], Counts], seed: int) -> tuple[float, float]:
    """Decisions a second, and those with an alternative."""
    begun = time.process_time()
    made, free = play(seed)
    spent = time.process_time() - begun
    return made / spent, free / spent


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Catan: compiled rules against catanatron, with random players.")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of each (default %(default)s)")
    parser.add_argument("--games", type=int, default=5, help="games of catanatron in a round (default %(default)s)")
    arguments = parser.parse_args()
    try:
        theirs = peer(arguments.games)
    except ImportError:
        print("catanatron is not installed: pip install catanatron==3.2.1")
        return 0
    ours = compiled(40 * arguments.games)
    found = [(rates(ours, number), rates(theirs, number)) for number in range(1, arguments.rounds + 1)]
    for place, words in enumerate(("decisions a second", "of these with an alternative")):
        mine = statistics.median(each[0][place] for each in found)
        other = statistics.median(each[1][place] for each in found)
        print(f"{words:30} compiled {mine:12,.0f}   catanatron {other:10,.0f}   {mine / other:6.0f} times")
    package = Path(importlib.import_module("catanatron").__file__ or "").parent
    by_hand = [package / name for name in ("game.py", "state.py", "state_functions.py")]
    files = {"catanatron, what plays the base game": [*by_hand, *sorted((package / "models").glob("*.py"))]}
    for name in ("catan", "catan_austria", "vienna_meets_catan"):
        files[f"{name}.rules"] = [ROOT / "games" / name / f"{name}.rules"]
    print("lines that are neither empty nor comments:")
    for name, each in files.items():
        print(f"  {name:40} {sum(map(lines_of, each)):6,}")
    return 0


def lines_of(file: Path) -> int:
    """The lines of one file that are neither empty nor comments; 0 if there is none."""
    if not file.is_file():
        return 0
    return sum(
        1
        for line in file.read_text(encoding="utf-8").splitlines()
        if line.strip() and not line.strip().startswith(("#", "//"))
    )


if __name__ == "__main__":
    sys.exit(main())
