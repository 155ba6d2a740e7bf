"""The kinds of words in rules files, for pages that show them: a plain scanner, without a lexer of others."""

from __future__ import annotations

import re
from collections.abc import Iterator

from regelwerk.tools.grammar_keywords import CLAUSES, DECLARATIONS, STATEMENTS, TYPES, WORDS

_KEYWORDS = frozenset({*CLAUSES, *DECLARATIONS, *STATEMENTS, *TYPES, *WORDS})

_TOKENS = re.compile(
    r"""(?P<comment>//[^\n]*)
    |(?P<string>\"{3}.*?\"{3}|"(?:[^"\n])*"?)
    |(?P<citation>\[[A-Z]+-[^\]\n]*\])
    |(?P<attribute>\.[^\W\d]\w*)
    |(?P<number>\d+)
    |(?P<name>[^\W\d]\w*)""",
    re.VERBOSE | re.DOTALL,
)


def tokens(text: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and kind of what is coloured: `comment`, `string`, `citation`, `number`, `keyword`."""
    for found in _TOKENS.finditer(text):
        kind = found.lastgroup or ""
        if kind == "name":
            if found.group() not in _KEYWORDS:
                continue
            kind = "keyword"
        if kind != "attribute":
            yield found.start(), found.end(), kind


__all__ = ["tokens"]
