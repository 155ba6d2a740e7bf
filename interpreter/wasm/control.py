"""Connectives, choices between values, and one of several things to do."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from contextlib import ExitStack

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model.types import (
    strip,
)
from regelwerk.interpreter.wasm.binary import I32
from regelwerk.interpreter.wasm.code import Value, choose, const
from regelwerk.interpreter.wasm.emitter import Emitter, writes
from regelwerk.interpreter.wasm.shapes import Operand, Ref

CASES = 300
"""The greatest key for which a jump table is made."""


Case = tuple[int | Sequence[int], Callable[[], object]]
"""The numbers of a case, and what writes it."""


def by_case(e: Emitter, subject: Value, cases: Sequence[Case], otherwise: Callable[[], object] | None = None) -> None:
    """One of several things to do, by a number from 0 on."""
    f = e.f
    if not cases:
        if otherwise is not None:
            otherwise()
        return
    place: dict[int, int] = {}
    for k, (numbers, _) in enumerate(cases):
        for number in [numbers] if isinstance(numbers, int) else numbers:
            place[number] = k
    with f.block() as leave, ExitStack() as stack:
        miss = stack.enter_context(f.block())
        labels = [stack.enter_context(f.block()) for _ in cases][::-1]
        chosen = [labels[place[k]] if k in place else miss for k in range(max(place) + 1)]
        f.jump_table([*chosen, miss], subject)
        for _, write in cases:
            f.close()  # the code of a case stands behind its block
            write()
            f.leave(leave)
        f.close()
        if otherwise is not None:
            otherwise()
        stack.pop_all()


@writes(x.Both)
def _both(e: Emitter, node: x.Both) -> Operand:
    left = e.value(node.left)
    right = e.apart(lambda: e.value(node.right))
    if len(right.code) <= 8:
        return left & right
    return Value(I32, left.code + b"\x04\x7f" + right.code + b"\x05\x41\x00\x0b")


@writes(x.AnyOf)
def _any_of(e: Emitter, node: x.AnyOf) -> Operand:
    left = e.value(node.left)
    right = e.apart(lambda: e.value(node.right))
    if len(right.code) <= 8:
        return left | right
    return Value(I32, left.code + b"\x04\x7f\x41\x01\x05" + right.code + b"\x0b")


@writes(x.Negation)
def _negation(e: Emitter, node: x.Negation) -> Operand:
    return e.value(node.operand).eqz()


@writes(x.Present)
def _present(e: Emitter, node: x.Present) -> Operand:
    found = e.keep(e.any(node.value))
    with e.f.when(e.is_none(found, node.type)):
        e.unit.fault(e.f, "none", f"{node.what} cannot be none", node.span)
    return found


@writes(x.Select)
def _select(e: Emitter, node: x.Select) -> Operand:
    return e.either(
        e.value(node.condition),
        lambda: e.widened(node.consequence, node.type),
        lambda: e.widened(node.alternative, node.type),
        node.type,
    )


@writes(x.LetIn)
def _let_in(e: Emitter, node: x.LetIn) -> Operand:
    e.bind(node.slot, e.any(node.value))
    return e.any(node.body)


@writes(x.Hoisted)
def _hoisted(e: Emitter, node: x.Hoisted) -> Operand:
    f = e.f
    flag = e.hoisted.get(node.slot)
    if flag is None:  # hoisted out of no loop that runs here
        return e.any(node.value)
    if flag.const:
        return e.slot(node.slot)
    target = e.slot(node.slot, node.type)
    with f.when(flag.eqz()):
        e.assign(target, e.any(node.value))
        f.set(flag, 1)
    return target


def _constant_keys(e: Emitter, node: x.Switch) -> dict[int, x.Expr] | None:
    """The values by key, if all keys are small numbers that are known."""
    found: dict[int, x.Expr] = {}
    for key, value in node.cases:
        low, high = key if isinstance(key, tuple) else (key, key)
        if not (e.c.is_static(low) and e.c.is_static(high)):
            return None
        first, last = e.c.static(low), e.c.static(high)
        if not isinstance(first, int) or not isinstance(last, int) or first < 0 or last > CASES:
            return None
        for each in range(first, last + 1):
            found.setdefault(each, value)
    return found


def _switch_table(e: Emitter, node: x.Switch, keys: dict[int, x.Expr], subject: Value) -> Value | None:
    """The value from a constant table, if all values are known scalars."""
    values = [keys.get(k, node.default) for k in range(max(keys) + 1)]
    numbers: list[int] = []
    for each in [*values, node.default]:
        if not isinstance(each, x.Const) or not isinstance(each.value, int):
            return None
        numbers.append(each.value)
    inside = subject.two("le_u", len(values) - 1)
    found = e.unit.look_up(numbers[:-1], choose(inside, subject, const(0)))
    return choose(inside, found, const(numbers[-1]))


@writes(x.Switch)
def _switch(e: Emitter, node: x.Switch) -> Operand:
    f, form = e.f, e.shapes.form(node.type)
    subject = e.keep(e.any(node.subject))
    keys = _constant_keys(e, node) if isinstance(subject, Value) else None
    if keys and form == "scalar" and isinstance(subject, Value):
        table = _switch_table(e, node, keys, subject)
        if table is not None:
            return table
    target: Operand = Ref(f.variable(), strip(node.type)) if form == "ref" else e.place(node.type)

    def take(value: x.Expr) -> None:
        found = e.widened(value, node.type)
        if isinstance(target, Ref):
            assert isinstance(found, Ref)
            f.set(target.address, found.address)
        else:
            e.assign(target, found)

    def miss() -> None:
        if node.default is not None:
            take(node.default)
        else:
            e.unit.fault(f, "none", "no case fits", node.span)

    if keys and isinstance(subject, Value):
        numbers: dict[int, tuple[list[int], x.Expr]] = {}
        for number, value in keys.items():
            numbers.setdefault(id(value), ([], value))[0].append(number)
        cases: list[Case] = [(each, functools.partial(take, value)) for each, value in numbers.values()]
        by_case(e, subject, cases, miss)
        return target
    with f.block() as done:
        for key, value in node.cases:
            if isinstance(key, tuple):
                assert isinstance(subject, Value)
                low = e.known(key[0])
                test = (low <= subject) & (subject <= e.known(key[1]))
            else:
                test = e.same(subject, e.any(key), node.subject.type)
            with f.when(test):
                take(value)
                f.leave(done)
        miss()
    return target
