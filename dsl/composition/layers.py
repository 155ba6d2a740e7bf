"""Which file builds on which, and in which order they are applied."""

from __future__ import annotations

from dataclasses import dataclass

from regelwerk.dsl.diagnostics import Diagnostics, Label
from regelwerk.dsl.source import Span
from regelwerk.dsl.syntax import files
from regelwerk.dsl.syntax.base import Identifier


@dataclass(frozen=True, eq=False)
class Layer:
    """One file: a game, or a variant. `below`: the base and the variants it names, in the order written."""

    source: str
    file: files.RulesFile
    below: tuple[Layer, ...] = ()

    @property
    def header(self) -> files.GameHeader | files.VariantHeader:
        """The head of the file."""
        assert self.file.header is not None
        return self.file.header

    @property
    def name(self) -> str:
        """The name it gives itself."""
        return self.header.name.text


class Stack:
    """The layers of a composition, bottom first; which stands above which.

    The order depends on names only: a layer stands above all it builds on, else the deeper one first, then by name.
    What two layers do that do not build on each other must commute (see `claims`): their order decides ties only.
    """

    def __init__(self, tops: tuple[Layer, ...]) -> None:
        self.depth: dict[Layer, int] = {}
        self._under: dict[Layer, frozenset[Layer]] = {}
        for top in tops:
            self._visit(top)
        self.layers = sorted(self.depth, key=lambda layer: (self.depth[layer], layer.name, layer.source))
        self.by_source = {layer.source: layer for layer in self.layers}

    def _visit(self, layer: Layer) -> None:
        if layer in self.depth:
            return
        under: set[Layer] = set()
        for each in layer.below:
            self._visit(each)
            under |= {each, *self._under[each]}
        self.depth[layer] = max((self.depth[each] + 1 for each in layer.below), default=0)
        self._under[layer] = frozenset(under)

    def under(self, layer: Layer) -> frozenset[Layer]:
        """Everything a layer builds on, itself not included."""
        return self._under[layer]

    def apart(self, one: Layer, other: Layer) -> bool:
        """Whether neither builds on the other."""
        return one is not other and other not in self._under[one] and one not in self._under[other]

    def sees(self, layer: Layer, source: str) -> bool:
        """Whether a layer may speak of what stands in a source: its own, one it builds on, or a library."""
        owner = self.by_source.get(source)
        return owner is None or owner is layer or owner in self._under[layer]

    def fits(self, diagnostics: Diagnostics) -> bool:
        """Whether the layers have one game at their bottom and a name each."""
        games = [layer for layer in self.layers if isinstance(layer.header, files.GameHeader)]
        right = True
        for other in games[1:]:
            right = False
            who = next(layer for layer in reversed(self.layers) if other in {layer, *self._under[layer]})
            diagnostics.error(
                "E1103",
                f"`{other.name}` and `{games[0].name}` are two games, and a variant has one at its bottom",
                _named(who, other),
                "a variant and those it names behind `with` change the same game",
                (Label(other.header.name.span, "a game"), Label(games[0].header.name.span, "another game")),
            )
        names: dict[str, Layer] = {}
        for layer in self.layers:
            first = names.setdefault(layer.name, layer)
            if first is not layer:
                right = False
                diagnostics.error(
                    "E1103",
                    f"two files are called `{layer.name}`",
                    layer.header.name.span,
                    "rename one of them: `resolve` and replays speak of them by name",
                    (Label(first.header.name.span, "the other one"),),
                )
        return right and bool(games)


def _named(layer: Layer, under: Layer) -> Span:
    """Where a layer names what brings `under` in."""
    header = layer.header
    if not isinstance(header, files.VariantHeader):
        return header.name.span
    names: tuple[Identifier, ...] = (header.base, *header.companions)
    for name, below in zip(names, layer.below, strict=True):
        if below is under or any(under is each for each in below.below):
            return name.span
    return header.name.span
