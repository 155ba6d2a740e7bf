"""The catalogue of findings and faults: one page of Markdown for each code, in this folder.

A page `E0203.md` is

    # E0203 unknown-name

    > `…` is not the name of anything here        the messages, one a line; `…` stands for what varies
    > there is no value `…`

    What it means and what to do.

    ## Why
    ## Wrong
    ## Instead

Behind `## Wrong` and `## Instead` stands one block of rules each. A block that does not begin with `edition` is put
behind `frame.rules`, the little game of the examples. `rules whole` stands alone although it lacks its edition;
`rules with W0502` brings about W0502 as well. A page that cannot show a file has `## Not shown` instead, with the
reason. The tests run all examples, and compare the codes with those of the sources.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

FOLDER = Path(__file__).parent
HOLE = "…"
"""What stands for the varying parts of a message."""

AREAS = {
    "E01": "The text of the file",
    "E02": "Names",
    "E03": "Types, values and amounts",
    "E04": "Actions and effects",
    "E05": "Players, phases and ends",
    "E06": "Rules and triggers",
    "E07": "Things, tables, zones, resources and tracks",
    "E08": "Questions about the past",
    "E10": "Scenarios",
    "E11": "Variants",
    "E12": "Setting up",
    "E13": "Games as JSON",
    "W": "Warnings",
    "": "Faults",
}
"""The areas by the beginning of their codes; the code of a fault is a word."""

_HEAD = re.compile(r"# (\S+) ([a-z0-9]+(?:-[a-z0-9]+)+|[a-z]+)")
_BLOCK = re.compile(r"```rules((?: \S+)*)\n(.*?)```\n?", re.DOTALL)
_PARTS = ("Why", "Wrong", "Instead", "Not shown")


@dataclass(frozen=True)
class Example:
    """The rules of an example. `whole`: it is a file of its own; `besides`: further codes that it brings about."""

    text: str
    whole: bool
    besides: tuple[str, ...] = ()

    def file(self) -> str:
        """The text of the file that is meant."""
        return self.text if self.whole else frame() + self.text


@dataclass(frozen=True)
class Page:
    """What there is to say about a code.

    messages   how it is put, with `…` for what varies
    meaning    what it means and what to do; `why` the language has this rule
    wrong      a file that brings it about, and `instead` how it is meant; None where `not_shown` says why not
    """

    code: str
    name: str
    messages: tuple[str, ...]
    meaning: str
    why: str
    wrong: Example | None
    instead: Example | None
    not_shown: str

    @property
    def severity(self) -> Literal["error", "warning", "fault"]:
        """What kind of finding it is, by the letter of its code."""
        if not CODE.fullmatch(self.code):
            return "fault"
        return "warning" if self.code.startswith("W") else "error"

    @property
    def area(self) -> str:
        """The area of the code, a key of `AREAS`."""
        return area_of(self.code)

    def says(self, message: str) -> bool:
        """Whether a message is of one of the forms that stand on the page."""
        return any(_form(each).fullmatch(message) for each in self.messages)


CODE = re.compile(r"[EW]\d{4}")
"""What the code of a finding looks like."""


class PageError(ValueError):
    """A page that is not written as pages are."""


def area_of(code: str) -> str:
    """The area of a code, a key of `AREAS`."""
    if not CODE.fullmatch(code):
        return ""
    return "W" if code.startswith("W") else code[:3]


@functools.cache
def frame() -> str:
    """The little game that the examples continue."""
    return (FOLDER / "frame.rules").read_text(encoding="utf-8")


def codes() -> list[str]:
    """The codes that have a page: errors, warnings, faults."""
    found = [path.stem for path in FOLDER.glob("*.md")]
    return sorted(found, key=lambda code: ([*AREAS].index(area_of(code)) if area_of(code) in AREAS else 99, code))


def page(code: str) -> Page | None:
    """The page of a code, or None if there is none."""
    path = FOLDER / f"{code}.md"
    if not re.fullmatch(r"\w+", code) or not path.is_file():
        return None
    return read_page(path.read_text(encoding="utf-8"), path.name)


def pages() -> Iterator[Page]:
    """All pages in order."""
    for code in codes():
        found = page(code)
        assert found is not None
        yield found


def find(word: str) -> Page | None:
    """The page that a code or a name means, in whatever case; None if there is none."""
    wanted = word.strip().strip("[]`").casefold().replace("_", "-")
    for code in codes():
        if code.casefold().replace("_", "-") == wanted:
            return page(code)
    return next((each for each in pages() if each.name == wanted), None)


def name_of(code: str) -> str | None:
    """The readable name of a code, or None if it has no page."""
    found = page(code)
    return found.name if found is not None else None


@functools.cache
def _form(message: str) -> re.Pattern[str]:
    return re.compile(".*".join(re.escape(part) for part in message.split(HOLE)), re.DOTALL)


# ------------------------------------------------------------------------------------------------------ reading a page
def read_page(text: str, file: str) -> Page:
    """A page from its text; `PageError` says what is missing."""
    begin, *sections = re.split(r"^## ", text, flags=re.MULTILINE)
    head = _HEAD.match(begin)
    if head is None or head[1] != file.removesuffix(".md"):
        raise PageError(f"{file}: the first line is `# {file.removesuffix('.md')} a-readable-name`")
    lines = begin.split("\n")[1:]
    messages = tuple(line[2:].strip() for line in lines if line.startswith("> "))
    meaning = " ".join(" ".join(line for line in lines if not line.startswith(">")).split())
    parts: dict[str, str] = {}
    for section in sections:
        title, _, body = section.partition("\n")
        if title not in _PARTS or title in parts:
            raise PageError(f"{file}: `## {title}` is not one of {', '.join(_PARTS)}, or stands twice")
        parts[title] = body.strip()
    if not messages or not meaning or not parts.get("Why"):
        raise PageError(f"{file}: a page has a line `> message`, says what it means, and `## Why`")
    shown = {"Wrong", "Instead"} <= parts.keys()
    if shown == ("Not shown" in parts):
        raise PageError(f"{file}: a page has `## Wrong` and `## Instead`, or `## Not shown` with a reason")
    return Page(
        head[1],
        head[2],
        messages,
        meaning,
        " ".join(parts["Why"].split()),
        _example(parts["Wrong"], file) if shown else None,
        _example(parts["Instead"], file) if shown else None,
        " ".join(parts.get("Not shown", "").split()),
    )


def _example(text: str, file: str) -> Example:
    block = _BLOCK.fullmatch(text)
    if block is None:
        raise PageError(f"{file}: `## Wrong` and `## Instead` hold one block of ```rules each, and nothing else")
    words, rules = block[1].split(), block[2]
    besides = tuple(word for word in words if CODE.fullmatch(word))
    return Example(rules, "whole" in words or rules.startswith("edition"), besides)


__all__ = [
    "AREAS",
    "HOLE",
    "Example",
    "Page",
    "PageError",
    "area_of",
    "codes",
    "find",
    "frame",
    "name_of",
    "page",
    "pages",
    "read_page",
]
