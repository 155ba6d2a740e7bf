"""Declarations: what there is, what holds, what may be done."""

from __future__ import annotations

from typing import Literal

from regelwerk.dsl.syntax.base import Citation, Declaration, Expression, Identifier, Node, Noun, Path, Text, TypeSyntax
from regelwerk.dsl.syntax.effects import Block, Let, Require
from regelwerk.dsl.syntax.expressions import Binder, Head
from regelwerk.dsl.syntax.rules import Role

Citations = tuple[Citation, ...]


class Section(Declaration):
    """`section "Title" { }`: a chapter; no meaning for the game."""

    title: str
    declarations: tuple[Declaration, ...]


class Constant(Declaration):
    """`const NAME: type = e`."""

    name: Identifier
    type: TypeSyntax | None = None
    value: Expression
    citations: Citations = ()


class Option(Declaration):
    """`option NAME: type = default "question"`; `default` is None for `= random`."""

    name: Identifier
    type: TypeSyntax
    default: Expression | None
    question: str | None = None
    citations: Citations = ()


class EnumNumbers(Node):
    """`1..12` among the members of an enum."""

    lowest: int
    highest: int


class EnumDeclaration(Declaration):
    """`enum Noun { members }`."""

    noun: Noun
    members: tuple[Noun | EnumNumbers, ...]
    citations: Citations = ()


Visibility = Literal["all", "owner", "nobody", "count"]


class Resource(Declaration):
    """Counted goods: `resource coin/coins per E supply n start v held by T`."""

    noun: Noun
    per: Identifier | None = None
    supply: Expression | None = None
    start: Expression | None = None
    held_by: tuple[Identifier, ...] = ()
    seen_by: Visibility = "all"
    citations: Citations = ()


class Track(Declaration):
    """A bounded number: `track point/points per player: 0..80 start v overflow lost`."""

    noun: Noun
    per: Identifier | None = None
    type: TypeSyntax
    start: Expression | None = None
    overflow: Literal["lost", "forbidden", "block"] | None = None
    overflow_block: Block | None = None
    citations: Citations = ()


class State(Declaration):
    """A stored variable: `state x per T: type = start resets each P`."""

    name: Identifier
    per: Identifier | None = None
    type: TypeSyntax
    start: Expression
    resets: Identifier | None = None
    seen_by: Visibility = "all"
    citations: Citations = ()


class Parameter(Node):
    """One parameter; `me` alone has no type."""

    name: Identifier
    type: TypeSyntax | None = None
    default: Expression | None = None


class Column(Node):
    """A column of a table of things; effect columns may have parameters.

    One node per name: `column stones, arms: 0..7` gives two.
    """

    name: Identifier
    parameters: tuple[Parameter, ...] | None = None
    type: TypeSyntax
    default: Expression | None = None
    citations: Citations = ()


class CellExpression(Node):
    """A cell that holds a value or a test."""

    value: Expression


class CellEffect(Node):
    """A cell that holds an effect."""

    body: Block


class CellRules(Node):
    """A cell that holds rules."""

    roles: tuple[Role, ...]


Cell = CellExpression | CellEffect | CellRules


class Row(Node):
    """One row. `cells` has one entry for each column of its header after the first, None where the cell is empty.

    A cell `NAME` or `do f` alone is parsed by its text: an effect if it begins like one, else an expression.
    """

    name: Identifier
    printed: str | None = None
    columns: tuple[Identifier, ...]
    cells: tuple[Cell | None, ...]
    citations: Citations = ()


class Glyph(Node):
    """One entry of a legend."""

    glyph: str
    value: Expression


class Drawing(Node):
    """A `drawing` of one column: its lines as written, without those that are blank at either end, and its legend."""

    column: Identifier
    lines: tuple[str, ...]
    legend: tuple[Glyph, ...] = ()


class NamedExpression(Node):
    """`name: e` in computed rows."""

    name: Identifier
    value: Expression


class Distinct(Node):
    """Computed rows: `distinct (x: e, y: e) for H order k`."""

    fields: tuple[NamedExpression, ...]
    head: Head
    order: Expression | None = None


