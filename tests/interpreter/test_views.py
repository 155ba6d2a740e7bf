"""Views: who sees what. Hidden things show their number; states that differ only in hidden things look alike."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import pytest

from regelwerk.dsl.source import Source
from regelwerk.interpreter.api import Event, State, View, load
from regelwerk.interpreter.views import ZoneView

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.interpreter.games_for_tests import game, random_game


def zone(view: View, name: str, key: str | None = None) -> ZoneView:
    return next(each for each in view.zones if each.name == name and each.key == key)


def worth_in(state: State, seat: str) -> list[str]:
    things = zone(state.view(seat), "hand", seat).things
    assert things is not None
    return sorted(thing.id for thing in things)


def pairs() -> Iterator[tuple[State, State]]:
    """Two states after a deal in which Bob and Cid got other cards; Ann's are the same."""
    secrets = game("secrets")
    deals = (
        ("one", "two", "one", "two", "three", "three"),
        ("one", "two", "three", "three", "two", "one"),
    )
    made = []
    for deal in deals:
        state = secrets.new(3, 1, explicit_chance=True)
        dealt = iter(deal)
        while state.status == "chance":
            assert state.chance is not None
            state.answer_chance([next(dealt) for _ in state.chance.candidates])
        made.append(state)
    yield made[0], made[1]


def test_the_deal_is_as_said() -> None:
    for one, other in pairs():
        assert worth_in(one, "Ann") == worth_in(other, "Ann")
        assert one != other


def test_a_hidden_zone_shows_only_a_count_to_others() -> None:
    for state in random_game("secrets", 3, 3):
        for seat in (None, *state.seats):
            view = state.view(seat)
            for holder in state.seats:
                seen = zone(view, "hand", holder)
                assert (seen.things is not None) == (seat == holder)
                assert seen.holder == holder
                if seen.things is not None:
                    assert len(seen.things) == seen.count
            assert zone(view, "deck").things is None
            assert zone(view, "vault").things is None
            table = zone(view, "table")
            assert table.things is not None
            assert len(table.things) == table.count
        counts = {
            tuple((each.name, each.key, each.count) for each in state.view(s).zones) for s in (None, *state.seats)
        }
        assert len(counts) == 1


def test_the_visible_top_of_a_hidden_pile() -> None:
    found = False
    for seed in range(10):
        for state in random_game("secrets", seed, 3):
            shown = zone(state.view(None), "shown")
            assert shown.things is None
            assert (shown.top is None) == (shown.count == 0)
            found = found or shown.count > 1
    assert found


def test_counts_hidden_by_kind() -> None:
    state = game("secrets").new(2, 1)
    option = next(each for each in state.decision.options if each.action == "spice_up") if state.decision else None
    assert option is not None
    state.step(option)
    mine = {each.holder: each for each in state.view("Ann").counts if each.name == "spice"}
    yours = {each.holder: each for each in state.view("Bob").counts if each.name == "spice"}
    assert mine["Ann"].kinds == {"pepper": 1, "salt": 0}
    assert yours["Ann"].kinds is None
    assert yours["Ann"].count == mine["Ann"].count == 1
    assert yours["Bob"].kinds == {"pepper": 0, "salt": 0}


def test_states_seen_by_their_owner() -> None:
    state = game("secrets").new(2, 1)
    assert state.decision is not None
    state.step(next(each for each in state.decision.options if each.id == "secret_bid 3"))
    for seat, expected in (("Ann", "3"), ("Bob", None), (None, None)):
        bids = {each.key: each.value for each in state.view(seat).states if each.name == "bid"}
        assert bids["Ann"] == expected
    assert {each.key: each.value for each in state.view("Bob").states if each.name == "bid"}["Bob"] == "0"


def test_states_that_differ_in_hidden_things_look_alike() -> None:
    for one, other in pairs():
        for seat in ("Ann", None):
            assert one.view(seat) == other.view(seat)
        assert one.view("Bob") != other.view("Bob")
        assert one.decision == other.decision


def test_decisions_of_others_look_alike() -> None:
    """Ann passes; now Bob decides, with other cards in each state. Ann sees that he decides, and the same question."""
    for one, other in pairs():
        events = one.step("pass"), other.step("pass")
        assert [event.text_for("Ann") for event in events[0]] == [event.text_for("Ann") for event in events[1]]
        assert one.decision is not None
        assert other.decision is not None
        assert (one.actor, one.decision.text, one.decision.address) == (
            "Bob",
            other.decision.text,
            other.decision.address,
        )
        assert one.decision.options != other.decision.options
        assert one.view("Ann") == other.view("Ann")


