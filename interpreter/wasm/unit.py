"""One module being made: its memory, its constant tables, its functions and the places where it can be at fault."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from regelwerk.dsl.source import Span
from regelwerk.interpreter.faults import FaultCode
from regelwerk.interpreter.layout import Region
from regelwerk.interpreter.wasm.binary import I32, I64, PAGE, Module
from regelwerk.interpreter.wasm.code import Function, Value, const, load
from regelwerk.interpreter.wasm.shapes import Shapes

if TYPE_CHECKING:
    from regelwerk.dsl.model import game as g
    from regelwerk.interpreter.program import Program
    from regelwerk.interpreter.wasm.answers import Answers

STACK, FAULT, WORK, BUDGET, COUNT, ENDED, CURRENT, PLAYED, WANTED, STREAM, EACH, FREE, NEXT, LISTED = range(14)
"""The global variables: where the bytes of the next call begin, the number of the fault that happened, the work and
the statements that are left, how many options are listed, the end that was reached, the state of a batch that is
stepped; how many decisions are still made by random players without stopping, and how many are to be when something is
run next, the stream from which they draw (and how far those of the seats are apart, or 0), and how many of their
decisions had an alternative; where the next entry of the list of options goes; how often options were listed (64
bits)."""

ARGUMENTS = 16
"""Where a fault leaves up to three numbers that its message speaks of."""
ZEROS = 64
"""A stretch of zeros: the empty list, no record, no goods."""
ZERO_BYTES = 8192
STACK_BYTES = 2 << 20
"""The room for what calls keep in memory."""
STACK_MARGIN = 1 << 18
"""Of it, what loops over many tuples leave for the calls in their bodies."""
TOO_DEEP = "values call each other too deeply"

Message = str | Callable[[list[int]], str]


@dataclass(frozen=True)
class FaultSite:
    """A place where something can go wrong. `message`: a text, or what makes one of the numbers it speaks of."""

    code: FaultCode
    message: Message
    span: Span | None


class Unit:
    """What all parts of the compiler share."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.c = program.compiler
        self.shapes = Shapes(program)
        self.module = Module()
        self.module.globals = [(I32, 0)] * 13 + [(I64, 0)]
        self.stack = ZEROS + ZERO_BYTES
        self.cursor = self.stack_end = self.stack + STACK_BYTES
        self.tables: dict[tuple[int, bytes], int] = {}
        self.faults: list[FaultSite] = [FaultSite("range", "no fault", None)]
        self._fault_numbers: dict[FaultSite, int] = {}
        self.functions: dict[object, Function] = {}
        self.queue: list[Callable[[], None]] = []
        self.volatiles: list[tuple[int, int]] = []
        self.places: dict[object, int] = {}
        self.fills: list[Function] = []
        self.answers: dict[g.ValueSymbol, Answers | None] = {}
        self.memory_arguments = 0
        self.zeros = ZEROS

    # --------------------------------------------------------------------------------------------------------- memory
    def reserve(self, size: int, align: int = 8) -> int:
        """The address of new bytes, all zero."""
        self.cursor = -(-self.cursor // align) * align
        place = self.cursor
        self.cursor += size
        return place

    def volatile(self, size: int) -> int:
        """The address of new bytes that are zeroed whenever something is run: a trap may leave anything there."""
        place = self.reserve(size)
        self.volatiles.append((place, size))
        return place

    def bytes_at(self, data: bytes, align: int = 8) -> int:
        """The address of constant bytes."""
        key = (align, data)
        if key not in self.tables:
            place = self.reserve(len(data), align)
            self.module.data.append((place, data))
            self.tables[key] = place
        return self.tables[key]

    def table(self, values: Sequence[int]) -> tuple[int, int, bool]:
        """The address, width and sign of a constant table."""
        low, high = min(values, default=0), max(values, default=0)
        width = (
            8 if low >= -128 and high <= (127 if low < 0 else 255) else 16 if low >= -32768 and high <= 32767 else 32
        )
        kind = {8: "b" if low < 0 else "B", 16: "h", 32: "I"}[width]
        numbers = values if width < 32 else [value & 0xFFFFFFFF for value in values]
        return self.bytes_at(array(kind, numbers).tobytes(), 4), width, low < 0

    def look_up(self, values: Sequence[int], index: Value) -> Value:
        """A member of a constant table."""
        if index.const is not None and 0 <= index.const < len(values):
            return const(values[index.const])
        if len(set(values)) == 1:
            return const(values[0])
        if list(values) == list(range(len(values))):
            return index
        place, width, sign = self.table(values)
        return load(index * (width // 8), place, width, sign)

    # ---------------------------------------------------------------------------------------------------------- image
    def read(self, state: Value, region: Region, index: Value | int) -> Value:
        """A cell of the image."""
        size = region.width // 8
        if isinstance(index, int):
            return load(state, (region.offset + index) * size, region.width, region.width == 16)
        return load(state + index * size, region.offset * size, region.width, region.width == 16)

    def write(self, f: Function, state: Value, region: Region, index: Value | int, value: Value | int) -> None:
        """Write a cell of the image."""
        size = region.width // 8
        if isinstance(index, int):
            f.store(state, value, (region.offset + index) * size, region.width)
        else:
            f.store(state + index * size, value, region.offset * size, region.width)

    # ------------------------------------------------------------------------------------------------------ functions
    def function(
        self,
        key: object,
        title: str,
        parameters: Sequence[int],
        results: Sequence[int],
        write: Callable[[Function], None],
        last: bool = False,
    ) -> Function:
        """The function of that key; `write` writes its body later, when it is first asked for, or (`last`) when all
        others are written."""
        known = self.functions.get(key)
        if known is None:
            made = known = self.functions[key] = Function(self.module, title, parameters, results)

            def finish() -> None:
                write(made)
                made.finish(STACK, self.stack_end, FAULT, self.fault_number(FaultSite("depth", TOO_DEEP, None)))

            if last:
                self.queue.insert(0, finish)
            else:
                self.queue.append(finish)
        return known

    def drain(self) -> None:
        """Write all functions that were asked for."""
        while self.queue:
            self.queue.pop()()

    # --------------------------------------------------------------------------------------------------------- faults
    def fault(self, f: Function, code: FaultCode, message: Message, span: Span | None, *numbers: Value) -> None:
        """Stop: something is wrong."""
        for k, number in enumerate(numbers):
            f.store(const(ARGUMENTS + 4 * k), number)
        f.set_global(FAULT, self.fault_number(FaultSite(code, message, span)))
        f.trap()

    def fault_number(self, site: FaultSite) -> int:
        """The number of a place where something can go wrong."""
        place = self._fault_numbers.setdefault(site, len(self.faults))
        if place == len(self.faults):
            self.faults.append(site)
        return place

    def spend(self, f: Function, work: Value | int, span: Span | None) -> None:
        """Charge passes of loops inside conditions."""
        f.set_global(WORK, f.global_(WORK) - work)
        with f.when(f.global_(WORK) < 0):
            self.fault(f, "budget", "there are too many combinations to look at", span)

    def tick(self, f: Function, span: Span | None, message: str) -> None:
        """Charge one statement."""
        f.set_global(BUDGET, f.global_(BUDGET) - 1)
        with f.when(f.global_(BUDGET) < 0):
            self.fault(f, "budget", message, span)

    def pages(self, size: int) -> int:
        """How many pages some bytes take."""
        return -(-size // PAGE)
