"""The player aid: the course of the game, the actions with their costs, scoring and the end, on one page."""

from __future__ import annotations

from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.interpreter.loading import Checked
from regelwerk.tools.rulebook import components, playing, running
from regelwerk.tools.rulebook import english as en
from regelwerk.tools.rulebook.asking import prompt_of
from regelwerk.tools.rulebook.book import Book, Chapter, Entry, Items, Paragraph, Section, flat
from regelwerk.tools.rulebook.doing import phase_title
from regelwerk.tools.rulebook.gathering import Sheet, sheet
from regelwerk.tools.rulebook.markup import own, plain
from regelwerk.tools.rulebook.wording import Line

LONG = 190
"""A line longer than this is cut to what it begins with; the rulebook says the rest."""


def player_aid(checked: Checked) -> Book:
    """The aid of a checked game."""
    made = sheet(checked)
    game = made.game
    book = Book(game.name, f"{own(game.title)}: player aid", components.players(game))
    after_set_up = game.phases[len(playing.before_play(game)) :]
    course = [_phase(made, each) for each in after_set_up]
    book.chapters = [
        Chapter("Course of the game", "course", [Section("", "course-0", [Items(course, numbered=len(course) > 1)])]),
        Chapter(
            "Actions", "actions", [Section("", "actions-0", [Items([_action(made, each) for each in _offered(game)])])]
        ),
        _only_lines("Scoring", "scoring", playing.scoring(made)),
        _only_lines("End of the game", "end", playing.the_end(made)),
    ]
    book.chapters = [each for each in book.chapters if any(_filled(block) for s in each.sections for block in s.blocks)]
    return book


def outline(checked: Checked) -> list[Line]:
    """The phases as a nested list."""
    made = sheet(checked)
    return [_phase(made, each) for each in made.game.phases]


def _filled(block: object) -> bool:
    return not isinstance(block, Items) or bool(block.lines)


def _offered(game: g.CheckedGame) -> list[g.ActionSymbol]:
    return game.actions


def _phase(made: Sheet, phase: g.PhaseSymbol) -> Line:
    w = made.words
    with w.within(phase.frame, playing.inherited(made, phase)):
        drivers = [en.sentence(plain(text)) for each in phase.drivers for text in running.driver(w, phase, each)]
        below = []
        for item in phase.items:
            if isinstance(item, t.SubPhase):
                below.append(_phase(made, item.symbol))
            elif isinstance(item, t.Offer):
                below += _short_offer(made, item)
            elif isinstance(item, t.Step):
                below.append(_short_step(made, item))
            else:
                below += [Line(_cut(line)) for line in w.lines(item)]
    text = f"{phase_title(phase)}{': ' if drivers else ''}{' '.join(_shorter(each) for each in drivers)}"
    return Line(text, below)


def _shorter(text: str) -> str:
    return text.split("; when all have decided")[0].rstrip(".") + "." if "; when all have decided" in text else text


def _short_offer(made: Sheet, offer: t.Offer) -> list[Line]:
    names = en.listed((f"“{plain(prompt_of(made.words, each))}”" for each in offer.actions), "or")
    if offer.until_done is not None:
        return [Line(f"As often as you like: {names}.")]
    if offer.passing is not None:
        return [Line(f"{names}, or pass.")]
    if offer.until and len(offer.until) < len(offer.actions):
        last = en.listed((f"“{plain(prompt_of(made.words, each))}”" for each in offer.until), "or")
        return [Line(f"{names}; again until {last}.")]
    return [Line(f"{names}.")]


def _short_step(made: Sheet, step: t.Step) -> Line:
    lines = made.words.lines(step)
    if not lines:
        return Line(f"{en.title(step.symbol.name)}.")
    return Line(_brief(lines))


def _brief(lines: list[Line]) -> str:
    """As many whole sentences as there is room for; dots stand for the rest."""
    text = ""
    for each in lines:
        said = plain(flat([each]))
        if text and len(text) + len(said) > LONG:
            return f"{text} …"
        if len(said) > LONG:
            return f"{text} {_cut(Line(said))}".strip()
        text = f"{text} {said}".strip()
    return text


def _cut(line: Line) -> str:
    text = plain(line.text)
    if len(text) <= LONG:
        return text
    return text[: text.rfind(" ", 0, LONG)].rstrip(",;:") + " …"


def _action(made: Sheet, action: g.ActionSymbol) -> Line:
    w = made.words
    with w.within(action.frame):
        from regelwerk.tools.rulebook import picking

        for binder in action.head.visible if action.head is not None else ():
            picking.choice(w, binder)
        costs = []
        for clause in action.clauses:
            if isinstance(clause, g.CostSymbol):
                when = f" if {plain(w.clause(clause.condition))}" if clause.condition is not None else ""
                costs.append(f"{plain(playing.price(made, clause, action))}{when}")
        parts = [f"cost: {en.listed(costs)}"] if costs else []
        if action.limit is not None:
            parts.append(running.limit(w, action.limit))
        title = plain(prompt_of(w, action))
        lines = w.lines(action.body)
    text = f"{title} ({'; '.join(parts)})" if parts else title
    does = _brief(lines)
    return Line(f"{text}: {does}" if does else f"{text}.")


def _only_lines(title: str, anchor: str, chapter: Chapter) -> Chapter:
    """A chapter with its entries as lines."""
    lines = []
    for entry in chapter.entries():
        lines.append(_as_line(entry))
    return Chapter(title, anchor, [Section("", f"{anchor}-0", [Items(lines)])])


def _as_line(entry: Entry) -> Line:
    texts = [plain(each.text) for each in entry.blocks if isinstance(each, Paragraph)]
    below = [Line(_cut(line)) for each in entry.blocks if isinstance(each, Items) for line in each.lines]
    return Line(f"{plain(entry.title)}: {' '.join(texts)}".rstrip(": ") + ("" if texts else ":"), below)


__all__ = ["outline", "player_aid"]
