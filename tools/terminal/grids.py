"""Boards that were drawn, as grids: rows and columns as in the drawing, with the letters and numbers of its cells.

A board that every player has is drawn once for each, side by side as far as there is room.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from rich import box
from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import PlayerType
from regelwerk.tools.game_facts import Facts, clipped

WIDEST = 14
"""A cell is at most so wide."""
MANY_COLUMNS = 9
READABLE = 6
"""A board with more columns, and less room for what lies on them, is drawn as a map."""

Place = tuple[int, int]


class Grids:
    """The drawn boards of one type of field. `status`: what is on each field, by its number; `beside`: the fields whose
    status is noted on them and covers nothing, so that what is printed there is shown as well."""

    def __init__(
        self, facts: Facts, entity: g.EntitySymbol, status: Mapping[int, Text], beside: set[int], width: int
    ) -> None:
        self.facts = facts
        self.entity = entity
        self.width = width
        self.things = facts.program.things[entity]
        rows = facts.rows(entity)
        self.lines = sorted({row.grid[0] for row in rows if row.grid is not None})
        self.across = sorted({row.grid[1] for row in rows if row.grid is not None})
        self.status = status
        self.beside = beside
        self.grounds = self._grounds()

    def draw(self, seats: list[tuple[int, Text]]) -> RenderableType | None:
        """The board; with seats (number and name) one for each of them. None if it cannot be read so."""
        owned = isinstance(self.entity.owner_type, PlayerType) and any(
            r.per_player for r in self.facts.rows(self.entity)
        )
        boards = [(0, Text(self.entity.words.many, style="bold"))]
        if owned:
            boards = [(n, Text(f"{self.entity.words.many} of ", style="bold").append_text(name)) for n, name in seats]
        room = self._room(seats)
        if room < 3:
            return None
        tables = [self._board(owner, title, room) for owner, title in boards]
        one = cell_len(str(max(self.lines))) + 4 + (room + 3) * len(self.across)
        beside = self.width // one
        if beside <= 1 or len(tables) == 1:
            return Group(*tables)
        outer = Table.grid()
        for start in range(0, len(tables), beside):
            outer.add_row(*tables[start : start + beside])
        return outer

    def _grounds(self) -> dict[int, str]:
        """What is printed on each field, without what follows from its place."""
        columns, values = self.facts.ground_of(self.entity)
        found: dict[int, list[str]] = {copy: [] for copy in range(1, self.things.count + 1)}
        for told in [*values, *(self._of_column(each) for each in columns)]:
            if not self._follows_from_place(told):
                for copy, text in told.items():
                    found[copy] += [text] if text not in ("nothing", "nobody", "", "0") else []
        return {copy: " ".join(texts) for copy, texts in found.items()}

    def _of_column(self, column: g.ColumnSymbol) -> dict[int, str]:
        rows = self.facts.rows(self.entity)
        return {copy: self.facts.value(rows[row - 1], column) for copy, row in enumerate(self.things.row_of) if copy}

    def _follows_from_place(self, told: Mapping[int, str]) -> bool:
        """Whether all cells of each line of a drawing, or of each of its columns, have the same value."""
        rows = self.facts.rows(self.entity)
        for side in (0, 1):
            values: dict[int, set[str]] = {}
            for copy, text in told.items():
                grid = rows[self.things.row_of[copy] - 1].grid
                if grid is not None:
                    values.setdefault(grid[side], set()).add(text)
            if len(values) > 1 and all(len(each) == 1 for each in values.values()):
                return True
        return False

    def _room(self, seats: list[tuple[int, Text]]) -> int:
        room = (self.width - cell_len(str(max(self.lines))) - 4 - 3 * len(self.across)) // len(self.across)
        widest = max(
            *(cell_len(name.plain) for _, name in seats),
            *(cell_len(text) for text in self.grounds.values()),
            *(cell_len(text.plain) for text in self.status.values()),
        )
        if room < min(widest, READABLE) and len(self.across) > MANY_COLUMNS:
            return 0
        return min(WIDEST, room, max(3, widest))

    def _board(self, owner: int, title: Text, room: int) -> Table:
        places: dict[Place, tuple[int, g.RowSymbol]] = {}
        rows = self.facts.rows(self.entity)
        for copy in range(self.things.count, 0, -1):
            row = rows[self.things.row_of[copy] - 1]
            if row.grid is not None and self.things.owner_of[copy] == owner:
                places[row.grid[:2]] = (copy, row)
        table = Table(
            box=box.SQUARE, show_lines=True, border_style="dim", header_style="dim", title=title, title_justify="left"
        )
        table.add_column("", style="dim", justify="right")
        for column in self.across:
            letters = {re.sub(r"\d", "", row.name) for (_, at), (_, row) in places.items() if at == column}
            table.add_column(letters.pop() if len(letters) == 1 else "", justify="center", width=room)
        for line in self.lines:
            numbers = {re.sub(r"\D", "", row.name) for (at, _), (_, row) in places.items() if at == line}
            cells = [Text(numbers.pop() if len(numbers) == 1 else "")]
            for column in self.across:
                found = places.get((line, column))
                cells.append(self._cell(found[0], room) if found is not None else Text())
            table.add_row(*cells)
        return table

    def _cell(self, copy: int, room: int) -> Text:
        ground = Text(clipped(self.grounds[copy], room), style="dim")
        on_it = self.status.get(copy)
        if on_it is None:
            return ground
        if copy not in self.beside or not ground.plain:
            return on_it
        return Text("\n").join([ground, on_it])


__all__ = ["Grids"]
