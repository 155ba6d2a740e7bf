"""Batches: many games at once are the games they are one by one."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("numpy", reason="NumPy is not installed (the extra `batch`)")

import numpy as np

import regelwerk
from regelwerk import batch
from regelwerk.dsl.source import Source
from regelwerk.interpreter import layout as la
from regelwerk.interpreter.answers import UsageError
from regelwerk.interpreter.api import Fault, Game

GOLDEN = 0x9E3779B97F4A7C15


def rules(text: str) -> Game:
    return regelwerk.load(Source("batch.rules", text))


COUNTING = rules("""edition 1
game counting "Counting" { players 2..3 }
state n: 0..9 = 0
track point/points per player: 0..9
state over: yes/no = no
phase game loop until over { phase turn for p in players acting p { offer stay, up } }
action stay { effect { nothing } }
action up(k in 1..3) { effect { set n = n + k   gain k points   if n is 9 { set over = yes } } }
rank winner by me.points then shared
""")
"""Going up beyond 9 is a fault."""


def random_actions(rng: np.random.Generator, counts: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    found: np.ndarray[Any, Any] = (rng.random(len(counts)) * counts).astype(np.int32)
    return found


def image_of(games: batch.Batch, game: int) -> bytes:
    return bytes(games.state(game).image.b)


# ------------------------------------------------------------------------------------------ the same as single games
@pytest.mark.parametrize(
    ("name", "players", "count", "steps"),
    [
        ("tic_tac_toe", 2, 8, 60),
        ("connect_four", 2, 4, 90),
        ("crazy_eights", 3, 4, 150),
        ("vienna", 3, 2, 150),
        ("saeulen_von_venedig", 3, 2, 60),
        ("grand_austria_hotel", 2, 2, 60),
    ],
)
@pytest.mark.parametrize("slots", [1, 64])
def test_step_by_step_as_single_games(name: str, players: int, count: int, steps: int, slots: int) -> None:
    """States, options, seats and endings are those of the reference interpreter, with options that are kept and with
    such that are listed again."""
    game = regelwerk.load(name)
    games = batch.Batch(game, count, players=players, seed=40, slots=slots)
    single = [game.new(players=players, seed=40 + k) for k in range(count)]
    rng = np.random.default_rng(5)
    for _ in range(steps):
        for k, state in enumerate(single):
            assert image_of(games, k) == bytes(state.image.b)
            assert games.counts[k] == len(state.raw_options)
            assert games.raw_options(k) == state.raw_options[:slots]
            assert games.seats[games.actors[k] - 1] == state.actor
        actions = random_actions(rng, games.counts)
        seeds = games.seeds.copy()
        ended = games.step(actions)
        for k, state in enumerate(single):
            state.step_raw(state.raw_options[actions[k]])
            over = state.status == "over"
            assert bool(ended[k]) == over
            if over:
                assert ended[k] == state.image.w[la.END]
                assert state.outcome is not None
                assert games.causes[ended[k]] == state.outcome.cause
                assert {games.seats[p] for p in range(players) if games.winners[k] >> p + 1 & 1} == set(
                    state.outcome.winners
                )
                assert int(games.seeds[k]) == (int(seeds[k]) + GOLDEN) % 2**64
                single[k] = game.new(players=players, seed=int(games.seeds[k]))
            else:
                assert games.seeds[k] == seeds[k]


def test_options_have_texts() -> None:
    games = batch.Batch("tic_tac_toe", 2)
    single = games.game.new()
    assert single.decision is not None
    assert games.options(1) == single.decision.options
    games.step([4, 0])
    assert [option.id for option in games.options(0)][3:5] == ["put A2", "put C2"]


def test_records_say_what_options_are() -> None:
    games = batch.Batch(COUNTING, 1)
    place = games.places[games.states["site"][0]]
    assert [(way.number, way.name) for way in place.ways] == [(0, "stay"), (1, "up")]
    (parameter,) = place.ways[1].parameters
    assert (parameter.name, parameter.word, parameter.words) == ("k", 1, 1)
    assert games.records[0, :4, :2].tolist() == [[0, 0], [1, 1], [1, 2], [1, 3]]
    assert games.raw_options(0) == [(0, ()), (1, (1,)), (1, (2,)), (1, (3,))]


# ----------------------------------------------------------------------------------------------------------- beginning
def test_seeds_of_games() -> None:
    games = batch.Batch("crazy_eights", 3, players=3, seed=[7, 2**64 - 1, 7])
    assert games.seeds.tolist() == [7, 2**64 - 1, 7]
    assert image_of(games, 0) == image_of(games, 2) == bytes(games.game.new(3, 7).image.b)
    assert image_of(games, 1) == bytes(games.game.new(3, -1).image.b)
    games.reset(seeds=-1)
    assert games.seeds.tolist() == [2**64 - 1, 0, 1]
    games.reset([1])
    assert games.seeds.tolist() == [2**64 - 1, GOLDEN, 1]
    games.reset(np.array([False, False, True]), seeds=[9])
    assert games.seeds.tolist() == [2**64 - 1, GOLDEN, 9]
    assert image_of(games, 2) == bytes(games.game.new(3, 9).image.b)


@pytest.mark.parametrize("seeds", [[1, 2], [[1], [2], [3]], [0.5, 1, 2], ["a", "b", "c"]])
def test_seeds_that_do_not_fit(seeds: Any) -> None:
    with pytest.raises(UsageError, match="seeds are"):
        batch.Batch("tic_tac_toe", 3, seed=seeds)


def test_options_of_the_game_and_names() -> None:
    games = batch.Batch("crazy_eights", 2, options={"first_dealer": "B"}, seats=["A", "B", "C"])
    single = games.game.new(options={"first_dealer": "B"}, seats=["A", "B", "C"])
    assert games.seats == ("A", "B", "C")
    assert image_of(games, 0) == bytes(single.image.b)


def test_sizes_that_cannot_be() -> None:
    with pytest.raises(UsageError, match="at least one game"):
        batch.Batch("tic_tac_toe", 0)
    with pytest.raises(UsageError, match="at least one option"):
        batch.Batch("tic_tac_toe", 1, slots=0)
    with pytest.raises(UsageError, match="take fewer games"):
        batch.Batch("tic_tac_toe", 10_000_000)
    with pytest.raises(UsageError, match="divided among 1 to 2 threads"):
        batch.Batches("tic_tac_toe", 2, threads=3)
    with pytest.raises(UsageError, match="is for 2 players"):
        batch.Batch("tic_tac_toe", 1, players=3)


# ------------------------------------------------------------------------------------------------------------ stepping
def test_without_renewal_a_game_stays_over() -> None:
    games = batch.Batch("tic_tac_toe", 2, auto_reset=False)
    for action in (0, 0, 0, 0, 0, 0):
        games.step([action, batch.STAY])
    # the first free place each time: X gets three in a row with the seventh move
    games.step([0, batch.STAY])
    assert games.ended.tolist()[1] == 0
    assert games.ended[0] > 0
    assert games.state(0).status == "over"
    assert games.counts.tolist() == [0, 9]
    over = image_of(games, 0)
    games.step([0, 0])  # nobody decides in game 0, so that what is said of it counts for nothing
    assert image_of(games, 0) == over
    assert games.ended.tolist() == [0, 0]
    games.reset([0])
    assert games.counts.tolist() == [9, 8]


def test_rewards_are_shares_of_victories() -> None:
    games = batch.Batch(COUNTING, 2, players=3)
    games.step([3, 3])
    games.step([3, 1])
    assert games.rewards().tolist() == [[0, 0, 0], [0, 0, 0]]
    games.step([3, 0])
    assert games.ended.tolist() == [1, 0]
    assert games.rewards() == pytest.approx(np.array([[1 / 3, 1 / 3, 1 / 3], [0, 0, 0]]))
    games.step([0, 0])
    assert games.rewards().tolist() == [[0, 0, 0], [0, 0, 0]]


def test_final_states() -> None:
    games = batch.Batch(COUNTING, 1, players=3, finals=True)
    for _ in range(3):
        games.step([3])
    assert games.finals is not None
    assert games.finals["track point"].tolist() == [[3, 3, 3]]
    assert games.finals["end"][0] == games.ended[0] == 1
    assert games.states["track point"].tolist() == [[0, 0, 0]]


def test_staying() -> None:
    games = batch.Batch("tic_tac_toe", 2)
    before = image_of(games, 0)
    games.step([batch.STAY, 3])
    assert image_of(games, 0) == before
    assert games.counts.tolist() == [9, 8]


def test_actions_written_in_place() -> None:
    games = batch.Batch("tic_tac_toe", 2)
    games.actions[:] = [2, 3]
    games.step()
    assert games.states["state mark"].tolist() == [[0, 0, 1, 0, 0, 0, 0, 0, 0], [0, 0, 0, 1, 0, 0, 0, 0, 0]]


@pytest.mark.parametrize(
    ("actions", "message", "wrong"),
    [
        ([0, 9, 0], "game 1: there are 9 options, and no number 9", (1,)),
        ([0, 9, -2], r"game 1 \(and 1 more\)", (1, 2)),
        ([2**32, 0, 0], "game 0: there are 9 options, and no number 4294967296", (0,)),
        ([0, 0], "one for each game", ()),
        ([0.0, 1.0, 2.0], "whole numbers", ()),
    ],
)
def test_what_is_no_action(actions: Any, message: str, wrong: tuple[int, ...]) -> None:
    games = batch.Batch("tic_tac_toe", 3)
    with pytest.raises(batch.NotAnAction, match=message) as caught:
        games.step(actions)
    assert caught.value.games == wrong
    assert games.states["decisions"].tolist() == [0, 0, 0]
    games.step([0, 1, 2])
    assert games.states["decisions"].tolist() == [1, 1, 1]


def test_masks() -> None:
    games = batch.Batch(COUNTING, 2, slots=6)
    assert games.mask().tolist() == [[True] * 4 + [False] * 2] * 2
    assert games.mask(3).tolist() == [[True] * 3] * 2
    assert games.mask(5).sum(axis=1).tolist() == games.counts.tolist()


# --------------------------------------------------------------------------------------------------------------- views
def test_views_show_the_present() -> None:
    games = batch.Batch("vienna", 3, players=3, seed=1)
    points, coins, actors = games.states["track point"], games.states["resource coin"], games.actors
    single = [games.game.new(3, 1 + k) for k in range(3)]
    rng = np.random.default_rng(1)
    for _ in range(60):
        actions = random_actions(rng, games.counts)
        games.step(actions)
        for k, state in enumerate(single):
            state.step(int(actions[k]))
    assert actors.tolist() == [state.image.w[la.ACTOR] for state in single]
    published: Any = games.program.layout.describe()
    for name, view in (("track point", points), ("resource coin", coins)):
        cell = next(each for each in published["cells"] if each["name"] == name)
        assert view.shape == (3, cell["count"])
        for k, state in enumerate(single):
            data = state.image.b[cell["offset"] : cell["offset"] + cell["count"] * cell["bits"] // 8]
            assert view[k].tolist() == list(memoryview(data).cast("B" if cell["bits"] == 8 else "h"))
    assert coins.max() > 0


def test_every_region_has_a_view() -> None:
    games = batch.Batch("vienna", 2, players=3)
    published: Any = games.program.layout.describe()
    names = games.states.dtype.names or ()
    assert set(published["header"]) <= set(names)
    assert len([name for name in names if name.startswith("zone dice")]) == 2
    assert len(names) == len(published["header"]) + len(published["cells"]) + 2
    assert games.states["streams"].shape == (2, len(published["streams"]["names"]))


def test_views_are_not_copies_and_read_only() -> None:
    games = batch.Batch("tic_tac_toe", 2)
    mark = games.states["state mark"]
    assert np.shares_memory(mark, games.states)
    for view in (mark, games.counts, games.seeds, games.actors, games.ended, games.winners, games.records):
        assert not view.flags.owndata
        with pytest.raises(ValueError, match="read-only"):
            view[0] = 0


def test_views_outlive_the_batch() -> None:
    """What owns the memory lives as long as a view."""
    views = []
    for seed in range(20):
        games = batch.Batch("tic_tac_toe", 64, seed=seed)
        games.step(np.full(64, seed % 9))
        views.append(games.states["state mark"])
        del games
    for seed, view in enumerate(views):
        assert view[:, seed % 9].tolist() == [1] * 64


# -------------------------------------------------------------------------------------------------------------- faults
def test_a_fault_stops_one_game() -> None:
    games = batch.Batch(COUNTING, 3, seed=4)
    for _ in range(2):
        games.step([3, 3, 0])
    games.step([2, 2, 0])  # 8 of 9
    games.step([2, 0, 1])
    assert list(games.faults) == [0]
    fault = games.faults[0]
    assert (fault.code, fault.seed, fault.seats, fault.decisions) == ("range", 4, games.seats, 4)
    single = COUNTING.new(seed=4)
    for action in (3, 3, 2):
        single.step(action)
    with pytest.raises(Fault) as caught:
        single.step(2)
    assert (fault.message, fault.rule) == (caught.value.message, caught.value.rule)
    assert games.states["status"].tolist() == [la.FAULTED, la.DECISION, la.DECISION]
    assert games.counts.tolist() == [0, 4, 4]
    assert games.states["decisions"][1:].tolist() == [4, 4]
    assert games.state(0).status == "fault"
    games.step([0, 1, 0])  # game 0 stays as it is, and the others go on
    games.step([0, 0, 0])
    assert games.ended.tolist() == [0, 1, 0]
    games.reset([0])
    assert not games.faults
    assert games.counts.tolist() == [4, 4, 4]


def test_many_faults_at_once() -> None:
    games = batch.Batch(COUNTING, 50)
    for _ in range(2):
        games.step(np.full(50, 3))
    games.step(np.full(50, 2))
    games.step(np.where(np.arange(50) % 2, 2, 1))
    assert sorted(games.faults) == list(range(1, 50, 2))
    assert (games.ended[::2] == 1).all()


# ----------------------------------------------------------------------------------------------------------- searching
def test_copies_go_their_own_ways() -> None:
    games = batch.Batch("crazy_eights", 6, players=3, seed=1)
    rng = np.random.default_rng(1)
    for _ in range(10):
        games.step(random_actions(rng, games.counts))
    games.copy([2, 3, 4, 5], [0, 0, 1, 1])
    for game, source in ((2, 0), (3, 0), (4, 1), (5, 1)):
        assert image_of(games, game) == image_of(games, source)
        assert games.raw_options(game) == games.raw_options(source)
        assert games.seeds[game] == games.seeds[source]
    games.copy([4, 5], 0)
    last = int(games.counts[0]) - 1
    games.step([0, batch.STAY, 0, last, last, batch.STAY])
    assert image_of(games, 2) == image_of(games, 0)
    assert image_of(games, 3) == image_of(games, 4)
    with pytest.raises(UsageError, match="from and to at once"):
        games.copy([0, 1], [1, 2])
    with pytest.raises(UsageError, match="games from 0 to 5"):
        games.copy([6], [0])


def test_random_players_go_on_in_place() -> None:
    games = batch.Batch("crazy_eights", 4, players=3, seed=1)
    games.play_on([0, 1], decisions=7, seed=3)
    assert games.states["decisions"].tolist() == [7, 7, 0, 0]
    for k in range(4):
        state = games.state(k)
        assert games.counts[k] == len(state.raw_options)
        assert games.raw_options(k) == state.raw_options[:64]
    ended = games.play_on(seed=9).copy()
    assert (ended > 0).all()
    assert (games.states["status"] == la.OVER).all()
    again = batch.Batch("crazy_eights", 4, players=3, seed=1)
    again.play_on([0, 1], decisions=7, seed=3)
    again.play_on(seed=9)
    assert [image_of(again, k) for k in range(4)] == [image_of(games, k) for k in range(4)]


def test_rollouts_leave_games_alone_and_find_the_winning_move() -> None:
    games = batch.Batch("tic_tac_toe", 3)
    for action in (0, 2, 0, 3):  # X has two in a row with the third free, and moves
        games.step([action, batch.STAY, action])
    before = [image_of(games, k) for k in range(3)]
    found = games.rollouts(400, seed=1)
    assert [image_of(games, k) for k in range(3)] == before
    assert found.winners.shape == (3, 400)
    assert (found.ends > 0).all()
    assert not found.faulted.any()
    assert found.values[0, 0] > found.values[1, 0] + 0.1
    # whoever begins an empty board at random wins 737/1260 of the games and loses 121/420
    assert found.values[1] == pytest.approx([737 / 1260, 121 / 420], abs=0.1)
    again = games.rollouts(400, seed=1)
    assert (again.winners == found.winners).all()
    assert (games.rollouts(400, [1], seed=2).winners[0] != found.winners[1]).any()


def test_rollouts_to_a_limit() -> None:
    games = batch.Batch("tic_tac_toe", 1)
    found = games.rollouts(5, decisions=3)
    assert found.decisions.tolist() == [[3] * 5]
    assert found.ends.tolist() == [[0] * 5]
    assert np.isnan(found.values).all()


def test_rollouts_with_faults() -> None:
    games = batch.Batch(COUNTING, 2)
    for _ in range(2):
        games.step([3, 3])
    games.step([2, 0])
    found = games.rollouts(3000)  # more than are tried out at a time
    assert found.faulted.any()
    assert not found.faulted.all()
    assert (found.faulted != (found.ends > 0)).all()
    assert not games.faults
    # The second player has 8 points before her: up by 1 ends it, by 2 or 3 is a fault, and after staying the first one
    # has the same, but that after an end the second must stay: f = 1/2 + g/4, g = 1/2 + f/4 + 3/16.
    assert found.faulted[0].mean() == pytest.approx(43 / 60, abs=0.03)


def test_chance_comes_out_otherwise_in_rollouts() -> None:
    game = rules("""edition 1
