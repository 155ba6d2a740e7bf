"""What is shipped: the sdist, the wheel made from it, and that wheel in an environment of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import venv
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PINS = ROOT / "tools" / "pins.txt"
OWN = "regelwerk"
FOLDERS = ("dsl", "interpreter", "tools", "games")
NOT_SHIPPED = {"tools/dev.py", "tools/pins.txt"}

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("wheel"),
    pytest.mark.skipif(not (ROOT / ".pkg").is_dir(), reason="not a checkout"),
]


@dataclass(frozen=True)
class Shipped:
    """The two archives, and an environment that holds nothing but the wheel and what it needs."""

    sdist: Path
    wheel: Path
    environment: Path
    elsewhere: Path

    def command(self, name: str) -> str:
        """Return the path of a command of the environment."""
        return str(_command(self.environment, name))

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a command in a folder that has nothing to do with the checkout."""
        return _run(command, self.elsewhere)


def _command(environment: Path, name: str) -> Path:
    return environment / ("Scripts" if os.name == "nt" else "bin") / (f"{name}.exe" if os.name == "nt" else name)


def _run(command: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    strange = ("PYTHON", "VIRTUAL_ENV", "COV_", "PYTEST_")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(strange)}
    environment["PYTHONUTF8"] = "1"
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8", check=False
    )


def _must(command: Sequence[str], folder: Path) -> str:
    answer = _run(command, folder)
    assert answer.returncode == 0, f"{' '.join(command)}\n{answer.stdout}\n{answer.stderr}"
    return answer.stdout


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Shipped:
    folder = tmp_path_factory.mktemp("shipped")
    environment, archives, elsewhere = folder / "environment", folder / "archives", folder / "elsewhere"
    elsewhere.mkdir()
    venv.create(environment, with_pip=True, symlinks=os.name != "nt")
    python = str(_command(environment, "python"))
    pip = [python, "-m", "pip", "--disable-pip-version-check", "-q"]

    backend = re.search(r'requires = \["([^"]+)"\]', (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert backend is not None
    probe = _run([*pip, "download", "--no-deps", "--retries", "2", "-d", str(folder), backend[1]], folder)
    if probe.returncode:
        pytest.skip(f"no package index is reachable: {probe.stderr.strip().splitlines()[-1]}")

    # Asked for neither, `build` makes the sdist, unpacks it and makes the wheel from that.
    _must([sys.executable, "-P", "-m", "build", "--outdir", str(archives), str(ROOT)], folder)
    (sdist,) = archives.glob("*.tar.gz")
    (wheel,) = archives.glob("*.whl")
    _must([*pip, "install", "-c", str(PINS), str(wheel)], folder)
    return Shipped(sdist, wheel, environment, elsewhere)


def _expected() -> set[str]:
    """Return the names in the wheel that stand for files of the checkout."""
    files = {
        path.relative_to(ROOT).as_posix()
        for folder in FOLDERS
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".pyc"
    }
    files = (files - NOT_SHIPPED) | {"grammar.lark", "__init__.py", "__main__.py", "batch.py", "py.typed"}
    return {f"{OWN}/{name}" for name in files}


def test_the_wheel_holds_each_file_once_under_one_name(shipped: Shipped) -> None:
    with zipfile.ZipFile(shipped.wheel) as archive:
        names = archive.namelist()
    assert len(names) == len(set(names))
    assert {name for name in names if ".dist-info/" not in name} == _expected()


def test_the_data_files_are_in_the_wheel(shipped: Shipped) -> None:
    with zipfile.ZipFile(shipped.wheel) as archive:
        names = set(archive.namelist())
        grammar = archive.read(f"{OWN}/grammar.lark")
    assert grammar == (ROOT / "grammar.lark").read_bytes()
    assert any(re.fullmatch(rf"{OWN}/dsl/std/\w+\.rules", name) for name in names)
    assert f"{OWN}/games/vienna/vienna.rules" in names
    assert f"{OWN}/py.typed" in names


def test_the_metadata_are_right(shipped: Shipped) -> None:
    with zipfile.ZipFile(shipped.wheel) as archive:
        (place,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        lines = archive.read(place).decode("utf-8").splitlines()
        assert any(name.endswith(".dist-info/licenses/LICENSE") for name in archive.namelist())
    needs = {line.split()[1].partition("<")[0].partition(">")[0] for line in lines if line.startswith("Requires-Dist:")}
    assert needs == {"lark", "pydantic", "jsonschema", "graphviz", "graphviz-pure", "numpy", "wasmtime", "rich"}
    assert "License-Expression: Apache-2.0" in lines
    assert "Requires-Python: >=3.11" in lines


def test_the_sdist_holds_what_a_checkout_needs(shipped: Shipped) -> None:
    with tarfile.open(shipped.sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"pyproject.toml", "grammar.lark", "LICENSE", "README.md", "tools/dev.py", "tools/pins.txt"} <= names
    assert {"tests/test_architecture.py", ".pkg/regelwerk/__init__.py"} <= names
    assert not any(name.startswith((".venv", ".pkg/regelwerk/dsl")) for name in names)


def test_one_name_is_installed(shipped: Shipped) -> None:
    script = (
        "import importlib.metadata as m\n"
        "print(*sorted({f.parts[0] for f in m.files('regelwerk') if not f.parts[0].endswith(('..', '.dist-info'))}))"
    )
    assert _must([shipped.command("python"), "-I", "-c", script], shipped.elsewhere).split() == [OWN]


def test_the_environment_is_sound(shipped: Shipped) -> None:
    _must([shipped.command("python"), "-m", "pip", "check"], shipped.elsewhere)


def test_the_installed_package_is_found_in_its_place(shipped: Shipped) -> None:
    script = "import regelwerk; print(*regelwerk.__path__)"
    place = Path(_must([shipped.command("python"), "-c", script], shipped.elsewhere).strip())
    assert place.is_relative_to(shipped.environment)
    assert (place / "grammar.lark").is_file()


@pytest.mark.parametrize("command", [["regelwerk"], ["python", "-m", "regelwerk"]])
def test_the_command_runs_anywhere(shipped: Shipped, command: list[str]) -> None:
    answer = shipped.run(shipped.command(command[0]), *command[1:], "--help")
    assert answer.returncode == 0, answer.stderr
    assert all(word in answer.stdout for word in ("check", "play", "simulate"))


def test_a_shipped_game_is_checked_by_its_name(shipped: Shipped) -> None:
    answer = shipped.run(shipped.command("regelwerk"), "check", "vienna")
    assert answer.returncode == 0, answer.stdout + answer.stderr
