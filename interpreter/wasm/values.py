"""Values and lines of scores as functions. What a value without state gives for few arguments is kept in a table that
fills itself."""

from __future__ import annotations

from collections.abc import Callable

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import OptionalType, PlayerType, Type, strip
from regelwerk.dsl.model.walking import walk
from regelwerk.interpreter.evaluation.inlining import SMALL, inline, is_few_operations, is_small
from regelwerk.interpreter.evaluation.recursion import CALL
from regelwerk.interpreter.evaluation.recursion import DEPTH as DEEPEST
from regelwerk.interpreter.wasm.answers import answers_of, parameter_types
from regelwerk.interpreter.wasm.binary import I32
from regelwerk.interpreter.wasm.code import Function, Value, const, load, load64
from regelwerk.interpreter.wasm.collections import is_sure
from regelwerk.interpreter.wasm.emitter import Emitter
from regelwerk.interpreter.wasm.remembering import remembered
from regelwerk.interpreter.wasm.shapes import Operand, Ref, Unsupported, Words
from regelwerk.interpreter.wasm.unit import WORK, Unit


def call_value(e: Emitter, node: x.Call) -> Operand:
    """A call."""
    symbol = node.symbol
    if symbol in e.c.pinned:
        raise Unsupported(f"the pinned value {symbol.name}")
    wanted = parameter_types(symbol)
    shift = 1 if symbol.takes_me else 0
    arguments = [e.keep(e.widened(each, kind)) for each, kind in zip(node.arguments, wanted, strict=True)]
    nones = [
        e.is_none(arguments[i], each.type)
        for i, each in enumerate(node.arguments)
        if isinstance(each.type, OptionalType)
        and not is_sure(e, each)
        and i >= shift
        and not isinstance(symbol.parameters[i - shift][1], OptionalType)
    ]
    assert symbol.type is not None
    kind = symbol.type
    if not nones:
        return _called(e, symbol, arguments)
    none = nones[0]
    for each in nones[1:]:
        none = none | each
    return e.either(none, lambda: e.empty(node.type), lambda: _called(e, symbol, arguments), kind)


def _called(e: Emitter, symbol: g.ValueSymbol, arguments: list[Operand]) -> Operand:
    assert symbol.type is not None
    if written_in_place(e.unit, symbol) or _is_short(e.unit, symbol):
        return _in_place(e, symbol, arguments)
    function, table = value_function(e.unit, symbol), answers_of(e.unit, symbol)
    if table is not None:
        return table.look_up(e, arguments, function)
    given: list[Value] = [e.state]
    for each in arguments:
        given += each.parts if isinstance(each, Words) else [each.address] if isinstance(each, Ref) else [each]
    form = e.shapes.form(symbol.type)
    if form == "ref":
        target = e.f.room(4 * e.shapes.room(symbol.type))
        e.f.call(function, *given, target)
        return Ref(target, strip(symbol.type))
    found = e.f.call(function, *given)
    return Words(tuple(found)) if form == "set" else found[0]


def written_in_place(unit: Unit, symbol: g.ValueSymbol) -> bool:
    """Whether a value that rules change is so small, with these rules, that a call of it would cost more."""
    assert symbol.type is not None
    if not symbol.roles or symbol.recursive or symbol.body is None or unit.shapes.form(symbol.type) == "ref":
        return False
    owners = [role.row for role in symbol.roles if role.row is not None and role.row.entity.live_in is not None]
    parts = [symbol.body, *(part for role in symbol.roles for part in [*role.guards, role.value] if part is not None)]
    return (
        not any(role.by_anyone for role in symbol.roles)
        and all(unit.program.things[row.entity].row_count[row.index] == 1 for row in owners)
        and sum(1 for part in parts for _ in walk(part)) <= SMALL
        and all(is_few_operations(unit.c, part) for part in parts)
    )


def _is_short(unit: Unit, symbol: g.ValueSymbol) -> bool:
    """Whether a value that no rule changes is so small that a call of it would cost more."""
    assert symbol.type is not None
    return (
        not symbol.recursive
        and symbol.body is not None
        and unit.shapes.form(symbol.type) != "ref"
        and is_small(unit.c, symbol)
    )


