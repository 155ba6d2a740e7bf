"""Effects: syntax in, typed statements out."""

from __future__ import annotations

from collections.abc import Callable

from regelwerk.dsl.checker import attributes as at
from regelwerk.dsl.checker import coercion as co
from regelwerk.dsl.checker import heads
from regelwerk.dsl.checker.can import can
from regelwerk.dsl.checker.context import Context, Scope
from regelwerk.dsl.checker.expressions import (
    check,
    check_as,
    check_condition,
    check_number,
    check_player,
    template,
)
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import (
    BOOL,
    PLAYER,
    BankType,
    EnumType,
    IntType,
    ListType,
    OptionalType,
    PlayerType,
    RowType,
    SetType,
    TallyType,
    ThingType,
    Type,
    UnknownType,
    ZoneType,
    member_of,
    strip,
    unknown,
)
from regelwerk.dsl.source import Span
from regelwerk.dsl.syntax import effects as s
from regelwerk.dsl.syntax import expressions as e
from regelwerk.dsl.syntax.base import Expression, Statement, Text


def check_block(c: Context, block: s.Block, scope: Scope) -> t.Sequence:
    """The statements of a block in a scope of its own."""
    return _statements(c, list(block.statements), scope.inner(), block.span)


def check_body(c: Context, block: s.Block, scope: Scope) -> t.Sequence:
    """The statements of a block, its names bound in `scope` itself."""
    return _statements(c, list(block.statements), scope, block.span)


class _Rest:
    """The rest of a block, checked when the names before it are bound."""

    def __init__(self, c: Context, nodes: list[Statement], scope: Scope, span: Span) -> None:
        self.c, self.nodes, self.scope, self.span = c, nodes, scope, span

    def __call__(self) -> t.Sequence:
        return _statements(self.c, self.nodes, self.scope, self.span)


def _statements(c: Context, nodes: list[Statement], scope: Scope, span: Span) -> t.Sequence:
    done: list[t.Stmt] = []
    for index, node in enumerate(nodes):
        if isinstance(node, s.Choose | s.Random) and node.body is None:
            rest = nodes[index + 1 :]
            inner = scope.inner()
            if isinstance(node, s.Choose):
                done.append(_choose(c, node, inner, _Rest(c, rest, inner, span)))
            else:
                done.append(_random(c, node, inner, _Rest(c, rest, inner, span)))
            return t.Sequence(span, done)
        found = check_statement(c, node, scope)
        if found is not None:
            done.append(found)
    return t.Sequence(span, done)


def check_statement(c: Context, node: Statement, scope: Scope) -> t.Stmt | None:
    """One statement; None if it is wrong or means nothing."""
    return _CHECKS[type(node)](c, node, scope)


def me_of(c: Context, scope: Scope, span: Span, what: str) -> x.Expr:
    """Who acts."""
    if scope.me is None:
        c.error(
            "E0401",
            f"nobody acts here, so there is nobody to {what}",
            span,
            "say for whom: `everyone { ... }` or `acting p { ... }`",
        )
        return x.Unavailable(PLAYER, span)
    return scope.me


# -------------------------------------------------------------------------------------------------------------- amounts
def amount(c: Context, node: Expression, scope: Scope) -> t.Amount:
    """An amount of goods, taken apart into units as far as it is written as a sum."""
    found = t.Amount()
    _amount_parts(c, node, scope, found)
    return found


def _amount_parts(c: Context, node: Expression, scope: Scope, into: t.Amount) -> None:
    if isinstance(node, e.Binary) and node.operator == "+":
        _amount_parts(c, node.left, scope, into)
        _amount_parts(c, node.right, scope, into)
        return
    typed = co_amount(c, check(c, node, scope, TallyType(None)), node.span)
    if isinstance(typed, x.TallyOf):
        kinds = typed.type.symbol if isinstance(typed.type, TallyType) else None
        for unit, count in typed.parts:
            into.parts.append((_unit(c, unit, kinds), count))
    elif not isinstance(typed.type, UnknownType):
        into.tallies.append(typed)


def _unit(c: Context, unit: int | x.Expr, kinds: g.EnumSymbol | None) -> g.Unit | tuple[g.ResourceSymbol, x.Expr]:
    if kinds is None:
        assert isinstance(unit, int)
        return c.unit_list[unit - 1]
    resource = next(
        each.symbol for each in c.unit_list if isinstance(each.symbol, g.ResourceSymbol) and each.symbol.kinds is kinds
    )
    if isinstance(unit, int):
        return g.Unit(resource, unit)
    if isinstance(unit, x.Const) and isinstance(unit.value, int):
        return g.Unit(resource, unit.value)
    return resource, unit


