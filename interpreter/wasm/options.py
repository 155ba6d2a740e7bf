"""The list of the options of a decision, and random players who choose from it.

Each entry is a record of fixed size in a buffer: the way, then its values word by word as they lie in frames. The
chosen record has a place of its own.

A host, who looks at options, is given an entry for each. Random players only need to know how many there are, and the
one they draw: for them an entry can stand for several options that differ in the last value, or for all of an action.
They decide where a decision comes up, and what runs does not stop (`playing`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from regelwerk.dsl.model.types import Type
from regelwerk.interpreter import layout as la
from regelwerk.interpreter.decisions import OPTION_LIMIT
from regelwerk.interpreter.evaluation.statements import BUDGET as MOST_STATEMENTS
from regelwerk.interpreter.wasm.binary import I32, I64
from regelwerk.interpreter.wasm.chance import GOLDEN, below_function, mixed, surely_below
from regelwerk.interpreter.wasm.code import Function, Value, choose, const, load, load64
from regelwerk.interpreter.wasm.emitter import Emitter
from regelwerk.interpreter.wasm.shapes import Operand, Ref
from regelwerk.interpreter.wasm.unit import BUDGET, COUNT, EACH, FREE, NEXT, PLAYED, STREAM, Unit

HEAD = 16
"""The bytes before a record in the list for random players, which say which options it stands for: how many come before
it, and, if it is several, which values the last of its words takes (a set of 64 bits) and where this word lies. Instead
of that place: -1 less the number of a function in the table, if the options are counted and not listed; it makes one of
them the chosen one."""


@dataclass(frozen=True)
class Cursor:
    """The end of the list: how many options there are and where the next entry goes (variables), and whether a random
    player will choose."""

    count: Value
    place: Value
    played: Value


class OptionList:
    """The list.

    width   how many bytes a record takes
    buffer  where the records begin that a host is given, one behind the other
    chosen  where the chosen record is
    """

    def __init__(self, unit: Unit, width: int) -> None:
        self.unit, self.width = unit, width
        self.buffer = unit.reserve(OPTION_LIMIT * width, 16)
        self.entries = unit.reserve(OPTION_LIMIT * (HEAD + width), 64)
        self.chosen = unit.reserve(width, 16)
        self.drawn = unit.reserve(8)
        self._cursors: dict[Function, Cursor] = {}

    def begin(self, f: Function) -> None:
        """The list is empty."""
        f.set_global(COUNT, 0)
        f.set_global(NEXT, choose(f.global_(PLAYED), const(self.entries), const(self.buffer)))

    @contextmanager
    def listing(self, f: Function, played: bool | None = None) -> Iterator[None]:
        """What lists many options keeps the end of the list in variables while this lasts. `played`: it is written for
        a random player only, or for a host only."""
        end = self._end(f)
        self._cursors[f] = end if played is None else replace(end, played=const(int(played)))
        yield
        del self._cursors[f]
        self._note(f, end)

    def add(self, e: Emitter, way: Value | int, values: list[tuple[Operand, Type]]) -> None:
        """Put an option behind the others."""
        f, end = e.f, self._cursors.get(e.f) or self._end(e.f)
        with f.when(end.count < OPTION_LIMIT):
            if end.played.const is None:
                with f.when(end.played):
                    self._head(f, end, 0, const(0, I64))
                    f.increase(end.place, HEAD)
                self._record(e, end, 0, way, values)
            elif end.played.const:
                self._head(f, end, 0, const(0, I64))
                self._record(e, end, HEAD, way, values)
            else:
                self._record(e, end, 0, way, values)
        f.increase(end.count)
        self._done(f, end)

    def add_several(self, e: Emitter, way: Value | int, values: list[tuple[Operand, Type]], last: Value) -> None:
        """Put options behind the others that differ in their last value, a scalar, only: the members of a set. Only a
        random player, who need not look at each, can choose from such a list."""
        f, end = e.f, self._cursors[e.f]
        with f.when(end.count < OPTION_LIMIT):
            self._head(f, end, 4 + sum(4 * self.unit.shapes.room(kind) for _, kind in values), last)
            self._record(e, end, HEAD, way, values)
        f.increase(end.count, last.one("popcnt").narrow())

    def add_unlisted(self, e: Emitter, way: Value, player: Value, number: Value, function: int) -> None:
        """Put options behind the others of which only the number is known; a random player lists them when he takes
        one. `function`: the number in the table of what makes one of them the chosen one, given the state, the player,
        the way and its number."""
        f, end = e.f, self._cursors[e.f]
        with f.when(number.ne(0) & (end.count < OPTION_LIMIT)):
            self._head(f, end, -1 - function, const(0, I64))
            f.store(end.place, player, HEAD + 4)
            self._record(e, end, HEAD, way, [])
        f.increase(end.count, number)

    def _end(self, f: Function) -> Cursor:
        return Cursor(f.copied(f.global_(COUNT)), f.copied(f.global_(NEXT)), f.keep(f.global_(PLAYED)))

    def _done(self, f: Function, end: Cursor) -> None:
        if f not in self._cursors:
            self._note(f, end)

    @staticmethod
    def _note(f: Function, end: Cursor) -> None:
        f.set_global(COUNT, end.count)
        f.set_global(NEXT, end.place)

    @staticmethod
    def _head(f: Function, end: Cursor, what: int, last: Value) -> None:
        f.store(end.place, end.count)
        f.store(end.place, what, 4)
        f.store64(end.place, last, 8)

    def _record(
        self, e: Emitter, end: Cursor, before: int, way: Value | int, values: list[tuple[Operand, Type]]
    ) -> None:
        """Write a record so many bytes behind the end of the list; this is behind the record then."""
        e.f.store(end.place, way, before)
        self._write(e, end.place, before, values)
        e.f.increase(end.place, before + self.width)

    def _write(self, e: Emitter, place: Value, before: int, values: list[tuple[Operand, Type]]) -> None:
        """Write values into the record that lies so many bytes behind a place."""
        offset = before + 4
        for operand, kind in values:
            room = 4 * self.unit.shapes.room(kind)
            if isinstance(operand, Ref):
                e.f.fill(place + offset, room)
            e.store(place, operand, kind, offset)
            offset += room

    def write_chosen(self, e: Emitter, values: list[tuple[Operand, Type]]) -> None:
        """Write the values of the chosen record."""
        self._write(e, const(self.chosen), 0, values)

    def take(self, f: Function, place: Value, before: int = 0) -> None:
        """Make the record of an option, which lies so many bytes behind a place, the chosen one."""
        if self.width > 128:
            f.copy(const(self.chosen), place + before, self.width)
            return
        for offset in range(0, self.width - 4, 8):
            f.store64(const(self.chosen), load64(place, before + offset), offset)
        if self.width % 8:
            f.store(const(self.chosen), load(place, before + self.width - 4), self.width - 4)

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
        size = HEAD + self.width
        entry = f.copied(f.global_(NEXT) - size)
        with f.when(entry - self.entries < f.global_(COUNT) * size - size):
            with f.while_(lambda: load(entry) > index):
                f.increase(entry, -size)
            f.otherwise()
            f.set(entry, index * size + self.entries)
        what = f.keep(load(entry, 4))
        with f.when(what < 0):
            given = (state, load(entry, HEAD + 4), load(entry, HEAD), index - load(entry))
            f.call_table(const(-1) - what, (I32,) * 4, (I32,), *given)
            f.give()
        self.take(f, entry, HEAD)
        last = f.copied(load64(entry, 8))
        with f.when(last.ne(0)):
            f.store(what + self.chosen, nth_bit(self.unit, f, last, f.keep(index - load(entry))))


def nth_bit(unit: Unit, f: Function, word: Value, number: Value) -> Value:
    """The member of a set of one word, before which there are `number` others; both are variables."""
    found = f.variable()
    with f.when(number < 8):
        # so many of the least members are left out, without a branch
        left = word
        for bit in (4, 2, 1):
            fewer = left
            for _ in range(bit):
                fewer = f.keep(fewer & (fewer - 1))
            left = f.keep(choose((number & bit).ne(0), fewer, left))
        f.set(found, left.one("ctz").narrow())
        f.otherwise()
        f.set(found, _nth_of_many(unit, f, word, number))
    return found


def _nth_of_many(unit: Unit, f: Function, word: Value, number: Value) -> Value:
    """The same in a number of steps that is always the same (Vigna, "Broadword implementation of rank/select queries",
    2008)."""
    every = const(0x0101010101010101, I64)
    pairs = f.keep(word - ((word >> 1) & const(0x5555555555555555, I64)))
    fours = f.keep((pairs & const(0x3333333333333333, I64)) + ((pairs >> 2) & const(0x3333333333333333, I64)))
    # of each byte how many members there are up to its end, and whether these are not enough
    sums = f.keep(((fours + (fours >> 4)) & const(0x0F0F0F0F0F0F0F0F, I64)) * every)
    high = const(-0x7F7F7F7F7F7F7F80, I64)
    short = (((number.widen() * every) | high) - sums) & high
    shift = f.keep(short.one("popcnt") << 3)
    before = (sums << 8) >> shift
    byte = ((word >> shift) & 0xFF).narrow()
    rank = f.keep(number - (before & 0xFF).narrow())
    table = unit.bytes_at(bytes(_nth_of_byte(byte, rank) for rank in range(8) for byte in range(256)))
    return load((rank << 8) + byte, table, 8) + shift.narrow()


def _nth_of_byte(byte: int, rank: int) -> int:
    places = [k for k in range(8) if byte >> k & 1]
    return places[rank] if rank < len(places) else 0
