"""Writes editors/vscode/syntaxes/rules.tmLanguage.json, the colours for editors: python docs/make_textmate.py

The words are those of `tools/grammar_keywords.py`, which come from `grammar.lark`; the rules are those of
`tools/pygments_lexer.py`, in the same order, under the names that themes of editors know.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from regelwerk.tools.grammar_keywords import CLAUSES, DECLARATIONS, STATEMENTS, TYPES, WORDS
from regelwerk.tools.pygments_lexer import BUILT_IN, CONSTANTS, NAME, NAMED, NAMING, OPERATORS

FILE = Path(__file__).resolve().parents[1] / "editors" / "vscode" / "syntaxes" / "rules.tmLanguage.json"


def _words(found: Iterable[str]) -> str:
    return rf"\b(?:{'|'.join(sorted(found))})\b"


def _plain(scope: str, pattern: str) -> dict[str, Any]:
    return {"name": f"{scope}.rules", "match": pattern}


def _parts(pattern: str, *scopes: str) -> dict[str, Any]:
    captures = {str(number): {"name": f"{scope}.rules"} for number, scope in enumerate(scopes, 1) if scope}
    return {"match": pattern, "captures": captures}


def _attribute() -> dict[str, Any]:
    return _parts(rf"(\.)({NAME})", "punctuation.accessor", "variable.other.property")


def _text() -> dict[str, Any]:
    return {
        "name": "string.quoted.double.rules",
        "begin": '"',
        "end": r'"|$',
        "patterns": [
            _plain("constant.character.escape", r"\{\{|\}\}"),
            {
                "name": "meta.interpolation.rules",
                "begin": r"\{",
                "end": r'\}|(?=")|$',
                "beginCaptures": {"0": {"name": "punctuation.section.interpolation.begin.rules"}},
                "endCaptures": {"0": {"name": "punctuation.section.interpolation.end.rules"}},
                "patterns": [_attribute(), _plain("variable.other", NAME)],
            },
        ],
    }


def grammar() -> dict[str, Any]:
    """The TextMate grammar."""
    drawing = {"name": "string.quoted.triple.rules", "begin": '"""', "end": '"""'}
    return {
        "comment": "Made by `python docs/make_textmate.py`; do not edit.",
        "name": "Regelwerk rules",
        "scopeName": "source.rules",
        "fileTypes": ["rules"],
        "patterns": [
            _plain("comment.line.double-slash", r"//.*$"),
            drawing,
            _text(),
            _plain("constant.other.citation", r"[A-Z]+-[A-Z]?[0-9]+[a-z]?(?:\.\.[0-9]+)?"),
            _plain("constant.numeric.decimal", r"[0-9]+\.[0-9]+"),
            _plain("constant.numeric.integer", r"[0-9]+"),
            _plain("keyword.operator.range", r"\.\."),
            _attribute(),
            _parts(rf"\b(effect)[ \t]+({NAME})(?=[ \t]*[({{])", "storage.type.declaration", "entity.name.type"),
            _parts(rf"\b({'|'.join(sorted(NAMING))})[ \t]+({NAMED})", "storage.type.declaration", "entity.name.type"),
            _plain("constant.language", _words(CONSTANTS)),
            _plain("variable.language", _words(BUILT_IN)),
            _plain("keyword.operator.word", _words(OPERATORS)),
            _plain("storage.type.declaration", _words(DECLARATIONS | CLAUSES)),
            _plain("keyword.control", _words(STATEMENTS)),
            _plain("support.type", _words(TYPES)),
            _plain("keyword.other", _words(WORDS)),
            _plain("variable.other", NAME),
            _plain("keyword.operator", r"[-+*=<>]"),
            _plain("punctuation", r"[{}()\[\],:|/?.]"),
        ],
    }


def text() -> str:
    """The file."""
    return json.dumps(grammar(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(text(), encoding="utf-8", newline="\n")
    print(f"wrote {FILE}")
