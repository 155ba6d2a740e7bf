"""Makes HTML pages of the documentation, to be read in a browser: python docs/make_site.py [FOLDER]

The pages are plain Markdown and are read as such wherever the repository is shown. This gives the same pages with
coloured rules, and needs nothing that regelwerk does not bring along (rich has a Markdown parser and Pygments). Links
between pages lead to pages; other files that are linked are copied.
"""

from __future__ import annotations

import html
import os
import re
import shutil
import sys
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from regelwerk.tools.pygments_lexer import RulesLexer

ROOT = Path(__file__).resolve().parents[1]
FRONT = "docs/index.html"
FORMATTER = HtmlFormatter(style="friendly", nowrap=True)
STYLE = """\
:root { color-scheme: light }
body { max-width: 54rem; margin: 0 auto; padding: 0 1rem 4rem; font: 16px/1.55 system-ui, sans-serif; color: #1c2430 }
nav { padding: .8rem 0; border-bottom: 1px solid #d5dae1; font-size: .9rem }
a { color: #1f5fa8 }
pre { background: #f6f7f9; border: 1px solid #e3e7ec; border-radius: 6px; padding: .7rem .9rem; overflow-x: auto }
code { font: .88em/1.45 ui-monospace, Consolas, monospace }
table { border-collapse: collapse; display: block; overflow-x: auto }
th, td { border: 1px solid #d5dae1; padding: .3rem .6rem; text-align: left; vertical-align: top }
img { max-width: 100% }
"""
PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="stylesheet" href="{root}style.css">
</head>
<body>
<nav><a href="{root}docs/index.html">Regelwerk</a></nav>
<main>
{body}
</main>
</body>
</html>
"""


def sources() -> list[Path]:
    """The pages, from the top of the repository."""
    top = [ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")]
    return [*top, *sorted((ROOT / "docs").rglob("*.md"))]


def slug(heading: str) -> str:
    """The anchor of a heading, as the usual viewers of Markdown make it."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def coloured(code: str, language: str, _: str) -> str:
    """A block of code as HTML."""
    if language == "rules":
        return str(highlight(code, RulesLexer(), FORMATTER))
    try:
        return str(highlight(code, get_lexer_by_name(language), FORMATTER)) if language else ""
    except ClassNotFound:
        return ""


def plain(token: Token) -> str:
    """The text of a heading."""
    return "".join(each.content for each in token.children or [])


class Site:
    """Writes pages and what they link to into a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.markdown = MarkdownIt("commonmark", {"highlight": coloured}).enable("table")
        self.copied: set[Path] = set()

    def build(self) -> list[Path]:
        """Write everything; the pages that were written."""
        self.folder.mkdir(parents=True, exist_ok=True)
        pages = [self.page(each) for each in sources()]
        (self.folder / "style.css").write_text(STYLE + FORMATTER.get_style_defs("pre"), encoding="utf-8")
        forward = f'<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url={FRONT}">\n'
        (self.folder / "index.html").write_text(forward, encoding="utf-8")
        return pages

    def page(self, source: Path) -> Path:
        """Write one page."""
        tokens = self.markdown.parse(source.read_text(encoding="utf-8"))
        title = "Regelwerk"
        used: dict[str, int] = {}
        for token, after in pairwise(tokens):
            if token.type == "heading_open":
                anchor = slug(plain(after))
                used[anchor] = used.get(anchor, 0) + 1
                token.attrSet("id", anchor if used[anchor] == 1 else f"{anchor}-{used[anchor] - 1}")
                title = plain(after) if token.tag == "h1" else title
        for token in tokens:
            for child in token.children or []:
                self.link(child, source)
        body = self.markdown.renderer.render(tokens, self.markdown.options, {})
        target = (self.folder / source.relative_to(ROOT)).with_suffix(".html")
        target.parent.mkdir(parents=True, exist_ok=True)
        root = "../" * (len(target.relative_to(self.folder).parts) - 1)
        target.write_text(PAGE.format(title=html.escape(title), root=root, body=body), encoding="utf-8")
        return target

    def link(self, token: Token, source: Path) -> None:
        """Let a link lead to the page, or to a copy of the file."""
        name = "href" if token.type == "link_open" else "src" if token.type == "image" else ""
        address = str(token.attrGet(name) or "") if name else ""
        place, mark, anchor = address.partition("#")
        if not place or re.match(r"[a-z]+:", place):
            return
        path = Path(os.path.normpath(source.parent / place))
        if path in sources():
            token.attrSet(name, f"{place[: -len('.md')]}.html{mark}{anchor}")
        elif path.is_file():
            self.copy(path)
        elif path.is_dir():
            token.attrs.pop(name)  # a folder of sources is no page

    def copy(self, path: Path) -> None:
        """Copy a file that is linked to its place in the site."""
        if path not in self.copied:
            self.copied.add(path)
            target = self.folder / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)


def main(arguments: list[str]) -> None:
    """Builds the site."""
    folder = Path(arguments[0]) if arguments else ROOT / "build" / "site"
    pages = Site(folder).build()
    print(f"wrote {len(pages)} pages to {folder}; begin with {folder / FRONT}")


if __name__ == "__main__":
    main(sys.argv[1:])
