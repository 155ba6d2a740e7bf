"""The command `draw --what`: rules, economy and board as facts of the diagram, and as all formats."""

from __future__ import annotations

import re
import shutil
import xml.etree.ElementTree as ElementTree
from functools import cache
from pathlib import Path

import pytest

from regelwerk.dsl.model import game as g
from regelwerk.dsl.source import Source
from regelwerk.interpreter.loading import check_path, check_source, shipped_games
from regelwerk.tools.command_line import main
from regelwerk.tools.diagrams.board_output import svg_text
from regelwerk.tools.diagrams.board_reading import board_diagram
from regelwerk.tools.diagrams.diagram import Diagram, Node
from regelwerk.tools.diagrams.economy_reading import economy_diagram
from regelwerk.tools.diagrams.graphviz_engines import engine_for
from regelwerk.tools.diagrams.graphviz_output import dot_text
from regelwerk.tools.diagrams.mermaid_output import mermaid_text
from regelwerk.tools.diagrams.rule_reading import rule_diagram
from regelwerk.tools.diagrams.spreading import apart, spread

GAMES = sorted(shipped_games())
READINGS = {"triggers": rule_diagram, "economy": economy_diagram, "board": board_diagram}


@cache
def game_of(name: str) -> g.CheckedGame:
    checked = check_path(name, with_scenarios=False)
    assert checked.game is not None
    return checked.game


@cache
def drawn(what: str, name: str) -> Diagram:
    return READINGS[what](game_of(name))


def small(text: str) -> g.CheckedGame:
    checked = check_source(Source("small.rules", text), with_scenarios=False)
    assert checked.game is not None, [each.message for each in checked.diagnostics]
    return checked.game


def node(diagram: Diagram, title: str) -> Node:
    (found,) = [each for each in diagram.nodes() if each.title == title]
    return found


def links(diagram: Diagram) -> set[tuple[str, str, str, str]]:
    titles = {each.id: each.title for each in diagram.nodes()}
    return {(titles[each.tail], each.kind, titles[each.head], each.label) for each in diagram.edges}


# ------------------------------------------------------------------------------------------------------- all of them
@pytest.mark.parametrize("what", READINGS)
@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_its_pictures(name: str, what: str) -> None:
    diagram = drawn(what, name)
    ids = [each.id for each in diagram.nodes()]
    assert ids
    assert len(set(ids)) == len(ids)
    assert {end for each in diagram.edges for end in (each.tail, each.head)} <= set(ids)
    text = dot_text(diagram)
    assert text.startswith(f"digraph {diagram.name} {{")
    assert text == dot_text(READINGS[what](game_of(name)))
    assert "subgraph" in text or "->" in text or len(ids) > 0


@pytest.mark.parametrize("name", GAMES)
def test_all_rules_are_in_the_picture_of_rules(name: str) -> None:
    game, diagram = game_of(name), drawn("triggers", name)
    said = " ".join(" ".join([each.title, *each.lines]) for each in diagram.nodes()).casefold()
    for role in game.roles:
        named = role.row.printed if role.row is not None else role.name.replace("_", " ")
        assert named.casefold() in said, role


@pytest.mark.parametrize("name", GAMES)
def test_all_goods_are_in_the_picture_of_the_economy(name: str) -> None:
    game, diagram = game_of(name), drawn("economy", name)
    goods = {each.address for each in diagram.nodes() if each.kind == "goods"}
    assert goods == {each.name for each in [*game.resources, *game.tracks]}
    assert len(list(diagram.nodes())) < 60


@pytest.mark.parametrize("name", GAMES)
def test_all_places_of_the_board_are_drawn_apart(name: str) -> None:
    game, diagram = game_of(name), drawn("board", name)
    fields = [each for each in game.entities if each.kind == "fields"]
    addresses = {each.address for each in diagram.nodes() if each.kind == "place"}
    for entity in fields:
        assert {row.address for row in entity.rows} <= addresses or not entity.rows
    if not fields:
        assert {each.name for each in game.zones} <= addresses
    at = [each.at for each in diagram.nodes() if each.at is not None and each.at.shape == "box"]
    for k, one in enumerate(at):
        for other in at[k + 1 :]:
            wide = (one.size[0] + other.size[0]) / 2 - abs(one.x - other.x)
            high = (one.size[1] + other.size[1]) / 2 - abs(one.y - other.y)
            assert wide < 0.02 or high < 0.02, (one, other)


@pytest.mark.parametrize("name", GAMES)
def test_the_svg_of_a_board_is_well_formed(name: str) -> None:
    root = ElementTree.fromstring(svg_text(drawn("board", name)))
    assert root.tag.endswith("svg")
    said = " ".join("".join(each.itertext()) for each in root)
    for each in drawn("board", name).nodes():
        for word in each.title.split():
            assert word in said


