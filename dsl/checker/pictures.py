"""Pictures: constant drawings of the members of an enum, such as "BB/FF", and what can be asked of them.

A picture is written row by row, with `/` between the rows. A row has a token for each square: tokens are parted by
blanks, or are single characters if there are none. A token is a member by its name or printed name, or `.` for a square
that is not there; short rows end with such squares. All pictures of a game and their turns are numbered.
"""

from __future__ import annotations

from regelwerk.dsl.checker.context import Context, Scope
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import EnumType, IntType, OptionalType, PictureType, Type
from regelwerk.dsl.source import Span
from regelwerk.dsl.syntax import expressions as s

LARGEST = 64
"""The most rows, and the most squares in a row."""

ATTRIBUTES = ("width", "height", "count", "at", "turned")


def literal(c: Context, node: s.TextLiteral, kind: PictureType) -> x.Expr:
    """A text where a picture is wanted."""
    rows = node.text.raw.split("/")
    apart = any(" " in row.strip() for row in rows)
    found = [row.split() if apart else list(row.strip()) for row in rows]
    width, height = max(len(row) for row in found), len(found)
    if width == 0 or any(not row for row in found):
        c.error("E0378", "this picture has an empty row", node.span, 'write each square: "BB/F."')
        return c.unavailable(node.span)
    if max(width, height) > LARGEST:
        c.error("E0378", f"a picture has at most {LARGEST} rows of {LARGEST} squares", node.span)
        return c.unavailable(node.span)
    cells: list[int] = []
    for row in found:
        for token in [*row, *["."] * (width - len(row))]:
            square = 0 if token == "." else member(kind.symbol, token)
            if square is None:
                names = ", ".join(each[2].one for each in kind.symbol.members[:8])
                c.error(
                    "E0377",
                    f"`{token}` in this picture is none of {kind.symbol.plural or kind.symbol.name}",
                    node.span,
                    f"the squares are {names}, or `.` for none",
                )
                return c.unavailable(node.span)
            cells.append(square)
    return x.Const(kind, node.span, number(c, g.Picture(kind.symbol, width, height, tuple(cells))))


def member(symbol: g.EnumSymbol, token: str) -> int | None:
    """The member that a token stands for."""
    if symbol.numbers is not None and token.isdecimal():
        value = int(token)
        return value if symbol.numbers[0] <= value <= symbol.numbers[1] else None
    found = symbol.index(token)
    if found is not None:
        return found
    printed = next((name for name, _, words, _ in symbol.members if words.one == token), None)
    return symbol.index(printed) if printed is not None else None


def number(c: Context, picture: g.Picture) -> int:
    """The number of a picture, from 1; its turns get numbers, too."""
    turned = picture
    for _ in range(4):
        c.pictures.setdefault(turned, len(c.pictures) + 1)
        turned = turned.turned()
    return c.pictures[picture]


def attribute(
    c: Context,
    base: x.Expr,
    kind: PictureType,
    name: str,
    arguments: tuple[s.Argument, ...] | None,
    scope: Scope,
    span: Span,
) -> x.Expr | None:
    """What stands behind the dot of a picture."""
    from regelwerk.dsl.checker.expressions import check_number

    if name in ("width", "height", "count") and arguments is None:
        return x.PictureSize(IntType(0, LARGEST * LARGEST), span, name, base)  # type: ignore[arg-type]  # one of these
    if name not in ("at", "turned"):
        return None
    wanted = 2 if name == "at" else 1
    if arguments is None or len(arguments) != wanted or any(each.name is not None for each in arguments):
        c.error("E0310", f"`{name}` takes {'a column and a row' if wanted == 2 else 'how many quarter turns'}", span)
        return c.unavailable(span)
    numbers = [
        check_number(c, each.value, scope, "a place" if wanted == 2 else "a number of turns") for each in arguments
    ]
    if name == "turned":
        return x.PictureTurned(kind, span, base, numbers[0])
    square: Type = OptionalType(EnumType(kind.symbol))
    return x.PictureAt(square, span, base, numbers[0], numbers[1])
