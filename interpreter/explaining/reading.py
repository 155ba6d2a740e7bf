"""Expressions unfolded: every piece with what it comes to, as far as it says something and may be told.

The pieces are evaluated one by one over the state, both sides of an `and` as well where the left one fails, so that it
is known what else would have to hold. A piece that has no value there (it is guarded by one that fails) says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import BoolType, Type, strip
from regelwerk.dsl.model.walking import CLAIMS
from regelwerk.dsl.source import Span
from regelwerk.interpreter.evaluation.base import Locals
from regelwerk.interpreter.explaining.reasons import Change, Kind, Reason
from regelwerk.interpreter.explaining.sight import Sight
from regelwerk.interpreter.faults import Fault

if TYPE_CHECKING:
    from regelwerk.interpreter.api import State

PIECES = 1500
"""So many pieces one question unfolds; what lies deeper is shown by its value alone."""

DEEPEST = 12
"""So many values inside of values are unfolded."""

UNKNOWN = (Fault, ArithmeticError, LookupError, TypeError, ValueError, RecursionError)
"""What evaluating a piece for itself can raise: it may be guarded by another that fails."""


@dataclass(frozen=True)
class Here:
    """A place in the rules while a state is looked at: its locals, the names of their slots, who looks.

    address   the clause that holds the place
    """

    env: Locals
    frame: g.Frame
    sight: Sight
    address: str = ""
    depth: int = 0

    def with_local(self, slot: int, value: Any, sight: Sight | None = None) -> Here:
        """The same place with one more local."""
        env = self.env[:]
        env[slot] = value
        return Here(env, self.frame, sight or self.sight, self.address, self.depth)

    def inside(self, env: Locals, frame: g.Frame, sight: Sight, address: str) -> Here:
        """A place in a body that is called from here."""
        return Here(env, frame, sight, address, self.depth + 1)


class NoValue(Exception):
    """A piece that cannot be evaluated for itself."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Reading:
    """Unfolds expressions over one state. `pieces` bounds how many."""

    def __init__(self, state: State, pieces: int = PIECES) -> None:
        self.state = state
        self.program = state.program
        self.m = state.image
        self.texts = state.program.texts
        self.pieces = pieces

    # -------------------------------------------------------------------------------------------------------- source
    def source(self, span: Span | None) -> str:
        """The words of a place, on one line, without comments."""
        return source_text(self.state, span)

    # ------------------------------------------------------------------------------------------------------ evaluating
    def value(self, node: x.Expr, here: Here) -> Any:
        """What an expression comes to; `NoValue` if it cannot be told."""
        try:
            return self.closure(node)(self.m, here.env[:])
        except UNKNOWN as error:
            raise NoValue(error.message if isinstance(error, Fault) else "it has no value here") from error

    def closure(self, node: x.Expr) -> Callable[[Any, Locals], Any]:
        """The compiled expression; each is compiled once for a program."""
        known = self.program.readings
        found: Callable[[Any, Locals], Any] | None = known.get(node)
        if found is None:
            found = known[node] = self.program.compiler.expr(node)
        return found

    def printed(self, value: Any, kind: Type) -> str:
        """A value for people."""
        return self.texts.value(value, kind, self.m)

    # ------------------------------------------------------------------------------------------------------- unfolding
    def unfold(self, node: x.Expr, here: Here) -> Reason:
        """The tree of an expression."""
        self.pieces -= 1
        if here.sight.hides(node):
            return self.hidden(node, here)
        handler = UNFOLDING.get(type(node))
        if handler is None or self.pieces < 0 or here.depth > DEEPEST:
            return self.leaf(node, here)
        found: Reason = handler(self, node, here)
        return found

    def hidden(self, node: x.Expr, here: Here) -> Reason:
        """A piece that is not for the one who asks; parts that are each for him are shown all the same."""
        parts: tuple[Reason, ...] = ()
        kind: Kind = "leaf" if isinstance(strip(node.type), BoolType) else "value"
        if isinstance(node, x.Both | x.AnyOf) and self.pieces > 0:
            kind = "all" if isinstance(node, x.Both) else "any"
            parts = (self.unfold(node.left, here), self.unfold(node.right, here))
        return Reason(kind, self.source(node.span), node.span, None, "hidden", parts=parts, hidden=True)

    def leaf(self, node: x.Expr, here: Here, parts: tuple[Reason, ...] = (), note: str = "") -> Reason:
        """A piece with its value, not unfolded (but for `parts` that are shown below it)."""
        source = self.source(node.span)
        try:
            value = self.value(node, here)
        except NoValue as error:
            return self.without_value(node, error, parts)
        if not isinstance(strip(node.type), BoolType):
            return Reason("value", source, node.span, None, self.printed(value, node.type), note=note, parts=parts)
        holds = bool(value)
        change = Change(f"`{source}` must {'not hold' if holds else 'hold'}", here.address, node.span)
        return Reason("leaf", source, node.span, holds, note=note, parts=parts, change=change)

    def without_value(self, node: x.Expr, error: NoValue, parts: tuple[Reason, ...] = ()) -> Reason:
        """A piece that cannot be evaluated for itself."""
        kind: Kind = "leaf" if isinstance(strip(node.type), BoolType) else "value"
        return Reason(
            kind, self.source(node.span), node.span, None, note=f"no value here: {error.message}", parts=parts
        )

    def joined(self, kind: Kind, node: x.Expr, here: Here, parts: list[Reason], note: str = "") -> Reason:
        """A piece whose truth its parts make up; what it comes to is evaluated as a whole."""
        try:
            holds: bool | None = bool(self.value(node, here))
        except NoValue:
            holds = None
        return Reason(kind, self.source(node.span), node.span, holds, note=note, parts=tuple(parts))

    def sides(self, here: Here, *nodes: x.Expr) -> tuple[Reason, ...]:
        """Sides of a comparison that say more than their value."""
        return tuple(self.unfold(each, here) for each in nodes if self.pieces > 0 and not plain(each))

    def shown(self, node: x.Expr, here: Here) -> str:
        """The value of a part for people; `hidden` or `?` where it has none."""
        if here.sight.hides(node):
            return "hidden"
        try:
            return self.printed(self.value(node, here), node.type)
        except NoValue:
            return "?"


