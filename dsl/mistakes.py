"""Typical mistakes of designers, and what they mean: the part of recovery that knows habits.

`recovery` asks here first when no action fits a token. Each function knows one habit (`=` for `is`, an effect without
`do`, a condition without braces ...) and proposes `Edit`s: what to write instead, and the one finding that says so.
Recovery takes the first edit after which the file can be read on. Marks that the language does not have arrive as
tokens of kind `FOREIGN`: lexing cannot tell what `==` is meant to be, the place where it stands can.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from regelwerk.dsl.braceless import unbraced
from regelwerk.dsl.edits import Edit, Habit, Place, unread
from regelwerk.dsl.foreign_marks import (
    CHANGES,
    arrows,
    comma_before,
    comparisons,
    dashes,
    foreign,
    indexed,
    marks_of_ours,
    nothing_behind,
    parted_numbers,
    question,
    quotes_inside,
    ranges,
    separators,
)
from regelwerk.dsl.foreign_words import (
    generator,
    loops,
    operators_in_words,
    quantifiers,
    returned,
    words_of_others,
)
from regelwerk.dsl.lexing import FOREIGN, Token, show
from regelwerk.dsl.misplaced import (
    changes_in_signs,
    chosen_from,
    citations,
    claims_apart,
    colon_for_value,
    if_for_when,
    loop_while,
    names_in_quotes,
    per_behind,
    type_first,
    undeclared,
    unnamed,
    unquoted,
)
from regelwerk.dsl.parse_errors import DECLARATIONS, STATEMENTS, Code, words

_HAPPENINGS = words(
    "gain lose pay give take move draw shuffle roll reveal do may set let choose random for everyone repeat acting"
)


def first_fitting(place: Place, sure: bool) -> Edit | None:
    """The first edit after which the file can be read on. sure: only habits that are told from the token itself."""
    for habit in _SURE if sure else _LIKELY:
        for edit in habit(place):
            if edit.always or edit.skip or place.fits(edit):
                return edit
    return None


# ----------------------------------------------------------------------------------------------------------- statements
def _then(place: Place) -> Iterator[Edit]:
    """`then` or `and` between the statements of a block; `and` in a cell."""
    token, kinds = place.token, place.kinds(place.index)
    if token.text not in ("then", "and"):
        return
    index, span = place.index, place.span(token)
    following = place.at(index + 1).text
    if token.text == "and" and following not in STATEMENTS:
        return
    if place.cell and token.text == "and":
        message = "effects are joined by `then`; `and` joins conditions"
        yield Edit(index, index + 1, [place.make("then", token)], Code.UNEXPECTED, message, span, "write `then`")
    elif "GAIN" in kinds and "MOVE" in kinds:
        message = "in braces statements simply follow each other"
        yield Edit(index, index + 1, [], Code.SUPERFLUOUS, message, span, f"remove `{token.text}`")


def _do(place: Place) -> Iterator[Edit]:
    """The name of an effect without `do`; a state without `set`."""
    yield from _run(place, known=False)


def _do_known(place: Place) -> Iterator[Edit]:
    """The name of an effect of this file without `do`."""
    yield from _run(place, known=True)


def _run(place: Place, known: bool) -> Iterator[Edit]:
    spots = [place.index]
    if place.cell and place.token.text in ("then", "or") and place.index:
        spots.append(0)  # read as a value until `then` came
    for spot in spots:
        token = place.at(spot)
        if not token.text[:1].isalpha() or token.text in place.machine.automaton.literals or token.kind == "CITE":
            continue
        if token.text == "me" or not {"DO", "GAIN"} <= place.kinds(spot):  # whoever acts is no effect
            continue
        name, span = show(token.text), place.span(token)
        following = place.at(spot + 1).text
        if following in ("=", ":=", *CHANGES):
            message = f"a statement begins with a keyword; to change `{name}`, write `set {name} = ...`"
            help = f"write `set {name}`"
            tokens = [_before(place, "set", token), unread(token), place.make("=", place.at(spot + 1))]
            yield Edit(spot, spot + 2, tokens, Code.NO_KEYWORD, message, span, help)
            continue
        sign = place.at(spot + 1)
        if sign.text in ("+", "-") and sign.text == place.at(spot + 2).text and sign.end == place.at(spot + 2).start:
            message = f"a statement begins with a keyword; to change `{name}`, write `set {name} = ...`"
            help = f"write `set {name} = {name} {sign.text} 1`"
            span = place.span(token, place.at(spot + 2))
            yield Edit(spot, spot + 3, [], Code.NO_KEYWORD, message, span, help, look=1)
            continue
        if known and not place.declares(token.text, "effect"):
            continue
        message = f"a statement begins with a keyword; to run the effect `{name}`, write `do {name}`"
        help = f"write `do {name}`"
        look = 1 if place.at(spot + 1).fresh else 3
        yield Edit(spot, spot, [_before(place, "do", token)], Code.NO_KEYWORD, message, span, help, look=look)


def _before(place: Place, word: str, token: Token) -> Token:
    return Token("WORD", word, token.start, token.start, token.fresh)


def _unit_below(place: Place) -> Iterator[Edit]:
    """A unit that begins the next line."""
    token, index = place.token, place.index
    if not token.fresh or not index or token.kind not in ("WORD", "NAME") or "UNIT" not in place.kinds(index):
        return
    if not (
        place.declares(token.text, "resource", "track", r"(?:resource|track)\s+\w+\s*/")
        or re.search(rf"[\d)] +{re.escape(token.text)}\b", place.text)
    ):
        return
    unit = Token("UNIT", token.text, token.start, token.end, False)
    message = "a unit stands on the line of its amount"
    yield Edit(
        index, index + 1, [unit], Code.UNEXPECTED, message, place.span(token), f"move `{show(token.text)}` up", look=1
    )


def _elif(place: Place) -> Iterator[Edit]:
    """`elif` and its kin."""
    token, index = place.token, place.index
    if token.text.casefold() in ("elif", "elsif", "elseif"):
        tokens = [place.make("else", token), Token("WORD", "if", token.end, token.end, False)]
        message = f"`{token.text}` means nothing here"
        yield Edit(index, index + 1, tokens, Code.UNEXPECTED, message, place.span(token), "write `else if`")


# --------------------------------------------------------------------------------------------------------------- values
def _colon(place: Place) -> Iterator[Edit]:
    """`max(p in players, p.points)`."""
    depth = 0
    comma: int | None = None
    for spot in range(place.index, max(place.index - 60, 0), -1):
        token = place.tokens[spot]
        if token.text in (")", "]", "}") and token.kind != "STRING" and spot < place.index:
            depth += 1
        elif token.text in ("[", "{") and token.kind != "STRING" and depth == 0:
            return
        elif token.text in ("(", "[", "{") and token.kind != "STRING" and spot < place.index:
            depth -= 1
            if depth < 0:
                word = place.tokens[spot - 1]
                if comma is None or word.text not in ("sum", "min", "max", "some", "every", "count", "first", "list"):
                    if comma is None and spot > 1:
                        depth = 0  # further out
                        continue
                    return
                mark = place.tokens[comma]
                before = place.source(word.start, mark.start)
                end = _closing(place, comma)
                after = place.source(mark.end, end) if end is not None else None
                help = f"write `{before}: {after}`" if before and after else "write `:`"
                message = "the value stands behind a colon"
                yield Edit(
                    comma,
                    comma + 1,
                    [place.make(":", mark)],
                    Code.UNEXPECTED,
                    message,
                    place.span(mark),
                    help,
                    look=1,
                )
                return
        elif token.text == "," and depth == 0 and comma is None:
            comma = spot


def _closing(place: Place, spot: int) -> int | None:
    """Where the bracket that is open at a token is closed."""
    depth = 0
    for token in place.tokens[spot : spot + 60]:
        if token.kind in ("LPAR", "LBRACE", "LSQB"):
            depth += 1
        elif token.kind in ("RPAR", "RBRACE", "RSQB"):
            depth -= 1
            if depth < 0:
                return token.end
    return None


def happening(word: str) -> tuple[str, str]:
    """What to say of a statement's keyword where a value is wanted: message and remedy."""
    message = f"`{word}` is something that happens; a value is only computed"
    if word in ("choose", "random"):
        return message, "make an `effect` of it, or take `first(x in S where ...)`"
    return message, "make an `effect` of it"


