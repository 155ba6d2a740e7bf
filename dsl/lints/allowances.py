"""`// lint: allow W0911 why`: where the author says that a finding is meant to stand."""

from __future__ import annotations

import re
from dataclasses import dataclass

from regelwerk.dsl.diagnostics import Diagnostic, Fix, Replacement
from regelwerk.dsl.source import Source, Span

_ALLOWANCE = re.compile(r"(?P<before>[^\n]*?)//[ \t]*lint:[ \t]*(?P<rest>[^\n]*)")
_ALLOW = re.compile(r"allow(?P<codes>(?:[ \t,]+W\d{4})+)(?P<why>[^\n]*)")
_CODE = re.compile(r"W\d{4}")


@dataclass
class Allowance:
    """One code that a comment allows for the line `line`: its own, or if it stands alone the next one."""

    code: str
    span: Span
    line: int
    comment: Span
    alone: bool
    used: bool = False


def judged(found: list[Diagnostic], source: Source, allowed: frozenset[str]) -> tuple[Diagnostic, ...]:
    """The findings that nothing allows, in the order of their places; and the allowances that allow nothing."""
    allowances, wrong = allowances_of(source)
    by_line: dict[tuple[int, str], Allowance] = {(each.line, each.code): each for each in allowances}
    kept: list[Diagnostic] = []
    seen: set[tuple[str, Span]] = set()
    for each in found:
        span = each.span
        if span is not None and (each.code, span) in seen:
            continue
        allowance = None
        if span is not None:
            seen.add((each.code, span))
            if span.source == source.name:
                allowance = by_line.get((source.position(span.start)[0], each.code))
        if allowance is not None:
            allowance.used = True
        elif each.code not in allowed:
            kept.append(each)
    if "W0990" not in allowed:
        kept += wrong
        kept += [_idle(each, source) for each in allowances if not each.used and each.code not in allowed]
    return tuple(sorted(kept, key=_place))


def _place(each: Diagnostic) -> tuple[object, ...]:
    return (each.span.source, each.span.start, each.code) if each.span is not None else ("", 0, each.code)


def allowances_of(source: Source) -> tuple[list[Allowance], list[Diagnostic]]:
    """The allowances of a text, and the comments that look like some and cannot be read."""
    found: list[Allowance] = []
    wrong: list[Diagnostic] = []
    if "lint:" not in source.text:
        return found, wrong
    lines = source.text.split("\n")
    for number, text in enumerate(lines, start=1):
        match = _ALLOWANCE.match(text)
        if match is None or match["before"].count('"') % 2:
            continue
        start = source.offset(number) + len(match["before"])
        comment = Span(source.name, start, start + len(text.rstrip()) - len(match["before"]))
        allow = _ALLOW.match(match["rest"])
        if allow is None or not allow["why"].strip(" .:-"):
            wrong.append(_unreadable(comment, allow is not None))
            continue
        alone = not match["before"].strip()
        line = number
        while (
            alone and line < len(lines) and (not lines[line - 1].strip() or lines[line - 1].lstrip().startswith("//"))
        ):
            line += 1
        offset = start + text[len(match["before"]) :].index(match["rest"])
        for code in _CODE.finditer(allow["codes"]):
            begin = offset + match["rest"].index(allow["codes"]) + code.start()
            found.append(Allowance(code.group(), Span(source.name, begin, begin + 5), line, comment, alone))
    return found, wrong


def _unreadable(comment: Span, reason: bool) -> Diagnostic:
    message = "this allowance gives no reason" if reason else "this comment looks like an allowance, and is none"
    return Diagnostic("W0990", "warning", message, comment, (), "write `// lint: allow W0911 why it is meant`")


def _idle(each: Allowance, source: Source) -> Diagnostic:
    text = source.text
    start, end = each.comment.start, each.comment.end
    if each.alone:  # with its line
        start = text.rfind("\n", 0, start) + 1
        end = min(len(text), end + 1)
    else:
        while start > 0 and text[start - 1] in " \t":
            start -= 1
    several = len(_CODE.findall(text[each.comment.start : each.comment.end])) > 1
    fix = None if several else Fix("remove the comment", (Replacement(Span(source.name, start, end), ""),))
    return Diagnostic(
        "W0990", "warning", f"there is no finding {each.code} here to be allowed", each.span, (), "remove it", fix
    )


__all__ = ["Allowance", "allowances_of", "judged"]
