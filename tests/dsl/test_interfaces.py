"""Interfaces and variants: what a new table has to answer."""

from __future__ import annotations

from pathlib import Path

from regelwerk.dsl.diagnostics import Diagnostic
from regelwerk.interpreter.loading import check_path

BASE = """edition 1
game base "Base" { players 2 }
interface Board of Field {
  value fee(f: Field): 0..9
  value near(f: Field): set of Field
  value mark(f: Field): 0..9
}
fields Field/Fields {
  column fee: 0..5
  column mark: 0..9 = 0
  | field | fee |
  | a     | 1   |
  | b     | 2   |
}
value near(f: Field): set of Field = Fields where it is not f
resource coin/coins supply 20 start 5
value dear(f: Field): yes/no = f.fee > 1
action rest(f in Fields where it.near is not empty) "Rest" { effect { lose f.fee coins } }
phase p for p in players acting p { offer rest }
rank winner by me.coins
"""


def found(folder: Path, variant: str) -> list[Diagnostic]:
    (folder / "base.rules").write_text(BASE, encoding="utf-8")
    path = folder / "other.rules"
    path.write_text('edition 1\nvariant other "Other" of base\n' + variant, encoding="utf-8")
    return [each for each in check_path(path).diagnostics if each.severity == "error"]


def test_the_base_is_right(tmp_path: Path) -> None:
    assert found(tmp_path, "") == []


def test_a_new_table_that_answers(tmp_path: Path) -> None:
    new = "replace fields Field/Fields copies 3\nvalue fee(f: Field): 0..9 = 2\n"
    assert found(tmp_path, new) == []


def test_a_new_table_that_lacks_an_answer(tmp_path: Path) -> None:
    errors = found(tmp_path, "replace fields Field/Fields copies 3\n")
    assert [each.code for each in errors] == ["E0752"]
    assert errors[0].message.startswith("the new Field lacks `fee`, asked by ")
    assert "dear" in errors[0].message
    assert "rest" in errors[0].message


def test_a_wider_answer(tmp_path: Path) -> None:
    new = "replace fields Field/Fields copies 3\nvalue fee(f: Field): 0..20 = 2\n"
    assert [each.code for each in found(tmp_path, new)] == ["E0754"]


def test_a_variant_may_use_its_own_columns(tmp_path: Path) -> None:
    new = """replace fields Field/Fields {
  column fee: 0..9
  column colour: 0..3
  | field | fee | colour |
  | c     | 4   | 1      |
  | d     | 5   | 2      |
}
value coloured(f: Field): yes/no = f.colour > 1
invariant some_colour: some(f in Fields where f is coloured)
"""
    assert found(tmp_path, new) == []
