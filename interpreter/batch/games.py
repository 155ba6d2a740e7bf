"""A batch: many games of one configuration in one memory, stepped by one call."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from regelwerk.dsl.source import Source
from regelwerk.interpreter import layout as la
from regelwerk.interpreter.answers import Option, UsageError
from regelwerk.interpreter.api import Game, State, load
from regelwerk.interpreter.backends import compiled
from regelwerk.interpreter.batch.arena import OUTCOMES, STAY, Arena
from regelwerk.interpreter.batch.records import Decoder, Place, places_of
from regelwerk.interpreter.decisions import Raw
from regelwerk.interpreter.faults import Fault
from regelwerk.interpreter.program import Program
from regelwerk.interpreter.wasm.module import Compiled
from regelwerk.interpreter.wasm.runtime import Trapped

Which: TypeAlias = "npt.ArrayLike | None"
"""Numbers of games, or an array of yes and no with an entry for each game; None: all of them."""
SLOTS = 64
LONGEST = 1_000_000
MASK = (1 << 64) - 1


class NotAnAction(ValueError):
    """Actions that cannot be taken; no game was stepped. `games`: the numbers of those games."""

    def __init__(self, message: str, games: tuple[int, ...] = ()) -> None:
        super().__init__(message)
        self.games = games


@dataclass(frozen=True)
class Rollouts:
    """How random continuations came out: arrays of shape (games, repeats).

    winners    sets of seats: bit 1 is the first seat
    ends       what ended it, as a number among `Batch.causes`; 0: it had not ended
    decisions  how many were made
    faulted    whether it was stopped by a fault
    """

    players: int
    winners: npt.NDArray[np.uint32]
    ends: npt.NDArray[np.int32]
    decisions: npt.NDArray[np.int32]
    faulted: npt.NDArray[np.bool_]

    @property
    def values(self) -> npt.NDArray[np.float32]:
        """What each seat may expect: shares of victories, as the mean over what ended; of shape (games, players).
        Not a number where nothing ended."""
        ended = self.ends != 0
        shares = shared(self.winners, self.players) * ended[..., None]
        with np.errstate(invalid="ignore"):
            found: npt.NDArray[np.float32] = shares.sum(axis=1) / ended.sum(axis=1)[:, None].astype(np.float32)
        return found


def shared(winners: npt.NDArray[Any], players: int) -> npt.NDArray[np.float32]:
    """The share of the victory that each seat has: sets become rows."""
    won = (winners[..., None] >> np.arange(1, players + 1, dtype=np.uint32)) & 1
    count = won.sum(axis=-1, keepdims=True)
    found: npt.NDArray[np.float32] = (won / np.maximum(count, 1)).astype(np.float32)
    return found


@dataclass(frozen=True)
class Setup:
    """A configuration, compiled: what batches of it share."""

    game: Game
    program: Program
    compiled: Compiled
    options: Mapping[str, str]

    @staticmethod
    def of(
        rules: Game | str | Path | Source,
        players: int | None,
        options: Mapping[str, str] | None,
        seats: Sequence[str] | None,
    ) -> Setup:
        """Load and compile; `UsageError` if the game cannot be played so, or cannot be compiled."""
        game = rules if isinstance(rules, Game) else load(rules)
        program = game.new(players=players, options=options, seats=seats, backend="reference").program
        return Setup(game, program, compiled(program).compiled, dict(options or {}))


class Batch:
    """`count` games of one configuration, played side by side.

    game, program, count, players, seats
                the configuration
    states      all of the states: a structured array over the memory the games are played in, with a field for each
                word of the header and each region of the published layout; `states["actor"]` has one number for each
                game, `states["track point"]` a row
    counts      how many options each game has now (0: nobody decides)
    records     the options themselves: (count, slots, words); `places` says what the words mean
    actions     what `step` takes if it is called without an argument: may be written to
    seeds       the seed of the game that runs
    ended, winners
                what ended the game in the last step, as a number among `causes` (0: it goes on), and who won it, as
                a set: bit 1 is the first seat
    finals      with `finals=True` the last state of the last game of each place, as `states`
    faults      games that were stopped by a fault; they stay as they are until they are reset

    Views show the present; copy what is to be kept. They are read only, but for `actions`.
    """

    def __init__(
        self,
        rules: Game | str | Path | Source | Setup,
        count: int,
        players: int | None = None,
        seed: int | npt.ArrayLike = 0,
        options: Mapping[str, str] | None = None,
        seats: Sequence[str] | None = None,
        *,
        slots: int = SLOTS,
        auto_reset: bool = True,
        finals: bool = False,
    ) -> None:
        """Make a batch and begin its games.

        rules       a game, or what `regelwerk.load` takes
        players, options, seats
                    as of `Game.new`
        seed        of the first game, the others have the numbers behind it; or a number for each game
        slots       how many options of each game are kept in `records`; a decision can have more, and they can be taken
        auto_reset  whether a game that has ended begins anew in the same step
        finals      whether the last state of a game that has ended is kept
        """
        if count < 1:
            raise UsageError("a batch needs at least one game")
        if slots < 1:
            raise UsageError("a batch needs room for at least one option")
        setup = rules if isinstance(rules, Setup) else Setup.of(rules, players, options, seats)
        self.setup, self.game, self.program = setup, setup.game, setup.program
        self.count, self.players, self.seats = count, setup.program.players, setup.program.seats
        self.slots, self.auto_reset = slots, auto_reset
        self._arena = arena = Arena(setup.program, setup.compiled, count, slots, finals)
        arena.set("renew", int(auto_reset))
        self.states, self.finals, self.records = arena.states, arena.finals, arena.records
        self.actions = arena.actions
        self.counts, self.seeds = _closed(arena.counts), _closed(arena.seeds)
        self.winners, self.ended = _closed(arena.results[:, 0]), _closed(arena.results[:, 1])
        self.actors = self.states["actor"]
        self.faults: dict[int, Fault] = {}
        self.numbered_from = 0  # for what errors say of games, if this is a part of `Batches`
        self._status = arena.images[:, 4 * la.STATUS : 4 * la.STATUS + 4].view("<i4")[:, 0]
        self._decoder = Decoder(setup.program)
        self.reset(seeds=seed)

    # ------------------------------------------------------------------------------------------------------- beginning
    def reset(self, which: Which = None, seeds: int | npt.ArrayLike | None = None) -> None:
        """Begin games anew. `seeds`: as `seed` of a new batch; None: each goes on from its last seed."""
        games = self._which(which)
        if seeds is None:
            self._arena.seeds[games] += np.uint64(0x9E3779B97F4A7C15)
        else:
            self._arena.seeds[games] = spread(seeds, len(games))
        for game in games if self.faults else ():
            self.faults.pop(int(game), None)
        self._run("begin_batch", games)

    # -------------------------------------------------------------------------------------------------------- stepping
    def step(self, actions: npt.ArrayLike | None = None) -> npt.NDArray[Any]:
        """Take an option in each game, by its number; gives `ended`. `STAY` (-1) leaves a game as it is. What is said
        about a game in which nobody decides counts for nothing.

        Raises `NotAnAction`, before any game is stepped, if an action is none of the options.
        """
        self.accept(actions)
        return self.go()

    def accept(self, actions: npt.ArrayLike | None = None) -> None:
        """The first half of `step`: look at the actions, and keep them for `go`."""
        arena = self._arena
        if actions is not None:
            given = np.asarray(actions)
            if given.shape != (self.count,) or given.dtype.kind not in "iu":
                raise NotAnAction(
                    f"actions are {self.count} whole numbers, one for each game; these have the shape"
                    f" {given.shape} and the type {given.dtype}"
                )
            arena.actions[:] = given
            if given.dtype.itemsize > 4 and (arena.actions != given).any():
                self._refuse(given, arena.actions != given)
        chosen = arena.actions
        wrong = (chosen.view("<u4") >= arena.counts.view("<u4")) & (chosen != STAY)
        if wrong.any():
            wrong &= arena.counts > 0
            if wrong.any():
                self._refuse(chosen, wrong)
            chosen[arena.counts == 0] = STAY

    def go(self) -> npt.NDArray[Any]:
        """The second half of `step`: take the actions that were accepted."""
        self._guarded("step_batch", 0, self.count, None)
        return self.ended

    def _refuse(self, actions: npt.NDArray[Any], wrong: npt.NDArray[Any]) -> None:
        games = np.flatnonzero(wrong)
        first = int(games[0])
        others = f" (and {len(games) - 1} more)" if len(games) > 1 else ""
        raise NotAnAction(
            f"game {self.numbered_from + first}{others}: there are {int(self.counts[first])} options, and no number"
            f" {int(actions[first])}",
            tuple(self.numbered_from + int(game) for game in games),
        )

    def mask(self, width: int | None = None) -> npt.NDArray[np.bool_]:
        """Which of the numbers from 0 to below `width` (default: `slots`) are options now: (count, width)."""
        return np.arange(width or self.slots, dtype=np.int32) < self.counts[:, None]

    def rewards(self) -> npt.NDArray[np.float32]:
        """For each seat of each game that ended in the last step its share of the victory, else 0: (count, players)."""
        return shared(self.winners, self.players)

    # ------------------------------------------------------------------------------------------------------- searching
    def copy(self, targets: npt.ArrayLike, sources: npt.ArrayLike) -> None:
        """Make games copies of others: the states with all that comes, as often as is wanted."""
        to = self._which(targets)
        of = np.broadcast_to(self._which(sources), to.shape)
        if np.intersect1d(to, of).size:
            raise UsageError("a game cannot be copied from and to at once")
        for game in [*map(int, to)] if self.faults else []:
            self.faults.pop(game, None)
        self._arena.sources[: len(to)] = of
        self._run("copy_batch", to)
        if self.faults:
            self.faults |= {int(a): self.faults[int(b)] for a, b in zip(to, of, strict=True) if int(b) in self.faults}

    def play_on(
        self, which: Which = None, decisions: int = LONGEST, seed: int = 0, reseed: bool = False
    ) -> npt.NDArray[Any]:
        """Let random players make so many decisions, or less if the game ends; gives `ended`. Nothing begins anew.
        `reseed`: chance comes out otherwise than it would, as it should for copies that explore."""
        games = self._which(which)
        self._arena.set("longest", decisions)
        self._arena.set("reseed", int(reseed))
        self._run("play_on_batch", games, seed & MASK)
        return self.ended

    def rollouts(
        self, repeats: int, which: Which = None, seed: int = 0, decisions: int = LONGEST, reseed: bool = True
    ) -> Rollouts:
        """Play copies of games to their ends with random players, `repeats` of each. The games stay as they are.

        decisions  how many are made at most
        reseed     chance comes out otherwise for each copy; else each has what will come in the game itself
        """
        arena, games = self._arena, self._which(which)
        jobs = len(games) * repeats
        found = np.zeros((jobs, 4), np.int32)
        arena.which[: len(games)] = games
        arena.set("repeats", repeats)
        arena.set("longest", decisions)
        arena.set("reseed", int(reseed))
        for start in range(0, jobs, OUTCOMES):
            end = min(start + OUTCOMES, jobs)
            at = start
            while at < end:
                arena.set("outcomes", arena.places["outcomes"] + 16 * (at - start))
                try:
                    at = arena.call("try_out_batch", at, end, seed & MASK)
                except Trapped as trapped:
                    arena.fault_of(trapped)
                    at = arena.current()
                    arena.outcomes[at - start] = (0, 0, 0, la.FAULTED)
                    at += 1
            found[start:end] = arena.outcomes[: end - start]
        shape = (len(games), repeats)
        winners, ends, made, status = (found[:, k].reshape(shape) for k in range(4))
        return Rollouts(self.players, winners.astype(np.uint32), ends, made, status == la.FAULTED)

    # --------------------------------------------------------------------------------------------------- single games
    @property
    def causes(self) -> tuple[str, ...]:
        """What can end a game, in the order of the numbers in `ended`."""
        return ("", "last phase", "cap", *(end.name for end in self.program.game.ends))

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """Where somebody can have to decide, by the number that `states["site"]` holds; says what records mean."""
        return places_of(self.program)

    def raw_options(self, game: int) -> list[Raw]:
        """The options of a game as `State.raw_options` gives them; at most those that are kept."""
        site = int(self.states["site"][game])
        kept = min(int(self.counts[game]), self.slots)
        return [self._decoder.read(site, [int(word) for word in record]) for record in self.records[game, :kept]]

    def options(self, game: int) -> tuple[Option, ...]:
        """All options of a game with their ids and texts."""
        decision = self.state(game).decision
        return decision.options if decision is not None else ()

    def state(self, game: int) -> State:
        """A copy of a game as a `State`, with everything that has; playing it changes nothing here."""
        image = la.Image(bytearray(self._arena.images[game, : self.program.layout.size].tobytes()))
        state = State(self.game, self.program, image, int(self.seeds[game]), dict(self.setup.options), "reference")
        state.fault = self.faults.get(game)
        return state

    def put(self, game: int, state: State) -> None:
        """Put a copy of a state in the place of a game."""
        if state.program is not self.program:
            raise UsageError("the state is of another game, number of players, seats or options than the batch")
        if state.status not in ("decision", "over"):
            raise UsageError(f"a state of status `{state.status}` cannot be played on in a batch")
        arena = self._arena
        arena.images[game, : len(state.image.b)] = np.frombuffer(state.image.b, np.uint8)
        arena.images[game, 4 * la.EXPLICIT : 4 * la.EXPLICIT + 4] = 0
        arena.seeds[game] = state.seed & MASK
        self.faults.pop(game, None)
        self._run("list_batch", self._which([game]))

    # --------------------------------------------------------------------------------------------------------- calling
    def _which(self, which: Which) -> npt.NDArray[np.int64]:
        if which is None:
            return np.arange(self.count)
        found = np.atleast_1d(np.asarray(which))
        if found.dtype == np.bool_ and found.shape == (self.count,):
            return np.flatnonzero(found)
        if found.ndim != 1 or (found.dtype.kind not in "iu" and found.size):
            raise UsageError("games are named by their numbers, or by an array of yes and no with an entry for each")
        if found.size and not (found.min() >= 0 and found.max() < self.count):
            raise UsageError(f"there are games from 0 to {self.count - 1} here")
        return found.astype(np.int64)

    def _run(self, name: str, games: npt.NDArray[np.int64], *more: int) -> None:
        """Run something over some games; in pieces, if a game is named more often than there are games."""
        for start in range(0, len(games), self.count):
            part = games[start : start + self.count]
            self._arena.which[: len(part)] = part
            self._guarded(name, 0, len(part), partial(_entry, part), *more)

    def _guarded(self, name: str, first: int, last: int, game_of: Callable[[int], int] | None, *more: int) -> None:
        """Call, and go on behind each game that a fault stops."""
        arena, at = self._arena, first
        while at < last:
            try:
                reached = arena.call(name, at, last, *more)
            except Trapped as trapped:
                reached = arena.current()
                self._stop(game_of(reached) if game_of is not None else reached, arena.fault_of(trapped))
                reached += 1
            else:
                if reached < last:  # the counts of options were changed from outside
                    self._refuse(arena.actions, np.arange(self.count) == reached)
            at = reached

    def _stop(self, game: int, fault: Fault) -> None:
        """A fault has stopped a game."""
        self._status[game] = la.FAULTED
        self._arena.counts[game] = 0
        fault.rule = self.game.address(fault.span)
        fault.seed, fault.seats, fault.options = int(self.seeds[game]), self.seats, dict(self.setup.options)
        fault.decisions = int(self.states["decisions"][game])
        self.faults[game] = fault


def spread(seeds: Any, count: int) -> npt.NDArray[np.uint64]:
    """A seed for each of so many games."""
    if isinstance(seeds, int):
        return np.arange(count, dtype=np.uint64) + np.uint64(seeds & MASK)
    try:
        given = [operator.index(seed) & MASK for seed in seeds]
    except TypeError:
        given = []
    if len(given) != count:
        raise UsageError(f"seeds are a whole number, or {count} of them, one for each game")
    return np.array(given, np.uint64)


def _entry(numbers: npt.NDArray[np.int64], index: int) -> int:
    return int(numbers[index])


def _closed(view: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The same view, read only."""
    found = view[...]
    found.flags.writeable = False
    return found


__all__ = ["LONGEST", "SLOTS", "Batch", "NotAnAction", "Rollouts", "Setup", "shared", "spread"]
