"""The chapters about playing: set-up, the course of the game, actions, procedures, rules, scoring, the end."""

from __future__ import annotations

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import PLAYER, BoolType, Type, strip
from regelwerk.tools import aims
from regelwerk.tools.diagrams.economy_reading import rows_in
from regelwerk.tools.rulebook import english as en
from regelwerk.tools.rulebook import naming, picking, running
from regelwerk.tools.rulebook.amounts import amount, countable, each_counted, part
from regelwerk.tools.rulebook.asking import prompt_of
from regelwerk.tools.rulebook.book import Block, Chapter, Entry, Items, Paragraph, Section
from regelwerk.tools.rulebook.computing import constant
from regelwerk.tools.rulebook.doing import phase_title
from regelwerk.tools.rulebook.english import Phrase
from regelwerk.tools.rulebook.gathering import Sheet
from regelwerk.tools.rulebook.markup import link, own, plain
from regelwerk.tools.rulebook.telling import told, value_lines
from regelwerk.tools.rulebook.wording import Line


def main_phase(game: g.CheckedGame) -> g.PhaseSymbol | None:
    """The phase in which the game is played: the one whose passes are counted, else the one with most in it."""
    cap = game.cap[1] if game.cap is not None else None
    if isinstance(cap, g.PhaseSymbol):
        while cap.parent is not None:
            cap = cap.parent
        return cap
    named = [each for each in game.phases if each.drivers]
    weigh = named or game.phases
    return max(weigh, key=lambda each: len(aims.all_phases([each])), default=None)


def before_play(game: g.CheckedGame) -> list[g.PhaseSymbol]:
    """The phases of the set-up."""
    main = main_phase(game)
    return game.phases[: game.phases.index(main)] if main in game.phases else []


# ------------------------------------------------------------------------------------------------------------ phases
def inherited(sheet: Sheet, phase: g.PhaseSymbol) -> dict[int, Phrase]:
    """How a phase calls the variables of the phases around it."""
    known: dict[int, Phrase] = {}
    for name, kind, slot in phase.inherited:
        words = naming.named(name, kind)
        known[slot] = Phrase(en.the(words.one)) if len(name) > 2 or not isinstance(kind, BoolType) else Phrase(name)
        if plain(words.one) == name and len(name) <= 2:
            known[slot] = Phrase(name)
    return known


def phase_entry(sheet: Sheet, phase: g.PhaseSymbol) -> Entry:
    """A phase with its steps; phases inside have entries of their own."""
    w = sheet.words
    blocks: list[Block] = []
    with w.within(phase.frame, inherited(sheet, phase)):
        for each in phase.drivers:
            blocks += [Paragraph(en.sentence(text)) for text in running.driver(w, phase, each)]
        lines = [line for item in phase.items for line in item_lines(sheet, item)]
    if lines:
        blocks.append(Items(lines, numbered=len(lines) > 1))
    blocks += rule_notes(sheet, phase)
    return sheet.entry(phase, phase_title(phase), blocks, "phase")


def item_lines(sheet: Sheet, item: t.Stmt) -> list[Line]:
    """What one item of a phase says; a step with its citations and the rules on it."""
    w = sheet.words
    if isinstance(item, t.SubPhase):
        text = naming.called(item.symbol, phase_title(item.symbol))
        return [Line(f"{text}.", [], ())]
    with w.inner():
        lines = w.lines(item)
    if isinstance(item, t.Step):
        notes = [Line(each) for each in noted(sheet, item.symbol)]
        if len(lines) > 1:
            lines = [Line(f"{en.title(item.symbol.name)}:", lines)]
        elif not lines:
            lines = [Line(f"{en.title(item.symbol.name)}: nothing happens.")]
        ids = sheet_citations(item.symbol)
        lines[0] = Line(lines[0].text, [*lines[0].below, *notes], ids)
    return lines


def sheet_citations(symbol: g.Symbol) -> tuple[str, ...]:
    """The clauses that a declaration cites itself."""
    return tuple(dict.fromkeys(symbol.citations))


def phase_sections(sheet: Sheet, phases: list[g.PhaseSymbol], chapter: str) -> list[Section]:
    """The entries of phases and of those inside them."""
    entries: list[Block | Entry] = [phase_entry(sheet, each) for each in aims.all_phases(phases)]
    return [Section("", f"{chapter}-phases", entries)]


# ------------------------------------------------------------------------------------------------------- rules on it
def rule_anchor(role: g.Role) -> str:
    """The id of the entry of a rule."""
    return naming.slug(f"rule-{role.name}")


