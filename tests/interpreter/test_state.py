"""States: copies, saved games, equality, determinism, explicit chance, refused answers."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import subprocess
import sys
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import regelwerk
from regelwerk.interpreter.api import Fault, NotAnOption, State, UsageError

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.interpreter.games_for_tests import HERE, NAMES, game, random_game

MAGIC_LENGTH = len(b"regelwerk save 1\n")


def signed(rest: bytes) -> bytes:
    """A save whose digest is right, as somebody would make it who means harm."""
    return b"regelwerk save 1\n" + hashlib.sha256(rest).hexdigest().encode() + b"\n" + rest


def bytes_of(state: State) -> bytes:
    return bytes(state.image.b)


@pytest.mark.parametrize("name", NAMES)
def test_a_copy_is_independent(name: str) -> None:
    random = Random(1)
    for state in islice(random_game(name, 3), 25):
        before, copy = bytes_of(state), state.clone()
        assert copy == state
        assert bytes_of(copy) == before
        recorded = list(copy.recording)
        if copy.decision is None:
            continue
        copy.step(random.choice(copy.decision.options))
        assert bytes_of(state) == before
        assert state.recording == recorded
        assert copy != state


@pytest.mark.parametrize("name", NAMES)
def test_a_copy_goes_on_in_the_same_way(name: str) -> None:
    for state in islice(random_game(name, 4), 20):
        copy = state.clone()
        if state.decision is None:
            break
        assert copy.decision == state.decision
        one, other = state.clone(), copy.clone()
        answer = len(state.decision.options) // 2
        assert one.step(answer) == other.step(answer)
        assert bytes_of(one) == bytes_of(other)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(3))
def test_saving_and_restoring_at_every_decision(name: str, seed: int) -> None:
    for state in random_game(name, seed):
        data = state.save()
        back = game(name).restore(data)
        assert back.save() == data
        assert bytes_of(back) == bytes_of(state)
        assert back == state
        assert back.decision == state.decision
        assert (back.status, back.actor, back.phase) == (state.status, state.actor, state.phase)
        assert back.outcome == state.outcome


@pytest.mark.parametrize("name", NAMES)
def test_a_restored_game_goes_on_in_the_same_way(name: str) -> None:
    for state in islice(random_game(name, 8), 0, None, 7):
        back = game(name).restore(state.save())
        copy = state.clone()
        while copy.decision is not None and copy.decisions < state.decisions + 5:
            assert copy.step(0) == back.step(0)
            assert copy.save() == back.save()


@pytest.mark.parametrize("name", NAMES)
def test_truncated_saves_are_refused(name: str) -> None:
    state = next(islice(random_game(name, 1), 4, None))
    data = state.save()
    cuts = {0, 1, MAGIC_LENGTH - 1, MAGIC_LENGTH, MAGIC_LENGTH + 1, len(data) // 2, len(data) - 2, len(data) - 1}
    cuts |= set(range(0, len(data), 1 + len(data) // 60))
    for cut in sorted(cuts):
        with pytest.raises(UsageError):
            game(name).restore(data[:cut])


@pytest.mark.parametrize("name", NAMES)
def test_longer_saves_are_refused(name: str) -> None:
    data = next(random_game(name, 1)).save()
    for more in (b"\0", b"x" * 100):
        with pytest.raises(UsageError):
            game(name).restore(data + more)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_flipped_bytes_are_refused(name: str, data: st.DataObject) -> None:
    saved = bytearray(next(islice(random_game(name, 2), 6, None)).save())
    for place in data.draw(st.sets(st.integers(0, len(saved) - 1), min_size=1, max_size=3)):
        saved[place] ^= data.draw(st.integers(1, 255))
    with pytest.raises(UsageError):
        game(name).restore(bytes(saved))


def test_saves_of_other_rules_are_refused() -> None:
    data = next(random_game("dice", 1)).save()
    for name in ("secrets", "vienna"):
        with pytest.raises(UsageError):
            game(name).restore(data)


@pytest.mark.parametrize(
    "head",
    [
        {},
        [],
        None,
        3,
        {"seats": 3},
        {"seats": ["Ann"], "options": [], "seed": "x"},
        {"seats": [], "options": {}, "seed": 0, "recording": [], "rules": "", "layout": ""},
    ],
)
def test_strange_heads_are_refused(head: object) -> None:
    with pytest.raises(UsageError):
        game("dice").restore(signed(json.dumps(head).encode() + b"\n" + bytes(100)))


@pytest.mark.parametrize(
    "change",
    [
        {"seats": ["Ann"]},
        {"seats": ["Ann", "Ann", "Ann"]},
        {"seats": []},
        {"seats": ["A", "B", "C", "D", "E", "F"]},
        {"seats": 3},
        {"options": {"nothing": "yes"}},
        {"options": 4},
        {"seed": None},
        {"seed": "seven"},
        {"recording": 5},
        {"recording": [[1, 2], 3]},
        {"layout": "0"},
        {"rules": "0"},
        {"rules": None},
    ],
)
def test_heads_with_one_wrong_entry_are_refused(change: dict[str, object]) -> None:
    data = next(islice(random_game("dice", 1), 3, None)).save()
    _, _, rest = data[MAGIC_LENGTH:].partition(b"\n")
    line, _, body = rest.partition(b"\n")
    head = {**json.loads(line), **change}
    with pytest.raises(UsageError):
        game("dice").restore(signed(json.dumps(head, sort_keys=True).encode() + b"\n" + body))


def test_equality() -> None:
    dice = game("dice")
    one, other = dice.new(2, 7), dice.new(2, 7)
    assert one == other
    assert one != dice.new(2, 8)
    assert one != dice.new(3, 7)
    assert one != "a state"
    assert one != game("secrets").new(2, 7)
    one.step(0)
    assert one != other
    other.step(0)
    assert one == other
    with pytest.raises(TypeError):
        hash(one)


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_and_decisions_give_the_same_bytes(name: str) -> None:
    for one, other in zip(random_game(name, 5), random_game(name, 5), strict=True):
        assert one is not other
        assert one.save() == other.save()


SCRIPT = """
import hashlib, sys
from random import Random
from regelwerk.interpreter.api import load
state = load(sys.argv[1]).new(3, 11)
random, digest = Random(11), hashlib.sha256()
for _ in range(120):
    digest.update(state.save())
    digest.update(repr(state.view(state.seats[0])).encode())
    if state.decision is None:
        break
    digest.update(repr(state.decision).encode())
    state.step(random.randrange(len(state.decision.options)))
