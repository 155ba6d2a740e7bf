"""`regelwerk cover`: bots play games; the report says what of the rules ran, and what never did."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from regelwerk.tools.arguments import (
    FINDINGS,
    OK,
    UsageFailure,
    add_bots,
    add_chances,
    add_file,
    at_least_one,
    load,
    options_of,
    players_of,
    rules_path,
)
from regelwerk.tools.commands.simulate import bots_of, jobs_for
from regelwerk.tools.output_files import output_file
from regelwerk.tools.progress import progress

if TYPE_CHECKING:
    from regelwerk.interpreter.api import Game

INTERRUPTED = 130

WORTH_A_PROCESS = 10
"""Games for which, without --jobs, one more process is started."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "cover",
        help="say what of the rules ran in games, and what never did",
        description="Let bots play games, and report which actions, cells, rules, branches and conditions ran. The "
        "same seed gives the same figures, whatever --jobs says. Ctrl-C reports what has been counted so far.",
    )
    add_file(parser)
    parser.add_argument("--games", metavar="N", type=int, default=100, help="how many games (default: 100; 0: none)")
    parser.add_argument(
        "--players", metavar="N", default="all", help="how many play, or `all`: games take turns (default: all)"
    )
    add_chances(parser)
    parser.add_argument(
        "--vary-options",
        action="store_true",
        help="games take turns with the options as they are, and each with each of its other values",
    )
    parser.add_argument("--scenarios", action="store_true", help="count what the scenarios of FILE run, too")
    add_bots(parser)
    parser.add_argument("-o", "--output", metavar="FILE", help="write the rules with their counts to an HTML file, too")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="form of the report (default: text)")
    parser.add_argument("--all", action="store_true", help="list all that never ran, however much it is")
    parser.add_argument(
        "--fail-under", metavar="PERCENT", type=float, help="exit with 1 if less than this part of the places ran"
    )


def run(args: argparse.Namespace) -> int:
    """Play and count; 1 if less ran than is wanted, a game was stopped by a fault or a scenario failed."""
    if args.games < 0:
        raise UsageFailure(f"`--games {args.games}`: it must be 0 or more")
    at_least_one("--max-decisions", args.max_decisions)
    if args.jobs is not None:
        at_least_one("--jobs", args.jobs)
    if args.fail_under is not None and not 0 <= args.fail_under <= 100:
        raise UsageFailure(f"`--fail-under {args.fail_under:g}`: it must be from 0 to 100")
    if not args.games and not args.scenarios:
        raise UsageFailure("with `--games 0` there is nothing to count, unless `--scenarios` is said")
    path = rules_path(args.file)
    game = load(path, "reference")
    from regelwerk.interpreter.layers import scenario_files
    from regelwerk.interpreter.probing import probed
    from regelwerk.tools.coverage.playing import Plan, Tally, count_scenarios, play, varied
    from regelwerk.tools.coverage.reading import read

    players = _players(game, args.players)
    options = tuple(sorted(options_of(game, min(players), args.option).items()))
    plan = Plan(
        file=args.file,
        path=path,
        hash=game.hash,
        games=args.games,
        players=players,
        seed=args.seed,
        options=varied(game, options) if args.vary_options else (options,),
        bots=tuple(dict.fromkeys(each for n in players for each in bots_of(args.bots, n)))
        if "," not in args.bots
        else bots_of(args.bots, players[0]),
        longest=args.max_decisions,
    )
    if "," in args.bots and len(players) > 1:
        raise UsageFailure(f"`--bots {args.bots}` is for one number of players; say which with --players")
    with output_file("--output", args.output) as write:
        complete = True
        if args.games:
            jobs = min(args.jobs or jobs_for(args.games, WORTH_A_PROCESS), args.games)
            with progress("games", args.games) as played:
                tally, complete = play(game, plan, jobs, played)
        else:
            game.coverage = probed(game.checked, game.sources)
            tally = Tally(game.coverage)
        if args.scenarios and complete:
            count_scenarios([path, *scenario_files(path)], tally)
        reading = read(game, tally)
        if args.output is not None:
            from regelwerk.tools.coverage.html import page

            write(page(game, plan, tally, reading))
    if args.format == "json":
        from regelwerk.tools.coverage.summary import as_data

        print(json.dumps(as_data(game, plan, tally, reading, complete), ensure_ascii=False, indent=2))
    elif args.output != "-":
        from regelwerk.tools.coverage.summary import print_summary

        print_summary(game, plan, tally, reading, args.all)
    if not complete:
        print(f"regelwerk: interrupted after {tally.games} of {args.games} games", file=sys.stderr)
        return INTERRUPTED
    return _verdict(args, reading.total.percent, bool(tally.faults or tally.failed))


def _verdict(args: argparse.Namespace, percent: float, stopped: bool) -> int:
    if args.fail_under is not None and percent < args.fail_under:
        print(f"regelwerk: {percent:.2f} % ran, less than {args.fail_under:g} %", file=sys.stderr)
        return FINDINGS
    return FINDINGS if stopped else OK


def _players(game: Game, text: str) -> tuple[int, ...]:
    if text == "all":
        return tuple(game.players)
    try:
        return (players_of(game, int(text)),)
    except ValueError:
        raise UsageFailure(f"`--players {text}`: it must be a number, or `all`") from None


__all__ = ["add_parser", "run"]
