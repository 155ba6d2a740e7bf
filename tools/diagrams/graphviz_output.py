"""A diagram as DOT text, to be drawn by Graphviz: one page, printable colours, ordinary fonts.

Phases run from top to bottom, other diagrams across the page; places of a board stand where they lie.
"""

from __future__ import annotations

from html import escape as escape_html

import graphviz

from regelwerk.tools.diagrams.diagram import Cluster, Diagram, Edge, EdgeKind, Node, NodeKind, Position
from regelwerk.tools.source_words import wrap

FONT = "Arial"
"""Graphviz knows its measures without having it."""
FAMILIES = "Arial,Helvetica,sans-serif"
INK, QUIET, LINE = "#1c2430", "#5a6472", "#7a8492"
PHASE_FILLS = ("#f6f7f9", "#eceff3", "#ffffff")
"""The ground of phases, by depth; the last ones alternate."""
BLUE, BLUE_FILL = "#2f5d8a", "#e4edf6"
RED, RED_FILL = "#8a2f2f", "#fbf1ef"
YELLOW, YELLOW_FILL = "#a08432", "#fdf8e3"
DRIVER_FILL = "#dde3ea"

TEXT, SMALL, HEADING = 10, 9, 11
WRAP = 60
"""About how many characters a line of a box has."""
PAGE, WIDE_PAGE = "7.6,11.0", "15.8,10.9"
"""The printed part of an A4 page, and of an A3 page on its side, in inches; bigger drawings are scaled down to it."""
NARROW = 34
"""About how many characters a line of a box has where boxes stand side by side."""
GREEN, GREEN_FILL = "#3d7a3d", "#e6f2e6"


STYLES: dict[NodeKind, dict[str, str]] = {
    "start": {
        "shape": "circle", "width": "0.16", "height": "0.16", "fixedsize": "true", "fillcolor": INK, "color": INK,
        "group": "flow",
    },
    "driver": {"style": "filled,rounded", "fillcolor": DRIVER_FILL, "group": "flow"},
    "again": {"style": "filled,rounded", "fillcolor": DRIVER_FILL, "margin": "0.08,0.02", "group": "flow"},
    "step": {"style": "filled,rounded", "group": "flow"},
    "offer": {"color": BLUE, "fillcolor": BLUE_FILL, "group": "flow"},
    "end": {"peripheries": "2", "color": RED, "fillcolor": RED_FILL},
    "over": {"peripheries": "2", "color": RED, "fillcolor": RED_FILL},
    "result": {"color": RED},
    "note": {"shape": "note", "color": YELLOW, "fillcolor": YELLOW_FILL},
    "cause": {"style": "filled,rounded", "fillcolor": PHASE_FILLS[0]},
    "event": {"color": BLUE, "fillcolor": BLUE_FILL},
    "rule": {"shape": "note", "color": YELLOW, "fillcolor": YELLOW_FILL},
    "goods": {"shape": "box", "style": "filled,rounded,bold", "color": YELLOW, "fillcolor": YELLOW_FILL},
    "source": {"color": GREEN, "fillcolor": GREEN_FILL},
    "sink": {"color": RED, "fillcolor": RED_FILL},
    "converter": {"color": BLUE, "fillcolor": BLUE_FILL},
    "place": {"fixedsize": "true", "margin": "0"},
    "caption": {"shape": "plain", "style": ""},
}  # fmt: skip
EDGES: dict[EdgeKind, dict[str, str]] = {
    "causes": {"color": LINE},
    "reacts": {"color": BLUE},
    "changes": {"color": YELLOW, "style": "dashed"},
    "circle": {"color": RED, "penwidth": "1.8", "fontcolor": RED},
    "gives": {"color": GREEN, "fontcolor": GREEN},
    "takes": {"color": RED, "fontcolor": RED},
    "counts": {"color": LINE, "style": "dashed"},
    "joins": {"color": LINE, "dir": "none"},
}
"""The edges of diagrams that are no flow."""


def dot_text(diagram: Diagram, *, rich: bool = True) -> str:
    """The diagram in the DOT language; not `rich`: for programs that know no labels with several fonts and tables."""
    return _Writer(diagram, rich).write()


def with_font_families(svg: bytes) -> bytes:
    """An SVG of such a diagram that names other fonts, too, for where the first is not installed."""
    return svg.replace(f'font-family="{FONT}"'.encode(), f'font-family="{FAMILIES}"'.encode())


