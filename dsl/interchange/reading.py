"""From the text of a document to sources and syntax tree. The text is not trusted.

Size and depth are bounded before anything is built; every value is compared with its form; places must lie in the
sources of the document. What is wrong is one finding with its path in the document. What comes out is a tree such as
the parser gives, so the checker can judge it: its bounds on names, texts, numbers and depth are those of the parser.
"""

from __future__ import annotations

import functools
import json
import re
from collections import Counter
from dataclasses import dataclass
from typing import Any, NoReturn

from pydantic import ValidationError

from regelwerk.dsl.builder import wrong_range
from regelwerk.dsl.diagnostics import nearest
from regelwerk.dsl.interchange import LARGEST_DOCUMENT
from regelwerk.dsl.interchange import document as d
from regelwerk.dsl.interchange import forms as f
from regelwerk.dsl.lexing import FORBIDDEN, MAX_FILE, show
from regelwerk.dsl.parsing_machine import MAX_DEPTH
from regelwerk.dsl.source import Source, Span
from regelwerk.dsl.syntax import declarations as s
from regelwerk.dsl.syntax import expressions as x
from regelwerk.dsl.syntax.base import Citation, Declaration, Expression, Node, Statement, TypeSyntax
from regelwerk.dsl.syntax.effects import ChooseOptions
from regelwerk.dsl.syntax.files import GameHeader, VariantHeader
from regelwerk.dsl.syntax.flow import Driver, Turns
from regelwerk.dsl.syntax.rules import Role
from regelwerk.dsl.syntax.scenarios import Scene

DEEPEST = MAX_DEPTH + 16
"""Nodes inside each other. The parser bounds a file and each cell of it; a cell is never far inside its file."""
DEEPEST_TEXT = 2 * DEEPEST + 16
"""Brackets inside each other: a list around each node, and the envelope."""
_BRACKETS = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[{]|[\]}]', re.DOTALL)
"""Texts as a whole, even if never closed, and without a step back: hostile input must not cost more than other."""
_WORDS: dict[type[Node], str] = {
    Expression: "an expression",
    Declaration: "a declaration",
    Statement: "a statement",
    TypeSyntax: "a type",
    Driver: "a driver",
    Role: "a role",
    Scene: "a part of a scenario",
}


class Refused(Exception):
    """The document cannot be used: a code, what is wrong (with the path), and a remedy."""

    def __init__(self, code: str, message: str, help: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.help = help


@dataclass(frozen=True)
class Read:
    """What a document holds: the sources under their names, and the tree; `raw` is the tree as plain data."""

    hash: str
    sources: dict[str, Source]
    header: GameHeader
    variant: VariantHeader | None
    edition: int
    declarations: tuple[tuple[Declaration, str | None], ...]
    raw: dict[str, Any]


def read_document(text: str) -> Read:
    """The content of a document; `Refused` if it has none."""
    content = _parsed(text.removeprefix("\ufeff"))
    _known_version(content)
    try:
        envelope = d.Document.model_validate(content)
    except ValidationError as error:
        raise _envelope_error(error) from None
    names = [each.name for each in envelope.sources]
    if len(set(names)) < len(names):
        raise Refused("E1303", "at sources: two sources have the same name", "every source needs a name of its own")
    sources = {each.name: Source(each.name, each.text) for each in envelope.sources}
    for number, each in enumerate(envelope.sources):
        if len(each.text.encode()) > MAX_FILE:
            raise Refused("E1305", f"at sources[{number}].text: a rules text has at most 1 MiB")
    reader = _Reader(list(sources.values()))
    rules = content["rules"]
    header = reader.at("rules.header", rules["header"], (GameHeader,))
    variant = rules.get("variant")
    found: list[tuple[Declaration, str | None]] = [
        (reader.at(f"rules.declarations[{number}]", each, (Declaration,)), None)
        for number, each in enumerate(rules["declarations"])
    ]
    for number, library in enumerate(rules.get("libraries", [])):
        found += [
            (reader.at(f"rules.libraries[{number}].declarations[{place}]", each, (Declaration,)), library["name"])
            for place, each in enumerate(library["declarations"])
        ]
    return Read(
        envelope.hash,
        sources,
        header,
        reader.at("rules.variant", variant, (VariantHeader,)) if variant is not None else None,
        envelope.edition,
        tuple(found),
        rules,
    )


# ---------------------------------------------------------------------------------------------------- text and envelope
def _parsed(text: str) -> dict[str, Any]:
    if len(text) > LARGEST_DOCUMENT or len(text.encode("utf-8", "replace")) > LARGEST_DOCUMENT:
        raise Refused("E1305", "a document has at most 16 MiB")
    depth = 0
    for match in _BRACKETS.finditer(text):
        if match.group() in ("[", "{"):
            depth += 1
            if depth > DEEPEST_TEXT:
                raise _too_deep("the document")
        elif match.group() in ("]", "}"):
            depth -= 1
    try:
        content = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number, parse_int=_whole)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise Refused(
            "E1301",
            f"this is no JSON: {error.msg[:1].lower()}{error.msg[1:]} ({where})",
            "a document as `regelwerk export` writes it is JSON; a rules file begins with `edition 1`",
        ) from None
    if not isinstance(content, dict):
        raise Refused("E1302", "this is JSON, but no game", "documents are written by `regelwerk export`")
    return content


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        twice = next(name for name, count in counts.items() if count > 1)
        raise Refused("E1301", f'an object has the member "{show(twice)}" twice', "delete one of them")
    return found


