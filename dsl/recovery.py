"""What happens after a syntax error: say what is wrong in the author's words, mend or skip, and go on.

Runs only on files with errors, in place of `parsing_machine.Machine.run`. Before each token the stacks are copied, so
that a repair starts from what was there before the offending token caused any reduction. The typical mistakes
(`mistakes`) come first. Then repairs are tried from the smallest on, and one is taken only if the next tokens then
fit: a misspelt keyword, a missing mark, a superfluous token. Otherwise everything is skipped up to the next keyword or
closing brace at which some enclosing construct can go on.
"""

from __future__ import annotations

import re
from typing import Any

from regelwerk.dsl.braces import Missing, first_astray, mend_braces
from regelwerk.dsl.builder import Builder
from regelwerk.dsl.diagnostics import Diagnostics, Label, nearest
from regelwerk.dsl.edits import Edit, Place, unread
from regelwerk.dsl.lexing import FOREIGN, Lexed, Token, show, tokenize
from regelwerk.dsl.mistakes import first_fitting
from regelwerk.dsl.parse_errors import DECLARATIONS, STARTERS, STATEMENTS, Code, expectation
from regelwerk.dsl.parsing_machine import Chain, Machine, Stacks, Stuck
from regelwerk.dsl.source import Span
from regelwerk.dsl.syntax.files import GameHeader, Library, VariantHeader

MAX_ERRORS = 40
MAX_EDITS = 400
_REMEMBERED = 250  # tokens before which the stacks are kept, for mistakes that show only later
_LOOK = 3  # tokens that must fit after a repair
_MARKS = (")", "]", ",", ":", "=", "in", "of", "to", "from", "by", "then", "else", "when", "per", "because")
_LEXICAL = frozenset({Code.OPEN_TEXT, Code.OPEN_ROW, Code.OPEN_DRAWING, Code.CONTROL, Code.LONG_NAME, Code.BIG_NUMBER})


def recover(b: Builder, lexed: Lexed) -> Any:
    """Parse a file that has syntax errors: report all that can be told apart; the tree of the rest, or None."""
    surplus, missing = mend_braces(b, lexed)
    recovery = _Recovery(b, lexed, "start", surplus, missing)
    try:
        return recovery.run()
    finally:
        for each in missing:
            each.report(b)


def explain_island(b: Builder, entry: str, start: int, end: int, code: Code, where: str) -> None:
    """Report what is wrong in a cell or a hole that could not be parsed."""
    lexed = tokenize(b.name, b.text, start, end, b.automaton.literals, b.diagnostics)
    recovery = _Recovery(b, lexed, entry, 0, [])
    stacks = Stacks(b.automaton.starts[entry])
    recovery.island = (code, where)
    earlier: Stacks | None = None
    index = 0
    while True:
        before = stacks.copy()
        recovery.remember(index, before)
        try:
            done, _ = b.machine.step(stacks, recovery.tokens, index, recovery.goal)
        except Stuck:
            edit = recovery.mistake(index, sure=True)
            if edit is None and not recovery.is_misspelt(before, index):
                edit = recovery.mistake(index, sure=False)
            if edit is None:
                recovery.describe_island(before, earlier, index, code, where)
                return
            resumed = recovery.mend(edit, index)
            if resumed is None:
                return
            stacks, index = resumed
            earlier = None
            continue
        if done:
            return
        earlier = before
        index += 1


