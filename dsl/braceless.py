"""Conditions and loops without braces: `if c gain 1 coin`, `if c: ...`. Part of `mistakes`."""

from __future__ import annotations

from collections.abc import Iterator

from regelwerk.dsl.edits import LONGEST, Edit, Place, indent_of, unread
from regelwerk.dsl.lexing import Token
from regelwerk.dsl.parse_errors import STATEMENTS, Code, words

_HEADS = words("if for everyone repeat acting else effect")


def unbraced(place: Place) -> Iterator[Edit]:
    """`if c gain 1 coin`, `if c then gain 1 coin`, `if c: ...`, `else gain 1 coin`: without braces."""
    if not place.bracing:
        return
    index, token = place.index, place.token
    if token.text in ("then", ":") or (token.text == "do" and place.at(index + 1).text in STATEMENTS):
        yield from _brace(place, index, index + 1)
        return
    yield from _brace(place, index, index)
    for back in (1, 2, 3):  # the keyword was read as a unit or a name
        spot = index - back
        if spot < 1 or place.tokens[spot].fresh:
            break
        word = place.tokens[spot]
        if word.text in STATEMENTS and word.kind == "UNIT":
            yield from _brace(place, spot, spot)
        elif word.text in STATEMENTS and word.kind == "NAME" and place.tokens[spot - 1].text == "then":
            yield from _brace(place, spot - 1, spot)


def _brace(place: Place, first: int, body: int) -> Iterator[Edit]:
    """Braces around the statement that begins at `body`; what stands from `first` on is dropped."""
    start = place.at(body)
    stacks = place.before.get(first)
    if stacks is None or "LBRACE" not in place.kinds(first) or not start.text[:1].isalpha():
        return
    heads = [value for value in stacks.values if isinstance(value, Token) and value.text in _HEADS]
    head = next((each for each in reversed(heads) if each.kind not in ("NAME", "UNIT")), None)
    if head is None:
        return
    opened = stacks.states[:]
    if not place.machine.advance(opened, "LBRACE", place.goal):
        return
    close = _end_of(place, opened, body, head)
    if close is None:
        return
    statement = [unread(each) for each in place.tokens[body:close]]
    if not statement:
        return
    at = place.tokens[first - 1].end if first else start.start
    closing = place.empty("}", statement[-1].end)
    tokens = [place.empty("{", at), *statement, closing]
    # the condition of the head, as written
    condition = place.source(head.start, at)
    what = place.source(start.start, statement[-1].end)
    if head.text == "effect":
        message, shown = "what happens stands in braces", "effect"
    elif head.text == "else":
        message, shown = "after `else` an effect stands in braces", "else"
    else:
        message = f"after `{condition or head.text + ' ...'}` an effect stands in braces"
        shown = condition or f"{head.text} ..."
    help = f"write `{shown} {{ {what} }}`" if what and len(what) + len(shown) < 2 * LONGEST else "put it in braces"
    yield Edit(
        first,
        close,
        tokens,
        Code.MISSING,
        message,
        place.span(place.at(first)),
        help,
        look=1,
        silent=_follows_braced(place, head),
    )


def _follows_braced(place: Place, head: Token) -> bool:
    """Whether this is the `else` (or `else if`) of a condition that was braced just now."""
    if place.braced is None:
        return False
    spot = next(i for i, each in enumerate(place.tokens) if each is head)
    if head.text == "if" and spot and place.tokens[spot - 1].text == "else":
        spot -= 1
    return spot > 0 and place.tokens[spot].text == "else" and place.tokens[spot - 1] is place.braced


def _end_of(place: Place, states: list[int], body: int, head: Token) -> int | None:
    """Where the statements that belong to a head without braces end."""
    margin = indent_of(place, head)
    tokens = [*place.tokens[:body], *map(unread, place.tokens[body : body + 200])]
    for spot in range(body, len(tokens)):
        token = tokens[spot]
        kind = place.machine.classify(tokens, spot, place.machine.automaton.actions(states[-1]))
        if kind == "$JOINED":
            continue
        after = states[:]
        goes = place.machine.advance(after, kind, place.goal)
        if spot > body and place.machine.advance(states[:], "RBRACE", place.goal):
            below = token.fresh and indent_of(place, token) <= margin
            if below or not goes or kind in ("RBRACE", "$END") or (token.text == "else" and kind == "ELSE"):
                closed = states[:]
                place.machine.advance(closed, "RBRACE", place.goal)
                if place.machine.follows(closed, tokens, spot, 1, place.goal):
                    return spot
        if not goes:
            return None
        token.kind = kind
        states = after
    return None
