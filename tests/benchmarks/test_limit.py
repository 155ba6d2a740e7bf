"""The hand-written Vienna in C plays the same game as the rules; and what says so can also say no."""

from __future__ import annotations

import importlib.util
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import regelwerk

ROOT = Path(__file__).resolve().parents[2]


def _load() -> ModuleType:
    path = ROOT / "benchmarks" / "limit" / "compare.py"
    spec = importlib.util.spec_from_file_location("limit_compare", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # its dataclasses look there for their annotations
    spec.loader.exec_module(module)
    return module


compare: Any = _load()
needs_cc = pytest.mark.skipif(compare.compiler() is None, reason="there is no C compiler `cc`")


@pytest.fixture(scope="module")
def vienna() -> regelwerk.Game:
    return regelwerk.load("vienna")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compare.build(tmp_path_factory.mktemp("limit"))  # type: ignore[no-any-return]  # loaded by path


@pytest.fixture(scope="module")
def traced(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compare.build(tmp_path_factory.mktemp("limit"), "-DTRACE")  # type: ignore[no-any-return]  # loaded by path


def _records(program: Path, players: int, games: int, seed: int) -> list[Any]:
    lines = compare.output(program, players, games, seed, "records").splitlines()
    return [compare.Record.read(line, players) for line in lines]


# ---------------------------------------------------------------------------------------------------------- the game
@needs_cc
@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_interpreter_can_be_led_through_games_of_the_program(
    vienna: regelwerk.Game, traced: Path, players: int
) -> None:
    assert compare.follow_all(traced, vienna, players, games=2, seed=1) > 200


@needs_cc
@pytest.mark.parametrize("players", [3, 4, 5])
def test_random_games_are_equal_in_distribution(vienna: regelwerk.Game, program: Path, players: int) -> None:
    left = list(compare.random_games(vienna, players, games=40, seed=1))
    found = compare.tests(left, _records(program, players, 4000, 1), players)
    assert compare.verdict(found) > compare.SURE, found


@needs_cc
def test_the_figures_are_those_of_the_records(program: Path) -> None:
    import json

    records, found = _records(program, 4, 50, 7), json.loads(compare.output(program, 4, 50, 7))
    assert found["games"] == found["ends"]["target_reached"] + found["ends"]["cap"] == len(records) == 50
    assert found["decisions"] == sum(record.decisions for record in records)
    assert found["decisions_without_forced"] == found["decisions"] - sum(record.forced for record in records)
    assert found["rounds"]["mean"] == pytest.approx(sum(record.rounds for record in records) / 50)
    assert found["points"][3]["mean"] == pytest.approx(sum(record.points[3] for record in records) / 50)
    shares = [sum((r.winners >> seat & 1) / r.winners.bit_count() for r in records) / 50 for seat in range(4)]
    assert found["wins"] == pytest.approx(shares, abs=1e-6)
    assert all(sum(record.sizes) == record.decisions and record.sizes[1] == record.forced for record in records)


@needs_cc
def test_options_are_listed_as_they_are_counted(program: Path) -> None:
    listing = compare.build(program.parent, "-DLISTS")
    for players in (3, 4, 5):
        assert _records(listing, players, 500, 3) == _records(program, players, 500, 3)


# ------------------------------------------------------------------------------------------------------- it can say no
def _trace(traced: Path) -> list[str]:
    return compare.output(traced, 3, 1, 1, "records").splitlines()  # type: ignore[no-any-return]  # loaded by path


@needs_cc
@pytest.mark.parametrize(
    ("find", "put", "says"),
    [
        ("|place", "|place 1 rathaus|place", "has other options"),
        ("? 0", "? 1", "asks"),
        ("~ roll", "~ roll 7", "asks for roll of Dice"),
        ("~ draw C", "~ draw C9", "asks for draw of a character card"),
    ],
)
def test_another_trace_is_noticed(vienna: regelwerk.Game, traced: Path, find: str, put: str, says: str) -> None:
    lines = _trace(traced)
    place = next(number for number, line in enumerate(lines) if find in line)
    lines[place] = lines[place].replace(find, put, 1)
    with pytest.raises(compare.Different, match=says):
        compare.follow(vienna, 3, iter(lines))


@needs_cc
def test_another_ending_is_noticed(vienna: regelwerk.Game, traced: Path) -> None:
    *lines, record = _trace(traced)
    words = record.split()
    words[5] = str(int(words[5]) + 1)
    with pytest.raises(compare.Different, match="ends otherwise"):
        compare.follow(vienna, 3, iter([*lines, " ".join(words)]))


@needs_cc
def test_another_distribution_is_noticed(program: Path) -> None:
    left, right = _records(program, 3, 2000, 1), _records(program, 3, 2000, 2)
    assert compare.verdict(compare.tests(left, right, 3)) > compare.SURE
    richer = [replace(record, points=(record.points[0] + 2, *record.points[1:])) for record in right]
    assert compare.verdict(compare.tests(left, richer, 3)) < compare.SURE
    luckier = [replace(record, winners=1) if number % 4 == 0 else record for number, record in enumerate(right)]
    assert compare.verdict(compare.tests(left, luckier, 3)) < compare.SURE


# ------------------------------------------------------------------------------------------------------- the statistics
@pytest.mark.parametrize(
    ("statistic", "degrees", "p"),
    [
        # Critical values of the usual tables.
        (3.841, 1, 0.05),
        (5.991, 2, 0.05),
        (11.070, 5, 0.05),
        (23.209, 10, 0.01),
        (52.620, 25, 0.001),
        (55.758, 40, 0.05),
    ],
)
def test_tails_of_chi_square(statistic: float, degrees: int, p: float) -> None:
    assert compare.chi_square_tail(statistic, degrees) == pytest.approx(p, rel=0.002)


def test_chi_square_of_a_table_of_two_by_two() -> None:
    """30 and 20 against 20 and 30: 4 of 1, without the correction for continuity."""
    found = compare.chi_square_test("it", Counter({0: 30, 1: 20}), Counter({0: 20, 1: 30}))
    assert found.statistic == "chi² 4.0 of 1"
    assert found.p == pytest.approx(0.0455, abs=0.0001)


def test_rare_values_are_put_together() -> None:
    found = compare.chi_square_test("it", Counter({1: 20, 2: 20, 9: 1}), Counter({1: 20, 2: 20, 8: 1}))
    assert found.statistic == "chi² 0.0 of 1"


def test_t_of_two_samples() -> None:
    """Means 2 and 4, variances 1, three of each: a difference of 2 with an error of the square root of 2/3, and four
    degrees of freedom."""
    found = compare.t_test("it", [1, 2, 3], [3, 4, 5])
    assert found.statistic == "t -2.45"
    assert found.p == pytest.approx(0.0705, rel=0.01)


@pytest.mark.parametrize(
    ("t", "degrees", "p"),
    [(2.571, 5, 0.05), (6.869, 5, 0.001), (4.587, 10, 0.001), (2.845, 20, 0.01), (1.96, 1e9, 0.05)],
)
def test_tails_of_t(t: float, degrees: float, p: float) -> None:
    """Critical values of the usual tables; the approximation errs by less, and upwards where degrees are few."""
    assert compare.t_tails(t, degrees) == pytest.approx(p, rel=0.1)


def test_samples_without_variance() -> None:
    assert compare.t_test("it", [1, 1], [1, 1, 1]).p == 1
    assert compare.t_test("it", [1, 1], [2, 2, 2]).p == 0


@pytest.mark.parametrize(
    ("options", "size"), [(1, 1), (15, 15), (16, 16), (19, 16), (20, 17), (31, 19), (32, 20), (511, 35), (1023, 39)]
)
def test_classes_of_numbers_of_options(options: int, size: int) -> None:
    assert compare.size_class(options) == size
