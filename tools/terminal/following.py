"""`play --watch`: when the rules change, the game is played again on them, and goes on from there."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from regelwerk.dsl.diagnostics import Diagnostic, RulesError
from regelwerk.dsl.source import Source
from regelwerk.interpreter import layout as la
from regelwerk.interpreter.api import Game, State, load
from regelwerk.interpreter.backends import Backend
from regelwerk.interpreter.replays import Replay, ReplayError
from regelwerk.tools.watching import Watch

EVERY = 0.5
"""So many seconds lie between two looks while somebody thinks."""


class RulesChanged(Exception):
    """Somebody has changed the rules while a line of input was waited for."""


@dataclass(frozen=True)
class Followed:
    """What came of a change of the rules.

    state        the game on the new rules; None: the old ones stay
    message      what is to be said
    diagnostics  the findings, if the new rules have errors; `sources` are those they point into
    diverged     whether the game could not be played again to its end
    """

    state: State | None
    message: str
    diagnostics: tuple[Diagnostic, ...] = ()
    sources: dict[str, Source] | None = None
    diverged: bool = False


class Following:
    """Follows the rules file of a game, its bases and its libraries."""

    def __init__(self, path: Path, game: Game) -> None:
        self.path = path
        self.backend: Backend = game.backend
        self.watch = Watch([path, *files_of(dict(game.sources))])

    def changed(self) -> bool:
        """Whether a file has changed since this was last asked."""
        return bool(self.watch.changed())

    def follow(self, state: State) -> Followed:
        """The game on the rules as they are now."""
        try:
            game = load(self.path, self.backend)
        except RulesError as error:
            self.watch.follow([*self.watch.paths, *files_of(error.sources)])
            message = "The rules have changed, and have errors; the game goes on with the old ones."
            return Followed(None, message, error.diagnostics, error.sources)
        self.watch.follow([self.path, *files_of(dict(game.sources))])
        if game.hash == state.game.hash:
            return Followed(None, "The rules have changed, but not for this game.")
        return again(state, game)


def again(state: State, game: Game) -> Followed:
    """A game played again on other rules, as far as that goes."""
    replay = Replay.of(state)
    reached: State | None = None
    entries = -1
    message, diverged = "The rules have changed; the game goes on where it was.", False
    try:
        for _, state_then, _ in replay.walk(game):
            reached, entries = state_then, entries + 1
    except ReplayError as error:
        if reached is None:
            return Followed(
                None, f"The rules have changed, and this game cannot be begun on them: {error}. It goes on as it was."
            )
        made = sum(entry[0] != "~" for entry in replay.entries[:entries])
        rule = f" [{error.misfit.rule}]" if error.misfit is not None and error.misfit.rule else ""
        message = (
            f"The rules have changed, and the game differs from here{rule}: {error}. "
            f"It goes on after {made} of {state.decisions} decisions."
        )
        diverged = True
    assert reached is not None
    if reached.fault is not None:
        return Followed(
            None,
            f"The rules have changed, and a fault stops this game on them ({reached.fault}). It goes on as it was.",
        )
    reached.image.w[la.EXPLICIT] = 0  # the generator answers again, from where it is
    copy_streams(state, reached)
    return Followed(reached, message, diverged=diverged)


def copy_streams(state: State, reached: State) -> None:
    """Chance goes on as it would have: a record does not ask the generator, so that it stands at its beginning."""
    old, new = state.program.layout, reached.program.layout
    for place, name in enumerate(new.streams):
        if name in old.streams:
            source, target = (
                layout.stream_offset + 8 * k for layout, k in ((old, old.streams.index(name)), (new, place))
            )
            reached.image.b[target : target + 8] = state.image.b[source : source + 8]


def files_of(sources: dict[str, Source]) -> list[Path]:
    """The files that rules were read from."""
    return [Path(name) for name in sources if not name.startswith("<") and Path(name).is_file()]


@contextlib.contextmanager
def interrupted_by(changed: Callable[[], bool]) -> Iterator[None]:
    """While somebody thinks, look at the rules now and then: `RulesChanged` if they have changed. Where the system has
    no timer this is done behind each line only."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def look(number: int, frame: object) -> None:
        if changed():
            raise RulesChanged

    before = signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, EVERY, EVERY)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


__all__ = ["Followed", "Following", "RulesChanged", "again", "interrupted_by"]
