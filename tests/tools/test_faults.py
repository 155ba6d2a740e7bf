"""Faults: `play`, `simulate`, `test` and `replay` say by which clause, where and in which game, and with what command
it is seen again. The commands are run, for every kind of fault."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from regelwerk.dsl import catalogue
from regelwerk.dsl.catalogue import Page

FAULTS = [each for each in catalogue.pages() if each.severity == "fault" and each.wrong is not None]
RULES = {
    "range": "climb",
    "unpaid": "buy",
    "full": "put_down",
    "none": "harvest",
    "clash": "wet",
    "dead_end": "game",
    "depth": "ring",
    "budget": "rub",
}
"""The clause that each example is stopped by."""

every_fault = pytest.mark.parametrize("page", FAULTS, ids=lambda page: page.code)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(page: Page, more: str = "") -> str:
    assert page.wrong is not None
    Path("tiny game.rules").write_text(page.wrong.text + more, encoding="utf-8")
    return "./tiny game.rules"


def command(text: str) -> list[str]:
    """The words of the command that is printed, without `regelwerk`."""
    (line,) = {line.partition("to see it again: ")[2] for line in text.splitlines() if "to see it again: " in line}
    words = shlex.split(line)
    assert words[0] == "regelwerk"
    return words[1:]


def drawn(page: Page, text: str) -> str:
    """What is drawn of the fault; checks that all is there."""
    match = re.search(
        rf"^fault\[{page.code}\]: the game stopped: (.+)\n +--> (.+)\n +\|\n(.+)\n(.+)\n", text, re.MULTILINE
    )
    assert match is not None, text
    place, line = match[2], match[3]
    assert re.fullmatch(r"tiny game\.rules:\d+:\d+", place)
    assert page.wrong is not None
    assert line.partition(" | ")[2] in page.wrong.text.split("\n")
    assert re.search(rf"^  in {RULES[page.code]}(, after \d+ decisions?)?$", text, re.MULTILINE), text
    return match[0]


def test_all_faults_are_here() -> None:
    assert {page.code for page in FAULTS} == RULES.keys()


@every_fault
def test_simulate(run: Any, folder: Path, page: Page) -> None:
    file = write(page)
    answer = run("simulate", file, "--games", "4", "--players", "3", "--seed", "17", "--jobs", "1")
    assert answer.code == 1
    first = drawn(page, answer.out)
    again = [line.partition("to see it again: ")[2] for line in answer.out.splitlines() if "to see it again" in line]
    assert again
    for each in again:
        words = shlex.split(each)
        assert words[:2] == ["regelwerk", "simulate"]
        repeated = run(*words[1:])
        assert repeated.code == 1
        assert drawn(page, repeated.out) == first
        assert "1 game was stopped by a fault" in repeated.out


@every_fault
def test_simulate_as_json(run: Any, folder: Path, page: Page) -> None:
    file = write(page)
    answer = run("simulate", file, "--games", "2", "--seed", "5", "--json", "-")
    faults = json.loads(answer.out)["faults"]
    assert faults
    for fault in faults:
        assert (fault["code"], fault["name"], fault["rule"]) == (page.code, page.name, RULES[page.code])
        assert (fault["players"], fault["options"]) == (2, {})
        assert page.wrong is not None
        assert page.wrong.text.split("\n")[fault["line"] - 1] == fault["text"]
        assert fault["place"] == f"tiny game.rules:{fault['line']}:{fault['column']}"
        repeated = json.loads(run(*shlex.split(fault["command"])[1:], "--json", "-").out)["faults"]
        assert repeated == [fault]


@every_fault
def test_play_by_bots(run: Any, folder: Path, page: Page) -> None:
    file = write(page)
    answer = run("play", file, "--players", "3", "--seed", "2", "--seat", "all=random")
    assert answer.code == 1
    first = drawn(page, answer.err)
    assert "\n  3 players, seed 2\n" in answer.err
    words = command(answer.err)
    assert words[0] == "play"
    repeated = run(*words)
    assert (repeated.code, repeated.err) == (1, answer.err)
    assert drawn(page, repeated.err) == first


@every_fault
def test_play_by_people_is_recorded(run: Any, folder: Path, page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 50))
    file = write(page)
    answer = run("play", file, "--players", "2", "--seed", "2", "--seat", "all=human", "--ask-forced")
    assert answer.code == 1, answer.out
    first = drawn(page, answer.err)
    words = command(answer.err)
    assert words[0] == ("play" if page.code == "dead_end" else "replay")  # a dead end comes before anything is decided
    repeated = run(*words)
    assert repeated.code == 1
    assert drawn(page, repeated.err) == first
    assert command(repeated.err) == words


@every_fault
def test_a_record_that_is_asked_for(run: Any, folder: Path, page: Page) -> None:
    if page.code == "dead_end":
        pytest.skip("it comes before anything is decided")
    file = write(page)
    answer = run("play", file, "--seat", "all=random", "--record", "mine.replay")
    words = command(answer.err)
    assert words == ["replay", "mine.replay", "--rules", file]
    assert drawn(page, run(*words).err) == drawn(page, answer.err)
    assert drawn(page, run(*words, "--check").err) == drawn(page, answer.err)
    assert run(*words, "--at", "0").code == 0


@every_fault
def test_random_games_of_test(run: Any, folder: Path, page: Page) -> None:
    file = write(page)
    answer = run("test", file, "--games", "3")
    assert answer.code == 1
    first = drawn(page, answer.out)
    assert answer.out.count("fault[") == 1, "the same fault is drawn once, for all numbers of players"
    again = [line.partition("to see it again: ")[2] for line in answer.out.splitlines() if "to see it again" in line]
    for each in again:
        repeated = run(*shlex.split(each)[1:])
        assert repeated.code == 1
        assert drawn(page, repeated.out) == first


SCENES = {
    "range": "when A: climb  when B: climb",
    "unpaid": "when A: buy",
    "full": "when A: put_down  when B: put_down",
    "none": "when A: harvest",
    "clash": "when A: harvest",
    "dead_end": "then over",
    "depth": "when A: ring",
    "budget": "when A: rub",
}


@every_fault
def test_a_scenario(run: Any, folder: Path, page: Page) -> None:
    file = write(page, f"scenario STOPS {{ players A, B   play game {{ {SCENES[page.code]} }} }}\n")
    answer = run("test", file, "--no-games")
    assert answer.code == 1
    assert f"(fault `{page.code}`)" in answer.out
    assert f"\n  in {RULES[page.code]}\n" in answer.out
    words = command(answer.out)
    assert words == ["test", file, "--only", "STOPS"]
    assert run(*words).out == answer.out


def test_chance_before_a_fault_is_recorded(run: Any, folder: Path) -> None:
    Path("dice.rules").write_text(
        'edition 1\ngame dice "Dice" { players 1..1 }\ntrack point/points per player: 0..99\n'
        "dice Die/Dice copies 1 faces 1..6\nzone cup of Die from Dice\nstate total: 0..9 = 0\n"
        "phase game for k in 1..9 for p in players acting p { offer throw or pass }\n"
        "action throw { effect { roll cup   set total = total + cup.first.face } }\n"
        "rank winner by me.points then shared\n",
        encoding="utf-8",
    )
    seen = set()
    for seed in range(6):
        answer = run("play", "./dice.rules", "--seed", str(seed), "--seat", "all=random", "--record", "r.replay")
        if answer.code == 1:
            words = command(answer.err)
            assert run(*words).err == answer.err
            seen.add(Path("r.replay").read_text(encoding="utf-8").splitlines()[-1][0])
    assert seen == {"~"}


def test_a_game_that_cannot_be_set_up(run: Any, folder: Path) -> None:
    page = catalogue.page("E1201")
    assert page is not None
    assert page.wrong is not None
    Path("scarce.rules").write_text(page.wrong.file(), encoding="utf-8")
    for words in (("simulate", "--games", "2", "--jobs", "2"), ("play", "--seat", "all=random")):
        answer = run(words[0], "./scarce.rules", *words[1:])
        assert answer.code == 1
        assert answer.err.startswith("error[E1201]: the start of eggs is more than the supply\n")
    answer = run("test", "./scarce.rules", "--games", "2")
    assert answer.code == 1
    assert "error[E1201]" in answer.out
    assert "0 passed, 3 failed" in answer.out


def test_the_record_gets_a_name_that_is_free(run: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    page = catalogue.page("unpaid")
    assert page is not None
    file = write(page)
    names = []
    for _ in range(2):
        monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 50))
        names.append(command(run("play", file, "--seat", "1=human", "--ask-forced").err)[1])
    assert names == ["tiny-fault.replay", "tiny-fault-2.replay"]
