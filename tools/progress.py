"""A bar on stderr for what takes long."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from regelwerk.tools.colour import colour_console, coloured


@contextmanager
def progress(what: str, count: int) -> Iterator[Callable[[int], None]]:
    """Gives what is told of each number of things that are done; shows a bar if stderr is a terminal."""
    if not coloured(sys.stderr):
        yield lambda done: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=colour_console(sys.stderr), transient=True) as shown:
        task = shown.add_task(what, total=count)
        yield lambda done: shown.advance(task, done)


__all__ = ["progress"]
