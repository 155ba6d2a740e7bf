"""From a checked game to the diagram of its rules: what sets what off, what reacts to what, what changes what."""

from __future__ import annotations

from dataclasses import dataclass, field

from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.concern import concerned
from regelwerk.tools.aims import all_phases, targets
from regelwerk.tools.diagrams.diagram import Diagram, Edge, EdgeKind, Node
from regelwerk.tools.source_words import SourceWords, as_title, shorten, walk

REACTIONS = {"before": "before", "after": "after", "instead": "instead of"}
MANY = 6
"""More causes of one event than this are counted, not drawn."""
WIDTH = 90
"""How many characters of a condition are shown."""
VERBS: dict[type, str] = {t.Gain: "gain", t.Lose: "lose", t.Move: "move", t.Draw: "draw", t.Roll: "roll"}
SAID = {
    "gain": "anybody gains",
    "lose": "anybody loses",
    "move": "anything moves",
    "draw": "anything is drawn",
    "roll": "dice are rolled",
}


def rule_diagram(game: g.CheckedGame) -> Diagram:
    """The diagram of a game."""
    return _Reader(game).read()


@dataclass
class _Rules:
    """One box: a rule with all it aims at, or the rules of cards that do the same to the same."""

    title: str
    kind: str
    roles: list[g.Role] = field(default_factory=list)
    targets: list[g.Symbol] = field(default_factory=list)


