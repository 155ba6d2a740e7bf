"""How a game ended: who won, the ranking, the lines of the scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regelwerk.dsl.model import game as g
from regelwerk.interpreter.evaluation.base import mask_of
from regelwerk.interpreter.layout import Image

if TYPE_CHECKING:
    from regelwerk.interpreter.program import Program


def rank_keys(program: Program, m: Image, rank: g.RankSymbol) -> dict[int, list[int]]:
    """The keys of each player, higher is better."""
    keys = [(program.compiler.expr(value), -1 if lowest else 1) for value, lowest, _ in rank.keys]
    size = 2 * len(rank.frame.types)
    found = {}
    for player in range(1, program.players + 1):
        row = []
        for key, sign in keys:
            env = [0] * size
            env[0] = player
            row.append(sign * key(m, env))
        found[player] = row
    return found


def ranking(program: Program, m: Image, rank: g.RankSymbol | None) -> list[list[int]]:
    """Groups of players from the best on; without `then shared` players that are equal follow in seat order."""
    if rank is None:
        return []
    keys = rank_keys(program, m, rank)
    groups: list[list[int]] = []
    for player in sorted(keys, key=lambda p: ([-k for k in keys[p]], p)):
        if rank.shared and groups and keys[groups[-1][0]] == keys[player]:
            groups[-1].append(player)
        else:
            groups.append([player])
    return groups


def rank_of(program: Program, end: g.EndSymbol | None) -> g.RankSymbol | None:
    """The ranking that holds for an end."""
    if end is not None and end.ranked_by is not None:
        return end.ranked_by
    return program.game.ranks[0] if program.game.ranks else None


def winners(program: Program, m: Image, end: g.EndSymbol | None) -> int:
    """The set of winners."""
    if end is not None and end.won_by is not None:
        return int(program.compiler.expr(end.won_by)(m, [0] * (2 * len(end.frame.types) + 2)))
    groups = ranking(program, m, rank_of(program, end))
    return mask_of(groups[0]) if groups else 0
