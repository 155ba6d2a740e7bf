"""Puts probes and marks into a checked game, so that `Coverage` learns which branches and conditions ran.

    game = regelwerk.load("my_game.rules")
    game.coverage = probed(game.checked, game.sources)

Probes change no game. Once they are in they stay; a game that is to be played fast is loaded again. A condition is a
yes/no expression that the author wrote and that is not put together with `and`, `or` and `not`: where it is asked by
`if`, `when`, `where`, `require`, `while`, `until`, `skip`, `every`, a test, an end or a cost, or where it is a part or
the whole of a value. Whether a condition can be asked at all (a statement that can begin, a price that can be paid)
follows from the statement and is no condition.

Invariants are tests of the rules, not rules: they have no probes, nor has what only they ask.

What is picked one by one with `chosen` is looked at in forms that the interpreter knows; it is not probed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from regelwerk.dsl.diagnostics import Diagnostics
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import BoolType, strip
from regelwerk.dsl.model.walking import children, walk
from regelwerk.dsl.parser import parse_file
from regelwerk.dsl.source import Source, Span
from regelwerk.dsl.syntax.base import Expression, Node
from regelwerk.interpreter.coverage import Coverage

_CONNECTIVES = (x.Both, x.AnyOf, x.Negation)


def is_own(source: str) -> bool:
    """Whether a source is the author's, not of the standard library."""
    return not source.startswith("<")


def probed(game: g.CheckedGame, sources: Mapping[str, Source]) -> Coverage:
    """What will count a game, into which its probes are put. To be called before anything of it is compiled."""
    prober = _Prober(written(sources.values()))
    prober.game(game)
    return prober.coverage


def written(sources: Iterable[Source]) -> frozenset[Span]:
    """Where expressions stand in the author's texts."""
    found: set[Span] = set()
    for source in sources:
        file = parse_file(source, Diagnostics()) if is_own(source.name) else None
        stack: list[Any] = [file] if file is not None else []
        while stack:
            node = stack.pop()
            if isinstance(node, Expression):
                found.add(node.span)
            for name in type(node).model_fields:
                value = getattr(node, name)
                stack += [each for each in (value if isinstance(value, tuple) else (value,)) if isinstance(each, Node)]
    return frozenset(found)


def phases_of(phases: Sequence[g.PhaseSymbol]) -> Iterator[g.PhaseSymbol]:
    """Phases and those inside them."""
    for each in phases:
        yield each
        yield from phases_of(each.phases)


