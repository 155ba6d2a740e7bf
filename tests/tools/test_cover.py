"""`regelwerk cover`: the same figures however many processes count, sums that are right, a page that is safe."""

from __future__ import annotations

import json
import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tools.conftest import GAMES, Run

from regelwerk.interpreter.api import load
from regelwerk.tools.bots import make_bot
from regelwerk.tools.coverage.html import page
from regelwerk.tools.coverage.playing import Plan, Player, Tally, pieces, play, varied
from regelwerk.tools.coverage.reading import read
from regelwerk.tools.simulation import game_seed

ROOT = Path(__file__).resolve().parents[2]
BRANCHES = ROOT / "tests" / "interpreter" / "games" / "branches.rules"
PIG = ROOT / "docs" / "examples" / "pig.rules"


def plan_of(path: Path, games: int = 6, **more: object) -> Plan:
    game = load(path, "reference")
    given = {"players": tuple(game.players), "options": ((),), "bots": ("random",), "seed": 0, "longest": 20_000}
    return Plan(str(path), path, game.hash, games, **{**given, **more})  # type: ignore[arg-type]  # as they are named


def test_the_summary_has_a_table_and_lists_what_never_ran(run: Run) -> None:
    answer = run("cover", str(BRANCHES), "--games", "20", "--jobs", "1")
    assert answer.code == 0
    assert answer.out.startswith("Branches: 20 games of 2 players (random), ")
    assert re.search(r"^  kind +ran +all +percent$", answer.out, re.MULTILINE)
    assert re.search(r"^  actions +1 +2 +50\.0 %$", answer.out, re.MULTILINE)
    assert re.search(r"^1 action that never ran\n  win  branches\.rules:34$", answer.out, re.MULTILINE)
    assert re.search(r"^1 value that was never asked\n  unasked  branches\.rules:", answer.out, re.MULTILINE)
    assert "take" in answer.out.partition("never came out as yes")[2].partition("\n\n")[0]
    assert "1 score line that never counted\n  final.nothing  " in answer.out
    assert "1 end that never ran\n  rich  " in answer.out


def test_json_has_every_place_and_sums_up(run: Run) -> None:
    content = json.loads(run("cover", str(BRANCHES), "--games", "20", "--jobs", "1", "--format", "json").out)
    places = content["places"]
    assert content["complete"]
    assert content["games"] == 20
    for kind, figures in content["kinds"].items():
        own = [each for each in places if each["kind"] == kind]
        weight = 2 if kind == "conditions" else 1
        assert figures["all"] == weight * len(own)
        ran = {"ran": weight, "only yes": 1, "only no": 1, "never": 0}
        assert figures["ran"] == sum(ran[each["state"]] for each in own)
    assert content["total"]["all"] == sum(each["all"] for each in content["kinds"].values())
    assert content["total"]["ran"] == sum(each["ran"] for each in content["kinds"].values())
    take = next(each for each in places if each["address"] == "take" and each["kind"] == "actions")
    assert take["line"] == 26
    assert take["text"] == "take"
    assert take["count"] > 0


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 2**53), games=st.integers(1, 4))
def test_actions_are_counted_as_often_as_they_were_chosen(seed: int, games: int) -> None:
    plan = plan_of(GAMES / "race.rules", games, seed=seed)
    game = load(plan.path, "reference")
    reading = read(game, play(game, plan, 1, lambda done: None)[0])
    counted = {each.address: each.count for each in reading.items if each.kind == "actions"}
    names = {each.name for each in game.checked.actions}
    chosen: Counter[str] = Counter()
    plain = load(plan.path, "reference")
    for number in range(1, games + 1):
        players, _ = plan.setting(number)
        state = plain.new(players, game_seed(seed, number))
        bots = [make_bot("random", state.seed, seat) for seat in range(1, players + 1)]
        while state.actor is not None:
            state.step(bots[state.seats.index(state.actor)].choose(state))
        chosen.update(answer[1].partition(" ")[0] for answer in state.recording if answer[0] != "~")
    assert counted == {name: chosen[name] for name in names}


def test_processes_change_nothing(run: Run) -> None:
    words = ("cover", "race.rules", "--games", "24", "--seed", "5", "--format", "json")
    one, two = run(*words, "--jobs", "1"), run(*words, "--jobs", "2")
    assert one.code == two.code == 0
    assert one.out == two.out


@given(games=st.integers(1, 500), jobs=st.integers(1, 9))
def test_pieces_are_all_games_once(games: int, jobs: int) -> None:
    assert [number for piece in pieces(games, jobs) for number in piece] == list(range(1, games + 1))


def test_games_take_turns_with_players_and_options() -> None:
    path = ROOT / "tests" / "interpreter" / "games" / "counted.rules"
    game = load(path, "reference")
    options = varied(game, ())
    assert options == ((), (("long", "yes"),))
    plan = plan_of(path, 4, options=options)
    assert [plan.setting(number) for number in (1, 2, 3)] == [(2, ()), (2, (("long", "yes"),)), (2, ())]
    values = [each for each in read(game, play(game, plan, 1, lambda done: None)[0]).items if each.kind == "options"]
    assert [(each.what, each.count) for each in values] == [("yes", 2), ("no", 2)]


