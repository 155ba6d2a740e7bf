"""Catan against another program that knows its rules: catanatron, which shares neither text nor code with Regelwerk.

Games of random players are played in both at once, decision by decision. After each of them the legal options, hands,
bank, buildings, roads, pieces left, robber, knights, titles, points and the winner must agree, wherever both implement
the rule.
What they do not share is left out by name:

    first cards             catanatron gives them before the second road is laid, and not after it (C-019)
    domestic trade          catanatron has none: no offers are made
    separate phases         catanatron mixes trading and building, so the option `mixed_trade_build` is on
    worse rates             catanatron offers the best rate of a resource only
    cards before the roll   catanatron lets only knights be played then
    cards just bought       catanatron lets them be played at once; the rules do not (C-067)
    road building           catanatron asks the price of its free roads (C-070): never played
    one of plenty           catanatron offers a single card although there are two (C-071)
    shortage of one         catanatron pays nobody although one player alone claims (C-029): such rolls are not made
    roads and buildings     where a road meets an opponent's building catanatron drops its last edge, and after a cut it
                            gives the title to anybody (C-080, C-083, C-084): lengths and the title are compared without
    winning in others' turns    catanatron ends the game at once (C-089)

It needs `pip install catanatron==3.2.1` (GPL-3; used here only, and no part of Regelwerk).
"""

from __future__ import annotations

import importlib
import re
from collections import Counter
from functools import cache
from random import Random
from typing import Any

import pytest
from tests.games.test_catan_data import HARBOURS, HEXES, edges

import regelwerk
from regelwerk.interpreter.api import Decision, State

pytest.importorskip("catanatron", reason="catanatron is not installed: pip install catanatron==3.2.1")
enums: Any = importlib.import_module("catanatron.models.enums")
maps: Any = importlib.import_module("catanatron.models.map")
players: Any = importlib.import_module("catanatron.models.player")
game_module: Any = importlib.import_module("catanatron.game")

KIND = enums.ActionType
GOODS = {"wood": "WOOD", "brick": "BRICK", "wool": "SHEEP", "grain": "WHEAT", "ore": "ORE"}
OURS = {theirs: ours for ours, theirs in GOODS.items()}
HEX_NAMES = [f"{'ABCDE'[k]}{row}" for row, count in enumerate((3, 4, 5, 4, 3), 1) for k in range(count)]
HEX_PLACES = [(row, abs(3 - row) + 2 * k) for row, count in enumerate((3, 4, 5, 4, 3), 1) for k in range(count)]
AROUND = ("NORTHWEST", "NORTH", "NORTHEAST", "SOUTHEAST", "SOUTH", "SOUTHWEST")
CARDS = ("KNIGHT", "YEAR_OF_PLENTY", "MONOPOLY", "ROAD_BUILDING", "VICTORY_POINT")
EAGER = {"BUILD_CITY": 40, "BUILD_SETTLEMENT": 40, "BUILD_ROAD": 6, "BUY_DEVELOPMENT_CARD": 6, "END_TURN": 3}
Option = tuple[Any, ...]


@cache
def catan() -> regelwerk.Game:
    """The rules."""
    return regelwerk.load("catan")


