"""The command `regelwerk`: finds the subcommand, runs it, turns what goes wrong into one message and an exit code.

Exit codes: 0 ok, 1 findings or refused, 2 usage, 3 internal fault, 130 interrupted. Only the module of the subcommand
that is asked for is imported, so that `check` starts fast.
"""

from __future__ import annotations

import argparse
import importlib
import io
import os
import shlex
import sys
import warnings
from typing import Any

import regelwerk
from regelwerk.tools import colour
from regelwerk.tools.arguments import FINDINGS, INTERNAL, OK, USAGE, CommandFailure, FindingsFailure

COMMANDS = {
    "check": ("check", "say what is wrong with rules files, and where"),
    "new": ("new", "begin a game, or a variant of one"),
    "fmt": ("fmt", "write rules files in the one style"),
    "play": ("play", "play a game in the terminal, against people and bots"),
    "simulate": ("simulate", "let bots play many games, and report the figures"),
    "test": ("test_scenarios", "run the scenarios and invariants of rules files"),
    "cover": ("cover", "say what of the rules ran in games, and what never did"),
    "draw": ("draw", "draw a game: its phases, rules, economy or board"),
    "diff": ("diff", "say what a variant or a new version of a game changes"),
    "rulebook": ("rulebook", "write the rules of a game in words, or a player aid"),
    "export": ("export", "write a checked game as JSON"),
    "replay": ("replay", "show a recorded game again, or check that it still fits"),
    "why": ("why", "say why an action is possible or not in a record"),
    "why-score": ("why_score", "say where the points of a record come from"),
    "repl": ("repl", "ask a game step by step, and turn it back"),
    "explain": ("explain", "say what a finding or a fault means, with an example"),
}
"""The subcommands: the module that has `add_parser` and `run`, and one line for the help."""

EPILOG = """\
exit codes: 0 all is well, 1 findings or refused, 2 wrong usage, 3 a fault in regelwerk itself

examples:
  regelwerk check mygame.rules
  regelwerk simulate mygame.rules --players 3 --games 1000
  regelwerk COMMAND --help        all about one command
"""


def build_parser(command: str | None) -> argparse.ArgumentParser:
    """The parser of the whole command line; only `command` is filled in, the others are known by name."""
    parser = argparse.ArgumentParser(
        prog="regelwerk",
        description="Rules of board games as text: check them, play them, measure them.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"regelwerk {regelwerk.__version__}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands", required=True)
    for name, (module, summary) in COMMANDS.items():
        if name == command:
            _module(module).add_parser(subparsers)
            colour.add_color(subparsers.choices[name])
        else:
            subparsers.add_parser(name, help=summary)
    return parser


def _module(name: str) -> Any:
    return importlib.import_module(f"regelwerk.tools.commands.{name}")


def main(argv: list[str] | None = None) -> int:
    """Run a command line (default: of this process); gives the exit code."""
    arguments = sys.argv[1:] if argv is None else argv
    colour.choose("auto")
    warnings.showwarning = _show_warning
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks a letter is no reason to fail
    try:
        code = _run(arguments)
        sys.stdout.flush()
        return code
    except SystemExit as stop:  # argparse: help, version, or a wrong argument
        return stop.code if isinstance(stop.code, int) else OK if stop.code is None else USAGE
    except FindingsFailure as failure:
        _draw(failure)
        if failure.message:
            _say(failure.message)
        return failure.code
    except CommandFailure as failure:
        _say(failure.message)
        return failure.code
    except KeyboardInterrupt:
        _say("interrupted")
        return 130
    except BrokenPipeError:
        # Whoever read the output has gone; the flush at the end of the process must not find the broken pipe again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except Exception as error:
        return _unexpected(error, arguments)


def _run(arguments: list[str]) -> int:
    if not arguments:
        build_parser(None).print_help()
        return USAGE
    command = next((each for each in arguments if not each.startswith("-")), None)
    parsed = build_parser(command).parse_args(arguments)
    colour.choose(parsed.color)
    code: int = _module(COMMANDS[parsed.command][0]).run(parsed)
    return code


def _is(error: Exception, module: str, name: str) -> bool:
    """Whether it is an exception of a module; what was never imported has raised nothing, and may be broken."""
    found = getattr(sys.modules.get(f"regelwerk.{module}"), name, None)
    return isinstance(found, type) and isinstance(error, found)


def _say(message: str) -> None:
    sys.stdout.flush()
    print(f"regelwerk: {message}", file=sys.stderr)


_show_other = warnings.showwarning


def _show_warning(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
    """What regelwerk warns of is a message like others, without a place in its sources."""
    if category.__module__.startswith("regelwerk."):
        _say(str(message))
    else:
        _show_other(message, category, *place, **more)


def _draw(error: Any) -> None:
    """Draw the findings that an error carries."""
    from regelwerk.tools.findings import print_findings

    sys.stdout.flush()
    print_findings(error.diagnostics, error.sources, getattr(error, "after", ()), sys.stderr)


def _unexpected(error: Exception, arguments: list[str]) -> int:
    if _is(error, "dsl.diagnostics", "RulesError"):
        _draw(error)
        return FINDINGS
    if _is(error, "interpreter.api", "UsageError"):
        _say(str(error))
        return USAGE
    if _is(error, "interpreter.faults", "Fault"):
        _say(f"the game stopped: {error}")
        return FINDINGS
    if os.environ.get("REGELWERK_DEBUG"):
        raise error
    command = shlex.join(["regelwerk", *arguments])
    what = " ".join([type(error).__name__, *str(error).split(), *getattr(error, "__notes__", [])])
    _say(f"this is a fault in regelwerk ({what}); please report it with the command: {command}")
    return INTERNAL


__all__ = ["build_parser", "main"]
