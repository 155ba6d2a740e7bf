"""Why an action is possible or not: the tree says what the options say, and the nearest change makes it possible."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from random import Random

import pytest
from tests.interpreter.games_for_tests import SHIPPED
from tests.interpreter.lookalikes import twin_of

from regelwerk.dsl.source import Source
from regelwerk.interpreter import layout as la
from regelwerk.interpreter import machine
from regelwerk.interpreter.api import Game, State, UsageError, load
from regelwerk.interpreter.explaining import sight
from regelwerk.interpreter.explaining.actions import ActionReader
from regelwerk.interpreter.explaining.nearest import changes
from regelwerk.interpreter.explaining.reasons import Change, Reason, explanation_data
from regelwerk.interpreter.faults import Fault
from regelwerk.interpreter.loading import check_source
from regelwerk.interpreter.scenarios import Run


def derived(reason: Reason) -> bool | None:
    """Whether a tree holds by its parts."""
    parts = [each for each in reason.parts if each.kind != "value"]
    if reason.kind == "all" and parts:
        return all(map(derived, parts))
    if reason.kind == "any" and parts:
        return any(map(derived, parts))
    if reason.kind == "not" and parts:
        return not derived(parts[0])
    if reason.kind == "same" and parts:
        return derived(parts[0])
    if reason.kind == "if" and len(parts) == 3:
        return derived(parts[1] if derived(parts[0]) else parts[2])
    return reason.holds


def positions(game: Game, seed: int, steps: int, every: int) -> list[State]:
    """Some positions of a random game."""
    random = Random(seed)
    state = game.new(random.choice(list(game.players)), seed)
    found = []
    for step in range(steps):
        if state.status != "decision":
            break
        if step % every == seed % every:
            found.append(state.clone())
        state.step(random.randrange(len(state.raw_options)))
    return found


@pytest.mark.parametrize("name", SHIPPED)
def test_the_tree_holds_just_if_it_is_an_option(name: str) -> None:
    """For every action and many combinations of its parameters, in random play; and something would change it."""
    game, random = load(name), Random(1)
    seen: set[bool] = set()
    for seed in range(2):
        for state in positions(game, seed, 120, 9):
            decision = state.decision
            assert decision is not None
            offered = {option.id for option in decision.options}
            staged = machine.pending(state.program, state.image)[0].said is not None
            me = state.seats.index(decision.actor) + 1
            for symbol in game.checked.actions:
                looker = ActionReader(state, symbol, me)
                combinations = list(islice(looker.choices.matching(), 400))
                for values in random.sample(combinations, min(len(combinations), 8)):
                    state.image.work = la.WORK
                    tree = looker.tree(values)
                    legal = looker.choices.is_option(values) and looker.offer.holds is True
                    if not staged:
                        assert legal == (looker.choices.id(values) in offered)
                    assert tree.holds is legal, looker.choices.id(values)
                    assert derived(tree) is legal, looker.choices.id(values)
                    needed = changes(tree, True)
                    assert needed is not None
                    assert (needed == ()) is legal
                    seen.add(legal)
    assert seen == {True, False}


@pytest.mark.parametrize("name", SHIPPED)
def test_what_is_explained_is_an_option_just_if_it_says_so(name: str) -> None:
    game = load(name)
    for state in positions(game, 3, 100, 11):
        decision = state.decision
        assert decision is not None
        before = bytes(state.image.b)
        actions = {option.action for option in decision.options if option.action}
        for symbol in game.checked.actions:
            found = state.explain(symbol.name)
            assert found.seat == decision.actor
            if not state.answered_in_part:
                assert found.legal == (symbol.name in actions)
            assert found.legal == (found.nearest == ())
            explanation_data(found, lambda span: None)
        assert bytes(state.image.b) == before


@pytest.mark.parametrize("name", ["vienna", "grand_austria_hotel", "catan", "catan_austria"])
def test_goods_that_are_said_to_be_missing_are_all_that_is_missing(name: str) -> None:
    """Where only goods are missing, giving just these makes it possible, and giving one less does not."""
    game, done = load(name), 0
    for seed in range(4):
        for state in positions(game, seed, 200, 5):
            me = state.seats.index(state.actor or "") + 1
            for symbol in game.checked.actions:
                looker = ActionReader(state, symbol, me)
                for values in islice(looker.choices.matching(), 0, 200, 17):
                    near = changes(looker.tree(values), True) or ()
                    if not near or not all(each.store for each in near):
                        continue
                    for less, legal in ((1, False), (0, True)):
                        richer = state.clone()
                        for change in near:
                            give(richer, me, change, change.distance - less)
                        looked = ActionReader(richer, symbol, me)
                        assert looked.choices.is_option(values) is legal, (looker.choices.id(values), near)
                    done += 1
    assert done > 5


def give(state: State, player: int, change: Change, count: int) -> None:
    """Somebody has more of what a change speaks of."""
    name, seat = change.store.split(" of ")
    assert seat == state.seats[player - 1]
    for purse in state.program.purses:
        symbol = purse.unit.symbol
        member = f" {purse.unit.member}" if purse.unit.member is not None else ""
        if f"{symbol.name}{member}" == name:
            purse.write(state.image, purse.cell(player), purse.of(state.image, player) + count)
            return
    raise AssertionError(change.store)


# ------------------------------------------------------------------------------------------------------- a small game
SHOP = """edition 1
game shop "Shop" {{ players 2   seats Ann, Ben }}
resource coin/coins supply 40 start 1
track fame/fames per player: 0..20 start 0
cards Ware/Wares {{
  column price: 1..9
  column rank: 0..9 = 0
  | ware  | price | rank |
  | knife | 3     | 0    |
  | crown | 7     | 4    |
}}
zone shelf of Ware from Wares
zone bag per player of Ware
state closed: yes/no = no
phase game loop {{ phase turn turns from players.first {{ offer buy, wait }} }}
action buy(w in shelf) at most 2 per game "Buy" [S-1] {{
  require open: not closed else "the shop is closed" [S-2]
  require known: me.fame >= w.rank else "{{w}} is not for everybody"
  cost price: w.price coins "for {{w}}"
  effect {{ move w to me.bag   gain 1 fame }}
}}
action wait "Wait" {{ effect {{ nothing }} }}
end famous at once when some(p in players where p.fame >= 20)
rank winner by me.fame "fame"
scenario given_first "what is given" {{ players Ann, Ben
  given {{ set Ann.coins = {coins}   set Ann.fame = {fame}   set closed = {closed} }}
  play game.turn as Ann {{ {claims} }}
}}
"""


def shop(coins: int, fame: int = 0, closed: str = "no", claims: str = "when Ann: wait") -> Run:
    """The position after a scenario in the shop."""
    checked = check_source(Source("shop.rules", SHOP.format(coins=coins, fame=fame, closed=closed, claims=claims)))
    assert checked.checker is not None
    run = Run(checked, checked.checker.checked_scenarios[0])
    run.run()
    return run


def bought(coins: int, ware: str, fame: int = 0, closed: str = "no") -> list[str]:
    """What is missing before Ann can buy, in the shop."""
    state = shop(coins, fame, closed, "then Ann.coins >= 0").state
    return [each.text for each in state.explain("buy", ware, seat="Ann").nearest]


def test_the_least_that_is_missing() -> None:
    assert bought(3, "knife") == []
    assert bought(1, "knife") == ["2 more coins"]
    assert bought(2, "knife") == ["1 more coin"]
    assert bought(1, "knife", closed="yes") == ["`closed` must not hold", "2 more coins"]
    assert bought(7, "crown", fame=1) == ["3 more fames"]
    assert bought(6, "crown", fame=3) == ["1 more fame", "1 more coin"]


def test_without_values_the_nearest_of_all() -> None:
    state = shop(2, 0, "no", "then Ann.coins is 2").state
    found = state.explain("buy", seat="Ann")
    assert found.id == "buy knife"
    assert [each.text for each in found.nearest] == ["1 more coin"]
    assert found.looked_at == 2
    assert found.complete


@pytest.mark.parametrize("seed", range(25))
def test_the_nearest_change_given_in_a_scenario_makes_it_possible(seed: int) -> None:
    """What is named is added to the `given` of a scenario, whose claim is that it can be done."""
    random = Random(seed)
    coins, fame, ware = random.randrange(9), random.randrange(5), random.choice(["knife", "crown"])
    closed = random.choice(["yes", "no"])
    state = shop(coins, fame, closed, "then Ann.coins >= 0").state
    for change in state.explain("buy", ware, seat="Ann").nearest:
        if change.text.endswith("more coins") or change.text.endswith("more coin"):
            coins += change.distance
        elif "more fame" in change.text:
            fame += change.distance
        else:
            assert change.text == "`closed` must not hold"
            closed = "no"
    shop(coins, fame, closed, f"then Ann can buy({ware})")


def test_a_legal_action_says_what_it_costs_and_does() -> None:
    found = shop(5, 0, "no", "then Ann.coins is 5").state.explain("buy", "knife", seat="Ann")
    assert found.legal
    assert found.cost == "3 coins"
    assert found.effect == "{ move w to me.bag gain 1 fame }"
    assert found.citations == ("S-1",)
    known = {each.address: each for each in found.reason.parts}
    assert known["buy.open"].citations == ("S-2",)
    assert known["buy.price"].value == "needs 3 coins, has 5 coins"
    assert known["buy.limit"].value == "0 of 2 this game"
    assert known["buy.known"].parts[0].value == "0 >= 0"


def test_somebody_else_is_asked_for() -> None:
    found = shop(5, 0, "no", "then Ann.coins is 5").state.explain("buy", "knife", seat="Ben")
    assert not found.legal
    assert found.nearest[0].text == "`buy` must be offered to Ben (it is at `game.turn`)"
    assert found.reason.parts[0].value == "it is Ann who must decide now"


def test_what_cannot_be_chosen() -> None:
    found = shop(5, 0, "no", "when Ann: buy(knife)").state.explain("buy", "knife", seat="Ann")
    assert not found.legal
    assert "`w` one of: crown" in [each.text for each in found.nearest]


def test_names_that_are_not_there() -> None:
    state = shop(5).state
    with pytest.raises(UsageError, match="no action `bye`; did you mean `buy`"):
        state.explain("bye")
    with pytest.raises(UsageError, match="takes w, and here are 2 values"):
        state.explain("buy", "knife", "fork")
    with pytest.raises(UsageError, match="no seat"):
        state.explain("buy", seat="Eva")


# ------------------------------------------------------------------------------------------------------------- secrecy
HIDING = (
    "crazy_eights",
    "catan",
    "saeulen_von_venedig",
    "grand_austria_hotel",
    str(Path(__file__).parent / "games" / "secrets.rules"),
    str(Path(__file__).parents[1] / "tools" / "games" / "cellar.rules"),
)


def told_apart(name: str | Source, seeds: range) -> tuple[int, list[str]]:
    """How often something hidden was exchanged, and what was explained differently then to one who cannot know."""
    game, exchanged, found = load(name), 0, []
    for seed in seeds:
        random = Random(seed)
        for state in positions(game, seed, 60, 17):
            for seat in range(1, len(state.seats) + 1):
                twin = twin_of(state, seat, random)
                exchanged += twin.differ
                reader = state.seats[seat - 1]
                if twin.first.explain_score(reader) != twin.second.explain_score(reader):
                    found.append(f"seed {seed}, {reader}: points")
                for symbol in game.checked.actions:
                    one, two = (each.explain(symbol.name, seat=reader) for each in (twin.first, twin.second))
                    if one != two:
                        found.append(f"seed {seed}, {reader}: {one}\n{two}")
    return exchanged, found


@pytest.mark.parametrize("name", HIDING)
def test_nobody_is_told_what_he_may_not_know(name: str) -> None:
    exchanged, found = told_apart(name, range(2))
    assert found == []
    assert exchanged


PILE = """edition 1
game pile "Pile" { players 2 }
cards Card/Cards { column worth: 1..9
  | card | copies | worth |
  | low  | 6      | 1     |
  | high | 6      | 9     |
}
zone deck of Card order pile from Cards seen by nobody
zone hand per player of Card seen by owner
phase setup { step deal { shuffle deck   everyone { draw 2 from deck to me.hand } } }
phase game loop until deck is empty { phase round for p in players acting p { offer go, wait } }
action go { require some_left: some(c in players.last.hand) and some(c in players.first.hand)  effect { nothing } }
action wait "Wait" { effect { draw 1 from deck to me.hand } }
rank winner by me.seat
"""


def test_a_whole_that_is_open_does_not_open_its_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether somebody has a card is for all; which one is not."""
    source = Source("pile.rules", PILE)
    exchanged, found = told_apart(source, range(2))
    assert exchanged
    assert found == []
    monkeypatch.setattr(sight.Sight, "hides", lambda self, node: False)
    assert told_apart(source, range(2))[1]


