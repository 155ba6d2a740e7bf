"""Replays of changed rules: at which step, and by which clause, they stop fitting.

A small game is changed in each way."""

from __future__ import annotations

import pytest

from regelwerk.dsl.source import Source
from regelwerk.interpreter.api import Game, State, load
from regelwerk.interpreter.replays import Replay, ReplayError

RULES = """edition 1
game shop "Shop" { players 2..2   seats Ann, Bob }
option night: yes/no = no
fields Stall/Stalls {
  column price: 0..9
  | stall | price |
  | bread | 1     |
  | wine  | 3     |
  | silk  | 5     |
}
dice Die/Dice copies 1 faces 1..6
zone cup of Die from Dice
resource coin/coins supply 40 start 6
track point/points per player: 0..50
state luck: 0..6 = 0
phase game for k in 1..3 {
  phase round {
    step throw { roll cup }
    phase turn for p in players acting p { offer buy, rest or pass }
  }
}
action buy(s in Stalls) {
  require open: luck is 0 else "closed today"
  cost price: s.price coins
  effect { choose k in 1..2 "How many points?" { gain k points } }
}
action rest { effect { may gain 1 point } }
end rich at once when some(p in players where p.points >= 9)
rank winner by me.points then shared
"""

ANSWERS = ["buy wine", "2", "rest", "yes", "pass", "buy bread", "1"]


def game(*changes: tuple[str, str]) -> Game:
    text = RULES
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return load(Source("shop.rules", text))


def recorded() -> Replay:
    state = game().new(seed=3)
    for answer in ANSWERS:
        state.step(answer)
    return state.replay()


def refused(*changes: tuple[str, str], replay: Replay | None = None) -> tuple[ReplayError, Game]:
    changed = game(*changes)
    with pytest.raises(ReplayError) as stopped:
        (replay or recorded()).run(changed)
    assert changes == () or "the rules have changed since it was recorded" in str(stopped.value)
    return stopped.value, changed


def line_of(error: ReplayError, changed: Game) -> str:
    """The source line that the error points at."""
    assert error.misfit is not None
    assert error.misfit.span is not None
    source = changed.sources["shop.rules"]
    return source.line(source.position(error.misfit.span.start)[0]).strip()


def test_the_record_fits_the_rules_it_was_made_of() -> None:
    replay = recorded()
    assert [each for each in replay.entries if each[0] != "~"] == [
        ("Ann", "buy wine"),
        ("Ann", "2"),
        ("Bob", "rest"),
        ("Bob", "yes"),
        ("Ann", "pass"),
        ("Bob", "buy bread"),
        ("Bob", "1"),
    ]
    assert [k for k, each in enumerate(replay.entries) if each[0] == "~"] == [0, 5, 9]
    assert replay.run(game()).decisions == len(ANSWERS)


