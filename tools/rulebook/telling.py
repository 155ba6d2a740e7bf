"""Conditions and values told part by part, where one sentence would be endless."""

from __future__ import annotations

from regelwerk.dsl.model import expressions as x
from regelwerk.tools.rulebook import english as en
from regelwerk.tools.rulebook.computing import players_counted
from regelwerk.tools.rulebook.holding import conjuncts, disjuncts
from regelwerk.tools.rulebook.markup import plain
from regelwerk.tools.rulebook.wording import Line, Words


def told(w: Words, node: x.Expr, lead: str = "") -> list[Line]:
    """A condition as sentences, nested where it has several parts; `lead` begins the first one."""
    node = node.value if isinstance(node, x.Hoisted) else node
    short = w.clause(node)
    if len(plain(short)) < NESTED and not isinstance(node, x.Switch):
        return [Line(en.sentence(f"{lead}{short}"))]
    if isinstance(node, x.Both | x.AnyOf):
        parts = conjuncts(node) if isinstance(node, x.Both) else disjuncts(node)
        word = "all of this holds:" if isinstance(node, x.Both) else "one of these holds:"
        return [Line(en.capital(f"{lead}{word}"), [line for each in parts for line in told(w, each)])]
    if lead.endswith(" if ") and isinstance(node, x.Switch | x.Select):
        lead = f"{lead.removesuffix(' if ')}, depending on this: "
    depends = "" if lead.endswith("this: ") else "it depends:"
    if isinstance(node, x.Switch):
        cases = [line for keys, value in node.cases for line in told(w, value, f"{_case(w, node, keys)}: ")]
        if node.default is not None:
            cases += told(w, node.default, "otherwise: ")
        return [Line(en.capital(f"{lead}{depends}".rstrip()), cases)]
    if (
        isinstance(node, x.Select)
        and not isinstance(node.consequence, x.Const)
        and not isinstance(node.alternative, x.Const)
    ):
        cases = [
            *told(w, node.consequence, f"if {w.clause(node.condition)}: "),
            *told(w, node.alternative, "otherwise: "),
        ]
        return [Line(en.capital(f"{lead}{depends}".rstrip()), cases)]
    return [Line(en.sentence(f"{lead}{short}"))]


def _case(w: Words, node: x.Switch, keys: x.Expr | tuple[x.Expr, x.Expr]) -> str:
    key = f"{w.text(keys[0])} to {w.text(keys[1])}" if isinstance(keys, tuple) else w.text(keys)
    return f"with {key} players" if players_counted(node.subject) else f"if {w.text(node.subject)} is {key}"


def value_lines(w: Words, node: x.Expr, lead: str = "") -> list[Line]:
    """A value as sentences, nested where it depends on several things or adds them up."""
    parts = _summands(node)
    if len(parts) > 1 and len(plain(w.text(node))) > NESTED:
        return [Line(en.capital(f"{lead}the sum of:"), [line for each in parts for line in value_lines(w, each)])]
    if isinstance(node, x.Switch) and len(node.cases) > 2:
        cases = [Line(en.sentence(f"{_case(w, node, keys)}: {w.text(value)}")) for keys, value in node.cases]
        if node.default is not None:
            cases.append(Line(en.sentence(f"otherwise: {w.text(node.default)}")))
        return [Line(en.capital(f"{lead}it depends:"), cases)]
    if isinstance(node, x.Select) and len(plain(w.text(node))) > NESTED:
        cases = [
            Line(en.sentence(f"if {w.clause(node.condition)}: {w.text(node.consequence)}")),
            *value_lines(w, node.alternative, "otherwise: "),
        ]
        return [Line(en.capital(f"{lead}it depends:"), cases)] if not lead.startswith("otherwise") else cases
    return [Line(en.sentence(f"{lead}{w.text(node)}"))]


def _summands(node: x.Expr) -> list[x.Expr]:
    if isinstance(node, x.Arithmetic) and node.operator == "+":
        return [*_summands(node.left), *_summands(node.right)]
    return [node]


NESTED = 110
"""A condition longer than this is told part by part."""


__all__ = ["told", "value_lines"]
