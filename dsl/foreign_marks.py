"""Marks of other languages and other keyboards, and marks of this one in the wrong place. Part of `mistakes`."""

from __future__ import annotations

from collections.abc import Iterator

from regelwerk.dsl.edits import Edit, Place, around, unread
from regelwerk.dsl.lexing import FOREIGN, Token
from regelwerk.dsl.parse_errors import DECLARATIONS, STATEMENTS, Code
from regelwerk.dsl.source import Span

# --------------------------------------------------------------------------------------------- marks of other languages
_IS, _STORE = ("is", "`is` compares"), ("=", "`=` stores")
_IS_NOT = ("is not", "the opposite of `is` is `is not`")
_AND, _OR = ("and", "conditions are joined by `and`"), ("or", "conditions are joined by `or`")
_NOT = ("not", "a condition is denied by `not`")
_DIV, _MOD = ("div", "`div` divides and rounds down"), ("mod", "`mod` gives what is left over")
_MARKS: dict[str, tuple[tuple[str, str], ...]] = {
    **dict.fromkeys(("==", "===", "≙"), (_IS, _STORE)),
    **dict.fromkeys(("!=", "!==", "<>", "≠", "/=", "=/="), (_IS_NOT,)),
    **dict.fromkeys(("&&", "&"), (_AND,)),
    **dict.fromkeys(("||", "|"), (_OR,)),
    **dict.fromkeys(("!", "~", "¬"), (_NOT,)),
    ":=": (_STORE, _IS, (":", "a colon stands here")),
    "%": (_MOD,),
    "÷": (_DIV,),
    "'s": ((".", "what somebody has stands behind a dot"),),
}
_PLAIN = {  # written otherwise, and meant alike
    "×": ("*",), "·": ("*",), "•": ("*",), "−": ("-", ".."), "–": ("-", ".."), "—": ("-",), "…": ("..",),
    "...": ("..",), "≤": ("<=",), "=<": ("<=",), "≥": (">=",), "=>": (">=", "="),
}  # fmt: skip
_ONE_VALUE = ("a cell holds one value", "write `a + b` for a tally, `{a, b}` for a set, `[a, b]` for a list")
CHANGES = {"+=": "+", "-=": "-", "*=": "*"}


def _plain(place: Place) -> tuple[str, ...]:
    """What a mark that is only written otherwise may mean, the likeliest first."""
    means = _PLAIN.get(place.token.text, ())
    before, after = place.at(place.index - 1), place.at(place.index + 1)
    close = before.kind == after.kind == "INT" and before.end == place.token.start and place.token.end == after.start
    return means[::-1] if close else means  # `1–6` is a range, `a – b` a difference


def foreign(place: Place) -> Iterator[Edit]:
    """A mark that the language does not have."""
    mark = place.token
    if mark.kind != FOREIGN:
        return
    span, index = place.span(mark), place.index

    def instead(word: str, message: str, help: str) -> Edit:
        tokens = [place.make(part, mark) for part in word.split()]
        return Edit(index, index + 1, tokens, Code.CHARACTER, message, span, help)

    if place.cell and mark.text == "&":
        words = [each for each in place.tokens if each.kind not in ("$END", FOREIGN, "INT")]
        if all(each.kind in ("NAME", "UNIT", "WORD") for each in words):
            message, help = (
                "a cell holds one value",
                "write `a + b` for a tally, `{a, b}` for a set, `[a, b]` for a list",
            )
            yield Edit(index, index + 1, [place.make("+", mark)], Code.CHARACTER, message, span, help)
    if mark.text in ("&", "&&") and "GAIN" in place.kinds(index) and place.at(index + 1).text in STATEMENTS:
        message = "in braces statements simply follow each other"
        yield Edit(index, index + 1, [], Code.CHARACTER, message, span, f"remove `{mark.text}`")
    for word, what in _MARKS.get(mark.text, ()):
        shown = word if word in ("and", "or", "not") else around(place, mark, word)
        yield instead(word, f"`{mark.text}` means nothing here; {what}", f"write `{shown}`")
    for word in _plain(place):
        yield instead(word, f"`{mark.text}` means nothing here", f"write `{word}`")
    if mark.text in CHANGES and index:
        name, sign = place.tokens[index - 1].text, CHANGES[mark.text]
        message = f"`{mark.text}` means nothing here; the new value is written in full"
        yield instead("=", message, f"write `set {name} = {name} {sign} ...`, or `gain` and `lose`")
    if mark.text == ";":
        yield from separators(place)


