"""Braces that do not match: what the indentation says about where one is missing or too many. Part of recovery.

Runs before the parse of a file with errors whose braces do not balance. Balanced braces are left alone: then the
indentation may be as sloppy as it likes.
"""

from __future__ import annotations

from dataclasses import dataclass

from regelwerk.dsl.builder import Builder
from regelwerk.dsl.diagnostics import Label
from regelwerk.dsl.lexing import Lexed, Token, indentation, show
from regelwerk.dsl.parse_errors import DECLARATIONS, STATEMENTS, Code, words
from regelwerk.dsl.source import Span

_LEADING = DECLARATIONS | STATEMENTS | words("} cost line column drawing given play then")
"""What begins a line that is not the continuation of another one."""


@dataclass(slots=True)
class _Open:
    """A brace that is open: the indentation of its clause, and that of its content (None: on the same line)."""

    token: Token
    indent: int
    content: int | None

    def left_by(self, token: Token, indent: int) -> bool:
        """Whether a line that begins with `token` at this indentation can no longer be inside."""
        if indent > self.indent:
            return False
        if self.content is None or self.content > self.indent:
            return True
        # the content is not indented: only a declaration says something
        return token.text in DECLARATIONS and (token.text not in STATEMENTS or indent == 0)


@dataclass(slots=True)
class Missing:
    """Closing braces that were put in before `here`: one for each of `openers` (innermost first)."""

    openers: list[Token]
    closers: list[Token]
    last: Token
    here: Token

    def report(self, b: Builder) -> None:
        """Say what is never closed, and where it should be."""
        if not self.openers:
            return
        lines = [b.text.count("\n", 0, opener.start) + 1 for opener in reversed(self.openers)]
        at_end = self.here.kind == "$END"
        if len(lines) == 1:
            message = f"`{{` opened at line {lines[0]} is never closed"
        elif len(set(lines)) == 1:
            message = f"{len(lines)} braces opened at line {lines[0]} are never closed"
        else:
            listed = ", ".join(str(line) for line in lines[:-1]) + f" and {lines[-1]}"
            message = f"the braces opened at lines {listed} are never closed"
        where = " at the end" if at_end else f" before `{show(self.here.text)}`"
        b.diagnostics.error(
            Code.UNCLOSED,
            message,
            Span(b.name, self.last.end, self.last.end) if at_end else b.span(self.here),
            f"add `{' '.join('}' * len(lines))}`{where}",
            tuple(Label(b.span(opener), "opened here") for opener in reversed(self.openers)),
        )


def mend_braces(b: Builder, lexed: Lexed) -> tuple[int, list[Missing]]:
    """Close what is never closed, where the indentation says so.

    Returns how many closing braces are too many, and what was put in.
    """
    tokens = lexed.tokens
    depth = lowest = 0
    for token in tokens:
        depth += (token.kind == "LBRACE") - (token.kind == "RBRACE")
        lowest = min(lowest, depth)
    if depth <= 0:
        return -lowest, []
    opened: list[_Open] = []
    mended: list[Token] = []
    missing: list[Missing] = []

    def close(openers: list[Token], here: Token) -> None:
        if openers:
            last = mended[-1] if mended else here
            closers = [Token("RBRACE", "}", last.end, last.end, False) for _ in openers]
            mended.extend(closers)
            if here.kind != "$END" or lexed.whole:  # else the end is in a drawing that is never closed
                missing.append(Missing(openers, closers, last, here))

    clause = 0
    for place, token in enumerate(tokens):
        if token.fresh and token.kind != "$END":
            indent = indentation(b.text, token)
            if token.text in _LEADING:
                clause = indent
            closed: list[Token] = []
            # Not more closers than are missing in all: elsewhere the indentation may simply be sloppy.
            while opened and depth > 0 and _is_left(opened, token, indent):
                closed.append(opened.pop().token)
                depth -= 1
            close(closed, token)
        if token.kind == "LBRACE":
            following = tokens[place + 1]
            content = indentation(b.text, following) if following.fresh and following.kind != "$END" else None
            opened.append(_Open(token, clause, content))
        elif token.kind == "RBRACE" and opened:
            opened.pop()
        elif token.kind == "$END" and depth > 0:
            close([each.token for each in reversed(opened)], token)
        mended.append(token)
    lexed.tokens[:] = mended
    return 0, missing


def _is_left(opened: list[_Open], token: Token, indent: int) -> bool:
    if token.kind == "RBRACE":  # closes what was opened at its own indentation, further out
        return indent < opened[-1].indent and any(each.indent == indent for each in opened[:-1])
    return opened[-1].left_by(token, indent)


def first_astray(text: str, tokens: list[Token]) -> Token | None:
    """Of closing braces that are too many: the first that does not agree with the indentation."""
    opened: list[tuple[int, int]] = []  # indentation and line
    indent = line = 0
    for place, token in enumerate(tokens):
        if token.fresh:
            indent, line = indentation(text, token), line + 1
        if token.kind == "LBRACE":
            opened.append((indent, line))
        elif token.kind == "RBRACE":
            if not opened:
                return token
            outer, begun = opened.pop()
            if token.fresh and indent > outer:
                return token
            following = tokens[place + 1] if place + 1 < len(tokens) else token
            if not token.fresh and begun < line and following.fresh and indentation(text, following) > outer:
                return token  # at the end of a line, while the next line is still inside
    return None
