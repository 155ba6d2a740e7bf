"""What a player can read off the model of a game: columns of rows in words, the source of cells, names of phases."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from rich.cells import cell_len

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import BoolType, EnumType, IntType, PlayerType, TallyType, ThingType, strip
from regelwerk.dsl.source import Span
from regelwerk.interpreter import layout as la
from regelwerk.interpreter.api import Game, State
from regelwerk.interpreter.evaluation.base import EMPTY, walk
from regelwerk.interpreter.program import Program

DECISIONS = 24
"""In a game that counts no rounds so many decisions make a part."""


class Facts:
    """The constant side of a game of one configuration, in words. Reads no state."""

    def __init__(self, state: State) -> None:
        self.game: Game = state.game
        self.checked: g.CheckedGame = state.game.checked
        self.program: Program = state.program
        self._values: dict[g.ColumnSymbol, list[str]] = {}
        self._cells: dict[tuple[g.RowSymbol, g.ColumnSymbol], str] = {}

    # -------------------------------------------------------------------------------------------------------- source
    def source(self, span: Span | None) -> str:
        """The text a span covers, on one line."""
        source = self.game.sources.get(span.source) if span is not None else None
        if source is None or span is None:
            return ""
        return " ".join(re.sub(r"//[^\n]*", "", source.text[span.start : span.end]).split())

    def place(self, span: Span | None) -> str:
        """`file:line` of a span, or an empty text."""
        source = self.game.sources.get(span.source) if span is not None else None
        if source is None or span is None:
            return ""
        return f"{span.source}:{source.position(span.start)[0]}"

    def cell(self, row: g.RowSymbol, column: g.ColumnSymbol) -> str:
        """The source of a cell; empty if the cell is."""
        if (row, column) not in self._cells:
            self._cells[row, column] = self._read_cell(row, column)
        return self._cells[row, column]

    def _read_cell(self, row: g.RowSymbol, column: g.ColumnSymbol) -> str:
        if column.entity.computed is not None:
            return ""
        cell = column.cells[row.index - 1] if row.index <= len(column.cells) else None
        if isinstance(cell, g.CellBody):
            return self.source(cell.span)
        if isinstance(cell, tuple):
            return self.source(cell[1].span)
        if cell is not None:
            return self.source(cell.span)
        return self._cell_of_line(row, column.name)

    def _cell_of_line(self, row: g.RowSymbol, column: str) -> str:
        """A cell of rules, which are attached to what they aim at: read from the row's line under its header."""
        source = self.game.sources.get(row.span.source)
        if source is None:
            return ""
        number = source.position(row.span.start)[0]
        first = number
        while "|" in source.line(first - 1) and source.line(first - 1).lstrip().startswith("|"):
            first -= 1
        header, cells = _split(source.line(first)), _split(source.line(number))
        return cells[header.index(column)] if column in header and len(cells) == len(header) and first != number else ""

    # ---------------------------------------------------------------------------------------------------------- rows
    def rows(self, entity: g.EntitySymbol) -> list[g.RowSymbol]:
        """The rows of a type, computed ones as well."""
        return self.program.things[entity].rows

    def value(self, row: g.RowSymbol, column: g.ColumnSymbol) -> str:
        """The printed value of a constant cell."""
        if column not in self._values:
            try:
                found = self.program.column_by_row(column)
                self._values[column] = [self.program.texts.value(each, column.type) for each in found]
            except (IndexError, TypeError, AttributeError):  # a column that reads the state has no constant value
                self._values[column] = ["", *(self.cell(each, column) for each in self.rows(column.entity))]
        return self._values[column][row.index]

    def shown_columns(self, entity: g.EntitySymbol) -> list[g.ColumnSymbol]:
        """The columns whose values are worth a column of their own: numbers, members, things, tallies."""
        kinds = (IntType, EnumType, TallyType, ThingType, PlayerType)
        return [c for c in entity.columns.values() if c.kind == "value" and isinstance(strip(c.type), kinds)]

    def ground_of(self, entity: g.EntitySymbol) -> tuple[list[g.ColumnSymbol], list[dict[int, str]]]:
        """What is printed on the fields of a board: columns, and values that read no state and give a member (by copy).
        Columns that such a value is made from are not told beside it."""
        compiler, things = self.program.compiler, self.program.things[entity]
        read: set[g.ColumnSymbol] = set()
        told: list[dict[int, str]] = []
        for symbol in self.checked.values:
            kinds = [strip(kind) for _, kind in symbol.parameters]
            one = len(kinds) == 1 and isinstance(kinds[0], ThingType) and kinds[0].symbol is entity
            if not one or symbol.takes_me or symbol.body is None or not isinstance(strip(symbol.body.type), EnumType):
                continue
            if compiler.is_static_value(symbol):
                kind = symbol.body.type
                asked = x.Call(kind, symbol.span, symbol, [x.Local(ThingType(entity), symbol.span, 0)])
                value = compiler.expr(asked)
                copies = range(1, things.count + 1)
                told.append({copy: self.program.texts.value(value(EMPTY, [copy]), kind) for copy in copies})
                read |= {each.column for each in walk(symbol.body) if isinstance(each, x.ColumnRead)}
        return [column for column in self.shown_columns(entity) if column not in read], told

    def start(self, state: g.StateSymbol) -> str | None:
        """The printed start of a state whose values are members of an enum, if it is known: nothing is noted yet."""
        if state.start is None or not isinstance(strip(state.type), EnumType):
            return None
        if not self.program.compiler.is_static(state.start):
            return None
        return self.program.texts.value(self.program.compiler.static(state.start), state.type)

    def summed(self, entity: g.EntitySymbol) -> bool:
        """Whether the tallies on cards of this type are added up for each player; not if they hold goods themselves."""
        if any(entity in resource.held_by for resource in self.checked.resources):
            return False
        return any(c.kind == "value" and isinstance(strip(c.type), TallyType) for c in entity.columns.values())

    def marks(self, row: g.RowSymbol) -> list[str]:
        """The yes/no columns in which this row differs from most: `not on street`."""
        found = []
        for column in row.entity.columns.values():
            if column.kind == "value" and isinstance(column.type, BoolType):
                values = [self.value(each, column) for each in self.rows(row.entity)]
                rare = "yes" if values.count("yes") * 2 <= len(values) else "no"
                if values[row.index - 1] == rare and len(set(values)) > 1:
                    found.append(words(column.name) if rare == "yes" else f"not {words(column.name)}")
        return found

    def short(self, row: g.RowSymbol) -> str:
        """The values of a row in a few words: `3 coins, 2 crosses`."""
        found = []
        for column in self.shown_columns(row.entity):
            text = self.value(row, column)
            if text in ("nothing", "nobody", "") or stands_in(text, row.printed):
                continue
            kind = strip(column.type)
            if isinstance(kind, IntType) and text == "0" and not self._is_written(row, column):
                continue
            if isinstance(kind, IntType) and column.name in self.units:
                one, many = self.units[column.name]
                found.append(f"{text} {one if text == '1' else many}")
            elif isinstance(kind, TallyType):
                found.append(text.replace(" and ", ", "))
            else:
                found.append(f"{words(column.name)} {text}" if isinstance(kind, IntType | ThingType) else text)
        return ", ".join(found + (self.marks(row) if row.entity.kind != "dice" else []))

    def _is_written(self, row: g.RowSymbol, column: g.ColumnSymbol) -> bool:
        """Whether a row of a table says the value itself, which is not the column's default."""
        cell = column.cells[row.index - 1] if row.index <= len(column.cells) else None
        span = cell[1].span if isinstance(cell, tuple) else cell.span if cell is not None else None
        return span is not None and self.place(span) == self.place(row.span)

    @cached_property
    def units(self) -> dict[str, tuple[str, str]]:
        """The printed words of units by either of their names."""
        found: dict[str, tuple[str, str]] = {}
        symbols: list[g.ResourceSymbol | g.TrackSymbol] = [*self.checked.resources, *self.checked.tracks]
        for symbol in symbols:
            for name in (symbol.name, symbol.plural or symbol.name):
                found[name] = (symbol.words.one, symbol.words.many)
        return found

    def tally(self, symbol: g.EnumSymbol, counts: Sequence[int]) -> str:
        """A tally in words: `2 citizens, 1 cross`."""
        found = [(count, symbol.members[k][2]) for k, count in enumerate(counts) if count]
        return ", ".join(f"{count} {noun.one if count == 1 else noun.many}" for count, noun in found)

    def deeds(self, row: g.RowSymbol) -> str:
        """What a row does, from its cells; the column most rows use goes without its name."""
        columns = [c for c in row.entity.columns.values() if c.kind in ("effect", "test", "text")]
        if not columns:
            return ""
        rows = self.rows(row.entity)
        main = max(columns, key=lambda c: sum(1 for each in rows if self.cell(each, c)))
        found = []
        for column in columns:
            text = spoken(self.cell(row, column))
            if text:
                found.append(text if column is main else f"{words(column.name)}: {text}")
        return "; ".join(found)

    @cached_property
    def rows_by_name(self) -> dict[tuple[g.EntitySymbol, str], g.RowSymbol]:
        """All rows by their type and id."""
        return {(entity, row.name): row for entity in self.checked.entities for row in self.rows(entity)}

    def row(self, entity: g.EntitySymbol, thing: str) -> g.RowSymbol:
        """The row of a thing by its stable id."""
        found = self.rows_by_name.get((entity, thing))
        return found if found is not None else self.rows_by_name[entity, thing.rpartition(".")[0]]

    @cached_property
    def movable_ids(self) -> frozenset[str]:
        """The stable ids of everything that can lie in a zone."""
        found: set[str] = set()
        for entity in self.checked.entities:
            if entity.movable:
                things = self.program.things[entity]
                found.update(things.name(k) for k in range(1, things.count + 1))
        return frozenset(found)

    @cached_property
    def zone_texts(self) -> tuple[str, ...]:
        """How all zones are printed."""
        return tuple(self.program.texts.zone(k) for k in range(1, len(self.program.zones.symbol_of)))

    @cached_property
    def hides_values(self) -> bool:
        """Whether something besides things is hidden: then what others choose is told by events alone."""
        return any(s.seen_by != "all" for s in self.checked.states) or any(
            r.seen_by != "all" for r in self.checked.resources
        )

    @cached_property
    def has_secrets(self) -> bool:
        """Whether players may see different things: then two of them at one terminal must not see one screen."""
        sealed = any(isinstance(d, g.TogetherDriver) for phase in self.phases.values() for d in phase.drivers)
        return sealed or self.hides_values or any(z.seen_by != "all" for z in self.checked.zones)

    # -------------------------------------------------------------------------------------------------------- phases
    @cached_property
    def phases(self) -> dict[str, g.PhaseSymbol]:
        """All phases by their path."""
        found: dict[str, g.PhaseSymbol] = {}

        def collect(phases: list[g.PhaseSymbol]) -> None:
            for each in phases:
                found[each.path] = each
                collect(each.phases)

        collect(self.checked.phases)
        return found

    @cached_property
    def counted(self) -> g.PhaseSymbol | None:
        """The phase whose passes are the rounds of the game."""
        cap = self.checked.cap
        return cap[1] if cap is not None and isinstance(cap[1], g.PhaseSymbol) else None

    def heading(self, state: State) -> str:
        """What stands over a round: `round 3`; where no rounds are counted, `after 24 decisions`."""
        if self.counted is None and not self.checked.cap:
            return f"after {state.decisions} decisions" if state.decisions else "the beginning"
        return f"{self._round_word} {self.passes(state)}"

    def in_round(self, passes: int) -> str:
        """` of round 3`, if rounds are counted."""
        return f" of {self._round_word} {passes}" if self.counted is not None or self.checked.cap else ""

    @property
    def _round_word(self) -> str:
        return phase_name(self.counted) if self.counted is not None else "round"

    def passes(self, state: State) -> int:
        """How many rounds have begun; of a game without rounds, turns of all players or some decisions make one."""
        passes = int(state.image.w[la.PASSES])
        if self.counted is not None:
            return passes
        if self.checked.cap is not None:
            return -(-passes // len(state.seats))
        return 1 + state.decisions // DECISIONS

    def where(self, state: State) -> str:
        """Round and phases that run, as printed: `round 3, placement, move`."""
        counted = self.counted
        phase = self.phases.get(state.phase)
        chain: list[g.PhaseSymbol] = []
        while phase is not None:
            chain.insert(0, phase)
            phase = phase.parent
        parts = [phase_name(each) for each in chain]
        if counted is not None and counted in chain:
            parts = [f"{self._round_word} {self.passes(state)}", *parts[chain.index(counted) + 1 :]]
        elif len(parts) > 2:
            parts = parts[-2:]
        return ", ".join(parts)


def phase_name(phase: g.PhaseSymbol) -> str:
    """How a phase is printed."""
    return phase.printed or words(phase.name)


def stands_in(text: str, printed: str) -> bool:
    """Whether a printed name says this value already: `7♦` says 7 and ♦, `17` does not say 7."""
    before = r"(?<![^\W_])" if text[:1].isalnum() else ""
    behind = r"(?![^\W_])" if text[-1:].isalnum() else ""
    return re.search(before + re.escape(text) + behind, printed, re.IGNORECASE) is not None


def clipped(text: str, width: int) -> str:
    """A text cut to a width, with an ellipsis."""
    if cell_len(text) <= width:
        return text
    while text and cell_len(text) > width - 1:
        text = text[:-1]
    return text.rstrip(" ,;(") + "…"


def words(name: str) -> str:
    """An identifier as words."""
    return name.replace("_", " ")


def spoken(source: str) -> str:
    """The source of an effect, a little nearer to speech."""
    return words(re.sub(r"\bdo (?=\w)", "", source))


def _split(line: str) -> list[str]:
    """The cells of a table row; strings may hold pipes."""
    cells, text, quoted = [], "", False
    for character in line.strip():
        if character == '"':
            quoted = not quoted
        if character == "|" and not quoted:
            cells.append(text.strip())
            text = ""
        else:
            text += character
    return cells


__all__ = ["Facts", "clipped", "phase_name", "spoken", "words"]
