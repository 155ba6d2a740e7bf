"""The codes of everything that can be wrong with the text of a rules file, and the words the parser speaks in.

All stages of the front end report with these codes; `recovery` puts what was expected into words with `expectation`.
"""

from __future__ import annotations

from enum import StrEnum


class Code(StrEnum):
    """Codes of syntax findings; the name of a member is its short readable name."""

    UNEXPECTED = "E0101"  # something else was expected here
    MISSPELT_KEYWORD = "E0102"  # a word that is nearly a keyword
    NO_KEYWORD = "E0103"  # a statement or declaration that does not begin with a keyword
    MISSING = "E0104"  # one mark or word is missing
    SUPERFLUOUS = "E0105"  # one mark or word is too much
    UNEXPECTED_END = "E0106"  # the file ends too early
    TOO_MANY = "E0107"  # so many errors that the rest is not looked at
    UNCLOSED = "E0110"  # a bracket that is never closed
    STRAY_CLOSE = "E0111"  # a closing bracket without an opening one
    CHARACTER = "E0120"  # a character that means nothing
    OPEN_TEXT = "E0121"  # a text that is never closed
    OPEN_DRAWING = "E0122"  # a drawing that is never closed
    CONTROL = "E0123"  # an invisible character
    TAB = "E0124"  # a tab
    ENCODING = "E0125"  # not UTF-8
    UNREADABLE = "E0126"  # a file that cannot be read
    EDITION_MISSING = "E0130"
    EDITION_UNKNOWN = "E0131"
    NOTHING = "E0132"  # an empty file
    OPEN_ROW = "E0140"  # a row without its last pipe
    CELL_COUNT = "E0141"  # a row with too few or too many cells
    CELL = "E0142"  # a cell that cannot be read
    ROW_NAME = "E0143"  # a row without a name
    HEADER = "E0144"  # a header that is not plain words
    NO_HEADER = "E0145"  # a placed row before any header
    CITATION = "E0146"  # a citation that cannot be read
    HOLE = "E0150"  # a hole of a text that cannot be read
    OPEN_HOLE = "E0151"  # a hole that is never closed
    STRAY_BRACE = "E0152"  # a closing brace in a text
    BIG_FILE = "E0160"
    LONG_LINE = "E0161"
    LONG_NAME = "E0162"
    LONG_TEXT = "E0163"
    NESTING = "E0164"
    LONG_TABLE = "E0165"
    DEEP = "E0166"  # an expression or statement that is nested too deeply
    BIG_NUMBER = "E0167"
    TWICE = "E0170"  # a part of a clause that is written twice
    RESERVED = "E0171"  # a word that cannot name anything


# ----------------------------------------------------------------------------------------------- words of the language
def words(text: str) -> frozenset[str]:
    """The words of a text as a set."""
    return frozenset(text.split())


DECLARATIONS = words(
    "section const option enum resource track state cards tiles pieces dice fields table zone interface record "
    "value score award end rank invariant remark rulebook action effect rule trigger phase scenario replace remove "
    "extend change resolve library use"
)
STATEMENTS = words(
    "gain lose pay give take move draw shuffle roll reveal do may one any as acting nothing set let choose random "
    "if for everyone repeat offer step require"
)
CLAUSES = words(
    "cost line column drawing given play then when chance players same pin first last before after param member"
)
STARTERS = DECLARATIONS | STATEMENTS | CLAUSES

_VALUE_WORDS = words("( [ { - . not if by none yes no some every count first list sum min max happened times latest")
_OPERATOR_WORDS = words("+ - * div mod union except is in not and or where .. . (")
_NAMED = {
    "NAME": "a name",
    "STRING": "a text in quotes",
    "INT": "a number",
    "DECIMAL": "a number",
    "ROW": "a table row",
    "CITE": "a citation such as `A-012`",
    "DRAWING": 'a drawing in `"""`',
    "UNIT": "a unit",
    "$END": "the end of the file",
}


def expectation(kinds: list[str], literals: dict[str, str]) -> str:
    """What could stand at a place, in words: `a value or `)``."""
    left = set(kinds)
    found: list[str] = []

    def drop(words: frozenset[str]) -> None:
        left.difference_update(literals[word] for word in words if word in literals)

    if {"GAIN", "LOSE", "MOVE"} <= left:
        found.append("a statement")
        drop(STATEMENTS)
    if {"ACTION", "ENUM", "ZONE"} <= left:
        found.append("a declaration")
        drop(DECLARATIONS)
    if {"INT", "LPAR", "NONE"} <= left:
        found.append("a value")
        drop(_VALUE_WORDS)
        left -= {"INT", "DECIMAL", "STRING", "NAME"}
    operators = {literals["+"], literals["*"]} <= left
    if operators:
        drop(_OPERATOR_WORDS)
        left -= {"CMP", "UNIT"}
    if len(left) > 1:
        left.discard(literals.get("[", ""))
    spelling = {terminal: text for text, terminal in literals.items()}
    named = sorted({_NAMED[kind] for kind in left if kind in _NAMED})
    marks = sorted(f"`{spelling[kind]}`" for kind in left if kind in spelling)
    found += named + marks
    if not found and operators:
        found.append("an operator")
    if len(found) > 7:
        found = [*found[:6], "one of several other words"]
    if not found:
        return "something else"
    return found[0] if len(found) == 1 else ", ".join(found[:-1]) + " or " + found[-1]
