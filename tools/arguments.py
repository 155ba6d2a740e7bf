"""What the subcommands share: FILE arguments, options of games, and failures with an exit code."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from regelwerk.dsl.diagnostics import Diagnostic
    from regelwerk.dsl.source import Source
    from regelwerk.interpreter.api import Game
    from regelwerk.interpreter.backends import Backend

OK, FINDINGS, USAGE, INTERNAL = range(4)
"""The exit codes."""


class CommandFailure(Exception):
    """Ends a command: what to print on stderr, and the exit code."""

    def __init__(self, message: str, code: int = FINDINGS) -> None:
        super().__init__(message)
        self.message = message
        self.code = code


class FindingsFailure(CommandFailure):
    """Findings, or a fault, end a command: they are drawn with `after` below each, then comes the message, if any."""

    def __init__(
        self,
        diagnostics: Sequence[Diagnostic],
        sources: Mapping[str, Source],
        message: str = "",
        after: Sequence[str] = (),
    ) -> None:
        super().__init__(message)
        self.diagnostics = diagnostics
        self.sources = sources
        self.after = after


class UsageFailure(CommandFailure):
    """The command line asks for something that cannot be."""

    def __init__(self, message: str) -> None:
        super().__init__(message, USAGE)


def add_file(parser: argparse.ArgumentParser, several: bool = False) -> None:
    """The argument FILE, or FILE..."""
    text = "a rules file, a game that `export` wrote, or the name of one that comes with regelwerk"
    if several:
        parser.add_argument("files", metavar="FILE", nargs="+", help=text)
    else:
        parser.add_argument("file", metavar="FILE", help=text)


def add_set_up(parser: argparse.ArgumentParser) -> None:
    """The arguments that set up a game: --players, --seed, --option."""
    parser.add_argument("--players", metavar="N", type=int, help="how many play (default: the fewest)")
    add_chances(parser)


def add_chances(parser: argparse.ArgumentParser) -> None:
    """The arguments that set up a game whoever plays it: --seed, --option."""
    parser.add_argument(
        "--seed", metavar="S", type=int, default=0, help="any whole number; names the chances (default: 0)"
    )
    parser.add_argument(
        "--option", metavar="K=V", action="append", default=[], help="set an option of the game; may be repeated"
    )


def add_bots(parser: argparse.ArgumentParser) -> None:
    """The arguments of games between bots: --bots, --jobs, --max-decisions."""
    parser.add_argument(
        "--bots",
        metavar="KINDS",
        default="random",
        help="random, greedy, or one for each seat with commas between (default: random)",
    )
    parser.add_argument("--jobs", metavar="J", type=int, help="how many processes (default: what the machine has)")
    parser.add_argument(
        "--max-decisions", metavar="N", type=int, default=20_000, help="when to give up a game (default: 20000)"
    )


def add_backend(parser: argparse.ArgumentParser) -> None:
    """The argument --backend."""
    parser.add_argument(
        "--backend",
        choices=("auto", "reference", "wasm"),
        default="auto",
        help="what runs the game: the reference interpreter, the compiled module (wasm), or what is faster (default: "
        "auto)",
    )


def rules_path(name: str) -> Path:
    """The file that FILE means; `UsageFailure` if there is none."""
    from regelwerk.interpreter.loading import find_file, shipped_games

    path = find_file(name)
    if path.is_dir():
        raise UsageFailure(f"`{name}` is a folder, not a rules file")
    if path.exists():
        return path
    from regelwerk.dsl.diagnostics import nearest

    games = shipped_games()
    near = nearest(name, games) or nearest(Path(name).stem, games)
    hint = f"; did you mean `{near}`?" if near else ""
    shipped = f"games that come with regelwerk: {', '.join(games)}" if games else "no games come with this regelwerk"
    raise UsageFailure(f"`{name}` is neither a file nor the name of a game{hint}\n{shipped}")


def load(name: str | Path, backend: Backend = "auto") -> Game:
    """The game that FILE means; its errors end the command with code 1."""
    from regelwerk.dsl.diagnostics import RulesError
    from regelwerk.interpreter.api import load as load_rules

    path = rules_path(name) if isinstance(name, str) else name
    try:
        return load_rules(path, backend)
    except RulesError as error:
        raise FindingsFailure(error.diagnostics, error.sources, f"{path.name} has errors and cannot be used") from error


def options_of(game: Game, players: int, pairs: Sequence[str]) -> dict[str, str]:
    """The options from `k=v` arguments; `UsageFailure` for what the game does not have."""
    from regelwerk.dsl.diagnostics import nearest
    from regelwerk.interpreter.api import UsageError

    known = [symbol.name for symbol in game.checked.options]
    found: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name or not value:
            raise UsageFailure(f"`--option {pair}`: write it as NAME=VALUE")
        if name not in known:
            near = nearest(name, known)
            hint = f"; did you mean `{near}`?" if near else ""
            raise UsageFailure(f"{game.title} has no option `{name}`{hint} (it has: {', '.join(known) or 'none'})")
        if name in found:
            raise UsageFailure(f"option `{name}` is given twice")
        try:
            game.option_value(name, value, game.seats[:players])
        except UsageError as error:
            raise UsageFailure(str(error)) from error
        found[name] = value
    return found


def players_of(game: Game, asked: int | None) -> int:
    """How many play; `UsageFailure` if the game is not for so many."""
    if asked is None:
        return game.players[0]
    if asked not in game.players:
        first, last = game.players[0], game.players[-1]
        numbers = f"{first}" if first == last else f"{first} to {last}"
        raise UsageFailure(f"{game.title} is for {numbers} players, not for {asked}")
    return asked


def at_least_one(name: str, value: int) -> int:
    """`value`, or `UsageFailure` if it is less than 1."""
    if value < 1:
        raise UsageFailure(f"`{name} {value}`: it must be 1 or more")
    return value