Unfolds = Callable[[Reading, Any, Here], Reason]

UNFOLDING: dict[type, Unfolds] = {}


def unfolds(*kinds: type) -> Callable[[Unfolds], Unfolds]:
    """Registers the function that unfolds kinds of expressions."""

    def register(function: Unfolds) -> Unfolds:
        for kind in kinds:
            UNFOLDING[kind] = function
        return function

    return register


PLAIN = (
    x.Const,
    x.Local,
    x.Active,
    x.Bank,
    x.AllPlayers,
    x.AllThings,
    x.RowConst,
    x.OptionRead,
    x.StateRead,
    x.TrackRead,
    x.FaceRead,
    x.ZoneRef,
    x.AwardHolder,
    x.PictureSize,
)


def plain(node: x.Expr) -> bool:
    """Whether the value of an expression says all there is to say of it."""
    if isinstance(node, PLAIN) or type(node).__module__ == CLAIMS:
        return True
    if isinstance(node, x.ConstantRead):
        return not node.symbol.roles
    if isinstance(node, x.ResourceRead):
        return node.unit is None or plain(node.unit)
    if isinstance(node, x.ColumnRead):
        return not node.column.roles and plain(node.thing)
    if isinstance(node, x.ThingAttribute):
        return plain(node.thing)
    if isinstance(node, x.Contents | x.ZoneCount | x.ZoneEnd):
        return plain(node.zone)
    if isinstance(node, x.Count | x.ToSet | x.ToList | x.Sorted | x.Pick):
        return plain(node.collection)
    if isinstance(node, x.InHalves | x.Negative | x.Absolute):
        return plain(node.operand)
    if isinstance(node, x.Present):
        return plain(node.value)
    if isinstance(node, x.TallyWiden | x.TallyTotal | x.TallyKinds):
        return plain(node.tally)
    if isinstance(node, x.TallyCount):
        return plain(node.tally) and plain(node.unit)
    if isinstance(node, x.RecordField):
        return plain(node.record)
    if isinstance(node, x.SetOf | x.ListOf):
        return all(plain(each) for each in node.items)
    return isinstance(node, x.HistoryRead)


def source_text(state: State, span: Span | None) -> str:
    """The words of a place in the rules of a game, on one line, without comments; empty if the text is not there."""
    source = state.game.sources.get(span.source) if span is not None else None
    if source is None or span is None:
        return ""
    lines = []
    for line in source.text[span.start : span.end].split("\n"):
        lines.append(_without_comment(line))
    return " ".join(" ".join(lines).split())


def _without_comment(line: str) -> str:
    quoted = False
    for place, character in enumerate(line):
        if character == '"':
            quoted = not quoted
        elif not quoted and line.startswith("//", place):
            return line[:place]
    return line


__all__ = ["Here", "NoValue", "Reading", "plain", "source_text", "unfolds"]
