"""The scenarios of what a variant builds on, run in the variant: which come out differently, and which no longer
compile. They speak of another game, so none of them fails."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from regelwerk.dsl.checker.scenarios import check_scenario
from regelwerk.dsl.composition.addresses import name_of
from regelwerk.dsl.composition.state import flattened
from regelwerk.dsl.diagnostics import Diagnostic, Diagnostics
from regelwerk.dsl.parser import parse_file, read_source
from regelwerk.dsl.source import Source, Span
from regelwerk.dsl.syntax import files
from regelwerk.dsl.syntax import scenarios as sc
from regelwerk.dsl.syntax.base import Declaration
from regelwerk.interpreter.layers import Gatherer, Shelf, scenario_files
from regelwerk.interpreter.loading import Checked, check_assembled, check_path, of_layers
from regelwerk.interpreter.scenarios import run_scenario


@dataclass(frozen=True)
class Difference:
    """A scenario of the base in the variant. `same`: it comes out as in the base; `compiles`: it can be run at all.
    `place` is where it stands, or what is different in it; `message` and `detail` say what."""

    name: str
    title: str
    place: str
    same: bool
    compiles: bool = True
    message: str = ""
    detail: tuple[str, ...] = ()


def differences(checked: Checked) -> Iterator[Difference]:
    """Run every scenario of the files below a variant, and of the scenario files beside these; one result each."""
    layer, composed = checked.layer, checked.composed
    if checked.game is None or layer is None or composed is None:
        return
    yield from _compared(checked, composed.scenarios)
    stack = composed.stack
    for below in stack.layers:
        if below is not layer:
            for path in scenario_files(Path(below.source)):
                if not any(Path(each.source).resolve() == path.resolve() for each in stack.layers):
                    yield from _of_file(checked, path)


def _of_file(checked: Checked, path: Path) -> Iterator[Difference]:
    """The scenarios of a file, with the variant put under it."""
    assert checked.layer is not None
    assert checked.composed is not None
    diagnostics, sources = Diagnostics(), dict(checked.sources)
    source = read_source(path, diagnostics)
    file = parse_file(source, diagnostics) if source is not None else None
    if source is None or file is None or not isinstance(file.header, files.VariantHeader):
        return
    sources[source.name] = source
    declared = list(flattened(file.declarations))
    scenarios = [each for each in declared if isinstance(each, sc.Scenario)]
    dropped: dict[str, Diagnostic] = {}
    while True:  # helpers of the file that do not fit are left out, one round after the other
        found = Diagnostics()
        file = file.model_copy(update={"declarations": tuple(declared)})
        top = Gatherer(found, sources, Shelf(), checked.composed.stack.layers).layer(source, file)
        if top is None or found.failed:
            return
        made = of_layers((checked.layer, top), found, sources)
        together = check_assembled(made, with_scenarios=False) if made is not None else None
        if together is not None and together.game is not None:
            yield from _compared(together, scenarios, dropped)
            return
        errors = [each for each in found.in_order() if each.severity == "error"]
        spoilt = {id(helper): error for error in reversed(errors) for helper in _helpers_in(declared, error)}
        if not spoilt:
            for each in scenarios:
                yield _gone(each, errors[0].message, errors[0].span, sources)
            return
        for helper in declared:
            if id(helper) in spoilt and (name := name_of(helper)) is not None:
                dropped[name.text] = _root(dropped, spoilt[id(helper)])
        declared = [helper for helper in declared if id(helper) not in spoilt]


def _root(dropped: Mapping[str, Diagnostic], error: Diagnostic) -> Diagnostic:
    """Why something does not fit: if for want of a helper, then why that one does not."""
    return next((why for name, why in dropped.items() if f"`{name}`" in error.message), error)


def _helpers_in(declared: list[Declaration], error: Diagnostic) -> list[Declaration]:
    """The declarations, other than scenarios, that a finding is about."""
    spans = [span for span in (error.span, *(label.span for label in error.labels)) if span is not None]
    return [
        each
        for each in declared
        if not isinstance(each, sc.Scenario)
        and any(
            span.source == each.span.source and each.span.start <= span.start and span.end <= each.span.end
            for span in spans
        )
    ]


def _compared(
    checked: Checked, scenarios: list[sc.Scenario], dropped: Mapping[str, Diagnostic] | None = None
) -> Iterator[Difference]:
    """Run scenarios in the variant; those that fail there in their own game, too.

    `dropped`: helpers that do not fit the variant, and why."""
    assert checked.checker is not None
    context = checked.checker.c
    others = {each.name.text: each for each in scenarios}
    bases: dict[str, Checked] = {}
    for node in scenarios:
        kept, context.diagnostics = context.diagnostics, Diagnostics()
        made = check_scenario(checked.checker, node, others)
        found, context.diagnostics = context.diagnostics, kept
        error = next((each for each in found.items if each.severity == "error"), None)
        if error is not None:
            error = _root(dropped or {}, error)
            yield _gone(node, error.message, error.span, checked.sources)
            continue
        result = run_scenario(checked, made)
        if result.passed:
            yield Difference(node.name.text, node.title or "", _place(node.span, checked.sources), True)
            continue
        if node.span.source not in bases:
            bases[node.span.source] = check_path(node.span.source)
        base = bases[node.span.source]
        before = next(
            (
                run_scenario(base, each)
                for each in (
                    base.checker.checked_scenarios if base.game is not None and base.checker is not None else []
                )
                if each.name == node.name.text
            ),
            None,
        )
        same = before is not None and (before.message, before.span, before.detail) == (
            result.message,
            result.span,
            result.detail,
        )
        place = _place(result.span or node.span, checked.sources)
        yield Difference(node.name.text, node.title or "", place, same, True, result.message, result.detail)


def _gone(node: sc.Scenario, message: str, span: Span | None, sources: Mapping[str, Source]) -> Difference:
    return Difference(node.name.text, node.title or "", _place(span or node.span, sources), False, False, message)


def _place(span: Span, sources: Mapping[str, Source]) -> str:
    return f"{Path(span.source).name}:{sources[span.source].position(span.start)[0]}"


__all__ = ["Difference", "differences"]
