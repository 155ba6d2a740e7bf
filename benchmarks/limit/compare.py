"""Whether the hand-written Vienna in C plays the same game as the rules.

    .venv/bin/python benchmarks/limit/compare.py [--players 3 4 5] [--games N] [--limit-games N] [--traced N] [--seed N]

Two comparisons, which need each other:

- The interpreter is led through traced games of the C program, with its chance and its choices. Each decision must be
  of the same seat with the same options, each outcome of chance possible, each ending the same. This finds differences
  in the rules, but says nothing of how evenly chance and choices are drawn.
- Independent random games of both must be equal in distribution: decisions, options per decision, rounds, points of
  each seat, winners, endings. Means are compared by t tests, distributions by chi-square tests. The
  comparison fails if the smallest p, times the number of tests, is below 1e-9. That is meant for less than one false
  alarm in a million runs: far tails of the tests are approximate, and a factor of a thousand is left for that.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / ".pkg"))

import regelwerk  # noqa: E402 - the checkout's own, which the line above finds
from regelwerk.interpreter import layout as la  # noqa: E402 - the checkout's own, which the line above finds
from regelwerk.interpreter.api import NotAnOption  # noqa: E402 - the checkout's own, which the line above finds

SOURCE = Path(__file__).with_name("vienna.c")
ENDS = ("target_reached", "cap")
SIZES = 40
SURE = 1e-9


# ------------------------------------------------------------------------------------------------------- the C program
def compiler() -> str | None:
    """The C compiler of this machine, if there is one."""
    return shutil.which(os.environ.get("CC", "cc"))


def build(folder: Path, *flags: str) -> Path:
    """Compile the program into a folder."""
    found = compiler()
    if found is None:
        raise FileNotFoundError("there is no C compiler `cc` (or what the variable CC names)")
    program = folder / ("vienna" + "".join(flags))
    subprocess.run([found, "-std=c11", "-O2", *flags, "-o", str(program), str(SOURCE)], check=True)
    return program


def output(program: Path, *arguments: object) -> str:
    """What a run of the program prints."""
    command = [str(program), *map(str, arguments)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


# ---------------------------------------------------------------------------------------------------------- one game
@dataclass(frozen=True)
class Record:
    """What is compared of a game. `sizes`: how many decisions had a number of options of each class."""

    decisions: int
    forced: int
    rounds: int
    end: str
    winners: int
    points: tuple[int, ...]
    sizes: tuple[int, ...]

    @staticmethod
    def read(line: str, players: int) -> Record:
        """From a line of the program."""
        decisions, forced, rounds, end, winners, *rest = map(int, line.split())
        return Record(decisions, forced, rounds, ENDS[end], winners, tuple(rest[:players]), tuple(rest[players:]))

    @staticmethod
    def of(state: regelwerk.State, sizes: Counter[int]) -> Record:
        """From a game of the interpreter that is over, and how many decisions had so many options."""
        outcome, classes = state.outcome, Counter[int]()
        assert outcome is not None
        for options, times in sizes.items():
            classes[size_class(options)] += times
        return Record(
            state.decisions,
            sizes[1],
            rounds_of(state),
            outcome.cause,
            sum(1 << state.seats.index(seat) for seat in outcome.winners),
            tuple(int(dict(outcome.keys[seat])["points"]) for seat in state.seats),
            tuple(classes[size] for size in range(SIZES)),
        )


def size_class(options: int) -> int:
    """Up to 15 options each number is a class of its own; then four classes for each doubling, as in the program."""
    log = options.bit_length() - 1
    return options if options < 16 else 4 * log + (options >> (log - 2) & 3)


def rounds_of(state: regelwerk.State) -> int:
    """How many rounds were begun: `cap` counts them."""
    return state.image.w[la.PASSES]


def random_games(game: regelwerk.Game, players: int, games: int, seed: int) -> Iterator[Record]:
    """Games of the interpreter in which each option is equally likely."""
    for number in range(games):
        generator = random.Random(f"{seed} {players} {number}")
        state = game.new(players=players, seed=generator.getrandbits(53))
        sizes = Counter[int]()
        while options := state.raw_options:
            sizes[len(options)] += 1
            state.step_raw(options[generator.randrange(len(options))])
        yield Record.of(state, sizes)


# ------------------------------------------------------------------------------------------------------ traced games
class Different(Exception):
    """The interpreter plays something else than the trace says."""


def spelled(option: regelwerk.Option, address: str) -> str:
    """An option as the trace writes it: dice by their faces, cards without the number of the copy."""
    words = option.id.replace("[", "").replace("]", "").split()
    faces = re.findall(r"(\d)( \(white die\))?", option.values.get("dice") or option.values.get("d") or "")
    dice = [("w" if white else "") + face for face, white in sorted(faces, key=lambda found: (found[1], found[0]))]
    if option.action == "place":
        return " ".join(["place", *dice, words[-1]])
    if option.action == "reroll":
        return " ".join(["reroll", *dice])
    if option.action == "nudge":
        return " ".join(["nudge", *dice, words[-1]])
    if option.action == "take_start_card":
        return words[-1]
    if address == "turn_a_die" and dice:
        return " ".join(["turn", *dice, words[-1]])
    if address == "raid" and len(words) > 1:
        return " ".join(["raid", *words])
    if address == "Field.krieau.at_once":
        return "coin" if option.text == "1 coin" else "point"
    return words[0].split(".")[0]


def follow(game: regelwerk.Game, players: int, trace: Iterator[str]) -> Record:
    """Lead the interpreter through the next game of a trace, and give its record. Raises `Different`."""
    state = game.new(players=players, explicit_chance=True)
    sizes = Counter[int]()
    while state.status != "over":
        line = next(trace)
        where = f"after {state.decisions} decisions the program says `{line[:100]}`, and the interpreter"
        if (request := state.chance) is not None:
            try:
                state.answer_chance(line.split(" ")[2:])
            except NotAnOption as error:
                raise Different(f"{where} asks for {request.what}: {error}") from error
            continue
        decision = state.decision
        assert decision is not None
        head, *options = line.split("|")
        mark, seat, taken = [*head.split(" "), "", ""][:3]
        found = {spelled(option, decision.address): option for option in decision.options}
        if mark != "?" or state.seats[int(seat)] != decision.actor:
            raise Different(f"{where} asks {decision.actor}: {decision.text}")
        if len(found) != len(decision.options) or sorted(options) != sorted(found):
            only, more = sorted(set(options) - set(found)), sorted(set(found) - set(options))
            raise Different(f"{where} has other options ({decision.text}): not {only}, but {more}")
        sizes[len(options)] += 1
        state.step(found[options[int(taken)]])
    record, said = Record.of(state, sizes), Record.read(next(trace), players)
    if record != said:
        raise Different(f"the game ends otherwise: the program says {said}, the interpreter {record}")
    return record


def follow_all(program: Path, game: regelwerk.Game, players: int, games: int, seed: int) -> int:
    """Lead the interpreter through some games of the program that was built with TRACE; gives their decisions."""
    trace = iter(output(program, players, games, seed, "records").splitlines())
    return sum(follow(game, players, trace).decisions for _ in range(games))


# ------------------------------------------------------------------------------------------------------- the statistics
@dataclass(frozen=True)
class Test:
    """One comparison: what, the two figures that are shown, the statistic, how likely one as large is by chance."""

    what: str
    left: str
    right: str
    statistic: str
    p: float


def t_test(what: str, left: Sequence[float], right: Sequence[float]) -> Test:
    """Welch's test: whether two samples have the same mean."""
    means, errors = [], []
    for sample in (left, right):
        means.append(math.fsum(sample) / len(sample))
        variance = math.fsum((value - means[-1]) ** 2 for value in sample) / (len(sample) - 1)
        errors.append(variance / len(sample))
    difference, error = means[0] - means[1], sum(errors)
    if error == 0:
        t, p = (math.copysign(math.inf, difference), 0.0) if difference else (0.0, 1.0)
    else:
        t = difference / math.sqrt(error)
        parts = sum(each**2 / (len(sample) - 1) for each, sample in zip(errors, (left, right), strict=True))
        p = t_tails(t, error**2 / parts)
    return Test(what, f"{means[0]:.3f}", f"{means[1]:.3f}", f"t {t:+.2f}", p)


