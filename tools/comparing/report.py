"""Differences for people and for programs."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from regelwerk.dsl.comparing.comparing import Difference, Piece
from regelwerk.dsl.comparing.outline import Version
from regelwerk.tools.findings import shown_path

GROUPS = {
    "game": "game",
    "library": "libraries",
    "option": "options",
    "constant": "constants",
    "enum": "enums",
    "resource": "resources",
    "track": "tracks",
    "state": "states",
    "things": "things",
    "zone": "zones",
    "interface": "interfaces",
    "record": "records",
    "value": "values",
    "action": "actions",
    "effect": "effects",
    "phase": "phases",
    "trigger": "triggers",
    "rule": "rules",
    "score": "scores",
    "award": "awards",
    "end": "ends",
    "rank": "rankings",
    "invariant": "invariants",
}
"""The kinds of declarations, in the order in which they are shown."""

SHORT = 48
LINES = 6
ALIKE = 4
"""So many rows that are added or removed at once are told in one line."""


Names = tuple[Mapping[str, str], Mapping[str, str]]
"""The short names of the files of the old and of the new game."""


@dataclass(frozen=True)
class Entry:
    """What is shown of a difference: one line, and perhaps what stood and stands there."""

    change: str
    line: str
    place: str
    old: tuple[str, ...] = ()
    new: tuple[str, ...] = ()


def count_text(found: Sequence[Difference]) -> str:
    """`3 differences`."""
    return f"{len(found)} difference{'s' * (len(found) != 1)}" if found else "no difference"


def grouped(found: Sequence[Difference], old: Version, new: Version) -> Iterator[tuple[str, list[Entry]]]:
    """The entries of each kind of declaration."""
    names = (file_names(old.sources), file_names(new.sources))
    for group, title in GROUPS.items():
        those = [each for each in found if each.group == group]
        if those:
            yield title, list(_entries(those, old, new, names))


def _entries(found: Sequence[Difference], old: Version, new: Version, names: Names) -> Iterator[Entry]:
    place = 0
    while place < len(found):
        first = found[place]
        run = 1
        while place + run < len(found) and _alike(first, found[place + run]):
            run += 1
        if run >= ALIKE:
            yield _together(found[place : place + run], old, new, names)
        else:
            yield from (_entry(each, old, new, names) for each in found[place : place + run])
        place += run


def _table(difference: Difference) -> str:
    return difference.address.rpartition(".")[0]


def _alike(one: Difference, other: Difference) -> bool:
    told = one.kind in ("row", "member") and one.change in ("added", "removed")
    return told and (one.kind, one.change, _table(one)) == (other.kind, other.change, _table(other))


def _together(found: Sequence[Difference], old: Version, new: Version, names: Names) -> Entry:
    first = found[0]
    rows = ", ".join(each.address.rpartition(".")[2] for each in found)
    return Entry(first.change, f"{len(found)} {first.kind}s of {_table(first)}: {rows}", _place(first, old, new, names))


def _entry(difference: Difference, old: Version, new: Version, names: Names) -> Entry:
    kind = "" if difference.kind in ("number", "text") else f"{difference.kind} "
    line = f"{kind}{difference.address}" + (f", {difference.clause}" if difference.clause else "")
    place = _place(difference, old, new, names)
    if difference.change == "renamed":
        return Entry("renamed", f"{line} (was {difference.before})", place)
    if difference.change == "moved" and not difference.clause:
        was, now = (f"behind {each}" if each else "first" for each in (difference.before, difference.behind))
        return Entry("moved", f"{line}: now {now}, was {was}", place)
    ours, theirs = difference.old, difference.new
    around_old, around_new = difference.old_around, difference.new_around
    if difference.change == "moved":
        return Entry("moved", line, place, (), _lines(theirs))
    if _short(ours) and _short(theirs):
        assert ours is not None
        assert theirs is not None
        inside = f" in `{_flat(around_new)}`" if around_new is not None and len(_flat(around_new)) <= SHORT else ""
        return Entry("changed", f"{line}: {_flat(ours)} -> {_flat(theirs)}{inside}", place)
    if around_old is not None and around_new is not None and difference.change == "changed":
        small = max(len(_flat(around_old)), len(_flat(around_new))) <= 2 * SHORT
        ours, theirs = (around_old, around_new) if small else (ours, theirs)
    return Entry(difference.change, line, place, _lines(ours), _lines(theirs))


def _short(piece: Piece | None) -> bool:
    return piece is not None and "\n" not in piece.text and len(piece.text) <= SHORT


def _flat(piece: Piece) -> str:
    return " ".join(piece.text.split())


def _lines(piece: Piece | None) -> tuple[str, ...]:
    if piece is None:
        return ()
    lines = [each.rstrip() for each in piece.text.split("\n") if each.strip()]
    return (*lines[:LINES], *([f"... {len(lines) - LINES} more lines"] if len(lines) > LINES else []))


def _place(difference: Difference, old: Version, new: Version, names: Names) -> str:
    places = [
        f"{known[piece.span.source]}:{game.sources[piece.span.source].position(piece.span.start)[0]}"
        for piece, game, known in ((difference.old, old, names[0]), (difference.new, new, names[1]))
        if piece is not None and piece.span.source in game.sources
    ]
    return " -> ".join(dict.fromkeys(places))


def file_names(files: Iterable[str]) -> dict[str, str]:
    """The files by their last names, where that tells them apart."""
    real = {name: os.path.realpath(name) for name in files}
    apart = {PurePath(each).name: each for each in real.values()}
    several = {PurePath(each).name for each in real.values() if apart[PurePath(each).name] != each}
    last = {name: PurePath(name).name for name in real}
    return {name: shown_path(name) if last[name] in several else last[name] for name in real}


# --------------------------------------------------------------------------------------------------------------- forms
def as_text(found: Sequence[Difference], old: Version, new: Version) -> Iterator[str]:
    """The lines of the report for a terminal."""
    yield f"{old.title} -> {new.title}: {count_text(found)}"
    for title, entries in grouped(found, old, new):
        yield ""
        yield title
        for entry in entries:
            yield f"  {entry.change:<8} {entry.line}" + (f"  ({entry.place})" if entry.place else "")
            yield from (f"             - {each}" for each in entry.old)
            yield from (f"             + {each}" for each in entry.new)


def as_markdown(found: Sequence[Difference], old: Version, new: Version) -> Iterator[str]:
    """The lines of the report as Markdown, for a list of changes."""
    yield f"# {_escaped(old.title)} -> {_escaped(new.title)}"
    yield ""
    yield f"{count_text(found).capitalize()}."
    for title, entries in grouped(found, old, new):
        yield ""
        yield f"## {title.capitalize()}"
        yield ""
        for entry in entries:
            yield f"- **{entry.change}** {_escaped(entry.line)}" + (
                f" ({_escaped(entry.place)})" if entry.place else ""
            )
            if entry.old or entry.new:
                fence = "`" * max(3, 1 + max(_ticks(each) for each in (*entry.old, *entry.new)))
                yield ""
                yield f"  {fence}diff"
                yield from (f"  - {each}" for each in entry.old)
                yield from (f"  + {each}" for each in entry.new)
                yield f"  {fence}"


def _ticks(text: str) -> int:
    """The longest run of backticks."""
    best = run = 0
    for character in text:
        run = run + 1 if character == "`" else 0
        best = max(best, run)
    return best


def _escaped(text: str) -> str:
    return "".join(f"\\{each}" if each in "\\*_[]<>#|" else each for each in text)


def as_data(found: Sequence[Difference], old: Version, new: Version) -> dict[str, Any]:
    """Everything as plain data."""
    return {
        "version": 1,
        "old": {"name": old.name, "title": old.title},
        "new": {"name": new.name, "title": new.title},
        "differences": [
            {
                "change": each.change,
                "kind": each.kind,
                "group": each.group,
                "address": each.address,
                "clause": each.clause or None,
                "before": each.before or None,
                "behind": each.behind or None,
                "old": _piece(each.old, old),
                "new": _piece(each.new, new),
                "old_around": _piece(each.old_around, old),
                "new_around": _piece(each.new_around, new),
            }
            for each in found
        ],
    }


def _piece(piece: Piece | None, game: Version) -> dict[str, Any] | None:
    if piece is None:
        return None
    source = game.sources.get(piece.span.source)
    line, column = source.position(piece.span.start) if source is not None else (None, None)
    return {"file": shown_path(piece.span.source), "line": line, "column": column, "text": piece.text}


__all__ = ["GROUPS", "as_data", "as_markdown", "as_text", "count_text", "file_names"]
