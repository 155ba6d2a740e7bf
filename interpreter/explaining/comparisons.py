"""Comparisons unfolded: the values of both sides, and how far they are from coming out otherwise."""

from __future__ import annotations

from typing import Any

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import BoolType, IntType, OptionalType, TallyType, in_words, member_of, strip
from regelwerk.interpreter.evaluation.amounts import amounts
from regelwerk.interpreter.evaluation.base import NONE_NUMBER
from regelwerk.interpreter.evaluation.collections import iterates
from regelwerk.interpreter.evaluation.scalars import is_none
from regelwerk.interpreter.explaining.reading import UNKNOWN, Here, NoValue, Reading, unfolds
from regelwerk.interpreter.explaining.reasons import Change, Reason

ONE_OF = 8
"""So many values are named that something would have to be one of."""

OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


# --------------------------------------------------------------------------------------------------------------- order
@unfolds(x.Ordered)
def _ordered(r: Reading, node: x.Ordered, here: Here) -> Reason:
    try:
        left, right = r.value(node.left, here), r.value(node.right, here)
        holds = bool(r.value(node, here))
    except NoValue as error:
        return r.without_value(node, error)
    value = f"{r.shown(node.left, here)} {node.operator} {r.shown(node.right, here)}"
    source = r.source(node.span)
    wanted = OPPOSITE[node.operator] if holds else node.operator
    parts = r.sides(here, node.left, node.right)
    return Reason(
        "leaf",
        source,
        node.span,
        holds,
        value,
        parts=parts,
        change=_ordered_change(r, node, here, wanted, left, right),
    )


def _ordered_change(r: Reading, node: x.Ordered, here: Here, wanted: str, left: Any, right: Any) -> Change:
    """What would make `left wanted right` hold."""
    if NONE_NUMBER in (left, right):
        nothing = node.left if left == NONE_NUMBER else node.right
        return Change(f"`{r.source(nothing.span)}` must not be none", here.address, node.span)
    moved, fixed, value, bound = node.left, node.right, left, right
    fixed_side = isinstance(moved, x.Const) or (store_name(r, moved, here) is None and store_name(r, fixed, here))
    if fixed_side:
        moved, fixed, value, bound, wanted = fixed, moved, right, left, MIRRORED[wanted]
    target = bound + 1 if wanted == ">" else bound - 1 if wanted == "<" else bound
    return number_change(r, moved, here, value, target, "at least" if wanted in (">", ">=") else "at most", node)


def number_change(
    r: Reading, moved: x.Expr, here: Here, value: int, target: int, relation: str, where: x.Expr
) -> Change:
    """A number that would have to be `target` (at least, at most, or just that)."""
    gap, kind = target - value, strip(moved.type)
    number = in_words(abs(gap), kind) if isinstance(kind, IntType) else str(abs(gap))
    found = store_name(r, moved, here)
    if found is not None:
        words, whose, key = found
        noun = words.one if number == "1" else words.many
        more = f"{number} more {noun}" if gap > 0 else f"{number} fewer {noun}" if number != "1" else f"1 {noun} less"
        return Change(f"{more}{whose}", here.address, where.span, abs(gap), key if gap > 0 else "")
    wanted = in_words(target, kind) if isinstance(kind, IntType) else str(target)
    told = f"`{r.source(moved.span)}` {relation} {wanted} (it is {r.shown(moved, here)})"
    return Change(told.replace("  ", " "), here.address, where.span, abs(gap))


def store_name(r: Reading, node: x.Expr, here: Here) -> tuple[g.Words, str, str] | None:
    """The noun of what an expression reads off a store of goods, whose it is in words, and a name for the store."""
    if isinstance(node, x.InHalves):
        return None
    if isinstance(node, x.TrackRead):
        words, holder = node.symbol.words, node.player
        name = node.symbol.name
    elif isinstance(node, x.ResourceRead):
        words, holder, name = node.symbol.words, node.holder, node.symbol.name
        if node.symbol.kinds is not None:
            if node.unit is None:
                return None
            try:
                member = r.value(node.unit, here)
            except NoValue:
                return None
            words = node.symbol.kinds.members[member - 1][2]
            name = f"{name} {member}"
    else:
        return None
    if isinstance(holder, x.Bank):
        return words, " in the bank", f"{name} of the bank"
    try:
        who = r.printed(r.value(holder, here), holder.type)
    except NoValue:
        return None
    mine = isinstance(holder, x.Local) and holder.slot == 0
    return words, "" if mine else f" of {who}", f"{name} of {who}"


