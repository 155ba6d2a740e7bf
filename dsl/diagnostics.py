"""Diagnostics: everything that can be wrong with a rules file, said once, at its place, with a remedy.

A `Diagnostic` is plain data; `render` draws it with the source line and a caret, `as_json` gives the same fields to
machines. Phases collect into one `Diagnostics` and go on, so that all findings of a file come out of one run.
"""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from regelwerk.dsl.source import Source, Span

Severity = Literal["error", "warning", "note", "fault"]
"""A `fault` is not a finding of the checker: it stopped a running game (`interpreter.faults`)."""


@dataclass(frozen=True, slots=True)
class Label:
    """A second place that belongs to a diagnostic, with what to say there."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Replacement:
    """Write `text` instead of what stands at `span`."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A remedy that a program can apply: in words, and as replacements that do not overlap."""

    title: str
    edits: tuple[Replacement, ...]


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding: a stable `code`, a message in the author's words, where, and one concrete remedy (`help`).

    `fix`: the remedy as replacements, where it cannot change how the game is played.
    """

    code: str
    severity: Severity
    message: str
    span: Span | None = None
    labels: tuple[Label, ...] = ()
    help: str | None = None
    fix: Fix | None = None


class RulesError(Exception):
    """A rules file that cannot be used; carries every diagnostic and the sources they point into."""

    def __init__(self, diagnostics: Iterable[Diagnostic], sources: Mapping[str, Source]) -> None:
        self.diagnostics = tuple(diagnostics)
        self.sources = dict(sources)
        super().__init__("\n\n".join(render(each, self.sources) for each in self.diagnostics))

    def __reduce__(self) -> tuple[type[RulesError], tuple[tuple[Diagnostic, ...], dict[str, Source]]]:
        """For processes that hand it to others."""
        return RulesError, (self.diagnostics, self.sources)


OFTEN = 3
"""The same finding at more places than this is said once, with their number."""


@dataclass(slots=True)
class Diagnostics:
    """Collects findings in the order they are made; of the same kind one is kept at a place."""

    items: list[Diagnostic] = field(default_factory=list)
    _seen: set[tuple[str, Span | str]] = field(default_factory=set)

    def add(self, diagnostic: Diagnostic) -> None:
        """Record one finding."""
        key = (diagnostic.code, diagnostic.span or diagnostic.message)
        if key not in self._seen:
            self._seen.add(key)
            self.items.append(diagnostic)

    def error(
        self, code: str, message: str, span: Span | None, help: str | None = None, labels: tuple[Label, ...] = ()
    ) -> None:
        """Record an error."""
        self.add(Diagnostic(code, "error", message, span, labels, help))

    def warning(
        self, code: str, message: str, span: Span | None, help: str | None = None, labels: tuple[Label, ...] = ()
    ) -> None:
        """Record a warning."""
        self.add(Diagnostic(code, "warning", message, span, labels, help))

    def forget_after(self, count: int) -> None:
        """Keep the first `count` findings only: what follows is judged anew."""
        del self.items[count:]
        self._seen = {(each.code, each.span or each.message) for each in self.items}

    @property
    def failed(self) -> bool:
        """Whether there is an error among them."""
        return any(each.severity == "error" for each in self.items)

    def in_order(self) -> tuple[Diagnostic, ...]:
        """All findings by file and place; what is said of more than three places is said once."""
        ordered = sorted(self.items, key=lambda d: (d.span.source, d.span.start) if d.span else ("", 0))
        counts: dict[tuple[str, str], int] = {}
        for each in ordered:
            counts[each.code, each.message] = counts.get((each.code, each.message), 0) + 1
        found: list[Diagnostic] = []
        for each in ordered:
            times = counts[each.code, each.message]
            if times > OFTEN:
                counts[each.code, each.message] = 0
                found.append(replace(each, message=f"{each.message} (and at {times - 1} further places)"))
            elif times:
                found.append(each)
        return tuple(found)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self.items)


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that `word` is most likely a misspelling of, or None."""
    pool = sorted(set(candidates))
    by_fold = {each.casefold(): each for each in reversed(pool)}
    folded = word.casefold()
    if folded in by_fold:
        return by_fold[folded]
    limit = _SWAPPED if len(folded) < 3 else 1 if len(folded) < 6 else 2
    slips: list[tuple[float, float, str]] = []
    for each in by_fold:
        if abs(len(each) - len(folded)) <= limit:
            slip = _slips(folded, each, limit)
            if slip <= limit:
                slips.append((slip, -difflib.SequenceMatcher(None, each, folded).ratio(), each))
    if slips:
        return by_fold[min(slips)[2]]
    found = difflib.get_close_matches(folded, list(by_fold), n=1, cutoff=0.65)
    return by_fold[found[0]] if found else None


_SWAPPED = 0.5  # two neighbouring letters in the wrong order: the most likely slip


