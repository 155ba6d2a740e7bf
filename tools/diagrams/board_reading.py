"""From a checked game to the diagram of its board: the places where they lie, and how they are joined.

What a board looks like follows from what it is made of: a drawing of squares, hexes with their corners and edges, a
table in which places name their neighbours (then they are laid out so that joined ones lie near each other), or places
in a row. A game without a board has its zones and decks drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import BoolType, EnumType, IntType, PlayerType, SetType, TallyType, ThingType, strip
from regelwerk.interpreter.api import Game
from regelwerk.interpreter.faults import Fault
from regelwerk.tools.diagrams.diagram import Diagram, Edge, Node, Position, Shape
from regelwerk.tools.diagrams.spreading import apart, spread
from regelwerk.tools.game_facts import Facts
from regelwerk.tools.source_words import as_title

HEX = 1.7
"""How wide a hex is; the side of a square is 1."""
ROW = HEX * 0.8660254
CORNER = 0.34
WALK = 5
"""So many places stand side by side where they are only in order."""
NOTHING = ("nothing", "nobody", "no", "0", "")
STRETCH = 1.55
FACE, DOT = (1.5, 0.62), (0.5, 0.5)
"""How big places are that lie between others, and those that are joined."""
TABLED = 60
"""Tables with more rows than this are not written beside the places they name."""
PASTELS = (
    "#cfe0f3", "#f6d9c6", "#d8ecd2", "#f4ecc2", "#e4d7ee", "#d2ebe8", "#f3d3dc", "#e3e3e3", "#dcd8c8", "#c9d6df",
)  # fmt: skip
COLOURS = {
    "red": "#f0b6b0", "blue": "#b5cdea", "green": "#bfe0b8", "yellow": "#f6eab0", "orange": "#f7cfa0",
    "white": "#ffffff", "black": "#b9bec6", "grey": "#d9d9d9", "gray": "#d9d9d9", "brown": "#dcc3ab",
    "purple": "#d8c4e8", "pink": "#f5cad8", "water": "#b5d5ea", "sea": "#b5d5ea", "lake": "#b5d5ea",
    "river": "#b5d5ea", "canal": "#b5d5ea", "land": "#f1e7cf", "desert": "#f1e7cf", "sand": "#f1e7cf",
    "wood": "#b9d9b0", "forest": "#b9d9b0", "grain": "#f6eab0", "wheat": "#f6eab0", "wool": "#dcefcf",
    "pasture": "#dcefcf", "ore": "#d3d7de", "mountain": "#d3d7de", "brick": "#efc3ac", "clay": "#efc3ac",
}  # fmt: skip
"""What members are called that have a colour by themselves."""


def board_diagram(game: g.CheckedGame) -> Diagram:
    """The diagram of a game."""
    return _Reader(game).read()


@dataclass
class _Space:
    """Where the next board is put: below the ones before."""

    top: float = 0.0
    nodes: list[Node] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)


class _Reader:
    def __init__(self, game: g.CheckedGame) -> None:
        self.game = game
        self.diagram = Diagram(game.name, game.title, "the board")
        self.facts = _facts(game)
        self.space = _Space()
        self.legend: dict[str, str] = {}

    def read(self) -> Diagram:
        """All boards, one below the other."""
        boards = [each for each in self.game.entities if each.kind == "fields" and self._rows(each)]
        done: set[g.EntitySymbol] = set()
        for entity in boards:
            if entity in done:
                continue
            if entity.marks and not self._hexes(entity):
                self._grid(entity)
            elif self._hexes(entity):
                self._hex_map(entity)
            elif self._neighbours(entity) is not None:
                done |= self._graph(entity, boards)
            elif self._belongs_to_graph(entity, boards):
                continue
            else:
                self._walk(entity)
            done.add(entity)
        if not boards:
            self.diagram.subtitle = "the places where things lie"
            self._zones()
        self.diagram.members += self.space.nodes
        self.diagram.edges += self.space.edges
        self.diagram.legend = [(colour, text) for text, colour in self.legend.items()]
        return self.diagram

    # ------------------------------------------------------------------------------------------------------ the things
    def _rows(self, entity: g.EntitySymbol) -> list[g.RowSymbol]:
        return self.facts.rows(entity) if self.facts is not None else list(entity.rows)

    def _value(self, row: g.RowSymbol, column: g.ColumnSymbol) -> str:
        return self.facts.value(row, column) if self.facts is not None else ""

    def _caption(self, entity: g.EntitySymbol, width: float, text: str = "") -> None:
        owner = " (each player)" if any(row.per_player for row in entity.rows) else ""
        title = text or f"{as_title(entity.words.many)}{owner}"
        at = Position(max(width, 3) / 2 - 0.5, self.space.top - 0.1, (max(width, 3), 0.4), "text")
        self.space.nodes.append(Node(f"caption {entity.name} {text}", "caption", title, at=at))
        self.space.top += 0.75

    def _ground(self, entity: g.EntitySymbol) -> g.ColumnSymbol | None:
        """The column that colours the places."""
        columns = [c for c in entity.columns.values() if c.kind == "value" and isinstance(strip(c.type), EnumType)]
        return columns[0] if columns else None

    def _fill(self, row: g.RowSymbol, column: g.ColumnSymbol | None) -> str:
        if column is None:
            return "#ffffff"
        value = self._value(row, column)
        if value in NOTHING or value.isdigit():
            return "#ffffff"
        kind = strip(column.type)
        assert isinstance(kind, EnumType)
        names = [each[2].one for each in kind.symbol.members]
        place = names.index(value) if value in names else len(names)
        colour = COLOURS.get(value.lower(), PASTELS[place % len(PASTELS)])
        self.legend.setdefault(value, colour)
        return colour

    def _told(self, row: g.RowSymbol, entity: g.EntitySymbol, without: tuple[str, ...] = ()) -> tuple[str, ...]:
        """What is printed on a place: its numbers and members."""
        found = []
        for column in entity.columns.values():
            kind = strip(column.type)
            if (
                column.kind != "value"
                or column.name in without
                or not isinstance(kind, IntType | EnumType | TallyType | ThingType)
            ):
                continue
            value = self._value(row, column)
            if value not in NOTHING and value != row.printed:
                found.append(value)
        return tuple(found)

    def _name(self, row: g.RowSymbol, entity: g.EntitySymbol) -> str:
        """The printed name, unless it only counts."""
        bare = row.printed.lower().removeprefix(entity.words.one.lower()).strip()
        return "" if not any(letter.isalpha() for letter in bare) else row.printed

    # ---------------------------------------------------------------------------------------------------------- squares
    def _grid(self, entity: g.EntitySymbol) -> None:
        rows = self._rows(entity)
        drawn = [entity.columns[name] for name in entity.marks]
        panels = [[each] for each in drawn] if len(drawn) > 1 else [drawn]
        places = [row.grid for row in rows if row.grid is not None]
        wide = max(place[1] for place in places) - min(place[1] for place in places) + 1
        high = max(place[0] for place in places) - min(place[0] for place in places) + 1
        top_row, left = min(place[0] for place in places), min(place[1] for place in places)
        self._caption(entity, wide)
        across = max(1, int(24 // (wide + 1))) if len(panels) > 1 else 1
        top = self.space.top
        for number, columns in enumerate(panels):
            dx, dy = number % across * (wide + 1), number // across * (high + 1.4)
            if len(panels) > 1:
                at = Position(dx + (wide - 1) / 2, top + dy - 0.1, (wide, 0.4), "text")
                self.space.nodes.append(
                    Node(f"caption {columns[0].address}", "caption", as_title(columns[0].name), at=at)
                )
            for row in rows:
                if row.grid is None:
                    continue
                self._square(entity, row, columns, (dx + row.grid[1] - left, top + dy + 0.7 + row.grid[0] - top_row))
        self.space.top = top + ((len(panels) - 1) // across + 1) * (high + 1.4) + 0.5

    def _square(
        self, entity: g.EntitySymbol, row: g.RowSymbol, columns: list[g.ColumnSymbol], at: tuple[float, float]
    ) -> None:
        ground = next((c for c in columns if isinstance(strip(c.type), EnumType)), None)
        lines = [self._value(row, c) for c in columns if not isinstance(strip(c.type), EnumType | BoolType)]
        lines = [each for each in lines if each not in NOTHING]
        title = self._name(row, entity) if len(self._rows(entity)) <= 64 and not lines else ""
        if not title and not lines and ground is not None and len(columns) == 1 and len(self._rows(entity)) <= 64:
            title = self._value(row, ground)
        position = Position(at[0], at[1], (1.0, 1.0), "box", self._fill(row, ground))
        identity = f"place {row.address}" + (f" {columns[0].name}" if len(entity.marks) > 1 else "")
        self.space.nodes.append(Node(identity, "place", title, tuple(lines), address=row.address, at=position))

    # ------------------------------------------------------------------------------------------------------------ hexes
    def _hexes(self, entity: g.EntitySymbol) -> dict[g.RowSymbol, tuple[float, float]]:
        """Of each row its place as (half, row), if the rows are hexes."""
        rows = self._rows(entity)
        if entity.marks:
            halves: dict[int, set[int]] = {}
            for row in rows:
                if row.grid is not None:
                    halves.setdefault(row.grid[1], set()).add(row.grid[2])
            # of squares each column stands below itself; rows of hexes are shifted
            if all(len(each) == 1 for each in halves.values()):
                return {}
            return {row: (float(row.grid[2]), float(row.grid[0])) for row in rows if row.grid is not None}
        half, line = entity.columns.get("half"), entity.columns.get("row")
        if half is None or line is None or self.facts is None:
            return {}
        try:
            return {row: (float(self._value(row, half)), float(self._value(row, line))) for row in rows}
        except ValueError:
            return {}

    def _hex_map(self, entity: g.EntitySymbol) -> None:
        places = self._hexes(entity)
        left = min(half for half, _ in places.values())
        first = min(line for _, line in places.values())
        wide = (max(half for half, _ in places.values()) - left) / 2 * HEX + HEX
        self._caption(entity, wide)
        top = self.space.top + HEX * 0.6
        ground = self._ground(entity)

        def point(half: float, line: float) -> tuple[float, float]:
            return (half - left) / 2 * HEX, top + (line - first) * ROW

        for row, (half, line) in places.items():
            at = point(half, line)
            told = self._told(row, entity, ("row", "col", "half"))
            position = Position(at[0], at[1], (HEX, HEX * 1.1547), "hexagon", self._fill(row, ground))
            self.space.nodes.append(
                Node(f"place {row.address}", "place", self._name(row, entity), told, address=row.address, at=position)
            )
        self._corners(point)
        self.space.top = top + (max(line for _, line in places.values()) - first) * ROW + HEX * 1.3

    def _corners(self, point: Callable[[float, float], tuple[float, float]]) -> None:
        """The corners and edges that the library makes of hexes, and what tables say about them."""
        made = [each for each in self.game.entities if each.computed is not None]
        corners = next((each for each in made if {"x", "y"} <= each.columns.keys()), None)
        edges = next((each for each in made if {"a", "b"} <= each.columns.keys()), None)
        if corners is None or self.facts is None:
            return
        at: dict[int, tuple[float, float]] = {}
        for row in self._rows(corners):
            x, y = (float(self._value(row, corners.columns[name])) for name in ("x", "y"))
            at[row.index] = point(x, y / 3)
        used = any(isinstance(zone.key, ThingType) and zone.key.symbol is corners for zone in self.game.zones)
        for row in self._rows(corners) if used else ():
            position = Position(*at[row.index], (CORNER, CORNER), "circle")
            self.space.nodes.append(
                Node(f"place {row.address}", "place", str(row.index), address=row.address, at=position)
            )
        middles = {corners: at}
        if edges is not None:
            program = self.facts.program
            first, second = (program.column_by_row(edges.columns[name]) for name in ("a", "b"))
            middles[edges] = {}
            for row in self._rows(edges):
                (x1, y1), (x2, y2) = at[first[row.index]], at[second[row.index]]
                middles[edges][row.index] = ((x1 + x2) / 2, (y1 + y2) / 2)
        self._tables(middles)

    def _tables(self, middles: dict[g.EntitySymbol, dict[int, tuple[float, float]]]) -> None:
        """Rows of tables that name a corner or an edge stand beside it, on its outer side."""
        points = [each for found in middles.values() for each in found.values()]
        cx, cy = (sum(each[k] for each in points) / len(points) for k in (0, 1))
        for entity in self.game.entities:
            if entity.kind != "table" or entity.computed is not None or len(entity.rows) > TABLED or self.facts is None:
                continue
            for column in entity.columns.values():
                kind = strip(column.type)
                if column.kind != "value" or not isinstance(kind, ThingType) or kind.symbol not in middles:
                    continue
                found = self.facts.program.column_by_row(column)
                for row in self._rows(entity):
                    x, y = middles[kind.symbol].get(found[row.index], (cx, cy))
                    length = max(0.1, ((x - cx) ** 2 + (y - cy) ** 2) ** 0.5)
                    x, y = x + (x - cx) / length * 0.85, y + (y - cy) / length * 0.62
                    told = " ".join(self._told(row, entity, (column.name,)))
                    title = self._name(row, entity) if any(letter.isspace() for letter in row.printed) else told
                    at = Position(x, y, (1.0, 0.4), "text")
                    self.space.nodes.append(Node(f"caption {row.address}", "caption", title or row.printed, at=at))

    # ----------------------------------------------------------------------------------------------------------- graphs
    def _neighbours(self, entity: g.EntitySymbol) -> g.ColumnSymbol | None:
        """The column in which places name their neighbours."""
        for column in entity.columns.values():
            kind = strip(column.type)
            if isinstance(kind, SetType) and isinstance(kind.member, ThingType) and kind.member.symbol is entity:
                return column
        return None

    def _belongs_to_graph(self, entity: g.EntitySymbol, boards: list[g.EntitySymbol]) -> bool:
        """Whether another board places it: it is named there, or it joins places there."""
        graphs = [each for each in boards if self._neighbours(each) is not None]
        return any(self._parts(each, entity) is not None or self._ends(entity, each) for each in graphs)

    def _parts(self, graph: g.EntitySymbol, entity: g.EntitySymbol) -> g.ColumnSymbol | None:
        for column in graph.columns.values():
            kind = strip(column.type)
            if isinstance(kind, SetType) and isinstance(kind.member, ThingType) and kind.member.symbol is entity:
                return column if entity is not graph else None
        return None

    def _ends(self, entity: g.EntitySymbol, graph: g.EntitySymbol) -> list[g.ColumnSymbol]:
        """The two columns of an edge that name places, or the one that names both."""
        ends = []
        for column in entity.columns.values():
            kind = strip(column.type)
            member = strip(kind.member) if isinstance(kind, SetType) else kind
            if isinstance(member, ThingType) and member.symbol is graph and column.kind == "value":
                ends.append(column)
        return ends if entity is not graph else []

    def _graph(self, entity: g.EntitySymbol, boards: list[g.EntitySymbol]) -> set[g.EntitySymbol]:
        column = self._neighbours(entity)
        assert column is not None
        if self.facts is None:
            return set()
        program = self.facts.program
        rows = self._rows(entity)
        joined = {(row.index, other) for row in rows for other in _members(program.column_by_row(column)[row.index])}
        names: list[tuple[g.EntitySymbol, int]] = [(entity, row.index) for row in rows]
        links = [((entity, a), (entity, b), 1.0) for a, b in sorted(joined) if a < b or (b, a) not in joined]
        faces: list[g.EntitySymbol] = []
        for other in boards:
            part = self._parts(entity, other)
            if part is not None:
                faces.append(other)
                names += [(other, row.index) for row in self._rows(other)]
                cells = program.column_by_row(part)
                links += [
                    ((other, face), (entity, row.index), 0.85) for row in rows for face in _members(cells[row.index])
                ]
        rim = _rim(links, entity, set(faces))
        sizes = {name: FACE if name[0] in faces else DOT for name in names}
        at = apart({name: (x * STRETCH, y * STRETCH) for name, (x, y) in spread(names, links, rim).items()}, sizes)
        width = max(x for x, _ in at.values())
        self._caption(entity, width, " and ".join(as_title(each.words.many) for each in [*faces, entity]))
        top = self.space.top + 0.6
        numbers = self._numbered_edges(entity, boards)
        for symbol, index in names:
            row = self._rows(symbol)[index - 1]
            x, y = at[symbol, index]
            face = symbol in faces
            shape: Shape = "box" if face else "circle"
            told = self._told(row, symbol) if face else ()
            short = row.printed if face else row.printed.split(" ")[0]
            position = Position(x, top + y, sizes[symbol, index], shape, self._fill(row, self._ground(symbol)))
            self.space.nodes.append(
                Node(f"place {row.address}", "place", short, told, address=row.address, at=position)
            )
        drawn = numbers or {(a[1], b[1]): "" for a, b, _ in links if a[0] is entity and b[0] is entity}
        for (one, two), label in drawn.items():
            tail, head = (f"place {rows[k - 1].address}" for k in (one, two))
            self.space.edges.append(Edge(tail, head, "joins", label))
        self.space.top = top + max(y for _, y in at.values()) + 1.2
        return {*faces, *(each for each in boards if self._ends(each, entity))}

    def _numbered_edges(self, graph: g.EntitySymbol, boards: list[g.EntitySymbol]) -> dict[tuple[int, int], str]:
        """The edges that are places themselves, by the two places they join, with their numbers."""
        if self.facts is None:
            return {}
        found: dict[tuple[int, int], str] = {}
        for entity in boards:
            ends = self._ends(entity, graph)
            cells = [self.facts.program.column_by_row(each) for each in ends]
            for row in self._rows(entity) if ends else ():
                both: list[int] = []
                for column, values in zip(ends, cells, strict=True):
                    value = values[row.index]
                    both += _members(value) if isinstance(strip(column.type), SetType) else [value]
                if len(both) == 2 and all(both):
                    found[both[0], both[1]] = str(row.index)
        return found

    # ------------------------------------------------------------------------------------------- in a row, and no board
    def _walk(self, entity: g.EntitySymbol) -> None:
        """Places that are only in order: to the right and back, each joined to the next."""
        rows = self._rows(entity)
        bare = not any(self._name(row, entity) for row in rows)
        wide, high, box = (1.25, 0.95, (1.0, 0.65)) if bare else (3.0, 1.25, (2.5, 0.85))
        across = min(2 * WALK + 2 if bare else WALK, len(rows))
        self._caption(entity, across * wide)
        ground = self._ground(entity)
        top = self.space.top + 0.5
        for number, row in enumerate(rows):
            line, place = divmod(number, across)
            place = across - 1 - place if line % 2 else place
            told = self._told(row, entity)
            position = Position(
                place * wide + box[0] / 2 - 0.45, top + line * high, box, "box", self._fill(row, ground)
            )
            title = f"{number + 1} {self._name(row, entity)}".strip()
            self.space.nodes.append(
                Node(f"place {row.address}", "place", title, told, address=row.address, at=position)
            )
            if number:
                self.space.edges.append(Edge(f"place {rows[number - 1].address}", f"place {row.address}", "joins"))
        self.space.top = top + ((len(rows) - 1) // across + 1) * high + 0.4

    def _zones(self) -> None:
        """The places of the table, then those of each player and of each thing."""
        groups: dict[str, list[g.ZoneSymbol]] = {}
        for zone in self.game.zones:
            key = zone.key
            owner = "The table" if key is None else "Each player" if isinstance(key, PlayerType) else f"Each {key}"
            groups.setdefault(owner, []).append(zone)
        if not groups:
            self.space.nodes.append(
                Node("nothing", "caption", "This game has no board and no places", at=Position(2, 0, (4, 0.5), "text"))
            )
        for owner in sorted(groups, key=lambda each: (each != "The table", each != "Each player", each)):
            at = Position(1.2, self.space.top, (3, 0.4), "text")
            self.space.nodes.append(Node(f"caption {owner}", "caption", owner, at=at))
            self.space.top += 1.0
            for number, zone in enumerate(groups[owner]):
                line, place = divmod(number, 4)
                seen = {
                    "all": "seen by all",
                    "owner": "seen by its owner",
                    "nobody": "face down",
                    "count": "only counted",
                }[zone.seen_by]
                kind = f"{zone.entity.words.many}{f', a {zone.order}' if zone.order else ''}"
                position = Position(
                    place * 3 + 1.2,
                    self.space.top + line * 1.5,
                    (2.7, 1.2),
                    "box",
                    PASTELS[0] if zone.seen_by == "all" else "#e3e3e3",
                )
                self.space.nodes.append(
                    Node(
                        f"place {zone.name} {zone.key}",
                        "place",
                        as_title(zone.words),
                        (kind, seen),
                        address=zone.name,
                        at=position,
                    )
                )
            self.space.top += ((len(groups[owner]) - 1) // 4 + 1) * 1.5 + 0.2


def _rim(
    links: list[tuple[tuple[g.EntitySymbol, int], tuple[g.EntitySymbol, int], float]],
    entity: g.EntitySymbol,
    faces: set[g.EntitySymbol],
) -> list[tuple[g.EntitySymbol, int]]:
    """The places around a map, in their order: joined ones that lie at one face only; empty if that is no circle."""
    around: dict[int, set[tuple[g.EntitySymbol, int]]] = {}
    for one, other, _ in links:
        if one[0] in faces and other[0] is entity:
            around.setdefault(other[1], set()).add(one)
    nexts: dict[int, list[int]] = {}
    for one, other, _ in links:
        if one[0] is entity and other[0] is entity:
            both = around.get(one[1], set()) & around.get(other[1], set())
            if len(both) == 1:
                nexts.setdefault(one[1], []).append(other[1])
                nexts.setdefault(other[1], []).append(one[1])
    if not nexts or any(len(each) != 2 for each in nexts.values()):
        return []
    start = min(nexts)
    found, before, here = [start], start, nexts[start][0]
    while here != start:
        found.append(here)
        before, here = here, next(each for each in nexts[here] if each != before)
    return [(entity, k) for k in found] if len(found) == len(nexts) else []


def _facts(game: g.CheckedGame) -> Facts | None:
    """The constant side of the game for the fewest players; None if it cannot be set up."""
    try:
        return Facts(Game(game, (), game.sources).new(players=game.players[0], seed=0))
    except Fault:
        return None


def _members(mask: object) -> list[int]:
    """The members of a set in its run-time form."""
    number = mask if isinstance(mask, int) else 0
    return [k for k in range(number.bit_length()) if number >> k & 1]


__all__ = ["board_diagram"]
