"""A drawn board with many columns as a map: a few letters for each cell, and a legend of what they mean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rich import box
from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import BoolType, EnumType, PlayerType, ThingType, strip
from regelwerk.tools.game_facts import words

if TYPE_CHECKING:
    from regelwerk.tools.terminal.board import Board

WIDEST = 7
"""So many letters at most for a cell."""
UNNAMED = "dim"
"""The style of things that have no name, such as pillars."""
NOTHING = ("nothing", "nobody", "no", "0", "")


def distinct_starts(names: Iterable[str], taken: Iterable[str] = ()) -> dict[str, str]:
    """The shortest beginnings that tell names apart, from each other and from what is taken; a name with which another
    one begins stays whole."""
    names = list(dict.fromkeys(names))
    used = {each.casefold() for each in taken}
    found: dict[str, str] = {}
    for name in names:
        others = [other.casefold() for other in names if other != name]
        starts = (name[:n] for n in range(1, len(name)))
        fit = (s for s in starts if s.casefold() not in used and not any(o.startswith(s.casefold()) for o in others))
        found[name] = next(fit, name)
    return found


@dataclass
class Map:
    """The letters of all cells of one drawn board, and what they mean."""

    board: Board
    entity: g.EntitySymbol
    legend: dict[str, Text] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.own = [s for s, _ in self.board.states if isinstance(s.key, ThingType) and s.key.symbol is self.entity]
        self.taken = {mark for marks in self.entity.marks.values() for mark in marks}
        for state in self.own:
            kind = strip(state.type)
            if isinstance(kind, EnumType):
                self.taken |= set(distinct_starts(each[2].one for each in kind.symbol.members).values())
            elif isinstance(kind, BoolType):
                self.taken.add(words(state.name)[0])
        self.seats = distinct_starts(self.board.seats, self.taken)
        self.tokens: dict[int, list[Text]] = {}
        self._states()
        self._zones()

    # --------------------------------------------------------------------------------------------------- what is there
    def _explain(self, token: str, meaning: str) -> None:
        self.legend.setdefault(token, Text(f"{token} {meaning}"))

    def _put(self, index: int, token: str, style: str = "") -> None:
        self.tokens.setdefault(index, []).append(Text(token, style=style))

    def _seat(self, index: int, name: str, what: str) -> None:
        token = self.seats[name]
        self.tokens.setdefault(index, []).append(self.board.seat(name, token))
        self.legend.setdefault(token, self.board.seat(name, f"{token} {what}{name}"))

    def _states(self) -> None:
        """States of the cells: things in short, members by their first letter, numbers, seats."""
        for state, views in self.board.states:
            if state not in self.own:
                continue
            kind = strip(state.type)
            for index, view in enumerate(views, 1):
                if view.value is None or view.value in NOTHING:
                    continue
                if isinstance(kind, PlayerType):
                    self._seat(index, view.value, f"{words(state.name)} of " if len(self.own) > 1 else "")
                elif isinstance(kind, ThingType):
                    self._put(index, self.short(kind.symbol, view.value))
                elif isinstance(kind, EnumType):
                    members = kind.symbol.members
                    short = distinct_starts(each[2].one for each in members).get(view.value, view.value)
                    name = next((words(each[0]) for each in members if each[2].one == view.value), view.value)
                    self._explain(short, name if name != short else words(state.name))
                    self._put(index, short, "bold")
                else:
                    short = words(state.name)[0] if view.value == "yes" else view.value
                    self._explain(short, words(state.name))
                    self._put(index, short)

    def _zones(self) -> None:
        """What lies in zones of the cells: whose it is, or what it is; more of the same are counted."""
        numbers: dict[g.Symbol, int] = {}
        for symbol, zone in self.board.zones:
            if not (isinstance(symbol.key, ThingType) and symbol.key.symbol is self.entity):
                continue
            index = numbers[symbol] = numbers.get(symbol, 0) + 1
            if not zone.count:
                continue
            if zone.things is None:
                self._put(index, str(zone.count))
                self._explain(str(zone.count), words(symbol.name))
                continue
            noun = symbol.entity.words.one
            for thing in dict.fromkeys((each.name, each.owner, each.face) for each in zone.things):
                name, owner, face = thing
                count = sum((each.name, each.owner, each.face) == thing for each in zone.things)
                if owner is not None:
                    self._seat(index, owner, f"{noun} of ")
                elif name == noun:
                    token = self._mark(symbol)
                    self._explain(token, noun)
                    self._put(index, token, UNNAMED)
                else:
                    self._put(index, self.short(symbol.entity, name))
                if face is not None or count > 1:
                    shown = str(face) if face is not None else ""
                    self.tokens[index][-1].append(f"{shown}x{count}" if count > 1 else shown)

    def _mark(self, symbol: g.ZoneSymbol) -> str:
        """A small letter for things without a name: the first of their noun that stands for nothing else."""
        taken = {each.casefold() for each in (*self.taken, *self.seats.values())}
        return next((c for c in symbol.entity.words.one.casefold() if c.isalpha() and c not in taken), "*")

    def short(self, entity: g.EntitySymbol, printed: str) -> str:
        """A thing in a few letters: the beginning of its first word, and its number; explained once for each word."""
        first = {row.printed.split()[0] for row in self.board.facts.rows(entity)}
        start = printed.split()[0] if printed else ""
        number = re.search(r"\d+", printed)
        if len(first) == len(self.board.facts.rows(entity)) or number is None:
            starts = distinct_starts(row.printed for row in self.board.facts.rows(entity))
            token = starts.get(printed, printed[:3])
            self._explain(token, printed)
            return token
        token = distinct_starts(sorted(first)).get(start, start[:2])
        self.legend.setdefault(start, Text(f"{token}1… {start}"))
        return f"{token}{int(number[0])}"

    # ------------------------------------------------------------------------------------------------------- drawing
    def draw(self, width: int) -> RenderableType | None:
        """The map, or None if there is no room for it."""
        places = {row.grid[:2]: row for row in self.board.facts.rows(self.entity) if row.grid is not None}
        lines, across = sorted({line for line, _ in places}), sorted({column for _, column in places})
        labels = {line: _common(r"\D", (r for (at, _), r in places.items() if at == line)) for line in lines}
        margin = max(len(label) for label in labels.values()) + 1
        room = min((width - 4 - margin) // len(across), WIDEST)
        if room < 2:
            return None
        marks = next(iter(self.entity.marks.values()), [])
        column = next(iter(self.entity.marks), "")
        text = Text(" " * margin)
        for at in across:
            text.append(_common(r"\d", (r for (_, c), r in places.items() if c == at)).center(room - 1) + " ", "dim")
        for line in lines:
            text.append("\n").append(labels[line].rjust(margin - 1) + " ", "dim")
            for at in across:
                row = places.get((line, at))
                text.append_text(self._cell(row, marks, room) if row is not None else Text(" " * room))
        for row in places.values():
            if marks and row.index not in self.tokens:
                value = self.board.facts.value(row, self.entity.columns[column])
                self._explain(marks[row.index - 1], value)
        legend = Text(" · ").join(list(self.legend.values()))
        return Panel(
            Group(text, Text(), legend) if legend.plain else text,
            title=Text(self.entity.words.many, style="bold"),
            title_align="left",
            box=box.ROUNDED,
            border_style="dim",
            width=width,
        )

    def _cell(self, row: g.RowSymbol, marks: Sequence[str], room: int) -> Text:
        """One cell: what is there, else its mark in the drawing. What has no name gives way to what has one."""
        tokens = self.tokens.get(row.index)
        if not tokens:
            mark = marks[row.index - 1] if marks else "."
            return Text(mark.center(room - 1) + " ", "dim")
        named = [token for token in tokens if token.style != UNNAMED] or tokens
        ways = [Text(" ").join(tokens), Text(" ").join(named)]
        ways += [Text("").join(named[:n]) for n in range(len(named), 0, -1)]
        text = next((way for n, way in enumerate(ways) if cell_len(way.plain) <= room - (n < 2)), ways[-1])
        text.truncate(room)
        before = max(0, (room - 1 - cell_len(text.plain)) // 2)
        return Text(" " * before).append_text(text).append(" " * (room - before - cell_len(text.plain)))


def _common(remove: str, rows: Iterable[g.RowSymbol]) -> str:
    """The letters or numbers that the names of a line of cells share, or nothing."""
    found = {re.sub(remove, "", row.name) for row in rows}
    return found.pop() if len(found) == 1 else ""


__all__ = ["Map", "distinct_starts"]
