"""The catalogue: every code of the sources has a page and the other way round, and every example does what it says.

A new code needs a page in `dsl/catalogue`; `python docs/make_error_table.py E0361` begins one.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from regelwerk.dsl import catalogue
from regelwerk.dsl.catalogue import CODE, Example, Page, PageError
from regelwerk.dsl.diagnostics import Diagnostic, RulesError, render
from regelwerk.dsl.lints import lint
from regelwerk.dsl.source import Source
from regelwerk.interpreter.api import Fault, Game, State
from regelwerk.interpreter.faults import FaultCode
from regelwerk.interpreter.loading import Checked, check_source
from regelwerk.interpreter.scenarios import run_scenarios

ROOT = Path(__file__).resolve().parents[2]
PAGES = list(catalogue.pages())
FINDINGS = [each for each in PAGES if each.severity != "fault" and each.wrong is not None]
FAULTS = [each for each in PAGES if each.severity == "fault" and each.wrong is not None]
AT_RUN_TIME = ("E1000", "E1201")
"""Codes that only show when scenarios are run, or a game is set up."""


def codes_of_sources() -> dict[str, str]:
    """Every code that the sources name, and where."""
    found: dict[str, str] = {}
    for layer in ("dsl", "interpreter", "tools"):
        for path in sorted((ROOT / layer).rglob("*.py")):
            for code, line in codes_of(path.read_text(encoding="utf-8")):
                found.setdefault(code, f"{path.relative_to(ROOT).as_posix()}:{line}")
    return found


def codes_of(text: str) -> Iterator[tuple[str, int]]:
    """The codes that are texts of their own in a module, with their lines."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and CODE.fullmatch(node.value):
            yield node.value, node.lineno


# ----------------------------------------------------------------------------------------------------- what is in it
def test_every_code_of_the_sources_has_a_page() -> None:
    known = set(catalogue.codes())
    missing = [f"{code} ({place})" for code, place in sorted(codes_of_sources().items()) if code not in known]
    how = "\n".join(
        f"no page for {each}: run `python docs/make_error_table.py {each[:5]}`, fill in dsl/catalogue/{each[:5]}.md, "
        "and run `python docs/make_error_table.py`"
        for each in missing
    )
    assert missing == [], how


def test_every_page_is_of_a_code_that_the_sources_know() -> None:
    known = codes_of_sources().keys() | set(get_args(FaultCode))
    left = [code for code in catalogue.codes() if code not in known]
    assert left == [], "no source says these any more: delete their pages in dsl/catalogue"


def test_every_fault_has_a_page() -> None:
    assert {each.code for each in PAGES if each.severity == "fault"} == set(get_args(FaultCode))


def test_names_and_areas() -> None:
    names = [each.name for each in PAGES]
    assert sorted(names) == sorted(set(names)), "two pages have one name"
    assert not set(names) & {each.code.casefold() for each in PAGES if each.code != each.name}
    assert {each.area for each in PAGES} == set(catalogue.AREAS), "a new area gets a title in catalogue.AREAS"
    assert len(PAGES) >= 80


@pytest.mark.parametrize("page", PAGES, ids=lambda each: each.code)
def test_a_page_is_filled_in(page: Page) -> None:
    parts = [*page.messages, page.meaning, page.why, page.not_shown]
    assert not any("TODO" in each for each in parts)
    assert page.meaning.endswith((".", "?", "!"))
    assert page.why.endswith((".", "?", "!"))
    for example in (page.wrong, page.instead):
        assert example is None or all(len(line) <= 120 for line in example.text.split("\n"))
    assert page.wrong is None or page.instead is None or page.wrong.text != page.instead.text


def test_the_frame_is_right() -> None:
    assert check_source(Source("frame.rules", catalogue.frame())).diagnostics == ()


# --------------------------------------------------------------------------------------------------------- examples
def check(example: Example) -> Checked:
    return check_source(Source(str(ROOT / "example.rules"), example.file()))


def shown(checked: Checked) -> str:
    return "\n\n".join(render(each, checked.sources) for each in checked.diagnostics)


def findings(page: Page, example: Example) -> list[Diagnostic]:
    """What is found in an example; of codes that show later, by running it."""
    checked = check(example)
    found = list(checked.diagnostics)
    if page.code.startswith("W09"):
        return linted(checked, 0 if example.whole else len(catalogue.frame()))
    if page.code not in AT_RUN_TIME or checked.game is None:
        return found
    if page.code == "E1000":
        results = run_scenarios(checked)
        return [
            *found,
            *(
                Diagnostic("E1000", "error", f"scenario {each.name}: {each.message}", each.span)
                for each in results
                if not each.passed
            ),
        ]
    try:
        Game(checked.game, checked.diagnostics, checked.sources).new()
    except RulesError as error:
        found += error.diagnostics
    return found


def linted(checked: Checked, begin: int) -> list[Diagnostic]:
    """What the lints find behind a place: the little game before it has not been used up."""
    if checked.game is None or checked.checker is None:
        return list(checked.diagnostics)
    own = str(ROOT / "example.rules")
    found = lint(checked.game, checked.checker, own, checked.composed, said=checked.diagnostics)
    return [each for each in found if each.span is None or each.span.source != own or each.span.start >= begin]


