"""Many games side by side in memory: beginning, stepping, playing on at random, trying out.

The host prepares a *plan*: words in memory that say where the states and the arrays of a batch lie (`PLAN`). Arrays
have an entry for each game. What runs over games takes the range of those it is to look at; the global `CURRENT` is the
number of the one it looks at, so that the host knows which game a trap stopped, and can go on behind it.

The records of the options of the next decision are kept for each game, the first `slots` of them: they are what a host
looks at to choose, and a step need not list them again to find the one that is chosen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regelwerk.interpreter import layout as la
from regelwerk.interpreter.wasm.binary import I32, I64
from regelwerk.interpreter.wasm.chance import GOLDEN, mixed
from regelwerk.interpreter.wasm.code import Function, Value, choose, const, load, load64
from regelwerk.interpreter.wasm.playing import let_play
from regelwerk.interpreter.wasm.procs import ANSWER, ASK
from regelwerk.interpreter.wasm.unit import CURRENT

if TYPE_CHECKING:
    from regelwerk.interpreter.wasm.module import Machine

PLAN = (
    "states",
    "stride",
    "actions",
    "counts",
    "seeds",
    "results",
    "records",
    "slots",
    "finals",
    "renew",
    "which",
    "sources",
    "scratch",
    "outcomes",
    "repeats",
    "longest",
    "reseed",
)
"""The words of a plan, in order.

