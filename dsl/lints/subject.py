"""What the lints look at: a checked game with its tree, and what of it can come about when it is played.

Everything here is found at most once, when the first lint asks for it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TypeVar

from regelwerk.dsl.checker.context import Context
from regelwerk.dsl.checker.game import GameChecker
from regelwerk.dsl.composition.composing import Composed
from regelwerk.dsl.composition.state import flattened
from regelwerk.dsl.diagnostics import Diagnostic, Fix, Label
from regelwerk.dsl.lints.ranges import Judge
from regelwerk.dsl.lints.reaching import Reach
from regelwerk.dsl.model import game as g
from regelwerk.dsl.source import Source, Span
from regelwerk.dsl.syntax import declarations as d
from regelwerk.dsl.syntax import files
from regelwerk.dsl.syntax import overlays as o
from regelwerk.dsl.syntax import scenarios as sc
from regelwerk.dsl.syntax.base import Declaration, Identifier, Node, Noun

S = TypeVar("S", bound=g.Symbol)


@dataclass
class Subject:
    """One checked game. `own`: the source whose author reads the findings; what stands elsewhere (a base, a library) is
    judged where it is checked itself."""

    game: g.CheckedGame
    checker: GameChecker
    composed: Composed | None
    own: str

    def __post_init__(self) -> None:
        self.found: list[Diagnostic] = []
        self._words: dict[int, frozenset[str]] = {}

    # ----------------------------------------------------------------------------------------------------- reporting
    def report(
        self,
        code: str,
        message: str,
        span: Span,
        help: str,
        labels: tuple[Label, ...] = (),
        fix: Fix | None = None,
    ) -> None:
        """Say something about a place of the author's own text."""
        if self.is_own(span):
            self.found.append(Diagnostic(code, "warning", message, span, labels, help, fix))

    def is_own(self, span: Span) -> bool:
        """Whether the author can change what stands there, and it is no library."""
        return span.source == self.own and self.c.library_at(span) is None

    # --------------------------------------------------------------------------------------------------- what there is
    @property
    def c(self) -> Context:
        """What the checker knows."""
        return self.checker.c

    @property
    def sources(self) -> dict[str, Source]:
        """The texts."""
        return self.c.sources

    @property
    def text(self) -> str:
        """The author's own text."""
        return self.sources[self.own].text

    @property
    def header(self) -> files.GameHeader:
        """The head of the game, for a variant of its base as composed."""
        assert isinstance(self.checker.file.header, files.GameHeader)
        return self.checker.file.header

    @cached_property
    def symbols(self) -> list[g.Symbol]:
        """All declarations."""
        return [symbol for _, symbol in self.checker.pairs]

    @cached_property
    def own_file(self) -> files.RulesFile:
        """The tree of the author's own file, overlays included."""
        layer = self.composed.stack.by_source.get(self.own) if self.composed is not None else None
        return layer.file if layer is not None else self.checker.file

    @cached_property
    def phases(self) -> list[g.PhaseSymbol]:
        """All phases, inner ones too."""
        return [each for found in self.c.phases.values() for each in found]

    @cached_property
    def declarations(self) -> list[Declaration]:
        """The trees of all declarations, those of libraries that are used as well."""
        return [node for node, _ in self.checker.declarations]

    @cached_property
    def tree_of(self) -> dict[g.Symbol, Declaration]:
        """The tree of a declaration."""
        found: dict[g.Symbol, Declaration] = {symbol: node for node, symbol in self.checker.pairs}
        for node in self.declarations:
            if isinstance(node, d.EnumDeclaration):
                found[self.game.symbols[node.noun.name.text]] = node
        return found

    @cached_property
    def replacing(self) -> frozenset[g.Symbol]:
        """The declarations that stand in the place of others, whose parameters they have to keep."""
        if self.composed is None:
            return frozenset()
        files_ = [layer.file for layer in self.composed.stack.layers]
        replaced = {
            each.declaration.span
            for file in files_
            for each in flattened(file.declarations)
            if isinstance(each, o.Replace)
        }
        return frozenset(symbol for node, symbol in self.checker.pairs if node.span in replaced)

    @cached_property
    def scenarios(self) -> list[sc.Scenario]:
        """The trees of the scenarios."""
        return [node for node in self.declarations if isinstance(node, sc.Scenario)]

    @cached_property
    def told_by_scenarios(self) -> frozenset[str]:
        """The names that scenarios speak of, directly or by what they call."""
        return self._followed(list(self.scenarios))[1]

    @cached_property
    def reach(self) -> Reach:
        """What can come about in the flow of the phases."""
        return Reach(self.game, self.c, self.told_by_scenarios)

    @cached_property
    def named(self) -> frozenset[int]:
        """The declarations (by `id`) that are named, directly or through others, by what happens by itself."""
        begin = [node for node in self.declarations if not isinstance(node, _USED_BY_OTHERS)]
        return self._followed([self.header, *begin])[0]

    @cached_property
    def _by_name(self) -> dict[str, list[Declaration]]:
        found: dict[str, list[Declaration]] = {}
        for node in self.declarations:
            for name in _names_of(node):
                found.setdefault(name, []).append(node)
        for node in self.declarations:  # the units of a resource are the members of its enum
            if isinstance(node, d.Resource) and node.per is not None:
                for each in tuple(found.get(node.per.text, ())):
                    for name in _names_of(each):
                        found.setdefault(name, []).append(node)
        return found

    def words(self, node: object) -> frozenset[str]:
        """The names that stand in a part of the tree."""
        known = self._words.get(id(node))
        if known is None:
            source = self.sources.get(node.span.source) if isinstance(node, Node) else None
            if isinstance(node, Node) and source is not None and self._is_as_written(node):
                known = words_of_text(source.text[node.span.start : node.span.end])
            else:
                known = frozenset(names_in(node))
            self._words[id(node)] = known
        return known

    def _is_as_written(self, node: Node) -> bool:
        """Whether a part of the tree is what stands at its place: no library has put other names into it, and no
        variant other parts."""
        if isinstance(node, sc.Scenario):
            return True
        return self.composed is None and self.is_own(node.span)

    def _followed(self, waiting: list[object]) -> tuple[frozenset[int], frozenset[str]]:
        """The declarations that some parts of the tree name, directly or through others, and all names on the way."""
        found: set[int] = set()
        known: set[str] = set()
        while waiting:
            for name in self.words(waiting.pop()):
                if name in known:
                    continue
                known.add(name)
                for node in self._by_name.get(name, ()):
                    if id(node) not in found:
                        found.add(id(node))
                        waiting.append(node)
        return frozenset(found), frozenset(known)

    @cached_property
    def judge(self) -> Judge:
        """Judges numbers and conditions."""
        changed: list[g.ValueSymbol | g.ConstantSymbol | g.ColumnSymbol] = [*self.game.values, *self.game.constants]
        changed += [column for entity in self.game.entities for column in entity.columns.values()]
        return Judge(self.c, any(each.roles for each in changed))

    def symbols_of(self, kind: type[S]) -> list[S]:
        """The declarations of a kind."""
        return [each for each in self.symbols if isinstance(each, kind)]


