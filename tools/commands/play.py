"""`regelwerk play`: a game in the terminal, for people and bots."""

from __future__ import annotations

import argparse
import contextlib
import os
import shlex
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from regelwerk.tools.arguments import (
    FINDINGS,
    OK,
    CommandFailure,
    FindingsFailure,
    UsageFailure,
    add_backend,
    add_file,
    add_set_up,
    load,
    options_of,
    players_of,
    rules_path,
)
from regelwerk.tools.colour import coloured
from regelwerk.tools.fault_reports import diagnostic_of, where_lines

if TYPE_CHECKING:
    from rich.console import Console

    from regelwerk.interpreter.api import Fault, Game, State

PIPE_WIDTH = 100
"""How wide the output is where there is no terminal that says so."""

DESCRIPTION = """\
Play a game in the terminal. Seat 1 is yours and bots have the others; without a keyboard (a pipe) bots play all.
Several people share the keyboard: the screen is cleared before it goes to the next.
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand `play`."""
    parser = subparsers.add_parser(
        "play",
        help="play a game in the terminal, against people and bots",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_file(parser)
    add_set_up(parser)
    parser.add_argument(
        "--seat",
        metavar="K=WHO",
        action="append",
        default=[],
        help="who plays seat K (a number, a name, or `all`): human, random or greedy; may be repeated",
    )
    parser.add_argument(
        "--record",
        metavar="PATH",
        help="write the game to a file: as a scenario if its name ends in `.rules`, else as a replay",
    )
    parser.add_argument("--delay", metavar="SECONDS", type=float, default=0.0, help="wait after each decision of a bot")
    parser.add_argument("--ask-forced", action="store_true", help="ask people too where there is one option only")
    parser.add_argument(
        "--watch",
        action="store_true",
        help="when the rules change, play the game again on the new ones and go on; with errors the old ones stay",
    )
    add_backend(parser)
    parser.add_argument("--plain", action="store_true", help="no colour")


def seats_of(seats: Sequence[str], pairs: Sequence[str], default: Sequence[str]) -> list[str]:
    """Who plays each seat: `human` or a kind of bot. `UsageFailure` for what cannot be."""
    from regelwerk.tools.bots import KINDS

    found = list(default)
    named = {name.casefold(): number for number, name in enumerate(seats)}
    for pair in sorted(pairs, key=lambda p: not p.startswith("all=")):
        name, equals, who = pair.partition("=")
        if not equals or not name or not who:
            raise UsageFailure(f"`--seat {pair}`: write it as SEAT=WHO, for example `--seat 2=random`")
        if who not in ("human", *KINDS):
            raise UsageFailure(f"`--seat {pair}`: `{who}` cannot play (who can: {', '.join(('human', *KINDS))})")
        if name == "all":
            found = [who] * len(seats)
        elif name.casefold() in named:
            found[named[name.casefold()]] = who
        elif name.isdecimal() and 1 <= int(name) <= len(seats):
            found[int(name) - 1] = who
        else:
            raise UsageFailure(
                f"`--seat {pair}`: there is no seat `{name}` (seats: 1 to {len(seats)}, or {', '.join(seats)})"
            )
    return found


def make_console(plain: bool) -> Console:
    """A console for stdout: with colour on a terminal, plain text elsewhere."""
    from rich.console import Console

    if plain or not coloured(sys.stdout):
        terminal = sys.stdout.isatty()
        width = (
            shutil.get_terminal_size((PIPE_WIDTH, 24)).columns if terminal or "COLUMNS" in os.environ else PIPE_WIDTH
        )
        return Console(
            file=sys.stdout,
            width=max(40, width),
            color_system=None,
            force_terminal=False,
            highlight=False,
            markup=False,
            emoji=False,
        )
    return Console(file=sys.stdout, force_terminal=True, no_color=False, highlight=False, markup=False, emoji=False)


def make_ask(console: Console) -> Callable[[str], str]:
    """Reads a line: from a terminal with its editing, else from stdin, whose lines are then shown too."""
    if sys.stdin.isatty() and console.file.isatty():
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401 - editing and history come with its import
        return input

    def ask(prompt: str) -> str:
        console.print(prompt, end="")
        line = sys.stdin.readline()
        if not line:
            console.print()
            raise EOFError
        console.print(line.rstrip("\r\n"))
        return line

    return ask


def run(args: argparse.Namespace) -> int:
    """Play a game; gives the exit code."""
    game = load(args.file, args.backend)
    players = players_of(game, args.players)
    options = options_of(game, players, args.option)
    seats = game.seats[:players]
    default = ["human", *["random"] * (players - 1)] if sys.stdin.isatty() else ["random"] * players
    who = seats_of(seats, args.seat, default)
    if not 0 <= args.delay <= 60:
        raise UsageFailure(f"`--delay {args.delay}`: it must be from 0 to 60 seconds")
    record = Path(args.record) if args.record else None
    if record is not None and record.suffix == ".rules" and record.resolve() == rules_path(args.file).resolve():
        raise UsageFailure(f"`--record {record}`: these are the rules themselves")
    if record is not None and (record.is_dir() or not record.absolute().parent.is_dir()):
        raise UsageFailure(f"`--record {record}`: no file can be written there")
    return _play(game, args, options, dict(zip(seats, who, strict=True)), record)


def _play(
    game: Game, args: argparse.Namespace, options: Mapping[str, str], who: Mapping[str, str], record: Path | None
) -> int:
    from regelwerk.interpreter.api import Fault
    from regelwerk.tools.bots import make_bot
    from regelwerk.tools.terminal.session import EndOfInput, Quit, Session

    console = make_console(args.plain)
    try:
        state = game.new(len(who), args.seed, options)
    except Fault as fault:
        raise _stopped(game, args, who, fault, None, None) from fault
    bots = {
        seat: make_bot(kind, args.seed, number) for number, (seat, kind) in enumerate(who.items(), 1) if kind != "human"
    }
    ask = make_ask(console)
    following = None
    if args.watch:
        from regelwerk.tools.terminal.following import Following

        following = Following(rules_path(args.file), game)
    session = Session(state, bots, console, ask, args.delay, args.ask_forced, following)
    try:
        session.run()
    except Quit:
        if record is None:
            record = _offer_record(ask)
        console.print("You have left the game.")
        return OK
    except EndOfInput:
        console.print("The input has ended, and with it the game.")
        return FINDINGS
    except Fault as fault:
        raise _stopped(game, args, who, fault, session.state, record) from fault
    finally:
        if record is not None:
            _write_record(record, session.state, console, args.file)
    return OK


def _offer_record(ask: Callable[[str], str]) -> Path | None:
    """Where a player who leaves wants the record of the game, if anywhere."""
    try:
        answer = ask("Keep a record of the game? A path, or Enter for no: ").strip()
    except (EOFError, KeyboardInterrupt):
        return None
    return Path(answer) if answer else None


def _write_record(path: Path, state: State, console: Any, file: str) -> None:
    from regelwerk.tools.terminal.session import write_atomically

    told = ""
    path = _record_path(path, state)
    if path.suffix == ".rules":
        text, told = _scenario(path, state, file)
    else:
        text = state.replay().text()
    try:
        write_atomically(path, text.encode())
    except OSError as error:
        raise CommandFailure(f"the record cannot be written to {path}: {error.strerror}") from error
    console.print(f"The record is in {path}.{told}")


def _record_path(path: Path, state: State | None) -> Path:
    """Where the record goes: a game that a fault stopped is no scenario."""
    stopped = state is not None and state.fault is not None
    return path.with_suffix(".replay") if stopped and path.suffix == ".rules" else path


def _scenario(path: Path, state: State, file: str) -> tuple[str, str]:
    """A game as a scenario, and what is to be said of it."""
    from regelwerk.tools.recording import NotRecordable, record

    name = "".join(c if c.isalnum() or c == "_" else "_" for c in path.stem)
    name = name if name[:1].isalpha() else f"recorded_{name}"
    name = f"{name}_scenario" if name == state.game.name else name
    try:
        found = record(rules_path(file), state.replay(), name, path)
    except NotRecordable as error:
        raise CommandFailure(f"the game cannot be written as a scenario: {error}") from error
    if found.result is None:
        return found.text, f" It must lie beside {rules_path(file).name}, or where `{state.game.name}` is found."
    if not found.result.passed:
        return found.text, f" It does not pass yet: {found.result.message}."
    return found.text, f" `regelwerk test {path} --only {found.result.name}` passes."


def _stopped(
    game: Game, args: argparse.Namespace, who: Mapping[str, str], fault: Fault, state: State | None, record: Path | None
) -> FindingsFailure:
    """What is said of a fault: its place in the rules, the game, and the command that brings it again. A game that
    people played is recorded, since only its record brings it again."""
    if record is None and state is not None and "human" in who.values():
        record = _keep_record(state)
    if record is not None:
        command = ["regelwerk", "replay", str(_record_path(record, state))]
        from regelwerk.interpreter.loading import shipped_games

        if args.file != game.name or args.file not in shipped_games():
            command += ["--rules", args.file]
    else:
        command = ["regelwerk", "play", args.file, "--players", str(len(who)), "--seed", str(args.seed)]
        for pair in args.option:
            command += ["--option", pair]
        kinds = ["random" if kind == "human" else kind for kind in who.values()]
        pairs = [f"all={kinds[0]}"] if len(set(kinds)) == 1 else [f"{k}={kind}" for k, kind in enumerate(kinds, 1)]
        for pair in pairs:
            command += ["--seat", pair]
    return FindingsFailure([diagnostic_of(fault)], game.sources, after=where_lines(fault, shlex.join(command)))


def _keep_record(state: State) -> Path | None:
    """Write the record of a game beside the others of its kind, under a name that is free; None if that cannot be."""
    for number in range(1, 100):
        path = Path(f"{state.game.name}-fault{f'-{number}' if number > 1 else ''}.replay")
        try:
            with open(path, "x", encoding="utf-8", newline="\n") as file:
                file.write(state.replay().text())
        except FileExistsError:
            continue
        except OSError:
            return None
        return path
    return None


__all__ = ["add_parser", "run", "seats_of"]