def separators(place: Place) -> Iterator[Edit]:
    """`;` or `,` between statements or declarations, or `;` where something else parts things."""
    mark, following, index = place.token, place.at(place.index + 1), place.index
    if mark.text not in (";", ",") or place.machine.automaton.literals.get(mark.text) in place.kinds(index):
        return
    code = Code.CHARACTER if mark.text == ";" else Code.SUPERFLUOUS
    span = place.span(mark)
    if (
        place.cell
        and mark.text == ","
        and following.text not in STATEMENTS
        and following.kind not in ("$END", "STRING")
    ):
        yield Edit(index, index + 1, [place.make("+", mark)], code, _ONE_VALUE[0], span, _ONE_VALUE[1])
    if place.cell:
        message = f"in a cell effects are joined by `then`, not by `{mark.text}`"
        yield Edit(index, index + 1, [place.make("then", mark)], code, message, span, "write `then`")
        message = f"nothing stands behind `{mark.text}`"
        yield Edit(index, index + 1, [], code, message, span, f"delete `{mark.text}`", look=1)
        return
    kinds = place.kinds(index)
    among = "a statement needs" if "RBRACE" in kinds or "GAIN" in kinds else "a declaration needs"
    delete = Edit(index, index + 1, [], code, f"{among} no separator", span, f"delete `{mark.text}`")
    ends = following.fresh or following.kind in ("RBRACE", "$END") or following.text in STATEMENTS | DECLARATIONS
    if ends and (mark.text == ";" or "GAIN" in kinds or "ACTION" in kinds):
        yield delete
    if mark.text == ";":
        message = "what is listed is parted by `,`, not by `;`"
        last = _closing(place)
        if last is not None:  # all of them are said at once
            line = [place.make(",", each) if each.text == ";" else unread(each) for each in place.tokens[index:last]]
            yield Edit(index, last, line, code, message, span, "write `,`", look=1)
        yield Edit(index, index + 1, [place.make(",", mark)], code, message, span, "write `,`")
        if not ends:
            yield delete


def _closing(place: Place) -> int | None:
    """Where the bracket is closed in which the token stands; None if that is far or below."""
    depth = 0
    for spot in range(place.index, min(place.index + 60, len(place.tokens))):
        token = place.tokens[spot]
        if token.kind in ("LPAR", "LBRACE", "LSQB"):
            depth += 1
        elif token.kind in ("RPAR", "RBRACE", "RSQB"):
            depth -= 1
            if depth < 0:
                return spot
        elif token.fresh and spot > place.index:
            return None
    return None


def nothing_behind(place: Place) -> Iterator[Edit]:
    """A comma behind the last of a list."""
    index = place.index
    if place.token.text not in (")", "]", "}") or place.token.kind == "STRING" or not index:
        return
    mark = place.tokens[index - 1]
    if mark.kind == "COMMA":
        message = "nothing stands behind this `,`"
        yield Edit(index - 1, index, [], Code.SUPERFLUOUS, message, place.span(mark), "delete `,`", look=1)


def comparisons(place: Place) -> Iterator[Edit]:
    """`is >=`, `> =`."""
    token, index = place.token, place.index
    if not index:
        return
    before = place.tokens[index - 1]
    if token.kind == "CMP" and before.text == "is":
        help = f"delete `is`: write `{token.text}`"
        message = f"`{token.text}` compares by itself"
        yield Edit(index - 1, index, [], Code.SUPERFLUOUS, message, place.span(before), help)
    if token.text == "=" and before.text in ("<", ">") and before.kind == "CMP":
        mark = Token("CMP", before.text + "=", before.start, token.end, before.fresh)
        message = f"`{mark.text}` is written without a blank"
        yield Edit(
            index - 1, index + 1, [mark], Code.UNEXPECTED, message, place.span(before, token), f"write `{mark.text}`"
        )


def arrows(place: Place) -> Iterator[Edit]:
    """`d->face`, `d::face`."""
    index = place.index
    for spot in (index - 1, index):
        if spot < 0:
            continue
        one, two = place.tokens[spot], place.at(spot + 1)
        if one.text + two.text in ("->", "::") and one.end == two.start:
            message = f"`{one.text}{two.text}` means nothing here; what somebody has stands behind a dot"
            dot = Token("DOT", ".", one.start, two.end, False)
            yield Edit(spot, spot + 2, [dot], Code.UNEXPECTED, message, place.span(one, two), "write `.`")


def ranges(place: Place) -> Iterator[Edit]:
    """`0-9` where a range is wanted."""
    token, index = place.token, place.index
    if token.text == "-" and place.machine.automaton.literals[".."] in place.kinds(index):
        low, high = place.at(index - 1).text, place.at(index + 1).text
        message = "a range is written with two dots"
        dots = [place.make("..", token)]
        yield Edit(index, index + 1, dots, Code.UNEXPECTED, message, place.span(token), f"write `{low}..{high}`")


