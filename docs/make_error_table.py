"""Writes errors.md, the table of all findings: python docs/make_error_table.py

Codes and messages are collected from the sources; what to do stands below (`ADVICE`), or is the remedy of the source.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
CODE = re.compile(r"[EW]\d{4}")
HOLE = "…"

NOT_YET = {
    f"`{HOLE}` in a variant": "`replace`, `remove`, `change`, `extend` and `resolve` in a variant",
    f"things per {HOLE}": "things per a type other than `player`",
}
"""Plainer words for what is not yet executable."""

GROUPS = {
    "E01": "The text of the file",
    "E02": "Names",
    "E03": "Types, values and amounts",
    "E04": "Actions and effects",
    "E05": "Players, phases and ends",
    "E06": "Rules and triggers",
    "E07": "Things, tables, zones, resources and tracks",
    "E08": "Questions about the past",
    "E09": "Not yet executable",
    "E10": "Scenarios",
    "E11": "Variants",
    "E12": "The running game",
    "W05": "Warnings",
}

MESSAGES = {
    "E0103": "a statement or declaration begins with a keyword",
    "E0142": "in this cell: …",
    "E0143": "the name of this row cannot be read / a row begins with its name",
    "E0146": "this citation cannot be read",
    "E0150": "this hole cannot be read",
    "E1000": "scenario …: what was stated does not hold",
}
"""Where the sources put a message together in a way that this script does not follow."""

ADVICE = {
    "E0101": "Something else is expected at this place. The message lists what could stand there; often the line "
    "before is not finished.",
    "E0102": "The word is nearly a keyword. Write the keyword that the remedy names.",
    "E0103": "Statements and declarations begin with a keyword (`gain`, `action` ...). A line that begins with a name "
    "is none.",
    "E0104": "One mark is missing. Add it where the caret stands.",
    "E0105": "One mark or word is too much. Delete it; there are no semicolons, and no commas between statements.",
    "E0106": "The file stops in the middle of something. Usually a `}` is missing further up.",
    "E0107": "There are so many errors that the rest is not looked at. Mend the first ones and check again.",
    "E0110": "A brace is never closed. The second place shows where it was opened.",
    "E0111": "A closing brace without an opening one. Delete it, or add the `{`.",
    "E0120": "The character has no meaning outside a text in quotes. For curly quotes and long dashes the remedy "
    "names the plain character.",
    "E0121": "A text ends on its line. Add the closing quote.",
    "E0122": 'A drawing begins and ends with `"""`. Add the closing one.',
    "E0123": "An invisible character stands in the file, usually pasted. Delete it.",
    "E0124": "Use blanks. In a drawing a tab is an error, since the columns count.",
    "E0125": "Save the file in UTF-8.",
    "E0126": "The file cannot be read: it is missing, a folder, or not readable for you.",
    "E0130": "The first line of every file is `edition 1`.",
    "E0131": "This version knows edition 1.",
    "E0132": "The file is empty, or all of it is a comment.",
    "E0140": "A row begins and ends with `|`.",
    "E0141": "The row has more or fewer cells than the header. Leave a cell blank, but keep its `|`.",
    "E0142": "A cell holds a value, an effect, a test or rules, as its column says. The message names row and column.",
    "E0143": 'The first cell of a row is its name, with an optional printed name: `tavern "Tavern"`.',
    "E0144": "The first row of a table names the columns, each with one plain word, none twice.",
    "E0145": "The first row in the braces is the header.",
    "E0146": "A column `rule` holds citations such as `A-012, A-014..016`.",
    "E0150": "A hole `{...}` in a text holds a value.",
    "E0151": "A hole in a text is closed with `}`. A brace itself is `{{`.",
    "E0152": "A closing brace in a text is written `}}`.",
    "E0160": "A file has at most 1 MiB.",
    "E0161": "A line has at most 400 characters. Give a long cell its own effect.",
    "E0162": "A name has at most 64 characters.",
    "E0163": "A text has at most 500 characters.",
    "E0164": "Brackets are nested at most 32 deep. Give the inner part a name.",
    "E0165": "A table has at most 1,024 rows.",
    "E0166": "An expression or statement is nested too deeply. Give its parts names.",
    "E0167": "A number has at most 9 digits.",
    "E0170": "A part of a clause is written twice. Delete one.",
    "E0171": "Seventeen words begin a value and cannot name anything. Choose another name.",
    "E0201": "Words such as `me`, `players` and `it` always have their own meaning.",
    "E0202": "A game has one name space. Rename one of the two.",
    "E0203": "Nothing of this name is known here. Is it spelt right, and declared?",
    "E0204": "The thing has no attribute of this name: no column, zone, state, track or value.",
    "E0205": "Every player (or field, or card) has one of his own. Say whose.",
    "E0206": "Nobody acts here: in setup, in an `end`, in a value without `me`. Use `everyone`, `acting p`, or a "
    "parameter `me`.",
    "E0207": "`it` and a leading dot are for conditions behind `where` and for defaults of columns.",
    "E0208": "`self` is for cells of tables and for the `from` of zones.",
    "E0209": "The name belongs to several types. Write the type before it.",
    "E0210": "Names are never shadowed. Choose another local name.",
    "E0211": "There is no such part of the standard library, and the file declares none.",
    "E0212": "The library takes names in brackets, for example `use grids(Cell)`.",
    "E0213": "Remove one of the two `use` lines.",
    "E0301": "What stands here is of the wrong kind. The message says what is wanted and what is there.",
    "E0302": "A condition is wanted. Compare with `is`, `<`, `>=` or `in`.",
    "E0303": "Numbers go up to 32,767.",
    "E0304": "The number is outside its range. Change it, or widen the range.",
    "E0305": "An enum with numbers takes only these numbers.",
    "E0306": "The name of a row means all its copies, and one is needed. Say which.",
    "E0307": "Sets hold players, members of enums, things and numbers.",
    "E0308": "Both sides, or all members, must be of one kind.",
    "E0309": "Nothing can be divided by 0.",
    "E0310": "Say of which kind: `p.goods(wood)`, `t(wood)`, `players.at(1)`.",
    "E0311": "Only a zone with `order pile` or `order row` has this.",
    "E0312": "Remove the brackets.",
    "E0313": "An effect is run by `do`, and has no value.",
    "E0314": "Amounts of several kinds are compared with `>=` and `<=` only.",
    "E0315": "There is no parameter of this name.",
    "E0316": "Too many or too few arguments.",
    "E0317": "`is free` is said of one thing. For a set use `every(x in S: x is free)`.",
    "E0318": "The two can never be equal, since they are of different kinds.",
    "E0319": "`by` must answer for every value. Add the missing cases, or `else: ...`.",
    "E0320": "A value may not use itself, directly or through another one.",
    "E0321": "The value asks for `me`, and nobody acts here. Name somebody: `f(x, me: p)`.",
    "E0322": "An effect has no value. Write `do NAME(...)`.",
    "E0323": "Rules cannot read texts. Compare with the thing or member that is meant.",
    "E0324": "Quantifiers are written `some(H)`, `count(H)`, `first(x in S)`, `every(H: c)`, `sum(H: e)`.",
    "E0325": "`sum`, `min` and `max` are taken of numbers.",
    "E0326": "A head has at most four binders. Take the choices one after the other.",
    "E0327": "`x in S` needs a set, a list, a zone or a range.",
    "E0328": "In `for` and in quantifiers one element is taken at a time.",
    "E0330": "A number is followed by the name of a resource, a track or a kind of goods. Is it spelt right?",
    "E0331": "A resource per kind needs the kind: `1 wood`, not `1 good`.",
    "E0332": "An amount needs its unit: `2 coins`.",
    "E0333": "No resource is counted in this enum.",
    "E0334": "Things are moved. Only resources and tracks are gained and paid.",
    "E0335": "The target of `move`, `draw` or `shuffle` is a zone.",
    "E0336": "`move` needs a card, tile, piece or die, or a set of them.",
    "E0337": "Fields and table rows stay where they are. Only cards, tiles, pieces and dice lie in zones.",
    "E0338": "The zone is declared for another type of things.",
    "E0339": "Only dice have faces.",
    "E0340": "A bound, a supply or a number of copies must be known when the file is read.",
    "E0341": "The lower bound is above the upper one.",
    "E0342": "Sets of numbers go from 0 to 1,023.",
    "E0343": "A tally counts the members of an enum.",
    "E0344": "`effect`, `rules`, `ability`, `test` and `text` are types of columns.",
    "E0345": "There is no such type.",
    "E0346": "Numbers have no `none`. Use a number that means nothing.",
    "E0347": "A value, an effect or an action has at most eight parameters.",
    "E0348": "`me` comes first.",
    "E0349": "A parameter is written `name: type`.",
    "E0401": "Nobody acts here. Say for whom: `everyone { }` or `acting p { }`.",
    "E0402": "The table has no such column of effects.",
    "E0403": "`do` takes the name of an effect, or a column of effects.",
    "E0404": "There is no such effect.",
    "E0405": "The text of a choice is read before the choice.",
    "E0406": "A choice has at most 30 labelled options.",
    "E0407": "Only states and the faces of dice can be set. What is computed cannot.",
    "E0408": "`require` is for the first statements of an effect.",
    "E0409": "There is no such action.",
    "E0410": "`until` names actions of its own offer.",
    "E0411": "Every action has an `effect { }`, even if it does nothing.",
    "E0412": "Effects may not run each other in a circle.",
    "E0421": "The effect gains, pays or asks somebody, and nobody acts where it is run. Use `everyone { }` or "
    "`acting p { }`.",
    "E0501": "There is no such phase. `turn`, `action` and `game` can be named too.",
    "E0502": "The name means several phases. Rename one.",
    "E0503": "`end ... after PHASE` needs the address of a phase, such as `game.round`.",
    "E0505": "`ranked by` names a `rank`.",
    "E0506": "The braces behind the title begin with `players 2..4`.",
    "E0507": "A game is for 1 to 10 players.",
    "E0508": "There are as many names of seats as players at most, all different.",
    "E0509": "Without a phase nothing happens. Add `phase game { }`.",
    "E0510": "The phase repeats for ever. Say until when, or declare an `end` that is tested in it.",
    "E0511": "Players who decide together have one `offer`. What follows goes into the next phase.",
    "E0521": "Drivers stand from the outermost to the innermost, and what is decided together is innermost.",
    "E0601": "There is nothing of this name. A rule aims at an address, such as `place.free` or `game.round`.",
    "E0602": "This role aims at something else: `forbid` at an action, `waive` at a named requirement or cost.",
    "E0603": "Parameters of a rule are the names of the target's parameters.",
    "E0604": "Rules in cells need to know where they hold: `cards K live in ZONE`.",
    "E0605": "`also` adds to a set. For numbers and costs write `plus`.",
    "E0606": "`plus`, `minus`, `at least` and `at most` change numbers. For anything else write `becomes`.",
    "E0701": "The numbers of an enum are one range and stand before the names.",
    "E0702": "The numbers of an enum go from 1 up, at most to 1,000.",
    "E0703": "Two rows have one name.",
    "E0705": "A type of things without rows needs `copies n`.",
    "E0706": "Names such as `pos`, `name` and `owner` are there in every table.",
    "E0707": "Only columns of effects have parameters.",
    "E0708": "Faces are a range of numbers from 0 to 255.",
    "E0709": "Dice need `faces`.",
    "E0710": "Only dice have faces.",
    "E0711": "`live in` names a zone for these things.",
    "E0712": "The header names a column that is not declared.",
    "E0713": "`copies` holds numbers, `per_player` yes or no.",
    "E0714": "The cell does not fit the type of its column.",
    "E0715": "The cell is empty and the column has no default.",
    "E0716": "A rule stands in a column of effects. Declare the column as `rules` or `ability`.",
    "E0717": "A column of rules holds roles such as `modify X plus 1` or `after X { }`.",
    "E0718": "A value stands in a column of effects.",
    "E0719": "There is no such type of things.",
    "E0720": "`per` is followed by `player` or a type.",
    "E0721": "A resource is per an enum of its kinds.",
    "E0722": "Two resources per one enum could not be told apart.",
    "E0723": "Only players and things can hold goods.",
    "E0724": "Every track is `per player`.",
    "E0725": "A track is a range such as `0..80`.",
    "E0726": "The drawing is empty.",
    "E0727": "All drawings of a board have the same number of cells.",
    "E0728": "A mark of the drawing is neither a name, a number nor in the legend.",
    "E0729": "A board is drawn or listed, not both.",
    "E0801": "`happened`, `times` and `latest` ask about actions, effects and built-in events.",
    "E0802": "Arguments are those of the action or effect.",
    "E0803": "The past is kept for single things and small numbers only.",
    "E0804": "Say about whom: `by p` or `by anyone`.",
    "E0900": "The language has this construct, and this version cannot execute it. See the list below.",
    "E1000": "The scenario fails (`regelwerk test`). The message says what was seen instead.",
    "E1001": "`pin` fixes what a value would compute. States are set with `set`.",
    "E1002": "Name the arguments of the pinned value, or give a list.",
    "E1003": "In `given`, a zone is filled with a list.",
    "E1004": "Two scenarios have one name.",
    "E1005": "`same as` names another scenario.",
    "E1006": "A scenario cannot be the same as itself.",
    "E1007": "The scenario names too few or too many players.",
    "E1008": "The game has no such option.",
    "E1009": "A seat is called as the scenario's `players` say.",
    "E1010": "`because` names a requirement, a cost or a rule.",
    "E1011": "The part needs something that an outer phase binds. Play the outer phase.",
    "E1012": "`play` takes the address of a phase, a step or an effect.",
    "E1101": 'Only a variant changes a base game. Begin with `variant NAME "Title" of BASE`.',
    "E1102": "The base game lies beside the variant, or is a game that comes with Regelwerk.",
    "E1201": "The start values do not fit each other, for this number of players and these options.",
    "W0501": "Nothing happens in this phase.",
    "W0521": "The rule gains, pays or asks somebody. Where the event happens without anybody acting, it would fail.",
    "W0502": "The game ends without a winner. Add `rank winner by ...`.",
}


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
        self.not_yet: list[tuple[str, str]] = []
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
        if name == "not_yet" and call.args:
            remedy = next(iter(texts(call.args[2], function, tree)), "") if len(call.args) > 2 else ""
            for what in texts(call.args[0], function, tree):
                if (what, remedy) not in self.not_yet and what.strip(HOLE + " "):
                    self.not_yet.append((what, remedy))
            return
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


# --------------------------------------------------------------------------------------------------- writing the page
INTRODUCTION = """\
# Findings

Everything that `regelwerk check` can say, by code. A code keeps its meaning. `…` stands for what varies.
E is an error: the file cannot be used. W is a warning: it can.

This page is made by `python docs/make_error_table.py` from the sources; do not edit it.

A finding is printed with the line it is about, a caret, and a remedy:

```text
error[E0330]: `pionts` is not a unit of this game
  --> pig.rules:23:21
   |
