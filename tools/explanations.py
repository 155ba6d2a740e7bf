"""Explanations as text: legality trees with marks, sources, values and places, no wider than the screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import PurePath

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from regelwerk.dsl.source import Span
from regelwerk.interpreter.api import Game
from regelwerk.interpreter.explaining.nearest import changes, size
from regelwerk.interpreter.explaining.reasons import Entry, Explanation, Points, Reason

MARKS = {True: "✓", False: "✗", None: "·"}
PLAIN_MARKS = {True: "+", False: "-", None: "."}
STYLES = {True: "green", False: "bold red", None: "dim"}

PLAINLY = {"start": "at the start", "set": "set otherwise", "unknown": "from before the record"}
"""Entries that no statement gave."""

ELEMENTS = 3
"""So many elements of a quantifier are shown."""

LONGEST = 160
"""A longer piece of source is cut."""


@dataclass(frozen=True)
class Line:
    """One line of an explanation, and how far it is indented."""

    depth: int
    text: Text


class Writer:
    """Writes explanations of one game; `unicode`: whether the screen has the marks."""

    def __init__(self, game: Game, unicode: bool = True) -> None:
        self.game = game
        self.marks = MARKS if unicode else PLAIN_MARKS

    def place(self, span: Span | None) -> str:
        """`file:line`, without its folder."""
        source = self.game.sources.get(span.source) if span is not None else None
        if source is None or span is None:
            return ""
        return f"{PurePath(span.source).name}:{source.position(span.start)[0]}"

    # ---------------------------------------------------------------------------------------------------- whole answers
    def explanation(self, found: Explanation, full: bool = True) -> Iterator[Line]:
        """The whole answer. Without `full` clauses that hold are one line each where something is refused."""
        values = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in found.values.items())
        head = Text().append(found.action.replace("_", " "), style="bold")
        if values:
            head.append(f" ({values})")
        head.append(f" for {found.seat}: ")
        head.append("possible" if found.legal else "not possible", style=STYLES[found.legal])
        self._behind(head, found.citations, found.span)
        yield Line(0, head)
        for part in found.reason.parts:
            yield from self.reason(part, 1, full or found.legal)
        if found.legal:
            yield from self._what_it_does(found)
        else:
            yield from self._nearest(found)

    def _what_it_does(self, found: Explanation) -> Iterator[Line]:
        yield Line(0, Text("answer ", style="dim").append(found.id))
        yield Line(0, Text("costs ", style="dim").append(found.cost or "nothing"))
        if found.effect:
            does = Text("does ", style="dim").append(clipped(found.effect))
            self._behind(does, (), found.effect_span)
            yield Line(0, does)
        for role, address in found.rules:
            yield Line(0, Text(f"{role} it ", style="dim").append(address))
        if found.count > 1:
            yield Line(0, Text(f"{found.count} options of this action now", style="dim"))

    def _nearest(self, found: Explanation) -> Iterator[Line]:
        title = Text("to make it possible", style="bold")
        if found.looked_at > 1:
            more = "" if found.complete else " (there are more)"
            title.append(f"  nearest of {found.looked_at} combinations{more}: {found.id}", style="dim")
        yield Line(0, title)
        for change in found.nearest:
            text = Text("→ " if self.marks is MARKS else "> ").append(change.text, style="bold yellow")
            text.append(f"  {change.address}", style="cyan")
            self._behind(text, (), change.span)
            yield Line(1, text)
        if found.possible:
            more = f" and {found.count - len(found.possible)} more" if found.count > len(found.possible) else ""
            yield Line(0, Text("possible now ", style="dim").append(f"{', '.join(found.possible)}{more}"))

    def _behind(self, text: Text, citations: tuple[str, ...], span: Span | None) -> None:
        if citations:
            text.append(f"  [{', '.join(citations)}]", style="dim")
        place = self.place(span)
        if place:
            text.append(f"  {place}", style="dim")

    # ----------------------------------------------------------------------------------------------------------- points
    def points(self, found: Points, full: bool = True) -> Iterator[Line]:
        """The points of a seat; with `full` also how each number that is counted came about."""
        for account in found.accounts:
            head = Text().append(found.seat, style="bold").append(f": {account.total} {account.printed}", style="bold")
            if account.kind == "score" and account.name != account.printed:
                head.append(f"  {account.name}", style="cyan")
            if any(each.what == "hidden" for each in account.entries):
                head.append("  and what is hidden", style="yellow")
            if not found.over:
                head.append("  if the game ended now", style="dim")
            yield Line(0, head)
            if not account.entries:
                yield Line(1, Text("nothing was gained or lost", style="dim"))
            for entry in account.entries:
                yield from self.entry(entry, 1, full)

    def entry(self, entry: Entry, depth: int, full: bool) -> Iterator[Line]:
        """One part of a number of points."""
        sign = "+" if entry.amount > 0 else ""
        number = "?" if entry.what == "hidden" else f"{sign}{entry.amount}"
        text = Text().append(number.rjust(3), style="bold green" if entry.amount >= 0 else "bold red")
        if entry.what in PLAINLY:
            text.append(f"  {PLAINLY[entry.what]}")
        text.append(f"  {entry.address}", style="cyan")
        told = entry.note or entry.source
        if told and told != entry.address:
            text.append(f"  {clipped(told)}")
        place = self.place(entry.span)
        if place:
            text.append(f"  {place}", style="dim")
        if entry.decision:
            text.append(f"  {entry.decision}. {entry.by}")
            text.append(f" ({entry.moment})" if entry.moment else "", style="dim")
        elif entry.decision == 0 and entry.what not in PLAINLY:
            text.append("  before the first decision", style="dim")
        yield Line(depth, text)
        for part in entry.parts:
            yield from self.entry(part, depth + 1, full)
        if full and entry.reason is not None and not entry.reason.hidden:
            for each in entry.reason.parts:
                yield from self.reason(each, depth + 2, full, entry.reason)

    # ------------------------------------------------------------------------------------------------------------ trees
    def reason(self, reason: Reason, depth: int, full: bool, outer: Reason | None = None) -> Iterator[Line]:
        """A tree, line by line."""
        silent = not reason.source and not reason.what and not reason.note
        if silent or (outer is not None and _says_again(reason, outer)):
            for part in shown_parts(reason):
                yield from self.reason(part, depth, full, reason if not silent else outer)
            return
        text = Text().append(f"{self.marks[reason.holds]} ", style=STYLES[reason.holds])
        if reason.what == "for":
            text.append(reason.note, style="italic")
            if reason.value:
                text.append(f": {reason.value}", style="cyan")
        elif reason.what in CLAUSES:
            self._clause(text, reason)
        else:
            text.append(clipped(reason.source))
            self._value(text, reason)
            if reason.note:
                text.append(f"  {reason.note}", style="yellow")
            if outer is None or reason.span is None or not _inside(reason.span, outer.span):
                self._behind(text, (), reason.span)
        yield Line(depth, text)
        if reason.what in CLAUSES and reason.note and reason.what != "cost":
            yield Line(depth + 1, Text(f"“{reason.note}”", style="yellow"))
        if not full and reason.holds and reason.what in CLAUSES:
            return
        parts, more = nearest_parts(reason)
        for part in parts:
            yield from self.reason(part, depth + 1, full, reason)
        if more:
            yield Line(depth + 1, Text(f"... and {more} more", style="dim"))

    def _clause(self, text: Text, reason: Reason) -> None:
        text.append(f"{reason.what} ", style="dim")
        if reason.what == "offer":
            text.append(reason.value)
            self._behind(text, (), reason.span)
            return
        text.append(reason.address, style="cyan")
        shown = reason.source not in ("", reason.address, f"{reason.what} {reason.address}")
        if reason.what == "modify":
            text.append(f"  {reason.value}", style="cyan")
        elif reason.what == "cost":
            text.append(f"  {reason.value}", style="cyan")
            if reason.note:
                text.append(f" ({reason.note})", style="yellow")
        elif reason.what == "parameter":
            text.append(f"  {reason.value}", style="bold").append(f"  of {clipped(reason.source)}", style="dim")
        else:
            if shown and reason.what != "forbid":
                text.append(f"  {clipped(reason.source)}")
            self._value(text, reason)
            inner = reason.parts[0] if len(reason.parts) == 1 else None
            if inner is not None and inner.source == reason.source and inner.holds == reason.holds:
                self._value(text, inner)
        self._behind(text, reason.citations, reason.span)

    def _value(self, text: Text, reason: Reason) -> None:
        if reason.value and reason.value != reason.source:
            arrow = " = " if reason.kind == "value" else "   "
            text.append(arrow, style="dim").append(reason.value, style="dim" if reason.hidden else "cyan")


CLAUSES = ("offer", "parameter", "require", "forbid", "waive", "limit", "cost", "modify")


def shown_parts(reason: Reason) -> tuple[Reason, ...]:
    """The parts that are told: of an `if` not the way that is not taken."""
    parts = reason.parts
    if reason.kind == "if" and len(parts) == 3 and parts[0].holds is not None:
        return (parts[0], parts[1] if parts[0].holds else parts[2])
    return parts


def nearest_parts(reason: Reason) -> tuple[tuple[Reason, ...], int]:
    """The parts that are told, and how many are left out: of many elements of a quantifier the nearest."""
    parts = shown_parts(reason)
    elements = [each for each in parts if each.what == "for" and each.kind != "value"]
    if len(elements) <= ELEMENTS or len(elements) < len(parts):
        return parts, 0
    wanted = not reason.holds if reason.kind in ("any", "leaf") else True
    sized = [(size(changes(each, wanted) or ()), k) for k, each in enumerate(elements)]
    kept = sorted(k for _, k in sorted(sized)[:ELEMENTS])
    return tuple(elements[k] for k in kept), len(elements) - len(kept)


def _says_again(reason: Reason, outer: Reason) -> bool:
    """Whether a piece says only what the line above it says."""
    same = reason.source == outer.source and not reason.what and reason.holds == outer.holds
    return same and (not reason.value or bool(outer.value) or outer.what in CLAUSES)


def _inside(inner: Span, outer: Span | None) -> bool:
    return outer is not None and inner.source == outer.source and outer.start <= inner.start <= inner.end <= outer.end


def clipped(text: str) -> str:
    """A piece of source, not too long."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def wrapped(lines: Iterator[Line], console: Console, width: int) -> Iterator[Text]:
    """The lines, indented and broken to a width; what is broken off is indented further."""
    for line in lines:
        indent = 2 * min(line.depth, 12)
        room = max(24, width - indent - 4)
        if cell_len(line.text.plain) <= width - indent:
            yield Text(" " * indent).append_text(line.text)
            continue
        for number, part in enumerate(line.text.wrap(console, room)):
            part.rstrip()
            yield Text(" " * (indent if number == 0 else indent + 4)).append_text(part)


Place = Callable[[Span | None], object]


def place_data(game: Game, shown: Callable[[str], str]) -> Place:
    """Gives places as plain data: file, line, column."""

    def place(span: Span | None) -> object:
        source = game.sources.get(span.source) if span is not None else None
        if source is None or span is None:
            return None
        line, column = source.position(span.start)
        return {"file": shown(span.source), "line": line, "column": column}

    return place


__all__ = ["Line", "Writer", "clipped", "place_data", "wrapped"]
