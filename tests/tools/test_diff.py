"""`regelwerk diff`: what is printed in which form, exit codes, and what becomes of recorded games."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.tools.conftest import Run

from regelwerk.interpreter.api import load
from regelwerk.interpreter.replay_differences import compare_replay
from regelwerk.interpreter.replays import Replay
from regelwerk.tools.comparing.report import GROUPS

ROOT = Path(__file__).resolve().parents[2]
RECORDS = ROOT / "tests" / "games" / "records"
VARIANTS = [
    ("vienna", "vienna_house"),
    ("vienna", "vienna_danube"),
    ("vienna", "vienna_both"),
    ("catan", "catan_austria"),
    ("catan", "vienna_meets_catan"),
    ("grand_austria_hotel", str(ROOT / "games" / "grand_austria_hotel" / "grand_austria_hotel_2022.rules")),
]

SHOP = """edition 1
game shop "Shop" { players 2   seats Ann, Ben }
resource coin/coins supply 90 start 9
track point/points per player: 0..99
const wage = 2
value worth(n: number): number = 2 * n
phase day for r in 1..3 {
  phase turns for p in players acting p { offer work, buy or pass "rest" }
}
action work "Work" { effect { gain wage coins   do tip } }
action buy(n in 1..3) "Buy" {
  require rich: me.coins >= 3 * n
  effect { lose 3 * n coins   gain worth(n) points }
}
effect tip { gain 1 coin }
score final { line points "points" = me.points   line money "money" = me.coins div 3 }
rank winner by me.final
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "shop.rules").write_text(SHOP, encoding="utf-8")
    return tmp_path


def edited(folder: Path, *edits: tuple[str, str]) -> str:
    text = SHOP
    for old, new in edits:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    path = folder / "new.rules"
    path.write_text(text, encoding="utf-8")
    return str(path)


def recorded(folder: Path, *answers: str) -> Path:
    """A record of a game in which the players say this, one after the other, and then rest."""
    state = load(folder / "shop.rules", "reference").new(2, 1)
    for answer in (*answers, *["pass"] * 6):
        if state.status == "decision":
            state.step(answer)
    path = folder / "game.replay"
    path.write_text(Replay.of(state).text(), encoding="utf-8")
    return path


def test_the_same_is_no_difference(run: Run, folder: Path) -> None:
    answer = run("diff", str(folder / "shop.rules"), edited(folder, ("const wage", "// more\nconst   wage")))
    assert answer.code == 0
    assert answer.out == "Shop -> Shop: no difference\n"


def test_differences_are_grouped_with_both_places(run: Run, folder: Path) -> None:
    new = edited(folder, ("const wage = 2", "const wage = 3"), ("effect tip { gain 1 coin }", "effect tip { nothing }"))
    answer = run("diff", str(folder / "shop.rules"), new)
    assert answer.code == 1
    assert answer.out == (
        "Shop -> Shop: 2 differences\n"
        "\n"
        "constants\n"
        "  changed  wage, value: 2 -> 3  (shop.rules:5 -> new.rules:5)\n"
        "\n"
        "effects\n"
        "  changed  effect tip, effect: gain 1 coin -> nothing  (shop.rules:15 -> new.rules:15)\n"
    )


def test_long_clauses_stand_below_each_other(run: Run, folder: Path) -> None:
    new = edited(folder, ("rank winner by me.final", "rank winner by me.final, me.points, lowest me.coins then shared"))
    answer = run("diff", str(folder / "shop.rules"), new)
    assert "  added    rank winner, keys  (new.rules:17)\n" in answer.out
    assert "             + lowest me.coins\n" in answer.out


def test_markdown(run: Run, folder: Path) -> None:
    new = edited(folder, ("effect tip { gain 1 coin }", "effect tip { gain 1 coin   gain wage points }"))
    answer = run("diff", str(folder / "shop.rules"), new, "--format", "md")
    assert answer.code == 1
    assert answer.out == (
        "# Shop -> Shop\n\n1 difference.\n\n## Effects\n\n"
        "- **added** effect tip, effect (new.rules:15)\n\n  ```diff\n  + gain wage points\n  ```\n"
    )


def test_json(run: Run, folder: Path) -> None:
    new = edited(folder, ("require rich: me.coins >= 3 * n", "require rich: me.coins >= 4 * n"))
    content = json.loads(run("diff", str(folder / "shop.rules"), new, "--format", "json").out)
    assert content["old"] == {"name": "shop", "title": "Shop"}
    (found,) = content["differences"]
    assert (found["change"], found["kind"], found["group"]) == ("changed", "number", "action")
    assert (found["address"], found["clause"]) == ("buy.rich", "condition")
    assert (found["old"]["text"], found["new"]["text"]) == ("3", "4")
    assert (found["old"]["line"], found["old"]["column"]) == (12, 29)


