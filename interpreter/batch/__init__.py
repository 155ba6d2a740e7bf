"""Many games at once, for learning and search: `regelwerk.batch`.

    from regelwerk import batch

    games = batch.Batch("my_game.rules", 4096, players=3, seed=1)
    actions = (rng.random(4096) * games.counts).astype("i4")
    games.step(actions)
    games.states["track point"]     # (4096, 3), a view of the memory the games are played in

Needs NumPy, which comes with `regelwerk[batch]`.
"""

try:
    import numpy  # noqa: F401 - only whether it is there
except ImportError as error:  # pragma: no cover - the tests that need it are skipped then
    raise ImportError("regelwerk.batch needs NumPy: install it, or `regelwerk[batch]`") from error

from regelwerk.interpreter.batch.arena import STAY
from regelwerk.interpreter.batch.games import Batch, NotAnAction, Rollouts, Setup
from regelwerk.interpreter.batch.records import Parameter, Place, Way
from regelwerk.interpreter.batch.threads import Batches

__all__ = ["STAY", "Batch", "Batches", "NotAnAction", "Parameter", "Place", "Rollouts", "Setup", "Way"]