states, stride  the first state, and how far they are apart
actions         the option that is taken (32 bits; `STAY`: none)
counts          how many options there are (32 bits)
seeds           of the game that runs (64 bits)
results         of a game that ended in the last step: the winners as a set, and what ended it (32 bits each)
records, slots  the options of each game, as many as have room
finals          0, or where the last states of games that ended are kept
renew           whether a game that has ended begins anew
which, sources  numbers of games, for what does not look at all of them
scratch         a place for one state
outcomes        of games that were tried out: winners, what ended them, decisions, status (32 bits each)
repeats         how often each is tried out
longest         how many decisions are made at most
reseed          whether chance is to come out otherwise than it would
"""
STAY = -1


def write_batches(machine: Machine) -> None:
    """Add what runs over many games to the exports of a module."""
    unit = machine.unit

    def add(name: str, parameters: tuple[int, ...], write: object) -> None:
        machine.exports[name] = unit.function(name, name, parameters, (I32,), write)  # type: ignore[arg-type]  # writes

    add("begin_batch", (I32, I32, I32), lambda f: _Batch(machine, f).begin())
    add("list_batch", (I32, I32, I32), lambda f: _Batch(machine, f).relist())
    add("copy_batch", (I32, I32, I32), lambda f: _Batch(machine, f).copy())
    add("step_batch", (I32, I32, I32), lambda f: _Batch(machine, f).step())
    add("play_on_batch", (I32, I32, I32, I64), lambda f: _Batch(machine, f).play_on())
    add("try_out_batch", (I32, I32, I32, I64), lambda f: _Batch(machine, f).try_out())


class _Batch:
    """Writes a function that runs over games; its first parameters are the plan and the range."""

    def __init__(self, machine: Machine, f: Function) -> None:
        self.machine, self.f, self.plan = machine, f, f.parameter(0)
        self.sites, self.layout = machine.sites, machine.program.layout
        self.first, self.last = f.parameter(1), f.parameter(2)
        self.known: dict[str, Value] = {}

    # ------------------------------------------------------------------------------------------------------- the plan
    def read(self, *names: str) -> None:
        """Read words of the plan, once."""
        for name in names:
            self.known[name] = self.f.keep(load(self.plan, 4 * PLAN.index(name)))

    def place(self, name: str, game: Value, size: int) -> Value:
        """Where the entry of a game lies in an array."""
        return self.f.keep(self.known[name] + game * size)

    def state(self, game: Value) -> Value:
        """Where the state of a game lies."""
        return self.f.keep(self.known["states"] + game * self.known["stride"])

    def note(self, game: Value, state: Value, count: Value) -> None:
        """Keep how many options a game has, and their records, which are in the buffer."""
        f, known = self.f, self.known
        found = f.keep(choose(load(state, 4 * la.STATUS).eq(la.DECISION), count, const(0)))
        f.store(self.place("counts", game, 4), found)
        used = f.keep(choose(found.two("lt_u", known["slots"]), found, known["slots"]))
        f.copy(
            known["records"] + game * known["slots"] * self.sites.options.width,
            const(self.sites.options.buffer),
            used * self.sites.options.width,
        )

    def ask(self, state: Value) -> Value:
        """List the options of a state; how many there are."""
        return self.f.call(self.machine.exports["go_on"], state, const(ASK))[0]

    # -------------------------------------------------------------------------------------------------- what is done
    def begin(self) -> None:
        """New games, with their seeds."""
        f = self.f
        self.read("states", "stride", "seeds", "counts", "records", "slots", "results", "which")
        with f.counting(self.first, self.last) as index:
            f.set_global(CURRENT, index)
            game = f.keep(load(self.known["which"] + index * 4))
            state = self.state(game)
            f.store64(self.place("results", game, 8), const(0, I64))
            seed = f.keep(load64(self.place("seeds", game, 8)))
            self.note(game, state, f.call(self.machine.exports["fresh"], state, seed)[0])
        f.give(self.last)

    def relist(self) -> None:
        """The options of states that the host has put in their places."""
        f = self.f
        self.read("states", "stride", "counts", "records", "slots", "results", "which")
        with f.counting(self.first, self.last) as index:
            f.set_global(CURRENT, index)
            game = f.keep(load(self.known["which"] + index * 4))
            state = self.state(game)
            f.store64(self.place("results", game, 8), const(0, I64))
            count = f.copied(const(0))
            with f.when(load(state, 4 * la.STATUS).eq(la.DECISION)):
                f.set(count, self.ask(state))
            self.note(game, state, count)
        f.give(self.last)

    def copy(self) -> None:
        """Make games copies of others."""
        f, width = self.f, self.sites.options.width
        self.read("states", "stride", "counts", "records", "slots", "results", "seeds", "which", "sources")
        slots = self.known["slots"]
        with f.counting(self.first, self.last) as index:
            game = f.keep(load(self.known["which"] + index * 4))
            source = f.keep(load(self.known["sources"] + index * 4))
            count = f.keep(load(self.place("counts", source, 4)))
            f.copy(self.state(game), self.state(source), self.layout.size)
            f.store(self.place("counts", game, 4), count)
            f.store64(self.place("seeds", game, 8), load64(self.place("seeds", source, 8)))
            f.store64(self.place("results", game, 8), load64(self.place("results", source, 8)))
            used = f.keep(choose(count.two("lt_u", slots), count, slots))
            records = self.known["records"]
            f.copy(records + game * slots * width, records + source * slots * width, used * width)
        f.give(self.last)

    def step(self) -> None:
        """Take an option of each game of a range, but for those with the action `STAY` and those in which nobody has to
        decide. A game that is over begins anew if that is wanted, with a seed that follows from its last one. Gives the
        number behind the last game that was stepped: a smaller one than asked for if an action is none of the options.
        """
        f, sites, width = self.f, self.sites, self.sites.options.width
        self.read("states", "stride", "actions", "counts", "records", "slots", "results")
        known = self.known
        game = f.copied(self.first)
        with f.while_(lambda: game < self.last):
            f.set_global(CURRENT, game)
            state = self.state(game)
            f.store64(self.place("results", game, 8), const(0, I64))
            action = f.keep(load(known["actions"] + game * 4))
            with f.when(action.ne(STAY) & load(state, 4 * la.STATUS).eq(la.DECISION)):
                with f.when(action.two("ge_u", load(known["counts"] + game * 4))):
                    f.give(game)
                with f.when(action.two("lt_u", known["slots"])):
                    sites.options.take(f, f.keep(known["records"] + (game * known["slots"] + action) * width))
                    f.otherwise()
                    self.ask(state)
                    sites.options.take(f, f.keep(action * width + sites.options.buffer))
                count = f.copied(f.call(self.machine.exports["go_on"], state, const(ANSWER))[0])
                with f.when(load(state, 4 * la.STATUS).eq(la.OVER)):
                    self._over(game, state, count)
                self.note(game, state, count)
            f.increase(game)
        f.give(game)

    def _over(self, game: Value, state: Value, count: Value) -> None:
        f, plan = self.f, self.plan
        result = self.place("results", game, 8)
        f.store(result, load(state, 4 * la.WINNERS))
        f.store(result, load(state, 4 * la.END), 4)
        finals = f.keep(load(plan, 4 * PLAN.index("finals")))
        with f.when(finals):
            f.copy(finals + game * self.known["stride"], state, self.layout.size)
        with f.when(load(plan, 4 * PLAN.index("renew"))):
            place = f.keep(load(plan, 4 * PLAN.index("seeds")) + game * 8)
            seed = f.keep(load64(place) + const(GOLDEN, I64))
            f.store64(place, seed)
            f.set(count, f.call(self.machine.exports["fresh"], state, seed)[0])

    def play_on(self) -> None:
        """Random players go on, in place; the last parameter seeds what they draw."""
        f = self.f
        self.read("states", "stride", "counts", "records", "slots", "results", "which", "longest", "reseed")
        with f.counting(self.first, self.last) as index:
            f.set_global(CURRENT, index)
            game = f.keep(load(self.known["which"] + index * 4))
            state = self.state(game)
            self._seed(state, f.keep(f.parameter(3) + index.widen()))
            count = f.copied(const(0))
            self._play(state, count)
            result = self.place("results", game, 8)
            f.store64(result, const(0, I64))
            with f.when(load(state, 4 * la.STATUS).eq(la.OVER)):
                f.store(result, load(state, 4 * la.WINNERS))
                f.store(result, load(state, 4 * la.END), 4)
            self.note(game, state, count)
        f.give(self.last)

    def try_out(self) -> None:
        """Copies of games are played on by random players, `repeats` of each; the games stay as they are. The range is
        one of such copies."""
        f = self.f
        self.read("states", "stride", "which", "longest", "reseed", "scratch", "outcomes", "repeats")
        scratch = self.known["scratch"]
        with f.counting(self.first, self.last) as index:
            f.set_global(CURRENT, index)
            game = f.keep(load(self.known["which"] + index.two("div_u", self.known["repeats"]) * 4))
            f.copy(scratch, self.state(game), self.layout.size)
            self._seed(scratch, f.keep(f.parameter(3) + index.widen()))
            outcome = f.keep(self.known["outcomes"] + (index - self.first) * 16)
            f.store(outcome, self._play(scratch, f.copied(const(0))), 8)
            f.store(outcome, load(scratch, 4 * la.WINNERS))
            f.store(outcome, load(scratch, 4 * la.END), 4)
            f.store(outcome, load(scratch, 4 * la.STATUS), 12)
        f.give(self.last)

    def _seed(self, state: Value, seed: Value) -> None:
        """Seed the random players, and chance if it is to come out otherwise."""
        f, layout = self.f, self.layout
        first = f.keep(mixed(f, seed))
        f.store64(const(self.machine.streams), mixed(f, f.keep(first - const(GOLDEN, I64))))
        with f.when(self.known["reseed"]):
            for number in range(len(layout.streams)):
                offset = const((number + 1) * GOLDEN, I64)
                f.store64(state, mixed(f, f.keep(first + offset)), layout.stream_offset + 8 * number)

    def _play(self, state: Value, count: Value) -> Value:
        """Random players make decisions, `longest` at most; gives how many. `count` becomes how many options there
        are then."""
        f = self.f
        before = f.copied(load(state, 4 * la.DECISIONS))
        with f.when(load(state, 4 * la.STATUS).eq(la.DECISION)):
            let_play(f, self.machine.streams, 0, self.known["longest"])
            f.set(count, self.ask(state))
        return f.keep(load(state, 4 * la.DECISIONS) - before)


__all__ = ["PLAN", "STAY", "write_batches"]
