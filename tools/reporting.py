"""Printing what several commands show: tables, and how a game ended."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from regelwerk.tools.colour import colour_console, coloured

if TYPE_CHECKING:
    from regelwerk.interpreter.api import Outcome


def number_text(value: float) -> str:
    """A number without needless digits: `3`, `2.5`, `0.33`."""
    return str(int(value)) if value == int(value) else f"{value:.2f}".rstrip("0")


def print_table(title: str, header: Sequence[str], rows: Sequence[Sequence[str]], texts: int = 1) -> None:
    """A table on stdout: boxes on a terminal, columns of plain text elsewhere. The first `texts` columns are texts."""
    if coloured(sys.stdout):
        from rich import box
        from rich.table import Table

        table = Table(title=title or None, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD)
        for place, name in enumerate(header):
            table.add_column(name, justify="left" if place < texts else "right")
        for row in rows:
            table.add_row(*(str(cell).replace("[", "\\[") for cell in row))
        colour_console(sys.stdout).print(table)
        return
    if title:
        print(title)
    widths = [max(len(row[place]) for row in [header, *rows]) for place in range(len(header))]
    for line in [header, *rows]:
        cells = [
            cell.ljust(width) if place < texts else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        print("  " + "  ".join(cells).rstrip())
    print()


def winner_line(outcome: Outcome) -> str:
    """`S wins`, `S and M share the victory` (of all players: a draw), and why the game ended."""
    cause = outcome.cause.replace("_", " ")
    if not outcome.finished:
        return f"The game was stopped by its {cause}; nobody wins."
    if not outcome.winners:
        return f"The game is over ({cause}); nobody wins."
    names = outcome.winners
    if len(names) == 1:
        return f"{names[0]} wins ({cause})."
    together = f"{', '.join(names[:-1])} and {names[-1]}"
    if len(names) == len(outcome.keys):
        return f"A draw between {together} ({cause})."
    return f"{together} share the victory ({cause})."


def print_outcome(outcome: Outcome) -> None:
    """How a game ended: who won, the ranking with its keys, the lines of the scores."""
    print(winner_line(outcome))
    print()
    if outcome.ranking:
        labels = [label for label, _ in next(iter(outcome.keys.values()), ())]
        rows = []
        place = 1
        for group in outcome.ranking:
            rows += [[str(place), seat, *(str(value) for _, value in outcome.keys.get(seat, ()))] for seat in group]
            place += len(group)
        print_table("Ranking", ["place", "player", *labels], rows, texts=2)
    if outcome.lines:
        seats = list(outcome.lines[0].values)
        several = len({line.score for line in outcome.lines}) > 1
        rows = [
            [f"{line.score}: {line.printed}" if several else line.printed, *(str(line.values[seat]) for seat in seats)]
            for line in outcome.lines
        ]
        print_table("Score" if several else f"Score ({outcome.lines[0].score})", ["line", *seats], rows)


__all__ = ["number_text", "print_outcome", "print_table", "winner_line"]
