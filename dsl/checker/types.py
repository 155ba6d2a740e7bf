"""Written types and parameters."""

from __future__ import annotations

from regelwerk.dsl.checker import coercion as co
from regelwerk.dsl.checker.context import Context, Scope
from regelwerk.dsl.diagnostics import nearest
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import (
    BOOL,
    HIGHEST,
    NUMBER,
    TEXT,
    UNKNOWN,
    EffectType,
    IntType,
    ListType,
    OptionalType,
    PictureType,
    RecordType,
    SetType,
    TallyType,
    Type,
    UnknownType,
    ZoneType,
    doubled,
    strip,
)
from regelwerk.dsl.syntax import declarations as d
from regelwerk.dsl.syntax import expressions as s
from regelwerk.dsl.syntax.base import Expression, TypeSyntax

COLUMN_TYPES = ("effect", "rules", "ability", "test", "text")


def static_number(c: Context, expr: x.Expr) -> int | None:
    """The value of a number that is known before any game begins, else None."""
    if isinstance(expr, x.Const) and isinstance(expr.value, int):
        return expr.value
    if isinstance(expr, x.ConstantRead) and expr.symbol.value is not None:
        return static_number(c, expr.symbol.value)
    if isinstance(expr, x.Arithmetic):
        a, b = static_number(c, expr.left), static_number(c, expr.right)
        if a is None or b is None or (expr.operator in ("div", "mod") and b == 0):
            return None
        return {
            "+": a + b,
            "-": a - b,
            "*": a * b,
            "div": a // (b or 1),
            "mod": a % (b or 1),
            "min": min(a, b),
            "max": max(a, b),
        }[expr.operator]
    return None


def number_at_load(c: Context, node: Expression, what: str) -> int:
    """A number that must be known when the file is loaded."""
    from regelwerk.dsl.checker.expressions import check_number

    expr = check_number(c, node, Scope(g.Frame()), what)
    found = static_number(c, expr)
    if found is None:
        if not isinstance(expr.type, UnknownType):
            c.error("E0340", f"{what} must be known when the file is read", node.span, "use a number or a constant")
        return 0
    return found


def resolve(c: Context, node: TypeSyntax, column: bool = False) -> Type:
    """The type that is written."""
    if isinstance(node, s.NamedType):
        return _named(c, node, column)
    if isinstance(node, s.BoolType):
        return BOOL
    if isinstance(node, s.RangeType):
        lowest = number_at_load(c, node.lowest, "the lower bound")
        highest = HIGHEST if node.highest is None else number_at_load(c, node.highest, "the upper bound")
        if highest < lowest:
            c.error(
                "E0341",
                f"this range is empty: {highest} is less than {lowest}",
                node.span,
                f"write `{highest}..{lowest}`",
            )
            return UNKNOWN
        return IntType(lowest, max(lowest, highest))
    if isinstance(node, s.HalvesType):
        base = resolve(c, node.base)
        if isinstance(base, IntType) and not base.halves:
            return doubled(base)
        if isinstance(base, ListType) and isinstance(base.member, IntType):
            return ListType(doubled(base.member), base.bound)
        if base != UNKNOWN:
            c.error("E0373", f"only numbers can be in halves, not {co.kind_words(base)}", node.span)
        return UNKNOWN
    if isinstance(node, s.SetType):
        member = resolve(c, node.member)
        if isinstance(member, RecordType):
            c.error(
                "E0307",
                f"a set cannot have {co.plural_words(member)} as members",
                node.span,
                "use a list: `list of " + member.symbol.name + " up to n`",
            )
            return UNKNOWN
        if isinstance(member, IntType) and (member.lowest < 0 or member.highest > 1023):
            c.error("E0342", "the numbers in a set go from 0 to 1023", node.span, "give the set a narrower range")
            return UNKNOWN
        return SetType(member)
    if isinstance(node, s.ListType):
        member = resolve(c, node.member)
        bound = number_at_load(c, node.bound, "the bound of a list") if node.bound is not None else None
        terms: tuple[int | Type, ...] = (bound,) if bound is not None else (member,)
        return ListType(member, (terms,))
    if isinstance(node, s.TallyType):
        if node.unit is None:
            return TallyType(None)
        symbol = c.globals.get(node.unit.text)
        if not isinstance(symbol, g.EnumSymbol):
            c.error(
                "E0343",
                f"a tally counts the members of an enum, and `{node.unit.text}` is none",
                node.unit.span,
                _near_type(c, node.unit.text),
            )
            return UNKNOWN
        if symbol.numbers is not None:
            c.error(
                "E0343", f"`{node.unit.text}` has numbers among its members, and a tally counts names", node.unit.span
            )
            return UNKNOWN
        return TallyType(symbol)
    assert isinstance(node, s.PictureType)
    face = c.globals.get(node.face.text)
    if isinstance(face, g.EnumSymbol):
        return PictureType(face)
    c.error(
        "E0343",
        f"a picture shows the members of an enum, and `{node.face.text}` is none",
        node.face.span,
        c.suggest(node.face.text, [n for n, each in c.globals.items() if isinstance(each, g.EnumSymbol)]),
    )
    return UNKNOWN