def unit_names(c: Context) -> list[str]:
    """The units as they are written, in the plural."""
    return sorted({name for name, unit in c.units.items() if name == getattr(unit, "plural", name)})[:8]


def co_amount(c: Context, expr: x.Expr, span: Span) -> x.Expr:
    """An expression as an amount; tallies must count units of the game."""
    kind = expr.type
    if isinstance(kind, OptionalType) and isinstance(kind.base, EnumType):
        expr = x.Present(kind.base, expr.span, expr, "what is counted")
        kind = expr.type
    if isinstance(kind, UnknownType):
        return expr
    if isinstance(kind, IntType):
        names = unit_names(c)
        c.error(
            "E0332",
            "an amount needs its unit",
            span,
            f"for example `1 {names[0]}`" if names else "declare a `resource` or a `track`",
        )
        return c.unavailable(span)
    symbol = kind.symbol if isinstance(kind, EnumType | TallyType) else None
    counted = {u.symbol.kinds for u in c.unit_list if isinstance(u.symbol, g.ResourceSymbol)}
    if isinstance(kind, EnumType | TallyType) and symbol is not None and symbol not in counted:
        c.error(
            "E0333",
            f"{symbol.name} is not counted by any resource of the game",
            span,
            f"declare `resource ... per {symbol.name}`",
        )
        return c.unavailable(span)
    if isinstance(kind, EnumType):
        return co.to_tally(c, expr, TallyType(kind.symbol))
    if isinstance(kind, TallyType):
        return expr
    if unknown(member_of(kind) or kind):
        return c.unavailable(span)
    if isinstance(strip(kind), ThingType) or member_of(kind) is not None:
        c.error("E0334", "things are moved, not gained, lost or paid", span, "write `move x to ZONE`")
        return c.unavailable(span)
    c.error("E0301", f"an amount is needed here, but this is {co.kind_words(kind)}", span)
    return c.unavailable(span)


def _reason(c: Context, text: Text | None, scope: Scope) -> x.Template | None:
    return template(c, text, scope) if text is not None else None


def _gain(c: Context, node: s.Gain, scope: Scope) -> t.Stmt:
    return t.Gain(
        node.span, me_of(c, scope, node.span, "gain"), amount(c, node.amount, scope), _reason(c, node.reason, scope)
    )


def _lose(c: Context, node: s.Lose, scope: Scope) -> t.Stmt:
    return t.Lose(
        node.span, me_of(c, scope, node.span, "lose"), amount(c, node.amount, scope), _reason(c, node.reason, scope)
    )


def _pay(c: Context, node: s.Pay, scope: Scope) -> t.Stmt:
    me = me_of(c, scope, node.span, "pay")
    price = amount(c, node.amount, scope)
    payment = t.Pay(node.span, me, price)
    if node.purchase is None:
        return payment
    bought = check_statement(c, node.purchase, scope) or t.Sequence(node.span, [])
    test = x.Both(BOOL, node.span, x.CanPay(BOOL, node.span, me, price), can(bought))
    return t.If(node.span, test, t.Sequence(node.span, [payment, bought]), None, True)


def _party(c: Context, node: Expression, scope: Scope, what: str) -> x.Expr:
    found = check(c, node, scope)
    if isinstance(found.type, BankType):
        return found
    kind = strip(found.type)
    if isinstance(kind, ThingType) and any(
        isinstance(u.symbol, g.ResourceSymbol) and kind.symbol in u.symbol.held_by for u in c.unit_list
    ):
        return found
    return co.coerce(c, found, PLAYER, what)


def _goods_of_bank(c: Context, parties: list[x.Expr], found: t.Amount, span: Span) -> None:
    """The bank has goods, but no place on tracks."""
    if any(isinstance(each, x.Bank) for each in parties):
        for unit, _ in found.parts:
            if isinstance(unit, g.Unit) and isinstance(unit.symbol, g.TrackSymbol):
                c.error("E0354", f"the bank has no {unit.words.many}", span, "write `gain` or `lose`")


