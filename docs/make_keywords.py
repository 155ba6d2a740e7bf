"""Writes tools/grammar_keywords.py, the keywords by their place in grammar.lark: python docs/make_keywords.py"""

from __future__ import annotations

from pathlib import Path

from regelwerk.dsl.automaton import build_lark

FILE = Path(__file__).resolve().parents[1] / "tools" / "grammar_keywords.py"
GROUPS = (
    ("DECLARATIONS", "What begins a file or a declaration.", ("edition", "header", "library", "use", "decl")),
    ("STATEMENTS", "What begins a statement.", ("stmt",)),
    ("CLAUSES", "What begins a part of a declaration.",
     ("game_item", "ent_item", "clause", "line", "reaction", "standing", "phase_item", "scene", "scene_step", "pin",
      "ext_item")),
    ("TYPES", "What begins a type, besides names.", ("type",)),
)  # fmt: skip


def words() -> dict[str, list[str]]:
    """The keywords of each group and, as WORDS, all others; each in the first group that it belongs to."""
    lark = build_lark()
    literal = {each.name: each.pattern.value for each in lark.terminals if each.pattern.type == "str"}
    every = {text for text in literal.values() if text.replace("_", "a").isalpha()}
    first: dict[str, set[str]] = {}
    empty: set[str] = set()
    changed = True
    while changed:
        changed = False
        for rule in lark.rules:
            known = first.setdefault(rule.origin.name, set())
            before = len(known), len(empty)
            for symbol in rule.expansion:
                known |= {literal[symbol.name]} if symbol.name in literal else first.get(symbol.name, set())
                if symbol.name not in empty:
                    break
            else:
                empty.add(rule.origin.name)
            changed = changed or (len(known), len(empty)) != before
    found: dict[str, list[str]] = {}
    taken: set[str] = set()
    for group, _, rules in GROUPS:
        chosen = set[str]().union(*(first[rule] for rule in rules)) & every - taken
        if group == "TYPES":
            chosen -= {"yes"}
        found[group] = sorted(chosen)
        taken |= chosen
    return {**found, "WORDS": sorted(every - taken)}


def text() -> str:
    """The module."""
    meanings = {group: meaning for group, meaning, _ in GROUPS} | {"WORDS": "All other keywords."}
    parts = ['"""The keywords, as grammar.lark has them. Made by `python docs/make_keywords.py`; do not edit."""\n']
    for group, found in words().items():
        body = "".join(f'        "{word}",\n' for word in found)
        parts.append(f'{group} = frozenset(\n    [\n{body}    ]\n)\n"""{meanings[group]}"""\n')
    return "\n".join(parts)


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8", newline="\n")
    print(f"wrote {FILE}")
