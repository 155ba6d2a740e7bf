"""Views leak nothing: what a player reads is the same in all states that differ only in what he may not know.

Every game of the repository in which something is hidden is played at random. At some decisions, for every player (and
an onlooker), a twin of the state is made (`lookalikes.py`), and everything the player may read is compared: his view,
who decides, his own decision with its options, texts and costs, why things are refused to him. Then both states go on
in the same way, and as long as he learns nothing of what was exchanged, what he is told must be the same, too.

That the test can fail is tested as well: leaks put into the engine or into rules are found.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

import pytest

from regelwerk.dsl.checker import hidden
from regelwerk.dsl.diagnostics import RulesError
from regelwerk.dsl.source import Source
from regelwerk.interpreter import events, views
from regelwerk.interpreter.api import Game, State, load
from regelwerk.interpreter.faults import Fault
from regelwerk.interpreter.knowledge import Knowledge
from regelwerk.interpreter.loading import check_path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.interpreter.lookalikes import hides_anything, twin_of

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("games", "tests/interpreter/games", "tests/tools/games", "tests/conformance", "docs/examples")
STEPS = 60
FOLLOWED = 6


@cache
def hiding() -> dict[str, Game]:
    """All games of the repository in which something is hidden and that can be played from their start."""
    found = {}
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.rules")):
            text = path.read_text(encoding="utf-8")
            if "not played at random" in text or not any(
                word in text for word in ("seen by", "together", "top visible")
            ):
                continue
            checked = check_path(path)
            if checked.game is not None and hides_anything(checked.game):
                found[str(path.relative_to(ROOT))] = Game(checked.game, checked.diagnostics, checked.sources)
    return found


def names() -> list[str]:
    found = []
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.rules")):
            text = path.read_text(encoding="utf-8")
            if any(word in text for word in ("seen by", "together", "top visible")):
                found.append(str(path.relative_to(ROOT)))
    return found


def compared(state: State, random: Random) -> Iterator[tuple[bool, str]]:
    """For every player: whether there was anything to exchange, and what he can read of it (empty: nothing)."""
    for seat in range(len(state.seats) + 1):
        twin = twin_of(state, seat, random)
        name = state.seats[seat - 1] if seat else "an onlooker"
        leak = next(twin.differences(), "")
        yield twin.differ, f"{name} sees it. {leak}" if leak else ""
        for _ in range(FOLLOWED if twin.differ else 0):
            told = twin.go_on(random)
            if told is None:
                break
            if told[0] != told[1]:
                yield True, f"{name} is told: {told[0]} / {told[1]}"
                break
            leak = next(twin.differences(), "")
            if leak:
                yield True, f"{name} sees it later. {leak}"
                break


def leaks(game: Game, seeds: range, steps: int = STEPS, every: int = 4) -> tuple[int, list[str]]:
    """How often something was exchanged in random games, and the leaks that were found."""
    exchanged, found = 0, []
    for seed in seeds:
        random = Random(seed)
        players = game.players[seed % len(game.players)]
        state = game.new(players, seed, explicit_chance=True)
        for step in range(steps):
            try:
                while state.status == "chance":
                    state.answer_chance(None)
                if state.status != "decision":
                    break
                if step % every == 0:
                    for differs, leak in compared(state, random):
                        exchanged += differs
                        if leak:
                            found.append(f"seed {seed}, step {step}: {leak}")
                actor = random.choice(state.actors)
                decision = state.decision_of(actor)
                assert decision is not None
                state.step(random.randrange(len(decision.options)), actor)
            except Fault:
                break
    return exchanged, found


@pytest.mark.parametrize("name", names())
def test_no_view_leaks(name: str) -> None:
    game = hiding().get(name)
    if game is None:
        pytest.skip("nothing is hidden there, or it is not played from its start")
    _, found = leaks(game, range(3))
    assert found == [], "\n".join(found[:5])


@pytest.mark.parametrize("name", ["tests/interpreter/games/secrets.rules", "tests/tools/games/cellar.rules"])
def test_something_is_exchanged(name: str) -> None:
    """The test above is not idle."""
    exchanged, _ = leaks(hiding()[name], range(2))
    assert exchanged > 15


# ------------------------------------------------------------------------------------------------ leaks that are put in
def test_a_view_that_shows_hands_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "sees", lambda seen_by, holder, viewer: True)
    assert leaks(hiding()["tests/interpreter/games/secrets.rules"], range(1))[1]


def test_events_that_name_what_is_hidden_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "_seats", lambda program, mask: None)
    assert leaks(hiding()["tests/interpreter/games/secrets.rules"], range(3))[1]


def test_knowledge_that_is_never_lost_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A view that shows what was once known although it may have moved unseen."""
    monkeypatch.setattr(Knowledge, "known_in", lambda self, m, zone, viewer: list(self.program.zones.sequence(m, zone)))
    assert leaks(hiding()["tests/interpreter/games/secrets.rules"], range(1))[1]


LEAKING = """edition 1
game leaking "Leaking" {{ players 3 }}
cards Card/Cards {{
  column worth: 1..9
  | card | copies | worth |
  | low  | 6      | 1     |
  | high | 6      | 9     |
}}
enum Gem/Gems {{ ruby/rubies, pearl/pearls }}
resource gem/gems per Gem supply 30 start 3 seen by owner
state code per player: 0..9 = 3 seen by owner
zone deck of Card order pile from Cards seen by nobody
zone hand per player of Card seen by owner
zone table of Card
phase setup {{ step deal {{ shuffle deck   everyone {{ draw 2 from deck to me.hand }} }} }}
phase game loop until deck is empty {{ phase round for p in players acting p {{ offer go, wait }} }}
action wait "Wait" {{ effect {{ draw 1 from deck to me.hand }} }}
{go}
rank winner by me.seat
"""


@pytest.mark.parametrize(
    "go",
    [
        "action go(n in 1..3 where n < players.last.hand.first.worth) { effect { nothing } }",
        'action go "Against {players.last.hand.first}" { effect { nothing } }',
        "action go { require strong: players.last.hand.first.worth > 3   effect { nothing } }",
        'action go { require never: no else "{players.first.hand.first}"   effect { nothing } }',
        "action go { cost c: players.last.gems(ruby) rubies   effect { nothing } }",
        "action go { require r: players.last.code > 4   effect { nothing } }",
        "action go(c in Cards where c.holder is players.last) { effect { nothing } }",
        "action go { effect { choose c in players.last.hand { move c to table } } }",
    ],
)
def test_rules_that_leak_are_caught_here_and_refused_by_the_checker(go: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = Source("leaking.rules", LEAKING.format(go=go))
    with pytest.raises(RulesError, match=r"E036[01]"):
        load(text)
    monkeypatch.setattr(hidden, "check_hidden", lambda c, symbols: None)
    assert leaks(load(text), range(4), every=1)[1]
