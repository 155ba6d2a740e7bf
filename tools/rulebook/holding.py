"""Words for conditions: comparisons, membership, `and`, `or` and `not`."""

from __future__ import annotations

from collections.abc import Callable

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import BoolType, EnumType, IntType, PlayerType, ThingType, numeric, strip
from regelwerk.tools.rulebook import english as en
from regelwerk.tools.rulebook import naming, picking
from regelwerk.tools.rulebook.asking import arguments_text, deed, this, value_name
from regelwerk.tools.rulebook.computing import constant, holder_of, players_counted, spoken_number, unit_of_expression
from regelwerk.tools.rulebook.english import Phrase
from regelwerk.tools.rulebook.markup import plain
from regelwerk.tools.rulebook.reading import bare, many_of, row_phrase, row_text, there, zone_of
from regelwerk.tools.rulebook.wording import Words, clause_for

REVERSED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
DENIED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "≠", "≠": "="}


# ------------------------------------------------------------------------------------------------------- combinations
@clause_for(x.Const)
def _constant_holds(w: Words, node: x.Const, holds: bool) -> str:
    return "always" if bool(node.value) is holds else "never"


def conjuncts(node: x.Expr) -> list[x.Expr]:
    """The conditions that hold together."""
    return [*conjuncts(node.left), *conjuncts(node.right)] if isinstance(node, x.Both) else [node]


def disjuncts(node: x.Expr) -> list[x.Expr]:
    """The conditions of which one holds."""
    return [*disjuncts(node.left), *disjuncts(node.right)] if isinstance(node, x.AnyOf) else [node]


@clause_for(x.Both)
def _both(w: Words, node: x.Both, holds: bool) -> str:
    return _joined(w, conjuncts(node), "and" if holds else "or", holds)


@clause_for(x.AnyOf)
def _any(w: Words, node: x.AnyOf, holds: bool) -> str:
    return _joined(w, disjuncts(node), "or" if holds else "and", holds)


def _deeds(w: Words, parts: list[x.Expr], holds: bool) -> str | None:
    """Several deeds of one player in one time, of which any was done, or none."""
    if len(parts) < 2 or not all(isinstance(each, x.HistoryRead) and not each.arguments for each in parts):
        return None
    asked = [each for each in parts if isinstance(each, x.HistoryRead)]
    first = asked[0]
    told = [deed(w, each.question, []) for each in asked]
    alike = all(
        each.question.scope is first.question.scope
        and each.question.any_actor is first.question.any_actor
        and w.text(each.actor) == w.text(first.actor)
        for each in asked
    )
    if not alike or not all(acting and done.startswith("done ") for done, acting in told):
        return None
    done = en.listed((text.removeprefix("done ") for text, _ in told), "or")
    scope = this(first.question.scope)
    if first.question.any_actor:
        return f"{'somebody' if holds else 'nobody'} has done {done} {scope}"
    return en.said(w.noun(first.actor), "have", f"{'already' if holds else 'not'} done {done} {scope}")


def _joined(w: Words, parts: list[x.Expr], word: str, holds: bool) -> str:
    deeds = _deeds(w, parts, holds) if (word == "or") is holds else None
    if deeds is not None:
        return deeds
    said = []
    for each in parts:
        text = w.clause(each, holds)
        inner = isinstance(each, x.Both | x.AnyOf)
        said.append(f"either {text}" if inner and word == "and" and " or " in text else text)
    if any(";" in each or ":" in each for each in said):
        return f"; {word} ".join(said)
    return f" {word} ".join(said) if len(said) < 3 else f"{', '.join(said[:-1])} {word} {said[-1]}"


@clause_for(x.Negation)
def _negation(w: Words, node: x.Negation, holds: bool) -> str:
    return w.clause(node.operand, not holds)


# ---------------------------------------------------------------------------------------------------------- equality
def _nothing(node: x.Expr, other: x.Expr) -> bool:
    """Whether `node` is none, compared with something that may be none."""
    if not isinstance(node, x.Const) or node.value != 0:
        return False
    return not isinstance(strip(other.type), IntType | BoolType)


