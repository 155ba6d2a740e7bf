"""The files that `regelwerk new` writes: a small game that works, or a small variant of any game, and scenarios."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from regelwerk.dsl.model import game as g

SEATS = ("Ann", "Ben", "Cem", "Dee", "Eve", "Fay", "Gil", "Hal")

GAME = """\
edition 1
game {name} "{title}" {{
  players 2..4
  seats Ann, Ben, Cem, Dee
  cap 200 round // a safety net: after so many rounds a simulation gives up
}}

// What there is. A track is a number that every player has; `start` and a highest value may be added.
section "Material" {{
  const goal  = 20 // who has so many points wins
  const most_throws = 3
  track point/points per player: 0..
  dice Die/Dice copies 2 faces 1..6
  state pot: 0..99 = 0 resets each turn // what the player on turn has thrown, and may still lose
}}

// Where we are: phases run in the order in which they stand. This one is repeated until an `end` is reached.
phase game loop {{
  phase round for p in players acting p {{
    phase turn {{ offer throw, take until take }}
  }}
}}

// What may be done. A requirement says why an action is refused; the text in quotes is shown to the players.
section "A turn" {{
  action throw at most most_throws per turn "Throw the dice" {{
    require hope: me.points + pot < goal else "you have enough: take the pot"
    effect {{
      roll Dice
      if Dice.first.face is Dice.last.face {{ set pot = 0 }}
      else {{ set pot = pot + sum(Dice.face) }}
    }}
  }}
  action take "Take the pot" {{ effect {{ gain pot points "the pot" }} }}
}}

// How it ends: when, and who has won.
section "The end" {{
  end goal_reached after game.round when some(p in players where p.points >= goal)
  rank winner by me.points "points" then shared
}}

// What must hold at any moment; `test` and `simulate` watch over it.
invariant pot_of_throws: pot <= 11 * most_throws
"""

GAME_SCENARIOS = """\
edition 1
variant {name}_scenarios "{title}: scenarios" of {name}

// A scenario plays a part of the game and says what holds then. `chance` is what the dice show; setup is not run.
scenario take_the_pot "what was thrown is gained" {{
  players Ann, Ben
  play game.round.turn as Ann {{
    when Ann: throw   chance [3, 5]
    then pot is 8 and Ann.points is 0
    when Ann: take
  }}
  then Ann.points is 8 and Ben.points is 0
}}
scenario enough "who has enough must take" {{
  players Ann, Ben
  given {{ set Ann.points = 12 }}
  play game.round {{
    when Ann: throw   chance [3, 5]
    then Ann cannot throw because throw.hope
    when Ann: take
    when Ben: take
  }}
  then over and winners is {{Ann}}
}}
scenario a_double "a double empties the pot" {{
  players Ann, Ben
  play game.round.turn as Ben {{
    when Ben: throw   chance [6, 1]
    when Ben: throw   chance [2, 2]
    then pot is 0
    when Ben: take
  }}
  then Ben.points is 0
}}
scenario three_throws "the dice are thrown three times at most" {{
  players Ann, Ben
  play game.round.turn as Ann {{
    when Ann: throw   chance [1, 2]   when Ann: throw   chance [1, 3]   when Ann: throw   chance [1, 4]
    then pot is 12
    then Ann cannot throw
    when Ann: take
  }}
  then Ann.points is 12
}}
"""

VARIANT = """\
edition 1
variant {name} "{title}" of {base}

// A variant says what it changes of its base, by name: `replace`, `remove`, `change` and `extend`; and it may declare
// anything new. `regelwerk rulebook {base}` helps to find the names.

"""

VARIANT_SCENARIOS = """\
edition 1
variant {name}_scenarios "{title}: scenarios" of {name}

