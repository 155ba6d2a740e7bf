"""Words for statements that change something: goods, things, states; and how lines are put under a heading."""

from __future__ import annotations

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import BoolType, EnumType, NoneType, OptionalType, PlayerType, ThingType, strip
from regelwerk.tools.rulebook import english as en
from regelwerk.tools.rulebook import naming
from regelwerk.tools.rulebook.amounts import amount, part
from regelwerk.tools.rulebook.english import YOU, Phrase
from regelwerk.tools.rulebook.markup import emphasis, own, plain
from regelwerk.tools.rulebook.reading import adjective, many_of, there, zone_of
from regelwerk.tools.rulebook.wording import Line, Words, lines_for

INLINE = 90
"""A single consequence shorter than this stands in the line of its condition."""


def does(w: Words, me: x.Expr | None, word: str, rest: str) -> str:
    """What somebody does: an instruction to you, a statement about others."""
    who = YOU if me is None or (isinstance(me, x.Const) and me.value == 0) else w.noun(me)
    if who.you or not who.text:
        return f"{word} {rest}".rstrip()
    return en.said(who, word, rest)


def _line(w: Words, me: x.Expr | None, word: str, rest: str) -> list[Line]:
    return w.sentence_lines(does(w, me, word, rest))


def body_lines(w: Words, heading: str, body: t.Stmt | None, joint: str = ": ") -> list[Line]:
    """A heading with what happens under it; one short instruction stands in its line."""
    inner = w.lines(body)
    return under(heading, inner, joint)


def under(heading: str, inner: list[Line], joint: str = ": ") -> list[Line]:
    """A heading with lines below it, or with the only one in its line."""
    if not inner:
        return [Line(en.sentence(f"{heading}{joint}nothing happens"))]
    if len(inner) == 1 and not inner[0].below and len(plain(heading + inner[0].text)) <= INLINE * 2:
        return [Line(en.sentence(f"{heading}{joint}{small(inner[0].text)}"))]
    return [Line(en.capital(f"{heading}:"), inner)]


def small(text: str) -> str:
    """A sentence as it stands behind a colon."""
    first = text[:1]
    bare = plain(text)
    if first.isupper() and len(bare) > 1 and not bare[1:2].isupper() and bare.split()[0].rstrip(",.:") in SMALL:
        return first.lower() + text[1:]
    return text


SMALL = frozenset({
    "Gain", "Lose", "Pay", "Give", "Take", "Move", "Draw", "Shuffle", "Roll", "Choose", "Show", "Turn", "Do",
    "Then", "If", "For", "Each", "Every", "Everyone", "Repeat", "Nothing", "You", "The", "A", "An", "Up", "From",
    "Discard", "Set", "Note", "Swap", "One", "Two", "All", "No", "Return", "Either", "It", "That", "There", "Again",
    "As", "Reset", "Carry", "Otherwise", "In", "Put",
})  # fmt: skip
"""Words that begin a sentence, and are small behind a colon."""


def steps(w: Words, statements: list[t.Stmt]) -> list[Line]:
    """Instructions one after the other."""
    return [line for each in statements for line in w.lines(each)]


@lines_for(t.Sequence)
def _sequence(w: Words, node: t.Sequence) -> list[Line]:
    return steps(w, node.statements)


@lines_for(t.AsOne)
def _as_one(w: Words, node: t.AsOne) -> list[Line]:
    return w.lines(node.body)


@lines_for(t.Mark)
def _mark(w: Words, node: t.Mark) -> list[Line]:
    return []


@lines_for(t.Step)
def _step(w: Words, node: t.Step) -> list[Line]:
    if node.condition is not None:
        return body_lines(w, f"if {w.clause(node.condition)}", node.body, ", ")
    return w.lines(node.body)


@lines_for(t.SubPhase)
def _sub_phase(w: Words, node: t.SubPhase) -> list[Line]:
    return [Line(en.sentence(naming.called(node.symbol, phase_title(node.symbol))))]


def phase_title(symbol: g.PhaseSymbol) -> str:
    """The heading of a phase."""
    return en.capital(own(symbol.printed)) if symbol.printed else en.title(symbol.name)


# -------------------------------------------------------------------------------------------------------------- goods
def _because(w: Words, reason: x.Template | None) -> str:
    return f" ({w.template(reason)})" if reason is not None else ""


