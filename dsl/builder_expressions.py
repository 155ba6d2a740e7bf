"""Nodes of expressions, heads and written types.

Each function makes the node of one production of the grammar, when the parsing machine reduces it (see `builder`).
"""

from __future__ import annotations

import re
from typing import Any, cast

from regelwerk.dsl.builder import RESERVED, Builder, Group, Part, Parts, builds
from regelwerk.dsl.lexing import Token
from regelwerk.dsl.parse_errors import STATEMENTS, Code, words
from regelwerk.dsl.source import Span
from regelwerk.dsl.syntax import expressions as syntax
from regelwerk.dsl.syntax.base import Expression, Identifier, Path, TypeSyntax


def number(b: Builder, token: Token) -> syntax.IntLiteral:
    """The whole number a token spells."""
    return syntax.IntLiteral(span=b.span(token), value=int(token.text))


@builds("path")
def _path(b: Builder, parts: Parts, span: Span) -> Path:
    return Path(span=span, parts=tuple(b.identifier(token) for token in parts.all(Token)))


# ------------------------------------------------------------------------------------------------------------ literals
@builds("int")
def _int(b: Builder, parts: Parts, span: Span) -> Expression:
    return number(b, parts.take(Token))


@builds("decimal")
def _decimal(b: Builder, parts: Parts, span: Span) -> Expression:
    return syntax.DecimalLiteral(span=span, text=parts.take(Token).text)


@builds("string")
def _string(b: Builder, parts: Parts, span: Span) -> Expression:
    return syntax.TextLiteral(span=span, text=b.make_text(parts.take(Token)))


@builds("none")
def _none(b: Builder, parts: Parts, span: Span) -> Expression:
    return syntax.NoneLiteral(span=span)


@builds("yes")
def _yes(b: Builder, parts: Parts, span: Span) -> Expression:
    return syntax.BoolLiteral(span=span, value=True)


@builds("no")
def _no(b: Builder, parts: Parts, span: Span) -> Expression:
    return syntax.BoolLiteral(span=span, value=False)


@builds("list")
def _list(b: Builder, parts: Parts, span: Span) -> Expression:
    return syntax.ListLiteral(span=span, items=tuple(parts.all(Expression)))


@builds("set_")
def _set(b: Builder, parts: Parts, span: Span) -> Expression:
    return syntax.SetLiteral(span=span, items=tuple(parts.all(Expression)))


# ---------------------------------------------------------------------------------------------------- names and calls
@builds("named_arg")
def _named_argument(b: Builder, parts: Parts, span: Span) -> syntax.Argument:
    return syntax.Argument(span=span, name=b.named(parts), value=parts.take(Expression))


@builds("args")
def _arguments(b: Builder, parts: Parts, span: Span) -> Group:
    return Group(
        item if isinstance(item, syntax.Argument) else syntax.Argument(span=item.span, value=item)
        for item in parts.items[::-1]
    )


def arguments(parts: Parts) -> tuple[syntax.Argument, ...] | None:
    """The arguments in brackets that stand next, if any."""
    group = parts.maybe(Group)
    return tuple(group) if group is not None else None


_OPERATORS = words("in is and or where")


def _is_slip(b: Builder, word: str) -> bool:
    """Whether a word that joins values is written as one, though nothing is called so."""
    if word not in _OPERATORS:
        return word in RESERVED
    named = rf'(?:\b\w+\s+|[(,|{{/]\s*){word}\b\s*(?:[:=(/,|}}"]|(?:of|per)\b)'
    return re.search(named, b.text) is None


@builds("name")
def _name(b: Builder, parts: Parts, span: Span) -> Expression:
    name = b.named(parts)
    if _is_slip(b, name.text):
        b.diagnostics.error(Code.UNEXPECTED, f"`{name.text}` cannot stand here", name.span)
    return syntax.Name(span=span, name=name, arguments=arguments(parts))


@builds("it_dot")
def _it_attribute(b: Builder, parts: Parts, span: Span) -> Expression:
    return syntax.ItAttribute(span=span, name=b.named(parts), arguments=arguments(parts))


@builds("dot")
def _attribute(b: Builder, parts: Parts, span: Span) -> Expression:
    return syntax.Attribute(span=span, base=parts.take(Expression), name=b.named(parts), arguments=arguments(parts))


@builds("unit")
def _quantity(b: Builder, parts: Parts, span: Span) -> Expression:
    amount = parts.take(Expression)
    if isinstance(amount, syntax.Name) and amount.name.text in STATEMENTS:  # `choose f in Fields`, `roll dice`
        b.check_happening(amount.name)
    return syntax.Quantity(span=span, amount=amount, unit=b.named(parts))


