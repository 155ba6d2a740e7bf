"""Frames: the bodies that run, as Python lists of locals and as words of the image.

A frame holds the number of the proc, the index of the block to go on with, then the locals by their types.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from regelwerk.dsl.model.types import ListType, RecordType, SetType, TallyType, Type, strip
from regelwerk.dsl.source import Span
from regelwerk.interpreter import ir
from regelwerk.interpreter import layout as la
from regelwerk.interpreter.evaluation.base import Closure, Compiler, Locals
from regelwerk.interpreter.faults import Fault
from regelwerk.interpreter.layout import Image

if TYPE_CHECKING:
    from regelwerk.interpreter.program import Program


JUMP, BRANCH, CALL, RETURN, DECIDE, CHANCE = range(6)
"""How a compiled block ends."""


@dataclass(eq=False, slots=True)
class CompiledBlock:
    """A block as closures. `kind` says how it ends; the other fields depend on it.

    live, waiting  the locals that are needed from its beginning on, and from its end on (`liveness`)
    """

    index: int
    operations: list[Closure]
    kind: int = RETURN
    live: frozenset[int] = frozenset()
    waiting: frozenset[int] = frozenset()
    test: Any = None
    first: Any = None
    second: Any = None
    span: Span | None = None


@dataclass(eq=False, slots=True)
class CompiledProc:
    """A proc as compiled blocks."""

    proc: ir.Proc
    size: int
    slots: list[int]
    blocks: list[CompiledBlock]
    codecs: list[Codec]


@dataclass(frozen=True, slots=True)
class Composite:
    """A record by its fields, or a list of records: `bound` of them at most."""

    parts: tuple[Codec, ...]
    bound: int | None = None


Codec = tuple["str | Composite", int]
"""A form, and how many words it takes (of plain lists: without their count)."""


def codec(c: Compiler, kind: Type) -> Codec:
    """How a value of a type is written into words: the form, and its size."""
    plain = strip(kind)
    if isinstance(plain, RecordType):
        parts = tuple(codec(c, each) for _, each in plain.symbol.fields)
        return Composite(parts), 1 + sum(room(each) for each in parts)
    if isinstance(plain, ListType) and isinstance(strip(plain.member), RecordType):
        bound, part = c.program.domains.bound(plain.bound), codec(c, plain.member)
        return Composite((part,), bound), 1 + bound * room(part)
    if isinstance(plain, SetType):
        return "set", c.program.domains.words(plain)
    if isinstance(plain, TallyType):
        return "tally", c.program.unit_count(plain)
    if isinstance(plain, ListType):
        return "list", c.program.domains.words(plain) - 1
    return "word", 1


def composite(kind: Type) -> bool:
    """Whether values of a type are records, or lists of them."""
    plain = strip(kind)
    return isinstance(plain, RecordType) or (
        isinstance(plain, ListType) and isinstance(strip(plain.member), RecordType)
    )


def room(part: Codec) -> int:
    """How many words a value takes in all."""
    form, size = part
    return 1 + size if form == "list" else size


class Activation:
    """A body that runs: its proc, its locals, and the block to go on with."""

    __slots__ = ("block", "locals", "proc")

    def __init__(self, proc: CompiledProc, env: Locals, block: CompiledBlock) -> None:
        self.proc = proc
        self.locals = env
        self.block = block


def enter(program: Program, number: int, arguments: list[Any]) -> Activation:
    """A new activation of a proc; `me` is the first argument."""
    proc = program.procs[number]
    env: Locals = [0] * proc.size
    for k, (form, _) in enumerate(proc.codecs):
        if form in ("list", "tally") or (isinstance(form, Composite) and form.bound is not None):
            env[k] = ()
    if arguments:
        env[0] = arguments[0]
    for slot, value in zip(proc.slots, arguments[1:], strict=True):
        env[slot] = value
    return Activation(proc, env, proc.blocks[0])


def write_value(words: list[int], form: str | Composite, size: int, value: Any) -> None:
    """Append a value as unsigned words."""
    if isinstance(form, Composite):
        _write_composite(words, form, size, value)
    elif form == "word":
        words.append(value & 0xFFFFFFFF)
    elif form == "set":
        for _ in range(size):
            words.append(value & 0xFFFFFFFF)
            value >>= 32
    elif form == "tally":
        words.extend(value if value else (0,) * size)
    else:
        if len(value) > size:
            raise Fault("range", f"a list is longer than the {size} places it has")
        words.append(len(value))
        words.extend(each & 0xFFFFFFFF for each in value)
        words.extend([0] * (size - len(value)))


def _write_composite(words: list[int], form: Composite, size: int, value: Any) -> None:
    end = len(words) + size
    if form.bound is None:
        words.append(1 if value else 0)
        for (part, part_size), each in zip(form.parts, value or (), strict=False):
            write_value(words, part, part_size, each)
    else:
        if len(value) > form.bound:
            raise Fault("range", f"a list is longer than the {form.bound} places it has")
        part, part_size = form.parts[0]
        words.append(len(value))
        for each in value:
            write_value(words, part, part_size, each)
    words.extend([0] * (end - len(words)))


def _read_composite(words: Any, place: int, form: Composite, size: int) -> tuple[Any, int]:
    end, count = place + size, words[place]
    place += 1
    parts = form.parts if form.bound is None else form.parts * min(count, form.bound)
    found = []
    for part, part_size in parts if count else ():
        value, place = read_value(words, place, part, part_size)
        found.append(value)
    return (tuple(found) if count or form.bound is not None else 0), end


def read_value(words: Any, place: int, form: str | Composite, size: int) -> tuple[Any, int]:
    """A value from signed words, and the place behind it."""
    if isinstance(form, Composite):
        return _read_composite(words, place, form, size)
    if form == "word":
        return words[place], place + 1
    if form == "set":
        value = 0
        for word in range(size):
            value |= (words[place + word] & 0xFFFFFFFF) << (32 * word)
        return value, place + size
    if form == "tally":
        return tuple(words[place : place + size]), place + size
    count = words[place]
    return tuple(words[place + 1 : place + 1 + count]), place + 1 + size


def save_frames(program: Program, m: Image, stack: list[Activation]) -> None:
    """Write all activations to the image. Locals that are not needed any more and room that is not used are zeroed, so
    that equal states have equal bytes."""
    words: list[int] = []
    for activation in stack:
        block = activation.block
        words.append(activation.proc.proc.number)
        words.append(block.index)
        live = block.live if activation is not stack[-1] or block.kind < DECIDE else block.waiting
        env = activation.locals
        for k, (form, size) in enumerate(activation.proc.codecs):
            if k not in live:
                words += [0] * (1 + size if form == "list" else size)
            elif form == "word":
                words.append(env[k] & 0xFFFFFFFF)
            else:
                write_value(words, form, size, env[k])
    start, used = program.layout.frame_offset, m.w[la.FRAME_WORDS]
    count = len(words)
    if count > program.layout.frame_words:
        raise Fault("depth", "too many effects run inside each other")
    if used > count:
        words += [0] * (used - count)
    m.b[4 * start : 4 * (start + len(words))] = b"".join([word.to_bytes(4, "little") for word in words])
    m.w[la.FRAME_WORDS], m.w[la.FRAMES] = count, len(stack)


def forget_frames(program: Program, m: Image) -> None:
    """Nothing runs any more, whatever did."""
    save_frames(program, m, [])


def load_frames(program: Program, m: Image) -> list[Activation]:
    """Read all activations from the image."""
    stack: list[Activation] = []
    place = program.layout.frame_offset
    signed = m.w
    for _ in range(m.w[la.FRAMES]):
        proc = program.procs[signed[place]]
        block = proc.blocks[signed[place + 1]]
        place += 2
        env: Locals = [0] * proc.size
        for k, (form, size) in enumerate(proc.codecs):
            if form == "word":
                env[k] = signed[place]
                place += 1
            else:
                env[k], place = read_value(signed, place, form, size)
        stack.append(Activation(proc, env, block))
    return stack