# ------------------------------------------------------------------------------------------------------------ rules
RULES = """edition 1
game chain "Chain" { players 2 }
resource coin/coins supply 20
track point/points per player: 0..
dice Die/Dice copies 2 faces 1..6
cards Card/Cards copies 9
zone deck of Card order pile from Cards
zone deck_two of Card order pile
action work "Work" { effect { do earn } }
effect earn { gain 1 coin }
effect pay_rent { lose 1 coin }
effect ring { nothing }
value limit(p: player) = 3
trigger first_reaction: after earn { do pay_rent }
trigger second_reaction: after earn { gain 1 point }
trigger third: before pay_rent { gain 1 point }
trigger round_and_round: after ring { draw 1 from deck to deck_two }
trigger back_again: after draw(x) { draw 1 from deck to deck_two }
rule more: modify limit plus 1
rule never: forbid work while me.coins >= limit(me) because "enough"
phase game turns from players.first { offer work   step bell { do ring } }
end over at once when some(p in players where p.points >= 3)
rank winner by me.points "points" then shared
"""


def test_rules_stand_in_chains_and_in_order() -> None:
    found = links(rule_diagram(small(RULES)))
    assert ("Earn", "reacts", "First reaction", "after, first") in found
    assert ("Earn", "reacts", "Second reaction", "after, second") in found
    assert ("First reaction", "causes", "Pay rent", "sets off") in found
    assert ("Pay rent", "reacts", "Third", "before") in found
    assert ("More", "changes", "Limit", "raises") in found
    assert ("Never", "changes", "Work", "forbids") in found


def test_what_sets_an_event_off_is_drawn() -> None:
    diagram = rule_diagram(small(RULES))
    causes = {each for each in links(diagram) if each[1] == "causes" and not each[3]}
    assert ("Work", "causes", "Earn", "") in causes
    assert any(each[2] == "Ring" for each in links(diagram) if each[1] in ("causes", "circle"))


def test_circles_are_marked() -> None:
    found = links(rule_diagram(small(RULES)))
    assert ("Anything is drawn", "circle", "Back again", "after") in found
    assert ("Back again", "circle", "Anything is drawn", "sets off") in found
    assert ("Round and round", "causes", "Anything is drawn", "sets off") in found
    assert not any(kind == "circle" and "reaction" in tail for tail, kind, _, _ in found)


def test_a_game_without_rules_says_so() -> None:
    (only,) = rule_diagram(game_of("tic_tac_toe")).nodes()
    assert only.title == "No rule reacts to anything here"


# ---------------------------------------------------------------------------------------------------------- economy
GOODS = """edition 1
game shop "Shop" { players 2 }
enum Good/Goods { wood, iron }
resource ware/wares per Good supply 9 start 1
resource coin/coins supply 20 start 3
track point/points per player: 0..9 overflow lost
cards Deal/Deals {
  column act: effect
  | deal    | act                     |
  | a "One" | gain 2 coins            |
  | b "Two" | gain 5 coins            |
  | c "Sub" | pay 1 coin to gain iron |
}
zone hand per player of Deal from Deals where no
action sell "Sell wood" { cost price: wood   effect { gain 3 coins } }
action buy "Buy a point" { cost price: 4 coins   effect { gain 1 point } }
action rest "Rest" { effect { gain 1 coin } }
action any_ware "Take any" { effect { choose k in Goods { gain k } } }
action play(d in me.hand) "Play" { effect { do d.act } }
phase game turns from players.first { offer sell, buy, rest, any_ware, play }
end over at once when some(p in players where p.points >= 3)
rank winner by me.points "points" then shared
"""


def test_what_gives_and_takes_goods() -> None:
    diagram = economy_diagram(small(GOODS.replace("where no", "where .pos > 9")))
    found = links(diagram)
    assert ("Wood", "takes", "Sell wood", "1") in found
    assert ("Sell wood", "gives", "Coins", "3") in found
    assert ("Coins", "takes", "Buy a point", "4") in found
    assert ("Take any", "gives", "Wares", "1") in found
    kinds = {each.title: each.kind for each in diagram.nodes()}
    assert (kinds["Sell wood"], kinds["Buy a point"], kinds["Rest"]) == ("converter", "converter", "source")


def test_cards_that_do_alike_are_one_box_with_a_range() -> None:
    diagram = economy_diagram(small(GOODS.replace("where no", "where .pos > 9")))
    both = node(diagram, "2 Deals: act")
    assert both.lines == ("One and Two",)
    assert ("2 Deals: act", "gives", "Coins", "2–5") in links(diagram)
    assert ("Sub", "gives", "Iron", "1") in links(diagram)


def test_prices_of_an_action_are_those_of_its_rows() -> None:
    found = links(drawn("economy", "catan"))
    assert {(tail, label) for tail, kind, head, label in found if head == "Build a city" and kind == "takes"} == {
        ("Grain", "2"),
        ("Ore", "3"),
    }


