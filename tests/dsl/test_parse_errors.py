"""The front end on bad input: the right finding at the right line, several in one run, and never an exception."""

from __future__ import annotations

import random
import re
from collections import Counter
from pathlib import Path

import pytest

from regelwerk.dsl import catalogue
from regelwerk.dsl.automaton import automaton
from regelwerk.dsl.diagnostics import Diagnostic, Diagnostics, render
from regelwerk.dsl.lexing import MAX_FILE, MAX_NESTING
from regelwerk.dsl.parse_errors import Code
from regelwerk.dsl.parser import parse_expression, parse_file, read_source
from regelwerk.dsl.source import Source
from regelwerk.dsl.syntax.files import RulesFile

ROOT = Path(__file__).resolve().parents[2]
GAMES = sorted(path for folder in ("games", "dsl/std") for path in (ROOT / folder).rglob("*.rules"))
HEAD = 'edition 1 game g "G" { }\n'
NOTE = re.compile(r"//!(.*)$")


def check(text: str) -> tuple[RulesFile | None, list[Diagnostic], Source]:
    found = Diagnostics()
    source = Source("test.rules", text)
    parsed = parse_file(source, found)
    for each in found:
        assert render(each, {source.name: source})
        if each.span is not None:
            assert 0 <= each.span.start <= each.span.end <= len(text) + 1
        assert not re.search(r"__ANON|\b[LR](PAR|BRACE|SQB)\b|Token\(", each.message)
    if parsed is None:
        assert found.failed
    return parsed, list(found), source


def codes(text: str) -> list[str]:
    return [str(each.code) for each in check(HEAD + text)[1]]


def chunks() -> list[tuple[str, str]]:
    cases = []
    for path in sorted((Path(__file__).parent / "errors" / "syntax").glob("*.rules")):
        for number, chunk in enumerate(path.read_text(encoding="utf-8").split("---\n"), start=1):
            cases.append((f"{path.stem}-{number}", chunk))
    return cases


@pytest.mark.parametrize("chunk", [chunk for _, chunk in chunks()], ids=[name for name, _ in chunks()])
def test_chunk(chunk: str) -> None:
    expected: Counter[tuple[int, str]] = Counter()
    lines = []
    for number, line in enumerate(chunk.split("\n"), start=2):
        note = NOTE.search(line)
        if note is not None:
            expected.update((number, code) for code in note.group(1).split())
            line = line[: note.start()].rstrip()
        lines.append(line)
    _, found, source = check(HEAD + "\n".join(lines))
    got = Counter((source.position(each.span.start)[0], str(each.code)) for each in found if each.span is not None)
    assert got == expected, "\n".join(render(each, {source.name: source}) for each in found)
    for each in found:
        page = catalogue.page(str(each.code))
        said = page is None or page.says(each.message)
        assert said, f"add the form of this message to dsl/catalogue/{each.code}.md: {each.message}"


def test_what_is_said() -> None:
    parsed, found, _ = check(HEAD + "effect a {\n  giv 2 coins to p\n}\nphase p {\n  step x {\n  }\nvalue y = 1\n")
    assert [each.message for each in found if each.code == Code.MISSPELT_KEYWORD] == [
        "a statement begins with a keyword; did you mean `give`?"
    ]
    (unclosed,) = (each for each in found if each.code == Code.UNCLOSED)
    assert unclosed.message == "`{` opened at line 5 is never closed"
    assert unclosed.labels[0].text == "opened here"
    assert parsed is not None
    assert len(parsed.declarations) == 3


def test_the_rest_of_a_file_is_kept() -> None:
    text = HEAD + "value a = 1\nvalue b = = 2 3\neffect c { gain 1 coin  lose =  gain 2 coins }\nvalue d = 4\n"
    parsed, found, _ = check(text)
    assert parsed is not None
    assert {"a", "c", "d"} <= {
        name.text for each in parsed.declarations if (name := getattr(each, "name", None)) is not None
    }
    assert len(found) == 2


