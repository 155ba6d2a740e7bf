"""A whole rulebook from a checked file, and the player aid from the same chapters."""

from __future__ import annotations

import re

from regelwerk.dsl.composition.state import Removal
from regelwerk.dsl.model import game as g
from regelwerk.dsl.syntax.files import GameHeader
from regelwerk.interpreter.loading import Checked
from regelwerk.tools import aims
from regelwerk.tools.rulebook import components, playing
from regelwerk.tools.rulebook import english as en
from regelwerk.tools.rulebook.book import Book, Chapter, Drawing, Entry, Flow, Grid, Items, Paragraph, Section, texts
from regelwerk.tools.rulebook.doing import phase_title
from regelwerk.tools.rulebook.gathering import Sheet, sheet
from regelwerk.tools.rulebook.markup import link, own, plain, targets
from regelwerk.tools.rulebook.naming import anchor, called, slug, words_of
from regelwerk.tools.rulebook.reading import row_text
from regelwerk.tools.rulebook.telling import told
from regelwerk.tools.rulebook.wording import Line

ORDER = {
    "active_first": "If several rules react to one event, those that belong to nobody come first, then those of the "
    "players, beginning with the player on turn; those of one player in the order in which they are listed.",
    "owner_chooses": "If several rules react to one event, those that belong to nobody come first, then those of the "
    "players, beginning with the player on turn; each player chooses the order of those that are his or hers.",
}
MEANING = (
    "“Gain” and “lose” mean as much as there is; “pay” means all of it or nothing; “you may” means that you can also "
    "refuse."
)
ENTRY_WORDS = {
    "action": "action", "procedure": "procedure", "term": "term", "rule": "rule", "phase": "phase",
    "option": "option", "score": "score", "award": "award", "end": "end", "rank": "ranking", "check": "check",
}  # fmt: skip


def rulebook(checked: Checked, drawings: dict[g.EntitySymbol, Drawing] | None = None, flow: Flow | None = None) -> Book:
    """The rulebook of a checked game. `drawings`: of its boards; `flow`: the diagram of its phases."""
    made = sheet(checked)
    game = made.game
    boards = drawings or {}
    book = Book(game.name, own(game.title), components.players(game))
    chapters = [
        _overview(made),
        _components(made, boards),
        components.options(made),
        _set_up(made),
        _course(made, flow),
        playing.actions(made),
        playing.procedures(made),
        playing.rules(made),
        components.tables(made, boards),
        playing.scoring(made),
        playing.the_end(made),
        playing.terms(made),
    ]
    book.chapters = [each for each in chapters if each is not None and any(s.blocks for s in each.sections)]
    _without_idle_terms(made, book)
    differences = _differences(made, book)
    if differences is not None:
        book.chapters.insert(1, differences)
    for extra in (_remarks(made), _invariants(made)):
        if extra is not None:
            book.chapters.append(extra)
    _complete(made, book)
    book.chapters.append(_index(book))
    citations = _citations(made, book)
    if citations is not None:
        book.chapters.append(citations)
    return book


def _without_idle_terms(made: Sheet, book: Book) -> None:
    """Terms of libraries stay only where something refers to them: most are told in words of their own."""
    libraries = {anchor(each) for each in made.game.values if each.library is not None}
    terms = next((each for each in book.chapters if each.anchor == "terms"), None)
    if terms is None or not libraries:
        return
    entries = {each.anchor: each for each in terms.entries()}
    others = [each for each in book.chapters if each is not terms]
    kept = {each for each in entries if each not in libraries}
    waiting = [target for text in texts(Book("", "", "", others)) for target in targets(text)]
    waiting += [target for each in kept for target in _targets_of(entries[each])]
    while waiting:
        here = waiting.pop()
        if here in entries and here not in kept:
            kept.add(here)
            waiting += _targets_of(entries[here])
    for section in terms.sections:
        section.blocks = [each for each in section.blocks if not isinstance(each, Entry) or each.anchor in kept]


