"""The records of players who decide together: what each has answered, or answered so far.

A record of fixed size begins with 0 (not yet answered), with the way plus 2 (answered; the values follow), or with
`ANSWERING` (asked in stages; the number of the answers and the answers follow).
"""

from __future__ import annotations

from regelwerk.interpreter import ir
from regelwerk.interpreter.evaluation.base import Locals

ANSWERING = -1


def open_players(seals: ir.Seals, env: Locals) -> list[int]:
    """Who has not answered yet, in order."""
    records, size = env[seals.seals_slot], seals.size
    return [player for k, player in enumerate(env[seals.players_slot]) if records[k * size] <= 0]


def write_record(seals: ir.Seals, env: Locals, player: int, record: list[int]) -> None:
    """Put words into a player's record; the rest of it is zeroed."""
    place = env[seals.players_slot].index(player) * seals.size
    record += [0] * (seals.size - len(record))
    signed = tuple([word - (1 << 32) if word >> 31 else word for word in (each & 0xFFFFFFFF for each in record)])
    known = env[seals.seals_slot]
    env[seals.seals_slot] = known[:place] + signed + known[place + seals.size :]


def answers_so_far(seals: ir.Seals, env: Locals, player: int) -> tuple[int, ...]:
    """What a player who is asked in stages has answered."""
    place = env[seals.players_slot].index(player) * seals.size
    record = env[seals.seals_slot][place : place + seals.size]
    return tuple(record[2 : 2 + record[1]]) if record[0] == ANSWERING else ()


def keep_answers(seals: ir.Seals, env: Locals, player: int, answers: tuple[int, ...]) -> None:
    """Keep what a player has answered so far."""
    write_record(seals, env, player, [ANSWERING, len(answers), *answers] if answers else [0])
