"""Players that are programs: random and greedy. They look at raw options only, which is fast, and work for any game.

Chance. Each bot has a stream of its own of the documented generator (`regelwerk.interpreter.generator`), whose seed
follows from the seed of the game and the seat, whatever else happens: `mix(mix(game seed) + seat * 0x632BE59BD9B4E019)`
modulo 2**64. So a game is named by its seed, its players and its bots. A decision with one option takes nothing from
the stream.

What the greedy bot knows. It tries options on copies of the state. Before anything is tried the generator's streams of
the copy are replaced by numbers of the bot's own stream, so that it meets *some* future, not the one that will come. It
reads nothing but the ranking, of which rules decide the keys; but an option that turns up a hidden card, whose place is
already settled in the state, shows the bot on the copy what a player would only learn afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from regelwerk.interpreter import generator
from regelwerk.interpreter import layout as la
from regelwerk.interpreter.faults import Fault

if TYPE_CHECKING:
    from regelwerk.interpreter.api import State
    from regelwerk.interpreter.layout import Image
    from regelwerk.interpreter.program import Program

SAMPLE = 40
"""How many options the greedy bot tries at most; of more it draws as many."""

FORCED = 64
"""How many decisions without an alternative the greedy bot follows up at most."""

_SEAT = 0x632BE59BD9B4E019

Worth = tuple[float, ...]
"""What a position is worth; compared from the left."""


class Bot(Protocol):
    """A player that is a program."""

    def choose(self, state: State) -> int:
        """The index of the option that is taken of `state.raw_options`; there must be one."""
        ...


def stream_seed(game_seed: int, seat: int) -> int:
    """The generator of the bot of a seat, at the start of a game."""
    return generator.mix((generator.mix(game_seed & generator.MASK) + seat * _SEAT) & generator.MASK)


class Stream:
    """A stream of random numbers."""

    def __init__(self, game_seed: int, seat: int) -> None:
        self._state = stream_seed(game_seed, seat)

    def below(self, count: int) -> int:
        """A number from 0 to `count - 1`; nothing is taken from the stream for `count` 1."""
        if count == 1:
            return 0
        self._state, number = generator.below(self._state, count)
        return number

    def bits(self) -> int:
        """64 random bits."""
        self._state, number = generator.step(self._state)
        return number


class RandomBot:
    """Takes each option with the same chance."""

    def __init__(self, game_seed: int, seat: int) -> None:
        self._stream = Stream(game_seed, seat)

    def choose(self, state: State) -> int:
        """The index of the option that is taken."""
        return self._stream.below(len(state.raw_options))


class GreedyBot:
    """Takes the option after which it is furthest ahead of its best opponent, by the keys of the game's first ranking.

    It looks no further than its own next decision that has an alternative. Games without a ranking are judged by
    the sum of all tracks. Among equals it draws.
    """

    def __init__(self, game_seed: int, seat: int) -> None:
        self._stream = Stream(game_seed, seat)
        self._seat = seat
        self._program: Program | None = None
        self._keys: Callable[[Image, int], Worth] = lambda m, player: ()

    def choose(self, state: State) -> int:
        """The index of the option that is taken."""
        count = len(state.raw_options)
        if count == 1:
            return 0
        if state.program is not self._program:
            self._program, self._keys = state.program, key_function(state.program)
        best: list[int] = []
        most: Worth | None = None
        for index in self._looked_at(count):
            worth = self._try(state, index)
            if most is None or worth > most:
                best, most = [index], worth
            elif worth == most:
                best.append(index)
        return best[self._stream.below(len(best))]

    def _looked_at(self, count: int) -> Sequence[int]:
        if count <= SAMPLE:
            return range(count)
        left = list(range(count))
        for place in range(SAMPLE):
            other = place + self._stream.below(count - place)
            left[place], left[other] = left[other], left[place]
        return sorted(left[:SAMPLE])

    def _try(self, state: State, index: int) -> Worth:
        copy = state.clone()
        self._forget_future(copy)
        image = copy.image
        try:
            copy.step_raw(copy.raw_options[index])
            for _ in range(FORCED):
                if image.w[la.STATUS] != la.DECISION or image.w[la.ACTOR] != self._seat or len(copy.raw_options) != 1:
                    break
                copy.step_raw(copy.raw_options[0])
            return self._worth(copy)
        except Fault:
            return (-2.0,)  # worse than a lost game: nobody wants to play on there

    def _forget_future(self, copy: State) -> None:
        layout, data = copy.program.layout, copy.image.b
        for number in range(len(layout.streams)):
            offset = layout.stream_offset + 8 * number
            data[offset : offset + 8] = self._stream.bits().to_bytes(8, "little")

    def _worth(self, copy: State) -> Worth:
        image, players = copy.image, copy.program.players
        result = 0.0
        if image.w[la.STATUS] == la.OVER:
            winners = image.w[la.WINNERS]
            result = 1 / winners.bit_count() if winners >> self._seat & 1 else -1.0 if winners else 0.0
        own = self._keys(image, self._seat)
        others = [self._keys(image, player) for player in range(1, players + 1) if player != self._seat]
        best = max(others, default=(0.0,) * len(own))
        return (result, *(mine - theirs for mine, theirs in zip(own, best, strict=True)))


def key_function(program: Program) -> Callable[[Image, int], Worth]:
    """The keys of the game's first ranking, more is better, else the sum of all tracks; of an image and a player."""
    from regelwerk.interpreter.evaluation.base import reader

    if not program.game.ranks:
        tracks = [(reader(region), region) for region in program.track_cells.values()]
        return lambda m, player: (float(sum(read(m, player - 1) for read, _ in tracks)),)
    rank = program.game.ranks[0]
    size = 2 * len(rank.frame.types)
    keys = [(program.compiler.expr(value), -1 if lowest else 1) for value, lowest, _ in rank.keys]

    def function(m: Image, player: int) -> Worth:
        return tuple([float(sign * (key(m, [player] + [0] * (size - 1)) or 0)) for key, sign in keys])

    return function


KINDS: dict[str, Callable[[int, int], Bot]] = {"random": RandomBot, "greedy": GreedyBot}
"""The bots by name: made from the seed of the game and the number of the seat (from 1)."""


def make_bot(kind: str, game_seed: int, seat: int) -> Bot:
    """A bot of a kind (`KINDS`) for a seat, counted from 1."""
    return KINDS[kind](game_seed, seat)


__all__ = ["KINDS", "SAMPLE", "Bot", "GreedyBot", "RandomBot", "Stream", "key_function", "make_bot", "stream_seed"]
