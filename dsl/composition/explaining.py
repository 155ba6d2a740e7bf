"""Findings in composed text: they name the overlay they come from, and what it changed.

The composed game is checked as if written by hand. A finding in a clause of the base may then come from an overlay that
stands elsewhere; here it gets a second place.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import replace

from regelwerk.dsl.composition.addresses import Place, all_parts, place_of
from regelwerk.dsl.composition.composing import Composed
from regelwerk.dsl.composition.state import Origin, Removal
from regelwerk.dsl.diagnostics import Diagnostic, Diagnostics, Label
from regelwerk.dsl.source import Source, Span

SHOWN = 8
"""So many uses of something removed are shown with their place."""

_NAME = re.compile(r"[^\W\d]\w*")
_QUOTED = re.compile(r"`([^`]+)`")


def explain(composed: Composed, diagnostics: Diagnostics, sources: Mapping[str, Source]) -> None:
    """Rewrite the findings of a check: uses of what was removed become one finding, others get a second place."""
    if not any(each.severity == "error" for each in diagnostics.items):
        return
    uses: dict[int, list[Diagnostic]] = {}
    kept: list[Diagnostic] = []
    for each in diagnostics.items:
        at = next((k for k, gone in enumerate(composed.removals) if _speaks_of(each, gone, sources)), None)
        if at is None:
            kept.append(_with_origin(each, composed.origins, sources))
        else:
            uses.setdefault(at, []).append(each)
    diagnostics.items[:] = kept
    where = _Where(composed)
    for at, found in uses.items():
        gone = composed.removals[at]
        places = list(dict.fromkeys(where.address(each.span) for each in found if each.span is not None))
        shown = ", ".join(f"`{each}`" for each in places[:SHOWN])
        if len(places) > SHOWN:
            shown += f" and {len(places) - SHOWN} more"
        diagnostics.error(
            "E1109",
            f"`{gone.address}` is removed and still used, in {shown}",
            gone.span,
            "remove, replace or change these, too",
            tuple(Label(each.span, "used here") for each in found[:SHOWN] if each.span is not None),
        )


def _speaks_of(finding: Diagnostic, gone: Removal, sources: Mapping[str, Source]) -> bool:
    """Whether a finding says that a name is unknown that has been removed."""
    source = sources.get(finding.span.source) if finding.span is not None else None
    if source is None or finding.span is None or finding.severity != "error" or finding.code in _OF_COMPOSITION:
        return False
    text = source.text[finding.span.start : finding.span.end]
    if text != gone.address and text not in gone.names and not text.startswith(f"{gone.address}."):
        last = text.rpartition(".")[2]
        if last not in gone.names or not _NAME.fullmatch(last):
            return False
    return any(
        name in gone.names or name == gone.address or name.startswith(f"{gone.address}.")
        for name in _QUOTED.findall(finding.message)
    )


_OF_COMPOSITION = frozenset(f"E11{number:02}" for number in range(2, 20))


def _with_origin(finding: Diagnostic, origins: list[Origin], sources: Mapping[str, Source]) -> Diagnostic:
    span = finding.span
    if span is None or finding.labels or finding.severity != "error" or finding.code in _OF_COMPOSITION:
        return finding
    for origin in origins:
        if _inside(span, origin.overlay):
            return replace(finding, labels=(Label(origin.base, f"`{origin.address}` is {origin.verb}"),))
    source = sources.get(span.source)
    if source is None:
        return finding
    words = set(_NAME.findall(source.text[span.start : span.end])) | set(_QUOTED.findall(finding.message))
    labels = [
        Label(origin.overlay, f"`{origin.address}` is {origin.verb} here")
        for origin in origins
        if origin.overlay.source != span.source and words & {origin.address, origin.address.rpartition(".")[2]}
    ]
    return replace(finding, labels=tuple(labels[:2])) if labels else finding


def _inside(inner: Span, outer: Span) -> bool:
    return inner.source == outer.source and outer.start <= inner.start and inner.end <= outer.end


class _Where:
    """In which clause something stands."""

    def __init__(self, composed: Composed) -> None:
        places = [part for node in composed.declarations for part in all_parts(place_of(node)) if part.address]
        self.places: dict[str, list[Place]] = {}
        for place in places:
            self.places.setdefault(place.node.span.source, []).append(place)
        for found in self.places.values():
            found.sort(key=lambda place: (place.node.span.start, -place.node.span.end))

    def address(self, span: Span) -> str:
        """The address of the innermost clause around a place."""
        found = self.places.get(span.source, [])
        at = bisect_right(found, span.start, key=lambda place: place.node.span.start)
        around = next((place for place in reversed(found[:at]) if _inside(span, place.node.span)), None)
        return around.address if around is not None else span.source
