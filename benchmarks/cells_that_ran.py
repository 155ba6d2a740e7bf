"""Plays games of a rules file and reports how often each cell of its tables ran: effects, tests, rules.

    python benchmarks/cells_that_ran.py grand_austria_hotel --games 200 --last pass_turn --columns reward does met

Options are drawn at random, but not evenly: of the ways out (`done`, passes, actions named by `--last`) one is taken
only once in `--patience` decisions, so that more happens in a game than between even players. With `--options` every
game draws the options of the rules at random, too. The seed names all games. Invariants are checked after every
decision. The exit status is 1 if a game faults, an invariant breaks, or a cell never ran.
"""

from __future__ import annotations

import argparse
import time
from random import Random

import regelwerk
from regelwerk.dsl.model import statements as t
from regelwerk.interpreter import machine
from regelwerk.interpreter.api import Game, State
from regelwerk.interpreter.coverage import Coverage
from regelwerk.interpreter.decisions import DONE, PASS, Raw
from regelwerk.tools.game_facts import Facts


def play(state: State, random: Random, last: set[str], patience: int) -> int:
    """Plays a game to its end; returns the length of its longest list of options."""
    longest = 0
    while state.status == "decision":
        options = state.raw_options
        longest = max(longest, len(options))
        forward = [each for each in options if each[0] not in (DONE, PASS)]
        if last:
            node = machine.pending(state.program, state.image)[0].node
            if isinstance(node, t.Offer):
                forward = [each for each in forward if each[0] < 0 or node.actions[each[0]].name not in last]
        choice: list[Raw] = options if not forward or random.randrange(patience) == 0 else forward
        state.step_raw(random.choice(choice))
        if broken := state.violated_invariants():
            raise SystemExit(f"{broken} broken in the game of seed {state.seed} after {state.decisions} decisions")
    if state.status != "over":
        raise SystemExit(f"{state.fault} in the game of seed {state.seed} after {state.decisions} decisions")
    return longest


def cells(game: Game, columns: list[str]) -> list[str]:
    """The addresses of all filled cells that can run, of these columns (of all, if none are named)."""
    facts = Facts(game.new(game.players[0]))
    found = []
    for entity in game.checked.entities:
        for column in entity.columns.values():
            if column.kind in ("effect", "test") and (not columns or column.name in columns):
                found += [f"{entity.name}.{row.name}.{column.name}" for row in entity.rows if facts.cell(row, column)]
    return found


def drawn_options(game: Game, random: Random, players: int) -> dict[str, str]:
    """A value for each option of the rules."""
    seats, found = game.seats, {}
    for each in game.options:
        values = [value for value in each.values if value not in seats[players:]]
        found[each.name] = random.choice(values)
    return found


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--columns", nargs="*", default=[])
    parser.add_argument("--last", nargs="*", default=[])
    parser.add_argument("--patience", type=int, default=8)
    parser.add_argument("--options", action="store_true")
    words = parser.parse_args()
    game = regelwerk.load(words.game, "reference")
    game.coverage = Coverage()
    random, begun = Random(words.seed), time.perf_counter()
    decisions = longest = 0
    for number in range(words.games):
        players = game.players[number % len(game.players)]
        options = drawn_options(game, random, players) if words.options else {}
        state = game.new(players, words.seed + number, options)
        longest = max(longest, play(state, random, set(words.last), words.patience))
        decisions += state.decisions
    seconds = time.perf_counter() - begun
    counts = game.coverage.by_address(game.address)
    wanted = cells(game, words.columns)
    for address in wanted:
        print(f"{counts.get(address, 0):8}  {address}")
    never = [address for address in wanted if address not in counts]
    print(f"{words.games} games, {decisions} decisions, {decisions / seconds:.0f} a second (with invariants, counted)")
    print(f"the longest list of options has {longest}")
    print(f"{len(wanted) - len(never)} of {len(wanted)} cells ran" + (f"; never: {', '.join(never)}" if never else ""))
    return 1 if never else 0


if __name__ == "__main__":
    raise SystemExit(main())
