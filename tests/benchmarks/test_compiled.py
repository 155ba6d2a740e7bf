"""The benchmarks of compiled games run, and print a table with each game."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "benchmarks" / "compiled.py"

pytestmark = pytest.mark.slow
pytest.importorskip("wasmtime", reason="wasmtime is not installed")


def run(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), *words]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)


@pytest.mark.parametrize("part", ["play", "batch", "clone", "start"])
def test_a_part_prints_a_row(part: str) -> None:
    if part == "batch" and importlib.util.find_spec("numpy") is None:
        pytest.skip("NumPy is not installed (the extra `batch`)")
    done = run(part, "--games", "tic_tac_toe", "--rounds", "1", "--seconds", "0.05")
    assert done.returncode == 0, done.stderr
    rows = [line for line in done.stdout.splitlines() if line.startswith(("| Tic-Tac-Toe", "| tic_tac_toe"))]
    assert rows
    for row in rows:
        figures = [cell.strip() for cell in row.strip("|").split("|")][1:]
        assert all(figures), row
        assert "compiled" not in row, row


def test_growth_prints_a_row_for_each_size() -> None:
    done = run("growth", "--lines", "60", "--rounds", "1")
    assert done.returncode == 0, done.stderr
    assert [line.rstrip(" |").rsplit(" ", 1)[-1] for line in done.stdout.splitlines() if " for " in line] == [
        "1",
        "5",
        "20",
    ]


def test_an_unknown_part_is_refused() -> None:
    done = run("speed")
    assert done.returncode == 2
    assert "there is no part `speed`" in done.stderr
