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

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from regelwerk.interpreter.api import Game, State

HEADER = "regelwerk replay 1"
LONGEST = 4_000_000


class ReplayError(ValueError):
    """A replay that cannot be read or no longer fits the rules; `step` counts its entries from 1 (0: the header)."""

    def __init__(self, message: str, step: int = 0) -> None:
        super().__init__(message)
        self.step = step


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
            if line.startswith("~"):
                entries.append(tuple(line.split(" ")))
            elif ": " in line:
                seat, _, answer = line.partition(": ")
                entries.append((seat, answer))
            else:
                raise ReplayError(f"`{line[:60]}` is neither a decision nor an outcome of chance", len(entries) + 1)
        return Replay(
            fields["game"][0], fields["game"][1], tuple(fields["seats"]), tuple(options), seed, tuple(entries)
        )

    def states(self, game: Game) -> list[State]:
        """The states of the game: at the start, and after each decision (nature's answers included).

        Raises `ReplayError` with the step that does not fit.
        """
        from regelwerk.interpreter.api import NotAnOption, UsageError
        from regelwerk.interpreter.faults import Fault

        if self.game != game.name:
            raise ReplayError(f"this replay is of `{self.game}`, not of `{game.name}`")
        try:
            state = game.new(len(self.seats), self.seed, dict(self.options), self.seats, explicit_chance=True)
        except UsageError as error:
            raise ReplayError(str(error)) from error
        found: list[State] = []
        for number, entry in enumerate(self.entries, 1):
            try:
                if entry[0] == "~":
                    if state.status != "chance":
                        raise NotAnOption("nature has nothing to decide here")
                    state.answer_chance(entry[1:])
                else:
                    if state.status != "decision":
                        raise NotAnOption("nobody has anything to decide here")
                    if state.actor != entry[0]:
                        raise NotAnOption(f"{state.actor} decides here, not {entry[0]}")
                    found.append(state.clone())
                    state.step(entry[1])
            except NotAnOption as error:
                raise ReplayError(self._changed(game, number, str(error)), number) from error
            except Fault as fault:
                raise ReplayError(self._changed(game, number, fault.message), number) from fault
        found.append(state)
        return found

    def run(self, game: Game) -> State:
        """The state at the end of the replay."""
        return self.states(game)[-1]

    def _changed(self, game: Game, number: int, why: str) -> str:
        entry = " ".join(self.entries[number - 1])
        changed = "" if self.hash == game.hash else "; the rules have changed since it was recorded"
        return f"step {number} ({entry}) does not fit: {why}{changed}"


__all__ = ["Replay", "ReplayError"]
