"""`regelwerk why`: a tree of reasons at a position of a record."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from rich.console import Console
from tests.tools.conftest import Run

from regelwerk.interpreter.api import load
from regelwerk.tools.commands.replay import read
from regelwerk.tools.explanations import Writer, wrapped
from regelwerk.tools.positions import position

ROOT = Path(__file__).resolve().parents[2]
MARKET = str(ROOT / "docs" / "examples" / "market.rules")
SIX = ("vienna", "saeulen_von_venedig", "grand_austria_hotel", "catan", "catan_austria", "vienna_meets_catan")


@pytest.fixture
def market(run: Run, tmp_path: Path) -> str:
    """The record of a whole game of the market."""
    path = tmp_path / "market.replay"
    assert run("play", MARKET, "--players", "2", "--seed", "3", "--record", str(path)).code == 0
    return str(path)


def test_the_page_shows_what_is_printed(run: Run, market: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    page = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    for command in ("why", "why-score"):
        shown = page.partition(f"$ regelwerk {command} ")[2].partition("\n")
        answer = run(command, MARKET, market, *shown[0].split()[2:])
        assert answer.code == 0
        assert answer.out == shown[2].partition("```")[0]


def test_the_position_is_before_a_decision(market: str) -> None:
    game, replay = load(MARKET), read(market)
    total = sum(entry[0] != "~" for entry in replay.entries)
    assert position(game, replay, 1).decisions == 0
    assert position(game, replay, 5).decisions == 4
    assert position(game, replay, 5).status == "decision"
    assert position(game, replay, None).decisions == total - 1
    assert position(game, replay, total + 1).status == "over"


def test_json(run: Run, market: str) -> None:
    data = json.loads(run("why", MARKET, market, "--at", "1", "visit", "own.1", "town_hall", "--format", "json").out)
    assert data["format"] == 1
    assert (data["action"], data["seat"], data["legal"], data["decisions"]) == ("visit", "Ann", False, 0)
    assert [each["text"] for each in data["nearest"]] == ["`strength(d)` at least 6 (it is 5)"]
    assert data["nearest"][0]["place"]["line"] == 67
    clauses = {each["address"]: each for each in data["reason"]["parts"]}
    assert clauses["visit.pips"]["holds"] is False
    assert clauses["visit.pips"]["parts"][0]["value"] == "5 >= 6"
    assert clauses["visit.free"]["citations"] == ["M-002"]


def test_points_as_json(run: Run, market: str) -> None:
    data = json.loads(run("why-score", MARKET, market, "--format", "json").out)
    assert [each["seat"] for each in data["seats"]] == ["Ann", "Ben"]
    for seat in data["seats"]:
        assert seat["over"]
        for account in seat["accounts"]:
            assert sum(entry["amount"] for entry in account["entries"]) == account["total"]


def test_points_in_words(run: Run, market: str) -> None:
    answer = run("why-score", MARKET, market, "--seat", "2", "--brief")
    assert answer.code == 0
    assert answer.out.startswith("Ben: ")
    assert "if the game ended now" not in answer.out
    assert run("why-score", MARKET, market, "--seat", "3").code == 2
    assert run("why-score", MARKET, market, "--at", "900").code == 2


def test_wrong_usage(run: Run, market: str, tmp_path: Path) -> None:
    for words, message in (
        (("visits",), "no action `visits`; did you mean `visit`?"),
        (("visit", "--seat", "Eva"), "there is no such seat (seats: Ann, Ben)"),
        (("visit", "--at", "0"), "N goes from 1 to"),
        (("visit", "a", "b", "c"), "takes d, at"),
    ):
        answer = run("why", MARKET, market, *words)
        assert answer.code == 2
        assert message in answer.err
        assert answer.out == ""
    assert run("why", MARKET, str(tmp_path / "none.replay"), "visit").code == 2


def test_a_record_of_another_game(run: Run, market: str) -> None:
    answer = run("why", "vienna", market, "place")
    assert answer.code == 1
    assert "is of `market`, not of `vienna`" in answer.err


@pytest.mark.parametrize("name", SIX)
def test_all_actions_of_all_games_can_be_read(name: str) -> None:
    """No line is wider than the screen, whatever is asked."""
    game, random = load(name), Random(5)
    state = game.new(seed=4)
    while state.decisions < 40:
        state.step(random.randrange(len(state.raw_options)))
    writer, console = Writer(game), Console(width=60)
    for symbol in game.checked.actions:
        found = state.explain(symbol.name)
        for full in (True, False):
            lines = [text.plain for text in wrapped(writer.explanation(found, full), console, 60)]
            assert all(len(line) <= 60 for line in lines), lines
            assert "possible" in "\n".join(lines)
