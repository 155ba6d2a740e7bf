"""What the flow of the phases never comes to: actions that nobody is offered, phases behind one without an end, rules
on what never happens, things that are never in play, places where nothing ever lies."""

from __future__ import annotations

from collections.abc import Iterator

from regelwerk.dsl.diagnostics import Label
from regelwerk.dsl.lints.reaching import ends_never
from regelwerk.dsl.lints.subject import Subject
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import ZoneType, strip
from regelwerk.dsl.model.walking import walk

NEVER = {
    "gain": "nobody ever gains anything",
    "lose": "nobody ever loses anything",
    "move": "nothing is ever moved",
    "draw": "nothing is ever drawn",
    "roll": "nothing is ever rolled",
}


def find(s: Subject) -> None:
    """All that is never reached."""
    _actions(s)
    for phase in [*s.game.phases, *s.phases]:
        _behind(s, phase.items)
    _behind(s, [t.SubPhase(phase.span, phase, []) for phase in s.game.phases])
    _rules(s)
    _past(s)
    filled = _filled(s)
    _zones(s, filled, _things(s, filled))


def _actions(s: Subject) -> None:
    for symbol in s.game.actions:
        if symbol not in s.reach.offered and symbol.name not in s.told_by_scenarios:
            s.report(
                "W0910",
                f"nobody is ever offered the action `{symbol.name}`",
                symbol.span,
                f"add it to an `offer` of a phase that is reached: `offer {symbol.name}`; or remove it",
            )


def _behind(s: Subject, items: list[t.SubPhase] | list[t.Stmt]) -> None:
    """What stands behind a phase that goes on until the game ends."""
    for place, item in enumerate(items[:-1]):
        if isinstance(item, t.SubPhase) and ends_never(item.symbol):
            lost = items[place + 1]
            what = f"the phase `{lost.symbol.path}` is" if isinstance(lost, t.SubPhase) else "this is"
            s.report(
                "W0911",
                f"{what} never reached",
                lost.symbol.span if isinstance(lost, t.SubPhase | t.Step) else lost.span,
                f"say until when `{item.symbol.path}` goes on, or put it before that",
                (Label(item.symbol.span, "this goes on until the game ends"),),
            )
            return


def _rules(s: Subject) -> None:
    for name, verb in s.c.verbs.items():
        if verb in s.reach:
            continue
        for role in verb.roles:
            s.report(
                "W0912",
                f"this rule never acts: {NEVER[name]}",
                role.span,
                "aim at something that happens, or remove it",
            )


def _past(s: Subject) -> None:
    """Questions about what never happens."""
    for _, node in s.reach.of(x.HistoryRead):
        event = node.question.event
        if isinstance(event, g.ActionSymbol):
            happens = event in s.reach.offered
        elif isinstance(event, g.EffectSymbol | g.VerbSymbol):
            happens = event in s.reach
        else:
            continue
        if not happens:
            s.report(
                "W0912",
                f"this asks about `{event.name}`, which never happens",
                node.span,
                "ask about something that happens, or remove it",
            )


# ------------------------------------------------------------------------------------------------- things and places
def _filled(s: Subject) -> set[object]:
    """The zones that something comes to, and the types of things that are moved somewhere."""
    found: set[object] = {zone for zone in s.game.zones if zone.contents is not None}
    for zone in s.game.zones:
        if zone.contents is not None:
            found.add(zone.entity)
    for node in s.reach.of_any(t.Move, t.Draw, t.Shuffle):
        target = node.into if isinstance(node, t.Shuffle) else node.zone
        if target is None:
            continue
        found.update(_zones_in(target, set()))
        kind = strip(target.type)
        if isinstance(kind, ZoneType):
            found.add(kind.symbol)
    return found


def _zones_in(node: x.Expr | None, seen: set[object]) -> Iterator[g.ZoneSymbol]:
    """The zones that an expression for a place can mean."""
    for each in walk(node):
        if isinstance(each, x.ZoneRef):
            yield each.symbol
        elif isinstance(each, x.Call) and each.symbol not in seen:
            seen.add(each.symbol)
            yield from _zones_in(each.symbol.body, seen)
            for role in each.symbol.roles:
                yield from _zones_in(role.value, seen)


def _zones(s: Subject, filled: set[object], lost: set[g.EntitySymbol]) -> None:
    for zone in s.game.zones:
        if zone in s.reach and zone not in filled and zone.entity not in lost:
            s.report(
                "W0914",
                f"nothing ever comes to `{zone.name}`",
                zone.span,
                "fill it with `from ...`, move or draw something there, or remove it with what speaks of it",
            )


def _things(s: Subject, filled: set[object]) -> set[g.EntitySymbol]:
    """Types of things that never lie anywhere, which are given; and rules in their cells that so never hold."""
    lost: set[g.EntitySymbol] = set()
    for entity in s.game.entities:
        if not entity.movable or entity in filled or entity not in s.reach:
            continue
        if not any(zone.entity is entity for zone in s.game.zones) and not _rules_of(entity):
            continue  # things that are only counted, thrown or shown
        lost.add(entity)
        s.report(
            "W0913",
            f"no {entity.words.one} is ever in play: none lies anywhere at first, and none is moved anywhere",
            entity.span,
            f"put them somewhere: `zone ... of {entity.name} from {entity.plural or entity.name}`",
        )
    for entity in s.game.entities:
        zone = entity.live_in
        if zone is None or zone in filled or entity not in filled or not _rules_of(entity):
            continue
        s.report(
            "W0914",
            f"nothing ever comes to `{zone.name}`, where the rules of {entity.name} hold",
            zone.span,
            "move the cards there that are to act",
        )
    return lost


def _rules_of(entity: g.EntitySymbol) -> bool:
    return any(str(column.type) in ("rules", "ability") for column in entity.columns.values())


__all__ = ["find"]
