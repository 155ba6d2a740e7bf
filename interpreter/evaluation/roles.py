"""Standing rules: values with the modifiers that are live, and when a role in a cell is live.

Order, without numbers (language, section 9): `becomes`, then `also`, then `plus` and `minus`, then `at least`, `at
most`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import PlayerType, SetType, TallyType, Type, strip
from regelwerk.interpreter import layout as la
from regelwerk.interpreter.coverage import watched
from regelwerk.interpreter.evaluation.base import Closure, Compiled, Compiler, Value, members
from regelwerk.interpreter.evaluation.inlining import inline, is_small
from regelwerk.interpreter.evaluation.recursion import charged_cache, recursive_function
from regelwerk.interpreter.faults import Fault
from regelwerk.interpreter.layout import Image

Holders = Callable[[Image, int], list[tuple[int, int]]]
Woven = Callable[[Image, Value, int, list[Any]], Value]


def holders(c: Compiler, role: g.Role) -> Holders:
    """For a role and the `me` of an event or quantity: (who is `me` in the role, the copy it belongs to) for each
    live copy."""
    if role.row is None or role.row.entity.live_in is None:
        return lambda m, me: [(me, 0)]
    zone, row = role.row.entity.live_in, role.row
    things = c.program.things[row.entity]
    zones = c.program.zones
    copies = ((1 << things.row_count[row.index]) - 1) << things.first_of_row[row.index]
    base = zones.base[zone]
    players = range(1, c.program.players + 1)
    if not isinstance(zone.key, PlayerType):
        places = range(base, base + zones.instances[zone])
        return lambda m, me: [(me, copy) for place in places for copy in members(zones.as_set(m, place) & copies)]
    if role.by_anyone:
        return lambda m, me: [(p, copy) for p in players for copy in members(zones.as_set(m, base + p - 1) & copies)]
    if zones.single_word(zone):
        shift = zones.offset[base] - 1
        return lambda m, me: [(me, copy) for copy in members(m.u[shift + me] & copies)] if me else []
    return lambda m, me: [(me, copy) for copy in members(zones.as_set(m, base + me - 1) & copies)] if me else []


def decode(chosen: int) -> tuple[int, int, int]:
    """The number of a role, its holder and its copy, as `live_in_order` codes them."""
    return chosen >> 17, chosen >> 13 & 15, chosen & 8191


def live_in_order(c: Compiler, roles: list[g.Role], everybody: bool) -> Callable[[Image, int], list[int]]:
    """Which roles are live for whom: ownerless ones first, then owners from the active player on; within, as
    declared."""
    count = c.program.players
    found = []
    for index, role in enumerate(roles):
        anyone = g.Role(**{**role.__dict__, "by_anyone": True})
        found.append((index, role.row is None, holders(c, role), holders(c, anyone)))

    def order(m: Image, me: int) -> list[int]:
        start = m.w[la.ACTIVE] or 1
        keyed = []
        for index, ownerless, own, anyone in found:
            for holder, copy in (anyone if everybody and not me else own)(m, me):
                seat = 0 if ownerless else 1 + (holder - start) % count
                keyed.append((seat, index, copy, index << 17 | holder << 13 | copy))
        keyed.sort()
        return [each[3] for each in keyed]

    return order


def locals_for(role: g.Role, me: int, arguments: list[Any], copy: int = 0) -> list[Any]:
    """The locals of a role's body."""
    env: list[Any] = [0] * (2 * len(role.frame.types))
    env[0] = me
    if role.row is not None:
        env[1] = copy
    for slot, index in role.bindings:
        env[slot] = arguments[index]
    return env


def guards(c: Compiler, role: g.Role) -> list[Closure]:
    """The compiled conditions of `while`."""
    return [c.expr(each) for each in role.guards]


def live(c: Compiler, role: g.Role) -> Callable[[Image, int, list[Any]], bool]:
    """Whether a role holds for `me` and the target's arguments."""
    who, tests, coverage = holders(c, role), guards(c, role), c.program.coverage

    def test(m: Image, me: int, arguments: list[Any]) -> bool:
        for holder, copy in who(m, me):
            env = locals_for(role, holder, arguments, copy)
            if all(each(m, env) for each in tests):
                if coverage is not None:
                    coverage.count(role.span)
                return True
        return False

    return test


_CLASS = {"becomes": 0, "also": 1, "plus": 2, "minus": 2, "at_least": 3, "at_most": 4}


def modifiers(roles: list[g.Role]) -> list[g.Role]:
    """The rules among some that change a value, in the order in which they apply."""
    return sorted((role for role in roles if role.kind in _CLASS), key=lambda role: _CLASS[role.kind])


