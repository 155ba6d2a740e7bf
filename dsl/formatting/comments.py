"""Comments at the ends of lines: such that follow each other stand under each other."""

from __future__ import annotations

from collections import Counter

from regelwerk.dsl.formatting.columns import column, width
from regelwerk.dsl.formatting.lines import Line
from regelwerk.dsl.formatting.pieces import COMMENT

GAP = 2  # blanks before a comment, at least
FAR = 30  # a line that is longer by more does not push the comments of its neighbours
FARTHEST = 160  # no comment goes on behind this column only because its neighbour does


def place_comments(lines: list[Line], columns: bool) -> list[int]:
    """In which column the comment of each line stands; -1 for none. (Lines of a comment alone are indented.)

    Without `columns`, each stands directly behind what it follows.
    """
    if not columns:
        return [column(line, len(line.pieces)) + GAP if line.comment is not None else -1 for line in lines]
    places = [-1] * len(lines)
    run: list[int] = []
    low = high = 0
    for index, line in enumerate(lines):
        if line.comment is None:
            if run and _continues(line, lines[index - 1]):
                run.append(index)
                continue
            _place(lines, run, places)
            run = []
            continue
        end = column(line, len(line.pieces))
        low, high = (min(low, end), max(high, end)) if run else (end, end)
        if line.blank or high - low > FAR:
            _place(lines, run, places)
            run, low, high = [], end, end
        run.append(index)
    _place(lines, run, places)
    return places


def _place(lines: list[Line], run: list[int], places: list[int]) -> None:
    if not run:
        return
    at = _column([lines[index] for index in run])
    for index in run:
        if lines[index].comment is None:
            lines[index].indent = at
        else:
            places[index] = at


def _continues(line: Line, before: Line) -> bool:
    """Whether a line goes on with the comment before it: it is one, and begins where that does."""
    if line.blank or line.first.kind != COMMENT:
        return False
    return line.first.column == (before.comment or before.first).column > line.indent


def _column(run: list[Line]) -> int:
    least = max(column(line, len(line.pieces)) for line in run if line.comment is not None) + GAP
    comments = [line.comment or line.first for line in run]
    wishes = Counter(each.column for each in comments if each.column >= least and each.gap >= GAP)
    wish = max(wishes, key=lambda place: (wishes[place], -place), default=least)
    longest = max(width(each.text) for each in comments)
    return max(least, min(wish, FARTHEST - longest))


__all__ = ["place_comments"]
