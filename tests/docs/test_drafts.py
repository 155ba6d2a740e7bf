"""The drafts of the published games that are not finished: they check without a finding, and can be played.

That they are complete and right is tested once they stand in `games/`.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from regelwerk.dsl.diagnostics import render
from regelwerk.interpreter.api import load
from regelwerk.interpreter.loading import check_path

DRAFTS = sorted((Path(__file__).resolve().parents[2] / "docs" / "drafts").glob("*.rules"))


def test_all_drafts_are_there() -> None:
    assert [path.stem for path in DRAFTS] == [
        "vienna_meets_catan",
    ]


@pytest.mark.parametrize("path", DRAFTS, ids=lambda path: path.stem)
def test_a_draft_checks(path: Path) -> None:
    found = check_path(path)
    assert found.game is not None
    assert [render(each, found.sources) for each in found.diagnostics] == []


@pytest.mark.parametrize("path", DRAFTS, ids=lambda path: path.stem)
def test_a_draft_is_played_for_a_while(path: Path) -> None:
    game = load(path)
    for players in game.players:
        random, state = Random(players), game.new(players, players)
        while state.status == "decision" and state.decisions < 60:
            assert len(state.raw_options) < 300
            state.step_raw(random.choice(state.raw_options))
        assert state.fault is None
