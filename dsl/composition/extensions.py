"""`extend`, done to the tree: rows, columns, members, clauses, lines, offers, parameters, players, steps and phases."""

from __future__ import annotations

from typing import Any

from regelwerk.dsl.composition.addresses import TABLES, WORDS, Place, Trail, all_parts, below, offers, parts, span_of
from regelwerk.dsl.composition.claims import Claim
from regelwerk.dsl.composition.layers import Layer
from regelwerk.dsl.composition.state import Composition, Origin
from regelwerk.dsl.composition.trees import same
from regelwerk.dsl.diagnostics import Label
from regelwerk.dsl.syntax import declarations as d
from regelwerk.dsl.syntax import effects as e
from regelwerk.dsl.syntax import flow as f
from regelwerk.dsl.syntax import overlays as o
from regelwerk.dsl.syntax.base import Node
from regelwerk.dsl.syntax.expressions import Head, NamedType

_FILLED = ("effect", "rules", "ability", "test", "text")
"""Types of columns whose empty cells mean something without a default."""

_ITEMS: dict[str, type[Node]] = {
    "column": d.Column,
    "row": d.Row,
    "line": d.Line,
    "offer": f.PhaseOffer,
    "players": o.Players,
    "member": o.Member,
    "param": d.ParameterBinder,
    "entry": d.Signature,
    "step": f.PhaseStep,
    "phase": f.Phase,
}

_ALLOWED = {
    **dict.fromkeys(TABLES, ("row", "column")),
    "enum": ("member",),
    "action": ("require", "cost", "param", "offer", "step"),
    "effect": ("require", "offer", "step"),
    "phase": ("offer", "step", "phase"),
    "score": ("line",),
    "interface": ("entry",),
}

_WORDS = {
    "column": "`column`",
    "row": "rows",
    "line": "`line`",
    "offer": "`offer`",
    "players": "`players`",
    "member": "`member`",
    "param": "`param`",
    "entry": "`value`",
    "step": "`last step`",
    "phase": "`last phase`",
    "require": "`require`",
    "cost": "`cost`",
}


