"""Actions, named effects, values, scores, ends: the clauses with bodies."""

from __future__ import annotations

from regelwerk.dsl.checker import coercion as co
from regelwerk.dsl.checker import heads, history, interfaces, recursion
from regelwerk.dsl.checker.amounts import amount
from regelwerk.dsl.checker.can import begin, can
from regelwerk.dsl.checker.context import Context, Scope, citations, me_local
from regelwerk.dsl.checker.effects import check_block, check_body
from regelwerk.dsl.checker.expressions import (
    check,
    check_condition,
    check_number,
    check_player,
    template,
)
from regelwerk.dsl.checker.types import parameters, resolve, zone_type
from regelwerk.dsl.diagnostics import Label
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import (
    PLAYER,
    IntType,
    SetType,
    UnknownType,
    ZoneType,
    doubled,
    member_of,
    numeric,
)
from regelwerk.dsl.syntax import declarations as d
from regelwerk.dsl.syntax import effects as fx
from regelwerk.dsl.syntax import expressions as s
from regelwerk.dsl.syntax.base import Identifier


def declare_action(c: Context, node: d.Action) -> g.ActionSymbol:
    """An action by name."""
    symbol = g.ActionSymbol(node.name.text, node.name.span, citations=citations(node.citations))
    _unique(c, symbol, node.name)
    c.actions.setdefault(symbol.name, symbol)
    c.syntax[symbol] = node
    return symbol


def declare_effect(c: Context, node: d.Effect) -> g.EffectSymbol:
    """An effect by name, with its parameters."""
    symbol = g.EffectSymbol(node.name.text, node.name.span, citations=citations(node.citations))
    _unique(c, symbol, node.name)
    c.effects.setdefault(symbol.name, symbol)
    c.syntax[symbol] = node
    return symbol


def _unique(c: Context, symbol: g.Symbol, name: Identifier) -> None:
    other = c.actions.get(symbol.name) or c.effects.get(symbol.name) or c.verbs.get(symbol.name)
    if isinstance(other, g.VerbSymbol):
        c.error(
            "E0202",
            f"`{symbol.name}` is the name of a built-in event",
            name.span,
            "choose another name; gain, lose, move, draw and roll are built in",
        )
    elif other is not None:
        where = (Label(other.span, "first declared here"),) if other.span.source else ()
        c.error("E0202", f"`{symbol.name}` is declared twice", name.span, "rename one of them", where)


def check_effect_signature(c: Context, symbol: g.EffectSymbol) -> Scope:
    """The parameters of an effect; gives the scope of its body."""
    node = c.syntax[symbol]
    assert isinstance(node, d.Effect)
    scope = Scope(symbol.frame, me=me_local(node.span), address=symbol.name)
    symbol.parameters, symbol.slots, symbol.defaults, _ = parameters(c, node.parameters or (), scope)
    return scope


def check_effect(c: Context, symbol: g.EffectSymbol, scope: Scope) -> None:
    """Requirements and body of an effect."""
    node = c.syntax[symbol]
    assert isinstance(node, d.Effect)
    statements = list(node.body.statements)
    while statements and isinstance(statements[0], fx.Require):
        first = statements.pop(0)
        assert isinstance(first, fx.Require)
        test = check_condition(c, first.condition, scope)
        text = template(c, first.otherwise, scope) if first.otherwise is not None else None
        symbol.requirements.append(g.RequireSymbol(first.name.text, first.span, symbol.name, test, text))
    symbol.body = check_body(c, fx.Block(span=node.body.span, statements=tuple(statements)), scope)
    symbol.can = can(symbol.body)
    symbol.neutral = begin(symbol.body) is None


