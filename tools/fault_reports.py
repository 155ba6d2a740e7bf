"""How a fault is reported: what happened, by which clause and where, in which game, and the command that brings it
again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from regelwerk.dsl.diagnostics import Diagnostic
from regelwerk.dsl.source import Span
from regelwerk.tools.findings import place_of

if TYPE_CHECKING:
    from regelwerk.interpreter.api import Game
    from regelwerk.interpreter.faults import Fault


@dataclass(frozen=True, slots=True)
class FaultNote:
    """What is kept of a fault: code, message, the address of the clause, the place in the rules."""

    code: str
    message: str
    rule: str = ""
    span: Span | None = None

    @staticmethod
    def of(fault: Fault) -> FaultNote:
        """What is kept of this one."""
        return FaultNote(fault.code, fault.message, fault.rule, fault.span)


def diagnostic_of(fault: Fault | FaultNote) -> Diagnostic:
    """A fault as a diagnostic, to be drawn with its place in the rules."""
    return Diagnostic(fault.code, "fault", f"the game stopped: {fault.message}", fault.span)


def where_lines(fault: Fault, command: str | None) -> list[str]:
    """What is said below the place: the clause, the game, and the command that brings the fault again."""
    count = f"{fault.decisions} decision{'s' if fault.decisions != 1 else ''}"
    lines = [f"in {fault.rule}, after {count}" if fault.rule else f"after {count}"]
    if fault.seats:
        lines.append(setting_line(len(fault.seats), fault.seed, fault.options))
    if command is not None:
        lines.append(again_line(command))
    return lines


def setting_line(players: int, seed: int, options: Mapping[str, str]) -> str:
    """`3 players, seed 7, side = night`."""
    chosen = "".join(f", {name} = {value}" for name, value in sorted(options.items()))
    return f"{players} player{'s' if players != 1 else ''}, seed {seed}{chosen}"


def again_line(command: str) -> str:
    """How a game is brought again."""
    return f"to see it again: {command}"


def as_json(note: FaultNote, game: Game) -> dict[str, Any]:
    """A fault as plain data; lines and columns count from 1."""
    from regelwerk.dsl.catalogue import name_of

    found: dict[str, Any] = {
        "code": note.code,
        "name": name_of(note.code),
        "message": note.message,
        "rule": note.rule or None,
        "place": place_of(note.span, game.sources) or None,
        "line": None,
        "column": None,
        "text": None,
    }
    source = game.sources.get(note.span.source) if note.span is not None else None
    if source is not None and note.span is not None:
        found["line"], found["column"] = source.position(note.span.start)
        found["text"] = source.line(found["line"])
    return found


__all__ = ["FaultNote", "again_line", "as_json", "diagnostic_of", "setting_line", "where_lines"]