def _in_place(e: Emitter, symbol: g.ValueSymbol, arguments: list[Operand]) -> Operand:
    """The value, written where it is called."""
    assert symbol.body is not None
    assert symbol.type is not None
    frame = g.Frame(list(symbol.frame.types), list(symbol.frame.names))
    body = inline(e.c, symbol.body, frame, only_small=True)
    inner = e.within(frame)
    inner.slots.update(zip(symbol.slots, arguments, strict=True))
    found = inner.widened(body, symbol.type)
    return _changed_by_rules(inner, symbol, found) if symbol.roles else found


def _changed_by_rules(e: Emitter, symbol: g.ValueSymbol, found: Operand) -> Operand:
    from regelwerk.interpreter.wasm.roles import modified

    assert symbol.type is not None
    me: Value = const(0)
    if symbol.takes_me or (symbol.parameters and isinstance(symbol.parameters[0][1], PlayerType)):
        first = e.slots[symbol.slots[0]]
        assert isinstance(first, Value)
        me = first
    arguments = [e.slots[slot] for slot in symbol.slots[1 if symbol.takes_me else 0 :]]
    return modified(e, symbol.roles, symbol.type, found, me, arguments)


def value_function(unit: Unit, symbol: g.ValueSymbol) -> Function:
    """The function of a value: the state, its arguments, and for lists, tallies and records where the result goes."""
    assert symbol.type is not None
    parameters: list[int] = [I32]
    for kind in parameter_types(symbol):
        parameters += unit.shapes.kinds(kind)
    form = unit.shapes.form(symbol.type)
    results = unit.shapes.kinds(symbol.type) if form != "ref" else ()
    if form == "ref":
        parameters.append(I32)
    return unit.function(symbol, symbol.name, parameters, results, lambda f: _write_value(unit, f, symbol))


def _bound(unit: Unit, f: Function, frame: g.Frame, slots: list[int]) -> Emitter:
    """An emitter in which the parameters of the function are bound."""
    e = Emitter(unit, f, f.parameter(0), frame)
    place = 1
    for slot in slots:
        kind = frame.types[slot]
        count = len(unit.shapes.kinds(kind))
        values = [f.parameter(place + k) for k in range(count)]
        place += count
        form = unit.shapes.form(kind)
        operand: Operand = (
            Words(tuple(values)) if form == "set" else Ref(values[0], strip(kind)) if form == "ref" else values[0]
        )
        e.slots[slot] = operand
    return e


def _write_value(unit: Unit, f: Function, symbol: g.ValueSymbol) -> None:
    assert symbol.body is not None
    assert symbol.type is not None
    frame = g.Frame(list(symbol.frame.types), list(symbol.frame.names))
    body = symbol.body if symbol.recursive else inline(unit.c, symbol.body, frame, only_small=True)
    e = _bound(unit, f, frame, symbol.slots)
    table = answers_of(unit, symbol)
    if table is not None:
        found = e.keep(e.widened(body, symbol.type))
        answer = list(e.exactly(found, table.words)) if isinstance(found, Words) else [_scalar(found)]
        table.keep(f, [f.parameter(k) for k in range(1, len(f.parameters))], answer)
        f.give(*answer)
        return
    recursion = Recursion(e, symbol) if symbol.recursive else None
    if recursion is not None:
        recursion.test()
    fixed = _rememberable(unit, symbol)
    if fixed or (recursion is not None and _plain(unit, symbol)):
        kind = symbol.type

        def compute() -> tuple[Value, ...]:
            leave = recursion.enter() if recursion is not None else None
            found = e.keep(e.widened(body, kind))
            if leave is not None:
                leave()
            return e.exactly(found, len(f.results)) if isinstance(found, Words) else (_scalar(found),)

        keys = [f.parameter(k) for k in range(1, len(f.parameters))]
        if recursion is None:
            remembered(unit, f, keys, compute)
        else:
            remembered(unit, f, keys, compute, 1 << 14, 1 if fixed else recursion.question())
        return
    leave = recursion.enter() if recursion is not None else None
    found = e.widened(body, symbol.type)
    if symbol.roles:
        found = _changed_by_rules(e, symbol, found)
    _return(e, found, symbol.type, leave)


def _return(e: Emitter, found: Operand, kind: Type, leave: Callable[[], None] | None = None) -> None:
    f = e.f
    kept = e.keep(found)
    if leave is not None:
        leave()
    if isinstance(kept, Ref):
        e.store(f.parameter(len(f.parameters) - 1), kept, kind)
        f.give()
    elif isinstance(kept, Words):
        f.give(*e.exactly(kept, len(f.results)))
    else:
        f.give(kept)


