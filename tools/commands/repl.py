"""`regelwerk repl`: ask a game, step by step, and turn it back."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from regelwerk.tools.arguments import (
    FINDINGS,
    OK,
    FindingsFailure,
    UsageFailure,
    add_file,
    add_set_up,
    options_of,
    players_of,
    rules_path,
)
from regelwerk.tools.positions import add_at, position

if TYPE_CHECKING:
    from collections.abc import Callable

    from regelwerk.interpreter.api import Game, State
    from regelwerk.interpreter.loading import Checked
    from regelwerk.tools.repl.session import Repl

DESCRIPTION = """\
Ask a game: what is legal and why, what expressions come to, what happens after an answer; and turn it back. `help`
lists the commands. Read from a pipe there is no prompt, and the exit code is 1 if a command failed.
"""

EPILOG = """\
examples:
  regelwerk repl mygame.rules --players 3 --seed 7
  regelwerk repl mygame.rules --replay game.replay --at 12
  echo 'eval me.coins' | regelwerk repl mygame.rules
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "repl",
        help="ask a game step by step, and turn it back",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_file(parser)
    add_set_up(parser)
    parser.add_argument("--replay", metavar="REPLAY", help="begin in this record instead of a new game")
    add_at(parser)


def run(args: argparse.Namespace) -> int:
    """Ask until there are no more questions."""
    if args.replay is not None and (args.players is not None or args.option or args.seed):
        raise UsageFailure(
            "`--replay` says who plays, with which options and seed: leave out --players, --option, --seed"
        )
    if args.replay is None and args.at is not None:
        raise UsageFailure("`--at` needs a record: `--replay REPLAY`")
    checked, game = _load(args.file)
    state = _begin(args, game)
    from regelwerk.interpreter.explaining.evaluating import Evaluator
    from regelwerk.tools.commands.play import make_console
    from regelwerk.tools.commands.why import has_marks
    from regelwerk.tools.repl.listing import headline
    from regelwerk.tools.repl.session import Repl

    typed = sys.stdin.isatty()
    repl = Repl(state, Evaluator(checked, game), make_console(False), has_marks())
    if typed:
        repl.say(f"{game.title}: {', '.join(state.seats)}; {headline(state)}. `help` lists the commands.", "dim")
    repl.run(_ask(repl, typed))
    return FINDINGS if repl.failures and not typed else OK


def _load(name: str) -> tuple[Checked, Game]:
    """The checked file, with what is needed to check expressions, and its game."""
    from regelwerk.interpreter.api import Game
    from regelwerk.interpreter.loading import check_path

    path = rules_path(name)
    checked = check_path(path, False)
    if checked.game is None or checked.checker is None:
        errors = [each for each in checked.diagnostics if each.severity == "error"]
        raise FindingsFailure(errors, checked.sources, f"{path.name} has errors, or is no game, and cannot be used")
    return checked, Game(checked.game, checked.diagnostics, checked.sources, "reference")


def _begin(args: argparse.Namespace, game: Game) -> State:
    if args.replay is not None:
        from regelwerk.tools.commands.replay import read

        return position(game, read(args.replay), args.at)
    players = players_of(game, args.players)
    return game.new(players, args.seed, options_of(game, players, args.option))


def _ask(repl: Repl, typed: bool) -> Callable[[], str]:
    """Reads a line: from the keyboard with editing and completion, else without a sound."""
    if typed:
        from regelwerk.tools.repl.completion import install

        install(repl.candidates)
        return lambda: input(repl.prompt)

    def ask() -> str:
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line

    return ask


__all__ = ["add_parser", "run"]
