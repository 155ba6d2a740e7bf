"""A rulebook as one HTML page: no script, no network, its style inside; prints on A4."""

from __future__ import annotations

from html import escape as escape_html

from regelwerk.tools.rulebook import markup
from regelwerk.tools.rulebook.book import Block, Book, Chapter, Drawing, Entry, Flow, Grid, Items, Paragraph, Section
from regelwerk.tools.rulebook.naming import slug
from regelwerk.tools.rulebook.wording import Line

MARKS = {"new": "new", "changed": "changed", "": ""}

STYLE = """
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 52rem; padding: 1.5rem 1.2rem 4rem; background: #fff; color: #1c2430;
  font: 16px/1.5 Georgia, "Times New Roman", serif; }
h1, h2, h3, h4, nav, th, .ids, .mark { font-family: system-ui, "Segoe UI", Helvetica, Arial, sans-serif; }
h1 { font-size: 2.1rem; line-height: 1.15; margin: 0; }
.subtitle { color: #5a6472; margin: .2rem 0 1.5rem; font-style: italic; }
h2 { font-size: 1.45rem; margin: 2.6rem 0 .8rem; padding-bottom: .25rem; border-bottom: 2px solid #2f5d8a; }
h3 { font-size: 1.12rem; margin: 1.8rem 0 .5rem; color: #2f5d8a; }
h4 { font-size: 1rem; margin: 1.3rem 0 .3rem; }
p { margin: .3rem 0 .5rem; }
ul, ol { margin: .2rem 0 .6rem; padding-left: 1.5rem; }
li { margin: .12rem 0; }
a { color: #1f4e79; text-decoration: none; border-bottom: 1px dotted #9db4cb; }
a:hover { border-bottom-style: solid; }
em { font-style: italic; }
nav { background: #f6f7f9; border: 1px solid #dde3ea; padding: .7rem 1rem; columns: 2; font-size: .92rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
.ids { font-size: .7rem; font-weight: normal; color: #5a6472; white-space: normal; }
.ids a { color: inherit; border: 0; }
.mark { font-size: .68rem; font-weight: normal; color: #fff; background: #8a5a2f; border-radius: .6rem;
  padding: .05rem .5rem; vertical-align: 2px; }
.entry.new, .entry.changed { border-left: 3px solid #8a5a2f; padding-left: .7rem; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 1rem; font-size: .9rem; }
th, td { border: 1px solid #d5dbe2; padding: .25rem .45rem; text-align: left; vertical-align: top; }
th { background: #eceff3; font-size: .8rem; }
tbody tr:nth-child(even) { background: #fafbfc; }
figure { margin: .8rem 0; } figcaption { color: #5a6472; font-size: .85rem; }
figure svg { max-width: 100%; height: auto; display: block; }
.index ul { columns: 2; font-size: .9rem; }
@page { size: A4; margin: 16mm 15mm; }
@media print {
  body { max-width: none; padding: 0; font-size: 10pt; }
  a { color: inherit; border: 0; }
  nav { break-after: page; }
  h2 { break-after: avoid; } h3, h4 { break-after: avoid; }
  .entry, tr, figure, li { break-inside: avoid; }
  thead { display: table-header-group; }
  figure svg { max-height: 215mm; }
}
"""
AID_STYLE = """
body { max-width: none; padding: 0; font: 9.2pt/1.28 Georgia, "Times New Roman", serif; }
h1 { font-size: 14pt; } .subtitle { margin: 0 0 2mm; }
main { columns: 2; column-gap: 6mm; }
h2 { font-size: 10.5pt; margin: 2mm 0 1mm; padding-bottom: .3mm; border-bottom-width: 1px; break-after: avoid; }
h4 { font-size: 9.2pt; margin: 1.2mm 0 0; break-after: avoid; }
p, ul, ol { margin: .3mm 0 .8mm; } ul, ol { padding-left: 4mm; } li { margin: 0; }
section { break-inside: auto; }
@page { size: A4; margin: 10mm; }
@media screen { body { width: 190mm; margin: 10mm auto; } }
"""


def html(book: Book, aid: bool = False, extra_style: str = "") -> str:
    """The book as a page; an aid is set small and in columns."""
    return _Writer(book, aid, extra_style).write()


def escape(text: str) -> str:
    """A text with nothing in it that HTML would read as a sign."""
    return escape_html(text, quote=True)


