"""The chapters about what there is: overview, things, places, options, tables of cards and boards."""

from __future__ import annotations

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import (
    BoolType,
    EffectType,
    EnumType,
    IntType,
    PlayerType,
    SetType,
    TallyType,
    Type,
    in_words,
    strip,
)
from regelwerk.tools.rulebook import english as en
from regelwerk.tools.rulebook import naming, running
from regelwerk.tools.rulebook.book import Block, Chapter, Drawing, Entry, Grid, Items, Paragraph, Section, flat
from regelwerk.tools.rulebook.english import Phrase
from regelwerk.tools.rulebook.gathering import Sheet
from regelwerk.tools.rulebook.markup import emphasis, link, own, plain
from regelwerk.tools.rulebook.playing import sheet_citations
from regelwerk.tools.rulebook.reading import bare, row_text
from regelwerk.tools.rulebook.wording import Line

KINDS = {"cards": "cards", "tiles": "tiles", "pieces": "pieces", "dice": "dice", "fields": "board", "table": "table"}


def players(game: g.CheckedGame) -> str:
    """`3 to 5 players`."""
    low, high = game.players
    if low == high:
        return f"{low} player{'' if low == 1 else 's'}"
    return f"{low} to {high} players"


# -------------------------------------------------------------------------------------------------------- components
def how_many(sheet: Sheet, entity: g.EntitySymbol) -> str:
    """How many things of a type there are."""
    w = sheet.words
    if entity.computed is not None:
        return "as many as the board has"
    total, rest = 0, list[str]()
    own_number: dict[str, int] = {}
    for row in entity.rows:
        value = row.copies.value if isinstance(row.copies, x.Const) and isinstance(row.copies.value, int) else None
        each = (
            f" for each {'player' if isinstance(entity.owner_type, PlayerType) else naming.noun(entity.owner_type).one}"
            if row.per_player
            else ""
        )
        if row.copies is not None and value is None:
            rest.append(f"{w.text(row.copies)}{each}")
        elif each:
            own_number[each] = own_number.get(each, 0) + (value or 1)
        else:
            total += value or 1
    rest += [f"{count}{each}" for each, count in own_number.items()]
    if len(rest) > 1 and len(set(rest)) == 1:
        rest = [f"{len(rest)} times {rest[0]}"]
    parts = [*([str(total)] if total else []), *rest]
    return " and ".join(parts) or "none"


def things(sheet: Sheet) -> Section:
    """The list of what is in the box."""
    rows, ids, anchors = [], [], []
    for entity in sheet.game.entities:
        if entity.library is not None and entity.computed is not None:
            continue
        words = naming.words_of(entity)
        what = en.capital(words.many)
        details = []
        if entity.faces is not None:
            details.append(f"faces {entity.faces[0]} to {entity.faces[1]}")
        kinds = [row for row in entity.rows if row.printed]
        if len(entity.rows) > 1 and entity.kind in ("pieces", "dice"):
            details.append(en.listed(f"{_copies(sheet, row)}{row_text(entity, row)}" for row in kinds))
        if _has_table(entity) and (_shown(entity) or not entity.marks):
            details.append(f"see {link('table-' + naming.anchor(entity), 'the table')}")
        rows.append(
            [
                sheet.marked(entity, what),
                KINDS[entity.kind],
                how_many(sheet, entity),
                "; ".join(each for each in details if each),
            ]
        )
        ids.append(sheet_citations(entity))
        anchors.append(naming.anchor(entity))
    section = Section("Things", "components-things", [])
    if rows:
        section.blocks.append(Grid(["What", "Kind", "How many", ""], rows, ids, anchors))
    return section


def _copies(sheet: Sheet, row: g.RowSymbol) -> str:
    if row.copies is None:
        return ""
    text = plain(sheet.words.text(row.copies))
    return f"{text} × " if len(text) < 4 else ""