@pytest.mark.parametrize("number", [0, 1])
def test_events_hide_what_others_do_not_see(number: int) -> None:
    """Bob stashes a card nobody sees; what Ann reads does not tell which."""
    texts = []
    for state in next(pairs()):
        state.step("pass")
        assert state.decision is not None
        stashes = [each for each in state.decision.options if each.action == "stash"]
        events = state.step(stashes[min(number, len(stashes) - 1)])
        texts.append([event.text_for("Ann") for event in events])
        drawn: list[Event] = []
        while state.status == "chance":
            assert state.chance is not None
            drawn += state.answer_chance([each[0] for each in state.chance.candidates])
        assert any(event.text_for("Bob") != event.text_for("Ann") for event in drawn)
        texts[-1] += [event.text_for("Ann") for event in drawn]
    assert texts[0] == texts[1]


@pytest.mark.parametrize("name", ["secrets", "dice", "vienna"])
def test_an_onlooker_sees_no_more_than_a_player(name: str) -> None:
    for state in islice(random_game(name, 2), 40):
        public = state.view(None)
        for seat in state.seats:
            view = state.view(seat)
            for seen, more in zip(public.zones, view.zones, strict=True):
                assert seen.count == more.count
                if seen.things is not None:
                    assert seen.things == more.things
            for state_seen, state_more in zip(public.states, view.states, strict=True):
                assert state_seen.value in (None, state_more.value)


def test_looking_changes_nothing() -> None:
    for state in islice(random_game("secrets", 4), 20):
        before = state.save()
        for seat in (None, *state.seats):
            state.view(seat)
        state.refusals()
        state.violated_invariants()
        assert state.save() == before


def test_titles_are_seen_by_all_with_their_holders() -> None:
    rules = """edition 1
game titles "Titles" { players 2 }
fields Town/Towns { column worth: 1..9
  | town              | worth |
  | linz "Linz"       | 1     |
  | krems "Krems"     | 2     |
}
state mayor per Town: player? = none
state votes per player: 0..9 = 0
value seat_of(p: player, t: Town) = if t.mayor is p then 1 else 0
award rich "The rich one" to most votes at least 2
award town_hall per Town to most seat_of at least 1
phase game for p in players acting p { offer vote, settle }
action vote { effect { set me.votes = 2 } }
action settle(t in Towns) { effect { set t.mayor = me } }
rank winner by me.votes
"""
    state = load(Source("titles.rules", rules)).new(2)
    nobody = [("rich", None, None), ("town_hall", "Linz", None), ("town_hall", "Krems", None)]
    assert [(each.name, each.key, each.holder) for each in state.view().titles] == nobody
    state.step("settle krems")
    state.step("vote")
    for viewer in (None, *state.seats):
        titles = state.view(viewer).titles
        assert [(each.name, each.key, each.holder) for each in titles] == [
            ("rich", None, "B"),
            ("town_hall", "Linz", None),
            ("town_hall", "Krems", "A"),
        ]
        assert [each.printed for each in titles] == ["The rich one", "town hall", "town hall"]


def test_what_a_host_asks_again_and_again_is_never_too_much() -> None:
    """Invariants and refusals look at the state; how often they are asked between two decisions does not matter."""
    rules = """edition 1
game asking "Asking" { players 2 }
track point/points per player: 0..9
phase game turns from players.first { offer go }
action go(n in 1..9) { require few: count(a in 0..90, b in 0..90 where a + b is n) > 1   effect { gain 1 point } }
end z at once when players.first.points > 8
invariant wide: count(a in 0..90, b in 0..90 where a + b + players.first.points < 0) is 0
rank winner by me.points
"""
    state = load(Source("asking.rules", rules)).new(2)
    asked: tuple[Callable[[], object], ...] = (
        state.violated_invariants,
        state.refusals,
        lambda: state.why_not("go", "3"),
    )
    for ask in asked:
        for left in (10_000_000, 0):
            state.image.work = left
            assert ask() == ()
    assert state.status == "decision"
