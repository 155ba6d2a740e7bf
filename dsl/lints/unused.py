"""What nothing uses: declarations, columns, members of enums, parameters, local names, libraries.

Names are followed from what happens by itself (phases, ends, rules, scenarios) over the names in each declaration; so a
name in a type or in the braces of the game counts, too. Effects and values are in use if what is reached runs or asks
them; a name alone is not enough there, as it may mean something else.
"""

from __future__ import annotations

from collections.abc import Iterator

from regelwerk.dsl.lints.edits import removal
from regelwerk.dsl.lints.reaching import nodes_of, parts_of
from regelwerk.dsl.lints.subject import Subject
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import EnumType, SetType, ThingType, strip
from regelwerk.dsl.syntax import declarations as d
from regelwerk.dsl.syntax.base import Declaration

WORDS: dict[type, str] = {
    d.Value: "value",
    d.Effect: "effect",
    d.Constant: "constant",
    d.Option: "option",
    d.EnumDeclaration: "enum",
    d.Resource: "resource",
    d.Track: "track",
    d.State: "state",
    d.Zone: "zone",
    d.Entity: "table",
    d.Record: "record",
    d.Award: "award",
}
"""What has to be used by something else, in the words of messages."""

REMOVABLE = (d.Value, d.Effect, d.Constant, d.EnumDeclaration, d.Record, d.State)
"""What can be taken away without changing what is on the table or what can be asked before a game."""


def find(s: Subject) -> None:
    """All that nothing uses."""
    dead = _declarations(s)
    _columns(s, dead)
    _members(s, dead)
    _parameters(s, dead)
    _libraries(s)
    _entries(s)


# -------------------------------------------------------------------------------------------------------- declarations
def _declarations(s: Subject) -> set[g.Symbol]:
    """Report the declarations that nothing uses; gives all of them, also those that only unused ones speak of."""
    dead = [symbol for symbol, node in s.tree_of.items() if type(node) in WORDS and not _in_use(s, node, symbol)]
    words = {symbol: s.words(s.tree_of[symbol]) for symbol in dead}
    tops = [symbol for symbol in dead if not any(symbol.name in words[other] for other in dead if other is not symbol)]
    for symbol in tops or dead:
        node = s.tree_of[symbol]
        s.report(
            "W0901",
            f"nothing uses the {WORDS[type(node)]} `{symbol.name}`",
            symbol.span,
            "remove it, or use it where it was meant to be used",
            fix=removal(s.sources[s.own], node.span, f"remove `{symbol.name}`")
            if isinstance(node, REMOVABLE) and s.is_own(node.span) and _alone(s, node)
            else None,
        )
    return set(dead)


def _alone(s: Subject, node: Declaration) -> bool:
    """Whether a declaration has its name for itself, and no scenario or clause speaks of it."""
    return s.composed is None


def _in_use(s: Subject, node: Declaration, symbol: g.Symbol) -> bool:
    if symbol.name in s.told_by_scenarios:
        return True
    if isinstance(symbol, g.EffectSymbol | g.ValueSymbol):
        if isinstance(symbol, g.ValueSymbol) and _answers(s, symbol):
            return True
        return symbol in s.reach
    if isinstance(symbol, g.ZoneSymbol) and symbol.contents is not None:
        return True  # where things lie on the table
    return id(node) in s.named or (symbol in s.reach and not isinstance(symbol, g.AwardSymbol))


def _answers(s: Subject, symbol: g.ValueSymbol) -> bool:
    """Whether a value answers an entry of an interface."""
    first = strip(symbol.parameters[0][1]) if symbol.parameters else None
    entity = getattr(first, "symbol", None)
    return any(isinstance(entity, g.EntitySymbol) and each.entry(entity, symbol.name) for each in s.c.interfaces)


