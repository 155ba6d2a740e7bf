"""Laying out a graph so that what is joined lies near each other: stress majorization, always with the same result."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import TypeVar

K = TypeVar("K", bound=Hashable)
ROUNDS = 260
SETTLING = 30
"""Fewer rounds for what lies right already, so that nothing jumps over a link."""
PUSHES = 80
GAP = 0.08
"""How much room is left between boxes."""


def spread(
    names: Sequence[K], links: Sequence[tuple[K, K, float]], rim: Sequence[K] = ()
) -> dict[K, tuple[float, float]]:
    """A place for each name; links say how far two of them are from each other. All coordinates are from 0 on.

    `rim`: what lies around all others, in its order; then links of a plane map do not cross.
    """
    count = len(names)
    if count == 0:
        return {}
    number = {name: k for k, name in enumerate(names)}
    pairs = [(number[a], number[b], length) for a, b, length in links if a in number and b in number]
    far = _distances(count, pairs)
    at = _inside(count, pairs, [number[name] for name in rim]) if len(rim) > 2 else _begin(far)
    fixed = frozenset(number[name] for name in rim) if len(rim) > 2 else frozenset()
    for _ in range(SETTLING if fixed else ROUNDS):
        at = _improved(at, far, fixed)
    left, top = min(x for x, _ in at), min(y for _, y in at)
    return {name: (at[k][0] - left, at[k][1] - top) for name, k in number.items()}


def apart(at: dict[K, tuple[float, float]], sizes: dict[K, tuple[float, float]]) -> dict[K, tuple[float, float]]:
    """The same places, moved so that no boxes of these sizes overlap, or nearly so."""
    names = list(at)
    place = [list(at[name]) for name in names]
    for _ in range(PUSHES):
        moved = False
        for k, one in enumerate(names):
            for other in range(k + 1, len(names)):
                wide = (sizes[one][0] + sizes[names[other]][0]) / 2 + GAP - abs(place[k][0] - place[other][0])
                high = (sizes[one][1] + sizes[names[other]][1]) / 2 + GAP - abs(place[k][1] - place[other][1])
                if wide <= 0 or high <= 0:
                    continue
                axis, overlap = (0, wide) if wide < high else (1, high)
                push = overlap / 2 if place[k][axis] >= place[other][axis] else -overlap / 2
                place[k][axis] += push
                place[other][axis] -= push
                moved = True
        if not moved:
            break
    left, top = min(x for x, _ in place), min(y for _, y in place)
    return {name: (x - left, y - top) for name, (x, y) in zip(names, place, strict=True)}


def _distances(count: int, pairs: list[tuple[int, int, float]]) -> list[list[float]]:
    """How far any two are along the links; what is not joined at all is a little farther than the farthest."""
    nexts: list[list[tuple[int, float]]] = [[] for _ in range(count)]
    for a, b, length in pairs:
        nexts[a].append((b, length))
        nexts[b].append((a, length))
    far = []
    for start in range(count):
        found = [math.inf] * count
        found[start] = 0.0
        waiting = [start]
        while waiting:
            following: list[int] = []
            for here in waiting:
                for other, length in nexts[here]:
                    if found[here] + length < found[other] - 1e-9:
                        found[other] = found[here] + length
                        following.append(other)
            waiting = following
        far.append(found)
    most = max((each for row in far for each in row if each < math.inf), default=1.0)
    return [[each if each < math.inf else most + 1.0 for each in row] for row in far]


def _begin(far: list[list[float]]) -> list[tuple[float, float]]:
    """Places by the distances to three points that are far from each other."""
    count = len(far)
    first = max(range(count), key=lambda k: (sum(far[k]), -k))
    second = max(range(count), key=lambda k: (far[first][k], -k))
    third = max(range(count), key=lambda k: (min(far[first][k], far[second][k]), -k))
    return [
        (far[first][k] - far[second][k] + 0.01 * math.cos(k), 1.5 * far[third][k] + 0.01 * math.sin(k))
        for k in range(count)
    ]


def _inside(count: int, pairs: list[tuple[int, int, float]], rim: list[int]) -> list[tuple[float, float]]:
    """The rim on a circle, all others in the middle of what they are joined to (as W. T. Tutte shows, without
    crossings)."""
    nexts: list[list[int]] = [[] for _ in range(count)]
    for a, b, _ in pairs:
        nexts[a].append(b)
        nexts[b].append(a)
    radius = max(2.0, len(rim) / 2 / math.pi * 1.15, 0.5 * math.sqrt(count))
    at = [(0.0, 0.0)] * count
    for place, k in enumerate(rim):
        angle = 2 * math.pi * place / len(rim)
        at[k] = (radius * math.cos(angle), radius * math.sin(angle))
    fixed = set(rim)
    for _ in range(400):
        for k in range(count):
            if k not in fixed and nexts[k]:
                many = len(nexts[k])
                at[k] = (sum(at[j][0] for j in nexts[k]) / many, sum(at[j][1] for j in nexts[k]) / many)
    return at


def _improved(
    at: list[tuple[float, float]], far: list[list[float]], fixed: frozenset[int]
) -> list[tuple[float, float]]:
    """One step: each place goes where all others would have it, near ones counting more."""
    moved = []
    for k, (x, y) in enumerate(at):
        if k in fixed:
            moved.append((x, y))
            continue
        sum_x = sum_y = total = 0.0
        for other, (ox, oy) in enumerate(at):
            wanted = far[k][other]
            if other == k or wanted <= 0:
                continue
            dx, dy = x - ox, y - oy
            length = math.hypot(dx, dy) or 1e-6
            weight = wanted**-2
            sum_x += weight * (ox + wanted * dx / length)
            sum_y += weight * (oy + wanted * dy / length)
            total += weight
        moved.append((sum_x / total, sum_y / total) if total else (x, y))
    return moved


__all__ = ["apart", "spread"]
