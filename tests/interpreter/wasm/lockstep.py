"""Playing on both backends at once: bytes, options and faults must be equal after every decision."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

from regelwerk.interpreter import layout as la
from regelwerk.interpreter.api import Game
from regelwerk.interpreter.backends import Machine, ReferenceMachine, compiled, same_fault
from regelwerk.interpreter.decisions import Raw
from regelwerk.interpreter.faults import Fault
from regelwerk.interpreter.generator import below, seed_stream
from regelwerk.interpreter.layout import CELLS, HEADER, Image
from regelwerk.interpreter.program import Program

ROOT = Path(__file__).resolve().parents[3]
POLICIES = ("first", "last", "random")

Step = Callable[[Machine, Image], list[Raw] | None]


def game_files() -> list[Path]:
    """All games and variants that are shipped; what comes later joins by itself."""
    found = []
    for path in sorted((ROOT / "games").rglob("*.rules")):
        text = path.read_text(encoding="utf-8")
        if not path.stem.endswith("_scenarios") and any(
            line.startswith(("game ", "variant ")) for line in text.splitlines()
        ):
            found.append(path)
    return found


def place_of(program: Program, byte: int) -> str:
    """What a byte of the image belongs to."""
    if byte < CELLS:
        return f"header word `{HEADER[byte // 4]}`"
    if byte >= 4 * program.layout.frame_offset:
        return f"frame word {byte // 4 - program.layout.frame_offset}"
    for region in program.layout.regions:
        start = region.offset * region.width // 8
        if start <= byte < start + region.count * region.width // 8:
            return f"{region.name}[{(byte - start) * 8 // region.width}]"
    return "a stream of the generator"


class Twins:
    """One state on both backends."""

    def __init__(self, program: Program, seed: int) -> None:
        self.program, self.seed = program, seed
        self.reference, self.native = ReferenceMachine(program), compiled(program)
        self.one, self.two = program.start_image(seed), program.start_image(seed)
        self.fault: Fault | None = None
        self.faults: tuple[Fault, ...] = ()
        self.decisions = 0
        self.options = self._both(lambda machine, m: machine.begin(m))

    def step(self, index: int, seat: int = 0) -> None:
        """Take an option on both."""
        assert self.options is not None
        option = self.options[index]
        self.decisions += 1
        self.options = self._both(lambda machine, m: machine.resume(m, option, seat))

    def _both(self, work: Step) -> list[Raw] | None:
        found: list[list[Raw] | None] = []
        faults: list[Fault | None] = []
        for machine, image in ((self.reference, self.one), (self.native, self.two)):
            try:
                found.append(work(machine, image))
                faults.append(None)
            except Fault as fault:
                found.append(None)
                faults.append(fault)
        where = f"game {self.seed}, after {self.decisions} decisions"
        first, second = faults
        if first is not None or second is not None:
            assert first is not None, f"{where}: only the module is at fault: {second}"
            assert second is not None, f"{where}: only the reference is at fault: {first}"
            said = [(each.code, each.message, each.span) for each in (first, second)]
            assert same_fault(first, second), f"{where}: {said}"
            self.faults = (first, second)
            assert self.one.w[la.STATUS] == self.two.w[la.STATUS] == la.FAULTED
            assert self.one.w[la.DECISIONS] == self.two.w[la.DECISIONS]
            self.fault = first
            return None
        if self.one.b != self.two.b:
            wrong = [k for k, (a, b) in enumerate(zip(self.one.b, self.two.b, strict=True)) if a != b]
            named = sorted({place_of(self.program, k) for k in wrong})
            raise AssertionError(f"{where}: the bytes differ: {', '.join(named[:10])}")
        one, two = found
        assert (one or []) == (two or []), f"{where}: the options differ"
        return one


def play(program: Program, seed: int, policy: str, longest: int) -> Twins:
    """A game on both backends."""
    twins, random = Twins(program, seed), Random(seed)
    while twins.options and twins.decisions < longest:
        count = len(twins.options)
        twins.step({"first": 0, "last": count - 1}.get(policy, -1) if policy != "random" else random.randrange(count))
    return twins


def program_of(game: Game, players: int) -> Program:
    """The program of a game with its default options."""
    return game.program(players, game.seats[:players], {})


def same_random_game(program: Program, seed: int, longest: int) -> Image:
    """A game of random players, on the reference one decision after the other, and in the module by itself (once
    stopping after each decision, once without a stop): the same bytes, and the same fault if there is one."""
    image, streams = program.start_image(seed), [seed_stream(seed, k) for k in range(program.players)]
    reference, left, fault = ReferenceMachine(program), list(streams), None
    try:
        options = reference.begin(image)
        while image.w[la.STATUS] == la.DECISION and image.w[la.DECISIONS] < longest:
            index, seat = 0, image.w[la.ACTOR] - 1
            assert options is not None
            if len(options) > 1:
                left[seat], index = below(left[seat], len(options))
            options = reference.resume(image, options[index])
    except Fault as found:
        fault = found
    for every in (False, True):
        other = program.start_image(seed)
        played = compiled(program).play(other, seed, streams, longest, every)
        assert (played.fault is None) == (fault is None), f"seed {seed}, {every}: {played.fault}, {fault}"
        assert played.decisions == image.w[la.DECISIONS], f"seed {seed}, {every}"
        if fault is not None:
            assert played.fault is not None
            assert same_fault(fault, played.fault), f"seed {seed}, {every}: {played.fault}, {fault}"
        else:
            wrong = [k for k, (a, b) in enumerate(zip(image.b, other.b, strict=True)) if a != b]
            assert not wrong, f"seed {seed}, {every}: {sorted({place_of(program, k) for k in wrong})[:10]}"
    return image
