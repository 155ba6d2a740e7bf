"""The command `rulebook`: every shipped game gives a complete book and an aid, whatever stands in its file."""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest

from regelwerk.dsl.source import Source
from regelwerk.interpreter.loading import Checked, check_path, check_source, shipped_games
from regelwerk.tools.command_line import main
from regelwerk.tools.rulebook import naming
from regelwerk.tools.rulebook.aid import player_aid
from regelwerk.tools.rulebook.asking import prompt_of
from regelwerk.tools.rulebook.book import Book, texts
from regelwerk.tools.rulebook.chapters import rulebook
from regelwerk.tools.rulebook.gathering import sheet
from regelwerk.tools.rulebook.html import html
from regelwerk.tools.rulebook.markdown import escape, markdown
from regelwerk.tools.rulebook.markup import plain, targets
from regelwerk.tools.rulebook.pictures import board_drawings, phase_flow

GAMES = sorted(shipped_games())


@cache
def checked(name: str) -> Checked:
    found = check_path(name, with_scenarios=False)
    assert found.game is not None, found.diagnostics
    return found


@cache
def book_of(name: str) -> Book:
    game = checked(name).game
    assert game is not None
    return rulebook(checked(name), board_drawings(game))


class Page(HTMLParser):
    """What a page says: its ids, the links inside it, whether its tags are closed in order."""

    VOID = frozenset({"meta", "br", "hr", "img", "link", "input"})

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: list[str] = []
        self.open: list[str] = []
        self.said: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for key, value in attrs:
            if key == "id":
                self.ids.append(value or "")
            if key == "href":
                self.links.append(value or "")
            assert not key.startswith("on"), f"a handler {key}"
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.said.append(data)


def words_of(book: Book) -> str:
    return "\n".join(plain(each) for each in texts(book))


# ------------------------------------------------------------------------------------------------------ completeness
@pytest.mark.parametrize("name", GAMES)
def test_everything_has_its_entry(name: str) -> None:
    game, book = checked(name).game, book_of(name)
    assert game is not None
    anchors = book.anchors()
    for symbol in [
        *game.actions, *game.effects, *game.options, *game.awards, *game.ends, *game.ranks, *game.scores,
        *game.resources, *game.tracks, *game.zones, *game.states,
    ]:  # fmt: skip
        assert naming.anchor(symbol) in anchors, symbol
    said = words_of(book)
    for entity in game.entities:
        for row in entity.rows:
            if row.printed != row.name and not entity.marks:
                assert row.printed in said, row
    for score in game.scores:
        for line in score.lines:
            assert line.printed.lower() in said.lower()
    for action in game.actions:
        for part in action.prompt.parts if action.prompt is not None else ():
            if isinstance(part, str):
                assert part.strip() in said, part


@pytest.mark.parametrize("name", GAMES)
def test_every_cited_clause_occurs_and_leads_back(name: str) -> None:
    made, book = sheet(checked(name)), book_of(name)
    cited = {each for ids in made.cited.values() for each in ids}
    assert made.game is not None
    cited |= {each for entity in made.game.entities for row in entity.rows for each in row.citations}
    if not cited:
        assert all(chapter.anchor != "clauses" for chapter in book.chapters)
        return
    (clauses,) = [each for each in book.chapters if each.anchor == "clauses"]
    (grid,) = clauses.sections[0].blocks
    assert {row[0] for row in grid.rows} >= cited  # type: ignore[union-attr]  # that chapter is one table
    anchors = book.anchors()
    assert all(target in anchors for row in grid.rows for target in targets(row[1]))  # type: ignore[union-attr]  # as above
    assert all(targets(row[1]) for row in grid.rows)  # type: ignore[union-attr]  # as above


@pytest.mark.parametrize("name", GAMES)
def test_no_raw_names_in_prose(name: str) -> None:
    for book in (book_of(name), player_aid(checked(name))):
        for text in texts(book):
            assert not re.search(r"\w_\w", plain(text)), plain(text)
            assert not re.search("[\ue000-\uf8ff]", plain(text)), plain(text)
            assert "  " not in plain(text).strip(), plain(text)
            assert not re.search(r"\b(the the|a the|of of|an? an?|to to|is is|and and)\b", plain(text)), plain(text)


@pytest.mark.parametrize("name", GAMES)
def test_the_diagram_of_a_book_is_in_words(name: str) -> None:
    flow = phase_flow(checked(name), drawn=False)
    for label in re.findall(r'"([^"]*)"', flow.mermaid):
        assert not re.search(r"\w_\w", label), label
        assert not re.search("[\ue000-\uf8ff]", label), label
    game = checked(name).game
    assert game is not None
    for action in game.actions:
        assert re.sub(r"[^\w ]", "", plain(prompt_of(sheet(checked(name)).words, action))) in re.sub(
            r"#\d+;|[^\w ]", "", flow.mermaid
        )


