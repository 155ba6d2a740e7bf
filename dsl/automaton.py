"""The parsing tables: made from `grammar.lark` once, kept in the user's cache, loaded in a few milliseconds.

Lark turns the grammar into LALR(1) tables, which takes about a second. What the parser needs of them is small and
plain, so it is stored as JSON with a checksum: reading it back can at worst fail, never run code. The file lies in a
directory that only the current user can enter; without such a directory the tables are simply made anew.
`parsing_machine` runs the tables; Lark itself is not loaded if the cache has them.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lark import Lark, Token

ENTRIES = ("start", "hole", "cell", "cell_name", "cell_cites")
_FORMAT = "2"  # to be raised when the stored form changes


class UnitFilter:
    """A NAME directly after an amount on the same line is a UNIT (for parsers that Lark runs itself)."""

    always_accept = ("NAME",)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """Pass the tokens on, renaming units."""
        previous: Token | None = None
        for token in stream:
            if (
                token.type == "NAME"
                and previous is not None
                and previous.type in GLUE
                and previous.end_line == token.line
            ):
                token.type = "UNIT"
            yield token
            previous = token


GLUE = frozenset({"INT", "DECIMAL", "NAME", "RPAR"})  # what a unit may follow


def grammar_text() -> str:
    """The text of `grammar.lark`."""
    return (Path(__file__).resolve().parent.parent / "grammar.lark").read_text(encoding="utf-8")


def build_lark(*, strict: bool = False) -> Lark:
    """Make the Lark parser for the grammar; `strict` also refuses colliding terminals and resolved conflicts (slow)."""
    from lark import Lark

    return Lark(
        grammar_text(),
        parser="lalr",
        lexer="contextual",
        start=list(ENTRIES),
        postlex=UnitFilter(),
        strict=strict,
        maybe_placeholders=False,
    )


@dataclass(frozen=True, slots=True)
class Production:
    """One alternative of a rule in the form the machine uses.

    name     what is built: the alias, else the rule
    origin   the rule, for the goto after the reduction
    size     how many symbols it takes from the stack
    keep     which of them are handed to the builder, and whether they are lists to be spliced in
    single   a lone child stands for the whole
    helper   a repetition: its value is the list of its children
    """

    name: str
    origin: str
    size: int
    keep: tuple[tuple[int, bool], ...]
    single: bool
    helper: bool


class Automaton:
    """The LALR(1) tables. An action is a state to shift to (>= 0) or `-1 - production` to reduce by."""

    def __init__(self, data: dict[str, Any]) -> None:
        self._symbols: list[str] = data["symbols"]
        self._rows: list[list[int]] = data["rows"]
        self._row_of: list[int] = data["states"]
        self._made: list[dict[str, int] | None] = [None] * len(self._rows)
        self.productions = [
            Production(name, origin, size, tuple((i, bool(s)) for i, s in keep), bool(single), bool(helper))
            for name, origin, size, keep, single, helper in data["productions"]
        ]
        self.starts: dict[str, int] = data["starts"]
        self.ends: dict[str, int] = data["ends"]
        self.literals: dict[str, str] = data["literals"]
        self.spelling = {terminal: text for text, terminal in self.literals.items()}

    @functools.cached_property
    def after_amount(self) -> frozenset[str]:
        """The keywords that may follow an amount: none of them can be a unit."""
        row = self.actions(self.actions(self.starts["hole"])["INT"])
        return frozenset(text for text, terminal in self.literals.items() if terminal in row and text[0].isalpha())

    def actions(self, state: int) -> dict[str, int]:
        """What can be done in a state: by terminal, and by rule for gotos."""
        index = self._row_of[state]
        row = self._made[index]
        if row is None:
            flat, symbols = self._rows[index], self._symbols
            row = {symbols[flat[i]]: flat[i + 1] for i in range(0, len(flat), 2)}
            self._made[index] = row
        return row


def _extract(lark: Lark) -> dict[str, Any]:
    """What the machine needs of Lark's tables, as plain data."""
    from lark.parsers.lalr_analysis import Shift

    productions: list[list[Any]] = []
    numbers: dict[int, int] = {}
    symbols: dict[str, int] = {}
    rows: dict[tuple[int, ...], int] = {}
    states: list[int] = []
    conf = lark.parse_interactive("", start="start").parser_state.parse_conf
    tables: dict[int, dict[str, Any]] = conf.states

    def production(rule: Any) -> int:
        number = numbers.get(id(rule))
        if number is None:
            keep = [
                [i, int(not symbol.is_term and symbol.name.startswith("_"))]
                for i, symbol in enumerate(rule.expansion)
                if rule.options.keep_all_tokens or not (symbol.is_term and symbol.filter_out)
            ]
            name = str(rule.alias or rule.origin.name)
            helper = str(rule.origin.name).startswith("_")
            single = bool(rule.options.expand1 and not rule.alias)
            number = numbers[id(rule)] = len(productions)
            productions.append([name, str(rule.origin.name), len(rule.expansion), keep, int(single), int(helper)])
        return number

    for state in range(len(tables)):
        flat: list[int] = []
        for symbol, (action, argument) in sorted(tables[state].items()):
            flat.append(symbols.setdefault(str(symbol), len(symbols)))
            flat.append(argument if action is Shift else -1 - production(argument))
        states.append(rows.setdefault(tuple(flat), len(rows)))
    table = lark.parse_interactive("", start="start").parser_state.parse_conf.parse_table
    return {
        "symbols": list(symbols),
        "rows": [list(row) for row in rows],
        "states": states,
        "productions": productions,
        "starts": dict(table.start_states),
        "ends": dict(table.end_states),
        "literals": {t.pattern.value: t.name for t in lark.terminals if t.pattern.type == "str"},
    }


# ------------------------------------------------------------------------------------------------------------ the cache
def cache_directory() -> Path | None:
    """The private directory for parsing tables, made if need be; None if there is none that is safe to use."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    if not base or not os.path.isabs(base):
        return None
    directory = Path(base) / "regelwerk"
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = directory.lstat()
        if not stat.S_ISDIR(found.st_mode):
            return None
        if sys.platform != "win32":
            if found.st_uid != os.getuid():
                return None
            if found.st_mode & 0o077:
                directory.chmod(0o700)
    except OSError:
        return None
    return directory


def _load(path: Path) -> Automaton | None:
    try:
        content = path.read_bytes()
        checksum, _, payload = content.partition(b"\n")
        if hashlib.sha256(payload).hexdigest().encode() != checksum:
            return None
        return Automaton(json.loads(payload))
    except (OSError, ValueError, KeyError, TypeError, IndexError, RecursionError):
        return None


def _store(path: Path, data: dict[str, Any]) -> None:
    payload = json.dumps(data, separators=(",", ":")).encode()
    temporary: str | None = None
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix="tables-")
        with os.fdopen(handle, "wb") as file:
            file.write(hashlib.sha256(payload).hexdigest().encode() + b"\n" + payload)
        os.replace(temporary, path)  # whoever reads meanwhile sees the old file or the new one
    except OSError:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)


@functools.cache
def automaton() -> Automaton:
    """The tables of the grammar, from the cache if it has them."""
    key = hashlib.sha256(f"{_FORMAT}\n{grammar_text()}".encode()).hexdigest()[:32]
    directory = cache_directory()
    path = directory / f"tables-{key}.json" if directory is not None else None
    if path is not None:
        loaded = _load(path)
        if loaded is not None:
            return loaded
    data = _extract(build_lark())
    if path is not None:
        _store(path, data)
    return Automaton(data)
