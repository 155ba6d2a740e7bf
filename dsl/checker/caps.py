"""Caps of sizes (language, section 16), as far as they are known before a game begins.

What depends on the number of players or on options is tested again when a game is set up.
"""

from __future__ import annotations

from regelwerk.dsl.checker.context import Context
from regelwerk.dsl.checker.types import static_number
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.limits import COPIES, KEYS, MEMBERS
from regelwerk.dsl.model.types import Type


def check_caps(c: Context, symbols: list[g.Symbol]) -> None:
    """Types with too many members or copies."""
    for symbol in dict.fromkeys(each for each in c.globals.values() if isinstance(each, g.EnumSymbol)):
        count = symbol.highest - symbol.lowest + 1
        if count > MEMBERS:
            c.error(
                "E0792",
                f"{symbol.name} has {count:,} members, and at most {MEMBERS:,} are allowed",
                symbol.span,
                "tell them apart by two enums, or by numbers",
            )
    for entity in symbols:
        if isinstance(entity, g.EntitySymbol):
            _things(c, entity)


def _things(c: Context, symbol: g.EntitySymbol) -> None:
    if len(symbol.rows) > MEMBERS:
        c.error(
            "E0792",
            f"{symbol.name} has {len(symbol.rows):,} members, and at most {MEMBERS:,} are allowed",
            symbol.span,
            "draw a smaller board, or two",
        )
        return
    total = 0
    for row in symbol.rows:
        count = 1 if row.copies is None else static_number(c, row.copies)
        total += (count or 0) * (c.players[1] if row.per_player else 1)
    if total > COPIES:
        c.error(
            "E0793",
            f"there are {total:,} {symbol.plural or symbol.name}, and at most {COPIES:,} are allowed",
            symbol.span,
            "things that are all alike are better counted: declare a `resource`",
        )


def too_many_keys(c: Context, kinds: list[Type]) -> int:
    """How many combinations of arguments a question about the past tells apart, if too many; else 0."""
    product = 1
    for kind in kinds:
        product *= c.values(kind)
    return product if product > KEYS else 0
