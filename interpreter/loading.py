"""From a file, a text or the name of a shipped game to a checked game."""

from __future__ import annotations

from pathlib import Path

import regelwerk
from regelwerk.dsl.checker.game import GameChecker
from regelwerk.dsl.collector import resting_collector
from regelwerk.dsl.diagnostics import Diagnostic, Diagnostics, RulesError
from regelwerk.dsl.interchange import LARGEST_DOCUMENT, looks_like_document
from regelwerk.dsl.lexing import MAX_FILE
from regelwerk.dsl.model import game as g
from regelwerk.dsl.parser import parse_file, read_source
from regelwerk.dsl.source import Source
from regelwerk.dsl.syntax import files


class Checked:
    """What checking a file gives: the game (None if it has errors), all findings, the sources, and the checker for
    scenarios."""

    def __init__(
        self,
        game: g.CheckedGame | None,
        checker: GameChecker | None,
        diagnostics: tuple[Diagnostic, ...],
        sources: dict[str, Source],
    ) -> None:
        self.game = game
        self.checker = checker
        self.diagnostics = diagnostics
        self.sources = sources


def shipped_games() -> dict[str, Path]:
    """The games that come with the package, by name."""
    root = Path(next(iter(regelwerk.__path__))) / "games"
    return {path.stem: path for path in sorted(root.glob("*/*.rules")) if path.stem == path.parent.name}


def find_file(name: str | Path) -> Path:
    """The file that is meant: a path, or the name of a shipped game."""
    path = Path(name)
    if path.is_file():
        return path
    return shipped_games().get(str(name), path)


class Shelf:
    """Where the other files of a game are: beside it, or with the shipped games."""

    def find(self, name: str, folder: Path) -> Path | None:
        """The file of the game called `name`, as seen from a file in `folder`."""
        for path in (folder / f"{name}.rules", folder.parent / name / f"{name}.rules"):
            if path.is_file():
                return path
        return shipped_games().get(name)

    def read(self, path: Path, diagnostics: Diagnostics) -> Source | None:
        """Its text; None (and a finding) if it cannot be read."""
        return read_source(path, diagnostics)


@resting_collector()
def check_source(source: Source, with_scenarios: bool = True) -> Checked:
    """Parse and check a text. A variant is checked together with its base, which lies beside it or is shipped.

    The text may also be a document, a game as JSON.
    """
    if looks_like_document(source.text):
        from regelwerk.interpreter.documents import check_document  # only needed for documents

        return check_document(source, with_scenarios)
    diagnostics = Diagnostics()
    sources = {source.name: source}
    file, variant = composed(source, diagnostics, sources, Shelf())
    if file is None or diagnostics.failed:
        return Checked(None, None, diagnostics.in_order(), sources)
    return check_file(GameChecker(file, diagnostics, sources, variant), with_scenarios)


def composed(
    source: Source, diagnostics: Diagnostics, sources: dict[str, Source], shelf: Shelf
) -> tuple[files.RulesFile | None, files.VariantHeader | None]:
    """The tree of a text, put together with its base and companions if it is a variant, and its header as one."""
    file = parse_file(source, diagnostics)
    variant = file.header if file is not None and isinstance(file.header, files.VariantHeader) else None
    if file is not None and variant is not None:
        file = _with_base(file, variant, Path(source.name).parent, diagnostics, sources, [variant.name.text], shelf)
    return file, variant


def check_file(checker: GameChecker, with_scenarios: bool) -> Checked:
    """Check a tree, and then its scenarios."""
    diagnostics, sources = checker.c.diagnostics, checker.c.sources
    game = checker.run()
    if game is not None and with_scenarios:
        from regelwerk.dsl.checker.scenarios import check_scenarios

        check_scenarios(checker)
    found = diagnostics.in_order()
    errors = any(each.severity == "error" for each in found)
    return Checked(None if errors else game, checker, found, sources)


def _with_base(
    file: files.RulesFile,
    header: files.VariantHeader,
    folder: Path,
    diagnostics: Diagnostics,
    sources: dict[str, Source],
    seen: list[str],
    shelf: Shelf,
) -> files.RulesFile | None:
    """The base with the declarations of the variant (and of its companions) behind its own."""
    merged: files.RulesFile | None = None
    for name in (header.base, *header.companions):
        path = shelf.find(name.text, folder)
        if path is None or name.text in seen:
            why = "is a variant of itself" if name.text in seen else "is not beside this file, and not shipped"
            diagnostics.error(
                "E1102",
                f"the base game `{name.text}` {why}",
                name.span,
                f"put `{name.text}.rules` into the same folder",
            )
            return None
        source = shelf.read(path, diagnostics)
        found = None if source is None else parse_file(source, diagnostics)
        if source is None or found is None:
            return None
        sources[source.name] = source
        if isinstance(found.header, files.VariantHeader):
            found = _with_base(found, found.header, path.parent, diagnostics, sources, [*seen, name.text], shelf)
            if found is None:
                return None
        merged = found if merged is None else _joined(merged, found)
    assert merged is not None
    return _joined(merged, file)


def _joined(base: files.RulesFile, addition: files.RulesFile) -> files.RulesFile:
    known = {each.span for each in base.declarations}
    more = tuple(each for each in addition.declarations if each.span not in known)
    uses = base.uses + tuple(
        u for u in addition.uses if (u.name.text, u.arguments) not in {(v.name.text, v.arguments) for v in base.uses}
    )
    return base.model_copy(
        update={
            "declarations": base.declarations + more,
            "uses": uses,
            "libraries": base.libraries + addition.libraries,
        }
    )


def is_document(path: Path) -> bool:
    """Whether a file is meant as a game as JSON: it begins with a brace."""
    try:
        with open(path, "rb") as file:
            return looks_like_document(file.read(256).decode("utf-8", "replace"))
    except (OSError, ValueError):
        return False


def check_path(name: str | Path, with_scenarios: bool = True) -> Checked:
    """Parse and check a file; a file that cannot be read is a finding too."""
    path = find_file(name)
    diagnostics = Diagnostics()
    source = read_source(path, diagnostics, most=LARGEST_DOCUMENT if is_document(path) else MAX_FILE)
    if source is None:
        return Checked(None, None, diagnostics.in_order(), {})
    return check_source(source, with_scenarios)


def load_game(name: str | Path | Source) -> Checked:
    """A game without errors, or `RulesError` with all of them."""
    checked = check_source(name, False) if isinstance(name, Source) else check_path(name, False)
    if checked.game is None:
        raise RulesError([d for d in checked.diagnostics if d.severity == "error"], checked.sources)
    return checked
