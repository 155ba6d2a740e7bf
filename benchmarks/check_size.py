"""How long checking takes as files grow: generated, valid files of 100, 1,000 and 10,000 lines.

    .venv/bin/python benchmarks/check_size.py [--lines 100 1000 10000] [--profile] [--write FOLDER]

Each chapter of a file has a table of cards, zones, states, values, effects, actions, rules and scenarios that use each
other and what stands in the chapter before. Times are processor time, the best of three.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / ".pkg"))

from regelwerk.dsl.checker.game import GameChecker  # noqa: E402 - the checkout's own, which the line above finds
from regelwerk.dsl.checker.scenarios import check_scenarios  # noqa: E402 - the checkout's own, which the line above finds
from regelwerk.dsl.collector import resting_collector  # noqa: E402 - the checkout's own, which the line above finds
from regelwerk.dsl.diagnostics import Diagnostics, render  # noqa: E402 - the checkout's own, which the line above finds
from regelwerk.dsl.lints import lint  # noqa: E402 - the checkout's own, which the line above finds
from regelwerk.dsl.model.game import CheckedGame  # noqa: E402 - the checkout's own, which the line above finds
from regelwerk.dsl.parser import parse_file  # noqa: E402 - the checkout's own, which the line above finds
from regelwerk.dsl.source import Source  # noqa: E402 - the checkout's own, which the line above finds

HEAD = """edition 1
game large "A Large Game" {
  players 2..4
  seats Ann, Ben, Cem, Dee
  cap 50 round
}
use turns
enum Good/Goods { wood, wool/wools, wine/wines }
resource coin/coins start 3
resource good/goods per Good
track point/points per player: 0..
state over: yes/no = no

"""
CHAPTER = """// ---------------------------------------------------------------------------------------- chapter {n}
section "Chapter {n}" {{
  cards Guild{n}/Guilds{n} "guild/guilds" live in guilds{n} [M-{n}00] {{
    column price: 0..9
    column gives: effect
    column does: rules
    | guild | copies | price | gives | does |
    | bakers{n} "Bakers" | 2 | 1 | gain 1 coin | after visit{n} {{ gain 1 coin }} |
    | weavers{n} "Weavers" | 2 | 2 | gain 1 wool or gain 1 coin |  |
    | smiths{n} "Smiths" | 1 | 3 | do relief{n}(2) then gain 1 point | modify worth{n}(g) plus 1 |
    | brewers{n} "Brewers" | 1 | 4 | if me.coins > 3 {{ gain 1 wine }} | modify visit{n}.toll minus 1 coin |
    | masons{n} "Masons" | 1 | 5 | pay 2 coins to gain 3 points | forbid rest{n} while me.coins > 9 because "no" |
    | porters{n} "Porters" | 3 | 2 | gain 1 wood + 1 coin | after rest{n} by anyone {{ gain 1 point }} |
  }}
  zone deck{n} of Guild{n} order pile from Guilds{n} seen by nobody
  zone open{n} of Guild{n} order row
  zone guilds{n} per player of Guild{n}
  state visits{n} per player: 0..9 = 0 resets each round
  const target{n} = {n} + 10

  value worth{n}(g: Guild{n}) = g.price * 2
  value strength{n}(me) = sum(g in me.guilds{n}: g.worth{n}) + me.visits{n} + {before}
  value dear{n}(g: Guild{n}) = g.price >= 3 and some(h in open{n} where h.price < g.price)

  effect relief{n}(x: 0..9) [M-{n}01] {{
    if me.visits{n} > 2 and strength{n} < target{n} {{ gain x coins "relief" }}
    else if me.coins is 0 {{ gain 1 point }}
    else {{ lose 1 coin }}
  }}
  action visit{n}(g in open{n} where .price <= me.coins else "too dear") "Visit a guild" [M-{n}02] {{
    require few: me.visits{n} < 3 else "{{g}} was visited often enough"
    require room: me.guilds{n}.count < 5 or g is dear{n}
    cost toll: g.price coins when me.visits{n} > 0 "the toll"
    effect {{
      move g to me.guilds{n}
      set visits{n}(me) = min(9, me.visits{n} + 1)
      do g.gives
    }}
  }}
  action rest{n} "Rest" {{ effect {{ do relief{n}(1) }} }}
  trigger late{n}: after visit{n} while me.visits{n} is 3 {{ gain 1 point }}
  invariant cards{n}: deck{n}.count + open{n}.count + sum(p in players: p.guilds{n}.count) is Guilds{n}.count
}}
scenario visiting{n} "a visit" [M-{n}02] {{
  players Ann, Ben
  given {{ set open{n} = [bakers{n}]   set Ann.coins = 2 }}
  play game.round.chapter{n}.turns{n} as Ann {{
    when Ann: visit{n}(bakers{n})
    then Ann.guilds{n} is {{bakers{n}}} and open{n} is empty
    then Ann.visits{n} is 1
  }}
}}

