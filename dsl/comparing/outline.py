"""A game as a tree of named parts, each with the clauses that it consists of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from regelwerk.dsl.source import Source
from regelwerk.dsl.syntax import declarations as d
from regelwerk.dsl.syntax import effects as e
from regelwerk.dsl.syntax import expressions as x
from regelwerk.dsl.syntax import files, flow, rules
from regelwerk.dsl.syntax import scenarios as sc
from regelwerk.dsl.syntax.base import Declaration, Identifier, Node, Noun

Clause = tuple[str, Any]
"""What a clause is called, and what it says: a piece of the tree, several, or a plain value."""

TEXTS = frozenset({"title", "printed", "prompt", "question", "text", "reason"})
"""The clauses that are only printed."""


@dataclass
class Part:
    """A named part. `key` finds it among its siblings of one kind; `ordered`: it matters where it stands among them.
    `group`: among which siblings that is asked."""

    kind: str
    name: str
    address: str
    node: Node
    clauses: list[Clause] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    ordered: bool = False
    group: str = ""
    qualifier: str = ""


@dataclass(frozen=True)
class Version:
    """A game to be compared: what it is called, its parts, the plurals of its nouns, its texts."""

    name: str
    title: str
    parts: tuple[Part, ...]
    plurals: Mapping[str, str]
    sources: Mapping[str, Source]


def version(
    header: files.GameHeader,
    variant: files.VariantHeader | None,
    uses: Iterable[files.Use],
    declarations: Iterable[tuple[Declaration, str | None]],
    sources: Mapping[str, Source],
) -> Version:
    """The parts of a game, from what was checked. What the standard library gives is the same everywhere."""
    own = [node for node, _ in declarations if not node.span.source.startswith("<")]
    said = [each for each in own if not isinstance(each, d.Remark | sc.Scenario)]
    top = variant or header
    parts = [_game(header), *(_use(each) for each in uses)]
    parts += [made for each in said if (made := part_of(each)) is not None]
    return Version(top.name.text, top.title, tuple(parts), dict(_plurals(said)), sources)


def _plurals(declarations: Iterable[Declaration]) -> Iterator[tuple[str, str]]:
    for each in declarations:
        nouns = [
            getattr(each, "noun", None),
            *(getattr(each, "members", ()) if isinstance(each, d.EnumDeclaration) else ()),
        ]
        for noun in nouns:
            if isinstance(noun, Noun) and noun.plural is not None:
                yield noun.plural.text, noun.name.text


def _game(header: files.GameHeader) -> Part:
    seats = [("seats", header.seats)]
    clauses = [("title", header.title), ("players", header.players), *seats, ("triggers", header.triggers)]
    return Part("game", "game", "", header, [*clauses, ("cap", header.cap)])


def _use(node: files.Use) -> Part:
    name = node.name.text + (f"({', '.join(each.text for each in node.arguments)})" if node.arguments else "")
    return Part("library", name, f"use {name}", node)


def mentions(game: Version) -> dict[str, tuple[str, ...]]:
    """Which declarations each declaration speaks of, by name."""
    names = {part.name for part in game.parts}
    singular = dict(game.plurals)
    found: dict[str, tuple[str, ...]] = {}
    for part in game.parts:
        words: dict[str, None] = {}
        stack: list[Any] = [part.node]
        while stack:
            node = stack.pop()
            if isinstance(node, Identifier):
                word = singular.get(node.text, node.text)
                if word in names and word != part.name:
                    words[word] = None
            elif isinstance(node, Node):
                stack += [getattr(node, name) for name in reversed(type(node).model_fields)]
            elif isinstance(node, tuple):
                stack += reversed(node)
        found[part.name] = (*found.get(part.name, ()), *words)
    return found


# -------------------------------------------------------------------------------------------------------- declarations
def part_of(node: Declaration) -> Part | None:
    """The part that a declaration is; None for what is none."""
    maker = _MAKERS.get(type(node))
    return maker(node) if maker is not None else None


def _named(node: Any) -> str:
    noun = getattr(node, "noun", None)
    found: Identifier = noun.name if noun is not None else node.name
    return found.text


def _printed(noun: Noun) -> str | None:
    return None if noun.printed is None else f"{noun.printed}/{noun.printed_plural}"


def _plain(kind: str, *clauses: tuple[str, str], ordered: bool = False) -> Callable[[Any], Part]:
    """What makes a part of fields alone: pairs of a clause and the field that holds it."""

    def make(node: Any) -> Part:
        name = _named(node)
        said = [(clause, getattr(node, fields)) for clause, fields in clauses]
        if hasattr(node, "noun"):
            said.append(("printed", _printed(node.noun)))
            said.append(("plural", node.noun.plural))
        per = getattr(node, "per", None)
        return Part(kind, name, name, node, said, ordered=ordered, qualifier=per.text if per is not None else "")

    return make


def _value(node: d.Value) -> Part:
    first = next((each for each in node.parameters or () if each.type is not None), None)
    qualifier = getattr(getattr(first, "type", None), "name", None)
    clauses = [
        ("parameters", node.parameters),
        ("type", node.type),
        ("value", node.value),
        ("shrinking", node.shrinking),
    ]
    text = qualifier.text if isinstance(qualifier, Identifier) else ""
    return Part("value", node.name.text, node.name.text, node, list(clauses), qualifier=text)


def _enum(node: d.EnumDeclaration) -> Part:
    made = _plain("enum")(node)
    numbers = tuple(each for each in node.members if isinstance(each, d.EnumNumbers))
    made.clauses.append(("numbers", numbers))
    for each in node.members:
        if isinstance(each, Noun):
            address = f"{made.name}.{each.name.text}"
            clauses: list[Clause] = [("printed", _printed(each)), ("plural", each.plural)]
            made.parts.append(Part("member", each.name.text, address, each, clauses, ordered=True))
    return made


def _entity(node: d.Entity) -> Part:
    fields = ("kind", "shape", "per", "copies", "faces")
    made = _plain("things", *((each, each) for each in fields), ("live in", "live_in"), ("rows", "distinct"))(node)
    for column in node.columns:
        clauses = [("parameters", column.parameters), ("type", column.type), ("default", column.default)]
        address = f"{made.name}.{column.name.text}"
        made.parts.append(Part("column", column.name.text, address, column, list(clauses)))
    for drawing in node.drawings:
        name = drawing.column.text
        drawn: list[Clause] = [("drawing", drawing.lines), ("legend", drawing.legend)]
        made.parts.append(Part("drawing", name, f"{made.name}.{name}", drawing, drawn))
    made.parts += [row_of(each, made.name) for each in node.rows]
    return made


def row_of(node: d.Row, table: str) -> Part:
    """A row, with its filled cells as parts."""
    name = node.name.text
    made = Part("row", name, f"{table}.{name}", node, [("printed", node.printed)], ordered=True)
    for column, cell in zip(node.columns, node.cells, strict=False):
        if cell is not None:
            address = f"{table}.{name}.{column.text}"
            made.parts.append(Part("cell", column.text, address, cell, [("", _inside(cell))]))
    return made


def _inside(cell: d.Cell) -> Any:
    if isinstance(cell, d.CellExpression):
        return cell.value
    return cell.body if isinstance(cell, d.CellEffect) else cell.roles


def _score(node: d.Score) -> Part:
    made = _plain("score", ("printed", "printed"))(node)
    for each in node.lines:
        clauses: list[Clause] = [("value", each.value), ("printed", each.printed)]
        made.parts.append(Part("line", each.name.text, f"{made.name}.{each.name.text}", each, clauses))
    return made


def _heads(head: x.Head | None, above: str, kind: str) -> Iterator[Part]:
    for each in head.binders if head is not None else ():
        clauses = [("in", each.domain), ("where", each.condition), ("by", each.sort), ("text", each.otherwise)]
        yield Part(kind, each.name.text, f"{above}.{each.name.text}", each, list(clauses), ordered=True)


def _require(node: e.Require, above: str) -> Part:
    clauses: list[Clause] = [("condition", node.condition), ("text", node.otherwise)]
    return Part("require", node.name.text, f"{above}.{node.name.text}", node, clauses)


def _action(node: d.Action) -> Part:
    name = node.name.text
    made = Part("action", name, name, node, [("limit", node.limit), ("effect", node.effect), ("prompt", node.prompt)])
    made.parts += _heads(node.head, name, "parameter")
    for clause in node.clauses:
        content = clause.content
        if isinstance(content, e.Require):
            made.parts.append(_require(content, name))
            continue
        address = f"{name}.{content.name.text}"
        if isinstance(content, d.Cost):
            said = [("amount", content.amount), ("when", content.condition), ("text", content.printed)]
            made.parts.append(Part("cost", content.name.text, address, content, list(said)))
        else:
            made.parts.append(Part("let", content.name.text, address, content, [("value", content.value)]))
    return made


def _record(node: d.Record) -> Part:
    made = _plain("record")(node)
    made.parts += _heads(node.head, made.name, "field")
    made.parts += [_require(each, made.name) for each in node.requirements]
    return made


def _interface(node: d.Interface) -> Part:
    made = _plain("interface", ("types", "types"))(node)
    for each in node.signatures:
        clauses: list[Clause] = [("parameters", each.parameters), ("type", each.type)]
        address = f"{made.name}.{each.name.text}"
        first = getattr(each.parameters[0].type, "name", None) if each.parameters else None
        qualifier = first.text if isinstance(first, Identifier) else ""
        made.parts.append(Part("entry", each.name.text, address, each, clauses, qualifier=qualifier))
    return made


def _rule(node: d.Rule) -> Part:
    role, name = node.role, node.name.text
    if not isinstance(role, rules.Reaction):
        return Part("rule", name, name, node, role_clauses(role))
    events = " ".join(each.path.text for each in role.targets)
    return Part("trigger", name, name, node, role_clauses(role), ordered=True, group=f"{role.when} {events}")


def role_clauses(role: rules.Role) -> list[Clause]:
    """What a rule consists of."""
    clauses: list[Clause] = [("targets", role.targets), ("while", role.guards), ("by anyone", role.by_anyone)]
    if isinstance(role, rules.Reaction):
        return [("when", role.when), *clauses, ("effect", role.body)]
    if isinstance(role, rules.Modify):
        return [("kind", "modify"), *clauses, ("change", role.change), ("value", role.value)]
    if isinstance(role, rules.Forbid):
        return [("kind", "forbid"), *clauses, ("reason", role.reason)]
    return [("kind", "waive"), *clauses]


def _phase(node: flow.Phase) -> Part:
    return phase_of(node, "")


def phase_of(node: flow.Phase, above: str) -> Part:
    """A phase, with its phases, steps and offers as parts."""
    address = f"{above}{node.name.text}"
    made = Part(
        "phase", node.name.text, address, node, [("driver", node.drivers), ("printed", node.printed)], ordered=True
    )
    offers = 0
    for item in node.items:
        if isinstance(item, flow.Phase):
            made.parts.append(phase_of(item, f"{address}."))
        elif isinstance(item, flow.PhaseStep):
            clauses: list[Clause] = [("when", item.condition), ("effect", item.body)]
            made.parts.append(Part("step", item.name.text, f"{address}.{item.name.text}", item, clauses, ordered=True))
        else:
            offers += 1
            name = "offer" if offers == 1 else f"offer {offers}"
            made.parts.append(Part("offer", name, address, item, offer_clauses(item.offer), ordered=True))
    return made


def offer_clauses(offer: e.Offer) -> list[Clause]:
    """What an offer consists of. The order of its actions is that of a list on the screen."""
    actions = tuple(sorted(offer.actions, key=lambda each: each.text))
    until = tuple(sorted(offer.until_actions, key=lambda each: each.text))
    ways = [("actions", actions), ("pass", offer.passing), ("until", until), ("until done", offer.until_done)]
    return [*ways, ("text", offer.passing_text), ("text", offer.done_text)]


_MAKERS: dict[type[Node], Callable[[Any], Part]] = {
    d.Constant: _plain("constant", ("type", "type"), ("value", "value")),
    d.Option: _plain("option", ("type", "type"), ("default", "default"), ("question", "question")),
    d.EnumDeclaration: _enum,
    d.Resource: _plain(
        "resource",
        ("per", "per"),
        ("supply", "supply"),
        ("start", "start"),
        ("held by", "held_by"),
        ("seen by", "seen_by"),
    ),
    d.Track: _plain(
        "track",
        ("per", "per"),
        ("range", "type"),
        ("start", "start"),
        ("overflow", "overflow"),
        ("overflow", "overflow_block"),
    ),
    d.State: _plain(
        "state", ("per", "per"), ("type", "type"), ("start", "start"), ("resets each", "resets"), ("seen by", "seen_by")
    ),
    d.Entity: _entity,
    d.Zone: _plain(
        "zone",
        ("per", "per"),
        ("of", "kind"),
        ("order", "order"),
        ("capacity", "capacity"),
        ("top visible", "top_visible"),
        ("from", "contents"),
        ("seen by", "seen_by"),
        ("printed", "printed"),
    ),
    d.Value: _value,
    d.Interface: _interface,
    d.Score: _score,
    d.Award: _plain(
        "award", ("per", "per"), ("to most", "measure"), ("at least", "at_least"), ("printed", "printed"), ordered=True
    ),
    d.End: _plain(
        "end",
        ("at once", "at_once"),
        ("after", "after"),
        ("when", "condition"),
        ("won by", "won_by"),
        ("ranked by", "ranked_by"),
        ("effect", "body"),
        ordered=True,
    ),
    d.Rank: _plain("rank", ("keys", "keys"), ("then shared", "shared")),
    d.Invariant: _plain("invariant", ("condition", "condition")),
    d.Action: _action,
    d.Record: _record,
    d.Effect: _plain("effect", ("parameters", "parameters"), ("effect", "body")),
    d.Rule: _rule,
    flow.Phase: _phase,
}

__all__ = ["TEXTS", "Clause", "Part", "Version", "mentions", "part_of", "version"]
