"""Checking a whole game: declare all names, then types, then bodies, then rules, then what holds of the whole."""

from __future__ import annotations

import hashlib
from functools import partial

from regelwerk.dsl.checker import actions as act
from regelwerk.dsl.checker import (  # the forms of expressions register themselves
    amounts,
    choices,
    comparisons,
    flow,
    interfaces,
    libraries,
    literals,
    moves,
    names,
    operators,
    quantifiers,
    records,
    rules,
    stores,
    things,
)
from regelwerk.dsl.checker import coercion as co
from regelwerk.dsl.checker.context import Context, Scope, citations
from regelwerk.dsl.checker.expressions import check, check_as, check_condition, check_number
from regelwerk.dsl.checker.history import find_scope
from regelwerk.dsl.checker.types import number_at_load, resolve, stored
from regelwerk.dsl.diagnostics import Diagnostics
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.scenarios import CheckedScenario
from regelwerk.dsl.model.types import UNKNOWN, IntType, Type
from regelwerk.dsl.model.walking import state_read, walk
from regelwerk.dsl.source import Source, Span
from regelwerk.dsl.syntax import declarations as d
from regelwerk.dsl.syntax import expressions as s
from regelwerk.dsl.syntax import files
from regelwerk.dsl.syntax import flow as f
from regelwerk.dsl.syntax import scenarios as sc
from regelwerk.dsl.syntax.base import Declaration

DEFAULT_SEATS = ("A", "B", "C", "D", "E", "F", "G", "H", "I", "J")