_USED_BY_OTHERS = (
    d.Value,
    d.Effect,
    d.Action,
    d.Constant,
    d.Option,
    d.EnumDeclaration,
    d.Resource,
    d.Track,
    d.State,
    d.Zone,
    d.Entity,
    d.Record,
    d.Award,
)
"""What does nothing by itself."""


def _names_of(node: Declaration) -> Iterator[str]:
    """The names by which others speak of a declaration."""
    noun = getattr(node, "noun", None)
    names = [noun] if noun is not None else []
    if isinstance(node, d.EnumDeclaration):
        names += [each for each in node.members if isinstance(each, Noun)]
    for each in names:
        yield each.name.text
        if each.plural is not None:
            yield each.plural.text
    name = getattr(node, "name", None)
    if isinstance(name, Identifier):
        yield name.text
    if isinstance(node, d.Entity):
        yield from (row.name.text for row in node.rows)


_NAME = re.compile(r"[^\W\d]\w*")


def words_of_text(text: str) -> frozenset[str]:
    """The words of a piece of a file, without those in comments and texts, but with those in the holes of texts.

    They are read much faster than the tree. Keywords among them do no harm: what is called like one counts as named.
    """
    return frozenset(_NAME.findall(_without_texts(unicodedata.normalize("NFC", text))))


def _without_texts(text: str) -> str:
    pieces = []
    for line in text.split("\n"):
        parts = line.split('"')
        for place, part in enumerate(parts):
            if place % 2:
                pieces.extend(_HOLE.findall(part))
            else:
                code, comment, _ = part.partition("//")
                pieces.append(code)
                if comment:
                    break
    return " ".join(pieces)


_HOLE = re.compile(r"\{([^{}]+)\}")


def names_in(node: object) -> Iterator[str]:
    """All names that stand in a part of the tree."""
    stack = [node]
    while stack:
        here = stack.pop()
        if isinstance(here, Identifier):
            yield here.text
        elif isinstance(here, Node):
            values = here.__dict__
            stack.extend(values[name] for name in _may_hold(here.__class__))
        elif isinstance(here, tuple):
            stack.extend(here)


@cache
def _may_hold(kind: type[Node]) -> tuple[str, ...]:
    """The fields of a kind of node that can hold nodes."""
    plain = {"span", "raw", "tail", "plain", "printed_plural", "lines", "title"}
    return tuple(name for name in kind.model_fields if name not in plain)


__all__ = ["Subject", "names_in"]
