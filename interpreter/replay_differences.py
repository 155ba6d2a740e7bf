"""Which recorded games change when they are played by other rules: at which step, and by which clause.

A record is played by both rules side by side. It is different at the first entry that no longer fits, or behind which
something that both games know is not the same: who decides, what players and the bank have, what lies where, stored
variables, titles, and how the game ended. What only one of the games knows is not looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from regelwerk.interpreter.replays import Replay, ReplayError

if TYPE_CHECKING:
    from regelwerk.dsl.source import Span
    from regelwerk.interpreter.api import Event, Game, State

Key = tuple[str, str, str]
"""What something known is: `count`, `zone`, `state` or `title`; its name; whose or of what it is."""

Fate = Literal["same", "different", "misfit", "foreign"]
Blame = Literal["by", "perhaps by", "in"]


@dataclass(frozen=True)
class ReplayDifference:
    """What becomes of a record.

    fate     `same`; `different`: it can be played, but not to the same game; `misfit`: an entry does not fit;
             `foreign`: it does not fit the old rules either
    step     the first entry behind which something is different, or that does not fit (0: the start)
    entry    that entry as it is written
    message  what is different
    rule     the clause that makes the difference, as far as it can be known; `span`: where it stands
    new      whether `span` is a place of the new rules
    blame    `by` the clause, which is said otherwise; `perhaps by` it, since what is different speaks of it, or it of
             that; or it only happened `in` it
    later    the step at which a different game no longer fits, and why
    """

    fate: Fate
    step: int = 0
    entry: str = ""
    message: str = ""
    rule: str = ""
    span: Span | None = None
    new: bool = True
    blame: Blame = "by"
    later: tuple[int, str] | None = None


def compare_replay(
    replay: Replay, old: Game, new: Game, renamed: Mapping[str, str], changed: Callable[[str], tuple[str, bool]]
) -> ReplayDifference:
    """What becomes of a record of the old game in the new one. `renamed`: names that only became others. `changed`
    gives the address of the difference of the rules that a clause lies in, or speaks of (then it says no), or an empty
    text."""
    ours = _until_error(replay.walk(old))
    theirs = _until_error(replace(replay, game=new.name).walk(new))
    number, here, there = -1, None, None
    for number, here in enumerate(ours):
        if isinstance(here, ReplayError):
            return ReplayDifference("foreign", here.step, _entry(replay, here.step), _plain(here))
        there = next(theirs, None)
        if there is None:
            return ReplayDifference("misfit", number, _entry(replay, number), "the game ends before")
        if isinstance(there, ReplayError):
            return _misfit(there, _entry(replay, there.step), changed)
        (_, state, events), (_, other, others) = here, there
        message, name = _first_difference(state, other, renamed)
        if message:
            rule, span, of_new, blame = _cause(
                old, new, events, others, [_action(replay, number), *name.split()], changed
            )
            later = next((each for each in theirs if isinstance(each, ReplayError)), None)
            stops = (later.step, _plain(later)) if later is not None else None
            return ReplayDifference(
                "different", number, _entry(replay, number), message, rule, span, of_new, blame, stops
            )
    return ReplayDifference("same", max(number, 0))


def _misfit(error: ReplayError, entry: str, changed: Callable[[str], tuple[str, bool]]) -> ReplayDifference:
    """An entry that does not fit: by the clause that refuses it, if that has changed, else by what has."""
    rule, span = (error.misfit.rule, error.misfit.span) if error.misfit is not None else ("", None)
    cause, sure = changed(rule) if rule else ("", True)
    if cause and not sure:
        return ReplayDifference("misfit", error.step, entry, _plain(error), cause, None, True, "perhaps by")
    blame: Blame = "by" if cause else "in"
    return ReplayDifference("misfit", error.step, entry, _plain(error), cause or rule, span, True, blame)


Walked = tuple[str, "State", "tuple[Event, ...]"]


def _until_error(walk: Iterator[Walked]) -> Iterator[Walked | ReplayError]:
    """The steps of a walk, and the error that ends it."""
    try:
        yield from walk
    except ReplayError as error:
        yield error


def _plain(error: ReplayError) -> str:
    return error.misfit.message if error.misfit is not None else str(error)


def _entry(replay: Replay, step: int) -> str:
    if not 1 <= step <= len(replay.entries):
        return ""
    entry = replay.entries[step - 1]
    return " ".join(entry) if entry[0] == "~" else ": ".join(entry)


def _action(replay: Replay, step: int) -> str:
    """The action that an entry takes, or an empty text."""
    if not 1 <= step <= len(replay.entries) or replay.entries[step - 1][0] == "~":
        return ""
    return replay.entries[step - 1][1].partition(" ")[0]


# ---------------------------------------------------------------------------------------------------------- differences
def _first_difference(old: State, new: State, renamed: Mapping[str, str]) -> tuple[str, str]:
    """What is not the same in two games, in words, and the names of what it is; empty texts if everything is."""
    if (old.fault is None) != (new.fault is None):
        fault = new.fault or old.fault
        assert fault is not None
        return f"{'now' if new.fault is not None else 'no longer'} the game stops here: {fault}", fault.rule
    if (old.status == "over") != (new.status == "over"):
        over, cause = new.status == "over", new.outcome or old.outcome
        name = cause.cause if cause is not None else ""
        return f"the game is over here ({name})" if over else "the game is not over here", name
    ours, theirs = known(old), known(new)
    for key, value in ours.items():
        other = theirs.get(key)
        if other is None:
            kind, name, whose = key
            other = theirs.get((kind, renamed.get(name, name), renamed.get(whose, whose)))
        if other is not None and _renamed(value, renamed) != other:
            return f"{_words(key)}: {other or 'nothing'}, was {value or 'nothing'}", key[1]
    if old.actors != new.actors:
        return f"{_players(new)} here, not {', '.join(old.actors) or 'nature'}", new.phase
    return _outcome_difference(old, new)


def _renamed(value: str, renamed: Mapping[str, str]) -> str:
    return " ".join(renamed.get(word, word) for word in value.split(" ")) if renamed else value


def _players(state: State) -> str:
    names = state.actors
    return "nature decides" if not names else f"{', '.join(names)} decide{'s' * (len(names) == 1)}"


def _words(key: Key) -> str:
    kind, name, whose = key
    if kind == "count":
        return f"{name} of {whose}"
    return f"{name} of {whose}" if whose else name


def _outcome_difference(old: State, new: State) -> tuple[str, str]:
    one, other = old.outcome, new.outcome
    if one is None or other is None:
        return "", ""
    if one.cause != other.cause:
        return f"the game ends by {other.cause}, not by {one.cause}", f"{other.cause} {one.cause}"
    ours = {(line.score, line.name): line for line in one.lines}
    for line in other.lines:
        was = ours.get((line.score, line.name))
        name = f"{line.score}.{line.name}"
        for seat, value in line.values.items():
            if was is not None and was.values.get(seat) != value:
                return f"{name} of {seat}: {value}, was {was.values.get(seat)}", name
    if one.winners != other.winners:
        names = [" and ".join(each.winners) or "nobody" for each in (other, one)]
        return f"{names[0]} wins, not {names[1]}", other.cause
    return "", ""


def known(state: State) -> dict[Key, str]:
    """Everything that all players together know, in words."""
    found: dict[Key, str] = {}
    for viewer in (None, *state.seats):
        view = state.view(viewer)
        for count in view.counts:
            kinds = "" if count.kinds is None else " ".join(f"{n} {kind}" for kind, n in count.kinds.items() if n)
            key = ("count", count.name, count.holder)
            found[key] = kinds if count.kinds is not None else found.get(key, str(count.count))
        for zone in view.zones:
            key = ("zone", zone.name, zone.key or "")
            if zone.things is not None:
                things = [
                    f"{each.id}{f' showing {each.face}' if each.face is not None else ''}" for each in zone.things
                ]
                found[key] = " ".join(things if zone.ordered else sorted(things))
            else:
                found.setdefault(key, f"{zone.count} things")
        for variable in view.states:
            if variable.value is not None:
                found["state", variable.name, variable.key or ""] = variable.value
        for title in view.titles:
            found["title", title.name, title.key or ""] = title.holder or ""
    return found


# -------------------------------------------------------------------------------------------------------------- causes
def _cause(
    old: Game,
    new: Game,
    events: tuple[Event, ...],
    others: tuple[Event, ...],
    names: list[str],
    changed: Callable[[str], tuple[str, bool]],
) -> tuple[str, Span | None, bool, Blame]:
    """The clause that makes the difference: the first event that is not the same, if its clause is said otherwise now;
    else what is said otherwise of what happened, or of what is different (`names`)."""
    ours = [(old.address(each.span), each.span, False) for each in events]
    theirs = [(new.address(each.span), each.span, True) for each in others]
    place = next(
        (k for k, (one, two) in enumerate(zip(events, others, strict=False)) if one.text != two.text),
        min(len(events), len(others)),
    )
    first = [*theirs[place : place + 1], *ours[place : place + 1]]
    asked: list[tuple[str, Span | None, bool]] = [*first, *theirs, *ours, *((name, None, True) for name in names)]
    found = [(*changed(address), span, of_new) for address, span, of_new in asked if address]
    for wanted in (True, False):
        for rule, sure, span, of_new in found:
            if rule and sure is wanted:
                return rule, span if sure else None, of_new, "by" if sure else "perhaps by"
    return (first[0][0], first[0][1], first[0][2], "in") if first else ("", None, True, "in")


__all__ = ["Fate", "ReplayDifference", "compare_replay", "known"]