print(digest.hexdigest(), state.decisions)
"""


@pytest.mark.parametrize("name", NAMES)
def test_nothing_depends_on_the_order_of_hashes(name: str) -> None:
    path = HERE / f"{name}.rules"
    found = set()
    for hash_seed in ("0", "1", "4711"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        package = str(Path(next(iter(regelwerk.__path__))).resolve() / ".pkg")
        environment["PYTHONPATH"] = os.pathsep.join([package, *filter(None, [os.environ.get("PYTHONPATH")])])
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT, str(path) if path.is_file() else name],
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        )
        found.add(done.stdout)
    assert len(found) == 1


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(3))
def test_nature_answered_from_outside_gives_the_same_game(name: str, seed: int) -> None:
    """The outcomes of one game, told to another with explicit chance: all that can be seen is the same."""
    *_, last = random_game(name, seed)
    other = game(name).new(len(last.seats), seed, explicit_chance=True)
    for entry in last.recording:
        if entry[0] == "~":
            assert other.status == "chance"
            assert other.chance is not None
            assert len(other.chance.candidates) == len(entry) - 1
            other.answer_chance(entry[1:])
        else:
            assert other.actor == entry[0]
            other.step(entry[1])
    assert other.status == last.status
    assert other.outcome == last.outcome
    for seat in (None, *last.seats):
        assert other.view(seat) == last.view(seat)


def test_nature_left_to_the_generator_gives_the_same_game() -> None:
    for seed in range(3):
        one, other = game("dice").new(2, seed), game("dice").new(2, seed, explicit_chance=True)
        while one.decision is not None:
            while other.status == "chance":
                other.answer_chance(None)
            assert other.decision == one.decision
            one.step(0)
            other.step(0)
        while other.status == "chance":
            other.answer_chance(None)
        assert one.outcome == other.outcome


@pytest.mark.parametrize("outcome", [[], [1], [1, 2], [1, 2, 7], [0, 1, 1], [1, 1, 1, 1], ["x", 1, 1]])
def test_impossible_outcomes_are_refused(outcome: list[str | int]) -> None:
    state = game("dice").new(1, 1, explicit_chance=True)
    assert state.status == "chance"
    before = bytes_of(state)
    with pytest.raises(NotAnOption):
        state.answer_chance(outcome)
    assert bytes_of(state) == before
    state.answer_chance([1, 2, 6])
    assert state.decision is not None


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("answer", ["", "nothing", "place", "done done", "pass ", -1, 10_000, "\n", "[", "keep [x y]"])
def test_what_is_no_option_leaves_the_state_untouched(name: str, answer: str | int) -> None:
    for state in islice(random_game(name, 2), 5):
        before, recorded = state.save(), list(state.recording)
        with pytest.raises(NotAnOption):
            state.step(answer)
        assert state.save() == before
        assert state.recording == recorded
        assert state.status == "decision"


def test_chance_cannot_be_answered_by_players_nor_decisions_by_nature() -> None:
    waiting = game("dice").new(1, 1, explicit_chance=True)
    before = waiting.save()
    with pytest.raises(NotAnOption):
        waiting.step(0)
    assert waiting.save() == before
    deciding = game("dice").new(1, 1)
    before = deciding.save()
    with pytest.raises(NotAnOption):
        deciding.answer_chance([1])
    assert deciding.save() == before


@pytest.mark.parametrize("name", NAMES)
def test_options_by_index_by_id_and_as_objects(name: str) -> None:
    for state in islice(random_game(name, 6), 10):
        if state.decision is None:
            break
        ids = [option.id for option in state.decision.options]
        assert len(set(ids)) == len(ids)
        for option in state.decision.options[:5]:
            results = []
            for answer in (option, option.index, option.id):
                copy = state.clone()
                copy.step(answer)
                results.append(bytes_of(copy))
            assert results[0] == results[1] == results[2]


def test_hosts_are_told_what_they_ask_wrongly() -> None:
    dice = game("dice")
    for wrong in (0, 4, -1):
        with pytest.raises(UsageError):
            dice.new(wrong)
    with pytest.raises(UsageError):
        dice.new(2, seats=["Ann"])
    with pytest.raises(UsageError):
        dice.new(2, seats=["Ann", "Ann"])
    with pytest.raises(UsageError):
        dice.new(2, options={"nothing": "yes"})
    with pytest.raises(UsageError):
        dice.new(2).view("Eve")
    with pytest.raises(UsageError):
        game("vienna").new(3, options={"side": "dusk"})
    with pytest.raises(UsageError):
        game("vienna").new(3, options={"first_player": "4"})


@pytest.mark.parametrize("name", ["dice", "secrets"])
def test_a_save_with_any_one_byte_changed_is_refused_or_can_be_seen(name: str) -> None:
    """Each byte behind the header in turn, with a right digest."""
    state = game(name).new(seed=3)
    for _ in range(4):
        state.step(0)
    _, _, rest = state.save()[MAGIC_LENGTH:].partition(b"\n")
    line, _, body = rest.partition(b"\n")
    refused = 0
    for place, value in itertools.product(range(len(body)), (1, 2, 4, 128, 255)):
        forged = bytearray(body)
        forged[place] = value
        try:
            found = game(name).restore(signed(line + b"\n" + bytes(forged)))
        except UsageError:
            refused += 1
            continue
        for seat in found.seats:
            found.view(seat)
    assert refused


@pytest.mark.parametrize("face", [0, 7, 255])
def test_a_save_in_which_a_die_shows_a_face_it_does_not_have_is_refused(face: int) -> None:
    state = game("dice").new(seed=3)
    entity, region = next(iter(state.program.face_cells.items()))
    assert entity.faces == (1, 6)
    _, _, rest = state.save()[MAGIC_LENGTH:].partition(b"\n")
    line, _, body = rest.partition(b"\n")
    forged = bytearray(body)
    assert forged[region.offset + 1] in range(1, 7)
    forged[region.offset + 1] = face
    with pytest.raises(UsageError, match="damaged"):
        game("dice").restore(signed(line + b"\n" + bytes(forged)))


@given(data=st.data())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@pytest.mark.parametrize("name", ["dice", "secrets"])
def test_forged_saves_never_give_a_traceback(name: str, data: st.DataObject) -> None:
    """Bytes changed with a right digest are refused, or play on to an end or a fault."""
    state = game(name).new(seed=3)
    for _ in range(data.draw(st.integers(0, 12))):
        if state.status == "decision":
            state.step(0)
    _, _, rest = state.save()[MAGIC_LENGTH:].partition(b"\n")
    line, _, body = rest.partition(b"\n")
    forged = bytearray(body)
    for place in data.draw(st.lists(st.integers(0, len(body) - 1), min_size=1, max_size=6)):
        forged[place] = data.draw(st.integers(0, 255))
    try:
        found = game(name).restore(signed(line + b"\n" + bytes(forged)))
        found.view(found.seats[0])
        for step in range(40):
            if found.status != "decision":
                break
            found.step(step % len(found.raw_options))
    except (UsageError, Fault):
        return
