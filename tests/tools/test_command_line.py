"""Exit codes and messages."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import regelwerk
from regelwerk.tools import command_line
from regelwerk.tools.commands import check


@pytest.mark.parametrize(
    ("words", "code", "text"),
    [
        ((), 2, "commands:"),
        (("--help",), 0, "exit codes: 0 all is well"),
        (("--version",), 0, f"regelwerk {regelwerk.__version__}"),
        (("--nonsense",), 2, "COMMAND"),
        (("chek",), 2, "invalid choice: 'chek'"),
        (("check",), 2, "FILE"),
        (("check", "--help"), 0, "--format"),
        (("check", "no-such-file"), 2, "`no-such-file` is neither a file nor the name of a game"),
        (("check", "viena"), 2, "did you mean `vienna`?"),
        (("check", "viena"), 2, "games that come with regelwerk: "),
        (("check", "."), 2, "is a folder"),
        (("check", "race.rules", "--format", "xml"), 2, "invalid choice: 'xml'"),
        (("check", "race.rules"), 0, "race.rules: no errors"),
        (("check", "broken.rules"), 1, "there is no action `jump`"),
        (("simulate", "broken.rules", "--games", "1"), 1, "there is no action `jump`"),
        (("simulate", "race.rules"), 2, "--games"),
        (("simulate", "--help"), 0, "--bots"),
        (("test", "broken.rules"), 1, "there is no action `jump`"),
        (("test", "race.rules", "--games", "0"), 2, "`--games 0`: it must be 1 or more"),
        (("test", "twins.rules", "--games", "1"), 0, "twins.rules has no scenarios"),
        (("test", "race.rules", "--games", "3"), 0, "3 passed, 0 failed"),
        (("test", "race.rules", "--no-games"), 0, "1 passed, 0 failed"),
        (("test", "twins.rules", "--no-games"), 0, "0 passed, 0 failed"),
        (("test", "race.rules", "--no-games", "--games", "2"), 2, "not allowed with"),
        (("test", "race.rules", "--only", "nothing"), 2, "there is no scenario `nothing`"),
        (("test", "bad_invariant.rules"), 1, "invariant `dry` does not hold"),
        (("test", "bad_invariant.rules"), 1, "0 passed, 1 failed"),
        (("test", "scenes.rules", "--no-games"), 1, "1 passed, 1 failed"),
        (("test", "scenes.rules", "--no-games"), 1, 'error[E1000]: scenario BAD "one point too many"'),
        (("test", "scenes.rules", "--no-games"), 1, "19 |   then Ann.points is 3"),
        (("test", "scenes.rules", "--only", "GOOD"), 0, "1 passed, 0 failed"),
        (("test", "scenes.rules", "race.rules", "--games", "2"), 1, "5 passed, 1 failed"),
        (("replay", "no-such-file"), 2, "cannot be read"),
        (("replay", "--help"), 0, "--check"),
    ],
)
def test_exit_codes_and_messages(run: Any, words: tuple[str, ...], code: int, text: str) -> None:
    answer = run(*words)
    assert answer.code == code
    assert text in answer.out + answer.err
    assert "Traceback" not in answer.out + answer.err


def test_every_command_is_in_the_help(run: Any) -> None:
    out = run("--help").out
    for name, (_, summary) in command_line.COMMANDS.items():
        assert f"    {name}" in out
        assert summary in out


def test_failures_go_to_stderr_in_one_voice(run: Any) -> None:
    answer = run("check", "no-such-file")
    assert answer.out == ""
    assert answer.err.startswith("regelwerk: ")


def test_an_unexpected_exception_is_one_line(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(args: object) -> int:
        raise KeyError("a thing")

    monkeypatch.delenv("REGELWERK_DEBUG", raising=False)
    monkeypatch.setattr(check, "run", fail)
    answer = run("check", "a file")
    assert answer.code == 3
    assert answer.err.count("\n") == 1
    assert "please report it with the command: regelwerk check 'a file'" in answer.err
    monkeypatch.setenv("REGELWERK_DEBUG", "1")
    with pytest.raises(KeyError):
        command_line.main(["check", "a file"])


def test_an_interruption(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(args: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(check, "run", fail)
    answer = run("check", "a file")
    assert (answer.code, answer.err) == (130, "regelwerk: interrupted\n")


def test_a_reader_that_has_gone(games: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    environment = {**os.environ, "PYTHONPATH": str(Path(regelwerk.__file__).parent.parent)}
    command = [sys.executable, "-m", "regelwerk", "check", str(games / "broken.rules")]
    process = subprocess.Popen(command, env=environment, stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (141, b"")


def test_check_imports_nothing_it_does_not_need(games: Path) -> None:
    script = (
        "import sys; from regelwerk.tools.command_line import main; code = main(['check', sys.argv[1]])\n"
        "print(*sorted({name.partition('.')[0] for name in sys.modules})); raise SystemExit(code)"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(regelwerk.__file__).parent.parent)}
    command = [sys.executable, "-c", script, str(games / "race.rules")]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    loaded = set(done.stdout.splitlines()[-1].split())
    assert loaded.isdisjoint({"rich", "wasmtime", "jsonschema", "graphviz", "concurrent", "multiprocessing"})
