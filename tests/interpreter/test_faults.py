"""Faults: each stops the game, carries its code and the place in the rules, and the state cannot go on."""

from __future__ import annotations

import pytest

from regelwerk.dsl.diagnostics import RulesError
from regelwerk.dsl.source import Source
from regelwerk.interpreter.api import Fault, NotAnOption, State, load

FRAME = """edition 1
game faulty "Faulty" { players 2..2 }

fields Place/Places {
  | place |
  | a     |
  | b     |
}
cards Card/Cards copies 3
resource coin/coins supply 10 start 1
track point/points per player: 0..5 overflow forbidden
zone pool of Card from Cards
zone slot of Card capacity 1
state n: 0..9 = 0
state at: Place? = none
state trail: list of 1..4 up to 2 = []
state open: yes/no = yes
value next_place(p: Place) = Places.at(p.pos + 1)
phase main for p in players acting p { offer good, bad }
action good { require open: open   effect { set n = 0 } }
action bad { require open: open   effect { BODY } }
rank winner by me.points then shared
"""

CASES = {
    "number too high": ("range", "set n = n + 10"),
    "number too low": ("range", "set n = n - 1"),
    "track over its end": ("range", "gain 6 points"),
    "negative amount": ("range", "gain (n - 1) coins"),
    "list too long": ("range", "set trail = trail + [1, 2, 3]"),
    "division by zero": ("range", "set n = 5 div n"),
    "a missing thing": ("none", "set n = at.pos"),
    "a missing thing in a sum": ("none", "set n = 1 + at.pos"),
    "nobody acts": ("none", "acting first(p in players where p.coins > 5) { gain 1 coin }"),
    "not payable": ("unpaid", "pay 2 coins"),
    "no points to pay": ("unpaid", "pay 1 point"),
    "over capacity": ("full", "move pool to slot"),
    "one more than fits": ("full", "move pool.first to slot   move pool.first to slot"),
    "nothing to offer": ("dead_end", "set open = no   offer good"),
}


def state_with(body: str) -> State:
    return load(Source("faulty.rules", FRAME.replace("BODY", body))).new(2, 1)


@pytest.mark.parametrize("name", CASES)
def test_the_code_and_the_place(name: str) -> None:
    code, body = CASES[name]
    state = state_with(body)
    with pytest.raises(Fault) as stopped:
        state.step("bad")
    fault = stopped.value
    assert fault.code == code
    assert fault.message
    assert fault.span is not None
    assert fault.span.source == "faulty.rules"
    text = FRAME.replace("BODY", body)
    line = text.count("\n", 0, fault.span.start)
    assert text.split("\n")[line].startswith(("action bad", "phase main")), text[fault.span.start : fault.span.end]


@pytest.mark.parametrize("name", CASES)
def test_a_stopped_game_cannot_go_on(name: str) -> None:
    state = state_with(CASES[name][1])
    with pytest.raises(Fault):
        state.step("bad")
    assert state.status == "fault"
    assert state.fault is not None
    assert state.decision is None
    assert state.outcome is None
    assert state.actor is None
    for answer in (0, "bad", "good"):
        with pytest.raises((Fault, NotAnOption)):
            state.step(answer)
    with pytest.raises((Fault, NotAnOption)):
        state.answer_chance(None)
    assert state.status == "fault"
    copy = state.clone()
    assert copy.status == "fault"
    assert state.view("A") is not None


def test_a_fault_in_one_copy_does_not_stop_the_other() -> None:
    state = state_with("pay 2 coins")
    copy = state.clone()
    with pytest.raises(Fault):
        copy.step("bad")
    assert state.status == "decision"
    state.step("good")
    assert state.status == "decision"


def test_the_same_fault_again() -> None:
    messages = set()
    for _ in range(3):
        state = state_with("set n = n - 1")
        with pytest.raises(Fault) as stopped:
            state.step("bad")
        messages.add((stopped.value.code, stopped.value.message, stopped.value.span))
    assert len(messages) == 1


