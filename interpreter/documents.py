"""A game that comes as a document, or goes out as one: the tree is checked as if it had been parsed.

The hash of a game names its texts. A document holds them beside the tree, and a program may have changed the tree; so
the texts are parsed again, and only if they say the same do they give the hash. Else it is of texts and tree, and a
warning says so.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from regelwerk.dsl.checker.game import GameChecker
from regelwerk.dsl.diagnostics import Diagnostic, Diagnostics
from regelwerk.dsl.interchange.reading import Read, Refused, read_document
from regelwerk.dsl.interchange.writing import document_of
from regelwerk.dsl.source import Source
from regelwerk.dsl.syntax import files
from regelwerk.interpreter.layers import Shelf
from regelwerk.interpreter.loading import Assembled, Checked, assembled, check_assembled

IMPOSSIBLE = (
    AssertionError,
    AttributeError,
    IndexError,
    KeyError,
    RecursionError,
    StopIteration,
    TypeError,
    ValueError,
)
"""What the checker may stumble over in a tree that no text has."""


class Embedded(Shelf):
    """The texts of a document, by the names of their files."""

    def __init__(self, sources: dict[str, Source]) -> None:
        self.sources = sources

    def find(self, name: str, folder: Path) -> Path | None:
        """The text of the game called `name`."""
        return Path(f"{name}.rules") if f"{name}.rules" in self.sources else None

    def library(self, name: str, folder: Path) -> Path | None:
        """The text of the library called `name`."""
        return self.find(name, folder)

    def read(self, path: Path, diagnostics: Diagnostics) -> Source | None:
        """The text itself."""
        return self.sources.get(str(path))


def check_document(document: Source, with_scenarios: bool) -> Checked:
    """Read and check a document."""
    try:
        read = read_document(document.text)
    except Refused as wrong:
        message = f"{Path(document.name).name}: {wrong.message}"
        return Checked(None, None, (Diagnostic(wrong.code, "error", message, help=wrong.help),), {})
    checker, original = _checker(read), _original(read)
    if original is None:
        checker.c.diagnostics.warning(
            "W1301",
            f"{Path(document.name).name}: its rules differ from the texts in it, so that messages may show what is not "
            "the rule, and the game has a hash of its own",
            None,
            "export the game again from its rules file, if you did not mean to change it",
        )
    try:
        checked = check_assembled(Assembled(checker), with_scenarios)
    except IMPOSSIBLE:
        if original is not None:
            raise
        # The grammar guarantees more than the forms of documents say; a tree of other origin may break that anywhere.
        wrong_tree = Diagnostic(
            "E1306",
            "error",
            f"{Path(document.name).name}: its rules are put together in a way that no text can be",
            help="compare with what `regelwerk export` gives for a similar rule",
        )
        return Checked(None, None, (*checker.c.diagnostics.in_order(), wrong_tree), read.sources)
    if checked.game is not None and original is None:
        checked.game = replace(checked.game, source_hash=_hash_of_tree(checked.game.source_hash, read))
    elif checked.game is not None and original is not None and original.composed is not None:
        checked.game = replace(checked.game, source_hash=original.composed.hash)
    return checked


def _checker(read: Read) -> GameChecker:
    own = tuple(node for node, library in read.declarations if library is None)
    expanded = [(node, library) for node, library in read.declarations if library is not None]
    file = files.RulesFile(span=read.header.span, edition=read.edition, header=read.header, declarations=own)
    return GameChecker(file, Diagnostics(), read.sources, read.variant, expanded)


def _original(read: Read) -> Assembled | None:
    """The game of the texts of a document, if they say what its tree says."""
    main = next(iter(read.sources.values()))
    sources = {main.name: main}
    made = assembled(main, Diagnostics(), sources, Embedded(read.sources))
    if made is None or made.checker.file.header != read.header or made.checker.variant != read.variant:
        return None
    of_texts, of_tree = made.checker, _checker(read)
    of_texts.gather()
    of_tree.gather()
    same = of_texts.declarations == of_tree.declarations and [*sources.values()] == [*read.sources.values()]
    return made if same else None


def _hash_of_tree(of_texts: str, read: Read) -> str:
    tree = json.dumps(read.raw, sort_keys=True)
    return hashlib.sha256(f"{of_texts}\n{tree}".encode()).hexdigest()[:16]


def export(checked: Checked) -> dict[str, Any]:
    """The document of a checked game."""
    assert checked.game is not None
    assert checked.checker is not None
    checker = checked.checker
    return document_of(checked.game, checker.file, checker.variant, checker.declarations)


__all__ = ["check_document", "export"]