def rule_title(role: g.Role) -> str:
    """How a rule is called."""
    if role.row is None:
        return en.title(role.name)
    return own(role.row.printed) or en.title(role.row.name)


NAMED = 6
"""With more cards than this about one thing they are counted."""


def noted(sheet: Sheet, symbol: g.Symbol) -> list[str]:
    """Short notes on the rules that concern a declaration, one for each rule."""
    names: dict[str, None] = {}
    cards: dict[g.EntitySymbol, dict[str, None]] = {}
    for role in sheet.rules.get(symbol, ()):
        if role.row is None:
            names[link(rule_anchor(role), rule_title(role))] = None
        else:
            target = naming.slug(f"row-{role.row.address}")
            cards.setdefault(role.row.entity, {})[link(target, rule_title(role))] = None
    for entity, rows in cards.items():
        if len(rows) > NAMED:
            text = f"{len(rows)} {naming.words_of(entity).many}"
            names[link(f"table-{naming.anchor(entity)}", text)] = None
        else:
            names |= rows
    return [f"See also: {en.listed(names)}."] if names else []


def rule_notes(sheet: Sheet, symbol: g.Symbol) -> list[Block]:
    """The same as blocks."""
    return [Paragraph(each) for each in noted(sheet, symbol)]


# ----------------------------------------------------------------------------------------------------------- actions
def action_entry(sheet: Sheet, action: g.ActionSymbol) -> Entry:
    """An action: what is chosen, when it is allowed, what it costs, what happens."""
    w = sheet.words
    blocks: list[Block] = []
    with w.within(action.frame):
        title = prompt_of(w, action)
        if action.limit is not None:
            blocks.append(Paragraph(en.sentence(en.capital(running.limit(w, action.limit)))))
        picks = picking.choices(w, action.head) if action.head is not None else []
        if action.prompt is not None:
            prompt = w.template(action.prompt)
            if prompt != title:
                blocks.insert(0, Paragraph(f"“{prompt}”"))
        if picks:
            blocks.append(
                Items([Line(en.sentence(each)) for each in picks], lead="Choose:")
                if len(picks) > 1
                else Paragraph(en.sentence(f"choose {picks[0]}"))
            )
        tests, costs = [], []
        for clause in action.clauses:
            if isinstance(clause, g.RequireSymbol):
                tests.append(requirement(sheet, clause))
            elif isinstance(clause, g.CostSymbol):
                costs.append(cost(sheet, clause, action))
            else:
                w.introduce(clause[0], clause[1].type)
                blocks.append(Paragraph(en.sentence(f"{w.known[clause[0]]} is {w.text(clause[1])}")))
        if tests:
            blocks.append(Items(tests, lead="You may do this only if:"))
        if costs:
            blocks.append(Items(costs, lead="It costs:"))
        lines = w.lines(action.body)
        if lines:
            blocks.append(Items(lines, numbered=len(lines) > 1, lead="Then:"))
        elif not blocks:
            blocks.append(Paragraph("Nothing else happens."))
    blocks += rule_notes(sheet, action)
    return sheet.entry(action, title, blocks, "action")


def requirement(sheet: Sheet, clause: g.RequireSymbol) -> Line:
    """A requirement with what is said if it is not met."""
    w = sheet.words
    lines = told(w, clause.condition)
    line = Line(lines[0].text, list(lines[0].below), sheet_citations(clause))
    if clause.otherwise is not None and all(isinstance(each, str) for each in clause.otherwise.parts):
        line.text += f" (“{w.template(clause.otherwise)}”)"
    line.below += [Line(each) for each in noted(sheet, clause)]
    return line


def price(sheet: Sheet, clause: g.CostSymbol, action: g.ActionSymbol) -> str:
    """What is paid; a price on a card or in a table by what the possible rows say, if these are few."""
    w = sheet.words
    text = amount(w, clause.amount)
    for tally in clause.amount.tallies:
        if not isinstance(tally, x.ColumnRead) or not isinstance(tally.thing, x.Local) or action.head is None:
            continue
        slot = tally.thing.slot
        source = next((each.source for each in action.head.binders if each.slot == slot), None)
        rows = rows_in(source, {}) if source is not None else None
        found: dict[str, None] = {}
        for number in sorted(rows or ()):
            cell = tally.column.cells[number - 1]
            value = cell[1] if isinstance(cell, tuple) else cell
            if isinstance(value, x.Expr):
                found[plain(w.text(value))] = None
        if 0 < len(found) <= PRICES:
            text = text.replace(w.text(tally), f"{w.text(tally)} ({'; or '.join(found)})")
    return text


