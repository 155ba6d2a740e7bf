"""Decisions that are asked in stages: what the stages reach is what the whole list holds, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest

import regelwerk
from regelwerk.dsl.source import Source
from regelwerk.interpreter import machine
from regelwerk.interpreter.api import Game, NotAnOption, State
from regelwerk.interpreter.decisions import STAGE, Raw
from regelwerk.interpreter.replays import Replay

HEAD = """edition 1
game stages "Stages" { players 2 }
use grids(Cell)
enum Good/Goods { wood, ore, wool }
enum Ground { land, canal }
resource good/goods per Good supply 9 start 2
fields Cell/Cells grid {
  column ground: Ground
  drawing ground \"\"\"
    ..~.
    .~~.
  \"\"\" legend { ".": land, "~": canal }
}
cards Card/Cards {
  column worth: 0..9
  | card | copies | worth |
  | ca   | 2      | 1     |
  | cb   | 3      | 2     |
  | cc   | 1      | 4     |
}
zone pool of Card from Cards
zone hand per player of Card
state a: 0..99 = 0
phase main for p in players acting p { offer act, wait }
action wait { effect { nothing } }
rank winner by me.goods.total then shared
value dry(c: Cell) = c.ground is land
value worth_of(cards: set of Card) = sum(c in cards: c.worth)
"""

ACTIONS = {
    "tally": "give in 1..2 of me.goods, take in 1..2 times Goods where give(it) is 0",
    "tally with a requirement": "give in 1..2 of me.goods, take in 0..2 times Goods) "
    "{ require same: give.total is take.total",
    "most of an amount": "n in 1..3, take in as many as possible up to n times Goods "
    "where bank.goods(it) - 4 > chosen(it)",
    "connected cells": "n in 1..3, cs in as many as possible up to n of Cells where it is dry and "
    "(if chosen is empty then it.row is 1 else some(s in .sides where s in chosen)), give in 1 of me.goods",
    "a budget": "cards in up to 4 of pool where sum(chosen.worth) + it.worth <= 5, give in 1 of me.goods",
    "a sum": "cards in 1..4 of pool, give in 1 of me.goods) { require whole: worth_of(cards) is 5",
    "many pairs": "x in 1..40, y in 1..40 where it + x > 75) { require odd: (x + y) mod 2 is 1",
    "many sets": "cards in 2..3 of pool, x in 1..40, y in 1..40 where it + x > 78",
    "a cost": "x in 1..40, y in 1..40 where it is x) { cost pay: (x div 10) wood",
}


def game(parameters: str) -> Game:
    body = parameters if ") {" in parameters else parameters + ") {"
    return regelwerk.load(Source("stages.rules", f"{HEAD}action act({body} effect {{ set a = 1 }} }}\n"))


def whole(state: State) -> set[Raw]:
    activation = machine.load_frames(state.program, state.image)[-1]
    return set(activation.block.test.whole(state.image, activation.locals))


def reached(state: State) -> Iterator[tuple[Raw, State]]:
    """Every whole option that the stages lead to, with the state after it."""
    for raw in state.raw_options:
        after = state.clone()
        before = machine.load_frames(after.program, after.image)[-1]
        site, env = before.block.test, before.locals
        complete = site.answer(after.image, env, raw) if site.said is not None else raw
        after.step_raw(raw)
        if complete is None:
            yield from reached(after)
        else:
            yield complete, after


@pytest.mark.parametrize("name", ACTIONS)
def test_the_stages_reach_every_whole_option_and_no_other(name: str) -> None:
    state = game(ACTIONS[name]).new(2)
    found = [raw for raw, _ in reached(state)]
    assert set(found) == whole(state)
    assert len(found) == len(set(found)) or name in ("connected cells", "a budget")  # these are picked in any order
    assert len(found) > 5


@pytest.mark.parametrize("name", ACTIONS)
def test_no_stage_is_a_dead_end_and_none_is_long(name: str) -> None:
    state = game(ACTIONS[name]).new(2)
    waiting, seen = [state], 0
    while waiting and seen < 300:
        here = waiting.pop()
        seen += 1
        assert 1 <= len(here.raw_options) <= 41
        assert here.decision is not None
        texts = [option.id for option in here.decision.options]
        assert len(texts) == len(set(texts))
        for raw in here.raw_options:
            after = here.clone()
            after.step_raw(raw)
            if after.status == "decision" and after.raw_options[0][0] == STAGE:
                waiting.append(after)


@pytest.mark.parametrize("name", ACTIONS)
def test_the_whole_id_and_the_stages_come_to_the_same_state(name: str) -> None:
    rules = game(ACTIONS[name])
    state = rules.new(2)
    for raw, after in islice(reached(state), 40):
        texts = state.program.texts
        parameters = rules.checked.actions[[a.name for a in rules.checked.actions].index("act")].parameters
        if raw[0] != 0 or not raw[1]:
            continue
        text = " ".join(["act", *(texts.id(v, kind) for v, (_, kind, _) in zip(raw[1], parameters, strict=True))])
        direct = state.clone()
        direct.step(text)
        direct.image.w[7] = after.image.w[7]  # decisions are counted, and one whole answer is one
        assert direct.image.b == after.image.b
        assert Replay.parse(direct.replay().text()).run(rules).image.b[64:] == direct.image.b[64:]


def test_a_whole_id_that_does_not_fit_is_refused_and_changes_nothing() -> None:
    state = game(ACTIONS["tally"]).new(2)
    before = bytes(state.image.b)
    for wrong in (
        "act [1 0 0] [1 0 0]",
        "act [9 9 9] [0 1 0]",
        "act [1 0 0]",
        "act",
        "act [] []",
        "act x y",
        "act [1 0 0] [0 x 0]",
    ):
        if wrong == "act":
            continue  # it opens the stages
        with pytest.raises(NotAnOption):
            state.step(f"act {wrong}")
        assert bytes(state.image.b) == before


def test_a_save_in_the_middle_of_the_stages_goes_on_there() -> None:
    rules = game(ACTIONS["tally"])
    state = rules.new(2)
    state.step("act")
    state.step("wood")
    again = rules.restore(state.save())
    assert again == state
    assert [o.id for o in again.decision.options] == ["wood", "ore", "wool", "enough"]  # type: ignore[union-attr]
    for each in (state, again):
        each.step("enough")
        each.step("ore")
    assert again == state
    text = state.replay().text()
    assert Replay.parse(text).run(rules).image.b[64:] == state.image.b[64:]


def test_the_question_says_what_is_asked_and_what_was_said() -> None:
    state = game(ACTIONS["tally"]).new(2)
    state.step("act")
    assert state.decision is not None
    assert (state.decision.address, state.decision.text) == ("act.give", "act: give?")
    state.step("wood")
    assert state.decision.text == "act: give? (so far give 1 wood)"
    state.step("enough")
    assert (state.decision.address, state.decision.text) == ("act.take", "act: take? (so far give 1 wood)")


ROBBER = """edition 1
game robber "Robber" { players 2..3 }
enum Good/Goods { wood, ore, wool }
resource good/goods per Good supply 90 start 3 seen by owner
phase seven together players where it.goods.total > 7 { offer discard }
action discard(cards in me.goods.total div 2 of me.goods) "Discard half" { effect { lose cards } }
rank winner by me.goods.total then shared
"""


def test_players_who_decide_together_can_mix_their_stages() -> None:
    start = regelwerk.load(Source("robber.rules", ROBBER)).new(3)
    answers = {"A": ["wood", "ore", "wool", "wool"], "B": ["wood", "wood", "wood", "ore"], "C": ["wool"] * 3 + ["wool"]}
    answers["C"] = ["ore", "ore", "wool", "wool"]
    ends = set()
    for order in ("AAAABBBBCCCC", "ABCABCABCABC", "CCBBAACCBBAA", "BACACBBCAABC"):
        state, left = start.clone(), {seat: list(each) for seat, each in answers.items()}
        for seat in order:
            assert state.actor == next(each for each in "ABC" if left[each])
            state.step(left[seat].pop(0), seat)
        assert state.status == "over"
        ends.add(bytes(state.image.b))
    assert len(ends) == 1


def test_a_sealed_whole_answer_is_taken_too() -> None:
    state = regelwerk.load(Source("robber.rules", ROBBER)).new(2)
    state.step("discard [1 1 2]", "B")
    assert state.actors == ("A",)
    with pytest.raises(NotAnOption):
        state.step("discard [4 0 0]", "A")
    state.step("discard [3 1 0]", "A")
    assert state.status == "over"
