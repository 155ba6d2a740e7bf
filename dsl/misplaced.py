"""Parts of a clause that are missing, in the wrong order or in the wrong form. Part of `mistakes`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from regelwerk.dsl.edits import Edit, Place, unread
from regelwerk.dsl.lexing import Token, show
from regelwerk.dsl.parse_errors import Code

_LETTERS = re.compile(r"[A-Z]+$")


def _literal(place: Place, mark: str) -> str:
    return place.machine.automaton.literals[mark]


def names_in_quotes(place: Place) -> Iterator[Edit]:
    """`seats "Ann", "Ben"`, `use "turns"`."""
    token, index = place.token, place.index
    if token.kind != "STRING" or "NAME" not in place.kinds(index):
        return
    last, tokens = index, []
    while re.fullmatch(r'"[^\W\d]\w*"', place.at(last).text):
        text = place.at(last)
        tokens.append(Token("WORD", text.text[1:-1], text.start, text.end, text.fresh))
        if place.at(last + 1).kind != "COMMA":
            last += 1
            break
        tokens.append(place.at(last + 1))
        last += 2
    if tokens:
        message, help = "a name stands without quotes", f"write `{tokens[0].text}`"
        yield Edit(index, last, tokens, Code.UNEXPECTED, message, place.span(token), help, look=1)


def unquoted(place: Place) -> Iterator[Edit]:
    """`action throw Throw the die {`."""
    index, last = place.index, place.index
    if "STRING" not in place.kinds(index) or "LBRACE" not in place.kinds(index) or "INT" in place.kinds(index):
        return
    while place.at(last).kind in ("WORD", "INT") and (last == index or not place.at(last).fresh):
        last += 1
    if last == index or place.token.fresh or place.at(last).text not in ("{", "["):
        return
    inner = place.source(place.token.start, place.at(last - 1).end)
    if inner is None:
        return
    text = Token("STRING", f'"{inner}"', place.token.start, place.at(last - 1).end, False)
    span, message = place.span(place.token, place.at(last - 1)), "a text stands in quotes"
    yield Edit(index, last, [text], Code.UNEXPECTED, message, span, f'write `"{show(inner)}"`', look=1)


def colon_for_value(place: Place) -> Iterator[Edit]:
    """`const goal: 100`, which was read as a type."""
    if _literal(place, "..") not in place.kinds(place.index) and place.token.text not in ("[", "+", "*"):
        return
    for spot in (place.index - 2, place.index - 3):
        if spot > 0 and place.tokens[spot].kind == "COLON" and _literal(place, "=") in place.kinds(spot):
            mark = place.tokens[spot]
            tokens = [place.make("=", mark), *map(unread, place.tokens[spot + 1 : place.index])]
            message = "`=` stands here, not a colon"
            yield Edit(spot, place.index, tokens, Code.UNEXPECTED, message, place.span(mark), "write `=`")


def unnamed(place: Place) -> Iterator[Edit]:
    """`require at is free`, `cost c.price coins`: without a name."""
    index = place.index
    for spot in (index - 1, index):
        word, first = place.at(spot - 1), place.at(spot)
        if spot < 1 or word.text not in ("require", "cost", "invariant") or word.kind == "NAME" or first.fresh:
            continue
        named = first.kind != "NAME" or place.token.kind in ("COLON", "NAME", "WORD", "INT", "LBRACE")
        if spot == index - 1 and named and place.token.text not in ("is", "in", "not", "and", "or"):
            continue
        line = place.source(first.start, place.at(_line_end(place, spot)).end)
        help = f"for example `{word.text} name: {line}`" if line else f"write `{word.text} NAME: ...`"
        tokens = [Token("WORD", "_", first.start, first.start, False), place.empty(":", first.start)]
        tokens += map(unread, place.tokens[spot:index])
        message = f"`{word.text}` needs a name, and a colon behind it"
        yield Edit(spot, index, tokens, Code.MISSING, message, place.span(first), help)


def _line_end(place: Place, spot: int) -> int:
    """The last token before a text, a citation or the next line."""
    last = spot
    while not place.at(last + 1).fresh and place.at(last + 1).text not in ("else", "when", "[", "{", "}"):
        if place.at(last + 1).kind in ("STRING", "$END"):
            break
        last += 1
    return last


def type_first(place: Place) -> Iterator[Edit]:
    """`value free(Stall s)`."""
    token, index = place.token, place.index
    before = place.at(index - 1)
    if index < 2 or token.kind not in ("WORD", "NAME") or before.kind != "NAME" or token.fresh:
        return
    if place.at(index - 2).kind not in ("LPAR", "COMMA") or "COLON" not in place.kinds(index):
        return
    tokens = [unread(token), place.make(":", before), unread(before)]
    message, help = "the type stands behind the name", f"write `{token.text}: {before.text}`"
    yield Edit(index - 1, index + 1, tokens, Code.UNEXPECTED, message, place.span(before, token), help, look=1)


def chosen_from(place: Place) -> Iterator[Edit]:
    """`action visit(d: Die, at: Stall)`."""
    token, index = place.token, place.index
    if token.kind != "COLON" or "IN" not in place.kinds(index):
        return
    last, depth = index, 0
    while last < len(place.tokens) and depth >= 0 and last - index < 60:
        depth += (place.tokens[last].kind == "LPAR") - (place.tokens[last].kind == "RPAR")
        last += 1
    inner = [
        place.make("in", each) if each.kind == "COLON" else unread(each) for each in place.tokens[index : last - 1]
    ]
    name = place.at(index - 1).text
    message = "an action says what its parts are chosen from"
    help = f"write `{name} in S`, where S are all that may be chosen"
    yield Edit(index, last - 1, inner, Code.UNEXPECTED, message, place.span(token), help, look=1)


def per_behind(place: Place) -> Iterator[Edit]:
    """`track t/ts: 0..60 per player`, `track t/ts for each player: 0..60`."""
    token, index = place.token, place.index
    name = place.at(index + 1)
    if token.text == "per" and not token.fresh:
        for spot in range(index - 1, max(index - 8, 0), -1):
            if place.tokens[spot].kind == "COLON" and "PER" in place.kinds(spot):
                tokens = [*map(unread, (token, name)), *map(unread, place.tokens[spot:index])]
                head = place.source(place.text.rfind("\n", 0, token.start) + 1, place.tokens[spot].start)
                message = f"`per {name.text}` stands before the colon"
                help = f"write `{head} per {name.text}: ...`"
                span = place.span(token, name)
                yield Edit(spot, index + 2, tokens, Code.UNEXPECTED, message, span, help, look=1)
                return
    if token.text in ("for", "each", "pro", "je") and "PER" in place.kinds(index):
        last = index + 1
        while place.at(last).text in ("each", "every", "the"):
            last += 1
        tokens = [place.make("per", token), unread(place.at(last))]
        span, help = place.span(token, place.at(last)), f"write `per {place.at(last).text}`"
        message = f"`{token.text}` means nothing here"
        yield Edit(index, last + 1, tokens, Code.UNEXPECTED, message, span, help)


def citations(place: Place) -> Iterator[Edit]:
    """`V-051, V-052` or `(V-051)` instead of `[V-051]`."""
    index = place.index
    if place.token.text == "-" and place.at(index - 2).text == "(":  # read as a parameter
        index -= 2
    first = index + (place.at(index).text == "(")
    if "LSQB" not in place.kinds(index) or not _is_citation(place, first):
        return
    last = first
    while _is_citation(place, last):
        last += 3
        if place.at(last).text == "..":
            last += 2
        if place.at(last).kind == "COMMA" and _is_citation(place, last + 1):
            last += 1
    cites = place.tokens[first:last]
    if first > index and place.at(last).kind != "RPAR":
        return
    end = last + (first > index)
    inner = place.source(cites[0].start, cites[-1].end)
    tokens = [place.empty("[", cites[0].start), *map(unread, cites), place.empty("]", cites[-1].end)]
    help = f"write `[{inner}]`" if inner else "put them in `[` and `]`"
    span = place.span(place.at(index), place.at(end - 1))
    yield Edit(index, end, tokens, Code.UNEXPECTED, "clauses are cited in square brackets", span, help, look=1)


def _is_citation(place: Place, spot: int) -> bool:
    one, two, three = place.at(spot), place.at(spot + 1), place.at(spot + 2)
    return bool(_LETTERS.match(one.text)) and one.end == two.start and two.text == "-" and three.kind == "INT"


def if_for_when(place: Place) -> Iterator[Edit]:
    """`end e after p if c`, `step s if c`."""
    token, index = place.token, place.index
    kinds = place.kinds(index)
    if token.text in ("if", "wenn", "falls") and "WHEN" in kinds and "IF" not in kinds:
        message = f"here a condition begins with `when`, not with `{token.text}`"
        tokens = [place.make("when", token)]
        yield Edit(index, index + 1, tokens, Code.UNEXPECTED, message, place.span(token), "write `when`")


def loop_while(place: Place) -> Iterator[Edit]:
    """`phase p loop while c`."""
    token, index = place.token, place.index
    if token.text == "while" and place.at(index - 1).text == "loop" and "UNTIL" in place.kinds(index):
        tokens = [place.make("until", token)]
        message, help = "a loop says when it ends", "write `loop until not (c)`"
        yield Edit(index, index + 1, tokens, Code.UNEXPECTED, message, place.span(token), help)


def changes_in_signs(place: Place) -> Iterator[Edit]:
    """`modify strength(d) + 1`, `modify strength(d) = 6`."""
    token, index = place.token, place.index
    word = {"+": "plus", "-": "minus", "=": "becomes", ">=": "at least", "<=": "at most"}.get(token.text)
    if word is None or _literal(place, "becomes") not in place.kinds(index):
        return
    tokens = [Token("WORD", part, token.start, token.end, False) for part in word.split()]
    message, help = "what a rule changes is said in words", f"write `{word} {place.at(index + 1).text}`"
    yield Edit(index, index + 1, tokens, Code.UNEXPECTED, message, place.span(token), help)


def undeclared(place: Place) -> Iterator[Edit]:
    """`goal = 100` as a declaration."""
    token, index = place.token, place.index
    if not {"ACTION", "ENUM"} <= place.kinds(index) or place.at(index + 1).text not in ("=", ":=", ":"):
        return
    if token.kind != "WORD" or token.text in place.machine.automaton.literals:
        return
    name = show(token.text)
    message = f"a declaration begins with a keyword, which `{name}` is not"
    help = f"write `const {name} = ...` if it never changes, `state {name}: 0..9 = 0` if it does, `value {name} = ...`"
    tokens = [Token("WORD", "const", token.start, token.start, token.fresh), unread(token)]
    if place.at(index + 1).text == ":":
        tokens[0] = Token("WORD", "state", token.start, token.start, token.fresh)
    yield Edit(index, index + 1, tokens, Code.NO_KEYWORD, message, place.span(token), f"{help} if it is computed")


_CLAIM = ("what somebody can do is a claim of its own", "write `then` instead of `and`")
_BACK = 40
"""So many tokens back the beginning of a claim is looked for."""


def claims_apart(place: Place) -> Iterator[Edit]:
    """`then A can go(x) and ...`, `then c and A cannot go(x)`."""
    token, index = place.token, place.index
    spot = index - 3
    if token.text == "and":
        first = next((k for k in range(index, max(index - _BACK, 0), -1) if place.at(k).text == "then"), None)
        spot = index if first is not None and place.at(first + 2).text in ("can", "cannot") else -1
    elif place.at(index - 1).text not in ("can", "cannot"):
        return
    mark = place.at(spot)
    if spot < 0 or mark.text != "and":
        return
    then = [place.make("then", mark)]
    yield Edit(spot, spot + 1, then, Code.UNEXPECTED, _CLAIM[0], place.span(mark), _CLAIM[1])