def test_who_interrupts_gets_what_was_counted(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    whole = Player.play

    def interrupted(self: Player, number: int) -> None:
        if number == 4:
            raise KeyboardInterrupt
        whole(self, number)

    monkeypatch.setattr(Player, "play", interrupted)
    answer = run("cover", str(BRANCHES), "--games", "20", "--jobs", "1")
    assert answer.code == 130
    assert answer.out.startswith("Branches: 3 games of 2 players")
    assert answer.err == "regelwerk: interrupted after 3 of 20 games\n"


def test_scenarios_count_too(run: Run) -> None:
    path = ROOT / "docs" / "examples" / "pig.rules"
    content = json.loads(run("cover", str(path), "--games", "0", "--scenarios", "--format", "json").out)
    assert content["games"] == 0
    assert content["scenarios"] > 0
    assert content["failed"] == []
    assert 0 < content["total"]["ran"] < content["total"]["all"]
    more = json.loads(run("cover", str(path), "--games", "20", "--scenarios", "--format", "json").out)
    alone = json.loads(run("cover", str(path), "--games", "20", "--format", "json").out)
    for both, one, other in zip(more["places"], alone["places"], content["places"], strict=True):
        if one["count"] is not None:
            assert both["count"] == one["count"] + other["count"]


def test_too_little_is_an_exit_code(run: Run) -> None:
    words = ("cover", str(BRANCHES), "--games", "5", "--jobs", "1", "--fail-under")
    assert run(*words, "20").code == 0
    answer = run(*words, "99.5")
    assert answer.code == 1
    assert re.fullmatch(r"regelwerk: \d\d\.\d\d % ran, less than 99\.5 %\n", answer.err)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--games", "-1"), "`--games -1`: it must be 0 or more"),
        (("--games", "0"), "with `--games 0` there is nothing to count, unless `--scenarios` is said"),
        (("--players", "many"), "`--players many`: it must be a number, or `all`"),
        (("--players", "9"), "Branches is for 2 players, not for 9"),
        (("--fail-under", "101"), "`--fail-under 101`: it must be from 0 to 100"),
        (("--bots", "clever"), "there is no bot `clever`"),
        (("--option", "x=1"), "has no option `x`"),
    ],
)
def test_what_cannot_be_is_refused(run: Run, words: tuple[str, ...], message: str) -> None:
    answer = run("cover", str(BRANCHES), *words)
    assert answer.code == 2
    assert message in answer.err


def test_greedy_bots_try_things_out_uncounted(run: Run) -> None:
    content = json.loads(run("cover", str(BRANCHES), "--games", "1", "--bots", "greedy", "--format", "json").out)
    turns = next(each for each in content["places"] if each["address"] == "game.turns" and each["kind"] == "phases")
    assert turns["count"] == 3


class Checking(HTMLParser):
    """Whether tags are closed in order, and what was read."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        found = dict(attrs)
        if "id" in found:
            self.ids.append(str(found["id"]))
        if "href" in found:
            self.links.append(str(found["href"]))
        if tag not in ("meta", "link", "img", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_page_shows_the_rules_and_links_to_what_never_ran(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    assert run("cover", str(BRANCHES), "--games", "5", "--jobs", "1", "-o", str(path)).code == 0
    text = path.read_text(encoding="utf-8")
    found = Checking()
    found.feed(text)
    assert not found.open
    assert set(found.links) <= {f"#{each}" for each in found.ids}
    assert "script" not in found.tags
    assert "http" not in text
    for line in BRANCHES.read_text(encoding="utf-8").splitlines():
        assert line in found.text
    lines = BRANCHES.read_text(encoding="utf-8").splitlines()
    states = {
        "value unasked": "never",
        "value worth": "part",  # of which one case never was
        "action win": "part",  # whose condition was asked
        "  phase turns": "ran",
        "enum Colour": "",  # nothing that runs
    }
    for begin, state in states.items():
        number = next(number for number, line in enumerate(lines, 1) if line.startswith(begin))
        assert f'<div class="row {state}" id="f0l{number}">' in text


def test_texts_of_rules_are_escaped(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>"
    rules = (
        f'edition 1\ngame evil "{evil}" {{ players 2   seats A, B }}\n// {evil} & more\n'
        f'phase play {{ step only "{evil}" {{ nothing }} }}\n'
    ).replace(f'step only "{evil}"', "step only")
    path = tmp_path / "<b>evil.rules"
    path.write_text(rules, encoding="utf-8")
    game = load(path, "reference")
    plan = plan_of(path, 1)
    tally = play(game, plan, 1, lambda done: None)[0]
    text = page(game, plan, tally, read(game, tally))
    assert "<script" not in text
    assert "<b>" not in text
    found = Checking()
    found.feed(text)
    assert f"// {evil} & more" in found.text


def test_what_faults_is_said_and_counted(run: Run) -> None:
    answer = run("cover", "faulty.rules", "--games", "3", "--jobs", "1")
    assert answer.code == 1
    assert re.search(r"^game \d was stopped: fault\[\w+\]: ", answer.out, re.MULTILINE)
    assert "to see it again: regelwerk simulate " in answer.out


def test_variants_are_counted_with_their_base(run: Run) -> None:
    content = json.loads(
        run("cover", "vienna_house", "--games", "3", "--jobs", "1", "--players", "3", "--format", "json").out
    )
    files = {Path(each["file"]).name for each in content["places"]}
    assert files == {"vienna.rules", "vienna_house.rules"}


def test_an_empty_tally_reads_as_nothing_ran() -> None:
    game = load(BRANCHES, "reference")
    player = Player(game, plan_of(BRANCHES))
    reading = read(game, Tally(player.tally.coverage))
    assert all(each.count in (None, 0) for each in reading.items)
