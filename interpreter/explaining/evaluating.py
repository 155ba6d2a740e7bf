"""Expressions that somebody asks of a running game: parsed and checked like those of scenarios, evaluated, unfolded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from regelwerk.dsl.checker import coercion as co
from regelwerk.dsl.checker.context import Context, Scope
from regelwerk.dsl.checker.expressions import check
from regelwerk.dsl.diagnostics import Diagnostic, Diagnostics
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import scenarios as s
from regelwerk.dsl.model.types import PLAYER, BoolType, UnknownType, strip
from regelwerk.dsl.parser import parse_expression
from regelwerk.dsl.source import Source, Span
from regelwerk.interpreter import layout as la
from regelwerk.interpreter.api import Game, State
from regelwerk.interpreter.describing import option_id
from regelwerk.interpreter.explaining import connectives  # noqa: F401 - it registers the forms it unfolds
from regelwerk.interpreter.explaining.reading import Here, NoValue, Reading
from regelwerk.interpreter.explaining.reasons import Reason
from regelwerk.interpreter.explaining.sight import Sight, surroundings
from regelwerk.interpreter.faults import Fault
from regelwerk.interpreter.loading import Checked
from regelwerk.interpreter.scenarios import Failed, Run

ENTERED = "entered"
"""The name of the source that an expression is of."""


CODE = "eval"
"""Stands where findings of rules have their code."""


class Unanswerable(Exception):
    """An expression that has no answer; the findings say why, in `sources`."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...], sources: dict[str, Source]) -> None:
        super().__init__(diagnostics[0].message if diagnostics else "")
        self.diagnostics = diagnostics
        self.sources = sources


@dataclass(frozen=True)
class Evaluated:
    """The answer: its printed value, its type, and its pieces."""

    value: str
    type: str
    reason: Reason


class _Asked(Run):
    """What claims of scenarios ask about (`options`, `cost(...)`, `over`): the state that is looked at, here."""

    def __init__(self, context: Context, state: State) -> None:
        self.context = context
        self.seat = 0
        self.lines = {}
        self.failure = Failed
        self.look_at(state)

    def look_at(self, state: State) -> None:
        """From now on it is about this state."""
        self.state, self.program, self.image, self.game = state, state.program, state.image, state.game
        self.lines = {}


