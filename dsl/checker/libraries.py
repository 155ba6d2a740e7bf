"""`use`: the declarations of a library, with its names replaced by the game's own."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Protocol, TypeVar

from regelwerk import dsl
from regelwerk.dsl.checker.context import Context
from regelwerk.dsl.diagnostics import Diagnostics, Label
from regelwerk.dsl.model import game as g
from regelwerk.dsl.parser import parse_file
from regelwerk.dsl.source import Source
from regelwerk.dsl.syntax import declarations as d
from regelwerk.dsl.syntax import files, scenarios
from regelwerk.dsl.syntax.base import Declaration, Identifier, Node

N = TypeVar("N", bound=Node)

STANDARD = "<standard library>"
"""The source of the standard library."""


@lru_cache(maxsize=1)
def standard_library() -> tuple[Source, files.RulesFile]:
    """The standard library, read once."""
    path = Path(next(iter(dsl.__path__))) / "std" / "standard.rules"
    source = Source(STANDARD, path.read_text(encoding="utf-8"))
    found = parse_file(source, diagnostics := Diagnostics())
    if found is None or diagnostics.failed:
        raise RuntimeError("the standard library does not parse")
    return source, found


def expand(c: Context, file: files.RulesFile) -> list[tuple[Declaration, str]]:
    """The declarations of all libraries that `file` uses, each with the library's name."""
    if not file.uses:
        return []
    source, standard = standard_library()
    known = {library.name.text: library for library in (*file.libraries, *standard.libraries)}
    found: list[tuple[Declaration, str]] = []
    done: set[tuple[str, tuple[str, ...]]] = set()
    for use in file.uses:
        library = known.get(use.name.text)
        if library is None:
            c.error(
                "E0211",
                f"there is no library `{use.name.text}`",
                use.name.span,
                c.suggest(use.name.text, list(known), f"put `{use.name.text}.rules` with this library beside the file"),
            )
            continue
        if len(use.arguments) != len(library.parameters):
            wanted = ", ".join(each.text for each in library.parameters)
            c.error(
                "E0212",
                f"the library `{library.name.text}` takes {len(library.parameters)} "
                f"name{'' if len(library.parameters) == 1 else 's'}",
                use.span,
                f"write `use {library.name.text}({wanted})`" if wanted else f"write `use {library.name.text}`",
            )
            continue
        key = (library.name.text, tuple(each.text for each in use.arguments))
        if key in done:
            c.error("E0213", f"the library `{library.name.text}` is used twice", use.span, "remove one of the lines")
            continue
        done.add(key)
        c.sources[source.name] = source
        mapping = {
            parameter.text: argument for parameter, argument in zip(library.parameters, use.arguments, strict=True)
        }
        found += [(substitute(each, mapping), library.name.text) for each in library.declarations]
    return found


class Folder(Protocol):
    """Where other files are."""

    def library(self, name: str, folder: Path) -> Path | None:
        """The file with the library of that name."""

    def read(self, path: Path, diagnostics: Diagnostics) -> Source | None:
        """Its text."""


def find_files(
    file: files.RulesFile, source: Source, diagnostics: Diagnostics, sources: dict[str, Source], shelf: Folder
) -> files.RulesFile:
    """The file with the libraries that it uses and that lie beside it, each in a file of its name."""
    if file.header is None:
        return file  # libraries alone: what is said of them is said by `check_alone`
    _, standard = standard_library()
    shipped = {library.name.text for library in standard.libraries}
    own: dict[str, files.Library] = {}
    for library in file.libraries:
        _unique(library, shipped, own, diagnostics)
    found: list[files.Library] = list(file.libraries)
    folder = Path(source.name).parent
    for use in file.uses:
        name = use.name.text
        if name in shipped or name in own:
            continue
        if f"{name}.rules" == Path(source.name).name:
            _no_library(use, "this file itself, and no library", diagnostics)
            own[name] = files.Library(span=use.span, name=use.name, parameters=use.arguments, declarations=())
            found.append(own[name])
            continue
        path = shelf.library(name, folder)
        if path is None:
            continue  # said when it is used
        beside = shelf.read(path, diagnostics)
        if beside is None:
            continue
        parsed = parse_file(beside, diagnostics)
        sources[beside.name] = beside
        if parsed is None:
            continue
        if parsed.header is not None:
            _no_library(use, "a game, and no library", diagnostics)
            own[name] = files.Library(span=use.span, name=use.name, parameters=use.arguments, declarations=())
            found.append(own[name])
            continue
        for library in parsed.libraries:
            _unique(library, shipped, own, diagnostics)
        found += parsed.libraries
    return file if len(found) == len(file.libraries) else file.model_copy(update={"libraries": tuple(found)})


def _no_library(use: files.Use, what: str, diagnostics: Diagnostics) -> None:
    diagnostics.error(
        "E0218",
        f"`{use.name.text}.rules` is {what}",
        use.name.span,
        "a file that is used begins with `edition 1` and `library NAME { ... }`",
    )


def _unique(library: files.Library, shipped: set[str], own: dict[str, files.Library], diagnostics: Diagnostics) -> None:
    name = library.name.text
    if name in shipped:
        diagnostics.error(
            "E0215", f"the standard library has a part `{name}` already", library.name.span, "choose another name"
        )
    elif name in own:
        diagnostics.error(
            "E0202",
            f"the library `{name}` is declared twice",
            library.name.span,
            "rename one of them",
            (Label(own[name].span, "first declared here"),),
        )
    own.setdefault(name, library)


