"""Watching files: a change of the text is told once, a change of the time alone is not."""

from __future__ import annotations

import os
from pathlib import Path

from regelwerk.tools.watching import Watch


def test_a_changed_text_is_told_once(tmp_path: Path) -> None:
    one, two = tmp_path / "one.rules", tmp_path / "two.rules"
    one.write_text("a", encoding="utf-8")
    two.write_text("b", encoding="utf-8")
    watch = Watch([one, two])
    assert watch.changed() == ()
    two.write_text("longer", encoding="utf-8")
    assert watch.changed() == (two,)
    assert watch.changed() == ()


def test_a_touched_file_has_not_changed(tmp_path: Path) -> None:
    path = tmp_path / "a.rules"
    path.write_text("a", encoding="utf-8")
    watch = Watch([path])
    os.utime(path, (1, 1))
    assert watch.changed() == ()


def test_the_same_size_is_no_excuse(tmp_path: Path) -> None:
    path = tmp_path / "a.rules"
    path.write_text("a", encoding="utf-8")
    watch = Watch([path])
    path.write_text("b", encoding="utf-8")
    os.utime(path, (1, 1))
    assert watch.changed() == (path,)


def test_files_that_go_and_come(tmp_path: Path) -> None:
    path = tmp_path / "a.rules"
    watch = Watch([path])
    path.write_text("a", encoding="utf-8")
    assert watch.changed() == (path,)
    path.unlink()
    assert watch.changed() == (path,)


def test_following_keeps_what_was_seen(tmp_path: Path) -> None:
    path, more = tmp_path / "a.rules", tmp_path / "b.rules"
    path.write_text("a", encoding="utf-8")
    watch = Watch([path])
    path.write_text("changed", encoding="utf-8")
    watch.follow([path, more])
    assert watch.paths == (path, more)
    assert watch.changed() == (path,)


def test_waiting_ends_when_told_to(tmp_path: Path) -> None:
    path = tmp_path / "a.rules"
    path.write_text("a", encoding="utf-8")
    watch = Watch([path])
    asked = iter([False, True])
    assert watch.wait(lambda: next(asked), 0.0) == ()
    path.write_text("b", encoding="utf-8")
    assert watch.wait(pause=0.0) == (path,)
