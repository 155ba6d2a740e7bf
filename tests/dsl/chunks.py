"""Files of small cases, which stand between lines of dashes."""

from __future__ import annotations

from pathlib import Path


def chunks(folder: Path) -> list[tuple[str, str]]:
    """The cases of all files of a folder but its prelude, with their names."""
    cases = []
    for path in sorted(folder.glob("*.rules")):
        if path.stem != "prelude":
            for number, chunk in enumerate(path.read_text(encoding="utf-8").split("---\n"), start=1):
                cases.append((f"{path.stem}-{number}", chunk))
    return cases
