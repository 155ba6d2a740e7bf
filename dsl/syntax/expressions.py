"""Expressions, heads and written types."""

from __future__ import annotations

from typing import Literal

from regelwerk.dsl.syntax.base import Expression, Identifier, Node, Path, Text, TypeSyntax

BinaryOperator = Literal["+", "-", "*", "div", "mod", "union", "except", "and", "or"]


class IntLiteral(Expression):
    """A whole number."""

    value: int


class DecimalLiteral(Expression):
    """A number with halves, as written: `7.5`."""

    text: str


class TextLiteral(Expression):
    """A text used as a value."""

    text: Text


class NoneLiteral(Expression):
    """`none`."""


class BoolLiteral(Expression):
    """`yes` or `no`."""

    value: bool


class Argument(Node):
    """One argument of a call, with its parameter's name or by position."""

    name: Identifier | None = None
    value: Expression


class Name(Expression):
    """A name, perhaps called: `players`, `clockwise(start)`. `arguments` is None without brackets."""

    name: Identifier
    arguments: tuple[Argument, ...] | None = None


class ItAttribute(Expression):
    """`.pos` or `.claim(k)`: an attribute of the element under test."""

    name: Identifier
    arguments: tuple[Argument, ...] | None = None


class Attribute(Expression):
    """`base.name` or `base.name(arguments)`."""

    base: Expression
    name: Identifier
    arguments: tuple[Argument, ...] | None = None


class Quantity(Expression):
    """An amount with its unit: `2 coins`, `rate sold`, `(n + 1) points`."""

    amount: Expression
    unit: Identifier


class Negate(Expression):
    """`- operand`."""

    operand: Expression


class Not(Expression):
    """`not operand`."""

    operand: Expression


class Binary(Expression):
    """Arithmetic, set operations and the two connectives."""

    operator: BinaryOperator
    left: Expression
    right: Expression


class Compare(Expression):
    """`<`, `<=`, `>`, `>=`."""

    operator: Literal["<", "<=", ">", ">="]
    left: Expression
    right: Expression


class Is(Expression):
    """`left is right` or `left is not right`: equality, or an adjective."""

    left: Expression
    right: Expression
    negated: bool = False


class In(Expression):
    """`left in right` or `left not in right`."""

    left: Expression
    right: Expression
    negated: bool = False


class RangeExpression(Expression):
    """`lowest..highest`."""

    lowest: Expression
    highest: Expression


class Conditional(Expression):
    """`if condition then consequence else alternative`."""

    condition: Expression
    consequence: Expression
    alternative: Expression


class Case(Node):
    """One case of `by`; `key` is None for `else`."""

    key: Expression | None
    value: Expression


class Cases(Expression):
    """`by subject { key: value, else: value }`."""

    subject: Expression
    cases: tuple[Case, ...]


class Where(Expression):
    """`base where condition`."""

    base: Expression
    condition: Expression


class ListLiteral(Expression):
    """`[a, b]`."""

    items: tuple[Expression, ...]


class SetLiteral(Expression):
    """`{a, b}`."""

    items: tuple[Expression, ...]


class Domain(Node):
    """What a binder ranges over.

    form      `one` element of `source`; `some`: `lowest..highest of source`; `up_to`: `up to highest of source`;
              `most`: `as many as possible up to highest of source`.
    repeated  `times` instead of `of`: an element may be taken again, the pick is a tally.
    lowest    only with `some`; equal to `highest` when one number is written.
    """

    form: Literal["one", "some", "up_to", "most"]
    source: Expression
    repeated: bool = False
    lowest: Expression | None = None
    highest: Expression | None = None


class SortKey(Node):
    """`by key` or `by highest key`."""

    key: Expression
    highest_first: bool = False


class Binder(Node):
    """`name in domain where condition else "why" by key`."""

    name: Identifier
    domain: Domain
    condition: Expression | None = None
    otherwise: Text | None = None
    sort: SortKey | None = None


class Head(Node):
    """The binders of a choice, a loop or a quantifier."""

    binders: tuple[Binder, ...]


class Quantified(Expression):
    """`some(H)`, `count(H)`, `every(H: c)`, `sum(H: e)`, `list(H: e)` ..."""

    quantifier: Literal["some", "every", "count", "first", "list", "sum", "min", "max"]
    head: Head
    value: Expression | None = None


class Aggregate(Expression):
    """`sum(S)`, `min(a, b)`, `max(a, b)` over plain arguments."""

    function: Literal["sum", "min", "max"]
    arguments: tuple[Expression, ...]


class Happened(Expression):
    """`happened A(arguments) by p this P`, or with `counted` the number: `times A ... this P`."""

    event: Path
    arguments: tuple[Argument, ...] | None = None
    by: Identifier | None = None
    scope: Identifier
    counted: bool = False


class Latest(Expression):
    """`latest A`: when it last happened, as an ordinal; 0 is never."""

    event: Path


# ------------------------------------------------------------------------------------------------------- written types
class NamedType(TypeSyntax):
    """An enum, a type of things, a record, `number`, `player`, `effect`, `rules`, `test`, `text`, `zone` ...; `T?`
    is optional."""

    name: Identifier
    optional: bool = False


class BoolType(TypeSyntax):
    """`yes/no`."""


class RangeType(TypeSyntax):
    """`lowest..highest`; without `highest`: no upper bound but the engine's."""

    lowest: Expression
    highest: Expression | None = None


class HalvesType(TypeSyntax):
    """`type in halves`."""

    base: TypeSyntax


class SetType(TypeSyntax):
    """`set of T`."""

    member: TypeSyntax


class ListType(TypeSyntax):
    """`list of T up to n`."""

    member: TypeSyntax
    bound: Expression | None = None


class TallyType(TypeSyntax):
    """`tally of E`, or `tally` over all units of the game."""

    unit: Identifier | None = None


class PictureType(TypeSyntax):
    """`picture of E`."""

    face: Identifier
