"""The rules with their counts as one HTML page that needs nothing else: no network, no scripts.

Rules files are not trusted: every text of theirs is escaped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html import escape
from pathlib import PurePath
from typing import TYPE_CHECKING

from regelwerk.dsl.source import Source
from regelwerk.tools.coverage.colouring import tokens
from regelwerk.tools.coverage.reading import Item, Reading
from regelwerk.tools.coverage.summary import heading, missing, percent_text, words

if TYPE_CHECKING:
    from regelwerk.interpreter.api import Game
    from regelwerk.tools.coverage.playing import Plan, Tally

STYLE = """
:root { color-scheme: light dark; --page: #ffffff; --text: #1f2328; --faint: #6e7781; --line: #d8dee4;
  --ran: #2da44e; --part: #bf8700; --never: #cf222e; --never-ground: #ffdfdc; --part-ground: #fff1c2;
  --comment: #6e7781; --string: #0a5e31; --number: #0550ae; --keyword: #8250df; --citation: #8c6c3e; }
@media (prefers-color-scheme: dark) { :root { --page: #0d1117; --text: #e6edf3; --faint: #8b949e; --line: #30363d;
  --ran: #3fb950; --part: #d29922; --never: #f85149; --never-ground: #5a1d1b; --part-ground: #4a3a0a;
  --comment: #8b949e; --string: #7ee787; --number: #79c0ff; --keyword: #d2a8ff; --citation: #c9a26d; } }
body { background: var(--page); color: var(--text); font: 15px/1.45 system-ui, sans-serif; margin: 1.5em auto;
  max-width: 90em; padding: 0 1em; }
h1 { font-size: 1.5em; } h2 { font-size: 1.2em; margin-top: 2em; } summary { cursor: pointer; padding: .15em 0; }
a { color: inherit; } p, footer { color: var(--faint); }
table { border-collapse: collapse; } th, td { padding: .1em .9em .1em 0; text-align: right; }
th:first-child, td:first-child { text-align: left; } th { border-bottom: 1px solid var(--line); font-weight: 600; }
tr.all td { border-top: 1px solid var(--line); font-weight: 600; }
ul { margin: .2em 0 .8em; padding-left: 1.2em; } li code { color: var(--faint); }
.rules { border: 1px solid var(--line); font: 12.5px/1.5 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace;
  overflow-x: auto; tab-size: 4; }
.row { display: flex; width: max-content; min-width: 100%; } .row:target { outline: 2px solid var(--part); }
.row > * { white-space: pre; } .number, .count, .answers { flex: none; color: var(--faint); text-align: right; }
.number { width: 3.5em; text-decoration: none; padding-right: .6em; } .count { width: 6em; }
.answers { width: 3em; padding-right: .6em; } .source { border-left: 4px solid transparent; padding-left: .7em; }
.ran > .source { border-color: var(--ran); } .part > .source { border-color: var(--part); }
.never > .source { border-color: var(--never); }
.source .n { background: var(--never-ground); } .source .p { background: var(--part-ground); }
.comment { color: var(--comment); } .string { color: var(--string); } .number-word { color: var(--number); }
.keyword { color: var(--keyword); } .citation { color: var(--citation); }
.key { display: inline-block; border-left: 4px solid; padding: 0 1.2em 0 .5em; }
"""

_WHOLE = frozenset({"then", "option", "may", "case", "else case", "list", "sum", "min", "max"})
"""The branches whose place is theirs alone; of the others it is the whole statement."""


@dataclass
class _Line:
    """What is known of one line: what begins there, and how its characters are painted."""

    text: str
    items: list[Item] = field(default_factory=list)
    ground: list[str] = field(default_factory=list)
    word: list[str] = field(default_factory=list)


def page(game: Game, plan: Plan, tally: Tally, reading: Reading) -> str:
    """The page."""
    numbers = {name: number for number, name in enumerate(reading.sources)}
    title = f"What ran of {game.title}"
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title>",
        f"<style>{STYLE}</style>",
        "</head>",
        "<body>",
        f"<h1>{escape(title)}</h1>",
        f"<p>{escape(heading(game, plan, tally))}</p>",
        *_table(reading),
        *_contents(reading, numbers),
        "<p>"
        '<span class="key" style="border-color: var(--ran)">ran</span>'
        '<span class="key" style="border-color: var(--part)">in part</span>'
        '<span class="key" style="border-color: var(--never)">never</span>'
        " In the margin: how often, and which answers conditions gave (y: yes, n: no).</p>",
    ]
    for name, source in reading.sources.items():
        parts += _file(source, numbers[name], [each for each in reading.items if each.span.source == name])
    parts += ["</body>", "</html>", ""]
    return "\n".join(parts)


def _table(reading: Reading) -> Iterator[str]:
    yield "<table>"
    yield "<tr><th>kind</th><th>ran</th><th>all</th><th>percent</th></tr>"
    for kind, each in reading.figures().items():
        yield f"<tr><td>{escape(kind)}</td><td>{each.ran}</td><td>{each.all}</td><td>{percent_text(each)}</td></tr>"
    total = reading.total
    yield f'<tr class="all"><td>all</td><td>{total.ran}</td><td>{total.all}</td><td>{percent_text(total)}</td></tr>'
    yield "</table>"


def _contents(reading: Reading, numbers: dict[str, int]) -> Iterator[str]:
    """What never ran, each with a link to its line."""
    groups = [(title, found) for title, found in missing(reading) if found]
    if not groups:
        return
    yield "<h2>What never ran</h2>"
    for title, found in groups:
        yield f"<details><summary>{escape(title)}</summary>"
        yield "<ul>"
        for item in found:
            file, line = reading.place(item.span)
            where = f'<a href="#{_anchor(numbers[file], line)}">{escape(item.address or f"line {line}")}</a>'
            more = words(item, reading)
            yield f"<li>{where} <code>{escape(more)}</code></li>" if more else f"<li>{where}</li>"
        yield "</ul>"
        yield "</details>"


def _anchor(file: int, line: int) -> str:
    return f"f{file}l{line}"


def _file(source: Source, number: int, items: list[Item]) -> Iterator[str]:
    yield f"<h2>{escape(PurePath(source.name).name)}</h2>"
    yield '<div class="rules">'
    for line, each in enumerate(_lines(source, items), 1):
        yield _row(each, line, _anchor(number, line))
    yield "</div>"


def _lines(source: Source, items: Iterable[Item]) -> list[_Line]:
    text = source.text
    lines = [_Line(each) for each in text.split("\n")]
    starts = [0]
    for each in lines:
        each.ground, each.word = [""] * len(each.text), [""] * len(each.text)
        starts.append(starts[-1] + len(each.text) + 1)

    def paint(start: int, end: int, value: str, words_too: bool) -> None:
        line = source.position(start)[0] - 1
        while line < len(lines) and starts[line] < end:
            row = lines[line].word if words_too else lines[line].ground
            for place in range(max(start, starts[line]), min(end, starts[line] + len(row))):
                row[place - starts[line]] = value
            line += 1

    for start, end, kind in tokens(text):
        paint(start, end, "number-word" if kind == "number" else kind, True)
    for item in sorted(items, key=lambda each: each.span.start - each.span.end):
        lines[source.position(item.span.start)[0] - 1].items.append(item)
        if item.state != "ran" and item.kind not in ("options", "score lines"):
            paint(item.span.start, _painted(item, text), "n" if item.state == "never" else "p", False)
    return lines


def _painted(item: Item, text: str) -> int:
    """Where the paint of a place ends: of a whole statement only its head is painted."""
    end = item.span.end
    if item.kind == "branches" and item.what not in _WHOLE and not text.startswith("{", item.span.start):
        brace = text.find("{", item.span.start, end)
        end = brace if brace > 0 else end
        line = text.find("\n", item.span.start, end)
        end = line if line > 0 else end
    return end


def _row(line: _Line, number: int, anchor: str) -> str:
    state, counts, answers = "", "", ""
    if line.items:
        states = {each.state for each in line.items}
        state = "ran" if states == {"ran"} else "never" if states == {"never"} else "part"
        known = [each.count for each in line.items if each.count is not None]
        counts = f"{max(known):,}" if known else ""
        conditions = [each for each in line.items if each.no is not None]
        if conditions:
            answers = ("y" if all(each.yes for each in conditions) else "-") + (
                "n" if all(each.no for each in conditions) else "-"
            )
    told = "\n".join(_told(each) for each in sorted(line.items, key=lambda each: each.span.start))
    title = f' title="{escape(told)}"' if told else ""
    return (
        f'<div class="row {state}" id="{anchor}"><a class="number" href="#{anchor}">{number}</a>'
        f'<span class="count"{title}>{counts}</span><span class="answers"{title}>{answers}</span>'
        f'<span class="source">{_source(line)}</span></div>'
    )


def _told(item: Item) -> str:
    name = " ".join(part for part in (item.kind.removesuffix("s"), item.address, item.what) if part)
    if item.no is not None:
        return f"{name}: {item.state if item.state != 'ran' else 'yes and no'}"
    return f"{name}: {item.state if item.count is None else item.count}"


def _source(line: _Line) -> str:
    """The text of a line: runs of characters of one colour on one ground."""
    parts: list[str] = []
    start = 0
    for place in range(1, len(line.text) + 1):
        here = (line.word[start], line.ground[start])
        if place < len(line.text) and (line.word[place], line.ground[place]) == here:
            continue
        classes = " ".join(each for each in here if each)
        piece = escape(line.text[start:place])
        parts.append(f'<span class="{classes}">{piece}</span>' if classes else piece)
        start = place
    return "".join(parts)


__all__ = ["page"]
