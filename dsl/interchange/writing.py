"""A checked game as a document, and a document as text.

The same game gives the same bytes: members in the order they are declared, lists in the order of the rules.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import PurePath
from typing import Any

from regelwerk.dsl.interchange import LARGEST_DOCUMENT
from regelwerk.dsl.interchange.document import FORMAT, VERSION, Document
from regelwerk.dsl.interchange.facts import facts_of
from regelwerk.dsl.interchange.forms import forms
from regelwerk.dsl.model.game import CheckedGame
from regelwerk.dsl.source import Source
from regelwerk.dsl.syntax.base import Declaration, Node
from regelwerk.dsl.syntax.declarations import Section
from regelwerk.dsl.syntax.files import RulesFile, VariantHeader

WIDTH = 110
"""What fits into so many characters stands on one line."""


class TooLarge(Exception):
    """The document would be larger than what can be read back."""


def document_of(
    game: CheckedGame,
    file: RulesFile,
    variant: VariantHeader | None,
    declarations: Iterable[tuple[Declaration, str | None]],
) -> dict[str, Any]:
    """The document of a game without errors, from what the checker was given and what it saw.

    `declarations`: all of them, each with the library it comes from. Those of the file stand in their sections, unless
    composing has changed them.
    """
    numbers = {name: number for number, name in enumerate(game.sources)}
    own: list[Declaration] = []
    libraries: list[dict[str, Any]] = []
    for library, nodes in groupby(declarations, lambda each: each[1]):
        if library is None:
            own += [node for node, _ in nodes]
        else:
            libraries.append({"name": library, "declarations": [plain(node, numbers) for node, _ in nodes]})
    as_written = own == list(_without_sections(file.declarations))
    content = {
        "format": FORMAT,
        "version": VERSION,
        "edition": file.edition,
        "name": game.name,
        "title": game.title,
        "hash": game.source_hash,
        "sources": [
            {"name": n, "text": s.text} for n, s in zip(short_names(game.sources), game.sources.values(), strict=True)
        ],
        "rules": {
            "header": plain(file.header, numbers),
            "variant": plain(variant, numbers),
            "declarations": plain(file.declarations if as_written else tuple(own), numbers),
            "libraries": libraries,
        },
        "facts": facts_of(game, numbers).model_dump(mode="json"),
    }
    Document.model_validate(content)
    return content


def _without_sections(declarations: Iterable[Declaration]) -> Iterator[Declaration]:
    for each in declarations:
        if isinstance(each, Section):
            yield from _without_sections(each.declarations)
        else:
            yield each


def short_names(sources: Mapping[str, Source]) -> list[str]:
    """The names of the files without their folders: where they lie is nobody's business, and differs from machine to
    machine."""
    found: list[str] = []
    for name in sources:
        short = name if name.startswith("<") else PurePath(name).name or name
        candidate, number = short, 2
        while candidate in found:
            candidate, number = f"{short} ({number})", number + 1
        found.append(candidate)
    return found


def plain(value: Any, numbers: Mapping[str, int]) -> Any:
    """A tree as dicts, lists and plain values; fields that have their default are left out."""
    if isinstance(value, tuple):
        return [plain(each, numbers) for each in value]
    if not isinstance(value, Node):
        return value
    form = forms()[type(value).__name__]
    found: dict[str, Any] = {
        "node": form.name,
        "span": [numbers[value.span.source], value.span.start, value.span.end],
    }
    for field in form.fields:
        content = getattr(value, field.name)
        if field.required or content != field.default:
            found[field.name] = plain(content, numbers)
    return found


def text_of(document: Mapping[str, Any], compact: bool = False) -> str:
    """The document as text that ends with a line end; `TooLarge` if it could not be read back."""
    if compact:
        text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    else:
        parts: list[str] = []
        _lay_out(document, "", parts)
        text = "".join(parts)
    if len(text.encode()) >= LARGEST_DOCUMENT:
        raise TooLarge
    return text + "\n"


def _lay_out(value: Any, margin: str, parts: list[str]) -> None:
    """Like `json.dumps` with an indent, but what is short stays on one line."""
    line = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or not value or len(line) + len(margin) <= WIDTH:
        parts.append(line)
        return
    inner = margin + "  "
    named = isinstance(value, dict)
    parts.append("{" if named else "[")
    for number, each in enumerate(value):
        parts.append(f"{',' if number else ''}\n{inner}")
        if named:
            parts.append(f"{json.dumps(each, ensure_ascii=False)}: ")
        _lay_out(value[each] if named else each, inner, parts)
    parts.append(f"\n{margin}{'}' if named else ']'}")


__all__ = ["TooLarge", "document_of", "plain", "text_of"]
