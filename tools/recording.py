"""A game that was played as a scenario of the language: who plays and what was set, every answer and every outcome of
chance, and what holds at the end.

Answers are written as an author would (`place([2, 5], oper)`) where that means just the option that was taken, else
by their text or id in quotes. What is claimed at the end is evaluated before it is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from regelwerk.dsl.diagnostics import Diagnostics
from regelwerk.dsl.formatting import format_source
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import (
    BoolType,
    EnumType,
    IntType,
    ListType,
    PlayerType,
    RowType,
    SetType,
    TallyType,
    ThingType,
    Type,
    in_words,
    member_of,
    strip,
)
from regelwerk.dsl.parser import parse_expression
from regelwerk.dsl.source import Source
from regelwerk.interpreter import ir, machine
from regelwerk.interpreter.answers import UsageError
from regelwerk.interpreter.api import Game, State
from regelwerk.interpreter.decisions import DONE, PASS, STAGE, Raw
from regelwerk.interpreter.describing import asked_type, describe_option, option_id, parameters_of
from regelwerk.interpreter.evaluation.base import members
from regelwerk.interpreter.explaining.evaluating import Evaluator, Unanswerable
from regelwerk.interpreter.loading import Checked, check_path, check_source
from regelwerk.interpreter.replays import Replay, ReplayError
from regelwerk.interpreter.scenarios import Failed, ScenarioResult, run_scenarios
from regelwerk.interpreter.staging import ENOUGH

LONGEST = 110
"""Steps are written one behind the other up to this column."""


class NotRecordable(Exception):
    """The game cannot be written as a scenario; the message says why."""


def _filled(parts: Iterable[str], between: str) -> Iterator[str]:
    """Lines of as many parts as fit."""
    line = ""
    for part in parts:
        if line and len(line) + len(part) > LONGEST:
            yield line
            line = ""
        line = f"{line}{between}{part}" if line else part
    if line:
        yield line


@dataclass(frozen=True)
class Recorded:
    """A scenario: its text, and how it came out when it was run (None: it has errors)."""

    text: str
    result: ScenarioResult | None


def record(rules: Path, replay: Replay, name: str, place: Path) -> Recorded:
    """The scenario of a record that is played by the rules of a file. `place` is where it will lie."""
    checked = check_path(rules, False)
    if checked.game is None or checked.checker is None:
        raise NotRecordable(f"{rules.name} has errors now")
    game = Game(checked.game, checked.diagnostics, checked.sources, "reference")
    text = _Writer(checked, game, replay).scenario(name)
    text = format_source(text, place.name)
    found = check_source(Source(str(place.resolve()), text))
    result = next(iter(run_scenarios(found)), None) if found.game is not None else None
    return Recorded(text, result)


class _Writer:
    def __init__(self, checked: Checked, game: Game, replay: Replay) -> None:
        self.checked, self.game, self.replay = checked, game, replay
        self.evaluator = Evaluator(checked, game)
        self.names = self._seat_names()

    def _seat_names(self) -> dict[str, str]:
        """The seats as the scenario calls them: not as something that is declared."""
        c = self.evaluator.context
        found: dict[str, str] = {}
        for number, seat in enumerate(self.replay.seats, 1):
            taken = c.globals.get(seat) is not None or bool(c.members.get(seat)) or not seat.isidentifier()
            name = f"Seat{number}" if taken or parse_name(seat) is None else seat
            found[seat] = name
        return found

    # ------------------------------------------------------------------------------------------------------ the whole
    def scenario(self, name: str) -> str:
        """The text."""
        steps: dict[str, list[str]] = {}
        last = ""
        state: State | None = None
        try:
            for number, (_, state, _) in enumerate(self.replay.walk(self.game, "reference")):
                last = state.phase.partition(".")[0] or last
                if number < len(self.replay.entries):
                    step = self._step(state, self.replay.entries[number])
                    if step:
                        steps.setdefault(last, []).append(step)
        except ReplayError as error:
            raise NotRecordable(str(error)) from error
        if state is None:
            raise NotRecordable("nothing was played")
        if state.fault is not None:
            raise NotRecordable("the game was stopped by a fault")
        outcome = state.outcome
        if outcome is not None and not any(each.name == outcome.cause for each in self.game.checked.ends):
            last = ""  # all phases are over
        title = f"a game for {len(self.replay.seats)}, seed {self.replay.seed}"
        lines = ["edition 1", f'variant {name} "{self.game.title}: {title}" of {self.game.name}', ""]
        lines += [f'scenario {name}_1 "{title}" {{', f"players {', '.join(self.names.values())}"]
        lines += [f"option {option} = {value}" for option, value in self._options(state)]
        for phase in self.checked.game.phases if self.checked.game is not None else ():
            lines += self._play(phase.path, steps.get(phase.path, []))
            if phase.path == last:
                break
        lines += [f"then {claim}" for claim in self._claims(state)]
        return "\n".join([*lines, "}", ""])

    def _options(self, state: State) -> Iterator[tuple[str, str]]:
        """All options that were set, by players or by chance."""
        program = state.program
        for symbol in program.game.options:
            value = program.fixed_options.get(symbol)
            if symbol in program.option_cells:
                value = program.compiler.expr(_option_read(symbol))(state.image, [0])
            if symbol.name in state.chosen_options or symbol in program.option_cells:
                yield symbol.name, next(self._value(state, value, symbol.type))

    def _play(self, path: str, steps: list[str]) -> Iterator[str]:
        """A phase with its steps, as many in a line as fit."""
        yield f"play {path} {{"
        yield from _filled(steps, "   ")
        yield "}"

    # ---------------------------------------------------------------------------------------------------------- steps
    def _step(self, state: State, entry: tuple[str, ...]) -> str:
        if entry[0] == "~":
            return self._chance(state, entry[1:])
        seat = state.seats.index(entry[0]) + 1
        raw, _ = state._resolve(entry[1], seat if len(state.actors) > 1 else 0)
        return f"when {self.names[entry[0]]}: {self._answer(state, raw, seat, entry[1])}"

    def _chance(self, state: State, ids: tuple[str, ...]) -> str:
        event, request, _ = machine.pending_chance(state.program, state.image)
        if event.what.startswith("option"):
            return ""
        kind, texts = event.kind, state.program.texts
        asked, parts = self.evaluator.about(state), []
        for position, id in enumerate(ids):
            value = next(k for k in request[position] if texts.id(k, kind) == id)
            parts.append(next((t for t in self._value(state, value, kind) if _matches(asked, t, kind, value)), id))
        return f"chance [{', '.join(parts)}]"

    def _answer(self, state: State, raw: Raw, seat: int, id: str) -> str:
        """The shortest way to write an answer that means just this option."""
        asked = self.evaluator.about(state)
        asked.seat = seat
        site, env = machine.pending(state.program, state.image, seat)
        for text in self._answers(state, raw, seat, id):
            node = parse_expression(text, "answer", Diagnostics())
            try:
                if node is not None and asked.find(site, env, node) == raw:
                    return text
            except Failed:
                continue
        return f'"{id}"'

    def _answers(self, state: State, raw: Raw, seat: int, id: str) -> Iterator[str]:
        site, env = machine.pending(state.program, state.image, seat)
        way, values = raw
        if way == DONE:
            yield "done"
        elif way == PASS:
            yield "pass" if isinstance(site.end, ir.OfferEnd | ir.SealEnd) else "no"
        elif way == STAGE:
            kind = asked_type(state, site, env, raw)
            if values[0] == ENOUGH:
                yield "enough"
            elif kind is not None:
                yield from self._value(state, values[0], kind)
        elif isinstance(site.end, ir.AlternativesEnd):
            if len(site.end.ways) == 1:
                yield "yes"
        else:
            kinds = [kind for _, kind in parameters_of(site, raw)]
            parts = [list(self._value(state, v, k)) for v, k in zip(values, kinds, strict=False)]
            plain, named = ([options[k] for options in parts if options] for k in (0, -1))
            for some in (plain, named):
                if isinstance(site.end, ir.OfferEnd | ir.SealEnd):
                    name = site.end.offer.actions[way].name
                    yield f"{name}({', '.join(some)})" if some else name
                elif len(some) == 1:
                    yield some[0]
                else:
                    yield f"[{', '.join(some)}]"
        if way != STAGE or values[0] != ENOUGH:
            yield _quoted(describe_option(state, raw, seat).text)
        yield _quoted(option_id(state, raw, seat if len(state.actors) > 1 else 0))
        yield _quoted(id)

    def _value(self, state: State, value: Any, kind: Type) -> Iterator[str]:
        """Ways to write a value, the shortest first."""
        program, plain = state.program, strip(kind)
        texts = program.texts
        if isinstance(plain, IntType):
            yield in_words(value, plain)
        elif isinstance(plain, BoolType):
            yield "yes" if value else "no"
        elif not isinstance(plain, SetType | ListType | TallyType) and value == 0:
            yield "none"
        elif isinstance(plain, PlayerType):
            yield self.names[state.seats[value - 1]]
        elif isinstance(plain, EnumType):
            member = texts.id(value, plain)
            yield member
            if not member.isdecimal():
                yield f"{plain.symbol.name}.{member}"
        elif isinstance(plain, ThingType | RowType):
            things = program.things[plain.symbol]
            row = things.rows[(things.row_of[value] if isinstance(plain, ThingType) else value) - 1]
            if isinstance(plain, ThingType) and plain.symbol.faces is not None:
                yield str(state.image.b[program.face_cells[plain.symbol].offset + value])
            yield row.name
            yield f"{plain.symbol.name}.{row.name}"
        elif isinstance(plain, SetType | ListType):
            inner = member_of(plain)
            assert inner is not None
            items = members(value) if isinstance(plain, SetType) else list(value)
            written = [list(self._value(state, each, inner)) for each in items]
            if len(items) == 1 and isinstance(strip(inner), ThingType):
                yield written[0][0]
            yield f"[{', '.join(each[0] for each in written)}]"
            yield f"[{', '.join(each[-1] for each in written)}]"
        elif isinstance(plain, TallyType) and plain.symbol is not None:
            counts = [(n, plain.symbol.members[k][0]) for k, n in enumerate(value) if n]
            yield " + ".join(f"{n} {unit}" for n, unit in counts) or "{}"
        else:
            yield _quoted(texts.id(value, kind))

    # --------------------------------------------------------------------------------------------------------- claims
    def _claims(self, state: State) -> Iterator[str]:
        """What holds at the end: who decides, points and stores, where things lie; as far as it can be asked."""
        if state.status == "decision" and len(state.actors) == 1:
            yield f"actor is {self.names[state.actor or '']}"
        checked = state.game.checked
        outcome = state.outcome
        if outcome is not None and any(each.name == outcome.cause for each in checked.ends):
            yield "over"  # by an end: when its last phase is over, the phase that a scenario plays has only returned
        for seat, name in self.names.items():
            found = [claim for claim in self._of_seat(state, seat, name) if self._holds(state, claim)]
            if found:
                yield " and ".join(found)
        claims = (
            f"{zone.name}.count is {state.program.zones.count(state.image, state.program.zones.base[zone])}"
            for zone in checked.zones
            if zone.key is None
        )
        yield from _filled((claim for claim in claims if self._holds(state, claim)), " and ")

    def _of_seat(self, state: State, seat: str, name: str) -> Iterator[str]:
        number = state.seats.index(seat) + 1
        for unit, purse in zip(state.program.game.units, state.program.purses, strict=True):
            symbol, count = unit.symbol, purse.of(state.image, number)
            written = in_words(count, unit.type)
            if isinstance(symbol, g.ResourceSymbol) and symbol.kinds is not None and unit.member is not None:
                if count:
                    member = symbol.kinds.members[unit.member - 1][0]
                    yield f"{name}.{symbol.plural or symbol.name}({member}) is {written}"
            else:
                yield f"{name}.{symbol.plural or symbol.name} is {written}"
        for zone in state.game.checked.zones:
            if isinstance(zone.key, PlayerType):
                place = state.program.zones.base[zone] + number - 1
                yield f"{name}.{zone.name}.count is {state.program.zones.count(state.image, place)}"

    def _holds(self, state: State, claim: str) -> bool:
        """Whether a claim can be made, and is true; with the seats by their own names."""
        own = claim
        for seat, name in self.names.items():
            if own.startswith(f"{name}."):
                own = f"players.at({list(self.names).index(seat) + 1}){own.removeprefix(name)}"
        try:
            return self.evaluator.evaluate(state, own).value == "yes"
        except Unanswerable:
            return False


def _option_read(symbol: g.OptionSymbol) -> Any:
    from regelwerk.dsl.model.expressions import OptionRead

    return OptionRead(symbol.type, symbol.span, symbol)


def parse_name(name: str) -> object | None:
    """The name as an expression; None if it is none (a word of the language)."""
    diagnostics = Diagnostics()
    found = parse_expression(name, "name", diagnostics)
    return None if diagnostics.failed else found


def _quoted(text: str) -> str:
    escaped = text.replace("{", "{{").replace("}", "}}").replace('"', "")
    return f'"{escaped}"'


def _matches(asked: Any, text: str, kind: Type, value: Any) -> bool:
    node = parse_expression(text, "outcome", Diagnostics())
    try:
        return node is not None and bool(asked.pattern(node, strip(kind))(value))
    except (Failed, UsageError):
        return False


__all__ = ["NotRecordable", "Recorded", "record"]
