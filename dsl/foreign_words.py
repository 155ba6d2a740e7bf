"""Words of other languages: `function`, `while`, `return`, `null`. Part of `mistakes`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from regelwerk.dsl.edits import Edit, Place, indent_of, unread
from regelwerk.dsl.lexing import Token, show
from regelwerk.dsl.parse_errors import DECLARATIONS, STATEMENTS, Code

_VALUE_OR_EFFECT = "write `value` if something is computed, `effect` if something happens"
_STATE = "write `state x: 0..9 = 0` for what changes, `const x = 1` for what does not"
_TABLE = "write `table`, `enum`, `cards`, `tiles`, `pieces`, `dice` or `fields`"
_DECLARED_ELSEWHERE = {
    **dict.fromkeys(("fun", "fn", "func", "function", "def", "sub", "proc", "procedure", "method"), _VALUE_OR_EFFECT),
    **dict.fromkeys(("var", "variable", "int", "bool", "boolean", "float", "string", "str", "global", "dim"), _STATE),
    **dict.fromkeys(
        ("let", "val", "final", "define"), "write `const` for what never changes, `value` for the computed"
    ),
    **dict.fromkeys(("class", "struct", "type", "object", "interface", "typedef"), _TABLE),
    **dict.fromkeys(("import", "include", "require", "using", "from"), "write `use` and the name of a library"),
    **dict.fromkeys(("if", "when", "on", "whenever", "every"), "write `trigger` or `rule`"),
    **dict.fromkeys(("for", "while", "loop", "foreach"), "write `phase`, and what is repeated into its braces"),
}
_WHILE = "write `repeat at most 10 while c { ... }`"
_STATED_ELSEWHERE = {
    **dict.fromkeys(("while", "loop", "until", "do_while"), _WHILE),
    **dict.fromkeys(("foreach", "forall"), "write `for x in S { ... }`"),
    **dict.fromkeys(
        ("switch", "match", "case"), "write `if c { ... } else if d { ... }`, or a value with `by x { ... }`"
    ),
    **dict.fromkeys(("var", "const", "val", "def", "int"), "write `let x = ...`"),
    **dict.fromkeys(("return", "yield"), "make a `value` of what is computed; an effect gives nothing back"),
    **dict.fromkeys(("print", "echo", "log", "console"), "delete it: what happens is shown by itself"),
    **dict.fromkeys(("break", "continue", "exit", "goto", "pass"), "say with `if` what is done, and when"),
    **dict.fromkeys(("add", "increase", "increment", "get", "receive"), "write `gain`"),
    **dict.fromkeys(("remove", "subtract", "decrease", "decrement", "spend"), "write `lose`, or `pay` for a cost"),
    **dict.fromkeys(("put", "place"), "write `move x to zone`"),
    **dict.fromkeys(("when", "whenever", "wenn"), "write `if`"),
    **dict.fromkeys(("unless",), "write `if not (c) { ... }`"),
    **dict.fromkeys(("call", "run", "execute", "invoke"), "write `do` and the name of the effect"),
    **dict.fromkeys(("pick", "select"), "write `choose x in S`"),
}


_OPERATORS = {
    **dict.fromkeys(("equals", "equal", "eq", "ist", "are"), "is"),
    **dict.fromkeys(("isnt", "neq", "unequal", "differs"), "is not"),
    **dict.fromkeys(("und", "AND"), "and"),
    **dict.fromkeys(("oder", "OR"), "or"),
    **dict.fromkeys(("nicht", "NOT"), "not"),
    **dict.fromkeys(("otherwise", "sonst", "ELSE"), "else"),
    **dict.fromkeys(("x", "X", "mal"), "*"),
    **dict.fromkeys(("dann", "THEN"), "then"),
}
_QUANTIFIERS = {
    **dict.fromkeys(("any", "exists", "anyone", "exist"), "some"),
    **dict.fromkeys(("all", "forall", "each", "everyone"), "every"),
    **dict.fromkeys(("len", "length", "size", "number", "count_of"), "count"),
    **dict.fromkeys(("total", "sum_of"), "sum"),
    **dict.fromkeys(("maximum", "highest"), "max"),
    **dict.fromkeys(("minimum", "lowest"), "min"),
}
_VALUES = {
    **dict.fromkeys(("true", "True", "TRUE", "ja"), "yes"),
    **dict.fromkeys(("false", "False", "FALSE", "nein"), "no"),
    **dict.fromkeys(("null", "nil", "None", "NULL", "undefined", "nothing", "nobody", "empty"), "none"),
    "this": "it",
}
_NUMBERS = {
    word: number
    for number, word in enumerate(
        re.findall(
            r"\w+",
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
            "seventeen eighteen nineteen twenty",
        )
    )
} | {"thirty": 30, "forty": 40, "fifty": 50, "hundred": 100}


def word_for_value(word: str) -> str | None:
    """What to write for a word of other languages that stands where a value is wanted: the remedy, or None."""
    if word in _VALUES:
        return f"write `{_VALUES[word]}`"
    if word.casefold() in _NUMBERS:
        return f"write `{_NUMBERS[word.casefold()]}`"
    if word in ("range", "xrange"):
        return "write `1..3`"
    if word in _QUANTIFIERS:
        keyword = _QUANTIFIERS[word]
        return f"write `{keyword}(x in S{' where ...' if keyword in ('some', 'count') else ': ...'})`"
    if word in ("random", "rand", "randint"):
        return "nature chooses in effects only: write `random x in S`"
    return None


def operators_in_words(place: Place) -> Iterator[Edit]:
    """`equals`, `isnt`, `2 x 3`, `otherwise`, perhaps read as a unit or a name."""
    for spot in range(place.index, max(place.index - 3, -1), -1):
        token = place.tokens[spot]
        if spot < place.index and (place.tokens[spot + 1].fresh or token.kind not in ("UNIT", "NAME")):
            return
        meant = _OPERATORS.get(token.text)
        if meant == "*" and place.at(spot - 1).kind not in ("INT", "RPAR"):
            continue
        if meant is not None and spot:
            tokens = [place.make(part, token) for part in meant.split()]
            message = f"`{token.text}` means nothing here"
            yield Edit(spot, spot + 1, tokens, Code.UNEXPECTED, message, place.span(token), f"write `{meant}`")


def quantifiers(place: Place) -> Iterator[Edit]:
    """`forall(p in players: c)`, which was read as the use of a value until the colon came."""
    if place.token.text != ":":
        return
    depth = 0
    for spot in range(place.index - 1, max(place.index - 60, 0), -1):
        token = place.tokens[spot]
        depth += (token.kind == "RPAR") - (token.kind == "LPAR")
        if depth < 0:
            word = place.tokens[spot - 1]
            meant = _QUANTIFIERS.get(word.text)
            if meant is not None:
                tokens = [place.make(meant, word), *map(unread, place.tokens[spot : place.index])]
                message = f"`{word.text}` means nothing here"
                help = f"write `{meant}(x in S: ...)`"
                yield Edit(spot - 1, place.index, tokens, Code.UNEXPECTED, message, place.span(word), help)
            return


def returned(place: Place) -> Iterator[Edit]:
    """`return` in a value."""
    for spot in range(place.index, max(place.index - 3, 0), -1):
        token = place.tokens[spot]
        if token.text == "return" and {"INT", "LPAR", "NONE"} <= place.kinds(spot):
            message, help = "a value is an expression; nothing is returned", "write `value name = expression`"
            span = place.span(token)
            yield Edit(spot, spot + 1, [], Code.UNEXPECTED, message, span, help, skip=place.at(spot - 1).text == "{")
            return


def generator(place: Place) -> Iterator[Edit]:
    """`max(p.points for p in players)`."""
    token, index = place.token, place.index
    for spot in (index, index - 1, index - 2):
        if spot > 1 and place.tokens[spot].text == "for":
            index, token = spot, place.tokens[spot]
            break
    else:
        return
    depth = 0
    for spot in range(index - 1, max(index - 40, 0), -1):
        depth += (place.tokens[spot].kind == "RPAR") - (place.tokens[spot].kind == "LPAR")
        if depth < 0:
            break
    else:
        return
    word, last, depth = place.tokens[spot - 1], index, 0
    while last < len(place.tokens) and depth >= 0 and last - index < 40:
        depth += (place.tokens[last].kind == "LPAR") - (place.tokens[last].kind == "RPAR")
        last += 1
    if depth >= 0 or word.text not in ("sum", "min", "max", "some", "every", "count", "list", "first"):
        return
    last -= 1
    head = [unread(each) for each in place.tokens[index + 1 : last]]
    value = [unread(each) for each in place.tokens[spot + 1 : index]]
    chosen = place.source(token.end, place.tokens[last].start)
    what = place.source(place.tokens[spot].end, token.start)
    help = f"write `{word.text}({chosen}: {what})`" if chosen and what else f"write `{word.text}(x in S: value)`"
    tokens = [*head, place.make(":", token), *value]
    message = "what it runs over stands first"
    yield Edit(spot + 1, last, tokens, Code.UNEXPECTED, message, place.span(token), help, look=1, always=True)


def loops(place: Place) -> Iterator[Edit]:
    """`for i = 1 to 3`, `for (i = 0; ...)`, `for each d in`, `repeat 3 times`, `repeat while c`."""
    token, index = place.token, place.index
    before = place.at(index - 1)
    if token.text == "=" and "IN" in place.kinds(index):
        stop = next((n for n in range(index + 1, index + 8) if place.at(n).text in ("to", "..", "bis", "until")), None)
        if stop is not None and not place.at(stop).fresh:
            low = [unread(each) for each in place.tokens[index + 1 : stop]]
            tokens = [place.make("in", token), *low, place.make("..", place.tokens[stop])]
            low_text = place.source(token.end, place.tokens[stop].start)
            help = f"write `for {before.text} in {low_text}..{place.at(stop + 1).text}`"
            message = "a loop runs over a range or a set"
            yield Edit(index, stop + 1, tokens, Code.UNEXPECTED, message, place.span(token, place.tokens[stop]), help)
    if token.text == "(" and before.text == "for":
        message, help = "a loop runs over a range or a set", "write `for i in 1..3 { ... }`"
        yield Edit(
            index - 1, _next_like(place, index - 1), [], Code.UNEXPECTED, message, place.span(before), help, always=True
        )
    if (
        before.text in ("each", "every", "all", "jeden")
        and place.at(index - 2).text == "for"
        and "IN" in place.kinds(index)
    ):
        message, help = f"`for` needs no `{before.text}`", f"write `for {token.text} in`"
        yield Edit(index - 1, index, [], Code.SUPERFLUOUS, message, place.span(before), help)
    if before.text == "repeat" and "AT" in place.kinds(index):
        brace = next((n for n in range(index, index + 12) if place.at(n).kind == "LBRACE"), None)
        if brace is None or token.kind == "LBRACE":
            return
        words = [unread(each) for each in place.tokens[index:brace]]
        most = [Token("WORD", word, token.start, token.start, False) for word in ("at", "most")]
        message = "`repeat` says how often at most"
        if token.text in ("while", "until"):
            help = "write `repeat at most 10 while c { ... }`"
            number = Token("INT", "9", token.start, token.start, False)
            words = [number, place.make("while", token), *words[1:]]
        else:
            words = [each for each in words if each.text not in ("times", "time", "mal")]
            help = f"write `repeat at most {token.text} {{ ... }}`"
        yield Edit(index, brace, [*most, *words], Code.MISSING, message, place.span(token), help, look=1)


def words_of_others(place: Place) -> Iterator[Edit]:
    """`function`, `var`, `while`, `return` ... where a declaration or a statement begins."""
    token, index, kinds = place.token, place.index, place.kinds(place.index)
    word = token.text.casefold()
    if {"ACTION", "ENUM"} <= kinds:
        what, help = "declaration", _DECLARED_ELSEWHERE.get(word)
    elif {"GAIN", "MOVE"} <= kinds:
        what, help = "statement", _STATED_ELSEWHERE.get(word)
        if token.text in DECLARATIONS and token.fresh and indent_of(place, token) == 0:
            return
    else:
        return
    if help is not None and not place.declares(token.text, "effect"):
        message = f"no {what} begins with `{show(token.text)}`"
        end = _next_like(place, index)
        yield Edit(index, end, [], Code.NO_KEYWORD, message, place.span(token), help, always=True)


def _next_like(place: Place, first: int) -> int:
    """Where the next declaration or statement begins, or the braces around the one at `first` end."""
    margin, depth = indent_of(place, place.tokens[first]), 0
    for spot in range(first + 1, len(place.tokens)):
        token = place.tokens[spot]
        if depth == 0 and (token.kind in ("RBRACE", "$END") or (token.fresh and indent_of(place, token) <= margin)):
            return spot
        if depth == 0 and not token.fresh and token.text in STATEMENTS and place.tokens[spot - 1].kind == "RBRACE":
            return spot
        depth += (token.kind == "LBRACE") - (token.kind == "RBRACE")
    return len(place.tokens) - 1
