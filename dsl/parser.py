"""The front end: rules text to syntax tree. This module is its entry; the stages are:

    lexing            characters to tokens
    automaton         the LALR(1) tables, made from `grammar.lark` by Lark once and cached
    parsing_machine   runs the tables over the tokens, and calls for each reduction
    builder*, tables  what makes the nodes of the syntax tree: of clauses, of table rows and drawings
    recovery          after an error only: says what is wrong, mends or skips, and runs the machine on
    braces, block_recovery   what it knows of braces: where one is missing, which is too many
    mistakes          what recovery knows of the typical mistakes of designers; with foreign_marks, foreign_words,
                      misplaced and braceless, each of which knows one kind (edits: what they propose)
    parse_errors      the codes of all syntax findings, and the words they speak in

Parsing never raises for bad input: findings go to the `Diagnostics`, and the tree holds what could be read.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING

import regelwerk.dsl.builder_declarations
import regelwerk.dsl.builder_effects
import regelwerk.dsl.builder_expressions
import regelwerk.dsl.builder_files  # noqa: F401  (the builder modules register themselves)
from regelwerk.dsl.automaton import automaton, build_lark
from regelwerk.dsl.builder import Builder
from regelwerk.dsl.builder_files import EDITIONS
from regelwerk.dsl.diagnostics import Diagnostics
from regelwerk.dsl.lexing import MAX_FILE, Lexed, Token, check_lines, check_nesting, clean, tokenize
from regelwerk.dsl.parse_errors import Code
from regelwerk.dsl.parsing_machine import Stuck, TooDeep
from regelwerk.dsl.source import Source, Span
from regelwerk.dsl.syntax.base import Expression
from regelwerk.dsl.syntax.files import RulesFile

if TYPE_CHECKING:
    from lark import Lark


MAX_FINDINGS = 200  # of one file; with more, something else is wrong


@functools.cache
def parser() -> Lark:
    """The Lark parser of the grammar (slow to make; the front end itself runs on its cached tables)."""
    return build_lark()


def parse_file(source: Source, diagnostics: Diagnostics) -> RulesFile | None:
    """Parse a rules file; None if nothing of it is usable."""
    found = Diagnostics()
    parsed = _parse(source, found)
    for each in found.items[:MAX_FINDINGS]:
        diagnostics.add(each)
    if len(found.items) > MAX_FINDINGS:
        last = found.items[MAX_FINDINGS]
        diagnostics.error(
            Code.TOO_MANY, f"too many errors; {len(found.items) - MAX_FINDINGS} more are not shown", last.span
        )
    return parsed


def _parse(source: Source, diagnostics: Diagnostics) -> RulesFile | None:
    if len(source.text) > MAX_FILE or len(source.text.encode("utf-8", "replace")) > MAX_FILE:
        diagnostics.error(
            Code.BIG_FILE,
            "a rules file has at most 1 MiB",
            Span(source.name, 0, 0),
            "split it into a game and variants",
        )
        return None
    text = clean(source, diagnostics)
    if not check_lines(source, text, diagnostics):
        return None
    tables = automaton()
    lexed = tokenize(source.name, text, 0, len(text), tables.literals, diagnostics)
    if not _edition_known(source, lexed, diagnostics) or not check_nesting(source.name, lexed.tokens, diagnostics):
        return None
    builder = Builder(source.name, text, tables, diagnostics, _explain)
    try:
        parsed = builder.machine.run("start", lexed.tokens)
    except TooDeep as error:
        _too_deep(source.name, error, diagnostics)
        return None
    except Stuck:
        from regelwerk.dsl.recovery import recover  # only needed in case of error

        again = tokenize(source.name, text, 0, len(text), tables.literals, diagnostics)
        _edition_known(source, again, diagnostics)
        try:
            parsed = recover(Builder(source.name, text, tables, diagnostics, _explain, sharing=False), again)
        except TooDeep as error:
            _too_deep(source.name, error, diagnostics)
            return None
    if not isinstance(parsed, RulesFile):
        return None
    update = {"comments": tuple(lexed.comments), "trailing_comments": tuple(lexed.trailing)}
    return parsed.model_copy(update=update) if lexed.comments or lexed.trailing else parsed


def _explain(b: Builder, entry: str, start: int, end: int, code: Code, where: str) -> None:
    from regelwerk.dsl.recovery import explain_island  # only needed in case of error

    if len(b.diagnostics.items) > MAX_FINDINGS:
        return  # would not be shown
    explain_island(b, entry, start, end, code, where)


def _too_deep(name: str, error: TooDeep, diagnostics: Diagnostics) -> None:
    diagnostics.error(
        Code.DEEP,
        "this is nested too deeply, or has too many terms",
        Span(name, error.start, error.end),
        "give its parts names (`value`, `effect`)",
    )


def _edition_known(source: Source, lexed: Lexed, diagnostics: Diagnostics) -> bool:
    """Whether the edition of the file is known. If it says none, edition 1 is taken to find further errors."""
    tokens = lexed.tokens
    first = tokens[0]
    if first.kind == "$END":
        diagnostics.error(
            Code.NOTHING,
            "the file holds no rules",
            Span(source.name, 0, 0),
            'begin with `edition 1` and `game name "Title" { }`',
        )
        return False
    if first.text == "edition":
        number = tokens[1]
        if number.kind == "INT":
            if int(number.text) in EDITIONS:
                return True
            known = ", ".join(str(each) for each in EDITIONS)
            diagnostics.error(
                Code.EDITION_UNKNOWN,
                f"edition {number.text} is not known to this version",
                Span(source.name, number.start, number.end),
                f"known: {known}; a newer version may know it",
            )
            return False
        diagnostics.error(
            Code.EDITION_MISSING,
            "`edition` is followed by its number",
            Span(source.name, first.start, first.end),
            "write `edition 1`",
        )
        if number.kind == "WORD" and number.text not in ("game", "variant", "library") and not number.fresh:
            del tokens[1]
        tokens.insert(1, Token("INT", "1", first.end, first.end, False))
        return True
    diagnostics.error(
        Code.EDITION_MISSING,
        "a rules file begins with its edition",
        Span(source.name, first.start, first.end),
        "write `edition 1` as its first line",
    )
    if first.text.casefold() == "edition" or (tokens[1].kind == "INT" and first.kind == "WORD"):
        del tokens[:2]
    start = tokens[0].start
    tokens[:0] = [Token("WORD", "edition", start, start, True), Token("INT", "1", start, start, False)]
    tokens[2].fresh = True
    return True


def parse_expression(text: str, source_name: str, diagnostics: Diagnostics) -> Expression | None:
    """Parse one expression, as in a hole of a text; None (and a diagnostic) if it is none."""
    source = Source(source_name, text)
    if len(text) > 16 * MAX_FILE // 1024:
        diagnostics.error(Code.LONG_LINE, "this is too long", Span(source_name, 0, 0))
        return None
    text = clean(source, diagnostics)
    tables = automaton()
    lexed = tokenize(source_name, text, 0, len(text), tables.literals, diagnostics)
    if not check_nesting(source_name, lexed.tokens, diagnostics):
        return None
    builder = Builder(source_name, text, tables, diagnostics, _explain)
    value = builder.island("hole", 0, len(text), Code.UNEXPECTED, "this expression")
    return value if isinstance(value, Expression) else None


def read_source(
    path: Path | str, diagnostics: Diagnostics, name: str | None = None, most: int = MAX_FILE
) -> Source | None:
    """Read a text of at most `most` bytes; None (and a diagnostic) if it cannot be read or is not UTF-8."""
    shown = name if name is not None else str(path)
    try:
        with open(path, "rb") as file:
            content = file.read(most + 4)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "not a file name"
        diagnostics.error(Code.UNREADABLE, f"cannot read {shown}: {reason}", None)
        return None
    return decode_source(content, shown, diagnostics, most)


def decode_source(content: bytes, shown: str, diagnostics: Diagnostics, most: int = MAX_FILE) -> Source | None:
    """The source of what a file holds; None (and a diagnostic) if it is too large or not UTF-8."""
    if len(content) > most:
        diagnostics.error(
            Code.BIG_FILE,
            f"{shown} is too large: it may have at most {most >> 20} MiB",
            None,
            "split it into a game and variants",
        )
        return None
    try:
        return Source(shown, content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        diagnostics.error(Code.ENCODING, f"{shown} is not UTF-8 (line {line})", None, "save it in UTF-8 encoding")
        return None
