"""Rules about rules, unfolded: whether one is live, and what it changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import PLAYER
from regelwerk.interpreter.evaluation.amounts import amounts
from regelwerk.interpreter.evaluation.roles import holders, locals_for
from regelwerk.interpreter.explaining.reading import UNKNOWN, Here, NoValue, Reading
from regelwerk.interpreter.explaining.reasons import Change, Reason

MODIFYING = ("becomes", "also", "plus", "minus", "at_least", "at_most")


def me_at(span: Any) -> x.Local:
    """The one who acts, as an expression."""
    return x.Local(PLAYER, span, 0)


def live(r: Reading, role: g.Role, here: Here, me: int, arguments: list[Any], address: str) -> Reason:
    """Whether a rule holds for `me` and the arguments of its target: for some copy it belongs to all guards do."""
    name = address or role.name
    if here.sight.hides_rule(role, me_at(role.span)):
        return Reason("leaf", role.name, role.span, None, "hidden", address=name, hidden=True)
    parts = []
    holds = False
    for holder, copy in _who(r, role, me):
        env = locals_for(role, holder, arguments, copy)
        inner = here.inside(env, role.frame, here.sight.inside(role, {0: me_at(role.span)}), name)
        guards = tuple(r.unfold(each, inner) for each in role.guards)
        if not guards:
            holds = True
            continue
        met = all(each.holds is not False for each in guards)
        holds = holds or met
        parts.append(Reason("all", "", role.span, met, parts=guards))
    source = role.name
    if role.row is not None and role.row.entity.live_in is not None and not parts and not holds:
        zone = role.row.entity.live_in
        change = Change(f"{role.row.printed} in {zone.words}", name, role.span)
        note = f"{role.row.printed} does not lie in {zone.words}"
        return Reason("leaf", source, role.span, False, address=name, note=note, change=change)
    if not parts or (holds and not role.guards):
        change = Change(f"the rule `{name}` must not hold", name, role.span)
        return Reason("leaf", source, role.span, holds, address=name, change=change)
    return Reason("any", source, role.span, holds, address=name, parts=tuple(parts))


def _who(r: Reading, role: g.Role, me: int) -> list[tuple[int, int]]:
    key = ("holders", role)
    found = r.program.readings.get(key)
    if found is None:
        found = r.program.readings[key] = holders(r.program.compiler, role)
    pairs: list[tuple[int, int]] = found(r.m, me)
    return pairs


def modifiers(
    r: Reading, here: Here, roles: Sequence[g.Role], subject: x.Expr | None, me: int, arguments: list[Any]
) -> tuple[Reason, ...]:
    """The rules that change a quantity now, each with what it does."""
    found = []
    for role in sorted((each for each in roles if each.kind in MODIFYING), key=lambda each: _order(each.kind)):
        if here.sight.hides_rule(role, subject if subject is not None else me_at(role.span)):
            continue
        for holder, copy in _who(r, role, me):
            env = locals_for(role, holder, arguments, copy)
            sight = here.sight.inside(role, {0: subject} if subject is not None else {})
            inner = here.inside(env, role.frame, sight, role.name)
            try:
                if not all(r.value(each, inner) for each in role.guards):
                    continue
                told = _change(r, role, inner)
            except NoValue:
                continue
            parts = tuple(r.unfold(each, inner) for each in role.guards)
            found.append(
                Reason(
                    "value",
                    role.name,
                    role.span,
                    None,
                    told,
                    what="modify",
                    address=role.name,
                    citations=role.citations,
                    parts=parts,
                )
            )
    return tuple(found)


def _order(kind: str) -> int:
    return {"becomes": 0, "also": 1, "plus": 2, "minus": 2, "at_least": 3, "at_most": 4}[kind]


def _change(r: Reading, role: g.Role, inner: Here) -> str:
    """`plus 2`, `at most 1 coin`."""
    word = role.kind.replace("_", " ")
    if role.value is not None:
        return f"{word} {r.shown(role.value, inner)}"
    if role.amount is not None:
        try:
            price = amounts(r.program.compiler, role.amount)(r.m, inner.env[:])
        except UNKNOWN as error:
            raise NoValue("it has no value here") from error
        return f"{word} {r.texts.amount(price)}"
    return word


__all__ = ["MODIFYING", "live", "me_at", "modifiers"]
