"""A game at the terminal: asks people, lets bots decide, shows what happens; undo, help, saving and loading."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from regelwerk.interpreter.api import Decision, Option, Outcome, State, UsageError
from regelwerk.tools.arguments import CommandFailure
from regelwerk.tools.bots import Bot
from regelwerk.tools.findings import print_findings
from regelwerk.tools.game_facts import Facts
from regelwerk.tools.reporting import winner_line
from regelwerk.tools.simulation import LONGEST
from regelwerk.tools.terminal.asking import Asking
from regelwerk.tools.terminal.board import Board, coloured, seat_style
from regelwerk.tools.terminal.choices import Choices, narrowed
from regelwerk.tools.terminal.following import Following, RulesChanged, interrupted_by
from regelwerk.tools.terminal.journal import Entry, Teller
from regelwerk.tools.terminal.lookup import explain

WIDEST = 120
SHORT_LOG = 40

HELP = """\
NUMBER       take this option; Enter takes it if there is only one
WORDS        narrow the options to those with all these words (`5 opera`); Enter shows all again
? [WORDS]    what is not available now, and why: the clause, the rules it cites, its line
? ACTION     an action with all its conditions, and what is missing (also with words: `? place 5`)
? score      where your points come from
info NAME    what a card, field, action or score does, in the words of the rules (short: f NAME)
board        the whole board        options  all options        log  what happened so far
undo         take your last decision back, unless something was revealed or somebody else decided
save PATH    keep the game as it is          load PATH  go on with a game that was kept
help         this page              quit     leave the game"""


class Quit(Exception):
    """A player leaves the game."""


class EndOfInput(Exception):
    """There is nobody left to ask."""


class _Changed(Exception):
    """The state was exchanged (undo, load): the decision has to be asked again."""


@dataclass(frozen=True)
class Taken:
    """A decision that may be taken back: the state before it."""

    before: State
    actor: str
    forced: bool
    revealed: str
    entries: int


class Session:
    """One game. `bots` hold the bot of each seat that is not played by a person."""

    def __init__(
        self,
        state: State,
        bots: Mapping[str, Bot],
        console: Console,
        ask: Callable[[str], str],
        delay: float = 0.0,
        ask_forced: bool = False,
        following: Following | None = None,
    ) -> None:
        self.state = state
        self.bots = bots
        self.humans = [seat for seat in state.seats if seat not in bots]
        self.console = console
        self.ask_line = ask
        self.delay = delay
        self.ask_forced = ask_forced
        self.following = following
        self.facts = Facts(state)
        self.teller = Teller(self.facts)
        self.width = min(console.width, WIDEST)
        self.apart = len(self.humans) > 1 and self.facts.has_secrets
        self.readers: list[str | None] = [*self.humans, None]
        self.journal: list[Entry] = []
        self.taken: list[Taken] = []
        self.read: dict[str, int] = {}
        self.looking: str | None = self.humans[0] if len(self.humans) == 1 else None
        self.board_is_old = True
        self.passes = 0
        self.fullest: tuple[int, State] | None = None

    # ---------------------------------------------------------------------------------------------------------- loop
    def run(self) -> None:
        """Plays on. Raises `Quit`, `EndOfInput`, the game's `Fault`; `CommandFailure` if bots never finish."""
        self.console.print(
            Rule(
                Text(
                    f"{self.state.game.title} · {len(self.state.seats)} players · seed {self.state.seed}", style="bold"
                ),
                style="dim",
            )
        )
        if self.humans:
            self.say("`help` lists what can be typed.", "dim")
        while self.state.status != "over":
            if self.state.status == "chance":
                self.state.answer_chance(None)
                continue
            actor = self.state.actor or ""
            if not self.humans:
                if self.state.decisions >= LONGEST:
                    raise CommandFailure(f"the bots have not come to an end after {LONGEST} decisions; given up")
                self.show_round()
            if actor in self.bots:
                self.step(self.bots[actor].choose(self.state))
                if self.delay > 0:
                    time.sleep(self.delay)
            elif len(self.state.raw_options) == 1 and not self.ask_forced:
                self.step(0, automatic=True)
            else:
                try:
                    self.step(self.ask(actor).index)
                except _Changed:
                    continue
        self.finish()

    def step(self, index: int, automatic: bool = False) -> None:
        """Take an option, and tell what happens."""
        state, decision = self.state, self.state.decision
        assert decision is not None
        option = decision.options[index]
        before, active = self.teller.seen(state, self.readers), state.active
        copy = state.clone() if self.humans else state
        events = state.step(index)
        after = self.teller.seen(state, self.readers)
        told = self.teller.told(option, decision, before, after)
        if state.answered_in_part and state.actor == decision.actor:  # the others are told of the whole
            told = {reader: text if reader == decision.actor else "" for reader, text in told.items()}
        forced = len(decision.options) == 1
        quiet = forced and option.action is None
        entry = Entry(decision.actor, told, events, quiet, state.active != active, state.revealed, automatic)
        if self.humans:
            revealed = next((e.text_for(decision.actor) or "a hidden card was seen" for e in events if e.reveals), "")
            self.taken.append(Taken(copy, decision.actor, forced, revealed, len(self.journal)))
        self.journal.append(entry)
        if decision.actor != self.looking:
            self.board_is_old = True
        if not self.apart or decision.actor == self.looking:
            self.tell(entry, self.looking)
            self.read[decision.actor] = len(self.journal)

    # -------------------------------------------------------------------------------------------------------- output
    def say(self, text: str, style: str = "") -> None:
        """A line for whoever sits at the terminal."""
        self.console.print(Text(text, style=style))

    def show(self, drawn: RenderableType) -> None:
        """Something drawn, no wider than the board."""
        self.console.print(drawn, width=self.width)

    def tell(self, entry: Entry, reader: str | None) -> None:
        """One entry of the journal."""
        text = entry.text(reader, self.state.seats, self.facts)
        if text is not None:
            self.console.print(hanging(text, self.console, self.width), soft_wrap=True)

    def board(self, viewer: str | None) -> None:
        """The whole board."""
        board = Board(self.facts, self.state, viewer, self.width)
        self.show(board.headline())
        self.show(board.draw())

    def show_round(self) -> None:
        """In a game of bots: the board when a round begins."""
        passes = self.facts.passes(self.state)
        board = Board(self.facts, self.state, None, self.width)
        if passes == self.passes:
            filled = board.filled()
            if filled and (self.fullest is None or filled >= self.fullest[0]):
                self.fullest = (filled, self.state.clone())
            return
        if self.fullest is not None and not board.filled():
            self.say(f"The board{self.facts.in_round(self.passes)} at its fullest:", "dim")
            self.show(Board(self.facts, self.fullest[1], None, self.width).draw_fields())
        self.passes, self.fullest = passes, None
        self.console.print()
        self.show(Rule(Text(self.facts.heading(self.state), style="bold"), style="dim"))
        self.show(board.draw(only_filled=passes > 1))

    def finish(self) -> None:
        """The end of the game: the board, who won, and why."""
        outcome = self.state.outcome
        assert outcome is not None
        self.console.print()
        self.show(Rule(Text("The end", style="bold"), style="dim"))
        self.show(Board(self.facts, self.state, self.looking if len(self.humans) == 1 else None, self.width).draw())
        self.show(draw_outcome(outcome, self.state.seats))

    # ----------------------------------------------------------------------------------------------------- decisions
    def hand_over(self, actor: str) -> None:
        """Between two people at one terminal: nobody sees the other's screen, if there are secrets on it."""
        if not self.apart or self.looking == actor:
            return
        self.clear()
        self.looking = None
        self.console.print(
            Text("Pass to ").append(actor, style=f"bold {seat_style(self.state.seats, actor)}").append(", press Enter")
        )
        self.line("")
        self.clear()
        self.looking, self.board_is_old = actor, True

    def clear(self) -> None:
        """An empty screen, and nothing to scroll back to."""
        if self.console.is_terminal:
            self.console.clear()
            self.console.file.write("\x1b[3J")
        else:
            self.console.print("\n" + "=" * min(60, self.width) + "\n")

    def line(self, prompt: str) -> str:
        """One line of input; `EndOfInput` if there is none."""
        while True:
            try:
                if self.following is None:
                    return self.ask_line(prompt).strip()
                if self.following.changed():
                    raise RulesChanged
                with interrupted_by(self.following.changed):
                    return self.ask_line(prompt).strip()
            except EOFError:
                raise EndOfInput from None
            except RulesChanged:
                self.follow()

    def follow(self) -> None:
        """The rules have changed: go on with the new ones; raises `_Changed` unless the old ones stay."""
        assert self.following is not None
        found = self.following.follow(self.state)
        self.console.print()
        if found.diagnostics:
            print_findings(found.diagnostics, found.sources or {}, stream=self.console.file)
        self.say(found.message, "yellow" if found.diverged or found.diagnostics else "green")
        if found.state is not None:
            self._go_on_with(found.state)

    def ask(self, actor: str) -> Option:
        """The option a person takes. Raises `_Changed` if the state was exchanged."""
        self.hand_over(actor)
        since = self.read.get(actor, 0)
        if self.apart and since < len(self.journal):
            self.say("Since your last decision:", "dim")
            for entry in self.journal[since:]:
                self.tell(entry, actor)
        self.read[actor] = len(self.journal)
        board = Board(self.facts, self.state, actor, self.width)
        self.console.print()
        if self.board_is_old:
            self.board(actor)
            self.board_is_old = False
        else:
            self.show(Rule(style="dim"))
            self.show(board.headline())
            self.show(board.summary())
        decision = self.state.decision
        assert decision is not None
        return self._answer(actor, decision, Choices(self.facts, decision, self.width))

    def _answer(self, actor: str, decision: Decision, choices: Choices) -> Option:
        shown = list(decision.options)
        self.options(decision, choices, shown)
        while True:
            typed = self.line(f"{actor}> ")
            if not typed:
                if len(shown) == 1:
                    return shown[0]
                shown = list(decision.options)
                self.options(decision, choices, shown)
            elif typed.isdecimal() and 1 <= int(typed) <= len(decision.options):
                return decision.options[int(typed) - 1]
            elif typed.lstrip("-").isdecimal() and not narrowed(decision, typed):
                self.say(f"There is no option {typed}: the numbers go from 1 to {len(decision.options)}.", "yellow")
            elif not self.command(typed, actor, decision, choices):
                found = narrowed(decision, typed)
                if len(found) == 1 and typed.casefold() in (found[0].text.casefold(), found[0].id.casefold()):
                    return found[0]
                if not found:
                    self.say(
                        f"No option has “{typed}” in it. "
                        "`?` says what is not available now and why; `help` lists what can be typed.",
                        "yellow",
                    )
                    continue
                shown = found
                self.options(decision, choices, shown)

    def options(self, decision: Decision, choices: Choices, shown: list[Option]) -> None:
        """The options, and what Enter does."""
        self.show(Text(decision.text, style="bold underline"))
        self.show(choices.draw(shown))
        if len(shown) == 1:
            self.say(
                "Enter takes it." if len(decision.options) == 1 else "Enter takes it; other words narrow anew.", "dim"
            )
        elif len(shown) < len(decision.options):
            self.say(f"{len(shown)} of {len(decision.options)} options; Enter shows all.", "dim")

    def command(self, typed: str, actor: str, decision: Decision, choices: Choices) -> bool:
        """Do what a word asks for; False if it is no command."""
        if typed.startswith("?"):
            typed = f"? {typed[1:]}"
        word, _, rest = typed.partition(" ")
        word, rest = word.casefold(), rest.strip()
        takes_rest = word in ("?", "why", "info", "f", "save", "load")
        if bool(rest) and not takes_rest:
            return False
        if word in ("?", "why"):
            self.show(Asking(self.facts, self.state, actor, self.console, self.width).answer(rest, choices))
        elif word in ("info", "f"):
            self.show(
                explain(self.facts, rest)
                if rest
                else Text("`info` needs a name: of a card, a field, an action ...", style="yellow")
            )
        elif word == "board":
            self.board(actor)
        elif word == "options":
            self.options(decision, choices, list(decision.options))
        elif word == "log":
            for entry in self.journal[-SHORT_LOG:]:
                self.tell(entry, actor)
        elif word == "help":
            self.say(HELP)
        elif word in ("quit", "q", "exit"):
            raise Quit
        elif word == "undo":
            self.undo(actor)
        elif word == "save":
            self.save(rest)
        elif word == "load":
            self.load(rest)
        else:
            return False
        return True

    # -------------------------------------------------------------------------------------------- undo, save and load
    def undo(self, actor: str) -> None:
        """Take back the actor's last decision; raises `_Changed`, or says why it cannot be."""
        place = len(self.taken)
        while place:
            taken = self.taken[place - 1]
            if taken.actor != actor:
                self.say(f"That cannot be undone: {taken.actor} has decided since.", "yellow")
                return
            if taken.revealed:
                self.say(f"That cannot be undone: something was revealed since ({taken.revealed}).", "yellow")
                return
            place -= 1
            if not taken.forced or self.ask_forced:
                self.state = taken.before
                del self.taken[place:], self.journal[taken.entries :]
                self.read = {seat: min(read, len(self.journal)) for seat, read in self.read.items()}
                self.say("Taken back.", "green")
                self.board_is_old = True
                raise _Changed
        self.say("There is nothing to undo: this is your first decision.", "yellow")

    def save(self, path: str) -> None:
        """Write the state to a file."""
        if not path:
            self.say("`save` needs a path.", "yellow")
            return
        try:
            write_atomically(Path(path), self.state.save())
        except OSError as error:
            self.say(f"{path} cannot be written: {error.strerror}", "red")
        else:
            self.say(f"Kept in {path}; `load {path}` goes on from here.", "green")

    def load(self, path: str) -> None:
        """Go on with a saved state of the same game and the same seats; raises `_Changed`."""
        if not path:
            self.say("`load` needs a path.", "yellow")
            return
        try:
            state = self.state.game.restore(Path(path).read_bytes())
        except OSError as error:
            self.say(f"{path} cannot be read: {error.strerror}", "red")
            return
        except UsageError as error:
            self.say(f"{path} cannot be loaded: {error}", "red")
            return
        if state.seats != self.state.seats:
            self.say(
                f"{path} is a game of {', '.join(state.seats)}, but {', '.join(self.state.seats)} sit here.", "red"
            )
            return
        self._exchange(state)

    def _exchange(self, state: State) -> NoReturn:
        self.say("Loaded. What was decided before cannot be undone.", "green")
        self._go_on_with(state)

    def _go_on_with(self, state: State) -> NoReturn:
        self.state, self.facts = state, Facts(state)
        self.teller = Teller(self.facts)
        self.taken, self.journal, self.read, self.board_is_old = [], [], {}, True
        raise _Changed