@lines_for(t.Gain)
def _gain(w: Words, node: t.Gain) -> list[Line]:
    return _line(w, node.me, "gain", f"{amount(w, node.amount)}{_because(w, node.reason)}")


@lines_for(t.Lose)
def _lose(w: Words, node: t.Lose) -> list[Line]:
    return _line(w, node.me, "lose", f"{amount(w, node.amount)}{_because(w, node.reason)}")


@lines_for(t.Pay)
def _pay(w: Words, node: t.Pay) -> list[Line]:
    return _line(w, node.me, "pay", amount(w, node.amount))


@lines_for(t.Transfer)
def _transfer(w: Words, node: t.Transfer) -> list[Line]:
    what = amount(w, node.amount)
    giver, receiver = w.noun(node.giver), w.noun(node.receiver)
    if giver.you:
        return w.sentence_lines(f"give {what} to {receiver}")
    if receiver.you:
        return w.sentence_lines(f"take {what} from {giver}")
    if isinstance(node.giver, x.Bank):
        return w.sentence_lines(f"put {what} from the supply {_onto(node.receiver)} {receiver}")
    if isinstance(node.receiver, x.Bank):
        return w.sentence_lines(f"return {what} from {giver} to the supply")
    return w.sentence_lines(en.said(giver, "give", f"{what} to {receiver}"))


def _onto(node: x.Expr) -> str:
    return "on" if isinstance(strip(node.type), ThingType) else "to"


# ------------------------------------------------------------------------------------------------------------- things
@lines_for(t.Move)
def _move(w: Words, node: t.Move) -> list[Line]:
    zone = zone_of(node.zone)
    what = w.text(node.things)
    where = there(w, zone, "to")
    if node.at_bottom:
        where = f"under {w.text(zone)}"
    elif isinstance(zone, x.ZoneRef):
        if zone.key is not None and naming.tells_things(zone.symbol) and isinstance(strip(zone.key.type), ThingType):
            where = f"on {w.text(zone.key)}"
            return w.sentence_lines(f"put {what} {where}")
        if zone.key is not None and naming.tells_things(zone.symbol) and isinstance(strip(zone.key.type), PlayerType):
            owner = w.noun(zone.key)
            return w.sentence_lines(f"take {what}" if owner.you else f"give {what} to {owner}")
        if zone.symbol.order == "pile":
            where = f"on {w.text(zone)}"
    return w.sentence_lines(f"{'put' if where.startswith(('on ', 'under ')) else 'move'} {what} {where}")


@lines_for(t.Draw)
def _draw(w: Words, node: t.Draw) -> list[Line]:
    words = naming.noun(node.source.type)
    number = w.text(node.amount)
    count = "a" if number == "1" else number
    what = en.article(words.one) if count == "a" else f"{number} {words.many}"
    if len(plain(number).split()) > 1:
        what = f"as many {words.many} as {number}"
    zone = zone_of(node.zone)
    where = there(w, zone, "to")
    source = w.text(zone_of(node.source))
    if isinstance(zone, x.ZoneRef) and zone.key is not None and isinstance(strip(zone.key.type), PlayerType):
        where = f"to {w.text(zone)}"
    return w.sentence_lines(f"draw {what} from {source} {where}")


@lines_for(t.Shuffle)
def _shuffle(w: Words, node: t.Shuffle) -> list[Line]:
    if node.into is not None:
        return w.sentence_lines(f"shuffle {w.text(node.zone)} into {w.text(node.into)}")
    return w.sentence_lines(f"shuffle {w.text(node.zone)}")


@lines_for(t.ShuffleState)
def _shuffle_state(w: Words, node: t.ShuffleState) -> list[Line]:
    return w.sentence_lines(
        f"shuffle the {en.plural(en.lowered(node.symbol.name))} of {w.text(node.keys)} among each other"
    )


@lines_for(t.Reveal)
def _reveal(w: Words, node: t.Reveal) -> list[Line]:
    return w.sentence_lines(f"show {w.text(node.things)} to {w.text(node.viewers)}")


@lines_for(t.Roll)
def _roll(w: Words, node: t.Roll) -> list[Line]:
    return _line(w, node.me, "roll", w.text(node.dice))