@clause_for(x.Equal)
def _equal(w: Words, node: x.Equal, holds: bool) -> str:
    left, right = node.left, node.right
    if isinstance(left, x.Const | x.RowConst) and not isinstance(right, x.Const | x.RowConst):
        left, right = right, left
    if _nothing(right, left):
        return missing(w, left, holds)
    counted = amount_clause(w, left, "=" if holds else "≠", right)
    if counted is not None:
        return counted
    if isinstance(strip(left.type), BoolType):
        return f"{w.clause(left)} {'exactly if' if holds else 'exactly if not'} {w.clause(right)}"
    no = "" if holds else "not "
    for moved, place in ((left, right), (right, left)):
        if lies_on(moved) and not lies_on(place):
            return en.said(w.noun(moved), "be", f"{no}on {w.text(place)}")
    subject = w.noun(left)
    if isinstance(right, x.RowConst):
        row = right.symbol.rows[right.row - 1]
        name = row_text(right.symbol, row)
        kind = f"{no}{en.article(name)}" if row.several else f"{no}{row_phrase(right.symbol, row)}"
        if row.several and subject.plural:
            kind = f"{no}{en.plural(name) if name[:1].islower() else name}"
        return en.said(subject, "be", kind)
    other = w.noun(right)
    for one, player in ((subject, other), (other, subject)):
        if one.owner is not None and plain(one.attribute) in ("owner", "holder"):
            return _belongs(one, player, holds, isinstance(left if one is subject else right, x.AwardHolder))
    if other.you and not subject.you and subject.owner is not None:
        return f"you are {no}{subject}"
    same = subject.attribute and plain(subject.attribute) == plain(other.attribute)
    if same and subject.owner is not None and other.owner is not None:
        first, second = subject.owner, other.owner
        if en.is_mark(second.text) and not en.is_mark(first.text):
            first, second = second, first
        has = en.verb(first, "have") if holds else f"{'do' if first.plural else 'does'} not have"
        return f"{first} {has} the same {subject.attribute} as {second}"
    return en.said(subject, "be", f"{no}{other}")


def lies_on(node: x.Expr) -> bool:
    """Whether a state says on which field something is."""
    kind = strip(node.type)
    return isinstance(node, x.StateRead) and isinstance(kind, ThingType) and kind.symbol.kind == "fields"


def _belongs(thing: Phrase, player: Phrase, holds: bool, award: bool) -> str:
    """Whose something is: `the road belongs to you`, `you have the Double move`."""
    assert thing.owner is not None
    if plain(thing.attribute) == "holder":
        word = "hold" if award else "have"
        if holds:
            return en.said(player, word, str(thing.owner))
        return f"{player} {'do' if player.plural else 'does'} not {word} {thing.owner}"
    if holds:
        return en.said(thing.owner, "belong", f"to {player}")
    return f"{thing.owner} {'do' if thing.owner.plural else 'does'} not belong to {player}"


def missing(w: Words, node: x.Expr, none: bool) -> str:
    """A clause that there is no such thing: `the field has no occupant`."""
    if isinstance(node, x.ZoneEnd):
        return zone_clause(w, node.zone, "=" if none else ">", None)
    if isinstance(node, x.Quantified) and node.quantifier == "first":
        return picking.quantified(w, x.Quantified(node.type, node.span, "some", node.head, None), not none)
    phrase = w.noun(node)
    if isinstance(node, x.ThingAttribute) and node.attribute == "holder":
        thing = w.noun(node.thing)
        return en.said(thing, "be", "with no player" if none else "with a player")
    if isinstance(node, x.AwardHolder) and phrase.owner is not None:
        return f"{'nobody' if none else 'somebody'} holds {phrase.owner}"
    if phrase.owner is not None and phrase.attribute:
        owner = phrase.owner
        return en.said(owner, "have", f"no {phrase.attribute}" if none else en.article(phrase.attribute))
    if isinstance(node, x.StateRead) and phrase.attribute:
        return f"there is {f'no {phrase.attribute}' if none else en.article(phrase.attribute)}"
    return f"there is {'no ' + bare(phrase.text) if none else phrase.text}"


