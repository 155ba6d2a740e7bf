"""`check`: text and JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest


def test_places_are_those_of_the_file(run: Any, games: Path) -> None:
    path = games / "broken.rules"
    lines = path.read_text(encoding="utf-8").split("\n")
    line = next(number for number, text in enumerate(lines, 1) if "jump" in text)
    column = lines[line - 1].index("jump") + 1
    answer = run("check", str(path), "--format", "json")
    assert answer.code == 1
    content = json.loads(answer.out)
    assert content["version"] == 1
    (file,) = content["files"]
    assert (file["file"], file["ok"]) == (str(path), False)
    (error,) = [each for each in file["diagnostics"] if each["severity"] == "error"]
    assert set(error) == {"code", "severity", "message", "place", "labels", "help"}
    assert (error["place"]["line"], error["place"]["column"]) == (line, column)
    assert (error["place"]["end_line"], error["place"]["end_column"]) == (line, column + len("jump"))
    text = run("check", str(path)).out
    assert f"{path}:{line}:{column}" in text
    assert lines[line - 1] in text
    assert f"| {' ' * (column - 1)}^^^^\n" in text


@pytest.mark.parametrize(
    ("files", "code", "last"),
    [
        (["race.rules"], 0, "race.rules: no errors"),
        (["race.rules", "dice.rules"], 0, "0 errors, 0 warnings in 2 files"),
        (["race.rules", "broken.rules"], 1, "1 error, 1 warning in 2 files"),
        (["broken.rules"], 1, "1 error, 1 warning in 1 file"),
    ],
)
def test_the_closing_line(run: Any, files: list[str], code: int, last: str) -> None:
    answer = run("check", *files)
    assert answer.code == code
    assert answer.out.splitlines()[-1] == last
    assert answer.err == ""


def test_json_of_files_without_errors(run: Any, games: Path) -> None:
    answer = run("check", "race.rules", "dice.rules", "--format", "json")
    assert answer.code == 0
    files = json.loads(answer.out)["files"]
    assert files == [
        {"file": str(games / name), "ok": True, "diagnostics": []} for name in ("race.rules", "dice.rules")
    ]


def test_a_file_that_is_no_text(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "bytes.rules"
    path.write_bytes(b"\xff\xfe\x00")
    answer = run("check", str(path))
    assert answer.code == 1
    assert "Traceback" not in answer.out + answer.err


def test_a_file_with_only_warnings_is_ok(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "nobody.rules"
    path.write_text(
        'edition 1\ngame nobody "Nobody" { players 1..1 }\n'
        "phase game for p in players acting p { offer wait }\n"
        'action wait "Wait" { effect { nothing } }\n',
        encoding="utf-8",
    )
    answer = run("check", str(path))
    assert answer.code == 0
    assert answer.out.splitlines()[-1] == "nobody.rules: no errors, 1 warning"
