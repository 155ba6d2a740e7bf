"""Writes errors.md and errors/*.md, the pages of all findings and faults, from the catalogue in dsl/catalogue.

    python docs/make_error_table.py             write the pages anew
    python docs/make_error_table.py E0361       begin the page of a new code, dsl/catalogue/E0361.md

A NEW CODE, or advice that you had written into the table `ADVICE` that was here: run the second command, fill in the
page (every TODO), run the first command, then `pytest tests/dsl/test_catalogue.py`.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from regelwerk.dsl import catalogue
from regelwerk.dsl.catalogue import AREAS, Example, Page

HERE = Path(__file__).resolve().parent
CODE = catalogue.CODE
HOLE = catalogue.HOLE


@dataclass
class Finding:
    """What the sources say about a code."""

    code: str
    messages: list[str] = field(default_factory=list)
    remedies: list[str] = field(default_factory=list)
    comment: str = ""


# ------------------------------------------------------------------------------------------------- reading the sources
class Reader:
    """Collects the findings of all modules."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.found: dict[str, Finding] = {}
        self.syntax = self._syntax()
        for folder in ("dsl", "interpreter", "tools"):
            for path in sorted((root / folder).rglob("*.py")):
                self._module(ast.parse(path.read_text(encoding="utf-8")))

    def _finding(self, code: str) -> Finding:
        return self.found.setdefault(code, Finding(code))

    def _syntax(self) -> dict[str, str]:
        codes = {}
        text = (self.root / "dsl" / "parse_errors.py").read_text(encoding="utf-8")
        for name, code, comment in re.findall(r'^ +([A-Z_]+) = "([EW]\d{4})"(?: +# (.*))?$', text, re.MULTILINE):
            codes[name] = code
            self._finding(code).comment = comment
        return codes

    def _code(self, node: ast.AST) -> str | None:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and CODE.fullmatch(node.value):
            return node.value
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "Code":
            return self.syntax.get(node.attr)
        return None

    def _module(self, tree: ast.Module) -> None:
        for node in ast.walk(tree):
            code = self._code(node)
            if code is not None:
                self._finding(code)
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        for function in functions:
            for node in ast.walk(function):
                if isinstance(node, ast.Call):
                    self._call(node, function, tree)

    def _call(self, call: ast.Call, function: ast.FunctionDef, tree: ast.Module) -> None:
        name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        if name not in ("error", "warning", "_error"):
            return
        place = next((k for k, each in enumerate(call.args) if self._code(each) is not None), None)
        if place is None:
            return
        finding = self._finding(self._code(call.args[place]) or "")
        left = call.args[place + 1 :]
        self._add(finding.messages, left[:1], function, tree)
        helps = [each.value for each in call.keywords if each.arg == "help"]
        self._add(finding.remedies, left[2:3] or helps, function, tree)

    @staticmethod
    def _add(target: list[str], nodes: list[ast.expr], function: ast.FunctionDef, tree: ast.Module) -> None:
        for node in nodes:
            target += [each for each in texts(node, function, tree) if each not in target and each.strip(HOLE + "` ")]


def texts(node: ast.AST, function: ast.FunctionDef, tree: ast.Module, depth: int = 0) -> list[str]:
    """The texts an expression can be, with a mark for what varies."""
    if depth > 4:
        return [HOLE]
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else []
    if isinstance(node, ast.JoinedStr):
        parts = [each.value if isinstance(each, ast.Constant) else HOLE for each in node.values]
        return ["".join(str(each) for each in parts)]
    if isinstance(node, ast.IfExp):
        return [*texts(node.body, function, tree, depth + 1), *texts(node.orelse, function, tree, depth + 1)]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = texts(node.left, function, tree, depth + 1), texts(node.right, function, tree, depth + 1)
        return [a + b for a in left[:1] for b in right[:1]] or [HOLE]
    if isinstance(node, ast.Name):
        return list(_assigned(node.id, function, tree, depth)) or [HOLE]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "replace":
        return [each.replace("'", "`") for each in texts(node.func.value, function, tree, depth + 1)]
    if isinstance(node, ast.Call):
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        return list(_returned(called, tree, depth)) or [HOLE]
    return [HOLE]


def _assigned(name: str, function: ast.FunctionDef, tree: ast.Module, depth: int) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name for t in node.targets):
            yield from texts(node.value, function, tree, depth + 1)


def _returned(name: str, tree: ast.Module, depth: int) -> Iterator[str]:
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef) and function.name == name and name.startswith("_"):
            for node in ast.walk(function):
                if isinstance(node, ast.Return) and node.value is not None:
                    yield from texts(node.value, function, tree, depth + 1)


# -------------------------------------------------------------------------------------------------- writing the pages
INTRODUCTION = """\
# Findings and faults

Everything that `regelwerk check` can say, and what can stop a running game, by code. A code keeps its meaning. `…`
stands for what varies. E is an error: the file cannot be used. W is a warning: it can. `regelwerk explain CODE` shows
the page of a code in the terminal.

This page and those it leads to are made by `python docs/make_error_table.py` from `dsl/catalogue`; do not edit them.

A finding is printed with the line it is about, a caret, and a remedy:

```text
error[E0330]: `pionts` is not a unit of this game
  --> pig.rules:23:21
   |
23 |   effect { gain pot pionts   set over = yes }
   |                     ^^^^^^
   = help: did you mean `points`?
```

[command-line.md](command-line.md#findings) describes the other forms, one line for each finding and JSON.
"""

