"""What other programs want to know of a checked game: types as text, units, the tree of phases, where one decides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from regelwerk.dsl.interchange import document as d
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import Type
from regelwerk.dsl.model.walking import walk
from regelwerk.dsl.source import Span

DRIVERS = {
    g.TurnsDriver: "turns",
    g.LoopDriver: "loop",
    g.ForDriver: "for",
    g.TogetherDriver: "together",
    g.WhenDriver: "when",
}
SITES = {t.Offer: "offer", t.Choose: "choose", t.Alternatives: "alternatives", t.RandomPick: "random"}


def facts_of(game: g.CheckedGame, numbers: Mapping[str, int]) -> d.Facts:
    """The facts of a game; `numbers`: the number of each source."""
    enums = [each for each in dict.fromkeys(game.symbols.values()) if isinstance(each, g.EnumSymbol)]
    return d.Facts(
        players=game.players,
        seats=list(game.seats[: game.players[1]]),
        enums=[_enum(each) for each in enums],
        things=[_things(each) for each in game.entities],
        units=[_unit(each) for each in game.units],
        symbols=list(_symbols(game)),
        phases=[_phase(each) for each in game.phases],
        decisions=_decisions(game, numbers),
    )


def _enum(symbol: g.EnumSymbol) -> d.EnumFact:
    members = [d.MemberFact(name=one, printed=words.one) for one, _, words, _ in symbol.members]
    return d.EnumFact(name=symbol.name, members=members, numbers=symbol.numbers)


def _things(symbol: g.EntitySymbol) -> d.ThingsFact:
    columns = [
        d.ColumnFact(name=each.name, type=str(each.type), parameters=_typed(each.parameters))
        for each in symbol.columns.values()
    ]
    rows = [d.MemberFact(name=each.name, printed=each.printed) for each in symbol.rows]
    return d.ThingsFact(name=symbol.name, kind=symbol.kind, columns=columns, rows=rows)


def _unit(unit: g.Unit) -> d.UnitFact:
    symbol, name = unit.symbol, unit.symbol.name
    if unit.member is not None and isinstance(symbol, g.ResourceSymbol) and symbol.kinds is not None:
        name = symbol.kinds.members[unit.member - 1][0]
    return d.UnitFact(name=name, of=symbol.name, one=unit.words.one, many=unit.words.many)


def _typed(parameters: Iterable[tuple[str, Type]]) -> list[d.TypedName]:
    return [d.TypedName(name=name, type=str(kind)) for name, kind in parameters]


def _symbols(game: g.CheckedGame) -> Iterator[d.SymbolFact]:
    def text(kind: Type | None) -> str | None:
        return str(kind) if kind is not None else None

    for constant in game.constants:
        yield d.SymbolFact(address=constant.address, kind="constant", type=str(constant.type))
    for option in game.options:
        yield d.SymbolFact(address=option.address, kind="option", type=str(option.type))
    for resource in game.resources:
        per = resource.kinds.name if resource.kinds is not None else None
        yield d.SymbolFact(address=resource.address, kind="resource", per=per)
    for track in game.tracks:
        bounds = f"{track.lowest}..{track.highest}"
        yield d.SymbolFact(address=track.address, kind="track", type=bounds, per="player")
    for state in game.states:
        yield d.SymbolFact(address=state.address, kind="state", type=str(state.type), per=text(state.key))
    for zone in game.zones:
        yield d.SymbolFact(address=zone.address, kind="zone", type=f"zone of {zone.entity.name}", per=text(zone.key))
    for value in game.values:
        per = "player" if value.takes_me else None
        yield d.SymbolFact(
            address=value.address, kind="value", type=text(value.type), per=per, parameters=_typed(value.parameters)
        )
    for effect in game.effects:
        yield d.SymbolFact(address=effect.address, kind="effect", parameters=_typed(effect.parameters))
        yield from _clauses(effect.requirements)
        yield from _steps([effect.body])
    for action in game.actions:
        parameters = _typed((name, kind) for name, kind, _ in action.parameters)
        yield d.SymbolFact(address=action.address, kind="action", parameters=parameters)
        yield from _clauses(each for each in action.clauses if not isinstance(each, tuple))
        yield from _steps([action.body])
    for phase in _phases(game.phases):
        yield from _steps(phase.items)
    for score in game.scores:
        yield d.SymbolFact(address=score.address, kind="score")
    for award in game.awards:
        yield d.SymbolFact(address=award.address, kind="award", per=text(award.key))
    for end in game.ends:
        yield d.SymbolFact(address=end.address, kind="end")
    for rank in game.ranks:
        yield d.SymbolFact(address=rank.address, kind="rank")
    for invariant in game.invariants:
        yield d.SymbolFact(address=invariant.address, kind="invariant")


def _clauses(clauses: Iterable[g.RequireSymbol | g.CostSymbol]) -> Iterator[d.SymbolFact]:
    for each in clauses:
        kind = "requirement" if isinstance(each, g.RequireSymbol) else "cost"
        yield d.SymbolFact.model_validate({"address": each.address, "kind": kind})


def _steps(bodies: Iterable[t.Stmt | None]) -> Iterator[d.SymbolFact]:
    steps = {each.symbol: None for body in bodies for each in walk(body) if isinstance(each, t.Step)}
    for symbol in sorted(steps, key=lambda each: each.span.start):
        yield d.SymbolFact(address=symbol.address, kind="step")


def _phase(symbol: g.PhaseSymbol) -> d.PhaseFact:
    return d.PhaseFact.model_validate(
        {
            "address": symbol.address,
            "printed": symbol.printed or symbol.name.replace("_", " "),
            "drivers": [DRIVERS[type(each)] for each in symbol.drivers],
            "phases": [_phase(each) for each in symbol.phases],
        }
    )


def _phases(phases: Iterable[g.PhaseSymbol]) -> Iterator[g.PhaseSymbol]:
    for each in phases:
        yield each
        yield from _phases(each.phases)


def _bodies(game: g.CheckedGame) -> Iterator[object]:
    yield from (each.body for each in game.effects)
    yield from (each.body for each in game.actions)
    yield from (item for phase in _phases(game.phases) for item in phase.items)
    yield from (each.body for each in game.roles)
    yield from (each.body for each in game.ends)
    yield from (each.overflow_body for each in game.tracks)
    for entity in game.entities:
        for column in entity.columns.values():
            yield from (cell.body for cell in column.cells if isinstance(cell, g.CellBody))


def _place(span: Span, numbers: Mapping[str, int]) -> d.Place:
    return numbers[span.source], span.start, span.end


def _decisions(game: g.CheckedGame, numbers: Mapping[str, int]) -> list[d.DecisionFact]:
    found = set()
    for body in _bodies(game):
        for each in walk(body):
            if isinstance(each, t.Offer | t.Choose | t.Alternatives | t.RandomPick):
                actions = tuple(action.name for action in each.actions) if isinstance(each, t.Offer) else ()
                found.add((_place(each.span, numbers), each.address, SITES[type(each)], actions))
    return [
        d.DecisionFact.model_validate({"address": address, "kind": kind, "actions": list(actions), "place": place})
        for place, address, kind, actions in sorted(found)
    ]


__all__ = ["facts_of"]
