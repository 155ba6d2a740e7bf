"""Start values that speak of options left to nature."""

from __future__ import annotations

import pytest

import regelwerk
from regelwerk.dsl.source import Source
from regelwerk.interpreter.api import State

TEXT = """edition 1
game starts "Starts" { players 2..3 }
option chief: player = random "Who is chief?"
option size: 1..3 = random "How large?"
resource coin/coins supply 30 start size
track point/points per player: 0..9 start size + 1
cards Card/Cards copies 4
zone hand per player of Card from (if me is chief then Cards else {})
zone rest of Card
state speaker: player = chief
state far per player: 0..9 = if chief.seat is 1 then size * 2 else size * 3
phase main for p in players acting p { offer wait }
action wait { effect { gain 1 point } }
rank winner by me.points then shared
"""
GAME = regelwerk.load(Source("starts.rules", TEXT))


def facts(state: State) -> tuple[str | None, list[int | float], list[int | float], list[int], list[str | None]]:
    view = state.view()
    coins = [c.count for c in view.counts if c.name == "coin"]
    points = [c.count for c in view.counts if c.name == "point"]
    hands = [z.count for z in view.zones if z.name == "hand"]
    far = [s.value for s in view.states if s.name == "far"]
    return next(s.value for s in view.states if s.name == "speaker"), coins, points, hands, far


@pytest.mark.parametrize(
    ("chief", "size", "wanted"),
    [
        ("A", 1, ("A", [28, 1, 1], [2, 2], [4, 0], ["2", "2"])),
        ("B", 3, ("B", [24, 3, 3], [4, 4], [0, 4], ["9", "9"])),
    ],
)
@pytest.mark.parametrize("by_nature", [True, False], ids=["by nature", "chosen"])
def test_starts_follow_the_options(
    chief: str, size: int, wanted: tuple[str, list[int], list[int], list[int], list[str]], by_nature: bool
) -> None:
    if by_nature:
        state = GAME.new(2, explicit_chance=True)
        state.answer_chance([chief])
        assert state.chance is not None
        state.answer_chance([str(size)])
    else:
        state = GAME.new(2, options={"chief": chief, "size": str(size)})
    assert state.status == "decision"
    assert facts(state) == wanted


def test_one_option_may_be_chosen_and_the_other_not() -> None:
    state = GAME.new(3, options={"size": "2"}, explicit_chance=True)
    state.answer_chance(["C"])
    assert facts(state) == ("C", [24, 2, 2, 2], [3, 3, 3], [0, 0, 4], ["6", "6", "6"])


def test_many_games_of_one_program() -> None:
    """Start values are kept by what nature chose, and never mixed up."""
    seen = set()
    for seed in range(40):
        state = GAME.new(3, seed)
        speaker, coins, points, hands, far = facts(state)
        size = coins[1]
        assert points == [size + 1] * 3
        assert hands == [4 if seat == speaker else 0 for seat in state.seats]
        assert far == [str(size * (2 if speaker == "A" else 3))] * 3
        seen.add((speaker, size))
    assert len(seen) > 6
