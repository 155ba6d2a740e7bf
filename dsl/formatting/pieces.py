"""What the formatter knows of a text: its tokens with their kinds, its comments, and where its clauses begin.

The parsing machine runs over the tokens once more, with a builder that makes no nodes of the syntax tree but notes what
each production means for the layout: this `-` is a sign, this brace opens a set and no block, here a clause begins.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from regelwerk.dsl.automaton import automaton
from regelwerk.dsl.diagnostics import Diagnostics
from regelwerk.dsl.lexing import Token, tokenize
from regelwerk.dsl.parsing_machine import Machine

COMMENT = "COMMENT"
ROW = "ROW"
TABLE_ROW = "row"
PLACED_ROW = "placed row"  # `before NAME | cell |`
OPENERS = frozenset({"LBRACE", "LPAR", "LSQB"})
CLOSERS = frozenset({"RBRACE", "RPAR", "RSQB"})
PAIRED = frozenset({"case", "glyph"})
"""Clauses of braces that stand in an expression or behind a picture, not around the body of a clause."""

_ANY = None
CLAUSES: dict[str, frozenset[str] | None] = {
    "start": _ANY,
    "section": _ANY,
    "block": _ANY,
    "given": _ANY,
    "library": _ANY,
    "game": frozenset({"players", "seats", "cap", "triggers"}),
    "enum": frozenset({"noun", "enum_numbers"}),
    "entity": frozenset({"column", "drawing"}),
    "interface": frozenset({"signature"}),
    "score": frozenset({"line"}),
    "action": frozenset({"require", "cost", "let", "doing"}),
    "record": frozenset({"require"}),
    "phase": frozenset({"phase", "step", "offer"}),
    "one_of": frozenset({"labelled"}),
    "any_order": frozenset({"labelled"}),
    "choose_of": frozenset({"labelled"}),
    "by_cases": frozenset({"case"}),
    "drawing": frozenset({"glyph"}),
    "extend": frozenset(
        ["placed", "column", "require", "cost", "line", "offer", "players", "member", "new_param", "signature"]
    ),
    "scenario": frozenset(["with_players", "with_option", "same_as", "given", "play", "then_"]),
    "play": frozenset({"when_", "chance", "then_"}),
}
"""The productions in whose braces clauses follow each other, and which of their parts these are (None: all)."""

_ROLES = frozenset({"before", "after", "instead", "modify", "forbid", "waive"})
_NO_CLAUSE = frozenset({"cites", "names"})


class Piece:
    """A token or a comment, with all that the layout wants to know of it.

    breaks    line ends before it: 0, 1, or 2 for an empty line
    gap       blanks before it on its line, in the source
    column    where it stands on its line, in the source
    clause    the production of the clause that begins with it
    tight     no blank follows (a sign, the brace of a set)
    apart     a blank stands before it where usually none does (`.owner` of `it`, the bracket of a record)
    further   not the first of several rules of a cell
    mate      of a bracket: the other one
    block     a brace around clauses
    body      such a brace that is the body of a clause (not of cases or a legend)
    hanging   an opening bracket that ends its line, and whose mate begins one
    """

    __slots__ = (
        "apart",
        "block",
        "body",
        "breaks",
        "clause",
        "column",
        "further",
        "gap",
        "hanging",
        "kind",
        "mate",
        "text",
        "tight",
    )

    def __init__(self, kind: str, text: str, breaks: int, gap: int, column: int) -> None:
        self.kind = kind
        self.text = text
        self.breaks = breaks
        self.gap = gap
        self.column = column
        self.clause: str | None = None
        self.tight = False
        self.apart = False
        self.further = False
        self.block = False
        self.body = False
        self.hanging = False
        self.mate: Piece | None = None

    def __repr__(self) -> str:
        return f"Piece({self.kind}, {self.text!r})"


@dataclass(frozen=True, slots=True)
class _Made:
    """A production that the machine has reduced, and where it stands."""

    name: str
    start: int
    end: int


@dataclass(slots=True)
class _Notes:
    """What the productions mean for the layout, by offsets in the text."""

    clauses: dict[int, str] = field(default_factory=dict)
    sets: set[int] = field(default_factory=set)
    signs: set[int] = field(default_factory=set)
    apart: set[int] = field(default_factory=set)
    open_ranges: set[int] = field(default_factory=set)
    further: set[int] = field(default_factory=set)
    placed_rows: set[int] = field(default_factory=set)

    def build(self, name: str, children: list[Any], start: int, end: int) -> _Made:
        """Note what a production says of the layout (called by the machine)."""
        if name in CLAUSES:
            self._clauses(name, children)
        elif name == "set_":
            self.sets.update((start, end - 1))
        elif name == "neg":
            self.signs.add(start)
        elif name == "from_type":
            self.open_ranges.add(end - 2)
        elif name == "it_dot":
            self.apart.add(start)
        elif name in ("cell", "change"):
            roles = [each.start for each in children if isinstance(each, _Made) and each.name in _ROLES]
            self.further.update(roles[1:])
        elif name == "placed" and any(isinstance(each, Token) and each.kind == ROW for each in children):
            self.placed_rows.add(start)
        if name == "record":
            self.apart.update(each.start for each in children if isinstance(each, _Made) and each.name == "choices")
        return _Made(name, start, end)

    def _clauses(self, name: str, children: list[Any]) -> None:
        kinds = CLAUSES[name]
        for child in children[1:] if name == "enum" else children:
            if isinstance(child, _Made):
                if child.name not in _NO_CLAUSE if kinds is None else child.name in kinds:
                    self.clauses[child.start] = child.name
            elif isinstance(child, Token) and child.kind == ROW:
                self.clauses[child.start] = TABLE_ROW


_COMMENT = re.compile(r"//[^\n]*")


class _Reader:
    """Makes the pieces of a text, from its start to its end."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.pieces: list[Piece] = []
        self.place = 0  # behind the last piece
        self.line = 0  # where the line of `place` begins

    def add(self, kind: str, word: str, start: int) -> Piece:
        breaks = self.text.count("\n", self.place, start)
        if breaks:
            self.line = self.text.rindex("\n", self.place, start) + 1
        gap = start - max(self.place, self.line)
        piece = Piece(kind, word, min(breaks, 2), gap, start - self.line)
        self.pieces.append(piece)
        self.place = start + len(word)
        if kind == "DRAWING" and "\n" in word:
            self.line = start + word.rindex("\n") + 1
        return piece

    def comments(self, until: int) -> None:
        """Add the comments between here and there, where nothing else stands."""
        for match in _COMMENT.finditer(self.text, self.place, until):
            self.add(COMMENT, match.group().rstrip(), match.start())
            self.place = match.end()