# ------------------------------------------------------------------------------------------------------- whole files
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", Code.NOTHING),
        ("  // nothing but a comment\n", Code.NOTHING),
        ('game g "G" { }\n', Code.EDITION_MISSING),
        ('edition game g "G" { }\n', Code.EDITION_MISSING),
        ('edition 2\ngame g "G" { }\n', Code.EDITION_UNKNOWN),
        ("edition 1\n", Code.UNEXPECTED_END),
        ('edition 1\nvariant v "V" of\n', Code.UNEXPECTED_END),
        ("edition 1\nvalue x = 1\n", Code.UNEXPECTED),
    ],
)
def test_files_without_rules(text: str, code: Code) -> None:
    _, found, _ = check(text)
    assert [each.code for each in found] == [code]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("const x = 1 // " + "x" * 400, Code.LONG_LINE),
        (f"const {'x' * 65} = 1", Code.LONG_NAME),
        ("remark\n" + '"' + "x" * 398 + '"', None),
        ('remark "' + "x" * 501 + '"', Code.LONG_TEXT),
        ("const x = " + "(" * MAX_NESTING + "1" + ")" * MAX_NESTING, None),
        ("const x = " + "(" * (MAX_NESTING + 1) + "1" + ")" * (MAX_NESTING + 1), Code.NESTING),
        ("const x = " + "(\n" * 100_000, Code.NESTING),
        ("const x = 1\n" + "+ 1\n" * 5_000, Code.DEEP),
        ("const x = " + "-\n" * 5_000 + "1", Code.DEEP),
        ("effect a { " + "if x { }\nelse " * 5_000 + "{ } }", Code.DEEP),
        ("table T {\n| a |\n" + "".join(f"| r{i} |\n" for i in range(1024)) + "}", None),
        ("table T {\n| a |\n" + "".join(f"| r{i} |\n" for i in range(1025)) + "}", Code.LONG_TABLE),
        ("const x = 1\0", Code.CONTROL),
        ("const x = 1\r// const y = 2\n", Code.CONTROL),
        ("const x = 1 // \u202e", Code.CONTROL),
        ("const x = 1\t", Code.TAB),
        ("const x = \ud800", Code.CONTROL),
        ('fields F {\n drawing a """\n\t. .\n """\n}', Code.TAB),
        ("const x = ²", None),
    ],
)
def test_limits(text: str, code: Code | None) -> None:
    found = codes(text)
    assert (code in found) if code else not found


def test_too_large(tmp_path: Path) -> None:
    _, found, _ = check(HEAD + " " * MAX_FILE)
    assert [each.code for each in found] == [Code.BIG_FILE]
    path = tmp_path / "large.rules"
    path.write_bytes(b" " * (MAX_FILE + 1))
    diagnostics = Diagnostics()
    assert read_source(path, diagnostics) is None
    assert [each.code for each in diagnostics] == [Code.BIG_FILE]


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "latin.rules"
    path.write_bytes(b"edition 1\n// K\xe4rtner\n")
    for name, code in (
        (path, Code.ENCODING),
        (tmp_path / "none.rules", Code.UNREADABLE),
        (tmp_path, Code.UNREADABLE),
        ("a\0b", Code.UNREADABLE),
    ):
        diagnostics = Diagnostics()
        assert read_source(name, diagnostics) is None
        assert [each.code for each in diagnostics] == [code]


def test_expressions_of_the_terminal() -> None:
    for text in ("", "1 +", "a b c", "{", "(" * 500, "x is =", '"a {"', "gain 1 coin"):
        diagnostics = Diagnostics()
        parse_expression(text, "<terminal>", diagnostics)
        assert diagnostics.failed, text


def test_many_errors_end() -> None:
    _, found, _ = check(HEAD + "value x = = 1\n" * 500)
    assert found[-1].code == Code.TOO_MANY
    assert len(found) < 60


# ---------------------------------------------------------------------------------------------------------------- fuzz
TOKEN = re.compile(r'\s+|\w+|"""|"|//|.')
STRANGE = '\0\t\r"{}()[]|/.\ufeff\u0301\u2028\ud800\U0001f600'


def mutant(generator: random.Random, text: str) -> str:
    for _ in range(generator.choice((1, 1, 2, 5, 20))):
        kind = generator.randrange(6)
        pieces = TOKEN.findall(text) if kind < 3 else list(text)
        if len(pieces) < 2:
            break
        here, there = generator.randrange(len(pieces)), generator.randrange(len(pieces))
        if kind in (0, 3):
            del pieces[here]
        elif kind == 1:
            pieces.insert(here, pieces[there])
        elif kind == 2:
            pieces[here], pieces[there] = pieces[there], pieces[here]
        elif kind == 4:
            pieces.insert(here, generator.choice(STRANGE))
        elif generator.random() < 0.2:
            del pieces[here:]
        text = "".join(pieces)
    return text


@pytest.mark.parametrize("seed", range(10))
def test_mutants(seed: int) -> None:
    generator = random.Random(seed)
    texts = [path.read_text(encoding="utf-8") for path in GAMES]
    for _ in range(30):
        check(mutant(generator, generator.choice(texts)))


def test_words_in_any_order() -> None:
    generator = random.Random(7)
    vocabulary = [
        *automaton().literals,
        "x",
        "y",
        "Z",
        "1",
        "23",
        "0.5",
        '"t"',
        "| a | 1 |",
        "V-001",
        "\n",
        "\n",
        "<=",
        '"""\n.\n"""',
    ]
    for _ in range(300):
        text = HEAD + " ".join(generator.choice(vocabulary) for _ in range(generator.randrange(1, 60)))
        check(text)
