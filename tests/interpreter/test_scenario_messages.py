"""What a failed scenario says."""

from __future__ import annotations

import pytest

from regelwerk.dsl.source import Source
from regelwerk.interpreter.loading import check_source
from regelwerk.interpreter.scenarios import ScenarioResult, run_scenario

TEXT = """edition 1
game shop "Shop" { players 2..2 }
resource coin/coins supply 20 start 5
fields Stall/Stalls {
  column price: 1..9
  | stall  | price |
  | bakery | 2     |
  | tavern | 3     |
}
cards Card/Cards { | card | copies |
| ace | 2 | }
zone deck of Card from Cards
zone hand per player of Card
phase game for p in players acting p { offer buy, take }
action buy(at in Stalls) { effect { lose at.price coins } }
action take(c in deck, k in 1..2) { effect { move c to me.hand } }
rank winner by me.coins then shared
scenario tried { players A, B   play game { SCENE } }
"""


def tried(scene: str) -> ScenarioResult:
    checked = check_source(Source("shop.rules", TEXT.replace("SCENE", scene)))
    assert checked.checker is not None, checked.diagnostics
    return run_scenario(checked, checked.checker.checked_scenarios[0])


@pytest.mark.parametrize("scene", ["when A: buy(tavern)", "when A: take(ace, 2)", "then A can take(ace, 1)"])
def test_what_fits_is_found(scene: str) -> None:
    assert tried(scene).passed


@pytest.mark.parametrize(
    ("scene", "message"),
    [
        ("when A: buy(2)", "one of Stalls is asked for here, and this is a number"),
        ("then A cannot buy(2)", "one of Stalls is asked for here, and this is a number"),
        ("then A can take(ace, tavern)", "a number is asked for here, and this is one of Stalls"),
    ],
)
def test_an_answer_of_another_type_is_a_mistake(scene: str, message: str) -> None:
    found = tried(scene)
    assert not found.passed
    assert found.message == message


@pytest.mark.parametrize(
    ("scene", "seen"),
    [
        ("when A: buy(tavern)   then A.coins is 3", ("A.coins is 2",)),
        ("when A: buy(tavern)   then A.coins > B.coins", ("A.coins is 2", "B.coins is 5")),
        ("when A: buy(tavern)   then not (A.coins is 2)", ("A.coins is 2",)),
    ],
)
def test_what_was_seen_instead(scene: str, seen: tuple[str, ...]) -> None:
    found = tried(scene)
    assert not found.passed
    assert found.message == "this does not hold"
    assert found.detail == seen


def test_a_misspelt_answer_comes_with_its_remedy() -> None:
    found = tried("when A: buy(tavren)")
    assert found.message == "`tavren` is not the name of anything here"
    assert found.detail == ("did you mean `tavern`?",)


LINES = """edition 1
game lines "Lines" { players 2..2 }
track point/points per player: 0..9
phase main turns from players.first { offer wait }
end long at once when players.first.points is 9
action wait { effect { nothing } }
rank winner by me.points then shared
effect late { choose m in 1..2 "First" { nothing }   random n in 1..6 { gain n points } }
effect wide { choose a in 1..64 "A" { nothing }   choose b in 1..65 "B" { nothing } }
scenario tried { players A, B   play late as A { then lines.count is 1 } }
scenario tried_wide { players A, B   play wide as A { then lines.count is 1 } }
scenario tried_for_ever { players A, B   play main as A { then (lines where over).count is 1 } }
"""


@pytest.mark.parametrize(
    ("scenario", "message"),
    [
        (0, "nature decides something on these lines, so they cannot be counted"),
        (1, "there are more than 4096 lines from here"),
        (2, "there are more than 40000 decisions on the lines from here"),
    ],
)
def test_lines_that_cannot_be_counted(scenario: int, message: str) -> None:
    checked = check_source(Source("lines.rules", LINES))
    assert checked.checker is not None, checked.diagnostics
    found = run_scenario(checked, checked.checker.checked_scenarios[scenario])
    assert not found.passed
    assert found.message == message
    assert found.span is not None
    assert LINES[found.span.start : found.span.end] == "lines"