def _give(c: Context, node: s.Give, scope: Scope) -> t.Stmt:
    giver = _party(c, node.giver, scope, "who gives") if node.giver is not None else me_of(c, scope, node.span, "give")
    receiver, given = _party(c, node.receiver, scope, "who receives"), amount(c, node.amount, scope)
    _goods_of_bank(c, [giver, receiver], given, node.span)
    return t.Transfer(node.span, giver, receiver, given)


def _take(c: Context, node: s.Take, scope: Scope) -> t.Stmt:
    giver, taken = _party(c, node.giver, scope, "who gives"), amount(c, node.amount, scope)
    _goods_of_bank(c, [giver], taken, node.span)
    return t.Transfer(node.span, giver, me_of(c, scope, node.span, "take"), taken)


# --------------------------------------------------------------------------------------------------------------- things
def _zone(c: Context, node: Expression, scope: Scope, what: str) -> x.Expr:
    found = check(c, node, scope)
    if isinstance(found.type, ZoneType | UnknownType):
        return found
    c.error("E0335", f"{what} must be a zone, but this is {co.kind_words(found.type)}", found.span)
    return c.unavailable(found.span)


def _things(c: Context, node: Expression, scope: Scope, what: str) -> x.Expr:
    found = co.as_collection(check(c, node, scope))
    kind = member_of(found.type) or strip(found.type)
    if isinstance(kind, UnknownType):
        return found
    if isinstance(kind, RowType):
        return co.coerce(c, found, ThingType(kind.symbol), what)
    if not isinstance(kind, ThingType):
        c.error("E0336", f"{what} must be a thing, but this is {co.kind_words(found.type)}", found.span)
        return c.unavailable(found.span)
    if not kind.symbol.movable:
        c.error(
            "E0337",
            f"{kind.symbol.plural or kind.symbol.name} cannot be moved: they are {kind.symbol.kind}",
            found.span,
            "only cards, tiles, pieces and dice lie in zones",
        )
        return c.unavailable(found.span)
    return found


def _same_kind(c: Context, things: x.Expr, zone: x.Expr, span: Span) -> None:
    kind = member_of(things.type) or strip(things.type)
    if isinstance(kind, ThingType) and isinstance(zone.type, ZoneType) and kind.symbol is not zone.type.symbol:
        c.error(
            "E0338",
            f"this zone is for {zone.type.symbol.plural or zone.type.symbol.name}, not for {kind.symbol.plural or kind.symbol.name}",
            span,
        )


def _move(c: Context, node: s.Move, scope: Scope) -> t.Stmt:
    things, zone = _things(c, node.things, scope, "what is moved"), _zone(c, node.zone, scope, "where it is moved")
    _same_kind(c, things, zone, node.zone.span)
    if node.at_bottom and isinstance(zone.type, ZoneType) and not zone.type.ordered:
        c.error("E0311", "only an ordered zone has a bottom", node.zone.span, "declare the zone with `order pile`")
    return t.Move(node.span, scope.me or x.Const(PLAYER, node.span, 0), things, zone, node.at_bottom)


def _draw(c: Context, node: s.Draw, scope: Scope) -> t.Stmt:
    source, zone = _zone(c, node.source, scope, "where is drawn from"), _zone(c, node.zone, scope, "where it goes")
    if isinstance(source, x.ZoneRef) and source.symbol.order is None:
        c.error(
            "E0311",
            "one draws from the top, and this zone has no order",
            node.source.span,
            "declare the zone with `order pile`, or write `random x in ...`",
        )
    if (
        isinstance(source.type, ZoneType)
        and isinstance(zone.type, ZoneType)
        and source.type.symbol is not zone.type.symbol
    ):
        c.error("E0338", f"this zone is for {zone.type.symbol.name}, not for {source.type.symbol.name}", node.zone.span)
    return t.Draw(
        node.span,
        scope.me or x.Const(PLAYER, node.span, 0),
        check_number(c, node.amount, scope, "how many are drawn"),
        source,
        zone,
    )


def _shuffle(c: Context, node: s.Shuffle, scope: Scope) -> t.Stmt | None:
    if node.into is None and isinstance(node.things, e.Attribute):
        state = next(
            (each for each in c.attributes.get(node.things.name.text, []) if isinstance(each, g.StateSymbol)), None
        )
        base = check(c, node.things.base, scope)
        if (
            state is not None
            and member_of(base.type) is not None
            and not any(isinstance(z, g.ZoneSymbol) for z in c.attributes[state.name])
        ):
            return t.ShuffleState(node.span, state, co.as_set(base))
    zone = _zone(c, node.things, scope, "what is shuffled")
    into = _zone(c, node.into, scope, "where it is shuffled into") if node.into is not None else None
    target = into or zone
    if isinstance(target.type, ZoneType) and not target.type.ordered:
        c.error(
            "E0311", "this zone has no order that could be shuffled", node.span, "declare the zone with `order pile`"
        )
    return t.Shuffle(node.span, zone, into)


