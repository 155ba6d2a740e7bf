"""Rules on one event that do not commute, in a game that does not say in which order rules happen.

Language, section 9: rules without an owner come first, in the order in which they are declared, then those of the
players from the active one on; `triggers active_first` or `owner_chooses` in the braces of the game says so. Where
neither is written and the order matters, the author may not know that there is one. That an `end at once` may hold
between two rules is left out of account: it would make all of them matter.
"""

from __future__ import annotations

import re

from regelwerk.dsl.checker.footprints import Footprints
from regelwerk.dsl.diagnostics import Label
from regelwerk.dsl.lints.subject import Subject
from regelwerk.dsl.model import game as g

_SAID = re.compile(r"\btriggers\s+(active_first|owner_chooses)\b")


def find(s: Subject) -> None:
    """The pairs of rules whose order matters, in a game that leaves it open; each rule once."""
    header = s.header
    source = s.sources.get(header.span.source)
    if source is None:
        return
    if _SAID.search(re.sub(r"//[^\n]*", "", source.text[header.span.start : header.span.end])):
        return
    footprints: Footprints | None = None
    for target in s.reach.mentioned:
        roles = getattr(target, "roles", ())
        for kind in ("before", "after", "instead"):
            alike = [role for role in roles if role.kind == kind]
            if len(alike) < 2:
                continue
            footprints = footprints or Footprints(s.c, s.game.zones)
            _pairs(s, target, alike, footprints)


def _pairs(s: Subject, target: object, roles: list[g.Role], footprints: Footprints) -> None:
    found = {role: footprints.rule(role) for role in roles}
    for place, role in enumerate(roles):
        for other in roles[:place]:
            if role.span == other.span or _never_both(role, other) or found[role].commutes(found[other]):
                continue
            s.report(
                "W0940",
                f"it matters which of two rules on `{getattr(target, 'address', getattr(target, 'name', ''))}` comes "
                "first, and the game does not say so",
                role.span,
                "write `triggers active_first` in the braces of the game (the order of declaration), "
                "or `triggers owner_chooses`",
                (Label(other.span, "the other rule"),),
            )
            break


def _never_both(one: g.Role, other: g.Role) -> bool:
    """Whether two rules on a built-in event look at things of different types."""
    return one.about is not None and other.about is not None and one.about != other.about


__all__ = ["find"]
