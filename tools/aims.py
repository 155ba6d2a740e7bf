"""What rules aim at, and the phases of a game in one list: shared by pictures and rulebooks."""

from __future__ import annotations

from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.walking import walk


def all_phases(phases: list[g.PhaseSymbol]) -> list[g.PhaseSymbol]:
    """All phases, outer ones before those inside."""
    return [each for phase in phases for each in (phase, *all_phases(phase.phases))]


def steps_in(body: object) -> list[g.StepSymbol]:
    """The named steps of a body."""
    return [each.symbol for each in walk(body) if isinstance(each, t.Step)] if body is not None else []


def with_roles(game: g.CheckedGame) -> list[g.Symbol]:
    """Everything that rules can aim at."""
    found: list[g.Symbol] = [*game.actions, *game.effects, *game.values, *game.constants]
    found += [clause for each in game.actions for clause in each.clauses if isinstance(clause, g.Symbol)]
    found += [clause for each in game.effects for clause in each.requirements]
    found += [column for each in game.entities for column in each.columns.values()]
    for phase in all_phases(game.phases):
        found += [phase, *(s for item in phase.items for s in steps_in(item))]
    bodies = [*(each.body for each in game.actions), *(each.body for each in game.effects)]
    found += [s for body in bodies for s in steps_in(body)]
    found += list(game.verbs.values())
    return found


def targets(game: g.CheckedGame) -> dict[g.Role, g.Symbol]:
    """What each rule aims at."""
    return {role: symbol for symbol in with_roles(game) for role in getattr(symbol, "roles", ())}


__all__ = ["all_phases", "steps_in", "targets", "with_roles"]