# ------------------------------------------------------------------------------------------------------------ order
@clause_for(x.Ordered)
def _ordered(w: Words, node: x.Ordered, holds: bool) -> str:
    left, right, operator = node.left, node.right, node.operator
    if constant(left) is not None and constant(right) is None:
        left, right, operator = right, left, REVERSED[operator]  # type: ignore[assignment]  # one of the four again
    sign = operator if holds else DENIED[operator]
    extreme = _extreme(w, left, sign, right)
    if extreme is not None:
        return extreme
    counted = amount_clause(w, left, sign, right)
    if counted is not None:
        return counted
    flipped = amount_clause(w, right, REVERSED[sign], left)
    if flipped is not None:
        return flipped
    return en.said(w.noun(left), "be", compared(w, sign, right))


def compared(w: Words, sign: str, other: x.Expr) -> str:
    """`at least 5`, `more than the other`."""
    text = w.text(other)
    return {
        "<": f"less than {text}",
        "<=": f"at most {text}",
        ">": f"more than {text}",
        ">=": f"at least {text}",
        "=": text,
        "≠": f"not {text}",
    }[sign]


def _extreme(w: Words, left: x.Expr, sign: str, right: x.Expr) -> str | None:
    """`the most points of any player are at least 25` is said as `at least one player has at least 25 points`."""
    if not isinstance(left, x.Quantified) or left.quantifier not in ("min", "max") or left.value is None:
        return None
    if (left.quantifier == "max") is not (sign in (">", ">=")):
        return None
    test = x.Ordered(left.type, left.span, sign, left.value, right)  # type: ignore[arg-type]  # one of the four signs
    return picking.quantified(w, x.Quantified(left.type, left.span, "some", _with(left.head, test), None), True)


def _with(head: x.Head, test: x.Expr) -> x.Head:
    last = head.binders[-1]
    condition = test if last.condition is None else x.Both(test.type, test.span, last.condition, test)
    made = x.Binder(
        last.name, last.form, last.type, last.slot, last.it_slot, last.source, last.lowest, last.highest, condition,
        last.key, last.highest_first, last.span,
    )  # fmt: skip
    return x.Head([*head.binders[:-1], made])


THAN = {
    "<": ("fewer", "than"),
    "<=": ("at most as many", "as"),
    ">": ("more", "than"),
    ">=": ("at least as many", "as"),
    "=": ("as many", "as"),
    "≠": ("not as many", "as"),
}
"""What stands before and behind a noun when two amounts are compared."""
MASS = {
    sign: (before.replace("fewer", "less").replace("many", "much"), behind) for sign, (before, behind) in THAN.items()
}
"""The same for what is not counted."""
Nouns = Callable[[bool], str]
"""What is counted, several of it or one."""


def how_many(w: Words, sign: str, other: x.Expr | None, noun: Nouns) -> tuple[str, bool]:
    """`at least two coins`, `no coins`, and whether that is plural; other None stands for 0."""
    value = 0 if other is None else constant(other)
    if value is not None and other is not None and isinstance(other.type, IntType) and other.type.halves:
        value = value // 2 if value % 2 == 0 else None
    if (value == 0 and sign in ("=", "<=")) or (value == 1 and sign == "<"):
        return f"no {noun(True)}", True
    if (value == 0 and sign in (">", "≠")) or (value == 1 and sign == ">="):
        return f"at least one {noun(False)}", False
    if value is None and other is not None and not isinstance(other, x.InHalves):
        before, behind = THAN[sign]
        exactly = "exactly " if sign == "=" else ""
        return f"{exactly}{before} {noun(True)} {behind} {w.text(other)}", True
    number = spoken_number(w, other) if other is not None else "0"
    many = value != 1
    words = {"<": "fewer than", "<=": "at most", ">": "more than", ">=": "at least", "=": "exactly", "≠": "not exactly"}
    return f"{words[sign]} {number} {noun(many)}", many


def there_are(w: Words, sign: str, other: x.Expr | None, noun: Nouns, where: str = "") -> str:
    """`there are at least two dice on the field`."""
    text, many = how_many(w, sign, other, noun)
    return f"there {'are' if many else 'is'} {text}{where}"


def of_words(words: g.Words) -> Nouns:
    """The nouns of something."""
    return lambda many: words.many if many else words.one


