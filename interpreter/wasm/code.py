"""Writing functions: operands, local variables, and structured control.

An operand is the code that leaves one number on the stack. It may be used once; what is used again is kept in a local
variable first (`Function.keep`). Operands of constants are folded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache

from regelwerk.interpreter.wasm.binary import I32, I64, Module, signed, unsigned

_BINARY = {
    "add": (0x6A, 0x7C),
    "sub": (0x6B, 0x7D),
    "mul": (0x6C, 0x7E),
    "div_s": (0x6D, 0x7F),
    "div_u": (0x6E, 0x80),
    "rem_s": (0x6F, 0x81),
    "rem_u": (0x70, 0x82),
    "and": (0x71, 0x83),
    "or": (0x72, 0x84),
    "xor": (0x73, 0x85),
    "shl": (0x74, 0x86),
    "shr_s": (0x75, 0x87),
    "shr_u": (0x76, 0x88),
}
_COMPARE = {
    "eq": (0x46, 0x51),
    "ne": (0x47, 0x52),
    "lt_s": (0x48, 0x53),
    "lt_u": (0x49, 0x54),
    "gt_s": (0x4A, 0x55),
    "gt_u": (0x4B, 0x56),
    "le_s": (0x4C, 0x57),
    "le_u": (0x4D, 0x58),
    "ge_s": (0x4E, 0x59),
    "ge_u": (0x4F, 0x5A),
}
_UNARY = {"eqz": (0x45, 0x50), "clz": (0x67, 0x79), "ctz": (0x68, 0x7A), "popcnt": (0x69, 0x7B)}


def wrapped(value: int, kind: int) -> int:
    """A number as the signed one of 32 or 64 bits."""
    bits = 32 if kind == I32 else 64
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


_FOLD: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "eq": lambda a, b: int(a == b),
    "ne": lambda a, b: int(a != b),
    "lt_s": lambda a, b: int(a < b),
    "gt_s": lambda a, b: int(a > b),
    "le_s": lambda a, b: int(a <= b),
    "ge_s": lambda a, b: int(a >= b),
}


@dataclass(frozen=True, slots=True)
class Value:
    """An operand: the code that pushes a number of a kind; `const` if it is known, `local` if it is a variable."""

    kind: int
    code: bytes
    const: int | None = None
    local: int | None = None

    def _two(self, word: str, other: Value | int, kind: int | None = None) -> Value:
        right = other if isinstance(other, Value) else const(other, self.kind)
        compare = word in _COMPARE
        if self.const is not None and right.const is not None and word in _FOLD:
            value = _FOLD[word](self.const, right.const)
            return const(value, I32 if compare else self.kind)
        if right.const == 0 and word in ("add", "sub", "or", "xor", "shl", "shr_u", "shr_s"):
            return self._apart()
        if self.const == 0 and word in ("add", "or"):
            return right._apart()
        opcode = (_COMPARE if compare else _BINARY)[word][self.kind == I64]
        return Value(I32 if compare else self.kind, self.code + right.code + bytes((opcode,)))

    def _apart(self) -> Value:
        """The same number as the result of a calculation: it is not the variable, which may change."""
        return self if self.local is None else Value(self.kind, self.code)

    def __add__(self, other: Value | int) -> Value:
        return self._two("add", other)

    def __sub__(self, other: Value | int) -> Value:
        return self._two("sub", other)

    def __mul__(self, other: Value | int) -> Value:
        right = other.const if isinstance(other, Value) else other
        if right is not None and right > 1 and right & (right - 1) == 0 and self.const is None:
            return self._two("shl", right.bit_length() - 1)
        return self._apart() if right == 1 else self._two("mul", other)

    def __and__(self, other: Value | int) -> Value:
        return self._two("and", other)

    def __or__(self, other: Value | int) -> Value:
        return self._two("or", other)

    def __xor__(self, other: Value | int) -> Value:
        return self._two("xor", other)

    def __lshift__(self, other: Value | int) -> Value:
        return self._two("shl", other)

    def __rshift__(self, other: Value | int) -> Value:
        return self._two("shr_u", other)

    def __lt__(self, other: Value | int) -> Value:
        return self._two("lt_s", other)

    def __le__(self, other: Value | int) -> Value:
        return self._two("le_s", other)

    def __gt__(self, other: Value | int) -> Value:
        return self._two("gt_s", other)

    def __ge__(self, other: Value | int) -> Value:
        return self._two("ge_s", other)

    def eq(self, other: Value | int) -> Value:
        """Whether they are equal."""
        right = other.const if isinstance(other, Value) else other
        return self.eqz() if right == 0 and self.const is None else self._two("eq", other)

    def ne(self, other: Value | int) -> Value:
        """Whether they differ."""
        return self._two("ne", other)

    def two(self, word: str, other: Value | int) -> Value:
        """An operation by its name."""
        return self._two(word, other)

    def one(self, word: str) -> Value:
        """A one-place operation by its name; `eqz` gives 32 bits."""
        kind = I32 if word == "eqz" else self.kind
        return Value(kind, self.code + bytes((_UNARY[word][self.kind == I64],)))

    def eqz(self) -> Value:
        """Whether it is 0."""
        return const(int(self.const == 0)) if self.const is not None else self.one("eqz")

    def narrow(self) -> Value:
        """The low 32 bits."""
        if self.const is not None:
            return const(wrapped(self.const, I32))
        return Value(I32, self.code + b"\xa7")

    def widen(self) -> Value:
        """A number from 0 on as one of 64 bits."""
        if self.const is not None:
            return const(self.const & 0xFFFFFFFF, I64)
        return Value(I64, self.code + b"\xad")

    def widen_signed(self) -> Value:
        """A signed number as one of 64 bits."""
        return const(self.const, I64) if self.const is not None else Value(I64, self.code + b"\xac")


@lru_cache(4096)
def const(value: int, kind: int = I32) -> Value:
    """A constant."""
    value = wrapped(value, kind)
    return Value(kind, (b"\x41" if kind == I32 else b"\x42") + signed(value), value)


def choose(condition: Value, yes: Value, no: Value) -> Value:
    """One of two operands; both are computed."""
    if condition.const is not None:
        return yes if condition.const else no
    return Value(yes.kind, yes.code + no.code + condition.code + b"\x1b")


_LOADS = {
    (8, False): (0x2D, 0),
    (8, True): (0x2C, 0),
    (16, False): (0x2F, 1),
    (16, True): (0x2E, 1),
    (32, False): (0x28, 2),
    (32, True): (0x28, 2),
}
_STORES = {8: (0x3A, 0), 16: (0x3B, 1), 32: (0x36, 2)}


def load(address: Value, offset: int = 0, width: int = 32, sign: bool = False) -> Value:
    """The number at an address, as one of 32 bits."""
    opcode, align = _LOADS[width, sign]
    return Value(I32, address.code + bytes((opcode, align)) + unsigned(offset))


def load64(address: Value, offset: int = 0) -> Value:
    """The 64 bits at an address."""
    return Value(I64, address.code + b"\x29\x00" + unsigned(offset))


def load32u(address: Value, offset: int = 0) -> Value:
    """The 32 bits at an address, as a number of 64 bits from 0 on."""
    return Value(I64, address.code + b"\x35\x00" + unsigned(offset))


LANES = {8: 16, 16: 8}
"""How many numbers of a width are compared at once."""
_LANES = {8: (b"\xfd\x0f", b"\xfd\x23", b"\xfd\x64"), 16: (b"\xfd\x10", b"\xfd\x2d", b"\xfd\x84\x01")}


def lanes_equal(address: Value, offset: int, width: int, wanted: Value) -> Value:
    """Which of `LANES` numbers at an address are a certain one, bit by bit."""
    splat, equal, bits = _LANES[width]
    return Value(I32, address.code + b"\xfd\x00\x00" + unsigned(offset) + wanted.code + splat + equal + bits)


SMALL = 128
"""So many bytes are copied or filled word by word."""


@dataclass(frozen=True, slots=True)
class Label:
    """A block that can be left, or a loop that can be gone on with."""

    depth: int


class Function:
    """One function being written."""

    def __init__(self, module: Module, title: str, parameters: Sequence[int] = (), results: Sequence[int] = ()) -> None:
        self.module = module
        self.parameters, self.results = tuple(parameters), tuple(results)
        self.locals: list[int] = []
        self.body = bytearray()
        self.depth = 0
        self.index = len(module.functions)
        self.frame_bytes = 0
        self.base: Value | None = None
        module.functions.append((module.signature(parameters, results), b""))
        module.names.append(title)

    # ------------------------------------------------------------------------------------------------------ variables
    def parameter(self, number: int) -> Value:
        """A parameter, which is a variable, too."""
        return Value(self.parameters[number], b"\x20" + unsigned(number), None, number)

    def variable(self, kind: int = I32, start: Value | int | None = None) -> Value:
        """A new variable; 0 if it has no start."""
        number = len(self.parameters) + len(self.locals)
        self.locals.append(kind)
        made = Value(kind, b"\x20" + unsigned(number), None, number)
        if start is not None:
            self.set(made, start)
        return made

    def keep(self, value: Value) -> Value:
        """The operand itself if it can be used again as it is, or a variable that holds it."""
        if value.const is not None or value.local is not None:
            return value
        return self.variable(value.kind, value)

    def copied(self, value: Value) -> Value:
        """A variable of its own that holds a number."""
        return self.variable(value.kind, value)

    def set(self, variable: Value, value: Value | int) -> None:
        """Give a variable a value."""
        assert variable.local is not None
        found = value if isinstance(value, Value) else const(value, variable.kind)
        if found.local == variable.local:
            return
        self.body += found.code + b"\x21" + unsigned(variable.local)

    def increase(self, variable: Value, by: Value | int = 1) -> None:
        """Add to a variable."""
        self.set(variable, variable + by)

    # --------------------------------------------------------------------------------------------------------- memory
    def store(self, address: Value, value: Value | int, offset: int = 0, width: int = 32) -> None:
        """Store the low bits of a number."""
        found = value if isinstance(value, Value) else const(value)
        opcode, align = _STORES[width]
        self.body += address.code + found.code + bytes((opcode, align)) + unsigned(offset)

    def store64(self, address: Value, value: Value, offset: int = 0) -> None:
        """Store 64 bits."""
        self.body += address.code + value.code + b"\x37\x00" + unsigned(offset)

    def store_low(self, address: Value, value: Value, offset: int = 0) -> None:
        """Store the low 32 bits of a number of 64."""
        self.body += address.code + value.code + b"\x3e\x00" + unsigned(offset)

    def copy(self, target: Value, source: Value, count: Value | int) -> None:
        """Copy bytes; few of them word by word, which is faster than a call of the run-time system."""
        size = count if isinstance(count, Value) else const(count)
        if size.const is not None and size.const <= SMALL and size.const % 4 == 0:
            if size.const:
                here, there = self.keep(target), self.keep(source)
                # all is read before anything is written: the bytes may overlap
                if size.const > 8:
                    parts = [self.copied(load64(there, k)) for k in range(0, size.const - 4, 8)]
                else:
                    parts = [load64(there)] if size.const == 8 else []
                rest = self.copied(load(there, size.const - 4)) if size.const % 8 else None
                for k, part in enumerate(parts):
                    self.store64(here, part, 8 * k)
                if rest is not None:
                    self.store(here, rest, size.const - 4)
            return
        self.body += target.code + source.code + size.code + b"\xfc\x0a\x00\x00"

    def fill(self, target: Value, count: Value | int, byte: int = 0) -> None:
        """Fill bytes; few zeros word by word."""
        size = count if isinstance(count, Value) else const(count)
        if byte == 0 and size.const is not None and size.const <= SMALL and size.const % 4 == 0:
            here = self.keep(target)
            for k in range(0, size.const - 7, 8):
                self.store64(here, const(0, I64), k)
            if size.const % 8:
                self.store(here, 0, size.const - 4)
            return
        self.body += target.code + const(byte).code + size.code + b"\xfc\x0b\x00"

    def room(self, size: int) -> Value:
        """The address of some bytes that belong to this call."""
        if self.base is None:
            self.base = self.variable()
        place = self.frame_bytes
        self.frame_bytes += -(-size // 8) * 8
        return self.base + place

    # -------------------------------------------------------------------------------------------------------- control
    @contextmanager
    def block(self) -> Iterator[Label]:
        """A block: a branch to it leaves it."""
        self.body += b"\x02\x40"
        self.depth += 1
        yield Label(self.depth)
        self.depth -= 1
        self.body += b"\x0b"

    def close(self) -> None:
        """End the innermost block by hand."""
        self.depth -= 1
        self.body += b"\x0b"

    @contextmanager
    def loop(self) -> Iterator[Label]:
        """A loop: a branch to it begins it anew; it ends when its end is reached."""
        self.body += b"\x03\x40"
        self.depth += 1
        yield Label(self.depth)
        self.depth -= 1
        self.body += b"\x0b"

    @contextmanager
    def when(self, condition: Value) -> Iterator[Label]:
        """Only if a condition holds; a branch to the label goes on behind."""
        self.body += condition.code + b"\x04\x40"
        self.depth += 1
        yield Label(self.depth)
        self.depth -= 1
        self.body += b"\x0b"

    def otherwise(self) -> None:
        """Inside `when`: what follows is done if the condition does not hold."""
        self.body += b"\x05"

    @contextmanager
    def while_(self, condition: Callable[[], Value]) -> Iterator[tuple[Label, Label]]:
        """As long as a condition holds: the labels are those of going on with the next pass, and of leaving."""
        with self.block() as leave, self.loop() as again:
            self.leave_if(leave, condition().eqz())
            with self.block() as following:
                yield following, leave
            self.leave(again)

    @contextmanager
    def counting(self, start: Value | int, end: Value | int) -> Iterator[Value]:
        """A variable from `start` up to before `end`."""
        limit = self.keep(end) if isinstance(end, Value) else const(end)
        index = self.copied(start if isinstance(start, Value) else const(start))
        with self.while_(lambda: index < limit):
            yield index
            self.increase(index)

    def leave(self, label: Label) -> None:
        """Branch."""
        self.body += b"\x0c" + unsigned(self.depth - label.depth)

    def leave_if(self, label: Label, condition: Value) -> None:
        """Branch if a condition holds."""
        if condition.const is not None:
            if condition.const:
                self.leave(label)
            return
        self.body += condition.code + b"\x0d" + unsigned(self.depth - label.depth)

    def jump_table(self, labels: Sequence[Label], index: Value) -> None:
        """Branch to one of the labels by number; the last one is for every other number."""
        found = [unsigned(self.depth - label.depth) for label in labels]
        self.body += index.code + b"\x0e" + unsigned(len(found) - 1) + b"".join(found)

    def give(self, *values: Value) -> None:
        """Return."""
        self.body += b"".join(each.code for each in values) + b"\x0c" + unsigned(self.depth)

    def call(self, target: Function, *values: Value) -> list[Value]:
        """Call a function; its results are kept in variables."""
        assert len(values) == len(target.parameters), (self.module.names[self.index], self.module.names[target.index])
        self.body += b"".join(each.code for each in values) + b"\x10" + unsigned(target.index)
        found = [self.variable(kind) for kind in target.results]
        for each in reversed(found):
            assert each.local is not None
            self.body += b"\x21" + unsigned(each.local)
        return found

    def call_table(self, number: Value, parameters: Sequence[int], results: Sequence[int], *values: Value) -> Value:
        """Call a function of the table by its number; gives its one result."""
        kind = self.module.signature(parameters, results)
        self.body += b"".join(each.code for each in values) + number.code + b"\x11" + unsigned(kind) + b"\x00"
        found = self.variable(results[0])
        assert found.local is not None
        self.body += b"\x21" + unsigned(found.local)
        return found

    def trap(self) -> None:
        """End everything."""
        self.body += b"\x00"

    def global_(self, number: int) -> Value:
        """A global variable."""
        return Value(self.module.globals[number][0], b"\x23" + unsigned(number))

    def set_global(self, number: int, value: Value | int) -> None:
        """Give a global variable a value."""
        found = value if isinstance(value, Value) else const(value, self.module.globals[number][0])
        self.body += found.code + b"\x24" + unsigned(number)

    def finish(self, stack: int, stack_end: int, fault: int, too_deep: int) -> None:
        """Put the function into its module.

        stack               the global that says where the bytes of calls begin, and where they must end
        fault, too_deep     the global for the number of a fault, and that of having no room
        """
        inside = bytes(self.body)
        results = b"\x40" if not self.results else unsigned(self.module.signature((), self.results))
        if len(self.results) == 1:
            results = bytes((self.results[0],))
        before = after = b""
        if self.base is not None:
            assert self.base.local is not None
            here, pointer = unsigned(self.base.local), unsigned(stack)
            before = b"\x23" + pointer + b"\x22" + here + const(self.frame_bytes).code + b"\x6a\x24" + pointer
            before += b"\x23" + pointer + const(stack_end).code + b"\x4b\x04\x40"  # beyond it: a fault
            before += const(too_deep).code + b"\x24" + unsigned(fault) + b"\x00\x0b"
            after = b"\x20" + here + b"\x24" + pointer
        # every path gives its results by a branch to this block, so that there is one way out
        code = before + b"\x02" + results + inside + (b"\x00" if self.results else b"") + b"\x0b" + after + b"\x0b"
        runs: list[list[int]] = []
        for kind in self.locals:
            if runs and runs[-1][1] == kind:
                runs[-1][0] += 1
            else:
                runs.append([1, kind])
        head = unsigned(len(runs)) + b"".join(unsigned(count) + bytes((kind,)) for count, kind in runs)
        self.module.functions[self.index] = (self.module.functions[self.index][0], head + code)
