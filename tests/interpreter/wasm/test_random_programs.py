"""Random programs on both backends: the same bytes, options and faults after every decision.

Three sources: games that are written at random, whole conformance files in which everything may be done in any order
(`driving`), and the same with some changes that still check. What fails is made smaller before it is shown.

REGELWERK_RANDOM_PROGRAMS says how many of each are played (default: 20; the conformance files, 1 of 3).
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
from tests.dsl import mutate
from tests.interpreter.wasm.driving import driven, without_scenarios
from tests.interpreter.wasm.lockstep import ROOT, play, same_random_game
from tests.interpreter.wasm.pieces import Piece, checked, smaller, text_of
from tests.interpreter.wasm.programs import program

from regelwerk.dsl.diagnostics import RulesError
from regelwerk.dsl.model import game as g
from regelwerk.dsl.source import Source
from regelwerk.interpreter.api import UsageError
from regelwerk.interpreter.backends import compiled
from regelwerk.interpreter.faults import Fault
from regelwerk.interpreter.loading import check_source
from regelwerk.interpreter.program import Program

PROGRAMS = int(os.environ.get("REGELWERK_RANDOM_PROGRAMS", "20"))
FULL = "REGELWERK_RANDOM_PROGRAMS" in os.environ
LONGEST = 150 if FULL else 60
POLICIES = ("random", "first", "last", "random") if FULL else ("random", "last")
NOT_COMPARED = ("to look at", "a list is longer than")
"""Work inside conditions is counted differently by the backends, and lists that get too long are noticed later by the
reference interpreter (docs/design/compiled.md)."""


def difference(game: g.CheckedGame, seed: int) -> str:
    """Where the backends differ, or an empty text."""
    low, high = game.players
    players = low + seed % (min(high, low + 2) - low + 1)
    try:
        made = Program(game, players, game.seats[:players], {})
        compiled(made)
    except (Fault, RulesError, UsageError):  # cannot begin, or is not compiled
        return ""
    for number, policy in enumerate((*POLICIES, "inside")):
        try:
            if policy == "inside":
                same_random_game(made, seed, LONGEST)
            else:
                play(made, seed + number, policy, LONGEST)
        except AssertionError as found:
            said = str(found)
            if not any(each in said for each in NOT_COMPARED):
                return f"{players} players, {policy}: {said}"
    return ""


def random_program(seed: int) -> Piece:
    """A random program by its seed."""
    random = Random(seed)
    return program(lambda n: random.randrange(n), 1 + seed % 4)


def test_random_programs() -> None:
    """Games that are written at random."""
    count = {"programs": 0, "clean": 0}

    @settings(
        max_examples=PROGRAMS,
        deadline=None,
        database=None,
        derandomize=not FULL,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
    )
    @given(st.integers(0, 2**40))
    def plays_alike(seed: int) -> None:
        root = random_program(seed)
        game = checked(root)
        count["programs"] += 1
        if game is None:
            return
        count["clean"] += 1
        said = difference(game, seed)
        if said:
            smaller(root, lambda found: bool(difference(found, seed)))
            again = checked(root)
            assert again is not None
            raise AssertionError(f"{difference(again, seed)}\n{text_of(root)[0]}")

    plays_alike()
    assert count["clean"] > 0.8 * count["programs"]


CONFORMANCE = sorted((ROOT / "tests" / "conformance").glob("*.rules"))


def test_a_driven_file_does_all_that_it_can() -> None:
    path = ROOT / "tests" / "conformance" / "effects.rules"
    text = driven(path.name, without_scenarios(path.read_text(encoding="utf-8")))
    assert "do with_default(driven_0, driven_1)" in text
    assert "scenario" not in text
    assert "move driven_x to driven_k.hand" in text


@pytest.mark.parametrize("path", CONFORMANCE if FULL else CONFORMANCE[::3], ids=lambda path: path.stem)
def test_conformance_files_in_any_order(path: Path) -> None:
    """Everything in a conformance file, in any order."""
    text = without_scenarios(path.read_text(encoding="utf-8"))
    game = check_source(Source(str(path), driven(str(path), text)), False).game
    if game is not None:
        said = difference(game, 7)
        assert not said, said


CHANGES: tuple[mutate.Mutation, ...] = (
    mutate.token_deleted, mutate.token_replaced, mutate.tokens_swapped, mutate.word_replaced, mutate.number_replaced,
    mutate.tokens_copied, mutate.line_deleted, mutate.line_repeated,
)  # fmt: skip


def changed(random: Random, path: Path) -> str | None:
    """A conformance file with some changes after which it is still clean."""
    text = start = without_scenarios(path.read_text(encoding="utf-8"))
    left = random.choice((1, 2, 3))
    for _ in range(30):
        candidate = random.choice(CHANGES)(random, text)
        if candidate != text and check_source(Source(str(path), candidate), False).game is not None:
            text, left = candidate, left - 1
            if not left:
                break
    return None if text == start else text


@pytest.mark.parametrize("seed", range(PROGRAMS // 2))
def test_changed_conformance_files(seed: int) -> None:
    """Conformance files that were changed, and still check."""
    random = Random(seed)
    path = random.choice(CONFORMANCE)
    text = changed(random, path)
    if text is None:
        pytest.skip("no change of it is clean")
    whole = driven(str(path), text)
    game = check_source(Source(str(path), whole), False).game
    if game is not None:
        said = difference(game, seed)
        assert not said, f"{said}\n{whole}"
