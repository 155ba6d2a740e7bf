"""Conditions that hang on the state through a few values only: these values, the situation, are found once, and a table
says what passes in it.

"The field accepts these dice" asks for the faces of the first and the last die, how many they are, and whether the
player has a certain card; from this follows what the dice show and whether they are a double. Hoisting would compute
what follows for each pick of dice. Here nothing is computed but a place in a table, and all conditions of the innermost
choice that are of this kind are one look-up.

A situation is a cut through the conditions: below it lies what reads the state, above it what the table answers. It
begins with the single reads, as few different ones as there are. Where a part above is the only one that uses some of
them, costs little and has fewer values than they have together, it takes their place ("the first die is the white
one" in place of which die it is).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from math import prod
from typing import Any

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import BOOL, IntType, OptionalType, PlayerType, SetType, ThingType, ZoneType, strip
from regelwerk.dsl.model.walking import children, dynamic, same_structure, walk
from regelwerk.interpreter.evaluation.base import slots_read
from regelwerk.interpreter.evaluation.inlining import (
    BINDING,
    Hoisting,
    bound_slots,
    inline,
    is_few_operations,
    rebuilt,
    rename,
)
from regelwerk.interpreter.evaluation.roles import modifiers
from regelwerk.interpreter.wasm.emitter import Emitter
from regelwerk.interpreter.wasm.masks import faultless, keeps_its_type, table_of
from regelwerk.interpreter.wasm.shapes import Unsupported
from regelwerk.interpreter.wasm.values import written_in_place

SITUATIONS = 1 << 12
"""The most situations that a table has entries for: it must not drive the state out of the processor's cache."""

LARGEST = 400
"""The most nodes of a condition that is looked at."""

Counts = Mapping[int, IntType]
"""How many members the sets in some slots have."""


def by_situation(
    e: Emitter, tests: Sequence[x.Expr], binder: x.Binder, counts: Counts, hoisting: Hoisting, loop: int
) -> tuple[x.Expr | None, list[x.Expr]]:
    """As many of some conditions on a member of a set (with values in place of their calls) as one table can answer, as
    one condition that reads nothing but the member and hoisted parts; and those that are left. There is none (None) if
    it would spare nothing. `loop`: the number of the member's loop, which is not the outermost one."""
    cut: _Cut | None = None
    answered: list[x.Expr] = []
    for test in tests:
        plain = _expanded(e, test, counts)
        if plain is None:
            continue
        wider = _Cut(e, plain if cut is None else x.Both(BOOL, test.span, cut.test, plain), binder, counts)
        if wider.is_usable():
            cut = wider
            answered.append(test)
    if cut is None or not cut.spares(hoisting):
        return None, list(tests)
    return cut.hoisted(hoisting, loop), [test for test in tests if not any(test is each for each in answered)]


