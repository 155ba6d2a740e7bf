"""From characters to tokens: the first stage of the front end.

Lexing makes tokens; `parsing_machine` runs the tables of `automaton` over them; the builder modules make nodes.

Words are not yet told apart here: whether `first` is a keyword or a name depends on what the parser can use, so the
machine decides it when it gets there (as a contextual lexer does). Everything else is settled: texts, drawings, table
rows, numbers. Marks that only other languages have (`==`, `&&`, `;`) become tokens of kind `FOREIGN`, which fit
nowhere; `mistakes` knows what they are meant to be.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field

from regelwerk.dsl.diagnostics import Diagnostics, Label
from regelwerk.dsl.parse_errors import Code
from regelwerk.dsl.source import Source, Span

MAX_FILE = 1 << 20  # bytes
MAX_LINE = 400
MAX_NAME = 64
MAX_TEXT = 500
MAX_NESTING = 32
MAX_DIGITS = 9
LONGEST_RANGE = 1000  # clauses in one citation
FOREIGN = "?"  # the kind of a mark that the language does not have: no action ever fits it


class Token:
    """One token; `kind` is `WORD` until the machine has decided. `fresh`: it is the first on its line."""

    __slots__ = ("end", "fresh", "kind", "start", "text")

    def __init__(self, kind: str, text: str, start: int, end: int, fresh: bool) -> None:
        self.kind = kind
        self.text = text
        self.start = start
        self.end = end
        self.fresh = fresh

    def __repr__(self) -> str:
        return f"Token({self.kind}, {self.text!r}, {self.start})"


_MARK = r"[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u064b-\u065f\u0900-\u0903\u093a-\u094f\u20d0-\u20f0]"
_PATTERN = re.compile(
    r"(?P<BLANK>[ \t\n]+)"
    rf"|(?P<WORD>[^\W\d](?:\w|{_MARK})*)"
    r"|(?P<COMMENT>//[^\n]*)"
    r"|(?P<BLOCK>/\*)"
    r"|(?P<OP>\.\.\.|\.\.|===?|=[<>]|=/=|[:+\-*/]=|<>|[{}()\[\],:=+\-*/.?])"
    r"|(?P<DECIMAL>[0-9]+\.[0-9]+)"
    r"|(?P<INT>[0-9]+)"
    r'|(?P<DRAWING>"""[\s\S]*?""")'
    r'|(?P<STRING>"(?!"")[^"\n]*")'
    r'|(?P<ROW>\|(?:"[^"\n]*"|[^"\n/]|/(?!/))*\|(?=[ \t]*(?:\}|//|/\*|#|[;,][ \t]*$|$)))'
    r"|(?P<CMP><=|>=|<|>)"
    r"|(?P<HASH>#[^\n]*)"
    r"|(?P<FOREIGN>!==?|&&?|\|\||\|(?<=[\w)\]] \|)(?=[ \t]*[\w(.\[{-][^|\n]*$)|(?<=\w)['’]s(?=\s)|[;!%~¬≙≠÷×·•−–—…≤≥])"
    r"|(?P<QUOTED>(?:``|[“”„«»‘’‚'`])[^“”„«»‘’'`\"\n]*(?:''|[“”«»‘’'\"]))"
    r'|(?P<OPEN_DRAWING>"""[\s\S]*)'
    r'|(?P<BROKEN>"[^"\n]*\n[^"\n|]*"(?=[^"\n]*(?:"[^"\n]*"[^"\n]*)*$))'
    r'|(?P<OPEN_STRING>"[^"\n]*?(?=[ \t]*[{})\]]*[ \t]*(?://[^\n]*)?$))'
    r"|(?P<OPEN_ROW>\|[^\n]*)"
    r"|(?P<BAD>[\s\S])",
    re.MULTILINE,
)
_QUOTES = "“”„«»‘’‚'`\""
CITE = re.compile(r"[A-Z]+-[A-Z]?[0-9]+[a-z]?(?:\.\.[0-9]+)?")
# Controls, marks that reorder text, blanks that look like nothing: they hide what a file says.
FORBIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\r(?!\n)|[\ud800-\udfff]"
)


