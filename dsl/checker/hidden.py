"""What a player reads must not show him what he may not know (language, section 11).

A player reads the options of his decisions, their texts and costs, and why something is refused; everybody reads the
reasons of gains. None of them may depend on what is hidden from the reader. What effects, ends, awards and the final
scoring read is free, and nature (`random`, `draw`) may take from anywhere. Who was shown a zone by `reveal` may
choose from it in what follows.

The top of a pile that nobody sees is a matter of `move`, `draw` and `reveal` alone: which thing it is may not be
settled.
"""

from __future__ import annotations

from collections.abc import Iterator

from regelwerk.dsl.checker.context import Context, me_local
from regelwerk.dsl.checker.visibility import ME, Hidden, Reader, Surroundings
from regelwerk.dsl.diagnostics import Label
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import UNKNOWN
from regelwerk.dsl.model.walking import children, walk


def check_hidden(c: Context, symbols: list[g.Symbol]) -> None:
    """Report every option, text, cost and refusal that depends on what its reader may not know."""
    hiding: dict[g.EntitySymbol, g.ZoneSymbol] = {}
    for symbol in symbols:
        if isinstance(symbol, g.ZoneSymbol) and symbol.seen_by != "all":
            hiding.setdefault(symbol.entity, symbol)
    hides = bool(hiding) or any(
        isinstance(each, g.StateSymbol | g.ResourceSymbol) and each.seen_by != "all" for each in symbols
    )
    if not hides:
        return
    bodies = [body for symbol in [*symbols, *c.verbs.values(), *c.steps.values()] for body in _bodies(symbol)]
    picks = [each for body in bodies for each in walk(body) if isinstance(each, t.RandomPick)]
    random = frozenset(id(binder) for each in picks for binder in each.head.binders)
    checker = _Checker(c, Surroundings(hiding, random))
    for symbol in symbols:
        if isinstance(symbol, g.ActionSymbol):
            checker.action(symbol)
    for body in bodies:
        checker.body(body)


def _bodies(symbol: g.Symbol) -> Iterator[object]:
    if isinstance(symbol, g.ActionSymbol | g.EffectSymbol | g.EndSymbol):
        yield symbol.body
    if isinstance(symbol, g.TrackSymbol):
        yield symbol.overflow_body
    for role in getattr(symbol, "roles", []):
        yield role.body
    if isinstance(symbol, g.EntitySymbol):
        for column in symbol.columns.values():
            for cell in column.cells:
                yield getattr(cell, "body", None)
    if isinstance(symbol, g.PhaseSymbol):
        yield t.Sequence(symbol.span, symbol.items)
        for inner in symbol.phases:
            yield from _bodies(inner)


