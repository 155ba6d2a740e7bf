"""From a file, a text or the name of a shipped game to a checked game."""

from __future__ import annotations

from pathlib import Path

import regelwerk
from regelwerk.dsl.checker.game import GameChecker
from regelwerk.dsl.diagnostics import Diagnostic, Diagnostics, RulesError
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


def check_source(source: Source, with_scenarios: bool = True) -> Checked:
    """Parse and check a text. A variant is checked together with its base, which lies beside it or is shipped."""
    diagnostics = Diagnostics()
    sources = {source.name: source}
    file = parse_file(source, diagnostics)
    if file is None:
        return Checked(None, None, diagnostics.in_order(), sources)
    variant = file.header if isinstance(file.header, files.VariantHeader) else None
    if variant is not None:
        file = _with_base(file, variant, Path(source.name).parent, diagnostics, sources, [variant.name.text])
    if file is None or diagnostics.failed:
        return Checked(None, None, diagnostics.in_order(), sources)
    checker = GameChecker(file, diagnostics, sources, variant)
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
) -> files.RulesFile | None:
    """The base with the declarations of the variant (and of its companions) behind its own."""
    merged: files.RulesFile | None = None
    for name in (header.base, *header.companions):
        path = _beside(name.text, folder)
        if path is None or name.text in seen:
            why = "is a variant of itself" if name.text in seen else "is not beside this file, and not shipped"
            diagnostics.error(
                "E1102",
                f"the base game `{name.text}` {why}",
                name.span,
                f"put `{name.text}.rules` into the same folder",
            )
            return None
        source = read_source(path, diagnostics)
        found = None if source is None else parse_file(source, diagnostics)
        if source is None or found is None:
            return None
        sources[source.name] = source
        if isinstance(found.header, files.VariantHeader):
            found = _with_base(found, found.header, path.parent, diagnostics, sources, [*seen, name.text])
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


def _beside(name: str, folder: Path) -> Path | None:
    for path in (folder / f"{name}.rules", folder.parent / name / f"{name}.rules"):
        if path.is_file():
            return path
    return shipped_games().get(name)


def check_path(name: str | Path, with_scenarios: bool = True) -> Checked:
    """Parse and check a file; a file that cannot be read is a finding too."""
    path = find_file(name)
    diagnostics = Diagnostics()
    source = read_source(path, diagnostics)
    if source is None:
        return Checked(None, None, diagnostics.in_order(), {})
    return check_source(source, with_scenarios)


def load_game(name: str | Path | Source) -> Checked:
    """A game without errors, or `RulesError` with all of them."""
    checked = check_source(name, False) if isinstance(name, Source) else check_path(name, False)
    if checked.game is None:
        raise RulesError([d for d in checked.diagnostics if d.severity == "error"], checked.sources)
    return checked