# ------------------------------------------------------------------------------------------------------------ equality
@unfolds(x.Equal)
def _equal(r: Reading, node: x.Equal, here: Here) -> Reason:
    source = r.source(node.span)
    try:
        holds = bool(r.value(node, here))
    except NoValue as error:
        return r.without_value(node, error)
    asks_none = isinstance(node.right, x.Const) and _optional(node.left) and is_none(node.right.value, node.left.type)
    right = "none" if asks_none else r.shown(node.right, here)
    left = r.shown(node.left, here)
    built = r.source(node.left.span) == source  # `x is empty`: the sides were not written
    value = left if asks_none or built else f"{left} is {right}" if holds else f"{left} is not {right}"
    parts = () if built else r.sides(here, node.left, node.right)
    change = _equal_change(r, node, here, holds, left, right)
    return Reason("leaf", source, node.span, holds, value, parts=parts, change=change)


def _optional(node: x.Expr) -> bool:
    return isinstance(node.type, OptionalType) or isinstance(node, x.ZoneEnd)


def _equal_change(r: Reading, node: x.Equal, here: Here, holds: bool, left: str, right: str) -> Change:
    moved, fixed, seen, bound = node.left, node.right, left, right
    if isinstance(moved, x.Const) and not isinstance(fixed, x.Const):
        moved, fixed, seen, bound = fixed, moved, right, left
    name = r.source(moved.span)
    built = name == r.source(node.span)  # `x is empty`: the sides were not written
    if built or (isinstance(strip(moved.type), BoolType) and not isinstance(fixed, x.Const)):
        return Change(f"`{r.source(node.span)}` must {'not hold' if holds else 'hold'}", here.address, node.span)
    if holds:
        return Change(f"`{name}` must not be {bound}", here.address, node.span)
    if isinstance(strip(moved.type), IntType) and isinstance(strip(fixed.type), IntType):
        try:
            value, target = r.value(moved, here), r.value(fixed, here)
        except NoValue:
            value = target = NONE_NUMBER
        if NONE_NUMBER not in (value, target):
            return number_change(r, moved, here, value, target, "must be", node)
    was = f" (it is {seen})" if seen not in ("hidden", name) else ""
    return Change(f"`{name}` must be {bound}{was}", here.address, node.span)


# ---------------------------------------------------------------------------------------------------------- membership
@unfolds(x.Contains)
def _contains(r: Reading, node: x.Contains, here: Here) -> Reason:
    source = r.source(node.span)
    try:
        holds = bool(r.value(node, here))
        collection = r.value(node.collection, here)
    except NoValue as error:
        return r.without_value(node, error)
    item, among = r.shown(node.item, here), r.shown(node.collection, here)
    value = f"{item} {'in' if holds else 'not in'} {among}"
    parts = r.sides(here, node.item, node.collection)
    name = r.source(node.item.span)
    if holds:
        text = f"`{name}` must not be one of `{r.source(node.collection.span)}`"
    elif here.sight.hides(node.collection) or isinstance(node.item, x.Const | x.RowConst):
        text = f"{item} in `{r.source(node.collection.span)}`"
    else:
        text = one_of(r, name, node.collection, collection)
    return Reason("leaf", source, node.span, holds, value, parts=parts, change=Change(text, here.address, node.span))


def one_of(r: Reading, name: str, collection: x.Expr, value: Any) -> str:
    """`x` one of: A, B, C."""
    kind = member_of(collection.type)
    items = list(iterates(collection.type)(value)) if kind is not None else []
    if kind is None or not items:
        return f"`{name}` in `{r.source(collection.span)}` (there is nothing in it)"
    shown = list(dict.fromkeys(r.printed(each, kind) for each in items))
    more = f" and {len(shown) - ONE_OF} more" if len(shown) > ONE_OF else ""
    if len(shown) == 1:
        return f"`{name}` must be {shown[0]}"
    return f"`{name}` one of: {', '.join(shown[:ONE_OF])}{more}"


