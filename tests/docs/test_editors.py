"""The colours of editors: the TextMate grammar is fresh, compiles, and colours all shipped files as Pygments does."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from regelwerk.tools.grammar_keywords import CLAUSES, DECLARATIONS, STATEMENTS, TYPES, WORDS

pytest.importorskip("pygments", reason="Pygments comes with the developer tools")
from pygments.token import Error, Token

from regelwerk.tools.pygments_lexer import RulesLexer

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "editors" / "vscode"
GRAMMAR = FOLDER / "syntaxes" / "rules.tmLanguage.json"
FILES = sorted(path for folder in ("games", "dsl/std", "docs/examples") for path in (ROOT / folder).rglob("*.rules"))
HARD = 'edition 1\nvalue Größe = "a {{b}} {x.y + 1} {open"  // "no text\n| a "|" | {b} | V-001..003, A-B7a | 1.5 |\n'
SCOPES = {
    Token.Comment.Single: "comment.line.double-slash",
    Token.Literal.String.Heredoc: "string.quoted.triple",
    Token.Literal.String.Escape: "constant.character.escape",
    Token.Literal.String.Interpol: "meta.interpolation",
    Token.Literal.String: "string.quoted.double",
    Token.Literal.Other: "constant.other.citation",
    Token.Literal.Number.Float: "constant.numeric.decimal",
    Token.Literal.Number.Integer: "constant.numeric.integer",
    Token.Name.Attribute: "variable.other.property",
    Token.Name.Class: "entity.name.type",
    Token.Name.Builtin.Pseudo: "variable.language",
    Token.Name: "variable.other",
    Token.Keyword.Declaration: "storage.type.declaration",
    Token.Keyword.Constant: "constant.language",
    Token.Keyword.Type: "support.type",
    Token.Keyword.Reserved: "keyword.other",
    Token.Keyword: "keyword.control",
    Token.Operator.Word: "keyword.operator.word",
    Token.Operator: "keyword.operator",
    Token.Punctuation: "punctuation",
}
"""What Pygments calls a token, and what the grammar calls it."""

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="no editors here")


@cache
def script() -> ModuleType:
    path = ROOT / "docs" / "make_textmate.py"
    spec = importlib.util.spec_from_file_location("make_textmate", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_it_is_as_the_script_writes_it() -> None:
    assert GRAMMAR.read_text(encoding="utf-8") == script().text(), "run python docs/make_textmate.py"


def test_every_keyword_of_the_grammar_is_in_it() -> None:
    text = GRAMMAR.read_text(encoding="utf-8")
    for word in DECLARATIONS | CLAUSES | STATEMENTS | TYPES | WORDS:
        assert re.search(rf"\b{word}\b", text.replace("\\b", " ")), word


def test_the_extension_names_its_files() -> None:
    package = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
    (language,), (grammar,) = package["contributes"]["languages"], package["contributes"]["grammars"]
    assert language["extensions"] == [".rules"]
    assert language["id"] == grammar["language"]
    assert json.loads(GRAMMAR.read_text(encoding="utf-8"))["scopeName"] == grammar["scopeName"]
    assert (FOLDER / grammar["path"]).samefile(GRAMMAR)
    settings = json.loads((FOLDER / language["configuration"]).read_text(encoding="utf-8"))
    assert settings["comments"]["lineComment"] == "//"
    assert all(re.compile(pattern) for pattern in settings["indentationRules"].values())


# -------------------------------------------------------------------------------------------------- both, and compared
Coloured = list[tuple[str, tuple[str, ...]]]  # pieces of text, and the scopes of each, outermost first


class TextMate:
    """As much of an engine as the grammar needs: patterns with `match`, and with `begin` and `end`."""

    def __init__(self, grammar: dict[str, Any]) -> None:
        self.rules = self._compiled(grammar["patterns"])

    def _compiled(self, patterns: list[dict[str, Any]]) -> list[dict[str, Any]]:
        made = []
        for pattern in patterns:
            known = {"name", "match", "captures", "begin", "end", "patterns", "beginCaptures", "endCaptures"}
            assert set(pattern) <= known, pattern
            rule = {**pattern, "first": re.compile(pattern.get("match") or pattern["begin"])}
            if "begin" in pattern:
                rule["last"] = re.compile(pattern["end"])
                rule["inner"] = self._compiled(pattern.get("patterns", []))
            made.append(rule)
        return made

    def lines(self, text: str) -> Iterator[Coloured]:
        stack: list[dict[str, Any]] = []
        for line in text.split("\n"):
            yield self._line(line, stack)

    def _line(self, line: str, stack: list[dict[str, Any]]) -> Coloured:
        found: Coloured = []
        place = 0

        def add(end: int, *more: str) -> None:
            nonlocal place
            if end > place:
                found.append((line[place:end], tuple(each["name"] for each in stack) + more))
            place = max(place, end)

        while True:
            rules = stack[-1]["inner"] if stack else self.rules
            best = stack[-1]["last"].search(line, place) if stack else None
            chosen = None
            for rule in rules:
                match = rule["first"].search(line, place)
                if match is not None and (best is None or match.start() < best.start()):
                    best, chosen = match, rule
            if best is None:
                add(len(line))
                return found
            add(best.start())
            if chosen is None:
                name = stack[-1].get("endCaptures", {}).get("0", {}).get("name")
                add(best.end(), *([name] if name else []))
                stack.pop()
            elif "last" in chosen:
                stack.append(chosen)
                name = chosen.get("beginCaptures", {}).get("0", {}).get("name")
                add(best.end(), *([name] if name else []))
            elif "captures" in chosen:
                for number, capture in chosen["captures"].items():
                    add(best.start(int(number)))
                    add(best.end(int(number)), capture["name"])
                add(best.end())
            else:
                assert best.end() > best.start(), chosen
                add(best.end(), chosen["name"])


def by_pygments(text: str) -> list[list[tuple[str, str]]]:
    """Each line as its pieces with the scope that the grammar should give them."""
    lines: list[list[tuple[str, str]]] = [[]]
    for kind, piece in RulesLexer(stripnl=False, ensurenl=False).get_tokens(text):
        assert kind is not Error, piece
        for number, part in enumerate(piece.split("\n")):
            if number:
                lines.append([])
            if part.strip():
                lines[-1].append((part, SCOPES[kind]))
    return lines


def compare(text: str, lines: list[Coloured]) -> None:
    for number, (wanted, found) in enumerate(zip(by_pygments(text), lines, strict=True), 1):
        scopes = [(c, tuple(each) if c.strip() else ()) for piece, each in found for c in piece]
        place = 0
        assert "".join(c for c, _ in scopes) == text.split("\n")[number - 1]
        for piece, scope in wanted:
            place = "".join(c for c, _ in scopes).index(piece, place)
            for c, each in scopes[place : place + len(piece)]:
                assert not c.strip() or any(one.startswith(f"{scope}.") for one in each), (number, piece, scope, each)
            place += len(piece)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_shipped_files(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    compare(text, list(TextMate(script().grammar()).lines(text)))


def test_hard_lines() -> None:
    compare(HARD, list(TextMate(script().grammar()).lines(HARD)))


def test_what_stands_in_text_and_behind_words() -> None:
    (line,) = TextMate(script().grammar()).lines('play game as Ann { then x.first is "{a.b} {{" }  // c')
    scopes = [(piece, each[-1].removesuffix(".rules")) for piece, each in line if each]
    assert scopes == [
        ("play", "storage.type.declaration"),
        ("game", "storage.type.declaration"),
        ("as", "keyword.control"),
        ("Ann", "variable.other"),
        ("{", "punctuation"),
        ("then", "storage.type.declaration"),
        ("x", "variable.other"),
        (".", "punctuation.accessor"),
        ("first", "variable.other.property"),
        ("is", "keyword.operator.word"),
        ('"', "string.quoted.double"),
        ("{", "punctuation.section.interpolation.begin"),
        ("a", "variable.other"),
        (".", "punctuation.accessor"),
        ("b", "variable.other.property"),
        ("}", "punctuation.section.interpolation.end"),
        (" ", "string.quoted.double"),
        ("{{", "constant.character.escape"),
        ('"', "string.quoted.double"),
        ("}", "punctuation"),
        ("// c", "comment.line.double-slash"),
    ]


def test_with_the_engine_of_the_editor(tmp_path: Path) -> None:
    """REGELWERK_NODE_MODULES: the folder where `npm install vscode-textmate vscode-oniguruma` was run."""
    node = shutil.which("node")
    modules = Path(os.environ.get("REGELWERK_NODE_MODULES", ROOT))
    if node is None:
        pytest.skip("there is no node")
    if not all((modules / "node_modules" / name).is_dir() for name in ("vscode-textmate", "vscode-oniguruma")):
        pytest.skip("vscode-textmate and vscode-oniguruma are not installed")
    hard = tmp_path / "hard.rules"
    hard.write_text(HARD, encoding="utf-8")
    files = [*FILES, hard]
    command = [node, str(Path(__file__).with_name("textmate.mjs")), str(modules), str(GRAMMAR), *map(str, files)]
    answer = json.loads(subprocess.run(command, capture_output=True, text=True, check=True, encoding="utf-8").stdout)
    for path, lines in zip(files, answer, strict=True):
        compare(path.read_text(encoding="utf-8"), [[(piece, tuple(each)) for piece, each in line] for line in lines])
