"""Lines that are too long are broken: where clauses part, else by opening their braces, else at an operator.

A line counts as too long from `LIMIT` columns on; what is broken is broken to `AIM`, so that the parts do not change
with every word. Where an author has broken a line before, it stays broken. Rows of tables and comments never break.
"""

from __future__ import annotations

from regelwerk.dsl.formatting.columns import width
from regelwerk.dsl.formatting.lines import Line, break_braces, make_lines
from regelwerk.dsl.formatting.pieces import CLOSERS, COMMENT, OPENERS, ROW, Piece
from regelwerk.dsl.formatting.spacing import BETWEEN_CLAUSES, gap

LIMIT = 140
AIM = 120
LEAST = 40  # columns before a break behind a comma
ROUNDS = 40  # brackets are nested 32 deep at most

_STRONG = 3
_MIDDLE = 2
_WEAK = 1
_BEFORE = {
    **dict.fromkeys(("because", "until", "again", "won", "ranked"), _STRONG),
    **dict.fromkeys(("and", "or", "where", "when", "while", "else", "then", "order", "as", "to"), _MIDDLE),
    **dict.fromkeys(("+", "-", "union", "except", "with", "of", "is", "in", "by", "from", "["), _WEAK),
}
"""Tokens that may begin a line, and how gladly."""

_BEHIND = {"=": _STRONG, ",": _MIDDLE, ":": _WEAK}
_NAMED = frozenset(
    {"require", "cost", "invariant", "rule", "trigger", "labelled"}
)  # clauses with a colon behind a name


def break_lines(pieces: list[Piece]) -> list[Line]:
    """The lines of pieces, none of them too long if that can be helped."""
    pieces = break_braces(pieces)
    lines = make_lines(pieces)
    for _ in range(ROUNDS):
        if not [line for line in lines if _break(line)]:
            break
        pieces = break_braces(pieces)
        lines = make_lines(pieces)
    return lines


def _break(line: Line) -> bool:
    """Break a line that is too long, once; False if it is not, or cannot be broken."""
    pieces = line.pieces
    if pieces[0].kind == COMMENT or any(piece.kind in (ROW, "DRAWING") for piece in pieces):
        return False
    if line.indent + sum(len(piece.text) + BETWEEN_CLAUSES for piece in pieces) <= LIMIT // 2:
        return False  # however wide its characters are
    ends, depths = _measure(line)
    if ends[-1] <= LIMIT:
        return False
    return _part_clauses(pieces, ends, depths) or _open_bodies(pieces, depths) or _break_at(pieces, ends, depths)


def _measure(line: Line) -> tuple[list[int], list[int]]:
    """Where each piece ends, and how many brackets are open before it."""
    at, depth = line.indent, 0
    ends: list[int] = []
    depths: list[int] = []
    before: Piece | None = None
    for piece in line.pieces:
        if before is not None:
            at += gap(before, piece)
        at += width(piece.text)
        if piece.kind in CLOSERS:
            depth = max(0, depth - 1)
        ends.append(at)
        depths.append(depth)
        if piece.kind in OPENERS:
            depth += 1
        before = piece
    return ends, depths


def _part_clauses(pieces: list[Piece], ends: list[int], depths: list[int]) -> bool:
    """Break before the last clause that leaves a line of the width aimed at."""
    places = [
        index
        for index in range(1, len(pieces))
        if not depths[index] and pieces[index].clause is not None and pieces[index - 1].text not in ("{", ",")
    ]
    if not places or (pieces[0].clause is None and pieces[0].kind not in CLOSERS):
        return False
    fitting = [index for index in places if ends[index - 1] <= AIM]
    pieces[fitting[-1] if fitting else places[0]].breaks = 1
    return True


def _open_bodies(pieces: list[Piece], depths: list[int]) -> bool:
    """Break the lines behind the outermost braces of blocks."""
    opened = False
    for body in (True, False):
        for index in range(len(pieces) - 1):
            piece = pieces[index]
            if piece.kind != "LBRACE" or not piece.block or piece.body is not body or depths[index]:
                continue
            if pieces[index + 1] is not piece.mate:
                pieces[index + 1].breaks = 1
                opened = True
        if opened:
            break
    return opened


def _break_at(pieces: list[Piece], ends: list[int], depths: list[int]) -> bool:
    """Break at the best operator: outside of brackets rather than inside, and as far to the right as it goes."""
    best: tuple[int, int, int] | None = None
    where = 0
    for index in range(1, len(pieces)):
        liking = _liking(pieces, index, ends, depths)
        if liking and ends[index - 1] <= AIM:
            found = (-depths[index], liking, index)
            if best is None or found > best:
                best, where = found, index
    if best is None:
        return False
    pieces[where].breaks = 1
    return True


def _liking(pieces: list[Piece], index: int, ends: list[int], depths: list[int]) -> int:
    """How gladly a line is broken before a piece; 0 for never."""
    piece, before = pieces[index], pieces[index - 1]
    if before.text in _BEHIND and before.kind != "STRING":
        if before.text == ":" and (depths[index] or pieces[0].clause not in _NAMED):
            return 0
        if before.text == "," and ends[index - 1] < LEAST:
            return 0
        return _BEHIND[before.text]
    if piece.kind == "STRING":
        text = before.kind in ("NAME", "UNIT", "RPAR", "RBRACE", "RSQB", "INT") or before.text == "else"
        return _STRONG if text and before.text != "else" else 0
    if piece.kind in ("NAME", "UNIT", "INT") or before.text in ("(", "[", "{", "not", "is") or before.tight:
        return 0
    if piece.text == "else" and index + 1 < len(pieces) and pieces[index + 1].kind == "STRING":
        return _STRONG
    return _BEFORE.get(piece.text, 0)


__all__ = ["LIMIT", "break_lines"]