class GameChecker:
    """Checks one game, a variant after its composition; `scenarios` and the context stay available to the scenario
    checker."""

    def __init__(
        self,
        file: files.RulesFile,
        diagnostics: Diagnostics,
        sources: dict[str, Source],
        variant: files.VariantHeader | None = None,
        expanded: list[tuple[Declaration, str]] | None = None,
    ) -> None:
        """`expanded`: the declarations of libraries with their names, if they stand written out in the file."""
        self.expanded = expanded
        self.file = file
        self.variant = variant
        self._begin(Context(diagnostics, sources))

    def _begin(self, context: Context) -> None:
        self.c = context
        self.declarations: list[tuple[Declaration, str | None]] = []
        self.scenarios: list[sc.Scenario] = []
        self.checked_scenarios: list[CheckedScenario] = []
        self.pairs: list[tuple[Declaration, g.Symbol]] = []
        self.remarks: list[tuple[str, tuple[str, ...]]] = []
        self.rulebooks: list[tuple[str, tuple[str, ...]]] = []
        self.cap: tuple[x.Expr, g.PhaseSymbol | str] | None = None

    # ------------------------------------------------------------------------------------------------- preparing
    def run(self) -> g.CheckedGame | None:
        """The checked game, or None if there are errors.

        A quantity is in halves if any rule adds halves to it, which is known when the rules are; so the game is then
        judged anew.
        """
        said = len(self.c.diagnostics.items)
        found = self._run()
        while self.c.to_halve - self.c.halved:
            halved = self.c.halved | self.c.to_halve
            self.c.diagnostics.forget_after(said)
            self._begin(Context(self.c.diagnostics, self.c.sources, halved))
            found = self._run()
        return found

    def _run(self) -> g.CheckedGame | None:
        c, header = self.c, self.file.header
        if not isinstance(header, files.GameHeader):
            if isinstance(header, files.VariantHeader):
                c.error("E1102", f"the base game `{header.base.text}` is missing", header.base.span)
            elif not c.diagnostics.failed:
                span = Span(next(iter(c.sources)), 0, 0)
                if self.file.libraries:
                    libraries.check_alone(c, self.file)
                    return None
                c.error(
                    "E0101",
                    "this file is no game",
                    span,
                    'begin with `edition 1` and `game NAME "Title" { players 2..4 }`',
                )
            return None
        self._header(header)
        self.gather()
        self._declare()
        self._types()
        self._bodies()
        self._whole()
        if c.diagnostics.failed:
            return None
        return self._assemble(header)

    def gather(self) -> None:
        """Put together what there is to check: the declarations of the file, then those of its libraries."""
        self._flatten(self.file.declarations, None)
        self.declarations += libraries.expand(self.c, self.file) if self.expanded is None else self.expanded
        self.declarations = libraries.used(self.declarations)
        self.c.enter_libraries(self.declarations, self.file.uses)

    def _header(self, header: files.GameHeader) -> None:
        c = self.c
        if header.players is None:
            c.error(
                "E0506",
                "say for how many players the game is",
                header.name.span,
                "write `players 2..4` in the braces after the title",
            )
        else:
            span = header.players.range
            if isinstance(span, s.RangeExpression):
                low, high = (
                    number_at_load(c, span.lowest, "the fewest players"),
                    number_at_load(c, span.highest, "the most players"),
                )
            else:
                low = high = number_at_load(c, span, "the number of players")
            if not 1 <= low <= high <= 10:
                c.error("E0507", "a game is for 1 to 10 players", header.players.span, "for example `players 2..4`")
            else:
                c.players = (low, high)
        seats = [each.text for each in header.seats]
        c.seats = tuple(seats)
        if len(seats) != len(set(seats)):
            c.error("E0508", "two seats have the same name", header.seats[0].span)
        if seats and len(seats) < c.players[1]:
            c.error("E0508", f"{c.players[1]} players need as many names of seats", header.seats[0].span)

    def _flatten(self, nodes: tuple[Declaration, ...], library: str | None) -> None:
        for node in nodes:
            if isinstance(node, d.Section):
                self._flatten(node.declarations, library)
            else:
                self.declarations.append((node, library))

    # ------------------------------------------------------------------------------------------------- declaring
    def _declare(self) -> None:
        """Names first: enums and things, so that types can be written; then all else."""
        c = self.c
        for node, _ in self.declarations:
            if isinstance(node, d.EnumDeclaration):
                things.declare_enum(c, node)
            elif isinstance(node, d.Entity):
                self.pairs.append((node, things.declare_entity(c, node)))
            elif isinstance(node, d.Record):
                self.pairs.append((node, records.declare_record(c, node)))
        for node, _ in self.declarations:
            if isinstance(node, d.Constant):
                self._constant(node)
        for node, library in self.declarations:
            if isinstance(node, f.Phase):
                self.pairs.append((node, flow.declare_phase(c, node, None)))
            elif isinstance(node, d.Action):
                self.pairs.append((node, act.declare_action(c, node)))
            elif isinstance(node, d.Effect):
                self.pairs.append((node, act.declare_effect(c, node)))
            elif isinstance(node, sc.Scenario):
                self.scenarios.append(node)
            elif isinstance(node, d.Remark):
                self.remarks.append((node.text, citations(node.citations)))
            elif isinstance(node, d.Rulebook):
                self.rulebooks.append((node.title, citations(node.clauses)))
            elif isinstance(node, d.Value):
                self.pairs.append((node, act.declare_value(c, node, library)))
            else:
                self._declare_other(node)
        self._units()

    def _declare_other(self, node: Declaration) -> None:
        c = self.c
        if isinstance(node, d.Resource):
            self._resource(node)
        elif isinstance(node, d.Track):
            self._track(node)
        elif isinstance(node, d.Option):
            symbol = g.OptionSymbol(
                node.name.text,
                node.name.span,
                stored(c, node.type, f"the option `{node.name.text}`"),
                None,
                node.question,
                citations=citations(node.citations),
            )
            self._enter(node, symbol, node.name.text, node.name.span)
        elif isinstance(node, d.State):
            key: Type | None = None
            if node.per is not None:
                key = c.type_named(node.per.text)
                if key is None:
                    c.error(
                        "E0720",
                        f"`{node.per.text}` is no type",
                        node.per.span,
                        c.suggest_type(node.per.text, "states are per `player`, or per a type of things or an enum"),
                    )
                    key = UNKNOWN
            state = g.StateSymbol(
                node.name.text,
                node.name.span,
                key,
                stored(c, node.type, f"the state `{node.name.text}`"),
                node.seen_by,
                node.resets.text if node.resets else None,
                citations=citations(node.citations),
            )
            self._enter(node, state, node.name.text, node.name.span, attribute=node.per is not None)
        elif isinstance(node, d.Zone):
            zone = things.declare_zone(c, node)
            if zone is not None:
                self.pairs.append((node, zone))
        elif isinstance(node, d.Score):
            score = g.ScoreSymbol(
                node.name.text,
                node.name.span,
                node.printed or node.name.text.replace("_", " "),
                citations=citations(node.citations),
            )
            self._enter(node, score, node.name.text, node.name.span)
            c.lazy[score] = partial(act.check_score, c, node, score)
        elif isinstance(node, d.Award):
            key = c.type_named(node.per.text) if node.per is not None else None
            if node.per is not None and key is None:
                c.error(
                    "E0720",
                    f"`{node.per.text}` is no type",
                    node.per.span,
                    c.suggest_type(node.per.text, "awards are per a type of things or an enum"),
                )
                key = UNKNOWN
            award = g.AwardSymbol(
                node.name.text,
                node.name.span,
                node.printed or node.name.text.replace("_", " "),
                key,
                citations=citations(node.citations),
            )
            self._enter(node, award, node.name.text, node.name.span, attribute=node.per is not None)
        elif isinstance(node, d.End):
            end = g.EndSymbol(node.name.text, node.name.span, node.at_once, None, citations=citations(node.citations))
            self._enter(node, end, node.name.text, node.name.span)
        elif isinstance(node, d.Rank):
            rank = g.RankSymbol(node.name.text, node.name.span, citations=citations(node.citations))
            self._enter(node, rank, node.name.text, node.name.span)
        elif isinstance(node, d.Invariant):
            self.pairs.append(
                (node, g.InvariantSymbol(node.name.text, node.name.span, citations=citations(node.citations)))
            )
        elif isinstance(node, d.Interface):
            interface = g.InterfaceSymbol(node.name.text, node.name.span, citations=citations(node.citations))
            self._enter(node, interface, node.name.text, node.name.span)
        elif not isinstance(node, d.EnumDeclaration | d.Entity | d.Record | d.Constant | d.Rule):
            c.error(
                "E1101",
                "this changes a base game, and only a variant has one",
                node.span,
                'begin the file with `variant NAME "Title" of BASE`',
            )

    def _enter(self, node: Declaration, symbol: g.Symbol, name: str, span: Span, attribute: bool = False) -> None:
        self.c.declare(name, symbol, span, attribute)
        self.pairs.append((node, symbol))

    def _constant(self, node: d.Constant) -> None:
        c = self.c
        symbol = g.ConstantSymbol(node.name.text, node.name.span, UNKNOWN, citations=citations(node.citations))
        c.declare(symbol.name, symbol, node.name.span)
        self.pairs.append((node, symbol))

        def work() -> None:
            scope = Scope(g.Frame(), address=symbol.name)
            c.in_progress.add(symbol)
            if node.type is not None:
                symbol.type = resolve(c, node.type)
                symbol.value = check_as(c, node.value, scope, symbol.type, f"`{symbol.name}`")
            else:
                symbol.value = check(c, node.value, scope)
                symbol.type = symbol.value.type
            if symbol.span in c.halved:
                symbol.value = co.in_halves(symbol.value)
                symbol.type = symbol.value.type
            c.in_progress.discard(symbol)
            self._static(symbol.value, f"the constant `{symbol.name}`")

        c.lazy[symbol] = work

    def _static(self, expr: x.Expr | None, what: str) -> None:
        """Refuse what reads the state where a value must be known before the game begins."""
        found = state_read(expr) if expr is not None else None
        if found is not None:
            self.c.error(
                "E0353",
                f"{what} must be known before the game begins",
                found.span,
                "use constants, options and columns only; what changes is a `value`",
            )

    def _resource(self, node: d.Resource) -> None:
        c = self.c
        kinds = None
        if node.per is not None:
            enum = c.globals.get(node.per.text)
            if isinstance(enum, g.EnumSymbol) and enum.numbers is None:
                kinds = enum
            else:
                c.error(
                    "E0721", f"a resource is per an enum of its kinds, and `{node.per.text}` is none", node.per.span
                )
        if kinds is not None and any(isinstance(k, g.ResourceSymbol) and k.kinds is kinds for k in c.units.values()):
            c.error(
                "E0722",
                f"two resources are per {kinds.name}",
                node.noun.span,
                "one amount could not be told from the other",
            )
        held = []
        for each in node.held_by:
            holder = c.globals.get(each.text)
            if isinstance(holder, g.EntitySymbol):
                held.append(holder)
            elif each.text != "player":
                c.error("E0723", f"`{each.text}` cannot hold goods", each.span, "players and types of things can")
        name, plural = node.noun.name.text, node.noun.plural.text if node.noun.plural else None
        symbol = g.ResourceSymbol(
            name,
            node.noun.span,
            things.words(node.noun),
            plural,
            kinds,
            None,
            None,
            held,
            node.seen_by,
            citations=citations(node.citations),
        )
        unit: g.Unit | g.ResourceSymbol = symbol if kinds is not None else g.Unit(symbol)
        self._counted(node, symbol, name, plural, unit)

    def _track(self, node: d.Track) -> None:
        c = self.c
        if node.per is None or node.per.text != "player":
            c.error("E0724", "a track is per player", node.noun.span, "write `track point/points per player: 0..`")
        kind = resolve(c, node.type)
        if not isinstance(kind, IntType):
            if kind is not UNKNOWN:
                c.error("E0725", "a track is a range of numbers", node.type.span, "for example `0..80`")
            kind = IntType(0, 1)
        name, plural = node.noun.name.text, node.noun.plural.text if node.noun.plural else None
        symbol = g.TrackSymbol(
            name,
            node.noun.span,
            things.words(node.noun),
            plural,
            kind.lowest,
            kind.highest,
            None,
            node.overflow,
            halves=kind.halves,
            citations=citations(node.citations),
        )
        self._counted(node, symbol, name, plural, g.Unit(symbol))

    def _counted(
        self, node: Declaration, symbol: g.Symbol, name: str, plural: str | None, unit: g.Unit | g.ResourceSymbol
    ) -> None:
        for each in {name: None, **({plural: None} if plural else {})}:
            self.c.declare(each, symbol, symbol.span, attribute=True)
            self.c.units[each] = unit
        self.pairs.append((node, symbol))

    def _units(self) -> None:
        """The list of all units, and the names of the kinds of resources as units."""
        c = self.c
        for _, symbol in self.pairs:
            if isinstance(symbol, g.TrackSymbol) or (isinstance(symbol, g.ResourceSymbol) and symbol.kinds is None):
                c.unit_list.append(g.Unit(symbol))
            elif isinstance(symbol, g.ResourceSymbol) and symbol.kinds is not None:
                for index, (one, many, _, _) in enumerate(symbol.kinds.members):
                    unit = g.Unit(symbol, index + 1)
                    c.unit_list.append(unit)
                    for name in {one: None, **({many: None} if many else {})}:
                        c.units.setdefault(name, unit)

    # ---------------------------------------------------------------------------------------------------- bodies
    def _types(self) -> None:
        c = self.c
        for node, symbol in self.pairs:
            if isinstance(node, d.Interface) and isinstance(symbol, g.InterfaceSymbol):
                interfaces.enter_interface(c, node, symbol)
        for node, symbol in self.pairs:
            if isinstance(node, d.Entity) and isinstance(symbol, g.EntitySymbol):
                things.check_columns(c, node, symbol)
        for _, symbol in self.pairs:
            if isinstance(symbol, g.ValueSymbol):
                act.enter_value(c, symbol)
        for _, symbol in self.pairs:
            if isinstance(symbol, g.EffectSymbol):
                self._later(symbol, act.check_effect_signature(c, symbol))
        for _, symbol in self.pairs:
            if isinstance(symbol, g.ConstantSymbol | g.EntitySymbol | g.RecordSymbol):
                c.ensure(symbol)

    def _later(self, symbol: g.EffectSymbol, scope: Scope) -> None:
        """The body of an effect is checked when another one does it, or in its turn."""
        self.c.lazy[symbol] = lambda: act.check_effect(self.c, symbol, scope)

    def _bodies(self) -> None:
        c = self.c
        for _, symbol in self.pairs:
            if isinstance(symbol, g.ScoreSymbol):
                c.ensure(symbol)
        for _, symbol in self.pairs:
            if isinstance(symbol, g.ActionSymbol):
                act.check_action(c, symbol)
        for node, symbol in self.pairs:
            self._body(node, symbol)
        for _, symbol in self.pairs:
            if isinstance(symbol, g.ActionSymbol):
                act.check_action_body(c, symbol)
            elif isinstance(symbol, g.EffectSymbol):
                c.ensure(symbol)
        for node, symbol in self.pairs:
            if isinstance(symbol, g.PhaseSymbol) and isinstance(node, f.Phase):
                flow.check_phase(c, symbol, None)
        for _, symbol in self.pairs:
            if isinstance(symbol, g.ValueSymbol) and symbol.library is None:
                c.ensure(symbol)
        for node, _ in self.declarations:
            if isinstance(node, d.Rule):
                rules.attach(c, node.name.text, node.role, citations(node.citations))
        for node, symbol in self.pairs:
            if isinstance(node, d.Entity) and isinstance(symbol, g.EntitySymbol):
                rows = {each.name: each for each in reversed(symbol.rows)}
                for row_name, column, role in things.cell_roles(node):
                    row = rows[row_name]
                    holds = symbol.columns.get(column)
                    if holds is None or str(holds.type) not in ("rules", "ability"):
                        continue
                    rules.attach(c, f"{symbol.name}.{row_name}.{column}", role, row.citations, row)

    def _body(self, node: Declaration, symbol: g.Symbol) -> None:
        c = self.c
        empty = Scope(g.Frame(), address=symbol.name)
        if isinstance(node, d.Entity) and isinstance(symbol, g.EntitySymbol):
            things.check_rows(c, node, symbol)
            for row in symbol.rows:
                self._static(row.copies, "the number of copies")
            for column in symbol.columns.values():
                for cell in column.cells if column.kind == "value" else []:
                    if isinstance(cell, tuple):
                        self._static(cell[1], f"the column `{column.name}`")
        elif isinstance(node, d.Zone) and isinstance(symbol, g.ZoneSymbol):
            things.check_zone(c, node, symbol)
            self._static(symbol.capacity, "the capacity")
            self._static(symbol.contents, "what lies in a zone at first")
        elif isinstance(node, d.Resource) and isinstance(symbol, g.ResourceSymbol):
            symbol.supply = check_number(c, node.supply, empty, "the supply") if node.supply is not None else None
            symbol.start = check_number(c, node.start, empty, "the start") if node.start is not None else None
            self._static(symbol.supply, "the supply")
            self._static(symbol.start, "the start")
        elif isinstance(node, d.Track) and isinstance(symbol, g.TrackSymbol):
            symbol.start = check_as(c, node.start, empty, symbol.type, "the start") if node.start is not None else None
            self._static(symbol.start, "the start")
            self._overflow(node, symbol)
        elif isinstance(node, d.Option) and isinstance(symbol, g.OptionSymbol):
            self._option(node, symbol)
        elif isinstance(node, d.State) and isinstance(symbol, g.StateSymbol):
            self._state(node, symbol)
        elif isinstance(node, d.Award) and isinstance(symbol, g.AwardSymbol):
            act.check_award(c, node, symbol)
        elif isinstance(node, d.Rank) and isinstance(symbol, g.RankSymbol):
            act.check_rank(c, node, symbol)
        elif isinstance(node, d.End) and isinstance(symbol, g.EndSymbol):
            act.check_end(c, node, symbol)
        elif isinstance(node, d.Invariant) and isinstance(symbol, g.InvariantSymbol):
            symbol.condition = check_condition(
                c, node.condition, Scope(symbol.frame, address=symbol.name), "an invariant"
            )

    def _option(self, node: d.Option, symbol: g.OptionSymbol) -> None:
        if isinstance(symbol.type, IntType) and symbol.type.halves:
            self.c.error("E0375", "an option cannot be in halves", node.type.span, "use whole numbers, and halve them")
        if node.default is None:
            return
        default = check_as(self.c, node.default, Scope(g.Frame(), address=symbol.name), symbol.type, f"`{symbol.name}`")
        self._static(default, "the default of an option")
        if any(isinstance(each, x.OptionRead) for each in walk(default)):
            self.c.error(
                "E0351",
                "the default of an option cannot depend on another option",
                node.default.span,
                "write the value itself",
            )
        symbol.default = default

    def _overflow(self, node: d.Track, symbol: g.TrackSymbol) -> None:
        if node.overflow_block is None:
            return
        from regelwerk.dsl.checker.context import me_local
        from regelwerk.dsl.checker.effects import check_block

        scope = Scope(symbol.overflow_frame, me=me_local(node.span), address=symbol.name)
        scope.bind("excess", g.Unit(symbol).type)
        symbol.overflow = "block"
        symbol.overflow_body = check_block(self.c, node.overflow_block, scope)

    def _state(self, node: d.State, symbol: g.StateSymbol) -> None:
        scope = Scope(symbol.frame, address=symbol.name)
        if symbol.key is not None:
            slot = symbol.frame.new("it", symbol.key)
            scope.it = (slot, symbol.key)
        symbol.start = check_as(self.c, node.start, scope, symbol.type, f"`{symbol.name}`")
        if node.resets is not None:
            find_scope(self.c, node.resets)

    # --------------------------------------------------------------------------------------------------- the whole
    def _whole(self) -> None:
        from regelwerk.dsl.checker.cap import check_cap
        from regelwerk.dsl.checker.whole import check_whole

        assert isinstance(self.file.header, files.GameHeader)
        self.cap = check_cap(self.c, self.file.header)
        check_whole(self.c, [symbol for _, symbol in self.pairs], self.file)

    def _assemble(self, header: files.GameHeader) -> g.CheckedGame:
        c = self.c
        symbols = [symbol for _, symbol in self.pairs]
        digest = hashlib.sha256()
        for source in c.sources.values():
            digest.update(source.text.replace("\r\n", "\n").encode())
        values = [v for v in symbols if isinstance(v, g.ValueSymbol) and libraries.used_only(c, v)]
        return g.CheckedGame(
            name=(self.variant or header).name.text,
            title=(self.variant or header).title,
            players=c.players,
            seats=tuple(each.text for each in header.seats) or DEFAULT_SEATS,
            cap=self.cap,
            entities=[e for e in symbols if isinstance(e, g.EntitySymbol)],
            constants=[e for e in symbols if isinstance(e, g.ConstantSymbol)],
            options=[e for e in symbols if isinstance(e, g.OptionSymbol)],
            resources=[e for e in symbols if isinstance(e, g.ResourceSymbol)],
            tracks=[e for e in symbols if isinstance(e, g.TrackSymbol)],
            states=[e for e in symbols if isinstance(e, g.StateSymbol)],
            zones=[e for e in symbols if isinstance(e, g.ZoneSymbol)],
            values=values,
            effects=[e for e in symbols if isinstance(e, g.EffectSymbol)],
            actions=[e for e in symbols if isinstance(e, g.ActionSymbol)],
            phases=[e for e in symbols if isinstance(e, g.PhaseSymbol)],
            scores=[e for e in symbols if isinstance(e, g.ScoreSymbol)],
            awards=[e for e in symbols if isinstance(e, g.AwardSymbol)],
            ends=[e for e in symbols if isinstance(e, g.EndSymbol)],
            ranks=[e for e in symbols if isinstance(e, g.RankSymbol)],
            invariants=[e for e in symbols if isinstance(e, g.InvariantSymbol)],
            roles=c.roles,
            verbs=c.verbs,
            questions=c.questions,
            units=c.unit_list,
            remarks=self.remarks,
            rulebooks=self.rulebooks,
            pictures=list(c.pictures),
            sources=c.sources,
            source_hash=digest.hexdigest()[:16],
            symbols=dict(c.globals),
        )


FORMS = (names, literals, operators, comparisons, quantifiers, amounts, moves, choices, stores)
"""The modules that check the forms of expressions and statements."""
