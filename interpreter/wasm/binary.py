"""The binary format of WebAssembly, as far as it is used: sections, types, and numbers in LEB128.

WebAssembly Core Specification 2.0, chapter 5. Multi-value results and bulk memory operations are part of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

I32, I64 = 0x7F, 0x7E
FUNCREF = 0x70
PAGE = 1 << 16
"""The unit in which memories grow."""


_BYTES = [bytes((value,)) for value in range(256)]


def unsigned(value: int) -> bytes:
    """A number from 0 on in LEB128."""
    if value < 0x80:
        return _BYTES[value]
    found = bytearray()
    while True:
        low = value & 0x7F
        value >>= 7
        found.append(low | (0x80 if value else 0))
        if not value:
            return bytes(found)


def signed(value: int) -> bytes:
    """A number in signed LEB128."""
    if -0x40 <= value < 0x40:
        return _BYTES[value & 0x7F]
    found = bytearray()
    while True:
        low = value & 0x7F
        value >>= 7
        last = (value == 0 and not low & 0x40) or (value == -1 and low & 0x40)
        found.append(low | (0 if last else 0x80))
        if last:
            return bytes(found)


def vector(items: Sequence[bytes]) -> bytes:
    """Items, after their number."""
    return unsigned(len(items)) + b"".join(items)


def name(text: str) -> bytes:
    """A text, after its length."""
    data = text.encode()
    return unsigned(len(data)) + data


Signature = tuple[tuple[int, ...], tuple[int, ...]]
"""The kinds of the parameters, and of the results."""


@dataclass
class Module:
    """What a module is made of. Functions are numbered in the order in which they are added."""

    signatures: list[Signature] = field(default_factory=list)
    functions: list[tuple[int, bytes]] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    table: list[int] = field(default_factory=list)
    globals: list[tuple[int, int]] = field(default_factory=list)
    exports: list[tuple[str, int, int]] = field(default_factory=list)
    data: list[tuple[int, bytes]] = field(default_factory=list)
    pages: int = 1
    limit: int = 1 << 16

    def signature(self, parameters: Iterable[int], results: Iterable[int]) -> int:
        """The number of a signature."""
        wanted = (tuple(parameters), tuple(results))
        if wanted not in self.signatures:
            self.signatures.append(wanted)
        return self.signatures.index(wanted)

    def encode(self) -> bytes:
        """The bytes of the module."""
        types = [
            b"\x60" + vector([bytes((k,)) for k in given]) + vector([bytes((k,)) for k in found])
            for given, found in self.signatures
        ]
        sections = [
            (1, vector(types)),
            (3, vector([unsigned(kind) for kind, _ in self.functions])),
        ]
        if self.table:
            sections.append((4, vector([bytes((FUNCREF, 0)) + unsigned(len(self.table))])))
        sections.append((5, vector([b"\x01" + unsigned(self.pages) + unsigned(self.limit)])))
        start = [bytes((kind, 1)) + _constant(kind, value) for kind, value in self.globals]
        sections += [
            (6, vector(start)),
            (7, vector([name(text) + bytes((kind,)) + unsigned(index) for text, kind, index in self.exports])),
        ]
        if self.table:
            offset = b"\x00" + _constant(I32, 0)
            sections.append((9, vector([offset + vector([unsigned(each) for each in self.table])])))
        sections.append((10, vector([unsigned(len(body)) + body for _, body in self.functions])))
        if self.data:
            parts = [b"\x00" + _constant(I32, place) + unsigned(len(part)) + part for place, part in self.data]
            sections.append((11, vector(parts)))
        found = b"\x00asm\x01\x00\x00\x00"
        for number, content in sections:
            found += bytes((number,)) + unsigned(len(content)) + content
        return found + self._named()

    def _named(self) -> bytes:
        """The custom section with the names of functions, which debuggers and traps show."""
        pairs = [unsigned(k) + name(text) for k, text in enumerate(self.names)]
        inner = vector(pairs)
        content = name("name") + b"\x01" + unsigned(len(inner)) + inner
        return b"\x00" + unsigned(len(content)) + content


def _constant(kind: int, value: int) -> bytes:
    """A constant expression."""
    return (b"\x41" if kind == I32 else b"\x42") + signed(value) + b"\x0b"
