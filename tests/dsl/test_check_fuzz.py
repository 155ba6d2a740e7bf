"""The whole path on damaged files: check, load, play. Only findings and faults come out, in words; nothing hangs."""

from __future__ import annotations

import random
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from regelwerk.dsl.diagnostics import Diagnostics, RulesError, as_json, render
from regelwerk.dsl.parser import parse_file
from regelwerk.dsl.source import Source
from regelwerk.interpreter.api import Fault, Game, UsageError
from regelwerk.interpreter.loading import check_source

ROOT = Path(__file__).resolve().parents[2]
FILES = [
    *sorted(path for path in (ROOT / "games").rglob("*.rules") if "scenarios" not in path.stem),
    *sorted((ROOT / "tests" / "conformance").glob("*.rules")),
    ROOT / "tests" / "dsl" / "errors" / "checker" / "prelude.rules",
]
SEEDS = 10
MUTANTS = 30
SECONDS = 10
TOKEN = re.compile(r'\s+|\d+|\w+|"""|"[^"\n]*"|//[^\n]*|<=|>=|\.\.|.', re.S)
NAME = re.compile(r"[^\W\d]\w*$")
NUMBERS = ("0", "-1", "1", "2", "999", "32767", "99999", "(1 - 3)", "none", "yes", "1..3", "{}", "[]")
STRANGE = '\0\t\r"{}()[]|/.=,:\ufeff\u2028é'
INTERNAL = re.compile(
    r"Traceback|Unavailable|NotImplemented|__ANON|\b[LR](PAR|BRACE|SQB)\b|Token\(|object at 0x|<class|KeyError"
    r"|\b[A-Z][a-z]+(Symbol|Type|Expression|Statement|Declaration)\b|\bNone\b|-2147483648"
)


@contextmanager
def at_most(seconds: int) -> Iterator[None]:
    def stop(*_: object) -> None:
        raise TimeoutError(f"more than {seconds} seconds")

    if not hasattr(signal, "SIGALRM"):  # no alarm on this system
        yield
        return
    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def damaged(generator: random.Random, text: str) -> str:
    """`text` with names, numbers or tokens exchanged."""
    pieces = TOKEN.findall(text)
    places = [k for k, piece in enumerate(pieces) if not piece.isspace() and not piece.startswith("//")]
    names = [k for k in places if NAME.match(pieces[k])]
    numbers = [k for k in places if pieces[k].isdecimal()]
    words = sorted({pieces[k] for k in names})
    for _ in range(generator.choice((1, 1, 1, 2, 3))):
        kind, here, there = generator.random(), generator.choice(places), generator.choice(places)
        if kind < 0.5:
            pieces[generator.choice(names)] = generator.choice(words)
        elif kind < 0.7 and numbers:
            pieces[generator.choice(numbers)] = generator.choice(NUMBERS)
        elif kind < 0.8:
            pieces[here], pieces[there] = pieces[there], pieces[here]
        elif kind < 0.85:
            pieces[here] = ""
        elif kind < 0.9:
            pieces[here] += " " + pieces[here]
        elif kind < 0.96:
            pieces[there] = " " + "".join(pieces[here : here + generator.randrange(1, 7)]) + " "
        else:
            pieces[here] += generator.choice(STRANGE)
    return "".join(pieces)


def parses(text: str) -> bool:
    found = Diagnostics()
    parse_file(Source("test.rules", text), found)
    return not found.failed


def mutant(generator: random.Random, text: str) -> str:
    """A damaged text, mostly one that the front end lets through."""
    made = damaged(generator, text)
    for _ in range(6):
        if parses(made) or generator.random() < 0.05:
            break
        made = damaged(generator, text)
    return made


def in_words(said: str, text: str) -> None:
    found = INTERNAL.search(said)
    assert found is None or found.group() in text, said


def go(text: str, seed: int) -> None:
    """Check, load and play some steps."""
    checked = check_source(Source("test.rules", text))
    for each in checked.diagnostics:
        assert render(each, checked.sources)
        assert as_json(each, checked.sources)
        in_words(" ".join((each.message, each.help or "", *(label.text for label in each.labels))), text)
    failed = any(each.severity == "error" for each in checked.diagnostics)
    assert failed == (checked.game is None)
    if checked.game is None:
        return
    generator = random.Random(seed)
    try:
        game = Game(checked.game, checked.diagnostics, checked.sources)
        state = game.new(seed=seed)
        for _ in range(30):
            decision = state.decision
            if decision is None:
                break
            assert decision.options
            state.step(generator.choice(decision.options))
        assert game.options is not None
        assert state.save()
        assert state.view(game.seats[0]) is not None
    except (RulesError, UsageError, Fault) as stopped:
        in_words(str(stopped), text)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_mutants(seed: int) -> None:
    generator = random.Random(seed)
    texts = [path.read_text(encoding="utf-8") for path in FILES]
    for number in range(MUTANTS):
        text = mutant(generator, generator.choice(texts))
        try:
            with at_most(SECONDS):
                go(text, number)
        except Exception as error:
            raise AssertionError(f"mutant {number} of seed {seed}:\n{text}") from error