def modified(c: Compiler, roles: list[g.Role], kind: Type, value_of: Callable[[g.Role], Closure] | None) -> Woven:
    """The value after all live modifiers. `value_of` gives a role's change (by default its expression)."""
    parts = []
    for role in modifiers(roles):
        change = value_of(role) if value_of is not None else c.expr(role.value) if role.value is not None else None
        assert change is not None
        parts.append((role, holders(c, role), guards(c, role), watched(c.program.coverage, role.span, change)))
    tally = isinstance(strip(kind), TallyType)

    def woven(m: Image, value: Value, me: int, arguments: list[Any]) -> Value:
        replaced: Value | None = None
        for role, who, tests, change in parts:
            for holder, copy in who(m, me):
                env = locals_for(role, holder, arguments, copy)
                if tests and not all(test(m, env) for test in tests):
                    continue
                amount = change(m, env)
                if role.kind == "becomes":
                    if replaced is not None and replaced != amount:
                        raise Fault("clash", f"two rules give different values: {role.name}", role.span)
                    replaced = value = amount
                else:
                    value = _apply(role.kind, value, amount, tally)
        return value

    return woven


def _apply(kind: str, value: Value, amount: Value, tally: bool) -> Value:
    if kind == "also":
        return value | amount
    if tally:
        if kind == "plus":
            return tuple(a + b for a, b in zip(value, amount, strict=True))
        if kind == "minus":
            return tuple(max(0, a - b) for a, b in zip(value, amount, strict=True))
        function = max if kind == "at_least" else min
        return tuple(map(function, value, amount))
    if kind == "plus":
        return value + amount
    if kind == "minus":
        return value - amount
    return max(value, amount) if kind == "at_least" else min(value, amount)


def value_function(c: Compiler, symbol: g.ValueSymbol) -> Callable[[Image, list[Any]], Value]:
    """The function of a value: takes the image and its arguments (`me` first if it has that parameter)."""
    known: Callable[[Image, list[Any]], Value] | None = c.program.value_functions.get(symbol)
    if known is not None:
        return known
    frame = g.Frame(list(symbol.frame.types), list(symbol.frame.names))
    source = symbol.body if symbol.recursive else inline(c, symbol.body, frame, only_small=True)
    compiled = Compiled(symbol.slots, 2 * len(frame.types))
    cell: list[Closure] = []

    def plain(m: Image, arguments: list[Any]) -> Value:
        env = [0] * size
        for slot, argument in zip(slots, arguments, strict=True):
            env[slot] = argument
        return cell[0](m, env)

    slots, size = compiled.slots, compiled.size
    function: Callable[[Image, list[Any]], Value] = plain
    inner: list[Callable[[Image, list[Any]], Value]] = [plain]
    c.program.value_functions[symbol] = (lambda m, arguments: inner[0](m, arguments)) if symbol.recursive else function
    assert source is not None
    cell.append(c.expr(source))
    body = cell[0]
    if slots == [0]:

        def only_me(m: Image, arguments: list[Any]) -> Value:
            env = [0] * size
            env[0] = arguments[0]
            return body(m, env)

        function = only_me
    elif slots == [1]:

        def only_one(m: Image, arguments: list[Any]) -> Value:
            env = [0] * size
            env[1] = arguments[0]
            return body(m, env)

        function = only_one
    if symbol.roles:
        function = _woven_value(c, symbol, function)
    if symbol.recursive:
        function = inner[0] = recursive_function(symbol, function)
    if symbol in c.pinned:
        function = _pinned_value(c, symbol, function)
    elif not symbol.parameters and not symbol.takes_me and c.is_static_value(symbol):
        fixed = function(Image(bytearray(4096)), [])
        function = lambda m, arguments: fixed  # noqa: E731 - a closure like the others
    elif is_small(c, symbol):
        pass  # asking a table would take longer
    elif c.is_static_value(symbol):
        function = charged_cache(function)
    elif symbol.parameters:
        function = _remembered(function)
    c.program.value_functions[symbol] = function
    return function


def _remembered(function: Callable[[Image, list[Any]], Value]) -> Callable[[Image, list[Any]], Value]:
    def remembered(m: Image, arguments: list[Any]) -> Value:
        memo = m.memo
        if memo is None:
            return function(m, arguments)
        key = (function, *arguments)
        found = memo.get(key)
        if found is None:
            found = memo[key] = function(m, arguments)
        return found

    return remembered


def _woven_value(
    c: Compiler, symbol: g.ValueSymbol, plain: Callable[[Image, list[Any]], Value]
) -> Callable[[Image, list[Any]], Value]:
    assert symbol.type is not None
    woven = modified(c, symbol.roles, symbol.type, None)
    shift = 1 if symbol.takes_me else 0
    subject = -1
    if symbol.takes_me or (symbol.parameters and isinstance(symbol.parameters[0][1], PlayerType)):
        subject = 0

    def function(m: Image, arguments: list[Any]) -> Value:
        me = arguments[subject] if subject >= 0 else 0
        return woven(m, plain(m, arguments), me, arguments[shift:])

    return function


def _pinned_value(
    c: Compiler, symbol: g.ValueSymbol, plain: Callable[[Image, list[Any]], Value]
) -> Callable[[Image, list[Any]], Value]:
    pins = c.program.pins

    def function(m: Image, arguments: list[Any]) -> Value:
        key = (symbol, *arguments)
        return pins[key] if key in pins else plain(m, arguments)

    return function


__all__ = ["SetType", "guards", "holders", "live", "locals_for", "modified", "operator", "value_function"]
