# ruff: noqa: E501 - lines that hold lines of rules
"""Random expressions and heads, well-typed as far as a writer can see."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

Choose = Callable[[int], int]
"""Gives a number from 0 below its argument."""


@dataclass
class Scope:
    """What can be named: locals by their types; `me`: whether somebody acts; `it`: the type of the element under test."""

    names: dict[str, str] = field(default_factory=dict)
    me: bool = True
    it: str | None = None
    chosen: str | None = None

    def plus(self, **more: str) -> Scope:
        """With further locals."""
        return Scope({**self.names, **more}, self.me, self.it, self.chosen)


GOODS, HUES = ("g1", "g2", "g3"), ("h1", "h2", "h3")
SPOTS = ("s1", "s2", "s3", "s4")
ROWS = ("c1", "c2", "c3", "c4", "c5")
THINGS = ("Good", "Hue", "player", "Spot", "Card", "Tile", "Die")
PLURAL = {
    "Good": "Goods",
    "Hue": "Hues",
    "player": "players",
    "Spot": "Spots",
    "Card": "Cards",
    "Tile": "Tiles",
    "Die": "Dice",
}
UNITS = ("coins", "gems", "points", "fames", "marks", *GOODS)


class ExpressionWriter:
    """Writes expressions of wanted types."""

    def __init__(self, choose: Choose, size: int = 3) -> None:
        self.below = choose
        self.size = size
        self.count = 0
        self.values: list[tuple[str, str, list[str], bool]] = []  # name, type, parameters, me
        self.effects: list[tuple[str, list[tuple[str, str]]]] = []
        self.actions: list[tuple[str, list[tuple[str, str]]]] = []
        self.states: list[tuple[str, str, str]] = []  # name, key, type
        self.costs: list[str] = []
        self.requires: list[str] = []

    # ---------------------------------------------------------------------------------------------------- choosing
    def one(self, *of: str) -> str:
        return of[self.below(len(of))]

    def chance(self, n: int, of: int) -> bool:
        return self.below(of) < n

    def fresh(self, start: str = "v") -> str:
        self.count += 1
        return f"{start}{self.count}_"

    def local(self, scope: Scope, kind: str) -> list[str]:
        return [name for name, its in scope.names.items() if its == kind]

    # ------------------------------------------------------------------------------------------------- expressions
    def expr(self, kind: str, s: Scope, d: int) -> str:
        """An expression of a kind."""
        names = self.local(s, kind)
        if s.it == kind and self.chance(1, 2):
            return "it"
        if names and self.chance(1, 3):
            return self.one(*names)
        if self.chance(1, 5):
            found = self.of_state(kind, s, d)
            if found:
                return found
        if d > 0 and self.chance(1, 8):
            found = self.of_value(kind, s, d - 1)
            if found:
                return found
        if d > 0 and self.chance(1, 10) and not kind.startswith(("list", "deal")):
            return f"(if {self.truth(s, d - 1)} then {self.expr(kind, s, d - 1)} else {self.expr(kind, s, d - 1)})"
        if d > 0 and self.chance(1, 14):
            return (
                f"(by {self.good(s, d - 1)} {{ g1: {self.expr(kind, s, d - 1)}, g2: "
                f"{self.expr(kind, s, d - 1)}, else: {self.expr(kind, s, d - 1)} }})"
            )
        if d > 0 and self.chance(1, 14):
            return f"(by {self.num(s, d - 1)} {{ 0: {self.expr(kind, s, d - 1)}, 1..2: {self.expr(kind, s, d - 1)}, else: {self.expr(kind, s, d - 1)} }})"
        if kind == "num":
            return self.num(s, d)
        if kind == "half":
            return self.half(s, d)
        if kind == "bool":
            return self.truth(s, d)
        if kind == "tally":
            return self.tally(s, d)
        if kind == "deal":
            return self.deal(s, d)
        if kind.startswith("set "):
            return self.a_set(kind[4:], s, d)
        if kind.startswith("list "):
            return self.a_list(kind[5:], s, d)
        if kind.endswith("?"):
            return self.one("none", self.expr(kind[:-1], s, d)) if self.chance(1, 2) else self.maybe(kind[:-1], s, d)
        return self.thing(kind, s, d)

    def of_state(self, kind: str, s: Scope, d: int) -> str | None:
        fitting = [each for each in self.states if each[2] == kind or (each[2] == kind + "?" and self.chance(1, 4))]
        if not fitting:
            return None
        name, key, _ = fitting[self.below(len(fitting))]
        return f"{self.expr(key, s, max(d - 1, 0))}.{name}" if key else name

    def of_value(self, kind: str, s: Scope, d: int) -> str | None:
        fitting = [each for each in self.values if each[1] == kind and (s.me or not each[3])]
        if not fitting:
            return None
        name, _, parameters, me = fitting[self.below(len(fitting))]
        arguments = [self.expr(each, s, min(d, 1)) for each in parameters]
        if me and self.chance(1, 3):
            arguments.append(f"me: {self.player(s, 0)}")
        return f"{name}({', '.join(arguments)})" if arguments else name

    def num(self, s: Scope, d: int) -> str:
        names = self.local(s, "num")
        if names and self.chance(1, 4):
            return self.one(*names)
        if s.it == "num" and self.chance(1, 2):
            return "it"
        if d <= 0 or self.chance(1, 4):
            return self.one("1", "2", "0", "3", "4", "5", "7")
        n = d - 1
        way = self.below(27)
        if way < 4:
            return f"({self.num(s, n)} {self.one('+', '-', '*', 'div', 'mod')} {self.num(s, n)})"
        if way == 4:
            return f"{self.one('min', 'max')}({self.num(s, n)}, {self.num(s, n)})"
        if way < 8:
            return f"{self.player(s, n)}.{self.one('coins', 'points', 'fames', 'gems', 'seat')}"
        if way == 8:
            return f"{self.player(s, n)}.wares({self.good(s, n)})"
        if way == 9:
            return self.one(
                "bank.coins", "bank.gems", f"bank.wares({self.good(s, n)})", f"{self.thing('Spot', s, n)}.gems"
            )
        if way == 10:
            return f"{self.a_set(self.one(*THINGS), s, n)}.count"
        if way == 11:
            return f"{self.tally(s, n)}.total" if self.chance(1, 2) else f"({self.tally(s, n)})({self.good(s, n)})"
        if way == 12:
            return f"{self.a_list('num', s, n)}.{self.one('count', f'at({self.index(s, n)})', 'first', 'last')}"
        if way == 13:
            return f"{self.thing('Card', s, n)}.worth"
        if way == 14:
            return f"{self.thing('Spot', s, n)}.{self.one('need', 'pos')}"
        if way == 15:
            return f"{self.thing('Die', s, n)}.face"
        if way in (16, 17):
            head, inner = self.head(s, n, 2)
            return f"{self.one('sum', 'sum', 'min', 'max')}({head}: {self.num(inner, n)})"
        if way == 18:
            return f"count({self.head(s, n, 2)[0]})"
        if way == 19 and self.actions:
            return self.history(s, n, "times")
        if way == 20 and self.actions and s.me:
            return f"(latest {self.actions[self.below(len(self.actions))][0]})"
        if way == 21:
            return f"({self.num(s, n)}).abs"
        if way == 22:
            return f"{self.player(s, n)}.final{self.one('', '.money', '.rest')}"
        if way == 23:
            return f"{self.thing('Spot', s, n)}.{self.one('wares2', 'shelf', 'shelf')}.{self.one('count', 'total')}"
        if way == 24:
            return f"({self.half(s, n)} div {self.one('1', '2', self.num(s, n))})"
        if way == 25:
            return f"{self.deal(s, n)}.{self.one('give.total', 'depth')}"
        return (
            f"{self.a_set('Card', s, n)}.worth.{self.one('count', 'first', 'last')}"
            if self.chance(1, 2)
            else f"{self.one('sum', 'max', 'min')}({self.a_set('Card', s, n)}.worth)"
        )

    def half(self, s: Scope, d: int) -> str:
        if d <= 0 or self.chance(1, 3):
            return self.one("0.5", "1", "1.5", "2.5")
        n = d - 1
        return self.one(
            f"({self.half(s, n)} {self.one('+', '-', 'mod')} {self.half(s, n)})",
            f"({self.num(s, n)} * {self.half(s, n)})"
            if self.chance(1, 2)
            else f"({self.half(s, n)} + {self.num(s, n)})",
            f"{self.player(s, n)}.marks",
            f"{self.one('min', 'max')}({self.half(s, n)}, {self.num(s, n)})",
        )

    def history(self, s: Scope, d: int, word: str) -> str:
        name, parameters = self.actions[self.below(len(self.actions))]
        simple = [(p, k) for p, k in parameters if k in ("Good", "Spot", "player", "Hue")]
        arguments = ""
        if simple and self.chance(1, 2):
            which = simple[self.below(len(simple))]
            arguments = f"({which[0]}: {self.thing(which[1], s, min(d, 1))})"
        by = "" if s.me and self.chance(2, 3) else f" by {self.one('anyone', *self.local(s, 'player'), 'anyone')}"
        return f"({word} {name}{arguments}{by} this {self.one('round', 'turn', 'main', 'round')})"

    def truth(self, s: Scope, d: int) -> str:
        if d <= 0:
            return self.one(f"{self.num(s, 0)} < {self.num(s, 0)}", "yes", "no")
        n = d - 1
        way = self.below(18)
        if way < 3:
            return f"{self.num(s, n)} {self.one('<', '>', '<=', '>=', 'is', 'is not')} {self.num(s, n)}"
        if way == 3:
            return f"({self.truth(s, n)} {self.one('and', 'or')} {self.truth(s, n)})"
        if way == 4:
            return f"(not ({self.truth(s, n)}))"
        if way == 5:
            kind = self.one(*THINGS)
            return f"{self.expr(kind, s, n)} {self.one('is', 'is not')} {self.expr(kind, s, n)}"
        if way == 6:
            kind = self.one(*THINGS)
            return f"{self.expr(kind, s, n)} {self.one('in', 'not in')} {self.a_set(kind, s, n)}"
        if way == 7:
            return (
                f"{self.num(s, n)} {self.one('in', 'not in')} {self.one('1..3', f'{self.num(s, n)}..{self.num(s, n)}')}"
            )
        if way == 8:
            return f"some({self.head(s, n, 2)[0]})"
        if way == 9:
            head, inner = self.head(s, n, 2)
            return f"every({head}: {self.truth(inner, n)})"
        if way == 10 and self.actions:
            return self.history(s, n, "happened")
        if way == 11:
            return f"{self.tally(s, n)} {self.one('>=', '<=', 'is', 'is not')} {self.tally(s, n)}"
        if way == 12:
            return f"{self.a_set(self.one(*THINGS), s, n)} is {self.one('empty', 'not empty')}"
        if way == 13:
            return f"{self.maybe(self.one(*THINGS), s, n)} is {self.one('none', 'not none')}"
        if way == 14:
            return f"{self.half(s, n)} {self.one('<', '>=', 'is')} {self.one(self.half(s, n), self.num(s, n))}"
        if way == 15:
            kind = self.one("num", "player", "Spot")
            return f"{self.a_list(kind, s, n)} is {self.one('empty', self.a_list(kind, s, n))}"
        if way == 16:
            kind = self.one(*THINGS)
            return f"{self.a_set(kind, s, n)} {self.one('is', 'is not')} {self.a_set(kind, s, n)}"
        return f"{self.thing('Card', s, n)}.ready" if self.chance(1, 2) else f"{self.deal(s, n)} is {self.deal(s, n)}"

    def thing(self, kind: str, s: Scope, d: int) -> str:
        if kind == "player":
            return self.player(s, d)
        if kind == "Good":
            return self.good(s, d)
        names = self.local(s, kind)
        if s.it == kind and self.chance(1, 2):
            return "it"
        if names and self.chance(2, 3):
            return self.one(*names)
        if kind == "Hue":
            return self.one(*HUES)
        if kind == "Spot" and (d <= 0 or self.chance(1, 2)):
            return self.one(*SPOTS)
        if kind == "Card" and self.chance(1, 6):
            return self.one("c1", "c3")
        if d <= 0:
            return f"{PLURAL[kind]}.{self.one('first', 'last')}"
        return self.maybe(kind, s, d)

    def good(self, s: Scope, d: int) -> str:
        names = self.local(s, "Good")
        if s.it == "Good" and self.chance(1, 2):
            return "it"
        if names and self.chance(1, 2):
            return self.one(*names)
        if d <= 0 or self.chance(1, 2):
            return self.one(*GOODS)
        return self.one(
            f"{self.thing('Spot', s, d - 1)}.good", f"{self.thing('Card', s, d - 1)}.kind", self.maybe("Good", s, d - 1)
        )

    def player(self, s: Scope, d: int) -> str:
        names = self.local(s, "player")
        if s.it == "player" and self.chance(1, 2):
            return "it"
        if names and self.chance(1, 2):
            return self.one(*names)
        if s.me and self.chance(1, 2):
            return "me"
        if d <= 0:
            return self.one("players.first", "players.last", *(["me"] if s.me else []))
        return self.one(
            "active",
            "players.first",
            f"players.at({self.index(s, d - 1)})",
            self.maybe("player", s, d - 1),
            "me.left" if s.me else "players.last.left",
            f"{self.thing('Tile', s, d - 1)}.owner",
        )

    def index(self, s: Scope, d: int) -> str:
        """A number that is mostly a place in a list."""
        return self.one(
            "1",
            "2",
            "1",
            f"1 + count1 mod {self.one('2', '3')}",
            f"max(1, {self.num(s, d)})",
            f"({self.num(s, d)}) mod 3",
        )

    def maybe(self, kind: str, s: Scope, d: int) -> str:
        """A member of a type, or none."""
        if d <= 0:
            return self.thing(kind, s, 0)
        n = d - 1
        way = self.below(5)
        if way == 0 and kind == "player":
            return self.one(
                f"{self.thing('Card', s, n)}.holder",
                f"{self.thing('Die', s, n)}.holder",
                "best.holder",
                f"{self.thing('Spot', s, n)}.control",
            )
        if way == 1:
            domain = self.a_set(kind, s, n)
            name = self.fresh()
            where = f" where {self.truth(s.plus(**{name: kind}), n)}" if self.chance(2, 3) else ""
            key = f" by {self.one('', 'highest ')}{self.num(s.plus(**{name: kind}), n)}" if self.chance(1, 3) else ""
            return f"first({name} in {domain}{where}{key})"
        if way == 2:
            return f"{self.a_list(kind, s, n)}.{self.one('first', 'last', f'at({self.index(s, n)})')}"
        if way == 3:
            found = self.of_state(kind + "?", s, n)
            if found:
                return found
        return f"{self.a_set(kind, s, n)}.{self.one('first', 'last', f'at({self.index(s, n)})')}"

    def a_set(self, kind: str, s: Scope, d: int) -> str:
        names = self.local(s, "set " + kind)
        if names and self.chance(1, 2):
            return self.one(*names)
        if s.chosen == "set " + kind and self.chance(1, 3):
            return "chosen"
        if kind == "num":
            return self.one("{1, 2}", f"{{{self.num(s, 0)}, 3}}", "{1, 2, 4}")
        if d <= 0 or self.chance(1, 4):
            zones = {
                "Card": ["Cards", "open", "heap", *(["me.row"] if s.me else [])],
                "Tile": ["Tiles", *(["me.pool"] if s.me else [])],
                "Die": ["Dice", "cup"],
            }
            return self.one(*zones.get(kind, [PLURAL[kind]]))
        n = d - 1
        way = self.below(7)
        if way == 0:
            return f"({self.a_set(kind, s, n)} {self.one('union', 'except')} {self.a_set(kind, s, n)})"
        if way == 1:
            return f"{{{self.expr(kind, s, n)}, {self.expr(kind, s, n)}}}"
        if way == 2:
            return f"({self.a_set(kind, s, n)} where {self.truth(Scope(s.names, s.me, kind, None), n)})"
        if way == 3:
            found = self.of_state("set " + kind, s, n)
            if found:
                return found
        if way == 4 and kind == "Card":
            return self.one(f"{self.player(s, n)}.row", f"{self.thing('Spot', s, n)}.shelf")
        if way == 4 and kind == "Good":
            return f"{self.thing('Spot', s, n)}.palette"
        if way == 5 and kind == "Tile":
            return f"{self.player(s, n)}.pool"
        return f"{{{self.expr(kind, s, 0)}}}" if self.chance(1, 3) else PLURAL[kind]

    def a_list(self, kind: str, s: Scope, d: int) -> str:
        names = self.local(s, "list " + kind)
        if names and self.chance(1, 2):
            return self.one(*names)
        found = self.of_state("list " + kind, s, 0)
        if found and self.chance(1, 2):
            return found
        if d <= 0:
            return f"[{self.expr(kind, s, 0)}, {self.expr(kind, s, 0)}]"
        n = d - 1
        if self.chance(1, 3):
            head, inner = self.head(s, n, 1)
            return f"list({head}: {self.expr(kind, inner, n)})"
        return f"({self.a_list(kind, s, n)} + [{self.expr(kind, s, n)}])"

    def tally(self, s: Scope, d: int) -> str:
        names = self.local(s, "tally")
        if names and self.chance(1, 2):
            return self.one(*names)
        if d <= 0 or self.chance(1, 4):
            return self.one("g1", "2 g2", "(1 g1 + 1 g3)", "(2 g1 + 1 g2)")
        n = d - 1
        way = self.below(8)
        if way == 0:
            return f"({self.tally(s, n)} {self.one('+', 'except')} {self.tally(s, n)})"
        if way == 1:
            return f"({self.num(s, min(n, 1))} * {self.tally(s, n)})"
        if way == 2:
            return f"{self.player(s, n)}.wares"
        if way == 3:
            return f"{self.thing('Card', s, n)}.price"
        if way == 4:
            return f"{self.thing('Spot', s, n)}.wares2" if self.chance(1, 4) else "bank.wares"
        if way == 5:
            found = self.of_state("tally", s, n)
            if found:
                return found
        if way == 6:
            return f"{self.deal(s, n)}.{self.one('give', 'get')}"
        return f"(({self.num(s, 1)}) {self.one(*GOODS)} + 1 {self.one(*GOODS)})"

    def deal(self, s: Scope, d: int) -> str:
        names = self.local(s, "deal")
        if names and self.chance(2, 3):
            return self.one(*names)
        return self.of_state("deal", s, 0) or f"Deal({self.tally(s, d)}, {self.tally(s, d)}, {self.num(s, d)})"

    # ------------------------------------------------------------------------------------------------------- heads
    def head(self, s: Scope, d: int, most: int, picks: bool = False) -> tuple[str, Scope]:
        """Binders, and the scope behind them."""
        binders = []
        for _ in range(1 + self.below(most)):
            text, name, kind = self.binder(s, d, picks)
            s = s.plus(**{name: kind})
            s.it = s.chosen = None
            if not self.several and self.chance(1, 3):
                text += f" where {self.truth(s, d)}"
            if not self.several and self.chance(1, 6):
                text += f" by {self.one('', 'highest ')}{self.num(s, d)}"
            binders.append(text)
        return ", ".join(binders), s

    several = False

    def binder(self, s: Scope, d: int, picks: bool) -> tuple[str, str, str]:
        name = self.fresh()
        self.several = picks and self.chance(1, 3)
        kind = self.one("Good", "Card", "Spot", "player", "num", "Tile", "Hue", "Die")
        if not self.several:
            if kind == "num":
                return f"{name} in {self.one('1..3', '0..2', f'1..{self.num(s, d)}', '{1, 3}')}", name, kind
            if self.chance(1, 12):
                return f"{name} in {self.tally(s, d)}", name, "Good"
            if self.chance(1, 12):
                return f"{name} in Deals", name, "deal"
            return f"{name} in {self.a_set(kind, s, d)}", name, kind
        size = self.one(
            "2",
            "1",
            "1..2",
            "up to 2",
            "as many as possible up to 2",
            f"{self.num(s, 0)}",
            f"up to {self.num(s, 1)}",
            "as many as possible up to 3",
        )
        if self.chance(1, 2):
            times = self.chance(1, 2)
            domain = self.one("Goods", "{g1, g3}") if times else self.tally(s, max(d, 1))
            where = self.one(
                "",
                "",
                " where it is not g2",
                f" where {self.truth(Scope(s.names, s.me, 'Good', None), 1)}",
                " where me.wares(it) > chosen(it)" if s.me else "",
                f" where {self.num(s, 0)} > chosen(it)",
            )
            return f"{name} in {size} {'times' if times else 'of'} {domain}{where}", name, "tally"
        if kind == "num":
            kind = "Card"
        test = Scope(s.names, s.me, kind, "set " + kind if self.chance(1, 8) else None)
        where = f" where {self.truth(test, 1)}" if self.chance(1, 2) else ""
        if self.chance(1, 8) and kind == "Card":
            where = " where sum(chosen.worth) + it.worth <= 4"
        return f"{name} in {size} of {self.a_set(kind, s, d)}{where}", name, "set " + kind