@unfolds(x.Between)
def _between(r: Reading, node: x.Between, here: Here) -> Reason:
    source = r.source(node.span)
    try:
        holds = bool(r.value(node, here))
        item, low, high = (r.value(each, here) for each in (node.item, node.lowest, node.highest))
    except NoValue as error:
        return r.without_value(node, error)
    shown = [r.shown(each, here) for each in (node.item, node.lowest, node.highest)]
    value = f"{shown[0]} {'in' if holds else 'not in'} {shown[1]}..{shown[2]}"
    parts = r.sides(here, node.item, node.lowest, node.highest)
    if holds or NONE_NUMBER in (item, low, high):
        change = Change(f"`{source}` must {'not hold' if holds else 'hold'}", here.address, node.span)
    elif low > high:
        change = Change(f"`{source}` must hold (no number is in it)", here.address, node.span)
    else:
        change = number_change(
            r, node.item, here, item, low if item < low else high, "at least" if item < low else "at most", node
        )
    return Reason("leaf", source, node.span, holds, value, parts=parts, change=change)


# -------------------------------------------------------------------------------------------------------------- tallies
@unfolds(x.TallyCompare)
def _tallies(r: Reading, node: x.TallyCompare, here: Here) -> Reason:
    source = r.source(node.span)
    try:
        holds = bool(r.value(node, here))
        left, right = r.value(node.left, here), r.value(node.right, here)
    except NoValue as error:
        return r.without_value(node, error)
    value = f"{r.shown(node.left, here)} {node.operator} {r.shown(node.right, here)}"
    parts = r.sides(here, node.left, node.right)
    kind = strip(node.left.type)
    large, small = (left, right) if node.operator == ">=" else (right, left)
    moved = node.left if node.operator == ">=" else node.right
    missing = tuple(max(0, b - a) for a, b in zip(large, small, strict=True))
    if holds or not isinstance(kind, TallyType):
        change = Change(f"`{source}` must {'not hold' if holds else 'hold'}", here.address, node.span)
    else:
        text = f"{r.texts.tally(missing, kind)} more in `{r.source(moved.span)}`"
        change = Change(text, here.address, node.span, sum(missing))
    return Reason("leaf", source, node.span, holds, value, parts=parts, change=change)


# ------------------------------------------------------------------------------------------------------ what can begin
@unfolds(x.CanPay)
def _can_pay(r: Reading, node: x.CanPay, here: Here) -> Reason:
    source = r.source(node.span)
    try:
        holds = bool(r.value(node, here))
        player = r.value(node.me, here)
        price = amounts(r.program.compiler, node.amount)(r.m, here.env[:])
    except (NoValue, *UNKNOWN) as error:
        return r.without_value(node, error if isinstance(error, NoValue) else NoValue("it has no value here"))
    value, missing = purse_reading(r, player, price)
    change = shortage(r, here.address, node.span, player, missing) if not holds else None
    if change is None:
        change = Change(f"`{source}` must not be payable", here.address, node.span)
    return Reason("leaf", source, node.span, holds, value, what="can", note="must be payable", change=change)


def purse_reading(r: Reading, player: int, price: list[tuple[int, int]]) -> tuple[str, list[tuple[int, int]]]:
    """What is needed and what is there, in words; and what is missing, by units."""
    purses, total = r.program.purses, dict[int, int]()
    for unit, count in price:
        total[unit] = total.get(unit, 0) + max(0, count)
    has, missing = [], []
    for unit, count in total.items():
        purse = purses[unit]
        there = purse.of(r.m, player) - (purse.lowest if purse.is_track else 0) if player else 0
        has.append((unit, there))
        if there < count:
            missing.append((unit, count - there))
    needs = r.texts.amount(list(total.items()))
    return f"needs {needs}, has {' and '.join(_amount(r, u, n) for u, n in has) or 'nothing'}", missing


def _amount(r: Reading, unit: int, count: int) -> str:
    symbol = r.program.game.units[unit]
    number = in_words(count, symbol.type)
    return f"{number} {symbol.words.one if number == '1' else symbol.words.many}"


