"""`regelwerk simulate`: bots play many games; the report says who wins, with what, how long and how."""

from __future__ import annotations

import argparse
import os
import sys
import time
from typing import TYPE_CHECKING

from regelwerk.tools.arguments import (
    FINDINGS,
    OK,
    UsageFailure,
    add_backend,
    add_bots,
    add_file,
    add_set_up,
    at_least_one,
    load,
    options_of,
    players_of,
    rules_path,
)
from regelwerk.tools.output_files import output_file
from regelwerk.tools.progress import progress

if TYPE_CHECKING:
    from regelwerk.tools.figures import GameRecord

WORTH_A_PROCESS = 50
"""Games for which, without --jobs, one more process is started."""

WORTH_WITH_MODULE = 20_000
"""The same where the compiled module plays by itself."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "simulate",
        help="let bots play many games, and report the figures",
        description="Let bots play many games. The same seed gives the same figures, whatever --jobs says.",
    )
    add_file(parser)
    parser.add_argument("--games", metavar="N", type=int, required=True, help="how many games")
    add_set_up(parser)
    add_bots(parser)
    parser.add_argument("--json", metavar="PATH", help="write all figures to a file, too (-: to stdout, and no report)")
    parser.add_argument(
        "--check-invariants",
        action="store_true",
        help="test the invariants after every decision (slow), not only at the end of each game",
    )
    add_backend(parser)
    parser.add_argument("--first", metavar="I", type=int, default=1, help="the number of the first game (default: 1)")


def run(args: argparse.Namespace) -> int:
    """Simulate; 1 if a game was stopped by a fault or an invariant did not hold."""
    for name in ("games", "first", "max_decisions"):
        at_least_one(f"--{name.replace('_', '-')}", getattr(args, name))
    if args.jobs is not None:
        at_least_one("--jobs", args.jobs)
    path = rules_path(args.file)
    game = load(path, args.backend)
    from regelwerk.interpreter.backends import why_not_compiled
    from regelwerk.tools.figures import gather
    from regelwerk.tools.simulation import Settings, module_for, play_games, program_of
    from regelwerk.tools.simulation_report import as_json, print_report

    players = players_of(game, args.players)
    options = options_of(game, players, args.option)
    settings = Settings(
        file=args.file,
        path=path,
        hash=game.hash,
        players=players,
        seed=args.seed,
        options=tuple(sorted(options.items())),
        bots=bots_of(args.bots, players),
        every_decision=args.check_invariants,
        longest=args.max_decisions,
        backend=args.backend,
    )
    game.set_up(players, options)
    module = module_for(game, settings, now=args.games >= WORTH_A_PROCESS)
    jobs = min(args.jobs or jobs_for(args.games, WORTH_A_PROCESS if module is None else WORTH_WITH_MODULE), args.games)
    with output_file("--json", args.json) as write:
        begun = time.perf_counter()
        with progress("games", args.games) as played:
            records = list(play_games(game, settings, args.first, args.games, jobs, played))
        _say_speed(records, time.perf_counter() - begun)
        why = why_not_compiled(program_of(game, settings)) if args.backend == "auto" else None
        if why is not None:
            print(why, file=sys.stderr)
        figures = gather(records, players, game.checked.cap is not None)
        if args.json is not None:
            write(as_json(game, settings, args.first, figures))
        if args.json != "-":
            print_report(game, settings, args.first, figures)
    return FINDINGS if figures.records_at_fault or figures.violated else OK


def bots_of(text: str, players: int) -> tuple[str, ...]:
    """The kind of bot of each seat; `UsageFailure` if that is none."""
    from regelwerk.tools.bots import KINDS

    kinds = tuple(each.strip() for each in text.split(","))
    for kind in kinds:
        if kind not in KINDS:
            raise UsageFailure(f"`--bots {text}`: there is no bot `{kind}` (there are: {', '.join(KINDS)})")
    if len(kinds) == 1:
        return kinds * players
    if len(kinds) != players:
        raise UsageFailure(f"`--bots {text}`: that is {len(kinds)} bots for {players} players")
    return kinds


def jobs_for(games: int, worth: int) -> int:
    """How many processes games are worth, one for each `worth` of them."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(cores, games // worth))


def _say_speed(records: list[GameRecord], seconds: float) -> None:
    decisions = sum(each.decisions for each in records)
    rate = decisions / seconds if seconds > 0 else 0
    print(f"{decisions} decisions in {seconds:.1f} s: {rate:.0f} decisions per second", file=sys.stderr)


__all__ = ["add_parser", "bots_of", "jobs_for", "run"]
