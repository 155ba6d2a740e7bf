"""Makes play.svg, the picture of a game at the terminal: python docs/images/make_play_picture.py

The same seed gives the same picture. It shows what a person sees who sits down at the table in the second round.
"""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path

from rich.console import Console

import regelwerk
from regelwerk.interpreter.api import State
from regelwerk.tools.bots import make_bot
from regelwerk.tools.game_facts import Facts
from regelwerk.tools.terminal.board import Board
from regelwerk.tools.terminal.choices import Choices

GAME, PLAYERS, SEED, WIDTH = "vienna", 3, 7, 100
SEAT, ASKED = 1, "albertina"
PLACE = Path(__file__).with_name("play.svg")


def shown(state: State, seat: str) -> bool:
    """Whether this is the moment: the person's turn, a board with something on it, some options and not too many."""
    if state.actor != seat or not 12 <= len(state.raw_options) <= 24:
        return False
    costs = {option.cost for option in state.decision.options} if state.decision is not None else set()
    return len(costs) > 2 and Board(Facts(state), state, seat, WIDTH).filled() >= 8


def main() -> None:
    """Plays to the moment that is shown, draws it, and writes the file."""
    state = regelwerk.load(GAME).new(PLAYERS, SEED)
    bots = {seat: make_bot("random", SEED, number) for number, seat in enumerate(state.seats, 1)}
    seat = state.seats[SEAT - 1]
    while not shown(state, seat):
        state.step(bots[str(state.actor)].choose(state))
    decision = state.decision
    assert decision is not None
    facts = Facts(state)
    console = Console(
        file=StringIO(), record=True, width=WIDTH, force_terminal=True, color_system="truecolor", highlight=False
    )
    board = Board(facts, state, seat, WIDTH)
    choices = Choices(facts, decision, WIDTH)
    console.print(board.headline())
    console.print(board.draw())
    console.print(choices.draw())
    console.print(f"{seat}> ? {ASKED}")
    console.print(choices.refusals(state, ASKED))
    console.print(f"{seat}> ")
    drawn = console.export_svg(title=f"regelwerk play {GAME}", unique_id="play")
    # fonts of the machine that shows the picture, none from the net
    PLACE.write_text(re.sub(r",?\s*url\([^)]*\) format\([^)]*\)", "", drawn), encoding="utf-8")


if __name__ == "__main__":
    main()
