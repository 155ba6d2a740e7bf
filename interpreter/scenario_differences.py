"""The scenarios of what a variant builds on, run in the variant: which come out differently, and which no longer
compile. They speak of another game, so none of them fails."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from regelwerk.dsl.checker.scenarios import check_scenario
from regelwerk.dsl.composition.state import flattened
from regelwerk.dsl.diagnostics import Diagnostics
from regelwerk.dsl.parser import parse_file, read_source
from regelwerk.dsl.source import Source, Span
from regelwerk.dsl.syntax import files
from regelwerk.dsl.syntax import scenarios as sc
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
    top = Gatherer(diagnostics, sources, Shelf(), checked.composed.stack.layers).layer(source, file)
    if top is None or diagnostics.failed:
        return
    made = of_layers((checked.layer, top), diagnostics, sources)
    together = check_assembled(made, with_scenarios=False) if made is not None else None
    scenarios = [each for each in flattened(file.declarations) if isinstance(each, sc.Scenario)]
    if together is None or together.game is None:
        error = next(each for each in diagnostics.in_order() if each.severity == "error")
        for each in scenarios:
            yield _gone(each, error.message, error.span, sources)
        return
    yield from _compared(together, scenarios)


def _compared(checked: Checked, scenarios: list[sc.Scenario]) -> Iterator[Difference]:
    """Run scenarios in the variant; those that fail there in their own game, too."""
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
