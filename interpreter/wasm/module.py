"""The whole module of a program: its functions, and what hosts can call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from regelwerk.dsl.model import game as g
from regelwerk.interpreter import layout as la
from regelwerk.interpreter.evaluation.statements import BUDGET as MOST_STATEMENTS
from regelwerk.interpreter.layout import WORK as MOST_WORK
from regelwerk.interpreter.outcomes import rank_of
from regelwerk.interpreter.wasm import (  # noqa: F401 - each registers what it writes
    actions,
    amounts,
    collections,
    control,
    expressions,
    heads,
    moving,
    operations,
    storing,
    tallies,
)
from regelwerk.interpreter.wasm.batches import write_batches
from regelwerk.interpreter.wasm.binary import I32
from regelwerk.interpreter.wasm.code import Function, Value, choose, const, load
from regelwerk.interpreter.wasm.emitter import Emitter
from regelwerk.interpreter.wasm.playing import write_playing
from regelwerk.interpreter.wasm.procs import RETURNED, SUSPENDED, ProcWriter
from regelwerk.interpreter.wasm.sites import Sites
from regelwerk.interpreter.wasm.unit import (
    BUDGET,
    COUNT,
    CURRENT,
    ENDED,
    FAULT,
    PLAYED,
    STACK,
    WANTED,
    WORK,
    FaultSite,
    Unit,
)
from regelwerk.interpreter.wasm.values import score_line

if TYPE_CHECKING:
    from regelwerk.interpreter.program import Program

DEEPEST_FRAMES = 512
"""How many bodies can run inside each other."""


@dataclass(frozen=True)
class Compiled:
    """A module, and what the host must know of it.

    options   where the records of options begin, `width` bytes each, and where an answer is put
    arguments where the arguments of a proc are put
    streams   the streams of random players, 8 bytes for each seat (0 is not used)
    violated  for each invariant how many decisions had been made when it was first violated, or -1
    arena     the first byte that belongs to the host
    """

    binary: bytes
    faults: list[FaultSite]
    options: int
    width: int
    chosen: int
    arguments: int
    streams: int
    violated: int
    arena: int


def compile_program(program: Program) -> Compiled:
    """Compile all bodies of a program."""
    unit = Unit(program)
    sites = Sites(unit)
    procs = program.lowering.procs
    room = max(sum(unit.shapes.room(proc.frame.types[slot]) for slot in [0, *proc.slots]) for proc in procs)
    unit.memory_arguments = unit.reserve(4 * room)
    sites.procs = [ProcWriter(unit, sites, proc) for proc in procs]
    machine = Machine(unit, sites)
    machine.write()
    unit.drain()
    unit.module.globals[STACK] = (I32, unit.stack)
    unit.module.table = [each.index for each in (*(writer.function for writer in sites.procs), *sites.callable)]
    arena = -(-unit.cursor // 65536) * 65536
    unit.module.pages = unit.pages(arena) + 1
    exported = [("memory", 2, 0), ("fault", 3, FAULT), ("current", 3, CURRENT), ("stack", 3, STACK)]
    exported += [(name, 0, function.index) for name, function in machine.exports.items()]
    unit.module.exports = exported
    return Compiled(
        binary=unit.module.encode(),
        faults=unit.faults,
        options=sites.options.buffer,
        width=sites.options.width,
        chosen=sites.chosen,
        arguments=unit.memory_arguments,
        streams=machine.streams,
        violated=machine.violated,
        arena=arena,
    )


class Machine:
    """What hosts call: it runs procs until somebody has to decide."""

    def __init__(self, unit: Unit, sites: Sites) -> None:
        self.unit, self.sites, self.program = unit, sites, unit.program
        self.exports: dict[str, Function] = {}
        self.places = unit.reserve(4 * DEEPEST_FRAMES)
        self.sizes = [writer.size for writer in sites.procs]
        self.streams = unit.reserve(8 * (unit.program.players + 1))
        self.ready = unit.reserve(8)
        self.violated = unit.reserve(4 * max(1, len(unit.program.invariants)))

    def write(self) -> None:
        """Write all that is exported."""
        unit = self.unit
        self.exports["begin"] = unit.function("begin", "begin", (I32, I32), (I32,), self._begin)
        self.exports["go_on"] = unit.function("go on", "go on", (I32, I32), (I32,), self._go_on)

        write_playing(self)
        write_batches(self)

    def _reset(self, f: Function) -> None:
        """What is run begins. Tables that are filled as a whole are filled before that, once."""
        with f.when(load(const(self.ready)).eqz()):
            f.call(self.unit.function("prepare", "prepare", (), (), self._prepare, last=True))
        f.set_global(BUDGET, MOST_STATEMENTS)
        f.set_global(WORK, MOST_WORK)
        f.set_global(COUNT, 0)
        f.set_global(ENDED, 0)
        f.set_global(PLAYED, f.global_(WANTED))
        f.set_global(WANTED, 0)
        for place, size in self.unit.volatiles:
            f.fill(const(place), size)

    def _prepare(self, f: Function) -> None:
        for each in self.unit.fills:
            f.call(each)
        f.store(const(self.ready), 1)
        f.give()

    def _begin(self, f: Function) -> None:
        """Run a proc (by its number; its arguments lie in their place) from a state in which nothing runs; gives how
        many options there are."""
        state, number = f.parameter(0), f.parameter(1)
        self._reset(f)
        f.store(state, la.RUNNING, 4 * la.STATUS)
        frame = f.keep(state + 4 * self.program.layout.frame_offset)
        status = f.call_table(number, (I32, I32, I32), (I32,), state, frame, const(0))
        f.store(const(self.places), frame)
        f.give(f.call(self._settled(), state, status, number, const(0))[0])

    def _go_on(self, f: Function) -> None:
        """Go on where the innermost body waits: list its options again (`ASK`), or take the chosen answer
        (`ANSWER`)."""
        from regelwerk.interpreter.wasm.procs import ANSWER

        state, how = f.parameter(0), f.parameter(1)
        self._reset(f)
        place = f.copied(state + 4 * self.program.layout.frame_offset)
        count = f.keep(load(state, 4 * la.FRAMES))
        with f.counting(0, count) as k:
            f.store(const(self.places) + k * 4, place)
            f.set(place, place + self.unit.look_up(self.sizes, load(place)))
        with f.when(how.eq(ANSWER)):
            f.store(state, la.RUNNING, 4 * la.STATUS)
            f.store(state, 0, 4 * la.ACTOR)
            f.store(state, load(state, 4 * la.DECISIONS) + 1, 4 * la.DECISIONS)
        top = f.keep(count - 1)
        frame = f.keep(load(const(self.places) + top * 4))
        number = f.keep(load(frame))
        entry = load(frame, 4) * 3 + how
        status = f.call_table(number, (I32, I32, I32), (I32,), state, frame, entry)
        f.give(f.call(self._settled(), state, status, number, top)[0])

    def _settled(self) -> Function:
        """What follows when a body has returned, suspended or ended the game: parameters are the state, the status,
        the number of the proc and its place among the frames."""

        def write(f: Function) -> None:
            state = f.parameter(0)
            status, number, top = (f.copied(f.parameter(k)) for k in (1, 2, 3))
            first = 4 * self.program.layout.frame_offset
            with f.loop() as again:
                with f.when(status.eq(SUSPENDED)):
                    self._count_frames(f, state)
                    f.give(f.global_(COUNT))
                with f.when(status.eq(RETURNED)):
                    with f.when(top.eqz()):
                        f.call(self._finished(), state, number)
                        f.give(const(0))
                    f.increase(top, -1)
                    frame = f.keep(load(const(self.places) + top * 4))
                    f.set(number, load(frame))
                    entry = load(frame, 4) * 3 + 1
                    f.set(status, f.call_table(number, (I32, I32, I32), (I32,), state, frame, entry))
                    f.leave(again)
                # the game ended in the middle: nothing that runs goes on
                base = f.keep(state + first)
                f.fill(base, load(const(self.places) + top * 4) - base)
                f.store(state, 0, 4 * la.AS_ONE)  # what ends a game was settled
                ended = f.keep(f.global_(ENDED))
                f.store(state, ended + 2, 4 * la.END)
                self._keep_scores(f, state)
                with f.when(ended.eqz()):
                    f.call(self._finish(), state, const(-1))
                    f.give(const(0))
                numbers = [0] + [proc.number for proc in self.program.end_procs]
                f.set(number, self.unit.look_up(numbers, ended))
                f.set(top, 0)
                f.store(const(self.places), base)
                f.store(const(self.unit.memory_arguments), 0)
                f.set(status, f.call_table(number, (I32, I32, I32), (I32,), state, base, const(0)))
                f.leave(again)
            f.trap()

        return self.unit.function("settled", "what follows", (I32,) * 4, (I32,), write)

    def _count_frames(self, f: Function, state: Value) -> None:
        first = 4 * self.program.layout.frame_offset
        place, count = f.copied(state + first), f.copied(const(0))
        end = f.keep(place + load(state, 4 * la.FRAME_WORDS) * 4)
        with f.while_(lambda: place.two("lt_u", end)):
            f.set(place, place + self.unit.look_up(self.sizes, load(place)))
            f.increase(count)
        f.store(state, count, 4 * la.FRAMES)

    def _keep_scores(self, f: Function, state: Value) -> None:
        """The lines of all scores as they are now."""
        program = self.program
        base, index = program.score_cells.offset, 0
        for score in program.game.scores:
            for line in score.lines:
                for player in range(1, program.players + 1):
                    found = f.call(score_line(self.unit, line), state, const(player))[0]
                    f.store(state, found, 4 * (base + index))
                    index += 1

    def _finished(self) -> Function:
        """The last body has returned: the game is over, if it was the game or an end."""

        def write(f: Function) -> None:
            state, number = f.parameter(0), f.parameter(1)
            f.store(state, 0, 4 * la.FRAME_WORDS)
            f.store(state, 0, 4 * la.FRAMES)
            for proc in self.sites.procs:
                if proc.proc.end is not None:
                    with f.when(number.eq(proc.proc.number)):
                        f.call(self._finish(), state, const(self.program.game.ends.index(proc.proc.end)))
                        f.give()
            with f.when(number.eq(self.program.main.number)):
                f.store(state, 1, 4 * la.END)
                self._keep_scores(f, state)
                f.call(self._finish(), state, const(-1))
                f.give()
            f.store(state, la.RUNNING, 4 * la.STATUS)

        return self.unit.function("finished", "the last body has returned", (I32, I32), (), write)

    def _finish(self) -> Function:
        """Settle who won, by the number of the end (-1: none)."""

        def write(f: Function) -> None:
            state, end = f.parameter(0), f.parameter(1)
            f.store(state, la.OVER, 4 * la.STATUS)
            f.store(state, 0, 4 * la.ACTOR)
            f.store(state, 0, 4 * la.FRAME_WORDS)
            f.store(state, 0, 4 * la.FRAMES)
            for number, symbol in enumerate(self.program.game.ends):
                with f.when(end.eq(number)):
                    self._winners(f, state, symbol)
                    f.give()
            self._winners(f, state, None)

        return self.unit.function("finish", "who won", (I32, I32), (), write)

    def _winners(self, f: Function, state: Value, end: g.EndSymbol | None) -> None:
        unit = self.unit
        if end is not None and end.won_by is not None:
            e = Emitter(unit, f, state, end.frame)
            f.store(state, f.keep(e.words(end.won_by).parts[0].narrow()), 4 * la.WINNERS)
            return
        rank = rank_of(self.program, end)
        if rank is None:
            f.store(state, 0, 4 * la.WINNERS)
            return
        keys = len(rank.keys)
        best, own = f.room(4 * max(1, keys)), f.room(4 * max(1, keys))
        winners = f.copied(const(0))
        with f.counting(1, self.program.players + 1) as player:
            e = Emitter(unit, f, state, rank.frame)
            e.bind(0, player)
            for k, (value, lowest, _) in enumerate(rank.keys):
                found = e.value(value)
                f.store(own, const(0) - found if lowest else found, 4 * k)
            better, equal = f.copied(winners.eqz()), f.copied(const(1))
            with f.when(winners):
                for k in range(keys):
                    one, other = load(own, 4 * k), load(best, 4 * k)
                    with f.when(equal):
                        f.set(better, better | (one > other))
                        f.set(equal, one.eq(other))
            with f.when(better):
                f.copy(best, own, 4 * keys)
                f.set(winners, const(1) << player)
                f.otherwise()
                if rank.shared:
                    f.set(winners, winners | choose(equal, const(1) << player, const(0)))
        f.store(state, winners, 4 * la.WINNERS)
