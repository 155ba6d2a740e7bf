"""What says the same twice, or does nothing: `x is x`, two equal branches, `set x = x`, `gain 0 coins`."""

from __future__ import annotations

from regelwerk.dsl.lints.subject import Subject
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.source import Span

JOINED: dict[type, str] = {x.Both: "and", x.AnyOf: "or", x.Equal: "is", x.Union: "union", x.Difference: "except"}


def find(s: Subject) -> None:
    """All that is said twice in what is reached."""
    for kind, word in JOINED.items():
        for node in s.reach.of_any(kind):
            left, right = node.left, node.right
            if (
                left.__class__ is right.__class__
                and not isinstance(left, x.Const)
                and s.judge.keys.of(left) == s.judge.keys.of(right)
            ):
                _twice(s, node.span, f"both sides of `{word}` are the same")
    for _, ordered in s.reach.of(x.Ordered):
        if s.judge.keys.of(ordered.left) == s.judge.keys.of(ordered.right):
            _twice(s, ordered.span, f"both sides of `{ordered.operator}` are the same")
    for _, number in s.reach.of(x.Arithmetic):
        if number.operator in ("min", "max", "-") and s.judge.keys.of(number.left) == s.judge.keys.of(number.right):
            _twice(s, number.span, f"both sides of `{number.operator}` are the same")
    for _, select in s.reach.of(x.Select):
        if s.judge.keys.of(select.consequence) == s.judge.keys.of(select.alternative):
            _twice(s, select.span, "`then` and `else` are the same")
    for _, branch in s.reach.of(t.If):
        if branch.alternative is not None and s.judge.keys.of(branch.consequence) == s.judge.keys.of(
            branch.alternative
        ):
            _twice(s, branch.span, "both branches of `if` do the same")
    for _, choice in s.reach.of(t.Alternatives):
        keys = [s.judge.keys.of((way.condition, way.body)) for way in choice.ways]
        if len(set(keys)) < len(keys):
            _twice(s, choice.span, "two of these ways do the same")
    _nothing(s)


def _twice(s: Subject, span: Span, message: str) -> None:
    s.report("W0933", message, span, "one of them was meant to be something else, or is not needed")


def _nothing(s: Subject) -> None:
    for _, node in s.reach.of(t.SetState):
        read = node.value
        if (
            isinstance(read, x.StateRead)
            and read.symbol is node.symbol
            and s.judge.keys.of(read.key) == s.judge.keys.of(node.key)
        ):
            _idle(s, node.span, f"this sets `{node.symbol.name}` to what it is")
    for _, track in s.reach.of(t.SetTrack):
        value = track.value
        if (
            isinstance(value, x.TrackRead)
            and value.symbol is track.symbol
            and s.judge.keys.of(value.player) == s.judge.keys.of(track.player)
        ):
            _idle(s, track.span, f"this sets `{track.symbol.name}` to what it is")
    for change in s.reach.of_any(t.Gain, t.Lose, t.Pay):
        counts = [count for _, count in change.amount.parts]
        if counts and not change.amount.tallies and all(isinstance(e, x.Const) and e.value == 0 for e in counts):
            _idle(s, change.span, "this is about nothing: the amount is 0")
    for _, drawn in s.reach.of(t.Draw):
        if isinstance(drawn.amount, x.Const) and drawn.amount.value == 0:
            _idle(s, drawn.span, "this is about nothing: the amount is 0")
    for _, repeat in s.reach.of(t.Repeat):
        if isinstance(repeat.at_most, x.Const) and repeat.at_most.value in (0, 1):
            often = "never runs" if repeat.at_most.value == 0 else "runs once at most, and repeats nothing"
            _idle(s, repeat.span, f"this {often}")


def _idle(s: Subject, span: Span, message: str) -> None:
    s.report("W0934", message, span, "write what was meant, or remove it")


__all__ = ["find"]