@pytest.mark.parametrize("name", GAMES)
def test_boards_are_drawn(name: str) -> None:
    game = checked(name).game
    assert game is not None
    boards = [each for each in game.entities if each.kind == "fields"]
    drawings = board_drawings(game)
    assert bool(drawings) == bool(boards)
    for each in drawings.values():
        assert Page(each.svg).open == []
        assert each.text.strip()


@pytest.mark.parametrize("name", GAMES)
def test_anchors_are_unique(name: str) -> None:
    page = Page(html(book_of(name)))
    assert len(set(page.ids)) == len(page.ids)


# ----------------------------------------------------------------------------------------------------------- outputs
@pytest.mark.parametrize("name", GAMES)
def test_the_page_is_whole_and_needs_nothing(name: str) -> None:
    text = html(book_of(name))
    page = Page(text)
    assert page.open == []
    assert not {"script", "iframe", "object", "img", "link", "form"} & set(page.tags)
    assert not re.search(r"https?:|url\(", text.replace('xmlns="http://www.w3.org/2000/svg"', ""))
    inside = {each.removeprefix("#") for each in page.links}
    assert all(each.startswith("#") for each in page.links)
    assert inside <= set(page.ids)


@pytest.mark.parametrize("name", GAMES)
def test_markdown_links_resolve_and_tables_are_even(name: str) -> None:
    text = markdown(book_of(name))
    anchors = re.findall(r'<a id="([^"]+)"></a>', text)
    assert len(set(anchors)) == len(anchors)
    assert set(re.findall(r"\]\(#([^)]+)\)", text)) <= set(anchors)
    rows: list[int] = []
    for line in [*text.splitlines(), ""]:
        if line.startswith("|"):
            rows.append(len(re.findall(r"(?<!\\)\|", line)))
        elif rows:
            assert len(set(rows)) == 1
            rows = []


@pytest.mark.parametrize("name", GAMES)
def test_twice_gives_the_same(name: str) -> None:
    fresh = check_path(name, with_scenarios=False)
    assert fresh.game is not None
    again = rulebook(fresh, board_drawings(fresh.game))
    assert markdown(again) == markdown(book_of(name))
    assert html(again) == html(book_of(name))