def counted(sheet: Sheet) -> Section | None:
    """Resources and tracks."""
    w = sheet.words
    rows, ids, anchors = [], [], []
    for resource in sheet.game.resources:
        words = naming.words_of(resource)
        name = en.capital(words.many)
        if resource.kinds is not None:
            kinds = en.listed(
                naming.member_words(resource.kinds, k + 1).many for k in range(len(resource.kinds.members))
            )
            name = f"{name}: {kinds}"
        each = " of each kind" if resource.kinds is not None else ""
        supply = f"{w.text(resource.supply)}{each}" if resource.supply is not None else "no limit"
        start = f"{w.text(resource.start)}{each}" if resource.start is not None else "0"
        seen = SEEN[resource.seen_by]
        held = en.listed(f"on {naming.words_of(each).many}" for each in resource.held_by)
        more = "; ".join(
            part
            for part in (f"may also lie {held}" if held else "", "" if resource.seen_by == "all" else f"seen by {seen}")
            if part
        )
        rows.append([sheet.marked(resource, name), supply, start, more])
        ids.append(sheet_citations(resource))
        anchors.append(naming.anchor(resource))
    for track in sheet.game.tracks:
        words = naming.words_of(track)
        low, high = in_words(track.lowest, track.type), in_words(track.highest, track.type)
        limit = f"from {low}" if track.highest >= 32767 else f"from {low} to {high}"
        start = w.text(track.start) if track.start is not None else low
        over = ""
        if track.highest < 32767:
            if track.overflow == "block":
                with w.within(track.overflow_frame, {1: Phrase("what is over")}):
                    over = f"What goes over {high}: {flat(w.lines(track.overflow_body))}"
            else:
                over = {"lost": f"what goes over {high} is lost", "forbidden": f"it must not go over {high}"}.get(
                    track.overflow or "", ""
                )
        rows.append([sheet.marked(track, en.capital(words.many)), f"a track {limit}", start, over])
        ids.append(sheet_citations(track))
        anchors.append(naming.anchor(track))
    if not rows:
        return None
    return Section(
        "Goods and tracks",
        "components-goods",
        [Grid(["What", "Supply", "Each player begins with", ""], rows, ids, anchors)],
    )


SEEN = {
    "all": "everybody",
    "owner": "its owner; the others see only how many",
    "nobody": "nobody; everybody sees how many",
    "count": "nobody, not even its owner; everybody sees how many",
}


def places(sheet: Sheet) -> Section | None:
    """Where things lie, what lies there at the start, and who sees it."""
    w = sheet.words
    rows, ids, anchors = [], [], []
    for zone in sheet.game.zones:
        name = naming.place_name(zone)
        name = en.capital(name)
        each = ""
        if zone.key is not None:
            each = f"for each {naming.noun(zone.key).one}"
        what = naming.words_of(zone.entity).many
        kind = {"pile": "a pile", "row": "a row", None: ""}[zone.order]
        details = [part for part in (each, kind) if part]
        if zone.capacity is not None:
            details.append(f"at most {w.text(zone.capacity)}")
        start = "empty"
        if zone.contents is not None:
            owner = Phrase(f"the {naming.noun(zone.key).one}") if zone.key is not None else Phrase("it")
            with w.within(zone.frame, {0: Phrase("the player"), 1: owner}):
                start = w.text(zone.contents)
        seen = "everybody" if zone.seen_by == "all" else SEEN[zone.seen_by]
        if zone.top_visible:
            seen += "; the top one lies face up"
        rows.append([sheet.marked(zone, name), what, ", ".join(details), start, en.capital(seen)])
        ids.append(sheet_citations(zone))
        anchors.append(naming.anchor(zone))
    if not rows:
        return None
    return Section(
        "Places, and who sees what",
        "components-places",
        [Grid(["Place", "What lies there", "", "At the start", "Who sees it"], rows, ids, anchors)],
    )


