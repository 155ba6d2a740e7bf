"""The options of actions, and whether something can begin."""

from __future__ import annotations

from collections.abc import Callable

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import BOOL, Type
from regelwerk.interpreter.evaluation.base import conjuncts, slots_read
from regelwerk.interpreter.evaluation.inlining import inline
from regelwerk.interpreter.wasm.amounts import Costs, can_pay, cost_reads, parts_of
from regelwerk.interpreter.wasm.binary import I32
from regelwerk.interpreter.wasm.code import Function, Label, Value, const
from regelwerk.interpreter.wasm.control import Case, by_case
from regelwerk.interpreter.wasm.emitter import Emitter, writes
from regelwerk.interpreter.wasm.heads import Nest, Test
from regelwerk.interpreter.wasm.masks import faultless
from regelwerk.interpreter.wasm.roles import live
from regelwerk.interpreter.wasm.shapes import Operand
from regelwerk.interpreter.wasm.sieves import Unless
from regelwerk.interpreter.wasm.statements import call_cell, requirement
from regelwerk.interpreter.wasm.unit import Unit


class ActionHead:
    """The head of an action with all its conditions, in an emitter of its own whose slot 0 is bound."""

    def __init__(self, e: Emitter, action: g.ActionSymbol) -> None:
        self.e, self.action = e, action
        self.slots = [slot for _, _, slot in action.parameters]
        self.head = action.head or x.Head([])
        self.lets = [clause for clause in action.clauses if isinstance(clause, tuple)]
        let_slots = {slot for slot, _ in self.lets}
        self.tests: list[Test] = []
        self.late: list[Callable[[Emitter], Value]] = []
        for clause in action.clauses:
            if isinstance(clause, g.RequireSymbol):
                self._requirement(clause, let_slots)
        for role in action.roles:
            if role.kind == "forbid":
                self.tests.append(Test(self._allowed(role), {self.slots[i] for _, i in role.bindings}))
        if action.limit is not None:
            self.tests.insert(0, Test(self._limit(action.limit), set()))
        reads = cost_reads(action)
        has_costs = any(isinstance(clause, g.CostSymbol) for clause in action.clauses)
        late_reads: set[int] = set().union(*(slots_read(value) for _, value in self.lets))
        if has_costs and not reads & let_slots:
            self.tests.append(Test(self._exempt(e) or self._affordable, reads))
        elif has_costs:
            self.late.append(self._affordable)
        late_reads |= reads
        if self.late:
            late_reads |= set(self.slots)
        self.late_reads = frozenset(late_reads)

    def _requirement(self, clause: g.RequireSymbol, let_slots: set[int]) -> None:
        bound = {self.slots[i] for role in clause.roles for _, i in role.bindings}
        parts = [clause.condition] if clause.roles else conjuncts(clause.condition)
        for part in parts:
            reads = slots_read(part) | bound
            if reads & let_slots:
                self.late.append(self._waivable(clause) if clause.roles else self._condition(part))
            else:
                self.tests.append(Test(self._waivable(clause) if clause.roles else part, reads))

    def _waivable(self, clause: g.RequireSymbol) -> Callable[[Emitter], Value]:
        return lambda e: requirement(e, clause, self.slots)

    @staticmethod
    def _condition(part: x.Expr) -> Callable[[Emitter], Value]:
        return lambda e: e.value(part)

    def _allowed(self, role: g.Role) -> Callable[[Emitter], Value]:
        def test(e: Emitter) -> Value:
            me = e.slots[0]
            assert isinstance(me, Value)
            return live(e, role, me, [e.slot(slot) for slot in self.slots]).eqz()

        return test

    def _limit(self, limit: g.Limit) -> Callable[[Emitter], Value]:
        kind = limit.at_most.type
        count = x.HistoryRead(kind, self.action.span, limit.question, x.Local(kind, self.action.span, 0), [])
        return lambda e: e.value(count) < e.value(limit.at_most)

    def _exempt(self, e: Emitter) -> Unless | None:
        """The test of one cost that is due under a condition: whether it can be paid is mostly known at less cost than
        whether it must be."""
        clauses = [clause for clause in self.action.clauses if isinstance(clause, g.CostSymbol)]
        only = clauses[0]
        if len(clauses) > 1 or only.roles or only.condition is None:
            return None
        if not faultless(e.c, only.condition) or not faultless(e.c, only.amount):
            return None
        reads = frozenset(slots_read(only.amount))
        due, amount = only.condition, only.amount

        def payable(e: Emitter) -> Value:
            me = e.slots[0]
            assert isinstance(me, Value)
            return can_pay(e, me, parts_of(e, amount))

        return Unless(x.Negation(BOOL, due.span, due), payable, reads)

    def _affordable(self, e: Emitter) -> Value:
        clauses = [clause for clause in self.action.clauses if isinstance(clause, g.CostSymbol)]
        only = clauses[0]
        me = e.slots[0]
        assert isinstance(me, Value)
        if len(clauses) == 1 and not only.roles:
            if only.condition is None:
                return can_pay(e, me, parts_of(e, only.amount))
            test = e.f.keep(e.value(inline(e.c, only.condition, e.frame)))
            found = e.f.copied(const(1))
            with e.f.when(test):
                e.f.set(found, can_pay(e, me, parts_of(e, only.amount)))
            return found
        return Costs(e, self.action).affordable()

    def nest(self, filtered: bool = True) -> Nest:
        """The loops."""
        return Nest(self.e, self.head, self.tests, True, self.late_reads, filtered)

    def complete(self, inner: Callable[[], None]) -> None:
        """With all binders bound: the `let`s, the conditions that read them, then what is inside."""
        e, f = self.e, self.e.f
        with f.block() as no:
            for slot, value in self.lets:
                e.bind(slot, e.any(value))
            for test in self.late:
                f.leave_if(no, test(e).eqz())
            inner()


