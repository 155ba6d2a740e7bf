"""Libraries in files of their own: where they are looked for, and what is said of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from regelwerk.dsl.diagnostics import RulesError
from regelwerk.interpreter.api import Game
from regelwerk.interpreter.loading import Checked, check_path, load_game

GAME = """edition 1
game user "User" {{ players 2 }}
{uses}
enum Colour {{ red, green }}
state n: 0..9 = 0
action go "Go" {{ effect {{ set n = {value} }} }}
phase p for p in players acting p {{ offer go }}
rank winner by me.seat
"""
LIBRARY = """edition 1
library beside(Kind) { value how_many: 0..9 = count(k in Kind)   value second: 0..9 = how_many + helper.twice }
library helper { value twice(n: 0..9): 0..9 = n + n }
"""


def written(folder: Path, uses: str, value: str = "how_many", **others: str) -> Checked:
    for name, text in others.items():
        (folder / f"{name}.rules").write_text(text, encoding="utf-8")
    path = folder / "user.rules"
    path.write_text(GAME.format(uses=uses, value=value), encoding="utf-8")
    return check_path(path)


def codes(checked: Checked) -> list[str]:
    return [each.code for each in checked.diagnostics]


def test_a_library_lies_beside_the_game(tmp_path: Path) -> None:
    checked = written(tmp_path, "use beside(Colour)", beside=LIBRARY)
    assert codes(checked) == []
    assert checked.game is not None
    state = Game(checked.game, checked.diagnostics, checked.sources).new(2, 0)
    assert state.decision is not None
    state.step(state.decision.options[0])
    assert {view.name: view.value for view in state.view(None).states}["n"] == "2"


def test_a_file_can_hold_several_libraries(tmp_path: Path) -> None:
    library = LIBRARY.replace("helper.twice", "2.twice")
    checked = written(tmp_path, "use beside(Colour)\nuse helper", "second", beside=library)
    assert codes(checked) == []


def test_what_is_not_used_is_not_checked(tmp_path: Path) -> None:
    assert codes(written(tmp_path, "use beside(Colour)", "how_many", beside=LIBRARY)) == []


def test_errors_of_a_library_say_where_it_is_used(tmp_path: Path) -> None:
    checked = written(tmp_path, "use beside(Colour)", "second", beside=LIBRARY)
    assert codes(checked) == ["E0203"]
    found = checked.diagnostics[0]
    assert found.span is not None
    assert found.span.source.endswith("beside.rules")
    assert [label.span.source for label in found.labels] == [str(tmp_path / "user.rules")]


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    checked = written(tmp_path, "use beside(Colour)")
    assert "E0211" in codes(checked)


def test_a_game_is_no_library(tmp_path: Path) -> None:
    other = GAME.format(uses="", value="1")
    assert codes(written(tmp_path, "use other", "1", other=other)) == ["E0218"]
    assert codes(written(tmp_path, "use user", "1")) == ["E0218"]


def test_a_file_without_that_library(tmp_path: Path) -> None:
    assert codes(written(tmp_path, "use other", "1", other=LIBRARY)) == ["E0211"]


def test_a_library_that_cannot_be_read(tmp_path: Path) -> None:
    checked = written(tmp_path, "use beside(Colour)", beside="edition 1\nlibrary beside(Kind) { value v = }\n")
    assert any(each.span is not None and each.span.source.endswith("beside.rules") for each in checked.diagnostics)
    assert checked.game is None


def test_nothing_is_read_outside_the_folder(tmp_path: Path) -> None:
    inside = tmp_path / "games"
    inside.mkdir()
    (tmp_path / "beside.rules").write_text(LIBRARY, encoding="utf-8")
    assert "E0211" in codes(written(inside, "use beside(Colour)"))
    try:
        (inside / "beside.rules").symlink_to(tmp_path / "beside.rules")
    except OSError:
        pytest.skip("no links here")
    assert "E0211" in codes(written(inside, "use beside(Colour)"))


def test_a_library_alone_is_checked_and_cannot_be_played(tmp_path: Path) -> None:
    path = tmp_path / "beside.rules"
    path.write_text(LIBRARY, encoding="utf-8")
    assert codes(check_path(path)) == []
    with pytest.raises(RulesError) as refused:
        load_game(path)
    assert [each.code for each in refused.value.diagnostics] == ["E0101"]


def test_the_standard_library_alone_is_right() -> None:
    import regelwerk.dsl

    assert codes(check_path(Path(next(iter(regelwerk.dsl.__path__))) / "std" / "standard.rules")) == []


def test_a_variant_brings_its_own_library(tmp_path: Path) -> None:
    written(tmp_path, "", "1")
    (tmp_path / "beside.rules").write_text(LIBRARY, encoding="utf-8")
    path = tmp_path / "more.rules"
    path.write_text(
        'edition 1\nvariant more "More" of user\nuse beside(Colour)\ninvariant two: how_many is 2\n', encoding="utf-8"
    )
    assert codes(check_path(path)) == []