def _no_number(word: str) -> NoReturn:
    raise Refused("E1301", f"this is no JSON: `{word}` is no number")


def _whole(digits: str) -> int:
    return int(digits) if len(digits) <= 18 else f.LARGEST + 1


def _known_version(content: dict[str, Any]) -> None:
    if content.get("format") != d.FORMAT:
        raise Refused(
            "E1302",
            f'this is JSON, but no game: its "format" is not "{d.FORMAT}"',
            "documents are written by `regelwerk export`",
        )
    version = content.get("version")
    if version != d.VERSION or isinstance(version, bool):
        raise Refused(
            "E1302",
            f"this regelwerk reads version {d.VERSION} of documents, and this has version {_shown(version)}",
            "export the game again with this version, or use the one that wrote it",
        )


def _envelope_error(error: ValidationError) -> Refused:
    first = error.errors(include_url=False)[0]
    path = ""
    for part in first["loc"]:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else str(part)
    wanted = {
        "missing": "this member is missing",
        "extra_forbidden": "a document has no such member",
        "string_type": "a text is expected here",
        "int_type": "a whole number is expected here",
        "list_type": "a list is expected here",
        "tuple_type": "a list is expected here",
        "model_type": "an object is expected here",
        "literal_error": f"expected is {first.get('ctx', {}).get('expected', 'another value')}",
        "string_pattern_mismatch": "expected are 16 hexadecimal digits",
    }.get(first["type"], f"this is not as it should be ({first['msg'].lower()})")
    message = f"at {show(path, 200)}: {wanted}"
    if first["type"] not in ("missing", "extra_forbidden"):
        message += f", not {_shown(first['input'])}"
    return Refused("E1303", message)


def _too_deep(what: str) -> Refused:
    return Refused("E1305", f"{what} is nested too deeply", "give its parts names (`value`, `effect`)")


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return f"a `{show(value['node'])}`" if isinstance(value.get("node"), str) else "an object"
    if isinstance(value, list):
        return "a list"
    return f"`{show(json.dumps(value, ensure_ascii=False))}`"


# ------------------------------------------------------------------------------------------------------------- the tree
@functools.cache
def _choices(bases: tuple[type[Node], ...]) -> dict[str, f.Form]:
    return {cls.__name__: f.forms()[cls.__name__] for base in bases for cls in f.concrete(base)}


@functools.cache
def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _called(bases: tuple[type[Node], ...]) -> str:
    if len(bases) == 1 and bases[0] in _WORDS:
        return _WORDS[bases[0]]
    names = [f"`{name}`" for name in _choices(bases)]
    return " or ".join([", ".join(names[:-1]), names[-1]]) if names[1:] else names[0]


