"""From a checked game to the diagram of its economy: what gives goods, what takes them, what turns them into others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import EnumType, IntType, TallyType, in_words, strip
from regelwerk.tools.aims import all_phases
from regelwerk.tools.diagrams.diagram import Diagram, Edge, Node, NodeKind
from regelwerk.tools.source_words import SourceWords, as_title, spoken_list, walk

Goods = tuple["g.ResourceSymbol | g.TrackSymbol", int | None]
"""A resource or track; with a number, one kind of a resource."""
Env = Mapping[int, x.Expr]
NAMES = 6
"""So many rows of a group are named."""
DEPTH = 12
MOST = 30
"""With more parts than this the kinds of a resource are one, so that more cards are alike."""


@dataclass
class Flows:
    """What something gives, takes and counts, with the numbers that occur; None is one that is not constant."""

    gives: dict[Goods, set[float | None]] = field(default_factory=dict)
    takes: dict[Goods, set[float | None]] = field(default_factory=dict)
    counts: dict[Goods, set[float | None]] = field(default_factory=dict)

    def signature(self) -> tuple[frozenset[Goods], frozenset[Goods], frozenset[Goods]]:
        """Which goods go in and come out, whatever the numbers."""
        return frozenset(self.takes), frozenset(self.gives), frozenset(self.counts)

    def merge(self, other: Flows) -> None:
        """Take the numbers of another one, too."""
        for mine, more in ((self.gives, other.gives), (self.takes, other.takes), (self.counts, other.counts)):
            for goods, numbers in more.items():
                mine.setdefault(goods, set()).update(numbers)

    def __bool__(self) -> bool:
        return bool(self.gives or self.takes or self.counts)


def economy_diagram(game: g.CheckedGame) -> Diagram:
    """The diagram of a game."""
    return _Reader(game).read()


class _Reader:
    def __init__(self, game: g.CheckedGame) -> None:
        self.game = game
        self.words = SourceWords(game.sources)
        self.diagram = Diagram(game.name, game.title, "what gives and takes what", across=True)
        self.kinds = {each.kinds: each for each in game.resources if each.kinds is not None}
        self.folded = False
        self.sources: dict[int, x.Expr] = {}

    def read(self) -> Diagram:
        """All goods, and everything that moves them."""
        parts = [part for part in self._parts() if part[3]]
        if len(parts) > MOST and self.kinds:
            self.folded = True
            parts = [part for part in self._parts() if part[3]]
        used: dict[Goods, None] = {}
        for resource in self.game.resources:
            used[resource, None] = None
        for track in self.game.tracks:
            used[track, None] = None
        exact = {
            goods
            for *_, flows in parts
            for goods in (*flows.gives, *flows.takes, *flows.counts)
            if goods[1] is not None
        }
        for resource in self.game.resources:
            members = [k + 1 for k in range(len(resource.kinds.members))] if resource.kinds is not None else []
            if any((resource, k) in exact for k in members):
                used |= {(resource, k): None for k in members}
        if not used:
            self.diagram.members.append(Node("nothing", "note", "This game has no goods and no tracks"))
            return self.diagram
        for goods in used:
            self.diagram.members.append(self._goods(goods))
        for goods in used:
            if goods[1] is not None:
                self.diagram.edges.append(Edge(_id((goods[0], None)), _id(goods), "joins"))
        for number, (title, lines, address, flows) in enumerate(parts, 1):
            kind: NodeKind = (
                "converter" if flows.gives and (flows.takes or flows.counts) else "source" if flows.gives else "sink"
            )
            identity = f"part {number}"
            self.diagram.members.append(Node(identity, kind, title, tuple(lines), address=address))
            for goods, numbers in flows.takes.items():
                self.diagram.edges.append(Edge(_id(goods), identity, "takes", _label(numbers, goods)))
            for goods in flows.counts:
                self.diagram.edges.append(Edge(_id(goods), identity, "counts"))
            for goods, numbers in flows.gives.items():
                self.diagram.edges.append(Edge(identity, _id(goods), "gives", _label(numbers, goods)))
        self.diagram.legend = [
            ("#a08432", "goods and tracks"), ("#3d7a3d", "only gives"), ("#8a2f2f", "only takes"),
            ("#2f5d8a", "turns goods into others"),
        ]  # fmt: skip
        return self.diagram

    # ------------------------------------------------------------------------------------------------------- the parts
    def _parts(self) -> Iterable[tuple[str, list[str], str, Flows]]:
        done: set[g.EffectSymbol] = set()
        for action in self.game.actions:
            flows = Flows()
            for clause in action.clauses:
                if isinstance(clause, g.CostSymbol):
                    heads = action.head.binders if action.head is not None else []
                    self.sources = {each.slot: each.source for each in heads}
                    self._amount(clause.amount, flows.takes, {})
                    self.sources = {}
            self._body(action.body, flows, {}, done)
            title = self.words.template(action.prompt) if action.prompt is not None else as_title(action.name)
            yield title, ["action"], action.name, flows
        for phase in all_phases(self.game.phases):
            flows = Flows()
            for item in phase.items:
                if not isinstance(item, t.SubPhase | t.Offer):
                    self._body(item, flows, {}, done)
            yield phase.printed or as_title(phase.name), ["phase"], phase.path, flows
        for entity in self.game.entities:
            yield from self._rows(entity, done)
        for end in self.game.ends:
            flows = Flows()
            self._body(end.body, flows, {}, done)
            yield as_title(end.name), ["end of the game"], end.name, flows
        rules: dict[str, tuple[list[g.Role], Flows]] = {}
        for role in self.game.roles:
            if role.row is None:
                roles, flows = rules.setdefault(role.name, ([], Flows()))
                roles.append(role)
                self._body(role.body, flows, {}, done)
        for name, (_, flows) in rules.items():
            yield as_title(name), ["rule"], name, flows
        for track in self.game.tracks:
            flows = Flows()
            self._body(track.overflow_body, flows, {}, done)
            yield f"Over the end of {track.words.many}", ["track"], track.name, flows
        for score in self.game.scores:
            yield self._score(score)
        for effect in self.game.effects:
            if effect not in done:
                flows = Flows()
                self._body(effect.body, flows, {}, done)
                yield as_title(effect.name), ["effect"], effect.name, flows

    def _rows(self, entity: g.EntitySymbol, done: set[g.EffectSymbol]) -> Iterable[tuple[str, list[str], str, Flows]]:
        """The effects on cards: rows with the same goods in and out together, their numbers as ranges."""
        if entity.computed is not None:
            return
        for column in entity.columns.values():
            groups: dict[object, tuple[list[g.RowSymbol], Flows]] = {}
            for row in entity.rows:
                flows = Flows()
                cell = column.cells[row.index - 1] if row.index <= len(column.cells) else None
                if isinstance(cell, g.CellBody):
                    self._body(cell.body, flows, {}, done)
                for role in self.game.roles:
                    if role.row is row and role.name == f"{entity.name}.{row.name}.{column.name}":
                        self._body(role.body, flows, {}, done)
                if flows:
                    rows, all_flows = groups.setdefault(flows.signature(), ([], Flows()))
                    rows.append(row)
                    all_flows.merge(flows)
            for rows, flows in groups.values():
                names = [each.printed or as_title(each.name) for each in rows]
                if len(rows) == 1:
                    yield names[0], [f"{entity.words.one}: {column.name.replace('_', ' ')}"], rows[0].address, flows
                    continue
                shown = names if len(names) <= NAMES else [*names[: NAMES - 1], f"{len(names) - NAMES + 1} more"]
                title = f"{len(rows)} {entity.words.many}: {column.name.replace('_', ' ')}"
                yield title, [spoken_list(shown)], column.address, flows

    def _score(self, score: g.ScoreSymbol) -> tuple[str, list[str], str, Flows]:
        flows = Flows()
        for line in score.lines:
            for node in walk(line.value):
                held = isinstance(node, x.ResourceRead) and not isinstance(node.holder, x.Bank)
                if isinstance(node, x.TrackRead | x.ResourceRead) and (held or isinstance(node, x.TrackRead)):
                    flows.counts.setdefault((node.symbol, None), set())
        title = score.printed if score.printed != score.name else as_title(score.name)
        if flows:
            for track in self.game.tracks:
                if self._gains_score(score, track):
                    flows.gives.setdefault((track, None), {None})
        return f"Score: {title}", [], score.name, flows

    def _gains_score(self, score: g.ScoreSymbol, track: g.TrackSymbol) -> bool:
        bodies = [*(each.body for each in self.game.effects), *(each.items for each in all_phases(self.game.phases))]
        for node in (each for body in bodies for each in walk(body)):
            if isinstance(node, t.Gain):
                for unit, count in node.amount.parts:
                    reads = any(isinstance(each, x.ScoreRead) and each.symbol is score for each in walk(count))
                    if reads and isinstance(unit, g.Unit) and unit.symbol is track:
                        return True
        return False

    # ----------------------------------------------------------------------------------------------------- the numbers
    def _body(self, body: object, flows: Flows, env: Env, done: set[g.EffectSymbol], depth: int = 0) -> None:
        """What a body does, through named effects with their arguments; effects on other cards are their own."""
        for node in walk(body):
            if isinstance(node, t.Gain):
                self._amount(node.amount, flows.gives, env)
            elif isinstance(node, t.Lose | t.Pay):
                self._amount(node.amount, flows.takes, env)
            elif isinstance(node, t.Transfer):
                self._transfer(node, flows, env)
            elif isinstance(node, t.Do) and depth < DEPTH:
                done.add(node.symbol)
                slots = node.symbol.slots[len(node.symbol.slots) - len(node.arguments) :]
                inner = dict(zip(slots, (_known(each, env) for each in node.arguments), strict=False))
                self._body(node.symbol.body, flows, inner, done, depth + 1)

    def _transfer(self, node: t.Transfer, flows: Flows, env: Env) -> None:
        if not isinstance(node.receiver, x.Bank):
            self._amount(node.amount, flows.gives, env)
        if not isinstance(node.giver, x.Bank):
            self._amount(node.amount, flows.takes, env)

    def _amount(self, amount: t.Amount, into: dict[Goods, set[float | None]], env: Env) -> None:
        for unit, count in amount.parts:
            if isinstance(unit, g.Unit):
                goods: Goods = (unit.symbol, unit.member)
            else:
                kind = _known(unit[1], env)
                member = kind.value if isinstance(kind, x.Const) and isinstance(kind.value, int) else None
                goods = (unit[0], member or None)
            self._note(into, goods, count, env)
        for tally in amount.tallies:
            self._tally(tally, into, env, 1)

    def _note(self, into: dict[Goods, set[float | None]], goods: Goods, count: x.Expr, env: Env) -> None:
        numbers = _numbers(count, env)
        goods = self._fold(goods)
        if numbers != {0}:
            into.setdefault(goods, set()).update(each for each in numbers if each != 0)

    def _tally(self, node: x.Expr, into: dict[Goods, set[float | None]], env: Env, depth: int) -> None:
        node = _known(node, env)
        if depth > DEPTH:
            return
        if isinstance(node, x.TallyOf):
            kind = strip(node.type)
            for unit, count in node.parts:
                number = unit if isinstance(unit, int) else None
                if number is None and isinstance(unit, x.Expr):
                    known = _known(unit, env)
                    number = known.value if isinstance(known, x.Const) and isinstance(known.value, int) else None
                goods = self._unit(kind, number)
                if goods is not None:
                    self._note(into, goods, count, env)
        elif isinstance(node, x.Const) and isinstance(node.value, tuple):
            for place, held in enumerate(node.value, 1):
                goods = self._unit(strip(node.type), place)
                if held and goods is not None:
                    into.setdefault(self._fold(goods), set()).add(held)
        elif isinstance(node, x.ColumnRead):
            source = self.sources.get(node.thing.slot) if isinstance(node.thing, x.Local) else None
            rows = rows_in(source, {}) if source is not None else None
            for number, cell in enumerate(node.column.cells, 1):
                if rows is not None and number not in rows:
                    continue
                value = cell[1] if isinstance(cell, tuple) else cell
                if isinstance(value, x.Expr):
                    self._tally(value, into, {}, depth + 1)
        elif isinstance(node, x.ConstantRead) and node.symbol.value is not None:
            self._tally(node.symbol.value, into, {}, depth + 1)
        elif isinstance(node, x.Call) and node.symbol.body is not None:
            slots = node.symbol.slots[len(node.symbol.slots) - len(node.arguments) :]
            inner = dict(zip(slots, (_known(each, env) for each in node.arguments), strict=False))
            self._tally(node.symbol.body, into, inner, depth + 1)
        elif isinstance(node, x.Select):
            self._tally(node.consequence, into, env, depth + 1)
            self._tally(node.alternative, into, env, depth + 1)
        elif isinstance(node, x.TallyArithmetic):
            self._tally(node.left, into, env, depth + 1)
            if node.operator == "+":
                self._tally(node.right, into, env, depth + 1)
        elif isinstance(node, x.TallyWiden | x.TallyScaled | x.Present | x.Hoisted):
            inner_node = node.tally if isinstance(node, x.TallyWiden | x.TallyScaled) else node.value
            self._tally(inner_node, into, env, depth + 1)
        else:
            kind = strip(node.type)
            if isinstance(kind, TallyType) and kind.symbol in self.kinds:
                into.setdefault((self.kinds[kind.symbol], None), set()).add(None)

    def _fold(self, goods: Goods) -> Goods:
        return (goods[0], None) if self.folded and isinstance(goods[0], g.ResourceSymbol) else goods

    def _unit(self, kind: object, number: int | None) -> Goods | None:
        if isinstance(kind, TallyType) and kind.symbol is not None:
            resource = self.kinds.get(kind.symbol)
            return (resource, number) if resource is not None else None
        if isinstance(kind, TallyType) and number is not None:
            unit = self.game.units[number - 1]
            return unit.symbol, unit.member
        return None

    # ------------------------------------------------------------------------------------------------------- the goods
    def _goods(self, goods: Goods) -> Node:
        symbol, member = goods
        if member is not None and isinstance(symbol, g.ResourceSymbol) and symbol.kinds is not None:
            return Node(_id(goods), "goods", as_title(symbol.kinds.members[member - 1][2].many), address=symbol.name)
        lines = []
        if isinstance(symbol, g.ResourceSymbol):
            if symbol.supply is not None:
                lines.append(f"supply {self.words.node(symbol.supply)}{' of each' if symbol.kinds is not None else ''}")
            if symbol.start is not None:
                lines.append(f"start {self.words.node(symbol.start)}")
        else:
            top = "" if symbol.highest >= 32767 else in_words(symbol.highest, symbol.type)
            lines.append(f"track {in_words(symbol.lowest, symbol.type)}..{top}")
            if symbol.start is not None and isinstance(symbol.start, x.Const):
                lines.append(f"start {self.words.node(symbol.start)}")
        return Node(_id(goods), "goods", as_title(symbol.words.many), tuple(lines), address=symbol.name)


def rows_in(node: x.Expr | None, env: Env, depth: int = 0) -> set[int] | None:
    """The rows of a table that a collection can hold, as far as that is known: all it names, or None."""
    if node is None or depth > DEPTH:
        return None
    if isinstance(node, x.AllThings):
        return set(range(1, len(node.symbol.rows) + 1)) if node.symbol.computed is None else None
    if isinstance(node, x.Call):
        slots = node.symbol.slots[len(node.symbol.slots) - len(node.arguments) :]
        inner = dict(zip(slots, (_known(each, env) for each in node.arguments), strict=False))
        return rows_in(node.symbol.body, inner, depth + 1)
    if isinstance(node, x.ToList | x.ToSet | x.Sorted):
        return rows_in(node.collection, env, depth + 1)
    if isinstance(node, x.Filter):
        rows = rows_in(node.collection, env, depth + 1)
        return None if rows is None else {row for row in rows if _may_hold(node.condition, node.slot, row, env)}
    return None


def _may_hold(node: x.Expr, slot: int, row: int, env: Env) -> bool:
    """Whether a condition may hold for a row; what is not constant may."""
    if isinstance(node, x.Both):
        return _may_hold(node.left, slot, row, env) and _may_hold(node.right, slot, row, env)
    if isinstance(node, x.Equal):
        for one, other in ((node.left, node.right), (node.right, node.left)):
            asked = _known(other, env)
            if isinstance(one, x.ColumnRead) and isinstance(one.thing, x.Local) and one.thing.slot == slot:
                cell = one.column.cells[row - 1] if row <= len(one.column.cells) else None
                value = cell[1] if isinstance(cell, tuple) else cell
                if isinstance(value, x.Const) and isinstance(asked, x.Const):
                    return value.value == asked.value
    return True


def _known(node: x.Expr, env: Env) -> x.Expr:
    """What is passed on for a parameter."""
    while isinstance(node, x.Local) and node.slot in env:
        node = env[node.slot]
        if isinstance(node, x.Local):
            break
    return node


def _numbers(node: x.Expr, env: Env) -> set[float | None]:
    """The numbers that an amount can be, as far as they are constants."""
    node = _known(node, env)
    kind = strip(node.type)
    if isinstance(node, x.InHalves):
        return _numbers(node.operand, env)
    if isinstance(node, x.Const) and isinstance(node.value, int):
        return {node.value / 2 if isinstance(kind, IntType) and kind.halves else node.value}
    if isinstance(node, x.ConstantRead) and node.symbol.value is not None:
        return _numbers(node.symbol.value, {})
    if isinstance(node, x.Select):
        return _numbers(node.consequence, env) | _numbers(node.alternative, env)
    if isinstance(node, x.Switch):
        found = {each for _, value in node.cases for each in _numbers(value, env)}
        return found | (_numbers(node.default, env) if node.default is not None else set())
    if isinstance(node, x.ColumnRead) and not isinstance(kind, EnumType):
        values = [cell[1] if isinstance(cell, tuple) else cell for cell in node.column.cells]
        return {each for value in values if isinstance(value, x.Expr) for each in _numbers(value, {})} or {None}
    return {None}


def _label(numbers: set[float | None], goods: Goods) -> str:
    known = sorted(each for each in numbers if each is not None)
    if not known:
        return "n"
    low, high = (f"{each:g}" for each in (known[0], known[-1]))
    return (low if low == high else f"{low}–{high}") + (", n" if None in numbers else "")


def _id(goods: Goods) -> str:
    return f"goods {goods[0].name}" + (f" {goods[1]}" if goods[1] is not None else "")


__all__ = ["economy_diagram", "rows_in"]
