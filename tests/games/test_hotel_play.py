"""Whole games of Grand Austria Hotel, with all its options and in both printings: invariants, whose turn it is, how
often things happen, where points come from, how long lists of options are; recorded games."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

import pytest

import regelwerk
from regelwerk.interpreter.api import Game, Option, State
from regelwerk.interpreter.coverage import Coverage

BASE, PRINTING_OF_2022 = "grand_austria_hotel", "grand_austria_hotel_2022"
RECORDS = Path(__file__).resolve().parent / "records"
PLAYERS = (2, 3, 4)
ROUNDS = 7
LONGEST = 171
"""A split of the strongest court there can be, 17; in 3,600 random games the longest list had 55 options."""


@cache
def game(name: str = BASE) -> Game:
    return regelwerk.load(name)


def drawn_options(seed: int, players: int) -> dict[str, str]:
    """A value for each option of the game."""
    random, found = Random(seed), {}
    for each in game().options:
        found[each.name] = random.choice([value for value in each.values if value not in "ABCD"[players:]])
    return found


def played(state: State, seed: int) -> Iterator[tuple[State, Option | None]]:
    """The state at each decision with the option that is about to be taken; at the end with none. Passing is rare."""
    random = Random(seed)
    while (decision := state.decision) is not None:
        options = [o for o in decision.options if o.action != "pass_turn" or random.randrange(6) == 0]
        option = random.choice(options or list(decision.options))
        yield state, option
        state.step(option.index)
    yield state, None


def numbers(state: State, name: str) -> dict[str, int]:
    """A track or the sum of a resource, by player."""
    return {c.holder: int(c.count) for c in state.view().counts if c.name == name and c.holder in state.seats}


CASES = [(name, players, seed) for name in (BASE, PRINTING_OF_2022) for players in PLAYERS for seed in range(4)]


@pytest.mark.parametrize(("name", "players", "seed"), CASES)
def test_random_games_keep_the_invariants(name: str, players: int, seed: int) -> None:
    state = game(name).new(players, seed, drawn_options(seed, players))
    for _ in played(state, seed):
        assert state.violated_invariants() == ()
        assert state.decision is None or 1 <= len(state.decision.options) <= LONGEST
    assert state.status == "over"
    outcome = state.outcome
    assert outcome is not None
    assert outcome.finished
    assert outcome.cause == "last phase"
    points, left = numbers(state, "point"), {}
    for seat in state.seats:
        left[seat] = numbers(state, "krone")[seat] + numbers(state, "good")[seat]
    best = max((points[seat], left[seat]) for seat in state.seats)
    assert outcome.winners == tuple(seat for seat in state.seats if (points[seat], left[seat]) == best)


@pytest.mark.parametrize("players", PLAYERS)
def test_how_often_things_happen(players: int) -> None:
    own = regelwerk.load(BASE)
    own.coverage = Coverage()
    assert [state.status for state, option in played(own.new(players, 11), 11) if option is None] == ["over"]
    counts = own.coverage.by_address(own.address)
    assert counts["game.round"] == ROUNDS
    assert counts["game.round.imperial"] == counts["emperor_scoring"] == 3
    assert counts["roll_all"] == counts["game.round.tiles"] == ROUNDS
    assert counts["final.staff"] == counts["final.finish"] == counts["final.guests"] == 1
    assert counts["take_die"] <= 2 * ROUNDS * players
    assert counts.get("reroll", 0) <= counts.get("pass_turn", 0)
    assert counts.get("check_in", 0) == counts.get("checked_in", 0)


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("seed", range(3))
def test_the_lowest_uncovered_number_acts(players: int, seed: int) -> None:
    """A second bookkeeping of the tiles: taken dice, passes and re-rolls of each round."""
    tiles: dict[str, str] = {}
    taken: dict[str, int] = {}
    waiting: set[str] = set()
    turns = 0
    for state, option in played(game().new(players, seed, {"start": "B"}), seed):
        decision = state.decision
        if (
            option is None
            or decision is None
            or all(o.action not in ("take_die", "pass_turn") for o in decision.options)
        ):
            continue
        now = {str(each.key): str(each.value) for each in state.view().states if each.name == "turn_tile"}
        if now != tiles:
            tiles, taken, waiting = now, dict.fromkeys(state.seats, 0), set()
            assert sorted(tiles.values()) == [str(k + 1) for k in range(players)]
        able = [seat for seat in state.seats if taken[seat] < 2 and seat not in waiting]
        if not able:  # all others are done: the dice have been rolled again
            waiting, able = set(), [seat for seat in state.seats if taken[seat] < 2]
        lows = {s: int(tiles[s]) if taken[s] == 0 else 2 * players + 1 - int(tiles[s]) for s in able}
        assert state.active is not None
        assert state.active == min(able, key=lambda seat: lows[seat])
        if option.action == "take_die":
            taken[state.active] += 1
            turns += 1
        elif option.action == "pass_turn":
            waiting.add(state.active)
    assert turns > ROUNDS * players


def rooms_occupied(state: State, seat: int) -> list[int]:
    """The floors of a player's occupied rooms, from the drawing: four lines, the top floor first."""
    tiles = [each.value for each in state.view().states if each.name == "tile"]
    players = len(state.seats)
    return [4 - place // 5 for place in range(20) if tiles[place * players + seat] == "occupied"]


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("seed", range(3))
def test_the_lines_of_the_final_scoring(players: int, seed: int) -> None:
    """Floors of occupied rooms, krones and goods in the kitchen, counted again."""
    state = game().new(players, seed)
    for _ in played(state, seed):
        pass
    outcome = state.outcome
    assert outcome is not None
    lines = {line.name: dict(line.values) for line in outcome.lines}
    assert lines["rooms"] == {name: sum(rooms_occupied(state, k)) for k, name in enumerate(state.seats)}
    assert lines["money"] == numbers(state, "krone")
    assert lines["goods"] == numbers(state, "good")


@pytest.mark.parametrize("players", PLAYERS)
def test_every_point_is_explained_by_its_clause(players: int) -> None:
    """After each step the points are those before and what its events tell; each of these events names its clause."""
    clauses: set[str] = set()
    for seed in range(4):
        state = game().new(players, seed)
        before = numbers(state, "point")
        for _ in played(state, seed):
            for event in state.log:
                found = re.match(r"(\w+) (gains|loses) (\d+) victory points?\b", event.text)
                if found:
                    before[found[1]] += int(found[3]) if found[2] == "gains" else -int(found[3])
                    clauses.add(game().address(event.span))
            assert before == numbers(state, "point")
    assert "" not in clauses
    assert {"final.finish", "final.guests", "emperor_scoring", "check_in.points"} <= clauses


# ---------------------------------------------------------------------------------------------------- recorded games
ENDS: dict[int, tuple[int, tuple[str, ...], tuple[int, ...]]] = {
    2: (167, ("B",), (0, 16)),
    3: (279, ("C",), (35, 52, 69)),
    4: (312, ("D",), (7, 17, 45, 69)),
}
"""Of each recorded game: decisions, who won, the points in seat order."""


@pytest.mark.parametrize("players", ENDS)
def test_a_recorded_game_ends_as_it_did(players: int) -> None:
    text = (RECORDS / f"hotel_{players}.replay").read_text(encoding="utf-8")
    state = game().replay(text)
    outcome = state.outcome
    assert outcome is not None
    points = numbers(state, "point")
    assert (state.decisions, outcome.winners, tuple(points[seat] for seat in state.seats)) == ENDS[players]
    assert state.replay().text() == text.replace(text.splitlines()[1], f"game {game().name} {game().hash}")
