"""What the host interface gives: decisions and their options, refusals, chance, outcomes; and what it raises."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from regelwerk.dsl.source import Span

Status = Literal["decision", "chance", "over", "fault"]


class UsageError(ValueError):
    """A host asked for something that the game does not have: a number of players, an option, a seat."""


class NotAnOption(ValueError):
    """The answer is not among the options; the state is untouched. `refusals` say why, where the answer named an
    action."""

    def __init__(self, message: str, refusals: tuple[Refusal, ...] = ()) -> None:
        super().__init__(message)
        self.refusals = refusals


@dataclass(frozen=True)
class Option:
    """One answer to a decision.

    id       stable text, as in replays: `place [own.2 own.3] rathaus`
    text     for people
    action   the name of the action, or None
    values   the parameters: name to printed value
    cost     what it costs, printed, or None
    """

    id: str
    text: str
    action: str | None
    values: Mapping[str, str]
    cost: str | None
    index: int


@dataclass(frozen=True)
class Refusal:
    """Why an action cannot be taken with some parameters: the clause's address, its text, the rule ids it cites, its
    place."""

    action: str
    values: Mapping[str, str]
    address: str
    text: str
    citations: tuple[str, ...]
    span: Span | None


@dataclass(frozen=True)
class Decision:
    """Somebody has to choose: who, where in the rules, the question, the options in a stable order. `sealed`: he
    decides together with others, who learn his answer when all have answered."""

    address: str
    actor: str
    text: str
    options: tuple[Option, ...]
    sealed: bool = False


@dataclass(frozen=True)
class ChanceRequest:
    """Nature has to decide (with `explicit_chance`): what, and for each number of the outcome the candidates as
    texts."""

    what: str
    candidates: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class ScoreLine:
    """One line of a score: its printed name and the value of every seat."""

    score: str
    name: str
    printed: str
    values: Mapping[str, int | float]


@dataclass(frozen=True)
class Outcome:
    """How a game ended.

    cause    the name of the `end`, "last phase" or "cap"; `finished` is False for the cap
    winners  the seats that won (several share the victory)
    ranking  groups of seats, best first; keys: the printed keys of the ranking by seat
    lines    the lines of all scores as they were when the end was declared
    """

    cause: str
    finished: bool
    winners: tuple[str, ...]
    ranking: tuple[tuple[str, ...], ...]
    keys: Mapping[str, tuple[tuple[str, int | float], ...]]
    lines: tuple[ScoreLine, ...]


@dataclass(frozen=True)
class OptionInfo:
    """A parameter of the game: its question, the values it can have, its default (None: nature chooses)."""

    name: str
    question: str
    values: tuple[str, ...]
    default: str | None
