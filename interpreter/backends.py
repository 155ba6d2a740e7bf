"""Which machine runs a game: the reference interpreter, or the compiled module in wasmtime.

Both work on the same images and give the same bytes. `auto` begins on the reference interpreter, and compiles when so
many decisions were made that it pays; what is not compiled, or lacks wasmtime, stays there. `wasm` compiles at once.
Steps that are told about (`State.step`: its events, texts and refusals) are made by the reference interpreter; with
`wasm` the module makes them too, and both must agree.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol

from regelwerk.interpreter import layout as la
from regelwerk.interpreter import machine
from regelwerk.interpreter.answers import NotAnOption, UsageError
from regelwerk.interpreter.faults import Fault

if TYPE_CHECKING:
    from regelwerk.interpreter.decisions import Raw
    from regelwerk.interpreter.layout import Image
    from regelwerk.interpreter.program import Program
    from regelwerk.interpreter.wasm.machine import NativeMachine

Backend = Literal["auto", "reference", "wasm"]
BACKENDS: tuple[Backend, ...] = ("auto", "reference", "wasm")

WARM = 2_000
"""After so many decisions `auto` compiles: the reference interpreter takes about as long for them as compiling does."""


class BackendWarning(UserWarning):
    """The compiled backend cannot be used here."""


class Machine(Protocol):
    """What runs a state until somebody has to decide (gives the options), nature has to (an empty list), or the game is
    over (None). Raises `Fault`; the image is then marked as stopped."""

    program: Program

    def begin(self, m: Image, number: int | None = None, arguments: Sequence[Any] = (0,)) -> list[Raw] | None:
        """Run a body (by default the game) from its start."""
        ...

    def options(self, m: Image) -> list[Raw] | None:
        """What can be answered now."""
        ...

    def resume(self, m: Image, option: Raw, seat: int = 0) -> list[Raw] | None:
        """Go on with an answer. `seat`: who gives it, of those who decide together."""
        ...


class ReferenceMachine:
    """The reference interpreter."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def begin(self, m: Image, number: int | None = None, arguments: Sequence[Any] = (0,)) -> list[Raw] | None:
        """Run a body (by default the game) from its start."""
        program = self.program
        start = machine.enter(program, program.main.number if number is None else number, list(arguments))
        return _marking(m, lambda: machine.run(program, m, [start]))

    def options(self, m: Image) -> list[Raw] | None:
        """What can be answered now."""
        if m.w[la.STATUS] != la.DECISION:
            return None
        site, env = machine.pending(self.program, m)
        return site.options(m, env)

    def resume(self, m: Image, option: Raw, seat: int = 0) -> list[Raw] | None:
        """Go on with an answer."""
        if m.w[la.STATUS] != la.DECISION:
            raise NotAnOption("nothing is to be decided now")
        try:
            return machine.resume(self.program, m, option, seat)
        except Fault:
            m.w[la.STATUS] = la.FAULTED
            raise


def _marking(m: Image, work: Callable[[], list[Raw] | None]) -> list[Raw] | None:
    try:
        return work()
    except Fault:
        m.w[la.STATUS] = la.FAULTED
        raise


