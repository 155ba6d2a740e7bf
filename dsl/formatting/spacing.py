"""How many blanks stand between two tokens of one line."""

from __future__ import annotations

from regelwerk.dsl.formatting.pieces import Piece

BETWEEN_CLAUSES = 3
_CALLED = frozenset({"NAME", "UNIT", "SOME", "EVERY", "COUNT", "FIRST", "LIST", "SUM", "MIN", "MAX"})
_HUGGING = frozenset({",", ")", "]", ":", "?"})  # no blank before them


def gap(before: Piece, piece: Piece) -> int:
    """The blanks between neighbours, where nothing is to be aligned."""
    text, last = piece.text, before.text
    if text == "-" and last == "-":
        return 1
    if last in ("(", "[") or before.tight or text in _HUGGING:
        return 0
    if text == "}":
        return 0 if not piece.block or last == "{" else 1
    if text == "(":
        return 0 if before.kind in _CALLED and not piece.apart else 1
    if text == ".":
        return 1 if piece.apart else 0
    if last == "." or text == ".." or "/" in (text, last):
        return 0
    if last == "..":
        return 1 if before.apart else 0
    if piece.further or (piece.clause is not None and last not in ("{", ",")):
        return BETWEEN_CLAUSES
    return 1


def spaced(pieces: list[Piece]) -> str:
    """Pieces of one line with their blanks, nothing aligned."""
    parts: list[str] = []
    before: Piece | None = None
    for piece in pieces:
        if before is not None:
            parts.append(" " * gap(before, piece))
        parts.append(piece.text)
        before = piece
    return "".join(parts)


__all__ = ["BETWEEN_CLAUSES", "gap", "spaced"]
