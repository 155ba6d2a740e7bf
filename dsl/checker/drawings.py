"""Drawn boards: the first drawing fixes the cells, further ones fill more columns token by token.

A line is split at its blanks into tokens, or has one token for each character if it has no blanks inside. Row and
column count from 1; `half` is the distance from the left in characters, which for hexes set a blank apart counts half
hexes. Cells are named by letter and number, as on a chess board: A1 is the first cell of the first line.
"""

from __future__ import annotations

from dataclasses import dataclass

from regelwerk.dsl.checker.context import Context
from regelwerk.dsl.model import game as g
from regelwerk.dsl.syntax import declarations as d
from regelwerk.dsl.syntax import expressions as s
from regelwerk.dsl.syntax.base import Expression, Identifier


@dataclass(frozen=True)
class Token:
    """One token of a drawing and where it stands."""

    text: str
    row: int
    column: int
    offset: int


def tokens(drawing: d.Drawing) -> list[Token]:
    """The tokens of a drawing in reading order."""
    split = any(" " in line.strip() for line in drawing.lines)
    found: list[Token] = []
    for row, line in enumerate(drawing.lines, 1):
        column = offset = 0
        while offset < len(line):
            if line[offset] == " ":
                offset += 1
                continue
            end = offset + 1
            while split and end < len(line) and line[end] != " ":
                end += 1
            column += 1
            found.append(Token(line[offset:end], row, column, offset))
            offset = end
    return found


def cell_name(row: int, column: int) -> str:
    """A1, B1 ... Z1, AA1 ..."""
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return f"{letters}{row}"


def declare_cells(c: Context, node: d.Entity, symbol: g.EntitySymbol) -> None:
    """The rows that the first drawing makes."""
    first = tokens(node.drawings[0])
    left = min((token.offset for token in first), default=0)
    for token in first:
        name = cell_name(token.row, token.column)
        made = g.RowSymbol(name, node.drawings[0].span, entity=symbol, index=len(symbol.rows) + 1)
        made.printed = name
        made.grid = (token.row, token.column, token.offset - left)
        symbol.rows.append(made)
    for token in first if node.shape == "hexes" else []:
        if (token.offset - first[0].offset + token.row - first[0].row) % 2:
            c.error(
                "E0744",
                f"`{token.text}` in line {token.row} lies between the places of hexes",
                node.drawings[0].span,
                "hexes of a row lie two characters apart, and each row is shifted by one; a drawing with one character "
                "for each hex comes first",
            )
            break
    if not first:
        c.error("E0726", "this drawing has no cells", node.drawings[0].span)


def drawn_cells(c: Context, node: d.Entity, symbol: g.EntitySymbol) -> dict[str, list[Expression | None]]:
    """For each drawn column the expression of every cell."""
    found: dict[str, list[Expression | None]] = {}
    missing: set[str] = set()
    for drawing in node.drawings:
        name = drawing.column.text
        if name not in symbol.columns:
            c.error(
                "E0712",
                f"the table has no column `{name}`",
                drawing.column.span,
                c.suggest(name, list(symbol.columns), f"declare it: `column {name}: TYPE`"),
            )
            missing.update(set(symbol.columns) - {each.column.text for each in node.drawings})
            continue
        marks = tokens(drawing)
        found[name] = [None] * len(symbol.rows)
        if node.rows:
            continue  # drawn and listed, which was reported
        if len(marks) != len(symbol.rows):
            c.error(
                "E0727",
                f"this drawing has {len(marks)} cells, and the first one {len(symbol.rows)}",
                drawing.span,
                "every drawing of a board has the same cells",
            )
            continue
        legend = {glyph.glyph: glyph.value for glyph in drawing.legend}
        _unused(c, drawing, {mark.text for mark in marks})
        found[name] = [_value(c, drawing, mark, legend) for mark in marks]
        symbol.marks[name] = [mark.text for mark in marks]
    for name in missing:
        found.setdefault(name, [None] * len(symbol.rows))  # a misspelt drawing is one finding, not one for each cell
    return found


def _unused(c: Context, drawing: d.Drawing, drawn: set[str]) -> None:
    """What the legend explains should be drawn."""
    for glyph in drawing.legend:
        if drawn and glyph.glyph not in drawn:
            c.diagnostics.warning(
                "W0741",
                f"`{glyph.glyph}` stands in the legend, and nowhere in the drawing",
                glyph.span,
                "remove it, or draw it",
            )


def _value(c: Context, drawing: d.Drawing, mark: Token, legend: dict[str, Expression]) -> Expression | None:
    if mark.text in legend:
        return legend[mark.text]
    if mark.text.isdecimal():
        return s.IntLiteral(span=drawing.span, value=int(mark.text))
    if mark.text.isidentifier():
        return s.Name(span=drawing.span, name=Identifier(span=drawing.span, text=mark.text))
    c.error(
        "E0728",
        f"the drawing does not say what `{mark.text}` means",
        drawing.span,
        f'add it to the legend: `legend {{ "{mark.text}": ... }}`',
    )
    return None