class _Writer:
    def __init__(self, book: Book, aid: bool, extra_style: str) -> None:
        self.book = book
        self.aid = aid
        self.extra_style = extra_style
        self.anchors = book.anchors()
        self.parts: list[str] = []

    def write(self) -> str:
        book = self.book
        style = STYLE + (AID_STYLE if self.aid else "") + self.extra_style
        self._say(
            "<!DOCTYPE html>", '<html lang="en">', "<head>", '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src \'unsafe-inline\'">',
            f"<title>{escape(book.title)}</title>", f"<style>{style}</style>", "</head>", "<body>",
            f"<h1>{escape(book.title)}</h1>", f'<p class="subtitle">{escape(book.subtitle)}</p>',
        )  # fmt: skip
        if not self.aid:
            self._say('<nav aria-label="Contents">', "<ul>")
            for chapter in book.chapters:
                self._say(f'<li><a href="#{escape(chapter.anchor)}">{escape(chapter.title)}</a></li>')
            self._say("</ul>", "</nav>")
        self._say("<main>")
        for chapter in book.chapters:
            self._chapter(chapter)
        self._say("</main>", "</body>", "</html>")
        return "\n".join(self.parts) + "\n"

    def _say(self, *parts: str) -> None:
        self.parts += parts

    def _chapter(self, chapter: Chapter) -> None:
        kind = ' class="index"' if chapter.anchor == "index" else ""
        self._say(f'<section id="{escape(chapter.anchor)}"{kind}>', f"<h2>{escape(chapter.title)}</h2>")
        for section in chapter.sections:
            self._section(section)
        self._say("</section>")

    def _section(self, section: Section) -> None:
        self._say(f'<div id="{escape(section.anchor)}">')
        if section.title:
            self._say(f"<h3>{escape(section.title)}</h3>")
        for block in section.blocks:
            if isinstance(block, Entry):
                self._entry(block)
            else:
                self._block(block)
        self._say("</div>")

    def _entry(self, entry: Entry) -> None:
        mark = f' <span class="mark">{MARKS[entry.mark]}</span>' if entry.mark else ""
        kind = f"entry {entry.mark}".strip()
        self._say(f'<div class="{kind}" id="{escape(entry.anchor)}">')
        self._say(f"<h4>{self.inline(entry.title)}{mark}{self._ids(entry.citations)}</h4>")
        for block in entry.blocks:
            self._block(block)
        self._say("</div>")

    def _block(self, block: Block) -> None:
        if isinstance(block, Paragraph):
            self._say(f"<p>{self.inline(block.text)}{self._ids(block.citations)}</p>")
        elif isinstance(block, Items):
            if block.lead:
                self._say(f"<p>{self.inline(block.lead)}</p>")
            self._list(block.lines, block.numbered)
        elif isinstance(block, Grid):
            self._grid(block)
        elif isinstance(block, Drawing):
            self._say("<figure>", block.svg, f"<figcaption>{escape(block.caption)}</figcaption>", "</figure>")
        elif isinstance(block, Flow):
            if block.svg is not None:
                self._say("<figure>", block.svg, "<figcaption>The phases of the game</figcaption>", "</figure>")
            elif block.note:
                self._say(f"<p><em>{escape(block.note)}</em></p>")
                self._list(block.lines)

    def _list(self, lines: list[Line], numbered: bool = False) -> None:
        if not lines:
            return
        tag = "ol" if numbered else "ul"
        self._say(f"<{tag}>")
        for line in lines:
            self._say(f"<li>{self.inline(line.text)}{self._ids(line.citations)}")
            self._list(line.below)
            self._say("</li>")
        self._say(f"</{tag}>")

    def _grid(self, grid: Grid) -> None:
        cited = any(grid.citations)
        header = [*grid.header, *(["Clauses"] if cited else [])]
        self._say(
            "<table>", "<thead><tr>" + "".join(f"<th>{self.inline(each)}</th>" for each in header) + "</tr></thead>"
        )
        self._say("<tbody>")
        for number, row in enumerate(grid.rows):
            place = grid.anchors[number] if number < len(grid.anchors) else ""
            cells = [f"<td>{self.inline(each)}</td>" for each in row]
            if cited:
                cells.append(
                    f"<td>{self._ids(grid.citations[number]).strip() if number < len(grid.citations) else ''}</td>"
                )
            name = f' id="{escape(place)}"' if place else ""
            self._say(f"<tr{name}>{''.join(cells)}</tr>")
        self._say("</tbody>", "</table>")

    def _ids(self, ids: tuple[str, ...]) -> str:
        if not ids or self.aid:
            return ""
        found = []
        for each in ids:
            target = slug(f"cite-{each}")
            found.append(f'<a href="#{escape(target)}">{escape(each)}</a>' if target in self.anchors else escape(each))
        return f' <span class="ids">[{", ".join(found)}]</span>'

    def inline(self, text: str) -> str:
        """A text with its links and emphasis."""
        return markup.rendered(text, escape, self._link, lambda each: f"<em>{each}</em>")

    def _link(self, target: str, text: str) -> str:
        return (
            f'<a href="#{escape(target)}">{text}</a>'
            if target in self.anchors
            else text
            if self.aid
            else f"<em>{text}</em>"
        )


__all__ = ["escape", "html"]
