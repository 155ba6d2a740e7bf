"""From reductions to nodes: what every builder module shares. The last stage of the front end.

The parsing machine calls `Builder.build` with the name of a production and the values of its parts. A function
registered for that name makes the node. What is no node by itself (`supply 25`, `per player`) travels as a `Part`
until its clause takes it up.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from regelwerk.dsl.automaton import Automaton
from regelwerk.dsl.diagnostics import Diagnostics
from regelwerk.dsl.lexing import LONGEST_RANGE, MAX_DIGITS, MAX_TEXT, Token, tokenize
from regelwerk.dsl.parse_errors import Code, words
from regelwerk.dsl.parsing_machine import Machine, Stuck, TooDeep
from regelwerk.dsl.source import Span
from regelwerk.dsl.syntax.base import Citation, Expression, Hole, Identifier, Text
from regelwerk.dsl.syntax.effects import Block
from regelwerk.dsl.syntax.expressions import Binary, IntLiteral

T = TypeVar("T")
RESERVED = words("if by not some every count first list sum min max none yes no happened times latest")


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a clause under the name of its production."""

    kind: str
    value: Any
    span: Span


class Cites(tuple[Citation, ...]):
    """The citations of one pair of brackets."""


class Names(tuple[Identifier, ...]):
    """Names parted by commas."""


class Group(tuple[Any, ...]):
    """Several parts of one kind (parameters, arguments, columns)."""


class Parts:
    """The children of a production, taken one after the other by their kind."""

    __slots__ = ("items",)

    def __init__(self, items: list[Any]) -> None:
        self.items = items[::-1]

    def take(self, kind: type[T]) -> T:
        """The next child, which the grammar makes sure is of this kind."""
        item = self.items.pop()
        assert isinstance(item, kind), (kind, item)
        return item

    def maybe(self, kind: type[T]) -> T | None:
        """The next child if it is of this kind."""
        if self.items and isinstance(self.items[-1], kind):
            found: T = self.items.pop()
            return found
        return None

    def token(self, kind: str) -> Token | None:
        """The next child if it is a token of this kind."""
        item = self.items[-1] if self.items else None
        if isinstance(item, Token) and item.kind == kind:
            self.items.pop()
            return item
        return None

    def part(self, *kinds: str) -> Part | None:
        """The next child if it is a part of one of these kinds."""
        item = self.items[-1] if self.items else None
        if isinstance(item, Part) and item.kind in kinds:
            self.items.pop()
            return item
        return None

    def all(self, kind: type[T]) -> list[T]:
        """All children from here on that are of this kind."""
        found: list[T] = []
        while self.items and isinstance(self.items[-1], kind):
            found.append(self.items.pop())
        return found

    def cites(self) -> tuple[Citation, ...]:
        """The citations that stand next, if any."""
        return tuple(self.maybe(Cites) or ())


Rule = Callable[["Builder", Parts, Span], Any]
Explain = Callable[["Builder", str, int, int, Code, str], None]  # entry, start, end, code, where
RULES: dict[str, Rule] = {}


def builds(*names: str) -> Callable[[Rule], Rule]:
    """Register a function for productions."""

    def register(function: Rule) -> Rule:
        for name in names:
            RULES[name] = function
        return function

    return register


