"""Typical mistakes of designers: one finding each, at the right place, with the right remedy."""

from __future__ import annotations

import pytest

from regelwerk.dsl.diagnostics import Diagnostic, Diagnostics, render
from regelwerk.dsl.parse_errors import Code
from regelwerk.dsl.parser import parse_file
from regelwerk.dsl.source import Source

HEAD = 'edition 1\ngame g "G" { }\n'


def findings(text: str) -> list[Diagnostic]:
    found = Diagnostics()
    parse_file(Source("test.rules", HEAD + text), found)
    return list(found)


def shown(found: list[Diagnostic], text: str) -> str:
    source = Source("test.rules", HEAD + text)
    return "\n".join(render(each, {source.name: source}) for each in found)


def table(row: str, header: str = "| f | e |") -> str:
    return f"fields F {{\n  {header}\n  {row}\n}}\n"


# Each: the text with the place of the finding between angle quotes, its code, parts of its message and of its help.
CASES = [
    # marks of other languages
    ("invariant i: at ‹=› krieau", Code.UNEXPECTED, "to compare, write `is`", "write `at is krieau`"),
    ("effect a { if p.at ‹=› 3 { gain 1 coin } }", Code.UNEXPECTED, "`=` stores", "write `p.at is 3`"),
    ("effect a { choose x in S where .kind ‹=› ore { } }", Code.UNEXPECTED, "`=` stores", "write `.kind is ore`"),
    ("invariant i: at ‹==› krieau", Code.CHARACTER, "`is` compares", "write `at is krieau`"),
    ("invariant i: at ‹!=› krieau", Code.CHARACTER, "`is not`", "write `at is not krieau`"),
    ("invariant i: at ‹<>› krieau", Code.CHARACTER, "`is not`", "write `at is not krieau`"),
    ("effect a { set x ‹==› 3 }", Code.CHARACTER, "`=` stores", "write `x = 3`"),
    ("effect a { set x ‹:=› 3 }", Code.CHARACTER, "`=` stores", "write `x = 3`"),
    ("state x: 0..3 ‹:=› 3", Code.CHARACTER, "`=` stores", "= 3`"),
    ("effect a { set x ‹is› 3 }", Code.UNEXPECTED, "`is` compares; `=` stores", "write `x = 3`"),
    ("effect a { set x ‹to› 3 }", Code.UNEXPECTED, "`=` stores", "write `x = 3`"),
    ("effect a { let x‹:› 3 }", Code.UNEXPECTED, "`=` stands here", "write `=`"),
    ("effect a { set x ‹+=› 3 }", Code.CHARACTER, "in full", "write `set x = x + ...`"),
    ("action a { cost c ‹=› 3 coins }", Code.UNEXPECTED, "a colon stands here", "write `:`"),
    ("value v = a ‹/› 2", Code.UNEXPECTED, "`div` divides and rounds down", "write `a div 2`"),
    ("value v = a ‹%› 2", Code.CHARACTER, "`mod`", "write `a mod 2`"),
    ("invariant i: a ‹&&› b", Code.CHARACTER, "by `and`", "write `and`"),
    ("invariant i: a ‹||› b", Code.CHARACTER, "by `or`", "write `or`"),
    ("invariant i: ‹!›a", Code.CHARACTER, "by `not`", "write `not`"),
    ("invariant i: a ‹≤› b", Code.CHARACTER, "means nothing here", "write `<=`"),
    ("invariant i: a ‹=>› b", Code.CHARACTER, "means nothing here", "write `>=`"),
    ("track t/ts per player: 0‹–›3", Code.CHARACTER, "means nothing here", "write `..`"),
    ("value v = player‹'s› hand", Code.CHARACTER, "behind a dot", "write `.`"),
    ("remark ‹“why”›", Code.CHARACTER, 'a text stands in `"`', 'write `"why"`'),
    ("remark ‹'why'›", Code.CHARACTER, 'a text stands in `"`', 'write `"why"`'),
    ("‹#› a comment, and more = of it\nvalue v = 3", Code.CHARACTER, "a comment begins with `//`", "write `//`"),
    ("‹/*› a\n b */ value v = 3", Code.CHARACTER, "a comment begins with `//`", "before each of its lines"),
    ("effect a { ‹/*› gain a\n gain 2 coins }", Code.CHARACTER, "a comment begins with `//`", "before each"),
    (table("| a | 1 | ‹#› the first"), Code.CHARACTER, "a comment begins with `//`", "write `//`"),
    # separators
    ("effect a {\n  gain 1 coin‹;›\n  lose 1 coin\n}", Code.CHARACTER, "a statement needs no sep", "delete `;`"),
    ("effect a { do x‹;› do y }", Code.CHARACTER, "a statement needs no separator", "delete `;`"),
    ("effect a {\n  gain 1 coin‹,›\n  lose 1 coin\n}", Code.SUPERFLUOUS, "a statement needs no sep", "delete `,`"),
    ("effect a {\n  choose x in S‹,›\n  gain 1 coin\n}", Code.SUPERFLUOUS, "a statement needs", "delete `,`"),
    ("value v = 3‹;›\nvalue w = 4", Code.CHARACTER, "a declaration needs no separator", "delete `;`"),
    ("value v = 3‹,›\nvalue w = 4", Code.SUPERFLUOUS, "a declaration needs no separator", "delete `,`"),
    ("value v = [1‹;› 2]", Code.CHARACTER, "parted by `,`", "write `,`"),
    ("effect a { gain 1 coin ‹then› lose 1 coin }", Code.SUPERFLUOUS, "simply follow each other", "remove `then`"),
    ("effect a { gain 1 coin\n‹and› lose 1 coin }", Code.SUPERFLUOUS, "simply follow each other", "remove `and`"),
    (table("| a | gain 1 coin‹;› do x |"), Code.CELL, "joined by `then`", "write `then`"),
    (table("| a | gain 1 coin ‹and› do x |"), Code.CELL, "joined by `then`", "write `then`"),
    # effects and values
    ("effect x { }\neffect a { gain 1 coin ‹x› }", Code.NO_KEYWORD, "to run the effect `x`", "write `do x`"),
    ("effect a {\n  ‹lay_out›\n  gain 1 coin\n}", Code.NO_KEYWORD, "to run the effect `lay_out`", "write `do lay_out`"),
    ("effect a { ‹lay_out›(3, x) }", Code.NO_KEYWORD, "to run the effect `lay_out`", "write `do lay_out`"),
    ("effect a { ‹x› = 3 }", Code.NO_KEYWORD, "to change `x`", "write `set x`"),
    ("effect a { ‹x› += 3 }", Code.NO_KEYWORD, "to change `x`", "write `set x`"),
    (table("| a | gain 1 coin then ‹lay_out› |"), Code.CELL, "to run the effect `lay_out`", "write `do lay_out`"),
    (table("| a | ‹lay_out› then gain 1 coin |"), Code.CELL, "to run the effect `lay_out`", "write `do lay_out`"),
    ("value q = ‹choose› f in Fields", Code.UNEXPECTED, "a value is only computed", "`first(x in S where ...)`"),
    ("value q = 1 + ‹gain› 1 coin", Code.UNEXPECTED, "a value is only computed", "make an `effect`"),
    ("value q = ‹move› x to y", Code.UNEXPECTED, "a value is only computed", "make an `effect`"),
    ("value q = ‹roll› dice", Code.UNEXPECTED, "a value is only computed", "make an `effect`"),
    ("effect a { set x = ‹draw› 1 from deck }", Code.UNEXPECTED, "a value is only computed", "make an `effect`"),
    (
        "track point/points per player: 0..9\neffect a {\n  gain 2\n  ‹point›\n}",
        Code.UNEXPECTED,
        "a unit stands on the line of its amount",
        "move `point` up",
    ),
    ("value v = max(p in players‹,› p.points)", Code.UNEXPECTED, "behind a colon", "`max(p in players: p.points)`"),
    ("value v = sum(p in players‹,› f(p))", Code.UNEXPECTED, "behind a colon", "`sum(p in players: f(p))`"),
    ("value v = min(p in players where p.x‹,› 3)", Code.UNEXPECTED, "behind a colon", "where p.x: 3)`"),
    ("invariant i: every(p in players‹,› p.points > 3)", Code.UNEXPECTED, "behind a colon", ": p.points > 3)`"),
    # braces
    ("effect a { if c ‹then› gain 1 coin }", Code.MISSING, "after `if c` an effect", "write `if c { gain 1 coin }`"),
    ("effect a { if c ‹gain› 1 coin else lose 1 coin }", Code.MISSING, "in braces", "write `if c { gain 1 coin }`"),
    ("effect a {\n  if c‹:›\n    do x\n    do y\n  else:\n    do z\n  do u\n}", Code.MISSING, "after `if c`", "braces"),
    ("effect a { if a { do x } else if b ‹do› y }", Code.MISSING, "after `if b`", "write `if b { do y }`"),
    ("effect a { if a ‹do› x else if b do y else do z }", Code.MISSING, "after `if a`", "write `if a { do x }`"),
    ("effect a { if a { do x } else ‹do› y }", Code.MISSING, "after `else`", "write `else { do y }`"),
    ("effect a { if a { do x } ‹elif› b { do y } }", Code.UNEXPECTED, "`elif` means nothing", "write `else if`"),
    ("effect a { for x in S ‹do› gain 1 coin }", Code.MISSING, "after `for x in S`", "`for x in S { gain 1 coin }`"),
    ("effect a { everyone ‹gain› 1 coin }", Code.MISSING, "after `everyone`", "`everyone { gain 1 coin }`"),
    (table("| a | if c ‹then› gain 1 coin |"), Code.CELL, "after `if c`", "write `if c { gain 1 coin }`"),
    (table("| a | if c ‹then› do x else do y |"), Code.CELL, "after `if c`", "write `if c { do ... }`"),
    # declarations
    ("end e ‹when› c", Code.MISSING, "when it is tested", "write `at once`, or `after PHASE`"),
    ("end e ‹when› c > 3 won by points", Code.MISSING, "when it is tested", "write `at once`, or `after PHASE`"),
    ("track ‹step›/steps per player: 0..9", Code.RESERVED, "cannot be a unit", '`step_/steps "step/steps"`'),
    ("resource die/‹dice› supply 9", Code.RESERVED, "cannot be a unit", '`die/dice_ "die/dice"`'),
    ("enum E { a, ‹step›/steps }", Code.RESERVED, "cannot be a unit", "choose another name"),
    ("‹fun› f(x) { return x }", Code.NO_KEYWORD, "no declaration begins with `fun`", "`value`"),
    ("‹function› f(x) {\n  if x { gain 1 coin }\n}", Code.NO_KEYWORD, "begins with `function`", "`effect`"),
    ("‹var› x = 3", Code.NO_KEYWORD, "no declaration begins with `var`", "write `state"),
    ("effect a {\n  ‹while› x > 3 {\n    gain 1 coin\n  }\n}", Code.NO_KEYWORD, "with `while`", "`repeat at most"),
    ("effect a { ‹return› 3 }", Code.NO_KEYWORD, "no statement begins with `return`", "make a `value`"),
    # tables
    (table("| a ‹;› 1 |"), Code.CELL_COUNT, "parted by `|`", "write `|`"),
    (table("‹a | 1 |›"), Code.OPEN_ROW, "begins and ends with `|`", "write `| a | 1 |`"),
    (table("‹a; 1›"), Code.OPEN_ROW, "begins and ends with `|`", "write `| a | 1 |`"),
    (table("‹| a | 1›"), Code.OPEN_ROW, "ends with `|`", "add `|` at its end"),
    ("fields F {\n| f | e |\n‹| a | 1› }", Code.OPEN_ROW, "ends with `|`", "add `|` at its end"),
    (table("| a | x ‹||› y |"), Code.CELL_COUNT, "joined by `or`", "write `or`"),
    (
        'fields F grid {\n  drawing g """\n    a b\n  """ legend { "a": 1, "b": 2, ‹"a": 3› }\n}',
        Code.TWICE,
        "twice",
        "delete",
    ),
]