def _rememberable(unit: Unit, symbol: g.ValueSymbol) -> bool:
    """Whether a value depends on its arguments alone, is dear enough, and these and its result are no lists."""
    return (
        bool(symbol.parameters)
        and unit.c.is_static_value(symbol)
        and not is_small(unit.c, symbol)
        and _plain(unit, symbol)
    )


def _plain(unit: Unit, symbol: g.ValueSymbol) -> bool:
    """Whether arguments and result are no lists, and no rule changes the result."""
    assert symbol.type is not None
    kinds = [*parameter_types(symbol), symbol.type]
    return not symbol.roles and all(unit.shapes.form(kind) != "ref" for kind in kinds)


class Recursion:
    """A value that calls itself: how deep it is, and what the call around it asks about."""

    def __init__(self, e: Emitter, symbol: g.ValueSymbol) -> None:
        assert symbol.shrinking is not None
        self.e, self.symbol = e, symbol
        self.name, self.kind = symbol.parameters[symbol.shrinking]
        measure = e.slots[symbol.slots[symbol.shrinking + (1 if symbol.takes_me else 0)]]
        self.wide = isinstance(measure, Words)
        self.parts = measure.parts if isinstance(measure, Words) else (_scalar(measure),)
        self.place = e.unit.volatile(8 + 8 * len(self.parts))
        self.depth = e.f.keep(load(const(self.place)))
        self.above = [e.f.keep(self._old(k)) for k in range(len(self.parts))]

    def _old(self, k: int) -> Value:
        return load64(const(self.place), 8 + 8 * k) if self.wide else load(const(self.place), 8)

    def test(self) -> None:
        """There must be less of what shrinks than in the call around it."""
        parts, above, symbol = self.parts, self.above, self.symbol
        if self.wide:
            more, differs = parts[0] & (above[0] ^ -1), parts[0] ^ above[0]
            for part, old in zip(parts[1:], above[1:], strict=True):
                more, differs = more | (part & (old ^ -1)), differs | (part ^ old)
            smaller = more.eqz() & differs.ne(0)
        else:
            smaller = (parts[0] < above[0]) & (parts[0] >= getattr(self.kind, "lowest", 0))
        with self.e.f.when(self.depth.ne(0) & smaller.eqz()):
            text = f"`{symbol.name}` calls itself without less `{self.name}`"
            self.e.unit.fault(self.e.f, "depth", text, symbol.span)

    def question(self) -> Value:
        """The number of the question that was asked from outside; what is answered while it is looked at counts for it
        alone."""
        f, place = self.e.f, self.e.unit.reserve(8)
        with f.when(self.depth.eqz()):
            f.store(const(place), load(const(place)) + 1)
            with f.when(load(const(place)).eqz()):
                f.store(const(place), 1)
        return f.keep(load(const(place)))

    def enter(self) -> Callable[[], None]:
        """Charge a call, and test that it is not too deep. Gives what is to be done when it returns."""
        f, unit, symbol = self.e.f, self.e.unit, self.symbol
        with f.when(self.depth >= DEEPEST):
            unit.fault(f, "depth", f"`{symbol.name}` calls itself more than {DEEPEST:,} times deep", symbol.span)
        f.set_global(WORK, f.global_(WORK) - CALL)
        with f.when(f.global_(WORK) < 0):
            unit.fault(f, "budget", f"`{symbol.name}` has too much to look at", symbol.span)
        self._note(self.depth + 1, self.parts)
        return lambda: self._note(self.depth, self.above)

    def _note(self, level: Value, values: list[Value] | tuple[Value, ...]) -> None:
        f = self.e.f
        f.store(const(self.place), level)
        for k, each in enumerate(values):
            if self.wide:
                f.store64(const(self.place), each, 8 + 8 * k)
            else:
                f.store(const(self.place), each, 8)


def _scalar(operand: Operand) -> Value:
    assert isinstance(operand, Value), "what shrinks is a number or a set"
    return operand


def score_line(unit: Unit, line: g.ScoreLine) -> Function:
    """One line of a score, for a player."""

    def write(f: Function) -> None:
        e = Emitter(unit, f, f.parameter(0), line.frame)
        e.slots[0] = f.parameter(1)
        assert line.value is not None
        f.give(e.value(line.value))

    return unit.function(line, line.name, (I32, I32), (I32,), write)
