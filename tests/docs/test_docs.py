"""The documentation is true: its examples run, its rules check, its commands give what is shown, its links lead
somewhere.

What a fenced block says after its backticks decides what is done with it.

    rules               checked; must give no findings. A block without `edition` stands behind
    `docs/examples/market.rules`
    rules error E0330   must give exactly these codes
    rules name.rules    the same text stands in `docs/examples/name.rules`
    rules start name.rules      this is a new file of the page; such a page grows its files in a folder of its own,
                                and at its end they are the same as those in `docs/examples`
    rules add name.rules        an empty line and this text are added to its end
    python              run; the blocks of a page are one script. `# => x` behind an expression: its value is written so
    sh                  README, and pages that grow files: every line that begins with `regelwerk` is run, for README
                        from a copy of the repository's examples
    sh exit 1           ... and must end with this exit code
    sh typed 3 ? quit   ... played by somebody who has the first seat and types these words, one a line
    diff name.rules     its `-` lines are replaced by its `+` lines in a file of that folder; other lines are context
    text                behind `python` or `sh`: what was printed; a line `...` stands for any number of lines
"""

from __future__ import annotations

import ast
import importlib.util
import io
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

from regelwerk.dsl.diagnostics import render
from regelwerk.dsl.source import Source
from regelwerk.interpreter.loading import check_source
from regelwerk.interpreter.scenarios import run_scenarios

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "docs" / "examples"
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
NAMES = [page.relative_to(ROOT).as_posix() for page in PAGES]
LINKED = [*PAGES, *sorted((ROOT / "docs" / "errors").glob("*.md"))]  # the examples of these are in the catalogue

FENCE = re.compile(r"^(`{3,})(.*)$")
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
RESULT = re.compile(r"#\s*=>\s*(.*?)\s*$")
CODE = re.compile(r"[EW]\d{4}")

pytestmark = pytest.mark.skipif(not (ROOT / "docs").is_dir(), reason="no documentation here")


@dataclass(frozen=True)
class Block:
    """A fenced block: its words, its text, the line of its first line."""

    words: tuple[str, ...]
    text: str
    line: int

    @property
    def kind(self) -> str:
        return self.words[0] if self.words else ""


def blocks(page: Path) -> list[Block]:
    found: list[Block] = []
    fence, words, start, lines = "", (), 0, list[str]()
    for number, line in enumerate(page.read_text(encoding="utf-8").split("\n"), 1):
        match = FENCE.match(line)
        if not fence and match is not None:
            fence, words, start, lines = match.group(1), tuple(match.group(2).split()), number + 1, []
        elif fence and line == fence:
            found.append(Block(words, "".join(f"{each}\n" for each in lines), start))
            fence = ""
        elif fence:
            lines.append(line)
    assert not fence, f"{page.name}:{start}: this block is never closed"
    return found


def prose(page: Path) -> str:
    """A page without its blocks, and without what stands between backticks."""
    text = re.sub(r"^(`{3,}).*?^\1$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]+`", "", text)


def followed(found: list[Block]) -> Iterator[tuple[Block, str | None]]:
    """Each block, with the `text` block behind it."""
    for block, after in zip(found, [*found[1:], None], strict=True):
        near = after is not None and after.kind == "text" and after.line - (block.line + block.text.count("\n")) <= 3
        yield block, after.text if after is not None and near else None


def same(shown: str, printed: str) -> bool:
    """Whether this was printed; a line `...` stands for any number of lines, blanks at line ends count for nothing."""
    parts = ["".join(f"{line.rstrip()}\n" for line in printed.rstrip().split("\n"))]
    pattern = "".join(
        r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line.rstrip()) + r"\n"
        for line in shown.rstrip().split("\n")
    )
    return re.fullmatch(pattern, parts[0]) is not None


def grows(block: Block) -> bool:
    """Whether a block is a part of a file that grows on its page."""
    return block.kind == "rules" and block.words[1:2] in (("start",), ("add",))


def rules_blocks() -> list[tuple[str, Block]]:
    return [
        (name, block)
        for page, name in zip(PAGES, NAMES, strict=True)
        for block in blocks(page)
        if block.kind == "rules" and not grows(block)
    ]


