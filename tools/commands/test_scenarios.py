"""`regelwerk test`: runs the scenarios of rules files, and random games under their invariants."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from regelwerk.tools.arguments import (
    FINDINGS,
    OK,
    UsageFailure,
    add_backend,
    add_file,
    at_least_one,
    rules_path,
)
from regelwerk.tools.fault_reports import FaultNote, again_line, diagnostic_of
from regelwerk.tools.findings import place_of, print_findings

if TYPE_CHECKING:
    from regelwerk.interpreter.backends import Backend
    from regelwerk.interpreter.loading import Checked
    from regelwerk.interpreter.scenarios import ScenarioResult

CODE = "E1000"
"""The code of a scenario that fails."""


SHOWN = 3
"""How many random games that fail are shown, for each number of players."""


class Tally:
    """How many tests passed and failed."""

    def __init__(self) -> None:
        self.passed = 0
        self.failed = 0

    def add(self, passed: bool) -> None:
        """Count one."""
        self.passed += passed
        self.failed += not passed


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "test",
        help="run the scenarios and invariants of rules files",
        description="Run the scenarios of rules files, and of the files x_scenarios.rules beside x.rules. Also play "
        "random games, with the invariants tested after every decision: for each number of players that is one test.",
    )
    add_file(parser, several=True)
    parser.add_argument("--only", metavar="NAME", help="run this scenario alone, and no random games")
    games = parser.add_mutually_exclusive_group()
    games.add_argument(
        "--games", metavar="N", type=int, default=20, help="random games for each number of players (default: 20)"
    )
    games.add_argument("--no-games", action="store_true", help="play no random games")
    parser.add_argument("--seed", metavar="S", type=int, default=0, help="the seed of the random games (default: 0)")
    add_backend(parser)


def run(args: argparse.Namespace) -> int:
    """Run the tests of the files; 1 if any fails or a file has errors."""
    if not args.no_games:
        at_least_one("--games", args.games)
    from regelwerk.interpreter.layers import scenario_files
    from regelwerk.interpreter.loading import check_path

    paths = [rules_path(name) for name in args.files]
    tally, found = Tally(), 0
    for name, path in zip(args.files, paths, strict=True):
        count = 0
        for part in [path, *scenario_files(path)]:
            checked = check_path(part)
            if checked.game is None:
                print_findings([each for each in checked.diagnostics if each.severity == "error"], checked.sources)
                print(f"{part.name} has errors and cannot be tested")
                tally.add(False)
                continue
            count += run_file(checked, name, args.only, tally, args.backend)
            if part == path and args.only is None and not args.no_games:
                play_random_games(checked, name, path, args.games, args.seed, tally, args.backend)
            if part == path and args.only is None:
                show_differences(checked)
        if not count and args.only is None and not tally.failed:
            print(f"{path.name} has no scenarios")
        found += count
    if args.only is not None and not found and not tally.failed:
        raise UsageFailure(f"there is no scenario `{args.only}` in {', '.join(path.name for path in paths)}")
    print(f"{tally.passed} passed, {tally.failed} failed")
    return FINDINGS if tally.failed else OK


def run_file(checked: Checked, name: str, only: str | None, tally: Tally, backend: Backend = "auto") -> int:
    """Run the scenarios of a file, and show those that fail; gives how many there were."""
    from regelwerk.interpreter.scenarios import run_scenarios

    count = 0
    for result in run_scenarios(checked, only, backend):
        count += 1
        tally.add(result.passed)
        if result.reference_only:
            print(f"{result.name}: {result.reference_only}", file=sys.stderr)
        if not result.passed:
            show_failure(checked, name, result)
    return count


def show_failure(checked: Checked, name: str, result: ScenarioResult) -> None:
    """A failed scenario: where, what was stated, what was seen instead. `name` is FILE as given."""
    from regelwerk.dsl.diagnostics import Diagnostic

    title = f' "{result.title}"' if result.title else ""
    message = f"scenario {result.name}{title}: {result.message}"
    after = list(result.detail)
    if result.fault is not None:
        after += [f"in {result.fault.rule}"] if result.fault.rule else []
        after.append(again_line(shlex.join(["regelwerk", "test", name, "--only", result.name])))
    print_findings([Diagnostic(CODE, "error", message, result.span)], checked.sources, after)


def show_differences(checked: Checked) -> None:
    """Which scenarios of its base a variant changes. None of them counts: they are about the base."""
    from regelwerk.interpreter.scenario_differences import differences

    found = list(differences(checked))
    different = [each for each in found if not each.same]
    if not found or checked.game is None:
        return
    if not different:
        print(f"all {len(found)} scenarios of what {checked.game.name} builds on come out the same")
        return
    print(f"{len(different)} of {len(found)} scenarios of what {checked.game.name} builds on are different:")
    for each in different:
        title = f' "{each.title}"' if each.title else ""
        what = f"{each.message}{''.join(f'; {line}' for line in each.detail)}"
        print(f"  {each.name}{title}, {each.place}: {'' if each.compiles else 'no longer compiles: '}{what}")
    print()


def play_random_games(
    checked: Checked, name: str, path: Path, games: int, seed: int, tally: Tally, backend: Backend = "auto"
) -> None:
    """Random games for each number of players, with the invariants tested after every decision."""
    from regelwerk.dsl.diagnostics import RulesError
    from regelwerk.interpreter.api import Game
    from regelwerk.tools.simulation import Settings, play_game

    assert checked.game is not None
    game = Game(checked.game, checked.diagnostics, checked.sources, backend)
    drawn: set[FaultNote] = set()
    for players in game.players:
        settings = Settings(name, path, game.hash, players, seed, (), ("random",) * players, True, backend=backend)
        failures: list[tuple[str, str]] = []
        faults: list[FaultNote] = []
        for number in range(1, games + 1):
            try:
                record = play_game(game, settings, number)
            except RulesError as error:
                print_findings(error.diagnostics, error.sources)
                failures.append((f"a game of {players} players cannot be set up", settings.command(number)))
                break
            wrong = [f"invariant `{each}` does not hold after {after} decisions" for each, after in record.violated]
            if record.fault is not None:
                faults.append(record.fault)
                place = place_of(record.fault.span, checked.sources)
                at = f" at {place}" if place else ""
                by = f" by {record.fault.rule}" if record.fault.rule else ""
                wrong.append(
                    f"stopped{by} after {record.decisions} decisions: {record.fault.message} "
                    f"(fault `{record.fault.code}`){at}"
                )
            if wrong:
                failures.append((f"game {number} (seed {record.seed}): {'; '.join(wrong)}", settings.command(number)))
        tally.add(not failures)
        for note in dict.fromkeys(faults[:SHOWN]):
            if note not in drawn:
                drawn.add(note)
                print_findings([diagnostic_of(note)], checked.sources, [f"in {note.rule}"] if note.rule else [])
        _say_failures(f"random games of {players} players", failures)


def _say_failures(what: str, failures: Sequence[tuple[str, str]]) -> None:
    if not failures:
        return
    print(f"{what}:")
    for text, command in failures[:SHOWN]:
        print(f"  {text}")
        print(f"    {again_line(command)}")
    if len(failures) > SHOWN:
        print(f"  and {len(failures) - SHOWN} more games")
    print()


__all__ = ["add_parser", "run"]