@dataclass(slots=True)
class Lexed:
    """The tokens of a text, ended by `$END`, and its comments.

    comments, trailing: (offset of the token, comment): comments before a token, and such that follow one on its line.
    dropped: where a character was left out, which has been reported.
    whole: False if the end of the file was swallowed by a drawing that is never closed.
    """

    text: str
    tokens: list[Token] = field(default_factory=list)
    comments: list[tuple[int, str]] = field(default_factory=list)
    trailing: list[tuple[int, str]] = field(default_factory=list)
    dropped: list[int] = field(default_factory=list)
    whole: bool = True


def show(text: str, limit: int = 30) -> str:
    """A piece of the author's text as it may stand in a message: one line, printable, not long."""
    text = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)
    return text if len(text) <= limit else text[: limit - 3] + "..."


def indentation(text: str, token: Token) -> int:
    """How far the line of a token is indented."""
    line = text.rfind("\n", 0, token.start) + 1
    piece = text[line : token.start]
    return len(piece) - len(piece.lstrip())


def clean(source: Source, diagnostics: Diagnostics) -> str:
    """The text with the same offsets; forbidden characters (reported) and line ends of other systems become blanks."""
    text = source.text
    if text.startswith("\ufeff"):  # left by some editors; harmless at the very beginning
        text = " " + text[1:]
    for count, match in enumerate(FORBIDDEN.finditer(text)):
        if count >= 20:
            break
        character, span = match.group(), Span(source.name, match.start(), match.end())
        if character == "\r":
            diagnostics.error(
                Code.CONTROL,
                "a carriage return without a line feed does not end a line",
                span,
                "end lines with a line feed",
            )
        else:
            name = unicodedata.name(character, "a control character").lower()
            diagnostics.error(
                Code.CONTROL,
                f"the character U+{ord(character):04X} ({name}) cannot stand in a rules file",
                span,
                "delete it",
            )
    if "\r" in text or FORBIDDEN.search(text):
        text = FORBIDDEN.sub(" ", text).replace("\r", " ")
    return text


def check_lines(source: Source, text: str, diagnostics: Diagnostics) -> bool:
    """Report lines that are too long and tabs (once); whether the lines are worth reading."""
    if "\t" in text:
        place = text.index("\t")
        diagnostics.warning(
            Code.TAB,
            "a tab is read as one blank",
            Span(source.name, place, place + 1),
            "use blanks, so that columns agree",
        )
    start = 0
    for line in text.split("\n"):
        if len(line) > MAX_LINE:
            diagnostics.error(
                Code.LONG_LINE,
                f"this line has {len(line)} characters; the limit is {MAX_LINE}",
                Span(source.name, start + MAX_LINE, start + len(line)),
                "break the line, or give a long cell its own effect",
            )
            if len(line) > 20 * MAX_LINE:
                return False
        start += len(line) + 1
    return True


