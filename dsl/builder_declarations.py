"""Nodes of declarations: what there is, what holds, what may be done.

Each function makes the node of one production of the grammar, when the parsing machine reduces it (see `builder`).
"""

from __future__ import annotations

from typing import Any

from regelwerk.dsl.builder import Builder, Group, Names, Part, Parts, builds
from regelwerk.dsl.lexing import Token
from regelwerk.dsl.parse_errors import Code
from regelwerk.dsl.source import Span
from regelwerk.dsl.syntax import declarations as syntax
from regelwerk.dsl.syntax.base import Declaration, Expression, Identifier, Noun, Path, TypeSyntax
from regelwerk.dsl.syntax.effects import Block, Let, Require
from regelwerk.dsl.syntax.expressions import Head
from regelwerk.dsl.syntax.rules import Role
from regelwerk.dsl.tables import TableReader


def value_of(parts: dict[str, Part], kind: str, default: Any = None) -> Any:
    """The value of a part, if it was written."""
    part = parts.get(kind)
    return part.value if part is not None else default


# --------------------------------------------------------------------------------------------------- numbers and names
@builds("section")
def _section(b: Builder, parts: Parts, span: Span) -> Declaration:
    return syntax.Section(span=span, title=b.plain(parts) or "", declarations=tuple(parts.all(Declaration)))


@builds("noun")
def _noun(b: Builder, parts: Parts, span: Span) -> Noun:
    name = b.declared(parts)
    token = parts.token("NAME")
    plural = b.identifier(token) if token is not None else None
    printed, printed_plural = b.plain(parts), None
    if printed is not None and printed.count("/") == 1:
        printed, printed_plural = printed.split("/")
    return Noun(span=span, name=name, plural=plural, printed=printed, printed_plural=printed_plural)


def _countable(b: Builder, noun: Noun) -> Noun:
    """A noun that is used as a unit: in `gain 1 step` the word `step` would be read as a keyword."""
    words = [each for each in (noun.name, noun.plural) if each is not None]
    wrong = next((each for each in words if each.text in b.automaton.after_amount), None)
    if wrong is not None:
        fitting = "/".join(f"{each.text}_" if each.text in b.automaton.after_amount else each.text for each in words)
        printed = noun.printed or "/".join(each.text for each in words)
        b.diagnostics.error(
            Code.RESERVED,
            f"`{wrong.text}` cannot be a unit: it is a keyword, and in `1 {wrong.text}` it would be read as one",
            wrong.span,
            f'choose another name, for example `{fitting} "{printed}"`',
        )
    return noun


@builds("const")
def _const(b: Builder, parts: Parts, span: Span) -> Declaration:
    return syntax.Constant(
        span=span,
        name=b.declared(parts),
        type=parts.maybe(TypeSyntax),
        value=parts.take(Expression),
        citations=parts.cites(),
    )


@builds("random_default")
def _random_default(b: Builder, parts: Parts, span: Span) -> Part:
    return Part("random_default", None, span)


@builds("option")
def _option(b: Builder, parts: Parts, span: Span) -> Declaration:
    name, type_ = b.declared(parts), parts.take(TypeSyntax)
    default = None if parts.part("random_default") else parts.take(Expression)
    return syntax.Option(
        span=span, name=name, type=type_, default=default, question=b.plain(parts), citations=parts.cites()
    )


@builds("enum_numbers")
def _enum_numbers(b: Builder, parts: Parts, span: Span) -> syntax.EnumNumbers:
    return syntax.EnumNumbers(span=span, lowest=int(parts.take(Token).text), highest=int(parts.take(Token).text))


@builds("enum")
def _enum(b: Builder, parts: Parts, span: Span) -> Declaration:
    noun = parts.take(Noun)
    members: list[Noun | syntax.EnumNumbers] = []
    while (member := parts.maybe(Noun) or parts.maybe(syntax.EnumNumbers)) is not None:
        members.append(member)
        if isinstance(member, Noun) and member.plural is not None:  # meant to be counted
            _countable(b, member)
    return syntax.EnumDeclaration(span=span, noun=noun, members=tuple(members), citations=parts.cites())


def _named_part(kind: str) -> None:
    @builds(kind)
    def make(b: Builder, parts: Parts, span: Span) -> Part:
        return Part(kind, b.named(parts), span)


def _valued_part(kind: str) -> None:
    @builds(kind)
    def make(b: Builder, parts: Parts, span: Span) -> Part:
        value = parts.take(Expression)
        if kind == "faces":
            b.expect_range(value)
        return Part(kind, value, span)