def _roll(c: Context, node: s.Roll, scope: Scope) -> t.Stmt:
    dice = _things(c, node.dice, scope, "what is rolled")
    kind = member_of(dice.type) or strip(dice.type)
    if isinstance(kind, ThingType) and kind.symbol.faces is None:
        c.error(
            "E0339",
            f"{kind.symbol.plural or kind.symbol.name} have no faces to roll",
            node.dice.span,
            "declare them as `dice ... faces 1..6`",
        )
    return t.Roll(node.span, scope.me or x.Const(PLAYER, node.span, 0), dice)


def _reveal(c: Context, node: s.Reveal, scope: Scope) -> None:
    c.not_yet("`reveal`", node.span)


# ---------------------------------------------------------------------------------------------------------------- calls
def _do(c: Context, node: s.Do, scope: Scope) -> t.Stmt | None:
    call = node.call
    if isinstance(call, e.Name):
        return _do_effect(c, call, scope, node.span)
    if isinstance(call, e.Attribute):
        thing = check(c, call.base, scope)
        kind = strip(thing.type)
        if isinstance(kind, UnknownType):
            return None
        column = kind.symbol.columns.get(call.name.text) if isinstance(kind, ThingType | RowType) else None
        if column is None or column.kind != "effect":
            names = (
                [n for n, col in kind.symbol.columns.items() if col.kind == "effect"]
                if isinstance(kind, ThingType | RowType)
                else []
            )
            c.error(
                "E0402",
                f"{co.kind_words(kind)} has no column of effects `{call.name.text}`",
                call.name.span,
                c.suggest(call.name.text, names),
            )
            return None
        arguments = _arguments(c, column.name, column.parameters, [], call.arguments, scope, call.span)
        return (
            None
            if arguments is None
            else t.DoCell(node.span, scope.me or x.Const(PLAYER, node.span, 0), column, thing, arguments)
        )
    c.error("E0403", "`do` runs an effect by name", node.span, "write `do NAME(...)` or `do thing.column(...)`")
    return None


def _do_effect(c: Context, call: e.Name, scope: Scope, span: Span) -> t.Stmt | None:
    symbol = c.effects.get(call.name.text)
    if symbol is None:
        help_text = c.suggest(call.name.text, list(c.effects))
        if call.name.text in c.actions:
            help_text = f"`{call.name.text}` is an action: players are offered it with `offer {call.name.text}`"
        c.error("E0404", f"there is no effect `{call.name.text}`", call.name.span, help_text)
        return None
    c.ensure(symbol)  # whether it can begin is asked of its body
    arguments = _arguments(c, symbol.name, symbol.parameters, symbol.defaults, call.arguments, scope, call.span)
    return None if arguments is None else t.Do(span, scope.me or x.Const(PLAYER, span, 0), symbol, arguments)


def _arguments(
    c: Context,
    name: str,
    parameters: list[tuple[str, Type]],
    defaults: list[x.Expr | None],
    given: at.Arguments,
    scope: Scope,
    span: Span,
) -> list[x.Expr] | None:
    slots: list[x.Expr | None] = [None] * len(parameters)
    position = 0
    for argument in given or ():
        if argument.name is not None:
            index = next((i for i, (each, _) in enumerate(parameters) if each == argument.name.text), -1)
            if index < 0:
                c.error(
                    "E0315",
                    f"`{name}` has no parameter `{argument.name.text}`",
                    argument.name.span,
                    c.suggest(argument.name.text, [p for p, _ in parameters]),
                )
                return None
        else:
            index, position = position, position + 1
        if index >= len(parameters):
            c.error("E0316", at._wrong_number(name, parameters), argument.span)
            return None
        found = check_as(c, argument.value, scope, parameters[index][1], f"`{parameters[index][0]}`")
        slots[index] = present(found, parameters[index][1], f"`{parameters[index][0]}` of `{name}`")
    for index, each in enumerate(slots):
        if each is None:
            slots[index] = defaults[index] if index < len(defaults) else None
    if any(each is None for each in slots):
        c.error("E0316", at._wrong_number(name, parameters), span)
        return None
    return [each for each in slots if each is not None]


