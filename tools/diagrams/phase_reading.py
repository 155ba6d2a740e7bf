"""From a checked game to the diagram of its phases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.tools.aims import all_phases
from regelwerk.tools.diagrams.diagram import Cluster, Diagram, Edge, Entry, Node
from regelwerk.tools.source_words import SourceWords, as_title, shorten, spoken_list, walk

REACTIONS = ("before", "after", "instead")
CODE_LINES = 3
"""How many statements of a step or rule are shown."""
CODE_WIDTH = 64
"""How many characters of a statement are shown."""
CONDITION_WIDTH = 110
"""How many characters of a condition are shown."""


def phase_diagram(game: g.CheckedGame) -> Diagram:
    """The diagram of a game."""
    return _Reader(game).read()


def nested_offers(body: object, seen: set[g.EffectSymbol | g.ColumnSymbol] | None = None) -> Iterator[t.Offer]:
    """The offers that a body makes, also through named effects and effects in cells."""
    seen = set() if seen is None else seen
    for node in walk(body):
        if isinstance(node, t.Offer):
            yield node
        elif isinstance(node, t.Do) and node.symbol not in seen:
            seen.add(node.symbol)
            yield from nested_offers(node.symbol.body, seen)
        elif isinstance(node, t.DoCell) and node.column not in seen:
            seen.add(node.column)
            for cell in node.column.cells:
                if isinstance(cell, g.CellBody):
                    yield from nested_offers(cell.body, seen)


def reached(body: object, seen: dict[g.Symbol, None] | None = None) -> dict[g.Symbol, None]:
    """The named effects that a body runs and the steps inside it, also through other effects and effects in cells."""
    seen = {} if seen is None else seen
    for node in walk(body):
        if isinstance(node, t.Step):
            seen[node.symbol] = None
        elif isinstance(node, t.Do) and node.symbol not in seen:
            seen[node.symbol] = None
            reached(node.symbol.body, seen)
        elif isinstance(node, t.DoCell) and node.column not in seen:
            seen[node.column] = None
            for cell in node.column.cells:
                if isinstance(cell, g.CellBody):
                    reached(cell.body, seen)
    return seen


@dataclass
class _Part:
    """What an item became: the node entered first, the one left last (`exit` None: never left), the cluster around."""

    entry: str
    exit: str | None
    last: str
    cluster: str | None = None


class _Reader:
    def __init__(self, game: g.CheckedGame) -> None:
        self.game = game
        self.words = SourceWords(game.sources)
        self.diagram = Diagram(game.name, game.title, _seats(game.players))
        self.parts: dict[g.PhaseSymbol, _Part] = {}
        self.homes: dict[g.Symbol, tuple[str, list[Node | Cluster]]] = {}
        self.offered: set[int] = set()
        self.actions: set[g.ActionSymbol] = set()
        self.ids: dict[str, int] = {}

    def read(self) -> Diagram:
        """Everything, in the order of play."""
        members = self.diagram.members
        start = Node(self._id("start"), "start", "start")
        members.append(start)
        last = self._sequence(
            [(None, phase) for phase in self.game.phases], members, _Part(start.id, start.id, start.id)
        )
        aside = Cluster(self._id("anywhere"), "At any time", "aside")
        self._ends(last, aside)
        self._other_actions(aside)
        self._notes(aside)
        if aside.members:
            members.append(aside)
        return self.diagram

    def _id(self, base: str) -> str:
        count = self.ids[base] = self.ids.get(base, 0) + 1
        return base if count == 1 else f"{base} {count}"

    def _edge(self, tail: _Part, head: _Part) -> None:
        if tail.exit is not None:
            self.diagram.edges.append(Edge(tail.exit, head.entry, "flow", "", tail.cluster, head.cluster))

    # ----------------------------------------------------------------------------------------------------- the flow
    def _sequence(
        self, items: list[tuple[t.Stmt | None, g.PhaseSymbol | None]], members: list[Node | Cluster], before: _Part
    ) -> _Part:
        """Items one after the other; gives the last part, or `before` if there are none."""
        for item, phase in items:
            for part in self._item(item, phase, members):
                self._edge(before, part)
                before = part
        return before

    def _item(self, item: t.Stmt | None, phase: g.PhaseSymbol | None, members: list[Node | Cluster]) -> Iterator[_Part]:
        if phase is not None:
            yield self._phase(phase, members)
        elif isinstance(item, t.Step):
            yield self._step(item, members)
            for offer in nested_offers(item.body):
                if id(offer) not in self.offered:
                    yield self._offer(offer, members, f"in {as_title(item.symbol.name)}: ")
        elif isinstance(item, t.Offer):
            yield self._offer(item, members, "")

    def _phase(self, symbol: g.PhaseSymbol, members: list[Node | Cluster]) -> _Part:
        cluster = Cluster(
            self._id(f"phase {symbol.path}"), symbol.printed or as_title(symbol.name), "phase", symbol.path
        )
        members.append(cluster)
        first: _Part | None = None
        if symbol.drivers:
            lines = tuple(line for each in symbol.drivers for line in self._driver(symbol, each))
            head = Node(self._id(f"driver {symbol.path}"), "driver", lines[0], lines[1:], address=symbol.path)
            cluster.members.append(head)
            first = _Part(head.id, head.id, head.id)
        elif not symbol.items:
            empty = Node(self._id(f"empty {symbol.path}"), "driver", "nothing happens here", address=symbol.path)
            cluster.members.append(empty)
            first = _Part(empty.id, empty.id, empty.id)
        items: list[tuple[t.Stmt | None, g.PhaseSymbol | None]] = [
            (None, each.symbol) if isinstance(each, t.SubPhase) else (each, None) for each in symbol.items
        ]
        if first is None:
            for part in self._item(*items.pop(0), cluster.members):
                first = part if first is None else self._joined(first, part)
            assert first is not None
        last = self._sequence(items, cluster.members, _Part(first.entry, first.exit, first.last, first.cluster))
        once = (g.WhenDriver, g.TogetherDriver)
        label = next((_again(symbol, each) for each in symbol.drivers if not isinstance(each, once)), None)
        if label is not None and last.exit is not None:
            foot = Node(self._id(f"again {symbol.path}"), "again", label, address=symbol.path)
            cluster.members.append(foot)
            part = _Part(foot.id, foot.id, foot.id)
            self._edge(last, part)
            self.diagram.edges.append(Edge(foot.id, first.entry, "loop"))
            last = part
        exits = last.exit if not _endless(symbol) else None
        if exits is None and label is not None and not _endless(symbol):
            exits = first.entry
        self.parts[symbol] = _Part(first.entry, exits, last.last, cluster.id)
        self.homes[symbol] = (first.entry, cluster.members)
        return self.parts[symbol]

    def _joined(self, first: _Part, part: _Part) -> _Part:
        self._edge(first, part)
        return _Part(first.entry, part.exit, part.last)

    def _driver(self, symbol: g.PhaseSymbol, driver: object) -> Iterator[str]:
        say = self.words.node
        if isinstance(driver, g.TurnsDriver):
            if driver.first is not None:
                yield f"turns clockwise from {say(driver.first)}"
            elif driver.following is not None:
                yield f"turns: next is {say(driver.following)}"
            if driver.condition is not None:
                yield f"while {shorten(say(driver.condition), CONDITION_WIDTH)}"
            if driver.skip is not None:
                yield f"skipping a player when {shorten(say(driver.skip), CONDITION_WIDTH)}"
        elif isinstance(driver, g.LoopDriver):
            if driver.until is None:
                yield "again and again, until the game ends"
            else:
                yield f"again and again, until {shorten(say(driver.until), CONDITION_WIDTH)}"
        elif isinstance(driver, g.ForDriver):
            name = symbol.frame.names[driver.slot]
            yield f"for each {name} in {shorten(self.words.elements(driver.source), CONDITION_WIDTH)}"
            if driver.acting is not None and not driver.takes_turn:
                yield f"{say(driver.acting)} acts"
            elif driver.takes_turn:
                yield f"{name} takes a turn"
        elif isinstance(driver, g.TogetherDriver):
            who = shorten(self.words.elements(driver.players), CONDITION_WIDTH)
            yield f"{'all players' if who == 'players' else who} decide at the same time, unseen by the others"
        elif isinstance(driver, g.WhenDriver):
            yield f"only when {shorten(say(driver.condition), CONDITION_WIDTH)}"

    def _step(self, item: t.Step, members: list[Node | Cluster]) -> _Part:
        lines = (
            ()
            if item.condition is None
            else (f"only when {shorten(self.words.node(item.condition), CONDITION_WIDTH)}",)
        )
        title = as_title(item.symbol.name)
        node = Node(
            self._id(f"step {item.symbol.path}"), "step", title, lines, self._code(item.body), address=item.symbol.path
        )
        members.append(node)
        self.homes[item.symbol] = (node.id, members)
        for symbol in reached(item.body):
            self.homes.setdefault(symbol, (node.id, members))
        return _Part(node.id, node.id, node.id)

    def _code(self, body: t.Stmt | None) -> tuple[str, ...]:
        lines = [shorten(each, CODE_WIDTH) for each in self.words.statements(body)]
        if len(lines) > CODE_LINES:
            lines[CODE_LINES - 1 :] = [f"… and {len(lines) - CODE_LINES + 1} more"]
        return tuple(lines)

    # ------------------------------------------------------------------------------------------------------- offers
    def _offer(self, offer: t.Offer, members: list[Node | Cluster], where: str) -> _Part:
        self.offered.add(id(offer))
        entries = tuple(self._entry(each) for each in offer.actions)
        footer = []
        if offer.until:
            footer.append(f"again and again, until: {spoken_list(map(self._prompt, offer.until), 'or')}")
        if offer.until_done is not None:
            footer.append(f"again and again, until “{self.words.template(offer.until_done)}”")
        if offer.passing is not None:
            text = self.words.template(offer.passing)
            footer.append("or pass" if text == "pass" else f"or pass: “{text}”")
        what = "one action" if len(entries) == 1 else "one of these"
        node = Node(
            self._id(f"offer {offer.address}"), "offer", f"{where}{what}", (), (), entries, tuple(footer), offer.address
        )
        members.append(node)
        if offer.until or offer.until_done is not None:
            self.diagram.edges.append(Edge(node.id, node.id, "loop", ""))
        for action in offer.actions:
            self.actions.add(action)
            self.homes.setdefault(action, (node.id, members))
            for symbol in reached(action.body):
                self.homes.setdefault(symbol, (node.id, members))
        return _Part(node.id, node.id, node.id)

    def _prompt(self, action: g.ActionSymbol) -> str:
        return self.words.template(action.prompt) if action.prompt is not None else as_title(action.name)

    def _entry(self, action: g.ActionSymbol) -> Entry:
        lines = []
        for clause in action.clauses:
            if isinstance(clause, g.CostSymbol):
                when = (
                    f" when {shorten(self.words.node(clause.condition), CONDITION_WIDTH)}"
                    if clause.condition is not None
                    else ""
                )
                why = f" ({self.words.template(clause.printed)})" if clause.printed is not None else ""
                lines.append(f"costs {shorten(self.words.amount(clause.amount), CODE_WIDTH)}{why}{when}")
        if action.limit is not None:
            scope = action.limit.question.scope
            name = as_title(scope.name).lower() if isinstance(scope, g.PhaseSymbol) else str(scope)
            lines.append(f"at most {self.words.node(action.limit.at_most)} per {name}")
        for offer in nested_offers(action.body):
            then = f"then: {spoken_list(map(self._prompt, offer.actions), 'or')}"
            lines.append(
                then + (f", until: {spoken_list(map(self._prompt, offer.until), 'or')}" if offer.until else "")
            )
        return Entry(action.name, self._prompt(action), tuple(lines))

    def _other_actions(self, aside: Cluster) -> None:
        """Actions that no phase offers by itself: cards and effects do."""
        rest = [each for each in self.game.actions if each not in self.actions]
        if not rest:
            return
        entries = tuple(self._entry(each) for each in rest)
        node = Node(self._id("offer elsewhere"), "offer", "offered by effects, rules and cards", (), (), entries)
        aside.members.append(node)
        for each in rest:
            self.homes.setdefault(each, (node.id, aside.members))

    # --------------------------------------------------------------------------------------------------------- ends
    def _ends(self, last: _Part, aside: Cluster) -> None:
        finals: list[str] = []
        for end in self.game.ends:
            when = self.words.node(end.condition) if end.condition is not None else ""
            lines = [f"when {shorten(when, CONDITION_WIDTH)}"] if when else []
            if end.won_by is not None:
                lines.append(f"{self.words.node(end.won_by)} wins")
            if end.ranked_by is not None and len(self.game.ranks) > 1:
                lines.append(f"ranked by {as_title(end.ranked_by.name).lower()}")
            part = self.parts.get(end.after) if end.after is not None else None
            tested = "tested at once, whenever something changes"
            if end.after is not None:
                tested = f"tested whenever {end.after.printed or as_title(end.after.name)} is over"
            code = self._code(end.body)
            node = Node(
                self._id(f"end {end.name}"),
                "end",
                f"End: {as_title(end.name)}",
                (tested, *lines),
                code,
                address=end.name,
            )
            if part is not None:
                self.diagram.members.append(node)
                self.diagram.edges.append(Edge(part.last, node.id, "end", "", part.cluster))
                finals.append(node.id)
            else:
                aside.members.append(node)
                finals.append(node.id)
        if last.exit is not None:
            over = Node(self._id("over"), "over", "The game is over", ("after the last phase",))
            self.diagram.members.append(over)
            self.diagram.edges.append(Edge(last.exit, over.id, "flow", "", last.cluster))
            finals.append(over.id)
        self._results(finals)

    def _results(self, finals: list[str]) -> None:
        for rank in self.game.ranks:
            keys = [
                f"{'fewest' if lowest else 'most'} {printed}" if printed else self.words.node(key)
                for key, lowest, printed in rank.keys
            ]
            lines = [", then ".join([*keys, "shared" if rank.shared else "the earlier seat"])]
            title = "Who wins" if len(self.game.ranks) == 1 else f"Who wins: {as_title(rank.name).lower()}"
            node = Node(self._id(f"result {rank.name}"), "result", title, tuple(lines), address=rank.name)
            decided = [each for each in finals if self._rank_after(each) is rank]
            if decided:
                self.diagram.members.append(node)
                self.diagram.edges += [Edge(each, node.id, "end") for each in decided]

    def _rank_after(self, node_id: str) -> g.RankSymbol | None:
        """What decides after an end; None if the end itself names the winner."""
        end = next((each for each in self.game.ends if f"end {each.name}" == node_id), None)
        if end is None:
            return self.game.ranks[0]
        return None if end.won_by is not None else end.ranked_by or self.game.ranks[0]

    # -------------------------------------------------------------------------------------------------------- notes
    def _notes(self, aside: Cluster) -> None:
        """Every rule that reacts to something, once, beside what it reacts to."""
        targets: list[tuple[g.Symbol, list[g.Role], str]] = []
        for phase in all_phases(self.game.phases):
            targets.append((phase, phase.roles, phase.printed or as_title(phase.name)))
            for item in phase.items:
                targets += [(s, s.roles, as_title(s.name)) for s in _steps(item)]
        for action in self.game.actions:
            targets.append((action, action.roles, f"“{self._prompt(action)}”"))
            targets += [(s, s.roles, as_title(s.name)) for s in _steps(action.body)]
        for effect in self.game.effects:
            targets.append((effect, effect.roles, f"the effect {as_title(effect.name).lower()}"))
            targets += [(s, s.roles, as_title(s.name)) for s in _steps(effect.body)]
        targets += [(verb, verb.roles, f"anybody's {verb.name}") for verb in self.game.verbs.values()]
        for target, roles, spoken in targets:
            for role in roles:
                if role.kind in REACTIONS:
                    self._note(role, target, spoken, aside)

    def _note(self, role: g.Role, target: g.Symbol, spoken: str, aside: Cluster) -> None:
        kind = "instead of" if role.kind == "instead" else role.kind
        row = role.row
        origin = as_title(role.name) if row is None else f"{row.printed or as_title(row.name)} ({row.entity.words.one})"
        lines = [f"{kind} {spoken}"]
        lines += [f"while {shorten(self.words.node(each), CONDITION_WIDTH)}" for each in role.guards]
        if role.row is not None and role.by_anyone:
            lines.append("whoever does it")
        node = Node(
            self._id(f"note {role.name} {role.kind} {target.address}"),
            "note",
            origin,
            tuple(lines),
            self._code(role.body),
            address=role.name,
        )
        home = self.homes.get(target)
        if home is None:
            aside.members.append(node)
            return
        anchor, members = home
        if isinstance(target, g.PhaseSymbol) and role.kind == "after":
            anchor = self.parts[target].last
            members = self._around(anchor, members)
        members.append(node)
        self.diagram.edges.append(Edge(anchor, node.id, "note"))

    def _around(self, node_id: str, otherwise: list[Node | Cluster]) -> list[Node | Cluster]:
        """The members of the cluster that a node is in."""
        for cluster in self.diagram.clusters():
            if any(isinstance(each, Node) and each.id == node_id for each in cluster.members):
                return cluster.members
        return otherwise


def _seats(players: tuple[int, int]) -> str:
    low, high = players
    return f"{low} to {high} players" if low != high else f"{low} player{'' if low == 1 else 's'}"


def _steps(body: object) -> Iterator[g.StepSymbol]:
    for node in walk(body):
        if isinstance(node, t.Step):
            yield node.symbol


def _endless(symbol: g.PhaseSymbol) -> bool:
    """Whether only an end of the game leads out of the phase."""
    return any(
        (isinstance(each, g.LoopDriver) and each.until is None)
        or (isinstance(each, g.TurnsDriver) and each.first is not None and each.condition is None)
        for each in symbol.drivers
    )


def _again(symbol: g.PhaseSymbol, driver: object) -> str:
    if isinstance(driver, g.TurnsDriver):
        return "next player"
    if isinstance(driver, g.ForDriver):
        return "next player" if driver.takes_turn else f"next {symbol.frame.names[driver.slot]}"
    return "again"


__all__ = ["nested_offers", "phase_diagram"]
