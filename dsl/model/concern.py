"""Which rules on what is gained or lost can hold for a statement, by the units it speaks of.

A rule such as `after gain(what) while what(wine) > 0` never holds when somebody gains points alone. What the units of
a statement exclude is known at load; such a rule is not woven in there, takes part in no circle, and its owner is not
asked about its order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import EnumType, TallyType, strip

Numbers = frozenset[int]
"""Units by their place among all units of the game, from 1."""


def concerned(roles: Sequence[g.Role], node: t.Stmt, units: Sequence[g.Unit]) -> list[g.Role]:
    """The rules on a built-in event that a statement may set off; `units`: all units of the game."""
    if not isinstance(node, t.Gain | t.Lose) or not any(role.guards and role.bindings for role in roles):
        return list(roles)
    return reacting(roles, spoken_of(node.amount, units))


def reacting(roles: Sequence[g.Role], spoken: Numbers) -> list[g.Role]:
    """The rules on what is gained or lost that units do not exclude."""
    return [role for role in roles if not _excluded(role, spoken)]


def spoken_of(amount: t.Amount, units: Sequence[g.Unit]) -> Numbers:
    """The units an amount may hold more than none of."""
    kinds = [strip(tally.type) for tally in amount.tallies]
    enums = {kind.symbol for kind in kinds if isinstance(kind, TallyType)}
    if None in enums or any(not isinstance(kind, TallyType) for kind in kinds):
        return frozenset(range(1, len(units) + 1))
    exact = {(unit.symbol, unit.member) for unit, _ in amount.parts if isinstance(unit, g.Unit)}
    whole = {unit[0] for unit, _ in amount.parts if not isinstance(unit, g.Unit)}
    return frozenset(
        number
        for number, unit in enumerate(units, 1)
        if (unit.symbol, unit.member) in exact
        or unit.symbol in whole
        or (isinstance(unit.symbol, g.ResourceSymbol) and unit.symbol.kinds in enums and unit.symbol.kinds is not None)
    )


def _excluded(role: g.Role, spoken: Numbers) -> bool:
    slots = {slot: spoken for slot, _ in role.bindings}
    return any(_never(guard, slots) for guard in role.guards)


def _never(node: x.Expr | None, slots: Mapping[int, Numbers]) -> bool:
    """Whether a condition is certainly no; `slots`: the tallies among the locals, and the units they may hold."""
    if isinstance(node, x.Probe):
        return _never(node.value, slots)
    if isinstance(node, x.Both):
        return _never(node.left, slots) or _never(node.right, slots)
    if isinstance(node, x.AnyOf):
        return _never(node.left, slots) and _never(node.right, slots)
    if isinstance(node, x.Ordered):
        less, more = (node.left, node.right) if node.operator in ("<", "<=") else (node.right, node.left)
        least = _constant(less)
        return _zero(more, slots) and least is not None and (least > 0 or (least == 0 and node.operator in ("<", ">")))
    if isinstance(node, x.Equal):
        pairs = ((node.left, node.right), (node.right, node.left))
        return any(_zero(one, slots) and (_constant(other) or 0) > 0 for one, other in pairs)
    if isinstance(node, x.TallyCompare):
        less, more = (node.left, node.right) if node.operator == "<=" else (node.right, node.left)
        return _asks_for_more(less, _held(more, slots))
    if isinstance(node, x.Quantified) and node.quantifier == "some":
        return any(_never(each.condition, slots) or _nothing(each.source, slots) for each in node.head.binders)
    if isinstance(node, x.Call) and not node.symbol.roles and node.symbol.body is not None:
        held = zip(node.symbol.slots, [_held(each, slots) for each in node.arguments], strict=False)
        inner = {slot: numbers for slot, numbers in held if numbers is not None}
        return bool(inner) and _never(node.symbol.body, inner)
    return False


def _held(node: x.Expr, slots: Mapping[int, Numbers]) -> Numbers | None:
    """The units a tally may hold, None if nothing is known of it."""
    return slots.get(node.slot) if isinstance(node, x.Local) else None


def _zero(node: x.Expr, slots: Mapping[int, Numbers]) -> bool:
    """Whether a number is certainly 0."""
    if isinstance(node, x.TallyCount):
        held, asked = _held(node.tally, slots), _numbers(node.unit)
        return held is not None and asked is not None and not held & asked
    return False


def _nothing(node: x.Expr, slots: Mapping[int, Numbers]) -> bool:
    """Whether a collection is certainly empty."""
    return isinstance(node, x.TallyKinds) and _held(node.tally, slots) == frozenset()


def _numbers(node: x.Expr) -> Numbers | None:
    """The units that the number of one may mean: a constant, or a constant and a member of an enum."""
    constant = _constant(node)
    if constant is not None:
        return frozenset({constant})
    if isinstance(node, x.Arithmetic) and node.operator == "+":
        base, kind = _constant(node.right), strip(node.left.type)
        if base is not None and isinstance(kind, EnumType):
            return frozenset(range(base + 1, base + len(kind.symbol.members) + 1))
    return None


def _asks_for_more(node: x.Expr, held: Numbers | None) -> bool:
    """Whether a tally over all units certainly holds one that another tally has none of."""
    if held is None or not isinstance(node, x.TallyOf) or strip(node.type) != TallyType(None):
        return False
    wanted = [unit for unit, count in node.parts if isinstance(unit, int) and (_constant(count) or 0) > 0]
    return any(unit not in held for unit in wanted)


def _constant(node: x.Expr) -> int | None:
    return node.value if isinstance(node, x.Const) and type(node.value) is int else None