class _Writer:
    def __init__(self, diagram: Diagram, rich: bool) -> None:
        self.diagram = diagram
        self.rich = rich
        self.titles: dict[str, str] = {}
        self.clusters: dict[str, str] = {}
        # All notes on one thing share a box: the first stands for them.
        first: dict[str, str] = {}
        self.notes = {
            each.head: first.setdefault(each.tail, each.head) for each in diagram.edges if each.kind == "note"
        }
        for number, cluster in enumerate(diagram.clusters()):
            self.clusters[cluster.id] = f"cluster_{number}"

    def write(self) -> str:
        title = f"{self.diagram.title}   {self.diagram.subtitle}"
        if self.rich:
            parts = (
                _font(self.diagram.title, HEADING + 3, INK, bold=True),
                _font(f"   {self.diagram.subtitle}", TEXT, QUIET),
            )
            title = f"<{''.join(parts)}{_legend(self.diagram)}>"
        else:
            title = graphviz.escape(title)
        graph = graphviz.Digraph(
            self.diagram.name,
            graph_attr={
                "rankdir": "TB", "compound": "true", "size": PAGE, "margin": "0.2", "pad": "0.1", "bgcolor": "#ffffff",
                "nodesep": "0.30", "ranksep": "0.10", "splines": "true", "labelloc": "t", "labeljust": "l",
                "fontname": FONT, "fontcolor": INK, "label": title, "fontsize": str(HEADING),
            },
            node_attr={
                "fontname": FONT, "fontsize": str(TEXT), "fontcolor": INK, "shape": "box", "style": "filled",
                "color": LINE, "fillcolor": "#ffffff", "penwidth": "0.8", "margin": "0.10,0.05",
                "height": "0.2", "width": "0.3",
            },
            edge_attr={
                "fontname": FONT, "fontsize": str(SMALL), "fontcolor": QUIET, "color": INK, "penwidth": "0.9",
                "arrowsize": "0.65",
            },
        )  # fmt: skip
        if self.diagram.across:
            graph.attr(rankdir="LR", size=WIDE_PAGE, nodesep="0.12", ranksep="0.55", concentrate="false")
        if self.diagram.placed:
            graph.attr(layout="neato", size=WIDE_PAGE, splines="line")
        self._members(graph, self.diagram.members, 0)
        for edge in self.diagram.edges:
            self._edge(graph, edge)
        tied = {name for each in self.diagram.edges for name in (each.tail, each.head)}
        for cluster in self.diagram.members:
            for loose in cluster.members if isinstance(cluster, Cluster) and cluster.kind == "aside" else ():
                if loose.id not in tied:
                    graph.edge(self.diagram.members[0].id, loose.id, style="invis")
        text: str = graph.source
        return text

    # ------------------------------------------------------------------------------------------------------ members
    def _members(self, graph: graphviz.Digraph, members: list[Node | Cluster], depth: int) -> None:
        for member in members:
            if isinstance(member, Node):
                if self.notes.get(member.id, member.id) == member.id:
                    self._node(graph, member)
                continue
            with graph.subgraph(name=self.clusters[member.id]) as inner:  # pyright: ignore[reportOptionalContextManager]  # None only with a graph given
                aside = member.kind == "aside"
                # A head says the title of its phase, which saves a line; else the cluster does.
                headed = any(isinstance(each, Node) and each.kind == "driver" for each in member.members[:1])
                if headed:
                    self.titles[member.members[0].id] = member.title
                title = "" if headed else self._heading(member.title)
                fill = "#ffffff" if aside else PHASE_FILLS[depth if depth < 2 else 2 - depth % 2]
                inner.attr(
                    label=title, labeljust="l", style="filled,dashed" if aside else "filled",
                    color=LINE, fillcolor=fill, penwidth="0.8", margin="6",
                )  # fmt: skip
                self._members(inner, member.members, depth + 1)
                self._beside(inner, member)

    def _heading(self, title: str) -> str:
        return f"<{_font(title, HEADING, INK, bold=True)}>" if self.rich else str(graphviz.escape(title))

    def _beside(self, graph: graphviz.Digraph, cluster: Cluster) -> None:
        """Notes and the corners of loops stand beside what they are tied to."""
        inside = {each.id for each in cluster.members if isinstance(each, Node)}
        for edge in self.diagram.edges:
            for end in (edge.head, edge.tail) if edge.kind == "loop" and edge.tail != edge.head else ():
                if end in inside:
                    with graph.subgraph() as row:  # pyright: ignore[reportOptionalContextManager]  # None only with a graph given
                        row.attr(rank="same")
                        row.node(
                            f"corner {end}", "", shape="point", width="0.02", color=BLUE, group=f"loop {edge.head}"
                        )
                        row.node(end)
            if edge.kind == "note" and edge.tail in inside and self.notes[edge.head] == edge.head:
                with graph.subgraph() as row:  # pyright: ignore[reportOptionalContextManager]  # None only with a graph given
                    row.attr(rank="same")
                    row.node(edge.tail)
                    row.node(edge.head)

    def _node(self, graph: graphviz.Digraph, node: Node) -> None:
        style = STYLES[node.kind]
        if node.at is not None:
            style = {**style, **_placed(node.at)}
        if node.kind == "offer" and self.rich:
            style = {**style, "shape": "plain", "style": ""}
        graph.node(node.id, self._label(node), **style)

    def _label(self, node: Node) -> str:
        if node.kind == "start":
            return ""
        together = [node]
        if node.kind == "note":
            together = [each for each in self.diagram.nodes() if self.notes.get(each.id, each.id) == node.id]
        title = self.titles.get(node.id, "")
        if not self.rich:
            blocks = [_plain(each, title) for each in together]
            return _plain_lines([line for index, block in enumerate(blocks) for line in ([""] * (index > 0) + block)])
        if node.kind == "offer":
            return f"<{_offer(node)}>"
        if node.kind == "step":
            return f"<{_step(node)}>"
        if node.kind == "driver":
            return f"<{_driver(node, title)}>"
        if node.kind in ("place", "caption"):
            return f"<{_middle(node)}>"
        if node.kind in GRAPH_KINDS:
            return f"<{_narrow(node)}>"
        if node.kind == "again":
            return f"<{_font(node.title, SMALL, BLUE)}>"
        gap = '<FONT POINT-SIZE="4"> </FONT><BR/>'
        return f"<{gap.join(_text(each) for each in together)}>"

    # -------------------------------------------------------------------------------------------------------- edges
    def _edge(self, graph: graphviz.Digraph, edge: Edge) -> None:
        options: dict[str, str] = {}
        if edge.tail_cluster is not None and edge.tail_cluster in self.clusters:
            options["ltail"] = self.clusters[edge.tail_cluster]
        if edge.head_cluster is not None and edge.head_cluster in self.clusters:
            options["lhead"] = self.clusters[edge.head_cluster]
        tail, head = edge.tail, edge.head
        if edge.kind == "note" and self.notes[head] != head:
            return
        if edge.kind in EDGES:
            options.update(EDGES[edge.kind])
            if edge.kind == "joins" and self.diagram.placed:
                options["penwidth"] = "0.8"
        elif edge.kind == "flow":
            options["weight"] = "20"
        elif edge.kind == "loop" and tail == head:
            tail, head = f"{tail}:w", f"{head}:w"
            options["color"] = BLUE
        elif edge.kind == "loop":
            # It turns at two corners left of the phase's head and foot; from top to bottom, so that it is no cycle.
            upper, lower = f"corner {head}", f"corner {tail}"
            graph.edge(upper, head, color=BLUE)
            graph.edge(lower, tail, color=BLUE, dir="none")
            graph.edge(upper, lower, color=BLUE, dir="none", weight="10")
            return
        elif edge.kind == "end":
            options.update(color=RED, weight="2")
        else:
            options.update(style="dashed", color=YELLOW, arrowhead="none", weight="1")
        if edge.label:
            options["label"] = str(graphviz.escape(f" {edge.label} "))
        graph.edge(tail, head, **options)


