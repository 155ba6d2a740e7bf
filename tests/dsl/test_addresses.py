"""Addresses: the clause at a place of a file is named as the checker names it."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest

from regelwerk.dsl import catalogue
from regelwerk.dsl.model import game as g
from regelwerk.dsl.source import Source, Span
from regelwerk.interpreter.api import Game, load

ROOT = Path(__file__).resolve().parents[2]
VARIANT = """edition 1
variant wide "Wide" of vienna
change target = 10
extend fields Field {
                  | field       | needs |
  after parlament | quay "Quay" | 4     |
}
"""


@functools.cache
def games() -> dict[str, Game]:
    paths = [*sorted((ROOT / "games").glob("*/*.rules")), *sorted((ROOT / "docs" / "examples").glob("*.rules"))]
    found = {path.stem: load(path) for path in paths if "scenarios" not in path.stem}
    found["frame"] = load(Source("frame.rules", catalogue.frame()))
    return found


def named(game: Game) -> list[tuple[str, Span]]:
    """What the checker knows by an address, with its place."""
    checked = game.checked
    found: list[tuple[str, Span]] = []
    for action in checked.actions:
        found.append((action.name, action.span))
        clauses = [each for each in action.clauses if isinstance(each, g.RequireSymbol | g.CostSymbol)]
        found += [(each.address, each.span) for each in clauses]
    left = list(checked.phases)
    while left:
        phase = left.pop()
        found.append((phase.path, phase.span))
        left += phase.phases
    found += [(each.name, each.span) for each in (*checked.ends, *checked.states, *checked.invariants)]
    found += [
        (f"{thing.name}.{row.name}", row.span)
        for thing in checked.entities
        for row in thing.rows
        if row.name != thing.name
    ]
    return found


@pytest.mark.parametrize("name", games())
def test_the_addresses_of_the_checker(name: str) -> None:
    game = games()[name]
    symbols = named(game)
    assert len(symbols) > 3
    own = [(address, span) for address, span in symbols if span.source in game.sources and span.end > span.start]
    wrong = [(address, game.address(span)) for address, span in own if not fits(game.address(span), address)]
    assert wrong == []


def fits(found: str, address: str) -> bool:
    """Drawn boards name their cells themselves; the place of all of them is the drawing."""
    return found == address or (found.partition(".")[0] == address.partition(".")[0] and "." in found)


def at(game: Game, text: str, source: str) -> str:
    place = game.sources[source].text.index(text)
    return game.address(Span(source, place, place + len(text)))


def test_inside_of_clauses() -> None:
    text = catalogue.frame() + (
        'section "More" {\n'
        "score final { line money = me.coins div 3 }\n"
        "effect build { step first_wall { gain 2 wood } }\n"
        'rule strike: forbid stay while level is 3 because "strike"\n'
        "}\n"
    )
    game = load(Source("a.rules", text))
    for inside, address in (
        ("k.price else", "take_card.afford"),
        ("cost fee: fee", "take_card.fee"),
        ("move k to me.hand }\n}\naction stay", "take_card"),
        ("draw 2 from deck to shelf", "game.round.refill"),
        ("offer take_card, stay", "game.round.turns_of"),
        ("gain 1 point |", "Field.tower.at_once"),
        ("p.points >= 20", "full"),
        ("me.coins div 3", "final.money"),
        ("gain 2 wood", "build.first_wall"),
        ("level is 3", "strike"),
        ('me.points "points"', "winner"),
        ("yes/no = yes", "Field.open"),
    ):
        assert at(game, inside, "a.rules") == address


def test_of_a_variant() -> None:
    source = str(ROOT / "wide.rules")
    game = load(Source(source, VARIANT))
    assert at(game, "10", source) == "target"
    assert at(game, "4     ", source) == "Field.quay.needs"
    base = next(name for name in game.sources if name.endswith("vienna.rules"))
    assert at(game, "target", base)


def test_of_the_standard_library_and_of_nothing() -> None:
    game = games()["frame"]
    (library,) = (name for name in game.sources if name not in ("frame.rules",))
    assert at(game, "players.at(p.seat mod", library) == "left"
    assert game.address(None) == ""
    assert game.address(Span("frame.rules", 0, 1)) == ""
    assert game.address(Span("frame.rules", 10**6, 10**6)) == ""
    assert game.address(Span("no such source", 0, 1)) == ""
