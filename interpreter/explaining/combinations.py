"""The parameters of an action: which combinations there are at all, and which of them are options."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model.types import SetType, TallyType, Type, strip
from regelwerk.interpreter.decisions import ActionOptions
from regelwerk.interpreter.evaluation.base import Locals, members
from regelwerk.interpreter.evaluation.heads import compile_candidates, compile_picks
from regelwerk.interpreter.staging import ENOUGH

if TYPE_CHECKING:
    from regelwerk.interpreter.api import State

MOST = 4096
"""So many combinations are looked at."""

SEARCHED = 65_536
"""So many values of one parameter are gone through for those that were asked for."""

Values = tuple[Any, ...]


class Combinations:
    """The combinations of one action for one player, conditions not asked, in order."""

    def __init__(self, state: State, action: ActionOptions, me: int) -> None:
        self.state, self.action, self.me = state, action, me
        self.program, self.m = state.program, state.image
        self.head = action.action.head or x.Head([])
        self.kinds = [kind for _, kind, _ in action.action.parameters]
        self._options: dict[Values, None] | None = None
        self.complete = True

    # ------------------------------------------------------------------------------------------------------ all of them
    def matching(self, wanted: Sequence[str] | None = None) -> Iterator[Values]:
        """Those whose parameters have the wanted ids (None: all); of parameters that are not told, any. Ends after
        `MOST`, and `complete` says whether those were all."""
        texts = self.program.texts
        binders = self.head.binders
        visible = [k for k, b in enumerate(binders) if not b.inner]
        words = dict(zip(visible, wanted or (), strict=False))
        env = self.action.locals(self.me)

        def extend(index: int, values: Values) -> Iterator[Values]:
            if index == len(binders):
                yield tuple(values[k] for k in visible)
                return
            binder = binders[index]
            word = words.get(index)
            most = MOST if word is None else SEARCHED
            for count, value in enumerate(self._candidates(index, env)):
                if count >= most:
                    self.complete = False
                    return
                if word is not None and not meant(texts, value, binder.type, word, self.m):
                    continue
                env[binder.slot] = value
                yield from extend(index + 1, (*values, value))

        self.complete = True
        for found, each in enumerate(extend(0, ())):
            if found >= MOST:
                self.complete = False
                return
            yield each

    def _candidates(self, index: int, env: Locals) -> Iterator[Any]:
        binder = self.head.binders[index]
        key = ("domain", binder)
        values = self.program.readings.get(key)
        if values is None:
            bare = replace(binder, condition=None, chosen_slot=None, most=False, own=None, key=None)
            compiler = self.program.compiler
            if binder.form == "one":
                values = compile_candidates(compiler, bare, True)
            else:
                values = compile_picks(compiler, bare, True).values
            self.program.readings[key] = values
        return iter(values(self.m, env))

    def real_picks(self, index: int, env: Locals) -> list[Any]:
        """What a parameter that takes several elements can be, its condition asked."""
        binder = self.head.binders[index]
        key = ("picks", binder)
        space = self.program.readings.get(key)
        if space is None:
            space = self.program.readings[key] = compile_picks(self.program.compiler, binder, True)
        return list(islice(space.values(self.m, env), SEARCHED))

    def most_picks(self, index: int, env: Locals) -> int:
        """How many elements a parameter that takes as many as possible takes."""
        self.real_picks(index, env[:])
        space = self.program.readings["picks", self.head.binders[index]]
        return int(space.open(self.m, env).most)

    # ------------------------------------------------------------------------------------------------------ the options
    def is_option(self, values: Values) -> bool:
        """Whether the conditions and costs let a combination be."""
        staged = self.action.staged
        if staged is None or not self.staged():
            if self._options is None:
                self._options = dict.fromkeys(self.action.options(self.m, self.me))
            return values in self._options
        if not staged.possible(self.m, self.action.locals(self.me)):
            return False
        bound = self._bound(values)
        wanted = [_elements(bound[b.slot], b) for b in self.head.binders]

        def keep(index: int, picks: list[int], options: list[int]) -> list[int]:
            left = list(wanted[index])
            for pick in picks:
                if pick in left:
                    left.remove(pick)
            return [a for a in options if (a in left if a != ENOUGH else not left)]

        return staged.find(self.m, self.action.locals(self.me), keep) == values

    def _bound(self, values: Values) -> Locals:
        env = self.action.locals(self.me)
        for slot, value in zip(self.action.slots, values, strict=True):
            env[slot] = value
        for slot, fields in self.action.records:
            for each, value in zip(fields, env[slot], strict=True):
                env[each] = value
        return env

    def id(self, values: Values) -> str:
        """The answer, as in replays."""
        texts = self.program.texts
        return " ".join(
            [self.action.action.name, *(texts.id(v, kind) for v, kind in zip(values, self.kinds, strict=True))]
        )

    def staged(self) -> bool:
        """Whether the parameters are asked one by one, as things stand."""
        head = self.action.staged
        return head is not None and head.staged(self.m, self.action.locals(self.me))


def _elements(value: Any, binder: x.Binder) -> list[int]:
    """The answers that make up a value of a binder."""
    kind = strip(binder.type)
    if binder.form == "one":
        return [value]
    if isinstance(kind, SetType):
        return list(members(value))
    if isinstance(kind, TallyType):
        return [k for k, count in enumerate(value, 1) for _ in range(count)]
    return list(value)


def meant(texts: Any, value: Any, kind: Type, word: str, m: Any) -> bool:
    """Whether a word names a value: by its id, or as it is printed."""
    if texts.id(value, kind) == word:
        return True
    printed = texts.value(value, kind, m)
    return bool(_folded(printed) == _folded(word))


def _folded(text: str) -> str:
    return " ".join(text.replace("_", " ").casefold().replace(",", " ").replace(" and ", " ").strip("[]").split())


__all__ = ["MOST", "Combinations", "meant"]