# ------------------------------------------------------------------------------------------------------------- labels
def _font(text: str, size: float, colour: str, *, bold: bool = False, italic: bool = False) -> str:
    inner = escape_html(text).replace("  ", "&#160;&#160;")
    inner = f"<B>{inner}</B>" if bold else f"<I>{inner}</I>" if italic else inner
    return f'<FONT POINT-SIZE="{size:g}" COLOR="{colour}">{inner}</FONT>'


def _lines(texts: tuple[str, ...], colour: str, *, italic: bool = False, width: int = WRAP) -> list[str]:
    return [_font(line, SMALL, colour, italic=italic) for text in texts for line in wrap(text, width)]


def _stack(lines: list[str]) -> str:
    return "".join(f'{line}<BR ALIGN="LEFT"/>' for line in lines)


def _text(node: Node) -> str:
    titles = [_font(each, TEXT, INK, bold=True) for each in wrap(node.title, WRAP)]
    return _stack(titles + _lines(node.lines, INK) + _lines(node.code, QUIET, italic=True))


GRAPH_KINDS = frozenset({"cause", "event", "rule", "goods", "source", "sink", "converter"})
INCH = 0.62
"""How wide a square of a board is, in inches."""
SHAPES = {"box": "box", "hexagon": "hexagon", "circle": "circle", "text": "plain"}


