"""Conditions that always come out the same, and cases that are never met.

A condition is judged by the ranges of what it compares, together with what holds where it is asked: the parts joined
before it by `and`, the earlier branches of an `if`, the earlier requirements of an action. A condition over constants
alone is a switch that the author has set, and is left alone.
"""

from __future__ import annotations

from regelwerk.dsl.diagnostics import Fix, Label, Replacement
from regelwerk.dsl.lints.ranges import Judge, Range, is_empty_set
from regelwerk.dsl.lints.subject import Subject
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.types import BoolType
from regelwerk.dsl.model.walking import children, walk
from regelwerk.dsl.source import Span


class Facts(dict[object, Range]):
    """What conditions before have settled; `where`: the condition that did."""

    def __init__(self, other: Facts | None = None) -> None:
        super().__init__(other or {})
        self.where: dict[object, Span] = dict(other.where) if other is not None else {}

    def learn(self, judge: Judge, condition: x.Expr | None, holds: bool = True) -> None:
        """A condition holds, or does not."""
        before = dict(self)
        judge.learn(condition, self, holds)
        if condition is not None:
            self.where.update((key, condition.span) for key, found in self.items() if before.get(key) != found)


def find(s: Subject) -> None:
    """All conditions of what is reached."""
    conditions = _Conditions(s)
    for owner in list(s.reach.nodes):
        if isinstance(owner, g.ActionSymbol):
            conditions.action(owner)
        elif isinstance(owner, g.EffectSymbol):
            conditions.requirements(list(owner.requirements), Facts())
        elif isinstance(owner, g.Role):
            conditions.all_of(owner.guards)
        elif isinstance(owner, g.EndSymbol):
            conditions.condition(owner.condition, Facts())
        elif isinstance(owner, g.PhaseSymbol):
            conditions.phase(owner)
    for _, node in s.reach.of(t.If):
        conditions.chain(node, Facts())
    for _, select in s.reach.of(x.Select):
        conditions.condition(select.condition, Facts())
    for _, step in s.reach.of(t.Step):
        conditions.condition(step.condition, Facts())
    for _, binder in s.reach.of(x.Binder):
        conditions.binder(binder)
    for _, each in s.reach.of(x.Filter):
        conditions.condition(each.condition, Facts())
    for _, way in s.reach.of(t.Alternative):
        conditions.condition(way.condition, Facts())
    for _, repeat in s.reach.of(t.Repeat):
        conditions.condition(repeat.condition, Facts())
    for _, switch in s.reach.of(x.Switch):
        conditions.cases(switch)


