"""A checked game as a JSON document, and back.

    forms     what the nodes of the syntax tree look like as JSON, read off their classes
    document  the envelope: format, version, sources, rules, facts
    facts     what other programs want to know of a game without checking it themselves
    writing   a checked game to a document, a document to text
    reading   text to document to syntax tree; the text is not trusted
    schema    the JSON Schema of all this; `model.schema.json` is what it gave

A document holds the tree that the checker saw: the game composed with its variants, libraries written out. Reading one
ends where parsing a `.rules` file ends, and the same checker goes on from there.
"""

from pathlib import Path

SCHEMA = Path(__file__).with_name("model.schema.json")
"""The JSON Schema of documents."""

LARGEST_DOCUMENT = 16 << 20
"""Bytes of a document, written or read."""


def looks_like_document(text: str) -> bool:
    """Whether a text is meant as a document: rules never begin with a brace."""
    return text.lstrip("\ufeff \t\r\n").startswith("{")
