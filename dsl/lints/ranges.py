"""What a number or a condition can be at most, whatever happens in the game.

Numbers have a range, conditions are certainly yes, certainly no, or neither. The types say most of it; constants,
columns and sizes of sets are looked into. What an option says, or the number of players, counts as open.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass

from regelwerk.dsl.checker.context import Context
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import (
    HIGHEST,
    EnumType,
    IntType,
    OptionalType,
    PlayerType,
    SetType,
    ThingType,
    Type,
    member_of,
    strip,
)

Range = tuple[int, int]
"""The least and the greatest a number can be."""

WIDEST: Range = (-(10**12), 10**12)

Facts = Mapping[object, Range]
"""Ranges of expressions (by their `Keys`) that some condition before has settled."""

DEPTH = 12  # of what is looked into


class Keys:
    """Numbers for expressions and statements: the same number for those that have the same form, wherever they stand.

    They stand for the same value if they are asked at the same moment in the same frame. Each node is looked at once.
    """

    def __init__(self) -> None:
        self._of_node: dict[int, int] = {}
        self._of_form: dict[object, int] = {}
        self._kept: list[object] = []

    def of(self, node: object) -> int:
        """The number of a node, or of several."""
        known = self._of_node.get(id(node))
        if known is None:
            form: object
            if isinstance(node, _NODES):
                kind = node.__class__
                form = (kind, *[self._part(getattr(node, name)) for name in _names(kind)])
            else:
                form = self._part(node)
            known = self._of_form.setdefault(form, len(self._of_form))
            self._of_node[id(node)] = known
            self._kept.append(node)  # or its id would be given to another
        return known

    def _part(self, value: object) -> object:
        if isinstance(value, _NODES):
            return (0, self.of(value))
        if isinstance(value, list | tuple):
            return tuple([self._part(each) for each in value])
        return value


_NODES = (x.Expr, x.Head, x.Binder, x.Template, t.Stmt, t.Amount, t.Alternative)
_NAMES: dict[type, tuple[str, ...]] = {}


def _names(kind: type) -> tuple[str, ...]:
    found = _NAMES.get(kind)
    if found is None:
        assert is_dataclass(kind)
        found = _NAMES[kind] = tuple(each.name for each in fields(kind) if each.name not in ("type", "span", "what"))
    return found


STORED = (
    x.Const,
    x.StateRead,
    x.TrackRead,
    x.FaceRead,
    x.ThingAttribute,
    x.OptionRead,
    x.ZoneCount,
    x.Count,
    x.ResourceRead,
    x.TallyCount,
    x.TallyTotal,
)
"""What is in the range of its type whatever rules modify."""


class Judge:
    """Judges expressions of one game. `loose`: rules modify numbers, so that what is calculated with them can leave the
    range of its type."""

    def __init__(self, c: Context, loose: bool) -> None:
        self.c = c
        self.loose = loose
        self.keys = Keys()

    # ------------------------------------------------------------------------------------------------------ numbers
    def range_of(self, node: x.Expr | None, facts: Facts = {}, depth: int = DEPTH) -> Range:  # noqa: B006 - never changed
        """The range of a number; what it is by its type if nothing better is known."""
        if node is None or depth == 0:
            return WIDEST
        known = facts.get(self.keys.of(node)) if facts else None
        inner = getattr(self, f"_{type(node).__name__}", None)
        found: Range = inner(node, facts, depth - 1) if inner is not None else WIDEST
        typed = range_of_type(node.type) if not self.loose or isinstance(node, STORED) else None
        for other in (typed, known):
            if other is not None:
                found = (max(found[0], other[0]), min(found[1], other[1]))
        return found

    def _Const(self, node: x.Const, facts: Facts, depth: int) -> Range:
        return (node.value, node.value) if type(node.value) is int else WIDEST

    def _ConstantRead(self, node: x.ConstantRead, facts: Facts, depth: int) -> Range:
        return WIDEST if node.symbol.roles else self.range_of(node.symbol.value, {}, depth)

    def _InHalves(self, node: x.InHalves, facts: Facts, depth: int) -> Range:
        low, high = self.range_of(node.operand, facts, depth)
        return 2 * low, 2 * high

    def _Present(self, node: x.Present, facts: Facts, depth: int) -> Range:
        return self.range_of(node.value, facts, depth)

    def _Negative(self, node: x.Negative, facts: Facts, depth: int) -> Range:
        low, high = self.range_of(node.operand, facts, depth)
        return -high, -low

    def _Select(self, node: x.Select, facts: Facts, depth: int) -> Range:
        one, other = self.range_of(node.consequence, facts, depth), self.range_of(node.alternative, facts, depth)
        return min(one[0], other[0]), max(one[1], other[1])

    def _Arithmetic(self, node: x.Arithmetic, facts: Facts, depth: int) -> Range:
        (a, b), (c, d) = self.range_of(node.left, facts, depth), self.range_of(node.right, facts, depth)
        if node.operator == "+":
            return a + c, b + d
        if node.operator == "-":
            return a - d, b - c
        if node.operator == "*":
            products = (a * c, a * d, b * c, b * d)
            return min(products), max(products)
        if node.operator == "mod" and c > 0:
            return 0, d - 1
        if node.operator == "div" and c > 0:
            quotients = (a // c, a // d, b // c, b // d)
            return min(quotients), max(quotients)
        optional = isinstance(node.left.type, OptionalType) or isinstance(node.right.type, OptionalType)
        if node.operator in ("min", "max") and not optional:  # none is left out of these two
            pick = min if node.operator == "min" else max
            return pick(a, c), pick(b, d)
        return WIDEST

    def _ColumnRead(self, node: x.ColumnRead, facts: Facts, depth: int) -> Range:
        column = node.column
        if column.roles or column.shared is not None or not column.cells:
            return WIDEST
        found = [self.range_of(cell, {}, depth) for cell in column.cells if isinstance(cell, x.Expr)]
        if len(found) < len(column.cells):
            return WIDEST
        return min(low for low, _ in found), max(high for _, high in found)

    def _ResourceRead(self, node: x.ResourceRead, facts: Facts, depth: int) -> Range:
        if node.symbol.supply is None or (node.symbol.kinds is not None and node.unit is None):
            return WIDEST
        return 0, max(0, self.range_of(node.symbol.supply, {}, depth)[1])

    def _ZoneCount(self, node: x.ZoneCount, facts: Facts, depth: int) -> Range:
        return 0, self.copies(node.zone.type)

    def _Count(self, node: x.Count, facts: Facts, depth: int) -> Range:
        kind = node.collection
        if isinstance(kind, x.AllPlayers):
            return self.c.players
        if isinstance(kind, x.AllThings):
            rows = kind.symbol.rows
            if kind.symbol.computed is None and rows and not kind.symbol.movable:
                return len(rows), len(rows)
        return 0, WIDEST[1]

    def _TallyTotal(self, node: x.TallyTotal, facts: Facts, depth: int) -> Range:
        return 0, WIDEST[1]

    def _TallyCount(self, node: x.TallyCount, facts: Facts, depth: int) -> Range:
        return 0, WIDEST[1]

    def copies(self, kind: Type) -> int:
        """How many things of a zone there are at most; the widest if that is not known."""
        member = member_of(kind)
        if not isinstance(member, ThingType) or member.symbol.computed is not None:
            return WIDEST[1]
        total = 0
        for row in member.symbol.rows:
            count = 1 if row.copies is None else self.range_of(row.copies)[1]
            if row.per_player:
                count *= self.c.players[1] if isinstance(member.symbol.owner_type, PlayerType) else WIDEST[1]
            total += max(0, count)
        return total if total < HIGHEST else WIDEST[1]

    # --------------------------------------------------------------------------------------------------- conditions
    def truth(self, node: x.Expr | None, facts: Facts = {}, depth: int = DEPTH) -> bool | None:  # noqa: B006 - never changed
        """Whether a condition is certainly yes or certainly no; None if it is neither."""
        if node is None or depth == 0:
            return None
        if isinstance(node, x.Const) and type(node.value) is int:
            return bool(node.value)
        if isinstance(node, x.ConstantRead):
            return None if node.symbol.roles else self.truth(node.symbol.value, {}, depth - 1)
        if isinstance(node, x.Negation):
            found = self.truth(node.operand, facts, depth - 1)
            return None if found is None else not found
        if isinstance(node, x.Both):
            return self._both(node, facts, depth)
        if isinstance(node, x.AnyOf):
            sides = (self.truth(node.left, facts, depth - 1), self.truth(node.right, facts, depth - 1))
            return True if True in sides else False if sides == (False, False) else None
        return self._compared(node, facts, depth)

    def _both(self, node: x.Both, facts: Facts, depth: int) -> bool | None:
        parts = conjuncts(node)
        known = dict(facts)
        sure = True
        for part in parts:
            found = self.truth(part, known, depth - 1)
            if found is False:
                return False
            sure = sure and found is True
            if self.learn(part, known) is False:
                return False
        return True if sure else None

    def _compared(self, node: x.Expr, facts: Facts, depth: int) -> bool | None:
        if isinstance(node, x.Ordered):
            return self._ordered(node, facts, depth)
        if isinstance(node, x.Equal):
            return self._equal(node, facts, depth)
        if isinstance(node, x.Between):
            item = self.range_of(node.item, facts, depth)
            low, high = self.range_of(node.lowest, facts, depth), self.range_of(node.highest, facts, depth)
            if item[1] < low[0] or item[0] > high[1]:
                return False
            optional = isinstance(node.item.type, OptionalType)
            return True if not optional and low[1] <= item[0] and item[1] <= high[0] else None
        if isinstance(node, x.Contains) and isinstance(node.collection, x.Const) and node.collection.value == 0:
            return False
        if isinstance(node, x.Contains) and isinstance(node.collection, x.AllThings | x.AllPlayers):
            return True if not isinstance(node.item.type, OptionalType) else None
        return None

    def _ordered(self, node: x.Ordered, facts: Facts, depth: int) -> bool | None:
        optional = isinstance(node.left.type, OptionalType) or isinstance(node.right.type, OptionalType)
        if self.keys.of(node.left) == self.keys.of(node.right):
            return None  # said by another lint
        low, high = self.range_of(node.left, facts, depth), self.range_of(node.right, facts, depth)
        operator = node.operator
        if operator in (">", ">="):
            low, high, operator = high, low, "<" if operator == ">" else "<="
        strict = operator == "<"
        if low[1] < high[0] or (not strict and low[1] == high[0]):
            return None if optional else True
        if low[0] > high[1] or (strict and low[0] == high[1]):
            return False
        return None

    def _equal(self, node: x.Equal, facts: Facts, depth: int) -> bool | None:
        if range_of_type(node.left.type) is None or range_of_type(node.right.type) is None:
            return self._alike(node)
        left, right = self.range_of(node.left, facts, depth), self.range_of(node.right, facts, depth)
        optional = isinstance(node.left.type, OptionalType) or isinstance(node.right.type, OptionalType)
        if left[1] < right[0] or right[1] < left[0]:
            return None if optional and 0 in (*left, *right) else False
        return True if not optional and left[0] == left[1] == right[0] == right[1] else None

    def _alike(self, node: x.Equal) -> bool | None:
        """Two members, or what can never be none compared with none."""
        left, right = node.left, node.right
        kinds = EnumType | ThingType | PlayerType
        if isinstance(left, x.Const) and isinstance(right, x.Const) and isinstance(strip(left.type), kinds):
            return left.value == right.value if type(left.value) is type(right.value) is int else None
        for one, other in ((left, right), (right, left)):
            none = isinstance(one, x.Const) and one.value == 0 and isinstance(strip(other.type), kinds)
            if none and not isinstance(other.type, OptionalType) and isinstance(other, x.Local):
                return False
        return None

    # ---------------------------------------------------------------------------------------------------------- facts
    def learn(self, node: x.Expr | None, facts: dict[object, Range], holds: bool = True) -> bool | None:
        """Add what a condition that holds (or does not) says of numbers; False if that contradicts the facts."""
        if isinstance(node, x.Negation):
            return self.learn(node.operand, facts, not holds)
        if isinstance(node, x.Both if holds else x.AnyOf):
            results = [self.learn(part, facts, holds) for part in (node.left, node.right)]
            return False if False in results else None
        if node is None or isinstance(node, x.Both | x.AnyOf):
            return None
        key = self.keys.of(node)
        found = facts.get(key)
        if found is not None and found[0] == found[1] != int(holds):
            return False
        facts[key] = (int(holds), int(holds))
        return self._learn_number(node, facts, holds)

    def _learn_number(self, node: x.Expr, facts: dict[object, Range], holds: bool) -> bool | None:
        if isinstance(node, x.Equal) and holds and range_of_type(node.left.type) is not None:
            pairs = [(node.left, "is", node.right), (node.right, "is", node.left)]
        elif isinstance(node, x.Ordered):
            optional = isinstance(node.left.type, OptionalType) or isinstance(node.right.type, OptionalType)
            if not holds and optional:
                return None
            operator = node.operator if holds else {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}[node.operator]
            mirrored = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}[operator]
            pairs = [(node.left, operator, node.right), (node.right, mirrored, node.left)]
        else:
            return None
        for one, operator, other in pairs:
            if isinstance(one, x.Const):
                continue
            key = self.keys.of(one)
            low, high = facts.get(key, WIDEST)
            typed = self.range_of(one)
            low, high = max(low, typed[0]), min(high, typed[1])
            (least, most) = self.range_of(other, facts)
            if operator in ("<", "<="):
                high = min(high, most - (operator == "<"))
            elif operator in (">", ">="):
                low = max(low, least + (operator == ">"))
            else:
                low, high = max(low, least), min(high, most)
            if low > high:
                return False
            facts[key] = (low, high)
        return None


def range_of_type(kind: Type) -> Range | None:
    """The range of a type of numbers, None of other types; numbers without an upper bound have none."""
    inner = strip(kind)
    if not isinstance(inner, IntType):
        return None
    scale = 2 if inner.halves else 1
    low = -(10**12) if inner.lowest <= -HIGHEST * scale else inner.lowest
    return low, 10**12 if inner.highest >= HIGHEST * scale else inner.highest


def conjuncts(node: x.Expr | None) -> list[x.Expr]:
    """The parts of a condition that must all hold, from left to right."""
    if node is None:
        return []
    if isinstance(node, x.Both):
        return [*conjuncts(node.left), *conjuncts(node.right)]
    return [node]


def is_empty_set(node: x.Expr | None) -> bool:
    """Whether a domain certainly has no members."""
    if isinstance(node, x.Const):
        return node.value in (0, ()) and isinstance(strip(node.type), SetType)
    return isinstance(node, x.SetOf | x.ListOf) and not node.items


__all__ = ["Judge", "Keys", "Range", "conjuncts", "is_empty_set", "range_of_type"]
