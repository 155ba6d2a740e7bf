"""Replays: a game as text. Edition, hash of the rules, options, seats, seed; then decisions, and outcomes of chance.

    regelwerk replay 1
    game rowing 0123456789abcdef
    seats S M N
    option side day
    seed 7
    A: take_start_card S1
    ~ 3 5

Replaying never asks the generator: nature's answers are read from the text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from regelwerk.interpreter.misfits import Misfit, misfit_of_answer, misfit_of_chance

if TYPE_CHECKING:
    from regelwerk.interpreter.api import Event, Game, State
    from regelwerk.interpreter.backends import Backend
    from regelwerk.interpreter.faults import Fault

HEADER = "regelwerk replay 1"
LONGEST = 4_000_000


class ReplayError(ValueError):
    """A replay that cannot be read or no longer fits the rules.

    step     counts its entries from 1 (0: the head)
    misfit   why the entry does not fit: which clause refuses it, or what is asked instead; None if it is not that
    """

    def __init__(self, message: str, step: int = 0, misfit: Misfit | None = None) -> None:
        super().__init__(message)
        self.step = step
        self.misfit = misfit


@dataclass(frozen=True)
class Replay:
    """A recorded game. `entries`: (seat, option id), or ("~", outcome ...)."""

    game: str
    hash: str
    seats: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    seed: int
    entries: tuple[tuple[str, ...], ...]

    @staticmethod
    def of(state: State) -> Replay:
        """What was decided in a game so far."""
        return Replay(
            state.game.name,
            state.game.hash,
            state.seats,
            tuple(sorted(state.chosen_options.items())),
            state.seed,
            tuple(state.recording),
        )

    def text(self) -> str:
        """The replay as text, with a line end."""
        lines = [HEADER, f"game {self.game} {self.hash}", f"seats {' '.join(self.seats)}"]
        lines += [f"option {name} {value}" for name, value in self.options]
        lines.append(f"seed {self.seed}")
        lines += [" ".join(entry) if entry[0] == "~" else f"{entry[0]}: {entry[1]}" for entry in self.entries]
        return "\n".join(lines) + "\n"

    @staticmethod
    def parse(text: str) -> Replay:
        """Read a replay; `ReplayError` if it is none."""
        if len(text) > LONGEST:
            raise ReplayError("this replay is too long")
        lines = [line.rstrip("\r") for line in text.split("\n") if line.strip()]
        if not lines or lines[0] != HEADER:
            raise ReplayError(f"this is no replay: it does not begin with `{HEADER}`")
        fields: dict[str, list[str]] = {}
        options: list[tuple[str, str]] = []
        place = 1
        while place < len(lines):
            words = lines[place].split(" ")
            if words[0] == "option" and len(words) == 3:
                options.append((words[1], words[2]))
            elif words[0] in ("game", "seats", "seed"):
                fields[words[0]] = words[1:]
            else:
                break
            place += 1
        if len(fields.get("game", [])) != 2 or not fields.get("seats") or len(fields.get("seed", [])) != 1:
            raise ReplayError("the head of the replay needs `game`, `seats` and `seed`")
        try:
            seed = int(fields["seed"][0])
        except ValueError:
            raise ReplayError("the seed of the replay is no number") from None
        entries: list[tuple[str, ...]] = []
        for line in lines[place:]:
            if line.split(" ")[0] == "~":
                entries.append(tuple(line.split(" ")))
            elif ": " in line:
                seat, _, answer = line.partition(": ")
                entries.append((seat, answer))
            else:
                raise ReplayError(f"`{line[:60]}` is neither a decision nor an outcome of chance", len(entries) + 1)
        return Replay(
            fields["game"][0], fields["game"][1], tuple(fields["seats"]), tuple(options), seed, tuple(entries)
        )

    def walk(self, game: Game, backend: Backend | None = None) -> Iterator[tuple[str, State, tuple[Event, ...]]]:
        """Play it again: after the start and after each entry what was decided in words (empty for the start and for
        nature's answers), the state and what happened. The state is one and the same, going on. A game that a fault
        stopped after its last entry is so again: its state has the fault.

        Raises `ReplayError` with the step that does not fit.
        """
        from regelwerk.interpreter.api import UsageError
        from regelwerk.interpreter.faults import Fault

        if self.game != game.name:
            raise ReplayError(f"this replay is of `{self.game}`, not of `{game.name}`")
        try:
            state = game.new(len(self.seats), self.seed, dict(self.options), self.seats, True, backend)
        except UsageError as error:
            raise ReplayError(str(error)) from error
        except Fault as fault:
            raise self._stopped(game, 0, fault) from fault
        yield "", state, state.log
        for number, entry in enumerate(self.entries, 1):
            try:
                words, events = _go_on(state, entry)
            except _DoesNotFit as error:
                raise self._misfit(game, number, error.misfit) from error
            except Fault as fault:
                if number < len(self.entries):
                    raise self._stopped(game, number, fault) from fault
                words, events = ": ".join(entry) if entry[0] != "~" else "", ()
            yield words, state, events

    def _misfit(self, game: Game, number: int, misfit: Misfit) -> ReplayError:
        changed = "" if self.hash == game.hash else "; the rules have changed since it was recorded"
        where = "the start"
        if number:
            entry = self.entries[number - 1]
            where = f"step {number} ({' '.join(entry) if entry[0] == '~' else ': '.join(entry)})"
        return ReplayError(f"{where} does not fit: {misfit.message}{changed}", number, misfit)

    def _stopped(self, game: Game, number: int, fault: Fault) -> ReplayError:
        message = f"the game is stopped by {fault.rule or 'a fault'} (fault `{fault.code}`): {fault.message}"
        return self._misfit(game, number, Misfit(message, fault.rule, fault.span))

    def states(self, game: Game) -> list[State]:
        """The states of the game: at the start, and after each decision (nature's answers included).

        Raises `ReplayError` with the step that does not fit.
        """
        found = []
        for entries, (_, state, _) in enumerate(self.walk(game)):
            if state.status != "chance" or entries == len(self.entries):
                found.append(state.clone())
        return found

    def run(self, game: Game, backend: Backend | None = None) -> State:
        """The state at the end of the replay."""
        *_, (_, state, _) = self.walk(game, backend)
        return state


class _DoesNotFit(Exception):
    def __init__(self, misfit: Misfit) -> None:
        super().__init__(misfit.message)
        self.misfit = misfit


def _go_on(state: State, entry: tuple[str, ...]) -> tuple[str, tuple[Event, ...]]:
    from regelwerk.interpreter.api import NotAnOption

    if entry[0] == "~":
        try:
            return "", state.answer_chance(entry[1:])
        except NotAnOption as error:
            raise _DoesNotFit(misfit_of_chance(state, str(error))) from error
    seat, answer = entry
    decision = state.decision_of(seat) if seat in state.seats else None
    if decision is None:
        raise _DoesNotFit(misfit_of_answer(state, seat, answer))
    option = next((each for each in decision.options if each.id == answer), None)
    if option is None:  # perhaps the whole of a decision that is asked in stages
        try:
            return answer, state.step(answer, seat)
        except NotAnOption as error:
            raise _DoesNotFit(misfit_of_answer(state, seat, answer)) from error
    cost = f" (costs {option.cost})" if option.cost else ""
    return f"{option.text}{cost}", state.step(option, seat)


__all__ = ["Misfit", "Replay", "ReplayError"]
