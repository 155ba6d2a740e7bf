"""Running the command line in this process, and the small games of these tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from regelwerk.tools.command_line import main

GAMES = Path(__file__).parent / "games"


@dataclass(frozen=True)
class Answer:
    code: int
    out: str
    err: str


Run = Callable[..., Answer]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command line; a word that ends in `.rules` and has no folder is a game of these tests."""

    def call(*words: str) -> Answer:
        capsys.readouterr()
        code = main([str(GAMES / word) if word.endswith(".rules") and "/" not in word else word for word in words])
        out, err = capsys.readouterr()
        return Answer(code, out, err)

    return call


@pytest.fixture
def games() -> Path:
    return GAMES
