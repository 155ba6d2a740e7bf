"""Programs as trees of pieces of text.

What the checker refuses is cut out of the tree, so that nearly every program is checked clean in the end; the same tree
serves to make a program small that shows a difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from regelwerk.dsl.model import game as g
from regelwerk.dsl.source import Source
from regelwerk.interpreter.loading import check_source

NAME = "random.rules"


@dataclass(eq=False)
class Piece:
    """Text with other pieces inside; `needed`: it cannot be cut out alone."""

    before: str
    inner: list[Piece] = field(default_factory=list)
    after: str = ""
    needed: bool = False
    gone: bool = False

    def write(self, out: list[str], spans: list[tuple[int, int, Piece]], at: int) -> int:
        """Append the text; gives the place behind it."""
        if self.gone:
            return at
        start = at
        out.append(self.before)
        at += len(self.before)
        for each in self.inner:
            at = each.write(out, spans, at)
        out.append(self.after)
        at += len(self.after)
        spans.append((start, at, self))
        return at

    def all(self) -> Iterator[Piece]:
        """This and all pieces inside that are there."""
        if not self.gone:
            yield self
            for each in self.inner:
                yield from each.all()


def text_of(root: Piece) -> tuple[str, list[tuple[int, int, Piece]]]:
    """The text of a tree, and where its pieces stand."""
    out: list[str] = []
    spans: list[tuple[int, int, Piece]] = []
    root.write(out, spans, 0)
    return "".join(out), spans


def checked(root: Piece) -> g.CheckedGame | None:
    """The checked game of a tree; what is wrong is cut out of it."""
    for _ in range(60):
        text, spans = text_of(root)
        result = check_source(Source(NAME, text), False)
        if result.game is not None:
            return result.game
        cut = False
        for each in result.diagnostics:
            if each.severity != "error":
                continue
            places = [span for span in (each.span, *(label.span for label in each.labels)) if span is not None]
            inside = [
                (end - start, k)
                for k, (start, end, piece) in enumerate(spans)
                if any(start <= place.start < end for place in places) and not piece.needed
            ]
            if inside:
                spans[min(inside)[1]][2].gone = True
                cut = True
        if not cut:
            return None
    return None


def smaller(root: Piece, fails: Callable[[g.CheckedGame], bool]) -> None:
    """Cut out of the tree whatever can be cut while the program still fails."""
    changed = True
    while changed:
        changed = False
        for each in list(root.all()):
            if each.needed or each.gone:
                continue
            each.gone = True
            text, _ = text_of(root)
            game = check_source(Source(NAME, text), False).game
            if game is not None and fails(game):
                changed = True
            else:
                each.gone = False
