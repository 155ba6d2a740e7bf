"""`fmt`: what it writes, says and leaves alone; that all shipped files are in its style."""

from __future__ import annotations

import io
import os
import re
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEAD = 'edition 1\ngame g "G" { players 2..2 }\n'
BEFORE = f"{HEAD}const  a=1 // one\n"
AFTER = f"{HEAD}const a = 1  // one\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "g.rules"
    path.write_text(BEFORE, encoding="utf-8")
    return path


def shipped() -> list[str]:
    folders = ("games", "dsl/std", "dsl/catalogue", "docs/examples")
    return [str(path) for folder in folders for path in sorted((ROOT / folder).rglob("*.rules"))]


def test_all_shipped_files_are_in_the_style(run: Any) -> None:
    assert len(shipped()) > 30
    answer = run("fmt", "--check", *shipped())
    assert answer.code == 0, answer.out + "\nregelwerk fmt FILE... puts them right"


def test_the_example_of_the_documentation(run: Any, tmp_path: Path) -> None:
    page = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    _, _, section = page.partition("## One style\n")
    before, after = re.findall(r"^```(?:text|rules)\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)[:2]
    path = tmp_path / "g.rules"
    path.write_text(HEAD + before, encoding="utf-8")
    assert run("fmt", str(path)).code == 0
    assert path.read_text(encoding="utf-8") == HEAD + after


def test_a_file_is_written(run: Any, file: Path) -> None:
    file.chmod(0o640)
    answer = run("fmt", str(file))
    assert (answer.code, answer.err) == (0, "")
    assert answer.out == f"formatted {file}\n1 file formatted\n"
    assert file.read_text(encoding="utf-8") == AFTER
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert [each.name for each in file.parent.iterdir()] == ["g.rules"]
    assert run("fmt", str(file)).out == "1 file in the style already\n"


def test_a_file_in_the_style_is_not_touched(run: Any, file: Path) -> None:
    file.write_text(AFTER, encoding="utf-8")
    os.utime(file, (1, 1))
    assert run("fmt", str(file)).code == 0
    assert file.stat().st_mtime == 1


def test_check_names_files_and_writes_nothing(run: Any, file: Path, tmp_path: Path) -> None:
    good = tmp_path / "good.rules"
    good.write_text(AFTER, encoding="utf-8")
    answer = run("fmt", "--check", str(file), str(good), str(file))
    assert answer.code == 1
    assert answer.out == f"not in the style: {file}\n1 file would change, 1 file in the style already\n"
    assert file.read_text(encoding="utf-8") == BEFORE
    assert run("fmt", "--check", str(good)).code == 0


def test_diff_writes_nothing(run: Any, file: Path) -> None:
    answer = run("fmt", "--diff", str(file))
    assert answer.code == 0
    assert answer.out.splitlines()[2:] == [
        "@@ -1,4 +1,4 @@",
        " edition 1",
        ' game g "G" { players 2..2 }',
        "-const  a=1 // one",
        "+const a = 1  // one",
        " ",
    ]
    assert file.read_text(encoding="utf-8") == BEFORE
    assert run("fmt", "--diff", "--check", str(file)).code == 1


def test_errors_are_told_and_other_files_written(run: Any, file: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.rules"
    bad.write_text(BEFORE + "effect a { giv 1 coin }\n", encoding="utf-8")
    answer = run("fmt", str(bad), str(file))
    assert answer.code == 1
    assert "did you mean `give`?" in answer.err
    assert answer.out == f"formatted {file}\n1 file formatted, 1 file with errors\n"
    assert bad.read_text(encoding="utf-8").startswith(BEFORE)


def test_line_ends_and_links_stay(run: Any, file: Path, tmp_path: Path) -> None:
    file.write_bytes(b"\xef\xbb\xbf" + BEFORE.replace("\n", "\r\n").encode())
    link = tmp_path / "link.rules"
    link.symlink_to(file)
    assert run("fmt", str(link)).code == 0
    assert link.is_symlink()
    assert file.read_bytes() == b"\xef\xbb\xbf" + AFTER.replace("\n", "\r\n").encode()


def test_a_fault_of_the_formatter(run: Any, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from regelwerk.dsl.formatting.writing import LaidOut

    monkeypatch.setattr("regelwerk.dsl.formatting.lay_out", lambda text: LaidOut(AFTER + "\n", [text], []))
    answer = run("fmt", str(file))
    assert answer.code == 3
    assert "this is a fault in regelwerk" in answer.err
    assert file.read_text(encoding="utf-8") == BEFORE


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("fmt", "nowhere/x.rules"), "there is no file `nowhere/x.rules`"),
        (("fmt", "-", "-"), "the standard input (-) can be read once"),
        (("fmt", str(ROOT / "games")), "is a folder; name the files in it"),
    ],
)
def test_wrong_usage(run: Any, words: tuple[str, ...], said: str) -> None:
    answer = run(*words)
    assert answer.code == 2
    assert said in answer.err


def test_a_game_as_json(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "race.json"
    run("export", "race.rules", "-o", str(path))
    answer = run("fmt", str(path))
    assert answer.code == 2
    assert "only rules files have a style" in answer.err


class _Stdin(io.StringIO):
    def __init__(self, content: bytes) -> None:
        super().__init__()
        self.buffer = io.BytesIO(content)  # type: ignore[misc] # as that of the real one


def test_the_standard_input(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", _Stdin(BEFORE.encode()))
    answer = run("fmt", "-")
    assert (answer.code, answer.out, answer.err) == (0, AFTER, "")
    monkeypatch.setattr(sys, "stdin", _Stdin(BEFORE.encode()))
    answer = run("fmt", "--check", "-")
    assert (answer.code, answer.out) == (1, "not in the style: <stdin>\n")
    monkeypatch.setattr(sys, "stdin", _Stdin(b"edition 1\n\xff"))
    assert "is not UTF-8" in run("fmt", "-").err