class _Reader:
    def __init__(self, game: g.CheckedGame) -> None:
        self.game = game
        self.words = SourceWords(game.sources)
        self.diagram = Diagram(game.name, game.title, "what reacts to what", across=True)
        self.targets = targets(game)
        self.events = {symbol for role, symbol in self.targets.items() if role.kind in REACTIONS}
        self.clauses = {
            clause: action for action in game.actions for clause in action.clauses if isinstance(clause, g.Symbol)
        }

    def read(self) -> Diagram:
        """All rules with what they aim at, and what sets that off."""
        groups = self._groups()
        if not groups:
            self.diagram.members.append(Node("nothing", "note", "No rule reacts to anything here"))
            return self.diagram
        aims = dict.fromkeys(target for group in groups for target in group.targets)
        for target in aims:
            self.diagram.members.append(self._event(target))
        for number, group in enumerate(groups, 1):
            self.diagram.members.append(self._rule(group, f"rule {number}"))
            for target in group.targets:
                self._aim(group, f"rule {number}", target)
            for event in self._fired(group):
                self.diagram.edges.append(Edge(f"rule {number}", _id(event), "causes", "sets off"))
        self._causes([each for each in aims if each in self.events])
        self._circles()
        self.diagram.legend = [
            ("#7a8492", "sets off"), ("#2f5d8a", "event, or what is changed"), ("#a08432", "rule"),
            ("#8a2f2f", "circle: what a rule sets off itself, to which it does not react again"),
        ]  # fmt: skip
        return self.diagram

    # ------------------------------------------------------------------------------------------------------- the rules
    def _groups(self) -> list[_Rules]:
        found: dict[tuple[object, ...], _Rules] = {}
        for role in self.game.roles:
            target = self.targets.get(role)
            if target is None:
                continue
            key: tuple[object, ...] = (role.name,)
            title = as_title(role.name)
            if role.row is not None:
                key = (role.row.entity, role.kind, target)
                title = role.row.entity.words.many
            group = found.setdefault(key, _Rules(title, role.kind))
            group.roles.append(role)
            if target not in group.targets:
                group.targets.append(target)
        return list(found.values())

    def _rule(self, group: _Rules, identity: str) -> Node:
        first = group.roles[0]
        if first.row is not None:
            names = list(
                dict.fromkeys(role.row.printed or role.row.name for role in group.roles if role.row is not None)
            )
            many = f"{group.title} ({len(names)})" if len(names) > 1 else group.title
            return Node(identity, "rule", many, ("; ".join(names),), address=first.name)
        lines = [f"if {shorten(self.words.node(each), WIDTH)}" for each in first.guards]
        code = [shorten(each, WIDTH) for each in self.words.statements(first.body)][:3]
        return Node(identity, "rule", group.title, tuple(lines), tuple(code), address=first.name)

    def _aim(self, group: _Rules, identity: str, target: g.Symbol) -> None:
        same = [role for role, symbol in self.targets.items() if symbol is target and role.kind == group.kind]
        if group.kind in REACTIONS:
            label = REACTIONS[group.kind]
            rules = list(dict.fromkeys((role.row.entity if role.row is not None else role.name) for role in same))
            first = group.roles[0]
            own = first.row.entity if first.row is not None else first.name
            if len(rules) > 1:
                label = f"{label}, {_ordinal(rules.index(own) + 1)}"
            self.diagram.edges.append(Edge(_id(target), identity, "reacts", label))
            return
        words = {"becomes": "sets", "also": "adds to", "plus": "raises", "minus": "lowers", "at_least": "at least",
                 "at_most": "at most", "forbid": "forbids", "waive": "waives"}  # fmt: skip
        self.diagram.edges.append(Edge(identity, _id(target), "changes", words.get(group.kind, group.kind)))

    # ------------------------------------------------------------------------------------------------------ the events
    def _event(self, target: g.Symbol) -> Node:
        kind, title = _kind(target), as_title(target.name)
        if isinstance(target, g.VerbSymbol):
            kind, title = "event", as_title(SAID.get(target.name, target.name))
        elif isinstance(target, g.PhaseSymbol):
            title = target.printed or title
        elif isinstance(target, g.ActionSymbol) and target.prompt is not None:
            title = self.words.template(target.prompt)
        elif isinstance(target, g.RequireSymbol | g.CostSymbol) and target in self.clauses:
            title = f"{title} of {as_title(self.clauses[target].name).lower()}"
        elif isinstance(target, g.ColumnSymbol):
            title = f"{target.entity.words.one}: {target.name.replace('_', ' ')}"
        return Node(_id(target), "event", title, (kind,), address=target.address)

    def _fired(self, group: _Rules) -> list[g.Symbol]:
        found: dict[g.Symbol, None] = {}
        for role in group.roles:
            found |= dict.fromkeys(self._set_off(role.body))
        return list(found)

    def _set_off(self, body: object, seen: set[g.Symbol] | None = None) -> list[g.Symbol]:
        """The events that a body brings about, through effects that are none themselves."""
        seen = set() if seen is None else seen
        found: dict[g.Symbol, None] = {}
        for node in walk(body):
            if isinstance(node, t.Do) and node.symbol not in seen:
                seen.add(node.symbol)
                if node.symbol in self.events:
                    found[node.symbol] = None
                else:
                    found |= dict.fromkeys(self._set_off(node.symbol.body, seen))
            elif isinstance(node, t.DoCell) and node.column not in seen:
                seen.add(node.column)
                for cell in node.column.cells:
                    if isinstance(cell, g.CellBody):
                        found |= dict.fromkeys(self._set_off(cell.body, seen))
            elif isinstance(node, t.Step) and node.symbol in self.events:
                found[node.symbol] = None
            elif isinstance(node, t.Stmt) and type(node) in VERBS:
                verb = self.game.verbs.get(VERBS[type(node)])
                if verb is not None and verb in self.events and concerned(verb.roles, node, self.game.units):
                    found[verb] = None
            elif isinstance(node, t.Offer):
                found |= dict.fromkeys(each for each in node.actions if each in self.events)
        return list(found)

    def _causes(self, events: list[g.Symbol]) -> None:
        """What sets each event off: actions, cards and steps of phases; many of them are counted."""
        causes: list[tuple[str, str, object]] = []
        for action in self.game.actions:
            title = self.words.template(action.prompt) if action.prompt is not None else as_title(action.name)
            causes.append((f"cause {action.name}", title, action.body))
        for entity in self.game.entities:
            for column in entity.columns.values():
                bodies = [cell.body for cell in column.cells if isinstance(cell, g.CellBody)]
                if bodies:
                    causes.append(
                        (f"cause {column.address}", f"{entity.words.many}: {column.name.replace('_', ' ')}", bodies)
                    )
        for phase in all_phases(self.game.phases):
            items = [each for each in phase.items if not isinstance(each, t.SubPhase | t.Offer)]
            if items:
                causes.append((f"cause {phase.path}", phase.printed or as_title(phase.name), items))
        for event in events:
            found = [(identity, title) for identity, title, body in causes if event in self._set_off(body)]
            if len(found) > MANY:
                node = Node(f"cause of {_id(event)}", "cause", f"{len(found)} actions, cards and phases")
                self.diagram.members.append(node)
                self.diagram.edges.append(Edge(node.id, _id(event), "causes"))
                continue
            for identity, title in found:
                if all(each.id != identity for each in self.diagram.nodes()):
                    self.diagram.members.append(Node(identity, "cause", title))
                self.diagram.edges.append(Edge(identity, _id(event), "causes"))

    # ----------------------------------------------------------------------------------------------------- the circles
    def _circles(self) -> None:
        """Edges on a circle of events and rules are marked."""
        nexts: dict[str, set[str]] = {}
        for edge in self.diagram.edges:
            nexts.setdefault(edge.tail, set()).add(edge.head)

        def reaches(start: str, goal: str) -> bool:
            seen, waiting = set[str](), [start]
            while waiting:
                here = waiting.pop()
                if here == goal:
                    return True
                if here not in seen:
                    seen.add(here)
                    waiting += sorted(nexts.get(here, ()))
            return False

        edges = []
        for edge in self.diagram.edges:
            kind: EdgeKind = edge.kind
            if edge.kind in ("causes", "reacts") and reaches(edge.head, edge.tail):
                kind = "circle"
            edges.append(Edge(edge.tail, edge.head, kind, edge.label))
        self.diagram.edges = list(dict.fromkeys(edges))


def _id(symbol: g.Symbol) -> str:
    return f"{_kind(symbol)} {symbol.address}"


def _kind(symbol: g.Symbol) -> str:
    kinds: tuple[tuple[type[g.Symbol], str], ...] = (
        (g.ActionSymbol, "action"), (g.EffectSymbol, "effect"), (g.PhaseSymbol, "phase"), (g.StepSymbol, "step"),
        (g.VerbSymbol, "event"), (g.ValueSymbol, "value"), (g.ConstantSymbol, "number"), (g.ColumnSymbol, "column"),
        (g.RequireSymbol, "requirement"), (g.CostSymbol, "cost"),
    )  # fmt: skip
    return next((word for kind, word in kinds if isinstance(symbol, kind)), "clause")


def _ordinal(number: int) -> str:
    return {1: "first", 2: "second", 3: "third"}.get(number, f"{number}th")


__all__ = ["rule_diagram"]