def notes(sheet: Sheet) -> Section | None:
    """What has to be remembered."""
    w = sheet.words
    rows, ids, anchors = [], [], []
    for state in sheet.game.states:
        name = en.capital(en.lowered(state.name))
        each = f"for each {naming.noun(state.key).one}" if state.key is not None else "once"
        start = "nothing"
        if state.start is not None:
            owner = Phrase(f"the {naming.noun(state.key).one}") if state.key is not None else Phrase("it")
            with w.within(state.frame, {1: owner}):
                start = w.text(state.start)
        details = []
        if state.resets is not None:
            details.append(f"set back each {en.lowered(state.resets)}")
        if state.seen_by != "all":
            details.append(f"seen by {SEEN[state.seen_by]}")
        rows.append([sheet.marked(state, name), each, start, "; ".join(details)])
        ids.append(sheet_citations(state))
        anchors.append(naming.anchor(state))
    if not rows:
        return None
    return Section(
        "What to keep in mind", "components-notes", [Grid(["What", "", "At the start", ""], rows, ids, anchors)]
    )


def records(sheet: Sheet) -> Section | None:
    """Named spaces of choices."""
    symbols = [each for each in dict.fromkeys(sheet.game.symbols.values()) if isinstance(each, g.RecordSymbol)]
    entries: list[Block | Entry] = []
    for symbol in symbols:
        fields = [Line(en.sentence(f"“{en.lowered(name)}”: {_type_words(kind)}")) for name, kind in symbol.fields]
        entries.append(
            sheet.entry(symbol, en.capital(naming.words_of(symbol).one), [Items(fields, lead="It is made of:")], "term")
        )
    return Section("What is put together", "components-records", entries) if entries else None


def _type_words(kind: Type) -> str:
    bare_kind = strip(kind)
    if isinstance(bare_kind, TallyType):
        return (
            f"an amount of {naming.words_of(bare_kind.symbol).many}"
            if bare_kind.symbol is not None
            else "an amount of goods"
        )
    if isinstance(bare_kind, SetType):
        return f"several {naming.noun(bare_kind).many}"
    return en.article(naming.noun(bare_kind).one)


# ----------------------------------------------------------------------------------------------------------- options
def options(sheet: Sheet) -> Chapter | None:
    """What is agreed before the game."""
    w = sheet.words
    entries: list[Block | Entry] = []
    for option in sheet.game.options:
        kind = strip(option.type)
        default = (
            "chance decides, if nobody does" if option.default is None else f"usually {plain(w.text(option.default))}"
        )
        choices = _choices(kind)
        question = f"{own(option.question)} " if option.question else ""
        text = f"{question}({en.capital(choices)}; {default}.)" if choices else f"{question}({en.capital(default)}.)"
        entries.append(sheet.entry(option, en.title(option.name), [Paragraph(text)], "option"))
    if not entries:
        return None
    return Chapter("Options", "options", [Section("", "options-0", entries)])


def _choices(kind: Type) -> str:
    if isinstance(kind, BoolType):
        return "yes or no"
    if isinstance(kind, EnumType):
        return (
            en.listed(
                (naming.member_words(kind.symbol, k + kind.symbol.lowest).one for k in range(len(kind.symbol.members))),
                "or",
            )
            if kind.symbol.numbers is None
            else ""
        )
    if isinstance(kind, IntType):
        return f"a number from {in_words(kind.lowest, kind)} to {in_words(kind.highest, kind)}"
    if isinstance(kind, PlayerType):
        return "one of the players"
    return ""


# ------------------------------------------------------------------------------------------------------------ tables
def _has_table(entity: g.EntitySymbol) -> bool:
    return (
        entity.computed is None
        and len(entity.rows) > 1
        and (bool(_shown(entity)) or any(row.printed for row in entity.rows))
    )


def _shown(entity: g.EntitySymbol) -> list[g.ColumnSymbol]:
    return [each for each in entity.columns.values() if each.name not in entity.marks]


