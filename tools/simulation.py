"""Playing many games with bots, in this process or in several.

The seed of a game follows from the seed of the run and the number of the game, and the records come back in the order
of the games: how many processes work at it changes nothing but the time.
"""

from __future__ import annotations

import shlex
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from regelwerk.interpreter import generator
from regelwerk.interpreter import layout as la
from regelwerk.interpreter.api import Game, State, load
from regelwerk.interpreter.backends import AutoMachine, Backend, BackendWarning, compiled, machine_for
from regelwerk.interpreter.faults import Fault
from regelwerk.tools.arguments import CommandFailure
from regelwerk.tools.bots import make_bot, stream_seed
from regelwerk.tools.fault_reports import FaultNote
from regelwerk.tools.figures import GameRecord

if TYPE_CHECKING:
    from concurrent.futures import Future

    from regelwerk.interpreter.program import Program
    from regelwerk.interpreter.wasm.machine import NativeMachine

LONGEST = 20_000
"""After so many decisions a game is given up, unless the host says otherwise."""

_GOLDEN = 0x9E3779B97F4A7C15
_CHUNKS_EACH = 16
_CHUNK_LIMIT = 50


@dataclass(frozen=True)
class Settings:
    """What a run plays. `file` is FILE as given, for the commands that are shown; `hash` names the rules."""

    file: str
    path: Path
    hash: str
    players: int
    seed: int
    options: tuple[tuple[str, str], ...]
    bots: tuple[str, ...]
    every_decision: bool
    longest: int = LONGEST
    backend: Backend = "auto"

    def command(self, number: int) -> str:
        """The command that plays one game of the run again."""
        words = ["regelwerk", "simulate", self.file, "--players", str(self.players), "--seed", str(self.seed)]
        for name, value in self.options:
            words += ["--option", f"{name}={value}"]
        if set(self.bots) != {"random"}:
            words += ["--bots", ",".join(self.bots)]
        if self.every_decision:
            words.append("--check-invariants")
        if self.longest != LONGEST:
            words += ["--max-decisions", str(self.longest)]
        if self.backend != "auto":
            words += ["--backend", self.backend]
        return shlex.join([*words, "--first", str(number), "--games", "1"])


def game_seed(run_seed: int, number: int) -> int:
    """The seed of a game of a run: 53 bits, so that it stays exact in JSON wherever it is read."""
    return generator.mix((generator.mix(run_seed & generator.MASK) + number * _GOLDEN) & generator.MASK) >> 11


def program_of(game: Game, settings: Settings) -> Program:
    """The program that the games of a run play."""
    seats = game.seats[: settings.players]
    values = {name: game.option_value(name, text, seats) for name, text in settings.options}
    return game.program(settings.players, seats, values)


def module_for(game: Game, settings: Settings, now: bool = False) -> NativeMachine | None:
    """The compiled module, if it can play games of a run by itself: the bots are random, and it is asked for or has
    begun to pay. `now`: it pays already."""
    if settings.backend == "reference" or set(settings.bots) != {"random"}:
        return None
    program = program_of(game, settings)
    if settings.backend == "wasm":
        return compiled(program)
    machine = machine_for(program, "auto")
    return machine.compile() if isinstance(machine, AutoMachine) and (now or machine.warm) else None


def play_game(game: Game, settings: Settings, number: int) -> GameRecord:
    """Play one game of a run."""
    module = module_for(game, settings)
    return play_step_by_step(game, settings, number) if module is None else _play_inside(game, settings, number, module)


def _play_inside(game: Game, settings: Settings, number: int, module: NativeMachine) -> GameRecord:
    """Play one game inside the module, to the same record as step by step."""
    seed = game_seed(settings.seed, number)
    program, longest = module.program, settings.longest
    image = program.start_image(seed)
    streams = [stream_seed(seed, seat) for seat in range(1, settings.players + 1)]
    state = State(game, program, image, seed, dict(settings.options), settings.backend)
    try:
        played = module.play(image, seed, streams, longest, settings.every_decision)
    except Exception as error:
        error.add_note(f"(game {number}: {settings.command(number)})")
        raise
    violated = {program.invariants[index][0].name: after for index, after in played.violated.items()}
    if played.fault is None:
        return _record(state, number, seed, violated, longest)
    state.stopped_by(played.fault)
    return _stopped(number, seed, state if played.begun else None, violated, played.fault)


