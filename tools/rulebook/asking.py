"""Words for scores, awards, the past, and the values of a game and of the standard library."""

from __future__ import annotations

import re

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import BoolType, IntType, PlayerType, strip
from regelwerk.tools.rulebook import english as en
from regelwerk.tools.rulebook import naming
from regelwerk.tools.rulebook.english import Phrase, possessive
from regelwerk.tools.rulebook.markup import own, plain
from regelwerk.tools.rulebook.reading import adjective, each_many
from regelwerk.tools.rulebook.wording import Words, clause_for, noun_for


@noun_for(x.ScoreRead)
def _score(w: Words, node: x.ScoreRead) -> Phrase:
    if node.line is None:
        return possessive(w.noun(node.player), naming.called(node.symbol, f"{en.lowered(node.symbol.name)} score"))
    line = node.symbol.lines[node.line]
    return possessive(w.noun(node.player), f"points for {own(line.printed)}", True)


@noun_for(x.AwardHolder)
def _award(w: Words, node: x.AwardHolder) -> Phrase:
    name = naming.called(node.symbol, own(node.symbol.printed))
    if node.key is None:
        return Phrase(f"the holder of {name}", attribute="holder", owner=Phrase(name))
    return Phrase(
        f"the holder of the {name} of {w.text(node.key)}",
        attribute="holder",
        owner=Phrase(f"the {name} of {w.text(node.key)}"),
    )


SCOPES = {"turn": "this turn", "action": "during this action"}


def this(scope: g.PhaseSymbol | str | None) -> str:
    """Since when something is asked about the past."""
    if scope is None:
        return "so far"
    if isinstance(scope, g.PhaseSymbol):
        name = own(scope.printed) if scope.printed else en.lowered(scope.name)
        return "in this game" if name == "game" else f"this {name}"
    return SCOPES.get(scope, f"this {scope}")


VERBS = {
    "gain": ("gained something", "gain"),
    "lose": ("lost something", "lose"),
    "move": ("moved something", "move"),
    "draw": ("drawn", "draw"),
    "roll": ("rolled dice", "roll"),
}


def deed(w: Words, question: g.HistoryQuestion, arguments: list[x.Expr]) -> tuple[str, bool]:
    """What was asked about, as a participle, and whether somebody did it (not: it happened)."""
    event = question.event
    given = [w.text(each) for each in arguments]
    if isinstance(event, g.ActionSymbol):
        how = f" for {en.listed(given)}" if given else ""
        return f"done {naming.called(event, '“' + prompt_of(w, event) + '”')}{how}", True
    if isinstance(event, g.EffectSymbol):
        how = f" for {en.listed(given)}" if given else ""
        return f"{naming.called(event, '“' + en.lowered(event.name) + '”')}{how}", False
    name = event if isinstance(event, str) else event.name
    if name in VERBS:
        return VERBS[name][0], True
    return "taken an action", True


def prompt_of(w: Words, action: g.ActionSymbol) -> str:
    """How an action is called."""
    parts = action.prompt.parts if action.prompt is not None else []
    if not parts or not all(isinstance(each, str) for each in parts):
        return en.title(action.name)
    text = own(str(parts[0]))
    return en.title(action.name) if text.endswith("?") or not text else text


@noun_for(x.HistoryRead)
def _history(w: Words, node: x.HistoryRead) -> Phrase:
    done, acting = deed(w, node.question, node.arguments)
    scope = this(node.question.scope)
    if node.question.scope is None:
        return Phrase(f"the moment when {w.text(node.actor)} last did {done.removeprefix('done ')}")
    who = (
        "" if node.question.any_actor or not acting else f"{w.text(node.actor)} {en.verb(w.noun(node.actor), 'have')} "
    )
    if node.question.any_actor and acting:
        who = "anybody has "
    if not acting:
        return Phrase(f"the number of times {done} has happened {scope}")
    return Phrase(f"the number of times {who}{done} {scope}")


@clause_for(x.HistoryRead)
def _happened(w: Words, node: x.HistoryRead, holds: bool) -> str:
    done, acting = deed(w, node.question, node.arguments)
    scope = this(node.question.scope)
    if not acting:
        by = "" if node.question.any_actor or w.noun(node.actor).you else f" for {w.text(node.actor)}"
        return f"{done} has {'already' if holds else 'not yet'} happened{by} {scope}"
    if node.question.any_actor:
        return f"{'somebody' if holds else 'nobody'} has {done} {scope}"
    actor = w.noun(node.actor)
    return en.said(actor, "have", f"{'already' if holds else 'not'} {done} {scope}")


