"""Citations against the rulebooks that a file declares: clauses that are not there, cited twice, or never cited.

`rulebook "Title" [V-001..111]` says which clauses there are. A file that declares none, and builds on none that does,
is not judged.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from regelwerk.dsl.checker.context import citations
from regelwerk.dsl.diagnostics import Label
from regelwerk.dsl.lints.subject import Subject
from regelwerk.dsl.syntax import declarations as d
from regelwerk.dsl.syntax.base import Citation, Expression, Identifier, Node, Noun, Path, Text, TypeSyntax

SHOWN = 6
"""So many clauses are named in a message."""


def find(s: Subject) -> None:
    """All that is wrong with citations."""
    cited: set[str] = set()
    known = {clause for _, clauses in s.game.rulebooks for clause in clauses}
    for group in _groups(s.own_file):
        _twice(s, group)
        for each in group:
            clauses = citations((each,))
            cited.update(clauses)
            strange = [clause for clause in clauses if clause not in known] if known else []
            if strange:
                s.report(
                    "W0960",
                    f"no rulebook here has {_listed(strange)}",
                    each.span,
                    "correct it, or add it to the `rulebook` line",
                )
    if known:
        _never(s, cited)


def _twice(s: Subject, group: list[Citation]) -> None:
    seen: dict[str, Citation] = {}
    for each in group:
        again = [clause for clause in citations((each,)) if clause in seen]
        if again:
            first = seen[again[0]]
            s.report(
                "W0961",
                f"{_listed(again)} is cited twice here",
                each.span,
                "once is enough",
                (Label(first.span, "cited here"),),
            )
        for clause in citations((each,)):
            seen.setdefault(clause, each)


def _never(s: Subject, cited: set[str]) -> None:
    """Clauses of a rulebook that nothing cites."""
    books = [node for node in s.declarations if isinstance(node, d.Rulebook) and s.is_own(node.span)]
    if not books:
        return
    for node in s.declarations:
        if not s.is_own(node.span):
            cited |= {clause for group in _groups(node) for clause in citations(tuple(group))}
    for book in books:
        left = [clause for clause in citations(book.clauses) if clause not in cited]
        if left:
            s.report(
                "W0962",
                f"nothing cites {_listed(left)} of this rulebook",
                book.span,
                'cite each where it is made, or say why it needs no rule: `remark "why" [...]`',
            )


def _groups(node: object) -> Iterator[list[Citation]]:
    """The citations of each clause, without those that say what a rulebook has."""
    stack: list[object] = [node]
    while stack:
        here = stack.pop()
        if isinstance(here, tuple):
            stack.extend(reversed(here))
        elif isinstance(here, Node):
            values = here.__dict__
            for name in ("citations", "effect_citations"):
                if values.get(name):
                    yield list(values[name])
            stack.extend(values[name] for name in _may_cite(here.__class__))


@cache
def _may_cite(kind: type[Node]) -> tuple[str, ...]:
    """The fields of a kind of node in which clauses are cited: nothing in an expression is."""
    if issubclass(kind, d.Rulebook | Expression | TypeSyntax | Text | Identifier | Path | Citation | Noun):
        return ()
    plain = {
        "span",
        "citations",
        "effect_citations",
        "name",
        "path",
        "printed",
        "condition",
        "value",
        "reason",
        "prompt",
    }
    return tuple(name for name in reversed(kind.model_fields) if name not in plain)


def _listed(clauses: list[str]) -> str:
    shown = [f"`{each}`" for each in clauses[:SHOWN]]
    if len(clauses) > SHOWN:
        return f"{', '.join(shown)} and {len(clauses) - SHOWN} more"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


__all__ = ["find"]