def _stopped(number: int, seed: int, state: State | None, violated: dict[str, int], fault: Fault) -> GameRecord:
    decisions, passes = (state.decisions, state.image.w[la.PASSES]) if state is not None else (0, 0)
    note, kept = FaultNote.of(fault), tuple(sorted(violated.items()))
    return GameRecord(number, seed, decisions, passes, "fault", False, (), (), kept, note)


def play_step_by_step(game: Game, settings: Settings, number: int) -> GameRecord:
    """Play one game of a run, with bots outside of the machine."""
    seed = game_seed(settings.seed, number)
    violated: dict[str, int] = {}
    state: State | None = None
    try:
        state = game.new(settings.players, seed, dict(settings.options), backend=settings.backend)
        bots = [make_bot(kind, seed, seat) for seat, kind in enumerate(settings.bots, 1)]
        words = state.image.w
        while words[la.STATUS] == la.DECISION and words[la.DECISIONS] < settings.longest:
            state.step_raw(state.raw_options[bots[words[la.ACTOR] - 1].choose(state)])
            if settings.every_decision:
                _look(state, violated)
        _look(state, violated)
    except Fault as fault:
        return _stopped(number, seed, state, violated, fault)
    except Exception as error:
        error.add_note(f"(game {number}: {settings.command(number)})")
        raise
    return _record(state, number, seed, violated, settings.longest)


def _look(state: State, violated: dict[str, int]) -> None:
    for name in state.violated_invariants():
        violated.setdefault(name, state.decisions)


def _record(state: State, number: int, seed: int, violated: dict[str, int], longest: int) -> GameRecord:
    passes, kept = state.image.w[la.PASSES], tuple(sorted(violated.items()))
    outcome = state.outcome
    if outcome is None:
        return GameRecord(
            number, seed, state.decisions, passes, f"given up after {longest} decisions", False, (), (), kept, None
        )
    seats = state.seats
    values: list[tuple[str, tuple[int | float, ...]]] = []
    first = next(iter(outcome.keys.values()), ())
    for place, (label, _) in enumerate(first):
        values.append((label, tuple(outcome.keys[seat][place][1] for seat in seats)))
    values += [(f"{line.score}: {line.printed}", tuple(line.values[seat] for seat in seats)) for line in outcome.lines]
    winners = tuple(seats.index(seat) for seat in outcome.winners)
    return GameRecord(
        number, seed, state.decisions, passes, outcome.cause, outcome.finished, winners, tuple(values), kept, None
    )


# ------------------------------------------------------------------------------------------------------ many processes
_game: Game | None = None  # of a working process: loaded once
_settings: Settings | None = None


def _start_worker(settings: Settings) -> None:
    global _game, _settings
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started the run ends it
    warnings.simplefilter("ignore", BackendWarning)  # the process that started the run has said it
    _game, _settings = load(settings.path), settings
    module_for(_game, _settings, now=True)


def _work(first: int, last: int) -> list[GameRecord]:
    assert _game is not None
    assert _settings is not None
    if _game.hash != _settings.hash:
        raise CommandFailure(f"{_settings.file} was changed while it was simulated")
    return [play_game(_game, _settings, number) for number in range(first, last)]


def chunks(first: int, games: int, jobs: int) -> list[tuple[int, int]]:
    """The games of a run in pieces, as half-open ranges of numbers."""
    size = max(1, min(_CHUNK_LIMIT, games // (jobs * _CHUNKS_EACH)))
    return [(start, min(start + size, first + games)) for start in range(first, first + games, size)]


def play_games(
    game: Game, settings: Settings, first: int, games: int, jobs: int, played: Callable[[int], None]
) -> Iterator[GameRecord]:
    """The records of a run in order; `played` is told of each number of games that are done."""
    if jobs == 1:
        for number in range(first, first + games):
            yield play_game(game, settings, number)
            played(1)
        return
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from multiprocessing import get_context

    # Spawned, since forking a process that has threads is not safe, and not to be had everywhere.
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _start_worker, (settings,))
    try:
        futures: list[Future[list[GameRecord]]] = [pool.submit(_work, *each) for each in chunks(first, games, jobs)]
        for done in as_completed(futures):
            played(len(done.result()))
        for future in futures:
            yield from future.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


__all__ = [
    "LONGEST",
    "Settings",
    "chunks",
    "game_seed",
    "module_for",
    "play_game",
    "play_games",
    "play_step_by_step",
    "program_of",
]
