"""Properties: arithmetic and sets against Python's, moves between zones against lists and sets."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from regelwerk.dsl.diagnostics import render
from regelwerk.dsl.source import Source
from regelwerk.interpreter.loading import check_source
from regelwerk.interpreter.scenarios import run_scenarios

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.interpreter.games_for_tests import game

FRAME = """edition 1
game properties "Properties" { players 1..1 }
fields Place/Places {
  | place |
  | p1    |
  | p2    |
  | p3    |
  | p4    |
  | p5    |
  | p6    |
}
state n: -60..60 = 0
state m: -60..60 = 0
state s: set of Place = {}
state t: set of Place = {}
phase main for p in players acting p { offer wait }
action wait { effect { nothing } }
rank winner by me.seat then shared
"""


def holds(given_: str, claims: list[str]) -> None:
    """All claims hold, after what is given."""
    text = (
        FRAME + f"scenario all {{ players A given {{ {given_} }}\n" + "".join(f"  then {c}\n" for c in claims) + "}\n"
    )
    checked = check_source(Source("properties.rules", text))
    assert checked.game is not None, "\n".join(render(d, checked.sources) for d in checked.diagnostics)
    for result in run_scenarios(checked):
        where = text[result.span.start : result.span.end] if result.span is not None else ""
        assert result.passed, f"{given_}: {where}: {result.message} {result.detail}"


# ------------------------------------------------------------------------------------------------------------ numbers
Number = tuple[str, Callable[[int, int], int]]


def binary(word: str, f: Callable[[int, int], int]) -> st.SearchStrategy[Callable[[Number, Number], Number]]:
    def join(a: Number, b: Number) -> Number:
        text = f"{word}({a[0]}, {b[0]})" if word in ("min", "max") else f"({a[0]}) {word} ({b[0]})"
        return text, lambda n, m: f(a[1](n, m), b[1](n, m))

    return st.just(join)


def literal(value: int) -> Number:
    return str(value), lambda n, m: value


def compound(inner: st.SearchStrategy[Number]) -> st.SearchStrategy[Number]:
    two = st.one_of(
        binary("+", lambda a, b: a + b),
        binary("-", lambda a, b: a - b),
        binary("*", lambda a, b: a * b),
        binary("min", min),
        binary("max", max),
    )

    def divided(a: Number, by: int, word: str) -> Number:
        text = f"({a[0]}) {word} {by}"
        return text, (lambda n, m: a[1](n, m) // by) if word == "div" else (lambda n, m: a[1](n, m) % by)

    def negative(a: Number) -> Number:
        return f"-({a[0]})", lambda n, m: -a[1](n, m)

    def absolute(a: Number) -> Number:
        return f"({a[0]}).abs", lambda n, m: abs(a[1](n, m))

    def chosen(a: Number, b: Number, c: Number, d: Number) -> Number:
        text = f"(if {a[0]} < {b[0]} then {c[0]} else {d[0]})"
        return text, lambda n, m: c[1](n, m) if a[1](n, m) < b[1](n, m) else d[1](n, m)

    return st.one_of(
        st.builds(lambda join, a, b: join(a, b), two, inner, inner),
        st.builds(divided, inner, st.integers(-9, 9).filter(bool), st.sampled_from(["div", "mod"])),
        st.builds(negative, inner),
        st.builds(absolute, inner),
        st.builds(chosen, inner, inner, inner, inner),
    )


NUMBERS = st.recursive(
    st.one_of(
        st.builds(literal, st.integers(-30, 30)),
        st.just(("n", lambda n, m: n)),
        st.just(("m", lambda n, m: m)),
    ),
    compound,
    max_leaves=5,
)


@settings(max_examples=60, deadline=None)
@given(st.lists(NUMBERS, min_size=1, max_size=8), st.integers(-60, 60), st.integers(-60, 60))
def test_numbers_are_calculated_as_in_python(numbers: list[Number], n: int, m: int) -> None:
    small = [(text, value) for text, f in numbers if abs(value := f(n, m)) < 2**31 and len(text) < 300]
    holds(f"set n = {n}   set m = {m}", [f"({text}) is {value}" for text, value in small] or ["yes"])


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=5), st.integers(-60, 60), st.integers(-60, 60))
def test_comparisons_are_as_in_python(pairs: list[tuple[Number, Number]], n: int, m: int) -> None:
    claims = []
    for (left, f), (right, g) in pairs:
        a, b = f(n, m), g(n, m)
        if len(left) + len(right) > 300 or max(abs(a), abs(b)) >= 2**31:
            continue
        for word, true in (
            ("<", a < b),
            ("<=", a <= b),
            (">", a > b),
            (">=", a >= b),
            ("is", a == b),
            ("is not", a != b),
        ):
            claims.append(f"{'' if true else 'not '}({left}) {word} ({right})")
    holds(f"set n = {n}   set m = {m}", claims or ["yes"])


# --------------------------------------------------------------------------------------------------------------- sets
Places = tuple[str, Callable[[frozenset[int], frozenset[int]], frozenset[int]]]
ALL = frozenset(range(1, 7))


def written(places: frozenset[int]) -> str:
    return "{" + ", ".join(f"p{k}" for k in sorted(places)) + "}"


def constant(places: frozenset[int]) -> Places:
    return written(places), lambda s, t: places


def compound_set(inner: st.SearchStrategy[Places]) -> st.SearchStrategy[Places]:
    def united(a: Places, b: Places) -> Places:
        return f"(({a[0]}) union\n({b[0]}))", lambda s, t: a[1](s, t) | b[1](s, t)

    def without(a: Places, b: Places) -> Places:
        return f"(({a[0]}) except ({b[0]}))", lambda s, t: a[1](s, t) - b[1](s, t)

    def common(a: Places, b: Places) -> Places:
        return f"(({a[0]}) where it in ({b[0]}))", lambda s, t: a[1](s, t) & b[1](s, t)

    def above(a: Places, least: int) -> Places:
        return f"(({a[0]}) where .pos > {least})", lambda s, t: frozenset(k for k in a[1](s, t) if k > least)

    return st.one_of(
        st.builds(united, inner, inner),
        st.builds(without, inner, inner),
        st.builds(common, inner, inner),
        st.builds(above, inner, st.integers(0, 6)),
    )


SUBSETS = st.frozensets(st.integers(1, 6))
SETS = st.recursive(
    st.one_of(
        st.builds(constant, SUBSETS.filter(bool)),
        st.just(("s", lambda s, t: s)),
        st.just(("t", lambda s, t: t)),
        st.just(("Places", lambda s, t: ALL)),
    ),
    compound_set,
    max_leaves=5,
)


@settings(max_examples=60, deadline=None)
@given(st.lists(SETS, min_size=1, max_size=6), SUBSETS, SUBSETS)
def test_sets_are_as_in_python(sets: list[Places], s: frozenset[int], t: frozenset[int]) -> None:
    claims = []
    for text, f in sets:
        found = f(s, t)
        if len(text) > 250:
            continue
        claims.append(f"({text}).count is {len(found)}")
        claims.append(f"({text}) is {'empty' if not found else written(found)}")
        claims += [f"p{k} {'in' if k in found else 'not in'} ({text})" for k in ALL]
        if found:
            claims.append(f"({text}).first is p{min(found)} and ({text}).last is p{max(found)}")
            claims.append(f"list(x in {text}) is [{', '.join(f'p{k}' for k in sorted(found))}]")
            claims.append(
                f"list(x in {text} by highest x.pos) is [{', '.join(f'p{k}' for k in sorted(found, reverse=True))}]"
            )
        claims.append(f"sum(x in {text}: x.pos) is {sum(found)}")
        claims.append(f"({text}) is {text}")
    holds(f"set s = {written(s)}   set t = {written(t)}", claims or ["yes"])


# -------------------------------------------------------------------------------------------------------------- zones
class Model:
    """Zones as lists of numbers; the top of the deck is its last, the heap is kept sorted."""

    def __init__(self) -> None:
        self.deck, self.line, self.heap, self.small = [1, 2, 3, 4, 5], list[int](), list[int](), list[int]()

    def do(self, option: str) -> None:
        action, _, rest = option.partition(" ")
        values = [int(word.strip("c[]")) for word in rest.split()]
        deck, line, heap, small = self.deck, self.line, self.heap, self.small
        match action:
            case "top_to_line":
                line.append(deck.pop())
            case "top_to_heap":
                heap.append(deck.pop())
            case "top_under":
                deck.insert(0, deck.pop())
            case "line_first_to_deck":
                deck.append(line.pop(0))
            case "line_last_to_heap":
                heap.append(line.pop())
            case "line_at_to_heap":
                heap.append(line.pop(values[0] - 1))
            case "line_under":
                line.remove(values[0])
                deck.insert(0, values[0])
            case "line_to_deck":
                deck += line
                line.clear()
            case "heap_to_line":
                line += heap
                heap.clear()
            case "heap_to_deck":
                heap.remove(values[0])
                deck.append(values[0])
            case "heap_all_to_deck":
                deck += heap
                heap.clear()
            case "draw_two":
                for _ in range(min(2, len(deck))):
                    line.append(deck.pop())
            case "pick_two":
                for value in values:
                    heap.remove(value)
                line += values
            case "deck_to_heap":
                heap += deck
                deck.clear()
            case "into_small":
                heap.remove(values[0])
                small.append(values[0])
            case "small_back":
                heap += small
                small.clear()
            case "first_to_end":
                line.append(line.pop(0))
            case _:
                assert action == "pass"
        heap.sort()

    def options(self) -> int:
        """How many options there are: each action's number of tuples."""
        deck, line, heap = len(self.deck), len(self.line), len(self.heap)
        always = 6  # line_to_deck, heap_to_line, heap_all_to_deck, draw_two, deck_to_heap, small_back
        room = heap if len(self.small) < 2 else 0
        pairs = heap * (heap - 1) // 2
        return always + 3 * bool(deck) + 3 * bool(line) + 2 * line + heap + pairs + room + 1


@settings(max_examples=150, deadline=None)
@given(st.lists(st.integers(0, 10_000), max_size=40))
def test_moves_are_as_in_lists(choices: list[int]) -> None:
    state, model = game("heaps").new(1, 0), Model()
    for choice in choices:
        assert state.decision is not None
        options = state.decision.options
        assert len(options) == model.options()
        option = options[choice % len(options)]
        state.step(option)
        model.do(option.id)
        zones = {zone.name: zone.things for zone in state.view().zones}
        for name in ("deck", "line", "heap", "small"):
            things = zones[name]
            assert things is not None
            assert [int(thing.id.removeprefix("c")) for thing in things] == getattr(model, name), (name, option.id)
        assert state.violated_invariants() == ()
