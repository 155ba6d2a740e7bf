"""The commands of `regelwerk repl`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from rich.console import Console
from rich.text import Text

from regelwerk.dsl.diagnostics import nearest
from regelwerk.interpreter.answers import NotAnOption, UsageError
from regelwerk.interpreter.api import Decision, Event, Option, State
from regelwerk.interpreter.explaining.evaluating import Evaluator, Unanswerable
from regelwerk.interpreter.faults import Fault
from regelwerk.tools.explanations import Line, Writer, wrapped
from regelwerk.tools.findings import print_findings
from regelwerk.tools.repl.listing import headline, seen, whole_state
from regelwerk.tools.terminal.choices import narrowed
from regelwerk.tools.terminal.session import write_atomically

HELP = """\
legal [WORDS]         the options now, with their numbers; with words those that have them all
why ACTION [VALUES]   an action unfolded: every condition with its values, and what is missing
score [SEAT]          where points come from
eval EXPR             an expression of the language over this state; everything is told, `me` is the seat
eval as SEAT: EXPR    the same as a seat may know it
step ANSWER           answer the decision: a number, an id as in records, or words that leave one option
undo [N]              take the last step back (or the last N)
state                 all that is stored, hidden or not
view [SEAT]           what a seat sees (`view onlooker`: who has no seat)
events                what happened in the last step
seat [SEAT]           for whom `why`, `eval` and `view` ask; without a seat: who has to decide
record PATH           write the record of the game     save PATH   keep the game as bytes
help                  this page                        quit        leave
A line that begins with // or # is a comment."""

COMMANDS = (
    "legal",
    "why",
    "score",
    "eval",
    "step",
    "undo",
    "state",
    "view",
    "events",
    "seat",
    "record",
    "save",
    "help",
    "quit",
)


class Failed(Exception):
    """A command that cannot be done; the message says why."""


class Leave(Exception):
    """Somebody wants to leave."""