PRICES = 6
"""So many different prices are told at an action."""


def cost(sheet: Sheet, clause: g.CostSymbol, action: g.ActionSymbol) -> Line:
    """A cost with its condition and its reason."""
    w = sheet.words
    text = price(sheet, clause, action)
    if clause.condition is not None:
        text += f", if {w.clause(clause.condition)}"
    if clause.printed is not None:
        text += f" ({w.template(clause.printed)})"
    return Line(en.sentence(text), [Line(each) for each in noted(sheet, clause)], sheet_citations(clause))


def offered_where(sheet: Sheet) -> dict[g.ActionSymbol, list[g.PhaseSymbol]]:
    """The phases that offer each action."""
    found: dict[g.ActionSymbol, list[g.PhaseSymbol]] = {}
    for phase in aims.all_phases(sheet.game.phases):
        for item in phase.items:
            if isinstance(item, t.Offer):
                for action in item.actions:
                    found.setdefault(action, []).append(phase)
    return found


def actions(sheet: Sheet) -> Chapter:
    """What a player may do."""
    where = offered_where(sheet)
    entries = []
    for action in sheet.game.actions:
        entry = action_entry(sheet, action)
        phases = list(dict.fromkeys(where.get(action, ())))
        if phases:
            text = en.listed(naming.called(each, phase_title(each)) for each in phases)
            entry.blocks.insert(0, Paragraph(f"When: {text}."))
        entries.append((action, entry))
    return Chapter("Actions", "actions", sheet.grouped("actions", entries))


# ----------------------------------------------------------------------------------------------- procedures and terms
def effect_entry(sheet: Sheet, effect: g.EffectSymbol) -> Entry:
    """A named procedure."""
    w = sheet.words
    blocks: list[Block] = []
    with w.within(effect.frame):
        given = w.parameters(effect.parameters, effect.slots)
        if given:
            given = [f"{each}{_kind_hint(kind)}" for each, (_, kind) in zip(given, effect.parameters, strict=True)]
            shown = []
            for name, default in zip(
                given, [*([None] * (len(given) - len(effect.defaults))), *effect.defaults], strict=False
            ):
                shown.append(name if default is None else f"{name} (usually {w.text(default)})")
            blocks.append(Paragraph(f"Given: {en.listed(shown)}."))
        tests = [requirement(sheet, each) for each in effect.requirements]
        if tests:
            blocks.append(Items(tests, lead="This happens only if:"))
        lines = w.lines(effect.body)
        if lines:
            blocks.append(Items(lines, numbered=len(lines) > 1))
        else:
            blocks.append(Paragraph("Nothing happens by this itself; other rules refer to it."))
    blocks += rule_notes(sheet, effect)
    return sheet.entry(effect, en.title(effect.name), blocks, "procedure")


def _kind_hint(kind: Type) -> str:
    return " (yes or no)" if isinstance(strip(kind), BoolType) else ""


def procedures(sheet: Sheet) -> Chapter:
    """The named effects."""
    entries = [(each, effect_entry(sheet, each)) for each in sheet.game.effects]
    return Chapter("Procedures", "procedures", sheet.grouped("procedures", entries))


def value_entry(sheet: Sheet, value: g.ValueSymbol) -> Entry:
    """A term: what it means."""
    w = sheet.words
    with w.within(value.frame):
        w.parameters(value.parameters, value.slots)
        call = x.Call(value.type or strip(value.body.type), value.span, value, _arguments(value))  # type: ignore[union-attr]  # a checked value has a body
        assert value.body is not None
        if isinstance(strip(value.body.type), BoolType):
            lead = f"{plain(w.clause(call))} if "
            lines = told(w, value.body, lead)
        else:
            subject = plain(w.text(call))
            lines = value_lines(w, value.body, f"{subject}: ")
        block: Block = Items(lines) if len(lines) > 1 else _as_block(lines)
    return sheet.entry(value, en.title(value.name), [block, *rule_notes(sheet, value)], "term")


def _as_block(lines: list[Line]) -> Block:
    line = lines[0]
    return Items(line.below, lead=line.text) if line.below else Paragraph(line.text)


def _arguments(value: g.ValueSymbol) -> list[x.Expr]:
    slots = list(value.slots)
    kinds = [kind for _, kind in value.parameters]
    found: list[x.Expr] = [
        x.Local(kind, value.span, slot) for kind, slot in zip(kinds, slots[len(slots) - len(kinds) :], strict=True)
    ]
    return [x.Local(PLAYER, value.span, 0), *found] if value.takes_me else found


