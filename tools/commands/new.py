"""`regelwerk new`: a small game, or a small variant of one, to begin with."""

from __future__ import annotations

import argparse
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from regelwerk.tools.arguments import OK, CommandFailure, FindingsFailure, UsageFailure, rules_path
from regelwerk.tools.output_files import output_file

if TYPE_CHECKING:
    from regelwerk.interpreter.loading import Checked
    from regelwerk.tools.starting_points import Draft

LONGEST = 50  # of a name; that of the scenarios is longer
DESCRIPTION = """\
Write a small game that works, with comments that say what its parts are for, and scenarios for it: two files,
NAME.rules and NAME_scenarios.rules. With --variant-of, a small variant of a game and scenarios for that. What is there
already is never overwritten.
"""
EPILOG = """\
examples:
  regelwerk new my_game
  regelwerk new my_variant --variant-of my_game.rules
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "new",
        help="begin a game, or a variant of one",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("name", metavar="NAME", help="what the game is called in rules: letters, digits and _")
    parser.add_argument(
        "--variant-of", metavar="GAME", help="the game that is varied: a rules file, or one that comes with regelwerk"
    )
    parser.add_argument(
        "-o", "--folder", metavar="DIR", help="where to write, made if need be (default: here, or beside GAME)"
    )


def run(args: argparse.Namespace) -> int:
    """Write the two files."""
    name = _checked_name(args.name)
    base = rules_path(args.variant_of) if args.variant_of is not None else None
    folder = Path(args.folder) if args.folder is not None else _usual_folder(base)
    paths = folder / f"{name}.rules", folder / f"{name}_scenarios.rules"
    for path in paths:
        if path.exists() or path.is_symlink():
            raise UsageFailure(f"`{path}` is there already; choose another name, or another folder with -o")
    draft = _game(name, folder) if base is None else _variant(name, base, folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageFailure(f"the folder `{folder}` cannot be made: {error.strerror or error}") from error
    with output_file("-o", str(paths[1])) as write_scenarios, output_file("-o", str(paths[0])) as write_rules:
        write_rules(draft.rules)
        write_scenarios(draft.scenarios)
    rules = shlex.quote(str(paths[0]))
    print(f"wrote {paths[0]} and {paths[1]}\n\nwhat to do next:")
    for command, why in (
        (f"check {rules}", "after each change: what is wrong, and where"),
        (f"test {rules}", "run its scenarios"),
        (f"play {rules}", "play it in the terminal"),
        (f"simulate {rules}", "let bots play it, and see the figures"),
        (f"fmt {rules}", "tidy it up"),
    ):
        print(f"  regelwerk {command}\n      {why}")
    return OK


def _checked_name(name: str) -> str:
    from regelwerk.dsl.builder import RESERVED
    from regelwerk.interpreter.layers import SCENARIOS

    plain = name.removesuffix(".rules")
    if re.search(r"[/\\]", name):
        raise UsageFailure(f"`{name}` is a path; give a name, and the folder with -o: {Path(plain).name} -o DIR")
    if name.endswith(".rules") and plain:
        raise UsageFailure(f"`{name}`: give the name without `.rules`: {plain}")
    if not re.fullmatch(r"[^\W\d]\w*", name):
        near = re.sub(r"\W+", "_", name).strip("_")
        near = f"_{near}" if near[:1].isdigit() else near
        hint = f"; for example `{near}`" if near else ""
        raise UsageFailure(f"`{name}` is no name: a letter or _, then letters, digits and _{hint}")
    if len(name) > LONGEST:
        raise UsageFailure(f"this name has {len(name)} characters; the limit is {LONGEST}")
    if name in RESERVED:
        raise UsageFailure(f"`{name}` begins a value and cannot name anything; for example `{name}_`")
    if name.endswith(SCENARIOS):
        raise UsageFailure(f"`{name}`: what ends in `{SCENARIOS}` holds the scenarios of a game")
    return name


def _usual_folder(base: Path | None) -> Path:
    """Here; for a variant of a game that is not shipped, beside that: elsewhere it would not be found."""
    from regelwerk.interpreter.layers import shipped_games

    if base is None or base.resolve() in {path.resolve() for path in shipped_games().values()}:
        return Path()
    return base.parent


def _game(name: str, folder: Path) -> Draft:
    from regelwerk.tools.starting_points import new_game

    draft = new_game(name)
    checked = _check(draft, folder / f"{name}.rules")
    if checked.game is None:
        message = f"the name `{name}` stands for something else in a new game; choose another one"
        raise FindingsFailure(checked.diagnostics, checked.sources, message)
    return _formatted(draft)


def _variant(name: str, base: Path, folder: Path) -> Draft:
    from regelwerk.interpreter.layers import Shelf
    from regelwerk.interpreter.loading import check_path
    from regelwerk.interpreter.scenarios import run_scenarios
    from regelwerk.tools.starting_points import new_variants

    found = check_path(base)
    if found.game is None:
        raise FindingsFailure(found.diagnostics, found.sources, f"{base.name} has errors and cannot be varied")
    named = found.game.name
    if named == name:
        raise UsageFailure(f"`{name}` is the name of the game itself; choose another one for the variant")
    seen = Shelf().find(named, folder)
    if seen is None or seen.resolve() != base.resolve():
        what = f"another `{named}` is there" if seen is not None else f"`{named}.rules` must lie there"
        raise UsageFailure(f"a variant in `{folder}` would not find {base} ({what}); write it beside its base")
    for draft in new_variants(name, named, found.game):
        checked = _check(draft, folder / f"{name}.rules")
        if checked.game is not None and all(each.passed for each in run_scenarios(checked)):
            return _formatted(draft)
    raise CommandFailure(f"no beginning of a variant fits {base.name} under the name `{name}`; try another name")


def _check(draft: Draft, path: Path) -> Checked:
    """Check the rules with the scenarios in them, as if they were one file."""
    from regelwerk.dsl.source import Source
    from regelwerk.interpreter.loading import check_source

    _, _, scenarios = draft.scenarios.partition("\n\n")
    return check_source(Source(str(path), draft.rules + scenarios))


def _formatted(draft: Draft) -> Draft:
    from regelwerk.dsl.formatting import format_source
    from regelwerk.tools.starting_points import Draft

    return Draft(format_source(draft.rules), format_source(draft.scenarios))


__all__ = ["add_parser", "run"]
