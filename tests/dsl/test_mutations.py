"""The whole path on damaged files: check, load, play. Only findings and faults come out, in words; nothing hangs.

`mutate` says what is done to the files and what must not come out; as a script it does so with many thousands.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.dsl.mutate import Hosts, examine

FOLDER = Path(__file__).parent / "errors" / "mutants"
PARTS = 8
FILES = 70  # of each part


@pytest.mark.parametrize("part", range(PARTS))
def test_mutants(part: int, tmp_path: Path) -> None:
    hosts = Hosts(tmp_path)
    for seed in range(part * FILES, (part + 1) * FILES):
        name, what, path = hosts.damaged(random.Random(seed))
        examined = examine(path, seed, show=True)
        assert not examined.wrong, "\n".join(
            [f"seed {seed}: {name}, {what}", *examined.wrong, examined.shown, path.read_text(errors="replace")]
        )


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.rules")), ids=lambda path: path.stem)
def test_what_went_wrong_once(path: Path) -> None:
    examined = examine(path, show=True)
    assert not examined.wrong, "\n".join([*examined.wrong, examined.shown])
    assert 1 <= len(examined.errors) <= 2, examined.shown