class AutoMachine:
    """The reference interpreter, until so many decisions were made that compiling pays."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.inner: Machine = ReferenceMachine(program)
        self._left = WARM
        self._tried = False

    def begin(self, m: Image, number: int | None = None, arguments: Sequence[Any] = (0,)) -> list[Raw] | None:
        """Run a body (by default the game) from its start."""
        return self.inner.begin(m, number, arguments)

    def options(self, m: Image) -> list[Raw] | None:
        """What can be answered now."""
        return self.inner.options(m)

    def resume(self, m: Image, option: Raw, seat: int = 0) -> list[Raw] | None:
        """Go on with an answer."""
        if self._left:
            self._left -= 1
            if not self._left:
                self.compile()
        return self.inner.resume(m, option, seat)

    @property
    def warm(self) -> bool:
        """Whether so many decisions were made that it has been tried to compile."""
        return self._tried

    def compile(self) -> NativeMachine | None:
        """Compile now, if that was not tried yet; None if it cannot be."""
        if not self._tried:
            self._tried, self._left = True, 0
            try:
                self.inner = compiled(self.program)
            except UsageError:
                _say_once()
                return None
        return None if isinstance(self.inner, ReferenceMachine) else self.inner  # type: ignore[return-value]  # no other


_missing: str | None = None
_said = False


def _say_once() -> None:
    """Say that there is no wasmtime, if that is why a game is not compiled."""
    global _said
    if _missing is not None and not _said:
        _said = True
        warnings.warn(f"{_missing}; games run on the reference interpreter", BackendWarning, stacklevel=3)


def compiled(program: Program) -> NativeMachine:
    """The compiled module of a program, made once. `UsageError` says why there is none."""
    known = program.machines.get("wasm")
    if known is None:
        known = program.machines["wasm"] = _compile(program)
    if isinstance(known, str):
        raise UsageError(known)
    module: NativeMachine = known
    return module


def _compile(program: Program) -> NativeMachine | str:
    global _missing
    try:
        from regelwerk.interpreter.wasm.machine import NativeMachine
        from regelwerk.interpreter.wasm.shapes import Unsupported
    except (ImportError, OSError) as error:  # OSError: its library is of another machine
        _missing = f"wasmtime cannot be imported ({error})"
        return _missing
    try:
        return NativeMachine(program)
    except Unsupported as error:
        return f"this game runs on the reference interpreter only: it has what is not compiled ({error})"


def machine_for(program: Program, backend: Backend) -> Machine:
    """The machine of a program. `UsageError` if `wasm` is asked for and cannot be."""
    if backend not in BACKENDS:
        raise UsageError(f"there is no backend `{backend}` (there are: {', '.join(BACKENDS)})")
    if program.coverage is not None:
        if backend == "wasm":
            raise UsageError("what runs is counted on the backend `reference` only")
        backend = "reference"
    if backend == "wasm":
        return compiled(program)
    if backend not in program.machines:
        program.machines[backend] = ReferenceMachine(program) if backend == "reference" else AutoMachine(program)
    return program.machines[backend]  # type: ignore[no-any-return]  # programs do not know machines


def why_not_compiled(program: Program) -> str | None:
    """Why a program is not compiled, as far as that was tried and has not been said yet."""
    known = program.machines.get("wasm")
    return known if isinstance(known, str) and not _said else None


def same_fault(one: Fault, other: Fault) -> bool:
    """Whether both backends say the same. Of work they count different things, so that too much of it is noticed at
    different places."""
    alike = (one.code, one.message) == (other.code, other.message)
    return alike and (one.span == other.span or one.code == "budget")


def agree(
    native: Machine, before: Image, work: Callable[[Machine, Image], object], after: Image, fault: Fault | None
) -> None:
    """Raise `BackendError` unless the module makes of a state what the reference interpreter made of it."""
    from regelwerk.interpreter.wasm.machine import BackendError

    other: Fault | None = None
    try:
        work(native, before)
    except Fault as found:
        other = found
    if (fault is None) != (other is None):
        raise BackendError(f"the backends differ: {fault or 'no fault'} and {other or 'no fault'}")
    if fault is not None and other is not None:
        if not same_fault(fault, other):
            raise BackendError(f"the backends differ: {fault.code}: {fault} and {other.code}: {other}")
    elif before.b != after.b:
        place = next(k for k, (one, two) in enumerate(zip(after.b, before.b, strict=True)) if one != two)
        raise BackendError(f"the backends differ in byte {place} of the state")


__all__ = [
    "BACKENDS",
    "AutoMachine",
    "Backend",
    "BackendWarning",
    "Machine",
    "ReferenceMachine",
    "agree",
    "compiled",
    "machine_for",
    "same_fault",
    "why_not_compiled",
]