class _Prober:
    def __init__(self, conditions: frozenset[Span]) -> None:
        self.written = conditions
        self.coverage = Coverage()
        self.called: dict[g.ValueSymbol, None] = {}  # of which bodies speak
        self.values: set[g.ValueSymbol] = set()
        self._done: dict[int, object] = {}  # holds what was visited, so that no other object gets its identity

    # ------------------------------------------------------------------------------------------------------- the game
    def game(self, game: g.CheckedGame) -> None:
        """All bodies of a game."""
        for phase in phases_of(game.phases):
            for driver in phase.drivers:
                self._driver(driver)
            for item in phase.items:
                self.visit(item)
        for action in game.actions:
            self._owner(action)
        for effect in game.effects:
            self._owner(effect)
        for constant in game.constants:
            self.visit(constant.value)
        for role in game.roles:
            self._role(role)
        for entity in game.entities:
            for column in entity.columns.values():
                self._column(column)
            if entity.computed is not None:
                self._computed(entity.computed)
        for track in game.tracks:
            self.visit(track.overflow_body)
        for score in game.scores:
            for line in score.lines:
                self.visit(line.value)
        for award in game.awards:
            self.visit(award.measure)
            self.visit(award.at_least)
        for rank in game.ranks:
            for key, _, _ in rank.keys:
                self.visit(key)
        for end in game.ends:
            end.condition = self.condition(end.condition)
            self.visit(end.won_by)
            self.visit(end.body)
        self._stores(game)
        for value in self._asked_by(self.called):
            value.body = self._value(value)
        for node in _beside(game):
            list(self._asked_by(_calls(node)))
        for value in game.values:
            if value not in self.values:  # nobody asks it
                value.body = self._value(value)

    def _stores(self, game: g.CheckedGame) -> None:
        for resource in game.resources:
            self.visit(resource.supply)
            self.visit(resource.start)
        for track in game.tracks:
            self.visit(track.start)
        for state in game.states:
            self.visit(state.start)
        for option in game.options:
            self.visit(option.default)
        for zone in game.zones:
            self.visit(zone.capacity)
            self.visit(zone.contents)

    def _asked_by(self, called: dict[g.ValueSymbol, None]) -> Iterator[g.ValueSymbol]:
        """Values that are asked, and those that these ask, each once and only the first time."""
        waiting = list(called)
        while waiting:
            value = waiting.pop()
            if value not in self.values and value.body is not None:
                self.values.add(value)
                waiting += _calls(value.body)
                for role in value.roles:
                    waiting += [each for guard in role.guards for each in _calls(guard)]
                yield value

    def _driver(self, driver: g.Driver) -> None:
        if isinstance(driver, g.TurnsDriver):
            driver.condition, driver.skip = self.condition(driver.condition), self.condition(driver.skip)
            self.visit(driver.first)
            self.visit(driver.following)
        elif isinstance(driver, g.LoopDriver):
            driver.until = self.condition(driver.until)
        elif isinstance(driver, g.WhenDriver):
            driver.condition = self._condition(driver.condition)
        elif isinstance(driver, g.ForDriver):
            self.visit(driver.source)
            self.visit(driver.acting)
        else:
            self.visit(driver.players)

    def _owner(self, owner: g.ActionSymbol | g.EffectSymbol) -> None:
        clauses = owner.clauses if isinstance(owner, g.ActionSymbol) else owner.requirements
        if isinstance(owner, g.ActionSymbol):
            self.visit(owner.head)
            self.visit(owner.limit.at_most if owner.limit is not None else None)
        for clause in clauses:
            if isinstance(clause, g.RequireSymbol):
                clause.condition = self._condition(clause.condition)
            elif isinstance(clause, g.CostSymbol):
                clause.condition = self.condition(clause.condition)
                self.visit(clause.amount)
            else:
                self.visit(clause[1])
        self.visit(owner.body)

    def _value(self, value: g.ValueSymbol) -> x.Expr | None:
        if value.body is None:
            return None
        body = self._condition(value.body) if isinstance(strip(value.body.type), BoolType) else value.body
        self.visit(body)
        if not is_own(value.span.source):
            return body
        return x.Probe(body.type, body.span, body, self.coverage.place("value", value.span), False)

    def _role(self, role: g.Role) -> None:
        role.guards[:] = [self._condition(each) for each in role.guards]
        self.visit(role.value)
        self.visit(role.amount)
        self.visit(role.body)

    def _column(self, column: g.ColumnSymbol) -> None:
        for place, cell in enumerate(column.cells):
            if isinstance(cell, g.CellBody):
                self.visit(cell.body)
            elif isinstance(cell, tuple):
                frame, body = cell
                column.cells[place] = (frame, self._condition(body) if column.kind == "test" else body)
                self.visit(body)
        if column.shared is not None:
            self.visit(column.shared[1])

    def _computed(self, rows: g.ComputedRows) -> None:
        self.visit(rows.head)
        for _, value in rows.fields:
            self.visit(value)

    # ------------------------------------------------------------------------------------------------------ conditions
    def condition(self, node: x.Expr | None) -> x.Expr | None:
        """A condition with its probes."""
        return self._condition(node) if node is not None else None

    def _condition(self, node: x.Expr) -> x.Expr:
        """The parts of a condition are probed, not the whole: `and` and `or` do not always ask all of them."""
        self.visit(node)
        if isinstance(node, x.Probe | x.Const) or self._opened(node) or node.span not in self.written:
            return node
        return x.Probe(node.type, node.span, node, self.coverage.place("condition", node.span), True)

    def _opened(self, node: x.Expr) -> bool:
        """Whether it is put together of written parts, each with a place of its own."""
        if not isinstance(node, _CONNECTIVES):
            return False
        parts = (node.operand,) if isinstance(node, x.Negation) else (node.left, node.right)
        return all(part.span != node.span for part in parts)

    # ------------------------------------------------------------------------------------------------------- the inside
    def visit(self, node: object) -> None:
        """Probe everything inside a node, once."""
        if node is None or id(node) in self._done:
            return
        self._done[id(node)] = node
        if isinstance(node, x.Call):
            self.called[node.symbol] = None
        if isinstance(node, x.Binder) and node.chosen_slot is not None:
            for each in (node.source, node.lowest, node.highest, node.key):
                self.visit(each)
            return
        self._probe(node)
        for part in list(children(node)):
            self.visit(part)

    def _probe(self, node: Any) -> None:
        """Probe the parts of a node that are conditions, and mark its branches."""
        if isinstance(node, _CONNECTIVES):
            if self._opened(node):
                for name in ("operand",) if isinstance(node, x.Negation) else ("left", "right"):
                    setattr(node, name, self._condition(getattr(node, name)))
        elif isinstance(node, x.Select | x.Filter):
            node.condition = self._condition(node.condition)
        elif isinstance(node, x.Binder):
            node.condition, node.own = self.condition(node.condition), self.condition(node.own)
            for requirement in node.requirements:
                requirement.condition = self._condition(requirement.condition)
        elif isinstance(node, x.Quantified):
            if node.value is not None and node.quantifier == "every":
                node.value = self._condition(node.value)
            elif node.value is not None and node.quantifier in ("list", "sum", "min", "max"):
                node.value = self._asked(node.value, node.quantifier, node.span)
        elif isinstance(node, x.Switch):
            node.cases[:] = [(key, self._asked(value, "case")) for key, value in node.cases]
            node.default = self._asked(node.default, "else case") if node.default is not None else None
        elif isinstance(node, t.Stmt):
            self._statement(node)

    def _asked(self, value: x.Expr, what: str, whole: Span | None = None) -> x.Expr:
        self.visit(value)
        if isinstance(value, x.Probe) or value.span not in self.written or value.span == whole:
            return value
        return x.Probe(value.type, value.span, value, self.coverage.place("branch", value.span, what), False)

    def _statement(self, node: t.Stmt) -> None:
        if isinstance(node, t.If) and not node.must_hold:
            node.condition = self._condition(node.condition)
            node.consequence = self._marked(node.consequence, node.consequence.span, "then")
            if node.alternative is not None:
                node.alternative = self._marked(node.alternative, node.alternative.span, "else")
            elif is_own(node.span.source):
                node.alternative = self._mark(node.span, "else")
        elif isinstance(node, t.Repeat):
            node.condition = self.condition(node.condition)
            node.body = self._marked(node.body, node.span, "repeat")
        elif isinstance(node, t.ForEach | t.Everyone):
            node.body = self._marked(node.body, node.span, "for each" if isinstance(node, t.ForEach) else "everyone")
        elif isinstance(node, t.RandomPick):
            node.body = self._marked(node.body, node.span, "random")
        elif isinstance(node, t.Choose):
            node.done_when = self.condition(node.done_when)
            node.body = self._marked(node.body, node.span, "choose")
            if node.optional or node.done is not None:
                self._refusal(node, "no" if node.optional else "done")
        elif isinstance(node, t.Alternatives):
            for way in node.ways:
                way.condition = self.condition(way.condition)
                way.body = self._marked(
                    way.body, way.body.span, "may" if node.may and len(node.ways) == 1 else "option"
                )
            if node.may:
                self._refusal(node, "no")
        elif isinstance(node, t.Offer):
            if node.passing is not None or node.until_done is not None:
                self._refusal(node, "pass" if node.passing is not None else "done")
        elif isinstance(node, t.Step):
            node.condition = self.condition(node.condition)

    def _refusal(self, node: t.Choose | t.Alternatives | t.Offer, what: str) -> None:
        if is_own(node.span.source):
            self.coverage.refusals[node] = self.coverage.place("branch", node.span, what)

    def _mark(self, span: Span, what: str) -> t.Mark:
        return t.Mark(span, self.coverage.place("branch", span, what))

    def _marked(self, body: t.Stmt, span: Span, what: str) -> t.Stmt:
        """A branch that is counted when it begins."""
        if not is_own(span.source):
            return body
        self.visit(body)
        return t.Sequence(body.span, [self._mark(span, what), body])


def _beside(game: g.CheckedGame) -> Iterator[object]:
    """What is no rule and asks values: invariants, and texts for players."""
    yield from (each.condition for each in game.invariants)
    yield from (each.reason for each in game.roles)
    for action in game.actions:
        yield action.prompt
        for clause in action.clauses:
            if isinstance(clause, g.RequireSymbol):
                yield clause.otherwise
            elif isinstance(clause, g.CostSymbol):
                yield clause.printed


def _calls(node: object) -> dict[g.ValueSymbol, None]:
    """The values that something asks."""
    return {each.symbol: None for each in walk(node) if isinstance(each, x.Call)} if node is not None else {}


__all__ = ["is_own", "phases_of", "probed", "written"]
