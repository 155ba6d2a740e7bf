"""Sealed answers: players who decide together answer in any order, and nothing happens before the last one has.

Each player has a record of fixed size in the frame of the phase, so that the bytes of a state say who has answered
what, and not in which order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from regelwerk.interpreter import ir
from regelwerk.interpreter.decisions import PASS, Raw, Site
from regelwerk.interpreter.evaluation.base import Closure, Compiler, Locals
from regelwerk.interpreter.evaluation.statements import runs
from regelwerk.interpreter.frames import CompiledBlock, codec, read_value, write_value
from regelwerk.interpreter.layout import Image
from regelwerk.interpreter.seal_records import open_players, write_record

_NOTHING = PASS + 2
"""The first word of the record of somebody who has no option or passes."""


@runs(ir.OpenSeals)
def _open(c: Compiler, node: ir.OpenSeals) -> Closure:
    seals = node.seals

    def run(m: Image, env: Locals) -> None:
        env[seals.seals_slot] = (0,) * (seals.size * len(env[seals.players_slot]))

    return run


@runs(ir.NextUnsealed)
def _next(c: Compiler, node: ir.NextUnsealed) -> Closure:
    slot, seals = node.slot, node.seals

    def run(m: Image, env: Locals) -> None:
        env[slot] = open_players(seals, env)[0]

    return run


@runs(ir.SealNothing)
def _nothing(c: Compiler, node: ir.SealNothing) -> Closure:
    slot, seals = node.slot, node.seals
    return lambda m, env: write_record(seals, env, env[slot], [_NOTHING])


def unsealed(seals: ir.Seals) -> Closure:
    """Whether somebody has not answered yet."""
    return lambda m, env: bool(open_players(seals, env))


def seats_asked(site: Site, m: Image, env: Locals) -> list[int]:
    """Who has not answered yet and has something to answer; `env` are the locals of the phase."""
    assert isinstance(site.end, ir.SealEnd)
    asked = []
    for player in open_players(site.end.seals, env):
        own = list(env)
        own[0] = player
        if site.options(m, own):
            asked.append(player)
    return asked


def take_sealed(
    c: Compiler, end: ir.SealEnd, then: CompiledBlock
) -> Callable[[Image, Locals, Raw], tuple[CompiledBlock, None]]:
    """What an answer does: it is sealed."""
    codecs = [[codec(c, kind) for _, kind, _ in action.parameters] for action in end.offer.actions]

    def take(m: Image, env: Locals, option: Raw) -> tuple[CompiledBlock, None]:
        way, values = option
        record = [way + 2]
        if way >= 0:
            for (form, size), value in zip(codecs[way], values, strict=True):
                write_value(record, form, size, value)
        write_record(end.seals, env, env[0], record)
        return then, None

    return take


def sealed_call(c: Compiler, end: ir.CallSealed) -> Callable[[Image, Locals], Any]:
    """The next player's action, opened; None if he took none."""
    codecs = [[codec(c, kind) for _, kind, _ in action.parameters] for action in end.offer.actions]
    numbers, seals, cursor = [proc.number for proc in end.procs], end.seals, end.cursor_slot

    def call(m: Image, env: Locals) -> Any:
        index = env[cursor]
        env[cursor] = index + 1
        words, place = env[seals.seals_slot], index * seals.size
        way = words[place] - 2
        if way < 0:
            return None
        place += 1
        values = []
        for form, size in codecs[way]:
            value, place = read_value(words, place, form, size)
            values.append(value)
        return numbers[way], [env[seals.players_slot][index], *values]

    return call