FAULTS = """\
A fault is not a finding of the checker. It stops a running game: the rules asked for something that cannot be. The
command that met it says where in the rules, and how to see it again.
"""

FRAME = """\
## The game of the examples

Examples that do not begin with `edition` are put behind this little game (`regelwerk explain frame`).

```rules
{frame}```
"""


def escaped(text: str) -> str:
    """A text for a cell of a table."""
    return text.replace("|", "\\|")


def slug(title: str) -> str:
    """The name of an area's file."""
    return re.sub(r"\W+", "-", title.lower())


def index(root: Path, pages: list[Page]) -> str:
    """The text of errors.md."""
    parts = [INTRODUCTION]
    for area, title in AREAS.items():
        target = f"errors/{slug(title)}.md"
        rows = [
            f"| [{each.code}]({target}#{each.code.lower()}-{each.name}) | {each.name} | "
            f"{'<br>'.join(escaped(message) for message in each.messages[:3])} |"
            for each in pages
            if each.area == area
        ]
        if not rows:
            continue
        before = f"\n{FAULTS}" if area == "" else ""
        parts.append(f"## {title}\n{before}\n| code | name | message |\n|---|---|---|\n" + "\n".join(rows) + "\n")
    return "\n".join([*parts, FRAME.format(frame=catalogue.frame())])


def area_page(title: str, pages: list[Page]) -> str:
    """The text of the page of an area."""
    parts = [
        f"# {title}\n\nAll codes are listed in [errors.md](../errors.md). Examples that do not begin with `edition` "
        "are put behind\n[the game of the examples](../errors.md#the-game-of-the-examples). This page is made from "
        "`dsl/catalogue`.\n"
    ]
    for each in pages:
        messages = "\n".join(f"- {message}" for message in each.messages)
        text = f"## {each.code} {each.name}\n\n{messages}\n\n{each.meaning}\n\n*Why:* {each.why}\n"
        for word, example in (("Wrong", each.wrong), ("Instead", each.instead)):
            text += _shown(word, example) if example is not None else ""
        parts.append(text + (f"\nNo example: {each.not_shown}.\n" if each.not_shown else ""))
    return "\n".join(parts)


def _shown(word: str, example: Example) -> str:
    besides = f" (this brings about {', '.join(example.besides)} as well)" if example.besides else ""
    return f"\n{word}{besides}:\n\n```rules\n{example.text}```\n"


def all_pages(root: Path) -> dict[str, str]:
    """The texts of errors.md and of the pages of the areas, by their paths under docs."""
    pages = list(catalogue.pages())
    lost = [each.code for each in pages if each.area not in AREAS]
    if lost:
        raise SystemExit(f"no area for {', '.join(lost)}: add one to AREAS in dsl/catalogue/__init__.py")
    found = {"errors.md": index(root, pages)}
    for area, title in AREAS.items():
        of_area = [each for each in pages if each.area == area]
        if of_area:
            found[f"errors/{slug(title)}.md"] = area_page(title, of_area)
    return found


# -------------------------------------------------------------------------------------------------- beginning a page
PAGE = """\
# {code} TODO-readable-name

{messages}

{meaning}

## Why

TODO: why the language has this rule.

## Wrong

```rules
{wrong}
```

## Instead

```rules
TODO: the same, as it is meant.
```
"""


def begin(root: Path, code: str) -> Path:
    """A page for a new code, with what the sources and the error tests say of it."""
    path = root / "dsl" / "catalogue" / f"{code}.md"
    if path.exists():
        raise SystemExit(f"{path} is there already")
    finding = Reader(root).found.get(code)
    if finding is None:
        raise SystemExit(f"no source says {code}")
    messages = finding.messages or ["TODO: the message"]
    meaning = "TODO: what it means and what to do. " + "; ".join(finding.remedies)
    text = PAGE.format(
        code=code,
        messages="\n".join(f"> {each}" for each in messages),
        meaning=meaning.strip(),
        wrong=_case(root, code) or "TODO: a few lines that bring it about",
    )
    path.write_text(text, encoding="utf-8")
    return path


def _case(root: Path, code: str) -> str:
    """The shortest case of the error tests that brings about this code alone."""
    cases = []
    for path in sorted((root / "tests" / "dsl" / "errors").rglob("*.rules")):
        for chunk in path.read_text(encoding="utf-8").split("---\n"):
            if set(CODE.findall(chunk)) == {code}:
                cases.append(re.sub(r"[ \t]*//!.*", "", chunk).strip("\n"))
    return min(cases, key=len, default="")


def write(root: Path) -> None:
    """Write all pages, and delete those of areas that are gone."""
    pages = all_pages(root)
    (HERE / "errors").mkdir(exist_ok=True)
    for name, text in pages.items():
        (HERE / name).write_text(text, encoding="utf-8")
    for path in (HERE / "errors").glob("*.md"):
        if f"errors/{path.name}" not in pages:
            path.unlink()


if __name__ == "__main__":
    for word in sys.argv[1:]:
        print(f"fill in {begin(HERE.parent, word)}")
    if not sys.argv[1:]:
        write(HERE.parent)