class Extender:
    """Does one `extend`. The place grows while its items are added one after the other."""

    def __init__(self, game: Composition, layer: Layer, node: o.Extend) -> None:
        self.game = game
        self.layer = layer
        self.overlay = node
        self.diagnostics = game.diagnostics
        self.claims: list[Claim] = []
        self.latest: dict[tuple[str, str], Node] = {}

    def run(self) -> list[Claim]:
        """Add all items."""
        node = self.overlay
        if node.kind == "game":
            return self._game()
        place = self.game.find(self.layer, node.path, (node.kind,))
        if place is None:
            return []
        self.claims.append(Claim("inside", place.key, place.address, self.layer, node, node))
        self.game.origins.append(Origin(node.span, span_of(place.node), place.address, "extended"))
        before = len(place.node.rows) + len(place.node.drawings) if isinstance(place.node, d.Entity) else 0
        for item in node.items:
            inner: Any = item.item if isinstance(item, o.Placed) else item
            kind = kind_of_item(inner)
            if kind not in _ALLOWED[node.kind]:
                self._refuse(place, inner, kind)
            elif kind == "column" and before and needs_default(inner):
                self.diagnostics.error(
                    "E1114",
                    f"{place.address} has rows already, which have no `{inner.name.text}`",
                    inner.span,
                    "give the column a default: `column ... = e`",
                    (Label(span_of(place.node), "declared here"),),
                )
            else:
                made = self._add(place, kind, item, inner)
                if made is not None:
                    self.game.put(place, made)
                    place = self._again(place)
        return self.claims

    def _again(self, place: Place) -> Place:
        name = place.key[0].partition(" of ")[0]
        tops = [each for each in self.game.named(self.layer, name) if each.key == place.key[:1]]
        return next(deeper for each in tops for deeper in below(each, place.key[1:]) if deeper.kind == place.kind)

    def _refuse(self, place: Place, inner: Node, kind: str) -> None:
        known = ", ".join(_WORDS[each] for each in _ALLOWED[place.kind])
        self.diagnostics.error(
            "E1111",
            f"{WORDS[place.kind]} is not extended by {_WORDS[kind]}",
            inner.span,
            f"`extend {place.kind}` takes {known}",
            (Label(span_of(place.node), "declared here"),),
        )

    # --------------------------------------------------------------------------------------------------------- players
    def _game(self) -> list[Claim]:
        node, name = self.overlay, self.game.header.name.text
        if node.path.text not in (name, *(each.name for each in self.game.stack.under(self.layer))):
            self.game.missing(self.layer, node.path.text, node.path.span, WORDS["game"], lambda: [name])
            return []
        for item in node.items:
            if not isinstance(item, o.Players):
                inner: Any = item.item if isinstance(item, o.Placed) else item
                self.diagnostics.error(
                    "E1111",
                    f"a game is not extended by {_WORDS[kind_of_item(inner)]}",
                    inner.span,
                    "`extend game` takes `players 2..5`; declarations stand by themselves",
                )
                continue
            self.claims.append(Claim("part", ("game", "players"), "players", self.layer, node, item))
            self.game.header = self.game.header.model_copy(update={"players": item})
        return self.claims

    # ----------------------------------------------------------------------------------------------------------- items
    def _add(self, place: Place, kind: str, item: Any, inner: Any) -> Any:
        """The place with one item more; None if that cannot be."""
        if kind == "offer":
            return self._offer(place, item, inner)
        text = _name_of(kind, inner)
        twin = self._twin(place, kind, text, inner)
        if twin is not None:
            self.diagnostics.error(
                "E1107",
                f"`{place.address}.{text}` exists already",
                inner.span,
                "choose another name"
                if kind in ("row", "member", "param", "entry")
                else f"choose another name, or write `replace {kind} {place.address}.{text}`",
                (Label(twin.span, "first declared here"),),
            )
            return None
        key = (*place.key, f"param {text}" if kind == "param" else text)
        self.claims.append(Claim("part", key, f"{place.address}.{text}", self.layer, self.overlay, item))
        node: Any = place.node
        if isinstance(item, o.Placed):
            return self._placed(place, item, inner)
        field = {"row": "rows", "column": "columns", "line": "lines", "entry": "signatures"}.get(kind)
        if field is not None:
            return appended(node, field, inner)
        if kind == "member":
            return appended(node, "members", inner.noun)
        if kind == "param":
            binders = node.head.binders if node.head is not None else ()
            head = Head(span=(node.head or inner).span, binders=(*binders, inner.binder))
            return with_field(node, "head", head)
        if isinstance(node, d.Action):
            return appended(node, "clauses", inner)
        assert isinstance(node, d.Effect)
        return self._required(node, inner.content)

    def _twin(self, place: Place, kind: str, text: str, inner: Any) -> Node | None:
        """What has this name already."""
        alike = [each for each in parts(place) if each.path[-1] == text]
        if isinstance(place.node, d.Entity):
            alike = [each for each in alike if each.kind == kind]
        alike = [each for each in alike if (each.kind == "parameter") == (kind == "param")]
        if kind == "entry":  # `corners(h: Hex)` and `corners(e: Edge)` are two
            alike = [each for each in alike if _same_subject(each.node, inner)]
        return alike[0].node if alike else None

    @staticmethod
    def _required(node: d.Effect, requirement: e.Require) -> Any:
        """Requirements come first in an effect."""
        count = first_after_requires(node.body)
        body = node.body.statements
        return with_field(
            node, "body", with_field(node.body, "statements", (*body[:count], requirement, *body[count:]))
        )

    # ---------------------------------------------------------------------------------------------------------- places
    def _placed(self, place: Place, item: o.Placed, inner: Any) -> Any:
        """`first`, `last`, `before X` or `after X` among the rows, the items of a phase or the steps of an effect."""
        node = place.node
        if isinstance(node, d.Entity | f.Phase):
            field = "rows" if isinstance(node, d.Entity) else "items"
            local: Trail = ((node, field),)
            new = inner
        else:
            assert isinstance(node, d.Action | d.Effect)
            block = "effect" if isinstance(node, d.Action) else "body"
            if not isinstance(inner, f.PhaseStep) or inner.condition is not None:
                what = (
                    "a step of an effect has no `when`" if isinstance(inner, f.PhaseStep) else "an effect has no phases"
                )
                self.diagnostics.error("E1111", what, inner.span, "write `if` inside the step")
                return None
            body = getattr(node, block)
            if body is None:
                return None  # an action without effect, which is said elsewhere
            local = ((node, block), (body, "statements"))
            new = e.Step(span=inner.span, name=inner.name, body=inner.body)
        siblings: tuple[Node, ...] = getattr(local[-1][0], local[-1][1])
        if item.anchor is not None:
            found = self._anchor(place, item)
            if found is None:
                return None
            local, anchor = found
            siblings = getattr(local[-1][0], local[-1][1])
            at = next(k for k, each in enumerate(siblings) if each is anchor) + (item.position == "after")
        elif item.position == "first":
            at = first_after_requires(local[-1][0]) if isinstance(local[-1][0], e.Block) else 0
        else:
            at = len(siblings)
        key = (item.position, item.anchor.text if item.anchor is not None else "")
        if item.position in ("first", "after"):  # several at one place stand in the order written
            earlier = self.latest.get(key)
            at = next((k + 1 for k, each in enumerate(siblings) if each is earlier), at)
        self.latest[key] = new
        return climbed(local, (*siblings[:at], new, *siblings[at:]))

    def _anchor(self, place: Place, item: o.Placed) -> tuple[Trail, Node] | None:
        """What `before X` or `after X` means, with the way there."""
        assert item.anchor is not None
        entity = isinstance(place.node, d.Entity)
        phase = isinstance(place.node, f.Phase)
        inside = parts(place) if entity or phase else all_parts(place)  # the steps of an effect may lie in each other
        known = [each for each in inside if each.kind in (("row",) if entity else ("step", "phase"))]
        found = next((each for each in known if each.path[-1] == item.anchor.text), None)
        if found is None:
            near = self.game.nearest(item.anchor.text, lambda: [each.path[-1] for each in known])
            what = "row" if entity else "step or phase" if phase else "step"
            self.diagnostics.error(
                "E1104",
                f"`{place.address}` has no {what} `{item.anchor.text}`",
                item.anchor.span,
                f"did you mean `{near}`?" if near else "write `first` or `last`",
                (Label(span_of(place.node), "declared here"),),
            )
            return None
        self.claims.append(Claim("beside", found.key, found.address, self.layer, self.overlay, item))
        return found.trail[len(place.trail) :], found.node

    # ---------------------------------------------------------------------------------------------------------- offers
    def _offer(self, place: Place, item: Any, inner: f.PhaseOffer) -> Any:
        """`offer a, b` adds to the offer that is there; with a place it is one more offer."""
        node: Any = place.node
        known = list(offers(place))
        new = inner.offer
        if isinstance(item, o.Placed) or (not known and isinstance(node, f.Phase)):
            if not isinstance(node, f.Phase):
                self.diagnostics.error("E1111", "an offer has its place in a phase", item.span, "write `offer` alone")
                return None
            self._offered(place, new, item)
            if isinstance(item, o.Placed):
                return self._placed(place, item, inner)
            return appended(node, "items", inner)
        if len(known) != 1:
            number = "no offer" if not known else f"{len(known)} offers"
            self.diagnostics.error(
                "E1111",
                f"`{place.address}` has {number}, so that it is not clear what is to be extended",
                item.span,
                f"replace the {place.kind}",
                (Label(span_of(place.node), "declared here"),),
            )
            return None
        offer, trail = known[0]
        if new.passing or new.until_done or (new.until_actions and not offer.until_actions):
            self.diagnostics.error(
                "E1111",
                "how an offer ends cannot be changed by extending it",
                item.span,
                f"name actions only, or replace the {place.kind}",
                (Label(offer.span, "the offer"),),
            )
            return None
        twin = next((each for each in new.actions if any(each.text == old.text for old in offer.actions)), None)
        if twin is not None:
            self.diagnostics.error(
                "E1107",
                f"`{twin.text}` is offered here already",
                twin.span,
                "remove it",
                (Label(offer.span, "the offer"),),
            )
            return None
        self._offered(place, new, item)
        changed = {
            "actions": offer.actions + new.actions,
            "until_actions": offer.until_actions + new.until_actions,
        }
        return changed_at(trail, offer, offer.model_copy(update=changed))

    def _offered(self, place: Place, offer: e.Offer, item: Node) -> None:
        for action in offer.actions:
            key = (*place.key, "offer", action.text)
            self.claims.append(Claim("part", key, f"{place.address}.{action.text}", self.layer, self.overlay, item))


