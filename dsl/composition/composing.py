"""From layers to one game: libraries are settled and expanded, then the overlays of each layer are applied in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from regelwerk.dsl.checker import libraries
from regelwerk.dsl.checker.context import Context
from regelwerk.dsl.composition import trees
from regelwerk.dsl.composition.addresses import name_of
from regelwerk.dsl.composition.changes import Changer
from regelwerk.dsl.composition.claims import Claim, Decisions, Referee
from regelwerk.dsl.composition.extensions import Extender
from regelwerk.dsl.composition.layers import Layer, Stack
from regelwerk.dsl.composition.state import Composition, Origin, Removal, flattened
from regelwerk.dsl.diagnostics import Diagnostics, Label, nearest
from regelwerk.dsl.source import Source
from regelwerk.dsl.syntax import declarations as d
from regelwerk.dsl.syntax import files
from regelwerk.dsl.syntax import overlays as o
from regelwerk.dsl.syntax import rules as r
from regelwerk.dsl.syntax import scenarios as sc
from regelwerk.dsl.syntax.base import Declaration, Node

OVERLAYS = (
    o.Remove,
    o.Replace,
    o.ReplaceStep,
    o.ReplaceRequire,
    o.ReplaceCost,
    o.ReplaceLine,
    o.Extend,
    o.Change,
    o.Resolve,
)


@dataclass(frozen=True, eq=False)
class Composed:
    """A game made of several files.

    file       the game as if it were written by hand, with the scenarios of the top
    expanded   what libraries gave, each with the library it comes from
    scenarios  those of the other layers, which speak of another game
    claims     what the overlays and rules of the variants lay claim to
    hash       of what it says, whatever the files are called and however they were put together
    """

    stack: Stack
    file: files.RulesFile
    expanded: list[tuple[Declaration, str]]
    scenarios: list[sc.Scenario]
    removals: list[Removal]
    origins: list[Origin]
    claims: list[Claim]
    hash: str

    @property
    def declarations(self) -> list[Declaration]:
        """All declarations, those of libraries last."""
        return [*self.file.declarations, *(node for node, _ in self.expanded)]


def compose(tops: tuple[Layer, ...], diagnostics: Diagnostics, sources: dict[str, Source]) -> Composed | None:
    """The game of the topmost layers; None if they do not go together. The scenarios are those of the last one."""
    composer = _Composer(Stack(tops), diagnostics, sources)
    return composer.run(tops[-1])


class _Composer:
    def __init__(self, stack: Stack, diagnostics: Diagnostics, sources: dict[str, Source]) -> None:
        self.stack = stack
        self.diagnostics = diagnostics
        self.sources = sources
        self.claims: dict[Layer, list[Claim]] = {}
        self.finished: dict[frozenset[Layer], Composition] = {}

    def run(self, top: Layer) -> Composed | None:
        """Each layer is judged on what it builds on alone; then all are taken together."""
        if not self.stack.fits(self.diagnostics):
            return None
        already = len(self.diagnostics.items)
        for layer in self.stack.layers[1:]:
            self.claims[layer] = []
            self._build(frozenset({*self.stack.under(layer), layer}), layer)
        layers = frozenset(self.stack.layers)
        referee = Referee(self.stack, self.claims)
        referee.report(layers, self.diagnostics)
        if any(each.severity == "error" for each in self.diagnostics.items[already:]):
            return None
        game = self._build(layers, None)
        return self._finish(game, top)

    def _finish(self, game: Composition, top: Layer) -> Composed:
        own = {id(each) for each in flattened(top.file.declarations)}
        every = [each.node for each in game.entries]
        kept = [each for each in every if not isinstance(each, sc.Scenario) or id(each) in own]
        expanded = [(each.node, each.library) for each in game.libraries if each.library is not None]
        said = [*(each for each in kept if not isinstance(each, sc.Scenario)), *(node for node, _ in expanded)]
        header = game.header
        update = {"header": header, "uses": game.uses, "declarations": tuple(kept), "libraries": ()}
        return Composed(
            self.stack,
            top.file.model_copy(update=update),
            expanded,
            [each for each in every if isinstance(each, sc.Scenario) and id(each) not in own],
            game.removals,
            game.origins,
            [claim for claims in self.claims.values() for claim in claims],
            trees.digest([(header.players, header.seats, header.triggers, header.cap), *said]),
        )

    # ------------------------------------------------------------------------------------------------------- building
    def _build(self, layers: frozenset[Layer], judged: Layer | None) -> Composition:
        """The game of some layers. What `judged`, the topmost, does is reported, and its claims are kept."""
        if judged is None and layers in self.finished:
            return self.finished[layers]
        ordered = [layer for layer in self.stack.layers if layer in layers]
        bottom = ordered[0]
        assert isinstance(bottom.header, files.GameHeader)
        game = Composition(self.stack, bottom.header, Diagnostics())
        for declaration in flattened(bottom.file.declarations):
            game.add(declaration, bottom)
        self._libraries(game, ordered, judged)
        decisions = Referee(self.stack, self.claims).decide(layers)
        for layer in ordered[1:]:
            game.diagnostics = self.diagnostics if layer is judged else Diagnostics()
            made = self._apply(game, layer, decisions)
            if layer is judged:
                self.claims[layer] = made
        self.finished[layers] = game
        return game

    def _libraries(self, game: Composition, ordered: list[Layer], judged: Layer | None) -> None:
        uses: list[tuple[files.Use, Layer]] = []
        gone: list[o.Remove] = []
        for layer in ordered:
            for node in flattened(layer.file.declarations):
                if isinstance(node, o.Remove) and node.kind == "use":
                    name, under = node.path.text, self.stack.under(layer)
                    if any(use.name.text == name and owner in under for use, owner in uses):
                        uses = [each for each in uses if each[0].name.text != name or each[1] not in under]
                        gone.append(node)
                    elif layer is judged:
                        self._no_use(node, [use.name.text for use, owner in uses if owner in under])
            uses += [(use, layer) for use in layer.file.uses]
        first: dict[tuple[str, ...], Layer] = {}
        kept = [
            use
            for use, owner in uses
            if first.setdefault((use.name.text, *(each.text for each in use.arguments)), owner) is owner
        ]
        game.uses = tuple(kept)
        own = self._own_libraries(ordered)
        file = ordered[0].file.model_copy(update={"uses": game.uses, "libraries": own})
        context = Context(self.diagnostics, self.sources)
        for declaration, library in libraries.expand(context, file):
            game.add(declaration, None, library)
        for node in gone:
            self._names_gone(game, node, ordered)

    def _own_libraries(self, ordered: list[Layer]) -> tuple[files.Library, ...]:
        """The libraries that lie beside the files; two files may use the same one."""
        found: dict[str, files.Library] = {}
        for layer in ordered:
            for library in layer.file.libraries:
                first = found.setdefault(library.name.text, library)
                if not trees.same(first, library):
                    self.diagnostics.error(
                        "E0202",
                        f"the library `{library.name.text}` is declared twice",
                        library.name.span,
                        "rename one of them",
                        (Label(first.name.span, "first declared here"),),
                    )
        return tuple(found.values())

    def _names_gone(self, game: Composition, node: o.Remove, ordered: list[Layer]) -> None:
        """The names of a library that is used no more, so that what still asks for them is listed."""
        uses = tuple(use for layer in ordered for use in layer.file.uses if use.name.text == node.path.text)
        own = self._own_libraries(ordered)
        file = ordered[0].file.model_copy(update={"uses": uses[:1], "libraries": own})
        names = [name_of(each) for each, _ in libraries.expand(Context(Diagnostics(), {}), file)]
        found = frozenset(each.text for each in names if each is not None)
        game.removals.append(Removal(node.path.text, found, node.span))

    def _no_use(self, node: o.Remove, known: list[str]) -> None:
        near = nearest(node.path.text, known)
        self.diagnostics.error(
            "E1104",
            f"the base uses no library `{node.path.text}`",
            node.path.span,
            f"did you mean `{near}`?" if near else f"it uses {', '.join(known) or 'none'}",
        )

    # ------------------------------------------------------------------------------------------------------- applying
    def _apply(self, game: Composition, layer: Layer, decisions: Decisions) -> list[Claim]:
        """The overlays of a layer, those that others left to it first, then its declarations."""
        for owner, claims in self.claims.items():
            for claim in claims:
                if decisions.late.get(id(claim.item)) is layer:
                    _overlays(game, owner, [claim.overlay])
        nodes: list[Declaration] = []
        for node in flattened(layer.file.declarations):
            kept = without(node, decisions.dropped) if decisions.dropped else node
            if kept is not None and id(node) not in decisions.late:
                nodes.append(kept)
        made = _overlays(game, layer, [each for each in nodes if isinstance(each, OVERLAYS)])
        for node in nodes:
            if not isinstance(node, OVERLAYS):
                game.add(node, layer)
        return [*made, *_aims(layer, nodes)]


def _overlays(game: Composition, layer: Layer, nodes: list[Any]) -> list[Claim]:
    """Apply overlays: removals first, so that the names are free; cells last, so that added columns have some."""
    changer = Changer(game, layer)
    claims: list[Claim] = []
    for node in nodes:
        if isinstance(node, o.Remove) and node.kind != "use":
            claims += changer.remove(node)
    changer.out_of_offers()
    for node in nodes:
        if isinstance(node, o.Replace):
            claims += changer.replace(node)
    for node in nodes:
        if isinstance(node, o.ReplaceStep):
            claims += changer.replace_step(node)
        elif isinstance(node, o.ReplaceRequire):
            claims += changer.replace_require(node)
        elif isinstance(node, o.ReplaceCost):
            claims += changer.replace_cost(node)
        elif isinstance(node, o.ReplaceLine):
            claims += changer.replace_line(node)
    for node in nodes:
        if isinstance(node, o.Extend):
            claims += Extender(game, layer, node).run()
    for node in nodes:
        if isinstance(node, o.Change):
            claims += changer.change(node)
    return claims


def _aims(layer: Layer, nodes: Iterable[Declaration]) -> list[Claim]:
    """What the rules of a layer aim at, those in cells included."""
    found = []
    for node in nodes:
        for role in _roles(node):
            for aim in role.targets:
                names = tuple(part.text for part in aim.path.parts)
                item = node if isinstance(node, d.Rule) else role
                found.append(Claim("rule", names, aim.path.text, layer, node, item))
    return found


def _roles(node: Node) -> Iterator[r.Role]:
    if isinstance(node, d.Rule):
        yield node.role
        return
    if isinstance(node, o.Change):
        yield from node.rules
    rows: list[Any] = []
    if isinstance(node, o.Replace):
        node = node.declaration
    if isinstance(node, d.Entity):
        rows += node.rows
    elif isinstance(node, o.Extend):
        rows += [item.item if isinstance(item, o.Placed) else item for item in node.items]
    for row in rows:
        if isinstance(row, d.Row):
            for cell in row.cells:
                if isinstance(cell, d.CellRules):
                    yield from cell.roles


def without(node: Declaration, dropped: set[int]) -> Declaration | None:
    """A declaration without some of its parts, or none."""
    if id(node) in dropped:
        return None
    kept: Declaration | None = trees.rewritten(node, lambda each: None if id(each) in dropped else each)
    return kept


__all__ = ["Composed", "compose"]
