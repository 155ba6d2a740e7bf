"""--backend of play, simulate, test and replay: the results are the same, and what cannot be is said."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from regelwerk.interpreter import backends
from regelwerk.interpreter.api import Game, load
from regelwerk.tools.simulation import Settings, module_for, play_game, play_step_by_step, program_of

BACKENDS = ("auto", "reference", "wasm")
SHIPPED = [("vienna", 3), ("crazy_eights", 2), ("connect_four", 2), ("saeulen_von_venedig", 2)]
TINY = ["race.rules", "dice.rules", "sealed.rules", "faulty.rules", "bad_invariant.rules", "endless.rules"]
WIDE = """edition 1
game wide "Wide" { players 2 }
state n: 0..2000 = 0
action take "Take" { effect { set n = {n * 30, n + 30}.count } }
phase main for p in players acting p { offer take }
rank winner by me.seat
"""
"""Not compiled: it makes sets of numbers up to 60,000."""


def settings(game: Game, players: int, backend: backends.Backend, longest: int, every: bool = True) -> Settings:
    bots = ("random",) * players
    return Settings(game.name, Path(game.name), game.hash, players, 11, (), bots, every, longest, backend)


@pytest.mark.parametrize(("name", "players"), SHIPPED)
@pytest.mark.parametrize("every", [True, False])
def test_games_in_the_module_give_the_same_records(name: str, players: int, every: bool) -> None:
    game = load(name)
    inside = settings(game, players, "wasm", 300, every)
    assert module_for(game, inside) is not None
    for number in (1, 2):
        wanted = play_step_by_step(game, settings(game, players, "reference", 300, every), number)
        assert play_game(game, inside, number) == wanted
        assert play_step_by_step(game, inside, number) == wanted


@pytest.mark.parametrize("name", TINY)
def test_faults_invariants_and_unfinished_games_give_the_same_records(name: str, games: Path) -> None:
    game = load(games / name)
    kinds = set()
    for players in game.players:
        for longest in (1, 7, 40):
            for number in range(1, 6):
                for every in (True, False):
                    one = play_game(game, settings(game, players, "reference", longest, every), number)
                    two = play_game(game, settings(game, players, "wasm", longest, every), number)
                    assert one == two
                    kinds.add((one.cause, bool(one.violated)))
    assert kinds


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("bots", ["random", "greedy"])
def test_simulate_gives_the_same_figures(run: Any, bots: str, jobs: str) -> None:
    words = ("simulate", "race.rules", "--games", "60", "--players", "3", "--bots", bots, "--jobs", jobs)
    answers = [run(*words, "--backend", each) for each in BACKENDS]
    assert {answer.code for answer in answers} == {0}
    assert len({answer.out for answer in answers}) == 1
    assert all("decisions per second" in answer.err for answer in answers)


def test_simulate_as_json(run: Any) -> None:
    found = [
        json.loads(run("simulate", "vienna", "--games", "5", "--json", "-", "--backend", each).out) for each in BACKENDS
    ]
    assert found[0] == found[1] == found[2]


def test_the_commands_of_failures_name_the_backend(run: Any) -> None:
    answer = run("simulate", "faulty.rules", "--games", "2", "--jobs", "1", "--backend", "wasm")
    assert answer.code == 1
    assert "--backend wasm" in answer.out
    assert "--backend" not in run("simulate", "faulty.rules", "--games", "2", "--jobs", "1").out


def test_test_gives_the_same(run: Any) -> None:
    for words in (("race.rules", "--games", "3"), ("bad_invariant.rules",), ("scenes.rules", "--no-games")):
        answers = [run("test", *words, "--backend", each) for each in BACKENDS]
        assert len({answer.code for answer in answers}) == 1
        assert (
            len({answer.out.replace(" --backend wasm", "").replace(" --backend reference", "") for answer in answers})
            == 1
        )


def test_play_and_replay_give_the_same(run: Any, tmp_path: Path) -> None:
    texts, shown = set(), set()
    for each in BACKENDS:
        path = tmp_path / f"{each}.replay"
        answer = run(
            *("play", "vienna", "--seed", "3", "--seat", "all=random", "--record", str(path), "--backend", each)
        )
        assert answer.code == 0
        texts.add(path.read_text(encoding="utf-8"))
        checked = run("replay", str(path), "--check", "--backend", each)
        assert checked.code == 0
        shown.add(run("replay", str(path), "--backend", each).out)
    assert len(texts) == len(shown) == 1


def test_what_is_not_compiled(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "wide.rules"
    path.write_text(WIDE, encoding="utf-8")
    asked = run("simulate", str(path), "--games", "60", "--backend", "wasm")
    assert asked.code == 2
    assert asked.out == ""
    assert "what is not compiled (a set of up to 60032 members)" in asked.err
    played = run("simulate", str(path), "--games", "60", "--jobs", "1")
    assert played.code == 0
    assert "what is not compiled (a set of up to 60032 members)" in played.err
    assert run("simulate", str(path), "--games", "60", "--jobs", "1", "--backend", "reference").out == played.out
    tested = run("test", str(path), "--games", "2")
    assert tested.code == 0


def test_without_wasmtime_it_is_said_once(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [each for each in sys.modules if each.startswith("regelwerk.interpreter.wasm")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "wasmtime", None)
    monkeypatch.setattr(backends, "_missing", None)
    monkeypatch.setattr(backends, "_said", False)
    words = ("simulate", "race.rules", "--games", "60", "--jobs", "1")
    answer = run(*words)
    assert answer.code == 0
    assert answer.err.count("cannot be imported") == 1
    assert "regelwerk: wasmtime cannot be imported" in answer.err
    assert "games run on the reference interpreter" in answer.err
    asked = run(*words, "--backend", "wasm")
    assert asked.code == 2
    assert "wasmtime cannot be imported" in asked.err


def test_small_runs_do_not_compile() -> None:
    game = load("vienna")
    few = settings(game, 3, "auto", 300)
    assert module_for(game, few) is None
    assert "wasm" not in program_of(game, few).machines
    assert module_for(game, few, now=True) is not None
