"""Typical mistakes of designers, and what they mean: the part of recovery that knows habits.

`recovery` asks here first when no action fits a token. Each function below knows one habit (`=` for `is`, an effect
without `do`, a condition without braces ...) and proposes `Edit`s: what to write instead, and the one finding that says
so. Recovery takes the first edit after which the file can be read on. Marks that the language does not have arrive as
tokens of kind `FOREIGN`: lexing cannot tell what `==` is meant to be, the place where it stands can.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from regelwerk.dsl.lexing import FOREIGN, Token, show
from regelwerk.dsl.parse_errors import DECLARATIONS, STATEMENTS, Code, words
from regelwerk.dsl.parsing_machine import Machine, Stacks
from regelwerk.dsl.source import Span

_LOOK = 2  # tokens behind the offending one that must fit, too
_LONGEST = 60  # characters of the author's text that a remedy repeats
_HAPPENINGS = words(
    "gain lose pay give take move draw shuffle roll reveal do may set let choose random for everyone repeat acting"
)


@dataclass(slots=True)
class Edit:
    """Read `tokens` instead of those from `first` up to (without) `last`.

    always: whether or not the file can be read on then.
    skip: nothing can be put there: go on behind it, as far as need be.
    silent: the finding has been made already.
    """

    first: int
    last: int
    tokens: list[Token]
    code: Code
    message: str
    span: Span
    help: str | None
    look: int = _LOOK
    always: bool = False
    skip: bool = False
    silent: bool = False


@dataclass(slots=True)
class Place:
    """Where the machine is stuck: at `tokens[index]`. before: the stacks before each of the last tokens."""

    machine: Machine
    tokens: list[Token]
    index: int
    before: Mapping[int, Stacks]
    goal: int
    name: str
    text: str
    cell: bool  # in a cell effects are joined by `then`; in braces they follow each other
    bracing: bool  # whether missing braces may be the author's habit (else one is simply missing)
    braced: Token | None  # the closing brace put in last
    _kinds: dict[int, frozenset[str]] = field(default_factory=dict)

    @property
    def token(self) -> Token:
        """The token that does not fit."""
        return self.tokens[self.index]

    def at(self, index: int) -> Token:
        """The token there; the last one behind the end."""
        return self.tokens[min(index, len(self.tokens) - 1)]

    def kinds(self, index: int) -> frozenset[str]:
        """What could stand at a place; nothing if it is too far back."""
        found = self._kinds.get(index)
        if found is None:
            stacks = self.before.get(index)
            kinds = self.machine.acceptable(stacks.states, self.goal) if stacks is not None else []
            found = self._kinds[index] = frozenset(kinds)
        return found

    def span(self, first: Token, last: Token | None = None) -> Span:
        """Where tokens stand."""
        return Span(self.name, first.start, (last or first).end)

    def make(self, word: str, like: Token) -> Token:
        """A token that stands where another one does."""
        if word[:1].isalpha():
            return Token("WORD", word, like.start, like.end, like.fresh)
        kind = self.machine.automaton.literals.get(word, "CMP")
        return Token(kind, word, like.start, like.end, like.fresh)

    def empty(self, word: str, place: int) -> Token:
        """A token that takes no room."""
        return Token(self.machine.automaton.literals[word], word, place, place, False)

    def source(self, first: int, last: int) -> str | None:
        """What the author wrote, if it is short and on one line."""
        text = self.text[first:last].strip()
        return text if text and "\n" not in text and len(text) <= _LONGEST else None

    def declares(self, word: str, *kinds: str) -> bool:
        """Whether this file declares the name (as one of these kinds)."""
        kind = "|".join(kinds) if kinds else r"\w+"
        return re.search(rf"\b(?:{kind})\s+(?:\w+/)?{re.escape(word)}\b", self.text) is not None

    def fits(self, edit: Edit) -> bool:
        """Whether the file can be read on with an edit."""
        stacks = self.before.get(edit.first)
        if stacks is None:
            return False
        rest = self.tokens[edit.last : max(edit.last, self.index) + edit.look]
        trial = [*self.tokens[max(edit.first - 1, 0) : edit.first], *edit.tokens, *map(unread, rest)]
        start = 1 if edit.first else 0
        return self.machine.follows(stacks.states, trial, start, len(trial), self.goal)


def unread(token: Token) -> Token:
    """The token as it was before the machine decided what it is."""
    word = token.text[:1].isalpha() or token.text[:1] == "_"
    if not word or token.kind in ("CITE", FOREIGN):
        return token
    return Token("WORD", token.text, token.start, token.end, token.fresh)


def first_fitting(place: Place, sure: bool) -> Edit | None:
    """The first edit after which the file can be read on. sure: only habits that are told from the token itself."""
    for habit in _SURE if sure else _LIKELY:
        for edit in habit(place):
            if edit.always or edit.skip or place.fits(edit):
                return edit
    return None


Habit = Callable[[Place], Iterator[Edit]]


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
    "...": ("..",), "≤": ("<=",), "=<": ("<=",), "≥": (">=",), "=>": (">=",),
}  # fmt: skip
_CHANGES = {"+=": "+", "-=": "-", "*=": "*"}


def _around(place: Place, mark: Token, word: str) -> str:
    """`a word b`, with what stands beside the mark, if that is simple; else the word."""
    before = place.text[max(place.text.rfind("\n", 0, mark.start) + 1, mark.start - _LONGEST) : mark.start]
    left = re.search(r"[\w.]+(?:\([^()]*\))? *$", before)
    right = re.compile(r" *[\w.]+(?:\([^()\n]*\))?").match(place.text, mark.end, mark.end + _LONGEST)
    if left is None or right is None or not (word[0].isalpha() or word == "="):
        return word
    return f"{left.group().strip()} {word} {right.group().strip()}"


def _foreign(place: Place) -> Iterator[Edit]:
    """A mark that the language does not have."""
    mark = place.token
    if mark.kind != FOREIGN:
        return
    span, index = place.span(mark), place.index

    def instead(word: str, message: str, help: str) -> Edit:
        tokens = [place.make(part, mark) for part in word.split()]
        return Edit(index, index + 1, tokens, Code.CHARACTER, message, span, help)

    for word, what in _MARKS.get(mark.text, ()):
        shown = word if word in ("and", "or", "not") else _around(place, mark, word)
        yield instead(word, f"`{mark.text}` means nothing here; {what}", f"write `{shown}`")
    for word in _PLAIN.get(mark.text, ()):
        yield instead(word, f"`{mark.text}` means nothing here", f"write `{word}`")
    if mark.text in _CHANGES and index:
        name, sign = place.tokens[index - 1].text, _CHANGES[mark.text]
        message = f"`{mark.text}` means nothing here; the new value is written in full"
        yield instead("=", message, f"write `set {name} = {name} {sign} ...`, or `gain` and `lose`")
    if mark.text == ";":
        yield from _separators(place)


def _separators(place: Place) -> Iterator[Edit]:
    """`;` or `,` between statements or declarations, or `;` where something else parts things."""
    mark, following, index = place.token, place.at(place.index + 1), place.index
    if mark.text not in (";", ",") or place.machine.automaton.literals.get(mark.text) in place.kinds(index):
        return
    code = Code.CHARACTER if mark.text == ";" else Code.SUPERFLUOUS
    span = place.span(mark)
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
        yield Edit(index, index + 1, [place.make(",", mark)], code, message, span, "write `,`")
        if not ends:
            yield delete


def _comma_before(place: Place) -> Iterator[Edit]:
    """`choose x in S,` before the next statement, which was read as a name."""
    for back in (1, 2):
        spot = place.index - back
        if spot < 1:
            return
        word, mark = place.tokens[spot], place.tokens[spot - 1]
        if word.fresh and word.kind == "NAME" and word.text in STATEMENTS | DECLARATIONS and mark.text == ",":
            message = ("a statement" if word.text in STATEMENTS else "a declaration") + " needs no separator"
            yield Edit(spot - 1, spot, [], Code.SUPERFLUOUS, message, place.span(mark), "delete `,`")


def _marks_of_ours(place: Place) -> Iterator[Edit]:
    """`=` for `is` or `:` and the other way round; `/` for `div`; `to` for `=`."""
    mark, index = place.token, place.index
    span = place.span(mark)

    def instead(word: str, message: str, shown: str | None = None) -> Edit:
        help = f"write `{shown or word}`"
        return Edit(index, index + 1, [place.make(word, mark)], Code.UNEXPECTED, message, span, help)

    if mark.text == "=":
        yield instead("is", "`=` stores; to compare, write `is`", _around(place, mark, "is"))
        yield instead(":", "a colon stands here, not `=`")
    elif mark.text == "/":
        message = "`/` does not divide; `div` divides and rounds down"
        yield instead("div", message, _around(place, mark, "div"))
    elif mark.text in ("is", "to") and not mark.fresh:
        what = "compares" if mark.text == "is" else "does not store"
        yield instead("=", f"`{mark.text}` {what}; `=` stores", _around(place, mark, "="))
    elif mark.text == ":":
        yield instead("=", "`=` stands here, not a colon")


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
        if following in ("=", ":=", *_CHANGES):
            message = f"a statement begins with a keyword; to change `{name}`, write `set {name} = ...`"
            help = f"write `set {name}`"
            tokens = [_before(place, "set", token), unread(token), place.make("=", place.at(spot + 1))]
            yield Edit(spot, spot + 2, tokens, Code.NO_KEYWORD, message, span, help)
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


# -------------------------------------------------------------------------------------------- braces that are left away
_HEADS = words("if for everyone repeat acting else")


def _unbraced(place: Place) -> Iterator[Edit]:
    """`if c gain 1 coin`, `if c then gain 1 coin`, `if c: ...`, `else gain 1 coin`: without braces."""
    if not place.bracing:
        return
    index, token = place.index, place.token
    if token.text in ("then", ":") or (token.text == "do" and place.at(index + 1).text in STATEMENTS):
        yield from _brace(place, index, index + 1)
        return
    yield from _brace(place, index, index)
    for back in (1, 2, 3):  # the keyword was read as a unit or a name
        spot = index - back
        if spot < 1 or place.tokens[spot].fresh:
            break
        word = place.tokens[spot]
        if word.text in STATEMENTS and word.kind == "UNIT":
            yield from _brace(place, spot, spot)
        elif word.text in STATEMENTS and word.kind == "NAME" and place.tokens[spot - 1].text == "then":
            yield from _brace(place, spot - 1, spot)


def _brace(place: Place, first: int, body: int) -> Iterator[Edit]:
    """Braces around the statement that begins at `body`; what stands from `first` on is dropped."""
    start = place.at(body)
    stacks = place.before.get(first)
    if stacks is None or "LBRACE" not in place.kinds(first) or not start.text[:1].isalpha():
        return
    heads = [value for value in stacks.values if isinstance(value, Token) and value.text in _HEADS]
    head = next((each for each in reversed(heads) if each.kind not in ("NAME", "UNIT")), None)
    if head is None:
        return
    opened = stacks.states[:]
    if not place.machine.advance(opened, "LBRACE", place.goal):
        return
    close = _end_of(place, opened, body, head)
    if close is None:
        return
    statement = [unread(each) for each in place.tokens[body:close]]
    if not statement:
        return
    at = place.tokens[first - 1].end if first else start.start
    closing = place.empty("}", statement[-1].end)
    tokens = [place.empty("{", at), *statement, closing]
    # the condition of the head, as written
    condition = place.source(head.start, at)
    what = place.source(start.start, statement[-1].end)
    if head.text == "else":
        message, shown = "after `else` an effect stands in braces", "else"
    else:
        message = f"after `{condition or head.text + ' ...'}` an effect stands in braces"
        shown = condition or f"{head.text} ..."
    help = f"write `{shown} {{ {what} }}`" if what and len(what) + len(shown) < 2 * _LONGEST else "put it in braces"
    yield Edit(
        first,
        close,
        tokens,
        Code.MISSING,
        message,
        place.span(place.at(first)),
        help,
        look=1,
        silent=_follows_braced(place, head),
    )


def _follows_braced(place: Place, head: Token) -> bool:
    """Whether this is the `else` (or `else if`) of a condition that was braced just now."""
    if place.braced is None:
        return False
    spot = next(i for i, each in enumerate(place.tokens) if each is head)
    if head.text == "if" and spot and place.tokens[spot - 1].text == "else":
        spot -= 1
    return spot > 0 and place.tokens[spot].text == "else" and place.tokens[spot - 1] is place.braced


def _indent(place: Place, token: Token) -> int:
    line = place.text.rfind("\n", 0, token.start) + 1
    return len(place.text[line : token.start]) - len(place.text[line : token.start].lstrip())


def _end_of(place: Place, states: list[int], body: int, head: Token) -> int | None:
    """Where the statements that belong to a head without braces end."""
    margin = _indent(place, head)
    tokens = [*place.tokens[:body], *map(unread, place.tokens[body : body + 200])]
    for spot in range(body, len(tokens)):
        token = tokens[spot]
        kind = place.machine.classify(tokens, spot, place.machine.automaton.actions(states[-1]))
        if kind == "$JOINED":
            continue
        after = states[:]
        goes = place.machine.advance(after, kind, place.goal)
        if spot > body and place.machine.advance(states[:], "RBRACE", place.goal):
            below = token.fresh and _indent(place, token) <= margin
            if below or not goes or kind in ("RBRACE", "$END") or (token.text == "else" and kind == "ELSE"):
                closed = states[:]
                place.machine.advance(closed, "RBRACE", place.goal)
                if place.machine.follows(closed, tokens, spot, 1, place.goal):
                    return spot
        if not goes:
            return None
        token.kind = kind
        states = after
    return None


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
    **dict.fromkeys(("when", "whenever"), "write `if`"),
    **dict.fromkeys(("call", "run", "execute", "invoke"), "write `do` and the name of the effect"),
    **dict.fromkeys(("pick", "select"), "write `choose x in S`"),
}


def _words_of_others(place: Place) -> Iterator[Edit]:
    """`function`, `var`, `while`, `return` ... where a declaration or a statement begins."""
    token, index, kinds = place.token, place.index, place.kinds(place.index)
    word = token.text.casefold()
    if {"ACTION", "ENUM"} <= kinds:
        what, help = "declaration", _DECLARED_ELSEWHERE.get(word)
    elif {"GAIN", "MOVE"} <= kinds:
        what, help = "statement", _STATED_ELSEWHERE.get(word)
        if token.text in DECLARATIONS and token.fresh and _indent(place, token) == 0:
            return
    else:
        return
    if help is not None and not place.declares(token.text, "effect"):
        message = f"no {what} begins with `{show(token.text)}`"
        end = _next_like(place)
        yield Edit(index, end, [], Code.NO_KEYWORD, message, place.span(token), help, always=True)


def _next_like(place: Place) -> int:
    """Where the next declaration or statement begins, or the braces around this one end."""
    margin, depth = _indent(place, place.token), 0
    for spot in range(place.index + 1, len(place.tokens)):
        token = place.tokens[spot]
        if depth == 0 and (token.kind in ("RBRACE", "$END") or (token.fresh and _indent(place, token) <= margin)):
            return spot
        if depth == 0 and not token.fresh and token.text in STATEMENTS and place.tokens[spot - 1].kind == "RBRACE":
            return spot
        depth += (token.kind == "LBRACE") - (token.kind == "RBRACE")
    return len(place.tokens) - 1


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
    yield Edit(index, last, [], Code.OPEN_ROW, message, span, help, look=1)


_SURE: tuple[Habit, ...] = (
    _foreign, _separators, _comma_before, _marks_of_ours, _then, _elif, _row, _moment, _unit_below, _do_known,
    _words_of_others, _unbraced, _colon,
)  # fmt: skip
_LIKELY: tuple[Habit, ...] = (_do, _happening)
