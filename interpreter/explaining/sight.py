"""What the one who asks may be told: every piece of an explanation is judged as the checker judges rules.

The checker refuses rules by which options or texts would depend on what their reader does not see (`E0360`,
`E0361`); here the same reader (`dsl/checker/visibility.py`) judges every piece of every expression, since a part may
read what the whole does not give away: `deck.top is none` is for all, `deck.top` is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from regelwerk.dsl.checker.visibility import Reader, Surroundings
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import ThingType, member_of, strip


def surroundings(checked: g.CheckedGame) -> Surroundings | None:
    """What is hidden in a game from somebody; None if nothing is."""
    hiding: dict[g.EntitySymbol, g.ZoneSymbol] = {}
    for zone in checked.zones:
        if zone.seen_by != "all":
            hiding.setdefault(zone.entity, zone)
    declared = [each.seen_by for each in checked.states] + [each.seen_by for each in checked.resources]
    if not hiding and all(each == "all" for each in declared):
        return None
    return Surroundings(hiding, frozenset())


class Sight:
    """One who asks, at one place of the rules; with `reader` None he is told everything."""

    def __init__(self, reader: Reader | None) -> None:
        self.reader = reader

    @staticmethod
    def of(game: Surroundings | None, own: Iterable[int]) -> Sight:
        """For somebody who is himself in the slots `own`."""
        return Sight(Reader(game, frozenset(own)) if game is not None else None)

    def _copy(self) -> Reader | None:
        old = self.reader
        if old is None:
            return None
        return Reader(old.game, old.own, set(old.anything), dict(old.tainted), set(old.shown), old.calls)

    def hides(self, node: object) -> bool:
        """Whether a piece is not for him."""
        reader = self._copy()
        if reader is None:
            return False
        return reader.read(node) is not None or (isinstance(node, x.Expr) and self._shows_faces(node))

    def _shows_faces(self, node: x.Expr) -> bool:
        """Dice are printed by what they show."""
        assert self.reader is not None
        kind = strip(member_of(node.type) or node.type)
        return (
            isinstance(kind, ThingType)
            and kind.symbol.faces is not None
            and kind.symbol in self.reader.game.hiding
            and self.reader.may_be_any(node)
        )

    def hides_goods(self, amount: object, payer: x.Expr, where: x.Expr) -> bool:
        """Whether what somebody has of the units of an amount is not for him."""
        reader = self._copy()
        return reader is not None and reader.affords(amount, payer, where) is not None  # type: ignore[arg-type]  # an amount

    def hides_rule(self, role: g.Role, me: x.Expr) -> bool:
        """Whether it is not for him whether a rule is live for `me`."""
        reader = self._copy()
        return reader is not None and reader.rule(role, me) is not None

    def behind(self, head: x.Head) -> Sight:
        """His place where the binders of a head are known."""
        reader = self._copy()
        if reader is not None:
            reader.read(head)
        return Sight(reader)

    def bound(self, slot: int, value: x.Expr) -> Sight:
        """His place where a name is bound to a value."""
        reader = self._copy()
        if reader is not None:
            found = reader.read(value)
            if found is not None:
                reader.tainted[slot] = found
            if reader.may_be_any(value):
                reader.anything.add(slot)
        return Sight(reader)

    def inside(self, symbol: object, places: Mapping[int, x.Expr]) -> Sight:
        """His place in a body that is called; `places` says what each of its slots stands for."""
        reader = self._copy()
        return Sight(reader._callee(symbol, dict(places)) if reader is not None else None)


__all__ = ["Sight", "surroundings"]
