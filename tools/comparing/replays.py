"""What becomes of recorded games, for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from regelwerk.dsl.comparing.outline import Version
from regelwerk.interpreter.replay_differences import ReplayDifference
from regelwerk.tools.comparing.report import file_names


def replay_lines(
    fates: Sequence[tuple[str, ReplayDifference]], foreign: int, old: Version, new: Version, markdown: bool
) -> Iterator[str]:
    """A line for each record, and how many are the same."""
    names = {**file_names(old.sources), **file_names(new.sources)}
    title = f"Records of {old.title}, played by {new.title}"
    yield f"## {title}" if markdown else title
    if markdown:
        yield ""
    width = max((len(name) for name, _ in fates), default=0)
    for name, fate in fates:
        head = f"- {name}: " if markdown else f"  {name.ljust(width)}  "
        yield head + _told(fate, old, new, names)
        if fate.later is not None:
            margin = "  " if markdown else " " * (width + 4)
            yield f"{margin}step {fate.later[0]} no longer fits: {fate.later[1]}"
    if markdown:
        yield ""
    same = sum(each.fate == "same" for _, each in fates)
    told = f"{same} of {len(fates)} {'is' if len(fates) == 1 else 'are'} played the same"
    others = f"; {foreign} of other games left out" if foreign else ""
    yield (told if fates else f"there are none of {old.name}") + others


def _told(fate: ReplayDifference, old: Version, new: Version, names: dict[str, str]) -> str:
    if fate.fate == "same":
        return "the same game"
    where = f"step {fate.step} ({fate.entry})" if fate.entry else "the start"
    source = None
    if fate.span is not None:
        source = (new if fate.new else old).sources.get(fate.span.source)
    if fate.fate == "foreign":
        return f"does not fit {old.title}: {where}: {fate.message}"
    verb = "no longer fits: " if fate.fate == "misfit" else ""
    rule = ""
    if fate.rule and fate.rule not in fate.message:
        rule = f"{fate.blame} {fate.rule}"
    place = ""
    if source is not None and fate.span is not None:
        place = f"({names.get(fate.span.source, fate.span.source)}:{source.position(fate.span.start)[0]})"
    behind = " ".join(each for each in (rule, place) if each)
    if verb:
        return f"{where} {verb}{fate.message}" + (f"; {behind}" if behind else "")
    return f"behind {where}: {fate.message}" + (f"; {behind}" if behind else "")


__all__ = ["replay_lines"]
