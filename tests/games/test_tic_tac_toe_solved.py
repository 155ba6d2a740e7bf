"""Tic-Tac-Toe, searched to the end through the host interface, against the numbers that are known for it.

5,478 positions can arise; there are 255,168 games; with good play nobody wins.
"""

from __future__ import annotations

from collections import Counter
from functools import cache

import regelwerk
from regelwerk.interpreter.api import State

POSITIONS = 5_478
GAMES = 255_168
GAMES_BY_LENGTH = {5: 1_440, 6: 5_328, 7: 47_952, 8: 72_576, 9: 127_872}
GAMES_BY_WINNER = {"X": 131_184, "O": 77_904, "draw": 46_080}
POSITIONS_BY_MARKS = (1, 9, 72, 252, 756, 1_260, 1_520, 1_140, 390, 78)
"""How many different positions have so many marks."""

Board = tuple[str | None, ...]
Position = tuple[Board, str | None]
Ways = Counter[tuple[int, str]]
"""How many games go on from a position, by the marks at the end and the winner."""


def position(state: State) -> Position:
    """The board as an onlooker sees it, and who is to move (nobody, if the game is over)."""
    board = tuple(None if each.value == "nobody" else each.value for each in state.view().states)
    return board, state.actor


class Search:
    """Every position once."""

    def __init__(self) -> None:
        self.values: dict[Position, int] = {}
        """1: X wins with good play of both; -1: O wins; 0: nobody."""
        self.ways: dict[Position, Ways] = {}

    def visit(self, state: State) -> Position:
        here = position(state)
        if here in self.values:
            return here
        board, actor = here
        if actor is None:
            outcome = state.outcome
            assert outcome is not None
            assert outcome.finished
            winner = outcome.winners[0] if len(outcome.winners) == 1 else "draw"
            self.values[here] = {"X": 1, "O": -1, "draw": 0}[winner]
            self.ways[here] = Counter({(9 - board.count(None), winner): 1})
            return here
        decision = state.decision
        assert decision is not None
        assert len(decision.options) == board.count(None)
        ways: Ways = Counter()
        values = []
        for option in decision.options:
            after = state.clone()
            after.step(option)
            reached = self.visit(after)
            ways.update(self.ways[reached])
            values.append(self.values[reached])
        self.values[here] = max(values) if actor == "X" else min(values)
        self.ways[here] = ways
        return here


@cache
def searched() -> tuple[Search, Position]:
    search = Search()
    return search, search.visit(regelwerk.load("tic_tac_toe").new())


def test_number_of_positions() -> None:
    search, _ = searched()
    assert len(search.values) == POSITIONS
    by_marks = Counter(9 - board.count(None) for board, _ in search.values)
    assert tuple(by_marks[marks] for marks in range(10)) == POSITIONS_BY_MARKS


def test_number_of_games() -> None:
    search, start = searched()
    assert search.ways[start].total() == GAMES


def test_games_by_length() -> None:
    search, start = searched()
    lengths: Counter[int] = Counter()
    for (marks, _), count in search.ways[start].items():
        lengths[marks] += count
    assert dict(lengths) == GAMES_BY_LENGTH


def test_games_by_winner() -> None:
    search, start = searched()
    winners: Counter[str] = Counter()
    for (_, winner), count in search.ways[start].items():
        winners[winner] += count
    assert dict(winners) == GAMES_BY_WINNER


def test_nobody_wins_with_good_play() -> None:
    search, start = searched()
    assert search.values[start] == 0


def test_a_first_mark_is_never_a_mistake_but_a_second_one_may_be() -> None:
    search, _ = searched()
    first = {board: value for (board, _), value in search.values.items() if board.count(None) == 8}
    assert len(first) == 9
    assert set(first.values()) == {0}
    centre: Board = (None, None, None, None, "X", None, None, None, None)
    second = {
        board: value
        for (board, _), value in search.values.items()
        if board.count(None) == 7 and all(here in (there, "O") for here, there in zip(board, centre, strict=True))
    }
    corners = {board for board in second if board.index("O") in (0, 2, 6, 8)}
    assert len(second) == 8
    assert {board for board, value in second.items() if value == 0} == corners
    assert {value for board, value in second.items() if board not in corners} == {1}