@pytest.mark.parametrize(("base", "variant"), VARIANTS)
def test_a_variant_and_its_base(run: Run, base: str, variant: str) -> None:
    there = json.loads(run("diff", base, variant, "--format", "json").out)["differences"]
    back = json.loads(run("diff", variant, base, "--format", "json").out)["differences"]
    assert there
    assert {each["group"] for each in there} <= set(GROUPS)
    turned = {"added": "removed", "removed": "added"}
    assert sorted((turned.get(each["change"], each["change"]), each["kind"]) for each in there) == sorted(
        (each["change"], each["kind"]) for each in back
    )
    for each in there:
        for piece in (each["old"], each["new"]):
            assert piece is None or (piece["line"] >= 1 and piece["text"])


def test_what_the_house_rules_of_vienna_change(run: Run) -> None:
    answer = run("diff", "vienna", "vienna_house")
    assert answer.code == 1
    assert "  changed  Field.rathaus.evaluation: 4 -> 5 in `gain 5 points`" in answer.out
    assert "  changed  cost place.bribe, amount: bribe -> (me.reached - at.pos + 5) div 6 coins" in answer.out
    assert "  added    rule doubles_ride_free  (vienna_house.rules:" in answer.out


def test_many_rows_are_one_line(run: Run) -> None:
    answer = run("diff", "catan", "catan_austria")
    assert "  removed  9 rows of Harbour: h1, h2, h3, h4, h5, h6, h7, h8, h9  (catan.rules:" in answer.out


def test_a_document_is_compared_too(run: Run, folder: Path) -> None:
    document = folder / "shop.json"
    assert run("export", str(folder / "shop.rules"), "-o", str(document)).code == 0
    assert run("diff", str(folder / "shop.rules"), str(document)).code == 0
    new = edited(folder, ("const wage = 2", "const wage = 3"))
    answer = run("diff", str(document), new)
    assert answer.code == 1
    assert "wage, value: 2 -> 3  (shop.rules:5 -> new.rules:5)" in answer.out


def test_what_cannot_be_compared_is_another_exit_code(run: Run, folder: Path) -> None:
    assert run("diff", str(folder / "shop.rules"), "broken.rules").code == 2
    assert run("diff", str(folder / "shop.rules"), "no_such_game").code == 2
    library = folder / "lib.rules"
    library.write_text("edition 1\nlibrary lib { value two: number = 2 }\n", encoding="utf-8")
    answer = run("diff", str(folder / "shop.rules"), str(library))
    assert answer.code == 2
    assert "lib.rules is a library, no game, and cannot be compared" in answer.err


# ---------------------------------------------------------------------------------------------------------- records
def fate_of(run: Run, folder: Path, new: str) -> str:
    answer = run("diff", str(folder / "shop.rules"), new, "--replays", str(folder))
    return answer.out.partition("Records of ")[2].partition("\n")[2]


def test_a_record_that_is_played_the_same(run: Run, folder: Path) -> None:
    recorded(folder, "work", "buy 1")
    new = edited(folder, ("2 * n\nphase", "if n < 3 then 2 * n else 9\nphase"))
    assert fate_of(run, folder, new) == "  game.replay  the same game\n1 of 1 is played the same\n"


def test_no_difference_and_the_same_records_is_all_well(run: Run, folder: Path) -> None:
    recorded(folder, "work", "buy 1")
    answer = run("diff", str(folder / "shop.rules"), str(folder / "shop.rules"), "--replays", str(folder))
    assert answer.code == 0


def test_a_silent_difference_names_the_step_and_the_clause(run: Run, folder: Path) -> None:
    recorded(folder, "pass", "buy 1", "work")
    new = edited(folder, ("gain worth(n) points", "gain (worth(n) + 1) points"))
    assert fate_of(run, folder, new) == (
        "  game.replay  behind step 2 (Ben: buy 1): point of Ben: 3, was 2; by buy (new.rules:13)\n"
        "0 of 1 is played the same\n"
    )


