"""Plays the games of which is counted what runs, in this process or in several.

Which game is number n follows from the seed of the run and n alone, and counts are added up: how many processes work
at it changes nothing but the time.
"""

from __future__ import annotations

import shlex
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import BoolType, EnumType, IntType, ThingType, strip
from regelwerk.dsl.source import Span
from regelwerk.interpreter import layout as la
from regelwerk.interpreter.api import Game, State, load
from regelwerk.interpreter.backends import BackendWarning
from regelwerk.interpreter.coverage import Coverage
from regelwerk.interpreter.evaluation.base import reader
from regelwerk.interpreter.faults import Fault
from regelwerk.interpreter.probing import probed
from regelwerk.tools.arguments import CommandFailure
from regelwerk.tools.bots import make_bot
from regelwerk.tools.simulation import game_seed

if TYPE_CHECKING:
    from concurrent.futures import Future
    from multiprocessing.synchronize import Event

Options = tuple[tuple[str, str], ...]

CHUNK = 10
"""So many games are one piece of work at most."""

MOST_VALUES = 24
"""An option with more values than this is a number like any other: its values are not counted one by one."""


@dataclass(frozen=True)
class Plan:
    """Which games are played. They take turns with the numbers of `players` and the sets of `options`."""

    file: str
    path: Path
    hash: str
    games: int
    players: tuple[int, ...]
    seed: int
    options: tuple[Options, ...]
    bots: tuple[str, ...]
    longest: int

    def setting(self, number: int) -> tuple[int, Options]:
        """How many play game `number` (from 1), and with which options."""
        which, players = divmod(number - 1, len(self.players))
        return self.players[players], self.options[which % len(self.options)]

    def command(self, number: int) -> str:
        """The command that plays one game of the run again."""
        players, options = self.setting(number)
        words = ["regelwerk", "simulate", self.file, "--players", str(players), "--seed", str(self.seed)]
        for name, value in options:
            words += ["--option", f"{name}={value}"]
        if set(self.bots) != {"random"}:
            words += ["--bots", ",".join(self.bots)]
        return shlex.join([*words, "--first", str(number), "--games", "1"])


