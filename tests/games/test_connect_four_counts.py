"""Connect Four: numbers of lines of play, against a small implementation of its own."""

from __future__ import annotations

from random import Random

import pytest

import regelwerk
from regelwerk.interpreter.api import State

WIDTH, HEIGHT = 7, 6
SEATS = ("Red", "Yellow")


class Plain:
    """The game once more, in Python: columns from below, and the line of the last disc."""

    def __init__(self, columns: list[list[int]] | None = None, won: bool = False) -> None:
        self.columns = columns or [[] for _ in range(WIDTH)]
        self.won = won

    @property
    def discs(self) -> int:
        return sum(map(len, self.columns))

    def legal(self) -> list[int]:
        return [] if self.won else [c for c in range(WIDTH) if len(self.columns[c]) < HEIGHT]

    def at(self, column: int, height: int) -> int | None:
        inside = 0 <= column < WIDTH and 0 <= height < len(self.columns[column])
        return self.columns[column][height] if inside else None

    def drop(self, column: int) -> Plain:
        after = Plain([list(each) for each in self.columns])
        who, height = self.discs % 2, len(self.columns[column])
        after.columns[column].append(who)
        for across, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
            length = 1
            for sign in (1, -1):
                step = 1
                while after.at(column + sign * step * across, height + sign * step * up) == who:
                    length, step = length + 1, step + 1
            after.won = after.won or length >= 4
        return after

    def count(self, depth: int) -> int:
        """How many ways there are to go on for so many moves; a game that is over does not go on."""
        if depth == 0:
            return 1
        legal = self.legal()
        return len(legal) if depth == 1 else sum(self.drop(c).count(depth - 1) for c in legal)


def count(state: State, depth: int) -> int:
    """The same, asked of the engine."""
    if depth == 0:
        return 1
    if state.status == "over":
        return 0
    options = state.raw_options
    if depth == 1:
        return len(options)
    found = 0
    for option in options:
        after = state.clone()
        after.step_raw(option)
        found += count(after, depth - 1)
    return found


def drop(state: State, column: int) -> None:
    state.step(f"drop {'ABCDEFG'[column]}")


def new() -> State:
    return regelwerk.load("connect_four").new()


def board(state: State) -> list[str | None]:
    """The seats on the board, from the upper left to the lower right."""
    return [None if each.value == "nobody" else each.value for each in state.view().states]


def plain_board(game: Plain) -> list[str | None]:
    found = [game.at(column, height) for height in reversed(range(HEIGHT)) for column in range(WIDTH)]
    return [None if who is None else SEATS[who] for who in found]


@pytest.mark.parametrize(("depth", "lines"), list(enumerate([1, 7, 49, 343, 2_401, 16_807])))
def test_no_line_ends_within_five_moves(depth: int, lines: int) -> None:
    assert Plain().count(depth) == lines
    assert count(new(), depth) == lines


def test_the_plain_game_may_be_trusted() -> None:
    """The known numbers of different positions after 0 to 7 discs, those in which somebody has just won included."""
    layer: dict[str, Plain] = {"": Plain()}
    numbers = [1]
    for _ in range(7):
        reached = [game.drop(c) for game in layer.values() for c in game.legal()]
        layer = {repr(game.columns): game for game in reached}
        numbers.append(len(layer))
    assert numbers == [1, 7, 49, 238, 1_120, 4_263, 16_422, 54_859]


@pytest.mark.parametrize("seed", range(12))
def test_lines_from_the_middle_of_a_game(seed: int) -> None:
    """Random games, compared at every move; from positions late in the game, where columns are full and lines end."""
    random = Random(seed)
    state, game = new(), Plain()
    while legal := game.legal():
        decision = state.decision
        assert decision is not None
        assert decision.actor == SEATS[game.discs % 2]
        assert [option.values["into"] for option in decision.options] == ["ABCDEFG"[c] for c in legal]
        if game.discs % 6 == seed % 6:
            assert count(state, 3) == game.count(3)
        column = random.choice(legal)
        drop(state, column)
        game = game.drop(column)
        assert board(state) == plain_board(game)
    assert state.status == "over"
    outcome = state.outcome
    assert outcome is not None
    if game.won:
        assert outcome.winners == (SEATS[(game.discs - 1) % 2],)
        assert outcome.cause == "four_in_a_line"
    else:
        assert outcome.winners == SEATS
        assert outcome.cause == "board_full"


def test_positions_near_a_full_board() -> None:
    """Columns fill, and with them the choice shrinks: games that were led there on purpose."""
    checked = 0
    for seed in range(40):
        random = Random(1_000 + seed)
        state, game = new(), Plain()
        while (quiet := [c for c in game.legal() if not game.drop(c).won]) and game.discs < 36:
            column = random.choice(quiet)
            drop(state, column)
            game = game.drop(column)
        if game.discs == 36 and not game.won:
            assert count(state, 6) == game.count(6)
            checked += 1
    assert checked >= 5
