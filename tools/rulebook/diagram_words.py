"""The diagram of the phases with the words of the rulebook, instead of the author's code."""

from __future__ import annotations

from dataclasses import replace

from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.tools import aims
from regelwerk.tools.diagrams.diagram import Cluster, Diagram, Entry, Node
from regelwerk.tools.rulebook import picking, playing, running
from regelwerk.tools.rulebook.asking import prompt_of
from regelwerk.tools.rulebook.book import Items, flat
from regelwerk.tools.rulebook.gathering import Sheet
from regelwerk.tools.rulebook.markup import plain
from regelwerk.tools.source_words import shorten

WIDTH = 140
"""How many characters of a sentence are shown."""


def in_words(made: Sheet, diagram: Diagram) -> Diagram:
    """The same diagram, its boxes in words."""
    return replace(diagram, members=[_Translator(made).member(each) for each in diagram.members])


class _Translator:
    def __init__(self, made: Sheet) -> None:
        self.made = made
        self.words = made.words
        phases = aims.all_phases(made.game.phases)
        self.phases = {each.path: each for each in phases}
        self.steps: dict[str, tuple[g.PhaseSymbol, t.Step]] = {}
        for phase in phases:
            for item in phase.items:
                if isinstance(item, t.Step):
                    self.steps[item.symbol.path] = (phase, item)
        self.actions = {each.name: each for each in made.game.actions}
        self.roles: dict[str, list[g.Role]] = {}
        for role in made.game.roles:
            self.roles.setdefault(role.name, []).append(role)

    def member(self, member: Node | Cluster) -> Node | Cluster:
        """A box, or a group with all inside it."""
        if isinstance(member, Cluster):
            return replace(member, members=[self.member(each) for each in member.members])
        if member.kind == "driver":
            return self._driver(member)
        if member.kind == "step":
            return self._step(member)
        if member.kind == "offer":
            return replace(member, entries=tuple(self._entry(each) for each in member.entries))
        if member.kind == "end":
            return self._end(member)
        if member.kind == "result":
            return self._result(member)
        if member.kind == "note":
            return self._note(member)
        return member

    def _driver(self, node: Node) -> Node:
        phase = self.phases.get(node.address)
        if phase is None or not phase.drivers:
            return node
        with self.words.within(phase.frame, playing.inherited(self.made, phase)):
            said = [_short(text) for each in phase.drivers for text in running.driver(self.words, phase, each)]
        return replace(node, title=said[0], lines=tuple(said[1:]), code=())

    def _step(self, node: Node) -> Node:
        found = self.steps.get(node.address)
        if found is None:
            return replace(node, code=())
        phase, item = found
        with self.words.within(phase.frame, playing.inherited(self.made, phase)):
            for each in phase.drivers:
                running.driver(self.words, phase, each)
            said = _short(flat(self.words.lines(item)))
        return replace(node, lines=(said,) if said else (), code=())

    def _entry(self, entry: Entry) -> Entry:
        action = self.actions.get(entry.address)
        if action is None:
            return entry
        lines = []
        with self.words.within(action.frame):
            for binder in action.head.visible if action.head is not None else ():
                picking.choice(self.words, binder)
            for clause in action.clauses:
                if isinstance(clause, g.CostSymbol):
                    when = f" if {self.words.clause(clause.condition)}" if clause.condition is not None else ""
                    lines.append(_short(f"costs {playing.price(self.made, clause, action)}{when}"))
            if action.limit is not None:
                lines.append(_short(running.limit(self.words, action.limit)))
        return Entry(entry.address, plain(prompt_of(self.words, action)), tuple(lines))

    def _end(self, node: Node) -> Node:
        end = next((each for each in self.made.game.ends if each.name == node.address), None)
        if end is None or end.condition is None:
            return node
        with self.words.within(end.frame):
            when = _short(f"if {self.words.clause(end.condition)}")
            then = _short(flat(self.words.lines(end.body)))
        return replace(node, lines=(node.lines[0], when, *([then] if then else [])), code=())

    def _result(self, node: Node) -> Node:
        rank = next((each for each in self.made.game.ranks if each.name == node.address), None)
        if rank is None:
            return node
        blocks = playing.rank_entry(self.made, rank).blocks
        said = [_short(each.text) for block in blocks if isinstance(block, Items) for each in block.lines]
        return replace(node, lines=tuple(said), code=())

    def _note(self, node: Node) -> Node:
        roles = self.roles.get(node.address, [])
        said: dict[str, None] = {}
        for role in roles:
            said[_short(flat(running.rule(self.words, role, self.made.targets.get(role))))] = None
        return replace(node, lines=tuple(said), code=()) if said else node


def _short(text: str) -> str:
    return shorten(plain(text).removesuffix("."), WIDTH)


__all__ = ["in_words"]