def _slips(one: str, two: str, limit: float) -> float:
    """How many slips of the fingers make `one` of `two`; more than `limit` if there are more."""
    before: list[float] = []
    row: list[float] = [float(n) for n in range(len(two) + 1)]
    for i, a in enumerate(one, start=1):
        before, last, row = row, before, [float(i)]
        for j, b in enumerate(two, start=1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == two[j - 2] and b == one[i - 2]:
                cost = min(cost, last[j - 2] + _SWAPPED)
            row.append(cost)
        if min(row) > limit + 1:
            return limit + 1
    return row[-1]


WIDEST = 160
"""How many columns of a source line are shown at most."""

_LEFT = 60  # of a longer line, so many columns before the caret stay


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 0 if unicodedata.combining(c) else 1 for c in text)


def _visible(text: str) -> str:
    """The text with one mark for each tab and each character that a terminal would obey or hide."""
    return "".join(c if c.isprintable() else " " if c == "\t" else "\ufffd" for c in text)


def _cut(text: str, width: int) -> int:
    """How many characters from the start fit into a width."""
    used = 0
    for place, character in enumerate(text):
        used += _width(character)
        if used > width:
            return place
    return len(text)


def _window(before: str, marked: str, rest: str) -> tuple[str, str, str]:
    """The same, with `...` for what a line is too long by."""
    if _width(before + marked + rest) <= WIDEST:
        return before, marked, rest
    if _width(before) > _LEFT:
        back = before[::-1]
        before = "..." + back[: _cut(back, _LEFT)][::-1]
    room = WIDEST - _width(before) - 3
    if _width(marked) > room:
        return before, marked[: _cut(marked, room)] + "...", ""
    room -= _width(marked)
    return before, marked, rest if _width(rest) <= room + 3 else rest[: _cut(rest, room)] + "..."


def _excerpt(
    span: Span, note: str, sources: Mapping[str, Source], margin: int, shown: Callable[[str], str]
) -> list[str]:
    source = sources.get(span.source)
    if source is None:
        return []
    line, column = source.position(span.start)
    last_line, last_column = source.position(max(span.start, span.end))
    text = source.line(line)
    end = last_column - 1 if last_line == line else len(text)
    start, end = column - 1, max(end, column)
    before, marked, rest = _window(_visible(text[:start]), _visible(text[start:end]), _visible(text[end:]))
    caret = " " * _width(before) + "^" * max(1, _width(marked))
    blank = " " * margin
    return [
        f"{blank}--> {shown(span.source)}:{line}:{column}",
        f"{blank} |",
        f"{line:>{margin}} | {before}{marked}{rest}",
        f"{blank} | {caret}" + (f" {note}" if note else ""),
    ]


def render(diagnostic: Diagnostic, sources: Mapping[str, Source], shown: Callable[[str], str] = str) -> str:
    """The diagnostic as text: headline, excerpt with caret, further places, remedy. Ends without a line end.

    `shown` gives the names of sources as they are to be shown.
    """
    spans = [span for span in (diagnostic.span, *(label.span for label in diagnostic.labels)) if span is not None]
    numbers = [sources[span.source].position(span.start)[0] for span in spans if span.source in sources]
    margin = len(str(max(numbers, default=1)))
    lines = [f"{diagnostic.severity}[{diagnostic.code}]: {diagnostic.message}"]
    if diagnostic.span is not None:
        lines += _excerpt(diagnostic.span, "", sources, margin, shown)
    for label in diagnostic.labels:
        lines += _excerpt(label.span, label.text, sources, margin, shown)
    if diagnostic.help is not None:
        lines.append(f"{' ' * margin} = help: {diagnostic.help}")
    return "\n".join(lines)


def excerpt(span: Span, note: str, sources: Mapping[str, Source], shown: Callable[[str], str] = str) -> list[str]:
    """The lines that show a place: file and position, the source line, the caret with a note."""
    source = sources.get(span.source)
    if source is None:
        return []
    return _excerpt(span, note, sources, len(str(source.position(span.start)[0])), shown)


def as_json(diagnostic: Diagnostic, sources: Mapping[str, Source]) -> dict[str, object]:
    """The same fields as plain data; lines and columns are 1-based, `end` is exclusive."""

    def place(span: Span) -> dict[str, object]:
        source = sources.get(span.source)
        if source is None:
            return {"file": span.source}
        line, column = source.position(span.start)
        end_line, end_column = source.position(span.end)
        return {"file": span.source, "line": line, "column": column, "end_line": end_line, "end_column": end_column}

    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        "place": place(diagnostic.span) if diagnostic.span is not None else None,
        "labels": [{**place(label.span), "text": label.text} for label in diagnostic.labels],
        "help": diagnostic.help,
        "fix": None
        if diagnostic.fix is None
        else {
            "title": diagnostic.fix.title,
            "edits": [{**place(each.span), "text": each.text} for each in diagnostic.fix.edits],
        },
    }
