"""What tells everybody something that not everybody sees.

Options and texts that depend on hidden things are errors (E0360, E0361). What effects do is free, as in printed games;
but who holds a title, how much somebody gains of goods that all see, and what a state that all see is set to, is told
to all. The end of a game may tell everything.
"""

from __future__ import annotations

from regelwerk.dsl.checker.visibility import Hidden, Reader, Surroundings
from regelwerk.dsl.diagnostics import Label
from regelwerk.dsl.lints.reaching import nodes_of
from regelwerk.dsl.lints.subject import Subject
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.walking import children
from regelwerk.dsl.source import Span


def find(s: Subject) -> None:
    """Titles, amounts and states that tell what is hidden."""
    hiding: dict[g.EntitySymbol, g.ZoneSymbol] = {}
    for zone in s.game.zones:
        if zone.seen_by != "all":
            hiding.setdefault(zone.entity, zone)
    hidden = any(each.seen_by != "all" for each in s.game.resources) or any(e.seen_by != "all" for e in s.game.states)
    if not hiding and not hidden:
        return
    found = [node for nodes in s.reach.nodes.values() for node in nodes if isinstance(node, t.RandomPick)]
    random = frozenset(id(binder) for pick in found for binder in pick.head.binders)
    secrets = _Secrets(s, Surroundings(hiding, random))
    for award in s.game.awards:
        secrets.title(award)
    late = _only_at_the_end(s)
    for owner in list(s.reach.nodes):
        if owner in late or not isinstance(
            owner, g.ActionSymbol | g.EffectSymbol | g.CellBody | g.Role | g.PhaseSymbol
        ):
            continue
        body = owner.items if isinstance(owner, g.PhaseSymbol) else [getattr(owner, "body", None)]
        reader = secrets.reader()
        for part in body:
            if isinstance(part, t.Stmt):
                secrets.statement(part, reader)


def _only_at_the_end(s: Subject) -> set[object]:
    """What only the end of the game runs."""
    runs: dict[object, set[object]] = {}
    for owner, nodes in s.reach.nodes.items():
        for node in nodes:
            if isinstance(node, t.Do):
                runs.setdefault(node.symbol, set()).add(owner)
    late: set[object] = set(s.game.ends)
    grown = True
    while grown:
        grown = False
        for effect, owners in runs.items():
            if effect not in late and owners <= late:
                late.add(effect)
                grown = True
    return late


class _Secrets:
    def __init__(self, s: Subject, game: Surroundings) -> None:
        self.s = s
        self.game = game

    def reader(self) -> Reader:
        """Somebody who sees what all see."""
        return Reader(self.game, frozenset())

    def title(self, award: g.AwardSymbol) -> None:
        """Who holds a title is seen by all."""
        found = self.reader().read(award.measure) or self.reader().read(award.at_least)
        if found is not None:
            self._report(f"who holds `{award.name}` is seen by all, and it tells of {found.words}", award.span, found)

    def statement(self, node: t.Stmt, reader: Reader) -> None:
        """A statement and what lies in it, in order."""
        if isinstance(node, t.Let):
            found = reader.read(node.value)
            if found is not None:
                reader.tainted[node.slot] = found
        elif isinstance(node, t.Reveal):
            self._shown(node, reader)
        elif isinstance(node, t.ForEach):
            for binder in node.head.binders:
                found = reader.read(binder.source)
                if found is not None:
                    reader.tainted[binder.slot] = found
        elif isinstance(node, t.Gain | t.Lose | t.Pay | t.Transfer):
            self._amount(node, reader)
        elif isinstance(node, t.SetState) and node.symbol.seen_by == "all":
            found = reader.read(node.value)
            if found is not None:
                self._report(f"`{node.symbol.name}` is seen by all, and this tells of {found.words}", node.span, found)
        for each in children(node):
            if isinstance(each, t.Alternative):
                self.statement(each.body, reader)
            elif isinstance(each, t.Stmt):
                self.statement(each, reader)

    def _amount(self, node: t.Gain | t.Lose | t.Pay | t.Transfer, reader: Reader) -> None:
        for unit, count in node.amount.parts:
            symbol = unit.symbol if isinstance(unit, g.Unit) else unit[0]
            if isinstance(symbol, g.ResourceSymbol) and symbol.seen_by != "all" and symbol.kinds is not None:
                continue  # only the total is seen, and of what kind is not
            found = reader.read(count)
            if found is not None:
                name = symbol.plural or symbol.name
                self._report(
                    f"how many {name} this is about is seen by all, and tells of {found.words}", node.span, found
                )
                return

    @staticmethod
    def _shown(node: t.Reveal, reader: Reader) -> None:
        if not isinstance(node.viewers, x.AllPlayers):
            return
        for each in nodes_of([node.things]):
            if isinstance(each, x.ZoneRef):
                key = each.key
                reader.shown.add((each.symbol, key.slot if isinstance(key, x.Local) else None, False))

    def _report(self, message: str, span: Span, found: Hidden) -> None:
        self.s.report(
            "W0941",
            message,
            span,
            "`reveal` it to all before, or let it be seen; if it is meant, say so",
            (Label(found.symbol.span, f"seen by {found.symbol.seen_by}"),),
        )


__all__ = ["find"]