# -------------------------------------------------------------------------------------------------------------- choices
def _choose(c: Context, node: s.Choose, inner: Scope, rest: Callable[[], t.Stmt] | None = None) -> t.Stmt:
    me = me_of(c, inner, node.span, "choose")
    head = heads.check_head(c, node.head, inner)
    prompt = template(c, node.prompt, inner) if node.prompt is not None and not _mentions(node) else None
    if node.prompt is not None and prompt is None:
        c.error(
            "E0405",
            "the text of a choice cannot speak of what is only chosen by it",
            node.prompt.span,
            "speak of what is known before the choice",
        )
    again = node.again
    at_most = done_when = None
    done: x.Template | None = None
    count_slot = 0
    if again is not None:
        count_slot = inner.frame.new("picks", IntType(0, 4096))
        at_most = check_number(c, again.at_most, inner) if again.at_most is not None else None
        done = template(c, again.done, inner) if again.done is not None else None
        done_when = check_condition(c, again.done_when, inner) if again.done_when is not None else None
    body = (
        rest()
        if rest is not None
        else check_block(c, node.body, inner)
        if node.body is not None
        else t.Sequence(node.span, [])
    )
    address = inner.address or "choice"
    return t.Choose(
        node.span,
        me,
        head,
        prompt,
        node.optional,
        body,
        address,
        again is not None,
        at_most,
        count_slot,
        done,
        done_when,
    )


def _mentions(node: s.Choose) -> bool:
    names = {binder.name.text for binder in node.head.binders}
    if node.prompt is None:
        return False

    def inside(value: object) -> bool:
        if isinstance(value, e.Name):
            return value.name.text in names or any(inside(a.value) for a in value.arguments or ())
        if isinstance(value, Expression):
            return any(inside(part) for part in value.__dict__.values())
        if isinstance(value, tuple):
            return any(inside(part) for part in value)
        return False

    return any(inside(hole.value) for hole in node.prompt.holes)


def _choose_statement(c: Context, node: s.Choose, scope: Scope) -> t.Stmt:
    return _choose(c, node, scope.inner())


def _random(c: Context, node: s.Random, inner: Scope, rest: Callable[[], t.Stmt] | None = None) -> t.Stmt:
    binder = heads.check_binder(c, node.binder, inner, single_only=True)
    body = (
        rest()
        if rest is not None
        else check_block(c, node.body, inner)
        if node.body is not None
        else t.Sequence(node.span, [])
    )
    return t.RandomPick(node.span, binder, body, inner.address)


def _random_statement(c: Context, node: s.Random, scope: Scope) -> t.Stmt:
    return _random(c, node, scope.inner())


def _labelled(c: Context, node: s.Labelled, scope: Scope) -> t.Alternative:
    test = check_condition(c, node.condition, scope) if node.condition is not None else None
    body = check_block(c, node.body, scope)
    begins = can(body)
    both = begins if test is None else x.Both(BOOL, node.span, test, begins)
    return t.Alternative(template(c, node.label, scope), both, body)


def _choose_options(c: Context, node: s.ChooseOptions, scope: Scope, may: bool = False) -> t.Stmt:
    me = me_of(c, scope, node.span, "choose")
    ways = [_labelled(c, each, scope) for each in node.options]
    lowest, highest = (len(ways), len(ways)) if node.in_any_order else (node.lowest, node.highest)
    done_slot = scope.frame.new("taken", SetType(IntType(0, 30)))
    if len(ways) > 30:
        c.error("E0406", "a choice has at most 30 labelled options", node.span)
    return t.Alternatives(node.span, me, ways, lowest, highest, may, done_slot, scope.address)


def _either(c: Context, node: s.Either, scope: Scope, may: bool = False) -> t.Stmt:
    me = me_of(c, scope, node.span, "choose")
    ways = []
    for each in node.alternatives:
        body = check_statement(c, each, scope.inner()) or t.Sequence(each.span, [])
        ways.append(t.Alternative(describe(c, each, scope), can(body), body))
    return t.Alternatives(
        node.span, me, ways, 1, 1, may, scope.frame.new("taken", SetType(IntType(0, 30))), scope.address
    )