# -------------------------------------------------------------------------------------------------------------- state
@lines_for(t.SetState)
def _set_state(w: Words, node: t.SetState) -> list[Line]:
    name = en.lowered(node.symbol.name)
    value = node.value
    subject = f"the {name}" if node.key is None else en.possessive(w.noun(node.key), name).text
    if _empty(value):
        if node.key is None:
            return w.sentence_lines(f"from now on there is no {name}")
        return w.sentence_lines(f"{w.noun(node.key)} now {en.verb(w.noun(node.key), 'have')} no {name}")
    if isinstance(node.symbol.type, BoolType) and isinstance(value, x.Const):
        text = adjective(
            w.noun(node.key) if node.key is not None else Phrase(f"“{name}”"),
            name if node.key is not None else "noted",
            bool(value.value),
        )
        return w.sentence_lines(f"from now on {text}")
    if isinstance(strip(node.symbol.type), ThingType) and strip(node.symbol.type).symbol.kind == "fields":  # type: ignore[attr-defined]  # tested before
        return w.sentence_lines(f"{subject} is now on {w.text(value)}")
    other = w.noun(value)
    if other.you:
        person = name.endswith(("er", "or", "ant", "ent", "man", "ist"))
        return w.sentence_lines(f"you are now {subject}" if person else f"{subject} is now yours")
    if isinstance(value, x.Union) and isinstance(value.left, x.StateRead) and value.left.symbol is node.symbol:
        added = w.noun(value.right)
        return w.sentence_lines(f"add {'yourself' if plain(added.text) == 'you' else added} to {subject}")
    if (isinstance(value, x.SetOf | x.ListOf) and not value.items) or (_is_set(value) and other.text == "nothing"):
        return w.sentence_lines(f"{subject} is now empty")
    return w.sentence_lines(f"{subject} is now {other}")


def _is_set(node: x.Expr) -> bool:
    return isinstance(node, x.Const) and naming.is_several(node.type)


def _empty(node: x.Expr) -> bool:
    return (
        isinstance(node, x.Const)
        and node.value == 0
        and isinstance(node.type, NoneType | OptionalType | ThingType | EnumType)
    )


@lines_for(t.SetTrack)
def _set_track(w: Words, node: t.SetTrack) -> list[Line]:
    words = naming.words_of(node.symbol)
    who = w.noun(node.player)
    return w.sentence_lines(f"{who} now {en.verb(who, 'have')} {part(w, words, node.value)}")


@lines_for(t.SetResource)
def _set_resource(w: Words, node: t.SetResource) -> list[Line]:
    what = naming.words_of(node.symbol).many if node.unit is None else many_of(w, node.unit)
    who = w.noun(node.holder)
    return w.sentence_lines(f"{who} now {en.verb(who, 'have')} this many {what}: {w.text(node.value)}")


@lines_for(t.SetFace)
def _set_face(w: Words, node: t.SetFace) -> list[Line]:
    return w.sentence_lines(f"turn {w.text(node.die)} to {w.text(node.value)}")


@lines_for(t.SetZone)
def _set_zone(w: Words, node: t.SetZone) -> list[Line]:
    items = en.listed(w.text(each) for each in node.items) or "nothing"
    return w.sentence_lines(f"{w.text(node.zone)} now holds {items}")


@lines_for(t.SetAward)
def _set_award(w: Words, node: t.SetAward) -> list[Line]:
    return w.sentence_lines(f"{w.text(node.player)} now holds {own(node.symbol.printed)}")


@lines_for(t.SetPin)
def _set_pin(w: Words, node: t.SetPin) -> list[Line]:
    values = [node.value] if node.value is not None else list(node.items or ())
    return w.sentence_lines(
        f"the {naming.called(node.symbol)} is taken as {en.listed(w.text(each) for each in values)}"
    )


@lines_for(t.Let)
def _let(w: Words, node: t.Let) -> list[Line]:
    name = w.frame.names[node.slot] if node.slot < len(w.frame.names) else "it"
    value = w.noun(node.value)
    if isinstance(node.value, x.Local | x.ZoneEnd | x.Pick | x.ZoneRef) or (
        isinstance(strip(node.value.type), ThingType) and len(plain(value.text).split()) < 7
    ):
        w.known[node.slot] = value
        return []
    shown = emphasis(own(en.lowered(name)))
    w.known[node.slot] = Phrase(shown, naming.is_several(node.value.type))
    w.taken[node.slot] = name
    return w.sentence_lines(f"let {shown} be {value}")


__all__ = ["INLINE", "body_lines", "does", "phase_title", "small", "steps", "under"]