def check_action(c: Context, symbol: g.ActionSymbol) -> None:
    """Head, limit and clauses of an action; the effect is checked by `check_action_body`."""
    node = c.syntax[symbol]
    assert isinstance(node, d.Action)
    scope = Scope(symbol.frame, me=me_local(node.span), address=symbol.name)
    symbol.prompt = template(c, node.prompt, scope) if node.prompt is not None else None
    if node.head is not None:
        scope.parameters = symbol.parameters  # filled binder by binder, so that a head can ask about its own action
        symbol.head = heads.check_head(c, node.head, scope)
        scope.parameters = None
    if node.limit is not None:
        at_most = check_number(c, node.limit.at_most, scope, "the limit")
        within = history.find_scope(c, node.limit.scope)
        if within is not None:
            symbol.limit = g.Limit(at_most, history.question(c, symbol, [], within, True, False))
    names: set[str] = set()
    for clause in node.clauses:
        content = clause.content
        if isinstance(content, fx.Let):
            value = check(c, content.value, scope)
            heads.shadow_check(c, content.name.text, scope, content.name.span)
            value = co.as_collection(value)
            symbol.clauses.append((scope.bind(content.name.text, value.type), value))
            continue
        if content.name.text in names:
            c.error(
                "E0202",
                f"the clause `{symbol.name}.{content.name.text}` stands twice",
                content.name.span,
                "rename one of them",
            )
        names.add(content.name.text)
        ids = citations(clause.citations)
        if isinstance(content, fx.Require):
            test = check_condition(c, content.condition, scope)
            text = template(c, content.otherwise, scope) if content.otherwise is not None else None
            symbol.clauses.append(
                g.RequireSymbol(content.name.text, content.span, symbol.name, test, text, citations=ids)
            )
        else:
            price = amount(c, content.amount, scope)
            when = check_condition(c, content.condition, scope) if content.condition is not None else None
            text = template(c, content.printed, scope) if content.printed is not None else None
            symbol.clauses.append(
                g.CostSymbol(content.name.text, content.span, symbol.name, price, when, text, citations=ids)
            )
    c.action_scopes[symbol] = scope


def check_action_body(c: Context, symbol: g.ActionSymbol) -> None:
    """The effect of an action."""
    node, scope = c.syntax[symbol], c.action_scopes[symbol]
    assert isinstance(node, d.Action)
    if node.effect is None:
        c.error(
            "E0411",
            f"the action `{symbol.name}` has no effect",
            node.name.span,
            "add `effect { ... }`, or `effect { nothing }`",
        )
        symbol.body = t.Sequence(node.span, [])
        return
    symbol.body = check_body(c, node.effect, scope)


def declare_value(c: Context, node: d.Value, library: str | None) -> g.ValueSymbol:
    """A value; its body is checked when its type is asked for, or at the end."""
    symbol = g.ValueSymbol(node.name.text, node.name.span, citations=citations(node.citations))
    symbol.library = library
    c.syntax[symbol] = node
    return symbol


def enter_value(c: Context, symbol: g.ValueSymbol) -> None:
    """Resolve the parameters of a value and enter its name: an attribute of its first parameter's type."""
    node = c.syntax[symbol]
    assert isinstance(node, d.Value)
    scope = Scope(symbol.frame, address=symbol.name)
    symbol.parameters, symbol.slots, symbol.defaults, symbol.takes_me = parameters(c, node.parameters or (), scope)
    if symbol.takes_me:
        scope.me = me_local(node.span)
        symbol.slots = [0, *symbol.slots]
    if node.shrinking is not None and symbol.library is None:
        c.error(
            "E0320",
            f"the value `{symbol.name}` may not call itself",
            node.shrinking.span,
            "only values of libraries can",
        )
        c.recursive.add(symbol)
    elif node.shrinking is not None:
        recursion.enter_shrinking(c, symbol, node)
    if node.type is not None and not (isinstance(node.type, s.NamedType) and node.type.name.text == "zone"):
        symbol.type = resolve(c, node.type)
        if symbol.span in c.halved and isinstance(symbol.type, IntType):
            symbol.type = doubled(symbol.type)
    scope.in_cell = interfaces.answers(c, symbol)
    attribute = bool(symbol.parameters) or symbol.takes_me
    c.declare(symbol.name, symbol, node.name.span, attribute=attribute)
    if symbol.takes_me and not symbol.parameters:
        c.globals.setdefault(symbol.name, symbol)
    c.lazy[symbol] = lambda: check_value(c, symbol, scope)


def check_value(c: Context, symbol: g.ValueSymbol, scope: Scope) -> None:
    """The body of a value; without a declared type it is inferred."""
    node = c.syntax[symbol]
    assert isinstance(node, d.Value)
    c.in_progress.add(symbol)
    try:
        body = check(c, node.value, scope, symbol.type)
    finally:
        c.in_progress.discard(symbol)
    wants_zone = isinstance(node.type, s.NamedType) and node.type.name.text == "zone"
    if wants_zone:
        if not zone_type(c, body):
            c.error("E0301", f"`{symbol.name}` must be a zone, but this is {co.kind_words(body.type)}", body.span)
        symbol.type = body.type
    elif symbol.type is not None:
        body = co.coerce(c, body, symbol.type, f"`{symbol.name}`")
    else:
        body = co.as_collection(body)
        if symbol.span in c.halved:
            body = co.in_halves(body)
        symbol.type = body.type
    symbol.body = body


