"""The rules of the house: which way imports go, how long a module may be, and what must not be named where."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import regelwerk

ROOT = Path(__file__).resolve().parents[1]
LAYERS = ("dsl", "interpreter", "tools")  # each may import itself and what stands before it
LONGEST = 700
SCRIPT = ROOT / "tools" / "dev.py"  # not part of the package: runs before anything is installed
GAMES = re.compile(
    r"vienna|venedig|s(ae|ä)ulen|grand[ _-]?austria|catan|tic[ _-]?tac|connect[ _-]?four|crazy[ _-]?eights",
    re.IGNORECASE,
)
PACKAGE_HOSTS = [  # in pieces, so that this file does not name them either
    ".".join(parts)
    for parts in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("pypi", "python", "org"),
        ("registry", "npmjs", "org"),
        ("npmjs", "com"),
        ("registry", "yarnpkg", "com"),
        ("crates", "io"),
        ("proxy", "golang", "org"),
        ("rubygems", "org"),
        ("anaconda", "org"),
        ("ghcr", "io"),
        ("docker", "io"),
    )
]

checkout = pytest.mark.skipif(not (ROOT / ".pkg").is_dir(), reason="not a checkout")


def _modules() -> list[Path]:
    return sorted(path for layer in LAYERS for path in (ROOT / layer).rglob("*.py"))


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _imports(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line and full dotted name of everything a module imports, wherever in it."""
    package = ["regelwerk", *path.relative_to(ROOT).parent.parts]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            source = ".".join([*above, *([node.module] if node.module else [])])
            if source == "regelwerk" or not node.module:  # `from regelwerk import dsl`, `from .. import dsl`
                yield from ((node.lineno, f"{source}.{alias.name}") for alias in node.names)
            else:
                yield node.lineno, source


def _wrong_imports(path: Path) -> list[str]:
    layer = path.relative_to(ROOT).parts[0]
    allowed = LAYERS[: LAYERS.index(layer) + 1]
    wrong = []
    for line, imported in _imports(path):
        head, _, rest = imported.partition(".")
        target = rest.partition(".")[0]
        if head in LAYERS or head in ("games", "tests"):
            wrong.append(f"{_name(path)}:{line}: import it as regelwerk.{imported}")
        elif head == "regelwerk" and target in LAYERS and target not in allowed:
            wrong.append(f"{_name(path)}:{line}: {layer} must not import {target} ({imported})")
    return wrong


def _kept_files() -> list[Path]:
    """Return the files git keeps or would keep; without git, all but hidden folders."""
    try:
        listing = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            check=True,
            encoding="utf-8",
        ).stdout
        paths = [ROOT / name for name in listing.split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        paths = [path for path in ROOT.rglob("*") if not any(p.startswith(".") for p in path.relative_to(ROOT).parts)]
    return [path for path in paths if path.is_file() and not path.is_symlink()]


def test_imports_go_one_way() -> None:
    assert [line for path in _modules() if path != SCRIPT for line in _wrong_imports(path)] == []


@pytest.mark.parametrize(
    ("home", "text", "wrong"),
    [
        ("dsl/a.py", "import regelwerk.interpreter.api", True),
        ("dsl/a.py", "from regelwerk.tools.commands import play", True),
        ("dsl/a/b.py", "from ...interpreter import api", True),
        ("dsl/a.py", "from regelwerk import interpreter", True),
        ("dsl/a.py", "def f():\n    from .. import tools", True),
        ("interpreter/a.py", "from dsl import parse", True),
        ("interpreter/a.py", "from regelwerk.dsl import parse\nimport json", False),
        ("tools/a.py", "from ..interpreter import api\nfrom . import b", False),
        ("dsl/a/b.py", "from .c import d\nfrom ..source import Span", False),
    ],
)
def test_wrong_imports_are_found(
    home: str, text: str, wrong: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    module = tmp_path / home
    module.parent.mkdir(parents=True)
    module.write_text(text, encoding="utf-8")
    assert bool(_wrong_imports(module)) is wrong


def test_no_module_is_too_long() -> None:
    lengths = {_name(path): len(path.read_text(encoding="utf-8").splitlines()) for path in _modules()}
    assert {name: length for name, length in lengths.items() if length > LONGEST} == {}


def test_no_game_is_named_in_the_engine() -> None:
    named = [
        f"{_name(path)}:{number}: {line.strip()}"
        for path in _modules()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if GAMES.search(f"{path.stem} {line}")
    ]
    assert named == []


def test_no_file_names_a_package_host() -> None:
    hosts = re.compile("|".join(re.escape(host) for host in PACKAGE_HOSTS).encode(), re.IGNORECASE)
    assert [_name(path) for path in _kept_files() if hosts.search(path.read_bytes())] == []


@checkout
@pytest.mark.parametrize("name", LAYERS)
def test_links_for_type_checkers(name: str) -> None:
    """Without its links (a checkout without symbolic links) mypy would check next to nothing, and say nothing."""
    assert (ROOT / ".pkg" / "regelwerk" / name).samefile(ROOT / name)


@checkout
def test_the_checkout_is_what_is_tested() -> None:
    assert Path(next(iter(regelwerk.__path__))) == ROOT


def test_version_is_said_once() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == regelwerk.__version__


def test_importing_the_package_is_cheap() -> None:
    script = (
        "import sys; sys.path.insert(0, sys.argv[1]); before = set(sys.modules); import regelwerk\n"
        "print(*sorted({name.partition('.')[0] for name in set(sys.modules) - before}))\n"
        "assert set(regelwerk.__all__) <= set(dir(regelwerk))"
    )
    command = [sys.executable, "-I", "-c", script, str(ROOT / ".pkg")]
    loaded = set(subprocess.run(command, capture_output=True, check=True, text=True).stdout.split())
    assert loaded.isdisjoint({"lark", "pydantic", "pydantic_core", "rich", "wasmtime", "jsonschema", "graphviz"})


def test_a_name_that_is_not_exported() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'lod'"):
        _ = getattr(regelwerk, "lod")  # noqa: B009 - type checkers refuse the plain spelling


@pytest.mark.parametrize("name", regelwerk.__all__)
def test_exported_names_are_there(name: str) -> None:
    assert getattr(regelwerk, name) is vars(regelwerk)[name]
