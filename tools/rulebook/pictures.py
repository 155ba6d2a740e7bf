"""The pictures of a rulebook: the phase diagram, drawn if something is there that draws it, and the boards."""

from __future__ import annotations

import re

from regelwerk.dsl.model import game as g
from regelwerk.interpreter.loading import Checked
from regelwerk.tools.rulebook.aid import outline
from regelwerk.tools.rulebook.book import Drawing, Flow
from regelwerk.tools.rulebook.diagram_words import in_words
from regelwerk.tools.rulebook.gathering import sheet
from regelwerk.tools.rulebook.markup import own
from regelwerk.tools.source_words import wrap

WIDE = 100
"""About how wide a list of places is."""


def phase_flow(checked: Checked, drawn: bool) -> Flow:
    """The diagram of the phases; as a picture only if that is wanted and something draws it."""
    from regelwerk.tools.diagrams.graphviz_engines import DrawingFailed, engine_for
    from regelwerk.tools.diagrams.graphviz_output import dot_text, with_font_families
    from regelwerk.tools.diagrams.mermaid_output import mermaid_text
    from regelwerk.tools.diagrams.phase_reading import phase_diagram

    assert checked.game is not None
    diagram = in_words(sheet(checked), phase_diagram(checked.game))
    mermaid = mermaid_text(diagram)
    if not drawn:
        return Flow(mermaid, None)
    engine = engine_for("svg")
    if engine is None:
        note = "No Graphviz was found to draw the diagram of the phases; they are listed instead."
        return Flow(mermaid, None, note, outline(checked))
    try:
        picture = engine.draw(dot_text(diagram, rich=engine.rich), "svg")
    except DrawingFailed as failure:
        note = f"The diagram of the phases could not be drawn ({failure}); they are listed instead."
        return Flow(mermaid, None, note, outline(checked))
    return Flow(mermaid, inline_svg(with_font_families(picture).decode("utf-8", "replace")))


def inline_svg(text: str) -> str:
    """An SVG file as a part of a page: without its head, and without ids that could meet those of the page."""
    start = text.find("<svg")
    inner = text[start:] if start >= 0 else ""
    inner = re.sub(r"<!--.*?-->", "", inner, flags=re.DOTALL)
    return re.sub(r'\sid="[^"]*"', "", inner).strip()


def board_drawings(game: g.CheckedGame) -> dict[g.EntitySymbol, Drawing]:
    """The board of a game, as one picture; it stands at the first table of places it shows."""
    from regelwerk.tools.diagrams.board_output import svg_text
    from regelwerk.tools.diagrams.board_reading import board_diagram

    boards = [each for each in game.entities if each.kind == "fields"]
    if not boards:
        return {}
    diagram = board_diagram(game)
    return {boards[0]: Drawing("The board", svg_text(diagram, titled=False), _as_text(boards))}


def _as_text(boards: list[g.EntitySymbol]) -> str:
    """The drawings of the file, and places without a drawing in their order."""
    parts = []
    for entity in boards:
        rows = [row for row in entity.rows if row.grid is not None]
        if not entity.marks or not rows:
            names = [own(row.printed) for row in entity.rows if row.printed]
            if names:
                parts.append(f"{entity.words.many}:\n" + "\n".join(wrap(" - ".join(names), WIDE)))
            continue
        for name, marks in entity.marks.items():
            lines: dict[int, list[tuple[int, str]]] = {}
            for row, mark in zip(entity.rows, marks, strict=False):
                if row.grid is not None:
                    lines.setdefault(row.grid[0], []).append((row.grid[2], mark))
            parts.append(f"{name.replace('_', ' ')}:\n" + "\n".join(_spaced(lines[k]) for k in sorted(lines)))
    return "\n\n".join(parts)


def _spaced(marks: list[tuple[int, str]]) -> str:
    """Marks at their distances, as far as they leave room."""
    text = ""
    for place, mark in sorted(marks):
        text = f"{text.ljust(2 * place)}{' ' if text and len(text) >= 2 * place else ''}{own(mark)}"
    return text


__all__ = ["board_drawings", "inline_svg", "phase_flow"]