class Pair:
    """One game in both programs."""

    def __init__(self, seats: int, seed: int) -> None:
        self.random = Random(seed)
        options = {"start": "A", "mixed_trade_build": "yes", "offers_per_turn": "0"}
        self.ours: State = catan().new(seats, seed, options, explicit_chance=True)
        colors = list(players.Color)[:seats]
        self.theirs = game_module.Game([players.Player(color) for color in colors], seed + 1, catan_map=self.make_map())
        self.colors = list(self.theirs.state.colors)
        self.seat = dict(zip(self.colors, self.ours.seats, strict=True))
        self.bought: Counter[str] = Counter()
        self.meets = False
        self.decisions: Counter[str] = Counter()

    def make_map(self) -> Any:
        """The reference board in their coordinates; `node`: their corner for ours, `hexes`: our hex for their place."""
        made = maps.CatanMap.from_template(maps.BASE_MAP_TEMPLATE)
        self.node: dict[int, int] = {}
        self.hexes: dict[tuple[int, int, int], int] = {}
        for place, tile in made.land_tiles.items():
            index = HEX_PLACES.index((place[2] + 3, place[0] - place[1] + 4))
            good, number, corners = HEXES[index]
            tile.resource, tile.number = (GOODS[good], number) if good is not None else (None, None)
            self.hexes[place] = index
            for corner, where in zip(corners, AROUND, strict=True):
                self.node[corner] = tile.nodes[maps.NodeRef[where]]
        made.port_nodes = {}
        for ends, (_, good) in HARBOURS.items():
            port = made.port_nodes.setdefault(None if good is None else GOODS[good], set())
            port |= {self.node[corner] for corner in ends}
        self.corner = {node: corner for corner, node in self.node.items()}
        assert len(self.corner) == 54
        assert len(self.hexes) == 19
        self.edge = {pair: number for number, pair in enumerate(edges(), 1)}
        return made

    # --------------------------------------------------------------------------------------------------- what is legal
    def edge_of(self, pair: tuple[int, int]) -> int:
        a, b = sorted(self.corner[node] for node in pair)
        return self.edge[a, b]

    def our_options(self) -> set[Option]:
        assert self.ours.decision is not None
        found: set[Option] = set()
        for option in self.ours.decision.options:
            words = option.id.split()
            number = int(re.sub(r"\D", "", words[1])) if len(words) > 1 and words[1][-1].isdigit() else 0
            if words[0] in ("build_road", "build_settlement", "build_city"):
                found.add((words[0].upper(), number))
            elif words[0] == "play_card":
                found.add(("play", words[1].partition(".")[0]))
            elif words[0] == "bank_trade":
                found.add(("trade", words[1], int(words[2]), words[3]))
            elif "." in words[0]:
                found.add((words[0].partition(".")[0], int(words[0].partition(".")[2])))
            else:
                found.add((words[0],))
        best = {good: min((each[2] for each in found if each[:2] == ("trade", good)), default=0) for good in GOODS}
        found = {each for each in found if each[0] != "trade" or each[2] == best[each[1]]}
        before = ("throw_dice",) in found
        return {
            each
            for each in found
            if each[0] != "play" or (each[1] != "road_building" and (each[1] == "knight" or not before))
        }

    def their_options(self) -> dict[Option, list[Any]]:
        """What is possible there, by our names; several of their actions may be one option of ours."""
        found: dict[Option, list[Any]] = {}
        prompt = self.theirs.state.current_prompt
        for action in self.theirs.state.playable_actions:
            kind, value = action.action_type, action.value
            if kind is KIND.BUILD_ROAD:
                start = prompt is enums.ActionPrompt.BUILD_INITIAL_ROAD
                option: Option = ("Edge" if start else "BUILD_ROAD", self.edge_of(value))
            elif kind in (KIND.BUILD_SETTLEMENT, KIND.BUILD_CITY):
                start = prompt is enums.ActionPrompt.BUILD_INITIAL_SETTLEMENT
                option = ("Corner" if start else kind.value, self.corner[value])
            elif kind is KIND.MARITIME_TRADE:
                sold = [each for each in value[:-1] if each is not None]
                option = ("trade", OURS[sold[0]], len(sold), OURS[value[-1]])
            elif kind.value.startswith("PLAY_"):
                card = kind.value.removeprefix("PLAY_").removesuffix("_CARD")
                held = self.theirs.state.player_state[f"{self.key(action.color)}_{card}_IN_HAND"]
                if card == "ROAD_BUILDING" or held <= self.bought[card]:
                    continue
                if card == "YEAR_OF_PLENTY" and len(value) == 1:
                    continue
                option = ("play", card.lower())
            else:
                names = {KIND.ROLL: "throw_dice", KIND.END_TURN: "done", KIND.BUY_DEVELOPMENT_CARD: "buy_card"}
                option = (names[kind],)
            found.setdefault(option, []).append(action)
        return found

    def key(self, color: Any) -> str:
        return f"P{self.colors.index(color)}"

    # ------------------------------------------------------------------------------------------------- one decision
    def step(self) -> None:
        """Compare what is legal, and do the same in both."""
        state = self.theirs.state
        assert self.ours.actor == self.seat[state.current_color()]
        if state.current_prompt is enums.ActionPrompt.MOVE_ROBBER:
            self.move_robber()
            return
        possible = self.their_options()
        assert self.our_options() == set(possible)
        actions = sorted((each for some in possible.values() for each in some), key=repr)  # theirs have no order
        action = self.random.choices(actions, [EAGER.get(each.action_type.value, 2) for each in actions])[0]
        option = next(name for name, some in possible.items() if action in some)
        self.decisions[action.action_type.value] += 1
        self.act(action, option)

    def act(self, action: Any, option: Option) -> None:
        kind, value = action.action_type, action.value
        if kind is KIND.ROLL:
            self.roll(action)
        elif kind is KIND.BUY_DEVELOPMENT_CARD:
            card = self.random.choice(self.theirs.state.development_listdeck)
            self.theirs.execute(enums.Action(action.color, kind, card), validate_action=False)
            self.ours.step("buy_card for_development")
            if drawn := self.ours.chance:  # the last card of the pile is no draw of chance
                self.ours.answer_chance([next(o for o in drawn.candidates[0] if o.startswith(f"{card.lower()}."))])
            self.bought[card] += 1
        elif kind.value.startswith("PLAY_"):
            self.theirs.execute(action)
            assert self.ours.decision is not None
            self.ours.step(next(o for o in self.ours.decision.options if o.id.startswith(f"play_card {option[1]}")))
            if kind is KIND.PLAY_MONOPOLY:
                self.ours.step(OURS[value])
            elif kind is KIND.PLAY_YEAR_OF_PLENTY:
                self.ours.step(self.tally(value))
        else:
            self.theirs.execute(action)
            words = {
                "BUILD_ROAD": "build_road Edge.{} for_road",
                "BUILD_SETTLEMENT": "build_settlement Corner.{} for_settlement",
                "BUILD_CITY": "build_city Corner.{} for_city",
                "Edge": "Edge.{}",
                "Corner": "Corner.{}",
                "trade": "bank_trade {} {} {}",
            }
            self.ours.step(words[option[0]].format(*option[1:]) if option[0] in words else "done")
            if kind is KIND.END_TURN:
                self.bought.clear()

    def now(self) -> Decision | None:
        """What is asked now, after a step."""
        return self.ours.decision

    def tally(self, cards: Any) -> str:
        return f"[{' '.join(str(list(cards).count(GOODS[good])) for good in GOODS)}]"

    def roll(self, action: Any) -> None:
        dice = (self.random.randint(1, 6), self.random.randint(1, 6))
        while self.one_goes_short(sum(dice)):
            dice = (self.random.randint(1, 6), self.random.randint(1, 6))
        self.theirs.execute(enums.Action(action.color, KIND.ROLL, dice), validate_action=False)
        self.ours.step("throw_dice")
        self.ours.answer_chance(list(dice))
        state = self.theirs.state
        while state.current_prompt is enums.ActionPrompt.DISCARD:
            color = state.current_color()
            hand = [k for k in GOODS.values() for _ in range(state.player_state[f"{self.key(color)}_{k}_IN_HAND"])]
            gone = self.random.sample(hand, len(hand) // 2)
            assert self.seat[color] in self.ours.actors
            self.theirs.execute(enums.Action(color, KIND.DISCARD, gone), validate_action=False)
            self.ours.step(f"discard {self.tally(gone)}", self.seat[color])
            self.decisions["DISCARD"] += 1

    def one_goes_short(self, number: int) -> bool:
        board, claims = self.theirs.state.board, Counter[tuple[str, Any]]()
        for place, tile in board.map.land_tiles.items():
            if tile.number == number and place != board.robber_coordinate:
                for node in tile.nodes.values():
                    if node in board.buildings:
                        color, kind = board.buildings[node]
                        claims[tile.resource, color] += 2 if kind == "CITY" else 1
        for k, good in enumerate(enums.RESOURCES):
            mine = [n for (what, _), n in claims.items() if what == good]
            if len(mine) == 1 and mine[0] > self.theirs.state.resource_freqdeck[k]:
                return True
        return False

    def move_robber(self) -> None:
        assert self.ours.decision is not None
        actions = sorted(self.theirs.state.playable_actions, key=repr)
        assert {each.id for each in self.ours.decision.options} == {
            HEX_NAMES[self.hexes[action.value[0]]] for action in actions
        }
        action = self.random.choice(actions)
        place, victim, _ = action.value
        self.ours.step(HEX_NAMES[self.hexes[place]])
        others = [each.value[1] for each in actions if each.value[0] == place]
        victims = {self.seat[each] for each in others if each is not None}
        asked = self.now()
        if victim is None:
            assert asked is None or asked.address != "steal"
            self.theirs.execute(action)
        else:
            assert asked is not None
            assert {each.id for each in asked.options} == victims
            self.ours.step(self.seat[victim])
            assert self.ours.chance is not None
            good = self.random.choice(self.ours.chance.candidates[0])
            self.ours.answer_chance([good])
            taken = enums.Action(action.color, KIND.MOVE_ROBBER, (place, victim, GOODS[good]))
            self.theirs.execute(taken, validate_action=False)
        self.decisions["MOVE_ROBBER"] += 1

    # -------------------------------------------------------------------------------------------------------- comparing
    def compare(self) -> None:
        state, views = self.theirs.state, {seat: self.ours.view(seat) for seat in self.ours.seats}
        view = views[self.ours.seats[0]]
        zones = {(zone.name, zone.key): zone for zone in view.zones}
        kinds = {each.holder: each.kinds for seat in self.ours.seats for each in views[seat].counts if each.kinds}
        bank = dict(zip((OURS[good] for good in enums.RESOURCES), state.resource_freqdeck, strict=True))
        assert kinds["bank"] == {good: bank[good] for good in GOODS}
        standing = {
            int((key or "").split()[1]): (zone.things[0].owner, zone.things[0].name.upper())
            for (name, key), zone in zones.items()
            if name == "building" and zone.things
        }
        assert standing == {
            self.corner[node]: (self.seat[color], kind) for node, (color, kind) in state.board.buildings.items()
        }
        laid = {
            tuple(int(n) for n in (key or "").removeprefix("edge ").split("-")): zone.things[0].owner
            for (name, key), zone in zones.items()
            if name == "road" and zone.things
        }
        assert laid == {
            tuple(sorted(self.corner[node] for node in pair)): self.seat[color]
            for pair, color in state.board.roads.items()
        }
        robber = next(each.value for each in view.states if each.name == "robber")
        assert robber == HEX_NAMES[self.hexes[state.board.robber_coordinate]]
        assert zones["deck", None].count == len(state.development_listdeck)
        self.meets = self.meets or any(
            corner in standing and standing[corner][0] != owner for pair, owner in laid.items() for corner in pair
        )
        titles = {title.name: title.holder for title in view.titles}
        for color, seat in self.seat.items():
            mine = {name: state.player_state[f"{self.key(color)}_{name}"] for name in self.names()}
            assert kinds[seat] == {good: mine[f"{GOODS[good]}_IN_HAND"] for good in GOODS}
            assert zones["roads", seat].count == mine["ROADS_AVAILABLE"]
            left = Counter(thing.name for thing in zones["buildings", seat].things or ())
            assert (left["settlement"], left["city"]) == (mine["SETTLEMENTS_AVAILABLE"], mine["CITIES_AVAILABLE"])
            held = [zone for zone in views[seat].zones if zone.key == seat and zone.name in ("devs", "fresh")]
            cards = Counter(thing.id.partition(".")[0].upper() for zone in held for thing in zone.things or ())
            assert all(cards[card] == mine[f"{card}_IN_HAND"] for card in CARDS)
            assert zones["knights", seat].count == mine["PLAYED_KNIGHT"]
            assert (titles["largest_army"] == seat) == mine["HAS_ARMY"]
            points = sum({"SETTLEMENT": 1, "CITY": 2}[kind] for owner, kind in standing.values() if owner == seat)
            points += cards["VICTORY_POINT"] + 2 * (titles["largest_army"] == seat)
            if not self.meets:
                assert (titles["longest_road"] == seat) == mine["HAS_ROAD"]
                assert points + 2 * (titles["longest_road"] == seat) == mine["ACTUAL_VICTORY_POINTS"]
            else:
                assert points == mine["ACTUAL_VICTORY_POINTS"] - 2 * mine["HAS_ROAD"]

    def names(self) -> list[str]:
        names = [f"{each}_IN_HAND" for each in (*GOODS.values(), *CARDS)]
        names += ["ROADS_AVAILABLE", "SETTLEMENTS_AVAILABLE", "CITIES_AVAILABLE", "PLAYED_KNIGHT"]
        return [*names, "HAS_ARMY", "HAS_ROAD", "ACTUAL_VICTORY_POINTS"]

    def winner(self) -> Any:
        """Who has ten points there in his own turn."""
        state = self.theirs.state
        color = self.colors[state.current_turn_index]
        return color if state.player_state[f"{self.key(color)}_ACTUAL_VICTORY_POINTS"] >= 10 else None


def play(seats: int, seed: int, most: int) -> Pair:
    pair = Pair(seats, seed)
    while pair.ours.decision is not None and sum(pair.decisions.values()) < most:
        pair.step()
        if pair.theirs.state.current_prompt is enums.ActionPrompt.BUILD_INITIAL_ROAD:
            continue
        pair.compare()
        if not pair.meets:
            winner = pair.winner()
            outcome = pair.ours.outcome
            if outcome is not None and outcome.cause == "cap":  # ours is 500 turns, theirs is 1,000
                break
            assert (outcome is not None) == (winner is not None)
            if winner is not None and outcome is not None:
                assert outcome.winners == (pair.seat[winner],)
    return pair


@pytest.mark.slow
@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_both_programs_play_the_same_game(seats: int, seed: int) -> None:
    play(seats, seed, 600)


@pytest.mark.slow
def test_every_kind_of_action_is_compared() -> None:
    done: Counter[str] = Counter()
    for seed in range(20, 24):
        done += play(4, seed, 500).decisions
    wanted = {each.value for each in KIND} - {"PLAY_ROAD_BUILDING"}
    assert set(done) == wanted