class _Cut:
    """The situation on which conditions of a member hang. `situation`: the values, all different; None if there is no
    such cut."""

    def __init__(self, e: Emitter, test: x.Expr, binder: x.Binder, counts: Counts) -> None:
        self.e, self.test, self.binder, self.counts = e, test, binder, counts
        self.changing = bound_slots(test) | {binder.slot}
        self._slots: dict[int, tuple[frozenset[int], frozenset[int]]] = {}
        self._known: dict[int, list[x.Expr] | None] = {}
        self.situation: list[x.Expr] | None = []
        reads = self._reads(test)
        if reads is None:
            self.situation = None
        else:
            self._take(test, reads)

    def is_usable(self) -> bool:
        """Whether there is a cut, a table is not too large, and nothing can be at fault."""
        found = self.situation
        if not found or prod(self._size(each) for each in found) > SITUATIONS or not faultless(self.e.c, self.test):
            return False
        highest = self.e.shapes.highest(strip(self.binder.type))
        return table_of(self.e, [self._narrow(each) for each in found], highest) is not None

    def spares(self, hoisting: Hoisting) -> bool:
        """Whether something that an outer loop changes would be computed without the table."""
        stack: list[object] = [self.test]
        while stack:
            node = stack.pop()
            if not isinstance(node, x.Expr) or not self._is_fixed(node):
                stack.extend(children(node))
            elif self._slots_of(node)[0] & hoisting.levels.keys() and self._place(node) < 0:
                return True
        return False

    def hoisted(self, hoisting: Hoisting, loop: int) -> x.Expr:
        """The conditions with the situation hoisted, its values in the order of the loops that change them."""
        situation = self.situation
        assert situation is not None
        parts: dict[int, x.Expr] = {}
        for index in sorted(range(len(situation)), key=lambda k: hoisting.level(situation[k])):
            each = situation[index]
            parts[index] = hoisting.part(self._narrow(each), loop)

        def put(node: Any) -> Any:
            place = self._place(node) if isinstance(node, x.Expr) and self._is_fixed(node) else -1
            return parts[place] if place >= 0 else rebuilt(node, put)

        found: x.Expr = put(self.test)
        return found

    def _is_fixed(self, node: x.Expr) -> bool:
        """Whether an expression is the same for all members."""
        read, bound = self._slots_of(node)
        return not (read - bound) & self.changing

    def _slots_of(self, node: object) -> tuple[frozenset[int], frozenset[int]]:
        """The slots that a part of the conditions reads, and those that it binds."""
        found = self._slots.get(id(node))
        if found is None:
            read: set[int] = {node.slot} if isinstance(node, x.Local) else set()
            bound = {node.slot, node.it_slot} if isinstance(node, x.Binder) else set()
            if isinstance(node, BINDING):
                bound = {node.slot}
            for each in children(node):
                inside = self._slots_of(each)
                read |= inside[0]
                bound |= inside[1]
            found = self._slots[id(node)] = frozenset(read), frozenset(bound)
        return found

    def _place(self, node: x.Expr) -> int:
        """The number of an expression in the situation, or -1."""
        assert self.situation is not None
        return next((k for k, each in enumerate(self.situation) if same_structure(each, node)), -1)

    def _reads(self, node: object) -> list[x.Expr] | None:
        """The single reads from which all follows, one for each time; None if there are none of few values."""
        if id(node) not in self._known:
            self._known[id(node)] = self._reads_of(node)
        return self._known[id(node)]

    def _reads_of(self, node: object) -> list[x.Expr] | None:
        c = self.e.c
        if not isinstance(node, x.Expr):
            return self._reads_inside(node)
        fixed = self._is_fixed(node)
        if isinstance(node, x.Local) and not fixed:
            return []
        if fixed and c.is_static(node):
            return []
        called = isinstance(node, x.ConstantRead | x.OptionRead) and not c.is_static(node)
        called = called or (isinstance(node, x.Call) and not c.is_static_value(node.symbol))
        if dynamic(node) or called or isinstance(node, x.Local):
            return [node] if fixed and self._size(node) else None
        found = self._reads_inside(node)
        return [node] if found is None and fixed and self._size(node) else found

    def _reads_inside(self, node: object) -> list[x.Expr] | None:
        found: list[x.Expr] = []
        for each in children(node):
            inside = self._reads(each)
            if inside is None:
                return None
            found += inside
        return found

    def _take(self, node: object, everywhere: list[x.Expr]) -> None:
        """Put what a part of the conditions needs into the situation."""
        assert self.situation is not None
        reads = self._reads(node)
        assert reads is not None
        if not reads:
            return
        if isinstance(node, x.Expr) and self._is_fixed(node) and self._in_place_of(node, reads, everywhere):
            if self._place(node) < 0:
                self.situation.append(node)
            return
        for each in children(node):
            self._take(each, everywhere)

    def _in_place_of(self, node: x.Expr, reads: list[x.Expr], everywhere: list[x.Expr]) -> bool:
        """Whether a part stands for all that it reads."""
        if len(reads) == 1 and reads[0] is node:
            return True
        if isinstance(node, x.Negation) or not keeps_its_type(node):
            return False  # what it negates does as well; a number may leave its type
        size = self._size(node)
        different: list[x.Expr] = []
        for each in reads:
            if not any(same_structure(each, other) for other in different):
                different.append(each)
        if not 0 < size < prod(self._size(each) for each in different) or not is_few_operations(self.e.c, node):
            return False
        others = sum(1 for each in everywhere if any(same_structure(each, one) for one in different))
        if others == len(reads) or others % len(reads):
            return others == len(reads)
        return others == len(reads) * sum(1 for each in walk(self.test) if same_structure(each, node))

    def _narrow(self, node: x.Expr) -> x.Expr:
        """A value with its type as narrow as it is known."""
        if isinstance(node, x.Count) and isinstance(node.collection, x.Local) and node.collection.slot in self.counts:
            return replace(node, type=self.counts[node.collection.slot])
        return node

    def _size(self, node: x.Expr) -> int:
        """How many values an expression has; 0 if they are too many or cannot be numbered, or if it may be at fault."""
        try:
            table = table_of(self.e, [self._narrow(node)], 0)
        except Unsupported:
            return 0
        size = prod(each.size for each in table.domains) if table is not None else 0
        return size if size <= SITUATIONS and faultless(self.e.c, node) else 0


# --------------------------------------------------------------------------------------------------------- expansion
class _Unfit(Exception):
    """An expression cannot be expanded, or is too large then."""


