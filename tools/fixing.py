"""`check --fix`: applies the fixes of findings to a text, and makes sure that nothing else changes.

All fixes are applied together, and then what they gave rise to (a value that only an unused one asked for), until there
is none left. What a file that builds on this one speaks of stays. What comes out is checked again: no finding may be
new, and every declaration that no fix touched must say what it said. If that does not hold, each fix is tried alone,
and those that do not stand the test are left out.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from regelwerk.dsl.composition.trees import meaning
from regelwerk.dsl.diagnostics import Diagnostic, Diagnostics, Replacement
from regelwerk.dsl.parser import parse_file
from regelwerk.dsl.source import Source, Span
from regelwerk.dsl.syntax import declarations as d
from regelwerk.dsl.syntax import files
from regelwerk.dsl.syntax.base import Node
from regelwerk.tools.checking import Judging, Report, report_of_text

ROUNDS = 20
"""Fixes that follow from fixes: at most so often."""


@dataclass
class Fixed:
    """A text after its fixes: those that were `applied` (with the line where each stood), and what is left to say."""

    text: str
    report: Report
    applied: list[tuple[Diagnostic, int]] = field(default_factory=list)


@dataclass(frozen=True)
class Beside:
    """What the files that build on one speak of: so it stays, although that one file does not need it. `some`: whether
    there are any."""

    words: frozenset[str] = frozenset()
    some: bool = False

    def need(self, finding: Diagnostic) -> bool:
        """Whether a fix would take away what one of them may need."""
        if finding.code == "W0906":  # which names of a library they use is not looked into
            return self.some
        return finding.code == "W0901" and not self.words.isdisjoint(_NAME.findall(finding.message.partition("`")[2]))


_NAME = re.compile(r"\w+")
_BUILDS_ON = re.compile(r"^[ \t]*(?:variant\b[^\n]*?\bof\b|use\b)([^\n]*)", re.MULTILINE)


def beside(path: Path) -> Beside:
    """The files in the folder of one that build on it."""
    words: set[str] = set()
    some = False
    for other in sorted(path.parent.glob("*.rules")):
        try:
            text = other.read_text(encoding="utf-8") if other != path else ""
        except (OSError, UnicodeDecodeError):
            continue
        if any(path.stem in _NAME.findall(match[1]) for match in _BUILDS_ON.finditer(text)):
            some = True
            words.update(_NAME.findall(text))
    return Beside(frozenset(words), some)


def fix(source: Source, report: Report, judging: Judging, others: Beside | None = None) -> Fixed:
    """Apply all fixes of a report to its text, but those that take away what `others` need."""
    return _Fixer(judging, others or Beside()).run(source, report)


class _Fixer:
    def __init__(self, judging: Judging, others: Beside) -> None:
        self.judging = judging
        self.others = others

    def run(self, source: Source, report: Report) -> Fixed:
        """All fixes together; if that is not sound, one after the other."""
        together = self._followed(Fixed(source.text, report), source.name, frozenset())
        if _is_sound(source, report, together):
            return together
        done = Fixed(source.text, report)
        refused: set[tuple[str, str]] = set()
        for _ in range(ROUNDS * ROUNDS):
            now = Source(source.name, done.text)
            waiting = [each for each in self._fixable(now, done.report) if _key_of(each) not in refused]
            if not waiting:
                break
            known = frozenset(_key_of(each) for each in done.report.diagnostics)
            tried = self._followed(self._apply(now, waiting[:1], done), source.name, known)
            if _is_sound(now, done.report, tried):
                done = tried
            else:
                refused.add(_key_of(waiting[0]))
        return done

    def _followed(self, done: Fixed, name: str, without: frozenset[tuple[str, str]]) -> Fixed:
        """Apply all fixes but some, and those of findings that they give rise to."""
        for _ in range(ROUNDS):
            now = Source(name, done.text)
            fixable = [each for each in self._fixable(now, done.report) if _key_of(each) not in without]
            if not fixable:
                break
            done = self._apply(now, fixable, done)
        return done

    def _fixable(self, source: Source, report: Report) -> list[Diagnostic]:
        """The findings whose fixes are all in this text and do not overlap, in order."""
        found: list[Diagnostic] = []
        end = -1
        for each in sorted(report.diagnostics, key=_begin):
            spans = [edit.span for edit in each.fix.edits] if each.fix is not None else []
            inside = bool(spans) and all(span.source == source.name for span in spans)
            if inside and _begin(each) >= end and not self.others.need(each):
                found.append(each)
                end = max(span.end for span in spans)
        return found

    def _apply(self, source: Source, findings: list[Diagnostic], before: Fixed) -> Fixed:
        edits = [edit for each in findings if each.fix is not None for edit in each.fix.edits]
        text = edited(source.text, edits)
        applied = [(each, source.position(each.span.start)[0] if each.span is not None else 1) for each in findings]
        report = report_of_text(before.report.name, Source(source.name, text), self.judging)
        return Fixed(text, report, [*before.applied, *applied])


def _key_of(finding: Diagnostic) -> tuple[str, str]:
    return finding.code, finding.message


def _begin(finding: Diagnostic) -> int:
    """Where the fix of a finding begins."""
    return min((edit.span.start for edit in finding.fix.edits), default=-1) if finding.fix is not None else -1


def edited(text: str, edits: list[Replacement]) -> str:
    """A text with some of its parts replaced."""
    for each in sorted(edits, key=lambda edit: edit.span.start, reverse=True):
        text = text[: each.span.start] + each.text + text[each.span.end :]
    return text


# ------------------------------------------------------------------------------------------------------------ judging
def _is_sound(source: Source, before: Report, after: Fixed) -> bool:
    """Whether no finding is new, and nothing has changed but what was fixed."""
    if not after.applied:
        return True
    old = Counter((each.code, each.message) for each in before.diagnostics)
    new = Counter((each.code, each.message) for each in after.report.diagnostics)
    if new - old or sum(new.values()) >= sum(old.values()):
        return False
    return before.count("error") > 0 or _says_the_same(source, Source(source.name, after.text))


def _says_the_same(old: Source, new: Source) -> bool:
    """Whether each declaration of the new text is one of the old text, in the same order, but for what lies in lines
    that differ."""
    one, other = parse_file(old, Diagnostics()), parse_file(new, Diagnostics())
    if one is None or other is None or meaning(one.header) != meaning(other.header):
        return False
    changed = _changed(old.text, new.text, old.name)
    kept = [_key(each) for each in _parts(one) if not _meets(each.span, changed)]
    found = [_key(each) for each in _parts(other)]
    place = 0
    for each in found:
        if place < len(kept) and kept[place] == each:
            place += 1
    return place == len(kept) and len(found) <= len(_parts(one))


def _parts(file: files.RulesFile) -> list[Node]:
    found: list[Node] = [*file.uses, *file.libraries]
    waiting: list[Node] = list(reversed(file.declarations))
    while waiting:
        each = waiting.pop()
        if isinstance(each, d.Section):
            waiting.extend(reversed(each.declarations))
        else:
            found.append(each)
    return found


def _key(node: Node) -> tuple[str, ...]:
    return tuple(meaning(node))


def _changed(old: str, new: str, name: str) -> list[Span]:
    """The lines of the old text that are not in the new one."""
    lines = old.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    matcher = difflib.SequenceMatcher(None, lines, new.splitlines(keepends=True), autojunk=False)
    return [Span(name, starts[a], starts[b]) for tag, a, b, _, _ in matcher.get_opcodes() if tag != "equal" and a < b]


def _meets(span: Span, others: list[Span]) -> bool:
    return any(span.start < other.end and other.start < span.end for other in others)


def difference(old: str, new: str, shown: str) -> str:
    """What would change, as other programs read it."""
    lines = difflib.unified_diff(
        old.splitlines(keepends=True), new.splitlines(keepends=True), shown, f"{shown} (fixed)"
    )
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


__all__ = ["Beside", "Fixed", "beside", "difference", "edited", "fix"]