@dataclass
class Tally:
    """What was counted: by place of the rules; by value of options and by line of scores; and how games ended.

    options   games by (option, value)
    lines     by place of a line of a score: how often a player had something by it when a game was over
    """

    coverage: Coverage
    games: int = 0
    decisions: int = 0
    unfinished: int = 0
    options: Counter[tuple[str, str]] = field(default_factory=Counter)
    lines: Counter[Span] = field(default_factory=Counter)
    faults: list[tuple[int, str]] = field(default_factory=list)
    scenarios: int = 0
    failed: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Add what another process has counted."""
        self.coverage.add(other.coverage)
        self.games += other.games
        self.decisions += other.decisions
        self.unfinished += other.unfinished
        self.options.update(other.options)
        self.lines.update(other.lines)
        self.faults += other.faults


def countable_values(game: Game, symbol: g.OptionSymbol) -> tuple[str, ...]:
    """The values of an option that are counted; seats are no part of the rules."""
    if not isinstance(strip(symbol.type), BoolType | EnumType | IntType | ThingType):
        return ()
    values = next(each.values for each in game.options if each.name == symbol.name)
    return values if len(values) <= MOST_VALUES else ()


def varied(game: Game, options: Options) -> tuple[Options, ...]:
    """The options as given, then each option that is not given with each of its other values."""
    found, given = [options], {name for name, _ in options}
    for info, symbol in zip(game.options, game.checked.options, strict=True):
        if info.name not in given:
            found += [(*options, (info.name, each)) for each in countable_values(game, symbol) if each != info.default]
    return tuple(tuple(sorted(each)) for each in found)


class Player:
    """Plays games of a plan, and counts."""

    def __init__(self, game: Game, plan: Plan) -> None:
        self.game, self.plan = game, plan
        if game.coverage is None:
            game.coverage = probed(game.checked, game.sources)
        self.tally = Tally(game.coverage)
        for players in plan.players:
            for options in plan.options:
                game.set_up(players, dict(options))
        game.coverage.clear()
        self._countable = {each: countable_values(game, each) for each in game.checked.options}
        self._lines = {(s.name, line.name): line.span for s in game.checked.scores for line in s.lines}

    def play(self, number: int) -> None:
        """Play one game."""
        players, options = self.plan.setting(number)
        seed = game_seed(self.plan.seed, number)
        tally, state = self.tally, None
        try:
            state = self.game.new(players, seed, dict(options), backend="reference")
            self._to_the_end(state, seed)
        except Fault as fault:
            tally.faults.append(
                (number, f"fault[{fault.code}]: {fault.message}" + (f", in {fault.rule}" * bool(fault.rule)))
            )
        except Exception as error:
            error.add_note(f"(game {number}: {self.plan.command(number)})")
            raise
        finally:
            if state is not None:
                tally.decisions += state.decisions
                self._options_of(state)
        tally.games += 1

    def _to_the_end(self, state: State, seed: int) -> None:
        kinds = self.plan.bots if len(self.plan.bots) == len(state.seats) else self.plan.bots[:1] * len(state.seats)
        bots = [make_bot(kind, seed, seat) for seat, kind in enumerate(kinds, 1)]
        words = state.image.w
        while words[la.STATUS] == la.DECISION and words[la.DECISIONS] < self.plan.longest:
            seat = words[la.ACTOR] - 1
            if kinds[seat] == "random":
                place = bots[seat].choose(state)
            else:
                with self.tally.coverage.resting():
                    place = bots[seat].choose(state)
            state.step_raw(state.raw_options[place])
        outcome = state.outcome
        if outcome is None:
            self.tally.unfinished += 1
            return
        for line in outcome.lines:
            self.tally.lines[self._lines[line.score, line.name]] += sum(1 for value in line.values.values() if value)

    def _options_of(self, state: State) -> None:
        """Which values the options have, those that nature chose among them."""
        program = state.program
        for symbol, values in self._countable.items():
            if not values:
                continue
            cell = program.option_cells.get(symbol)
            value = program.fixed_options[symbol] if cell is None else reader(cell)(state.image, 0)
            self.tally.options[symbol.name, program.texts.id(value, symbol.type)] += 1

    def taken(self) -> Tally:
        """What was counted since this was last asked, without what belongs to this process."""
        tally = self.tally
        self.tally = Tally(tally.coverage)
        sent = Tally(tally.coverage.plain(), tally.games, tally.decisions, tally.unfinished)
        sent.options, sent.lines, sent.faults = tally.options, tally.lines, tally.faults
        tally.coverage.clear()
        return sent


# ------------------------------------------------------------------------------------------------------ many processes
_player: Player | None = None  # of a working process
_stop: Event | None = None  # set by who interrupts


def _start_worker(plan: Plan, stop: Event) -> None:
    global _player, _stop
    import signal

    _stop = stop

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started the run ends it
    warnings.simplefilter("ignore", BackendWarning)
    _player = Player(load(plan.path, "reference"), plan)


def _work(numbers: range) -> Tally:
    assert _player is not None
    assert _stop is not None
    if _player.game.hash != _player.plan.hash:
        raise CommandFailure(f"{_player.plan.file} was changed while it was played")
    for number in numbers:
        if _stop.is_set():
            break
        _player.play(number)
    return _player.taken()


def pieces(games: int, jobs: int) -> list[range]:
    """The games of a run in pieces."""
    size = max(1, min(CHUNK, games // (jobs * 8)))
    return [range(start, min(start + size, games + 1)) for start in range(1, games + 1, size)]


def play(game: Game, plan: Plan, jobs: int, played: Callable[[int], None]) -> tuple[Tally, bool]:
    """Play the games of a plan; gives what was counted, and whether all were played. Whoever interrupts it gets what
    has been counted so far. `played` is told of each number of games that are done."""
    if jobs > 1:
        return _side_by_side(game, plan, jobs, played)
    player = Player(game, plan)
    try:
        for number in range(1, plan.games + 1):
            player.play(number)
            played(1)
    except KeyboardInterrupt:
        return player.tally, False
    return player.tally, True


def _side_by_side(game: Game, plan: Plan, jobs: int, played: Callable[[int], None]) -> tuple[Tally, bool]:
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from multiprocessing import get_context

    if game.coverage is None:
        game.coverage = probed(game.checked, game.sources)
    total, complete = Tally(game.coverage), True
    # Spawned, since forking a process that has threads is not safe, and not to be had everywhere.
    context = get_context("spawn")
    stop = context.Event()
    pool = ProcessPoolExecutor(jobs, context, _start_worker, (plan, stop))
    futures: list[Future[Tally]] = []
    try:
        futures += [pool.submit(_work, each) for each in pieces(plan.games, jobs)]
        for done in as_completed(futures):
            played(done.result().games)
    except KeyboardInterrupt:
        complete = False
        stop.set()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
    for future in futures:
        if future.done() and not future.cancelled():
            total.add(future.result())
    return total, complete


def count_scenarios(paths: Sequence[Path], tally: Tally) -> None:
    """Run the scenarios of files, and count what they run."""
    from regelwerk.interpreter.loading import check_path
    from regelwerk.interpreter.scenarios import run_scenarios

    for path in paths:
        checked = check_path(path)
        if checked.game is None:
            raise CommandFailure(f"{path.name} has errors; `regelwerk check {path}` shows them")
        coverage = probed(checked.game, checked.sources)
        for result in run_scenarios(checked, coverage=coverage):
            tally.scenarios += 1
            if not result.passed:
                tally.failed.append(result.name)
        tally.coverage.add(coverage)


__all__ = ["Options", "Plan", "Player", "Tally", "count_scenarios", "countable_values", "pieces", "play", "varied"]
