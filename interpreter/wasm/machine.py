"""Running a compiled module: the counterpart of `interpreter.machine` for images of the same layout."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

import wasmtime

from regelwerk.interpreter import layout as la
from regelwerk.interpreter.decisions import Raw
from regelwerk.interpreter.faults import Fault
from regelwerk.interpreter.frames import codec, read_value, write_value
from regelwerk.interpreter.wasm.module import Compiled, compile_program
from regelwerk.interpreter.wasm.sites import BARE
from regelwerk.interpreter.wasm.unit import ARGUMENTS

if TYPE_CHECKING:
    from regelwerk.interpreter.layout import Image
    from regelwerk.interpreter.program import Program

ASK, ANSWER = 2, 3


class NativeMachine:
    """One instance of a program's module, with a place for one state."""

    def __init__(self, program: Program, compiled: Compiled | None = None) -> None:
        self.program = program
        self.compiled = compiled or compile_program(program)
        config = wasmtime.Config()
        self.engine = wasmtime.Engine(config)
        self.module = wasmtime.Module(self.engine, self.compiled.binary)
        self.store = wasmtime.Store(self.engine)
        self.instance = wasmtime.Instance(self.store, self.module, [])
        exports = self.instance.exports(self.store)
        self.memory: Any = exports["memory"]
        self._begin: Any = exports["begin"]
        self._go_on: Any = exports["go_on"]
        self._fault: Any = exports["fault"]
        self._stack: Any = exports["stack"]
        self._stack_start = self._stack.value(self.store)
        self.state = self.compiled.arena
        self._codecs = [self._forms(site) for site in program.sites]

    def _forms(self, site: Any) -> dict[int, list[Any]]:
        """How the values of each way of a decision are written."""
        c = self.program.compiler
        node = site.node
        if site.actions:
            return {k: [codec(c, kind) for _, kind, _ in a.action.parameters] for k, a in enumerate(site.actions)}
        head = getattr(node, "head", None)
        if head is not None:
            return {0: [codec(c, binder.type) for binder in head.visible]}
        return {}

    def _address(self) -> int:
        return ctypes.addressof(self.memory.data_ptr(self.store).contents)

    def _bytes(self, place: int, size: int) -> bytes:
        return ctypes.string_at(self._address() + place, size)

    def _put(self, place: int, data: bytes | bytearray) -> None:
        ctypes.memmove(self._address() + place, bytes(data), len(data))

    def _call(self, function: Any, m: Image, *arguments: int) -> list[Raw] | None:
        self._put(self.state, m.b)
        try:
            count = function(self.store, self.state, *arguments)
        except wasmtime.Trap as trap:
            m.b[:] = self._bytes(self.state, len(m.b))
            raise self._fault_of(trap) from None
        m.b[:] = self._bytes(self.state, len(m.b))
        if m.w[la.STATUS] != la.DECISION:
            return [] if m.w[la.STATUS] == la.CHANCE else None
        return self._read(m, count)

    def _fault_of(self, trap: Any) -> Fault:
        number = self._fault.value(self.store)
        self._fault.set_value(self.store, 0)
        self._stack.set_value(self.store, self._stack_start)
        if not number:
            return Fault("depth", f"values call each other too deeply: {trap}")
        site = self.compiled.faults[number]
        words = memoryview(self._bytes(ARGUMENTS, 12)).cast("i")
        message = site.message if isinstance(site.message, str) else site.message(list(words))
        return Fault(site.code, message, site.span)

    def _read(self, m: Image, count: int) -> list[Raw]:
        forms, width = self._codecs[m.w[la.SITE]], self.compiled.width
        words = memoryview(self._bytes(self.compiled.options, count * width)).cast("i")
        found: list[Raw] = []
        step = width // 4
        for start in range(0, count * step, step):
            way, place, values = words[start], start + 1, []
            if way == -3:
                found.append((way, (words[place],)))
                continue
            if way >= BARE:
                found.append((way - BARE, ()))
                continue
            for form, size in forms.get(way, ()):
                value, place = read_value(words, place, form, size)
                values.append(value)
            found.append((way, tuple(values)))
        return found

    def begin(self, m: Image) -> list[Raw] | None:
        """Run from the start of the game."""
        self._put(self.compiled.arguments, bytes(4))
        return self._call(self._begin, m, self.program.main.number)

    def options(self, m: Image) -> list[Raw] | None:
        """What can be answered now."""
        return self._call(self._go_on, m, ASK)

    def resume(self, m: Image, option: Raw) -> list[Raw] | None:
        """Go on with an answer."""
        words = [option[0] & 0xFFFFFFFF]
        if option[0] == -3:
            words.append(option[1][0] & 0xFFFFFFFF)
        elif option[0] >= 0 and not option[1] and self._codecs[m.w[la.SITE]].get(option[0]):
            words[0] += BARE
        elif option[0] >= 0 and option[1]:
            for (form, size), value in zip(self._codecs[m.w[la.SITE]][option[0]], option[1], strict=True):
                write_value(words, form, size, value)
        self._put(self.compiled.chosen, b"".join(word.to_bytes(4, "little") for word in words))
        return self._call(self._go_on, m, ANSWER)
