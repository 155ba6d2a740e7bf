"""The conformance corpus: every file of this folder is a tiny game, and its scenarios say what must come out.

A scenario whose title begins with `fault CODE: ` must be stopped by that fault. Each file is also played at random,
under its invariants, unless a comment in it says `not played at random`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

import pytest

from regelwerk.dsl.diagnostics import render
from regelwerk.interpreter.api import Game
from regelwerk.interpreter.faults import Fault
from regelwerk.interpreter.loading import Checked, check_path
from regelwerk.interpreter.scenarios import Run, run_scenario

HERE = Path(__file__).resolve().parent
FILES = sorted(HERE.glob("*.rules"))
CASES = [
    (path.stem, line.split()[1])
    for path in FILES
    for line in path.read_text(encoding="utf-8").splitlines()
    if line.startswith("scenario ")
]


@cache
def checked(stem: str) -> Checked:
    return check_path(HERE / f"{stem}.rules")


def findings(stem: str) -> str:
    found = checked(stem)
    return "\n\n".join(render(d, found.sources) for d in found.diagnostics if d.severity == "error")


@pytest.mark.parametrize("stem", [path.stem for path in FILES])
def test_the_file_is_correct(stem: str) -> None:
    assert checked(stem).game is not None, findings(stem)


@pytest.mark.parametrize(("stem", "name"), CASES, ids=[f"{stem}-{name}" for stem, name in CASES])
def test_scenario(stem: str, name: str) -> None:
    found = checked(stem)
    if found.game is None or found.checker is None:
        pytest.fail(f"{stem}.rules has errors\n{findings(stem)}")
    scenario = next(each for each in found.checker.checked_scenarios if each.name == name)
    if scenario.title.startswith("fault "):
        code = scenario.title.removeprefix("fault ").partition(":")[0]
        with pytest.raises(Fault) as stopped:
            Run(found, scenario).run()
        assert stopped.value.code == code
        assert stopped.value.span is not None
        return
    result = run_scenario(found, scenario)
    if not result.passed:
        place = ""
        if result.span is not None:
            source = found.sources[result.span.source]
            line, column = source.position(result.span.start)
            place = f"{result.span.source}:{line}:{column}: {source.line(line).strip()}\n"
        pytest.fail(f"{place}{result.message}\n" + "\n".join(result.detail), pytrace=False)


def playable() -> Iterator[str]:
    """The files that can be played from their start: those with a phase and no remark that says otherwise."""
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        if "\nphase " in text and "// not played at random" not in text:
            yield path.stem


@pytest.mark.parametrize("stem", list(playable()))
def test_random_games_keep_the_invariants(stem: str) -> None:
    found = checked(stem)
    if found.game is None:
        pytest.fail(f"{stem}.rules has errors\n{findings(stem)}")
    game = Game(found.game, found.diagnostics, found.sources)
    for players in game.players:
        for seed in range(3):
            random = Random(seed)
            state = game.new(players, seed)
            assert state.violated_invariants() == ()
            for _ in range(200):
                if state.decision is None:
                    break
                state.step(random.choice(state.decision.options))
                assert state.violated_invariants() == ()
