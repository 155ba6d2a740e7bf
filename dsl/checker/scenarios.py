"""Scenarios: what is given, what is played and answered, what is claimed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from regelwerk.dsl.checker.context import Context, Scope, citations
from regelwerk.dsl.checker.effects import check_arguments, check_block
from regelwerk.dsl.checker.expressions import check_as, check_condition
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import scenarios as m
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.expressions import Expr, Local
from regelwerk.dsl.model.walking import children
from regelwerk.dsl.source import Span
from regelwerk.dsl.syntax import declarations as d
from regelwerk.dsl.syntax import expressions as s
from regelwerk.dsl.syntax import scenarios as sc
from regelwerk.dsl.syntax.base import Expression, Path

if TYPE_CHECKING:
    from regelwerk.dsl.checker.game import GameChecker


def check_scenarios(checker: GameChecker) -> list[m.CheckedScenario]:
    """All scenarios of a file; kept in `checker.checked_scenarios`."""
    c = checker.c
    by_name: dict[str, sc.Scenario] = {}
    for node in checker.scenarios:
        if node.name.text in by_name:
            c.error("E1004", f"the scenario `{node.name.text}` stands twice", node.name.span, "rename one of them")
        by_name.setdefault(node.name.text, node)
    found = [_Scenario(c, node, by_name).run() for node in checker.scenarios]
    checker.checked_scenarios = found
    return found


def check_scenario(checker: GameChecker, node: sc.Scenario, others: dict[str, sc.Scenario]) -> m.CheckedScenario:
    """One scenario alone; `others` are those it can be the same as."""
    return _Scenario(checker.c, node, others).run()


class _Scenario:
    def __init__(self, c: Context, node: sc.Scenario, others: dict[str, sc.Scenario]) -> None:
        self.c = c
        self.node = node
        self.others = others
        self.seats: dict[str, int] = {}
        self.made = m.CheckedScenario(node.name.text, node.title or "", node.span, citations(node.citations), (), {})

    def run(self) -> m.CheckedScenario:
        """Check all parts, in order."""
        scenes = self._with_others(self.node, [])
        for scene in scenes:
            if isinstance(scene, sc.WithPlayers):
                self._players(scene)
        if not self.seats:
            low = self.c.players[0]
            names = [chr(ord("A") + k) for k in range(low)]
            self.seats = {name: k + 1 for k, name in enumerate(names)}
            self.made.seats = tuple(names)
        for scene in scenes:
            if isinstance(scene, sc.WithOption):
                self._option(scene)
        for scene in scenes:
            step = self._step(scene)
            if step is not None:
                self.made.steps.append(step)
        return self.made

    def _with_others(self, node: sc.Scenario, seen: list[str]) -> list[sc.Scene]:
        """The scenes, with `same as` replaced by the other's players, options and givens."""
        found: list[sc.Scene] = []
        for scene in node.scenes:
            if not isinstance(scene, sc.SameAs):
                found.append(scene)
                continue
            other = self.others.get(scene.other.text)
            if other is None:
                self.c.error(
                    "E1005",
                    f"there is no scenario `{scene.other.text}`",
                    scene.other.span,
                    self.c.suggest(scene.other.text, list(self.others)),
                )
            elif scene.other.text in seen or other is self.node:
                self.c.error("E1006", f"the scenario `{self.node.name.text}` is the same as itself", scene.other.span)
            else:
                inner = self._with_others(other, [*seen, scene.other.text])
                found += [each for each in inner if isinstance(each, sc.WithPlayers | sc.WithOption | sc.Given)]
        return found

    def _players(self, scene: sc.WithPlayers) -> None:
        names = [each.text for each in scene.names]
        low, high = self.c.players
        if not low <= len(names) <= high:
            self.c.error("E1007", f"the game is for {low} to {high} players, not for {len(names)}", scene.span)
        if len(set(names)) != len(names):
            self.c.error("E0508", "two seats have the same name", scene.span)
        for each in scene.names:
            symbol = self.c.globals.get(each.text)
            if symbol is not None or self.c.members.get(each.text):
                self.c.error(
                    "E0210", f"`{each.text}` is declared in this game and cannot be a player's name too", each.span
                )
        self.seats = {name: k + 1 for k, name in enumerate(names)}
        self.made.seats = tuple(names)

    def _option(self, scene: sc.WithOption) -> None:
        symbol = self.c.globals.get(scene.name.text)
        if not isinstance(symbol, g.OptionSymbol):
            known = [n for n, k in self.c.globals.items() if isinstance(k, g.OptionSymbol)]
            self.c.error(
                "E1008",
                f"the game has no option `{scene.name.text}`",
                scene.name.span,
                self.c.suggest(scene.name.text, known),
            )
            return
        self.made.options[symbol.name] = check_as(
            self.c, scene.value, self._scope(g.Frame()), symbol.type, f"`{symbol.name}`"
        )

    def _scope(self, frame: g.Frame) -> Scope:
        return Scope(frame, in_scenario=True, seats=dict(self.seats), address=self.node.name.text)

    def _seat(self, name: object, span: Span) -> int:
        text = getattr(name, "text", "")
        if text not in self.seats:
            self.c.error(
                "E1009",
                f"`{text}` is no player of this scenario",
                span,
                self.c.suggest(text, list(self.seats), f"the players are {', '.join(self.seats)}"),
            )
            return 1
        return self.seats[text]

    # --------------------------------------------------------------------------------------------------------- steps
    def _step(self, scene: sc.Scene) -> m.Step | None:
        if isinstance(scene, sc.Given):
            scope = self._scope(g.Frame())
            scope.in_given = True
            body = check_block(self.c, scene.body, scope)
            self.made.pinned |= {each.symbol for each in _pins(body)}
            return m.GivenStep(scene.span, scope.frame, body)
        if isinstance(scene, sc.Claim):
            scope = self._scope(g.Frame())
            return m.ClaimStep(scene.span, scope.frame, check_condition(self.c, scene.condition, scope, "a claim"))
        if isinstance(scene, sc.CanClaim):
            return self._can(scene)
        if isinstance(scene, sc.Play):
            return self._play(scene)
        if isinstance(scene, sc.WhenAnswer):
            self._answer(scene.answer)
            return m.AnswerStep(scene.span, self._seat(scene.player, scene.player.span), scene.answer)
        if isinstance(scene, sc.Chance):
            outcome = scene.outcome
            return m.ChanceStep(scene.span, outcome.items if isinstance(outcome, s.ListLiteral) else (outcome,))
        return None

    def _can(self, scene: sc.CanClaim) -> m.Step:
        self._answer(scene.answer)
        because = scene.because.text if scene.because is not None else None
        if because is not None and not self._clause_exists(scene.because):
            known = [
                clause.address for a in self.c.actions.values() for clause in a.clauses if not isinstance(clause, tuple)
            ]
            self.c.error(
                "E1010",
                f"there is no clause or rule `{because}`",
                scene.because.span if scene.because else scene.span,
                self.c.suggest(because, [*known, *(r.name for r in self.c.roles)]),
            )
        return m.CanStep(scene.span, self._seat(scene.player, scene.player.span), scene.answer, scene.negated, because)

    def _clause_exists(self, path: Path | None) -> bool:
        if path is None:
            return True
        for action in self.c.actions.values():
            if path.text in (f"{action.name}.limit", *(f"{action.name}.{name}" for name, _, _ in action.parameters)):
                return True
            if any(not isinstance(clause, tuple) and clause.address == path.text for clause in action.clauses):
                return True
        for record in self.c.globals.values():
            if isinstance(record, g.RecordSymbol):
                syntax = self.c.syntax[record]
                assert isinstance(syntax, d.Record)
                if any(path.text == f"{record.name}.{each.name.text}" for each in syntax.requirements):
                    return True
        return any(role.name == path.text for role in self.c.roles if role.kind == "forbid")

    def _answer(self, answer: Expression) -> None:
        """What can be known of an answer before the scenario runs: the action's name and the kinds of its arguments."""
        if isinstance(answer, s.Name) and answer.arguments is not None:
            action = self.c.actions.get(answer.name.text)
            if action is None:
                value = self.c.globals.get(answer.name.text)
                if value is None and answer.name.text not in self.c.attributes:
                    self.c.error(
                        "E0409",
                        f"there is no action `{answer.name.text}`",
                        answer.name.span,
                        self.c.suggest(answer.name.text, list(self.c.actions)),
                    )
                return
            if len(answer.arguments) != len(action.parameters):
                wanted = ", ".join(name for name, _, _ in action.parameters) or "nothing"
                self.c.error("E0316", f"`{action.name}` is answered with {wanted}", answer.span)

    def _play(self, scene: sc.Play) -> m.Step | None:
        frame = g.Frame()
        scope = self._scope(frame)
        player = self._seat(scene.player, scene.player.span) if scene.player is not None else 0
        target, arguments = self._target(scene.target, scope)
        if target is None:
            return None
        if isinstance(target, g.PhaseSymbol) and (needed := outer_names(target)):
            names = ", ".join(needed)
            self.c.error(
                "E1011",
                f"`{target.path}` cannot be played alone: it speaks of {names}",
                scene.target.span,
                f"play `{target.parent.path if target.parent else ''}`",
            )
        steps = [step for each in scene.steps if (step := self._step(each)) is not None]
        return m.PlayStep(scene.span, target, arguments, frame, player, steps)

    def _target(
        self, node: Expression, scope: Scope
    ) -> tuple[g.PhaseSymbol | g.StepSymbol | g.EffectSymbol | None, list[Expr]]:
        path = _dotted(node)
        phases = {p.path: p for found in self.c.phases.values() for p in found}
        if path in phases:
            return phases[path], []
        if path in self.c.steps:
            return self.c.steps[path], []
        if isinstance(node, s.Name) and node.name.text in self.c.effects:
            effect = self.c.effects[node.name.text]
            arguments = check_arguments(
                self.c, effect.name, effect.parameters, effect.defaults, node.arguments or (), scope, node.span
            )
            return (effect, arguments) if arguments is not None else (None, [])
        self.c.error(
            "E1012",
            f"there is no phase, step or effect `{path}`",
            node.span,
            self.c.suggest(path, [*phases, *self.c.steps, *self.c.effects]),
        )
        return None, []


def _dotted(node: Expression) -> str:
    if isinstance(node, s.Name):
        return node.name.text
    if isinstance(node, s.Attribute):
        return f"{_dotted(node.base)}.{node.name.text}"
    return ""


def _pins(body: t.Sequence) -> Iterable[t.SetPin]:
    return [each for each in body.statements if isinstance(each, t.SetPin)]


def outer_names(phase: g.PhaseSymbol) -> list[str]:
    """The binders of enclosing phases that a phase speaks of, in its own parts or in a phase inside it."""
    read: set[str] = set()
    own = {slot: name for name, _, slot in phase.inherited}
    stack: list[object] = [*phase.items, *(part for driver in phase.drivers for part in vars(driver).values())]
    while stack:
        part = stack.pop()
        if isinstance(part, t.SubPhase):
            read.update(outer_names(part.symbol))
            continue
        if isinstance(part, Local) and part.slot in own:
            read.add(own[part.slot])
        stack.extend(children(part))
    return [name for name, _, _ in phase.inherited if name in read]
