"""Composition: the order behind `with` never matters, conflicts are decided as resolved, and the hash is that of the
game that comes out."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regelwerk.dsl.composition.composing import Composed, compose
from regelwerk.dsl.composition.layers import Layer
from regelwerk.dsl.composition.trees import meaning
from regelwerk.dsl.diagnostics import Diagnostics
from regelwerk.dsl.parser import parse_file
from regelwerk.dsl.source import Source
from regelwerk.dsl.syntax import declarations as d

BASE = """edition 1
game base "Base" { players 2..3 }
use turns
const goal = 10
const fee = 1 coin
resource coin/coins supply 40 start 3
track point/points per player: 0..50
fields Place/Places { column price: 0..9
  | place | price |
  | mill  | 1     |
  | tower | 3     |
}
state level: 0..9 = 2
value worth(p: player) = p.points
score final { line points = me.points }
effect collect(n: 0..9) { step one { gain n coins }   step two { gain 1 point } }
action visit(at in Places) {
  require near: at.price < 9
  cost toll: at.price coins
  effect { do collect(1) }
}
action wait { effect { nothing } }
phase game loop { phase round { step begin { nothing }   phase go for p in players acting p { offer visit, wait } } }
rule cheap: modify visit.toll minus 1 coin
end over after game.round when some(p in players where p.points >= goal)
rank winner by me.points then shared
"""

POOL = [
    "change goal = 12",
    "change goal = 13",
    "change level = 3",
    "change Place.mill.price = 4",
    "change Place.tower.price = 5",
    "remove row Place.tower",
    "remove rule cheap",
    "remove step collect.two",
    "remove step game.round.begin",
    "remove cost visit.toll",
    "remove action wait",
    "remove use turns",
    "replace value worth(p: player) = 7",
    "replace step collect.one { gain 2 coins }",
    "replace effect collect(n: 0..9, m: 0..9 = 1) { gain m points }",
    "replace cost visit.toll: 2 coins",
    "replace phase go for p in players acting p { offer visit }",
    "extend fields Place {\n | place | price |\n | barn | 2 |\n}",
    "extend fields Place {\n | place | price |\n | barn | 3 |\n}",
    "extend fields Place {\n | place | price |\n after mill | inn | 2 |\n}",
    "extend fields Place { column stars: 0..3 = 1 }",
    "extend action visit { require more: me.coins > 1 }",
    "extend action visit { param tip in 0..1 }",
    "extend effect collect { after one step between { gain 1 coin } }",
    "extend phase game.round { last step tidy { nothing } }",
    "extend phase game.round { after begin step more { nothing } }",
    "extend phase game.round.go { offer rest }\naction rest { effect { nothing } }",
    "extend score final { line money = me.coins }",
    "extend game base { players 2..4 }",
    "extend game base { players 2..5 }",
    "rule dear: modify visit.toll plus 1 coin",
    "trigger gift: after collect { gain 1 point }",
]


def layer(text: str, *below: Layer) -> Layer:
    name = text.split()[3]
    source, diagnostics = Source(f"{name}.rules", text), Diagnostics()
    file = parse_file(source, diagnostics)
    assert file is not None
    assert not diagnostics.items, [each.message for each in diagnostics.items]
    return Layer(source.name, file, below)


def variant(name: str, overlays: str, *below: Layer) -> Layer:
    names = [each.name for each in below]
    more = f" with {', '.join(names[1:])}" if names[1:] else ""
    return layer(f'edition 1\nvariant {name} "V" of {names[0]}{more}\n{overlays}\n', *below)


def composed(*tops: Layer) -> tuple[Composed | None, list[tuple[str, str, object]]]:
    diagnostics = Diagnostics()
    found = compose(tops, diagnostics, {})
    return found, [(each.code, each.message, each.span) for each in diagnostics.in_order()]


def said(game: Composed | None) -> list[str]:
    assert game is not None
    return meaning(tuple(node for node in game.declarations))


BOTTOM = layer(BASE)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from(POOL), max_size=4, unique=True), min_size=2, max_size=3),
    st.lists(st.sampled_from(POOL), max_size=1),
)
def test_the_order_of_with_never_matters(variants: list[list[str]], own: list[str]) -> None:
    companions = [variant(name, "\n".join(lines), BOTTOM) for name, lines in zip("abc", variants, strict=False)]
    results = []
    for order in permutations(companions):
        found, findings = composed(variant("top", "\n".join(own), BOTTOM, *order))
        places = [(code, message, span) for code, message, span in findings]
        results.append((None if found is None else (found.hash, said(found)), places))
    assert all(each == results[0] for each in results)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(POOL), max_size=5, unique=True))
def test_the_order_of_overlays_in_a_file_never_matters(lines: list[str]) -> None:
    """Declarations, and what is added at one place, keep the order written; all else is the same."""
    overlays = [each for each in lines if not each.startswith(("extend", "rule", "trigger"))]
    one, findings = composed(variant("top", "\n".join(overlays), BOTTOM))
    other, _ = composed(variant("top", "\n".join(reversed(overlays)), BOTTOM))
    assert (one is None) == (other is None), findings
    if one is not None and other is not None:
        assert one.hash == other.hash


def test_names_of_files_are_not_in_the_hash() -> None:
    one, _ = composed(variant("a", "change goal = 12", BOTTOM))
    other, _ = composed(variant("b", "\n\nchange  goal = 12  // the same", BOTTOM))
    third, _ = composed(variant("b", "change goal = 13", BOTTOM))
    by_hand, _ = composed(variant("c", "", layer(BASE.replace("const goal = 10", "const goal = 12"))))
    assert one is not None
    assert other is not None
    assert third is not None
    assert by_hand is not None
    assert one.hash == other.hash == by_hand.hash != third.hash


def test_scenarios_are_not_in_the_hash() -> None:
    one, _ = composed(variant("a", "", BOTTOM))
    other, _ = composed(variant("a", "scenario s { players A, B   then A.points is 0 }", BOTTOM))
    assert one is not None
    assert other is not None
    assert one.hash == other.hash
    assert not one.scenarios


REPLACED = "replace action visit(at in Places) { require near: yes   cost toll: 5 coins   effect { gain 5 points } }"


@pytest.mark.parametrize("by", ["a", "b"])
@pytest.mark.parametrize("path", ["visit", "visit.toll"])
def test_a_part_against_the_whole(by: str, path: str) -> None:
    """The whole wins: the part is left out. The part wins: it is changed in the new whole."""
    a, b = variant("a", REPLACED, BOTTOM), variant("b", "replace cost visit.toll: 2 coins", BOTTOM)
    found, findings = composed(variant("top", f'resolve {path} by {by} "why"', BOTTOM, a, b))
    assert findings == []
    assert found is not None
    (action,) = [n for n in found.declarations if isinstance(n, d.Action) and n.name.text == "visit"]
    (cost,) = [each.content for each in action.clauses if isinstance(each.content, d.Cost)]
    assert cost.span.source == f"{by}.rules"
    assert action.effect is not None
    assert action.effect.span.source == "a.rules"


@pytest.mark.parametrize(("by", "rules"), [("a", 0), ("b", 1)])
def test_a_removal_against_a_rule(by: str, rules: int) -> None:
    a = variant("a", "remove cost visit.toll\nremove rule cheap", BOTTOM)
    b = variant("b", "rule dear: modify visit.toll plus 1 coin", BOTTOM)
    found, findings = composed(variant("top", f'resolve visit.toll by {by} "why"', BOTTOM, a, b))
    assert findings == []
    assert found is not None
    (action,) = [n for n in found.declarations if isinstance(n, d.Action) and n.name.text == "visit"]
    assert sum(isinstance(each.content, d.Cost) for each in action.clauses) == rules
    assert sum(isinstance(node, d.Rule) for node in found.declarations) == rules


def test_what_both_add_in_the_same_words_is_added_once() -> None:
    line = "extend action visit { require more: me.coins > 1 }"
    found, findings = composed(variant("top", "", BOTTOM, variant("a", line, BOTTOM), variant("b", line, BOTTOM)))
    assert findings == []
    assert found is not None
    (action,) = [n for n in found.declarations if isinstance(n, d.Action) and n.name.text == "visit"]
    assert len(action.clauses) == 3


def test_every_node_keeps_its_file() -> None:
    text = "change goal = 12\nextend phase game.round { last step tidy { nothing } }"
    found, _ = composed(variant("top", text, BOTTOM))
    assert found is not None
    sources = {node.span.source for node in found.file.declarations}
    assert sources == {"base.rules"}
    (goal,) = [n for n in found.declarations if isinstance(n, d.Constant) and n.name.text == "goal"]
    assert goal.value.span.source == "top.rules"


def test_a_variant_alone_is_judged_alone() -> None:
    """What a companion declares cannot be changed by one that does not build on it."""
    a, b = variant("a", "const bonus = 1", BOTTOM), variant("b", "change bonus = 2", BOTTOM)
    found, findings = composed(variant("top", "", BOTTOM, a, b))
    assert found is None
    assert [code for code, _, _ in findings] == ["E1104"]
