"""`replay`: records are shown again, checked, and refused with the step that does not fit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

RECORD = """\
regelwerk replay 1
game dicey 0000000000000000
seats Kim Lee
seed 5
~ 6
Kim: pass
~ 3
Lee: reroll
~ 2
~ 3
Kim: pass
~ 1
Lee: reroll
~ 2
~ 2
Kim: pass
~ 3
Lee: reroll
~ 4
"""
"""Written by hand. Kim keeps 6, 3, 2; Lee throws 3, 1, 3 and again 2, 2, 4."""


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "game.replay"
    path.write_text(RECORD, encoding="utf-8")
    return path


def test_the_game_is_shown_again(run: Any, record: Path) -> None:
    answer = run("replay", str(record), "--rules", "dice.rules")
    assert answer.code == 0
    lines = [line.strip() for line in answer.out.splitlines()]
    assert lines[0] == "Highest Die: Kim, Lee; seed 5"
    assert "The rules have changed since this was recorded." in lines
    assert "1  Kim: keep it" in lines
    assert "2  Lee: Roll again" in lines
    assert "- Lee gains 4 points" in lines
    assert "Kim wins (last phase)." in lines
    assert ["1", "Kim", "11"] in [line.split() for line in lines]
    assert ["2", "Lee", "8"] in [line.split() for line in lines]


def test_the_position_after_some_decisions(run: Any, record: Path) -> None:
    answer = run("replay", str(record), "--rules", "dice.rules", "--at", "3")
    assert answer.code == 0
    words = [line.split() for line in answer.out.splitlines()]
    assert ["Kim", "9"] in words
    assert ["Lee", "2"] in words
    assert ["1.", "Roll", "again"] in words
    assert "Kim wins" not in answer.out


def test_checking_says_one_line(run: Any, record: Path) -> None:
    answer = run("replay", str(record), "--rules", "dice.rules", "--check")
    assert answer.code == 0
    assert answer.out.startswith("game.replay fits Highest Die: 6 decisions, a whole game")
    assert answer.out.count("\n") == 1


@pytest.mark.parametrize(
    ("old", "new", "code", "text"),
    [
        (
            "Lee: reroll\n~ 2\n~ 3",
            "Lee: jump\n~ 2\n~ 3",
            1,
            "step 4 (Lee: jump) does not fit: the game has no action `jump`",
        ),
        ("~ 6\n", "~ 7\n", 1, "step 1 (~ 7) does not fit: `7` is not possible"),
        ("~ 6\n", "", 1, "step 1 (Kim: pass) does not fit"),
        (
            "Kim: pass\n~ 3\nLee",
            "Lee: pass\n~ 3\nLee",
            1,
            "step 2 (Lee: pass) does not fit: Kim decides here (game.round.",
        ),
        ("~ 4\n", "~ 4\nKim: pass\n", 1, "step 16 (Kim: pass) does not fit: the game is over here (last phase)"),
        ("seats Kim Lee", "seats Kim", 1, "is for 2 to 4 players, not for 1"),
        ("seed 5\n", "option side day\nseed 5\n", 1, "the game has no option `side`"),
        ("game dicey", "game other", 1, "this replay is of `other`, not of `dicey`"),
        ("regelwerk replay 1", "regelwerk replay 9", 2, "this is no replay"),
        ("seed 5", "seed five", 2, "no number"),
        ("seats Kim Lee\n", "", 2, "needs `game`, `seats` and `seed`"),
        ("Kim: pass\n~ 1", "what\n~ 1", 2, "cannot be read"),
    ],
)
def test_what_does_not_fit(run: Any, record: Path, old: str, new: str, code: int, text: str) -> None:
    changed = RECORD.replace(old, new, 1)
    assert changed != RECORD
    record.write_text(changed, encoding="utf-8")
    answer = run("replay", str(record), "--rules", "dice.rules", "--check")
    assert answer.code == code
    assert text in answer.err


@pytest.mark.parametrize(
    ("content", "more", "text"),
    [
        (RECORD, (), "a game of `dicey`, which does not come with regelwerk"),
        (RECORD, ("--rules", "dice.rules", "--at", "7"), "the record has 6 decisions"),
        (RECORD, ("--rules", "dice.rules", "--at", "-1"), "it must be 0 or more"),
        (RECORD, ("--rules", "no-such-file"), "neither a file nor the name of a game"),
        ("", ("--rules", "dice.rules"), "this is no replay"),
    ],
)
def test_bad_usage(run: Any, record: Path, content: str, more: tuple[str, ...], text: str) -> None:
    record.write_text(content, encoding="utf-8")
    answer = run("replay", str(record), *more)
    assert answer.code == 2
    assert text in answer.err


def test_bytes_that_are_no_text(run: Any, record: Path) -> None:
    record.write_bytes(b"\xff\xfe\xfd")
    answer = run("replay", str(record))
    assert (answer.code, answer.out) == (2, "")
    assert "not text in UTF-8" in answer.err


def test_a_record_that_ends_early(run: Any, record: Path) -> None:
    record.write_text(RECORD[: RECORD.index("Kim: pass\n~ 1")], encoding="utf-8")
    answer = run("replay", str(record), "--rules", "dice.rules")
    assert answer.code == 0
    assert "The record ends before the game is over." in answer.out
    assert "a game that is not over" in run("replay", str(record), "--rules", "dice.rules", "--check").out
