"""Documents that are wrong, hostile, or changed: one finding with a path, never an exception."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import validators

from regelwerk.dsl.diagnostics import Diagnostic, render
from regelwerk.dsl.interchange import LARGEST_DOCUMENT, SCHEMA
from regelwerk.dsl.source import Source
from regelwerk.interpreter.documents import export
from regelwerk.interpreter.loading import Checked, check_path, check_source

ROOT = Path(__file__).resolve().parents[2]
PIG = ROOT / "docs" / "examples" / "pig.rules"
MARKET = ROOT / "docs" / "examples" / "market.rules"
Change = Callable[[dict[str, Any]], object]


@cache
def original(path: Path) -> dict[str, Any]:
    return export(check_path(path))


def changed(path: Path, change: Change) -> dict[str, Any]:
    document = copy.deepcopy(original(path))
    change(document)
    return document


@cache
def quick() -> Any:
    """A validator for the shipped schema that goes by discriminators (`test_schema` says why it may)."""

    def one_of(validator: Any, branches: object, instance: Any, whole: Any) -> Any:
        tag = instance.get("node") if isinstance(instance, dict) else None
        if tag not in whole["discriminator"]["mapping"]:
            yield jsonschema.ValidationError(f"{tag} is none of them")
        else:
            yield from validator.descend(instance, {"$ref": whole["discriminator"]["mapping"][tag]})

    extend: Any = validators.extend
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    return extend(jsonschema.Draft202012Validator, {"oneOf": one_of})(schema)


def read(document: object) -> Checked:
    text = document if isinstance(document, str) else json.dumps(document)
    return check_source(Source("/some/where/game.json", text))


def finding(document: object) -> Diagnostic:
    checked = read(document)
    assert checked.game is None
    (found,) = checked.diagnostics
    assert found.severity == "error"
    return found


def put(path: str, value: Any) -> Change:
    """Sets the member at a path like `rules.declarations.0.name`; an ellipsis deletes it."""

    def change(document: dict[str, Any]) -> None:
        *parts, last = [int(part) if part.isdigit() else part for part in path.split(".")]
        here: Any = document
        for part in parts:
            here = here[part]
        if value is ...:
            del here[last]
        else:
            here[last] = value

    return change


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("{", "E1301", "this is no JSON: expecting property name"),
        ('{"a": 1,}', "E1301", "(line 1, column 9)"),
        ('{"a": NaN}', "E1301", "`NaN` is no number"),
        ('{"a": 1, "a": 2}', "E1301", 'the member "a" twice'),
        ('{"a": ' + '\\"' * 1_000_000, "E1301", "this is no JSON"),
        ('{"b": 1' + "".join(f',"a{number}": 1' for number in range(50_000)) + ',"b": 2}', "E1301", 'member "b" twice'),
        ("{}", "E1302", 'its "format" is not "regelwerk-game"'),
        ('{"format": "regelwerk-game"}', "E1302", "version 1 of documents, and this has version `null`"),
        ('{"format": "regelwerk-game", "version": 2}', "E1302", "has version `2`"),
        ('{"format": "regelwerk-game", "version": true}', "E1302", "has version `true`"),
        ('{"format": "regelwerk-game", "version": 1}', "E1303", "at edition: this member is missing"),
        ('{"a": ' + "[" * 100_000, "E1305", "nested too deeply"),
        ('{"a": "' + "[" * 1000 + '"}', "E1302", "format"),
        ('{"a": ' + "9" * 100_000 + "}", "E1302", "format"),
        ('{"a": "' + "x" * LARGEST_DOCUMENT + '"}', "E1305", "at most 16 MiB"),
        ("\ufeff \n{", "E1301", "this is no JSON"),
    ],
    ids=lambda value: value[:20] if isinstance(value, str) else None,
)
def test_texts_that_are_no_documents(text: str, code: str, words: str) -> None:
    found = finding(text)
    assert found.code == code
    assert words in found.message
    assert found.message.startswith("game.json: ")


@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        (put("title", 5), "E1303", "at title: a text is expected here, not `5`"),
        (put("more", 5), "E1303", "at more: a document has no such member"),
        (put("hash", "xyz"), "E1303", "at hash: expected are 16 hexadecimal digits, not `\"xyz\"`"),
        (put("sources", []), "E1303", "at sources"),
        (put("sources.0.name", ...), "E1303", "at sources[0].name: this member is missing"),
        (put("sources.0.text", "\ud800"), "E1303", "at sources[0].text"),
        (put("rules", []), "E1303", "at rules: an object is expected here, not a list"),
        (put("rules.declarations", {}), "E1303", "at rules.declarations: a list is expected here, not an object"),
        (put("rules.header", 1), "E1303", "at rules.header: `GameHeader` is expected here, not `1`"),
        (put("rules.declarations.0", None), "E1303", "at rules.declarations[0]: a declaration is expected here"),
        (put("rules.declarations.0.node", "Konstant"), "E1303", "a declaration is expected here, not a `Konstant`"),
        (put("rules.declarations.0.node", "Gain"), "E1303", "a declaration is expected here, not a `Gain`"),
        (put("rules.declarations.0.node", "Replace"), "E1303", "not a `Replace`"),
        (put("rules.declarations.0.value", ...), "E1303", "a `Constant` needs the member `value`"),
        (put("rules.declarations.0.valu", 1), "E1303", "a `Constant` has no member `valu`"),
        (put("rules.declarations.0.value.value", "5"), "E1303", "declarations[0].value.value: a whole number"),
        (put("rules.declarations.0.value.value", True), "E1303", "a whole number from 0 to 999999999"),
        (put("rules.declarations.0.value.value", -1), "E1303", "a whole number from 0 to 999999999"),
        (put("rules.declarations.0.value.value", 10**30), "E1303", "a whole number from 0 to 999999999"),
        (put("rules.declarations.0.name.text", "two words"), "E1303", 'a name is expected here, not `"two words"`'),
        (put("rules.declarations.0.name.text", "x" * 65), "E1303", "at most 64 characters, and this has 65"),
        (put("rules.declarations.0.name.text", "a\u202eb"), "E1303", "cannot stand in a rules file"),
        (put("rules.header.title", "a\nb"), "E1303", "at rules.header.title: this text has a character"),
        (put("rules.header.triggers", "both"), "E1303", '"active_first" or "owner_chooses" is expected here'),
        (put("rules.declarations.0.span", [0, 0]), "E1303", "`span` is expected"),
        (put("rules.declarations.0.span", [0, 0, 1.0]), "E1303", "`span` is expected"),
        (put("rules.declarations.0.span", [1, 0, 1]), "E1304", "the span names source 1 of 1"),
        (put("rules.declarations.0.span", [0, 0, 10**9]), "E1304", "lies outside its source"),
        (put("rules.declarations.0.span", [0, 5, 4]), "E1304", "lies outside its source"),
        (put("facts.players", [1]), "E1303", "at facts.players"),
        (put("facts.more", 1), "E1303", "at facts.more: a document has no such member"),
    ],
)  # fmt: skip
def test_one_member_is_wrong(change: Change, code: str, words: str) -> None:
    found = finding(changed(PIG, change))
    assert found.code == code
    assert words in found.message


def nodes(value: Any, kind: str | None = None) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if kind in (None, value.get("node")) and "node" in value:
            yield value
        for each in value.values():
            yield from nodes(each, kind)
    elif isinstance(value, list):
        for each in value:
            yield from nodes(each, kind)


def first(kind: str, **members: Any) -> Change:
    return lambda document: next(nodes(document["rules"], kind)).update(members)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (first("Row", cells=[]), "as many cells as columns"),
        (first("Row", citations=[{"node": "Citation", "span": [0, 0, 1], "text": "A-1", "last": 2000}]), "goes up"),
        (first("Row", citations=[{"node": "Citation", "span": [0, 0, 1], "text": "A1"}]), "like `A-012`"),
        (first("Head", binders=[]), "has 0 members, and needs at least 1"),
        (first("Domain", form="up_to"), "a `Domain` of the form `up_to` has other bounds"),
        (first("Turns", following={"node": "NoneLiteral", "span": [0, 0, 1]}), "either `first` or `following`"),
        (first("Track", overflow="block"), "`overflow_block`"),
    ],
)
def test_what_the_grammar_would_never_put_together(change: Change, words: str) -> None:
    found = finding(changed(ROOT / "games" / "vienna" / "vienna.rules", change))
    assert found.code == "E1303"
    assert words in found.message


def test_nested_too_deeply() -> None:
    def change(document: dict[str, Any]) -> None:
        value = document["rules"]["declarations"][0]["value"]
        for _ in range(200):
            value = {"node": "Negate", "span": [0, 0, 1], "operand": value}
        document["rules"]["declarations"][0]["value"] = value

    found = finding(changed(PIG, change))
    assert found.code == "E1305"


def test_an_error_points_into_the_text() -> None:
    """A rule of the document is changed so that the checker refuses it: the message shows the author's line."""

    def change(document: dict[str, Any]) -> None:
        offer = next(nodes(document["rules"], "Offer"))
        offer["actions"][0]["text"] = "throwe"

    checked = read(changed(PIG, change))
    assert checked.game is None
    error = next(each for each in checked.diagnostics if each.severity == "error")
    assert error.code == "E0409"
    shown = render(error, checked.sources)
    lines = PIG.read_text(encoding="utf-8").split("\n")
    line = next(number for number, text in enumerate(lines, 1) if "offer throw" in text)
    assert f"pig.rules:{line}:" in shown
    assert "phase throws loop until over { offer throw, keep }" in shown


