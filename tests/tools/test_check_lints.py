"""`check` with lints: what counts, what is allowed, what is fixed, and watching."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from regelwerk.dsl.diagnostics import Diagnostic, Fix, Replacement
from regelwerk.dsl.source import Source, Span
from regelwerk.tools import fixing
from regelwerk.tools.checking import Judging, report_of_text

ROOT = Path(__file__).resolve().parents[2]

SHOP = """edition 1
game shop "A shop" { players 2   cap 9 day }
use turns
resource coin/coins supply 20 start 3
track point/points per player: 0..30

// what it was
const old_price = 3   // once
value dear(p: player) = cheap(p) and p.points > 2
value cheap(p: player) = p.coins < 9
phase day turns from players.first while every(p in players: p.points < 9) { offer buy, stay }
action buy "Buy" {
  require open: me.coins >= 2 and players.count >= 2
  effect { lose 2 coins   gain 1 point }
}
action stay "Stay" { effect { gain 1 coin   let n = me.coins } }
rank winner by me.points
"""
FIXED = """edition 1
game shop "A shop" { players 2   cap 9 day }
resource coin/coins supply 20 start 3
track point/points per player: 0..30

// what it was
phase day turns from players.first while every(p in players: p.points < 9) { offer buy, stay }
action buy "Buy" {
  require open: me.coins >= 2
  effect { lose 2 coins   gain 1 point }
}
action stay "Stay" { effect { gain 1 coin } }
rank winner by me.points
"""


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "shop.rules"
    path.write_text(SHOP, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return path


# ------------------------------------------------------------------------------------------------------- what counts
def test_warnings_count_only_if_asked(run: Any, shop: Path) -> None:
    assert run("check", str(shop)).code == 0
    strict = run("check", str(shop), "--strict")
    assert strict.code == 1
    assert strict.out.splitlines()[-1] == "shop.rules: no errors, 5 warnings"
    clean = run("check", str(shop), "--strict", "--no-lints")
    assert (clean.code, clean.out) == (0, "shop.rules: no errors\n")


def test_codes_can_be_allowed(run: Any, shop: Path) -> None:
    codes = {line.split()[1] for line in run("check", str(shop), "--format", "concise").out.splitlines()}
    assert codes == {"W0901", "W0905", "W0906", "W0930"}
    words = [word for code in codes for word in ("--allow", code)]
    assert run("check", str(shop), "--strict", *words).out == "shop.rules: no errors\n"
    assert run("check", str(shop), "--allow", "E0203").code == 2
    assert run("check", str(shop), "--allow", "unused").code == 2


def test_a_warning_of_the_checker_is_allowed_like_a_lint(run: Any, shop: Path) -> None:
    text = SHOP.replace("rank winner by me.points\n", "")
    shop.write_text(text, encoding="utf-8")
    assert "W0502" in run("check", str(shop), "--no-lints", "--format", "concise").out
    assert "W0502" not in run("check", str(shop), "--no-lints", "--allow", "W0502", "--format", "concise").out
    shop.write_text(text.replace("game shop", "// lint: allow W0502 it is a pastime\ngame shop"), encoding="utf-8")
    assert "W0502" not in run("check", str(shop), "--format", "concise").out


def test_a_file_with_errors_has_no_lints(run: Any, shop: Path) -> None:
    shop.write_text(SHOP.replace("gain 1 point }", "gain 1 pont }"), encoding="utf-8")
    out = run("check", str(shop), "--format", "concise").out
    assert "E0330" in out
    assert "W09" not in out


def test_a_document_has_no_lints(run: Any, shop: Path) -> None:
    document = run("export", str(shop)).out
    path = shop.with_suffix(".json")
    path.write_text(document, encoding="utf-8")
    assert run("check", str(path), "--strict").out == "shop.json: no errors\n"


def test_who_plays_loads_no_lints(shop: Path) -> None:
    code = (
        "import sys; from regelwerk.tools.command_line import main; "
        f"main(['simulate', {str(shop)!r}, '--games', '1']); "
        "print([name for name in sys.modules if 'dsl.lints' in name])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment(), check=True)
    assert done.stdout.splitlines()[-1] == "[]"


# ------------------------------------------------------------------------------------------------------------- fixing
def test_fix(run: Any, shop: Path) -> None:
    answer = run("check", str(shop), "--fix")
    assert shop.read_text(encoding="utf-8") == FIXED
    lines = answer.out.splitlines()
    assert lines[-1] == "6 fixes applied; shop.rules: no errors"
    assert "fixed: shop.rules:8: W0901 remove `old_price`" in lines
    assert len([line for line in lines if line.startswith("fixed: ")]) == 6  # `cheap` was asked by `dear` alone
    assert answer.code == 0
    assert run("check", str(shop), "--fix").out == "no fix applied; shop.rules: no errors\n"
    assert list(shop.parent.iterdir()) == [shop]


def test_what_a_variant_needs_stays(run: Any, shop: Path) -> None:
    """A variant beside the file asks for `old_price`, and may ask for anything of a library."""
    variant = shop.with_name("old_shop.rules")
    variant.write_text(
        'edition 1\nvariant old_shop "As it was" of shop\n'
        'rule dear_times: forbid stay while old_price > me.coins because "no"\n',
        encoding="utf-8",
    )
    answer = run("check", str(shop), "--fix")
    text = shop.read_text(encoding="utf-8")
    assert "const old_price" in text
    assert "use turns" in text
    assert "value dear" not in text
    assert answer.out.splitlines()[-1] == "4 fixes applied; shop.rules: no errors, 2 warnings"
    assert run("check", str(variant)).code == 0


def test_a_file_keeps_who_may_read_it(run: Any, shop: Path) -> None:
    shop.chmod(0o640)
    assert run("check", str(shop), "--fix").code == 0
    assert shop.stat().st_mode & 0o777 == 0o640


def test_diff_changes_nothing(run: Any, shop: Path) -> None:
    answer = run("check", str(shop), "--diff")
    assert shop.read_text(encoding="utf-8") == SHOP
    assert "--- shop.rules\n+++ shop.rules (fixed)\n" in answer.out
    assert "-const old_price = 3   // once\n" in answer.out
    assert "+  require open: me.coins >= 2\n" in answer.out
    assert answer.out.splitlines()[-1] == "6 fixes can be applied; shop.rules: no errors, 5 warnings"


def test_a_misspelt_name_is_fixed(run: Any, shop: Path) -> None:
    shop.write_text(SHOP.replace("gain 1 point }", "gain 1 pionts }"), encoding="utf-8")
    found = json.loads(run("check", str(shop), "--format", "json").out)["files"][0]["diagnostics"]
    (error,) = [each for each in found if each["code"] == "E0330"]
    assert [edit["text"] for edit in error["fix"]["edits"]] == ["points"]
    assert run("check", str(shop), "--fix").code == 0
    assert "gain 1 points }" in shop.read_text(encoding="utf-8")


def test_an_error_without_a_fix_stays(run: Any, shop: Path) -> None:
    text = SHOP.replace("gain 1 point }", "gain 1 xyzzy }")
    shop.write_text(text, encoding="utf-8")
    answer = run("check", str(shop), "--fix")
    assert answer.code == 1
    assert "error[E0330]" in answer.out
    assert answer.out.splitlines()[-1].startswith("no fix applied; 1 error")
    assert shop.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    "words",
    [
        ("-", "--fix"),
        ("-", "--diff"),
        ("-", "--watch"),
        ("vienna", "--fix"),
        ("vienna", "--diff"),
        ("shop.rules", "--fix", "--format", "json"),
        ("shop.rules", "--fix", "--watch"),
        ("shop.rules", "--watch", "--format", "json"),
        ("no_such.rules", "--fix"),
    ],
)
def test_what_cannot_be_fixed_or_watched(run: Any, shop: Path, words: tuple[str, ...]) -> None:
    answer = run("check", *(f"./{word}" if word.endswith(".rules") else word for word in words))
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("regelwerk: ")


def test_a_fix_that_brings_about_something_new_is_left_out() -> None:
    """Each fix has to stand the test; what does not is left out, and the others are applied."""
    source = Source("shop.rules", SHOP)
    report = report_of_text("shop.rules", source, Judging())
    at = SHOP.index("gain 1 point")
    wrong = Fix("spoil it", (Replacement(Span("shop.rules", at, at + 4), "gian"),))
    at = SHOP.index("cap 9 day")
    meaning = Fix("change the game", (Replacement(Span("shop.rules", at, at + 9), "cap 8 day"),))
    spoilt = [Diagnostic("W0930", "warning", f"spoilt {each.title}", None, (), None, each) for each in (wrong, meaning)]
    bad = type(report)(report.name, report.checked, (*report.diagnostics, *spoilt))
    done = fixing.fix(source, bad, Judging())
    assert done.text == FIXED
    assert not {each.message for each, _ in done.applied} & {each.message for each in spoilt}


# ------------------------------------------------------------------------------------------------------------ watching
def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT / ".pkg"), "PYTHONUNBUFFERED": "1"}


class Watching:
    """A `check --watch` in a process of its own."""

    def __init__(self, *words: str) -> None:
        command = [sys.executable, "-m", "regelwerk", "check", "--watch", "--format", "concise", *words]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment())
        assert self.process.stdout is not None
        self.pipe = self.process.stdout.fileno()
        os.set_blocking(self.pipe, False)
        self.rest = ""

    def until(self, wanted: str, seconds: float = 20) -> str:
        """What it says until it waits again, which must hold some text."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with contextlib.suppress(BlockingIOError):
                self.rest += os.read(self.pipe, 1 << 16).decode()
            head, mark, tail = self.rest.partition("Ctrl-C ends\n")
            if mark:
                self.rest = tail
                assert wanted in head, head
                return head
            time.sleep(0.05)
        raise AssertionError(f"it still has not said {wanted!r}, but: {self.rest}")

    def seconds_used(self) -> float:
        """The processor time that it has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / float(os.sysconf("SC_CLK_TCK"))

    def stop(self) -> tuple[int, str]:
        self.process.send_signal(signal.SIGINT)
        os.set_blocking(self.pipe, True)
        out, _ = self.process.communicate(timeout=20)
        return self.process.returncode, self.rest + out.decode()


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
def test_watching(shop: Path) -> None:
    (shop.parent / "long_shop.rules").write_text(
        'edition 1\nvariant long_shop "Longer" of shop\nrule free: modify buy.fee plus 1 coin\n', encoding="utf-8"
    )
    clean = FIXED.replace("  effect { lose 2", "  cost fee: 1 coin\n  effect { lose 2")
    shop.rename(shop.parent / "later.rules")
    watching = Watching("long_shop.rules")
    try:
        watching.until("E1102")  # the base is missing
        shop.write_text(clean, encoding="utf-8")
        said = watching.until("shop.rules changed")
        assert "E1102" not in said
        shop.write_text(clean.replace("rank winner", "rnak winner"), encoding="utf-8")
        watching.until("E0102")
        shop.write_text("", encoding="utf-8")  # half written
        watching.until("E0132")
        shop.unlink()
        watching.until("E1102")
        shop.write_text(clean, encoding="utf-8")
        assert "E" not in watching.until("shop.rules changed").replace("---- shop.rules changed", "")
        if Path("/proc/self/stat").exists():
            before = watching.seconds_used()
            time.sleep(2)
            assert watching.seconds_used() - before < 0.5
    finally:
        code, rest = watching.stop()
    assert code == 130
    assert "Traceback" not in rest