def _targets_of(entry: Entry) -> list[str]:
    book = Book("", "", "", [Chapter("", "", [Section("", "", [entry])])])
    return [target for text in texts(book) for target in targets(text)]


def triggers_of(made: Sheet) -> str:
    """Who orders rules on the same event."""
    checker, composed = made.checked.checker, made.checked.composed
    heads: list[object] = [each.header for each in composed.stack.layers] if composed is not None else []
    heads += [checker.file.header] if checker is not None else []
    return next((each.triggers for each in heads if isinstance(each, GameHeader)), "active_first")


def _complete(made: Sheet, book: Book) -> None:
    """Clauses cited somewhere inside a declaration, and by nothing that is told by itself, stand at its entry."""
    said = {each for ids, _, _ in _told(book) for each in ids}
    entries = {each.anchor: each for each in book.entries()}
    rest: list[str] = []
    for name, ids in made.cited.items():
        missing = tuple(each for each in ids if each not in said)
        if not missing:
            continue
        symbol = made.game.symbols.get(name)
        entry = entries.get(anchor(symbol)) if symbol is not None else None
        for slugged in (f"rule-{name}", f"check-{name}", f"phase-{name}", f"action-{name}", f"effect-{name}"):
            entry = entry or entries.get(slug(slugged))
        if entry is not None:
            entry.citations = tuple(dict.fromkeys([*entry.citations, *missing]))
        else:
            rest += missing
        said |= set(missing)
    first = book.chapters[0].sections[0].blocks[0]
    if rest and isinstance(first, Paragraph):
        first.citations = tuple(dict.fromkeys([*first.citations, *rest]))


def _told(book: Book) -> list[tuple[tuple[str, ...], str, str]]:
    """All citations of a book: the ids, the place, and what it is called."""
    found: list[tuple[tuple[str, ...], str, str]] = []
    for chapter in book.chapters:
        for section in chapter.sections:
            for block in section.blocks:
                if isinstance(block, Entry):
                    found.append((block.citations, block.anchor, block.title))
                    for inner in block.blocks:
                        if isinstance(inner, Items):
                            found += _of_lines(inner.lines, block.anchor, block.title)
                elif isinstance(block, Paragraph):
                    found.append((block.citations, section.anchor, chapter.title))
                elif isinstance(block, Items):
                    found += _of_lines(block.lines, section.anchor, chapter.title)
                elif isinstance(block, Grid):
                    for number, ids in enumerate(block.citations):
                        place = block.anchors[number] if number < len(block.anchors) else section.anchor
                        found.append((ids, place, block.rows[number][0]))
    return found


def _of_lines(lines: list[Line], place: str, title: str) -> list[tuple[tuple[str, ...], str, str]]:
    found = []
    for line in lines:
        if line.citations:
            found.append((line.citations, place, title))
        found += _of_lines(line.below, place, title)
    return found


def _overview(made: Sheet) -> Chapter:
    game = made.game
    blocks: list[Paragraph | Items | Entry] = []
    head = made.cited.get("", ())
    seats = f" They are called {en.listed(map(own, game.seats))}." if any(len(each) > 1 for each in game.seats) else ""
    blocks.append(Paragraph(f"{own(game.title)} is a game for {components.players(game)}.{seats}", head))
    lines = []
    for end in game.ends:
        with made.words.within(end.frame):
            assert end.condition is not None
            when = "if" if end.after is None else f"after {called(end.after, phase_title(end.after))}, if"
            text = f"the game ends {when} {made.words.clause(end.condition)}"
        lines.append(Line(en.sentence(text)))
    for rank in game.ranks[:1]:
        first = playing.rank_entry(made, rank).blocks[0]
        assert isinstance(first, Items)
        lines.append(Line(first.lines[0].text.replace("The player with", "The winner is the player with", 1)))
    if any(each.kind in ("before", "after", "instead") for each in game.roles):
        lines.append(Line(ORDER[triggers_of(made)]))
    lines.append(Line(MEANING))
    if made.base:
        lines.append(Line(f"This is a variant of {made.base}; what is new or changed is marked."))
    blocks.append(Items(lines))
    return Chapter("Overview", "overview", [Section("", "overview-0", list(blocks))])


