"""The small classic games that come with Regelwerk: their scenarios, and what whole games must show."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

import regelwerk
from regelwerk.dsl.diagnostics import render
from regelwerk.dsl.model import game as g
from regelwerk.interpreter.api import State
from regelwerk.interpreter.loading import Checked, check_path, shipped_games
from regelwerk.interpreter.scenarios import run_scenario

NAMES = ("tic_tac_toe", "connect_four", "crazy_eights")
FILES = {name: shipped_games()[name].with_name(f"{name}_scenarios.rules") for name in NAMES}
CASES = [
    (name, line.split()[1])
    for name, path in FILES.items()
    for line in path.read_text(encoding="utf-8").splitlines()
    if line.startswith("scenario ")
]


@cache
def checked(name: str) -> Checked:
    return check_path(FILES[name])


@pytest.mark.parametrize("name", NAMES)
def test_the_file_is_correct(name: str) -> None:
    found = checked(name)
    assert found.game is not None
    assert found.diagnostics == (), "\n".join(render(d, found.sources) for d in found.diagnostics)


@pytest.mark.parametrize(("name", "scenario"), CASES, ids=[f"{name}-{scenario}" for name, scenario in CASES])
def test_scenario(name: str, scenario: str) -> None:
    found = checked(name)
    assert found.checker is not None
    result = run_scenario(found, next(s for s in found.checker.checked_scenarios if s.name == scenario))
    assert result.passed, (result.message, *result.detail)


def clauses(name: str) -> set[str]:
    """The addresses of all requirements of a game."""
    game = regelwerk.load(name)
    return {
        each.address for action in game.checked.actions for each in action.clauses if isinstance(each, g.RequireSymbol)
    }


@pytest.mark.parametrize("name", NAMES)
def test_every_requirement_is_refused_in_a_scenario(name: str) -> None:
    text = FILES[name].read_text(encoding="utf-8")
    assert {address for address in clauses(name) if f"because {address}" not in text} == set()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(5))
def test_random_games_keep_the_invariants(name: str, seed: int) -> None:
    game = regelwerk.load(name)
    random = Random(seed)
    for players in game.players:
        state = game.new(players, seed)
        while state.status == "decision":
            assert state.violated_invariants() == ()
            options = state.raw_options
            state.step_raw(options[random.randrange(len(options))])
        assert state.status == "over"
        assert state.violated_invariants() == ()


# ------------------------------------------------------------------------------------------------------- crazy eights
def counted(state: State) -> dict[str, int | float]:
    return {each.holder: each.count for each in state.view().counts if each.name == "point"}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_crazy_eights_ends_at_the_target_and_the_most_points_win(players: int) -> None:
    game = regelwerk.load("crazy_eights")
    for seed in range(6):
        random = Random(seed)
        state = game.new(players, seed)
        before = counted(state)
        while state.status == "decision":
            assert max(counted(state).values()) < 100
            before = counted(state)
            state.step(random.randrange(len(state.raw_options)))
        points = counted(state)
        assert max(before.values()) < 100 <= max(points.values())
        outcome = state.outcome
        assert outcome is not None
        assert outcome.cause == "target_reached"
        assert set(outcome.winners) == {seat for seat in state.seats if points[seat] == max(points.values())}


@pytest.mark.parametrize("players", [2, 4])
def test_in_crazy_eights_a_hand_is_seen_by_its_owner_only(players: int) -> None:
    state = regelwerk.load("crazy_eights").new(players, 5)
    for seat in (None, *state.seats):
        for zone in state.view(seat).zones:
            if zone.name == "hand":
                assert (zone.things is not None) == (zone.holder == seat)
            elif zone.name == "stock":
                assert zone.things is None
                assert zone.count == 52 - 1 - players * (7 if players == 2 else 5)


def test_the_pack_of_crazy_eights() -> None:
    """Four suits of thirteen; an eight counts 50, a court card 10, the others their pips."""
    state = regelwerk.load("crazy_eights").new(2, 1)
    entity = next(e for e in state.game.checked.entities if e.name == "Card")
    columns = {name: state.program.column_by_row(entity.columns[name]) for name in ("suit", "rank", "worth")}
    cards = [tuple(columns[name][row.index] for name in columns) for row in entity.rows]
    worth = {8: 50, 11: 10, 12: 10, 13: 10}
    assert cards == [(suit, rank, worth.get(rank, rank)) for suit in range(1, 5) for rank in range(1, 14)]
    for row, (suit, rank, _) in zip(entity.rows, cards, strict=True):
        label = {1: "A", 11: "J", 12: "Q", 13: "K"}.get(rank, str(rank))
        assert (row.name, row.printed) == ("CDHS"[suit - 1] + label, label + "♣♦♥♠"[suit - 1])
