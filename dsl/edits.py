"""What recovery proposes to read instead of what stands there, and the place where it got stuck.

The modules `foreign_marks`, `foreign_words`, `braceless` and `mistakes` know one habit of authors with each function;
a habit looks at a `Place` and proposes `Edit`s.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from regelwerk.dsl.lexing import FOREIGN, Token, indentation
from regelwerk.dsl.parse_errors import Code
from regelwerk.dsl.parsing_machine import Machine, Stacks
from regelwerk.dsl.source import Span

_LOOK = 2  # tokens behind the offending one that must fit, too
LONGEST = 60  # characters of the author's text that a remedy repeats


@dataclass(slots=True)
class Edit:
    """Read `tokens` instead of those from `first` up to (without) `last`.

    always: whether or not the file can be read on then.
    skip: nothing can be put there: go on behind it, as far as need be.
    silent: the finding has been made already.
    """

    first: int
    last: int
    tokens: list[Token]
    code: Code
    message: str
    span: Span
    help: str | None
    look: int = _LOOK
    always: bool = False
    skip: bool = False
    silent: bool = False


@dataclass(slots=True)
class Place:
    """Where the machine is stuck: at `tokens[index]`. before: the stacks before each of the last tokens."""

    machine: Machine
    tokens: list[Token]
    index: int
    before: Mapping[int, Stacks]
    goal: int
    name: str
    text: str
    cell: bool  # in a cell effects are joined by `then`; in braces they follow each other
    bracing: bool  # whether missing braces may be the author's habit (else one is simply missing)
    braced: Token | None  # the closing brace put in last
    _kinds: dict[int, frozenset[str]] = field(default_factory=dict)

    @property
    def token(self) -> Token:
        """The token that does not fit."""
        return self.tokens[self.index]

    def at(self, index: int) -> Token:
        """The token there; the last one behind the end, an empty one before the beginning."""
        if index < 0:
            return Token("$START", "", 0, 0, True)
        return self.tokens[min(index, len(self.tokens) - 1)]

    def kinds(self, index: int) -> frozenset[str]:
        """What could stand at a place; nothing if it is too far back."""
        found = self._kinds.get(index)
        if found is None:
            stacks = self.before.get(index)
            kinds = self.machine.acceptable(stacks.states, self.goal) if stacks is not None else []
            found = self._kinds[index] = frozenset(kinds)
        return found

    def span(self, first: Token, last: Token | None = None) -> Span:
        """Where tokens stand."""
        return Span(self.name, first.start, (last or first).end)

    def make(self, word: str, like: Token) -> Token:
        """A token that stands where another one does."""
        if word[:1].isalpha():
            return Token("WORD", word, like.start, like.end, like.fresh)
        kind = self.machine.automaton.literals.get(word, "CMP")
        return Token(kind, word, like.start, like.end, like.fresh)

    def empty(self, word: str, place: int) -> Token:
        """A token that takes no room."""
        return Token(self.machine.automaton.literals[word], word, place, place, False)

    def source(self, first: int, last: int) -> str | None:
        """What the author wrote, if it is short and on one line."""
        text = self.text[first:last].strip()
        return text if text and "\n" not in text and len(text) <= LONGEST else None

    def declares(self, word: str, *kinds: str) -> bool:
        """Whether this file declares the name (as one of these kinds)."""
        kind = "|".join(kinds) if kinds else r"\w+"
        return re.search(rf"\b(?:{kind})\s+(?:\w+/)?{re.escape(word)}\b", self.text) is not None

    def fits(self, edit: Edit) -> bool:
        """Whether the file can be read on with an edit."""
        stacks = self.before.get(edit.first)
        if stacks is None:
            return False
        look = edit.look
        while look < 8 and self.at(max(edit.last, self.index) + look).text in ("-", ".."):
            look += 2  # a citation is joined of several tokens
        rest = self.tokens[edit.last : max(edit.last, self.index) + look]
        trial = [*self.tokens[max(edit.first - 1, 0) : edit.first], *edit.tokens, *map(unread, rest)]
        start = 1 if edit.first else 0
        return self.machine.follows(stacks.states, trial, start, len(trial), self.goal)


def unread(token: Token) -> Token:
    """The token as it was before the machine decided what it is."""
    word = token.text[:1].isalpha() or token.text[:1] == "_"
    if not word or token.kind in ("CITE", FOREIGN):
        return token
    return Token("WORD", token.text, token.start, token.end, token.fresh)


Habit = Callable[[Place], Iterator[Edit]]


def around(place: Place, mark: Token, word: str) -> str:
    """`a word b`, with what stands beside the mark, if that is simple; else the word."""
    before = place.text[max(place.text.rfind("\n", 0, mark.start) + 1, mark.start - LONGEST) : mark.start]
    left = re.search(r"[\w.]*\w(?:\([^()]*\))? *$", before)
    right = re.compile(r" *[\w.]+(?:\([^()\n]*\))?").match(place.text, mark.end, mark.end + LONGEST)
    if left is None or right is None or not (word[0].isalpha() or word == "="):
        return word
    return f"{left.group().strip()} {word} {right.group().strip()}"


def indent_of(place: Place, token: Token) -> int:
    """How far the line of a token is indented."""
    return indentation(place.text, token)
