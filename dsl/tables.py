"""Table rows and drawings: one token each, taken apart here.

A row is split at its pipes and every cell is parsed alone at its own place, so that an error in a cell spoils that
cell only. Called by the builders of things and overlays; the cells run through the same machine (`Builder.island`).
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from regelwerk.dsl.builder import Builder, Cites, Part, Parts, builds
from regelwerk.dsl.diagnostics import Label
from regelwerk.dsl.lexing import MAX_NAME, Token, indentation, show
from regelwerk.dsl.parse_errors import Code
from regelwerk.dsl.source import Span
from regelwerk.dsl.syntax.base import Citation, Expression, Identifier
from regelwerk.dsl.syntax.declarations import Cell, CellEffect, CellExpression, CellRules, Drawing, Glyph, Row
from regelwerk.dsl.syntax.effects import Block
from regelwerk.dsl.syntax.expressions import Name
from regelwerk.dsl.syntax.rules import Role

MAX_ROWS = 1024
_WORD = re.compile(r"[^\W\d]\w*")
_PIPE = re.compile(r'"[^"]*"|\|')
_PIPE_OR_SEMICOLON = re.compile(r'"[^"]*"|[|;]')
_OR = re.compile(r'"[^"]*"|\|\|')
_RULER = re.compile(r"\|(?:\s*:?[-=]+:?\s*\|)+")
_EMPTY = re.compile(r"[-–—―−_.~*/]+|n/?a|N/A|nil|null|leer|empty")
_GAP = re.compile(r'"[^"]*"|( {2,})')  # more than one blank: where a pipe is lost


@dataclass(frozen=True, slots=True)
class Strip:
    """One cell as written: its text without the blanks around it, and where that stands."""

    text: str
    start: int
    end: int


def split_row(token: Token, mark: re.Pattern[str] = _PIPE) -> list[Strip]:
    """The cells between the pipes of a row; pipes in texts do not count."""
    text = token.text
    pipes = [match.start() for match in mark.finditer(text) if len(match.group()) == 1]
    if pipes[-1] < len(text) - 1:  # the last pipe is missing (already reported)
        pipes.append(len(text))
    cells = []
    for left, right in pairwise(pipes):
        inner = text[left + 1 : right]
        stripped = inner.strip()
        start = token.start + left + 1 + (len(inner) - len(inner.lstrip()) if stripped else len(inner))
        cells.append(Strip(stripped, start, start + len(stripped)))
    return cells


def _is_open(token: Token) -> bool:
    """Whether the last pipe of a row is missing (which is reported)."""
    return len(token.text) == 1 or not token.text.endswith("|")


def _silent(code: str, message: str, span: Span, help: str) -> None:
    """Say nothing."""


class TableReader:
    """Reads the rows of one pair of braces: the first is the header."""

    def __init__(self, b: Builder) -> None:
        self.b = b
        self.header: list[Identifier] | None = None
        self.header_span: Span | None = None
        self.count = 0
        self.misheaded = False
        self.open: Token | None = None  # a row without its last pipe
        self.odd: set[int] = set()  # numbers of cells already reported: a wrong header would be said once for each row

    def read(self, token: Token) -> Row | None:
        """The row of a token; None for the header and for what is no row."""
        before, self.open = self.open, None
        if before is not None and self._goes_on(before, token):
            message, help = "a table row stands on one line", "put it together on one line"
            span = self.b.span(before)
            found = self.b.diagnostics
            found.items[:] = [
                each
                for each in found.items
                if each.code != Code.OPEN_ROW or each.span not in (span, self.b.span(token))
            ]
            found.error(Code.HEADER if self.header is None else Code.CELL_COUNT, message, span, help)
            if self.header is None:
                self._read_header(before)
                self.misheaded = True
                self.odd.update(range(MAX_ROWS))
            return None
        if before is not None and self.header is None:
            self._read_header(before)
        if _is_open(token):
            self.open = token  # perhaps it goes on in the next line
            if self.header is None or len(split_row(token)) < len(self.header):
                return None
        if self.header is None:
            self._read_header(token)
            return None
        if self.count == 0 and _RULER.fullmatch(token.text):
            message, help = "a table needs no line under its header", "delete this line"
            self.b.diagnostics.error(Code.HEADER, message, self.b.span(token), help)
            return None
        self.count += 1
        if self.count > MAX_ROWS:
            if self.count == MAX_ROWS + 1:
                self.b.diagnostics.error(Code.LONG_TABLE, f"a table has at most {MAX_ROWS} rows", self.b.span(token))
            return None
        return self._read_row(token, self.header)

    def _goes_on(self, before: Token, token: Token) -> bool:
        """Whether a row is the rest of the one before."""
        if len(token.text) == 1 or indentation(self.b.text, token) > indentation(self.b.text, before):
            return True
        cells = len(split_row(before)) + len(split_row(token))
        return self.header is not None and not _is_open(token) and cells == len(self.header)

    def _read_header(self, token: Token) -> None:
        b = self.b
        self.header, self.header_span = [], b.span(token)
        seen: set[str] = set()
        for cell in self._parted(token, split_row(token)):
            span = Span(b.name, cell.start, max(cell.end, cell.start + 1))
            word = unicodedata.normalize("NFC", cell.text)
            if not _WORD.fullmatch(word) or len(word) > MAX_NAME:
                report = b.diagnostics.error if not self.misheaded else _silent  # one is enough
                report(
                    Code.HEADER,
                    f"`{show(cell.text)}` is not a column name" if cell.text else "a column has no name",
                    span,
                    "the first row of a table names its columns, each with one plain word",
                )
                word = word if word and word.isprintable() else "?"
                self.odd.update(range(len(token.text)))  # the rows are probably right
                self.misheaded = True
            elif word in seen:
                b.diagnostics.error(Code.HEADER, f"column `{word}` is there twice", span)
            seen.add(word)
            self.header.append(Identifier(span=Span(b.name, cell.start, cell.end), text=word))

    def _parted(self, token: Token, cells: list[Strip]) -> list[Strip]:
        """The cells of a row; if semicolons stand between them (which is reported), these part them, too."""
        parted = split_row(token, _PIPE_OR_SEMICOLON)
        if len(parted) == len(cells):
            return cells
        place = self.b.text.index(";", parted[0].end)
        self.b.diagnostics.error(
            Code.CELL_COUNT, "cells are parted by `|`, not by `;`", Span(self.b.name, place, place + 1), "write `|`"
        )
        return parted

    def _read_row(self, token: Token, header: list[Identifier]) -> Row | None:
        b = self.b
        cells = split_row(token)
        if len(cells) < len(header):
            cells = self._parted(token, cells)
        if not cells or not cells[0].text:
            b.diagnostics.error(
                Code.ROW_NAME, "a row begins with its name", b.span(token), "write a name into its first cell"
            )
            return None
        if len(cells) != len(header) and len(cells) not in self.odd:
            self.odd.add(len(cells))
            assert self.header_span is not None
            either = next((match for match in _OR.finditer(token.text) if match.group() == "||"), None)
            if either is not None and len(cells) > len(header):
                place = token.start + either.start()
                b.diagnostics.error(
                    Code.CELL_COUNT,
                    "`||` ends a cell here; conditions are joined by `or`",
                    Span(b.name, place, place + 2),
                    "write `or`",
                )
                return None
            self._miscounted(token, cells, len(header), self.header_span)
            return None
        if len(cells) != len(header) and not self.misheaded:
            return None  # said once for all rows of this length
        if self._is_long_name(cells[0]):
            return None
        named = b.island("cell_name", cells[0].start, cells[0].end, Code.ROW_NAME, "the name of this row")
        if not isinstance(named, Part):
            return None
        name, printed = named.value
        columns: list[Identifier] = []
        values: list[Cell | None] = []
        citations: tuple[Citation, ...] = ()
        for position, column in enumerate(header[1:], start=1):
            cell = cells[position] if position < len(cells) else Strip("", token.end, token.end)
            where = f"column `{column.text}` of row `{name.text}`"
            if column.text == "rule":
                if cell.text:
                    found = b.island("cell_cites", cell.start, cell.end, Code.CITATION, where)
                    citations += tuple(found) if isinstance(found, Cites) else ()
                continue
            columns.append(column)
            values.append(self._read_cell(cell, where) if cell.text else None)
        return Row(
            span=b.span(token),
            name=name,
            printed=printed,
            columns=tuple(columns),
            cells=tuple(values),
            citations=citations,
        )

    def _is_long_name(self, cell: Strip) -> bool:
        """Report a name of several words, or one in quotes only."""
        words = re.findall(r"\w+", cell.text)
        printed = re.fullmatch(r"([a-z]\w*|\w*\d) ([A-ZÄÖÜ][\w -]*)", cell.text)
        if printed is not None and not printed.group(1)[0].isdecimal():
            message = "what is printed of a row stands in quotes behind its name"
            help = f'write `{printed.group(1)} "{show(printed.group(2))}"`'
        elif re.fullmatch(r"[^\W\d]\w*(?:[ -]\w+)+", cell.text):
            name = re.sub("_+", "_", "_".join(words))
            message, help = "the name of a row is one word", f'write `{name}`, or `{name.lower()} "{show(cell.text)}"`'
        elif re.fullmatch(r'"[^"]+"', cell.text) and words:
            name = "_".join(words).lower()
            message = "a row begins with its name; what is printed stands behind it"
            help = f"write `{name if not name[0].isdecimal() else '_' + name} {show(cell.text)}`"
        else:
            return False
        self.b.diagnostics.error(Code.ROW_NAME, message, Span(self.b.name, cell.start, cell.end), help)
        return True

    def _is_odd_cell(self, cell: Strip, where: str) -> bool:
        """Report what stands for an empty cell, and gains without a keyword."""
        gain = re.fullmatch(r"\+ ?(\d+)( [^\W\d]\w*)?", cell.text)
        if _EMPTY.fullmatch(cell.text):
            message, help = "an empty cell is left blank", f"delete `{show(cell.text)}`, but keep the `|`"
        elif gain is not None and gain.group(2):
            message, help = "an effect begins with a keyword", f"write `gain {gain.group(1)}{gain.group(2)}`"
        elif gain is not None:
            message, help = "a number stands without `+`", f"write `{gain.group(1)}`"
        else:
            return False
        self.b.diagnostics.error(Code.CELL, f"{where}: {message}", Span(self.b.name, cell.start, cell.end), help)
        return True

    def _miscounted(self, token: Token, cells: list[Strip], wanted: int, header: Span) -> None:
        """Report a row with too few or too many cells; what stands in them follows from that."""
        span, message = self.b.span(token), f"this row has {_counted(len(cells), 'cell')}, its header {wanted}"
        if len(cells) > wanted:
            help = "delete what is too much, or name the column in the header"
        else:
            help = "leave a cell blank, but keep its `|`"
            gaps = [gap for cell in cells for gap in _GAP.finditer(cell.text) if gap.group(1)]
            if len(gaps) == wanted - len(cells) == 1:
                cell = next(cell for cell in cells if any(gap.group(1) for gap in _GAP.finditer(cell.text)))
                before, after = cell.text[: gaps[0].start()].rstrip(), cell.text[gaps[0].end() :].lstrip()
                span = Span(self.b.name, cell.start + gaps[0].start(), cell.start + gaps[0].end())
                help = f"put `|` between `{show(before)}` and `{show(after)}`"
        self.b.diagnostics.error(Code.CELL_COUNT, message, span, help, (Label(header, "the header"),))

    def _read_cell(self, cell: Strip, where: str) -> Cell | None:
        b = self.b
        span = Span(b.name, cell.start, cell.end)
        if _WORD.fullmatch(cell.text) and cell.text in b.automaton.literals and cell.text not in _VALUES:
            # A thing may well be called `set` or `gain`; alone, a keyword could not be an effect anyway.
            return CellExpression(
                span=span,
                value=Name(span=span, name=b.identifier(Token("NAME", cell.text, cell.start, cell.end, False))),
            )
        if self._is_odd_cell(cell, where):
            return None
        b.cell = where
        value = b.island("cell", cell.start, cell.end, Code.CELL, where)
        b.cell = None
        if isinstance(value, Part) and value.kind == "cell":
            return _cell_of(value.value, span)
        return None


_VALUES = frozenset({"none", "yes", "no", "nothing", "if", "by", "not"})


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _cell_of(content: list[Any], span: Span) -> Cell | None:
    first = content[0]
    if isinstance(first, Block):
        return CellEffect(span=span, body=first)
    if isinstance(first, Expression):
        return CellExpression(span=span, value=first)
    return CellRules(span=span, roles=tuple(role for role in content if isinstance(role, Role)))


@builds("cell")
def _cell(b: Builder, parts: Parts, span: Span) -> Part:
    return Part("cell", parts.items[::-1], span)


@builds("cell_name")
def _cell_name(b: Builder, parts: Parts, span: Span) -> Part:
    return Part("cell_name", (b.declared(parts), b.plain(parts)), span)


@builds("hole")
def _hole(b: Builder, parts: Parts, span: Span) -> Expression:
    return parts.take(Expression)


# ------------------------------------------------------------------------------------------------------------ drawings
@builds("glyph")
def _glyph(b: Builder, parts: Parts, span: Span) -> Glyph:
    return Glyph(span=span, glyph=b.plain(parts) or "", value=parts.take(Expression))


@builds("drawing")
def _drawing(b: Builder, parts: Parts, span: Span) -> Drawing:
    column = b.named(parts)
    token = parts.take(Token)
    if "\t" in token.text:
        place = token.start + token.text.index("\t")
        b.diagnostics.error(
            Code.TAB,
            "a tab cannot stand in a drawing",
            Span(b.name, place, place + 1),
            "use blanks: the columns of a drawing count",
        )
    lines = [line.rstrip() for line in token.text[3:-3].split("\n")]
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    legend: dict[str, Glyph] = {}
    for glyph in parts.all(Glyph):
        first = legend.setdefault(glyph.glyph, glyph)
        if first is not glyph:
            b.diagnostics.error(
                Code.TWICE,
                f'the legend explains "{show(glyph.glyph)}" twice',
                glyph.span,
                "delete one of them",
                (Label(first.span, "the other one"),),
            )
    return Drawing(span=span, column=column, lines=tuple(lines), legend=tuple(legend.values()))