def _may(c: Context, node: s.May, scope: Scope) -> t.Stmt:
    body_node = node.body
    while isinstance(body_node, s.Block) and len(body_node.statements) == 1 and not body_node.braces:
        body_node = body_node.statements[0]
    if isinstance(body_node, s.ChooseOptions):
        return _choose_options(c, body_node, scope, may=True)
    if isinstance(body_node, s.Either):
        return _either(c, body_node, scope, may=True)
    me = me_of(c, scope, node.span, "decide")
    body = check_statement(c, node.body, scope.inner()) or t.Sequence(node.span, [])
    way = t.Alternative(describe(c, node.body, scope), can(body), body)
    return t.Alternatives(
        node.span, me, [way], 1, 1, True, scope.frame.new("taken", SetType(IntType(0, 30))), scope.address
    )


def describe(c: Context, node: Statement, scope: Scope) -> x.Template:
    """A way without a label, in words made from what it does."""
    parts: list[str | x.Expr] = []
    _describe(c, node, scope, parts)
    merged: list[str | x.Expr] = []
    for part in parts:
        if isinstance(part, str) and merged and isinstance(merged[-1], str):
            merged[-1] += part
        else:
            merged.append(part)
    return x.Template(merged or ["do it"])


def _describe(c: Context, node: Statement, scope: Scope, parts: list[str | x.Expr]) -> None:
    if isinstance(node, s.Block):
        for index, each in enumerate(node.statements):
            if index:
                parts.append(", then ")
            _describe(c, each, scope, parts)
    elif isinstance(node, s.Gain | s.Lose | s.Pay | s.Take | s.Give):
        verb = {s.Gain: "", s.Lose: "lose ", s.Pay: "pay ", s.Take: "take ", s.Give: "give "}[type(node)]
        parts.append(verb)
        quiet = Context(type(c.diagnostics)(), c.sources)
        quiet.__dict__.update({k: v for k, v in c.__dict__.items() if k != "diagnostics"})
        typed = check(quiet, node.amount, scope, TallyType(None))
        parts.append(
            co.to_tally(quiet, typed, TallyType(None)) if isinstance(typed.type, TallyType | EnumType) else "something"
        )
        if isinstance(node, s.Pay) and node.purchase is not None:
            parts.append(" to ")
            _describe(c, node.purchase, scope, parts)
    elif (isinstance(node, s.Do) and isinstance(node.call, e.Name)) or (
        isinstance(node, s.Do) and isinstance(node.call, e.Attribute)
    ):
        parts.append(node.call.name.text.replace("_", " "))
    elif isinstance(node, s.Choose) and node.prompt is not None:
        parts.append(node.prompt.raw)
    else:
        parts.append(
            c.sources[node.span.source].text[node.span.start : node.span.end]
            if node.span.source in c.sources
            else "do it"
        )


# ------------------------------------------------------------------------------------------------------------- the rest
def present(found: x.Expr, wanted: Type, what: str) -> x.Expr:
    """A value that may be none where one is needed: tested when it is used."""
    if isinstance(found.type, OptionalType) and not isinstance(wanted, OptionalType | UnknownType):
        return x.Present(found.type.base, found.span, found, what)
    return found


def _block(c: Context, node: s.Block, scope: Scope) -> t.Stmt:
    return check_block(c, node, scope)


def _if(c: Context, node: s.If, scope: Scope) -> t.Stmt:
    test = check_condition(c, node.condition, scope, "the condition of `if`")
    other = check_statement(c, node.otherwise, scope) if node.otherwise is not None else None
    return t.If(node.span, test, check_block(c, node.consequence, scope), other)


def _for(c: Context, node: s.For, scope: Scope) -> t.Stmt:
    inner = scope.inner()
    head = heads.check_head(c, node.head, inner, single_only=True)
    return t.ForEach(node.span, head, check_block(c, node.body, inner))


def _everyone(c: Context, node: s.Everyone, scope: Scope) -> t.Stmt:
    players = None
    if node.players is not None:
        players = check(c, node.players, scope)
        if (
            not isinstance(strip(member_of(players.type) or players.type), PlayerType)
            or member_of(players.type) is None
        ):
            if not isinstance(players.type, UnknownType):
                c.error(
                    "E0301", f"`everyone in` needs players, but this is {co.kind_words(players.type)}", players.span
                )
            players = None
        elif not isinstance(players.type, ListType):
            players = co.as_set(players)
    inner = scope.inner()
    slot = inner.frame.new("me", PLAYER)
    inner.me = x.Local(PLAYER, node.span, slot)
    return t.Everyone(node.span, players, slot, check_block(c, node.body, inner))


