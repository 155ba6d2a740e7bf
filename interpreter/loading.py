"""From a file, a text or the name of a shipped game to a checked game."""

from __future__ import annotations

from pathlib import Path

import regelwerk
from regelwerk.dsl.checker.game import GameChecker
from regelwerk.dsl.diagnostics import Diagnostic, Diagnostics, RulesError
from regelwerk.dsl.model import game as g
from regelwerk.dsl.parser import parse_file, read_source
from regelwerk.dsl.source import Source


class Checked:
    """What checking a file gives: the game (None if it has errors), all findings, the sources, and the checker for scenarios."""

    def __init__(self, game: g.CheckedGame | None, checker: GameChecker | None, diagnostics: tuple[Diagnostic, ...], sources: dict[str, Source]) -> None:
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
    """Parse and check a text."""
    diagnostics = Diagnostics()
    sources = {source.name: source}
    file = parse_file(source, diagnostics)
    if file is None:
        return Checked(None, None, diagnostics.in_order(), sources)
    broken = diagnostics.failed
    checker = GameChecker(file, diagnostics, sources)
    game = checker.run() if not broken else None
    if game is not None and with_scenarios:
        from regelwerk.dsl.checker.scenarios import check_scenarios

        check_scenarios(checker)
        if diagnostics.failed:
            game = None
    return Checked(game, checker, diagnostics.in_order(), sources)


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
