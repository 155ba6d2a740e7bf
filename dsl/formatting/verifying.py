"""What the formatter promises: the same tokens, comments and syntax tree, whatever the layout."""

from __future__ import annotations

from dataclasses import replace

from pydantic import BaseModel

from regelwerk.dsl.diagnostics import Diagnostics, RulesError
from regelwerk.dsl.formatting.writing import LaidOut
from regelwerk.dsl.parse_errors import Code
from regelwerk.dsl.parser import parse_file
from regelwerk.dsl.source import Source
from regelwerk.dsl.syntax.files import RulesFile

_PLACES = frozenset({"span", "comments", "trailing_comments"})  # fields that say where something stands


class FormattingError(Exception):
    """The formatter would have changed what a text says: a fault of it."""


def parse(text: str, name: str) -> RulesFile:
    """The syntax tree of a text; raises `RulesError` if it has syntax errors."""
    diagnostics = Diagnostics()
    source = Source(name, text)
    parsed = parse_file(source, diagnostics)
    if parsed is None or diagnostics.failed:
        raise RulesError(diagnostics.in_order(), {name: source})
    return parsed


def require_same(before: LaidOut, tree: RulesFile, after: LaidOut, name: str) -> None:
    """Raise `FormattingError` unless the text that was laid out and the result, laid out again, say the same.

    If the result is too large, or has a line that is too long, that is said as `RulesError`.
    """
    if before.comments != after.comments:
        raise FormattingError("a comment would be lost")
    if before.words != after.words:
        raise FormattingError("a word would be lost")
    try:
        other = parse(after.text, name)
    except RulesError as error:
        message = error.diagnostics[0].message
        if {each.code for each in error.diagnostics} <= {Code.BIG_FILE, Code.LONG_LINE}:
            said = replace(error.diagnostics[0], message=f"in the style, {message}", span=None)
            raise RulesError([said], {}) from error
        raise FormattingError(f"the result has errors: {message}") from error
    different = difference(tree, other)
    if different is not None:
        raise FormattingError(f"the result would mean something else ({different})")


def difference(one: object, two: object) -> str | None:
    """What differs between two syntax trees but for places in the text; None for nothing."""
    waiting = [(one, two)]
    while waiting:
        left, right = waiting.pop()
        if type(left) is not type(right):
            return f"{type(left).__name__} and {type(right).__name__}"
        if isinstance(left, BaseModel):
            for field in type(left).model_fields:
                if field not in _PLACES:
                    waiting.append((getattr(left, field), getattr(right, field)))
        elif isinstance(left, tuple) and isinstance(right, tuple):
            if len(left) != len(right):
                return f"{len(left)} and {len(right)} parts"
            waiting.extend(zip(left, right, strict=True))
        elif left != right:
            return f"{left!r} and {right!r}"
    return None


__all__ = ["FormattingError", "difference", "parse", "require_same"]