// The scenarios of {base} are run for this variant as well; what comes out differently is listed, and is no failure.
"""


@dataclass(frozen=True)
class Draft:
    """The texts of a starting point: the rules, and the scenarios for them."""

    rules: str
    scenarios: str


def title_of(name: str) -> str:
    """A title for a name: `my_game` is "My game"."""
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:] if words else name


def new_game(name: str) -> Draft:
    """A small game."""
    title = title_of(name)
    return Draft(GAME.format(name=name, title=title), GAME_SCENARIOS.format(name=name, title=title))


def new_variants(name: str, base: str, game: g.CheckedGame) -> Iterator[Draft]:
    """Variants of a game, the nicest first; not each of them fits every game."""
    title = title_of(name)
    seats = [game.seats[: game.players[0]], SEATS[: game.players[0]]]
    for overlay, scenario in [*_head_starts(game), *_ways_to_give_up(game), *_fewer_players(game)]:
        for names in seats:
            yield Draft(
                VARIANT.format(name=name, title=title, base=base) + overlay,
                VARIANT_SCENARIOS.format(name=name, title=title, base=base) + _filled(scenario, names),
            )


def _filled(scenario: str, names: tuple[str, ...]) -> str:
    return scenario.replace("PLAYERS", ", ".join(names)).replace("FIRST", names[0]).replace("LAST", names[-1])


def _units(game: g.CheckedGame) -> Iterator[tuple[str, str]]:
    """What a player may gain: how it is called, and how one asks for it."""
    for track in game.tracks:
        if not track.halves:
            yield track.name, track.plural or track.name
    for resource in game.resources:
        asked = resource.plural or resource.name
        if resource.kinds is None:
            yield resource.name, asked
        elif resource.kinds.members:
            member = resource.kinds.members[0][0]
            yield member, f"{asked}({member})"


def _head_starts(game: g.CheckedGame) -> Iterator[tuple[str, str]]:
    """Whoever begins last begins with something more. It needs a phase that runs once, before the game."""
    first = next(iter(game.phases), None)
    if first is None or first.drivers or len(game.phases) < 2 or game.players[0] < 2:
        return
    for unit, asked in _units(game):
        yield (
            f"extend phase {first.name} {{\n"
            f"  last step head_start {{ acting players.last {{ gain 1 {unit} }} }} // the last one has a little more\n"
            "}\n",
            'scenario last_has_more "the last player begins with a little more" {\n  players PLAYERS\n'
            f"  play {first.name}.head_start {{}}\n  then LAST.{asked} is FIRST.{asked} + 1\n}}\n",
        )


def _phases(phases: list[g.PhaseSymbol]) -> Iterator[g.PhaseSymbol]:
    """All phases, inner ones last."""
    waiting = list(phases)
    while waiting:
        phase = waiting.pop(0)
        yield phase
        waiting += phase.phases


def _ways_to_give_up(game: g.CheckedGame) -> Iterator[tuple[str, str]]:
    """Whoever gives up has lost. It needs a phase in which something is offered."""
    for phase in [each for each in _phases(game.phases) if not each.phases][::-1]:
        yield (
            "state given_up: player? = none\n"
            'action give_up "Give up" { effect { set given_up = me } }\n'
            f"extend phase {phase.path} {{ offer give_up }}\n"
            "end somebody_gave_up at once when given_up is not none won by (players where it is not given_up)\n",
            'scenario giving_up "whoever gives up has lost" {\n  players PLAYERS\n'
            f"  play {phase.path} as FIRST {{ when FIRST: give_up }}\n"
            "  then over and FIRST not in winners and LAST in winners\n}\n",
        )


def _fewer_players(game: g.CheckedGame) -> Iterator[tuple[str, str]]:
    """The game for the fewest players only."""
    fewest = game.players[0]
    yield (
        f"extend game {game.name} {{ players {fewest}..{fewest} }}\n",
        f'scenario for_so_many "it is for {fewest}" {{\n  players PLAYERS\n  then players.count is {fewest}\n}}\n',
    )


__all__ = ["Draft", "new_game", "new_variants", "title_of"]