def t_tails(t: float, degrees: float) -> float:
    """How likely a variable of Student's distribution is farther from 0. By Wallace's normal approximation (Annals of
    Mathematical Statistics 30, 1959), which holds far out as well."""
    z = (8 * degrees + 1) / (8 * degrees + 3) * math.sqrt(degrees * math.log1p(t * t / degrees))
    return math.erfc(z / math.sqrt(2))


def chi_square_test(what: str, left: Counter[int], right: Counter[int], least: float = 10) -> Test:
    """Whether two samples have the same distribution. Neighbouring values are put together until each class is
    expected often enough in both."""
    sizes = (left.total(), right.total())
    share = min(sizes) / sum(sizes)
    classes: list[list[int]] = []
    for value in sorted(left | right):
        if not classes or sum(classes[-1]) * share >= least:
            classes.append([0, 0])
        classes[-1][0] += left[value]
        classes[-1][1] += right[value]
    if len(classes) > 1 and sum(classes[-1]) * share < least:
        rest = classes.pop()
        classes[-1] = [a + b for a, b in zip(classes[-1], rest, strict=True)]
    statistic = 0.0
    for counts in classes:
        for count, size in zip(counts, sizes, strict=True):
            expected = sum(counts) * size / sum(sizes)
            statistic += (count - expected) ** 2 / expected
    degrees = len(classes) - 1
    shown = f"chi² {statistic:.1f} of {degrees}"
    return Test(what, f"{len(left)} values", f"{len(right)} values", shown, chi_square_tail(statistic, degrees))


