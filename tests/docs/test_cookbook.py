"""The games of the cookbook are whole: each is played to its end, on every number of players, under its invariants."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

import regelwerk
from regelwerk.dsl.source import Source

PAGE = Path(__file__).resolve().parents[2] / "docs" / "cookbook.md"
GAMES = re.findall(r"^```rules\n(edition 1\n.*?)^```$", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
NAMES = [match[1] for text in GAMES if (match := re.search(r"^game (\w+)", text, re.MULTILINE))]


def test_the_page_has_its_recipes() -> None:
    assert len(GAMES) >= 15
    assert len(set(NAMES)) == len(GAMES)
    assert all(len(text.split("\n")) < 60 for text in GAMES)
    assert all("scenario " in text for text in GAMES)


@pytest.mark.parametrize("text", GAMES, ids=NAMES)
def test_a_recipe_is_played_to_its_end(text: str) -> None:
    game = regelwerk.load(Source("recipe.rules", text))
    for players in game.players:
        for seed in range(3):
            random = Random(seed)
            state = game.new(players, seed)
            while state.status == "decision":
                state.step_raw(random.choice(state.raw_options))
                assert state.violated_invariants() == ()
                assert state.decisions < 5_000
            assert state.status == "over"
            assert state.outcome is not None
