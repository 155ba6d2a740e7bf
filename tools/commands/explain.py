"""`regelwerk explain`: what a finding or a fault means, why the rule is there, and how it is meant."""

from __future__ import annotations

import argparse
import difflib
import shutil
import sys
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

from regelwerk.tools.arguments import OK, UsageFailure
from regelwerk.tools.colour import colour_console, coloured

if TYPE_CHECKING:
    from regelwerk.dsl.catalogue import Page

WIDEST = 100
"""How wide texts are set at most."""

Line = tuple[str, str]
"""A line and its style."""

STYLES = {"error": "bold red", "warning": "bold yellow", "fault": "bold magenta"}


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "explain",
        help="say what a finding or a fault means, with an example",
        description="Say what a finding of `check` or a fault of a running game means, why the language has this "
        "rule, and what to write instead. Without CODE all of them are listed. `explain frame` shows the little game "
        "that the examples continue.",
    )
    parser.add_argument(
        "codes", metavar="CODE", nargs="*", help="a code or a name: E0203, unknown-name, dead_end (default: list all)"
    )


def run(args: argparse.Namespace) -> int:
    """Explain; 2 for a code that there is not."""
    from regelwerk.dsl import catalogue

    lines: list[Line] = []
    for word in args.codes:
        if lines:
            lines += [("", ""), ("-" * 72, "dim"), ("", "")]
        if word.casefold() == "frame":
            lines += [(line, "") for line in catalogue.frame().rstrip("\n").split("\n")]
            continue
        found = catalogue.find(word)
        if found is None:
            raise UsageFailure(_unknown(word))
        lines += explanation(found, _width())
    _show(lines or list(listing(_width())))
    return OK


def _unknown(word: str) -> str:
    from regelwerk.dsl import catalogue

    folded = word.casefold().replace("_", "-")
    known = {name.casefold().replace("_", "-"): name for each in catalogue.pages() for name in (each.name, each.code)}
    scores = {each: difflib.SequenceMatcher(None, folded, each).ratio() for each in known}
    # of equally near ones the one with the same letters: E0230 is rather E0203 than E0330
    order = sorted(known, key=lambda each: (-scores[each], sorted(each) != sorted(folded), each))
    near = [each for each in order[:4] if scores[each] >= 0.6]
    hint = f"; did you mean {' or '.join(f'`{known[each]}`' for each in near)}?" if near else ""
    return f"there is no finding or fault `{word}`{hint}\n`regelwerk explain` lists all"


def _width() -> int:
    return max(40, min(WIDEST, shutil.get_terminal_size((WIDEST, 24)).columns))


def explanation(page: Page, width: int = WIDEST) -> Iterator[Line]:
    """A page as lines with styles."""
    from regelwerk.dsl.catalogue import AREAS

    yield f"{page.severity}[{page.code}]: {page.name}", STYLES[page.severity]
    for message in page.messages:
        yield f"  {message}", "bold"
    yield f"  ({AREAS[page.area]})", "dim"
    yield "", ""
    yield from ((line, "") for line in textwrap.wrap(page.meaning, width))
    yield "", ""
    yield "Why", "bold cyan"
    yield from ((f"  {line}", "") for line in textwrap.wrap(page.why, width - 2))
    framed = False
    for title, style, example in (("Wrong", "red", page.wrong), ("Instead", "green", page.instead)):
        if example is None:
            continue
        yield "", ""
        yield title, f"bold {style}"
        yield from ((f"  | {line}".rstrip(), style) for line in example.text.rstrip("\n").split("\n"))
        framed = framed or not example.whole
    if framed:
        yield "", ""
        yield from (
            (line, "dim")
            for line in textwrap.wrap("The examples continue a little game; `regelwerk explain frame` shows it.", width)
        )
    if page.not_shown:
        yield "", ""
        yield from ((line, "dim") for line in textwrap.wrap(f"No example: {page.not_shown}.", width))


def listing(width: int = WIDEST) -> Iterator[Line]:
    """All codes by area, one a line."""
    from regelwerk.dsl.catalogue import AREAS, pages

    found = list(pages())
    codes = max(len(each.code) for each in found)
    names = max(len(each.name) for each in found)
    for area, title in AREAS.items():
        yield title, "bold cyan"
        for each in found:
            if each.area == area:
                text = f"  {each.code:<{codes}}  {each.name:<{names}}  {each.messages[0]}"
                yield text if len(text) <= width else f"{text[: width - 3]}...", ""
        yield "", ""
    yield "`regelwerk explain CODE` says what one of them means, and what to do.", ""


def _show(lines: list[Line]) -> None:
    if not coloured(sys.stdout):
        for text, _ in lines:
            print(text)
        return
    from rich.text import Text

    console = colour_console(sys.stdout)
    for text, style in lines:
        console.print(Text(text, style))


__all__ = ["add_parser", "explanation", "listing", "run"]