def test_what_a_clause_speaks_of_is_perhaps_the_cause(run: Run, folder: Path) -> None:
    recorded(folder, "pass", "buy 1", "work")
    new = edited(folder, ("value worth(n: number): number = 2 * n", "value worth(n: number): number = 3 * n"))
    assert "behind step 2 (Ben: buy 1): point of Ben: 3, was 2; perhaps by worth\n" in fate_of(run, folder, new)
    new = edited(folder, ("const wage = 2", "const wage = 3"))
    assert "behind step 3 (Ann: work): coin of bank: 71, was 72; perhaps by wage\n" in fate_of(run, folder, new)


def test_the_bank_tells_it_before_the_player(run: Run, folder: Path) -> None:
    recorded(folder, "work")
    new = edited(folder, ("effect tip { gain 1 coin }", "effect tip { gain 2 coins }"))
    assert "behind step 1 (Ann: work): coin of bank: 68, was 69; by tip (new.rules:15)" in fate_of(run, folder, new)


def test_an_entry_that_no_longer_fits(run: Run, folder: Path) -> None:
    recorded(folder, "pass", "buy 3")
    new = edited(folder, ("me.coins >= 3 * n", "me.coins > 3 * n"))
    assert "step 2 (Ben: buy 3) no longer fits: `buy 3` is refused by buy.rich" in fate_of(run, folder, new)


def test_the_end_is_compared_too(run: Run, folder: Path) -> None:
    recorded(folder, "work")
    new = edited(folder, ("me.coins div 3", "me.coins div 2"))
    assert "behind step 6 (Ben: pass): final.money of Ann: 6, was 4\n" in fate_of(run, folder, new)
    new = edited(folder, ("for r in 1..3", "for r in 1..2"))
    assert "behind step 4 (Ben: pass): the game is over here (last phase)" in fate_of(run, folder, new)


def test_an_end_that_comes_later_or_sooner_is_blamed_on_what_it_speaks_of(run: Run, folder: Path) -> None:
    low = SHOP + "end rich at once when some(p in players where p.coins > limit)\nconst limit = 12\n"
    high = low.replace("limit = 12", "limit = 17")
    old, new = folder / "shop.rules", folder / "new.rules"
    for here, there, told in (
        (low, high, "behind step 3 (Ann: work): the game is not over here; perhaps by limit\n"),
        (high, low, "behind step 3 (Ann: work): the game is over here (rich); perhaps by limit\n"),
    ):
        old.write_text(here, encoding="utf-8")
        new.write_text(there, encoding="utf-8")
        recorded(folder, "work", "work", "work")  # Ann has 9, and gets 3 twice
        assert told in fate_of(run, folder, str(new))


def test_versions_in_two_folders_have_short_names(run: Run, folder: Path) -> None:
    other = folder / "later"
    other.mkdir()
    (other / "shop.rules").write_text("// longer\n" + SHOP.replace("wage = 2", "wage = 3"), encoding="utf-8")
    answer = run("diff", str(folder / "shop.rules"), str(other / "shop.rules"))
    assert "  changed  wage, value: 2 -> 3  (shop.rules:5 -> shop.rules:6)\n" in answer.out


def test_a_renamed_action_does_not_fit_and_other_names_do(run: Run, folder: Path) -> None:
    recorded(folder, "work", "buy 1")
    text = SHOP.replace("work", "toil")
    (folder / "new.rules").write_text(text, encoding="utf-8")
    assert "step 1 (Ann: work) no longer fits: the game has no action `work`" in fate_of(
        run, folder, str(folder / "new.rules")
    )
    (folder / "new.rules").write_text(SHOP.replace("coin", "penny").replace("pennys", "pennies"), encoding="utf-8")
    assert "the same game" in fate_of(run, folder, str(folder / "new.rules"))


def test_records_of_other_games_are_left_out(run: Run, folder: Path) -> None:
    recorded(folder, "work")
    answer = run("diff", "vienna", "vienna_house", "--replays", str(folder))
    assert answer.out.endswith("there are none of vienna; 1 of other games left out\n")


def test_a_folder_without_records_is_refused(run: Run, tmp_path: Path) -> None:
    answer = run("diff", "vienna", "vienna_house", "--replays", str(tmp_path))
    assert answer.code == 2
    assert "there are no records (*.replay) in it" in answer.err
    assert run("diff", "vienna", "vienna_house", "--replays", str(tmp_path / "none")).code == 2


def test_records_of_shipped_games_are_the_same_on_the_same_rules() -> None:
    game = load("catan", "reference")
    replay = Replay.parse((RECORDS / "catan_3.replay").read_text(encoding="utf-8"))
    fate = compare_replay(replay, game, load("catan", "reference"), {}, lambda address: ("", True))
    assert (fate.fate, fate.step) == ("same", len(replay.entries))
