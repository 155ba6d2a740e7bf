"""The journal of a game at the table: decisions and events, each in the words that its reader may know."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.text import Text

from regelwerk.dsl.model.game import Words
from regelwerk.interpreter.api import Decision, Event, Option, State
from regelwerk.tools.game_facts import Facts, words
from regelwerk.tools.terminal.board import coloured, seat_style
from regelwerk.tools.terminal.choices import labels_of

MOST_NAMES = 12
"""So many things that move together are named; of more only the first `SOME_NAMES`."""
SOME_NAMES = 4


@dataclass(frozen=True)
class Entry:
    """One decision and what followed.

    told                 what each reader (None: an onlooker) is told of the decision; the actor reads all of it
    forced               there was nothing to choose: one option only, which is no action
    automatic            the only option was taken for a person without asking
    turn, revealed       the turn went to somebody else; chance or a hidden card was seen
    """

    actor: str
    told: Mapping[str | None, str]
    events: tuple[Event, ...]
    forced: bool
    turn: bool
    revealed: bool
    automatic: bool = False

    def text(self, reader: str | None, seats: Sequence[str], facts: Facts) -> Text | None:
        """The entry as `reader` may see it; None if there is nothing to tell."""
        decided = self.told.get(reader, "")
        known = [(e, t) for e in self.events if (t := e.text_for(reader))]
        texts = [
            t if e.actor in (None, self.actor) else f"{e.actor}: {t}"
            for e, t in known
            if not _repeats(t, f"{self.actor} {decided}", facts)
        ]
        happened = _gathered(texts, facts)
        if not known and ((self.forced and not self.automatic) or not decided):
            return None
        text = Text(" ").append(f"{self.actor} ", style=f"bold {seat_style(seats, self.actor)}")
        before = [] if self.turn and self.revealed else happened
        after = happened if self.turn and self.revealed else []
        if self.automatic or not (self.forced and after):
            text.append(decided or "decides")
            if self.automatic and reader == self.actor:
                text.append(" (the only option)", style="dim")
            if before:
                text.append("  → ", style="dim").append_text(coloured(" · ".join(before), seats, "dim"))
            if after:
                text.append("\n")
        else:
            text = Text()
        if after:
            text.append("    ").append_text(coloured(" · ".join(after), seats, "dim"))
        return text


class Teller:
    """Makes the entries: what may be told to whom of a decision is what they see of its values."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts

    def decided(self, option: Option, decision: Decision) -> str:
        """A decision in short: `place 2 and 5, Karlskirche`."""
        prompt = decision.text
        if option.action is not None:
            among = [o for o in decision.options if o.action == option.action and list(o.values) == list(option.values)]
            return " ".join(t for t in (words(option.action), ", ".join(labels_of(option, among))) if t) + (
                f" (for {option.cost})" if option.cost else ""
            )
        return option.text if not option.values else f"{prompt.rstrip('?:.')}: {option.text}"

    def seen(self, state: State, readers: Sequence[str | None]) -> dict[str | None, frozenset[str]]:
        """The ids of the things that each reader sees now."""
        found = {}
        for reader in readers:
            zones = state.view(reader).zones
            things = {t.id for z in zones for t in (*(z.things or ()), *z.known, *((z.top,) if z.top else ()))}
            found[reader] = frozenset(things)
        return found

    def told(
        self,
        option: Option,
        decision: Decision,
        before: Mapping[str | None, frozenset[str]],
        after: Mapping[str | None, frozenset[str]],
    ) -> dict[str | None, str]:
        """What each reader is told of a decision: all, if he sees the things chosen; else that it was made. Of a sealed
        one the others are told when all have answered, by what happens then."""
        full, sealed = self.decided(option, decision), decision.sealed
        told: dict[str | None, str] = {}
        tokens = re.findall(r"[^\s\[\]]+", option.id)
        if tokens[:1] == [option.action]:  # an answer of a decision in stages is its id alone
            tokens = tokens[1:]
        for reader in before:
            hidden = sealed or any(
                token not in before[reader] and token not in after[reader]
                if token in self.facts.movable_ids
                else self.facts.hides_values
                for token in tokens
                if option.values or self.facts.hides_values
            )
            public = words(option.action) if option.action is not None else ""
            if sealed:
                public = "decides"
            told[reader] = full if reader == decision.actor or not hidden else public
        return told


def _repeats(event: str, decided: str, facts: Facts) -> bool:
    """Whether an event only says again what was decided: its cost, or a move all of whose names stand there."""
    payer, pays, amount = event.partition(" pays ")
    if pays and decided.startswith(f"{payer} ") and f"(for {amount}" in decided:
        return True
    if not any(event.endswith(f" to {zone}") for zone in facts.zone_texts):
        return False
    nouns = {w.casefold() for e in facts.checked.entities for w in (*e.words.one.split(), *e.words.many.split())}
    nouns |= {w.casefold() for z in facts.checked.zones for w in z.words.split()} | {"to", "of", "and"}
    said = set(re.findall(r"\w+", decided))
    return all(word in said or word.casefold() in nouns for word in re.findall(r"\w+", event))


def _gathered(texts: Sequence[str], facts: Facts) -> list[str]:
    """Moves to the same place, told as one: of dice wherever they stand, of other things one after the other."""
    found: list[str] = []
    places: dict[tuple[str, str], int] = {}
    previous: tuple[str, str] | None = None
    for text in texts:
        head, to, zone = text.rpartition(" to ")
        noun, _, what = head.partition(" ")
        words_of = next((e.words for e in facts.checked.entities if noun in (e.words.one, e.words.many)), None)
        if not to or zone not in facts.zone_texts:
            previous = None
            found.append(text)
            continue
        if words_of is not None and what:
            key = (words_of.many, zone)
            if key in places:
                before = found[places[key]].rpartition(" to ")[0].partition(" ")[2]
                found[places[key]] = f"{words_of.many} {before}, {what} to {zone}".replace(" and ", ", ")
                continue
            places[key] = len(found)
        elif (summed := _summed(previous, head, zone, facts)) is not None:
            previous = (summed, zone)
            found[-1] = f"{summed} to {zone}"
            continue
        previous = (head, zone) if not (words_of is not None and what) else None
        found.append(text)
    return [_shortened(text, facts) for text in found]


def _summed(previous: tuple[str, str] | None, head: str, zone: str, facts: Facts) -> str | None:
    """Two moves to one zone as one: `1 card` and `2 cards` are `3 cards`, `Oak` and `Elm` are `Oak, Elm`."""
    if previous is None or previous[1] != zone:
        return None
    first, second = _counted(previous[0], facts), _counted(head, facts)
    if first is None and second is None:
        return f"{previous[0]}, {head}"
    if first is None or second is None or first[1] is not second[1]:
        return None
    return f"{first[0] + second[0]} {first[1].many}"


def _counted(head: str, facts: Facts) -> tuple[int, Words] | None:
    """`3 cards` as 3 and the noun."""
    number, _, noun = head.partition(" ")
    words_of = next((e.words for e in facts.checked.entities if noun in (e.words.one, e.words.many)), None)
    return (int(number), words_of) if number.isdecimal() and words_of is not None else None


def _shortened(text: str, facts: Facts) -> str:
    """A move of very many things by their number."""
    head, to, zone = text.rpartition(" to ")
    names = re.split(r", | and ", head)
    if not to or zone not in facts.zone_texts or len(names) <= MOST_NAMES:
        return text
    return f"{', '.join(names[:SOME_NAMES])} and {len(names) - SOME_NAMES} more to {zone}"


__all__ = ["Entry", "Teller"]
