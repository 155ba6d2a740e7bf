"""A picture of a checked game as a diagram: nodes, clusters, edges. How it is drawn is decided elsewhere.

Ids are made of addresses, so that the same game always gives the same diagram. What every kind of node means, in the
diagram of the phases:

start, over    where the flow begins; the end of the game when its last phase is over
driver         the head of a phase that runs several times or only sometimes
again          the foot of such a phase, from where it goes back to its head
step           a step of a phase
offer          actions of which a player takes one; an `Entry` for each
end            an end condition
result         how the winner is found
note           a rule that reacts to what it is tied to by an edge, or to what happens anywhere

in the diagram of rules:

cause          what sets events off: actions, steps
event          what rules react to; what standing rules change
rule           rules that react, or a standing rule; those of cards that aim at the same thing together

in the diagram of the economy:

goods          a resource, one kind of it, or a track
source, sink   what only gives, what only takes
converter      what does both

and on a board:

place          a square, hex, corner or space with a name
caption        a text beside places
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

NodeKind = Literal[
    "start", "over", "driver", "again", "step", "offer", "end", "result", "note",
    "cause", "event", "rule", "goods", "source", "sink", "converter", "place", "caption",
]  # fmt: skip
EdgeKind = Literal[
    "flow", "loop", "end", "note", "causes", "reacts", "changes", "circle", "gives", "takes", "counts", "joins"
]
Shape = Literal["box", "hexagon", "circle", "text"]
"""How a place is drawn."""


@dataclass(frozen=True)
class Entry:
    """An action in an offer: its prompt, and lines about costs, limits and what it leads to."""

    address: str
    title: str
    lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class Node:
    """One box. `lines`: said below the title; `code`: text of the rules file; `footer`: said at the bottom."""

    id: str
    kind: NodeKind
    title: str
    lines: tuple[str, ...] = ()
    code: tuple[str, ...] = ()
    entries: tuple[Entry, ...] = ()
    footer: tuple[str, ...] = ()
    address: str = ""
    at: Position | None = None


@dataclass(frozen=True)
class Position:
    """Where a place lies, in units of one square; `y` grows downwards. `size`: how wide and high it is."""

    x: float
    y: float
    size: tuple[float, float] = (1.0, 1.0)
    shape: Shape = "box"
    fill: str = "#ffffff"


@dataclass
class Cluster:
    """A phase, or a group of what stands beside the flow; `members` in their order."""

    id: str
    title: str
    kind: Literal["phase", "aside"] = "phase"
    address: str = ""
    members: list[Node | Cluster] = field(default_factory=list)


@dataclass(frozen=True)
class Edge:
    """An arrow; it may start or stop at the border of a cluster that holds its node."""

    tail: str
    head: str
    kind: EdgeKind = "flow"
    label: str = ""
    tail_cluster: str | None = None
    head_cluster: str | None = None


@dataclass
class Diagram:
    """One drawing of a game. `across`: it runs from left to right. `legend`: colours with what they mean."""

    name: str
    title: str
    subtitle: str
    members: list[Node | Cluster] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    across: bool = False
    legend: list[tuple[str, str]] = field(default_factory=list)

    @property
    def placed(self) -> bool:
        """Whether its nodes have fixed positions: a board."""
        return any(each.at is not None for each in self.nodes())

    def nodes(self) -> Iterator[Node]:
        """All nodes, in their order."""
        for member in _flat(self.members):
            if isinstance(member, Node):
                yield member

    def clusters(self) -> Iterator[Cluster]:
        """All clusters, outer ones before those inside."""
        for member in _flat(self.members):
            if isinstance(member, Cluster):
                yield member


def _flat(members: list[Node | Cluster]) -> Iterator[Node | Cluster]:
    for member in members:
        yield member
        if isinstance(member, Cluster):
            yield from _flat(member.members)


__all__ = ["Cluster", "Diagram", "Edge", "EdgeKind", "Entry", "Node", "NodeKind", "Position", "Shape"]
