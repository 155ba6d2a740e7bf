"""`regelwerk replay`: shows a recorded game again, decision by decision, or checks that it still fits."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from regelwerk.tools.arguments import OK, CommandFailure, FindingsFailure, UsageFailure, add_backend, load
from regelwerk.tools.fault_reports import diagnostic_of, where_lines
from regelwerk.tools.findings import shown_path
from regelwerk.tools.reporting import print_outcome, print_table

if TYPE_CHECKING:
    from regelwerk.interpreter.api import Game, State
    from regelwerk.interpreter.replays import Replay, ReplayError


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "replay",
        help="show a recorded game again, or check that it still fits",
        description="Show a recorded game again. Nature's answers are read from the record, never drawn anew.",
    )
    parser.add_argument("path", metavar="PATH", help="a file that `regelwerk play --record` wrote")
    parser.add_argument("--rules", metavar="FILE", help="the rules (default: the game of that name that is shipped)")
    parser.add_argument(
        "--at", metavar="N", type=int, help="stop after N decisions and show the position (0: the start)"
    )
    parser.add_argument("--check", action="store_true", help="only say whether the record still fits the rules")
    add_backend(parser)


def run(args: argparse.Namespace) -> int:
    """Replay; 1 if the record no longer fits the rules."""
    if args.at is not None and args.at < 0:
        raise UsageFailure(f"`--at {args.at}`: it must be 0 or more")
    replay = read(args.path)
    total = sum(entry[0] != "~" for entry in replay.entries)
    if args.at is not None and args.at > total:
        raise UsageFailure(f"`--at {args.at}`: the record has {total} decisions")
    game = find_game(replay, args.rules)
    game.backend = args.backend
    from regelwerk.interpreter.replays import ReplayError

    try:
        state = replay.run(game) if args.check else _show(replay, game, args.at)
    except ReplayError as error:
        raise CommandFailure("\n".join([str(error), *_places(error, game)])) from error
    if state.fault is not None:
        again = ["regelwerk", "replay", args.path, *(["--rules", args.rules] if args.rules is not None else [])]
        after = where_lines(state.fault, shlex.join(again))
        raise FindingsFailure([diagnostic_of(state.fault)], game.sources, after=after)
    if args.check:
        changed = "" if replay.hash == game.hash else " (the rules have changed since, but not for this game)"
        how = "a whole game" if state.outcome is not None else "a game that is not over"
        print(f"{Path(args.path).name} fits {game.title}: {total} decisions, {how}{changed}")
    elif args.at is not None:
        _show_position(state)
    elif state.outcome is not None:
        print()
        print_outcome(state.outcome)
    else:
        print("\nThe record ends before the game is over.")
    return OK


def _places(error: ReplayError, game: Game) -> list[str]:
    """The places of the clauses that an entry does not fit."""
    from regelwerk.dsl.diagnostics import excerpt

    if error.misfit is None:
        return []
    places = [(each.span, each.address) for each in error.misfit.reasons] or [(error.misfit.span, error.misfit.rule)]
    return [line for span, rule in places if span is not None for line in excerpt(span, rule, game.sources, shown_path)]


def read(path: str) -> Replay:
    """The replay in a file; `UsageFailure` if it cannot be read."""
    from regelwerk.interpreter.replays import Replay, ReplayError

    try:
        text = Path(path).read_bytes().decode("utf-8")
    except OSError as error:
        raise UsageFailure(f"`{path}` cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise UsageFailure(f"`{path}` is no replay: it is not text in UTF-8") from error
    try:
        return Replay.parse(text)
    except ReplayError as error:
        raise UsageFailure(f"`{path}` cannot be read: {error}") from error


def find_game(replay: Replay, rules: str | None) -> Game:
    """The game that was recorded."""
    from regelwerk.interpreter.loading import shipped_games

    if rules is not None:
        return load(rules)
    games = shipped_games()
    if replay.game not in games:
        known = ", ".join(games) or "none"
        raise UsageFailure(
            f"this is a game of `{replay.game}`, which does not come with regelwerk (there are: {known}); "
            "name its rules with --rules FILE"
        )
    return load(games[replay.game])


def _show(replay: Replay, game: Game, at: int | None) -> State:
    options = "".join(f", {name} = {value}" for name, value in replay.options)
    print(f"{game.title}: {', '.join(replay.seats)}; seed {replay.seed}{options}")
    if replay.hash != game.hash:
        print("The rules have changed since this was recorded.")
    print()
    seen, state = 0, None
    actors = [entry[0] for entry in replay.entries if entry[0] != "~"]
    for words, state, events in replay.walk(game):
        if words:
            print(f"{seen + 1:>4}  {actors[seen]}: {words}")
            seen += 1
        for event in events:
            if event.text:
                print(f"      - {event.text}")
        if at is not None and seen == at and state.status != "chance":
            break
    assert state is not None
    return state


def _show_position(state: State) -> None:
    """Where the game stands: counters of each player, and what is to be decided."""
    print()
    view = state.view(None)
    holders = [*state.seats, "bank"]
    counters = list(dict.fromkeys(each.printed for each in view.counts))
    if counters:
        known = {(each.printed, each.holder): str(each.count) for each in view.counts}
        rows = [[holder, *(known.get((name, holder), "") for name in counters)] for holder in holders]
        print_table("Position", ["player", *counters], [row for row in rows if any(row[1:])])
    decision = state.decision
    if decision is not None:
        print(f"{decision.actor}: {decision.text}")
        for option in decision.options:
            cost = f" (costs {option.cost})" if option.cost else ""
            print(f"  {option.index + 1:>3}. {option.text}{cost}")
    elif state.outcome is not None:
        print_outcome(state.outcome)


__all__ = ["add_parser", "find_game", "read", "run"]
