"""A game that goes out as a document and comes back is the same game: hash, layout, findings, bytes of its games."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from random import Random

import pytest

from regelwerk.dsl.interchange.writing import text_of
from regelwerk.dsl.source import Source
from regelwerk.interpreter.api import Game, State
from regelwerk.interpreter.documents import export
from regelwerk.interpreter.faults import Fault
from regelwerk.interpreter.loading import Checked, check_path, check_source
from regelwerk.interpreter.scenarios import run_scenarios

ROOT = Path(__file__).resolve().parents[2]
FILES = [
    path
    for folder in ("games", "tests/conformance", "docs/examples")
    for path in sorted((ROOT / folder).rglob("*.rules"))
    if path.parent.name != "broken"
]
NAMES = [path.relative_to(ROOT).as_posix() for path in FILES]
LONGEST = 40


@cache
def original(path: Path) -> Checked:
    return check_path(path)


@cache
def document(path: Path) -> str:
    return text_of(export(original(path)))


@cache
def back(path: Path) -> Checked:
    return check_source(Source("game.json", document(path)))


def game_of(checked: Checked) -> Game:
    assert checked.game is not None
    return Game(checked.game, checked.diagnostics, checked.sources)


def trace(game: Game, players: int, seed: int) -> list[bytes | str]:
    """The bytes after each decision of a random game, and how it ended."""
    random, found = Random(seed), list[bytes | str]()
    try:
        state: State = game.new(players=players, seed=seed)
        while (decision := state.decision) is not None and len(found) < LONGEST:
            found.append(state.save())
            state.step(decision.options[random.randrange(len(decision.options))])
        found.append(state.save())
    except Fault as fault:
        found.append(str(fault))
    return found


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_the_same_game_comes_back(path: Path) -> None:
    before, after = original(path), back(path)
    assert [(each.code, each.message) for each in after.diagnostics] == [
        (each.code, each.message) for each in before.diagnostics
    ]
    first, second = game_of(before), game_of(after)
    assert second.hash == first.hash
    assert (second.name, second.title, second.players) == (first.name, first.title, first.players)
    for players in (first.players[0], first.players[-1]):
        assert second.program(players, None, {}).layout.hash() == first.program(players, None, {}).layout.hash()
    for seed in (1, 2, 3):
        assert trace(second, first.players[0], seed) == trace(first, first.players[0], seed)


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_what_is_written_again_is_the_same(path: Path) -> None:
    assert text_of(export(back(path))) == document(path)


@pytest.mark.parametrize(
    "name",
    ["tests/conformance/effects.rules", "tests/conformance/variant_adds.rules", "docs/examples/pig_scenarios.rules"],
)
def test_scenarios_run_from_a_document(name: str) -> None:
    after, before = (
        [(each.name, each.passed, each.message) for each in run_scenarios(checked, None)]
        for checked in (back(ROOT / name), original(ROOT / name))
    )
    assert after == before
    assert sum(passed for _, passed, _ in after) > 1


@pytest.mark.parametrize("path", FILES[:3], ids=NAMES[:3])
def test_compact_is_the_same_on_one_line(path: Path) -> None:
    compact = text_of(export(original(path)), compact=True)
    assert compact.count("\n") == 1
    assert compact.endswith("}\n")
    assert json.loads(compact) == json.loads(document(path))


def test_no_folder_is_told() -> None:
    assert str(ROOT) not in document(FILES[0])


def test_a_document_says_what_others_ask_for() -> None:
    facts = json.loads(document(ROOT / "docs" / "examples" / "pig.rules"))["facts"]
    assert facts["players"] == [2, 4]
    assert facts["units"] == [{"name": "point", "of": "point", "one": "point", "many": "points"}]
    assert [(each["address"], each["type"], each["per"]) for each in facts["symbols"] if each["kind"] == "track"] == [
        ("point", "0..32767", "player")
    ]
    (phase,) = facts["phases"]
    assert phase["address"] == "game"
    assert {each["kind"] for each in facts["decisions"]} == {"offer"}