class Entity(Declaration):
    """A table of things: cards, tiles, pieces, dice, fields or a plain table."""

    kind: Literal["cards", "tiles", "pieces", "dice", "fields", "table"]
    noun: Noun
    shape: Literal["grid", "hexes"] | None = None
    per: Identifier | None = None
    copies: Expression | None = None
    faces: Expression | None = None
    live_in: Identifier | None = None
    distinct: Distinct | None = None
    columns: tuple[Column, ...] = ()
    drawings: tuple[Drawing, ...] = ()
    rows: tuple[Row, ...] = ()
    citations: Citations = ()


class Zone(Declaration):
    """A place for things."""

    name: Identifier
    printed: str | None = None
    per: Identifier | None = None
    kind: Identifier
    order: Literal["pile", "row"] | None = None
    capacity: Expression | None = None
    top_visible: bool = False
    contents: Expression | None = None
    seen_by: Visibility = "all"
    citations: Citations = ()


class Value(Declaration):
    """`value NAME(parameters): type = e`: derived, never stored."""

    name: Identifier
    parameters: tuple[Parameter, ...] | None = None
    type: TypeSyntax | None = None
    shrinking: Identifier | None = None
    value: Expression
    citations: Citations = ()


class Signature(Node):
    """One value an interface asks for."""

    name: Identifier
    parameters: tuple[Parameter, ...]
    type: TypeSyntax


class Interface(Declaration):
    """What the rules may ask of some types."""

    name: Identifier
    types: tuple[Identifier, ...]
    signatures: tuple[Signature, ...]
    citations: Citations = ()


class Line(Node):
    """One line of a score."""

    name: Identifier
    printed: str | None = None
    value: Expression
    citations: Citations = ()


class Score(Declaration):
    """Named lines that add up for each player."""

    name: Identifier
    printed: str | None = None
    lines: tuple[Line, ...]
    citations: Citations = ()


class Award(Declaration):
    """`award NAME per T to most f at least n`."""

    name: Identifier
    printed: str | None = None
    per: Identifier | None = None
    measure: Path
    at_least: Expression | None = None
    citations: Citations = ()


class End(Declaration):
    """`end NAME [at once | after PHASE] when c [won by S | ranked by R] { }`."""

    name: Identifier
    at_once: bool = False
    after: Path | None = None
    condition: Expression
    won_by: Expression | None = None
    ranked_by: Identifier | None = None
    body: Block | None = None
    citations: Citations = ()


class RankKey(Node):
    """One key of a ranking, highest first unless `lowest_first`."""

    value: Expression
    lowest_first: bool = False
    printed: str | None = None


class Rank(Declaration):
    """`rank NAME by keys then shared`."""

    name: Identifier
    keys: tuple[RankKey, ...]
    shared: bool = False
    citations: Citations = ()


class Invariant(Declaration):
    """`invariant NAME: c`."""

    name: Identifier
    condition: Expression
    citations: Citations = ()


class Remark(Declaration):
    """`remark "why" [clauses]`."""

    text: str
    citations: Citations = ()


class Rulebook(Declaration):
    """`rulebook "Title" [clauses]`: the clauses that a printed rulebook has; no meaning for the game."""

    title: str
    clauses: Citations = ()


class Cost(Node):
    """`cost NAME: amount when c "text"`."""

    name: Identifier
    amount: Expression
    condition: Expression | None = None
    printed: Text | None = None
    citations: Citations = ()


class Limit(Node):
    """`at most n per PHASE`."""

    at_most: Expression
    scope: Identifier


class Clause(Node):
    """A requirement, cost or `let` of an action, in the order written."""

    content: Require | Cost | Let
    citations: Citations = ()


class Action(Declaration):
    """What a player may do: parameters, requirements, costs, effect."""

    name: Identifier
    head: Head | None = None
    limit: Limit | None = None
    prompt: Text | None = None
    clauses: tuple[Clause, ...]
    effect: Block | None = None
    effect_citations: Citations = ()
    citations: Citations = ()


class Record(Declaration):
    """A named choice space."""

    noun: Noun
    head: Head
    requirements: tuple[Require, ...] = ()
    citations: Citations = ()


class Effect(Declaration):
    """A named effect."""

    name: Identifier
    parameters: tuple[Parameter, ...] | None = None
    body: Block
    citations: Citations = ()


class Rule(Declaration):
    """`rule NAME: ...` (a standing role) or `trigger NAME: ...` (a reaction)."""

    name: Identifier
    role: Role
    citations: Citations = ()


class ParameterBinder(Node):
    """`param x in S` in an extension."""

    binder: Binder
    citations: Citations = ()
