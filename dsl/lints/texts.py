"""What people read: names that two things share, printed names that say nothing new, names against the convention,
options and actions without a text."""

from __future__ import annotations

from collections.abc import Iterator

from regelwerk.dsl.composition.trees import same
from regelwerk.dsl.diagnostics import Fix, Label, Replacement
from regelwerk.dsl.lints.subject import Subject
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.source import Span
from regelwerk.dsl.syntax import declarations as d
from regelwerk.dsl.syntax import flow
from regelwerk.dsl.syntax import scenarios as sc
from regelwerk.dsl.syntax.base import Declaration, Identifier, Noun

TYPES = (d.EnumDeclaration, d.Entity, d.Record, d.Interface)


def find(s: Subject) -> None:
    """All about names and texts."""
    for node in s.declarations:
        if not s.is_own(node.span):
            continue
        _printed(s, node)
        _convention(s, node)
        if isinstance(node, d.Option) and node.question is None:
            s.report(
                "W0966",
                f"the option `{node.name.text}` has no question for those who start a game",
                node.name.span,
                'write it behind the default: `"Play with the short deck?"`',
            )
    _offers(s)


# -------------------------------------------------------------------------------------------------------- printed names
def _printed(s: Subject, node: Declaration) -> None:
    seen: dict[str, list[d.Row]] = {}
    for row in node.rows if isinstance(node, d.Entity) else ():
        if row.printed is None or not any(row.cells):
            continue
        alike = seen.setdefault(row.printed, [])
        first = next((each for each in alike if same(each.cells, row.cells)), None)
        if first is not None:
            s.report(
                "W0963",
                f'two rows are the same in everything, printed "{row.printed}"',
                row.name.span,
                "make them one row with `copies 2`, or correct one of them",
                (Label(first.name.span, "the other one"),),
            )
        alike.append(row)
    for name, printed_name, start in _printing(node):
        if printed_name == _plain(name):
            s.report(
                "W0964",
                f"the printed name of `{name.text}` says what is printed without it",
                name.span,
                f'leave out `"{printed_name}"`',
                fix=_without_text(s, start, printed_name),
            )


def _printing(node: Declaration) -> Iterator[tuple[Identifier, str, int]]:
    """The printed names in a declaration, and behind what they stand."""
    noun = getattr(node, "noun", None)
    nouns = [noun] if isinstance(noun, Noun) else []
    if isinstance(node, d.EnumDeclaration):
        nouns += [each for each in node.members if isinstance(each, Noun)]
    for each in nouns:
        if each.printed is not None and (each.plural is None) == (each.printed_plural is None):
            many = each.printed_plural
            if each.plural is None or many == _plain(each.plural):
                text = each.printed if many is None else f"{each.printed}/{many}"
                wanted = _plain(each.name) if many is None else f"{_plain(each.name)}/{many}"
                if text == wanted:
                    yield each.name, text if many is None else _plain(each.name), (each.plural or each.name).span.end
    if isinstance(node, d.Zone | flow.Phase | d.Score | d.Award) and node.printed is not None:
        yield node.name, node.printed, node.name.span.end
    if isinstance(node, d.Entity):
        for row in node.rows:
            if row.printed is not None:
                yield row.name, row.printed, row.name.span.end
    if isinstance(node, d.Score):
        for line in node.lines:
            if line.printed is not None:
                yield line.name, line.printed, line.name.span.end


def _plain(name: Identifier) -> str:
    return name.text.replace("_", " ")


def _without_text(s: Subject, start: int, printed: str) -> Fix | None:
    """Leave out the text in quotes behind a place, with the blanks before it."""
    text = s.text
    end = start
    while end < len(text) and text[end] in " \t":
        end += 1
    stop = text.find('"', end + 1)
    if text[end : end + 1] != '"' or stop < 0:
        return None
    return Fix("leave out the printed name", (Replacement(Span(s.own, start, stop + 1), ""),))


# ---------------------------------------------------------------------------------------------------------- convention
def _convention(s: Subject, node: Declaration) -> None:
    """Types begin with a capital, all else with a small letter."""
    noun = getattr(node, "noun", None)
    name = noun.name if isinstance(noun, Noun) else getattr(node, "name", None)
    if not isinstance(name, Identifier):
        return
    first = name.text[:1]
    if isinstance(node, TYPES):
        if first.islower():
            s.report(
                "W0965",
                f"`{name.text}` is a type, and types begin with a capital",
                name.span,
                f"write `{first.upper()}{name.text[1:]}`: so `{name.text}` is free for one of them",
            )
    elif first.isupper() and not isinstance(node, sc.Scenario):
        s.report(
            "W0965",
            f"`{name.text}` is no type, and only types begin with a capital",
            name.span,
            f"write `{name.text.lower()}`",
        )


# --------------------------------------------------------------------------------------------------------------- offers
def _offers(s: Subject) -> None:
    """Two actions of one offer that read alike."""
    for _, offer in s.reach.of(t.Offer):
        seen: dict[tuple[str, ...], Span] = {}
        for action in offer.actions:
            parts = action.prompt.parts if action.prompt is not None else [action.name.replace("_", " ")]
            if action.parameters or action.limit is not None or any(isinstance(part, x.Expr) for part in parts):
                continue
            if any(isinstance(each, g.RequireSymbol) for each in action.clauses):
                continue  # they may exclude each other
            text = tuple(str(part) for part in parts)
            first = seen.setdefault(text, action.span)
            if first is not action.span:
                s.report(
                    "W0963",
                    f'two actions of one offer both read "{"".join(text)}"',
                    action.span,
                    "give one of them another text",
                    (Label(first, "the other one"),),
                )


__all__ = ["find"]
