"""The figures of a run of games, for people and as JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from regelwerk.tools.fault_reports import FaultNote, again_line, diagnostic_of
from regelwerk.tools.fault_reports import as_json as fault_as_json
from regelwerk.tools.figures import Figures, GameRecord, Quartiles
from regelwerk.tools.findings import place_of, print_findings
from regelwerk.tools.reporting import number_text, print_table

if TYPE_CHECKING:
    from regelwerk.interpreter.api import Game
    from regelwerk.tools.simulation import Settings

SHOWN = 5
"""How many games with a fault or a broken invariant are shown one by one."""

_FIVE = ["min", "q1", "median", "q3", "max"]


def print_report(game: Game, settings: Settings, first: int, figures: Figures) -> None:
    """The report on stdout."""
    seats = game.seats[: settings.players]
    count = f"{figures.games} game" + ("s" if figures.games != 1 else "")
    numbers = f", from game {first} on" if first != 1 else ""
    print(f"{game.title}: {count}, {settings.players} players, seed {settings.seed}{numbers}")
    for name, value in settings.options:
        print(f"option {name} = {value}")
    print()
    _print_wins(figures, seats, settings.bots)
    if figures.values:
        rows = [
            [label if place == 0 else "", seats[place], *_five(each)]
            for label, by_seat in figures.values
            for place, each in enumerate(by_seat)
        ]
        print_table("Final values", ["what", "seat", *_FIVE], rows, texts=2)
    if figures.decisions is not None:
        rows = [["decisions", *_five(figures.decisions)]]
        if figures.rounds is not None and game.checked.cap is not None:
            rows.append([f"passes of {_round_name(game)}", *_five(figures.rounds)])
        print_table("Length", ["in", *_FIVE], rows)
    rows = [[cause.replace("_", " "), str(number), f"{number / figures.games:.1%}"] for cause, number in figures.causes]
    print_table("Ends", ["by", "games", "share"], rows)
    _print_findings(game, settings, figures)


def _round_name(game: Game) -> str | None:
    """The phase whose passes the cap counts (or the word for it), if there is a cap."""
    if game.checked.cap is None:
        return None
    counted = game.checked.cap[1]
    return counted if isinstance(counted, str) else counted.path


def _five(each: Quartiles) -> list[str]:
    return [number_text(value) for value in each.row()]


def _print_wins(figures: Figures, seats: tuple[str, ...], bots: tuple[str, ...]) -> None:
    rows = [
        [seat, bot, number_text(wins.sum), str(wins.shared), f"{wins.share:.1%}", f"{wins.low:.1%} to {wins.high:.1%}"]
        for seat, bot, wins in zip(seats, bots, figures.wins, strict=True)
    ]
    print_table("Wins by seat", ["seat", "bot", "wins", "shared", "share", "95% interval"], rows, texts=2)
    notes = []
    if any(wins.shared for wins in figures.wins):
        notes.append("A victory shared by k players counts 1/k for each of them; `shared` says how many were.")
    if figures.unfinished:
        notes.append(f"{figures.unfinished} of the games were not finished; they count for no seat and in no share.")
    if figures.without_winner:
        notes.append(f"{figures.without_winner} of the games had no winner.")
    for note in notes:
        print(note)
    if notes:
        print()


def _print_findings(game: Game, settings: Settings, figures: Figures) -> None:
    if figures.violated:
        rows = [[name, str(count)] for name, count in figures.violated]
        print_table("Invariants that did not hold", ["invariant", "games"], rows)
        for record in figures.records_violated[:SHOWN]:
            seen = ", ".join(f"{name} (seen after {after} decisions)" for name, after in record.violated)
            _print_game(settings, record, f"did not keep {seen}")
    if figures.records_at_fault:
        count = len(figures.records_at_fault)
        print(f"{count} game{'s were' if count != 1 else ' was'} stopped by a fault:")
        print()
        drawn: set[FaultNote] = set()
        for record in figures.records_at_fault[:SHOWN]:
            assert record.fault is not None
            if record.fault not in drawn:
                drawn.add(record.fault)
                rule = [f"in {record.fault.rule}"] if record.fault.rule else []
                print_findings([diagnostic_of(record.fault)], game.sources, rule)
            place = place_of(record.fault.span, game.sources)
            at = f" at {place}" if place else ""
            _print_game(settings, record, f"after {record.decisions} decisions: fault `{record.fault.code}`{at}")
        if count > SHOWN:
            print(f"  and {count - SHOWN} more")


def _print_game(settings: Settings, record: GameRecord, what: str) -> None:
    print(f"  game {record.number} (seed {record.seed}) {what}")
    print(f"    {again_line(settings.command(record.number))}")


def as_json(game: Game, settings: Settings, first: int, figures: Figures) -> str:
    """All figures as JSON, with a line end; the same bytes for the same run."""

    def exact(value: float) -> float | int:
        return int(value) if value == int(value) else round(value, 6)

    def five(each: Quartiles | None) -> dict[str, float | int] | None:
        return None if each is None else dict(zip(_FIVE, map(exact, each.row()), strict=True))

    seats = game.seats[: settings.players]
    content: dict[str, Any] = {
        "version": 1,
        "game": game.name,
        "title": game.title,
        "rules": game.hash,
        "players": settings.players,
        "seats": list(seats),
        "bots": list(settings.bots),
        "options": dict(settings.options),
        "seed": settings.seed,
        "first": first,
        "games": figures.games,
        "finished": figures.finished,
        "unfinished": figures.unfinished,
        "without_winner": figures.without_winner,
        "wins": {
            seat: {
                "alone": wins.alone,
                "shared": wins.shared,
                "sum": exact(wins.sum),
                "share": exact(wins.share),
                "low": exact(wins.low),
                "high": exact(wins.high),
            }
            for seat, wins in zip(seats, figures.wins, strict=True)
        },
        "values": {
            label: {seat: five(each) for seat, each in zip(seats, by_seat, strict=True)}
            for label, by_seat in figures.values
        },
        "length": {
            "decisions": five(figures.decisions),
            "rounds": five(figures.rounds),
            "round_phase": _round_name(game),
        },
        "ends": dict(figures.causes),
        "faults": [
            {
                "game": record.number,
                "seed": record.seed,
                "players": settings.players,
                "options": dict(settings.options),
                "decisions": record.decisions,
                **fault_as_json(record.fault, game),
                "command": settings.command(record.number),
            }
            for record in figures.records_at_fault
            if record.fault is not None
        ],
        "invariants": {
            "checked": "every decision" if settings.every_decision else "end of game",
            "violated": dict(figures.violated),
            "games": [
                {"game": record.number, "seed": record.seed, "first_seen": dict(record.violated)}
                for record in figures.records_violated
            ],
        },
    }
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


__all__ = ["as_json", "print_report"]