def is_happening(word: str, text: str) -> bool:
    """Whether a name in a value is the keyword of a statement, and nothing of that name is declared in the file."""
    if word not in _HAPPENINGS:
        return False
    follows = r"[:=(/|,]|(?:in|per|of|supply|start|held|seen|from|capacity|order)\b"
    named = rf"(?:\w+/|\b\w+\s+|[(,|]\s*){word}\s*(?:{follows})"
    return not re.search(named, re.sub(r'"[^"\n]*"|//[^\n]*', "", text))


def _happening(place: Place) -> Iterator[Edit]:
    """A statement where a value is wanted."""
    if place.token.kind in ("RBRACE", "RPAR", "RSQB", "$END", "COMMA"):
        return
    for back in (1, 2, 3):
        spot = place.index - back
        word = place.at(spot)
        if spot < 1 or word.fresh:
            return
        if word.kind == "NAME" and {"INT", "LPAR", "NONE"} <= place.kinds(spot) and is_happening(word.text, place.text):
            message, help = happening(word.text)
            yield Edit(spot, spot + 1, [], Code.UNEXPECTED, message, place.span(word), help, skip=True)
            return


# --------------------------------------------------------------------------------------------------------- declarations
_END = "write `at once`, or `after PHASE`, before `when`"


def _moment(place: Place) -> Iterator[Edit]:
    """`end e when c`."""
    token, index = place.token, place.index
    if token.text not in ("when", "if") or not {"AT", "AFTER"} <= place.kinds(index):
        return
    tokens = [Token("WORD", word, token.start, token.start, False) for word in ("at", "once")]
    message = "an end says when it is tested"
    yield Edit(index, index, tokens, Code.MISSING, message, place.span(token), _END)