# -------------------------------------------------------------------------------------------------------------- rules
@pytest.mark.parametrize(("name", "block"), rules_blocks(), ids=[f"{n}-{b.line}" for n, b in rules_blocks()])
def test_rules(name: str, block: Block) -> None:
    fragment = not block.text.startswith("edition")
    text = (EXAMPLES / "market.rules").read_text(encoding="utf-8") + "\n" + block.text if fragment else block.text
    checked = check_source(Source(str(EXAMPLES / "example.rules"), text))
    codes = sorted({each.code for each in checked.diagnostics})
    shown = "\n\n".join(render(each, checked.sources) for each in checked.diagnostics)
    wanted = sorted({word for word in block.words[1:] if CODE.fullmatch(word)})
    assert codes == wanted, f"{name}:{block.line}\n{shown}"
    for word in block.words[1:]:
        if word.endswith(".rules"):
            assert (EXAMPLES / word).read_text(encoding="utf-8") == block.text, f"{name}:{block.line}: not as in {word}"
    if checked.game is not None:
        for result in run_scenarios(checked, None):
            assert result.passed, f"{name}:{block.line}: scenario {result.name}: {result.message} {result.detail}"


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.rules")), ids=lambda path: path.stem)
def test_examples(path: Path) -> None:
    checked = check_source(Source(str(path), path.read_text(encoding="utf-8")))
    assert checked.diagnostics == (), "\n".join(render(each, checked.sources) for each in checked.diagnostics)


# ------------------------------------------------------------------------------------------------------------- python
@pytest.mark.parametrize(
    "name", [n for p, n in zip(PAGES, NAMES, strict=True) if any(b.kind == "python" for b in blocks(p))]
)
def test_python(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if any(block.kind == "python" and "import numpy" in block.text for block in blocks(ROOT / name)):
        pytest.importorskip("numpy", reason="NumPy is not installed (the extra `batch`)")
    shutil.copytree(EXAMPLES, tmp_path / "docs" / "examples")
    monkeypatch.chdir(tmp_path)
    space: dict[str, object] = {"__name__": "__docs__"}
    for block, shown in followed(blocks(ROOT / name)):
        if block.kind != "python":
            continue
        output = io.StringIO()
        with redirect_stdout(output):
            run_python(block, name, space)
        if shown is not None:
            assert same(shown, output.getvalue()), f"{name}:{block.line} prints:\n{output.getvalue()}"
        else:
            assert output.getvalue() == "", f"{name}:{block.line} prints:\n{output.getvalue()}"


def run_python(block: Block, name: str, space: dict[str, object]) -> None:
    lines = block.text.split("\n")
    for node in ast.parse(block.text).body:
        place = f"{name}:{block.line + node.lineno - 1}"
        match = RESULT.search(lines[(node.end_lineno or node.lineno) - 1])
        if isinstance(node, ast.Expr):
            value = eval(compile(ast.Expression(node.value), place, "eval"), space)
            assert match is None or repr(value) == match.group(1), f"{place} gives {value!r}"
        else:
            assert match is None, f"{place}: only an expression has a value"
            exec(compile(ast.Module([node], []), place, "exec"), space)


# -------------------------------------------------------------------------------------------------------------- shell
GROWING = [name for page, name in zip(PAGES, NAMES, strict=True) if any(grows(block) for block in blocks(page))]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["README.md", *GROWING])
def test_commands(name: str, tmp_path: Path) -> None:
    if name not in GROWING:
        shutil.copytree(EXAMPLES, tmp_path / "docs" / "examples")
        shutil.copytree(ROOT / "games", tmp_path / "games")
    grown: set[str] = set()
    for block, shown in followed(blocks(ROOT / name)):
        if grows(block):
            grown.add(block.words[2])
            grow(tmp_path / block.words[2], block)
        elif block.kind == "diff":
            edit(tmp_path / block.words[1], block, name)
        elif block.kind == "sh":
            run_shell(block, shown, tmp_path, name)
    for each in sorted(grown):
        assert (tmp_path / each).read_text(encoding="utf-8") == (EXAMPLES / each).read_text(encoding="utf-8"), each


def test_a_page_grows_its_files() -> None:
    assert GROWING == ["docs/tutorial.md", "docs/variants.md"]


def grow(path: Path, block: Block) -> None:
    before = "" if block.words[1] == "start" else path.read_text(encoding="utf-8") + "\n"
    path.write_text(before + block.text, encoding="utf-8")


