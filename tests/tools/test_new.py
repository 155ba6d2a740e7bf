"""`new`: what it writes is right, in the style, and passes at once; a game, and a variant of every shipped one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from regelwerk.interpreter.layers import shipped_games
from regelwerk.tools.command_line import main

ROOT = Path(__file__).resolve().parents[2]
QUICK = ("tic_tac_toe", "crazy_eights", "vienna", "vienna_house")
"""Bases whose scenarios run against the variant, too; this takes long for the others."""


def passes(run: Any, path: Path, alone: bool = False) -> None:
    """`alone`: of scenarios only those of the file itself, not those of its base."""
    both = [str(path), str(path.with_name(f"{path.stem}_scenarios.rules"))]
    for words in (("check", "--strict", *both), ("fmt", "--check", *both)):
        answer = run(*words)
        assert answer.code == 0, (words[0], answer.out, answer.err)
    own = re.findall(r"^scenario (\w+)", Path(both[1]).read_text(encoding="utf-8"), re.MULTILINE)
    for only in [("--only", name) for name in own] if alone else [()]:
        answer = run("test", both[0], *only)
        assert answer.code == 0, (answer.out, answer.err)
        assert " 0 failed" in answer.out
        assert not answer.out.endswith("0 passed, 0 failed\n")
    answer = run("simulate", str(path), "--games", "2")
    assert answer.code == 0, answer.err


def test_a_game(run: Any, tmp_path: Path) -> None:
    answer = run("new", "my_game", "-o", str(tmp_path / "new" / "folder"))
    path = tmp_path / "new" / "folder" / "my_game.rules"
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith(f"wrote {path} and {path.with_name('my_game_scenarios.rules')}\n")
    for command in ("check", "test", "play", "simulate", "fmt"):
        assert f"  regelwerk {command} {path}\n" in answer.out
    assert sorted(each.name for each in path.parent.iterdir()) == ["my_game.rules", "my_game_scenarios.rules"]
    assert 'game my_game "My game" {' in path.read_text(encoding="utf-8")
    passes(run, path)


def test_the_example_of_the_documentation(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    _, _, section = page.partition("## Beginning a game\n")
    commands, shown = re.findall(r"^```(?:sh|text)\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)[:2]
    monkeypatch.chdir(tmp_path)
    answers = [run(*line.split()[1:]) for line in commands.splitlines()]
    assert [each.code for each in answers] == [0, 0]
    assert answers[0].out.startswith(shown.removesuffix("...\n"))
    assert (tmp_path / "variants" / "my_vienna.rules").is_file()


@pytest.mark.parametrize("base", shipped_games())
def test_a_variant(run: Any, tmp_path: Path, base: str) -> None:
    assert run("new", "mine", "--variant-of", base, "-o", str(tmp_path)).code == 0
    text = (tmp_path / "mine.rules").read_text(encoding="utf-8")
    assert f'variant mine "Mine" of {base}\n' in text
    assert "\nextend " in text
    passes(run, tmp_path / "mine.rules", base not in QUICK)


def test_a_variant_of_ones_own_game(run: Any, tmp_path: Path) -> None:
    run("new", "my_game", "-o", str(tmp_path))
    base = tmp_path / "my_game.rules"
    assert run("new", "mine", "--variant-of", str(base)).code == 0
    passes(run, tmp_path / "mine.rules")
    answer = run("new", "other", "--variant-of", str(base), "-o", str(tmp_path / "elsewhere"))
    assert answer.code == 2
    assert "write it beside its base" in answer.err
    assert not (tmp_path / "elsewhere").exists()
    answer = run("new", "my_game", "--variant-of", str(base), "-o", str(tmp_path / "x"))
    assert (answer.code, "is the name of the game itself" in answer.err) == (2, True)


def test_nothing_is_overwritten(run: Any, tmp_path: Path) -> None:
    there = tmp_path / "my_game_scenarios.rules"
    there.write_text("mine", encoding="utf-8")
    answer = run("new", "my_game", "-o", str(tmp_path))
    assert answer.code == 2
    assert f"`{there}` is there already" in answer.err
    assert there.read_text(encoding="utf-8") == "mine"
    assert [each.name for each in tmp_path.iterdir()] == [there.name]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("9 lives", "for example `_9_lives`"),
        ("", "is no name"),
        ("my-game", "for example `my_game`"),
        ("folder/game", "give a name, and the folder with -o: game -o DIR"),
        ("none", "begins a value and cannot name anything"),
        ("x_scenarios", "holds the scenarios of a game"),
        ("a" * 51, "has 51 characters; the limit is 50"),
    ],
)
def test_names_that_cannot_be(run: Any, tmp_path: Path, name: str, said: str) -> None:
    answer = run("new", name, "-o", str(tmp_path))
    assert answer.code == 2
    assert said in answer.err
    assert list(tmp_path.iterdir()) == []


def test_the_name_of_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "game.rules"]) == 2
    assert "give the name without `.rules`: game" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["point", "goal", "game", "Ann", "throw", "Österreich"])
def test_names_that_can_be(run: Any, tmp_path: Path, name: str) -> None:
    assert run("new", name, "-o", str(tmp_path)).code == 0
    assert run("check", "--strict", str(tmp_path / f"{name}.rules")).code == 0


def test_bases_that_cannot_be(run: Any, tmp_path: Path) -> None:
    answer = run("new", "x", "--variant-of", "viena", "-o", str(tmp_path))
    assert (answer.code, "did you mean `vienna`?" in answer.err) == (2, True)
    answer = run("new", "x", "--variant-of", "broken.rules", "-o", str(tmp_path))
    assert (answer.code, "has errors and cannot be varied" in answer.err) == (1, True)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be(run: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    answer = run("new", "x", "-o", str(tmp_path / "file" / "folder"))
    assert (answer.code, "cannot be made" in answer.err) == (2, True)
