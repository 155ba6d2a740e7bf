"""A game that is being composed: its declarations in order, and how an overlay finds one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from regelwerk.dsl.composition.addresses import (
    TABLES,
    WORDS,
    Place,
    all_parts,
    below,
    kind_of,
    name_of,
    owner_of,
    parts,
    place_of,
)
from regelwerk.dsl.composition.layers import Layer, Stack
from regelwerk.dsl.diagnostics import Diagnostics, Label, nearest
from regelwerk.dsl.source import Span
from regelwerk.dsl.syntax import files
from regelwerk.dsl.syntax import flow as f
from regelwerk.dsl.syntax.base import Declaration, Path

SUGGESTIONS = 20
"""So many findings of one layer suggest a name."""


@dataclass(eq=False, slots=True)
class Entry:
    """One declaration. `layer` declared it first (None: a library), whoever replaced it since."""

    node: Declaration
    layer: Layer | None
    library: str | None = None


@dataclass(frozen=True, slots=True)
class Removal:
    """Something that is gone: its address, the names by which it was used, and the overlay that removed it."""

    address: str
    names: frozenset[str]
    span: Span


@dataclass(frozen=True, slots=True)
class Origin:
    """An overlay and what it changes, for findings about either."""

    overlay: Span
    base: Span
    address: str
    verb: str


@dataclass(eq=False)
class Composition:
    """The game so far. `libraries` stand behind all else."""

    stack: Stack
    header: files.GameHeader
    diagnostics: Diagnostics
    uses: tuple[files.Use, ...] = ()
    suggested: int = 0
    declared: dict[Layer, dict[str, Declaration]] = field(default_factory=dict)
    entries: list[Entry] = field(default_factory=list)
    libraries: list[Entry] = field(default_factory=list)
    removals: list[Removal] = field(default_factory=list)
    origins: list[Origin] = field(default_factory=list)
    overwritten: list[tuple[tuple[str, ...], Span, Layer]] = field(default_factory=list)
    _named: dict[str, list[Entry]] = field(default_factory=dict)

    # ------------------------------------------------------------------------------------------------------- changing
    def add(self, node: Declaration, layer: Layer | None, library: str | None = None) -> None:
        """One more declaration."""
        entry = Entry(node, layer, library)
        (self.entries if library is None else self.libraries).append(entry)
        name = name_of(node)
        if name is not None:
            self._named.setdefault(name.text, []).append(entry)

    def put(self, place: Place, *new: Declaration | object) -> None:
        """Something else, or nothing, at a place."""
        entry = self.entry(place)
        if place.trail or new:
            entry.node = place.rebuilt(*new)  # type: ignore[arg-type]  # nodes, of whatever kind stands there
            if entry.library is not None:  # what a variant has changed is not the library's any more
                self.libraries.remove(entry)
                entry.library = None
                self.entries.append(entry)
            return
        (self.entries if entry.library is None else self.libraries).remove(entry)
        name = name_of(entry.node)
        assert name is not None
        self._named[name.text].remove(entry)

    def entry(self, place: Place) -> Entry:
        """The declaration a place stands in."""
        name = name_of(place.top)
        assert name is not None
        return next(each for each in self._named[name.text] if each.node is place.top)

    def everything(self) -> Iterator[Entry]:
        """All declarations in order."""
        yield from self.entries
        yield from self.libraries

    # -------------------------------------------------------------------------------------------------------- finding
    def named(self, layer: Layer, name: str) -> list[Place]:
        """The declarations of a name that a layer can speak of."""
        found = [
            each
            for each in self._named.get(name, ())
            if each.layer is None or each.layer is layer or each.layer in self.stack.under(layer)
        ]
        return [place_of(each.node, len(found) == 1) for each in found]

    def at(self, layer: Layer, names: tuple[str, ...]) -> list[Place]:
        """Everything with this address."""
        found = [deeper for each in self.named(layer, names[0]) for deeper in below(each, names[1:])]
        if len(names) > 1:  # TYPE.attribute
            found += [
                deeper
                for each in self.named(layer, names[1])
                if owner_of(each.top) == names[0]
                for deeper in below(each, names[2:])
            ]
        return found

    def phases(self, layer: Layer, name: str) -> list[Place]:
        """The phases of a name, wherever they lie."""
        tops = [
            place_of(each.node)
            for each in self.entries
            if isinstance(each.node, f.Phase) and (each.layer is layer or each.layer in self.stack.under(layer))
        ]
        return [each for top in tops for each in all_parts(top) if each.kind == "phase" and each.path[-1] == name]

    def find(self, layer: Layer, path: Path, kinds: tuple[str, ...], help: str = "") -> Place | None:
        """The one thing of these kinds at an address; what is wrong is said."""
        names = tuple(part.text for part in path.parts)
        return self.only(layer, path.text, path.span, self.at(layer, names), kinds, help)

    def only(
        self, layer: Layer, text: str, span: Span, found: list[Place], kinds: tuple[str, ...], help: str = ""
    ) -> Place | None:
        """The only one of the right kind among what was found."""
        right = [each for each in found if each.kind in kinds]
        if len(right) == 1:
            return right[0]
        wanted = a_kind(kinds)
        if right:
            others = ", ".join(f"`{each.address}`" for each in right)
            self.diagnostics.error(
                "E1113",
                f"`{text}` can mean several things: {others}",
                span,
                f"write one of {others}",
                tuple(Label(each.node.span, each.address) for each in right[:4]),
            )
        elif found:
            kind = found[0].kind
            self.diagnostics.error(
                "E1105",
                f"`{text}` is {WORDS[kind]}, not {wanted}",
                span,
                help or f"the word is `{kind}`",
                (Label(found[0].node.span, "declared here"),),
            )
        else:
            self.missing(layer, text, span, wanted, lambda: self.addresses(layer, kinds))
        return None

    def missing(
        self, layer: Layer, text: str, span: Span, wanted: str, candidates: Callable[[], list[str]], what: str = ""
    ) -> None:
        """Report an address that does not exist."""
        own = self._own(layer).get(text.partition(".")[0])
        if own is not None:
            self.diagnostics.error(
                "E1116",
                f"`{text}` is declared in this file itself, and an overlay changes what the base declares",
                span,
                "change the declaration",
                (Label(own.span, "declared here"),),
            )
            return
        if self.twice(layer, tuple(text.split(".")), span):
            return
        near = self.nearest(text, candidates)
        self.diagnostics.error(
            "E1104",
            what or f"there is no {wanted.partition(' ')[2]} `{text}` in the base",
            span,
            f"did you mean `{near}`?"
            if near
            else "an address is a chain of names, such as `place.free` or `game.round`",
        )

    def _own(self, layer: Layer) -> dict[str, Declaration]:
        """What a layer declares itself."""
        if layer not in self.declared:
            named = [(name_of(each), each) for each in flattened(layer.file.declarations) if kind_of(each)]
            self.declared[layer] = {name.text: each for name, each in named if name is not None}
        return self.declared[layer]

    def nearest(self, word: str, candidates: Callable[[], Iterable[str]]) -> str | None:
        """A name that may be meant. Looking for one takes long, so only the first findings get one."""
        self.suggested += 1
        return nearest(word, candidates()) if self.suggested <= SUGGESTIONS else None

    def twice(self, layer: Layer, names: tuple[str, ...], span: Span) -> bool:
        """Whether something does not exist because the same file has removed or replaced it; that is reported."""
        before = next((o for o in self.overwritten if o[2] is layer and o[0] == names[: len(o[0])]), None)
        if before is None:
            return False
        first, second = sorted((before[1], span), key=lambda each: each.start)
        self.diagnostics.error(
            "E1108",
            f"this file says two things of `{'.'.join(before[0])}`",
            second,
            "say it once: only one of the two can hold",
            (Label(first, "the other one"),),
        )
        return True

    def addresses(self, layer: Layer, kinds: tuple[str, ...]) -> list[str]:
        """All addresses of some kinds that a layer can speak of."""
        deep = set(kinds) & {
            "row",
            "column",
            "member",
            "require",
            "cost",
            "parameter",
            "step",
            "line",
            "entry",
            "phase",
        }
        found = []
        for entry in self.everything():
            name = name_of(entry.node)
            if name is None or not (entry.layer is None or self.stack.sees(layer, entry.layer.source)):
                continue
            place = place_of(entry.node, len(self._named[name.text]) == 1)
            found += [each.address for each in (all_parts(place) if deep else (place,)) if each.kind in kinds]
        return found


def a_kind(kinds: tuple[str, ...]) -> str:
    """`a zone`, or what several kinds have in common."""
    if len(kinds) == 1:
        return WORDS[kinds[0]]
    if set(kinds) == set(TABLES):
        return "a type of things"
    return " or ".join(WORDS[each] if k == 0 else WORDS[each].partition(" ")[2] for k, each in enumerate(kinds))


def flattened(nodes: tuple[Declaration, ...]) -> Iterator[Declaration]:
    """Declarations in order, those in sections too."""
    from regelwerk.dsl.syntax.declarations import Section

    for node in nodes:
        if isinstance(node, Section):
            yield from flattened(node.declarations)
        else:
            yield node


__all__ = ["Composition", "Entry", "Origin", "Removal", "a_kind", "flattened", "parts"]
