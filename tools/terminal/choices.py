"""Options for people: grouped and numbered, narrowed by what is typed; what is refused, and why."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from regelwerk.dsl.model import game as g
from regelwerk.interpreter import layout as la
from regelwerk.interpreter.api import Decision, Option, Refusal, State
from regelwerk.interpreter.describing import combinations
from regelwerk.tools.game_facts import Facts, words

GROUPED = 8
"""An action with more options and several parameters is shown by its first parameter."""
REFUSED = 8
"""So many different texts are shown for one clause."""


@dataclass
class Section:
    """The options of one action, or those without one."""

    title: str
    cost: str | None
    options: list[Option] = field(default_factory=list)


def fold(text: str) -> str:
    """A text without case and accents."""
    return "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))


def has_words(text: str, typed: str) -> bool:
    """Whether all typed words are in a text: numbers as whole words, letters as parts."""
    text = fold(text)
    tokens = set(re.findall(r"\w+", text))
    return all(word in tokens if word.isdigit() else word in text for word in re.findall(r"\w+", fold(typed)))


def matches(option: Option, typed: str) -> bool:
    """Whether all typed words are in the option."""
    typed_words = re.findall(r"\w+", typed)
    text = " ".join([option.text, words(option.action or ""), *option.values.values(), option.cost or ""])
    return bool(typed_words) and has_words(text, typed)


def narrowed(decision: Decision, typed: str) -> list[Option]:
    """The options that are meant by what was typed; one if it is exactly its text or id."""
    exact = [o for o in decision.options if fold(typed) in (fold(o.text), fold(o.id))]
    if len(exact) == 1:
        return exact
    return [o for o in decision.options if matches(o, typed)]


class Choices:
    """Draws the options of one decision."""

    def __init__(self, facts: Facts, decision: Decision, width: int) -> None:
        self.facts = facts
        self.decision = decision
        self.width = width
        self.digits = len(str(len(decision.options)))

    def sections(self, options: Sequence[Option]) -> list[Section]:
        """The options by action, in their order."""
        found: dict[str | None, Section] = {}
        for option in options:
            if option.action not in found:
                prompt = next((a.prompt for a in self.facts.checked.actions if a.name == option.action), None)
                title = self.facts.program.texts.plain(prompt) or words(option.action) if option.action else ""
                found[option.action] = Section(title, option.cost)
            section = found[option.action]
            section.options.append(option)
            if section.cost != option.cost:
                section.cost = None
        return list(found.values())

    def draw(self, options: Sequence[Option] | None = None) -> RenderableType:
        """The options (all, or some of them) with their numbers."""
        parts: list[RenderableType] = []
        sections = self.sections(self.decision.options if options is None else options)
        single = len(sections) == 1
        for section in sections:
            if not section.options[0].values:
                for option in section.options:
                    parts.append(self._line(option, option.text))
                continue
            title = Text().append(self.decision.text if single else section.title, style="bold")
            if section.cost is not None:
                title.append(f"  costs {section.cost}", style="yellow")
            if not single and title.plain != self.decision.text:
                parts.append(title)
            elif section.cost is not None:
                parts.append(Text(f"each costs {section.cost}", style="yellow"))
            parts.append(Padding(self._body(section), (0, 0, 0, 2)))
        return Group(*parts)

    def _number(self, option: Option) -> Text:
        return Text().append(f"{option.index + 1:>{self.digits}}) ", style="bold green")

    def _line(self, option: Option, label: str, with_cost: bool = True) -> Text:
        text = self._number(option).append(label)
        if option.cost is not None and with_cost:
            text.append(f" ({option.cost})", style="yellow")
        return text

    def _body(self, section: Section) -> RenderableType:
        own_cost = section.cost is None
        labels = {o.index: labels_of(o, section.options) for o in section.options}
        if len(section.options[0].values) > 1 and len(section.options) > GROUPED:
            table = Table.grid(padding=(0, 1))
            table.add_column(no_wrap=False, max_width=self.width // 3)
            table.add_column(style="dim")
            table.add_column(ratio=1)
            groups: dict[str, list[Option]] = {}
            for option in section.options:
                groups.setdefault(next(iter(option.values.values()), option.text), []).append(option)
            first = next(iter(section.options[0].values))
            room = self.width - 8 - min(self.width // 3, max(cell_len(f"{words(first)} {k}") for k in groups))
            for label, options in groups.items():
                items = [self._line(o, ", ".join(labels[o.index][1:]) or o.text, own_cost) for o in options]
                table.add_row(
                    Text(f"{words(first)} ", style="dim").append(label, style="not dim bold"), "│", flowed(items, room)
                )
            return table
        items = [self._line(o, ", ".join(labels[o.index]) or o.text, own_cost) for o in section.options]
        return in_columns(items, self.width - 4)

    # ------------------------------------------------------------------------------------------------------ refusals
    def refusals(self, state: State, typed: str = "") -> RenderableType:
        """What is not available now and why: by action and clause, with the texts and the rules they cite."""
        general = state.refusals()
        offered = {o.action for o in self.decision.options if o.action} | {r.action for r in general}
        refused = [r for r in general if not typed]
        for symbol in self.facts.checked.actions:
            if symbol.name in offered and (typed or all(r.action != symbol.name for r in general)):
                refused += self._combinations(state, symbol, typed)
        parts: list[RenderableType] = []
        groups: dict[tuple[str, str], list[Refusal]] = {}
        for refusal in refused:
            groups.setdefault((refusal.action, refusal.address), []).append(refusal)
        previous = ""
        for (action, address), refusals in groups.items():
            if action != previous:
                available = any(o.action == action for o in self.decision.options)
                parts.append(
                    Text(words(action), style="bold").append("" if available else "  not possible now", style="red")
                )
                previous = action
            parts.append(Padding(self._clause(address, refusals), (0, 0, 0, 2)))
        others = [words(a.name) for a in self.facts.checked.actions if a.name not in offered]
        if others and not typed:
            parts.append(Text(f"Not on offer in this phase: {', '.join(others)}", style="dim"))
        if not parts:
            what = (
                f"Nothing that is refused now has to do with “{typed}”."
                if typed
                else "Everything this question allows is among the options."
            )
            parts.append(Text(what))
        return Group(*parts)

    def _combinations(self, state: State, symbol: g.ActionSymbol, typed: str) -> list[Refusal]:
        """Why an action is refused with parameters that the typed words are about (or with any)."""
        action, m, me = state.program.action_options(symbol), state.image, state.image.w[la.ACTOR]
        found: list[Refusal] = []
        texts: set[str] = set()
        for values in combinations(state, action, me):
            named = [(name, kind, v) for v, (name, kind, _) in zip(values, symbol.parameters, strict=True)]
            printed = {name: state.program.texts.value(value, kind, m) for name, kind, value in named}
            about = f"{words(symbol.name)} {' '.join(printed.values())}"
            if typed and not has_words(about, typed):
                continue
            for failure in action.failures(m, me, values)[:1]:
                told = failure.text or failure.address
                label = ", ".join(each for each in printed.values() if not has_words(told, each))
                text = f"{label}: {told}" if typed and label else told
                if text not in texts:
                    texts.add(text)
                    span = getattr(failure.symbol, "span", None)
                    found.append(Refusal(symbol.name, printed, failure.address, text, failure.citations, span))
        return found

    def _clause(self, address: str, refusals: Sequence[Refusal]) -> Text:
        texts = list(dict.fromkeys(r.text or self.facts.source(r.span) for r in refusals))
        citations = list(dict.fromkeys(c for r in refusals for c in r.citations))
        text = Text().append(address, style="cyan")
        if citations:
            text.append(f" [{', '.join(citations)}]", style="dim")
        place = self.facts.place(refusals[0].span)
        if place:
            text.append(f"  {place.rpartition('/')[2]}", style="dim")
        for each in texts[:REFUSED]:
            text.append(f"\n  {each}")
        if len(texts) > REFUSED:
            text.append(f"\n  ... and {len(texts) - REFUSED} more (`? WORD` shows those with a word)", style="dim")
        return text


def labels_of(option: Option, among: Sequence[Option]) -> list[str]:
    """The values of an option in words, among all options of its action: numbers with what they are for; a value that
    says again what an earlier one settles is left out."""
    names, values = list(option.values), list(option.values.values())
    found = values[:1]
    for k, name in enumerate(names[1:], 1):
        settled = any(
            values[j] == values[k] and len({p.values[name] for p in among if p.values[names[j]] == values[j]}) == 1
            for j in range(k)
        )
        if not settled:
            found.append(f"{words(name)} {values[k]}" if option.action and values[k].isdecimal() else values[k])
    return found


def flowed(items: Iterable[Text], width: int) -> Text:
    """Short texts one after the other, broken between them, in columns of a common width where that fits."""
    items = list(items)
    widest = max((cell_len(i.plain) for i in items), default=0)
    text, line = Text(), 0
    step = widest + 2 if widest * 2 + 2 <= width else 0
    for item in items:
        length = max(cell_len(item.plain) + 2, step)
        if line and line + length - 2 > width:
            text.append("\n")
            line = 0
        text.append_text(item).append(" " * (length - cell_len(item.plain)))
        line += length
    text.rstrip()
    return text


def in_columns(items: Sequence[Text], width: int) -> Text:
    """Texts in columns that are read downwards."""
    widest = max((cell_len(i.plain) for i in items), default=0)
    columns = max(1, min(len(items), (width + 3) // (widest + 3)))
    height = -(-len(items) // columns)
    text = Text()
    for line in range(height):
        for position in range(line, len(items), height):
            item = items[position]
            text.append_text(item)
            if position + height < len(items):
                text.append(" " * (widest + 3 - cell_len(item.plain)))
        if line < height - 1:
            text.append("\n")
    return text


__all__ = ["Choices", "flowed", "fold", "has_words", "in_columns", "labels_of", "matches", "narrowed"]