def _near_type(c: Context, name: str) -> str | None:
    known = [n for n, symbol in c.globals.items() if isinstance(symbol, g.EnumSymbol | g.EntitySymbol)]
    found = nearest(name, [*known, "player", "number", "yes/no", "effect", "rules", "test", "text"])
    return f"did you mean `{found}`?" if found else None


def _named(c: Context, node: s.NamedType, column: bool) -> Type:
    name = node.name.text
    kind: Type | None = c.type_named(name)
    record = c.globals.get(name)
    if isinstance(record, g.RecordSymbol):
        kind = RecordType(record)
    if kind is None and name == "number":
        kind = NUMBER
    if kind is None and name == "text":
        kind = TEXT
    if kind is None and name in COLUMN_TYPES:
        if not column:
            c.error("E0344", f"`{name}` is a type for columns only", node.span)
            return UNKNOWN
        kind = EffectType(name)
    if kind is None and name == "zone":
        c.error(
            "E0344", "`zone` is a type for the result of a value only", node.span, "write `value NAME(...): zone = ...`"
        )
        return UNKNOWN
    if kind is None:
        if isinstance(c.globals.get(name), g.Symbol):
            c.error("E0345", f"`{name}` is not a type", node.span, _near_type(c, name))
        elif name in ("yes", "no", "bool", "boolean"):
            c.error("E0345", f"there is no type `{name}`", node.span, "write `yes/no`")
        else:
            c.error("E0345", f"there is no type `{name}`", node.span, _near_type(c, name))
        return UNKNOWN
    if node.optional:
        if isinstance(kind, IntType):
            c.error("E0346", "a number cannot be none", node.span, "use a number that means nothing, for example 0")
            return UNKNOWN
        return OptionalType(kind)
    return kind


def zone_type(c: Context, body: x.Expr) -> bool:
    """Whether a value of type `zone` gives a zone."""
    return isinstance(body.type, ZoneType | UnknownType)


def parameters(
    c: Context, nodes: tuple[d.Parameter, ...], scope: Scope
) -> tuple[list[tuple[str, Type]], list[int], list[x.Expr | None], bool]:
    """Names and types, slots, defaults, and whether `me` is among them."""
    from regelwerk.dsl.checker.expressions import check_as
    from regelwerk.dsl.checker.heads import shadow_check

    found: list[tuple[str, Type]] = []
    slots: list[int] = []
    defaults: list[x.Expr | None] = []
    takes_me = False
    if len(nodes) > 8:
        c.error("E0347", "at most 8 parameters", nodes[8].span)
    for index, node in enumerate(nodes):
        if node.type is None:
            if node.name.text == "me":
                takes_me = True
                if index:
                    c.error("E0348", "`me` is the first parameter", node.span)
            else:
                c.error(
                    "E0349",
                    f"the parameter `{node.name.text}` needs a type",
                    node.span,
                    f"for example `{node.name.text}: player`",
                )
                scope.bind(node.name.text, UNKNOWN)
            continue
        shadow_check(c, node.name.text, scope, node.name.span)
        kind = resolve(c, node.type)
        found.append((node.name.text, kind))
        slots.append(scope.bind(node.name.text, kind))
        defaults.append(check_as(c, node.default, Scope(g.Frame()), kind) if node.default is not None else None)
    return found, slots, defaults, takes_me


def stored(c: Context, node: TypeSyntax, what: str) -> Type:
    """The type of something that is kept while the game runs."""
    kind = resolve(c, node)
    if isinstance(strip(kind), PictureType):
        c.error(
            "E0376",
            f"{what} cannot hold a picture",
            node.span,
            "keep the thing that has the picture, and how far it is turned",
        )
        return UNKNOWN
    return kind


__all__ = ["co", "number_at_load", "parameters", "resolve", "static_number", "stored", "zone_type"]
