"""Scenarios that claim nothing, and givens that the next line overwrites."""

from __future__ import annotations

from collections.abc import Iterator

from regelwerk.dsl.composition.trees import meaning
from regelwerk.dsl.diagnostics import Label
from regelwerk.dsl.lints.subject import Subject
from regelwerk.dsl.source import Span
from regelwerk.dsl.syntax import effects as e
from regelwerk.dsl.syntax import scenarios as sc


def find(s: Subject) -> None:
    """All about scenarios."""
    built_on = {scene.other.text for each in s.scenarios for scene in each.scenes if isinstance(scene, sc.SameAs)}
    for each in s.scenarios:
        if not s.is_own(each.span):
            continue
        scenes = list(_scenes(each.scenes))
        asks = any(isinstance(scene, sc.Claim | sc.CanClaim | sc.Play) for scene in scenes)
        if not asks and each.name.text not in built_on:
            s.report(
                "W0970",
                f"the scenario `{each.name.text}` claims nothing",
                each.name.span,
                "say what must hold: `then ...`",
            )
        for scene in scenes:
            if isinstance(scene, sc.Given):
                _overwritten(s, scene.body)


def _scenes(scenes: tuple[sc.Scene, ...]) -> Iterator[sc.Scene]:
    for scene in scenes:
        yield scene
        if isinstance(scene, sc.Play):
            yield from _scenes(scene.steps)


def _overwritten(s: Subject, body: e.Block) -> None:
    """Two settings of one thing with nothing but settings between them, of which none asks for it."""
    seen: dict[tuple[str, ...], Span] = {}
    for statement in body.statements:
        if not isinstance(statement, e.Set):
            seen = {}
            continue
        target = tuple(meaning(statement.target))
        said = meaning(statement.value)
        for known in [each for each in seen if _within(each, said)]:
            del seen[known]
        if target in seen:
            s.report(
                "W0971",
                "this is set again before anything can ask for it",
                seen[target],
                "remove one of the two",
                (Label(statement.span, "set again here"),),
            )
        seen[target] = statement.span


def _within(part: tuple[str, ...], whole: list[str]) -> bool:
    size = len(part)
    return any(tuple(whole[k : k + size]) == part for k in range(len(whole) - size + 1))


__all__ = ["find"]