class Repl:
    """One game. `failures` counts the commands that could not be done."""

    def __init__(self, state: State, evaluator: Evaluator, console: Console, marks: bool) -> None:
        self.state = state
        self.evaluator = evaluator
        self.console = console
        self.writer = Writer(state.game, marks)
        self.width = min(console.width, 140)
        self.before: list[State] = []
        self.last: tuple[Event, ...] = state.log
        self.chosen: str | None = None
        self.failures = 0

    # ------------------------------------------------------------------------------------------------------- the loop
    def run(self, ask: Callable[[], str]) -> None:
        """Do what is typed until somebody leaves or nothing more comes."""
        while True:
            try:
                typed = ask().strip()
            except EOFError:
                return
            except KeyboardInterrupt:
                self.say("")
                continue
            try:
                self.do(typed)
            except Leave:
                return
            except KeyboardInterrupt:
                self.say("interrupted", "yellow")

    def do(self, typed: str) -> bool:
        """One line; False if it could not be done."""
        if not typed or typed.startswith(("//", "#")):
            return True
        word, _, rest = typed.partition(" ")
        if word.isdecimal():
            word, rest = "step", typed
        command = getattr(self, f"_{word.casefold()}", None) if word.casefold() in COMMANDS else None
        try:
            if command is None:
                near = nearest(word, COMMANDS)
                hint = f"; did you mean `{near}`?" if near else "; `help` lists them"
                raise Failed(f"there is no command `{word}`{hint}")
            command(rest.strip())
        except (Failed, UsageError) as error:
            self._failed(str(error))
        except Fault as fault:
            self._failed(f"the game is stopped by a fault ({fault.code}): {fault.message}")
        except Unanswerable as error:
            self.failures += 1
            print_findings(error.diagnostics, error.sources, stream=self.console.file)
            return False
        else:
            return True
        return False

    def _failed(self, message: str) -> None:
        self.failures += 1
        self.say(message, "red")

    # --------------------------------------------------------------------------------------------------------- output
    def say(self, text: str, style: str = "") -> None:
        """A line."""
        for line in wrapped(iter([Line(0, Text(text, style=style))]), self.console, self.width):
            self.console.print(line, soft_wrap=True)

    def show(self, lines: Iterator[Line]) -> None:
        """Lines of an explanation."""
        for text in wrapped(lines, self.console, self.width):
            self.console.print(text, soft_wrap=True)

    @property
    def prompt(self) -> str:
        """What stands before what is typed: where the game is, and for whom is asked."""
        return f"{self.state.decisions} {self.seat or self.state.status}> "

    @property
    def seat(self) -> str | None:
        """For whom is asked."""
        return self.chosen or self.state.actor

    # ------------------------------------------------------------------------------------------------------- commands
    def _decision(self) -> Decision:
        decision = self.state.decision
        if self.chosen is not None and self.chosen in self.state.actors:
            decision = self.state.decision_of(self.chosen)
        if decision is None:
            raise Failed(f"nobody has anything to decide: the game is {headline(self.state)}")
        return decision

    def _legal(self, rest: str) -> None:
        decision = self._decision()
        options = narrowed(decision, rest) if rest else list(decision.options)
        self.say(f"{decision.actor}: {decision.text}  ({decision.address})", "bold")
        if not options:
            raise Failed(f"no option has `{rest}` in it")
        for option in options:
            cost = f" (costs {option.cost})" if option.cost else ""
            text = Text(f"{option.index + 1:>4}. ", style="green").append(f"{option.text}{cost}  ")
            self.show(iter([Line(0, text.append(option.id, style="dim"))]))

    def _why(self, rest: str) -> None:
        from regelwerk.interpreter.api import split_id

        if not rest:
            raise Failed("`why` needs the name of an action")
        name, *values = split_id(" ".join(rest.split()))
        self.show(self.writer.explanation(self.state.explain(name, *values, seat=self.seat, everything=True)))

    def _score(self, rest: str) -> None:
        for each in self.state.explain_score(self._named(rest) or self.seat, everything=True):
            self.show(self.writer.points(each))

    def _eval(self, rest: str) -> None:
        seat, everything = self.seat, True
        head, colon, tail = rest.partition(":")
        words = head.split()
        if colon and len(words) == 2 and words[0] == "as":
            seat, everything, rest = self._named(words[1]), False, tail.strip()
        if not rest:
            raise Failed("`eval` needs an expression")
        found = self.evaluator.evaluate(self.state, rest, seat, everything)
        self.say(found.value, "bold cyan")
        for part in found.reason.parts if found.reason.source == " ".join(rest.split()) else (found.reason,):
            self.show(self.writer.reason(part, 1, True, found.reason))

    def _step(self, rest: str) -> None:
        decision = self._decision()
        if not rest:
            raise Failed("`step` needs an answer: a number, an id, or words of an option")
        seat = decision.actor
        answer: int | str = rest
        if rest.isdecimal() and 1 <= int(rest) <= len(decision.options):
            answer = int(rest) - 1
        elif rest not in {option.id for option in decision.options}:
            found = narrowed(decision, rest)
            if len(found) > 1:
                ids = ", ".join(f"`{each.id}`" for each in found[:6])
                raise Failed(f"`{rest}` could be {len(found)} options: {ids}{' ...' if len(found) > 6 else ''}")
            if found:
                answer = found[0].index
        before = self.state.clone()
        try:
            self.last = self.state.step(answer, seat)
        except NotAnOption as error:
            reasons = "; ".join(f"{each.address}: {each.text}" for each in error.refusals)
            raise Failed(f"{error}{f' ({reasons})' if reasons else ''}") from error
        except Fault:
            self.before.append(before)
            raise
        self.before.append(before)
        self._events("")
        self.say(headline(self.state), "dim")
        if self.state.outcome is not None:
            from regelwerk.tools.reporting import winner_line

            self.say(winner_line(self.state.outcome), "bold")

    def _undo(self, rest: str) -> None:
        count = int(rest) if rest.isdecimal() else 1
        if (rest and not rest.isdecimal()) or count < 1:
            raise Failed(f"`undo {rest}`: how many steps? a number from 1 on")
        if count > len(self.before):
            raise Failed(f"only {len(self.before)} steps can be taken back")
        self.state = self.before[-count]
        del self.before[-count:]
        self.last = ()
        self.say(headline(self.state), "dim")

    def _state(self, rest: str) -> None:
        for line in whole_state(self.state):
            self.say(line)

    def _view(self, rest: str) -> None:
        seat = None if rest == "onlooker" else self._named(rest) or self.seat
        for line in seen(self.state.view(seat)):
            self.say(line)

    def _events(self, rest: str) -> None:
        for event in self.last:
            if event.text:
                self.say(f"- {event.text}")

    def _seat(self, rest: str) -> None:
        self.chosen = self._named(rest)
        self.say(f"asking for {self.seat}" if self.seat else "asking for nobody", "dim")

    def _named(self, name: str) -> str | None:
        """A seat by its name or number; None for an empty name."""
        for number, seat in enumerate(self.state.seats, 1):
            if name and (name.casefold() == seat.casefold() or name == str(number)):
                return seat
        if name:
            raise Failed(f"there is no seat `{name}` (seats: {', '.join(self.state.seats)})")
        return None

    def _record(self, rest: str) -> None:
        self._write(rest, self.state.replay().text().encode())

    def _save(self, rest: str) -> None:
        self._write(rest, self.state.save())

    def _write(self, path: str, data: bytes) -> None:
        if not path:
            raise Failed("where to? a path is needed")
        try:
            write_atomically(Path(path), data)
        except OSError as error:
            raise Failed(f"{path} cannot be written: {error.strerror or error}") from error
        self.say(f"written to {path}", "dim")

    def _help(self, rest: str) -> None:
        for line in HELP.split("\n"):
            self.say(line)

    def _quit(self, rest: str) -> None:
        raise Leave

    # ------------------------------------------------------------------------------------------------------ completion
    def candidates(self, before: str) -> tuple[str, ...]:
        """The words that can stand behind the beginning of a line."""
        words = before.split()
        if not words:
            return COMMANDS
        if words[0] == "why":
            if len(words) == 1:
                return tuple(each.name for each in self.state.game.checked.actions)
            ids = [option.id.split() for option in self._options()]
            return tuple(
                id[len(words) - 1] for id in ids if id[: len(words) - 1] == words[1:] and len(id) >= len(words)
            )
        if words[0] == "step":
            ids = [option.id.split() for option in self._options()]
            place = len(words) - 1
            return tuple(id[place] for id in ids if id[:place] == words[1:] and len(id) > place)
        if words[0] == "eval":
            return (*self.evaluator.names(), *self.state.seats)
        if words[0] in ("seat", "view", "score"):
            return self.state.seats
        return ()

    def _options(self) -> tuple[Option, ...]:
        try:
            return self._decision().options
        except Failed:
            return ()


__all__ = ["COMMANDS", "Repl"]
