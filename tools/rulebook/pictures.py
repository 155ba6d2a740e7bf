"""The pictures of a rulebook: the phase diagram, drawn if something is there that draws it, and the boards."""

from __future__ import annotations

import re

from regelwerk.dsl.model import game as g
from regelwerk.interpreter.loading import Checked
from regelwerk.tools.rulebook.aid import outline
from regelwerk.tools.rulebook.book import Drawing, Flow


def phase_flow(checked: Checked, drawn: bool) -> Flow:
    """The diagram of the phases; as a picture only if that is wanted and something draws it."""
    from regelwerk.tools.diagrams.graphviz_engines import DrawingFailed, engine_for
    from regelwerk.tools.diagrams.graphviz_output import dot_text, with_font_families
    from regelwerk.tools.diagrams.mermaid_output import mermaid_text
    from regelwerk.tools.diagrams.phase_reading import phase_diagram

    assert checked.game is not None
    diagram = phase_diagram(checked.game)
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
    """The boards of a game that have a drawing."""
    return {}


__all__ = ["board_drawings", "inline_svg", "phase_flow"]