# ----------------------------------------------------------------------------------------------------------- the repair
class _Recovery:
    def __init__(self, b: Builder, lexed: Lexed, entry: str, surplus: int, missing: list[Missing]) -> None:
        self.b = b
        self.missing = missing  # closing braces that were put in
        self.machine: Machine = b.machine
        self.tokens = lexed.tokens
        self.entry = entry
        self.goal = b.automaton.ends[entry]
        self.surplus = surplus
        self.line: tuple[int, Stacks] | None = (
            None  # a line that begins like a clause: its first token, what was before
        )
        self.island: tuple[Code, str] | None = None  # of a cell or hole: the code of its errors, and what it is
        self.before: dict[int, Stacks] = {}
        self.edits = 0
        self.braced: Token | None = None  # the closing brace that was put in last, for a condition without braces
        self.lexical = [each.span.start for each in b.diagnostics if each.code in _LEXICAL and each.span is not None]
        self.lexical += lexed.dropped
        self.closed = {each.start for each in lexed.tokens if each.kind == "RBRACE" and each.start == each.end}

    def run(self) -> Any:
        """Parse to the end, mending what can be mended."""
        stacks = Stacks(self.b.automaton.starts[self.entry])
        earlier: Stacks | None = None
        index = errors = 0
        while True:
            before = stacks.copy()
            self.remember(index, before)
            token = self.tokens[index]
            if token.fresh:
                self.line = (index, before) if token.kind == "WORD" and token.text in STARTERS else None
            try:
                done, value = self.machine.step(stacks, self.tokens, index, self.goal)
            except Stuck:
                listed = self.line is not None and self.tokens[self.line[0] - 1].kind == "COMMA"
                again = self._restart_line(index) if not listed else None
                edit = self.mistake(index, sure=True) if again is None else None
                if edit is not None and not edit.skip:
                    stacks, index = self.mend(edit, index) or (stacks, index)
                    earlier = None
                    continue
                errors += 1
                if errors > MAX_ERRORS:
                    self.b.diagnostics.error(
                        Code.TOO_MANY,
                        "too many errors; the rest of the file was not looked at",
                        self.b.span(self.tokens[index]),
                    )
                    return None
                resumed = (
                    self.mend(edit, index)
                    if edit is not None
                    else again or self._restart_line(index) or self._repair(before, earlier, index)
                )
                if resumed is None:
                    return None
                stacks, index = resumed
                earlier = None
                continue
            if done:
                return value
            earlier = before
            index += 1

    # --------------------------------------------------------------------------------------------------- known mistakes
    def remember(self, index: int, stacks: Stacks) -> None:
        """Keep the stacks as they are before a token."""
        self.before[index] = stacks
        self.before.pop(index - _REMEMBERED, None)

    def mistake(self, index: int, *, sure: bool) -> Edit | None:
        """The typical mistake that was made here, if it is one."""
        if self.edits >= MAX_EDITS:
            return None
        return first_fitting(self._place(index), sure)

    def _place(self, index: int) -> Place:
        return Place(
            machine=self.machine,
            tokens=self.tokens,
            index=index,
            before=self.before,
            goal=self.goal,
            name=self.b.name,
            text=self.b.text,
            cell=self.island is not None,
            bracing=self.surplus <= 0,
            braced=self.braced,
        )

    def mend(self, edit: Edit, index: int) -> tuple[Stacks, int] | None:
        """Say what an edit says and make it; where to go on."""
        self.edits += 1
        if not edit.silent and self.island is not None:
            code, where = self.island
            self._error(code, f"{where}: {edit.message}", edit.span, edit.help)
        elif not edit.silent:
            self._error(edit.code, edit.message, edit.span, edit.help)
        stacks = self.before[edit.first].copy()
        for place in range(edit.first if edit.skip else edit.last, index + 1):
            self.tokens[place] = unread(self.tokens[place])
        if not edit.skip:
            self.tokens[edit.first : edit.last] = edit.tokens
            if edit.tokens and edit.tokens[-1].kind == "RBRACE":
                self.braced = edit.tokens[-1]
        for place in [place for place in self.before if place > edit.first]:
            del self.before[place]
        self.line = None
        if not edit.skip:
            return stacks, edit.first
        return self._skip(stacks, edit.last) if self.island is None else None

    # --------------------------------------------------------------------------------------------------------- messages
    def _error(
        self, code: Code, message: str, span: Span, help: str | None = None, labels: tuple[Label, ...] = ()
    ) -> None:
        """Report, unless a character that was dropped just here has been reported: then this follows from that."""
        margin = self.b.text.rfind("\n", 0, span.start) + 1
        near = max(margin, span.start - 40)
        if any(near <= place <= span.end for place in self.lexical):
            return
        if span.start == span.end and span.start in self.closed:
            return  # a brace that was missing has been put there
        self.b.diagnostics.error(code, message, span, help, labels)

    def _found(self, token: Token) -> str:
        if token.kind == "$END":
            return "the end of the file" if self.entry == "start" else "nothing more"
        if token.start == token.end:
            return "the end of the block"
        if token.kind == "STRING":
            return f"the text {show(token.text)}"
        if token.kind == "ROW":
            return "a table row"
        if token.kind == "DRAWING":
            return "a drawing"
        return f"`{show(token.text)}`"

    def _span(self, token: Token) -> Span:
        return self.b.span(token)

    def _after(self, index: int) -> Span:
        """The place behind the token before `index`."""
        place = self.tokens[index - 1].end if index else self.tokens[index].start
        return Span(self.b.name, place, place)

    def is_misspelt(self, stacks: Stacks, index: int) -> bool:
        """Whether the token is nearly a keyword that could stand here."""
        return self._misspelt(stacks.states, index) is not None

    def _misspelt(self, states: list[int], index: int, reach: int = 0) -> str | None:
        """The keyword that the token at `index` is a misspelling of, if everything then fits (up to `reach`)."""
        token = self.tokens[index]
        if token.kind not in ("WORD", "NAME", "UNIT"):
            return None
        if len(token.text) == 1 and len(re.findall(rf"\b{token.text}\b", self.b.text)) > 1:
            return None  # a name that is used elsewhere
        spelling = self.b.automaton.spelling
        possible = [spelling[kind] for kind in self.machine.acceptable(states, self.goal) if kind in spelling]
        words = [word for word in possible if word.isalpha() or "_" in word]
        if token.text in self.b.automaton.literals:  # a keyword is more likely in the wrong place than misspelt
            words = [word for word in words if f"{word}s" == token.text or f"{token.text}s" == word]
        for _ in range(3):  # the nearest need not fit, another may
            word = nearest(token.text, words)
            if word is None or word == token.text:
                return None
            after = states[:]
            if self.machine.advance(after, self.b.automaton.literals[word], self.goal) and self.machine.follows(
                after, self.tokens, index + 1, max(_LOOK, reach - index), self.goal
            ):
                return word
            words.remove(word)
        return None

    def _say_misspelt(self, stacks: Stacks, index: int, word: str) -> None:
        token = self.tokens[index]
        kinds = self.machine.acceptable(stacks.states, self.goal)
        if "GAIN" in kinds and "MOVE" in kinds:
            message = f"a statement begins with a keyword; did you mean `{word}`?"
        elif "ACTION" in kinds and "ENUM" in kinds:
            message = f"a declaration begins with a keyword; did you mean `{word}`?"
        else:
            message = f"`{show(token.text)}` is not expected here; did you mean `{word}`?"
        self._error(Code.MISSPELT_KEYWORD, message, self._span(token), f"write `{word}`")

    def describe_island(self, stacks: Stacks, earlier: Stacks | None, index: int, code: Code, where: str) -> None:
        """Report the error of a cell or hole."""
        token = self.tokens[index]
        found = self._misspelt_before(stacks, earlier, index)
        if found is not None:
            place, word = found
            self._error(code, f"{where}: did you mean `{word}`?", self._span(self.tokens[place]), f"write `{word}`")
            return
        expected = expectation(self.machine.acceptable(stacks.states, self.goal), self.b.automaton.literals)
        expected = expected.replace("the end of the file", "its end")
        span = self._span(token) if token.kind != "$END" else self._after(index)
        self._error(code, f"{where}: expected {expected}, found {self._found(token)}", span)

    # ---------------------------------------------------------------------------------------------------------- repairs
    def _repair(self, stacks: Stacks, earlier: Stacks | None, index: int) -> tuple[Stacks, int] | None:
        token = self.tokens[index]
        found = self._lost_quote(stacks, index) or self._respell(stacks, earlier, index)
        if found is not None:
            return found
        if token.kind == "RBRACE" and self._depths(stacks)[-1] == 0:
            astray = first_astray(self.b.text, self.tokens[: index + 1]) or token
            self._stray(astray if self.surplus > 0 else token)
            return stacks, index + 1
        if self._close_here(stacks, index):
            return stacks, index
        if self.surplus > 0:
            found = self._insert(stacks, index, ("{",))
            if found is not None:
                self.surplus -= 1
                return found
            edit = self._too_many(index)
            if edit is not None:
                self.surplus -= 1
                return self.mend(edit, index)
        edit = self.mistake(index, sure=False)
        if edit is not None:
            return self.mend(edit, index)
        found = self._insert(stacks, index) or self._delete(stacks, index)
        if found is not None:
            return found
        self._describe(stacks, index)
        return self._skip(stacks, index)

    def _restart_line(self, index: int) -> tuple[Stacks, int] | None:
        """Where the line before ends too early, its missing value was read from the keyword that begins this line."""
        if self.line is None or self.line[0] >= index:
            return None
        first, stacks = self.line
        line = self.tokens[first : index + 1]
        if line[0].kind != "NAME" or any(token.fresh for token in line[1:]):
            return None
        kinds = [token.kind for token in line]
        for token in line:
            if token.text[:1].isalpha() and token.kind != "CITE":
                token.kind = "WORD"
        resumed = self._skip(stacks.copy(), first)
        if resumed is None or resumed[1] != first:
            for token, kind in zip(line, kinds, strict=True):
                token.kind = kind
            return None
        edit = self.mistake(first, sure=False)
        if edit is not None and edit.skip:
            self._error(edit.code, edit.message, edit.span, edit.help)
        else:
            self._describe(stacks, first)
        self.line = None
        return resumed

    def _respell(self, stacks: Stacks, earlier: Stacks | None, index: int) -> tuple[Stacks, int] | None:
        """A keyword that is misspelt: here, or just before, where it was taken for a name or a unit."""
        found = self._misspelt_before(stacks, earlier, index)
        if found is None:
            return None
        place, word = found
        from_here = stacks if place == index else self.before[place]
        self._say_misspelt(from_here, place, word)
        old = self.tokens[place]
        self.tokens[place : index + 1] = map(unread, self.tokens[place : index + 1])
        self.tokens[place] = Token(self.b.automaton.literals[word], word, old.start, old.end, old.fresh)
        return from_here.copy(), place

    def _misspelt_before(self, stacks: Stacks, earlier: Stacks | None, index: int) -> tuple[int, str] | None:
        """A misspelt keyword: here, or what was taken for a name or a unit before it on its line."""
        if self.tokens[index].kind == FOREIGN:
            return None
        word = self._misspelt(stacks.states, index)
        if word is not None:
            return index, word
        for place in range(index - 1, max(index - 4, -1), -1):
            if earlier is None or self.tokens[place + 1].fresh or place not in self.before:
                return None
            if self.tokens[place].kind not in ("NAME", "UNIT"):
                continue
            kept = self.tokens[place : index + 1]
            self.tokens[place : index + 1] = map(unread, kept)
            word = self._misspelt(self.before[place].states, place, index + 1)
            self.tokens[place : index + 1] = kept
            if word is not None:
                return place, word
        return None

    def _close_here(self, stacks: Stacks, index: int) -> bool:
        """Whether a missing brace belongs here, before the place that the indentation shows."""
        opener = next(
            (value for value in reversed(stacks.values) if isinstance(value, Token) and value.kind == "LBRACE"), None
        )
        missing = next((each for each in self.missing if opener in each.openers), None)
        if opener is None or missing is None:
            return False
        states, here = stacks.states[:], self.tokens[index]
        if here in missing.closers or not self.machine.advance(states, "RBRACE", self.goal):
            return False
        if not self.machine.follows(states, self.tokens, index, _LOOK, self.goal):
            return False
        missing.openers.remove(opener)
        self.tokens.remove(missing.closers.pop())
        last = self.tokens[index - 1]
        closer = Token("RBRACE", "}", last.end, last.end, False)
        self.tokens.insert(index, closer)
        self.missing.append(Missing([opener], [closer], last, here))
        self.closed.add(closer.start)
        return True

    def _lost_quote(self, stacks: Stacks, index: int) -> tuple[Stacks, int] | None:
        """A text without its first quotation mark: the last one seems to open a text that is never closed."""
        last = index + 1
        while last < len(self.tokens) and not self.tokens[last].fresh and not _is_open_text(self.tokens[last]):
            last += 1
        if last == len(self.tokens) or self.tokens[last].fresh:
            return None
        if "STRING" not in self.machine.acceptable(stacks.states, self.goal):
            return None
        first, wrong = self.tokens[index], self.tokens[last]
        reported = next((each for each in self.b.diagnostics if each.span == self._span(wrong)), None)
        if reported is None or reported.code != Code.OPEN_TEXT:
            return None
        self.b.diagnostics.items.remove(reported)
        self.lexical.remove(wrong.start)
        inner = self.b.text[first.start : wrong.start]
        span, message = Span(self.b.name, first.start, wrong.start + 1), 'this text does not begin with `"`'
        self._error(Code.OPEN_TEXT, message, span, f'add `"` before `{show(inner.split()[0])}`')
        text = Token("STRING", f'"{inner}"', first.start, first.start + len(inner) + 2, first.fresh)
        literals = self.b.automaton.literals
        rest = tokenize(self.b.name, self.b.text, wrong.start + 1, wrong.end, literals, Diagnostics()).tokens
        for each in rest:
            each.fresh = False
            self.surplus -= each.kind == "LBRACE"
        self.tokens[index : last + 1] = [text, *(each for each in rest if each.kind != "$END")]
        return stacks, index

    def _stray(self, token: Token) -> None:
        help = "delete it, or add the `{` it belongs to"
        self._error(Code.STRAY_CLOSE, "this `}` closes nothing", self._span(token), help)

    def _too_many(self, index: int) -> Edit | None:
        """A closing brace that ended a block too early: without it the token at `index` would fit."""
        place = self._place(index)
        help = "delete it, or add the `{` it belongs to"
        for spot in range(index, max(index - _REMEMBERED, 0), -1):
            token = self.tokens[spot]
            if token.kind != "RBRACE" or token.start == token.end:
                continue
            message = "this `}` closes a block too early" if spot < index else "this `}` closes nothing"
            edit = Edit(spot, spot + 1, [], Code.STRAY_CLOSE, message, self._span(token), help, look=_LOOK)
            if place.fits(edit):
                return edit
        return None

    def _insert(self, stacks: Stacks, index: int, marks: tuple[str, ...] = _MARKS) -> tuple[Stacks, int] | None:
        """A mark or small word that is missing."""
        for mark in marks:
            if mark.isalpha() and (self.tokens[index].kind == "LBRACE" or self.tokens[index].fresh):
                continue  # then rather the brace, or the line, is wrong
            kind = self.b.automaton.literals[mark]
            states = stacks.states[:]
            if not self.machine.advance(states, kind, self.goal) or not self.machine.follows(
                states, self.tokens, index, _LOOK, self.goal
            ):
                continue
            here = self.tokens[index]
            labels: tuple[Label, ...] = ()
            if mark in (")", "]"):
                opener = self._opener(stacks, "(" if mark == ")" else "[")
                labels = (Label(self._span(opener), "opened here"),) if opener is not None else ()
            here = self.tokens[index]
            if mark == "," and self._said_on_line(Code.MISSING, here):
                self.tokens.insert(index, Token(kind, mark, here.start, here.start, False))
                return stacks, index
            before = f" before {self._found(here)}" if here.kind != "$END" and here.start < here.end else ""
            self._error(Code.MISSING, f"`{mark}` is missing{before}", self._after(index), f"add `{mark}`", labels)
            place = self.tokens[index - 1].end if index else here.start
            self.tokens.insert(index, Token(kind, mark, place, place, False))
            return stacks, index
        return None

    def _said_on_line(self, code: Code, token: Token) -> bool:
        """Whether such a finding stands on the same line already."""
        line = self.b.text.rfind("\n", 0, token.start)
        return any(each.code == code and each.span and each.span.start > line for each in self.b.diagnostics)

    def _opener(self, stacks: Stacks, mark: str) -> Token | None:
        closer = {"(": ")", "[": "]"}[mark]
        depth = 0
        for value in reversed(stacks.values):
            if isinstance(value, Token) and value.text in (mark, closer):
                depth += 1 if value.text == mark else -1
                if depth > 0:
                    return value
        return None

    def _delete(self, stacks: Stacks, index: int) -> tuple[Stacks, int] | None:
        """One token too much."""
        token = self.tokens[index]
        if token.kind in ("LBRACE", "RBRACE", "$END", "ROW") or (token.fresh and token.text in STARTERS):
            return None
        if index + 1 < len(self.tokens) and self.tokens[index + 1].fresh and token.fresh:
            return None  # a whole line: better described than dropped
        if not self.machine.follows(stacks.states, self.tokens, index + 1, _LOOK, self.goal):
            return None
        kinds = self.machine.acceptable(stacks.states, self.goal)
        if token.text in (")", "]"):
            message, help = f"this `{token.text}` closes nothing", "delete it"
        else:
            message, help = (
                f"{self._found(token)} is too much here",
                f"expected {expectation(kinds, self.b.automaton.literals)}",
            )
        self._error(Code.SUPERFLUOUS, message, self._span(token), help)
        return stacks, index + 1

    def _describe(self, stacks: Stacks, index: int) -> None:
        token = self.tokens[index]
        kinds = self.machine.acceptable(stacks.states, self.goal)
        expected = expectation(kinds, self.b.automaton.literals)
        if token.kind == "$END":
            self._error(Code.UNEXPECTED_END, f"the file ends too early; expected {expected}", self._after(index))
            return
        statement = "GAIN" in kinds and "MOVE" in kinds
        declaration = "ACTION" in kinds and "ENUM" in kinds
        if token.kind == "WORD" and (statement or declaration):
            what = "declaration" if declaration else "statement"
            near = nearest(token.text, DECLARATIONS if declaration else STATEMENTS)
            if token.text in self.b.automaton.literals:
                message = f"`{show(token.text)}` cannot stand here; expected {expected}"
                self._error(Code.UNEXPECTED, message, self._span(token))
            elif near is not None:  # what follows has further errors, or the repair would have fitted
                message = f"a {what} begins with a keyword; did you mean `{near}`?"
                self._error(Code.MISSPELT_KEYWORD, message, self._span(token), f"write `{near}`")
            else:
                message = f"a {what} begins with a keyword, which `{show(token.text)}` is not"
                self._error(Code.NO_KEYWORD, message, self._span(token))
            return
        before = self.tokens[index - 1]
        continues = not statement and not declaration and not {"GAME", "RBRACE"} & set(kinds)
        if token.fresh and index and not before.fresh and continues:
            message = f"expected {expected} behind {self._found(before)}"  # the line ends too early
            self._error(Code.UNEXPECTED, message, self._span(before))
            return
        self._error(Code.UNEXPECTED, f"expected {expected}, found {self._found(token)}", self._span(token))

    # ------------------------------------------------------------------------------------------------------- panic mode
    def _depths(self, stacks: Stacks) -> list[int]:
        """How many braces are open at each height of the stacks."""
        depths = [0]
        for value in stacks.values:
            change = 0
            if isinstance(value, Token):
                change = (value.kind == "LBRACE") - (value.kind == "RBRACE")
            depths.append(depths[-1] + change)
        return depths

    def _skip(self, stacks: Stacks, index: int) -> tuple[Stacks, int] | None:
        depths = self._depths(stacks)
        depth = depths[-1]
        headless = not any(
            isinstance(value, (GameHeader, VariantHeader, Library, Chain, list)) for value in stacks.values
        )
        for place in range(index, len(self.tokens)):
            token = self.tokens[place]
            closing = token.kind == "RBRACE"
            anchor = (
                token.kind in ("WORD", "NAME", "UNIT") and token.text in STARTERS and self.tokens[place - 1].text != "."
            )
            if closing or token.kind in ("ROW", "$END") or anchor:
                for height in range(len(depths) - 1, -1, -1):
                    if depths[height] == depth and self.machine.follows(
                        stacks.states[: height + 1], self.tokens, place, 1 if closing else _LOOK, self.goal
                    ):
                        stacks.cut(height)
                        return stacks, place
            if (
                headless
                and depth == 0
                and place > index
                and token.fresh
                and token.kind == "WORD"
                and token.text in DECLARATIONS
            ):
                return self._behead(stacks, place)
            depth += (token.kind == "LBRACE") - (token.kind == "RBRACE")
            depth = max(depth, 0)
        return None

    def _behead(self, stacks: Stacks, place: int) -> tuple[Stacks, int] | None:
        """The header cannot be read: go on as if there were one, so that the declarations are looked at."""
        at = self.tokens[place].start
        words = (("WORD", "game"), ("WORD", "_"), ("STRING", '""'), ("LBRACE", "{"), ("RBRACE", "}"))
        inserted = [Token(kind, text, at, at, False) for kind, text in words]
        for height in range(len(stacks.values), -1, -1):
            if self.machine.follows(stacks.states[: height + 1], inserted, 0, len(inserted), self.goal):
                stacks.cut(height)
                self.tokens[place:place] = inserted
                return stacks, place
        return None


def _is_open_text(token: Token) -> bool:
    """Whether it is a text that is never closed: lexing has added the mark at its end."""
    return token.kind == "STRING" and len(token.text) > token.end - token.start
