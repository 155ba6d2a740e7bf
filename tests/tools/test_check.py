"""`check`: text and JSON."""

from __future__ import annotations

import io
import json
import os
import shutil
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from regelwerk.tools.commands.check import SCHEMA


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
    assert set(error) == {"code", "name", "severity", "message", "place", "labels", "help", "fix"}
    assert (error["place"]["line"], error["place"]["column"]) == (line, column)
    assert (error["place"]["end_line"], error["place"]["end_column"]) == (line, column + len("jump"))
    text = run("check", str(path)).out
    assert f"--> {os.path.relpath(path)}:{line}:{column}\n" in text or f"--> {path}:{line}:{column}\n" in text
    assert lines[line - 1] in text
    assert f"| {' ' * (column - 1)}^^^^\n" in text


@pytest.mark.parametrize(
    ("files", "code", "last"),
    [
        (["sealed.rules"], 0, "sealed.rules: no errors"),
        (["sealed.rules", "smuggler.rules"], 0, "0 errors, 0 warnings in 2 files"),
        (["sealed.rules", "broken.rules"], 1, "1 error, 1 warning in 2 files"),
        (["broken.rules"], 1, "1 error, 1 warning in 1 file"),
    ],
)
def test_the_closing_line(run: Any, files: list[str], code: int, last: str) -> None:
    answer = run("check", *files)
    assert answer.code == code
    assert answer.out.splitlines()[-1] == last
    assert answer.err == ""


def test_json_of_files_without_errors(run: Any, games: Path) -> None:
    answer = run("check", "sealed.rules", "smuggler.rules", "--format", "json")
    assert answer.code == 0
    files = json.loads(answer.out)["files"]
    assert files == [
        {"file": str(games / name), "ok": True, "diagnostics": []} for name in ("sealed.rules", "smuggler.rules")
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


# ------------------------------------------------------------------------------------------------------- other forms
def test_concise(run: Any, games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(games / "broken.rules", tmp_path)
    shutil.copy(games / "sealed.rules", tmp_path)
    (tmp_path / "bytes.rules").write_bytes(b"\xff")
    monkeypatch.chdir(tmp_path)
    answer = run("check", "./broken.rules", "./sealed.rules", "./bytes.rules", "--format", "concise")
    content = json.loads(run("check", "./broken.rules", "--format", "json").out)
    wanted = [
        f"broken.rules:{each['place']['line']}:{each['place']['column']}: {each['code']} {each['message']}"
        for each in content["files"][0]["diagnostics"]
    ]
    assert len(wanted) == 2
    assert answer.out.splitlines() == [*wanted, "bytes.rules: E0125 bytes.rules is not UTF-8 (line 1)"]
    assert (answer.code, answer.err) == (1, "")
    assert run("check", "./sealed.rules", "--format", "concise").out == ""


@pytest.mark.parametrize("form", ["text", "concise"])
def test_paths_are_shown_from_the_working_directory(
    run: Any, games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    (tmp_path / "sub").mkdir()
    path = tmp_path / "sub" / "broken.rules"
    shutil.copy(games / "broken.rules", path)
    monkeypatch.chdir(tmp_path)
    for name in (str(path), os.path.join("sub", "broken.rules")):
        out = run("check", name, "--format", form).out
        assert os.path.join("sub", "broken.rules") + ":" in out
        assert str(tmp_path) not in out
    monkeypatch.chdir(games)
    assert f"{path}:" in run("check", str(path), "--format", form).out


def test_the_json_is_as_its_schema_says(run: Any, tmp_path: Path) -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    bad = tmp_path / "bad.rules"
    bad.write_bytes(b"\xff")
    braces = tmp_path / "braces.rules"
    braces.write_text(
        'edition 1\ngame g "G" { players 2 }\nphase p { step s { nothing }\nvalue x = 3\n', encoding="utf-8"
    )
    answer = run("check", "broken.rules", "race.rules", str(bad), str(braces), "--format", "json")
    content = json.loads(answer.out)
    validator.validate(content)
    findings = [each for file in content["files"] for each in file["diagnostics"]]
    assert any(each["place"] is None for each in findings)
    assert any(each["labels"] for each in findings)
    assert any(each["fix"] for each in findings)
    assert {each["name"] for each in findings} >= {"unknown-action", "not-utf8", "unclosed-brace"}
    strict = json.loads(SCHEMA.read_text(encoding="utf-8"))
    for part in (strict, *(strict["$defs"][name] for name in ("file", "diagnostic", "fix"))):
        part["additionalProperties"] = False  # what is written is in the schema
    jsonschema.Draft202012Validator(strict).validate(content)
    for path, value in (("code", "X1"), ("severity", "bad"), ("message", 3), ("place", {"line": 1}), ("labels", None)):
        spoilt = json.loads(answer.out)
        spoilt["files"][0]["diagnostics"][0][path] = value
        assert not validator.is_valid(spoilt), path


class Input:
    def __init__(self, content: bytes) -> None:
        self.buffer = io.BytesIO(content)


def test_the_standard_input(run: Any, games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = (games / "broken.rules").read_bytes()
    monkeypatch.setattr("sys.stdin", Input(content))
    answer = run("check", "-", "--format", "concise")
    assert answer.code == 1
    assert all(line.startswith("<stdin>:") for line in answer.out.splitlines())
    monkeypatch.setattr("sys.stdin", Input((games / "sealed.rules").read_bytes()))
    assert run("check", "-").out == "<stdin>: no errors\n"
    monkeypatch.setattr("sys.stdin", Input(b"\xff"))
    answer = run("check", "-", "race.rules", "--format", "json")
    assert json.loads(answer.out)["files"][0]["file"] == "<stdin>"
    monkeypatch.setattr("sys.stdin", Input(b" " * ((1 << 20) + 1)))
    assert "<stdin>: E0160 " in run("check", "-", "--format", "concise").out
    assert run("check", "-", "-").code == 2


def test_a_missing_file_is_wrong_usage(run: Any) -> None:
    answer = run("check", "race.rules", "no/such.rules")
    assert (answer.code, answer.out) == (2, "")


@pytest.mark.parametrize(
    "words", [("simulate", "--games", "1"), ("play",), ("draw",), ("test",), ("check",)], ids=lambda words: words[0]
)
def test_all_commands_report_findings_in_one_way(run: Any, games: Path, words: tuple[str, ...]) -> None:
    answer = run(words[0], "broken.rules", *words[1:])
    assert answer.code == 1
    text = answer.out + answer.err
    expected = run("check", "broken.rules").out
    error = next(each for each in expected.split("\n\n") if each.startswith("error["))
    assert error in text
