"""Nodes of whole files, of the flow of a game, of overlays and of scenarios.

Each function makes the node of one production of the grammar, when the parsing machine reduces it (see `builder`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from regelwerk.dsl.builder import Builder, Group, Names, Part, Parts, builds
from regelwerk.dsl.builder_declarations import clause_of, name_list, value_of
from regelwerk.dsl.builder_expressions import number
from regelwerk.dsl.lexing import Token
from regelwerk.dsl.parse_errors import Code
from regelwerk.dsl.source import Span
from regelwerk.dsl.syntax import expressions, files, flow, overlays, scenarios
from regelwerk.dsl.syntax.base import Declaration, Expression, Noun, Path
from regelwerk.dsl.syntax.declarations import Line, ParameterBinder, Row, Signature
from regelwerk.dsl.syntax.effects import Block, Offer
from regelwerk.dsl.syntax.expressions import Binder
from regelwerk.dsl.syntax.rules import Role
from regelwerk.dsl.tables import TableReader

EDITIONS = (1,)


# --------------------------------------------------------------------------------------------------------------- files
@builds("edition")
def _edition(b: Builder, parts: Parts, span: Span) -> Part:
    return Part("edition", int(parts.take(Token).text), span)


@builds("players")
def _players(b: Builder, parts: Parts, span: Span) -> overlays.Players:
    numbers = parts.take(Expression)
    b.expect_range(numbers)
    return overlays.Players(span=span, range=numbers)


@builds("seats")
def _seats(b: Builder, parts: Parts, span: Span) -> Part:
    return Part("seats", tuple(parts.take(Names)), span)


@builds("cap")
def _cap(b: Builder, parts: Parts, span: Span) -> Part:
    token = parts.take(Token)
    count = number(b, token) if token.kind == "INT" else expressions.Name(span=b.span(token), name=b.identifier(token))
    return Part("cap", files.Cap(span=span, count=count, phase=b.named(parts)), span)


@builds("triggers")
def _triggers(b: Builder, parts: Parts, span: Span) -> Part:
    return Part("triggers", parts.items[0].text, span)


@builds("game")
def _game(b: Builder, parts: Parts, span: Span) -> files.GameHeader:
    name, title, citations = b.declared(parts), b.plain(parts) or "", parts.cites()
    items = [
        Part("players", item, item.span) if isinstance(item, overlays.Players) else item for item in parts.items[::-1]
    ]
    more = b.once(items)
    return files.GameHeader(
        span=span,
        name=name,
        title=title,
        players=value_of(more, "players"),
        seats=value_of(more, "seats", ()),
        triggers=value_of(more, "triggers", "active_first"),
        cap=value_of(more, "cap"),
        citations=citations,
    )


@builds("variant")
def _variant(b: Builder, parts: Parts, span: Span) -> files.VariantHeader:
    return files.VariantHeader(
        span=span,
        name=b.declared(parts),
        title=b.plain(parts) or "",
        base=b.named(parts),
        companions=name_list(parts),
        citations=parts.cites(),
    )


@builds("library")
def _library(b: Builder, parts: Parts, span: Span) -> files.Library:
    return files.Library(
        span=span, name=b.declared(parts), parameters=name_list(parts), declarations=tuple(parts.all(Declaration))
    )


@builds("use")
def _use(b: Builder, parts: Parts, span: Span) -> files.Use:
    return files.Use(span=span, name=b.named(parts), arguments=name_list(parts))


@builds("start")
def _start(b: Builder, parts: Parts, span: Span) -> files.RulesFile:
    edition = parts.take(Part)
    header = parts.maybe(files.GameHeader) or parts.maybe(files.VariantHeader)
    uses = tuple(parts.all(files.Use))
    rest = parts.items[::-1]
    return files.RulesFile(
        span=Span(b.name, 0, len(b.text)),
        edition=edition.value,
        header=header,
        uses=uses,
        declarations=tuple(each for each in rest if isinstance(each, Declaration)),
        libraries=tuple(each for each in rest if isinstance(each, files.Library)),
    )


# ---------------------------------------------------------------------------------------------------------------- flow
def _valued(production: str) -> None:
    @builds(production)
    def make(b: Builder, parts: Parts, span: Span) -> Part:
        return Part(production, parts.take(Expression), span)


for _production in ("from_seat", "next_player", "turn_while", "turn_skip"):
    _valued(_production)


@builds("turns")
def _turns(b: Builder, parts: Parts, span: Span) -> flow.Driver:
    more = b.once(parts.all(Part))
    return flow.Turns(
        span=span,
        first=value_of(more, "from_seat"),
        following=value_of(more, "next_player"),
        condition=value_of(more, "turn_while"),
        skip=value_of(more, "turn_skip"),
    )


@builds("loop")
def _loop(b: Builder, parts: Parts, span: Span) -> flow.Driver:
    return flow.Loop(span=span, until=parts.maybe(Expression))


@builds("each_in")
def _for_each(b: Builder, parts: Parts, span: Span) -> flow.Driver:
    return flow.ForEach(span=span, binder=parts.take(Binder), acting=parts.maybe(Expression))


@builds("together")
def _together(b: Builder, parts: Parts, span: Span) -> flow.Driver:
    return flow.Together(span=span, players=parts.take(Expression))


@builds("only_when")
def _when(b: Builder, parts: Parts, span: Span) -> flow.Driver:
    return flow.When(span=span, condition=parts.take(Expression))


@builds("step")
def _step(b: Builder, parts: Parts, span: Span) -> flow.PhaseStep:
    name, condition, citations, body = b.declared(parts), parts.maybe(Expression), parts.cites(), parts.take(Block)
    return flow.PhaseStep(span=span, name=name, condition=condition, body=body, citations=citations + parts.cites())


def _item_of(item: Any) -> Any:
    return flow.PhaseOffer(span=item.span, offer=item) if isinstance(item, Offer) else item


@builds("phase")
def _phase(b: Builder, parts: Parts, span: Span) -> Declaration:
    name, printed = b.declared(parts), b.plain(parts)
    drivers, citations = tuple(parts.all(flow.Driver)), parts.cites()
    items: list[Any] = []
    while parts.items and isinstance(parts.items[-1], (flow.Phase, flow.PhaseStep, Offer)):
        items.append(_item_of(parts.items.pop()))
    return flow.Phase(
        span=span, name=name, printed=printed, drivers=drivers, items=tuple(items), citations=citations + parts.cites()
    )


# ------------------------------------------------------------------------------------------------------------ overlays
@builds("replace")
def _replace(b: Builder, parts: Parts, span: Span) -> Declaration:
    inner = parts.take(Declaration)
    if isinstance(inner, (overlays.ReplaceStep, overlays.ReplaceRequire, overlays.ReplaceCost, overlays.ReplaceLine)):
        return inner.model_copy(update={"span": span})  # from `replace` on
    return overlays.Replace(span=span, declaration=inner)


@builds("replace_step")
def _replace_step(b: Builder, parts: Parts, span: Span) -> Declaration:
    path, condition, citations, body = parts.take(Path), parts.maybe(Expression), parts.cites(), parts.take(Block)
    return overlays.ReplaceStep(
        span=span, path=path, condition=condition, body=body, citations=citations + parts.cites()
    )


@builds("replace_require")
def _replace_require(b: Builder, parts: Parts, span: Span) -> Declaration:
    return overlays.ReplaceRequire(
        span=span,
        path=parts.take(Path),
        condition=parts.take(Expression),
        otherwise=b.text_of(parts),
        citations=parts.cites(),
    )


@builds("replace_cost")
def _replace_cost(b: Builder, parts: Parts, span: Span) -> Declaration:
    return overlays.ReplaceCost(
        span=span,
        path=parts.take(Path),
        amount=parts.take(Expression),
        condition=parts.maybe(Expression),
        printed=b.text_of(parts),
        citations=parts.cites(),
    )


@builds("replace_line")
def _replace_line(b: Builder, parts: Parts, span: Span) -> Declaration:
    return overlays.ReplaceLine(span=span, path=parts.take(Path), value=parts.take(Expression), citations=parts.cites())


@builds("remkind", "extkind")
def _kind(b: Builder, parts: Parts, span: Span) -> Part:
    return Part("kind", parts.take(Token).text, span)


@builds("remove")
def _remove(b: Builder, parts: Parts, span: Span) -> Declaration:
    return overlays.Remove(span=span, kind=parts.take(Part).value, path=parts.take(Path), citations=parts.cites())


@builds("change")
def _change(b: Builder, parts: Parts, span: Span) -> Declaration:
    return overlays.Change(
        span=span,
        path=parts.take(Path),
        value=parts.maybe(Expression),
        effect=parts.maybe(Block),
        rules=tuple(parts.all(Role)),
        citations=parts.cites(),
    )


@builds("resolve")
def _resolve(b: Builder, parts: Parts, span: Span) -> Declaration:
    return overlays.Resolve(
        span=span, path=parts.take(Path), by=b.named(parts), reason=b.plain(parts), citations=parts.cites()
    )


@builds("member")
def _member(b: Builder, parts: Parts, span: Span) -> overlays.Member:
    return overlays.Member(span=span, noun=parts.take(Noun))


@builds("new_param")
def _new_parameter(b: Builder, parts: Parts, span: Span) -> ParameterBinder:
    return ParameterBinder(span=span, binder=parts.take(Binder), citations=parts.cites())


@dataclass(frozen=True, slots=True)
class _Unplaced:
    """`after X` and what stands there; a row is still to be read with the header of its block."""

    span: Span
    position: Any
    anchor: Any
    item: Any


@builds("position")
def _position(b: Builder, parts: Parts, span: Span) -> Part:
    word = parts.take(Token).text
    return Part("position", (word, b.named(parts) if parts.items else None), span)


@builds("placed")
def _placed(b: Builder, parts: Parts, span: Span) -> _Unplaced:
    position, anchor = parts.take(Part).value
    return _Unplaced(span, position, anchor, parts.items.pop())


@builds("extend")
def _extend(b: Builder, parts: Parts, span: Span) -> Declaration:
    kind, path, citations = parts.take(Part).value, parts.take(Path), parts.cites()
    table = TableReader(b)
    items: list[Any] = []
    while parts.items:
        item = parts.items[-1]
        if isinstance(item, Group):
            items.extend(item)
        elif isinstance(item, Token):
            row = table.read(item)
            if row is not None:
                items.append(row)
        elif isinstance(item, _Unplaced):
            placed = _place(b, item, table)
            if placed is not None:
                items.append(placed)
        elif (clause := clause_of(item)) is not None:
            items.append(clause)
        elif isinstance(item, (Line, Offer, overlays.Players, overlays.Member, ParameterBinder, Signature)):
            items.append(_item_of(item))
        else:
            break
        parts.items.pop()
    return overlays.Extend(span=span, kind=kind, path=path, items=tuple(items), citations=citations + parts.cites())


def _place(b: Builder, unplaced: _Unplaced, table: TableReader) -> overlays.Placed | None:
    item: Any = _item_of(unplaced.item)
    if isinstance(item, Token):
        if table.header is None:
            b.diagnostics.error(
                Code.NO_HEADER,
                "no header says which columns this row fills",
                b.span(item),
                "begin the braces with a row that names the columns",
            )
            return None
        row: Row | None = table.read(item)
        if row is None:
            return None
        item = row
    return overlays.Placed(span=unplaced.span, position=unplaced.position, anchor=unplaced.anchor, item=item)


# ----------------------------------------------------------------------------------------------------------- scenarios
@builds("with_players")
def _with_players(b: Builder, parts: Parts, span: Span) -> scenarios.Scene:
    return scenarios.WithPlayers(span=span, names=tuple(parts.take(Names)))


@builds("with_option")
def _with_option(b: Builder, parts: Parts, span: Span) -> scenarios.Scene:
    return scenarios.WithOption(span=span, name=b.named(parts), value=parts.take(Expression))


@builds("same_as")
def _same_as(b: Builder, parts: Parts, span: Span) -> scenarios.Scene:
    return scenarios.SameAs(span=span, other=b.named(parts))


@builds("given")
def _given(b: Builder, parts: Parts, span: Span) -> scenarios.Scene:
    brace = b.text.find("{", span.start)
    body = Block(span=Span(b.name, brace, span.end), statements=tuple(parts.items[::-1]))
    return scenarios.Given(span=span, body=body)


@builds("when_")
def _when_answer(b: Builder, parts: Parts, span: Span) -> scenarios.Scene:
    return scenarios.WhenAnswer(span=span, player=b.named(parts), answer=parts.take(Expression))


@builds("chance")
def _chance(b: Builder, parts: Parts, span: Span) -> scenarios.Scene:
    return scenarios.Chance(span=span, outcome=parts.take(Expression))


@builds("can")
def _can(b: Builder, parts: Parts, span: Span) -> scenarios.CanClaim:
    return scenarios.CanClaim(
        span=span, player=b.named(parts), answer=parts.take(Expression), because=parts.maybe(Path)
    )


@builds("cannot")
def _cannot(b: Builder, parts: Parts, span: Span) -> scenarios.CanClaim:
    return scenarios.CanClaim(
        span=span, player=b.named(parts), answer=parts.take(Expression), negated=True, because=parts.maybe(Path)
    )


@builds("then_")
def _claim(b: Builder, parts: Parts, span: Span) -> scenarios.Scene:
    claim = parts.maybe(scenarios.CanClaim)
    if claim is not None:
        return claim.model_copy(update={"span": span})
    return scenarios.Claim(span=span, condition=parts.take(Expression))


@builds("play")
def _play(b: Builder, parts: Parts, span: Span) -> scenarios.Scene:
    target = parts.take(Expression)
    token = parts.token("NAME")
    player = b.identifier(token) if token is not None else None
    return scenarios.Play(span=span, target=target, player=player, steps=tuple(parts.all(scenarios.Scene)))


@builds("scenario")
def _scenario(b: Builder, parts: Parts, span: Span) -> Declaration:
    name, title, citations = b.declared(parts), b.plain(parts), parts.cites()
    return scenarios.Scenario(
        span=span, name=name, title=title, scenes=tuple(parts.all(scenarios.Scene)), citations=citations
    )