def tokenize(name: str, text: str, start: int, end: int, literals: dict[str, str], diagnostics: Diagnostics) -> Lexed:
    """The tokens of `text[start:end]` at their true places."""
    lexed = Lexed(text)
    tokens = lexed.tokens
    closers = 0
    pending: list[str] = []
    fresh = True
    for match in _pieces(text, start, end):
        kind = match.lastgroup or "BAD"
        word = match.group()
        if kind == "BLANK":
            if "\n" in word:
                fresh = True
            continue
        if kind == "COMMENT":
            if fresh or not tokens:
                pending.append(word)
            else:
                lexed.trailing.append((tokens[-1].start, word))
            continue
        first, last = match.start(), match.end()
        if kind == "OP":
            kind = literals.get(word, FOREIGN)
        elif kind == "WORD":
            if len(word) > MAX_NAME:
                diagnostics.error(
                    Code.LONG_NAME,
                    f"this name has {len(word)} characters; the limit is {MAX_NAME}",
                    Span(name, first, last),
                )
                word = word[:MAX_NAME]
        elif kind in ("STRING", "INT", "DECIMAL"):
            word = _measure(name, kind, word, first, diagnostics)
        elif kind == "BAD":
            _bad_character(name, word, first, diagnostics)
            lexed.dropped.append(first)
            continue
        elif kind == "FOREIGN":
            kind = FOREIGN
        elif kind == "QUOTED":
            kind = "STRING"
            diagnostics.error(
                Code.CHARACTER,
                f'a text stands in `"`, not in `{word[0]}`',
                Span(name, first, last),
                f'write `"{show(word.strip(_QUOTES))}"`',
            )
            word = f'"{word.strip(_QUOTES)}"'
        elif kind in ("HASH", "BLOCK"):
            mark = "#" if kind == "HASH" else "/*"
            diagnostics.error(
                Code.CHARACTER,
                f"a comment begins with `//` and ends with its line, `{mark}` begins none",
                Span(name, first, first + len(mark)),
                "write `//`" if kind == "HASH" else "write `//` before each of its lines",
            )
            continue
        elif kind == "OPEN_STRING":
            kind, word = "STRING", word + '"'
            diagnostics.error(
                Code.OPEN_TEXT,
                'this text is never closed; a text ends with `"` on its line',
                Span(name, first, last),
                'add `"` where the text ends',
            )
        elif kind == "BROKEN":
            kind, word = "STRING", word.replace("\n", " ")
            diagnostics.error(
                Code.OPEN_TEXT, "a text stands on one line", Span(name, first, last), "put it together on one line"
            )
        elif kind == "OPEN_DRAWING":
            kind, word = "DRAWING", word + '"""'
            lexed.whole = False
            diagnostics.error(
                Code.OPEN_DRAWING,
                'this drawing is never closed; it ends with `"""`',
                Span(name, first, first + 3),
                'add `"""` under its last line',
            )
        elif kind == "OPEN_ROW":
            kind = "ROW"
            word = word.split("//", 1)[0].rstrip()
            closers = 0  # braces behind it that close the table
            while word.endswith("}") and word.count("}") > word.count("{"):
                word, closers = word[:-1].rstrip(), closers + 1
            last = first + len(word)
            diagnostics.error(
                Code.OPEN_ROW,
                "a table row ends with `|`",
                Span(name, first, last),
                "close the text before the end of the row" if word.count('"') % 2 else "add `|` at its end",
            )
        tokens.append(Token(kind, word, first, last, fresh))
        if match.lastgroup == "OPEN_ROW":
            places = [place for place in range(last, match.end()) if text[place] == "}"]
            tokens.extend(Token("RBRACE", "}", place, place + 1, False) for place in places[:closers])
        if pending:
            lexed.comments.extend((first, comment) for comment in pending)
            pending.clear()
        fresh = False
    tokens.append(Token("$END", "", end, end, True))
    lexed.comments.extend((end, comment) for comment in pending)
    return lexed


def _pieces(text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """The matches one after the other; what a comment of other languages encloses is left out."""
    closed = True
    place: int | None = start
    while place is not None:
        begin, place = place, None
        for match in _PATTERN.finditer(text, begin, end):
            yield match
            if match.lastgroup == "BLOCK":
                close = text.find("*/", match.end(), end) if closed else -1
                closed = close >= 0
                line = text.find("\n", match.end(), end)
                place = close + 2 if closed else line if line >= 0 else end
                break


def _measure(name: str, kind: str, word: str, first: int, diagnostics: Diagnostics) -> str:
    """Keep texts and numbers within their limits."""
    if kind == "STRING":
        if len(word) - 2 > MAX_TEXT:
            diagnostics.error(
                Code.LONG_TEXT,
                f"this text has {len(word) - 2} characters; the limit is {MAX_TEXT}",
                Span(name, first, first + len(word)),
            )
    elif len(word) > MAX_DIGITS:
        diagnostics.error(
            Code.BIG_NUMBER, f"a number has at most {MAX_DIGITS} digits", Span(name, first, first + len(word))
        )
        word = "9" if kind == "INT" else "9.9"
    return word


def _bad_character(name: str, character: str, place: int, diagnostics: Diagnostics) -> None:
    diagnostics.error(
        Code.CHARACTER,
        f"the character `{show(character)}` means nothing here",
        Span(name, place, place + 1),
        'write `"`' if character in _QUOTES else "delete it",
    )


_OPENERS = {"{": "}", "(": ")", "[": "]"}


def check_nesting(name: str, tokens: list[Token], diagnostics: Diagnostics) -> bool:
    """Whether brackets stay within the permitted depth."""
    depth = 0
    opened: list[Token] = []
    for token in tokens:
        if token.text in _OPENERS and token.kind != "STRING":
            depth += 1
            opened.append(token)
            if depth > MAX_NESTING:
                diagnostics.error(
                    Code.NESTING,
                    f"brackets are nested more than {MAX_NESTING} deep here",
                    Span(name, token.start, token.end),
                    "give the inner part a name of its own",
                    (Label(Span(name, opened[0].start, opened[0].end), "the outermost one"),),
                )
                return False
        elif token.text in ("}", ")", "]") and depth:
            depth -= 1
            opened.pop()
    return True
