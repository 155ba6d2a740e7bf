"""The host interface: load a game, play it, look at it, save it.

    import regelwerk

    game = regelwerk.load("my_game.rules")
    state = game.new(players=2, seed=7)
    while (decision := state.decision) is not None:
        state.step(decision.options[0])
    print(state.outcome)

A `State` is its bytes: `clone` copies them, `save` gives them, two states are equal if their bytes are. Nothing here
reads a clock or a global generator: the same rules, options, seed and decisions give the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from regelwerk.dsl.diagnostics import Diagnostic, RulesError
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import BoolType, EnumType, IntType, PlayerType, ThingType, Type, strip
from regelwerk.dsl.source import Source, Span
from regelwerk.interpreter import decisions as de
from regelwerk.interpreter import ir, machine, outcomes
from regelwerk.interpreter import layout as la
from regelwerk.interpreter.answers import (
    ChanceRequest,
    Decision,
    NotAnOption,
    Option,
    OptionInfo,
    Outcome,
    Refusal,
    ScoreLine,
    Status,
    UsageError,
)
from regelwerk.interpreter.backends import BACKENDS, Backend, Machine, agree, machine_for
from regelwerk.interpreter.coverage import Coverage
from regelwerk.interpreter.events import Event, chances, describe
from regelwerk.interpreter.explaining.reasons import Explanation, Points
from regelwerk.interpreter.faults import Addresses, Fault
from regelwerk.interpreter.layout import Image
from regelwerk.interpreter.loading import load_game
from regelwerk.interpreter.program import Program
from regelwerk.interpreter.replays import Replay
from regelwerk.interpreter.views import View, make_view


@dataclass
class Game:
    """A checked game. `diagnostics` holds its warnings and notes, `backend` says what runs its states."""

    checked: g.CheckedGame
    diagnostics: tuple[Diagnostic, ...]
    sources: Mapping[str, Source]
    backend: Backend = "auto"
    coverage: Coverage | None = None
    """Counts what runs in all games that are set up from now on; see `regelwerk.interpreter.coverage`."""
    _programs: dict[tuple[Any, ...], Program] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        """The addresses are read from the sources."""
        self._addresses = Addresses(self.sources)

    def address(self, span: Span | None) -> str:
        """The address of the clause that a place lies in, as `take_card.afford`; empty if there is none."""
        return self._addresses.at(span)

    @property
    def name(self) -> str:
        """The name in the file."""
        return self.checked.name

    @property
    def title(self) -> str:
        """The printed title."""
        return self.checked.title

    @property
    def players(self) -> range:
        """The numbers of players the game can be played by."""
        return range(self.checked.players[0], self.checked.players[1] + 1)

    @property
    def seats(self) -> tuple[str, ...]:
        """The default names of the seats, for the most players."""
        return self.checked.seats[: self.checked.players[1]]

    @property
    def hash(self) -> str:
        """A name for the text of the rules: 16 hexadecimal digits."""
        return self.checked.source_hash

    @property
    def options(self) -> tuple[OptionInfo, ...]:
        """The parameters of the game. The values of player options are `1`, `2` ... or names of seats."""
        found = []
        for symbol in self.checked.options:
            default = None
            if symbol.default is not None:
                program = self.program(self.checked.players[0], None, {})
                default = program.texts.id(program.fixed_options[symbol], symbol.type)
            found.append(
                OptionInfo(
                    symbol.name,
                    symbol.question or symbol.name.replace("_", " ") + "?",
                    tuple(self._option_values(symbol.type)),
                    default,
                )
            )
        return tuple(found)

    def _option_values(self, kind: Type) -> list[str]:
        kind = strip(kind)
        if isinstance(kind, BoolType):
            return ["yes", "no"]
        if isinstance(kind, IntType):
            return [str(value) for value in range(kind.lowest, min(kind.highest, kind.lowest + 200) + 1)]
        if isinstance(kind, EnumType):
            numbers = range(kind.symbol.numbers[0], kind.symbol.numbers[1] + 1) if kind.symbol.numbers else range(0)
            return [str(n) for n in numbers] + [member[0] for member in kind.symbol.members]
        if isinstance(kind, PlayerType):
            return list(self.seats[: self.checked.players[1]])
        if isinstance(kind, ThingType):
            return [row.name for row in kind.symbol.rows]
        return []

    def option_value(self, name: str, text: str, seats: Sequence[str]) -> Any:
        """The run-time value of an option that is written as text; `UsageError` if there is none."""
        symbol = next((each for each in self.checked.options if each.name == name), None)
        if symbol is None:
            known = ", ".join(each.name for each in self.checked.options) or "none"
            raise UsageError(f"the game has no option `{name}` (it has: {known})")
        kind = strip(symbol.type)
        if isinstance(kind, PlayerType):
            if text in seats:
                return list(seats).index(text) + 1
            if text.isdecimal() and 1 <= int(text) <= len(seats):
                return int(text)
            raise UsageError(f"option `{name}`: `{text}` is no seat (seats: {', '.join(seats)})")
        values = self._option_values(kind)
        if text not in values:
            raise UsageError(f"option `{name}`: `{text}` is not possible (possible: {', '.join(values[:20])})")
        if isinstance(kind, BoolType):
            return int(text == "yes")
        if isinstance(kind, EnumType):
            found = kind.symbol.index(text)
            return int(text) if found is None else found
        if isinstance(kind, ThingType):
            return values.index(text) + 1
        return int(text)

    def program(self, players: int, seats: Sequence[str] | None, options: Mapping[str, Any]) -> Program:
        """The compiled program for a configuration, made once. `options` hold run-time values."""
        names = tuple(seats) if seats is not None else self.checked.seats[:players]
        key = (players, names, tuple(sorted(options.items())), self.coverage)
        if key not in self._programs:
            try:
                program = Program(self.checked, players, names, options, coverage=self.coverage)
                program.start_image(0)
                self._programs[key] = program
            except Fault as fault:
                raise RulesError([Diagnostic("E1201", "error", fault.message, fault.span)], self.sources) from fault
        return self._programs[key]

    def set_up(self, players: int, options: Mapping[str, str]) -> None:
        """Prepare games of so many players. Raises `RulesError` if their start values do not fit each other."""
        names = self.seats[:players]
        self.program(players, names, {name: self.option_value(name, text, names) for name, text in options.items()})

    def new(
        self,
        players: int | None = None,
        seed: int = 0,
        options: Mapping[str, str] | None = None,
        seats: Sequence[str] | None = None,
        explicit_chance: bool = False,
        backend: Backend | None = None,
    ) -> State:
        """A new game, run to its first decision.

        players          how many (default: the fewest)
        seed             any integer
        options          parameters by name, as texts
        seats            the players' names in seat order (default: those of the file)
        explicit_chance  nature does not answer by itself: `state.status` is then "chance" where it has to decide
        backend          what runs it: "auto", "reference" or "wasm" (default: `self.backend`)

        Raises `UsageError` for a number of players, seats or options the game does not have, and for the backend "wasm"
        where it cannot be.
        """
        count = players if players is not None else len(seats) if seats is not None else self.players[0]
        if count not in self.players:
            raise UsageError(f"{self.title} is for {_range(self.players)} players, not for {count}")
        names = tuple(seats) if seats is not None else self.seats[:count]
        if len(names) != count or len(set(names)) != count:
            raise UsageError(f"{count} players need as many different names")
        values = {name: self.option_value(name, text, names) for name, text in (options or {}).items()}
        program = self.program(count, names, values)
        image = program.start_image(seed)
        image.w[la.EXPLICIT] = int(explicit_chance)
        state = State(self, program, image, seed, dict(options or {}), backend)
        state._guarded(lambda runs, m: runs.begin(m))
        return state

    def restore(self, data: bytes, backend: Backend | None = None) -> State:
        """A state from what `State.save` gave, on any backend; `UsageError` if it is of other rules or damaged."""
        from regelwerk.interpreter.saves import unpack

        return unpack(self, data, backend)

    def replay(self, text: str, backend: Backend | None = None) -> State:
        """The state at the end of a replay's text. Raises `ReplayError` naming the step that no longer fits."""
        state = Replay.parse(text).run(self, backend)
        state.image.w[la.EXPLICIT] = 0  # from here on the generator answers again
        return state