"""
PHASE = """    phase chapter{n} {{
      step fill{n} {{ shuffle deck{n}   draw 2 from deck{n} to open{n} }}
      phase turns{n} for p in players acting p {{ offer visit{n}, rest{n} until rest{n} }}
    }}
"""
TAIL = """rank winner by me.points "points", me.coins "coins" then shared
"""


def made(lines: int) -> str:
    """A valid rules file of about so many lines."""
    around = HEAD.count("\n") + TAIL.count("\n") + 4
    count = max(round((lines - around) / (CHAPTER.count("\n") + PHASE.count("\n"))), 1)
    numbers = range(1, count + 1)
    chapters = [CHAPTER.format(n=n, before=f"me.visits{n - 1}" if n > 1 else "1") for n in numbers]
    phases = ["phase game loop until over {\n  phase round {\n", *(PHASE.format(n=n) for n in numbers), "  }\n}\n"]
    return HEAD + "".join(chapters) + "".join(phases) + TAIL


@resting_collector()
def stages(text: str) -> dict[str, float]:
    """Processor time of each stage."""
    source = Source("large.rules", text)
    found = Diagnostics()
    times: dict[str, float] = {}

    def timed(name: str, work: Callable[[], object]) -> object:
        begun = time.process_time()
        result = work()
        times[name] = time.process_time() - begun
        return result

    file = timed("parse", lambda: parse_file(source, found))
    checker = GameChecker(file, found, {source.name: source}, None)  # type: ignore[arg-type]  # a file without errors
    game = timed("check", checker.run)
    timed("scenarios", lambda: check_scenarios(checker))
    if isinstance(game, CheckedGame):
        timed("lints", lambda: lint(game, checker, source.name))
    if game is None or found.failed:
        raise SystemExit("\n".join(render(each, {source.name: source}) for each in found))
    return times


def main() -> None:
    """Print a table of times and of their ratios."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--lines", type=int, nargs="*", default=[100, 1_000, 10_000], help="sizes of the files")
    parser.add_argument("--profile", action="store_true", help="say where the time of the largest file goes")
    parser.add_argument("--write", type=Path, help="also write the files into this folder")
    args = parser.parse_args()
    names = ("parse", "check", "scenarios", "lints")
    print(
        f"{'lines':>7} {'KiB':>6}  " + "".join(f"{name:>11}" for name in (*names, "all")) + "  lines/s   ratio of all"
    )
    stages(made(100))  # the tables of the parser are read once
    before: tuple[int, float] | None = None
    for wanted in args.lines:
        text = made(wanted)
        lines = text.count("\n")
        if args.write is not None:
            args.write.mkdir(parents=True, exist_ok=True)
            (args.write / f"large_{wanted}.rules").write_text(text, encoding="utf-8")
        runs = [stages(text) for _ in range(3)]
        best = {name: min(run[name] for run in runs) for name in names}
        total = sum(best.values())
        ratio = f"{total / before[1]:.1f} for {lines / before[0]:.1f} times the lines" if before else ""
        columns = "".join(f"{best[name]:>10.3f}s" for name in names) + f"{total:>10.3f}s"
        print(f"{lines:>7} {len(text) / 1024:>6.0f}  {columns} {lines / total:>8.0f}   {ratio}")
        before = (lines, total)
    if args.profile:
        import cProfile
        import pstats

        profile = cProfile.Profile()
        profile.runcall(stages, made(args.lines[-1]))
        pstats.Stats(profile).sort_stats("tottime").print_stats(25)


if __name__ == "__main__":
    main()