def test_changed_rules_have_a_hash_of_their_own() -> None:
    def change(document: dict[str, Any]) -> None:
        document["rules"]["declarations"][0]["value"]["value"] = 50

    before, after = read(original(PIG)), read(changed(PIG, change))
    assert before.game is not None
    assert after.game is not None
    assert after.game.source_hash != before.game.source_hash
    assert [each.code for each in after.diagnostics] == ["W1301"]
    again = read(export(after))
    assert again.game is not None
    assert [each.code for each in again.diagnostics] == ["W1301"]
    assert again.game.source_hash == after.game.source_hash


def test_facts_are_not_needed() -> None:
    checked = read(changed(PIG, put("facts", ...)))
    assert checked.game is not None
    assert checked.diagnostics == ()


def test_a_file_is_known_by_its_first_brace(tmp_path: Path) -> None:
    path = tmp_path / "game.rules"
    path.write_text("\n  " + json.dumps(original(PIG)), encoding="utf-8")
    assert check_path(path).game is not None
    path.write_bytes(b"{" + b" " * LARGEST_DOCUMENT + b"}")
    assert [each.code for each in check_path(path).diagnostics] == ["E0160"]
    path.write_bytes(b'{"a": "\xff"}')
    assert [each.code for each in check_path(path).diagnostics] == ["E0125"]