@pytest.mark.parametrize("page", FINDINGS, ids=lambda each: each.code)
def test_the_wrong_example(page: Page) -> None:
    assert page.wrong is not None
    found = findings(page, page.wrong)
    codes = sorted({each.code for each in found})
    assert codes == sorted({page.code, *page.wrong.besides}), shown(check(page.wrong))
    for each in found:
        assert each.code != page.code or page.says(each.message), f"not on the page: {each.message}"


@pytest.mark.parametrize("page", FINDINGS, ids=lambda each: each.code)
def test_the_right_example(page: Page) -> None:
    assert page.instead is not None
    found = findings(page, page.instead)
    assert [each.code for each in found] == list(page.instead.besides), shown(check(page.instead))
    checked = check(page.instead)
    failures = [f"{each.name}: {each.message} {each.detail}" for each in run_scenarios(checked) if not each.passed]
    assert failures == []


def play(example: Example, seed: int) -> tuple[State | None, Fault | None]:
    """A game whose decisions are taken in turn from the front and the back."""
    checked = check(example)
    assert checked.game is not None, shown(checked)
    assert checked.diagnostics == ()
    state = None
    try:
        state = Game(checked.game, checked.diagnostics, checked.sources).new(seed=seed)
        while state.decision is not None and state.decisions < 100:
            state.step((seed + state.decisions) % len(state.decision.options))
    except Fault as fault:
        return state, fault
    return state, None


@pytest.mark.parametrize("page", FAULTS, ids=lambda each: each.code)
def test_the_example_of_a_fault(page: Page) -> None:
    assert page.wrong is not None
    assert page.instead is not None
    faults = [fault for _, fault in (play(page.wrong, seed) for seed in range(3)) if fault is not None]
    assert {fault.code for fault in faults} == {page.code}
    assert [fault.message for fault in faults if not page.says(fault.message)] == []
    for seed in range(3):
        state, fault = play(page.instead, seed)
        assert fault is None
        assert state is not None
        assert state.status == "over"


# ------------------------------------------------------------------------------------------------- reading and finding
GOOD = "# E0203 unknown-name\n\n> a message\n\nA meaning.\n\n## Why\n\nA reason.\n"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (GOOD + "\n## Not shown\n\nx\n", ""),
        (GOOD + "\n## Wrong\n\n```rules\nx\n```\n\n## Instead\n\n```rules\ny\n```\n", ""),
        (GOOD, "or `## Not shown`"),
        (GOOD + "\n## Wrong\n\n```rules\nx\n```\n", "or `## Not shown`"),
        (GOOD + "\n## Because\n\nx\n", "`## Because` is not one of"),
        (GOOD + "\n## Why\n\nx\n", "stands twice"),
        (GOOD + "\n## Wrong\n\nx\n\n## Instead\n\n```rules\ny\n```\n", "one block"),
        (GOOD.replace("> a message", ""), "has a line"),
        (GOOD.replace("A meaning.", ""), "says what it means"),
        (GOOD.replace("A reason.", "") + "\n## Not shown\n\nx\n", "`## Why`"),
        (GOOD.replace("E0203", "E0204"), "the first line is"),
        (GOOD.replace("unknown-name", "Unknown Name"), "the first line is"),
    ],
)
def test_pages_that_cannot_be_read(text: str, what: str) -> None:
    if not what:
        assert catalogue.read_page(text, "E0203.md").name == "unknown-name"
        return
    with pytest.raises(PageError, match=re.escape(what)):
        catalogue.read_page(text, "E0203.md")


@pytest.mark.parametrize(
    ("word", "code"),
    [
        ("E0203", "E0203"),
        ("e0203", "E0203"),
        ("error[E0203]", None),
        ("[E0203]", "E0203"),
        ("unknown-name", "E0203"),
        ("Unknown_Name", "E0203"),
        ("range", "range"),
        ("dead_end", "dead_end"),
        ("dead-end", "dead_end"),
        ("zone-full", "full"),
        ("E9999", None),
        ("", None),
        ("../E0203", None),
    ],
)
def test_finding_a_page(word: str, code: str | None) -> None:
    found = catalogue.find(word)
    assert (found.code if found is not None else None) == code
    assert code is None or catalogue.name_of(code) == (found.name if found is not None else None)


def test_the_forms_of_messages() -> None:
    page = catalogue.page("E0203")
    assert page is not None
    assert page.says("`nwe` is not the name of anything here")
    assert not page.says("`nwe` is not the name of anything")
    assert not page.says("well, `nwe` is not the name of anything here")


def test_codes_are_found_in_sources() -> None:
    text = 'x = ["E0203", "E02", f"E0301{x}", "say E0302"]\n\n\ndef f():\n    """E0303"""\n    return "W0501"\n'
    assert sorted(codes_of(text)) == [("E0203", 1), ("E0301", 1), ("E0303", 5), ("W0501", 6)]
