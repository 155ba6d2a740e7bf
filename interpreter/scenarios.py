"""Running scenarios: given, play, then.

Each scenario gets a program of its own (its seats, its options, its pinned values), in which its `given` blocks and the
parts it plays are procs. Nature answers as `chance` says; what is not said comes from the generator with seed 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from regelwerk.dsl.checker import coercion as co
from regelwerk.dsl.checker.context import Context, Scope
from regelwerk.dsl.checker.expressions import check
from regelwerk.dsl.diagnostics import Diagnostics
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import scenarios as s
from regelwerk.dsl.model.types import (
    IntType,
    ListType,
    RowType,
    SetType,
    ThingType,
    Type,
    UnknownType,
    fits,
    member_of,
    strip,
)
from regelwerk.dsl.source import Span
from regelwerk.dsl.syntax import expressions as e
from regelwerk.dsl.syntax.base import Expression
from regelwerk.interpreter import decisions as de
from regelwerk.interpreter import ir, machine, outcomes
from regelwerk.interpreter import layout as la
from regelwerk.interpreter.answers import UsageError
from regelwerk.interpreter.api import Game, State
from regelwerk.interpreter.backends import Backend, Machine, agree, compiled, machine_for
from regelwerk.interpreter.coverage import Coverage
from regelwerk.interpreter.decisions import DONE, PASS, STAGE, Raw
from regelwerk.interpreter.describing import asked_type, combinations, describe_decision, describe_option, parameters_of
from regelwerk.interpreter.evaluation.base import Closure, Compiler, Locals, compiles, members
from regelwerk.interpreter.evaluation.roles import decode
from regelwerk.interpreter.faults import Fault
from regelwerk.interpreter.frames import forget_frames
from regelwerk.interpreter.layout import Image
from regelwerk.interpreter.lines_of_play import whole_options
from regelwerk.interpreter.loading import Checked
from regelwerk.interpreter.lowering import Lowering
from regelwerk.interpreter.ordering import OrderSite
from regelwerk.interpreter.program import Program
from regelwerk.interpreter.reach import reachable
from regelwerk.interpreter.staging import ENOUGH


@dataclass(frozen=True)
class ScenarioResult:
    """How one scenario came out. `message` says what was wrong, `span` where, `detail` what was seen instead; `fault`
    is what stopped the game, if it was that; `reference_only` says why the module did not play it too."""

    name: str
    title: str
    passed: bool
    message: str = ""
    span: Span | None = None
    detail: tuple[str, ...] = ()
    fault: Fault | None = None
    reference_only: str = ""


class Failed(Exception):
    """A step of a scenario that did not come out as stated."""

    def __init__(self, message: str, span: Span, detail: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.message, self.span, self.detail = message, span, detail


def run_scenarios(
    checked: Checked, only: str | None = None, backend: Backend = "auto", coverage: Coverage | None = None
) -> Iterator[ScenarioResult]:
    """Run the scenarios of a checked file, in order. The reference interpreter runs them; with the backend "wasm" the
    module makes the steps of what they play too, and both must agree. `coverage` counts what they run."""
    if checked.game is None:
        return  # libraries alone
    assert checked.checker is not None
    for scenario in checked.checker.checked_scenarios:
        if only is None or scenario.name == only:
            yield run_scenario(checked, scenario, backend, coverage)


def run_scenario(
    checked: Checked, scenario: s.CheckedScenario, backend: Backend = "auto", coverage: Coverage | None = None
) -> ScenarioResult:
    """Run one scenario."""
    run, name, title = Run(checked, scenario, backend, coverage), scenario.name, scenario.title
    try:
        run.run()
    except Failed as failed:
        return ScenarioResult(name, title, False, failed.message, failed.span, failed.detail)
    except Fault as fault:
        fault.rule = fault.rule or run.game.address(fault.span)
        message = f"the game stopped: {fault.message} (fault `{fault.code}`)"
        return ScenarioResult(name, title, False, message, fault.span or scenario.span, (), fault)
    return ScenarioResult(name, title, True, reference_only=run.reference_only)


class Run:
    """One run of one scenario."""

    def __init__(
        self,
        checked: Checked,
        scenario: s.CheckedScenario,
        backend: Backend = "auto",
        coverage: Coverage | None = None,
    ) -> None:
        assert checked.game is not None
        assert checked.checker is not None
        self.scenario = scenario
        self.context: Context = checked.checker.c
        self.procs: dict[s.Step, ir.Proc] = {}
        options = self._options(checked.game)
        seats, pinned = scenario.seats, scenario.pinned
        self.program = Program(checked.game, len(seats), seats, options, self._lower, pinned, coverage, lazily=True)
        self.program.run = self
        played = [proc for step, proc in self.procs.items() if not isinstance(step, s.GivenStep)]
        self.program.reference_only = set(self.program.lowering.procs) - reachable(played + self.program.end_procs)
        self.image = self.program.start_image(0)
        self.image.w[la.EXPLICIT] = 1
        self.game = Game(checked.game, checked.diagnostics, checked.sources)
        self.state = State(self.game, self.program, self.image, 0, {}, "reference")
        self.native: Machine | None = None
        self.reference_only = ""
        if backend == "wasm":
            try:
                self.native = compiled(self.program)
            except UsageError as error:
                self.reference_only = str(error)
        self.cursor: list[s.Step] = []
        self.seat = 0
        self.lines: dict[bytes, tuple[Image, ...]] = {}
        self.failure = Failed

    def _options(self, game: g.CheckedGame) -> dict[str, Any]:
        if not self.scenario.options:
            return {}
        probe = Program(game, len(self.scenario.seats), self.scenario.seats, {})
        return {name: probe.compiler.static(value) for name, value in self.scenario.options.items()}

    def _lower(self, lowering: Lowering) -> None:
        self.options_proc = lowering.options()
        for step in self.scenario.steps:
            if isinstance(step, s.GivenStep):
                self.procs[step] = lowering.statements(f"given of {self.scenario.name}", step.frame, step.body, step)
            elif isinstance(step, s.PlayStep):
                self.procs[step] = self._target(lowering, step)

    def _target(self, lowering: Lowering, step: s.PlayStep) -> ir.Proc:
        if isinstance(step.target, g.PhaseSymbol):
            return lowering.phase_from(step.target) if step.player else lowering.phase(step.target)
        if isinstance(step.target, g.StepSymbol):
            return lowering.step(step.target)
        return lowering.effect(step.target)

    # ------------------------------------------------------------------------------------------------------- running
    def run(self) -> None:
        """All steps in order; raises `Failed` at the first that does not hold."""
        if self.program.option_cells:
            self._undisturbed(self.options_proc)
        for step in self.scenario.steps:
            if isinstance(step, s.GivenStep):
                self._given(step)
            elif isinstance(step, s.PlayStep):
                self._play(step)
            else:
                self._claim(step)

    def _given(self, step: s.GivenStep) -> None:
        program, m = self.program, self.image
        program.laws_sleep = program.rules_sleep = True
        try:
            self._undisturbed(self.procs[step])
            if m.w[la.STATUS] == la.DECISION:
                raise Failed("`given` cannot contain a decision", step.span)
        finally:
            program.laws_sleep = program.rules_sleep = False
        m.w[la.AS_ONE] = la.UNSETTLED

    def _undisturbed(self, proc: ir.Proc) -> None:
        """Run what no scene can answer: the generator decides."""
        self._start(proc, [0], False)
        while self.image.w[la.STATUS] == la.CHANCE:
            machine.resume_chance(self.program, self.image, None)

    def _start(self, proc: ir.Proc, arguments: list[Any], compared: bool = True) -> None:
        m = self.image
        m.w[la.STATUS] = la.RUNNING
        forget_frames(self.program, m)
        m.w[la.AS_ONE] &= la.UNSETTLED
        self._go_on(lambda runs, image: runs.begin(image, proc.number, arguments), compared)

    def _go_on(self, work: Callable[[Machine, Image], list[Raw] | None], compared: bool = True) -> None:
        """Run on the reference interpreter, and in the module if it is there."""
        before = self.image.copy() if self.native is not None and compared else None
        stopped: Fault | None = None
        try:
            self._options_cache(work(machine_for(self.program, "reference"), self.image))
        except Fault as fault:
            stopped = fault
            raise
        finally:
            if self.native is not None and before is not None:
                agree(self.native, before, work, self.image, stopped)

    def _options_cache(self, options: list[Raw] | None) -> None:
        self.state._options = options
        self.state._decision = None

    def _play(self, step: s.PlayStep) -> None:
        m = self.image
        if m.w[la.STATUS] == la.OVER:
            raise Failed("the game is over, nothing can be played any more", step.span)
        arguments: list[Any] = [step.player]
        if isinstance(step.target, g.PhaseSymbol):
            arguments += [0] * len(step.target.inherited)  # it speaks of none of them
        if isinstance(step.target, g.EffectSymbol):
            size = 2 * len(step.frame.types) + 2
            arguments += [self.program.compiler.expr(each)(m, [0] * size) for each in step.arguments]
        if step.player:
            m.w[la.ACTIVE] = step.player
        self.cursor = list(step.steps)
        self._start(self.procs[step], arguments)
        self._nature()
        while self.cursor:
            current = self.cursor.pop(0)
            if isinstance(current, s.AnswerStep):
                self._answer(current)
                self._nature()
            elif isinstance(current, s.ChanceStep):
                if self.image.w[la.STATUS] != la.CHANCE:
                    raise Failed("nature has nothing to decide here", current.span, self._situation())
                self.cursor.insert(0, current)
                self._nature()
            else:
                self._claim(current)

    def _nature(self) -> None:
        """Let nature answer as the next steps say; claims before the next `chance` are made before nature answers."""
        program, m = self.program, self.image
        while m.w[la.STATUS] == la.CHANCE:
            upcoming = next((step for step in self.cursor if not isinstance(step, s.ClaimStep | s.CanStep)), None)
            if isinstance(upcoming, s.ChanceStep) and self.cursor[0] is not upcoming:
                return
            event, request, _ = machine.pending_chance(program, m)
            outcome = None
            if self.cursor and isinstance(self.cursor[0], s.ChanceStep):
                step = self.cursor.pop(0)
                assert isinstance(step, s.ChanceStep)
                outcome = []
                for position, node in enumerate(step.values):
                    candidates = request[position] if position < len(request) else []
                    pattern = self.pattern(node, strip(event.kind))
                    match = next(
                        (
                            k
                            for k in candidates
                            if pattern(k) and (k not in outcome or isinstance(strip(event.kind), IntType))
                        ),
                        None,
                    )
                    if match is None:
                        raise Failed(f"this is not possible for the {event.what}", node.span)
                    outcome.append(match)
                if not event.accepts(request, outcome):
                    raise Failed(
                        f"the {event.what} needs {len(request)} values, and here are {len(outcome)}", step.span
                    )
            self._options_cache(machine.resume_chance(program, m, outcome))

    # ------------------------------------------------------------------------------------------------------- answers
    def _site(self, seat: int = 0) -> tuple[de.Site, Locals]:
        return machine.pending(self.program, self.image, seat)

    def _situation(self, seat: int = 0) -> tuple[str, ...]:
        m = self.image
        if m.w[la.STATUS] == la.OVER:
            return ("the game is over",)
        if m.w[la.STATUS] != la.DECISION:
            return ("nobody has anything to decide",)
        decision = describe_decision(self.state, seat)
        shown = [option.id for option in decision.options[:12]]
        more = f" and {len(decision.options) - 12} more" if len(decision.options) > 12 else ""
        return (f"{decision.actor} decides: {decision.text}", f"options: {', '.join(shown)}{more}")

    def _answer(self, step: s.AnswerStep) -> None:
        program, m = self.program, self.image
        if m.w[la.STATUS] != la.DECISION:
            raise Failed(f"{program.seats[step.player - 1]} has nothing to decide here", step.span, self._situation())
        if step.player not in machine.asked(program, m):
            raise Failed(
                f"{program.seats[m.w[la.ACTOR] - 1]} decides here, not {program.seats[step.player - 1]}",
                step.span,
                self._situation(),
            )
        self.seat = step.player
        site, env = self._site(step.player)
        raw = self.find(site, env, step.answer)
        self.seat = 0
        if raw is None:
            raise Failed("this is not an option here", step.answer.span, self._situation(step.player))
        self._go_on(lambda runs, image: runs.resume(image, raw, step.player))

    def find(self, site: de.Site, env: Locals, answer: Expression) -> Raw | None:
        """The first option that an answer describes: of those that are asked, or with all its parameters."""
        asked = site.options(self.image, env)
        found = next((raw for raw in asked if self.describes(site, env, answer, raw)), None)
        if found is None and site.said is not None and not site.said(env):
            found = next((raw for raw in site.whole(self.image, env) if self.describes(site, env, answer, raw)), None)
        return found

    def describes(self, site: de.Site, env: Locals, answer: Expression, raw: Raw) -> bool:
        """Whether an answer describes an option."""
        way, values = raw
        if isinstance(answer, e.TextLiteral):
            option = describe_option(self.state, raw, self.seat)
            wanted = answer.text.raw.replace("{{", "{").replace("}}", "}")
            return wanted in (option.text, option.id)
        if isinstance(answer, e.BoolLiteral) and not answer.value:
            return way in (PASS, DONE)
        if isinstance(answer, e.BoolLiteral) and isinstance(site.end, ir.AlternativesEnd):
            return way == 0 and len(site.end.ways) == 1
        name = answer.name.text if isinstance(answer, e.Name) else None
        leaves = name in ("pass", "done") and isinstance(answer, e.Name) and answer.arguments is None
        if leaves and (way < 0 or name not in self.context.actions):
            return way == (PASS if name == "pass" else DONE)
        if way == STAGE:
            kind = asked_type(self.state, site, env, raw)
            if values[0] == ENOUGH:
                return name == "enough"
            try:
                return kind is not None and bool(self.pattern(answer, kind, False)(values[0]))
            except Failed:  # it is the whole answer, not that of this stage
                return False
        if way < 0 or (not values and site.stage(self.image, env, raw) is not None):
            opens = isinstance(answer, e.Name) and not answer.arguments  # an action whose parameters are asked next
            return way >= 0 and opens and site.actions[way].action.name == name
        if isinstance(site, OrderSite):
            row = site.roles[decode(way)[0]].row
            return row is not None and row.name == name
        kinds = [kind for _, kind in parameters_of(site, raw)]
        if (
            isinstance(site.end, ir.OfferEnd | ir.SealEnd)
            and isinstance(answer, e.Name)
            and name in self.context.actions
        ):
            action = site.end.offer.actions[way]
            arguments = [a.value for a in answer.arguments or ()]
            return action.name == name and len(arguments) == len(values) and self._all(arguments, values, kinds)
        if isinstance(answer, e.ListLiteral) and len(values) != 1:
            return len(answer.items) == len(values) and self._all(list(answer.items), values, kinds, False)
        return len(values) == 1 and self._all([answer], values, kinds, False)

    def _all(self, nodes: list[Expression], values: tuple[Any, ...], kinds: list[Type], strict: bool = True) -> bool:
        return all(
            self.pattern(node, kind, strict)(value) for node, value, kind in zip(nodes, values, kinds, strict=True)
        )

    def pattern(self, node: Expression, kind: Type, strict: bool = True) -> Any:
        """A test for values of a type: dice by face, things by row, all else by value. What is of another type fits
        nothing; where it is the parameter of an action (`strict`), it is a mistake."""
        kind = strip(kind)
        if isinstance(kind, SetType | ListType) and isinstance(strip(kind.member), ThingType):
            return self._things_pattern(node, kind)
        if isinstance(kind, ThingType) and kind.symbol.faces is not None and isinstance(node, e.IntLiteral):
            base, face = self.program.face_cells[kind.symbol].offset, node.value
            return lambda value: self.image.b[base + value] == face
        value, typed = self.value(node, kind)
        if isinstance(typed, RowType) and isinstance(kind, ThingType):
            rows = self.program.things[kind.symbol].row_of
            return lambda found: rows[found] == value
        if not fits(typed, kind):
            if strict:
                raise Failed(f"{co.kind_words(kind)} is asked for here, and this is {co.kind_words(typed)}", node.span)
            return lambda found: False
        if isinstance(kind, SetType) and isinstance(typed, ListType):
            mask = 0
            for each in value:
                mask |= 1 << each
            return lambda found: found == mask
        return lambda found: found == value

    def _things_pattern(self, node: Expression, kind: SetType | ListType) -> Any:
        member = strip(kind.member)
        if not isinstance(node, e.ListLiteral | e.SetLiteral):
            if not isinstance(node, e.IntLiteral | e.Name) or (isinstance(node, e.Name) and node.arguments is not None):
                value, _ = self.value(node, kind)
                return lambda found: found == value
            items: tuple[Expression, ...] = (node,)
        else:
            items = node.items
        tests = [self.pattern(item, member) for item in items]

        def fits(found: Any) -> bool:
            left = members(found) if isinstance(kind, SetType) else list(found)
            return len(left) == len(tests) and _matching(left, tests)

        return fits

    def value(self, node: Expression, wanted: Type) -> tuple[Any, Type]:
        """The value of an expression in an answer, and its type."""
        quiet = Diagnostics()
        context = Context(quiet, self.context.sources)
        context.__dict__.update({k: v for k, v in self.context.__dict__.items() if k != "diagnostics"})
        seats = {name: k + 1 for k, name in enumerate(self.program.seats)}
        scope = Scope(g.Frame(), in_scenario=True, seats=seats)
        typed = co.as_collection(check(context, node, scope, wanted))
        if quiet.failed or isinstance(typed.type, UnknownType):
            first = next(iter(quiet.items), None)
            remedy = (first.help,) if first is not None and first.help else ()
            raise Failed(first.message if first is not None else "this answer has no value", node.span, remedy)
        if isinstance(wanted, SetType) and member_of(typed.type) is not None:
            typed = co.as_set(typed)
        size = 2 * len(scope.frame.types) + 2
        return self.program.compiler.expr(typed)(self.image, [0] * size), typed.type

    # -------------------------------------------------------------------------------------------------------- claims
    def _claim(self, step: s.Step) -> None:
        if isinstance(step, s.ClaimStep):
            self._holds(step.condition, step)
        elif isinstance(step, s.CanStep):
            self._can(step)

    def _holds(self, condition: Any, step: s.ClaimStep) -> None:
        from regelwerk.dsl.model import expressions as x

        if isinstance(condition, x.Both):
            self._holds(condition.left, step)
            self._holds(condition.right, step)
            return
        size = 2 * len(step.frame.types) + 2
        if not self.program.compiler.expr(condition)(self.image, [0] * size):
            raise Failed("this does not hold", condition.span, self._seen(condition, size))

    def _seen(self, condition: Any, size: int) -> tuple[str, ...]:
        from regelwerk.dsl.model import expressions as x

        if isinstance(condition, x.Negation):
            condition = condition.operand
        if isinstance(condition, x.Equal | x.Ordered | x.TallyCompare):
            texts, shown = self.program.texts, []
            for side in (condition.left, condition.right):
                value = self.program.compiler.expr(side)(self.image, [0] * size)
                shown.append(texts.value(value, side.type, self.image))
            return tuple(
                f"{source} is {value}"
                for side, value in zip((condition.left, condition.right), shown, strict=True)
                if (source := self._source(side.span)) != value
            )
        if isinstance(condition, s.OptionsAre | s.OptionsContain):
            return self._situation()
        return ()

    def _source(self, span: Span) -> str:
        """The words of a span, on one line."""
        return " ".join(self.context.sources[span.source].text[span.start : span.end].split())

    def _can(self, step: s.CanStep) -> None:
        name = self.program.seats[step.player - 1]
        answer = step.answer
        action = self.context.actions.get(answer.name.text) if isinstance(answer, e.Name) else None
        if action is None:
            self._can_answer(step)
            return
        options = self.program.action_options(action)
        assert isinstance(answer, e.Name)
        patterns = [a.value for a in answer.arguments or ()]
        kinds = [kind for _, kind, _ in action.parameters]
        legal = [
            v
            for v in options.options(self.image, step.player)
            if len(patterns) == len(v) and self._all(patterns, v, kinds)
        ]
        if not step.negated:
            if not legal:
                raise Failed(
                    f"{name} cannot do this",
                    step.span,
                    tuple(f.text for f in self._failures(options, step.player, patterns, kinds)),
                )
            return
        if legal:
            raise Failed(f"{name} can do this", step.span)
        if step.because is not None:
            failures = self._failures(options, step.player, patterns, kinds)
            addresses = [failure.address for failure in failures]
            if addresses != [step.because]:
                seen = ", ".join(addresses) or "there is no such combination"
                raise Failed(f"`{step.because}` is not what refuses this", step.span, (f"refused by: {seen}",))

    def _failures(
        self, options: de.ActionOptions, player: int, patterns: list[Expression], kinds: list[Type]
    ) -> list[de.Failure]:
        for values in combinations(self.state, options, player):
            if len(patterns) == len(values) and self._all(patterns, values, kinds):
                return options.failures(self.image, player, values)
        return []

    def _can_answer(self, step: s.CanStep) -> None:
        found = None
        if self.image.w[la.STATUS] == la.DECISION and step.player in machine.asked(self.program, self.image):
            self.seat = step.player
            site, env = self._site(step.player)
            found = self.find(site, env, step.answer)
            self.seat = 0
        if (found is None) != step.negated:
            verb = "can" if step.negated else "cannot"
            raise Failed(f"{self.program.seats[step.player - 1]} {verb} answer this", step.span, self._situation())


def _matching(left: list[int], tests: list[Any]) -> bool:
    """Whether the tests can be given different values, one each."""
    if not tests:
        return True
    return any(tests[0](value) and _matching(left[:k] + left[k + 1 :], tests[1:]) for k, value in enumerate(left))


# ------------------------------------------------------------------------------------------ what only claims can ask f
@compiles(s.RunRead)
def _run_read(c: Compiler, node: s.RunRead) -> Closure:
    if node.what == "over":
        return lambda m, env: m.w[la.STATUS] == la.OVER
    if node.what == "actor":
        return lambda m, env: m.w[la.ACTOR] if m.w[la.STATUS] == la.DECISION else 0

    def winners(m: Image, env: Locals) -> int:
        return m.w[la.WINNERS] if m.w[la.STATUS] == la.OVER else outcomes.winners(c.program, m, None)

    return winners


@compiles(s.Knows)
def _knows(c: Compiler, node: s.Knows) -> Closure:
    player, thing, entity = c.expr(node.player), c.expr(node.thing), node.entity
    knowledge, things = c.program.knowledge, c.program.things[entity]

    def knows(m: Image, env: Locals) -> bool:
        seat, value = player(m, env), thing(m, env)
        first = things.first_of_row[value] if node.row else value
        copies = range(first, first + (things.row_count[value] if node.row else 1))
        return any(knowledge.of(m, entity, copy) >> seat & 1 for copy in copies)

    return knows


@compiles(s.OptionList)
def _option_list(c: Compiler, node: s.OptionList) -> Closure:
    run = c.program.run

    def options(m: Image, env: Locals) -> tuple[Any, ...]:
        if m.w[la.STATUS] != la.DECISION:
            return ()
        site, inner = run._site()
        raws = whole_options(site, m, inner) if node.whole else site.options(m, inner)
        if node.action is None:
            return tuple(raws)
        if not isinstance(site.end, ir.OfferEnd | ir.SealEnd):
            return ()
        return tuple(values for way, values in raws if way >= 0 and site.end.offer.actions[way] is node.action)

    return options


@compiles(s.OptionField)
def _option_field(c: Compiler, node: s.OptionField) -> Closure:
    option, index = c.expr(node.option), node.index
    return lambda m, env: option(m, env)[index]


@compiles(s.OptionsAre)
def _options_are(c: Compiler, node: s.OptionsAre) -> Closure:
    run = c.program.run

    def same(m: Image, env: Locals) -> bool:
        if m.w[la.STATUS] != la.DECISION:
            return not node.looks
        site, inner = run._site()
        raws = whole_options(site, m, inner) if node.whole else site.options(m, inner)
        if len(raws) != len(node.looks):
            return False
        return _matching(list(range(len(raws))), [_describing(run, site, inner, look, raws) for look in node.looks])

    return same


def _describing(run: Run, site: de.Site, env: Locals, look: Expression, raws: list[Raw]) -> Any:
    return lambda k: run.describes(site, env, look, raws[k])


@compiles(s.OptionsContain)
def _options_contain(c: Compiler, node: s.OptionsContain) -> Closure:
    run = c.program.run

    def contains(m: Image, env: Locals) -> bool:
        if m.w[la.STATUS] != la.DECISION:
            return False
        site, inner = run._site()
        raws = whole_options(site, m, inner) if node.whole else site.options(m, inner)
        return any(run.describes(site, inner, node.look, raw) for raw in raws)

    return contains


@compiles(s.OptionCost)
def _option_cost(c: Compiler, node: s.OptionCost) -> Closure:
    run, program = c.program.run, c.program
    action, patterns = program.action_options(node.action), list(node.arguments)
    kinds = [kind for _, kind, _ in node.action.parameters]

    def cost(m: Image, env: Locals) -> tuple[int, ...]:
        actor = m.w[la.ACTOR] or m.w[la.ACTIVE]
        for values in combinations(run.state, action, actor):
            if len(patterns) == len(values) and run._all(patterns, values, kinds):
                total = [0] * len(program.game.units)
                for _, parts in action.price(m, actor, values):
                    for unit, count in parts:
                        total[unit] += count
                return tuple(total)
        raise Failed("there is no such combination of parameters here", node.span)

    return cost


__all__ = ["Failed", "ScenarioResult", "run_scenario", "run_scenarios"]
