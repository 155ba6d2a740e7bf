"""Words for typed expressions and statements: who knows the forms, and how local variables are spoken of.

A form registers what it says: `noun_for` a phrase (`the player's coins`), `clause_for` a clause that can be denied
(`the player has no coins`), `lines_for` an instruction (`Gain 2 coins.`). Which module says what:

reading     what a game stores: things, places, goods, states, history
computing   numbers, amounts, sets and choices between values
holding     conditions
picking     heads: what is chosen, gone through or asked about
doing       statements
running     phases with their drivers, rules and triggers
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import BoolType, IntType, TallyType, Type, strip
from regelwerk.tools.rulebook import english as en
from regelwerk.tools.rulebook import naming
from regelwerk.tools.rulebook.english import YOU, Phrase
from regelwerk.tools.rulebook.markup import emphasis, own, plain


@dataclass
class Line:
    """An instruction or condition, with what belongs to it below."""

    text: str
    below: list[Line] = field(default_factory=list)
    citations: tuple[str, ...] = ()


NounMaker = Callable[["Words", Any], Phrase]
ClauseMaker = Callable[["Words", Any, bool], str]
LinesMaker = Callable[["Words", Any], list[Line]]
NOUNS: dict[type[x.Expr], NounMaker] = {}
CLAUSES: dict[type[x.Expr], ClauseMaker] = {}
LINES: dict[type[t.Stmt], LinesMaker] = {}
F = TypeVar("F", bound=Callable[..., Any])

MARK = 0xE100
"""A private character stands for a variable until it is known how the sentence begins."""


def noun_for(*kinds: type[x.Expr]) -> Callable[[F], F]:
    """Registers the phrase of some forms."""
    return _registering(NOUNS, kinds)


def clause_for(*kinds: type[x.Expr]) -> Callable[[F], F]:
    """Registers the clause of some forms; the second argument says whether it holds or not."""
    return _registering(CLAUSES, kinds)


def lines_for(*kinds: type[t.Stmt]) -> Callable[[F], F]:
    """Registers the instructions of some forms."""
    return _registering(LINES, kinds)


def _registering(table: dict[Any, Any], kinds: Sequence[type]) -> Callable[[F], F]:
    def register(made: F) -> F:
        for kind in kinds:
            assert kind not in table, kind
            table[kind] = made
        return made

    return register


class Words:
    """Says things about one game."""

    def __init__(self, game: g.CheckedGame) -> None:
        self.game = game
        self.frame = g.Frame()
        self.known: dict[int, Phrase] = {}
        self.taken: dict[int, str] = {}
        self.acting: Phrase | None = None

    # ------------------------------------------------------------------------------------------------------- the forms
    def noun(self, node: x.Expr) -> Phrase:
        """A phrase for the value of an expression."""
        made = NOUNS.get(type(node))
        if made is not None:
            return made(self, node)
        return Phrase(f"whether {self.clause(node)}")

    def clause(self, node: x.Expr, holds: bool = True) -> str:
        """A clause that says that a condition holds, or that it does not."""
        made = CLAUSES.get(type(node))
        if made is not None:
            return made(self, node, holds)
        if isinstance(strip(node.type), BoolType):
            return f"{self.noun(node)} is {'yes' if holds else 'no'}"
        return f"{self.noun(node)} {'is there' if holds else 'is not there'}"

    def lines(self, statement: t.Stmt | None) -> list[Line]:
        """Instructions for a statement."""
        return [] if statement is None else LINES[type(statement)](self, statement)

    def text(self, node: x.Expr) -> str:
        """The phrase of an expression as text."""
        return self.noun(node).text

    # ----------------------------------------------------------------------------------------------- local variables
    @contextmanager
    def within(self, frame: g.Frame, known: dict[int, Phrase] | None = None) -> Iterator[None]:
        """Inside a body with its own local variables; slot 0 is `you`."""
        kept = self.frame, self.known, self.taken
        self.frame, self.known, self.taken = frame, {0: YOU, **(known or {})}, {}
        try:
            yield
        finally:
            self.frame, self.known, self.taken = kept

    @contextmanager
    def inner(self) -> Iterator[None]:
        """What is introduced inside is forgotten behind it."""
        known, taken = dict(self.known), dict(self.taken)
        try:
            yield
        finally:
            self.known, self.taken = known, taken

    def introduce(self, slot: int, kind: Type, name: str = "", noun: g.Words | None = None) -> str:
        """A variable gets its name, `the hex`; gives the noun without an article, told apart if it is needed twice."""
        name = name or (self.frame.names[slot] if slot < len(self.frame.names) else "it")
        words = noun or naming.named(name, kind)
        several = naming.is_several(kind)
        word = words.many if several else words.one
        bare = strip(kind)
        if isinstance(bare, IntType | BoolType | TallyType) and noun is None:
            shown = emphasis(own(name.replace("_", " ")))
            if isinstance(bare, TallyType) and name in naming.NO_NOUNS:
                shown = "the amount"
            self.known[slot] = Phrase(shown, isinstance(bare, TallyType) and naming.sounds_many(name))
            self.taken[slot] = word
            return shown
        if word in self.taken.values():
            word = f"{word} {emphasis(own(name.replace('_', ' ')))}" if plain(word) != name else f"other {word}"
        self.taken[slot] = word
        self.known[slot] = Phrase(en.the(word), several)
        return word

    def parameters(self, parameters: Sequence[tuple[str, Type]], slots: Sequence[int]) -> list[str]:
        """The parameters of a value or effect get their names."""
        return [
            self.introduce(slot, kind, name)
            for (name, kind), slot in zip(parameters, slots[-len(parameters) :], strict=False)
        ]

    def marked(self, slot: int, many: bool = False, long: bool = False) -> str:
        """A mark stands for a variable; gives the mark."""
        mark = chr(MARK + slot % 0x700)
        self.known[slot] = Phrase(mark, many, long=long)
        return mark

    # --------------------------------------------------------------------------------------------------------- common
    def template(self, template: x.Template) -> str:
        """A printed text; its holes in words."""
        parts = [own_part(part) if isinstance(part, str) else self._hole(part) for part in template.parts]
        return "".join(parts).strip()

    def _hole(self, node: x.Expr) -> str:
        text = self.text(node)
        return text[4:] if text.startswith("the ") and "’s " not in text else text

    def quoted(self, template: x.Template) -> str:
        """A printed text in marks."""
        return f"“{self.template(template)}”"

    def sentence_lines(self, text: str, below: list[Line] | None = None) -> list[Line]:
        """One line."""
        return [Line(en.sentence(text), below or [])]


def own_part(text: str) -> str:
    """A part of a text of the author; blanks at its ends matter."""
    inner = own(text)
    return f"{' ' if text[:1].isspace() else ''}{inner}{' ' if inner and text[-1:].isspace() else ''}"


SUBJECT = re.compile(r" (?:is|are|has|have|does|do|can|cannot|may|must|counts?|holds?|gains?|loses?|pays?)\b")


OBJECTS = (" is", " are", " than", " as", " to", " of", " on", " in", " for", " from", " with")
"""What stands before an object."""


def replaced(text: str, mark: str, first: str, then: str) -> str:
    """The text with its marks spoken: the first one `first`, later ones `then`; `them` is `they` before a verb."""
    place = text.find(mark)
    if place < 0:
        return text
    head, rest = text[:place], text[place + 1 :]
    return f"{head}{_owned(first, rest)}{_spoken(rest.removeprefix('’s'), mark, then)}"


def _spoken(text: str, mark: str, word: str) -> str:
    found = text.split(mark)
    result = found[0]
    for piece in found[1:]:
        begins = SUBJECT.match(piece) and not result.rstrip().endswith(OBJECTS)
        spoken = "they" if word == "them" and begins else word
        result += f"{_owned(spoken, piece)}{piece.removeprefix('’s')}"
    return result


def _owned(word: str, rest: str) -> str:
    """A word, with its apostrophe if the text goes on with one."""
    if not rest.startswith("’s"):
        return word
    if plain(word) in ("it", "they", "them"):
        return "its" if plain(word) == "it" else "their"
    return f"{word}’" if plain(word).endswith("s") and not plain(word).endswith("ss") else f"{word}’s"


__all__ = [
    "CLAUSES",
    "LINES",
    "NOUNS",
    "Line",
    "Words",
    "clause_for",
    "lines_for",
    "noun_for",
    "replaced",
]
