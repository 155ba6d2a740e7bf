"""`export`: what it writes where, and that its documents are taken wherever rules are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from regelwerk.dsl.interchange import SCHEMA


def test_to_the_standard_output(run: Any) -> None:
    answers = [run("export", "race.rules"), run("export", "race.rules", "-o", "-"), run("export", "race.rules")]
    assert [each.code for each in answers] == [0, 0, 0]
    assert len({each.out for each in answers}) == 1
    assert answers[0].out.endswith("}\n")
    assert json.loads(answers[0].out)["name"] == "race"
    assert answers[0].err == ""


def test_to_a_file(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "race.json"
    answer = run("export", "race.rules", "-o", str(path))
    assert (answer.code, answer.out) == (0, f"wrote {path}\n")
    assert path.read_text(encoding="utf-8") == run("export", "race.rules").out
    assert [each.name for each in tmp_path.iterdir()] == ["race.json"]


def test_compact(run: Any) -> None:
    compact, wide = run("export", "race.rules", "--compact"), run("export", "race.rules")
    assert compact.out.count("\n") == 1
    assert json.loads(compact.out) == json.loads(wide.out)
    assert all(len(line) <= 120 or '"text": ' in line for line in wide.out.splitlines())


def test_a_game_with_errors(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "broken.json"
    answer = run("export", "broken.rules", "-o", str(path))
    assert (answer.code, answer.out) == (1, "")
    assert "there is no action `jump`" in answer.err
    assert "broken.rules has errors and cannot be exported" in answer.err
    assert not path.exists()


def test_warnings_go_to_stderr(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "nobody.rules"
    path.write_text(
        'edition 1\ngame nobody "Nobody" { players 1..1 }\n'
        "phase game for p in players acting p { offer wait }\n"
        'action wait "Wait" { effect { nothing } }\n',
        encoding="utf-8",
    )
    answer = run("export", str(path))
    assert answer.code == 0
    assert "W0502" in answer.err
    assert json.loads(answer.out)["name"] == "nobody"


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("export",), "say which game"),
        (("export", "no-such-game"), "is neither a file nor the name of a game"),
        (("export", "race.rules", "-o", "."), "that is a folder"),
        (("export", "race.rules", "-o", "/no/such/folder/x.json"), "cannot be written"),
    ],
)
def test_wrong_usage(run: Any, words: tuple[str, ...], text: str) -> None:
    answer = run(*words)
    assert answer.code == 2
    assert text in answer.err


def test_the_schema(run: Any) -> None:
    assert run("export", "--schema").out == SCHEMA.read_text(encoding="utf-8")


def test_every_command_takes_a_document(run: Any, tmp_path: Path) -> None:
    path = str(tmp_path / "race.json")
    run("export", "race.rules", "-o", path)
    assert run("check", path).out == "race.json: no errors\n"
    assert run("test", path, "--games", "2").out.endswith("2 passed, 0 failed\n")
    for words in (("simulate", "--games", "5", "--seed", "3"), ("draw",), ("export",)):
        answers = [run(words[0], file, *words[1:]) for file in (path, "race.rules")]
        assert answers[0].code == 0
        assert answers[0].out == answers[1].out
    played = [run("play", file, "--seed", "2", "--seat", "all=random") for file in (path, "race.rules")]
    assert played[0].code == 0
    assert played[0].out == played[1].out


def test_a_replay_fits_a_document(run: Any, tmp_path: Path) -> None:
    path, replay = str(tmp_path / "race.json"), str(tmp_path / "race.replay")
    run("export", "race.rules", "-o", path)
    run("play", "race.rules", "--seed", "2", "--seat", "all=random", "--record", replay)
    answers = [run("replay", replay, "--check", "--rules", file) for file in (path, "race.rules")]
    assert [each.code for each in answers] == [0, 0]


def test_a_document_with_an_error(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text('{"format": "regelwerk-game", "version": 7}', encoding="utf-8")
    for words in (("check", str(path)), ("simulate", str(path), "--games", "1"), ("export", str(path))):
        answer = run(*words)
        assert answer.code == 1
        assert "error[E1302]: game.json: this regelwerk reads version 1" in answer.out + answer.err
        assert "Traceback" not in answer.out + answer.err