def _word_part(kind: str) -> None:
    """A part that is told by its last word: `seen by owner`, `order pile`, `cards`."""

    @builds(kind)
    def make(b: Builder, parts: Parts, span: Span) -> Part:
        last = parts.items[0]
        return Part(kind, last.text if isinstance(last, Token) else last, span)


for _kind in ("per", "live_in", "resets", "shrinking"):
    _named_part(_kind)
for _kind in ("supply", "start_at", "copies", "faces", "capacity", "filled", "award_min", "won_by"):
    _valued_part(_kind)
for _kind in ("seen", "order", "entkind", "shape", "overflow"):
    _word_part(_kind)


def _flag(production: str) -> None:
    @builds(production)
    def make(b: Builder, parts: Parts, span: Span) -> Part:
        return Part(production, True, span)


for _kind in ("top_visible", "shared", "at_once"):
    _flag(_kind)


@builds("held_by")
def _held_by(b: Builder, parts: Parts, span: Span) -> Part:
    return Part("held_by", tuple(parts.take(Names)), span)


@builds("resource")
def _resource(b: Builder, parts: Parts, span: Span) -> Declaration:
    noun = _countable(b, parts.take(Noun))
    more = b.once(parts.all(Part))
    return syntax.Resource(
        span=span,
        noun=noun,
        per=value_of(more, "per"),
        supply=value_of(more, "supply"),
        start=value_of(more, "start_at"),
        held_by=value_of(more, "held_by", ()),
        seen_by=value_of(more, "seen", "all"),
        citations=parts.cites(),
    )


@builds("track")
def _track(b: Builder, parts: Parts, span: Span) -> Declaration:
    noun, per, type_ = _countable(b, parts.take(Noun)), parts.part("per"), parts.take(TypeSyntax)
    more = b.once(parts.all(Part))
    overflow = value_of(more, "overflow")
    return syntax.Track(
        span=span,
        noun=noun,
        per=per.value if per is not None else None,
        type=type_,
        start=value_of(more, "start_at"),
        overflow="block" if isinstance(overflow, Block) else overflow,
        overflow_block=overflow if isinstance(overflow, Block) else None,
        citations=parts.cites(),
    )


@builds("state")
def _state(b: Builder, parts: Parts, span: Span) -> Declaration:
    name, per, type_, start = b.declared(parts), parts.part("per"), parts.take(TypeSyntax), parts.take(Expression)
    more = b.once(parts.all(Part))
    return syntax.State(
        span=span,
        name=name,
        per=per.value if per is not None else None,
        type=type_,
        start=start,
        resets=value_of(more, "resets"),
        seen_by=value_of(more, "seen", "all"),
        citations=parts.cites(),
    )


# -------------------------------------------------------------------------------------------------------------- things
@builds("param")
def _parameter(b: Builder, parts: Parts, span: Span) -> syntax.Parameter:
    return syntax.Parameter(
        span=span, name=b.declared(parts), type=parts.maybe(TypeSyntax), default=parts.maybe(Expression)
    )


@builds("params")
def _parameters(b: Builder, parts: Parts, span: Span) -> Group:
    return Group(parts.all(syntax.Parameter))


def parameters(parts: Parts) -> tuple[syntax.Parameter, ...] | None:
    """The parameters in brackets that stand next, if any."""
    group = parts.maybe(Group)
    return tuple(group) if group is not None else None


@builds("column")
def _columns(b: Builder, parts: Parts, span: Span) -> Group:
    names, given, type_ = parts.take(Names), parameters(parts), parts.take(TypeSyntax)
    default, citations = parts.maybe(Expression), parts.cites()
    return Group(
        syntax.Column(span=span, name=name, parameters=given, type=type_, default=default, citations=citations)
        for name in names
    )


@builds("named")
def _named_expression(b: Builder, parts: Parts, span: Span) -> syntax.NamedExpression:
    return syntax.NamedExpression(span=span, name=b.declared(parts), value=parts.take(Expression))


@builds("distinct")
def _distinct(b: Builder, parts: Parts, span: Span) -> Part:
    fields = tuple(parts.all(syntax.NamedExpression))
    made = syntax.Distinct(span=span, fields=fields, head=parts.take(Head), order=parts.maybe(Expression))
    return Part("distinct", made, span)


