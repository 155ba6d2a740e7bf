"""The JSON Schema of documents: pydantic's schema of the envelope, and a definition for each form of node.

`model.schema.json` is what this gave; `python docs/make_schema.py` writes it again. Beyond the schema a document must
keep what JSON Schema cannot say: spans lie in their sources, and a few members depend on each other.
"""

from __future__ import annotations

import json
from typing import Any

from regelwerk.dsl.interchange import document as d
from regelwerk.dsl.interchange import forms as f
from regelwerk.dsl.syntax.base import Node

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema() -> dict[str, Any]:
    """The schema, as it should be shipped."""
    envelope = d.Document.model_json_schema()
    definitions: dict[str, Any] = _with_trees(envelope.pop("$defs"))
    for name, form in f.forms().items():
        definitions[name] = _form(form)
        for field in form.fields:
            for base in f.bases(field.shape):
                _base(base, definitions)
    for root in f.ROOTS:
        _base(root, definitions)
    definitions["Span"] = {
        "description": "Number of the source (from 0), first character, character after the last; in code points.",
        "type": "array",
        "items": {"type": "integer", "minimum": 0},
        "minItems": 3,
        "maxItems": 3,
    }
    return {"$schema": DIALECT, **envelope, "$defs": dict(sorted(definitions.items()))}


def text() -> str:
    """The schema as the text of its file."""
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


def _with_trees(value: Any) -> Any:
    """The schema of the envelope, with references where it has trees."""
    if isinstance(value, list):
        return [_with_trees(each) for each in value]
    if not isinstance(value, dict):
        return value
    found = {name: _with_trees(each) for name, each in value.items() if name != "trees"}
    trees = [{"type": "null"} if name == "null" else {"$ref": f"#/$defs/{name}"} for name in value.get("trees", [])]
    return {**found, **(trees[0] if len(trees) == 1 else {"anyOf": trees})} if trees else found


def _base(base: type[Node], definitions: dict[str, Any]) -> None:
    """What may stand where a class of nodes with several forms is asked for."""
    names = [each.__name__ for each in f.concrete(base)]
    if names != [base.__name__] and base.__name__ not in definitions:
        definitions[base.__name__] = {"description": _description(base), **_one_of(names)}


def _one_of(names: list[str]) -> dict[str, Any]:
    references = {name: f"#/$defs/{name}" for name in names}
    return {
        "discriminator": {"propertyName": "node", "mapping": references},
        "oneOf": [{"$ref": each} for each in references.values()],
    }


def _description(cls: type[Node]) -> str:
    return " ".join((cls.__doc__ or "").split())


def _form(form: f.Form) -> dict[str, Any]:
    members: dict[str, Any] = {"node": {"const": form.name}, "span": {"$ref": "#/$defs/Span"}}
    for field in form.fields:
        members[field.name] = _shape(field.shape)
        if not field.required:
            default = list(field.default) if isinstance(field.default, tuple) else field.default
            members[field.name] = {**members[field.name], "default": default}
    return {
        "description": _description(form.cls),
        "type": "object",
        "properties": members,
        "required": ["node", "span", *(field.name for field in form.fields if field.required)],
        "additionalProperties": False,
    }


def _shape(shape: f.Shape) -> dict[str, Any]:
    if isinstance(shape, f.Nodes):
        if len(shape.bases) == 1:
            return {"$ref": f"#/$defs/{shape.bases[0].__name__}"}
        return _one_of([cls.__name__ for base in shape.bases for cls in f.concrete(base)])
    if isinstance(shape, f.Maybe):
        return {"anyOf": [_shape(shape.base), {"type": "null"}]}
    if isinstance(shape, f.Many):
        return {"type": "array", "items": _shape(shape.member), **({"minItems": shape.fewest} if shape.fewest else {})}
    if isinstance(shape, f.Text):
        pattern = {"pattern": f"^(?:{shape.pattern})$"} if shape.pattern else {}
        return {"type": "string", "maxLength": shape.longest, **pattern}
    if isinstance(shape, f.Number):
        return {"type": "integer", "minimum": 0, "maximum": f.LARGEST}
    return {"type": "boolean"} if isinstance(shape, f.Flag) else {"enum": list(shape.words)}


__all__ = ["schema", "text"]
