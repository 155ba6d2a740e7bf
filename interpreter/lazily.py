"""Sequences whose elements are made when they are first asked for.

A scenario plays a few phases or effects of a game, in a program of its own; compiling all the others would take most
of its time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

Element = TypeVar("Element")


class Lazily(Generic[Element]):
    """A sequence of `count` elements; `make` gives the one with a number."""

    def __init__(self, count: int, make: Callable[[int], Element]) -> None:
        self._made: list[Element | None] = [None] * count
        self._make = make

    def __len__(self) -> int:
        return len(self._made)

    def __getitem__(self, index: int) -> Element:
        found = self._made[index]
        if found is None:
            found = self._made[index] = self._make(index)
        return found

    def __iter__(self) -> Iterator[Element]:
        return (self[index] for index in range(len(self._made)))


__all__ = ["Lazily"]