def _narrow(node: Node) -> str:
    titles = [_font(each, TEXT, INK, bold=True) for each in wrap(node.title, NARROW)]
    return _stack(titles + _lines(node.lines, INK, width=NARROW) + _lines(node.code, QUIET, italic=True, width=NARROW))


def _middle(node: Node) -> str:
    size = SMALL - 2 if node.kind == "place" else TEXT
    width = max(6, round((node.at.size[0] if node.at is not None else 1.0) * 11))
    lines = [_font(line, size, INK, bold=node.kind == "caption") for line in wrap(node.title, width)]
    lines += [_font(line, size, QUIET) for text in node.lines for line in wrap(text, width)]
    return "<BR/>".join(lines) or " "


def _placed(at: Position) -> dict[str, str]:
    found = {
        "pos": f"{at.x * INCH:.3f},{-at.y * INCH:.3f}!",
        "width": f"{at.size[0] * INCH:.3f}",
        "height": f"{at.size[1] * INCH:.3f}",
        "shape": SHAPES[at.shape],
        "fillcolor": at.fill,
    }
    if at.shape == "hexagon":
        found |= {"shape": "polygon", "sides": "6", "orientation": "30"}
    return found


def _legend(diagram: Diagram) -> str:
    if not diagram.legend:
        return ""
    cells = "".join(f"   {_font('■', TEXT + 2, colour)} {_font(text, SMALL, QUIET)}" for colour, text in diagram.legend)
    return f'<BR ALIGN="LEFT"/>{cells}<BR ALIGN="LEFT"/>'


def _driver(node: Node, title: str) -> str:
    lines = [_font(title, HEADING, INK, bold=True)] if title else []
    return _stack(lines + _lines((node.title, *node.lines), INK))


def _step(node: Node) -> str:
    left = _font(node.title, TEXT, INK, bold=True)
    right = _lines(node.lines, INK) + _lines(node.code, QUIET, italic=True)
    cells = f'<TD ALIGN="LEFT">{left}</TD>' + (
        f'<TD WIDTH="4"></TD><TD ALIGN="LEFT" BALIGN="LEFT">{"<BR/>".join(right)}</TD>' if right else ""
    )
    return f'<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="1"><TR>{cells}</TR></TABLE>'


def _offer(node: Node) -> str:
    rows = [f'<TR><TD ALIGN="LEFT" BGCOLOR="{BLUE_FILL}">{_font(node.title, SMALL, BLUE)}</TD></TR>']
    for entry in node.entries:
        lines = [_font(line, TEXT, INK, bold=True) for line in wrap(entry.title, WRAP)] + _lines(entry.lines, INK)
        rows.append(
            f'<TR><TD ALIGN="LEFT" BALIGN="LEFT" PORT="{escape_html(entry.address)}">{"<BR/>".join(lines)}</TD></TR>'
        )
    rows += [
        f'<TR><TD ALIGN="LEFT" BALIGN="LEFT" BGCOLOR="{BLUE_FILL}">{"<BR/>".join(_lines((line,), BLUE))}</TD></TR>'
        for line in node.footer
    ]
    rule = f'BORDER="1" CELLBORDER="0" CELLSPACING="0" CELLPADDING="3" COLOR="{BLUE}" BGCOLOR="#ffffff"'
    return f"<TABLE {rule}>{'<HR/>'.join(rows)}</TABLE>"


def _plain(node: Node, title: str) -> list[str]:
    """The lines of a box in one font."""
    texts = [title] if title else []
    texts += [node.title, *node.lines, *node.code]
    for entry in node.entries:
        texts += ["", entry.title, *entry.lines]
    texts += ["", *node.footer] if node.footer else []
    return [line for text in texts for line in wrap(text, WRAP) or [""]]


def _plain_lines(lines: list[str]) -> str:
    return (
        "".join(f"{graphviz.escape(line)}\\l" for line in lines) if len(lines) > 1 else str(graphviz.escape(lines[0]))
    )


__all__ = ["dot_text", "with_font_families"]
