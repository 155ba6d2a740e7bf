"""The body of a function with the local variables of the rules, and the dispatch from typed expressions to operands.

Other modules of this package register how they write a kind of expression (`writes`) or statement (`does`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import IntType, ListType, OptionalType, RecordType, SetType, TallyType, Type, strip
from regelwerk.interpreter.evaluation.base import NONE_NUMBER, may_be_nobody
from regelwerk.interpreter.evaluation.scalars import nothing
from regelwerk.interpreter.wasm.binary import I32, I64
from regelwerk.interpreter.wasm.code import Function, Value, choose, const, load, load32u, load64
from regelwerk.interpreter.wasm.shapes import Operand, Ref, Unsupported, Words
from regelwerk.interpreter.wasm.unit import ZERO_BYTES, ZEROS, Unit

EXPRESSIONS: dict[type, Callable[[Emitter, Any], Operand]] = {}
STATEMENTS: dict[type, Callable[[Emitter, Any], None]] = {}
Handler = TypeVar("Handler", bound=Callable[..., Any])


def writes(kind: type) -> Callable[[Handler], Handler]:
    """Registers the function that writes a kind of expression."""

    def register(function: Handler) -> Handler:
        EXPRESSIONS[kind] = function
        return function

    return register


def does(kind: type) -> Callable[[Handler], Handler]:
    """Registers the function that writes a kind of statement or operation."""

    def register(function: Handler) -> Handler:
        STATEMENTS[kind] = function
        return function

    return register


class Emitter:
    """Writes one body. `frame` says the types of its local variables; `on_end` what happens when the game ends in the
    middle of it; `listing` that it lists options, so that nothing changes while it runs, and that whoever is `me` is
    somebody. `nonempty` are the slots of sets that have a member, `somebody` those of players who are
    members of something. `picking` counts the loops over picks around what is written."""

    def __init__(self, unit: Unit, f: Function, state: Value, frame: g.Frame) -> None:
        self.unit, self.f, self.state = unit, f, state
        self.frame = g.Frame(list(frame.types), list(frame.names))
        self.c, self.program, self.shapes = unit.c, unit.program, unit.shapes
        self.slots: dict[int, Operand] = {}
        self.hoisted: dict[int, Value] = {}
        self.on_end: Callable[[], None] | None = None
        self.listing = False
        self.picking = 0
        self.nonempty: set[int] = set()
        self.somebody: set[int] = set()
        self.held: dict[g.RowSymbol, Value] = {}

    def within(self, frame: g.Frame) -> Emitter:
        """An emitter for another body that is written in the same place."""
        found = Emitter(self.unit, self.f, self.state, frame)
        found.listing, found.held = self.listing, self.held
        return found

    def may_be_nobody(self, node: x.Expr) -> bool:
        """Whether a player can be none here."""
        local = node.slot if isinstance(node, x.Local) and not isinstance(node.type, OptionalType) else -1
        return may_be_nobody(node) and local not in self.somebody and not (local == 0 and self.listing)

    # ------------------------------------------------------------------------------------------------------ variables
    def slot(self, number: int, kind: Type | None = None) -> Operand:
        """The variables of a local name (made when it is first asked for)."""
        found = self.slots.get(number)
        if found is None:
            found = self.slots[number] = self.place(kind if kind is not None else self.frame.types[number])
        return found

    def place(self, kind: Type) -> Operand:
        """New variables for a value."""
        form = self.shapes.form(kind)
        if form == "set":
            return Words(tuple(self.f.variable(I64) for _ in range(self.shapes.set_words(kind))))
        if form == "ref":
            return Ref(self.f.room(4 * self.shapes.room(kind)), strip(kind))
        return self.f.variable()

    def bind(self, number: int, operand: Operand) -> None:
        """A local name gets a value."""
        self.assign(self.slot(number), operand)

    def assign(self, target: Operand, source: Operand) -> None:
        """Variables get a value."""
        if isinstance(target, Value):
            assert isinstance(source, Value), source
            self.f.set(target, source)
        elif isinstance(target, Words):
            parts = self.exactly(source, len(target.parts))
            kept = [self.f.keep(each) for each in parts] if len(parts) > 1 else list(parts)
            for variable, part in zip(target.parts, kept, strict=True):
                self.f.set(variable, part)
        else:
            self.store(target.address, source, target.kind)

    def keep(self, operand: Operand) -> Operand:
        """The operand, so that it can be used again."""
        if isinstance(operand, Value):
            return self.f.keep(operand)
        if isinstance(operand, Words):
            return Words(tuple(self.f.keep(each) for each in operand.parts))
        return Ref(self.f.keep(operand.address), operand.kind)

    def fitted(self, source: Operand, count: int) -> tuple[Value, ...]:
        """The words of a set, as many as are wanted; what others hold does not matter."""
        assert isinstance(source, Words), source
        parts = source.parts[:count]
        return parts + (const(0, I64),) * (count - len(parts))

    def exactly(self, source: Operand, count: int) -> tuple[Value, ...]:
        """The words of a set where it gets a type that has so many: nothing may be lost by that."""
        assert isinstance(source, Words), source
        if any(part.const != 0 for part in source.parts[count:]):
            raise Unsupported("a set whose members may lie outside its type")
        return self.fitted(source, count)

    # --------------------------------------------------------------------------------------------------------- memory
    def store(self, address: Value, source: Operand, kind: Type, offset: int = 0) -> None:
        """Put a value into memory, so many bytes behind an address."""
        f, shapes, plain = self.f, self.shapes, strip(kind)
        if isinstance(source, Value):
            f.store(address, source, offset)
        elif isinstance(source, Words):
            here = f.keep(address)
            count = shapes.half_words(kind)
            parts = [f.keep(each) for each in self.exactly(source, (count + 1) // 2)]
            for k, part in enumerate(parts):
                if 2 * k + 1 < count:
                    f.store64(here, part, offset + 8 * k)
                else:
                    f.store_low(here, part, offset + 8 * k)
        elif isinstance(plain, ListType):
            here, there = f.keep(address + offset), f.keep(source.address)
            length = f.keep(load(there))
            stride, bound = shapes.room(plain.member), shapes.bound(plain)
            with f.when(length > bound):
                self.unit.fault(f, "range", f"a list is longer than the {bound} places it has", None)
            f.copy(here, there, length * (4 * stride) + 4)
        else:
            f.copy(address + offset, source.address, 4 * shapes.room(plain))

    def fetch(self, address: Value, kind: Type) -> Operand:
        """A value that lies in memory; of lists, tallies and records only the address."""
        form = self.shapes.form(kind)
        if form == "scalar":
            return load(address)
        if form == "ref":
            return Ref(address, strip(kind))
        here, count = self.f.keep(address), self.shapes.half_words(kind)
        parts = [load64(here, 8 * k) if 2 * k + 1 < count else load32u(here, 8 * k) for k in range((count + 1) // 2)]
        return Words(tuple(parts))

    def empty(self, kind: Type) -> Operand:
        """None, or nothing."""
        form = self.shapes.form(kind)
        if form == "ref":
            if 4 * self.shapes.room(kind) > ZERO_BYTES and isinstance(strip(kind), RecordType | TallyType):
                raise Unsupported("a very large record")
            return Ref(const(ZEROS), strip(kind))
        if form == "set":
            return Words((const(0, I64),) * self.shapes.set_words(kind))
        return const(nothing(kind))

    def constant(self, value: Any, kind: Type) -> Operand:
        """A value that is known."""
        form, plain = self.shapes.form(kind), strip(kind)
        if form == "scalar":
            return const(int(value))
        if form == "set":
            return Words(tuple(const(int(value) >> 64 * k, I64) for k in range(self.shapes.set_words(kind))))
        words = b"".join((each & 0xFFFFFFFF).to_bytes(4, "little") for each in self.words_of(value, plain))
        return Ref(const(self.unit.bytes_at(words)), plain)

    def words_of(self, value: Any, kind: Type, full: bool = False) -> list[int]:
        """The words of a known value as they lie in memory (`full`: with the room that is not used)."""
        plain = strip(kind)
        if isinstance(plain, SetType):
            return [int(value) >> 32 * k & 0xFFFFFFFF for k in range(self.shapes.half_words(plain))]
        if isinstance(plain, TallyType):
            return list(value) if value else [0] * self.shapes.room(plain)
        found: list[int] = []
        if isinstance(plain, ListType):
            found.append(len(value))
            for each in value:
                found += self.words_of(each, plain.member, True)
        elif isinstance(plain, RecordType):
            found.append(1 if value else 0)
            for (_, each), part in zip(plain.symbol.fields, value or (), strict=False):
                found += self.words_of(part, each, True)
            full = True
        else:
            return [int(value)]
        return found + [0] * (self.shapes.room(plain) - len(found)) if full else found

    # ---------------------------------------------------------------------------------------------------- expressions
    def any(self, node: x.Expr) -> Operand:
        """The operand of an expression."""
        if not isinstance(node, x.Const | x.Local) and self.c.is_static(node):
            return self.constant(self.c.static(node), node.type)
        handler = EXPRESSIONS.get(type(node))
        if handler is None:
            raise Unsupported(type(node).__name__)
        return handler(self, node)

    def widened(self, node: x.Expr, kind: Type, tested: bool = False) -> Operand:
        """The operand of an expression where a value of a type is wanted: a set with as many words (or more, if it will
        be `tested` whether it has members that lie outside the type), and none in its form."""
        found = self.any(node)
        form = self.shapes.form(kind)
        if isinstance(found, Words) and form == "set":
            count = self.shapes.set_words(kind)
            return Words(self.exactly(found, max(count, len(found.parts)) if tested else count))
        if isinstance(found, Value) and form != "scalar":
            if form == "set" and found.const is not None:
                return self.constant(found.const, kind)
            return self.empty(kind)  # none is the only scalar that stands for a record
        return found

    def value(self, node: x.Expr) -> Value:
        """The operand of an expression whose value is a scalar."""
        found = self.any(node)
        assert isinstance(found, Value), (type(node).__name__, found, node.type)
        return found

    def known(self, node: x.Expr) -> Value:
        """The same, to be used several times."""
        return self.f.keep(self.value(node))

    def words(self, node: x.Expr) -> Words:
        """The operand of an expression whose value is a set."""
        found = self.any(node)
        assert isinstance(found, Words), (type(node).__name__, node.type)
        return found

    def ref(self, node: x.Expr) -> Ref:
        """The operand of an expression whose value is a list, tally or record; its address can be used again."""
        found = self.any(node)
        assert isinstance(found, Ref), (type(node).__name__, node.type)
        return Ref(self.f.keep(found.address), found.kind)

    def apart(self, write: Callable[[], Value]) -> Value:
        """An operand with all that is done for it, so that it is done only where the operand is used."""
        f, outer = self.f, self.f.body
        f.body = bytearray()
        try:
            found = write()
            return Value(found.kind, bytes(f.body) + found.code, found.const if not f.body else None)
        finally:
            f.body = outer

    @contextmanager
    def collected(self) -> Iterator[bytearray]:
        """What is written inside goes to a buffer of its own."""
        outer, buffer = self.f.body, bytearray()
        self.f.body = buffer
        yield buffer
        self.f.body = outer

    def either(self, condition: Value, yes: Callable[[], Operand], no: Callable[[], Operand], kind: Type) -> Operand:
        """One of two operands; only the one that is wanted is computed."""
        if condition.const is not None:
            return yes() if condition.const else no()
        f = self.f
        if self.shapes.form(kind) == "scalar":
            first, second = self.apart(lambda: _value(yes())), self.apart(lambda: _value(no()))
            if all(each.const is not None or each.local is not None for each in (first, second)):
                return choose(condition, first, second)
            if first.const == 1 and second.const == 0:
                return condition
            code = condition.code + b"\x04\x7f" + first.code + b"\x05" + second.code + b"\x0b"
            return Value(I32, code)
        target = self.place(kind) if self.shapes.form(kind) == "set" else None
        if target is None:
            pointer = f.variable()
            with f.when(condition):
                f.set(pointer, _ref(yes()).address)
                f.otherwise()
                f.set(pointer, _ref(no()).address)
            return Ref(pointer, strip(kind))
        with f.when(condition):
            self.assign(target, yes())
            f.otherwise()
            self.assign(target, no())
        return target

    def is_none(self, operand: Operand, kind: Type) -> Value:
        """Whether a value is none (of sets and lists: empty)."""
        if isinstance(operand, Value):
            return operand.eq(NONE_NUMBER) if isinstance(strip(kind), IntType) else operand.eqz()
        if isinstance(operand, Words):
            return _any_bit(operand).eqz()
        return load(operand.address).eqz()

    def same(self, left: Operand, right: Operand, kind: Type) -> Value:
        """Whether two values of one type are equal."""
        f = self.f
        if isinstance(left, Value):
            assert isinstance(right, Value)
            return left.eq(right)
        if isinstance(left, Words):
            assert isinstance(right, Words)
            count = max(len(left.parts), len(right.parts))
            a, b = self.fitted(left, count), self.fitted(right, count)
            if count == 1:
                return a[0].eq(b[0])
            differ = a[0] ^ b[0]
            for one, two in zip(a[1:], b[1:], strict=True):
                differ = differ | (one ^ two)
            return differ.eqz()
        assert isinstance(right, Ref)
        first, second = f.keep(left.address), f.keep(right.address)
        plain = strip(left.kind)
        if isinstance(plain, ListType):
            size = load(first) * self.shapes.room(plain.member) + 1
        elif isinstance(plain, RecordType):
            # none has no fields, whatever lies behind it
            size = choose(load(first).ne(0), const(self.shapes.room(plain)), const(1))
        else:
            size = const(self.shapes.room(plain))
        equal = f.variable(I32, 1)
        with f.counting(0, f.keep(size)) as k, f.when(load(first + k * 4).ne(load(second + k * 4))):
            f.set(equal, 0)
        return equal


def _any_bit(words: Words) -> Value:
    found = words.parts[0]
    for each in words.parts[1:]:
        found = found | each
    return found


def _value(operand: Operand) -> Value:
    assert isinstance(operand, Value), operand
    return operand


def _ref(operand: Operand) -> Ref:
    assert isinstance(operand, Ref), operand
    return operand


any_bit = _any_bit
