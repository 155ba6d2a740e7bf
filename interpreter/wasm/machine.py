"""Running a compiled module: the counterpart of `interpreter.machine` for images of the same layout.

A call copies the image into the module's memory, runs, and copies it back. Faults come back as those of the reference
interpreter: same code, message and place. After one the image is marked `FAULTED`, and nothing goes on with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Any

from regelwerk.interpreter import ir
from regelwerk.interpreter import layout as la
from regelwerk.interpreter.answers import NotAnOption
from regelwerk.interpreter.decisions import STAGE, Raw, Site
from regelwerk.interpreter.faults import Fault
from regelwerk.interpreter.frames import Codec, codec, read_value, room, write_value
from regelwerk.interpreter.wasm.module import Compiled, compile_program
from regelwerk.interpreter.wasm.runtime import PAGE, Call, Instance, Trapped
from regelwerk.interpreter.wasm.sites import BARE
from regelwerk.interpreter.wasm.unit import ARGUMENTS, TOO_DEEP

if TYPE_CHECKING:
    from regelwerk.interpreter.layout import Image
    from regelwerk.interpreter.program import Program

ASK, ANSWER = 2, 3
_WORD, _LONG = 0xFFFFFFFF, (1 << 64) - 1


class BackendError(RuntimeError):
    """The compiled backend did what it must never do; this is a fault in regelwerk."""


@dataclass(frozen=True)
class Playout:
    """How a game of random players went.

    begun      whether the first decision was reached, or the end of the game
    decisions  how many they made, up to a fault
    violated   the invariants that were violated, by their numbers: after how many decisions
    fault      what stopped the game
    """

    begun: bool
    decisions: int
    violated: dict[int, int]
    fault: Fault | None = None


class NativeMachine:
    """One instance of a program's module, with a place for one state. Threads take turns."""

    def __init__(self, program: Program, compiled: Compiled | None = None, arena: int = PAGE) -> None:
        """Compile the program; `arena`: how many bytes there are for states."""
        self.program = program
        self.compiled = compiled or compile_program(program)
        self.state = self.compiled.arena
        self.limit = self.state + -(-max(arena, program.layout.size) // PAGE) * PAGE
        self.instance = Instance(self.compiled.binary, self.limit, kept=not program.reference_only)
        self.instance.grow(self.state + program.layout.size)
        self.lock = Lock()
        self._begin, self._go_on = self.instance.call("begin"), self.instance.call("go_on")
        self._stack = self.instance.read_global("stack")
        self._forms = [self._ways(site) for site in program.sites]

    def call(self, name: str) -> Call:
        """What calls an export of the module."""
        return self.instance.call(name)

    def _ways(self, site: Site) -> dict[int, list[Codec]]:
        """How the values of each way of a decision are written."""
        c = self.program.compiler
        if isinstance(site.end, ir.ChooseEnd):
            return {0: [codec(c, binder.type) for binder in site.end.choice.head.visible]}
        if isinstance(site.end, ir.OfferEnd | ir.SealEnd):
            actions = site.end.offer.actions
            return {k: [codec(c, kind) for _, kind, _ in action.parameters] for k, action in enumerate(actions)}
        return {}

    # ------------------------------------------------------------------------------------------------------ one state
    def begin(self, m: Image, number: int | None = None, arguments: Sequence[Any] = (0,)) -> list[Raw] | None:
        """Run a body (by default the game) from its start, in a state in which nothing runs."""
        proc = self.program.procs[self.program.main.number if number is None else number]
        words: list[int] = []
        for slot, value in zip([0, *proc.slots], arguments, strict=True):
            form, size = proc.codecs[slot]
            write_value(words, form, size, value)
        with self.lock:
            self._write(self.compiled.arguments, words)
            return self._run(self._begin, m, proc.proc.number)

    def options(self, m: Image) -> list[Raw] | None:
        """What can be answered now."""
        if m.w[la.STATUS] != la.DECISION:
            return None
        with self.lock:
            return self._run(self._go_on, m, ASK)

    def resume(self, m: Image, option: Raw, seat: int = 0) -> list[Raw] | None:
        """Go on with an answer. `seat`: who gives it, of those who decide together."""
        if m.w[la.STATUS] != la.DECISION:
            raise NotAnOption("nothing is to be decided now")
        if seat and isinstance(self.program.sites[m.w[la.SITE]].end, ir.SealEnd):
            m.w[self._innermost(m) + 2] = seat
        way, values = option
        words = [way & _WORD]
        if way == STAGE:
            words.append(values[0] & _WORD)
        elif way >= 0:
            forms = self._forms[m.w[la.SITE]].get(way)
            if forms and not values:
                words[0] += BARE
            elif forms:
                for (form, size), value in zip(forms, values, strict=True):
                    write_value(words, form, size, value)
        with self.lock:
            self._write(self.compiled.chosen, words)
            return self._run(self._go_on, m, ANSWER)

    def _innermost(self, m: Image) -> int:
        """The word of the image where the frame of the innermost body begins."""
        place = self.program.layout.frame_offset
        for _ in range(m.w[la.FRAMES] - 1):
            place += 2 + sum(room(each) for each in self.program.procs[m.w[place]].codecs)
        return place

    def _write(self, place: int, words: list[int]) -> None:
        self.instance.memory[place : place + 4 * len(words)] = b"".join([word.to_bytes(4, "little") for word in words])

    def _run(self, function: Call, m: Image, argument: int) -> list[Raw] | None:
        memory, start, end = self.instance.memory, self.state, self.state + len(m.b)
        memory[start:end] = m.b
        try:
            count = function(start, argument)
        except Trapped as trap:
            m.b[:] = memory[start:end]
            raise self.fault_of(trap, m) from None
        m.b[:] = memory[start:end]
        status = m.w[la.STATUS]
        if status == la.DECISION:
            return self._read(m.w[la.SITE], count)
        return [] if status == la.CHANCE else None

    def _read(self, site: int, count: int) -> list[Raw]:
        """The options that are listed in the buffer."""
        forms, width = self._forms[site], self.compiled.width
        words: Any = self.instance.memory[self.compiled.options : self.compiled.options + count * width].cast("i")
        found: list[Raw] = []
        step = width // 4
        for start in range(0, count * step, step):
            way, place, values = words[start], start + 1, []
            if way == STAGE:
                found.append((way, (words[place],)))
            elif way >= BARE and way - BARE in forms:
                found.append((way - BARE, ()))
            else:
                for form, size in forms.get(way, ()):
                    value, place = read_value(words, place, form, size)
                    values.append(value)
                found.append((way, tuple(values)))
        return found

    def fault_of(self, trap: Trapped, m: Image | None = None) -> Fault | BackendError:
        """What stopped a call; a state that was being changed is marked as stopped. The module can be used again."""
        if m is not None:
            m.w[la.STATUS] = la.FAULTED
        number = self.instance.read_global("fault")
        self.instance.write_global("fault", 0)
        self.instance.write_global("stack", self._stack)
        if not number:
            return Fault("depth", TOO_DEEP) if trap.overflow else BackendError(f"the module stopped: {trap}")
        site = self.compiled.faults[number]
        numbers = list(self.instance.memory[ARGUMENTS : ARGUMENTS + 12].cast("i"))
        message = site.message if isinstance(site.message, str) else site.message(numbers)
        return Fault(site.code, message, site.span)

    # ------------------------------------------------------------------------------------------------ games as a whole
    def play(self, m: Image, seed: int, streams: Sequence[int], longest: int, every: bool) -> Playout:
        """A game of random players, from its seed to its end; it is given up when so many decisions have been made.

        streams   the generators of the players, in seat order
        every     look at the invariants after every decision, and not only at the end
        """
        memory, k = self.instance.memory, self.compiled
        fresh, playout, check = (self.call(name) for name in ("fresh", "playout", "check"))
        count, begun = len(self.program.invariants), False
        fault: Fault | None = None
        with self.lock:
            for seat, stream in enumerate([0, *streams]):
                memory[k.streams + 8 * seat : k.streams + 8 * seat + 8] = (stream & _LONG).to_bytes(8, "little")
            memory[k.violated : k.violated + 4 * count] = b"\xff" * (4 * count)
            try:
                fresh(self.state, seed & _LONG)
                begun = True
                playout(self.state, min(longest, 2**31 - 1), int(every))
                check(self.state)
            except Trapped as trap:
                found = self.fault_of(trap)
                if isinstance(found, BackendError):
                    raise found from None
                fault = found
            m.b[:] = memory[self.state : self.state + len(m.b)]
            noted = memory[k.violated : k.violated + 4 * count].cast("i")
            violated = {number: noted[number] for number in range(count) if noted[number] >= 0}
        return Playout(begun, m.w[la.DECISIONS], violated, fault)


__all__ = ["BackendError", "NativeMachine", "Playout"]