game dicing "Dicing" { players 2..2 }
dice Die/Dice faces 1..6 copies 1
zone dice of Die from Dice
track point/points per player: 0..9
phase game for p in players acting p { offer throw }
action throw { effect { roll dice   gain sum(d in dice: d.face) points } }
rank winner by me.points then shared
""")
    games = batch.Batch(game, 1, seed=3)
    same, other = games.rollouts(100, reseed=False), games.rollouts(100)
    assert len(set(same.winners[0].tolist())) == 1
    assert len(set(other.winners[0].tolist())) == 3
    assert other.values[0].sum() == pytest.approx(1)


def test_states_in_and_out() -> None:
    games = batch.Batch("vienna", 2, players=3, seed=1)
    state = games.game.new(3, 77)
    for _ in range(20):
        state.step(len(state.raw_options) - 1)
    games.put(1, state)
    assert image_of(games, 1) == bytes(state.image.b)
    assert games.counts[1] == len(state.raw_options)
    games.step([0, 0])
    state.step(0)
    assert image_of(games, 1) == bytes(state.image.b)
    taken = games.state(1)
    taken.step(0)
    assert image_of(games, 1) == bytes(state.image.b)
    with pytest.raises(UsageError, match="another game"):
        games.put(0, games.game.new(4))
    with pytest.raises(UsageError, match="status `chance`"):
        games.put(0, games.game.new(3, explicit_chance=True))


# ------------------------------------------------------------------------------------------------------------- threads
def test_threads_play_the_same_games() -> None:
    one = batch.Batch("crazy_eights", 7, players=3, seed=11, finals=True)
    with batch.Batches("crazy_eights", 7, players=3, seed=11, threads=3, finals=True) as many:
        assert [part.count for part in many.parts] == [2, 2, 3]
        rng = np.random.default_rng(2)
        for _ in range(200):
            assert (many.counts == one.counts).all()
            assert (many.actors == one.actors).all()
            assert (many.mask(10) == one.mask(10)).all()
            actions = random_actions(rng, one.counts)
            assert (many.step(actions) == one.step(actions)).all()
            assert (many.rewards() == one.rewards()).all()
            assert (many.seeds == one.seeds).all()
        assert (many.field("track point") == one.states["track point"]).all()
        for game in range(7):
            part, number = many.part_of(game)
            assert image_of(part, number) == image_of(one, game)
        left, right = many.rollouts(50, seed=4), one.rollouts(50, seed=4)
        assert (left.winners == right.winners).all()
        many.reset()
        one.reset()
        assert (many.seeds == one.seeds).all()


def test_threads_name_games() -> None:
    with batch.Batches(COUNTING, 5, threads=2) as games:
        with pytest.raises(batch.NotAnAction, match="game 3: there are 4 options, and no number 7") as caught:
            games.step([0, 0, 0, 7, 0])
        assert caught.value.games == (3,)
        assert games.field("decisions").tolist() == [0] * 5
        for _ in range(2):
            games.step([3] * 5)
        games.step([2] * 5)
        games.step([1, 1, 1, 1, 3])
        assert list(games.faults) == [4]
        assert games.ended.tolist() == [1, 1, 1, 1, 0]
        with pytest.raises(UsageError, match="games from 0 to 4"):
            games.part_of(5)