@pytest.mark.parametrize(("text", "code", "message", "help"), CASES, ids=[case[0][:40] for case in CASES])
def test_one_finding(text: str, code: Code, message: str, help: str) -> None:
    start, end = text.index("‹"), text.index("›") - 1
    text = text.replace("‹", "").replace("›", "") + "\neffect after_it { gain 1 coin }\n"
    found = findings(text)
    assert len(found) == 1, shown(found, text)
    (finding,) = found
    said = shown(found, text)
    assert finding.code == code, said
    assert message in finding.message, said
    assert finding.help is not None, said
    assert help in finding.help, said
    assert finding.span is not None
    assert (finding.span.start, finding.span.end) == (start + len(HEAD), end + len(HEAD)), said


@pytest.mark.parametrize(
    "text",
    [
        "value draw = 3\nvalue w = draw coins",
        "const roll = 2\nvalue v = roll coins",
        "enum E { gain, lose, any }",
        "value v(choose: 0..3) = choose coins",
        "effect a { if c { do x } else if d { do y } }",
        table("| a | if c then 3 else 4 |"),
        table("| a | (gain 1 coin then do x) or do y |"),
        table("| gain | 3 |"),
        "value v = max(a, b)\nvalue w = max(p in players: max(p.x, 3))",
        "enum E { yes_no, a/b, c }",
        'fields F {\n| f | e |\n| a | "x; y # || z" |\n}',
    ],
)
def test_what_is_no_mistake(text: str) -> None:
    found = findings(text)
    assert not found, shown(found, text)
