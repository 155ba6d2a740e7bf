"""Checking a file as `check` does: errors and warnings, and on a file without errors the lints."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from regelwerk.dsl.diagnostics import Diagnostic, Fix, Replacement
from regelwerk.dsl.source import Source

if TYPE_CHECKING:
    from regelwerk.interpreter.loading import Checked


@dataclass(frozen=True)
class Judging:
    """Which findings are wanted: `lints` at all, and without the codes in `allowed`."""

    lints: bool = True
    allowed: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Report:
    """What there is to say about one file; `name` is what it is called."""

    name: str
    checked: Checked
    diagnostics: tuple[Diagnostic, ...]

    @property
    def sources(self) -> dict[str, Source]:
        """The texts that the findings point into."""
        return self.checked.sources

    def count(self, severity: str) -> int:
        """How many findings of a kind there are."""
        return sum(each.severity == severity for each in self.diagnostics)


def report_of_file(path: Path, judging: Judging) -> Report:
    """Check a file; one that cannot be read is a finding, too."""
    from regelwerk.interpreter.loading import check_path, is_document

    checked = check_path(path)
    return _report(str(path), checked, judging, is_document(path))


def report_of_text(name: str, source: Source, judging: Judging) -> Report:
    """Check a text."""
    from regelwerk.dsl.interchange import looks_like_document
    from regelwerk.interpreter.loading import check_source

    return _report(name, check_source(source), judging, looks_like_document(source.text))


def _report(name: str, checked: Checked, judging: Judging, document: bool) -> Report:
    found = checked.diagnostics
    if checked.game is not None and checked.checker is not None and not document and judging.lints:
        from regelwerk.dsl.lints import lint  # only needed here, and only for files without errors

        header = checked.checker.file.header
        assert header is not None
        own = checked.layer.source if checked.layer is not None else header.span.source
        found = lint(checked.game, checked.checker, own, checked.composed, judging.allowed, found)
    found = tuple(each for each in found if each.severity != "warning" or each.code not in judging.allowed)
    return Report(name, checked, tuple(_with_spelling(each, checked.sources) for each in found))


_MEANT = re.compile(r"did you mean `(\w+)`\?")
ALIKE = 0.7
"""So much alike a word and what is proposed instead must be for a fix."""


def _with_spelling(finding: Diagnostic, sources: Mapping[str, Source]) -> Diagnostic:
    """An error about a misspelt word, with the word that is meant as its fix."""
    if finding.severity != "error" or finding.fix is not None or finding.span is None:
        return finding
    meant = _MEANT.search(finding.help or "") or _MEANT.search(finding.message)
    source = sources.get(finding.span.source)
    if meant is None or source is None:
        return finding
    word = source.text[finding.span.start : finding.span.end]
    if not word.isidentifier() or difflib.SequenceMatcher(None, word, meant[1]).ratio() < ALIKE:
        return finding
    return replace(finding, fix=Fix(f"write `{meant[1]}` instead of `{word}`", (Replacement(finding.span, meant[1]),)))


__all__ = ["Judging", "Report", "report_of_file", "report_of_text"]
