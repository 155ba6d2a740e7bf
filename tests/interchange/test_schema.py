"""The shipped JSON Schema: fresh, valid, and true for what is exported."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from jsonschema import validators

from regelwerk.dsl.interchange import SCHEMA
from regelwerk.dsl.interchange.forms import COMPOSED, forms
from regelwerk.dsl.interchange.schema import text
from regelwerk.dsl.syntax.base import Node
from regelwerk.interpreter.documents import export
from regelwerk.interpreter.loading import check_path

ROOT = Path(__file__).resolve().parents[2]
GAMES = sorted((ROOT / "games").glob("*/*.rules"))
OTHERS = [
    *sorted((ROOT / "docs" / "examples").glob("*.rules")),
    *sorted((ROOT / "tests" / "conformance").glob("*.rules")),
]
BESIDE = {"Use", "Library", "RulesFile", "Placed", "Member", "ParameterBinder", *(each.__name__ for each in COMPOSED)}
"""Nodes of files as they are written, which are gone from a game that is put together."""


@cache
def schema() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(SCHEMA.read_text(encoding="utf-8"))
    return loaded


def one_of(validator: Any, branches: list[Any], instance: Any, whole: dict[str, Any]) -> Iterator[Any]:
    """`oneOf` by its discriminator: the branch for the tag must fit, and no other can, as each asks for its own tag."""
    tag = instance.get("node") if isinstance(instance, dict) else None
    reference = whole["discriminator"]["mapping"].get(tag)
    if reference is None:
        yield jsonschema.ValidationError(f"{instance!r:.60} is none of them")
        return
    assert {"$ref": reference} in branches
    yield from validator.descend(instance, {"$ref": reference})


@cache
def quick() -> Any:
    """A validator that goes by discriminators, which plain `jsonschema` does not."""
    extend: Any = validators.extend
    return extend(jsonschema.Draft202012Validator, {"oneOf": one_of})(schema())


def problems(document: dict[str, Any]) -> list[str]:
    return [f"{each.json_path}: {each.message[:200]}" for each in quick().iter_errors(document)]


def test_the_shipped_schema_is_fresh() -> None:
    assert SCHEMA.read_text(encoding="utf-8") == text(), "run python docs/make_schema.py"


def test_it_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())


def test_every_reference_leads_somewhere() -> None:
    def references(value: Any) -> Iterator[str]:
        if isinstance(value, dict):
            if "$ref" in value:
                yield value["$ref"]
            for each in value.values():
                yield from references(each)
        elif isinstance(value, list):
            for each in value:
                yield from references(each)

    assert {each.rpartition("/")[2] for each in references(schema())} <= set(schema()["$defs"])


def test_every_form_asks_for_its_own_tag() -> None:
    for name in forms():
        form = schema()["$defs"][name]
        assert form["properties"]["node"] == {"const": name}
        assert "node" in form["required"]


def test_every_node_has_a_form() -> None:
    def below(cls: type[Node]) -> Iterator[type[Node]]:
        for each in cls.__subclasses__():
            yield from below(each)
        if not cls.__subclasses__():
            yield cls

    assert {each.__name__ for each in below(Node)} - set(forms()) <= BESIDE


@pytest.mark.parametrize("path", GAMES + OTHERS, ids=lambda path: path.stem)
def test_exports_are_valid(path: Path) -> None:
    assert problems(export(check_path(path))) == []


@pytest.mark.parametrize("name", ["pig", "market"])
def test_an_export_is_valid_for_any_validator(name: str) -> None:
    document = export(check_path(ROOT / "docs" / "examples" / f"{name}.rules"))
    assert jsonschema.Draft202012Validator(schema()).is_valid(document)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("version",), 2),
        (("hash",), "no"),
        (("rules", "header"), None),
        (("rules", "declarations", 0, "node"), "Gain"),
        (("rules", "declarations", 0, "more"), 1),
        (("rules", "declarations", 0, "span"), [0, 1]),
        (("rules", "declarations", 0, "value", "value"), "5"),
        (("rules", "declarations", 0, "name", "text"), "two words"),
    ],
)
def test_the_schema_refuses(place: tuple[Any, ...], value: Any) -> None:
    document = copy.deepcopy(export(check_path(ROOT / "docs" / "examples" / "pig.rules")))
    here: Any = document
    for part in place[:-1]:
        here = here[part]
    here[place[-1]] = value
    assert problems(document) != []