@pytest.mark.parametrize("name", GAMES)
def test_the_aid_has_all_actions_and_fits_a_page(name: str) -> None:
    aid = player_aid(checked(name))
    game = checked(name).game
    assert game is not None
    said, made = words_of(aid), sheet(checked(name))
    for action in game.actions:
        assert plain(prompt_of(made.words, action)) in said
    lines = sum(1 + len(each) // 62 for text in texts(aid) for each in [plain(text)] if each)
    assert lines < 2 * 84, f"{lines} lines in two columns"


CORPUS = sorted((Path(__file__).parents[1] / "conformance").glob("*.rules"))


def test_every_construct_of_the_corpus_has_a_book() -> None:
    made = 0
    for file in CORPUS:
        found = check_path(file, with_scenarios=False)
        if found.game is None:  # what others build on
            continue
        made += 1
        book = rulebook(found)
        for text in texts(book):
            assert not re.search("\\w_\\w|[\ue000-\uf8ff]", plain(text)), (file.name, plain(text))
        assert Page(html(book)).open == []
        assert markdown(player_aid(found))
    assert made > 60


# ---------------------------------------------------------------------------------------------------------- variants
def test_a_variant_marks_what_it_changes() -> None:
    book = book_of("catan_austria")
    marks = {each.anchor: each.mark for each in book.entries()}
    assert marks["action-build-hotel"] == "new"
    assert marks["action-build-city"] == "changed"
    assert marks["action-build-road"] == ""
    (chapter,) = [each for each in book.chapters if each.anchor == "differences"]
    said = words_of(Book("", "", "", [chapter]))
    assert "trade first" in said
    assert "lay out board" in said
    assert "What differs from Catan" in said


def test_rows_that_a_variant_changes_are_marked() -> None:
    said = [plain(each) for each in texts(book_of("grand_austria_hotel_2022"))]
    assert "Kitchen Hand (changed)" in said
    assert "Groom" in said
    assert "Emperor tile “A1” (changed)." in said
    said = [plain(each) for each in texts(book_of("vienna_danube"))]
    assert "Reichsbrücke (new)" in said
    assert "Krieau" in said
    assert "The end “Ship empty”." in said


def test_a_game_marks_nothing() -> None:
    assert {each.mark for each in book_of("catan").entries()} == {""}


# ------------------------------------------------------------------------------------------------------ hostile text
HOSTILE = """edition 1
game hostile "<script>alert(1)</script> & | `x` *y* [z](http://evil)" { players 2 }
track point/points "<b>point</b>/<b>points</b>" per player: 0..
cards Card/Cards "card \\" onmouseover=x/cards | |" {
  column worth: 0..9
  | card                                      | worth |
  | a "</td></table><img src=x onerror=y>"    | 1     |
  | b "![x](javascript:alert) <!-- --> &lt; ~" | 2     |
}
zone hand per player of Card from Cards where .worth is 1
action wait "Wait </h4><script>x</script> | # heading" { effect { gain 1 point "because <i>" } }
phase game turns from players.first { offer wait }
end over at once when some(p in players where p.points >= 3)
rank winner by me.points "</ol>" then shared
remark "</p><style>*{}</style> | - 1. x"
"""


def hostile() -> Checked:
    found = check_source(Source("hostile.rules", HOSTILE.replace('\\"', "'")), with_scenarios=False)
    assert found.game is not None, [each.message for each in found.diagnostics]
    return found


def test_hostile_texts_are_only_texts() -> None:
    for book, aid in ((rulebook(hostile()), False), (player_aid(hostile()), True)):
        text = html(book, aid=aid)
        page = Page(text)
        assert page.open == []
        assert not {"script", "img", "i", "b"} & set(page.tags)
        assert page.tags.count("style") == 1
        assert any("<script>alert(1)</script>" in each for each in page.said)
        written = markdown(book)
        assert not re.search(r"<(?!a id=|/a>)", re.sub(r"\\<", "", written))
        assert not re.search(r"(?<!\\)\]\((http|javascript)", written)
        assert all(len(re.findall(r"(?<!\\)\|", row)) > 1 for row in written.splitlines() if row.startswith("|"))


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a | b", "a \\| b"),
        ("<b>", "\\<b\\>"),
        ("*x* _y_ `z`", "\\*x\\* \\_y\\_ \\`z\\`"),
        ("[a](b)", "\\[a\\](b)"),
        ("# head", "\\# head"),
        ("- item", "\\- item"),
        ("1. item", "1\\. item"),
        ("&lt;", "\\&lt;"),
        ("Müller & Söhne", "Müller & Söhne"),
    ],
)
def test_markdown_escapes(text: str, escaped: str) -> None:
    assert escape(text) == escaped


# ------------------------------------------------------------------------------------------------------- the command
def test_the_command_prints_markdown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rulebook", "tic_tac_toe"]) == 0
    assert capsys.readouterr().out.startswith("# Tic-Tac-Toe\n")


def test_the_ending_says_the_form(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, text = tmp_path / "t.html", tmp_path / "t.md"
    assert main(["rulebook", "tic_tac_toe", "-o", str(page)]) == 0
    assert main(["rulebook", "tic_tac_toe", "-o", str(text), "--player-aid"]) == 0
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert text.read_text(encoding="utf-8").startswith("# Tic-Tac-Toe: player aid\n")
    assert capsys.readouterr().out == f"wrote {page}\nwrote {text}\n"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["rulebook", "tic_tac_toe", "-o", "x.pdf"], 2, "none of .html"),
        (["rulebook", "no_such_game"], 2, "neither a file nor the name of a game"),
        (["rulebook"], 2, "required"),
        (["rulebook", "dsl/std/standard.rules"], 2, "is a library, no game"),
        (["draw", "dsl/std/standard.rules", "--what", "board"], 2, "is a library, no game"),
        (["rulebook", "tic_tac_toe", "-o", "no_such_folder/x.md"], 2, "cannot be written"),
    ],
)
def test_wrong_usage(
    arguments: list[str],
    code: int,
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])
    assert main(arguments) == code
    assert message in capsys.readouterr().err


def test_a_file_with_errors_gives_no_book(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "bad.rules"
    file.write_text('edition 1\ngame bad "Bad" { players 2 }\nphase game { offer nothing_there }\n', encoding="utf-8")
    assert main(["rulebook", str(file)]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert "has errors, so there is no rulebook" in said.err


def test_without_a_drawing_program_the_phases_are_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from regelwerk.tools.diagrams import graphviz_engines

    monkeypatch.setattr(graphviz_engines, "engines", list)
    page = tmp_path / "t.html"
    assert main(["rulebook", "crazy_eights", "-o", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert "No Graphviz was found" in text
    assert "<svg" not in text
