"""Findings on the screen: with their source line, one a line, or as JSON."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING

from regelwerk.tools.colour import colour_console, coloured

if TYPE_CHECKING:
    from regelwerk.dsl.diagnostics import Diagnostic
    from regelwerk.dsl.source import Source, Span

COLOURS = {"error": "bold red", "warning": "bold yellow", "note": "bold cyan", "fault": "bold magenta"}


def shown_path(name: str) -> str:
    """The name of a source as it is shown: relative to the working directory if it lies in it."""
    if not os.path.isabs(name):
        return name
    try:
        return str(Path(name).relative_to(Path.cwd()))
    except (ValueError, OSError):
        return name


def place_of(span: Span | None, sources: Mapping[str, Source]) -> str:
    """`file:line:column` of a span, or an empty text."""
    if span is None:
        return ""
    source = sources.get(span.source)
    if source is None:
        return shown_path(span.source)
    line, column = source.position(span.start)
    return f"{shown_path(span.source)}:{line}:{column}"


def text_of(diagnostic: Diagnostic, sources: Mapping[str, Source], after: Sequence[str] = ()) -> str:
    """A finding with its source line; `after` stands below it."""
    from regelwerk.dsl.diagnostics import render

    return render(diagnostic, sources, shown_path) + "".join(f"\n  {line}" for line in after)


def print_findings(
    diagnostics: Iterable[Diagnostic],
    sources: Mapping[str, Source],
    after: Sequence[str] = (),
    stream: IO[str] | None = None,
) -> None:
    """Draw findings (on stdout), with a blank line after each; `after` below each."""
    drawn: IO[str] = sys.stdout if stream is None else stream
    if not coloured(drawn):
        for each in diagnostics:
            print(text_of(each, sources, after), end="\n\n", file=drawn)
        return
    from rich.text import Text

    console = colour_console(drawn)
    for each in diagnostics:
        colour = COLOURS[each.severity]
        head, _, rest = text_of(each, sources, after).partition("\n")
        kind, _, message = head.partition(": ")
        console.print(Text.assemble((f"{kind}: ", colour), (message, "bold")))
        for line in rest.split("\n") if rest else []:
            caret = line.partition("|")[2].strip().startswith("^")
            arrow = line.lstrip().startswith("-->")
            console.print(Text(line, colour if caret else "blue" if arrow else ""))
        console.print()


def concise_line(diagnostic: Diagnostic, sources: Mapping[str, Source], file: str) -> str:
    """`file:line:column: E0203 message`; `file` is for findings without a place."""
    place = place_of(diagnostic.span, sources) or shown_path(file)
    return f"{place}: {diagnostic.code} {' '.join(diagnostic.message.split())}"


__all__ = ["concise_line", "place_of", "print_findings", "shown_path", "text_of"]
