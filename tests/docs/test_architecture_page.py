"""The page for whoever takes the project over: its paths and names exist, and its worked example works.

Names in backticks must stand in one of the files that the same row or paragraph names; the `diff` blocks are made in a
copy of the repository, where the scenario at their end must hold.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "architecture.md"
TEXT = PAGE.read_text(encoding="utf-8") if PAGE.is_file() else ""
FENCED = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PATH = re.compile(r"[\w.]+(?:/[\w.]+)*/?")
NAME = re.compile(r"[A-Za-z_]\w*")
LANGUAGE = {"tools", "interpreter", "dsl", "first", "explain", "check", "may", "or", "sign", "run"}
"""Words in backticks that are no names of the sources, or of every one."""

pytestmark = pytest.mark.skipif(not (ROOT / ".pkg").is_dir(), reason="not a checkout")


def pieces() -> list[str]:
    """The paragraphs, list items and rows of the page, without its blocks."""
    plain = FENCED.sub("", TEXT)
    return [each for each in re.split(r"\n\s*\n|\n(?=\||- |\d\. )", plain) if "`" in each]


def quoted(piece: str) -> list[str]:
    return re.findall(r"`([^`\n]+)`", piece)


def is_path(word: str) -> bool:
    return bool(PATH.fullmatch(word)) and ("/" in word or word.endswith((".lark", ".md")))


@cache
def content(path: Path) -> str:
    files = sorted(path.glob("*.py")) if path.is_dir() else [path]
    return "\n".join(each.read_text(encoding="utf-8") for each in files)


def test_every_path_exists() -> None:
    paths = [word for piece in pieces() for word in quoted(piece) if is_path(word)]
    assert len(paths) > 60
    assert [path for path in paths if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("piece", pieces(), ids=lambda piece: piece[:40])
def test_names_stand_in_the_files_named_beside_them(piece: str) -> None:
    words = quoted(piece)
    paths = [ROOT / word for word in words if is_path(word)]
    names = [word for word in words if NAME.fullmatch(word) and word not in LANGUAGE]
    if paths:
        lost = [name for name in names if not any(re.search(rf"\b{name}\b", content(path)) for path in paths)]
        assert lost == []


def test_the_parts_of_the_package_are_all_there() -> None:
    folders = {each.relative_to(ROOT).as_posix() for each in (ROOT / "dsl").iterdir() if each.is_dir()}
    mentioned = {word.rstrip("/") for piece in pieces() for word in quoted(piece)}
    covered = {folder for folder in folders if any(word.startswith(folder) for word in mentioned)}
    assert {each for each in folders if "__pycache__" not in each} - covered == set()


# -------------------------------------------------------------------------------------------------- the worked example
def change(path: Path, block: str) -> None:
    """Make one `diff` block: what stands there without its `+` lines is replaced by what stands there without `-`."""
    lines = block.rstrip("\n").split("\n")
    old = "\n".join(line[1:] for line in lines if line[:1] in (" ", "-"))
    new = "\n".join(line[1:] for line in lines if line[:1] in (" ", "+"))
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{path.name}: this is not there once:\n{old}"
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.slow
def test_the_worked_example_works(tmp_path: Path) -> None:
    for name in ("dsl", "interpreter", "tools", ".pkg"):
        shutil.copytree(ROOT / name, tmp_path / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("grammar.lark", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path / name)
    blocks = FENCED.findall(TEXT)
    diffs = [(path, block) for kind, path, block in blocks if kind == "diff"]
    assert {Path(path).parts[0] for path, _ in diffs} == {"grammar.lark", "dsl", "interpreter"}
    for path, block in diffs:
        change(tmp_path / path, block)
    (rules,) = [block for kind, _, block in blocks if kind == "text"]
    (tmp_path / "signs.rules").write_text(rules, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / ".pkg"), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    command = [sys.executable, "-P", "-m", "regelwerk", "test", "signs.rules", "--no-games"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stdout) == (0, "1 passed, 0 failed\n"), done.stdout + done.stderr
    wrong = rules.replace("sign 7 is 1", "sign 7 is 0")
    (tmp_path / "signs.rules").write_text(wrong, encoding="utf-8")
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 1, "a scenario that does not hold must fail"


# --------------------------------------------------------------------------------------------------------- the picture
def picture_script() -> ModuleType:
    path = ROOT / "docs" / "images" / "make_architecture_picture.py"
    spec = importlib.util.spec_from_file_location("make_architecture_picture", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_picture_is_fresh() -> None:
    drawn = (ROOT / "docs" / "images" / "architecture.svg").read_text(encoding="utf-8")
    digest = hashlib.sha256(picture_script().dot().encode()).hexdigest()[:16]
    assert f"<!-- made from {digest} -->" in drawn, "run python docs/images/make_architecture_picture.py"


def test_the_picture_names_what_exists() -> None:
    paths = re.findall(r"(?:dsl|interpreter|tools)/[\w/.]+|grammar\.lark", picture_script().dot())
    assert len(paths) > 8
    assert [path for path in paths if not (ROOT / path).exists()] == []
