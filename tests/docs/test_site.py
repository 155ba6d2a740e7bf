"""The pages as HTML, the front page, and the colours of rules."""

from __future__ import annotations

import importlib.util
import os
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from pygments.token import Error, Keyword, Name, String, Token

from regelwerk.tools.pygments_lexer import BUILT_IN, RulesLexer

ROOT = Path(__file__).resolve().parents[2]
RULES = sorted(
    path for folder in ("games", "docs", "dsl/std", "tests/conformance") for path in (ROOT / folder).rglob("*.rules")
)

pytestmark = pytest.mark.skipif(not (ROOT / "docs").is_dir(), reason="no documentation here")


@cache
def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


# -------------------------------------------------------------------------------------------------------------- colours
def test_the_keywords_are_fresh() -> None:
    assert (ROOT / "tools" / "grammar_keywords.py").read_text(encoding="utf-8") == script("make_keywords").text(), (
        "run python docs/make_keywords.py"
    )


def test_every_keyword_is_in_one_group() -> None:
    groups = script("make_keywords").words()
    every = [word for group in groups.values() for word in group]
    assert len(every) == len(set(every))
    assert {"game", "gain", "line", "tally", "where"} <= set(every)
    assert ["game" in groups["DECLARATIONS"], "gain" in groups["STATEMENTS"], "line" in groups["CLAUSES"]] == [True] * 3


def test_the_built_in_names_are_those_of_the_checker() -> None:
    from regelwerk.dsl.checker.context import BUILT_IN_NAMES

    assert BUILT_IN == BUILT_IN_NAMES


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_every_rules_file_is_coloured(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    found = list(RulesLexer(stripnl=False, ensurenl=False).get_tokens(text))
    assert "".join(value for _, value in found) == text
    assert [value for kind, value in found if kind in Error] == []


def kinds(text: str) -> list[tuple[Any, str]]:
    return [(kind, value) for kind, value in RulesLexer(ensurenl=False).get_tokens(text) if value.strip()]


def test_what_gets_which_colour() -> None:
    assert kinds('value first = a.first "x {p.y}"')[:3] == [
        (Keyword.Declaration, "value"),
        (Name.Class, "first"),
        (Token.Operator, "="),
    ]
    text = 'gain 2 coins\nrequire free: me.first is none else "a {x.y} {{"'
    found = {value: kind for kind, value in kinds(text)}
    assert found["gain"] is Keyword
    assert found["coins"] is Name
    assert found["first"] is Name.Attribute
    assert found["none"] is Keyword.Constant
    assert found["me"] is Name.Builtin.Pseudo
    assert found["y"] is Name.Attribute
    assert found["{{"] is String.Escape


def test_a_text_that_is_not_closed_ends_with_its_line() -> None:
    assert (Keyword, "gain") in kinds('cost a: 1 coin "open {x\ngain 1 coin')


def test_pygments_finds_the_lexer() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["entry-points"]["pygments.lexers"] == {"regelwerk": "regelwerk.tools.pygments_lexer:RulesLexer"}


# ---------------------------------------------------------------------------------------------------------------- pages
@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    script("make_site").Site(folder).build()
    return folder


def links(page: Path) -> Iterator[str]:
    yield from re.findall(r'(?:href|src)="([^"]+)"', page.read_text(encoding="utf-8"))


def test_every_link_of_the_site_leads_somewhere(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    anchors = {page: set(re.findall(r'id="([^"]+)"', page.read_text(encoding="utf-8"))) for page in pages}
    broken = []
    for page in pages:
        for address in links(page):
            if re.match(r"[a-z]+:", address):
                continue
            place, _, anchor = address.partition("#")
            target = Path(os.path.normpath(page.parent / place)) if place else page
            if not target.is_file() or (anchor and anchor not in anchors.get(target, set())):
                broken.append(f"{page.relative_to(site)}: {address}")
    assert broken == []


def test_rules_are_coloured_on_the_pages(site: Path) -> None:
    page = (site / "README.html").read_text(encoding="utf-8")
    assert '<span class="kd">game</span><span class="w"> </span><span class="nc">pig</span>' in page
    assert ".kd" in (site / "style.css").read_text(encoding="utf-8")


def test_the_front_page_leads_to_every_page(site: Path) -> None:
    """To the pages of `docs` itself; those of single findings and of designs are reached from these."""
    front = site / "docs" / "index.html"
    reached = {Path(os.path.normpath(front.parent / each.partition("#")[0])) for each in links(front)}
    assert set((site / "docs").glob("*.html")) - reached == set()
