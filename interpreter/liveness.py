"""Which local variables of a body are still needed where it waits.

A body that waits keeps its locals in a frame of the image. Only those that it will read again are kept; the others are
zeroed, so that equal situations have equal bytes, whatever was computed on the way, and on every backend. This is the
classic backward data-flow analysis over the blocks of a proc: a local is live before an operation if the operation
reads it, or if it is live behind and not set there.

What a structured statement or an expression binds itself is its own affair: only what it reads from outside counts.
What a decision reads includes its texts, which hosts print while it waits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.walking import walk
from regelwerk.interpreter import ir

Effects = tuple[set[int], set[int]]
"""The slots that something reads, and those that it sets in any case."""


def outside(*nodes: object) -> set[int]:
    """The slots that expressions, heads, statements or texts read and do not bind themselves."""
    read: set[int] = set()
    bound: set[int] = set()
    for node in nodes:
        for each in walk(node) if node is not None else ():
            if isinstance(each, x.Local):
                read.add(each.slot)
            elif isinstance(each, x.Binder):
                bound |= {each.slot, each.it_slot, *each.fields}
                if each.chosen_slot is not None:
                    bound.add(each.chosen_slot)
            elif isinstance(each, x.Filter | x.Map | x.LetIn | x.Hoisted | t.Let | t.Everyone | t.Acting | t.Repeat):
                bound.add(each.slot)
    return read - bound


def _operation(node: object) -> Effects:
    handler = _OPERATIONS.get(type(node))
    return handler(node) if handler is not None else (outside(node), set())


def _let(node: t.Let | ir.SetLocal) -> Effects:
    return outside(node.value), {node.slot}


def _pay_costs(node: ir.PayCosts) -> Effects:
    action = node.action
    reads = {slot for _, _, slot in action.parameters}
    for clause in action.clauses:
        if isinstance(clause, tuple):
            reads.add(clause[0])
        elif isinstance(clause, g.CostSymbol):
            reads |= outside(clause.amount, clause.condition)
    return reads, set()


def _perform(node: ir.Perform) -> Effects:
    sets = {slot for _, slot in node.spills}
    return outside(node.statement), sets | ({node.what_slot} if node.what_slot is not None else set())


def _record_verb(node: ir.RecordVerb) -> Effects:
    return outside(node.me, node.things) | ({node.what_slot} if node.what_slot is not None else set()), set()


_OPERATIONS: dict[type, Callable[[Any], Effects]] = {
    t.Let: _let,
    ir.SetLocal: _let,
    ir.Increment: lambda node: ({node.slot}, {node.slot}),
    ir.Append: lambda node: ({node.list_slot, node.slot}, {node.list_slot}),
    ir.NextInList: lambda node: ({node.list_slot, node.index_slot}, {node.slot, node.index_slot}),
    ir.NextSeat: lambda node: ({node.next_slot}, {node.me_slot, node.next_slot}),
    ir.SetActive: lambda node: ({node.slot}, set()),
    ir.Record: lambda node: (set(node.slots), set()),
    ir.RecordVerb: _record_verb,
    ir.AskedFor: lambda node: (outside(node.statement), {node.asked_slot, node.what_slot}),
    ir.Perform: _perform,
    ir.CollectThings: lambda node: (outside(node.things), {node.list_slot}),
    ir.PayCosts: _pay_costs,
    ir.CollectTuples: lambda node: (outside(node.head), {node.list_slot}),
    ir.UnpackTuple: lambda node: ({node.list_slot, node.index_slot}, {*node.slots, node.index_slot}),
    ir.CollectPlayers: lambda node: (outside(node.players), {node.list_slot}),
    ir.CollectRoles: lambda node: (outside(node.me), {node.list_slot}),
    ir.OpenSeals: lambda node: ({node.seals.players_slot}, {node.seals.seals_slot}),
    ir.NextUnsealed: lambda node: (_seals(node.seals), {node.slot}),
    ir.SealNothing: lambda node: (_seals(node.seals) | {node.slot}, set()),
    ir.Learn: lambda node: (outside(node.me) | {node.slot}, set()),
}


def _seals(seals: ir.Seals) -> set[int]:
    return {seals.players_slot, seals.seals_slot}


def _condition(node: object) -> set[int]:
    if isinstance(node, ir.MoreInList):
        return {node.list_slot, node.index_slot}
    if isinstance(node, ir.Unsealed):
        return _seals(node.seals)
    if isinstance(node, ir.SkippedAll):
        return {node.slot}
    if isinstance(node, ir.Replaced):
        return set(node.argument_slots)
    if isinstance(node, ir.RequirementsHold):
        return set(node.argument_slots) | outside(*(each.condition for each in node.requirements))
    return outside(node)


def _asked(end: ir.End) -> set[int]:
    """What the end of a block reads."""
    if isinstance(end, ir.Branch):
        return _condition(end.condition)
    if isinstance(end, ir.Call):
        return outside(*end.arguments)
    if isinstance(end, ir.CallCell):
        return outside(end.thing, *end.arguments)
    if isinstance(end, ir.CallRole | ir.OrderEnd):
        return {end.list_slot, end.index_slot, *end.argument_slots}
    if isinstance(end, ir.CallReplacement):
        return {end.chosen_slot, *end.argument_slots}
    if isinstance(end, ir.ChooseEnd):
        choice = end.choice
        return outside(choice.me, choice.head, choice.prompt, choice.done, choice.done_when) | _answers(end)
    if isinstance(end, ir.OfferEnd):
        return outside(end.offer.me, end.offer.passing, end.offer.until_done) | _answers(end)
    if isinstance(end, ir.SealEnd):
        return outside(end.offer.me, end.offer.passing, end.offer.until_done) | _seals(end.seals)
    if isinstance(end, ir.CallSealed):
        return _seals(end.seals) | {end.cursor_slot}
    if isinstance(end, ir.AlternativesEnd):
        ways = end.alternatives.ways
        texts = [part for way in ways for part in (way.condition, way.label)]
        return outside(end.alternatives.me, *texts) | {end.alternatives.done_slot}
    if isinstance(end, ir.RollEnd):
        return outside(end.roll)
    if isinstance(end, ir.DrawEnd):
        return outside(end.draw)
    if isinstance(end, ir.SettleTopEnd):
        return outside(end.zone, end.count)
    if isinstance(end, ir.ShuffleStateEnd):
        return outside(end.shuffle)
    if isinstance(end, ir.RandomEnd):
        return outside(end.pick.head)
    return set()


def _answers(end: ir.ChooseEnd | ir.OfferEnd) -> set[int]:
    return set() if end.answers_slot is None else {end.answers_slot}


def ways_on(end: ir.End) -> list[tuple[ir.Block, set[int]]]:
    """The blocks that a block can go on with, each with the slots that are set on the way there."""
    if isinstance(end, ir.Branch):
        chosen = {end.condition.chosen_slot} if isinstance(end.condition, ir.Replaced) else set()
        return [(end.yes, chosen), (end.no, set())]
    if isinstance(end, ir.ChooseEnd):
        return [(end.body, {binder.slot for binder in end.choice.head.visible}), (end.otherwise, set())]
    if isinstance(end, ir.OfferEnd):
        return [*((block, set()) for block in end.after), (end.otherwise, set())]
    if isinstance(end, ir.SealEnd):
        return [(end.then, set()), (end.otherwise, set())]
    if isinstance(end, ir.AlternativesEnd):
        return [*((block, set()) for block in end.ways), (end.otherwise, set())]
    if isinstance(end, ir.DrawEnd):
        return [(end.then, {end.drawn_slot} if end.drawn_slot is not None else set())]
    if isinstance(end, ir.SettleTopEnd | ir.ShowTopEnd):
        return [(end.then, set()), (end.done, set())]
    if isinstance(end, ir.RandomEnd):
        return [(end.body, {end.pick.binder.slot}), (end.otherwise, set())]
    if isinstance(end, ir.Jump):
        return [(end.target, set())]
    then: ir.Block | None = getattr(end, "then", None)
    return [(then, set())] if then is not None else []


class Liveness:
    """The live slots of one proc: before each block, and where its operations are done and its end is waited for."""

    def __init__(self, proc: ir.Proc) -> None:
        self.before: list[frozenset[int]] = [frozenset() for _ in proc.blocks]
        self.waiting: list[frozenset[int]] = [frozenset() for _ in proc.blocks]
        effects = [[_operation(each) for each in _flat(block.operations)] for block in proc.blocks]
        changed = True
        while changed:
            changed = False
            for block in reversed(proc.blocks):
                assert block.end is not None
                live = {0} | _asked(block.end)
                for target, sets in ways_on(block.end):
                    live |= self.before[target.index] - sets
                self.waiting[block.index] = frozenset(live)
                for reads, sets in reversed(effects[block.index]):
                    live = (live - sets) | reads
                found = frozenset(live | {0})
                if found != self.before[block.index]:
                    self.before[block.index] = found
                    changed = True


def _flat(operations: Iterable[object]) -> list[object]:
    """Operations with sequences opened, so that what one statement sets counts for the next."""
    found: list[object] = []
    for each in operations:
        found += _flat(each.statements) if isinstance(each, t.Sequence) else [each]
    return found
