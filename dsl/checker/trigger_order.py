"""`triggers owner_chooses`: of which rules on one event the order matters, so that their owner chooses it.

Two rules commute if neither writes what the other reads, and what both write is only added to (or only taken from). If
a law (an award, an end `at once`) is tested after what one of them writes, anything the other one does may come too
late.
"""

from __future__ import annotations

from regelwerk.dsl.checker.footprints import Footprint, Footprints
from regelwerk.dsl.model import game as g


def note_unordered(targets: list[object], laws: list[object], footprints: Footprints) -> None:
    """Note for all rules in cells which others on the same event they do not commute with."""
    judged = footprints.reading(laws)
    for target in targets:
        for kind in ("before", "after"):
            roles = [each for each in getattr(target, "roles", []) if each.kind == kind and each.row is not None]
            found = {role: footprints.rule(role) for role in roles}
            for role in roles:
                for other in roles:
                    if role is not other and not _commute(found[role], found[other], judged):
                        role.unordered.add(other)


def _commute(one: Footprint, other: Footprint, laws: Footprint) -> bool:
    judged = {key for key, _ in laws.reads}
    for a, b in ((one, other), (other, one)):
        if b.writes and any(key in judged for key, _, _ in a.writes):
            return False
    return one.commutes(other)


def laws_of(symbols: list[g.Symbol]) -> list[object]:
    """What awards and ends `at once` read."""
    found: list[object] = []
    for symbol in symbols:
        if isinstance(symbol, g.AwardSymbol):
            found += [symbol.measure, symbol.at_least]
        elif isinstance(symbol, g.EndSymbol) and symbol.at_once:
            found.append(symbol.condition)
    return found
