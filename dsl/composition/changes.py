"""`replace`, `remove` and `change`, done to the tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from regelwerk.dsl.composition import trees
from regelwerk.dsl.composition.addresses import WORDS, Place, below, kind_of, name_of, offers, owner_of
from regelwerk.dsl.composition.claims import Claim, What
from regelwerk.dsl.composition.layers import Layer
from regelwerk.dsl.composition.state import Composition, Origin, Removal
from regelwerk.dsl.diagnostics import Label
from regelwerk.dsl.source import Span
from regelwerk.dsl.syntax import declarations as d
from regelwerk.dsl.syntax import effects as e
from regelwerk.dsl.syntax import flow as f
from regelwerk.dsl.syntax import overlays as o
from regelwerk.dsl.syntax.base import Declaration, Identifier, Node

CELLS_BY_NAME = ("copies", "per_player")
"""Columns that are there without being declared."""


class Changer:
    """Does the overlays of one layer that change or take away."""

    def __init__(self, game: Composition, layer: Layer) -> None:
        self.game = game
        self.layer = layer
        self.diagnostics = game.diagnostics
        self.actions_gone: dict[str, o.Remove] = {}

    # ------------------------------------------------------------------------------------------------------ replacing
    def replace(self, node: o.Replace) -> list[Claim]:
        """`replace KIND ...`: a whole declaration."""
        new = node.declaration
        name = name_of(new)
        assert name is not None
        kind = kind_of(new)
        if isinstance(new, f.Phase):
            found = self.game.phases(self.layer, name.text) or self.game.named(self.layer, name.text)
        else:
            found = self.game.named(self.layer, name.text)
        alike = [each for each in found if each.kind == kind]
        if len(alike) > 1 and not isinstance(new, f.Phase):
            found = [each for each in alike if owner_of(each.top) == owner_of(new)] or found
        place = self.game.only(self.layer, name.text, name.span, found, (kind,))
        if place is None or not self._parameters(place, new, name):
            return []
        claim = self._claim("replace", place, node)
        self._origin(node.span, place, "replaced")
        self.game.overwritten.append((tuple(place.path), node.span, self.layer))
        self.game.put(place, new)
        return claim

    def _parameters(self, place: Place, new: Declaration, name: Identifier) -> bool:
        """Whether what is new has the parameters of what it replaces, in the same order; it may have more."""
        old = parameters(place.node)
        missing = next((each for k, each in enumerate(old) if parameters(new)[k : k + 1] != [each]), None)
        if missing is None:
            return True
        self.diagnostics.error(
            "E1106",
            f"`{place.address}` has the {'parameters' if len(old) > 1 else 'parameter'} {', '.join(old)}; "
            f"what replaces it lacks `{missing}` at that place",
            name.span,
            "keep the parameters in their order; further ones may follow",
            (Label(place.node.span, "what is replaced"),),
        )
        return False

    def replace_step(self, node: o.ReplaceStep) -> list[Claim]:
        """`replace step PATH { }`."""
        place = self.game.find(self.layer, node.path, ("step",))
        if place is None:
            return []
        name = node.path.parts[-1]
        if isinstance(place.node, f.PhaseStep):
            new: Node = f.PhaseStep(
                span=node.span, name=name, condition=node.condition, body=node.body, citations=node.citations
            )
        elif node.condition is not None:
            self.diagnostics.error(
                "E1111",
                f"`{place.address}` is a step of an effect, and only steps of phases have a `when`",
                node.condition.span,
                "write `if` inside the step",
                (Label(place.node.span, "the step"),),
            )
            return []
        else:
            new = e.Step(span=node.span, name=name, body=node.body)
        return self._replaced(place, node, new)

    def replace_require(self, node: o.ReplaceRequire) -> list[Claim]:
        """`replace require PATH: c`."""
        place = self.game.find(self.layer, node.path, ("require",))
        if place is None:
            return []
        requirement = e.Require(
            span=node.span,
            name=node.path.parts[-1],
            condition=node.condition,
            otherwise=node.otherwise,
            citations=node.citations,
        )
        if isinstance(place.node, d.Clause):
            clause = d.Clause(span=node.span, content=requirement, citations=node.citations)
            return self._replaced(place, node, clause)
        return self._replaced(place, node, requirement)

    def replace_cost(self, node: o.ReplaceCost) -> list[Claim]:
        """`replace cost PATH: amount`."""
        place = self.game.find(self.layer, node.path, ("cost",))
        if place is None:
            return []
        cost = d.Cost(
            span=node.span,
            name=node.path.parts[-1],
            amount=node.amount,
            condition=node.condition,
            printed=node.printed,
            citations=node.citations,
        )
        return self._replaced(place, node, d.Clause(span=node.span, content=cost, citations=node.citations))

    def replace_line(self, node: o.ReplaceLine) -> list[Claim]:
        """`replace line PATH = e`: its printed name stays."""
        place = self.game.find(self.layer, node.path, ("line",))
        if place is None:
            return []
        assert isinstance(place.node, d.Line)
        line = d.Line(
            span=node.span,
            name=node.path.parts[-1],
            printed=place.node.printed,
            value=node.value,
            citations=node.citations,
        )
        return self._replaced(place, node, line)

    def _replaced(self, place: Place, node: Declaration, new: Node) -> list[Claim]:
        claim = self._claim("replace", place, node)
        self._origin(node.span, place, "replaced")
        self.game.put(place, new)
        return claim

    # ------------------------------------------------------------------------------------------------------- removing
    def remove(self, node: o.Remove) -> list[Claim]:
        """`remove KIND PATH`, except `remove use`, which comes before all else."""
        if node.kind == "offer":
            return self._remove_offer(node)
        place = self.game.find(self.layer, node.path, (node.kind,), "")
        if place is None:
            return []
        names = {place.path[-1]}
        if isinstance(place.node, d.Action):
            self.actions_gone[place.path[-1]] = node
        if isinstance(place.node, d.Entity):
            noun = place.node.noun
            names |= {each.text for each in (noun.name, noun.plural) if each is not None}
            names |= {row.name.text for row in place.node.rows}
        claim = self._claim("remove", place, node)
        if isinstance(place.node, d.Column):
            entity = without_column(place.top, place.path[-1])
            self.game.put(Place(place.kind, place.path[:1], place.key[:1], place.top, place.top), entity)
        else:
            self.game.put(place)
        self.game.overwritten.append((tuple(part.text for part in node.path.parts), node.span, self.layer))
        self.game.removals.append(Removal(place.address, frozenset(names), node.span))
        return claim

    def _fresh(self, place: Place) -> Place:
        """The place again, after other parts of its declaration may have changed."""
        found = [
            deeper
            for each in self.game.named(self.layer, place.key[0].partition(" of ")[0])
            if each.key == place.key[:1]
            for deeper in below(each, place.key[1:])
            if deeper.kind == place.kind
        ]
        return found[0]

    def out_of_offers(self) -> None:
        """Take the actions that were removed out of every `offer` and `until`."""
        stuck: list[tuple[str, e.Offer]] = []

        def change(each: Any) -> Any:
            if isinstance(each, e.Offer):
                return without_actions(each, self.actions_gone, stuck)
            return None if isinstance(each, f.PhaseOffer) and empty(each) else each

        if self.actions_gone:
            for entry in self.game.everything():
                entry.node = trees.rewritten(entry.node, change)
        for action, offer in stuck:
            self._endless(action, offer.span, self.actions_gone[action])

    def _endless(self, action: str, offer: Span, node: o.Remove) -> None:
        self.diagnostics.error(
            "E1115",
            f"an offer goes on until `{action}` was taken; without it nothing would end the offer",
            node.path.span,
            "replace the phase or effect that offers it",
            (Label(offer, "this offer"),),
        )

    def _remove_offer(self, node: o.Remove) -> list[Claim]:
        """`remove offer PLACE.action`."""
        *above, action = node.path.parts
        if not above:
            self.diagnostics.error(
                "E1104",
                f"`{action.text}` does not say from which offer it is to be removed",
                node.path.span,
                f"write the place too: `remove offer game.{action.text}`; or `remove action {action.text}`",
            )
            return []
        path = node.path.model_copy(update={"parts": tuple(above)})
        place = self.game.find(self.layer, path, ("phase", "action", "effect", "step"))
        if place is None:
            return []
        offered = [name.text for offer, _ in offers(place) for name in offer.actions]
        if action.text not in offered:
            near = self.game.nearest(action.text, lambda: offered)
            self.diagnostics.error(
                "E1104",
                f"`{path.text}` does not offer `{action.text}`",
                action.span,
                f"did you mean `{near}`?" if near else f"it offers {', '.join(offered) or 'nothing'}",
                (Label(place.node.span, "declared here"),),
            )
            return []
        claims = [Claim("remove", (*place.key, "offer", action.text), node.path.text, self.layer, node, node)]
        stuck: list[tuple[str, e.Offer]] = []
        while True:
            found = next((x for x in offers(place) if action.text in {name.text for name in x[0].actions}), None)
            if found is None:
                break
            offer, trail = found
            new = without_actions(offer, {action.text: node}, stuck)
            if stuck:
                self._endless(action.text, offer.span, node)
                return []
            if new is None and isinstance(trail[-1][0], f.PhaseOffer):  # the item goes with its offer
                here = Place("offer", place.path, place.key, trail[-1][0], place.top, place.trail + trail[:-1])
            else:
                here = Place("offer", place.path, place.key, offer, place.top, place.trail + trail)
            self.game.put(here, *(() if new is None else (new,)))
            place = self._fresh(place)
        self._origin(node.span, place, "changed")
        return claims

    # ------------------------------------------------------------------------------------------------------- changing
    def change(self, node: o.Change) -> list[Claim]:
        """`change PATH = e`: a constant, the default of an option, the start of a state, a cell."""
        names = tuple(part.text for part in node.path.parts)
        cell = self._cell(node, names)
        if cell is not None:
            return cell
        help = "`change` is for constants, defaults of options, starts of states and cells"
        found = self.game.at(self.layer, names)
        if found and found[0].kind not in ("const", "option", "state"):
            kind = found[0].kind
            if kind in (
                "value",
                "award",
                "end",
                "rank",
                "action",
                "effect",
                "phase",
                "require",
                "cost",
                "step",
                "line",
            ):
                help += f"; here write `replace {kind} {node.path.text}`"
        if not found and len(names) == 3 and self._no_cell(node, names):
            return []
        place = self.game.find(self.layer, node.path, ("const", "option", "state"), help)
        if place is None:
            return []
        if node.value is None:
            self.diagnostics.error(
                "E1105",
                f"`{place.address}` is {WORDS[place.kind]} and holds a value, and "
                + ("this is an effect" if node.effect is not None else "these are rules"),
                node.effect.span if node.effect is not None else node.rules[0].span,
                "write a value, for example a number",
                (Label(place.node.span, "declared here"),),
            )
            return []
        field = {"const": "value", "option": "default", "state": "start"}[place.kind]
        old: Any = place.node
        new = old.model_copy(update={field: node.value, "citations": (*old.citations, *node.citations)})
        claim = self._claim("change", place, node)
        self._origin(node.span, place, "changed")
        self.game.put(place, new)
        return claim

    def _cell(self, node: o.Change, names: tuple[str, ...]) -> list[Claim] | None:
        """`Type.row.column`; None if it is no cell."""
        if len(names) != 3:
            return None
        rows = [each for each in self.game.at(self.layer, names[:2]) if each.kind == "row"]
        if not rows:
            return None
        place, column = rows[0], node.path.parts[2]
        assert isinstance(place.node, d.Row)
        assert isinstance(place.top, d.Entity)
        known = [each.name.text for each in place.top.columns]
        if column.text not in (*known, *CELLS_BY_NAME):
            near = self.game.nearest(column.text, lambda: [*known, *CELLS_BY_NAME])
            self.diagnostics.error(
                "E1104",
                f"{place.top.noun.name.text} has no column `{column.text}`",
                column.span,
                f"did you mean `{near}`?" if near else f"it has {', '.join(known) or 'none'}",
                (Label(place.top.noun.span, "declared here"),),
            )
            return []
        inside = Place(
            "cell", (*place.path, column.text), (*place.key, column.text), place.node, place.top, place.trail
        )
        claims = self._claim("change", inside, node)
        if column.text in known:
            key = (*place.key[:1], column.text)
            claims.append(Claim("inside", key, ".".join((names[0], column.text)), self.layer, node, node))
        self._origin(node.span, place, "changed")
        self.game.put(place, with_cell(place.node, column, node))
        return claims

    def _no_cell(self, node: o.Change, names: tuple[str, ...]) -> bool:
        """Say what is wrong with `Type.row.column` if the type exists."""
        tables = [each for each in self.game.named(self.layer, names[0]) if isinstance(each.node, d.Entity)]
        if not tables or self.game.twice(self.layer, names, node.path.span):
            return bool(tables)
        table = tables[0].node
        assert isinstance(table, d.Entity)
        row = node.path.parts[1]
        rows = [each.name.text for each in table.rows]
        near = self.game.nearest(row.text, lambda: rows)
        drawn = "its cells are drawn: replace the whole board" if table.drawings else "it has no rows"
        self.diagnostics.error(
            "E1104",
            f"{names[0]} has no row `{row.text}`",
            row.span,
            f"did you mean `{near}`?" if near else (f"it has {', '.join(rows[:8])}" if rows else drawn),
            (Label(table.noun.span, "declared here"),),
        )
        return True

    # -------------------------------------------------------------------------------------------------------- records
    def _claim(self, what: What, place: Place, node: Declaration) -> list[Claim]:
        return [Claim(what, place.key, place.address, self.layer, node, node)]

    def _origin(self, span: Span, place: Place, verb: str) -> None:
        self.game.origins.append(Origin(span, place.node.span, place.address, verb))


# --------------------------------------------------------------------------------------------------------------- trees
def parameters(node: Node) -> list[str]:
    """The names of parameters in order; `me` is not counted. For what is kept per type: that type."""
    if isinstance(node, d.Value | d.Effect):
        return [each.name.text for each in node.parameters or () if each.name.text != "me"]
    if isinstance(node, d.Action | d.Record):
        return [each.name.text for each in node.head.binders] if node.head is not None else []
    if isinstance(node, d.Zone | d.Award):
        return [f"per {node.per.text}"] if node.per is not None else []
    return []


def empty(item: Any) -> bool:
    """Whether an item of a phase has lost its offer."""
    return item.offer is None


def without_actions(offer: e.Offer, gone: Mapping[str, o.Remove], stuck: list[tuple[str, e.Offer]]) -> e.Offer | None:
    """The offer without some actions; None if nothing is left. `stuck`: it would never end."""
    actions = tuple(each for each in offer.actions if each.text not in gone)
    until = tuple(each for each in offer.until_actions if each.text not in gone)
    if len(actions) == len(offer.actions) and len(until) == len(offer.until_actions):
        return offer
    if not actions:
        return None
    if offer.until_actions and not until:
        stuck.append((offer.until_actions[0].text, offer))
    return offer.model_copy(update={"actions": actions, "until_actions": until})


def without_column(node: Declaration, column: str) -> d.Entity:
    """A table without a column, and without its cells."""
    assert isinstance(node, d.Entity)
    rows = []
    for row in node.rows:
        pairs = list(zip(row.columns, row.cells, strict=True))
        kept = [(header, cell) for header, cell in pairs if header.text != column]
        rows.append(
            row.model_copy(update={"columns": tuple(h for h, _ in kept), "cells": tuple(cell for _, cell in kept)})
        )
    return node.model_copy(
        update={
            "columns": tuple(each for each in node.columns if each.name.text != column),
            "drawings": tuple(each for each in node.drawings if each.column.text != column),
            "rows": tuple(rows),
        }
    )


def with_cell(row: d.Row, column: Identifier, change: o.Change) -> d.Row:
    """A row with another cell."""
    cell: d.Cell
    if change.value is not None:
        cell = d.CellExpression(span=change.value.span, value=change.value)
    elif change.effect is not None:
        cell = d.CellEffect(span=change.effect.span, body=change.effect)
    else:
        span = replace(change.rules[0].span, end=change.rules[-1].span.end)
        cell = d.CellRules(span=span, roles=change.rules)
    pairs = [(header, old) for header, old in zip(row.columns, row.cells, strict=True) if header.text != column.text]
    at = next((k for k, header in enumerate(row.columns) if header.text == column.text), len(pairs))
    pairs.insert(at, (column, cell))
    return row.model_copy(
        update={
            "columns": tuple(header for header, _ in pairs),
            "cells": tuple(each for _, each in pairs),
            "citations": (*row.citations, *change.citations),
        }
    )
