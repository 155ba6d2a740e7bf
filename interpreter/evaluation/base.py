"""The compiler's context, and the dispatch from typed expressions to closures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from regelwerk.dsl.checker.coercion import NONE_NUMBER
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import OptionalType, PlayerType, ThingType, strip
from regelwerk.dsl.model.walking import children, dynamic, walk
from regelwerk.interpreter.layout import WORK, Image, Region

if TYPE_CHECKING:
    from regelwerk.interpreter.program import Program

Value = Any
"""A run-time value: an int, or a tuple for lists and tallies."""

Locals = list[Any]
Closure = Callable[[Image, Locals], Any]


def bits(mask: int) -> Iterator[int]:
    """The members of a set, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def members(mask: int) -> list[int]:
    """The members of a set as a list, ascending."""
    if not mask & (mask - 1):
        return [mask.bit_length() - 1] if mask else []
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def mask_of(items: Any) -> int:
    """The set of the items; none (0) is left out."""
    mask = 0
    for item in items:
        mask |= 1 << item
    return mask & ~1


def reader(region: Region) -> Callable[[Image, int], int]:
    """A function that reads cell `index` of a region."""
    base = region.offset
    if region.width == 8:
        return lambda m, index: m.b[base + index]
    if region.width == 16:
        return lambda m, index: m.h[base + index]
    return lambda m, index: m.w[base + index]


def writer(region: Region) -> Callable[[Image, int, int], None]:
    """A function that writes cell `index` of a region; the value must be in its range."""
    base = region.offset
    if region.width == 8:

        def write8(m: Image, index: int, value: int) -> None:
            m.b[base + index] = value

        return write8
    if region.width == 16:

        def write16(m: Image, index: int, value: int) -> None:
            m.h[base + index] = value

        return write16

    def write32(m: Image, index: int, value: int) -> None:
        m.w[base + index] = value

    return write32


def slots_read(node: object) -> set[int]:
    """The slots of local variables that an expression reads (including those it binds itself)."""
    return {each.slot for each in walk(node) if isinstance(each, x.Local)}


def conjuncts(node: x.Expr) -> list[x.Expr]:
    """The parts of a condition joined by `and`."""
    if isinstance(node, x.Both):
        return conjuncts(node.left) + conjuncts(node.right)
    return [node]


@dataclass
class Compiled:
    """A value (or another pure body) ready to be called: slots for its arguments, and its closure."""

    slots: list[int]
    size: int
    body: Closure | None = None


def may_be_nobody(node: x.Expr) -> bool:
    """Whether a player can be none: by its type, or because it may be `me` where nobody acts."""
    return isinstance(node.type, OptionalType) or (isinstance(node, x.Local) and isinstance(node.type, PlayerType))


class Compiler:
    """Compiles expressions for one program; modules of this package register what they can compile."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.values: dict[g.ValueSymbol, Compiled] = {}
        self.constants: dict[g.ConstantSymbol, Value] = {}
        self.pinned: set[g.ValueSymbol] = set()
        self.small_values: dict[g.ValueSymbol, bool] = {}

    def expr(self, node: x.Expr) -> Closure:
        """The closure of an expression; constants are folded."""
        handler = EXPRESSIONS.get(type(node))
        if handler is None:
            raise NotImplementedError(type(node).__name__)
        if self.is_static(node) and not isinstance(node, x.Const | x.Probe):
            EMPTY.work = WORK
            value = handler(self, node)(EMPTY, [0] * 256)
            return lambda m, env: value
        return handler(self, node)

    def holder(self, node: x.Expr) -> Closure:
        """The number of a holder of goods: 0 for the bank, and -1 for nobody."""
        if isinstance(node, x.Bank):
            return lambda m, env: 0
        found = self.expr(node)
        kind = strip(node.type)
        base = self.program.holders.base.get(kind.symbol, 0) if isinstance(kind, ThingType) else 0
        if base or may_be_nobody(node):
            return lambda m, env: base + k if (k := found(m, env)) else -1
        return found

    def static(self, node: x.Expr) -> Value:
        """The value of an expression that reads no state."""
        EMPTY.work = WORK
        return self.expr(node)(EMPTY, [0] * 256)

    def is_static(self, node: x.Expr) -> bool:
        """Whether an expression reads neither state nor locals from outside."""
        bound: set[int] = set()
        read: set[int] = set()
        stack: list[object] = [node]
        while stack:
            each = stack.pop()
            if isinstance(each, x.ConstantRead):  # who asks does not matter where no rule changes it
                if each.symbol.roles or not self.is_static_constant(each.symbol):
                    return False
                continue
            stack.extend(children(each))
            if isinstance(each, x.Local):
                read.add(each.slot)
            elif isinstance(each, x.Binder):
                bound |= {each.slot, each.it_slot}
            elif isinstance(each, x.Filter | x.Map | x.LetIn):
                bound.add(each.slot)
            elif dynamic(each):
                return False
            elif isinstance(each, x.OptionRead):
                if each.symbol not in self.program.fixed_options:
                    return False
            elif isinstance(each, x.ColumnRead):
                if each.column.roles or not self.is_static_column(each.column):
                    return False
            elif isinstance(each, x.Call) and not self.is_static_value(each.symbol):
                return False
        return read <= bound

    def is_static_constant(self, symbol: g.ConstantSymbol) -> bool:
        """Whether a constant is known when the game begins."""
        return symbol.value is not None and self.is_static(symbol.value)

    def is_static_column(self, column: g.ColumnSymbol) -> bool:
        """Whether all cells of a column are known when the game begins."""
        return self.program.column_table(column) is not None

    def is_static_value(self, symbol: g.ValueSymbol) -> bool:
        """Whether a value reads no state."""
        values = self.program.static_values
        known = values.get(symbol)
        if known is None:
            before = len(values)
            values[symbol] = symbol.recursive  # what calls only itself reads nothing by that
            known = (
                symbol not in self.pinned
                and not symbol.roles
                and symbol.body is not None
                and not reads_state(self, symbol.body)
            )
            if symbol.recursive and not known:
                for each in list(values)[before:]:  # found in the belief that this one reads nothing
                    del values[each]
            values[symbol] = known
        return known


def reads_state(compiler: Compiler, node: x.Expr | x.Head) -> bool:
    """Whether an expression reads the state."""
    for each in walk(node):
        if dynamic(each):
            return True
        if isinstance(each, x.OptionRead) and each.symbol not in compiler.program.fixed_options:
            return True
        if isinstance(each, x.ConstantRead) and (each.symbol.roles or not compiler.is_static_constant(each.symbol)):
            return True
        if isinstance(each, x.ColumnRead) and (each.column.roles or not compiler.is_static_column(each.column)):
            return True
        if isinstance(each, x.Call) and not compiler.is_static_value(each.symbol):
            return True
    return False


EMPTY = Image(bytearray(4096))
"""Stands for the state where there is none."""

EXPRESSIONS: dict[type, Callable[[Compiler, Any], Closure]] = {}


def compiles(kind: type) -> Callable[[Callable[[Compiler, Any], Closure]], Callable[[Compiler, Any], Closure]]:
    """Registers the function that compiles a kind of expression."""

    def register(function: Callable[[Compiler, Any], Closure]) -> Callable[[Compiler, Any], Closure]:
        EXPRESSIONS[kind] = function
        return function

    return register


__all__ = [
    "NONE_NUMBER",
    "Closure",
    "Compiled",
    "Compiler",
    "Locals",
    "Value",
    "bits",
    "children",
    "compiles",
    "conjuncts",
    "mask_of",
    "members",
    "reader",
    "walk",
    "writer",
]
