"""A board as SVG text, made without any other program: its places have their positions already."""

from __future__ import annotations

import math
from html import escape

from regelwerk.tools.diagrams.diagram import Diagram, Node, Position
from regelwerk.tools.source_words import wrap

UNIT = 56
"""How many pixels a square is wide."""
MARGIN = 24
HEAD = 64
"""Room for the title and the legend."""
INK, QUIET, LINE = "#1c2430", "#5a6472", "#7a8492"
FONTS = "Arial, Helvetica, sans-serif"
SIZES = (10, 9, 8, 7, 6, 5)
"""The sizes of letters in places, the biggest that fits is taken."""
LETTER = 0.56
"""How wide a letter is, of its height."""


def svg_text(diagram: Diagram, *, titled: bool = True) -> str:
    """The board as an SVG; without its title for pages that say it themselves."""
    nodes = [each for each in diagram.nodes() if each.at is not None]
    spots = [each.at for each in nodes if each.at is not None]
    left = min((each.x - each.size[0] / 2 for each in spots), default=0.0)
    right = max((each.x + each.size[0] / 2 for each in spots), default=4.0)
    top = min((each.y - each.size[1] / 2 for each in spots), default=0.0)
    bottom = max((each.y + each.size[1] / 2 for each in spots), default=1.0)
    head = HEAD if titled else (22 if diagram.legend else 0)
    wide = max((right - left) * UNIT, 320 if titled else 0) + 2 * MARGIN
    high = (bottom - top) * UNIT + 2 * MARGIN + head

    def place(at: Position) -> tuple[float, float]:
        return (at.x - left) * UNIT + MARGIN, (at.y - top) * UNIT + MARGIN + head

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:.0f} {high:.0f}" width="{wide:.0f}" '
        f'height="{high:.0f}" font-family="{FONTS}" role="img" aria-label="{escape(diagram.title, quote=True)}">',
        f'<rect width="{wide:.0f}" height="{high:.0f}" fill="#ffffff"/>',
    ]
    if titled:
        parts.append(
            f'<text x="{MARGIN}" y="{MARGIN + 8}" font-size="17" font-weight="bold" fill="{INK}">'
            f'{escape(diagram.title)}<tspan dx="10" font-size="12" font-weight="normal" fill="{QUIET}">'
            f"{escape(diagram.subtitle)}</tspan></text>"
        )
    parts += _legend(diagram, MARGIN + 30 if titled else MARGIN)
    spot = {each.id: place(each.at) for each in nodes if each.at is not None}
    for edge in diagram.edges:
        if edge.tail in spot and edge.head in spot:
            (x1, y1), (x2, y2) = spot[edge.tail], spot[edge.head]
            parts.append(f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="{LINE}" fill="none"/>')
            if edge.label:
                parts.append(_line(edge.label, (x1 + x2) / 2, (y1 + y2) / 2 - 2, 8, QUIET))
    for node in nodes:
        assert node.at is not None
        parts += _node(node, node.at, spot[node.id])
    parts.append("</svg>")
    return "\n".join(parts) + "\n"


def _legend(diagram: Diagram, y: float) -> list[str]:
    parts, x = [], float(MARGIN)
    for colour, text in diagram.legend:
        parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="11" height="11" fill="{colour}" stroke="{LINE}"/>')
        parts.append(f'<text x="{x + 16:.1f}" y="{y + 10:.1f}" font-size="11" fill="{QUIET}">{escape(text)}</text>')
        x += 30 + len(text) * 11 * LETTER
    return parts


def _node(node: Node, at: Position, spot: tuple[float, float]) -> list[str]:
    x, y = spot
    wide, high = at.size[0] * UNIT, at.size[1] * UNIT
    look = f'fill="{at.fill}" stroke="{LINE}"'
    if at.shape == "hexagon":
        corners = [
            (x + wide / math.sqrt(3) * math.sin(k * math.pi / 3), y - high / 2 * math.cos(k * math.pi / 3))
            for k in range(6)
        ]
        shape = f'<polygon points="{" ".join(f"{a:.1f},{b:.1f}" for a, b in corners)}" {look}/>'
    elif at.shape == "circle":
        shape = f'<ellipse cx="{x:.1f}" cy="{y:.1f}" rx="{wide / 2:.1f}" ry="{high / 2:.1f}" {look}/>'
    elif at.shape == "box":
        corner = f'x="{x - wide / 2:.1f}" y="{y - high / 2:.1f}"'
        shape = f'<rect {corner} width="{wide:.1f}" height="{high:.1f}" rx="2" {look}/>'
    else:
        return _lines([(node.title, INK, True)], x, y, 12)
    return [shape, *_fitted(node, at, x, y)]


def _fitted(node: Node, at: Position, x: float, y: float) -> list[str]:
    """The title and lines of a place, as big as they fit in it."""
    room = at.size[0] * UNIT * (0.92 if at.shape == "box" else 0.8)
    lines: list[tuple[str, str, bool]] = []
    size = SIZES[-1]
    for size in SIZES:
        letters = max(2, int(room / (size * LETTER)))
        lines = [(line, INK, False) for line in wrap(node.title, letters)]
        lines += [(line, QUIET, False) for text in node.lines for line in wrap(text, letters)]
        fits = len(lines) * size * 1.15 <= at.size[1] * UNIT * (0.95 if at.shape != "hexagon" else 0.7)
        if fits and all(len(line) <= letters for line, _, _ in lines):
            break
    return _lines(lines, x, y, size)


def _lines(lines: list[tuple[str, str, bool]], x: float, y: float, size: float) -> list[str]:
    first = y - (len(lines) - 1) * size * 1.15 / 2 + size * 0.36
    return [
        _line(text, x, first + k * size * 1.15, size, colour, bold)
        for k, (text, colour, bold) in enumerate(lines)
        if text
    ]


def _line(text: str, x: float, y: float, size: float, colour: str, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    where = f'x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" text-anchor="middle"'
    return f'<text {where} fill="{colour}"{weight}>{escape(text)}</text>'


__all__ = ["svg_text"]
