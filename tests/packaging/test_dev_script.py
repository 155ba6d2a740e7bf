"""`tools/dev.py`: what it says before anything is installed."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "tools" / "dev.py"


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-S", str(SCRIPT), *arguments], capture_output=True, text=True, check=False)


def test_help_names_every_command() -> None:
    answer = _run("--help")
    assert answer.returncode == 0
    assert all(f"dev.py {command}" in answer.stdout for command in ("test", "setup", "run"))


@pytest.mark.parametrize("arguments", [["tset"], ["setup", "now"]])
def test_what_it_cannot_do_is_said(arguments: list[str]) -> None:
    answer = _run(*arguments)
    assert answer.returncode == 2
    assert " ".join(arguments) in answer.stderr


def test_an_old_python_can_read_it_up_to_the_message() -> None:
    ast.parse(SCRIPT.read_text(encoding="utf-8"), feature_version=(3, 7))


def test_only_the_standard_library_is_imported() -> None:
    tree = ast.parse(SCRIPT.read_text(encoding="utf-8"))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in imported} <= sys.stdlib_module_names
