"""Values that call themselves: how deep, how much, and that what is remembered changes nothing."""

from __future__ import annotations

import sys
from threading import Thread

import pytest

from regelwerk.dsl.source import Source
from regelwerk.interpreter import machine
from regelwerk.interpreter.api import Game, State
from regelwerk.interpreter.faults import Fault
from regelwerk.interpreter.loading import check_source


def game(text: str) -> Game:
    checked = check_source(Source("recursion.rules", text))
    assert checked.game is not None, checked.diagnostics
    return Game(checked.game, checked.diagnostics, checked.sources)


def answer(state: State) -> str | None:
    """What `n` is after the only option."""
    assert state.decision is not None
    state.step(state.decision.options[0])
    return {view.name: view.value for view in state.view(None).states}["n"]


NUMBERS = """edition 1
game numbers "Numbers" {{ players 2 }}
use own
library own {{
  value down(n: 0..5000): 0..5000 shrinking n = if n is 0 then 0 else 1 + down(n - 1)
  value paths(n: 0..5000): 0..9 shrinking n = if n <= 1 then 1 else (paths(n - 1) + paths(n - 2)) mod 7
  value picks(left: set of 1..40): 0..9 shrinking left =
    max(0, max(k in left: picks(left except {{k}}))) + (if left is empty then 1 else 0)
}}
state n: 0..5000 = 0
state all: set of 1..40 = {{}}
action go "Go" {{ effect {{ set n = {value} }} }}
phase p for p in players acting p {{ offer go }}
rank winner by me.seat
"""
SNAKE = 21


def serpentine() -> str:
    """A board on which one long corridor winds through all rows."""
    rows = []
    for row in range(SNAKE):
        if row % 2 == 0:
            rows.append("#" * SNAKE)
        else:
            rows.append("." * (SNAKE - 1) + "#" if row % 4 == 1 else "#" + "." * (SNAKE - 1))
    drawn = "\n".join("    " + row for row in rows)
    return f'''edition 1
game board "Board" {{ players 2 }}
use grids(Cell)
fields Cell/Cells grid {{
  column open: yes/no
  drawing open """
{drawn}
  """ legend {{ "#": yes, ".": no }}
}}
state n: 0..2000 = 0
action go "Go" {{ effect {{ set n = region({{Cell.A1}}, Cells where it is open).count }} }}
phase p for p in players acting p {{ offer go }}
rank winner by me.seat
'''


def test_a_thousand_calls_deep() -> None:
    assert answer(game(NUMBERS.format(value="down(1000)")).new(2, 0)) == "1000"


def test_deeper_is_a_fault() -> None:
    state = game(NUMBERS.format(value="down(3000 + n)")).new(2, 0)
    with pytest.raises(Fault) as stopped:
        answer(state)
    assert stopped.value.code == "depth"
    assert stopped.value.span is not None


def test_the_same_question_is_answered_once() -> None:
    # without memory this would take about 2 ** 600 calls; the numbers of Fibonacci mod 7 repeat every 16
    assert answer(game(NUMBERS.format(value="paths(900)")).new(2, 0)) == str(
        [1, 1, 2, 3, 5, 1, 6, 0][900 % 16 % 8] if 900 % 16 < 8 else 0
    )


def test_too_much_to_look_at_is_a_fault_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "WORK", 200_000)
    text = NUMBERS.format(
        value="picks(all union {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21})"
    )
    one = game(text)
    for _ in range(2):
        with pytest.raises(Fault) as stopped:
            answer(one.new(2, 0))
        assert stopped.value.code == "budget"


def test_long_corridors() -> None:
    limit = sys.getrecursionlimit()
    expected = str(SNAKE * (SNAKE // 2 + 1) + SNAKE // 2)
    board = game(serpentine())
    assert answer(board.new(2, 0)) == expected
    assert sys.getrecursionlimit() == limit
    found: list[str | None] = []
    thread = Thread(target=lambda: found.append(answer(game(serpentine()).new(2, 0))))
    thread.start()
    thread.join()
    assert found == [expected]