def test_everything_can_be_told() -> None:
    state = load(Source("pile.rules", PILE)).new(2, 1)
    told = str(state.explain("go", everything=True))
    assert "c = low" in told or "c = high" in told
    assert "c = " not in str(state.explain("go"))


# -------------------------------------------------------------------------------------------------------------- hostile
HUGE = """edition 1
game huge "Huge" {{ players 2 }}
state x: 0..200 = 0
phase game loop {{ phase turn turns from players.first {{ offer go, wait }} }}
action go {{ require r: {condition}   effect {{ nothing }} }}
action wait "Wait" {{ effect {{ set x = x + 1 }} }}
end full at once when x is 200
rank winner by me.seat
"""


@pytest.mark.parametrize(
    "condition",
    [
        "every(a in 1..200: some(b in 1..200 where a + b < x))",
        "some(a in 1..900, b in 1..900 where a + b < x)",
        "sum(a in 1..200: sum(b in 1..200: sum(c in 1..30: a + b + c + x))) < 3",
        "\n and ".join(["some(a in 1..200, b in 1..200 where a + b < x)"] * 30),
        "(" * 25 + "x > 0" + " or x > 1)" * 25,
    ],
)
def test_hostile_rules_end_within_the_budget(condition: str) -> None:
    state = load(Source("huge.rules", HUGE.format(condition=condition))).new(2, 1)
    try:
        found = state.explain("go")
    except Fault as fault:
        code = fault.code
    else:
        code = "budget"
        assert not found.legal
        assert len(str(found)) < 2_000_000
    assert code == "budget"
