"""Draws what a player sees of a game, from the model alone: fields, players, shared places, the own hand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rich import box
from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import EnumType, PlayerType, TallyType, ThingType, strip
from regelwerk.interpreter.api import State
from regelwerk.interpreter.views import StateView, ThingView, View, ZoneView
from regelwerk.tools.game_facts import Facts, clipped, words
from regelwerk.tools.terminal.grids import Grids
from regelwerk.tools.terminal.hexes import HexMap, hex_parts
from regelwerk.tools.terminal.map import Map

SEAT_STYLES = (
    "bright_cyan",
    "bright_magenta",
    "bright_yellow",
    "bright_green",
    "bright_blue",
    "bright_red",
    "cyan",
    "magenta",
    "yellow",
    "green",
)
NAMED_STYLES = {
    "blue": "bright_blue",
    "red": "bright_red",
    "green": "bright_green",
    "yellow": "bright_yellow",
    "black": "bright_black",
    "white": "bright_white",
    "purple": "bright_magenta",
    "orange": "orange3",
}
"""The colours of seats that are called by a colour."""
NOTHING = ("nothing", "nobody", "")
DETAILED = 8
"""Open places with more things are told in short."""
MANY_ROWS = 60
"""Tables of fields with more rows show only those where something is."""


class Board:
    """Draws one state for one viewer."""

    def __init__(self, facts: Facts, state: State, viewer: str | None, width: int) -> None:
        self.facts = facts
        self.state = state
        self.viewer = viewer
        self.width = width
        self.view: View = state.view(viewer)
        self.seats = state.seats
        symbols = facts.program.zones.symbol_of[1:]
        self.zones: list[tuple[g.ZoneSymbol, ZoneView]] = [
            (s, z) for s, z in zip(symbols, self.view.zones, strict=True) if s is not None
        ]
        self.held = self._held()
        self.states: list[tuple[g.StateSymbol, list[StateView]]] = []
        views = iter(self.view.states)
        for symbol in facts.checked.states:
            self.states.append((symbol, [next(views) for _ in range(facts.program.key_count(symbol.key))]))
        self.beside: set[int] = set()
        """The fields of the last status on which something is noted, which covers nothing."""
        self.boards = [e for e in facts.checked.entities if e.kind in ("fields", "table") and self._has_something(e)]

    def _held(self) -> dict[str, str]:
        """What things hold, by their ids."""
        found: dict[str, list[str]] = {}
        for count in self.view.counts:
            if count.holder != "bank" and count.holder not in self.seats:
                kinds = [f"{n} {kind}" for kind, n in count.kinds.items() if n] if count.kinds is not None else None
                found.setdefault(count.holder, []).extend(kinds or [f"{count.count} {count.printed}"])
        return {holder: ", ".join(goods) for holder, goods in found.items()}

    # ------------------------------------------------------------------------------------------------------- drawing
    def draw(self, only_filled: bool = False) -> RenderableType:
        """Everything: fields (perhaps only if something lies there), players, shared places, and the viewer's hand."""
        parts: list[RenderableType] = [] if only_filled and not self.filled() else [self.draw_fields()]
        parts += [each for each in (self.players(), self.shared(), self.hand()) if each is not None]
        return Group(*parts)

    def draw_fields(self) -> RenderableType:
        """All fields. A board of hexes shows its corners and edges, too."""
        parts = hex_parts(self)
        drawn = HexMap(self, parts).draw(self.width) if parts is not None else None
        shown = {parts.hexes, parts.corners, parts.edges} if parts is not None and drawn is not None else set()
        found = [self.fields(entity) for entity in self.boards if entity not in shown]
        return Group(*[each for each in (drawn, *found) if each is not None])

    def filled(self) -> int:
        """How many things lie on fields."""
        return sum(z.count for s, z in self.zones if isinstance(s.key, ThingType) and s.key.symbol in self.boards)

    def headline(self) -> Text:
        """The title, where the game is, whose turn it is."""
        text = Text().append(self.state.game.title, style="bold")
        where = self.facts.where(self.state)
        if where:
            text.append(f" · {where}")
        if self.state.actor is not None:
            text.append(" · ").append_text(self.seat(self.state.actor))
            text.append(" decides" if self.state.actor != self.viewer else " (you) to decide")
            if self.view.active not in (None, self.state.actor):
                text.append(" in the turn of ").append_text(self.seat(str(self.view.active)))
        return text

    def seat(self, name: str, label: str | None = None) -> Text:
        """A seat in its colour."""
        return Text().append(label or name, style=f"bold {seat_style(self.seats, name)}")

    def summary(self) -> Text:
        """The viewer's own counts, dice and small states, on one line."""
        text = self.seat(self.viewer or "")
        parts: list[Text] = [Text(f"{c.count} {c.printed}") for c in self.view.counts if c.holder == self.viewer]
        for symbol, zone in self.zones:
            if zone.holder == self.viewer and symbol.entity.faces is not None and zone.things:
                parts.append(Text(f"{symbol.words} ").append_text(self.things(symbol, zone.things, False)))
        for part in parts:
            text.append(" · " if text.plain != self.viewer else "  ").append_text(part)
        return text

    # -------------------------------------------------------------------------------------------------------- things
    def dice(self, things: Iterable[ThingView], symbol: g.ZoneSymbol) -> Text:
        """Dice as boxed faces in their owner's colour."""
        text = Text()
        for die in things:
            style = seat_style(self.seats, die.owner) if die.owner else "white"
            row = self.facts.row(symbol.entity, die.id)
            if row.index > 1:
                noun = symbol.entity.words.one.casefold()
                name = row.printed[: -len(noun)].strip() if row.printed.casefold().endswith(f" {noun}") else row.printed
                text.append(f"{name} " if not text.plain else f" {name} ", style="dim")
            text.append(f"[{die.face}]", style=f"bold {style}")
        return text

    def things(self, symbol: g.ZoneSymbol, things: Sequence[ThingView], in_short: bool) -> Text:
        """The contents of a zone: dice as faces, the rest by name, equal ones counted."""
        if symbol.entity.faces is not None:
            return self.dice(things, symbol)
        names: list[tuple[str, str, str | None]] = []
        for thing in things:
            row = self.facts.row(symbol.entity, thing.id)
            owner = thing.owner if symbol.key is None or not isinstance(symbol.key, PlayerType) else None
            summed = symbol.seen_by == "all" and isinstance(symbol.key, PlayerType) and self.facts.summed(symbol.entity)
            short = self.facts.short(row) if in_short and not summed else ""
            if thing.id in self.held:
                short = f"{short}; has {self.held[thing.id]}" if short else f"has {self.held[thing.id]}"
            names.append((thing.name, short, owner))
        text = Text()
        for name, short, owner in dict.fromkeys(names):
            count = names.count((name, short, owner))
            if text.plain:
                text.append("\n" if in_short and symbol.key is not None else ", ")
            noun = symbol.entity.words
            many = f"{count} {noun.many}" if name == noun.one else f"{count} x {name}"
            one = f"1 {name}" if name == noun.one and isinstance(symbol.key, PlayerType) else name
            text.append(many if count > 1 else one, style=seat_style(self.seats, owner) if owner else "")
            if owner and len(self.seats) > 1:
                text.append(f" of {owner}", style="dim")
            if short and short.casefold() != name.casefold():
                text.append(f" {short}" if symbol.key is not None else f" ({short})", style="dim")
        return text

    def counted(self, symbol: g.ZoneSymbol, zone: ZoneView) -> Text:
        """How many things lie in a zone."""
        noun = symbol.entity.words.one if zone.count == 1 else symbol.entity.words.many
        return Text(f"{zone.count} {noun}" if zone.count else "empty", style="" if zone.count else "dim")

    def zone(self, symbol: g.ZoneSymbol, zone: ZoneView, in_short: bool = True) -> Text:
        """What is seen of a zone; its number of things where they are hidden, or in a pile."""
        if zone.things is None or (symbol.order == "pile" and zone.count > 3):
            text = self.counted(symbol, zone)
            if zone.top is not None:
                text.append(f", {zone.top.name} on top")
            known = [thing for thing in zone.known if zone.top is None or thing.id != zone.top.id]
            if known:
                text.append(" (you know ").append_text(self.things(symbol, known, False)).append(")")
            return text
        return self.things(symbol, zone.things, in_short) if zone.things else Text()

    # -------------------------------------------------------------------------------------------------------- fields
    def _has_something(self, entity: g.EntitySymbol) -> bool:
        """Whether a table is part of the board: fields are; rows of tables only where something is kept for them."""
        if entity.kind == "fields":
            return True
        keyed = [symbol.key for symbol, _ in self.zones] + [symbol.key for symbol, _ in self.states]
        return any(isinstance(key, ThingType) and key.symbol is entity for key in keyed)

    def status(self, entity: g.EntitySymbol) -> dict[int, Text]:
        """What is on each copy: by seat dice and things, then states, then what points at it (a pawn, a robber)."""
        self.beside = set()
        by_seat: dict[int, dict[str, list[Text]]] = {}
        plain: dict[int, list[Text]] = {}
        numbers: dict[g.Symbol, int] = {}
        for symbol, zone in self.zones:
            if not (isinstance(symbol.key, ThingType) and symbol.key.symbol is entity):
                continue
            index = numbers[symbol] = numbers.get(symbol, 0) + 1
            if not zone.count:
                continue
            if zone.things is None:
                plain.setdefault(index, []).append(self.zone(symbol, zone))
                continue
            for owner in dict.fromkeys(t.owner for t in zone.things):
                own = [
                    ThingView(t.id, t.name, t.face) if t.face is None else t for t in zone.things if t.owner == owner
                ]
                text = self.things(symbol, own, False)
                if owner is None:
                    plain.setdefault(index, []).append(text)
                else:
                    by_seat.setdefault(index, {}).setdefault(owner, []).append(text)
        main: g.StateSymbol | None = None
        for state, views in self.states:
            kind = strip(state.type)
            if isinstance(state.key, ThingType) and state.key.symbol is entity:
                if isinstance(kind, PlayerType) and main is None:
                    main = state
                for index, view in enumerate(views, 1):
                    self._state_on_row(state, view, index, main, by_seat, plain)
            elif isinstance(kind, ThingType) and kind.symbol is entity:
                for view in views:
                    for row in self.facts.rows(entity):
                        if view.value is not None and view.value == row.printed:
                            label = Text(words(state.name), style="italic")
                            if view.key in self.seats:
                                by_seat.setdefault(row.index, {}).setdefault(str(view.key), []).append(label)
                            else:
                                plain.setdefault(row.index, []).append(
                                    label if view.key is None else Text(f"{words(state.name)} of {view.key}")
                                )
        found: dict[int, Text] = {}
        for index in {*by_seat, *plain}:
            parts = []
            for seat in self.seats:
                if seat in by_seat.get(index, {}):
                    parts.append(Text(" ").join([self.seat(seat), *by_seat[index][seat]]))
            found[index] = Text(" ").join(parts + plain.get(index, []))
        return found

    def _state_on_row(
        self,
        state: g.StateSymbol,
        view: StateView,
        index: int,
        main: g.StateSymbol | None,
        by_seat: dict[int, dict[str, list[Text]]],
        plain: dict[int, list[Text]],
    ) -> None:
        value = view.value
        if value is None or value in (*NOTHING, "no", "0") or value == self.facts.start(state):
            return
        if value in self.seats:
            entry = by_seat.setdefault(index, {}).setdefault(value, [])
            if state is not main:
                entry.append(Text(words(state.name), style="italic"))
        else:
            named = not isinstance(strip(state.type), EnumType)
            label = words(state.name) if value == "yes" else f"{words(state.name)} {value}" if named else value
            plain.setdefault(index, []).append(Text(label))
            self.beside.add(index)

    def _by_row(self, entity: g.EntitySymbol, status: dict[int, Text]) -> dict[int, Text]:
        """What is on all copies of a row together."""
        things = self.facts.program.things[entity]
        found: dict[int, Text] = {}
        for copy, text in status.items():
            owner = things.owner_of[copy] if isinstance(entity.owner_type, PlayerType) else 0
            told = self.seat(self.seats[owner - 1]).append(" ").append_text(text) if owner else text
            row = things.row_of[copy]
            found[row] = found[row].append(" ").append_text(told) if row in found else told
        return found

    def fields(self, entity: g.EntitySymbol) -> RenderableType | None:
        """A table of fields, as a grid if it is one, else as a list in one to three blocks."""
        status = self.status(entity)
        if any(row.grid is not None for row in self.facts.rows(entity)):
            seats = [(number, self.seat(name)) for number, name in enumerate(self.seats, 1)]
            grids = Grids(self.facts, entity, status, self.beside, self.width)
            grid = grids.draw(seats) or Map(self, entity).draw(self.width)
            if grid is not None:
                return grid
        status = self._by_row(entity, status)
        rows = (
            self.facts.rows(entity)
            if len(self.facts.rows(entity)) <= MANY_ROWS and entity.kind == "fields"
            else [r for r in self.facts.rows(entity) if r.index in status]
        )
        if not rows:
            return None
        columns = self.facts.shown_columns(entity)
        name_width = max([cell_len(row.printed) for row in rows] + [cell_len(entity.words.one)])

        def fixed_width(some: Sequence[g.RowSymbol]) -> int:
            values = ([cell_len(self.facts.value(r, c)) for r in some] + [cell_len(words(c.name))] for c in columns)
            return name_width + 1 + sum(max(each) + 1 for each in values)

        fixed = fixed_width(rows)
        inner = self.width - 4
        deeds = {
            row.index: "; ".join([t for t in (self.facts.deeds(row), *self.facts.marks(row)) if t]) for row in rows
        }
        wanted = 20 if any(deeds.values()) else max([cell_len(t.plain) for t in status.values()] + [8])
        blocks = max(1, min(3, (inner + 2) // (fixed + wanted + 2), (len(rows) + 3) // 4))
        block_width = (inner - 3 * (blocks - 1)) // blocks
        height = -(-len(rows) // blocks)
        outer = Table.grid(padding=(0, 1))
        drawn: list[RenderableType] = []
        for start in range(0, len(rows), height):
            room = block_width - fixed_width(rows[start : start + height])
            table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="dim", show_edge=False)
            table.add_column(entity.words.one, width=name_width, no_wrap=True)
            for column in columns:
                table.add_column(words(column.name), no_wrap=True)
            table.add_column("", width=max(4, room - 1))
            for row in rows[start : start + height]:
                on_it = status.get(row.index)
                content = on_it.copy() if on_it is not None else Text()
                left = room - 1 - cell_len(content.plain) - (2 if content.plain else 0)
                if deeds[row.index] and left >= 6:
                    content.append("  " if content.plain else "").append(clipped(deeds[row.index], left), style="dim")
                name = Text(row.printed, style="bold" if on_it is not None else "")
                table.add_row(name, *[Text(self.facts.value(row, c), style="cyan") for c in columns], content)
            if drawn:
                drawn.append(Text("\n".join("│" * (height + 1)), style="dim"))
            drawn.append(table)
        outer.add_row(*drawn)
        return Panel(
            outer,
            title=Text(entity.words.many, style="bold"),
            title_align="left",
            box=box.ROUNDED,
            border_style="dim",
            width=self.width,
        )

    # ------------------------------------------------------------------------------------------------------- players
    def players(self) -> RenderableType | None:
        """What each player has: a column each, or with many players a row each."""
        found = self._player_lines()
        if not found:
            return None
        label_width = max([cell_len(label) for label, _ in found] + [6])
        if (self.width - label_width - 4) // len(self.seats) >= 15:
            table = Table(box=box.ROUNDED, border_style="dim", pad_edge=True, width=self.width, padding=(0, 1))
            table.add_column("", style="dim", width=label_width, no_wrap=True)
            for name in self.seats:
                table.add_column(self._header(name), ratio=1)
            for label, cells in found:
                table.add_row(label, *cells)
            return table
        table = Table(box=box.ROUNDED, border_style="dim", width=self.width, show_header=False, show_lines=True)
        table.add_column("", no_wrap=True)
        table.add_column("", ratio=1)
        for position, name in enumerate(self.seats):
            parts = [
                Text().append(f"{label} ", style="dim").append_text(Text(" ").join(cells[position].split()))
                for label, cells in found
                if cells[position].plain
            ]
            table.add_row(self._header(name), Text(" · ").join(parts))
        return table

    def _header(self, name: str) -> Text:
        text = Text().append("▶ " if name == self.view.active else "", style="bold").append_text(self.seat(name))
        return text.append(" (you)", style="dim") if name == self.viewer else text

    def _player_lines(self) -> list[tuple[str, list[Text]]]:
        found: list[tuple[str, list[Text]]] = []
        counts: dict[str, dict[str, Text]] = {}
        for count in self.view.counts:
            text = str(count.count)
            if count.kinds is not None:
                text += f" ({', '.join(f'{n} {kind}' for kind, n in count.kinds.items() if n)})" if count.count else ""
            elif count.highest is not None:
                text += f" / {count.highest}"
            counts.setdefault(count.printed, {})[count.holder] = Text(text, style="bold" if count.count else "dim")
        for label, by_holder in counts.items():
            found.append((label, [by_holder.get(name, Text()) for name in self.seats]))
        by_zone: dict[g.ZoneSymbol, list[Text]] = {}
        for symbol, zone in self.zones:
            if isinstance(symbol.key, PlayerType):
                own_hand = symbol.seen_by == "owner" and zone.things and symbol.entity.faces is None  # drawn by `hand`
                by_zone.setdefault(symbol, []).append(
                    self.counted(symbol, zone) if own_hand else self.zone(symbol, zone)
                )
        found += [
            (symbol.words, cells)
            for symbol, cells in by_zone.items()
            if any(c.plain not in ("", "empty") for c in cells)
        ]
        found += self._sums()
        for state, views in self.states:
            if isinstance(state.key, PlayerType) and any(v.value not in (*NOTHING, "no", None) for v in views):
                found.append(
                    (
                        words(state.name),
                        [
                            Text("hidden", style="dim")
                            if v.value is None
                            else Text("" if v.value in NOTHING else v.value)
                            for v in views
                        ],
                    )
                )
        return found

    def _sums(self) -> list[tuple[str, list[Text]]]:
        """Tallies of the same name on the open cards of each player, added up: what a set of symbols comes to."""
        sums: dict[str, dict[str, list[int]]] = {}
        symbols: dict[str, g.EnumSymbol] = {}
        several: set[str] = set()
        for symbol, zone in self.zones:
            open_to_all = isinstance(symbol.key, PlayerType) and symbol.seen_by == "all"
            if not open_to_all or not zone.things or not self.facts.summed(symbol.entity):
                continue
            for column in symbol.entity.columns.values():
                kind = strip(column.type)
                if column.kind != "value" or not isinstance(kind, TallyType) or kind.symbol is None:
                    continue
                table = self.facts.program.column_by_row(column)
                total = sums.setdefault(column.name, {}).setdefault(str(zone.holder), [0] * len(kind.symbol.members))
                if any(total) or len(zone.things) > 1:
                    several.add(column.name)
                symbols[column.name] = kind.symbol
                for thing in zone.things:
                    row = self.facts.row(symbol.entity, thing.id)
                    for k, count in enumerate(table[row.index]):
                        total[k] += count
        found = []
        for name, by_seat in sums.items():
            if any(any(total) for total in by_seat.values()):
                texts = []
                for seat in self.seats:
                    texts.append(Text(self.facts.tally(symbols[name], by_seat.get(seat, []))))
                found.append((f"{words(name)}, sum" if name in several else words(name), texts))
        return found

    # -------------------------------------------------------------------------------------------------------- shared
    def shared(self) -> RenderableType | None:
        """Places, goods and states that belong to nobody."""
        lines: list[tuple[str, Text]] = []
        limited = {r.words.many for r in self.facts.checked.resources if r.supply is not None}
        bank = [
            f"{c.count} {c.printed}"
            for c in self.view.counts
            if c.holder == "bank" and c.printed in limited and c.kinds is None
        ]
        for count in self.view.counts:
            if count.holder == "bank" and count.printed in limited and count.kinds is not None:
                bank += [f"{n} {kind}" for kind, n in count.kinds.items()]
        if bank:
            lines.append(("bank", Text(", ".join(bank))))
        lying = {thing.id for _, zone in self.zones for thing in zone.things or ()}
        lines += [(holder, Text(goods)) for holder, goods in self.held.items() if holder not in lying]
        for symbol, zone in self.zones:
            on_board = isinstance(symbol.key, ThingType) and symbol.key.symbol in self.boards
            if not isinstance(symbol.key, PlayerType) and not on_board and zone.count:
                told = self.in_lines(symbol, zone) if self.tells_deeds(symbol, zone) else self.zone(symbol, zone)
                lines.append((zone.printed, told))
        for state, views in self.states:
            if state.key is None and views[0].value not in NOTHING:
                lines.append((words(state.name), Text(views[0].value or "hidden")))
            elif state.key is not None and not isinstance(state.key, PlayerType | ThingType):
                listed = ", ".join(f"{v.key} {v.value}" for v in views if v.value not in (*NOTHING, "no", "0", None))
                if listed:
                    lines.append((words(state.name), Text(listed)))
        titles: dict[str, list[Text]] = {}
        for title in self.view.titles:
            if title.holder is not None:
                name = Text(f"{title.key}: " if title.key is not None else "").append(self.seat(title.holder))
                titles.setdefault(title.printed, []).append(name)
        lines += [(printed, Text(", ").join(held)) for printed, held in titles.items()]
        if not lines:
            return None
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(style="dim", no_wrap=True)
        table.add_column()
        for label, text in lines:
            table.add_row(label, text)
        return Panel(table, box=box.ROUNDED, border_style="dim", width=self.width)

    def tells_deeds(self, symbol: g.ZoneSymbol, zone: ZoneView) -> bool:
        """Whether an open place is shown thing by thing, with what each does: few things, and they do something."""
        if not zone.things or len(zone.things) > DETAILED or (symbol.order == "pile" and zone.count > 3):
            return False
        return any(self.facts.deeds(self.facts.row(symbol.entity, thing.id)) for thing in zone.things)

    def in_lines(self, symbol: g.ZoneSymbol, zone: ZoneView) -> Text:
        """The things of a zone, one a line, with what each does."""
        lines = []
        for thing in zone.things or ():
            row = self.facts.row(symbol.entity, thing.id)
            line = Text().append(thing.name, style="bold")
            if thing.face is not None:
                line.append(f" [{thing.face}]")
            held = f"has {self.held[thing.id]}" if thing.id in self.held else ""
            details = " · ".join(t for t in (self.facts.short(row), held, self.facts.deeds(row)) if t)
            lines.append(line.append(f"  {details}" if details else "", style="dim"))
        return Text("\n").join(lines)

    def hand(self) -> RenderableType | None:
        """What only the viewer sees, and his cards whose rules hold: a card a line, with what it does."""
        lines: list[Text] = []
        titles: list[str] = []
        for symbol, zone in self.zones:
            own = symbol.seen_by == "owner" or symbol.entity.live_in is symbol
            if not own or self.viewer is None or zone.holder != self.viewer or not zone.things:
                continue
            titles.append(symbol.words)
            lines.append(self.in_lines(symbol, zone))
        if not lines:
            return None
        title = Text(f"Your {' and '.join(dict.fromkeys(titles))}", style="bold")
        return Panel(
            Text("\n").join(lines),
            title=title,
            title_align="left",
            box=box.ROUNDED,
            border_style=seat_style(self.seats, self.viewer),
            width=self.width,
        )


def seat_style(seats: Sequence[str], name: str | None) -> str:
    """The colour of a seat: its own, if it is called by a colour."""
    if name is not None and name.casefold() in NAMED_STYLES:
        return NAMED_STYLES[name.casefold()]
    return SEAT_STYLES[list(seats).index(name) % len(SEAT_STYLES)] if name is not None and name in seats else ""


def coloured(text: str, seats: Sequence[str], style: str = "") -> Text:
    """A text in which the names of seats have their colours."""
    found = Text(text, style=style)
    for name in seats:
        for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text):
            found.stylize(f"bold {seat_style(seats, name)}", match.start(), match.end())
    return found


__all__ = ["Board", "coloured", "seat_style"]
