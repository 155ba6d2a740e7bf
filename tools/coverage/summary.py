"""What ran, as text and as plain data: a table by kind, then what never ran."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from regelwerk.tools.coverage.reading import KINDS, Figures, Item, Reading
from regelwerk.tools.findings import shown_path
from regelwerk.tools.reporting import print_table

if TYPE_CHECKING:
    from regelwerk.interpreter.api import Game
    from regelwerk.tools.coverage.playing import Plan, Tally

SHOWN = 12
"""So many places of a kind are listed, unless all are wanted."""

TEXT = 60


def percent_text(figures: Figures) -> str:
    """`98.5 %`; 100 only if nothing is missing, 0 only if nothing ran."""
    tenths = int(figures.percent * 10)
    tenths = 1 if figures.ran and not tenths else tenths
    return f"{tenths / 10:.1f} %"


def heading(game: Game, plan: Plan, tally: Tally) -> str:
    """What was played."""
    first, last = min(plan.players), max(plan.players)
    players = f"{first}" if first == last else f"{first} to {last}"
    games = f"{tally.games} game{'s' * (tally.games != 1)} of {players} players ({', '.join(dict.fromkeys(plan.bots))})"
    parts = [f"{games}, {tally.decisions} decisions, seed {plan.seed}"] if tally.games else []
    parts += [f"{name} = {value}" for name, value in plan.options[0]]
    if len(plan.options) > 1:
        parts.append(f"{len(plan.options)} sets of options")
    if tally.scenarios:
        parts.append(f"{tally.scenarios} scenario{'s' * (tally.scenarios != 1)}")
    return f"{game.title}: {', '.join(parts) or 'nothing was played'}"


def short(text: str) -> str:
    """A text cut to what fits behind an address."""
    return text if len(text) <= TEXT else text[: TEXT - 1].rstrip() + "…"


def words(item: Item, reading: Reading) -> str:
    """What a place is, behind its address."""
    text = short(reading.text(item.span))
    if item.kind == "options":
        return item.what
    if item.kind == "branches":
        return f"{item.what}: {text}"
    return "" if text == item.address.rpartition(".")[2] or item.kind in ("values", "score lines") else text


_ONE = {"branches": "branch", "options": "value of an option"}
_MANY = {"options": "values of options"}
_PASSIVE = {"options": "played", "values": "asked", "awards": "won", "conditions": "asked"}


def counted(count: int, kind: str) -> str:
    """`1 action`, `3 actions`."""
    return f"{count} {_ONE.get(kind, kind.removesuffix('s')) if count == 1 else _MANY.get(kind, kind)}"


def missing(reading: Reading) -> Iterator[tuple[str, list[Item]]]:
    """What never ran, in groups: by kind, and conditions by what never came out."""
    for kind in KINDS:
        found = [each for each in reading.items if each.kind == kind and each.state != "ran"]
        if kind != "conditions":
            yield _title(found, kind), found
            continue
        for state, verb in (("never", ""), ("only no", "came out as yes"), ("only yes", "came out as no")):
            those = [each for each in found if each.state == state]
            yield _title(those, kind, verb), those


def _title(found: Sequence[Item], kind: str, verb: str = "") -> str:
    """`3 actions that never ran`, `1 value that was never asked`."""
    passive = "" if verb else _PASSIVE.get(kind, "")
    was = f"{'was' if len(found) == 1 else 'were'} " if passive else ""
    default = "counted" if kind == "score lines" else "ran"
    return f"{counted(len(found), kind)} that {was}never {passive or verb or default}"


def print_summary(game: Game, plan: Plan, tally: Tally, reading: Reading, everything: bool) -> None:
    """The table by kind, and what never ran."""
    print(heading(game, plan, tally))
    print()
    figures = reading.figures()
    rows = [[kind, str(each.ran), str(each.all), percent_text(each)] for kind, each in figures.items()]
    total = reading.total
    rows.append(["all", str(total.ran), str(total.all), percent_text(total)])
    print_table("", ["kind", "ran", "all", "percent"], rows)
    for title, found in missing(reading):
        if found:
            _print_group(title, found, reading, everything)
    for number, text in tally.faults[: None if everything else SHOWN]:
        print(f"game {number} was stopped: {text}\n  to see it again: {plan.command(number)}")
    if tally.unfinished:
        print(f"{tally.unfinished} games were given up after {plan.longest} decisions")
    if tally.failed:
        print(f"{len(tally.failed)} scenarios failed: {', '.join(tally.failed[:SHOWN])}")


def file_names(reading: Reading) -> dict[str, str]:
    """The files by their last names, if that tells them apart."""
    short_names = [PurePath(each).name for each in reading.sources]
    apart = len(set(short_names)) == len(short_names)
    return {
        name: short if apart else shown_path(name) for name, short in zip(reading.sources, short_names, strict=True)
    }


def _print_group(title: str, found: Sequence[Item], reading: Reading, everything: bool) -> None:
    shown = found if everything else found[:SHOWN]
    lines, names = [], file_names(reading)
    for item in shown:
        file, line = reading.place(item.span)
        lines.append((item.address, f"{names[file]}:{line}", words(item, reading)))
    widths = [max(len(each[column]) for each in lines) for column in (0, 1)]
    print(title)
    for address, place, text in lines:
        print(f"  {address.ljust(widths[0])}  {place.ljust(widths[1])}  {text}".rstrip())
    if len(found) > len(shown):
        print(f"  ... and {len(found) - len(shown)} more (--all lists them)")
    print()


def as_data(game: Game, plan: Plan, tally: Tally, reading: Reading, complete: bool) -> dict[str, Any]:
    """Everything as plain data."""
    total = reading.total
    return {
        "version": 1,
        "game": game.name,
        "hash": game.hash,
        "games": tally.games,
        "complete": complete,
        "players": list(plan.players),
        "seed": plan.seed,
        "bots": list(plan.bots),
        "options": [dict(each) for each in plan.options],
        "decisions": tally.decisions,
        "unfinished": tally.unfinished,
        "faults": [{"game": number, "text": text, "command": plan.command(number)} for number, text in tally.faults],
        "scenarios": tally.scenarios,
        "failed": list(tally.failed),
        "total": _figures(total),
        "kinds": {kind: _figures(each) for kind, each in reading.figures().items()},
        "places": [_place(each, reading) for each in reading.items],
    }


def _figures(figures: Figures) -> dict[str, Any]:
    return {"ran": figures.ran, "all": figures.all, "percent": round(figures.percent, 2)}


def _place(item: Item, reading: Reading) -> dict[str, Any]:
    file, line = reading.place(item.span)
    return {
        "kind": item.kind,
        "address": item.address,
        "file": shown_path(file),
        "line": line,
        "what": item.what or None,
        "text": reading.text(item.span),
        "state": item.state,
        "count": item.count,
    }


__all__ = ["as_data", "heading", "missing", "percent_text", "print_summary", "words"]
