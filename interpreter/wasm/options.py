"""The list of the options of a decision, and random players who choose from it.

Each entry is a record of fixed size in a buffer: the way, then its values word by word as they lie in frames. The
chosen record has a place of its own.

A host, who looks at options, is given an entry for each. Random players only need to know how many there are, and the
one they draw: for them an entry can stand for several options that differ in the last value, or for all of an action.
They decide where a decision comes up, and what runs does not stop (`playing`).
"""

from __future__ import annotations

from regelwerk.dsl.model.types import Type
from regelwerk.interpreter import layout as la
from regelwerk.interpreter.decisions import OPTION_LIMIT
from regelwerk.interpreter.evaluation.statements import BUDGET as MOST_STATEMENTS
from regelwerk.interpreter.wasm.binary import I32, I64
from regelwerk.interpreter.wasm.chance import GOLDEN, below_function, mixed, surely_below
from regelwerk.interpreter.wasm.code import Function, Value, const, load, load64
from regelwerk.interpreter.wasm.collections import nth_bit
from regelwerk.interpreter.wasm.emitter import Emitter
from regelwerk.interpreter.wasm.shapes import Operand, Ref
from regelwerk.interpreter.wasm.unit import BUDGET, COUNT, EACH, ENTRIES, FREE, PLAYED, STREAM, Unit

HEAD = 16
"""The bytes that say of an entry of the list which options it stands for: how many come before it, and, if it is
several, which values the last of its words takes (a set of 64 bits) and where this word lies. Instead of that place: -1
less the number of a function in the table, if the options are counted and not listed; it makes one of them the chosen
one."""


