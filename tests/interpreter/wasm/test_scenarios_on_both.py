"""Every scenario of the conformance corpus and of the shipped games on both backends.

The reference interpreter runs a scenario; the module makes each step of what it plays, too, and must come to the same
bytes, or to the same fault. What sets scenarios up (`given`) and pinned values are the reference interpreter's alone.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
from tests.interpreter.wasm.lockstep import ROOT

from regelwerk.dsl.source import Source
from regelwerk.interpreter.backends import Machine
from regelwerk.interpreter.faults import Fault
from regelwerk.interpreter.layout import Image
from regelwerk.interpreter.loading import check_path, check_source
from regelwerk.interpreter.scenarios import Run, run_scenario

CORPUS = sorted((ROOT / "tests" / "conformance").glob("*.rules"))
SHIPPED = [
    path
    for path in sorted((ROOT / "games").rglob("*.rules"))
    if any(line.startswith("scenario ") for line in path.read_text(encoding="utf-8").splitlines())
]
NOT_COMPILED = ("pinned", "picks whose condition looks at those before in its own way", "a set of up to")
"""What a scenario may lack on the module."""


def run_all(path: Path) -> tuple[int, int]:
    """How many scenarios were run, and how many of them in the module too."""
    checked = check_path(path)
    if checked.game is None or checked.checker is None:
        return 0, 0
    count = compared = 0
    for scenario in checked.checker.checked_scenarios:
        result = run_scenario(checked, scenario, "wasm")
        stopped = result.fault is not None and scenario.title.startswith(f"fault {result.fault.code}: ")
        assert result.passed or stopped, f"{scenario.name}: {result.message}"
        assert not result.reference_only or any(each in result.reference_only for each in NOT_COMPILED)
        count += 1
        compared += not result.reference_only
    return count, compared


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_the_conformance_corpus(path: Path) -> None:
    run_all(path)


@pytest.mark.slow
@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_the_scenarios_of_shipped_games(path: Path) -> None:
    count, compared = run_all(path)
    assert compared >= 0.9 * count


def test_nearly_all_of_the_corpus_is_compared() -> None:
    """A file that is compiled as a whole: none of its scenarios is left out."""
    count, compared = run_all(ROOT / "tests" / "conformance" / "arithmetic.rules")
    assert count == compared > 0


TINY = """edition 1
game tiny "Tiny" { players 2 }
state n: 0..9 = 0
value weight: 0..9 = 3
action add "Add" { effect { set n = n + weight } }
phase main for p in players acting p { offer add }
rank winner by me.seat
scenario plain { players A, B   play main { when A: add   then n is 3 } }
scenario pinned { players A, B   given { pin weight = 4 }   play main { when A: add   then n is 4 } }
"""


def test_a_step_on_which_they_differ_is_found() -> None:
    """Were the module to make something else of a step, the scenario would stop."""
    from regelwerk.interpreter.wasm.machine import BackendError

    checked = check_source(Source("tiny.rules", TINY))
    assert checked.checker is not None
    run = Run(checked, checked.checker.checked_scenarios[0], "wasm")
    native: Machine = run.native or pytest.fail("it is compiled")

    class Wrong:
        program = native.program

        def resume(self, m: Image, option: object, seat: int = 0) -> object:
            native.resume(m, option, seat)  # type: ignore[arg-type]  # as it came
            m.w[20] += 1
            return None

        def __getattr__(self, name: str) -> object:
            return getattr(native, name)

    wrong: Machine = Wrong()  # type: ignore[assignment]  # as far as it is used
    run.native = wrong
    with pytest.raises(BackendError, match="differ in byte"):
        run.run()


def test_what_lacks_the_module_says_so() -> None:
    checked = check_source(Source("tiny.rules", TINY))
    assert checked.checker is not None
    plain, pinned = (run_scenario(checked, each, "wasm") for each in checked.checker.checked_scenarios)
    assert plain.passed
    assert plain.reference_only == ""
    assert pinned.passed
    assert "pinned value" in pinned.reference_only


def test_faults_are_compared() -> None:
    text = TINY + (
        'scenario over "fault range: too much" { players A, B   given { set n = 8 }   play main { when A: add } }\n'
    )
    checked = check_source(Source("tiny.rules", text))
    assert checked.checker is not None
    with pytest.raises(Fault) as stopped:
        Run(checked, checked.checker.checked_scenarios[2], "wasm").run()
    assert stopped.value.code == "range"
