"""Lints: what is odd in rules that are right.

A lint looks at a game that has no errors, and says what the author will hardly have meant: what nothing speaks of, what
can never come about, what can never be paid, conditions that always come out the same. Each of them

- is a function of a `Subject`, listed in `LINTS` below, with codes `W09xx` of its own, a page in `dsl/catalogue`, and a
  true finding and a near miss in `tests/dsl/lints`;
- says nothing where it is not sure. A lint that is wrong once is switched off, and then it is right for nobody; so
  numbers are judged by ranges, values by their types, and what depends on the course of a game is not judged at all;
- speaks only of the file that is checked, not of the base of a variant or of a library.

They are warnings. Where one is meant to stand, the line (or the line above it) says so and why:

    value hand_limit(p: player) = 7   // lint: allow W0904 variants make it depend on the player

An allowance that allows nothing is a finding, too (W0990). Where taking something away cannot change how the game is
played, the finding carries a `Fix`.

Lints are computed only by `check`: whoever plays a game never loads this package.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from regelwerk.dsl.checker.game import GameChecker
from regelwerk.dsl.collector import resting_collector
from regelwerk.dsl.composition.composing import Composed
from regelwerk.dsl.diagnostics import Diagnostic
from regelwerk.dsl.lints import (
    citations,
    conditions,
    dead_ends,
    flow,
    goods,
    order,
    overlays,
    repeated,
    scenarios,
    secrets,
    texts,
    unused,
)
from regelwerk.dsl.lints.allowances import judged
from regelwerk.dsl.lints.subject import Subject
from regelwerk.dsl.model import game as g

LINTS: tuple[Callable[[Subject], None], ...] = (
    unused.find,
    flow.find,
    goods.find,
    conditions.find,
    repeated.find,
    dead_ends.find,
    order.find,
    secrets.find,
    overlays.find,
    citations.find,
    texts.find,
    scenarios.find,
)


@resting_collector()
def lint(
    game: g.CheckedGame,
    checker: GameChecker,
    own: str,
    composed: Composed | None = None,
    allowed: Iterable[str] = (),
    said: Iterable[Diagnostic] = (),
) -> tuple[Diagnostic, ...]:
    """What is odd in the file `own` of a checked game, without what the file or `allowed` (codes) allows.

    `said`: the warnings of the checker, which come first and can be allowed in the same way.
    """
    subject = Subject(game, checker, composed, own)
    for each in LINTS:
        each(subject)
    return judged([*said, *subject.found], subject.sources[own], frozenset(allowed))


__all__ = ["LINTS", "lint"]