# ------------------------------------------------------------------------------------------------------------ boards
def test_squares_and_hexes_lie_as_drawn() -> None:
    at = {each.address: each.at for each in drawn("board", "tic_tac_toe").nodes() if each.kind == "place"}
    rows = {row.address: row.grid for row in next(e for e in game_of("tic_tac_toe").entities if e.marks).rows}
    for address, place in at.items():
        grid = rows[address]
        assert place is not None
        assert grid is not None
        assert place.shape == "box"
    hexes = [each.at for each in drawn("board", "catan").nodes() if each.at is not None and each.at.shape == "hexagon"]
    corners = [each.at for each in drawn("board", "catan").nodes() if each.at is not None and each.at.shape == "circle"]
    assert (len(hexes), len(corners)) == (19, 54)


def test_places_that_name_their_neighbours_are_joined() -> None:
    diagram = drawn("board", "vienna_meets_catan")
    titles = {each.id: each.title for each in diagram.nodes()}
    joined = {frozenset((titles[each.tail], titles[each.head])) for each in diagram.edges}
    assert frozenset(("P01", "P02")) in joined
    assert frozenset(("P01", "P07")) not in joined


def test_a_game_without_a_board_shows_its_zones() -> None:
    titles = {each.title for each in drawn("board", "crazy_eights").nodes()}
    assert {"The table", "Each player", "Stock", "Pile", "Hand"} <= titles


def test_spreading_is_steady_and_keeps_apart() -> None:
    names, joins = list("abcd"), [("a", "b", 1.0), ("b", "c", 1.0), ("c", "d", 1.0)]
    first, again = spread(names, joins), spread(names, joins)
    assert first == again
    far = {
        pair: sum((p - q) ** 2 for p, q in zip(first[pair[0]], first[pair[1]], strict=True)) ** 0.5
        for pair in ("ab", "ad")
    }
    assert far["ad"] > 2 * far["ab"]
    places = apart({"a": (0.0, 0.0), "b": (0.1, 0.0)}, {"a": (1.0, 1.0), "b": (1.0, 1.0)})
    assert abs(places["a"][0] - places["b"][0]) >= 1.0
    assert spread([], []) == {}


def test_a_rim_lies_around_all_others() -> None:
    rim = ["n", "e", "s", "w"]
    joins = [*zip(rim, [*rim[1:], rim[0]], [1.0] * 4, strict=True), *((each, "m", 1.0) for each in rim)]
    at = spread([*rim, "m"], joins, rim)
    xs, ys = ([at[each][k] for each in rim] for k in (0, 1))
    assert min(xs) < at["m"][0] < max(xs)
    assert min(ys) < at["m"][1] < max(ys)


# ------------------------------------------------------------------------------------------------------- the command
@pytest.mark.parametrize("what", ["triggers", "economy"])
def test_mermaid_and_dot_are_printed(what: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["draw", "vienna", "--what", what]) == 0
    assert capsys.readouterr().out.startswith("digraph vienna {")
    assert main(["draw", "vienna", "--what", what, "--format", "mermaid"]) == 0
    text = capsys.readouterr().out
    assert text.splitlines()[3] == "flowchart LR"
    assert text == mermaid_text(drawn(what, "vienna"))


def test_a_board_is_no_mermaid(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["draw", "vienna", "--what", "board", "--format", "mermaid"]) == 2
    assert "no positions" in capsys.readouterr().err


def test_a_board_needs_no_graphviz(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from regelwerk.tools.diagrams import graphviz_engines

    monkeypatch.setattr(graphviz_engines, "engines", list)
    file = tmp_path / "b.svg"
    assert main(["draw", "catan", "--what", "board", "-o", str(file)]) == 0
    assert file.read_text(encoding="utf-8").startswith("<svg ")


def test_the_name_says_what_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["draw", "tic_tac_toe", "--what", "board", "--format", "svg"]) == 0
    assert capsys.readouterr().out == "wrote tic_tac_toe-board.svg\n"


def test_hostile_names_are_escaped() -> None:
    text = (
        GOODS.replace("where no", "where .pos > 9")
        .replace('"Sell wood"', '"<b>& | x</b>"')
        .replace('"One"', '"</text><script>\'"')
    )
    game = small(text)
    dot = dot_text(economy_diagram(game))
    assert "<b>" not in dot
    assert "<script>" not in dot
    assert "&lt;b&gt;&amp; | x&lt;/b&gt;" in dot
    assert "<b>" not in re.sub(r"<b>[^<]*</b>", "", mermaid_text(economy_diagram(game)))
    ElementTree.fromstring(svg_text(board_diagram(game)))


@pytest.mark.skipif(engine_for("png") is None or shutil.which("dot") is None, reason="no Graphviz here")
@pytest.mark.parametrize("what", READINGS)
def test_pictures_are_drawn(what: str, tmp_path: Path) -> None:
    file = tmp_path / "p.png"
    assert main(["draw", "tic_tac_toe", "--what", what, "-o", str(file)]) == 0
    assert file.read_bytes().startswith(b"\x89PNG")
