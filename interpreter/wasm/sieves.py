"""Conditions on the members of a set that are answered for all of them at once, by operations on whole sets.

A condition is one of these if it asks whether the member is in another set, is one certain thing, passes a test on a
constant column (`masks`), or stands in a relation to a few values that depends on no state; or if it is made of such
ones by `and`, `or` and `not`. All else is asked for each member in a loop, as far as what is joined to it has not
settled the answer already.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model.types import EnumType, IntType, OptionalType, PlayerType, SetType, ThingType, Type, strip
from regelwerk.interpreter.evaluation.base import slots_read
from regelwerk.interpreter.evaluation.inlining import column_test, inline, inputs_of
from regelwerk.interpreter.layout import Region
from regelwerk.interpreter.wasm import masks
from regelwerk.interpreter.wasm.binary import I64
from regelwerk.interpreter.wasm.code import LANES, Function, Value, choose, const, lanes_equal
from regelwerk.interpreter.wasm.collections import add_bit, each_bit
from regelwerk.interpreter.wasm.emitter import Emitter
from regelwerk.interpreter.wasm.remembering import Numbered
from regelwerk.interpreter.wasm.shapes import Words

FILLED = 1 << 23
"""The most steps that filling a table as a whole may take: about ten milliseconds."""

Sieve = Callable[[Emitter, int], list[Value]]
"""Writes which members pass, as so many words of a set."""


def sieve(e: Emitter, test: x.Expr, slot: int, kind: Type) -> Sieve | None:
    """What answers a test for all values of the variable in `slot` at once; None if that cannot be done here."""
    member = strip(kind)
    if not isinstance(member, ThingType | EnumType | PlayerType | IntType) or e.shapes.lowest(member) < 0:
        return None
    return (
        _compound(e, test, slot, kind)
        or _simple(e, test, slot)
        or _bounded(e, test, slot, member)
        or _column(e, test, slot, kind)
        or relation(e, test, slot, member)
        or _cells(e, test, slot)
    )


def _compound(e: Emitter, test: x.Expr, slot: int, kind: Type) -> Sieve | None:
    if isinstance(test, x.Negation):
        inner = _part(e, test.operand, slot, kind)
        return None if inner is None else lambda e, count: [part ^ const(-1, I64) for part in inner(e, count)]
    if isinstance(test, x.Both | x.AnyOf):
        one, other = _part(e, test.left, slot, kind), _part(e, test.right, slot, kind)
        if one is None or other is None:
            return None
        left, right = one, other
        if isinstance(test, x.Both):
            return lambda e, n: [a & b for a, b in zip(left(e, n), right(e, n), strict=True)]
        return lambda e, n: [a | b for a, b in zip(left(e, n), right(e, n), strict=True)]
    return None


def _part(e: Emitter, test: x.Expr, slot: int, kind: Type) -> Sieve | None:
    if slot in slots_read(test):
        return sieve(e, test, slot, kind)
    if not masks.faultless(e.c, test):
        return None
    return lambda e, count: [e.f.keep(choose(e.value(test), const(-1, I64), const(0, I64)))] * count


def _simple(e: Emitter, test: x.Expr, slot: int) -> Sieve | None:
    """Whether it is in another set, or is one certain thing."""

    def is_it(node: x.Expr) -> bool:
        return isinstance(node, x.Local) and node.slot == slot

    if isinstance(test, x.Contains) and is_it(test.item):
        return _membership(e, test.collection, slot)
    if isinstance(test, x.Equal) and is_it(test.left) != is_it(test.right):
        other = test.right if is_it(test.left) else test.left
        optional = isinstance(other.type, OptionalType) and not isinstance(strip(other.type), ThingType | PlayerType)
        if optional or not isinstance(strip(other.type), ThingType | PlayerType | EnumType):
            return None
        if slot in slots_read(other) or not masks.faultless(e.c, other):
            return None
        return lambda e, count: _single(e, e.known(other), count)
    return None


def _bounded(e: Emitter, test: x.Expr, slot: int, member: Type) -> Sieve | None:
    """Whether it is less or more than other numbers."""

    def is_it(node: x.Expr) -> bool:
        return isinstance(node, x.Local) and node.slot == slot and not isinstance(node.type, OptionalType)

    bounds: list[tuple[str, x.Expr]] = []
    if isinstance(test, x.Ordered) and is_it(test.left):
        bounds = [(test.operator, test.right)]
    elif isinstance(test, x.Ordered) and is_it(test.right):
        bounds = [(test.operator.translate(str.maketrans("<>", "><")), test.left)]
    elif isinstance(test, x.Between) and is_it(test.item):
        bounds = [(">=", test.lowest), ("<=", test.highest)]
    elif isinstance(test, x.Contains) and is_it(test.item) and isinstance(test.collection, x.Interval):
        bounds = [(">=", test.collection.lowest), ("<=", test.collection.highest)]
    fixed = all(
        slot not in slots_read(bound) and not isinstance(bound.type, OptionalType) and masks.faultless(e.c, bound)
        for _, bound in bounds
    )
    if not bounds or not fixed or not isinstance(member, IntType) or e.shapes.highest(member) > 63:
        return None

    def inside(e: Emitter, count: int) -> list[Value]:
        found: Value = const(-1, I64)
        for operator, bound in bounds:
            found = found & _side(operator, e.known(bound))
        return [e.f.keep(found), *[const(0, I64)] * (count - 1)]

    return inside


def _side(operator: str, bound: Value) -> Value:
    """The numbers from 0 to 63 on one side of a bound, as a set."""
    first, everything = int(operator in ("<=", ">")), const(-1, I64)
    if bound.const is not None:
        below = (1 << min(64, max(0, bound.const + first))) - 1
        return const(below if operator.startswith("<") else ~below, I64)
    some = (const(1 << first, I64) << bound.widen()) - 1
    below_it = choose(bound > 63 - first, everything, choose(bound > -first, some, const(0, I64)))
    return below_it if operator.startswith("<") else below_it ^ everything


def _membership(e: Emitter, collection: x.Expr, slot: int) -> Sieve | None:
    if isinstance(collection, x.Interval) or not isinstance(strip(collection.type), SetType):
        return None
    if slot in slots_read(collection) or not masks.faultless(e.c, collection):
        return None
    return lambda e, count: [e.f.keep(part) for part in e.fitted(e.words(collection), count)]


def _single(e: Emitter, member: Value, count: int) -> list[Value]:
    one = e.f.keep(const(1, I64) << (member & 63).widen())
    if count == 1:
        return [choose(member.two("lt_u", 64), one, const(0, I64))]
    return [choose((member >> 6).eq(k), one, const(0, I64)) for k in range(count)]


def _column(e: Emitter, test: x.Expr, slot: int, kind: Type) -> Sieve | None:
    if not isinstance(strip(kind), ThingType):
        return None
    found = column_test(e.c, test, slot, e.frame)
    if found is None or not masks.usable(e, found):
        return None
    return lambda e, count: list(masks.passing(e, found, count).parts)


@dataclass(frozen=True)
class Relation:
    """The members that stand in a relation to a few values, which are looked up in a table."""

    table: Numbered
    test: x.Expr
    slot: int
    member: Type
    inputs: list[x.Expr]

    def __call__(self, e: Emitter, count: int) -> list[Value]:
        """Look them up."""
        values = [part for each in self.inputs for part in masks.parts_of(e.keep(e.any(each)))]
        found = self.table.look_up(e.unit, e.f, ("related", self.test), _RELATED, values, self._finder(e))
        return list(e.fitted(Words(tuple(found)), count))

    def filled(self, e: Emitter) -> Relation:
        """The same with a table that is filled before anything is run."""
        found = replace(self, table=self.table.filled())
        found.table.fill(e.unit, ("related", self.test), _RELATED, found._finder(e))
        return found

    def _finder(self, outer: Emitter) -> Callable[[Function], list[Value]]:
        """Asks for each member by itself."""
        unit, member = outer.unit, self.member

        def find(f: Function) -> list[Value]:
            e = masks.given(outer, f, self.inputs, 1)
            found = _variables(f, unit.shapes.highest(member) // 64 + 1)
            with f.counting(unit.shapes.lowest(member), unit.shapes.highest(member) + 1) as thing:
                e.slots[self.slot] = thing
                with f.when(e.value(self.test)):
                    add_bit(e, found, thing)
            return list(found.parts)

        return find


_RELATED = "which are related"


def relation(e: Emitter, test: x.Expr, slot: int, member: Type) -> Relation | None:
    """Whether it stands in a relation, which depends on no state, to a few values of which each is one of a few."""
    inputs = inputs_of(e.c, test, slot, calls=True)
    if inputs is None or not inputs or not masks.faultless(e.c, test):
        return None
    if any(e.shapes.form(each.type) == "ref" or not masks.faultless(e.c, each) for each in inputs):
        return None
    table = masks.table_of(e, inputs, e.shapes.highest(member))
    if table is None:
        return None
    found = Relation(table, test, slot, member, inputs)
    # not where a table may be asked while another one is filled
    quick = e.listing and table.entries * (table.highest + 1) * masks.steps(e, test) <= FILLED
    return found.filled(e) if quick else found


def _cells(e: Emitter, test: x.Expr, slot: int) -> Sieve | None:
    """Whether its cell of the image holds a certain number: many cells are compared at once."""
    if not isinstance(test, x.Equal):
        return None
    for cell, other in ((test.left, test.right), (test.right, test.left)):
        place = _row_of_cells(e, cell, slot)
        if place is not None and slot not in slots_read(other) and masks.faultless(e.c, other):
            region, first = place
            return lambda e, count: compared(e, region, first, e.known(other), count)
    return None


def _row_of_cells(e: Emitter, node: x.Expr, slot: int) -> tuple[Region, int] | None:
    """The cells of which one belongs to each member, and the member to which the first belongs."""

    def is_it(node: x.Expr | None) -> bool:
        return isinstance(node, x.Local) and node.slot == slot and not isinstance(node.type, OptionalType)

    program = e.program
    if isinstance(node, x.StateRead) and is_it(node.key) and e.shapes.form(node.symbol.type) == "scalar":
        region, first = program.state_cells[node.symbol], program.key_base(node.symbol.key)
    elif isinstance(node, x.FaceRead) and is_it(node.die):
        kind = strip(node.die.type)
        assert isinstance(kind, ThingType)
        region, first = program.face_cells[kind.symbol], 0
    else:
        return None
    return (region, first) if region.count >= 4 and comparable(e, region) else None


def comparable(e: Emitter, region: Region) -> bool:
    """Whether all cells of a region can be compared at once."""
    width = region.width
    if width == 32 or region.count > 64:
        return False
    read = -(-region.count // LANES[width]) * 16  # a little more than there is, which is no harm inside the image
    return region.offset * width // 8 + read <= e.program.layout.size


def compared(e: Emitter, region: Region, first: int, wanted: Value, count: int) -> list[Value]:
    """Which cells hold a number, as a set of `count` words; the first cell is that of member `first`."""
    width = region.width
    assert width != 32
    lanes = LANES[width]
    bits: list[Value] = [const(0, I64)] * count
    for start in range(0, region.count, lanes):
        found = lanes_equal(e.state, region.offset * width // 8 + start * width // 8, width, wanted).widen()
        if region.count - start < lanes:
            found = found & const((1 << region.count - start) - 1, I64)
        word, shift = divmod(first + start, 64)
        if shift + lanes > 64 and word + 1 < count:
            found = e.f.keep(found)
            bits[word + 1] = bits[word + 1] | found >> (64 - shift)
        if word < count:
            bits[word] = bits[word] | found << shift
    low, high = (0, 255) if width == 8 else (-32768, 32767)
    if wanted.const is not None:
        return bits if low <= wanted.const <= high else [const(0, I64)] * count
    inside = (wanted >= low) & (wanted <= high)
    return [choose(inside, each, const(0, I64)) for each in bits]


@dataclass(frozen=True)
class Unless:
    """A test that holds where `exempt` does, and elsewhere if `test` does; neither can be at fault."""

    exempt: x.Expr
    test: Callable[[Emitter], Value]
    reads: frozenset[int]

    def __call__(self, e: Emitter) -> Value:
        """The answer for one member."""
        found = e.f.copied(self.test(e))
        with e.f.when(found.eqz()):
            e.f.set(found, e.value(self.exempt))
        return found


Part = x.Expr | Callable[[Emitter], Value]


def filtered(e: Emitter, domain: Words, tests: Sequence[Part], slot: int, kind: Type) -> Words:
    """The members of a set that pass tests: first those answered at once, then the others, if they cannot be at fault
    each by itself, else member by member."""
    rest: list[Part] = []
    for part in tests:
        test = inline(e.c, part, e.frame) if isinstance(part, x.Expr) else part
        found = sieve(e, test, slot, kind) if isinstance(test, x.Expr) else None
        if found is not None:
            domain = sifted(e, domain, [found])
        else:
            rest.append(test)
    if all(_cannot_fail(e, test) for test in rest):
        for test in rest:
            domain = _passing(e, domain, test, slot, kind)
        return domain
    return _asked(e, domain, rest, slot)


def _cannot_fail(e: Emitter, test: Part) -> bool:
    return isinstance(test, Unless) or (isinstance(test, x.Expr) and masks.faultless(e.c, test))


def _passing(e: Emitter, domain: Words, test: Part, slot: int, kind: Type) -> Words:
    f = e.f
    if isinstance(test, Unless):
        if slot in test.reads:
            return _asked(e, domain, [test], slot)
        everybody = f.copied(test.test(e))
        found = _variables(f, len(domain.parts))
        _set(f, found, domain)
        with f.when(everybody.eqz()):
            _set(f, found, _passing(e, domain, test.exempt, slot, kind))
        return found
    assert isinstance(test, x.Expr)
    answer = sieve(e, test, slot, kind)
    if answer is not None:
        return sifted(e, domain, [answer])
    if isinstance(test, x.Both):
        return _passing(e, _passing(e, domain, test.left, slot, kind), test.right, slot, kind)
    if isinstance(test, x.AnyOf):
        left = _passing(e, domain, test.left, slot, kind)
        right = _passing(e, _without(f, domain, left), test.right, slot, kind)
        return Words(tuple(f.keep(a | b) for a, b in zip(left.parts, right.parts, strict=True)))
    if isinstance(test, x.Negation):
        return _without(f, domain, _passing(e, domain, test.operand, slot, kind))
    return _asked(e, domain, [test], slot)


def _without(f: Function, domain: Words, gone: Words) -> Words:
    return Words(tuple(f.keep(a & (b ^ const(-1, I64))) for a, b in zip(domain.parts, gone.parts, strict=True)))


def _asked(e: Emitter, domain: Words, tests: Sequence[Part], slot: int) -> Words:
    """The members that pass, asked one after the other."""
    if not tests:
        return domain
    found = _variables(e.f, len(domain.parts))
    with each_bit(e, domain) as (member, following, _):
        e.bind(slot, member)
        e.somebody.add(slot)
        for test in tests:
            e.f.leave_if(following, (e.value(test) if isinstance(test, x.Expr) else test(e)).eqz())
        add_bit(e, found, member)
    return found


def _variables(f: Function, count: int) -> Words:
    found = Words(tuple(f.variable(I64) for _ in range(count)))
    for part in found.parts:
        f.set(part, const(0, I64))
    return found


def _set(f: Function, target: Words, source: Words) -> None:
    for part, value in zip(target.parts, source.parts, strict=True):
        f.set(part, value)


def sifted(e: Emitter, domain: Words, sieves: list[Sieve]) -> Words:
    """The members of a domain that pass all sieves."""
    parts = list(domain.parts)
    for each in sieves:
        parts = [e.f.keep(a & b) for a, b in zip(parts, each(e, len(parts)), strict=True)]
    return Words(tuple(parts))