def amount_clause(w: Words, node: x.Expr, sign: str, other: x.Expr) -> str | None:
    """A clause about how many there are, if a number counts something: `you have at least two coins`."""
    if isinstance(node, x.Hoisted | x.InHalves):
        return amount_clause(w, node.value if isinstance(node, x.Hoisted) else node.operand, sign, other)
    if isinstance(node, x.ZoneCount):
        return zone_clause(w, node.zone, sign, other)
    if isinstance(node, x.HistoryRead) and node.question.scope is not None:
        number = constant(other)
        none = (number == 0 and sign in ("=", "<=")) or (number == 1 and sign == "<")
        some = (number == 0 and sign in (">", "≠")) or (number == 1 and sign == ">=")
        return w.clause(node, some) if none or some else None
    if isinstance(node, x.ScoreRead) and node.line is None:
        name = en.lowered(node.symbol.name)
        spoken = naming.called(node.symbol, name if naming.sounds_many(name) else f"{name} points")
        return en.said(w.noun(node.player), "have", how_many(w, sign, other, lambda many: spoken)[0])
    if isinstance(node, x.TrackRead | x.ResourceRead | x.TallyTotal | x.TallyCount):
        return _holding(w, node, sign, other)
    if isinstance(node, x.Call) and isinstance(other, x.Call) and node.symbol is other.symbol and numeric(node.type):
        return _same_value(w, node, sign, other)
    if isinstance(node, x.Quantified) and node.quantifier == "count":
        return there_are(w, sign, other, lambda many: "".join(picking.counted(w, node.head, many)))
    if players_counted(node):
        return there_are(w, sign, other, lambda many: "players" if many else "player")
    if isinstance(node, x.Count):
        return _counting(w, node.collection, sign, other)
    return None


def _counting(w: Words, collection: x.Expr, sign: str, other: x.Expr) -> str:
    usual = naming.noun(collection.type)
    if isinstance(collection, x.Filter):
        slot, inner, tests = collection.slot, collection.collection, [collection.condition]

        def filtered(many: bool) -> str:
            with w.inner():
                return "".join(picking.noun_and_relative(w, inner, slot, tests, many))

        return there_are(w, sign, other, filtered)
    phrase = w.noun(collection)
    if isinstance(collection, x.Local):
        text, many = how_many(w, sign, other, of_words(usual))
        if plain(bare(phrase.text)) in (usual.one, usual.many):
            return f"these are {text}" if many or text.startswith("no ") else f"this is {text}"
        return f"there {'are' if many else 'is'} {text} among {phrase}"
    if phrase.owner is not None and phrase.attribute:
        name = plain(phrase.attribute)
        several = naming.sounds_many(name)
        nouns = g.Words(phrase.attribute.replace(name, naming.singular(name)), phrase.attribute) if several else usual
        text, _ = how_many(w, sign, other, of_words(nouns))
        if not several:
            return there_are(w, sign, other, of_words(usual), f" in {phrase}")
        return en.said(phrase.owner, "have", text)
    return en.said(Phrase(f"the number of {bare(phrase.text)}"), "be", compared(w, sign, other))


def _same_value(w: Words, node: x.Call, sign: str, other: x.Call) -> str | None:
    """Two players, or things, compared by one value: `you have more influence than the player`."""
    if not node.arguments or len(node.arguments) != len(other.arguments):
        return None
    place = 1 if node.symbol.takes_me and len(node.arguments) > 1 else 0
    rest = list(node.arguments[place + 1 :])
    others = list(other.arguments[place + 1 :])
    if [w.text(each) for each in rest] != [w.text(each) for each in others]:
        return None
    first, second = w.noun(node.arguments[place]), w.noun(other.arguments[place])
    if len(second.text) == 1 and len(first.text) > 1:
        first, second, sign = second, first, REVERSED.get(sign, sign)
    spoken, how = value_name(node.symbol)
    if not rest and not naming.sounds_many(spoken):
        whose = "yours" if second.you else f"that of {second}"
        how_much = {"<": "less than", "<=": "at most", ">": "more than", ">=": "at least", "=": "", "≠": "not"}[sign]
        subject = en.possessive(first, naming.called(node.symbol, spoken))
        return en.said(subject, "be", f"{how_much} {whose}".strip())
    names = [each for each, _ in node.symbol.parameters][-len(rest) :] if rest else []
    given = arguments_text(w, names, rest)
    if given.startswith(" for "):
        given = f" {how} {given.removeprefix(' for ')}"
    what = f"{naming.called(node.symbol, spoken)}{given}"
    many = naming.sounds_many(spoken)
    before, behind = THAN[sign] if many else MASS[sign]
    return en.said(first, "have", f"{before} {what} {behind} {second}")


