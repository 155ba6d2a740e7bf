"""A rulebook as Markdown (CommonMark with tables), for repositories and wikis."""

from __future__ import annotations

import re

from regelwerk.tools.rulebook import markup
from regelwerk.tools.rulebook.book import Block, Book, Chapter, Drawing, Entry, Flow, Grid, Items, Paragraph
from regelwerk.tools.rulebook.naming import slug
from regelwerk.tools.rulebook.wording import Line

_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~$])")
_ENTITY = re.compile(r"&(?=#?\w+;)")
_START = re.compile(r"^(\s*)([-+=]|\d+[.)])(?=\s|$|[-=])")
MARKS = {"new": " *(new)*", "changed": " *(changed)*", "": ""}


def markdown(book: Book) -> str:
    """The book as Markdown text."""
    return _Writer(book).write()


def escape(text: str) -> str:
    """A text with nothing in it that Markdown or HTML would read as a sign."""
    text = _ENTITY.sub(r"\\&", _SPECIAL.sub(r"\\\1", text))
    return _START.sub(lambda found: f"{found[1]}{found[2][:-1]}\\{found[2][-1]}", text)


class _Writer:
    def __init__(self, book: Book) -> None:
        self.book = book
        self.anchors = book.anchors()
        self.lines: list[str] = []

    def write(self) -> str:
        book = self.book
        self.lines = [f"# {escape(book.title)}", "", f"*{escape(book.subtitle)}*", "", "## Contents", ""]
        for chapter in book.chapters:
            self.lines.append(f"- [{escape(chapter.title)}](#{chapter.anchor})")
        self.lines.append("")
        for chapter in book.chapters:
            self._chapter(chapter)
        return "\n".join(self.lines).rstrip("\n") + "\n"

    def _say(self, *lines: str) -> None:
        self.lines += [*lines, ""]

    def _chapter(self, chapter: Chapter) -> None:
        self._say(f'<a id="{chapter.anchor}"></a>', "", f"## {escape(chapter.title)}")
        for section in chapter.sections:
            if section.title:
                self._say(f'<a id="{section.anchor}"></a>', "", f"### {escape(section.title)}")
            elif section.anchor:
                self._say(f'<a id="{section.anchor}"></a>')
            for block in section.blocks:
                if isinstance(block, Entry):
                    self._entry(block)
                else:
                    self._block(block)

    def _entry(self, entry: Entry) -> None:
        ids = self._ids(entry.citations)
        self._say(f'<a id="{entry.anchor}"></a>', "", f"#### {self.inline(entry.title)}{MARKS[entry.mark]}{ids}")
        for block in entry.blocks:
            self._block(block)

    def _block(self, block: Block) -> None:
        if isinstance(block, Paragraph):
            self._say(f"{self.inline(block.text)}{self._ids(block.citations)}")
        elif isinstance(block, Items):
            if block.lead:
                self._say(self.inline(block.lead))
            self._list(block.lines, "", block.numbered)
            self.lines.append("")
        elif isinstance(block, Grid):
            self._grid(block)
        elif isinstance(block, Drawing):
            fence = _fence(block.text)
            self._say(f"{escape(block.caption)}:")
            self._say(f"{fence}text", *block.text.splitlines(), fence)
        elif isinstance(block, Flow):
            fence = _fence(block.mermaid)
            self._say(f"{fence}mermaid", *block.mermaid.splitlines(), fence)

    def _list(self, lines: list[Line], indent: str, numbered: bool = False) -> None:
        for number, line in enumerate(lines, 1):
            sign = f"{number}." if numbered else "-"
            self.lines.append(f"{indent}{sign} {self.inline(line.text)}{self._ids(line.citations)}")
            self._list(line.below, indent + " " * (len(sign) + 1))

    def _grid(self, grid: Grid) -> None:
        cited = any(grid.citations)
        header = [self.inline(each) or " " for each in grid.header] + (["Clauses"] if cited else [])
        self.lines.append(f"| {' | '.join(header)} |")
        self.lines.append(f"|{'---|' * len(header)}")
        for number, row in enumerate(grid.rows):
            cells = [self.inline(each) for each in row]
            if number < len(grid.anchors) and grid.anchors[number]:
                cells[0] = f'<a id="{grid.anchors[number]}"></a>{cells[0]}'
            if cited:
                cells.append(self._ids(grid.citations[number]).strip() if number < len(grid.citations) else "")
            self.lines.append(f"| {' | '.join(cells)} |")
        self.lines.append("")

    def _ids(self, ids: tuple[str, ...]) -> str:
        if not ids:
            return ""
        found = [
            f"[{escape(each)}](#{slug(f'cite-{each}')})" if slug(f"cite-{each}") in self.anchors else escape(each)
            for each in ids
        ]
        return f" \\[{', '.join(found)}\\]"

    def inline(self, text: str) -> str:
        """A text with its links and emphasis."""
        return markup.rendered(text, escape, self._link, lambda each: f"*{each}*" if each.strip() else each)

    def _link(self, target: str, text: str) -> str:
        return f"[{text}](#{target})" if target in self.anchors else f"*{text}*"


def _fence(text: str) -> str:
    """A fence longer than any in the text."""
    longest = max((len(each) for each in re.findall(r"`+", text)), default=0)
    return "`" * max(3, longest + 1)


__all__ = ["escape", "markdown"]
