"""What an overlay can name: declarations and their parts, with the way to each through the tree.

An address is a chain of names, `game.round.placement.roll`. A name that several types have as an attribute (`zone dice
per player`, `zone dice per Field`) is told apart by its type: `Field.dice`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from regelwerk.dsl.source import Span
from regelwerk.dsl.syntax import declarations as d
from regelwerk.dsl.syntax import effects as e
from regelwerk.dsl.syntax import flow as f
from regelwerk.dsl.syntax import rules as r
from regelwerk.dsl.syntax import scenarios as sc
from regelwerk.dsl.syntax.base import Declaration, Expression, Identifier, Node, Noun, Path, Text, TypeSyntax
from regelwerk.dsl.syntax.expressions import NamedType

Trail = tuple[tuple[Node, str], ...]
"""The nodes above a node, top first, each with the field that leads on."""

KINDS: dict[type[Node], str] = {
    d.Constant: "const",
    d.Option: "option",
    d.EnumDeclaration: "enum",
    d.Resource: "resource",
    d.Track: "track",
    d.State: "state",
    d.Zone: "zone",
    d.Interface: "interface",
    d.Record: "record",
    d.Value: "value",
    d.Score: "score",
    d.Award: "award",
    d.End: "end",
    d.Rank: "rank",
    d.Invariant: "invariant",
    d.Action: "action",
    d.Effect: "effect",
    f.Phase: "phase",
    sc.Scenario: "scenario",
}

TABLES = ("cards", "tiles", "pieces", "dice", "fields", "table")

WORDS = {
    "const": "a constant",
    "option": "an option",
    "enum": "an enum",
    "resource": "a resource",
    "track": "a track",
    "state": "a state",
    "zone": "a zone",
    "interface": "an interface",
    "record": "a record",
    "value": "a value",
    "score": "a score",
    "award": "an award",
    "end": "an end",
    "rank": "a ranking",
    "invariant": "an invariant",
    "action": "an action",
    "effect": "an effect",
    "phase": "a phase",
    "scenario": "a scenario",
    "rule": "a rule",
    "trigger": "a trigger",
    "cards": "a type of cards",
    "tiles": "a type of tiles",
    "pieces": "a type of pieces",
    "dice": "a type of dice",
    "fields": "a type of fields",
    "table": "a table",
    "row": "a row",
    "column": "a column",
    "cell": "a cell",
    "member": "a member of an enum",
    "require": "a requirement",
    "cost": "a cost",
    "parameter": "a parameter",
    "step": "a step",
    "line": "a line of a score",
    "entry": "an entry of an interface",
    "offer": "an action that is offered",
    "game": "a game",
    "use": "a library",
}
"""What a kind is called in messages."""


@dataclass(frozen=True, slots=True)
class Place:
    """Something with an address. `top` is its declaration, `trail` leads from there to `node`.

    `key` is the address with the type the declaration is an attribute of: it means the same in every composition.
    """

    kind: str
    path: tuple[str, ...]
    key: tuple[str, ...]
    node: Node
    top: Declaration
    trail: Trail = ()

    @property
    def address(self) -> str:
        """The address with its dots."""
        return ".".join(self.path)

    def inside(self, kind: str, name: str, node: Node, trail: Trail) -> Place:
        """A part of this."""
        return Place(kind, (*self.path, name), (*self.key, name), node, self.top, self.trail + trail)

    def rebuilt(self, *new: Node) -> Declaration:
        """The declaration with something else (or nothing, or several) at this place."""
        old, made = self.node, new
        for parent, field in reversed(self.trail):
            value: Any = getattr(parent, field)
            if isinstance(value, tuple):
                at = next(k for k, each in enumerate(value) if each is old)
                value = (*value[:at], *made, *value[at + 1 :])
            else:
                (value,) = made
            old, made = parent, (parent.model_copy(update={field: value}),)
        (top,) = made
        assert isinstance(top, Declaration)
        return top


# ------------------------------------------------------------------------------------------------------- declarations
def name_of(node: Declaration) -> Identifier | None:
    """The name of a declaration."""
    noun = getattr(node, "noun", None)
    if isinstance(noun, Noun):
        return noun.name
    name = getattr(node, "name", None)
    return name if isinstance(name, Identifier) else None


def kind_of(node: Declaration) -> str:
    """The word a declaration begins with."""
    if isinstance(node, d.Entity):
        return node.kind
    if isinstance(node, d.Rule):
        return "trigger" if isinstance(node.role, r.Reaction) else "rule"
    return KINDS.get(type(node), "")


def owner_of(node: Declaration) -> str | None:
    """The type a declaration is an attribute of: what stands behind `per`, or a value's first parameter."""
    if isinstance(node, d.State | d.Zone | d.Award):
        return node.per.text if node.per is not None else None
    if isinstance(node, d.Value):
        first = next((each for each in node.parameters or () if each.name.text != "me"), None)
        if first is not None and isinstance(first.type, NamedType):
            return first.type.name.text
    return None


def place_of(node: Declaration, alone: bool = True) -> Place:
    """A declaration with its address; `alone`: no other attribute has its name."""
    name, owner = name_of(node), owner_of(node)
    text = name.text if name is not None else ""
    path = (text,) if alone or owner is None else (owner, text)
    return Place(kind_of(node), path, (text if owner is None else f"{text} of {owner}",), node, node)