def possible_function(unit: Unit, action: g.ActionSymbol) -> Function:
    """Whether an action has an option for a player."""

    def write(f: Function) -> None:
        e = Emitter(unit, f, f.parameter(0), action.frame)
        e.slots[0] = f.parameter(1)
        head = ActionHead(e, action)

        def found(done: Label) -> None:
            head.complete(lambda: f.give(const(1)))

        head.nest(filtered=False).run(found, existence=True)
        f.give(const(0))

    return unit.function(("possible", action), f"{action.name} can happen", (I32, I32), (I32,), write)


@writes(x.CanOffer)
def _can_offer(e: Emitter, node: x.CanOffer) -> Operand:
    f, me = e.f, e.known(node.me)
    found = f.copied(const(0))
    for action in node.actions:
        with f.when(found.eqz()):
            f.set(found, f.call(possible_function(e.unit, action), e.state, me)[0])
    return found


def can_function(unit: Unit, symbol: g.EffectSymbol) -> Function:
    """Whether a named effect can begin; a replacement that is live answers for it."""
    parameters = [I32, I32]
    for slot in symbol.slots:
        parameters += unit.shapes.kinds(symbol.frame.types[slot])

    def write(f: Function) -> None:
        from regelwerk.interpreter.wasm.values import _bound

        e = _bound(unit, f, symbol.frame, [0, *symbol.slots])
        for each in symbol.requirements:
            with f.when(requirement(e, each, symbol.slots).eqz()):
                f.give(const(0))
        me = e.slots[0]
        assert isinstance(me, Value)
        for role in symbol.roles:
            if role.kind == "instead":
                with f.when(live(e, role, me, [e.slot(slot) for slot in symbol.slots])):
                    f.give(const(1))
        assert symbol.can is not None
        f.give(e.value(symbol.can))

    return unit.function(("can", symbol), f"{symbol.name} can begin", parameters, (I32,), write)


@writes(x.CanDo)
def _can_do(e: Emitter, node: x.CanDo) -> Operand:
    from regelwerk.interpreter.wasm.statements import given

    symbol = node.symbol
    kinds: list[Type] = [symbol.frame.types[slot] for slot in symbol.slots]
    me = e.known(node.me)
    return e.f.call(can_function(e.unit, symbol), e.state, me, *given(e, node.arguments, kinds))[0]


@writes(x.CanCell)
def _can_cell(e: Emitter, node: x.CanCell) -> Operand:
    f = e.f
    me, thing = e.known(node.me), e.known(node.thing)
    arguments = [e.keep(e.any(each)) for each in node.arguments]
    rows = e.program.things[node.column.entity].row_of
    found = f.copied(thing.ne(0))

    def test(row: int, cell: g.CellBody) -> Callable[[], None]:
        def write(f: Function) -> None:
            from regelwerk.interpreter.wasm.values import _bound

            inner = _bound(e.unit, f, cell.frame, list(range(2 + len(arguments))))
            assert cell.can is not None
            f.give(inner.value(cell.can))

        def do() -> None:
            name = f"{node.column.address} {row} can begin"
            f.set(found, call_cell(e, cell, "can cell", name, write, me, thing, arguments))

        return do

    cases: list[Case] = []
    for row, cell in enumerate(node.column.cells, 1):
        if isinstance(cell, g.CellBody) and cell.can is not None and row in node.rows:
            cases.append((row, test(row, cell)))
    by_case(e, e.unit.look_up(rows, thing), cases)
    return found