# ----------------------------------------------------------------------------------------------------------- operators
@builds("neg")
def _negate(b: Builder, parts: Parts, span: Span) -> Expression:
    token = parts.maybe(Token)  # in a bound of a type
    return syntax.Negate(span=span, operand=number(b, token) if token is not None else parts.take(Expression))


@builds("not_expr")
def _not(b: Builder, parts: Parts, span: Span) -> Expression:
    return syntax.Not(span=span, operand=parts.take(Expression))


def _binary(production: str, operator: str) -> None:
    kind = cast(syntax.BinaryOperator, operator)

    @builds(production)
    def make(b: Builder, parts: Parts, span: Span) -> Expression:
        return syntax.Binary(span=span, operator=kind, left=parts.take(Expression), right=parts.take(Expression))


for _production, _operator in (
    ("or_", "or"),
    ("and_", "and"),
    ("add", "+"),
    ("sub", "-"),
    ("mul", "*"),
    ("div", "div"),
    ("mod", "mod"),
    ("union_", "union"),
    ("except_", "except"),
):
    _binary(_production, _operator)


@builds("cmp")
def _compare(b: Builder, parts: Parts, span: Span) -> Expression:
    left = parts.take(Expression)
    operator: Any = parts.take(Token).text
    return syntax.Compare(span=span, operator=operator, left=left, right=parts.take(Expression))


@builds("is_")
def _is(b: Builder, parts: Parts, span: Span) -> Expression:
    return syntax.Is(span=span, left=parts.take(Expression), right=parts.take(Expression))


@builds("is_not")
def _is_not(b: Builder, parts: Parts, span: Span) -> Expression:
    return syntax.Is(span=span, left=parts.take(Expression), right=parts.take(Expression), negated=True)


@builds("in_")
def _in(b: Builder, parts: Parts, span: Span) -> Expression:
    return syntax.In(span=span, left=parts.take(Expression), right=parts.take(Expression))


@builds("not_in")
def _not_in(b: Builder, parts: Parts, span: Span) -> Expression:
    return syntax.In(span=span, left=parts.take(Expression), right=parts.take(Expression), negated=True)


@builds("span")
def _range(b: Builder, parts: Parts, span: Span) -> Expression:
    return syntax.RangeExpression(span=span, lowest=parts.take(Expression), highest=parts.take(Expression))


@builds("if_expr")
def _conditional(b: Builder, parts: Parts, span: Span) -> Expression:
    condition, consequence, alternative = parts.all(Expression)
    return syntax.Conditional(span=span, condition=condition, consequence=consequence, alternative=alternative)


@builds("else_key")
def _else_key(b: Builder, parts: Parts, span: Span) -> Part:
    return Part("else_key", None, span)


@builds("case")
def _case(b: Builder, parts: Parts, span: Span) -> syntax.Case:
    key = None if parts.part("else_key") else parts.take(Expression)
    return syntax.Case(span=span, key=key, value=parts.take(Expression))


@builds("by_cases")
def _cases(b: Builder, parts: Parts, span: Span) -> Expression:
    return syntax.Cases(span=span, subject=parts.take(Expression), cases=tuple(parts.all(syntax.Case)))


@builds("where")
def _where(b: Builder, parts: Parts, span: Span) -> Expression:
    return syntax.Where(span=span, base=parts.take(Expression), condition=parts.take(Expression))


# --------------------------------------------------------------------------------------------------------------- heads
@builds("head", "choices")
def _head(b: Builder, parts: Parts, span: Span) -> syntax.Head:
    inner = parts.maybe(syntax.Head)  # `choices` is a head in brackets
    return inner if inner is not None else syntax.Head(span=span, binders=tuple(parts.all(syntax.Binder)))


@builds("bind")
def _binder(b: Builder, parts: Parts, span: Span) -> syntax.Binder:
    name = b.declared(parts)
    domain = parts.maybe(syntax.Domain)
    if domain is None:
        source = parts.take(Expression)
        domain = syntax.Domain(span=source.span, form="one", source=source)
    return syntax.Binder(
        span=span,
        name=name,
        domain=domain,
        condition=parts.maybe(Expression),
        otherwise=b.text_of(parts),
        sort=parts.maybe(syntax.SortKey),
    )


@builds("highest", "lowest")
def _order_word(b: Builder, parts: Parts, span: Span) -> Part:
    return Part("order_word", None, span)