# ------------------------------------------------------------------------------------------------------ calls
@noun_for(x.Call)
def _call(w: Words, node: x.Call) -> Phrase:
    special = _library(w, node)
    if special is not None:
        return special
    symbol = node.symbol
    spoken, how = value_name(symbol)
    name = naming.called(symbol, spoken)
    many = naming.is_several(node.type) or naming.sounds_many(spoken)
    if not node.arguments:
        return Phrase(f"the {name}", many)
    arguments = [w.noun(each) for each in node.arguments]
    if isinstance(strip(node.arguments[0].type), IntType | BoolType):
        given = _listed_arguments(w, node, node.arguments)
        return Phrase(f"the {name}{given}", many)
    if symbol.takes_me and len(arguments) > 1:
        first, rest = arguments[1], [*node.arguments[2:]]
        by = "" if arguments[0].you else f" for {arguments[0]}"
        if isinstance(strip(node.arguments[1].type), IntType | BoolType):
            first, rest, by = arguments[0], [*node.arguments[1:]], ""
    else:
        first, rest, by = arguments[0], [*node.arguments[1:]], ""
    phrase = possessive(first, name, many or each_many(first))
    after = _listed_arguments(w, node, rest)
    if how != "for" and after.startswith(" for "):
        after = f" {how} {after.removeprefix(' for ')}"
    return Phrase(f"{phrase.text}{by}{after}", phrase.many, owner=None if after or by else first, attribute=name)


def value_name(symbol: g.ValueSymbol) -> tuple[str, str]:
    """The name of a value, and how its further arguments follow: `houses in` of a player are his houses, in a town.

    What only repeats the owner is not said: `room price` of a room is its price.
    """
    name = en.lowered(symbol.name)
    kinds = [kind for _, kind in symbol.parameters[:1]]
    owner = naming.noun(kinds[0]).one.lower() if kinds else ""
    if owner and name.startswith(f"{owner} "):
        name = name.removeprefix(f"{owner} ")
    found = re.fullmatch(r"(.+) (of|in|at|on|for|from|with)", name)
    if found is None or not symbol.parameters:
        return name, "for"
    return found[1], "for" if found[2] == "of" else found[2]


def _listed_arguments(w: Words, node: x.Call, rest: list[x.Expr]) -> str:
    """What is said behind a value about its arguments; the last parameters stand for `rest`."""
    names = [name for name, _ in node.symbol.parameters][-len(rest) :] if rest else []
    return arguments_text(w, names, rest)


def arguments_text(w: Words, names: list[str], given: list[x.Expr]) -> str:
    """` for the hex, with cards`."""
    things, answers = [], []
    for name, each in zip(names, given, strict=False):
        text = w.text(each)
        if isinstance(strip(each.type), IntType) and len(name) > 2 and plain(text) != en.lowered(name):
            answers.append(f"with {en.lowered(name)} {text}")
        elif not isinstance(strip(each.type), BoolType):
            things.append(text)
        elif isinstance(each, x.Local):
            answers.append(f"with or without {en.lowered(name)}")
        elif isinstance(each, x.Const):
            answers.append(f"{'with' if each.value else 'without'} {en.lowered(name)}")
        else:
            answers.append(f"with {en.lowered(name)} if {w.clause(each)}")
    with_these = [each.removeprefix("with ") if k else each for k, each in enumerate(answers)]
    joined = en.listed(with_these) if all(each.startswith("with ") for each in answers) else " and ".join(answers)
    return (f" for {en.listed(things)}" if things else "") + (f" {joined}" if answers else "")


