"""From the checked game to procs: rules are woven in, drivers become loops, decisions split blocks."""

from __future__ import annotations

from typing import Protocol

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import BOOL, NUMBER, PLAYER, IntType, ListType, ThingType, Type, member_of, strip
from regelwerk.dsl.model.walking import walk
from regelwerk.dsl.source import Span
from regelwerk.interpreter import ir, verbs
from regelwerk.interpreter.colours import Colours
from regelwerk.interpreter.coverage import Coverage, ran
from regelwerk.interpreter.evaluation.heads import spoken
from regelwerk.interpreter.evaluation.heads_bound import tuple_list_type
from regelwerk.interpreter.ir import Laws
from regelwerk.interpreter.staging import longest_answers, may_be_staged


class Sizes(Protocol):
    """What lowering asks about the sizes of types, and whether what runs is counted."""

    coverage: Coverage | None

    def frame_word_count(self, kind: Type) -> int:
        """How many words a local variable takes in a frame."""
        ...

    def member_count(self, kind: Type) -> int:
        """How many values a type has."""
        ...


class Lowering:
    """Makes the procs of a game; each once, when first asked for."""

    def __init__(self, game: g.CheckedGame, colours: Colours, sizes: Sizes) -> None:
        self.game = game
        self.sizes = sizes
        self.colours = colours
        self.procs: list[ir.Proc] = []
        self.blind_moves: set[t.Stmt] = set()
        """The moves of what nature has chosen: who acts does not see which thing it is."""
        self.by_symbol: dict[object, ir.Proc] = {}
        self.sites: list[ir.Deciding] = []

    # ------------------------------------------------------------------------------------------------------- procs
    def _new(self, name: str, frame: g.Frame, slots: list[int], key: object) -> ir.Proc:
        copy = g.Frame(list(frame.types), list(frame.names))
        proc = ir.Proc(name, len(self.procs), copy, slots)
        self.procs.append(proc)
        self.by_symbol[key] = proc
        return proc

    def main(self) -> ir.Proc:
        """The whole game: options left to nature, then the phases in order."""
        proc = self._new("game", g.Frame(), [], "main")
        body = Body(self, proc)
        self._settle_options(body)
        for phase in self.game.phases:
            body.call(self.phase(phase), [x.Const(PLAYER, phase.span, 0)], phase.span)
        body.finish(ir.Return(Span("", 0, 0)))
        return proc

    def options(self) -> ir.Proc:
        """What comes before a scenario: nature decides the options that nobody has set."""
        proc = self._new("options", g.Frame(), [], "options")
        body = Body(self, proc)
        self._settle_options(body)
        body.finish(ir.Return(Span("", 0, 0)))
        return proc

    def _settle_options(self, body: Body) -> None:
        for option in self.game.options:
            if option.default is None:
                then = body.proc.block()
                body.finish(ir.OptionEnd(option.span, option, then))
                body.block = then
        if any(option.default is None for option in self.game.options):
            body.add(ir.Begin(Span("", 0, 0)))

    def phase(self, symbol: g.PhaseSymbol) -> ir.Proc:
        """The proc of a phase; its arguments are `me` and the binders of the phases around it."""
        known = self.by_symbol.get(symbol)
        if known is not None:
            return known
        slots = list(range(1, 1 + len(symbol.inherited)))
        proc = self._new(symbol.path, symbol.frame, slots, symbol)
        from regelwerk.interpreter.phases import PhaseBody  # it is built upon the bodies of this module

        PhaseBody(self, proc, symbol).lower()
        return proc

    def phase_from(self, symbol: g.PhaseSymbol) -> ir.Proc:
        """A phase that begins with the active player, for scenarios: its `turns` driver starts at `active`."""
        seats = (each for each in symbol.drivers if isinstance(each, g.TurnsDriver) and each.first is not None)
        driver = next(seats, None)
        if driver is None:
            return self.phase(symbol)
        key = ("from", symbol)
        known = self.by_symbol.get(key)
        if known is not None:
            return known
        proc = self._new(symbol.path, symbol.frame, list(range(1, 1 + len(symbol.inherited))), key)
        begins = proc.frame.new("begins", PLAYER)
        started = g.TurnsDriver(**{**driver.__dict__, "first": x.Local(PLAYER, symbol.span, begins)})
        drivers = [started if each is driver else each for each in symbol.drivers]
        twin = g.PhaseSymbol(**{**symbol.__dict__, "drivers": drivers})
        from regelwerk.interpreter.phases import PhaseBody  # it is built upon the bodies of this module

        body = PhaseBody(self, proc, twin, symbol)
        body.add(ir.SetLocal(symbol.span, begins, x.Active(PLAYER, symbol.span)))
        body.lower()
        return proc

    def effect(self, symbol: g.EffectSymbol, without: g.Role | None = None) -> ir.Proc:
        """The proc of a named effect; in the body of a rule on this effect, that rule itself is left out."""
        key = (symbol, without) if without in symbol.roles else symbol
        known = self.by_symbol.get(key)
        if known is not None:
            return known
        proc = self._new(symbol.name, symbol.frame, symbol.slots, key)
        body = Body(self, proc)
        assert symbol.body is not None
        if symbol.requirements:
            begin, leave = proc.block(), proc.block()
            body.finish(ir.Branch(symbol.span, ir.RequirementsHold(symbol.requirements, symbol.slots), begin, leave))
            leave.end = ir.Return(symbol.span)
            body.block = begin
        roles = [role for role in symbol.roles if role is not without]
        self._woven(body, roles, symbol.slots, symbol.span, symbol.questions, symbol.body)
        body.finish(ir.Return(symbol.span))
        return proc

    def action(self, symbol: g.ActionSymbol) -> ir.Proc:
        """The proc of an action: its parameters are answered; costs, rules and effect follow."""
        known = self.by_symbol.get(symbol)
        if known is not None:
            return known
        slots = [slot for _, _, slot in symbol.parameters]
        proc = self._new(symbol.name, symbol.frame, slots, symbol)
        body = Body(self, proc)
        body.add(ir.Enter(symbol.span, "action"))
        me = x.Local(PLAYER, symbol.span, 0)
        body._learn(me, [(kind, slot) for _, kind, slot in symbol.parameters], symbol.span)
        for clause in symbol.clauses:
            if isinstance(clause, tuple):
                body.add(ir.SetLocal(symbol.span, clause[0], clause[1]))
        if any(isinstance(clause, g.CostSymbol) for clause in symbol.clauses):
            body.add(ir.PayCosts(symbol.span, symbol))
            body.settle(self.colours.touched(self.colours.cost_writes(symbol)), symbol.span)
        assert symbol.body is not None
        questions = [*symbol.questions, *(q for q in self.game.questions if q.event == "action")]
        lets = [clause[0] for clause in symbol.clauses if isinstance(clause, tuple)]
        self._woven(body, symbol.roles, slots, symbol.span, questions, symbol.body, lets)
        body.finish(ir.Return(symbol.span))
        return proc

    def role(self, role: g.Role) -> ir.Proc:
        """The proc of a reaction; arguments: `me`, for a rule in a cell the copy it belongs to, then its bindings."""
        known = self.by_symbol.get(role)
        if known is not None:
            return known
        own = [1] if role.row is not None else []
        proc = self._new(role.name, role.frame, own + [slot for slot, _ in role.bindings], role)
        body = Body(self, proc)
        body.role = role
        assert role.body is not None
        body.statement(role.body)
        body.finish(ir.Return(role.span))
        return proc

    def cell(self, column: g.ColumnSymbol, index: int) -> ir.Proc | None:
        """The proc of the effect in a cell; arguments: `me`, the thing, the column's parameters."""
        cell = column.cells[index]
        if not isinstance(cell, g.CellBody):
            return None
        known = self.by_symbol.get(cell)
        if known is not None:
            return known
        row = column.entity.rows[index].name
        slots = [1, *range(2, 2 + len(column.parameters))]
        proc = self._new(f"{column.entity.name}.{row}.{column.name}", cell.frame, slots, cell)
        body = Body(self, proc)
        body.statement(cell.body)
        body.finish(ir.Return(cell.span))
        return proc

    def overflow(self, symbol: g.TrackSymbol) -> ir.Proc:
        """The proc of what happens when a track overflows; arguments: `me` and what went over."""
        key = ("overflow", symbol)
        known = self.by_symbol.get(key)
        if known is not None:
            return known
        proc = self._new(f"{symbol.name} overflow", symbol.overflow_frame, [1], key)
        body = Body(self, proc)
        assert symbol.overflow_body is not None
        body.statement(symbol.overflow_body)
        body.finish(ir.Return(symbol.span))
        return proc

    def step(self, symbol: g.StepSymbol) -> ir.Proc:
        """A step alone, for scenarios."""
        key = ("step", symbol)
        known = self.by_symbol.get(key)
        if known is not None:
            return known
        proc = self._new(symbol.path, symbol.frame, [], key)
        body = Body(self, proc)
        assert symbol.body is not None
        body.statement(t.Step(symbol.span, symbol, None, symbol.body))
        body.finish(ir.Return(symbol.span))
        return proc

    def end(self, symbol: g.EndSymbol) -> ir.Proc:
        """What happens when the game ends this way."""
        known = self.by_symbol.get(symbol)
        if known is not None:
            return known
        proc = self._new(symbol.name, symbol.frame, [], symbol)
        proc.end = symbol
        body = Body(self, proc)
        if symbol.body is not None:
            body.statement(symbol.body)
        body.finish(ir.Return(symbol.span))
        return proc

    def statements(self, name: str, frame: g.Frame, statement: t.Stmt, key: object) -> ir.Proc:
        """Statements as a proc of their own, for the givens of scenarios."""
        proc = self._new(name, frame, [], key)
        body = Body(self, proc)
        body.statement(statement)
        body.finish(ir.Return(statement.span))
        return proc

    # ------------------------------------------------------------------------------------------------------- rules
    def _woven(
        self,
        body: Body,
        roles: list[g.Role],
        slots: list[int],
        span: Span,
        questions: list[g.HistoryQuestion],
        statement: t.Stmt,
        earlier: list[int] | None = None,
    ) -> None:
        """`instead` rules, the event's entry in the history, `before` rules, the body, `after` rules."""
        proc = body.proc
        replacements = [role for role in roles if role.kind == "instead"]
        if replacements:
            chosen = proc.frame.new("replacement", NUMBER)
            replaced, original, leave = proc.block(), proc.block(), proc.block()
            body.finish(ir.Branch(span, ir.Replaced(replacements, slots, chosen), replaced, original))
            pairs = [(role, self.role(role)) for role in replacements]
            replaced.end = ir.CallReplacement(span, pairs, chosen, slots, leave)
            proc.calls.update(each for _, each in pairs)
            leave.end = ir.Return(span)
            body.block = original
        if questions:
            body.add(ir.Record(span, questions, slots))
        ran(body, span)
        body.roles([role for role in roles if role.kind == "before"], slots, span, True)
        body.statement(statement)
        lets = (earlier or []) + [each.slot for each in getattr(statement, "statements", []) if isinstance(each, t.Let)]
        body.roles([role for role in roles if role.kind == "after"], [*slots, *lets], span, True)


