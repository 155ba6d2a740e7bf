"""Fixes of lints: what is taken away is taken away with the blanks, and with its line if nothing else stands there."""

from __future__ import annotations

from regelwerk.dsl.diagnostics import Fix, Replacement
from regelwerk.dsl.source import Source, Span


def removal(source: Source, span: Span, title: str) -> Fix:
    """A fix that takes away what stands at `span`; a comment behind it goes with it, and so does its line."""
    text = source.text
    start, end = span.start, span.end
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", end)
    line_end = len(text) if line_end < 0 else line_end
    behind = text[end:line_end].strip()
    before = text[line_start:start].strip()
    if not before and (not behind or behind.startswith("//")):
        return Fix(title, (Replacement(Span(source.name, line_start, min(len(text), line_end + 1)), ""),))
    while start > line_start and text[start - 1] in " \t":
        start -= 1
    if before and not behind:
        return Fix(title, (Replacement(Span(source.name, start, end), ""),))
    blank = " " if before and not before.endswith(("{", "(")) and not behind.startswith((")", ",")) else ""
    while end < line_end and text[end] in " \t":
        end += 1
    if not before:
        start = span.start
    elif before.endswith("{"):
        blank = " "
    return Fix(title, (Replacement(Span(source.name, start, end), blank),))


__all__ = ["removal"]
