"""Completes what is typed: commands, actions, answers, seats and names of the rules."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence

Candidates = Callable[[str], Sequence[str]]
"""The words that could stand at the end of a line, from its beginning up to that word."""


class Completer:
    """What readline asks: the k-th word that goes on with what is typed."""

    def __init__(self, candidates: Candidates, line: Callable[[], tuple[str, int]]) -> None:
        """`line`: what is typed, and where the word begins that is to be completed."""
        self.candidates = candidates
        self.line = line
        self.found: list[str] = []

    def __call__(self, word: str, number: int) -> str | None:
        """The word, or None behind the last one."""
        if number == 0:
            text, begin = self.line()
            self.found = sorted({each for each in self.candidates(text[:begin]) if each.startswith(word)})
        return self.found[number] if number < len(self.found) else None


def install(candidates: Candidates) -> None:
    """Let the keyboard complete; nothing happens where there is no readline."""
    with contextlib.suppress(ImportError):
        import readline

        readline.set_completer(Completer(candidates, lambda: (readline.get_line_buffer(), readline.get_begidx())))
        readline.set_completer_delims(" \t()[]{},.:+-*<>=")
        binding = "bind ^I rl_complete" if "libedit" in (readline.__doc__ or "") else "tab: complete"
        readline.parse_and_bind(binding)


__all__ = ["Completer", "install"]
