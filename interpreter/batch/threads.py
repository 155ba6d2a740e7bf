"""Batches side by side in threads, each with a module and a memory of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from regelwerk.dsl.source import Source
from regelwerk.interpreter.answers import UsageError
from regelwerk.interpreter.api import Game
from regelwerk.interpreter.batch.games import LONGEST, SLOTS, Batch, NotAnAction, Rollouts, Setup, spread
from regelwerk.interpreter.faults import Fault

T = TypeVar("T")


class Batches:
    """`count` games, divided among threads. `parts` are the batches; the games of part 0 come first.

    A module runs outside of Python's lock, so that the parts are stepped at the same time. What is asked of all games
    is put together from the parts, and so is a copy; the views are those of the parts.
    """

    def __init__(
        self,
        rules: Game | str | Path | Source,
        count: int,
        players: int | None = None,
        seed: int | npt.ArrayLike = 0,
        options: Mapping[str, str] | None = None,
        seats: Sequence[str] | None = None,
        *,
        threads: int = 2,
        slots: int = SLOTS,
        auto_reset: bool = True,
        finals: bool = False,
    ) -> None:
        """As a `Batch`; `threads`: how many parts there are."""
        if not 1 <= threads <= count:
            raise UsageError(f"{count} games can be divided among 1 to {count} threads")
        setup = Setup.of(rules, players, options, seats)
        self.game, self.program = setup.game, setup.program
        self.count, self.players, self.seats = count, setup.program.players, setup.program.seats
        self.slots = slots
        seeds = spread(seed, count)
        self.firsts = [count * k // threads for k in range(threads + 1)]
        self._pool = ThreadPoolExecutor(threads)
        self._ranges = list(zip(self.firsts, self.firsts[1:], strict=False))
        self.parts = self._each(
            lambda k, first, last: Batch(
                setup, last - first, seed=seeds[first:last], slots=slots, auto_reset=auto_reset, finals=finals
            )
        )
        for part, first in zip(self.parts, self.firsts, strict=False):
            part.numbered_from = first

    def _each(self, work: Callable[[int, int, int], T]) -> list[T]:
        """Do something for each part, with its number and its range of games. All are waited for, whatever happens."""
        jobs = [self._pool.submit(work, k, first, last) for k, (first, last) in enumerate(self._ranges)]
        problems = [job.exception() for job in jobs]
        for problem in problems:
            if problem is not None:
                raise problem
        return [job.result() for job in jobs]

    def _joined(self, name: str) -> npt.NDArray[Any]:
        return np.concatenate([getattr(part, name) for part in self.parts])

    @property
    def counts(self) -> npt.NDArray[Any]:
        """How many options each game has now."""
        return self._joined("counts")

    @property
    def actors(self) -> npt.NDArray[Any]:
        """Who decides, by the number of the seat."""
        return self._joined("actors")

    @property
    def seeds(self) -> npt.NDArray[Any]:
        """The seeds of the games that run."""
        return self._joined("seeds")

    @property
    def ended(self) -> npt.NDArray[Any]:
        """What ended each game in the last step."""
        return self._joined("ended")

    @property
    def winners(self) -> npt.NDArray[Any]:
        """Who won the games that ended in the last step."""
        return self._joined("winners")

    @property
    def faults(self) -> dict[int, Fault]:
        """The games that were stopped by a fault."""
        return {
            first + game: fault
            for part, first in zip(self.parts, self.firsts, strict=False)
            for game, fault in part.faults.items()
        }

    def field(self, name: str) -> npt.NDArray[Any]:
        """A field of all states, as a copy."""
        return np.concatenate([part.states[name] for part in self.parts])

    def part_of(self, game: int) -> tuple[Batch, int]:
        """The batch a game is in, and its number there."""
        if not 0 <= game < self.count:
            raise UsageError(f"there are games from 0 to {self.count - 1} here")
        part = int(np.searchsorted(self.firsts, game, "right")) - 1
        return self.parts[part], game - self.firsts[part]

    def mask(self, width: int | None = None) -> npt.NDArray[np.bool_]:
        """Which numbers are options now."""
        return np.concatenate([part.mask(width) for part in self.parts])

    def rewards(self) -> npt.NDArray[np.float32]:
        """Shares of victories of the games that ended in the last step."""
        return np.concatenate([part.rewards() for part in self.parts])

    def reset(self) -> None:
        """Begin all games anew."""
        self._each(lambda k, first, last: self.parts[k].reset())

    def step(self, actions: npt.ArrayLike) -> npt.NDArray[Any]:
        """As `Batch.step`, all parts at once."""
        given = np.asarray(actions)
        if given.shape != (self.count,):
            raise NotAnAction(
                f"actions are {self.count} whole numbers, one for each game; these have the shape {given.shape}"
            )
        for part, (first, last) in zip(self.parts, self._ranges, strict=True):
            part.accept(given[first:last])
        self._each(lambda k, first, last: self.parts[k].go())
        return self.ended

    def rollouts(self, repeats: int, seed: int = 0, decisions: int = LONGEST, reseed: bool = True) -> Rollouts:
        """As `Batch.rollouts`, of all games."""
        found = self._each(
            lambda k, first, last: self.parts[k].rollouts(repeats, None, seed + first * repeats, decisions, reseed)
        )
        names = ("winners", "ends", "decisions", "faulted")
        return Rollouts(self.players, *(np.concatenate([getattr(each, name) for each in found]) for name in names))

    def close(self) -> None:
        """End the threads."""
        self._pool.shutdown()

    def __enter__(self) -> Batches:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()


__all__ = ["Batches"]
