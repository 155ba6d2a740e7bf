"""The files of a variant: its base and the variants it names lie beside it, or are shipped."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import regelwerk
from regelwerk.dsl.checker.libraries import find_files
from regelwerk.dsl.composition.layers import Layer
from regelwerk.dsl.diagnostics import Diagnostics
from regelwerk.dsl.parser import parse_file, read_source
from regelwerk.dsl.source import Source
from regelwerk.dsl.syntax import files
from regelwerk.dsl.syntax.base import Identifier

SCENARIOS = "_scenarios"
"""Files `x_scenarios.rules` beside `x.rules` hold scenarios, and are no variants for players."""


def shipped_games() -> dict[str, Path]:
    """The games that come with the package, by name; behind each game its variants."""
    root = Path(next(iter(regelwerk.__path__))) / "games"
    found = [path for path in root.glob("*/*.rules") if SCENARIOS not in path.stem]
    found.sort(key=lambda path: (path.parent.name, path.stem != path.parent.name, path.stem))
    return {path.stem: path for path in found}


def scenario_files(path: Path) -> list[Path]:
    """The files beside a rules file that hold scenarios for it, by their name: `x_scenarios.rules` beside `x.rules`."""
    start = path.stem + SCENARIOS
    return sorted(each for each in path.parent.glob("*.rules") if each.stem.startswith(start) and each != path)


class Shelf:
    """Where the other files of a game are: beside it, or with the shipped games."""

    def find(self, name: str, folder: Path) -> Path | None:
        """The file of the game called `name`, as seen from a file in `folder`."""
        for path in (folder / f"{name}.rules", folder.parent / name / f"{name}.rules"):
            if path.is_file():
                return path
        root = Path(next(iter(regelwerk.__path__))) / "games"
        return next((path for path in sorted(root.glob("*/*.rules")) if path.stem == name), None)

    def library(self, name: str, folder: Path) -> Path | None:
        """The file with the library called `name`: beside the file that uses it, and nowhere else."""
        path = folder / f"{name}.rules"
        return path if path.is_file() and path.resolve().parent == folder.resolve() else None

    def read(self, path: Path, diagnostics: Diagnostics) -> Source | None:
        """Its text; None (and a finding) if it cannot be read."""
        return read_source(path, diagnostics)


class Gatherer:
    """Reads the files of a composition, each once."""

    def __init__(
        self, diagnostics: Diagnostics, sources: dict[str, Source], shelf: Shelf, known: Iterable[Layer] = ()
    ) -> None:
        self.diagnostics = diagnostics
        self.sources = sources
        self.shelf = shelf
        self._read = {Path(layer.source).resolve(): layer for layer in known}

    def layer(self, source: Source, file: files.RulesFile) -> Layer | None:
        """The layer of a parsed file with all it builds on; None if something is missing."""
        return self._layer(source, file, [])

    def _layer(self, source: Source, file: files.RulesFile, above: list[str]) -> Layer | None:
        header = file.header
        if not isinstance(header, files.VariantHeader):
            return Layer(source.name, file)
        below = []
        for name in (header.base, *header.companions):
            found = self._named(name, Path(source.name).parent, [*above, header.name.text], name is header.base)
            if found is None:
                return None
            below.append(found)
        return Layer(source.name, file, tuple(below))

    def _named(self, name: Identifier, folder: Path, above: list[str], base: bool) -> Layer | None:
        what = "base game" if base else "variant"
        path = self.shelf.find(name.text, folder)
        if path is None or name.text in above:
            why = "is a variant of itself" if name.text in above else "is not beside this file, and not shipped"
            self.diagnostics.error(
                "E1102",
                f"the {what} `{name.text}` {why}",
                name.span,
                f"put `{name.text}.rules` into the same folder",
            )
            return None
        known = self._read.get(path.resolve())
        if known is not None:
            return known
        source = self.shelf.read(path, self.diagnostics)
        file = None if source is None else parse_file(source, self.diagnostics)
        if source is None or file is None:
            return None
        self.sources[source.name] = source
        if file.header is None:
            self.diagnostics.error(
                "E1102",
                f"`{name.text}` is a library, not a game or a variant",
                name.span,
                "name a game or a variant",
            )
            return None
        file = find_files(file, source, self.diagnostics, self.sources, self.shelf)
        found = self._layer(source, file, above)
        if found is not None:
            self._read[path.resolve()] = found
        return found
