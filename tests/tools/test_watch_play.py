"""`play --watch`: the game goes on on rules that were changed while it was played."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.tools.screens import Screen

from regelwerk.interpreter.api import load
from regelwerk.tools.command_line import main
from regelwerk.tools.terminal.following import Following, again

RULES = """edition 1
game well "Well" { players 2  seats Ann, Ben }
track point/points per player: 0..30 start 0
phase game { phase round for n in 1..6 { phase turn for p in players acting p { offer work, rest } } }
action work "Work" {
  require fit: me.points < 20 else "you are tired"
  effect { gain 2 points }
}
action rest "Rest" { effect { nothing } }
rank winner by me.points "points" then shared
"""

Edit = tuple[str, str]


class Typist(io.StringIO):
    """Types lines, and changes the rules before some of them."""

    def __init__(self, path: Path, lines: list[str | Edit]) -> None:
        super().__init__()
        self.path, self.lines = path, lines

    def readline(self, size: int = -1) -> str:  # type: ignore[override]  # as stdin is read
        while self.lines:
            line = self.lines.pop(0)
            if isinstance(line, str):
                if self.lines and isinstance(edit := self.lines[0], tuple):
                    self.lines.pop(0)
                    old, new = edit
                    text = self.path.read_text(encoding="utf-8")
                    assert old in text
                    self.path.write_text(text.replace(old, new), encoding="utf-8")
                return f"{line}\n"
        return ""


Play = Callable[..., tuple[int, str, str]]


@pytest.fixture
def play(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Play:
    monkeypatch.setenv("COLUMNS", "110")

    def call(*lines: str | Edit) -> tuple[int, str, str]:
        path = tmp_path / "well.rules"
        path.write_text(RULES, encoding="utf-8")
        monkeypatch.setattr("sys.stdin", Typist(path, list(lines)))
        code = main(["play", str(path), "--seat", "1=human", "--seat", "2=greedy", "--watch", "--ask-forced"])
        out, err = capsys.readouterr()
        return code, " ".join(out.split()), err

    return call


def test_the_game_goes_on_where_it_was(play: Play) -> None:
    code, out, err = play("work", ("gain 2 points", "gain 3 points"), "work", "? score", "quit", "")
    assert (code, err) == (0, "")
    assert "The rules have changed; the game goes on where it was." in out
    after = out.partition("goes on where it was.")[2]
    assert "+3 work" in after
    assert after.count("+3 work") == 2


def test_it_is_said_where_the_game_differs(play: Play) -> None:
    _, out, _ = play("work", "work", ("me.points < 20", "me.points < 2"), "? score", "quit", "")
    assert "the game differs from here [work.fit]: step 3 (Ann: work) does not fit" in out
    assert "refused by work.fit (you are tired)" in out
    assert "It goes on after 2 of 4 decisions." in out
    after = out.partition("It goes on after")[2]
    assert after.count("+2 work") == 1


def test_rules_with_errors_change_nothing(play: Play) -> None:
    code, out, _ = play("work", ("gain 2 points", "gain 2 pionts"), "work", "? score", "quit", "")
    assert code == 0
    assert "error[E0330]" in out
    assert "have errors; the game goes on with the old ones." in out
    assert out.partition("old ones.")[2].count("+2 work") == 2


def test_another_text_may_be_the_same_game(play: Play) -> None:
    _, out, _ = play("work", ("edition 1\n", "edition 1\n// nothing\n"), "quit", "")
    assert "differs" not in out
    assert "have errors" not in out


def test_a_game_that_cannot_be_begun_any_more_goes_on_as_it_was(play: Play) -> None:
    _, out, _ = play("work", ("players 2 ", "players 3 "), ("seats Ann, Ben", "seats Ann, Ben, Cid"), "quit", "")
    assert "cannot be begun on them" in out or "have errors" in out


def test_bases_are_followed_too(tmp_path: Path) -> None:
    base, top = tmp_path / "well.rules", tmp_path / "deep.rules"
    base.write_text(RULES, encoding="utf-8")
    top.write_text(
        'edition 1\nvariant deep "Deep" of well\nchange point = 1\n'.replace("change point = 1\n", ""), encoding="utf-8"
    )
    game = load(top)
    following = Following(top, game)
    state = game.new(2, 1)
    state.step("work")
    assert not following.changed()
    base.write_text(RULES.replace("gain 2", "gain 5"), encoding="utf-8")
    assert following.changed()
    found = following.follow(state)
    assert found.state is not None
    assert not found.diverged
    assert found.state.view(None).counts[0].count == 5


@pytest.mark.parametrize("name", ["vienna", "catan", "crazy_eights"])
def test_a_game_played_again_on_its_own_rules_is_the_same(name: str) -> None:
    game = load(name)
    state = game.new(seed=3)
    for number in range(40):
        state.step(number * 7 % len(state.raw_options))
    found = again(state, load(name))
    assert found.state is not None
    assert not found.diverged
    assert bytes(found.state.image.b) == bytes(state.image.b)


def test_it_works_while_somebody_thinks(tmp_path: Path) -> None:
    """At a terminal nothing has to be typed for the change to be seen."""
    path = tmp_path / "well.rules"
    path.write_text(RULES, encoding="utf-8")
    screen = Screen("play", str(path), "--watch", "--plain")
    screen.until("Ann> ")
    path.write_text(RULES.replace("gain 2", "gain 7"), encoding="utf-8")
    screen.until("goes on where it was.")
    screen.until("Ann> ")
    screen.type("work\n")
    screen.until("gains 7 points")
    screen.until("Ann> ")
    screen.type("quit\n")
    screen.until("for no: ")
    screen.type("\n")
    assert screen.end() == 0
    assert b"Traceback" not in screen.all