# ----------------------------------------------------------------------------------------------------- random mutations
def mutate(document: dict[str, Any], dice: random.Random) -> None:
    """Change something of the tree: a node for another, a member away, a list longer or shorter, a leaf."""
    found = list(nodes(document["rules"]))
    node = dice.choice(found)
    members = [name for name in node if name not in ("node", "span")]
    if not members:
        return
    name = dice.choice(members)
    value = node[name]
    way = dice.randrange(5)
    if way == 0:
        del node[name]
    elif way == 1:
        node[name] = copy.deepcopy(dice.choice(found))
    elif way == 2 and isinstance(value, list) and value:
        place = dice.randrange(len(value))
        longer = [copy.deepcopy(dice.choice(value)) for _ in range(2)]
        value[place : place + 1] = [] if dice.random() < 0.5 else longer
    elif way == 3 and isinstance(value, dict):
        same = [each for each in found if each["node"] == value["node"]]
        node[name] = copy.deepcopy(dice.choice(same))
    else:
        texts = [each["text"] for each in found if each["node"] == "Identifier" and "text" in each]
        node[name] = dice.choice([0, 1, 999_999_999, True, None, "", "me", "it", "none", "+", [], {}, *texts])


@pytest.mark.parametrize("path", [MARKET, ROOT / "tests" / "conformance" / "effects.rules"], ids=lambda path: path.stem)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 2**32), times=st.integers(1, 3))
def test_no_mutation_gives_an_exception(path: Path, seed: int, times: int) -> None:
    document, dice = copy.deepcopy(original(path)), random.Random(seed)
    for _ in range(times):
        mutate(document, dice)
    checked = read(document)
    if not any(each.code.startswith("E13") for each in checked.diagnostics):
        assert quick().is_valid(document), "the reader takes what the schema refuses"
    for each in checked.diagnostics:
        assert each.code != "E1306", "the checker stumbled: add what is wrong to `reading._contradiction`"
        assert render(each, checked.sources)
    assert checked.game is not None or any(each.severity == "error" for each in checked.diagnostics)


@settings(max_examples=200, deadline=None)
@given(text=st.text(max_size=40) | st.text(alphabet='{}[]",:0\\ nullformat', max_size=60))
def test_no_text_gives_an_exception(text: str) -> None:
    assert read("{" + text).game is None
