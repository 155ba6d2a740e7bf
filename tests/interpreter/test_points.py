"""Where points come from: what is listed adds up to the points, and says which clause gave them and when."""

from __future__ import annotations

from random import Random

import pytest
from tests.interpreter.games_for_tests import SHIPPED

from regelwerk.dsl.source import Source
from regelwerk.interpreter.api import State, load
from regelwerk.interpreter.explaining.reasons import Account, Entry, points_data


def played(name: str | Source, seed: int, most: int) -> State:
    """A random game, over or after so many decisions."""
    game, random = load(name), Random(seed)
    state = game.new(random.choice(list(game.players)), seed)
    while state.status != "over" and state.decisions < most:
        state.step(random.randrange(len(state.raw_options)))
    return state


def adds_up(account: Account | Entry) -> None:
    """The parts of every number add up to it."""
    if isinstance(account, Account):
        assert sum(each.amount for each in account.entries) == account.total
        for each in account.entries:
            adds_up(each)
    elif account.parts:
        assert sum(each.amount for each in account.parts) == account.amount
        for each in account.parts:
            adds_up(each)


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize(("seed", "most"), [(1, 60), (2, 3000)])
def test_the_entries_add_up_to_the_points(name: str, seed: int, most: int) -> None:
    """For every seat; in the middle and at the end, where it is what the outcome says."""
    state = played(name, seed, most)
    before = bytes(state.image.b)
    found = state.explain_score()
    assert [each.seat for each in found] == list(state.seats)
    for points in found:
        points_data(points, lambda span: None)
        assert points.over == (state.status == "over")
        assert points.accounts
        for account in points.accounts:
            adds_up(account)
            assert not [each for each in account.entries if each.what in ("set", "unknown")]
        outcome = state.outcome
        if outcome is not None:
            for account in points.accounts:
                if account.kind == "rank":
                    assert account.total == outcome.keys[points.seat][0][1]
                else:
                    lines = [line for line in outcome.lines if line.score == account.name]
                    assert account.total == sum(line.values[points.seat] for line in lines)
    assert bytes(state.image.b) == before


def test_the_decision_is_the_one_of_the_record() -> None:
    """Played as far as before the decision that is named the points are not there yet, and behind it they are."""
    state = played("vienna", 3, 300)
    answers = [entry for entry in state.recording if entry[0] != "~"]
    (account, *_), checked = state.explain_score(state.seats[0])[0].accounts, 0
    for entry in account.entries:
        if entry.decision:
            assert entry.by == ": ".join(answers[entry.decision - 1])
            assert state.game.address(entry.span) == entry.address
            checked += 1
    assert checked


BANK = """edition 1
game fees "Fees" { players 2  seats Ann, Ben }
track point/points per player: 0..10 start 2 overflow { gain excess coins "too many" }
resource coin/coins supply 50 start 6
phase game { phase round for n in 1..3 { phase turn for p in players acting p { offer work, pay_up, jump } } }
action work { effect { gain 4 points "work" } }
action pay_up { cost fee: 2 coins   effect { gain 1 point } }
action jump { effect { set me.points = 9 } }
score money { line coins "half of the coins" = me.coins div 2   line fame "fame" = me.points }
end late after game when yes { everyone { gain me.money points "money"   lose 1 point "tax" } }
rank winner by me.points - me.money "points" then shared
"""


def told(entry: Entry) -> tuple[str, float, str, int | None, str]:
    return entry.what, entry.amount, entry.address, entry.decision, entry.note


def test_every_kind_of_entry() -> None:
    state = load(Source("fees.rules", BANK)).new(2, 1)
    for answer in ("work", "pay_up", "jump", "work", "work", "work"):
        state.step(answer)
    rank, money = state.explain_score("Ann")[0].accounts
    assert [told(each) for each in rank.entries[:6]] == [
        ("start", 2, "point", 0, ""),
        ("gain", 4, "work", 1, "work"),
        ("set", 3, "point", 3, ""),
        ("gain", 1, "work", 5, "work"),
        ("lose", -1, "late", 6, "tax"),
        ("line", -11, "money.coins", None, "half of the coins"),
    ]
    adds_up(rank)
    adds_up(money)
    assert (money.kind, money.total) == ("score", 14)
    fame = money.entries[1]
    assert fame.parts[-1].address == "work"  # the tax came when the end had been declared
    ben = state.explain_score("Ben")[0].accounts
    assert ("pay", -2, "pay_up", 2, "") in [told(each) for each in ben[1].entries[0].parts] or ben[1].entries[0].amount


def test_a_saved_game_does_not_know_what_was_before() -> None:
    state = played("vienna", 1, 200)
    restored = state.game.restore(state.save())
    for account in restored.explain_score(restored.seats[1])[0].accounts:
        adds_up(account)


def test_hidden_lines_stay_hidden() -> None:
    """Points that a player cannot count himself are not told to him before the end."""
    source = Source(
        "cards.rules",
        """edition 1
game cards "Cards" { players 2 }
cards Card/Cards { column worth: 1..9
  | card | copies | worth |
  | low  | 4      | 1     |
  | high | 4      | 9     |
}
zone deck of Card order pile from Cards seen by nobody
zone pot per player of Card seen by nobody
phase setup { step deal { shuffle deck   everyone { draw 2 from deck to me.pot } } }
phase game { phase round for p in players acting p { offer go } }
action go "Go" { effect { nothing } }
score final { line pot "what lies in the pot" = sum(c in me.pot: c.worth) }
rank winner by me.final "points"
""",
    )
    state = load(source).new(2, 5)
    account = state.explain_score("A")[0].accounts[0]
    assert (account.total, account.entries[0].what, account.entries[0].amount) == (0, "hidden", 0)
    assert account.entries[0].reason is not None
    assert account.entries[0].reason.hidden
    account = state.explain_score("A", everything=True)[0].accounts[0]
    assert account.total == sum(each.amount for each in account.entries) > 0
