"""How a game ended: who won, the ranking, the lines of the scores."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import NUMBER, counted, doubled, numeric
from regelwerk.interpreter import layout as la
from regelwerk.interpreter.evaluation.base import mask_of
from regelwerk.interpreter.layout import Image

if TYPE_CHECKING:
    from regelwerk.interpreter.api import Outcome, State
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


def printed_keys(program: Program, m: Image, rank: g.RankSymbol) -> dict[int, tuple[tuple[str, int | float], ...]]:
    """The keys of each player as they are printed, with their names."""
    found = {}
    for player, row in rank_keys(program, m, rank).items():
        keys = enumerate(zip(row, rank.keys, strict=True), 1)
        found[player] = tuple(
            (text or f"key {number}", counted(value * (-1 if lowest else 1), numeric(key.type) or NUMBER))
            for number, (value, (key, lowest, text)) in keys
        )
    return found


def kept_scores(program: Program, m: Image) -> Iterator[tuple[g.ScoreSymbol, g.ScoreLine, list[int | float]]]:
    """The lines of all scores as they were when the end was declared: a value for each player."""
    index = program.score_cells.offset
    for score in program.game.scores:
        kind = doubled(NUMBER) if score.halves else NUMBER
        for line in score.lines:
            yield score, line, [counted(m.w[index + k], kind) for k in range(program.players)]
            index += program.players


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


def make_outcome(state: State) -> Outcome:
    """The outcome of a game that is over."""
    from regelwerk.interpreter.api import Outcome, ScoreLine

    program, m = state.program, state.image
    number, game = m.w[la.END], state.game.checked
    end = game.ends[number - 3] if number >= 3 else None
    cause = end.name if end is not None else "cap" if number == 2 else "last phase"
    rank = rank_of(program, end)
    names = program.seats
    groups = tuple(tuple(names[p - 1] for p in group) for group in ranking(program, m, rank))
    keys = printed_keys(program, m, rank) if rank is not None else {}
    printed = {names[p - 1]: row for p, row in keys.items()}
    lines = [
        ScoreLine(score.name, line.name, line.printed, dict(zip(names, values, strict=True)))
        for score, line, values in kept_scores(program, m)
    ]
    won = tuple(name for k, name in enumerate(names) if m.w[la.WINNERS] >> (k + 1) & 1)
    return Outcome(cause, number != 2, won if number != 2 else (), groups, printed, tuple(lines))