def indexed(place: Place) -> Iterator[Edit]:
    """`row[0]`, `state visitor[Stall]`."""
    token, index = place.token, place.index
    if token.text != "[" or not index or place.tokens[index - 1].end != token.start:
        return
    close = place.at(index + 2)
    if close.text != "]":
        return
    inner = place.at(index + 1)
    span = place.span(token, close)
    if "PER" in place.kinds(index):
        tokens = [place.make("per", token), unread(inner)]
        message = "what there is one of for each of others stands behind `per`"
        yield Edit(index, index + 3, tokens, Code.UNEXPECTED, message, span, f"write `per {inner.text}`")
    number = str(int(inner.text) + 1) if inner.text.isdecimal() else inner.text
    help = f"write `{place.tokens[index - 1].text}.at({number})`"
    tokens = [place.make(".", token), Token("WORD", "at", token.start, token.end, False), place.empty("(", token.end)]
    tokens += [unread(inner), place.make(")", close)]
    message = "one of several in a row is named by `at`, counted from 1"
    yield Edit(index, index + 3, tokens, Code.UNEXPECTED, message, span, help, look=1)


def parted_numbers(place: Place) -> Iterator[Edit]:
    """`1,000`, `0,5`."""
    mark, index = place.token, place.index
    if mark.kind != "COMMA" or not index:
        return
    before, after = place.tokens[index - 1], place.at(index + 1)
    if not (before.kind == after.kind == "INT" and before.end == mark.start and mark.end == after.start):
        return
    whole = len(after.text) == 3
    text = before.text + ("" if whole else ".") + after.text
    message = "a number is written without marks between its digits" if whole else "the point of a number is a dot"
    number = Token("INT", text if whole else before.text, before.start, after.end, before.fresh)
    span = place.span(before, after)
    yield Edit(index - 1, index + 2, [number], Code.UNEXPECTED, message, span, f"write `{text}`", look=1)


def dashes(place: Place) -> Iterator[Edit]:
    """A comment behind `--`."""
    index = place.index
    for spot in (index - 1, index):
        if spot < 0 or not place.tokens[spot].fresh:
            continue
        one, two = place.tokens[spot], place.at(spot + 1)
        if one.text == two.text == "-" and one.end == two.start:
            last = spot + 2
            while not place.at(last).fresh:
                last += 1
            message = "a comment begins with `//`, `--` begins none"
            yield Edit(spot, last, [], Code.CHARACTER, message, place.span(one, two), "write `//`", look=1)


def question(place: Place) -> Iterator[Edit]:
    """`c ? a : b`."""
    token, index = place.token, place.index
    if token.text == "?":
        message, help = "`?` does not choose between values", "write `if c then a else b`"
        yield Edit(index, index + 1, [], Code.UNEXPECTED, message, place.span(token), help, skip=True)


def quotes_inside(place: Place) -> Iterator[Edit]:
    """`"Throw the "red" die"`."""
    index = place.index
    before = place.at(index - 1)
    if not index or before.kind != "STRING" or before.end != place.token.start or place.token.fresh:
        return
    last = index
    while not place.at(last).fresh and place.at(last).kind not in ("STRING", "$END"):
        last += 1
    if place.at(last).kind != "STRING" or place.at(last).fresh:
        return
    quote = Span(place.name, before.end - 1, before.end)
    message, help = 'the text ends at this `"`', "leave out the quotation marks in the text, or write others"
    yield Edit(index, last + 1, [], Code.UNEXPECTED, message, quote, help, look=1)


def comma_before(place: Place) -> Iterator[Edit]:
    """`choose x in S,` before the next statement, which was read as a name."""
    for back in (1, 2):
        spot = place.index - back
        if spot < 1:
            return
        word, mark = place.tokens[spot], place.tokens[spot - 1]
        if word.fresh and word.kind == "NAME" and word.text in STATEMENTS | DECLARATIONS and mark.text == ",":
            message = ("a statement" if word.text in STATEMENTS else "a declaration") + " needs no separator"
            yield Edit(spot - 1, spot, [], Code.SUPERFLUOUS, message, place.span(mark), "delete `,`")


def marks_of_ours(place: Place) -> Iterator[Edit]:
    """`=` for `is` or `:` and the other way round; `/` for `div`; `to` for `=`."""
    mark, index = place.token, place.index
    span = place.span(mark)

    def instead(word: str, message: str, shown: str | None = None) -> Edit:
        help = f"write `{shown or word}`"
        return Edit(index, index + 1, [place.make(word, mark)], Code.UNEXPECTED, message, span, help)

    if mark.text == "=":
        yield instead("is", "`=` stores; to compare, write `is`", around(place, mark, "is"))
        yield instead(":", "a colon stands here, not `=`")
    elif mark.text == "/":
        message = "`/` does not divide; `div` divides and rounds down"
        yield instead("div", message, around(place, mark, "div"))
    elif mark.text in ("is", "to") and not mark.fresh:
        what = "compares" if mark.text == "is" else "does not store"
        yield instead("=", f"`{mark.text}` {what}; `=` stores", around(place, mark, "="))
    elif mark.text == ":":
        yield instead("=", "`=` stands here, not a colon")