# ------------------------------------------------------------------------------------------------------------- columns
def _columns(s: Subject, dead: set[g.Symbol]) -> None:
    for symbol in s.symbols_of(g.EntitySymbol):
        if symbol in dead or symbol.computed is not None:
            continue
        for column in symbol.columns.values():
            used = column in s.reach or str(column.type) == "rules" or column.name in s.told_by_scenarios
            if used or any(each.entry(symbol, column.name) for each in s.c.interfaces):
                continue
            ability = str(column.type) == "ability" and not any(isinstance(e, g.CellBody) for e in column.cells)
            if not ability:
                s.report(
                    "W0902",
                    f"nothing reads the column `{column.name}` of {symbol.name}",
                    column.span,
                    "remove it, or use it where it was meant to be used",
                )


# ------------------------------------------------------------------------------------------------------------- members
def _members(s: Subject, dead: set[g.Symbol]) -> None:
    symbols = [each for each in dict.fromkeys(s.game.symbols.values()) if isinstance(each, g.EnumSymbol)]
    open_ = [each for each in symbols if each not in dead and s.is_own(each.span)]
    whole = _taken_as_a_whole(s)
    said: set[str] = set()
    for node in s.declarations:
        if not isinstance(node, d.EnumDeclaration):
            said.update(s.words(node))
    for symbol in open_:
        if symbol in whole:
            continue
        for one, many, _, span in symbol.members:
            if one not in said and many not in said:
                s.report(
                    "W0903",
                    f"nothing speaks of `{one}`, so no {symbol.name} is ever `{one}`",
                    span,
                    "remove it, or use it where it was meant to be used",
                )
    _rows(s, dead)


def _rows(s: Subject, dead: set[g.Symbol]) -> None:
    """Rows that nothing names, of types that nothing goes through."""
    walked = {node.symbol for _, node in s.reach.of(x.AllThings)}
    named = {(node.symbol, node.row) for _, node in s.reach.of(x.RowConst)}
    keys = {strip(key) for each in s.symbols if (key := getattr(each, "key", None)) is not None}
    for entity in s.game.entities:
        if entity in walked or entity in dead or entity.computed is not None or not s.is_own(entity.span):
            continue
        if ThingType(entity) in keys or entity.marks:
            continue
        own = s.tree_of[entity]
        said = {word for node in s.declarations if node is not own for word in s.words(node)}
        left = [row for row in entity.rows if row.name not in said and (entity, row.index) not in named]
        if len(left) == len(entity.rows):
            continue  # then it is not about single rows
        for row in left:
            s.report(
                "W0903",
                f"nothing speaks of `{row.name}`, and nothing goes through all {entity.words.many}",
                row.span,
                "remove the row, or use it where it was meant to be used",
            )


def _taken_as_a_whole(s: Subject) -> set[g.EnumSymbol]:
    """The enums whose members all come up without being named: chosen from, counted, drawn, kinds of goods."""
    found: set[g.EnumSymbol] = set()
    for _, node in s.reach.of(x.Interval):
        if isinstance(node.type, SetType) and isinstance(node.type.member, EnumType):
            found.add(node.type.member.symbol)
    for symbol in s.symbols:
        if isinstance(symbol, g.ResourceSymbol) and symbol.kinds is not None:
            found.add(symbol.kinds)
        kind = strip(symbol.type) if isinstance(symbol, g.OptionSymbol) else None
        if isinstance(kind, EnumType):
            found.add(kind.symbol)
        key = getattr(symbol, "key", None)
        if isinstance(key, EnumType):
            found.add(key.symbol)
    for entity in s.game.entities:
        for column in entity.columns.values():
            drawn = strip(column.type)
            if entity.marks.get(column.name) and isinstance(drawn, EnumType):
                found.add(drawn.symbol)
    return found | {picture.symbol for picture in s.game.pictures}


# ---------------------------------------------------------------------------------------------------------- parameters
def _parameters(s: Subject, dead: set[g.Symbol]) -> None:
    called: list[g.ValueSymbol | g.EffectSymbol | g.ActionSymbol] = [*s.symbols_of(g.ValueSymbol)]
    called += [*s.symbols_of(g.EffectSymbol), *s.symbols_of(g.ActionSymbol)]
    for symbol in called:
        if symbol in dead or not s.is_own(symbol.span):
            continue
        _of_one(s, symbol)
    owners = [each for each in s.reach.nodes if isinstance(each, g.PhaseSymbol | g.CellBody | g.Role | g.EndSymbol)]
    for owner in owners:
        if s.is_own(owner.span):
            _locals(s, s.reach.nodes[owner], set())