class _Reader:
    """Makes nodes; `path` is where it is."""

    def __init__(self, sources: list[Source]) -> None:
        self.sources = sources
        self.path: list[str] = []
        self.depth = 0

    def at(self, place: str, value: Any, bases: tuple[type[Node], ...]) -> Any:
        """The node at a place of the document."""
        self.path = [place]
        return self.node(value, bases)

    def refuse(self, message: str, help: str | None = None, code: str = "E1303") -> NoReturn:
        raise Refused(code, f"at {show(''.join(self.path), 200)}: {message}", help)

    def node(self, value: Any, bases: tuple[type[Node], ...]) -> Node:
        """A node of one of these classes."""
        choices = _choices(bases)
        kind = value.get("node") if isinstance(value, dict) else None
        if not isinstance(kind, str):
            self.refuse(f"{_called(bases)} is expected here, not {_shown(value)}")
        form = choices.get(kind)
        if form is None:
            near = nearest(kind, choices)
            self.refuse(
                f"{_called(bases)} is expected here, not {_shown(value)}", f"did you mean `{near}`?" if near else None
            )
        self.depth += 1
        if self.depth > DEEPEST:
            raise _too_deep(f"at {show(''.join(self.path), 200)}: this")
        span = self.span(value)
        values: dict[str, Any] = {}
        for field in form.fields:
            if field.name in value:
                self.path.append(f".{field.name}")
                values[field.name] = self.value(value[field.name], field.shape)
                self.path.pop()
            elif field.required:
                self.refuse(f"a `{form.name}` needs the member `{field.name}`")
        if len(values) + 2 < len(value):
            odd = next(name for name in value if name not in values and name not in ("node", "span"))
            near = nearest(odd, [each.name for each in form.fields])
            self.refuse(
                f"a `{form.name}` has no member `{show(odd)}`", f"did you mean `{near}`?" if near else "delete it"
            )
        self.depth -= 1
        made = form.cls(span=span, **values)
        wrong = _contradiction(made)
        if wrong is not None:
            self.refuse(wrong)
        return made

    def span(self, value: dict[str, Any]) -> Span:
        """The place of a node, which lies in a source."""
        span = value.get("span")
        if not isinstance(span, list) or len(span) != 3 or any(type(each) is not int for each in span):
            self.refuse("`span` is expected: the number of a source, the first character and the one after the last")
        number, start, end = span
        if not 0 <= number < len(self.sources):
            self.refuse(f"the span names source {number} of {len(self.sources)} (counted from 0)", None, "E1304")
        source = self.sources[number]
        if not 0 <= start <= end <= len(source.text):
            length = len(source.text)
            self.refuse(
                f"the span {start}..{end} lies outside its source, which has {length} characters", None, "E1304"
            )
        return Span(source.name, start, end)

    def value(self, value: Any, shape: f.Shape) -> Any:
        """A field of a node."""
        if isinstance(shape, f.Nodes):
            return self.node(value, shape.bases)
        if isinstance(shape, f.Maybe):
            return None if value is None else self.value(value, shape.base)
        if isinstance(shape, f.Many):
            return self.many(value, shape)
        if isinstance(shape, f.Text):
            return self.text(value, shape)
        if isinstance(shape, f.Number):
            if type(value) is not int or not 0 <= value <= f.LARGEST:
                self.refuse(f"a whole number from 0 to {f.LARGEST} is expected here, not {_shown(value)}")
        elif isinstance(shape, f.Flag):
            if type(value) is not bool:
                self.refuse(f"true or false is expected here, not {_shown(value)}")
        elif not isinstance(value, str) or value not in shape.words:
            wanted = " or ".join(f'"{each}"' for each in shape.words)
            self.refuse(f"{wanted} is expected here, not {_shown(value)}")
        return value

    def many(self, value: Any, shape: f.Many) -> tuple[Any, ...]:
        """A list."""
        if not isinstance(value, list):
            self.refuse(f"a list is expected here, not {_shown(value)}")
        if len(value) < shape.fewest:
            self.refuse(f"this list has {len(value)} members, and needs at least {shape.fewest}")
        found = []
        for number, each in enumerate(value):
            self.path.append(f"[{number}]")
            found.append(self.value(each, shape.member))
            self.path.pop()
        return tuple(found)

    def text(self, value: Any, shape: f.Text) -> str:
        """A text such as can stand in a rules file."""
        if not isinstance(value, str):
            self.refuse(f"{shape.what} is expected here, not {_shown(value)}")
        if len(value) > shape.longest:
            self.refuse(f"{shape.what} has at most {shape.longest} characters, and this has {len(value)}")
        if FORBIDDEN.search(value) or "\n" in value or "\t" in value:
            self.refuse("this text has a character that cannot stand in a rules file", "delete it")
        if shape.pattern is not None and not _pattern(shape.pattern).fullmatch(value):
            self.refuse(f"{shape.what} is expected here, not {_shown(value)}")
        return value


def _contradiction(node: Node) -> str | None:
    """What the grammar would never put together, though each part is well formed."""
    if isinstance(node, s.Row) and len(node.columns) != len(node.cells):
        return f"a `Row` has as many cells as columns, not {len(node.cells)} and {len(node.columns)}"
    if isinstance(node, Citation):
        return wrong_range(node.text, node.last)
    if isinstance(node, x.Domain):
        ends = {"one": (False, False), "some": (True, True), "up_to": (False, True), "most": (False, True)}
        if (node.lowest is not None, node.highest is not None) != ends[node.form]:
            return f"a `Domain` of the form `{node.form}` has other bounds"
    if isinstance(node, Turns) and (node.first is None) == (node.following is None):
        return "`Turns` have either `first` or `following`"
    if isinstance(node, s.Track) and (node.overflow == "block") != (node.overflow_block is not None):
        return "a `Track` has an `overflow_block` if its `overflow` is `block`"
    if isinstance(node, ChooseOptions) and not node.lowest <= node.highest:
        return "`lowest` is greater than `highest`"
    return None


__all__ = ["Read", "Refused", "read_document"]
