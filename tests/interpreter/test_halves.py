"""Numbers in halves as hosts meet them: options and their ids, events, views, outcomes."""

from __future__ import annotations

from regelwerk.dsl.model.types import IntType, counted, doubled, in_words
from regelwerk.dsl.source import Source
from regelwerk.interpreter.api import load

RULES = """edition 1
game halves "Halves" { players 2 }
track point/points per player: 0..20 in halves
action take(n in [0.5, 1, 2.5]) { effect { gain n points } }
phase game for p in players acting p { offer take }
score total { line points = me.points  line games "games" = 1 }
rank winner by me.points "points"
"""


def test_a_game_in_halves() -> None:
    state = load(Source("halves.rules", RULES)).new(seed=1, players=2)
    decision = state.decision
    assert decision is not None
    assert [each.id for each in decision.options] == ["take 0.5", "take 1", "take 2.5"]
    assert [each.text for each in state.step("take 2.5")] == ["A gains 2.5 points"]
    counts = {each.holder: (each.count, each.highest) for each in state.view().counts}
    assert counts == {"A": (2.5, 20), "B": (0, 20)}
    state.step("take 1")
    outcome = state.outcome
    assert outcome is not None
    assert outcome.winners == ("A",)
    assert outcome.keys == {"A": (("points", 2.5),), "B": (("points", 1),)}
    assert [dict(line.values) for line in outcome.lines] == [{"A": 2.5, "B": 1}, {"A": 1, "B": 1}]


def test_how_halves_are_written() -> None:
    kind = doubled(IntType(-3, 3))
    assert [in_words(value, kind) for value in (-6, -5, -1, 0, 1, 2)] == ["-3", "-2.5", "-0.5", "0", "0.5", "1"]
    assert [counted(value, kind) for value in (-5, 0, 4)] == [-2.5, 0, 2]
    assert str(kind) == "-3..3 in halves"
    assert str(doubled(IntType(0, 32767))) == "0.. in halves"
