"""Phases: declared as a tree first, so that addresses exist, then checked."""

from __future__ import annotations

from regelwerk.dsl.checker import coercion as co
from regelwerk.dsl.checker import heads
from regelwerk.dsl.checker.choices import check_offer
from regelwerk.dsl.checker.context import Context, Scope, citations, me_local
from regelwerk.dsl.checker.effects import check_block
from regelwerk.dsl.checker.expressions import check, check_condition
from regelwerk.dsl.diagnostics import Label
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import (
    PLAYER,
    IntType,
    ListType,
    OptionalType,
    PlayerType,
    SetType,
    UnknownType,
    bound_of,
    fits,
    member_of,
)
from regelwerk.dsl.source import Span
from regelwerk.dsl.syntax import flow as f


def declare_phase(c: Context, node: f.Phase, parent: g.PhaseSymbol | None) -> g.PhaseSymbol:
    """A phase and the phases inside it."""
    path = node.name.text if parent is None else f"{parent.path}.{node.name.text}"
    symbol = g.PhaseSymbol(
        node.name.text, node.name.span, path, node.printed, parent, citations=citations(node.citations)
    )
    siblings = c.phases.setdefault(symbol.name, [])
    twin = next((each for each in siblings if each.path == path), None)
    if twin is not None:
        c.error(
            "E0202",
            f"the phase `{path}` is declared twice",
            node.name.span,
            "rename one of them",
            (Label(twin.span, "first here"),),
        )
    siblings.append(symbol)
    c.syntax[symbol] = node
    for item in node.items:
        if isinstance(item, f.Phase):
            symbol.phases.append(declare_phase(c, item, symbol))
        elif isinstance(item, f.PhaseStep):
            step_path = f"{path}.{item.name.text}"
            if step_path in c.steps:
                c.error(
                    "E0202",
                    f"the step `{step_path}` is declared twice",
                    item.name.span,
                    "rename one of them",
                    (Label(c.steps[step_path].span, "first here"),),
                )
            c.steps[step_path] = g.StepSymbol(
                item.name.text, item.name.span, step_path, citations=citations(item.citations)
            )
    return symbol


def check_phase(c: Context, symbol: g.PhaseSymbol, outer: Scope | None) -> None:
    """Drivers and items of a phase and of the phases inside it."""
    node = c.syntax[symbol]
    assert isinstance(node, f.Phase)
    frame = symbol.frame
    scope = Scope(frame, address=symbol.path, phase=symbol)
    if outer is not None:
        scope.me = me_local(node.span) if outer.me is not None else None
        for name, (slot, kind) in outer.names.items():
            symbol.inherited.append((name, kind, slot))
            scope.bind(name, kind)
    if scope.me is None:
        c.unattended.add(symbol)
    for driver in node.drivers:
        _driver(c, driver, symbol, scope)
    for driver in node.drivers[:-1]:
        if isinstance(driver, f.Together):
            c.error(
                "E0521",
                "`together` is the innermost driver of a phase",
                driver.span,
                "write the other drivers before it",
            )
    if any(isinstance(each, f.Together) for each in node.drivers) and (
        len(node.items) != 1
        or not isinstance(node.items[0], f.PhaseOffer)
        or node.items[0].offer.until_actions
        or node.items[0].offer.until_done
    ):
        c.error(
            "E0511",
            f"in `{symbol.path}` players decide together, so it holds one `offer` and nothing else",
            node.name.span,
            "put what follows into the next phase",
        )
    phases = iter(symbol.phases)
    for item in node.items:
        if isinstance(item, f.Phase):
            inner = next(phases)
            check_phase(c, inner, scope)
            arguments: list[x.Expr] = [x.Local(kind, item.span, slot) for _, (slot, kind) in scope.names.items()]
            symbol.items.append(t.SubPhase(item.span, inner, arguments))
        elif isinstance(item, f.PhaseStep):
            step = c.steps[f"{symbol.path}.{item.name.text}"]
            if scope.me is None:
                c.unattended.add(step)
            test = (
                check_condition(c, item.condition, scope, "the condition of `when`")
                if item.condition is not None
                else None
            )
            body = check_block(c, item.body, scope.inner(address=step.path))
            step.frame, step.body = frame, body
            symbol.items.append(t.Step(item.span, step, test, body))
        else:
            symbol.items.append(check_offer(c, item.offer, scope))
    if (
        any(isinstance(driver, g.LoopDriver) and driver.until is None for driver in symbol.drivers)
        and symbol.parent is None
    ):
        c.syntax[symbol] = node


