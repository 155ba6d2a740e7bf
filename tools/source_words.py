"""Words for people out of a checked game: names as they are printed, and the author's own text by its spans."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.source import Source, Span

_TEXT_OR_COMMENT = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*')
ELLIPSIS = "…"


def as_title(name: str) -> str:
    """A name as a heading: `first_player` is "First player"."""
    words = name.replace("_", " ").strip() or name
    return words[:1].upper() + words[1:]


def shorten(text: str, width: int) -> str:
    """At most `width` characters, cut at a word where that loses little."""
    if len(text) <= width:
        return text
    cut = text[: width - 1]
    space = cut.rfind(" ")
    return (cut[:space] if space > width * 2 // 3 else cut).rstrip(" ,;:({[") + ELLIPSIS


def wrap(text: str, width: int) -> list[str]:
    """The text in lines of about `width` characters; only longer words make longer lines."""
    lines: list[str] = []
    for word in text.split():
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _parts(value: object) -> Iterator[object]:
    """The typed nodes directly below a node; declarations are not entered."""
    if isinstance(value, x.Expr | x.Head | x.Binder | x.Template | t.Stmt | t.Amount | t.Alternative):
        assert is_dataclass(value)
        for field in fields(value):
            if field.name not in ("span", "type"):
                yield from _nodes(getattr(value, field.name))


def _nodes(value: object) -> Iterator[object]:
    if isinstance(value, list | tuple):
        for each in value:
            yield from _nodes(each)
    elif isinstance(value, x.Expr | x.Head | x.Binder | x.Template | t.Stmt | t.Amount | t.Alternative):
        yield value


def walk(value: object) -> Iterator[object]:
    """The typed nodes in a value and all nodes below them, in the order of their fields; not into declarations."""
    for node in _nodes(value):
        yield node
        for part in _parts(node):
            yield from walk(part)


class SourceWords:
    """Reads the author's text of typed nodes."""

    def __init__(self, sources: Mapping[str, Source]) -> None:
        self.sources = sources

    def span(self, span: Span) -> str:
        """The text of a span on one line, without comments."""
        source = self.sources.get(span.source)
        if source is None:
            return ""
        raw = source.text[span.start : span.end]
        bare = _TEXT_OR_COMMENT.sub(lambda match: match[0] if match[0].startswith('"') else " ", raw)
        return " ".join(bare.split())

    def node(self, node: x.Expr) -> str:
        """The text of an expression."""
        return self.span(node.span)

    def elements(self, source: x.Expr) -> str:
        """The text of what a loop goes through: a collection, with its condition if it has one."""
        for each in walk(source):
            if isinstance(each, x.Filter) and each.span == source.span:
                return f"{self.node(each.collection)} where {self.node(each.condition)}"
        return self.node(source)

    def template(self, template: x.Template) -> str:
        """A printed text; its holes as they are written."""
        return "".join(part if isinstance(part, str) else f"{{{self.node(part)}}}" for part in template.parts)

    def statements(self, body: t.Stmt | None) -> list[str]:
        """The text of a body, a line for each statement."""
        if body is None:
            return []
        if isinstance(body, t.Sequence):
            inner = [self.span(each.span) for each in body.statements]
            lines = [each for each in inner if each]
            return lines or ["nothing"]
        text = self.span(body.span)
        return [text] if text else []

    def amount(self, amount: t.Amount) -> str:
        """An amount: numbers with their nouns, constants by what they stand for where that is short."""
        found = []
        for unit, count in amount.parts:
            number = self.node(count)
            if isinstance(unit, g.Unit):
                number += f" {unit.words.one if number == '1' else unit.words.many}"
            found.append(number)
        found += [self.tally(each) for each in amount.tallies]
        return " + ".join(each for each in found if each)

    def tally(self, expr: x.Expr) -> str:
        """An amount that is a value: a constant by what it stands for where that is short."""
        text = self.node(expr)
        for each in walk(expr):
            if isinstance(each, x.ConstantRead) and each.symbol.name == text and each.symbol.value is not None:
                meaning = self.node(each.symbol.value)
                return meaning if 0 < len(meaning) <= 24 else as_title(text).lower()
        return text


def spoken_list(words: Iterable[str], last: str = "and") -> str:
    """`A, B and C`."""
    items = list(words)
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"


__all__ = ["SourceWords", "as_title", "shorten", "spoken_list", "walk", "wrap"]
