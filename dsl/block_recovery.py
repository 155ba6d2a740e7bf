"""What recovery knows while it runs, and what it does about blocks that do not begin or end where they should.

`recovery` derives from `Blocks`; `braces` has put in before what the indentation tells.
"""

from __future__ import annotations

from regelwerk.dsl.braces import Missing
from regelwerk.dsl.builder import Builder
from regelwerk.dsl.diagnostics import Diagnostics, Label
from regelwerk.dsl.edits import Edit, Place
from regelwerk.dsl.lexing import Lexed, Token, indentation, show, tokenize
from regelwerk.dsl.parse_errors import DECLARATIONS, Code
from regelwerk.dsl.parsing_machine import Machine, Stacks
from regelwerk.dsl.source import Span

LOOK = 3  # tokens that must fit after a repair
REMEMBERED = 250  # tokens before which the stacks are kept, for mistakes that show only later
_LEXICAL = frozenset({Code.OPEN_TEXT, Code.OPEN_ROW, Code.OPEN_DRAWING, Code.CONTROL, Code.LONG_NAME, Code.BIG_NUMBER})


class RecoveryState:
    """The tokens, what has been reported, and what was before each of the last tokens."""

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
        self.skipped: list[tuple[int, int]] = []  # what was left out since it could not be read
        self.forgiven = 0  # closing braces that will be too many, which follows from what was reported
        self.stuck_at: Token | None = None
        self.braced: Token | None = None  # the closing brace that was put in last, for a condition without braces
        self.lexical = [each.span.start for each in b.diagnostics if each.code in _LEXICAL and each.span is not None]
        self.lexical += lexed.dropped
        # texts that are never closed swallow the rest of their line, braces and all
        self.swallowed = [each.span.start for each in b.diagnostics if each.code == Code.OPEN_TEXT and each.span]
        self.closed = {each.start for each in lexed.tokens if each.kind == "RBRACE" and each.start == each.end}

    def remember(self, index: int, stacks: Stacks) -> None:
        """Keep the stacks as they are before a token."""
        self.before[index] = stacks
        self.before.pop(index - REMEMBERED, None)

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

    def _error(
        self, code: Code, message: str, span: Span, help: str | None = None, labels: tuple[Label, ...] = ()
    ) -> None:
        """Report, unless a character that was dropped just here has been reported: then this follows from that."""
        margin = self.b.text.rfind("\n", 0, span.start) + 1
        near = max(margin, span.start - 40)
        if any(near <= place <= span.end for place in self.lexical) or any(
            margin <= place <= span.start for place in self.swallowed
        ):
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
        place = min(place, len(self.b.text))  # a text that lost its first quote ends behind the file's end
        return Span(self.b.name, place, place)

    def is_skipped(self, token: Token) -> bool:
        """Whether a token stands in what was left out."""
        return any(
            start <= token.start < end or (same_line(self.b.text, token.start, start) and "{" in self.b.text[start:end])
            for start, end in self.skipped
        )

    def _said_on_line(self, code: Code, token: Token) -> bool:
        """Whether such a finding stands on the same line already."""
        line = self.b.text.rfind("\n", 0, token.start)
        return any(each.code == code and each.span and each.span.start > line for each in self.b.diagnostics)


class Blocks(RecoveryState):
    """Braces that are missing or too many, and texts that swallow them."""

    def _close_before(self, stacks: Stacks, index: int) -> bool:
        """Whether a block should end before the declaration at `index`, which cannot stand in it."""
        token = self.tokens[index]
        if not token.fresh or token.kind != "WORD" or token.text not in DECLARATIONS:
            return False
        indent = indentation(self.b.text, token)
        opened: list[Token] = []
        for value in stacks.values:
            if isinstance(value, Token) and value.kind in ("LBRACE", "RBRACE"):
                opened = [*opened, value] if value.kind == "LBRACE" else opened[:-1]
        states = stacks.states[:]
        count = 0
        for opener in reversed(opened):
            count += 1
            if indent > indentation(self.b.text, opener) or not self.machine.advance(states, "RBRACE", self.goal):
                return False
            if self.machine.advance(states[:], self.b.automaton.literals[token.text], self.goal):
                break
        else:
            return False
        last = self.tokens[index - 1]
        closers = [Token("RBRACE", "}", last.end, last.end, False) for _ in range(count)]
        self.tokens[index:index] = closers
        self.closed.add(last.end)
        begun = opened[-count].start
        if any(start >= begun for start, _ in self.skipped):
            self.forgiven += count
        else:
            self.missing.append(Missing(opened[: -count - 1 : -1], closers, last, token))
            self.surplus += count
        return True

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
        if not self.machine.follows(states, self.tokens, index, LOOK, self.goal):
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
        self.swallowed.remove(wrong.start)
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
        line = self.b.text.rfind("\n", 0, token.start)
        if self.forgiven or any(line < end <= token.start for _, end in self.skipped):
            self.forgiven = max(self.forgiven - 1, 0)
            return
        help = "delete it, or add the `{` it belongs to"
        self._error(Code.STRAY_CLOSE, "this `}` closes nothing", self._span(token), help)

    def _too_many(self, index: int) -> Edit | None:
        """A closing brace that ended a block too early: without it the token at `index` would fit."""
        place = self._place(index)
        help = "delete it, or add the `{` it belongs to"
        for spot in range(index, max(index - REMEMBERED, 0), -1):
            token = self.tokens[spot]
            if token.kind != "RBRACE" or token.start == token.end:
                continue
            message = "this `}` closes a block too early" if spot < index else "this `}` closes nothing"
            edit = Edit(spot, spot + 1, [], Code.STRAY_CLOSE, message, self._span(token), help, look=LOOK)
            if place.fits(edit):
                return edit
        return None

    def _depths(self, stacks: Stacks) -> list[int]:
        """How many braces are open at each height of the stacks."""
        depths = [0]
        for value in stacks.values:
            change = 0
            if isinstance(value, Token):
                change = (value.kind == "LBRACE") - (value.kind == "RBRACE")
            depths.append(depths[-1] + change)
        return depths


def same_line(text: str, first: int, last: int) -> bool:
    """Whether two places stand on one line, in this order."""
    return first <= last and "\n" not in text[first:last]


def _is_open_text(token: Token) -> bool:
    """Whether it is a text that is never closed: lexing has added the mark at its end."""
    return token.kind == "STRING" and len(token.text) > token.end - token.start
