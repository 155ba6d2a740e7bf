"""Whether output has colour, and the console that writes it.

The first that is said counts: `--color always` or `never`; NO_COLOR (not empty: no colour); FORCE_COLOR or
CLICOLOR_FORCE (not empty, not 0: colour); else there is colour on a terminal that can show it (TERM is not `dumb`,
CLICOLOR is not 0).
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

WHEN = ("auto", "always", "never")

_asked = "auto"  # what --color of the command line that runs says


def add_color(parser: argparse.ArgumentParser) -> None:
    """The argument --color."""
    parser.add_argument(
        "--color",
        "--colour",
        dest="color",
        choices=WHEN,
        default="auto",
        help="whether output has colour (default: on a terminal, unless NO_COLOR is set)",
    )


def choose(when: str) -> None:
    """Take over what --color says."""
    global _asked
    _asked = when


def wanted(when: str, terminal: bool, environment: Mapping[str, str]) -> bool:
    """Whether there is colour, from --color, the stream and the environment."""
    if when != "auto":
        return when == "always"
    if environment.get("NO_COLOR"):
        return False
    if any(environment.get(name, "") not in ("", "0") for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    return terminal and environment.get("TERM") != "dumb" and environment.get("CLICOLOR") != "0"


def coloured(stream: object) -> bool:
    """Whether colour and boxes are wanted on a stream."""
    terminal = getattr(stream, "isatty", lambda: False)()
    return wanted(_asked, bool(terminal), os.environ)


def colour_console(stream: IO[str]) -> Console:
    """A console that writes colour to a stream, for which `coloured` has said yes."""
    from rich.console import Console

    console = Console(file=stream, force_terminal=True, no_color=False, highlight=False, soft_wrap=True)
    if console.color_system is None:  # forced onto something that is not known to show colour
        console = Console(
            file=stream, force_terminal=True, no_color=False, highlight=False, soft_wrap=True, color_system="standard"
        )
    return console


__all__ = ["add_color", "choose", "colour_console", "coloured", "wanted"]
