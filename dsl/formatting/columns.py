"""Columns: what stands under each other in lines that are alike.

An author who writes `=` under `=` once in a run of constants wants it in all of them; one who never does wants it in
none. So a run of lines is aligned at a place if there are more blanks than one before that place in any of its lines.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable

from regelwerk.dsl.formatting.lines import Line
from regelwerk.dsl.formatting.pieces import CLOSERS, OPENERS, ROW, Piece
from regelwerk.dsl.formatting.spacing import BETWEEN_CLAUSES, gap

WIDTH = 140  # what lines are kept within, as far as they can be broken


def width(text: str) -> int:
    """How many columns of a screen a text takes."""
    if text.isascii():
        return len(text)
    return sum(
        2 if unicodedata.east_asian_width(each) in "WF" else 0 if unicodedata.combining(each) else 1 for each in text
    )


def blanks(line: Line, place: int) -> int:
    """The blanks before a piece of a line."""
    found = line.aligned.get(place)
    return found if found is not None else gap(line.pieces[place - 1], line.pieces[place])


def column(line: Line, place: int) -> int:
    """Where a piece of a line stands; for the number of its pieces: where the line ends."""
    at = line.indent
    for index, piece in enumerate(line.pieces[:place]):
        if index:
            at += blanks(line, index)
        if "\n" in piece.text:
            at = width(piece.text[piece.text.rindex("\n") + 1 :])
        else:
            at += width(piece.text)
    if 0 < place < len(line.pieces):
        at += blanks(line, place)
    return at


# ---------------------------------------------------------------------------------------------- where lines are aligned
Finder = Callable[[Line], int | None]


def _outside(line: Line, start: int = 0) -> Iterable[tuple[int, Piece]]:
    """The pieces of a line that stand in no brackets opened on it, but for opening brackets themselves."""
    depth = 0
    for index in range(len(line.pieces)):
        piece = line.pieces[index]
        if piece.kind in CLOSERS:
            depth -= 1
        elif depth == 0 and index >= start:
            yield index, piece
        if piece.kind in OPENERS:
            depth += 1
        if depth < 0:
            return


def _at(*texts: str) -> Finder:
    def find(line: Line) -> int | None:
        return next((index for index, piece in _outside(line, 1) if piece.text in texts), None)

    return find


_equal = _at("=")


def _behind_colon(line: Line) -> int | None:
    found = _at(":")(line)
    return found + 1 if found is not None and found + 1 < len(line.pieces) else None


def _else(line: Line) -> int | None:
    if line.first.clause is None:
        return 0 if line.first.text == "else" else None
    return _at("else")(line)


def _third(line: Line) -> int | None:
    return 2 if len(line.pieces) > 2 and not line.pieces[2].hanging else None


def _body(line: Line) -> int | None:
    return next((index for index, piece in _outside(line, 1) if piece.body and not piece.hanging), None)


TOGETHER = 0
"""What it costs to begin a new column where there is none."""

LOOK_BACK = 100
"""Lines of one run that may be aligned with each other."""

_FEW = 8
_SOME = 12
_MANY = 40
_BODY = ((_body, _FEW),)
_COLON = ((_behind_colon, _FEW),)
_THIRD = ((_third, _FEW),)
PLACES: dict[str, tuple[tuple[Finder, int], ...]] = {
    "const": ((_equal, _FEW),),
    "value": ((_equal, _FEW),),
    "option": ((_equal, _FEW),),
    "line": ((_equal, _MANY),),
    "zone": ((_at("per", "of"), TOGETHER), (_at("of"), TOGETHER)),
    "state": ((_at("per"), TOGETHER), (_at("resets"), TOGETHER)),
    "require": ((_behind_colon, _SOME), (_else, _MANY)),
    "cost": _COLON,
    "invariant": _COLON,
    "rule": _COLON,
    "trigger": _COLON,
    "case": ((_behind_colon, _SOME),),
    "glyph": _COLON,
    "labelled": _COLON,
    "end": _THIRD,
    "step": _THIRD,
    "part": _THIRD,
    "phase": _BODY,
    "enum": _BODY,
    "effect": _BODY,
    "acting": _BODY,
}
"""Where runs of clauses may be aligned, from left to right; and what it costs to begin a new column, in blanks."""


def align(lines: list[Line]) -> None:
    """Align the runs of a text."""
    run: list[Line] = []
    for line in lines:
        if run and run[0].first.clause == "require" and _else(line) == 0 and not line.blank:
            run.append(line)
            continue
        if run and not (_kind(line) == run[0].first.clause and _goes_on(line, run[0])):
            _align_run(run)
            run = []
        if _kind(line) is not None:
            run.append(line)
    _align_run(run)
    _align_clauses(lines)


def _goes_on(line: Line, run: Line) -> bool:
    return not line.blank and line.indent == run.indent


def _kind(line: Line) -> str | None:
    clause = line.first.clause
    return None if clause not in PLACES or _clauses(line) else clause


def _align_run(run: list[Line]) -> None:
    if len(run) < 2:
        return
    clause = run[0].first.clause or ""
    places = [[(line, place) for line in run if (place := find(line)) is not None] for find, _ in PLACES[clause]]
    wanted = [_wanted(found, 1) for found in places]
    for (_, dear), found, this in zip(PLACES[clause], places, wanted, strict=True):
        if this or (clause == "zone" and any(wanted)):
            for cluster in _clusters(found, dear) if dear else [found]:
                _align_at(cluster)


def _wanted(places: list[tuple[Line, int]], usual: int) -> bool:
    """Whether the author has aligned something there."""
    for line, place in places:
        piece = line.pieces[place]
        if piece.column > line.indent if not place else piece.gap > usual and not piece.breaks:
            return True
    return False


def _clusters(found: list[tuple[Line, int]], dear: int) -> list[list[tuple[Line, int]]]:
    """Parts of a run, such that what is spent on blanks and on new columns is least."""
    columns = [column(line, place) for line, place in found]
    least = [0]  # for the first so many lines
    begun = [0]  # and where their last part begins
    for end in range(1, len(columns) + 1):
        best, where = -1, end
        widest = total = 0
        for start in range(end - 1, max(-1, end - 1 - LOOK_BACK), -1):
            widest = max(widest, columns[start])
            total += columns[start]
            cost = least[start] + dear + widest * (end - start) - total
            if best < 0 or cost <= best:
                best, where = cost, start
        least.append(best)
        begun.append(where)
    clusters: list[list[tuple[Line, int]]] = []
    end = len(columns)
    while end:
        clusters.append(found[begun[end] : end])
        end = begun[end]
    return clusters


def _align_at(places: list[tuple[Line, int]]) -> None:
    columns = [column(line, place) for line, place in places]
    target = max(columns, default=0)
    for (line, place), at in zip(places, columns, strict=True):
        if not place:
            line.indent = target
        elif at < target:
            line.aligned[place] = blanks(line, place) + target - at


# ---------------------------------------------------------------------------------------- several clauses on one line
def _clauses(line: Line) -> list[int]:
    """Where further clauses of the same braces begin."""
    if line.first.clause is None:
        return []
    return [index for index, piece in _outside(line, 1) if piece.clause is not None and piece.kind != ROW]


def _align_clauses(lines: list[Line]) -> None:
    """Align lines that hold the like of several clauses; lines of one clause may stand between them."""
    run: list[tuple[Line, list[int]]] = []
    like: tuple[str, ...] = ()
    for line in lines:
        places = _clauses(line)
        if run and (not _goes_on(line, run[0][0]) or (places and _likeness(line, places) != like)):
            _align_columns(run)
            run = []
        if places:
            run.append((line, places))
            like = _likeness(line, places)
    _align_columns(run)


def _likeness(line: Line, places: list[int]) -> tuple[str, ...]:
    """What the first two clauses of a line are: their keyword, and what they do."""
    found: list[str] = []
    for place in (0, places[0]):
        words = line.pieces[place : place + 2]
        found += [piece.text for piece in words[: 2 if words[0].text == "do" else 1]]
    return tuple(found)


def _align_columns(run: list[tuple[Line, list[int]]]) -> None:
    for number in range(max((len(places) for _, places in run), default=0)):
        found = [(line, places[number]) for line, places in run if number < len(places)]
        if _wanted(found, BETWEEN_CLAUSES):
            _align_at(found)


__all__ = ["WIDTH", "align", "blanks", "column", "width"]
