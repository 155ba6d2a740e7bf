"""A program: a checked game for one number of players and one choice of options, compiled to closures over its
layout."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.limits import COPIES
from regelwerk.dsl.model.types import (
    PLAYER,
    BoolType,
    EnumType,
    IntType,
    ListType,
    SetType,
    TallyType,
    ThingType,
    Type,
    strip,
)
from regelwerk.interpreter import decisions, ir
from regelwerk.interpreter import layout as la
from regelwerk.interpreter.colours import Colours
from regelwerk.interpreter.computed_rows import Cells, computed_rows
from regelwerk.interpreter.coverage import Coverage, places
from regelwerk.interpreter.evaluation import amounts, arithmetic, moving, operations, pictures, scalars, storing, verbs
from regelwerk.interpreter.evaluation.amounts import Purse
from regelwerk.interpreter.evaluation.base import EMPTY, Compiler, members, reader, writer
from regelwerk.interpreter.evaluation.operations import settle_function
from regelwerk.interpreter.evaluation.statements import BUDGET
from regelwerk.interpreter.evaluation.storing import start_state
from regelwerk.interpreter.faults import Fault
from regelwerk.interpreter.frames import codec, composite
from regelwerk.interpreter.history import History
from regelwerk.interpreter.holders import Holders
from regelwerk.interpreter.ir import Laws
from regelwerk.interpreter.knowledge import Knowledge
from regelwerk.interpreter.layout import Image, Layout
from regelwerk.interpreter.lazily import Lazily
from regelwerk.interpreter.lowering import Lowering
from regelwerk.interpreter.machine import CompiledProc, compile_proc
from regelwerk.interpreter.ordering import OrderSite
from regelwerk.interpreter.tables import AllThings, Domains, Things, build_things
from regelwerk.interpreter.texts import Texts
from regelwerk.interpreter.zones import Zones

STARTS = 64
"""So many sets of start values are kept, by what nature chose for the options left to it."""


NESTED_RULES = 32
"""How deep rules may set each other off (language, section 9)."""


class Program:
    """Everything that is constant while games of one configuration run."""

    def __init__(
        self,
        game: g.CheckedGame,
        players: int,
        seats: tuple[str, ...],
        options: Mapping[str, Any],
        extra: Callable[[Lowering], None] | None = None,
        pinned: set[g.ValueSymbol] | None = None,
        coverage: Coverage | None = None,
        lazily: bool = False,
    ) -> None:
        self.game = game
        self.coverage = coverage
        self.players = players
        self.seats = seats
        self.chosen_options = dict(options)
        self.fixed_options: dict[g.OptionSymbol, Any] = {}
        self.static_values: dict[g.ValueSymbol, bool] = {}
        self.value_functions: dict[g.ValueSymbol, Any] = {}
        self.effect_functions: dict[g.EffectSymbol, Any] = {}
        self.can_functions: dict[g.EffectSymbol, Any] = {}
        self.templates: dict[x.Template, Any] = {}
        self.readings: dict[object, Any] = {}
        """Pieces of expressions that were evaluated for themselves (`explaining/reading.py`)."""
        self.pins: dict[Any, Any] = {}
        self.taken_copies: set[tuple[g.EntitySymbol, int]] = set()
        self.laws_sleep = False
        self._settling: dict[Laws, Callable[[Image], None]] = {}
        self.rules_sleep = False
        self.run: Any = None
        self.budget = BUDGET
        self._tables: dict[g.ColumnSymbol, list[Any] | None] = {}
        self._actions: dict[g.ActionSymbol, decisions.ActionOptions] = {}
        self._lines: dict[g.ScoreLine, Callable[[Image, int], int]] = {}
        self.things: AllThings = AllThings(self._build_things)
        self._options_known = False
        self.domains = Domains(players, self.things, len(game.pictures))
        self.colours = Colours(game)
        self.compiler = Compiler(self)
        if pinned:
            self.compiler.pinned |= pinned
        self.texts = Texts(self)
        self.option_cells: dict[g.OptionSymbol, la.Region] = {}
        self._options()
        self._options_known = True
        for entity in game.entities:
            _ = self.things[entity]
        for symbol in self.fixed_options:
            kind = strip(symbol.type)
            if isinstance(kind, ThingType):
                self.fixed_options[symbol] = self.things[kind.symbol].first_of_row[self.fixed_options[symbol]]
        self.lowering = Lowering(game, self.colours, self)
        self.main = self.lowering.main()
        self.end_procs = [self.lowering.end(end) for end in game.ends]
        if extra is not None:
            extra(self.lowering)
        self._lay_out()
        self.purses = [Purse(self.compiler, unit) for unit in game.units]
        self._overflows()
        self.scratch = {proc: g.Frame(list(proc.frame.types), list(proc.frame.names)) for proc in self.lowering.procs}
        """The local variables of a body, and behind them those that exist only while options are listed."""
        bodies = {block.end: proc for proc in self.lowering.procs for block in proc.blocks}
        deciding, bodies_of = self.lowering.sites, self.lowering.procs

        def site(number: int) -> decisions.Site:
            end = deciding[number]
            if isinstance(end, ir.OrderEnd):
                return OrderSite(self.compiler, end, "order of rules")
            return decisions.Site(self.compiler, end, self.scratch[bodies[end]])

        sites = Lazily(len(deciding), site)
        self.sites: Sequence[decisions.Site] | Lazily[decisions.Site] = sites if lazily else list(sites)
        self.places = places(self.lowering.by_symbol)
        procs = Lazily(len(bodies_of), lambda number: compile_proc(self.compiler, bodies_of[number]))
        self.procs: Sequence[CompiledProc] | Lazily[CompiledProc] = procs if lazily else list(procs)
        self.invariants = [
            (symbol, self.compiler.expr(symbol.condition), 2 * len(symbol.frame.types))
            for symbol in game.invariants
            if symbol.condition is not None
        ]
        self.reference_only: set[ir.Proc] = set()
        """Bodies that are not compiled: of scenarios those that set them up, and what they do not play."""
        self.machines: dict[str, Any] = {}
        """What runs this program, by the name of the backend (`interpreter.backends`)."""
        self._start_image: bytes | None = None
        self._starts: dict[tuple[int, ...], bytes] = {}

    # ------------------------------------------------------------------------------------------------------- options
    def _options(self) -> None:
        """Options that are known before the game; the rest is nature's, and lies in the image."""
        for symbol in self.game.options:
            if symbol.name in self.chosen_options:
                self.fixed_options[symbol] = self.chosen_options[symbol.name]
            elif isinstance(symbol.default, x.RowConst):
                self.fixed_options[symbol] = symbol.default.row  # made a copy when the copies are counted
            elif symbol.default is not None:
                self.fixed_options[symbol] = self.compiler.static(symbol.default)

    def _build_things(self, entity: g.EntitySymbol) -> Things:
        rows, cells = entity.rows, Cells()
        if entity.computed is not None:
            rows, cells = computed_rows(self.compiler, entity, entity.computed)
        base = self.key_base(entity.owner_type)
        holders = range(base, base + self.key_count(entity.owner_type))
        things = build_things(entity, rows, holders, [self._copies(row) for row in rows])
        things.computed = cells
        return things

    def _copies(self, row: g.RowSymbol) -> int:
        count = 1 if row.copies is None else self.compiler.static(row.copies)
        if not 0 <= count <= COPIES:
            raise Fault("range", f"there are 0 to {COPIES} copies of a row, and `{row.name}` has {count}", row.span)
        return int(count)

    # -------------------------------------------------------------------------------------------------------- layout
    def key_count(self, kind: Type | None) -> int:
        """How many instances something has that is per a type."""
        return (
            1
            if kind is None
            else self.domains.count(kind)
            if not isinstance(kind, EnumType)
            else kind.symbol.highest - kind.symbol.lowest + 1
        )

    def key_base(self, kind: Type | None) -> int:
        """The run-time value of the first key."""
        return kind.symbol.lowest if isinstance(kind, EnumType) else 0 if kind is None else 1

    def unit_count(self, kind: Type) -> int:
        """How many units a tally counts."""
        assert isinstance(kind, TallyType)
        return len(kind.symbol.members) if kind.symbol is not None else len(self.game.units)

    def unit_index(self, kind: TallyType, member: int) -> int:
        """The place (from 0) of a member of a tally's enum among all units of the game."""
        if kind.symbol is None:
            return member - 1
        for index, unit in enumerate(self.game.units):
            if unit.member == member and isinstance(unit.symbol, g.ResourceSymbol) and unit.symbol.kinds is kind.symbol:
                return index
        raise Fault("none", f"{kind.symbol.name} is not counted by any resource")

    def _lay_out(self) -> None:
        game, layout = self.game, Layout()
        self.layout = layout
        for option in game.options:
            if option not in self.fixed_options:
                self.option_cells[option] = layout.cells(
                    f"option {option.name}", 1, 0, self.domains.highest(option.type)
                )
        self.resource_cells: dict[g.ResourceSymbol, la.Region] = {}
        self.holders = Holders(game, self.players, self.things)
        for resource in game.resources:
            kinds = len(resource.kinds.members) if resource.kinds is not None else 1
            self.resource_cells[resource] = layout.cells(
                f"resource {resource.name}", self.holders.count(resource) * kinds, 0, self._supply(resource)
            )
        self.track_cells = {
            track: layout.cells(f"track {track.name}", self.players, track.lowest, track.highest)
            for track in game.tracks
        }
        self.state_cells = {state: self._state_region(state) for state in game.states}
        self.zones = Zones(game.zones, self.things)
        for zone in game.zones:
            self.zones.add(zone, self.key_count(zone.key))
        self.zones.reserve(layout)
        self.location_cells = self.zones.location
        self.face_cells = {
            entity: layout.cells(f"faces of {entity.name}", self.things[entity].count + 1, 0, 255)
            for entity in game.entities
            if entity.faces is not None
        }
        self.knowledge = Knowledge(self)
        self.knowledge.reserve(layout)
        self.award_cells = {
            award: layout.cells(f"award {award.name}", self.key_count(award.key), 0, self.players)
            for award in game.awards
        }
        lines = sum(len(score.lines) for score in game.scores)
        self.score_cells = layout.cells("final score", lines * self.players, -(2**31), 2**31 - 1)
        self.history = History(self.players, self.domains)
        self.history_cells = self.history.reserve(layout, game.questions)
        self._streams()
        layout.place(self._frame_words())
        if layout.size > la.IMAGE_LIMIT:
            raise Fault(
                "budget", f"the state of the game takes {layout.size} bytes, and at most {la.IMAGE_LIMIT} are allowed"
            )
        self.zones.placed()
        for zone in game.zones:
            if zone.capacity is not None:
                capacity = int(self.compiler.static(zone.capacity))
                for k in range(self.zones.instances[zone]):
                    self.zones.capacity[self.zones.base[zone] + k] = capacity
        self.zone_holder = [0] * len(self.zones.symbol_of)
        for number, symbol in enumerate(self.zones.symbol_of):
            if symbol is not None and symbol.key == PLAYER:
                self.zone_holder[number] = self.zones.key_of[number]
        self.knowledge.placed()

    def _supply(self, resource: g.ResourceSymbol) -> int:
        return int(self.compiler.static(resource.supply)) if resource.supply is not None else 32767

    def _state_region(self, symbol: g.StateSymbol) -> la.Region:
        kind, count, name = strip(symbol.type), self.key_count(symbol.key), f"state {symbol.name}"
        if composite(kind):
            return self.layout.words(name, count * codec(self.compiler, kind)[1])
        if isinstance(kind, SetType):
            return self.layout.words(name, count * self.domains.words(kind))
        if isinstance(kind, TallyType):
            return self.layout.cells(name, count * self.unit_count(kind), 0, 32767)
        if isinstance(kind, ListType):
            bound = self.domains.bound(kind.bound)
            inner = strip(kind.member)
            low, high = (
                (inner.lowest, inner.highest) if isinstance(inner, IntType) else (0, self.domains.highest(inner))
            )
            return self.layout.cells(name, count * (bound + 1), min(0, low), max(bound, high))
        if isinstance(kind, IntType):
            return self.layout.cells(name, count, kind.lowest, kind.highest)
        return self.layout.cells(name, count, 0, 1 if isinstance(kind, BoolType) else self.domains.highest(kind))

    def _streams(self) -> None:
        """One stream for each purpose of chance."""
        for entity in self.game.entities:
            if entity.faces is not None:
                self.layout.stream(f"dice {entity.name}")
        for zone in self.game.zones:
            if zone.order == "pile":
                self.layout.stream(f"zone {zone.name}")
        for proc in self.lowering.procs:
            for block in proc.blocks:
                if isinstance(block.end, ir.DrawEnd) and isinstance(block.end.draw.source, x.ZoneRef):
                    self.layout.stream(f"zone {block.end.draw.source.symbol.name}")
                elif isinstance(block.end, ir.SettleTopEnd) and isinstance(block.end.zone, x.ZoneRef):
                    self.layout.stream(f"zone {block.end.zone.symbol.name}")
                elif isinstance(block.end, ir.RandomEnd):
                    self.layout.stream(f"random {proc.name} {block.index}")
                elif isinstance(block.end, ir.ShuffleStateEnd):
                    self.layout.stream(f"shuffle {block.end.shuffle.symbol.name}")
                elif isinstance(block.end, ir.OptionEnd):
                    self.layout.stream(f"option {block.end.option.name}")

    def _frame_words(self) -> int:
        """The words that the deepest nest of calls takes; procs never call themselves."""
        sizes: dict[ir.Proc, int] = {}
        nested: dict[ir.Proc, int] = {}
        visiting: list[ir.Proc] = []
        rules = {proc for key, proc in self.lowering.by_symbol.items() if isinstance(key, g.Role)}

        def deepest(proc: ir.Proc) -> int:
            if proc in sizes:
                return sizes[proc]
            if proc in visiting:
                names = " -> ".join(p.name for p in [*visiting[visiting.index(proc) :], proc])
                raise Fault("depth", f"an effect runs itself: {names}")
            visiting.append(proc)
            own = 2 + sum(self.frame_word_count(kind) for kind in proc.frame.types)
            sizes[proc] = own + max((deepest(each) for each in proc.calls), default=0)
            nested[proc] = (1 if proc in rules else 0) + max((nested[each] for each in proc.calls), default=0)
            if nested[proc] > NESTED_RULES:
                raise Fault("depth", f"more than {NESTED_RULES} rules run inside each other, from {proc.name} on")
            visiting.pop()
            return sizes[proc]

        return max(deepest(proc) for proc in self.lowering.procs)

    def frame_word_count(self, kind: Type) -> int:
        """How many words a local variable takes in a frame."""
        kind = strip(kind)
        if isinstance(kind, TallyType):
            return self.unit_count(kind)
        if composite(kind):
            return codec(self.compiler, kind)[1]
        return self.domains.words(kind)

    def member_count(self, kind: Type) -> int:
        """How many values a type has."""
        return self.domains.count(kind)

    def _overflows(self) -> None:
        from regelwerk.interpreter.evaluation.statements import compile_operations

        for purse in self.purses:
            symbol = purse.unit.symbol
            if (
                isinstance(symbol, g.TrackSymbol)
                and symbol.overflow_body is not None
                and not self.colours.track(symbol)
            ):
                operations = compile_operations(self.compiler, [symbol.overflow_body])

                def run(m: Image, env: list[Any], operations: list[Any] = operations) -> None:
                    for operation in operations:
                        operation(m, env)

                purse.overflow_run = run

    # -------------------------------------------------------------------------------------------------------- tables
    def column_table(self, column: g.ColumnSymbol) -> list[Any] | None:
        """The values of a column by copy (index 0: none), or None if they read the state."""
        if column in self._tables:
            return self._tables[column]
        if not self._options_known or column.entity in self.things.building:
            return None  # asked while options or rows are being found
        self._tables[column] = None
        by_row = self.column_by_row(column)
        self._tables[column] = [by_row[row] for row in self.things[column.entity].row_of]
        return self._tables[column]

    def cells_of(self, column: g.ColumnSymbol) -> list[Any]:
        """The cells of a column, row by row."""
        if column.entity.computed is None:
            return column.cells
        return [column.shared] * len(self.things[column.entity].rows)

    def column_by_row(self, column: g.ColumnSymbol) -> list[Any]:
        """The values of a column by row."""
        kind = strip(column.type)
        empty = (0,) * self.unit_count(kind) if isinstance(kind, TallyType) else scalars.nothing(column.type)
        found: list[Any] = [empty]
        things = self.things[column.entity]
        if column in things.computed:
            return [empty, *things.computed[column]]
        for row, cell in zip(things.rows, self.cells_of(column), strict=True):
            if not isinstance(cell, tuple):
                found.append(empty)
                continue
            frame, body = cell
            env = [0] * (2 * len(frame.types) + 64)
            env[1] = things.first_of_row[row.index]
            found.append(self.compiler.expr(body)(EMPTY, env))
        return found

    def alike(self, symbol: g.EntitySymbol) -> Callable[[Image, int], Any] | None:
        """What tells copies of a type apart where a choice is made, or None if no two copies are ever alike."""
        things = self.things[symbol]
        if all(count <= 1 for count in things.row_count):
            return None
        locate = self.zones.locate.get(symbol)
        ordered = self.zones.ordered
        faces = self.face_cells[symbol].offset if symbol in self.face_cells else None
        rows, owners = things.row_of, things.owner_of
        attached = []
        for state in self.game.states:
            if isinstance(state.key, Type) and getattr(state.key, "symbol", None) is symbol:
                attached.append(scalars.stored(self.compiler, state))
        attached += [self.holders.goods(resource, symbol, region) for resource, region in self._goods_on(symbol)]

        def key(m: Image, thing: int) -> Any:
            where = locate(m, thing) if locate is not None else 0
            face = m.b[faces + thing] if faces is not None else 0
            if attached:
                return (rows[thing], owners[thing], where, face, tuple(read(m, thing - 1) for read in attached))
            return (rows[thing], owners[thing], where, face)

        del ordered
        return key

    def _goods_on(self, symbol: g.EntitySymbol) -> list[tuple[g.ResourceSymbol, la.Region]]:
        """The resources that things of a type hold."""
        return [(each, region) for each, region in self.resource_cells.items() if symbol in each.held_by]

    def action_options(self, action: g.ActionSymbol) -> decisions.ActionOptions:
        """The options of an action, compiled once."""
        if action not in self._actions:
            self._actions[action] = decisions.ActionOptions(self.compiler, action)
        return self._actions[action]

    def settling(self, laws: Laws) -> Callable[[Image], None]:
        """What settles some laws, whatever else is the matter."""
        known = self._settling.get(laws)
        if known is None:
            known = self._settling[laws] = settle_function(self.compiler, laws)
        return known

    def score_line(self, line: g.ScoreLine) -> Callable[[Image, int], int]:
        """One line of a score, for a player."""
        if line not in self._lines:
            assert line.value is not None
            cell: list[Any] = []
            size = 2 * len(line.frame.types)

            def function(m: Image, player: int) -> int:
                env = [0] * size
                env[0] = player
                return int(cell[0](m, env))

            self._lines[line] = function
            cell.append(self.compiler.expr(line.value))
        return self._lines[line]

    # --------------------------------------------------------------------------------------------------------- start
    def start_image(self, seed: int) -> Image:
        """The image before anything has happened: start values, things in their zones, streams seeded."""
        from regelwerk.interpreter.generator import seed_stream

        if self._start_image is None:
            fresh = Image(bytearray(self.layout.size))
            fresh.w[la.AS_ONE] = la.UNSETTLED if self.colours.all_laws else 0
            self._set_starts(fresh)
            self._start_image = bytes(fresh.b)
        image = Image(bytearray(self._start_image))
        for number in range(len(self.layout.streams)):
            offset = self.layout.stream_offset + 8 * number
            image.b[offset : offset + 8] = seed_stream(seed, number).to_bytes(8, "little")
        return image

    def begin_with_options(self, image: Image) -> None:
        """Set all start values again, now that nature has chosen the options that were left to it."""
        if not self.option_cells:
            return
        key = tuple(reader(region)(image, 0) for region in self.option_cells.values())
        if key not in self._starts:
            if len(self._starts) >= STARTS:
                self._starts.clear()
            fresh = Image(bytearray(self.layout.size))
            for region, value in zip(self.option_cells.values(), key, strict=True):
                writer(region)(fresh, 0, value)
            self._set_starts(fresh)
            self._starts[key] = bytes(fresh.b[la.CELLS : self.layout.stream_offset])
        image.b[la.CELLS : self.layout.stream_offset] = self._starts[key]

    def _set_starts(self, image: Image) -> None:
        for resource, region in self.resource_cells.items():
            kinds = len(resource.kinds.members) if resource.kinds is not None else 1
            supply = self._supply(resource)
            start = self._start(resource.start, image) if resource.start is not None else 0
            if start < 0 or supply < 0:
                raise Fault("range", f"supply and start of {resource.words.many} cannot be negative", resource.span)
            if start * self.players > supply:
                raise Fault("range", f"the start of {resource.words.many} is more than the supply", resource.span)
            write = writer(region)
            for kind in range(kinds):
                write(image, kind, supply - start * self.players)
                for player in range(1, self.players + 1):
                    write(image, player * kinds + kind, start)
        for track, region in self.track_cells.items():
            start = self._start(track.start, image) if track.start is not None else max(0, track.lowest)
            if not track.lowest <= start <= track.highest:
                raise Fault("range", f"the start of {track.words.many} is outside the track", track.span)
            for player in range(self.players):
                writer(region)(image, player, start)
        for entity, region in self.face_cells.items():
            assert entity.faces is not None
            for die in range(1, self.things[entity].count + 1):
                image.b[region.offset + die] = entity.faces[0]
        self._fill_zones(image)
        self.knowledge.start(image)
        for state in self.game.states:
            start_state(self.compiler, state)(image, [])

    def _start(self, value: x.Expr, image: Image) -> int:
        return int(self.compiler.expr(value)(image, [0] * 256))

    def _fill_zones(self, image: Image) -> None:
        for symbol in self.game.zones:
            if symbol.contents is None:
                continue
            contents = self.compiler.expr(symbol.contents)
            for key in range(1, self.zones.instances[symbol] + 1):
                env = [0] * (2 * len(symbol.frame.types) + 2)
                if symbol.key is not None:
                    if symbol.key == PLAYER:
                        env[0] = key
                    env[1] = key
                mask = contents(image, env)
                zone = self.zones.base[symbol] + key - 1
                if self.zones.capacity[zone] and mask.bit_count() > self.zones.capacity[zone]:
                    raise Fault(
                        "full",
                        f"{symbol.words} has room for {self.zones.capacity[zone]}, "
                        f"but {mask.bit_count()} things begin there",
                        symbol.span,
                    )
                for thing in members(mask):
                    if self.zones.locate[symbol.entity](image, thing):
                        raise Fault(
                            "range", f"{self.things[symbol.entity].name(thing)} begins in two zones", symbol.span
                        )
                if self.zones.ordered[zone]:
                    self.zones.fill(image, zone, members(mask))
                else:
                    for thing in members(mask):
                        self.zones.move(image, symbol.entity, thing, zone)


FORMS = (amounts, arithmetic, moving, operations, pictures, storing, verbs)
"""The modules that register how expressions, statements and operations are compiled."""
