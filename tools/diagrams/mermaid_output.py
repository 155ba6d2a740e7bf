"""A diagram as Mermaid text (a flowchart), for pages that draw it themselves."""

from __future__ import annotations

from regelwerk.tools.diagrams.diagram import Cluster, Diagram, Edge, Node
from regelwerk.tools.source_words import wrap

WRAP = 48
"""About how many characters a line of a box has."""

SHAPES = {
    "start": ("((", "))"),
    "driver": ("([", "])"),
    "again": ("([", "])"),
    "step": ("(", ")"),
    "offer": ("[", "]"),
    "end": ("[[", "]]"),
    "over": ("[[", "]]"),
    "result": ("[", "]"),
    "note": (">", "]"),
    "cause": ("(", ")"),
    "event": ("[", "]"),
    "rule": (">", "]"),
    "goods": ("([", "])"),
    "source": ("[", "]"),
    "sink": ("[", "]"),
    "converter": ("[", "]"),
}
ARROWS = {
    "flow": "-->", "loop": "-->", "end": "-->", "note": "-.-", "causes": "-->", "reacts": "-->", "changes": "-.->",
    "circle": "==>", "gives": "-->", "takes": "-->", "counts": "-.->", "joins": "---",
}  # fmt: skip
CLASSES = {
    "driver": "fill:#dde3ea,stroke:#7a8492,color:#1c2430",
    "again": "fill:#dde3ea,stroke:#7a8492,color:#2f5d8a",
    "step": "fill:#ffffff,stroke:#7a8492,color:#1c2430",
    "offer": "fill:#e4edf6,stroke:#2f5d8a,color:#1c2430",
    "end": "fill:#fbf1ef,stroke:#8a2f2f,color:#1c2430",
    "over": "fill:#fbf1ef,stroke:#8a2f2f,color:#1c2430",
    "result": "fill:#ffffff,stroke:#8a2f2f,color:#1c2430",
    "note": "fill:#fdf8e3,stroke:#a08432,color:#1c2430",
    "cause": "fill:#f6f7f9,stroke:#7a8492,color:#1c2430",
    "event": "fill:#e4edf6,stroke:#2f5d8a,color:#1c2430",
    "rule": "fill:#fdf8e3,stroke:#a08432,color:#1c2430",
    "goods": "fill:#fdf8e3,stroke:#a08432,color:#1c2430,stroke-width:2px",
    "source": "fill:#e6f2e6,stroke:#3d7a3d,color:#1c2430",
    "sink": "fill:#fbf1ef,stroke:#8a2f2f,color:#1c2430",
    "converter": "fill:#e4edf6,stroke:#2f5d8a,color:#1c2430",
}
_SPECIAL = frozenset('"#&<>`[]{}|\\;')


def mermaid_text(diagram: Diagram) -> str:
    """The diagram as a Mermaid flowchart."""
    return _Writer(diagram).write()


def escape(text: str) -> str:
    """The text for a quoted label: what Mermaid, Markdown or HTML would read as a sign becomes a numbered entity."""
    return "".join(f"#{ord(each)};" if each in _SPECIAL else each for each in text)


class _Writer:
    def __init__(self, diagram: Diagram) -> None:
        self.diagram = diagram
        self.names: dict[str, str] = {}
        taken: set[str] = set()
        for identity in [*(each.id for each in diagram.nodes()), *(each.id for each in diagram.clusters())]:
            base = "".join(c if c.isascii() and c.isalnum() else "_" for c in identity)
            base = f"n_{base}" if base in ("start", "over", "anywhere") else base
            name, count = base, 1
            while name in taken:
                count += 1
                name = f"{base}_{count}"
            taken.add(name)
            self.names[identity] = name

    def write(self) -> str:
        title = f"{self.diagram.title}, {self.diagram.subtitle}".replace("\\", "\\\\").replace('"', '\\"')
        lines = ["---", f'title: "{title}"', "---", f"flowchart {'LR' if self.diagram.across else 'TB'}"]
        for member in self.diagram.members:
            lines += self._member(member, "  ")
        lines += [f"  {self._edge(each)}" for each in self.diagram.edges]
        used = {each.kind for each in self.diagram.nodes()}
        for kind, style in CLASSES.items():
            if kind in used:
                members = ",".join(self.names[each.id] for each in self.diagram.nodes() if each.kind == kind)
                lines += [f"  classDef {kind}Box {style}", f"  class {members} {kind}Box"]
        return "\n".join(lines) + "\n"

    def _member(self, member: Node | Cluster, indent: str) -> list[str]:
        name = self.names[member.id]
        if isinstance(member, Node):
            before, after = SHAPES[member.kind]
            return [f'{indent}{name}{before}"{self._label(member)}"{after}']
        lines = [f'{indent}subgraph {name} ["{escape(member.title)}"]', f"{indent}  direction TB"]
        for each in member.members:
            lines += self._member(each, indent + "  ")
        return [*lines, f"{indent}end"]

    def _label(self, node: Node) -> str:
        if node.kind == "start":
            return " "
        lines = [_bold(node.title) if node.kind not in ("offer", "again", "driver") else escape(node.title)]
        lines += [escape(line) for text in (*node.lines, *node.code) for line in wrap(text, WRAP)]
        for entry in node.entries:
            lines.append(_bold(entry.title))
            lines += [escape(line) for text in entry.lines for line in wrap(text, WRAP)]
        lines += [escape(line) for text in node.footer for line in wrap(text, WRAP)]
        return "<br/>".join(lines)

    def _edge(self, edge: Edge) -> str:
        label = f'|"{escape(edge.label)}"| ' if edge.label else ""
        return f"{self.names[edge.tail]} {ARROWS[edge.kind]} {label}{self.names[edge.head]}"


def _bold(text: str) -> str:
    return f"<b>{escape(text)}</b>"


__all__ = ["escape", "mermaid_text"]