class _Conditions:
    def __init__(self, s: Subject) -> None:
        self.s = s
        self.judge: Judge = s.judge
        self.done: set[int] = set()

    # ---------------------------------------------------------------------------------------------------------- places
    def action(self, symbol: g.ActionSymbol) -> None:
        """The conditions of the parameters, then the requirements and costs, which all see one state."""
        facts = Facts()
        for binder in symbol.head.binders if symbol.head is not None else ():
            if binder.form == "one":
                self.condition(binder.condition, facts)
                self.done.add(id(binder.condition))
                facts.learn(self.judge, binder.condition)
        clauses = [each for each in symbol.clauses if not isinstance(each, tuple)]
        self.requirements([each for each in clauses if isinstance(each, g.RequireSymbol)], facts)
        for cost in clauses:
            if isinstance(cost, g.CostSymbol):
                self.condition(cost.condition, Facts(facts))
        if symbol.limit is not None and self.judge.range_of(symbol.limit.at_most)[1] <= 0:
            self.s.report(
                "W0931",
                f"`{symbol.name}` can never be taken: at most 0 times",
                symbol.limit.at_most.span,
                "raise the limit",
            )

    def requirements(self, clauses: list[g.RequireSymbol], facts: Facts) -> None:
        """Requirements that must all hold, unless a rule waives one."""
        for clause in clauses:
            self.condition(clause.condition, facts)
            if not any(role.kind == "waive" for role in clause.roles):
                facts.learn(self.judge, clause.condition)

    def all_of(self, conditions: list[x.Expr]) -> None:
        """Conditions that must all hold."""
        facts = Facts()
        for each in conditions:
            self.condition(each, facts)
            facts.learn(self.judge, each)

    def phase(self, symbol: g.PhaseSymbol) -> None:
        """The conditions of its drivers."""
        for driver in symbol.drivers:
            for name in ("condition", "until", "skip"):
                self.condition(getattr(driver, name, None), Facts())

    def chain(self, node: t.If, facts: Facts) -> None:
        """An `if` with all that follows by `else if`."""
        if id(node) in self.done:
            return
        self.done.add(id(node))
        if not isinstance(node.condition.type, BoolType):
            return
        self.condition(node.condition, facts)
        if isinstance(node.alternative, t.If):
            known = Facts(facts)
            known.learn(self.judge, node.condition, False)
            self.done.discard(id(node.alternative))
            self.chain(node.alternative, known)

    def binder(self, binder: x.Binder) -> None:
        """The domain and the condition of one name."""
        if id(binder.condition) not in self.done:
            self.condition(binder.condition, Facts())
        if is_empty_set(binder.source):
            self.s.report(
                "W0931", f"there is never anything for `{binder.name}` to be", binder.source.span, "give it a domain"
            )

    # ------------------------------------------------------------------------------------------------------ conditions
    def condition(self, node: x.Expr | None, facts: Facts) -> None:
        """Judge a condition and its parts under some facts."""
        if node is None or isinstance(node, x.Const):
            return
        if isinstance(node, x.Both | x.AnyOf):
            both = isinstance(node, x.Both)
            self.condition(node.left, facts)
            known = Facts(facts)
            known.learn(self.judge, node.left, both)
            self._side(node, known)
        elif isinstance(node, x.Negation):
            self.condition(node.operand, facts)
        else:
            self._atom(node, facts, None)

    def _side(self, node: x.Both | x.AnyOf, facts: Facts) -> None:
        if self.judge.keys.of(node.left) == self.judge.keys.of(node.right):
            return  # said by another lint
        if isinstance(node.right, x.Both | x.AnyOf | x.Negation):
            self.condition(node.right, facts)
        else:
            self._atom(node.right, facts, node)

    def _atom(self, node: x.Expr, facts: Facts, joined: x.Both | x.AnyOf | None) -> None:
        if isinstance(node, x.Const) or not _depends(node):
            return
        found = self.judge.truth(node, facts)
        if found is None and self.judge.learn(node, Facts(facts)) is False:
            found = False
        if found is None:
            return
        alone = self.judge.truth(node) is not None
        because = "" if alone else ", by what is asked before it"
        labels = () if alone else self._because(node, facts)
        if found:
            fix = self._without(joined, node) if isinstance(joined, x.Both) else None
            self.s.report(
                "W0930", f"this is always so{because}", node.span, "leave it out, or ask what was meant", labels, fix
            )
        else:
            help = "ask what was meant, or leave it out"
            self.s.report("W0931", f"this can never be so{because}", node.span, help, labels)

    def _because(self, node: x.Expr, facts: Facts) -> tuple[Label, ...]:
        """The condition before that settles this one."""
        for each in walk(node):
            span = facts.where.get(self.judge.keys.of(each)) if isinstance(each, x.Expr) else None
            if span is not None and span != node.span:
                return (Label(span, "this is asked before"),)
        return ()

    def _without(self, joined: x.Both, part: x.Expr) -> Fix | None:
        """The condition without a part that is always so: `a and part` is `a`."""
        source = self.s.sources.get(part.span.source)
        if source is None or joined.left.span.source != part.span.source:
            return None
        between = source.text[joined.left.span.end : part.span.start]
        if between.strip() != "and" or joined.right is not part:
            return None
        span = Span(part.span.source, joined.left.span.end, part.span.end)
        return Fix("leave out what is always so", (Replacement(span, ""),))

    # ----------------------------------------------------------------------------------------------------------- cases
    def cases(self, node: x.Switch) -> None:
        """Cases of `by` that the subject never is."""
        low, high = self.judge.range_of(node.subject)
        seen: dict[object, Span] = {}
        for key, _ in node.cases:
            first, last = key if isinstance(key, tuple) else (key, key)
            a, b = self.judge.range_of(first), self.judge.range_of(last)
            numbers = all(isinstance(each, x.Const) and isinstance(each.value, int) for each in (first, last))
            if numbers and (b[1] < low or a[0] > high):
                self.s.report(
                    "W0932", f"this case is never met: the number is {low} to {high}", first.span, "remove the case"
                )
                continue
            known = self.judge.keys.of(key)
            if known in seen:
                self.s.report(
                    "W0932",
                    "this case is never met: it stands twice",
                    first.span,
                    "remove one of them",
                    (Label(seen[known], "the first one"),),
                )
            seen.setdefault(known, first.span)


def _depends(node: object) -> bool:
    """Whether a condition depends on anything but constants."""
    if isinstance(node, x.Const | x.ConstantRead):
        return False
    inner = list(children(node))
    return not inner or any(_depends(each) for each in inner)


__all__ = ["find"]