ENDLESS = {
    "repeat": "repeat at most 30000 { repeat at most 30000 { set n = 1 - n } }",
    "for": "for i in 1..1000, j in 1..1000, k in 1..1000 { set n = 1 - n }",
    "everyone": "repeat at most 30000 { everyone { repeat at most 30000 { set n = 1 - n } } }",
}


@pytest.mark.parametrize("name", ENDLESS)
def test_a_million_statements_are_too_many(name: str) -> None:
    """Refused at load, or stopped with `budget` (section 16: 1,000,000 statements between two decisions)."""
    try:
        state = state_with(ENDLESS[name])
    except RulesError:
        return
    with pytest.raises(Fault) as stopped:
        state.step("bad")
    assert stopped.value.code == "budget"
    assert stopped.value.span is not None
    assert state.status == "fault"


def test_a_loop_of_phases_without_a_decision_is_stopped() -> None:
    rules = """edition 1
game round_and_round "Round and round" { players 1..1 }
state n: 0..1 = 0
track point/points per player: 0..9
phase main loop until n > 1 { step turn { set n = 1 - n } }
rank winner by me.points then shared
"""
    try:
        game = load(Source("loop.rules", rules))
    except RulesError:
        return
    with pytest.raises(Fault) as stopped:
        game.new(1, 1)
    assert stopped.value.code == "budget"


def test_turns_that_nobody_takes_do_not_hang() -> None:
    """Every seat is passed over, and `while` holds for ever: the phase ends, or a fault stops it."""
    rules = """edition 1
game skipped "Skipped" { players 2..2 }
track point/points per player: 0..9
state on: yes/no = yes
phase main turns from players.first while on skip me.points is 0 { offer stop }
action stop { effect { set on = no } }
rank winner by me.points then shared
"""
    try:
        state = load(Source("skipped.rules", rules)).new(2, 1)
    except Fault as fault:
        found = ("fault", str(fault.code))
    else:
        found = (state.status, "")
    assert found in (("over", ""), ("fault", "budget"), ("fault", "dead_end"))


DEPTH = """edition 1
game deep "Deep" { players 1..1 }
state n: 0..999 = 0
track point/points per player: 0..9
effect ping { set n = n + 1 }
effect pong { set n = n + 1 }
trigger one: after ping while n < LIMIT { do pong }
trigger two: after pong while n < LIMIT { do ping }
phase main for p in players acting p { offer start }
action start { effect { do ping } }
rank winner by me.points then shared
"""


def test_rules_that_fire_each_other() -> None:
    """Refused at load (call graph acyclic, section 16), or `depth` at run time (section 9)."""
    try:
        game = load(Source("deep.rules", DEPTH.replace("LIMIT", "900")))
    except RulesError:
        return
    state = game.new(1, 1)
    with pytest.raises(Fault) as stopped:
        state.step(0)
    assert stopped.value.code == "depth"


def test_a_clash_of_modifiers() -> None:
    rules = FRAME.replace("BODY", "set n = strength") + (
        "value strength = 1\n"
        "rule r1: modify strength while open becomes 2\n"
        "rule r2: modify strength while n is 0 becomes 3\n"
    )
    state = load(Source("clash.rules", rules)).new(2, 1)
    with pytest.raises(Fault) as stopped:
        state.step("bad")
    assert stopped.value.code == "clash"
    assert stopped.value.span is not None


def test_a_fault_before_the_first_decision() -> None:
    rules = FRAME.replace("BODY", "nothing").replace(
        "phase main", "phase setup { step s { set n = 10 - 20 } }\nphase main"
    )
    try:
        game = load(Source("early.rules", rules))
    except RulesError:
        return
    with pytest.raises(Fault) as stopped:
        game.new(2, 1)
    assert stopped.value.code == "range"
