"""Plays Grand Austria Hotel with players that look a step ahead, and reports how often each card ran.

    python benchmarks/hotel_cards.py --games 48

Random players hardly ever meet a Politics card. These judge each option by what it leads to, by values that a variant
adds to the rules (`JUDGED`): points, rooms, served orders, money, and how near the hotel is to the Politics card that
the game is played for, each of the twelve in turn. The other options of the game are drawn at random. Invariants are
checked after every decision; the exit status is 1 if a game faults, an invariant breaks, or a card never ran.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from random import Random

from regelwerk.dsl.model import statements as t
from regelwerk.dsl.source import Source
from regelwerk.interpreter import layout as la
from regelwerk.interpreter import machine
from regelwerk.interpreter.api import Game, State
from regelwerk.interpreter.coverage import Coverage
from regelwerk.interpreter.decisions import DONE, PASS, Raw
from regelwerk.interpreter.evaluation.roles import value_function
from regelwerk.interpreter.loading import check_source
from regelwerk.tools.game_facts import Facts

JUDGED = """edition 1
variant hotel_judged "Grand Austria Hotel, judged" of grand_austria_hotel
value stage(r: Room) = if r is occupied then 3 else if r is prepared then 1 else 0
value on_floor(p: player, f: 1..4)  = sum(r in p.rooms where r.floor is f: r.stage)
value in_column(p: player, k: 1..5) = sum(r in p.rooms where r.col is k: r.stage)
value laid(p: player)       = count(r in p.rooms where r is not bare)
value welcome(g: Guest, p: player) =
  some(r in p.rooms where r is prepared and (g.colour is green or r.colour is g.colour))
value near(p: player, c: Politics) = by c.pos {
  1: 3 * p.krones,
  2: 9 * p.laid,
  3: 14 * p.office.count,
  4: 7 * p.emperor,
  5: sum(f in 1..2: p.on_floor(f) * p.on_floor(f) * 4),
  6: 14 * p.full_groups + 4 * count(r in p.rooms where r is occupied),
  7: 9 * max(p.rooms_in(red), p.rooms_in(blue), p.rooms_in(yellow)),
  8: sum(k in 1..2: p.in_column(k) * p.in_column(k) * 6),
  9: 9 * (min(3, p.rooms_in(red)) + min(3, p.rooms_in(blue)) + min(3, p.rooms_in(yellow))),
  10: 10 * (min(4, p.rooms_in(red)) + min(3, p.rooms_in(yellow))),
  11: 10 * (min(4, p.rooms_in(yellow)) + min(3, p.rooms_in(blue))),
  else: 10 * (min(4, p.rooms_in(blue)) + min(3, p.rooms_in(red)))
}
value full(p: player)       = count(r in p.rooms where r is occupied)
value promise(g: Guest, p: player) =
  22 + 16 * g.goods.total - 6 * g.missing.total + (if g is unserved then 0 else 20) + (if welcome(g, p) then 12 else 0)
value hope(p: player): number =
  10 * p.points + 4 * min(p.krones, 8) + 5 * p.emperor + 14 * p.laid + 60 * p.full + 12 * p.office.count +
  sum(g in p.cafe: promise(g, p)) + sum(k in Goods: min(p.goods(k), 3) * (if p.wants(k) then 8 else 3)) +
  2 * sum(c in politics: near(p, c)) + 150 * p.claimed.count
