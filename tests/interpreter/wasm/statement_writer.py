# ruff: noqa: E501 - lines that hold lines of rules
"""Random statements."""

from __future__ import annotations

from tests.interpreter.wasm.expression_writer import UNITS, ExpressionWriter, Scope
from tests.interpreter.wasm.pieces import Piece


class StatementWriter(ExpressionWriter):
    """Writes statements; what they bind holds to the end of their block."""

    # -------------------------------------------------------------------------------------------------- statements
    def amount(self, s: Scope, d: int) -> str:
        def part() -> str:
            unit = self.one(*UNITS)
            n = self.one("1", "2", "3", f"({self.num(s, d)})")
            if unit == "marks" and self.chance(1, 2):
                n = self.one("0.5", "1.5")
            return f"{n} {unit}"

        way = self.below(8)
        if way < 5:
            return part()
        if way < 7:
            return f"{part()} + {part()}"
        return self.tally(s, d)

    def place(self, s: Scope, d: int) -> tuple[str, str]:
        return (
            (f"{self.player(s, d)}.row", "Card"), ("open", "Card"), ("heap", "Card"),
            (f"{self.thing('Spot', s, d)}.shelf", "Card"), (f"{self.player(s, d)}.pool", "Tile"),
            (f"{self.thing('Spot', s, d)}.tiles", "Tile"), (f"{self.player(s, d)}.hand", "Card"), ("cup", "Die"),
            (f"{self.player(s, d)}.dice", "Die"),
        )[self.below(9)]  # fmt: skip

    def block(self, s: Scope, d: int, most: int = 3) -> list[Piece]:
        """Statements, one after the other; what they bind holds to the end."""
        found: list[Piece] = []
        for _ in range(1 + self.below(most)):
            piece, s = self.statement(s, d)
            found.append(piece)
        return found

    def braces(self, before: str, s: Scope, d: int, most: int = 2, after: str = "") -> Piece:
        return Piece(f"{before} {{\n", self.block(s, d, most), f"}}{after}\n")

    def simple(self, s: Scope, d: int) -> str:
        """A statement that stands in cells, in brackets and beside `or`."""
        way = self.below(16)
        if way < 4:
            return f"gain {self.amount(s, d)}"
        if way == 4:
            return f"lose {self.amount(s, d)}"
        if way == 5:
            return f"pay {self.amount(s, d)}"
        if way == 6:
            return f"pay {self.amount(s, d)} to ({self.simple(s, d)})"
        if way == 7:
            to = self.one(self.player(s, d), self.player(s, d), "bank", self.thing("Spot", s, d))
            giver = self.one("", "", " from bank", f" from {self.player(s, d)}", f" from {self.thing('Spot', s, d)}")
            return f"give {self.amount(s, d)} to {to}{giver}"
        if way == 8:
            return f"take {self.amount(s, d)} from {self.one(self.player(s, d), 'bank', self.thing('Spot', s, d))}"
        if way in (9, 10):
            place, kind = self.place(s, d)
            what = self.one(
                self.thing(kind, s, d), self.a_set(kind, s, d), "deck.top" if kind == "Card" else self.thing(kind, s, d)
            )
            return f"move {what} to {place}{self.one('', '', ' at bottom')}"
        if way == 11:
            place, _ = self.place(s, d)
            return f"draw {self.num(s, min(d, 1))} from {self.one('deck', 'heap')} to {place}"
        if way == 12 and self.effects:
            name, parameters = self.effects[self.below(len(self.effects))]
            return f"do {name}({', '.join(self.expr(kind, s, min(d, 1)) for _, kind in parameters)})"
        if way == 13:
            return self.one(
                f"do {self.thing('Card', s, d)}.act", f"do {self.thing('Spot', s, d)}.boost({self.num(s, min(d, 1))})"
            )
        if way == 14:
            return self.one(
                "roll cup",
                f"roll {self.player(s, d)}.dice",
                f"roll {self.thing('Die', s, d)}",
                "shuffle deck",
                "shuffle heap",
                "shuffle heap into deck",
                f"reveal {self.player(s, d)}.hand to {self.player(s, d)}",
            )
        return self.one(
            "nothing", f"may gain {self.amount(s, d)}", f"(gain {self.amount(s, d)} or lose {self.amount(s, d)})"
        )

    def statement(self, s: Scope, d: int) -> tuple[Piece, Scope]:
        n = d - 1
        way = self.below(30) if d > 0 else self.below(13)
        if way < 8:
            return Piece(self.simple(s, min(d, 2)) + "\n"), s
        if way < 12:
            return Piece(self.setting(s) + "\n"), s
        if way == 12:
            kind = self.one(
                "num", "set Card", "player", "Card", "tally", "list num", "bool", "Spot?", "half", "set player"
            )
            name = self.fresh("l")
            return Piece(f"let {name} = {self.expr(kind, s, 2)}\n"), s.plus(**{name: kind})
        if way in (13, 14, 15):
            head, inner = self.head(s, 1, (self.one("1", "2", "1") == "2" and 2) or 1, True)
            may = self.one("", "", "may ")
            if self.chance(1, 4):
                at_most = self.one("", f" at most {self.num(s, 0)}")
                done = self.one("", " or done", f' or done "enough" when {self.truth(s, 1)}')
                return self.braces(f"choose {head} again{at_most}{done}", inner, n), s
            if self.chance(1, 2):
                return Piece(f'{may}choose {head} "Which?"\n', needed=False), inner
            return self.braces(f'{may}choose {head} "Which?"', inner, n), s
        if way == 16:
            name, inner = self.fresh(), s
            kind = self.one("Good", "Card", "Spot", "player", "num")
            domain = "1..4" if kind == "num" else self.a_set(kind, s, 1)
            if kind == "Good" and self.chance(1, 2):
                domain = self.tally(s, 1)
            where = f" where {self.truth(s.plus(**{name: kind}), 1)}" if self.chance(1, 3) else ""
            inner = s.plus(**{name: kind})
            if self.chance(1, 3):
                return Piece(f"random {name} in {domain}{where}\n"), inner
            return self.braces(f"random {name} in {domain}{where}", inner, n), s
        if way in (17, 18):
            head, inner = self.head(s, 1, 2)
            return self.braces(f"for {head}", inner, n), s
        if way == 19:
            return self.braces(
                self.one(
                    "everyone",
                    f"everyone in {self.a_set('player', s, 1)}",
                    f"everyone in {self.a_list('player', s, 1)}",
                ),
                Scope(s.names, True),
                n,
            ), s
        if way == 20:
            return self.braces(f"acting {self.player(s, 1)}", Scope(s.names, True), n), s
        if way == 21:
            return self.braces(f"repeat at most {self.num(s, 1)}{self.one('', f' while {self.truth(s, 2)}')}", s, n), s
        if way in (22, 23):
            piece = self.braces(f"if {self.truth(s, 2)}", s, n)
            if self.chance(1, 2):
                piece.after = "}"
                return Piece("", [piece, self.braces(" else", s, n)], "\n"), s
            return piece, s
        if way == 24:
            return self.braces("as one", s, n), s
        if way == 25:
            options = [
                Piece(
                    f'option "o{k}"{self.one("", f" when {self.truth(s, 1)}")}: {self.simple(s, 1)}{self.one("", f" then {self.simple(s, 1)}")}\n'
                )
                for k in range(2 + self.below(2))
            ]
            word = self.one("one of", "any order", "choose 2 of", "choose up to 2 of", "may one of")
            if word == "may one of":
                return Piece("may {\none of {\n", options, "} }\n"), s
            return Piece(f"{word} {{\n", options, "}\n"), s
        if way == 26:
            return Piece(
                f"{self.simple(s, 1)} or {self.simple(s, 1)}{self.one('', f' or ({self.simple(s, 1)} then {self.simple(s, 1)})')}\n"
            ), s
        if way == 27:
            return self.braces("may", s, n), s
        if way == 28 and self.actions:
            names = ", ".join(dict.fromkeys(self.actions[self.below(len(self.actions))][0] for _ in range(2)))
            until = self.one("", " or pass", ' or pass "enough"', ' until done "enough"')
            return Piece(f"offer {names}{until}\n"), s
        return self.braces(f"step {self.fresh('part')}", s, n), s

    def setting(self, s: Scope) -> str:
        if self.chance(1, 8):
            return f"set {self.thing('Die', s, 1)}.face = {self.num(s, 1)}"
        name, key, kind = self.states[self.below(len(self.states))]
        left = f"{self.expr(key, s, 1)}.{name}" if key else name
        if kind == "num" and self.chance(1, 2):
            return f"set {left} = {left} {self.one('+', '-')} {self.num(s, 0)}"
        if kind.startswith("list ") and self.chance(2, 3):
            return f"set {left} = {left} + [{self.expr(kind[5:], s, 1)}]"
        if self.chance(1, 10):
            return f"shuffle {self.a_set('Spot', s, 1)}.{self.one('by_spot', 'by_spot2')}"
        return f"set {left} = {self.expr(kind, s, 2)}"