def _holding(w: Words, node: x.Expr, sign: str, other: x.Expr) -> str | None:
    nouns: Nouns = lambda many: _what(w, node, many)  # noqa: E731 - a name for what is counted
    holder = holder_of(node)
    if holder is not None:
        if _same_kind(node, other):
            their = holder_of(other)
            assert their is not None
            first, second = w.noun(holder), w.noun(their)
            if len(second.text) == 1 and len(first.text) > 1:
                first, second, sign = second, first, REVERSED.get(sign, sign)
            before, behind = THAN[sign]
            return en.said(first, "have", f"{before} {nouns(True)} {behind} {second}")
        text, _ = how_many(w, sign, other, nouns)
        return en.said(w.noun(holder), "have", text)
    inner = node.tally if isinstance(node, x.TallyTotal | x.TallyCount) else node
    if isinstance(inner, x.ResourceRead):
        where = " in the supply" if isinstance(inner.holder, x.Bank) else f" on {w.text(inner.holder)}"
        return there_are(w, sign, other, nouns, where)
    if isinstance(node, x.TallyCount):
        text, _ = how_many(w, sign, other, nouns)
        if isinstance(node.tally, x.ColumnRead):
            return en.said(w.noun(node.tally.thing), "have", text)
        tally = w.noun(node.tally)
        return f"{tally} {'include' if tally.many else 'includes'} {text}"
    return None


def _same_kind(node: x.Expr, other: x.Expr) -> bool:
    if isinstance(node, x.TrackRead) and isinstance(other, x.TrackRead):
        return node.symbol is other.symbol
    return (
        isinstance(node, x.ResourceRead)
        and isinstance(other, x.ResourceRead)
        and node.symbol is other.symbol
        and holder_of(other) is not None
        and node.unit is None
        and other.unit is None
    )


def _what(w: Words, node: x.Expr, many: bool) -> str:
    if isinstance(node, x.TrackRead):
        return of_words(naming.words_of(node.symbol))(many)
    if isinstance(node, x.TallyCount):
        return unit_of_expression(w, node.unit, node.tally, many)
    if isinstance(node, x.TallyTotal):
        if isinstance(node.tally, x.ResourceRead):
            return of_words(naming.words_of(node.tally.symbol))(many)
        return f"things in {w.text(node.tally)}"
    assert isinstance(node, x.ResourceRead)
    if node.unit is not None:
        kind = strip(node.unit.type)
        if isinstance(node.unit, x.Const) and isinstance(node.unit.value, int) and isinstance(kind, EnumType):
            return of_words(naming.member_words(kind.symbol, node.unit.value))(many)
        return many_of(w, node.unit)
    return of_words(naming.words_of(node.symbol))(many)


def zone_clause(w: Words, zone: x.Expr, sign: str, other: x.Expr | None) -> str:
    """How much lies in a place: `you have no dice`, `your hand is empty`, `there is no building on the corner`."""
    zone = zone_of(zone)
    kind = naming.noun(zone.type)
    nouns = of_words(kind)
    text, many = how_many(w, sign, other, nouns)
    none, some = text.startswith("no "), text.startswith("at least one ")
    if isinstance(zone, x.ZoneRef):
        symbol = zone.symbol
        if zone.key is not None and naming.tells_things(symbol):
            if isinstance(strip(zone.key.type), PlayerType):
                return en.said(w.noun(zone.key), "have", text)
            if none:
                return f"there is no {kind.one} on {w.text(zone.key)}"
            if some:
                return f"there is {en.article(kind.one)} on {w.text(zone.key)}"
            return f"there {'are' if many else 'is'} {text} on {w.text(zone.key)}"
        if none or some:
            place = w.noun(zone)
            return (
                en.said(place, "be", "empty" if none else "not empty")
                if not place.many
                else f"there are {'no ' if none else ''}{bare(place.text)}"
            )
    return f"there {'are' if many else 'is'} {text} {there(w, zone)}"