# --------------------------------------------------------------------------------------------------------------- trees
def kind_of_item(item: Any) -> str:
    """The word for an item of an extension."""
    if isinstance(item, d.Clause):
        return "require" if isinstance(item.content, e.Require) else "cost"
    return next(word for word, each in _ITEMS.items() if isinstance(item, each))


def needs_default(column: d.Column) -> bool:
    """Whether the rows that are there need something in a new column."""
    kind = column.type
    return column.default is None and not (isinstance(kind, NamedType) and kind.name.text in _FILLED)


def _same_subject(one: Any, other: Any) -> bool:
    return same(tuple(each.type for each in one.parameters[:1]), tuple(each.type for each in other.parameters[:1]))


def with_field(node: Any, field: str, value: Any) -> Any:
    """The node with another field."""
    return node.model_copy(update={field: value})


def appended(node: Any, field: str, item: Node) -> Any:
    """The node with one item more."""
    return with_field(node, field, (*getattr(node, field), item))


def first_after_requires(block: Node) -> int:
    """Where the first statement stands that is no requirement."""
    statements: tuple[Node, ...] = getattr(block, "statements", ())
    return next((k for k, each in enumerate(statements) if not isinstance(each, e.Require)), len(statements))


def changed_at(trail: Trail, old: Node, new: Node) -> Any:
    """The top of a trail, with another node at its end."""
    parent, field = trail[-1]
    value = getattr(parent, field)
    if isinstance(value, tuple):
        return climbed(trail, tuple(new if each is old else each for each in value))
    return climbed(trail, new)


def climbed(trail: Trail, value: Any) -> Any:
    """The top of a trail, with another value in its last field."""
    for (parent, field), above in zip(reversed(trail), [*reversed(trail[:-1]), None], strict=True):
        made: Any = with_field(parent, field, value)
        if above is None:
            return made
        siblings = getattr(*above)
        value = tuple(made if each is parent else each for each in siblings) if isinstance(siblings, tuple) else made
    raise AssertionError("a trail has a top")


def _name_of(kind: str, item: Any) -> str:
    """The name that an item gives to what it adds."""
    named = item.content if isinstance(item, d.Clause) else item.binder if kind == "param" else item
    return str(named.noun.name.text if isinstance(named, o.Member) else named.name.text)