def _library(w: Words, node: x.Call) -> Phrase | None:
    """The words of the standard library."""
    if node.symbol.library is None or not node.arguments:
        return None
    first = w.noun(node.arguments[0])
    name = node.symbol.name
    if node.symbol.library == "turns":
        if name in ("left", "right"):
            return (
                possessive(first, f"{name}-hand neighbour") if not first.you else Phrase(f"the player to your {name}")
            )
        if name == "others":
            return Phrase("the other players" if first.you else f"the players other than {first}", True)
        if name == "neighbours":
            return possessive(first, "neighbours", True)
        if name in ("clockwise", "counterclockwise"):
            beginning = "beginning with you" if first.you else f"beginning with {first}"
            return Phrase(f"all players {name}, {beginning}", True)
        if name == "snake":
            return Phrase(f"all players clockwise, beginning with {first}, and then once more back again", True)
        if name == "steps_from":
            return Phrase(f"the seats from {w.text(node.arguments[1])} to {first}", True)
    if node.symbol.library == "grids":
        if name == "sides":
            return Phrase(f"the {naming.noun(node.type).many} beside {first}", True)
        if name == "around":
            return Phrase(f"the {naming.noun(node.type).many} around {first}, corner to corner as well", True)
        if name == "cell":
            column, row = (w.text(each) for each in node.arguments)
            return Phrase(f"the {naming.noun(node.type).one} in column {column} and row {row}")
    if node.symbol.library == "hexes" and name in ("corners", "edges", "hexes", "neighbours"):
        one = {"corners": "at", "edges": "at", "hexes": "at", "neighbours": "next to"}[name]
        return Phrase(f"the {naming.noun(node.type).many} {one} {first}", True)
    if node.symbol.library == "trails" and name == "longest_trail":
        return Phrase(
            f"the length of the longest trail along {first} that does not pass through {w.text(node.arguments[1])}"
        )
    return None


@clause_for(x.Call)
def _call_holds(w: Words, node: x.Call, holds: bool) -> str:
    symbol = node.symbol
    plain_name = en.lowered(symbol.name)
    no = "" if holds else "not "
    arguments = [w.noun(each) for each in node.arguments]
    if arguments and isinstance(strip(node.arguments[-1].type), IntType) and len(arguments) - symbol.takes_me == 1:
        name, given = symbol.parameters[-1][0], arguments[-1]
        shown = f"{en.lowered(name)}: {given}" if len(name) > 2 else f"{given}"
        return f"{naming.called(symbol, f'“{plain_name}”')} ({shown}) {'applies' if holds else 'does not apply'}"
    if not arguments or (symbol.takes_me and len(arguments) == 1 and arguments[0].you):
        return f"{naming.called(symbol, f'“{plain_name}”')} {'applies' if holds else 'does not apply'}"
    me = None
    if symbol.takes_me and len(arguments) > 1:
        me, arguments = arguments[0], arguments[1:]
    first, rest = arguments[0], arguments[1:]
    head, _, tail = plain_name.partition(" ")
    by = "" if me is None or me.you else f" for {me}"
    if head in ("can", "may", "has", "have", "is") and tail:
        spoken = adjective(first, plain_name, holds)
        linked = spoken.removesuffix(tail) + naming.called(symbol, tail)
        return linked + (f" for {en.listed(map(str, rest))}" if rest else "") + by
    if rest and naming.sounds_many(head):
        base = _base(head)
        base = f"{base} {tail}".strip()
        if holds:
            word = naming.called(symbol, base if first.plural else plain_name)
            objects = en.listed(map(str, rest))
            return f"{first} {word} {f'({objects})' if tail else objects}{by}"
        no = "do not" if first.plural else "does not"
        return f"{first} {no} {naming.called(symbol, base)} {en.listed(map(str, rest))}{by}"
    name = naming.called(symbol, plain_name)
    if rest:
        if _is_player(node, first, arguments):
            what, whom = rest[0], [first, *rest[1:]]
        else:
            what, whom = first, rest
        verb = en.verb(what, "count") if holds else f"{'do' if what.plural else 'does'} not count"
        numbers = len(symbol.parameters) > 1 and isinstance(strip(node.arguments[-1].type), IntType | BoolType)
        if numbers and what is first:
            names = [each for each, _ in symbol.parameters][-len(rest) :]
            return f"{what} {verb} as {name}{arguments_text(w, names, node.arguments[-len(rest) :])}{by}"
        return f"{what} {verb} as {name} for {en.listed(map(str, whom))}{by}"
    return en.said(first, "be", f"{no}{name}") + by


def _is_player(node: x.Call, first: Phrase, arguments: list[Phrase]) -> bool:
    place = len(node.arguments) - len(arguments)
    return isinstance(strip(node.arguments[place].type), PlayerType)


def _base(verb: str) -> str:
    if verb.endswith(("ches", "shes", "sses", "xes", "zes")):
        return verb[:-2]
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    return verb[:-1]


__all__ = ["arguments_text", "deed", "prompt_of", "this", "value_name"]
