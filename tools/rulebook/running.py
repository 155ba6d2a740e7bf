"""Words for phases with what drives them, for rules and triggers."""

from __future__ import annotations

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import IntType, PlayerType, strip
from regelwerk.tools.rulebook import english as en
from regelwerk.tools.rulebook import naming, picking
from regelwerk.tools.rulebook.amounts import amount
from regelwerk.tools.rulebook.asking import prompt_of, value_name
from regelwerk.tools.rulebook.deciding import times
from regelwerk.tools.rulebook.doing import body_lines, phase_title
from regelwerk.tools.rulebook.english import YOU, Phrase
from regelwerk.tools.rulebook.holding import conjuncts
from regelwerk.tools.rulebook.markup import own
from regelwerk.tools.rulebook.wording import Line, Words, replaced


def driver(w: Words, phase: g.PhaseSymbol, each: g.Driver) -> list[str]:
    """How often and for whom a phase runs: sentences."""
    if isinstance(each, g.TurnsDriver):
        return _turns(w, each)
    if isinstance(each, g.LoopDriver):
        if each.until is None:
            return ["This is repeated until the game ends"]
        return [f"This is repeated until {w.clause(each.until)} (tested before each pass)"]
    if isinstance(each, g.ForDriver):
        return _for(w, phase, each)
    if isinstance(each, g.TogetherDriver):
        noun, behind = picking.element(w, each.players, True)
        every = "All players" if (noun, behind) == ("players", "") else en.capital(f"all {noun}{behind}")
        return [
            f"{every} decide at the same time, unseen by the others; when all have decided, their choices are carried "
            "out in seat order, beginning with the player on turn"
        ]
    return [f"Only if {w.clause(each.condition)}"]


def _turns(w: Words, each: g.TurnsDriver) -> list[str]:
    found = []
    if each.first is not None:
        found.append(f"The players take turns clockwise, beginning with {w.text(each.first)}")
    elif each.following is not None:
        found.append(f"The next turn is always taken by {w.text(each.following)}, until there is no such player")
    if each.condition is not None:
        found.append(f"This goes on as long as {w.clause(each.condition)}")
    if each.skip is not None:
        mark = w.marked(0)
        clause = w.clause(each.skip)
        w.known[0] = YOU
        if clause.startswith(f"{mark} "):
            found.append(f"A player who {replaced(clause[2:], mark, 'they', 'they')} is skipped")
        else:
            found.append(f"A player is skipped if {replaced(clause, mark, 'the player', 'they')}")
    return found


def _for(w: Words, phase: g.PhaseSymbol, each: g.ForDriver) -> list[str]:
    source = each.source
    if isinstance(source, x.ToList):
        source = source.collection
    name = phase.frame.names[each.slot]
    kind = phase.frame.types[each.slot]
    if each.takes_turn:
        text = w.text(source)
        w.known[each.slot] = YOU
        if text.startswith("all players "):
            return [f"Each player takes a turn, {text.removeprefix('all players ')}"]
        if isinstance(source, x.SetOf) and len(source.items) == 1:
            return [f"{en.capital(text)} takes a turn"]
        return [f"Each of these takes a turn: {text}"]
    noun, behind = picking.element(w, source, False)
    shown = w.introduce(each.slot, kind, name)
    bare = shown if isinstance(source, x.Interval) and noun == "number" else ""
    found = [f"This is done once for each {noun}{f' {bare}' if bare else ''}{behind}, one after the other"]
    if each.acting is not None:
        found.append(f"“You” is {w.text(each.acting)}")
    return found


# -------------------------------------------------------------------------------------------------------------- rules
MODIFIERS = {
    "becomes": "is {}",
    "also": "also includes {}",
    "plus": "is increased by {}",
    "minus": "is reduced by {}",
    "at_least": "is at least {}",
    "at_most": "is at most {}",
}
BUILT_IN = {
    "gain": "gain something",
    "lose": "lose something",
    "move": "move something",
    "draw": "draw",
    "roll": "roll dice",
}


def _parameters(target: g.Symbol) -> list[str]:
    if isinstance(target, g.ValueSymbol | g.EffectSymbol | g.ColumnSymbol):
        return [name for name, _ in target.parameters]
    if isinstance(target, g.ActionSymbol):
        return [name for name, _, _ in target.parameters]
    return []


