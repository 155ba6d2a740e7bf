"""What each overlay lays claim to, and when two of them commute.

Two overlays of one file, or of two files that do not build on each other, may not depend on their order:
`replace`, `change` and `remove` against any of them, or against `extend`, of one clause conflict unless they are equal;
two `extend` conflict where they add the same name; `remove X` conflicts with a rule on X. All else commutes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from regelwerk.dsl.composition.layers import Layer, Stack
from regelwerk.dsl.composition.trees import same
from regelwerk.dsl.diagnostics import Diagnostics, Label
from regelwerk.dsl.source import Span
from regelwerk.dsl.syntax import overlays as o
from regelwerk.dsl.syntax.base import Declaration, Node

What = Literal["replace", "change", "remove", "part", "inside", "beside", "rule"]

WORDS: dict[str, str] = {
    "replace": "replaced",
    "change": "changed",
    "remove": "removed",
    "part": "added",
    "inside": "extended",
    "beside": "a neighbour of what is added",
    "rule": "what a rule aims at",
}

OVERWRITES = ("replace", "change", "remove")


@dataclass(frozen=True, eq=False, slots=True)
class Claim:
    """`part`: adds this name; `inside`: adds to it; `beside`: adds before or behind it; `rule`: aims at it.

    `item` is what is left out if the claim loses; it is also what equal overlays are compared by.
    """

    what: What
    key: tuple[str, ...]
    address: str
    layer: Layer
    overlay: Declaration
    item: Node

    @property
    def span(self) -> Span:
        """Where the claim is made."""
        return self.item.span


def plain(key: tuple[str, ...]) -> tuple[str, ...]:
    """A key without the type of its declaration, as rules write it."""
    return (key[0].partition(" of ")[0], *key[1:])


def conflict(upper: Claim, lower: Claim) -> bool:
    """Whether two claims do not commute. The key of `upper` leads to that of `lower`; if they are the same, what
    overwrites stands first."""
    if upper.what not in OVERWRITES:
        return upper.what == lower.what and upper.key == lower.key and not same(upper.item, lower.item)
    if lower.what in OVERWRITES:
        equal = upper.what == lower.what and upper.key == lower.key
        return not (equal and same_change(upper.item, lower.item))
    if lower.what == "rule":
        return upper.what == "remove" and upper.layer is not lower.layer
    if lower.what == "beside":
        return upper.what == "remove" and upper.key == lower.key
    return lower.what == "inside"


def same_change(one: Node, other: Node) -> bool:
    """Whether two overlays do the same; who cites what does not matter."""
    return same(*(each.model_copy(update={"citations": ()}) for each in (one, other)))


@dataclass(eq=False)
class Decisions:
    """What follows from conflicts and their resolution: items left out, overlays to be applied late, each before the
    declarations of the layer that decided."""

    dropped: set[int] = field(default_factory=set)
    late: dict[int, Layer] = field(default_factory=dict)


class Referee:
    """Compares the claims of layers that do not build on each other, and those within one layer."""

    def __init__(self, stack: Stack, claims: dict[Layer, list[Claim]]) -> None:
        self.stack = stack
        self.claims = claims

    def pairs(self, layers: Iterable[Layer]) -> Iterator[tuple[Claim, Claim]]:
        """All pairs in conflict, the one with the shorter key first."""
        among = set(layers)
        ordered = [claim for layer in self.stack.layers if layer in among for claim in self.claims.get(layer, ())]
        known: dict[tuple[str, ...], list[Claim]] = {}
        for claim in ordered:
            if claim.what in OVERWRITES or claim.what == "part":
                alike = known.setdefault(plain(claim.key), [])
                if sum(each.layer is claim.layer and each.what == claim.what for each in alike) < 2:
                    alike.append(claim)  # a third would conflict with the first two: the work stays bounded
        for claim in ordered:
            for length in range(1, len(claim.key) + 1):
                for other in known.get(plain(claim.key[:length]), ()):
                    if self._meet(other, claim) and conflict(other, claim):
                        yield other, claim

    def _meet(self, upper: Claim, lower: Claim) -> bool:
        if upper.overlay is lower.overlay:
            return False
        if len(upper.key) == len(lower.key) and not _rank(upper) < _rank(lower):
            return False  # once for each pair
        if lower.what != "rule" and upper.key != lower.key[: len(upper.key)]:
            return False  # attributes of different types
        if upper.layer is lower.layer:
            return not upper.what == lower.what == "part"  # the second one is refused where it is added
        return self.stack.apart(upper.layer, lower.layer)

    def decide(self, layers: Iterable[Layer]) -> Decisions:
        """What the resolutions of some layers mean for the claims below them."""
        found = Decisions()
        among = set(layers)
        resolutions = [(layer, node) for layer in self.stack.layers if layer in among for node in resolutions_of(layer)]
        for upper, lower in self.pairs(among):
            resolution = next((each for each in resolutions if self.settles(*each, upper, lower)), None)
            if resolution is None:
                continue
            layer, node = resolution
            winner, loser = (upper, lower) if upper.layer.name == node.by.text else (lower, upper)
            if loser is upper and len(upper.key) < len(lower.key) and upper.what != "remove":
                found.late[id(winner.item)] = layer
            else:
                found.dropped.add(id(loser.item))
        for claims in _equal(
            self.stack, [c for layer in self.stack.layers if layer in among for c in self.claims.get(layer, ())]
        ):
            found.dropped.update(id(each.item) for each in claims[1:])
        return found

    def settles(self, layer: Layer, node: o.Resolve, upper: Claim, lower: Claim) -> bool:
        """Whether a resolution is about this conflict."""
        under = self.stack.under(layer)
        names = tuple(part.text for part in node.path.parts)
        return (
            upper.layer is not lower.layer
            and upper.layer in under
            and lower.layer in under
            and names
            in (plain(upper.key), plain(lower.key), tuple(upper.address.split(".")), tuple(lower.address.split(".")))
            and node.by.text in (upper.layer.name, lower.layer.name)
        )

    def report(self, layers: Iterable[Layer], diagnostics: Diagnostics) -> None:
        """Say all conflicts that nobody decides, and resolutions that decide nothing."""
        among = set(layers)
        resolutions = [(layer, node) for layer in self.stack.layers if layer in among for node in resolutions_of(layer)]
        used: set[int] = set()
        for upper, lower in self.pairs(among):
            settling = [node for layer, node in resolutions if self.settles(layer, node, upper, lower)]
            used.update(id(node) for node in settling)
            if len({node.by.text for node in settling}) == 1:
                continue
            _report(upper, lower, diagnostics)
        for layer, node in resolutions:
            if id(node) not in used:
                self._useless(layer, node, diagnostics)

    def _useless(self, layer: Layer, node: o.Resolve, diagnostics: Diagnostics) -> None:
        names = [each.name for each in self.stack.layers if each in self.stack.under(layer)]
        if node.by.text not in names:
            diagnostics.error(
                "E1110",
                f"`{layer.name}` is not built on a variant `{node.by.text}`",
                node.by.span,
                f"it is built on {', '.join(f'`{each}`' for each in names)}",
            )
            return
        diagnostics.error(
            "E1110",
            f"there is no conflict at `{node.path.text}` that `{node.by.text}` takes part in",
            node.path.span,
            "remove the line: the overlays commute, or the conflict has another address",
        )


def resolutions_of(layer: Layer) -> list[o.Resolve]:
    """The `resolve` lines of a file."""
    from regelwerk.dsl.composition.state import flattened

    return [each for each in flattened(layer.file.declarations) if isinstance(each, o.Resolve)]


def _report(upper: Claim, lower: Claim, diagnostics: Diagnostics) -> None:
    first, second = sorted((upper, lower), key=_order)
    address = lower.address if lower.what in OVERWRITES or upper.what not in OVERWRITES else upper.address
    label = Label(first.span, f"`{first.address}` is {WORDS[first.what]} here")
    if first.layer is second.layer:
        diagnostics.error(
            "E1108",
            f"this file says two things of `{address}`",
            second.span,
            "say it once: only one of the two can hold",
            (label,),
        )
        return
    diagnostics.error(
        "E1108",
        f"`{first.layer.name}` and `{second.layer.name}` do not go together: both speak of `{address}`",
        second.span,
        f'in the variant that names both, write `resolve {address} by {first.layer.name} "why"`',
        (label,),
    )


def _order(claim: Claim) -> tuple[object, ...]:
    return (claim.layer.name, claim.span.source, claim.overlay.span.start, claim.span.start, claim.what)


def _rank(claim: Claim) -> tuple[object, ...]:
    return (claim.what not in OVERWRITES, *_order(claim))


def _equal(stack: Stack, claims: list[Claim]) -> Iterator[list[Claim]]:
    """Parts that several layers add in the same words: they are added once."""
    found: dict[tuple[str, ...], list[Claim]] = {}
    for claim in claims:
        if claim.what == "part":
            found.setdefault(claim.key, []).append(claim)
    for group in found.values():
        if len(group) > 1 and all(
            stack.apart(group[0].layer, each.layer) and same(group[0].item, each.item) for each in group[1:]
        ):
            yield group
