"""`simulate`: figures that do not depend on how they were made, and what is refused."""

from __future__ import annotations

import json
import math
import statistics
from pathlib import Path
from typing import Any

import pytest

from regelwerk.tools.fault_reports import FaultNote
from regelwerk.tools.figures import GameRecord, gather, quartiles, wilson
from regelwerk.tools.simulation import chunks, game_seed


# ------------------------------------------------------------------------------------------------------- the figures
@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [
        # Newcombe, Two-sided confidence intervals for the single proportion, 1998, table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_intervals_that_are_published(wins: int, games: int, low: float, high: float) -> None:
    assert wilson(wins, games) == pytest.approx((low, high), abs=0.00005)


@pytest.mark.parametrize(("wins", "games"), [(3, 7), (0.5, 4), (12.25, 40), (40, 40)])
def test_the_ends_of_wilson_intervals_are_roots(wins: float, games: int) -> None:
    """An end p of the interval has a distance of z standard errors (of p) from the share seen."""
    z = statistics.NormalDist().inv_cdf(0.975)
    for end in wilson(wins, games):
        if 0 < end < 1:
            assert abs(wins / games - end) == pytest.approx(z * math.sqrt(end * (1 - end) / games))


def test_wilson_without_games() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize("numbers", [[1, 2], [5, 3, 1], [4, 4, 9, -2], [7, 1, 0, 3, 3], list(range(100, 0, -7))])
def test_quartiles_against_the_standard_library(numbers: list[int]) -> None:
    found = quartiles(numbers)
    assert found.row() == pytest.approx(
        (min(numbers), *statistics.quantiles(numbers, n=4, method="inclusive"), max(numbers))
    )


def test_quartiles_of_one_number() -> None:
    assert quartiles([6]).row() == (6, 6, 6, 6, 6)


def _record(number: int, winners: tuple[int, ...], points: tuple[int, ...], **more: Any) -> GameRecord:
    fields: dict[str, Any] = {
        "number": number,
        "seed": number,
        "decisions": 10 * number,
        "passes": number,
        "cause": "target",
        "finished": True,
        "winners": winners,
        "values": (("points", points),),
        "violated": (),
        "fault": None,
    }
    return GameRecord(**{**fields, **more})


def test_gathering() -> None:
    fault = FaultNote("range", "too much", "climb")
    records = [
        _record(1, (0,), (5, 1, 1)),
        _record(2, (0, 1), (4, 4, 0)),
        _record(3, (0, 1, 2), (2, 2, 2)),
        _record(4, (), (0, 0, 0), cause="cap", finished=False),
        _record(5, (), (), cause="fault", finished=False, values=(), fault=fault),
        _record(6, (2,), (1, 2, 3), violated=(("coins", 7),)),
    ]
    figures = gather(records, 3, counts_rounds=True)
    assert (figures.games, figures.finished, figures.unfinished, figures.without_winner) == (6, 4, 1, 0)
    assert [(wins.alone, wins.shared) for wins in figures.wins] == [(1, 2), (0, 2), (1, 1)]
    assert [wins.sum for wins in figures.wins] == pytest.approx([1 + 1 / 2 + 1 / 3, 1 / 2 + 1 / 3, 1 + 1 / 3])
    assert sum(wins.share for wins in figures.wins) == pytest.approx(1)
    ((label, by_seat),) = figures.values
    assert label == "points"
    assert by_seat[0].row() == (0, 1, 2, 4, 5)  # of 5, 4, 2, 0, 1
    assert figures.decisions is not None
    assert figures.decisions.row() == (10, 20, 30, 40, 60)  # the game with the fault does not count
    assert figures.rounds is not None
    assert figures.rounds.median == 3
    assert figures.causes == (("target", 4), ("cap", 1), ("fault", 1))
    assert figures.violated == (("coins", 1),)
    assert [each.number for each in figures.records_at_fault] == [5]


@pytest.mark.parametrize(("first", "games", "jobs"), [(1, 1, 1), (1, 1000, 2), (7, 33, 4), (1, 100_000, 8)])
def test_chunks_are_a_partition(first: int, games: int, jobs: int) -> None:
    pieces = chunks(first, games, jobs)
    assert [number for start, end in pieces for number in range(start, end)] == list(range(first, first + games))


def test_seeds_of_games_differ_and_fit_a_double() -> None:
    seeds = {game_seed(run, number) for run in range(10) for number in range(1, 1001)}
    assert len(seeds) == 10_000
    assert all(int(float(seed)) == seed for seed in seeds)


# ---------------------------------------------------------------------------------------------------------- the command
def test_the_figures_do_not_depend_on_the_number_of_processes(run: Any, tmp_path: Path) -> None:
    common = (
        "simulate",
        "dice.rules",
        "--games",
        "40",
        "--players",
        "3",
        "--seed",
        "9",
        "--bots",
        "greedy,random,random",
    )
    answers = [run(*common, "--jobs", str(jobs), "--json", str(tmp_path / f"{jobs}.json")) for jobs in (1, 2)]
    assert [each.code for each in answers] == [0, 0]
    assert answers[0].out == answers[1].out
    assert (tmp_path / "1.json").read_bytes() == (tmp_path / "2.json").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["1.json", "2.json"]
    other = run(*common[:-3], "10", *common[-2:], "--jobs", "1", "--json", "-")
    assert json.loads(other.out) != json.loads((tmp_path / "1.json").read_text(encoding="utf-8"))


def test_a_game_that_can_be_computed_by_hand(run: Any) -> None:
    """Two greedy players of the race walk 2 steps a turn: 10 steps after 5 rounds, and both have won."""
    content = json.loads(run("simulate", "race.rules", "--games", "4", "--bots", "greedy", "--json", "-").out)
    five = dict.fromkeys(["min", "q1", "median", "q3", "max"])
    assert content["seats"] == ["Ann", "Bob"]
    for seat in content["seats"]:
        wins = content["wins"][seat]
        assert (wins["alone"], wins["shared"], wins["sum"], wins["share"]) == (0, 4, 2, 0.5)
        assert (wins["low"], wins["high"]) == pytest.approx((0.15004, 0.84996), abs=0.00001)
        assert content["values"]["paces"][seat] == dict.fromkeys(five, 10)
        assert content["values"]["final: half of the paces"][seat] == dict.fromkeys(five, 5)
    assert content["length"] == {
        "decisions": dict.fromkeys(five, 10),
        "rounds": dict.fromkeys(five, 5),
        "round_phase": "game.round",
    }
    assert content["ends"] == {"arrived": 4}
    assert (content["finished"], content["unfinished"], content["faults"]) == (4, 0, [])


def test_shared_victories_are_explained(run: Any) -> None:
    answer = run("simulate", "twins.rules", "--games", "3", "--players", "3")
    assert answer.code == 0
    assert "A victory shared by k players counts 1/k" in answer.out
    assert answer.out.count("33.3%") == 3


def test_options_change_the_game(run: Any) -> None:
    words = ("simulate", "race.rules", "--games", "2", "--bots", "greedy", "--json", "-")
    content = json.loads(run(*words, "--option", "goal=4").out)
    assert content["options"] == {"goal": "4"}
    assert content["length"]["rounds"]["median"] == 2


def test_a_cap_leaves_games_unfinished(run: Any) -> None:
    answer = run("simulate", "twins.rules", "--games", "2", "--option", "rounds=6", "--json", "-")
    content = json.loads(answer.out)
    assert (content["finished"], content["unfinished"], content["ends"]) == (0, 2, {"cap": 2})
    assert [wins["sum"] for wins in content["wins"].values()] == [0, 0]


def test_a_game_that_never_ends_is_given_up(run: Any) -> None:
    answer = run("simulate", "endless.rules", "--games", "2", "--max-decisions", "30")
    assert answer.code == 0
    assert "given up after 30 decisions" in answer.out
    assert "2 of the games were not finished" in answer.out


def test_invariants_are_counted_and_the_game_can_be_seen_again(run: Any) -> None:
    answer = run(
        "simulate", "bad_invariant.rules", "--games", "5", "--seed", "4", "--check-invariants", "--bots", "greedy"
    )
    assert answer.code == 1
    command = next(line for line in answer.out.splitlines() if "--first 3 " in line).partition("again: ")[2].split()
    again = run(*command[1:], "--json", "-")
    assert again.code == 1
    # Greedy fills whenever it can: 3 drops in round 1, 6 in round 2, which is after the third decision.
    assert json.loads(again.out)["invariants"]["games"][0]["first_seen"] == {"dry": 3}
    assert f'"seed": {game_seed(4, 3)}' in again.out


def test_a_fault_is_reported_with_the_command_to_see_it_again(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "narrow.rules"
    path.write_text(
        'edition 1\ngame narrow "Narrow" { players 1..1 }\n'
        "state level per player: 0..3 = 0\n"
        "phase game for k in 1..9 { phase move for p in players acting p { offer climb } }\n"
        'action climb "Climb" { effect { set me.level = me.level + 1 } }\n'
        'rank winner by me.level "level" then shared\n',
        encoding="utf-8",
    )
    answer = run("simulate", str(path), "--games", "2")
    assert answer.code == 1
    assert "2 games were stopped by a fault:" in answer.out
    assert "after 4 decisions" in answer.out
    assert f"fault `range` at {path}:5:" in answer.out
    assert answer.out.count("fault[range]: the game stopped: `level` goes from 0 to 3, and this is 4\n") == 1
    assert "\n5 | action climb" in answer.out
    assert "  in climb\n" in answer.out
    assert f"regelwerk simulate {path} --players 1 --seed 0 --first 2 --games 1" in answer.out


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("--games", "0"), "`--games 0`: it must be 1 or more"),
        (("--games", "-3"), "`--games -3`: it must be 1 or more"),
        (("--games", "many"), "invalid int value: 'many'"),
        (("--games", "1", "--jobs", "0"), "`--jobs 0`: it must be 1 or more"),
        (("--games", "1", "--first", "0"), "`--first 0`: it must be 1 or more"),
        (("--games", "1", "--max-decisions", "0"), "`--max-decisions 0`: it must be 1 or more"),
        (("--games", "1", "--players", "4"), "Race to Ten is for 2 to 3 players, not for 4"),
        (("--games", "1", "--players", "1"), "not for 1"),
        (("--games", "1", "--option", "gaol=5"), "has no option `gaol`; did you mean `goal`?"),
        (("--games", "1", "--option", "goal=99"), "option `goal`: `99` is not possible"),
        (("--games", "1", "--option", "goal"), "write it as NAME=VALUE"),
        (("--games", "1", "--option", "goal=5", "--option", "goal=6"), "given twice"),
        (("--games", "1", "--bots", "clever"), "there is no bot `clever` (there are: random, greedy)"),
        (("--games", "1", "--bots", "random,random,random"), "that is 3 bots for 2 players"),
        (("--games", "1", "--json", "no/such/folder/x.json"), "cannot be written"),
        (("--games", "1", "--json", "."), "that is a folder"),
    ],
)
def test_bad_usage(run: Any, words: tuple[str, ...], text: str) -> None:
    answer = run("simulate", "race.rules", *words)
    assert answer.code == 2
    assert text in answer.err
    assert answer.out == ""


def test_nothing_is_left_where_a_run_fails(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from regelwerk.tools import simulation

    target = tmp_path / "figures.json"
    target.write_text("old", encoding="utf-8")

    def fail(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(simulation, "play_game", fail)
    assert run("simulate", "race.rules", "--games", "3", "--jobs", "1", "--json", str(target)).code == 130
    assert [path.name for path in tmp_path.iterdir()] == ["figures.json"]
    assert target.read_text(encoding="utf-8") == "old"