def read(text: str) -> list[Piece]:
    """The pieces of a text without syntax errors."""
    tables = automaton()
    tokens = tokenize("", text, 0, len(text), tables.literals, Diagnostics()).tokens
    notes = _Notes()
    Machine(tables, notes.build).run("start", tokens)
    reader = _Reader(text)
    stack: list[Piece] = []
    for token in tokens:
        if token.kind == "$JOINED":
            continue
        reader.comments(token.start)
        if token.kind == "$END":
            break
        piece = reader.add(token.kind, text[token.start : token.end], token.start)
        _describe(piece, token.start, notes)
        if piece.clause in PAIRED:
            stack[-1].body = False
        if token.kind in OPENERS:
            stack.append(piece)
        elif token.kind in CLOSERS:
            opener = stack.pop()
            opener.mate, piece.mate, piece.body = piece, opener, opener.body
    return reader.pieces


def _describe(piece: Piece, start: int, notes: _Notes) -> None:
    piece.clause = PLACED_ROW if start in notes.placed_rows else notes.clauses.get(start)
    piece.apart = start in notes.apart
    piece.further = start in notes.further
    if piece.kind in ("LBRACE", "RBRACE"):
        if start in notes.sets:
            piece.tight = piece.kind == "LBRACE"
        else:
            piece.block = piece.body = True
    elif start in notes.signs:
        piece.tight = True
    elif start in notes.open_ranges:
        piece.apart = True


def cell_pieces(text: str, entry: str) -> list[Piece]:
    """The pieces of the cell of a table."""
    tables = automaton()
    tokens = tokenize("", text, 0, len(text), tables.literals, Diagnostics()).tokens
    notes = _Notes()
    Machine(tables, notes.build).run(entry, tokens)
    reader = _Reader(text)
    for token in tokens:
        if token.kind not in ("$JOINED", "$END"):
            piece = reader.add(token.kind, text[token.start : token.end], token.start)
            _describe(piece, token.start, notes)
    return reader.pieces


__all__ = [
    "CLAUSES", "CLOSERS", "COMMENT", "OPENERS", "PAIRED", "PLACED_ROW", "ROW", "TABLE_ROW", "Piece", "cell_pieces",
    "read",
]  # fmt: skip