def _differences(made: Sheet, book: Book) -> Chapter | None:
    composed = made.checked.composed
    if composed is None:
        return None
    top = made.checked.layer.source if made.checked.layer is not None else ""
    gone = [each for each in composed.removals if each.span.source == top]
    lines = []
    if gone:
        lines.append(Line("Gone:", [Line(en.sentence(_removed(made, each))) for each in gone]))
    changed = [
        (address, verb) for address, verb in made.touched.items() if address not in {each.address for each in gone}
    ]
    if changed:
        said = [en.sentence(f"{_linked_address(made, address)} ({verb})") for address, verb in changed]
        lines.append(Line("Changed:", [Line(each) for each in dict.fromkeys(said)]))
    new = [
        Line(en.sentence(f"{_kind(each)} “{called(each)}”"))
        for each in dict.fromkeys(made.game.symbols.values())
        if made.mark(each) == "new" and type(each).__name__ in KIND_WORDS
    ]
    new += [
        Line(en.sentence(f"the {ENTRY_WORDS.get(each.kind, 'clause')} “{link(each.anchor, plain(each.title))}”"))
        for each in book.entries()
        if each.mark == "new"
    ]
    if new:
        lines.append(Line("New:", new))
    if not lines:
        return None
    return Chapter(f"What differs from {made.base}", "differences", [Section("", "differences-0", [Items(lines)])])


def _removed(made: Sheet, gone: Removal) -> str:
    """What is gone, with its kind as the variant says it."""
    source = made.game.sources.get(gone.span.source)
    text = source.text[gone.span.start : gone.span.end] if source is not None else ""
    found = re.match(r"remove\s+(\w+)", text)
    kind = (
        {"require": "requirement", "const": "number", "use": "library"}.get(found[1], found[1])
        if found is not None
        else "clause"
    )
    return f"the {kind} “{_spoken_address(gone.address)}”"


def _spoken_address(address: str) -> str:
    return ", ".join(en.lowered(each) for each in address.split("."))


def _linked_address(made: Sheet, address: str) -> str:
    name = address.split(".")[0]
    symbol = made.game.symbols.get(name)
    text = _spoken_address(address)
    parts = address.split(".")
    if isinstance(symbol, g.EntitySymbol) and len(parts) > 1:
        row = next((each for each in symbol.rows if each.name == parts[1]), None)
        if row is not None:
            column = f": {en.lowered(parts[2])}" if len(parts) > 2 else ""
            return f"{words_of(symbol).one} “{link(slug(f'row-{row.address}'), row_text(symbol, row))}”{column}"
    if address in {each.path for each in aims.all_phases(made.game.phases)}:
        return link(slug(f"phase-{address}"), text)
    return called(symbol, text) if symbol is not None else text


KIND_WORDS = {
    "EntitySymbol": "the things", "EnumSymbol": "the names", "ResourceSymbol": "the goods", "TrackSymbol": "the track",
    "ZoneSymbol": "the place", "StateSymbol": "the note",
}  # fmt: skip


def _kind(symbol: g.Symbol) -> str:
    return KIND_WORDS.get(type(symbol).__name__, "the clause")


def _components(made: Sheet, boards: dict[g.EntitySymbol, Drawing]) -> Chapter:
    sections = [components.things(made)]
    if boards:
        sections.append(Section("The board", "components-board", list(boards.values())))
    for each in (components.counted(made), components.places(made), components.notes(made), components.records(made)):
        if each is not None:
            sections.append(each)
    return Chapter("Components", "components", [each for each in sections if each.blocks])


def _set_up(made: Sheet) -> Chapter | None:
    phases = playing.before_play(made.game)
    if not phases:
        return None
    lead = Paragraph(
        f"Lay out everything as {link('components-places', 'the places')} say. Then, in this order:"
        if made.game.zones
        else "In this order:"
    )
    sections = [Section("", "setup-0", [lead]), *playing.phase_sections(made, phases, "setup")]
    return Chapter("Set-up", "setup", sections)


