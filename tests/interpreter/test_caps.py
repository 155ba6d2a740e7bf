"""Sizes that are known when a game is set up, and how deep rules may set each other off."""

from __future__ import annotations

import pytest

from regelwerk.dsl.diagnostics import RulesError
from regelwerk.dsl.source import Source
from regelwerk.interpreter.api import load

HEAD = """edition 1
game sizes "Sizes" { players 1..4 }
const size = by players.count { 2: SIZE, else: 1 }
track point/points per player: 0..99
"""
TAIL = """
phase main for p in players acting p { offer wait }
action wait { effect { nothing } }
rank winner by me.points then shared
"""


def game(middle: str) -> str:
    return HEAD + middle + TAIL


def set_up(text: str, size: int = 1) -> str:
    """The message with which the game is refused, or an empty text."""
    found = load(Source("sizes.rules", text.replace("SIZE", str(size))))
    try:
        found.new(players=2, seed=1)
    except RulesError as error:
        return error.diagnostics[0].message
    return ""


def test_copies_counted_by_the_number_of_players() -> None:
    dots = "tiles Dot/Dots copies size\nzone bag of Dot from Dots"
    assert set_up(game(dots)) == ""
    assert set_up(game(dots), size=4096) == ""
    assert "4096" in set_up(game(dots), size=4097)


def test_copies_of_all_players_together() -> None:
    dots = "tiles Dot/Dots per player copies size\nzone bag per player of Dot from Dots where .owner is me"
    assert set_up(game(dots), size=2048) == ""
    assert "4098" in set_up(game(dots), size=2049)


def test_the_image_has_64_kib() -> None:
    dots = "tiles Dot/Dots copies size\nzone bag of Dot from Dots\nstate kept per Dot: list of 0..9 up to 30 = []"
    assert set_up(game(dots), size=1000) == ""
    assert "65536" in set_up(game(dots), size=4000)


def test_what_is_asked_about_the_past() -> None:
    dots = (
        "tiles Dot/Dots copies size\nzone bag of Dot from Dots\neffect touch(a: Dot, b: Dot) { nothing }\n"
        "value touched(a: Dot, b: Dot) = happened touch(a, b) by anyone this main"
    )
    assert set_up(game(dots), size=63) == ""
    assert "4096" in set_up(game(dots), size=64)


@pytest.mark.parametrize(("length", "refused"), [(32, False), (33, True)])
def test_rules_set_each_other_off_32_deep(length: int, refused: bool) -> None:
    effects = [f"effect e{k} {{ gain 1 point }}" for k in range(length + 1)]
    rules = [f"trigger t{k}: after e{k} {{ do e{k + 1} }}" for k in range(length)]
    text = game("\n".join([*effects, *rules])).replace("effect { nothing }", "effect { do e0 }")
    if refused:
        assert "32 rules" in set_up(text)
        return
    state = load(Source("deep.rules", text.replace("SIZE", "1"))).new(players=1, seed=1)
    state.step("wait")
    assert [each.count for each in state.view().counts] == [length + 1]