def tables(sheet: Sheet, drawings: dict[g.EntitySymbol, Drawing]) -> Chapter | None:
    """The cards, fields and tables, row by row."""
    sections = []
    for entity in sheet.game.entities:
        if entity in drawings and not _shown(entity):
            continue
        if not _has_table(entity) or (entity.marks and not _shown(entity)):
            continue
        grid = table(sheet, entity)
        name = en.capital(naming.words_of(entity).many)
        blocks: list[Block | Entry] = []
        if entity.live_in is not None:
            place = naming.place_name(entity.live_in)
            blocks.append(Paragraph(f"What such a card says holds for the player who has it in the place “{place}”."))
        for column in entity.columns.values():
            given = [en.lowered(name) for name, _ in column.parameters]
            if given:
                blocks.append(Paragraph(f"“{en.title(column.name)}” is told: {en.listed(map(emphasis, given))}."))
        blocks.append(grid)
        sections.append(Section(name, "table-" + naming.anchor(entity), blocks))
    return Chapter("Cards and tables", "tables", sections) if sections else None


def table(sheet: Sheet, entity: g.EntitySymbol) -> Grid:
    """The rows of a type with their columns in words."""
    columns = _shown(entity)
    copies = any(row.copies is not None for row in entity.rows)
    header = [
        en.capital(naming.words_of(entity).one),
        *(["Copies"] if copies else []),
        *(en.title(each.name) for each in columns),
    ]
    rows, ids, anchors = [], [], []
    for row in entity.rows:
        cells = [sheet.marked(row, row_text(entity, row))]
        if copies:
            cells.append("1" if row.copies is None else sheet.words.text(row.copies))
        cells += [cell(sheet, entity, row, column) for column in columns]
        rows.append(cells)
        ids.append(tuple(dict.fromkeys([*row.citations])))
        anchors.append(naming.slug(f"row-{row.address}"))
    keep = [k for k, title in enumerate(header) if k == 0 or any(row[k] not in ("", "–") for row in rows)]
    return Grid([header[k] for k in keep], [[row[k] for k in keep] for row in rows], ids, anchors)


def cell(sheet: Sheet, entity: g.EntitySymbol, row: g.RowSymbol, column: g.ColumnSymbol) -> str:
    """What a cell says."""
    w = sheet.words
    this = Phrase("this card" if entity.kind == "cards" else f"this {naming.words_of(entity).one}")
    found = []
    content = column.cells[row.index - 1] if row.index <= len(column.cells) else None
    if isinstance(content, g.CellBody):
        known = {content.frame.names.index("self"): this} if "self" in content.frame.names else {}
        with w.within(content.frame, known):
            for slot, (name, kind) in enumerate(column.parameters, 1):
                if slot < len(content.frame.names) and content.frame.names[slot] == name:
                    w.introduce(slot, kind, name)
            found.append(flat(w.lines(content.body)))
    elif isinstance(content, tuple):
        frame, expression = content
        with w.within(frame, {1: this}):
            test = column.kind == "test" and not isinstance(expression, x.Const)
            text = en.sentence(w.clause(expression)) if test else w.text(expression).removeprefix("the picture ")
            answer = _answer(expression, row) if not test else None
            found.append("–" if text == "nothing" else bare(text) if answer is None else "yes" if answer else "no")
    elif content is not None:
        with w.within(g.Frame()):
            text = w.text(content).removeprefix("the picture ")
        found.append("–" if text == "nothing" else bare(text))
    roles = [
        each for each in sheet.game.roles if each.row is row and each.name == f"{entity.name}.{row.name}.{column.name}"
    ]
    for role in roles:
        found.append(flat(running.rule(w, role, sheet.targets.get(role))))
    if not found and isinstance(column.type, EffectType):
        return ""
    return " ".join(each for each in found if each)


def _answer(node: x.Expr, row: g.RowSymbol) -> bool | None:
    """Whether a question about a row itself comes out as yes, as far as that is plain: `it is not geheimbund`."""
    if isinstance(node, x.Negation):
        inner = _answer(node.operand, row)
        return None if inner is None else not inner
    if isinstance(node, x.Equal):
        sides = (node.left, node.right)
        named = next((each for each in sides if isinstance(each, x.RowConst)), None)
        itself = next((each for each in sides if isinstance(each, x.Local)), None)
        if named is not None and itself is not None and named.symbol is row.entity:
            return named.row == row.index
    return None


__all__ = ["counted", "notes", "options", "places", "players", "records", "tables", "things"]
