"""What `?` answers at the terminal: what is refused, an action with all its conditions, where points come from."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console, Group, RenderableType
from rich.text import Text

from regelwerk.dsl.model import game as g
from regelwerk.interpreter import layout as la
from regelwerk.interpreter.api import Option, State
from regelwerk.interpreter.explaining.actions import ActionReader
from regelwerk.interpreter.explaining.combinations import Values
from regelwerk.tools.explanations import Line, Writer, wrapped
from regelwerk.tools.game_facts import Facts, words
from regelwerk.tools.terminal.choices import Choices, fold, has_words

SCORE = ("score", "points")
"""The words that ask for points."""


class Asking:
    """Answers the questions of one player about one state."""

    def __init__(self, facts: Facts, state: State, seat: str, console: Console, width: int) -> None:
        self.facts, self.state, self.seat = facts, state, seat
        self.console, self.width = console, width
        self.writer = Writer(state.game, console.encoding.lower().startswith("utf"))

    def answer(self, typed: str, choices: Choices) -> RenderableType:
        """The answer to what stands behind `?`."""
        symbol, rest = self.action(typed)
        if symbol is not None:
            return self.action_answer(symbol, rest)
        if fold(typed) in SCORE:
            return self.drawn(line for each in self.state.explain_score(self.seat) for line in self.writer.points(each))
        if typed:
            return choices.refusals(self.state, typed)
        return Group(choices.refusals(self.state), self.help())

    def help(self) -> Text:
        """What else can be asked."""
        offered = dict.fromkeys(option.action for option in self._options() if option.action)
        example = next(iter(offered), None) or next((each.name for each in self.facts.checked.actions), "ACTION")
        text = Text("`? ACTION` unfolds an action, possible or not (", style="dim")
        text.append(f"`? {words(example)}`").append("), `? score` your points, `info NAME` what something does")
        return text

    def _options(self) -> tuple[Option, ...]:
        decision = self.state.decision_of(self.seat)
        return decision.options if decision is not None else ()

    def action(self, typed: str) -> tuple[g.ActionSymbol | None, str]:
        """The action that the first words name, and the other words."""
        parts = typed.split()
        for count in range(len(parts), 0, -1):
            name = fold(" ".join(parts[:count]))
            for symbol in self.facts.checked.actions:
                if name in (fold(symbol.name), fold(words(symbol.name))):
                    return symbol, " ".join(parts[count:])
        return None, ""

    def action_answer(self, symbol: g.ActionSymbol, rest: str) -> RenderableType:
        """An action, unfolded, with parameters that the other words are about."""
        self.state.image.work = la.WORK
        reader = ActionReader(self.state, symbol, self.state.seats.index(self.seat) + 1)
        texts = self.state.program.texts

        def about(values: Values) -> bool:
            named = zip(values, symbol.parameters, strict=True)
            return has_words(
                " ".join(texts.value(value, kind, self.state.image) for value, (_, kind, _) in named), rest
            )

        if rest and symbol.parameters and not any(about(values) for values in reader.choices.matching()):
            return Text(f"No combination of “{words(symbol.name)}” has “{rest}” in it.", style="yellow")
        found = reader.explain((), about if rest else None)
        return self.drawn(self.writer.explanation(found, full=found.legal))

    def drawn(self, lines: Iterator[Line]) -> RenderableType:
        """Lines, broken to the width."""
        return Group(*wrapped(lines, self.console, self.width))


__all__ = ["Asking"]
