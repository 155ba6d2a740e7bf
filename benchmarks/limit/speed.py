"""How fast Vienna is when it is written by hand in C: games and decisions a second, on one core.

    .venv/bin/python benchmarks/limit/speed.py [--games N] [--rounds N]

Forced decisions are those with one option. `counted`: options are counted, and only the one that is taken is made.
`listed`: the options of every move are written into an array first, as for a policy that looks at them. Times are
processor time, the best of several rounds. `compare.py` shows that it is the same game.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from compare import build, compiler, output  # beside this file, where the line above looks


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100_000, metavar="N", help="games of a round (100,000)")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="rounds (3)")
    arguments = parser.parse_args()
    if compiler() is None:
        print("nothing is measured: there is no C compiler `cc` (or what the variable CC names)")
        return 0
    print("                    games/s   decisions/s   without forced   decisions a game")
    with tempfile.TemporaryDirectory() as folder:
        for name, flags in (("counted", ()), ("listed", ("-DLISTS",))):
            program = build(Path(folder), *flags)
            for players in (3, 4, 5):
                runs = [json.loads(output(program, players, arguments.games, 1)) for _ in range(arguments.rounds)]
                run = min(runs, key=lambda each: each["seconds"])
                rates = [run[what] / run["seconds"] for what in ("games", "decisions", "decisions_without_forced")]
                mean = run["decisions_a_game"]["mean"]
                print(f"{name}, {players} players {rates[0]:9,.0f} {rates[1]:13,.0f} {rates[2]:16,.0f} {mean:18.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