def _row(place: Place) -> Iterator[Edit]:
    """A row of a table without its first pipe."""
    token, index = place.token, place.index
    if not token.fresh or "ROW" not in place.kinds(index) or token.kind == "RBRACE":
        return
    last = index + 1
    while not place.at(last).fresh and place.at(last).kind not in ("$END", "RBRACE"):
        last += 1
    line = place.tokens[index:last]
    parted = [each for each in line if each.text in (";", ",") or each.kind in ("ROW", FOREIGN)]
    if not parted or (token.kind == "WORD" and token.text in DECLARATIONS and parted[0].kind != "ROW"):
        return
    text = place.source(token.start, line[-1].end) or ""
    cells = [cell.strip() for cell in re.split(r"[|;,]", text.strip("|;, "))]
    help = "write `| " + " | ".join(cells) + " |`" if text else "begin it with `|`"
    message = "a table row begins and ends with `|`"
    span = place.span(token, line[-1])
    written = place.text[token.start : line[-1].end]
    rows = []
    if written.endswith("|") and "\n" not in written:  # only the first pipe is missing
        rows = [Token("ROW", "|" + written, token.start - 1, line[-1].end, True)]
    yield Edit(index, last, rows, Code.OPEN_ROW, message, span, help, look=1)


_SURE: tuple[Habit, ...] = (
    changes_in_signs, comparisons, arrows, foreign, parted_numbers, dashes, indexed, citations, separators,
    comma_before, nothing_behind, loops, chosen_from, type_first, colon_for_value, ranges, marks_of_ours, _then, _elif,
    operators_in_words, _row, _moment, if_for_when, loop_while, per_behind, _unit_below, _do_known, undeclared,
    words_of_others, names_in_quotes, quotes_inside, unnamed, generator, quantifiers, unbraced, _colon, question,
    returned, claims_apart,
)  # fmt: skip
_LIKELY: tuple[Habit, ...] = (_do, unquoted, _happening)
