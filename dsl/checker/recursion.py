"""Values of libraries that call themselves: `value f(...) shrinking x`.

Every call of `f` in its own body must pass less for `x`: a set without some member that is in it, or a smaller number.
Here it is checked that the argument is built in a way that can be less; that it really is, and how deep the calls go,
is tested when the value is asked for.
"""

from __future__ import annotations

from regelwerk.dsl.checker.context import Context
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import IntType, SetType, numeric
from regelwerk.dsl.model.walking import walk
from regelwerk.dsl.syntax import declarations as d


def enter_shrinking(c: Context, symbol: g.ValueSymbol, node: d.Value) -> None:
    """Which parameter of a value shrinks."""
    if node.shrinking is None:
        return
    c.recursive.add(symbol)  # whether or not it is right: that it calls itself is not said again
    names = [name for name, _ in symbol.parameters]
    if node.shrinking.text not in names:
        c.error(
            "E0220",
            f"`{symbol.name}` has no parameter `{node.shrinking.text}`",
            node.shrinking.span,
            c.suggest(node.shrinking.text, names, "`shrinking` names the parameter of which every call passes less"),
        )
        return
    index = names.index(node.shrinking.text)
    kind = symbol.parameters[index][1]
    if not isinstance(kind, SetType | IntType):
        c.error(
            "E0221",
            f"only a set or a number can shrink, and `{names[index]}` is {kind}",
            node.shrinking.span,
            "name a parameter that is a set, or a number",
        )
        return
    if node.type is None:
        c.error(
            "E0222",
            f"`{symbol.name}` calls itself, so its type must be written",
            node.name.span,
            "write it behind the brackets: `value f(...): TYPE shrinking x = ...`",
        )
        return
    symbol.shrinking = index


def check_calls(c: Context, symbols: list[g.Symbol]) -> None:
    """Every call of a value in its own body passes less for the parameter that shrinks."""
    for symbol in symbols:
        if not isinstance(symbol, g.ValueSymbol) or symbol.shrinking is None or symbol.body is None:
            continue
        shift = 1 if symbol.takes_me else 0
        slot = symbol.slots[symbol.shrinking + shift]
        name = symbol.parameters[symbol.shrinking][0]
        for each in walk(symbol.body):
            if isinstance(each, x.Call) and each.symbol is symbol:
                argument = each.arguments[symbol.shrinking + shift]
                if not _less(argument, slot):
                    what = "open except {x}" if isinstance(argument.type, SetType) else "n - 1"
                    c.error(
                        "E0223",
                        f"`{symbol.name}` calls itself and passes nothing less for `{name}`",
                        argument.span,
                        f"pass a part of it, for example `{what.replace('open', name).replace('n -', f'{name} -')}`",
                    )


def _less(node: x.Expr, slot: int) -> bool:
    """Whether an expression can only be less than, or a part of, the local variable in `slot`."""
    if isinstance(node, x.Difference):
        return _part(node.left, slot) and not (isinstance(node.right, x.SetOf) and not node.right.items)
    if isinstance(node, x.Filter | x.ToSet):
        return _less(node.collection, slot) or (isinstance(node, x.Filter) and _part(node.collection, slot))
    if isinstance(node, x.Select):
        return _less(node.consequence, slot) and _less(node.alternative, slot)
    if isinstance(node, x.Arithmetic):
        right = numeric(node.right.type)
        whole = isinstance(node.left, x.Local) and node.left.slot == slot
        if node.operator == "-":
            return (whole or _less(node.left, slot)) and right is not None and right.lowest >= 1
        if node.operator == "div":
            return whole and right is not None and right.lowest >= 2
    return False


def _part(node: x.Expr, slot: int) -> bool:
    """Whether an expression is the set in `slot`, or a part of it."""
    return (isinstance(node, x.Local) and node.slot == slot) or _less(node, slot)
