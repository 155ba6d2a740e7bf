"""The smallest change that turns a tree of reasons: the least set of leaves that would have to be otherwise.

Of what must all hold the changes add up; of what must hold once the cheapest counts. Fewer changes are nearer than
more; of equally many those with the smaller distances. What is hidden or has no value yet counts as one change whose
size nobody knows.
"""

from __future__ import annotations

from regelwerk.interpreter.explaining.reasons import Change, Reason


def changes(reason: Reason, wanted: bool) -> tuple[Change, ...] | None:
    """The least set of changes after which the reason holds (or does not); None if no change is known to do it."""
    if reason.kind == "value" or reason.holds is wanted:
        return ()
    parts = [each for each in reason.parts if each.kind != "value"]
    if reason.kind == "not" and parts:
        return changes(parts[0], not wanted)
    if reason.kind == "same" and parts:
        return changes(parts[0], wanted)
    if reason.kind == "if" and len(parts) == 3:
        condition, chosen, other = parts
        if condition.holds is False:
            chosen, other = other, chosen
        turned = _together([changes(condition, not condition.holds), changes(other, wanted)])
        return _cheapest([changes(chosen, wanted), turned])
    if reason.kind in ("all", "any") and parts:
        needed = [changes(each, wanted) for each in parts]
        if (reason.kind == "all") == wanted:
            return _together(needed)
        return _cheapest(needed)
    if reason.change is not None:
        return (reason.change,)
    if reason.hidden:
        return (Change(f"something hidden in `{reason.source}`", reason.address, reason.span),)
    verb = "must hold" if wanted else "must not hold"
    return (Change(f"`{reason.source}` {verb}", reason.address, reason.span),) if reason.source else None


def size(found: tuple[Change, ...]) -> tuple[int, int]:
    """How near a set of changes is: smaller is nearer."""
    return len(found), sum(each.distance for each in found)


def _together(needed: list[tuple[Change, ...] | None]) -> tuple[Change, ...] | None:
    found: dict[object, Change] = {}
    for each in needed:
        if each is None:
            return None
        for change in each:
            key = change.store or change
            if key not in found or found[key].distance < change.distance:
                found[key] = change
    return tuple(found.values())


def _cheapest(needed: list[tuple[Change, ...] | None]) -> tuple[Change, ...] | None:
    return min((each for each in needed if each is not None), key=size, default=None)


__all__ = ["changes", "size"]