def hanging(text: Text, console: Console, width: int) -> Text:
    """Lines whose continuations are indented."""
    found: list[Text] = []
    for line in text.split("\n"):
        first = len(line.plain) - len(line.plain.lstrip())
        for number, part in enumerate(line[first:].wrap(console, max(20, width - 4))):
            part.rstrip()
            found.append(Text(" " * (first if number == 0 else 4)).append_text(part))
    return Text("\n").join(found)


def draw_outcome(outcome: Outcome, seats: tuple[str, ...]) -> RenderableType:
    """Who won, the ranking with its keys, and the lines of the scores."""
    table = Table.grid(padding=(0, 3, 0, 0))
    title = coloured(winner_line(outcome), seats, "bold")
    keys = [name for name, _ in next(iter(outcome.keys.values()), ())]
    ranked = [seat for group in outcome.ranking for seat in group] or list(seats)
    table.add_column(justify="right", style="dim")
    table.add_column()
    for _ in (*keys, *outcome.lines):
        table.add_column(justify="right")
    if keys or outcome.lines:
        table.add_row(
            "",
            "",
            *[Text(name, style="dim") for name in keys],
            *[Text(line.printed, style="dim italic") for line in outcome.lines],
        )
    places: dict[str, int] = {}
    for group in outcome.ranking:
        places.update(dict.fromkeys(group, len(places) + 1))
    for seat in ranked:
        own = dict(outcome.keys.get(seat, ()))
        row = [Text(str(places.get(seat, ""))), Text(seat, style=f"bold {seat_style(seats, seat)}")]
        row += [Text(str(own.get(name, "")), style="bold") for name in keys]
        row += [Text(str(line.values.get(seat, 0))) for line in outcome.lines]
        table.add_row(*row)
    whole = Table.grid()
    whole.add_row(title)
    whole.add_row(Padding(table, (1, 0, 0, 2)))
    return Padding(whole, (1, 0))


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file as a whole, or leave what was there. What is no regular file (a device, a pipe) is written into."""
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


__all__ = ["EndOfInput", "Quit", "Session", "draw_outcome", "write_atomically"]
