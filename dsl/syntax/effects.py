"""Effects: what happens, in sequence."""

from __future__ import annotations

from regelwerk.dsl.syntax.base import Citation, Expression, Identifier, Node, Statement, Text
from regelwerk.dsl.syntax.expressions import Binder, Head


class Block(Statement):
    """Statements that follow each other: `{ ... }`, or `a then b` in a cell (`braces` says which)."""

    statements: tuple[Statement, ...]
    braces: bool = True


class Gain(Statement):
    """`gain A "reason"`: as much as the bank has."""

    amount: Expression
    reason: Text | None = None


class Lose(Statement):
    """`lose A "reason"`: as much as there is."""

    amount: Expression
    reason: Text | None = None


class Pay(Statement):
    """`pay A`, or `pay A to S`: all or nothing."""

    amount: Expression
    purchase: Statement | None = None


class Give(Statement):
    """`give A to p from q`."""

    amount: Expression
    receiver: Expression
    giver: Expression | None = None


class Take(Statement):
    """`take A from p`."""

    amount: Expression
    giver: Expression


class Move(Statement):
    """`move x to z`, `at bottom` of a pile."""

    things: Expression
    zone: Expression
    at_bottom: bool = False


class Draw(Statement):
    """`draw n from z to y`."""

    amount: Expression
    source: Expression
    zone: Expression


class Shuffle(Statement):
    """`shuffle z`, `shuffle z into y`."""

    things: Expression
    into: Expression | None = None


class Roll(Statement):
    """`roll dice`."""

    dice: Expression


class Reveal(Statement):
    """`reveal S to p`."""

    things: Expression
    viewer: Expression


class Do(Statement):
    """`do f(a)` or `do card.column(a)`."""

    call: Expression


class May(Statement):
    """`may S`: asked, and may be refused."""

    body: Statement


class Labelled(Node):
    """`option "text" when c: S`."""

    label: Text
    condition: Expression | None = None
    body: Block


class ChooseOptions(Statement):
    """`one of`, `choose 2 of`, `choose up to 2 of` and `any order` over labelled options.

    lowest, highest: how many are taken (1 and 1 for `one of`); `in_any_order` takes all of them.
    """

    options: tuple[Labelled, ...]
    lowest: int = 1
    highest: int = 1
    in_any_order: bool = False


class Either(Statement):
    """`A or B or C`."""

    alternatives: tuple[Statement, ...]


class Again(Node):
    """`again at most n or done "text" when c`."""

    at_most: Expression | None = None
    done: Text | None = None
    done_when: Expression | None = None


class Choose(Statement):
    """`choose H "text" again { S }`; without a body the rest of the enclosing block is its body. `optional`: `may
    choose`."""

    head: Head
    prompt: Text | None = None
    again: Again | None = None
    body: Block | None = None
    optional: bool = False


class Random(Statement):
    """`random x in S { }`: nature chooses; without a body the rest of the enclosing block."""

    binder: Binder
    body: Block | None = None


class If(Statement):
    """`if c { } else { }`; `otherwise` is a block or another `if`."""

    condition: Expression
    consequence: Block
    otherwise: Statement | None = None


class For(Statement):
    """`for H { }`."""

    head: Head
    body: Block


class Everyone(Statement):
    """`everyone in S { }`: each as `me`."""

    players: Expression | None = None
    body: Block


class Acting(Statement):
    """`acting p { }`."""

    player: Expression
    body: Block


class Repeat(Statement):
    """`repeat at most n while c { }`."""

    at_most: Expression
    condition: Expression | None = None
    body: Block


class Let(Statement):
    """`let x = e`."""

    name: Identifier
    value: Expression


class Set(Statement):
    """`set x = e`."""

    target: Expression
    value: Expression


class Require(Statement):
    """`require NAME: c else "text"`, as a clause of an action, an effect or a record."""

    name: Identifier
    condition: Expression
    otherwise: Text | None = None
    citations: tuple[Citation, ...] = ()


class Step(Statement):
    """`step NAME { }` inside an effect."""

    name: Identifier
    body: Block


class AsOne(Statement):
    """`as one { }`: laws are tested at its end."""

    body: Block


class Nothing(Statement):
    """`nothing`."""


class Offer(Statement):
    """`offer a, b` in a phase or an effect.

    passing        `or pass "text"` (the text may be missing: then `passing_text` is None)
    until_actions  `until a, b`: again and again until one of these was taken
    until_done     `until done "text"`
    """

    actions: tuple[Identifier, ...]
    passing: bool = False
    passing_text: Text | None = None
    until_actions: tuple[Identifier, ...] = ()
    until_done: bool = False
    done_text: Text | None = None


class Pin(Statement):
    """`pin p.f = e`, in a scenario's `given` only."""

    target: Expression
    value: Expression