def _of_one(s: Subject, symbol: g.ValueSymbol | g.EffectSymbol | g.ActionSymbol) -> None:
    nodes = s.reach.nodes.get(symbol) or nodes_of(parts_of(symbol))
    read = {node.slot for node in nodes if isinstance(node, x.Local)}
    bound = {index for role in _roles(symbol) for _, index in role.bindings}
    asked = {index for question in getattr(symbol, "questions", ()) for index, _ in question.keys}
    if isinstance(symbol, g.ActionSymbol):
        parameters = [(name, slot) for name, _, slot in symbol.parameters]
        spans = {binder.slot: binder.span for binder in symbol.head.visible} if symbol.head is not None else {}
    else:
        slots = symbol.slots[len(symbol.slots) - len(symbol.parameters) :]
        parameters = [(name, slot) for (name, _), slot in zip(symbol.parameters, slots, strict=True)]
        tree = s.tree_of[symbol]
        written = {each.name.text: each.span for each in getattr(tree, "parameters", None) or ()}
        spans = {slot: written[name] for name, slot in parameters if name in written}
        if isinstance(symbol, g.ValueSymbol) and len(s.c.attributes.get(symbol.name, ())) > 1:
            read.update(slots[:1])  # its type tells the values of this name apart
        if symbol in s.replacing or (isinstance(symbol, g.ValueSymbol) and _answers(s, symbol)):
            return  # others say what it takes
    for index, (name, slot) in enumerate(parameters):
        if slot in read or index in bound or index in asked or slot not in spans:
            continue
        s.report(
            "W0904",
            f"`{symbol.name}` does nothing with its parameter `{name}`",
            spans[slot],
            "remove it here and where it is given, or use it",
        )
    _locals(s, nodes, {index for index in bound if index >= len(parameters)})


def _roles(symbol: g.Symbol) -> Iterator[g.Role]:
    yield from getattr(symbol, "roles", ())
    for clause in [*getattr(symbol, "clauses", ()), *getattr(symbol, "requirements", ())]:
        if not isinstance(clause, tuple):
            yield from clause.roles


def _locals(s: Subject, nodes: list[object], further: set[int]) -> None:
    """`let`s that nothing reads, and choices of which nothing is done with what was chosen."""
    read = {node.slot for node in nodes if isinstance(node, x.Local)}
    for node in nodes:
        if isinstance(node, t.Let) and node.slot not in read and not further:
            s.report(
                "W0905",
                "nothing reads what this `let` names",
                node.span,
                "remove it, or use the name",
                fix=removal(s.sources[s.own], node.span, "remove the `let`") if s.is_own(node.span) else None,
            )
        elif isinstance(node, t.Choose):
            for binder in node.head.visible:
                if binder.slot not in read and not node.again and len(node.head.visible) == 1:
                    s.report(
                        "W0905",
                        f"nothing is done with `{binder.name}`, whatever is chosen",
                        binder.span,
                        "use it in what follows, or leave out the choice",
                    )


# ----------------------------------------------------------------------------------------------------------- libraries
def _libraries(s: Subject) -> None:
    """A `use` of which no declaration is in use."""
    kept = {library for _, library in s.checker.declarations if library is not None}
    for use in s.checker.file.uses:
        if use.name.text not in kept and s.is_own(use.span):
            s.report(
                "W0906",
                f"nothing of the library `{use.name.text}` is used",
                use.span,
                "remove the line",
                fix=removal(s.sources[s.own], use.span, f"remove `use {use.name.text}`")
                if s.composed is None
                else None,
            )


def _entries(s: Subject) -> None:
    """What an interface promises, and nothing asks."""
    for interface in s.c.interfaces if s.composed is None else ():
        for entry in interface.entries:
            if not entry.users:
                s.report(
                    "W0902",
                    f"nothing asks `{entry.name}` of {entry.entity.name}, "
                    f"as the interface `{interface.name}` says one may",
                    entry.span,
                    "remove it, or use it where it was meant to be used",
                )


__all__ = ["find"]
