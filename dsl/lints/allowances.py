"""`// lint: allow W0911 why`: where the author says that a finding is meant to stand.

It is about its line, or alone on a line about the next one, and about the braces that begin or end there: so it holds
however a formatter breaks the lines.
"""

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
    """One code that a comment allows for the lines `first` to `last`."""

    code: str
    span: Span
    first: int
    last: int
    comment: Span
    alone: bool
    used: bool = False


def judged(found: list[Diagnostic], source: Source, allowed: frozenset[str]) -> tuple[Diagnostic, ...]:
    """The findings that nothing allows, in the order of their places; and the allowances that allow nothing."""
    allowances, wrong = allowances_of(source)
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
                allowance = _allowing(allowances, each.code, source.position(span.start)[0])
        if allowance is not None:
            allowance.used = True
        elif each.code not in allowed:
            kept.append(each)
    if "W0990" not in allowed:
        kept += wrong
        kept += [_idle(each, source) for each in allowances if not each.used and each.code not in allowed]
    return tuple(sorted(kept, key=_place))


def _allowing(allowances: list[Allowance], code: str, line: int) -> Allowance | None:
    """The allowance of a code that is about a line; of several the narrowest."""
    fitting = [each for each in allowances if each.code == code and each.first <= line <= each.last]
    return min(fitting, key=lambda each: each.last - each.first, default=None)


def _place(each: Diagnostic) -> tuple[object, ...]:
    return (each.span.source, each.span.start, each.code) if each.span is not None else ("", 0, each.code)


def allowances_of(source: Source) -> tuple[list[Allowance], list[Diagnostic]]:
    """The allowances of a text, and the comments that look like some and cannot be read."""
    found: list[Allowance] = []
    wrong: list[Diagnostic] = []
    if "lint:" not in source.text:
        return found, wrong
    lines = source.text.split("\n")
    depths = [_braces(text) for text in lines]
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
        first, last = _reach(depths, line)
        offset = start + text[len(match["before"]) :].index(match["rest"])
        for code in _CODE.finditer(allow["codes"]):
            begin = offset + match["rest"].index(allow["codes"]) + code.start()
            found.append(Allowance(code.group(), Span(source.name, begin, begin + 5), first, last, comment, alone))
    return found, wrong


def _braces(text: str) -> int:
    """How many more braces a line opens than it closes, outside of texts and comments."""
    code = "".join(part for place, part in enumerate(text.split('"')) if not place % 2)
    code = code.partition("//")[0]
    return code.count("{") - code.count("}")


def _reach(depths: list[int], line: int) -> tuple[int, int]:
    """The lines from the opening to the closing brace of what begins or ends on a line, both counted from 1."""
    first = last = line
    depth = depths[line - 1]
    while depth > 0 and last < len(depths):
        last += 1
        depth += depths[last - 1]
    while depth < 0 and first > 1:
        first -= 1
        depth += depths[first - 1]
    return first, last


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
