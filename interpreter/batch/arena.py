"""The memory of a batch: where the states and the arrays of its games lie, and views of them.

All of it is reserved before the first view is made, and the memory never grows again: growing it would move it, and
leave the views pointing at nothing. A view keeps the module that owns the memory alive.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from regelwerk.interpreter.answers import UsageError
from regelwerk.interpreter.faults import Fault
from regelwerk.interpreter.layout import Layout
from regelwerk.interpreter.wasm.batches import PLAN, STAY
from regelwerk.interpreter.wasm.machine import BackendError, NativeMachine
from regelwerk.interpreter.wasm.runtime import PAGE, Trapped

if TYPE_CHECKING:
    from regelwerk.interpreter.program import Program
    from regelwerk.interpreter.wasm.module import Compiled

MOST_BYTES = 4 << 30
"""What a module can address."""
OUTCOMES = 4096
"""How many games are tried out at a time."""


def state_type(layout: Layout, stride: int) -> np.dtype[Any]:
    """The published layout as a structured type: a field for each word of the header and for all cells of one name. Of
    several regions with the same name the later ones are called `name 2`, `name 3`."""
    published: Any = layout.describe()
    names: list[str] = []
    alike: dict[str, int] = {}
    formats: list[Any] = []
    offsets: list[int] = []

    def add(name: str, kind: str, count: int | None, offset: int) -> None:
        number = alike[name] = alike.get(name, 0) + 1
        names.append(name if number == 1 else f"{name} {number}")
        formats.append(kind if count is None else (kind, (count,)))
        offsets.append(offset)

    for number, name in enumerate(published["header"]):
        add(name, "<i4", None, 4 * number)
    for cell in published["cells"]:
        kind = {8: "u1", 16: "<i2", 32: "<i4"}[cell["bits"]]
        add(cell["name"], "<u4" if cell["range"][1] >= 1 << 31 else kind, cell["count"], cell["offset"])
    add("streams", "<u8", len(published["streams"]["names"]), published["streams"]["offset"])
    add("stack", "<i4", published["frames"]["words"], published["frames"]["offset"])
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": stride})


class Arena:
    """An instance of a module with room for `count` games, `slots` of whose options are kept."""

    def __init__(self, program: Program, compiled: Compiled, count: int, slots: int, finals: bool) -> None:
        layout = program.layout
        self.count, self.slots = count, slots
        self.stride = -(-layout.size // 64) * 64
        words = compiled.width // 4
        place = compiled.arena

        def reserve(size: int) -> int:
            nonlocal place
            found = place
            place = -(-(place + size) // 64) * 64
            return found

        self.places = {
            "states": reserve(count * self.stride),
            "finals": reserve(count * self.stride) if finals else 0,
            "scratch": reserve(self.stride),
            "actions": reserve(4 * count),
            "counts": reserve(4 * count),
            "seeds": reserve(8 * count),
            "results": reserve(8 * count),
            "which": reserve(4 * count),
            "sources": reserve(4 * count),
            "outcomes": reserve(16 * OUTCOMES),
            "records": reserve(count * slots * compiled.width),
        }
        self.plan = reserve(4 * len(PLAN))
        if place > MOST_BYTES - PAGE:
            raise UsageError(
                f"{count} games with room for {slots} options each take {place >> 20} MiB, more than the 4 GiB that"
                " a module can address: take fewer games, several batches, or fewer slots"
            )
        self.native = NativeMachine(program, compiled, place - compiled.arena)
        self.instance = self.native.instance
        self.instance.grow(place)
        self._calls = {name: self.instance.call(name) for name in _FUNCTIONS}
        self._bytes = self._keep_alive(place)
        self._words = self._view(self.plan, "<u4", (len(PLAN),))
        for name, value in {**self.places, "stride": self.stride, "slots": slots}.items():
            self.set(name, value)
        kind = state_type(layout, self.stride)
        self.states = self._view(self.places["states"], kind, (count,), False)
        self.images = self._view(self.places["states"], "u1", (count, self.stride))
        self.finals = self._view(self.places["finals"], kind, (count,), False) if finals else None
        self.actions = self._view(self.places["actions"], "<i4", (count,))
        self.counts = self._view(self.places["counts"], "<i4", (count,))
        self.seeds = self._view(self.places["seeds"], "<u8", (count,))
        self.results = self._view(self.places["results"], "<u4", (count, 2))
        self.which = self._view(self.places["which"], "<i4", (count,))
        self.sources = self._view(self.places["sources"], "<i4", (count,))
        self.outcomes = self._view(self.places["outcomes"], "<i4", (OUTCOMES, 4))
        self.records = self._view(self.places["records"], "<i4", (count, slots, words), False)

    def _keep_alive(self, size: int) -> Any:
        """The bytes of the memory, as an object that holds the instance."""
        kind: Any = type("Bytes", (ctypes.Array,), {"_type_": ctypes.c_ubyte, "_length_": size})
        memory = self.instance.exports["memory"].data_ptr(self.instance.store)
        found: Any = kind.from_address(ctypes.addressof(memory.contents))
        found.owner = self.instance
        return found

    def _view(self, place: int, kind: Any, shape: tuple[int, ...], writeable: bool = True) -> npt.NDArray[Any]:
        found: npt.NDArray[Any] = np.ndarray(shape, kind, self._bytes, place)
        found.flags.writeable = writeable
        return found

    def set(self, name: str, value: int) -> None:
        """Write a word of the plan."""
        self._words[PLAN.index(name)] = value

    def call(self, name: str, *arguments: int) -> int:
        """Call a function that takes the plan."""
        return self._calls[name](self.plan, *arguments)

    def current(self) -> int:
        """What was looked at when a call was stopped."""
        return self.instance.read_global("current")

    def fault_of(self, trapped: Trapped) -> Fault:
        """The fault behind a trap; the module is ready to be called again."""
        found = self.native.fault_of(trapped)
        if isinstance(found, BackendError):
            raise found
        return found


_FUNCTIONS = ("begin_batch", "list_batch", "copy_batch", "step_batch", "play_on_batch", "try_out_batch")

__all__ = ["OUTCOMES", "STAY", "Arena", "state_type"]