class OptionList:
    """The list.

    width   how many bytes a record takes
    buffer  where the records begin
    chosen  where the chosen record is
    """

    def __init__(self, unit: Unit, width: int) -> None:
        self.unit, self.width = unit, width
        self.buffer = unit.reserve(OPTION_LIMIT * width, 16)
        self.heads = unit.reserve(OPTION_LIMIT * HEAD, 16)
        self.chosen = unit.reserve(width, 16)
        self.drawn = unit.reserve(8)

    def add(self, e: Emitter, way: Value | int, values: list[tuple[Operand, Type]]) -> None:
        """Put an option behind the others."""
        self._add(e, way, values, None)

    def add_several(self, e: Emitter, way: Value | int, values: list[tuple[Operand, Type]], last: Value) -> None:
        """Put options behind the others that differ in their last value, a scalar, only: the members of a set. Only
        random players, who need not look at each, can choose from such a list."""
        self._add(e, way, values, last)

    def _add(self, e: Emitter, way: Value | int, values: list[tuple[Operand, Type]], last: Value | None) -> None:
        f = e.f
        count, entries = f.keep(f.global_(COUNT)), f.keep(f.global_(ENTRIES))
        with f.when(count < OPTION_LIMIT):
            place = f.keep(entries * self.width + self.buffer)
            f.store(place, way)
            self._head(f, entries, count, const(self._write(e, place, values)), const(0, I64) if last is None else last)
        f.set_global(COUNT, count + (1 if last is None else last.one("popcnt").narrow()))

    def add_unlisted(self, e: Emitter, way: Value, player: Value, number: Value, function: int) -> None:
        """Put options behind the others of which only the number is known; random players list them when they take
        one. `function`: the number in the table of what makes one of them the chosen one, given the state, the player,
        the way and its number."""
        f = e.f
        count, entries = f.keep(f.global_(COUNT)), f.keep(f.global_(ENTRIES))
        with f.when(number.ne(0) & (count < OPTION_LIMIT)):
            place = f.keep(entries * self.width + self.buffer)
            f.store(place, way)
            f.store(place, player, 4)
            self._head(f, entries, count, const(-1 - function), const(0, I64))
        f.set_global(COUNT, count + number)

    def _head(self, f: Function, entries: Value, count: Value, what: Value, last: Value) -> None:
        head = f.keep(entries * HEAD + self.heads)
        f.store64(head, count.widen() | (what.widen() << const(32, I64)))
        f.store64(head, last, 8)
        f.set_global(ENTRIES, entries + 1)

    def _write(self, e: Emitter, place: Value, values: list[tuple[Operand, Type]]) -> int:
        """Write values into the record at a place, behind the way; gives where they end in it."""
        offset = 4
        for operand, kind in values:
            room = 4 * self.unit.shapes.room(kind)
            if isinstance(operand, Ref):
                e.f.fill(place + offset, room)
            e.store(place + offset, operand, kind)
            offset += room
        return offset

    def write_chosen(self, e: Emitter, values: list[tuple[Operand, Type]]) -> None:
        """Write the values of the chosen record."""
        self._write(e, const(self.chosen), values)

    def take(self, f: Function, record: Value) -> None:
        """Make a record of an option the chosen one."""
        if self.width > 128:
            f.copy(const(self.chosen), record, self.width)
            return
        for offset in range(0, self.width - 4, 8):
            f.store64(const(self.chosen), load64(record, offset), offset)
        if self.width % 8:
            f.store(const(self.chosen), load(record, self.width - 4), self.width - 4)

    def draw_ahead(self, f: Function, actor: Value) -> None:
        """Draw what a random player needs before options are listed: the processor does it beside that. The stream
        stays as it is."""
        stream = f.global_(STREAM) + actor * f.global_(EACH)
        f.store64(const(self.drawn), mixed(f, f.keep(load64(stream) + const(GOLDEN, I64))))

    def random_player(self) -> Function:
        """A random player makes the decision whose options are listed, and nothing stops: parameters are the state and
        who decides. The chosen record is put in its place. Of one option nothing is drawn."""

        def write(f: Function) -> None:
            state, actor = f.parameter(0), f.parameter(1)
            f.set_global(PLAYED, f.global_(PLAYED) - 1)
            f.store(state, la.RUNNING, 4 * la.STATUS)
            f.store(state, 0, 4 * la.ACTOR)
            f.store(state, load(state, 4 * la.DECISIONS) + 1, 4 * la.DECISIONS)
            f.set_global(BUDGET, MOST_STATEMENTS)
            count, index = f.keep(f.global_(COUNT)), f.copied(const(0))
            with f.when(count > 1):
                f.set_global(FREE, f.global_(FREE) + 1)
                stream = f.keep(f.global_(STREAM) + actor * f.global_(EACH))
                high = f.keep(load(const(self.drawn), 4))
                with f.when(surely_below(high, count)):
                    f.store64(stream, load64(stream) + const(GOLDEN, I64))
                    f.set(index, high.two("rem_u", count))
                    f.otherwise()
                    f.set(index, f.call(below_function(self.unit), stream, count)[0])
            self._take_number(f, state, index)

        return self.unit.function("random player", "a random player decides", (I32, I32), (), write)

    def _take_number(self, f: Function, state: Value, index: Value) -> None:
        """Make the option of a number the chosen one."""
        entry = f.copied(f.global_(ENTRIES) - 1)
        with f.when(entry + 1 < f.global_(COUNT)):
            with f.while_(lambda: load(entry * HEAD, self.heads) > index):
                f.increase(entry, -1)
            f.otherwise()
            f.set(entry, index)
        record, head = f.keep(entry * self.width + self.buffer), f.keep(entry * HEAD + self.heads)
        what = f.keep(load(head, 4))
        with f.when(what < 0):
            given = (state, load(record, 4), load(record), index - load(head))
            f.call_table(const(-1) - what, (I32,) * 4, (I32,), *given)
            f.give()
        self.take(f, record)
        last = f.copied(load64(head, 8))
        with f.when(last.ne(0)):
            f.store(what + self.chosen, nth_bit(self.unit, f, last, f.keep(index - load(head))))