"""
COLUMNS = {"Guest": "reward", "Staff": "does", "Politics": "met"}
TRIED = 14
"""So many options of a decision are tried at most."""
DEEP = 6
"""So many decisions that follow from an option are answered as well as possible, to see what it leads to."""


class Player:
    """Takes the option that leads to the most hope."""

    def __init__(self, state: State, random: Random) -> None:
        self.random = random
        hope = next(each for each in state.program.game.values if each.name == "hope")
        self.judge = value_function(state.program.compiler, hope)

    def hope(self, state: State, seat: int) -> int:
        """What a position is worth for a seat."""
        return int(self.judge(state.image, [seat])) if state.status == "decision" else 0

    def choose(self, state: State) -> Raw:
        """An option of the decision that is open."""
        options = self._tried(state)
        if len(options) == 1:
            return options[0]
        seat = state.image.w[la.ACTOR]
        judged = []
        for option in options:
            copy = state.clone()
            copy.step_raw(option)
            self._follow(copy, seat)
            judged.append((self.hope(copy, seat) + self.random.random() * 4, option))
        return max(judged, key=lambda each: each[0])[1]

    def _tried(self, state: State) -> list[Raw]:
        options = state.raw_options
        node = machine.pending(state.program, state.image)[0].node
        if isinstance(node, t.Offer):
            names = [node.actions[each[0]].name if each[0] >= 0 else "" for each in options]
            first = [o for o, name in zip(options, names, strict=True) if name in ("claim", "check_in", "use_staff")]
            if first:
                return [first[self.random.randrange(len(first))]]
            options = [o for o, name in zip(options, names, strict=True) if name != "pass_turn"] or options
        elif all(each[0] in (DONE, PASS) for each in options):
            return options
        if len(options) > TRIED:
            options = self.random.sample(options, TRIED)
        return options

    def _follow(self, copy: State, seat: int) -> None:
        for _ in range(DEEP):
            if copy.status != "decision" or copy.image.w[la.ACTOR] != seat:
                return
            if isinstance(machine.pending(copy.program, copy.image)[0].node, t.Offer):
                return
            best: tuple[int, State] | None = None
            options = copy.raw_options
            for option in options if len(options) <= TRIED else self.random.sample(options, TRIED):
                deeper = copy.clone()
                deeper.step_raw(option)
                worth = self.hope(deeper, seat)
                if best is None or worth > best[0]:
                    best = worth, deeper
            assert best is not None
            copy._image, copy._options, copy._decision = best[1]._image, best[1]._options, None


def options_for(game: Game, goal: int, players: int, random: Random) -> dict[str, str]:
    """The options of a game for a Politics card (0 to 11); the others at random."""
    found = {}
    for each in game.options:
        found[each.name] = random.choice([value for value in each.values if value not in game.seats[players:]])
    found[f"politics_{'abc'[goal // 4]}"] = str(goal % 4 + 1)
    return found


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=48)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--goals", type=int, nargs="*", default=list(range(105, 117)), help="Politics cards")
    words = parser.parse_args()
    found = check_source(Source("hotel_judged.rules", JUDGED))
    if found.game is None:
        raise SystemExit("\n".join(str(each) for each in found.diagnostics))
    game = Game(found.game, found.diagnostics, found.sources, "reference")
    counted = Game(found.game, found.diagnostics, found.sources, coverage=Coverage())
    claims: Counter[str] = Counter()
    politics = next(each for each in found.game.entities if each.name == "Politics").rows
    begun, decisions, points = time.perf_counter(), 0, []
    for number in range(words.games):
        random = Random(words.seed + number)
        players, seed = game.players[number % 3], words.seed + number
        options = options_for(game, words.goals[number % len(words.goals)] - 105, players, random)
        state, twin = game.new(players, seed, options), counted.new(players, seed, options)
        player = Player(state, random)
        while state.status == "decision":
            option = player.choose(state)
            state.step_raw(option)
            twin.step_raw(option)  # only what is really played is counted
            if broken := state.violated_invariants():
                raise SystemExit(f"{broken} broken in the game of seed {seed} after {state.decisions} decisions")
        if state.status != "over" or twin.status != "over":
            raise SystemExit(f"{state.fault} in the game of seed {seed} after {state.decisions} decisions")
        decisions += state.decisions
        points += [each.count for each in state.view().counts if each.name == "point"]
        for each in state.view().states:
            if each.name == "claimed":
                claims.update(row.printed for row in politics if row.printed in (each.value or ""))
        print(f"game {number}: {players} players, {state.decisions} decisions", flush=True)
    assert counted.coverage is not None
    counts = counted.coverage.by_address(counted.address)
    facts, never = Facts(game.new(2)), []
    for entity in game.checked.entities:
        for column in entity.columns.values():
            if column.name not in (*COLUMNS.values(), "bonus", "penalty") or entity.name == "Space":
                continue
            for row in entity.rows:
                address = f"{entity.name}.{row.name}.{column.name}"
                if facts.cell(row, column):
                    print(f"{counts.get(address, 0):8}  {address}  {row.printed}")
                    never += [address] if address not in counts else []
    print(f"{words.games} games, {decisions} decisions in {time.perf_counter() - begun:.0f} s")
    print(f"points: mean {sum(points) / len(points):.0f}, most {max(points)}; claimed: {dict(claims)}")
    print(f"never ran: {', '.join(never)}" if never else "every card ran")
    return 1 if never else 0


if __name__ == "__main__":
    raise SystemExit(main())