def constant_entry(sheet: Sheet, symbol: g.ConstantSymbol) -> Entry | None:
    """A constant that is not said where it is used."""
    if symbol.value is None:
        return None
    with sheet.words.within(g.Frame()):
        lines = value_lines(sheet.words, symbol.value, f"{en.lowered(symbol.name)}: ")
    return sheet.entry(symbol, en.title(symbol.name), [_as_block(lines), *rule_notes(sheet, symbol)], "term")


def terms(sheet: Sheet) -> Chapter:
    """The terms of the rules: values and constants; those of the libraries that the words explain by themselves are
    left out."""
    entries = []
    for value in sheet.game.values:
        if value.body is not None and (value.library is None or not value.recursive):
            entries.append((value.name, value_entry(sheet, value)))
    for each in sheet.game.constants:
        entry = constant_entry(sheet, each)
        if entry is not None:
            entries.append((each.name, entry))
    ordered: list[Block | Entry] = [
        entry for _, entry in sorted(entries, key=lambda pair: (pair[1].title.lower(), pair[1].anchor))
    ]
    return Chapter("Terms", "terms", [Section("", "terms-0", ordered)])


def rules(sheet: Sheet) -> Chapter:
    """Triggers and standing rules that stand on no card."""
    grouped: dict[str, list[g.Role]] = {}
    for role in sheet.game.roles:
        if role.row is None:
            grouped.setdefault(role.name, []).append(role)
    entries: list[Block | Entry] = []
    for name, roles in grouped.items():
        lines = [line for role in roles for line in running.rule(sheet.words, role, sheet.targets.get(role))]
        symbol = g.Symbol(name, roles[0].span)
        entry = sheet.entry(symbol, en.title(name), [Items(lines) if len(lines) > 1 else _as_block(lines)], "rule")
        entry.anchor = rule_anchor(roles[0])
        entry.citations = tuple(dict.fromkeys([*(c for each in roles for c in each.citations), *entry.citations]))
        entries.append(entry)
    return Chapter("Triggers and standing rules", "rules", [Section("", "rules-0", entries)])


# -------------------------------------------------------------------------------------------------- scoring, the end
def score_line(sheet: Sheet, node: x.Expr, unit: str = "point") -> str:
    """What one line of a score gives."""
    w = sheet.words
    words = g.Words(unit, f"{unit}s")
    if isinstance(node, x.InHalves):
        return score_line(sheet, node.operand, unit)
    if isinstance(node, x.Arithmetic) and node.operator == "div" and constant(node.right) is not None:
        many = w.noun(node.left).text
        return f"1 {unit} for every {w.text(node.right)} of {many}"
    if isinstance(node, x.Arithmetic) and node.operator == "*":
        return part(w, words, node)
    if countable(node):
        return f"1 {unit} for each {each_counted(w, node)}"
    if isinstance(node, x.Select | x.Switch) or constant(node) is not None:
        return part(w, words, node)
    if (
        isinstance(node, x.Quantified)
        and node.quantifier == "sum"
        and len(node.head.visible) == 1
        and node.value is not None
    ):
        binder = node.head.visible[0]
        with w.inner():
            noun, behind = picking.noun_and_relative(w, binder.source, binder.slot, [binder.condition], False)
            w.introduce(binder.slot, binder.type, binder.name)
            return f"for each {noun}{behind}: {score_line(sheet, node.value, unit)}"
    return f"as many {words.many} as {w.text(node)}"


def scoring(sheet: Sheet) -> Chapter:
    """Scores, awards, and the ways to points."""
    w = sheet.words
    entries: list[Block | Entry] = []
    for score in sheet.game.scores:
        lines = []
        for line in score.lines:
            with w.within(line.frame):
                assert line.value is not None
                said = score_line(sheet, line.value)
            lines.append(Line(en.sentence(f"{own(line.printed)}: {said}"), [], sheet_citations(line)))
        title = own(score.printed)
        title = en.title(score.name) if title == score.name else en.capital(title)
        entries.append(sheet.entry(score, title, [Items(lines, lead="The sum of these, for each player:")], "score"))
    for award in sheet.game.awards:
        entries.append(award_entry(sheet, award))
    return Chapter("Scoring", "scoring", [Section("", "scoring-0", entries)] if entries else [])