CLOSED = ("state luck: 0..6 = 0", "state luck: 0..6 = 1")
CASES: dict[str, tuple[list[tuple[str, str]], int, str, str, str]] = {
    # the changes, the step, its message, the clause, the line of the rules
    "a requirement refuses": (
        [CLOSED],
        2,
        "`buy wine` is refused by buy.open (closed today)",
        "buy.open",
        "require open:",
    ),
    "a cost refuses": (
        [("start 6", "start 2")],
        2,
        "`buy wine` is refused by buy.price (you need 3 coins)",
        "buy.price",
        "cost price:",
    ),
    "two clauses refuse": (
        [CLOSED, ("start 6", "start 2")],
        2,
        "`buy wine` is refused by buy.open (closed today) and buy.price (you need 3 coins)",
        "buy.open",
        "require open:",
    ),
    "a rule forbids": (
        [("end rich", 'rule strike: forbid buy because "they strike"\nend rich')],
        2,
        "`buy wine` is refused by strike (they strike)",
        "strike",
        "rule strike:",
    ),
    "the head refuses": (
        [("s in Stalls)", "s in Stalls where s.price < 3)")],
        2,
        "`buy wine` is refused by buy.s (s is not among the choices)",
        "buy.s",
        "action buy(",
    ),
    "a limit refuses": (
        [("action rest {", "action rest at most 0 per turn {")],
        4,
        "`rest` is refused by rest.limit (it has been done as often as it may)",
        "rest.limit",
        "action rest",
    ),
    "a row is gone": (
        [("  | wine  | 3     |\n", "")],
        2,
        "`wine` is not among what can be chosen for `s` (buy)",
        "buy",
        "action buy(",
    ),
    "a parameter more": (
        [("s in Stalls)", "s in Stalls, n in 1..2)")],
        2,
        "the action `buy` has 2 parameters now, and this gives 1",
        "buy",
        "action buy(",
    ),
    "no longer offered": (
        [("offer buy, rest or pass", "offer rest or pass")],
        2,
        "the action `buy` is no longer offered here (game.round.turn); offered is `rest`",
        "game.round.turn",
        "phase turn",
    ),
    "the action is gone": (
        [("offer buy, rest", "offer buy, sleep"), ("action rest {", "action sleep {")],
        4,
        "the game has no action `rest`; here (game.round.turn) `buy` or `sleep` is offered",
        "game.round.turn",
        "phase turn",
    ),
    "nobody may pass": (
        [("rest or pass", "rest")],
        7,
        "nobody may pass here any more (game.round.turn)",
        "game.round.turn",
        "phase turn",
    ),
    "another decides": (
        [("for p in players acting p {", "for p in players acting players.at(3 - p.seat) {")],
        2,
        "Bob decides here (game.round.turn), not Ann",
        "game.round.turn",
        "phase turn",
    ),
    "a choice has other values": (
        [("choose k in 1..2", "choose k in 3..4")],
        3,
        "`2` is not among the options here (buy); there are `3` and `4`",
        "buy",
        "effect { choose",
    ),
    "a choice is gone": (
        [('choose k in 1..2 "How many points?" { gain k points }', "gain 1 point")],
        3,
        "Bob decides here (game.round.turn), not Ann",
        "game.round.turn",
        "phase turn",
    ),
    "an alternative is another": (
        [("may gain 1 point", "gain 1 point or gain 1 coin")],
        5,
        "`yes` is not among the options here (rest); there are `way 1` and `way 2`",
        "rest",
        "action rest",
    ),
    "nature no longer decides": (
        [("step throw { roll cup }", "step throw { nothing }")],
        1,
        "Ann decides here (game.round.turn), not nature",
        "game.round.turn",
        "phase turn",
    ),
    "nature decides first": (
        [("effect { choose", "effect { roll cup  choose")],
        3,
        "nature decides here (roll of Dice, buy), not Ann",
        "buy",
        "effect { roll cup",
    ),
    "the game is over": (
        [("p.points >= 9", "p.points >= 2")],
        4,
        "the game is over here (rich), and Bob has nothing to decide",
        "rich",
        "end rich",
    ),
    "nature has other outcomes": (
        [("faces 1..6", "faces 7..9")],
        1,
        "is not possible for the roll",
        "game.round.throw",
        "step throw",
    ),
    "a fault stops the game": (
        [("effect { may gain 1 point }", "effect { gain (luck - 1) points }")],
        4,
        "the game is stopped by rest (fault `range`): an amount cannot be negative, and this is -1",
        "rest",
        "action rest",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_step_and_the_clause_are_named(name: str) -> None:
    changes, step, message, rule, line = CASES[name]
    error, changed = refused(*changes)
    assert error.misfit is not None
    assert (error.step, message in error.misfit.message) == (step, True), error.misfit.message
    assert str(error).startswith(f"step {step} (")
    assert error.misfit.message in str(error)
    assert error.misfit.rule == rule
    assert line_of(error, changed).startswith(line)


def test_the_reasons_are_refusals() -> None:
    error, _ = refused(CLOSED, ("start 6", "start 2"))
    assert error.misfit is not None
    assert [(each.address, each.text) for each in error.misfit.reasons] == [
        ("buy.open", "closed today"),
        ("buy.price", "you need 3 coins"),
    ]


def with_head(old: str, new: str) -> Replay:
    text = recorded().text()
    assert old in text
    return Replay.parse(text.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("game shop", "game stall", "this replay is of `stall`, not of `shop`"),
        ("seats Ann Bob", "seats Ann Bob Cem", "is for 2 players, not for 3"),
        ("seed 3", "option day yes\nseed 3", "the game has no option `day`"),
        ("seed 3", "option night maybe\nseed 3", "`maybe` is not possible"),
    ],
)
def test_heads_that_do_not_fit(old: str, new: str, message: str) -> None:
    error, _ = refused(replay=with_head(old, new))
    assert message in str(error)
    assert error.step == 0
    assert error.misfit is None


def test_entries_that_were_edited() -> None:
    text = recorded().text()
    for old, new, message in (
        ("Ann: buy wine", "Eve: buy wine", "Ann decides here (game.round.turn), not Eve"),
        ("Ann: buy wine", "Ann: fly away", "the game has no action `fly`"),
        ("Ann: buy wine", "Ann: done", "nobody may say that it is enough here"),
        ("Ann: 2\n", "Ann: buy wine\n", "`buy wine` is not among the options here (buy)"),
    ):
        error, _ = refused(replay=Replay.parse(text.replace(old, new)))
        assert message in str(error)
        assert "changed" not in str(error)


def test_a_fault_at_the_last_entry_is_a_fault_again() -> None:
    stopping = ("effect { may gain 1 point }", "effect { gain (luck - 1) points }")
    state = game(stopping).new(seed=3)
    with pytest.raises(Exception, match="negative"):
        state.step("rest")
    again: State = state.replay().run(game(stopping))
    assert again.status == "fault"
    assert again.fault is not None
    assert (again.fault.code, again.fault.rule, again.fault.decisions) == ("range", "rest", 1)
    assert (again.fault.seed, again.fault.seats, again.fault.options) == (3, ("Ann", "Bob"), {})
    assert again.recording == state.recording


def test_a_fault_before_the_first_decision() -> None:
    error, _ = refused(("step throw { roll cup }", "step throw { set luck = luck - 1 }"))
    assert error.step == 0
    assert "the start does not fit: the game is stopped by game.round.throw (fault `range`)" in str(error)


def test_many_options_are_not_all_listed() -> None:
    error, _ = refused(("choose k in 1..2", "choose k in 3..40"))
    assert "there are `3`, `4`, `5`, `6`, `7`, `8` and 32 more" in str(error)