class Builder:
    """Makes the nodes of one source."""

    def __init__(
        self,
        name: str,
        text: str,
        automaton: Automaton,
        diagnostics: Diagnostics,
        explain: Explain,
        *,
        sharing: bool = True,
    ) -> None:
        self.name = name
        self.explain = explain  # says what is wrong in a cell or hole
        self.text = text
        self.automaton = automaton
        self.diagnostics = diagnostics
        self.cell: str | None = None  # the cell that is being read
        self._happening: dict[str, tuple[str, str] | None] = {}
        self.machine = Machine(automaton, self.build, sharing=sharing)

    def build(self, name: str, children: list[Any], start: int, end: int) -> Any:
        """Make the node of a production."""
        return RULES[name](self, Parts(children), Span(self.name, start, end))

    # ------------------------------------------------------------------------------------------------------ small parts
    def span(self, token: Token) -> Span:
        """Where a token stands."""
        return Span(self.name, token.start, token.end)

    def identifier(self, token: Token) -> Identifier:
        """The name a token spells."""
        text = token.text if token.text.isascii() else unicodedata.normalize("NFC", token.text)
        return Identifier(span=Span(self.name, token.start, token.end), text=text)

    def declared(self, parts: Parts) -> Identifier:
        """The next child as a name that is given here, which some words cannot be."""
        token = parts.take(Token)
        if token.text in RESERVED:
            self.diagnostics.error(
                Code.RESERVED,
                f"`{token.text}` begins a value and cannot name anything",
                self.span(token),
                f"for example `{token.text}_`",
            )
        return self.identifier(token)

    def check_happening(self, name: Identifier) -> None:
        """Report the keyword of a statement where a value is wanted, unless something of that name is declared."""
        if name.text not in self._happening:
            from regelwerk.dsl.mistakes import happening, is_happening  # only needed in this rare case

            variant = re.search(r'^\s*variant\s+\w+\s+"', self.text, re.MULTILINE)  # its base may declare it
            found = variant is None and is_happening(name.text, self.text)
            self._happening[name.text] = happening(name.text) if found else None
        said = self._happening[name.text]
        if said is None:
            return
        line = self.text.rfind("\n", 0, name.span.start) + 1
        branch = _BRANCH.search(self.text, line, name.span.start) if self.cell is not None else None
        if branch is None:
            self.diagnostics.error(Code.UNEXPECTED, said[0], name.span, said[1])
        elif branch.group(2) == "then":
            condition = branch.group(1).strip()
            self.diagnostics.error(
                Code.CELL,
                f"{self.cell}: after `{condition}` an effect stands in braces",
                Span(self.name, branch.start(2), branch.end(2)),
                f"write `{condition} {{ {name.text} ... }}`",
            )

    def expect_range(self, value: Expression) -> None:
        """Report `2-4` where `2..4` is meant."""
        if isinstance(value, Binary) and value.operator == "-":
            low, high = value.left, value.right
            if isinstance(low, IntLiteral) and isinstance(high, IntLiteral) and low.value < high.value:
                help = f"write `{low.value}..{high.value}`"
                self.diagnostics.error(Code.UNEXPECTED, "a range is written with two dots", value.span, help)

    def named(self, parts: Parts) -> Identifier:
        """The next child as a name that is used here."""
        return self.identifier(parts.take(Token))

    def plain(self, parts: Parts) -> str | None:
        """The next child as a text without holes, if it is a text."""
        token = parts.token("STRING")
        return token.text[1:-1] if token is not None else None

    def text_of(self, parts: Parts) -> Text | None:
        """The next child as a text with holes, if it is a text."""
        token = parts.token("STRING")
        return self.make_text(token) if token is not None else None

    def once(self, parts: Iterable[Part]) -> dict[str, Part]:
        """Parts by kind; one that is written twice is reported and the first one counts."""
        found: dict[str, Part] = {}
        for part in parts:
            if part.kind in found:
                self.diagnostics.error(Code.TWICE, "this is said twice", part.span, "delete one of them")
            else:
                found[part.kind] = part
        return found

    # ------------------------------------------------------------------------------------------ texts and other islands
    def island(self, entry: str, start: int, end: int, code: Code, where: str) -> Any:
        """Parse a part of the text by itself; None, and a diagnostic that says where, if that fails."""
        tokens = tokenize(self.name, self.text, start, end, self.automaton.literals, self.diagnostics).tokens
        try:
            return self.machine.run(entry, tokens)
        except TooDeep as error:
            self.diagnostics.error(Code.DEEP, f"{where} is nested too deeply", Span(self.name, error.start, error.end))
        except Stuck:
            self.explain(self, entry, start, end, code, where)
        return None

    def make_text(self, token: Token) -> Text:
        """A text with its holes parsed."""
        raw, span = token.text[1:-1], self.span(token)
        unclosed = token.end - token.start != len(token.text)
        if ("{" not in raw and "}" not in raw) or unclosed or len(raw) > MAX_TEXT:
            return Text(span=span, raw=raw, tail=raw)
        holes: list[Hole] = []
        plain, place, base = "", 0, token.start + 1
        while place < len(raw):
            character = raw[place]
            if raw[place : place + 2] in ("{{", "}}"):
                plain += character
                place += 2
            elif character == "}":
                self.diagnostics.error(
                    Code.STRAY_BRACE,
                    "`}` closes nothing in this text",
                    Span(self.name, base + place, base + place + 1),
                    "a brace itself is `}}`",
                )
                place += 1
            elif character == "{":
                end = _matching(raw, place)
                if end is None:
                    self.diagnostics.error(
                        Code.OPEN_HOLE,
                        "`{` is never closed in this text",
                        Span(self.name, base + place, base + place + 1),
                        "a brace itself is `{{`",
                    )
                    break
                value = self.island("hole", base + place + 1, base + end, Code.HOLE, "this hole")
                if isinstance(value, Expression):
                    holes.append(Hole(span=Span(self.name, base + place, base + end + 1), plain=plain, value=value))
                    plain = ""
                place = end + 1
            else:
                plain += character
                place += 1
        return Text(span=span, raw=raw, holes=tuple(holes), tail=plain)


_BRANCH = re.compile(r"(\bif\b[^|]*?)\b(then|else) +$")


def _matching(raw: str, place: int) -> int | None:
    depth = 0
    for index in range(place, len(raw)):
        if raw[index] == "{":
            depth += 1
        elif raw[index] == "}":
            depth -= 1
            if depth == 0:
                return index
    return None


# -------------------------------------------------------------------------------------- names, paths, citations, blocks
@builds("names")
def _names(b: Builder, parts: Parts, span: Span) -> Names:
    return Names(b.identifier(token) for token in parts.all(Token))


def citation(b: Builder, token: Token) -> Citation:
    """One clause of a rulebook, or a range of them."""
    text, dots, digits = token.text.partition("..")
    last = int(digits[:MAX_DIGITS]) if dots else None
    wrong = wrong_range(text, last)
    if wrong is not None:
        b.diagnostics.error(Code.CITATION, wrong, b.span(token), "for example `[A-012..014]`")
        last = None
    return Citation(span=b.span(token), text=text, last=last)


def wrong_range(text: str, last: int | None) -> str | None:
    """What is wrong with the clauses from `text` to the one numbered `last`."""
    digits = re.search("[0-9]{1,9}$", text)
    if last is None:
        return None
    if digits is None:
        return f"a range of clauses cannot begin with `{text}`, which ends in a letter"
    if not 0 <= last - int(digits.group()) < LONGEST_RANGE:
        return f"a range of clauses goes up, and has at most {LONGEST_RANGE} clauses"
    return None


@builds("cites", "cell_cites")
def _cites(b: Builder, parts: Parts, span: Span) -> Cites:
    return Cites(citation(b, token) for token in parts.all(Token))


@builds("block")
def _block(b: Builder, parts: Parts, span: Span) -> Block:
    return Block(span=span, statements=tuple(parts.items[::-1]))


@builds("seq")
def _sequence(b: Builder, parts: Parts, span: Span) -> Block:
    return Block(span=span, statements=tuple(parts.items[::-1]), braces=False)