def award_entry(sheet: Sheet, award: g.AwardSymbol) -> Entry:
    """Who holds an award."""
    w = sheet.words
    with w.within(
        award.frame,
        {
            1: Phrase("the player"),
            2: Phrase(f"the {naming.noun(award.key).one}") if award.key is not None else Phrase("it"),
        },
    ):
        assert award.measure is not None
        measure = w.text(award.measure)
        least = f", at least {w.text(award.at_least)}" if award.at_least is not None else ""
    what = measure.removeprefix("the player’s ")
    each = f"for each {naming.noun(award.key).one} " if award.key is not None else ""
    name = own(award.printed)
    text = (
        f"{name} {each}goes to the player with the most {what}{least}. Whoever holds it keeps it as long as nobody has "
        "more; otherwise a sole leader takes it, and if several lead, nobody holds it."
    )
    return sheet.entry(award, en.capital(name), [Paragraph(en.capital(text))], "award")


def the_end(sheet: Sheet) -> Chapter:
    """How the game ends and who wins."""
    w = sheet.words
    entries: list[Block | Entry] = []
    for end in sheet.game.ends:
        with w.within(end.frame):
            assert end.condition is not None
            when = "at once, whenever" if end.at_once else "when"
            if end.after is not None:
                when = f"after {naming.called(end.after, phase_title(end.after))}, if"
            blocks: list[Block] = [_as_block(told(w, end.condition, f"the game ends {when} "))]
            if end.body is not None:
                lines = w.lines(end.body)
                blocks.append(Items(lines, numbered=len(lines) > 1, lead="Then, before the winner is found:"))
            if end.won_by is not None:
                blocks.append(Paragraph(en.sentence(f"{_winners(sheet, end.won_by)}")))
            if end.ranked_by is not None:
                name = naming.called(end.ranked_by, en.title(end.ranked_by.name))
                blocks.append(Paragraph(f"The winner is found by: {name}."))
        entries.append(sheet.entry(end, en.title(end.name), blocks, "end"))
    if _last_phase_ends(sheet.game):
        entries.insert(0, Paragraph("The game is over when its last phase is over."))
    for rank in sheet.game.ranks:
        entries.append(rank_entry(sheet, rank))
    return Chapter("The end of the game", "end", [Section("", "end-0", entries)])


def _winners(sheet: Sheet, node: x.Expr) -> str:
    phrase = sheet.words.noun(node)
    return f"{phrase} {'win' if phrase.many and not _single(node) else 'wins'}"


def _single(node: x.Expr) -> bool:
    return isinstance(node, x.SetOf) and len(node.items) == 1


def _last_phase_ends(game: g.CheckedGame) -> bool:
    main = main_phase(game)
    if main is None:
        return False
    endless = any(
        (isinstance(each, g.LoopDriver) and each.until is None)
        or (isinstance(each, g.TurnsDriver) and each.first is not None and each.condition is None)
        for each in main.drivers
    )
    return not endless


def rank_entry(sheet: Sheet, rank: g.RankSymbol) -> Entry:
    """How players are ranked."""
    w = sheet.words
    lines = []
    with w.within(rank.frame):
        for place, (key, lowest, printed) in enumerate(rank.keys):
            if isinstance(key, x.HistoryRead) and key.question.scope is None:
                said = own(printed) if printed else plain(w.text(key))
                lines.append(Line(en.sentence(f"{'' if not place else 'if tied: '}{said}")))
                continue
            words = own(printed) if printed else plain(w.text(key)).removeprefix("your ")
            if plain(w.text(key)).endswith("score") or not printed:
                words = words.removesuffix(" score") if words.endswith("points score") else words
            text = f"the {'fewest' if lowest else 'most'} {words}" if not words.startswith("the moment") else words
            meaning = w.text(key)
            lines.append(
                Line(
                    en.sentence(f"{'the player with' if not place else 'if tied:'} {text}{_explained(words, meaning)}")
                )
            )
        lines.append(
            Line(
                "Players who are still tied share the place."
                if rank.shared
                else "Of players who are still tied, the earlier seat is ahead."
            )
        )
    return sheet.entry(
        rank, "Who wins" if len(sheet.game.ranks) == 1 else en.title(rank.name), [Items(lines, numbered=True)], "rank"
    )


def _explained(words: str, meaning: str) -> str:
    bare = plain(meaning).removeprefix("your ")
    return "" if bare == words or words in bare or bare in words else f" ({meaning})"


__all__ = [
    "actions",
    "before_play",
    "inherited",
    "main_phase",
    "phase_entry",
    "phase_sections",
    "price",
    "procedures",
    "rank_entry",
    "rule_anchor",
    "rule_title",
    "rules",
    "score_line",
    "scoring",
    "terms",
    "the_end",
]
