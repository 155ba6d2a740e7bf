"""The machine: runs procs until somebody has to decide.

Between two decisions the bodies that run are kept as Python lists of locals; when somebody has to decide they are
written to the frames of the image, and read back when the answer comes. So a state is its bytes, nothing more. Frame:
number of the proc, index of the block (of the lowest frames: where to go on after the call), then the locals by their
types.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from regelwerk.dsl.model import game as g
from regelwerk.dsl.source import Span
from regelwerk.interpreter import chance, ir
from regelwerk.interpreter import layout as la
from regelwerk.interpreter.decisions import DONE, NOBODY_DECIDES, OPTION_LIMIT, PASS, Raw, Site
from regelwerk.interpreter.evaluation.base import Closure, Compiler, Locals
from regelwerk.interpreter.evaluation.roles import decode, guards, live_in_order, locals_for
from regelwerk.interpreter.evaluation.statements import BUDGET, compile_operations, requirement_test
from regelwerk.interpreter.faults import Fault, GameEnd
from regelwerk.interpreter.frames import (
    BRANCH,
    CALL,
    CHANCE,
    DECIDE,
    JUMP,
    RETURN,
    Activation,
    CompiledBlock,
    CompiledProc,
    codec,
    enter,
    load_frames,
    save_frames,
)
from regelwerk.interpreter.layout import WORK, Image
from regelwerk.interpreter.liveness import Liveness
from regelwerk.interpreter.ordering import take_order
from regelwerk.interpreter.sealing import sealed_call, seats_asked, take_sealed, unsealed

if TYPE_CHECKING:
    from regelwerk.interpreter.program import Program


def compile_proc(c: Compiler, proc: ir.Proc) -> CompiledProc:
    """All blocks of a proc."""
    blocks = [CompiledBlock(block.index, compile_operations(c, block.operations)) for block in proc.blocks]
    for block, done in zip(proc.blocks, blocks, strict=True):
        assert block.end is not None
        _end(c, proc, block.end, done, blocks, block.index)
        if c.program.coverage is not None and done.kind == DECIDE:
            done.first = c.program.coverage.refusing(done.test.node, done.first)
    place = c.program.places.get(proc)
    if c.program.coverage is not None and place is not None:
        blocks[0].operations.insert(0, c.program.coverage.counting(place))
    codecs = [codec(c, kind) for kind in proc.frame.types]
    needed = Liveness(proc)
    for done in blocks:
        done.live, done.waiting = needed.before[done.index], needed.waiting[done.index]
    return CompiledProc(proc, 2 * len(c.program.scratch[proc].types), proc.slots, blocks, codecs)


def _end(c: Compiler, proc: ir.Proc, end: ir.End, done: CompiledBlock, blocks: list[CompiledBlock], index: int) -> None:
    done.span = end.span
    if isinstance(end, ir.Jump):
        done.kind, done.first = JUMP, blocks[end.target.index]
    elif isinstance(end, ir.Branch):
        done.kind, done.test = BRANCH, _condition(c, end.condition)
        done.first, done.second = blocks[end.yes.index], blocks[end.no.index]
    elif isinstance(end, ir.Call):
        arguments = [c.expr(each) for each in end.arguments]
        number = end.proc.number
        done.kind, done.second = CALL, blocks[end.then.index]
        done.first = lambda m, env: (number, [a(m, env) for a in arguments])
    elif isinstance(end, ir.CallCell):
        done.kind, done.second, done.first = CALL, blocks[end.then.index], _cell_call(c, end)
    elif isinstance(end, ir.CallRole):
        done.kind, done.second, done.first = CALL, blocks[end.then.index], _role_call(c, end)
    elif isinstance(end, ir.CallReplacement):
        done.kind, done.second = CALL, blocks[end.then.index]
        done.first = _replacement_call(end)
    elif isinstance(end, ir.Return):
        done.kind = RETURN
    elif isinstance(end, ir.ChooseEnd):
        done.kind, done.test = DECIDE, c.program.sites[end.number]
        slots = [binder.slot for binder in end.choice.head.visible]
        done.first = _take_choice(slots, blocks[end.body.index], blocks[end.otherwise.index])
        _in_stages(done)
        done.second = blocks[end.otherwise.index]
    elif isinstance(end, ir.OfferEnd):
        done.kind, done.test = DECIDE, c.program.sites[end.number]
        done.first = _take_offer(c, end, blocks)
        _in_stages(done)
        done.second = None
    elif isinstance(end, ir.SealEnd):
        done.kind, done.test = DECIDE, c.program.sites[end.number]
        done.first = take_sealed(c, end, blocks[end.then.index])
        _in_stages(done, blocks[end.then.index])
        done.second = blocks[end.otherwise.index]
    elif isinstance(end, ir.OrderEnd):
        done.kind, done.test = DECIDE, c.program.sites[end.number]
        done.first = take_order(end, blocks[end.then.index])
        done.second = blocks[end.then.index]
    elif isinstance(end, ir.CallSealed):
        done.kind, done.second, done.first = CALL, blocks[end.then.index], sealed_call(c, end)
    elif isinstance(end, ir.AlternativesEnd):
        done.kind, done.test = DECIDE, c.program.sites[end.number]
        done.first = _take_alternative(end, blocks)
        done.second = blocks[end.otherwise.index]
    else:
        done.kind, done.test = CHANCE, chance.compile_chance(c, proc, end, index)
        done.first = blocks[(end.body if isinstance(end, ir.RandomEnd) else end.then).index]  # type: ignore[attr-defined]  # the chance ends
        other = (
            end.otherwise
            if isinstance(end, ir.RandomEnd)
            else end.done
            if isinstance(end, ir.SettleTopEnd | ir.ShowTopEnd)
            else None
        )
        done.second = blocks[other.index] if other is not None else done.first


def _condition(c: Compiler, condition: Any) -> Closure:
    if isinstance(condition, ir.MoreInList):
        source, index = condition.list_slot, condition.index_slot
        return lambda m, env: env[index] < len(env[source])
    if isinstance(condition, ir.SkippedAll):
        slot, count = condition.slot, c.program.players
        return lambda m, env: env[slot] >= count
    if isinstance(condition, ir.Unsealed):
        return unsealed(condition.seals)
    if isinstance(condition, ir.Replaced):
        return _replaced(c, condition)
    if isinstance(condition, ir.RequirementsHold):
        tests = [requirement_test(c, each, condition.argument_slots) for each in condition.requirements]
        return lambda m, env: all(test(m, env) for test in tests)
    return c.expr(condition)


def _replaced(c: Compiler, condition: ir.Replaced) -> Closure:
    order = live_in_order(c, condition.roles, False)
    tests = [guards(c, role) for role in condition.roles]
    slots, keep = condition.argument_slots, condition.chosen_slot

    def test(m: Image, env: Locals) -> bool:
        if c.program.rules_sleep:
            return False
        arguments = [env[slot] for slot in slots]
        for chosen in order(m, env[0]):
            index, holder, copy = decode(chosen)
            inner = locals_for(condition.roles[index], holder, arguments, copy)
            if all(each(m, inner) for each in tests[index]):
                env[keep] = chosen
                return True
        return False

    return test


def _cell_call(c: Compiler, end: ir.CallCell) -> Callable[[Image, Locals], Any]:
    thing, arguments = c.expr(end.thing), [c.expr(each) for each in end.arguments]
    rows = c.program.things[end.column.entity].row_of
    numbers = [None] + [proc.number if proc is not None else None for proc in end.procs]

    def call(m: Image, env: Locals) -> Any:
        number = numbers[rows[thing(m, env)]]
        return None if number is None else (number, [a(m, env) for a in arguments])

    return call


def _role_call(c: Compiler, end: ir.CallRole) -> Callable[[Image, Locals], Any]:
    pairs = [(role, proc.number, guards(c, role)) for role, proc in end.roles]
    source, index, slots = end.list_slot, end.index_slot, end.argument_slots

    def call(m: Image, env: Locals) -> Any:
        which, holder, copy = decode(env[source][env[index]])
        env[index] += 1
        role, number, tests = pairs[which]
        inner = locals_for(role, holder, [env[slot] for slot in slots], copy)
        if not all(test(m, inner) for test in tests):
            return None
        return number, [holder, *([copy] if role.row is not None else []), *(inner[slot] for slot, _ in role.bindings)]

    return call


def _replacement_call(end: ir.CallReplacement) -> Callable[[Image, Locals], Any]:
    slots, keep = end.argument_slots, end.chosen_slot

    def call(m: Image, env: Locals) -> Any:
        which, holder, copy = decode(env[keep])
        role, proc = end.roles[which]
        own = [copy] if role.row is not None else []
        return proc.number, [holder, *own, *(env[slots[index]] for _, index in role.bindings)]

    return call


Taken = tuple[CompiledBlock, tuple[int, list[Any]] | None]
"""Where to go on, and a call to make before."""


def _in_stages(done: CompiledBlock, more: CompiledBlock | None = None) -> None:
    """A decision that can take several answers goes on at `more` (comes back to its own block) until it has them
    all."""
    site, take, again = done.test, done.first, more or done
    if site.said is None:
        return

    def answer(m: Image, env: Locals, option: Raw) -> Taken:
        whole = site.answer(m, env, option)
        return (again, None) if whole is None else take(m, env, whole)

    done.first = answer


def _take_choice(
    slots: list[int], body: CompiledBlock, otherwise: CompiledBlock
) -> Callable[[Image, Locals, Raw], Taken]:
    def take(m: Image, env: Locals, option: Raw) -> Taken:
        if option[0] < 0:
            return otherwise, None
        for slot, value in zip(slots, option[1], strict=True):
            env[slot] = value
        return body, None

    return take


def _take_offer(c: Compiler, end: ir.OfferEnd, blocks: list[CompiledBlock]) -> Callable[[Image, Locals, Raw], Taken]:
    numbers, after = [proc.number for proc in end.procs], [blocks[block.index] for block in end.after]
    otherwise, me = blocks[end.otherwise.index], c.expr(end.offer.me)

    def take(m: Image, env: Locals, option: Raw) -> Taken:
        way, values = option
        if way in (PASS, DONE):
            return otherwise, None
        return after[way], (numbers[way], [me(m, env), *values])

    return take


def _take_alternative(end: ir.AlternativesEnd, blocks: list[CompiledBlock]) -> Callable[[Image, Locals, Raw], Taken]:
    ways, otherwise, slot = (
        [blocks[block.index] for block in end.ways],
        blocks[end.otherwise.index],
        end.alternatives.done_slot,
    )

    def take(m: Image, env: Locals, option: Raw) -> Taken:
        if option[0] < 0:
            return otherwise, None
        env[slot] |= 1 << option[0]
        return ways[option[0]], None

    return take


# ---------------------------------------------------------------------------------------------------------- running
def run(program: Program, m: Image, stack: list[Activation]) -> list[Raw] | None:
    """Run until somebody has to decide (gives the options), nature has to (explicit chance), or the game is over
    (None)."""
    program.budget = BUDGET
    m.work = WORK
    while True:
        try:
            return _run(program, m, stack)
        except RecursionError:
            raise Fault("depth", "values call each other too deeply", _running(stack)) from None
        except Fault as fault:
            if fault.span is None:
                fault.span = _running(stack)
            raise
        except GameEnd as ended:
            stack.clear()
            m.w[la.AS_ONE] = 0
            m.w[la.END] = ended.end + 3
            _keep_scores(program, m)
            if ended.end < 0:
                finish(program, m, None)
                return None
            stack.append(enter(program, program.end_procs[ended.end].number, [0]))


def _running(stack: list[Activation]) -> Span | None:
    """The place of the innermost body that runs, as far as it is known."""
    return next((each.block.span for each in reversed(stack) if each.block.span is not None), None)


def _run(program: Program, m: Image, stack: list[Activation]) -> list[Raw] | None:
    activation = stack[-1]
    env, block = activation.locals, activation.block
    while True:
        for operation in block.operations:
            operation(m, env)
        kind = block.kind
        if kind == BRANCH:
            block = block.first if block.test(m, env) else block.second
        elif kind == JUMP:
            block = block.first
        elif kind == CALL:
            called = block.first(m, env)
            if called is None:
                block = block.second
            else:
                activation.block = block.second
                activation = enter(program, called[0], called[1])
                stack.append(activation)
                env, block = activation.locals, activation.block
        elif kind == RETURN:
            ended = activation.proc.proc
            stack.pop()
            if not stack:
                finish_proc(program, m, ended)
                return None
            activation = stack[-1]
            env, block = activation.locals, activation.block
        elif kind == DECIDE:
            site = block.test
            m.memo = {}
            m.work = WORK
            options: list[Raw] = site.options(m, env)
            m.memo = None
            if len(options) > OPTION_LIMIT:
                raise Fault(
                    "budget",
                    f"there are {len(options)} options here, and at most {OPTION_LIMIT} are allowed",
                    block.span,
                )
            if not options:
                if block.second is None:
                    raise Fault("dead_end", "there is no option here, and nobody may pass", block.span)
                block = block.second
                continue
            actor = site.actor(m, env)
            if not actor:
                raise Fault("none", NOBODY_DECIDES, block.span)
            activation.block = block
            w = m.w
            w[la.STATUS], w[la.SITE], w[la.ACTOR] = la.DECISION, site.number, actor
            save_frames(program, m, stack)
            return options
        else:
            event = block.test
            request = event.prepare(m, env)
            if request is None:
                block = block.second
                continue
            if request is not chance.CERTAIN:
                if m.w[la.EXPLICIT]:
                    activation.block = block
                    m.w[la.STATUS], m.w[la.ACTOR] = la.CHANCE, 0
                    save_frames(program, m, stack)
                    return []
                outcome = event.sample(m, request)
                if m.log is not None:
                    _log_chance(m, env, event, outcome)
                event.apply(m, env, outcome)
            block = block.first
        program.budget -= 1
        if program.budget < 0:
            raise Fault("budget", f"more than {BUDGET} statements without a decision", block.span)


def pending(program: Program, m: Image, seat: int = 0) -> tuple[Site, Locals]:
    """The place of the rules where somebody decides, and the locals of the body that waits there, as for a seat."""
    activation = load_frames(program, m)[-1]
    if seat and isinstance(activation.block.test.end, ir.SealEnd):
        activation.locals[0] = seat
    return activation.block.test, activation.locals


def asked(program: Program, m: Image) -> list[int]:
    """The seats that decide now: one, or all of those who decide together and have not answered."""
    site, env = pending(program, m)
    return seats_asked(site, m, env) if isinstance(site.end, ir.SealEnd) else [m.w[la.ACTOR]]


def _log_chance(m: Image, env: Locals, event: chance.Event, outcome: list[int]) -> None:
    assert m.log is not None
    actor = event.actor(m, env) if event.actor is not None else 0
    m.log.append(("chance", event, tuple(outcome), actor, event.watchers(m, env)))


def resume(program: Program, m: Image, option: Raw, seat: int = 0) -> list[Raw] | None:
    """Go on with the answer to the pending decision. `seat`: who gives it, of those who decide together."""
    stack = load_frames(program, m)
    activation = stack[-1]
    if seat and isinstance(activation.block.test.end, ir.SealEnd):
        activation.locals[0] = seat
    block, call = activation.block.first(m, activation.locals, option)
    activation.block = block
    m.w[la.STATUS] = la.RUNNING
    m.w[la.ACTOR] = 0
    m.w[la.DECISIONS] += 1
    if call is not None:
        stack.append(enter(program, call[0], call[1]))
    return run(program, m, stack)


def pending_chance(program: Program, m: Image) -> tuple[chance.Event, Any, Locals]:
    """The event that nature has to decide, what is asked, and the locals of its body."""
    activation = load_frames(program, m)[-1]
    event: chance.Event = activation.block.test
    request = event.prepare(m, activation.locals)
    return event, request, activation.locals


def resume_chance(program: Program, m: Image, outcome: list[int] | None) -> list[Raw] | None:
    """Go on with an outcome of chance (None: sampled from the generator)."""
    stack = load_frames(program, m)
    activation = stack[-1]
    event: chance.Event = activation.block.test
    request = event.prepare(m, activation.locals)
    found = event.sample(m, request) if outcome is None else outcome
    if m.log is not None:
        _log_chance(m, activation.locals, event, found)
    event.apply(m, activation.locals, found)
    activation.block = activation.block.first
    m.w[la.STATUS] = la.RUNNING
    return run(program, m, stack)


def _keep_scores(program: Program, m: Image) -> None:
    """The lines of all scores as they are when the end is declared, before its block runs."""
    if m.log is not None:
        m.log.append(("scored", m.copy()))
    base, index = program.score_cells.offset, 0
    for score in program.game.scores:
        for line in score.lines:
            function = program.score_line(line)
            for player in range(1, program.players + 1):
                m.w[base + index] = function(m, player)
                index += 1


def finish_proc(program: Program, m: Image, proc: ir.Proc) -> None:
    """The last body has returned: the game is over, if it was the game or an end."""
    if proc.end is not None:
        finish(program, m, proc.end)
    elif proc is program.main:
        m.w[la.END] = 1
        _keep_scores(program, m)
        finish(program, m, None)
    else:
        m.w[la.STATUS] = la.RUNNING
        save_frames(program, m, [])


def finish(program: Program, m: Image, end: g.EndSymbol | None) -> None:
    """Settle who won."""
    from regelwerk.interpreter.outcomes import winners

    m.w[la.STATUS] = la.OVER
    m.w[la.ACTOR] = 0
    save_frames(program, m, [])
    m.w[la.WINNERS] = winners(program, m, end)


__all__ = ["Activation", "CompiledProc", "enter", "load_frames"]