def shortage(r: Reading, address: str, span: Any, player: int, missing: list[tuple[int, int]]) -> Change | None:
    """`2 more coins`, from what is missing."""
    if not missing:
        return None
    units = r.program.game.units
    parts = []
    for unit, count in missing:
        number = in_words(count, units[unit].type)
        parts.append(f"{number} more {units[unit].words.one if number == '1' else units[unit].words.many}")
    store = ""
    if len(missing) == 1 and player:
        symbol = units[missing[0][0]]
        member = f" {symbol.member}" if symbol.member is not None else ""
        store = f"{symbol.symbol.name}{member} of {r.program.seats[player - 1]}"
    text = f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else parts[0]
    return Change(text, address, span, sum(count for _, count in missing), store)


@unfolds(x.HasRoom)
def _room(r: Reading, node: x.HasRoom, here: Here) -> Reason:
    try:
        holds, zone = bool(r.value(node, here)), r.value(node.zone, here)
    except NoValue as error:
        return r.without_value(node, error)
    zones = r.program.zones
    count, capacity = zones.count(r.m, zone), zones.capacity[zone]
    value = f"{count} of {capacity}" if capacity else f"{count}, without a limit"
    text = f"room in {r.texts.zone(zone)}" if not holds else f"{r.texts.zone(zone)} must be full"
    change = Change(text, here.address, node.span)
    return Reason("leaf", r.source(node.span), node.span, holds, value, what="room", change=change)


@unfolds(x.CanDo)
def _can_do(r: Reading, node: x.CanDo, here: Here) -> Reason:
    symbol = node.symbol
    try:
        env = [0] * (2 * len(symbol.frame.types))
        env[0] = r.value(node.me, here)
        for slot, each in zip(symbol.slots, node.arguments, strict=True):
            env[slot] = r.value(each, here)
    except NoValue as error:
        return r.without_value(node, error)
    sight = here.sight.inside(symbol, {0: node.me, **dict(zip(symbol.slots, node.arguments, strict=False))})
    inner = here.inside(env, symbol.frame, sight, symbol.address)
    parts = [r.unfold(each.condition, inner) for each in symbol.requirements]
    if symbol.can is not None:
        parts.append(r.unfold(symbol.can, inner))
    replaced = any(role.kind == "instead" for role in symbol.roles)
    if not parts or replaced:
        return r.leaf(node, here, note=f"`{symbol.name}` must be able to begin")
    return r.joined("all", node, here, parts, f"`{symbol.name}` must be able to begin")


@unfolds(x.CanCell)
def _can_cell(r: Reading, node: x.CanCell, here: Here) -> Reason:
    try:
        thing, me = r.value(node.thing, here), r.value(node.me, here)
        arguments = [r.value(each, here) for each in node.arguments]
    except NoValue as error:
        return r.without_value(node, error)
    row = r.program.things[node.column.entity].row_of[thing] if thing else 0
    cell = node.column.cells[row - 1] if 0 < row <= len(node.column.cells) else None
    if not isinstance(cell, g.CellBody) or cell.can is None or row not in node.rows:
        return r.leaf(node, here, note="the effect must be able to begin")
    env = [0] * (2 * len(cell.frame.types))
    env[0], env[1] = me, thing
    for index, value in enumerate(arguments):
        env[2 + index] = value
    places = {0: node.me, 1: node.thing, **{2 + k: each for k, each in enumerate(node.arguments)}}
    sight = here.sight.inside(node.column, places)
    inner = here.inside(env, cell.frame, sight, node.column.address)
    return r.joined("all", node, here, [r.unfold(cell.can, inner)], f"`{r.source(cell.span)}` must be able to begin")


@unfolds(x.CanOffer)
def _can_offer(r: Reading, node: x.CanOffer, here: Here) -> Reason:
    try:
        me = r.value(node.me, here)
    except NoValue as error:
        return r.without_value(node, error)
    parts = []
    for action in node.actions:
        try:
            possible = bool(me) and r.program.action_options(action).possible(r.m, me)
        except UNKNOWN:
            possible = False
        change = Change(f"an option of `{action.name}`", action.name, action.span)
        parts.append(Reason("leaf", action.name, action.span, possible, what="action", change=change))
    return r.joined("any", node, here, parts)


__all__ = ["number_change", "one_of", "purse_reading", "shortage", "store_name"]
