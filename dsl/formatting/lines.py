"""The lines of a text: where they break, and how far they are indented.

Lines break where their author broke them, but for the braces of blocks: either a block stands on one line, or its first
brace ends a line and its last one begins one. Comments end their lines, so they stay where they are.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from regelwerk.dsl.formatting.pieces import CLOSERS, COMMENT, OPENERS, PAIRED, PLACED_ROW, TABLE_ROW, Piece

STEP = 2  # of indentation; what goes on in the next line is indented by it, too, or twice if a body follows


@dataclass(slots=True)
class Line:
    """One line: what stands on it, behind `indent` blanks.

    wish     where a comment at its end stood in the source
    aligned  blanks before a piece, where they are not the usual ones; by its place
    """

    pieces: list[Piece]
    indent: int = 0
    blank: bool = False
    comment: Piece | None = None
    aligned: dict[int, int] = field(default_factory=dict)

    @property
    def first(self) -> Piece:
        """Its first piece."""
        return self.pieces[0]


@dataclass(slots=True)
class _Frame:
    """What a bracket that is open means for the lines inside.

    hanging  lines inside are indented by themselves
    inside   how far they are indented
    outside  how far the bracket that closes it is indented
    clause   the clause being read; `begun`, `line`: the indentation and number of its first line
    line     of a bracket without clauses: the number of its line
    """

    hanging: bool
    inside: int
    outside: int
    clause: Piece | None = None
    begun: int = 0
    line: int = 0


def break_braces(pieces: list[Piece]) -> list[Piece]:
    """Settle where the braces of blocks stand (changes `breaks` and `hanging`, and the place of a comment)."""
    found: list[Piece] = []
    for piece in pieces:
        if piece.kind == "LBRACE" and piece.block and piece.breaks and found:
            before = found[-1]
            if before.kind != COMMENT:
                piece.breaks = piece.gap = 0
            elif not before.breaks and len(found) > 1:  # behind the comment of its line: before it
                piece.breaks = piece.gap = 0
                found.insert(-1, piece)
                continue
        found.append(piece)
    if found:
        found[0].breaks = 0
    for before, after in pairwise(found):
        if before.kind == COMMENT and not after.breaks:
            after.breaks, after.gap = 1, 0
    _open_braces(found)
    return found


@dataclass(slots=True)
class _Braces:
    """Brackets that are open while lines are broken (None: the whole text), and the clause being read in them.

    first  it is their first one
    spans  a clause has ended on the present line that has several lines
    lines  there are brackets inside that have lines of their own
    """

    opener: Piece | None
    clause: Piece | None = None
    first: bool = True
    spans: bool = False
    lines: bool = False

    def hang(self) -> None:
        """Give what is inside lines of its own."""
        if self.opener is not None:
            self.opener.hanging = True


def _open_braces(pieces: list[Piece]) -> None:
    """Find the brackets that hang, and break the lines at both ends of the braces that do.

    A clause whose body has lines of its own shares its first and its last line with no other clause.
    """
    stack = [_Braces(None)]
    before: Piece | None = None
    for index, piece in enumerate(pieces):
        if piece.kind in CLOSERS:
            _close(stack, piece, before)
        elif piece.kind == COMMENT:
            if piece.breaks and stack[-1].opener is not None and stack[-1].opener.block:
                stack[-1].hang()
        elif piece.clause is not None:
            _begin(stack[-1], piece)
        if piece.kind in OPENERS:
            after = pieces[index + 1]
            piece.hanging = after is not piece.mate and (bool(after.breaks) or after.kind == COMMENT)
            stack.append(_Braces(piece))
        before = piece
    for before, after in pairwise(pieces):
        if before.kind in OPENERS:
            if before.hanging and not (after.kind == COMMENT and not after.breaks):
                after.breaks = 1
            elif after is before.mate and before.block:
                after.breaks = after.gap = 0
        if after.kind in CLOSERS and after.mate is not None and after.mate is not before:
            if after.block and after.mate.hanging:
                after.breaks = 1
            after.breaks = min(after.breaks, 1)


def _begin(braces: _Braces, piece: Piece) -> None:
    """A clause begins in the innermost brackets."""
    row = piece.clause in (TABLE_ROW, PLACED_ROW)
    if not piece.breaks and (row or (braces.spans and piece.clause not in PAIRED)):
        piece.breaks = 1
    if piece.breaks and braces.opener is not None and braces.opener.block:
        braces.hang()
    braces.first = braces.clause is None
    braces.clause = piece
    braces.spans = False


def _close(stack: list[_Braces], piece: Piece, before: Piece | None) -> None:
    inner = stack.pop()
    opener = inner.opener
    assert opener is not None
    if opener.block and piece.breaks and before is not opener:
        opener.hanging = True
    if not (opener.hanging or inner.lines):
        return
    braces = stack[-1]
    braces.spans = braces.lines = True
    if braces.clause is not None and not braces.first and not braces.clause.breaks:
        braces.clause.breaks = 1
        braces.hang()


def make_lines(pieces: list[Piece]) -> list[Line]:
    """The lines of settled pieces, indented."""
    return _Indenting(pieces).lines()


class _Indenting:
    """Goes through the pieces once, with what is open."""

    def __init__(self, pieces: list[Piece]) -> None:
        self.pieces = pieces
        self.bodies = _bodies(pieces)
        self.frames = [_Frame(True, 0, 0)]

    def lines(self) -> list[Line]:
        lines: list[Line] = []
        waiting: list[Line] = []  # comments that are indented as what follows them
        for index, piece in enumerate(self.pieces):
            if piece.kind == COMMENT:
                if piece.breaks or (not lines and not waiting):
                    waiting.append(Line([piece], 0, piece.breaks > 1))
                else:
                    (waiting or lines)[-1].comment = piece
                continue
            if piece.breaks or not lines:
                indent = self._indent(index, piece)
                for comment in waiting:
                    comment.indent = self._inside(piece, indent)
                lines += waiting
                waiting = []
                lines.append(Line([piece], indent, piece.breaks > 1))
            else:
                lines[-1].pieces.append(piece)
            self._enter(piece, lines[-1].indent, len(lines))
        lines += waiting
        return lines

    def _inside(self, piece: Piece, indent: int) -> int:
        """How far a comment before a piece is indented."""
        if piece.kind in CLOSERS and self.frames[-1].hanging:
            return self.frames[-1].inside
        return indent

    def _indent(self, index: int, piece: Piece) -> int:
        frame = self.frames[-1]
        if piece.kind in CLOSERS:
            return frame.outside
        if piece.clause is not None and frame.hanging:
            return frame.inside
        depth = len(self.frames) - 1
        while not self.frames[depth].hanging:
            depth -= 1
        frame = self.frames[depth]
        if frame.clause is None:
            return frame.inside
        if piece.kind == "ELSE" and depth == len(self.frames) - 1 and self._after_block(index):
            return frame.begun
        if piece.kind == "LBRACE" and piece.block:
            return frame.begun
        body = self.bodies.get(id(frame.clause), -1) > index
        opened = {each.line for each in self.frames[depth + 1 :]} - {frame.line}
        return frame.begun + STEP * (1 + body + len(opened))

    def _after_block(self, index: int) -> bool:
        index -= 1
        while self.pieces[index].kind == COMMENT:
            index -= 1
        return self.pieces[index].kind == "RBRACE" and self.pieces[index].block

    def _enter(self, piece: Piece, indent: int, line: int) -> None:
        frame = self.frames[-1]
        if piece.kind in CLOSERS:
            self.frames.pop()
            return
        if piece.clause is not None:
            frame.clause, frame.begun, frame.line = piece, indent, line
        if piece.kind in OPENERS:
            outside = indent
            if piece.body and frame.clause is not None:
                outside = frame.begun
            self.frames.append(_Frame(piece.hanging, outside + STEP, outside, line=line))


def _bodies(pieces: list[Piece]) -> dict[int, int]:
    """Where the last block of a clause opens that has lines of its own: by the identity of the clause's first piece."""
    found: dict[int, int] = {}
    clauses: list[Piece | None] = [None]
    for index, piece in enumerate(pieces):
        if piece.kind in CLOSERS:
            clauses.pop()
            continue
        if piece.clause is not None:
            clauses[-1] = piece
        if piece.kind in OPENERS:
            clause = clauses[-1]
            if clause is not None and piece.body and piece.hanging:
                found[id(clause)] = index
            clauses.append(None)
    return found


__all__ = ["STEP", "Line", "break_braces", "make_lines"]