@builds("entity")
def _entity(b: Builder, parts: Parts, span: Span) -> Declaration:
    kind, noun = parts.take(Part).value, parts.take(Noun)
    more = b.once(parts.all(Part))
    citations = parts.cites()
    columns: list[syntax.Column] = []
    drawings: list[syntax.Drawing] = []
    rows: list[syntax.Row] = []
    table = TableReader(b)
    while parts.items:
        if (group := parts.maybe(Group)) is not None:
            columns.extend(group)
        elif (drawing := parts.maybe(syntax.Drawing)) is not None:
            drawings.append(drawing)
        elif (token := parts.token("ROW")) is not None:
            row = table.read(token)
            if row is not None:
                rows.append(row)
        else:
            break
    return syntax.Entity(
        span=span,
        kind=kind,
        noun=noun,
        shape=value_of(more, "shape"),
        per=value_of(more, "per"),
        copies=value_of(more, "copies"),
        faces=value_of(more, "faces"),
        live_in=value_of(more, "live_in"),
        distinct=value_of(more, "distinct"),
        columns=tuple(columns),
        drawings=tuple(drawings),
        rows=tuple(rows),
        citations=citations + parts.cites(),
    )


@builds("zone")
def _zone(b: Builder, parts: Parts, span: Span) -> Declaration:
    name, printed, per, kind = b.declared(parts), b.plain(parts), parts.part("per"), b.named(parts)
    more = b.once(parts.all(Part))
    return syntax.Zone(
        span=span,
        name=name,
        printed=printed,
        per=per.value if per is not None else None,
        kind=kind,
        order=value_of(more, "order"),
        capacity=value_of(more, "capacity"),
        top_visible="top_visible" in more,
        contents=value_of(more, "filled"),
        seen_by=value_of(more, "seen", "all"),
        citations=parts.cites(),
    )


# ---------------------------------------------------------------------------------------------------------- what holds
@builds("value")
def _value(b: Builder, parts: Parts, span: Span) -> Declaration:
    name, given, type_, shrinking = (
        b.declared(parts),
        parameters(parts),
        parts.maybe(TypeSyntax),
        parts.part("shrinking"),
    )
    return syntax.Value(
        span=span,
        name=name,
        parameters=given,
        type=type_,
        shrinking=shrinking.value if shrinking is not None else None,
        value=parts.take(Expression),
        citations=parts.cites(),
    )


@builds("signature")
def _signature(b: Builder, parts: Parts, span: Span) -> syntax.Signature:
    return syntax.Signature(
        span=span, name=b.declared(parts), parameters=tuple(parts.take(Group)), type=parts.take(TypeSyntax)
    )


@builds("interface")
def _interface(b: Builder, parts: Parts, span: Span) -> Declaration:
    return syntax.Interface(
        span=span,
        name=b.declared(parts),
        types=tuple(parts.take(Names)),
        signatures=tuple(parts.all(syntax.Signature)),
        citations=parts.cites(),
    )


@builds("line")
def _line(b: Builder, parts: Parts, span: Span) -> syntax.Line:
    return syntax.Line(
        span=span, name=b.declared(parts), printed=b.plain(parts), value=parts.take(Expression), citations=parts.cites()
    )


@builds("score")
def _score(b: Builder, parts: Parts, span: Span) -> Declaration:
    name, printed, citations = b.declared(parts), b.plain(parts), parts.cites()
    lines = tuple(parts.all(syntax.Line))
    return syntax.Score(span=span, name=name, printed=printed, lines=lines, citations=citations + parts.cites())


@builds("award")
def _award(b: Builder, parts: Parts, span: Span) -> Declaration:
    name, printed, per, measure = b.declared(parts), b.plain(parts), parts.part("per"), parts.take(Path)
    least = parts.part("award_min")
    return syntax.Award(
        span=span,
        name=name,
        printed=printed,
        per=per.value if per is not None else None,
        measure=measure,
        at_least=least.value if least is not None else None,
        citations=parts.cites(),
    )


@builds("after_phase")
def _after_phase(b: Builder, parts: Parts, span: Span) -> Part:
    return Part("after_phase", parts.take(Path), span)


@builds("ranked_by")
def _ranked_by(b: Builder, parts: Parts, span: Span) -> Part:
    return Part("ranked_by", b.named(parts), span)


@builds("end")
def _end(b: Builder, parts: Parts, span: Span) -> Declaration:
    name = b.declared(parts)
    more = b.once(parts.all(Part))
    condition = parts.take(Expression)
    more |= b.once(parts.all(Part))
    citations = parts.cites()
    return syntax.End(
        span=span,
        name=name,
        at_once="at_once" in more,
        after=value_of(more, "after_phase"),
        condition=condition,
        won_by=value_of(more, "won_by"),
        ranked_by=value_of(more, "ranked_by"),
        body=parts.maybe(Block),
        citations=citations + parts.cites(),
    )


