"""What the chapters need of a checked file: the words, the author's sections, what a variant changes, the citations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from regelwerk.dsl.checker.context import citations as spelt_out
from regelwerk.dsl.composition.composing import Composed
from regelwerk.dsl.diagnostics import Diagnostics
from regelwerk.dsl.model import game as g
from regelwerk.dsl.parser import parse_file
from regelwerk.dsl.source import Span
from regelwerk.dsl.syntax import declarations as d
from regelwerk.dsl.syntax import scenarios as sc
from regelwerk.dsl.syntax.base import Citation, Declaration, Identifier, Node, Noun
from regelwerk.interpreter.loading import Checked
from regelwerk.tools import aims
from regelwerk.tools.rulebook import asking, computing, deciding, doing, holding, naming, reading
from regelwerk.tools.rulebook import english as en
from regelwerk.tools.rulebook.book import Block, Entry, Mark, Section
from regelwerk.tools.rulebook.markup import emphasis, own
from regelwerk.tools.rulebook.wording import Words

FORMS = (asking, computing, deciding, doing, holding, reading)
"""The modules whose forms are registered."""


@dataclass
class Sheet:
    """One checked file, as the chapters read it."""

    checked: Checked
    game: g.CheckedGame
    words: Words
    targets: dict[g.Role, g.Symbol]
    sections: list[tuple[Span, str]]
    rules: dict[g.Symbol, list[g.Role]]
    base: str = ""
    base_sources: frozenset[str] = frozenset()
    touched: dict[str, str] = field(default_factory=dict)
    cited: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def entry(self, symbol: g.Symbol, title: str, blocks: Sequence[Block], kind: str = "") -> Entry:
        """The entry of a declaration."""
        mark = self.mark(symbol)
        ids = tuple(dict.fromkeys(symbol.citations))
        return Entry(naming.anchor(symbol), title, list(blocks), ids, mark, kind)

    def mark(self, symbol: g.Symbol) -> Mark:
        """Whether a variant adds or changes a declaration."""
        if not self.base_sources:
            return ""
        address = symbol.address
        inside = [each.path for each in symbol.phases] if isinstance(symbol, g.PhaseSymbol) else []
        for each in self.touched:
            within = any(each == path or each.startswith(f"{path}.") for path in inside)
            if each == address or (each.startswith(f"{address}.") and not within):
                return "changed"
        return "new" if symbol.span.source not in self.base_sources and not symbol.span.source.startswith("<") else ""

    def marked(self, symbol: g.Symbol, text: str) -> str:
        """A name in a table, with a mark if a variant adds or changes what it names."""
        mark = self.row_mark(symbol) if isinstance(symbol, g.RowSymbol) else self.mark(symbol)
        return f"{text} {emphasis(f'({mark})')}" if mark else text

    def row_mark(self, row: g.RowSymbol) -> Mark:
        """Whether a variant adds or changes a row of a table that it does not bring along as a whole."""
        if not self.base_sources or row.entity.span.source not in self.base_sources:
            return ""
        if any(each == row.address or each.startswith(f"{row.address}.") for each in self.touched):
            return "changed"
        return "new" if row.span.source not in self.base_sources and not row.span.source.startswith("<") else ""

    def section_of(self, symbol: g.Symbol) -> str:
        """The title of the author's section in which a declaration stands."""
        inner = [
            (span.end - span.start, title)
            for span, title in self.sections
            if span.source == symbol.span.source and span.start <= symbol.span.start < span.end
        ]
        return min(inner)[1] if inner else ""

    def grouped(self, chapter: str, entries: Sequence[tuple[g.Symbol, Entry]]) -> list[Section]:
        """Entries by the sections of the author, in the order in which these begin; one group needs no title."""
        groups: dict[str, list[Block | Entry]] = {}
        for symbol, entry in entries:
            groups.setdefault(self.section_of(symbol), []).append(entry)
        if len(groups) < 2:
            return [Section("", f"{chapter}-0", each) for each in groups.values()]
        found = []
        for number, (title, blocks) in enumerate(sorted(groups.items(), key=lambda pair: pair[0] == ""), 1):
            found.append(Section(title or "More", f"{chapter}-{number}", blocks))
        return found


def sheet(checked: Checked) -> Sheet:
    """Everything the chapters read."""
    game = checked.game
    assert game is not None
    targets = aims.targets(game)
    rules: dict[g.Symbol, list[g.Role]] = {}
    for role, symbol in targets.items():
        rules.setdefault(symbol, []).append(role)
    made = Sheet(checked, game, Words(game), targets, _sections(checked), rules)
    composed = checked.composed
    if composed is not None:
        lower = [each for each in composed.stack.layers if each is not checked.layer]
        made.base = en.listed(own(each.header.title) for each in lower)
        made.base_sources = frozenset(each.source for each in lower)
        top = checked.layer.source if checked.layer is not None else ""
        made.touched = {each.address: each.verb for each in composed.origins if each.overlay.source == top}
    made.cited = _cited(checked)
    return made


def _sections(checked: Checked) -> list[tuple[Span, str]]:
    """The sections of all files, with their titles."""
    found = []
    for name, source in checked.sources.items():
        if name.startswith("<") or source.text.lstrip().startswith("{"):
            continue
        file = parse_file(source, Diagnostics())
        for each in _nodes(file.declarations) if file is not None else ():
            if isinstance(each, d.Section):
                found.append((each.span, own(each.title)))
    return found


def _nodes(value: object) -> Iterator[Node]:
    if isinstance(value, Node):
        yield value
        for name in type(value).model_fields:
            yield from _nodes(getattr(value, name))
    elif isinstance(value, tuple | list):
        for each in value:
            yield from _nodes(each)


def _cited(checked: Checked) -> dict[str, tuple[str, ...]]:
    """All clauses cited inside each declaration, by its name; those of the game's head by an empty name."""
    checker = checked.checker
    if checker is None:
        return {}
    found: dict[str, tuple[str, ...]] = {}
    composed: Composed | None = checked.composed
    declarations: list[Declaration] = list(composed.declarations if composed is not None else checker.file.declarations)
    header = checker.file.header
    heads = [header] if header is not None else []
    if composed is not None:
        heads = [each.header for each in composed.stack.layers]
    found[""] = spelt_out(tuple(each for head in heads for each in _nodes(head) if isinstance(each, Citation)))
    for each in _flat(declarations):
        if isinstance(each, sc.Scenario):
            continue
        name = _name(each)
        if name is not None and not isinstance(each, d.Entity):
            ids = spelt_out(tuple(node for node in _nodes(each) if isinstance(node, Citation)))
            found[name] = tuple(dict.fromkeys([*found.get(name, ()), *ids]))
    return found


def _flat(declarations: Sequence[Declaration]) -> Iterator[Declaration]:
    for each in declarations:
        if isinstance(each, d.Section):
            yield from _flat(each.declarations)
        else:
            yield each


def _name(node: Declaration) -> str | None:
    name = getattr(node, "name", None)
    if isinstance(name, Identifier):
        return name.text
    noun = getattr(node, "noun", None)
    return noun.name.text if isinstance(noun, Noun) else None


__all__ = ["FORMS", "Sheet", "sheet"]
