"""Decisions: listing the options of the place where somebody decides, and going on with an answer.

The options are records in a list (`options`), and so is an answer. What is listed, and in which order, is as in
`interpreter.decisions`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import NUMBER, Type
from regelwerk.interpreter import ir
from regelwerk.interpreter import layout as la
from regelwerk.interpreter.decisions import DONE, NOBODY_DECIDES, OPTION_LIMIT, PASS, STAGE
from regelwerk.interpreter.layout import WORK as MOST_WORK
from regelwerk.interpreter.staging import may_be_staged
from regelwerk.interpreter.wasm.actions import ActionHead, possible_function
from regelwerk.interpreter.wasm.binary import I32, I64
from regelwerk.interpreter.wasm.code import Function, Label, Value, choose, const, load
from regelwerk.interpreter.wasm.control import Case, by_case
from regelwerk.interpreter.wasm.emitter import Emitter
from regelwerk.interpreter.wasm.heads import Nest
from regelwerk.interpreter.wasm.options import OptionList
from regelwerk.interpreter.wasm.roles import guarded, inside
from regelwerk.interpreter.wasm.sealing import place_of, seal
from regelwerk.interpreter.wasm.shapes import Operand, Ref, Unsupported, Words
from regelwerk.interpreter.wasm.staging import StagedHead, push
from regelwerk.interpreter.wasm.subsets import number_of_subsets
from regelwerk.interpreter.wasm.unit import COUNT, LISTED, PLAYED, WORK, Unit

if TYPE_CHECKING:
    from regelwerk.interpreter.wasm.procs import ProcWriter

BARE = 1 << 30
"""Added to a way whose parameters are asked in stages, and that is listed without them."""
ANSWERING = -1
"""The first word of the sealed record of a player who is asked in stages."""


class Sites:
    """The decisions of one program: the sizes of their records, and the code that lists and answers."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.program = unit.program
        self.procs: list[ProcWriter] = []
        words = max((self.record_words(end) for end in self.program.lowering.sites), default=1)
        self.options = OptionList(unit, 4 * words)
        self.chosen = self.options.chosen
        self.callable: list[Function] = []

    def record_words(self, end: ir.Deciding) -> int:
        """How many words the record of an option of a decision takes."""
        room = self.unit.shapes.room
        words = [2]
        if isinstance(end, ir.ChooseEnd):
            words.append(1 + sum(room(binder.type) for binder in end.choice.head.visible))
        elif isinstance(end, ir.OfferEnd | ir.SealEnd):
            words += [1 + sum(room(kind) for _, kind, _ in action.parameters) for action in end.offer.actions]
        return max(words)

    # ------------------------------------------------------------------------------------------------------- listing
    def _list_action(self, e: Emitter, action: g.ActionSymbol, player: Value, way: int) -> None:
        """List the options of an action."""
        given = (e.state, player, const(way))
        with e.f.when(e.f.global_(PLAYED)):
            e.f.call(self.options_function(action, True), *given)
            e.f.otherwise()
            e.f.call(self.options_function(action, False), *given)

    def options_function(self, action: g.ActionSymbol, played: bool) -> Function:
        """Lists the options of an action for a player, as those of a way, for a random player or for a host."""

        def write(f: Function) -> None:
            e = Emitter(self.unit, f, f.parameter(0), action.frame)
            e.slots[0], e.listing = f.parameter(1), True
            head = ActionHead(e, action)

            def values() -> list[tuple[Operand, Type]]:
                return [(e.slot(slot), kind) for _, kind, slot in action.parameters]

            def found(done: Label) -> None:
                head.complete(lambda: self.options.add(e, f.parameter(2), values()))

            def several(last: Value, done: Label) -> None:
                self.options.add_several(e, f.parameter(2), values()[:-1], last)

            last = action.parameters[-1:]
            at_once = played and last and not head.lets and not head.late and last[0][2] == head.head.binders[-1].slot
            nest = head.nest()
            picks = nest.picks_only() if at_once else None
            with self.options.listing(f, played), f.block() as listed:
                if picks is not None:
                    nest.test_before(listed)
                    numbers = number_of_subsets(e, picks)
                    if numbers is not None:
                        count, known = numbers
                        with f.when(known):
                            function = self._number_of(self._numbered(action))
                            self.options.add_unlisted(e, f.parameter(2), f.parameter(1), f.keep(count), function)
                            f.leave(listed)
                nest.run(found, at_once=several if at_once else None)

        title = f"options of {action.name}" if played else f"all options of {action.name}"
        return self.unit.function(("options", action, played), title, (I32, I32, I32), (), write)

    def _number_of(self, function: Function) -> int:
        """The number of a function in the table, behind the procs."""
        if function not in self.callable:
            self.callable.append(function)
        return len(self.procs) + self.callable.index(function)

    def _numbered(self, action: g.ActionSymbol) -> Function:
        """Makes the option of a number among those of an action the chosen one. Parameters: the state, the player, the
        way, the number; gives 0."""

        def write(f: Function) -> None:
            e = Emitter(self.unit, f, f.parameter(0), action.frame)
            e.slots[0], e.listing = f.parameter(1), True
            left = f.copied(f.parameter(3))

            def found(done: Label) -> None:
                with f.when(left.eqz()):
                    f.store(const(self.chosen), f.parameter(2))
                    self.options.write_chosen(e, [(e.slot(slot), kind) for _, kind, slot in action.parameters])
                    f.leave(done)
                f.increase(left, -1)

            ActionHead(e, action).nest().run(found)
            f.give(const(0))

        return self.unit.function(("number", action), f"one of {action.name}", (I32,) * 4, (I32,), write)

    def _staged(self, action: g.ActionSymbol) -> bool:
        """Whether an action can be asked in stages."""
        return may_be_staged(action.head or x.Head([]), self.program.member_count)

    def _asked_in_stages(self, outer: Emitter, action: g.ActionSymbol, player: Value) -> Value:
        """Whether an action that can be asked in stages is so now."""
        e = Emitter(self.unit, outer.f, outer.state, action.frame)
        e.slots[0] = player
        head = ActionHead(e, action)
        return StagedHead(e, head.nest(filtered=False), head.complete).staged()

    def _stage_function(self, action: g.ActionSymbol, word: str) -> Function:
        """Of an action that can be asked in stages: the next answers (`next`), or whether the answers are all
        (`settle`: then the values are in the chosen record). Parameters: the state, the player, where the answers are
        and (`settle`) how many have room."""

        def write(f: Function) -> None:
            e = Emitter(self.unit, f, f.parameter(0), action.frame)
            e.slots[0] = f.parameter(1)
            head = ActionHead(e, action)
            staged = StagedHead(e, head.nest(filtered=False), head.complete)
            if word == "next":
                staged.list_next(f.parameter(2), lambda answer: self.options.add(e, STAGE, [(answer, NUMBER)]))
                return
            whole = staged.settle(f.parameter(2), f.parameter(3))
            with f.when(whole):
                self.options.write_chosen(e, [(e.slot(slot), kind) for _, kind, slot in action.parameters])
            f.give(whole)

        kinds = {"next": 3, "settle": 4}
        results = () if word == "next" else (I32,)
        return self.unit.function((word, action), f"{word}: {action.name}", (I32,) * kinds[word], results, write)

    def _list_choice(self, w: ProcWriter, end: ir.ChooseEnd) -> None:
        e, f, node = w.e, w.f, end.choice
        binders = node.head.visible

        def values() -> list[tuple[Operand, Type]]:
            return [(e.slot(b.slot), b.type) for b in binders]

        def several(last: Value, done: Label) -> None:
            self.options.add_several(e, 0, values()[:-1], last)

        def whole() -> None:
            nest = Nest(e, node.head, [], True)

            def listed(played: bool | None) -> None:
                with self.options.listing(f, played):
                    nest.run(lambda done: self.options.add(e, 0, values()), at_once=several if played else None)

            if not binders or binders[-1] is not node.head.binders[-1]:
                listed(None)
                return
            with f.when(f.global_(PLAYED)):
                listed(True)
                f.otherwise()
                listed(False)

        if end.answers_slot is None:
            whole()
            with f.when(f.global_(COUNT)):
                self._no_or_done(w, node)
            return
        answers = e.slots[end.answers_slot]
        assert isinstance(answers, Ref)
        staged = self._staged_choice(w, end)
        now = f.copied(load(answers.address).ne(0))
        with f.when(now.eqz()):
            f.set(now, staged.staged())
        with f.when(now):
            staged.list_next(answers.address, lambda answer: self.options.add(e, STAGE, [(answer, NUMBER)]))
            f.otherwise()
            whole()
        with f.when(f.global_(COUNT).ne(0) & load(answers.address).eqz()):
            self._no_or_done(w, node)

    def _staged_choice(self, w: ProcWriter, end: ir.ChooseEnd) -> StagedHead:
        nest = Nest(w.e, end.choice.head, [], True, filtered=False)
        return StagedHead(w.e, nest, lambda inside: inside())

    def _no_or_done(self, w: ProcWriter, node: t.Choose) -> None:
        e = w.e
        if node.optional:
            self.options.add(e, PASS, [])
        if node.done is not None:
            if node.done_when is None:
                self.options.add(e, DONE, [])
            else:
                with e.f.when(e.value(node.done_when)):
                    self.options.add(e, DONE, [])

    def _list_offer(self, w: ProcWriter, end: ir.OfferEnd | ir.SealEnd) -> None:
        e, f, node = w.e, w.f, end.offer
        player = e.known(node.me)
        answers = self._answers(w, end)

        def others() -> None:
            if node.passing is not None:
                self.options.add(e, PASS, [])
            if node.until_done is not None:
                self.options.add(e, DONE, [])

        def first() -> None:
            alone = len(node.actions) == 1 and node.passing is None and node.until_done is None
            for way, action in enumerate(node.actions):
                if answers is None or not self._staged(action):
                    self._list_action(e, action, player, way)
                    continue
                with f.when(self._asked_in_stages(e, action, player)):
                    if alone:
                        f.call(self._stage_function(action, "next"), e.state, player, const(self.unit.zeros))
                    else:
                        with f.when(f.call(possible_function(self.unit, action), e.state, player)[0]):
                            self.options.add(e, BARE + way, [])
                    f.otherwise()
                    self._list_action(e, action, player, way)
            others()

        if answers is None:
            first()
            return
        with f.when(load(answers)):
            cases: list[Case] = []
            for way, action in enumerate(node.actions):
                if self._staged(action):
                    function = self._stage_function(action, "next")
                    cases.append((way, functools.partial(f.call, function, e.state, player, answers)))
            by_case(e, load(answers, 4), cases)
            f.otherwise()
            first()

    def _answers(self, w: ProcWriter, end: ir.OfferEnd | ir.SealEnd) -> Value | None:
        """Where the answers so far lie, the number of the way first; None if nothing is asked in stages."""
        e, f = w.e, w.f
        if isinstance(end, ir.OfferEnd):
            if end.answers_slot is None:
                return None
            found = e.slots[end.answers_slot]
            assert isinstance(found, Ref)
            return f.keep(found.address)
        if not end.staged:
            return None
        me = e.slots[0]
        assert isinstance(me, Value)
        place = place_of(e, end.seals, me)
        return f.keep(choose(load(place).eq(ANSWERING), place + 4, const(self.unit.zeros)))

    def _list_alternatives(self, w: ProcWriter, node: t.Alternatives) -> None:
        e, f = w.e, w.f
        taken = self._taken(w, node)
        with f.block() as full:
            if node.highest > 1:
                f.leave_if(full, taken.one("popcnt").narrow() >= node.highest)
            for k, way in enumerate(node.ways):
                with f.when(((taken >> k) & 1).eqz()):
                    if way.condition is None:
                        self.options.add(e, k, [])
                    else:
                        with f.when(e.value(way.condition)):
                            self.options.add(e, k, [])
            with f.when(f.global_(COUNT)):
                if node.may:
                    self.options.add(e, PASS, [])
                if node.highest > 1:
                    with f.when(taken.one("popcnt").narrow() >= node.lowest):
                        self.options.add(e, DONE, [])

    def _taken(self, w: ProcWriter, node: t.Alternatives) -> Value:
        """The ways that were taken already, as bits."""
        found = w.e.slots[node.done_slot]
        assert isinstance(found, Words)
        if len(node.ways) > 64:
            raise Unsupported("more than 64 ways")
        return found.parts[0]

    def _list_order(self, w: ProcWriter, end: ir.OrderEnd) -> None:
        """The rules of one owner that come next and of which the order matters."""
        e, f = w.e, w.f
        source, index = e.slots[end.list_slot], e.slots[end.index_slot]
        assert isinstance(source, Ref)
        assert isinstance(index, Value)
        roles = [role for role, _ in end.roles]
        codes = f.room(4 * len(roles))
        f.fill(codes, 4 * len(roles))
        owner = f.keep((load(source.address + index * 4, 4) >> 13) & 15)
        arguments = [e.slots[slot] for slot in end.argument_slots]
        order = f.room(4 * (len(roles) + 1))
        size = f.copied(const(0))
        with f.counting(index, load(source.address)) as k:
            code = f.keep(load(source.address + k * 4, 4))
            holder, copy = f.keep((code >> 13) & 15), f.keep(code & 8191)
            own = f.copied(holder.eq(owner))
            with f.when(own.eqz()):
                f.set(k, load(source.address))  # only this owner's rules, as far as they follow each other

            def test(number: int, role: g.Role) -> Callable[[], None]:
                def do() -> None:
                    if role.row is None:
                        f.set(k, load(source.address))
                        return
                    inner = inside(e, role, holder, arguments, copy)
                    with f.when(load(codes, 4 * number).eqz()), f.when(guarded(inner, role)):
                        f.store(codes, code, 4 * number)
                        f.store(order + size * 4, number)
                        f.increase(size)

                return do

            with f.when(own):
                by_case(e, code >> 17, [(n, test(n, role)) for n, role in enumerate(roles)])
        matters = f.copied(const(0))
        for b, second in enumerate(roles):
            for a in range(b):
                if roles[a] in second.unordered:
                    with f.when(load(codes, 4 * a).ne(0) & load(codes, 4 * b).ne(0)):
                        f.set(matters, 1)
        with f.when(matters), f.counting(0, size) as k:
            number = f.keep(load(order + k * 4))
            self.options.add(e, load(codes + number * 4), [])

    # -------------------------------------------------------------------------------------------------- in a proc
    def write(self, w: ProcWriter, block: ir.Block) -> None:
        """The end of a block at which somebody decides."""
        assert isinstance(block.end, ir.Deciding)
        with w.f.loop() as again:
            self._decide(w, block, block.end, again)

    def _decide(self, w: ProcWriter, block: ir.Block, end: ir.Deciding, again: Label) -> None:
        from regelwerk.interpreter.wasm.procs import ANSWER, SUSPENDED

        f = w.f
        with f.when(w.asked.eq(ANSWER)):
            f.set(w.asked, 0)
            self._answer(w, block, end)
        f.set(w.asked, 0)
        f.set_global(WORK, MOST_WORK)
        self.options.begin(f)
        f.set_global(LISTED, f.global_(LISTED) + 1)
        actor = f.keep(self._actor(w, end))
        with f.when(f.global_(PLAYED)):
            self.options.draw_ahead(f, actor)
        if isinstance(end, ir.ChooseEnd):
            self._list_choice(w, end)
        elif isinstance(end, ir.OfferEnd | ir.SealEnd):
            self._list_offer(w, end)
        elif isinstance(end, ir.AlternativesEnd):
            self._list_alternatives(w, end.alternatives)
        else:
            self._list_order(w, end)
        with f.when(f.global_(COUNT) > OPTION_LIMIT):
            self.unit.fault(
                f,
                "budget",
                lambda n: f"there are {n[0]} options here, and at most {OPTION_LIMIT} are allowed",
                end.span,
                f.global_(COUNT),
            )
        with f.when(f.global_(COUNT).eqz()):
            if isinstance(end, ir.OfferEnd):
                self.unit.fault(f, "dead_end", "there is no option here, and nobody may pass", end.span)
            else:
                w._go(end.then if isinstance(end, ir.OrderEnd) else end.otherwise)
        with f.when(actor.eqz()):
            self.unit.fault(f, "none", NOBODY_DECIDES, end.span)
        f.store(w.state, end.number, 4 * la.SITE)
        with f.when(f.global_(PLAYED)):
            f.call(self.options.random_player(), w.state, actor)
            f.set(w.asked, ANSWER)
            f.leave(again)
        f.store(w.state, la.DECISION, 4 * la.STATUS)
        f.store(w.state, actor, 4 * la.ACTOR)
        w._spill(w.liveness.waiting[block.index], block.index)
        self.note_frames(w)
        f.give(const(SUSPENDED))

    def note_frames(self, w: ProcWriter) -> None:
        """The innermost frame ends here."""
        first = 4 * self.program.layout.frame_offset
        words = (w.frame + w.size - w.state - first).two("shr_u", 2)
        w.f.store(w.state, words, 4 * la.FRAME_WORDS)

    def _actor(self, w: ProcWriter, end: ir.Deciding) -> Value:
        e, f = w.e, w.f
        if isinstance(end, ir.OrderEnd):
            source, index = e.slots[end.list_slot], e.slots[end.index_slot]
            assert isinstance(source, Ref)
            assert isinstance(index, Value)
            return (load(source.address + index * 4, 4) >> 13) & 15
        node: t.Choose | t.Offer | t.Alternatives = (
            end.choice
            if isinstance(end, ir.ChooseEnd)
            else end.offer
            if isinstance(end, ir.OfferEnd | ir.SealEnd)
            else end.alternatives
        )
        return f.keep(e.value(node.me))

    def _values(self, w: ProcWriter, kinds: list[Type]) -> list[Operand]:
        """The values of the chosen record."""
        e, place, found = w.e, self.chosen + 4, []
        for kind in kinds:
            found.append(e.keep(e.fetch(const(place), kind)))
            place += 4 * self.unit.shapes.room(kind)
        return found

    def _answer(self, w: ProcWriter, block: ir.Block, end: ir.Deciding) -> None:
        e, f = w.e, w.f
        way = f.copied(load(const(self.chosen)))
        if isinstance(end, ir.ChooseEnd):
            binders = end.choice.head.visible
            with f.block() as listed:
                if end.answers_slot is not None:
                    self._answer_choice(w, end, way)
                    f.leave_if(listed, way.eq(STAGE))
                with f.when(way < 0):
                    w._go(end.otherwise)
                for binder, operand in zip(binders, self._values(w, [b.type for b in binders]), strict=True):
                    e.bind(binder.slot, operand)
                w._go(end.body)
        elif isinstance(end, ir.OfferEnd):
            with f.block() as listed:
                self._answer_offer(w, end, way, lambda: f.leave(listed))
                with f.when(way < 0):
                    w._go(end.otherwise)
                self._take_action(w, end, way)
        elif isinstance(end, ir.SealEnd):
            self._answer_offer(w, end, way, lambda: w._go(end.then))
            seal(w, end, way)
            w._go(end.then)
        elif isinstance(end, ir.AlternativesEnd):
            with f.when(way < 0):
                w._go(end.otherwise)
            taken = self._taken(w, end.alternatives)
            f.set(taken, taken | (const(1, I64) << way.widen()))
            by_case(e, way, [(k, functools.partial(w._go, block)) for k, block in enumerate(end.ways)])
            f.trap()
        else:
            self._take_order(w, end, way)
            w._go(end.then)

    def _answer_choice(self, w: ProcWriter, end: ir.ChooseEnd, way: Value) -> None:
        """One answer of several: if they are all, the choice is made; if not, what is left is listed."""
        e, f = w.e, w.f
        assert end.answers_slot is not None
        answers = e.slots[end.answers_slot]
        assert isinstance(answers, Ref)
        bound = e.shapes.bound(answers.kind)  # type: ignore[arg-type]  # a list
        with f.when(way.eq(STAGE)):
            with f.when(load(answers.address).eqz()):
                push(e, answers.address, const(0), bound)
            push(e, answers.address, load(const(self.chosen), 4), bound)
            whole = self._staged_choice(w, end).settle(answers.address, bound)
            with f.when(whole):
                f.store(answers.address, 0)
                self.options.write_chosen(e, [(e.slot(b.slot), b.type) for b in end.choice.head.visible])
                f.set(way, 0)
        with f.when(way.ne(STAGE)):
            f.store(answers.address, 0)

    def _answer_offer(
        self, w: ProcWriter, end: ir.OfferEnd | ir.SealEnd, way: Value, unfinished: Callable[[], None]
    ) -> None:
        """One answer of several: if they are all, `way` becomes the action whose values are in the chosen record."""
        e, f = w.e, w.f
        answers = self._answers(w, end)
        if answers is None:
            return
        me = e.slots[0]
        assert isinstance(me, Value)
        if isinstance(end, ir.SealEnd):
            place = place_of(e, end.seals, me)
            room = end.seals.size - 2
            with f.when((way.eq(STAGE) | (way >= BARE)) & load(place).ne(ANSWERING)):
                f.fill(place, 4 * end.seals.size)
                f.store(place, ANSWERING)
            answers = f.keep(place + 4)
        else:
            assert end.answers_slot is not None
            room = e.shapes.bound(e.slots[end.answers_slot].kind)  # type: ignore[union-attr,arg-type]  # a list
        player = e.known(end.offer.me)
        with f.when(way.eq(STAGE) | (way >= BARE)):
            with f.when(way >= BARE):
                f.store(answers, 0)
                push(e, answers, way - BARE, room)
                f.otherwise()
                with f.when(load(answers).eqz()):
                    push(e, answers, const(0), room)
                push(e, answers, load(const(self.chosen), 4), room)
            whole = f.copied(const(0))
            here = answers

            def settle(action: g.ActionSymbol) -> Callable[[], None]:
                function = self._stage_function(action, "settle")
                return lambda: f.set(whole, f.call(function, e.state, player, here, const(room))[0])

            by_case(
                e,
                load(answers, 4),
                [(k, settle(action)) for k, action in enumerate(end.offer.actions) if self._staged(action)],
            )
            with f.when(whole.eqz()):
                unfinished()
            f.set(way, load(answers, 4))
        if isinstance(end, ir.OfferEnd):
            f.store(answers, 0)

    def _take_action(self, w: ProcWriter, end: ir.OfferEnd, way: Value) -> None:
        e = w.e
        me = e.known(end.offer.me)

        def take(k: int) -> Callable[[], None]:
            def do() -> None:
                action, proc = end.offer.actions[k], end.procs[k]
                values = self._values(w, [kind for _, kind, _ in action.parameters])
                w._call(proc, [me, *values], end.after[k])
                w._go(end.after[k])

            return do

        by_case(e, way, [(k, take(k)) for k in range(len(end.procs))])
        w.f.trap()

    def _take_order(self, w: ProcWriter, end: ir.OrderEnd, code: Value) -> None:
        """The chosen rule is the next of the list."""
        e, f = w.e, w.f
        source, index = e.slots[end.list_slot], e.slots[end.index_slot]
        assert isinstance(source, Ref)
        assert isinstance(index, Value)
        place = f.copied(index)
        with f.while_(lambda: place < load(source.address)) as (_, leave):
            f.leave_if(leave, load(source.address + place * 4, 4).eq(code))
            f.increase(place)
        with f.while_(lambda: place > index):
            f.store(source.address + place * 4, load(source.address + place * 4), 4)
            f.increase(place, -1)
        f.store(source.address + index * 4, code, 4)
