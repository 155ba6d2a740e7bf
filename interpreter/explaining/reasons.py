"""The data of explanations: trees of reasons, changes, explanations of actions; and their form as plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from regelwerk.dsl.source import Span

Kind = Literal["all", "any", "not", "if", "same", "leaf", "value"]
"""How the parts of a reason make it hold: all of them, any of them; not its part; the part that the first of three
chooses; its first part says the same in more detail; it is a leaf; it is a value that is neither true nor false."""


@dataclass(frozen=True)
class Change:
    """One thing that would have to be otherwise.

    text       in words: `2 more coins`, `one of: 3, 4`
    address    the clause that asks for it; maybe empty
    span       where that stands
    distance   how far it is, for numbers; 1 for all else
    store      what would have to grow, as `coins of S`, if it is that: the larger of two such changes does for both
    """

    text: str
    address: str
    span: Span | None
    distance: int = 1
    store: str = ""


@dataclass(frozen=True)
class Reason:
    """One piece of a legality tree.

    what       `require`, `cost`, `limit`, `forbid`, `waive`, `modify`, `offer`, `parameter`, `where`, `for`; empty for
               pieces of expressions
    source     the clause or expression as its author wrote it, on one line
    holds      whether it holds; None for what is no yes/no question, is hidden, or has no value
    value      what it comes to: `3 >= 5`, `2 coins`
    address    the address of the clause, where it is one
    note       what else is to be said: the text of the refusal, for which element it was asked
    hidden     its value is not for the one who asks
    change     what would make it the other way round, of a leaf
    """

    kind: Kind
    source: str
    span: Span | None
    holds: bool | None
    value: str = ""
    what: str = ""
    address: str = ""
    note: str = ""
    citations: tuple[str, ...] = ()
    parts: tuple[Reason, ...] = ()
    hidden: bool = False
    change: Change | None = None


@dataclass(frozen=True)
class Explanation:
    """Why an action is possible or not.

    id          the answer that was looked at, as in replays: `place [own.2 own.3] rathaus`; the action's name alone if
                there are no parameters to be had
    values      its parameters: name to printed value
    title       the action in words
    legal       whether it is an option now
    reason      the tree: it holds just if `legal` (None in it: hidden, or without a value)
    nearest     the fewest changes that would make it possible; empty if it is
    possible    the ids of options of this action that are there now, a few; `count` how many there are (of what is
                asked in stages those that were looked at)
    cost        what it costs, printed; None if nothing
    effect      what it does, as it was written; `effect_span` where
    rules       the rules that happen around it, by their addresses: (`before`, address)
    looked_at   how many combinations of parameters were looked at; `complete`: all there are
    """

    action: str
    seat: str
    id: str
    values: Mapping[str, str]
    title: str
    legal: bool
    reason: Reason
    nearest: tuple[Change, ...] = ()
    possible: tuple[str, ...] = ()
    count: int = 0
    cost: str | None = None
    effect: str = ""
    effect_span: Span | None = None
    rules: tuple[tuple[str, str], ...] = ()
    looked_at: int = 1
    complete: bool = True
    span: Span | None = None
    citations: tuple[str, ...] = field(default=())


@dataclass(frozen=True)
class Entry:
    """A part of a number of points.

    what      `gain`, `lose`, `pay`, `give`, `take`; `start`: what there was at first; `set`: changed otherwise; `line`:
              a line of a score; `part`: a part of a sum; `unknown`: from before the record; `hidden`: not for this
              seat, and not counted
    address   the clause that it comes from, with its `span` and `source`
    decision  the number of the decision that it came with, from 1; 0: while the game was set up; None: it is counted
              from the position
    by        this decision: seat and answer, as in records
    moment    where the game was: the phase, and the round if those are counted
    note      the printed reason, or what the part is of
    reason    how the number came about, for what is counted now
    parts     the entries that make it up, if it is known
    """

    what: str
    amount: int | float
    address: str
    span: Span | None
    source: str
    decision: int | None = None
    by: str = ""
    moment: str = ""
    note: str = ""
    reason: Reason | None = None
    parts: tuple[Entry, ...] = ()


@dataclass(frozen=True)
class Account:
    """A number of points and all it is made of: the amounts of the entries add up to `total`. `kind`: `rank`, what
    players are ranked by first, or `score`, a score by its lines."""

    kind: str
    name: str
    printed: str
    total: int | float
    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class Points:
    """The points of a seat. `over`: the game is; else it is what they would be if it were."""

    seat: str
    over: bool
    accounts: tuple[Account, ...]


Place = Callable[[Span | None], Any]
"""Gives the plain data of a place: file, line, column."""


def reason_data(reason: Reason, place: Place) -> dict[str, Any]:
    """A tree as plain data; what is empty is left out."""
    found: dict[str, Any] = {"kind": reason.kind, "holds": reason.holds, "source": reason.source}
    for name in ("what", "address", "value", "note"):
        if getattr(reason, name):
            found[name] = getattr(reason, name)
    if reason.citations:
        found["citations"] = list(reason.citations)
    if reason.hidden:
        found["hidden"] = True
    if reason.span is not None:
        found["place"] = place(reason.span)
    if reason.change is not None:
        found["change"] = change_data(reason.change, place)
    if reason.parts:
        found["parts"] = [reason_data(each, place) for each in reason.parts]
    return found


def change_data(change: Change, place: Place) -> dict[str, Any]:
    """A change as plain data."""
    return {
        "text": change.text,
        "address": change.address,
        "distance": change.distance,
        "place": place(change.span) if change.span is not None else None,
    }


def explanation_data(found: Explanation, place: Place) -> dict[str, Any]:
    """An explanation as plain data, in a form that stays (docs/command-line.md)."""
    return {
        "action": found.action,
        "seat": found.seat,
        "answer": found.id,
        "title": found.title,
        "values": dict(found.values),
        "legal": found.legal,
        "citations": list(found.citations),
        "place": place(found.span) if found.span is not None else None,
        "reason": reason_data(found.reason, place),
        "nearest": [change_data(each, place) for each in found.nearest],
        "possible": list(found.possible),
        "options": found.count,
        "cost": found.cost,
        "effect": found.effect,
        "rules": [{"role": role, "address": address} for role, address in found.rules],
        "looked_at": found.looked_at,
        "complete": found.complete,
    }


def points_data(found: Points, place: Place) -> dict[str, Any]:
    """The points of a seat as plain data."""
    return {
        "seat": found.seat,
        "over": found.over,
        "accounts": [
            {
                "kind": account.kind,
                "name": account.name,
                "printed": account.printed,
                "total": account.total,
                "entries": [entry_data(each, place) for each in account.entries],
            }
            for account in found.accounts
        ],
    }


def entry_data(entry: Entry, place: Place) -> dict[str, Any]:
    """An entry as plain data."""
    return {
        "what": entry.what,
        "amount": entry.amount,
        "address": entry.address,
        "source": entry.source,
        "place": place(entry.span) if entry.span is not None else None,
        "decision": entry.decision,
        "by": entry.by,
        "moment": entry.moment,
        "note": entry.note,
        "reason": reason_data(entry.reason, place) if entry.reason is not None else None,
        "parts": [entry_data(each, place) for each in entry.parts],
    }


__all__ = [
    "Account",
    "Change",
    "Entry",
    "Explanation",
    "Points",
    "Reason",
    "change_data",
    "explanation_data",
    "points_data",
    "reason_data",
]
