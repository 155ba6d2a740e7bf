"""Procs as functions: blocks as structured code, suspension by returning.

A proc is a function of the state, the address of its frame in it, and where to go on: `entry` is 0 to begin, and else
says at which block, and whether the block begins (`AT_START`), its decision is listed again (`ASK`) or its answer has
come (`ANSWER`). It gives `RETURNED`, `SUSPENDED` or `GAME_ENDED`.

While it runs, its scalars and sets are in variables; lists, tallies and records lie in the frame. Only when something
that it called suspends, or its own decision does, are the live locals written to the frame (`interpreter.liveness`) and
all the rest of the frame zeroed. So what never suspends never touches the frame, and a decision costs as much as there
are live locals.

Blocks that are reached from one place only are written there; the others are cases of a jump table in a loop.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import ListType, RecordType, Type, strip
from regelwerk.interpreter import ir
from regelwerk.interpreter.liveness import Liveness, ways_on
from regelwerk.interpreter.wasm.binary import I32
from regelwerk.interpreter.wasm.code import Function, Value, const, load
from regelwerk.interpreter.wasm.control import Case, by_case
from regelwerk.interpreter.wasm.emitter import Emitter
from regelwerk.interpreter.wasm.roles import collect_live, each_holder, guarded, inside
from regelwerk.interpreter.wasm.sealing import call_sealed, unsealed
from regelwerk.interpreter.wasm.shapes import Operand, Ref
from regelwerk.interpreter.wasm.statements import TOO_MANY, requirement, statements
from regelwerk.interpreter.wasm.unit import Unit

if TYPE_CHECKING:
    from regelwerk.interpreter.wasm.sites import Sites

RETURNED, SUSPENDED, GAME_ENDED = range(3)
AT_START, ASK, ANSWER = 1, 2, 3


def entry_of(block: int, how: int) -> int:
    """The number that says where to go on."""
    return 3 * block + how


class ProcWriter:
    """Writes the function of one proc."""

    def __init__(self, unit: Unit, sites: Sites, proc: ir.Proc) -> None:
        self.unit, self.sites, self.proc = unit, sites, proc
        self.program = unit.program
        self.rooms = [unit.shapes.room(kind) for kind in proc.frame.types]
        self.offsets: list[int] = []
        place = 2
        for room in self.rooms:
            self.offsets.append(4 * place)
            place += room
        self.size = 4 * place
        self.liveness = Liveness(proc)
        self.function = unit.function(("proc", proc), proc.name, (I32, I32, I32), (I32,), self._write)

    # ---------------------------------------------------------------------------------------------------- the function
    def _write(self, f: Function) -> None:
        unit, proc = self.unit, self.proc
        if proc in self.program.reference_only:
            f.trap()
            return
        self.f = f
        self.state, self.frame, self.entry = f.parameter(0), f.parameter(1), f.parameter(2)
        self.e = e = Emitter(unit, f, self.state, proc.frame)
        # the frame of the emitter may grow (hoisting); what is behind the locals of the proc is never kept
        for slot, kind in enumerate(proc.frame.types):
            if unit.shapes.form(kind) == "ref":
                e.slots[slot] = Ref(self.frame + self.offsets[slot], strip(kind))
            else:
                e.slots[slot] = e.place(kind)
        e.on_end = lambda: self._give(GAME_ENDED, True)
        self._analyse()
        self.target = f.variable()
        dispatched = [block for block in proc.blocks if block.index in self.merging]
        numbers = {block.index: k for k, block in enumerate(dispatched)}
        self.numbers = numbers
        self._resume(self._entries(), numbers)
        with f.loop() as again:
            self.again = again
            with ExitStack() as stack:
                blocks = [stack.enter_context(f.block()) for _ in dispatched][::-1]
                f.leave_if(blocks[0], self.target.eqz())
                f.jump_table([*blocks, blocks[-1]], self.target)
                self.ahead = {block.index: label for block, label in zip(dispatched, blocks, strict=True)}
                for block in dispatched:
                    f.close()
                    del self.ahead[block.index]
                    self._block(block)
                stack.pop_all()
        f.trap()

    def _analyse(self) -> None:
        """Which blocks are reached from several places, or from outside, and which are reached at all."""
        proc = self.proc
        count = [0] * len(proc.blocks)
        count[0] = 2
        resumed: set[int] = set()
        for block in proc.blocks:
            assert block.end is not None
            for target, _ in ways_on(block.end):
                count[target.index] += 1
                if target.index <= block.index:
                    count[target.index] += 1  # a loop: its head is a case
            resumed |= self._resumed_after(block)
        for index in resumed:
            count[index] += 2
        self.resumed = resumed
        self.asking = [b.index for b in proc.blocks if isinstance(b.end, ir.Deciding) or self._chance(b.end)]
        self.merging = {k for k, n in enumerate(count) if n > 1} | set(self.asking)

    def _resumed_after(self, block: ir.Block) -> set[int]:
        """The blocks with which the proc goes on when something that it called has suspended and returned."""
        end = block.end
        if isinstance(end, ir.Call | ir.CallCell | ir.CallRole | ir.CallReplacement | ir.CallSealed):
            return {end.then.index}
        if isinstance(end, ir.OfferEnd):
            return {each.index for each in end.after}
        return set()

    @staticmethod
    def _chance(end: object) -> bool:
        return isinstance(
            end,
            ir.RollEnd
            | ir.DrawEnd
            | ir.SettleTopEnd
            | ir.ShowTopEnd
            | ir.ShuffleStateEnd
            | ir.RandomEnd
            | ir.OptionEnd,
        )

    def _entries(self) -> dict[int, tuple[int, int]]:
        """For each number of an entry the block and how it is entered."""
        found = {0: (0, 0)}
        for index in sorted(self.resumed):
            found[entry_of(index, AT_START)] = (index, AT_START)
        for block in self.proc.blocks:
            if isinstance(block.end, ir.Deciding):
                found[entry_of(block.index, ASK)] = (block.index, ASK)
                found[entry_of(block.index, ANSWER)] = (block.index, ANSWER)
        return found

    def _resume(self, entries: dict[int, tuple[int, int]], numbers: dict[int, int]) -> None:
        """Read the arguments, or the locals that are kept in the frame."""
        f = self.f
        self.asked = f.variable(I32, 0)
        cases: list[Case] = []

        def enter(index: int, how: int) -> Callable[[], None]:
            def do() -> None:
                if how == 0:
                    self._read_arguments()
                else:
                    live = self.liveness.before[index] if how == AT_START else self.liveness.waiting[index]
                    self._load(live)
                if how in (ASK, ANSWER):
                    f.set(self.asked, how)
                f.set(self.target, numbers[index])

            return do

        for number, (index, how) in entries.items():
            if how:
                cases.append((number, enter(index, how)))
        with f.when(self.entry):
            by_case(self.e, self.entry, cases)
            f.otherwise()
            enter(0, 0)()

    def _read_arguments(self) -> None:
        """The arguments lie in a place of their own."""
        e, place = self.e, self.unit.memory_arguments
        for slot in [0, *self.proc.slots]:
            kind = self.proc.frame.types[slot]
            target = e.slots[slot]
            if isinstance(target, Ref):
                e.store(target.address, Ref(const(place), target.kind), kind)
            else:
                e.assign(target, e.fetch(const(place), kind))
            place += 4 * self.unit.shapes.room(kind)

    # ------------------------------------------------------------------------------------------------------ the frame
    def _spill(self, live: frozenset[int], block: int) -> None:
        """Write the frame: where to go on, and the live locals; all else is zeroed."""
        e, f = self.e, self.f
        f.store(self.frame, self.proc.number)
        f.store(self.frame, block, 4)
        for slot, kind in enumerate(self.proc.frame.types):
            room, target = 4 * self.rooms[slot], e.slots[slot]
            here = self.frame + self.offsets[slot]
            if slot not in live:
                if room <= 8:
                    f.store(self.frame, 0, self.offsets[slot])
                    if room == 8:
                        f.store(self.frame, 0, self.offsets[slot] + 4)
                else:
                    f.fill(here, room)
            elif isinstance(target, Ref):
                self._clear_rest(target, room)
            else:
                e.store(here, target, kind)

    def _clear_rest(self, target: Ref, room: int) -> None:
        """Behind the members of a list, and in a record that is none, there is nothing."""
        f, plain = self.f, target.kind
        if isinstance(plain, ListType):
            used = f.keep(load(target.address) * (4 * self.unit.shapes.room(plain.member)) + 4)
            f.fill(target.address + used, const(room) - used)
        elif isinstance(plain, RecordType):
            with f.when(load(target.address).eqz()):
                f.fill(target.address, room)

    def _load(self, live: frozenset[int]) -> None:
        e = self.e
        for slot in sorted(live):
            target = e.slots[slot]
            if not isinstance(target, Ref):
                kind = self.proc.frame.types[slot]
                e.assign(target, e.fetch(self.frame + self.offsets[slot], kind))

    def _give(self, status: int, clear: bool) -> None:
        """Leave; a frame that is not needed any more is zeroed, if anything was written to it: what began just now has
        written nothing but its lists, tallies and records."""
        f = self.f
        if clear and any(self.unit.shapes.form(kind) == "ref" for kind in self.proc.frame.types):
            f.fill(self.frame, self.size)
        elif clear:
            with f.when(self.entry):
                f.fill(self.frame, self.size)
        f.give(const(status))

    # ----------------------------------------------------------------------------------------------------- the blocks
    def _go(self, block: ir.Block) -> None:
        """Go on with a block: what lies ahead is reached directly, what lies behind through the jump table."""
        if block.index in self.ahead:
            self.f.leave(self.ahead[block.index])
        elif block.index in self.merging:
            self.f.set(self.target, self.numbers[block.index])
            self.f.leave(self.again)
        else:
            self._block(block)

    def _tick(self, end: ir.End) -> None:
        self.unit.tick(self.f, end.span, TOO_MANY)

    def _block(self, block: ir.Block) -> None:
        e, f, end = self.e, self.f, block.end
        assert end is not None
        if isinstance(end, ir.Deciding):
            # an entry behind the operations
            with f.when(self.asked.eqz()):
                statements(e, block.operations)
            self.sites.write(self, block)
            return
        statements(e, block.operations)
        self._end(block, end)

    def _end(self, block: ir.Block, end: ir.End) -> None:
        e = self.e
        if isinstance(end, ir.Return):
            self._tick(end)
            self._give(RETURNED, True)
            return
        if isinstance(end, ir.Jump):
            self._tick(end)
            self._go(end.target)
            return
        if isinstance(end, ir.Branch):
            self._branch(end)
            return
        if isinstance(end, ir.Call):
            arguments = [e.keep(e.widened(each, kind)) for each, kind in self._paired(end.proc, end.arguments)]
            self._tick(end)
            self._call(end.proc, arguments, end.then)
            self._go(end.then)
            return
        if isinstance(end, ir.CallCell | ir.CallRole | ir.CallReplacement | ir.CallSealed):
            self._tick(end)
        if isinstance(end, ir.CallCell):
            self._call_cell(end)
        elif isinstance(end, ir.CallRole):
            self._call_role(end)
        elif isinstance(end, ir.CallReplacement):
            self._call_replacement(end)
        elif isinstance(end, ir.CallSealed):
            call_sealed(self, end)
        else:
            from regelwerk.interpreter.wasm.chance import write_chance

            write_chance(self, block, end)
            return
        self._go(end.then)

    def _branch(self, end: ir.Branch) -> None:
        f = self.f
        test = self._condition(end.condition)
        with f.when(test):
            self._tick(end)
            self._go(end.yes)
        self._tick(end)
        self._go(end.no)

    def _condition(self, node: object) -> Value:
        e, f = self.e, self.f
        if isinstance(node, ir.MoreInList):
            source, index = e.slots[node.list_slot], e.slots[node.index_slot]
            assert isinstance(source, Ref)
            assert isinstance(index, Value)
            return index < load(source.address)
        if isinstance(node, ir.SkippedAll):
            count = e.slots[node.slot]
            assert isinstance(count, Value)
            return count >= self.program.players
        if isinstance(node, ir.Unsealed):
            return unsealed(self, node.seals)
        if isinstance(node, ir.RequirementsHold):
            found = f.copied(const(1))
            for each in node.requirements:
                with f.when(found):
                    f.set(found, requirement(e, each, node.argument_slots))
            return found
        if isinstance(node, ir.Replaced):
            return self._replaced(node)
        assert isinstance(node, x.Expr)
        return e.value(node)

    def _paired(self, proc: ir.Proc, nodes: list[x.Expr]) -> list[tuple[x.Expr, Type]]:
        kinds = [proc.frame.types[slot] for slot in [0, *proc.slots]]
        return list(zip(nodes, kinds, strict=True))

    def _hand_over(self, proc: ir.Proc, arguments: list[Operand]) -> None:
        """Put arguments where the proc that is called reads them."""
        e, place = self.e, self.unit.memory_arguments
        for slot, operand in zip([0, *proc.slots], arguments, strict=True):
            kind = proc.frame.types[slot]
            if isinstance(operand, Value) and self.unit.shapes.form(kind) == "ref":
                operand = e.empty(kind)
            e.store(const(place), operand, kind)
            place += 4 * self.unit.shapes.room(kind)

    def _call(self, proc: ir.Proc, arguments: list[Operand], then: ir.Block) -> None:
        """Call a proc. If it suspends, so does this one."""
        f = self.f
        self._hand_over(proc, arguments)
        function = self.sites.procs[proc.number].function
        status = f.call(function, self.state, self.frame + self.size, const(0))[0]
        self._after_call(status, then)

    def _after_call(self, status: Value, then: ir.Block) -> None:
        f = self.f
        with f.when(status):
            with f.when(status.eq(GAME_ENDED)):
                self._give(GAME_ENDED, True)
            self._spill(self.liveness.before[then.index], then.index)
            f.give(const(SUSPENDED))

    def _call_cell(self, end: ir.CallCell) -> None:
        e = self.e
        thing = e.known(end.thing)
        rows = self.program.things[end.column.entity].row_of
        arguments = [e.keep(e.any(each)) for each in end.arguments]
        cases: list[Case] = []
        for row, proc in enumerate(end.procs, 1):
            if proc is not None:
                cases.append((row, functools.partial(self._call, proc, self._fit(proc, arguments), end.then)))
        by_case(e, self.unit.look_up(rows, thing), cases)

    def _fit(self, proc: ir.Proc, arguments: list[Operand]) -> list[Operand]:
        return arguments[: 1 + len(proc.slots)]

    def _call_role(self, end: ir.CallRole) -> None:
        e, f = self.e, self.f
        source, index = e.slots[end.list_slot], e.slots[end.index_slot]
        assert isinstance(source, Ref)
        assert isinstance(index, Value)
        code = f.keep(load(source.address + index * 4, 4))
        f.increase(index)
        holder, copy = f.keep((code >> 13) & 15), f.keep(code & 8191)

        def run(role: g.Role, proc: ir.Proc) -> Callable[[], None]:
            def do() -> None:
                arguments: list[Operand] = [e.slots[slot] for slot in end.argument_slots]
                inner = inside(e, role, holder, arguments, copy)
                with f.when(guarded(inner, role)):
                    own: list[Operand] = [copy] if role.row is not None else []
                    given = [inner.slots[slot] for slot, _ in role.bindings]
                    self._call(proc, [holder, *own, *given], end.then)

            return do

        by_case(e, code >> 17, [(k, run(role, proc)) for k, (role, proc) in enumerate(end.roles)])

    def _call_replacement(self, end: ir.CallReplacement) -> None:
        e, f = self.e, self.f
        chosen = e.slots[end.chosen_slot]
        assert isinstance(chosen, Value)
        holder, copy = f.keep((chosen >> 13) & 15), f.keep(chosen & 8191)

        def run(role: g.Role, proc: ir.Proc) -> Callable[[], None]:
            def do() -> None:
                own: list[Operand] = [copy] if role.row is not None else []
                given = [e.slots[end.argument_slots[index]] for _, index in role.bindings]
                self._call(proc, [holder, *own, *given], end.then)

            return do

        by_case(e, chosen >> 17, [(k, run(role, proc)) for k, (role, proc) in enumerate(end.roles)])

    def _replaced(self, node: ir.Replaced) -> Value:
        """The first replacement in order that holds."""
        e, f = self.e, self.f
        found = f.copied(const(0))
        chosen = e.slots[node.chosen_slot]
        assert isinstance(chosen, Value)
        me = e.slots[0]
        assert isinstance(me, Value)
        arguments: list[Operand] = [e.slots[slot] for slot in node.argument_slots]
        if len(node.roles) == 1 and node.roles[0].row is None:
            role = node.roles[0]
            with (
                each_holder(e, role, me) as (holder, copy),
                f.when(guarded(inside(e, role, holder, arguments, copy), role)),
            ):
                f.set(found, 1)
                f.set(chosen, (holder << 13) | copy)
            return found
        order = f.room(4 * 34)
        collect_live(e, node.roles, False, me, order, 32)
        with f.counting(0, load(order)) as k, f.when(found.eqz()):
            code = f.keep(load(order + k * 4, 4))
            holder, copy = f.keep((code >> 13) & 15), f.keep(code & 8191)

            def test(role: g.Role) -> Callable[[], None]:
                def do() -> None:
                    with f.when(guarded(inside(e, role, holder, arguments, copy), role)):
                        f.set(found, 1)
                        f.set(chosen, code)

                return do

            by_case(e, code >> 17, [(n, test(role)) for n, role in enumerate(node.roles)])
        return found