def chi_square_tail(statistic: float, degrees: int) -> float:
    """How likely a chi-square variable is larger: the sum that holds for whole degrees of freedom."""
    if degrees == 0:
        return 1.0
    half = statistic / 2
    if degrees % 2:
        tail, term, at = math.erfc(math.sqrt(half)), math.exp(-half) * math.sqrt(half / math.pi) * 2, 1.5
    else:
        tail, term, at = 0.0, math.exp(-half), 1.0
    while at <= degrees / 2:
        tail += term
        term *= half / at
        at += 1
    return min(tail, 1.0)


def tests(left: Sequence[Record], right: Sequence[Record], players: int) -> list[Test]:
    """All comparisons of two samples of games."""
    found = []

    def mean(what: str, value: str, index: int | None = None, power: int = 1) -> None:
        samples = [
            [(got if index is None else got[index]) ** power for record in sample for got in (getattr(record, value),)]
            for sample in (left, right)
        ]
        found.append(t_test(what, *samples))

    def distribution(what: str, values: tuple[list[int], list[int]]) -> None:
        found.append(chi_square_test(what, Counter(values[0]), Counter(values[1])))

    for what in ("decisions", "forced", "rounds"):
        mean(f"{what} a game, mean", what)
        mean(f"{what} a game, mean square", what, power=2)
        distribution(f"{what} a game", ([getattr(r, what) for r in left], [getattr(r, what) for r in right]))
    for seat in range(players):
        mean(f"points of seat {seat + 1}, mean", "points", seat)
        mean(f"points of seat {seat + 1}, mean square", "points", seat, 2)
        distribution(f"points of seat {seat + 1}", ([r.points[seat] for r in left], [r.points[seat] for r in right]))
    distribution("winners", ([r.winners for r in left], [r.winners for r in right]))
    distribution("endings", ([ENDS.index(r.end) for r in left], [ENDS.index(r.end) for r in right]))
    for size, times in enumerate(zip(*(record.sizes for record in left), strict=True)):
        if sum(times) >= 200:  # of rarer ones the tail is too far from normal
            mean(f"decisions with {_options(size)}", "sizes", size)
    return found


def _options(size: int) -> str:
    last = max(n for n in range(1024) if size_class(n) == size)
    first = min(n for n in range(1024) if size_class(n) == size)
    return f"{first} option" + "s" * (first > 1) if first == last else f"{first} to {last} options"


def verdict(found: Sequence[Test]) -> float:
    """The smallest p, times the number of tests."""
    return min(test.p for test in found) * len(found)


# ------------------------------------------------------------------------------------------------------------- the run
def main() -> int:
    """Compare and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, nargs="*", default=[3, 4, 5], choices=[3, 4, 5])
    parser.add_argument("--games", type=int, default=400, metavar="N", help="random games of the interpreter (400)")
    parser.add_argument("--limit-games", type=int, default=20_000, metavar="N", help="of the C program (20,000)")
    parser.add_argument("--traced", type=int, default=5, metavar="N", help="games led by a trace (5)")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    arguments = parser.parse_args()
    if compiler() is None:
        print("nothing is compared: there is no C compiler `cc` (or what the variable CC names)")
        return 0
    game, failed = regelwerk.load("vienna"), False
    with tempfile.TemporaryDirectory() as folder:
        program, traced = build(Path(folder)), build(Path(folder), "-DTRACE")
        for players in arguments.players:
            print(f"\n{players} players")
            try:
                count = follow_all(traced, game, players, arguments.traced, arguments.seed)
                print(f"  {arguments.traced} games led by a trace, {count:,} decisions: all the same")
            except Different as difference:
                print(f"  not the same game: {difference}")
                failed = True
            left = list(random_games(game, players, arguments.games, arguments.seed))
            lines = output(program, players, arguments.limit_games, arguments.seed, "records").splitlines()
            right = [Record.read(line, players) for line in lines]
            found = tests(left, right, players)
            print(f"  {'':34} {len(left):>9,} games {len(right):>9,} games   statistic           p")
            for test in found:
                print(f"  {test.what:34} {test.left:>15} {test.right:>15}   {test.statistic:16} {test.p:8.2g}")
            result = verdict(found)
            failed |= result < SURE
            print(
                f"  smallest p times {len(found)} tests: {result:.2g}, " + ("DIFFERENT" if result < SURE else "equal")
            )
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
