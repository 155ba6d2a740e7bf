"""A rulebook as a tree: chapters, sections, entries and blocks. What it looks like is decided by the outputs.

Texts in it may hold links and emphasis (see `markup`); everything else in them is plain text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from regelwerk.tools.rulebook.wording import Line

Mark = Literal["", "new", "changed"]


@dataclass
class Paragraph:
    """A paragraph."""

    text: str
    citations: tuple[str, ...] = ()


@dataclass
class Items:
    """A list, perhaps numbered; its entries may have lists of their own."""

    lines: list[Line]
    numbered: bool = False
    lead: str = ""


@dataclass
class Grid:
    """A table. `citations`: of each row."""

    header: list[str]
    rows: list[list[str]]
    citations: list[tuple[str, ...]] = field(default_factory=list)
    anchors: list[str] = field(default_factory=list)


@dataclass
class Drawing:
    """A picture of a board: as SVG, and as text for where that cannot be shown."""

    caption: str
    svg: str
    text: str


@dataclass
class Flow:
    """The phase diagram: Mermaid text for pages that draw it, SVG if it could be drawn; else a note and a list."""

    mermaid: str
    svg: str | None
    note: str = ""
    lines: list[Line] = field(default_factory=list)


@dataclass
class Entry:
    """A clause that others refer to."""

    anchor: str
    title: str
    blocks: list[Block] = field(default_factory=list)
    citations: tuple[str, ...] = ()
    mark: Mark = ""
    kind: str = ""


Block = Paragraph | Items | Grid | Drawing | Flow


@dataclass
class Section:
    """A part of a chapter; without a title it is the chapter's own beginning."""

    title: str
    anchor: str
    blocks: list[Block | Entry] = field(default_factory=list)


@dataclass
class Chapter:
    """A chapter; `aid`: it is part of the player aid."""

    title: str
    anchor: str
    sections: list[Section] = field(default_factory=list)

    def entries(self) -> Iterator[Entry]:
        """Its entries in order."""
        for section in self.sections:
            for each in section.blocks:
                if isinstance(each, Entry):
                    yield each


@dataclass
class Book:
    """A rulebook, or a player aid."""

    name: str
    title: str
    subtitle: str
    chapters: list[Chapter] = field(default_factory=list)

    def entries(self) -> Iterator[Entry]:
        """All entries in order."""
        for chapter in self.chapters:
            yield from chapter.entries()

    def anchors(self) -> set[str]:
        """Everything that can be linked to."""
        found: set[str] = set()
        for chapter in self.chapters:
            found.add(chapter.anchor)
            for section in chapter.sections:
                found.add(section.anchor)
                for each in section.blocks:
                    if isinstance(each, Entry):
                        found.add(each.anchor)
                    blocks = each.blocks if isinstance(each, Entry) else [each]
                    for block in blocks:
                        if isinstance(block, Grid):
                            found.update(anchor for anchor in block.anchors if anchor)
        return found


def texts(book: Book) -> Iterator[str]:
    """All texts of a book."""
    for chapter in book.chapters:
        yield chapter.title
        for section in chapter.sections:
            yield section.title
            for each in section.blocks:
                if isinstance(each, Entry):
                    yield each.title
                for block in each.blocks if isinstance(each, Entry) else [each]:
                    yield from _texts(block)


def _texts(block: Block) -> Iterator[str]:
    if isinstance(block, Paragraph):
        yield block.text
    elif isinstance(block, Items):
        yield block.lead
        yield from _lines(block.lines)
    elif isinstance(block, Grid):
        yield from block.header
        for row in block.rows:
            yield from row


def _lines(lines: list[Line]) -> Iterator[str]:
    for line in lines:
        yield line.text
        yield from _lines(line.below)


def flat(lines: list[Line]) -> str:
    """Lines as one text, for cells of tables."""
    found = []
    for line in lines:
        if line.below:
            inner = "; ".join(flat([each]).rstrip(".") for each in line.below)
            found.append(f"{line.text.rstrip('.:')}: {inner}.")
        else:
            found.append(line.text)
    return " ".join(found)


__all__ = [
    "Block",
    "Book",
    "Chapter",
    "Drawing",
    "Entry",
    "Flow",
    "Grid",
    "Items",
    "Mark",
    "Paragraph",
    "Section",
    "flat",
    "texts",
]