def rule(w: Words, role: g.Role, target: g.Symbol | None) -> list[Line]:
    """A rule or a trigger in words."""
    known: dict[int, Phrase] = {}
    if role.row is not None and "self" in role.frame.names:
        known[role.frame.names.index("self")] = Phrase("this card" if role.row.entity.kind == "cards" else "this")
    with w.within(role.frame, known):
        for slot, _ in role.bindings:
            if isinstance(target, g.VerbSymbol):
                w.known[slot] = Phrase(
                    "what is gained" if target.name == "gain" else f"what is {_past(target.name)}", True
                )
            elif _of_holder(role) and isinstance(strip(role.frame.types[slot]), PlayerType):
                w.known[slot] = YOU
            else:
                w.introduce(slot, role.frame.types[slot])
        conditions = [w.clause(each) for each in _told(w, role)]
        when = f" if {en.listed(conditions)}" if conditions else ""
        who = " (whoever does it)" if role.by_anyone else ""
        if role.kind in ("before", "after", "instead"):
            lead = {"before": "before", "after": "after", "instead": "instead of"}[role.kind]
            heading = f"{lead} {_event(w, role, target)}{who}{when}"
            return body_lines(w, heading, role.body, ", ")
        if role.kind == "forbid":
            reason = f": {w.template(role.reason)}" if role.reason is not None else ""
            return w.sentence_lines(f"{_subject(w, role, target)} is not allowed{when}{reason}{who}")
        if role.kind == "waive":
            return w.sentence_lines(f"{_subject(w, role, target)} does not apply{when}{who}")
        value = (
            amount(w, role.amount)
            if role.amount is not None
            else w.text(role.value)
            if role.value is not None
            else "nothing"
        )
        subject = _subject(w, role, target)
        many = target is not None and naming.sounds_many(
            value_name(target)[0] if isinstance(target, g.ValueSymbol) else en.lowered(target.name)
        )
        verb = MODIFIERS[role.kind].format(value)
        return w.sentence_lines(
            f"{subject} {verb.replace('is ', 'are ', 1).replace('includes', 'include') if many else verb}{when}{who}"
        )


def _of_holder(role: g.Role) -> bool:
    """Whether a rule speaks of the player who has the card it stands on."""
    return role.row is not None and role.row.entity.live_in is not None and not role.by_anyone


def _told(w: Words, role: g.Role) -> list[x.Expr]:
    """The conditions of a rule; a parameter that must have one value is called by it instead."""
    slots = {slot for slot, _ in role.bindings}
    found = []
    for guard in role.guards:
        for each in conjuncts(guard):
            if (
                role.kind in MODIFIERS
                and isinstance(each, x.Equal)
                and isinstance(each.left, x.Local)
                and each.left.slot in slots
                and isinstance(each.right, x.Const | x.RowConst)
            ):
                said, name = w.noun(each.right), role.frame.names[each.left.slot]
                if isinstance(strip(each.left.type), IntType) and len(name) > 1:
                    said = Phrase(f"{en.lowered(name)} {said}")
                w.known[each.left.slot] = said
                continue
            found.append(each)
    return found


def _past(verb: str) -> str:
    return {"lose": "lost", "move": "moved", "draw": "drawn", "roll": "rolled"}.get(verb, f"{verb}ed")


def _event(w: Words, role: g.Role, target: g.Symbol | None) -> str:
    bound = [w.known[slot].text for slot, _ in role.bindings if slot in w.known]
    given = f" ({', '.join(bound)})" if bound and not isinstance(target, g.VerbSymbol) else ""
    if isinstance(target, g.ActionSymbol):
        return f"{naming.called(target, '“' + prompt_of(w, target) + '”')}{given}"
    if isinstance(target, g.PhaseSymbol):
        return f"{naming.called(target, phase_title(target))}"
    if isinstance(target, g.StepSymbol):
        return f"the step {naming.called(target)}"
    if isinstance(target, g.VerbSymbol):
        return {"gain": "you gain anything", "lose": "you lose anything", "move": "something is moved",
                "draw": "you draw", "roll": "you roll"}.get(target.name, target.name)  # fmt: skip
    if target is None:
        return "this"
    return f"{naming.called(target)}{given}"


def _subject(w: Words, role: g.Role, target: g.Symbol | None) -> str:
    bound = [w.known[slot].text for slot, _ in role.bindings if slot in w.known and not w.known[slot].you]
    yours = any(w.known[slot].you for slot, _ in role.bindings if slot in w.known) or _of_holder(role)
    given = f" for {en.listed(bound)}" if bound else ""
    if isinstance(target, g.RequireSymbol | g.CostSymbol):
        what = "the requirement" if isinstance(target, g.RequireSymbol) else "the cost"
        action = next((each for each in w.game.actions if each.name == target.owner), None)
        owner = f"“{prompt_of(w, action)}”" if action is not None else en.lowered(target.owner)
        home = naming.called(action, owner) if action is not None else owner
        return f"{what} “{en.lowered(target.name)}” of {home}"
    if isinstance(target, g.ActionSymbol):
        return naming.called(target, f"“{prompt_of(w, target)}”")
    if isinstance(target, g.ConstantSymbol):
        return f"{'your' if yours else 'the'} {naming.called(target)}"
    if isinstance(target, g.ValueSymbol):
        spoken, how = value_name(target)
        given = f" {how} {en.listed(bound)}" if bound else ""
        return f"{'your' if yours else 'the'} {naming.called(target, spoken)}{given}"
    if isinstance(target, g.ColumnSymbol):
        return f"{'your' if yours else 'the'} {naming.called(target)}{given}"
    return "this"


def limit(w: Words, each: g.Limit) -> str:
    """`at most once per turn`."""
    scope = each.question.scope
    name = (
        (own(scope.printed) if scope.printed else en.lowered(scope.name))
        if isinstance(scope, g.PhaseSymbol)
        else str(scope)
    )
    often = times(w, each.at_most)
    return f"at most {often.removeprefix('the ')} per {name}"


__all__ = ["MODIFIERS", "driver", "limit", "rule"]