# --------------------------------------------------------------------------------------------------------------- parts
def parts(place: Place) -> Iterator[Place]:
    """What has a name directly inside something."""
    node = place.node
    if isinstance(node, d.Entity):
        for column in node.columns:
            yield place.inside("column", column.name.text, column, ((node, "columns"),))
        for row in node.rows:
            yield place.inside("row", row.name.text, row, ((node, "rows"),))
    elif isinstance(node, d.EnumDeclaration):
        for member in node.members:
            if isinstance(member, Noun):
                yield place.inside("member", member.name.text, member, ((node, "members"),))
    elif isinstance(node, d.Action):
        yield from _of_action(place, node)
    elif isinstance(node, d.Effect):
        yield from _in_block(place, node, "body")
    elif isinstance(node, d.Record):
        yield from _binders(place, node)
        for requirement in node.requirements:
            yield place.inside("require", requirement.name.text, requirement, ((node, "requirements"),))
    elif isinstance(node, d.Score):
        for line in node.lines:
            yield place.inside("line", line.name.text, line, ((node, "lines"),))
    elif isinstance(node, d.Interface):
        for entry in node.signatures:
            yield place.inside("entry", entry.name.text, entry, ((node, "signatures"),))
    elif isinstance(node, f.Phase):
        for item in node.items:
            if isinstance(item, f.Phase | f.PhaseStep):
                kind = "phase" if isinstance(item, f.Phase) else "step"
                yield place.inside(kind, item.name.text, item, ((node, "items"),))
    elif isinstance(node, f.PhaseStep | e.Step):
        yield from _in_block(place, node, "body")


def _of_action(place: Place, node: d.Action) -> Iterator[Place]:
    yield from _binders(place, node)
    for clause in node.clauses:
        if isinstance(clause.content, e.Require):
            yield place.inside("require", clause.content.name.text, clause, ((node, "clauses"),))
        elif isinstance(clause.content, d.Cost):
            yield place.inside("cost", clause.content.name.text, clause, ((node, "clauses"),))
    if node.effect is not None:
        yield from _in_block(place, node, "effect")


def _binders(place: Place, node: d.Action | d.Record) -> Iterator[Place]:
    for binder in node.head.binders if node.head is not None else ():
        yield place.inside("parameter", binder.name.text, binder, ((node, "head"), (node.head or node, "binders")))


def _in_block(place: Place, node: Node, field: str) -> Iterator[Place]:
    """Steps and requirements in the statements of a block, however deep, not those inside other steps."""
    for found, trail in statements(node, field):
        if isinstance(found, e.Step):
            yield place.inside("step", found.name.text, found, trail)
        elif isinstance(found, e.Require):
            yield place.inside("require", found.name.text, found, trail)


_LEAVES = (Expression, TypeSyntax, Identifier, Text, Path)
"""No statement stands inside these."""


def statements(node: Node, field: str, above: Trail = ()) -> Iterator[tuple[Node, Trail]]:
    """All statements below a field of a node, each with its trail; named steps are given and not entered."""
    value = getattr(node, field)
    here = (*above, (node, field))
    for each in value if isinstance(value, tuple) else (value,):
        if not isinstance(each, Node) or isinstance(each, _LEAVES):
            continue
        yield each, here
        if not isinstance(each, e.Step):
            for name in type(each).model_fields:
                if name != "span":
                    yield from statements(each, name, here)


def offers(place: Place) -> Iterator[tuple[e.Offer, Trail]]:
    """The offers that stand directly in a phase, or in the effect of something."""
    node = place.node
    if isinstance(node, f.Phase):
        for item in node.items:
            if isinstance(item, f.PhaseOffer):
                yield item.offer, ((node, "items"), (item, "offer"))
            elif isinstance(item, f.PhaseStep):
                yield from _offers_in(item, "body", ((node, "items"),))
    elif isinstance(node, d.Action) and node.effect is not None:
        yield from _offers_in(node, "effect", ())
    elif isinstance(node, d.Effect | e.Step | f.PhaseStep):
        yield from _offers_in(node, "body", ())
    elif isinstance(node, d.Entity):
        yield from _offers_in(node, "rows", ())
    elif isinstance(node, d.Rule | d.Track | d.End):
        for name in type(node).model_fields:
            if name != "span":
                yield from _offers_in(node, name, ())


def _offers_in(node: Node, field: str, above: Trail) -> Iterator[tuple[e.Offer, Trail]]:
    for found, trail in statements(node, field, above):
        if isinstance(found, e.Offer):
            yield found, trail
        elif isinstance(found, e.Step):
            yield from _offers_in(found, "body", trail)


# ------------------------------------------------------------------------------------------------------------- finding
def below(place: Place, names: tuple[str, ...]) -> list[Place]:
    """What has this chain of names inside something; several if it is not unique."""
    if not names:
        return [place]
    found = [each for each in parts(place) if each.path[-1] == names[0]]
    return [deeper for each in found for deeper in below(each, names[1:])]


def all_parts(place: Place) -> Iterator[Place]:
    """Something and everything named inside it."""
    yield place
    for each in parts(place):
        yield from all_parts(each)


def span_of(node: Node) -> Span:
    """Where the name of something stands, for labels."""
    inner = node.content if isinstance(node, d.Clause) else node
    for field in ("name", "noun"):
        named = getattr(inner, field, None)
        if isinstance(named, Identifier | Noun):
            return named.span
    return inner.span
