"""Which bodies can run once some of them do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from regelwerk.interpreter import ir


def called(end: ir.End) -> Iterator[ir.Proc]:
    """The procs that the end of a block may call."""
    if isinstance(end, ir.Call):
        yield end.proc
    elif isinstance(end, ir.CallCell | ir.OfferEnd | ir.SealEnd | ir.CallSealed):
        yield from (proc for proc in end.procs if proc is not None)
    elif isinstance(end, ir.CallRole | ir.OrderEnd | ir.CallReplacement):
        yield from (proc for _, proc in end.roles)


def reachable(starts: Iterable[ir.Proc]) -> set[ir.Proc]:
    """These procs, and all that they call."""
    found: set[ir.Proc] = set()
    left = list(starts)
    while left:
        proc = left.pop()
        if proc not in found:
            found.add(proc)
            left += [each for block in proc.blocks if block.end is not None for each in called(block.end)]
    return found


__all__ = ["called", "reachable"]
