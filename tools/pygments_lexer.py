"""A lexer for Pygments, so that whatever shows code by it (rich, Sphinx, HTML) can colour `.rules`.

The words come from the grammar. Whether `first` is a keyword depends on its place, which only the parser knows; behind
a point, and where a declaration is named, a word is always taken for a name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from pygments.lexer import RegexLexer, bygroups, words
from pygments.token import (
    Comment,
    Keyword,
    Literal,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Text,
    Whitespace,
)

from regelwerk.tools.grammar_keywords import CLAUSES, DECLARATIONS, STATEMENTS, TYPES, WORDS

CONSTANTS = ("yes", "no", "none")
BUILT_IN = ("me", "active", "players", "bank", "it", "self", "chosen")
OPERATORS = ("and", "or", "not", "is", "in", "div", "mod", "union", "except")
NAMING = DECLARATIONS - {"change", "edition", "effect", "remark", "remove", "replace", "rulebook", "section", "use"}
FOLLOWING = ("and", "as", "by", "from", "in", "is", "not", "of", "or", "per", "to", "until", "where")
"""Words that do not name what stands before them: `play game as Ann`, `cards in hand`."""

NAME = r"[^\W\d]\w*"
NAMED = rf"(?!(?:{'|'.join(FOLLOWING)})\b){NAME}"


def _any(found: object) -> object:
    return words(found, prefix=r"\b", suffix=r"\b")


class RulesLexer(RegexLexer):  # type: ignore[misc] # Pygments is not typed
    """Colours rules files."""

    name = "Regelwerk rules"
    aliases: ClassVar[Sequence[str]] = ["rules", "regelwerk"]
    filenames: ClassVar[Sequence[str]] = ["*.rules"]
    tokens: ClassVar[dict[str, list[Any]]] = {
        "root": [
            (r"\s+", Whitespace),
            (r"//[^\n]*", Comment.Single),
            (r'"""[\s\S]*?"""', String.Heredoc),
            (r'"', String, "text"),
            (r"[A-Z]+-[A-Z]?[0-9]+[a-z]?(?:\.\.[0-9]+)?", Literal.Other),
            (r"[0-9]+\.[0-9]+", Number.Float),
            (r"[0-9]+", Number.Integer),
            (r"\.\.", Operator),
            (rf"(\.)({NAME})", bygroups(Punctuation, Name.Attribute)),
            (rf"\b(effect)([ \t]+)({NAME})(?=[ \t]*[({{])", bygroups(Keyword.Declaration, Whitespace, Name.Class)),
            (
                rf"\b({'|'.join(sorted(NAMING))})([ \t]+)({NAMED})",
                bygroups(Keyword.Declaration, Whitespace, Name.Class),
            ),
            (_any(CONSTANTS), Keyword.Constant),
            (_any(BUILT_IN), Name.Builtin.Pseudo),
            (_any(OPERATORS), Operator.Word),
            (_any(sorted(DECLARATIONS | CLAUSES)), Keyword.Declaration),
            (_any(sorted(STATEMENTS)), Keyword),
            (_any(sorted(TYPES)), Keyword.Type),
            (_any(sorted(WORDS)), Keyword.Reserved),
            (NAME, Name),
            (r"[-+*=<>]", Operator),
            (r"[{}()\[\],:|/?]", Punctuation),
        ],
        "text": [
            (r"\{\{|\}\}", String.Escape),
            (r"\{", String.Interpol, "hole"),
            (r'"', String, "#pop"),
            (r"\n", Text, "#pop"),
            (r'[^"{}\n]+|\}', String),
        ],
        "hole": [
            (r"\}", String.Interpol, "#pop"),
            (r'(?=["\n])', Text, "#pop"),
            (rf"(\.)({NAME})", bygroups(Punctuation, Name.Attribute)),
            (r'[^}"\n.]+|\.', String.Interpol),
        ],
    }


__all__ = ["RulesLexer"]
