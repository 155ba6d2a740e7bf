"""The tables of values that read no state and have few arguments: each fills itself, and is looked into where the value
is asked for; only what is not known yet is a call."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import IntType, OptionalType, Type, strip
from regelwerk.interpreter.evaluation.inlining import is_small
from regelwerk.interpreter.wasm.code import Function, Value, const, load, load64
from regelwerk.interpreter.wasm.emitter import Emitter
from regelwerk.interpreter.wasm.shapes import Operand, Words
from regelwerk.interpreter.wasm.unit import Unit

ANSWERS = 1 << 17
"""The most answers of a table that fills itself."""


def parameter_types(symbol: g.ValueSymbol) -> list[Type]:
    """The types of the arguments, `me` first if the value takes it."""
    return [symbol.frame.types[slot] for slot in symbol.slots]


@dataclass(frozen=True)
class Answers:
    """The table of one value.

    kinds    the types of the arguments
    ranges   each argument from the least to the greatest
    words    how many words of 64 bits an answer takes, or 0 for a number
    known    the address of a byte for each answer that says whether it is known
    answers  the address of the answers
    """

    kinds: tuple[Type, ...]
    ranges: tuple[tuple[int, int], ...]
    words: int
    known: int
    answers: int

    @property
    def _size(self) -> int:
        return 8 * self.words if self.words else 4

    def look_up(self, e: Emitter, arguments: list[Operand], find: Function) -> Operand:
        """The answer for some arguments. `find` is the function that finds it."""
        f = e.f
        found = [f.variable(kind) for kind in find.results]
        given = [each for each in arguments if isinstance(each, Value)]
        with f.block() as done:
            place, inside = self._place(f, given)
            with f.when(inside), f.when(load(place, self.known, 8)):
                address = f.keep(place * self._size + self.answers)
                for k, variable in enumerate(found):
                    f.set(variable, load64(address, 8 * k) if self.words else load(address))
                f.leave(done)
            for variable, value in zip(found, f.call(find, e.state, *given), strict=True):
                f.set(variable, value)
        return Words(tuple(found)) if self.words else found[0]

    def keep(self, f: Function, arguments: list[Value], answer: list[Value]) -> None:
        """Note an answer, which is in variables."""
        place, inside = self._place(f, arguments)
        with f.when(inside):
            f.store(place, 1, self.known, 8)
            address = f.keep(place * self._size + self.answers)
            for k, value in enumerate(answer):
                if self.words:
                    f.store64(address, value, 8 * k)
                else:
                    f.store(address, value)

    def _place(self, f: Function, arguments: list[Value]) -> tuple[Value, Value]:
        """The number of an answer, and whether it has one: numbers may lie outside the type of a parameter."""
        index: Value = const(0)
        inside: Value = const(1)
        for argument, kind, (low, high) in zip(arguments, self.kinds, self.ranges, strict=True):
            number = f.keep(argument - low)
            index = index * (high - low + 1) + number
            if isinstance(strip(kind), IntType):
                test = number.two("le_u", high - low)
                inside = test if inside.const == 1 else inside & test
        return f.keep(index), inside


def answers_of(unit: Unit, symbol: g.ValueSymbol) -> Answers | None:
    """The table of a value, if it can have one."""
    if symbol not in unit.answers:
        unit.answers[symbol] = _made(unit, symbol)
    return unit.answers[symbol]


def _made(unit: Unit, symbol: g.ValueSymbol) -> Answers | None:
    if symbol.recursive or not symbol.parameters or symbol.takes_me:
        return None
    if is_small(unit.c, symbol) or not unit.c.is_static_value(symbol):
        return None
    assert symbol.type is not None
    form = unit.shapes.form(symbol.type)
    if form == "ref":
        return None
    ranges = []
    for kind in parameter_types(symbol):
        if unit.shapes.form(kind) != "scalar" or (isinstance(kind, OptionalType) and isinstance(strip(kind), IntType)):
            return None
        ranges.append((unit.shapes.lowest(kind), unit.shapes.highest(kind)))
    total = prod(high - low + 1 for low, high in ranges)
    if total > ANSWERS:
        return None
    words = unit.shapes.set_words(symbol.type) if form == "set" else 0
    return Answers(
        tuple(parameter_types(symbol)),
        tuple(ranges),
        words,
        unit.reserve(total),
        unit.reserve(total * (8 * words if words else 4)),
    )
