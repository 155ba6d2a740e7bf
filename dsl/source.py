"""Source texts and the spans that point into them."""

from __future__ import annotations

import bisect
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open range of characters of one source text.

    `source` is the name the text was loaded under (a path, or `<std>/turns`); `start` and `end` are 0-based character
    offsets with `start <= end`.
    """

    source: str
    start: int
    end: int

    def to(self, other: Span) -> Span:
        """The span from the start of this one to the end of `other` (same source)."""
        return Span(self.source, self.start, max(self.end, other.end))


@dataclass(slots=True)
class Source:
    """One rules text with its name; knows lines and columns."""

    name: str
    text: str
    _starts: list[int] = field(default_factory=list, repr=False, compare=False)

    def _line_starts(self) -> list[int]:
        if not self._starts:
            self._starts = [0]
            self._starts.extend(i + 1 for i, character in enumerate(self.text) if character == "\n")
        return self._starts

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column (both 1-based, in code points) of a character offset."""
        starts = self._line_starts()
        line = bisect.bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of line `number` (1-based) without its line end; empty past the end."""
        starts = self._line_starts()
        if not 1 <= number <= len(starts):
            return ""
        end = starts[number] - 1 if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end].rstrip("\r")

    def offset(self, number: int) -> int:
        """Where line `number` (1-based) begins."""
        return self._line_starts()[number - 1]
