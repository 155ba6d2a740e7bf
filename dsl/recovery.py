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

from regelwerk.dsl.block_recovery import LOOK, Blocks
from regelwerk.dsl.braces import first_astray, mend_braces
from regelwerk.dsl.builder import Builder
from regelwerk.dsl.diagnostics import Label, nearest
from regelwerk.dsl.edits import Edit, unread
from regelwerk.dsl.lexing import FOREIGN, Lexed, Token, show, tokenize
from regelwerk.dsl.mistakes import first_fitting
from regelwerk.dsl.parse_errors import DECLARATIONS, STARTERS, STATEMENTS, Code, expectation
from regelwerk.dsl.parsing_machine import Chain, Stacks, Stuck
from regelwerk.dsl.syntax.files import GameHeader, Library, VariantHeader

MAX_ERRORS = 40
MAX_EDITS = 400
_MARKS = (")", "]", ",", ":", "=", "in", "of", "to", "from", "by", "then", "else", "when", "per", "because")


def recover(b: Builder, lexed: Lexed) -> Any:
    """Parse a file that has syntax errors: report all that can be told apart; the tree of the rest, or None."""
    surplus, missing = mend_braces(b, lexed)
    recovery = _Recovery(b, lexed, "start", surplus, missing)
    try:
        return recovery.run()
    finally:
        for each in missing:
            each.openers[:] = [opener for opener in each.openers if not recovery.is_skipped(opener)]
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
class _Recovery(Blocks):
    """Runs the machine over a text with errors, and mends or skips what does not fit."""

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
    def mistake(self, index: int, *, sure: bool) -> Edit | None:
        """The typical mistake that was made here, if it is one."""
        if self.edits >= MAX_EDITS:
            return None
        return first_fitting(self._place(index), sure)

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
    def is_misspelt(self, stacks: Stacks, index: int) -> bool:
        """Whether the token is nearly a keyword that could stand here."""
        return self._misspelt(stacks.states, index) is not None

    def _misspelt(self, states: list[int], index: int, reach: int = 0, look: int = LOOK) -> str | None:
        """The keyword that the token at `index` is a misspelling of, if everything then fits: `look` tokens, or up to
        `reach`."""
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
                after, self.tokens, index + 1, max(look, reach - index), self.goal
            ):
                return word
            words.remove(word)
        return None

    def _misspelt_again(self, states: list[int], index: int, word: str) -> bool:
        """Whether reading the token as a keyword goes well up to a word that is nearly a keyword, too."""
        literals, after = self.b.automaton.literals, states[:]
        if not self.machine.advance(after, literals[word], self.goal):
            return False
        for count in range(1, min(LOOK, len(self.tokens) - 1 - index) + 1):
            if not self.machine.follows(after[:], self.tokens, index + 1, count, self.goal):
                token = self.tokens[index + count]
                near = nearest(token.text, [each for each in literals if each.isalpha()])
                return token.kind in ("WORD", "NAME", "UNIT") and token.text not in literals and near is not None
        return False

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
        if self.surplus > 1 and token.kind == "RBRACE":
            opening = Token("LBRACE", "{", token.start, token.end, token.fresh)
            message, span = "a block begins with `{`, not with `}`", self._span(token)
            turned = Edit(index, index + 1, [opening], Code.UNEXPECTED, message, span, "write `{`", look=LOOK)
            if self._place(index).fits(turned):
                self.surplus -= 2
                return self.mend(turned, index)
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
        word = self._misspelt(stacks.states, index, look=1)
        if word is not None and self._misspelt_again(stacks.states, index, word):
            return self._read_as(stacks, index, index, word)
        if self._close_before(stacks, index):
            return stacks, index
        self._describe(stacks, index)
        return self._left_out(stacks, index)

    def _left_out(self, stacks: Stacks, index: int) -> tuple[Stacks, int] | None:
        """Go on behind what cannot be read, and remember what that was."""
        token = self.tokens[index]
        again = token is self.stuck_at  # nothing was won by going on here
        self.stuck_at = token
        resumed = self._skip(stacks, index + 1 if again and token.kind != "$END" else index)
        end = self.tokens[resumed[1]].start if resumed is not None else len(self.b.text)
        self.skipped.append((token.start, max(end, token.end)))
        return resumed

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
        return self._read_as(stacks if place == index else self.before[place], place, index, word)

    def _read_as(self, from_here: Stacks, place: int, index: int, word: str) -> tuple[Stacks, int]:
        """Read the token at `place` as the keyword that it is a misspelling of."""
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

    def _insert(self, stacks: Stacks, index: int, marks: tuple[str, ...] = _MARKS) -> tuple[Stacks, int] | None:
        """A mark or small word that is missing."""
        for mark in marks:
            if mark.isalpha() and (self.tokens[index].kind == "LBRACE" or self.tokens[index].fresh):
                continue  # then rather the brace, or the line, is wrong
            kind = self.b.automaton.literals[mark]
            states = stacks.states[:]
            if not self.machine.advance(states, kind, self.goal) or not self.machine.follows(
                states, self.tokens, index, LOOK, self.goal
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
        if not self.machine.follows(stacks.states, self.tokens, index + 1, LOOK, self.goal):
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
    def _skip(self, stacks: Stacks, index: int) -> tuple[Stacks, int] | None:
        depths = self._depths(stacks)
        depth = depths[-1]
        heights = _open_heights(depths)
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
                for height in heights:
                    if (
                        depths[height] == depth
                        and self._may_go_on(stacks.states[: height + 1], token, anchor)
                        and self.machine.follows(
                            stacks.states[: height + 1], self.tokens, place, 1 if closing else LOOK, self.goal
                        )
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

    def _may_go_on(self, states: list[int], token: Token, anchor: bool) -> bool:
        """Whether an anchor would be read as the keyword that it is."""
        return not anchor or self.machine.advance(states, self.b.automaton.literals[token.text], self.goal)

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


def _open_heights(depths: list[int]) -> list[int]:
    """The heights of the stacks that are not inside braces which are closed again, the highest first."""
    found: list[int] = []
    lowest = depths[-1]
    for height in range(len(depths) - 1, -1, -1):
        lowest = min(lowest, depths[height])
        if depths[height] == lowest:
            found.append(height)
    return found
