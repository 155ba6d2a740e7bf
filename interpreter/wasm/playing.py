"""Playing inside the module: random players, copies of states.

A random player takes each option with the same chance, from the stream of its seat as `tools.bots` does; of one option
nothing is drawn. So a game is the same whether the host asks its bots or the module plays by itself.

Nothing stops for random players: they are told beforehand how many decisions to make (`let_play`), and each decision is
made where it comes up (`sites`), without leaving the bodies that run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regelwerk.interpreter import layout as la
from regelwerk.interpreter.wasm.binary import I32, I64
from regelwerk.interpreter.wasm.chance import GOLDEN, mixed
from regelwerk.interpreter.wasm.code import Function, Value, choose, const, load
from regelwerk.interpreter.wasm.emitter import Emitter
from regelwerk.interpreter.wasm.procs import ASK
from regelwerk.interpreter.wasm.unit import EACH, FREE, STREAM, WANTED

if TYPE_CHECKING:
    from regelwerk.interpreter.wasm.module import Machine


def write_playing(machine: Machine) -> None:
    """Add what plays to the exports of a module."""
    unit = machine.unit

    def add(name: str, parameters: tuple[int, ...], results: tuple[int, ...], write: object) -> None:
        machine.exports[name] = unit.function(name, name, parameters, results, write)  # type: ignore[arg-type]  # writes

    add("check", (I32,), (I32,), lambda f: _check(machine, f))
    add("playout", (I32, I32, I32), (I32,), lambda f: _playout(machine, f))
    add("fresh", (I32, I64), (I32,), lambda f: _fresh(machine, f))
    add("clone", (I32, I32, I32, I32), (), lambda f: _clone(machine, f))
    add("play_batch", (I32, I64, I32, I32), (I64,), lambda f: _play_batch(machine, f))


def _check(machine: Machine, f: Function) -> None:
    """Note the invariants that do not hold: for each that was not noted before, how many decisions were made. Gives
    how many are violated."""
    unit, state = machine.unit, f.parameter(0)
    machine._reset(f)
    count = f.copied(const(0))
    for number, symbol in enumerate(s for s in unit.program.game.invariants if s.condition is not None):
        assert symbol.condition is not None
        e = Emitter(unit, f, state, symbol.frame)
        with f.when(e.value(symbol.condition).eqz()):
            f.increase(count)
            with f.when(load(const(machine.violated), 4 * number) < 0):
                f.store(const(machine.violated), load(state, 4 * la.DECISIONS), 4 * number)
    f.give(count)


def let_play(f: Function, stream: int, apart: int, decisions: Value) -> None:
    """Let random players make so many decisions in what is run next. `stream` is the address of their streams, which
    are so many bytes apart for each seat, or the same (0)."""
    f.set_global(STREAM, stream)
    f.set_global(EACH, apart)
    f.set_global(WANTED, decisions)


def _playout(machine: Machine, f: Function) -> None:
    """Random players play on from a state whose options are listed now, at most until so many decisions were made; the
    last parameter says whether invariants are looked at after each. Gives how many decisions they made."""
    state, longest, every = f.parameter(0), f.parameter(1), f.parameter(2)
    before = f.copied(load(state, 4 * la.DECISIONS))
    with f.while_(lambda: load(state, 4 * la.STATUS).eq(la.DECISION)) as (_, leave):
        left = f.keep(longest - load(state, 4 * la.DECISIONS))
        f.leave_if(leave, left <= 0)
        let_play(f, machine.streams, 8, choose(every, const(1), left))
        f.call(machine.exports["go_on"], state, const(ASK))
        with f.when(every):
            f.call(machine.exports["check"], state)
    f.give(load(state, 4 * la.DECISIONS) - before)


def _fresh(machine: Machine, f: Function) -> None:
    """A new game from a seed, run to its first decision; gives how many options there are."""
    state, seed = f.parameter(0), f.parameter(1)
    layout = machine.program.layout
    start = machine.program.start_image(0)
    f.copy(state, const(machine.unit.bytes_at(bytes(start.b), 16)), layout.size)
    first = f.keep(mixed(f, seed))
    for number in range(len(layout.streams)):
        offset = const((number + 1) * GOLDEN, I64)
        f.store64(state, mixed(f, f.keep(first + offset)), layout.stream_offset + 8 * number)
    f.store(const(machine.unit.memory_arguments), 0)
    f.give(f.call(machine.exports["begin"], state, const(machine.program.main.number))[0])


def _clone(machine: Machine, f: Function) -> None:
    """Copy one state to many places: the first of them, the source, how far they are apart, how many."""
    target, source, stride, count = (f.parameter(k) for k in range(4))
    place = f.copied(target)
    with f.counting(0, count):
        f.copy(place, source, machine.program.layout.size)
        f.increase(place, stride)


def _play_batch(machine: Machine, f: Function) -> None:
    """Random games one after the other, in one state: its address, the seed of the first game, how many games, the
    most decisions of a game. Gives how many decisions were made, in the upper half those with an alternative."""
    state, seed, games, longest = (f.parameter(k) for k in range(4))
    made = f.variable()
    f.set_global(FREE, 0)
    with f.counting(0, games) as game:
        number = f.keep(seed + game.widen())
        f.store64(const(machine.streams), mixed(f, f.keep(number + const(1, I64))))
        let_play(f, machine.streams, 0, longest)
        f.call(machine.exports["fresh"], state, number)
        f.increase(made, load(state, 4 * la.DECISIONS))
    f.give(made.widen() | (f.global_(FREE).widen() << const(32, I64)))
