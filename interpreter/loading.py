"""From a file, a text or the name of a shipped game to a checked game."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from regelwerk.dsl.checker.game import GameChecker
from regelwerk.dsl.checker.libraries import find_files
from regelwerk.dsl.checker.scenarios import check_scenarios
from regelwerk.dsl.collector import resting_collector
from regelwerk.dsl.composition.composing import Composed, compose
from regelwerk.dsl.composition.explaining import explain
from regelwerk.dsl.composition.layers import Layer
from regelwerk.dsl.diagnostics import Diagnostic, Diagnostics, RulesError
from regelwerk.dsl.interchange import LARGEST_DOCUMENT, looks_like_document
from regelwerk.dsl.lexing import MAX_FILE
from regelwerk.dsl.model import game as g
from regelwerk.dsl.parser import parse_file, read_source
from regelwerk.dsl.source import Source, Span
from regelwerk.dsl.syntax import files
from regelwerk.interpreter.layers import Gatherer, Shelf, shipped_games


class Checked:
    """What checking a file gives: the game (None if it has errors), all findings, the sources, and the checker for
    scenarios. For a variant also its layer and its composition, with the scenarios of what it builds on."""

    def __init__(
        self,
        game: g.CheckedGame | None,
        checker: GameChecker | None,
        diagnostics: tuple[Diagnostic, ...],
        sources: dict[str, Source],
        layer: Layer | None = None,
        composed: Composed | None = None,
    ) -> None:
        self.game = game
        self.checker = checker
        self.diagnostics = diagnostics
        self.sources = sources
        self.layer = layer
        self.composed = composed


@dataclass(frozen=True)
class Assembled:
    """A game ready to be checked; for a variant with its layer and its composition."""

    checker: GameChecker
    layer: Layer | None = None
    composed: Composed | None = None


def find_file(name: str | Path) -> Path:
    """The file that is meant: a path, or the name of a shipped game."""
    path = Path(name)
    if path.is_file():
        return path
    return shipped_games().get(str(name), path)


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
    made = assembled(source, diagnostics, sources, Shelf())
    if made is None:
        return Checked(None, None, diagnostics.in_order(), sources)
    return check_assembled(made, with_scenarios)


def assembled(source: Source, diagnostics: Diagnostics, sources: dict[str, Source], shelf: Shelf) -> Assembled | None:
    """A text ready to be checked, put together with its base and companions if it is a variant."""
    file = parse_file(source, diagnostics)
    if file is None:
        return None
    file = find_files(file, source, diagnostics, sources, shelf)
    if isinstance(file.header, files.VariantHeader):
        layer = Gatherer(diagnostics, sources, shelf).layer(source, file)
        return None if layer is None or diagnostics.failed else of_layers((layer,), diagnostics, sources)
    return None if diagnostics.failed else Assembled(GameChecker(file, diagnostics, sources))


def of_layers(tops: tuple[Layer, ...], diagnostics: Diagnostics, sources: dict[str, Source]) -> Assembled | None:
    """The variant that is the first of `tops`, ready to be checked; the scenarios are those of the last."""
    composed = compose(tops, diagnostics, sources)
    variant = tops[0].header
    if composed is None:
        return None
    assert isinstance(variant, files.VariantHeader)
    return Assembled(GameChecker(composed.file, diagnostics, sources, variant, composed.expanded), tops[0], composed)


def check_assembled(made: Assembled, with_scenarios: bool) -> Checked:
    """Check a tree, and then its scenarios."""
    checker, composed = made.checker, made.composed
    diagnostics, sources = checker.c.diagnostics, checker.c.sources
    game = checker.run()
    if game is not None and composed is not None:
        game.source_hash = composed.hash
    if game is not None and with_scenarios:
        check_scenarios(checker)
    if composed is not None:
        explain(composed, diagnostics, sources)
    found = diagnostics.in_order()
    errors = any(each.severity == "error" for each in found)
    return Checked(None if errors else game, checker, found, sources, made.layer, composed)


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
    if checked.game is None and not any(each.severity == "error" for each in checked.diagnostics):
        span = Span(next(iter(checked.sources)), 0, 0)
        help_text = "a game says `use NAME` to have what it declares"
        found = Diagnostic("E0101", "error", "this file is a library, no game", span, help=help_text)
        raise RulesError([found], checked.sources)
    if checked.game is None:
        raise RulesError([d for d in checked.diagnostics if d.severity == "error"], checked.sources)
    return checked


__all__ = [
    "Assembled",
    "Checked",
    "assembled",
    "check_assembled",
    "check_path",
    "check_source",
    "find_file",
    "is_document",
    "load_game",
    "of_layers",
    "shipped_games",
]