def _expanded(e: Emitter, node: x.Expr, counts: Counts) -> x.Expr | None:
    """A condition with local names, and the rules that change a value, put in their place; None if they cannot."""

    def change(node: Any) -> Any:
        if isinstance(node, x.LetIn):
            return change(_small_enough(rename(node.body, {node.slot: node.value})))
        node = rebuilt(node, change)
        if isinstance(node, x.ColumnRead) and not node.column.roles and e.program.column_table(node.column) is not None:
            return replace(node, me=x.Const(node.me.type, node.span, 0))  # who asks does not matter
        if isinstance(node, x.Pick) and node.end != "at" and isinstance(node.collection, x.Local):
            count = counts.get(node.collection.slot)
            if count is not None and count.lowest > 0 and isinstance(node.type, OptionalType):
                return replace(node, type=strip(node.type))
        if isinstance(node, x.Call) and node.symbol.roles:
            return change(_small_enough(inline(e.c, _changed_by_rules(e, node), e.frame)))
        return node

    try:
        found: x.Expr = change(_small_enough(node))
        return found
    except _Unfit:
        return None


def _small_enough(node: x.Expr) -> x.Expr:
    if sum(1 for _ in islice(walk(node), LARGEST + 1)) > LARGEST:
        raise _Unfit
    return node


def _changed_by_rules(e: Emitter, node: x.Call) -> x.Expr:
    """A call of a value with the rules that change it, as an expression."""
    symbol = node.symbol
    roles = modifiers(symbol.roles)
    body, kind = symbol.body, symbol.type
    if not e.listing or not written_in_place(e.unit, symbol) or body is None or kind is None:
        raise _Unfit
    if isinstance(kind, OptionalType | PlayerType) or sum(role.kind == "becomes" for role in roles) > 1:
        raise _Unfit  # of two rules each may give another value
    for argument, slot in zip(node.arguments, symbol.slots, strict=True):
        if isinstance(argument.type, OptionalType) and not isinstance(symbol.frame.types[slot], OptionalType):
            raise _Unfit
    found = _renamed(e, body, symbol.frame, dict(zip(symbol.slots, node.arguments, strict=True)))
    given = node.arguments[1 if symbol.takes_me else 0 :]
    me = node.arguments[0] if symbol.takes_me or _is_player(symbol) else None
    if me is not None and not (isinstance(me, x.Local) and me.slot == 0):
        raise _Unfit
    for role in roles:
        if role.value is None or (me is None and any(0 in slots_read(part) for part in (*role.guards, role.value))):
            raise _Unfit
        slots: dict[int, Any] = {slot: given[index] for slot, index in role.bindings}
        if me is not None:
            slots[0] = me
        test = _is_live(e, role, me, slots)
        for guard in role.guards:
            test = x.Both(BOOL, node.span, test, _renamed(e, guard, role.frame, slots))
        found = _APPLIED[role.kind](found, test, _renamed(e, role.value, role.frame, slots))
    return found


def _is_player(symbol: g.ValueSymbol) -> bool:
    return bool(symbol.parameters) and isinstance(symbol.parameters[0][1], PlayerType)


def _is_live(e: Emitter, role: g.Role, me: x.Expr | None, slots: dict[int, Any]) -> x.Expr:
    """Whether the only copy of what a rule belongs to lies where the rule is live for somebody. `slots` gets the
    copy."""
    row, zone = role.row, role.row.entity.live_in if role.row is not None else None
    if row is None:
        return x.Const(BOOL, role.span, 1)
    kind = ThingType(row.entity)
    thing = x.Const(kind, role.span, e.program.things[row.entity].first_of_row[row.index] if zone is not None else 0)
    slots[1] = thing
    if zone is None:
        return x.Const(BOOL, role.span, 1)
    owned = isinstance(zone.key, PlayerType)
    if me is None if owned else e.program.zones.instances[zone] != 1:
        raise _Unfit
    place = x.ZoneRef(ZoneType(row.entity), role.span, zone, me if owned else None)
    return x.Contains(BOOL, role.span, thing, x.Contents(SetType(kind), role.span, place))


def _renamed(e: Emitter, node: x.Expr, frame: g.Frame, slots: dict[int, Any]) -> x.Expr:
    """An expression of another frame in this one."""
    inner = {slot: e.frame.new("inlined", frame.types[slot]) for slot in bound_slots(node)}
    found: x.Expr = rename(node, {**slots, **inner})
    return found


def _chosen(test: x.Expr, yes: x.Expr, no: x.Expr) -> x.Expr:
    return x.Select(no.type, no.span, test, yes, no)


def _arithmetic(operator: Any) -> Callable[[x.Expr, x.Expr, x.Expr], x.Expr]:
    return lambda old, test, amount: _chosen(test, x.Arithmetic(old.type, old.span, operator, old, amount), old)


_APPLIED: dict[str, Callable[[x.Expr, x.Expr, x.Expr], x.Expr]] = {
    "becomes": lambda old, test, amount: _chosen(test, amount, old),
    "also": lambda old, test, amount: x.Union(
        old.type, old.span, old, _chosen(test, amount, x.Const(amount.type, old.span, 0))
    ),
    "plus": _arithmetic("+"),
    "minus": _arithmetic("-"),
    "at_least": _arithmetic("max"),
    "at_most": _arithmetic("min"),
}
