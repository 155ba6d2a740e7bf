"""A board of hexes with the corners and edges of the library `hexes`, as a map of letters.

Each hex shows its name, what is kept for it, and what lies there or points there; each corner its number, or whose what
stands on it; each edge a stroke, or whose what lies along it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rich import box
from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from regelwerk.dsl.checker.libraries import STANDARD
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import EnumType, ThingType, strip
from regelwerk.tools.game_facts import clipped, words
from regelwerk.tools.terminal.map import distinct_starts

if TYPE_CHECKING:
    from regelwerk.tools.terminal.board import Board

STEPS = (5, 4, 3)
"""Letters for half the width of a hex: the widest that the screen has room for."""
ROOMY = 7
"""With less room in a hex, members are told in two letters."""
NOTHING = ("nothing", "nobody", "no", "0", "")

Point = tuple[int, int]


def two_letters(names: Sequence[str]) -> dict[str, str]:
    """The first letter of each name and one that follows, so that no two are the same; a name for which there is none
    stays whole."""
    found: dict[str, str] = {}
    for name in names:
        pairs = (name[0] + letter for letter in name[1:])
        found[name] = next((pair for pair in pairs if pair not in found.values()), name)
    return found


@dataclass(frozen=True)
class Parts:
    """The hexes of a board, and the tables that the library `hexes` makes of them."""

    hexes: g.EntitySymbol
    corners: g.EntitySymbol
    edges: g.EntitySymbol


def hex_parts(board: Board) -> Parts | None:
    """The parts of a board of hexes, if the game has one and its corners or edges are part of the play."""
    made = [each for each in board.facts.checked.entities if each.computed is not None and each.span.source == STANDARD]
    corners = next((each for each in made if {"x", "y"} <= each.columns.keys()), None)
    edges = next((each for each in made if {"a", "b"} <= each.columns.keys()), None)
    if corners is None or edges is None or not ({corners, edges} & set(board.boards)):
        return None
    for entity in board.boards:
        if entity.kind == "fields" and places_of(board, entity):
            return Parts(entity, corners, edges)
    return None


def places_of(board: Board, entity: g.EntitySymbol) -> dict[int, Point]:
    """Of each row its place as (half, row): from its drawing, or from the columns `row` and `half`."""
    rows = board.facts.rows(entity)
    if all(row.grid is not None for row in rows):
        return {row.index: (row.grid[2], row.grid[0]) for row in rows if row.grid is not None}
    columns = [entity.columns.get(name) for name in ("half", "row")]
    numbers: list[list[int]] = []
    for column in columns:
        if column is None:
            return {}
        numbers.append([int(board.facts.value(row, column)) for row in rows])
    return {row.index: (numbers[0][k], numbers[1][k]) for k, row in enumerate(rows)}


@dataclass
class HexMap:
    """Draws one board of hexes for one viewer."""

    board: Board
    parts: Parts
    legend: dict[str, Text] = field(default_factory=dict)
    canvas: dict[Point, tuple[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        program = self.board.facts.program
        self.seats = distinct_starts(self.board.seats)
        x, y = (program.column_by_row(self.parts.corners.columns[name]) for name in ("x", "y"))
        self.points = {n: (int(x[n]), int(y[n])) for n in range(1, program.things[self.parts.corners].count + 1)}
        self.places = places_of(self.board, self.parts.hexes)

    def draw(self, width: int) -> RenderableType | None:
        """The map, or None if there is no room for it."""
        across = [x for x, _ in self.points.values()]
        step = next((s for s in STEPS if (max(across) - min(across)) * s + 4 <= width - 4), None)
        if step is None:
            return None
        self._edges(step)
        self._corners(step)
        self._hexes(step)
        text = self._written()
        lines = [text, *([Text(" · ").join(list(self.legend.values()))] if self.legend else []), *self._listed()]
        title = Text(self.parts.hexes.words.many, style="bold")
        return Panel(Group(*lines), title=title, title_align="left", box=box.ROUNDED, border_style="dim", width=width)

    # ------------------------------------------------------------------------------------------------------ the canvas
    def _at(self, point: Point, step: int) -> Point:
        """Where a point of the board is on the canvas: line and column."""
        return 2 * point[1], step * point[0]

    def _write(self, line: int, middle: int, text: Text) -> None:
        start = middle - (cell_len(text.plain) - 1) // 2
        for k, letter in enumerate(text.plain):
            styles = [str(span.style) for span in text.spans if span.start <= k < span.end]
            self.canvas[line, start + k] = (letter, styles[-1] if styles else str(text.style))

    def _written(self) -> Text:
        lines = [line for line, _ in self.canvas]
        left = min(column for _, column in self.canvas)
        rows = []
        for line in range(min(lines), max(lines) + 1):
            row = Text()
            last = max((column for at, column in self.canvas if at == line), default=left - 1)
            for column in range(left, last + 1):
                letter, style = self.canvas.get((line, column), (" ", ""))
                row.append(letter, style)
            rows.append(row)
        return Text("\n").join(rows)

    # --------------------------------------------------------------------------------------------- edges and corners
    def _edges(self, step: int) -> None:
        program, entity = self.board.facts.program, self.parts.edges
        first, second = (program.column_by_row(entity.columns[name]) for name in ("a", "b"))
        marks = self._marks(entity)
        for number in range(1, program.things[entity].count + 1):
            a, b = self.points[first[number]], self.points[second[number]]
            (top, left), (bottom, right) = sorted((self._at(a, step), self._at(b, step)))
            line, column = (top + bottom) // 2, (left + right) // 2
            stroke = "|" if left == right else "\\" if left < right else "/"
            mark = marks.get(number)
            if left == right:
                for at in (line - 1, line, line + 1):
                    self._write(at, column, Text(stroke, "dim"))
            self._write(line, column, mark if mark is not None else Text(stroke, "dim"))

    def _corners(self, step: int) -> None:
        marks = self._marks(self.parts.corners)
        for number, point in self.points.items():
            line, column = self._at(point, step)
            self._write(line, column, marks.get(number) or Text(str(number), "dim"))

    def _marks(self, entity: g.EntitySymbol) -> dict[int, Text]:
        """What stands on each corner or edge: whose it is, and the beginning of its name if there are several kinds."""
        found: dict[int, Text] = {}
        numbers: dict[g.Symbol, int] = {}
        for symbol, zone in self.board.zones:
            if not (isinstance(symbol.key, ThingType) and symbol.key.symbol is entity):
                continue
            index = numbers[symbol] = numbers.get(symbol, 0) + 1
            names = list(dict.fromkeys(row.printed for row in self.board.facts.rows(symbol.entity)))
            for thing in zone.things or ():
                short = distinct_starts(names).get(thing.name, "") if len(names) > 1 else ""
                if short:
                    self.legend.setdefault(short, Text(f"{short} {thing.name}"))
                owner = thing.owner or ""
                token = self.seats.get(owner, "" if short else symbol.entity.words.one[:1])
                mark = self.board.seat(owner, token + short) if owner else Text(token + short)
                found[index] = found[index].append_text(mark) if index in found else mark
        for state, views in self.board.states:
            if isinstance(state.key, ThingType) and state.key.symbol is entity:
                for index, view in enumerate(views, 1):
                    if view.value in self.seats:
                        found[index] = self.board.seat(view.value, self.seats[view.value])
                    elif view.value not in (*NOTHING, None):
                        found[index] = Text(str(view.value)[:2])
        return found

    # ------------------------------------------------------------------------------------------------------- the hexes
    def _hexes(self, step: int) -> None:
        room, entity = 2 * step - 1, self.parts.hexes
        status = self.board.status(entity)
        kept = self._kept(room)
        rows = self.board.facts.rows(entity)
        for index, (half, row) in self.places.items():
            line, column = self._at((half, 3 * row), step)
            self._write(line - 1, column, Text(clipped(rows[index - 1].printed, room), "dim"))
            self._write(line, column, Text(clipped(kept.get(index, ""), room)))
            told = status[index].copy() if index in status and index not in self.only_kept else Text()
            told = self._without(told, index)
            told.truncate(room)
            self._write(line + 1, column, told)

    def _kept(self, room: int) -> dict[int, str]:
        """What is kept or printed for each hex: members and numbers, in short where there is little room."""
        found: dict[int, list[str]] = {}
        self.notes: dict[int, list[str]] = {}
        self.only_kept: set[int] = set()
        for state, views in self.board.states:
            if isinstance(state.key, ThingType) and state.key.symbol is self.parts.hexes:
                for index, view in enumerate(views, 1):
                    if view.value is not None and view.value not in (*NOTHING, *self.seats):
                        short = self._short(state, view.value) if room < ROOMY else view.value
                        found.setdefault(index, []).append(short)
                        label = words(state.name)
                        self.notes.setdefault(index, []).extend([f"{label} {view.value}", view.value])
        if not found:
            for row in self.board.facts.rows(self.parts.hexes):
                shown = [
                    c for c in self.board.facts.shown_columns(self.parts.hexes) if c.name not in ("row", "col", "half")
                ]
                values = [self.board.facts.value(row, column) for column in shown]
                found[row.index] = [value for value in values if value not in NOTHING]
        return {index: " ".join(parts) for index, parts in found.items()}

    def _short(self, state: g.StateSymbol, value: str) -> str:
        """A member of an enum in two letters, which the legend explains."""
        kind = strip(state.type)
        if not isinstance(kind, EnumType):
            return value
        short = two_letters([member[2].one for member in kind.symbol.members]).get(value, value)
        self.legend.setdefault(short, Text(f"{short} {value}"))
        return short

    def _without(self, told: Text, index: int) -> Text:
        """What is on a hex without what its second line says."""
        for note in self.notes.get(index, []):
            at = f" {told.plain} ".find(f" {note} ")
            if at >= 0:
                told = Text("").join([told[:at], told[at + len(note) :]])
        told = Text(" ").join([part for part in told.split(" ") if part.plain])
        return told

    def _listed(self) -> list[Text]:
        """Rows of other tables that name a corner or an edge, such as harbours."""
        found = []
        facts = self.board.facts
        for entity in facts.checked.entities:
            if entity.kind != "table" or entity in (self.parts.corners, self.parts.edges):
                continue
            at = next((c for c in entity.columns.values() if self._names_a_place(c)), None)
            if at is None or not facts.rows(entity):
                continue
            parts = []
            for row in facts.rows(entity):
                told = [facts.value(row, at)]
                for column in facts.shown_columns(entity):
                    value = facts.value(row, column)
                    if column is not at and value not in NOTHING:
                        told.append(f"{words(column.name)} {value}" if value.isdigit() else value)
                parts.append(" ".join(told))
            found.append(Text(f"{entity.words.many}: ", "dim").append(", ".join(parts), ""))
        return found

    def _names_a_place(self, column: g.ColumnSymbol) -> bool:
        kind = strip(column.type)
        return (
            column.kind == "value"
            and isinstance(kind, ThingType)
            and kind.symbol in (self.parts.corners, self.parts.edges)
        )


__all__ = ["HexMap", "Parts", "hex_parts", "places_of"]
