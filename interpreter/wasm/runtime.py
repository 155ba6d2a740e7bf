"""All that is known of wasmtime: engines, modules, instances and calls.

`wasmtime.Func` reads the type of a function at every call, which costs 90 microseconds. The C function below it costs
5; the package's bindings have it, but do not promise it: where it is missing or looks different, calls go through
`wasmtime.Func`.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from importlib import metadata
from typing import Any

import wasmtime

from regelwerk.interpreter.wasm import artefacts

PAGE = 1 << 16
_WORD = 0xFFFFFFFF

Call = Callable[..., int]
"""Calls an exported function with whole numbers; gives its result, without a sign (0 if it has none)."""


class Trapped(Exception):
    """A call was stopped. `overflow`: because too much was called inside each other."""

    def __init__(self, message: str, overflow: bool) -> None:
        super().__init__(message)
        self.overflow = overflow


@cache
def version() -> str:
    """The version of wasmtime."""
    return metadata.version("wasmtime")


@cache
def _engine(narrow: bool) -> wasmtime.Engine:
    """The engine of this process. `narrow`: it reserves no address space beyond what memories take, which is slower."""
    config = wasmtime.Config()
    if narrow:
        _set(config, "wasmtime_config_memory_reservation_set", 0)
        _set(config, "wasmtime_config_memory_guard_size_set", 0)
        _set(config, "wasmtime_config_memory_reservation_for_growth_set", 0)
    return wasmtime.Engine(config)


def _set(config: wasmtime.Config, name: str, value: int) -> None:
    from wasmtime import _ffi

    function = getattr(_ffi, name, None)
    if function is not None:
        function(config.ptr(), value)


def _module(binary: bytes, narrow: bool, kept: bool) -> wasmtime.Module:
    """The compiled module, from the cache if it has it and it is to be kept."""
    engine = _engine(narrow)
    if not kept:
        return wasmtime.Module(engine, binary)
    key = artefacts.key_of(binary, version(), "narrow" if narrow else "default")
    known = artefacts.load(key)
    if known is not None:
        try:
            return wasmtime.Module.deserialize(engine, known)
        except wasmtime.WasmtimeError:
            pass  # made under other conditions after all: it is made anew
    module = wasmtime.Module(engine, binary)
    artefacts.store(key, bytes(module.serialize()))
    return module


class Instance:
    """A module with its memory, which cannot grow beyond `limit` bytes.

    memory   a view of all its bytes; take it anew after `grow`
    kept     whether the machine code is kept in the cache
    """

    def __init__(self, binary: bytes, limit: int, kept: bool = True) -> None:
        try:
            self._make(binary, limit, False, kept)
        except wasmtime.WasmtimeError as error:
            try:
                self._make(binary, limit, True, kept)  # perhaps this process may not reserve much address space
            except wasmtime.WasmtimeError:
                raise error from None
        self._refresh()

    def _make(self, binary: bytes, limit: int, narrow: bool, kept: bool) -> None:
        module = _module(binary, narrow, kept)
        self.store = wasmtime.Store(_engine(narrow))
        self.store.set_limits(memory_size=limit, table_elements=1 << 16, instances=1, tables=1, memories=1)
        self.instance = wasmtime.Instance(self.store, module, [])
        self.exports: Any = self.instance.exports(self.store)

    def _refresh(self) -> None:
        memory = self.exports["memory"]
        size = memory.data_len(self.store)
        address = ctypes.addressof(memory.data_ptr(self.store).contents)
        self.memory = memoryview((ctypes.c_ubyte * size).from_address(address)).cast("B")

    def grow(self, size: int) -> None:
        """Make the memory at least so many bytes large; `MemoryError` if that is beyond its limit."""
        missing = size - len(self.memory)
        if missing <= 0:
            return
        try:
            self.exports["memory"].grow(self.store, -(-missing // PAGE))
        except wasmtime.WasmtimeError as error:
            raise MemoryError(f"{size} bytes are more than this game may use") from error
        finally:
            self._refresh()

    def read_global(self, name: str) -> int:
        """The value of an exported variable."""
        return int(self.exports[name].value(self.store))

    def write_global(self, name: str, value: int) -> None:
        """Set an exported variable."""
        self.exports[name].set_value(self.store, value)

    def call(self, name: str) -> Call:
        """What calls an exported function, as directly as it can be done."""
        function = self.exports[name]
        kind = function.type(self.store)
        parameters, results = [str(each) for each in kind.params], [str(each) for each in kind.results]
        if not set(parameters + results) <= {"i32", "i64"} or len(results) > 1:
            raise TypeError(f"`{name}` takes or gives something else than whole numbers")
        mask = _WORD if results == ["i32"] else (1 << 64) - 1 if results else 0
        return _direct(self.store, function, len(parameters), mask) or _public(self.store, function, parameters, mask)


def _trapped(trap: wasmtime.Trap) -> Trapped:
    return Trapped(trap.message, trap.trap_code == wasmtime.TrapCode.STACK_OVERFLOW)


def _public(store: wasmtime.Store, function: Any, parameters: list[str], mask: int) -> Call:
    """Calls as the package promises them."""
    halves = [1 << 31 if kind == "i32" else 1 << 63 for kind in parameters]

    def call(*arguments: int) -> int:
        signed = [(each + half) % (2 * half) - half for each, half in zip(arguments, halves, strict=True)]
        try:
            found = function(store, *signed)
        except wasmtime.Trap as trap:
            raise _trapped(trap) from None
        return (found or 0) & mask

    return call


def _direct(store: wasmtime.Store, function: Any, count: int, mask: int) -> Call | None:
    """Calls through the bindings, or None if they are not as they are known here."""
    try:
        from wasmtime import _bindings

        enter = _bindings._wasmtime_func_call_unchecked
        raw: Any = _bindings.wasmtime_val_raw_t
        trap_pointer: Any = ctypes.POINTER(_bindings.wasm_trap_t)
        context, target = store._context(), ctypes.byref(function._func)
        from_trap, from_error = wasmtime.Trap._from_ptr, wasmtime.WasmtimeError._from_ptr
    except (ImportError, AttributeError):
        return None
    if len(enter.argtypes or ()) != 5 or ctypes.sizeof(raw) != 16:
        return None
    room = max(1, count)
    values = (raw * room)()
    words = memoryview(values).cast("B").cast("Q")

    def call(*arguments: int) -> int:
        for k, argument in enumerate(arguments):
            words[2 * k] = argument
        trap = trap_pointer()
        error = enter(context, target, values, room, ctypes.byref(trap))
        if error:
            raise from_error(error)
        if trap:
            raise _trapped(from_trap(trap))
        return words[0] & mask

    call.store = store  # type: ignore[attr-defined]  # the pointers above are into it: it lives as long as the call
    return call


__all__ = ["PAGE", "Instance", "Trapped", "version"]