23 |   effect { gain pot pionts   set over = yes }
   |                     ^^^^^^
   = help: did you mean `points`?
```

`regelwerk check --format json` gives the same fields to programs.
"""

FAULTS = """\
## Faults

A fault is not a finding of the checker. It stops a running game: the rules asked for something that cannot be. The
command that met it says where in the rules, and how to see it again.

| fault | what happened | what to do |
|---|---|---|
| `range` | a stored number left its range, or a list has no such place | widen the range, or ask before storing |
| `unpaid` | `pay` ran although the player could not pay | cover it by a `cost`, a `require` or a `where` |
| `full` | a zone got more than its `capacity` | ask for room before moving |
| `none` | something was needed, and there was none | ask `is none` first |
| `clash` | two rules say `becomes` with different values | give one of them a guard |
| `dead_end` | an `offer` had no option, and nobody may pass | add `or pass`, or an action that is always possible |
| `depth` | more than 32 rules answered to one event, or calls are nested too deeply | break the chain |
| `budget` | over 4,096 options, 1,000,000 ways to pick, or 1,000,000 statements between decisions | narrow the domain |
"""


def escaped(text: str) -> str:
    """A text for a cell of a table."""
    return text.replace("|", "\\|")


def page(root: Path) -> str:
    """The text of errors.md."""
    reader = Reader(root)
    parts = [INTRODUCTION]
    for prefix, title in GROUPS.items():
        found = [reader.found[code] for code in sorted(reader.found) if code.startswith(prefix)]
        if not found:
            continue
        parts.append(f"## {title}\n\n| code | message | what it means, what to do |\n|---|---|---|")
        for each in found:
            message = MESSAGES.get(each.code) or "<br>".join(each.messages[:3]) or each.comment or HOLE
            advice = ADVICE.get(each.code) or "; ".join(each.remedies[:2]) or each.comment or "The message says it all."
            parts[-1] += f"\n| {each.code} | {escaped(message)} | {escaped(advice)} |"
        parts[-1] += "\n"
        if prefix == "E09":
            lines = [
                f"- {NOT_YET.get(what, what)}" + (f" ({remedy})" if remedy else "") for what, remedy in reader.not_yet
            ]
            parts.append("These are refused with E0900:\n\n" + "\n".join(sorted(lines)) + "\n")
    missing = sorted(code for code in reader.found if not any(code.startswith(prefix) for prefix in GROUPS))
    if missing:
        raise SystemExit(f"no group for {', '.join(missing)}: add one to GROUPS")
    return "\n".join([*parts, FAULTS])


if __name__ == "__main__":
    (HERE / "errors.md").write_text(page(HERE.parent), encoding="utf-8")
