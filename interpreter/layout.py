"""The state image: where everything of a running game lies in one flat array of bytes.

The image begins with a header of 32-bit words, then the generator's streams, then cells grouped by width (32, 16, 8
bits), at last the frames. All offsets are constant for one configuration; `Layout.describe` publishes them and
`Layout.hash` names them in saved games. Numbers are little-endian.
"""

from __future__ import annotations

import hashlib
import sys
from dataclasses import dataclass, field
from typing import Literal

HEADER = (
    "status",
    "site",
    "actor",
    "active",
    "frame_words",
    "frames",
    "end",
    "decisions",
    "ordinal",
    "as_one",
    "explicit_chance",
    "winners",
    "passes",
    "fault",
    "turn",
    "reserved",
)
"""The names of the header's words, in order."""

(
    STATUS,
    SITE,
    ACTOR,
    ACTIVE,
    FRAME_WORDS,
    FRAMES,
    END,
    DECISIONS,
    ORDINAL,
    AS_ONE,
    EXPLICIT,
    WINNERS,
    PASSES,
    FAULT,
    TURN,
) = range(15)

UNSETTLED = 1 << 16
"""A bit of the header's word `as_one`, which else counts how many statements `as one` run: something was set without
regard to the laws (a start, what a scenario gives), so that all of them are settled as soon as one of them would be."""

RUNNING, DECISION, CHANCE, OVER, FAULTED = range(5)
"""Values of the header's word `status`."""

IMAGE_LIMIT = 64 << 10
"""The largest image in bytes (language, section 16)."""
CELLS = 4 * len(HEADER)
"""The first byte of the cells, which end where the streams begin."""

Width = Literal[8, 16, 32]


@dataclass(slots=True)
class Region:
    """`count` cells of one width from `offset` (in units of the width)."""

    name: str
    width: Width
    count: int
    lowest: int
    highest: int
    offset: int = -1


@dataclass(slots=True)
class Layout:
    """Collects regions, then places them."""

    regions: list[Region] = field(default_factory=list)
    streams: list[str] = field(default_factory=list)
    size: int = 0
    frame_offset: int = 0
    frame_words: int = 0

    def cells(self, name: str, count: int, lowest: int, highest: int) -> Region:
        """Room for `count` numbers from `lowest` to `highest`."""
        width: Width = 8 if lowest >= 0 and highest <= 255 else 16 if lowest >= -32768 and highest <= 32767 else 32
        region = Region(name, width, count, lowest, highest)
        self.regions.append(region)
        return region

    def words(self, name: str, count: int) -> Region:
        """Room for `count` 32-bit words of sets."""
        region = Region(name, 32, count, 0, 2**32 - 1)
        self.regions.append(region)
        return region

    def stream(self, name: str) -> int:
        """A stream of the generator; its number."""
        if name not in self.streams:
            self.streams.append(name)
        return self.streams.index(name)

    def place(self, frame_words: int) -> None:
        """Fix all offsets. Streams are added after the cells, so that they may be asked for late."""
        offset = CELLS
        for width in (32, 16, 8):
            for region in self.regions:
                if region.width == width:
                    region.offset = offset * 8 // width
                    offset += region.count * width // 8
        offset = -(-offset // 8) * 8
        self.stream_offset = offset
        offset += 8 * len(self.streams)
        self.frame_offset = offset // 4
        self.frame_words = frame_words
        self.size = -(-(offset + 4 * frame_words) // 16) * 16

    stream_offset: int = 0

    def describe(self) -> dict[str, object]:
        """The published layout: name, width in bits, first byte and count of every region."""
        return {
            "byte_order": "little",
            "size": self.size,
            "header": list(HEADER),
            "streams": {"offset": self.stream_offset, "names": self.streams},
            "cells": [
                {
                    "name": r.name,
                    "bits": r.width,
                    "offset": r.offset * r.width // 8,
                    "count": r.count,
                    "range": [r.lowest, r.highest],
                }
                for r in self.regions
            ],
            "frames": {"offset": self.frame_offset * 4, "words": self.frame_words},
        }

    def hash(self) -> str:
        """A name for this layout: 16 hexadecimal digits."""
        return hashlib.sha256(repr(sorted(self.describe().items())).encode()).hexdigest()[:16]


WORK = 10_000_000
"""How many passes of the loops inside conditions and values may run for one decision."""


class Image:
    """One state: the bytes, and views of them by width."""

    __slots__ = ("b", "h", "log", "memo", "u", "w", "work")

    def __init__(self, data: bytearray) -> None:
        view = memoryview(data)
        self.b = data
        self.h = view.cast("h")
        self.w = view.cast("i")
        self.u = view.cast("I")
        self.work = WORK
        self.memo: dict[object, object] | None = None
        self.log: list[tuple[object, ...]] | None = None

    def copy(self) -> Image:
        """An independent image with the same bytes."""
        return Image(self.b[:])


if sys.byteorder != "little":  # pragma: no cover
    raise ImportError("regelwerk keeps its states in little-endian order and needs such a machine")
