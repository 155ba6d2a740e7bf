"""Whole games of Catan: what the others see, undo and replay in the midst of an offer, random boards, invariants."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

import pytest

import regelwerk
from regelwerk.interpreter.api import Event, Game, Replay, State

RESOURCES = ("wood", "brick", "wool", "grain", "ore")


@cache
def catan() -> Game:
    return regelwerk.load("catan")


def reached(what: str, seed: int = 0, players: int = 3, **options: str) -> State:
    """A random game, at its first decision with this address, or where this action is an option."""
    random = Random(seed)
    for attempt in range(seed, seed + 10):
        state = catan().new(players, attempt, options, explicit_chance=True)
        while state.status != "over":
            if state.status == "chance":
                state.answer_chance(None)
                continue
            decision = state.decision
            assert decision is not None
            if decision.address == what or any(each.id.split()[0] == what for each in decision.options):
                return state
            state.step(random.choice(decision.options))
    raise AssertionError(f"{what} is never asked")


def hands(state: State, viewer: str | None) -> dict[str, tuple[float, object]]:
    return {each.holder: (each.count, each.kinds) for each in state.view(viewer).counts if each.name == "good"}


# ------------------------------------------------------------------------------------------------------ what is seen
@pytest.mark.parametrize("seed", range(3))
def test_hands_are_seen_by_their_owners_only(seed: int) -> None:
    state = reached("settle", seed)
    for viewer in (None, *state.seats):
        for holder, (count, kinds) in hands(state, viewer).items():
            assert (kinds is not None) == (holder in ("bank", viewer))
            assert kinds is None or sum(kinds.values()) == count  # type: ignore[attr-defined]  # a dict


def test_development_cards_are_counted_by_all_and_seen_by_their_owner() -> None:
    state = reached("play_card", 1)
    assert any(zone.count for zone in state.view().zones if zone.name == "devs")
    for viewer in (None, *state.seats):
        for zone in state.view(viewer).zones:
            if zone.name in ("devs", "fresh"):
                assert (zone.things is not None) == (zone.holder == viewer)
            elif zone.name == "deck":
                assert zone.things is None
            elif zone.name in ("knights", "spent"):
                assert zone.things is not None


def test_a_theft_is_told_whole_to_thief_and_victim_only() -> None:
    state = reached("steal", 4, players=4)
    thief, decision = state.actor, state.decision
    assert thief is not None
    assert decision is not None
    victim = decision.options[0].id
    other = next(seat for seat in state.seats if seat not in (thief, victim))
    held = hands(state, victim)[victim][1]
    assert isinstance(held, dict)
    state.step(0)
    assert state.status == "chance"
    assert state.chance is not None
    drawn = Counter(state.chance.candidates[0])
    assert drawn == Counter({kind: n for kind, n in held.items() if n})  # each card is equally likely
    events = state.answer_chance(None)
    for seat in (thief, victim):
        assert any(kind in each.text_for(seat) for each in events for kind in RESOURCES)
    for viewer in (other, None):
        assert not any(kind in each.text_for(viewer) for each in events for kind in RESOURCES)
        assert any("1 resource card" in each.text_for(viewer) for each in events)
    before, after = held, hands(state, victim)[victim][1]
    assert isinstance(after, dict)
    assert sum(before.values()) - sum(after.values()) == 1


def test_an_offer_is_public_and_hands_stay_hidden() -> None:
    state = reached("decline", 2)
    for viewer in (None, *state.seats):
        offered = next(each.value for each in state.view(viewer).states if each.name == "offered")
        assert offered not in (None, "nothing")
    assert all(kinds is None for holder, (_, kinds) in hands(state, None).items() if holder != "bank")


def test_options_to_discard_stay_sealed() -> None:
    """Several discard at once, in any order; what one has laid down is seen by nobody before all have."""
    positions = (reached("discard.cards", seed, players=4) for seed in range(40))
    state = next(each for each in positions if len(each.actors) > 1)
    first, second = state.actors[:2]
    total = hands(state, None)[second][0]
    assert state.decision is not None
    assert state.decision.sealed
    events: tuple[Event, ...] = ()
    while second in state.actors:
        decision = state.decision_of(second)
        assert decision is not None
        events = state.step(decision.options[0], second)
    assert events == ()
    assert first in state.actors
    assert hands(state, None)[second][0] == total


# ------------------------------------------------------------------------------------- offers: undo, replay, and bots
@pytest.mark.parametrize("what", ["accept", "settle", "propose.get", "counter.give", "discard.cards", "steal"])
def test_copies_saves_and_replays_in_the_midst(what: str) -> None:
    state = reached(what, 3)
    copy = state.clone()
    assert copy == state
    assert catan().restore(state.save()) == state
    again = catan().replay(state.replay().text())
    assert (again.decision, again.phase) == (state.decision, state.phase)
    assert all(again.view(seat) == state.view(seat) for seat in (None, *state.seats))
    random = Random(7)
    for _ in range(30):
        while copy.status == "chance":
            copy.answer_chance(None)
        if copy.decision is None:
            break
        copy.step(random.choice(copy.decision.options))
    assert copy != state  # what happens to the copy does not touch the state
    assert catan().restore(state.save()) == state


def test_a_whole_game_is_replayed() -> None:
    random, state = Random(5), catan().new(3, 5)
    while state.decision is not None and state.decisions < 3000:
        state.step(random.choice(state.decision.options))
    again = Replay.parse(state.replay().text()).run(catan())
    assert (again.view(), again.outcome, again.decisions) == (state.view(), state.outcome, state.decisions)


def test_no_list_of_options_is_long() -> None:
    """Offers are asked in stages: thousands of deals never stand in one list."""
    random, state, longest = Random(8), catan().new(4, 8), 0
    while state.status == "decision" and state.decisions < 1500:
        options = state.raw_options
        longest = max(longest, len(options))
        state.step_raw(random.choice(options))
    assert longest < 160


# --------------------------------------------------------------------------------------------------- the random board
def board(state: State) -> dict[str, tuple[str, int]]:
    found: dict[str, dict[str, str]] = {"good": {}, "number": {}}
    for each in state.view().states:
        if each.name in found and each.key is not None and each.value is not None:
            found[each.name][each.key] = each.value
    return {key: (found["good"][key], int(found["number"][key])) for key in found["good"]}


def neighbours() -> set[tuple[str, str]]:
    """Hexes that touch, in the rows of the board: A1 B1 C1 / A2 ... D2 / A3 ... E3 / ..."""
    places: dict[str, tuple[int, int]] = {}
    for row, (count, shift) in enumerate([(3, 2), (4, 1), (5, 0), (4, 1), (3, 2)], 1):
        places |= {f"{'ABCDE'[k]}{row}": (row, shift + 2 * k) for k in range(count)}
    return {
        (a, b)
        for a, (r, x) in places.items()
        for b, (s, y) in places.items()
        if (r == s and abs(x - y) == 2) or (abs(r - s) == 1 and abs(x - y) == 1)
    }


def test_random_boards() -> None:
    beside = neighbours()
    assert len(beside) == 2 * 42
    fixed = board(catan().new(4, 1, {"start": "A"}))
    seen = set()
    for seed in range(40):
        state = catan().new(4, seed, {"layout": "random_board"})
        hexes = board(state)
        assert Counter(good for good, _ in hexes.values()) == Counter(good for good, _ in fixed.values())
        assert Counter(number for _, number in hexes.values()) == Counter(number for _, number in fixed.values())
        assert all((number == 0) == (good == "nothing") for good, number in hexes.values())
        assert not any(hexes[a][1] in (6, 8) and hexes[b][1] in (6, 8) for a, b in beside)
        robber = next(each.value for each in state.view().states if each.name == "robber")
        assert robber is not None
        assert hexes[robber][1] == 0
        again = catan().new(4, seed, {"layout": "random_board"})
        assert board(again) == hexes
        assert again.actor == state.actor
        seen.add(tuple(sorted(hexes.items())))
    assert len(seen) == 40
    assert {catan().new(4, seed).actor for seed in range(40)} == set(catan().seats[:4])


# ------------------------------------------------------------------------------------------------------- whole games
@pytest.mark.parametrize(
    ("players", "options"),
    [
        (3, {}),
        (4, {}),
        (3, {"layout": "random_board", "mixed_trade_build": "yes"}),
        (4, {"turn_limit": "60", "offers_per_turn": "1"}),
    ],
)
def test_random_games_keep_the_invariants(players: int, options: dict[str, str]) -> None:
    random, state = Random(11), catan().new(players, 11, options)
    while state.status == "decision" and state.decisions < 1200:
        assert state.violated_invariants() == ()
        state.step_raw(random.choice(state.raw_options))
    assert state.fault is None


def test_a_limit_of_turns_is_a_cause_of_its_own() -> None:
    causes: Counter[str] = Counter()
    for seed in range(4):
        random, state = Random(seed), catan().new(3, seed, {"turn_limit": "30", "offers_per_turn": "0"})
        while state.status == "decision":
            state.step_raw(random.choice(state.raw_options))
        assert state.outcome is not None
        assert state.outcome.finished
        assert state.outcome.winners
        causes[state.outcome.cause] += 1
    assert causes["turns_are_over"] > 0
    assert set(causes) <= {"turns_are_over", "reached"}