def edit(path: Path, block: Block, page: str) -> None:
    text = path.read_text(encoding="utf-8")
    lines = block.text.rstrip("\n").split("\n")
    old = "".join(f"{line[1:]}\n" for line in lines if not line.startswith("+"))
    new = "".join(f"{line[1:]}\n" for line in lines if not line.startswith("-"))
    assert text.count(old) == 1, f"{page}:{block.line}: this is not in {path.name} once"
    path.write_text(text.replace(old, new), encoding="utf-8")


def run_shell(block: Block, shown: str | None, folder: Path, page: str) -> None:
    wanted = int(block.words[2]) if block.words[1:2] == ("exit",) else 0
    typed = block.words[2:] if block.words[1:2] == ("typed",) else None
    printed = ""
    for line in block.text.split("\n"):
        words = line.partition("  #")[0].split()
        if words[:1] == ["cp"]:
            shutil.copy(folder / words[1], folder / words[2])
        if words[:1] != ["regelwerk"]:
            continue
        command = [sys.executable, "-P", "-m", *words]
        if typed is not None:
            command += ["--seat", "1=human"]
        done = subprocess.run(
            command,
            cwd=folder,
            capture_output=True,
            encoding="utf-8",
            input="".join(f"{word}\n" for word in typed or ()),
            env=environment(),
        )
        assert done.returncode == wanted, f"{page}:{block.line}: `{line}` ends with {done.returncode}\n{done.stderr}"
        printed += done.stdout
    if shown is not None:
        assert same(shown, printed), f"{page}:{block.line} prints:\n{printed}"


def environment() -> dict[str, str]:
    paths = [str(ROOT / ".pkg") if (ROOT / ".pkg").is_dir() else "", os.environ.get("PYTHONPATH", "")]
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        "PYTHONIOENCODING": "utf-8",
        "COLUMNS": "100",
    }


# ---------------------------------------------------------------------------------------------------- links and tables
def slug(heading: str) -> str:
    """The anchor of a heading, as the usual viewers of Markdown make it."""
    plain = re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")


def anchors(page: Path) -> set[str]:
    text = re.sub(r"^(`{3,}).*?^\1$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return {slug(line.lstrip("#")) for line in text.split("\n") if re.match(r"#+ ", line)}


@pytest.mark.parametrize("page", LINKED, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links(page: Path) -> None:
    broken = []
    for target in LINK.findall(prose(page)):
        if re.match(r"[a-z]+:", target):
            continue
        place, _, anchor = target.partition("#")
        path = (page.parent / place).resolve() if place else page
        if not path.exists() or (anchor and anchor not in anchors(path)):
            broken.append(target)
    assert broken == []


def error_table() -> ModuleType:
    path = ROOT / "docs" / "make_error_table.py"
    spec = importlib.util.spec_from_file_location("make_error_table", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_the_pages_of_errors_are_fresh() -> None:
    pages: dict[str, str] = error_table().all_pages(ROOT)
    for name, text in pages.items():
        path = ROOT / "docs" / name
        assert path.is_file(), "run python docs/make_error_table.py"
        assert path.read_text(encoding="utf-8") == text, f"{name}: run python docs/make_error_table.py"
    there = {f"errors/{path.name}" for path in (ROOT / "docs" / "errors").glob("*.md")}
    assert there == pages.keys() - {"errors.md"}


def test_a_page_is_begun_for_a_new_code(tmp_path: Path) -> None:
    for folder in ("dsl/catalogue", "interpreter", "tools", "tests/dsl/errors"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "dsl" / "parse_errors.py").write_text("", encoding="utf-8")
    (tmp_path / "dsl" / "new.py").write_text(
        'def f(found, what):\n    found.error("E0999", f"{what} is new", None, "make it old")\n', encoding="utf-8"
    )
    (tmp_path / "tests" / "dsl" / "errors" / "new.rules").write_text(
        "value x = nwe   //! E0203 E0999\n---\nvalue x = new  //! E0999\n", encoding="utf-8"
    )
    script = error_table()
    text = script.begin(tmp_path, "E0999").read_text(encoding="utf-8")
    assert "# E0999 TODO" in text
    assert "\n> … is new\n" in text
    assert "make it old" in text
    assert "```rules\nvalue x = new\n```" in text
    with pytest.raises(SystemExit, match="is there already"):
        script.begin(tmp_path, "E0999")
    with pytest.raises(SystemExit, match="no source says"):
        script.begin(tmp_path, "E0998")