def split_id(answer: str) -> list[str]:
    """The words of an option's id; a set in square brackets is one word."""
    words: list[str] = []
    depth = 0
    for word in answer.split(" "):
        if depth:
            words[-1] += " " + word
        else:
            words.append(word)
        depth += word.count("[") - word.count("]")
    return words


def _range(players: range) -> str:
    first, last = players[0], players[-1]
    return str(first) if first == last else f"{first} to {last}"


class State:
    """A running game."""

    __slots__ = (
        "_decision",
        "_image",
        "_machine",
        "_options",
        "_program",
        "chosen_options",
        "fault",
        "game",
        "happened",
        "log",
        "recording",
        "restored",
        "revealed",
        "seed",
    )

    def __init__(
        self,
        game: Game,
        program: Program,
        image: Image,
        seed: int,
        options: dict[str, str],
        backend: Backend | None = None,
    ) -> None:
        self.game = game
        self._program = program
        self._image = image
        self._machine: Machine = machine_for(program, backend or game.backend)
        self.seed = seed
        self.chosen_options = options
        self._options: list[de.Raw] | None = None
        self._decision: Decision | None = None
        self.fault: Fault | None = None
        self.log: tuple[Event, ...] = ()
        self.happened: list[tuple[Any, ...]] = []
        self.revealed = False
        self.recording: list[tuple[str, ...]] = []
        self.restored = False

    # ------------------------------------------------------------------------------------------------------- looking
    @property
    def program(self) -> Program:
        """The compiled program (for tools that look deeper than this interface)."""
        return self._program

    @property
    def image(self) -> Image:
        """The bytes of the state, with views by width (for tools; changing them is at your own risk)."""
        return self._image

    @property
    def backend(self) -> Backend:
        """What runs it, as it was asked for."""
        return next(name for name in BACKENDS if self._program.machines.get(name) is self._machine)

    @property
    def seats(self) -> tuple[str, ...]:
        """The players' names in seat order."""
        return self._program.seats

    @property
    def status(self) -> Status:
        """Whether a player has to decide, nature has to, the game is over, or a fault stopped it."""
        if self.fault is not None:
            return "fault"
        return {la.DECISION: "decision", la.CHANCE: "chance", la.OVER: "over"}.get(self._image.w[la.STATUS], "fault")  # type: ignore[return-value]  # the literals

    @property
    def actor(self) -> str | None:
        """Who has to decide; of several who decide together, the first in seat order."""
        return self.seats[self._image.w[la.ACTOR] - 1] if self.status == "decision" else None

    @property
    def actors(self) -> tuple[str, ...]:
        """Everybody who has to decide now. They are several while players decide together; they may answer in any
        order, by `step(answer, seat)`."""
        if self.status != "decision":
            return ()
        return tuple(self.seats[each - 1] for each in machine.asked(self._program, self._image))

    @property
    def active(self) -> str | None:
        """The player on turn."""
        active = self._image.w[la.ACTIVE]
        return self.seats[active - 1] if active else None

    @property
    def phase(self) -> str:
        """The address of the innermost phase that runs, or an empty text."""
        paths = [a.proc.proc.name for a in machine.load_frames(self._program, self._image)]
        known = {p.path for p in _all_phases(self.game.checked.phases)}
        running = [path for path in paths if path in known]
        return running[-1] if running else ""

    @property
    def decisions(self) -> int:
        """How many decisions have been made."""
        return self._image.w[la.DECISIONS]

    @property
    def raw_options(self) -> list[de.Raw]:
        """The options as the machine sees them: (way, values). Fast; `decision` describes them."""
        if self.status != "decision":
            return []
        if self._options is None:
            self._options = self.raw_options_of(0)
        return self._options or []

    def raw_options_of(self, seat: int) -> list[de.Raw]:
        """The raw options of a seat (its number from 1; 0: the actor) that has to decide now."""
        if self._options is not None and seat in (0, self._image.w[la.ACTOR]):
            return self._options
        if not seat:
            return self._machine.options(self._image) or []
        site, env = machine.pending(self._program, self._image, seat)
        return site.options(self._image, env)

    @property
    def answered_in_part(self) -> bool:
        """Whether the actor has answered some stages of his decision, and not yet the last."""
        if self.status != "decision":
            return False
        site, env = machine.pending(self._program, self._image)
        return site.said is not None and bool(site.said(env))

    @property
    def decision(self) -> Decision | None:
        """What is to be decided, or None."""
        if self.status != "decision":
            return None
        if self._decision is None:
            from regelwerk.interpreter.describing import describe_decision

            self._decision = describe_decision(self)
        return self._decision

    def decision_of(self, seat: str) -> Decision | None:
        """What a seat has to decide now, or None."""
        if seat == self.actor:
            return self.decision
        number = self._seat(seat)
        if seat not in self.actors:
            return None
        from regelwerk.interpreter.describing import describe_decision

        return describe_decision(self, number)

    @property
    def chance(self) -> ChanceRequest | None:
        """What nature has to decide, or None."""
        if self.status != "chance":
            return None
        event, request, _ = machine.pending_chance(self._program, self._image)
        texts = self._program.texts
        return ChanceRequest(event.what, tuple(tuple(texts.id(v, event.kind) for v in each) for each in request))

    def view(self, seat: str | None = None) -> View:
        """What a seat sees (None: an onlooker)."""
        return make_view(self._program, self._image, self._seat(seat) if seat is not None else 0)

    def _seat(self, name: str) -> int:
        if name not in self.seats:
            raise UsageError(f"there is no seat `{name}` (seats: {', '.join(self.seats)})")
        return self.seats.index(name) + 1

    def refusals(self, seat: str | None = None) -> tuple[Refusal, ...]:
        """Why actions of the present offer, or some of their parameters, are not available now to the actor (or to
        another seat that decides now)."""
        from regelwerk.interpreter.describing import refused_now

        self._image.work = la.WORK
        return refused_now(self, self._asked(seat))

    def why_not(self, action: str, *values: str, seat: str | None = None) -> tuple[Refusal, ...]:
        """Every reason why the present actor (or another seat that decides now) cannot take an action with these
        parameters (stable ids); empty if he can."""
        from regelwerk.interpreter.describing import why_not

        self._image.work = la.WORK
        return why_not(self, action, values, self._asked(seat))

    def explain(self, action: str, *values: str, seat: str | None = None, everything: bool = False) -> Explanation:
        """Why the present actor (or another seat) can or cannot take an action: the tree of all clauses that have a
        say, with the values of their parts, and the nearest change that would make it possible.

        values      of the parameters, as ids or as they are printed; of those that are not said, the nearest
        seat        for whom; he need not decide now
        everything  show also what the seat may not know
        """
        from regelwerk.interpreter.explaining.actions import explain

        return explain(self, action, values, self._seat(seat) if seat is not None else 0, everything)

    def explain_score(self, seat: str | None = None, everything: bool = False) -> tuple[Points, ...]:
        """Every point of a seat (None: of all seats): what was gained and lost so far, when and by which clause, and
        what the lines of the scores come to. It is found by playing the record of this state again."""
        from regelwerk.interpreter.explaining.points import explain_score

        return explain_score(self, self.seats if seat is None else (self.seats[self._seat(seat) - 1],), everything)

    def _asked(self, seat: str | None) -> int:
        """The number of a seat that has to decide now; 0 stands for the actor."""
        if seat is None or seat == self.actor:
            return 0
        number = self._seat(seat)
        if seat not in self.actors:
            raise NotAnOption(f"{seat} has nothing to decide now")
        return number

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it runs."""
        return outcomes.make_outcome(self) if self.status == "over" else None

    def violated_invariants(self) -> tuple[str, ...]:
        """The invariants of the rules that do not hold now."""
        self._image.work = la.WORK  # each question of the host may look at as much as a decision
        return tuple(
            symbol.name for symbol, test, size in self._program.invariants if not test(self._image, [0] * size)
        )

    # -------------------------------------------------------------------------------------------------------- going on
    def step(self, answer: Option | int | str, seat: str | None = None) -> tuple[Event, ...]:
        """Answer the pending decision with an option, its index, or its id; gives what happened. A decision that is
        asked in stages can be answered with the id of the whole as well: `trade [2 0 0] [0 1 0]`. `seat` says whose
        answer it is, if it is not that of `actor`: players who decide together may answer in any order.

        Raises `NotAnOption` (the state is untouched) or `Fault` (the game is stopped).
        """
        number = self._asked(seat)
        raw, text = self._resolve(answer, number)
        self.recording.append((seat or self.actor or "", text))
        return self._guarded(lambda runs, m: runs.resume(m, raw, number))

    def step_raw(self, raw: de.Raw) -> None:
        """Answer with an element of `raw_options`, without describing what happens; for bots and simulation."""
        if self.fault is not None:
            raise self.fault
        try:
            self._options = self._machine.resume(self._image, raw)
        except Fault as fault:
            self.stopped_by(fault)
            raise
        self._decision = None

    def answer_chance(self, outcome: Sequence[str | int] | None) -> tuple[Event, ...]:
        """Answer for nature (None: by the generator). Raises `NotAnOption` for an outcome that cannot be."""
        if self.status != "chance":
            raise NotAnOption("nature has nothing to decide now")
        found: list[int] | None = None
        if outcome is not None:
            event, request, _ = machine.pending_chance(self._program, self._image)
            texts = self._program.texts
            found = []
            for position, value in enumerate(outcome):
                candidates = request[position] if position < len(request) else []
                match = next(
                    (
                        k
                        for k in candidates
                        if texts.id(k, event.kind) == str(value) or texts.id(k, event.kind).split(".")[0] == str(value)
                    ),
                    None,
                )
                if match is None:
                    raise NotAnOption(f"`{value}` is not possible for the {event.what}")
                found.append(match)
            if not event.accepts(request, found):
                raise NotAnOption(f"the {event.what} needs {len(request)} values")
        return self._guarded(lambda _, m: machine.resume_chance(self._program, m, found), False)

    def _resolve(self, answer: Option | int | str, seat: int = 0) -> tuple[de.Raw, str]:
        if self.status != "decision":
            raise NotAnOption("nothing is to be decided now")
        options = self.raw_options_of(seat) if seat else self.raw_options
        from regelwerk.interpreter.describing import option_id, whole_option

        if isinstance(answer, Option):
            answer = answer.index
        if isinstance(answer, int):
            if not 0 <= answer < len(options):
                raise NotAnOption(f"there are {len(options)} options, and no number {answer}")
            return options[answer], option_id(self, options[answer], seat)
        for raw in options:
            if option_id(self, raw, seat) == answer:
                return raw, answer
        whole = whole_option(self, split_id(answer), seat)
        if whole is not None:
            return whole, answer
        raise NotAnOption(f"`{answer}` is not an option now", self._reasons(answer, seat))

    def _reasons(self, answer: str, seat: int) -> tuple[Refusal, ...]:
        """Why an answer that names an action is refused."""
        name, *values = split_id(answer)
        try:
            return self.why_not(name, *values, seat=self.seats[seat - 1] if seat else None)
        except UsageError:
            return ()

    def _guarded(
        self, work: Callable[[Machine, Image], list[de.Raw] | None], compared: bool = True
    ) -> tuple[Event, ...]:
        """Do something with a log, on the reference interpreter. If the module was asked for it does the same, unless
        it is not `compared`."""
        if self.fault is not None:
            raise self.fault
        image = self._image
        native = self._program.machines.get("wasm") if compared else None
        before = image.copy() if native is self._machine else None
        image.log = []
        try:
            self._options = work(machine_for(self._program, "reference"), image)
        except Fault as fault:
            self.stopped_by(fault)
            if before is not None:
                agree(self._machine, before, work, image, fault)
            raise
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            if not self.restored:
                raise
            damaged = Fault("range", "the saved game that this state comes from is damaged")
            self.stopped_by(damaged)
            raise damaged from error
        finally:
            log, image.log, image.memo = image.log, None, None
            self._decision = None
        if before is not None:
            agree(self._machine, before, work, image, None)
        self.happened = log
        events = describe(self._program, image, log)
        self.revealed = any(each.reveals for each in events)
        self.recording += [("~", *each.chance) for each in events if each.chance]
        self.log = events
        return events

    def stopped_by(self, fault: Fault) -> None:
        """Stop the game, and say where the fault happened. What chance brought before it is recorded."""
        self.fault = fault
        self._image.w[la.STATUS] = la.FAULTED
        fault.rule = self.game.address(fault.span)
        fault.seed, fault.seats, fault.options = self.seed, self.seats, self.chosen_options
        fault.decisions = self._image.w[la.DECISIONS]
        self.recording += [("~", *ids) for ids in chances(self._program, self._image.log)]

    # ---------------------------------------------------------------------------------------------- keeping and copying
    def clone(self) -> State:
        """An independent copy."""
        copy = State.__new__(State)
        copy.game = self.game
        copy._program = self._program
        copy._image = self._image.copy()
        copy._machine = self._machine
        copy.seed = self.seed
        copy.chosen_options = self.chosen_options
        copy._options = self._options
        copy._decision = None
        copy.fault = self.fault
        copy.log = ()
        copy.happened = []
        copy.revealed = False
        copy.recording = self.recording[:]
        copy.restored = self.restored
        return copy

    def save(self) -> bytes:
        """The state as bytes, with what is needed to restore it."""
        from regelwerk.interpreter.saves import pack

        return pack(self)

    def replay(self) -> Replay:
        """What was decided so far, as a replay."""
        return Replay.of(self)

    def __eq__(self, other: object) -> bool:
        """States are equal if their rules, configuration and bytes are."""
        return isinstance(other, State) and self._program is other._program and self._image.b == other._image.b

    __hash__ = None  # type: ignore[assignment]  # states change


def _all_phases(phases: Sequence[g.PhaseSymbol]) -> list[g.PhaseSymbol]:
    return [each for phase in phases for each in (phase, *_all_phases(phase.phases))]


def load(rules: str | Path | Source, backend: Backend = "auto") -> Game:
    """Load and check a game: a path, the name of a shipped game, or a `Source` with its text.

    backend   what runs its states, unless `Game.new` says otherwise: "reference" (the interpreter), "wasm" (the
              compiled module), or "auto" (the module if it can be used and pays)

    Raises `RulesError`, which carries every diagnostic, if the file cannot be read or has errors.
    """
    checked = load_game(rules)
    assert checked.game is not None
    return Game(checked.game, checked.diagnostics, checked.sources, backend)


__all__ = [
    "ChanceRequest",
    "Decision",
    "Event",
    "Explanation",
    "Fault",
    "Game",
    "NotAnOption",
    "Option",
    "OptionInfo",
    "Outcome",
    "Points",
    "Refusal",
    "Replay",
    "ScoreLine",
    "State",
    "UsageError",
    "View",
    "ir",
    "load",
]