class Body:
    """Writes the blocks of one proc; `block` is the one being written."""

    def __init__(self, lowering: Lowering, proc: ir.Proc) -> None:
        self.lowering = lowering
        self.proc = proc
        self.colours = lowering.colours
        self.block = proc.block()
        self.role: g.Role | None = None

    def add(self, operation: t.Stmt | ir.Operation) -> None:
        """Append an operation."""
        self.block.operations.append(operation)

    def finish(self, end: ir.End) -> None:
        """End the block."""
        self.block.end = end

    def slot(self, name: str, kind: Type) -> int:
        """A new local variable."""
        return self.proc.frame.new(name, kind)

    def call(self, proc: ir.Proc, arguments: list[x.Expr], span: Span) -> None:
        """Call a proc and go on."""
        then = self.proc.block()
        self.proc.calls.add(proc)
        self.finish(ir.Call(span, proc, arguments, then))
        self.block = then

    def settle(self, laws: Laws, span: Span) -> None:
        """Settle some laws, if there are any."""
        if laws:
            self.add(ir.Settle(span, laws))

    def roles(
        self, roles: list[g.Role], slots: list[int], span: Span, everybody: bool, me: x.Expr | None = None
    ) -> None:
        """Run the live rules of an event of `me`, one after the other (not the rule whose body this is)."""
        roles = [each for each in roles if each is not self.role]
        if not roles:
            return
        list_slot = self.slot("rules", ListType(NUMBER, ((32,),)))
        index_slot = self.slot("rule", IntType(0, 255))
        self.add(ir.CollectRoles(span, roles, list_slot, everybody, me or x.Local(PLAYER, span, 0)))
        self.add(ir.SetLocal(span, index_slot, x.Const(IntType(0, 0), span, 0)))
        head, body, then = self.proc.block(), self.proc.block(), self.proc.block()
        self.finish(ir.Jump(span, head))
        head.end = ir.Branch(span, ir.MoreInList(list_slot, index_slot), body, then)
        pairs = [(role, self.lowering.role(role)) for role in roles]
        self.proc.calls.update(proc for _, proc in pairs)
        if any(role.unordered for role in roles):
            call = self.proc.block()
            order = ir.OrderEnd(span, len(self.lowering.sites), pairs, list_slot, index_slot, slots, call)
            self.lowering.sites.append(order)
            body.end, body = order, call
        body.end = ir.CallRole(span, pairs, list_slot, index_slot, slots, head)
        self.block = then

    # -------------------------------------------------------------------------------------------------- statements
    def statement(self, node: t.Stmt) -> None:
        """Lower one statement."""
        if isinstance(node, t.Sequence):
            for each in node.statements:
                self.statement(each)
            return
        if not self.colours.suspends(node):
            self.add(node)
            return
        handler = {
            t.If: self._if,
            t.ForEach: self._for,
            t.Everyone: self._everyone,
            t.Acting: self._acting,
            t.Repeat: self._repeat,
            t.Choose: self._choose,
            t.RandomPick: self._random,
            t.Alternatives: self._alternatives,
            t.Offer: self._offer,
            t.Step: self._step,
            t.AsOne: self._as_one,
            t.Do: self._do,
            t.DoCell: self._do_cell,
            t.Roll: self._roll,
            t.Draw: self._draw,
            t.ShuffleState: self._shuffle_state,
            t.Move: self._move,
            t.Reveal: self._move,
            t.Shuffle: self._move,
            t.SubPhase: self._sub_phase,
        }.get(type(node))
        if handler is None:
            verbs.lower(self, node)
        else:
            handler(node)  # type: ignore[operator]  # each takes its own kind

    def _move(self, node: t.Move | t.Reveal | t.Shuffle) -> None:
        """What may change the top of a pile that shows it, or takes things from there."""
        if isinstance(node, t.Move):
            verbs.lower(self, node)
            return
        self.settle_tops(node)
        self.add(node)
        self.show_tops(node)

    def settle_tops(self, node: t.Move | t.Reveal | t.Shuffle) -> None:
        """Before things are taken from the top of a pile, nature settles which they are."""
        for zone, count in [] if isinstance(node, t.Shuffle) else self.colours.tops(node.things):
            ask, then = self.proc.block(), self.proc.block()
            self.finish(ir.Jump(node.span, ask))
            ask.end = ir.SettleTopEnd(node.span, zone, count, ask, then)
            self.block = then

    def show_tops(self, node: t.Stmt) -> None:
        """Nature settles the tops of the piles that show theirs, if the statement may have changed them."""
        symbols = self.colours.shown_piles(node)
        if symbols:
            ask, then = self.proc.block(), self.proc.block()
            self.finish(ir.Jump(node.span, ask))
            ask.end = ir.ShowTopEnd(node.span, symbols, ask, then)
            self.block = then

    def _if(self, node: t.If) -> None:
        yes, no, then = self.proc.block(), self.proc.block(), self.proc.block()
        self.finish(ir.Branch(node.span, node.condition, yes, no))
        self.block = yes
        self.statement(node.consequence)
        self.finish(ir.Jump(node.span, then))
        self.block = no
        if node.alternative is not None:
            self.statement(node.alternative)
        self.finish(ir.Jump(node.span, then))
        self.block = then

    def loop(self, span: Span, condition: ir.MoreInList | x.Expr) -> tuple[ir.Block, ir.Block]:
        """A loop head; gives the head and the block behind the loop, and makes the body the current block."""
        head, body, then = self.proc.block(), self.proc.block(), self.proc.block()
        self.finish(ir.Jump(span, head))
        head.end = ir.Branch(span, condition, body, then)
        self.block = body
        return head, then

    def counter(self, span: Span) -> int:
        """A new local number that is 0."""
        slot = self.slot("index", IntType(0, 32767))
        self.add(ir.SetLocal(span, slot, x.Const(IntType(0, 0), span, 0)))
        return slot

    def _for(self, node: t.ForEach) -> None:
        binders = spoken(node.head)
        stride = sum(self.lowering.sizes.frame_word_count(b.type) for b in binders)
        list_slot = self.slot("tuples", tuple_list_type(node.head, stride))
        self.add(ir.CollectTuples(node.span, node.head, list_slot))
        index = self.counter(node.span)
        head, then = self.loop(node.span, ir.MoreInList(list_slot, index))
        self.add(ir.UnpackTuple(node.span, [b.slot for b in binders], [b.type for b in binders], list_slot, index))
        self.statement(node.body)
        self.finish(ir.Jump(node.span, head))
        self.block = then

    def _everyone(self, node: t.Everyone) -> None:
        list_slot = self.slot("players", ListType(PLAYER, ((20,),)))
        self.add(ir.CollectPlayers(node.span, node.players, list_slot))
        index = self.counter(node.span)
        head, then = self.loop(node.span, ir.MoreInList(list_slot, index))
        self.add(ir.NextInList(node.span, node.slot, list_slot, index))
        self.statement(node.body)
        self.finish(ir.Jump(node.span, head))
        self.block = then

    def _acting(self, node: t.Acting) -> None:
        self.add(ir.SetLocal(node.span, node.slot, node.player))
        self.statement(node.body)

    def _repeat(self, node: t.Repeat) -> None:
        limit = self.slot("limit", IntType(0, 32767))
        self.add(ir.SetLocal(node.span, limit, node.at_most))
        self.add(ir.SetLocal(node.span, node.slot, x.Const(IntType(0, 0), node.span, 0)))
        more: x.Expr = x.Ordered(
            BOOL,
            node.span,
            "<",
            x.Local(IntType(0, 32767), node.span, node.slot),
            x.Local(IntType(0, 32767), node.span, limit),
        )
        if node.condition is not None:
            more = x.Both(BOOL, node.span, more, node.condition)
        head, then = self.loop(node.span, more)
        self.add(ir.Increment(node.span, node.slot))
        self.statement(node.body)
        self.finish(ir.Jump(node.span, head))
        self.block = then

    def _choose(self, node: t.Choose) -> None:
        proc = self.proc
        if not node.again:
            body, then = proc.block(), proc.block()
            self._site(ir.ChooseEnd(node.span, 0, node, body, then), [node.head])
            self.block = body
            self._learn(node.me, [(b.type, b.slot) for b in node.head.binders], node.span)
            self.statement(node.body)
            self.finish(ir.Jump(node.span, then))
            self.block = then
            return
        self.add(ir.SetLocal(node.span, node.count_slot, x.Const(IntType(0, 0), node.span, 0)))
        for _, slot in node.kept:
            self.add(ir.SetLocal(node.span, slot, x.ListOf(ListType(NUMBER, ((1,),)), node.span, [])))
        head, body, then = proc.block(), proc.block(), proc.block()
        self.finish(ir.Jump(node.span, head))
        self.block = head
        if node.at_most is not None:
            ask = proc.block()
            count = x.Local(IntType(0, 32767), node.span, node.count_slot)
            self.finish(ir.Branch(node.span, x.Ordered(BOOL, node.span, "<", count, node.at_most), ask, then))
            self.block = ask
        self._site(ir.ChooseEnd(node.span, 0, node, body, then), [node.head])
        self.block = body
        self.add(ir.Increment(node.span, node.count_slot))
        self._learn(node.me, [(b.type, b.slot) for b in node.head.binders], node.span)
        self.statement(node.body)
        for binder, slot in node.kept:
            kind = self.proc.frame.types[slot]
            assert isinstance(kind, ListType)
            self.add(ir.Append(node.span, slot, binder.slot, kind))
        self.finish(ir.Jump(node.span, head))
        self.block = then

    def _learn(self, me: x.Expr, picks: list[tuple[Type, int]], span: Span) -> None:
        """Who chooses a thing knows it."""
        for kind, slot in picks:
            member = strip(member_of(kind) or kind)
            if isinstance(member, ThingType) and member.symbol in self.colours.hidden:
                self.add(ir.Learn(span, slot, me, kind, member.symbol))

    def _site(
        self, end: ir.ChooseEnd | ir.OfferEnd | ir.SealEnd | ir.AlternativesEnd, heads: list[x.Head] | None = None
    ) -> None:
        """End the block with a decision; a decision of several answers has a block of its own to come back to."""
        end.number = len(self.lowering.sites)
        if heads and any(may_be_staged(head, self.lowering.sizes.member_count) for head in heads):
            assert isinstance(end, ir.ChooseEnd | ir.OfferEnd)
            end.answers_slot = self.slot("answers", ListType(NUMBER, ((longest_answers(heads),),)))
            ask = self.proc.block()
            self.finish(ir.Jump(end.span, ask))
            self.block = ask
        self.lowering.sites.append(end)
        self.finish(end)

    def _random(self, node: t.RandomPick) -> None:
        body, then = self.proc.block(), self.proc.block()
        self.finish(ir.RandomEnd(node.span, node, body, then))
        self.block = body
        for each in walk(node.body):
            if isinstance(each, t.Move) and isinstance(each.things, x.Local) and each.things.slot == node.binder.slot:
                self.lowering.blind_moves.add(each)
        self.statement(node.body)
        self.finish(ir.Jump(node.span, then))
        self.block = then

    def _alternatives(self, node: t.Alternatives) -> None:
        proc = self.proc
        self.add(ir.SetLocal(node.span, node.done_slot, x.Const(IntType(0, 0), node.span, 0)))
        head, then = proc.block(), proc.block()
        self.finish(ir.Jump(node.span, head))
        self.block = head
        ways = [proc.block() for _ in node.ways]
        self._site(ir.AlternativesEnd(node.span, 0, node, ways, then))
        for block, way in zip(ways, node.ways, strict=True):
            self.block = block
            self.statement(way.body)
            self.finish(ir.Jump(node.span, head if node.highest > 1 else then))
        self.block = then

    def _offer(self, node: t.Offer) -> None:
        proc = self.proc
        head, then = proc.block(), proc.block()
        self.finish(ir.Jump(node.span, head))
        self.block = head
        procs = [self.lowering.action(action) for action in node.actions]
        proc.calls.update(procs)
        again = bool(node.until) or node.until_done is not None
        after = [head if again and action not in node.until else then for action in node.actions]
        heads = [action.head for action in node.actions if action.head is not None]
        self._site(ir.OfferEnd(node.span, 0, node, procs, after, then), heads)
        self.block = then

    def _step(self, node: t.Step) -> None:
        then: ir.Block | None = None
        if node.condition is not None:
            begin, then = self.proc.block(), self.proc.block()
            self.finish(ir.Branch(node.span, node.condition, begin, then))
            self.block = begin
        ran(self, node.symbol.span)
        self.roles([r for r in node.symbol.roles if r.kind == "before"], [], node.span, True)
        self.statement(node.body)
        self.roles([r for r in node.symbol.roles if r.kind == "after"], [], node.span, True)
        if then is not None:
            self.finish(ir.Jump(node.span, then))
            self.block = then

    def _as_one(self, node: t.AsOne) -> None:
        self.add(ir.AsOneBegin(node.span))
        self.statement(node.body)
        self.add(ir.AsOneEnd(node.span))
        self.settle(self.colours.inside(node.body), node.span)

    def _do(self, node: t.Do) -> None:
        self.call(self.lowering.effect(node.symbol, self.role), [node.me, *node.arguments], node.span)

    def _do_cell(self, node: t.DoCell) -> None:
        reached = [index + 1 in node.rows for index in range(len(node.column.cells))]
        procs = [self.lowering.cell(node.column, k) if runs else None for k, runs in enumerate(reached)]
        self.proc.calls.update(each for each in procs if each is not None)
        then = self.proc.block()
        self.finish(
            ir.CallCell(node.span, procs, node.column, node.thing, [node.me, node.thing, *node.arguments], then)
        )
        self.block = then

    def _roll(self, node: t.Roll) -> None:
        verbs.roll(self, node)

    def _draw(self, node: t.Draw) -> None:
        verbs.draw(self, node)

    def _shuffle_state(self, node: t.ShuffleState) -> None:
        then = self.proc.block()
        self.finish(ir.ShuffleStateEnd(node.span, node, then))
        self.block = then
        self.settle(self.colours.touched(self.colours.writes(node)), node.span)

    def _sub_phase(self, node: t.SubPhase) -> None:
        me = x.Local(PLAYER, node.span, 0)
        self.call(self.lowering.phase(node.symbol), [me, *node.arguments], node.span)
