"""The front end on good input: every game parses, spans are true, trivia is kept, the cache does no harm."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from regelwerk.dsl import automaton as tables
from regelwerk.dsl.diagnostics import Diagnostics, render
from regelwerk.dsl.parser import parse_expression, parse_file, read_source
from regelwerk.dsl.source import Source
from regelwerk.dsl.syntax import declarations, effects, expressions, overlays
from regelwerk.dsl.syntax.base import Citation, Expression, Identifier
from regelwerk.dsl.syntax.files import RulesFile, VariantHeader

ROOT = Path(__file__).resolve().parents[2]
GAMES = sorted(path for folder in ("games", "dsl/std") for path in (ROOT / folder).rglob("*.rules"))


def parse(text: str, name: str = "test.rules") -> RulesFile:
    found = Diagnostics()
    source = Source(name, text)
    parsed = parse_file(source, found)
    assert not found.items, "\n".join(render(each, {name: source}) for each in found)
    assert parsed is not None
    return parsed


def declared(text: str) -> Any:
    return parse(f'edition 1\ngame g "G" {{ }}\n{text}').declarations[0]


def expression(text: str) -> Expression:
    found = Diagnostics()
    value = parse_expression(text, "<terminal>", found)
    assert value is not None, found.items
    assert not found.items
    return value


def nodes(node: object) -> Iterator[BaseModel]:
    if isinstance(node, BaseModel):
        yield node
        for field in type(node).model_fields:
            yield from nodes(getattr(node, field))
    elif isinstance(node, tuple):
        for each in node:
            yield from nodes(each)


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_every_game_parses(path: Path) -> None:
    parsed = parse(path.read_text(encoding="utf-8"), path.name)
    assert parsed.edition == 1
    assert parsed.declarations or parsed.libraries or isinstance(parsed.header, VariantHeader)


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_spans_are_true(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    parsed = parse(text, path.name)
    for node in nodes(parsed):
        span = getattr(node, "span", None)
        if span is None:
            continue
        written = text[span.start : span.end]
        assert written == written.strip() or isinstance(node, RulesFile)
        if isinstance(node, Identifier):
            assert written == node.text
        elif isinstance(node, Citation):
            assert written.startswith(node.text)
        elif isinstance(node, expressions.IntLiteral):
            assert int(written) == node.value
        elif isinstance(node, effects.Gain):
            assert written.startswith("gain ")
        elif isinstance(node, effects.Block) and node.braces:
            assert written[0] == "{"
            assert written[-1] == "}"
        elif isinstance(node, expressions.Quantity):
            assert written.endswith(node.unit.text)
        elif isinstance(node, declarations.Action):
            assert written.startswith("action ")


def test_lark_reads_the_same_files() -> None:
    lark = tables.build_lark(strict=True)
    for path in GAMES:
        lark.parse(path.read_text(encoding="utf-8"), start="start")


# ------------------------------------------------------------------------------------------------------------- details
def test_units_stand_on_the_line_of_their_amount() -> None:
    assert isinstance(expression("(n + 1) coins"), expressions.Quantity)
    assert isinstance(expression("rate sold"), expressions.Quantity)
    found = Diagnostics()
    assert parse_expression("2\ncoins", "<terminal>", found) is None
    assert found.failed


def test_keywords_are_names_elsewhere() -> None:
    value = expression("deck.first.row.set")
    assert isinstance(value, expressions.Attribute)
    assert value.name.text == "set"
    assert declared("value order = value + offer").name.text == "order"


def test_not_and_its_kin() -> None:
    assert isinstance(expression("not a"), expressions.Not)
    negated = expression("a is not b")
    assert isinstance(negated, expressions.Is)
    assert negated.negated
    outside = expression("a not in b")
    assert isinstance(outside, expressions.In)
    assert outside.negated


@pytest.mark.parametrize(
    ("text", "form", "repeated", "lowest", "highest"),
    [
        ("S", "one", False, None, None),
        ("1..6", "one", False, None, None),
        ("2 of S", "some", False, 2, 2),
        ("1..3 of S", "some", False, 1, 3),
        ("up to 3 of S", "up_to", False, None, 3),
        ("2 times S", "some", True, 2, 2),
        ("up to 3 times S", "up_to", True, None, 3),
        ("as many as possible up to 4 of S", "most", False, None, 4),
        ("as many as possible up to 4 times S", "most", True, None, 4),
    ],
)
def test_domains(text: str, form: str, repeated: bool, lowest: int | None, highest: int | None) -> None:
    value = expression(f"count(x in {text})")
    assert isinstance(value, expressions.Quantified)
    domain = value.head.binders[0].domain
    assert (domain.form, domain.repeated) == (form, repeated)
    for bound, expected in ((domain.lowest, lowest), (domain.highest, highest)):
        assert (bound.value if isinstance(bound, expressions.IntLiteral) else None) == expected


def test_texts() -> None:
    effect = declared('effect a { gain 1 point "{{x}} {a.b} and {c coins}!" }')
    text = effect.body.statements[0].reason
    assert [hole.plain for hole in text.holes] == ["{x} ", " and "]
    assert text.tail == "!"
    assert text.raw == "{{x}} {a.b} and {c coins}!"


def test_citations_and_ranges() -> None:
    remark = declared('remark "why" [V-034, V-040..042 X-A1b]')
    assert [(each.text, each.last) for each in remark.citations] == [("V-034", None), ("V-040", 42), ("X-A1b", None)]
    constant = declared("const x = N-1 [N-1]")
    assert isinstance(constant.value, expressions.Binary)
    assert constant.citations[0].text == "N-1"


def test_tables() -> None:
    entity = declared(
        """fields F/Fs {
  column stones, arms: 0..7 = 0
  | f        | stones | act               | text | rule         |
  | a "A|B"  | 3      | gain 1 coin then do x | "|" | V-001, V-002 |   // said here
  | set      |        |                   |      |              |
  | c        | set    | modify x plus 1   | yes  |              |
}"""
    )
    assert [column.name.text for column in entity.columns] == ["stones", "arms"]
    first, second, third = entity.rows
    assert first.printed == "A|B"
    assert [name.text for name in first.columns] == ["stones", "act", "text"]
    assert [each.text for each in first.citations] == ["V-001", "V-002"]
    assert isinstance(first.cells[1], declarations.CellEffect)
    assert first.cells[1].body.braces is False
    assert second.cells == (None, None, None)
    assert isinstance(third.cells[0], declarations.CellExpression)
    assert isinstance(third.cells[1], declarations.CellRules)


def test_rows_placed_in_an_extension() -> None:
    extension = declared("extend fields F {\n | f | n |\n after x | a | 1 |\n | b | 2 |\n}")
    placed, row = extension.items
    assert isinstance(placed, overlays.Placed)
    assert isinstance(placed.item, declarations.Row)
    assert isinstance(row, declarations.Row)


def test_drawings() -> None:
    entity = declared('fields F grid {\n  drawing g """\n\n    .~\n     ~.\n  """ legend { ".": land, "~": canal }\n}')
    drawing = entity.drawings[0]
    assert drawing.lines == ("    .~", "     ~.")
    assert [glyph.glyph for glyph in drawing.legend] == [".", "~"]


def test_statements() -> None:
    effect = declared(
        """effect a {
  choose x in S
  may choose y in T "really?" { gain 1 coin }
  gain 1 coin or (lose 1 coin then gain 2 coins)
  choose z in S again at most 3 or done "enough" when x is y { nothing }
}"""
    )
    bare, optional, either, again = effect.body.statements
    assert bare.body is None
    assert optional.optional
    assert isinstance(either, effects.Either)
    assert isinstance(either.alternatives[1], effects.Block)
    assert again.again.done is not None
    assert again.again.done_when is not None


def test_comments_are_kept() -> None:
    text = 'edition 1\ngame g "G" { }   // behind\n// before\nvalue x = 1\n// last'
    parsed = parse(text)
    assert parsed.comments == ((text.index("value"), "// before"), (len(text), "// last"))
    assert parsed.trailing_comments == ((text.index("}"), "// behind"),)


def test_names_are_normalized() -> None:
    constant = declared("const cafe\u0301 = 1")
    assert constant.name.text == "caf\u00e9"
    assert constant.name.span.end - constant.name.span.start == 5


def test_line_ends_and_byte_order_mark(tmp_path: Path) -> None:
    text = 'edition 1\r\ngame g "G" { }\r\nfields F {\r\n | a | b |\r\n | x | 1 |\r\n}\r\n'
    assert len(parse("\ufeff" + text).declarations) == 1
    path = tmp_path / "game.rules"
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    found = Diagnostics()
    source = read_source(path, found)
    assert source is not None
    assert source.text == text
    assert not found.items


# --------------------------------------------------------------------------------------------------------------- cache
@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    tables.automaton.cache_clear()
    yield tmp_path / "regelwerk"
    tables.automaton.cache_clear()


def test_the_tables_are_cached_in_a_private_place(cache: Path) -> None:
    built = tables.automaton()
    (file,) = cache.iterdir()
    if sys.platform != "win32":
        assert cache.stat().st_mode & 0o077 == 0
    tables.automaton.cache_clear()
    loaded = tables.automaton()
    assert loaded is not built
    assert loaded.productions == built.productions
    assert file.exists()


@pytest.mark.parametrize("damage", ["empty", "cut", "changed", "other"])
def test_a_damaged_cache_is_not_used(cache: Path, damage: str) -> None:
    tables.automaton()
    (file,) = cache.iterdir()
    content = file.read_bytes()
    file.write_bytes(
        {
            "empty": b"",
            "cut": content[: len(content) // 2],
            "changed": content.replace(b"gain", b"gone"),
            "other": b"\x80\x04K\x01.",
        }[damage]
    )
    tables.automaton.cache_clear()
    assert parse('edition 1\ngame g "G" { }').header is not None
    tables.automaton.cache_clear()
    assert tables._load(file) is not None  # made anew


def test_no_cache_without_a_safe_place(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.parent.mkdir(exist_ok=True)
    cache.write_text("a file is in the way")
    assert tables.cache_directory() is None
    assert parse('edition 1\ngame g "G" { }').header is not None
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("LOCALAPPDATA", "relative")
    assert tables.cache_directory() is None


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of another kind")
def test_a_cache_open_to_others_is_closed(cache: Path) -> None:
    cache.mkdir(mode=0o777)
    os.chmod(cache, 0o777)
    assert tables.cache_directory() == cache
    assert cache.stat().st_mode & 0o077 == 0


def test_sources_are_equal_whether_or_not_lines_were_asked_for() -> None:
    one, other = Source("a.rules", "edition 1\n"), Source("a.rules", "edition 1\n")
    one.position(9)
    assert one == other
