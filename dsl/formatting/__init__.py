"""The formatter: one style for rules files, comments and groups of lines kept.

    pieces     tokens with their kinds (by the parsing machine), and what productions say of the layout; comments
    lines      which braces have lines of their own, where lines break, how far they are indented
    breaking   lines that are too long
    spacing    the blanks between two tokens
    rows       tables
    columns    what stands under each other in lines that are alike
    comments   comments at the ends of lines
    writing    all of these, one after the other: text to text
    verifying  that nothing but the layout has changed

Lines break where their author broke them. Three things are broken anew: the braces of a block stand either on one
line, or the first one ends a line and the last one begins one; a clause that has several lines shares none of them with
another; a line of more than `breaking.LIMIT` columns is broken where its clauses part, else its braces are opened, else
it is broken at an operator. At most one empty line stays; comments end their lines, so they stay where they are.

Runs of like lines are aligned if their author has aligned any of them (more blanks than usual before an `=`, say), at
places that depend on nothing else; how many lines form one column is what costs least in blanks. A comment at the end
of a line stays in its column, if it can, and neighbours share one. Drawings and texts are never touched.

The work is linear in the size of the text, without recursion. It is done again on its own result until that does not
change any more (mostly it does not the first time), and what comes out must give the same tokens, the same comments
and the same syntax tree as what went in: otherwise nothing is given back at all.
"""

from __future__ import annotations

from regelwerk.dsl.collector import resting_collector
from regelwerk.dsl.formatting.verifying import FormattingError, parse, require_same
from regelwerk.dsl.formatting.writing import LaidOut, lay_out
from regelwerk.dsl.parsing_machine import Stuck, TooDeep

_BOM = "\ufeff"
_PASSES = 5


@resting_collector()
def format_source(text: str, name: str = "<text>") -> str:
    """The text in the one style; line ends and a mark at its beginning are kept.

    Raises `RulesError` with the findings if the text has syntax errors, and `FormattingError` if the result would not
    mean the same, which is a fault of the formatter.
    """
    mark = _BOM if text.startswith(_BOM) else ""
    plain = text.removeprefix(_BOM)
    parsed = parse(plain, name)
    ends = plain.count("\r\n") * 2 > plain.count("\n")
    plain = plain.replace("\r\n", "\n")
    first = again = lay_out(plain)
    if first.text != plain:
        for _ in range(_PASSES):
            last, again = again, _again(again.text)
            if again.text == last.text:
                break
        else:
            raise FormattingError("the layout does not settle")
        require_same(first, parsed, again, name)
    found = again.text
    return mark + (found.replace("\n", "\r\n") if ends else found)


def _again(text: str) -> LaidOut:
    try:
        return lay_out(text)
    except (Stuck, TooDeep) as error:
        raise FormattingError("the result has syntax errors") from error


__all__ = ["FormattingError", "format_source"]
