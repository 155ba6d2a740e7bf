"""Emphasis and links inside a text. They are private characters, so that words stay plain strings until an output."""

from __future__ import annotations

import re
from collections.abc import Callable

LINK, MIDDLE, CLOSE, EMPHASIS = "\ue000", "\ue001", "\ue002", "\ue003"
_PRIVATE = re.compile("[\ue000-\uf8ff\x00-\x08\x0b-\x1f\x7f]")
_LINK = re.compile(f"{LINK}([^{LINK}{MIDDLE}{CLOSE}]*){MIDDLE}([^{CLOSE}]*){CLOSE}")
_EMPHASIS = re.compile(f"{EMPHASIS}([^{CLOSE}]*){CLOSE}")


def own(text: str) -> str:
    """A text of the author on one line, without characters that mean something here."""
    return " ".join(_PRIVATE.sub("", text).split())


def link(target: str, text: str) -> str:
    """A text that leads to the entry `target`."""
    return f"{LINK}{target}{MIDDLE}{text}{CLOSE}"


def emphasis(text: str) -> str:
    """A name of something that has no entry."""
    return f"{EMPHASIS}{text}{CLOSE}"


def plain(text: str) -> str:
    """The text alone."""
    return _EMPHASIS.sub(r"\1", _LINK.sub(r"\2", text))


def targets(text: str) -> list[str]:
    """What the links of a text lead to."""
    return [each[1] for each in _LINK.finditer(text)]


def rendered(
    text: str, escape: Callable[[str], str], linked: Callable[[str, str], str], stressed: Callable[[str], str]
) -> str:
    """The text for an output: how it escapes, what it makes of links (target, text) and of emphasis."""
    found: list[str] = []
    at = 0
    both = re.compile(f"{_LINK.pattern}|{_EMPHASIS.pattern}")
    for each in both.finditer(text):
        found.append(escape(text[at : each.start()]))
        if each[3] is not None:
            found.append(stressed(escape(each[3])))
        else:
            found.append(linked(each[1], escape(each[2])))
        at = each.end()
    return "".join([*found, escape(text[at:])])


__all__ = ["emphasis", "link", "own", "plain", "rendered", "targets"]
