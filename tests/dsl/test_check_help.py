"""What the checker advises, where the nearest name would be the wrong advice."""

from __future__ import annotations

import pytest

from regelwerk.dsl.source import Source
from regelwerk.interpreter.loading import check_source

TEXT = """edition 1
game shop "Shop" { players 2..2   seats Ann, Ben }
resource coin/coins supply 20
dice Die/Dice copies 2 faces 1..6
zone cup of Die from Dice
state owner: player = START
phase game for p in players acting p { offer go }
action go { effect { gain AMOUNT coins   if CONDITION { nothing } } }
rank winner by me.coins
"""
GOOD = {"START": "players.first", "AMOUNT": "1", "CONDITION": "cup.first.face > 3"}


def advice(**changed: str) -> list[tuple[str, str | None]]:
    text = TEXT
    for place, good in GOOD.items():
        text = text.replace(place, changed.get(place, good))
    return [(each.code, each.help) for each in check_source(Source("shop.rules", text)).diagnostics]


def test_nothing_is_wrong() -> None:
    assert advice() == []


@pytest.mark.parametrize(("word", "number"), [("five", 5), ("Thirty", 30), ("active_", None)])
def test_number_words(word: str, number: int | None) -> None:
    ((code, help_text),) = advice(AMOUNT=f"({word})")
    assert code == "E0203"
    assert help_text == (f"write `{number}`" if number is not None else "did you mean `active`?")


def test_a_seat_is_nobody_in_the_rules() -> None:
    assert advice(START="Ann") == [("E0203", "anybody may sit on this seat: say `me`, `active` or `players.first`")]


def test_a_number_of_one_and_not_of_all() -> None:
    ((code, help_text),) = advice(CONDITION="cup.face > 3")
    assert code == "E0301"
    assert help_text is not None
    assert "`.first`" in help_text
    ((_, help_text),) = advice(CONDITION="cup > 3")
    assert help_text == "say how many there are: `.count`"
