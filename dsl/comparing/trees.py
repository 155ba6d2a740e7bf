"""Whether two pieces of syntax say the same, and where they begin to differ.

Places, citations and comments say nothing. `x.free` and `x is free` are one, as are `it.pos` and `.pos`, and the
numbers of a noun (`coin`, `coins`): what a formatter may write otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any

from regelwerk.dsl.syntax import effects as e
from regelwerk.dsl.syntax import expressions as x
from regelwerk.dsl.syntax.base import Citation, Expression, Identifier, Node, Path, Statement, Text

_SKIPPED = frozenset({"span", "citations", "effect_citations", "comments", "trailing_comments", "raw", "braces"})


@dataclass(frozen=True)
class Names:
    """Which names of the old game mean which of the new one.

    renamed   names that have become others
    old, new  in each of the games, the plural of each noun with its singular
    """

    renamed: Mapping[str, str] = field(default_factory=dict)
    old: Mapping[str, str] = field(default_factory=dict)
    new: Mapping[str, str] = field(default_factory=dict)

    def same(self, old: str, new: str) -> bool:
        """Whether two names mean the same."""
        if old == new or self.renamed.get(old) == new:
            return True
        one, other = self.old.get(old, old), self.new.get(new, new)
        return one == other or self.renamed.get(one) == other

    def with_renamed(self, more: Mapping[str, str]) -> Names:
        """The same with more names that have become others."""
        return Names({**self.renamed, **more}, self.old, self.new)


def same(old: Any, new: Any, names: Names) -> bool:
    """Whether two trees say the same."""
    if isinstance(old, Identifier) and isinstance(new, Identifier):
        return names.same(old.text, new.text)
    if isinstance(old, Node) and isinstance(new, Node):
        if isinstance(old, Expression):
            old, new = _plain(old), _plain(new)
        return type(old) is type(new) and all(
            same(getattr(old, name), getattr(new, name), names)
            for name in type(old).model_fields
            if name not in _SKIPPED
        )
    if isinstance(old, tuple) and isinstance(new, tuple):
        old, new = _told(old), _told(new)
        return len(old) == len(new) and all(same(one, other, names) for one, other in zip(old, new, strict=True))
    return type(old) is type(new) and bool(old == new)


def _told(values: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(each for each in values if not isinstance(each, Citation))


def _plain(node: Any) -> Any:
    """The form in which what can be said in two ways is compared."""
    if isinstance(node, x.Is) and isinstance(node.right, x.Name) and node.right.arguments is None:
        read = x.Attribute(span=node.span, base=node.left, name=node.right.name)
        plain = _plain(read)
        return x.Not(span=node.span, operand=plain) if node.negated else plain
    if isinstance(node, x.Attribute) and isinstance(node.base, x.Name) and node.base.arguments is None:
        if node.base.name.text == "it":
            return x.ItAttribute(span=node.span, name=node.name, arguments=node.arguments)
        return node
    return node


Pair = tuple[Node | None, Node | None]


@dataclass(frozen=True)
class Spot:
    """Two pieces that differ; None where there is nothing. `steps`: the named steps and requirements they lie in;
    `within`: the statements or clauses around them. `moved`: it stands elsewhere, and is the same."""

    old: Node | None
    new: Node | None
    steps: tuple[str, ...] = ()
    within: Pair = (None, None)
    moved: bool = False


FEW = 3
"""With more differences than this an expression is taken as another one."""


def spots(old: Node | None, new: Node | None, names: Names) -> list[Spot]:
    """The smallest pieces in which two trees differ."""
    return list(_spots(old, new, names, (), (None, None)))


def spots_of_lists(old: tuple[Node, ...], new: tuple[Node, ...], names: Names) -> list[Spot]:
    """The smallest pieces in which two lists differ."""
    return list(_listed(_told(old), _told(new), names, (), (None, None)))


def _spots(old: Any, new: Any, names: Names, steps: tuple[str, ...], within: Pair) -> Iterator[Spot]:
    if same(old, new, names):
        return
    whole = Spot(old, new, steps, within)
    if not isinstance(old, Node) or not isinstance(new, Node):
        yield whole
        return
    if isinstance(old, Expression):
        old, new = _plain(old), _plain(new)
    if type(old) is not type(new) or isinstance(old, Identifier | Text | Path):
        yield whole
        return
    if isinstance(old, Statement) and not isinstance(old, e.Block):
        within = (old, new)
        if isinstance(old, e.Step | e.Require) and isinstance(new, e.Step | e.Require):
            if not names.same(old.name.text, new.name.text):
                yield whole
                return
            steps = (*steps, new.name.text)
    elif isinstance(old, e.Labelled | x.Case):
        within = (old, new)
    found: list[Spot] = []
    for name in type(old).model_fields:
        if name in _SKIPPED:
            continue
        one, other = getattr(old, name), getattr(new, name)
        if isinstance(one, tuple) and isinstance(other, tuple) and _nodes(one) and _nodes(other):
            found += _listed(_told(one), _told(other), names, steps, within)
        elif isinstance(one, Node) and isinstance(other, Node):
            found += _spots(one, other, names, steps, within)
        elif not same(one, other, names):
            if not isinstance(one, Node | None) or not isinstance(other, Node | None) or not isinstance(old, Statement):
                yield whole
                return
            found.append(Spot(one, other, steps, within))
    yield from [whole] if _another(old, found) else found


def _another(node: Node, found: list[Spot]) -> bool:
    """Whether a piece is taken as another one, not as one with differences inside."""
    if isinstance(node, e.Block):
        return False
    if isinstance(node, Statement):
        return len(found) > FEW and not any(isinstance(each, e.Block) for each in _values(node))
    if any(each.old is None or each.new is None for each in found):
        return isinstance(node, Expression)
    return len(found) > 1 and not all(_number(each) for each in found)


def _nodes(values: tuple[Any, ...]) -> bool:
    return all(isinstance(each, Node) for each in values)


def _number(spot: Spot) -> bool:
    return isinstance(spot.old, x.IntLiteral) and isinstance(spot.new, x.IntLiteral)


def _values(node: Node) -> Iterator[Any]:
    for name in type(node).model_fields:
        value = getattr(node, name)
        yield from value if isinstance(value, tuple) else (value,)


def _listed(
    old: tuple[Any, ...], new: tuple[Any, ...], names: Names, steps: tuple[str, ...], within: Pair
) -> Iterator[Spot]:
    """Lists are laid side by side: what is the same goes together, and what is left between is compared in order."""
    gone: list[Any] = []
    come: list[Any] = []
    for kept, first, last, start, end in _blocks(old, new, names):
        if kept:
            continue
        if last - first == end - start:
            for one, other in zip(old[first:last], new[start:end], strict=True):
                yield from _spots(one, other, names, steps, within)
        else:
            gone += old[first:last]
            come += new[start:end]
    for one in gone:
        other = next((each for each in come if same(one, each, names)), None)
        if other is not None:
            come = [each for each in come if each is not other]
            yield Spot(one, other, steps, within, moved=True)
            continue
        near = next((each for each in come if type(each) is type(one) and _alike(one, each, names)), None)
        if near is not None:
            come = [each for each in come if each is not near]
            yield from _spots(one, near, names, steps, within)
        else:
            yield Spot(one, None, steps, within)
    for each in come:
        yield Spot(None, each, steps, within)


def _alike(old: Node, new: Node, names: Names) -> bool:
    """Whether most of two statements is the same, or they have one name."""
    one, other = getattr(old, "name", None), getattr(new, "name", None)
    if isinstance(one, Identifier) and isinstance(other, Identifier):
        return names.same(one.text, other.text)
    found = list(_spots(old, new, names, (), (None, None)))
    return len(found) <= FEW and not any(each.old is old for each in found)


def _blocks(old: tuple[Any, ...], new: tuple[Any, ...], names: Names) -> Iterator[tuple[bool, int, int, int, int]]:
    """Runs of what is the same and of what is not, as `SequenceMatcher` gives them; place by place if that leaves
    less (of two equal arguments it would not tell which one was changed)."""
    known: list[Any] = []
    ones = [_number_of(each, known, _IDENTICAL) for each in old]
    others = [_number_of(each, known, names) for each in new]
    found = [
        (tag == "equal", first, last, start, end)
        for tag, first, last, start, end in SequenceMatcher(None, ones, others, autojunk=False).get_opcodes()
    ]
    left = sum(max(last - first, end - start) for kept, first, last, start, end in found if not kept)
    if len(ones) == len(others) and sum(a != b for a, b in zip(ones, others, strict=True)) < left:
        found = [(a == b, k, k + 1, k, k + 1) for k, (a, b) in enumerate(zip(ones, others, strict=True))]
    yield from found


def _number_of(value: Any, known: list[Any], names: Names) -> int:
    """The number of what says the same, of the old ones first."""
    for place, each in enumerate(known):
        if same(each, value, names):
            return place
    known.append(value)
    return len(known) - 1


_IDENTICAL = Names()


def is_number(node: Node | None) -> bool:
    """Whether a piece is a number as it is written."""
    return isinstance(node, x.IntLiteral | x.DecimalLiteral)


def is_text(node: Node | None) -> bool:
    """Whether a piece is only printed."""
    return isinstance(node, Text)


__all__ = ["Names", "Pair", "Spot", "is_number", "is_text", "same", "spots", "spots_of_lists"]