def _driver(c: Context, driver: f.Driver, symbol: g.PhaseSymbol, scope: Scope) -> None:
    if isinstance(driver, f.Together):
        players = check(c, driver.players, scope, SetType(PLAYER))
        if not isinstance(member_of(players.type), PlayerType):
            if not isinstance(players.type, UnknownType):
                c.error("E0301", f"`together` needs players, but this is {co.kind_words(players.type)}", players.span)
            players = x.AllPlayers(SetType(PLAYER), driver.span)
        symbol.drivers.append(g.TogetherDriver(co.as_set(players)))
        scope.me = me_local(driver.span)
    elif isinstance(driver, f.When):
        symbol.drivers.append(g.WhenDriver(check_condition(c, driver.condition, scope, "the condition of `when`")))
    elif isinstance(driver, f.Loop):
        until = (
            check_condition(c, driver.until, scope, "the condition of `until`") if driver.until is not None else None
        )
        symbol.drivers.append(g.LoopDriver(until))
    elif isinstance(driver, f.ForEach):
        _for(c, driver, symbol, scope)
    elif isinstance(driver, f.Turns):
        _turns(c, driver, symbol, scope)


def _player(c: Context, expr: x.Expr, what: str) -> x.Expr:
    if isinstance(expr.type, UnknownType) or fits(expr.type, OptionalType(PLAYER)):
        return expr
    c.error("E0301", f"{what} must be a player, but this is {co.kind_words(expr.type)}", expr.span)
    return x.Unavailable(PLAYER, expr.span)


def _turns(c: Context, driver: f.Turns, symbol: g.PhaseSymbol, scope: Scope) -> None:
    first = _player(c, check(c, driver.first, scope), "who begins") if driver.first is not None else None
    me = me_local(driver.span)
    inner = scope.inner(me=me)
    following = _player(c, check(c, driver.following, inner), "who is next") if driver.following is not None else None
    outside_slot = symbol.frame.new("me outside", PLAYER)
    outside = x.Local(PLAYER, driver.span, outside_slot) if scope.me is not None else None
    test = (
        check_condition(c, driver.condition, scope.inner(me=outside), "the condition of `while`")
        if driver.condition is not None
        else None
    )
    skip = check_condition(c, driver.skip, inner, "the condition of `skip`") if driver.skip is not None else None
    start_slot, count_slot = symbol.frame.new("next", PLAYER), symbol.frame.new("skipped", IntType(0, 127))
    symbol.drivers.append(g.TurnsDriver(first, following, test, skip, 0, start_slot, count_slot, outside_slot))
    scope.me = me


def _for(c: Context, driver: f.ForEach, symbol: g.PhaseSymbol, scope: Scope) -> None:
    binder = heads.check_binder(c, driver.binder, scope, single_only=True)
    source = co.as_collection(binder.source)
    if binder.condition is not None:
        source = x.Filter(source.type, source.span, source, binder.slot, binder.condition)
    if binder.key is not None:
        head = x.Head([binder])
        source = x.Quantified(
            ListType(binder.type, heads.bound(head)),
            binder.span,
            "list",
            head,
            x.Local(binder.type, binder.span, binder.slot),
        )
    source = co.as_list(source) if isinstance(source.type, SetType | ListType) else source
    acting = None
    takes_turn = False
    outside_slot = 0
    if driver.acting is not None:
        outside_slot = symbol.frame.new("me outside", PLAYER)
        outside = x.Local(PLAYER, driver.span, outside_slot) if scope.me is not None else None
        acting = _player(c, check(c, driver.acting, scope.inner(me=outside)), "who acts")
        takes_turn = isinstance(acting, x.Local) and acting.slot == binder.slot
        scope.me = me_local(driver.span)
    bound = bound_of(source.type) if member_of(source.type) is not None else ((1,),)
    list_slot = symbol.frame.new("all", ListType(binder.type, bound))
    index_slot = symbol.frame.new("place", IntType(0, 32767))
    symbol.drivers.append(g.ForDriver(binder.slot, source, acting, takes_turn, 0, list_slot, index_slot, outside_slot))


__all__ = ["Span", "check_phase", "declare_phase"]
