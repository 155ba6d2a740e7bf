"""Games that the tests of this folder play: two tiny ones, and shipped ones."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

from regelwerk.interpreter.api import Game, State, load

HERE = Path(__file__).resolve().parent / "games"
SHIPPED = (
    "vienna",
    "saeulen_von_venedig",
    "grand_austria_hotel",
    "catan",
    "catan_austria",
    "vienna_meets_catan",
    "crazy_eights",
    "connect_four",
    "tic_tac_toe",
)
"""The published games and the classics, without variants of them that change little."""
NAMES = ("secrets", "dice", "vienna", "crazy_eights", "grand_austria_hotel")


@cache
def game(name: str) -> Game:
    path = HERE / f"{name}.rules"
    return load(path if path.is_file() else name)


def random_game(name: str, seed: int, players: int | None = None, most: int = 400) -> Iterator[State]:
    """The state at each decision of a random game, and at its end; always the same object."""
    found = game(name)
    random = Random(seed)
    state = found.new(players or found.players[-1], seed)
    for _ in range(most):
        yield state
        if state.decision is None:
            return
        state.step(random.randrange(len(state.decision.options)))