def _acting(c: Context, node: s.Acting, scope: Scope) -> t.Stmt:
    player = check_player(c, node.player, scope, "who acts")
    inner = scope.inner()
    slot = inner.frame.new("me", PLAYER)
    inner.me = x.Local(PLAYER, node.span, slot)
    return t.Acting(node.span, player, slot, check_block(c, node.body, inner))


def _repeat(c: Context, node: s.Repeat, scope: Scope) -> t.Stmt:
    at_most = check_number(c, node.at_most, scope, "how often")
    test = check_condition(c, node.condition, scope) if node.condition is not None else None
    return t.Repeat(
        node.span, at_most, test, scope.frame.new("passes", IntType(0, 32767)), check_block(c, node.body, scope)
    )


def _let(c: Context, node: s.Let, scope: Scope) -> t.Stmt:
    value = check(c, node.value, scope)
    heads.shadow_check(c, node.name.text, scope, node.name.span)
    if isinstance(value.type, ZoneType):
        value = co.as_collection(value)
    return t.Let(node.span, scope.bind(node.name.text, value.type), value)


def _set(c: Context, node: s.Set, scope: Scope) -> t.Stmt | None:
    target = check(c, node.target, scope)
    span = node.span
    if isinstance(target, x.StateRead):
        return t.SetState(
            span,
            target.symbol,
            target.key,
            present(
                check_as(c, node.value, scope, target.symbol.type, f"`{target.symbol.name}`"),
                target.symbol.type,
                f"`{target.symbol.name}`",
            ),
        )
    if isinstance(target, x.FaceRead):
        return t.SetFace(span, target.die, check_number(c, node.value, scope, "a face"))
    if isinstance(target, x.TrackRead):
        return t.SetTrack(
            span, target.symbol, target.player, check_number(c, node.value, scope, f"`{target.symbol.name}`")
        )
    if isinstance(target, x.ZoneRef) and scope.in_given:
        return _set_zone(c, target, node.value, scope, span)
    if isinstance(target, x.ResourceRead) and scope.in_given and not isinstance(target.holder.type, BankType):
        return t.SetResource(span, target.symbol, target.holder, target.unit, check_number(c, node.value, scope))
    if isinstance(target.type, UnknownType):
        return None
    help_text = None
    if isinstance(target, x.ZoneRef):
        help_text = "things are moved: `move x to ZONE` (only a scenario's `given` sets a zone)"
    elif isinstance(target, x.ResourceRead):
        help_text = "goods are gained, lost, paid, given and taken"
    elif isinstance(target, x.Call | x.ConstantRead | x.ColumnRead | x.Local):
        help_text = "only states, tracks and dice faces can be set; what can be computed is never stored"
    c.error("E0407", "this cannot be set", node.target.span, help_text)
    return None


def _set_zone(c: Context, target: x.ZoneRef, value: Expression, scope: Scope, span: Span) -> t.Stmt | None:
    if not isinstance(value, e.ListLiteral | e.SetLiteral):
        c.error("E1003", "a zone is filled with a list: `set ZONE = [a, b]`", value.span)
        return None
    kind = ThingType(target.symbol.entity)
    items = []
    for each in value.items:
        item = check(c, each, scope, kind)
        if strip(item.type) not in (kind, RowType(kind.symbol)) and not isinstance(item.type, UnknownType):
            c.error("E0338", f"this zone is for {kind.symbol.plural or kind.symbol.name}", each.span)
            continue
        items.append(item)
    return t.SetZone(span, target, items)


def _step(c: Context, node: s.Step, scope: Scope) -> t.Stmt:
    inner = scope.inner(address=f"{scope.address}.{node.name.text}")
    symbol = g.StepSymbol(node.name.text, node.span, inner.address)
    body = check_block(c, node.body, inner)
    symbol.frame, symbol.body = scope.frame, body
    c.steps.setdefault(symbol.path, symbol)
    return t.Step(node.span, c.steps[symbol.path], None, body)


def _as_one(c: Context, node: s.AsOne, scope: Scope) -> t.Stmt:
    return t.AsOne(node.span, check_block(c, node.body, scope))


def _nothing(c: Context, node: s.Nothing, scope: Scope) -> None:
    return None


def _require(c: Context, node: s.Require, scope: Scope) -> None:
    c.error("E0408", "`require` stands at the beginning of an effect", node.span, "elsewhere write `if c { }`")


