"""What the records of options mean: for each place where somebody decides the ways of answering, and where the values
of their parameters lie."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from regelwerk.dsl.model import expressions as x
from regelwerk.interpreter import ir
from regelwerk.interpreter.decisions import DONE, PASS, STAGE, Raw
from regelwerk.interpreter.frames import codec, read_value, room
from regelwerk.interpreter.staging import may_be_staged
from regelwerk.interpreter.wasm.sites import BARE

if TYPE_CHECKING:
    from regelwerk.dsl.model.types import Type
    from regelwerk.interpreter.program import Program


@dataclass(frozen=True)
class Parameter:
    """A value of an option: its name, its type as it is written in rules, its first word in the record, and how many it
    takes. Things, members of enums and seats are their numbers; sets are bits; lists have their length first."""

    name: str
    type: str
    word: int
    words: int


@dataclass(frozen=True)
class Way:
    """A way of answering: the first word of its records, its name, its parameters."""

    number: int
    name: str
    parameters: tuple[Parameter, ...] = ()


@dataclass(frozen=True)
class Place:
    """A place where somebody decides. `number` is the field `site` of a state that waits there."""

    number: int
    address: str
    ways: tuple[Way, ...]


def places_of(program: Program) -> tuple[Place, ...]:
    """All places of a program."""
    return tuple(Place(site.number, site.address, _ways(program, site.end)) for site in program.sites)


def _ways(program: Program, end: ir.Deciding) -> tuple[Way, ...]:
    found: list[Way] = []
    node: Any
    if isinstance(end, ir.ChooseEnd):
        node = end.choice
        found.append(Way(0, "", _parameters(program, [(b.name, b.type) for b in node.head.visible])))
        if node.optional:
            found.append(Way(PASS, "no"))
        if node.done is not None:
            found.append(Way(DONE, "done"))
        if end.answers_slot is not None:
            found.append(Way(STAGE, "the next answer", (Parameter("answer", "number", 1, 1),)))
    elif isinstance(end, ir.OfferEnd | ir.SealEnd):
        node = end.offer
        staged = end.answers_slot is not None if isinstance(end, ir.OfferEnd) else bool(end.staged)
        for number, action in enumerate(node.actions):
            parameters = [(name, kind) for name, kind, _ in action.parameters]
            found.append(Way(number, action.name, _parameters(program, parameters)))
            if staged and may_be_staged(action.head or x.Head([]), program.member_count):
                found.append(Way(BARE + number, f"{action.name} ..."))
        if node.passing is not None:
            found.append(Way(PASS, "pass"))
        if node.until_done is not None:
            found.append(Way(DONE, "done"))
        if staged:
            found.append(Way(STAGE, "the next answer", (Parameter("answer", "number", 1, 1),)))
    elif isinstance(end, ir.AlternativesEnd):
        node = end.alternatives
        found += [Way(number, f"way {number + 1}") for number in range(len(node.ways))]
        if node.may:
            found.append(Way(PASS, "no"))
        if node.highest > 1:
            found.append(Way(DONE, "done"))
    return tuple(found)


def _parameters(program: Program, parameters: list[tuple[str, Type]]) -> tuple[Parameter, ...]:
    found, word = [], 1
    for name, kind in parameters:
        words = room(codec(program.compiler, kind))
        found.append(Parameter(name, str(kind), word, words))
        word += words
    return tuple(found)


class Decoder:
    """Reads records as the options of the reference interpreter."""

    def __init__(self, program: Program) -> None:
        c = program.compiler
        self.forms: list[dict[int, list[Any]]] = []
        for site in program.sites:
            end: Any = site.end
            forms: dict[int, list[Any]] = {}
            if isinstance(end, ir.ChooseEnd):
                forms[0] = [codec(c, binder.type) for binder in end.choice.head.visible]
            elif isinstance(end, ir.OfferEnd | ir.SealEnd):
                for number, action in enumerate(end.offer.actions):
                    forms[number] = [codec(c, kind) for _, kind, _ in action.parameters]
            self.forms.append(forms)

    def read(self, site: int, words: Any) -> Raw:
        """An option from its record."""
        way = int(words[0])
        if way == STAGE:
            return way, (int(words[1]),)
        if way >= BARE and way - BARE in self.forms[site]:
            return way - BARE, ()
        values, place = [], 1
        for form, size in self.forms[site].get(way, ()):
            value, place = read_value(words, place, form, size)
            values.append(value)
        return way, tuple(values)


__all__ = ["Decoder", "Parameter", "Place", "Way", "places_of"]