class _Checker:
    def __init__(self, c: Context, game: Surroundings) -> None:
        self.c = c
        self.game = game
        self.reported: set[object] = set()

    def reader(self, me: int = ME) -> Reader:
        return Reader(self.game, frozenset({me}))

    # ------------------------------------------------------------------------------------------------------ messages
    def options(self, found: Hidden | None) -> None:
        """Something that decides about the options of a player."""
        if found is not None:
            self._report(
                "E0360",
                f"the options here depend on {found.words}, and the one who decides does not see it",
                found,
                "let nature choose with `random` or `draw`, ask for the number (`.count`), `reveal` it before, or let "
                "it be seen",
            )

    def text(self, found: Hidden | None) -> None:
        """A text that somebody reads."""
        if found is not None:
            self._report(
                "E0361",
                f"this text shows {found.words}, and not all who read it see it",
                found,
                "leave it out, or let it be seen",
            )

    def _report(self, code: str, message: str, found: Hidden, help: str) -> None:
        if found.where in self.reported:
            return
        self.reported.add(found.where)
        symbol = found.symbol
        self.c.error(code, message, found.where.span, help, (Label(symbol.span, f"seen by {symbol.seen_by}"),))

    # ------------------------------------------------------------------------------------------------------- actions
    def action(self, symbol: g.ActionSymbol) -> None:
        """Head, requirements, costs and the rules on them, as the one who acts sees them."""
        reader = self.reader()
        me = me_local(symbol.span)
        self.options(reader.read(symbol.head))
        self.text(reader.read(symbol.prompt))
        if symbol.limit is not None:
            self.options(reader.read(symbol.limit.at_most))
        for clause in symbol.clauses:
            if isinstance(clause, tuple):
                self.options(reader.read(clause[1]))
            elif isinstance(clause, g.RequireSymbol):
                self.options(reader.read(clause.condition))
                self.text(reader.read(clause.otherwise))
            else:
                self.options(reader.read(clause.condition))
                self.options(reader.read(clause.amount) or reader.affords(clause.amount, me, _at(clause)))
                self.text(reader.read(clause.printed))
            for role in getattr(clause, "roles", []):
                self.options(reader.rule(role, me))
        for role in symbol.roles:
            if role.kind == "forbid":
                self.options(reader.rule(role, me))
                self.text(self.reader().read(role.reason))

    # --------------------------------------------------------------------------------------------------------- bodies
    def body(self, body: object) -> None:
        """Everything that is asked or told in a body, in order."""
        if isinstance(body, t.Stmt):
            self.statement(body, ME, self.reader())

    def statement(self, node: t.Stmt, me: int, reader: Reader) -> None:
        """One statement, with what the one who acts (`me`) knows by then."""
        self._top_is_moved(node, reader)
        if isinstance(node, t.Sequence):
            for each in node.statements:
                self.statement(each, me, reader)
            return
        if isinstance(node, t.Let):
            self._binds(reader, node.slot, node.value)
        elif isinstance(node, t.Reveal):
            self._reveals(node, me, reader)
        elif isinstance(node, t.Choose):
            self._choose(node, reader)
        elif isinstance(node, t.Alternatives):
            asked = self._as(reader, node.me)
            for way in node.ways:
                self.text(asked.read(way.label))
                self.options(asked.read(way.condition))
        elif isinstance(node, t.Offer):
            self.text(reader.read(node.passing) or reader.read(node.until_done))
        elif isinstance(node, t.Gain | t.Lose):
            self._reason(node, reader)
        elif isinstance(node, t.ForEach):
            for binder in node.head.binders:
                self._binds(reader, binder.slot, binder.source)
        for inner in _inner(node):
            changed = isinstance(node, t.Everyone | t.Acting)
            slot = node.slot if isinstance(node, t.Everyone | t.Acting) else me
            if changed:
                inner_reader = Reader(
                    self.game, frozenset({slot}), reader.anything, dict(reader.tainted), set(), reader.calls
                )
                self.statement(inner, slot, inner_reader)
            else:
                branch = Reader(
                    self.game, reader.own, reader.anything, dict(reader.tainted), set(reader.shown), reader.calls
                )
                self.statement(inner, me, branch)

    def _as(self, reader: Reader, me: x.Expr) -> Reader:
        if isinstance(me, x.Local) and me.slot in reader.own:
            return reader
        own = frozenset({me.slot}) if isinstance(me, x.Local) else frozenset()
        return Reader(self.game, own, reader.anything, reader.tainted, set(), reader.calls)

    def _binds(self, reader: Reader, slot: int, value: x.Expr) -> None:
        found = reader.read(value)
        if found is not None:
            reader.tainted[slot] = found
        if reader.may_be_any(value):
            reader.anything.add(slot)

    def _reveals(self, node: t.Reveal, me: int, reader: Reader) -> None:
        shown = node.viewers
        sees = isinstance(shown, x.AllPlayers) or (
            isinstance(shown, x.SetOf) and any(isinstance(e, x.Local) and e.slot in reader.own for e in shown.items)
        )
        inner = node.things
        while isinstance(inner, x.ToSet | x.ToList):
            inner = inner.collection
        inner = inner.value if isinstance(inner, x.Present) else inner
        if sees and isinstance(inner, x.Contents | x.ZoneTop | x.ZoneEnd) and isinstance(inner.zone, x.ZoneRef):
            key = inner.zone.key
            if key is None or isinstance(key, x.Local):
                place = key.slot if isinstance(key, x.Local) else None
                reader.shown.add((inner.zone.symbol, place, not isinstance(inner, x.Contents)))

    def _choose(self, node: t.Choose, reader: Reader) -> None:
        asked = self._as(reader, node.me)
        self.options(asked.read(node.head))
        self.text(asked.read(node.prompt))
        self.options(asked.read(node.at_most) or asked.read(node.done_when))
        self.text(asked.read(node.done))
        for binder in node.head.binders:
            reader.anything -= {binder.slot, binder.it_slot}  # what he has chosen he knows

    def _reason(self, node: t.Gain | t.Lose, reader: Reader) -> None:
        """The reason of a gain is read by all, of hidden goods by those who see them."""
        units = [unit.symbol if isinstance(unit, g.Unit) else unit[0] for unit, _ in node.amount.parts]
        hidden = any(isinstance(u, g.ResourceSymbol) and u.kinds is not None and u.seen_by != "all" for u in units)
        audience = reader if hidden else Reader(self.game, frozenset(), reader.anything, reader.tainted)
        self.text(audience.read(node.reason))

    def _top_is_moved(self, node: t.Stmt, reader: Reader) -> None:
        """The top of a pile that is not seen stands only where it is moved, drawn or revealed."""
        if isinstance(node, t.Choose | t.Alternatives | t.Sequence | t.Offer):
            return  # what is asked is judged as such
        exempt = node.things if isinstance(node, t.Move | t.Reveal) else None
        for part in children(node):
            if not isinstance(part, t.Stmt) and part is not exempt:
                for each in _without_existence(part):
                    self._top(each, reader)

    def _top(self, node: object, reader: Reader) -> None:
        if not isinstance(node, x.ZoneEnd | x.ZoneTop) or not isinstance(node.zone, x.ZoneRef):
            return
        zone, last = node.zone.symbol, isinstance(node, x.ZoneTop) or node.end == "last"
        unseen = last and zone.seen_by in ("nobody", "count") and zone.order == "pile"
        if unseen and node not in self.reported and reader.read(node) is not None:
            self.reported.add(node)
            self.c.error(
                "E0362",
                f"nobody sees the top of `{zone.name}`, and it may not be settled what lies there",
                node.span,
                "take it by `draw` or `move`, show it by `reveal`, or declare the pile `top visible`",
                (Label(zone.span, f"seen by {zone.seen_by}"),),
            )


def _without_existence(node: object) -> Iterator[object]:
    """The parts of an expression, without those that only ask whether something lies on a pile."""
    if isinstance(node, x.Equal) and isinstance(node.left, x.ZoneEnd) and isinstance(node.right, x.Const):
        return
    yield node
    for each in children(node):
        yield from _without_existence(each)


def _inner(node: t.Stmt) -> list[t.Stmt]:
    """The statements directly inside a statement."""
    if isinstance(node, t.If):
        return [each for each in (node.consequence, node.alternative) if each is not None]
    if isinstance(node, t.Alternatives):
        return [way.body for way in node.ways]
    body = getattr(node, "body", None)
    return [body] if isinstance(body, t.Stmt) else []


def _at(clause: g.CostSymbol) -> x.Expr:
    """Where a cost stands, as an expression for messages."""
    return x.Unavailable(UNKNOWN, clause.span)