# -------------------------------------------------------------------------------------------------------- membership
@clause_for(x.Contains)
def _contains(w: Words, node: x.Contains, holds: bool) -> str:
    item, no = w.noun(node.item), "" if holds else "not "
    collection = node.collection
    if isinstance(collection, x.SetOf | x.Const | x.Interval | x.ListOf):
        if isinstance(collection, x.SetOf | x.ListOf):
            choice = en.listed((w.text(each) for each in collection.items), "or")
        else:
            choice = w.text(collection).replace(" and ", " or ")
        return en.said(item, "be", f"{no}{choice}")
    zone = zone_of(collection)
    if isinstance(zone, x.ZoneRef):
        symbol = zone.symbol
        if zone.key is not None and isinstance(strip(zone.key.type), PlayerType) and isinstance(node.item, x.RowConst):
            who = w.noun(zone.key)
            return (
                en.said(who, "have", f"{item}") if holds else f"{who} {'do' if who.plural else 'does'} not have {item}"
            )
        if naming.tells_things(symbol) and zone.key is not None and not isinstance(strip(zone.key.type), ThingType):
            return en.said(item, "be", f"{no}one of {w.text(zone)}")
        return en.said(item, "be", f"{no}{there(w, zone)}")
    return en.said(item, "be", f"{no}among {w.text(collection)}")


@clause_for(x.Between)
def _between(w: Words, node: x.Between, holds: bool) -> str:
    low, high = w.text(node.lowest), w.text(node.highest)
    counted = amount_phrase(w, node.item)
    if counted is not None and holds:
        return f"{counted} is between {low} and {high}"
    return en.said(w.noun(node.item), "be", f"{'' if holds else 'not '}between {low} and {high}")


def amount_phrase(w: Words, node: x.Expr) -> str | None:
    """A number as a phrase, where it counts things."""
    return w.text(node) if isinstance(node, x.ZoneCount | x.Count) else None


@clause_for(x.TallyCompare)
def _tally_compare(w: Words, node: x.TallyCompare, holds: bool) -> str:
    left, right, sign = node.left, node.right, node.operator
    if sign == "<=":
        left, right = right, left
    inner = left.tally if isinstance(left, x.TallyWiden) else left
    holder = holder_of(inner)
    if holder is not None:
        who = w.noun(holder)
        what = w.text(right)
        return en.said(who, "have", what) if holds else f"{who} {'do' if who.plural else 'does'} not have {what}"
    phrase = w.noun(left)
    return (
        f"{phrase} {'cover' if phrase.many else 'covers'} {w.text(right)}"
        if holds
        else f"{phrase} {'do' if phrase.many else 'does'} not cover {w.text(right)}"
    )


# ---------------------------------------------------------------------------------------------------------- can
@clause_for(x.CanPay)
def _can_pay(w: Words, node: x.CanPay, holds: bool) -> str:
    from regelwerk.tools.rulebook.amounts import amount

    who = w.noun(node.me)
    if node.some:
        return en.said(who, "have", f"{'any' if holds else 'none'} of {amount(w, node.amount)}")
    return f"{who} can{'' if holds else 'not'} pay {amount(w, node.amount)}"


@clause_for(x.CanDo)
def _can_do(w: Words, node: x.CanDo, holds: bool) -> str:
    return f"{naming.called(node.symbol)} {'can' if holds else 'cannot'} begin"


@clause_for(x.CanCell)
def _can_cell(w: Words, node: x.CanCell, holds: bool) -> str:
    return f"the {naming.called(node.column)} of {w.text(node.thing)} {'can' if holds else 'cannot'} begin"


@clause_for(x.CanOffer)
def _can_offer(w: Words, node: x.CanOffer, holds: bool) -> str:
    from regelwerk.tools.rulebook.asking import prompt_of

    names = en.listed((naming.called(each, f"“{prompt_of(w, each)}”") for each in node.actions), "or")
    return f"{w.text(node.me)} can{'' if holds else 'not'} do {names}"


@clause_for(x.HasRoom)
def _has_room(w: Words, node: x.HasRoom, holds: bool) -> str:
    return f"there is {'room' if holds else 'no room'} {there(w, node.zone)}"


def conditions(w: Words, node: x.Expr) -> list[str]:
    """A condition as the list of what must hold."""
    return [w.clause(each) for each in conjuncts(node)]


__all__ = [
    "amount_clause",
    "conditions",
    "conjuncts",
    "disjuncts",
    "how_many",
    "missing",
    "zone_clause",
]
