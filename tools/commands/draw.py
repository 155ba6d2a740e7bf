"""`regelwerk draw`: a picture of a game, or text that other programs draw: phases, rules, economy, board."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, cast

from regelwerk.tools.arguments import OK, CommandFailure, FindingsFailure, UsageFailure, add_file, rules_path

if TYPE_CHECKING:
    from regelwerk.tools.diagrams.diagram import Diagram
    from regelwerk.tools.diagrams.graphviz_engines import PictureFormat

FORMATS: dict[str, tuple[str, ...]] = {
    "dot": (".dot", ".gv"),
    "mermaid": (".mmd", ".mermaid"),
    "svg": (".svg",),
    "png": (".png",),
}
"""The formats, with the endings that their files may have."""

WHAT = {
    "phases": "how the phases nest and repeat, whose turn it is, what is offered, when the game ends",
    "triggers": "what reacts to what, in which order, what that sets off, and circles; what standing rules change",
    "economy": "what gives which goods, what takes them, and what turns them into others",
    "board": "the places where they lie and how they are joined; of a game without a board its zones and decks",
}
"""What can be drawn, with what it shows."""

DESCRIPTION = """\
Draw a game: its phases, its triggers and standing rules, its economy or its board. dot and mermaid are text and need
no other program; svg and png need Graphviz or one of the packages that carry it (pip install "regelwerk[draw]"), but
for the svg of a board. There is no mermaid of a board: it has no positions.
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "draw", help="draw a game: its phases, rules, economy or board", description=DESCRIPTION
    )
    add_file(parser)
    shown = "; ".join(f"{name}: {text}" for name, text in WHAT.items())
    parser.add_argument(
        "--what", choices=tuple(WHAT), default="phases", help=f"what to draw (default: phases). {shown}"
    )
    parser.add_argument("--format", choices=tuple(FORMATS), help="default: by the ending of PATH, else dot")
    parser.add_argument(
        "-o", "--output", metavar="PATH",
        help="where to write; - is the standard output (default: that for dot and mermaid, NAME.svg or NAME.png here)",
    )  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Draw one game."""
    wanted = _format(args.format, args.output)
    if args.what == "board" and wanted == "mermaid":
        raise UsageFailure("a board cannot be drawn as mermaid, which has no positions; there are dot, svg and png")
    diagram = _diagram(args.file, args.what)
    name = diagram.name if args.what == "phases" else f"{diagram.name}-{args.what}"
    if wanted == "svg" and args.what == "board":
        return _own_svg(diagram, name, args.output)
    if wanted in ("svg", "png"):
        return _picture(diagram, name, cast("PictureFormat", wanted), args.output)
    text = _text(diagram, wanted)
    if args.output in (None, "-"):
        print(text, end="")
    else:
        _write(Path(args.output), text.encode())
    return OK


def _format(asked: str | None, output: str | None) -> str:
    """The format that is meant; `UsageFailure` if it does not go with the output."""
    if asked is not None and asked not in FORMATS:
        raise UsageFailure(f"there is no format `{asked}`; there are {', '.join(FORMATS)}")
    if output in (None, "-"):
        return asked or "dot"
    ending = Path(output).suffix
    meant = next((name for name, endings in FORMATS.items() if ending.lower() in endings), None)
    if asked is None and meant is None:
        known = ", ".join(each for endings in FORMATS.values() for each in endings)
        raise UsageFailure(f"`-o {output}`: the ending says the format, and it is none of {known}")
    if asked is not None and meant != asked:
        raise UsageFailure(f"`-o {output}`: a file of format {asked} ends in {' or '.join(FORMATS[asked])}")
    assert meant is not None
    return meant


def _diagram(name: str, what: str) -> Diagram:
    from regelwerk.interpreter.loading import check_path

    path = rules_path(name)
    checked = check_path(path, with_scenarios=False)
    if checked.game is None:
        errors = [each for each in checked.diagnostics if each.severity == "error"]
        if not errors:
            raise UsageFailure(f"`{name}` is a library, no game")
        raise FindingsFailure(errors, checked.sources, f"{path.name} has errors and cannot be drawn")
    if what == "triggers":
        from regelwerk.tools.diagrams.rule_reading import rule_diagram

        return rule_diagram(checked.game)
    if what == "economy":
        from regelwerk.tools.diagrams.economy_reading import economy_diagram

        return economy_diagram(checked.game)
    if what == "board":
        from regelwerk.tools.diagrams.board_reading import board_diagram

        return board_diagram(checked.game)
    from regelwerk.tools.diagrams.phase_reading import phase_diagram

    return phase_diagram(checked.game)


def _text(diagram: Diagram, wanted: str) -> str:
    if wanted == "mermaid":
        from regelwerk.tools.diagrams.mermaid_output import mermaid_text

        return mermaid_text(diagram)
    from regelwerk.tools.diagrams.graphviz_output import dot_text

    return dot_text(diagram)


def _own_svg(diagram: Diagram, name: str, output: str | None) -> int:
    """A board has its positions already, so that no other program is needed."""
    from regelwerk.tools.diagrams.board_output import svg_text

    text = svg_text(diagram)
    if output == "-":
        print(text, end="")
    else:
        _write(Path(output or f"{name}.svg"), text.encode())
    return OK


def _picture(diagram: Diagram, name: str, wanted: PictureFormat, output: str | None) -> int:
    from regelwerk.tools.diagrams.graphviz_engines import DrawingFailed, engine_for
    from regelwerk.tools.diagrams.graphviz_output import dot_text, with_font_families

    path = Path(f"{name}.{wanted}" if output in (None, "-") else str(output))
    engine = engine_for(wanted)
    if engine is None:
        dot = path.with_suffix(".dot")
        _write(dot, dot_text(diagram).encode(), say=False)
        raise CommandFailure(f'no Graphviz found; wrote {dot}; pip install "regelwerk[draw]" or install Graphviz')
    try:
        picture = engine.draw(dot_text(diagram, rich=engine.rich), wanted)
    except DrawingFailed as failure:
        raise CommandFailure(
            f"{failure}; nothing is written (`--format dot` gives the text it was to draw)"
        ) from failure
    if wanted == "svg":
        picture = with_font_families(picture)
    if output == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(picture)
        sys.stdout.buffer.flush()
    else:
        _write(path, picture)
    return OK


def _write(path: Path, content: bytes, say: bool = True) -> None:
    try:
        path.write_bytes(content)
    except OSError as problem:
        raise UsageFailure(f"`{path}` cannot be written: {problem.strerror or problem}") from problem
    if say:
        print(f"wrote {path}")


__all__ = ["add_parser", "run"]
