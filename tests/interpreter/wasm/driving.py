"""Rules files made into games that use everything in them: each effect becomes an action that anybody may take, and so
does setting each state, gaining of everything and moving everything everywhere.

Scenarios play the effects of a rules file alone; here they are played in any order, from states that nobody thought of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import (
    BoolType,
    EnumType,
    IntType,
    ListType,
    OptionalType,
    PlayerType,
    RecordType,
    SetType,
    TallyType,
    ThingType,
    Type,
)
from regelwerk.dsl.source import Source
from regelwerk.interpreter.loading import check_source

TOKEN = re.compile(r'"""[\s\S]*?"""|"[^"\n]*"|//[^\n]*|\w+|.', re.S)
MARK = "// driven"


def without_scenarios(text: str) -> str:
    """The text without its scenarios."""
    kept: list[str] = []
    depth, skipping, at_start = 0, False, True
    for piece in TOKEN.findall(text):
        if piece == "scenario" and not depth and at_start:
            skipping = True
        if not skipping:
            kept.append(piece)
        depth += (piece == "{") - (piece == "}")
        if skipping and piece == "}" and not depth:
            skipping = False
        at_start = (piece.isspace() and "\n" in piece) or (at_start and piece.isspace()) or piece == "}"
    return "".join(kept)


def domain(kind: Type, name: str) -> tuple[str, str] | None:
    """A binder for a parameter of a type and the argument that is made of it, or nothing if there is none."""
    if isinstance(kind, OptionalType):
        return domain(kind.base, name)
    if isinstance(kind, BoolType):
        return f"{name} in 0..1", f"({name} is 1)"
    if isinstance(kind, IntType):
        scale = 2 if kind.halves else 1
        low = max(kind.lowest // scale, -1)
        return f"{name} in {low}..{min(kind.highest // scale, low + 5)}", name
    if isinstance(kind, ListType):
        if isinstance(kind.member, IntType):
            return f"{name} in 0..2", f"[{name}, {name}]"
        one = many(kind.member)
        return None if one is None else (f"{name} in up to 2 of {one}", f"list({name}_x in {name})")
    if isinstance(kind, SetType):
        if isinstance(kind.member, IntType):
            return (
                f"{name} in up to 2 of {kind.member.lowest}..{min(kind.member.highest, kind.member.lowest + 3)}",
                name,
            )
        one = many(kind.member)
        return None if one is None else (f"{name} in up to 2 of {one}", name)
    if isinstance(kind, TallyType):
        return (
            None if kind.symbol is None else (f"{name} in up to 2 times {kind.symbol.plural or kind.symbol.name}", name)
        )
    one = many(kind)
    return None if one is None else (f"{name} in {one}", name)


def many(kind: Type) -> str | None:
    """All members of a type, as rules say it."""
    if isinstance(kind, PlayerType):
        return "players"
    if isinstance(kind, EnumType | ThingType | RecordType):
        return kind.symbol.plural or kind.symbol.name
    return None


def actions(game: g.CheckedGame) -> Iterator[str]:
    """One action for each thing that can be done, a line each, named `driven_1`, `driven_2` …"""
    for effect in game.effects:
        bound = [domain(kind, f"driven_{k}") for k, (_, kind) in enumerate(effect.parameters)]
        if all(each is not None for each in bound):
            heads = ", ".join(each[0] for each in bound if each)
            call = ", ".join(each[1] for each in bound if each)
            brackets = f"({heads})" if heads else ""
            yield f"{brackets} {{ effect {{ do {effect.name}({call}) }} }}"
        plain = [k for k, (_, kind) in enumerate(effect.parameters) if isinstance(kind, OptionalType)]
        if plain and all(each is not None for each in bound):
            heads = ", ".join(each[0] for k, each in enumerate(bound) if each and k not in plain)
            call = ", ".join("none" if k in plain else each[1] for k, each in enumerate(bound) if each)
            brackets = f"({heads})" if heads else ""
            yield f"{brackets} {{ effect {{ do {effect.name}({call}) }} }}"
    for state in game.states:
        value = domain(state.type, "driven_v")
        key = "" if state.key is None else many(state.key)
        if value is None or key is None:
            continue
        left = f"driven_k.{state.name}" if key else state.name
        heads = (f"driven_k in {key}, " if key else "") + value[0]
        yield f"({heads}) {{ effect {{ set {left} = {value[1]} }} }}"
        if isinstance(state.type, OptionalType):
            yield f"{f'(driven_k in {key})' if key else ''} {{ effect {{ set {left} = none }} }}"
    for each in game.units:
        symbol, unit = each.symbol, each.symbol.name
        if isinstance(symbol, g.ResourceSymbol) and symbol.kinds is not None and each.member is not None:
            unit = symbol.kinds.members[each.member - 1][0]
        yield f"(driven_n in 0..3) {{ effect {{ gain driven_n {unit} }} }}"
        yield f"(driven_n in 0..3) {{ effect {{ lose driven_n {unit} }} }}"
        yield f"(driven_n in 0..3) {{ cost driven_c: driven_n {unit}  effect {{ nothing }} }}"
    for zone in game.zones:
        things = zone.entity.plural or zone.entity.name
        key = "" if zone.key is None else many(zone.key)
        if key is None:
            continue
        place = f"driven_k.{zone.name}" if key else zone.name
        heads = f"driven_k in {key}, " if key else ""
        yield f"({heads}driven_x in {things}) {{ effect {{ move driven_x to {place} }} }}"
        yield f"({heads}driven_x in {place}) {{ effect {{ move driven_x to {place} }} }}"


def driven(name: str, text: str, rounds: int = 40) -> str:
    """The text with actions for all that it has, offered before anything else; or as it is, if it does not check."""
    source = Source(name, text)
    checked = check_source(source, False)
    game = checked.game
    if game is None:
        return text
    added = list(actions(game))
    while added:
        lines = [f"action driven_{k}{each} {MARK}" for k, each in enumerate(added)]
        names = ",\n".join(f"driven_{k}" for k in range(len(added)))
        lines.append("state driven_count: 0..999 = 0")
        lines.append(f"action driven_rest {{ effect {{ nothing }} }} {MARK}")
        phase = (
            f"phase driven turns from players.first while driven_count < {rounds} {{\n"
            f"step counted {{ set driven_count = driven_count + 1 }}\noffer {names}, driven_rest }}"
        )
        at = _behind_the_head(text)
        result = text[:at] + "\n" + phase + "\n" + text[at:] + "\n" + "\n".join(lines) + "\n"
        again = check_source(Source(name, result), False)
        if again.game is not None:
            return result
        first = result[: len(result) - len("\n".join(lines)) - 1].count("\n")
        wrong = set()
        for each in again.diagnostics:
            if each.severity == "error" and each.span is not None:
                wrong.add(result[: each.span.start].count("\n") - first)
        wrong = {k for k in wrong if 0 <= k < len(added)}
        if not wrong:
            return text
        added = [each for k, each in enumerate(added) if k not in wrong]
    return text


def _behind_the_head(text: str) -> int:
    """Where the declarations begin."""
    place = depth = 0
    behind = 0
    inside = False
    for piece in TOKEN.findall(text):
        place += len(piece)
        inside = inside or piece == "game"
        depth += (piece == "{") - (piece == "}")
        if inside and piece == "}" and not depth:
            behind = place
            break
    for use in re.finditer(r"^use [^\n]*\n", text, re.M):
        behind = use.end()
    return behind
