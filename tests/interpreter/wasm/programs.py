# ruff: noqa: E501 - lines that hold lines of rules
"""Random small games: declarations of all kinds around random statements and expressions."""

from __future__ import annotations

from tests.interpreter.wasm.expression_writer import GOODS, ROWS, SPOTS, Choose, Scope
from tests.interpreter.wasm.pieces import Piece
from tests.interpreter.wasm.statement_writer import StatementWriter


class Writer(StatementWriter):
    """Writes one program."""

    # ------------------------------------------------------------------------------------------------ declarations
    def program(self) -> Piece:
        """The whole game."""
        declarations = [
            Piece('edition 1\ngame made "Made" { players 2..3 }\nuse turns\n', needed=True),
            Piece("enum Good/Goods { g1, g2, g3 }\nenum Hue/Hues { h1, h2, h3 }\n", needed=True),
            *self.things(),
            *self.made_states(),
        ]
        for _ in range(self.below(self.size + 1)):
            declarations.append(self.value())
        for _ in range(1 + self.below(self.size)):
            declarations.append(self.effect())
        for _ in range(1 + self.below(self.size)):
            declarations.append(self.action())
        declarations.append(
            Piece("action rest { effect { nothing } }\naction calm { effect { nothing } }\n", needed=True)
        )
        self.actions += [("rest", []), ("calm", [])]
        for _ in range(self.below(3)):
            declarations.append(self.effect())
        declarations += self.rules()
        declarations += self.laws()
        declarations.append(self.flow())
        return Piece("", declarations, "", needed=True)

    def things(self) -> list[Piece]:
        empty = Scope({}, True)
        rows = [
            Piece(
                f"| {name} | {self.below(6)} | {self.one(*GOODS)} | {self.one('{g1}', '{g1, g2}', '{}')} |",
                [Piece(self.cell(empty.plus(n="num")))],
                " |\n",
            )
            for name in SPOTS
        ]
        spots = Piece(
            "fields Spot/Spots {\n  column need: 0..9\n  column good: Good\n  column palette: set of Good = {}\n  column boost(n: number): effect\n"
            "  | spot | need | good | palette | boost |\n", rows, "}\n", needed=True)  # fmt: skip
        for each in rows:
            each.needed = True
        cells = [
            Piece(
                f"| {name} | {1 + self.below(3)} | {self.below(6)} | {self.one(*GOODS)} | {self.one('', 'g1', '2 g2 + g3', 'g1 + g2')} | {self.one('', 'yes', 'no')} |",
                [Piece(self.cell(empty)), Piece("| ", [Piece(self.roles(empty))], "", needed=True)], " |\n", needed=True,
            )
            for name in ROWS
        ]  # fmt: skip
        cards = Piece(
            "cards Card/Cards live in row {\n  column worth: 0..9\n  column kind: Good\n  column price: tally of Good = {}\n  column ready: test = yes\n"
            "  column act: effect\n  column bonus: rules\n"
            "  | card | copies | worth | kind | price | ready | act | bonus |\n", cells, "}\n", needed=True)  # fmt: skip
        self.cells = cells
        capacity = self.one("", "", f" capacity {1 + self.below(3)}")
        start, bound = self.below(4), 2 + self.below(3)
        rest = (
            "tiles Tile/Tiles per player copies 2\ndice Die/Dice copies 3 faces 1..4\n"
            f"resource coin/coins supply {5 + self.below(20)} start {start} held by player, Spot\n"
            f"resource gem/gems supply {1 + self.below(9)} held by player, Spot\n"
            f"resource ware/wares per Good supply {3 + self.below(6)} start {self.below(2)} held by player\n"
            "resource ware2/wares2 per Hue supply 6 held by Spot\n"
            f"track point/points per player: {self.one('0', '-3')}..{8 + self.below(30)}\n"
            f"track mark/marks per player: 0..{2 + self.below(6)} in halves overflow {self.one('lost', '{ gain 1 point }')}\n"
            f"zone deck of Card order pile from Cards where .worth < {bound} seen by nobody\n"
            f"zone hand per player of Card seen by owner\nzone row per player of Card{self.one('', ' order row', capacity)}\n"
            f"zone open of Card{self.one(' order row', '', ' order pile')}{self.one('', ' capacity 12')} from Cards where .worth is {bound}\n"
            f"zone heap of Card order pile\nzone shelf per Spot of Card{self.one('', capacity, ' order pile')}\n"
            "zone pool per player of Tile from Tiles where .owner is me\nzone tiles per Spot of Tile\n"
            f"zone cup of Die from Dice\nzone dice per player of Die{capacity}\n"
            "record Deal/Deals (give in 1..2 times {g1, g2}, get in 1 times Goods, depth in 1..2) { require differ: not some(k in Goods where give(k) > 0 and get(k) > 0) }\n"
        )
        fame = Piece(
            f"track fame/fames per player: 0..{2 + self.below(5)} overflow {self.one('lost', 'forbidden')}\n",
            needed=True,
        )
        if self.chance(1, 2):
            fame = Piece(
                f"track fame/fames per player: 0..{2 + self.below(4)} overflow {{\n",
                [
                    Piece(
                        f"{self.one('gain excess coins', 'choose fame_k in Goods { gain 1 coin }', 'gain 1 g1 or gain excess points', 'may gain 1 gem', 'lose excess marks')}\n"
                    )
                ],
                "}\n",
                needed=True,
            )
        return [spots, cards, Piece(rest, needed=True), fame]

    def cell(self, s: Scope) -> str:
        """A cell of effects."""
        count = self.below(3)
        text = " then ".join(self.simple(s, 1) for _ in range(count))
        if self.chance(1, 8):
            text = f"if {self.truth(s, 1)} {{ {self.simple(s, 1)} }}"
        return text if len(text) < 200 else "gain 1 coin"

    def roles(self, s: Scope) -> str:
        """A cell of rules."""
        if self.chance(1, 2):
            return ""
        guard = self.one("", "", f" while {self.truth(s, 1)}")
        anyone = self.one("", " by anyone")
        text = self.one(
            f"modify strength{guard}{self.one('', anyone)} {self.one('plus 1', 'at least 3', 'minus 2', 'becomes 2', 'at most 4')}",
            f"after gain(what){guard}{anyone} {{ {self.one('gain 1 gem', 'gain 1 point', 'lose 1 coin', 'set count1 = count1 + 1')} }}",
            f"before lose(what){guard}{anyone} {{ gain 1 point }}",
            f"after rest{guard}{anyone} {{ {self.simple(s, 0)} }}",
            f'forbid rest{guard}{anyone} because "no rest"',
            f"instead of helper{guard} {{ {self.simple(s, 0)} }}",
            f"modify palette2{guard} also {{g2}}",
        )
        return text if len(text) < 200 else ""

    def made_states(self) -> list[Piece]:
        kinds = {
            "num": (("0..9", "1"), ("-5..20", "0"), ("0..3", "2"), ("0..300", "5"), ("0..", "3")),
            "half": (("0..6 in halves", "0.5"),),
            "bool": (("yes/no", "no"), ("yes/no", "yes")),
            "player?": (("player?", "none"),),
            "Spot?": (("Spot?", "none"), ("Spot?", "s2")),
            "Good?": (("Good?", "none"),),
            "Good": (("Good", "g2"),),
            "Card?": (("Card?", "none"),),
            "set Good": (("set of Good", "{}"), ("set of Good", "{g1}")),
            "set player": (("set of player", "{}"),),
            "set Spot": (("set of Spot", "{}"),),
            "set Card": (("set of Card", "{}"),),
            "list num": (("list of 0..9 up to 4", "[]"), ("list of 0..9 up to 12", "[1, 2]")),
            "list player": (("list of player up to 5", "[]"),),
            "list Spot": (("list of Spot up to 4", "[]"),),
            "tally": (("tally of Good", "{}"), ("tally of Good", "2 g1")),
            "deal": (("Deal", "Deal(1 g1, 1 g2, 1)"),),
        }
        found = [
            Piece(
                "state count1: 0..999 = 0\nstate by_spot per Spot: 0..9 = it.pos\nstate by_spot2 per Spot: Spot? = it\n",
                needed=True,
            )
        ]
        self.states += [("count1", "", "num"), ("by_spot", "Spot", "num"), ("by_spot2", "Spot", "Spot?")]
        names = list(kinds)
        for _ in range(3 + self.below(6)):
            kind = names[self.below(len(names))]
            written, start = kinds[kind][self.below(len(kinds[kind]))]
            key = self.one("", "", "player", "Spot", "Good", "Card")
            name = self.fresh("x")
            resets = self.one("", "", "", " resets each round", " resets each turn", " resets each action")
            self.states.append((name, key, kind))
            found.append(Piece(f"state {name}{' per ' + key if key else ''}: {written} = {start}{resets}\n"))
        return found

    def value(self) -> Piece:
        kind = self.one("num", "bool", "set Card", "tally", "player?", "set Spot", "num", "half", "Spot")
        parameters = [
            (self.fresh("p"), self.one("num", "player", "Spot", "Card", "Good", "set Card", "Spot?", "tally"))
            for _ in range(self.below(3))
        ]
        me = self.chance(1, 3)
        scope = Scope(dict(parameters), me)
        name = self.fresh("val")
        body = self.expr(kind, scope, 3)
        written = [*(["me"] if me else []), *(f"{p}: {self.type_of(k)}" for p, k in parameters)]
        head = f"({', '.join(written)})" if written else ""
        self.values.append((name, kind, [k for _, k in parameters], me))
        return Piece(f"value {name}{head} = {body}\n")

    def type_of(self, kind: str) -> str:
        if kind == "num":
            return "number"
        if kind == "half":
            return "0..9 in halves"
        if kind == "bool":
            return "yes/no"
        if kind == "tally":
            return "tally of Good"
        if kind == "deal":
            return "Deal"
        if kind.startswith("set "):
            return f"set of {kind[4:]}"
        if kind.startswith("list "):
            return f"list of {'0..9' if kind[5:] == 'num' else kind[5:]} up to 6"
        return kind

    def effect(self) -> Piece:
        parameters = [
            (
                self.fresh("p"),
                self.one(
                    "num", "player", "Spot", "Card", "Good", "set Card", "tally", "Spot?", "list num", "bool", "deal"
                ),
            )
            for _ in range(self.below(3))
        ]
        name = self.fresh("e")
        head = f"({', '.join(f'{p}: {self.type_of(k)}' for p, k in parameters)})" if parameters else ""
        scope = Scope(dict(parameters), True)
        body = self.block(scope, 3, 4)
        if self.chance(1, 4):
            body.insert(0, Piece(f"require {self.fresh('need')}: {self.truth(scope, 2)}\n"))
        piece = Piece(f"effect {name}{head} {{\n", body, "}\n")
        self.effects.append((name, parameters))
        return piece

    def action(self) -> Piece:
        name = self.fresh("a")
        text, parameters = "", []
        scope = Scope({}, True)
        if self.chance(3, 4):
            text, scope = self.head(scope, 1, 3, True)
            parameters = list(scope.names.items())
            text = f"({text})"
        limit = self.one("", "", "", " at most 2 per turn", " at most 1 per round")
        clauses: list[Piece] = []
        for _ in range(self.below(3)):
            clause = self.fresh("r")
            self.requires.append(f"{name}.{clause}")
            clauses.append(Piece(f'require {clause}: {self.truth(scope, 2)} else "not now"\n'))
        for _ in range(self.below(2)):
            clause = self.fresh("k")
            self.costs.append(f"{name}.{clause}")
            when = self.one("", f" when {self.truth(scope, 2)}")
            clauses.append(Piece(f'cost {clause}: {self.amount(scope, 1)}{when} "fee"\n'))
        clauses.append(Piece("effect {\n", self.block(scope, 3, 3), "}\n", needed=True))
        piece = Piece(f'action {name}{text}{limit} "Do {name}" {{\n', clauses, "}\n")
        self.actions.append((name, parameters))
        return piece

    def rules(self) -> list[Piece]:
        found = [
            Piece(
                "value strength(me) = count1 mod 5\nvalue palette2(me): set of Good = {g1}\neffect helper { gain 1 coin }\n",
                needed=True,
            )
        ]
        self.values += [("strength", "num", [], True), ("palette2", "set Good", [], True)]
        self.effects.append(("helper", []))
        for _ in range(self.below(self.size + 2)):
            way = self.below(8)
            name = self.fresh("t")
            guard = self.one("", f" while {self.truth(Scope({}, True), 2)}")
            if way < 4:
                kinds = [*self.actions, *self.effects]
                target, parameters = kinds[self.below(len(kinds))]
                used = [each for each in parameters if self.chance(1, 2)]
                scope = Scope(dict(used), True)
                guard = self.one("", f" while {self.truth(scope, 2)}")
                head = f"({', '.join(p for p, _ in used)})" if used else ""
                word = self.one("before", "after", "after", "instead of")
                found.append(
                    Piece(f"trigger {name}: {word} {target}{head}{guard} {{\n", self.block(scope, 2, 2), "}\n")
                )
            elif way == 4:
                verb = self.one("gain", "lose", "move", "draw", "roll", "main.round", "main.round.turn")
                found.append(
                    Piece(
                        f"trigger {name}: {self.one('before', 'after')} {verb}{guard} {{\n",
                        self.block(Scope({}, True), 1, 2),
                        "}\n",
                    )
                )
            elif way == 5:
                change = self.one(
                    "plus 1", "minus 1", "becomes 3", "at least 2", "at most 3", f"plus {self.num(Scope({}, True), 1)}"
                )
                numeric = [each for each in self.values if each[1] == "num"]
                target = self.one("Spot.need(it)", "Card.worth(it)", *(each[0] for each in numeric))
                found.append(Piece(f"rule {name}: modify {target}{guard} {change}\n"))
            elif way == 6 and self.costs:
                target = self.one(*self.costs)
                found.append(
                    Piece(
                        f"rule {name}: {self.one(f'modify {target}{guard} minus 1 coin', f'waive {target}{guard}', f'modify {target}{guard} plus 1 coin')}\n"
                    )
                )
            elif self.requires and self.chance(1, 2):
                found.append(Piece(f"rule {name}: waive {self.one(*self.requires)}{guard}\n"))
            else:
                target, parameters = self.actions[self.below(len(self.actions))]
                used = [each for each in parameters if self.chance(1, 2)]
                scope = Scope(dict(used), True)
                head = f"({', '.join(p for p, _ in used)})" if used else ""
                found.append(Piece(f'rule {name}: forbid {target}{head} while {self.truth(scope, 2)} because "no"\n'))
        return found

    def laws(self) -> list[Piece]:
        me = Scope({}, True)
        who = Scope({"p": "player"}, False)
        return [
            Piece(
                f'score final {{\nline money "m" = {self.one("me.coins div 2", "me.points", self.num(me, 2))}\nline rest "r" = {self.one("me.row.count", self.num(me, 2))}\n}}\n'
            ),
            Piece(
                f"value measure(p: player) = {self.one('p.points', 'p.coins', self.num(who, 2))}\naward best to most measure{self.one('', ' at least 1')}\n"
            ),
            Piece(
                f"value at_spot(p: player, f: Spot) = {self.one('f.need + p.coins', 'count(t in f.tiles where t.owner is p)', self.num(Scope({'p': 'player', 'f': 'Spot'}, False), 2))}\naward control per Spot to most at_spot{self.one('', ' at least 1')}\n"
            ),
            Piece("value best = players.first\n", gone=True),
            Piece(
                f"end e1 {self.one('at once', 'after main.round', 'at once')} when count1 >= 3 and {self.truth(Scope({}, False), 2)}{self.one('', ' won by players.first', ' ranked by winner')}{self.one('', ' { gain_end }')[:0]}\n"
            ),
            Piece(f"invariant fine: {self.truth(Scope({}, False), 1)}\n"),
            Piece(
                f"rank winner by {self.one('me.points', self.num(me, 1))}{self.one('', ', lowest me.coins')}{self.one('', ' then shared')}\n"
            ),
        ]

    def flow(self) -> Piece:
        """The phases."""
        offers = []
        for _ in range(1 + self.below(2)):
            names = ", ".join(
                dict.fromkeys(
                    [self.actions[self.below(len(self.actions))][0] for _ in range(3)]
                    + (["rest"] if self.chance(2, 3) else [])
                )
            )
            until = self.one("", "", ' or pass "pass"', " until rest" if "rest" in names else "", ' until done "done"')
            offers.append(Piece(f"offer {names}{until}\n"))
        me = Scope({}, True)
        steps = [
            Piece(
                f"step {self.fresh('st')}{self.one('', f' when {self.truth(me, 1)}')} {{\n", self.block(me, 2, 2), "}\n"
            )
            for _ in range(self.below(2))
        ]
        driver = self.one(
            "turns from players.first while turn_count < 4",
            "for p in players acting p",
            "turns from active while turn_count < 3 skip me.points > 9",
            "for p in clockwise(players.last) acting p",
            "turns next (if turn_count < 3 then players.at(1 + turn_count mod 2) else none)",
        )
        inner = [
            Piece("step opened { set count1 = count1 + 1 set turn_count = 0 }\n", needed=True),
            *(
                [
                    Piece(
                        f"phase early for f in {self.a_set('Spot', Scope({}, False), 1)} {{\n",
                        [Piece("step look {\n", self.block(Scope({"f": "Spot"}, False), 1, 2), "}\n")],
                        "}\n",
                    )
                ]
                if self.chance(1, 3)
                else []
            ),
            Piece(
                f"phase turn {driver} {{\n",
                [Piece("step counted { set turn_count = turn_count + 1 }\n", needed=True), *steps, *offers],
                "}\n",
                needed=True,
            ),
        ]
        if self.chance(1, 3):
            names = self.actions[self.below(len(self.actions))][0]
            inner.append(
                Piece(
                    f"phase shared together {self.one('players', self.a_set('player', Scope({}, False), 1))} {{ offer {names}{self.one('', ', rest', ' or pass')} }}\n"
                )
            )
        inner.append(
            Piece(
                f"phase late when {self.truth(Scope({}, False), 1)} {{\nstep tidy {{\n",
                self.block(Scope({}, False), 2, 2),
                "} }\n",
            )
        )
        setup = Piece("step setup {\n", self.block(Scope({}, False), 2, 3), "}\n")
        return Piece(
            "state turn_count: 0..99 = 0\nphase main {\n",
            [setup, Piece(f"phase round loop until count1 >= {4 + self.below(8)} {{\n", inner, "}\n", needed=True)],
            "}\n", needed=True,
        )  # fmt: skip


def program(choose: Choose, size: int = 3) -> Piece:
    """A random program."""
    return Writer(choose, size).program()