def check_offer(c: Context, node: s.Offer, scope: Scope) -> t.Offer:
    """`offer a, b` of a phase or an effect."""
    me = me_of(c, scope, node.span, "be offered anything")
    names = [*node.actions, *node.until_actions]
    found = {}
    for each in names:
        symbol = c.actions.get(each.text)
        if symbol is None:
            help_text = c.suggest(each.text, list(c.actions))
            if each.text in c.effects:
                help_text = "it is an effect; players are offered actions"
            c.error("E0409", f"there is no action `{each.text}`", each.span, help_text)
        else:
            found[each.text] = symbol
    for each in node.until_actions:
        wrong = any(a.text not in found for a in node.actions)
        if each.text not in {a.text for a in node.actions} and each.text in found and not wrong:
            c.error(
                "E0410",
                f"`{each.text}` is not among the actions offered here",
                each.span,
                "`until` names one of the actions that are offered",
            )
    passing = (
        template(c, node.passing_text, scope)
        if node.passing_text is not None
        else x.Template(["pass"])
        if node.passing
        else None
    )
    done = (
        template(c, node.done_text, scope)
        if node.done_text is not None
        else x.Template(["done"])
        if node.until_done
        else None
    )
    return t.Offer(
        node.span,
        me,
        [found[each.text] for each in node.actions if each.text in found],
        passing,
        [found[each.text] for each in node.until_actions if each.text in found],
        done,
        scope.address,
    )


def _pin(c: Context, node: s.Pin, scope: Scope) -> t.Stmt | None:
    target = (
        check(c, node.target, scope) if not isinstance(node.target, e.Attribute) else _pin_target(c, node.target, scope)
    )
    if isinstance(target, (t.SetPin, x.Call)):
        symbol, arguments = target.symbol, target.arguments
    else:
        if not isinstance(target.type, UnknownType):
            c.error("E1001", "only a value can be pinned", node.target.span)
        return None
    wanted = len(symbol.parameters) + int(symbol.takes_me)
    assert symbol.type is not None
    if len(arguments) == wanted:
        return t.SetPin(node.span, symbol, arguments, check_as(c, node.value, scope, symbol.type), None)
    if not isinstance(node.value, e.ListLiteral) or len(arguments) != wanted - 1:
        c.error(
            "E1002",
            f"`pin` fixes `{symbol.name}` for its arguments, or with a list for each member of its last parameter",
            node.span,
        )
        return None
    return t.SetPin(
        node.span, symbol, arguments, None, [check_as(c, each, scope, symbol.type) for each in node.value.items]
    )


def _pin_target(c: Context, node: e.Attribute, scope: Scope) -> x.Expr | t.SetPin:
    base = check(c, node.base, scope)
    for symbol in c.attributes.get(node.name.text, []):
        if isinstance(symbol, g.ValueSymbol) and at._takes(symbol, strip(base.type)):
            c.ensure(symbol)
            first = [scope.me or x.Const(PLAYER, node.span, 0)] if symbol.takes_me else []
            given = [
                check_as(c, a.value, scope, symbol.parameters[i + 1][1])
                for i, a in enumerate(node.arguments or ())
                if i + 1 < len(symbol.parameters)
            ]
            return t.SetPin(node.span, symbol, [*first, base, *given], None, None)
    return check(c, node, scope)


_CHECKS: dict[type, Callable[..., t.Stmt | None]] = {
    s.Block: _block,
    s.Gain: _gain,
    s.Lose: _lose,
    s.Pay: _pay,
    s.Give: _give,
    s.Take: _take,
    s.Move: _move,
    s.Draw: _draw,
    s.Shuffle: _shuffle,
    s.Roll: _roll,
    s.Reveal: _reveal,
    s.Do: _do,
    s.May: _may,
    s.ChooseOptions: _choose_options,
    s.Either: _either,
    s.Choose: _choose_statement,
    s.Random: _random_statement,
    s.If: _if,
    s.For: _for,
    s.Everyone: _everyone,
    s.Acting: _acting,
    s.Repeat: _repeat,
    s.Let: _let,
    s.Set: _set,
    s.Require: _require,
    s.Step: _step,
    s.AsOne: _as_one,
    s.Nothing: _nothing,
    s.Offer: check_offer,
    s.Pin: _pin,
}

__all__ = ["OptionalType", "amount", "check_block", "check_body", "check_offer", "check_statement", "me_of"]
