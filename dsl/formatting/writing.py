"""From text to text in the style: all stages of the formatter, one after the other."""

from __future__ import annotations

from dataclasses import dataclass

from regelwerk.dsl.formatting.breaking import break_lines
from regelwerk.dsl.formatting.columns import align, blanks, column, width
from regelwerk.dsl.formatting.comments import place_comments
from regelwerk.dsl.formatting.lines import Line
from regelwerk.dsl.formatting.pieces import COMMENT, ROW, Piece, read
from regelwerk.dsl.formatting.rows import lay_out_tables
from regelwerk.dsl.lexing import MAX_FILE, MAX_LINE, Token
from regelwerk.dsl.tables import split_row


@dataclass(frozen=True, slots=True)
class LaidOut:
    """A text in the style; and the words and comments of the text it was made of."""

    text: str
    words: list[str]
    comments: list[str]


def lay_out(text: str) -> LaidOut:
    """The text (without syntax errors, lines ended by a line feed) in the style."""
    pieces = read(text)
    words, comments = words_of(pieces), [piece.text for piece in pieces if piece.kind == COMMENT]
    found = _lay_out(pieces, True)
    if len(found.encode("utf-8")) > MAX_FILE:
        found = _lay_out(read(text), False)  # columns of a huge table may cost more than a file may have
    return LaidOut(found, words, comments)


def words_of(pieces: list[Piece]) -> list[str]:
    """What stands in a text but for blanks and comments; of tables the cells, without their blanks."""
    found: list[str] = []
    for piece in pieces:
        if piece.kind == ROW:
            found += [
                "".join(cell.text.split()) for cell in split_row(Token(ROW, piece.text, 0, len(piece.text), True))
            ]
        elif piece.kind != COMMENT:
            found.append(piece.text)
    return found


def _lay_out(pieces: list[Piece], columns: bool) -> str:
    lines = break_lines(pieces)
    lay_out_tables(lines, columns)
    if columns:
        align(lines)
    out: list[str] = []
    for line, place in zip(lines, place_comments(lines, columns), strict=True):
        if line.blank and out:
            out.append("")
        _write(line, place, out)
    return "\n".join(out) + "\n"


def _write(line: Line, place: int, out: list[str]) -> None:
    parts = [line.pieces[0].text]
    for index in range(1, len(line.pieces)):
        parts.append(" " * blanks(line, index))
        parts.append(line.pieces[index].text)
    code = "".join(parts)
    indent = line.indent
    if len(code) + indent > MAX_LINE and "\n" not in code:
        indent = max(0, MAX_LINE - len(code))
    code = " " * indent + code
    if line.comment is not None:
        comment = line.comment.text
        end = column(line, len(line.pieces))
        if place + width(comment) > MAX_LINE and len(code) + 2 + len(comment) <= MAX_LINE:
            place = end + 2
        if place + width(comment) > MAX_LINE:
            out.append(" " * min(indent, max(0, MAX_LINE - len(comment))) + comment)
        else:
            code += " " * (place - end) + comment
    out.append(code)


__all__ = ["LaidOut", "lay_out", "words_of"]