@builds("rank_key")
def _rank_key(b: Builder, parts: Parts, span: Span) -> syntax.RankKey:
    lowest = parts.part("order_word") is not None
    return syntax.RankKey(span=span, value=parts.take(Expression), lowest_first=lowest, printed=b.plain(parts))


@builds("rank")
def _rank(b: Builder, parts: Parts, span: Span) -> Declaration:
    name, keys = b.declared(parts), tuple(parts.all(syntax.RankKey))
    shared = parts.maybe(Part) is not None
    return syntax.Rank(span=span, name=name, keys=keys, shared=shared, citations=parts.cites())


@builds("invariant")
def _invariant(b: Builder, parts: Parts, span: Span) -> Declaration:
    return syntax.Invariant(
        span=span, name=b.declared(parts), condition=parts.take(Expression), citations=parts.cites()
    )


@builds("remark")
def _remark(b: Builder, parts: Parts, span: Span) -> Declaration:
    return syntax.Remark(span=span, text=b.plain(parts) or "", citations=parts.cites())


@builds("rulebook")
def _rulebook(b: Builder, parts: Parts, span: Span) -> Declaration:
    return syntax.Rulebook(span=span, title=b.plain(parts) or "", clauses=parts.cites())


# ----------------------------------------------------------------------------------------------------- what may be done
@builds("cost")
def _cost(b: Builder, parts: Parts, span: Span) -> syntax.Cost:
    return syntax.Cost(
        span=span,
        name=b.declared(parts),
        amount=parts.take(Expression),
        condition=parts.maybe(Expression),
        printed=b.text_of(parts),
        citations=parts.cites(),
    )


@builds("limit")
def _limit(b: Builder, parts: Parts, span: Span) -> syntax.Limit:
    return syntax.Limit(span=span, at_most=parts.take(Expression), scope=b.named(parts))


@builds("doing")
def _doing(b: Builder, parts: Parts, span: Span) -> Part:
    citations = parts.cites()
    body = parts.take(Block)
    return Part("doing", (body, citations + parts.cites()), span)


def clause_of(item: Any) -> syntax.Clause | None:
    """A requirement, cost or `let` as a clause; None for anything else."""
    if isinstance(item, (Require, syntax.Cost)):
        return syntax.Clause(span=item.span, content=item, citations=item.citations)
    if isinstance(item, Let):
        return syntax.Clause(span=item.span, content=item)
    return None


@builds("action")
def _action(b: Builder, parts: Parts, span: Span) -> Declaration:
    name, head, limit, prompt = b.declared(parts), parts.maybe(Head), parts.maybe(syntax.Limit), b.text_of(parts)
    citations = parts.cites()
    clauses: list[syntax.Clause] = []
    effect: tuple[Block | None, syntax.Citations] = (None, ())
    while parts.items:
        if (doing := parts.part("doing")) is not None:
            if effect[0] is not None:
                b.diagnostics.error(
                    Code.TWICE, f"action `{name.text}` has two effects", doing.span, "put both into one `effect { }`"
                )
            else:
                effect = doing.value
            continue
        clause = clause_of(parts.items[-1])
        if clause is None:
            break
        parts.items.pop()
        clauses.append(clause)
    return syntax.Action(
        span=span,
        name=name,
        head=head,
        limit=limit,
        prompt=prompt,
        clauses=tuple(clauses),
        effect=effect[0],
        effect_citations=effect[1],
        citations=citations + parts.cites(),
    )


@builds("record")
def _record(b: Builder, parts: Parts, span: Span) -> Declaration:
    noun, head, citations = parts.take(Noun), parts.take(Head), parts.cites()
    requirements = tuple(parts.all(Require))
    return syntax.Record(
        span=span, noun=noun, head=head, requirements=requirements, citations=citations + parts.cites()
    )


@builds("effect")
def _effect(b: Builder, parts: Parts, span: Span) -> Declaration:
    name, given, citations, body = b.declared(parts), parameters(parts), parts.cites(), parts.take(Block)
    return syntax.Effect(span=span, name=name, parameters=given, body=body, citations=citations + parts.cites())


@builds("rule", "trigger")
def _rule(b: Builder, parts: Parts, span: Span) -> Declaration:
    return syntax.Rule(span=span, name=b.declared(parts), role=parts.take(Role), citations=parts.cites())


def name_list(parts: Parts) -> tuple[Identifier, ...]:
    """The names parted by commas that stand next, if any."""
    return tuple(parts.maybe(Names) or ())
