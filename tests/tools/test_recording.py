"""`play --record x.rules`: a game that was played is a scenario that passes."""

from __future__ import annotations

import io
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from tests.tools.conftest import Run

from regelwerk.dsl.formatting import format_source
from regelwerk.interpreter.api import load
from regelwerk.interpreter.loading import find_file
from regelwerk.tools.command_line import main
from regelwerk.tools.recording import record

ROOT = Path(__file__).resolve().parents[2]
SIX = ("vienna", "saeulen_von_venedig", "grand_austria_hotel", "catan", "catan_austria", "vienna_meets_catan")
SMALL = ("cellar", "sealed", "smuggler", "three")


def recorded(rules: Path, place: Path, seed: int, decisions: int) -> None:
    """A random game, as far as that, is a scenario that passes, and formatted."""
    game, random = load(rules), Random(seed)
    state = game.new(random.choice(list(game.players)), seed)
    while state.status == "decision" and state.decisions < decisions:
        actor = random.choice(state.actors)
        state.step(random.randrange(len(state.raw_options_of(state.seats.index(actor) + 1))), actor)
    found = record(rules, state.replay(), "recorded", place)
    assert found.result is not None, found.text
    assert found.result.passed, f"{found.result.message} {found.result.detail}\n{found.text}"
    assert found.text == format_source(found.text)
    assert all(len(line) <= 400 for line in found.text.split("\n"))
    assert found.text.count("when ") >= 1


@pytest.mark.parametrize("name", [*SIX, "crazy_eights", "connect_four", "tic_tac_toe"])
def test_the_middle_of_a_game(name: str, tmp_path: Path) -> None:
    recorded(find_file(name), tmp_path / "recorded.rules", 7, 25)


@pytest.mark.parametrize("name", ["vienna", "grand_austria_hotel", "crazy_eights", "connect_four"])
def test_a_whole_game(name: str, tmp_path: Path) -> None:
    recorded(find_file(name), tmp_path / "recorded.rules", 3, 160)


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("decisions", [0, 3, 40])
def test_small_games(name: str, decisions: int, tmp_path: Path) -> None:
    """Sealed answers, stages, hidden things, a drawn board."""
    rules = tmp_path / f"{name}.rules"
    shutil.copy(ROOT / "tests" / "tools" / "games" / f"{name}.rules", rules)
    if decisions:
        recorded(rules, tmp_path / "recorded.rules", 5, decisions)
    else:
        found = record(rules, load(rules).new(seed=1).replay(), "recorded", tmp_path / "recorded.rules")
        assert found.result is not None
        assert found.result.passed


NAMES = """edition 1
game names "Names" { players 2  seats red, work }
enum Colour/Colours { red, blue }
option colour: Colour = random
option harder: yes/no = no "Harder?"
track point/points per player: 0..30 start 0
state worn per player: Colour? = none
phase setup { step begin { everyone { gain 1 point } } }
phase game { phase round for n in 1..3 { phase turn for p in players acting p { offer work, wear or pass "not now" } } }
action work { effect { gain 2 points   may gain 1 point } }
action wear(c in Colours) { effect { set me.worn = c } }
end rich at once when some(p in players where p.points >= 20)
rank winner by me.points "points" then shared
"""


@pytest.mark.parametrize("seed", range(6))
def test_names_options_and_phases(seed: int, tmp_path: Path) -> None:
    """Seats that have the names of members, options that chance decides, phases without a decision."""
    rules = tmp_path / "names.rules"
    rules.write_text(NAMES, encoding="utf-8")
    recorded(rules, tmp_path / "recorded.rules", seed, 4 + seed)


Play = Callable[..., tuple[int, str, str]]


def test_it_is_written_by_play(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules, path = tmp_path / "market.rules", tmp_path / "found.rules"
    shutil.copy(ROOT / "docs" / "examples" / "market.rules", rules)
    answer = run("play", str(rules), "--players", "2", "--seed", "3", "--record", str(path))
    assert answer.code == 0, answer.err
    assert "passes." in " ".join(answer.out.split())
    assert path.read_text(encoding="utf-8").startswith("edition 1\nvariant found ")
    assert run("test", str(path), "--only", "found_1").code == 0
    assert run("check", str(path)).code == 0
    assert run("fmt", "--check", str(path)).code == 0
    monkeypatch.setattr("sys.stdin", io.StringIO("1\nquit\n"))
    assert main(["play", str(rules), "--seat", "1=human", "--record", str(tmp_path / "1st game.rules")]) == 0
    assert run("test", str(tmp_path / "1st game.rules")).code == 0


def test_the_rules_themselves_are_not_overwritten(run: Run, tmp_path: Path) -> None:
    rules = tmp_path / "market.rules"
    shutil.copy(ROOT / "docs" / "examples" / "market.rules", rules)
    before = rules.read_text(encoding="utf-8")
    answer = run("play", str(rules), "--record", str(rules))
    assert answer.code == 2
    assert "these are the rules themselves" in answer.err
    assert rules.read_text(encoding="utf-8") == before
