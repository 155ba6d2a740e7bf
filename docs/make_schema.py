"""Writes dsl/interchange/model.schema.json, the JSON Schema of exported games: python docs/make_schema.py"""

from regelwerk.dsl.interchange import SCHEMA
from regelwerk.dsl.interchange.schema import text

if __name__ == "__main__":
    SCHEMA.write_text(text(), encoding="utf-8", newline="\n")
    print(f"wrote {SCHEMA}")
