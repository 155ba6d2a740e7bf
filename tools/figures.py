"""The figures of many games, from records of single games: shares with intervals, quartiles, counts.

All figures are made in the order of the games from whole numbers, so that they do not depend on how the work was
divided.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from regelwerk.tools.fault_reports import FaultNote

Z95 = 1.959963984540054
"""The two-sided 95% point of the normal distribution."""


@dataclass(frozen=True, slots=True)
class GameRecord:
    """What is kept of one game.

    number    of the game in the run, from 1; `seed` is the game's own
    passes    of the phase that the cap counts
    winners   seats from 0; empty for an unfinished game or one that nobody won
    values    final values: (what, one number for each seat)
    violated  invariants that did not hold, with the number of decisions made when that was first seen
    """

    number: int
    seed: int
    decisions: int
    passes: int
    cause: str
    finished: bool
    winners: tuple[int, ...]
    values: tuple[tuple[str, tuple[int | float, ...]], ...]
    violated: tuple[tuple[str, int], ...]
    fault: FaultNote | None


@dataclass(frozen=True, slots=True)
class Quartiles:
    """Least, lower quartile, median, upper quartile, greatest."""

    lowest: float
    q1: float
    median: float
    q3: float
    highest: float

    def row(self) -> tuple[float, float, float, float, float]:
        """The five numbers in order."""
        return self.lowest, self.q1, self.median, self.q3, self.highest


@dataclass(frozen=True, slots=True)
class Wins:
    """The victories of a seat: alone, shared, their sum (a victory shared by k counts 1/k), share and 95% interval."""

    alone: int
    shared: int
    sum: float
    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of a run. Shares of victories are of finished games; values and lengths of all without a fault."""

    games: int
    finished: int
    unfinished: int
    without_winner: int
    wins: tuple[Wins, ...]
    values: tuple[tuple[str, tuple[Quartiles, ...]], ...]
    decisions: Quartiles | None
    rounds: Quartiles | None
    causes: tuple[tuple[str, int], ...]
    violated: tuple[tuple[str, int], ...]
    records_at_fault: tuple[GameRecord, ...]
    records_violated: tuple[GameRecord, ...]


def wilson(wins: float, games: int, z: float = Z95) -> tuple[float, float]:
    """The Wilson score interval of a share (Wilson 1927), 0 to 1 if there are no games."""
    if games == 0:
        return 0.0, 1.0
    share = wins / games
    weight = 1 + z * z / games
    middle = (share + z * z / (2 * games)) / weight
    half = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games)) / weight
    return max(0.0, middle - half), min(1.0, middle + half)


def quartiles(numbers: Sequence[int | float]) -> Quartiles:
    """Quartiles with linear interpolation between the neighbours (Hyndman and Fan's type 7); at least one number."""
    ordered = sorted(numbers)

    def at(quarter: int) -> float:
        whole, rest = divmod(quarter * (len(ordered) - 1), 4)
        below = ordered[whole]
        return below if not rest else below + (ordered[whole + 1] - below) * rest / 4

    return Quartiles(*(float(at(quarter)) for quarter in range(5)))


def gather(records: Sequence[GameRecord], players: int, counts_rounds: bool) -> Figures:
    """The figures of a run."""
    whole = [each for each in records if each.fault is None]
    finished = [each for each in whole if each.finished]
    labels: dict[str, list[tuple[int | float, ...]]] = {}
    causes: dict[str, int] = {}
    violated: dict[str, int] = {}
    for record in records:
        causes[record.cause] = causes.get(record.cause, 0) + 1
        for name, _ in record.violated:
            violated[name] = violated.get(name, 0) + 1
    for record in whole:
        for label, values in record.values:
            labels.setdefault(label, []).append(values)
    return Figures(
        games=len(records),
        finished=len(finished),
        unfinished=len(whole) - len(finished),
        without_winner=sum(not each.winners for each in finished),
        wins=tuple(_wins(finished, seat) for seat in range(players)),
        values=tuple(
            (label, tuple(quartiles([row[seat] for row in rows]) for seat in range(players)))
            for label, rows in labels.items()
        ),
        decisions=quartiles([each.decisions for each in whole]) if whole else None,
        rounds=quartiles([each.passes for each in whole]) if whole and counts_rounds else None,
        causes=tuple(sorted(causes.items(), key=lambda each: (-each[1], each[0]))),
        violated=tuple(sorted(violated.items())),
        records_at_fault=tuple(each for each in records if each.fault is not None),
        records_violated=tuple(each for each in records if each.violated),
    )


def _wins(finished: Sequence[GameRecord], seat: int) -> Wins:
    won = [len(each.winners) for each in finished if seat in each.winners]
    total = sum((Fraction(1, count) for count in won), Fraction(0))
    low, high = wilson(float(total), len(finished))
    share = float(total / len(finished)) if finished else 0.0
    return Wins(won.count(1), len(won) - won.count(1), float(total), share, low, high)


__all__ = ["Figures", "GameRecord", "Quartiles", "Wins", "gather", "quartiles", "wilson"]
