"""Two passes over conditions of heads: values are put in place of their calls, and what a loop does not change is
hoisted.

Together they turn a requirement such as "the field accepts these dice" into a look-up and a comparison for each
field, the rest being computed once for each set of dice. A test that reads a field through one constant column is
answered for all fields at once, as a set. Nothing is at fault that would not have been: hoisted parts are filled when
they are first needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, is_dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import BOOL, OptionalType, TallyType, strip
from regelwerk.dsl.model.walking import dynamic, fields_of, same_structure
from regelwerk.interpreter.evaluation.base import Closure, Locals, children, compiles, walk
from regelwerk.interpreter.evaluation.scalars import nothing
from regelwerk.interpreter.faults import Fault
from regelwerk.interpreter.layout import Image

if TYPE_CHECKING:
    from regelwerk.interpreter.evaluation.base import Compiler

LARGEST = 120
"""The most nodes of a value that is still put in place of its call."""

UNSET: Any = object()
"""What a hoisted slot holds before it is needed."""

BINDING = (x.Filter, x.Map, x.LetIn)


def bound_slots(node: object) -> set[int]:
    """The slots that an expression itself binds."""
    found: set[int] = set()
    for each in walk(node):
        if isinstance(each, x.Binder):
            found |= {each.slot, each.it_slot}
        elif isinstance(each, BINDING):
            found.add(each.slot)
    return found - {-1}


def free_slots(node: object) -> set[int]:
    """The slots that an expression reads from outside."""
    return {each.slot for each in walk(node) if isinstance(each, x.Local)} - bound_slots(node)


LOOPS = (x.Filter, x.Map, x.Quantified, x.Sorted)

SMALL = 40
"""The most nodes of a value without loops that is put in place of its call wherever it is called."""


def inline(c: Compiler, node: Any, frame: g.Frame, depth: int = 6, only_small: bool = False) -> Any:
    """The expression with calls of values replaced by their bodies, as far as they are small and no rule changes
    them. `only_small`: just those that cost less than a call."""
    if isinstance(node, x.Call) and depth > 0 and _worth_inlining(c, node.symbol, only_small):
        return _inlined(c, node, frame, depth, only_small)
    return rebuilt(node, lambda part: inline(c, part, frame, depth, only_small))


def _worth_inlining(c: Compiler, symbol: g.ValueSymbol, only_small: bool) -> bool:
    if symbol.body is None or symbol.roles or symbol.recursive or symbol in c.pinned:
        return False
    if only_small or c.is_static_value(symbol):
        return is_small(c, symbol)
    return sum(1 for _ in walk(symbol.body)) <= LARGEST


def is_small(c: Compiler, symbol: g.ValueSymbol) -> bool:
    """Whether a value is a few operations without a loop, so that neither a call nor a table of answers pays."""
    known = c.small_values.get(symbol)
    if known is None:
        c.small_values[symbol] = False  # while it is looked at: what calls itself is not small
        few = sum(1 for _ in walk(symbol.body)) <= SMALL and is_few_operations(c, symbol.body)
        known = c.small_values[symbol] = few and not symbol.roles and symbol not in c.pinned
    return known


def is_few_operations(c: Compiler, node: object) -> bool:
    """Whether an expression has no loop, in the values it calls neither."""
    return not any(
        isinstance(each, LOOPS) or (isinstance(each, x.Call) and not is_small(c, each.symbol)) for each in walk(node)
    )


def _inlined(c: Compiler, node: x.Call, frame: g.Frame, depth: int, only_small: bool) -> x.Expr:
    symbol = node.symbol
    assert symbol.body is not None
    renamed: dict[int, Any] = {
        slot: frame.new("inlined", symbol.frame.types[slot]) for slot in bound_slots(symbol.body)
    }
    lets: list[tuple[int, x.Expr]] = []
    nones: list[x.Expr] = []
    for index, (slot, argument) in enumerate(zip(symbol.slots, node.arguments, strict=True)):
        argument = inline(c, argument, frame, depth - 1, only_small)
        if not isinstance(argument, x.Local | x.Const):
            fresh = frame.new("argument", argument.type)
            lets.append((fresh, argument))
            argument = x.Local(argument.type, argument.span, fresh)
        renamed[slot] = argument
        parameter = index - (1 if symbol.takes_me else 0)
        if (
            parameter >= 0
            and isinstance(argument.type, OptionalType)
            and not isinstance(symbol.parameters[parameter][1], OptionalType)
        ):
            nones.append(argument)
    body: x.Expr = inline(c, rename(symbol.body, renamed), frame, depth - 1, only_small)
    kind = strip(node.type)
    empty: Any = (0,) * c.program.unit_count(kind) if isinstance(kind, TallyType) else nothing(node.type)
    for each in nones:
        test = x.Equal(BOOL, node.span, each, x.Const(each.type, node.span, nothing(each.type)))
        body = x.Select(node.type, node.span, test, x.Const(node.type, node.span, empty), body)
    for slot, value in reversed(lets):
        body = x.LetIn(node.type, node.span, slot, value, body)
    return body


def rename(node: Any, slots: dict[int, Any]) -> Any:
    """The expression with slots replaced: by other slots, or (where they are read) by expressions."""
    if isinstance(node, x.Local):
        target = slots.get(node.slot)
        if target is None:
            return node
        return target if isinstance(target, x.Expr) else x.Local(node.type, node.span, target)
    made = rebuilt(node, lambda part: rename(part, slots))
    changes = {}
    for name in ("slot", "it_slot"):
        old = getattr(made, name, None) if isinstance(made, x.Binder | x.Filter | x.Map | x.LetIn) else None
        if old is not None and isinstance(slots.get(old), int):
            changes[name] = slots[old]
    return replace(made, **changes) if changes else made


def rebuilt(node: Any, change: Any) -> Any:
    """The node with `change` applied to the expressions directly inside it."""
    changes = {}
    for name in fields_of(node.__class__):
        old = getattr(node, name)
        new = _changed(old, change)
        if new is not old:
            changes[name] = new
    return replace(node, **changes) if changes else node


def _changed(value: Any, change: Any) -> Any:
    form = _form_of(value.__class__)
    if form is None:
        return value
    if form == "expression":
        return change(value)
    if form == "node":
        return rebuilt(value, change)
    parts = [_changed(each, change) for each in value]
    if all(a is b for a, b in zip(parts, value, strict=True)):
        return value
    return tuple(parts) if form == "tuple" else parts


@cache
def _form_of(kind: type) -> Literal["expression", "node", "list", "tuple"] | None:
    """What a value of a class is, if it may hold expressions."""
    if issubclass(kind, x.Expr | x.Binder):
        return "expression"
    if issubclass(kind, list | tuple):
        return "tuple" if issubclass(kind, tuple) else "list"
    statement = is_dataclass(kind) and kind.__module__.endswith("model.statements")
    return "node" if statement or issubclass(kind, x.Head) else None


CHEAP = (x.Local, x.Const, x.RowConst, x.Active, x.AllPlayers, x.AllThings, x.Bank, x.OptionRead)


class Hoisting:
    """Hoists parts of the conditions of one nest of loops, each to the outermost loop that does not change it.

    A hoisted part is filled when it is first needed; when a loop begins, what hangs on the loops around it (`slots` of
    its number) is unset. What hangs on no loop is unset when the outermost one begins. Parts that say the same are one.
    """

    def __init__(self, c: Compiler, frame: g.Frame, loops: list[int]) -> None:
        """`loops`: the slots of the variables, from the outermost loop on."""
        self.c, self.frame = c, frame
        self.levels = {slot: number for number, slot in enumerate(loops)}
        self.slots: list[list[int]] = [[] for _ in range(len(loops) or 1)]
        self.made: list[tuple[list[int], x.Hoisted]] = []

    def part(self, node: Any, deepest: int, alone: list[int] | None = None) -> Any:
        """The expression, tested in loop `deepest`, with its largest parts that this loop does not change hoisted.
        `alone`: where the slots go if the loop runs before all others."""
        return self._part(node, deepest, self.levels, alone)

    def _part(self, node: Any, deepest: int, levels: dict[int, int], alone: list[int] | None) -> Any:
        if isinstance(node, CHEAP):
            return node
        if isinstance(node, x.Binder):
            return rebuilt(node, lambda each: self._part(each, deepest, levels, alone))
        level = self._level(node, levels)
        if level < deepest and not isinstance(node, x.ZoneRef | x.ConstantRead) and not self.c.is_static(node):
            inner = node
            if level >= 0 and alone is None:
                inside = self._inside(node, level, levels)
                inner = rebuilt(node, lambda each: self._part(each, level, inside, None))
            return self._hoisted(inner, self.slots[level + 1] if alone is None else alone)
        if isinstance(node, x.LetIn):
            within = {**levels, node.slot: self._level(node.value, levels)}
            value = self._part(node.value, deepest, levels, alone)
            return replace(node, value=value, body=self._part(node.body, deepest, within, alone))
        inside = self._inside(node, deepest, levels)
        return rebuilt(node, lambda each: self._part(each, deepest, inside, alone))

    def _hoisted(self, value: x.Expr, place: list[int]) -> x.Hoisted:
        for there, each in self.made:
            if there is place and same_structure(each.value, value):
                return each
        found = x.Hoisted(value.type, value.span, self.frame.new("hoisted", value.type), value)
        place.append(found.slot)
        self.made.append((place, found))
        return found

    def share(self) -> None:
        """Let parts that contain others of the same loop read these. To be called when all parts were hoisted."""
        for place, each in self.made:
            others = [other for there, other in self.made if there is place and other is not each]
            if others:
                each.value = rebuilt(each.value, lambda node, others=others: _with_parts(node, others))

    def level(self, node: object) -> int:
        """The number of the innermost loop that changes an expression, or -1."""
        return self._level(node, self.levels)

    def _level(self, node: object, levels: dict[int, int]) -> int:
        return max((levels.get(slot, -1) for slot in free_slots(node)), default=-1)

    def _inside(self, node: object, deepest: int, levels: dict[int, int]) -> dict[int, int]:
        """The levels inside a node: what it binds changes with every test."""
        bound = bound_slots(node)
        return {**levels, **dict.fromkeys(bound, deepest)} if bound else levels


def _with_parts(node: Any, parts: list[x.Hoisted]) -> Any:
    """The expression with what says the same as a hoisted part replaced by it."""
    if isinstance(node, x.Hoisted):
        return node
    for each in parts:
        if same_structure(node, each.value):
            return each
    return rebuilt(node, lambda inner: _with_parts(inner, parts))


@compiles(x.Hoisted)
def _hoisted(c: Compiler, node: x.Hoisted) -> Closure:
    slot, value = node.slot, c.expr(node.value)

    def hoisted(m: Image, env: Locals) -> Any:
        found = env[slot]
        if found is UNSET:
            found = env[slot] = value(m, env)
        return found

    return hoisted


Mask = Callable[[Image, Locals, Sequence[int]], int]
"""Which of some things pass a test, as a set."""

REMEMBERED = 4096
"""How many answers of one condition are kept."""


@dataclass(frozen=True, eq=False)
class ColumnTest:
    """A test that reads the loop's variable only through one constant column.

    table     the values of the column by thing (0: none)
    key_slot  where `test` finds the value of the column
    inputs    what else it reads: hoisted parts and local variables
    """

    table: list[Any]
    key_slot: int
    test: x.Expr
    inputs: list[x.Expr]


def column_test(c: Compiler, node: x.Expr, slot: int, frame: g.Frame) -> ColumnTest | None:
    """The test as one of a column, or None if it is not of this kind."""
    read = _only_column(node, slot)
    table = c.program.column_table(read.column) if read is not None else None
    if read is None or table is None:
        return None
    key_slot = frame.new("key", read.type)
    replaced = _with_key(node, slot, x.Local(read.type, read.span, key_slot))
    inputs = inputs_of(c, replaced, key_slot)
    return ColumnTest(table, key_slot, replaced, inputs) if inputs is not None else None


def by_column(c: Compiler, node: x.Expr, slot: int, frame: g.Frame) -> Mask | None:
    """A test that depends on the loop's variable only through one constant column, answered for all things at once.

    What else it reads was hoisted or is a local variable: a few values. For the same values the answer is the same in
    every state, so it is remembered (and the work it took, which is charged each time). None if the condition is not of
    this kind.
    """
    found_test = column_test(c, node, slot, frame)
    if found_test is None:
        return None
    table, key_slot = found_test.table, found_test.key_slot
    inputs = [c.expr(each) for each in found_test.inputs]
    test, plain = c.expr(found_test.test), c.expr(node)
    known: dict[tuple[Any, ...], tuple[int, int]] = {}
    things = range(1, len(table))

    def ask_all(m: Image, env: Locals) -> int:
        passed: dict[Any, bool] = {}
        found = 0
        for thing in things:
            key = env[key_slot] = table[thing]
            if key not in passed:
                passed[key] = bool(test(m, env))
            found |= passed[key] << thing
        return found

    def answer(m: Image, env: Locals, values: Sequence[int]) -> int:
        try:
            situation = tuple([each(m, env) for each in inputs])
            if situation in known:
                found, work = known[situation]
                m.work -= work
            else:
                work = m.work
                found = ask_all(m, env)
                if len(known) >= REMEMBERED:
                    known.clear()
                known[situation] = found, work - m.work
            if m.work >= 0:
                return found
        except Fault:
            pass
        # What would not have been asked for one thing at a time may be at fault here: ask for each by itself.
        found = 0
        for thing in values:
            env[slot] = thing
            found |= bool(plain(m, env)) << thing
        return found

    return answer


def _only_column(node: x.Expr, slot: int) -> x.ColumnRead | None:
    """The one column through which a condition reads the thing in `slot`, if there is just one."""
    columns: dict[g.ColumnSymbol, x.ColumnRead] = {}
    stack: list[object] = [node]
    while stack:
        each = stack.pop()
        if isinstance(each, x.Local) and each.slot == slot:
            return None
        column = isinstance(each, x.ColumnRead) and isinstance(each.thing, x.Local) and each.thing.slot == slot
        if column and isinstance(each, x.ColumnRead) and not each.column.roles:
            columns[each.column] = each
        else:
            stack.extend(children(each))
    return next(iter(columns.values())) if len(columns) == 1 else None


def inputs_of(c: Compiler, node: x.Expr, key_slot: int, calls: bool = False) -> list[x.Expr] | None:
    """What a condition reads besides its key: hoisted parts and local variables; None if it reads the state itself.
    `calls`: it may call values that read no state."""
    found: dict[int, x.Expr] = {}
    bound = bound_slots(node) | {key_slot}
    stack: list[object] = [node]
    while stack:
        each = stack.pop()
        if isinstance(each, x.Hoisted):
            found[each.slot] = each
            continue
        if calls and isinstance(each, x.Call) and c.is_static_value(each.symbol):
            stack.extend(children(each))
            continue
        if dynamic(each) or (isinstance(each, x.Call | x.ConstantRead | x.OptionRead) and not c.is_static(each)):
            return None
        if isinstance(each, x.Local) and each.slot not in bound:
            found[each.slot] = each
        stack.extend(children(each))
    return [found[slot] for slot in sorted(found)]


def _with_key(node: Any, slot: int, key: x.Local) -> Any:
    if isinstance(node, x.ColumnRead) and isinstance(node.thing, x.Local) and node.thing.slot == slot:
        return key
    return rebuilt(node, lambda part: _with_key(part, slot, key))
