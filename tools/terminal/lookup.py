"""Answers `info NAME`: what a card, a field or an action does, in the words of the rules file."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from regelwerk.dsl.model import game as g
from regelwerk.tools.game_facts import Facts, phase_name, words
from regelwerk.tools.terminal.choices import fold

MOST = 6
"""So many things are shown for one question."""

Known = g.RowSymbol | g.ActionSymbol | g.EffectSymbol | g.ValueSymbol | g.ScoreSymbol | g.PhaseSymbol


def look_up(facts: Facts, name: str) -> list[Known]:
    """What is meant by a name: exactly, else those that begin with it, else those that contain it."""
    wanted = fold(words(name.strip()))
    known: list[tuple[str, Known]] = []
    for entity in facts.checked.entities:
        for row in facts.rows(entity):
            known += [(fold(row.printed), row), (fold(words(row.name)), row)]
    checked = facts.checked
    clauses: list[Known] = [*checked.actions, *checked.effects, *checked.scores, *checked.values]
    for symbol in clauses:
        known.append((fold(words(symbol.name)), symbol))
    known += [(fold(phase_name(phase)), phase) for phase in facts.phases.values()]
    for test in (lambda text: text == wanted, lambda text: text.startswith(wanted), lambda text: wanted in text):
        found = list(dict.fromkeys(symbol for text, symbol in known if test(text)))
        if found and wanted:
            return found
    return []


def explain(facts: Facts, name: str) -> RenderableType:
    """The answer to `info NAME`."""
    found = look_up(facts, name)
    if not found:
        return Text(
            f"Nothing here is called “{name}”: `info` knows cards, fields, actions, effects and scores.", style="yellow"
        )
    parts: list[RenderableType] = [
        _row(facts, each) if isinstance(each, g.RowSymbol) else _clause(facts, each) for each in found[:MOST]
    ]
    if len(found) > MOST:
        parts.append(Text(f"... and {len(found) - MOST} more", style="dim"))
    return Group(*parts)


def _head(facts: Facts, title: str, kind: str, symbol: g.Symbol) -> Text:
    text = Text().append(title, style="bold").append(f"  {kind}", style="dim")
    if symbol.citations:
        text.append(f"  [{', '.join(symbol.citations)}]", style="dim")
    place = facts.place(symbol.span)
    return text.append(f"  {place.rpartition('/')[2]}", style="dim") if place else text


def _row(facts: Facts, row: g.RowSymbol) -> Text:
    text = _head(facts, row.printed, row.entity.words.one, row)
    for column in row.entity.columns.values():
        told = facts.value(row, column) if column.kind == "value" else facts.cell(row, column)
        if told and told not in ("nothing", "nobody"):
            text.append(f"\n  {words(column.name)}: ", style="dim").append(told)
            for called in _called(facts, told) if column.kind != "value" else ():
                text.append(f"\n    {facts.source(called.body.span if called.body else called.span)}", style="dim")
    return text


def _called(facts: Facts, source: str) -> list[g.EffectSymbol]:
    """The named effects a cell runs, whose text says what it really does."""
    tokens = source.replace("(", " ").replace(")", " ").split()
    return [
        each
        for each in facts.checked.effects
        if each.name in tokens and tokens[max(0, tokens.index(each.name) - 1)] == "do"
    ]


def _clause(
    facts: Facts, symbol: g.ActionSymbol | g.EffectSymbol | g.ValueSymbol | g.ScoreSymbol | g.PhaseSymbol
) -> Text:
    kind = type(symbol).__name__.removesuffix("Symbol").lower()
    text = _head(facts, words(symbol.name), kind, symbol)
    if isinstance(symbol, g.ActionSymbol):
        for clause in symbol.clauses:
            if not isinstance(clause, tuple):
                text.append(f"\n  {facts.source(clause.span)}")
        if symbol.body is not None:
            text.append("\n  does: ", style="dim").append(facts.source(symbol.body.span))
    elif isinstance(symbol, g.ScoreSymbol):
        for line in symbol.lines:
            text.append(f"\n  {line.printed}: ", style="dim").append(
                facts.source(line.value.span if line.value else line.span)
            )
    elif isinstance(symbol, g.PhaseSymbol):
        if symbol.phases:
            text.append("\n  its phases: ", style="dim").append(", ".join(phase_name(each) for each in symbol.phases))
    elif symbol.body is not None:
        text.append(f"\n  {facts.source(symbol.body.span)}")
    return text


__all__ = ["explain", "look_up"]