class Evaluator:
    """Evaluates expressions over states of one checked game."""

    def __init__(self, checked: Checked, game: Game) -> None:
        assert checked.checker is not None
        self.context: Context = checked.checker.c
        self.game = game
        self.sources = dict(game.sources)
        game.sources = self.sources  # so that what is entered can be cited
        self.asked: _Asked | None = None

    def names(self) -> tuple[str, ...]:
        """The names that an expression can have."""
        c = self.context
        named = (*c.globals, *c.attributes, *c.members, *c.actions, "me", "active", "players", "bank", "options")
        return tuple(sorted({name for name in named if name.isidentifier()}))

    def evaluate(self, state: State, text: str, seat: str | None = None, everything: bool = True) -> Evaluated:
        """The value of an expression over a state. `seat` is `me` (None: who decides, or is on turn); without
        `everything` what he may not know is hidden.

        Raises `Unanswerable` for what is no expression of this game, or has no value now.
        """
        diagnostics = Diagnostics()
        self.sources[ENTERED] = Source(ENTERED, text)
        found = self._checked(text, state, seat, diagnostics)
        if found is None or diagnostics.failed or isinstance(found[0].type, UnknownType):
            items = tuple(each for each in diagnostics.in_order() if each.severity == "error")
            raise Unanswerable(items or (self._finding("this has no value", text),), self.sources)
        typed, frame = found
        before, state.program.run = state.program.run, self.about(state)
        state.image.work = la.WORK
        try:
            return self._read(state, typed, frame, self._me(state, seat), everything)
        except (Failed, NoValue, Fault) as error:
            raise Unanswerable((self._finding(error.message, text),), self.sources) from error
        finally:
            state.program.run = before

    def about(self, state: State) -> Run:
        """What answers and claims of scenarios ask about: this state."""
        if self.asked is None or self.asked.program is not state.program:
            self.asked = _Asked(self.context, state)
        self.asked.look_at(state)
        return self.asked

    def _read(self, state: State, typed: x.Expr, frame: g.Frame, me: int, everything: bool) -> Evaluated:
        env: list[Any] = [0] * (2 * len(frame.types) + 2)
        env[0] = me
        game = None if everything else surroundings(state.game.checked)
        reading = Reading(state)
        here = Here(env, frame, Sight.of(game, {0} if me else ()))
        if here.sight.hides(typed):
            return Evaluated("hidden", str(typed.type), reading.unfold(typed, here))
        value = reading.value(typed, here)
        if isinstance(typed, s.OptionList):
            return self._options(state, typed, value)
        reason = reading.unfold(typed, here)
        printed = ("yes" if value else "no") if isinstance(strip(typed.type), BoolType) else None
        return Evaluated(printed or reading.printed(value, typed.type), str(typed.type), reason)

    def _options(self, state: State, node: s.OptionList, value: Any) -> Evaluated:
        """The options themselves, as the ids of answers."""
        action = node.action
        texts = [option_id(state, each) if action is None else self._id(state, action, each) for each in value]
        reason = Reason("value", "", node.span, None)
        return Evaluated(", ".join(texts) or "nothing", "options", reason)

    def _id(self, state: State, action: g.ActionSymbol, values: tuple[Any, ...]) -> str:
        ids = [state.program.texts.id(v, kind) for v, (_, kind, _) in zip(values, action.parameters, strict=True)]
        return " ".join([action.name, *ids])

    def _me(self, state: State, seat: str | None) -> int:
        if seat is not None:
            return state.seats.index(seat) + 1
        return int(state.image.w[la.ACTOR] or state.image.w[la.ACTIVE])

    def _finding(self, message: str, text: str) -> Diagnostic:
        return Diagnostic(CODE, "error", message, Span(ENTERED, 0, len(text)))

    def _checked(
        self, text: str, state: State, seat: str | None, diagnostics: Diagnostics
    ) -> tuple[x.Expr, g.Frame] | None:
        """The typed expression, and its locals."""
        parsed = parse_expression(text, ENTERED, diagnostics)
        if parsed is None or diagnostics.failed:
            return None
        context = Context(diagnostics, self.sources)
        own = {k: v for k, v in self.context.__dict__.items() if k not in ("diagnostics", "sources")}
        context.__dict__.update(own)
        context.suggested = 0
        questions, pictures = len(self.context.questions), len(self.context.pictures)
        seats = {name: number for number, name in enumerate(state.seats, 1)}
        me = x.Local(PLAYER, parsed.span, 0) if self._me(state, seat) else None
        scope = Scope(g.Frame(), me=me, in_scenario=True, seats=seats)
        typed = co.as_collection(check(context, parsed, scope))
        if len(self.context.questions) > questions:
            self._forget(questions)
            diagnostics.error(
                CODE,
                "nobody remembers this: no clause of the rules asks it",
                parsed.span,
                "the past is kept only as far as some clause asks for it; ask as the rules do",
            )
        if len(self.context.pictures) > pictures:
            for each in list(self.context.pictures)[pictures:]:
                del self.context.pictures[each]
            diagnostics.error(CODE, "this picture is in no clause of the rules", parsed.span)
        return typed, scope.frame

    def _forget(self, count: int) -> None:
        """Questions about the past that were not there before are not asked."""
        for each in self.context.questions[count:]:
            if not isinstance(each.event, str) and each in getattr(each.event, "questions", []):
                each.event.questions.remove(each)  # type: ignore[attr-defined]  # events have them
        del self.context.questions[count:]


__all__ = ["Evaluated", "Evaluator", "Unanswerable"]
