"""What holds of a game as a whole: something happens, nothing calls itself, phases have an exit."""

from __future__ import annotations

from regelwerk.dsl.checker.context import Context
from regelwerk.dsl.model import game as g
from regelwerk.dsl.syntax import files


def check_whole(c: Context, symbols: list[g.Symbol], file: files.RulesFile) -> None:
    """Checks that need all declarations."""
    header = file.header
    assert isinstance(header, files.GameHeader)
    phases = [each for each in symbols if isinstance(each, g.PhaseSymbol)]
    if not phases:
        c.error("E0509", "the game has no phases: nothing happens in it", header.name.span, "add `phase game { ... }`")
    if header.cap is not None and header.cap.phase.text not in c.phases:
        c.error(
            "E0501",
            f"there is no phase `{header.cap.phase.text}`",
            header.cap.phase.span,
            c.suggest(header.cap.phase.text, list(c.phases)),
        )
    ends = [each for each in symbols if isinstance(each, g.EndSymbol)]
    for found in c.phases.values():
        for phase in found:
            endless = any(isinstance(each, g.LoopDriver) and each.until is None for each in phase.drivers)
            endless = endless or any(
                isinstance(each, g.TurnsDriver) and each.first is not None and each.condition is None
                for each in phase.drivers
            )
            if endless and not ends:
                c.error(
                    "E0510",
                    f"the phase `{phase.path}` never ends",
                    phase.span,
                    "add an `end`, or say until when: `loop until c`, `turns from p while c`",
                )
            if not phase.items:
                c.diagnostics.warning("W0501", f"the phase `{phase.path}` is empty", phase.span)
    if len([each for each in symbols if isinstance(each, g.RankSymbol)]) == 0 and not any(
        each.won_by is not None for each in ends
    ):
        c.diagnostics.warning(
            "W0502", "nobody wins: the game has no `rank` and no `won by`", header.name.span, "add `rank winner by ...`"
        )