@builds("sorted")
def _sort_key(b: Builder, parts: Parts, span: Span) -> syntax.SortKey:
    highest = parts.part("order_word") is not None
    return syntax.SortKey(span=span, key=parts.take(Expression), highest_first=highest)


def _picks(production: str, form: Any, repeated: bool) -> None:
    @builds(production)
    def make(b: Builder, parts: Parts, span: Span) -> syntax.Domain:
        amount, source = parts.take(Expression), parts.take(Expression)
        lowest: Expression | None = None
        highest: Expression = amount
        if form == "some":
            lowest = amount
            if isinstance(amount, syntax.RangeExpression):
                lowest, highest = amount.lowest, amount.highest
        return syntax.Domain(span=span, form=form, source=source, repeated=repeated, lowest=lowest, highest=highest)


for _name_of_form in ("some", "up_to", "most"):
    _picks(f"{_name_of_form}_of", _name_of_form, repeated=False)
    _picks(f"{_name_of_form}_times", _name_of_form, repeated=True)


@builds("quant", "agg")
def _quantifier(b: Builder, parts: Parts, span: Span) -> Token:
    return parts.take(Token)


@builds("quantified")
def _quantified(b: Builder, parts: Parts, span: Span) -> Expression:
    quantifier: Any = parts.take(Token).text
    return syntax.Quantified(
        span=span, quantifier=quantifier, head=parts.take(syntax.Head), value=parts.maybe(Expression)
    )


@builds("aggregate")
def _aggregate(b: Builder, parts: Parts, span: Span) -> Expression:
    function: Any = parts.take(Token).text
    return syntax.Aggregate(span=span, function=function, arguments=tuple(parts.all(Expression)))


# ------------------------------------------------------------------------------------------------------------- history
@builds("by_actor")
def _by_actor(b: Builder, parts: Parts, span: Span) -> Part:
    return Part("by_actor", b.named(parts), span)


def _history(b: Builder, parts: Parts, span: Span, counted: bool) -> Expression:
    event = parts.take(Path)
    given = arguments(parts)
    actor = parts.part("by_actor")
    by: Identifier | None = actor.value if actor is not None else None
    return syntax.Happened(span=span, event=event, arguments=given, by=by, scope=b.named(parts), counted=counted)


@builds("happened")
def _happened(b: Builder, parts: Parts, span: Span) -> Expression:
    return _history(b, parts, span, counted=False)


@builds("times")
def _times(b: Builder, parts: Parts, span: Span) -> Expression:
    return _history(b, parts, span, counted=True)


@builds("latest")
def _latest(b: Builder, parts: Parts, span: Span) -> Expression:
    return syntax.Latest(span=span, event=parts.take(Path))


# --------------------------------------------------------------------------------------------------------------- types
@builds("named_type")
def _named_type(b: Builder, parts: Parts, span: Span) -> TypeSyntax:
    return syntax.NamedType(span=span, name=b.named(parts))


@builds("optional_type")
def _optional_type(b: Builder, parts: Parts, span: Span) -> TypeSyntax:
    return syntax.NamedType(span=span, name=b.named(parts), optional=True)


@builds("bool_type")
def _bool_type(b: Builder, parts: Parts, span: Span) -> TypeSyntax:
    return syntax.BoolType(span=span)


@builds("range_type", "from_type")
def _range_type(b: Builder, parts: Parts, span: Span) -> TypeSyntax:
    return syntax.RangeType(span=span, lowest=parts.take(Expression), highest=parts.maybe(Expression))


@builds("halves")
def _halves(b: Builder, parts: Parts, span: Span) -> TypeSyntax:
    return syntax.HalvesType(span=span, base=parts.take(TypeSyntax))


@builds("set_type")
def _set_type(b: Builder, parts: Parts, span: Span) -> TypeSyntax:
    return syntax.SetType(span=span, member=parts.take(TypeSyntax))


@builds("list_type")
def _list_type(b: Builder, parts: Parts, span: Span) -> TypeSyntax:
    return syntax.ListType(span=span, member=parts.take(TypeSyntax), bound=parts.maybe(Expression))


@builds("tally_type")
def _tally_type(b: Builder, parts: Parts, span: Span) -> TypeSyntax:
    return syntax.TallyType(span=span, unit=b.named(parts) if parts.items else None)


@builds("picture_type")
def _picture_type(b: Builder, parts: Parts, span: Span) -> TypeSyntax:
    return syntax.PictureType(span=span, face=b.named(parts))
