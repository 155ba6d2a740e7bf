"""The differences of two versions of a game: what is added, removed, renamed, moved or changed, clause by clause."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from regelwerk.dsl.comparing.outline import TEXTS, Part, Version
from regelwerk.dsl.comparing.trees import Names, Spot, is_number, is_text, same, spots, spots_of_lists
from regelwerk.dsl.source import Span
from regelwerk.dsl.syntax.base import Node

Change = Literal["added", "removed", "renamed", "moved", "changed"]


@dataclass(frozen=True)
class Piece:
    """A piece of one of the two games: where it stands, and what it says. Plain values have no place of their own."""

    span: Span
    text: str


@dataclass(frozen=True)
class Difference:
    """One difference.

    change     what happened to it
    kind       what it is: `phase`, `action`, `row`, `cell`, `require` ...; `number` where only a number changed,
               `text` where only something printed did
    group      the kind of declaration that it belongs to
    address    the address in the new game; of what is removed in the old one
    clause     which clause of it, as `effect` or `when`; empty if it is the whole
    old, new   what stood there and what stands there now
    old_around, new_around   the statement around a small piece
    before     its old name, of what is renamed; of what is moved, behind what it stood, and now stands (`behind`)
    """

    change: Change
    kind: str
    group: str
    address: str
    clause: str = ""
    old: Piece | None = None
    new: Piece | None = None
    old_around: Piece | None = None
    new_around: Piece | None = None
    before: str = ""
    behind: str = ""


UNORDERED = frozenset({"actions", "until", "held by"})
"""The clauses that are lists of names in no order."""

Key = tuple[str, str]


def differences(old: Version, new: Version) -> list[Difference]:
    """All differences, in the order of the new game, what is gone at its place in the old one."""
    comparer = _Comparer(old, new)
    comparer.find_renamed()
    return list(comparer.compare(old.parts, new.parts, ""))


class _Comparer:
    def __init__(self, old: Version, new: Version) -> None:
        self.old, self.new = old, new
        self.names = Names({}, old.plurals, new.plurals)
        self.renamed: dict[int, Part] = {}  # by the identity of the old part

    # ------------------------------------------------------------------------------------------------------- renaming
    def find_renamed(self) -> None:
        """Find what has only another name. One new name may be what keeps another part from being the same."""
        while self._renamed(self.old.parts, self.new.parts):
            pass

    def _renamed(self, olds: Sequence[Part], news: Sequence[Part]) -> bool:
        pairs, gone, come = self._pairs(olds, news)
        for one in gone:
            if one.kind == "cell":
                continue
            others = [each for each in come if self._only_renamed(one, each)]
            rivals = [each for each in gone if any(self._only_renamed(each, other) for other in others)]
            if one.kind == "member":  # it has nothing but its name and its place
                rivals = [each for each in gone if each.kind == "member"]
                others = [each for each in come if each.kind == "member"]
                others = others if len(others) == 1 and news.index(others[0]) == olds.index(one) else []
            if len(others) == 1 and len(rivals) == 1:
                self.renamed[id(one)] = others[0]
                self.names = self.names.with_renamed(_new_names(one, others[0]))
                return True
        return any(self._renamed(one.parts, other.parts) for one, other in pairs)

    def _only_renamed(self, old: Part, new: Part) -> bool:
        if old.kind != new.kind or (not old.clauses and not old.parts):
            return False
        names = self.names.with_renamed(_new_names(old, new))
        return self._same_part(old, new, names)

    def _same_part(self, old: Part, new: Part, names: Names) -> bool:
        if old.kind != new.kind or old.group != new.group or len(old.parts) != len(new.parts):
            return False
        if [label for label, _ in old.clauses] != [label for label, _ in new.clauses]:
            return False
        if not all(
            same(a, b, names) for (label, a), (_, b) in zip(old.clauses, new.clauses, strict=True) if label not in TEXTS
        ):
            return False
        return all(
            names.same(one.name, other.name) and self._same_part(one, other, names)
            for one, other in zip(old.parts, new.parts, strict=True)
        )

    # ------------------------------------------------------------------------------------------------------- matching
    def _pairs(
        self, olds: Sequence[Part], news: Sequence[Part]
    ) -> tuple[list[tuple[Part, Part]], list[Part], list[Part]]:
        """Parts that belong together, by kind and name; those that are gone; those that have come."""
        several = _several(olds) | _several(news)
        known = {_key(each, several): each for each in news}
        pairs: list[tuple[Part, Part]] = []
        gone: list[Part] = []
        taken: set[int] = set()
        for one in olds:
            other = self.renamed.get(id(one)) or known.get(_key(one, several))
            if other is None and one.kind == "cell":  # it has the name of its column
                other = known.get(("cell", self.names.renamed.get(one.name, one.name), ""))
            if other is None or id(other) in taken:
                gone.append(one)
            else:
                taken.add(id(other))
                pairs.append((one, other))
        return pairs, gone, [each for each in news if id(each) not in taken]

    # ------------------------------------------------------------------------------------------------------ comparing
    def compare(
        self, olds: Sequence[Part], news: Sequence[Part], group: str, columns: frozenset[str] = frozenset()
    ) -> Iterator[Difference]:
        """The differences of parts that are siblings; `columns`: those of which the cells are not told one by one."""
        olds, news = ([each for each in parts if each.name not in columns] for parts in (olds, news))
        pairs, gone, come = self._pairs(olds, news)
        columns = frozenset(each.name for each in (*gone, *come) if each.kind == "column")
        partner = {id(other): one for one, other in pairs}
        moved = dict(self._moved(pairs))
        left = list(gone)
        order = {id(each): place for place, each in enumerate(olds)}
        for other in news:
            one = partner.get(id(other))
            if one is None:
                yield self._whole("added", other, group)
                continue
            while left and order[id(left[0])] < order[id(one)]:
                yield self._whole("removed", left.pop(0), group)
            yield from self._both(
                one, other, group, moved.get(id(other)), columns if other.kind == "row" else frozenset()
            )
        for one in left:
            yield self._whole("removed", one, group)

    def _whole(self, change: Change, part: Part, group: str) -> Difference:
        piece = self._piece(part.node, self.old if change == "removed" else self.new)
        old, new = (piece, None) if change == "removed" else (None, piece)
        return Difference(change, part.kind, group or part.kind, part.address, "", old, new)

    def _both(
        self, one: Part, other: Part, group: str, moved: tuple[str, str] | None, columns: frozenset[str]
    ) -> Iterator[Difference]:
        within = group or other.kind
        if not self._has_name(one, other):
            pieces = self._piece(one.node, self.old), self._piece(other.node, self.new)
            yield Difference("renamed", other.kind, within, other.address, "", *pieces, before=one.name)
        if moved is not None:
            pieces = self._piece(one.node, self.old), self._piece(other.node, self.new)
            yield Difference("moved", other.kind, within, other.address, "", *pieces, before=moved[0], behind=moved[1])
        yield from self._clauses(one, other, within)
        yield from self.compare(one.parts, other.parts, within, columns)

    def _has_name(self, one: Part, other: Part) -> bool:
        return one.name == other.name or id(one) not in self.renamed

    def _clauses(self, one: Part, other: Part, group: str) -> Iterator[Difference]:
        ours, theirs = _by_label(one), _by_label(other)
        for key in dict.fromkeys([*ours, *theirs]):
            label = key[0]
            old, new = ours.get(key), theirs.get(key)
            if same(old, new, self.names):
                continue
            if label == "title" and one.kind == "game" and self.old.name != self.new.name:
                continue
            yield from self._clause(one, other, group, label, old, new)

    def _clause(self, one: Part, other: Part, group: str, label: str, old: Any, new: Any) -> Iterator[Difference]:
        kind = "text" if label in TEXTS else other.kind
        if isinstance(old, Node) and isinstance(new, Node):
            found: list[Spot] = spots(old, new, self.names)
        elif isinstance(old, tuple) and isinstance(new, tuple) and _nodes(old) and _nodes(new):
            found = spots_of_lists(old, new, self.names)
        else:
            pieces = self._value(old, one.node, self.old), self._value(new, other.node, self.new)
            yield Difference("changed", kind, group, other.address, label, *pieces)
            return
        for spot in found:
            if spot.moved and label in UNORDERED:
                continue
            yield self._spot(spot, kind, group, other.address, label)

    def _spot(self, spot: Spot, kind: str, group: str, address: str, label: str) -> Difference:
        change: Change = (
            "moved" if spot.moved else "changed" if spot.old and spot.new else "removed" if spot.old else "added"
        )
        if is_number(spot.old) and is_number(spot.new):
            kind = "number"
        elif is_text(spot.old or spot.new) and (spot.old is None or is_text(spot.old)):
            kind = "text"
        around_old, around_new = spot.within
        return Difference(
            change,
            kind,
            group,
            ".".join([address, *spot.steps]),
            label,
            self._node(spot.old, self.old),
            self._node(spot.new, self.new),
            self._node(around_old if around_old is not spot.old else None, self.old),
            self._node(around_new if around_new is not spot.new else None, self.new),
        )

    def _moved(self, pairs: list[tuple[Part, Part]]) -> Iterator[tuple[int, tuple[str, str]]]:
        """What stands elsewhere among its siblings, where that matters: behind which it stood, and stands."""
        groups: dict[tuple[str, str], list[tuple[Part, Part]]] = {}
        for one, other in pairs:
            if one.ordered and one.group == other.group:
                kind = "item" if one.kind in ("phase", "step", "offer") else one.kind
                groups.setdefault((kind, one.group), []).append((one, other))
        place = {id(each): number for number, each in enumerate(self._in_new_order(pairs))}
        for those in groups.values():
            ranks = [place[id(other)] for _, other in those]
            kept = longest_ascending(ranks)
            now = sorted(those, key=lambda each: place[id(each[1])])
            for number, (_, other) in enumerate(those):
                if number not in kept:
                    before = those[number - 1][0].name if number else ""
                    at = next(k for k, each in enumerate(now) if each[1] is other)
                    yield id(other), (before, now[at - 1][1].name if at else "")

    def _in_new_order(self, pairs: list[tuple[Part, Part]]) -> list[Part]:
        return sorted((other for _, other in pairs), key=self._rank)

    def _rank(self, part: Part) -> int:
        return self._places[id(part)]

    @property
    def _places(self) -> dict[int, int]:
        if not hasattr(self, "_known_places"):
            self._known_places: dict[int, int] = {}
            stack = list(reversed(self.new.parts))
            while stack:
                part = stack.pop()
                self._known_places[id(part)] = len(self._known_places)
                stack += reversed(part.parts)
        return self._known_places

    # --------------------------------------------------------------------------------------------------------- pieces
    def _node(self, node: Node | None, game: Version) -> Piece | None:
        return self._piece(node, game) if node is not None else None

    def _piece(self, node: Node, game: Version) -> Piece:
        return Piece(node.span, text_at(node.span, game))

    def _value(self, value: Any, node: Node, game: Version) -> Piece | None:
        """What a clause says that is perhaps no tree."""
        if value is None or value is False or value == ():
            return None
        if isinstance(value, Node):
            return self._piece(value, game)
        if _nodes(value):
            return Piece(value[0].span.to(value[-1].span), ", ".join(text_at(each.span, game) for each in value))
        text = "yes" if value is True else "\n".join(value) if isinstance(value, tuple) else str(value)
        return Piece(node.span, text.removesuffix("/None"))


def text_at(span: Span, game: Version) -> str:
    """What stands at a place, without the margin of its lines."""
    source = game.sources.get(span.source)
    if source is None:
        return ""
    text = source.text[span.start : span.end].replace("\r", "")
    margin = source.position(span.start)[1] - 1
    lines = text.split("\n")
    cut = min([margin, *(len(each) - len(each.lstrip()) for each in lines[1:] if each.strip())])
    return "\n".join([lines[0], *(each[cut:] for each in lines[1:])]).rstrip()


def _nodes(value: Any) -> bool:
    return isinstance(value, tuple) and bool(value) and all(isinstance(each, Node) for each in value)


def _new_names(old: Part, new: Part) -> dict[str, str]:
    """Which names become others with a part: its own, and that of several of it."""
    found = {old.name: new.name}
    ours, theirs = (getattr(getattr(each.node, "noun", each.node), "plural", None) for each in (old, new))
    if ours is not None and theirs is not None:
        found[ours.text] = theirs.text
    return found


def _several(parts: Iterable[Part]) -> set[Key]:
    counts = Counter((each.kind, each.name) for each in parts)
    return {key for key, count in counts.items() if count > 1}


def _key(part: Part, several: set[Key]) -> tuple[str, str, str]:
    return part.kind, part.name, part.qualifier if (part.kind, part.name) in several else ""


def _by_label(part: Part) -> dict[tuple[str, int], Any]:
    """The clauses of a part; several of one label are told apart by their number."""
    found: dict[tuple[str, int], Any] = {}
    for label, value in part.clauses:
        number = sum(1 for each in found if each[0] == label)
        found[label, number] = value
    return found


def longest_ascending(ranks: Sequence[int]) -> set[int]:
    """The places of a longest ascending part of different numbers: what need not have moved."""
    best: list[
        tuple[int, int]
    ] = []  # of each place: the length of the longest part that ends there, and the one before
    for place, rank in enumerate(ranks):
        before = max(
            ((best[k][0], k) for k in range(place) if ranks[k] < rank), default=(0, -1), key=lambda each: each[0]
        )
        best.append((before[0] + 1, before[1]))
    place = max(range(len(best)), key=lambda k: best[k][0], default=-1)
    found: set[int] = set()
    while place >= 0:
        found.add(place)
        place = best[place][1]
    return found


__all__ = ["Change", "Difference", "Piece", "differences", "longest_ascending", "text_at"]
