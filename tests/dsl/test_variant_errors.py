"""Findings about variants: the right one, in the right file, at the right line.

A case of `errors/variants` holds files, each behind a line `=== name`, and is parted from the next by `---`; the last
file is checked, `base.rules` lies beside it. `//! E1104` at the end of a line says what is expected on it, `E0301@base`
that it is expected in the base.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from regelwerk.dsl.diagnostics import as_json, render
from regelwerk.interpreter.loading import check_path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(__file__).parent / "errors" / "variants"
NOTE = re.compile(r"//!(.*)$")
CODE = re.compile(r'"(E11\d\d)"')


def cases() -> list[tuple[str, str]]:
    return [
        (f"{path.stem}-{number}", case)
        for path in sorted(FOLDER.glob("*.rules"))
        if path.stem != "base"
        for number, case in enumerate(path.read_text(encoding="utf-8").split("---\n"), 1)
    ]


def files(case: str) -> dict[str, str]:
    _, *parts = re.split(r"^=== (\w+)\n", case, flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


@pytest.mark.parametrize("case", [case for _, case in cases()], ids=[name for name, _ in cases()])
def test_case(case: str, tmp_path: Path) -> None:
    expected: Counter[tuple[str, int, str]] = Counter()
    (tmp_path / "base.rules").write_text((FOLDER / "base.rules").read_text(encoding="utf-8"), encoding="utf-8")
    name = ""
    for name, text in files(case).items():
        lines = text.split("\n")
        for number, line in enumerate(lines, 1):
            note = NOTE.search(line)
            if note is not None:
                for code, _, base in (each.partition("@") for each in note.group(1).split()):
                    expected[(base, 0, code) if base else (name, number, code)] += 1
                lines[number - 1] = line[: note.start()].rstrip()
        (tmp_path / f"{name}.rules").write_text("\n".join(lines), encoding="utf-8")
    checked = check_path(tmp_path / f"{name}.rules")
    rendered = "\n\n".join(render(each, checked.sources) for each in checked.diagnostics)
    got: Counter[tuple[str, int, str]] = Counter()
    for each in checked.diagnostics:
        assert each.span is not None
        assert each.help or not each.code.startswith("E11"), rendered
        assert as_json(each, checked.sources)["place"]
        row = checked.sources[each.span.source].position(each.span.start)[0]
        file = Path(each.span.source).stem
        got[file, 0 if file == "base" else row, str(each.code)] += 1
    assert got == expected, rendered
    assert (checked.game is None) == any(code.startswith("E") for _, _, code in expected)


def test_every_code_has_a_case() -> None:
    paths = [*(ROOT / "dsl" / "composition").glob("*.py"), ROOT / "interpreter" / "layers.py"]
    known = {code for path in paths for code in CODE.findall(path.read_text(encoding="utf-8"))}
    shown = set(re.findall(r"E11\d\d", "".join(case for _, case in cases())))
    assert known - shown == set()
    assert {"E1104", "E1108"} <= known
