"""The shift-reduce machine of the parser: tokens in (from `lexing`), nodes out (made by the builder modules).

It runs Lark's tables (from `automaton`) directly, so that nodes are built while parsing (no tree in between), each
with its true span, and so that `recovery` can look at and mend the stacks. It decides what each word is: keyword, unit
or name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from regelwerk.dsl.automaton import GLUE, Automaton
from regelwerk.dsl.lexing import CITE, FOREIGN, Token

MAX_DEPTH = 128  # of the tree within one cell or file: every pass over the tree may recurse

Build = Callable[[str, list[Any], int, int], Any]  # name of the production, children, start, end


class Stuck(Exception):
    """No action for a token; `index` is its place in the token list."""

    def __init__(self, index: int) -> None:
        super().__init__(index)
        self.index = index


class TooDeep(Exception):
    """The tree would be deeper than the passes over it can bear."""

    def __init__(self, start: int, end: int) -> None:
        super().__init__(start, end)
        self.start = start
        self.end = end


class Stacks:
    """Parallel stacks: states, values, and where each value stands and how deep it is. State 0 has no value."""

    __slots__ = ("depths", "ends", "starts", "states", "values")

    def __init__(self, state: int) -> None:
        self.states = [state]
        self.values: list[Any] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.depths: list[int] = []

    def copy(self) -> Stacks:
        """An independent copy (values themselves are shared)."""
        other = Stacks.__new__(Stacks)
        other.states = self.states[:]
        other.values = self.values[:]
        other.starts = self.starts[:]
        other.ends = self.ends[:]
        other.depths = self.depths[:]
        return other

    def cut(self, height: int) -> None:
        """Keep the lowest `height` values."""
        del self.states[height + 1 :]
        del self.values[height:]
        del self.starts[height:]
        del self.ends[height:]
        del self.depths[height:]


class Chain:
    """A list that grows at its end without changing what it was: earlier copies of the stacks still hold that."""

    __slots__ = ("before", "items")

    def __init__(self, before: Chain | list[Any], items: list[Any]) -> None:
        self.before = before
        self.items = items

    def __iter__(self) -> Iterator[Any]:
        links: list[list[Any]] = []
        link: Chain | list[Any] = self
        while isinstance(link, Chain):
            links.append(link.items)
            link = link.before
        yield from link
        for items in reversed(links):
            yield from items


class Machine:
    """Runs the tables over tokens, calling `build` for each production that makes something."""

    def __init__(self, automaton: Automaton, build: Build, *, sharing: bool = True) -> None:
        self.automaton = automaton
        self.build = build
        self.sharing = sharing  # repetitions may grow in place; not if stacks are copied to come back to them

    def classify(self, tokens: list[Token], index: int, row: dict[str, int]) -> str:
        """What a token is where the actions are `row`: keyword, unit or name. The pieces of a citation are joined."""
        token = tokens[index]
        kind = token.kind
        if kind != "WORD":
            return kind
        text = token.text
        if "CITE" in row and index + 1 < len(tokens) and tokens[index + 1].text == "-":
            joined = self._citation(tokens, index)
            if joined is not None:
                return joined
        keyword = self.automaton.literals.get(text)
        if keyword is not None and keyword in row:
            return keyword
        if "UNIT" in row and not token.fresh and index and tokens[index - 1].kind in GLUE:
            return "UNIT"
        return "NAME"

    def _citation(self, tokens: list[Token], index: int) -> str | None:
        """Join `V`, `-`, `034`, `..`, `042` to one token, if they stand together."""
        text, last, end = "", index, tokens[index].start
        while last < len(tokens) and tokens[last].start == end and tokens[last].kind != "$END" and last - index < 6:
            text += tokens[last].text
            end = tokens[last].end
            last += 1
        match = CITE.match(text)
        if match is None:
            return None
        length, count = 0, 0
        while length < match.end():
            length += len(tokens[index + count].text)
            count += 1
        if length != match.end():
            return None
        first = tokens[index]
        end = first.start + length
        tokens[index] = Token("CITE", match.group(), first.start, end, first.fresh)
        for place in range(index + 1, index + count):  # not taken out: that would cost as much as the file is long
            tokens[place] = Token("$JOINED", "", end, end, False)
        return "CITE"

    def run(self, entry: str, tokens: list[Token]) -> Any:
        """Parse all tokens; the value of the entry rule. Raises `Stuck` or `TooDeep`."""
        stacks = Stacks(self.automaton.starts[entry])
        goal = self.automaton.ends[entry]
        index = 0
        while True:
            done, value = self.step(stacks, tokens, index, goal)
            if done:
                return value
            index += 1

    def step(self, stacks: Stacks, tokens: list[Token], index: int, goal: int) -> tuple[bool, Any]:
        """Reduce as the token demands and shift it. (True, value) at the end. Raises `Stuck` or `TooDeep`."""
        states, values, starts, ends, depths = stacks.states, stacks.values, stacks.starts, stacks.ends, stacks.depths
        actions = self.automaton.actions
        productions = self.automaton.productions
        row = actions(states[-1])
        kind = self.classify(tokens, index, row)
        if kind == "$JOINED":
            return False, None
        token = tokens[index]
        while True:
            action = row.get(kind)
            if action is None:
                raise Stuck(index)
            if action >= 0:
                token.kind = kind
                states.append(action)
                values.append(token)
                starts.append(token.start)
                ends.append(token.end)
                depths.append(0)
                return False, None
            production = productions[-1 - action]
            size = production.size
            if size == 1:
                start, end, depth = starts[-1], ends[-1], depths[-1]
                if production.single and production.keep:  # only passed on: leave the value where it is
                    states[-1] = action = actions(states[-2])[production.origin]
                    row = actions(action)
                    if action == goal and kind == "$END":
                        return True, values[-1]
                    continue
                taken = values[-1:]
            elif size:
                start, end, depth = starts[-size], ends[-1], max(depths[-size:])
                taken = values[-size:]
            else:
                start = end = ends[-1] if ends else 0
                depth = 0
                taken = []
            if size:
                del states[-size:], values[-size:], starts[-size:], ends[-size:], depths[-size:]
            children: list[Any]
            if production.helper and production.keep and production.keep[0] == (0, True):
                children = taken[0] if self.sharing else []
                rest = production.keep[1:]
            else:
                children = []
                rest = production.keep
            for position, splice in rest:
                if splice:
                    children.extend(taken[position])
                else:
                    children.append(taken[position])
            value: Any
            if production.helper:
                grown = not self.sharing and rest is not production.keep
                value = Chain(taken[0], children) if grown else children
            elif production.single and len(children) == 1:
                value = children[0]
            else:
                depth += 1
                if depth > MAX_DEPTH:
                    raise TooDeep(start, end)
                value = self.build(production.name, children, start, end)
            action = actions(states[-1])[production.origin]
            states.append(action)
            values.append(value)
            starts.append(start)
            ends.append(end)
            depths.append(depth)
            if action == goal and kind == "$END":
                return True, value
            row = actions(action)

    def follows(self, states: list[int], tokens: list[Token], index: int, count: int, goal: int) -> bool:
        """Whether the next `count` tokens from `index` on could follow, classified as they go."""
        states = states[:]
        undecided: list[Token] = []
        try:
            for place in range(index, min(index + count, len(tokens))):
                kind = self.classify(tokens, place, self.automaton.actions(states[-1]))
                if kind == "$JOINED":
                    continue
                if kind == FOREIGN and place > index:
                    return True  # will be mended when its turn comes
                if not self.advance(states, kind, goal):
                    return False
                if kind == "$END":
                    return True
                token = tokens[place]
                if token.kind == "WORD":
                    token.kind = kind  # the next token may ask what stands before it
                    undecided.append(token)
            return True
        finally:
            for token in undecided:
                token.kind = "WORD"

    def advance(self, states: list[int], kind: str, goal: int) -> bool:
        """Move `states` over one terminal; False if it cannot stand there."""
        actions = self.automaton.actions
        productions = self.automaton.productions
        while True:
            action = actions(states[-1]).get(kind)
            if action is None:
                return False
            if action >= 0:
                states.append(action)
                return True
            production = productions[-1 - action]
            if production.size:
                del states[-production.size :]
            target = actions(states[-1])[production.origin]
            states.append(target)
            if target == goal and kind == "$END":
                return True

    def acceptable(self, states: list[int], goal: int) -> list[str]:
        """The terminals that could follow."""
        row = self.automaton.actions(states[-1])
        return [kind for kind in row if kind.isupper() and self.advance(states[:], kind, goal)]