def check_alone(c: Context, file: files.RulesFile) -> None:
    """Libraries without a game. What the names in brackets stand for is not known, so this is about form alone."""
    own: dict[str, files.Library] = {}
    source, standard = standard_library()
    itself = any(each.text == source.text for each in c.sources.values())
    shipped = set() if itself else {library.name.text for library in standard.libraries}
    for library in file.libraries:
        _unique(library, shipped, own, c.diagnostics)
        check_form(c, library)


def check_form(c: Context, library: files.Library) -> None:
    """What can be said of a library that is not used: its names, and what calls itself."""
    parameters: dict[str, Identifier] = {}
    for each in library.parameters:
        if each.text in parameters:
            c.error("E0202", f"`{each.text}` stands twice in the brackets", each.span, "remove one of them")
        parameters[each.text] = each
    seen: dict[tuple[str, str], Declaration] = {}
    for node in library.declarations:
        name = name_of(node)
        if name is None:
            c.error(
                "E0216",
                "a library declares what a game can use: values, tables, states, actions, effects",
                node.span,
                "move this into the game",
            )
            continue
        kind = _first_type(node)
        if (name, kind) in seen:
            c.error(
                "E0202",
                f"`{name}` is declared twice",
                node.span,
                "rename one of them",
                (Label(seen[name, kind].span, "first declared here"),),
            )
        seen[name, kind] = node
        if isinstance(node, d.Value):
            _check_recursion_alone(c, node)


def _check_recursion_alone(c: Context, node: d.Value) -> None:
    names = [each.name.text for each in node.parameters or ()]
    if node.shrinking is not None and node.shrinking.text not in names:
        c.error(
            "E0220",
            f"`{node.name.text}` has no parameter `{node.shrinking.text}`",
            node.shrinking.span,
            c.suggest(node.shrinking.text, names, "`shrinking` names the parameter of which every call passes less"),
        )
    if node.shrinking is not None and node.type is None:
        c.error(
            "E0222",
            f"`{node.name.text}` calls itself, so its type must be written",
            node.name.span,
            "write it behind the brackets: `value f(...): TYPE shrinking x = ...`",
        )


def name_of(node: Declaration) -> str | None:
    """The name of a declaration that may stand in a library."""
    if isinstance(node, scenarios.Scenario):
        return None
    noun = getattr(node, "noun", None)
    name = noun.name if noun is not None else getattr(node, "name", None)
    return name.text if isinstance(name, Identifier) else None


def _first_type(node: Declaration) -> str:
    """What tells two values of one name apart: how the type of their first parameter is written."""
    parameters = getattr(node, "parameters", None)
    return repr(_plain(parameters[0].type)) if parameters else ""


def _plain(value: object) -> object:
    """A part of the tree without its places."""
    if isinstance(value, Node):
        return (type(value).__name__, *(_plain(getattr(value, n)) for n in type(value).model_fields if n != "span"))
    return tuple(_plain(each) for each in value) if isinstance(value, tuple) else value


def identifiers(node: object) -> Iterator[str]:
    """All names that stand in a part of the tree."""
    if isinstance(node, Identifier):
        yield node.text
    elif isinstance(node, Node):
        for name in type(node).model_fields:
            yield from identifiers(getattr(node, name))
    elif isinstance(node, tuple):
        for each in node:
            yield from identifiers(each)


def used(declarations: list[tuple[Declaration, str | None]]) -> list[tuple[Declaration, str | None]]:
    """The declarations without those of libraries that nothing names, directly or through others that are used."""
    if all(library is None for _, library in declarations):
        return declarations
    waiting = {word for node, library in declarations if library is None for word in identifiers(node)}
    known: set[str] = set()
    kept: set[int] = set()
    while waiting - known:
        known |= waiting
        waiting = set()
        for node, library in declarations:
            if library is not None and id(node) not in kept and _names(node) & known:
                kept.add(id(node))
                waiting.update(identifiers(node))
    return [each for each in declarations if each[1] is None or id(each[0]) in kept or name_of(each[0]) is None]


def _names(node: Declaration) -> set[str]:
    noun = getattr(node, "noun", None)
    plural = {noun.plural.text} if noun is not None and noun.plural is not None else set()
    name = name_of(node)
    return plural | ({name} if name is not None else set())


def home_of(name: str) -> str | None:
    """The part of the standard library that declares a name, with what it takes in brackets."""
    for library in standard_library()[1].libraries:
        if any(name in _names(node) for node in library.declarations):
            brackets = f"({', '.join(each.text for each in library.parameters)})" if library.parameters else ""
            return f"{library.name.text}{brackets}"
    return None


def substitute(node: N, mapping: dict[str, Identifier]) -> N:
    """The tree with the names of a library replaced."""
    if not mapping:
        return node
    if isinstance(node, Identifier):
        replacement = mapping.get(node.text)
        return node if replacement is None else node.model_copy(update={"text": replacement.text})
    changes: dict[str, object] = {}
    for name in type(node).model_fields:
        old = getattr(node, name)
        new = _substituted(old, mapping)
        if new is not old:
            changes[name] = new
    return node.model_copy(update=changes) if changes else node


def _substituted(value: object, mapping: dict[str, Identifier]) -> object:
    if isinstance(value, Node):
        return substitute(value, mapping)
    if isinstance(value, tuple):
        new = tuple(_substituted(each, mapping) for each in value)
        return new if any(a is not b for a, b in zip(new, value, strict=True)) else value
    return value


def used_only(c: Context, symbol: g.ValueSymbol) -> bool:
    """Whether a library's value has been asked for (unused ones are dropped)."""
    return symbol.library is None or symbol not in c.lazy