def check_score(c: Context, node: d.Score, symbol: g.ScoreSymbol) -> None:
    """The lines of a score."""
    for line in node.lines:
        frame = g.Frame()
        made = g.ScoreLine(
            line.name.text,
            line.span,
            line.printed or line.name.text.replace("_", " "),
            frame,
            citations=citations(line.citations),
        )
        if any(made.name == each.name for each in symbol.lines):
            c.error("E0202", f"the line `{made.name}` stands twice", line.name.span, "rename one of them")
        symbol.lines.append(made)
    for line, made in zip(node.lines, symbol.lines, strict=True):
        scope = Scope(made.frame, me=me_local(line.span), address=f"{symbol.name}.{line.name.text}")
        made.value = check_number(c, line.value, scope, "a line of a score", True)
    symbol.halves = any(_in_halves(each.value) for each in symbol.lines)
    if symbol.halves:
        for made in symbol.lines:
            assert made.value is not None
            made.value = co.in_halves(made.value)


def _in_halves(expr: x.Expr | None) -> bool:
    scale = numeric(expr.type) if expr is not None else None
    return scale is not None and scale.halves


def check_end(c: Context, node: d.End, symbol: g.EndSymbol) -> None:
    """Condition, block and outcome of an end."""
    scope = Scope(symbol.frame, address=symbol.name)
    symbol.condition = check_condition(c, node.condition, scope, "the condition of an end")
    if node.after is not None:
        phase = next((p for phases in c.phases.values() for p in phases if p.path == node.after.text), None)
        if phase is None:
            c.error(
                "E0503",
                f"there is no phase `{node.after.text}`",
                node.after.span,
                c.suggest(node.after.text, [p.path for ps in c.phases.values() for p in ps]),
            )
        symbol.after = phase
    if node.won_by is not None:
        won = check(c, node.won_by, scope, SetType(PLAYER))
        if isinstance(won.type, UnknownType):
            symbol.won_by = won
        elif member_of(won.type) is not None:
            symbol.won_by = co.coerce(c, co.as_set(won), SetType(PLAYER), "who wins")
        else:
            symbol.won_by = x.SetOf(SetType(PLAYER), won.span, [co.coerce(c, won, PLAYER, "who wins")])
    if node.ranked_by is not None:
        rank = c.globals.get(node.ranked_by.text)
        if isinstance(rank, g.RankSymbol):
            symbol.ranked_by = rank
        else:
            c.error(
                "E0505",
                f"there is no rank `{node.ranked_by.text}`",
                node.ranked_by.span,
                c.suggest(node.ranked_by.text, [n for n, k in c.globals.items() if isinstance(k, g.RankSymbol)]),
            )
    if node.body is not None:
        symbol.body = check_block(c, node.body, scope)


def check_award(c: Context, node: d.Award, symbol: g.AwardSymbol) -> None:
    """The measure of an award, for a player in slot 1 (and its key in slot 2)."""
    player = symbol.frame.new("player", PLAYER)
    arguments: list[x.Expr] = [x.Local(PLAYER, node.span, player)]
    if symbol.key is not None:
        slot = symbol.frame.new("key", symbol.key)
        arguments.append(x.Local(symbol.key, node.span, slot))
    scope = Scope(symbol.frame, me=arguments[0], address=symbol.name)
    name = node.measure.parts[-1]
    if len(node.measure.parts) == 1:
        from regelwerk.dsl.checker.attributes import attribute, call_value

        value = next((v for v in c.attributes.get(name.text, []) if isinstance(v, g.ValueSymbol)), None)
        if value is not None and (value.parameters or value.takes_me):
            given = arguments[1:] if value.takes_me else arguments
            measure = call_value(c, value, given[: len(value.parameters)], None, scope, node.measure.span)
        else:
            measure = attribute(c, arguments[0], name, None, scope, node.measure.span)
    else:
        measure = check(c, s.Name(span=name.span, name=node.measure.parts[0]), scope)
    symbol.measure = co.number(c, measure, "what an award is for", True)
    if node.at_least is not None:
        least = check_number(c, node.at_least, Scope(g.Frame()), halves=True)
        symbol.measure, symbol.at_least = co.same_scale(symbol.measure, least)


def check_rank(c: Context, node: d.Rank, symbol: g.RankSymbol) -> None:
    """The keys of a ranking."""
    scope = Scope(symbol.frame, me=me_local(node.span), address=symbol.name)
    symbol.shared = node.shared
    for key in node.keys:
        symbol.keys.append(
            (check_number(c, key.value, scope, "what players are ranked by", True), key.lowest_first, key.printed or "")
        )


__all__ = ["IntType", "ZoneType", "check_player"]