def _course(made: Sheet, flow: Flow | None) -> Chapter:
    phases = made.game.phases[len(playing.before_play(made.game)) :]
    first: list[Flow | Paragraph] = [flow] if flow is not None else []
    sections = [Section("", "course-0", list(first)), *playing.phase_sections(made, phases, "course")]
    return Chapter("The course of the game", "course", sections)


def _remarks(made: Sheet) -> Chapter | None:
    if not made.game.remarks:
        return None
    blocks = [Paragraph(en.sentence(_named(made, own(text))), ids) for text, ids in made.game.remarks]
    return Chapter("Remarks", "remarks", [Section("", "remarks-0", list(blocks))])


def _named(made: Sheet, text: str) -> str:
    """A remark of the author; names between backticks lead to what they name."""

    def spoken(found: re.Match[str]) -> str:
        symbol = made.game.symbols.get(found[1])
        return called(symbol) if symbol is not None else en.lowered(found[1])

    return re.sub(r"`(\w+)`", spoken, text)


def _invariants(made: Sheet) -> Chapter | None:
    entries: list[Entry | Paragraph] = [Paragraph("These always hold; they help to see a mistake at the table.")]
    for each in made.game.invariants:
        with made.words.within(each.frame):
            assert each.condition is not None
            lines = told(made.words, each.condition)
        entry = made.entry(
            each, en.title(each.name), [Items(lines)] if lines[0].below else [Paragraph(lines[0].text)], "check"
        )
        entry.anchor = slug(f"check-{each.name}")
        entries.append(entry)
    if len(entries) == 1:
        return None
    return Chapter("What always holds", "checks", [Section("", "checks-0", list(entries))])


def _index(book: Book) -> Chapter:
    """Every entry by its name, with what it is."""
    found = [(plain(each.title), each) for each in book.entries() if each.kind in ENTRY_WORDS]
    found += [
        (plain(row[0]), Entry(anchor, row[0], kind="thing"))
        for chapter in book.chapters
        if chapter.anchor == "components"
        for section in chapter.sections
        for grid in section.blocks
        if isinstance(grid, Grid)
        for row, anchor in zip(grid.rows, grid.anchors, strict=False)
    ]
    found.sort(key=lambda pair: (pair[0].casefold(), pair[1].anchor))
    lines = [
        Line(f"{link(entry.anchor, title)} ({ENTRY_WORDS.get(entry.kind, 'component')})") for title, entry in found
    ]
    return Chapter("Index", "index", [Section("", "index-0", [Items(lines)])])


def _citations(made: Sheet, book: Book) -> Chapter | None:
    """Each cited clause with the places of this rulebook that follow it."""
    where: dict[str, dict[str, str]] = {}
    for ids, place, title in _told(book):
        for each in ids:
            where.setdefault(each, {}).setdefault(place, plain(title))
    if not where and not made.game.rulebooks:
        return None
    rows, anchors = [], []
    for each in sorted(where, key=_clause_order):
        rows.append([each, en.listed(link(place, title) for place, title in where[each].items())])
        anchors.append(slug(f"cite-{each}"))
    grid = Grid(["Clause", "Where it is in this rulebook"], rows, [], anchors)
    sections = [Section("", "clauses-0", [grid])] if rows else []
    for number, (title, ids) in enumerate(made.game.rulebooks, 1):
        missing = [each for each in ids if each not in where]
        text = f"Of {len(ids)} clauses in “{own(title)}” "
        text += f"these are cited by nothing here: {en.listed(missing)}." if missing else "all are cited here."
        sections.append(Section("", f"clauses-{number}", [Paragraph(text)]))
    return Chapter("Clauses of the printed rules", "clauses", sections)


def _clause_order(text: str) -> tuple[str, int, str]:
    head = text.rstrip("0123456789")
    digits = text[len(head) :]
    return head, int(digits) if digits else 0, text


__all__ = ["rulebook"]
