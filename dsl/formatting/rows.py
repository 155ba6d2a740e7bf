"""Tables: the cells of each column as wide as its widest."""

from __future__ import annotations

import re

from regelwerk.dsl.formatting.columns import width
from regelwerk.dsl.formatting.lines import Line
from regelwerk.dsl.formatting.pieces import COMMENT, PLACED_ROW, ROW, TABLE_ROW, Piece, cell_pieces
from regelwerk.dsl.formatting.spacing import spaced
from regelwerk.dsl.lexing import MAX_LINE, Token
from regelwerk.dsl.tables import split_row

_PLAIN = re.compile(r"[\w.]*")


def lay_out_tables(lines: list[Line], columns: bool) -> None:
    """Write the rows of all tables anew; without `columns`, no cell is filled up."""
    table: list[Line] = []
    for line in lines:
        if _row(line) is not None:
            table.append(line)
        elif line.first.kind != COMMENT and table:
            _lay_out(table, columns)
            table = []
    if table:
        _lay_out(table, columns)


def _row(line: Line) -> Piece | None:
    if line.first.clause not in (TABLE_ROW, PLACED_ROW):
        return None
    return next((piece for piece in line.pieces if piece.kind == ROW), None)


def _lay_out(table: list[Line], columns: bool) -> None:
    rows = [row for line in table if (row := _row(line)) is not None]
    header: list[str] = []
    cells: list[list[str]] = []
    for row in rows:
        found = [strip.text for strip in split_row(Token(ROW, row.text, 0, len(row.text), True))]
        if not header:
            header = found
            cells.append(found)
        else:
            cells.append([_cell(text, place, header) for place, text in enumerate(found)])
    widths = [0] * max(len(each) for each in cells)
    for each in cells:
        for place, text in enumerate(each):
            widths[place] = max(widths[place], width(text))
    prefixes = [spaced(line.pieces[: line.pieces.index(row)]) for line, row in zip(table, rows, strict=True)]
    margin = max(width(prefix) for prefix in prefixes)
    margin += 1 if margin else 0
    if not columns or table[0].indent + margin + sum(widths) + 3 * len(widths) + 1 > MAX_LINE:
        widths, margin = [0] * len(widths), 0
    for line, row, prefix, each in zip(table, rows, prefixes, cells, strict=True):
        padded = [text + " " * (wide - width(text)) for text, wide in zip(each, widths, strict=False)]
        written = f"| {' | '.join(padded)} |"
        if len(written) + line.indent + margin <= MAX_LINE:
            row.text = written
        place = line.pieces.index(row)
        if place:
            line.aligned[place] = max(1, margin - width(prefix))
        else:
            line.indent += margin


def _cell(text: str, place: int, header: list[str]) -> str:
    if _PLAIN.fullmatch(text):
        return text
    column = header[place] if place < len(header) else ""
    entry = "cell_name" if not place else "cell_cites" if column == "rule" else "cell"
    return spaced(cell_pieces(text, entry))


__all__ = ["lay_out_tables"]
