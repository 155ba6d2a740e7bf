"""Whole games of Die Säulen von Venedig, held against bookkeeping of their own: who knows which card, where tiles and
pillars may lie, what is scored for them; what views show; how long lists of options are; recorded games."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random

import pytest

import regelwerk
from regelwerk.interpreter.api import Decision, Event, Game, Option, State
from regelwerk.interpreter.views import ZoneView

RECORDS = Path(__file__).with_name("records")
PLAYERS = (2, 3, 4, 5, 6)
LONGEST_LIST = 120
"""No list of options is longer: there are 110 cells for pillars, and far fewer of anything else."""


@cache
def game() -> Game:
    return regelwerk.load("saeulen_von_venedig")


@dataclass
class Step:
    """One decision of a game: what was asked and answered, the state before and after it."""

    decision: Decision
    option: Option
    before: State
    after: State
    events: tuple[Event, ...]


def played(players: int, seed: int, most: int = 400) -> Iterator[Step]:
    """A random game, decision by decision."""
    random = Random(seed)
    state = game().new(players, seed)
    while state.status == "decision" and state.decisions < most:
        decision = state.decision
        assert decision is not None
        option = random.choice(decision.options)
        before = state.clone()
        events = state.step(option)
        yield Step(decision, option, before, state, events)


def hands_of(state: State) -> dict[str, list[str]]:
    """The cards in all hands, each read by its owner."""
    return {
        seat: [thing.id for zone in state.view(seat).zones for thing in zone.things or () if is_hand(zone, seat)]
        for seat in state.seats
    }


def is_hand(zone: ZoneView, seat: str) -> bool:
    return zone.name == "hand" and zone.key == seat


# ----------------------------------------------------------------------------------------------------- who knows what
@dataclass
class Knowers:
    """Which seats know where each card is, by the rules: what is seen, kept, and lost in an unseen swap."""

    seats: tuple[str, ...]
    cards: dict[str, set[str]] = field(default_factory=dict)

    def see(self, card: str, *seats: str) -> None:
        self.cards.setdefault(card, set()).update(seats or self.seats)

    def move_unseen(self, hand: list[str], *involved: str) -> None:
        """One card of a hand goes to another hand; who is not involved cannot tell which of them it was."""
        for card in hand:
            self.cards[card] &= set(involved)


def follow(
    knowers: Knowers, step: Step, selected: set[str], before: dict[str, list[str]], after: dict[str, list[str]]
) -> None:
    """What a decision changes of who knows what; hands before and after it."""
    actor, answer = str(step.decision.actor), step.option.id
    if step.decision.address == "game.round.swap" and step.option.action == "swap_cards":
        victim = step.option.values["victim"]
        (card,) = set(before[victim]) - set(after[victim])
        knowers.move_unseen(before[victim], actor, victim)
        knowers.see(card, actor, victim)
    elif step.decision.address == "swap_cards":
        (receiver,) = (seat for seat in before if len(before[seat]) == 4)
        knowers.move_unseen(before[actor], actor, receiver)
        knowers.see(answer, actor, receiver)
    elif step.decision.address == "game.round.selection":
        selected.add(answer.split()[-1])
        if step.after.phase != "game.round.selection":  # all are in: the cards lie open
            for card in selected:
                knowers.see(card)
            selected.clear()
    elif step.decision.address == "spy_on" and answer in step.before.seats:
        for card in before[answer]:
            knowers.see(card, actor)
    elif step.decision.address == "spy_on":
        knowers.see(answer)


@pytest.mark.parametrize("players", PLAYERS)
def test_everybody_knows_what_the_rules_let_him_know(players: int) -> None:
    knowers, selected = Knowers(game().seats[:players]), set[str]()
    before: dict[str, list[str]] = {}
    swaps = spied = 0
    for step in played(players, 1):
        if not before:
            before = hands_of(step.before)
            for seat, cards in before.items():
                for card in cards:
                    knowers.see(card, seat)
        hands = hands_of(step.after)
        follow(knowers, step, selected, before, hands)
        before = hands
        swaps += step.decision.address == "swap_cards"
        spied += step.decision.address == "spy_on"
        for seat in step.after.seats:
            for zone in step.after.view(seat).zones:
                if zone.name != "hand":
                    continue
                if zone.holder == seat:
                    assert zone.things is not None
                else:
                    assert zone.things is None
                    assert zone.count == len(hands[str(zone.key)])
                    known = {card for card in hands[str(zone.key)] if seat in knowers.cards[card]}
                    assert {thing.id for thing in zone.known} == known, (step.decision.address, seat, zone.key)
        onlooker = [zone for zone in step.after.view().zones if zone.name == "hand"]
        assert all(zone.things is None and not zone.known for zone in onlooker)
    assert swaps
    assert spied or players < 5


@pytest.mark.parametrize("players", [3, 6])
def test_tiles_and_tops_are_open_and_what_lies_below_is_not(players: int) -> None:
    """PS-38, at all positions of a game, for every player and an onlooker."""
    seen = False
    for step in played(players, 3, 150):
        for seat in (None, *step.after.seats):
            for zone in step.after.view(seat).zones:
                if zone.name in ("tiles", "built", "played", "marker", "markers", "gondola"):
                    assert zone.things is not None
                    assert len(zone.things) == zone.count
                elif zone.name == "pile":
                    assert zone.things is None
                    assert (zone.top is None) == (zone.count == 0)
                    burnt = {thing.id for thing in zone.known} - {zone.top.id if zone.top is not None else ""}
                    seen = seen or bool(burnt)
                    assert not burnt or players > 4  # only an Arsonist lays a tile under a pile, before all eyes
    assert seen or players < 6


@pytest.mark.parametrize("first", ["Blue", "Red", "Green"])
def test_a_choice_leaves_no_trace_until_all_have_chosen(first: str) -> None:
    """PS-34, whoever is first: the others see and may do what they saw and might do before."""
    state = game().new(3, 4, {"oldest": "Blue"})
    state.step("pass")
    others = [seat for seat in state.seats if seat != first]
    seen = {seat: (state.view(seat), state.decision_of(seat)) for seat in others}
    onlooker = state.view()
    decision = state.decision_of(first)
    assert decision is not None
    for option in decision.options:
        after = state.clone()
        events = after.step(option, first)
        assert after.view() == onlooker
        for seat in others:
            assert after.view(seat) == seen[seat][0]
            assert after.decision_of(seat) == seen[seat][1]
            assert all(option.id.split()[-1] not in event.text_for(seat) for event in events)


# ------------------------------------------------------------------------------------------- the board, independently
Place = tuple[int, int]


@cache
def places() -> tuple[dict[str, Place], frozenset[Place], frozenset[Place]]:
    """All cells as (column, line), by their names; land and canal."""
    rows = {"3": "DEFGHLMNOPQ", "4": "DHL", "5": "DHL", "6": "ABCDHIJKL"}
    canal = frozenset((ord(letter) - 64, int(line)) for line, letters in rows.items() for letter in letters)
    cells = {f"{chr(64 + x)}{y}": (x, y) for x in range(1, 18) for y in range(1, 9)}
    return cells, frozenset(cells.values()) - canal, canal


def beside(place: Place) -> set[Place]:
    x, y = place
    return {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)}


@dataclass
class Ground:
    """What lies on the board: pillars, markers by place, tiles and faces by place, who rides the gondola."""

    pillars: set[Place]
    markers: dict[Place, str]
    tiles: dict[Place, str]
    faces: dict[Place, str]
    rider: str | None

    @staticmethod
    def of(state: State) -> Ground:
        cells = places()[0]
        view = state.view()
        found = Ground(set(), {}, {}, {}, None)
        for zone in view.zones:
            if zone.name == "pillar" and zone.count:
                found.pillars.add(cells[str(zone.key)])
            elif zone.name == "marker" and zone.things:
                found.markers[cells[str(zone.key)]] = str(zone.things[0].owner)
            elif zone.name == "gondola" and zone.things:
                found.rider = zone.things[0].owner
        for each in view.states:
            if each.name in ("tile", "face") and each.value != "nothing":
                kept = found.tiles if each.name == "tile" else found.faces
                kept[cells[str(each.key)]] = str(each.value)
        return found


STONES_AND_ARMS = {"domino": (2, 2), "straight": (3, 4), "corner": (3, 4), "square": (4, 7), "bridge": (2, 3)}
GAIN = re.compile(r"(\w+) gains (\d+) victory points? \((for [a-z ]+)\)")


def gains(events: tuple[Event, ...]) -> dict[tuple[str, str], int]:
    found: dict[tuple[str, str], int] = {}
    for event in events:
        for seat, points, reason in GAIN.findall(event.text):
            found[seat, reason] = found.get((seat, reason), 0) + int(points)
    return found


def check_built(step: Step, before: Ground, after: Ground) -> None:
    """A tile lies where it may, and everybody gets for it what the rules say."""
    _, _, canal = places()
    new = {place for place in after.tiles if place not in before.tiles}
    (name,) = {after.tiles[place] for place in new}
    shape = name.split()[0]
    stones, arms = STONES_AND_ARMS[shape]
    span = {place for place in new if after.faces[place] == "X"}
    assert span == new & canal
    assert len(span) == (shape == "bridge")
    assert len(new - span) == stones
    assert new - span <= before.pillars
    for x, y in span:
        assert new == {(x, y), (x - 1, y), (x + 1, y)} or new == {(x, y), (x, y - 1), (x, y + 1)}
    matches = sum(
        after.faces.get(other) == after.faces[place] and other not in new and after.faces[place] != "X"
        for place in new
        for other in beside(place)
    )
    actor = str(step.decision.actor)
    played_cards = next(z.things for z in step.before.view().zones if z.name == "played" and z.key == actor)
    assert played_cards is not None
    role = played_cards[0]
    copied = next(each.value for each in step.before.view().states if each.name == "copied" and each.key == actor)
    acting = role.name if copied == "nothing" else copied
    expected = {(actor, "for the tile"): arms + matches}
    for owner in step.before.seats:
        covered = sum(before.markers.get(place) == owner for place in new)
        if covered and owner != actor and acting != "Lawyer":
            expected[owner, "for covered markers"] = 3 * covered
    if before.rider is not None and any(beside(place) & canal for place in new):
        expected[before.rider, "for the gondola"] = 2
    found = gains(step.events)
    outcome = step.after.outcome
    if outcome is None or outcome.cause != "eighty":
        assert found == {**found, **expected}
        assert {each for each in found if each[1] != "for the tile"} == {e for e in expected if e[1] != "for the tile"}
    assert not set(after.markers) & new


def check_pillars(before: Ground, after: Ground) -> None:
    """New pillars stand on free land, together, and beside the canal or an older pillar."""
    _, land, canal = places()
    new = after.pillars - before.pillars
    assert new <= land
    group, waiting = set[Place](), [min(new)]
    while waiting:
        place = waiting.pop()
        group.add(place)
        waiting += [other for other in beside(place) & new if other not in group]
    assert group == new
    assert any(beside(place) & (canal | before.pillars) for place in new)


@pytest.mark.parametrize("players", PLAYERS)
def test_tiles_pillars_and_points(players: int) -> None:
    built = pillars = 0
    for step in played(players, 10 + players):
        before, after = Ground.of(step.before), Ground.of(step.after)
        if set(after.tiles) - set(before.tiles):
            check_built(step, before, after)
            built += 1
        if after.pillars != before.pillars:
            assert before.pillars <= after.pillars
            check_pillars(before, after)
            pillars += 1
    assert built
    assert pillars


# ------------------------------------------------------------------------------------------------- whole random games
@pytest.mark.parametrize("players", PLAYERS)
def test_random_games_keep_the_invariants(players: int) -> None:
    last: State | None = None
    for step in played(players, 20 + players):
        last = step.after
        assert last.violated_invariants() == ()
        assert 1 <= len(step.decision.options) <= LONGEST_LIST
        assert all(0 <= each.count <= 80 for each in last.view().counts if each.track)
    assert last is not None
    assert last.fault is None
    outcome = last.outcome
    assert outcome is not None
    assert outcome.cause in ("last_pillar", "eighty")
    points = {each.holder: each.count for each in last.view().counts}
    most = {seat for seat in points if points[seat] == max(points.values())}
    assert set(outcome.winners) == most
    assert (outcome.cause == "eighty") == (max(points.values()) == 80)
    assert outcome.cause == "last_pillar" or len(most) == 1


# ---------------------------------------------------------------------------------------------------- recorded games
ENDS = {
    2: (191, "last_pillar", ("Blue",), (37, 28)),
    3: (216, "last_pillar", ("Blue",), (38, 23, 18)),
    4: (238, "last_pillar", ("Red",), (31, 53, 20, 42)),
    5: (190, "last_pillar", ("Black",), (13, 8, 16, 4, 18)),
    6: (242, "last_pillar", ("Black",), (21, 15, 15, 28, 40, 26)),
}
"""Of each recorded game: decisions, how it ended, who won, the points in seat order."""


@pytest.mark.parametrize("players", PLAYERS)
def test_a_recorded_game_ends_as_it_did(players: int) -> None:
    text = (RECORDS / f"saeulen_{players}.replay").read_text(encoding="utf-8")
    state = game().replay(text)
    outcome = state.outcome
    assert outcome is not None
    points = {each.holder: each.count for each in state.view().counts}
    seats = state.seats
    assert (state.decisions, outcome.cause, outcome.winners, tuple(points[s] for s in seats)) == ENDS[players]
    assert state.replay().text() == text.replace(text.splitlines()[1], f"game {game().name} {game().hash}")
